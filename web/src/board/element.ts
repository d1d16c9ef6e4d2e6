// <msat-board>: a Minesweeper board that can be used alone, in any page. It shows a position and an overlay, and
// tells what is done to its cells by events; what that means is up to whoever listens.
//
//     <msat-board position="??1/3?2/???:3" coordinates></msat-board>
//     board.overlay = { analysis: await answer.json(), heat: true, figures: true };
//
// Small boards have all their cells in the document; of large ones only those that can be seen.
import { Position } from '../model/position';
import { iconElement } from '../view/icons';
import { fingers } from '../view/pointer';
import css from './board.css?inline';
import { Gestures } from './gestures';
import { Looks, type Look, type Overlay } from './overlay';
import { Ruler } from './ruler';

export type { Overlay } from './overlay';
export { Position };

/** Beyond this only cells in view are in the document. */
const MOST_CELLS = 2500;
const OVERSCAN = 3;
const SMALLEST = 20;
const LARGEST = 76;

interface View {
  readonly element: HTMLElement;
  look: Look | null;
}

interface RowView {
  readonly element: HTMLElement;
  readonly cells: Map<number, View>;
}

let sheet: CSSStyleSheet | null = null;

/** A rule for each step of the heat scale: cells that look alike then share one computed style. They come first, so
 * that what is laid over the chances wins. */
function scale(): string {
  return Array.from({ length: 41 }, (_, step) => {
    const heat = step - 20;
    const mix = `color-mix(in oklab, var(${heat < 0 ? '--low' : '--high'}) ${Math.abs(heat) * 5}%, var(--neutral))`;
    return `msat-board .cell.t${step} { background-color: ${mix}; }`;
  }).join('\n');
}

export class MsatBoard extends HTMLElement {
  static readonly observedAttributes = ['position', 'label', 'coordinates'];

  private shown = Position.blank(9, 9, 10);
  private laid: Overlay = {};
  private looks = new Looks(this.shown, this.laid);
  private readonly grid = document.createElement('div');
  private readonly ruler = new Ruler();
  private readonly rows = new Map<number, RowView>();
  private at = 0;
  /** The first column that is in the document. */
  private from = 0;
  private room: { width: number; height: number } | null = null;
  private scale = 1;
  private drawn = { height: 0, width: 0 };
  private size = LARGEST;
  /** What can be seen, noted when it changes: asking for it while drawing would lay the page out each time. */
  private seen = { top: 0, left: 0, height: 600, width: 900 };
  private readonly observer = new ResizeObserver(() => {
    this.look();
    this.resize();
  });
  /** While true a finger paints; else it scrolls. */
  painting = false;
  /** While true the wheel is told of; else it scrolls, as anywhere. */
  turning = false;

  constructor() {
    super();
    this.grid.className = 'grid';
    this.grid.setAttribute('role', 'grid');
    new Gestures(this, this.grid);
  }

  connectedCallback(): void {
    sheet ??= new CSSStyleSheet();
    if (sheet.cssRules.length === 0) sheet.replaceSync(scale() + css);
    const root = this.getRootNode() as Document | ShadowRoot;
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
    if (this.grid.parentNode !== this) this.append(this.grid);
    this.edges();
    this.observer.observe(this);
    this.addEventListener('scroll', this.scrolled, { passive: true });
    this.look();
    this.resize();
  }

  disconnectedCallback(): void {
    this.observer.disconnect();
    this.removeEventListener('scroll', this.scrolled);
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === 'label') this.labelGrid();
    else if (name === 'coordinates') this.edges();
    else this.position = Position.fromLine(value ?? '') ?? this.shown;
  }

  get position(): Position {
    return this.shown;
  }

  set position(position: Position) {
    this.show(position, this.laid);
  }

  get overlay(): Overlay {
    return this.laid;
  }

  set overlay(overlay: Overlay) {
    this.show(this.shown, overlay);
  }

  /** Both at once: cells are drawn one time. */
  show(position: Position, overlay: Overlay): void {
    this.shown = position;
    this.laid = overlay;
    this.at = Math.min(this.at, position.size - 1);
    this.looks = new Looks(position, overlay);
    this.grid.classList.toggle('dimmed', this.looks.dimmed);
    if (this.drawn.height !== position.height || this.drawn.width !== position.width) this.rebuild();
    this.draw();
  }

  /** The cell that keys act on. */
  get cursor(): number {
    return this.at;
  }

  set cursor(index: number) {
    this.moveCursor(index, false);
  }

  moveCursor(index: number, focus: boolean): void {
    const before = this.view(this.at);
    before?.element.setAttribute('tabindex', '-1');
    this.at = index;
    this.reveal(index);
    this.locate(index);
    const after = this.view(index);
    after?.element.setAttribute('tabindex', '0');
    if (focus) after?.element.focus({ preventScroll: true });
    this.tell('msat-cursor', { index });
  }

  /** The space that the board may take; without it, the element's own width. */
  set available(room: { width: number; height: number }) {
    if (this.room?.width === room.width && this.room.height === room.height) return;
    this.room = room;
    this.resize();
  }

  /** The room that the numbers along the edges take. */
  get edge(): { left: number; top: number } {
    if (!this.hasAttribute('coordinates')) return { left: 0, top: 0 };
    return { left: this.shown.height > 100 ? 24 : 16, top: 15 };
  }

  /** Numbers along the edges, or none. */
  private edges(): void {
    if (this.grid.parentNode !== this) return;
    if (this.hasAttribute('coordinates')) this.ruler.frame(this.grid);
    else this.ruler.remove();
    this.style.setProperty('--edge-left', `${this.edge.left}px`);
    this.look();
    this.resize();
  }

  /** The row and column that are told at the edges: where the pointer is, else the cursor. */
  locate(index: number | null): void {
    this.ruler.mark(...this.shown.cell(index ?? this.at));
  }

  /** How much larger cells are than what fits. */
  get zoom(): number {
    return this.scale;
  }

  set zoom(scale: number) {
    if (this.scale === scale) return;
    this.scale = scale;
    this.resize();
  }

  get cellSize(): number {
    return this.size;
  }

  private fitting(): number {
    const { height, width } = this.shown;
    const { left, top } = this.edge;
    const all = this.room ?? { width: this.clientWidth || 300, height: Infinity };
    const room = { width: all.width - left, height: all.height - top };
    const most = Math.floor(Math.min(room.width / width, room.height / height));
    const smallest = fingers() ? SMALLEST + 4 : SMALLEST;
    const size = Math.min(Math.max(most, smallest), LARGEST) * this.scale;
    if (size * width <= room.width) return Math.round(size);
    // The last column in sight is cut in half, which says that there is more.
    const columns = Math.max(Math.floor(room.width / size - 0.25), 1) + 0.5;
    // Whole pixels of the screen, not of the page: on a phone half a column would else become none.
    const pixels = window.devicePixelRatio || 1;
    return Math.round((room.width / columns) * pixels) / pixels;
  }

  /** Whether the board is larger than what can be seen of it. */
  get scrolls(): boolean {
    return this.scrollWidth > this.clientWidth + 1 || this.scrollHeight > this.clientHeight + 1;
  }

  element(index: number): HTMLElement | null {
    return this.view(index)?.element ?? null;
  }

  tell(type: string, detail: object): boolean {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, cancelable: true }));
  }

  private readonly scrolled = (): void => {
    this.look();
    this.draw();
  };

  private look(): void {
    this.seen = {
      top: this.scrollTop,
      left: this.scrollLeft,
      height: (this.clientHeight || 600) - this.edge.top,
      width: (this.clientWidth || 900) - this.edge.left,
    };
  }

  private resize(): void {
    const size = this.fitting();
    this.size = size;
    this.style.setProperty('--cell', `${size}px`);
    this.grid.classList.toggle('small', size < 25);
    this.draw();
  }

  private rebuild(): void {
    const { height, width } = this.shown;
    this.rows.clear();
    this.grid.replaceChildren();
    this.drawn = { height, width };
    this.grid.style.setProperty('--rows', String(height));
    this.grid.style.setProperty('--columns', String(width));
    this.grid.setAttribute('aria-rowcount', String(height));
    this.grid.setAttribute('aria-colcount', String(width));
    this.labelGrid();
    if (this.isConnected) this.edges();
  }

  private labelGrid(): void {
    const { height, width } = this.shown;
    const size = `${height} rows, ${width} columns`;
    this.grid.setAttribute('aria-label', `${this.getAttribute('label') ?? 'Board'}, ${size}`);
  }

  private readonly draw = (): void => {
    if (this.drawn.height === 0) this.rebuild();
    const { top, bottom, left, right } = this.inView();
    for (const [row, view] of this.rows) {
      if (row >= top && row <= bottom) continue;
      view.element.remove();
      this.rows.delete(row);
    }
    let before: Element | null = this.grid.firstElementChild;
    for (let row = top; row <= bottom; row++) {
      const view = this.rows.get(row) ?? this.createRow(row, before);
      before = view.element.nextElementSibling;
      this.drawRow(row, view, left, right);
    }
    if (this.hasAttribute('coordinates'))
      this.ruler.draw({ from: top, to: bottom }, { from: left, to: right });
    if (this.from !== left) {
      this.from = left;
      this.grid.style.setProperty('--from', String(left));
    }
  };

  private drawRow(row: number, view: RowView, left: number, right: number): void {
    for (const [col, cell] of view.cells) {
      if (col >= left && col <= right) continue;
      cell.element.remove();
      view.cells.delete(col);
    }
    let before: Element | null = view.element.firstElementChild;
    for (let col = left; col <= right; col++) {
      const cell = view.cells.get(col) ?? this.createCell(row, col, view, before);
      before = cell.element.nextElementSibling;
      dress(cell, this.looks.look(row * this.shown.width + col));
    }
  }

  private inView(): { top: number; bottom: number; left: number; right: number } {
    const { height, width } = this.shown;
    if (height * width <= MOST_CELLS) return { top: 0, bottom: height - 1, left: 0, right: width - 1 };
    const { size, seen } = this;
    const range = (from: number, length: number, most: number): [number, number] => [
      Math.max(0, Math.floor(from / size) - OVERSCAN),
      Math.min(most - 1, Math.ceil((from + length) / size) + OVERSCAN),
    ];
    const [top, bottom] = range(seen.top, seen.height, height);
    const [left, right] = range(seen.left, seen.width, width);
    return { top, bottom, left, right };
  }

  private createRow(row: number, before: Element | null): RowView {
    const element = document.createElement('div');
    element.className = 'row';
    element.setAttribute('role', 'row');
    element.setAttribute('aria-rowindex', String(row + 1));
    element.style.setProperty('--row', String(row));
    this.grid.insertBefore(element, before);
    const view = { element, cells: new Map<number, View>() };
    this.rows.set(row, view);
    return view;
  }

  private createCell(row: number, col: number, view: RowView, before: Element | null): View {
    const element = document.createElement('div');
    element.setAttribute('role', 'gridcell');
    element.setAttribute('aria-colindex', String(col + 1));
    element.setAttribute('tabindex', row * this.shown.width + col === this.at ? '0' : '-1');
    element.dataset['row'] = String(row);
    element.dataset['col'] = String(col);
    view.element.insertBefore(element, before);
    const cell: View = { element, look: null };
    view.cells.set(col, cell);
    return cell;
  }

  private view(index: number): View | undefined {
    const [row, col] = this.shown.cell(index);
    return this.rows.get(row)?.cells.get(col);
  }

  /** Scrolls so that a cell is in the middle, as far as that goes. */
  centre(index: number): void {
    this.look();
    const [row, col] = this.shown.cell(index);
    this.scrollTo(
      (col + 0.5) * this.size - this.seen.width / 2,
      (row + 0.5) * this.size - this.seen.height / 2,
    );
    this.scrolled();
  }

  /** Scrolls so that a cell can be seen, and draws it. */
  reveal(index: number): void {
    const { size } = this;
    const [row, col] = this.shown.cell(index);
    const margin = size;
    if (this.size * this.shown.height <= this.seen.height && this.size * this.shown.width <= this.seen.width)
      return;
    if (this.scrollHeight > this.clientHeight + 1) {
      if (row * size < this.scrollTop + margin) this.scrollTop = row * size - margin;
      else if ((row + 1) * size > this.scrollTop + this.seen.height - margin) {
        this.scrollTop = (row + 1) * size - this.seen.height + margin;
      }
    }
    if (this.scrollWidth > this.clientWidth + 1) {
      if (col * size < this.scrollLeft + margin) this.scrollLeft = col * size - margin;
      else if ((col + 1) * size > this.scrollLeft + this.seen.width - margin) {
        this.scrollLeft = (col + 1) * size - this.seen.width + margin;
      }
    }
    this.look();
    if (!this.view(index)) this.draw();
  }
}

/** Makes an element look so; what is the same already is not touched. */
function dress(view: View, look: Look): void {
  const { element, look: old } = view;
  if (old?.value !== look.value) element.dataset['value'] = look.value;
  if (old?.probability !== look.probability) {
    if (look.probability === '') delete element.dataset['probability'];
    else element.dataset['probability'] = look.probability;
  }
  if (old?.classes !== look.classes) element.className = `cell ${look.classes}`;
  if (old?.label !== look.label) element.setAttribute('aria-label', look.label);
  if (old?.text !== look.text || old.icon !== look.icon) {
    if (look.icon === null) element.textContent = look.text;
    else element.replaceChildren(iconElement(look.icon));
  }
  view.look = look;
}

if (!customElements.get('msat-board')) customElements.define('msat-board', MsatBoard);
