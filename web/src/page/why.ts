// Why? An explanation of one cell, asked for when somebody wants to know, and walked through sentence by
// sentence with its clues lit. It belongs to a position, and goes when the position goes.
import { pieces } from '../model/names';
import type { Cell, Position } from '../model/position';
import { steps } from '../model/proof';
import type { Explanation } from '../service/answers';
import { ask, cancelled } from '../service/client';

export class Why {
  position: Position | null = null;
  cell: Cell | null = null;
  answer: Explanation | null = null;
  error: string | null = null;
  /** What else is to be said: why a guess is the best one. */
  reasons: readonly string[] = [];
  /** Which of two layouts is drawn: one with a mine in the cell, or one without. */
  witness: 'mine' | 'free' | null = null;
  /** The sentence that is being read; −1 shows all. */
  step = -1;
  private under: AbortController | null = null;

  constructor(private readonly changed: () => void) {}

  get open(): boolean {
    return this.cell !== null;
  }

  /** The steps of the proof, and what else is to be said. */
  get sentences(): readonly string[] {
    // That nobody can know, and the chance, are told above the reasons of a guess.
    const proof = this.guessed ? [] : steps(this.answer?.text ?? []).steps;
    return [...proof, ...this.reasons.map((line) => line.trim())];
  }

  /** Whether it is the best guess that is explained. */
  get guessed(): boolean {
    return this.reasons.length > 0 && this.answer?.verdict === 'open';
  }

  /** The rules that the proof names. */
  get rules(): string | null {
    return steps(this.answer?.text ?? []).rules;
  }

  /** The cells that the present sentence names. */
  get current(): readonly Cell[] {
    const sentence = this.step < 0 ? undefined : this.sentences[this.step];
    if (sentence === undefined) return [];
    return pieces(sentence).flatMap((piece) => (piece.cell === null ? [] : [piece.cell]));
  }

  async ask(position: Position, cell: Cell, reasons: readonly string[] = []): Promise<void> {
    this.close();
    this.reasons = reasons;
    this.position = position;
    this.cell = cell;
    const control = new AbortController();
    this.under = control;
    this.changed();
    try {
      this.answer = await ask<Explanation>('explain', { board: position.toLine(), cell }, control.signal);
    } catch (error) {
      if (cancelled(error) || this.under !== control) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }

  /** W asks; asked again about the same cell it goes on to the next sentence, with Shift to the one before. */
  key(event: KeyboardEvent, [row, col]: Cell): boolean {
    if (event.key.toLowerCase() !== 'w' || this.cell?.[0] !== row || this.cell[1] !== col) return false;
    if (this.answer === null) return true;
    const { length } = this.sentences;
    const next = event.shiftKey ? this.step - 1 : this.step + 1;
    this.go(next >= length ? -1 : next < -1 ? length - 1 : next);
    return true;
  }

  close(): void {
    this.under?.abort();
    this.under = null;
    this.position = null;
    this.cell = null;
    this.answer = null;
    this.error = null;
    this.reasons = [];
    this.step = -1;
    this.witness = null;
  }

  /** The mines of the layout that is drawn. */
  get layout(): readonly Cell[] | null {
    const { cell, witness } = this;
    if (cell === null || witness === null) return null;
    const mined = (layout: readonly Cell[]) =>
      layout.some(([row, col]) => row === cell[0] && col === cell[1]);
    return this.answer?.witnesses?.find((layout) => mined(layout) === (witness === 'mine')) ?? null;
  }

  /** Forgets an explanation of something that is not on the board any more. */
  keepFor(position: Position): void {
    if (this.position !== null && !this.position.equals(position)) this.close();
  }

  go(step: number): void {
    this.step = Math.min(Math.max(step, -1), this.sentences.length - 1);
    this.changed();
  }
}
