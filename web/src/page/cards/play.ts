// What is around the board in a game: counters above, tools below, hints and the end beside.
import { MAX_SIDE } from '../../model/position';
import { sentence } from '../../model/names';
import { clock } from '../../model/percent';
import { icon } from '../../view/icons';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import type { Play } from '../modes/play';
import { button, card, choice, figure, numberField, spoken, toggle, told, working } from '../parts';
import type { GameSettings } from '../settings';
import { details, list } from './answers';
import { legend } from './live';
import { whyCard } from './why';

const SIZES = [
  ['beginner', 9, 9, 10],
  ['intermediate', 16, 16, 40],
  ['expert', 16, 30, 99],
] as const;

export function playAbove(app: App, play: Play): Child {
  return h(
    'div',
    { class: 'counters' },
    h(
      'div',
      { class: 'counter', title: 'mines left' },
      icon('flag'),
      h('span', { 'aria-label': 'mines left' }, play.minesLeft),
    ),
    h(
      'div',
      { class: 'counter', title: 'time' },
      icon('clock'),
      h('span', { 'aria-label': 'time' }, clock(play.seconds)),
    ),
    h('span', { class: 'grow' }),
    tapping(app, play),
    button(
      h('span', { class: 'label' }, 'Hint'),
      () => void play.askHint(),
      { class: 'button beside-hint', 'aria-label': 'Hint' },
      'bulb',
    ),
    button(
      h('span', { class: 'label' }, 'New game'),
      () => play.newGame(),
      { 'aria-label': 'New game' },
      'again',
    ),
    app.settings.zoom !== 1 && button('Fit', () => app.choose({ zoom: 1 }), { class: 'button small' }),
  );
}

/** What a tap does, where there is no right button. */
function tapping(app: App, play: Play): Node_ {
  return button(
    h('span', { class: 'label' }, play.flagging ? 'Tap flags' : 'Tap opens'),
    () => {
      play.flagging = !play.flagging;
      app.changed();
    },
    {
      class: 'button tapping',
      'aria-label': play.flagging ? 'Tap flags' : 'Tap opens',
      'aria-pressed': play.flagging ? 'true' : 'false',
    },
    'flag',
  );
}

export function playBelow(app: App, play: Play): Child {
  const running = play.solver.running;
  return [
    h(
      'div',
      { class: 'bar' },
      h(
        'div',
        { class: 'group', role: 'group', 'aria-label': 'The solver plays' },
        h('span', { class: 'quiet' }, 'Solver'),
        button('Step', () => void play.solver.run('step'), { class: 'button small' }, 'step'),
        button('Until a guess', () => void play.solver.run('guess'), { class: 'button small' }, 'play'),
        running
          ? button('Stop', () => play.solver.stop(), { class: 'button small' }, 'pause')
          : button('To the end', () => void play.solver.run('end'), { class: 'button small' }, 'last'),
      ),
      h('span', { class: 'grow' }),
      choice(
        'Show',
        app.settings.help,
        [
          ['none', 'nothing'],
          ['marks', 'wrong flags'],
          ['all', 'all chances'],
        ],
        (value) => app.choose({ help: value as 'none' | 'marks' | 'all' }),
      ),
    ),
    app.settings.help === 'all' && legend(app),
  ];
}

export function playBeside(app: App, play: Play): Child {
  const { game } = play;
  return [
    play.work &&
      card(
        'work',
        working(play.work.text, play.work.done, () => play.work?.control.abort()),
      ),
    game !== null && game.state !== 'playing' && ending(app, play),
    app.why.open && whyCard(app),
    !app.why.open && hintCard(app, play),
    game === null &&
      card('how', h('h2', {}, 'Click anywhere to begin'), h('p', { class: 'quiet' }, keysHelp())),
    game?.state === 'playing' && !app.why.open && play.hint === null && inGame(app, play),
    app.settings.help === 'all' && details(app, play.position, app.looked),
    options(app, play),
  ];
}

function keysHelp(): string {
  return matchMedia('(pointer: coarse)').matches
    ? 'Tap opens, a long press flags, a tap on a number opens around it.'
    : 'Left opens, right flags, a click on a number opens around it. Keys: arrows, Space, F, I for a hint, S for a step of the solver.';
}

function inGame(app: App, play: Play): Node_ {
  return card(
    'in-game',
    h('h2', {}, 'Your move'),
    progress(play),
    h('p', { class: 'quiet' }, 'A hint gives away a little; each further one a little more.'),
    h(
      'div',
      { class: 'buttons' },
      button('Hint', () => void play.askHint(), { class: 'button main' }, 'bulb'),
      button('Analyse this', () => toAnalyser(app, play), {}, 'eye'),
    ),
  );
}

/** How much of the board is open. */
function progress(play: Play): Node_ {
  const { position } = play;
  const safe = position.size - position.mines;
  const open = position.values.reduce((sum, value) => sum + Number(value >= 0), 0);
  return h(
    'div',
    { class: 'opened' },
    h('progress', { value: open, max: safe, 'aria-label': 'cells opened' }),
    h('span', { class: 'quiet' }, `${open} of ${safe} open`),
  );
}

function toAnalyser(app: App, play: Play): void {
  app.analyse.load(play.position);
  app.switchTo('analyse');
}

const LEVELS = ['Is there something to find?', 'Where?', 'Which numbers?', 'Which cell?', 'Why?'];

function hintCard(app: App, play: Play): Child {
  const { hint } = play;
  if (hint === null) return null;
  const { cell } = hint;
  app.say(spoken(hint.text));
  return card(
    'hint',
    h(
      'h2',
      {},
      sentence(
        hint.kind === 'guess' ? 'a guess is needed' : hint.kind === 'won' ? 'won' : 'something can be proven',
      ),
    ),
    h(
      'ol',
      { class: 'ladder', 'aria-label': `Level ${hint.level} of 5` },
      LEVELS.map((_, level) => h('li', { class: level < hint.level ? 'given' : '' })),
    ),
    hint.text.map((line) => h('p', {}, told(app, line.trim()))),
    hint.candidates && hint.level === 3 && h('p', {}, list(app, hint.candidates)),
    h(
      'div',
      { class: 'buttons' },
      hint.level < 5 &&
        hint.kind !== 'won' &&
        button(LEVELS[hint.level], () => void play.askHint(), { class: 'button main', key: 'more' }, 'bulb'),
      cell && button('Open it', () => void play.open(play.position.index(cell)), { key: 'open' }),
    ),
  );
}

function ending(app: App, play: Play): Node_ {
  const won = play.state === 'won';
  return card(
    'ending',
    h(
      'h2',
      { class: won ? 'right' : 'wrong' },
      icon(won ? 'check' : 'mine'),
      won ? 'Won' : 'That was a mine',
    ),
    h(
      'div',
      { class: 'figures' },
      figure(clock(play.seconds, true), 'time'),
      figure(String(play.game!.moves.length), 'moves'),
    ),
    h(
      'div',
      { class: 'buttons choices' },
      button('Review this game', () => app.review.loadGame(play.game!), { class: 'button main wide' }, 'eye'),
      !won && button('Undo', () => play.undo(), {}, 'undo'),
      button('New game', () => play.newGame(), {}, 'plus'),
      button('Same board again', () => play.again(), { class: won ? 'button' : 'button wide' }, 'again'),
    ),
  );
}

function options(app: App, play: Play): Node_ {
  const { game } = app.settings;
  const set = (change: Partial<GameSettings>) => play.newGame(change);
  const size =
    SIZES.find(([, h_, w, m]) => h_ === game.height && w === game.width && m === game.mines)?.[0] ?? 'custom';
  return h(
    'details',
    { class: 'card card-options', key: 'options', open: play.game === null ? true : undefined },
    h('summary', {}, h('h3', {}, 'The next game')),
    h(
      'div',
      { class: 'sizes', role: 'group', 'aria-label': 'Size' },
      SIZES.map(([name, height, width, mines]) =>
        button(sentence(name), () => set({ height, width, mines }), {
          class: 'button small',
          'aria-pressed': size === name ? 'true' : 'false',
        }),
      ),
    ),
    h(
      'div',
      { class: 'fields' },
      numberField({
        label: 'rows',
        value: game.height,
        least: 1,
        most: Math.min(200, MAX_SIDE),
        act: (height) => set({ height, mines: Math.min(game.mines, height * game.width) }),
      }),
      numberField({
        label: 'columns',
        value: game.width,
        least: 1,
        most: 200,
        act: (width) => set({ width, mines: Math.min(game.mines, game.height * width) }),
      }),
      numberField({
        label: 'mines',
        value: game.mines,
        least: 0,
        most: game.height * game.width,
        act: (mines) => set({ mines }),
      }),
    ),
    h(
      'div',
      { class: 'fields' },
      choice(
        'first click',
        game.first,
        [
          ['open', 'opens an area'],
          ['safe', 'is safe'],
          ['any', 'may be a mine'],
        ],
        (first) => set({ first: first as GameSettings['first'] }),
      ),
      h(
        'label',
        { class: 'field' },
        h('span', {}, 'seed'),
        h('input', {
          inputmode: 'numeric',
          placeholder: 'random',
          value: game.seed,
          onchange: (event: Event) => set({ seed: (event.target as HTMLInputElement).value.trim() }),
        }),
      ),
    ),
    h(
      'div',
      { class: 'fields' },
      toggle('no guessing needed', game.noGuess, (noGuess) => set({ noGuess })),
      game.noGuess &&
        choice(
          'difficulty',
          game.difficulty,
          [
            ['', 'any'],
            ...['gentle', 'normal', 'tricky', 'hard', 'fiendish'].map((each) => [each, each] as const),
          ],
          (difficulty) => set({ difficulty }),
        ),
    ),
    play.seed !== null && h('p', { class: 'quiet' }, `This board: seed ${play.seed}`),
  );
}
