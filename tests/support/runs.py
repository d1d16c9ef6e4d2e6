"""What runs of many games are compared by: everything but the time they took."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from msat.arena import Tally

__all__ = ["lines", "timeless"]


def lines(folder: Path) -> list[dict[str, Any]]:
    """The games of a folder in order, times aside."""
    found = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    for line in found:
        line.pop("seconds")
        line.pop("check")
        line.pop("slow", None)
    return sorted(found, key=lambda line: int(line["game"]))


def timeless(tally: Tally) -> Tally:
    """A tally without the times, which differ in each run."""
    return replace(tally, microseconds=0, longest=0, warnings=[])
