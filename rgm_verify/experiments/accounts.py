"""The privacy cost of one node's method as plain data: parameters, one release, all releases, and the open points."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from rgm_verify.numbers.bounds import Bounds, round_down, round_up


@dataclass(frozen=True)
class Cost:
    """`lower <= truth <= upper` of a privacy number, certified; `upper` is None where nothing is guaranteed.

    `lower` is None where every bound fails: the number is infinite.
    """

    lower: float | None
    upper: float | None

    @classmethod
    def of(cls, bounds: Bounds) -> Cost:
        """Return the bounds as plain data, without infinities."""
        return cls(*(None if math.isinf(end) else end for end in (bounds.lower, bounds.upper)))

    @classmethod
    def exactly(cls, value: Fraction) -> Cost:
        """Return a number that is known exactly, rounded outward."""
        return cls(round_down(value), round_up(value))

    def times(self, count: int) -> Cost:
        """Return the bounds of `count` times the number, rounded outward."""
        lower = None if self.lower is None else round_down(count * Fraction(self.lower))
        upper = None if self.upper is None else round_up(count * Fraction(self.upper))
        return Cost(lower, upper)


NOTHING = Cost(None, None)
"""No finite number."""


@dataclass(frozen=True)
class NodeAccount:
    """The privacy of one node, as plain data; every float of a parameter is the exact binary number in use.

    `basis` is "none", "printed", "vouched" or "exact"; `noise` is "none", "gaussian" or "relative". `aim` is the Renyi
    level at `order` that a release is meant to have and `release` encloses what it has, over all neighbours that the
    vouched sensitivity (`vouched_eta`, `vouched_r_rel`; for clipping `vouched_r_rel` alone) allows. `reached` is a
    level that these data and an explicit neighbour have, `reached_anywhere` one that two data sets within the bounds on
    records have, where nothing is tested; `unbounded` says that the latter is infinite, and then it is None.
    Divergences are finite below `largest_order` (None: all orders). `total` is the level of all iterations at `order`;
    `epsilon` is theirs at `delta`. The costs of what is not run, or has no noise, are `NOTHING`.

    `feasible` says whether there is a `gamma` with that `aim`; `floor` is the level that no `gamma` gets below. An
    infeasible method is not run, and then `gamma` and `sigma2` are None. `test_distance` is how many records must
    change before propose-test-release fails, `test_delta` what it then contributes to delta at the cost of `level`
    (None: no test is needed). `caveats` are sentences on what is unfair or not guaranteed.
    """

    method: str
    basis: str
    noise: str
    node: int
    records: int
    divisor: int
    dimension: int
    neighbours: str
    order: float
    aim: float | None
    eta: float | None = None
    r_rel: float | None = None
    gamma: float | None = None
    sigma2: float | None = None
    clip: float | None = None
    vouched_eta: float | None = None
    vouched_r_rel: float | None = None
    sensitivity_from: str = ""
    release: Cost = NOTHING
    reached: float | None = None
    reached_anywhere: float | None = None
    unbounded: bool = False
    largest_order: float | None = None
    iterations: int = 0
    total: Cost = NOTHING
    delta: float | None = None
    epsilon: Cost = NOTHING
    feasible: bool = True
    floor: float | None = None
    reason: str = ""
    test_distance: float | None = None
    test_delta: float | None = None
    caveats: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the account as plain data."""
        return {**asdict(self), "caveats": list(self.caveats)}
