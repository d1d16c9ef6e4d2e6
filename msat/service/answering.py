"""Who answers a question: this process, at once, if it is cheap; a worker otherwise.

What is cheap is known only when it is answered: width, not size, makes a board dear. So a question about a
small board is begun here, with a few milliseconds to spend, and handed on if they are not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from msat._jit import is_compiled, mode
from msat.board import Board
from msat.cells import cells_object
from msat.deadline import ProcessorDeadline
from msat.errors import BudgetExceeded, InconsistentBoard, MsatError
from msat.questions import requests as q
from msat.questions.ask import ask, partial_analysis, proven_at_once
from msat.questions.reading import read
from msat.service.boards import LONG_TEXT, check_cells, read_board
from msat.service.desk import Desk, asks_for_probabilities
from msat.service.problems import Problem, problem_of, shutting_down
from msat.service.settings import Settings
from msat.service.worker import plain_answer
from msat.service.workers import Died, Full, Pool, Stopped, TimeUp, TooMuchMemory
from msat.wording import as_field, naming

if TYPE_CHECKING:
    from msat.analysis import Analysis

__all__ = ["Answering", "Dear", "Progress", "Reply", "reply_of"]

CHEAP_CELLS = 1000
"""The largest board that is answered in the serving process, …"""

PLAIN_CELLS = 100
"""… and while kernels are not compiled."""

CHEAP_SECONDS = 0.015
"""The processor time that a question may take there. Not by the clock: where the machine has other work,
cheap ones would be taken for dear, and wait behind these for workers, which give way to everybody."""

CHEAP_LAYOUTS = 10
"""The layouts that are drawn there."""

LATE = 2.0
"""Seconds after which a worker is stopped that does not keep to its budget by itself."""

_KEEPS_BUDGET = (q.Analyze, q.Cells, q.Encode, q.Explain, q.Generate, q.Hint, q.Review, q.Sample, q.Win)
"""Questions that end by themselves when their budget does, and then tell what they have."""

PLAIN_HINT_SECONDS = 5.0
"""The most time for a hint beside that it is given, while kernels are not compiled: a move is chosen in one
or two seconds of it, and no games are played for its chance to win in fewer than ten."""

_encode = msgspec.json.Encoder(enc_hook=lambda array: array.tolist()).encode  # nan becomes null

Progress = Callable[[bytes], None]


class Reply(NamedTuple):
    """An answer or a problem, as it is sent."""

    status: int
    body: bytes


class Dear(NamedTuple):
    """A question that a worker is to answer, and the seconds that this takes, or may take at most."""

    seconds: float
    reply: Callable[[Progress | None], Coroutine[Any, Any, Reply]]


class Answering:
    """Answers questions, within limits."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self.settings = settings
        self._pool = pool
        self._desk = Desk()

    def begin(self, name: str, body: bytes) -> Reply | Dear:
        """The reply to a question if it is cheap; else what gets it from a worker."""
        with naming(as_field):
            try:
                return self.begin_question(name, read(name, body))
            except MsatError as error:
                raise problem_of(error) from None

    def begin_question(
        self, name: str, question: q.Question, board: Board | None = None, analysis: Analysis | None = None
    ) -> Reply | Dear:
        """The same for a question that was read, with its board and the analysis of it, if they are known."""
        if board is None:
            board = self.board_of(question)
        if analysis is not None or self.is_cheap(question, board):
            budget = getattr(question, "budget", None)
            little = budget is not None and budget <= CHEAP_SECONDS
            try:
                if hasattr(question, "budget") and not little:
                    question.budget = ProcessorDeadline(CHEAP_SECONDS)
                return Reply(200, self._answer(question, board, analysis))
            except (BudgetExceeded, InconsistentBoard) as error:
                if little or _is_final(question, error):
                    raise
            if hasattr(question, "budget"):
                question.budget = budget
        seconds = self._allow(question)

        async def reply(progress: Progress | None) -> Reply:
            return await self._by_worker(name, question, board, seconds, progress)

        expected = seconds
        if isinstance(question, q.Hint) and is_compiled():  # games by plain kernels take all there is
            expected = question.seconds or 1.0
        return Dear(expected, reply)

    def _answer(self, question: q.Question, board: Board | None, analysis: Analysis | None) -> bytes:
        """The answer to a cheap question, as it is sent."""
        if (
            analysis is None
            and board is not None
            and asks_for_probabilities(question, board)
            and (found := self._desk.answer(board)) is not None
        ):
            return found
        if not isinstance(question, q.Analyze):
            return _encode(plain_answer(ask(question, None, board)))
        assert board is not None
        answer, late = partial_analysis(question, board, analysis, raw=True)
        if late is not None:
            raise late
        return _encode(plain_answer(answer))

    def board_of(self, question: q.Question) -> Board | None:
        """The board of a question, if it has one, it is not too large, and it is not for a worker to read."""
        most = self.settings.max_cells
        if isinstance(question, q.Generate):
            check_cells((question.height or 1) * (question.width or 1), most)
        return read_board(question, most, LONG_TEXT)

    def is_cheap(self, question: q.Question, board: Board | None) -> bool:
        """Whether to begin it here."""
        if board is None:
            return (
                isinstance(question, q.Generate)
                and not question.no_guess
                and question.difficulty is None
                and (question.height or 1) * (question.width or 1) <= CHEAP_CELLS
            )
        cells = board.height * board.width
        if cells > CHEAP_CELLS:
            return False
        if isinstance(question, q.Convert):
            return True
        if not is_compiled() and cells > PLAIN_CELLS:
            return False
        if isinstance(question, q.Analyze):
            return question.engine in ("auto", "counting")
        return isinstance(question, q.Cells) or (
            isinstance(question, q.Sample) and question.n <= CHEAP_LAYOUTS
        )

    async def _by_worker(
        self,
        name: str,
        question: q.Question,
        board: Board | None,
        seconds: float,
        progress: Progress | None,
    ) -> Reply:
        """The reply of a worker, or the problem that there is none."""
        limit = seconds + LATE if isinstance(question, _KEEPS_BUDGET) else seconds
        job = f"{name} {self.settings.max_cells}\n".encode() + _encode(question)
        try:
            answered, body = await self._pool.run(job, limit, progress)
        except Full as full:
            raise Problem(
                429,
                "queue-full",
                f"{self._pool.waiting} dear questions are waiting: try again later",
                {"Retry-After": str(full.seconds)},
            ) from None
        except Stopped:
            raise shutting_down() from None
        except Died:
            raise Problem(500, "failed", "the process that worked on this question died") from None
        except TooMuchMemory:
            most = f"{self.settings.memory:,} MB"
            detail = f"the answer takes more memory than the {most} that a worker may have"
            raise Problem(504, "budget", detail, **_proven(question, board)) from None
        except TimeUp:
            detail = f"not answered within {seconds:g} seconds{_slow()}"
            raise Problem(504, "budget", detail, **_proven(question, board)) from None
        if answered:
            return Reply(200, body)
        status = msgspec.json.decode(body, type=_Status).status
        if status == 504 and _slow():
            problem = msgspec.json.decode(body)
            body = _encode(problem | {"detail": problem["detail"] + _slow()})
        return Reply(status, body)

    def _allow(self, question: q.Question) -> float:
        """The seconds for a question, which it is told as its budget."""
        asked = getattr(question, "budget", None)
        seconds = self.settings.budget if asked is None else min(asked, self.settings.budget)
        if isinstance(question, q.Hint) and asked is None and not is_compiled():
            seconds = min(seconds, PLAIN_HINT_SECONDS + question.seconds)
        if hasattr(question, "budget"):
            question.budget = seconds
        if isinstance(question, q.Hint | q.Review) and question.seconds:
            question.seconds = min(question.seconds, 0.8 * seconds)
        return seconds


def _slow() -> str:
    """What to say to who might have been answered in time a little later."""
    if is_compiled() or mode() != "auto":
        return ""
    return "; kernels are still being compiled, which makes it faster"


class _Status(msgspec.Struct):
    status: int


def _is_final(question: q.Question, error: MsatError) -> bool:
    """Whether a worker, with more time, would say the same: what is told of a contradiction does not depend
    on how long it took to find."""
    if not isinstance(error, InconsistentBoard) or not error.minimal:
        return False
    return not isinstance(question, q.Explain) or error.explanation.get("repairs") is not None


def reply_of(problem: Problem) -> Reply:
    """A problem, as it is sent."""
    return Reply(problem.status, _encode(problem.body))


def _proven(question: q.Question, board: Board | None) -> dict[str, Any]:
    """What the rules prove in a moment, of a board that was not answered in its time."""
    safe, mined = ([], []) if board is None else proven_at_once(question, board)
    return {"safe": cells_object(safe), "mined": cells_object(mined)}
