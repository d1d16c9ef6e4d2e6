"""`msat warm`: compile all kernels ahead, for an image, a CI cache, or before a demonstration."""

from __future__ import annotations

import argparse

from msat.cli.options import Subparsers

__all__ = ["add", "run"]

_EPILOG = """\
examples:
  msat warm                                   compile what is not compiled yet, about a minute
  NUMBA_CACHE_DIR=/opt/kernels msat warm      … into a folder of your own: set the same when you use msat

Without it nothing is missing: where nothing is compiled, small questions are answered by plain Python, and
large ones compile first. MSAT_KERNELS=compiled always compiles, MSAT_KERNELS=plain never does.
"""


def add(subparsers: Subparsers) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "warm",
        help="compile everything ahead",
        description="Compile all kernels that are not compiled yet, so that nothing waits for it later.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--all", action="store_true", help="compile also what is there already")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compile, and say what there is then."""
    from msat import _jit, _kernel_cache
    from msat.errors import FileError, ParameterError

    if _jit.mode() == "plain":
        raise ParameterError("MSAT_KERNELS=plain never compiles: unset it, or set it to auto")
    if _kernel_cache.cache_folder() is None:
        raise FileError("there is no folder to keep compiled kernels in: set NUMBA_CACHE_DIR to one of yours")
    if not _kernel_cache.can_keep():
        raise FileError(
            f"nothing can be written to {_kernel_cache.cache_folder()}: make room there, or set "
            "NUMBA_CACHE_DIR to another folder of yours"
        )
    if args.all:
        _kernel_cache.forget()
    if args.all or not _kernel_cache.is_kept(_kernel_cache.all_kept()):
        _jit.compile_all()
    kept, _ = _kernel_cache.count_kept()
    print(f"{kept} kernels are compiled, in {_kernel_cache.cache_folder()}")
    return 0
