// A game: a layout, and what was done on it, by the rules of `msat.Game`. States are values, so that any move can
// be taken back, the fatal one included; the record of a state is what the service reviews.
import { FLAG, HIDDEN, MINE, Position, type Cell } from './position';

export interface LayoutObject {
  readonly height: number;
  readonly width: number;
  readonly mines: number;
  readonly start: Cell | null;
  readonly rows: readonly string[];
}

export type MoveKind = 'open' | 'chord' | 'mark' | 'unmark';

export interface Move {
  readonly kind: MoveKind;
  readonly cell: Cell;
  readonly seconds: number | null;
}

export type State = 'playing' | 'won' | 'lost';

/** Where the mines are. */
export class Layout {
  readonly numbers: Int8Array;

  constructor(readonly object: LayoutObject) {
    const { height, width, rows } = object;
    const mined = Array.from(rows.join(''), (sign) => sign === '*');
    const blank = Position.blank(height, width, 0);
    this.numbers = new Int8Array(height * width);
    for (let index = 0; index < this.numbers.length; index++) {
      const around = () => blank.neighbours(index).filter((each) => mined[each]).length;
      this.numbers[index] = mined[index] ? MINE : around();
    }
  }

  /** A layout with these mines, as samples of the service are. */
  static of(height: number, width: number, mines: readonly Cell[]): Layout {
    const rows = Array.from({ length: height }, () => Array<string>(width).fill('.'));
    for (const [row, col] of mines) rows[row]![col] = '*';
    return new Layout({
      height,
      width,
      mines: mines.length,
      start: null,
      rows: rows.map((row) => row.join('')),
    });
  }

  isMine(index: number): boolean {
    return this.numbers[index] === MINE;
  }
}

/** Moves, the last one first: games that differ by a move share the rest, however long it is. */
interface Trail {
  readonly move: Move;
  readonly before: Trail | null;
}

/** A game after some moves. When it has ended no further move is made: a record of one would not replay. */
export class GameState {
  private constructor(
    readonly layout: Layout,
    readonly position: Position,
    private readonly trail: Trail | null,
    /** The mine that was opened, if the game is lost. */
    readonly exploded: number | null,
  ) {}

  static begin(layout: Layout): GameState {
    const { height, width, mines } = layout.object;
    return new GameState(layout, Position.blank(height, width, mines), null, null);
  }

  /** A game in the middle: all that `seen` shows is opened, whatever its order was. */
  static from(layout: Layout, seen: Position): GameState {
    let state = GameState.begin(layout);
    for (const [index, value] of seen.values.entries()) {
      if (value >= 0) state = state.open(index, null) ?? state;
    }
    for (const [index, value] of seen.values.entries()) {
      if (value === FLAG) state = state.mark(index, null) ?? state;
    }
    return state;
  }

  get moves(): readonly Move[] {
    const found: Move[] = [];
    for (let each = this.trail; each !== null; each = each.before) found.push(each.move);
    return found.reverse();
  }

  get state(): State {
    if (this.exploded !== null) return 'lost';
    const { layout, position } = this;
    return position.values.every((value, index) => value >= 0 || layout.isMine(index)) ? 'won' : 'playing';
  }

  /** What is seen: after the end also the mines, with flags on them if it was won. */
  get shown(): Position {
    const { layout, position, state } = this;
    if (state === 'playing') return position;
    const mines: [number, number][] = [];
    for (const [index, value] of position.values.entries()) {
      if (value === HIDDEN && layout.isMine(index)) mines.push([index, state === 'won' ? FLAG : MINE]);
    }
    return position.with(mines);
  }

  apply(move: Move): GameState | null {
    if (!this.position.has(...move.cell)) return null;
    const index = this.position.index(move.cell);
    switch (move.kind) {
      case 'open':
        return this.open(index, move.seconds);
      case 'chord':
        return this.chord(index, move.seconds);
      case 'mark':
        return this.mark(index, move.seconds);
      case 'unmark':
        return this.unmark(index, move.seconds);
    }
  }

  open(index: number, seconds: number | null): GameState | null {
    if (this.state !== 'playing' || this.position.values[index] !== HIDDEN) return null;
    return this.opening('open', index, [index], seconds);
  }

  /** Opens what is hidden around a number with as many marks around it. */
  chord(index: number, seconds: number | null): GameState | null {
    const { values } = this.position;
    const around = this.position.neighbours(index);
    const hidden = around.filter((each) => values[each] === HIDDEN);
    const marked = around.filter((each) => values[each] === FLAG).length;
    if (values[index]! < 1 || marked !== values[index] || !hidden.length) return null;
    if (this.state !== 'playing') return null;
    return this.opening('chord', index, hidden, seconds);
  }

  mark(index: number, seconds: number | null): GameState | null {
    return this.flagging('mark', index, HIDDEN, FLAG, seconds);
  }

  unmark(index: number, seconds: number | null): GameState | null {
    return this.flagging('unmark', index, FLAG, HIDDEN, seconds);
  }

  toggle(index: number, seconds: number | null): GameState | null {
    return this.mark(index, seconds) ?? this.unmark(index, seconds);
  }

  /** The game as msat saves it. */
  record(): object {
    const { moves } = this;
    return {
      format: 'msat-record',
      version: 2,
      strategy: null,
      seconds: moves.at(-1)?.seconds ?? 0,
      layout: this.layout.object,
      moves: moves.map((move) => ({ ...move, probability: null, reason: '' })),
    };
  }

  private flagging(kind: MoveKind, index: number, from: number, to: number, seconds: number | null) {
    if (this.position.values[index] !== from || this.state !== 'playing') return null;
    const position = this.position.with([[index, to]]);
    return new GameState(this.layout, position, this.moved(kind, index, seconds), null);
  }

  private opening(kind: MoveKind, at: number, opened: readonly number[], seconds: number | null): GameState {
    const trail = this.moved(kind, at, seconds);
    const fatal = opened.find((each) => this.layout.isMine(each));
    if (fatal !== undefined) return new GameState(this.layout, this.position, trail, fatal);
    const values = this.position.values.slice();
    const queue = [...opened];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (values[next] !== HIDDEN) continue;
      values[next] = this.layout.numbers[next]!;
      if (values[next] === 0) queue.push(...this.position.neighbours(next));
    }
    const { height, width, mines } = this.position;
    return new GameState(this.layout, new Position(height, width, mines, values), trail, null);
  }

  private moved(kind: MoveKind, index: number, seconds: number | null): Trail {
    return { move: { kind, cell: this.position.cell(index), seconds }, before: this.trail };
  }
}
