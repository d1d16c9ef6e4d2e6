"""The process in which Ganak counts: it cannot be interrupted in ours, but a process can be ended.

Reads a JSON list of tasks from standard input, and writes a JSON list of lists of counts. A task is a formula
(`clauses` over `variables` variables), the variables that tell models apart (`show`), and any number of sets
of unit clauses (`units`), each of which is counted by itself. Imports nothing heavy of msat, to start fast.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

__all__ = ["count_task", "main"]


def count_task(task: dict[str, Any]) -> list[int]:
    """The number of projected models of a task's formula with each set of its units.

    >>> count_task({"variables": 2, "clauses": [[1, 2]], "show": [1, 2], "units": [[], [-1]]})
    [3, 1]
    """
    from pyganak import Counter

    counts = []
    for units in task["units"]:
        counter = Counter()
        counter.new_vars(task["variables"])
        counter.add_clauses(task["clauses"])
        counter.add_clauses([[literal] for literal in units])
        counter.set_sampling_set(task["show"])
        counts.append(int(counter.count()))
    return counts


def main() -> None:
    """Serve one list of tasks."""
    sys.set_int_max_str_digits(0)  # what is counted is as long as it is
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Ganak has remarks of its own
    with answer:
        json.dump([count_task(task) for task in json.load(sys.stdin)], answer)


if __name__ == "__main__":
    main()
