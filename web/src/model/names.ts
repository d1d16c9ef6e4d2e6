// Names of cells. The service counts rows and columns from 0 and writes `r3c4`; people count from 1. In the
// page every name is turned into words or a chip that lights its cell up.
import type { Cell } from './position';

export interface Piece {
  readonly text: string;
  readonly cell: Cell | null;
}

const NAME = /\br(\d{1,4})c(\d{1,4})\b/g;
const RANGE = /\b(rows|columns) (\d{1,4}) to (\d{1,4})/g;

/** A sentence of the service, cut into plain text and names of cells. */
export function pieces(told: string): Piece[] {
  const sentence = fromOne(told);
  const found: Piece[] = [];
  let end = 0;
  for (const match of sentence.matchAll(NAME)) {
    if (match.index > end) found.push({ text: sentence.slice(end, match.index), cell: null });
    const cell: Cell = [Number(match[1]), Number(match[2])];
    found.push({ text: shortName(cell), cell });
    end = match.index + match[0].length;
  }
  if (end < sentence.length) found.push({ text: sentence.slice(end), cell: null });
  return found;
}

/** Rows and columns as people count them, and percents as the page writes them. */
function fromOne(sentence: string): string {
  return sentence
    .replace(/(\d)%/g, '$1\u00a0%')
    .replaceAll(
      RANGE,
      (_, what: string, from: string, to: string) => `${what} ${Number(from) + 1} to ${Number(to) + 1}`,
    );
}

/** A sentence of the service in words, for a screen reader. */
export function inWords(sentence: string): string {
  return fromOne(sentence).replaceAll(NAME, (_, row: string, col: string) =>
    name([Number(row), Number(col)]),
  );
}

export function name([row, col]: Cell): string {
  return `row ${row + 1}, column ${col + 1}`;
}

export function shortName([row, col]: Cell): string {
  return `R${row + 1} C${col + 1}`;
}

/** The first letter large. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
