"""Peers behind one face: msat and other libraries that give the mine probability of every cell.

A peer takes a position and gives an array of probabilities; whatever it needs to be told in its own way is
prepared before the clock starts, as a program that uses that library would have it at hand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

import msat
from bench.suites import Position
from msat.board import HIDDEN

__all__ = ["PEERS", "MsToollib", "Msat", "Peer", "ZigMinesolver"]


class Peer(ABC):
    """A library that is compared."""

    name: str
    package: str
    note = ""
    """What a reader of its figures has to know."""
    starts_processes = False
    """Whether every question starts a process."""

    @property
    def installed(self) -> bool:
        """Whether it can be asked here."""
        return find_spec(self.package) is not None

    @property
    def version(self) -> str:
        """The version that is installed."""
        return version(self.name)

    @abstractmethod
    def prepare(self, position: Position) -> Any:
        """The position as this library takes it."""

    @abstractmethod
    def ask(self, prepared: Any) -> Any:
        """What is timed: its answer, as it gives it."""

    def read(self, answer: Any) -> NDArray[np.float64]:
        """The answer as an array of probabilities; only its hidden cells count."""
        return np.asarray(answer, dtype=np.float64)


class Msat(Peer):
    """This library, by its fast path."""

    name = package = "msat"

    @property
    def version(self) -> str:
        return msat.__version__

    def prepare(self, position: Position) -> Any:
        return position

    def ask(self, prepared: Any) -> Any:
        return msat.probabilities(*prepared)


class MsToollib(Peer):
    """ms_toollib: Rust, in this process; hidden cells are 10, and mines are always the total."""

    name = package = "ms_toollib"

    def prepare(self, position: Position) -> Any:
        return np.where(position.array == HIDDEN, 10, position.array).astype(int).tolist(), position.mines

    def ask(self, prepared: Any) -> Any:
        return import_module(self.package).cal_probability_onboard(*prepared)

    def read(self, answer: Any) -> NDArray[np.float64]:
        return np.asarray(answer[0], dtype=np.float64)


class ZigMinesolver(Peer):
    """zig-minesolver: Zig, a program that its Python function starts anew for every position."""

    name = "zig-minesolver"
    package = "zig_minesolver"
    starts_processes = True
    note = "starts a process for every position, which its times include, and rounds to five digits"

    def prepare(self, position: Position) -> Any:
        rows = [["#" if value == HIDDEN else str(value) for value in row] for row in position.array.tolist()]
        return "\n".join(map(" ".join, rows)), position.mines

    def ask(self, prepared: Any) -> Any:
        text, mines = prepared
        return import_module(self.package).get_board_probs(text, mines=mines)


PEERS: tuple[Peer, ...] = (MsToollib(), ZigMinesolver())
"""Whom msat is compared with: all that install from the package index and answer this question."""
