// Games by the rules of msat.Game, records, events and what cells look like.
import { describe, expect, it } from 'vitest';
import { Looks } from '../src/board/overlay';
import { GameState, Layout } from '../src/model/game';
import { MINE, Position } from '../src/model/position';
import type { Analysis } from '../src/service/answers';
import { parseEvent } from '../src/service/client';

const layout = (...rows: string[]): Layout =>
  new Layout({
    height: rows.length,
    width: rows[0]!.length,
    mines: rows.join('').split('*').length - 1,
    start: null,
    rows,
  });

describe('a game', () => {
  it('opens areas, and is won when all that is safe is open', () => {
    const game = GameState.begin(layout('...', '...', '..*')).open(0, 0)!;
    expect(game.position.toLine()).toBe('000/011/01?:1');
    expect(game.state).toBe('won');
    expect(game.shown.toLine()).toBe('000/011/01*:1');
  });

  it('opens around a number with all its marks, and nothing else', () => {
    const game = GameState.begin(layout('.*.', '...')).open(4, 0)!;
    expect(game.chord(4, 0)).toBeNull();
    expect(game.mark(1, 0)!.chord(4, 0)!.state).toBe('won');
  });

  it('is lost on a mine, shows all of them, and takes no more moves', () => {
    const lost = GameState.begin(layout('.*', '*.')).open(1, 0)!;
    expect([lost.state, lost.exploded, lost.shown.at(1, 0)]).toEqual(['lost', 1, MINE]);
    expect(lost.open(0, 0)).toBeNull();
    expect(lost.mark(0, 0)).toBeNull();
  });

  it('takes no more moves when it is won: neither a click on a mine nor a flag', () => {
    const won = GameState.begin(layout('...', '...', '..*')).open(0, 0)!;
    expect([won.open(8, 1), won.mark(8, 1), won.chord(4, 1)]).toEqual([null, null, null]);
  });

  it('does not open what is marked, and takes marks away', () => {
    const game = GameState.begin(layout('..*')).mark(0, 1)!;
    expect(game.open(0, 2)).toBeNull();
    expect(game.toggle(0, 2)!.position.toLine()).toBe('???/:1');
  });

  it('shares its moves with the game before, and tells them in order', () => {
    let game = GameState.begin(layout('..*'));
    for (let turn = 0; turn < 2000; turn++) game = game.toggle(0, turn)!;
    expect(game.moves.map((move) => move.seconds)).toEqual(Array.from({ length: 2000 }, (_, turn) => turn));
  });

  it('goes on from a position', () => {
    const seen = Position.fromLine('01?/01*:1')!;
    const game = GameState.from(layout('..*', '...'), Position.fromLine('01?/01?:1')!);
    expect(game.position.toLine()).toBe('01?/01?:1');
    expect(GameState.from(layout('...', '..*'), seen).position.toLine()).toBe('01?/01*:1');
  });
});

describe('events of the service', () => {
  it('are read with their names', () => {
    expect(parseEvent('event: progress\ndata: {"done": 1, "of": 2}')).toEqual({
      name: 'progress',
      data: { done: 1, of: 2 },
    });
    expect([parseEvent(': comment'), parseEvent('data: {')]).toEqual([null, null]);
  });
});

describe('what a cell looks like', () => {
  const position = Position.fromLine('?*1/??1:2')!;
  const analysis: Analysis = {
    height: 2,
    width: 3,
    mines: 2,
    safe: [[1, 0]],
    mined: [[0, 0]],
    probability: [
      [1, 0.25, null],
      [0, 0.75, null],
    ],
    solutions: '4',
    solutions_log10: 0.6,
    rest_probability: null,
    best: { cell: [1, 0], safety: 1 },
    marks: [{ cell: [0, 1], verdict: 'unproven', probability: 0.25 }],
  };
  const looks = new Looks(position, { analysis, heat: true, figures: true, clues: [[0, 2]], target: [1, 1] });

  it('tells its value, its chance and its verdict', () => {
    expect(looks.look(0)).toMatchObject({
      value: 'hidden',
      probability: '1',
      icon: 'mine',
      heat: 20,
      text: '',
    });
    expect(looks.look(1)).toMatchObject({ value: 'flag', icon: 'flag', heat: null });
    expect(looks.look(1).classes).toContain('mark-unproven');
    expect(looks.look(2)).toMatchObject({ value: '1', text: '1', probability: '' });
    expect(looks.look(3)).toMatchObject({ icon: 'check', probability: '0' });
    expect(looks.look(4)).toMatchObject({ text: '75', probability: '0.75' });
  });

  it('keeps bright what a proof is about', () => {
    expect(looks.dimmed).toBe(true);
    expect(looks.look(2).classes).toContain('clue');
    expect(looks.look(4).classes).toMatch(/target/);
    expect(looks.look(0).classes).not.toContain('dim'); // a neighbour of the cell in question
    expect(looks.look(3).label).toBe('row 1, column 0: hidden, proven safe');
  });

  it('without an overlay shows values only', () => {
    const plain = new Looks(position, {});
    expect(plain.look(0)).toMatchObject({ text: '', icon: null, heat: null, probability: '' });
    expect(plain.dimmed).toBe(false);
  });
});
