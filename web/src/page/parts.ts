// Small pieces that many cards use.
import { inFull, inWords, name, pieces, sentence as capital } from '../model/names';
import type { Cell } from '../model/position';
import { icon, type IconName } from '../view/icons';
import { h, type Child, type Node_, type Properties } from '../view/tree';
import type { App } from './app';

export function card(key: string, title: Child, ...children: Child[]): Node_ {
  return h('section', { class: `card card-${key}`, key }, title, ...children);
}

export function button(
  label: Child,
  act: () => void,
  properties: Properties = {},
  sign: IconName | null = null,
): Node_ {
  return h('button', { class: 'button', ...properties, onclick: act }, sign && icon(sign), label);
}

/** A figure with what it means below. */
export function figure(value: string, meaning: string, note = ''): Node_ {
  return h(
    'div',
    { class: 'figure' },
    h('span', { class: 'value' }, value),
    h('span', { class: 'meaning' }, note === '' ? meaning : `${meaning} · ${note}`),
  );
}

/** The name of a cell, which lights it up. */
export function chip(app: App, cell: Cell): Node_ {
  const point = (at: Cell | null) => () => {
    app.pointed = at;
    app.changed();
  };
  return h(
    'button',
    {
      class: 'chip',
      title: inFull(cell),
      onmouseenter: point(cell),
      onmouseleave: point(null),
      onfocus: point(cell),
      onblur: point(null),
      onclick: () => app.board.moveCursor(app.board.position.index(cell), true),
    },
    name(cell),
  );
}

/** A sentence of the service, with its names of cells as chips; a comma after a chip stays with it. */
export function told(app: App, sentence: string): Child {
  const parts = pieces(sentence);
  return parts.map(({ text, cell }, number) => {
    const before = parts[number - 1];
    if (cell === null) {
      const rest = before === undefined ? capital(text) : text;
      return before?.cell && known(app, before.cell) ? rest.replace(CLOSING, '') : rest;
    }
    if (!known(app, cell)) return text;
    const [closing] = CLOSING.exec(parts[number + 1]?.text ?? '') ?? [''];
    return closing === '' ? chip(app, cell) : h('span', { class: 'together' }, chip(app, cell), closing);
  });
}

const CLOSING = /^[,.;:)]+/;

function known(app: App, cell: Cell): boolean {
  return app.board.position.has(...cell);
}

/** A text whose raised digits are set as such: few fonts have all of them. */
export function raised(text: string): Child {
  return text
    .split(/([⁰¹²³⁴-⁹]+)/)
    .map((part, number) =>
      number % 2 === 0
        ? part
        : h('sup', {}, Array.from(part, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(digit)).join('')),
    );
}

/** The sentences of a proof, each with its number. */
export function numbered(app: App, lines: readonly string[]): Node_ {
  return h(
    'ol',
    { class: 'proof' },
    lines.map((line, number) =>
      h('li', {}, h('span', { class: 'pick' }, number + 1), h('span', {}, told(app, line.trim()))),
    ),
  );
}

export function spoken(sentences: readonly string[]): string {
  return sentences.map(inWords).join('. ');
}

/** Waiting, with how much is done if that is known. */
export function working(text: string, done: number | null = null, stop: (() => void) | null = null): Node_ {
  return h(
    'div',
    { class: 'working', role: 'status' },
    h('span', {}, text),
    h('progress', done === null ? { 'aria-label': text } : { 'aria-label': text, value: done, max: 1 }),
    stop && button('Stop', stop, { class: 'button small' }),
  );
}

export interface NumberField {
  readonly label: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly act: (value: number) => void;
}

export function numberField({ label, value, least, most, act }: NumberField): Node_ {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      type: 'number',
      inputmode: 'numeric',
      min: least,
      max: most,
      value: String(value),
      onchange: (event: Event) => {
        const typed = Number((event.target as HTMLInputElement).value);
        if (Number.isFinite(typed)) act(Math.min(Math.max(Math.round(typed), least), most));
      },
    }),
  );
}

export function choice(
  label: string,
  value: string,
  options: readonly (readonly [value: string, text: string])[],
  act: (value: string) => void,
): Node_ {
  return h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h(
      'select',
      { value, onchange: (event: Event) => act((event.target as HTMLSelectElement).value) },
      options.map(([each, text]) => h('option', { value: each }, text)),
    ),
  );
}

export function toggle(label: string, value: boolean, act: (value: boolean) => void): Node_ {
  return h(
    'label',
    { class: 'toggle' },
    h('input', {
      type: 'checkbox',
      checked: value,
      onchange: (event: Event) => act((event.target as HTMLInputElement).checked),
    }),
    h('span', {}, label),
  );
}
