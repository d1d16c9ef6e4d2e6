"""A class name means one thing in all of `msat`, so that a reader who meets it knows which."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import msat

PACKAGE = Path(msat.__file__).parent

TWICE = {
    "Console",  # two consoles that tell whether anybody reads them
    "Crew",  # who works in the arena, and one at work
    "Local",  # a strategy, and what a kernel knows of a cell's surroundings
    "Settings",  # of a comparison, and of a kernel
}
"""Names that still stand for two things."""


def test_no_class_name_stands_for_two_things() -> None:
    homes = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(file.relative_to(PACKAGE).as_posix())
    shared = {name: files for name, files in homes.items() if len(files) > 1 and name not in TWICE}
    assert not shared, shared
