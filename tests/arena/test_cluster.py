"""The same work on a real Dask cluster: a scheduler and several worker processes, started here."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import msat
from msat.arena import Plan, Settings, Sprt, Tally, compare, simulate
from msat.arena.cluster import connect
from tests.conftest import JIT
from tests.support.command import Cli
from tests.support.installing import by_pip
from tests.support.runs import lines, timeless

distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")

pytestmark = [
    pytest.mark.skipif(not JIT, reason="processes that run uncompiled kernels take too long"),
    # Not msat's: what Dask and its web server warn of in themselves.
    pytest.mark.filterwarnings("ignore"),
]

PLAN = Plan("safest", 9, 9, 10, games=300)


def start_cluster() -> Any:
    """A scheduler and two workers, each a process of its own."""
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        # The workers find msat, and the strategies of the tests, where these tests do.
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        with start_cluster() as cluster:
            yield cluster.scheduler_address


def test_the_same_result_as_here(address: str, tmp_path: Path) -> None:
    with connect(address) as crew:
        assert crew.workers == 2
        there = simulate(PLAN, tmp_path / "there", executor=crew.executor, workers=crew.workers)
    here = simulate(PLAN, tmp_path / "here", workers=1)
    assert timeless(there) == timeless(here)
    assert lines(tmp_path / "there") == lines(tmp_path / "here")


def test_work_is_done_by_the_processes_of_the_cluster(address: str) -> None:
    with connect(address) as crew:
        assert crew.executor is not None
        pids = {crew.executor.submit(os.getpid).result() for _ in range(20)}
    assert os.getpid() not in pids


def test_a_comparison(address: str) -> None:
    settings = Settings(
        Plan("safest", 9, 9, 10, games=400), Plan("logic", 9, 9, 10, games=400), Sprt(0.5, 0.7)
    )
    with connect(address) as crew:
        there = compare(settings, executor=crew.executor, workers=crew.workers)
    assert there.text() == compare(settings, workers=1).text()


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is one of POSIX")
def test_a_worker_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lives = tmp_path / "lives"
    lives.mkdir()
    (lives / "one").touch()
    monkeypatch.setenv("MSAT_TEST_LIVES", str(lives))
    monkeypatch.setenv("MSAT_TEST_RUNNER", str(os.getpid()))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    plan = Plan("tests.support.arena_players:Deadly", 5, 5, 5, games=40)
    # A cluster of its own: workers inherit the environment when they are started.
    with start_cluster() as cluster, connect(cluster.scheduler_address) as crew:
        tally = simulate(plan, executor=crew.executor, workers=crew.workers)
    assert list(lives.iterdir()) == []
    assert timeless(tally) == timeless(simulate(plan, workers=1))


def test_a_cluster_that_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    plan = Plan("tests.support.arena_players:Slow", 5, 5, 5, games=100)
    cluster = start_cluster()

    def close_once_it_works(tally: Tally) -> None:
        if tally.games > 5 and cluster.status.name == "running":
            cluster.close()

    gone = pytest.raises(msat.MsatError, match="finished games are kept")
    with gone, connect(cluster.scheduler_address) as crew:
        simulate(
            plan,
            tmp_path / "run",
            executor=crew.executor,
            workers=crew.workers,
            on_progress=close_once_it_works,
        )
    kept = len(lines(tmp_path / "run"))
    assert 5 < kept < plan.games
    assert timeless(simulate(plan, tmp_path / "run", resume=True, workers=8)).games == plan.games


def test_the_command(address: str, cli: Cli, tmp_path: Path) -> None:
    options = ("--strategy", "safest", "--size", "9x9x10", "--games", "100")
    assert cli("sim", *options, "--scheduler", address, "--out", str(tmp_path / "there")) == 0
    there = cli.out
    assert cli("sim", *options, "--workers", "1", "--no-folder") == 0
    assert there.partition("Time: ")[0] == cli.out.partition("Time: ")[0]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_a_scheduler_that_does_not_answer(address: str) -> None:
    with (
        pytest.raises(msat.ClusterError, match=f"the scheduler '{address}' does not answer"),
        connect(address, 1),
    ):
        pytest.fail("nobody is there")


def test_without_distributed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    missing = pytest.raises(msat.MissingPackage, match=by_pip("distributed", "cluster"))
    with missing, connect("tcp://127.0.0.1:8786"):
        pytest.fail("nothing is there")
