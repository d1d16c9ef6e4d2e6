"""Help texts that fit the terminal: examples and lists keep their columns, prose is filled anew.

Descriptions and examples are written by hand, for wide terminals. Where a line does not fit, argparse can
either leave it to the terminal, which breaks it inside a word, or fill all of it as one paragraph.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["HelpFormatter", "fitted"]

_ENTRY = re.compile(r"(\s*\S.*?\s{2,})(?=\S)")
"""What stands before the second column of a line: a command or a name, and the space after it."""

_COMMAND = re.compile(r"\s+(msat|printf|\{)")
"""What is to be copied is never broken."""

_FULL = 90
"""A line this long was broken by hand: the next one goes on with it."""

_NARROW = 24
"""Columns below which a second column has no room beside the first: it goes below."""


class _Entry(NamedTuple):
    head: str
    text: str
    column: int


def _entries(text: str) -> Iterator[_Entry | str]:
    """The lines of a text, with those joined that go on; a text alone is to be left as it is."""
    last: _Entry | None = None
    full = False
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if (
            last is not None
            and line.strip()
            and indent == last.column
            and (last.head.strip() or (full and not _begins(line, last.text)))
        ):
            last = last._replace(text=f"{last.text} {line.strip()}")
            full = len(line) > _FULL
            continue
        if last is not None:
            yield last
        last, found = None, _ENTRY.match(line)
        if found is not None:
            last = _Entry(found[1], line[found.end() :].strip(), found.end())
        elif line.strip() and not _COMMAND.match(line):
            last = _Entry(line[:indent], line.strip(), indent)
        else:
            yield line
        full = len(line) > _FULL
    if last is not None:
        yield last


def _begins(line: str, before: str) -> bool:
    """Whether a line of prose is the first of its kind, and does not go on with what is before it."""
    first = line.lstrip()[0]
    return first == '"' or bool(_ENTRY.match(line)) or (first.isupper() and not before.endswith("."))


def fitted(text: str, width: int) -> str:
    """A text with columns, on lines of at most `width` columns where that is possible.

    >>> print(fitted("  msat solve BOARD   what is safe there, and how likely is a mine elsewhere?", 50))
      msat solve BOARD   what is safe there, and how
                         likely is a mine elsewhere?
    """
    if all(len(line) <= width for line in text.splitlines()):
        return text
    lines: list[str] = []
    for entry in _entries(text):
        if isinstance(entry, str):
            lines.append(entry)
            continue
        head, said, column = entry
        if len(head) + len(said) <= width:
            lines.append(head + said)
        elif not head.strip() or width - column >= _NARROW:
            after = " " * column if head.strip() else head + ("  " if head else "")
            lines += textwrap.wrap(
                said,
                width,
                initial_indent=head,
                subsequent_indent=after,
                break_long_words=False,
                break_on_hyphens=False,
            )
        else:
            indent = " " * (len(head) - len(head.lstrip()) + 4)
            lines.append(head.rstrip())
            lines += textwrap.wrap(
                said, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
            )
    return "\n".join(lines) + "\n" * text.endswith("\n")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help that fits the terminal, in which names such as `dot-zero` are not broken at their hyphens."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return textwrap.indent(fitted(text, width), indent)
