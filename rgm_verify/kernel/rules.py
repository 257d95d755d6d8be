"""Rules for functions: each yields facts that hold for all real arguments that satisfy what the rule asks for.

A step of a proof is [rule, argument, ...]: arguments are polynomials as lists of terms (`data`), numbers of facts
(`ref`), or trees. A `ref` may be null where arithmetic alone decides, such as 2 > 0. Each docstring states the facts as
a theorem; that theorem, with the conditions that `Checker.positive` demands, is what has to be believed of a rule.
Terms are total functions (`rgm_verify.kernel.terms`), so that a fact about a function outside of its domain would be
about the convention: every rule that says something of a value asks for the domain first.

`RULES` lists them by name; there is no other way to a fact about a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rgm_verify.kernel.calculus import small, substitute
from rgm_verify.kernel.enclosures import enclose
from rgm_verify.kernel.terms import ONE, And, Formula, Or, Poly, Rel, require

if TYPE_CHECKING:
    from rgm_verify.kernel.check import Checker


def _sign(k: Checker, data: Any) -> Iterator[Formula]:
    """X > 0, x = 0 or x < 0, for any x: the start of a proof by cases."""
    x = k.poly(data)
    yield Or([Rel(x, ">"), Rel(x, "=="), Rel(k.terms.add({}, x, -1), ">")])


def _number(k: Checker, data: Any, bits: Any) -> Iterator[Formula]:
    """X > 0 or x < 0 for a constant x, by an enclosure with `bits` bits.

    Raises `Refused` where the interval holds 0: more bits may help, but never for a constant that is 0 in another form.
    """
    x = k.poly(data)
    low, high = enclose(k.terms, x, bits)
    known = low > 0 or high < 0
    require(known, "number: the enclosure {} to {} in units of 2^-{} does not tell the sign", low, high, bits)
    yield Rel(x if low > 0 else k.terms.add({}, x, -1), ">")


def _inverse(k: Checker, data: Any, ref: Any) -> Iterator[Formula]:
    """X (1/x) = 1 for x != 0, and 1/x > 0 for x > 0.

    The fact `ref` says x != 0 or more; the second part is only given where it says x > 0.
    """
    x = k.poly(data)
    k.positive(ref, x, "!=")
    inverse = k.terms.inverse(x)
    yield Rel(k.terms.add(k.terms.multiply(x, inverse), {ONE: 1}, -1), "==")
    if k.says(ref, x, ">"):
        yield Rel(inverse, ">")


def _root(k: Checker, degree: Any, data: Any, ref: Any) -> Iterator[Formula]:
    """r^n = x and r >= 0 for x >= 0, where r is the n-th root; r > 0 for x > 0.

    `degree` is an integer n >= 2. Both facts together determine r.
    """
    x = k.poly(data)
    require(isinstance(degree, int) and degree >= 2, "root: degree {!r:.40}: expected an integer >= 2", degree)
    k.positive(ref, x, ">=")
    root = k.terms.atom("root", degree, k.terms.key(x))
    yield Rel(k.terms.add(k.terms.power(root, degree), x, -1), "==")
    yield Rel(root, ">" if k.says(ref, x, ">") else ">=")


def _exp(k: Checker, data: Any) -> Iterator[Formula]:
    """exp(x) > 0 and exp(x) >= 1 + x, for every x."""
    # exp(x) >= 1 + x is all that is known of its size at a variable; sharper bounds come by `mean` from its derivative.
    x = k.poly(data)
    value = k.terms.apply("exp", x)
    yield Rel(value, ">")
    yield Rel(k.terms.add(value, k.terms.add({ONE: 1}, x), -1), ">=")


def _log(k: Checker, data: Any, ref: Any) -> Iterator[Formula]:
    """Log x <= x - 1, x log x >= x - 1 and exp(log x) = x for x > 0.

    The second is the first at 1/x, times x; it bounds the logarithm from below without a reciprocal.
    """
    x = k.poly(data)
    k.positive(ref, x)
    log, less = k.terms.apply("log", x), k.terms.add(x, {ONE: 1}, -1)
    yield Rel(k.terms.add(less, log, -1), ">=")
    yield Rel(k.terms.add(k.terms.multiply(x, log), less, -1), ">=")
    yield Rel(k.terms.add(k.terms.apply("exp", log), x, -1), "==")


def _log_exp(k: Checker, data: Any) -> Iterator[Formula]:
    """log(exp(x)) = x, for every x."""
    # No condition: exp is positive everywhere.
    x = k.poly(data)
    yield Rel(k.terms.add(k.terms.apply("log", k.terms.apply("exp", x)), x, -1), "==")


def _log_product(k: Checker, factors: Any, same: Any) -> Iterator[Formula]:
    """The sum of r log f is 0 for f > 0, where the product of the f^r with r > 0 is that of the f^-r with r < 0.

    `factors` are [r, f, fact that says f > 0] with integers r. `same` is the fact that says that the products are
    equal, null where it is one polynomial. So log(x y) = log x + log y comes from [1, x y], [-1, x], [-1, y].
    """
    sides: list[Poly] = [{ONE: 1}, {ONE: 1}]
    total: Poly = {}
    for r, factor, ref in factors:
        f = k.poly(factor)
        k.positive(ref, f)
        # Products instead of quotients: no reciprocal enters that would need a sign of its own.
        sides[r > 0] = k.terms.multiply(sides[r > 0], k.terms.power(f, abs(r)))
        total = k.terms.add(total, k.terms.apply("log", f), r)
    k.positive(same, k.terms.add(sides[0], sides[1], -1), "==")
    yield Rel(total, "==")


def _pow(k: Checker, base: Any, exponent: Any, ref: Any) -> Iterator[Formula]:
    """x^y = exp(y log x) and x^y > 0 for x > 0, where y is no number: those have polynomials of their own."""
    x, y = k.poly(base), k.poly(exponent)
    # A base of 0 has no logarithm, and below 0 a real power has no value.
    k.positive(ref, x)
    power = k.terms.apply("pow", x, y)
    yield Rel(k.terms.add(power, k.terms.apply("exp", k.terms.multiply(y, k.terms.apply("log", x))), -1), "==")
    yield Rel(power, ">")


def _max(k: Checker, arguments: Any) -> Iterator[Formula]:
    """A maximum is one of its arguments, and none is larger; holds for all values."""
    # In the order in which `Terms.poly` sorts them: else the fact would be about another atom.
    parts = sorted(map(k.poly, arguments), key=k.terms.key)
    value = k.terms.apply("max", *parts)
    gaps = [k.terms.add(value, part, -1) for part in parts]
    yield And([*(Rel(gap, ">=") for gap in gaps), Or([Rel(gap, "==") for gap in gaps])])


def _equal(k: Checker, function: Any, name: Any, left: Any, right: Any, ref: Any) -> Iterator[Formula]:
    """f(x) = f(y) where x = y, for any function, given as a tree in a name.

    It needs no condition on f: terms are total, so that equal arguments have equal values even outside of a domain.
    """
    k.positive(ref, k.terms.add(k.terms.poly(small(left)), k.terms.poly(small(right)), -1), "==")
    first, second = (k.terms.poly(substitute(small(function), {name: x})) for x in (left, right))
    yield Rel(k.terms.add(first, second, -1), "==")


def _gamma(k: Checker, data: Any, ref: Any) -> Iterator[Formula]:
    """gamma(x) > 0 and gamma(x + 1) = x gamma(x) for x > 0."""
    x = k.poly(data)
    k.positive(ref, x)
    value, after = (k.terms.apply("gamma", y) for y in (x, k.terms.add(x, {ONE: 1})))
    yield Rel(value, ">")
    yield Rel(k.terms.add(after, k.terms.multiply(x, value), -1), "==")


RULES: dict[str, Callable[..., Iterator[Formula]]] = {
    "sign": _sign, "number": _number, "inv": _inverse, "root": _root, "exp": _exp, "log": _log,
    "log_exp": _log_exp, "log_product": _log_product, "pow": _pow, "max": _max, "equal": _equal,
    "gamma": _gamma,
}  # fmt: skip
