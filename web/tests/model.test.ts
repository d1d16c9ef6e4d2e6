// Positions, histories, links, chances and names: what needs no browser.
import { describe, expect, it } from 'vitest';
import { average, heat } from '../src/model/heat';
import { History } from '../src/model/history';
import { read, write } from '../src/model/link';
import { inWords, pieces, plural } from '../src/model/names';
import { clock, count, percent, plusMinus, short } from '../src/model/percent';
import { FLAG, HIDDEN, Position } from '../src/model/position';

const line = (text: string): Position => Position.fromLine(text)!;

describe('a position', () => {
  it('is read and written in one line, with a space or a colon before the total', () => {
    const position = line('??1/3*2/??? 3');
    expect([position.height, position.width, position.mines]).toEqual([3, 3, 3]);
    expect([position.at(0, 0), position.at(1, 1), position.at(1, 2)]).toEqual([HIDDEN, FLAG, 2]);
    expect(position.toLine()).toBe('??1/3*2/???:3');
    expect(line(position.toLine()).equals(position)).toBe(true);
  });

  it('of one row keeps the slash that makes it a line', () => {
    expect(line('?1?/ 1').toLine()).toBe('?1?/:1');
  });

  it.each([
    '',
    '?',
    '??/? 1',
    '?9/?? 1',
    '<script>/?? 1',
    '?? 3',
    '?/?:-1',
    '?/?:1e3',
    'a'.repeat(1001) + ' 1',
  ])('is not made of %j', (text) => {
    expect(Position.fromLine(text)).toBeNull();
  });

  it('refuses sides beyond the limit', () => {
    expect(Position.fromLine(`${'?'.repeat(1001)}/ 1`)).toBeNull();
    expect(Position.fromLine(`${'?/'.repeat(1001)}:1`)).toBeNull();
  });

  it('keeps what fits when it is resized', () => {
    const position = line('12/3?:1').resized(3, 3);
    expect(position.toLine()).toBe('12?/3??/???:1');
    expect(position.resized(2, 2).toLine()).toBe('12/3?:1');
  });

  it('knows the neighbours of corners and of the middle', () => {
    const position = Position.blank(3, 3, 1);
    expect(position.neighbours(0)).toEqual([1, 3, 4]);
    expect(position.neighbours(4)).toHaveLength(8);
  });
});

describe('a history', () => {
  it('ends where it began after a random walk there and back', () => {
    const history = new History(0);
    const seen = [0];
    for (let step = 1; step <= 200; step++) {
      history.push(step);
      seen.push(step);
    }
    for (let step = 200; step > 0; step--) {
      expect(history.current).toBe(seen[step]);
      expect(history.undo()).toBe(true);
    }
    expect([history.current, history.undo(), history.canUndo, history.canRedo]).toEqual([
      0,
      false,
      false,
      true,
    ]);
    while (history.redo());
    expect(history.current).toBe(200);
  });

  it('takes a stroke for one step, and forgets what was undone when something new is done', () => {
    const history = new History('a');
    history.push('b');
    history.replace('c');
    history.undo();
    expect(history.current).toBe('a');
    history.push('d');
    expect(history.redo()).toBe(false);
  });
});

describe('a link', () => {
  it('comes back as it was written', () => {
    const position = line('??1/3?2/???:3');
    const link = write(position, 'play');
    expect(link).toBe('#??1/3?2/???:3&mode=play');
    expect(read(link).position?.equals(position)).toBe(true);
    expect(read(link).mode).toBe('play');
  });

  it('is also read in the form that the service writes, and as a field', () => {
    expect(read('#%3F%3F1/3%3F2/%3F%3F%3F%203').position?.toLine()).toBe('??1/3?2/???:3');
    expect(read('', '?board=??/11+1').position?.toLine()).toBe('??/11:1');
  });

  it('with another text is passed on to be read by the service, and never trusted', () => {
    expect(read('#board=<script>alert(1)</script>').text).toBe('<script>alert(1)</script>');
    expect(read('#board=%E0%A4%A').position).toBeNull();
    expect(read('#??/11:1&mode=constructor').mode).toBeNull();
    expect(read('#' + '?'.repeat(2_000_000)).problem).toMatch(/too long/);
  });
});

describe('chances as text', () => {
  it('never round to a false 0 or 100', () => {
    expect([0.001, 0.999, 0.5].map((chance) => short(chance, false))).toEqual(['<1', '>99', '50']);
    expect([short(0), short(1)]).toEqual(['0', '100']);
    expect([short(0, false), short(1, false)]).toEqual(['<1', '>99']);
    expect([0.9996, 0.00004, 0.42].map((chance) => percent(chance))).toEqual([
      '99.96\u00a0%',
      '0.004\u00a0%',
      '42.0\u00a0%',
    ]);
    expect([percent(1), percent(0), percent(1, false), percent(1e-12)]).toEqual([
      '100\u00a0%',
      '0\u00a0%',
      '> 99.9999\u00a0%',
      '< 0.0001\u00a0%',
    ]);
  });

  it('tells errors, times and counts', () => {
    expect([plusMinus(0), plusMinus(0.0204), plusMinus(0.0001)]).toEqual(['', '± 2.0', '± < 0.1']);
    expect([clock(7.34, true), clock(725)]).toEqual(['0:07.3', '12:05']);
    expect(count('1234567', null)).toBe('1 234 567');
    expect(count('7'.repeat(36), 35.88)).toBe('7.6 × 10³⁵');
  });
});

describe('the heat scale', () => {
  it('is neutral at the average and ends at certainty', () => {
    expect(heat(0.2, 0.2)).toBeCloseTo(0);
    expect([heat(0, 0.2), heat(1, 0.2)]).toEqual([-1, 1]);
    expect(heat(0.1, 0.2)).toBeLessThan(0);
    expect(heat(0.5, 0.2)).toBeGreaterThan(0);
  });

  it('takes the average over what is not certain', () => {
    expect(
      average([
        [null, 0, 1],
        [0.2, 0.4],
      ]),
    ).toBeCloseTo(0.3);
    expect(average([[null]])).toBe(0.5);
  });
});

describe('names of cells', () => {
  it('are found in sentences, and stay what they are everywhere in msat', () => {
    expect(pieces('the 2 at r10c9 needs r0c0')).toEqual([
      { text: 'the 2 at ', cell: null },
      { text: 'r10c9', cell: [10, 9] },
      { text: ' needs ', cell: null },
      { text: 'r0c0', cell: [0, 0] },
    ]);
    expect(inWords('r0c1 is safe')).toBe('row 0, column 1 is safe');
    expect(inWords('look at rows 0 to 2')).toBe('look at rows 0 to 2');
    expect([plural(1, 'mine'), plural(2, 'mine')]).toEqual(['1 mine', '2 mines']);
  });
});
