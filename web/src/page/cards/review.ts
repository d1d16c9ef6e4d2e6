// What is around the board in a review: the timeline below, the verdict and the decisions beside.
import { name } from '../../model/names';
import { percent, plusMinus } from '../../model/percent';
import { steps } from '../../model/proof';
import type { Review as Judgement, ReviewedMove } from '../../service/answers';
import { icon } from '../../view/icons';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { uncertain, type Review } from '../modes/review';
import { exampleGame } from '../example';
import { button, card, chip, figure, numbered, told, working } from '../parts';
import { open } from '../wiring';
import { details, list } from './answers';
import { timeline } from './timeline';
import { whyCard } from './why';

export function reviewBelow(app: App, review: Review): Child {
  if (review.loaded === null) return null;
  return [
    timeline(app, review),
    h(
      'div',
      { class: 'bar transport' },
      h(
        'div',
        { class: 'steps' },
        button('', () => review.go(0), { 'aria-label': 'To the beginning' }, 'first'),
        button('', () => review.go(review.at - 1), { 'aria-label': 'Back' }, 'left'),
        h(
          'span',
          { class: 'where' },
          review.at < review.count ? `Move ${review.at + 1} of ${review.count}` : 'The end',
        ),
        button('', () => review.go(review.at + 1), { 'aria-label': 'Forward' }, 'right'),
        button('', () => review.go(review.count), { 'aria-label': 'To the end' }, 'last'),
      ),
      button('Next mistake', () => review.goMistake(), {
        'aria-disabled': review.judged?.mistakes.length ? null : 'true',
      }),
      button('Next risk', () => review.goUncertain()),
      h('span', { class: 'grow' }),
      button(
        'Play on',
        () => review.playOn(),
        { 'aria-label': 'Play on from here', title: 'Play on from here' },
        'play',
      ),
    ),
    signs(),
  ];
}

function signs(): Node_ {
  const entry = (kind: string, text: string) =>
    h('li', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, h('i', { class: kind })), text);
  return h(
    'ul',
    { class: 'legend', 'aria-label': 'Legend' },
    entry('ring', 'opened next'),
    entry('ring good', 'better'),
    entry('disc', 'guess'),
    entry('diamond', 'mistake'),
    entry('disc unlucky', 'bad luck'),
    entry('crossed', 'wrong flag'),
  );
}

export function reviewBeside(app: App, review: Review): Child {
  if (review.loaded === null) return nothing(app, review);
  return [
    review.working &&
      card(
        'work',
        working(review.reading ? 'Reading the game …' : 'Judging every decision …', review.done, () =>
          stop(app, review),
        ),
      ),
    review.error !== null &&
      card(
        'error',
        h('h2', {}, 'Not judged'),
        h('p', { class: 'warning' }, review.error),
        h(
          'div',
          { class: 'buttons' },
          button('Try again', () => review.again(), { class: 'button main' }, 'again'),
        ),
      ),
    review.judged && whole(app, review.judged),
    app.why.open ? whyCard(app) : decision(app, review),
    flags(app, review),
    review.judged && decisions(review, review.judged),
    details(app, review.position, app.looked),
    loader(app, 'Review another game'),
  ];
}

function stop(app: App, review: Review): void {
  review.stop();
  app.changed();
}

function nothing(app: App, review: Review): Child {
  const { game } = app.play;
  if (review.reading)
    return card(
      'work',
      working('Reading the game …', null, () => stop(app, review)),
    );
  return card(
    'welcome',
    h('h2', {}, 'Which decisions cost you the game?'),
    h('p', {}, 'Every decision is judged by the chance to win that it kept. What remains is luck.'),
    h(
      'div',
      { class: 'buttons' },
      game !== null &&
        button('The game just played', () => review.loadGame(game), { class: 'button main' }, 'eye'),
      game === null &&
        button('See an example', () => review.loadGame(exampleGame()), { class: 'button main' }, 'eye'),
      fileButton(app, 'Open a saved game'),
      game === null && button('Play one', () => app.switchTo('play'), {}, 'play'),
    ),
    h(
      'p',
      { class: 'quiet' },
      'Or drop a game on this page: one of msat, RAWVF, .msor of the web analyser; AVF, EVF, RMV or MVF.',
    ),
  );
}

function loader(app: App, text: string): Node_ {
  return h('div', { class: 'buttons' }, fileButton(app, text));
}

function fileButton(app: App, text: string): Node_ {
  return h(
    'label',
    { class: 'button filer' },
    icon('file'),
    text,
    h('input', {
      type: 'file',
      class: 'unseen',
      onchange: (event: Event) => {
        const input = event.target as HTMLInputElement;
        const file = input.files?.[0];
        input.value = '';
        if (file) void open(app, file);
      },
    }),
  );
}

function whole(app: App, judged: Judgement): Node_ {
  return card(
    'verdict',
    h('h2', {}, `You kept ${percent(judged.kept)} of your chances`),
    // The title has said how much was kept.
    h('p', { class: 'quiet' }, told(app, inPercent(judged.summary.replace(KEPT, '')))),
    h(
      'div',
      { class: 'figures three' },
      figure(percent(judged.chance_at_start), 'at the start'),
      figure(judged.luck_before.toFixed(2), judged.state === 'lost' ? 'luck so far' : 'luck'),
      figure(String(judged.mistakes.length), judged.mistakes.length === 1 ? 'mistake' : 'mistakes'),
    ),
  );
}

const KEPT = /[;:] you kept [^;:]* of your chances(?:, the rest is luck)?$/;

/** Shares as the page writes them everywhere. */
function inPercent(text: string): string {
  return text.replace(/\bkept (\d\.\d+)/g, (_, share: string) => `kept ${percent(Number(share))}`);
}

const KINDS: Readonly<Record<ReviewedMove['kind'], string>> = {
  start: 'start',
  proven: 'certain',
  needless: 'needless risk',
  blunder: 'blunder',
  guess: 'guess',
  mark: 'flag',
};

function tone(move: ReviewedMove): string {
  if (move.mistake || move.kind === 'needless' || move.kind === 'blunder') return 'bad';
  if (move.fatal) return 'unlucky';
  return move.kind === 'guess' ? 'good' : 'plain';
}

function label(move: ReviewedMove): string {
  if (move.kind === 'guess') {
    if (move.mistake) return 'poor guess';
    return move.fatal ? 'unlucky' : 'good guess';
  }
  return KINDS[move.kind];
}

/** The flags on the board that are wrong in truth. */
function flags(app: App, review: Review): Child {
  const wrong = [...review.wrongFlags].map((index) => review.position.cell(index));
  if (wrong.length === 0) return null;
  return card(
    'flags',
    h(
      'p',
      { class: 'warning' },
      wrong.length === 1 ? 'No mine is below this flag: ' : 'No mine is below these flags: ',
      list(app, wrong),
    ),
  );
}

/** The decision that is looked at. */
function decision(app: App, review: Review): Child {
  const { move } = review;
  if (move === null) return null;
  const risk = move.kind === 'guess' || move.kind === 'needless' || move.kind === 'blunder';
  return card(
    'decision',
    h('h3', {}, `Move ${move.number} `, h('span', { class: `tag ${tone(move)}` }, label(move))),
    h(
      'p',
      {},
      move.action === 'chord' ? 'Opened around ' : move.action === 'open' ? 'Opened ' : 'Flag on ',
      chip(app, move.cell),
      risk && `, safe with ${percent(move.safety, move.safety === 0 || move.safety === 1)}`,
      '. ',
      told(app, move.reason),
      '.',
    ),
    risk &&
      h(
        'div',
        { class: 'figures three' },
        figure(percent(move.win), 'wins', plusMinus(move.win_error)),
        figure(percent(move.best_win), 'best', plusMinus(move.error)),
        figure(percent(move.kept), 'kept'),
      ),
    move.proof.length > 0 && review.proofShown && numbered(app, steps(move.proof).steps),
    h(
      'div',
      { class: 'buttons' },
      move.proof.length > 0 &&
        button(review.proofShown ? 'Hide the proof' : 'Show the proof', () => {
          review.proofShown = !review.proofShown;
          app.changed();
        }),
      button('Analyse this', () => {
        app.analyse.load(review.position);
        app.switchTo('analyse');
      }),
    ),
  );
}

/** Everything that was not certain, to jump to. */
function decisions(review: Review, judged: Judgement): Child {
  const moves = judged.moves.filter((move) => uncertain(move) || move.mistake);
  if (moves.length === 0) return null;
  return card(
    'decisions',
    h('h3', {}, 'Decisions with a risk'),
    h(
      'ul',
      { class: 'moves' },
      moves.map((move) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              class: 'plain move',
              'aria-current': review.at === move.number - 1 ? 'step' : null,
              onclick: () => review.go(move.number - 1),
            },
            h('span', { class: 'no' }, move.number),
            h('span', { class: 'at' }, name(move.cell)),
            h('span', { class: `tag ${tone(move)}` }, label(move)),
            h('span', { class: 'quiet' }, `kept ${percent(move.kept)}`),
          ),
        ),
      ),
    ),
  );
}
