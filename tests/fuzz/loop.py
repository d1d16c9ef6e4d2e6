"""The mutational loop: inputs are changed, and those kept that reach code which none before had reached.

Coverage is that of lines in msat, told by Python's own tracing, so that it needs no other tool. The corpus is
kept in a folder between runs; an escape is shrunk and written to `found`, to become a case of the tests.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import msat
from tests.fuzz.attempts import Escape, attempt, shrink
from tests.fuzz.mutations import mutate
from tests.fuzz.readers import Reader

__all__ = ["Loop"]

_PACKAGE = str(Path(msat.__file__).parent)
_LARGEST = 1 << 16
"""Bytes of an input: large ones are for the tests of limits."""


class Coverage:
    """The lines of msat that were reached, by all inputs so far."""

    def __init__(self) -> None:
        self.lines: set[tuple[CodeType, int]] = set()
        self._new = False

    def reached_more(self, call: Callable[[], object]) -> bool:
        """Whether a call reaches lines that none did before."""
        self._new = False
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call()
        finally:
            sys.settrace(before)
        return self._new

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._step if frame.f_code.co_filename.startswith(_PACKAGE) else None

    def _step(self, frame: FrameType, event: str, argument: Any) -> Any:
        place = frame.f_code, frame.f_lineno
        if place not in self.lines:
            self.lines.add(place)
            self._new = True
        return self._step


@dataclass
class Loop:
    """The state of fuzzing one reader."""

    reader: Reader
    draw: Random
    corpus: list[bytes] = field(default_factory=list)
    folder: Path | None = None
    """Where the corpus is kept, if it is."""
    tried: int = 0
    answered: int = 0
    escapes: dict[str, Escape] = field(default_factory=dict)
    """The smallest input found for each kind of escape."""
    coverage: Coverage = field(default_factory=Coverage)

    def begin(self) -> None:
        """Try the seeds and what is in the folder; both are kept."""
        kept = [] if self.folder is None else sorted(self.folder.glob("*"))
        for data in [*self.reader.seeds, *(file.read_bytes() for file in kept)]:
            self.corpus.append(data)
            self._try(data)

    def run(self, tries: int | None = None, seconds: float = float("inf")) -> None:
        """Go on for so many inputs, or so many seconds."""
        until, end = time.monotonic() + seconds, None if tries is None else self.tried + tries
        while time.monotonic() < until and (end is None or self.tried < end):
            # Half of the time one of the latest: what they lead to is the least known.
            recent = self.corpus[-8:] if self.draw.random() < 0.5 else self.corpus
            data = mutate(self.draw.choice(recent), self.corpus, self.draw)[:_LARGEST]
            if self._try(data):
                self.corpus.append(data)
                if self.folder is not None:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    (self.folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def _try(self, data: bytes) -> bool:
        self.tried += 1

        def call() -> None:
            self.answered += attempt(self.reader, data)

        try:
            return self.coverage.reached_more(call)
        except Escape as found:
            if found.what not in self.escapes:
                self.escapes[found.what] = shrink(found)
            return False
