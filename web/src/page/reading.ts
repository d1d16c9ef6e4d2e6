// Texts become positions by the service, which reads every form that msat knows. The page's own notation is
// read here, so that links open without it.
import { read } from '../model/link';
import { FLAG, Position } from '../model/position';
import { ask, Problem } from '../service/client';

interface Converted {
  readonly mines: number;
  readonly forms: Readonly<Record<string, string>>;
}

/** The most characters of a text: what the service takes. */
const LONGEST = 16 * 1024 * 1024;

export async function readPosition(
  text: string,
  present: Position,
  signal?: AbortSignal,
  form?: string,
): Promise<{ position: Position; note: string | null }> {
  const own = Position.fromLine(text) ?? linked(text);
  if (own !== null) return { position: own, note: null };
  if (text.length > LONGEST) throw new Error(`the text is too long: ${text.length} characters`);
  try {
    return { position: await converted({ board: text, form }, signal), note: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 422 || !/mine/i.test(error.message)) throw error;
    // A text without a total: the cells are read with the fewest mines that there can be.
    const bare = await converted({ board: text, form, mines: flags(text) }, signal).catch(() => {
      throw error;
    });
    const position = await withTotal(bare, present, signal);
    return {
      position,
      note: `The text does not say how many mines there are: taken as ${position.mines}. You can change that below the board.`,
    };
  }
}

/** As many as there are signs in the text that may be flags; no board has a smaller total than its flags. */
function flags(text: string): number {
  return (text.match(/[*FMPx!🚩]/giu) ?? []).length;
}

const USUAL: Readonly<Record<string, number>> = {
  '9×9': 10,
  '8×8': 10,
  '16×16': 40,
  '16×30': 99,
  '30×16': 99,
};

/** The total that a board without one most likely has: that of the board before if it has the same size, else the
 * usual one of its size, else as many as usual for its cells; the nearest that the numbers allow. */
async function withTotal(bare: Position, present: Position, signal?: AbortSignal): Promise<Position> {
  const { height, width, size } = bare;
  const same = height === present.height && width === present.width;
  const wanted = same ? present.mines : (USUAL[`${height}×${width}`] ?? Math.round(size * 0.18));
  const guess = bare.withMines(Math.min(Math.max(wanted, bare.count(FLAG)), size));
  try {
    await ask('analyze', { board: guess.toLine(), fields: ['safe'] }, signal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const possible = (error.fields['possible_mines'] ?? []) as readonly number[];
    const away = (total: number) => Math.abs(total - guess.mines);
    const [best] = possible.toSorted((a, b) => away(a) - away(b));
    if (best !== undefined) return guess.withMines(best);
  }
  return guess;
}

const READINGS: Readonly<Record<string, string>> = {
  'dot-hidden': 'Dots are hidden',
  'dot-zero': 'Dots are 0',
  'blank-hidden': 'Blanks are hidden',
  'blank-zero': 'Blanks are 0',
  'white-hidden': 'White is hidden',
  'white-zero': 'White is 0',
  'black-hidden': 'Black is hidden',
  'black-zero': 'Black is 0',
};

/** The ways to read a text that the service asks to choose from. */
export function readings(message: string): (readonly [form: string, text: string])[] {
  const named = [...message.matchAll(/"form": "([\w-]+)"/g)].map((match) => match[1]!);
  return named.flatMap((form) => (form in READINGS ? [[form, READINGS[form]!] as const] : []));
}

/** A link to a page like this one, wherever that is: what is after its `#` is a position. */
function linked(text: string): Position | null {
  const hash = /^\s*\w+:\/\/[^\s#]+(#\S+)\s*$/.exec(text)?.[1];
  return hash === undefined ? null : read(hash).position;
}

async function converted(question: object, signal?: AbortSignal): Promise<Position> {
  const found = await ask<Converted>('convert', { ...question, to: 'line' }, signal);
  const position = Position.fromLine(found.forms['line'] ?? '');
  if (position === null) throw new Error('the service read something else than a board');
  return position;
}

/** A position in one of msat's text forms. */
export async function inForm(position: Position, form: string): Promise<string> {
  if (form === 'line') return position.toLine();
  if (form === 'grid') return position.toText();
  const found = await ask<Converted>('convert', { board: position.toLine(), to: form });
  return found.forms[form] ?? '';
}
