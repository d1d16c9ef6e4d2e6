"""The command `solve`: what it answers, how it looks on terminals of all kinds, and its jsonl."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from msat import Analysis, Board, BudgetExceeded, analysis, analyze
from msat.engines.counting._kernels.answer import PROVEN_SAFE
from msat.engines.solvers import sat
from tests.support.command import Cli, process

ESCAPE = "\x1b"


class TestSolve:
    def test_a_board(self, cli: Cli) -> None:
        assert cli("solve", "??1/3?2/??? 3") == 0
        assert ESCAPE not in cli.out
        lines = cli.out.splitlines()
        assert lines[:4] == ["    0  1  2", "0  50 50  1", "1   3 50  2", "2  50  *  +"]
        assert "open r2c2, proven safe" in lines
        assert "solutions: 4" in lines

    def test_a_guess(self, cli: Cli) -> None:
        assert cli("solve", "1???/???? 2") == 0
        assert "no cell is proven safe; the safest: r0c3, with 75.00% (as safe: " in cli.out

    def test_large_numbers_of_solutions_are_exact_and_rounded(self, cli: Cli) -> None:
        assert cli("solve", Board.blank(16, 16, 40).to_text("line")) == 0
        assert re.search(r"solutions: [\d,]{60,} \(≈\d\.\d\d×10\^\d+\)$", cli.out, re.MULTILINE)
        assert cli("solve", "-", stdin=Board.blank(200, 200, 8000).to_text().encode()) == 0
        assert re.search(r"solutions: ≈\d\.\d\d×10\^\d+ \(exactly: --json\)$", cli.out, re.MULTILINE)

    def test_sources_are_equal(self, cli: Cli, tmp_path: Path) -> None:
        text = "? ? 1\n3 ? 2\n? ? ?\n"
        file = tmp_path / "board.txt"
        file.write_text(text)
        answers = [
            cli.json("solve", "??1/3?2/??? 3", "--json"),
            cli.json("solve", "??1/3?2/???", "--mines", "3", "--json"),
            cli.json("solve", str(file), "--mines", "3", "--json"),
            cli.json("solve", "-", "--mines", "3", "--json", stdin=text.encode()),
            cli.json("solve", "..1/3.2/... 3", "--form", "dot-hidden", "--json"),
        ]
        assert all(answer == answers[0] for answer in answers)

    def test_json(self, cli: Cli) -> None:
        assert cli.json("solve", "??1/3?2/??? 3", "--json") == {
            "height": 3,
            "width": 3,
            "mines": 3,
            "safe": [[2, 2]],
            "mined": [[2, 1]],
            "probability": [[0.5, 0.5, None], [None, 0.5, None], [0.5, 1.0, 0.0]],
            "solutions": 4,
            "solutions_log10": math.log10(4),
            "rest_probability": None,
            "best": {"cell": [2, 2], "safety": 1.0},
            "marks": [],
        }

    def test_json_keeps_huge_numbers_exact(self, cli: Cli) -> None:
        answer = cli.json("solve", Board.blank(16, 30, 99).to_text("line"), "--json")
        assert answer["solutions"] == math.comb(480, 99)
        before = sys.get_int_max_str_digits()
        # Too long for readers of JSON, Python's included: a text, beside a number that tells its size.
        answer = cli.json("solve", "-", "--json", stdin=Board.blank(200, 200, 20_000).to_text().encode())
        assert isinstance(answer["solutions"], str)
        assert len(answer["solutions"]) == 12_039
        assert answer["solutions_log10"] == pytest.approx(math.log10(math.comb(40_000, 20_000)))
        assert sys.get_int_max_str_digits() == before

    def test_one_is_singular(self, cli: Cli) -> None:
        assert cli("solve", "?1/ 1") == 0
        assert "1×2, 1 mine, 1 cell hidden\n0 proven safe, 1 proven mine\n" in cli.out

    def test_the_best_cell_is_the_same_in_text_and_json(self, cli: Cli) -> None:
        assert cli("generate", "--preset", "beginner", "--seed", "0", "--board") == 0
        board = cli.data
        assert cli("solve", "-", stdin=board) == 0
        text = cli.out
        answer = cli.json("solve", "-", "--json", stdin=board)
        row, column = answer["best"]["cell"]
        assert answer["safe"][0] != [row, column]  # in reading order, another cell would come first
        assert f"open r{row}c{column}, " in text

    def test_reading_from_a_terminal_is_told(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        class Keyboard(io.BytesIO):
            def isatty(self) -> bool:
                return True

        monkeypatch.setattr("tests.support.command.io.BytesIO", Keyboard)
        assert cli("solve", "-", stdin=b"??/11 1") == 0
        assert cli.err == "msat: reading a board from the terminal, until Ctrl-D\n"

    def test_nothing_left_to_open(self, cli: Cli) -> None:
        assert cli("solve", "??/?? 4") == 0
        assert "best" not in cli.out
        assert cli.json("solve", "??/?? 4", "--json")["best"] is None


class TestWithoutCounts:
    """Where a frontier is too wide to be counted, the forced cells may be known all the same."""

    @pytest.fixture(autouse=True)
    def _too_wide(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def count() -> Any:
            raise BudgetExceeded("the frontier is 70 clues wide", width=70)

        def forced_only(board: Board, **_: Any) -> Analysis:
            whole = analyze(board)
            verdict = np.zeros(board.shape, np.int8)
            for cell in whole.safe:
                verdict[cell] = PROVEN_SAFE
            risk = np.where(verdict == PROVEN_SAFE, 0.0, np.nan)
            return Analysis(board, verdict, risk, count, complete=False)

        monkeypatch.setattr(analysis, "analyze", forced_only)

    def test_text(self, cli: Cli) -> None:
        assert cli("solve", "1??/??? 1") == 3
        assert cli.out.splitlines()[:3] == ["    0  1  2", "0   1  ?  +", "1   ?  ?  +"]
        assert "open r0c2, r1c2, proven safe\n" in cli.out
        assert cli.out.endswith("solutions: not counted\n")
        assert cli.err == "msat: the frontier is 70 clues wide\n"

    def test_json(self, cli: Cli) -> None:
        assert cli("solve", "1??/??? 1", "--json") == 3
        answer = json.loads(cli.out)
        assert (answer["solutions"], answer["solutions_log10"]) == (None, None)
        assert answer["probability"] == [[None, None, 0.0], [None, None, 0.0]]
        assert answer["best"] == {"cell": [0, 2], "safety": 1.0}
        assert cli("solve", "--jsonl", stdin=b'"1??/??? 1"') == 0
        served = json.loads(cli.out)
        assert served["error"]["type"] == "BudgetExceeded"
        assert answer.items() <= served.items()


class TestTerminals:
    def solve(self, cli: Cli) -> list[str]:
        assert cli("generate", "--seed", "7", "--board") == 0
        assert cli("solve", "-", stdin=cli.data) == 0
        return cli.out.splitlines()

    def test_colour_if_wanted(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLORTERM", "truecolor")
        assert ESCAPE in "".join(self.solve(cli))

    def test_no_color_means_no_escape_codes_at_all(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLORTERM", "truecolor")
        monkeypatch.setenv("NO_COLOR", "1")
        assert ESCAPE not in "".join(self.solve(cli))

    @pytest.mark.parametrize(("columns", "pitch"), [(94, 3), (93, 2), (80, 2), (64, 2), (63, 1), (20, 1)])
    def test_lines_fit(self, cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: int, pitch: int) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = self.solve(cli)
        assert max(map(len, lines)) <= columns
        rows = [line for line in lines if re.match(r" ?\d+ ", line)]
        assert len(rows) >= 16
        assert len(rows[1]) == min(3 + 30 * pitch, columns)

    def test_ascii_terminals(self) -> None:
        solver = process("solve", "0??/??? 2", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        out, err = solver.communicate()
        assert (solver.returncode, err) == (0, b"")
        assert b"2x3, 2 mines" in out
        assert out.isascii()


class TestService:
    def test_answers_line_by_line(self, cli: Cli) -> None:
        requests = [
            b'"??/11 1"',
            b'{"id": 7, "board": "???/121", "mines": 2}',
            b"",
            b"not json",
            b"\xff\xfe",
            b"[1, 2]",
            b'{"id": "x", "board": "1?/0? 1"}',
            b'{"id": null, "boart": "??/11 1"}',
            b'{"board": "??/11", "mine": 1}',
            b'{"board": "??/11", "mines": "1"}',
            b'{"board": "??/11 1", "engine": "magic"}',
            b'{"id": [1], "board": "??1/3?2/??? 3"}',
        ]
        assert cli("solve", "--jsonl", stdin=b"\n".join(requests)) == 0
        answers = [json.loads(line) for line in cli.out.splitlines()]
        assert len(answers) == len(requests) - 1
        first, second, not_json, not_text, no_object, contradiction, typo, field, kind, engine, last = answers
        assert first["solutions"] == 2
        assert "id" not in first
        assert (second["id"], second["safe"], second["mined"]) == (7, [[0, 1]], [[0, 0], [0, 2]])
        assert not_json["id"] is None
        assert "'not json' is not JSON" in not_json["error"]["message"]
        assert "is not UTF-8 text: byte 0 is 0xff" in not_text["error"]["message"]
        assert "'[1, 2]'" in no_object["error"]["message"]
        assert contradiction["id"] == "x"
        assert contradiction["error"]["type"] == "InconsistentBoard"
        assert contradiction["error"]["clues"]
        assert typo == {"id": None, "error": {"type": "BoardError", "message": 'the request has no "board"'}}
        assert "unknown field 'mine' in the request" in field["error"]["message"]
        assert "'mines'" in kind["error"]["message"]
        assert "'magic'" in engine["error"]["message"]
        assert (last["id"], last["solutions"]) == ([1], 4)

    def test_boards_as_objects_and_as_numbers(self, cli: Cli) -> None:
        requests = [
            b'{"board": {"height": 2, "width": 2, "mines": 1, "rows": ["??", "11"]}}',
            b'{"board": [[-1, -1], [1, 1]], "mines": 1}',
            b'{"board": [[-1, -1], [1, 1]]}',
            b'{"board": [[-1, 9]], "mines": 1}',
            b'{"board": {"height": 2}}',
            b'{"board": "??/11"}',
            b'{"board": 5}',
        ]
        assert cli("solve", "--jsonl", stdin=b"\n".join(requests)) == 0
        first, second, *errors = map(json.loads, cli.out.splitlines())
        assert first == second
        assert first["solutions"] == 2
        assert [answer["error"]["message"] for answer in errors] == [
            'a board of numbers does not tell its mines: give "mines": 10',
            "array[0][1] is 9, not a cell: use -1 (hidden), -2 (known mine) or 0 to 8 (revealed)",
            "the key 'width' is missing: the keys are height, width, rows, mines",
            "the number of mines is missing: write it behind the rows, as in '??/11 1', or give \"mines\": 1 "
            "(the numbers need at least 1)",
            "field 'board' of the request is 5: expected a text or an object or a list of rows",
        ]

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
    def test_numbers_that_json_does_not_have(self, cli: Cli, number: str) -> None:
        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} in the answer")

        requests = [
            f'{{"id": {number}, "board": "??/11 1"}}',
            f'{{"board": "??/11 1", "budget": {number}}}',
            '"??/11 1"',
        ]
        assert cli("solve", "--jsonl", stdin="\n".join(requests).encode()) == 0
        *refused, served = (json.loads(line, parse_constant=refuse) for line in cli.out.splitlines())
        assert len(refused) == 2
        for answer in refused:
            assert answer["id"] is None
            assert f"is not JSON: {number} is no JSON number" in answer["error"]["message"]
        assert served["solutions"] == 2

    def test_every_question_can_be_asked(self, cli: Cli) -> None:
        requests = [
            b'{"ask": "hint", "board": "????/1111/0000 2", "level": 4, "id": 1}',
            b'{"ask": "explain", "board": "???/111 1", "cell": [0, 1]}',
            b'{"ask": "generate", "preset": "beginner", "seed": 7}',
            b'{"ask": "analyze", "board": "??1/3?2/??? 3", "fields": ["solutions", "mined"]}',
            b'{"ask": "win", "board": "1?/?? 1", "every": true}',
            b'{"ask": "review"}',
            b'{"ask": "dinner", "id": 4}',
            b'{"ask": "sample", "board": "?1? 1", "n": -1}',
        ]
        assert cli("solve", "--jsonl", "--engine", "counting", stdin=b"\n".join(requests)) == 0
        hint, explained, generated, counted, *refused = map(json.loads, cli.out.splitlines())
        assert hint == {"id": 1} | cli.json("hint", "????/1111/0000 2", "--level", "4", "--json")
        assert explained == cli.json("explain", "???/111 1", "--cell", "0,1", "--json")
        assert generated["layout"]["mines"] == 10
        assert counted == {"solutions": 4, "mined": [[2, 1]]}
        assert [each["error"]["message"] for each in refused] == [
            "unknown field 'every' in the request: known are board, mines, form, marks, budget, every_move, "
            "ask, id",
            'the request has no "record"',
            "unknown question 'dinner': choose one of analyze, cells, hint, explain, win, sample, encode, "
            "generate, convert, review",
            '"n": -1 is not accepted: expected a whole number, 0 to 10,000',
        ]

    @pytest.mark.parametrize("engine", ["sat", "counting"])
    def test_a_budget_that_is_used_up_leaves_what_was_proven(self, cli: Cli, engine: str) -> None:
        def late(*_: object, **__: object) -> Any:
            raise BudgetExceeded("not counted within 1 seconds")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sat, "count", late)
            request = {"board": "????/1111/0000 2", "engine": engine, "budget": 1000}
            assert cli("solve", "--jsonl", stdin=json.dumps(request).encode()) == 0
            answer = json.loads(cli.out)
            status = cli("solve", "????/1111/0000 2", "--json", "--engine", engine, "--budget", "1000")
        assert answer["safe"] == [[0, 1], [0, 2]]
        assert ("error" in answer, status) == ((True, 3) if engine == "sat" else (False, 0))
        if engine == "sat":
            assert answer["probability"] == [[1.0, 0.0, 0.0, 1.0], [None] * 4, [None] * 4]
            assert answer["solutions"] is None
            assert json.loads(cli.out).items() <= answer.items()

    def test_options_are_defaults_of_requests(self, cli: Cli) -> None:
        assert cli("solve", "--jsonl", "--mines", "1", stdin=b'"??/11"\n{"board": "??/??", "mines": 2}') == 0
        assert [json.loads(line)["solutions"] for line in cli.out.splitlines()] == [2, 6]

    def test_every_answer_is_flushed_before_the_next_request(self) -> None:
        server = process("solve", "--jsonl")
        assert server.stdin is not None
        assert server.stdout is not None
        for total, solutions in ((1, 4), (2, 6), (4, 1)):
            server.stdin.write(b'"??/?? %d"\n' % total)
            server.stdin.flush()
            assert json.loads(server.stdout.readline())["solutions"] == solutions
        _, err = server.communicate()
        assert (server.returncode, err) == (0, b"")

    def test_a_reader_that_goes_away(self) -> None:
        server = process("solve", "--jsonl")
        assert server.stdout is not None
        server.stdout.close()
        server.stdout = None
        _, err = server.communicate(b'"??/11 1"\n' * 100)
        assert err == b""
        assert server.returncode == 141
