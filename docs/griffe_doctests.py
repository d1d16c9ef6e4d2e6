"""Shows the examples in docstrings as code: without this, Markdown would take `>>>` for a quotation."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"(?:^|(?<=\n))(>>> .*(?:\n(?!\s*$).*)*)", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts every example between fences."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of whatever has one."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\1\n```", obj.docstring.value)
