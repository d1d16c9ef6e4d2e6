"""The same work on a Dask cluster: `distributed` offers itself as one more executor of portions.

It is an extra (`distributed`), imported only here, when asked for. The workers of the cluster
need msat installed, in the same version.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import NamedTuple

from msat.errors import ClusterError, MissingPackage
from msat.installing import install
from msat.wording import argument

__all__ = ["Crew", "connect"]

_PATIENCE = 10.0


class Crew(NamedTuple):
    """Who does the work: an executor (None: processes of this machine) and how many work at a time."""

    executor: Executor | None
    workers: int | None


@contextmanager
def connect(address: str, patience: float = _PATIENCE) -> Iterator[Crew]:
    """The workers of the cluster whose scheduler listens at `address`, such as "tcp://10.0.0.7:8786".

    Raises `ClusterError` if nobody answers there within `patience` seconds, or no worker is connected, and
    `MissingPackage` without the package that it takes.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingPackage(
            f"the scheduler {address!r} needs the package 'distributed': {install('distributed')}"
        ) from None
    try:
        client = Client(address, timeout=patience)
    except (OSError, ValueError) as bad:
        reason = str(bad).splitlines()[0] if str(bad) else type(bad).__name__
        raise ClusterError(
            f"the scheduler {address!r} does not answer ({reason}): expected an address such as "
            "tcp://10.0.0.7:8786"
        ) from None
    with client:
        workers = sum(client.nthreads().values())
        if workers == 0:
            raise ClusterError(f"the scheduler {address!r} has no workers: start some with 'dask worker'")
        with client.get_executor() as executor:
            try:
                yield Crew(executor, workers)
            except Exception as bad:
                if not type(bad).__module__.startswith("distributed"):
                    raise
                raise ClusterError(
                    f"the cluster at {address!r} failed ({type(bad).__name__}); finished games are kept, "
                    f"and {argument('resume', True)} completes the run"
                ) from None
