"""The board that a sub-command is asked about: a file, standard input, or the text in the argument itself.

A saved game is a board as well: its last position, or another one by `--move`. So is a game of a result
folder (`--game`): it is played again, which takes as long as it took, and gives the very same moves.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msat.board import Board
from msat.cli.options import whole
from msat.errors import BoardError, FolderError, MissingFile, MsatError, RecordError
from msat.formats import FORMS, SIGNS, TEXT_LIMIT, decode_text, read_text
from msat.formats.json_text import read_json
from msat.game import Game
from msat.layout import Layout
from msat.record import Record, is_record
from msat.replays import is_binary, is_replay
from msat.wording import counted, file_name, path_name, quoted, visible

__all__ = [
    "add_board_options",
    "add_game_option",
    "is_file",
    "is_layout",
    "load_record",
    "read_board",
    "read_question",
    "read_record",
]


def add_board_options(parser: argparse.ArgumentParser) -> None:
    """Add the argument and the options that say which board; `read_board` reads what they hold."""
    parser.add_argument(
        "board",
        nargs="?",
        metavar="BOARD",
        help="a file, '-' for stdin, a board, a saved game or a result folder",
    )
    parser.add_argument("--mines", type=whole, metavar="N", help="mines in total, if the text does not say")
    parser.add_argument(
        "--form",
        metavar="F",
        help=f"the text form, if it is not to be recognised: {', '.join(FORMS)}",
    )
    parser.add_argument(
        "--move",
        type=whole,
        metavar="N",
        help="of a saved game, the position after N moves (default: the last)",
    )
    add_game_option(parser)


def add_game_option(parser: argparse.ArgumentParser) -> None:
    """Add `--game`, which says which game of a result folder is meant."""
    parser.add_argument("--game", type=whole, metavar="N", help="of a result folder, which game, from 0")


def read_question(args: argparse.Namespace) -> Board:
    """The board that a command asks one question about: kernels begin plain if it is small."""
    from msat._jit import begin_plain

    board = read_board(args)
    begin_plain(board.height * board.width)
    return board


def read_board(args: argparse.Namespace) -> Board:
    """The board in a file, in standard input, or in the argument itself."""
    source: str | None = args.board
    if source is None:
        raise BoardError(
            f"{args.command} needs a BOARD: a file, '-' for standard input, or a board such as '??/11 1'"
        )
    if source == "-":
        if sys.stdin.isatty():
            print("msat: reading a board from the terminal, until Ctrl-D", file=sys.stderr)
        return _board(
            decode_text(sys.stdin.buffer.read(TEXT_LIMIT + 1), "standard input"), "standard input", args
        )
    if is_file(source):
        try:
            record = read_record(source, args.game)
            return (
                _board(read_text(source), repr(source), args)
                if record is None
                else _position(record, source, args)
            )
        except (BoardError, RecordError) as error:
            raise told_of(source, error) from None
    try:
        return _board(source, "the text", args)
    except (BoardError, RecordError) as error:
        raise meant_for_a_file(source, error) from None


def told_of(source: str, error: MsatError) -> MsatError:
    """An error in what a file says, with the name of the file before it."""
    name, told = path_name(source), str(error)
    if name not in told:
        error.args = (f"{name}: {told}", *error.args[1:])
    return error


def meant_for_a_file(source: str, error: MsatError) -> MsatError:
    """What to say of an argument that is no board, by `error`: it may have been meant to name a file."""
    if any(char.isspace() for char in source.strip()) or set(source) <= SIGNS or "=" in source:
        return error
    if "/" in source or "\\" in source or re.search(r"\.[A-Za-z]\w*$", source):
        return MissingFile(f"{file_name(source)}: no such file")
    return BoardError(f"{file_name(source)} is no file, and no board either: {error}")


def _board(text: str, origin: str, args: argparse.Namespace) -> Board:
    """The board that a text is, or the position of the game that it holds."""
    if is_record(text) or is_replay(text):
        return _position(Record.parse(text), origin, args)
    puzzle = _puzzle_of(text)
    if puzzle is not None:
        return _position(_begun(puzzle).record, origin, args)
    for option in ("move", "game"):
        number = getattr(args, option)
        if number is not None:
            raise RecordError(f"--{option} {number} needs a saved game: {origin} is none")
    return _parse(text, origin, args)


def _position(record: Record, origin: str, args: argparse.Namespace) -> Board:
    """What the player saw of a game after so many moves."""
    if args.form is not None:
        raise RecordError(f"--form {args.form} is for text: {origin} is a saved game")
    moves = len(record.moves)
    number = moves if args.move is None else args.move
    if not 0 <= number <= moves:
        raise RecordError(
            f"--move {number} is not in this game: it has {counted(moves, 'move')}, give 0 to {moves}"
        )
    board = record.game(upto=number).board
    if args.mines not in (None, board.mines):
        raise RecordError(
            f"the saved game has {counted(board.mines, 'mine')}, and --mines {args.mines} is given"
        )
    return board


def load_record(source: str, game: int | None) -> Record:
    """The game in a file or in a result folder; what is none is an error that says what is wrong with it."""
    if not is_file(source):
        _check_no_position(source)
        return Record.load(source)
    record = read_record(source, game)
    return Record.load(source) if record is None else record


def _check_no_position(source: str) -> None:
    """Refuse a board that is given for a game."""
    try:
        Board.parse(source)
    except MsatError:
        return
    raise RecordError(
        f"{quoted(source)} is a position, and a saved game is needed: "
        "'msat hint' and 'msat explain' take positions"
    )


def read_record(source: str, game: int | None) -> Record | None:
    """The game in a file, or the one with this number in a result folder; None if the file is no game."""
    path = Path(source)
    if path.is_dir():
        return _game_of_folder(path, game)
    if path.name == "puzzles.jsonl":
        return _game_of_puzzles(path, game)
    with path.open("rb") as file:
        start = file.read(200).decode("utf-8", "replace").removeprefix("\ufeff")
    if not (is_binary(source) or is_record(start) or is_replay(start)):
        return None
    if game is not None:
        raise RecordError(f"--game {game} is for result folders: {path} is one game")
    return Record.load(source)


def _game_of_folder(path: Path, game: int | None) -> Record:
    """A game of a run, played again by whoever played it."""
    from msat.arena.folder import Folder
    from msat.arena.plan import Plan
    from msat.player import play
    from msat.strategies.naming import is_foreign

    folder = Folder.open(path)
    folder.require("sim")
    plan = Plan.from_object(folder.settings)
    number = _chosen(game, f"{path} has games 0 to {plan.games - 1}")
    if number >= plan.games:
        raise FolderError(f"--game {number} is not in {path}: it has games 0 to {plan.games - 1}")
    if is_foreign(plan.strategy):
        again = plan.replay(number).rstrip("'")
        raise FolderError(
            f"{path} was played by {visible(plan.strategy)}, which is no part of msat and would be loaded: "
            f"if you trust it, {visible(again)} --save game.json' plays game {number} again and keeps it"
        )
    return play(plan.layout(number), plan.player(), seed=plan.game_seed(number))


def _game_of_puzzles(path: Path, game: int | None) -> Record:
    """The beginning of a game whose layout a run has kept."""
    from msat.arena.journal import read_lines

    number = _chosen(game, f"{path} holds many puzzles")
    for _, found in read_lines(path):
        if isinstance(found, dict) and found.get("game") == number:
            return _begun(_layout_of(found)).record
    raise FolderError(f"{path} holds no puzzle of game {number}")


def _chosen(game: int | None, which: str) -> int:
    if game is None:
        raise FolderError(f"{which}: say which by --game N")
    if game < 0:
        raise FolderError(f"--game {game} is no game: they are numbered from 0")
    return game


def _puzzle_of(text: str) -> Layout | None:
    """The layout in a line of a result folder's puzzles, if the text is one."""
    if not re.match(r'\s*\{\s*"game"\s*:', text):
        return None
    try:
        return _layout_of(read_json(text, BoardError))
    except MsatError as bad:
        raise BoardError(f"this is no puzzle of a result folder: {bad}") from None


def _layout_of(puzzle: Mapping[str, Any]) -> Layout:
    if "layout" not in puzzle:
        raise BoardError("it has no layout")
    return Layout.from_object(puzzle["layout"])


def _begun(layout: Layout) -> Game:
    """The game after its first click."""
    game = Game(layout)
    if layout.start is not None:
        game.open(layout.start)
    return game


def _parse(text: str, origin: str, args: argparse.Namespace) -> Board:
    """The board that `text` is; a layout, which is easily taken for one, is told from other text."""
    try:
        return Board.parse(text, mines=args.mines, form=args.form)
    except BoardError:
        if is_layout(text):
            raise BoardError(
                f"{origin} is a layout, which shows the mines; {args.command} needs what a player sees: "
                "add --board to 'msat generate'"
            ) from None
        raise


def is_layout(text: str) -> bool:
    """Whether `text` is a layout beyond doubt: dots alone may be a board in a form that has to be named."""
    try:
        layout = Layout.parse(text)
    except MsatError:
        return False
    return layout.mines > 0 or layout.start is not None


def is_file(source: str) -> bool:
    """Whether there is such a file, or a link that leads nowhere; a board may be no name of any file."""
    return os.path.lexists(source)
