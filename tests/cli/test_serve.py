"""The command `serve`: what it refuses; what it does is tried in `tests/service/`."""

from __future__ import annotations

import socket

import pytest

from tests.support.command import Cli


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--workers", "0"], "--workers 0: expected 1 to 1,000"),
        (["--queue", "-1"], "--queue -1: expected 0 to 100,000"),
        (["--memory", "1"], "--memory 1: expected 128 to 1,048,576"),
        (["--max-cells", "0"], "--max-cells 0: expected 1 to 1,000,000"),
        (
            ["--allow-origin", "example.org"],
            "--allow-origin example.org is no origin: expected one such as https",
        ),
        (["--port", "65536"], "--port 65536: expected 0 (a free one) to 65535"),
    ],
)
def test_what_cannot_be_served_is_told(cli: Cli, options: list[str], complaint: str) -> None:
    assert cli("serve", *options) == 2
    assert complaint in cli.err
    assert cli.out == ""


def test_a_port_that_is_taken_is_told(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert cli("serve", "--port", port) == 2
    assert f"--port {port}: cannot listen there" in cli.err
