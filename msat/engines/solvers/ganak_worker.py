"""The process in which Ganak counts: it cannot be interrupted in ours, but a process can be ended.

Reads tasks from standard input, a line of JSON each, and answers each by a line: a list of counts, or an
object with the `error`. A task is a formula (`clauses` over `variables` variables) and some of its variables
(`by`): its models are counted by how many of these are true. Imports nothing heavy of msat, to start fast.

Ganak's exact counter knows no weights. So every variable of `by` gets some copies, which are free where it is
true and false where it is not: each true one multiplies the number of models by a power of two. If that is
above the number of all models, the counts stand side by side in the result, like digits.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any

__all__ = ["counts_of", "main"]


def counts_of(task: dict[str, Any]) -> list[int]:
    """The number of models of a task's formula with 0, 1, 2, … of the variables `by` true.

    >>> counts_of({"variables": 3, "clauses": [[1, 2]], "by": [1, 2]})
    [0, 4, 2]
    """
    top, clauses = task["variables"], task["clauses"]
    every = _count(top, clauses)
    if not task["by"]:
        return [every] if every else []
    bits = every.bit_length()
    free = []
    for variable in task["by"]:
        free += [[variable, -copy] for copy in range(top + 1, top + 1 + bits)]
        top += bits
    packed = _count(top, clauses + free) if every else 0
    counts = []
    while packed:
        counts.append(packed & ((1 << bits) - 1))
        packed >>= bits
    return counts


def _count(variables: int, clauses: list[list[int]]) -> int:
    from pyganak import Counter

    counter = Counter()
    counter.new_vars(variables)
    counter.add_clauses(clauses)
    return int(counter.count())


def _answer(line: str) -> Any:
    try:
        return counts_of(json.loads(line))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Serve until the other side closes the pipe, which also ends a count that is running."""
    sys.set_int_max_str_digits(0)  # what is counted is as long as it is
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Ganak has remarks of its own
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        print(json.dumps(_answer(lines.get())), file=answers, flush=True)


if __name__ == "__main__":
    main()
