"""Help texts fit the terminal: no line is left to be broken inside a word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from msat import cli as cli_folder
from msat.cli.helptext import fitted
from tests.support.command import Cli

FILES = Path(cli_folder.__file__).parent.glob("*.py")
COMMANDS = [path.stem for path in FILES if "def add(" in path.read_text("utf-8")]
COPIED = re.compile(r"\s+(msat |printf |\{)")
"""Commands and requests, which are copied as they are."""


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_line_fits(cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert cli(*command.split(), "--help") == 0
    long = [line for line in cli.out.splitlines() if len(line) > width and not COPIED.match(line)]
    assert not long


def test_columns_are_kept_and_prose_is_filled() -> None:
    text = (
        "examples:\n"
        "  msat sim --games 5   a few games, as an example of a line that is much too long for it\n"
        "  msat sim --games 10000 --strategy best --preset expert --workers 2 --seed 77\n"
        "\n"
        "Prose that somebody broke by hand after as many columns as a wide terminal has, and which goes\n"
        "on here.\n"
    )
    assert fitted(text, 200) == text
    assert fitted(text, 52).splitlines() == [
        "examples:",
        "  msat sim --games 5   a few games, as an example of",
        "                       a line that is much too long",
        "                       for it",
        "  msat sim --games 10000 --strategy best --preset expert --workers 2 --seed 77",
        "",
        "Prose that somebody broke by hand after as many",
        "columns as a wide terminal has, and which goes on",
        "here.",
    ]


def test_a_second_column_without_room_goes_below() -> None:
    assert fitted("  msat hint board.txt --level 1   only a nudge, please", 40).splitlines() == [
        "  msat hint board.txt --level 1",
        "      only a nudge, please",
    ]
