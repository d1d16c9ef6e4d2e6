"""The examples in pages and docstrings do what they say, and what pages name exists."""

from __future__ import annotations

import ast
import doctest
import os
import re
import runpy
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for file in (ROOT / "msat").rglob("*.py")
    if file.name != "__main__.py"
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    if name == "msat.engines.solvers.ganak_worker":
        pytest.importorskip("pyganak")
    assert doctest.testmod(import_module(name), verbose=False).failed == 0


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def examples_in(page: Path) -> doctest.DocTest | None:
    """The examples of a page, one after the other, or None where it has none."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page_name(page), None, None)
    return found if found.examples else None


EXAMPLES = [examples for page in PAGES if (examples := examples_in(page)) is not None]


@pytest.mark.parametrize("examples", EXAMPLES, ids=lambda examples: examples.name)
def test_examples_of_pages(
    examples: doctest.DocTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # one of them saves a game
    assert doctest.DocTestRunner(verbose=False).run(examples, clear_globs=False).failed == 0


def commands_in(text: str) -> list[tuple[str, str]]:
    """The `$ msat …` lines of indented blocks, each with the output shown below it."""
    block = re.findall(r"^    \$ (.*)\n((?:(?!    \$ )    .*\n|\n(?=    ))*)", text, flags=re.MULTILINE)
    return [(command, textwrap.dedent(output)) for command, output in block]


COMMANDS = {
    pair: page_name(page) for page in reversed(PAGES) for pair in commands_in(page.read_text("utf-8"))
}
"""Every command with its output, and a page that shows it."""


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a POSIX shell")
@pytest.mark.parametrize(
    ("command", "output"), COMMANDS, ids=[f"{page}-{pair[0][:40]}" for pair, page in COMMANDS.items()]
)
def test_commands_of_pages(command: str, output: str) -> None:
    shell = f'msat() {{ "{sys.executable}" -m msat "$@"; }}\n{command}'
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")
    }
    done = subprocess.run(
        ["sh", "-c", shell],
        cwd=ROOT,
        env=environment | {"PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.rstrip() == output.rstrip()


def test_pages_have_examples_and_commands() -> None:
    shown = {examples.name for examples in EXAMPLES} | set(COMMANDS.values())
    assert "README.md" in shown
    for folder in ("start", "howto"):
        for page in (ROOT / "docs" / folder).glob("*.md"):
            assert page_name(page) in shown, f"{page_name(page)} shows nothing"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_pages_link_to_files_that_exist(page: Path) -> None:
    generated = {"reference/cli.md", "reference/http.md", "tutorial.md"}  # by docs/site_hooks.py
    for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        place = Path(os.path.normpath(page.parent / target))
        made = (
            place.is_relative_to(ROOT / "docs") and place.relative_to(ROOT / "docs").as_posix() in generated
        )
        assert made or place.exists(), f"{page_name(page)} links to {target}"


def test_drawings_are_those_that_msat_makes() -> None:
    """`make pictures` makes them anew."""
    for name, drawing in runpy.run_path(str(ROOT / "docs" / "make_drawings.py"))["DRAWINGS"].items():
        assert (ROOT / "docs" / "pictures" / f"{name}.svg").read_text("utf-8") == drawing(), name


def names_in(source: str) -> set[str]:
    """What a module defines at its top, and in its classes as `Class.name`."""
    found = set()
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
        names = {str(getattr(target, "id", getattr(target, "name", ""))) for target in targets}
        found |= names
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{getattr(inner, 'name', '')}" for inner in node.body}
    return found


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_files_and_functions_that_a_page_names_exist(page: Path) -> None:
    """Written as `folder/file.py` or `folder/file.py:function`, from the root."""
    text = page.read_text("utf-8")
    for path, name in re.findall(r"`((?:msat|tests|bench|docs)/[\w/.]*)(?::([\w.]+))?`", text):
        file = ROOT / path
        assert file.exists(), f"{page.name} names {path}"
        if name:
            assert name in names_in(file.read_text("utf-8")), f"{page.name} names {path}:{name}"


def test_the_map_has_every_room() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rooms = set(
        re.findall(r"`((?:msat|bench|tests)/[\w/.]*)`", guide.split("## The map")[1].split("## How")[0])
    )
    package = ROOT / "msat"
    modules = {f"msat/{file.name}" for file in package.glob("*.py")}
    folders = {f"{file.parent.relative_to(ROOT).as_posix()}/" for file in package.rglob("__init__.py")}
    inner = {
        folder for folder in folders if "_kernels" in folder or folder in ("msat/", "msat/arena/boards/")
    }
    assert (modules | folders) - inner <= rooms


SOURCE = re.compile(r"\bdocuments? 00\d", re.IGNORECASE)


@pytest.mark.parametrize("folder", ["msat", "bench", "tests"])
def test_who_names_a_source_document_says_where_it_is_introduced(folder: str) -> None:
    """But for kernels: they are named like the players that they serve, whose files say so."""
    for file in (ROOT / folder).rglob("*.py"):
        text = file.read_text("utf-8")
        if "_kernels" not in file.parts and (first := SOURCE.search(text)):
            nearby = text[: first.end() + 60]
            assert "docs/sources.md" in nearby, f"{file.relative_to(ROOT)} does not introduce {first[0]}"
