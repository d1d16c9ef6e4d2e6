"""`.msor`, the web analyser's replays: JSON with the size, and of each step the click and what it showed.

    {"header": {"width": 30, "height": 16, "mines": 99},
     "replay": [{"type": 0, "x": 3, "y": 2, "time": 0, "touchCells": [3, 2, 1, 0, 0]}, …]}

A step's `type` is 0 for a click, 1 for a mark, 3 for a chord, `time` is in milliseconds. `touchCells` has
five numbers for each cell: column, row, value, and two of no matter here. A value of 0 to 8 is a number; 10
is a mark set or taken away and, once a mine went off, a mine; 11 is the mine that went off, 12 a wrong mark.

Where the mines are is told by the end: they are what a won game left, or what a lost one shows. What the
steps show must be what the same moves show on these mines, or the file is damaged.
"""

from __future__ import annotations

import re
from typing import Any

from msat.cells import Cell, check_mines, check_size
from msat.errors import GameError, RecordError
from msat.formats.json_form import load_object, shown
from msat.game import Game
from msat.layout import Layout
from msat.limits import RECORD_BYTES
from msat.record import Record

__all__ = ["looks_like", "parse"]

_OPEN, _MARK, _CHORD = 0, 1, 3
_FLAG, _BLAST, _WRONG = 10, 11, 12
_TOUCH = 5


def looks_like(text: str) -> bool:
    """Whether a text, or the beginning of one, is meant to be such a replay."""
    return re.match(r'\ufeff?\s*\{\s*"(header|replay)"\s*:\s*[\[{]', text[:200]) is not None


def _field(found: dict[str, Any], key: str, kind: type, where: str) -> Any:
    value = found.get(key)
    if type(value) is not kind:
        wanted = {int: "a whole number", list: "a list", dict: "an object"}[kind]
        raise RecordError(f"{where}: '{key}' is {shown(value)}, not {wanted}")
    return value


class _ReplayStep:
    """One step, its fields checked."""

    def __init__(self, number: int, found: Any, shape: tuple[int, int]) -> None:
        self.where = f"replay[{number}]"
        if not isinstance(found, dict):
            raise RecordError(f"{self.where} is {shown(found)}, not an object")
        self.kind: int = _field(found, "type", int, self.where)
        if self.kind not in (_OPEN, _MARK, _CHORD):
            raise RecordError(f"{self.where}: 'type' is {self.kind}: it is 0 (click), 1 (mark) or 3 (chord)")
        self.cell = self._on_board(
            _field(found, "x", int, self.where), _field(found, "y", int, self.where), shape
        )
        time = found.get("time")
        if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < 1e12:
            raise RecordError(f"{self.where}: 'time' is {shown(time)}, not milliseconds")
        self.seconds = time / 1000
        self.touched = self._touched(found, shape) if self.kind != _MARK else []

    def _on_board(self, x: int, y: int, shape: tuple[int, int]) -> Cell:
        if not (0 <= y < shape[0] and 0 <= x < shape[1]):
            raise RecordError(f"{self.where}: column {x}, row {y} is not on the {shape[0]}×{shape[1]} board")
        return y, x

    def _touched(self, found: dict[str, Any], shape: tuple[int, int]) -> list[tuple[Cell, int]]:
        numbers = _field(found, "touchCells", list, self.where)
        if len(numbers) % _TOUCH or not all(type(number) is int for number in numbers):
            raise RecordError(
                f"{self.where}: 'touchCells' is not a list of whole numbers, {_TOUCH} for each cell"
            )
        cells = [
            (self._on_board(numbers[i], numbers[i + 1], shape), numbers[i + 2])
            for i in range(0, len(numbers), _TOUCH)
        ]
        for cell, value in cells:
            if not (0 <= value <= 8 or value in (_FLAG, _BLAST, _WRONG)):
                raise RecordError(
                    f"{self.where}: 'touchCells' has the value {value} at {cell}: use 0 to 8, 10, 11, 12"
                )
        return cells


def parse(text: str) -> Record:
    """The game of a replay."""
    if len(text) > RECORD_BYTES:
        raise RecordError(f"the text has {len(text):,} characters: at most {RECORD_BYTES:,} are read")
    found = load_object(text, RecordError)
    header = _field(found, "header", dict, "the replay")
    height, width, mines = (_field(header, key, int, "header") for key in ("height", "width", "mines"))
    height, width = check_size(height, width, RecordError)
    check_mines(mines, height, width, RecordError)
    listed = _field(found, "replay", list, "the replay")
    steps = [_ReplayStep(number, step, (height, width)) for number, step in enumerate(listed)]
    layout = Layout.from_mines(height, width, sorted(_mines(steps, height, width, mines)), _start(steps))
    return _played(layout, steps)


def _start(steps: list[_ReplayStep]) -> Cell | None:
    first = next((step for step in steps if step.kind == _OPEN), None)
    return None if first is None or any(value == _BLAST for _, value in first.touched) else first.cell


def _mines(steps: list[_ReplayStep], height: int, width: int, mines: int) -> set[Cell]:
    """Where the end of the game shows the mines to be."""
    safe: set[Cell] = set()
    shown_mines: set[Cell] = set()
    marked: set[Cell] = set()
    lost = False
    for step in steps:
        if step.kind == _MARK:
            marked ^= {step.cell}
        for cell, value in step.touched:
            if value <= 8 or value == _WRONG:
                safe.add(cell)
                marked.discard(cell)
            elif value == _BLAST or lost:
                lost = True
                shown_mines.add(cell)
            else:
                marked ^= {cell}
    if lost:
        shown_mines |= marked - safe
    elif len(safe) == height * width - mines:
        shown_mines = {(row, column) for row in range(height) for column in range(width)} - safe
    else:
        raise RecordError(
            "the replay ends before the game does, so that it does not tell where the mines are"
        )
    if len(shown_mines) != mines or shown_mines & safe:
        raise RecordError(
            f"the replay shows {len(shown_mines)} mines at its end, its header promises {mines}"
        )
    return shown_mines


def _played(layout: Layout, steps: list[_ReplayStep]) -> Record:
    game = Game(layout)
    times: list[float] = []
    for step in steps:
        if game.state != "playing":
            raise RecordError(f"{step.where}: the game is {game.state} before this step")
        try:
            _make(game, step)
        except GameError as bad:
            raise RecordError(f"{step.where}: {bad}") from None
        times += [step.seconds] * len(game.moves_since(len(times)))
    return Record(layout, game.moves, times[-1] if times else 0.0, None, tuple(times))


def _make(game: Game, step: _ReplayStep) -> None:
    """Make the moves of a step, and compare what they show."""
    board = game.board
    if step.kind == _MARK:
        (game.unmark if board[step.cell] == -2 else game.mark)(step.cell)
        return
    told = {cell: value for cell, value in step.touched if value <= 8}
    blast = any(value == _BLAST for _, value in step.touched)
    opened: tuple[Cell, ...] = ()
    if told or blast:
        for cell in (*told, step.cell):  # programs take marks away from what they open
            if board[cell] == -2 and (cell != step.cell or step.kind == _OPEN):
                game.unmark(cell)
        chord = step.kind == _CHORD or board[step.cell] >= 0
        opened = (game.chord if chord else game.open)(step.cell)
    if blast != (game.state == "lost"):
        raise RecordError(
            f"{step.where}: the step {'loses' if blast else 'does not lose'}, its mines say otherwise"
        )
    numbers = {cell: layout_number for cell in opened for layout_number in [game.layout.number(cell)]}
    if not blast and numbers != told:
        differs = min(numbers.items() ^ told.items())
        raise RecordError(
            f"{step.where}: the step shows {differs[1]} at {differs[0]}, its mines say otherwise"
        )
    for cell, value in step.touched:
        if value == _FLAG and game.state == "playing":
            (game.unmark if game.board[cell] == -2 else game.mark)(cell)
