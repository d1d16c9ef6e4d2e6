"""How tests run the command line: in-process where possible, else as a process of its own."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from msat.__main__ import main
from tests.support.clock import PATIENCE

__all__ = ["Cli", "alive", "children", "ended", "hearing_ctrl_c", "process", "python"]

ROOT = Path(__file__).parents[2]


class Cli:
    """Runs the command line and keeps what it printed."""

    def __init__(self, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capture = capsysbinary
        self._patch = monkeypatch
        self.data = b""
        self.out = self.err = ""

    def __call__(self, *argv: str, stdin: bytes = b"") -> int:
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            status = main(argv)
        except SystemExit as stop:  # argparse's way out of --help, --version and usage errors
            status = int(stop.code or 0)
        captured = self._capture.readouterr()
        self.data = captured.out
        self.out, self.err = captured.out.decode("utf-8", "replace"), captured.err.decode()
        return status

    def json(self, *argv: str, stdin: bytes = b"") -> Any:
        assert self(*argv, stdin=stdin) == 0, self.err
        return json.loads(self.out)


@contextmanager
def hearing_ctrl_c() -> Iterator[None]:
    """Within, this process hears Ctrl-C, and so do those that it starts.

    Jobs in the background and under nohup are started with SIGINT ignored, which their children inherit.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def python(*argv: str, **environment: str) -> subprocess.Popen[bytes]:
    """Python in a process of its own, which hears Ctrl-C."""
    with hearing_ctrl_c():
        return subprocess.Popen(
            [sys.executable, *argv],
            cwd=ROOT,
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def process(*argv: str, **environment: str) -> subprocess.Popen[bytes]:
    """The command line in a process of its own, which hears Ctrl-C."""
    return python("-m", "msat", *argv, **environment)


def ended(running: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """The exit status of a process, and what it has printed and not been read; one that hangs is ended."""
    try:
        output, errors = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    return running.returncode, output.decode(), errors.decode()


def children(pid: int) -> list[int]:
    """The processes that a process has started, and that live."""
    done = subprocess.run(["ps", "-o", "pid=,stat=", "--ppid", str(pid)], capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return [int(number) for number, state in rows if not state.startswith("Z")]


def alive(pid: str | int) -> bool:
    """Whether a process runs, by what Linux tells in /proc."""
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
