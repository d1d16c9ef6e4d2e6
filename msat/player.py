"""`play`: one game, from the first click to the end, by a strategy.

The player stands between the two sides of a game: it shows the strategy the board and only the board, and
carries its choices out on the game, which knows the layout. What comes out is the game's record.
"""

from __future__ import annotations

from collections.abc import Callable

from msat.errors import WrongType
from msat.game import Game
from msat.layout import Layout
from msat.record import Record
from msat.strategies import Choice, names
from msat.strategies.naming import load
from msat.strategies.strategy import Chooser, Strategy, play_on
from msat.wording import quoted

__all__ = ["play"]


def play(
    layout: Layout,
    strategy: str | Chooser = "safest",
    on_move: Callable[[Game, Choice], None] | None = None,
) -> Record:
    """Play `layout` by `strategy` (a name or an object of your own) and return the record.

    Parameters may follow the name, as in "best:seconds=1"; "module:Class" is a strategy of your own.
    The game begins at `layout.start`, which is given and so no guess, whatever it hits; without a start the
    strategy chooses on the blank board. It ends when it is won, lost, or the strategy gives up.
    `on_move(game, choice)` is called after each decision and after the start.

    >>> from msat import Layout, play
    >>> record = play(Layout.from_mines(3, 3, [(2, 2)], start=(0, 0)), strategy="logic")
    >>> record.won, len(record.guesses)
    (True, 0)
    """
    player = load(strategy) if isinstance(strategy, str) else _checked(strategy)
    if on_move is None and isinstance(player, Strategy):
        player = player.unranked()
    game = Game(layout, player.name)
    play_on(player, game, on_move)
    return game.record


def _checked(strategy: Chooser) -> Chooser:
    """`strategy`, which must be an object that can choose; a class of them is an easy slip."""
    if isinstance(strategy, type) or not (hasattr(strategy, "name") and hasattr(strategy, "choose")):
        raise WrongType(
            f"{quoted(strategy)} is no strategy: give a name ({', '.join(names())}), "
            "or an object with 'name' and 'choose(board)'"
        )
    return strategy
