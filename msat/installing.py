"""What to do where a package is missing: the way that works from where the user stands.

A clone has an environment of its own, which may be ready, or which `make play` sets up; an installation by
pip has extras. To recommend pip to somebody who only ran the wrong Python would send him the wrong way.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path

__all__ = ["install"]

DISTRIBUTION = "msat-minesweeper"

HOME = Path(__file__).parents[1]
"""Of a clone, its folder; else where Python keeps packages."""


def install(package: str) -> str:
    """How to get at a package that is missing, as the end of a sentence.

    >>> install("pillow").removeprefix(_here(Path(sys.executable)))  # inside the environment of msat
    ' -m pip install pillow'
    """
    environment = HOME / ".venv"
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    command = Path(sys.argv[0]).stem in ("msat", "__main__")  # or else a program that imports msat
    ready = scripts / ("msat" if command else "python")
    if Path(sys.prefix) == environment or package.startswith("-"):
        return _by_pip(Path(sys.executable or "python3"), package)
    if ready.exists():
        if _has(environment, package):
            return f"{_here(ready)} has it"
        return f"{_by_pip(scripts / 'python', package)}, then {_here(ready)} has it"
    if (HOME / "Makefile").exists() and _played(package):
        folder = "" if Path.cwd() == HOME else f" -C {HOME}"
        return f"'make{folder} play' sets up {_here(ready)}, which has it"
    return _by_pip(Path(sys.executable or "python3"), _with_extra(package) or package)


def _here(path: Path) -> str:
    """A path as one writes it in the current folder."""
    return str(path).removeprefix(os.getcwd() + os.sep)


def _by_pip(python: Path, package: str) -> str:
    return f"{_here(python)} -m pip install {package}"


def _key(name: str) -> str:
    """The name of a distribution, spelt as all of them are compared."""
    return re.sub(r"[-_.]+", "_", name).lower()


def _has(environment: Path, package: str) -> bool:
    """Whether an environment has a package; it is another Python's, which cannot be asked."""
    found = [*environment.glob("lib/*/site-packages/*.dist-info"), *environment.glob("Lib/*/*.dist-info")]
    return any(_key(path.name.split("-")[0]) == _key(package) for path in found)


@cache
def _requirements() -> tuple[tuple[str, str], ...]:
    """Every package that msat names, and the extra that brings it; "" for what every installation has."""
    from importlib import metadata

    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # a clone that was never installed
        return _of_clone()
    found = []
    for line in lines:
        extra = re.search(r"extra == ['\"]([\w-]+)", line)
        found.append((re.split(r"[^\w.-]", line)[0], extra[1] if extra else ""))
    return tuple(found)


def _of_clone() -> tuple[tuple[str, str], ...]:
    import tomllib

    try:
        project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    except (OSError, ValueError, KeyError):
        return ()
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    return tuple((re.split(r"[^\w.-]", line)[0], extra) for extra, lines in extras.items() for line in lines)


PLAYED = ("", "cpsat", "tui")
"""The extras that `make play` installs."""


def _played(package: str) -> bool:
    return any(_key(name) == _key(package) and extra in PLAYED for name, extra in _requirements())


def _with_extra(package: str) -> str:
    """What brings a package together with msat, as pip is asked for it; "" where nothing does for sure."""
    import json
    from importlib import metadata
    from urllib.parse import unquote, urlsplit

    extra = next((extra for name, extra in _requirements() if _key(name) == _key(package) and extra), "")
    try:
        told = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return ""
    if not extra:
        return ""
    if told is None:  # it came from an index, where the extra is found as well; or a clone was found first
        return "" if (HOME / "pyproject.toml").exists() else f"'{DISTRIBUTION}[{extra}]'"
    try:
        origin = json.loads(told)
        path = Path(unquote(urlsplit(origin["url"]).path))
        editable = origin.get("dir_info", {}).get("editable", False)
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    return f"'{path}[{extra}]'" if (path / "pyproject.toml").exists() and not editable else ""
