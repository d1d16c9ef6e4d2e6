// The position in the address bar: `#??1/3?2/???:3`, or with a mode `#??1/3?2/???:3&mode=play`. The links that
// the service writes are read, and so are `board=` and the web analyser's `analysis=`. A link may come from anywhere: what it holds is checked
// against the board's alphabet and limits before anything is made of it.
import { Position } from './position';

export const MODES = ['analyse', 'play', 'review', 'train'] as const;
export type ModeName = (typeof MODES)[number];

/** Longer addresses are refused unread: the largest board fits. */
export const LINK_LIMIT = 1_100_000;

export interface Link {
  readonly position: Position | null;
  /** A text that is no board in the page's own notation, to be read by the service. */
  readonly text: string | null;
  readonly mode: ModeName | null;
  readonly problem: string | null;
}

export function write(position: Position, mode: ModeName): string {
  return `#${position.toLine()}${mode === 'analyse' ? '' : `&mode=${mode}`}`;
}

export function read(hash: string, search = ''): Link {
  const nothing: Link = { position: null, text: null, mode: null, problem: null };
  if (hash.length + search.length > LINK_LIMIT) {
    return { ...nothing, problem: 'The link is too long to be a position: it was not read.' };
  }
  const fields = new Map([...split(search.replace(/^\?/, '')), ...split(hash.replace(/^#/, ''))]);
  const asked = fields.get('mode');
  const mode = MODES.find((each) => each === asked) ?? null;
  const foreign = fields.get('analysis');
  const text = fields.get('board') ?? fields.get('') ?? (foreign && `?analysis=${foreign}`);
  if (text === undefined || text === '') {
    const strange = mode === null && hash.length > 1;
    return { ...nothing, mode, problem: strange ? 'The link holds no position that can be read.' : null };
  }
  const position = Position.fromLine(text);
  return position === null ? { ...nothing, text, mode } : { ...nothing, position, mode };
}

function split(text: string): [string, string][] {
  return text
    .split('&')
    .filter((field) => field !== '')
    .map((field) => {
      const at = field.indexOf('=');
      return at < 0 ? ['', decode(field)] : [field.slice(0, at), decode(field.slice(at + 1))];
    });
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // a stray percent sign: the reader of positions will say what is wrong with it
  }
}
