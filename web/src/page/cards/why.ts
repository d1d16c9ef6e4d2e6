// Why a cell is what it is: the sentences of the proof, one after the other, with their clues lit.
import type { Overlay } from '../../board/overlay';
import { name, plural } from '../../model/names';
import { percent } from '../../model/percent';
import type { Explanation } from '../../service/answers';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button, card, spoken, told, working } from '../parts';

/** What an open explanation lays over the board. */
export function whyOverlay(app: App): Overlay {
  const { why } = app;
  if (!why.open) return {};
  const lit: Overlay = { target: why.cell, candidates: [], best: null };
  return why.answer === null
    ? lit
    : { ...lit, clues: why.answer.clues, current: why.current, witness: why.layout };
}

export function whyCard(app: App, ...actions: Child[]): Child {
  const { why } = app;
  if (why.cell === null) return null;
  const close = button(
    '',
    () => closeWhy(app),
    { class: 'plain close', 'aria-label': 'Close the explanation' },
    'cross',
  );
  if (why.error !== null) {
    return card(
      'why',
      h('h2', {}, 'No explanation'),
      close,
      h('p', { class: 'warning' }, told(app, why.error)),
    );
  }
  if (why.answer === null)
    return card('why', h('h2', {}, name(why.cell)), close, working('Looking for a proof …'));
  return proof(app, why.answer, close, actions);
}

function proof(app: App, answer: Explanation, close: Node_, actions: readonly Child[]): Node_ {
  const { why } = app;
  const { sentences, step } = why;
  const heading = why.guessed ? `Why ${name(answer.cell)}?` : title(answer);
  app.say(spoken(step < 0 ? [heading, ...sentences] : [sentences[step] ?? '']));
  return card(
    'why',
    h('h2', {}, heading),
    close,
    h('p', { class: 'quiet' }, evidence(answer, why.rules)),
    h(
      'ol',
      { class: 'proof' },
      sentences.map((line, number) =>
        h(
          'li',
          { class: number === step ? 'now' : '', 'aria-current': number === step ? 'step' : null },
          h(
            'button',
            { class: 'plain pick', 'aria-label': `Sentence ${number + 1}`, onclick: () => why.go(number) },
            number + 1,
          ),
          h('span', {}, told(app, line)),
        ),
      ),
    ),
    answer.witnesses && witnesses(app),
    h(
      'div',
      { class: 'buttons' },
      sentences.length > 1 && [
        button(
          step < 0 ? 'Step by step' : 'Next',
          () => why.go(step + 1 >= sentences.length ? 0 : step + 1),
          { class: 'button main' },
        ),
        step >= 0 && button('Previous', () => why.go(Math.max(step - 1, 0))),
        step >= 0 && button('Show all', () => why.go(-1)),
      ],
      actions,
    ),
  );
}

/** Two layouts that agree with everything: the proof that nobody can know. */
function witnesses(app: App): Child {
  const { why } = app;
  const show = (which: 'mine' | 'free', text: string) =>
    button(
      text,
      () => {
        why.witness = why.witness === which ? null : which;
        app.changed();
      },
      { class: 'button small', 'aria-pressed': why.witness === which ? 'true' : 'false' },
    );
  return h(
    'div',
    { class: 'witnesses', role: 'group', 'aria-label': 'Layouts that agree' },
    h('p', { class: 'quiet' }, 'See for yourself: both layouts agree with every number.'),
    h('div', { class: 'buttons' }, show('mine', 'One with a mine there'), show('free', 'One without')),
  );
}

function title(answer: Explanation): string {
  const where = name(answer.cell);
  if (answer.verdict === 'safe') return `${where} is safe`;
  return answer.verdict === 'mine' ? `${where} is a mine` : `${where} is undecided`;
}

function evidence(answer: Explanation, rules: string | null): string {
  if (answer.verdict === 'open') {
    const chance = answer.probability === null ? '' : `: a mine with ${percent(answer.probability, false)}`;
    return `Nobody can know${chance}.`;
  }
  const clues = plural(answer.clues.length, 'number');
  const total = answer.uses_mine_count
    ? answer.clues.length > 0
      ? ' and the mine total'
      : 'The mine total'
    : '';
  const proofs = answer.clues.length > 0 ? clues : '';
  const verb = answer.clues.length + Number(answer.uses_mine_count) > 1 ? 'prove' : 'proves';
  const tight = answer.clues.length > 1 ? ' None can be left out.' : '';
  const named = rules === null ? '' : `, by ${rules}`;
  return `${proofs}${total} ${verb} it${named}.${tight}`;
}

export function closeWhy(app: App): void {
  app.why.close();
  app.changed();
  app.board.moveCursor(app.board.cursor, true);
}
