"""Every action of the viewer, once: its key, its name, and whether the footer has room for it.

Bindings, footer, help and the command palette all read this table.
"""

from __future__ import annotations

from typing import NamedTuple

from msat.tui.app.overlays import KINDS

__all__ = ["ACTIONS", "NOTE", "Action"]


class Action(NamedTuple):
    """One action: the keys as Textual names them, the method `action_…`, what the footer and help say."""

    key: str
    shown: str
    method: str
    name: str
    help: str
    footer: bool = False


ACTIONS = (
    Action("enter,space", "enter", "open", "Open", "open the cell under the cursor (left click)", True),
    Action("m", "m", "mark", "Mark", "mark the cell, or take its mark away (right click)", True),
    Action("c", "c", "chord", "Chord", "open around a number whose mines are marked (click it)"),
    Action("n", "n", "next", "Next", "let the solver make its next move", True),
    Action("a", "a", "auto", "Auto", "let the solver play until it would have to guess", True),
    Action("s", "s", "solve", "Solve", "let the solver play to the end", True),
    Action("u,backspace", "u", "take_back", "Back", "take back one move, also the fatal one", True),
    Action("w", "w", "why", "Why", "explain the cell under the cursor: why is it safe, or a mine?", True),
    Action("i", "i", "hint", "Hint", "show what the solver would do"),
    *(Action(kind.key, kind.key, f"overlay('{kind.name}')", kind.title, kind.help) for kind in KINDS),
    Action("e", "e", "edit", "What if", "what-if editor: set cells to any value and analyse; again: leave"),
    Action("g", "g", "new", "New game", "new game"),
    Action("r", "r", "again", "Same game again", "the same game again"),
    Action("z", "z", "size", "Size", "size and mines of the next game, such as 16x30x99 or beginner"),
    Action("d", "d", "seed", "Seed", "seed of the next game"),
    Action("b", "b", "start", "Start", "where games begin, such as 3,3"),
    Action("x", "x", "flip_horizontal", "Flip horizontally", "exchange left and right"),
    Action("y", "y", "flip_vertical", "Flip vertically", "exchange top and bottom"),
    Action("v", "v", "cheat", "Cheat", "show where the mines are"),
    Action("1", "1", "digit(1)", "Guess 1 on/off", "whether the solver may guess cells no number touches"),
    Action("2", "2", "digit(2)", "Guess 2 on/off", "whether the solver may guess cells beside numbers"),
    Action("t", "t", "strategy", "Strategy", "choose who advises"),
    Action("o,ctrl+o", "o", "load", "Load", "load a saved game or a board"),
    Action("ctrl+s", "ctrl+s", "save", "Save", "save the game, or the what-if board"),
    Action("right_square_bracket", "]", "mines(1)", "One mine more", "what-if: one mine more in total"),
    Action("left_square_bracket", "[", "mines(-1)", "One mine less", "what-if: one mine less in total"),
    Action("escape", "esc", "cancel", "Cancel", "stop what the solver is doing"),
    Action("question_mark", "?", "help", "Help", "this help", True),
    Action("q,ctrl+q", "q", "quit", "Quit", "quit; the game is kept for the next time"),
)

NOTE = """Arrows move the cursor. In the what-if editor 0 to 8 set a number, - hides a cell, * sets a mine.
Ctrl+P opens the command palette, which has every action. The session is saved on exit."""
