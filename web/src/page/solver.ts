// The solver plays: one step, until a guess is needed, or to the end. It opens all that is proven safe at once,
// marks what is proven to be a mine, and asks for the best move where nothing is certain.
import type { GameState } from '../model/game';
import type { Advice, Analysis } from '../service/answers';
import { ask } from '../service/client';
import { pause } from '../service/analyst';
import type { App } from './app';
import type { Play } from './modes/play';

export type How = 'step' | 'guess' | 'end';

const PAUSE = 140;

export class Solver {
  running: How | null = null;
  private turn = 0;

  constructor(
    private readonly app: App,
    private readonly play: Play,
  ) {}

  stop(): void {
    this.turn++;
    if (this.running !== null) this.play.work?.control.abort();
    this.running = null;
    this.app.changed();
  }

  async run(how: How): Promise<void> {
    this.stop();
    const turn = this.turn;
    if (this.play.game === null) {
      const { height, width } = this.play.position;
      await this.play.open(Math.min(3, height - 1) * width + Math.min(3, width - 1));
      if (how === 'step') return;
    }
    this.running = how;
    while (this.running === how && this.turn === turn && this.play.game?.state === 'playing') {
      const went = await this.play.during('The solver thinks …', (signal) => this.move(how, signal, turn));
      if (!went || how === 'step') break;
      await pause(this.calm ? 0 : PAUSE);
    }
    if (this.turn === turn) this.stop();
  }

  private get calm(): boolean {
    return !this.app.settings.motion || matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  private async move(how: How, signal: AbortSignal, turn: number): Promise<void> {
    const { game } = this.play;
    const board = game!.position.toLine();
    const analysis = await ask<Analysis>('analyze', { board }, signal);
    if (this.turn !== turn) return;
    if (analysis.safe.length > 0) {
      this.openSafe(analysis, how);
      return;
    }
    if (how === 'guess') {
      this.running = null;
      this.app.tell('Here a guess is needed.');
      return;
    }
    const advice = await ask<Advice>('hint', { board, seconds: 0.3, budget: 3 }, signal, () => undefined);
    if (this.turn !== turn) return;
    if (advice.cell === null) {
      this.running = null;
      return;
    }
    const next = game!.open(game!.position.index(advice.cell), this.play.seconds);
    if (next !== null) this.play.made(next);
  }

  private openSafe(analysis: Analysis, how: How): void {
    const seconds = this.play.seconds;
    let game: GameState = this.play.game!;
    const act = (next: GameState | null) => {
      if (next === null) return;
      game = next;
      this.play.made(next);
    };
    const { position } = game;
    // A wrong flag in the way is taken off first.
    for (const cell of analysis.safe) act(game.unmark(position.index(cell), seconds));
    for (const cell of how === 'step' ? analysis.safe.slice(0, 1) : analysis.safe) {
      act(game.open(position.index(cell), seconds));
    }
    for (const cell of how === 'step' ? [] : analysis.mined) act(game.mark(position.index(cell), seconds));
  }
}
