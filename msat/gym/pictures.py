"""Boards as pictures for `render_mode="rgb_array"`: one tile a cell, put together by numpy alone."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from msat.board import HIDDEN, MINE

__all__ = ["EXPLODED", "SIDE", "picture"]

SIDE = 16
"""Pixels of a cell."""

EXPLODED = 9
"""A mine that is shown, beside what boards have: −2 marked, −1 hidden, 0…8."""

_PAPER, _TILE, _EDGE, _LIGHT = "#f4f4f4", "#b8bcc4", "#8a9099", "#dfe2e7"
_RED, _INK = "#d02020", "#202020"
_COLOURS = ("", "#2d73db", "#2c8553", "#de312b", "#7c5fe1", "#b16029", "#1c8193", _INK, "#767676")

_DIGITS = (  # 1 to 8: seven rows of five dots, each row a number of five bits
    (0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110),
    (0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111),
    (0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110),
    (0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010),
    (0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110),
    (0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110),
    (0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000),
    (0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110),
)
_FLAG = (0b00110, 0b01110, 0b11110, 0b01110, 0b00110, 0b00010, 0b01111)
_BOMB = (0b00100, 0b10101, 0b01110, 0b11111, 0b01110, 0b10101, 0b00100)


def picture(board: NDArray[np.int8]) -> NDArray[np.uint8]:
    """A board (height, width) as its pixels (16·height, 16·width, 3).

    >>> picture(np.zeros((2, 3), np.int8)).shape
    (32, 48, 3)
    """
    height, width = board.shape
    found = _tiles()[board.astype(np.intp) - MINE]  # (height, width, SIDE, SIDE, 3)
    return found.transpose(0, 2, 1, 3, 4).reshape(height * SIDE, width * SIDE, 3)


@cache
def _tiles() -> NDArray[np.uint8]:
    """The tile of every value that a cell can have, from MINE on."""
    tiles = np.empty((EXPLODED - MINE + 1, SIDE, SIDE, 3), np.uint8)
    tiles[:] = _rgb(_PAPER)
    tiles[[MINE - MINE, HIDDEN - MINE]] = _raised()
    _stamp(tiles[MINE - MINE], _FLAG, _RED)
    for value, digit in enumerate(_DIGITS, 1):
        _stamp(tiles[value - MINE], digit, _COLOURS[value])
    tiles[EXPLODED - MINE] = _rgb(_RED)
    _stamp(tiles[EXPLODED - MINE], _BOMB, _INK)
    tiles[:, -1, :] = tiles[:, :, -1] = _rgb(_EDGE)
    return tiles


def _raised() -> NDArray[np.uint8]:
    tile = np.empty((SIDE, SIDE, 3), np.uint8)
    tile[:] = _rgb(_TILE)
    tile[0], tile[:, 0] = _rgb(_LIGHT), _rgb(_LIGHT)
    return tile


def _stamp(tile: NDArray[np.uint8], rows: tuple[int, ...], colour: str) -> None:
    """A sign of 5×7 dots in the middle of a tile, each dot 2×2 pixels."""
    dots = np.array([[row >> (4 - column) & 1 for column in range(5)] for row in rows], bool)
    large = dots.repeat(2, axis=0).repeat(2, axis=1)  # 14 × 10
    tile[1:15, 3:13][large] = _rgb(colour)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
