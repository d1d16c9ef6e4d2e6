"""Commands on a terminal that a test holds."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

from tests.support.clock import PATIENCE, wait_until

__all__ = ["CommandOnTerminal"]

ROOT = Path(__file__).parents[2]


class CommandOnTerminal:
    """A command of msat on a terminal of its own, of which this process holds both ends."""

    def __init__(self, *argv: str, environment: Mapping[str, str] = {}) -> None:
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.usual = termios.tcgetattr(self.theirs)
        self.seen = b""

        def take_the_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        usual = {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "msat", *argv],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, **usual, **environment},
            preexec_fn=take_the_terminal,
        )

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def read(self) -> None:
        while select.select([self.ours], [], [], 0)[0]:
            self.seen += os.read(self.ours, 1 << 16)

    def wait_for(self, text: str) -> None:
        def look() -> bool:
            self.read()
            return text.encode() in self.seen

        wait_until(look, lambda: f"{text!r} not seen: {self.seen[-2000:]!r}")

    def end(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read()  # what is not read would hold it up
            time.sleep(0.02)
        self.read()
        return self.process.wait(1)

    def left_over(self) -> bool:
        """Whether keys are waiting that the shell would get."""
        attributes = termios.tcgetattr(self.theirs)
        attributes[3] &= ~termios.ICANON
        termios.tcsetattr(self.theirs, termios.TCSANOW, attributes)
        return bool(select.select([self.theirs], [], [], 0)[0])

    def hang_up(self) -> None:
        os.close(self.ours)
        self.ours = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.ours >= 0:
            self.hang_up()
        os.close(self.theirs)
