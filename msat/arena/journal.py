"""An append-only file of JSON lines that survives what happens to a long run.

What was appended is with the operating system when `append` returns, so the death of the process loses
nothing; it is on disk within `SYNC_SECONDS`, so that the death of the machine loses no more than these. A
full disk leaves a part of a line: it is cut off again, and the error says what to do.

Every line ends with a checksum of its text. A line that somebody or something damaged is reported with its
number and skipped; it is never removed, nor is any other complete line.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

from msat.arena.files import open_file, sync, sync_folder, write_all
from msat.errors import FolderError, MsatError
from msat.formats.json_text import read_json
from msat.limits import JOURNAL_LINE_BYTES
from msat.wording import argument

_fcntl: ModuleType | None
try:
    import fcntl as _fcntl
except ImportError:  # Windows: two runs on one folder are then not told apart
    _fcntl = None

__all__ = ["SYNC_SECONDS", "Journal", "checksum", "line_of", "read_lines"]

SYNC_SECONDS = 1.0
"""The longest time between a line's arrival and its way to the disk."""

_CHECKED = re.compile(rb'(.*), "check": "([0-9a-f]{8})"\}\s*', re.DOTALL)


def checksum(data: bytes) -> str:
    """Eight letters that change with almost any change of the data. They prove nothing about who wrote it.

    >>> checksum(b'{"game": 1}')
    '9f046040'
    """
    return f"{crc32(data):08x}"


def line_of(value: Mapping[str, Any]) -> str:
    """An object as a line of a journal.

    >>> line_of({"game": 1})
    '{"game": 1, "check": "9f046040"}\\n'
    """
    text = json.dumps(value)
    return f'{text[:-1]}, "check": "{checksum(text.encode())}"}}\n'


def _value_of(line: bytes, checked: bool) -> Any:
    """The object that a line holds; anything that is wrong with it is a `FolderError`."""
    found = _CHECKED.fullmatch(line)
    if found is not None:
        text = found[1] + b"}"
        if checksum(text) != found[2].decode():
            raise FolderError("its checksum does not match")
        return read_json(text, FolderError)
    if checked:
        raise FolderError("it has no checksum")
    return read_json(line, FolderError)


def read_lines(path: Path, checked: bool = False) -> Iterator[tuple[int, Any]]:
    """The (line number, value) of every line; a line that is damaged gives the error that says so.

    Lines without a checksum are read as well, as older versions of msat wrote them, unless `checked`.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "journal")
    >>> _ = file.write_text(line_of({"game": 1}) + 'nonsense\\n')
    >>> [(number, type(value).__name__) for number, value in read_lines(file)]
    [(1, 'dict'), (2, 'FolderError')]
    """
    try:
        descriptor = open_file(path)
    except FileNotFoundError:
        return
    with open(descriptor, "rb") as file:
        number = 0
        while line := file.readline(JOURNAL_LINE_BYTES + 1):
            number += 1
            where = f"{path}, line {number} is damaged"
            if len(line) > JOURNAL_LINE_BYTES:
                while line and not line.endswith(b"\n"):
                    line = file.readline(JOURNAL_LINE_BYTES)
                yield number, FolderError(f"{where}: it is longer than {JOURNAL_LINE_BYTES:,} bytes")
                continue
            try:
                yield number, _value_of(line, checked)
            except FolderError as bad:
                shown = line[:40].decode("utf-8", "replace").rstrip("\n")
                yield number, FolderError(f"{where}: {shown!r}: {bad}")


class Journal:
    """The file, open for appending by this process alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open_file(path, append=True)
        self._unsynced = False
        self._failure: OSError | None = None
        self._closing = threading.Event()
        self._syncing: threading.Thread | None = None
        try:
            self._lock()
            self._end_last_line()
            sync_folder(path.parent)
        except OSError as bad:
            os.close(self._file)
            raise self._cannot(bad) from None
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        if _fcntl is not None:
            try:
                _fcntl.flock(self._file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
            except OSError:
                raise FolderError(
                    f"{self._path.parent} is in use by another run: wait for its end, or use another folder"
                ) from None

    def _end_last_line(self) -> None:
        """Cut off a line that a sudden end left unfinished; complete one that lacks only its line end."""
        size = os.lseek(self._file, 0, os.SEEK_END)
        block = min(size, JOURNAL_LINE_BYTES)
        os.lseek(self._file, size - block, os.SEEK_SET)
        tail = b""
        while len(tail) < block and (piece := os.read(self._file, block - len(tail))):
            tail += piece
        rest = tail[tail.rfind(b"\n") + 1 :]
        if not rest:
            return
        if len(rest) < JOURNAL_LINE_BYTES:
            try:
                _value_of(rest, checked=False)
            except MsatError:
                os.ftruncate(self._file, size - len(rest))
                return
        self.append("\n")  # what is too long to be a game of ours is left to whoever made it

    def append(self, text: str) -> None:
        """Write whole lines, or none of them."""
        if self._failure is not None:
            raise self._cannot(self._failure)
        before = os.fstat(self._file).st_size
        try:
            write_all(self._file, text.encode())
        except OSError as bad:
            with suppress(OSError):
                os.ftruncate(self._file, before)
            raise self._cannot(bad) from None
        self._unsynced = True
        if self._syncing is None:
            self._syncing = threading.Thread(target=self._keep_synced, daemon=True)
            self._syncing.start()
        self._check_place()

    def _cannot(self, bad: OSError) -> FolderError:
        return FolderError(
            f"{self._path} cannot be written: {bad.strerror or bad}; what was written before is kept, and "
            f"{argument('resume', True)} completes it"
        )

    def _check_place(self) -> None:
        """Notice that the file is not where it was: what is written to it then nobody would find."""
        ours = os.fstat(self._file)
        try:
            there = os.stat(self._path, follow_symlinks=False)
        except OSError:
            there = None
        if there is None or (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino):
            raise FolderError(
                f"{self._path} was removed or replaced during the run, and its games with it: leave the "
                f"folder alone while it is in use; {argument('resume', True)} plays what is missing"
            )

    def _keep_synced(self) -> None:
        while not self._closing.wait(SYNC_SECONDS):
            self._sync()

    def _sync(self) -> None:
        if self._unsynced and self._failure is None:
            self._unsynced = False
            try:
                sync(self._file)
            except OSError as bad:
                self._failure = bad  # for whoever appends next

    def close(self) -> None:
        """Bring everything to disk, close the file and let others have it."""
        self._closing.set()
        if self._syncing is not None:
            self._syncing.join()
        self._sync()
        if _fcntl is not None:
            # Explicitly: worker processes that were forked meanwhile share the lock, and may live on.
            _fcntl.flock(self._file, _fcntl.LOCK_UN)
        try:
            os.close(self._file)
        except OSError as bad:  # some file systems write only then
            self._failure = self._failure or bad

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._check_place()
        finally:
            self.close()
        if kind is None and self._failure is not None:
            raise self._cannot(self._failure)
