"""Parameters of strategies: declared once, with default and range, for everyone who needs them.

The command line, sweeps and the documentation read the same declaration, and every value that reaches a
strategy was checked against it. A value may come as text, as the command line gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msat.errors import ParameterError
from msat.value import explained
from msat.wording import quoted

__all__ = ["Parameter", "Value", "checked"]

Value = bool | int | float | str

_SWITCH = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}


@explained
@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting of a strategy: a number from `low` to `high`, one of `choices`, or on and off.

    >>> offset = Parameter("offset", -0.02, "added to every estimate", low=-0.2, high=0.2)
    >>> offset.check(0.1), offset.check("-0.05"), offset.accepted
    (0.1, -0.05, 'a number from -0.2 to 0.2')
    """

    name: str
    """What it is called on the command line and in `best:NAME=…`."""
    default: Value
    """Its value where none is given; whole numbers, numbers, texts and switches are told by it."""
    help: str
    """What it does, in a few words."""
    low: float | None = None
    """The least number that is accepted."""
    high: float | None = None
    """The greatest number that is accepted."""
    choices: tuple[str, ...] = ()
    """The texts that are accepted; none for numbers and switches."""

    @property
    def accepted(self) -> str:
        """What values it takes, in words."""
        if isinstance(self.default, bool):
            return "on or off"
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {_written(self.low)} to {_written(self.high)}"

    def check(self, value: object) -> Value:
        """`value`, or what its text stands for, if it is accepted."""
        found = self._read(value)
        if found is None:
            raise ParameterError(f"{self.name}={quoted(value)} is not accepted: give {self.accepted}")
        return found

    def _read(self, value: object) -> Value | None:
        if isinstance(self.default, bool):
            if isinstance(value, str):
                return _SWITCH.get(value.lower())
            return value if isinstance(value, bool) else None
        if self.choices:
            return value if isinstance(value, str) and value in self.choices else None
        if isinstance(value, bool):
            return None
        try:
            number = float(value)  # type: ignore[arg-type]  # whatever is no number says so itself
        except (TypeError, ValueError, OverflowError):
            return None
        if not (self.low is not None and self.high is not None and self.low <= number <= self.high):
            return None
        if isinstance(self.default, int):
            return int(number) if number.is_integer() else None
        return number


def _written(limit: float | None) -> str:
    """A limit as it would be read: 10,000,000 rather than 1e+07."""
    assert limit is not None  # every number has both
    return f"{int(limit):,}" if limit == int(limit) else f"{limit:g}"


def checked(owner: str, parameters: Iterable[Parameter], given: Mapping[str, object]) -> dict[str, Value]:
    """A value for every parameter: the one given, if it is accepted, or else the default.

    >>> checked("player", [Parameter("depth", 2, "how far it looks", low=1, high=4)], {"depth": "3"})
    {'depth': 3}
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            accepted = f"it takes {', '.join(known)}" if known else "it takes none"
            raise ParameterError(f"{owner} has no parameter {quoted(name)}: {accepted}")
    return {
        name: parameter.check(given[name]) if name in given else parameter.default
        for name, parameter in known.items()
    }
