"""Ctrl-C while an explanation is looked for: the command ends quietly, the library goes on."""

from __future__ import annotations

import os
import signal

import pytest

from msat.board import Board
from msat.engines.counting.possible_totals import possible_totals
from tests.support.command import ended, python
from tests.support.positions import lattice

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends a signal")

CLUES = lattice(10, 24, 48, 2, seed=0).to_array()
BOARD = Board.from_array(CLUES, possible_totals(CLUES)[0]).to_text("line").strip()
"""As few mines as the clues allow, which a SAT solver takes ages to prove."""

CELL = (9, 22)

TELL = """
from msat.explanation import cores

core = cores.Prover.core

def tell(prover, numbers, claim):
    if prover._total is not None:
        print("solving", flush=True)
    return core(prover, numbers, claim)

cores.Prover.core = tell
"""
"""Says when the solver is asked for a proof by the mine total."""

COMMAND = f"""
import runpy, sys
sys.argv = ["msat", "explain", {BOARD!r}, "--cell", "{CELL[0]},{CELL[1]}"]
runpy.run_module("msat", run_name="__main__")
"""

CALL = f"""
import msat
try:
    msat.explain(msat.Board.parse({BOARD!r}), {CELL})
except KeyboardInterrupt:
    print(msat.explain(msat.Board.parse("???/11? 1"), (0, 2)).verdict)
"""


def interrupt(script: str) -> tuple[int, str, str]:
    """Run a script, press Ctrl-C when it says that it is solving; its exit status and what else it prints."""
    solving = python("-c", TELL + script)
    assert solving.stdout is not None
    assert solving.stdout.readline() == b"solving\n"
    solving.send_signal(signal.SIGINT)
    return ended(solving)


def test_the_command_ends_quietly() -> None:
    assert interrupt(COMMAND) == (130, "", "")


def test_the_library_stays_usable() -> None:
    assert interrupt(CALL) == (0, "safe\n", "")
