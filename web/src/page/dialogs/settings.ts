// Settings: how things look, and how much is shown. They are kept in this browser.
import { h, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button, choice, toggle } from '../parts';
import type { Settings } from '../settings';

const KEYS: readonly (readonly [string, string])[] = [
  ['arrows', 'move the cursor'],
  ['0–8, H, F', 'analyse: put a number, hide, flag; the cursor moves on'],
  ['W, Shift W', 'why is this cell so? again: next sentence, or the one before'],
  ['Space, F', 'play: open a cell or around a number, flag'],
  ['I, S, N, U', 'play: hint, solver’s step, new game, undo'],
  ['← →, Shift', 'review: move by move; with Shift to the next risk'],
  ['Ctrl Z, Ctrl Y', 'undo, redo'],
];

export function settingsDialog(app: App): Node_ {
  const { settings } = app;
  return h(
    'dialog',
    { id: 'settings', 'aria-labelledby': 'settings-title' },
    h('h2', { id: 'settings-title' }, 'Settings'),
    h(
      'div',
      { class: 'fields column' },
      choice(
        'Colours',
        settings.theme,
        [
          ['system', 'as the system'],
          ['light', 'light'],
          ['dark', 'dark'],
        ],
        (theme) => app.choose({ theme: theme as Settings['theme'] }),
      ),
      choice(
        'Tiles',
        settings.tiles,
        [
          ['flat', 'flat'],
          ['classic', 'classic'],
        ],
        (tiles) => app.choose({ tiles: tiles as Settings['tiles'] }),
      ),
      choice(
        'Cell size',
        String(settings.zoom),
        [
          ['0.8', 'smaller'],
          ['1', 'fits'],
          ['1.3', 'larger'],
          ['1.7', 'largest'],
        ],
        (zoom) => app.choose({ zoom: Number(zoom) }),
      ),
      toggle('Chances as colours', settings.heat, (heat) => app.choose({ heat })),
      toggle('Chances as figures', settings.figures, (figures) => app.choose({ figures })),
      toggle('Signs for cells that tell nothing or may open an area', settings.signs, (signs) =>
        app.choose({ signs }),
      ),
      toggle('Motion', settings.motion, (motion) => app.choose({ motion })),
    ),
    h('h3', {}, 'Keys'),
    h(
      'dl',
      { class: 'keys' },
      KEYS.map(([keys, meaning]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, meaning)]),
    ),
    h(
      'div',
      { class: 'buttons end' },
      button('Show the welcome again', () => app.choose({ welcomed: false })),
      closeButton('settings'),
    ),
  );
}

export function closeButton(id: string): Node_ {
  return button('Close', () => (document.getElementById(id) as HTMLDialogElement).close(), {
    class: 'button main',
  });
}
