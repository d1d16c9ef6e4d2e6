"""The solver as an HTTP service: `msat serve`, `app()` for any ASGI server, and a `Client`.

The way of a request: `server.py` (or another server) → `application.py` (hosts, paths, limits, headers) →
`answering.py` (cheap questions here and now, dear ones by a worker) → `workers.py` (the pool, which can stop
what it began) → `worker.py` (a process of its own) → `msat/questions/`, as the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msat.service.client import Client, NoServiceError, ServiceError

if TYPE_CHECKING:
    from msat.service.application import Application

__all__ = ["Client", "NoServiceError", "ServiceError", "app"]


def app(**settings: Any) -> Application:
    """The service as a plain ASGI application, for uvicorn, granian, hypercorn and others.

    `settings` are those of `msat.service.settings.Settings`.

    >>> app(workers=1, hosts=("example.org",)).settings.workers
    1
    """
    from msat.service.application import Application
    from msat.service.settings import Settings

    return Application(Settings(**settings))
