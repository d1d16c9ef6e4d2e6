"""The tests: one file per module, and an oracle that knows nothing but the board."""
