"""The layers of `msat`: a module imports from layers below its own, or from its own, never from above.

Imports are read from the source, function-level and type-checking ones included, so that the picture in
CONTRIBUTING cannot quietly stop being true.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "msat"

LAYERS = (
    {"constants", "deadline", "errors", "installing", "interrupting", "kinds", "limits", "wording"},
    {"_compiler", "_haste", "_jit", "_kernel_cache"},
    {"arrays", "cells", "board", "formats", "layout", "kiss", "pcg", "value", "svg", "notebook"},
    {"problem"},
    {"record", "game", "measures", "replays"},
    {"conversion"},
    {"encode"},
    {"engines"},
    {"check"},
    {"analysis", "batch"},
    {"explanation", "winning"},
    {"kata", "strategies"},
    {"coach", "player"},
    {"arena"},
    {"bench", "gym"},
    {"tui", "warming"},
    {"questions"},
    {"service"},
    {"cli"},
    {"__main__"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FACADE = {"__version__"}
"""What msat's modules may take from `msat` itself, which otherwise only passes names on."""

UPWARDS = {("msat.layout", "msat.arena.no_guess.no_guess_layout")}
"""The one exception: `Layout.no_guess` hands its work to the arena, when it is called."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(file: Path) -> str:
    """The dotted name of a module, such as `msat.engines.rules.deductions`."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, module: str, is_package: bool = False) -> Iterator[str]:
    """The dotted name of everything that `source` imports, wherever in it; `from a import b` gives `a.b`."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def imports_of(file: Path) -> list[str]:
    return list(imported(file.read_text("utf-8"), name_of(file), file.name == "__init__.py"))


def test_the_reader_of_imports_sees_all_kinds() -> None:
    source = "import a.b\nfrom . import c\nfrom ..d import e\ndef f():\n    from msat.g import h\n"
    assert list(imported(source, "msat.x.y")) == ["a.b", "msat.x.c", "msat.d.e", "msat.g.h"]
    assert list(imported("from .c import d", "msat.x", is_package=True)) == ["msat.x.c.d"]


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_imports_only_from_its_layer_or_below(file: Path) -> None:
    if file == PACKAGE / "__init__.py":
        return  # the facade: passes on names of all layers
    layer = name_of(file).split(".")[1]
    assert layer in LEVEL, f"{layer} has no place yet: give it one in LAYERS"
    for name in imports_of(file):
        parts = name.split(".")
        if (name_of(file), name) in UPWARDS:
            continue
        if parts[0] != "msat" or (len(parts) == 2 and parts[1] in FACADE):
            continue
        direct = len(parts) > 1 and parts[1] in LEVEL
        assert direct, f"{name_of(file)} imports {name}, from the facade; import from the module itself"
        assert LEVEL[parts[1]] <= LEVEL[layer], f"{name_of(file)} imports {name}, which is above it"


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_msat_never_imports_its_tests_or_benchmarks(file: Path) -> None:
    assert not {name.split(".")[0] for name in imports_of(file)} & {"tests", "bench"}


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_only_the_decorator_and_kernels_know_the_compiler(file: Path) -> None:
    allowed = file.name in ("_compiler.py", "_haste.py")
    assert allowed or "numba" not in {name.split(".")[0] for name in imports_of(file)}


def test_the_picture_shows_the_layers_that_exist() -> None:
    guide = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
    picture = re.search(r"^    constants.*\n.*__main__$", guide, re.MULTILINE)
    assert picture is not None
    shown = [{name.strip() for name in layer.split(",")} for layer in picture[0].split("<")]
    present = {name_of(file).split(".")[1] for file in MODULES if file != PACKAGE / "__init__.py"}
    assert shown == [layer & present for layer in LAYERS if layer & present]
