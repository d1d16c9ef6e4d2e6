"""Where text comes from: files, sizes, encodings, lines and rows.

Everything that can be wrong with a text before its form matters is found here, so that every form reports it
in the same words, with line and column counted from 1.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msat.errors import BoardError, FileError, MissingFile, MsatError, WrongType
from msat.formats.signs import no_cell
from msat.kinds import given, octets
from msat.limits import MAX_SIDE, TEXT_LIMIT
from msat.wording import path_name, quoted, shorten

__all__ = [
    "TEXT_LIMIT",
    "Line",
    "check_rows",
    "checked_text",
    "decode_text",
    "lines_of",
    "number_in",
    "quote",
    "read_bytes",
    "read_row",
    "read_text",
    "shorten",
    "spaced_once",
    "write_bytes",
]


class Line(NamedTuple):
    """A line of text and its number, counted from 1."""

    number: int
    text: str

    def __str__(self) -> str:
        return f"line {self.number}"


def quote(text: str) -> str:
    """`text` in quotes, shortened."""
    return repr(shorten(text))


def spaced_once(text: str) -> str:
    """`text` with one space for every run of them, and none at its ends.

    >>> spaced_once("  mines  :\\t10 ")
    'mines : 10'
    """
    return " ".join(text.split())


def number_in(text: str, where: str, name: str, error: type[MsatError]) -> int:
    """The whole number that `text` is."""
    if re.fullmatch("[+-]?[0-9]{1,18}", text):
        return int(text)
    raise error(f"{where}: {quote(text)} is not a number of {name}: write it as in '{name}: 10'")


def checked_text(text: object) -> str:
    """`text`, which must be one."""
    if not isinstance(text, str):
        raise WrongType(f"text is read from a str, not from {type(text).__name__}: {quoted(text)}")
    return text


def lines_of(text: object, error: type[MsatError], limit: int = TEXT_LIMIT) -> list[Line]:
    """The lines that are not blank; a byte order mark and any kind of line ending are fine."""
    text = checked_text(text)
    if len(text) > limit:
        raise error(f"the text has {len(text):,} characters: at most {limit:,} are read")
    unix = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in unix:  # colours, as a terminal gets them
        unix = re.sub(r"\x1b\[[0-9;]*m", "", unix)
    lines = unix.split("\n")
    row = _row_of_tabs(lines) if "\t" in unix else None
    return [Line(n, line) for n, line in enumerate(lines, 1) if line == row or (line and not line.isspace())]


def _row_of_tabs(lines: list[str]) -> str | None:
    """The line that is a row of blank cells, in what a spreadsheet gives: just its tabs."""
    rows = [line.split("\t") for line in lines if "\t" in line and not line.isspace()]
    if len(set(map(len, rows))) != 1 or any(len(cell) > 2 for row in rows for cell in row):
        return None
    return "\t" * (len(rows[0]) - 1)


def read_row(
    text: str, where: str, cells: Mapping[str, int], usage: str, error: type[MsatError], offset: int = 0
) -> bytes:
    """The bytes of one row, its cells written all together or all apart.

    `cells` gives the byte of each character; `usage` tells a person which characters there are. The row
    begins `offset` characters into its line, from whose beginning columns are counted.
    """
    tokens = text.split()
    try:
        row = bytes(map(cells.__getitem__, "".join(tokens)))
    except KeyError:
        at, bad = next((i, x) for i, x in enumerate(text, 1) if x not in cells and not x.isspace())
        raise error(f"{where}, column {offset + at}: {no_cell(bad, usage)}") from None
    if len(tokens) > 1 and len(tokens) != len(row):
        # "-1 -1" would otherwise quietly become four cells, and "1 10" three.
        odd = next(token for token in tokens if len(token) > 1)
        raise error(
            f"{where}, column {offset + text.index(odd) + 1}: {quote(odd)} is not a cell: "
            "write the cells of a row all together or all apart"
        )
    return row


def check_rows(rows: Iterable[tuple[str, bytes]], error: type[MsatError]) -> tuple[int, int, bytes]:
    """Height, width and bytes of the `(where, row)` pairs, which must be equally long."""
    joined: list[bytes] = []
    for where, row in rows:
        if joined and len(row) != len(joined[0]):
            raise error(f"{where}: row {len(joined) + 1} has {len(row)} cells, row 1 has {len(joined[0])}")
        if len(joined) == MAX_SIDE:  # said here, before millions of rows are read
            raise error(f"{where}: a board has at most {MAX_SIDE} rows")
        joined.append(row)
    return len(joined), len(joined[0]), b"".join(joined)


def _check_limit(size: int, name: str, error: type[MsatError], limit: int | None) -> None:
    if limit is not None and size > limit:
        raise error(f"{name}: too large, {size:,} bytes: at most {limit:,} are read")


def decode_text(
    data: bytes, name: str, error: type[MsatError] = BoardError, limit: int | None = TEXT_LIMIT
) -> str:
    """The text in `data`, UTF-8 or UTF-16, which came from `name` (a file, or 'standard input').

    >>> decode_text(b"?1? 1", "a.txt")
    '?1? 1'
    """
    _check_limit(len(octets(data, "data")), name, error, limit)
    # Windows writes UTF-16 where a command's output goes to a file, with a mark in front that says so.
    wide = len(data) > 2 and data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as bad:
        if not re.match(rb"\s*RawVF_Version", data[:100]):
            coding = "UTF-16" if wide else "UTF-8"
            raise error(
                f"{name}: not text: byte {bad.start} (0x{data[bad.start]:02x}) is not {coding}"
            ) from None
        text = data.decode("utf-8", "replace")  # a replay, whose player writes his name in another code
    if "\0" in text:
        place = f"character {text.index(chr(0))}" if wide else f"byte {data.index(0)}"
        raise error(f"{name}: not text: {place} is NUL")
    return text


def read_text(
    path: str | os.PathLike[str], error: type[MsatError] = BoardError, limit: int | None = TEXT_LIMIT
) -> str:
    """The text of a file; what is no text is an `error`, what cannot be read a `FileError`; both name it."""
    return decode_text(read_bytes(path, error, limit), path_name(path), error, limit)


def read_bytes(
    path: str | os.PathLike[str], error: type[MsatError] = BoardError, limit: int | None = TEXT_LIMIT
) -> bytes:
    """What is in a file, which is refused unread if it is too large."""
    given(path, (str, os.PathLike), "path", "the name of a file")
    name = path_name(path)
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size  # of a pipe: 0
            readable = limit is None or size <= limit
            data = file.read(-1 if limit is None else limit + 1) if readable else b""
    except FileNotFoundError as bad:
        raise MissingFile(f"{name}: {bad.strerror}") from None
    except OSError as bad:
        raise FileError(f"{name}: {bad.strerror or bad}") from None
    except ValueError:  # a NUL in the name
        raise error(f"{quote(name)} is not a file name") from None
    _check_limit(max(size, len(data)), name, error, limit)
    return data


def write_bytes(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write a file; what the file system refuses is a `FileError` that names it."""
    given(path, (str, os.PathLike), "path", "the name of a file")
    given(data, (bytes, str), "data", "bytes, or a text")
    try:
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
    except OSError as bad:
        raise FileError(f"{path_name(path)}: cannot be written: {bad.strerror or bad}") from None
    except ValueError:  # a NUL in the name
        raise FileError(f"{quote(path_name(path))} is not a file name") from None
