"""Folders that came from somebody else: reading or resuming them runs none of the code that they name."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import msat
from msat.arena import Plan, Settings, Sweep, compare, page, simulate, sweep
from tests.support.command import Cli

EVIL = """
from pathlib import Path
Path("it-ran").touch()
from tests.support.arena_players import Slow as Player
"""
SIZE = ("--size", "5x5x5", "--games", "6", "--workers", "1")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory with a module in it that must not be imported unless it is named."""
    (tmp_path / "evil.py").write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "evil", raising=False)


def ran() -> bool:
    return Path("it-ran").exists()


def forget() -> None:
    Path("it-ran").unlink()
    del sys.modules["evil"]


def begun(path: Path, **changes: Any) -> Path:
    """A folder as an older msat wrote it, of which nothing was played."""
    path.mkdir()
    settings = Plan("logic", 5, 5, 5, games=6).to_object() | changes
    head = {"format": "msat-run", "version": 1, "msat": msat.__version__, "kind": "sim", "settings": settings}
    (path / "run.json").write_text(json.dumps(head))
    return path


class TestReports:
    @pytest.mark.parametrize(
        "name", ["evil:Player", "evil:Player:pause=0", "no.such:Thing", "best:layouts=2"]
    )
    def test_a_run_needs_no_player(self, cli: Cli, tmp_path: Path, name: str) -> None:
        run = begun(tmp_path / "run", strategy=name)
        assert cli("report", str(run)) == 0, cli.err
        assert name in (run / "report.html").read_text()
        assert not ran()

    def test_a_sweep(self, cli: Cli, tmp_path: Path) -> None:
        sweep(Sweep(Plan("evil:Player", 5, 5, 5, games=3), "pause", ("0", "0.001")), "run", workers=1)
        forget()
        assert cli("report", "run") == 0, cli.err
        assert not ran()

    def test_a_comparison(self, cli: Cli, tmp_path: Path) -> None:
        a, b = (Plan(name, 5, 5, 5, games=3) for name in ("evil:Player", "logic"))
        compare(Settings(a, b), "run", workers=1)
        forget()
        assert cli("report", "run") == 0, cli.err
        assert not ran()

    def test_it_tells_every_parameter_all_the_same(self, tmp_path: Path) -> None:
        simulate(Plan("evil:Player", 5, 5, 5, games=3, parameters={"pause": 0.001}), "run", workers=1)
        forget()
        assert '<td>pause</td><td class="number">0.001</td>' in page(["run"])
        simulate(Plan("best", 5, 5, 5, games=3), "best", workers=1)
        text = (tmp_path / "best" / "results.txt").read_text()
        parameters = [parameter.name for parameter in Plan("best").player().parameters]
        assert parameters
        for name in parameters:
            assert f"\n{name}: " in text
            assert f"<td>{name}</td>" in page(["best"])
        assert not ran()


class TestResuming:
    def test_a_run(self, cli: Cli, tmp_path: Path) -> None:
        begun(tmp_path / "run", strategy="evil:Player")
        assert cli("sim", "--resume", "--out", "run", "--workers", "1") == 2
        assert (
            "run is played by 'evil:Player', which is no part of msat and would be loaded: "
            "if you trust it, name it by --strategy evil:Player" in cli.err
        )
        assert not ran()
        options = ("--strategy", "evil:Player", "--workers", "1")
        assert cli("sim", "--resume", "--out", "run", *options) == 0, cli.err
        assert ran()

    def test_another_player_than_the_run_has(self, cli: Cli, tmp_path: Path) -> None:
        begun(tmp_path / "run", strategy="evil:Player")
        assert cli("sim", "--resume", "--out", "run", "--strategy", "logic") == 2
        assert 'another run: there strategy is "evil:Player", not "logic"' in cli.err
        assert not ran()

    def test_a_sweep(self, cli: Cli) -> None:
        assert cli("sweep", "pause", "--strategy", "evil:Player", *SIZE, "--values", "0", "--out", "run") == 0
        forget()
        assert cli("sweep", "--resume", "--out", "run") == 2
        assert "if you trust it, name it by --strategy evil:Player" in cli.err
        assert not ran()
        assert cli("sweep", "--resume", "--out", "run", "--strategy", "evil:Player") == 0, cli.err

    def test_a_comparison(self, cli: Cli) -> None:
        assert cli("compare", "logic", "evil:Player:pause=0", *SIZE, "--out", "run") == 0, cli.err
        forget()
        assert cli("compare", "--resume", "--out", "run") == 2
        assert "if you trust it, name both: compare A B" in cli.err
        assert not ran()
        assert cli("compare", "logic", "evil:Player:pause=0", "--resume", "--out", "run") == 0, cli.err

    @pytest.mark.parametrize("name", [7, None, ["logic"], {"a": 1}, "", ":", "x" * 100_000])
    def test_a_name_that_is_none(self, cli: Cli, tmp_path: Path, name: object) -> None:
        begun(tmp_path / "run", strategy=name)
        assert cli("sim", "--resume", "--out", "run") == 2
        assert len(cli.err) < 600
        assert cli("report", "run") in (0, 2)
