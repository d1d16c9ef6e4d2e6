"""`msat bench`: how fast every engine and strategy is, and whether the answers are what they were."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msat.cli.options import Subparsers, positive

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from msat.bench.comparison import Change
    from msat.bench.report import Report, ReportRow

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat bench                                       everything, in about a minute
  msat bench --suite expert --suite large          some suites; 'large' are the three of that kind
  msat bench --only counting,forced --seconds 10   one engine, one question
  msat bench --json > before.json                  keep a run …
  msat bench --against before.json                 … and see what became faster, slower or different

A digest stands for all exact answers of a suite: solution counts and forced cells. It is the same for every
engine, on every machine, and changes only if an answer does. Slow engines get through the first positions of
a suite only: n tells how many. A position takes an engine 1 second at most, then it counts as a time-out.
Times are those of the processor, so that other work on the machine does not count.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "bench",
        help="time every engine and strategy, and print a digest of the answers",
        description="Time every engine and strategy on fixed positions, and check their answers.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        metavar="S",
        help="beginner, intermediate, expert, endgame, dense, large (may be repeated; default: all)",
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="X,…",
        help="engines, strategies (also NAME:key=value,…), or questions: forced, probabilities, games "
        "(may be repeated)",
    )
    parser.add_argument(
        "--seconds", type=positive, default=60.0, metavar="T", help="about how long to run (default: 60)"
    )
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with a run kept by --json")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure, print; with --against exit with 1 if an answer is not what it was."""
    from msat import bench

    old = None if args.against is None else bench.Report.read(args.against)
    suites = bench.choose_suites(args.suite)
    # A comma before NAME=VALUE goes on with the parameters of a strategy.
    only = [name for text in args.only for name in re.split(r",(?!\w+=)", text)]
    with _Progress() as progress:
        report = bench.run(suites, only, args.seconds, progress)
    changes = [] if old is None else bench.compare(report, old)
    if args.json:
        print(report.to_json())
    else:
        _print_report(report)
    if old is not None:
        _print_changes(changes, to_stderr=args.json)
    wrong = any("wrong" in row.troubles for row in report.rows) or any(c.different for c in changes)
    return 1 if wrong else 0


class _Progress:
    """A bar on stderr, if that is a terminal; drawn from the run itself, never while something is timed."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(
            console=Console(file=sys.stderr),
            auto_refresh=False,
            transient=True,
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("")

    def __enter__(self) -> _Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how far it is."""
        self._bar.update(self._task, description=f"{what:36}", completed=done, total=total)
        self._bar.refresh()


_HEADINGS = ("suite", "player", "question", "n", "per second", "median", "p95", "max", "answers")


def _print_report(report: Report) -> None:
    rows = []
    for row in report.rows:
        times = [_milliseconds(row.quantile(percent)) for percent in (50, 95, 100)]
        rate = f"{row.rate:,.0f}" if row.rate >= 10 else f"{row.rate:.2g}"
        rows.append((row.suite, row.player, row.question, _number(row), rate, *times, _answers(row)))
    if rows:
        title = "milliseconds of processor time per position or game"
        _print_table(_console(), title, _HEADINGS, rows, ("max", "p95", "per second", "n"))
    for suite in report.suites:
        print(f"digest of {suite.name:12} {suite.digest}  ({len(suite.fingerprints)} positions)")
    for reason in report.skipped.values():
        print(f"skipped: {reason}")


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3g}" if seconds < 0.1 else f"{1e3 * seconds:,.0f}"


def _number(row: ReportRow) -> str:
    return str(len(row.letters)) if len(row.letters) == row.of else f"{len(row.letters)} of {row.of}"


def _answers(row: ReportRow) -> str:
    """How the answers were: troubles, or the win rate with its 95 % interval."""
    from msat.arena.estimates import wilson

    if row.question == "games":
        games = len(row.letters)
        low, high = wilson(row.wins, games)
        return f"won {100 * row.wins / games:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
    if row.troubles:
        return ", ".join(f"{name}: {count}" for name, count in row.troubles.items())
    return "sound" if row.player == "rules" else "same"


def _print_changes(changes: list[Change], to_stderr: bool) -> None:
    rows = []
    for change in changes:
        spread = f"{change.low:.2f}–{change.high:.2f}" if change.rounds > 1 else "one round"
        mark = {"faster": "faster", "slower": "SLOWER", "unsure": "too few rounds"}.get(change.verdict, "")
        rows.append((*change.row.key, f"{change.ratio:.2f}", spread, mark, str(change.different or "")))
    headings = ("suite", "player", "question", "ratio", "spread", "", "different answers")
    title = "time now / time then"
    _print_table(_console(to_stderr), title, headings, rows, ("spread", "different answers"))
    marks = [change.verdict for change in changes]
    different = sum(change.different > 0 for change in changes)
    _console(to_stderr).print(
        f"{len(changes)} rows compared: {marks.count('faster')} faster, {marks.count('slower')} slower, "
        f"{different} with different answers"
    )


def _print_table(
    console: Console,
    title: str,
    headings: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    dispensable: tuple[str, ...],
) -> None:
    """Print a table with a section for each suite, as wide as there is room.

    Where there is little, it has no lines, and suites have rows of their own; then columns are left out.
    """
    table = _table(headings, rows)
    for left_out in range(len(dispensable) + 1):
        if table.__rich_measure__(console, console.options).maximum <= console.width:
            break
        table = _table(headings, rows, dispensable[:left_out], narrow=True)
    console.print(title, style="italic")
    console.print(table)


def _table(
    headings: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    left_out: tuple[str, ...] = (),
    narrow: bool = False,
) -> Table:
    from rich import box
    from rich.table import Table

    kept = [k for k, name in enumerate(headings) if name not in left_out and not (narrow and k == 0)]
    lines = box.SIMPLE_HEAD if narrow else box.HEAVY_HEAD
    table = Table(box=lines, pad_edge=not narrow, show_edge=not narrow)
    for k in kept:
        right = headings[k] in ("n", "per second", "median", "p95", "max", "ratio", "different answers")
        table.add_column(headings[k], justify="right" if right else "left", no_wrap=True)
    before = None
    for suite, *others in rows:
        if suite != before and (before is not None or narrow):
            table.add_section()
        if narrow and suite != before:
            table.add_row(f"{suite}:")
        cells = (suite if suite != before else "", *others)
        table.add_row(*(cells[k] for k in kept))
        before = suite
    return table


def _console(to_stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(file=sys.stderr if to_stderr else sys.stdout, highlight=False)
    # A table that is cut off tells nothing: where nothing limits the width, it gets what it needs.
    limited = console.is_terminal or os.environ.get("COLUMNS")
    return console if limited else Console(file=console.file, highlight=False, width=140)
