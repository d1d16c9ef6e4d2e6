"""The comparison with peers: what they do wrong is counted, whatever way they do it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("resource", reason="processor time of children is told by POSIX systems only")

import msat
from bench import peers
from bench.adapters import PEERS, Msat, MsToollib, Peer, ZigMinesolver
from bench.scaling import Series, growth, measure, table_of, width_of
from bench.suites import Position, lattice, stuck
from bench.trial import ANSWERED, FAILED, TIMED_OUT, Trial
from tests.support.clock import PATIENCE, wait_until
from tests.support.command import alive

POSITION = Position(np.array([[-1, -1, 1], [3, -1, 2], [-1, -1, -1]], np.int8), 3)


class Fake(Msat):
    """A peer that does what its subclass does before it answers."""

    name = "fake"

    def ask(self, prepared: Any) -> Any:
        self.misbehave()
        return super().ask(prepared)

    def misbehave(self) -> None:
        """Nothing, here."""


class Crashing(Fake):
    def misbehave(self) -> None:
        os._exit(1)


class Raising(Fake):
    def misbehave(self) -> None:
        raise RuntimeError("panic")


class Hanging(Fake):
    def misbehave(self) -> None:
        time.sleep(PATIENCE)


class Wrong(Fake):
    def read(self, answer: Any) -> Any:
        return super().read(answer) + 0.25


@pytest.mark.parametrize(
    ("peer", "outcome"),
    [(Fake(), ANSWERED), (Crashing(), FAILED), (Raising(), FAILED), (Hanging(), TIMED_OUT)],
)
def test_a_trial_survives_everything(peer: Peer, outcome: str) -> None:
    with Trial(peer, limit=0.5 if outcome == TIMED_OUT else 60) as trial:
        assert [trial.outcome(POSITION), trial.outcome(POSITION)] == [outcome, outcome]


class Leaving(Fake):
    """Leaves the log of its crash where it was started, as ms_toollib does."""

    def misbehave(self) -> None:
        Path("crash.log").write_text("panic")


def test_a_trial_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Trial(Leaving(), limit=60) as trial:
        assert trial.outcome(POSITION) == ANSWERED
    assert not list(tmp_path.iterdir())


class Starting(Fake):
    """Starts a process of its own, notes its number, and waits for it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def misbehave(self) -> None:
        with subprocess.Popen(["sleep", f"{PATIENCE}"]) as child:
            self._file.write_text(str(child.pid))


def test_nothing_is_left_running_after_a_time_out(tmp_path: Path) -> None:
    """It would slow down all that is timed afterwards."""
    if not Path("/proc/self").exists():
        pytest.skip("processes are looked up in /proc")
    note = tmp_path / "child"
    for limit in (1.0, 10.0, 100.0):  # whatever the machine takes to start a process
        with Trial(Starting(note), limit) as trial:
            assert trial.outcome(POSITION) == TIMED_OUT
        if note.exists():
            break
    wait_until(lambda: not alive(note.read_text()), lambda: "the process that the peer started still runs")


@pytest.mark.parametrize("apart", [False, True])
def test_figures_of_peers(apart: bool) -> None:
    for peer, expected in (
        (Fake(), (0, 0, 0)),
        (Raising(), (2, 0, 0)),
        (Hanging(), (0, 2, 0)),
        (Wrong(), (0, 0, 2)),
    ):
        limit = 0.5 if isinstance(peer, Hanging) else 60
        figures = peers.compare_on([POSITION] * 2, [peer], limit, repeats=2, apart=apart)
        found = figures["fake"]
        assert (found.failed, found.timed_out, found.wrong) == expected
        assert len(found.times) == len(figures["msat"].times) == 2
        assert (figures["msat"].failed, figures["msat"].wrong) == (0, 0)
    assert figures["fake"].worst == pytest.approx(0.25)


def test_quantiles_with_time_outs_and_failures() -> None:
    figures = peers.Figures(times=[1.0, float("inf"), float("nan"), 2.0])
    assert figures.quantile(0) == 1.0
    assert figures.quantile(50) == 2.0
    assert figures.quantile(100) == float("inf")
    assert isnan(peers.Figures(times=[float("nan")]).quantile(50))


def test_the_table_has_every_peer() -> None:
    table = peers.table_of({"tiny": peers.compare_on([POSITION], [Fake()], 60, repeats=1)})
    assert list(table.columns[1].cells) == ["msat", "fake"]
    assert next(iter(table.columns[6].cells)) == "1"


def test_msat_refuses_impossible_totals() -> None:
    assert peers.impossible([], limit=60, count=3) == {"msat": 0}


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_installed_peers_agree(peer: Peer) -> None:
    if not peer.installed:
        pytest.skip(f"{peer.name} is not installed")
    theirs = peer.read(peer.ask(peer.prepare(POSITION)))
    ours = msat.probabilities(*POSITION)
    hidden = POSITION.array == -1
    assert np.abs(theirs - ours)[hidden].max() < peers.WRONG


def test_positions_as_peers_take_them() -> None:
    assert MsToollib().prepare(POSITION) == ([[10, 10, 1], [3, 10, 2], [10, 10, 10]], 3)
    assert ZigMinesolver().prepare(POSITION) == ("# # 1\n3 # 2\n# # #", 3)


def test_a_missing_peer_is_skipped_and_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Peer, "installed", False)
    monkeypatch.setattr(peers, "SUITES", {"tiny": lambda: [POSITION]})
    monkeypatch.setattr(peers, "impossible", lambda *_: {"msat": 0})
    monkeypatch.setattr(sys, "argv", ["bench.peers"])
    peers.main()
    out = capsys.readouterr().out
    assert "ms_toollib is not installed: skipped" in out
    assert "zig-minesolver is not installed: skipped" in out


def test_scaling_measures_and_prints() -> None:
    series = Series("area", "cells", {140.0**2: [POSITION], 200.0**2: [POSITION, POSITION]})
    points = measure(series, rounds=2)
    assert [(point.at, point.count) for point in points] == [(140.0**2, 1), (200.0**2, 2)]
    assert all(0 < point.median <= point.most for point in points)
    assert table_of(series, points).count("\n") == 3
    assert growth(points).startswith("A 200×200 board takes ")


def test_wider_lattices_have_wider_frontiers() -> None:
    assert width_of(stuck(1)[0]) < width_of(lattice(2, 99, 1)[0])
