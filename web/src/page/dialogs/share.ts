// Sharing: the link, every text form, and pictures of the board.
import { picture, toPng } from '../../board/picture';
import { h, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button } from '../parts';
import { inForm } from '../reading';
import { closeButton } from './settings';

const FORMS: readonly (readonly [form: string, extension: string, text: string])[] = [
  ['grid', 'txt', 'Rows of text'],
  ['line', 'txt', 'One line'],
  ['json', 'json', 'JSON'],
  ['mine', 'mine', 'The web analyser’s'],
  ['array', 'txt', 'Lists of numbers'],
];

export function shareDialog(app: App): Node_ {
  const { play } = app;
  return h(
    'dialog',
    { id: 'share', 'aria-labelledby': 'share-title' },
    h('h2', { id: 'share-title' }, 'Share'),
    h('p', { class: 'quiet' }, 'The address of this page always holds what is on the board.'),
    h(
      'div',
      { class: 'buttons' },
      button('Copy the link', () => void copy(app, location.href), { class: 'button main' }, 'share'),
    ),
    h('h3', {}, 'As text'),
    h(
      'ul',
      { class: 'forms' },
      FORMS.map(([form, extension, text]) =>
        h(
          'li',
          {},
          h('span', {}, text),
          button('Copy', () => void withForm(app, form, (found) => copy(app, found)), {
            class: 'button small',
            'aria-label': `Copy: ${text}`,
          }),
          button('Save', () => void withForm(app, form, (found) => save(`board.${extension}`, found)), {
            class: 'button small',
            'aria-label': `Save: ${text}`,
          }),
        ),
      ),
    ),
    h('h3', {}, 'As a picture'),
    h(
      'div',
      { class: 'buttons' },
      button('PNG', () => void savePng(app)),
      button('SVG', () =>
        save('board.svg', new XMLSerializer().serializeToString(picture(app.board)), 'image/svg+xml'),
      ),
    ),
    play.game && [
      h('h3', {}, 'The game in play'),
      h(
        'div',
        { class: 'buttons' },
        button('Save the record', () =>
          save('game.json', JSON.stringify(play.game!.record()), 'application/json'),
        ),
      ),
    ],
    h('div', { class: 'buttons end' }, closeButton('share')),
  );
}

async function withForm(app: App, form: string, act: (text: string) => unknown): Promise<void> {
  try {
    await act(await inForm(app.mode.position, form));
  } catch (error) {
    app.tell(error instanceof Error ? error.message : String(error), true);
  }
}

async function copy(app: App, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.tell('Copied.');
  } catch {
    app.tell('The browser did not allow to copy: use “Save”.', true);
  }
}

async function savePng(app: App): Promise<void> {
  try {
    save('board.png', await toPng(picture(app.board)));
  } catch {
    app.tell('The browser could not make the picture: try SVG.', true);
  }
}

function save(name: string, content: string | Blob, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
