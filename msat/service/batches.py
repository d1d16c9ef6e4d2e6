"""Many questions at once: analyses of boards of one size together, the rest one by one, answered in order.

There is one thread for all batches, so that none is done sooner if many are worked on at the same time; but
what is known of each would be held until its end, a hundred megabytes for 64 of them, and a turn of the loop
would have a part of every one. So they take turns, a few at a time, as they came.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from msat.board import Board
from msat.errors import MsatError
from msat.questions import requests as q
from msat.questions.reading import convert, decode
from msat.service.answering import CHEAP_SECONDS, Answering, Dear, Reply, reply_of
from msat.service.desk import Desk, asks_for_probabilities, written
from msat.service.problems import Problem, no_such_question, problem_of
from msat.wording import as_field, naming

if TYPE_CHECKING:
    from msat.analysis import Analysis

__all__ = ["Batches"]

BREATH = 0.004
"""Seconds of a batch after which others are let through."""

TOGETHER_CELLS = 1 << 16
"""Cells of the boards that are answered in one compiled call: two milliseconds or so."""

AT_ONCE = 2
"""Batches whose cheap questions are worked on at the same time: beside a long one there is room."""

_BATCH = msgspec.json.Decoder(q.Batch)


class _Asked(NamedTuple):
    """A question that was understood."""

    name: str
    question: q.Question
    board: Board | None


class Batches:
    """Answers batches, of which a few are worked on at a time."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def answer(self, body: bytes) -> bytes:
        """The answers, each with its own status; dear questions take turns, so that they need no queue."""
        with naming(as_field):
            async with self._turn:
                begun = await _begun_all(self._answering, body)
        turn = asyncio.Semaphore(self._answering.settings.workers)
        dear = [asyncio.create_task(_reply(each, turn)) for each in begun if isinstance(each, Dear)]
        try:
            later = await asyncio.gather(*dear)
        finally:
            for task in dear:
                task.cancel()
        return _joined(begun, iter(later))


def _joined(begun: list[Reply | Dear], later: Iterator[Reply]) -> bytes:
    parts = [b'{"answers":[']  # joined once: a megabyte is not worth copying twice
    for each in begun:
        reply = each if isinstance(each, Reply) else next(later)
        parts += (b'{"status":%d,"body":' % reply.status, reply.body, b"},")
    parts[-1] = b"}]}" if begun else b'{"answers":[]}'
    return b"".join(parts)


async def _begun_all(answering: Answering, body: bytes) -> list[Reply | Dear]:
    """The replies to cheap questions, and what gets those to others."""
    breath = _Breath()
    asked: list[_Asked | Reply] = []
    for item in _items(answering, body):
        asked.append(_understood(answering, item))
        if breath.due:
            await breath.taken()
    together = _Together(answering, asked)
    while together.left:
        together.answer_some()
        if breath.due:
            await breath.taken()
    begun: list[Reply | Dear] = []
    for number, each in enumerate(asked):
        if (found := together.probabilities.pop(number, None)) is not None:
            begun.append(Reply(200, written(found)))
        elif isinstance(each, Reply):
            begun.append(each)
        else:
            begun.append(_begun(answering, each, together.analyses.pop(number, None)))
        if breath.due:
            await breath.taken()
    return begun


class _Breath:
    """Lets others through from time to time."""

    def __init__(self) -> None:
        self._since = monotonic()

    @property
    def due(self) -> bool:
        return monotonic() - self._since > BREATH

    async def taken(self) -> None:
        await asyncio.sleep(0)
        self._since = monotonic()


def _items(answering: Answering, body: bytes) -> list[dict[str, Any]]:
    try:
        items = decode(body, _BATCH).requests
    except MsatError as error:
        raise problem_of(error) from None
    most = answering.settings.max_batch
    if len(items) > most:
        raise Problem(413, "too-large", f"a batch of {len(items):,} questions: at most {most:,} are taken")
    return items


def _understood(answering: Answering, item: dict[str, Any]) -> _Asked | Reply:
    name = item.pop("path", None)
    try:
        if not isinstance(name, str) or name not in q.QUESTIONS:
            raise no_such_question()
        try:
            question = convert(name, item)
            return _Asked(name, question, answering.board_of(question))
        except MsatError as error:
            raise problem_of(error) from None
    except Problem as problem:
        return reply_of(problem)


class _Together:
    """Analyses of cheap boards, those of one size in compiled calls."""

    def __init__(self, answering: Answering, asked: list[_Asked | Reply]) -> None:
        self.left = [
            (number, each.board, asks_for_probabilities(each.question, each.board))
            for number, each in enumerate(asked)
            if isinstance(each, _Asked)
            and isinstance(each.question, q.Analyze)
            and each.board is not None
            and not each.board.marked
            and answering.is_cheap(each.question, each.board)
        ]
        self.probabilities: dict[int, NDArray[np.float64] | None] = {}
        """Where nothing else is asked for; None where the fast path has none."""
        self.analyses: dict[int, Analysis] = {}

    def answer_some(self) -> None:
        """Answer some of those that are left."""
        cells, some = 0, []
        while self.left and cells < TOGETHER_CELLS:
            number, board, plain = self.left.pop()
            cells += board.height * board.width
            some.append((number, board, plain))
        by_shape: dict[tuple[int, int], list[int]] = {}
        boards = {number: board for number, board, _ in some}
        for number, board, plain in some:
            if plain:
                by_shape.setdefault(board.shape, []).append(number)
        for numbers in by_shape.values():
            found = Desk.answer_all([boards[number] for number in numbers])
            self.probabilities.update(zip(numbers, found, strict=True))
        others = [(number, board) for number, board, plain in some if not plain]
        if others:
            from msat.batch import analyze_together

            together = analyze_together([board for _, board in others], 1, "auto", CHEAP_SECONDS)
            self.analyses.update((others[index][0], analysis) for index, analysis in together.items())


def _begun(answering: Answering, asked: _Asked, analysis: Analysis | None) -> Reply | Dear:
    try:
        try:
            return answering.begin_question(*asked, analysis)
        except MsatError as error:
            raise problem_of(error) from None
    except Problem as problem:
        return reply_of(problem)


async def _reply(dear: Dear, turn: asyncio.Semaphore) -> Reply:
    async with turn:
        try:
            return await dear.reply(None)
        except Problem as problem:
            return reply_of(problem)
