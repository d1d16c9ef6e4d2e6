"""Under which names the service may be asked: a page of somebody else must not reach it through DNS.

A foreign page can let its own name resolve to 127.0.0.1, and is then of the same origin as what answers
there. It cannot choose the `Host` that the browser sends, which is its name. So names have to be known;
addresses in digits cannot be made to point elsewhere, and are all right where the service listens on all.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

__all__ = ["LOOPBACK", "Hosts", "names_of"]

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Hosts:
    """The names that are known.

    >>> hosts = Hosts(["example.org"])
    >>> hosts.allow(b"EXAMPLE.org:8817"), hosts.allow(b"[::1]:80"), hosts.allow(b"evil.example")
    (True, True, False)
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name.lower().strip("[]") for name in (*LOOPBACK, *names)}
        self._any = "*" in self._names
        self._any_address = "0" in self._names
        self._known: set[bytes] = set()

    def allow(self, host: bytes) -> bool:
        """Whether a request for this `Host` is answered."""
        if host in self._known or self._any:
            return True
        name = _name(host)
        if name in self._names or (self._any_address and _is_address(name)):
            if len(self._known) < 100:  # what was found once need not be taken apart again
                self._known.add(host)
            return True
        return False


def names_of(host: str) -> tuple[str, ...]:
    """The names of a service that listens there; "0" stands for any address in digits.

    >>> names_of("127.0.0.1")
    ('127.0.0.1',)
    """
    return ("0", socket.gethostname()) if host in ("0.0.0.0", "::", "") else (host,)


_HOST = re.compile(r"(?:\[([0-9a-f:.%]+)\]|([^\s:@/\[\]]+?)\.?)(?::[0-9]*)?")


def _name(host: bytes) -> str:
    """A `Host` without its port; what is none has no name.

    >>> _name(b"[::1]:80"), _name(b"[::1].evil.example"), _name(b"localhost:80@evil.example")
    ('::1', '', '')
    """
    found = _HOST.fullmatch(host.decode("latin-1").strip().lower())
    return "" if found is None else found[1] or found[2]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
