"""Random traces of the API, after CaDiCaL's `mobical`: calls in any order on whatever calls before them made.

A trace is a list of steps, each a call and some numbers; the numbers choose among the boards, games and
analyses that there are, so that every list of steps can be run, and what is left of one that fails when steps
are taken out can be run as well. After each step the answer is compared with the oracle, which tries every
layout. Budgets that end at once, interrupts and threads come in between.
"""

from __future__ import annotations

import copy
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

import msat
from msat.board import HIDDEN, MINE, Board, Cell
from msat.game import Game
from msat.layout import Layout
from tests.support.oracle import counts, enumerate_layouts

__all__ = ["CALLS", "Failed", "Step", "make", "run", "shrink"]

MOST_HIDDEN = 10


class Step(NamedTuple):
    """A call, and the numbers that it is given."""

    call: str
    numbers: tuple[int, int, int]


class Failed(Exception):
    """A step whose answer is wrong, or that raised what it should not."""

    def __init__(self, steps: list[Step], what: str) -> None:
        super().__init__(f"{what} after {len(steps)} steps: {steps}")
        self.steps = steps
        self.what = what


@lru_cache(maxsize=4096)
def truth(board: Board) -> tuple[int, dict[Cell, int]]:
    """The oracle's counts."""
    return counts(board)


@dataclass
class World:
    """Everything that the calls so far have made."""

    boards: list[Board] = field(default_factory=lambda: [Board.parse("??1/3?2/??? 3")])
    games: list[Game] = field(default_factory=lambda: [Game(Layout.parse("..*\n...\n*.."))])
    analyses: list[Any] = field(default_factory=list)

    def board(self, number: int) -> Board:
        """One of the boards."""
        return self.boards[number % len(self.boards)]

    def keep(self, board: Board) -> None:
        """Keep a board that is small enough for the oracle."""
        if len(board.hidden) <= MOST_HIDDEN:
            self.boards.append(board)


def cell_of(board: Board, number: int) -> Cell:
    """One of the cells."""
    return divmod(number % (board.height * board.width), board.width)


def expect(board: Board, call: Callable[[], Any]) -> Any:
    """What a call answers about a board; None where no layout agrees, which the oracle has to confirm."""
    solutions, _ = truth(board)
    try:
        answer = call()
    except msat.InconsistentBoard as bad:
        assert solutions == 0, f"called inconsistent, and has {solutions} layouts: {board!r}"
        _check_conflict(board, bad)
        return None
    assert solutions > 0, f"answered, and has no layout: {board!r}"
    return answer


def _check_conflict(board: Board, bad: msat.InconsistentBoard) -> None:
    """The clues that are blamed are on the board."""
    assert all(board[cell] >= 0 for cell in bad.clues), f"{sorted(bad.clues)} of {board!r}"


def check_analysis(board: Board, found: Any) -> None:
    """All that an analysis tells is what the oracle counts."""
    solutions, with_mine = truth(board)
    assert found.solutions == solutions
    assert found.safe == {cell for cell, n in with_mine.items() if n == 0}
    assert found.mined == {cell for cell, n in with_mine.items() if n == solutions}
    for cell, n in with_mine.items():
        assert found.exact(*cell) == Fraction(n, solutions)
        assert abs(float(found.probability[cell]) - n / solutions) < 1e-12


# The calls


def _new_board(world: World, a: int, b: int, c: int) -> None:
    draw = Random(a * 1_000_003 + b)
    height, width = draw.randint(1, 6), draw.randint(1, 6)
    layout = Layout.random(height, width, draw.randint(0, height * width), seed=c)
    cells = [(r, k) for r in range(height) for k in range(width) if not layout.is_mine((r, k))]
    shown = {cell: layout.number(cell) for cell in cells if draw.random() < draw.choice((0.3, 0.6, 0.9))}
    world.keep(Board.blank(height, width, layout.mines).replace(shown))


def _change(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    world.keep(board.replace({cell_of(board, b): c % 11 - 2}))


def _turn(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    turned = [board.flip_horizontal, board.flip_vertical, board.rotate][b % 3]()
    assert truth(turned)[0] == truth(board)[0]
    world.keep(turned)


def _print(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    form = ("grid", "line", "json", "mine", "dot-hidden", "dot-zero")[b % 6]
    assert Board.parse(board.to_text(form), form=form) == board
    again = [pickle.loads(pickle.dumps(board)), copy.deepcopy(board), eval(repr(board), {"Board": Board})][
        c % 3
    ]
    assert again == board
    assert hash(again) == hash(board)


def _analyze(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    engine = ("auto", "counting", "sat", "auto", "counting", "cpsat")[b % 6]
    found = expect(board, lambda: msat.analyze(board, engine=engine, check=c % 7 == 0))
    if found is not None:
        check_analysis(board, found)
        world.analyses.append(found)


def _look_again(world: World, a: int, b: int, c: int) -> None:
    """An analysis of before still tells the same, also as a copy."""
    if world.analyses:
        found = world.analyses[a % len(world.analyses)]
        check_analysis(found.board, pickle.loads(pickle.dumps(found)) if b % 2 else found)


def _probabilities(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    array: Any = board.to_array()
    given = [array, array.tolist(), np.asfortranarray(array), array.astype(np.float64)][b % 4]
    found = expect(board, lambda: msat.probabilities(given, board.mines))
    if found is None:
        return
    solutions, with_mine = truth(board)
    for cell in np.ndindex(*board.shape):
        r, k = cell
        expected = {HIDDEN: with_mine.get((r, k), 0) / solutions, MINE: 1.0}.get(board[r, k], np.nan)
        assert np.isclose(found[cell], expected, rtol=0, atol=1e-12, equal_nan=True)


def _budget(world: World, a: int, b: int, c: int) -> None:
    """A budget that ends at once: the right answer, or none."""
    board = world.board(a)
    engine = ("auto", "counting", "sat", "cpsat")[b % 4]

    def ask() -> Any:
        return msat.analyze(board, engine=engine, budget=(0.0, 1e-9, 1e-4)[c % 3])

    late = None
    try:
        found = expect(board, ask)
        if found is not None:
            check_analysis(board, found)
    except msat.BudgetExceeded as exceeded:
        late = exceeded
    if late is not None:
        solutions, with_mine = truth(board)
        assert all(with_mine[cell] == 0 for cell in late.safe)
        assert all(with_mine[cell] == solutions for cell in late.mined)


def _interrupt(world: World, a: int, b: int, c: int) -> None:
    """Ctrl-C at about any moment: it comes out, or the answer does; afterwards all is as before.

    (An interrupt that comes while Python deletes an object is lost: Python prints it, and goes on.)
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return
    board = world.board(a)
    engine = ("counting", "sat", "cpsat", "auto")[b % 4]
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    unraisable, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-5 + c % 1000 * 5e-6)
        found = expect(board, lambda: msat.analyze(board, engine=engine))
    except KeyboardInterrupt:
        found = None
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.signal(signal.SIGINT, ctrl_c)
        sys.unraisablehook = unraisable
    if found is not None:
        check_analysis(board, found)


def _threads(world: World, a: int, b: int, c: int) -> None:
    """The same and other boards at once."""
    chosen = [world.board(a + k) for k in range(2 + b % 3)]
    engine = ("auto", "counting", "sat")[c % 3]

    def ask(board: Board) -> Any:
        return expect(board, lambda: msat.analyze(board, engine=engine))

    with ThreadPoolExecutor(len(chosen)) as pool:
        for board, found in zip(chosen, pool.map(ask, chosen), strict=True):
            if found is not None:
                check_analysis(board, found)


def _sample(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    found = expect(board, lambda: msat.sample(board, n=b % 5, seed=c))
    if found is not None:
        allowed = set(enumerate_layouts(board))
        assert all(layout.cells in allowed for layout in found)
        assert found == msat.sample(board, n=5, seed=c)[: len(found)]


def _explain(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    if not board.hidden:
        return
    cell = board.hidden[b % len(board.hidden)]
    found = expect(board, lambda: msat.explain(board, cell))
    if found is not None:
        solutions, with_mine = truth(board)
        verdict = {0: "safe", solutions: "mine"}.get(with_mine[cell], "open")
        assert found.verdict == verdict
        assert str(found)


def _deductions(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    try:
        found = msat.deductions(board)
    except msat.InconsistentBoard:
        assert truth(board)[0] == 0
        return
    solutions, with_mine = truth(board)
    for each in found:
        assert solutions == 0 or with_mine[each.cell] == (solutions if each.mine else 0)


def _win(world: World, a: int, b: int, c: int) -> None:
    board = world.board(a)
    found = expect(board, lambda: msat.win_probability(board))
    if found is not None:
        assert 0 < found.probability <= 1
        assert found.solutions == truth(board)[0]


def _new_game(world: World, a: int, b: int, c: int) -> None:
    height, width = 1 + a % 5, 1 + b % 5
    world.games.append(Game(Layout.random(height, width, c % (height * width + 1), seed=a + b)))


def _move(world: World, a: int, b: int, c: int) -> None:
    """A move of any kind; what is not allowed is a `GameError`."""
    game = world.games[a % len(world.games)]
    before, board = len(game.moves), game.board
    cell = cell_of(board, b)
    try:
        [game.open, game.open, game.open, game.mark, game.unmark, lambda _: game.undo()][c % 6](cell)  # type: ignore[operator]
    except msat.GameError:
        assert game.board == board
        assert len(game.moves) == before
    assert game.record.game().board == game.board
    for r, k in game.board.revealed:
        assert game.board[r, k] == game.layout.number((r, k))
    world.keep(game.board)


def _save(world: World, a: int, b: int, c: int) -> None:
    game = world.games[a % len(world.games)]
    assert msat.Record.from_json(game.record.to_json()) == game.record


def _play(world: World, a: int, b: int, c: int) -> None:
    game = world.games[a % len(world.games)]
    name = ("logic", "safest", "kata")[b % 3]
    record = msat.play(game.layout, strategy=name)
    assert record.state in ("won", "lost", "playing")
    assert record == msat.Record.from_json(record.to_json())


CALLS: dict[str, Callable[[World, int, int, int], None]] = {
    function.__name__.strip("_"): function
    for function in (
        *(_new_board, _change, _turn, _print, _analyze, _look_again, _probabilities, _budget, _interrupt),
        *(_threads, _sample, _explain, _deductions, _win, _new_game, _move, _save, _play),
    )
}


def make(draw: Random, length: int) -> list[Step]:
    """A random trace."""
    names = [*CALLS, "new_board", "new_board", "change", "analyze", "move", "move"]
    return [
        Step(draw.choice(names), (draw.randrange(1 << 16), draw.randrange(1 << 16), draw.randrange(1 << 16)))
        for _ in range(length)
    ]


def run(steps: list[Step]) -> None:
    """Do all steps; `Failed` if one does what it should not."""
    world = World()
    for number, step in enumerate(steps, 1):
        try:
            CALLS[step.call](world, *step.numbers)
        except Exception as bad:
            what = f"{step.call}: {type(bad).__name__}: {str(bad)[:200]}"
            raise Failed(steps[:number], what) from bad


def shrink(failed: Failed, tries: int = 500) -> Failed:
    """The same failure by fewer steps."""

    def fails(steps: list[Step]) -> Failed | None:
        try:
            run(steps)
        except Failed as again:
            same = again.what.split(":")[:2] == failed.what.split(":")[:2]
            return again if same else None
        return None

    size = max(1, len(failed.steps) // 2)
    while size:
        place = 0
        while place < len(failed.steps) and tries > 0:
            tries -= 1
            again = fails(failed.steps[:place] + failed.steps[place + size :])
            if again is None:
                place += size
            else:
                failed = again
        size //= 2
    return failed
