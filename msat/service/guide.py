"""The first part of `/docs`: what has to be known before a question is asked, with programs to copy."""

from __future__ import annotations

import html
from collections.abc import Iterator

from msat.formats.registry import ALL
from msat.service.settings import Settings

__all__ = ["code", "guide", "text"]

_ASK = """\
const service = "http://127.0.0.1:8817";       // the address of this page

async function ask(name, question) {
  const reply = await fetch(`${service}/api/v1/${name}`, {
    method: "POST",
    headers: {"Content-Type": "application/json"},
    body: JSON.stringify(question),
  });
  const answer = await reply.json();           // a problem is JSON as well
  if (!reply.ok) throw Object.assign(new Error(answer.detail), answer);
  return answer;
}

const board = "????/1111/0000 2";
const {safe, probability} = await ask("analyze", {board, fields: ["safe", "probability"]});
const why = await ask("explain", {board, cell: safe[0]});
const nudge = await ask("hint", {board, level: 2});
console.log(safe, probability[0][1], why.text.join("\\n"), nudge.text[0]);"""

_EVENTS = """\
async function* events(name, question) {       // hint, review and generate
  const reply = await fetch(`${service}/api/v1/${name}`, {
    method: "POST",
    headers: {"Content-Type": "application/json", "Accept": "text/event-stream"},
    body: JSON.stringify(question),
  });
  if (!reply.ok) throw Object.assign(new Error(), await reply.json());
  let rest = "";
  for await (const part of reply.body.pipeThrough(new TextDecoderStream())) {
    const found = (rest + part).split("\\n\\n");
    rest = found.pop();
    for (const each of found) {
      const [, name, data] = each.match(/^event: (.*)\\ndata: (.*)$/);
      yield [name, JSON.parse(data)];          // "progress" …, then "result" or "problem"
    }
  }
}

for await (const [name, data] of events("hint", {board: "????/????/1??? 3", seconds: 1}))
  console.log(name, data);"""

_GAME = """\
{
  "format": "msat-record", "version": 2,
  "layout": {"height": 2, "width": 3, "mines": 2, "rows": ["..*", "*.."]},
  "moves": [{"kind": "open", "cell": [0, 0]}, {"kind": "mark", "cell": [1, 0], "seconds": 1.25}]
}"""

_PYTHON = """\
from msat.service.client import Client

with Client("http://127.0.0.1:8817") as client:
    print(client.analyze(board="??1/3?2/??? 3")["safe"])
    for event, data in client.events("hint", {"board": "?1??/???? 2"}):
        print(event, data)"""


def text(words: str) -> str:
    """Words as they stand in a page; what is between backticks is code.

    >>> text("`a` < b")
    '<code>a</code> &lt; b'
    """
    parts = html.escape(words, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def code(program: str) -> str:
    """A program, or an answer."""
    return f"<pre><code>{html.escape(program, quote=False)}</code></pre>"


def guide(settings: Settings) -> Iterator[str]:
    """All of it, in parts."""
    yield from _asking(settings)
    yield from _boards()
    yield from _games()
    yield '<h2 id="javascript">From JavaScript</h2>' + code(_ASK)
    yield "<p>" + text(
        "In a page of another origin this needs `msat serve --allow-origin https://that.example`. Answers "
        "that take a while can be followed as they come:"
    )
    yield "</p>"
    yield code(_EVENTS)
    yield '<h2 id="python">From Python</h2>' + code(_PYTHON)
    yield "<p>The client is one file that needs nothing but the standard library.</p>"


def _asking(settings: Settings) -> Iterator[str]:
    yield '<h2 id="asking">How to ask</h2><ul>'
    for sentence in (
        "A question is a JSON object, sent by POST with `Content-Type: application/json`. Its fields are "
        "told below; others are refused (422), so that a misspelt one is noticed.",
        "An answer has status 200 and is a JSON object. Everything else is a problem (see errors): `detail` "
        "says what is wrong in words.",
        "Cells are `[row, column]`, counted from 0 at the top left. Chances are numbers from 0 to 1.",
        "Numbers that may be larger than JavaScript's are texts of digits: `solutions`, `wins`.",
        f"A request has at most {settings.max_bytes:,} bytes, a board {settings.max_cells:,} cells, a batch "
        f"{settings.max_batch:,} questions. A question takes at most {settings.budget:g} seconds: what was "
        "proven until then is told (504). `budget` asks for less.",
        "When too many dear questions wait, the status is 429, and the header `Retry-After` says after how "
        "many seconds to come again. Who goes away (in JavaScript an `AbortController`) stops the "
        "work on the answer.",
        "Each question of a batch has a budget of its own; dear ones take turns.",
        "`hint`, `review` and `generate` with the header `Accept: text/event-stream` are answered by events: "
        'any number of `progress` (`{"done": x, "of": y}`), then one `result`, whose data are the answer, or '
        "one `problem`.",
        "The same question gets the same answer, but for a hint or a review with `seconds`, and `generate` "
        "without a `seed`. Nothing is kept between questions.",
    ):
        yield f"<li>{text(sentence)}</li>"
    yield "</ul>"


def _boards() -> Iterator[str]:
    yield '<h2 id="boards">Boards</h2><p>'
    yield text(
        "The shortest text is one line, rows joined by `/`, then the number of all mines: `??1/3?2/??? 3`. "
        "`?` is hidden, `0` to `8` are revealed numbers, `*` is marked as a mine (flagged). A mark is an "
        "opinion: it is judged by the numbers, and only counts if it is proven, unless the question says "
        '`"marks": "trust"`. What is pasted is mostly recognised by itself; `form` names the form where it '
        "is not, and `convert` writes them:"
    )
    yield "</p><table><tr><th>form</th><th>what it is</th></tr>"
    for form in ALL:
        if form.parse_board:
            yield f"<tr><td><code>{form.name}</code></td><td>{text(form.summary)}</td></tr>"
    yield "</table>"


def _games() -> Iterator[str]:
    yield '<h2 id="games">Games</h2><p>'
    yield text(
        "`review` takes a game as an object: where the mines are, and what was done, in order. `rows` has a "
        "text a row, `*` for a mine and `.` for none. A move is `open`, `chord`, `mark` or `unmark`, at a "
        "`cell`; cells that a 0 opens by itself are no moves. `start` (a cell) of the layout, `strategy` and "
        "`seconds` of the game, `seconds`, `probability` and `reason` of a move may be left out."
    )
    yield "</p>" + code(_GAME)
