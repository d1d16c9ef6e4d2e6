"""What `import msat` costs, loads and offers; seen from a fresh interpreter each time."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import msat

HEAVY = {"numba", "numpy", "ortools", "pysat", "rich", "textual"}

LIGHT_USES = [
    "",
    "msat.Board.parse('??/11 1')",
    "msat.Board.blank(16, 30, 99).replace({(0, 0): 1})",
    "msat.Layout.from_mines(2, 2, [(0, 0)])",
    "msat.Game(msat.Layout.from_mines(2, 2, [(0, 0)])).open((1, 1))",
    "msat.Record, msat.MsatError, msat.PRESETS",
]


def run(code: str) -> str:
    """The output of `code` in a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("use", LIGHT_USES)
def test_light_uses_load_nothing_heavy(use: str) -> None:
    loaded = run(f"import msat, sys\n{use}\nprint(*{{name.split('.')[0] for name in sys.modules}})")
    assert not HEAVY & set(loaded.split())


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    loaded = run("import msat.__main__, sys\nprint(*{name.split('.')[0] for name in sys.modules})")
    assert not HEAVY & set(loaded.split())


@pytest.mark.parametrize(
    "command", ["solve", "hint", "generate", "play", "tui", "sim", "sweep", "compare", "bench"]
)
def test_help_loads_no_compiler(command: str) -> None:
    code = f"""
import sys
from msat.__main__ import main
try:
    main(["{command}", "--help"])
except SystemExit:
    print(*sys.modules)
"""
    *text, loaded = run(code).splitlines()
    assert text[0].startswith(f"usage: msat {command} ")
    assert "numba" not in loaded.split()


@pytest.mark.parametrize("what", ["msat", "msat; msat.Board"])
def test_import_takes_under_50_ms(what: str) -> None:
    # Processor time, and the best of several: the bound is on msat, not on what else the machine does.
    code = f"import time\nbegin = time.process_time()\nimport {what}\nprint(time.process_time() - begin)"
    assert any(float(run(code)) < 0.050 for _ in range(10))


@pytest.mark.parametrize("name", msat.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(msat, name) is not None
    assert name in dir(msat)


def test_a_name_is_the_one_of_its_module() -> None:
    assert msat.Board is import_module("msat.board").Board
    assert msat.strategies is import_module("msat.strategies")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'msat' has no attribute 'bord'"):
        msat.bord  # noqa: B018
