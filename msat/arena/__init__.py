"""Many games: what is compiled end to end for speed."""
