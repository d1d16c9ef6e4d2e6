// What the service answers: the fields that the page reads, the same as those of msat's `--json`.
import type { Cell } from '../model/position';
import type { LayoutObject } from '../model/game';

export type Verdict = 'proven' | 'wrong' | 'unproven';

export interface Mark {
  readonly cell: Cell;
  readonly verdict: Verdict;
  readonly probability: number | null;
}

export interface Analysis {
  readonly height: number;
  readonly width: number;
  readonly mines: number;
  readonly safe: readonly Cell[];
  readonly mined: readonly Cell[];
  readonly probability: readonly (readonly (number | null)[])[] | null;
  readonly solutions: string | number | null;
  readonly solutions_log10: number | null;
  readonly rest_probability: number | null;
  readonly best: { readonly cell: Cell; readonly safety: number } | null;
  readonly marks: readonly Mark[];
}

export interface CellFacts {
  readonly cell: Cell;
  readonly probability: number;
  readonly opening: number;
  readonly numbers: readonly number[];
  readonly dead: boolean;
}

/** A single change that would make an impossible board possible: another number, or, if null, no flag. */
export interface Repair {
  readonly cell: Cell;
  readonly number: number | null;
}

export interface Candidate {
  readonly cell: Cell;
  readonly safety: number;
  readonly win: number | null;
  readonly win_error: number | null;
  readonly progress: number | null;
  readonly second: number | null;
  readonly dead: boolean;
  readonly difference?: number | null;
  readonly difference_error?: number | null;
}

export interface Advice extends Omit<Candidate, 'cell'> {
  readonly cell: Cell | null;
  readonly cells: readonly Cell[];
  readonly kind: string;
  readonly reason: string;
  readonly reasons: readonly string[];
  readonly alternatives: readonly Candidate[];
}

export interface Hint {
  readonly level: number;
  readonly kind: 'proven' | 'guess' | 'won';
  readonly text: readonly string[];
  readonly window?: readonly [Cell, Cell];
  readonly clues?: readonly Cell[];
  readonly uses_mine_count?: boolean;
  readonly candidates?: readonly Cell[];
  readonly cell?: Cell;
  readonly advice?: Advice;
}

export interface Explanation {
  readonly cell: Cell;
  readonly verdict: 'safe' | 'mine' | 'open';
  readonly clues: readonly Cell[];
  readonly uses_mine_count: boolean;
  readonly smallest: boolean;
  readonly text: readonly string[];
  readonly probability: number | null;
  readonly witnesses: readonly (readonly Cell[])[] | null;
}

export interface Step {
  readonly clues: readonly Cell[];
  readonly safe: readonly Cell[];
  readonly mined: readonly Cell[];
  readonly technique: number;
  readonly text: readonly string[];
}

export interface ReviewedMove {
  readonly number: number;
  readonly action: string;
  readonly cell: Cell;
  readonly kind: 'start' | 'proven' | 'needless' | 'blunder' | 'guess' | 'mark';
  readonly safety: number;
  readonly win: number;
  readonly best_win: number;
  readonly win_error: number;
  readonly error: number;
  readonly kept: number;
  readonly luck: number | null;
  readonly mistake: boolean;
  readonly fatal: boolean;
  readonly better: Cell | null;
  readonly reason: string;
  readonly clues: readonly Cell[];
  readonly proof: readonly string[];
}

export interface Review {
  readonly state: string;
  readonly chance_at_start: number;
  readonly chance_at_end: number;
  readonly kept: number;
  readonly luck: number;
  readonly luck_before: number;
  readonly mistakes: readonly number[];
  readonly summary: string;
  readonly moves: readonly ReviewedMove[];
}

export interface Generated {
  readonly layout: LayoutObject;
  readonly seed?: number | string | null;
}
