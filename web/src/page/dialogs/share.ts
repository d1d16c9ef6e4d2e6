// Sharing: the link, every text form, and pictures of the board.
import { picture, toPng } from '../../board/picture';
import { ask } from '../../service/client';
import { h, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button } from '../parts';
import { inForm } from '../reading';
import { closeButton } from './settings';

const FORMS: readonly (readonly [form: string, extension: string, text: string])[] = [
  ['grid', 'txt', 'Rows of text'],
  ['line', 'txt', 'One line'],
  ['json', 'json', 'JSON'],
  ['array', 'txt', 'Lists of numbers'],
  ['mine', 'mine', 'The web analyser’s file'],
  ['link', 'txt', 'The web analyser’s link'],
];

/** Every other form that msat writes: what other programs and chats use. */
const OTHERS: readonly (readonly [form: string, extension: string, text: string])[] = [
  ['drawing', 'txt', 'As the command line draws it'],
  ['labelled', 'txt', 'Rows with numbers along the edges'],
  ['board', 'board', 'A .board file'],
  ['dot-hidden', 'txt', 'Rows, dots are hidden'],
  ['dot-zero', 'txt', 'Rows, dots are 0'],
  ['blank-hidden', 'txt', 'Rows, blanks are hidden'],
  ['blank-zero', 'txt', 'Rows, blanks are 0'],
  ['white-hidden', 'txt', 'Emoji, white is hidden'],
  ['white-zero', 'txt', 'Emoji, white is 0'],
  ['black-hidden', 'txt', 'Emoji, black is hidden'],
  ['black-zero', 'txt', 'Emoji, black is 0'],
  ['brown-hidden', 'txt', 'Emoji, brown is hidden'],
  ['brown-zero', 'txt', 'Emoji, brown is 0'],
];

/** The one of them that is chosen in the dialog. */
let other = OTHERS[0]!;

/** What is told in the dialog: what is beside the board cannot be seen from there. */
let told: { readonly text: string; readonly bad: boolean } | null = null;

function tell(app: App, text: string, bad = false): void {
  told = { text, bad };
  app.say(text);
  app.changed();
}

/** What was told was about what is past. */
function forget(app: App): void {
  told = null;
  app.changed();
}

export function shareDialog(app: App): Node_ {
  const record = recordOf(app);
  return h(
    'dialog',
    { id: 'share', 'aria-labelledby': 'share-title', onclose: () => forget(app) },
    h('h2', { id: 'share-title' }, 'Share'),
    h(
      'p',
      { class: 'quiet' },
      `The address of this page always holds what is on the board${local() ? '; it opens on this machine only. The web analyser’s link opens everywhere' : ''}.`,
    ),
    h(
      'div',
      { class: 'buttons' },
      button('Copy the link', () => void copy(app, location.href), { class: 'button main' }, 'share'),
    ),
    h('h3', {}, 'As text'),
    h(
      'ul',
      { class: 'forms' },
      FORMS.map(([form, extension, text]) => written(app, form, extension, text, h('span', {}, text))),
      written(app, ...other, otherForm(app)),
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
    record && [
      h('h3', {}, app.mode === app.review ? 'The game in review' : 'The game in play'),
      h(
        'div',
        { class: 'buttons' },
        button('Save the game', () => save('game.json', JSON.stringify(record), 'application/json')),
        button('For other programs', () => void saveRaw(app, record), { title: 'RAWVF' }),
      ),
    ],
    h(
      'div',
      { class: 'buttons end' },
      told && h('span', { class: told.bad ? 'told warning' : 'told' }, told.text),
      closeButton('share'),
    ),
  );
}

/** A form, to be copied or saved. */
function written(app: App, form: string, extension: string, text: string, label: Node_): Node_ {
  return h(
    'li',
    {},
    label,
    button('Copy', () => void withForm(app, form, (found) => copy(app, found)), {
      class: 'button small',
      'aria-label': `Copy: ${text}`,
    }),
    button('Save', () => void withForm(app, form, (found) => saveText(app, extension, found)), {
      class: 'button small',
      'aria-label': `Save: ${text}`,
    }),
  );
}

function otherForm(app: App): Node_ {
  return h(
    'span',
    { class: 'field' },
    h(
      'select',
      {
        'aria-label': 'Another form',
        value: other[0],
        onchange: (event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          other = OTHERS.find(([form]) => form === value) ?? other;
          app.changed();
        },
      },
      OTHERS.map(([form, , text]) => h('option', { value: form }, text)),
    ),
  );
}

function saveText(app: App, extension: string, text: string): void {
  save(`board.${extension}`, text);
  tell(app, `Saved as board.${extension}.`);
}

/** Whether the service can be reached from this machine alone. */
function local(): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
}

/** The game that is seen, or the one that goes on elsewhere. */
function recordOf({ mode, play, review }: App): object | null {
  if (mode === review && review.loaded !== null) return review.loaded.record;
  return play.game?.record() ?? null;
}

/** A game in RAWVF, which many programs read. */
async function saveRaw(app: App, record: object): Promise<void> {
  try {
    const question = { board: JSON.stringify(record), to: 'rawvf' };
    const { forms } = await ask<{ forms: { rawvf: string } }>('convert', question);
    save('game.rawvf', forms.rawvf);
  } catch (error) {
    tell(app, error instanceof Error ? error.message : String(error), true);
  }
}

async function withForm(app: App, form: string, act: (text: string) => unknown): Promise<void> {
  try {
    await act(await inForm(app.mode.position, form));
  } catch (error) {
    tell(app, error instanceof Error ? error.message : String(error), true);
  }
}

async function copy(app: App, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(app, 'Copied.');
  } catch {
    // Pages that do not come by https from another machine have no clipboard but the old one.
    if (copiedAsSelected(text)) tell(app, 'Copied.');
    else tell(app, 'The browser did not allow to copy: use “Save”, or the address bar for the link.', true);
  }
}

function copiedAsSelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  const before = document.activeElement as HTMLElement | null;
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way then
  const done = document.execCommand('copy');
  field.remove();
  before?.focus();
  return done;
}

async function savePng(app: App): Promise<void> {
  try {
    save('board.png', await toPng(picture(app.board)));
  } catch {
    tell(app, 'The browser could not make the picture: try SVG.', true);
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
