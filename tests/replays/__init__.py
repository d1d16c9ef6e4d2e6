"""Tests of `msat.replays`."""
