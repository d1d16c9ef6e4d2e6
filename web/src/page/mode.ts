// What the modes of the page have in common: each shows a position on the one board, lays something over it,
// and says what gestures mean.
import type { CellDetail } from '../board/gestures';
import type { Overlay } from '../board/overlay';
import type { ModeName } from '../model/link';
import type { Cell, Position } from '../model/position';
import type { Wish } from '../service/analyst';
import type { Child } from '../view/tree';

export interface Mode {
  readonly name: ModeName;
  /** What is on the board. */
  readonly shown: Position;
  /** What the solver is asked about, and what the address tells. */
  readonly position: Position;
  /** The cell that is told of while none is chosen; where a mode does not say, the best one is. */
  readonly subject?: Cell | null;
  /** How much is to be asked while nothing else happens; null asks nothing. */
  readonly wish: Wish | null;
  /** Whether a finger that moves over the board paints instead of scrolling. */
  readonly painting: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;

  overlay(): Overlay;
  /** Above the board, below it, and beside it. */
  above(): Child;
  below(): Child;
  beside(): Child;

  undo(): void;
  redo(): void;
  enter?(): void;
  leave?(): void;
  press?(detail: CellDetail): void;
  drag?(detail: CellDetail): void;
  tap?(detail: CellDetail): void;
  release?(): void;
  /** What was pressed was no gesture of cells: as if it had never been. */
  cancel?(): void;
  long?(index: number): void;
  wheel?(index: number, turn: number): boolean;
  /** Whether the key meant something. */
  key?(event: KeyboardEvent, index: number): boolean;
}

/** Something that takes a while, and can be stopped. */
export interface Work {
  readonly text: string;
  readonly done: number | null;
  readonly control: AbortController;
}
