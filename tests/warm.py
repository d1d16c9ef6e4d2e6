"""Compile what the tests use, before several processes need the same kernels at the same time."""

from __future__ import annotations

import os

os.environ["MSAT_KERNELS"] = "compiled"

from msat.warming import main

if __name__ == "__main__":
    main(["0", "0"])
