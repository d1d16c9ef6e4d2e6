"""What `help()` says: every public thing explains itself, field by field."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest

import msat
from msat.coach.reviewed import ReviewedMove
from msat.coach.walkthrough import WalkthroughStep
from msat.strategies import Choice
from msat.strategies.parameter import Parameter
from msat.strategies.strategy import Guess, Played

PUBLIC: dict[str, Any] = {
    **{f"msat.{name}": getattr(msat, name) for name in vars(msat)["__all__"]},
    **{f"msat.arena.{name}": getattr(msat.arena, name) for name in msat.arena.__all__},
    **{thing.__name__: thing for thing in (Choice, Guess, Played, ReviewedMove, WalkthroughStep, Parameter)},
}


def classes_in(hint: Any) -> Iterator[type]:
    """The classes of msat that an annotation names."""
    if inspect.isclass(hint) and hint.__module__.startswith("msat"):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def reached() -> dict[str, type]:
    """What is public, and the classes of what it holds: whoever is given a result follows its fields."""
    found = {name: thing for name, thing in PUBLIC.items() if inspect.isclass(thing)}
    todo = list(found.values())
    while todo:
        thing = todo.pop()
        try:
            hints = get_type_hints(thing)
        except NameError:  # what is imported for type checkers alone
            continue
        for name, hint in hints.items():
            for held in classes_in(hint) if not name.startswith("_") else ():
                if held not in found.values():
                    found[held.__name__] = held
                    todo.append(held)
    return found


CLASSES = reached()


def test_what_a_proof_is_made_of_is_reached() -> None:
    assert {"Sum", "Refutation", "Remainder", "Tried", "Fact", "Branch", "Clash", "Alternative"} <= set(
        CLASSES
    )


def field_names(thing: Any) -> list[str]:
    """The fields of a result."""
    if is_dataclass(thing):
        return [field.name for field in fields(thing) if not field.name.startswith("_")]
    return list(getattr(thing, "_fields", ()))


RESULTS = {name: thing for name, thing in CLASSES.items() if field_names(thing)}


@pytest.mark.parametrize("name", RESULTS)
def test_every_field_is_explained(name: str) -> None:
    shown = pydoc.plain(pydoc.render_doc(RESULTS[name]))
    for field in field_names(RESULTS[name]):
        assert f"    {field}: " in shown.split("Fields:")[1], f"{name}.{field} is not explained"


@pytest.mark.parametrize("name", CLASSES)
def test_every_property_and_method_is_explained(name: str) -> None:
    thing = CLASSES[name]
    for attribute, value in vars(thing).items():
        if attribute.startswith("_") or attribute in field_names(thing):
            continue
        if inspect.isroutine(value) or isinstance(value, property) or hasattr(value, "attrname"):
            assert inspect.getdoc(getattr(thing, attribute, value)), f"{name}.{attribute} says nothing"


def test_a_field_of_an_analysis_says_what_it_is() -> None:
    assert "The board that was analysed." in pydoc.render_doc(msat.Analysis.board)


def test_fields_are_explained_only_when_somebody_asks() -> None:
    assert type(vars(msat.Advice)["__doc__"]).__name__ == "_ClassText"
    assert str(msat.Advice.__doc__).startswith("What to open on a board, and why.\n\nFields:\n\n    board: ")
