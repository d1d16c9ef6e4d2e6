"""The solver of the viewer: a process of its own, so that the interface never waits.

Kernels hold Python's lock while they run, so a thread would freeze the interface for as long as a hard
position takes. A process does not, and it can be ended at any moment, which is what cancelling means here. It
is kept between questions because its start (imports, compiled kernels) takes longer than most answers.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msat.errors import BudgetExceeded

__all__ = ["Cancelled", "Solver"]


class Cancelled(BudgetExceeded):
    """The question was withdrawn."""


class Solver:
    """Answers questions in another process, one at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        self._closed = False

    def ask(self, task: Callable[..., Any], *arguments: Any) -> Any:
        """The result of `task(*arguments)`; what it raises is raised here, `Cancelled` if it was ended."""
        with self._turn:
            if self._closed:
                raise Cancelled("the solver was closed")
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                pickle.dump((task, arguments), process.stdin)
                process.stdin.flush()
                failed, answer = pickle.load(process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError, ValueError):
                self.cancel()
                raise Cancelled("the solver was stopped") from None
        if failed:
            raise answer
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            home = str(Path(__file__).parents[3])
            path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
            self._process = subprocess.Popen(
                [sys.executable, "-m", "msat.tui.app.solver"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # a word there would be drawn over the screen
                env=os.environ | {"PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C in the terminal is not for it
            )
        return self._process

    def cancel(self) -> None:
        """End the question that is being answered, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError, ValueError):
                        pipe.close()

    def close(self) -> None:
        """End for good: a question that still waits for its turn must not start another process."""
        self._closed = True
        self.cancel()


def _serve() -> None:
    """Answer questions from stdin until it ends."""
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not spoil the answers
    while True:
        try:
            task, arguments = pickle.load(questions)
        except EOFError:
            return
        try:
            answer = False, task(*arguments)
        except Exception as error:
            answer = True, error
        answers.write(pickle.dumps(answer))
        answers.flush()


if __name__ == "__main__":
    _serve()
