"""A frame: everything that playback shows at one moment, board, status, reason and timeline together."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from msat.tui.board import BoardView, Overlay
from msat.tui.legend import legend
from msat.tui.reason import Reason
from msat.tui.status import StatusLine
from msat.tui.step import Step
from msat.tui.theme import STYLES, UNICODE, Signs
from msat.tui.timeline import Timeline

__all__ = ["PlaybackFrame", "board_of"]


def board_of(step: Step, signs: Signs = UNICODE, overlay: Overlay | None = None) -> BoardView:
    """The board of a step; at the end of a lost game the mines are shown."""
    return BoardView(
        step.board,
        signs,
        layout=step.layout if step.state == "lost" else None,
        exploded=step.exploded,
        last=step.opened,
        overlay=overlay if step.state == "playing" else None,
    )


@dataclass(frozen=True, eq=False)
class PlaybackFrame:
    """One moment of a game; an expert board takes 21 lines of 63 columns."""

    step: Step
    bbbv: int | None = None
    total: int | None = None
    overlay: Overlay | None = None
    signs: Signs = UNICODE
    controls: str = ""
    """What keys do, where there are some."""
    told: int = 2
    """Lines for the legend, where the board needs one, and the reason."""

    def size(self, room: int) -> tuple[int, int]:
        """The columns and lines that the frame takes, where there are `room` columns."""
        board = self.board
        pitch = board.pitch(room)
        lines = len(board.header(pitch)) + self.step.board.height + 2 + self.told + bool(self.controls)
        return board.columns(pitch), lines

    @property
    def board(self) -> BoardView:
        """The board of the frame."""
        return board_of(self.step, self.signs, self.overlay)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        board = self.board
        yield StatusLine.of(self.step, self.bbbv, self.signs)
        yield board
        explained = legend(board, options.max_width)
        if explained:
            yield Text(explained, STYLES["label"], no_wrap=True, overflow="crop")
        yield Reason.of(self.step, self.told - bool(explained), self.signs)
        yield Timeline.of(self.step, self.total, self.signs)
        if self.controls:
            yield Text(self.controls, STYLES["label"], no_wrap=True, overflow="crop")
