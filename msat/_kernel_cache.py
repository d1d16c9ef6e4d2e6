"""Where compiled kernels are kept from one process to the next, and how they are told to be still right.

Numba's own cache does not notice that a callee in another file changed: a caller then runs stale machine
code. So a kernel is kept under a name that holds a digest of everything it was made of: its own file and all
files that this one imports (which is where its callees and constants come from), the versions of Python and
of the compiler, the compiler's settings, the processor, and the types of its arguments. Whatever changes,
only what depends on it is compiled anew; copies of msat in other folders share what is the same.

A file begins with a checksum: one that is damaged is compiled anew, and so is one that cannot be read. Files
are written beside their place and then moved there, so processes that compile the same do not meet. Where
nothing can be written, kernels live as long as the process.

What is read is unpickled, which would run code of whoever wrote it. So the folder is one that nobody else can
write to: in the user's cache directory, else one of the user's own among the temporary files. A directory
that the user names (`NUMBA_CACHE_DIR`) is taken as it is.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["KernelCache", "cache_folder", "source_digest"]

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^from (msat[\w.]*) import (\(|.*)", re.MULTILINE)
_CHECKSUM = hashlib.sha256().digest_size


def _user_cache() -> Path:
    """The platform's folder for files that can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _is_private(folder: Path) -> bool:
    """Whether a folder is there, and is one that only this user can write to."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _usable(folder: Path) -> bool:
    """Make the folder if need be; whether kernels can be kept there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _is_private(folder) and os.access(folder, os.W_OK)
    except OSError:
        return False


@cache
def cache_folder() -> Path | None:
    """The folder for machine code, or None where there is none that can be trusted."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / "msat-kernels"
    try:
        own = _user_cache() / "msat" / "kernels"
    except RuntimeError:  # a user without a home
        own = None
    if own is not None and _usable(own):
        return own
    user = os.getuid() if hasattr(os, "getuid") else "user"
    spare = Path(tempfile.gettempdir()) / f"msat-kernels-{user}"
    return spare if _usable(spare) else None


@cache
def _settings() -> str:
    """What machine code depends on beside the sources; numba does not tell its settings apart by itself."""
    settings = numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.LOOP_VECTORIZE
    versions = sys.version, numba.__version__, llvmlite.__version__
    return repr((versions, settings))


def _file_of(module: str) -> Path | None:
    """The file of a module of msat, or None for a package, which holds no kernels."""
    file = _PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    return file if file.is_file() else None


@cache
def _imports(module: str) -> tuple[str, ...]:
    """The modules of msat that a module imports at its top."""
    file = _file_of(module)
    assert file is not None
    found = []
    for origin, names in _IMPORT.findall(file.read_text("utf-8")):
        if _file_of(origin) is not None:
            found.append(origin)
        else:  # `from package import module, …`
            modules = (f"{origin}.{name.split()[0]}" for name in names.split(","))
            found += [name for name in modules if _file_of(name) is not None]
    return tuple(found)


@cache
def source_digest(module: str) -> str:
    """A digest of a module's file, and of all files of msat that it imports, directly or by way of others."""
    reached = {module}
    waiting = [module]
    while waiting:
        for name in _imports(waiting.pop()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    total = hashlib.sha256(_settings().encode())
    for name in sorted(reached):
        file = _file_of(name)
        assert file is not None
        total.update(name.encode())
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


class KernelCache(_Cache):  # type: ignore[misc]  # numba has no types
    """The files of one kernel: one for each signature."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._digest = source_digest(function.__module__)

    @property
    def cache_path(self) -> str | None:
        """Where the files are."""
        folder = cache_folder()
        return None if folder is None else str(folder)

    def _file(self, signature: Any, context: Any) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        made_for = repr((signature, context.codegen().magic_tuple()))
        special = hashlib.sha256(made_for.encode()).hexdigest()[:16]
        return folder / f"{self._name.removeprefix('msat.')}-{self._digest}-{special}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None if there is none, or a damaged one."""
        target_context.refresh()
        file = self._file(sig, target_context)
        try:
            content = file.read_bytes() if file is not None else b""
        except OSError:
            return None
        checksum, data = content[:_CHECKSUM], content[_CHECKSUM:]
        if not data or hashlib.sha256(data).digest() != checksum:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, if that is possible."""
        file = self._file(sig, data.target_context)
        if file is None:
            return
        content = dumps(data._reduce())
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside = file.with_name(f"{file.name}.{os.getpid()}")
            beside.write_bytes(hashlib.sha256(content).digest() + content)
            beside.replace(file)
        except OSError:  # a full disk, say: the kernel is there all the same, as long as the process
            return

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """Not needed."""

    def flush(self) -> None:
        """Not needed: what has changed has another name."""
