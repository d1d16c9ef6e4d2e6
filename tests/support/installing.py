"""What msat says of a package that is missing: pip, for it alone or for the extra of a release."""

from __future__ import annotations

import re

__all__ = ["by_pip"]


def by_pip(package: str, extra: str) -> str:
    """A pattern for the end of such a line, in a clone and in the environment of a release.

    >>> bool(re.search(by_pip("pillow", "gif"), "an animation needs Pillow: python -m pip install pillow"))
    True
    """
    release = rf"'[^']+\[{extra}\]'"  # by its name, or by the folder that it was installed from
    return rf"-m pip install ({re.escape(package)}|{release})$"
