"""Result folders: one for each run, made so that a run can be stopped in any way and completed later.

- `run.json` says what the run is: everything that its results depend on.
- `games.jsonl` has a line for each game, for machines, in the order in which games were finished.
- `results.txt` has the statistics, for people. It follows from the other two.
- `puzzles.jsonl`, if wanted, has the layouts of all games, or of those not won. It follows as well.

A folder is never used for another run, and nothing in it is overwritten but what follows from the rest.
"""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msat import __version__
from msat.arena.journal import Journal, read_lines
from msat.errors import FolderError, MsatError
from msat.wording import argument

__all__ = ["Folder", "Report", "new_path"]

Report = Callable[[str], None]
"""Takes a message about a folder that a person should see, such as a damaged line."""

_FORMAT = "msat-run"
_VERSION = 1
_GAMES = "games.jsonl"


def new_path(name: str, base: Path = Path("runs")) -> Path:
    """A folder that does not exist yet, named by the date and `name`."""
    stem = f"{datetime.date.today().isoformat()}_{name}"
    path, number = base / stem, 1
    while path.exists():
        number += 1
        path = base / f"{stem}_{number}"
    return path


class Folder:
    """A result folder that exists. `kind` is what was run ("sim", "compare", "sweep"), `settings` on what."""

    def __init__(self, path: Path, kind: str, settings: dict[str, Any]) -> None:
        self.path = path
        self.kind = kind
        self.settings = settings

    @classmethod
    def create(cls, path: Path, kind: str, settings: dict[str, Any]) -> Folder:
        """Make a folder for a new run; one that holds anything already is left alone."""
        if path.exists() and not path.is_dir():
            raise FolderError(f"{path} is a file: give a folder for the results")
        if (path / "run.json").exists():
            resume = argument("resume", True)
            raise FolderError(
                f"{path} holds a run already: {resume} completes it, another folder begins anew"
            )
        if path.exists() and any(path.iterdir()):
            raise FolderError(f"{path} is not empty and holds no run: give a new folder for the results")
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, kind, settings)
        head = {
            "format": _FORMAT,
            "version": _VERSION,
            "msat": __version__,
            "kind": kind,
            "settings": settings,
        }
        folder.write("run.json", json.dumps(head, indent=1) + "\n")
        return folder

    @classmethod
    def open(cls, path: Path) -> Folder:
        """Open the folder of a run that was begun."""
        file = path / "run.json"
        try:
            found = json.loads(file.read_text("utf-8"))
        except FileNotFoundError:
            raise FolderError(f"{path} holds no run: there is no {file.name} in it") from None
        except ValueError as bad:
            raise FolderError(f"{file} is damaged: {bad}") from None
        if not isinstance(found, dict) or found.get("format") != _FORMAT:
            raise FolderError(f"{file} does not describe a run of msat")
        if found.get("version") != _VERSION:
            raise FolderError(f"{file}: version {found.get('version')!r}: this msat reads version {_VERSION}")
        if not isinstance(found.get("kind"), str) or not isinstance(found.get("settings"), dict):
            raise FolderError(f"{file} is damaged: it lacks 'kind' or 'settings'")
        return cls(path, found["kind"], found["settings"])

    @classmethod
    def prepare(cls, path: Path, kind: str, settings: dict[str, Any], resume: bool) -> Folder:
        """The folder to work in: a new one, or with `resume` the one of exactly this run."""
        if not resume:
            return cls.create(path, kind, settings)
        folder = cls.open(path)
        folder.require(kind)
        for name in {**settings, **folder.settings}:
            there, here = folder.settings.get(name), json.loads(json.dumps(settings.get(name)))
            if there != here:
                raise FolderError(
                    f"{path} is the folder of another run: there {name} is {json.dumps(there)}, "
                    f"not {json.dumps(here)}"
                )
        return folder

    def require(self, kind: str) -> None:
        """Refuse a folder of another kind."""
        if self.kind != kind:
            raise FolderError(f"{self.path} holds a {self.kind!r}, not a {kind!r}")

    def journal(self) -> Journal:
        """The file of games, to append to."""
        return Journal(self.path / _GAMES)

    def games(self, report: Report) -> Iterator[dict[str, Any]]:
        """The lines of the file of games; damaged ones are reported and left out."""
        for number, value in read_lines(self.path / _GAMES):
            if isinstance(value, MsatError):
                report(f"{value}; it is left out")
            elif not isinstance(value, dict) or type(value.get("game")) is not int:
                report(f"{self.path / _GAMES}, line {number} is damaged: no game; it is left out")
            else:
                yield value

    @contextmanager
    def results(self, text: Callable[[], str]) -> Iterator[None]:
        """Write the results for people when the work inside ends, in whatever way."""
        try:
            yield
        except BaseException:
            with suppress(FolderError):  # the first error says more
                self.write("results.txt", text())
            raise
        self.write("results.txt", text())

    def write(self, name: str, text: str | Iterable[str]) -> None:
        """Write a file of the folder entirely or not at all."""
        unfinished = self.path / f"{name}.{os.getpid()}.tmp"
        try:
            with unfinished.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines([text] if isinstance(text, str) else text)
            unfinished.replace(self.path / name)
        except OSError as bad:
            raise FolderError(f"{self.path / name} cannot be written: {bad.strerror or bad}") from None
        finally:
            unfinished.unlink(missing_ok=True)
