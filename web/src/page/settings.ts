// What a person chose, kept in this browser. Nothing of it ever leaves the machine. What was kept may be of another
// version, or damaged: each choice is looked at, and what is none is forgotten alone.
import { MAX_SIDE, sensible } from '../model/position';

export const DIFFICULTIES = ['gentle', 'normal', 'tricky', 'hard', 'fiendish'] as const;

export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  readonly tiles: 'flat' | 'classic';
  readonly heat: boolean;
  readonly figures: boolean;
  readonly signs: boolean;
  readonly edges: boolean;
  readonly motion: boolean;
  readonly zoom: number;
  readonly welcomed: boolean;
  readonly help: 'none' | 'marks' | 'all';
  readonly game: GameSettings;
  readonly difficulty: string;
}

export interface GameSettings {
  readonly height: number;
  readonly width: number;
  readonly mines: number;
  readonly first: 'open' | 'safe' | 'any';
  readonly noGuess: boolean;
  readonly difficulty: string;
  readonly seed: string;
}

/** The most rows or columns of a game. */
export const MOST_SIDE = Math.min(200, MAX_SIDE);

export const DEFAULTS: Settings = {
  theme: 'system',
  tiles: 'flat',
  heat: true,
  figures: true,
  signs: true,
  edges: true,
  motion: true,
  zoom: 1,
  welcomed: false,
  help: 'none',
  game: { height: 16, width: 16, mines: 40, first: 'open', noGuess: false, difficulty: '', seed: '' },
  difficulty: 'normal',
};

/** The choices that there are, where not every value of a kind is one. */
const CHOICES: Readonly<Partial<Record<keyof Settings, readonly unknown[]>>> = {
  theme: ['system', 'light', 'dark'],
  tiles: ['flat', 'classic'],
  help: ['none', 'marks', 'all'],
  difficulty: [...DIFFICULTIES, 'guess'],
};

/** A whole number that is told exactly, or none. */
export const SEED = /^\d{0,15}$/;

/** As far as fingers can go. */
const ZOOM = { least: 0.4, most: 3 };

export function load(): Settings {
  return settled(recall('msat.settings'));
}

/** What was kept, as far as it is something that can be chosen. */
export function settled(found: unknown): Settings {
  if (typeof found !== 'object' || found === null) return DEFAULTS;
  const given = found as Readonly<Record<string, unknown>>;
  const merged: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const kept = given[name];
    const choices = CHOICES[name as keyof Settings];
    if (typeof kept === typeof value && (choices?.includes(kept) ?? true)) merged[name] = kept;
  }
  const zoom = merged['zoom'] as number;
  if (!(zoom >= ZOOM.least && zoom <= ZOOM.most)) merged['zoom'] = DEFAULTS.zoom;
  merged['game'] = settledGame(given['game']);
  return merged as unknown as Settings;
}

function settledGame(found: unknown): GameSettings {
  if (typeof found !== 'object' || found === null) return DEFAULTS.game;
  const { height, width, mines, first, noGuess, difficulty, seed } = found as Record<string, unknown>;
  const known = [height, width, mines].every(Number.isInteger);
  const size = { height, width, mines } as Pick<GameSettings, 'height' | 'width' | 'mines'>;
  const fits = known && sensible(size.height, size.width, size.mines) && size.height <= MOST_SIDE;
  return {
    ...DEFAULTS.game,
    ...(fits && size.width <= MOST_SIDE ? size : {}),
    ...(first === 'safe' || first === 'any' ? { first } : {}),
    ...(noGuess === true ? { noGuess } : {}),
    ...(DIFFICULTIES.some((each) => each === difficulty) ? { difficulty: difficulty as string } : {}),
    ...(typeof seed === 'string' && SEED.test(seed) ? { seed } : {}),
  };
}

export function save(settings: Settings): void {
  remember('msat.settings', settings);
}

/** Something kept earlier; null where there is nothing, or the browser keeps nothing. */
export function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows and full disks keep nothing: the page works without.
  }
}
