"""What a text form is: everything that msat knows about one way of writing boards or layouts down.

A form is one file, which ends with its `FORM`, listed in `registry.py`. Recognition, printing, the choices of
the command line, help texts and errors all read what it says here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msat.formats.parsed import ParsedBoard, ParsedLayout
from msat.formats.source import Line

__all__ = ["Form", "Source"]


class Source(NamedTuple):
    """A text that is to be read: as it is, and its lines that are not blank."""

    text: str
    lines: list[Line]


class Form(NamedTuple):
    """One way of writing a board or a layout down; what it cannot do is None."""

    name: str
    summary: str
    """What it is, in a few words, for help texts."""
    signs: str = ""
    """The characters of its cells: a text of these alone is meant to be a board."""
    looks_like: Callable[[Source], bool] | None = None
    """Whether a text is in this form; None for a form that is only read if it is asked for."""
    parse_board: Callable[[Source], ParsedBoard] | None = None
    parse_asked: Callable[[Source], ParsedBoard] | None = None
    """The same where the form was asked for, if that answers a question that the text leaves open."""
    print_board: Callable[[ParsedBoard], str] | None = None
    parse_layout: Callable[[Source], ParsedLayout] | None = None
    print_layout: Callable[[ParsedLayout], str | bytes] | None = None
    """The layout as text or, in a binary form, as bytes."""
    keeps_start: bool = True
    """Whether a layout in this form tells where the game starts."""
