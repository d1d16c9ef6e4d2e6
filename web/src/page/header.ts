// The head of the page: the modes, undo and redo, sharing and settings.
import { MODES, type ModeName } from '../model/link';
import { icon, type IconName } from '../view/icons';
import { h, type Child, type Node_ } from '../view/tree';
import type { App } from './app';
import { helpDialog } from './dialogs/help';
import { settingsDialog } from './dialogs/settings';
import { shareDialog } from './dialogs/share';

const NAMES: Readonly<Record<ModeName, string>> = {
  analyse: 'Analyse',
  play: 'Play',
  review: 'Review',
  train: 'Train',
};

export function header(app: App): Node_ {
  return h(
    'header',
    { class: 'top' },
    h('h1', { class: 'brand' }, mark(), 'msat'),
    h(
      'nav',
      { class: 'modes', 'aria-label': 'Modes' },
      MODES.map((name) =>
        h(
          'button',
          {
            class: 'mode',
            'aria-current': app.mode.name === name ? 'page' : null,
            onclick: () => app.switchTo(name),
          },
          NAMES[name],
        ),
      ),
    ),
    h(
      'div',
      { class: 'actions' },
      action('undo', 'Undo', () => app.mode.undo(), app, !app.mode.canUndo),
      action('redo', 'Redo', () => app.mode.redo(), app, !app.mode.canRedo),
      action('share', 'Share', () => openDialog('share'), app),
      action('settings', 'Settings', () => openDialog('settings'), app),
      action('question', 'Help', () => openDialog('help'), app),
    ),
    shareDialog(app),
    settingsDialog(app),
    helpDialog(app),
  );
}

function openDialog(id: string): void {
  (document.getElementById(id) as HTMLDialogElement).showModal();
}

function action(name: IconName, label: string, act: () => void, app: App, disabled = false): Child {
  return h(
    'button',
    {
      class: 'action',
      title: label,
      'aria-label': label,
      // A disabled button would drop the focus of somebody who undoes by keys.
      'aria-disabled': disabled ? 'true' : null,
      onclick: () => {
        if (!disabled) act();
        app.changed();
      },
    },
    icon(name),
    h('span', { class: 'label' }, label),
  );
}

function mark(): Node_ {
  const tile = (d: string, kind: string) => h('path', { d, class: kind });
  return h(
    'svg',
    { class: 'logo', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    tile('M1 1h8v8H1z', 'low'),
    tile('M11 1h8v8h-8z', 'mid'),
    tile('M1 11h8v8H1z', 'mid'),
    tile('M11 11h8v8h-8z', 'high'),
  );
}
