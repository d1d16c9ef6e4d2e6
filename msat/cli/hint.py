"""`msat hint`: what to open on a board, how likely that is to win, and why."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msat.cli.options import Subparsers, add_marks_option, duration, positive, whole
from msat.cli.pictures import add_svg_option, save_svg
from msat.cli.reading import add_board_options, read_question
from msat.deadline import Deadline
from msat.questions.judging import Judged, judge
from msat.wording import cell_name, counted

if TYPE_CHECKING:
    from msat.board import Cell
    from msat.coach.advice import Advice, Alternative
    from msat.coach.levels import Hint
    from msat.tui.console import Terminal

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat hint '?1??/???? 2'                 one-line notation: rows joined by '/', then the mine total
  msat hint board.txt --mines 99          a file with rows of ?, 0-8 and * (known mines)
  msat generate --seed 7 --board | msat hint - --seconds 5
  msat hint board.txt --level 1           just a nudge: is there something to find?
  msat hint board.txt --json

In the drawing the move is in [brackets]: + proven safe, ? not proven. Where the terminal is too narrow for
brackets, it is + if proven safe, @ if not. Where cells are proven safe, all of them are shown.

fields of the JSON answer (cells are [row, column], numbered from 0):
  cell                   the cell to open; null if the board is won
  cells                  all cells that are proven safe, or else just that cell
  kind                   how it was found: "rule", "count" (proven), "endgame", "pocket" (searched to the
                         end), "unavoidable" (the same risk whenever it is taken), "evaluated", "sampled"
                         (compared), "blind", "guess" (the safest), or "won"
  safety                 the chance that the cell has no mine
  win, win_error         the chance to win, and its standard error, 0 where it is exact; null if not known
  win_exact              the chance as a fraction, where it is exact; else null
  games                  the games that an estimate rests on: played on by 'best', on random layouts in which
                         the move is safe; the estimate is the safety times their average chance
  reason, reasons        why, in one sentence; for a guess also in three
  progress, second       for a guess: the chance, if it is safe, that its number proves another cell safe, and
                         how safe the best click after it is then, on average
  dead                   whether the cell shows the same number in every layout in which it is safe
  alternatives           other moves that rank high, those that win most first: {"cell", "safety", "win",
                         "win_error", "win_exact", "games", "progress", "second", "dead", "difference",
                         "difference_error"}; the last two are how far "win" is above that of the move, and
                         the standard error of that, which is mostly smaller than those of the chances: all
                         moves play the same layouts
  marks                  {"cell", "verdict", "probability"} of every mark, by the numbers alone: "proven" (a
                         mine in every layout), "wrong" (in none) or "unproven"; only proven ones count

With --level the fields are level, kind ("proven", "guess" or "won") and text; from level 2 on also window
(its first and its last cell); from 3 on clues and uses_mine_count, or for a guess candidates; from 4 on cell;
at level 5 of a guess advice, with all the fields above.

The chance to win is exact where the game can be searched to its end in the time, else an estimate by games
on random layouts: 200 for each move, 100 on an expert board, fewer on larger ones, none beyond 12,000 cells.
With --seconds never fewer. Where a guess is needed, up to half of the time goes into choosing it. Where cells
are proven safe, nothing has to be weighed: there an estimate is made only with --seconds. All moves play the
same layouts, so the error of the difference to the move is mostly smaller than those of both chances.

exit status: 2 if the text is no board or contradicts itself, 3 if no cell is proven safe and the board is too
wide to be counted, or takes longer than --budget
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "hint",
        help="say which cell to open, and how likely that is to win",
        description="Say which cell to open on a board, how likely that is to win, and why.",
        epilog=_EPILOG,
    )
    add_board_options(parser)
    add_marks_option(parser)
    parser.add_argument(
        "--seconds",
        type=duration,
        default=0.0,
        metavar="S",
        help="time to search and to play games in, up to 86,400 (default: games for about a second)",
    )
    parser.add_argument(
        "--budget",
        type=positive,
        metavar="SECONDS",
        help="time for the answer; what takes longer is left out, or given up",
    )
    parser.add_argument(
        "--level",
        type=whole,
        metavar="N",
        help="give away only so much: 1 is there something to find? 2 where? 3 by which numbers? 4 which "
        "cell? 5 the proof (default: everything)",
    )
    add_svg_option(parser, "the move")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Advise one move, or give as much away as asked for."""
    board = read_question(args)

    from msat.coach.best_move import best_move
    from msat.coach.levels import Hint, hint
    from msat.questions.answers import TELLING, hint_answer
    from msat.tui.console import Terminal

    deadline = Deadline(args.budget)
    judged = judge(board, args.marks, deadline)
    found: Advice | Hint
    if args.level is None:
        found = best_move(
            judged.trusted, seconds=args.seconds, budget=deadline, estimate_proven=args.seconds > 0
        )
    else:
        found = hint(judged.trusted, args.level, seconds=args.seconds, budget=deadline)
    if isinstance(found, Hint) and found.level < TELLING:
        judged = judged._replace(marks={})  # which of them are wrong would give more away than is asked for
    save_svg(args.svg, judged.trusted, **_pictured(found))
    if args.json:
        print(json.dumps(hint_answer(found, judged), allow_nan=False))
    elif isinstance(found, Hint):
        _show_level(found, judged, Terminal())
    else:
        _show(found, judged, Terminal())
    return 0


def _pictured(found: Advice | Hint) -> dict[str, Any]:
    """What a picture shows of a hint: the numbers, the cells that come into question, and the move."""
    from msat.coach.levels import Hint

    proven = found.kind == "proven" if isinstance(found, Hint) else found.safety == 1
    others = found.candidates if isinstance(found, Hint) else found.cells
    rings = dict.fromkeys(others, "safe" if proven else "clue")
    if found.cell is not None:
        rings[found.cell] = "safe" if isinstance(found, Hint) and proven else "choice"
    return {"highlights": rings, "clues": sorted(found.clues) if isinstance(found, Hint) else ()}


def _show_level(found: Hint, judged: Judged, terminal: Terminal) -> None:
    """The board with what the hint is about in brackets, and its words."""
    from msat.cli.reasons import show_board
    from msat.coach.sentences import move_first

    ringed = set(found.clues)
    if found.level == 2 and found.window is not None:
        (top, left), (bottom, right) = found.window
        ringed = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
    cells = {found.cell} if found.cell else set(found.candidates)
    moves = dict.fromkeys(cells, "safe" if found.kind == "proven" else "open")
    show_board(judged.view(terminal, clues=ringed, moves=moves), terminal)
    terminal.line()
    first, *more = found.text
    if found.advice is not None:
        first = move_first(found.cell, first)
    part = "" if found.cell is None else next(p for p in _parts(found.cell) if p in first)
    terminal.answer(first, part, "answer" if not part else "safe" if found.kind == "proven" else "move")
    for sentence in more:
        terminal.wrapped(sentence)
    if found.advice is not None and found.advice.alternatives:
        terminal.line()
        _show_table(list(_table(found.advice, terminal.width)), terminal)


def _show(advice: Advice, judged: Judged, terminal: Terminal) -> None:
    """The board with the move in brackets, the reason, the chance to win, and other moves."""
    from msat.cli.reasons import show_board
    from msat.coach.sentences import move_first

    moves = dict.fromkeys(advice.cells, "safe" if advice.safety == 1.0 else "open")
    used = show_board(judged.view(terminal, moves=moves), terminal)
    first, *more = advice.reasons
    answer = move_first(advice.cell, first)
    chance = f"chance to win: {advice.chance} ({_basis(advice)})"
    sentences = [*more, chance, *judged.lines()]
    if advice.cell in judged.doubtful:
        sentences.append("it is marked: take the flag off to open it")
    sentences.append(judged.summary)
    table = list(_table(advice, terminal.width)) if advice.alternatives else []
    # The board and the move are to be seen without scrolling back: what is left out is in --level 5.
    # Of a guess, the reasons tell its chance; what it may show is the least that is missed.
    for known in (judged.summary, chance if more else "", more[0] if more[1:] else ""):
        if known and _room(terminal, used + terminal.rows(answer, *sentences)) < 0:
            sentences.remove(known)
    room = _room(terminal, used + terminal.rows(answer, *sentences))
    if room > 0:
        terminal.line()
    part = "" if advice.cell is None else next(p for p in _parts(advice.cell) if p in answer)
    terminal.answer(answer, part, "answer" if not part else "safe" if advice.safety == 1.0 else "move")
    for sentence in sentences:
        terminal.wrapped(sentence)
    if table and room - 2 >= terminal.rows(*table):
        terminal.line()
    _show_table(_fitting(table, room - 1), terminal)


def _parts(cell: Cell) -> Iterator[str]:
    """What an answer may call its move, the most telling first."""
    from msat.wording import cell_name

    name = cell_name(cell)
    yield from (f"open {name}", f"{name} is safe", f"{name} is the best guess", name)


def _show_table(table: list[str], terminal: Terminal) -> None:
    """The moves, the first of which is the answer, below their titles, and notes."""
    for number, line in enumerate(table):
        terminal.wrapped(
            line, "label" if line.startswith("(") or not number else "answer" if number == 1 else ""
        )


def _room(terminal: Terminal, used: int) -> int:
    """Lines that are left above the prompt; any number where nothing limits them."""
    return 10_000 if terminal.height is None else terminal.height - 1 - used


def _fitting(table: list[str], room: int) -> list[str]:
    """As much of a table as there is room for, which has to be two moves at least; its notes go first."""
    moves = [line for line in table if not line.startswith("(")]
    if len(table) <= room:
        return table
    if len(moves) <= room:
        return moves
    more = counted(len(moves) - room + 1, "more move")
    return [*moves[: room - 1], f"({more}: --json)"] if room > 3 else []


def _table(advice: Advice, width: int | None = None) -> Iterator[str]:
    """The move and others; what is known of none of them has no column."""
    from msat.coach.guess_words import note
    from msat.coach.sentences import percent

    assert advice.cell is not None
    others = advice.alternatives
    moves: list[Advice | Alternative] = [advice, *others]
    cells = [advice.cell, *(other.cell for other in others)]
    columns = [("move   ", 7, [f"{cell_name(cell):<7}" for cell in cells])]
    columns.append(("safe", 8, [_short(percent(move.safety)) for move in moves]))
    if advice.progress is not None:
        columns.append(("progress", 10, [_short(percent(move.progress or 0.0)) for move in moves]))
        columns.append(("second", 8, [_short(percent(move.second or 0.0)) for move in moves]))
    if any(move.win is not None for move in moves):
        columns.append(("wins", 9, [_short(move.chance) for move in moves]))
    if any(move.games for move in moves):
        columns.append(("error", 8, [f"{move.win_error:.1%}" if move.games else "" for move in moves]))
        columns.append(("difference (error)", 20, ["", *(_difference(other) for other in others)]))
    columns = _narrowed(columns, width)
    notes = [
        note(advice.kind, advice.safety, advice.dead),
        *(note("", other.safety, other.dead) for other in others),
    ]
    for *line, said in zip(*([title, *column] for title, _, column in columns), ["", *notes], strict=True):
        row = "".join(f"{text:>{w}}" for text, (_, w, _) in zip(line, columns, strict=True))
        yield f"{row}  {said}".rstrip()
    if advice.progress is not None:
        yield "(progress: its number proves another cell safe; second: how safe the next click is then)"
    if any(move.dead for move in moves):
        yield "(dead: its number is the same in any case, and tells nothing)"
    if any(other.games and (other.difference or 0) > 0 for other in others):
        yield "(a difference of less than about twice its error tells nothing)"


def _narrowed(
    columns: list[tuple[str, int, list[str]]], width: int | None
) -> list[tuple[str, int, list[str]]]:
    """The columns, no wider than they have to be where the terminal is narrow."""
    if width is None or sum(w for _, w, _ in columns) <= width:
        return columns
    titles = [title.removesuffix(" (error)").strip() for title, _, _ in columns]
    return [
        (title, 2 * (number > 0) + max(map(len, [title, *column])), column)
        for number, (title, (_, _, column)) in enumerate(zip(titles, columns, strict=True))
    ]


def _short(chance: str) -> str:
    """A chance in words, as short as a table needs it."""
    return chance.replace("above ", ">").replace("below ", "<")


def _difference(other: Alternative) -> str:
    """By how much the chance is above that of the best move, with its error."""
    if other.difference is None:
        return ""
    return f"{float(other.difference):+.1%} ({other.difference_error:.1%})"


def _basis(advice: Advice) -> str:
    """What the chance to win rests on."""
    if isinstance(advice.win, Fraction):
        return f"exactly {advice.win}"
    if advice.win is None:
        return advice.unknown
    games = f"{counted(advice.games, 'game')} played on from here by 'best'"
    if advice.win == 0:
        return f"none of {games} was won"
    if advice.win == advice.safety:
        return f"all of {games} were won" + ("" if advice.safety == 1.0 else ", if the move is safe")
    return f"by {games}; standard error {advice.win_error:.1%}"
