// The cards that answer: the verdict first, then candidates, the details of one cell, and why.
import { name, plural } from '../../model/names';
import { count, percent, plusMinus, short } from '../../model/percent';
import { HIDDEN, type Cell, type Position } from '../../model/position';
import type { Advice, Candidate, CellFacts, Repair } from '../../service/answers';
import type { Findings } from '../../service/analyst';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button, card, chip, figure, raised, spoken, told, working } from '../parts';

/** What the position is worth, in one sentence and two figures. */
export function verdict(app: App, position: Position, ...actions: Child[]): Node_ {
  const known = app.analyst.about(position);
  const found = known ?? app.analyst.before;
  if (found === null) {
    return card('verdict', h('h2', {}, app.analyst.lost ? 'Waiting for the service' : 'Thinking …'));
  }
  if (found.problem !== null) return contradiction(app, position, found);
  const { title, text } = summary(found.position, found);
  if (known !== null) app.say(`${title}. ${text}`);
  return card(
    'verdict',
    h('h2', {}, title),
    text !== '' && h('p', { class: 'quiet' }, raised(text)),
    figures(found, app.analyst.busy),
    wrongMarks(app, found),
    actions.length > 0 && h('div', { class: 'buttons' }, actions),
  );
}

export function summary(position: Position, found: Findings): { title: string; text: string } {
  const { safe, mined, best, marks } = found.analysis!;
  const all = position.values.filter((value) => value < 0).length;
  const layouts = found.analysis!.solutions;
  const agreeing =
    layouts === null
      ? ''
      : `${count(String(layouts), found.analysis!.solutions_log10)} ${String(layouts) === '1' ? 'layout agrees' : 'layouts agree'}.`;
  const minesText = mined.length > 0 ? `${plural(mined.length, 'more mine')} proven. ` : '';
  if (safe.length > 0) {
    return { title: plural(safe.length, 'cell is safe', 'cells are safe'), text: minesText + agreeing };
  }
  if (best === null) {
    const cells = all === 0 || mined.length + marks.length >= all;
    return { title: 'Solved', text: cells ? 'All that is hidden is a mine.' : agreeing };
  }
  if (all === position.size) {
    return { title: 'A fresh board', text: `Nothing is open yet. ${agreeing}` };
  }
  return { title: 'A guess is needed', text: `No cell is safe for sure. ${minesText}${agreeing}` };
}

function figures(found: Findings, busy: boolean): Child {
  const { best, safe } = found.analysis!;
  if (best === null || safe.length > 0) return null;
  const { advice } = found;
  const safety = advice?.safety ?? best.safety;
  return h(
    'div',
    { class: 'figures' },
    figure(percent(safety, false), advice ? 'the best cell is safe' : 'the safest cell is safe'),
    advice?.win !== null && advice?.win !== undefined
      ? figure(percent(advice.win), 'chance to win', plusMinus(advice.win_error ?? 0) || 'exact')
      : figure(busy ? '…' : '–', 'chance to win'),
  );
}

function wrongMarks(app: App, found: Findings): Child {
  const wrong = found.analysis!.marks.filter((mark) => mark.verdict === 'wrong');
  const unproven = found.analysis!.marks.filter((mark) => mark.verdict === 'unproven');
  return [
    wrong.length > 0 &&
      h(
        'p',
        { class: 'warning' },
        `${wrong.length === 1 ? 'This flag is' : 'These flags are'} wrong: `,
        list(
          app,
          wrong.map((mark) => mark.cell),
        ),
      ),
    unproven.length > 0 &&
      h(
        'p',
        { class: 'quiet' },
        `${plural(unproven.length, 'flag is', 'flags are')} not proven: counted as hidden.`,
      ),
  ];
}

export function list(app: App, cells: readonly Cell[], most = 6): Child {
  const more = cells.length - most;
  return [
    cells.slice(0, most).map((cell, number) => [number > 0 && ' ', chip(app, cell)]),
    more > 0 && ` and ${more} more`,
  ];
}

/** A board that cannot be: why, and what would repair it. */
function contradiction(app: App, position: Position, found: Findings): Node_ {
  const problem = found.problem!;
  const totals = (problem.fields['possible_mines'] ?? []) as readonly number[];
  const impossible = 'clues' in problem.fields;
  const title = impossible
    ? 'This board cannot be'
    : problem.status === 504
      ? 'Too hard to count'
      : 'No answer';
  app.say(`${title}: ${spoken([problem.message])}`);
  return card(
    'verdict',
    h('h2', {}, title),
    h('p', { class: 'warning' }, told(app, problem.message)),
    impossible && totals.length === 0 && h('p', { class: 'quiet' }, 'The culprits are marked on the board.'),
    problem.status >= 500 &&
      h(
        'div',
        { class: 'buttons' },
        button('Try again', () => app.analyst.again()),
      ),
    totals.length > 0 &&
      h(
        'div',
        { class: 'buttons' },
        nearest(totals, position.mines).map((total) =>
          button(`Set the total to ${total}`, () => app.analyse.setMines(total)),
        ),
      ),
    (found.repairs?.length ?? 0) > 0 && repairs(app, position, found.repairs!),
  );
}

const MOST_REPAIRS = 4;

/** Single changes that would make the board possible, flags first; undo takes them back. */
function repairs(app: App, position: Position, all: readonly Repair[]): Child {
  const shown = all.toSorted((a, b) => Number(a.number !== null) - Number(b.number !== null));
  const repair = ({ cell, number }: Repair) =>
    button(
      number === null ? `No flag on ${name(cell)}` : `${name(cell)} is a ${number}`,
      () => app.analyse.load(position.with([[position.index(cell), number ?? HIDDEN]])),
      { class: 'button small' },
    );
  return [
    h('p', { class: 'quiet' }, 'One change would make it possible:'),
    h('div', { class: 'buttons' }, shown.slice(0, MOST_REPAIRS).map(repair)),
  ];
}

export function nearest(totals: readonly number[], mines: number): number[] {
  if (totals.length <= 4) return [...totals];
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  return [...new Set(mines < least ? [least] : mines > most ? [most] : [least, most])];
}

/** What a guess could be: a table whose rows light their cells. */
export function candidates(app: App, found: Findings | null): Child {
  if (found?.advice) return weighed(app, found.advice);
  const guess = found?.analysis?.safe.length === 0 && found.analysis.best !== null;
  return guess ? weighing(app) : null;
}

function done({ analyst: { weighed: part } }: App): number | null {
  return typeof part === 'number' ? part : null;
}

/** Until candidates are there, how far that is: what is above is exact without them. */
function weighing(app: App): Node_ {
  const { weighed: done } = app.analyst;
  return card(
    'candidates',
    h('h3', {}, 'Candidates'),
    typeof done === 'string'
      ? [
          h('p', { class: 'quiet' }, `They could not be weighed: ${done}`),
          h(
            'div',
            { class: 'buttons' },
            button('Try again', () => app.analyst.again(), { class: 'button small' }),
          ),
        ]
      : [
          working('Weighing …', done),
          h('p', { class: 'quiet' }, 'Which guess wins most often? All chances of mines are exact already.'),
        ],
  );
}

/** Until the chance to win is there, what it waits for. */
function playing(app: App): Node_ {
  const what = app.analyst.compiling
    ? 'The service is compiling, once on its machine: the chance to win comes in a minute or so …'
    : 'Playing games for the chance to win …';
  return working(what, done(app));
}

/** A table of candidates. */
export function weighed(app: App, advice: Advice): Child {
  if (!advice.cell || advice.alternatives.length === 0) return null;
  const rows: Candidate[] = [{ ...advice, cell: advice.cell }, ...advice.alternatives];
  return card(
    'candidates',
    h('h3', {}, 'Candidates'),
    table(app, rows),
    advice.win === null && app.analyst.busy
      ? playing(app)
      : h('p', { class: 'quiet' }, told(app, advice.reasons.at(-1) ?? advice.reason)),
  );
}

export function table(app: App, rows: readonly Candidate[]): Node_ {
  const wins = rows.some((row) => row.win !== null);
  const head = wins ? 'wins' : rows.some((row) => row.progress !== null) ? 'progress' : null;
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['cell', 'safe', head].map((each) => each && h('th', { scope: 'col' }, each)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((row, number) => candidate(app, row, number === 0, head)),
    ),
  );
}

function candidate(app: App, row: Candidate, best: boolean, head: string | null): Node_ {
  const worth = head === 'wins' ? row.win : row.progress;
  const point = (cell: Cell | null) => () => {
    app.pointed = cell;
    app.changed();
  };
  return h(
    'tr',
    { class: best ? 'is-best' : '', onmouseenter: point(row.cell), onmouseleave: point(null) },
    h('th', { scope: 'row' }, chip(app, row.cell), best && h('span', { class: 'tag' }, 'best')),
    h('td', {}, percent(row.safety, false)),
    head && h('td', {}, worth === null ? '–' : percent(worth)),
  );
}

/** One cell: its chance, and the numbers that it may show. */
export function details(app: App, position: Position, index: number | null): Child {
  if (index === null || index >= position.size) return null;
  const found = app.analyst.about(position);
  const cell = position.cell(index);
  const value = position.values[index]!;
  const chance = found?.analysis?.probability?.[cell[0]]?.[cell[1]] ?? null;
  const facts = found?.facts?.get(index) ?? null;
  return card(
    'details',
    h('h3', {}, name(cell)),
    value >= 0
      ? h('p', { class: 'quiet' }, openWords(position, index))
      : hiddenDetails(found, index, cell, chance, facts),
  );
}

function openWords(position: Position, index: number): string {
  const value = position.values[index]!;
  const hidden = position.neighbours(index).filter((each) => position.values[each]! < 0).length;
  if (hidden === 0) return value === 0 ? 'Open, with no mine around.' : `A ${value}: all around it is open.`;
  return `A ${value}, with ${plural(hidden, 'covered cell')} around.`;
}

function hiddenDetails(
  found: Findings | null,
  index: number,
  cell: Cell,
  chance: number | null,
  facts: CellFacts | null,
): Child {
  if (chance === null || !found?.analysis) return h('p', { class: 'quiet' }, 'No answer yet.');
  const is = (cells: readonly Cell[]) => cells.some((each) => each[0] === cell[0] && each[1] === cell[1]);
  const safe = is(found.analysis.safe);
  const mine = is(found.analysis.mined);
  const mark = found.analysis.marks.find((each) => is([each.cell]));
  const advice = [found.advice, ...(found.advice?.alternatives ?? [])].find(
    (each) => each?.cell && is([each.cell]),
  );
  const words = safe ? 'Proven safe' : mine ? 'Proven mine' : `${percent(chance, false)} mine`;
  const more = [
    mark && `your flag is ${mark.verdict}`,
    facts?.dead && !safe && !mine && 'its number would tell nothing',
    advice?.progress && `proves something next with ${percent(advice.progress)}`,
    advice?.second && `the click after it is safe with ${percent(advice.second)}`,
  ].filter((each): each is string => typeof each === 'string');
  return [
    h('p', {}, h('strong', {}, words), more.length > 0 && ` · ${more.join(' · ')}`),
    facts !== null && !mine && bars(facts, index),
  ];
}

/** The numbers that a cell may show, as a small bar chart that is also a list. */
function bars(facts: CellFacts, index: number): Node_ {
  const safe = facts.numbers.reduce((sum, chance) => sum + chance, 0);
  const numbers = facts.numbers.map((chance) => chance / (safe || 1)); // as the sentences about a guess have them
  const most = Math.max(...numbers, 1e-9);
  return h(
    'figure',
    { class: 'bars', key: `bars-${index}` },
    h(
      'ul',
      { 'aria-label': 'Chances of the numbers it may show, if it is safe' },
      numbers.map((chance, number) =>
        h(
          'li',
          {
            class: chance > 0 ? '' : 'never',
            '--share': chance / most,
            title: `${number}: ${percent(chance)}`,
          },
          h('span', { class: 'share', 'aria-hidden': 'true' }, chance > 0 ? short(chance) : ''),
          h('span', { class: 'bar' }),
          h('span', { class: 'number' }, number),
          h('span', { class: 'unseen' }, `: ${percent(chance)}`),
        ),
      ),
    ),
    h('figcaption', {}, 'the number it shows if safe, in percent'),
  );
}
