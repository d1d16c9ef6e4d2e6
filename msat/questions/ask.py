"""Questions answered: a value of `requests.py` in, plain JSON values out.

Each question has one function here, which calls the library as its command does. What cannot be answered is
an `MsatError`; `answers.py:error_of` tells what it carries. Heavy modules are loaded when they are needed.
"""

from __future__ import annotations

import io
import secrets
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msat._jit import is_compiled
from msat.board import HIDDEN, MINE, Board, preset
from msat.cells import Cell, default_start
from msat.deadline import NO_MEMORY, Budget, Deadline
from msat.errors import BoardError, BudgetExceeded, InconsistentBoard, ParameterError, UnknownName
from msat.layout import Layout
from msat.questions import requests as q
from msat.questions.answers import analysis_answer, cells_answer, hint_answer
from msat.questions.games import content_of, is_file_or_game, record_of
from msat.questions.judging import Judged, judge
from msat.record import Record
from msat.wording import argument, naming

if TYPE_CHECKING:
    from msat.analysis import Analysis
    from msat.conversion import Convertible

__all__ = ["Progress", "ask", "board_of", "partial_analysis", "proven_at_once"]

PLAIN_CELLS = 1000
"""The most cells of a board to which kernels that are not compiled can apply the rules in a moment."""

Progress = Callable[[int, int], None]
"""Called with what is done, and of how much."""


def board_of(question: q.BoardQuestion) -> Board:
    """The board of a question: text in any form, the object of the json form, or rows of numbers."""
    board, mines = question.board, question.mines
    if isinstance(board, str):
        return Board.parse(board, mines=mines, form=question.form)
    if isinstance(board, dict):
        return Board.from_object(board, mines=mines)
    if mines is None:
        raise BoardError(f"a board of numbers does not tell its mines: give {argument('mines', 10)}")
    return _board_of_rows(board, mines)


def _board_of_rows(rows: list[list[int]], mines: int) -> Board:
    """A board of rows of whole numbers; what is wrong with them is told by the reader of all arrays."""
    values = array("b")
    try:
        for row in rows:
            values.extend(row)
    except OverflowError:
        return Board.from_array(rows, mines)
    width = len(rows[0]) if rows else 0
    legal = not width or (min(values) >= MINE and max(values) <= 8)
    if not legal or not width or any(len(row) != width for row in rows):
        return Board.from_array(rows, mines)
    return Board(len(rows), width, mines, values.tobytes())


def ask(question: q.Question, progress: Progress | None = None, board: Board | None = None) -> dict[str, Any]:
    """The answer to a question; `board` is its board, where it has been read already.

    >>> ask(q.Analyze(board="1??/??? 1", fields=["safe", "solutions"]))
    {'safe': [[0, 2], [1, 2]], 'solutions': 3}
    """
    if isinstance(question, q.Convert) and board is None and is_file_or_game(question.board):
        return _convert_file(question)
    if isinstance(question, q.BoardQuestion):
        found = board_of(question) if board is None else board
        try:
            return _ABOUT_BOARDS[type(question)](question, found)
        except BudgetExceeded as error:
            if not (error.safe or error.mined):
                error.safe, error.mined = map(frozenset, proven_at_once(question, found))
            raise
        except MemoryError:
            raise BudgetExceeded(NO_MEMORY, 0, *proven_at_once(question, found)) from None
    return _OTHERS[type(question)](question, progress)


def proven_at_once(question: q.Question, board: Board) -> tuple[list[Cell], list[Cell]]:
    """The cells that are safe and those that are mines, as far as the rules find them in a moment.

    >>> question = q.Win(board="???/221 2")
    >>> proven_at_once(question, board_of(question))
    ([(0, 2)], [(0, 0), (0, 1)])
    """
    if board.height * board.width > PLAIN_CELLS and not is_compiled():
        return [], []
    from msat.engines.counting.bands import decided_by_rules

    trusting = getattr(question, "marks", "judge") == "trust"
    return decided_by_rules(board if trusting else board.without_marks())


def _judged(question: q.MarkedQuestion, board: Board) -> tuple[Judged, Budget]:
    """The board as it is answered from, and the time for all of the answer, which has begun."""
    budget = None if question.budget is None else Deadline.of(question.budget)
    return judge(board, question.marks, budget), budget


def _analyze(question: q.Analyze, board: Board) -> dict[str, Any]:
    answer, late = partial_analysis(question, board)
    if late is not None:
        raise late
    return answer


def partial_analysis(
    question: q.Analyze, board: Board, analysis: Analysis | None = None, *, raw: bool = False
) -> tuple[dict[str, Any], BudgetExceeded | None]:
    """What is known, None where it could not be counted, and the error that says why something is missing.

    `analysis` is that of the board, if there is one already; `raw` is as for `analysis_answer`.
    """
    judged, budget = _judged(question, board)
    if analysis is None:
        from msat.analysis import analyze

        analysis = analyze(judged.trusted, engine=question.engine, budget=budget)
    wanted = q.ANSWER_FIELDS if question.fields is None else question.fields
    late = None
    try:
        if not _WHOLE_NUMBERS.isdisjoint(wanted) or not (analysis.complete or _COUNTED.isdisjoint(wanted)):
            analysis.solutions  # noqa: B018  # kept, if it is found
        elif not _COUNTED.isdisjoint(wanted):
            analysis.probability  # noqa: B018
    except BudgetExceeded as error:
        late = error
    return analysis_answer(analysis, judged, question.fields, raw=raw), late


_WHOLE_NUMBERS = frozenset(("solutions", "solutions_log10"))
_COUNTED = frozenset(("probability", "rest_probability", "best"))
"""Fields that need counts, exact or not."""


def _cells(question: q.Cells, board: Board) -> dict[str, Any]:
    from msat.analysis import analyze
    from msat.coach.cell_facts import cell_facts

    judged, budget = _judged(question, board)
    analysis = analyze(judged.trusted, budget=budget)
    return {"cells": cells_answer(cell_facts(analysis)), "marks": judged.fields()}


def _hint(question: q.Hint, board: Board) -> dict[str, Any]:
    from msat.coach.best_move import best_move
    from msat.coach.levels import hint

    judged, budget = _judged(question, board)
    seconds = question.seconds
    if question.level is None:
        # Where cells are proven nothing has to be weighed: an estimate is made if time is given for it.
        found = best_move(judged.trusted, seconds=seconds, budget=budget, estimate_proven=seconds > 0)
        return hint_answer(found, judged)
    return hint_answer(hint(judged.trusted, question.level, seconds=seconds, budget=budget), judged)


def _explain(question: q.Explain, board: Board) -> dict[str, Any]:
    budget = None if question.budget is None else Deadline(question.budget)
    try:
        return _explained(question, board, budget)
    except InconsistentBoard as error:
        from msat.explanation.conflict import explain_contradiction

        with suppress(BudgetExceeded):  # that it is one is told all the same
            found = explain_contradiction(board, budget).to_object()
            error.explanation = {"text": found["text"], "repairs": found["repairs"]}
        raise


def _explained(question: q.Explain, board: Board, budget: Budget) -> dict[str, Any]:
    from msat.coach.walkthrough import walkthrough
    from msat.explanation.explanation import explain

    judged, cell = judge(board, question.marks, budget), question.cell
    trusted = judged.trusted
    if cell is None:
        return walkthrough(trusted, budget=budget).to_object() | {"marks": judged.fields()}
    if cell in judged.marks and not judged.trusting:
        trusted = trusted.replace({cell: HIDDEN})
    return explain(trusted, cell, budget=budget).to_object() | {"marks": judged.fields()}


def _win(question: q.Win, board: Board) -> dict[str, Any]:
    from msat.winning import win_probability

    judged, budget = _judged(question, board)
    with naming(lambda _, value: f"a limit of {value:,}"):  # which cannot be moved by the question
        found = win_probability(judged.trusted, every_move=question.every_move, budget=budget)
    return found.to_object() | {"marks": judged.fields()}


def _sample(question: q.Sample, board: Board) -> dict[str, Any]:
    from msat.engines.counting.sampling import sample

    judged, budget = _judged(question, board)
    layouts = sample(judged.trusted, question.n, question.seed, budget)
    return {"layouts": [layout.to_object() for layout in layouts], "marks": judged.fields()}


def _encode(question: q.Encode, board: Board) -> dict[str, Any]:
    from msat.encode.texts import write_encoding

    out = io.StringIO()
    choices = question.format, question.variables, question.encoding
    asked = board.without_marks() if question.marks == "judge" else board
    write_encoding(asked, out, *choices, budget=question.budget)
    return {"format": question.format, "text": out.getvalue()}


def _convert(question: q.Convert, board: Board) -> dict[str, Any]:
    return _converted(question, board, board)


def _convert_file(question: q.Convert) -> dict[str, Any]:
    """A game in other forms, with a link to its last position; of a layout, to its board before the start."""
    found = content_of(question)
    if isinstance(found, Record):
        return _converted(question, found, found.game().board)
    if isinstance(found, Layout):
        return _converted(question, found, Board.blank(found.height, found.width, found.mines))
    return _converted(question, found, found)


def _converted(question: q.Convert, value: Convertible, board: Board) -> dict[str, Any]:
    from msat.conversion import convert, forms_of

    known = [form for form in forms_of(value) if form != "mbf"]  # which is no text
    wanted = [question.to] if isinstance(question.to, str) else question.to or known
    unknown = [form for form in wanted if form not in known]
    if unknown:
        raise UnknownName.of(f"form for a {type(value).__name__.lower()}", unknown[0], known)
    return {
        "height": board.height,
        "width": board.width,
        "mines": board.mines,
        "forms": {form: convert(value, form) for form in wanted},
        "link": "/#" + quote(board.to_text("line").strip(), safe="/*"),
    }


def _generate(question: q.Generate, progress: Progress | None) -> dict[str, Any]:
    from msat.game import Game

    height, width, mines = _size(question)
    start = question.start or default_start(height, width)
    seed = secrets.randbits(32) if question.seed is None else question.seed
    if question.no_guess or question.difficulty is not None:
        choices = question.first, question.difficulty, question.budget
        layout = Layout.no_guess(height, width, mines, seed, start, *choices)
    else:
        layout = Layout.random(height, width, mines, seed=seed, start=start, first=question.first)
    game = Game(layout)
    game.open(start)
    return {
        "seed": seed,
        "start": list(start),
        "layout": layout.to_object(),
        "board": game.board.to_text("line"),
        "state": game.state,
    }


def _size(question: q.Generate) -> tuple[int, int, int]:
    """Height, width and mines, of the preset or as they are given."""
    given = (question.height, question.width, question.mines)
    if question.preset is not None or given == (None, None, None):
        if given != (None, None, None):
            raise ParameterError('give "preset", or "height", "width" and "mines": not both')
        return preset(question.preset or "expert")
    height, width, mines = given
    if height is None or width is None or mines is None:
        raise ParameterError('a size takes "height", "width" and "mines"')
    return height, width, mines


def _review(question: q.Review, progress: Progress | None) -> dict[str, Any]:
    from msat.coach.review import review

    return review(record_of(question.record), question.seconds, progress, budget=question.budget).to_object()


_ABOUT_BOARDS: dict[type[q.Question], Callable[[Any, Board], dict[str, Any]]] = {
    q.Analyze: _analyze,
    q.Cells: _cells,
    q.Hint: _hint,
    q.Explain: _explain,
    q.Win: _win,
    q.Sample: _sample,
    q.Encode: _encode,
    q.Convert: _convert,
}
_OTHERS: dict[type[q.Question], Callable[[Any, Progress | None], dict[str, Any]]] = {
    q.Generate: _generate,
    q.Review: _review,
}
