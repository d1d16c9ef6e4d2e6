"""A report: result folders as one HTML page that needs nothing else, to be sent to another person.

Everything is made from the games themselves, so a report is right also for runs that are not finished. Each
run gets its table and its pictures; several runs are put side by side first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from msat.arena import results, svg
from msat.arena.comparison import Comparison, read_comparison
from msat.arena.estimates import wilson
from msat.arena.files import folder_path
from msat.arena.folder import Folder, Report
from msat.arena.pictures import heat_map
from msat.arena.plan import Plan
from msat.arena.simulation import read_tally
from msat.arena.sweeps import START, Point, Sweep, read_sweep
from msat.arena.sweeps import warnings as sweep_warnings
from msat.arena.tally import MANY_GUESSES, Tally
from msat.errors import FolderError
from msat.kinds import several
from msat.wording import quoted, visible

__all__ = ["page"]

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c2733; background: #fff; }
h1, h2 { line-height: 1.2; } h2 { border-top: 1px solid #cfd8e3; padding-top: 1.5rem; margin-top: 2.5rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.8rem 0.15rem 0; text-align: left; border-bottom: 1px solid #e3e9f0; }
td.number { text-align: right; } svg { max-width: 100%; height: auto; display: block; margin: 0.5rem 0; }
svg text { font-size: 11px; fill: currentColor; } .bar { fill: #2f6fb0; }
.line { fill: none; stroke: #2f6fb0; stroke-width: 1.5; } .grid { stroke: #e3e9f0; }
.folder { color: #6a7683; } .heat .dark { fill: #000; } .heat .light { fill: #fff; }
.level { stroke: #b0482f; stroke-dasharray: 4 3; } .note { color: #8a4b00; }
@media (prefers-color-scheme: dark) { body { color: #d8e0e8; background: #12181f; }
  th, td { border-color: #2b3642; } .grid { stroke: #2b3642; } .bar { fill: #6aa7e0; }
  .line { stroke: #6aa7e0; } .note { color: #e0a860; } }
"""


def page(folders: Sequence[str | Path], report: Report = print) -> str:
    """The page for these result folders. `report` takes messages such as "line 7 is damaged"."""
    paths = [folder_path(each, "folders") for each in several(folders, "folders", "result folders")]
    if not paths:
        raise FolderError("a report needs a result folder: give one or more")
    notes: list[str] = []

    def note(message: str) -> None:
        notes.append(message)
        report(message)

    sections: list[str] = []
    titles: list[str] = []
    runs: list[tuple[Plan, Tally]] = []
    for path in paths:
        folder = Folder.open(path)
        begun = len(notes)
        if folder.kind == "sim":
            runs.append(read_tally(folder, note))
            title, body = runs[-1][0].title, _run(*runs[-1], folder.values)
        elif folder.kind == "sweep":
            settings, points = read_sweep(folder, note)
            title, body = settings.title, _sweep(settings, points)
        elif folder.kind == "compare":
            found = read_comparison(folder, note)
            title, body = f"{found.settings.title}, {found.games} boards", _comparison(found)
        else:
            raise FolderError(f"{path} holds a {quoted(folder.kind)}, which this msat cannot report")
        warned = "".join(f'<p class="note">{_escaped(message)}</p>' for message in notes[begun:])
        titles.append(title)
        heading = f'<h2 id="result-{len(titles)}">{_escaped(title)}</h2>' if len(paths) > 1 else ""
        sections.append(f'{heading}<p class="folder">{_escaped(path.name)}</p>{warned}{body}')
    heading = _escaped(titles[0] if len(titles) == 1 else f"{len(titles)} results")
    overview = (_contents(titles) if len(titles) > 1 else "") + (_overview(runs) if len(runs) > 1 else "")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{heading} · msat</title>\n"
        f'<meta name="viewport" content="width=device-width">\n<style>{_STYLE}</style></head>\n'
        f"<body><h1>{heading}</h1>\n{overview}\n" + "\n".join(sections) + "\n</body></html>\n"
    )


def _contents(titles: list[str]) -> str:
    """What the page has, to be jumped to."""
    found = (f'<li><a href="#result-{n}">{_escaped(title)}</a></li>' for n, title in enumerate(titles, 1))
    return f"<ol>{''.join(found)}</ol>"


def _overview(runs: Iterable[tuple[Plan, Tally]]) -> str:
    """Several runs side by side."""
    rows = []
    for plan, tally in runs:
        low, high = wilson(tally.wins, tally.games)
        interval = f"{100 * low:.2f} % to {100 * high:.2f} %"
        rows.append((plan.title, str(tally.games), str(tally.wins), f"{tally.percent:.2f} %", interval))
    return _table(rows, ("run", "games", "wins", "won", "95 % interval"))


def _run(plan: Plan, tally: Tally, values: Mapping[str, object] | None) -> str:
    parts = [_table(results.rows(plan, tally, plan.parameters if values is None else values))]
    if tally.games < plan.games:
        left = plan.games - tally.games
        parts.append(f'<p class="note">Unfinished: {left} of {plan.games} games are still to be played.</p>')
    parts += [f'<p class="note">{_escaped(line)}</p>' for line in results.warnings(plan, tally)]
    heads = [*map(str, range(MANY_GUESSES)), f"{MANY_GUESSES}+"]
    counts = [tally.wins_by_guesses[k] for k in range(MANY_GUESSES + 1)]
    parts.append("<h3>Wins by number of guesses</h3>" + svg.bars(heads, counts, "games", "guesses"))
    parts.append("<h3>The win rate as games add up</h3>" + _convergence(tally))
    if tally.kinds:
        parts.append("<h3>Guesses</h3>" + _guesses(tally))
    return "".join(parts)


def _convergence(tally: Tally) -> str:
    """The win rate after each part of the series, with its 95 % interval."""
    order = sorted(tally.series_games)
    labels, rates, intervals = [], [], []
    games = wins = 0
    step = max(1, len(order) // 30)
    for k, series in enumerate(order, 1):
        games += tally.series_games[series]
        wins += tally.series_wins[series]
        if k % step == 0 or k == len(order):
            low, high = wilson(wins, games)
            labels.append(str(games))
            rates.append(100 * wins / games)
            intervals.append((100 * low, 100 * high))
    return svg.lines(labels, rates, intervals, "games won, %, with 95 % intervals", "games")


def _guesses(tally: Tally) -> str:
    """Claimed against real success, for each kind of guess: an honest player's columns agree."""
    rows = [
        (
            name,
            str(kind.used),
            f"{100 * kind.probability:.2f} %",
            f"{100 * (1 - kind.failed / kind.used):.2f} %",
        )
        for name, kind in sorted(tally.kinds.items())
    ]
    return _table(rows, ("kind", "used", "claimed to be safe", "were safe"))


def _sweep(settings: Sweep, points: list[Point]) -> str:
    rows = []
    for point in points:
        tally = point.tally
        low, high = wilson(tally.wins, tally.games)
        interval = f"{100 * low:.2f} % to {100 * high:.2f} %"
        rows.append((point.value, str(tally.games), str(tally.wins), f"{tally.percent:.2f} %", interval))
    parts = []
    if len(points) < len(settings.values):
        left = len(settings.values) - len(points)
        parts.append(f'<p class="note">Unfinished: {left} values are still to be played.</p>')
    parts += [f'<p class="note">{_escaped(line)}</p>' for line in sweep_warnings(settings, points)]
    if settings.what == START:
        parts.append(svg.heat(heat_map(settings, points).tolist()))
    else:
        bounds = [wilson(point.tally.wins, point.tally.games) for point in points]
        parts.append(
            svg.lines(
                [point.value for point in points],
                [point.tally.percent for point in points],
                [(100 * low, 100 * high) for low, high in bounds],
                "games won, %, with 95 % intervals",
                settings.what,
            )
        )
    parts.append(_table(rows, (settings.what, "games", "wins", "won", "95 % interval")))
    return "".join(parts)


def _comparison(found: Comparison) -> str:
    rows = [line.partition(": ")[::2] for line in found.text().splitlines()]
    test = found.settings.test
    levels = [(test.upper, "A is stronger"), (test.lower, "A is not stronger")]
    picture = svg.path(found.path, levels, "evidence", "boards", found.games)
    return _table(rows) + "<h3>The evidence</h3>" + picture


def _table(rows: Iterable[Sequence[str]], heads: Sequence[str] = ()) -> str:
    head = "".join(f"<th>{_escaped(name)}</th>" for name in heads)
    body = "".join(
        "<tr>"
        + f"<td>{_escaped(first)}</td>"
        + "".join(f'<td class="number">{_escaped(value)}</td>' for value in others)
        + "</tr>"
        for first, *others in rows
    )
    return f"<table>{f'<tr>{head}</tr>' if heads else ''}{body}</table>"


def _escaped(text: str) -> str:
    """Text for the page; what does not show, and has no place in a page, as it is written."""
    return escape(visible(text))
