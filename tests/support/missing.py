"""How tests do without packages that are installed: Python processes that cannot import them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

__all__ = ["beyond_core", "core_packages", "python_without"]

ROOT = Path(__file__).parents[2]


def _key(requirement: str) -> str:
    """The distribution that a requirement names, spelt as all of them are compared."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


@cache
def core_packages() -> frozenset[str]:
    """The distributions that a plain installation of msat brings, as far as they are installed here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting, reached = list(project["dependencies"]), set()
    while waiting:
        name = _key(waiting.pop())
        if name in reached:
            continue
        reached.add(name)
        try:
            waiting += [needed for needed in requires(name) or () if "extra ==" not in needed]
        except PackageNotFoundError:  # for another platform, say
            continue
    return frozenset(reached)


@cache
def beyond_core() -> frozenset[str]:
    """Modules that are importable here, and would not be if only msat and its core were installed."""
    core = core_packages()
    return frozenset(
        module
        for module, distributions in packages_distributions().items()
        if module not in ("msat", "pip", "setuptools", "_distutils_hack", "tests", "bench")
        and not core & {_key(name) for name in distributions}
    )


def python_without(modules: Iterable[str], code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that lacks these modules: to Python, None is a module that is not there."""
    block = f"import sys; sys.modules.update(dict.fromkeys({sorted(modules)}))"
    return subprocess.run(
        [sys.executable, "-c", f"{block}\n{code}"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
