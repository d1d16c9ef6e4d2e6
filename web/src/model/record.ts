// A saved game, read from a text that may come from anywhere: every field is looked at before anything is made of
// it, and what is wrong is said in a sentence. Nothing of a record is ever shown but its board and its moves.
import { GameState, Layout, type LayoutObject, type Move, type MoveKind } from './game';
import { MAX_SIDE, sensible, type Cell } from './position';

/** The board after every move is kept, so that all of them are at hand: at most so many cells together. */
const MOST_CELLS = 1 << 26;

const KINDS: readonly string[] = ['open', 'chord', 'mark', 'unmark'] satisfies MoveKind[];

export interface SavedGame {
  readonly layout: Layout;
  readonly moves: readonly Move[];
}

type Unknown = Readonly<Record<string, unknown>>;

/** Whose game a text claims to be, if it is one: msat's own, whatever the order of its fields, or another
 * program's, in RAWVF or as a .msor file, which the service reads. */
export function claimsToBeGame(text: string): 'msat' | 'foreign' | null {
  if (/^\s*\{/.test(text) && /"format"\s*:\s*"msat-record"/.test(text)) return 'msat';
  const begins = text.slice(0, 200);
  const foreign = /^\ufeff?\s*(?:RawVF_Version\s*:|\{\s*"(?:header|replay)"\s*:\s*[[{])/i.test(begins);
  return foreign ? 'foreign' : null;
}

/** Whether a file is a replay that is no text, by its ending. */
export function isBinaryReplay(name: string): boolean {
  return /\.(?:avf|evf|rmv|mvf)$/i.test(name);
}

/** The layout and the moves of a saved game; throws with a sentence if it is none. */
export function readRecord(found: unknown): SavedGame {
  const record = fields(found);
  if (record?.['format'] !== 'msat-record' || !Array.isArray(record['moves'])) {
    throw new Error('this is no saved game of msat: it has no "format": "msat-record", or no moves');
  }
  const object = readLayout(record['layout']);
  const given = record['moves'] as readonly unknown[];
  if (given.length * object.height * object.width > MOST_CELLS) {
    throw new Error(`the game is too long for this page: ${given.length} moves on a board of this size`);
  }
  return {
    layout: new Layout(object),
    moves: given.map((move, number) => readMove(move, number, object)),
  };
}

/** The game before each move, and after the last. */
export function replay({ layout, moves }: SavedGame): GameState[] {
  const states = [GameState.begin(layout)];
  for (const move of moves) {
    const next = states.at(-1)!.apply(move);
    if (next === null) throw new Error(`move ${states.length} of the record does not replay`);
    states.push(next);
  }
  return states;
}

function readLayout(found: unknown): LayoutObject {
  const layout = fields(found);
  const { height, width, mines, start, rows } = layout ?? {};
  if (!isNumber(height) || !isNumber(width) || !isNumber(mines) || !sensible(height, width, mines)) {
    throw new Error(`this is no layout: its size is none (at most ${MAX_SIDE} × ${MAX_SIDE})`);
  }
  const fits = (row: unknown) => typeof row === 'string' && row.length === width && /^[.*]+$/.test(row);
  if (!Array.isArray(rows) || rows.length !== height || !rows.every(fits)) {
    throw new Error(`this is no layout: it has not ${height} rows of ${width} signs, each "." or "*"`);
  }
  const texts = rows as readonly string[];
  const shown = texts.join('').split('*').length - 1;
  if (shown !== mines) throw new Error(`this is no layout: it says ${mines} mines and shows ${shown}`);
  const begins = start === null || start === undefined ? null : readCell(start, height, width);
  if (begins === undefined) throw new Error('this is no layout: its start is no cell of the board');
  return { height, width, mines, start: begins, rows: texts };
}

function readMove(found: unknown, number: number, { height, width }: LayoutObject): Move {
  const { kind, cell, seconds } = fields(found) ?? {};
  const at = readCell(cell, height, width);
  if (typeof kind !== 'string' || !KINDS.includes(kind) || at === undefined) {
    throw new Error(`move ${number + 1} of the record is none, or not on the board`);
  }
  return { kind: kind as MoveKind, cell: at, seconds: isNumber(seconds) ? seconds : null };
}

function readCell(found: unknown, height: number, width: number): Cell | undefined {
  if (!Array.isArray(found) || found.length !== 2) return undefined;
  const [row, col] = found as readonly unknown[];
  const within = (at: unknown, most: number): at is number =>
    Number.isInteger(at) && (at as number) >= 0 && (at as number) < most;
  return within(row, height) && within(col, width) ? [row, col] : undefined;
}

function fields(found: unknown): Unknown | null {
  return typeof found === 'object' && found !== null ? (found as Unknown) : null;
}

function isNumber(found: unknown): found is number {
  return typeof found === 'number' && Number.isFinite(found);
}
