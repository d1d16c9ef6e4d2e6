"""All forms. To add one, write its file and list it here: nothing else has to know of it.

The more special a form, the later it is listed: a text whose form is not named belongs to the last one that
says so. What belongs to none of them is a grid, the form that people type, whose complaints help most.
"""

from __future__ import annotations

from collections.abc import Callable

from msat.errors import UnknownName
from msat.formats import (
    array_text,
    board_file,
    drawing,
    either,
    grid,
    json_form,
    labelled,
    line,
    links,
    mbf,
    mine,
)
from msat.formats.form import Form, Source
from msat.kinds import is_name

__all__ = ["ALL", "FORMS", "LAYOUT_FORMS", "SIGNS", "named", "recognised"]

ALL: tuple[Form, ...] = (
    grid.FORM,
    line.FORM,
    json_form.FORM,
    mine.FORM,
    *either.FORMS,
    labelled.FORM,
    array_text.FORM,
    drawing.FORM,
    board_file.FORM,
    links.FORM,
    mbf.FORM,
)
"""Every form, in the order in which help texts name them."""

FORMS = tuple(form.name for form in ALL if form.parse_board)
"""The forms of a board's text."""

LAYOUT_FORMS = tuple(form.name for form in ALL if form.parse_layout)
"""The forms of a layout's text."""

SIGNS = frozenset("".join(form.signs for form in ALL))
"""The characters that cells are written by, in one form or another."""


def named(name: str, can: Callable[[Form], object]) -> Form:
    """The form with this name, one of those that `can` do what is wanted."""
    for form in ALL:
        if is_name(name, (form.name,)) and can(form):
            return form
    raise UnknownName.of("form", name, [form.name for form in ALL if can(form)])


def recognised(source: Source, can: Callable[[Form], object]) -> Form:
    """The form that a text is in, one of those that `can` do what is wanted."""
    return next(
        form
        for form in reversed(ALL)
        if can(form) and form.looks_like is not None and form.looks_like(source)
    )
