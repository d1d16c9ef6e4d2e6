"""The examples in the README and in docstrings do what they say."""

from __future__ import annotations

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


def test_the_documents_link_to_files_that_exist() -> None:
    for document in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / document).read_text("utf-8")):
            assert (ROOT / target).exists(), f"{document} links to {target}"
