"""What `import msat` costs, loads and offers; seen from a fresh interpreter each time."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest

import msat

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "msat"
PUBLIC: list[str] = vars(msat)["__all__"]

HEAVY = {"numba", "numpy", "ortools", "pysat", "rich", "textual"}

LIGHT_USES = [
    "",
    "msat.Board.parse('??/11 1')",
    "msat.Board.blank(16, 30, 99).replace({(0, 0): 1})",
    "msat.Layout.from_mines(2, 2, [(0, 0)])",
    "msat.Game(msat.Layout.from_mines(2, 2, [(0, 0)])).open((1, 1))",
    "msat.Record, msat.MsatError, msat.PRESETS",
]


def run(code: str) -> str:
    """The output of `code` in a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("use", LIGHT_USES)
def test_light_uses_load_nothing_heavy(use: str) -> None:
    loaded = run(f"import msat, sys\n{use}\nprint(*{{name.split('.')[0] for name in sys.modules}})")
    assert not HEAVY & set(loaded.split())


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    loaded = run("import msat.__main__, sys\nprint(*{name.split('.')[0] for name in sys.modules})")
    assert not HEAVY & set(loaded.split())


@pytest.mark.parametrize(
    "command", ["solve", "hint", "generate", "play", "tui", "sim", "sweep", "compare", "bench"]
)
def test_help_loads_no_compiler(command: str) -> None:
    code = f"""
import sys
from msat.__main__ import main
try:
    main(["{command}", "--help"])
except SystemExit:
    print(*sys.modules)
"""
    *text, loaded = run(code).splitlines()
    assert text[0].startswith(f"usage: msat {command} ")
    assert "numba" not in loaded.split()


@pytest.mark.parametrize("what", ["msat", "msat; msat.Board"])
def test_import_takes_less_than_that_of_numpy(what: str) -> None:
    # 10 and 50 ms on a quiet machine. A bound in milliseconds would depend on the machine and on what else it
    # does; numpy's import, measured in turn, is slowed down by the same.
    def seconds(imported: str) -> float:
        timed = f"begin = time.process_time()\nimport {imported}\nprint(time.process_time() - begin)"
        return float(run(f"import time\n{timed}"))

    taken = [(seconds(what), seconds("numpy")) for _ in range(5)]
    assert min(own for own, _ in taken) < 0.8 * min(of_numpy for _, of_numpy in taken)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(msat, name) is not None
    assert name in dir(msat)


def test_a_name_is_the_one_of_its_module() -> None:
    assert msat.Board is import_module("msat.board").Board
    assert msat.strategies is import_module("msat.strategies")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'msat' has no attribute 'bord'"):
        msat.bord  # type: ignore[attr-defined]  # noqa: B018


def test_the_stub_is_the_list_of_names() -> None:
    # As a type checker reads it, so that a line in another form, which msat would pass over, is noticed.
    lines = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8")).body
    imported = [alias.asname for line in lines if isinstance(line, ast.ImportFrom) for alias in line.names]
    assert sorted([*map(str, imported), "__version__"]) == PUBLIC


def test_a_type_checker_sees_the_names(tmp_path: Path) -> None:
    user = tmp_path / "user.py"
    used = "\n".join(f"reveal_type(msat.{name})" for name in PUBLIC)
    user.write_text(f"import msat\nfrom msat import *\n{used}\nreveal_type(analyze)\nmsat.bord\n", "utf-8")
    checker = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull]
    done = subprocess.run(
        [*checker, user.name],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    revealed = re.findall(r'note: Revealed type is "(.*)"', done.stdout)
    assert len(revealed) == len(PUBLIC) + 1, done.stdout + done.stderr
    assert "Any" not in revealed
    errors = re.findall(r"^user\.py:\d+: error: (.*)", done.stdout, re.MULTILINE)
    assert errors == ['Module has no attribute "bord"  [attr-defined]']


def test_what_is_no_code_is_packaged_as_well() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"][
        "package-data"
    ]
    packaged = {
        file
        for package, patterns in declared.items()
        for pattern in patterns
        for file in ROOT.joinpath(*package.split(".")).glob(pattern)
    }
    present = {file for file in PACKAGE.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc")}
    assert {"py.typed", "__init__.pyi"} <= {file.name for file in packaged}
    assert packaged == present


def test_the_names_are_found_in_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "msat.zip"
    with ZipFile(archive, "w") as written:
        for file in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")]:
            written.write(file, file.relative_to(ROOT))
    found = "import msat\nprint(msat.__file__, msat.Board.__name__)"
    code = f"import sys\nsys.path.insert(0, {str(archive)!r})\n{found}"
    assert run(code) == f"{archive / 'msat' / '__init__.py'} Board"
