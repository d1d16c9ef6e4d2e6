// Texts become positions by the service, which reads every form that msat knows. The page's own notation is
// read here, so that links open without it.
import { read } from '../model/link';
import { Position } from '../model/position';
import { ask, Problem } from '../service/client';

interface Converted {
  readonly mines: number;
  readonly forms: Readonly<Record<string, string>>;
}

/** The most characters of a text: what the service takes. */
const LONGEST = 16 * 1024 * 1024;

export async function readPosition(
  text: string,
  mines: number,
  signal?: AbortSignal,
  form?: string,
): Promise<{ position: Position; note: string | null }> {
  const own = Position.fromLine(text) ?? linked(text);
  if (own !== null) return { position: own, note: null };
  if (text.length > LONGEST) throw new Error(`the text is too long: ${text.length} characters`);
  try {
    return { position: await converted({ board: text, form }, signal), note: null };
  } catch (error) {
    // A text without a total takes the one that is set.
    if (!(error instanceof Problem) || error.status !== 422 || !/mine/i.test(error.message)) throw error;
    const position = await converted({ board: text, form, mines }, signal).catch(() => {
      throw error;
    });
    return { position, note: `The text does not say how many mines there are: taken as ${mines}.` };
  }
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
