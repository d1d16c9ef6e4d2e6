// Help: what the signs on the board mean, what fingers, mouse and keys do, and where there is more.
import { icon } from '../../view/icons';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button } from '../parts';
import { closeButton } from './settings';

const DONE: readonly (readonly [where: string, rows: readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['arrows', 'move the cursor; Home, End and Page keys go further'],
      ['W', 'why is this cell so? again: the next sentence, with Shift the one before'],
      ['Ctrl Z, Ctrl Y', 'undo, redo, without limit'],
      ['Ctrl V, drop', 'any position or game, as text or as a file'],
      ['two fingers', 'move and zoom the board'],
    ],
  ],
  [
    'Analyse',
    [
      ['0–8, H, F', 'a number, hidden, a flag; the cursor moves on'],
      ['Delete, ⌫', 'hidden, and on or back'],
      ['right, long press', 'a flag, with any brush'],
      ['wheel', 'the next number; with Alt on a board that scrolls'],
    ],
  ],
  [
    'Play',
    [
      ['Space', 'opens a cell, or around a number'],
      ['F, right, long press', 'flags'],
      ['I, S, N, U', 'a hint, a step of the solver, a new game, undo'],
    ],
  ],
  [
    'Review',
    [
      ['← →', 'move by move; with Shift to the next risk'],
      ['M, Home, End', 'the next mistake, the beginning, the end'],
    ],
  ],
  [
    'Train',
    [
      ['Space', 'answers with the cell of the cursor'],
      ['N', 'the next position'],
    ],
  ],
];

export function helpDialog(app: App): Node_ {
  return h(
    'dialog',
    { id: 'help', class: 'large', 'aria-labelledby': 'help-title' },
    // The first thing that would take the focus is far below, and help would be seen from its end.
    h('h2', { id: 'help-title', tabindex: -1, autofocus: true }, 'Help'),
    h(
      'p',
      {},
      'Every chance is counted over all layouts that agree with the numbers, so it is exact; what is called safe or a mine is proven. Flags are opinions: they are judged, not trusted. r2c6 is the cell in row 2 and column 6, both counted from 0, as the edges of the board show and as everywhere in msat.',
    ),
    h('h3', {}, 'On the board'),
    signs(),
    DONE.map(([where, rows]) => [
      h('h3', {}, where),
      h(
        'dl',
        { class: 'keys' },
        rows.map(([keys, meaning]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, meaning)]),
      ),
    ]),
    h(
      'p',
      { class: 'quiet' },
      'All of it is also an HTTP service: ',
      h('a', { href: 'docs' }, 'its questions and answers'),
      '. Nothing you do here leaves this machine and its service.',
    ),
    h(
      'div',
      { class: 'buttons end' },
      button('Show the welcome again', () => {
        app.choose({ welcomed: false });
        (document.getElementById('help') as HTMLDialogElement).close();
        app.switchTo('analyse');
      }),
      closeButton('help'),
    ),
  );
}

function signs(): Node_ {
  const entry = (sign: Child, text: string) =>
    h('li', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, sign), text);
  return h(
    'ul',
    { class: 'legend two' },
    entry(icon('check'), 'proven safe'),
    entry(icon('mine'), 'proven mine'),
    entry(h('i', { class: 'tile low' }), 'less likely a mine than average'),
    entry(h('i', { class: 'tile high' }), 'more likely a mine than average'),
    entry(h('i', { class: 'ring' }), 'the best cell to open'),
    entry(h('i', { class: 'dashed' }), 'another candidate'),
    entry(h('i', { class: 'dot' }), 'its number would tell nothing'),
    entry(h('i', { class: 'circle' }), 'most likely opens an area'),
    entry(h('i', { class: 'crossed' }), 'a flag that is wrong'),
    entry(h('b', {}, '?'), 'a flag that is not proven'),
  );
}
