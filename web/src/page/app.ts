// The page: one board, four modes on it, and what they share: live analysis, explanations, settings, the address
// bar, messages. Modes change themselves and call `changed`; everything is then drawn anew.
import type { MsatBoard } from '../board/element';
import { read, write, type ModeName } from '../model/link';
import type { Cell, Position } from '../model/position';
import { Analyst, type Findings } from '../service/analyst';
import { icon } from '../view/icons';
import { fingers } from '../view/pointer';
import { h, render, type Child } from '../view/tree';
import { Analyse } from './modes/analyse';
import { Play } from './modes/play';
import { Review } from './modes/review';
import { Train } from './modes/train';
import { connect } from './wiring';
import { header } from './header';
import { landing } from './landing';
import type { Mode } from './mode';
import { welcome } from './cards/welcome';
import { button } from './parts';
import { load, remember, save, type Settings } from './settings';
import { Why } from './why';

/** Below this the tools under a small board would not have a line of their own. */
const LEAST_STAGE = { analyse: 440, play: 440, review: 640, train: 440 } as const;

/** So much below the board is to be in sight with it; of a review that is all. */
const IN_SIGHT = { analyse: 150, play: 150, review: 260, train: 150 } as const;

interface Choice {
  readonly label: string;
  readonly act: () => void;
}

export class App {
  settings: Settings = load();
  readonly analyst = new Analyst((awaited) => (awaited ? this.draw() : this.changed()));
  readonly why = new Why(() => this.changed());
  readonly analyse: Analyse;
  readonly play: Play;
  readonly review: Review;
  readonly train: Train;
  mode: Mode;
  readonly board: MsatBoard = document.createElement('msat-board') as MsatBoard;
  /** The cell under the pointer, and one that a name in a text points at. */
  hovered: number | null = null;
  pointed: readonly [number, number] | null = null;
  /** Whether somebody has chosen a cell: until then the best one is told of. */
  touched = false;
  message: { text: string; bad: boolean; choices: readonly Choice[] } | null = null;
  private due = 0;
  private said = '';
  private fitted = '';
  private centred = '';
  private followed = -1;
  private addressTimer = 0;
  private addressed = '';

  constructor(readonly root: HTMLElement) {
    this.analyse = new Analyse(this, landing());
    this.play = new Play(this);
    this.review = new Review(this);
    this.train = new Train(this);
    this.mode = this.analyse;
    this.board.setAttribute('label', 'Minesweeper board');
  }

  start(): void {
    this.applySettings();
    connect(this);
    this.openLink(location.hash);
    this.draw();
    // Fitting may itself change sizes, a scroll bar's among them: that must come to an end.
    let times: number[] = [];
    const sized = new ResizeObserver(() => {
      const now = performance.now();
      times = [...times.filter((time) => now - time < 1000), now];
      if (times.length > 5) return;
      this.fitted = '';
      this.changed();
    });
    for (const part of ['.page', '.above', '.below']) sized.observe(this.root.querySelector(part)!);
    // By the event's own address: until it is told, the page may have noted in the bar what was painted before.
    window.addEventListener('hashchange', ({ newURL }) => this.openLink(new URL(newURL).hash));
  }

  /** What is shown may have changed: it is asked about at once, and drawn with the next frame. */
  changed(): void {
    if (this.due !== 0) return;
    this.due = requestAnimationFrame(() => this.draw());
    queueMicrotask(() => this.study());
  }

  private study(): void {
    const { mode } = this;
    this.analyst.study(mode.wish === null ? null : mode.position, mode.wish ?? 'advice');
  }

  switchTo(name: ModeName): void {
    if (this.mode.name !== name) {
      this.mode.leave?.();
      this.why.close();
      this.mode = { analyse: this.analyse, play: this.play, review: this.review, train: this.train }[name];
      this.message = null;
      this.mode.enter?.();
    }
    this.changed();
  }

  choose(change: Partial<Settings>): void {
    this.settings = { ...this.settings, ...change };
    save(this.settings);
    this.applySettings();
    this.changed();
  }

  tell(text: string, bad = false, choices: readonly Choice[] = []): void {
    this.message = { text, bad, choices };
    this.say(text);
    this.changed();
  }

  /** Words for a screen reader. */
  say(text: string): void {
    if (text === this.said) return;
    this.said = text;
    const region = this.root.querySelector('#live');
    if (region) region.textContent = text;
  }

  /** The answers about what is on the board, if they have come. */
  get findings(): Findings | null {
    return this.analyst.about(this.mode.position);
  }

  /** The cell whose details are shown. */
  get looked(): number | null {
    if (this.hovered !== null) return this.hovered;
    const { subject } = this.mode;
    const best =
      subject === undefined
        ? (this.findings?.advice?.cell ?? this.findings?.analysis?.best?.cell ?? null)
        : subject;
    if (!this.touched && best) return this.mode.position.index(best);
    return this.touched ? this.board.cursor : null;
  }

  /** What the page's styles are to know. */
  private get situation(): string[] {
    return [...(this.welcoming ? ['welcoming'] : []), ...(this.why.open ? ['explaining'] : [])];
  }

  /** Whether somebody is here for the first time. */
  get welcoming(): boolean {
    return !this.settings.welcomed && this.mode === this.analyse;
  }

  /** Somebody paints, and needs no welcome any more; below a mouse the board stays where it is until that is gone. */
  greeted(): void {
    if (this.settings.welcomed || (!fingers() && this.board.matches(':hover'))) return;
    this.choose({ welcomed: true });
  }

  /** How far the answers about what is on the board are; for whoever watches from outside. */
  private get state(): string {
    if (this.mode.wish === null) return 'quiet';
    if (this.analyst.lost) return 'lost';
    const { findings } = this;
    if (findings === null) return 'thinking';
    return findings.problem === null ? 'answered' : 'impossible';
  }

  private openLink(hash: string): void {
    const link = read(hash, location.search);
    if (link.problem !== null) this.tell(link.problem, true);
    if (link.position !== null) this.analyse.load(link.position);
    this.touched = false;
    if (link.text !== null) void this.analyse.readText(link.text, true);
    const mode = link.mode ?? 'analyse';
    if (mode === 'play' && link.position) this.play.resumeOrLeave(link.position);
    else this.switchTo(mode);
  }

  applySettings(): void {
    const { dataset } = document.documentElement;
    const { theme, motion } = this.settings;
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    if (motion) delete dataset['motion'];
    else dataset['motion'] = 'none';
    document.documentElement.toggleAttribute('data-fingers', fingers());
  }

  private draw(): void {
    const { mode } = this;
    cancelAnimationFrame(this.due);
    this.due = -1; // what is noticed while asking is drawn here
    this.why.keepFor(mode.position);
    this.study();
    this.due = 0;
    render(this.root, ...this.tree());
    const place = this.root.querySelector('.place')!;
    if (this.board.parentNode !== place) place.append(this.board);
    this.board.painting = mode.painting;
    this.board.turning = mode.wheel !== undefined;
    this.board.toggleAttribute('data-painting', mode.painting);
    this.board.dataset['tiles'] = this.settings.tiles;
    this.board.toggleAttribute('coordinates', this.settings.edges);
    this.board.dataset['state'] = this.state;
    this.board.show(mode.shown, { ...mode.overlay(), pointed: this.pointed });
    this.fitWhereNeeded();
    this.followProof();
    this.writeAddress();
  }

  /** The sentence that is being read stays in sight. */
  private followProof(): void {
    if (this.why.step === this.followed) return;
    this.followed = this.why.step;
    this.root.querySelector('.proof .now')?.scrollIntoView({ block: 'nearest' });
  }

  private tree(): Child[] {
    const { mode } = this;
    return [
      header(this),
      h(
        'main',
        { class: ['page', `mode-${mode.name}`, ...this.situation].join(' ') },
        welcome(this),
        h(
          'section',
          { class: 'stage', 'aria-label': 'The board and its tools', key: 'stage' },
          h('div', { class: 'above' }, mode.above()),
          h('div', { class: 'place', inner: true, key: 'board' }),
          this.settings.zoom !== 1 &&
            h(
              'div',
              { class: 'fit', key: 'fit' },
              button('Fit the board', () => this.showAll(), { class: 'button small' }, 'fit'),
            ),
          h('div', { class: 'below' }, mode.below()),
        ),
        h('aside', { class: 'panel', 'aria-label': 'Answers', key: 'panel' }, this.notices(), mode.beside()),
      ),
      h('div', { id: 'live', class: 'unseen', 'aria-live': 'polite', inner: true }),
    ];
  }

  private notices(): Child {
    return [
      this.analyst.slow &&
        h(
          'div',
          { class: 'notice lost', role: 'status', key: 'slow' },
          h('strong', {}, 'The service takes its time.'),
          ' You can go on; the answer comes as soon as it is there.',
        ),
      this.analyst.lost &&
        h(
          'div',
          { class: 'notice lost', role: 'status', key: 'lost' },
          h('strong', {}, 'No connection to the service.'),
          ' What you painted is kept; answers go on as soon as it is back.',
        ),
      this.message &&
        h(
          'div',
          {
            class: `notice ${this.message.bad ? 'bad' : ''}`,
            role: this.message.bad ? 'alert' : 'status',
            key: 'm',
          },
          h(
            'div',
            {},
            this.message.text,
            this.message.choices.length > 0 &&
              h(
                'div',
                { class: 'buttons' },
                this.message.choices.map(({ label, act }) => button(label, act, { class: 'button small' })),
              ),
          ),
          h(
            'button',
            { class: 'plain', 'aria-label': 'Dismiss', onclick: () => this.dismiss() },
            icon('cross'),
          ),
        ),
    ];
  }

  dismiss(): void {
    this.message = null;
    this.changed();
  }

  /** What went wrong is over as soon as something succeeds. */
  forgive(): void {
    if (this.message?.bad) this.message = null;
  }

  /** Measuring lays the page out, so it is done only when something has another size. */
  private fitWhereNeeded(): void {
    const { height, width } = this.mode.shown;
    const { welcoming, settings } = this;
    const screen = [window.innerWidth, window.innerHeight, this.mode.name, welcoming];
    const sizes = [...screen, height, width, settings.zoom, settings.edges];
    if (sizes.join() === this.fitted) return;
    this.fitted = sizes.join();
    this.fit();
    const size = `${height}×${width}`;
    if (size !== this.centred && this.board.scrolls) this.board.centre(busiest(this.mode.shown));
    this.centred = size;
  }

  /** The board as it was before fingers made it larger and moved it. */
  private showAll(): void {
    this.choose({ zoom: 1 });
    this.draw();
    if (this.board.scrolls) this.board.centre(busiest(this.mode.shown));
    this.board.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Gives the board all the room there is: the width of its column, and the height without scrolling. */
  private fit(): void {
    const page = this.root.querySelector<HTMLElement>('.page')!;
    const panel = this.root.querySelector('.panel')!;
    const below = this.root.querySelector('.below')!;
    const wide = window.innerWidth >= 900;
    const top = this.board.getBoundingClientRect().top + window.scrollY;
    const rest = wide ? Math.min(below.getBoundingClientRect().height, IN_SIGHT[this.mode.name]) : 120;
    const height = Math.max(window.innerHeight - top - rest - 28, 260);
    const { paddingLeft, paddingRight, columnGap } = getComputedStyle(page);
    const beside = wide ? panel.clientWidth + 2 + parseFloat(columnGap) : 0;
    const width = page.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - beside;
    // The numbers of the rows hang into the margin, so that all that is below one another begins at one line.
    const hang = -parseFloat(getComputedStyle(this.board).marginLeft) || 0;
    this.board.available = { width: width + hang, height: wide ? height : Infinity };
    this.board.zoom = this.settings.zoom;
    const edge = Math.max(this.board.edge.left - hang, 0);
    const taken = Math.min(this.board.cellSize * this.mode.shown.width + edge, width);
    page.style.setProperty('--stage', `${Math.max(taken, Math.min(width, LEAST_STAGE[this.mode.name]))}px`);
    this.board.style.setProperty('--most', `${Math.max(height, window.innerHeight * 0.6)}px`);
  }

  /** The position is always in the address: as soon as painting rests, since a change of it is dear. */
  private writeAddress(): void {
    const link = write(this.mode.position, this.mode.name);
    if (link === this.addressed) return;
    this.addressed = link;
    clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => {
      history.replaceState(null, '', link);
      if (this.mode === this.analyse) remember('msat.position', this.mode.position.toLine());
    }, 200);
  }
}

/** The open cell that is nearest to the middle of all open ones: where a large board is worth looking at. */
function busiest(position: Position): number {
  const open = [...position.values.keys()].filter((index) => position.values[index]! >= 0);
  const cells = open.map((index) => position.cell(index));
  const middle = (axis: 0 | 1) =>
    cells.reduce((sum, cell) => sum + cell[axis], 0) / Math.max(cells.length, 1);
  const [row, col] = [middle(0), middle(1)];
  const away = (cell: Cell) => Math.hypot(cell[0] - row, cell[1] - col);
  const nearest = cells.reduce<Cell | null>(
    (best, cell) => (best && away(best) <= away(cell) ? best : cell),
    null,
  );
  return nearest === null ? 0 : position.index(nearest);
}
