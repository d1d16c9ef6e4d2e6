"""The release as others get it: built, checked, and tried with every Python that it is for.

`make test-all` runs this. It builds the source distribution and, from that, the wheel; lets twine check both;
then, for each Python, makes an empty environment, installs the wheel and nothing else and asks it a few
questions, installs the extras and runs a part of the suite. The tests are those of the source distribution,
laid out without its `msat/`, so that what they import is the wheel.

    python -m tests.all_pythons              all that are declared in pyproject.toml
    python -m tests.all_pythons 3.12 3.13    these
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["declared_pythons", "find_python", "main"]

ROOT = Path(__file__).parents[1]

TOOLS = ("pytest>=8", "pytest-timeout>=2.3", "hypothesis>=6")
"""What the tests need beside msat."""

SMOKE = (
    "tests/test_analysis.py",
    "tests/test_board.py",
    "tests/test_core_only.py",
    "tests/test_dependencies.py",
    "tests/test_game.py",
    "tests/test_kata.py",
    "tests/test_layout.py",
    "tests/test_player.py",
    "tests/test_results.py",
    "tests/encode",
    "tests/engines/test_engines_agree.py",
    "tests/engines/rules",
    "tests/explanation",
    "tests/formats",
    "tests/gym",
    "tests/replays",
    "tests/svg",
    "tests/cli/test_solve.py",
)
"""A part of the suite that meets every room of the house that answers, and every extra that it may need."""

QUESTIONS = """
import msat, msat.service, sys
board = msat.Board.parse("??1/3?2/??? 3")
assert msat.analyze(board).solutions == 4
assert msat.probabilities([[-1, 1, -1]], mines=1)[0, 0] == 0.5
assert msat.explain(board, (2, 2)).verdict == "safe"
assert "ortools" not in sys.modules
files = msat.service.app(workers=1)._files
assert b"<html" in files["/"].content and b"From JavaScript" in files["/docs"].content
print("msat", msat.__version__, "answers on Python", sys.version.split()[0])
"""


def declared_pythons() -> list[str]:
    """The versions that the classifiers name.

    >>> declared_pythons()[0]
    '3.11'
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [found for text in project["classifiers"] for found in re.findall(r"Python :: (3\.\d+)$", text)]


def _candidates(wanted: str) -> Iterator[str]:
    """Where a Python of a version may be: on the path, this very one, kept by pyenv, kept by uv."""
    yield f"python{wanted}"
    yield "python3"
    yield sys.executable
    if shutil.which("pyenv"):
        listed = subprocess.run(
            ["pyenv", "versions", "--bare"], capture_output=True, text=True
        ).stdout.split()
        for name in reversed([name for name in listed if name.startswith(f"{wanted}.")]):
            prefix = subprocess.run(["pyenv", "prefix", name], capture_output=True, text=True).stdout.strip()
            yield str(Path(prefix) / "bin" / "python")
    if shutil.which("uv"):
        yield subprocess.run(["uv", "python", "find", wanted], capture_output=True, text=True).stdout.strip()


def find_python(wanted: str) -> str | None:
    """A Python of this version, or None if this machine has none."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    for candidate in _candidates(wanted):
        if candidate and shutil.which(candidate):
            done = subprocess.run([candidate, "-c", ask], capture_output=True, text=True)
            if done.returncode == 0 and done.stdout.strip() == wanted:
                return candidate
    return None


def _run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a step; if it fails, all is over."""
    # A checkout that is named in PYTHONPATH, or editable elsewhere, would be tested instead of the wheel.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH",)}
    subprocess.run([str(part) for part in command], cwd=cwd, env=environment, check=True)


def build(folder: Path) -> tuple[Path, Path]:
    """Build the source distribution and the wheel, and have both checked."""
    _run(sys.executable, "-m", "build", "--outdir", folder)
    source, wheel = next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))
    _run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    return source, wheel


def unpack(source: Path, folder: Path) -> Path:
    """Unpack a source distribution; the folder that it holds."""
    with tarfile.open(source) as packed:
        packed.extractall(folder, filter="data")
    return next(folder.glob("msat_minesweeper-*"))


def try_python(python: str, source: Path, wheel: Path, folder: Path) -> None:
    """Install the wheel into an empty environment, and test it there."""
    print(f"— {python}: the core alone", flush=True)
    _run(python, "-m", "venv", folder / "venv")
    inside = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = (inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    _run(*install, wheel)
    _run(inside, "-c", QUESTIONS, cwd=folder)
    print(f"— {python}: with its extras, a part of the suite", flush=True)
    _run(*install, f"{wheel}[all]", *TOOLS)
    sources = unpack(source, folder)
    shutil.rmtree(sources / "msat")
    _run(inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SMOKE, cwd=sources)


def main(wanted: list[str]) -> int:
    """Try these versions of Python; the exit status."""
    wanted = wanted or declared_pythons()
    missing = [version for version in wanted if find_python(version) is None]
    if missing:
        print(f"no Python {', '.join(missing)} on the path, nor by pyenv or uv", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="msat-release-") as folder:
        source, wheel = build(Path(folder) / "dist")
        failed = []
        for version in wanted:
            place = Path(folder) / version
            place.mkdir()
            try:
                try_python(str(find_python(version)), source, wheel, place)
            except subprocess.CalledProcessError as bad:  # the others are worth knowing, too
                print(f"failed on Python {version}: {' '.join(map(str, bad.cmd))}", file=sys.stderr)
                failed.append(version)
            shutil.rmtree(place)  # a gigabyte each
    works = [version for version in wanted if version not in failed]
    print(f"the release works on Python {', '.join(works) or 'none of them'}")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as failed:
        raise SystemExit(f"failed: {' '.join(map(str, failed.cmd))}") from None
