"""What the service and its workers say to each other: a sign, a length, and that many bytes.

Nothing is pickled: questions and answers travel as the JSON that they are outside.
"""

from __future__ import annotations

import asyncio
import socket
import struct

__all__ = ["ANSWER", "HELLO", "LAST", "PROBLEM", "PROGRESS", "QUESTION", "pack", "receive", "receive_async"]

QUESTION = b"Q"
"""To a worker: the name of the question, a line feed, and the question."""
HELLO = b"H"
"""From a worker: it is there; its process id."""
PROGRESS = b"P"
"""From a worker: `{"done": x, "of": y}`."""
ANSWER = b"A"
"""From a worker: the answer."""
PROBLEM = b"E"
"""From a worker: a problem; its status is in it."""
LAST = b"L"
"""From a worker, before an answer or a problem: it is its last, and the worker ends."""

_HEAD = struct.Struct("!cQ")


def pack(sign: bytes, content: bytes) -> bytes:
    """A frame, to be sent.

    >>> pack(HELLO, b"17")
    b'H\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x0217'
    """
    return _HEAD.pack(sign, len(content)) + content


def receive(connection: socket.socket) -> tuple[bytes, bytes] | None:
    """The next frame; None if the other side has gone."""
    head = _exactly(connection, _HEAD.size)
    if head is None:
        return None
    sign, length = _HEAD.unpack(head)
    content = _exactly(connection, length)
    return None if content is None else (sign, content)


def _exactly(connection: socket.socket, length: int) -> bytes | None:
    content = bytearray()
    while len(content) < length:
        try:
            part = connection.recv(min(length - len(content), 1 << 20))
        except ConnectionError:
            return None
        if not part:
            return None
        content += part
    return bytes(content)


async def receive_async(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """The next frame; `asyncio.IncompleteReadError` or `ConnectionError` if the other side has gone."""
    sign, length = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    return sign, await reader.readexactly(length)
