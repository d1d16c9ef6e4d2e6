// What was kept by another version, or by nobody of ours, never keeps the page from starting.
import { describe, expect, it } from 'vitest';
import { DEFAULTS, settled } from '../src/page/settings';

describe('settings that were kept', () => {
  it('are those that were chosen', () => {
    const game = {
      ...DEFAULTS.game,
      height: 5,
      width: 7,
      mines: 9,
      first: 'safe',
      noGuess: true,
      seed: '12',
    };
    const chosen = { ...DEFAULTS, theme: 'dark', tiles: 'classic', zoom: 1.7, difficulty: 'guess', game };
    expect(settled(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen);
  });

  it('that are no object are none', () => {
    for (const found of [null, 5, 'dark', true, []]) expect(settled(found)).toEqual(DEFAULTS);
  });

  it('that cannot be chosen are forgotten, each alone', () => {
    const wrong = { theme: '"><b>', tiles: 'round', help: 7, difficulty: 'zz', zoom: -5, heat: 'yes' };
    expect(settled({ ...wrong, edges: false })).toEqual({ ...DEFAULTS, edges: false });
    expect(settled({ zoom: 1e9 }).zoom).toBe(1);
  });

  it('have a board that can be played', () => {
    const sizes = [
      { height: 'abc', width: 9, mines: 10 },
      { height: 1e9, width: 1e9, mines: 3 },
      { height: 201, width: 9, mines: 3 },
      { height: 9, width: 201, mines: 3 },
      { height: 9, width: 9, mines: 82 },
      { height: 9, width: 9, mines: -1 },
      { height: 9.5, width: 9, mines: 1 },
      { height: null, width: 9 },
    ];
    for (const size of sizes) expect(settled({ game: { ...size, noGuess: true } }).game.height).toBe(16);
    const odd = { height: 4, width: 4, mines: 2, first: 'never', difficulty: 'zz', seed: 5, noGuess: 1 };
    expect(settled({ game: odd }).game).toEqual({ ...DEFAULTS.game, height: 4, width: 4, mines: 2 });
    expect(settled({ game: { seed: '1e9' } }).game.seed).toBe('');
  });
});
