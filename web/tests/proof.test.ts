// Proofs in steps: every word of the service is kept, but for the claim, which is the title.
import { describe, expect, it } from 'vitest';
import { steps } from '../src/model/proof';

describe('a proof', () => {
  it('of one sentence is cut at its semicolons, not inside brackets', () => {
    const text =
      'r1c2 is safe (rules 2 and 1): the 2 at r2c1 has 2 mines; the 3 at r1c0 puts at least 2 of them in r1c1 and r2c0 ' +
      '(of 3; at most 1 can be in r0c0); so none is left: r1c2 and r2c2 are safe';
    expect(steps([text])).toEqual({
      rules: 'rules 2 and 1',
      steps: [
        'the 2 at r2c1 has 2 mines',
        'the 3 at r1c0 puts at least 2 of them in r1c1 and r2c0 (of 3; at most 1 can be in r0c0)',
        'so none is left: r1c2 and r2c2 are safe',
      ],
    });
  });

  it('by contradiction begins with the clues to look at', () => {
    const text = [
      'r1c1 is safe (rule 3), by the 1 at r0c0 and the 2 at r0c1:',
      '  suppose r1c1 were a mine',
      '  but then the 1 at r0c0 would have 2 mines',
    ];
    expect(steps(text).steps).toEqual([
      'look at the 1 at r0c0 and the 2 at r0c1',
      'suppose r1c1 were a mine',
      'but then the 1 at r0c0 would have 2 mines',
    ]);
  });

  it('by the total, or by nothing that is known here, is told as it is', () => {
    expect(steps(['r0c0 is safe: the whole board has no mines: 10 cells are safe'])).toEqual({
      rules: null,
      steps: ['the whole board has no mines: 10 cells are safe'],
    });
    expect(steps(['something else; entirely'])).toEqual({ rules: null, steps: ['something else; entirely'] });
    expect(steps([])).toEqual({ rules: null, steps: [] });
  });
});
