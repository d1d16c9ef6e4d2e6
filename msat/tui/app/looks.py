"""The two looks of the viewer: on black and on white, the grounds that the theme's colours are chosen for."""

from __future__ import annotations

from textual.theme import Theme

__all__ = ["LOOKS", "name_of", "themes"]

LOOKS = ("dark", "light")


def name_of(look: str) -> str:
    """What Textual calls a look."""
    return f"msat-{look}"


def themes() -> tuple[Theme, Theme]:
    """Both, for Textual."""
    dark = Theme(
        name_of("dark"),
        primary="#2d73db",
        accent="#ffd75f",
        foreground="#e4e4e4",
        background="#000000",
        surface="#1c1c1c",
        panel="#262626",
        dark=True,
    )
    light = Theme(
        name_of("light"),
        primary="#1f5fbf",
        accent="#8a4a00",
        foreground="#1a1a1a",
        background="#ffffff",
        surface="#f2f2f2",
        panel="#e6e6e6",
        dark=False,
    )
    return dark, light
