"""What the coach does in the viewer: hints in levels, a review of the game, and the trainer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from msat.board import Board, Cell
from msat.coach.levels import LEVELS
from msat.coach.reviewed import Review, ReviewedMove
from msat.coach.sentences import percent
from msat.coach.techniques import NAMES
from msat.errors import MsatError
from msat.tui.app import tasks
from msat.tui.app.dialogs import Pick
from msat.tui.app.editing import Editing
from msat.tui.app.tasks import Told
from msat.tui.app.training import Trainer
from msat.wording import cell_name, sentence

__all__ = ["Coaching"]

TRAINED = NAMES[1]
"""What is trained first."""


class Coaching(Editing):
    """What the keys of the coach do."""

    _nudged: tuple[Board, int] | None = None
    _reviewed: Review | None = None

    def point_out(self, told: Told) -> None:
        """Tell something, with the cursor at the cell that it is about."""
        if told.cell is not None:
            self.cursor = told.cell
        self.tell(told)
        self.draw()

    # Hints in levels

    def action_nudge(self) -> None:
        """A hint that gives a little away, and more each time."""
        self.later(self._nudge())

    async def _nudge(self) -> None:
        board = self.session.board
        if self.over() or self.impossible == board:
            if self.impossible == board:
                self.say("Nothing can be found on an impossible board: w says why it is, i how to repair it.")
            self.draw()
            return
        before = self._nudged[1] if self._nudged is not None and self._nudged[0] == board else 0
        level = min(before + 1, LEVELS)
        found = await self.solve("thinking", tasks.nudge, self.believed(), level)
        if found is not None and board == self.session.board:
            self._nudged = (board, level)
            self.point_out(found)

    # The review

    def action_review(self) -> None:
        """Judge every decision of the game, and show one of them."""
        self.later(self._review())

    async def _review(self) -> None:
        try:
            record = self.session.history.record
        except MsatError as error:
            self.say(str(error))
            return
        found = self._reviewed
        if found is None or (found.record.layout, found.record.moves) != (record.layout, record.moves):
            found = await self.solve("reviewing, which may take some seconds", tasks.review, record)
        if found is None:
            return
        self._reviewed = found
        reviewed = {f"move {move.number}": move for move in found.moves if _worth_telling(move)}
        if not reviewed:
            self.say(f"{sentence(found.summary)}.")
            return

        def chosen(name: str | None) -> None:
            if name is not None:
                self._show_reviewed(reviewed[name])

        listed = [(name, f"{_sign(move)}{move.remark}; {move.reason}") for name, move in reviewed.items()]
        worst = min(reviewed, key=lambda name: reviewed[name].kept)
        self.push_screen(Pick(listed, worst, _heading(found)), chosen)

    def _show_reviewed(self, move: ReviewedMove) -> None:
        """The board before a decision, with what was chosen, what was better, and why."""
        if not self.attempt(lambda: self.session.go_to(move.number - 1)):
            return
        what = f"Move {move.number}: you opened {cell_name(move.cell)}; {move.remark}."
        shown: dict[Cell, Literal["safe", "mine", "open"]] = {}
        if move.board[move.cell] < 0:
            shown[move.cell] = "mine" if move.safety == 0 else "open"
        if move.better is not None:
            shown[move.better] = "safe" if move.kind == "needless" else "open"
        text = "\n".join([what, f"{sentence(move.reason)}.", *move.proof])
        self.point_out(Told(text, move.clues, shown, move.cell))

    def remark(self, number: int) -> str:
        """What a review of this very game says about a move; "" if there was none."""
        found = self._reviewed
        if found is None or not self.session.has_game:
            return ""
        if found.record.moves != self.session.history.all_moves:
            return ""
        return next((f" {sentence(move.remark)}." for move in found.moves if move.number == number), "")

    # The trainer

    def action_train(self) -> None:
        """Practise: find a safe cell, or guess well, against the clock."""
        self.train(TRAINED)

    def train(self, kind: str, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with exercises of a kind."""

        def ended(achieved: str | None) -> None:
            self.say(achieved or "")
            self.changed()

        self.push_screen(Trainer(self, self._signs, kind, seed, clock), ended)


def _worth_telling(move: ReviewedMove) -> bool:
    """Whether a player wants to hear about a move: something was at stake, or wrong."""
    return move.mistake or move.kind in ("guess", "needless", "blunder")


def _sign(move: ReviewedMove) -> str:
    return "✘ " if move.fatal or move.mistake else ""


def _heading(found: Review) -> str:
    luck = float(found.luck_before if found.state == "lost" else found.luck)
    return (
        f"{sentence(found.summary)}.\n"
        f"Chance at the start {percent(found.chance_at_start)}, kept {float(found.kept):.2f}, "
        f"luck {luck:.2f}. Enter shows a move."
    )
