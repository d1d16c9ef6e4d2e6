"""A short run of the fuzzer, the same every time, and every input that ever got through."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from msat.errors import MsatError
from tests.conftest import scaled
from tests.fuzz import asking
from tests.fuzz.__main__ import CASES
from tests.fuzz.attempts import Escape, attempt, shrink
from tests.fuzz.loop import Loop
from tests.fuzz.mutations import STRANGE, mutate
from tests.fuzz.readers import READERS, Reader, reader

every_reader = pytest.mark.parametrize("each", READERS, ids=[each.name for each in READERS])

FOUND = sorted(file for file in CASES.rglob("*") if file.is_file())


@every_reader
def test_what_readers_begin_with_is_answered(each: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "BUDGET", 300.0)  # also where kernels are compiled for it first
    for seed in each.seeds:
        assert attempt(each, seed)


@pytest.mark.parametrize("file", FOUND, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_what_got_through_once(file: Path) -> None:
    attempt(reader(file.parent.name.replace("-", " ")), file.read_bytes())


@every_reader
def test_mutated_inputs(each: Reader) -> None:
    loop = Loop(each, Random(f"msat {each.name}"))
    loop.begin()
    loop.run(tries=scaled(400))
    assert not loop.escapes, next(iter(loop.escapes.values()))
    assert loop.tried >= scaled(400)
    assert loop.coverage.lines


_JSON: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(STRANGE) | st.text(max_size=20) | st.integers() | st.floats() | st.booleans(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=12,
)


@st.composite
def _altered(draw: st.DrawFn, each: Reader) -> bytes:
    """A seed of a reader with the value of any key replaced, if it is JSON; else any bytes."""
    seed = draw(st.sampled_from(each.seeds))
    try:
        value = json.loads(seed.splitlines()[0] if b"\n" in seed.strip() and seed[:1] == b"{" else seed)
    except ValueError:
        return draw(st.binary(max_size=60) | st.text(max_size=60).map(lambda t: t.encode("utf-8", "replace")))
    place = value
    while isinstance(place, dict) and place:
        name = draw(st.sampled_from(sorted(place)))
        if not isinstance(place[name], dict) or draw(st.booleans()):
            place[name] = draw(_JSON)
            break
        place = place[name]
    return json.dumps(value).encode()


@every_reader
@settings(max_examples=scaled(40), suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_altered_inputs(each: Reader, data: st.DataObject) -> None:
    attempt(each, data.draw(_altered(each)))


@given(st.binary(max_size=40), st.integers(0, 1000))
@example(b"", 0)
def test_the_same_seed_gives_the_same_input(data: bytes, seed: int) -> None:
    assert mutate(data, [b"ab"], Random(seed)) == mutate(data, [b"ab"], Random(seed))


class TestTheFuzzerItself:
    """It finds what it looks for, and shrinks it."""

    @staticmethod
    def fragile(data: bytes) -> None:
        if b"[" in data and data.count(b"x") > 2:
            raise KeyError("got through")
        if data.startswith(b"A"):
            raise MsatError("x" * 5000)
        if data.startswith(b"B"):
            raise MsatError("\x1b[31m")
        if len(data) % 2:
            raise MsatError("refused")

    def test_an_escape_is_found_and_shrunk(self) -> None:
        loop = Loop(Reader("fragile", (b"axbxc",), self.fragile), Random(1))
        loop.begin()
        loop.run(tries=3000)
        [found] = [escape for what, escape in loop.escapes.items() if what.startswith("KeyError at ")]
        assert sorted(found.data) == sorted(b"[xxx")

    @pytest.mark.parametrize(("data", "what"), [(b"A", "a long message"), (b"B", "a message with control")])
    def test_messages(self, data: bytes, what: str) -> None:
        with pytest.raises(Escape, match=what):
            attempt(Reader("fragile", (), self.fragile), data)

    def test_shrinking_keeps_to_the_same_escape(self) -> None:
        fragile = Reader("fragile", (), self.fragile)
        with pytest.raises(Escape) as caught:
            attempt(fragile, b"B [xx")
        assert shrink(caught.value).data == b"B"
