"""Reviews: every field against all strategies tried out, the identity that holds exactly, and odd records."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise

import pytest

import msat
from msat.board import HIDDEN, MINE, Board, Cell
from msat.coach import review as module
from msat.coach.review import review
from msat.coach.reviewed import Review, ReviewedMove
from msat.errors import BudgetExceeded, ParameterError, RecordError, WrongType
from msat.game import Game, Move
from msat.layout import Layout
from msat.record import Record
from tests.conftest import FULL, JIT, scaled
from tests.support.oracle import enumerate_layouts
from tests.support.strategies_by_trying import most_wins, wins_after_all


def random_game(rng: random.Random) -> Game:
    """A short game on a small board, with marks right and wrong, chords, needless risks and blunders."""
    height, width = rng.choice([(2, 4), (3, 3), (2, 5), (1, 7)])
    area = height * width
    start = rng.choice([None, (0, 0)])
    mines = rng.randint(1, area // 2)
    first = "any" if start is None else rng.choice(["any", "safe", "open"])
    if first == "open" and mines > area - 6:
        first = "safe"
    layout = Layout.random(height, width, mines, seed=rng.randrange(10**6), start=start, first=first)
    game = Game(layout)
    if start is not None:
        game.open(start)
    for _ in range(rng.randint(0, 12)):
        if game.state != "playing":
            break
        board = game.board
        kind = rng.random()
        if kind < 0.25 and board.hidden:
            game.mark(rng.choice(board.hidden))
        elif kind < 0.3 and board.marked:
            game.unmark(rng.choice(board.marked))
        elif kind < 0.6 and board.revealed:
            clue = rng.choice(board.revealed)
            if sum(board[each] == MINE for each in board.neighbours(clue)) == board[clue]:
                game.chord(clue)
        elif board.hidden:
            safe = [cell for cell in board.hidden if not layout.is_mine(cell)]
            game.open(rng.choice(safe if safe and rng.random() < 0.85 else board.hidden))
    return game


def unmarked(board: Board) -> Board:
    return board.replace(dict.fromkeys(board.marked, HIDDEN))


def opened_by(board: Board, move: Move) -> tuple[Cell, ...]:
    if move.kind == "open":
        return (move.cell,)
    if move.kind == "chord":
        return tuple(cell for cell in board.neighbours(move.cell) if board[cell] == HIDDEN)
    return ()


def expected_kind(board: Board, cells: tuple[Cell, ...]) -> str:
    if not cells:
        return "mark"
    if not board.revealed:
        return "start"
    layouts = list(enumerate_layouts(board))
    good = sum(not mines.intersection(cells) for mines in layouts)
    if good == len(layouts):
        return "proven"
    if good == 0:
        return "blunder"
    return "needless" if any(all(c not in mines for mines in layouts) for c in board.hidden) else "guess"


def check_move(found: ReviewedMove, record: Record, board: Board) -> None:
    """One decision against the truth; `board` is what was seen before it, without marks."""
    cells = opened_by(found.board, found.move)
    layouts = list(enumerate_layouts(board))
    assert found.kind == expected_kind(board, cells)
    assert found.exact
    assert found.error == found.win_error == 0
    asked = cells or (found.cell,)
    safety = Fraction(sum(not mines.intersection(asked) for mines in layouts), len(layouts))
    if found.kind == "start":
        given = record.layout.start == found.cell and not record.layout.is_mine(found.cell)
        if given and record.layout.number(found.cell) == 0:
            layouts_left, wins = most_wins(board.replace({found.cell: 0}))
            expected = Fraction(wins, layouts_left)
        else:
            expected = Fraction(wins_after_all(board, cells), len(layouts))
            expected /= safety if given else 1
        assert found.safety == (1 if given else safety)
        assert found.win == found.best_win == expected
        return
    assert found.safety == safety
    if not board.revealed:  # a mark before the start, which is given: there is no best one
        assert found.win == found.best_win
        return
    _, best = most_wins(board)
    assert found.best_win == Fraction(best, len(layouts))
    wins = wins_after_all(board, cells) if cells else best
    assert found.win == Fraction(wins, len(layouts))
    assert found.kept == Fraction(wins, best)
    assert found.mistake == (found.kept < Fraction(99, 100))
    assert (found.better is None) == (found.kept == 1)
    if found.better is not None:
        assert wins_after_all(board, (found.better,)) == best


def check_whole(found: Review, record: Record) -> None:
    """What must hold of any review."""
    end = {"won": Fraction(1), "lost": Fraction(0)}.get(record.state, found.chance_at_end)
    assert found.chance_at_start * found.kept * found.luck == end == found.chance_at_end
    assert found.state == record.state
    assert [move.number for move in found.moves] == list(range(1, len(record.moves) + 1))
    assert found.mistakes == tuple(move.number for move in found.moves if move.mistake)
    for move, after in pairwise(found.moves):
        assert move.luck == Fraction(after.best_win) / Fraction(move.win)
        assert not move.fatal
    assert 0 <= found.kept <= 1
    if record.state == "lost":
        assert found.luck == 0
        assert found.moves[-1].fatal
        if found.kept:
            assert found.luck_before > 0
    else:
        assert found.luck_before == found.luck
    sent = json.loads(json.dumps(found.to_object(), allow_nan=False))
    assert sent["summary"] == str(found) == found.summary
    assert "\n" not in found.summary
    assert len(sent["moves"]) == len(found.moves)


def chorded(layout: str, opened: list[Cell], marked: list[Cell], on: Cell) -> Review:
    game = Game(Layout.parse(layout))
    for cell in opened:
        game.open(cell)
    for cell in marked:
        game.mark(cell)
    game.chord(on)
    return review(game.record)


def test_a_chord_that_dies_says_which_flag_was_wrong() -> None:
    found = chorded(".*.\n...", [(1, 0), (1, 1), (1, 2)], [(0, 0)], (1, 0))
    last = found.moves[-1]
    assert (last.kind, last.fatal, last.mistake) == ("blunder", True, True)
    assert last.reason == (
        "the chord on the 1 at r1c0 trusted the flag at r0c0, which was wrong: r0c0 is safe for certain, "
        "by the 1 at r1c1 and the 1 at r1c2"
    )
    assert last.clues == {(1, 1), (1, 2)}
    assert last.proof[-1].endswith("r0c0 is safe")
    assert last.to_object()["marks"] == [{"cell": [0, 0], "verdict": "wrong", "probability": 0.0}]
    assert found.summary.startswith("lost by trusting the flag at r0c0, which was proven wrong (move 5)")
    several = chorded(".**.\n....", [(1, 1), (1, 2)], [(0, 0), (1, 0)], (1, 1)).moves[-1]
    assert "trusted the flags at r0c0 and r1c0, which were wrong: r0c0 is safe" in several.reason


def test_a_chord_names_the_flags_that_were_not_proven() -> None:
    lost = chorded(".*..\n....", [(1, 1)], [(0, 0)], (1, 1))
    start = "the chord on the 1 at r1c1 trusted the flag at {} (a mine with 20.0%), which was not proven"
    assert lost.moves[-1].reason.startswith(start.format("r0c0") + " and was wrong; a needless risk of 80.0%")
    trusted = "trusting the flag at r0c0, which was not proven (move 3)"
    assert lost.summary.startswith(f"lost to a needless risk of 80.0%, {trusted}")
    lucky = chorded(".*..\n....", [(1, 1)], [(0, 1)], (1, 1)).moves[-1]
    assert lucky.reason.startswith(start.format("r0c1") + "; a needless risk of 80.0%")
    assert [cell for cell, mark in lucky.marks if mark.probability == Fraction(1, 5)] == [(0, 1)]
    proven = chorded(".*.\n...", [(1, 0), (1, 1), (1, 2)], [(0, 1)], (1, 1)).moves[-1]
    assert (proven.kind, proven.reason) == ("proven", "r0c0 and r0c2 were proven safe")


@pytest.mark.kernel
def test_reviews_of_endgames_are_exactly_right() -> None:
    rng = random.Random(18)
    kinds: set[str] = set()
    states: set[str] = set()
    decisions = 0
    for _ in range(scaled(300)):
        record = random_game(rng).record
        found = review(record)
        check_whole(found, record)
        board = Board.blank(record.layout.height, record.layout.width, record.layout.mines)
        for move, after in zip(found.moves, record.replay(), strict=True):
            assert unmarked(move.board) == unmarked(board)
            check_move(move, record, unmarked(board))
            board = after
            kinds.add(move.kind)
            decisions += bool(move.opened)
        if record.state == "playing":
            layouts, wins = most_wins(unmarked(board))
            assert found.chance_at_end == Fraction(wins, layouts)
        states.add(record.state)
    if FULL:
        assert kinds == {"start", "proven", "needless", "blunder", "guess", "mark"}
        assert states == {"won", "lost", "playing"}
        assert decisions > 600


@pytest.mark.skipif(not JIT, reason="many games")
@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_logic_has_no_mistake(seed: int) -> None:
    record = msat.play(Layout.random(9, 9, 12, seed=seed, start=(4, 4)), "logic")
    found = review(record)
    check_whole(found, record)
    assert found.mistakes == ()
    assert found.kept == 1
    assert {move.kind for move in found.moves} <= {"start", "proven", "mark"}


@pytest.mark.skipif(not JIT, reason="many games")
def test_perfect_play_keeps_all_and_safest_less() -> None:
    """On boards that are searched exactly from the beginning."""
    kept = {"best": Fraction(0), "safest": Fraction(0)}
    games = 30
    for seed in range(games):
        layout = Layout.random(3, 5, 4, seed=seed, start=(0, 0), first="safe")
        for name in kept:
            found = review(msat.play(layout, name))
            assert all(move.exact for move in found.moves)
            kept[name] += found.kept
    assert kept["best"] == games
    assert kept["safest"] < games


@pytest.mark.skipif(not JIT, reason="many games")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_large_game_by_a_person(seed: int) -> None:
    """No claims, wrong flags, a chord, a needless risk: estimates, and the identity is exact all the same."""
    layout = Layout.random(16, 16, 45, seed=seed, start=(3, 3))
    game = Game(layout)
    game.open((3, 3))
    rng = random.Random(seed)
    while game.state == "playing" and len(game.moves) < 25:
        analysis = msat.analyze(unmarked(game.board))
        if rng.random() < 0.2:
            game.mark(rng.choice(game.board.hidden))
        elif analysis.safe and rng.random() < 0.8:
            cell = rng.choice(sorted(analysis.safe))
            if game.board[cell] == MINE:
                game.unmark(cell)
            game.open(cell)
        else:
            game.open(rng.choice([cell for cell in game.board.hidden if not layout.is_mine(cell)]))
    record = game.record
    seen: list[tuple[int, int]] = []
    found = review(record, progress=lambda done, of: seen.append((done, of)))
    check_whole(found, record)
    assert found == review(record)
    assert not all(move.exact for move in found.moves)
    assert seen == [(done, len(seen)) for done in range(1, len(seen) + 1)]
    for move in found.moves:
        if move.kind == "needless" and move.mistake:
            assert move.better in msat.analyze(unmarked(move.board)).safe
            assert move.proof
            assert move.better is not None
            assert f"r{move.better[0]}c{move.better[1]} was proven safe" in move.reason
    assert any(move.kind == "needless" for move in found.moves)


@pytest.mark.skipif(not JIT, reason="many games")
def test_estimates_agree_with_those_of_many_more_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Early guesses lie within three standard errors of runs with 20 times the layouts."""
    games = []
    for seed in range(10):
        record = msat.play(Layout.random(7, 7, 11, seed=seed, start=(0, 0)), "safest")
        games.append(Record(record.layout, record.moves[:12]))
    reviews = []
    for many in (30, 600):
        for name in ("CERTAIN_GAMES", "CONTESTED_GAMES"):
            monkeypatch.setattr(module, name, (many, many))
        reviews.append([review(record) for record in games])
    rough, fine = reviews
    asked = far = 0
    for one, other in zip(rough, fine, strict=True):
        for move, truth in zip(one.moves, other.moves, strict=True):
            if move.exact or not move.opened:
                continue
            asked += 1
            far += abs(float(move.win) - float(truth.win)) > 3 * move.win_error
            lost, really = (float(x.best_win) - float(x.win) for x in (move, truth))
            far += abs(lost - really) > 3 * move.error + 1e-9
    assert asked > 40
    assert far <= 2 * asked / 100


def test_records_without_a_decision() -> None:
    layout = Layout.from_mines(2, 3, [(0, 0)])
    empty = review(Game(layout).record)
    assert not empty.moves
    assert empty.kept == empty.luck == 1
    assert (
        empty.chance_at_start == empty.chance_at_end == Fraction(*reversed(most_wins(Board.blank(2, 3, 1))))
    )
    assert empty.summary == "nothing was opened yet"
    game = Game(layout)
    game.mark((1, 1))
    marked = review(game.record)
    assert [move.kind for move in marked.moves] == ["mark"]
    assert marked.moves[0].reason == "r1c1 is a mine with a chance of 16.7%: not proven"
    check_whole(marked, game.record)


def open_all(layout: Layout, *cells: Cell) -> Record:
    game = Game(layout)
    for cell in cells:
        game.open(cell)
    return game.record


@pytest.mark.parametrize(
    ("rows", "cells", "summary"),
    [
        (
            ".*\n..",
            [(1, 0), (0, 1)],
            "lost to a guess with a risk of 33.3% that nothing could avoid; no mistakes",
        ),
        ("..*\n...\n...", [(0, 0)], "won; no mistakes: you kept 100% of your chances"),
        ("*..", [(0, 0)], "lost at the start; no mistakes"),
        (
            "...\n..*",
            [(0, 0), (1, 2)],
            "lost to a 50/50 that nothing could avoid; no mistakes",
        ),
        (
            "*.*..",
            [(0, 1), (0, 0)],
            "lost by opening what was proven to be a mine (move 2); no other mistake",
        ),
        (
            ".*..\n.*.*",
            [(1, 2), (0, 2), (1, 0), (1, 3)],
            "lost to a 50/50 that nothing could avoid; your only mistake was move 2, which kept 0.50",
        ),
        (
            "*..\n**.\n..*",
            [(2, 0), (2, 1), (0, 1), (1, 2), (0, 2)],
            "won; your mistakes were moves 2 and 3: you kept 52.5% of your chances, the rest is luck",
        ),
        (
            "*..\n**.\n..*",
            [(2, 0), (2, 1), (0, 1), (1, 2), (1, 1)],
            "lost by opening what was proven to be a mine (move 5); your other mistakes were moves 2 and 3: "
            "until then you kept 52.5% of your chances, the rest is luck",
        ),
        (
            ".*...*.\nstart: 0 0",
            [(0, 0), (0, 4), (0, 5)],
            "lost to a needless risk of 50.0% (move 3); no other mistake",
        ),
        (
            ".*.\n**.\n*..",
            [(1, 2), (2, 2), (0, 0), (2, 1), (0, 1)],
            "lost by opening what was proven to be a mine (move 5); your only other mistake was move 3, "
            "which kept 0.75",
        ),
    ],
)
def test_summaries(rows: str, cells: list[Cell], summary: str) -> None:
    assert review(open_all(Layout.parse(rows), *cells)).summary == summary


def test_what_is_refused() -> None:
    layout = Layout.from_mines(2, 3, [(0, 0)])
    with pytest.raises(WrongType, match=r"review takes a Record, not 'game.json'"):
        review("game.json")  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=r"moves\[1\], open \(1, 1\), does not replay: .* is open already"):
        review(Record(layout, (Move("open", (1, 1)), Move("open", (1, 1)))))
    for seconds in (-1, "1", True, float("nan"), 1e9):
        with pytest.raises(ParameterError, match=r"seconds=.* is not accepted: give a number of seconds"):
            review(Game(layout).record, seconds=seconds)  # type: ignore[arg-type]
    with pytest.raises(BudgetExceeded, match="a board of 40,000 cells is too large to be reviewed"):
        review(Game(Layout.from_mines(200, 200, [(0, 0)])).record)
