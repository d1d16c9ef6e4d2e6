"""Questions to the player: other games, other settings, files.

A game that is in progress is given up only if the player says so, and can be brought back.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from msat.board import PRESETS, Board, Cell
from msat.cells import read_cell
from msat.errors import BoardError, GameError, LayoutError, MsatError
from msat.formats import parse_board, read_text
from msat.limits import NUMBER_DIGITS, RECORD_BYTES
from msat.record import Record, is_record
from msat.replays import is_binary, is_replay
from msat.tui.app.dialogs import Ask, Confirm, Pick
from msat.tui.app.editing import Editing
from msat.tui.app.session import Session
from msat.tui.svg import write
from msat.wording import counted, file_name, quoted, visible

__all__ = ["Questions", "open_file", "shape_of"]

_BY = r"(?:\s*[x×*,]\s*|\s+)"
"""What stands between the numbers of a size."""

OWN = "own"
"""How one says that the first click is the player's."""


def shape_of(text: str) -> tuple[int, int, int]:
    """Height, width and mines, written 16x30x99 or as the name of a preset.

    >>> shape_of("beginner") == shape_of("9x9x10") == shape_of("9 9 10") == (9, 9, 10)
    True
    """
    name = text.strip().lower()
    if name in PRESETS:
        return PRESETS[name]
    sides = re.fullmatch(rf"(\d{{1,4}}){_BY}(\d{{1,4}}){_BY}(\d{{1,7}})", name, re.ASCII)
    if sides is None:
        raise LayoutError(f"{text!r} is no size: write 16x30x99, or one of {', '.join(PRESETS)}")
    height, width, mines = map(int, sides.groups())
    return height, width, mines


def _is_number(text: str) -> bool:
    """Whether a text is a number that can be one of a board or a game: Python reads only so many digits."""
    return len(text) <= NUMBER_DIGITS and text.isdecimal()


def _path_of(text: str) -> Path:
    """A file that somebody names, also one in a home."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise GameError(f"{file_name(text)}: there is no such home") from None


def _cell_of(text: str) -> Cell:
    found = read_cell(text)
    if found is None:
        raise LayoutError(f"{text!r} is no cell: write row and column, such as 3,3, or {OWN!r}")
    return found


def open_file(path: Path, session: Session) -> Session:
    """The session that shows a saved game or a board, with the settings of another one."""
    if is_binary(path.name):
        return Session.of_record(Record.load(path), session.settings)
    text = read_text(path, limit=RECORD_BYTES)
    if is_record(text) or is_replay(text):
        return Session.of_record(Record.parse(text), session.settings)
    return Session.of_board(Board.parse(text), session.settings)


def _unused(name: str) -> str:
    """A file's name, or the first of its kind that is not there yet: lost.json, lost-2.json …"""
    path = Path(name)
    names = (name if number == 1 else f"{path.stem}-{number}{path.suffix}" for number in range(1, 1000))
    return next((free for free in names if not Path(free).exists()), name)


class Questions(Editing):
    """What the keys do that ask first."""

    def _question(self, question: str, answer: str, take: Callable[[str], object]) -> None:
        def answered(text: str | None) -> None:
            if text is not None:
                try:
                    take(text)
                except MsatError as error:
                    wrong = visible(str(error))
                    self.say(wrong)
                    self.draw()
                    self.push_screen(Ask(question, text, wrong), answered)  # what was typed is not lost

        self.push_screen(Ask(question, answer), answered)

    def _give_up(self, then: Callable[[], object], said: Callable[[], str]) -> None:
        """Do what takes the place of the game, after asking if that is in progress."""

        def go(yes: bool | None) -> None:
            if yes and self.attempt(then):
                self.say(said())

        if self.session.in_progress:
            moves = counted(self.session.history.total, "move")
            question = f"Leave this game of {moves}? It is kept: l brings it back."
            self.push_screen(Confirm(question), go)
        else:
            go(True)

    def _next_game(self, **changes: object) -> None:
        """Change settings of the next game, and begin it; if it cannot be, nothing is changed."""
        before = self.session.settings
        trial = Session.of_board(Board.blank(1, 1, 0), before)
        trial.choose(**changes)
        trial.new()  # says what is wrong with it, before anything is changed
        self.session.choose(**changes)
        self._give_up(self.session.new, self._began)

    def _began(self) -> str:
        return f"A new game, with the seed {self.session.seed}."

    def action_new(self) -> None:
        """A new game."""
        self._give_up(self.session.new, self._began)

    def action_again(self) -> None:
        """The same game again."""
        self._give_up(self.session.again, lambda: "The same game again.")

    def action_bring_back(self) -> None:
        """The game that was played before."""
        if self.attempt(self.session.bring_back):
            self.say(f"Brought back, after {counted(self.session.history.moves, 'move')}; l again goes back.")

    def action_size(self) -> None:
        """Ask for the size, and begin a game of it; in the editor, an empty board."""
        session = self.session

        def take(text: str) -> None:
            height, width, mines = shape_of(text)
            if session.editing:
                empty = Board.blank(height, width, mines)
                self.attempt(lambda: session.edit(empty), "An empty board; u takes that back.")
            else:
                self._next_game(height=height, width=width, mines=mines)

        question = f"Size and mines ({', '.join(PRESETS)}, or rows x columns x mines)"
        now = session.board if session.editing else session.settings
        self._question(question, f"{now.height}x{now.width}x{now.mines}", take)

    def action_seed(self) -> None:
        """Ask for the seed, and begin the game of it."""

        def take(text: str) -> None:
            if text and not _is_number(text):
                raise LayoutError(
                    f"{quoted(text)} is no seed: write a whole number, or nothing for a random one"
                )
            self._next_game(seed=int(text) if text else None)

        seed = self.session.settings.seed
        self._question("Seed (nothing: random)", "" if seed is None else str(seed), take)

    def action_start(self) -> None:
        """Ask where to start, and begin a game there."""

        def take(text: str) -> None:
            if text == OWN:
                self._next_game(start=None, own_start=True)
            else:
                self._next_game(start=_cell_of(text) if text else None, own_start=False)

        chosen = self.session.settings
        start = "" if chosen.start is None else f"{chosen.start[0]},{chosen.start[1]}"
        question = f"Start (row,column; nothing: near a corner; {OWN}: your own first click)"
        self._question(question, OWN if chosen.own_start else start, take)

    def action_strategy(self) -> None:
        """Ask who advises."""
        from msat.strategies import get, names

        def answered(name: str | None) -> None:
            if name is not None:
                self.attempt(lambda: self.session.choose(strategy=name), f"Strategy: {name}")

        listed = [(name, get(name).summary) for name in names()]
        self.push_screen(Pick(listed, self.session.settings.strategy), answered)

    def action_load(self) -> None:
        """Ask for a file, and show what is in it."""

        def take(text: str) -> None:
            if not text:
                raise GameError("no file was named: nothing is loaded")
            loaded = open_file(_path_of(text), self.session)
            self._give_up(lambda: self.session.take_up(loaded), lambda: f"Loaded from {text}.")

        self._question("Load a saved game or a board from the file", "", take)

    def action_save(self) -> None:
        """Ask for a file, and save the game or the what-if board."""

        def take(text: str) -> None:
            if not text:
                raise GameError("no file was named: nothing is saved")
            path = _path_of(text)
            if os.path.exists(path):  # which is no error either where no file could have such a name
                self.push_screen(
                    Confirm(f"{text} is there already. Replace it?"), lambda yes: replace(path, yes)
                )
            else:
                self._save(path)
                self.say(f"Saved to {path}")

        def replace(path: Path, yes: bool | None) -> None:
            if yes:
                self.attempt(lambda: self._save(path), f"Saved to {path}")
            else:
                self.say("Nothing was saved.")

        named = {"what if": "board.txt", "won": "won.json", "lost": "lost.json"}
        name = named.get(self.session.state, "game.json")
        self._question("Save to the file", _unused(name), take)

    def _save(self, path: Path) -> None:
        if self.session.editing:
            write(path, f"{self.session.board}\n")
        else:
            self.session.game.record.save(path)

    def action_total(self) -> None:
        """Ask for the mine total of the what-if board."""

        def take(text: str) -> None:
            self.set_total(_total_of(text, self.session.board))

        self._question("Mines in total", str(self.session.board.mines), take)

    def paste(self, text: str) -> None:
        """Show a position that was pasted on the what-if board; the game stays behind it.

        Where it does not say how many mines there are, its size may: that of the board that is shown, or of a
        preset. Else that is asked for.
        """

        def read() -> None:
            height, width, values, mines = parse_board(text)
            board = Board(height, width, mines or 0, values)
            show(board) if mines is not None else without(board)

        def without(board: Board) -> None:
            height, width = board.shape
            now = self.session.board
            totals = {preset[:2]: preset[2] for preset in PRESETS.values()} | {now.shape: now.mines}
            if (height, width) in totals:
                show(board.replace({}, mines=totals[height, width]))
            else:
                question = f"How many mines are there in total? The position, {height}×{width}, does not say"
                self._question(
                    question, "", lambda said: show(board.replace({}, mines=_total_of(said, board)))
                )

        def show(board: Board) -> None:
            self.session.edit(board)
            self.changed()
            height, width = board.shape
            self.say(f"Pasted: {height}×{width}, {counted(board.mines, 'mine')}; = sets the total.")

        try:
            read()
        except MsatError as error:
            self.say(str(error))
            self.draw()


def _total_of(text: str, board: Board) -> int:
    """A number of mines that somebody types, if the board can have so many."""
    if not _is_number(text):
        raise BoardError(f"{quoted(text)} is no number of mines: write one such as 10")
    return board.replace({}, mines=int(text)).mines  # says what is wrong with it
