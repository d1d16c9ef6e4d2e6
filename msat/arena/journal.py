"""An append-only file of JSON lines that survives what happens to a long run.

What was appended is with the operating system when `append` returns, so the death of the process loses
nothing. A full disk leaves a part of a line: it is cut off again, and the error says what to do. A line that
somebody damaged is reported with its number and skipped; it is never removed, nor is any other complete line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from msat.errors import FolderError
from msat.wording import argument

_fcntl: ModuleType | None
try:
    import fcntl as _fcntl
except ImportError:  # Windows: two runs on one folder are then not told apart
    _fcntl = None

__all__ = ["Journal", "read_lines"]


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The (line number, value) of every line; a line that is no JSON gives the error that says so.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "journal")
    >>> _ = file.write_text('{"a": 1}\\nnonsense\\n')
    >>> [(number, type(value).__name__) for number, value in read_lines(file)]
    [(1, 'dict'), (2, 'FolderError')]
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield number, json.loads(line)
            except ValueError:
                shown = line[:40].decode("utf-8", "replace").rstrip("\n")
                yield number, FolderError(f"{path}, line {number} is damaged: {shown!r}")


class Journal:
    """The file, open for appending by this process alone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab", buffering=0)
        try:
            self._lock()
            self._end_last_line()
        except BaseException:
            self._file.close()
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
        with self._path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            block = min(size, 1 << 20)
            file.seek(size - block)
            tail = file.read(block)
        rest = tail[tail.rfind(b"\n") + 1 :]
        if not rest:
            return
        try:
            json.loads(rest)
        except ValueError:
            os.truncate(self._path, size - len(rest))
        else:
            self.append("\n")

    def append(self, text: str) -> None:
        """Write whole lines, or none of them."""
        data = text.encode()
        before = os.fstat(self._file.fileno()).st_size
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:]) or 0
        except OSError as bad:
            with suppress(OSError):
                os.ftruncate(self._file.fileno(), before)
            raise FolderError(
                f"{self._path} cannot be written: {bad.strerror}; what was written before is kept, and "
                f"{argument('resume', True)} completes it"
            ) from None

    def close(self) -> None:
        """Close the file and let others have it."""
        if _fcntl is not None:
            # Explicitly: worker processes that were forked meanwhile share the lock, and may live on.
            _fcntl.flock(self._file, _fcntl.LOCK_UN)
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
