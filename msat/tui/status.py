"""The status line: mines left, the probability of success so far, guesses, 3BV, and how the game stands."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from msat.game import State
from msat.tui.step import Step
from msat.tui.theme import STYLES, UNICODE, Signs
from msat.wording import counted

__all__ = ["StatusLine"]


@dataclass(frozen=True)
class StatusLine:
    """One line about a game.

    `success` is the product of the safeties of all guesses so far, as document 000 (docs/sources.md)
    prints it; `bbbv` is None where there is no layout to measure, `success` where no game is played, or
    where clicks do not tell how safe they were, as those of a person.

    >>> from rich.console import Console
    >>> Console(color_system=None, width=80).print(StatusLine("playing", 23, 0.642, 3, 171))
    playing · 23 mines left · success so far 64.2% · 3 guesses · 3BV 171
    """

    state: State | str
    mines_left: int
    success: float | None
    guesses: int
    bbbv: int | None = None
    signs: Signs = UNICODE

    @classmethod
    def of(cls, step: Step, bbbv: int | None = None, signs: Signs = UNICODE) -> StatusLine:
        """The line about a step."""
        left = step.board.mines - len(step.board.marked)
        return cls(step.state, left, step.success, len(step.guesses), bbbv, signs)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        parts = [counted(self.mines_left, "mine") + " left"]
        if self.success is not None:
            parts += [f"success so far {self.success:.1%}", counted(self.guesses, "guess", "guesses")]
        if self.bbbv is not None:
            parts.append(f"3BV {self.bbbv}")
        sign = {"won": f"{self.signs.won} ", "lost": f"{self.signs.lost} "}.get(self.state, "")
        line = Text(no_wrap=True, overflow="crop")
        line.append(f"{sign}{self.state}", STYLES.get(self.state, STYLES["key"]))
        for part in parts:
            if line.cell_len + 3 + len(part) > options.max_width:  # what does not fit is left out as a whole
                break
            line.append(f" {self.signs.separator} ", STYLES["label"])
            line.append(part)
        yield line
