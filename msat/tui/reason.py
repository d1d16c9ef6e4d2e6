"""The reason of a move: what was decided and why, in at most a given number of lines."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from msat.tui.step import Step
from msat.tui.theme import STYLES, UNICODE, Signs

__all__ = ["Reason"]


@dataclass(frozen=True)
class Reason:
    """What was decided, after its number; always `lines` lines, so that what stands below does not jump.

    >>> from rich.console import Console
    >>> Console(color_system=None, width=40).print(Reason(7, "open (3, 4): no other cell is as safe"))
    7. open (3, 4): no other cell is as safe
    """

    number: int
    text: str
    is_guess: bool = False
    lines: int = 1
    signs: Signs = UNICODE

    @classmethod
    def of(cls, step: Step, lines: int = 1, signs: Signs = UNICODE) -> Reason:
        """The reason of a step."""
        guessed = bool(step.guesses) and step.guesses[-1].step == step.number
        return cls(step.number, step.decision, guessed, lines, signs)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = Text.assemble((f"{self.number}. ", STYLES["label"]), self.signs.text(self.text))
        if self.is_guess:
            text.stylize(STYLES["guess"], len(str(self.number)) + 2)
        wrapped = list(text.wrap(console, options.max_width))
        shown = wrapped[: self.lines]
        for line in shown:
            line.rstrip()
        if len(wrapped) > self.lines:
            shown[-1].truncate(options.max_width - 1)
            shown[-1].append(self.signs.more)
        yield from shown
        yield from (Text() for _ in range(self.lines - len(shown)))
