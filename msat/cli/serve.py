"""`msat serve`: the page and the API, over HTTP."""

from __future__ import annotations

import argparse

from msat.cli.options import Subparsers, positive, whole

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat serve                       the page at http://127.0.0.1:8817, the API under /api/v1
  msat serve --port 0 --open       on a free port, in the browser
  curl -H 'Content-Type: application/json' -d '{"board": "??1/3?2/??? 3"}' \\
       http://127.0.0.1:8817/api/v1/analyze

The address is the first line of standard output. /docs tells what can be asked. Stop it by Ctrl-C or SIGTERM.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "serve",
        help="serve the page and the HTTP API",
        description="Serve the page and the HTTP API until stopped.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="where to listen (default: 127.0.0.1)"
    )
    parser.add_argument("--port", type=whole, metavar="N", help="0 takes a free one (default: 8817)")
    parser.add_argument("--workers", type=whole, metavar="N", help="processes for dear questions")
    parser.add_argument("--queue", type=whole, metavar="N", help="dear questions that may wait (default: 64)")
    parser.add_argument(
        "--budget", type=positive, metavar="SECONDS", help="most for one question (default: 30)"
    )
    parser.add_argument("--max-cells", type=whole, metavar="N", help="largest board (default: 10,000 cells)")
    parser.add_argument("--memory", type=whole, metavar="MB", help="most for a question (default: 1024)")
    parser.add_argument(
        "--receive-seconds",
        type=positive,
        metavar="S",
        help="the time in which a request has to arrive (default: 20)",
    )
    parser.add_argument(
        "--grace", type=positive, metavar="S", help="time to finish what is under way at the end (default: 5)"
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        metavar="O",
        help="let pages of another origin ask, such as https://example.org (may be repeated)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        metavar="H",
        help="another name under which it is asked, such as that of a proxy (may be repeated)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    from msat.service.server import serve
    from msat.service.settings import PORT, Settings

    names = ("workers", "queue", "budget", "max_cells", "memory", "receive_seconds", "grace")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    settings = Settings(
        **given, allow_origin=tuple(args.allow_origin or ()), hosts=tuple(args.allow_host or ())
    )
    return serve(args.host, PORT if args.port is None else args.port, settings, args.open)
