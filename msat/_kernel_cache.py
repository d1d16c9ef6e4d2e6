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
import re
import stat
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

__all__ = [
    "all_kept",
    "cache_folder",
    "can_keep",
    "claim",
    "count_kept",
    "discard",
    "first_kept",
    "forget",
    "is_kept",
    "read",
    "source",
    "source_digest",
    "tidy",
    "unclaim",
    "write",
]

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^from (msat[\w.]*) import (\(|.*)", re.MULTILINE)
_KERNEL = re.compile(r"^@(?:kernel|leaf)\b.*\n(?:def (\w+))", re.MULTILINE)
_CHECKSUM = hashlib.sha256().digest_size

CLAIM_SECONDS = 120.0
"""A claim that is older than this is not respected, whoever holds it."""

OLD_DAYS = 30
"""Kernels that were not used for so long are removed, when others are written."""


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
    for above in folder.resolve().parents:  # where anybody may rename, it may be another one in a moment
        if above.stat().st_mode & (stat.S_IWOTH | stat.S_ISVTX) == stat.S_IWOTH:
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
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named) / "msat-kernels"
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
    """What machine code depends on beside the sources; told without loading the compiler."""
    names = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_LOOP_VECTORIZE", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
    settings = tuple(os.environ.get(name, "") for name in names)
    ways = ((_PACKAGE / name).read_bytes() for name in ("_compiler.py", "_haste.py"))
    how = hashlib.sha256(b"".join(ways)).hexdigest()
    return repr((sys.version, version("numba"), version("llvmlite"), settings, how))


def _file_of(module: str) -> Path | None:
    """The file of a module of msat, or None for a package, which holds no kernels."""
    file = _PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
    return file if file.is_file() else None


@cache
def source(module: str) -> str:
    """The text of a module's file, read once: when its first kernel is decorated, just after Python read it.

    A file that is exchanged later, by an upgrade, say, must not be taken for what runs in this process: its
    digest would then be that of other machine code.
    """
    file = _file_of(module)
    assert file is not None
    return file.read_text("utf-8")


@cache
def _imports(module: str) -> tuple[str, ...]:
    """The modules of msat that a module imports at its top."""
    found = []
    for origin, names in _IMPORT.findall(source(module)):
        if origin == "msat._jit":  # the decorators: they change nothing in what they decorate
            continue
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
        total.update(name.encode() + b"\0")
        total.update(source(name).encode())
    return total.hexdigest()[:16]


@cache
def _kernel_files() -> tuple[Path, ...]:
    """All files with kernels: those in a folder named `_kernels`, or of that name."""
    return tuple(sorted([*_PACKAGE.rglob("_kernels/*.py"), *_PACKAGE.rglob("_kernels.py")]))


def all_kept() -> str:
    """The name under which it is noted that all kernels of this version are kept."""
    return f"all-{_digest_of_all()}"


def first_kept() -> str:
    """The name under which that is noted of those which are needed most (`warming.py`)."""
    return f"first-{_digest_of_all()}"


@cache
def _digest_of_all() -> str:
    total = hashlib.sha256(_settings().encode())
    for file in (*_kernel_files(), _PACKAGE / "constants.py"):
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


def count_kept() -> tuple[int, int]:
    """How many kernels of this version are kept, and how many there are."""
    folder = cache_folder()
    kept = (
        {file.name.rpartition("-")[0] for file in folder.iterdir()} if folder and folder.is_dir() else set()
    )
    names = []
    for file in _kernel_files():
        module = ".".join(file.relative_to(_PACKAGE.parent).with_suffix("").parts)
        for name in _KERNEL.findall(file.read_text("utf-8")):
            names.append(f"{module.removeprefix('msat.')}.{name}-{source_digest(module)}")
    return sum(name in kept for name in names), len(names)


@cache
def can_keep() -> bool:
    """Whether what is compiled can be kept: there is a folder that can be written to, and room in it."""
    folder = cache_folder()
    if folder is None:
        return False
    probe = f"probe-{os.getpid()}"
    write(probe, bytes(1 << 20))
    kept = (folder / probe).is_file()
    _remove(folder / probe)
    return kept


def is_kept(name: str) -> bool:
    """Whether something is kept under this name."""
    folder = cache_folder()
    return folder is not None and (folder / name).is_file()


def read(name: str) -> bytes | None:
    """What is kept under a name, or None if there is nothing, or something damaged."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        content = (folder / name).read_bytes()
    except OSError:
        return None
    checksum, data = content[:_CHECKSUM], content[_CHECKSUM:]
    return data if hashlib.sha256(data).digest() == checksum else None


def write(name: str, data: bytes) -> None:
    """Keep something, if that is possible."""
    folder = cache_folder()
    if folder is None:
        return
    beside = folder / f"{name}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside.write_bytes(hashlib.sha256(data).digest() + data)
        beside.replace(folder / name)
    except OSError:  # a full disk, say: what was compiled is there all the same, as long as the process
        _remove(beside)


def discard(name: str) -> None:
    """Keep something no longer: it was of no use."""
    folder = cache_folder()
    if folder is not None:
        _remove(folder / name)


def _remove(file: Path) -> None:
    """Remove a file, if it is there and that is possible."""
    with suppress(OSError):
        file.unlink(missing_ok=True)


def claim(name: str) -> bool:
    """Whether it falls to this process to make something: False while another one is at it."""
    folder = cache_folder()
    if folder is None:
        return True
    mark = folder / f"{name}.claim"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if mark.exists() and not _is_held(mark):
            mark.unlink(missing_ok=True)
        with mark.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        return False
    except OSError:  # a full disk, say: then nobody could wait for what is made here
        _remove(mark)
    return True


def _is_held(mark: Path) -> bool:
    """Whether the process that made a claim is still at it.

    One that was killed never gives its claim up, and nobody shall wait two minutes for each of them. Nor has
    this process another one at it: numba compiles one kernel at a time, so it has failed to before.
    """
    if abs(time.time() - mark.stat().st_mtime) > CLAIM_SECONDS:
        return False
    holder = mark.read_bytes()[:20]
    if not holder.isdigit() or sys.platform == "win32":  # just made; and there os.kill would end it
        return True
    try:
        os.kill(int(holder), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return int(holder) not in (0, os.getpid())


def unclaim(name: str) -> None:
    """Give a claim up: what it was for is there, or could not be made."""
    folder = cache_folder()
    if folder is not None:
        _remove(folder / f"{name}.claim")


def forget() -> None:
    """Remove everything that is kept."""
    folder = cache_folder()
    if folder is not None and folder.is_dir():
        for file in folder.iterdir():
            file.unlink(missing_ok=True)


def tidy() -> None:
    """Remove what was not read for long: kernels of versions that nobody uses any more."""
    folder = cache_folder()
    if folder is None or not folder.is_dir():
        return
    for file in folder.iterdir():
        try:
            if time.time() - max(file.stat().st_atime, file.stat().st_mtime) > OLD_DAYS * 86_400:
                file.unlink()
        except OSError:
            continue
