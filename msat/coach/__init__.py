"""Advice: which cell to open on a board, how likely that is to win, and why.

`best_move.py` finds the answer, by perfect play where that is in reach and by the player `best` otherwise;
`sentences.py` says why, in one sentence that a player can follow, and `progress.py` what the move may teach.
"""
