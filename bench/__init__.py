"""Benchmarks: fixed positions made from seeds, msat beside its peers. Run `python -m bench`."""
