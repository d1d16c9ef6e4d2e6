"""Compiled: memory for kernels, cut from one block instead of allocated piece by piece.

A *workspace* is an array of 64-bit numbers whose first tells where its free part begins:

    [ free | taken … taken | free … free ]
       └────────────────────┘

Whoever answers many questions gives the same block each time: an array that is made costs more than a step of
a counting pass. What does not fit is allocated, so an empty workspace is always right, only slower. Pieces
are given back by setting workspace[0] to what it was before they were taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel

__all__ = ["new_workspace", "take_bytes", "take_floats", "take_ints", "take_longs"]

Ints = NDArray[np.int64]


@kernel(apart=True)
def new_workspace(words: int) -> Ints:
    """A workspace of so many numbers; with none, whatever is taken from it is allocated."""
    workspace = np.empty(1 + words, np.int64)
    workspace[0] = 1
    return workspace


@kernel
def take_longs(workspace: Ints, count: int) -> Ints:
    """An array cut from a workspace, not initialised. To give it back, set workspace[0] to what it was."""
    start = workspace[0]
    if start + count > workspace.size:
        return np.empty(count, np.int64)
    workspace[0] = start + count
    return workspace[start : start + count]


@kernel
def take_floats(workspace: Ints, count: int) -> NDArray[np.float64]:
    """The same, of doubles …"""
    return take_longs(workspace, count).view(np.float64)


@kernel
def take_ints(workspace: Ints, count: int) -> NDArray[np.int32]:
    """… of 32 bits …"""
    return take_longs(workspace, (count + 1) // 2).view(np.int32)[:count]


@kernel
def take_bytes(workspace: Ints, count: int) -> NDArray[np.int8]:
    """… and of 8 bits."""
    return take_longs(workspace, (count + 7) // 8).view(np.int8)[:count]
