// What live analysis lays over the board, and the legend that says what the signs mean.
import type { Overlay } from '../../board/overlay';
import type { Cell, Position } from '../../model/position';
import type { Hint } from '../../service/answers';
import { icon } from '../../view/icons';
import { h, type Child } from '../../view/tree';
import type { App } from '../app';

/** A chance of a 0 that is worth a sign. */
const SOME = 0.15;

export function live(app: App, position: Position): Overlay {
  const known = app.analyst.about(position);
  const found = known ?? app.analyst.before;
  const { heat, figures, signs } = app.settings;
  if (found === null) return {};
  if (found.problem !== null) {
    const culprits = [...cells(found.problem.fields['clues']), ...cells(found.problem.fields['marks'])];
    return { culprits };
  }
  const { advice, facts } = found;
  const certain = (found.analysis?.safe.length ?? 0) > 0;
  const dead = new Set<number>();
  const opening = new Map<number, number>();
  const most = Math.max(0, ...[...(facts?.values() ?? [])].map((each) => each.opening));
  for (const [index, each] of facts ?? []) {
    if (each.dead && each.probability > 0 && each.probability < 1) dead.add(index);
    if (each.opening > SOME && each.opening > 0.95 * most) opening.set(index, each.opening);
  }
  return {
    analysis: found.analysis,
    stale: known === null,
    heat,
    figures,
    best: certain ? null : (advice?.cell ?? found.analysis?.best?.cell ?? null),
    candidates: advice?.alternatives.map((each) => each.cell) ?? [],
    ...(signs ? { dead, opening } : {}),
  };
}

/** What a hint shows on the board, up to its level. */
export function hintOverlay(hint: Hint | null): Overlay {
  if (hint === null) return {};
  return {
    ...(hint.window && hint.level === 2 ? { window: hint.window } : {}),
    ...(hint.clues ? { clues: hint.clues } : {}),
    ...(hint.candidates ? { candidates: hint.candidates } : {}),
    ...(hint.cell ? { target: hint.cell } : {}),
  };
}

function cells(value: unknown): readonly Cell[] {
  return Array.isArray(value) ? (value as Cell[]) : [];
}

export function legend(app: App): Child {
  const entry = (sign: Child, text: string) =>
    h('li', {}, h('span', { class: 'sign', 'aria-hidden': 'true' }, sign), text);
  if (app.why.open) {
    return h(
      'ul',
      { class: 'legend', 'aria-label': 'Legend' },
      entry(h('i', { class: 'ring' }), 'the cell in question'),
      entry(h('i', { class: 'lit' }), 'the numbers that prove it'),
      entry(icon('check'), 'safe'),
      entry(icon('mine'), 'mine'),
    );
  }
  if (!app.settings.heat || app.findings?.problem) return null;
  return h(
    'ul',
    { class: 'legend', 'aria-label': 'Legend' },
    h(
      'li',
      { class: 'scale' },
      h('span', { class: 'ramp', 'aria-hidden': 'true' }),
      'mine: low · average · high',
    ),
    entry(icon('check'), 'safe'),
    entry(icon('mine'), 'mine'),
    entry(h('i', { class: 'ring' }), 'best'),
    entry(h('i', { class: 'dashed' }), 'candidate'),
    app.settings.signs && entry(h('i', { class: 'dot' }), 'tells nothing'),
    app.settings.signs && entry(h('i', { class: 'circle' }), 'most likely a 0'),
  );
}
