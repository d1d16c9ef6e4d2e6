"""Tests of `msat.svg`."""
