// What is laid over the cells of a board, and what a cell therefore looks like. No DOM here.
import { average, heat } from '../model/heat';
import { inFull } from '../model/names';
import { percent, short } from '../model/percent';
import { FLAG, HIDDEN, MINE, type Cell, type Position } from '../model/position';
import type { Analysis, Verdict } from '../service/answers';

/** Everything is optional: a board without an overlay shows its values. */
export interface Overlay {
  readonly analysis?: Analysis | null;
  /** The answers are those about the position before the last stroke: shown for a moment, never told as facts. */
  readonly stale?: boolean;
  /** The mines of a layout that agrees, drawn on what is covered. */
  readonly witness?: readonly Cell[] | null;
  /** Whether chances are shown as colours, and as figures. */
  readonly heat?: boolean;
  readonly figures?: boolean;
  readonly best?: Cell | null;
  readonly candidates?: readonly Cell[];
  /** Cells whose number would tell nothing, and the chance of a 0 by index. */
  readonly dead?: ReadonlySet<number>;
  readonly opening?: ReadonlyMap<number, number>;
  /** The clues of a proof; those of its present sentence are lit more. Where set, the rest is dimmed. */
  readonly clues?: readonly Cell[];
  readonly current?: readonly Cell[];
  readonly target?: Cell | null;
  readonly window?: readonly [Cell, Cell] | null;
  /** What contradicts itself. */
  readonly culprits?: readonly Cell[];
  /** In a review: what was opened, and what had been better. */
  readonly chosen?: Cell | null;
  readonly better?: Cell | null;
  /** In an exercise: an answer that was wrong. */
  readonly mistaken?: Cell | null;
  readonly exploded?: number | null;
  /** After a game: marks without a mine. */
  readonly wrongFlags?: ReadonlySet<number>;
  /** A cell that a name in a text points at. */
  readonly pointed?: Cell | null;
}

export interface Look {
  /** The contract's `data-value`. */
  readonly value: string;
  readonly probability: string;
  readonly text: string;
  readonly icon: 'flag' | 'mine' | 'check' | 'cross' | null;
  /** −20 to 20, in twentieths of the scale, or null for a cell without colour. */
  readonly heat: number | null;
  readonly classes: string;
  readonly label: string;
}

/** An overlay, made ready to be asked cell by cell. */
export class Looks {
  private readonly average: number;
  private readonly safe: Set<number>;
  private readonly mined: Set<number>;
  private readonly marks: Map<number, Verdict>;
  private readonly sets: readonly (readonly [name: string, words: string, cells: ReadonlySet<number>])[];
  private readonly lit: ReadonlySet<number> | null;
  private readonly witness: ReadonlySet<number> | null;

  constructor(
    private readonly position: Position,
    private readonly overlay: Overlay,
  ) {
    const { analysis } = overlay;
    const indices = (cells: readonly Cell[] | undefined) =>
      new Set((cells ?? []).map((cell) => position.index(cell)));
    const one = (cell: Cell | null | undefined) => indices(cell ? [cell] : []);
    this.average = analysis?.probability ? average(analysis.probability) : 0.5;
    this.safe = indices(analysis?.safe);
    this.mined = indices(analysis?.mined);
    this.marks = new Map(analysis?.marks.map((mark) => [position.index(mark.cell), mark.verdict]));
    const clues = indices(overlay.clues);
    this.sets = [
      ['best', 'best move', one(overlay.best)],
      ['candidate', 'candidate', indices(overlay.candidates)],
      ['dead', 'its number tells nothing', overlay.dead ?? new Set()],
      ['clue', 'clue of the proof', clues],
      ['current', 'this sentence', indices(overlay.current)],
      ['target', 'the cell in question', one(overlay.target)],
      ['culprit', 'part of the contradiction', indices(overlay.culprits)],
      ['chosen', 'opened here', one(overlay.chosen)],
      ['better', 'better', one(overlay.better)],
      ['mistaken', 'your answer', one(overlay.mistaken)],
      ['pointed', '', one(overlay.pointed)],
      ['window', 'look here', this.inWindow(overlay.window)],
      ['wrong-flag', 'no mine here', overlay.wrongFlags ?? new Set()],
    ];
    this.witness = overlay.witness ? indices(overlay.witness) : null;
    this.lit = clues.size > 0 || overlay.window ? this.around(clues) : null;
  }

  get dimmed(): boolean {
    return this.lit !== null;
  }

  look(index: number): Look {
    const value = this.position.values[index]!;
    const classes: string[] = [];
    const words: string[] = [];
    for (const [name, text, cells] of this.sets) {
      if (!cells.has(index)) continue;
      classes.push(name);
      if (text !== '') words.push(text);
    }
    if (this.lit !== null && !this.lit.has(index)) classes.push('dim');
    if (value >= 0) return this.number(index, value, classes, words);
    if (value === MINE) return this.mine(index, classes, words);
    return this.covered(index, value, classes, words);
  }

  private number(index: number, value: number, classes: string[], words: string[]): Look {
    return {
      value: String(value),
      probability: '',
      text: value === 0 ? '' : String(value),
      icon: null,
      heat: null,
      classes: ['open', `n${value}`, ...classes].join(' '),
      label: this.label(index, value === 0 ? 'empty' : String(value), words),
    };
  }

  private mine(index: number, classes: string[], words: string[]): Look {
    const exploded = index === this.overlay.exploded;
    return {
      value: 'mine',
      probability: '',
      text: '',
      icon: 'mine',
      heat: null,
      classes: ['shown-mine', ...(exploded ? ['exploded'] : []), ...classes].join(' '),
      label: this.label(index, exploded ? 'the mine that went off' : 'mine', words),
    };
  }

  private covered(index: number, value: number, classes: string[], words: string[]): Look {
    const flagged = value === FLAG;
    const [row, col] = this.position.cell(index);
    const chance = this.overlay.analysis?.probability?.[row]?.[col] ?? null;
    const verdict = this.verdict(index);
    const mark = flagged ? this.marks.get(index) : undefined;
    if (verdict !== null) classes.push(verdict);
    if (mark !== undefined) classes.push(`mark-${mark}`);
    if (this.overlay.exploded === index) classes.push('exploded');
    const showing = this.overlay.heat === true && chance !== null;
    const text = !flagged && verdict === null && showing && this.overlay.figures ? short(chance, false) : '';
    if (chance !== null && this.overlay.heat) words.unshift(chanceWords(chance, verdict));
    if (mark !== undefined) words.unshift(`flag is ${mark}`);
    const zero = this.overlay.opening?.get(index) ?? 0;
    if (zero > 0 && showing) {
      classes.push('may-open');
      words.push(`shows 0 with ${percent(zero)}`);
    }
    const shownVerdict = this.overlay.heat === true && !flagged ? verdict : null;
    const warmth = showing && !flagged ? Math.round(heat(chance, this.average) * 20) : null;
    if (warmth !== null) classes.push(`warm t${warmth + 20}`);
    const look: Look = {
      value: flagged ? 'flag' : 'hidden',
      probability: chance === null || this.overlay.stale ? '' : String(chance),
      text,
      icon: flagged ? 'flag' : (VERDICTS[shownVerdict ?? ''] ?? this.answered(classes, text)),
      heat: warmth,
      classes: ['covered', flagged ? 'flagged' : 'hidden', ...classes].join(' '),
      label: this.label(index, flagged ? 'flag' : value === HIDDEN ? 'hidden' : '', words),
    };
    return this.witness === null ? look : this.witnessed(look, index, this.witness);
  }

  /** Right and wrong answers have a sign where nothing else is shown. */
  private answered(classes: readonly string[], text: string): 'check' | 'cross' | null {
    if (text !== '') return null;
    return classes.includes('mistaken') ? 'cross' : classes.includes('better') ? 'check' : null;
  }

  /** One layout that agrees, instead of the chances: each covered cell is a mine in it, or none. */
  private witnessed(look: Look, index: number, mines: ReadonlySet<number>): Look {
    const mine = mines.has(index);
    return {
      ...look,
      text: '',
      icon: look.icon === 'flag' ? 'flag' : mine ? 'mine' : null,
      heat: null,
      classes: `${look.classes.replace(/ warm t\d+/, '')} ${mine ? 'witness-mine' : 'witness-free'}`,
      label: `${look.label}, ${mine ? 'a mine' : 'no mine'} in this layout`,
    };
  }

  private verdict(index: number): 'safe' | 'mined' | null {
    if (this.overlay.heat !== true) return null;
    if (this.safe.has(index)) return 'safe';
    return this.mined.has(index) ? 'mined' : null;
  }

  private label(index: number, what: string, words: readonly string[]): string {
    return [`${inFull(this.position.cell(index))}: ${what}`, ...words].join(', ');
  }

  private inWindow(window: readonly [Cell, Cell] | null | undefined): ReadonlySet<number> {
    const found = new Set<number>();
    if (!window) return found;
    for (let row = window[0][0]; row <= window[1][0]; row++) {
      for (let col = window[0][1]; col <= window[1][1]; col++) found.add(this.position.index([row, col]));
    }
    return found;
  }

  /** What stays bright beside a proof: its clues and what they touch, the cell, the window. */
  private around(clues: ReadonlySet<number>): ReadonlySet<number> {
    const found = new Set(clues);
    for (const clue of clues) for (const each of this.position.neighbours(clue)) found.add(each);
    for (const [kind, , cells] of this.sets) {
      if (!LIT.includes(kind)) continue;
      for (const each of cells) found.add(each);
    }
    if (this.overlay.target) {
      for (const each of this.position.neighbours(this.position.index(this.overlay.target))) found.add(each);
    }
    return found;
  }
}

const VERDICTS: Readonly<Record<string, 'mine' | 'check'>> = { mined: 'mine', safe: 'check' };

/** What stays bright besides clues and their neighbours. */
const LIT: readonly string[] = ['target', 'window', 'candidate', 'better', 'mistaken'];

function chanceWords(chance: number, verdict: 'safe' | 'mined' | null): string {
  if (verdict === 'safe') return 'proven safe';
  return verdict === 'mined' ? 'proven mine' : `${short(chance, false)} % mine`;
}
