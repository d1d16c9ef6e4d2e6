"""The nursery: a process that has everything loaded, and forks workers from itself when it is asked to.

To load the library, and kernels from disk, takes a second or two of processor time; to fork takes some
milliseconds. So a worker that was killed because its client went away, which happens all the time to a page
that asks while somebody is typing, costs nothing worth mentioning. What is loaded is shared between workers.

`Nursery` starts it, and stands for it in the service. It is run as `python -m msat.service.nursery DESCRIPTOR
MEMORY`. Every byte that comes over the descriptor brings a socket along, which a new worker is to talk over.
When the other side goes, all workers and the nursery end.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress

from msat.errors import MsatError

__all__ = ["Nursery", "main"]


class Nursery:
    """The nursery as the service sees it: what workers are got from."""

    def __init__(self, memory: int, compiled: bool) -> None:
        self._control, theirs = socket.socketpair()
        environment = dict(os.environ)
        # Workers never compile: the service has that done once, for all, and begins anew with the result.
        environment["MSAT_KERNELS"] = "compiled" if compiled else "plain"
        environment["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
        environment["MSAT_MEMORY"] = (
            f"{memory}M"  # what the library sees coming, it tells with what is proven
        )
        environment.setdefault("OPENBLAS_NUM_THREADS", "1")  # what forks must not have threads
        self.has_borne = False
        """Whether a worker came of it: one that cannot begin is not tried again at once."""
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "msat.service.nursery", str(theirs.fileno()), str(memory)],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def bear(self) -> socket.socket:
        """A socket to a new worker, which says hello when it is there; `OSError` if the nursery is gone."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"w"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        ours.setblocking(False)
        return ours

    def close(self) -> None:
        """Let it, and all of its workers, end."""
        self._control.close()

    def wait(self) -> None:
        """Wait until it has."""
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_children: set[int] = set()


def main(arguments: list[str]) -> None:
    """Be a nursery."""
    control = socket.socket(fileno=int(arguments[0]))
    memory = int(arguments[1])
    # The service decides when workers end, also where a terminal or an init system signals all processes.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    _load()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            break
        for descriptor in descriptors:
            _fork(descriptor, control, memory)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for child in _children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    os._exit(0)  # to tidy up what was loaded takes a second, for nothing


def _fork(descriptor: int, control: socket.socket, memory: int) -> None:
    # While the signal is held back, no child can end before it is known.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    child = os.fork()
    if child:
        _children.add(child)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        os.close(descriptor)
        return
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        control.close()
        from msat.service.worker import work

        work(socket.socket(fileno=descriptor), memory)
    finally:
        os._exit(0)


def _reap(*_: object) -> None:
    with suppress(ChildProcessError):
        while True:
            child, _status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return
            _children.discard(child)


def _load() -> None:
    """Load what workers need, by answering a question of every kind; then nothing is left to be compiled."""
    from msat._jit import is_compiled
    from msat.questions.ask import ask
    from msat.questions.reading import convert
    from msat.service.examples import EXAMPLES

    questions = [(name, each) for name in EXAMPLES for each in EXAMPLES[name].values() if name != "batch"]
    if is_compiled():  # what takes long as plain Python
        solvable = {"height": 9, "width": 9, "mines": 10, "seed": 1, "no_guess": True}
        questions += [("hint", {"board": f"{'/'.join(['????????'] * 8)} 12"}), ("generate", solvable)]
        questions += [("analyze", {"board": "1?/0? 1"})]
    for name, question in questions:
        with suppress(MsatError):
            ask(convert(name, question))
    gc.collect()
    gc.freeze()  # so that no collection touches, and thereby copies, what workers share


if __name__ == "__main__":
    main(sys.argv[1:])
