"""The coach: what to open and why, what went wrong, what to look for, and how hard it is.

`best_move.py` finds what to open (`Advice`), and `levels.py` gives away as much of it as is asked for;
`review.py` judges a game; `walkthrough.py` lists the steps that find what is forced, and `difficulty.py` says
how hard they are.
"""
