// Train: positions to practise on. Find a safe cell where the easiest step is of the difficulty that was asked
// for, or guess where nothing can be proven; then see what the answer was worth, and what was missed.
import type { CellDetail } from '../../board/gestures';
import type { Overlay } from '../../board/overlay';
import { GameState, Layout } from '../../model/game';
import { name } from '../../model/names';
import { percent } from '../../model/percent';
import { steps } from '../../model/proof';
import { FLAG, Position, type Cell } from '../../model/position';
import type { Advice, Analysis, Explanation, Generated, Step } from '../../service/answers';
import { ask, cancelled } from '../../service/client';
import { keyOf } from '../../view/keys';
import type { Child } from '../../view/tree';
import type { App } from '../app';
import { trainAbove, trainBeside } from '../cards/train';
import type { Mode } from '../mode';
import { spoken } from '../parts';
import { DIFFICULTIES } from '../settings';

export type Task = (typeof DIFFICULTIES)[number] | 'guess';

export interface Answer {
  readonly right: boolean;
  readonly cell: Cell;
  readonly best: Cell;
  readonly title: string;
  readonly lines: readonly string[];
  /** The proof, step by step. */
  readonly steps: readonly string[];
  readonly clues: readonly Cell[];
}

const MOST_TRIES = 40;
/** A guess is worth asking for if the poorest of the best cells wins at most this share of what the best one does.
 * After so many tries less will do. */
const WORTH_ASKING = [0.9, 0.97] as const;
const PATIENT = 20;

export class Train implements Mode {
  readonly name = 'train';
  readonly painting = false;
  readonly wish = null;
  readonly canUndo = false;
  readonly canRedo = false;
  exercise: Position | null = null;
  advice: Advice | null = null;
  answer: Answer | null = null;
  busy: string | null = null;
  error: string | null = null;
  score = { right: 0, asked: 0 };
  private under: AbortController | null = null;

  constructor(readonly app: App) {}

  get task(): Task {
    return this.app.settings.difficulty as Task;
  }

  get position(): Position {
    return this.exercise ?? Position.blank(9, 9, 10);
  }

  get shown(): Position {
    return this.position;
  }

  undo(): void {
    /* an answer stands */
  }

  redo(): void {
    /* an answer stands */
  }

  enter(): void {
    if (this.exercise === null && this.under === null) void this.next();
  }

  choose(task: Task): void {
    this.app.choose({ difficulty: task });
    this.score = { right: 0, asked: 0 };
    void this.next();
  }

  overlay(): Overlay {
    const { answer } = this;
    if (answer === null) return {};
    return {
      ...(answer.clues.length > 0 ? { clues: answer.clues } : {}),
      better: answer.best,
      mistaken: answer.right ? null : answer.cell,
    };
  }

  above(): Child {
    return trainAbove(this);
  }

  below(): Child {
    return null;
  }

  beside(): Child {
    return trainBeside(this.app, this);
  }

  tap({ index, button }: CellDetail): void {
    if (button === 0) void this.reply(index);
  }

  key(event: KeyboardEvent, index: number): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = keyOf(event);
    if (key === 'n') void this.next();
    else if (key === ' ' || key === 'Enter') void this.reply(index);
    else return false;
    return true;
  }

  /** Another position. */
  async next(): Promise<void> {
    await this.during('Looking for a position …', async (signal) => {
      this.answer = null;
      this.exercise = null;
      this.advice = null;
      let found: Position | null = null;
      for (let tries = 0; tries < MOST_TRIES && found === null; tries++) {
        found = await (this.task === 'guess'
          ? this.findGuess(WORTH_ASKING[tries < PATIENT ? 0 : 1], signal)
          : this.findStep(this.task, signal));
      }
      if (found === null) throw new Error('No such position was found: try again.');
      this.exercise = found;
      this.app.say(this.question);
    });
  }

  get question(): string {
    return this.task === 'guess' ? 'Nothing can be proven: which cell would you open?' : 'Find a safe cell';
  }

  /** What a cell is worth as an answer. */
  async reply(index: number): Promise<void> {
    const { exercise } = this;
    if (exercise === null || this.answer !== null || exercise.values[index]! !== -1) return;
    const cell = exercise.cell(index);
    await this.during('Judging …', async (signal) => {
      this.answer = this.task === 'guess' ? this.guessed(cell) : await this.found(exercise, cell, signal);
      this.score = { right: this.score.right + Number(this.answer.right), asked: this.score.asked + 1 };
      this.app.say(spoken([this.answer.title, ...this.answer.lines, ...this.answer.steps]));
    });
  }

  private async found(exercise: Position, cell: Cell, signal: AbortSignal): Promise<Answer> {
    const board = exercise.toLine();
    const analysis = await ask<Analysis>('analyze', { board }, signal);
    const is = (cells: readonly Cell[]) => cells.some(([row, col]) => row === cell[0] && col === cell[1]);
    const right = is(analysis.safe);
    const best = right ? cell : await this.easiest(board, signal);
    const proof = await ask<Explanation>('explain', { board, cell: best }, signal);
    const chance = analysis.probability?.[cell[0]]?.[cell[1]] ?? 0;
    const wrong = is(analysis.mined) ? 'That is a mine' : `That is a mine with ${percent(chance, false)}`;
    return {
      right,
      cell,
      best,
      title: right ? 'Right' : wrong,
      lines: right ? [] : [`You missed ${name(best)}:`],
      steps: steps(proof.text).steps,
      clues: proof.clues,
    };
  }

  private async easiest(board: string, signal: AbortSignal): Promise<Cell> {
    const { steps } = await ask<{ steps: readonly Step[] }>('explain', { board }, signal);
    return steps.find((step) => step.safe.length > 0)!.safe[0]!;
  }

  private guessed(cell: Cell): Answer {
    const advice = this.advice!;
    const best = advice.cell!;
    const is = (other: Cell) => other[0] === cell[0] && other[1] === cell[1];
    const chosen = is(best) ? advice : advice.alternatives.find((each) => is(each.cell));
    const behind = chosen && chosen !== advice ? -(chosen as { difference?: number }).difference! : 0;
    const doubt =
      chosen && chosen !== advice ? 2 * (chosen as { difference_error?: number }).difference_error! : 0;
    const right = chosen !== undefined && behind <= doubt;
    const worth = chosen?.win ? ` It wins ${percent(chosen.win)}.` : ' It is not among the five best.';
    return {
      right,
      cell,
      best,
      title: right ? (is(best) ? 'The best guess' : 'As good as the best') : 'There is a better guess',
      lines: is(best) ? [] : [`${worth.trim()} ${name(best)} wins ${percent(advice.win ?? 0)}.`],
      steps: advice.reasons,
      clues: [],
    };
  }

  /** Plays all that is easier than the task, and stops where the task begins. */
  private async findStep(difficulty: Exclude<Task, 'guess'>, signal: AbortSignal): Promise<Position | null> {
    const level = DIFFICULTIES.indexOf(difficulty) + 1;
    const question = { height: 9, width: 9, mines: level > 3 ? 12 : 10, no_guess: true, difficulty };
    const made = await ask<Generated>('generate', question, signal);
    let game = GameState.begin(new Layout(made.layout));
    const { start } = made.layout;
    if (start === null) return null;
    game = game.open(game.position.index(start), null) ?? game;
    while (game.state === 'playing') {
      const board = game.position.toLine();
      const { steps } = await ask<{ steps: readonly Step[] }>('explain', { board }, signal);
      const hard = steps.findIndex((step) => step.technique >= level);
      const easy = steps.slice(0, hard < 0 ? steps.length : hard);
      if (!easy.some((step) => step.safe.length > 0)) {
        const known = easy
          .flatMap((step) => step.mined)
          .map((cell) => [game.position.index(cell), FLAG] as const);
        return steps.some((step) => step.safe.length > 0) ? game.position.with(known) : null;
      }
      for (const cell of easy.flatMap((step) => step.safe))
        game = game.open(game.position.index(cell), null) ?? game;
    }
    return null;
  }

  /** Plays as well as can be, and stops at a guess where it matters which one is made. */
  private async findGuess(share: number, signal: AbortSignal): Promise<Position | null> {
    const made = await ask<Generated>('generate', { height: 9, width: 9, mines: 15 }, signal);
    let game = GameState.begin(new Layout(made.layout));
    game = game.open(game.position.index(made.layout.start ?? [3, 3]), null) ?? game;
    while (game.state === 'playing') {
      const board = game.position.toLine();
      const analysis = await ask<Analysis>('analyze', { board }, signal);
      if (analysis.safe.length === 0) {
        const advice = await ask<Advice>('hint', { board, seconds: 0.3 }, signal);
        const worst = Math.min(...advice.alternatives.map((each) => each.win ?? 1));
        if (advice.win === null || !advice.cell) return null;
        if (worst < share * advice.win) {
          this.advice = advice;
          return game.position.with(analysis.mined.map((cell) => [game.position.index(cell), FLAG] as const));
        }
        const next = game.open(game.position.index(advice.cell), null);
        if (next?.state !== 'playing') return null;
        game = next;
        continue;
      }
      for (const cell of analysis.safe) game = game.open(game.position.index(cell), null) ?? game;
    }
    return null;
  }

  private async during(text: string, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.under?.abort();
    const control = new AbortController();
    this.under = control;
    this.busy = text;
    this.error = null;
    this.app.changed();
    try {
      await act(control.signal);
    } catch (error) {
      if (!cancelled(error)) this.error = error instanceof Error ? error.message : String(error);
    } finally {
      if (this.under === control) {
        this.under = null;
        this.busy = null;
      }
      this.app.changed();
    }
  }
}
