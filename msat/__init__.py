"""msat: exact, explained and fast answers about Minesweeper positions.

    >>> import msat
    >>> board = msat.Board.parse("??1/3?2/??? 3")
    >>> analysis = msat.analyze(board)
    >>> analysis.solutions, sorted(analysis.safe), sorted(analysis.mined)
    (4, [(2, 2)], [(2, 1)])

Names are loaded when they are first used: `import msat` alone costs a few milliseconds and imports none of
numba, numpy, ortools, pysat or rich.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "HIDDEN",
    "MINE",
    "PRESETS",
    "Advice",
    "Analysis",
    "ArenaError",
    "BenchError",
    "Board",
    "BoardError",
    "BudgetExceeded",
    "CellError",
    "CheckFailed",
    "ClusterError",
    "Contradiction",
    "Deduction",
    "Explanation",
    "FileError",
    "FolderError",
    "Game",
    "GameError",
    "InconsistentBoard",
    "Layout",
    "LayoutError",
    "Metrics",
    "MissingFile",
    "MissingPackage",
    "Move",
    "MsatError",
    "ParameterError",
    "Record",
    "RecordError",
    "UnknownName",
    "WinProbability",
    "WrongType",
    "__version__",
    "analyze",
    "analyze_many",
    "arena",
    "best_move",
    "deductions",
    "explain",
    "explain_contradiction",
    "metrics",
    "play",
    "probabilities",
    "sample",
    "solve",
    "strategies",
    "win_probability",
]

__version__ = "0.1.0"

if TYPE_CHECKING:
    from msat import arena, strategies
    from msat.analysis import Analysis, analyze, analyze_many, probabilities
    from msat.board import HIDDEN, MINE, PRESETS, Board
    from msat.coach.best_move import Advice, best_move
    from msat.engines.counting.sampling import sample
    from msat.engines.rules.deductions import Deduction, deductions
    from msat.errors import (
        ArenaError,
        BenchError,
        BoardError,
        BudgetExceeded,
        CellError,
        CheckFailed,
        ClusterError,
        FileError,
        FolderError,
        GameError,
        InconsistentBoard,
        LayoutError,
        MissingFile,
        MissingPackage,
        MsatError,
        ParameterError,
        RecordError,
        UnknownName,
        WrongType,
    )
    from msat.explanation.conflict import Contradiction, explain_contradiction
    from msat.explanation.explanation import Explanation, explain
    from msat.game import Game
    from msat.kata import solve
    from msat.layout import Layout
    from msat.measures import Metrics, metrics
    from msat.player import play
    from msat.record import Move, Record
    from msat.winning import WinProbability, win_probability

_HOME = {
    "Advice": "coach.best_move",
    "Analysis": "analysis",
    "ArenaError": "errors",
    "BenchError": "errors",
    "Board": "board",
    "BoardError": "errors",
    "BudgetExceeded": "errors",
    "CellError": "errors",
    "CheckFailed": "errors",
    "ClusterError": "errors",
    "Contradiction": "explanation.conflict",
    "Deduction": "engines.rules.deductions",
    "Explanation": "explanation.explanation",
    "FileError": "errors",
    "FolderError": "errors",
    "Game": "game",
    "GameError": "errors",
    "HIDDEN": "board",
    "InconsistentBoard": "errors",
    "Layout": "layout",
    "LayoutError": "errors",
    "MINE": "board",
    "Metrics": "measures",
    "MissingFile": "errors",
    "MissingPackage": "errors",
    "Move": "record",
    "MsatError": "errors",
    "PRESETS": "board",
    "ParameterError": "errors",
    "Record": "record",
    "RecordError": "errors",
    "UnknownName": "errors",
    "WinProbability": "winning",
    "WrongType": "errors",
    "analyze": "analysis",
    "analyze_many": "analysis",
    "arena": "arena",
    "best_move": "coach.best_move",
    "deductions": "engines.rules.deductions",
    "explain": "explanation.explanation",
    "explain_contradiction": "explanation.conflict",
    "metrics": "measures",
    "play": "player",
    "probabilities": "analysis",
    "sample": "engines.counting.sampling",
    "solve": "kata",
    "strategies": "strategies",
    "win_probability": "winning",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'msat' has no attribute {name!r}")
    module = import_module(f"msat.{home}")
    value = module if name == home else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
