// The page's signs, drawn: fonts differ, and some have no flags or mines.
import { h, type Node_ } from './tree';

type Shape = readonly [tag: 'path' | 'circle', attributes: Readonly<Record<string, string>>];

const line = (d: string): Shape => ['path', { d, class: 'line' }];
const fill = (d: string): Shape => ['path', { d, class: 'fill' }];
const disc = (cx: string, cy: string, r: string): Shape => ['circle', { cx, cy, r, class: 'fill' }];

const SHAPES = {
  flag: [line('M7.5 4v16'), fill('M8 4.5c4-2 6 2 10.5 0v8c-4.5 2-6.5-2-10.5 0z')],
  mine: [
    disc('12', '12', '5.5'),
    line('M12 3.5v17M3.5 12h17M6 6l12 12M18 6L6 18'),
    ['circle', { cx: '10.2', cy: '10.2', r: '1.4', class: 'gap' }],
  ],
  check: [line('M5.5 12.5l4.5 4.5 8.5-9.5')],
  cross: [line('M6.5 6.5l11 11M17.5 6.5l-11 11')],
  undo: [line('M8.5 5.5L4.5 9.5l4 4M4.5 9.5h9a5.5 5.5 0 0 1 0 11H9')],
  redo: [line('M15.5 5.5l4 4-4 4M19.5 9.5h-9a5.5 5.5 0 0 0 0 11H15')],
  share: [line('M12 14.5V3.5M8 7l4-4 4 4M5 12v8h14v-8')],
  settings: [
    line('M4 7h9M19 7h1M4 17h1M11 17h9'),
    ['circle', { cx: '16', cy: '7', r: '2.6', class: 'line' }],
    ['circle', { cx: '8', cy: '17', r: '2.6', class: 'line' }],
  ],
  look: [fill('M6 3.5l12.5 8.6-5.7 1.1 3.2 5.9-2.5 1.3-3.2-6-4.3 3.9z')],
  hidden: [['path', { d: 'M5 5h14v14H5z', class: 'line' }]],
  left: [line('M14.5 5.5L8 12l6.5 6.5')],
  right: [line('M9.5 5.5L16 12l-6.5 6.5')],
  first: [line('M17 5.5L10.5 12l6.5 6.5M6.5 5.5v13')],
  last: [line('M7 5.5l6.5 6.5L7 18.5M17.5 5.5v13')],
  play: [fill('M8 5l11 7-11 7z')],
  pause: [fill('M7 5h3.5v14H7zM13.5 5H17v14h-3.5z')],
  step: [fill('M6 5l9 7-9 7z'), line('M18 5.5v13')],
  bulb: [line('M9.5 17h5M10.5 20.5h3M12 3.5a6 6 0 0 0-3.5 10.9V17h7v-2.6A6 6 0 0 0 12 3.5z')],
  plus: [line('M12 5.5v13M5.5 12h13')],
  minus: [line('M5.5 12h13')],
  brush: [line('M14.5 5.5l4 4L9 19H5v-4zM12 8l4 4')],
  file: [line('M6.5 3.5h7l4 4v13h-11zM13.5 3.5v4h4')],
  again: [line('M19 5v5h-5M18.5 10a7.5 7.5 0 1 0 1 5')],
  clock: [['circle', { cx: '12', cy: '12', r: '8', class: 'line' }], line('M12 7.5V12l3 2')],
  target: [
    ['circle', { cx: '12', cy: '12', r: '8', class: 'line' }],
    ['circle', { cx: '12', cy: '12', r: '3', class: 'fill' }],
  ],
  question: [line('M8.5 9.2a3.6 3.6 0 1 1 5.2 3.1c-1.2.700-1.7 1.3-1.7 2.7'), disc('12', '18.8', '1.2')],
  warning: [line('M12 4l9 15.5H3zM12 10v4.5'), disc('12', '17', '0.9')],
  fit: [line('M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5')],
  eye: [
    line('M2.5 12c4-7.5 15-7.5 19 0-4 7.5-15 7.5-19 0z'),
    ['circle', { cx: '12', cy: '12', r: '2.8', class: 'line' }],
  ],
} as const satisfies Record<string, readonly Shape[]>;

export type IconName = keyof typeof SHAPES;

/** An icon in the page's tree; words beside it, or the label of its button, say what it means. */
export function icon(name: IconName): Node_ {
  const shapes: readonly Shape[] = SHAPES[name];
  return h(
    'svg',
    { class: `icon icon-${name}`, viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    shapes.map(([tag, attributes]) => h(tag, attributes)),
  );
}

const NAMESPACE = 'http://www.w3.org/2000/svg';
const templates = new Map<IconName, SVGElement>();

/** An icon as an element, for the cells of a board. */
export function iconElement(name: IconName): SVGElement {
  let template = templates.get(name);
  if (template === undefined) {
    template = document.createElementNS(NAMESPACE, 'svg');
    template.setAttribute('class', `icon icon-${name}`);
    template.setAttribute('viewBox', '0 0 24 24');
    template.setAttribute('aria-hidden', 'true');
    for (const [tag, attributes] of SHAPES[name]) {
      const shape = document.createElementNS(NAMESPACE, tag);
      for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
      template.append(shape);
    }
    templates.set(name, template);
  }
  return template.cloneNode(true) as SVGElement;
}

export function iconShapes(name: IconName): readonly Shape[] {
  return SHAPES[name];
}
