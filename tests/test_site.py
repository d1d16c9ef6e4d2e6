"""The documentation site: built strictly, without the network, and nothing public is left out of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import msat
from msat.__main__ import _build_parser

pytest.importorskip("material", reason="the packages of the extra docs are not installed")
pytest.importorskip("mkdocstrings")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Proxies that are not there stand for a network that is not."""
    folder = tmp_path_factory.mktemp("site")
    offline = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | offline | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loads = re.compile(r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=[\"']?(https?:[^\"' >]*)")
    for page in site.rglob("*.html"):
        assert loads.findall(page.read_text("utf-8")) == [], page.name


def test_examples_are_shown_as_code(site: Path) -> None:
    page = (site / "reference" / "answers.html").read_text("utf-8")
    assert "&gt;&gt;&gt; " in page.replace('<span class="gp">', "")
    assert "<blockquote>" not in page


def test_every_field_of_a_result_is_in_the_reference(site: Path) -> None:
    page = (site / "reference" / "coach.html").read_text("utf-8")
    for field in ("cell", "win_error", "alternatives"):
        assert f'id="msat.coach.advice.Advice.{field}"' in page


def test_every_command_is_described(site: Path) -> None:
    page = (site / "reference" / "cli.html").read_text("utf-8")
    (commands,) = (action.choices for action in _build_parser()._actions if action.dest == "command")
    assert commands is not None
    for name in commands:
        assert f'id="msat-{name}"' in page


def test_the_http_api_is_described(site: Path) -> None:
    page = (site / "reference" / "http.html").read_text("utf-8")
    assert "/api/v1/" in page
    assert "language-text" not in page, "a text that is indented in the source is shown as code"


def test_long_lines_that_commands_print_go_on_in_the_next_and_drawings_do_not(site: Path) -> None:
    assert "white-space: pre-wrap" in (site / "site.css").read_text("utf-8")
    assert "language-text" not in (site / "start" / "players.html").read_text("utf-8")
    assert "language-console" not in (site / "kernels.html").read_text("utf-8")


@cache
def documented() -> set[str]:
    """What the pages of the reference ask mkdocstrings for."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    return {
        name for page in pages for name in re.findall(r"^::: ([\w.]+)", page.read_text("utf-8"), re.MULTILINE)
    }


ERRORS = {
    name for name in vars(msat)["__all__"] if getattr(getattr(msat, name), "__module__", "") == "msat.errors"
}


@pytest.mark.parametrize("name", sorted(set(vars(msat)["__all__"]) - ERRORS - {"__version__"}))
def test_every_public_name_is_in_the_reference(name: str) -> None:
    """A module by something that is in it."""
    entries = documented()
    found = any(entry.endswith(f".{name}") or entry.startswith(f"msat.{name}.") for entry in entries)
    assert found, f"msat.{name} is on no page"


def test_every_name_of_the_arena_is_in_the_reference() -> None:
    for name in msat.arena.__all__:
        assert any(entry.endswith(f".{name}") for entry in documented()), f"msat.arena.{name} is on no page"
    assert "msat.errors" in documented()
