"""What a release says about itself: one version everywhere, and metadata that indexes accept."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import msat
from tests import all_pythons
from tests.all_pythons import declared_pythons, find_python

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_the_version_has_one_place() -> None:
    assert "version" not in PYPROJECT["project"]
    assert PYPROJECT["project"]["dynamic"] == ["version"]
    assert PYPROJECT["tool"]["setuptools"]["dynamic"] == {"version": {"attr": "msat.__version__"}}
    # Written so that a build reads it without importing msat, which would need what is not installed yet.
    assert f'\n__version__ = "{msat.__version__}"\n' in (ROOT / "msat" / "__init__.py").read_text("utf-8")
    assert f"\nversion: {msat.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_changelog_begins_with_what_is_not_released_and_has_this_version() -> None:
    heads = re.findall(r"^## \[(.*?)\](.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heads[0] == ("Unreleased", "")
    assert heads[1][0] == msat.__version__
    assert len({version for version, _ in heads}) == len(heads)


def test_the_licence_is_an_expression() -> None:
    project = PYPROJECT["project"]
    assert project["license"] == "MIT AND OFL-1.1"  # msat, and the font of its page
    assert project["license-files"] == ["LICENSE", "msat/service/static/inter-license.txt"]
    assert all((ROOT / name).is_file() for name in project["license-files"])
    assert "SIL Open Font License, Version 1.1" in (ROOT / project["license-files"][1]).read_text("utf-8")
    assert not [text for text in project["classifiers"] if text.startswith("License ::")]


def test_the_oldest_python_is_the_one_that_is_required() -> None:
    pythons = declared_pythons()
    assert pythons == sorted(pythons, key=lambda version: tuple(map(int, version.split("."))))
    assert PYPROJECT["project"]["requires-python"] == f">={pythons[0]}"
    assert PYPROJECT["tool"]["ruff"]["target-version"] == "py" + pythons[0].replace(".", "")
    assert PYPROJECT["tool"]["mypy"]["python_version"] == pythons[0]


def test_the_workflow_tries_every_python_that_is_declared() -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert f"python: {declared_pythons()}".replace("'", '"') in workflow
    assert "was never run" in workflow


def test_a_python_that_is_not_there_is_not_found() -> None:
    assert find_python("3.99") is None


def test_one_python_that_fails_does_not_hide_the_others(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tried = []

    def try_one(python: str, *_: object) -> None:
        tried.append(python)
        if python == "3.11":
            raise subprocess.CalledProcessError(1, ["pytest", "-q"])

    monkeypatch.setattr(all_pythons, "find_python", lambda version: version)
    monkeypatch.setattr(all_pythons, "build", lambda folder: (folder, folder))
    monkeypatch.setattr(all_pythons, "try_python", try_one)
    assert all_pythons.main(["3.11", "3.12", "3.13"]) == 1
    assert tried == ["3.11", "3.12", "3.13"]
    told = capfd.readouterr()
    assert told.out == "the release works on Python 3.12, 3.13\n"
    assert told.err == "failed on Python 3.11: pytest -q\n"
    assert all_pythons.main(["3.12"]) == 0


def test_the_tests_run_without_the_plugin_that_ends_what_hangs() -> None:
    # Who packages msat installs pytest and hypothesis; an option that nobody knows would end the run.
    asked = ["-p", "no:timeout", "-p", "no:cacheprovider", "--collect-only", "-q", "tests/test_release.py"]
    done = subprocess.run([sys.executable, "-m", "pytest", *asked], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_site_is_built_by_has_upper_bounds() -> None:
    # Material for MkDocs ends in May 2027, mkdocs 2 takes no plugins: what is new there may break the build.
    needs = [Requirement(text) for text in PYPROJECT["project"]["optional-dependencies"]["docs"]]
    assert all("<" in {bound.operator for bound in need.specifier} for need in needs)


def test_extras_for_users_are_in_all() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(re.findall(r"\[(.*)\]", everything)[0].split(","))
    assert named == set(extras) - {"all", "bench", "dev", "docs", "ganak", "release"}


def test_the_source_distribution_holds_what_its_tests_need() -> None:
    manifest = (ROOT / "MANIFEST.in").read_text("utf-8")
    present = {path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert {"msat", "tests", "bench"} <= present
    for folder in present | {"docs", ".ci", ".github", "web", "deploy"}:
        assert f"\ngraft {folder}\n" in manifest
    for file in ("Makefile", "Dockerfile", "mkdocs.yml", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"):
        assert file in manifest.split()
