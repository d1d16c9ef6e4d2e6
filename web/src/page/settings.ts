// What a person chose, kept in this browser. Nothing of it ever leaves the machine.

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

export function load(): Settings {
  const found = recall('msat.settings') as Partial<Settings> | null;
  if (typeof found !== 'object' || found === null) return DEFAULTS;
  const merged: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(DEFAULTS)) {
    const kept = (found as Record<string, unknown>)[name];
    if (typeof kept === typeof value && kept !== null) merged[name] = kept;
  }
  merged['game'] = { ...DEFAULTS.game, ...(merged['game'] as GameSettings) };
  return merged as unknown as Settings;
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
