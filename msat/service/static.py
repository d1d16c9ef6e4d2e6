"""The built page: a folder of files that is read once, and served from memory by exact names."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import NamedTuple

__all__ = ["File", "file_of", "files_of"]

FOLDER = Path(__file__).parent / "static"

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Types of what a page is made of, which must not depend on the machine's registry."""

MISSING = b"""\
msat is running, but its page has not been built into this installation.

  to build it:   cd web && npm ci && npm run build
  the API:       /api/v1 (what can be asked: /docs, or /openapi.json)
"""


class File(NamedTuple):
    """One file of the page."""

    content: bytes
    type: str
    tag: str
    lasting: bool
    """Whether its name changes with its content, so that it may be kept for ever."""


def files_of(folder: Path = FOLDER) -> dict[str, File]:
    """Every file below a folder by its path in the service; `/` is `index.html`, or says how to get one."""
    found = {}
    if folder.is_dir():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".py" and not path.name.startswith("."):
                name = "/" + path.relative_to(folder).as_posix()
                found[name] = file_of(path.read_bytes(), path.name, name.startswith("/assets/"))
    found["/"] = found.get("/index.html") or file_of(MISSING, "missing.txt")
    return found


def file_of(content: bytes, name: str, lasting: bool = False) -> File:
    """A file with this content; the name tells its type."""
    suffix = Path(name).suffix.lower()
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return File(content, kind, f'"{hashlib.sha256(content).hexdigest()[:24]}"', lasting)
