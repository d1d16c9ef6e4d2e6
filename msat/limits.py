"""Every limit on what is read and begun, in one place, each checked before anything is allocated for it.

What msat is given may come from anywhere: a file somebody sent, a line of another program, a typing slip. So
every input has a largest size, far above any sensible use, beyond which it is refused by an error that tells
the limit. `tests/test_limits.py` tries each of them, at the limit and just beyond. Limits of time and memory
for an answer are given with the question instead (`budget=`), and by the variable MSAT_MEMORY.
"""

from __future__ import annotations

__all__ = [
    "JOURNAL_LINE_BYTES",
    "JSON_DEPTH",
    "MAX_ANIMATED_CELLS",
    "MAX_CLAUSES",
    "MAX_GAMES",
    "MAX_INDEX",
    "MAX_PER_SEED",
    "MAX_PICTURED_CELLS",
    "MAX_PIXELS",
    "MAX_SAMPLED_CELLS",
    "MAX_SEED",
    "MAX_SIDE",
    "MAX_STACK_CELLS",
    "MAX_SWEEP_VALUES",
    "MAX_WORKERS",
    "NAME_LENGTH",
    "NUMBER_DIGITS",
    "RECORD_BYTES",
    "REPLAY_BYTES",
    "REPLAY_MEMORY",
    "REPLAY_SECONDS",
    "REPORTED_LINES",
    "REQUEST_BYTES",
    "RUN_BYTES",
    "SESSION_BYTES",
    "TEXT_LIMIT",
]

MAX_SIDE = 1000
"""The longest side of a board: a guard against slips such as swapped arguments, far above any use."""

TEXT_LIMIT = 16 << 20
"""The longest text of a board or a layout, in bytes: the largest board (1000×1000) fits in every form, also
as a table with lines between all cells, or in emoji."""

RECORD_BYTES = 32 << 20
"""The longest saved game: a quarter of a million moves with their reasons."""

REPLAY_BYTES = 4 << 20
"""The longest binary replay (AVF, EVF, RMV, MVF): an hour of a mouse has about 3 MB."""

REPLAY_MEMORY = 1 << 30
"""The most address space of the process that reads a binary replay, most of which is never used."""

REPLAY_SECONDS = 20
"""The most processor time of that process; a replay takes a fraction of a second."""

SESSION_BYTES = 3 * RECORD_BYTES
"""The longest session of the viewer, which has a game in it, and those that were left before it."""

REQUEST_BYTES = 2 * TEXT_LIMIT
"""The longest line of the service behind `solve --jsonl`: the longest text of a board fits, escaped."""

RUN_BYTES = 1 << 20
"""The longest `run.json`: a sweep of as many values as there may be fits several times."""

JOURNAL_LINE_BYTES = 16 << 20
"""The longest line of `games.jsonl`: a game with a guess for every third cell of the largest board."""

REPORTED_LINES = 20
"""How many damaged lines of one file are told one by one; of the others only the number is."""

JSON_DEPTH = 20
"""How deep JSON may be nested; nothing that msat writes is deeper than 8."""

NUMBER_DIGITS = 100
"""The longest number in JSON, in characters; longer ones take a time that grows with their square."""

NAME_LENGTH = 1000
"""The longest name of a strategy with its parameters, and the longest text of a parameter."""

MAX_GAMES = 1 << 32
"""The most games of a run: more would not have seeds of their own. (Memory grows with those played only.)"""

MAX_PER_SEED = 10_000
"""To play a puzzle out of the middle of a KISS stream, those before it are drawn: it must not be too long."""

MAX_SWEEP_VALUES = 1000
"""The most values of a sweep: each is a run of its own."""

MAX_WORKERS = 1000
"""The most worker processes on this machine."""

MAX_SEED = (1 << 128) - 1
"""The largest seed of a random layout; those of runs, samples and KISS are smaller."""

MAX_INDEX = 100_000
"""The last puzzle of a KISS stream that can be asked for by its number: those before are drawn as well."""

MAX_SAMPLED_CELLS = 1 << 30
"""The most cells of all layouts that one call of `sample` draws: each takes a byte."""

MAX_STACK_CELLS = 1 << 28
"""The most cells of all boards of a stack that `probabilities` takes: two gigabytes of answers."""

MAX_ANIMATED_CELLS = 1 << 19
"""The most cells in all frames of an animation, ten more counted: a kilobyte each, while it is made."""

MAX_PICTURED_CELLS = 10_000
"""The most cells of a picture: half a kilobyte each."""

MAX_PIXELS = 100_000
"""The widest picture, in pixels; it is drawn at any width from the same numbers."""

MAX_CLAUSES = 50_000_000
"""The largest formula that `encode` writes, in clauses: a blank board of the largest size fits."""
