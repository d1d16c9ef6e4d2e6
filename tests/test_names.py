"""A class name means one thing in all of `msat`, so that a reader who meets it knows which."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import msat

PACKAGE = Path(msat.__file__).parent

KERNELS = {"_kernels", "_kernels.py"}
"""Their tuples have the names that are short where they are used."""

MESSAGES = {"questions"}
"""What is asked and answered is named as in the contract of the service: `Hint`, `Review`, `Question`."""

TWICE = {"Metrics", "Problem", "Settings"}
"""Those that are told apart by their rooms so far: the service has its own, and calls an answer that tells of
an error a problem, as RFC 9457 does. No new ones: a name of its own helps whoever reads."""


def test_no_class_name_stands_for_two_things() -> None:
    homes = defaultdict(list)
    for file in sorted(PACKAGE.rglob("*.py")):
        if (KERNELS | MESSAGES) & set(file.parts):
            continue
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(file.relative_to(PACKAGE).as_posix())
    shared = {name: files for name, files in homes.items() if len(files) > 1}
    assert set(shared) == TWICE, shared
