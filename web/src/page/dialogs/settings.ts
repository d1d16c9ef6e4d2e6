// Settings: how things look, and how much is shown. They are kept in this browser.
import { h, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button, choice, toggle } from '../parts';
import type { Settings } from '../settings';

/** The sizes that can be chosen by name; fingers choose any. */
const SIZES: readonly number[] = [0.8, 1, 1.3, 1.7];

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
          ...(SIZES.includes(settings.zoom) ? [] : ([[String(settings.zoom), 'as pinched']] as const)),
        ],
        (zoom) => app.choose({ zoom: Number(zoom) }),
      ),
      toggle('Chances as colours', settings.heat, (heat) => app.choose({ heat })),
      toggle('Chances as figures', settings.figures, (figures) => app.choose({ figures })),
      toggle('Signs for cells that tell nothing or may open an area', settings.signs, (signs) =>
        app.choose({ signs }),
      ),
      toggle('Rows and columns along the edges', settings.edges, (edges) => app.choose({ edges })),
      toggle('Motion', settings.motion, (motion) => app.choose({ motion })),
    ),
    h(
      'div',
      { class: 'buttons end' },
      button('Help', () => {
        (document.getElementById('settings') as HTMLDialogElement).close();
        (document.getElementById('help') as HTMLDialogElement).showModal();
      }),
      closeButton('settings'),
    ),
  );
}

export function closeButton(id: string): Node_ {
  return button('Close', () => (document.getElementById(id) as HTMLDialogElement).close(), {
    class: 'button main',
  });
}
