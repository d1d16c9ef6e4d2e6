"""The examples in the README and in docstrings do what they say."""

from __future__ import annotations

import ast
import doctest
import os
import re
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


def test_readme_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # one of them saves a game
    readme = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", readme, flags=re.MULTILINE | re.DOTALL)
    assert blocks, "the README has no example"
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", None, None)
    assert examples.examples, "the README's example shows no answers"
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def commands_in(readme: str) -> list[tuple[str, str]]:
    """The `$ msat …` lines of indented blocks, each with the output shown below it."""
    block = re.findall(r"^    \$ (.*)\n((?:(?!    \$ )    .*\n|\n(?=    ))*)", readme, flags=re.MULTILINE)
    return [(command, textwrap.dedent(output)) for command, output in block]


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for a POSIX shell")
@pytest.mark.parametrize(("command", "output"), commands_in((ROOT / "README.md").read_text("utf-8")))
def test_readme_commands(command: str, output: str) -> None:
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


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_link_to_files_that_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
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
