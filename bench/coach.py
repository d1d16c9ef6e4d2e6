"""Whether the coach is right, at length: all that is promised of reviews, marks, numbers, hints and levels.

    python -m bench.coach                        all checks, as large as they were promised: about an hour
    python -m bench.coach marks numbers hints    some of them
    python -m bench.coach guesses --share 0.1    with a tenth of the cases

    endgames    300 endgames: win, best_win, kept and kind of a review are those of perfect play
    guesses     200 early guesses: estimates are within 3 standard errors of 20 times the layouts in 99 %
    perfect     200 games of `best` that are searched exactly: kept is 1; of `safest` on these boards less
    time        a review of 30 decisions on an expert board takes at most 20 s of one processor
    marks       2,000 boards with random flags: judged as by trying everything, culprits minimal
    numbers     2,000 boards: what cells may show, openings and dead cells, as by trying everything
    hints       500 boards: levels 1 and 2 never name the cell, the numbers of level 3 prove it
    levels      layouts of every difficulty: solved by a person who knows that technique, and not without it
    making      how long layouts of every difficulty take to be made, 9×9, 16×16 and 16×30
    sums        12,000 layouts: with sums of any length nothing would be left for cases; so they end at five
    facts       20 expert boards: what every cell may show, openings and dead cells, in at most 5 ms

Whoever tries everything shares no code with msat: 2^n ways to place mines, and the clues that agree.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import sqrt
from statistics import median

import numpy as np
from numpy.typing import NDArray

import msat
from bench.difficulty import Answer, any_sums, levels, making
from msat.board import MINE, Board, Cell
from msat.coach.judging import Judge
from msat.errors import BudgetExceeded, InconsistentBoard
from msat.game import Game
from msat.layout import Layout
from tests.support.positions import small_boards

__all__ = ["main"]

MOST_HIDDEN = 12


class Ways:
    """All ways to place mines in the cells of a small board that are not open, by trying everything."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cells = sorted([*board.hidden, *board.marked])
        codes = np.arange(1 << len(self.cells))
        self.mined = (codes[:, None] >> np.arange(len(self.cells)) & 1).astype(bool)

    def around(self, cell: Cell) -> NDArray[np.int64]:
        """How many mines each way has around a cell."""
        near = [k for k, other in enumerate(self.cells) if other in self.board.neighbours(cell)]
        around: NDArray[np.int64] = self.mined[:, near].sum(axis=1)
        return around

    def agreeing(
        self, clues: Iterable[Cell], marks: Iterable[Cell] = (), total: bool = True
    ) -> NDArray[np.bool_]:
        """Which ways agree with these clues, these marks and, unless told otherwise, the total."""
        found = np.ones(len(self.mined), bool)
        for clue in clues:
            found &= self.around(clue) == self.board[clue]
        for mark in marks:
            found &= self.mined[:, self.cells.index(mark)]
        return found & (self.mined.sum(axis=1) == self.board.mines) if total else found


def _small(count: int, seed: int, consistent: bool = True) -> Iterator[tuple[Board, Ways, NDArray[np.bool_]]]:
    """Small boards without marks, all that agrees with each."""
    made = 0
    for board in small_boards(20 * count + 100, seed, MOST_HIDDEN):
        bare = board.without_marks()
        if len(bare.hidden) > MOST_HIDDEN or not bare.revealed:
            continue
        ways = Ways(bare)
        agreeing = ways.agreeing(bare.revealed)
        if consistent and not agreeing.any():
            continue
        yield bare, ways, agreeing
        made += 1
        if made == count:
            return


def endgames(count: int) -> Answer:
    """Reviews of games on small boards, every decision of which is an endgame."""
    rng = random.Random(1)
    seen, wrong = 0, 0
    while seen < count:
        layout = Layout.random(
            5, 6, rng.randint(5, 9), seed=rng.randrange(1 << 30), start=(0, 0), first="safe"
        )
        game = Game(layout)
        game.open((0, 0))
        while game.state == "playing" and len(game.moves) < 12:
            safe = [cell for cell in game.board.hidden if not layout.is_mine(cell)]
            game.open(rng.choice(safe if rng.random() < 0.9 else game.board.hidden))
        try:
            truths = [_truth(game.record.game(upto=k).board) for k in range(1, len(game.moves))]
        except BudgetExceeded:
            continue
        for move, (wins, kind) in zip(msat.review(game.record).moves[1:], truths, strict=True):
            best = max(wins.values())
            right = (wins[move.cell], best, wins[move.cell] / best, kind(move.cell))
            wrong += (move.win, move.best_win, move.kept, move.kind) != right
            seen += 1
    return not wrong, f"{seen} endgames, {wrong} differ"


def _truth(board: Board) -> tuple[dict[Cell, Fraction], Callable[[Cell], str]]:
    """The chance to win after every move, by perfect play, and what kind of decision it is."""
    chances = msat.win_probability(board, every_move=True).chances
    assert chances is not None
    known = msat.analyze(board)
    wins = {cell: Fraction(chances.get(cell, 0)) for cell in board.hidden}

    def kind(cell: Cell) -> str:
        if cell in known.safe or cell in known.mined:
            return "proven" if cell in known.safe else "blunder"
        return "needless" if known.safe else "guess"

    return wins, kind


def guesses(count: int, games: int = 150) -> Answer:
    """Estimates of a choice at an early guess, by few layouts and by 20 times as many."""
    rng = random.Random(2)
    seen, outside, worst = 0, 0, 0.0
    while seen < count:
        layout = Layout.random(16, 30, 99, seed=rng.randrange(1 << 30), start=(3, 3))
        board = msat.play(layout, "logic").game().board.without_marks()
        analysis = msat.analyze(board)
        if analysis.safe or len(board.hidden) < 120:
            continue
        ranked = sorted(board.hidden, key=lambda cell: analysis.exact(*cell))
        cell = ranked[rng.randrange(min(4, len(ranked)))]
        few = Judge().judge(analysis, (cell,), games, None)
        many = Judge().judge(analysis, (cell,), 20 * games, None)
        if few.exact:
            continue
        seen += 1
        error = sqrt(few.win_error**2 + many.win_error**2)
        apart = abs(float(few.win) - float(many.win)) / error if error else 0.0
        worst = max(worst, apart)
        outside += apart > 3
    return outside <= max(
        1, count // 100
    ), f"{seen} guesses, {outside} outside 3 standard errors, worst {worst:.2f}"


def perfect(count: int) -> Answer:
    """Games on boards so small that `best` searches every decision."""
    below, kept, start = 0, {"best": Fraction(0), "safest": Fraction(0)}, (0, 0)
    for seed in range(count):
        height, width, mines = [(4, 4, 4), (3, 5, 4), (2, 7, 4), (3, 4, 4)][seed % 4]
        layout = Layout.random(height, width, mines, seed=seed, start=start, first="safe")
        for name in kept:
            found = msat.review(msat.play(layout, name)).kept
            kept[name] += found / count
            below += name == "best" and found != 1
    best, safest = kept["best"], kept["safest"]
    text = f"{count} games each: best kept {float(best):.4f} ({below} below 1), safest {float(safest):.4f}"
    return best == 1 and safest < 1, text


def review_time(count: int) -> Answer:
    """Reviews of 30 decisions on expert boards, by processor time."""
    took: list[float] = []
    seed = 0
    msat.review(msat.play(Layout.random(9, 9, 10, seed=1, start=(3, 3)), "safest"))  # compile first
    while len(took) < count:
        seed += 1
        record = msat.play(Layout.random(16, 30, 99, seed=seed, start=(3, 3)), "safest")
        game, played = record.game(upto=0), 0
        for move in record.moves:
            if move.kind == "open" and played < 30:
                game.open(move.cell)
                played += 1
        if played < 30:
            continue
        begin = time.process_time()
        found = msat.review(game.record)
        took.append(time.process_time() - begin)
        assert len(found.moves) == 30
    return max(
        took
    ) <= 20, f"{count} reviews of 30 decisions: {median(took):.1f} s, at most {max(took):.1f} s"


def marks(count: int) -> Answer:
    """Verdicts on flags, and culprits of boards that flags make impossible."""
    rng = random.Random(3)
    wrong = flags = blamed = 0
    for bare, ways, agreeing in _small(count, 3):
        flagged = rng.sample(bare.hidden, min(len(bare.hidden), rng.randint(1, 4)))
        board = bare.replace(dict.fromkeys(flagged, MINE))
        judged = msat.judge_marks(board)
        for cell in flagged:
            share = Fraction(int(ways.mined[agreeing, ways.cells.index(cell)].sum()), int(agreeing.sum()))
            verdict = "wrong" if share == 0 else "proven" if share == 1 else "unproven"
            wrong += (judged[cell].verdict, judged[cell].probability) != (verdict, share)
            flags += 1
        if not ways.agreeing(bare.revealed, flagged).any():
            blamed += 1
            wrong += not _minimal(board, ways)
    return (
        not wrong,
        f"{count} boards, {flags} flags, {blamed} boards that flags make impossible: {wrong} wrong",
    )


def _minimal(board: Board, ways: Ways) -> bool:
    """Whether the culprits contradict each other, and no longer without any one of them."""
    try:
        msat.analyze(board)
        return False
    except InconsistentBoard as found:
        error = found

    def possible(without: Cell | None, total: bool = error.uses_mine_count) -> bool:
        clues, blamed = (side - {without} for side in (error.clues, error.marks))
        return bool(ways.agreeing(clues, blamed, total).any())

    minimal = not possible(None) and all(map(possible, [*error.clues, *error.marks])) and bool(error.marks)
    return minimal and (not error.uses_mine_count or possible(None, total=False))


def numbers(count: int) -> Answer:
    """What every hidden cell may show."""
    wrong = cells = dead = 0
    for bare, ways, agreeing in _small(count, 4):
        found, total = msat.analyze(bare), int(agreeing.sum())
        for k, cell in enumerate(ways.cells):
            safe = agreeing & ~ways.mined[:, k]
            shown = np.bincount(ways.around(cell)[safe], minlength=9)
            truth = [Fraction(int(n), total) for n in shown]
            here = found.numbers(*cell)
            wrong += list(here) != truth or sum(here) != 1 - found.exact(*cell)
            wrong += abs(found.opening[cell] - float(truth[0])) > 1e-12
            is_dead = np.count_nonzero(shown) == 1
            wrong += bool(safe.any()) and (cell in found.dead) != is_dead
            cells, dead = cells + 1, dead + is_dead
    return not wrong, f"{count} boards, {cells} cells, {dead} dead: {wrong} wrong"


def hints(count: int) -> Answer:
    """What the levels of a hint give away."""
    named = unproven = proven = 0
    for bare, ways, _ in _small(count, 5):
        levels = [msat.hint(bare, level) for level in range(1, 6)]
        cell = levels[3].cell
        if levels[0].kind == "won":
            continue
        assert cell is not None
        spelled = (f"r{cell[0]}c{cell[1]}", f"({cell[0]}, {cell[1]})")
        for told in levels[:2]:
            named += any(name in str(told) for name in spelled)
            named += any(name in told.to_object() for name in ("cell", "clues", "candidates"))
        named += levels[2].cell is not None
        if levels[3].kind == "proven":
            proven += 1
            third = levels[2]
            left = ways.agreeing(third.clues, total=third.uses_mine_count)
            unproven += bool(ways.mined[left, ways.cells.index(cell)].any())
    return (
        not named + unproven,
        f"{count} boards, {proven} proven: {named} gave away too much, {unproven} too little",
    )


def facts(count: int) -> Answer:
    """Numbers, openings and dead cells of expert boards in the middle of a game, by processor time."""
    took: list[float] = []
    seed = 0
    while len(took) < count:
        seed += 1
        layout = Layout.random(16, 30, 99, seed=seed, start=(3, 3))
        board = msat.play(layout, "logic").game().board.without_marks()
        if len(board.hidden) < 120:
            continue
        rounds = []
        for _ in range(5):
            analysis = msat.analyze(board)
            begin = time.process_time()
            found = analysis.number_chances, analysis.opening, analysis.dead
            rounds.append(1000 * (time.process_time() - begin))
            assert found[0].shape == (16, 30, 9)
        took.append(min(rounds[1:]))
    return max(took) <= 5, f"{count} expert boards: {median(took):.2f} ms, at most {max(took):.2f} ms"


CHECKS: dict[str, tuple[Callable[[int], Answer], int]] = {
    "endgames": (endgames, 300),
    "guesses": (guesses, 200),
    "perfect": (perfect, 200),
    "time": (review_time, 5),
    "marks": (marks, 2000),
    "numbers": (numbers, 2000),
    "hints": (hints, 500),
    "levels": (levels, 10),
    "making": (making, 10),
    "sums": (any_sums, 12_000),
    "facts": (facts, 20),
}


def main() -> int:
    """Check what is named, or all; the exit status tells whether all of it holds."""
    parser = argparse.ArgumentParser(prog="python -m bench.coach", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    parser.add_argument("--share", type=float, default=1.0, help="of the cases that are promised (1)")
    options = parser.parse_args()
    if unknown := set(options.checks) - set(CHECKS):
        parser.error(f"no such check: {', '.join(sorted(unknown))}; there are {', '.join(CHECKS)}")
    status = 0
    for name in options.checks or CHECKS:
        check, cases = CHECKS[name]
        begin = time.perf_counter()
        holds, text = check(max(1, round(cases * options.share)))
        status |= not holds
        print(
            f"{name:9} {'holds' if holds else 'FAILS'}: {text} ({time.perf_counter() - begin:.0f} s)",
            flush=True,
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
