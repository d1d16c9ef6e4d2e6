"""Progress bars for long work: how far it is, its speed, time left; only on a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from msat.wording import visible

if TYPE_CHECKING:
    from msat.arena.comparison import Comparison
    from msat.arena.tally import Tally

__all__ = ["ComparisonProgress", "GamesProgress", "StepsProgress"]

_EVERY = 0.1

B = TypeVar("B", bound="_Bar")


class _Bar:
    """The bar. It is drawn from the loop that accepts games, not by a thread: workers are forked safely."""

    def __init__(self, total: int, label: str = "") -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            TextColumn("{task.fields[note]}"),
            TimeRemainingColumn(),
            console=Console(file=sys.stderr),
            auto_refresh=False,
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._progress.add_task(visible(label), total=total, note="")
        self._began = time.perf_counter()
        self._drawn = 0.0
        self._before: int | None = None

    def __enter__(self: B) -> B:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def advance(self, done: int) -> None:
        """Show that so much is done, without a note."""
        self._progress.update(self._task, completed=done)
        self._progress.refresh()

    def _show(self, games: int, note: str) -> None:
        now = time.perf_counter()
        if self._before is None:  # what was finished before a resumption tells nothing about the speed
            self._before = games
            self._progress.reset(self._task, completed=games)
        if now - self._drawn < _EVERY:
            return
        self._drawn = now
        speed = (games - self._before) / max(now - self._began, 1e-9)
        self._progress.update(self._task, completed=games, note=f"{speed:,.0f} games/s, {note}")
        self._progress.refresh()


class GamesProgress(_Bar):
    """Progress of a simulation, with the win rate ± its standard error."""

    def __call__(self, tally: Tally) -> None:
        """Show how far it is."""
        self._show(tally.games, f"won {tally.percent:.2f} % ± {100 * tally.error:.2f}")


class ComparisonProgress(_Bar):
    """Progress of a comparison, with the boards that tell the two apart and the evidence so far."""

    def __call__(self, found: Comparison) -> None:
        """Show how far it is."""
        test = found.settings.test
        evidence = f"evidence {found.evidence:+.2f} of {test.lower:.2f} … {test.upper:+.2f}"
        self._show(found.games, f"only A {found.only_a}, only B {found.only_b}, {evidence}")


class StepsProgress:
    """Progress of work in steps; called with how many are done, and of how many.

    It is shown after so many seconds of patience, and then a few times a second.
    """

    def __init__(self, label: str, patience: float = 0.0) -> None:
        self._label = label
        self._bar: _Bar | None = None
        self._next = time.perf_counter() + patience

    def __enter__(self) -> StepsProgress:
        return self

    def __call__(self, done: int, of: int) -> None:
        """Show how far it is."""
        now = time.perf_counter()
        if now < self._next and done < of:
            return
        self._next = now + _EVERY
        if self._bar is None:
            self._bar = _Bar(of, self._label)
            self._bar.__enter__()
        self._bar.advance(done)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)
