"""A digest of the code that plays: whether games that are played now belong with those of another day.

Two versions of msat may play a board differently, and even one version may, while it is worked on. So a
result folder carries the version and this digest, and a run is completed by the code that began it.
"""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from importlib import import_module
from pathlib import Path

from msat.strategies.given import Given
from msat.strategies.naming import is_foreign, split

__all__ = ["PLAYING", "playing_code"]

PLAYING = (
    "analysis.py",
    "arena/boards",
    "arena/games.py",
    "arrays.py",
    "board.py",
    "cells.py",
    "constants.py",
    "engines",
    "game.py",
    "kata.py",
    "kiss.py",
    "layout.py",
    "measures",
    "pcg.py",
    "problem",
    "strategies",
)
"""What of msat a game depends on, files and folders; `tests/arena/test_resuming.py` holds that to be all."""

_PACKAGE = Path(__file__).parents[1]


def playing_code(*strategies: str) -> str:
    """The digest of the code that plays games of these strategies, their own modules included.

    >>> playing_code("logic") == playing_code("safest"), len(playing_code("logic"))
    (True, 16)
    """
    total = hashlib.sha256(_our_code())
    for name in strategies:
        if is_foreign(name):
            total.update(_own_code(name))
    return total.hexdigest()[:16]


@cache
def _our_code() -> bytes:
    total = hashlib.sha256()
    for part in PLAYING:
        place = _PACKAGE / part
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            total.update(file.relative_to(_PACKAGE).as_posix().encode())
            total.update(file.read_bytes())
    return total.digest()


def _own_code(name: str) -> bytes:
    """The source of a strategy that is no part of msat; nothing where it was typed in and is not kept."""
    if isinstance(name, Given):
        kind = name.given if hasattr(name.given, "__name__") else type(name.given)
        try:
            return inspect.getsource(kind).encode()  # type: ignore[arg-type]
        except (OSError, TypeError):
            return b""
    source = getattr(import_module(split(name)[0].partition(":")[0]), "__file__", None)
    file = None if source is None else Path(source)  # which may be called '<stdin>'
    return b"" if file is None or not file.is_file() else file.read_bytes()
