// Saved games, honest and hostile: each is read as it was written, or refused with a sentence.
import { describe, expect, it } from 'vitest';
import { GameState, Layout } from '../src/model/game';
import { claimsToBeGame, isBinaryReplay, readRecord, replay } from '../src/model/record';

const LAYOUT = { height: 2, width: 3, mines: 1, start: null, rows: ['..*', '...'] };
const SCRIPT = '<img src=x onerror=alert(1)>';

const played = () => GameState.begin(new Layout(LAYOUT)).open(0, 1.5)!.mark(2, 2)!;
const written = (change: object = {}): unknown =>
  JSON.parse(JSON.stringify({ ...played().record(), ...change }));

describe('a saved game', () => {
  it('comes back as it was', () => {
    const states = replay(readRecord(written()));
    expect(states.map((state) => state.moves.length)).toEqual([0, 1, 2]);
    expect(states.at(-1)!.position.equals(played().position)).toBe(true);
    expect(states.at(-1)!.record()).toEqual(written());
  });

  it('is known by its format, wherever that stands', () => {
    expect(claimsToBeGame(JSON.stringify(written()))).toBe('msat');
    expect(claimsToBeGame('  {"moves": [], "format" : "msat-record"}')).toBe('msat');
    expect(claimsToBeGame('{"rows": ["??"], "mines": 1}')).toBe(null);
    expect(claimsToBeGame('"format": "msat-record"')).toBe(null);
  });

  it('is known for a game of another program', () => {
    expect(claimsToBeGame('RawVF_Version: Rev6.2\nWidth: 3')).toBe('foreign');
    expect(claimsToBeGame('\ufeff {"header": {"width": 9}, "replay": []}')).toBe('foreign');
    expect(claimsToBeGame('{"height": 1, "width": 3, "rows": ["?1?"]}')).toBe(null);
    expect(['game.AVF', 'a.evf', 'b.rmv', 'c.mvf'].every(isBinaryReplay)).toBe(true);
    expect(isBinaryReplay('game.json')).toBe(false);
  });

  const move = (change: object) => ({ moves: [{ kind: 'open', cell: [0, 0], seconds: 0, ...change }] });
  const layout = (change: object) => ({ layout: { ...LAYOUT, ...change } });
  it.each([
    ['another format', { format: 'other' }, /saved game/],
    ['no moves', { moves: SCRIPT }, /saved game/],
    ['no layout', { layout: null }, /size/],
    ['a layout that is a text', { layout: SCRIPT }, /size/],
    ['a negative height', layout({ height: -2 }), /size/],
    ['a million columns', layout({ width: 1_000_000, rows: ['.', '.'] }), /size/],
    ['a width that is a text', layout({ width: '3' }), /size/],
    ['more mines than cells', layout({ mines: 7 }), /size/],
    ['other mines than it says', layout({ mines: 2 }), /says 2 mines and shows 1/],
    ['no rows', layout({ rows: SCRIPT }), /rows/],
    ['rows of something else', layout({ rows: [SCRIPT, null] }), /rows/],
    ['a short row', layout({ rows: ['..*', '..'] }), /rows/],
    ['a start beside the board', layout({ start: [5, 5] }), /start/],
    ['a move that is none', { moves: [null] }, /move 1/],
    ['a move of another kind', move({ kind: SCRIPT }), /move 1/],
    ['a move beside the board', move({ cell: [0, 3] }), /move 1/],
    ['a move at half a cell', move({ cell: [0.5, 0] }), /move 1/],
    ['a move without a cell', move({ cell: { 0: 0, 1: 0 } }), /move 1/],
  ])('with %s is refused with a sentence', (_, change, sentence) => {
    expect(() => readRecord(written(change))).toThrow(sentence);
  });

  it('that is nothing at all is refused as well', () => {
    for (const nothing of [null, 3, 'x', [], {}]) expect(() => readRecord(nothing)).toThrow(/saved game/);
  });

  it('is refused before it takes all memory', () => {
    const rows = Array.from({ length: 1000 }, () => '.'.repeat(1000));
    const large = { height: 1000, width: 1000, mines: 0, start: null, rows };
    const moves = Array.from({ length: 100 }, () => ({ kind: 'mark', cell: [0, 0], seconds: null }));
    expect(() => readRecord({ format: 'msat-record', layout: large, moves })).toThrow(/too long/);
  });

  it('whose moves cannot be made is refused', () => {
    expect(() => replay(readRecord(written(move({ kind: 'chord' }))))).toThrow(/move 1 .*replay/);
  });
});
