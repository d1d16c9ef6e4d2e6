"""How tests run the command line: in-process where possible, else as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from msat.__main__ import main

__all__ = ["Cli", "process"]

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


def process(*argv: str, **environment: str) -> subprocess.Popen[bytes]:
    """The command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "msat", *argv],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
