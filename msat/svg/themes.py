"""The colours of pictures, light and dark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["KINDS", "THEMES", "Theme"]

KINDS = ("safe", "mine", "clue", "choice", "better")
"""What a highlighted cell may be, each with a colour of its own."""


class Theme(NamedTuple):
    """The colours of a picture."""

    page: str
    label: str
    hidden: str
    bright: str
    """The upper edge of a hidden cell, and its lower one."""
    dark: str
    open: str
    line: str
    numbers: tuple[str, ...]
    flag: str
    mine: str
    text: str
    safe: str
    risky: str
    middle: str
    kinds: Mapping[str, str]
    last: str


_LIGHT_NUMBERS = (
    "#9aa5b1",
    "#2563eb",
    "#15803d",
    "#dc2626",
    "#4338ca",
    "#9f1239",
    "#0e7490",
    "#1f2937",
    "#6b7280",
)
_DARK_NUMBERS = (
    "#5b6675",
    "#7aa7ff",
    "#5fd08a",
    "#ff8585",
    "#a5a1ff",
    "#ff8fb1",
    "#5fd3e6",
    "#e5e7eb",
    "#a3acb8",
)

THEMES: dict[str, Theme] = {
    "light": Theme(
        page="#ffffff",
        label="#7b8794",
        hidden="#c3cedb",
        bright="#dde5ee",
        dark="#a3b1c2",
        open="#f5f7fa",
        line="#dfe5ec",
        numbers=_LIGHT_NUMBERS,
        flag="#dc2626",
        mine="#1f2937",
        text="#1f2937",
        safe="#86d9a0",
        risky="#f28b82",
        middle="#f7e08b",
        kinds={
            "safe": "#16a34a",
            "mine": "#dc2626",
            "clue": "#d97706",
            "choice": "#2563eb",
            "better": "#16a34a",
        },
        last="#2563eb",
    ),
    "dark": Theme(
        page="#161b22",
        label="#8b97a5",
        hidden="#3d4856",
        bright="#4d5a6a",
        dark="#2b333e",
        open="#1f262f",
        line="#2d3641",
        numbers=_DARK_NUMBERS,
        flag="#ff7b72",
        mine="#e6edf3",
        text="#f0f4f8",
        safe="#2f7d4c",
        risky="#a8423b",
        middle="#8a7426",
        kinds={
            "safe": "#4ade80",
            "mine": "#ff7b72",
            "clue": "#fbbf24",
            "choice": "#6ea8ff",
            "better": "#4ade80",
        },
        last="#6ea8ff",
    ),
}
