"""The privacy cost of one node's method as plain data: parameters, one release, all releases, and the open points.

Plain data, since it is written into records: no infinity, which JSON does not have, and no fraction.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from rgm_verify.numbers.bounds import Bounds, round_down, round_up


@dataclass(frozen=True)
class Cost:
    """`lower <= truth <= upper` of a privacy number, certified.

    Attributes:
        lower: rounded down; None where every bound fails: the number is infinite.
        upper: rounded up; None where nothing is guaranteed.

    Examples:
        >>> Cost.exactly(Fraction(1, 4)).times(3)
        Cost(lower=0.75, upper=0.75)
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
        # Both ends are one float where the number is one; else they are neighbours.
        return cls(round_down(value), round_up(value))

    def times(self, count: int) -> Cost:
        """Return the bounds of `count` times the number, rounded outward."""
        # An infinite number stays infinite, and one without a guarantee gets none by being repeated.
        lower = None if self.lower is None else round_down(count * Fraction(self.lower))
        upper = None if self.upper is None else round_up(count * Fraction(self.upper))
        return Cost(lower, upper)


NOTHING = Cost(None, None)
"""No finite number."""


@dataclass(frozen=True)
class NodeAccount:
    """The privacy of one node, as plain data; every float of a parameter is the exact binary number in use.

    Divergences are Renyi divergences at `order`, in nats. The costs of what is not run, or has no noise, are `NOTHING`.

    Attributes:
        method: its name.
        basis: "none", "printed", "vouched" or "exact": what the parameters rest on.
        noise: "none", "gaussian" or "relative".
        node: 1 or 2.
        records: of the node, each as often as it counts.
        divisor: N of the formulas in use.
        dimension: of the gradient.
        neighbours: which data sets are neighbours.
        order: the Renyi order.
        aim: the level that a release is meant to have.
        eta: the relative sensitivity in use.
        r_rel: its absolute part.
        gamma: the noise ratio; None where an infeasible method is not run.
        sigma2: the baseline variance; None as `gamma`.
        clip: the clipping threshold.
        vouched_eta: the relative sensitivity that is proved.
        vouched_r_rel: its absolute part; for clipping this alone.
        sensitivity_from: what the proved sensitivity needs.
        release: encloses the level of one release over all neighbours that the vouched sensitivity allows.
        reached: a level that these data and an explicit neighbour have.
        reached_anywhere: one that two data sets within the bounds on records have, where nothing is tested.
        unbounded: whether that is infinite; then it is None.
        largest_order: divergences are finite below it; None: all orders.
        iterations: the number of releases.
        total: the level of all of them.
        delta: at which `epsilon` is.
        epsilon: of all releases at `delta`.
        feasible: whether there is a `gamma` with that `aim`.
        floor: the least level that any `gamma` reaches.
        reason: why it is not feasible.
        test_distance: how many records must change before propose-test-release fails; None: no test.
        test_delta: what the test contributes to delta at the cost of `level`; None: no test is needed.
        caveats: sentences on what is unfair or not guaranteed.
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
        # A list, as JSON gives one back: a record that was read equals the one that was written.
        return {**asdict(self), "caveats": list(self.caveats)}
