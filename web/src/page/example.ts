// A game to review for somebody who has none yet: a needless risk, a poor guess, and a 50/50 that nothing could avoid.
import { GameState, Layout } from '../model/game';
import type { Cell } from '../model/position';

const MINES: readonly Cell[] = [
  [2, 6],
  [3, 8],
  [4, 2],
  [5, 1],
  [5, 2],
  [6, 1],
  [6, 3],
  [6, 4],
  [6, 8],
  [7, 6],
  [8, 3],
  [8, 8],
];

/** Row and column of each cell that is opened, two digits a move. */
const OPENED = '44 77 74 48 62 58 85 84 86 87 70 72 75 60 82 71 78 81 83';

export function exampleGame(): GameState {
  let game = GameState.begin(Layout.of(9, 9, MINES));
  for (const [number, [row, col]] of [...OPENED.matchAll(/(\d)(\d)/g)].map((at) => at.slice(1)).entries()) {
    const index = game.position.index([Number(row), Number(col)]);
    game = game.open(index, 2 * number) ?? game;
  }
  return game;
}
