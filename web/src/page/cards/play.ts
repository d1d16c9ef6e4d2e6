// What is around the board in a game: counters above, tools below, hints and the end beside.
import { name, sentence } from '../../model/names';
import { clock } from '../../model/percent';
import { steps } from '../../model/proof';
import type { Hint } from '../../service/answers';
import { icon } from '../../view/icons';
import { fingers } from '../../view/pointer';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import type { Play } from '../modes/play';
import { button, card, choice, figure, numbered, numberField, spoken, toggle, told, working } from '../parts';
import { DIFFICULTIES, MOST_SIDE, SEED, type GameSettings } from '../settings';
import { details, table } from './answers';
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
      { class: 'button beside-hint', 'aria-label': 'Hint', 'aria-disabled': hintable(play) ? null : 'true' },
      'bulb',
    ),
    button(
      h('span', { class: 'label' }, 'New game'),
      () => play.newGame(),
      { 'aria-label': 'New game' },
      'again',
    ),
  );
}

/** Whether there is a game to give a hint for. */
function hintable(play: Play): boolean {
  return play.game?.state === 'playing';
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
    play.flagging ? 'flag' : 'look',
  );
}

/** What is needed most, in reach of a thumb: only phones show it. */
function thumb(app: App, play: Play): Node_ {
  return h(
    'div',
    { class: 'thumb', role: 'group', 'aria-label': 'Tools of the game' },
    tapping(app, play),
    button('Undo', () => play.undo(), { 'aria-disabled': play.canUndo ? null : 'true' }, 'undo'),
    button('Hint', () => void play.askHint(), { 'aria-disabled': hintable(play) ? null : 'true' }, 'bulb'),
    button('New', () => play.newGame(), { 'aria-label': 'New game' }, 'again'),
  );
}

export function playBelow(app: App, play: Play): Child {
  const running = play.solver.running;
  return [
    thumb(app, play),
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
    game === null && card('how', h('h2', {}, `${fingers() ? 'Tap' : 'Click'} anywhere to begin`), howTo()),
    game?.state === 'playing' && !app.why.open && play.hint === null && inGame(app, play),
    app.settings.help === 'all' && details(app, play.position, app.looked),
    options(app, play),
  ];
}

function howTo(): Node_ {
  const means: readonly (readonly [string, string])[] = fingers()
    ? [
        ['tap', 'opens; on a number, what is around it'],
        ['long press', 'flags'],
        ['two fingers', 'move and zoom the board'],
      ]
    : [
        ['left click', 'opens; on a number, what is around it'],
        ['right click', 'flags'],
        ['keys', 'arrows, Space, F; I a hint, U undo'],
      ];
  return h(
    'dl',
    { class: 'keys' },
    means.map(([what, meaning]) => [h('dt', {}, h('kbd', {}, what)), h('dd', {}, meaning)]),
  );
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
    h('h3', {}, `Hint ${hint.level} of 5`),
    h('h2', {}, hintTitle(hint)),
    h(
      'ol',
      { class: 'ladder', 'aria-label': `Level ${hint.level} of 5` },
      LEVELS.map((_, level) => h('li', { class: level < hint.level ? 'given' : '' })),
    ),
    hint.level === 5 ? reasons(app, hint) : hint.text.map((line) => h('p', {}, told(app, line.trim()))),
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

function hintTitle({ kind, level, cell }: Hint): string {
  if (kind === 'won') return 'Won';
  if (kind === 'guess') return cell ? `Try ${name(cell)}` : 'A guess is needed';
  if (cell) return `${name(cell)} is safe`;
  return ['Something can be proven', 'Look here', 'These numbers prove it'][level - 1]!;
}

/** All that a hint can give away: the proof, or what a guess is worth beside the others. */
function reasons(app: App, hint: Hint): Child {
  const { advice } = hint;
  const lines = hint.kind === 'guess' ? hint.text : steps(hint.text).steps;
  return [
    numbered(app, lines),
    hint.kind === 'guess' &&
      advice?.cell &&
      advice.alternatives.length > 0 &&
      table(app, [{ ...advice, cell: advice.cell }, ...advice.alternatives]),
  ];
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
      { class: 'fields stacked three' },
      numberField({
        label: 'rows',
        value: game.height,
        least: 1,
        most: MOST_SIDE,
        act: (height) => set({ height, mines: Math.min(game.mines, height * game.width) }),
      }),
      numberField({
        label: 'columns',
        value: game.width,
        least: 1,
        most: MOST_SIDE,
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
      { class: 'fields stacked two' },
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
          onchange: (event: Event) => setSeed(app, play, (event.target as HTMLInputElement).value.trim()),
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
          [['', 'any'], ...DIFFICULTIES.map((each) => [each, each] as const)],
          (difficulty) => set({ difficulty }),
        ),
    ),
    play.seed !== null && h('p', { class: 'quiet' }, `This board: seed ${play.seed}`),
  );
}

function setSeed(app: App, play: Play, seed: string): void {
  if (SEED.test(seed)) play.newGame({ seed });
  else app.tell(`A seed is a whole number of at most 15 digits, not “${seed.slice(0, 40)}”.`, true);
}
