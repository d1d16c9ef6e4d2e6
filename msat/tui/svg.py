"""Frames as SVG pictures, by rich's own export, without the web fonts that it would link to."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from msat.errors import FileError
from msat.formats import write_bytes
from msat.tui.board import Overlay
from msat.tui.frame import PlaybackFrame
from msat.tui.playback import measured, overlay_of
from msat.tui.step import Step
from msat.wording import file_name, path_name

__all__ = ["frame_svg", "save_frames", "save_svg", "without_web_fonts", "write"]


def without_web_fonts(svg: str) -> str:
    """A picture of rich's whose fonts are the reader's own: it loads nothing from the web."""
    svg = re.sub(r"\s*@font-face \{+.*?\}+(?=\n)", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def frame_svg(frame: PlaybackFrame, title: str = "msat") -> str:
    """A frame as an SVG picture, the same for the same frame."""
    width = max(72, frame.board.columns(frame.board.pitch(None)))
    console = Console(
        record=True,
        file=io.StringIO(),
        width=width,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        legacy_windows=False,
    )
    console.print(frame)
    form = without_web_fonts(CONSOLE_SVG_FORMAT)
    return console.export_svg(title=title, code_format=form, unique_id="msat")


def write(path: Path, data: str | bytes) -> None:
    """Write a file; what the file system refuses is a `FileError` that names it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise FileError(f"{path_name(path)}: cannot be written: {bad.strerror or bad}") from None
    except ValueError:
        raise FileError(f"{file_name(str(path))} is not a file name") from None
    write_bytes(path, data)


def save_svg(path: Path, step: Step, total: int, heatmap: bool = False) -> None:
    """Save one step as a picture."""
    overlay: Overlay | None = overlay_of(step) if heatmap else None
    write(path, frame_svg(PlaybackFrame(step, measured(step.layout), total, overlay)))


def save_frames(folder: Path, steps: Sequence[Step], heatmap: bool = False) -> None:
    """Save every step as a picture, numbered so that they sort."""
    digits = len(str(len(steps)))
    for step in steps:
        save_svg(folder / f"{step.number:0{digits}d}.svg", step, len(steps), heatmap)
