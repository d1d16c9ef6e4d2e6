"""`msat review`: the text, the JSON and the page of a game, and what is refused."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from msat.coach.review import review
from msat.coach.review_page import review_page
from msat.game import Game, Move
from msat.layout import Layout
from msat.record import Record
from tests.support.command import Cli


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game with a mistake, a wrong mark and a guess that fails."""
    game = Game(Layout.parse(".*..\n.*.*"), strategy="</script><b>")
    for cell in [(1, 2), (0, 2)]:
        game.open(cell, reason="</script><script>alert(1)</script>")
    game.mark((0, 3))
    game.open((1, 0))
    game.open((1, 3))
    file = tmp_path / "game.json"
    game.record.save(file)
    return file


def test_the_text(cli: Cli, saved: Path) -> None:
    assert cli("review", str(saved)) == 0
    out = cli.out
    assert out.splitlines()[0] == (
        "lost to a 50/50 that nothing could avoid; your only mistake was move 2, which kept 0.50"
    )
    assert re.search(r"kept by the moves +0\.500\n", out)
    assert re.search(r"\n +2  r0c2 +needless .* exact +0\.50  mistake\n", out)


def test_sentences_are_wrapped(cli: Cli, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert cli("review", str(saved)) == 0
    assert max(map(len, cli.out.splitlines())) <= 72


def test_the_json_has_the_fields_that_are_promised(cli: Cli, saved: Path) -> None:
    found = cli.json("review", str(saved), "--json")
    assert found == json.loads(json.dumps(review(Record.load(saved)).to_object()))
    whole = {"chance_at_start", "kept", "luck", "luck_before", "mistakes", "moves", "summary"}
    assert whole <= found.keys()
    promised = {
        "number",
        "cell",
        "safety",
        "kind",
        "win",
        "best_win",
        "error",
        "kept",
        "mistake",
        "better",
        "reason",
    }
    assert all(promised <= move.keys() for move in found["moves"])
    assert [move["kind"] for move in found["moves"]] == ["start", "needless", "mark", "proven", "needless"]
    assert found["mistakes"] == [2]


class _Page(HTMLParser):
    """What a page asks for, and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.scripts: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.asked += [
            f"{tag} {key}" for key, _ in attrs if key in ("src", "href", "action", "data", "srcset")
        ]
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def test_the_page_is_self_contained_and_safe(cli: Cli, saved: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert cli("review", str(saved), "--html", str(file)) == 0
    assert cli.err == f"msat: the page is in {file}\n"
    text = file.read_text("utf-8")
    page = _Page()
    page.feed(text)
    assert page.asked == []
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert "default-src 'none'" in text
    assert len(page.scripts) == 2
    assert "alert(1)" not in text
    data = json.loads(page.scripts[0])
    assert len(data["moves"]) == 4
    assert data["mistakes"] == [1]
    for move in data["moves"]:
        assert len(move["board"]) == 8
        assert len(move["risk"]) == 2 * sum(sign in "?F" for sign in move["board"])
    assert data["moves"][2]["board"][3] == "F"
    assert "prefers-color-scheme: dark" in text


def test_wrong_flags_are_told_and_trusted_ones_shown(cli: Cli, tmp_path: Path) -> None:
    game = Game(Layout.parse(".*.\n..."))
    for cell in [(1, 0), (1, 1), (1, 2)]:
        game.open(cell)
    game.mark((0, 0))
    game.chord((1, 0))
    file, page = tmp_path / "game.json", tmp_path / "page.html"
    game.record.save(file)
    assert cli("review", str(file), "--html", str(page)) == 0
    assert "    4  r0c0    mark         100%" in cli.out
    assert "a wrong flag: r0c0 was proven safe" in cli.out
    assert "the chord on the 1 at r1c0 trusted the flag at r0c0, which was wrong" in cli.out
    found = _Page()
    found.feed(page.read_text("utf-8"))
    *_, mark, chord = json.loads(found.scripts[0])["moves"]
    assert (mark["number"], mark["label"], mark["trusted"], mark["opened"]) == (4, "wrong flag", [], [])
    assert (chord["number"], chord["label"], chord["trusted"], chord["opened"]) == (5, "blunder", [0], [1])


def test_the_page_of_a_game_without_moves() -> None:
    text = review_page(review(Game(Layout.parse("..*")).record))
    assert "nothing was opened yet" in text.lower()


def test_a_game_has_no_number(cli: Cli, saved: Path) -> None:
    for command in ("review", "watch"):
        assert cli(command, str(saved), "--game", "3") == 2
        assert cli.err == f"msat: --game 3 is for result folders: {saved} is one game\n"


def test_what_is_refused(cli: Cli, tmp_path: Path) -> None:
    missing, bad = tmp_path / "none.json", tmp_path / "bad.json"
    twice = Record(Layout.parse("..*"), (Move("open", (0, 0)), Move("open", (0, 0))))
    assert cli("review", str(missing)) == 2
    assert cli.err == f"msat: {missing}: No such file or directory\n"
    for text, message in [
        (twice.to_json(), "moves[1], open (0, 0), does not replay: the game is won"),
        ("??1/3?2/??? 3", "neither a record of msat"),
    ]:
        bad.write_text(text, "utf-8")
        assert cli("review", str(bad)) == 2
        assert message in cli.err
        assert cli.err.count("\n") == 1
    assert cli("review", str(bad), "--seconds", "-1") == 2
