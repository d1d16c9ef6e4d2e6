"""Board metrics as players know them: how much clicking a layout asks for, and how it is cut up.

- **3BV** (Bechtel's board benchmark value): the fewest left clicks that open every safe cell, if nothing is
  marked: one for each opening, one for each number that no opening uncovers.
- **Openings**: regions of zeros that touch, also by a corner. Opening one zero opens the region and its rim.
- **Islands**: regions of numbers that no opening uncovers, joined where they touch, also by a corner.
"""

from __future__ import annotations

from typing import NamedTuple

from msat.errors import WrongType
from msat.layout import Layout
from msat.notebook import figure
from msat.value import explained
from msat.wording import quoted

__all__ = ["Metrics", "metrics"]


@explained
class Metrics(NamedTuple):
    """What `metrics` found; see `msat.measures` for what each number means."""

    bbbv: int
    """3BV: the fewest left clicks that open everything, without chords."""
    openings: int
    """Regions of cells that show 0, each opened by one click."""
    islands: int
    """Regions of numbers that no opening uncovers."""

    def to_object(self) -> dict[str, int]:
        """Plain JSON values."""
        return self._asdict()

    def _repr_html_(self) -> str:
        return figure(None, head=("3BV", "openings", "islands"), rows=[[str(number) for number in self]])


def metrics(layout: Layout) -> Metrics:
    """3BV, openings and islands of a layout.

    >>> metrics(Layout.parse("....\\n....\\n...*\\n*.*."))
    Metrics(bbbv=3, openings=1, islands=2)
    """
    from msat.measures._kernels import measure

    if not isinstance(layout, Layout):
        raise WrongType(f"metrics takes a Layout, not {quoted(layout)}: Layout.parse reads one")
    return Metrics(*measure(layout.numbers()))
