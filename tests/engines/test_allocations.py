"""Memory that runs out: every allocation of a question fails once in turn.

Kernels run as they are written here, so that every array they make comes from numpy by name, those of the
tapes included. Whichever is refused, the answer is an `MsatError` that says so, and the same question is
answered as ever afterwards: nothing that is kept between questions is left half done.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.command import ROOT

SCRIPT = """
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import msat
from msat.engines.counting import engine, stack as stacks

MADE = ("empty", "zeros", "empty_like", "zeros_like", "full", "ones")


class Memory:
    # Numpy's own functions, which fail at the `left`-th call.
    left = -1

    def guard(self, make: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any, **keywords: Any) -> Any:
            if self.left >= 0:
                self.left -= 1
                if self.left < 0:
                    raise MemoryError("refused")
            return make(*arguments, **keywords)

        return made


memory = Memory()
for name in MADE:
    setattr(np, name, memory.guard(getattr(np, name)))

board = msat.Board.parse("????/?2?1/???? 3")
wide = msat.Board.parse("?????/?2?1?/?????/?1?1?/????? 4")
small = msat.Board.parse("?1??/???? 2")
stack = np.stack([board.to_array()] * 2)


def analyzed(board: msat.Board) -> bytes | None:
    # None where it is said that nothing could be counted, and other engines have proven what is forced.
    found = msat.analyze(board, budget=60)
    assert (found.safe, found.mined) == forced[board]
    return found.probability.tobytes() if found.complete else None


forced = {each: (msat.analyze(each).safe, msat.analyze(each).mined) for each in (board, wide)}
QUESTIONS = {
    "analyze": lambda: analyzed(board),
    "wide": lambda: analyzed(wide),
    "probabilities": lambda: msat.probabilities(board.to_array(), board.mines).tobytes(),
    "stack": lambda: msat.probabilities(stack, board.mines).tobytes(),
    "solutions": lambda: msat.analyze(small).solutions,
    "sample": lambda: [str(layout) for layout in msat.sample(small, 2)],
}
ask = QUESTIONS[sys.argv[1]]
engine.WORKSPACE = stacks.WORKSPACE = 0  # so that every piece of a tape is an array of its own
if sys.argv[1] == "wide":
    engine.AT_ONCE = engine.BAND = 0  # slice by slice, as the widest boards are counted
expected = ask()
refused = 0
while True:
    engine._workspaces.clear()
    engine._sheets.__init__()
    memory.left = refused
    try:
        found = ask()
    except msat.MsatError as error:
        assert "memory" in str(error), error
        found = None
    reached, memory.left = memory.left < 0, -1
    if not reached:
        break
    assert found in (None, expected), "a wrong answer"
    assert ask() == expected, "the next question is answered wrongly"
    refused += 1
print(refused)
"""


@pytest.mark.parametrize("question", ["analyze", "wide", "probabilities", "stack", "solutions", "sample"])
def test_every_allocation_fails_once(question: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, question],
        cwd=ROOT,
        env=os.environ | {"MSAT_KERNELS": "plain"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10
