"""Positions with known answers from public projects, read beside the checkout, never copied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

__all__ = ["CASES", "cases", "needs_cases"]

CASES = Path(__file__).parents[3] / "shared" / "cases"

needs_cases = pytest.mark.skipif(
    not CASES.is_dir(), reason=f"no folder {CASES.parent.name}/{CASES.name} beside the checkout"
)


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file; none where the folder is absent."""
    path = CASES / name
    if not path.exists():
        return []
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found
