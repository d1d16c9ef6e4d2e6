// Play: a game on the same board. The layout comes from the service at the first click, moves are made here.
// Undo also works after death; hints come in levels; the solver plays if it is asked to.
import type { CellDetail } from '../../board/gestures';
import type { Overlay } from '../../board/overlay';
import { GameState, Layout, type State } from '../../model/game';
import { History } from '../../model/history';
import { readRecord, replay } from '../../model/record';
import { FLAG, HIDDEN, Position, type Cell } from '../../model/position';
import type { Generated, Hint } from '../../service/answers';
import { ask, cancelled } from '../../service/client';
import { keyOf } from '../../view/keys';
import type { Child } from '../../view/tree';
import type { App } from '../app';
import { hintOverlay, live } from '../cards/live';
import { whyOverlay } from '../cards/why';
import { playAbove, playBelow, playBeside } from '../cards/play';
import type { Mode, Work } from '../mode';
import { recall, remember, type GameSettings } from '../settings';
import { Solver } from '../solver';

export class Play implements Mode {
  readonly name = 'play';
  readonly painting = false;
  /** What a tap does: phones have one finger. */
  flagging = false;
  hint: Hint | null = null;
  work: Work | null = null;
  seed: string | null = null;
  readonly solver: Solver;
  private blank: Position;
  private history: History<GameState> | null = null;
  private began = 0;
  private spent = 0;
  private ticking = 0;

  constructor(readonly app: App) {
    this.blank = this.blankBoard();
    this.solver = new Solver(app, this);
  }

  get game(): GameState | null {
    return this.history?.current ?? null;
  }

  get state(): State {
    return this.game?.state ?? 'playing';
  }

  get position(): Position {
    return this.game?.position ?? this.blank;
  }

  get shown(): Position {
    return this.game?.shown ?? this.blank;
  }

  get wish(): 'facts' | 'chances' | null {
    if (this.app.settings.help === 'all') return 'facts';
    return this.app.settings.help === 'marks' || this.app.why.open ? 'chances' : null;
  }

  get canUndo(): boolean {
    return this.history?.canUndo ?? false;
  }

  get canRedo(): boolean {
    return this.history?.canRedo ?? false;
  }

  /** Seconds since the first click, without the time after the end. */
  get seconds(): number {
    return this.spent + (this.began > 0 ? (performance.now() - this.began) / 1000 : 0);
  }

  get minesLeft(): number {
    const seen = this.state === 'won' ? this.shown : this.position;
    return seen.mines - seen.count(FLAG);
  }

  enter(): void {
    if (this.history === null) this.resume();
    this.tick();
  }

  leave(): void {
    this.solver.stop();
    this.pauseClock();
    this.keep();
  }

  undo(): void {
    this.solver.stop();
    if (this.history?.undo()) this.after();
  }

  redo(): void {
    if (this.history?.redo()) this.after();
  }

  newGame(change: Partial<GameSettings> = {}): void {
    this.app.choose({ game: { ...this.app.settings.game, ...change } });
    this.reset();
    this.app.say('A new game.');
  }

  /** The same layout from its beginning. */
  again(): void {
    const { game, seed } = this;
    if (game === null) return;
    let fresh = GameState.begin(game.layout);
    const first = game.moves[0];
    if (first?.kind === 'open' && game.layout.object.start) fresh = fresh.apply(first) ?? fresh;
    this.begin(fresh);
    this.seed = seed;
  }

  /** A game that goes on from a position: on one of the layouts that agree with it, by lot. */
  async from(position: Position): Promise<void> {
    this.app.switchTo('play');
    this.reset();
    await this.during('Drawing a layout …', async (signal) => {
      const seed = Math.floor(Math.random() * 2 ** 32);
      const question = { board: position.toLine(), n: 1, seed };
      const found = await ask<{ layouts: Generated['layout'][] }>('sample', question, signal);
      this.begin(GameState.from(new Layout(found.layouts[0]!), position));
    });
  }

  /** A game that goes on from a move of a record. */
  fromGame(game: GameState): void {
    this.begin(game);
    this.app.switchTo('play');
  }

  /** A link to a game opens it where it was played, also one that lags behind; elsewhere only its position is known. */
  resumeOrLeave(position: Position): void {
    this.resume();
    const known = this.history?.some((each) => each.position.equals(position)) ?? false;
    this.app.switchTo(known || this.blank.equals(position) ? 'play' : 'analyse');
  }

  keep(): void {
    if (this.game !== null)
      remember('msat.game', { record: this.game.record(), seconds: this.seconds, seed: this.seed });
  }

  overlay(): Overlay {
    const { game, hint } = this;
    const found =
      this.app.settings.help === 'none' && !this.app.why.open ? {} : live(this.app, this.position);
    const quiet = this.app.settings.help !== 'all';
    const wrong = new Set<number>();
    if (game?.state === 'lost') {
      for (const [index, value] of game.position.values.entries()) {
        if (value === FLAG && !game.layout.isMine(index)) wrong.add(index);
      }
    }
    return {
      ...found,
      ...(quiet ? { heat: false, best: null, candidates: [] } : {}),
      exploded: game?.exploded ?? null,
      wrongFlags: wrong,
      ...hintOverlay(hint),
      ...whyOverlay(this.app),
    };
  }

  above(): Child {
    return playAbove(this.app, this);
  }

  below(): Child {
    return playBelow(this.app, this);
  }

  beside(): Child {
    return playBeside(this.app, this);
  }

  press({ index, button, touch }: CellDetail): void {
    if (button === 2 && !touch) this.flag(index);
    else if (button === 1) void this.open(index);
  }

  tap({ index, button }: CellDetail): void {
    if (button !== 0) return;
    if (this.flagging && this.position.values[index]! < 0) this.flag(index);
    else void this.open(index);
  }

  long(index: number): void {
    if (this.flagging) void this.open(index);
    else this.flag(index);
    if ('vibrate' in navigator) navigator.vibrate(15);
  }

  key(event: KeyboardEvent, index: number): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.app.why.key(event, this.position.cell(index))) return true;
    switch (keyOf(event)) {
      case ' ':
      case 'Enter':
        void this.open(index);
        return true;
      case 'f':
        this.flag(index);
        return true;
      case 'i':
        void this.askHint();
        return true;
      case 's':
        void this.solver.run('step');
        return true;
      case 'w':
      case '?':
        this.explain(this.position.cell(index));
        return true;
      case 'n':
        this.newGame();
        return true;
      case 'u':
        this.undo();
        return true;
      default:
        return false;
    }
  }

  explain(cell: Cell): void {
    this.app.board.cursor = this.position.index(cell); // W goes on there
    if (this.position.at(...cell) < 0) void this.app.why.ask(this.position, cell);
  }

  /** Whoever moves does not wait for a hint any more, and takes the game back from the solver. */
  private interrupt(): void {
    this.solver.stop();
    this.work?.control.abort();
  }

  flag(index: number): void {
    if (this.history !== null) this.interrupt();
    const next = this.game?.toggle(index, this.seconds);
    if (next) this.made(next);
  }

  /** Opens a covered cell, or around a number; the first click asks for a layout. */
  async open(index: number): Promise<void> {
    if (this.history === null) {
      if (this.work === null) await this.firstClick(index);
      return;
    }
    this.interrupt();
    const { game } = this;
    const value = this.position.values[index]!;
    const next = value === HIDDEN ? game!.open(index, this.seconds) : game!.chord(index, this.seconds);
    if (next) this.made(next);
  }

  /** Gives away one level more than before. */
  async askHint(): Promise<void> {
    if (this.game?.state !== 'playing' || this.work !== null) return;
    const level = Math.min((this.hint?.level ?? 0) + 1, 5);
    this.app.message = null; // the hint says more
    const { position } = this;
    await this.during('Looking …', async (signal) => {
      const hint = await ask<Hint>('hint', { board: position.toLine(), level }, signal, () => undefined);
      if (position.equals(this.position)) this.hint = hint;
    });
  }

  made(next: GameState): void {
    if (this.history === null) this.history = new History(next);
    else this.history.push(next);
    this.after();
  }

  /** Something that takes a while, and can be stopped. */
  async during(
    text: string,
    act: (signal: AbortSignal, tell: (done: number, of: number) => void) => Promise<void>,
  ): Promise<boolean> {
    this.work?.control.abort();
    const control = new AbortController();
    const work: Work = { text, done: null, control };
    this.work = work;
    this.app.changed();
    try {
      await act(control.signal, (done, of) => {
        this.work = { ...work, done: of > 0 ? done / of : null };
        this.app.changed();
      });
      return true;
    } catch (error) {
      if (!cancelled(error)) this.app.tell(error instanceof Error ? error.message : String(error), true);
      return false;
    } finally {
      this.finished(control);
    }
  }

  private finished(control: AbortController): void {
    if (this.work?.control === control) this.work = null;
    this.app.changed();
  }

  private async firstClick(index: number): Promise<void> {
    const { game: chosen } = this.app.settings;
    const { height, width, mines } = this.blank;
    const text = chosen.noGuess ? 'Looking for a board without guesses …' : 'Laying mines …';
    await this.during(text, async (signal, tell) => {
      const question = {
        height,
        width,
        mines,
        start: this.blank.cell(index),
        first: chosen.first,
        ...(chosen.seed === '' ? {} : { seed: Number(chosen.seed) }),
        ...(chosen.noGuess ? { no_guess: true } : {}),
        ...(chosen.noGuess && chosen.difficulty !== '' ? { difficulty: chosen.difficulty } : {}),
      };
      const found = await ask<Generated>('generate', question, signal, tell);
      this.seed = found.seed === undefined || found.seed === null ? null : String(found.seed);
      const fresh = GameState.begin(new Layout(found.layout));
      this.spent = 0;
      this.began = performance.now();
      this.history = new History(fresh);
      this.made(fresh.open(index, 0) ?? fresh);
      this.tick();
    });
  }

  private begin(game: GameState): void {
    this.reset();
    this.seed = null;
    this.history = new History(game);
    this.after();
  }

  private reset(): void {
    this.solver.stop();
    this.work?.control.abort();
    this.history = null;
    this.hint = null;
    this.began = 0;
    this.spent = 0;
    this.blank = this.blankBoard();
    this.app.why.close();
    this.app.changed();
  }

  private blankBoard(): Position {
    const { height, width, mines } = this.app.settings.game;
    return Position.blank(height, width, mines);
  }

  private resume(): void {
    const kept = recall('msat.game') as { record: unknown; seconds: unknown; seed: unknown } | null;
    if (kept === null || this.history !== null) return;
    try {
      const [first, ...rest] = replay(readRecord(kept.record));
      this.history = new History(first!);
      for (const each of rest) this.history.push(each);
      this.spent = Math.max(Number(kept.seconds), 0) || 0;
      this.seed = typeof kept.seed === 'string' ? kept.seed : null;
    } catch {
      this.history = null; // what was kept is of another version, or damaged: a new game begins
    }
  }

  /** After every change of the game: the clock, the hint, the verdict. */
  private after(): void {
    this.hint = null;
    this.app.message = null; // it was about what is past
    if (this.state === 'playing') {
      if (this.began === 0) this.began = performance.now();
    } else this.pauseClock();
    if (this.state === 'won') this.app.say(`Won in ${Math.round(this.seconds)} seconds.`);
    if (this.state === 'lost') this.app.say('That was a mine. Undo takes it back.');
    this.keep();
    this.app.changed();
  }

  private pauseClock(): void {
    this.spent = this.seconds;
    this.began = 0;
  }

  private tick(): void {
    clearInterval(this.ticking);
    if (this.history !== null && this.state === 'playing' && this.began === 0) this.began = performance.now();
    this.ticking = window.setInterval(() => {
      if (this.app.mode !== this) clearInterval(this.ticking);
      else if (this.began > 0) this.app.changed();
    }, 500);
  }
}
