"""The record: a game as a value, to be saved, loaded, compared and replayed.

A record holds the layout and the moves; all else follows by replaying them. The file is JSON with a version,
so that a later msat can tell what it reads; a file that does not replay is refused, not repaired. Version 1
had no chords, and did not say when a move was made.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

from msat.board import Board, Cell
from msat.cells import whole_number
from msat.errors import FileError, MsatError, RecordError
from msat.formats import read_bytes, read_text
from msat.formats.json_form import check_keys, load_object, shown, take
from msat.game import Game, Move, State
from msat.kinds import given, several
from msat.layout import Layout
from msat.limits import RECORD_BYTES, REPLAY_BYTES
from msat.notebook import figure
from msat.value import Value
from msat.wording import (
    argument,
    cell_name,
    counted,
    file_name,
    path_name,
    quoted,
    shorten,
    visible,
)

__all__ = ["Move", "Record", "is_record"]

_FORMAT = "msat-record"
_VERSION = 2
_MOST_SECONDS = sys.float_info.max
_KINDS = ("open", "chord", "mark", "unmark")


def is_record(text: str) -> bool:
    """Whether `text` is meant to be a saved record, be it damaged or not (a layout may be JSON as well)."""
    return re.match(rf'\s*\{{\s*"format"\s*:\s*"{_FORMAT}"', text) is not None


class Record(Value):
    """What happened in a game: `layout`, `moves` and their `times`, the `seconds` it took, the `strategy`.

    >>> game = Game(Layout.parse("..*"))
    >>> _ = game.open((0, 0), probability=0.5)
    >>> record = game.record
    >>> record.won, record.guesses, record.success_probability
    (True, (((0, 0), 0.5),), 0.5)
    >>> Record.from_json(record.to_json()) == record
    True
    """

    __slots__ = ("_layout", "_moves", "_seconds", "_state", "_strategy", "_times")

    def __init__(
        self,
        layout: Layout,
        moves: tuple[Move, ...],
        seconds: float = 0.0,
        strategy: str | None = None,
        times: tuple[float | None, ...] | None = None,
    ) -> None:
        if not (isinstance(seconds, int | float) and 0 <= seconds <= _MOST_SECONDS):
            raise RecordError(f"{argument('seconds', seconds)} is not a duration: give 0 or more")
        self._layout = layout
        self._moves = tuple(several(moves, "moves", "moves, such as those of a Game"))
        self._seconds = float(seconds)
        self._strategy = strategy
        self._times = (
            (None,) * len(self._moves)
            if times is None
            else tuple(several(times, "times", "a time for each move"))
        )
        if len(self._times) != len(self._moves):
            raise RecordError(
                f"{len(self._times)} times are not those of {len(self._moves)} moves: give one each"
            )
        for number, time in enumerate(self._times):
            if type(time) is float and 0 <= time <= _MOST_SECONDS:  # as all are that a game has noted
                continue
            if time is not None and not (isinstance(time, int | float) and 0 <= time <= _MOST_SECONDS):
                raise RecordError(f"moves[{number}]: seconds={quoted(time)} is not a time: give 0 or more")
        self._state: State | None = None

    @property
    def layout(self) -> Layout:
        """Where the mines were."""
        return self._layout

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move that was not taken back."""
        return self._moves

    @property
    def times(self) -> tuple[float | None, ...]:
        """When each move was made, in seconds from the game's beginning; None where that is not known."""
        return self._times

    @property
    def seconds(self) -> float:
        """The time from the game's beginning to its last move."""
        return self._seconds

    @property
    def strategy(self) -> str | None:
        """The name of the strategy that played, if one did."""
        return self._strategy

    @property
    def state(self) -> State:
        """How the game stands after the last move: "won", "lost" or "playing"."""
        if self._state is None:
            self._state = self.game().state
        return self._state

    @property
    def won(self) -> bool:
        """Whether every safe cell was opened."""
        return self.state == "won"

    @property
    def lost(self) -> bool:
        """Whether a mine was opened."""
        return self.state == "lost"

    @property
    def guesses(self) -> tuple[tuple[Cell, float], ...]:
        """The cells opened with a claimed safety below 1, in order, each with that claim.

        A cell opened without a claim, such as the start or one opened by hand, is not among them.
        """
        return tuple(
            (move.cell, move.probability)
            for move in self._moves
            if move.opens and move.probability is not None and move.probability < 1
        )

    @property
    def success_probability(self) -> float:
        """The probability that all `guesses` go well, as claimed: their product, 1.0 if there is none."""
        return math.prod(probability for _, probability in self.guesses)

    def game(self, upto: int | None = None) -> Game:
        """The game after its first `upto` moves (all of them by default), ready to be played on."""
        count = len(self._moves) if upto is None else whole_number(upto, "upto", RecordError)
        if not 0 <= count <= len(self._moves):
            of_moves = f"a number of moves of this record: give 0 to {len(self._moves)}"
            raise RecordError(f"{argument('upto', upto)} is not {of_moves}")
        game = Game(self._layout, self._strategy)
        for number in range(count):
            self._replay_move(game, number)
        return game

    def replay(self) -> Iterator[Board]:
        """The board after each move."""
        game = Game(self._layout, self._strategy)
        for number in range(len(self._moves)):
            self._replay_move(game, number)
            yield game.board

    def _replay_move(self, game: Game, number: int) -> None:
        move = self._moves[number]
        try:
            game.apply(move, self._times[number])
        except MsatError as bad:
            raise RecordError(f"moves[{number}], {move.kind} {move.cell}, does not replay: {bad}") from None

    def _repr_html_(self) -> str:
        game = self.game()
        player = "" if self._strategy is None else f" by {self._strategy}"
        lines = [f"{counted(len(self._moves), 'move')}{player}, {self.state}"]
        rows = [[cell_name(cell), f"{probability:.2%}"] for cell, probability in self.guesses]
        return figure(game._repr_svg_(), lines, ("guess", "safe, as claimed"), rows)

    def to_object(self) -> dict[str, Any]:
        """The object that the record's JSON text stands for, which `from_object` reads."""
        timed = zip(self._moves, self._times, strict=True)
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "strategy": self._strategy,
            "seconds": self._seconds,
            "layout": self._layout.to_object(),
            "moves": [{**move.to_object(), "seconds": time} for move, time in timed],
        }

    def to_json(self) -> str:
        """The record as JSON, a move a line."""
        head = self.to_object()
        moves = ",\n".join(map(json.dumps, head.pop("moves")))
        return f'{json.dumps(head)[:-1]}, "moves": [\n{moves}\n]}}\n'

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record and replay it once, so that what is returned is known to be a game."""
        if isinstance(text, str) and len(text) > RECORD_BYTES:
            raise RecordError(f"the text has {len(text):,} characters: at most {RECORD_BYTES:,} are read")
        return cls.from_object(load_object(text, RecordError))

    @classmethod
    def from_object(cls, found: dict[str, Any]) -> Record:
        """Read a record from the object that its JSON text stands for.

        >>> record = Game(Layout.parse("..*")).record
        >>> Record.from_object(record.to_object()) == record
        True
        """
        if not isinstance(found, dict):
            raise RecordError(f"a record is an object, not {shown(found)}")
        form, version = found.get("format"), found.get("version")
        if form != _FORMAT:
            raise RecordError(f"not a record of msat: 'format' is {shown(form)}, not {shown(_FORMAT)}")
        if type(version) is not int or not 1 <= version <= _VERSION:
            raise RecordError(f"'version' is {shown(version)}: this msat reads versions 1 to {_VERSION}")
        check_keys(found, ["format", "version", "layout", "moves"], ["strategy", "seconds"], RecordError)
        laid_out = take(found, "layout", dict, RecordError)
        try:
            layout = Layout.from_object(laid_out)
        except MsatError as bad:
            raise RecordError(f"layout: {bad}") from None
        strategy = None if found.get("strategy") is None else take(found, "strategy", str, RecordError)
        listed = enumerate(take(found, "moves", list, RecordError))
        timed = [_move(number, move, version) for number, move in listed]
        moves, times = tuple(move for move, _ in timed), tuple(time for _, time in timed)
        record = cls(layout, moves, _number(found.get("seconds", 0.0), "'seconds'"), strategy, times)
        record._state = record.game().state
        return record

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, entirely or not at all."""
        given(path, (str, os.PathLike), "path", "the name of a file")
        try:
            name = os.path.realpath(path)  # what a link points to is written, and the link kept
        except ValueError:
            raise FileError(f"{file_name(os.fspath(path))} is not a file name") from None
        text = self.to_json()
        if len(text) > RECORD_BYTES:
            raise RecordError(
                f"{path_name(path)}: not written, since a record of {len(text):,} characters could not be "
                f"read again: at most {RECORD_BYTES:,} are"
            )
        unfinished = f"{name}.{os.getpid()}.tmp"
        try:
            if os.path.exists(name) and not os.path.isfile(name):  # a device or a pipe must not be replaced
                with open(name, "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                return
            try:
                with open(unfinished, "x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                os.replace(unfinished, name)
            except BaseException:
                if os.path.exists(unfinished):
                    os.unlink(unfinished)
                raise
        except OSError as bad:
            raise FileError(f"{path_name(path)}: cannot be written: {bad.strerror or bad}") from None

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record from the text that `save` writes, or from another program's replay, RAWVF or `.msor`.

        >>> record = Game(Layout.parse("..*")).record
        >>> Record.parse(record.to_json()) == record
        True
        """
        from msat.replays import is_replay, replay_record  # which makes records

        if isinstance(text, str) and is_replay(text):
            return replay_record(text)
        if isinstance(text, str) and not text.lstrip().startswith("{"):
            raise RecordError("neither a record of msat, which is JSON, nor a replay in RAWVF or .msor")
        return cls.from_json(text)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record from a file that `save` wrote, or a replay of another program (see `msat.replays`).

        Without that file the error is a `MissingFile`. AVF, EVF, RMV and MVF are told by the file's ending,
        and need `ms_toollib` (`msat-minesweeper[replays]`).
        """
        from msat.replays import binary_record, is_binary

        name = path_name(given(path, (str, os.PathLike), "path", "the name of a file"))
        try:
            if is_binary(os.fspath(path)):
                return binary_record(read_bytes(path, RecordError, limit=REPLAY_BYTES), name)
            return cls.parse(read_text(path, RecordError, limit=RECORD_BYTES))
        except RecordError as bad:
            told = str(bad)
            raise RecordError(told if told.startswith(f"{name}:") else f"{name}: {told}") from None

    def __repr__(self) -> str:
        """A line, since a whole game is hundreds; `to_json` has everything."""
        size = f"{self._layout.height}×{self._layout.width} with {counted(self._layout.mines, 'mine')}"
        player = "" if self._strategy is None else f" by {visible(shorten(self._strategy))}"
        try:
            state: str = self.state
        except MsatError:  # what was put together by hand may be no game
            state = "not playable"
        return f"<Record: {state} after {counted(len(self._moves), 'move')}{player} on {size}>"

    def _made_of(self) -> tuple[Any, ...]:
        return self._layout, self._moves, self._seconds, self._strategy, self._times


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError(f"{where} is {shown(value)}, not a number")
    return float(value)


def _move(number: int, found: Any, version: int) -> tuple[Move, float | None]:
    """A move, and when it was made."""
    kinds = _KINDS if version > 1 else tuple(kind for kind in _KINDS if kind != "chord")
    optional = ["probability", "reason", *(["seconds"] if version > 1 else [])]
    where = f"moves[{number}]"
    if not isinstance(found, dict):
        raise RecordError(f"{where} is {shown(found)}, not an object")
    try:
        check_keys(found, ["kind", "cell"], optional, RecordError)
        reason = take(found, "reason", str, RecordError) if "reason" in found else ""
        cell = take(found, "cell", list, RecordError)
    except RecordError as bad:
        raise RecordError(f"{where}: {bad}") from None
    if found["kind"] not in kinds:
        raise RecordError(f"{where}: 'kind' is {shown(found['kind'])}: choose one of {', '.join(kinds)}")
    if len(cell) != 2 or not all(type(part) is int for part in cell):
        raise RecordError(f"{where}: 'cell' is {shown(cell)}, not [row, column]")
    probability, seconds = (
        None if found.get(key) is None else _number(found[key], f"{where}: '{key}'")
        for key in ("probability", "seconds")
    )
    move = Move(found["kind"], (cell[0], cell[1]), probability, reason)
    if not move.opens and (probability is not None or reason):
        raise RecordError(f"{where}: a {move.kind} has no probability and no reason")
    return move, seconds
