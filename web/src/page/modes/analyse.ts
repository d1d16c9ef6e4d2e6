// Analyse: set up any position by mouse, keys, finger or paste, and see exact answers while you do.
import type { CellDetail } from '../../board/gestures';
import type { Overlay } from '../../board/overlay';
import { History } from '../../model/history';
import { FLAG, HIDDEN, Position, type Cell } from '../../model/position';
import { cancelled } from '../../service/client';
import { icon } from '../../view/icons';
import { keyOf } from '../../view/keys';
import { h, type Child } from '../../view/tree';
import type { App } from '../app';
import { candidates, details, verdict } from '../cards/answers';
import { whyCard, whyOverlay } from '../cards/why';
import { live, legend } from '../cards/live';
import { positionText } from '../cards/text';
import type { Mode } from '../mode';
import { button, numberField } from '../parts';
import { readings, readPosition } from '../reading';

/** What the brush puts down; null only looks. */
export type Brush = number | null;

const BRUSHES: readonly Brush[] = [null, HIDDEN, FLAG, 0, 1, 2, 3, 4, 5, 6, 7, 8];

export class Analyse implements Mode {
  readonly name = 'analyse';
  readonly wish = 'advice';
  brush: Brush = null;
  /** What is being typed into the field for positions, and what is wrong with it. */
  typed: string | null = null;
  unread: string | null = null;
  private readonly history: History<Position>;
  private stroke: { value: number; begun: boolean } | null = null;
  private reading: AbortController | null = null;

  constructor(
    private readonly app: App,
    position: Position,
  ) {
    this.history = new History(position);
  }

  get position(): Position {
    return this.history.current;
  }

  get shown(): Position {
    return this.position;
  }

  get painting(): boolean {
    return this.brush !== null;
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  undo(): void {
    this.history.undo();
    this.moved();
  }

  redo(): void {
    this.history.redo();
    this.moved();
  }

  /** Something else is on the board: what could not be read before no longer matters. */
  private moved(): void {
    this.typed = null;
    this.unread = null;
    this.app.forgive();
    this.app.changed();
  }

  /** Another position; the one before can be had back by undo. */
  load(position: Position): void {
    this.reading?.abort(); // a text that is still being read comes too late
    if (!position.equals(this.position)) this.history.push(position);
    this.moved();
  }

  setMines(mines: number): void {
    this.load(this.position.withMines(Math.min(Math.max(mines, 0), this.position.size)));
  }

  resize(height: number, width: number): void {
    const { mines } = this.position;
    this.load(this.position.resized(height, width, Math.min(mines, height * width)));
  }

  /** A text in any form that msat reads. */
  async readText(text: string, quiet = false, form?: string): Promise<boolean> {
    this.reading?.abort();
    const control = new AbortController();
    this.reading = control;
    try {
      const { position, note } = await readPosition(text, this.position, control.signal, form);
      const { typed } = this;
      this.load(position);
      this.app.touched = false; // the cell that was chosen before means nothing here
      this.typed = typed; // a text in the field stays as it is written
      if (note !== null) this.app.tell(note);
      else if (form !== undefined) this.app.dismiss();
      else if (!quiet) this.app.say('The position was read.');
      return true;
    } catch (error) {
      if (cancelled(error)) return false;
      this.unread = error instanceof Error ? error.message : String(error);
      const choices = readings(this.unread).map(([each, label]) => ({
        label,
        act: () => void this.readText(text, quiet, each),
      }));
      if (choices.length > 0) this.app.tell('This text can be read in two ways.', false, choices);
      else if (this.typed === null) this.app.tell(`This was not read: ${this.unread}`, true);
      this.app.changed();
      return false;
    }
  }

  overlay(): Overlay {
    return { ...live(this.app, this.position), ...whyOverlay(this.app) };
  }

  press({ index, button: pressed }: CellDetail): void {
    if (pressed === 2) {
      const value = this.position.values[index] === FLAG ? HIDDEN : FLAG;
      this.begin(value, index);
    } else if (pressed === 0 && this.brush !== null) this.begin(this.brush, index);
  }

  drag({ index }: CellDetail): void {
    if (this.stroke !== null) this.paint(index, this.stroke.value);
  }

  release(): void {
    this.stroke = null;
  }

  cancel(): void {
    if (this.stroke?.begun) this.history.forget();
    this.stroke = null;
  }

  long(index: number): void {
    this.begin(this.position.values[index] === FLAG ? HIDDEN : FLAG, index);
    this.stroke = null;
  }

  wheel(index: number, turn: number): boolean {
    const order = [HIDDEN, 0, 1, 2, 3, 4, 5, 6, 7, 8, FLAG];
    const at = order.indexOf(this.position.values[index]!);
    this.begin(order[(at + turn + order.length) % order.length]!, index);
    this.stroke = null;
    return true;
  }

  key(event: KeyboardEvent, index: number): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = keyOf(event);
    if (/^[0-8]$/.test(key)) this.put(index, Number(key));
    else if (key === 'h' || key === 'Delete' || key === 'Backspace')
      this.put(index, HIDDEN, key !== 'Backspace');
    else if (key === 'f') this.put(index, FLAG);
    else if (this.app.why.key(event, this.position.cell(index))) return true;
    else if (key === 'w' || key === '?') this.explain(this.position.cell(index));
    else if ((key === ' ' || key === 'Enter') && this.brush !== null) this.begin(this.brush, index);
    else return false;
    this.stroke = null;
    return true;
  }

  explain(cell: Cell): void {
    this.app.board.cursor = this.position.index(cell); // W goes on there
    const advice = this.app.findings?.advice;
    const best = advice?.cell?.[0] === cell[0] && advice.cell[1] === cell[1];
    if (this.position.at(...cell) < 0) void this.app.why.ask(this.position, cell, best ? advice.reasons : []);
    else this.app.tell('This cell is open: ask about one that is covered.');
  }

  above(): Child {
    return null;
  }

  below(): Child {
    return [this.palette(), legend(this.app), positionText(this.app, this)];
  }

  beside(): Child {
    const { app, position } = this;
    const found = app.analyst.about(position);
    const best = found?.advice?.cell ?? found?.analysis?.best?.cell ?? null;
    const at = this.asked;
    return [
      app.why.open
        ? whyCard(app)
        : verdict(
            app,
            position,
            best &&
              button(
                'Why?',
                () => this.explain(at ?? best),
                { class: 'button main', key: 'why' },
                'question',
              ),
            best && button('Go there', () => app.board.moveCursor(position.index(best), true), { key: 'go' }),
            found?.analysis && button('Play on', () => void app.play.from(position), { key: 'play' }),
          ),
      !app.why.open && candidates(app, found),
      details(app, position, app.looked),
    ];
  }

  /** The covered cell that somebody has chosen, if that is one to ask about. */
  private get asked(): Cell | null {
    const { cursor } = this.app.board;
    return this.app.touched && this.position.values[cursor]! < 0 ? this.position.cell(cursor) : null;
  }

  private palette(): Child {
    const { height, width, mines } = this.position;
    return h(
      'div',
      { class: 'palette' },
      h(
        'div',
        { class: 'brushes', role: 'radiogroup', 'aria-label': 'Brush' },
        BRUSHES.map((brush) => this.brushButton(brush)),
      ),
      h(
        'div',
        { class: 'size' },
        numberField({ label: 'rows', value: height, least: 1, most: 200, act: (n) => this.resize(n, width) }),
        numberField({
          label: 'columns',
          value: width,
          least: 1,
          most: 200,
          act: (n) => this.resize(height, n),
        }),
        numberField({
          label: 'mines',
          value: mines,
          least: 0,
          most: height * width,
          act: (n) => this.setMines(n),
        }),
        button('Clear', () => this.load(Position.blank(height, width, mines)), { class: 'button small' }),
      ),
    );
  }

  private brushButton(brush: Brush): Child {
    const [label, sign]: [string, Child] =
      brush === null
        ? ['Look', icon('look')]
        : brush === HIDDEN
          ? ['Hidden', icon('hidden')]
          : brush === FLAG
            ? ['Flag', icon('flag')]
            : [String(brush), String(brush)];
    return h(
      'button',
      {
        class: `brush ${brush !== null && brush >= 0 ? `b${brush}` : ''}`,
        role: 'radio',
        'aria-checked': this.brush === brush ? 'true' : 'false',
        tabindex: this.brush === brush ? 0 : -1,
        'aria-label': label,
        title: label,
        onclick: () => this.takeBrush(brush),
        onkeydown: (event: KeyboardEvent) => this.stepBrush(event, brush),
      },
      sign,
    );
  }

  takeBrush(brush: Brush): void {
    this.brush = brush;
    this.app.changed();
  }

  /** Arrows go through the brushes, as through any group of which one is chosen. */
  private stepBrush(event: KeyboardEvent, brush: Brush): void {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = (BRUSHES.indexOf(brush) + step + BRUSHES.length) % BRUSHES.length;
    const { children } = (event.currentTarget as HTMLElement).parentElement!;
    (children[next] as HTMLElement).focus();
    this.takeBrush(BRUSHES[next] as Brush);
  }

  /** A stroke begins: one step to undo, however far it goes. */
  private begin(value: number, index: number): void {
    this.stroke = { value, begun: false };
    this.paint(index, value);
  }

  private paint(index: number, value: number): void {
    if (this.stroke === null || this.position.values[index] === value) return;
    const next = this.position.with([[index, value]]);
    if (this.stroke.begun) this.history.replace(next);
    else this.history.push(next);
    this.app.greeted();
    this.stroke.begun = true;
    this.moved();
  }

  /** By keys: the cursor moves on. */
  private put(index: number, value: number, onward = true): void {
    this.begin(value, index);
    const { size } = this.position;
    this.app.board.moveCursor((index + (onward ? 1 : size - 1)) % size, true);
  }
}
