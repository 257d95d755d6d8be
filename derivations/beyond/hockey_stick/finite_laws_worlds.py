"""Hockey-stick divergences of finite laws in exact worlds: channels, adaptive steps, and the two orders of a pair.

A law is a row of rational weights, a channel one row of weights for each point. Nothing is Gaussian here: looked at is
what the proofs use of a divergence, as a whole, where the claims have it step by step.
"""

from collections.abc import Sequence
from typing import TypeAlias

from ...exact_worlds import *

Law: TypeAlias = tuple[Number, ...]


def _law(weights: Sequence[Number]) -> Law:
    """The weights as shares of their sum."""
    require(all(w >= 0 for w in weights) and any(weights))
    total = sum(weights)
    return tuple(w / total for w in weights)


def stick(p: Law, q: Law, level: Number) -> Number:
    """The hockey-stick divergence at e^epsilon = `level`."""
    return sum(max(a - level * b, a * 0) for a, b in zip(p, q, strict=True))


def through(law: Law, channel: Sequence[Sequence[Number]]) -> Law:
    """The law after a channel."""
    rows = [_law(row) for row in channel]
    return tuple(sum(a * row[k] for a, row in zip(law, rows, strict=True)) for k in range(len(rows[0])))


def channel(world: World, one: bool = True) -> Slack:
    """No channel makes the divergence larger, at any level."""
    p, q, level = _law(world["p"]), _law(world["q"]), world["level"]
    require(level > 0)
    after = stick(through(p, world["first"]), through(q, world["first" if one else "other"]), level)
    return at_most(after, stick(p, q, level))


def adaptive(world: World, steps: int = 2) -> Slack:
    """Two steps, the second chosen by the outcome of the first, each a channel of one pair, against that pair twice."""
    p, q, level = _law(world["p"]), _law(world["q"]), world["level"]
    require(level > 0)
    first_p, first_q = (through(law, world["first"]) for law in (p, q))
    found = 0 * level
    for a, b, second in zip(first_p, first_q, world["second"], strict=True):
        after_p, after_q = (through(law, second) for law in (p, q))
        found += sum(max(a * x - level * b * y, level * 0) for x, y in zip(after_p, after_q, strict=True))
    twice = sum(stick(tuple(a * x for x in p), tuple(b * y for y in q), level) for a, b in zip(p, q, strict=True))
    return at_most(found, twice if steps == 2 else stick(first_p, first_q, level))


def two_orders(world: World, rises: bool = True) -> Slack:
    """A quotient of densities at opposite losses that grows makes the first order the worse one at every level.

    The losses are multiples of one number, and both orders agree at level 0, by the choice of the last density.
    """
    u, below, growth = world["u"], world["below"], world["growth"]
    require(0 < u < 1 and all(x > 0 for x in below) and all(x > 0 for x in growth))
    quotients = [sum(growth[: k + 1]) for k in range(len(growth))]
    require(quotients[0] < 1)
    gaps = [(r - 1) * b for r, b in zip(quotients, below, strict=True)]
    lacking = -sum((1 - u ** (k + 1)) * g for k, g in enumerate(gaps))
    last = lacking / (1 - u ** (len(gaps) + 1))
    require(last >= 0)
    gaps.append(last)
    order = gaps if rises else gaps[::-1]
    levels = range(len(gaps))
    return every(
        *(
            Slack(sum((1 - u ** (k - j)) * order[k] for k in range(j + 1, len(order))), sum(map(abs, order)))
            for j in levels
        )
    )


def _weights(generator: Random, count: int) -> Law:
    return tuple(size(generator) for _ in range(count))


def _channel(generator: Random, points: int, outcomes: int) -> tuple[Law, ...]:
    """Rows that may come close to a map."""
    rows = []
    for _ in range(points):
        row = list(_weights(generator, outcomes))
        row[int(generator.integers(0, outcomes))] *= 60 if generator.random() < 0.5 else 1
        rows.append(tuple(row))
    return tuple(rows)


def _pairs(generator: Random) -> World:
    points, outcomes = int(generator.integers(2, 4)), int(generator.integers(2, 4))
    return {
        "p": _weights(generator, points),
        "q": _weights(generator, points),
        "first": _channel(generator, points, outcomes),
        "other": _channel(generator, points, outcomes),
        "second": tuple(_channel(generator, points, outcomes) for _ in range(outcomes)),
        "level": size(generator, 3),
    }


def _losses(generator: Random) -> World:
    count = int(generator.integers(2, 5))
    return {
        "u": Fraction(int(generator.integers(1, 12)), 12),
        "below": _weights(generator, count),
        "growth": tuple(size(generator, 2) / (2 * count) for _ in range(count)),
    }


CHANNEL = lens("finite laws through a channel", channel, _pairs, {"two channels": {"one": False}})
ADAPTIVE = lens("two adaptive steps of finite laws", adaptive, _pairs, {"the first step alone": {"steps": 1}})
TWO_ORDERS = lens("both orders of finite losses", two_orders, _losses, {"from plus to minus": {"rises": False}})
