"""The campaign: its own count is right, positions are the same each time, and what is finished is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import campaign
from bench.independent import TooWide, count
from msat.board import Board
from tests.conftest import scaled
from tests.support.oracle import counts
from tests.support.positions import lattice, small_boards


def test_the_independent_count_is_that_of_trying_all() -> None:
    for board in small_boards(scaled(200), seed=5, most_hidden=12):
        assert count(board) == counts(board), board


def test_what_is_too_wide_is_told() -> None:
    with pytest.raises(TooWide):
        count(lattice(20, 20, 80, 2, seed=1), most=100)


@pytest.mark.parametrize("number", range(len(campaign.KINDS)))
def test_positions(number: int) -> None:
    kind, board = campaign.position(7, number)
    assert campaign.position(7, number) == (kind, board)
    assert campaign.position(8, number)[1] != board or kind.startswith("small")
    outcome = campaign.try_position(board, ["counting", "sat"], kind)
    assert set(outcome.values()) == {"agrees"}
    assert {"counting", "sat", "fast path"} <= set(outcome)


def run(folder: Path, positions: int, *options: str) -> int:
    arguments = ("--positions", str(positions), "--seed", "3", "--folder", str(folder), "--workers", "1")
    return campaign.main([*arguments, "--cpsat", "0", *options])


class TestRuns:
    def test_it_goes_on_where_it_was(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tried: list[int] = []
        usual = campaign.position

        def position(seed: int, number: int) -> tuple[str, Board]:
            tried.append(number)
            return usual(seed, number)

        monkeypatch.setattr(campaign, "position", position)
        assert run(tmp_path, 12) == 0
        assert run(tmp_path, 20) == 0
        assert sorted(tried) == list(range(20))
        assert "\n20 positions, 0 mismatches\n" in capsys.readouterr().out
        [file] = tmp_path.glob("*.jsonl")
        lines = file.read_text().splitlines(keepends=True)
        file.write_text("".join(lines[:-1]) + lines[-1].replace('"counts"', '"Counts"'))
        tried.clear()
        assert run(tmp_path, 20) == 0
        assert tried  # the damaged ones, once more
        assert len(tried) < 20
        assert run(tmp_path, 20, "--summary") == 0
        assert "\n20 positions, 0 mismatches\n" in (tmp_path / "ledger.md").read_text()

    def test_a_mismatch_is_found_and_quoted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        usual = campaign._by_engine

        def wrong(board: Board, engine: str) -> campaign.Verdict | str | None:
            found = usual(board, engine)
            if engine == "sat" and isinstance(found, campaign.Verdict):
                return found._replace(solutions=found.solutions + 1)
            return found

        monkeypatch.setattr(campaign, "_by_engine", wrong)
        assert run(tmp_path, 3) == 1
        board = campaign.position(3, 0)[1].to_text("line").strip()
        assert f"\nsat, position 0: {board}\n" in capsys.readouterr().out
        assert run(tmp_path, 3) == 1  # it stays known
