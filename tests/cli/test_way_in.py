"""The way in: what a newcomer meets before anything works."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from msat import Layout, installing
from msat.installing import install
from msat.tui.app.session import Session
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


def installed(monkeypatch: pytest.MonkeyPatch, origin: str | None) -> None:
    """Have msat installed from there, whatever distributions this Python finds of it."""
    installing._requirements()  # of the real one
    found = SimpleNamespace(read_text=lambda _: origin)
    monkeypatch.setattr(metadata, "distribution", lambda _: found)


def test_what_to_do_depends_on_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python3 -m msat tui` recommended pip, where the environment of the clone was ready."""
    assert install("textual").endswith(" -m pip install textual")  # in the environment itself
    installed(monkeypatch, "{}")
    monkeypatch.setattr(installing, "HOME", tmp_path)
    monkeypatch.setattr(sys, "argv", ["msat/__main__.py"])
    (tmp_path / "Makefile").touch()
    ready = tmp_path / ".venv" / "bin" / "msat"
    for package in ("numpy", "textual", "ortools"):
        assert install(package) == f"'make -C {tmp_path} play' sets up {ready}, which has it"
    assert install("pillow").endswith(" -m pip install pillow")  # which `make play` does not bring
    packages = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    (packages / "textual-8.2.8.dist-info").mkdir(parents=True)
    (packages / "python_sat-1.9.dist-info").mkdir()
    ready.parent.mkdir(parents=True)
    ready.touch()
    (ready.parent / "python").touch()
    monkeypatch.chdir(tmp_path)
    assert install("textual") == install("python-sat") == ".venv/bin/msat has it"
    assert install("pillow") == ".venv/bin/python -m pip install pillow, then .venv/bin/msat has it"
    monkeypatch.setattr(sys, "argv", ["train.py"])  # a program that imports msat
    assert install("textual") == ".venv/bin/python has it"


@pytest.mark.parametrize(
    ("origin", "way"),
    [
        (None, "'msat-minesweeper[tui]'"),  # from an index
        ('{"url": "file://HERE", "dir_info": {}}', "'HERE[tui]'"),
        ('{"url": "file://HERE", "dir_info": {"editable": true}}', "textual"),
        ('{"url": "file:///gone/away", "dir_info": {}}', "textual"),
        ("{}", "textual"),
    ],
)
def test_an_installation_by_pip_is_given_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str | None, way: str
) -> None:
    """Where it is found: an extra of what is not on the index, or no longer where it was, cannot be had."""
    monkeypatch.setattr(installing, "HOME", tmp_path / "site-packages")
    (tmp_path / "pyproject.toml").touch()
    text = None if origin is None else origin.replace("HERE", str(tmp_path))
    installed(monkeypatch, text)
    assert install("textual").endswith(f" -m pip install {way.replace('HERE', str(tmp_path))}")
    assert install("nothing-of-ours").endswith(" -m pip install nothing-of-ours")


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
