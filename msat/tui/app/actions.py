"""Every action of the viewer, once: its key, its name, where it is there, and whether the footer shows it.

Bindings, footer, help and the command palette all read this table. In the editor a key may do another thing
than in a game.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msat.board import HIDDEN, MINE
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
    where: Literal["game", "editor", "both"] = "both"


_IN_GAMES = (
    Action("enter,space", "enter", "open", "Open", "open the cell under the cursor (left click)", True),
    Action("m,f", "m", "mark", "Mark", "mark the cell, or take its mark away (right click)", True),
    Action("c", "c", "chord", "Chord", "open around a number whose mines are marked (click it)"),
    Action("n", "n", "next", "Next", "let the solver make its next move", True),
    Action("a", "a", "auto", "Auto", "let the solver play until it would have to guess"),
    Action("s", "s", "solve", "Solve", "let the solver play to the end; u goes back to where it began", True),
    Action("backspace", "bksp", "step(-1)", "One move back", "one move back"),
    Action("right_parenthesis", ")", "step(1)", "One move on", "one move on, if moves were taken back"),
    Action("pageup", "pgup", "step(-10)", "Ten moves back", "ten moves back"),
    Action("pagedown", "pgdn", "step(10)", "Ten moves on", "ten moves on"),
    Action("home", "home", "jump(0)", "First move", "to the beginning (or click the timeline)"),
    Action("end", "end", "jump(-1)", "Last move", "to the last move"),
    Action("R", "R", "review", "Review", "what did every move keep of the chance to win?"),
    Action("r", "r", "again", "Same game again", "the same game again"),
    Action("H", "H", "quiet", "Quiet", "play unaided: the cell under the cursor gives nothing away"),
    Action("v", "v", "cheat", "Cheat", "show where the mines are"),
    Action("1", "1", "guess(1)", "Guess 1 on/off", "may the solver guess cells that no number touches?"),
    Action("2", "2", "guess(2)", "Guess 2 on/off", "may the solver guess cells beside numbers?"),
)
_EVERYWHERE = (
    Action("u", "u", "take_back", "Back", "take back what the last key did, also the fatal move", True),
    Action("U,ctrl+y", "U", "make_again", "Redo", "make again what was taken back"),
    Action("w", "w", "why", "Why", "why is this cell safe, or a mine? what does this number force?", True),
    Action("i", "i", "hint", "Hint", "what to open, why, and how likely that is to win", True),
    Action("k", "k", "nudge", "Nudge", "a hint that gives a little away, and more each time"),
    Action("P", "P", "train", "Practise", "find a safe cell, or guess well, against the clock"),
    *(Action(kind.key, kind.key, f"overlay('{kind.name}')", kind.title, kind.help) for kind in KINDS),
    Action("T", "T", "trust", "Trust marks", "take marks for mines, or let the numbers judge them"),
    Action("e", "e", "edit", "Edit", "what if? set up a position and see what follows; again: leave", True),
    Action("g", "g", "new", "New game", "new game"),
    Action("l", "l", "bring_back", "Last game", "bring back the game that was played before"),
    Action("z", "z", "size", "Size", "size and mines, such as 16x30x99; in the editor, of an empty board"),
    Action("d", "d", "seed", "Seed", "seed of the next game"),
    Action("b", "b", "start", "Start", "where games begin, such as 3,3; 'own': at your own first click"),
    Action("x", "x", "flip_horizontal", "Flip horizontally", "exchange left and right"),
    Action("y", "y", "flip_vertical", "Flip vertically", "exchange top and bottom"),
    Action("L", "L", "look", "Dark or light", "dark or light; kept for the next time"),
    Action("t", "t", "strategy", "Strategy", "choose who advises and plays"),
    Action("o,ctrl+o", "o", "load", "Load", "load a saved game or a board"),
    Action("ctrl+s", "ctrl+s", "save", "Save", "save the game, or the what-if board"),
    Action("escape", "esc", "cancel", "Cancel", "stop what the solver is doing"),
    Action("q,ctrl+q", "q", "quit", "Quit", "quit; the game is kept for the next time"),
)
_IN_EDITOR = (
    Action("minus,delete", "-", f"put({HIDDEN})", "Hide", "hide the cell", True),
    Action("asterisk", "*", f"put({MINE})", "Mine", "put a mine", True),
    Action("enter,space", "enter", "put_again", "Put again", "put what was put last"),
    Action("equals_sign", "=", "total", "Total", "type the total of mines", True),
    Action("right_square_bracket", "]", "mines(1)", "One mine more", "one mine more in total"),
    Action("left_square_bracket", "[", "mines(-1)", "One mine less", "one mine less in total"),
    Action("home", "home", "move(0, -1000)", "First column", "to the first cell of the row"),
    Action("end", "end", "move(0, 1000)", "Last column", "to the last cell of the row"),
    Action("c", "c", "clear", "Clear", "hide every cell", True),
    Action("f", "f", "fill", "Fill", "give all hidden cells what was put last"),
)
_HELP = Action("question_mark", "?", "help", "Help", "this help", True)
ACTIONS = (
    _HELP,  # first, so that the footer of a narrow terminal has it too
    *(action._replace(where="game") for action in _IN_GAMES),
    *(action._replace(where="editor") for action in _IN_EDITOR),
    *_EVERYWHERE,
)

NOTE = """Arrows move the cursor, with ctrl by ten cells. In the editor 0 to 8 put a number and move on, and \
the mouse paints with what was put last. A position that is pasted is shown there. \
Ctrl+P opens the command palette, which has every action. The session is saved on exit."""
