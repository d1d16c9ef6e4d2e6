"""What can be laid over the hidden cells: every kind once, and the one place that decides what is shown.

A new overlay is an entry of `KINDS`: key, name, help, and what it shows of all that is known. Bindings, help
and the command palette read them; `session.settings.overlay` holds the name of the one that is on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from msat.tui.app.session import Session
from msat.tui.board import Overlay

__all__ = ["KINDS", "Kind", "shown"]


@dataclass(frozen=True)
class Kind:
    """One overlay, and how it is made of all that is known about the hidden cells."""

    name: str
    key: str
    title: str
    help: str
    of: Callable[[Overlay], Overlay]


KINDS = (
    Kind("heat", "h", "Heat map", "show how likely every hidden cell is a mine", lambda known: known),
    Kind(
        "proven",
        "p",
        "Proven cells",
        "show only what is proven: safe cells and mines",
        lambda known: replace(known, probability=None),
    ),
)

IN_EDITOR = "heat"
"""What a what-if board shows, unless another overlay is on."""


def shown(session: Session) -> Kind | None:
    """The overlay that is to be seen now, if one is: none on a game that is over."""
    if session.state not in ("playing", "what if"):
        return None
    name = session.settings.overlay or (IN_EDITOR if session.editing else "")
    return next((kind for kind in KINDS if kind.name == name), None)
