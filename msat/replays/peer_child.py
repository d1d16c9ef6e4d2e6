"""A program of its own that reads one binary replay by ms_toollib, and prints what it read as JSON.

It is started by `peer.py`, which says why it is not a function. It imports nothing of msat, so that it runs
wherever ms_toollib does: `python peer_child.py KIND BYTES_OF_MEMORY SECONDS < replay`.
"""

from __future__ import annotations

import json
import sys

MISSING = 3
"""The exit status where ms_toollib is not installed."""


def main(kind: str, memory: int, seconds: int) -> int:
    """Read standard input; print size, mines, pixels and events."""
    try:
        import ms_toollib
    except ImportError:
        return MISSING
    try:
        import resource
    except ImportError:  # Windows: the time limit of the parent alone holds there
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    video = getattr(ms_toollib, f"{kind.title()}Video")(raw_data=sys.stdin.buffer.read())
    video.parse()
    events = []
    for event in video.events:
        if event.event.is_mouse():
            mouse = event.event.unwrap_mouse()
            if mouse.mouse != "mv":
                events.append([event.time, mouse.mouse, mouse.x, mouse.y])
    found = {"board": video.board, "pixels": video.pix_size, "mode": video.mode, "events": events}
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
