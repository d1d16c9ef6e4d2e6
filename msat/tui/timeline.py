"""The timeline: the whole game as one line, with the guesses where they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from msat.game import State
from msat.tui.step import GuessInStep, Step
from msat.tui.theme import STYLES, UNICODE, Signs

__all__ = ["Timeline"]

_LONGEST = 60
"""Columns of the line, where the terminal has more."""


@dataclass(frozen=True)
class Timeline:
    """A line from the first step to the last, the guesses on it, and the safety of the latest one.

    `total` is the number of steps where it is known (a record); a game that is being played ends now.

    >>> from rich.console import Console
    >>> line = Timeline(6, (GuessInStep(3, (0, 0), 0.5),), "won", total=10)
    >>> Console(color_system=None, width=40).print(line)
    ━━━━━━◆━━━━━━━━━━━━━───────────── 6/10
    """

    current: int
    guesses: Sequence[GuessInStep] = ()
    state: State = "playing"
    total: int | None = None
    signs: Signs = UNICODE

    @classmethod
    def of(cls, step: Step, total: int | None = None, signs: Signs = UNICODE) -> Timeline:
        """The timeline up to a step."""
        return cls(step.number, step.guesses, step.state, total, signs)

    def _room(self, width: int) -> tuple[int, int]:
        """The number of steps, and the columns of the line, where there are `width` columns in all."""
        total = max(self.total or self.current, 1)
        return total, max(1, min(_LONGEST, width - len(f" {total}/{total}") - 1))

    def step_at(self, column: int, width: int) -> int | None:
        """The step at a column of the line; None beside it.

        >>> line = Timeline(6, total=10)
        >>> line.step_at(0, 40), line.step_at(32, 40), line.step_at(33, 40)
        (1, 10, None)
        """
        total, room = self._room(width)
        return min(total, column * total // room + 1) if 0 <= column < room else None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        total, room = self._room(options.max_width)
        label = f" {self.current}/{total}" if self.total else f" {self.current}"
        past = min(room, -(-room * self.current // total))
        line = Text(no_wrap=True, overflow="crop")
        line.append(self.signs.past * past, STYLES["past"])
        line.append(self.signs.future * (room - past), STYLES["future"])
        for guess in self.guesses:
            at = (guess.step - 1) * room // total
            _put(line, at, self.signs.guess, "guess")
        if self.state != "playing" and self.current == total:
            _put(line, room - 1, self.signs.won if self.state == "won" else self.signs.lost, self.state)
        line.append(label, STYLES["label"])
        yield line


def _put(line: Text, at: int, sign: str, style: str) -> None:
    """Replace one character."""
    line.plain = line.plain[:at] + sign + line.plain[at + 1 :]
    line.stylize(STYLES[style], at, at + 1)
