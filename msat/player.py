"""`play`: one game, from the first click to the end, by a strategy.

The player stands between the two sides of a game: it shows the strategy the board and only the board, and
carries its choices out on the game, which knows the layout. What comes out is the game's record.
"""

from __future__ import annotations

from collections.abc import Callable

from msat.cells import whole_number
from msat.errors import GameError
from msat.game import Game
from msat.kinds import function
from msat.layout import Layout
from msat.record import Record
from msat.strategies import Choice, naming
from msat.strategies.strategy import AnyStrategy, Strategy, play_on

__all__ = ["play"]


def play(
    layout: Layout,
    strategy: AnyStrategy = "safest",
    on_move: Callable[[Game, Choice], None] | None = None,
    *,
    seed: int | None = None,
) -> Record:
    """Play `layout` by `strategy` and return the record.

    Parameters may follow a name, as in "best:seconds=1". A strategy of your own is "module:Class", the class,
    an object of it, or a function of a board that gives a `Choice` or a cell.
    The game begins at `layout.start`, which is given and so no guess, whatever it hits; without a start the
    strategy chooses on the blank board. It ends when it is won, lost, or the strategy gives up.
    `on_move(game, choice)` is called after each decision and after the start. What is random in the play
    derives from `seed`, which `for_game` of the strategy is given: 0, unless you give it. An object of
    `Strategy` plays as it is where you give none: it may be what `for_game` gave you.

    >>> from msat import Layout, play
    >>> record = play(Layout.from_mines(3, 3, [(2, 2)], start=(0, 0)), strategy="logic")
    >>> record.won, len(record.guesses)
    (True, 0)
    >>> play(Layout.from_mines(1, 3, [(0, 2)], start=(0, 0)), lambda board: board.hidden[0]).state
    'won'
    """
    function(on_move, "on_move", "a game and a choice")
    player = naming.player(strategy)
    if seed is not None or not isinstance(strategy, Strategy):
        player = player.for_game(0 if seed is None else whole_number(seed, "seed", GameError))
    if on_move is None:
        player = player.unranked()
    game = Game(layout, player.name)
    play_on(player, game, on_move)
    return game.record
