"""`msat serve`: the application on uvicorn, with the address on the first line of stdout."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

import uvicorn

from msat.errors import ParameterError
from msat.service.accepting import Accepting
from msat.service.application import Application
from msat.service.hosts import names_of
from msat.service.settings import Settings
from msat.wording import argument

__all__ = ["serve"]

_log = logging.getLogger("msat.service")

BACKLOG = 2048
MAX_PORT = 65535

KEEP_ALIVE = 75
"""Seconds for which a connection is kept that is not used."""


class Server(uvicorn.Server):
    """A server that finishes what it has begun when it is told to stop, and then ends well."""

    def __init__(
        self, config: uvicorn.Config, application: Application, announce: Callable[[], object]
    ) -> None:
        super().__init__(config)
        self._application = application
        self._announce = announce
        self._loop: asyncio.AbstractEventLoop | None = None
        self._draining: asyncio.Task[None] | None = None
        self.failed = False
        """Whether it ended since nothing could be answered."""
        self._accepting: list[Accepting] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup([])
        self._accepting = [Accepting(listener, self._connection) for listener in sockets or []]
        self._application.start().add_done_callback(self._loaded)
        self._announce()  # now that signals are heard: whoever knows the address may end it

    def _loaded(self, starting: asyncio.Task[None]) -> None:
        """End where loading has failed: whoever keeps the service running can then begin it anew."""
        error = None if starting.cancelled() else starting.exception()
        if error is not None:
            _log.error("the service could not begin", exc_info=error)
            self.failed = self.should_exit = True

    def _connection(self) -> asyncio.Protocol:
        kind: Any = self.config.http_protocol_class
        found: asyncio.Protocol = kind(self.config, self.server_state, self.lifespan.state, self._loop)
        return found

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for accepting in self._accepting:
            accepting.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM or Ctrl-C; the second one ends it at once."""
        if self._loop is None or self._draining is not None:
            self.should_exit = self.force_exit = True
        else:
            self._loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        async def drain() -> None:
            try:
                await self._application.drain()
            finally:
                self.should_exit = True

        if self._draining is None:
            self._draining = asyncio.ensure_future(drain())


def serve(host: str, port: int, settings: Settings, open_page: bool = False) -> int:
    """Serve until a signal ends it; returns the exit status."""
    if not hasattr(os, "fork"):
        raise ParameterError("serve needs a system on which processes can be forked: Linux, macOS or WSL")
    listener = _listen(host, port)
    application = Application(replace(settings, hosts=(*settings.hosts, *names_of(host))))
    protocol = _protocol(settings, application)
    if not isinstance(protocol, str):
        application.receive_seconds = None
    config = uvicorn.Config(
        application,
        http=protocol,
        log_level="error",
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=1,
        ws="none",
        proxy_headers=False,
    )
    address = address_of(host, listener.getsockname()[1])

    def announce() -> None:
        print(address, flush=True)
        if open_page:
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    server = Server(config, application, announce)
    server.run(sockets=[listener])
    return 1 if server.failed else 0


def _protocol(settings: Settings, application: Application) -> Any:
    """Connections with limits; where httptools does not install, those that uvicorn has."""
    try:
        from msat.service.connection import limited
    except ImportError:
        return "h11"
    return limited(settings.receive_seconds, _most_connections(), application.quick)


def _most_connections() -> int:
    """As many as there are descriptors for, with some left for workers and files."""
    try:
        import resource
    except ImportError:
        return 500
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(64, wanted - 256)


def address_of(host: str, port: int) -> str:
    """The address to open.

    >>> address_of("127.0.0.1", 8817), address_of("::1", 80)
    ('http://127.0.0.1:8817', 'http://[::1]:80')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens, or the reason why not."""
    if not 0 <= port <= MAX_PORT:
        raise ParameterError(f"{argument('port', port)}: expected 0 (a free one) to {MAX_PORT}")
    listener: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        if listener is not None:
            listener.close()
        reason = error.strerror or error
        where = f"{argument('host', host)} {argument('port', port)}"
        raise ParameterError(f"{where}: cannot listen there: {reason}") from None
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener
