"""`msat bench`, seen from outside: what it prints, keeps, compares and refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.command import Cli, ended, process, python

QUICK = ("bench", "--suite", "beginner", "--seconds", "0.2")
COMMITTED = json.loads((Path(__file__).parents[1] / "digests.json").read_text("utf-8"))


@pytest.fixture
def kept(cli: Cli, tmp_path: Path) -> Path:
    """A run that was kept."""
    assert cli(*QUICK, "--only", "counting,logic", "--json") == 0
    (tmp_path / "before.json").write_text(cli.out)
    return tmp_path / "before.json"


def test_a_table_for_people(cli: Cli) -> None:
    assert cli(*QUICK, "--only", "rules,counting", "--only", "logic") == 0
    rows = re.findall(r"^│ +(?:beginner +)?│ (\w+) +│ (\w+) +│ +(.+?) │.*│ (.+?) +│$", cli.out, re.MULTILINE)
    assert [(player, question) for player, question, _, _ in rows] == [
        ("rules", "forced"),
        ("counting", "forced"),
        ("counting", "probabilities"),
        ("logic", "games"),
    ]
    assert f"digest of beginner     {COMMITTED['beginner']['digest']}  (60 positions)" in cli.out
    assert re.search(r"won \d+ % \(\d+–\d+\)", cli.out)
    assert cli.err == ""


def test_json_for_machines(cli: Cli) -> None:
    found = cli.json(*QUICK, "--only", "counting,probabilities", "--json")
    assert found["form"] == "msat bench 1"
    (suite,) = found["suites"]
    assert (suite["name"], suite["digest"]) == ("beginner", COMMITTED["beginner"]["digest"])
    (row,) = found["rows"]
    assert (row["suite"], row["player"], row["question"]) == ("beginner", "counting", "probabilities")
    assert 0 < row["median"] <= row["p95"] <= row["max"] < 10
    assert set(row["letters"]) == {"="}


class TestAgainst:
    def test_the_same_code_gives_the_same_answers(self, cli: Cli, kept: Path) -> None:
        assert cli(*QUICK, "--only", "counting,logic", "--against", str(kept)) == 0
        assert "time now / time then" in cli.out
        assert re.search(r"^3 rows compared: .* 0 with different answers$", cli.out, re.MULTILINE)

    def test_json_stays_json(self, cli: Cli, kept: Path) -> None:
        found = cli.json(*QUICK, "--only", "counting", "--json", "--against", str(kept))
        assert len(found["rows"]) == 2
        assert "2 rows compared" in cli.err

    def test_other_answers_are_a_failure(self, cli: Cli, kept: Path) -> None:
        old = json.loads(kept.read_text())
        old["suites"][0]["fingerprints"][0] = "another"
        kept.write_text(json.dumps(old))
        assert cli(*QUICK, "--only", "counting", "--against", str(kept)) == 1
        assert "2 with different answers" in cli.out

    def test_much_slower_code_is_marked(self, cli: Cli, kept: Path) -> None:
        old = json.loads(kept.read_text())
        for row in old["rows"]:
            row["times"] = [[seconds / 1000 for seconds in times] for times in row["times"]]
        kept.write_text(json.dumps(old))
        assert cli(*QUICK, "--only", "counting", "--seconds", "5", "--against", str(kept)) == 0
        assert re.search(r"counting .* SLOWER|too few rounds", cli.out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--suite", "huge"], "unknown suite 'huge': choose one of beginner, intermediate, expert"),
        (["--only", "logic:depth=1"], "logic has no parameter 'depth'"),
        (["--only", "minisat"], "unknown engine, strategy or question 'minisat': choose one of rules, "),
        (["--seconds", "0"], "'0' is no number above 0"),
        (["--against", "nowhere.json"], "nowhere.json does not exist"),
    ],
)
def test_bad_input(cli: Cli, options: list[str], message: str) -> None:
    assert cli("bench", *options) == 2
    assert message in cli.err
    assert cli.err.count("\n") == 1


def test_a_file_that_is_none(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"\xff\xfe")
    assert cli("bench", "--against", str(tmp_path / "notes.txt")) == 2
    assert "notes.txt: not text: byte 0 (0xff) is not UTF-8" in cli.err
    (tmp_path / "notes.txt").write_text("Dear diary")
    assert cli("bench", "--against", str(tmp_path / "notes.txt")) == 2
    assert "notes.txt holds no benchmark: expected what 'msat bench --json' prints" in cli.err


def test_help_has_examples(cli: Cli) -> None:
    assert cli("bench", "--help") == 0
    assert "examples:\n  msat bench " in cli.out


def test_as_a_process_of_its_own() -> None:
    with process("bench", "--suite", "beginner", "--only", "rules", "--seconds", "0.1") as running:
        status, out, err = ended(running)
    assert status == 0, err
    assert COMMITTED["beginner"]["digest"] in out


@pytest.mark.parametrize("only", ["rules", "ganak"])
def test_a_package_is_missed_only_where_it_is_needed(only: str) -> None:
    code = f"""
import sys
sys.modules["pyganak"] = None
from msat.__main__ import main
main({[*QUICK, "--only", only]})
"""
    status, out, err = ended(python("-c", code))
    assert status == 0, err
    assert ("skipped: engine 'ganak' needs the package pyganak" in out) == (only == "ganak")
