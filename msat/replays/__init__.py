"""Games that other programs have recorded, read as records: RAWVF and `.msor` text, AVF, EVF, RMV and MVF.

| file                    | what it is                                        | read by                      |
|-------------------------|---------------------------------------------------|------------------------------|
| RAWVF                   | mouse events as text, revisions up to 6.2         | `rawvf`, which writes it too |
| `.msor`                 | the web analyser's replays: what each step opened | `msor`                       |
| .avf, .evf, .rmv, .mvf  | mouse events, binary                              | `peer`, by ms_toollib        |

Mouse events become moves in `mouse`: a click that changes nothing is no move. Times are kept.
"""

from __future__ import annotations

from pathlib import PurePath

from msat.formats.source import checked_text
from msat.kinds import given
from msat.record import Record
from msat.replays import msor, peer, rawvf

__all__ = ["BINARY", "binary_record", "is_binary", "is_replay", "replay_record", "write_rawvf"]

BINARY = peer.KINDS
"""The endings of files that are no text, by which alone they are known."""

write_rawvf = rawvf.write


def is_binary(name: str) -> bool:
    """Whether a file's name ends as those of binary replays do."""
    return PurePath(given(name, str, "name", "the name of a file")).suffix[1:].lower() in BINARY


def is_replay(text: str) -> bool:
    """Whether a text, or the beginning of one, is meant to be another program's replay."""
    checked_text(text)
    return rawvf.looks_like(text) or msor.looks_like(text)


def replay_record(text: str) -> Record:
    """The game of a replay that is text.

    >>> moves = "0.00 lc 1 1 (8 8)\\n0.12 lr 1 1 (8 8)"
    >>> head = "RawVF_Version: Rev6.2\\nWidth: 3\\nHeight: 1\\nMines: 1"
    >>> record = replay_record(f"{head}\\nBoard:\\n00*\\nEvents:\\n{moves}\\n")
    >>> record.won, record.moves[0].cell, record.times
    (True, (0, 0), (0.12,))
    """
    checked_text(text)
    return rawvf.parse(text) if rawvf.looks_like(text) else msor.parse(text)


def binary_record(data: bytes, name: str) -> Record:
    """The game of a binary replay, whose kind the ending of its name tells."""
    given(data, bytes, "data", "the bytes of a file")
    given(name, str, "name", "the name of a file")
    return peer.parse(data, PurePath(name).suffix[1:].lower())
