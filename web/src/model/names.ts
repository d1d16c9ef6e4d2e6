// Names of cells: `r3c4`, counted from 0, as everywhere in msat. In the page a name is a chip that lights its cell
// up; a screen reader is told the same numbers in words.
import type { Cell } from './position';

export interface Piece {
  readonly text: string;
  readonly cell: Cell | null;
}

const NAME = /\br(\d{1,4})c(\d{1,4})\b/g;

/** A sentence of the service, cut into plain text and names of cells. */
export function pieces(told: string): Piece[] {
  const sentence = spaced(told);
  const found: Piece[] = [];
  let end = 0;
  for (const match of sentence.matchAll(NAME)) {
    if (match.index > end) found.push({ text: sentence.slice(end, match.index), cell: null });
    const cell: Cell = [Number(match[1]), Number(match[2])];
    found.push({ text: name(cell), cell });
    end = match.index + match[0].length;
  }
  if (end < sentence.length) found.push({ text: sentence.slice(end), cell: null });
  return found;
}

/** Percents as the page writes them. */
function spaced(sentence: string): string {
  return sentence.replace(/(\d)%/g, '$1\u00a0%');
}

/** A sentence of the service in words, for a screen reader. */
export function inWords(sentence: string): string {
  return spaced(sentence).replaceAll(NAME, (_, row: string, col: string) =>
    inFull([Number(row), Number(col)]),
  );
}

export function name([row, col]: Cell): string {
  return `r${row}c${col}`;
}

/** For whoever hears it. */
export function inFull([row, col]: Cell): string {
  return `row ${row}, column ${col}`;
}

/** The first letter large. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
