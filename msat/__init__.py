"""msat: exact, explained and fast answers about Minesweeper positions.

    >>> import msat
    >>> board = msat.Board.parse("??1/3?2/??? 3")
    >>> analysis = msat.analyze(board)
    >>> analysis.solutions, sorted(analysis.safe), sorted(analysis.mined)
    (4, [(2, 2)], [(2, 1)])

Names are loaded when they are first used: `import msat` alone costs a few milliseconds and imports none of
numba, numpy, ortools, pysat or rich. `__init__.pyi` is the one list of all names and where they live.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

__version__ = "0.2.0"

# By the loader, which finds the list also where msat is imported from an archive.
_LIST = __loader__.get_data(__file__ + "i").decode()
_HOME = {name: home for home, name in re.findall(r"^from (\S+) import (\w+) as \2$", _LIST, re.MULTILINE)}

__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'msat' has no attribute {name!r}")
    # A name that lives in `msat` itself is a module.
    value = import_module(f"msat.{name}") if home == "msat" else getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
