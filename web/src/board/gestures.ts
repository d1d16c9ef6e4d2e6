// What mouse, finger and keys do to the cells of a board, told as events with the cell's index:
// msat-press (a button goes down), msat-drag (it is held over another cell), msat-tap (it goes up where it went
// down), msat-release, msat-cancel (it was no gesture of cells), msat-long (a finger rests), msat-wheel, msat-hover,
// msat-cursor, msat-key. Two fingers move and zoom the board, also while one finger paints: `pinch.ts`.
import type { MsatBoard } from './element';
import { Pinch } from './pinch';

const LONG_PRESS = 420;
const WHEEL_STEP = 40;

export interface CellDetail {
  readonly index: number;
  readonly button: number;
  readonly touch: boolean;
}

export interface KeyDetail {
  readonly index: number;
  readonly event: KeyboardEvent;
}

export class Gestures {
  private down: { index: number; button: number; touch: boolean; last: number; long: boolean } | null = null;
  private timer = 0;
  private turned = 0;
  private hovered = -1;

  constructor(
    private readonly board: MsatBoard,
    private readonly grid: HTMLElement,
  ) {
    grid.addEventListener('pointerdown', this.pressed);
    grid.addEventListener('pointermove', this.moved);
    grid.addEventListener('pointerup', this.released);
    grid.addEventListener('pointercancel', this.cancelled);
    grid.addEventListener('pointerleave', () => this.hover(-1));
    grid.addEventListener('contextmenu', (event) => event.preventDefault());
    // The middle button would scroll, or paste what is selected elsewhere.
    for (const type of ['mousedown', 'mouseup', 'auxclick'] as const) {
      grid.addEventListener(type, (event) => {
        if (event.button === 1) event.preventDefault();
      });
    }
    grid.addEventListener('wheel', this.wheeled, { passive: false });
    grid.addEventListener('keydown', this.typed);
    grid.addEventListener('focusin', this.focused);
    grid.addEventListener('touchstart', this.touched, { passive: false });
    new Pinch(board, grid, () => this.abandon());
  }

  /** What one finger had begun is taken back: a second one came, and both mean the board. */
  private abandon(): void {
    clearTimeout(this.timer);
    const { down } = this;
    this.down = null;
    if (down !== null) this.board.tell('msat-cancel', { ...down });
  }

  private readonly pressed = (event: PointerEvent): void => {
    const index = this.indexAt(event);
    const touch = event.pointerType === 'touch';
    if (index === null || (touch && !event.isPrimary)) return;
    this.down = { index, button: event.button, touch, last: index, long: false };
    if (!touch || this.board.painting) {
      // That also takes the mouse's own events away, without which the middle button could not be stopped below.
      if (event.button !== 1) event.preventDefault();
      this.grid.setPointerCapture(event.pointerId);
      this.board.moveCursor(index, true);
    }
    clearTimeout(this.timer);
    if (touch && !this.board.painting) {
      this.timer = window.setTimeout(() => {
        if (this.down === null) return;
        this.down.long = true;
        this.board.moveCursor(index, false);
        this.board.tell('msat-long', { index, button: 0, touch });
      }, LONG_PRESS);
    }
    this.board.tell('msat-press', { index, button: event.button, touch });
  };

  private readonly moved = (event: PointerEvent): void => {
    const index = this.indexAt(event);
    if (event.pointerType !== 'touch') this.hover(index ?? -1);
    if (this.bothDown(event, index)) return;
    if (this.down === null || index === null || index === this.down.last) return;
    if (this.down.touch && !event.isPrimary) return;
    clearTimeout(this.timer);
    // A fast pointer skips cells: those on the way are told as well.
    for (const each of this.between(this.down.last, index)) {
      this.board.tell('msat-drag', { index: each, button: this.down.button, touch: this.down.touch });
    }
    this.down.last = index;
  };

  /** The second of two buttons goes down as a move: both together are what the middle one is alone. */
  private bothDown(event: PointerEvent, index: number | null): boolean {
    if (this.down === null || index === null || event.button < 0 || (event.buttons & 3) !== 3) return false;
    this.down.long = true; // it is no tap any more
    this.board.tell('msat-press', { index, button: 1, touch: false });
    return true;
  }

  private readonly released = (event: PointerEvent): void => {
    if (event.pointerType === 'touch' && !event.isPrimary) return;
    clearTimeout(this.timer);
    const { down } = this;
    this.down = null;
    if (down === null) return;
    const detail = { index: down.index, button: down.button, touch: down.touch };
    if (!down.long && this.indexAt(event) === down.index) {
      if (down.touch && !this.board.painting) this.board.moveCursor(down.index, true);
      this.board.tell('msat-tap', detail);
    }
    this.board.tell('msat-release', detail);
  };

  private readonly cancelled = (): void => {
    clearTimeout(this.timer);
    if (this.down !== null) this.board.tell('msat-release', { ...this.down });
    this.down = null;
  };

  /** A finger that paints must not scroll. */
  private readonly touched = (event: TouchEvent): void => {
    if (this.board.painting && event.touches.length === 1) event.preventDefault();
  };

  private readonly wheeled = (event: WheelEvent): void => {
    // A board that scrolls needs the wheel for that; Alt makes the difference.
    if (!this.board.turning || event.ctrlKey || (this.board.scrolls && !event.altKey)) return;
    const index = this.indexAt(event);
    if (index === null) return;
    this.turned += event.deltaY;
    if (Math.abs(this.turned) < WHEEL_STEP) {
      event.preventDefault();
      return;
    }
    const turn = this.turned < 0 ? 1 : -1;
    this.turned = 0;
    if (!this.board.tell('msat-wheel', { index, turn })) event.preventDefault();
  };

  private readonly focused = (event: FocusEvent): void => {
    const cell = event.target instanceof HTMLElement ? event.target : null;
    if (cell?.dataset['row'] === undefined) return;
    const index = Number(cell.dataset['row']) * this.board.position.width + Number(cell.dataset['col']);
    if (index !== this.board.cursor) this.board.moveCursor(index, false);
  };

  private readonly typed = (event: KeyboardEvent): void => {
    if (!this.board.tell('msat-key', { index: this.board.cursor, event })) {
      event.preventDefault();
      return;
    }
    const next = this.step(event);
    if (next === null) return;
    event.preventDefault();
    this.board.moveCursor(next, true);
  };

  private step(event: KeyboardEvent): number | null {
    if (event.altKey || event.metaKey || event.shiftKey) return null;
    const { height, width } = this.board.position;
    const [row, col] = this.board.position.cell(this.board.cursor);
    const to = (r: number, c: number) =>
      Math.min(Math.max(r, 0), height - 1) * width + Math.min(Math.max(c, 0), width - 1);
    switch (event.key) {
      case 'ArrowUp':
        return to(row - 1, col);
      case 'ArrowDown':
        return to(row + 1, col);
      case 'ArrowLeft':
        return to(row, col - 1);
      case 'ArrowRight':
        return to(row, col + 1);
      case 'Home':
        return to(event.ctrlKey ? 0 : row, 0);
      case 'End':
        return to(event.ctrlKey ? height - 1 : row, width - 1);
      case 'PageUp':
        return to(row - 10, col);
      case 'PageDown':
        return to(row + 10, col);
      default:
        return null;
    }
  }

  private hover(index: number): void {
    if (index === this.hovered) return;
    this.hovered = index;
    this.board.locate(index < 0 ? null : index);
    this.board.tell('msat-hover', { index: index < 0 ? null : index });
  }

  private indexAt(event: MouseEvent): number | null {
    const box = this.grid.getBoundingClientRect();
    const { height, width } = this.board.position;
    const row = Math.floor(((event.clientY - box.top) / box.height) * height);
    const col = Math.floor(((event.clientX - box.left) / box.width) * width);
    return this.board.position.has(row, col) ? row * width + col : null;
  }

  private between(from: number, to: number): number[] {
    const { position } = this.board;
    const [row, col] = position.cell(from);
    const [toRow, toCol] = position.cell(to);
    const steps = Math.max(Math.abs(toRow - row), Math.abs(toCol - col));
    return Array.from({ length: steps }, (_, step) => {
      const part = (step + 1) / steps;
      return position.index([Math.round(row + (toRow - row) * part), Math.round(col + (toCol - col) * part)]);
    });
  }
}
