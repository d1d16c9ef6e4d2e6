"""A run of the benchmark as a value: what was timed, how the answers were; printed as JSON and read back."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from msat.bench.tasks import DIFFERENT, FAILED, TIMED_OUT, WON
from msat.errors import BenchError, MissingFile
from msat.formats import read_text
from msat.formats.json_text import read_json
from msat.limits import RECORD_BYTES
from msat.wording import quoted

__all__ = ["FORM", "Report", "ReportRow", "SuiteAnswers"]

FORM = "msat bench 1"
"""What a file of results calls itself; another number where its contents change."""


@dataclass
class ReportRow:
    """What one player did with one question on one suite.

    `times` has a list for each round, of the seconds per item; all rounds take the same items, the first of
    the suite. `letters` has one for each item (see `tasks.py`). `yardstick` is, for each round, the time of a
    fixed piece of work that has nothing to do with msat: how fast the machine was just then.
    """

    suite: str
    player: str
    question: str
    of: int
    times: list[list[float]] = field(default_factory=list)
    letters: str = ""
    yardstick: list[float] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells rows apart."""
        return self.suite, self.player, self.question

    @property
    def seconds(self) -> list[float]:
        """Per item: the median over the rounds."""
        return [median(rounds) for rounds in zip(*self.times, strict=True)]

    def quantile(self, percent: float) -> float:
        """Seconds that so many percent of the items stay within; an actual time, not one between two."""
        return float(np.percentile(self.seconds, percent, method="higher"))

    @property
    def rate(self) -> float:
        """Answers (or games) per second; what was not answered costs its time all the same."""
        answered = len(self.letters) - self.letters.count(TIMED_OUT) - self.letters.count(FAILED)
        return answered / max(sum(self.seconds), 1e-9)

    @property
    def wins(self) -> int:
        """Games won."""
        return self.letters.count(WON)

    @property
    def troubles(self) -> dict[str, int]:
        """How often something went wrong, by its name; empty if nothing did."""
        named = {"wrong": DIFFERENT, "time-outs": TIMED_OUT, "failed": FAILED}
        return {name: self.letters.count(letter) for name, letter in named.items() if letter in self.letters}

    def summary(self) -> dict[str, float]:
        """The figures of the table."""
        return {
            "median": self.quantile(50),
            "p95": self.quantile(95),
            "max": self.quantile(100),
            "per_second": self.rate,
        }


@dataclass
class SuiteAnswers:
    """The exact answers of a suite: its digest, and the fingerprint of each position."""

    name: str
    digest: str
    fingerprints: list[str]


@dataclass
class Report:
    """Everything a run found out."""

    version: str
    machine: dict[str, str]
    suites: list[SuiteAnswers]
    rows: list[ReportRow]
    skipped: dict[str, str]

    def to_json(self) -> str:
        """The report as JSON, the figures of the table included."""
        found = asdict(self) | {"form": FORM}
        for row, plain in zip(self.rows, found["rows"], strict=True):
            plain |= {
                "times": [[float(f"{t:.4g}") for t in times] for times in row.times],
                "yardstick": [float(f"{t:.4g}") for t in row.yardstick],
                **{name: float(f"{value:.4g}") for name, value in row.summary().items()},
            }
        return json.dumps(found)

    @classmethod
    def from_json(cls, text: str, source: str = "this text") -> Report:
        """Read what `to_json` wrote.

        >>> Report.from_json("[]", "old.json")
        Traceback (most recent call last):
        msat.errors.BenchError: old.json holds no benchmark: expected what 'msat bench --json' prints
        """
        try:
            if len(text) > RECORD_BYTES:
                raise BenchError(f"it has {len(text):,} characters: at most {RECORD_BYTES:,} are read")
            found = read_json(text, BenchError)
            if not isinstance(found, dict) or not isinstance(found.get("form"), str):
                raise BenchError("it does not tell its form")
        except BenchError:
            raise BenchError(
                f"{source} holds no benchmark: expected what 'msat bench --json' prints"
            ) from None
        if found["form"] != FORM:
            form = quoted(found["form"])
            raise BenchError(f"{source} is of the form {form}: this msat reads {FORM!r}")
        try:
            return cls(
                _of(found, "version", str),
                _texts(_of(found, "machine", dict)),
                [SuiteAnswers(**_suite(suite)) for suite in _of(found, "suites", list)],
                [ReportRow(**_row(row)) for row in _of(found, "rows", list)],
                _texts(_of(found, "skipped", dict)),
            )
        except _Odd as bad:
            raise BenchError(
                f"{source} holds no benchmark: {bad}; expected what 'msat bench --json' prints"
            ) from None

    @classmethod
    def read(cls, path: Path) -> Report:
        """The report in a file."""
        try:
            return cls.from_json(read_text(path, BenchError, limit=RECORD_BYTES), str(path))
        except MissingFile:
            raise MissingFile(f"{path} does not exist: give a file that 'msat bench --json' wrote") from None


class _Odd(Exception):
    """Something in a file that is not what it should be."""


def _of(found: Any, name: str, kind: type) -> Any:
    """The entry of an object, which must be there and of this kind."""
    if not isinstance(found, dict) or type(found.get(name)) is not kind:
        raise _Odd(f"{name!r} is missing, or is none")
    return found[name]


def _texts(found: dict[str, Any]) -> dict[str, str]:
    if not all(isinstance(value, str) for value in found.values()):
        raise _Odd("a text is none")
    return found


def _suite(found: Any) -> dict[str, Any]:
    prints = _of(found, "fingerprints", list)
    if not all(isinstance(each, str) for each in prints):
        raise _Odd("a fingerprint is no text")
    return {"name": _of(found, "name", str), "digest": _of(found, "digest", str), "fingerprints": prints}


def _row(found: Any) -> dict[str, Any]:
    """A row whose times are numbers, as many in each round, and as many as there are letters."""
    row = {name: _of(found, name, str) for name in ("suite", "player", "question", "letters")}
    times, yardstick = _of(found, "times", list), _of(found, "yardstick", list)
    for numbers in (*times, yardstick):
        if not isinstance(numbers, list) or not all(
            type(each) in (int, float) and 0 < each < 1e9 for each in numbers
        ):
            raise _Odd("a time is none")
    if not times or not times[0] or {len(each) for each in times} != {len(row["letters"])}:
        raise _Odd("the times of a row do not fit its letters")
    if len(yardstick) != len(times):
        raise _Odd("the times of a row do not fit its yardstick")
    return row | {"of": _of(found, "of", int), "times": times, "yardstick": yardstick}
