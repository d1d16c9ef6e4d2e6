// The position as text: a field that shows it and reads whatever is put into it, and files.
import { icon } from '../../view/icons';
import { h, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { button } from '../parts';
import type { Analyse } from '../modes/analyse';
import { open } from '../wiring';

let timer = 0;

export function positionText(app: App, mode: Analyse): Node_ {
  return h(
    'div',
    { class: 'text' },
    h('label', { for: 'text-of-board' }, 'Position'),
    h('textarea', {
      id: 'text-of-board',
      rows: 2,
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-describedby': 'text-help',
      'aria-invalid': mode.unread !== null && mode.typed !== null ? 'true' : null,
      value: mode.typed ?? mode.position.toLine(),
      oninput: (event: Event) => typing(app, mode, (event.target as HTMLTextAreaElement).value),
      onblur: () => {
        if (mode.unread === null) mode.typed = null;
        app.changed();
      },
    }),
    h(
      'div',
      { class: 'text-tools' },
      h(
        'label',
        { class: 'button small filer' },
        icon('file'),
        'Open a file',
        h('input', {
          type: 'file',
          class: 'unseen',
          onchange: (event: Event) => chosen(app, event.target as HTMLInputElement),
        }),
      ),
      button('Save or copy …', () => document.querySelector<HTMLDialogElement>('#share')?.showModal(), {
        class: 'button small',
      }),
      h(
        'span',
        { id: 'text-help', class: mode.unread !== null && mode.typed !== null ? 'warning' : 'quiet' },
        mode.unread !== null && mode.typed !== null
          ? mode.unread
          : 'Paste or drop any form, anywhere on the page.',
      ),
    ),
  );
}

function typing(app: App, mode: Analyse, text: string): void {
  mode.typed = text;
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (text.trim() !== '') void mode.readText(text).then(() => app.changed());
  }, 120);
}

function chosen(app: App, input: HTMLInputElement): void {
  const file = input.files?.[0];
  input.value = '';
  if (file) void open(app, file);
}
