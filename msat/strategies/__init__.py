"""Players, one per file, known by name.

>>> from msat import Board, strategies
>>> strategies.names()
('classic', 'local', 'chain', 'subset', 'kata', 'logic', 'safest', 'best')
>>> strategies.get("logic").choose(Board.parse("???/121 2")).cells
((0, 1),)
"""

from msat.strategies.choice import Choice
from msat.strategies.naming import get
from msat.strategies.parameter import Parameter
from msat.strategies.registry import names
from msat.strategies.strategy import Guess, Played, Strategy

__all__ = ["Choice", "Guess", "Parameter", "Played", "Strategy", "get", "names"]
