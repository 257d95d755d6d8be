r"""Privacy-loss integrals of one pair of isotropic Gaussians by a trapezoid rule whose whole error is bounded.

`P = N(D e_1, v I_d)` against `Q = N(0, I_d)`, `w = v - 1`, `L = log dP/dQ`, and `K(s) = log E_P exp(s L)`
`= D^2 s (s + 1) / (2 q) - (d/2) (log q + s log v)` on `q = 1 - s w > 0`.  By Laplace inversion, for `0 < Re s`,

    H_x(P||Q) = 1/(2 pi i) int exp(K(s) - s x) / (s (s + 1)) ds,     P[L > x]: kernel 1/s,
    Q[L > x] = exp(-x) times the integral with kernel 1/(s + 1), for -1 < Re s.

**Path.** `s = t - w t^2 / 4`, so `q = r^2` with `r = 1 - w t / 2`, on a line `Re t = c` where `r` has a positive real
part `rho`: the vertical line bent towards the decay of the integrand.  With `A = D^2 / (2 w^2)` and
`B = A + ((d/2) log v + x) / w` the integrand is a constant times `exp(A v / r^2 + B r^2) r^(1-d)` times the kernel in
`s`, and `ds = r dt`.  Between both paths nothing is singular, `Re q` is bounded from above, and arcs vanish.  When
`B w^2 / 4 = beta = D^2 / 8 + w ((d/2) log v + x) / 4 <= 0`, `x` lies beyond the end of the range of `L` and nothing
needs to be integrated.

**Size.** On `t = c + i y`, with `U = (w y / 2)^2`: `Re r^2 = rho^2 - U`, `Re 1/r^2 = (rho^2 - U) / (rho^2 + U)^2 <= 1 /
rho^2`, and `|r|^(1-d)`, `1/|s| = 2 / (|t| |1 + r|)`, `1/|s + 1| = |w| / |r^2 - v|` decrease in `|y|`.  So
`|G(c + i y)| <= |G(c)| exp(-beta y^2)`.  The derivative of `Re 1/r^2` in `U` is `(U - 3 rho^2) / (rho^2 + U)^3`, at
most `1 / (108 rho^4)` (at `U = 5 rho^2`, from where it decreases): past a node `Y = N h` the integrand falls at least
like `exp(-beta' (y^2 - Y^2))`, `beta' = beta - (D^2 v / 8) max_{U >= U_N} (U - 3 rho^2) / (rho^2 + U)^3`, and the nodes
left out are bounded by a geometric series.

**Step.** By Poisson's summation the rule `h/(2 pi) sum_k G(c + i k h)` is `sum_j I_j`, where `I_j` is the integral with
the factor `exp(-p j (t - c))`, `p = 2 pi / h`.  Moving its line to `Re t = b`, `b > c` for `j > 0` and `b < c` for
`j < 0`, gives `|I_j| <= |G(b)| sqrt(pi / beta) / (2 pi) exp(-p |j| |b - c|)`, and a pole `a` between the lines adds its
residue `R` times a geometric series.  In all, a pole between the outer lines contributes `R / (1 - exp(-p (a - c)))` to
what must be added to the rule, one further left nothing, one further right `R`.  The poles are `t = 0` (`s = 0`,
residue 1) and `t = -2 / (1 + sqrt v)` (`s = -1`, residue `-exp(x)` for `H`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction

from flint import acb, arb

from rgm_verify.balls.arithmetic import ball, precision
from rgm_verify.gaussians.certified.probability import MAXIMUM_BITS
from rgm_verify.gaussians.certified.steering import Exponent, Plan, plan, plan_above

__all__ = ["Line", "Quantity", "Side", "lay"]

MAXIMUM_NODES = 20_000
_FLOAT_BITS = 40


class Side(Enum):
    """The tail of a pole: `ABOVE` counts its residue from the right, `BELOW` less the whole residue."""

    ABOVE = "above"
    BELOW = "below"


class Quantity(Enum):
    """A quantity of the pair at `x`: the sides of the poles `s = 0` and `s = -1`, and the sign.

    A quantity and its opposite differ in residues and sign alone.
    """

    HOCKEY_STICK = (Side.ABOVE, Side.ABOVE, 1)
    COMPLEMENT = (Side.BELOW, Side.ABOVE, -1)
    SURVIVAL_P = (Side.ABOVE, None, 1)
    CDF_P = (Side.BELOW, None, -1)
    SURVIVAL_Q = (None, Side.ABOVE, 1)
    CDF_Q = (None, Side.BELOW, -1)

    @property
    def opposite(self) -> Quantity:
        """The quantity that adds to 1 with this one."""
        pairs = ("HOCKEY_STICK", "COMPLEMENT"), ("SURVIVAL_P", "CDF_P"), ("SURVIVAL_Q", "CDF_Q")
        names = {**dict(pairs), **{second: first for first, second in pairs}}
        return Quantity[names[self.name]]

    @property
    def sides(self) -> tuple[Side | None, Side | None]:
        """The sides of the poles `s = 0` and `s = -1`, None for a pole that the kernel lacks."""
        return self.value[0], self.value[1]

    @property
    def sign(self) -> int:
        """The sign of the integral."""
        return int(self.value[2])


# ------------------------------------------------------------------------------------------------ steering


def lay(
    shift_squared: Fraction,
    excess: Fraction,
    dimension: int,
    x: Fraction,
    quantity: Quantity,
    nats: float,
    *,
    above: bool = False,
) -> Plan | None:
    """Return a line for `nats` of relative accuracy at `x`; None beyond the range of floats.

    It steers only: `Line` computes a certified ball on any line, and a poor line gives a wide one.

    Args:
        shift_squared: the pair as in `GaussianPair`, unchecked.
        excess: the same.
        dimension: the same.
        x: the level of the loss, in nats.
        quantity: the integral that is asked for.
        nats: the relative accuracy to aim at, as `-log`.
        above: whether the strip has to lie to the right of all poles.
    """
    try:
        v, numbers = float(1 + excess), _slope_and_decay(shift_squared, excess, dimension, x)
        exponent = Exponent(float(shift_squared), float(excess), v, dimension, *numbers)
        zero, minus_one = quantity.sides
        second = -2 / (1 + math.sqrt(v))
        poles = [place for place, side in ((0.0, zero), (second, minus_one)) if side is not None]

        def kernel(t: float) -> float:
            s = exponent.order(t)
            first = math.log(abs(s)) if zero is not None else 0.0
            return -first - (math.log(abs(s + 1)) if minus_one is not None else 0.0)

        def goal(t: float, curvature: float) -> float:
            return _goal(exponent, kernel, poles, quantity, float(x), t, curvature)

        found = (
            plan_above(exponent, kernel, max(poles), nats, goal) if above else plan(exponent, kernel, poles, nats, goal)
        )
    # Floats end long before balls do; the caller has Chernoff's bound for what is beyond them.
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    sizes = (found.centre, found.step, found.left, found.right, found.goal, found.size)
    ordered = found.left < found.centre < found.right and found.step > 0
    return found if ordered and all(map(math.isfinite, sizes)) else None


def _slope_and_decay(shift_squared: Fraction, excess: Fraction, dimension: int, x: Fraction) -> tuple[float, float]:
    """Return `m = (d/2) log v + x` and `beta = D^2 / 8 + w m / 4`, each a difference with some digits left."""
    bits = 64
    while True:
        with precision(bits):
            slope = ball(1 + excess).log() * dimension / 2 + ball(x)
            decay = (ball(shift_squared / 2) + ball(excess) * slope) / 4
            # Exact inputs, so that more bits always settle it, unless the difference is 0 to 4096 bits.
            if min(slope.rel_accuracy_bits(), decay.rel_accuracy_bits()) >= _FLOAT_BITS or bits > MAXIMUM_BITS:
                return float(slope.mid()), float(decay.mid())
        bits *= 2


def _goal(
    exponent: Exponent,
    kernel: Callable[[float], float],
    poles: Sequence[float],
    quantity: Quantity,
    x: float,
    t: float,
    curvature: float,
) -> float:
    """Return about the logarithm of the integral and its residues: Laplace's method, one pole taken into account.

    It sets the absolute accuracy that the line aims at. A poor guess costs time or width; the certified half bounds the
    result on its own.
    """
    below = quantity.sign == -1
    pole = poles[-1] if quantity is Quantity.SURVIVAL_Q or quantity is Quantity.CDF_Q else 0.0
    whole = x if pole else 0.0
    distance = pole - t if below else t - pole
    spread = 1 / math.sqrt(curvature)
    if distance < -spread:
        # The bulk of the loss lies on the side asked for.
        whole += math.log(-math.expm1(distance * curvature)) if quantity is Quantity.HOCKEY_STICK else -1.0
        return max(whole, _floor(quantity, x))
    nearest = distance / 2 + math.sqrt(distance * distance / 4 + spread * spread)
    point = pole - nearest if below else pole + nearest
    least = min(exponent.root(t), exponent.root(pole)) / 4
    if exponent.root(point) < least:
        point = 2 * (1 - least) / exponent.excess
    if quantity is Quantity.COMPLEMENT and point <= poles[-1] + spread:
        return min(x, 0.0) - 1
    laplace = exponent.value(point) + kernel(point) - math.log(2 * math.pi * curvature) / 2
    return min(whole, laplace)


def _floor(quantity: Quantity, x: float) -> float:
    """Return the logarithm of 1 - exp(x), below which no hockey-stick divergence lies."""
    return math.log(-math.expm1(x)) if quantity is Quantity.HOCKEY_STICK and x < 0 else -math.inf


# ---------------------------------------------------------------------------------------------- certified


class Line:
    """The nodes of one plan for one pair, at the precision in force when it is made; valid for every `x`.

    The nodes hold the factor `exp(-s origin)`, so that values at `x` near `origin` need one exponential a node.

    Args:
        shift_squared: the pair as in `GaussianPair`, unchecked.
        excess: the same.
        dimension: the same.
        laid: the plan, as `lay` makes it; any plan gives a ball that holds the value.
        quantity: the integral that is asked for.
    """

    def __init__(
        self,
        shift_squared: Fraction,
        excess: Fraction,
        dimension: int,
        origin: Fraction,
        laid: Plan,
        quantity: Quantity,
    ) -> None:
        self.plan, self.quantity, self.dimension = laid, quantity, dimension
        self.zero, self.minus_one = quantity.sides
        self.half_shift, self.w = ball(shift_squared) / 2, ball(excess)
        self.v = ball(1 + excess)
        # `log1p` for a small excess, and the logarithm where 1 plus it is the accurate one.
        self.half_log = self.v.log() * dimension / 2 if excess <= Fraction(-1, 2) else self.w.log1p() * dimension / 2
        self.origin = origin
        self.slope = self.half_log + ball(origin)
        self.centre, self.step = arb(laid.centre), arb(laid.step)
        self.root = 1 - self.w * self.centre / 2
        self.rate = 2 * arb.pi() / self.step
        self.second = -2 / (1 + self.v.sqrt())
        self.orders: list[acb] = []
        self.values: list[acb] = []
        self.outer = [self.node(arb(side), arb(0)) for side in (laid.left, laid.right)]
        self._forms: list[tuple[arb, arb, arb]] | None = None
        self._fill(self.decay(ball(origin)))

    def decay(self, x: arb) -> arb:
        """Return `beta` at `x`."""
        return self.half_shift / 4 + self.w * (self.half_log + x) / 4

    def node(self, real: arb, imaginary: arb) -> tuple[acb, acb]:
        """Return `s` and the integrand `G` in `t` at `t = real + i imaginary`, `x = origin`."""
        rho = 1 - self.w * real / 2
        r = acb(rho, -self.w * imaginary / 2)
        s = acb(real - self.w * (real * real - imaginary * imaginary) / 4, imaginary * rho)
        # The factor `r` of `ds` is multiplied in below, so that the power of r here is `-d` and there `1 - d` comes
        # out.
        exponent = -r.log() * self.dimension - s * self.slope
        product = s * (s + 1)
        exponent += product * self.half_shift / (r * r)
        kernel = s + 1 if self.zero is None else s if self.minus_one is None else product
        return s, exponent.exp() * r / kernel

    def _fill(self, decay: arb) -> None:
        """Compute nodes until those left out are below the accuracy aimed at."""
        small = arb(self.plan.goal - self.plan.nats).exp() * self.rate
        while len(self.values) < MAXIMUM_NODES:
            s, value = self.node(self.centre, self.step * len(self.values))
            self.orders.append(s)
            self.values.append(value)
            # The cheap test first; the bound of all that is left out is asked only when the last node is small.
            if value.abs_upper() < small and self._left_out(value, decay) < small:
                return

    def _left_out(self, last: acb, decay: arb) -> arb:
        """Return a bound of the sum of |G| over the last node and all behind it; infinite where none is certain."""
        return last.abs_upper() * self.tail_factor(decay)

    def tail_factor(self, decay: arb) -> arb:
        """Return a bound of that sum over the modulus of the last node; it does not grow with the decay."""
        count = len(self.values) - 1
        step = self.step
        steepest = _steepest((self.w * step * count / 2) ** 2, self.root * self.root)
        rate = 2 * count * step * step * (decay - self.half_shift * self.v * steepest / 4)
        return -1 / (-rate).expm1() if rate > 0 else arb.pos_inf()

    def at(self, x: Fraction) -> arb:
        """Return a ball around the quantity at `x`; infinite where no bound is certain, as for `beta <= 0`."""
        point = ball(x)
        decay = self.decay(point)
        if not self.serves(decay):
            return _everything()
        values, outer = self._moved(self.origin - x)
        total = values[0].real
        for value in values[1:-1]:
            # Nodes above and below the axis are conjugate.
            total += 2 * value.real
        # `_left_out` counts the last node as well, which was left out of the sum above.
        radius = 2 * self._left_out(values[-1], decay) / self.rate + self._aliases(outer, decay)
        integral = total / self.rate + arb(0, radius.upper()) if radius.is_finite() else _everything()
        found = self.quantity.sign * (integral + self._residues(point))
        # Under Q the factor `exp(-x)` stands before the whole integral.
        return found if self.zero is not None else found * (-point).exp()

    def serves(self, decay: arb) -> bool:
        """Tell whether the line and both outer ones stay where the path is defined and the integrand falls off."""
        if not (decay > 0 and self.root > 0):
            return False
        return all(bool(1 - self.w * arb(place) / 2 > 0) for place in (self.plan.left, self.plan.right))

    def _moved(self, offset: Fraction) -> tuple[list[acb], list[acb]]:
        """Return the nodes and the two outer values for `x = origin - offset`."""
        outer = [value for _, value in self.outer]
        if not offset:
            return self.values, outer
        factor = acb(ball(offset))
        moved = [value * (s * factor).exp() for s, value in zip(self.orders, self.values, strict=True)]
        return moved, [value * (s * factor).exp() for s, value in self.outer]

    def _aliases(self, outer: list[acb], decay: arb) -> arb:
        """Return the bound of all terms `I_j` with `j != 0` on the outer lines."""
        left, right = (self.alias_factor(place, decay) for place in (self.plan.left, self.plan.right))
        return outer[0].abs_upper() * left + outer[1].abs_upper() * right

    def alias_factor(self, place: float, decay: arb) -> arb:
        """Return what the modulus on the line `Re t = place` counts in the bound of the terms `I_j` of its side.

        Any line does between the nodes and an outer line that serves, with no pole between itself and that one. The
        factor does not grow with the decay.
        """
        return (arb.pi() / decay).sqrt() / (2 * arb.pi() * (self.rate * abs(arb(place) - self.centre)).expm1())

    def _residues(self, x: arb) -> arb:
        """Return what the poles add to the rule: the tightest of the forms."""
        found = [self._residue(form, x) for form in self.residue_forms()]
        # All are right; the narrowest ball is the best answer.
        return min(found, key=lambda value: value.rad()) if len(found) > 1 else found[0]

    @staticmethod
    def _residue(form: tuple[arb, arb, arb], x: arb) -> arb:
        """Return `a + b e^x + c (e^x - 1)`."""
        one, of_exp, of_expm1 = form
        total = one
        if not of_exp.is_zero():
            total += of_exp * x.exp()
        return total if of_expm1.is_zero() else total + of_expm1 * x.expm1()

    def residue_forms(self) -> list[tuple[arb, arb, arb]]:
        """Return what the poles add to the rule, as coefficients of `1`, `e^x` and `e^x - 1`, in one or two forms.

        The second one cancels nothing where the poles are close or `x` is near 0, and exp(x) where they are far apart.
        """
        if self._forms is None:
            self._forms = self._new_forms()
        return self._forms

    def _new_forms(self) -> list[tuple[arb, arb, arb]]:
        """Return the forms, which do not depend on `x`."""
        zero, minus_one = self.zero, self.minus_one
        nothing = arb(0)
        first = nothing if zero is None else self._share(arb(0), zero)
        second = nothing if minus_one is None else self._share(self.second, minus_one)
        apart = first, second if zero is None else -second, nothing
        if zero is not Side.ABOVE or minus_one is not Side.ABOVE:
            return [apart]
        places = self._place(arb(0)), self._place(self.second)
        if places == ("right", "right"):
            return [(nothing, nothing, arb(-1))]
        if places != ("inside", "inside"):
            return [apart]
        near, far = -self.rate * self.centre, self.rate * (self.second - self.centre)
        between = (-self.rate * self.second).expm1() * (-near).exp() / ((-near).expm1() * (-far).expm1())
        return [apart, (nothing, -between, 1 / (-near).expm1())]

    def poles(self) -> list[arb]:
        """Return where the kernel has its poles."""
        places = ((arb(0), self.zero), (self.second, self.minus_one))
        return [place for place, side in places if side is not None]

    def _place(self, pole: arb) -> str:
        """Return where a pole certainly lies: between the outer lines, beside them, or unknown."""
        left, right = arb(self.plan.left), arb(self.plan.right)
        if pole > left and pole < right:
            return "inside"
        return "left" if pole < left else "right" if pole > right else "unknown"

    def _share(self, pole: arb, side: Side) -> arb:
        """Return what a pole of residue 1 adds."""
        place = self._place(pole)
        if place == "unknown":
            return _everything()
        if place != "inside":
            # Beyond the outer lines a pole is crossed by all shifted lines or by none.
            return arb((place == "right") - (side is Side.BELOW))
        distance = self.rate * (pole - self.centre)
        return -1 / (-distance).expm1() if side is Side.ABOVE else 1 / distance.expm1()


def _steepest(square: arb, level: arb) -> arb:
    """Return the greatest value of `(U - 3 rho^2) / (rho^2 + U)^3` from `U = square` on, `rho^2 = level > 0`."""
    if square >= 5 * level:
        return (square - 3 * level) / (level + square) ** 3
    return 1 / (108 * level * level)


def _everything() -> arb:
    """Return the ball that says nothing: sound, and wide enough to be noticed."""
    return arb(0, arb.pos_inf())
