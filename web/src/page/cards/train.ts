// What is around the board in the trainer.
import { sentence } from '../../model/names';
import { fingers } from '../../view/pointer';
import { h, type Child } from '../../view/tree';
import type { App } from '../app';
import type { Task, Train } from '../modes/train';
import { button, card, figure, numbered, told, working } from '../parts';
import { DIFFICULTIES } from '../settings';

const MEANING: Readonly<Record<Task, string>> = {
  gentle: 'one number at a time',
  normal: 'two numbers together',
  tricky: 'three numbers or more',
  hard: 'case by case',
  fiendish: 'with the mine count',
  guess: 'nothing can be proven: choose the best chance',
};

export function trainAbove(train: Train): Child {
  const tasks: readonly Task[] = [...DIFFICULTIES, 'guess'];
  return h(
    'div',
    { class: 'tasks', role: 'group', 'aria-label': 'Difficulty' },
    tasks.map((task) =>
      button(sentence(task), () => train.choose(task), {
        class: 'task',
        'aria-pressed': train.task === task ? 'true' : 'false',
        title: MEANING[task],
      }),
    ),
  );
}

export function trainBeside(app: App, train: Train): Child {
  const { answer, score } = train;
  return [
    train.busy !== null && card('work', working(train.busy)),
    train.error !== null &&
      card(
        'error',
        h('p', { class: 'warning' }, train.error),
        button('Try again', () => void train.next()),
      ),
    train.exercise !== null &&
      answer === null &&
      card(
        'question',
        h('h2', {}, train.question),
        h(
          'p',
          { class: 'quiet' },
          `${sentence(MEANING[train.task])}. ${fingers() ? 'Tap' : 'Click'} the cell that you would open; there is no clock.`,
        ),
        h(
          'div',
          { class: 'buttons' },
          button('Another one', () => void train.next()),
        ),
      ),
    answer !== null &&
      card(
        'answer',
        h('h2', { class: answer.right ? 'right' : 'wrong' }, answer.title),
        answer.lines.map((line) => h('p', {}, told(app, line.trim()))),
        numbered(app, answer.steps),
        h(
          'div',
          { class: 'buttons' },
          button('Next', () => void train.next(), { class: 'button main' }, 'right'),
          button('Analyse this', () => {
            app.analyse.load(train.position);
            app.switchTo('analyse');
          }),
        ),
      ),
    score.asked > 0 &&
      card('score', h('div', { class: 'figures' }, figure(`${score.right} of ${score.asked}`, 'right'))),
  ];
}
