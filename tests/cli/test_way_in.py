"""The way in: what a newcomer meets before anything works."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from msat import Layout
from msat import __main__ as command
from msat.tui.app.session import Session
from msat.wording import install
from tests.support.command import Cli

ROOT = Path(__file__).parents[2]


def run(code: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    paths = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    return subprocess.run([sys.executable, "-c", paths + code], cwd=cwd, capture_output=True, text=True)


@pytest.mark.parametrize("package", ["numpy", "rich"])
def test_a_missing_package_is_one_clear_line(package: str) -> None:
    done = run(
        f"sys.modules[{package!r}] = None\n"
        "from msat.__main__ import main\n"
        "sys.exit(main(['solve', '??/11 1']))"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"msat: this Python lacks the package {package}: ")
    assert done.stderr.count("\n") == 1


def test_what_to_do_depends_on_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "__file__", str(tmp_path / "msat" / "__main__.py"))
    assert command._way_to("numpy") == install("numpy")
    (tmp_path / "Makefile").touch()
    ready = tmp_path / ".venv" / "bin" / "msat"
    assert command._way_to("numpy") == f"'make -C {tmp_path} play' sets up {ready}, which has all of them"
    ready.parent.mkdir(parents=True)
    ready.touch()
    monkeypatch.chdir(tmp_path)
    assert command._way_to("numpy") == ".venv/bin/msat is set up with all of them"


def test_an_old_python_is_told() -> None:
    done = run(
        "import runpy\nsys.version_info = (3, 9, 1)\nsys.version = '3.9.1 (main)'\n"
        "runpy.run_module('msat', run_name='__main__')"
    )
    assert done.returncode == 1
    assert done.stderr.startswith("msat: this is Python 3.9.1, and msat needs 3.11 or newer")
    assert done.stderr.count("\n") == 1


def test_the_distribution_does_not_bear_a_strangers_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "msat-minesweeper"
    assert project["scripts"] == {"msat": "msat.__main__:main"}


def test_nothing_recommends_a_strangers_package() -> None:
    """`pip install msat` would install somebody else's."""
    texts = [*ROOT.glob("*.md"), *(ROOT / "msat").rglob("*.py"), *(ROOT / "docs").glob("*.md")]
    for file in texts:
        found = re.search(r"pip install ['\"]?msat(?!-minesweeper)", file.read_text("utf-8"))
        assert found is None, f"{file}: {found and found[0]}"


def test_make_play_ends_with_what_to_try_next() -> None:
    recipe = re.search(r"^play:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    *_, first, second = recipe[1].splitlines()
    assert "msat tui" in first
    assert "msat hint" in second


def test_the_readme_says_how_to_get_at_the_command() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert ".venv/bin/msat" in readme[: readme.index("## The library")]


def test_the_viewer_begins_the_game_that_is_asked_for(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It knew no --preset, --size, --seed, and no layout: what `generate` made could not be played."""
    from msat.tui.app import viewer

    begun: list[Session] = []
    monkeypatch.setattr(viewer.Viewer, "__init__", lambda self, session, *rest: begun.append(session))
    monkeypatch.setattr(viewer.Viewer, "run", lambda self: None)
    monkeypatch.setattr("msat.cli.tui.on_terminal", lambda: True)
    layout = tmp_path / "layout.txt"
    assert cli("generate", "--size", "9x9x10", "--seed", "2", "--out", str(layout)) == 0
    for argv in (["--preset", "beginner", "--seed", "2"], [str(layout)]):
        assert cli("tui", *argv) == 0, cli.err
        assert begun[-1].game.layout == Layout.random(9, 9, 10, seed=2, start=(3, 3))
        assert len(begun[-1].board.revealed) > 1
    assert cli("tui", "--no-guess", "--difficulty", "gentle", "--size", "5x5x3") == 0
    assert begun[-1].board.mines == 3
    assert cli("tui", str(layout), "--seed", "3") == 2
    assert "exclude each other" in cli.err
