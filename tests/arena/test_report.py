"""Reports: one page that needs nothing else, with the tables and pictures of every kind of run."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import msat
from msat.arena import Plan, Settings, Sprt, Sweep, compare, page, simulate, svg, sweep
from tests.conftest import scaled


class Checker(HTMLParser):
    """Notes every tag, and fails where one is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(text: str) -> Checker:
    """The page's tags; it is well formed and refers to nothing outside."""
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert [link for link in checker.links if not link.startswith("#")] == []
    assert "http" not in text
    assert "url(" not in text
    assert "script" not in checker.tags
    return checker


@pytest.fixture
def run(tmp_path: Path) -> Path:
    simulate(Plan("safest", 9, 9, 10, games=scaled(300)), tmp_path / "run", workers=1)
    return tmp_path / "run"


def test_a_run(run: Path) -> None:
    text = page([run])
    tags = checked(text).tags
    assert tags.count("svg") == 2
    wins = re.search(r"Wins: (\d+)", (run / "results.txt").read_text())
    assert wins is not None
    assert f'<td>Wins</td><td class="number">{wins[1]}</td>' in text
    assert "Average loss prob" in text
    title = f"safest on beginner (9×9, 10 mines), {scaled(300)} games"
    assert f"<h1>{title}</h1>" in text
    assert f"<title>{title} · msat</title>" in text
    assert text.count("<h2>") == 0
    assert ">guesses</text>" in text
    assert ">games</text>" in text


def test_several_runs_are_put_side_by_side(run: Path, tmp_path: Path) -> None:
    simulate(Plan("logic", 9, 9, 10, games=scaled(300)), tmp_path / "other", workers=1)
    text = page([run, tmp_path / "other"])
    checked(text)
    assert text.count("<h2 ") == 2
    assert "<h1>2 results</h1>" in text
    overview = text[: text.index("<h2 ")]
    for number in (1, 2):
        assert f'<h2 id="result-{number}">' in text
        assert f'<li><a href="#result-{number}">' in overview
    for name in ("safest", "logic"):
        assert f"<td>{name} on beginner (9×9, 10 mines), {scaled(300)} games</td>" in overview


def test_a_sweep(tmp_path: Path) -> None:
    settings = Sweep(Plan("logic", 3, 4, 2, games=20), "start", ("0,0", "1,1"))
    sweep(settings, tmp_path / "sweep", workers=1)
    text = page([tmp_path / "sweep"])
    assert checked(text).tags.count("rect") == 4 + 2  # every start that was played, and its mirror images
    assert "<td>1,1</td>" in text
    assert "<h1>logic on 3×4 with 2 mines, 2 starts, 20 games each</h1>" in text
    for name in ("row", "column", "0", "1", "2", "3"):
        assert re.search(rf"<text [^>]*>{name}</text>", text)
    rate = re.search(r"<title>row 0, column 3: (\d+\.\d)\d %", text)
    assert rate is not None
    assert text.count(f">{rate[1]}</text>") >= 4


def test_a_sweep_of_a_parameter(tmp_path: Path) -> None:
    settings = Sweep(Plan("tests.support.arena_players:Slow", 4, 4, 2, games=5), "pause", ("0", "0.001"))
    sweep(settings, tmp_path / "sweep", workers=1)
    assert checked(page([tmp_path / "sweep"])).tags.count("circle") == 2


def test_a_comparison(tmp_path: Path) -> None:
    a, b = (Plan(name, 9, 9, 10, games=scaled(300)) for name in ("safest", "logic"))
    found = compare(Settings(a, b, Sprt(0.5, 0.7)), tmp_path / "pairs", workers=1)
    text = page([tmp_path / "pairs"])
    assert checked(text).tags.count("polyline") == 1
    assert found.answer in text
    assert f"<h1>safest against logic on beginner (9×9, 10 mines), {found.games} boards</h1>" in text


def test_an_unfinished_and_damaged_run(run: Path) -> None:
    games = run / "games.jsonl"
    games.write_text("<b>no game</b>\n" + "".join(games.read_text().splitlines(keepends=True)[:2]))
    messages: list[str] = []
    text = page([run], report=messages.append)
    checked(text)
    assert len(messages) == 1
    assert "line 1 is damaged: &#x27;&lt;b&gt;no game" in text
    assert f"Unfinished: {scaled(300) - 2} of {scaled(300)} games" in text


def test_an_empty_run(run: Path) -> None:
    (run / "games.jsonl").unlink()
    checked(page([run]))


def test_bad_folders(tmp_path: Path) -> None:
    with pytest.raises(msat.FolderError, match="holds no run"):
        page([tmp_path])
    with pytest.raises(msat.FolderError, match="needs a result folder"):
        page([])
    (tmp_path / "run.json").write_text(
        '{"format": "msat-run", "version": 1, "kind": "dance", "settings": {}}'
    )
    with pytest.raises(msat.FolderError, match="holds a 'dance', which this msat cannot report"):
        page([tmp_path])


def test_pictures_stay_inside_their_frame() -> None:
    for picture in (
        svg.bars(list("abc"), [0, 10, 7], "games", "guesses"),
        svg.lines(list("ab"), [10, 20], [(5, 15), (18, 40)], "%", "games"),
        svg.path([(0, 0), (5, -3), (9, 2)], [(2.9, "up"), (-2.9, "down")], "evidence", "boards"),
    ):
        heights = [float(y) for y in re.findall(r' c?y[12]?="([-\d.]+)"', picture)]
        assert heights
        assert all(0 <= y <= 240 for y in heights)
