"""The board of a question, within limits: its cells are counted before it is read, where that can be.

What is no board, or written in a strange way, takes a reader microseconds a character, or more: a megabyte of
it takes seconds. So long texts are read by a worker, which nobody else waits for, and which can be stopped.
"""

from __future__ import annotations

from msat.board import Board
from msat.questions import requests as q
from msat.questions.ask import board_of
from msat.questions.games import is_file_or_game
from msat.service.problems import Problem

__all__ = ["LONG_TEXT", "check_cells", "read_board"]

LONG_TEXT = 4096
"""The longest text, in characters, that the serving process reads: twice an expert board as it is drawn."""

SENT_CELLS = 10_000_000
"""The most cells of all layouts that one answer holds: they are as many bytes, several times over."""


def read_board(question: q.Question, most: int, longest: int | None = None) -> Board | None:
    """The board of a question with at most so many cells; None if it has no board, or one that others read.

    >>> read_board(q.Analyze(board="?1? 1"), most=3), read_board(q.Analyze(board="?1? 1"), most=3, longest=2)
    (Board.parse('?1?/ 1'), None)
    >>> read_board(q.Analyze(board=[[-1, 1, -1]], mines=1), most=2)
    Traceback (most recent call last):
    msat.service.problems.Problem: the board has 3 cells: at most 2 are taken
    """
    if not isinstance(question, q.BoardQuestion):
        return None
    given = question.board
    if isinstance(given, str) and longest is not None and len(given) > longest:
        return None
    if isinstance(question, q.Convert) and is_file_or_game(given):
        return None  # to read it may take long: a worker does
    if isinstance(given, list):
        check_cells(len(given) * max(map(len, given), default=0), most)
    board = board_of(question)
    cells = board.height * board.width
    check_cells(cells, most)
    if isinstance(question, q.Sample) and question.n * cells > SENT_CELLS:
        sent = f"at most {SENT_CELLS:,} cells are sent"
        raise Problem(413, "too-large", f"{question.n:,} layouts of {cells:,} cells: {sent}")
    return board


def check_cells(cells: int, most: int) -> None:
    """Refuse a board with more cells than `most`."""
    if cells > most:
        raise Problem(413, "too-large", f"the board has {cells:,} cells: at most {most:,} are taken")
