"""Every error that msat raises on purpose, in one tree.

One root, `MsatError`, so that a program can catch everything with one clause; every child is also the
built-in that fits, so that code which knows nothing of msat treats it rightly. A message is written for a
person: it quotes what was wrong and says what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable

from msat.constants import Cell
from msat.wording import quoted

__all__ = [
    "ArenaError",
    "BenchError",
    "BoardError",
    "BudgetExceeded",
    "CellError",
    "CheckFailed",
    "ClusterError",
    "EngineError",
    "FileError",
    "FolderError",
    "GameError",
    "InconsistentBoard",
    "LayoutError",
    "MissingFile",
    "MissingPackage",
    "MsatError",
    "ParameterError",
    "RecordError",
    "UnknownName",
    "WrongType",
]


class MsatError(Exception):
    """The root of all errors of msat."""


class BoardError(MsatError, ValueError):
    """Text or numbers that are no board: ragged rows, unknown characters, a mine count that cannot fit."""


class LayoutError(MsatError, ValueError):
    """Mines that are no layout: too many, twice the same, or a damaged file."""


class RecordError(MsatError, ValueError):
    """A saved game that cannot be read or does not replay."""


class WrongType(MsatError, TypeError):
    """An argument of a kind that the function does not take, such as a text where a layout belongs."""


class FileError(MsatError, OSError):
    """A file that cannot be read or written, for a reason that lies in the file system."""


class MissingFile(FileError, FileNotFoundError):
    """A file that does not exist."""


class CellError(MsatError, IndexError):
    """A cell that is not on the board."""


class GameError(MsatError, RuntimeError):
    """A move that the game does not allow now."""


class ParameterError(MsatError, ValueError):
    """A parameter that does not exist, a value that it does not take, or values that do not go together."""


class ArenaError(MsatError, ValueError):
    """A run of many games that cannot be made, or that its workers could not complete."""


class EngineError(MsatError, RuntimeError):
    """A solver that broke down while it worked: not a fault of the board."""


class BenchError(MsatError, ValueError):
    """A file that holds no results of a benchmark."""


class FolderError(MsatError, ValueError):
    """A result folder that is damaged, belongs to another run, or cannot be written."""


class ClusterError(MsatError, ConnectionError):
    """A scheduler that does not answer."""


class UnknownName(MsatError, LookupError):
    """A preset, engine, strategy or format that does not exist; the message names the ones that do."""

    @classmethod
    def of(cls, kind: str, name: object, choices: Iterable[str]) -> UnknownName:
        """The error for an unknown `name` of some `kind`, naming the choices."""
        return cls(f"unknown {kind} {quoted(name)}: choose one of {', '.join(choices)}")


class MissingPackage(MsatError, ImportError):
    """An optional package is not installed; the message says how to install it."""


class InconsistentBoard(MsatError, ValueError):
    """No layout agrees with the board.

    `clues` and `marks` are a minimal set of clue cells and of marked cells that cannot all be right (dropping
    any one of them removes this contradiction); there are marks among them only where the numbers alone are
    possible. `uses_mine_count` tells whether the mine total takes part in it; `possible_mines` are the totals
    that they would allow, where only the total is wrong (otherwise empty). Where a budget ran out before they
    were known to be as few as that, `minimal` is false, and the message says so. `explanation` has
    what else is told of it, as plain values, where it was explained (by `--json` and the service).
    """

    def __init__(
        self,
        message: str,
        clues: Iterable[Cell] = (),
        uses_mine_count: bool = False,
        possible_mines: Iterable[int] = (),
        marks: Iterable[Cell] = (),
        minimal: bool = True,
    ) -> None:
        super().__init__(message)
        self.clues = frozenset(clues)
        self.marks = frozenset(marks)
        self.minimal = minimal
        self.uses_mine_count = uses_mine_count
        self.possible_mines = tuple(possible_mines)
        self.explanation: dict[str, object] = {}

    def __reduce__(self) -> tuple[type[InconsistentBoard], tuple[object, ...], dict[str, object]]:
        return type(self), (str(self),), self.__dict__


class CheckFailed(MsatError, AssertionError):
    """An answer that a second way of proving it does not confirm: a fault of msat, not of the board.

    The message ends with the position in one-line notation, to be reported.
    """


class BudgetExceeded(MsatError, TimeoutError):
    """The answer needs more time or memory than allowed.

    `width` is the number of clues that are open at once on the widest frontier, in the best elimination
    order found: the number that cost grows with exponentially. `safe` and `mined` are the hidden cells that
    were proven before the budget was used up; of the others nothing is known.
    """

    def __init__(
        self, message: str, width: int = 0, safe: Iterable[Cell] = (), mined: Iterable[Cell] = ()
    ) -> None:
        super().__init__(message)
        self.width = width
        self.safe = frozenset(safe)
        self.mined = frozenset(mined)

    def __reduce__(self) -> tuple[type[BudgetExceeded], tuple[object, ...], dict[str, object]]:
        return type(self), (str(self),), self.__dict__
