"""Result folders: one for each run, made so that a run can be stopped in any way and completed later.

- `run.json` says what the run is: everything that its results depend on, the code that plays included.
- `games.jsonl` has a line for each game, for machines, in the order in which games were finished.
- `results.txt` has the statistics, for people. It follows from the other two.
- `puzzles.jsonl`, if wanted, has the layouts of all games, or of those not won. It follows as well.

A folder is never used for another run, and nothing in it is overwritten but what follows from the rest. It is
only data: whatever it names, nothing is loaded or run to read it.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msat import __version__
from msat.arena.files import open_file, remove_leftovers, replace_file
from msat.arena.journal import Journal, checksum, read_lines
from msat.errors import FolderError
from msat.formats.json_text import read_json
from msat.limits import REPORTED_LINES, RUN_BYTES
from msat.wording import argument, path_name, quoted, shorten

__all__ = ["Code", "Folder", "Report", "new_path"]

T = TypeVar("T")

Report = Callable[[str], None]
"""Takes a message about a folder that a person should see, such as a damaged line."""

_FORMAT = "msat-run"
_VERSION = 2
_WITHOUT_CHECKSUMS = 1
_RUN = "run.json"
_GAMES = "games.jsonl"


def new_path(name: str, base: Path = Path("runs")) -> Path:
    """A folder that does not exist yet, named by the date and `name`."""
    stem = f"{datetime.date.today().isoformat()}_{name}"
    path, number = base / stem, 1
    while path.exists():
        number += 1
        path = base / f"{stem}_{number}"
    return path


class Code(NamedTuple):
    """Who plays the games of a run: msat in a version, and a digest of all code that takes part."""

    digest: str
    msat: str = __version__


class Folder:
    """A result folder that exists. `kind` is what was run ("sim", "compare", "sweep"), `settings` on what.

    `code` is who played, None if the folder does not say; `values` are those of all parameters, if it does.
    """

    def __init__(
        self,
        path: Path,
        kind: str,
        settings: dict[str, Any],
        code: Code | None = None,
        values: dict[str, Any] | None = None,
        version: int = _VERSION,
        intact: bool = True,
        head: dict[str, Any] | None = None,
    ) -> None:
        self.path = path
        self.kind = kind
        self.settings = settings
        self.code = code
        self.values = values
        self._checked = version != _WITHOUT_CHECKSUMS
        self._intact = intact
        self._head = head or {}

    @classmethod
    def create(
        cls, path: Path, kind: str, settings: dict[str, Any], code: Code, values: dict[str, Any] | None = None
    ) -> Folder:
        """Make a folder for a new run; one that holds anything already is left alone."""
        try:
            if path.exists() and not path.is_dir():
                raise FolderError(f"{path} is a file: give a folder for the results")
            if (path / _RUN).exists():
                resume = argument("resume", True)
                raise FolderError(
                    f"{path} holds a run already: {resume} completes it, another folder begins anew"
                )
            path.mkdir(parents=True, exist_ok=True)
            remove_leftovers(path)
            if any(path.iterdir()):
                raise FolderError(f"{path} is not empty and holds no run: give a new folder for the results")
        except OSError as bad:
            raise FolderError(f"{path_name(path)} cannot be made: {bad.strerror or bad}") from None
        head = {"format": _FORMAT, "version": _VERSION, "msat": code.msat, "code": code.digest, "kind": kind}
        head |= {"settings": settings, "values": values}
        head["check"] = _check(head)
        folder = cls(path, kind, settings, code, values)
        folder.write(_RUN, json.dumps(head, indent=1) + "\n")
        return folder

    @classmethod
    def open(cls, path: Path) -> Folder:
        """Open the folder of a run that was begun."""
        file = path / _RUN
        try:
            with open(open_file(file), "rb") as source:
                data = source.read(RUN_BYTES + 1)
        except FileNotFoundError:
            raise FolderError(f"{path} holds no run: there is no {file.name} in it") from None
        if len(data) > RUN_BYTES:
            raise FolderError(f"{file} is too large: at most {RUN_BYTES:,} bytes are read")
        try:
            found = read_json(data, FolderError)
        except FolderError as bad:
            raise FolderError(f"{file} is damaged: {bad}") from None
        if not isinstance(found, dict) or found.get("format") != _FORMAT:
            raise FolderError(f"{file} does not describe a run of msat")
        version, kind, settings = found.get("version"), found.get("kind"), found.get("settings")
        if version not in (_WITHOUT_CHECKSUMS, _VERSION) or isinstance(version, bool | float):
            raise FolderError(f"{file}: version {quoted(version)}: this msat reads versions up to {_VERSION}")
        if not isinstance(kind, str) or not isinstance(settings, dict):
            raise FolderError(f"{file} is damaged: it lacks 'kind' or 'settings'")
        if version == _WITHOUT_CHECKSUMS:
            return cls(path, kind, settings, version=version, head=found)
        digest, msat, values = found.get("code"), found.get("msat"), found.get("values")
        if not (isinstance(digest, str) and isinstance(msat, str) and isinstance(values, dict | None)):
            raise FolderError(f"{file} is damaged: it lacks 'code', 'msat' or 'values'")
        intact = found.pop("check", None) == _check(found)
        return cls(path, kind, settings, Code(digest, msat), values, version, intact, found)

    @classmethod
    def prepare(
        cls,
        path: Path,
        kind: str,
        settings: dict[str, Any],
        resume: bool,
        code: Code,
        values: dict[str, Any] | None = None,
        report: Report = print,
    ) -> Folder:
        """The folder to work in: a new one, or with `resume` the one of exactly this run.

        Only the number of games may be larger than it was: every game depends on its own number alone, so the
        run is extended, as if it had been begun that long.
        """
        if not resume:
            return cls.create(path, kind, settings, code, values)
        folder = cls.open(path)
        folder.require(kind)
        wanted = json.loads(json.dumps(settings))
        extended = _with_games(folder.settings, wanted)
        for name in {**wanted, **folder.settings}:
            there, here = extended.get(name), wanted.get(name)
            if there != here:
                if name == "games":
                    raise FolderError(f"{path} is the folder of {there} games: more extend it, {here} cannot")
                raise FolderError(
                    f"{path} is the folder of another run: there {name} is {shorten(json.dumps(there))}, "
                    f"not {shorten(json.dumps(here))}"
                )
        folder.require_code(code, report)
        remove_leftovers(path)
        if extended != folder.settings:
            folder._extend(extended)
        return folder

    def _extend(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        head = self._head | {"settings": settings}
        if self._checked:
            head["check"] = _check(head)
        self.write(_RUN, json.dumps(head, indent=1) + "\n")

    def require(self, kind: str) -> None:
        """Refuse a folder of another kind."""
        if self.kind != kind:
            raise FolderError(f"{self.path} holds a {quoted(self.kind)}, not a {kind!r}")

    def require_code(self, code: Code, report: Report) -> None:
        """Refuse to go on with what another version began: its games and new ones would be mixed."""
        if not self._intact:
            raise FolderError(
                f"{self.path / _RUN} was changed since it was written: its checksum does not match; "
                "restore it, or play anew into another folder"
            )
        if self.code is None:
            report(
                f"{self.path} does not tell which msat began it: its games may be those of another version"
            )
        elif self.code.msat != code.msat:
            raise FolderError(
                f"{self.path} was begun by msat {shorten(self.code.msat)}, and this is {code.msat}, which "
                "may play differently: complete it with that version, or play anew into another folder"
            )
        elif self.code.digest != code.digest:
            raise FolderError(
                f"the code that plays has changed since {self.path} was begun (digest "
                f"{shorten(self.code.digest)} there, {code.digest} here): go back to that code to complete "
                "it, or play anew into another folder"
            )

    def journal(self) -> Journal:
        """The file of games, to append to."""
        return Journal(self.path / _GAMES)

    def games(self, read: Callable[[dict[str, Any]], T], report: Report) -> Iterator[T]:
        """What `read` makes of each line of the file of games.

        Damaged lines, and those that `read` refuses by a `FolderError`, are left out, and the first of them
        reported. `report` also takes what is to be said of the folder as a whole.
        """
        if not self._intact:
            report(f"{self.path / _RUN} was changed since it was written: its checksum does not match")
        damaged = 0
        for number, value in read_lines(self.path / _GAMES, self._checked):
            try:
                yield self._game(number, value, read)
            except FolderError as bad:
                damaged += 1
                if damaged <= REPORTED_LINES:
                    report(f"{bad}; it is left out")
        if damaged > REPORTED_LINES:
            report(f"{self.path / _GAMES}: {damaged - REPORTED_LINES} more lines are damaged and left out")

    def _game(self, number: int, value: Any, read: Callable[[dict[str, Any]], T]) -> T:
        if isinstance(value, FolderError):
            raise value
        if not isinstance(value, dict) or type(value.get("game")) is not int:
            raise FolderError(f"{self.path / _GAMES}, line {number} is damaged: no game")
        try:
            return read(value)
        except FolderError as bad:
            raise FolderError(f"{self.path}: the line of game {value['game']} is damaged: {bad}") from None

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
        replace_file(self.path / name, text)


def _with_games(there: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The settings of a run with the number of games that is wanted, where that is larger."""
    found = dict(there)
    for name, value in there.items():
        new = wanted.get(name)
        if name == "games" and type(value) is int and type(new) is int:
            found[name] = max(value, new)
        elif name in ("plan", "a", "b") and isinstance(value, dict) and isinstance(new, dict):
            found[name] = _with_games(value, new)
    return found


def _check(head: dict[str, Any]) -> str:
    return checksum(json.dumps(head, sort_keys=True).encode())
