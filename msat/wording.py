"""Words that messages and explanations share: how arguments, cells, clues and numbers are called.

Advice such as "give mines=10" is right for who calls msat from Python. The same advice reaches people at the
command line, who write `--mines 10`, and programs that talk to the service, which write `"mines": 10`. So
messages name arguments by `argument`, and whoever stands between the library and its reader chooses the way.

A cell is r3c4 everywhere: row and column, from 0.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

from msat.constants import Cell

__all__ = [
    "SHOWN",
    "are",
    "argument",
    "as_field",
    "as_keyword",
    "as_option",
    "cell_name",
    "cell_names",
    "clue_name",
    "counted",
    "enumerate_words",
    "file_name",
    "many",
    "naming",
    "path_name",
    "quoted",
    "sentence",
    "shorten",
    "shown",
    "visible",
]

LONGEST_NAME = 255
"""The most signs that a name of a file is quoted with."""

LONGEST_PATH = 1000
"""The most signs of a file with its folders that are told."""

SHOWN = 8
"""Cells that one sentence lists; of more only the number is told."""

Naming: TypeAlias = Callable[[str, object], str]


def as_keyword(name: str, value: object) -> str:
    """As an argument of a Python function.

    >>> as_keyword("form", "dot-zero"), as_keyword("form", ...)
    ("form='dot-zero'", 'form=…')
    """
    return f"{name}=…" if value is ... else f"{name}={quoted(value)}"


def as_option(name: str, value: object) -> str:
    """As an option of the command line; one that is true is simply given.

    >>> as_option("form", "dot-zero"), as_option("n", 3), as_option("resume", True), as_option("form", ...)
    ('--form dot-zero', '-n 3', '--resume', '--form')
    """
    option = f"{'-' if len(name) == 1 else '--'}{name.replace('_', '-')}"
    return option if value is True or value is ... else f"{option} {visible(quoted(value, str))}"


def as_field(name: str, value: object) -> str:
    """As a field of a JSON object.

    >>> as_field("form", "dot-zero"), as_field("form", ...)
    ('"form": "dot-zero"', '"form"')
    """
    return (
        json.dumps(name)
        if value is ...
        else f"{json.dumps(name)}: {quoted(value, lambda found: json.dumps(found, default=repr))}"
    )


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number of things, in words.

    >>> counted(1, "mine"), counted(10, "mine"), counted(0, "guess", "guesses")
    ('1 mine', '10 mines', '0 guesses')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def many(number: int, noun: str) -> str:
    """A number with its noun, in a sentence.

    >>> many(1, "mine"), many(0, "mine"), many(3, "clue")
    ('1 mine', 'no mines', '3 clues')
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def enumerate_words(words: Sequence[str]) -> str:
    """Words in a row.

    >>> enumerate_words(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def cell_name(cell: Cell) -> str:
    """A cell.

    >>> cell_name((3, 4))
    'r3c4'
    """
    return f"r{cell[0]}c{cell[1]}"


def cell_names(cells: Iterable[Cell]) -> str:
    """Cells in reading order; just their number if they are too many to read.

    >>> cell_names([(1, 2), (0, 0)])
    'r0c0 and r1c2'
    """
    listed = sorted(cells)
    if not listed:
        return "no cell"
    if len(listed) > SHOWN:
        return f"{len(listed)} cells"
    return enumerate_words([cell_name(cell) for cell in listed])


def clue_name(number: int, cell: Cell) -> str:
    """A clue, by what it shows and where.

    >>> clue_name(2, (1, 1))
    'the 2 at r1c1'
    """
    return f"the {number} at {cell_name(cell)}"


def are(cells: Iterable[Cell], mine: bool) -> str:
    """What cells are.

    >>> are([(0, 0)], mine=True), are([(0, 0), (0, 1)], mine=False)
    ('r0c0 is a mine', 'r0c0 and r0c1 are safe')
    """
    listed = list(cells)
    one = len(listed) == 1
    kind = ("a mine" if one else "mines") if mine else "safe"
    return f"{cell_names(listed)} {'is' if one else 'are'} {kind}"


def sentence(text: str) -> str:
    """`text` as a sentence begins: with a capital, unless that is the name of a cell.

    >>> sentence("won; no mistakes"), sentence("r0c1 is safe")
    ('Won; no mistakes', 'r0c1 is safe')
    """
    return text if text[:1] == "r" and text[1:2].isdigit() else text[:1].upper() + text[1:]


def shorten(text: str) -> str:
    """`text`, cut where it is so long that an error would not stay one readable line.

    >>> shorten("a" * 50)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return text if len(text) <= 40 else text[:37] + "…"


def quoted(value: object, write: Callable[[object], str] = repr) -> str:
    """A value of any kind for a message: cut where it is long, its kind alone where it cannot be written.

    >>> quoted("expert"), quoted([0] * 100), quoted(10**5000)
    ("'expert'", '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …', 'a number of 16,610 bits')
    """
    try:
        return shorten(write(value))
    except Exception:  # whatever a value of somebody else does, or a list that holds itself
        return shown(value) if isinstance(value, int) else f"a value of type {type(value).__name__}"


def file_name(source: str) -> str:
    """What was given for a file, quoted whole, unless no file has such a name.

    >>> file_name("board.txt"), file_name("z" * 9000)
    ("'board.txt'", "'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…")
    """
    return repr(source) if len(source) <= LONGEST_NAME else quoted(source)


def path_name(path: str | os.PathLike[str]) -> str:
    """A file that is there, or could be, as it was named; cut where no file has such a name.

    >>> path_name("runs/a.json"), path_name("z" * 9000)
    ('runs/a.json', 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…')
    """
    text = os.fspath(path)
    return (text if len(text) <= LONGEST_PATH else shorten(text)) or "''"


def shown(number: int) -> str:
    """A whole number for a message, which is not told digit by digit where it has hundreds of them.

    >>> shown(480), shown(-(10**400))
    ('480', 'a number of 1,329 bits')
    """
    return str(number) if number.bit_length() < 200 else f"a number of {number.bit_length():,} bits"


def visible(text: str, keep: str = "") -> str:
    """`text` as a terminal may have it: control characters, and others that do not show, as they are written.

    Text that comes from elsewhere may hold commands to the terminal, or signs that turn a line round.

    >>> print(visible("a\\x1b[31mb\\n"))
    a\\x1b[31mb\\n
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


_naming: ContextVar[Naming] = ContextVar("naming", default=as_keyword)


def argument(name: str, value: object = ...) -> str:
    """An argument and its value, or any value, for use in a message.

    >>> argument("mines", 10)
    'mines=10'
    """
    return _naming.get()(name, value)


@contextmanager
def naming(way: Naming) -> Iterator[None]:
    """Name arguments this way in messages that are made inside.

    >>> with naming(as_option):
    ...     argument("mines", 10)
    '--mines 10'
    """
    before = _naming.set(way)
    try:
        yield
    finally:
        _naming.reset(before)
