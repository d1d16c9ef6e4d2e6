"""What notebooks show of results: a picture, some lines, a table; text is escaped, and there is no script.

Every public result has a `_repr_html_` that is made here; boards, layouts and games are pictures by
themselves (`msat.svg`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from msat.wording import visible

__all__ = ["MOST_ROWS", "figure"]

MOST_ROWS = 60
"""Of a table; what follows is only counted."""

_BOX = "display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start;line-height:1.5"
_TEXT = "flex:1 1 20em;max-width:52em"
_CELL = "padding:2px 10px 2px 0;text-align:left;vertical-align:top"


def figure(
    picture: str | None,
    lines: Iterable[str] = (),
    head: Sequence[str] = (),
    rows: Iterable[Sequence[str]] = (),
) -> str:
    """A picture beside lines of text and a table; lines that begin with blanks keep them.

    >>> figure(None, ["a < b"]).count("a &lt; b")
    1
    """
    told = [f'<div style="white-space:pre-wrap">{_text(line) or "&nbsp;"}</div>' for line in lines]
    shown = f'<div style="flex:none">{picture}</div>' if picture else ""
    text = f'<div style="{_TEXT}">{"".join(told)}{_table(head, list(rows))}</div>'
    return f'<div style="{_BOX}">{shown}{text}</div>'


def _text(text: str) -> str:
    return escape(visible(text))


def _table(head: Sequence[str], rows: list[Sequence[str]]) -> str:
    if not rows:
        return ""
    top = "".join(f'<th style="{_CELL}">{_text(each)}</th>' for each in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{_text(each)}</td>' for each in row) + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    more = f"<div>… and {len(rows) - MOST_ROWS} more</div>" if len(rows) > MOST_ROWS else ""
    first = f"<tr>{top}</tr>" if top else ""
    return f'<table style="border-collapse:collapse;margin-top:4px">{first}{body}</table>{more}'
