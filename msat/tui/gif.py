"""Games as GIF animations, drawn by Pillow, which is an extra: runs as pictures that play."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msat.board import MINE, Cell
from msat.errors import MissingPackage
from msat.installing import install
from msat.tui.board import BoardView, Overlay
from msat.tui.frame import board_of
from msat.tui.playback import overlay_of
from msat.tui.step import Step
from msat.tui.svg import write
from msat.tui.theme import ASCII, CLUES, HEAT, heat_index

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

__all__ = ["save_gif"]

SIDE = 16
"""Pixels of a cell."""

FOOT = 20
"""Pixels of the line below the board."""

NARROWEST = 320
"""Pixels that the line below the board has at least."""

LAST_FRAME = 3000
"""Milliseconds that the end is shown before the animation starts anew."""

_PAPER, _TILE, _EDGE, _INK, _RED = "#f4f4f4", "#b8bcc4", "#8a9099", "#202020", "#d02020"


def save_gif(path: Path, steps: Sequence[Step], speed: float = 8.0, heatmap: bool = False) -> None:
    """Save the steps of a game as an animation, `speed` steps a second."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise MissingPackage(f"an animation needs Pillow: {install('pillow')}") from None
    images = _one_palette([_draw(step, overlay_of(step) if heatmap else None) for step in steps])
    pace = max(20, round(1000 / speed))  # viewers slow down what is shown for less than two hundredths
    data = io.BytesIO()
    images[0].save(
        data,
        format="GIF",
        save_all=True,
        append_images=images[1:],
        duration=[pace] * (len(images) - 1) + [LAST_FRAME],
        loop=0,
        optimize=False,
    )
    write(path, data.getvalue())


def _draw(step: Step, overlay: Overlay | None) -> Image:
    from PIL import Image, ImageDraw

    view = board_of(step, overlay=overlay)
    height, width = step.board.shape
    image = Image.new("RGB", (max(width * SIDE + 1, NARROWEST), height * SIDE + 1 + FOOT), _PAPER)
    pen = ImageDraw.Draw(image)
    for row in range(height):
        for column in range(width):
            _cell(pen, view, (row, column))
    pen.text((4, height * SIDE + 4), _foot(step), fill=_INK, font_size=11)
    return image


def _one_palette(images: list[Image]) -> list[Image]:
    """The images in the same few colours: what does not change between two of them then takes no room."""
    from PIL import Image

    samples = [images[0], images[len(images) // 2], images[-1]]
    width, height = images[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, height * number))
    palette = sheet.quantize(colors=64)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


def _foot(step: Step) -> str:
    end = "" if step.state == "playing" else f"{step.state}: "
    return ASCII.text(f"{end}{step.number}. {step.decision}")  # Pillow's own font has little else


def _cell(pen: ImageDraw, view: BoardView, cell: Cell) -> None:
    """One cell: a tile while hidden, with what is marked, known or blown up on it."""
    x, y = cell[1] * SIDE, cell[0] * SIDE
    box = (x, y, x + SIDE, y + SIDE)
    value = view.board[cell]
    if value >= 0:
        pen.rectangle(box, fill="#ffe9a0" if cell in view.last else _PAPER, outline="#d0d0d0")
        if value:
            pen.text((x + 5, y + 2), str(value), fill=_colour(value), font_size=12, stroke_width=0)
        return
    pen.rectangle(box, fill=_tile(view, cell), outline=_EDGE)
    if value == MINE:
        pen.polygon([(x + 5, y + 3), (x + 12, y + 6), (x + 5, y + 9)], fill=_RED)
        pen.line([(x + 5, y + 3), (x + 5, y + 13)], fill=_INK)
        if view.layout is not None and not view.layout.is_mine(cell):
            pen.line([(x + 3, y + 3), (x + 13, y + 13)], fill=_INK, width=2)
    elif view.layout is not None and view.layout.is_mine(cell):
        pen.ellipse((x + 4, y + 4, x + 12, y + 12), fill=_INK)


def _tile(view: BoardView, cell: Cell) -> str:
    """The colour of a hidden cell."""
    if cell == view.exploded:
        return _RED
    overlay = view.overlay
    if overlay is None or overlay.probability is None or view.board[cell] == MINE:
        return _TILE
    risk = float(overlay.probability[cell])
    colour = HEAT[heat_index(risk)].bgcolor if risk == risk else None
    return colour.name if colour is not None else _TILE


def _colour(value: int) -> str:
    """The colour of a number; 7 has the terminal's own, which is ink here."""
    colour = CLUES[value].color
    return colour.name if colour is not None else _INK
