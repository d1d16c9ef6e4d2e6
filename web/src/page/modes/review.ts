// Review: a game judged decision by decision, with the curve of the chance to win.
import type { Overlay } from '../../board/overlay';
import type { GameState } from '../../model/game';
import { FLAG, type Cell, type Position } from '../../model/position';
import { readRecord, replay, type SavedGame } from '../../model/record';
import type { Review as Judgement, ReviewedMove } from '../../service/answers';
import { ask, cancelled } from '../../service/client';
import { keyOf } from '../../view/keys';
import type { Child } from '../../view/tree';
import type { App } from '../app';
import { live } from '../cards/live';
import { reviewBelow, reviewBeside } from '../cards/review';
import { whyOverlay } from '../cards/why';
import type { Mode } from '../mode';

/** After the end all is on the board: what could be known before would only be in its way. */
const THE_TRUTH: Overlay = { heat: false, dead: new Set(), opening: new Map() };

interface Loaded extends SavedGame {
  /** The game before each move, and after the last. */
  readonly states: readonly GameState[];
  readonly record: object;
}

export class Review implements Mode {
  readonly name = 'review';
  readonly painting = false;
  readonly canUndo = false;
  readonly canRedo = false;
  loaded: Loaded | null = null;
  judged: Judgement | null = null;
  done: number | null = null;
  error: string | null = null;
  /** Whether another program's game is being read. */
  reading = false;
  /** The decision that is looked at; as many as there are means the end. */
  at = 0;
  private under: AbortController | null = null;

  constructor(readonly app: App) {}

  get position(): Position {
    const state = this.loaded?.states[this.at];
    return state?.position ?? this.app.analyse.position;
  }

  get shown(): Position {
    return this.loaded?.states[this.at]?.shown ?? this.position;
  }

  get wish(): 'facts' {
    return 'facts';
  }

  get count(): number {
    return this.loaded?.moves.length ?? 0;
  }

  get move(): ReviewedMove | null {
    return this.judged?.moves.find((each) => each.number === this.at + 1) ?? null;
  }

  /** The cell that is told of while no other is chosen: the one of the decision, and none at the end. */
  get subject(): Cell | null {
    return this.loaded?.moves[this.at]?.cell ?? null;
  }

  /** Asks for the judgement again. */
  again(): void {
    this.error = null;
    if (this.loaded !== null) void this.judge(this.loaded.record);
    this.app.changed();
  }

  get working(): boolean {
    return this.under !== null;
  }

  undo(): void {
    this.go(this.at - 1);
  }

  redo(): void {
    this.go(this.at + 1);
  }

  loadGame(game: GameState): void {
    this.app.switchTo('review');
    this.load(JSON.stringify(game.record()));
  }

  /** Another program's game, as text or as a file: the service makes one of msat's of it. */
  async loadForeign(board: string | { readonly name: string; readonly base64: string }): Promise<void> {
    this.stop();
    const control = new AbortController();
    this.under = control;
    this.reading = true;
    this.app.changed();
    try {
      const found = await ask<{ forms: { record: string } }>(
        'convert',
        { board, to: 'record' },
        control.signal,
      );
      this.load(found.forms.record);
    } catch (error) {
      if (!cancelled(error)) this.app.tell(`This was not read: ${(error as Error).message}`, true);
    } finally {
      this.reading = false;
      if (this.under === control) this.under = null;
      this.app.changed();
    }
  }

  /** A saved game as text; what is none leaves everything as it was. */
  load(text: string): void {
    try {
      const record = JSON.parse(text) as object;
      const saved = readRecord(record);
      const states = replay(saved);
      this.stop();
      this.app.why.close();
      this.loaded = { ...saved, states, record };
      this.judged = null;
      this.error = null;
      this.proofShown = false;
      this.at = saved.moves.length;
      this.app.touched = false;
      this.app.forgive();
      void this.judge(record);
    } catch (error) {
      const why = error instanceof SyntaxError ? 'the file is no JSON' : (error as Error).message;
      this.app.tell(`This was not read: ${why}`, true);
    }
    this.app.changed();
  }

  stop(): void {
    this.under?.abort();
    this.under = null;
  }

  go(to: number): void {
    this.at = Math.min(Math.max(to, 0), this.count);
    this.app.touched = false; // its own cell is told of
    const cell = this.loaded?.moves[this.at]?.cell;
    if (cell) this.app.board.reveal(this.position.index(cell)); // a large board scrolls there
    this.app.changed();
  }

  /** To the next decision that was not certain, or back to the one before. */
  goUncertain(back = false): void {
    const numbers = (this.judged?.moves ?? []).filter(uncertain).map((move) => move.number - 1);
    const found = back ? numbers.findLast((each) => each < this.at) : numbers.find((each) => each > this.at);
    this.go(found ?? (back ? 0 : this.count));
  }

  goMistake(): void {
    const numbers = (this.judged?.mistakes ?? []).map((number) => number - 1);
    this.go(numbers.find((each) => each > this.at) ?? numbers[0] ?? this.count);
  }

  playOn(): void {
    const state = this.loaded?.states[this.at];
    if (state) this.app.play.fromGame(state.exploded === null ? state : this.loaded!.states[this.at - 1]!);
  }

  /** The flags on the board that have no mine below: a review knows, whether or not it could be proven then. */
  get wrongFlags(): ReadonlySet<number> {
    const state = this.loaded?.states[this.at];
    const wrong = new Set<number>();
    for (const [index, value] of state?.position.values.entries() ?? []) {
      if (value === FLAG && !state!.layout.isMine(index)) wrong.add(index);
    }
    return wrong;
  }

  overlay(): Overlay {
    const { move } = this;
    const state = this.loaded?.states[this.at];
    const next = this.loaded?.moves[this.at];
    return {
      ...live(this.app, this.position),
      ...(state && state.state !== 'playing' ? THE_TRUTH : {}),
      best: null,
      candidates: [],
      chosen: next?.cell ?? null,
      wrongFlags: this.wrongFlags,
      better: move?.better ?? null,
      exploded: state?.exploded ?? null,
      ...(this.proofShown && move ? { clues: move.clues, target: move.better ?? move.cell } : {}),
      ...whyOverlay(this.app),
    };
  }

  proofShown = false;

  above(): Child {
    return null;
  }

  below(): Child {
    return reviewBelow(this.app, this);
  }

  beside(): Child {
    return reviewBeside(this.app, this);
  }

  key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const onBoard = (event.target as HTMLElement | null)?.closest('msat-board') !== null;
    if (onBoard && this.app.why.key(event, this.position.cell(this.app.board.cursor))) return true;
    switch (keyOf(event)) {
      case 'ArrowRight':
        if (event.shiftKey) this.goUncertain();
        else this.go(this.at + 1);
        break;
      case 'ArrowLeft':
        if (event.shiftKey) this.goUncertain(true);
        else this.go(this.at - 1);
        break;
      case 'Home':
        this.go(0);
        break;
      case 'End':
        this.go(this.count);
        break;
      case 'm':
        this.goMistake();
        break;
      case 'w':
      case '?':
        if (onBoard) void this.app.why.ask(this.position, this.position.cell(this.app.board.cursor));
        break;
      default:
        return false;
    }
    return true;
  }

  private async judge(record: object): Promise<void> {
    const control = new AbortController();
    this.under = control;
    this.done = null;
    try {
      this.judged = await ask<Judgement>('review', { record }, control.signal, (done, of) => {
        this.done = of > 0 ? done / of : null;
        this.app.changed();
      });
      this.app.say(this.judged.summary);
    } catch (error) {
      if (!cancelled(error)) this.error = error instanceof Error ? error.message : String(error);
    } finally {
      if (this.under === control) this.under = null;
      this.app.changed();
    }
  }
}

/** Whether something was at stake. */
export function uncertain(move: ReviewedMove): boolean {
  return move.kind === 'guess' || move.kind === 'needless' || move.kind === 'blunder';
}
