"""Compiled: components, the rest and the mine total put together.

Each component has a polynomial, the number of its placements by mine count; the rest of n cells has the
binomials C(n, j). Layouts of the board are choices of one mine count for each that add up to the total. For
the backward pass, every component needs the *weight* of each of its mine counts: how many ways everything
else has to hold the remaining mines. All weights come from one sweep from the left and one from the right.

These numbers span hundreds of orders of magnitude. Multiplying the coefficient of m mines by λ^m, for every
component and the rest alike, multiplies every layout by the same λ^total, so it changes no answer; choosing
λ such that the expected total under these weights is the real one puts the real total in the middle of
every distribution, where doubles are accurate. λ is given by its logarithm, the *tilt*; the polynomials may
come with a tilt of their own, the *base*. Positive numbers that would still fall below TINY are lifted to
it: positive always means possible.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msat._jit import kernel, leaf
from msat.engines.counting._kernels.backward import CAN_BE_MINE, CAN_BE_SAFE
from msat.engines.counting._kernels.tape import TINY
from msat.problem._kernels.workspace import take_floats, take_longs

__all__ = ["LEAST_MASS", "combine", "logarithms", "sums_ahead", "tilt_polynomials"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# A total less likely than this under the balanced weights is beyond doubles.
LEAST_MASS = 1e-150

# The tilt is looked for between these, where a mine weighs e^60 times as much as none, or as little …
STEEPEST = 60.0
MOST_STEPS = 60  # … in so many steps: halving the bracket alone would come close enough


@leaf
def _expected(
    logs: Floats, poly_at: Ints, low: Ints, rest: int, base: float, tilt: float
) -> tuple[float, float]:
    """Mean and variance of the total, with the coefficient of m mines multiplied by exp(tilt · m)."""
    odds = np.exp(-abs(tilt))
    p = odds / (1.0 + odds) if tilt < 0 else 1.0 / (1.0 + odds)
    mean = rest * p
    more = tilt - base  # what the polynomials do not have yet
    variance = mean * (1.0 - p)
    for k in range(low.size):
        first = poly_at[k]
        last = poly_at[k + 1] - 1
        top = -np.inf
        for i in range(first, last + 1):
            top = max(top, logs[i] + more * (i - first))
        total = 0.0
        one = 0.0
        two = 0.0
        for i in range(first, last + 1):
            weight = np.exp(logs[i] + more * (i - first) - top)
            total += weight
            one += weight * (i - first)
            two += weight * (i - first) * (i - first)
        mean += low[k] + one / total
        variance += two / total - (one / total) * (one / total)
    return mean, variance


@leaf
def _balance(
    logs: Floats, poly_at: Ints, low: Ints, rest: int, unknown: int, mines: int, base: float
) -> float:
    """The tilt at which the expected total is about `mines`: Newton's method, held inside a bracket."""
    left = -STEEPEST
    right = STEEPEST
    tilt = float(np.log((mines + 0.5) / (unknown - mines + 0.5)))
    for _ in range(MOST_STEPS):
        mean, variance = _expected(logs, poly_at, low, rest, base, tilt)
        if abs(mean - mines) <= 0.5:
            break
        if mean < mines:
            left = tilt
        else:
            right = tilt
        tilt += (mines - mean) / max(variance, 1e-6)
        if not left < tilt < right:
            tilt = 0.5 * (left + right)
    return tilt


@leaf
def _normalize(values: Floats) -> None:
    """Divide by the largest; what is positive stays so."""
    largest = 0.0
    for i in range(values.size):
        largest = max(largest, values[i])
    if largest > 0.0:
        for i in range(values.size):
            if values[i] > 0.0:
                values[i] = max(values[i] / largest, TINY)


@kernel
def logarithms(poly: Floats, workspace: Ints) -> Floats:
    """The logarithm of every coefficient, −∞ for zero."""
    logs = take_floats(workspace, poly.size)
    for i in range(poly.size):
        logs[i] = np.log(poly[i]) if poly[i] > 0.0 else -np.inf
    return logs


@kernel
def tilt_polynomials(
    poly: Floats, logs: Floats, poly_at: Ints, more: float, weight: Floats, workspace: Ints
) -> Floats:
    """Every component's polynomial, tilted by `more` and divided by its largest coefficient.

    What each coefficient was multiplied with goes to `weight`.
    """
    tilted = take_floats(workspace, poly.size)
    for k in range(poly_at.size - 1):
        for i in range(poly_at[k], poly_at[k + 1]):
            tilted[i] = logs[i] + more * (i - poly_at[k])
        top = np.max(tilted[poly_at[k] : poly_at[k + 1]])
        for i in range(poly_at[k], poly_at[k + 1]):
            if poly[i] > 0.0:
                factor = more * (i - poly_at[k]) - top
                tilted[i] = max(np.exp(logs[i] + factor), TINY)
                weight[i] = max(np.exp(factor), TINY)
            else:
                tilted[i] = 0.0
                weight[i] = 0.0
    return tilted


@kernel
def sums_ahead(
    tilted: Floats, poly_at: Ints, low: Ints, rest: int, mines: int, tilt: float, workspace: Ints
) -> tuple[Ints, Floats]:
    """(start, ahead): what components k … and the rest weigh together, by mines that those before k hold.

    ahead[start[k] + s], in proportion for each k, is for s mines beyond their least in those before.
    """
    count = low.size
    start = take_longs(workspace, count + 2)
    start[0] = 0
    span = 1
    for k in range(count):
        start[k + 1] = start[k] + span
        span += poly_at[k + 1] - poly_at[k] - 1
    start[count + 1] = start[count] + span
    ahead = take_floats(workspace, start[count + 1])
    ahead[:] = 0.0
    _rest_weights(ahead[start[count] :], rest, mines - low.sum(), tilt)
    for k in range(count - 1, -1, -1):
        here = ahead[start[k] : start[k + 1]]
        there = ahead[start[k + 1] : start[k + 2]]
        for s in range(here.size):
            total = 0.0
            possible = False
            for i in range(poly_at[k], poly_at[k + 1]):
                a = tilted[i]
                b = there[s + i - poly_at[k]]
                total += a * b
                possible |= a > 0.0 and b > 0.0
            here[s] = max(total, TINY) if possible else 0.0
        _normalize(here)
    return start, ahead


@kernel(apart=True)
def combine(
    poly: Floats,
    poly_at: Ints,
    low: Ints,
    rest: int,
    unknown: int,
    mines: int,
    base: float,
    weight: Floats,
    workspace: Ints,
) -> tuple[float, float, int, float]:
    """Weights of every component's mine counts (into `weight`, laid out like `poly`), and the rest.

    Component k has coefficients poly[poly_at[k] : poly_at[k + 1]] for low[k], low[k] + 1, … mines, tilted
    by `base`. Returns (mass, probability of a mine in a rest cell, what a rest cell can be, tilt). A mass
    of zero means that no layout has this total; one below LEAST_MASS that doubles cannot tell.
    """
    count = low.size
    least = low.sum()
    free = workspace[0]
    logs = logarithms(poly, workspace)
    tilt = _balance(logs, poly_at, low, rest, unknown, mines, base)
    more = tilt - base

    tilted = tilt_polynomials(poly, logs, poly_at, more, weight, workspace)
    start, ahead = sums_ahead(tilted, poly_at, low, rest, mines, tilt, workspace)
    ends = ahead[start[count] :]

    # From the left: behind[s] is the mass of components before k with s mines beyond the least.
    behind = take_floats(workspace, 1)
    behind[0] = 1.0
    for k in range(count):
        there = ahead[start[k + 1] : start[k + 2]]
        longer = take_floats(workspace, there.size)
        longer[:] = 0.0
        for i in range(poly_at[k], poly_at[k + 1]):
            offset = i - poly_at[k]
            total = 0.0
            possible = False
            for s in range(behind.size):
                total += behind[s] * there[s + offset]
                possible |= behind[s] > 0.0 and there[s + offset] > 0.0
                if tilted[i] > 0.0 and behind[s] > 0.0:
                    longer[s + offset] += max(behind[s] * tilted[i], TINY)
            weight[i] = max(weight[i] * total, TINY) if possible and poly[i] > 0.0 else 0.0
        _normalize(weight[poly_at[k] : poly_at[k + 1]])
        _normalize(longer)
        behind = longer

    mass = 0.0
    in_rest = 0.0
    can = 0
    possible = False
    for s in range(behind.size):
        if behind[s] > 0.0 and ends[s] > 0.0:
            possible = True
            j = mines - least - s
            mass += behind[s] * ends[s]
            in_rest += behind[s] * ends[s] * j
            if j < rest:
                can |= CAN_BE_SAFE
            if j > 0:
                can |= CAN_BE_MINE
    if possible:
        mass = max(mass, TINY)
    probability = in_rest / (mass * rest) if mass > 0.0 and rest > 0 else 0.0
    workspace[0] = free
    return mass, probability, can, tilt


@leaf
def _rest_weights(ends: Floats, rest: int, left: int, tilt: float) -> None:
    """ends[s] ∝ C(rest, left − s) · exp(tilt · (left − s)), at most 1; zero where it is impossible."""
    fewest = max(0, left - ends.size + 1)
    most = min(rest, left)
    if fewest > most:
        return
    # Begin where the terms are largest and go both ways by their ratios.
    odds = np.exp(tilt)
    top = min(max(int((rest + 1) * odds / (1.0 + odds)), fewest), most)
    value = 1.0
    ends[left - top] = value
    for j in range(top, most):
        value = max(value * odds * (rest - j) / (j + 1), TINY)
        ends[left - j - 1] = value
    value = 1.0
    for j in range(top, fewest, -1):
        value = max(value * j / ((rest - j + 1) * odds), TINY)
        ends[left - j + 1] = value
