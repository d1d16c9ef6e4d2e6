"""The file system, as result folders use it: all that is read, written, renamed and brought to disk.

A folder may come from somebody else, in an archive: where a file is expected, there may be a link to one of
the reader's own, a pipe that never ends, or a directory. So nothing but regular files is opened, and no link
is followed. What is written whole is written beside its place and then moved there, which replaces a link.

Everything goes through the functions of `os` that are called here, so that tests can let each of them fail.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from msat.errors import FolderError, WrongType
from msat.wording import argument

__all__ = ["folder_path", "open_file", "remove_leftovers", "replace_file", "sync", "sync_folder", "write_all"]

_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_LEFTOVER = r"[\w.-]+\.[0-9]+\.tmp"


def folder_path(value: object, name: str = "folder") -> Path:
    """A folder, as a text or a path.

    >>> folder_path(3)
    Traceback (most recent call last):
    msat.errors.WrongType: folder=3 is not accepted: give a folder, such as "runs/first"
    """
    if isinstance(value, str | os.PathLike):
        try:
            path = Path(value)
            os.fsencode(path)
        except (TypeError, ValueError):  # what a foreign path gives, and half a sign, which no file has
            pass
        else:
            if "\0" not in str(path):
                return path
    raise WrongType(f'{argument(name, value)} is not accepted: give a folder, such as "runs/first"')


def open_file(path: Path, append: bool = False) -> int:
    """The descriptor of a regular file, for reading, or for reading and appending (it is made if need be).

    Raises `FileNotFoundError` if there is none to read, and `FolderError` for anything that is no file.
    """
    mode = os.O_RDWR | os.O_APPEND | os.O_CREAT if append else os.O_RDONLY
    try:
        file = os.open(path, mode | _NO_LINKS | _BINARY, 0o666)
    except FileNotFoundError:
        if append:
            raise FolderError(f"{path.parent} is no folder any more") from None
        raise
    except ValueError:  # a name that no file can have
        raise FolderError(f"{str(path)!r} is no name of a file") from None
    except OSError as bad:
        if path.is_symlink():
            raise FolderError(f"{path} is a link: those in result folders are not followed") from None
        raise FolderError(f"{path} cannot be opened: {bad.strerror or bad}") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise FolderError(f"{path} is no regular file")
    return file


def write_all(file: int, data: bytes) -> None:
    """Write all of it, in as many pieces as the system takes it in."""
    written = 0
    while written < len(data):
        written += os.write(file, data[written:])


def sync(file: int) -> None:
    """Bring what was written to disk."""
    os.fsync(file)


def sync_folder(path: Path) -> None:
    """Bring to disk which files a folder has; where folders cannot be opened that is the system's affair."""
    if os.name != "posix":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        sync(folder)
    finally:
        os.close(folder)


def replace_file(path: Path, text: str | Iterable[str]) -> None:
    """Write a file entirely or not at all, and to disk before it takes the place of another one."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.unlink(missing_ok=True)  # of a process that was killed and had this number
        file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS | _BINARY, 0o666)
        try:
            for piece in [text] if isinstance(text, str) else text:
                write_all(file, piece.encode("utf-8"))
            sync(file)
        finally:
            os.close(file)
        os.replace(unfinished, path)
        sync_folder(path.parent)
    except OSError as bad:
        raise FolderError(f"{path} cannot be written: {bad.strerror or bad}") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def remove_leftovers(folder: Path) -> None:
    """Remove what a process that was killed had not finished writing."""
    for path in folder.iterdir():
        if re.fullmatch(_LEFTOVER, path.name):
            with suppress(OSError):
                path.unlink()
