// The numbers of rows and columns along the edges of a board, counted from 0: r2c6 is found by them. They stay in
// sight where a board scrolls; those of the cell in question are darker.

interface Range {
  readonly from: number;
  readonly to: number;
}

export class Ruler {
  private readonly top = edge('top');
  private readonly left = edge('left');
  private readonly corner = edge('corner');
  private drawn = '';
  private at: readonly [row: number, col: number] = [-1, -1];

  /** Puts the edges around a grid. */
  frame(grid: HTMLElement): void {
    grid.before(this.corner, this.top, this.left);
  }

  remove(): void {
    for (const part of [this.corner, this.top, this.left]) part.remove();
    this.drawn = '';
  }

  /** Draws the numbers that can be seen. */
  draw(rows: Range, cols: Range): void {
    const wanted = [rows.from, rows.to, cols.from, cols.to].join();
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    fill(this.left, rows);
    fill(this.top, cols);
    this.mark(...this.at);
  }

  mark(row: number, col: number): void {
    this.at = [row, col];
    for (const [part, number] of [
      [this.left, row],
      [this.top, col],
    ] as const) {
      for (const tick of part.children) tick.classList.toggle('here', tick.textContent === String(number));
    }
  }
}

function edge(kind: string): HTMLElement {
  const element = document.createElement('div');
  element.className = `edge edge-${kind}`;
  element.setAttribute('aria-hidden', 'true'); // every cell says its row and column
  return element;
}

function fill(part: HTMLElement, { from, to }: Range): void {
  part.replaceChildren(
    ...Array.from({ length: to - from + 1 }, (_, step) => {
      const tick = document.createElement('span');
      tick.textContent = String(from + step);
      tick.style.setProperty('--at', String(from + step));
      return tick;
    }),
  );
}
