"""The committed bundle is what the sources make, is small, and names no machine."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
STATIC = ROOT / "msat" / "service" / "static"
KILOBYTES = 120


def test_the_bundle_is_small_and_foreign_to_nobody() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) <= KILOBYTES * 1024
    for path in files:
        if path.suffix in (".woff2", ".txt"):
            continue  # a font, and its licence, which names its authors' addresses
        hosts = set(re.findall(r"https?://[\w.-]+", path.read_text("utf-8")))
        assert hosts <= {"http://www.w3.org"}, path.name


def test_the_lock_file_names_no_registry() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text("utf-8"))["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []


def test_building_again_gives_the_same_bundle(tmp_path: Path) -> None:
    if shutil.which("npx") is None or not (WEB / "node_modules").exists():
        pytest.skip("Node and web/node_modules are needed: npm ci in web/")
    command = ["npx", "vite", "build", "--outDir", str(tmp_path), "--logLevel", "error"]
    subprocess.run(command, cwd=WEB, check=True, capture_output=True)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(STATIC): path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}
    assert built == kept, "build it anew: cd web && npm run build"
