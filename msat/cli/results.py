"""Results of runs on a terminal: no line wraps inside a word, tables are squeezed, the answer stands out."""

from __future__ import annotations

import re

from msat.tui.console import Terminal

__all__ = ["show_results", "squeezed"]


def show_results(text: str, answer: str = "", terminal: Terminal | None = None) -> None:
    """Print lines of text and tables; on a terminal, the `answer` below them, or else the last line, is bold.

    A file gets the text as it is.
    """
    terminal = terminal or Terminal()
    lines = text.splitlines()
    lines = squeezed(lines, terminal.width)
    *lines, last = [*lines, answer] if answer and terminal.console.is_terminal else lines
    for line in lines:
        if _is_table(line):
            terminal.line(line)
        else:
            terminal.wrapped(line)
    terminal.wrapped(last, "answer" if answer == last or last.startswith("Answer") else "")


def _is_table(line: str) -> bool:
    return "   " in line


def squeezed(lines: list[str], width: int | None) -> list[str]:
    """The lines, their tables without blank columns where they are too wide.

    >>> squeezed(["a table:", "      1     22", "     33      4"], 9)
    ['a table:', '   1   22', '  33    4']
    """
    table = [line for line in lines if _is_table(line)]
    if width is None:
        return lines
    while table and max(map(len, table)) > width:
        size = max(map(len, table))
        padded = [line.ljust(size) for line in table]
        blank = "".join(" " if all(line[at] == " " for line in padded) else "x" for at in range(size))
        widest = max(re.findall(" +", blank) or [""], key=len)
        if len(widest) < 2:
            break
        at = blank.index(widest)
        table = [(line[:at] + line[at + 1 :]).rstrip() for line in padded]
    rest = iter(table)
    return [next(rest) if _is_table(line) else line for line in lines]
