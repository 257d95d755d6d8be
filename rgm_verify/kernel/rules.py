"""Rules for functions: each yields facts that hold for all real arguments that satisfy what the rule asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rgm_verify.kernel.formulas import And, Formula, Or, Rel
from rgm_verify.kernel.terms import ONE, Poly, Refused, literal, number, substitute

if TYPE_CHECKING:
    from rgm_verify.kernel.check import Checker

__all__ = ["RULES"]


def _inverse(k: Checker, data: Any, ref: Any) -> Iterator[Formula]:
    """X (1/x) = 1 for x != 0, and 1/x > 0 for x > 0."""
    x = k.poly(data)
    k.positive(ref, x, "!=")
    inverse = k.terms.inverse(x)
    yield Rel(k.terms.add(k.terms.multiply(x, inverse), {ONE: 1}, -1), "==")
    if k.says(ref, x, ">"):
        yield Rel(inverse, ">")


def _root(k: Checker, degree: Any, data: Any, ref: Any) -> Iterator[Formula]:
    """r^n = x and r >= 0 for x >= 0, where r is the n-th root; r > 0 for x > 0."""
    x, n = k.poly(data), literal(degree)
    if not isinstance(n, int) or n < 2:
        raise Refused(f"root: degree {degree!r:.40}: expected an integer >= 2")
    k.positive(ref, x, ">=")
    root = k.terms.root(x, n)
    yield Rel(k.terms.add(k.terms.power(root, n), x, -1), "==")
    yield Rel(root, ">" if k.says(ref, x, ">") else ">=")


def _exp(k: Checker, data: Any) -> Iterator[Formula]:
    """exp(x) > 0 and exp(x) >= 1 + x."""
    x = k.poly(data)
    value = k.terms.apply("exp", x)
    yield Rel(value, ">")
    yield Rel(k.terms.add(value, k.terms.add({ONE: 1}, x), -1), ">=")


def _exp_power(k: Checker, data: Any, times: Any) -> Iterator[Formula]:
    """exp(x) = exp(x / n)^n."""
    x, n = k.poly(data), literal(times)
    if not isinstance(n, int) or n < 2:
        raise Refused(f"exp_power: {times!r:.40}: expected an integer >= 2")
    part = k.terms.apply("exp", k.terms.add({}, x, Fraction(1, n)))
    yield Rel(k.terms.add(k.terms.apply("exp", x), k.terms.power(part, n), -1), "==")


def _log(k: Checker, data: Any, ref: Any) -> Iterator[Formula]:
    """Log x <= x - 1, x log x >= x - 1 and exp(log x) = x for x > 0."""
    x = k.poly(data)
    k.positive(ref, x)
    log, less = k.terms.apply("log", x), k.terms.add(x, {ONE: 1}, -1)
    yield Rel(k.terms.add(less, log, -1), ">=")
    yield Rel(k.terms.add(k.terms.multiply(x, log), less, -1), ">=")
    yield Rel(k.terms.add(k.terms.apply("exp", log), x, -1), "==")


def _log_product(k: Checker, times: Any, data: Any, factors: Any, same: Any) -> Iterator[Formula]:
    """N log x = sum of r log f, where x^n times the f^-r with r < 0 is the product of the f^r with r > 0; all f > 0.

    `same` says so, null where it is one polynomial. Then x^n > 0, so that x > 0 for odd n; for even n it is asked for.
    """
    n, x = literal(times), k.poly(data)
    if not isinstance(n, int) or n < 1:
        raise Refused(f"log_product: {times!r:.40}: expected an integer >= 1")
    left, right, total = k.terms.power(x, n), {ONE: 1}, k.terms.apply("log", x)
    total = k.terms.add({}, total, n)
    for exponent, factor, ref in factors:
        r, f = literal(exponent), k.poly(factor)
        if not isinstance(r, int):
            raise Refused(f"log_product: exponent {exponent!r:.40}: expected an integer")
        k.positive(ref, f)
        if r < 0:
            left = k.terms.multiply(left, k.terms.power(f, -r))
        else:
            right = k.terms.multiply(right, k.terms.power(f, r))
        total = k.terms.add(total, k.terms.apply("log", f), -r)
    k.positive(same, k.terms.add(left, right, -1), "==")
    if n % 2 == 0:
        k.positive(None, x)
    yield Rel(total, "==")


def _log_exp(k: Checker, data: Any) -> Iterator[Formula]:
    """log(exp(x)) = x."""
    x = k.poly(data)
    yield Rel(k.terms.add(k.terms.apply("log", k.terms.apply("exp", x)), x, -1), "==")


def _pow(k: Checker, base: Any, exponent: Any, ref: Any) -> Iterator[Formula]:
    """x^y = exp(y log x) and x^y > 0 for x > 0."""
    x, y = k.poly(base), k.poly(exponent)
    k.positive(ref, x)
    power = k.terms.apply("pow", x, y)
    yield Rel(k.terms.add(power, k.terms.apply("exp", k.terms.multiply(y, k.terms.apply("log", x))), -1), "==")
    yield Rel(power, ">")


def _abs(k: Checker, data: Any) -> Iterator[Formula]:
    """|x| is x where x >= 0, and -x elsewhere."""
    x = k.poly(data)
    value, opposite = k.terms.apply("abs", x), k.terms.add({}, x, -1)
    yield Rel(value, ">=")
    yield Or(
        [
            And([Rel(x, ">="), Rel(k.terms.add(value, x, -1), "==")]),
            And([Rel(opposite, ">"), Rel(k.terms.add(value, opposite, -1), "==")]),
        ]
    )


def _sign(k: Checker, data: Any) -> Iterator[Formula]:
    """sign(x) is 1, 0 or -1."""
    x = k.poly(data)
    value = k.terms.apply("sign", x)
    one: Poly = {ONE: 1}
    yield Or(
        [
            And([Rel(x, ">"), Rel(k.terms.add(value, one, -1), "==")]),
            And([Rel(x, "=="), Rel(value, "==")]),
            And([Rel(k.terms.add({}, x, -1), ">"), Rel(k.terms.add(value, one), "==")]),
        ]
    )


def _extreme(name: str, direction: int) -> Callable[..., Iterator[Formula]]:
    def rule(k: Checker, arguments: Any) -> Iterator[Formula]:
        """A maximum (or minimum) is one of its arguments, and none is larger (smaller)."""
        parts = sorted(map(k.poly, arguments), key=k.terms.key)
        value = k.terms.apply(name, *parts)
        gaps = [k.terms.add(k.terms.add({}, value, direction), part, -direction) for part in parts]
        yield from (Rel(gap, ">=") for gap in gaps)
        yield Or([Rel(gap, "==") for gap in gaps])

    return rule


def _increasing(k: Checker, name: Any, low: Any, high: Any, ref: Any, above: Any) -> Iterator[Formula]:
    """f(x) <= f(y) for x <= y, and strictly: f is exp, erf, tanh, sinh, or log with 0 < x."""
    if name not in ("exp", "log", "erf", "tanh", "sinh"):
        raise Refused(f"increasing: {name!r:.40}: allowed are exp, log, erf, tanh, sinh")
    x, y = k.poly(low), k.poly(high)
    gap = k.terms.add(y, x, -1)
    k.positive(ref, gap, ">=")
    if name == "log":
        k.positive(above, x)
    difference = k.terms.add(k.terms.apply(name, y), k.terms.apply(name, x), -1)
    yield Rel(difference, ">" if k.says(ref, gap, ">") else ">=")


def _equal(k: Checker, function: Any, name: Any, left: Any, right: Any, ref: Any) -> Iterator[Formula]:
    """f(x) = f(y) where x = y, for any function, given as a tree in a name."""
    k.positive(ref, k.terms.add(k.terms.poly(left), k.terms.poly(right), -1), "==")
    first, second = (k.terms.poly(substitute(function, {name: x})) for x in (left, right))
    yield Rel(k.terms.add(first, second, -1), "==")


def _error_function(k: Checker, data: Any) -> Iterator[Formula]:
    """erf(x) + erfc(x) = 1 and -1 < erf(x) < 1."""
    x = k.poly(data)
    erf, one = k.terms.apply("erf", x), {ONE: number(Fraction(1))}
    yield Rel(k.terms.add(k.terms.add(erf, k.terms.apply("erfc", x)), one, -1), "==")
    yield Rel(k.terms.add(one, erf, -1), ">")
    yield Rel(k.terms.add(one, erf), ">")


def _hyperbolic(k: Checker, data: Any) -> Iterator[Formula]:
    """2 cosh(x) = exp(x) + exp(-x), 2 sinh(x) = exp(x) - exp(-x), tanh(x) cosh(x) = sinh(x)."""
    x = k.poly(data)
    up, down = k.terms.apply("exp", x), k.terms.apply("exp", k.terms.add({}, x, -1))
    cosh, sinh, tanh = (k.terms.apply(name, x) for name in ("cosh", "sinh", "tanh"))
    yield Rel(k.terms.add(k.terms.add(up, down), cosh, -2), "==")
    yield Rel(k.terms.add(k.terms.add(up, down, -1), sinh, -2), "==")
    yield Rel(k.terms.add(k.terms.multiply(tanh, cosh), sinh, -1), "==")
    yield Rel(cosh, ">")


def _circle(k: Checker, data: Any) -> Iterator[Formula]:
    """sin(x)^2 + cos(x)^2 = 1."""
    x = k.poly(data)
    sine, cosine = (k.terms.power(k.terms.apply(name, x), 2) for name in ("sin", "cos"))
    yield Rel(k.terms.add(k.terms.add(sine, cosine), {ONE: 1}, -1), "==")


def _moment(k: Checker, a: Any, b: Any, data: Any, ref: Any) -> Iterator[Formula]:
    """Facts on L(a, b) = integral of s^(a-1) / (1 + s x)^b over [0, 1], for 1 + x > 0 and integers a, b >= 1.

    It is positive and falls in a; x L(a+1, b) = L(a, b-1) - L(a, b), since s x = (1 + s x) - 1; and
    log(1 + x) = x L(1, 1).
    """
    x, first, second = k.poly(data), literal(a), literal(b)
    k.positive(ref, k.terms.add({ONE: 1}, x))
    if second == 0:
        raise Refused("moment: expected b >= 1")
    here, above, below = (
        k.terms.moment(i, j, x) for i, j in ((first, second), (first + 1, second), (first, second - 1))
    )
    yield Rel(here, ">")
    yield Rel(k.terms.add(here, above, -1), ">")
    yield Rel(k.terms.add(k.terms.add(here, k.terms.multiply(x, above)), below, -1), "==")
    if first == second == 1:
        log = k.terms.apply("log", k.terms.add({ONE: 1}, x))
        yield Rel(k.terms.add(log, k.terms.multiply(x, here), -1), "==")


def _gamma(k: Checker, data: Any, ref: Any) -> Iterator[Formula]:
    """gamma(x) > 0 and gamma(x + 1) = x gamma(x) for x > 0."""
    x = k.poly(data)
    k.positive(ref, x)
    value, after = (k.terms.apply("gamma", y) for y in (x, k.terms.add(x, {ONE: 1})))
    yield Rel(value, ">")
    yield Rel(k.terms.add(after, k.terms.multiply(x, value), -1), "==")


def _integer(k: Checker, tree: Any, bound: Any) -> Iterator[Formula]:
    """N >= k or n <= k - 1 for integers."""
    if not k.whole(tree) or not isinstance(literal(bound), int):
        raise Refused("integer: expected an expression that is an integer by its form, and an integer")
    n, edge = k.terms.poly(tree), literal(bound)
    yield Or([Rel(k.terms.add(n, {ONE: edge}, -1), ">="), Rel(k.terms.add({ONE: edge - 1}, n, -1), ">=")])


#: Name: (number of arguments, rule).
RULES: dict[str, tuple[int, Callable[..., Iterator[Formula]]]] = {
    "inv": (2, _inverse),
    "root": (3, _root),
    "exp": (1, _exp),
    "exp_power": (2, _exp_power),
    "log": (2, _log),
    "log_product": (4, _log_product),
    "log_exp": (1, _log_exp),
    "pow": (3, _pow),
    "abs": (1, _abs),
    "signum": (1, _sign),
    "max": (1, _extreme("max", 1)),
    "min": (1, _extreme("min", -1)),
    "increasing": (5, _increasing),
    "equal": (5, _equal),
    "erf": (1, _error_function),
    "hyperbolic": (1, _hyperbolic),
    "circle": (1, _circle),
    "moment": (4, _moment),
    "gamma": (2, _gamma),
    "integer": (2, _integer),
}
