"""The suites: which positions `msat bench` asks about. Their answers have committed digests.

A change here changes what is measured: digests and earlier results no longer compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from msat.bench.positions import Position, endgames, midgames, scattered, stuck
from msat.board import PRESETS
from msat.errors import UnknownName

__all__ = ["GROUPS", "SUITES", "Position", "Suite", "choose_suites"]


@dataclass(frozen=True)
class Suite:
    """A fixed list of positions, made when they are first asked for."""

    name: str
    summary: str
    size: int
    make: Callable[[], Iterator[Position]]

    @cached_property
    def positions(self) -> list[Position]:
        """All positions, the same on every machine."""
        return list(islice(self.make(), self.size))


_EXPERT = PRESETS["expert"]

_ALL = (
    Suite("beginner", "9×9 with 10 mines, stuck in play", 60, partial(stuck, *PRESETS["beginner"])),
    Suite("intermediate", "16×16 with 40 mines, stuck", 60, partial(stuck, *PRESETS["intermediate"])),
    Suite("expert", "16×30 with 99 mines, stuck", 120, partial(stuck, *_EXPERT)),
    Suite("endgame", "expert, at most 20 safe cells left", 60, partial(endgames, *_EXPERT, 20)),
    Suite("dense", "expert, 25–45 % opened at random", 60, partial(scattered, *_EXPERT, 0.25, 0.45)),
    Suite("large-50", "50×50 with 500 mines, half open", 10, partial(midgames, 50, 50, 500)),
    Suite("large-100", "100×100 with 2000 mines, half open", 5, partial(midgames, 100, 100, 2000)),
    Suite("large-200", "200×200 with 8000 mines, half open", 3, partial(midgames, 200, 200, 8000)),
)

SUITES: dict[str, Suite] = {suite.name: suite for suite in _ALL}
"""All suites by name."""

GROUPS: dict[str, tuple[str, ...]] = {"large": ("large-50", "large-100", "large-200")}
"""Names for several suites at once."""


def choose_suites(names: Iterable[str]) -> list[Suite]:
    """The suites with these names, or of these groups; all, if none is named.

    >>> [suite.name for suite in choose_suites(["dense", "beginner"])]
    ['beginner', 'dense']
    """
    wanted: set[str] = set()
    for name in names:
        if name not in SUITES and name not in GROUPS:
            raise UnknownName.of("suite", name, [*SUITES, *GROUPS])
        wanted.update(GROUPS.get(name, (name,)))
    return [suite for suite in _ALL if not wanted or suite.name in wanted]
