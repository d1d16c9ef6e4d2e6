// A board as a picture: an SVG with all colours as they are seen, and a PNG of it.
// The PNG is painted on a canvas cell by cell: an SVG could only be drawn there as an image from a blob,
// which the page's security policy rightly forbids.
import { FLAG, MINE } from '../model/position';
import { iconShapes, type IconName } from '../view/icons';
import type { MsatBoard } from './element';
import { Looks } from './overlay';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const SIZE = 32;

export function picture(board: MsatBoard): SVGSVGElement {
  const { position, overlay } = board;
  const looks = new Looks(position, overlay);
  const svg = document.createElementNS(NAMESPACE, 'svg');
  const paint = painter(board);
  set(svg, {
    viewBox: `0 0 ${position.width * SIZE} ${position.height * SIZE}`,
    width: position.width * SIZE,
    height: position.height * SIZE,
    'font-family': 'system-ui, sans-serif',
  });
  svg.append(rect(0, 0, position.width * SIZE, position.height * SIZE, paint('--board-line')));
  for (let index = 0; index < position.size; index++) {
    const [row, col] = position.cell(index);
    const look = looks.look(index);
    const [x, y] = [col * SIZE, row * SIZE];
    svg.append(rect(x, y, SIZE - 1, SIZE - 1, fillOf(look.heat, look.classes, paint)));
    const ink = inkOf(look.classes, paint);
    if (look.text !== '') svg.append(label(look.text, x, y, ink, look.classes.startsWith('open')));
    if (look.icon !== null)
      svg.append(drawn(look.icon, x, y, position.values[index] === FLAG ? paint('--flag') : ink));
    for (const [kinds, token] of RINGS) {
      if (kinds.test(look.classes)) svg.append(ring(x, y, paint(token)));
    }
    if (position.values[index] === MINE && index === overlay.exploded) svg.append(ring(x, y, paint('--bad')));
  }
  return svg;
}

/** What has a frame on the board has one in its picture. */
const RINGS: readonly (readonly [kinds: RegExp, token: string])[] = [
  [/\b(best|target|chosen)\b/, '--accent'],
  [/\bclue\b/, '--clue'],
  [/\b(culprit|mistaken|mark-wrong|wrong-flag)\b/, '--bad'],
  [/\bbetter\b/, '--good'],
];

type Painter = (token: string, mix?: readonly [token: string, share: number]) => string;

/** Colours of the board's tokens as plain rgb, so that a picture looks the same everywhere. */
function painter(board: MsatBoard): Painter {
  const probe = document.createElement('span');
  board.append(probe);
  const known = new Map<string, string>();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  queueMicrotask(() => probe.remove());
  return (token, mix) => {
    const value = mix
      ? `color-mix(in oklab, var(${mix[0]}) ${Math.round(mix[1] * 100)}%, var(${token}))`
      : `var(${token})`;
    let found = known.get(value);
    if (found === undefined) {
      probe.style.setProperty('color', value);
      context.fillStyle = getComputedStyle(probe).color;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
      found = `rgb(${red},${green},${blue})`;
      known.set(value, found);
    }
    return found;
  };
}

function fillOf(heat: number | null, classes: string, paint: Painter): string {
  if (/\bculprit\b|mark-wrong/.test(classes)) return paint('--bad-fill');
  if (/\bclue\b/.test(classes)) return paint('--clue-fill');
  if (classes.startsWith('open')) return paint('--open');
  if (heat === null) return paint('--tile');
  return paint('--neutral', [heat < 0 ? '--low' : '--high', Math.abs(heat) / 20]);
}

function inkOf(classes: string, paint: Painter): string {
  const number = /\bn([1-8])\b/.exec(classes);
  return number ? paint(`--n${number[1]}`) : paint('--on-tile');
}

function rect(x: number, y: number, width: number, height: number, fill: string): SVGElement {
  return set(document.createElementNS(NAMESPACE, 'rect'), { x, y, width, height, fill });
}

function ring(x: number, y: number, stroke: string): SVGElement {
  const attributes = { x: x + 1.5, y: y + 1.5, width: SIZE - 4, height: SIZE - 4, fill: 'none', stroke };
  return set(document.createElementNS(NAMESPACE, 'rect'), { ...attributes, 'stroke-width': 3 });
}

function label(text: string, x: number, y: number, fill: string, large: boolean): SVGElement {
  const found = set(document.createElementNS(NAMESPACE, 'text'), {
    x: x + SIZE / 2,
    y: y + SIZE / 2,
    fill,
    'text-anchor': 'middle',
    'dominant-baseline': 'central',
    'font-size': large ? 18 : 11.5,
    ...(large ? { 'font-weight': 700 } : {}),
  });
  found.textContent = text;
  return found;
}

function drawn(name: IconName, x: number, y: number, ink: string): SVGElement {
  const group = set(document.createElementNS(NAMESPACE, 'g'), {
    transform: `translate(${x + 6} ${y + 6}) scale(${(SIZE - 12) / 24})`,
  });
  for (const [tag, attributes] of iconShapes(name)) {
    const { class: kind, ...rest } = attributes;
    const style: Record<string, string | number> =
      kind === 'line'
        ? {
            fill: 'none',
            stroke: ink,
            'stroke-width': 2.4,
            'stroke-linecap': 'round',
            'stroke-linejoin': 'round',
          }
        : { fill: kind === 'gap' ? '#fff' : ink };
    group.append(set(document.createElementNS(NAMESPACE, tag), { ...rest, ...style }));
  }
  return group;
}

function set<T extends SVGElement>(element: T, attributes: Readonly<Record<string, string | number>>): T {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** The picture as a PNG, twice as large so that it is sharp. */
export function toPng(svg: SVGSVGElement): Promise<Blob> {
  const scale = 2;
  const canvas = document.createElement('canvas');
  canvas.width = Number(svg.getAttribute('width')) * scale;
  canvas.height = Number(svg.getAttribute('height')) * scale;
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  for (const child of svg.children) onCanvas(context, child);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the picture is too large'));
      else resolve(blob);
    }, 'image/png');
  });
}

function onCanvas(context: CanvasRenderingContext2D, element: Element): void {
  const value = (name: string) => Number(element.getAttribute(name) ?? 0);
  const fill = element.getAttribute('fill');
  const stroke = element.getAttribute('stroke');
  context.fillStyle = fill ?? '#000';
  context.strokeStyle = stroke ?? '#000';
  context.lineWidth = value('stroke-width');
  context.lineCap = context.lineJoin = 'round';
  if (element.localName === 'text') {
    context.font = `${element.getAttribute('font-weight') ?? '400'} ${value('font-size')}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(element.textContent, value('x'), value('y'));
  } else if (element.localName === 'g') {
    const moved = /translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)/.exec(
      element.getAttribute('transform') ?? '',
    );
    context.save();
    context.translate(Number(moved?.[1] ?? 0), Number(moved?.[2] ?? 0));
    context.scale(Number(moved?.[3] ?? 1), Number(moved?.[3] ?? 1));
    for (const child of element.children) onCanvas(context, child);
    context.restore();
  } else {
    const path = new Path2D(element.getAttribute('d') ?? '');
    if (element.localName === 'rect') path.rect(value('x'), value('y'), value('width'), value('height'));
    if (element.localName === 'circle') path.arc(value('cx'), value('cy'), value('r'), 0, 2 * Math.PI);
    if (fill !== null && fill !== 'none') context.fill(path);
    if (stroke !== null) context.stroke(path);
  }
}
