// Two fingers on a board: it follows them and grows with the distance between them, whatever one finger does there.
// What the board cannot move by itself, because its edge is reached or all of it is in sight, the page moves.
import type { MsatBoard } from './element';

const LEAST = 0.4;
const MOST = 3;

interface Fingers {
  readonly x: number;
  readonly y: number;
  readonly apart: number;
}

export class Pinch {
  private last: Fingers | null = null;
  private begun: { readonly apart: number; readonly zoom: number } | null = null;

  constructor(
    private readonly board: MsatBoard,
    grid: HTMLElement,
    private readonly begin: () => void,
  ) {
    grid.addEventListener('touchstart', this.started, { passive: false });
    grid.addEventListener('touchmove', this.moved, { passive: false });
    grid.addEventListener('touchend', this.ended);
    grid.addEventListener('touchcancel', this.ended);
  }

  private readonly started = (event: TouchEvent): void => {
    const fingers = where(event);
    if (fingers === null) return;
    if (event.cancelable) event.preventDefault();
    if (this.last === null) this.begin();
    this.last = fingers;
    this.begun = { apart: fingers.apart, zoom: this.board.zoom };
  };

  private readonly moved = (event: TouchEvent): void => {
    const fingers = where(event);
    if (fingers === null || this.last === null || this.begun === null) return;
    if (event.cancelable) event.preventDefault();
    // A scroll that the browser began with the first finger is the browser's: only the size is ours then.
    const { board } = this;
    const last = event.cancelable ? this.last : fingers;
    const box = board.getBoundingClientRect();
    const before = board.cellSize;
    const wanted = (this.begun.zoom * fingers.apart) / this.begun.apart;
    board.zoom = Math.min(Math.max(wanted, LEAST), MOST);
    // What was between the fingers stays between them.
    const grown = board.cellSize / before;
    const [x, y] = [box.left + board.edge.left, box.top + board.edge.top];
    const left = (board.scrollLeft + last.x - x) * grown - (fingers.x - x);
    const top = (board.scrollTop + last.y - y) * grown - (fingers.y - y);
    board.scrollTo(left, top);
    // No further than the fingers went: what grows or shrinks between them leaves the page where it is.
    const rest = top - board.scrollTop;
    const went = last.y - fingers.y;
    if (rest * went > 0) window.scrollBy(0, Math.sign(went) * Math.min(Math.abs(rest), Math.abs(went)));
    this.last = fingers;
    board.tell('msat-zoom', { zoom: board.zoom, ended: false });
  };

  private readonly ended = (event: TouchEvent): void => {
    if (this.last === null || event.touches.length >= 2) return;
    this.last = this.begun = null;
    this.board.tell('msat-zoom', { zoom: this.board.zoom, ended: true });
  };
}

/** Where two fingers are: their middle, and how far they are apart. */
function where({ touches }: TouchEvent): Fingers | null {
  const [one, two] = [touches[0], touches[1]];
  if (one === undefined || two === undefined || touches.length > 2) return null;
  return {
    x: (one.clientX + two.clientX) / 2,
    y: (one.clientY + two.clientY) / 2,
    apart: Math.max(Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY), 10),
  };
}
