"""`python -m tests.fuzz`: every reader fuzzed for some minutes, each in turn for a while.

    python -m tests.fuzz --minutes 30
    python -m tests.fuzz --minutes 5 --reader record --seed 7
    python -m tests.fuzz --minutes 30 --reader record --engine atheris      (pip install atheris)

The corpus is kept in `.fuzz/` and taken up again. Escapes are shrunk and written to `tests/fuzz/cases/`,
where the tests try them from then on. Memory is limited: an input which takes too much is an escape too.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from pathlib import Path
from random import Random

from tests.fuzz.attempts import Escape, attempt
from tests.fuzz.loop import Loop
from tests.fuzz.readers import READERS, Reader, reader
from tests.fuzz.traces import Failed
from tests.fuzz.traces import make as make_trace
from tests.fuzz.traces import run as run_trace
from tests.fuzz.traces import shrink as shrink_trace

CASES = Path(__file__).parent / "cases"
_MEMORY = 1 << 30
_TURN = 5.0
"""Seconds of a reader's turn: so few that all have had as many turns, or one fewer, whenever it ends."""


def main(argv: list[str] | None = None) -> int:
    """Fuzz, and tell what was tried; 1 if something escaped."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the readers of msat.")
    parser.add_argument("--minutes", type=float, default=1.0, help="for all readers together (default: 1)")
    parser.add_argument("--reader", action="append", help="only this one; may be given several times")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="same seed, same inputs")
    parser.add_argument("--corpus", type=Path, default=Path(".fuzz"), help="where inputs are kept")
    parser.add_argument("--engine", choices=["own", "atheris"], default="own")
    args = parser.parse_args(argv)
    chosen = READERS if args.reader is None else tuple(map(reader, args.reader))
    if args.engine == "atheris":
        return _with_atheris(chosen[0], args.corpus / chosen[0].name, args.minutes)
    print(f"seed {args.seed}")
    loops = [
        Loop(each, Random(f"{args.seed} {each.name}"), folder=args.corpus / each.name) for each in chosen
    ]
    for loop in loops:
        loop.begin()
    _limit_memory()
    end = time.monotonic() + 60 * args.minutes
    traces = _Traces(Random(f"{args.seed} traces")) if args.reader is None else None
    try:
        while time.monotonic() < end:
            if traces is not None:
                traces.run(min(_TURN, 60 * args.minutes / len(loops)))
            for loop in loops:
                left = max(0.0, end - time.monotonic())
                loop.run(seconds=min(_TURN, left, 60 * args.minutes / len(loops)))
    except KeyboardInterrupt:
        print("stopped")
    failed = _tell(loops)
    return failed if traces is None else max(failed, traces.tell())


class _Traces:
    """Random traces of the API, in between."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._run = 0
        self._failed: list[Failed] = []

    def run(self, seconds: float) -> None:
        """Go on for so many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._run += 1
            try:
                run_trace(make_trace(self._draw, 40))
            except Failed as failed:
                self._failed.append(shrink_trace(failed))

    def tell(self) -> int:
        """Print what was run; 1 if something failed."""
        print(f"{self._run} traces of 40 calls, {len(self._failed)} failed")
        for failed in self._failed:
            print(failed)
        return 1 if self._failed else 0


def _limit_memory() -> None:
    """What is allocated beyond a bound from now on is a MemoryError, which is an escape."""
    try:
        import resource
    except ImportError:
        return
    status = Path("/proc/self/statm")
    used = int(status.read_text().split()[0]) * resource.getpagesize() if status.exists() else 4 << 30
    resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _tell(loops: list[Loop]) -> int:
    print(f"{'reader':<16} {'inputs':>9} {'answered':>9} {'kept':>6} {'lines':>6} {'escapes':>8}")
    for loop in loops:
        print(
            f"{loop.reader.name:<16} {loop.tried:>9} {loop.answered:>9} {len(loop.corpus):>6} "
            f"{len(loop.coverage.lines):>6} {len(loop.escapes):>8}"
        )
    escapes = [found for loop in loops for found in loop.escapes.values()]
    for found in escapes:
        print(found)
        keep(found)
    print(f"{sum(loop.tried for loop in loops)} inputs, {len(escapes)} escapes")
    return 1 if escapes else 0


def keep(found: Escape) -> Path:
    """Write the input of an escape to where the tests find it."""
    folder = CASES / found.reader.name.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / hashlib.sha256(found.data).hexdigest()[:12]
    file.write_bytes(found.data)
    return file


def _with_atheris(chosen: Reader, corpus: Path, minutes: float) -> int:
    """libFuzzer's loop instead of ours, for one reader; it needs every module loaded anew, instrumented."""
    import atheris

    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(chosen.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)

    def once(data: bytes) -> None:
        try:
            attempt(chosen, data)
        except Escape as found:
            keep(found)
            raise

    for name, module in list(sys.modules.items()):
        if name.startswith("msat.") and "_kernels" not in name and hasattr(module, "__file__"):
            for thing in vars(module).values():
                if (
                    getattr(thing, "__module__", None) == name
                    and callable(thing)
                    and hasattr(thing, "__code__")
                ):
                    atheris.instrument_func(thing)
    atheris.Setup([sys.argv[0], str(corpus), f"-max_total_time={int(60 * minutes)}"], once)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
