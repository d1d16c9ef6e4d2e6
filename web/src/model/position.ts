// A position: what a player sees of a board. Values are immutable, so that histories can share them.

export const HIDDEN = -1;
export const FLAG = -2;
/** A mine that is shown, as after a game that was lost; never part of a question to the solver. */
export const MINE = -3;

export const MAX_SIDE = 1000;

export type Cell = readonly [row: number, col: number];

const SIGNS = new Map<string, number>([
  ['?', HIDDEN],
  ['#', HIDDEN],
  ['-', HIDDEN],
  ...'*xXMF'.split('').map((sign) => [sign, FLAG] as const),
  ...'012345678'.split('').map((sign, number) => [sign, number] as const),
]);

export class Position {
  /** The notation, once it was asked for. */
  private line: string | undefined;

  constructor(
    readonly height: number,
    readonly width: number,
    readonly mines: number,
    readonly values: Int8Array,
  ) {}

  static blank(height: number, width: number, mines: number): Position {
    return new Position(height, width, mines, new Int8Array(height * width).fill(HIDDEN));
  }

  /** Rows of signs, as in the forms of msat: `?` hidden, `*` marked, digits. Null if they are none. */
  static fromRows(rows: readonly string[], mines: number): Position | null {
    const height = rows.length;
    const width = rows[0]?.length ?? 0;
    if (!sensible(height, width, mines)) return null;
    const values = new Int8Array(height * width);
    for (const [row, text] of rows.entries()) {
      if (text.length !== width) return null;
      for (let col = 0; col < width; col++) {
        const value = SIGNS.get(text[col]!);
        if (value === undefined) return null;
        values[row * width + col] = value;
      }
    }
    return new Position(height, width, mines, values);
  }

  /** The one-line notation with a mine total, `??1/3?2/??? 3`; a colon may stand for the space. */
  static fromLine(line: string): Position | null {
    const parts = /^([^\s:]+)(?:\s+|\s*:\s*)([0-9]{1,7})$/.exec(line.trim());
    if (parts === null) return null;
    return Position.fromRows(parts[1]!.replace(/\/$/, '').split('/'), Number(parts[2]));
  }

  get size(): number {
    return this.values.length;
  }

  at(row: number, col: number): number {
    return this.values[row * this.width + col]!;
  }

  index(cell: Cell): number {
    return cell[0] * this.width + cell[1];
  }

  cell(index: number): Cell {
    return [Math.floor(index / this.width), index % this.width];
  }

  has(row: number, col: number): boolean {
    return row >= 0 && row < this.height && col >= 0 && col < this.width;
  }

  neighbours(index: number): number[] {
    const [row, col] = this.cell(index);
    const found: number[] = [];
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = col - 1; c <= col + 1; c++) {
        if (this.has(r, c) && (r !== row || c !== col)) found.push(r * this.width + c);
      }
    }
    return found;
  }

  count(value: number): number {
    let found = 0;
    for (const each of this.values) if (each === value) found++;
    return found;
  }

  with(changes: Iterable<readonly [index: number, value: number]>): Position {
    const values = this.values.slice();
    for (const [index, value] of changes) values[index] = value;
    return new Position(this.height, this.width, this.mines, values);
  }

  withMines(mines: number): Position {
    return new Position(this.height, this.width, mines, this.values);
  }

  /** Another size; what fits is kept, what is new is hidden. */
  resized(height: number, width: number, mines = this.mines): Position {
    const found = Position.blank(height, width, mines);
    for (let row = 0; row < Math.min(height, this.height); row++) {
      for (let col = 0; col < Math.min(width, this.width); col++) {
        found.values[row * width + col] = this.at(row, col);
      }
    }
    return found;
  }

  equals(other: Position): boolean {
    return this === other || (this.mines === other.mines && this.differs(other, 1) === 0);
  }

  /** In how many cells another position differs, counted up to a limit; a size of its own is no likeness. */
  differs(other: Position, most = Infinity): number {
    if (this.height !== other.height || this.width !== other.width) return Infinity;
    const { values } = this;
    let found = 0;
    for (let index = 0; index < values.length && found < most; index++) {
      if (values[index] !== other.values[index]) found++;
    }
    return found;
  }

  rows(): string[] {
    const found: string[] = [];
    const { height, width, values } = this;
    for (let row = 0; row < height; row++) {
      let text = '';
      for (let index = row * width; index < (row + 1) * width; index++) text += sign(values[index]!);
      found.push(text);
    }
    return found;
  }

  /** The one-line notation, with a colon before the total: it needs no escapes in an address. */
  toLine(): string {
    this.line ??= `${this.rows().join('/')}${this.height === 1 ? '/' : ''}:${this.mines}`;
    return this.line;
  }

  toText(): string {
    return `${this.rows().join('\n')}\nmines: ${this.mines}`;
  }
}

function sign(value: number): string {
  if (value >= 0) return '012345678'.charAt(value);
  return value === FLAG ? '*' : '?';
}

/** Whether there can be a board of this size with so many mines. */
export function sensible(height: number, width: number, mines: number): boolean {
  return (
    [height, width].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE) &&
    Number.isInteger(mines) &&
    mines >= 0 &&
    mines <= height * width
  );
}
