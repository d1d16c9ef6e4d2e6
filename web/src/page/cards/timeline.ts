// The curve of the chance to win over a game, mistakes marked on it; a slider for pointer and keys.
import type { ReviewedMove } from '../../service/answers';
import { percent } from '../../model/percent';
import { h, type Child, type Node_ } from '../../view/tree';
import type { App } from '../app';
import { uncertain, type Review } from '../modes/review';

const WIDTH = 800;
const HEIGHT = 110;
const EDGE = 10;
/** Chances that have a line. */
const AXIS = [0, 0.5, 1];

export function timeline(_: App, review: Review): Node_ {
  const { judged, count, at } = review;
  const x = (number: number) => EDGE + ((WIDTH - 2 * EDGE) * number) / Math.max(count, 1);
  const y = (chance: number) => EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);
  return h(
    'div',
    { class: 'timeline' },
    h(
      'div',
      { class: 'caption' },
      h('span', {}, 'chance to win before each move, in percent'),
      h('span', {}, here(review)),
    ),
    h(
      'div',
      { class: 'plot' },
      AXIS.map((chance) => h('span', { class: 'tick', '--y': y(chance) / HEIGHT }, `${chance * 100}`)),
      h(
        'svg',
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        AXIS.map((chance) =>
          h('path', {
            class: 'rule',
            d: `M${EDGE} ${y(chance)}H${WIDTH - EDGE}`,
            'vector-effect': 'non-scaling-stroke',
          }),
        ),
        judged && curve(review, x, y),
        h('path', { class: 'here', d: `M${x(at)} 0V${HEIGHT}`, 'vector-effect': 'non-scaling-stroke' }),
      ),
      judged &&
        judged.moves
          .filter((move) => uncertain(move) || move.mistake)
          .map((move) =>
            h('span', {
              class: `point ${kind(move)}`,
              'data-move': move.number,
              '--x': x(move.number - 1) / WIDTH,
              '--y': y(move.best_win) / HEIGHT,
            }),
          ),
      h('input', {
        type: 'range',
        min: 0,
        max: count,
        step: 1,
        value: String(at),
        'aria-label': 'Move',
        'aria-valuetext': here(review) === '' ? `move ${at + 1}` : `move ${at + 1}: ${here(review)}`,
        oninput: (event: Event) => review.go(Number((event.target as HTMLInputElement).value)),
        onkeydown: (event: KeyboardEvent) => {
          if (review.key(event)) event.preventDefault();
        },
      }),
    ),
  );
}

function here(review: Review): string {
  const { judged, at, count } = review;
  if (judged === null) return '';
  if (at >= count) return percent(judged.chance_at_end);
  const chance = judged.moves.find((move) => move.number === at + 1)?.best_win;
  return chance === undefined ? '' : percent(chance);
}

function kind(move: ReviewedMove): string {
  if (move.mistake || move.kind === 'needless' || move.kind === 'blunder') return 'bad';
  return move.fatal ? 'unlucky' : 'guess';
}

function curve(review: Review, x: (number: number) => number, y: (chance: number) => number): Child {
  const { moves, chance_at_end: end } = review.judged!;
  const points = [
    ...moves.map((move) => [move.number - 1, move.best_win] as const),
    [review.count, end] as const,
  ];
  const path = points.map(([number, chance]) => `${x(number).toFixed(1)} ${y(chance).toFixed(1)}`).join('L');
  return [
    h('path', { class: 'area', d: `M${x(points[0]![0])} ${y(0)}L${path}L${x(review.count)} ${y(0)}Z` }),
    h('path', { class: 'curve', d: `M${path}`, 'vector-effect': 'non-scaling-stroke' }),
  ];
}
