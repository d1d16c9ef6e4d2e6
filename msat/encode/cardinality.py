"""One cardinality constraint as clauses: the encodings by name.

A constraint says that exactly `need` of some literals are true. The literals come in *groups*: a group is the
order encoding of a small number, literal t (from 0) meaning "at least t + 1", so that the true literals of a
group always come first and the sum of all literals is the sum of the groups. A cell by itself is a group of
one literal.

Every clause carries a *guard*: with the guard false the constraint is off, with the guard assumed it is on.
That is what lets a proof name the constraints that it rests on.

Most encodings are those of python-sat. `direct` is our own: no auxiliary variables at all, one clause for
every way in which the groups could just exceed (or just miss) the bound. A clue has at most eight cells, so
these are few, and unlike binomial clauses over single cells they make use of the order within a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msat.errors import UnknownName

__all__ = [
    "DEFAULT",
    "ENCODINGS",
    "NATIVE",
    "AssumableBounds",
    "Group",
    "Written",
    "exactly",
    "known_encoding",
]

Group = tuple[int, ...]
"""Literals of which the true ones come first."""

DEFAULT = "direct"
"""The encoding that `python -m bench.encodings` measured as the fastest for forced cells."""

NATIVE = "native"
"""No clauses: at-most constraints, for the solvers that take these as they are."""

ENCODINGS = (
    "direct",
    "pairwise",
    "bitwise",
    "ladder",
    "seqcounter",
    "sortnetwrk",
    "cardnetwrk",
    "totalizer",
    "mtotalizer",
    "kmtotalizer",
    NATIVE,
)
"""Every encoding by name. Those of `ONE_ONLY` stand back for `FALLBACK` where they do not apply."""

ONE_ONLY = frozenset({"pairwise", "bitwise", "ladder"})
"""Encodings of "at most one" and its mirror image, "at least all but one"."""

FALLBACK = "seqcounter"


class Written(NamedTuple):
    """A constraint as it was written down."""

    clauses: list[list[int]]
    native: list[tuple[list[int], int]]
    top: int  # the highest variable in use


def known_encoding(name: str) -> str:
    """The name of an encoding, or the error that lists them.

    >>> known_encoding("totalizer")
    'totalizer'
    """
    if name not in ENCODINGS:
        raise UnknownName.of("encoding", name, ENCODINGS)
    return name


def exactly(groups: Sequence[Group], need: int, guard: int, top: int, encoding: str = DEFAULT) -> Written:
    """Write down: if `guard`, then exactly `need` literals of the groups are true.

    Auxiliary variables are numbered from `top` + 1.

    >>> exactly([(1,), (2, 3)], need=1, guard=4, top=4).clauses
    [[-4, -3], [-4, -1, -2], [-4, 1, 2]]
    """
    literals = [literal for group in groups for literal in group]
    if not 0 <= need <= len(literals):
        return Written([[-guard]], [], top)
    if need in (0, len(literals)):
        sign = 1 if need else -1
        return Written([[-guard, sign * literal] for literal in literals], [], top)
    if encoding == "direct":
        return Written(_direct(groups, need, guard), [], top)
    if encoding == NATIVE:
        return _native(literals, need, guard, top)
    from pysat.card import CardEnc, EncType

    if encoding in ONE_ONLY and need not in (1, len(literals) - 1):
        encoding = FALLBACK
    found = CardEnc.equals(literals, bound=need, top_id=top, encoding=getattr(EncType, encoding))
    return Written([[-guard, *clause] for clause in found.clauses], [], max(top, found.nv))


def _direct(groups: Sequence[Group], need: int, guard: int) -> list[list[int]]:
    sizes = tuple(map(len, groups))
    mirrored = [group[::-1] for group in groups]
    too_many = [[-guard, *(-groups[g][t] for g, t in way)] for way in _ways(sizes, need + 1)]
    # The same for false literals, which are counted from the far end of each group.
    too_few = [[-guard, *(mirrored[g][t] for g, t in way)] for way in _ways(sizes, sum(sizes) - need + 1)]
    return too_many + too_few


@lru_cache(maxsize=4096)
def _ways(sizes: tuple[int, ...], total: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every way to split `total` into groups of these sizes: pairs (group, its share − 1), no zero shares."""

    def extend(g: int, left: int, room: int) -> Iterator[tuple[tuple[int, int], ...]]:
        if left == 0:
            yield ()
            return
        if left > room:
            return
        for share in range(min(sizes[g], left) + 1):
            head = ((g, share - 1),) if share else ()
            for tail in extend(g + 1, left - share, room - sizes[g]):
                yield head + tail

    return tuple(extend(0, total, sum(sizes)))


def _native(literals: list[int], need: int, guard: int, top: int) -> Written:
    """Two at-most constraints; copies of the guard fill them up, so that without it they say nothing.

    Solvers want the literals of a constraint to be distinct, hence copies and not the guard many times.
    """
    copies = list(range(top + 1, top + 1 + max(need, len(literals) - need)))
    clauses = [[-guard, copy] for copy in copies]
    native = [
        (literals + copies[: len(literals) - need], len(literals)),
        ([-literal for literal in literals] + copies[:need], len(literals)),
    ]
    return Written(clauses, native, top + len(copies))


class AssumableBounds:
    """Bounds on the number of true literals, to be assumed: a pair of incremental totalizers.

    `at_most(k)` and `at_least(k)` are literals that enforce the bound when they are true; None where it holds
    anyway. Only bounds up to `highest`, and from `lowest` on, are prepared.

    >>> limits = AssumableBounds([1, 2, 3], lowest=2, highest=1, top=3)
    >>> limits.at_most(3) is None, limits.at_most(1) is None, limits.at_least(0) is None
    (True, False, True)
    """

    def __init__(self, literals: Sequence[int], lowest: int, highest: int, top: int) -> None:
        from pysat.card import ITotalizer

        self.clauses: list[list[int]] = []
        self.top = top
        self._size = len(literals)
        self._over: list[int] = []
        self._under: list[int] = []
        if 0 <= highest < self._size:
            with ITotalizer(list(literals), ubound=highest, top_id=self.top) as over:
                self._over, self.top = over.rhs, max(self.top, over.top_id)
                self.clauses += over.cnf.clauses
        if 0 < lowest <= self._size:
            negated = [-literal for literal in literals]
            with ITotalizer(negated, ubound=self._size - lowest, top_id=self.top) as under:
                self._under, self.top = under.rhs, max(self.top, under.top_id)
                self.clauses += under.cnf.clauses

    def at_most(self, bound: int) -> int | None:
        """The literal that enforces "at most `bound`", which must be 0 or more and prepared."""
        return None if bound >= self._size else -self._over[bound]

    def at_least(self, bound: int) -> int | None:
        """The literal that enforces "at least `bound`", which must be possible and prepared."""
        return None if bound <= 0 else -self._under[self._size - bound]
