"""Terms of the kernel: trees of formulas as polynomials over atoms, exact.

A polynomial is a dictionary from monomials to rationals. A monomial is a sorted tuple of (atom, exponent); an atom is
the number of a variable, or of a function of polynomials: a reciprocal, an exponential, a logarithm, a root. All
functions are total here: 1/0 is 0, and what a logarithm is below 0 does not matter. Rules that need more ask for it as
a fact, and what makes a statement's terms defined is proved beside it. So two rewritings hold everywhere and are built
in: 1/(x y) is (1/x)(1/y), and exp(x + y) is exp(x) exp(y).

Formulas are plain tuples: ("rel", poly, op) says `poly op 0` with op among >= > == !=, beside ("and", parts) and
("or", parts).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

Tree: TypeAlias = Any
Number: TypeAlias = int | Fraction
Monomial: TypeAlias = tuple[tuple[int, int], ...]
#: Coefficients are ints or Fractions, never 0.
Poly: TypeAlias = dict[Monomial, Any]
Formula: TypeAlias = tuple[Any, ...]

ONE: Monomial = ()
FALSE: Formula = ("or", ())
LARGEST_POWER = 200
MOST_WORK = 1_000_000
MOST_DIGITS = 2_000
MOST_BITS = 20_000
#: The functions of one argument.
FUNCTIONS = ("exp", "log", "erf", "gamma")


class Refused(Exception):
    """A document that proves nothing: the text says which part, what it is, and what is allowed."""


def require(good: Any, text: str, *values: Any) -> None:
    """Refuse unless something is so, with a text that is filled in with values."""
    if not good:
        raise Refused(text.format(*values))


def Rel(poly: Poly, op: str) -> Formula:
    """Return the formula `poly op 0`."""
    return ("rel", poly, op)


def And(parts: Sequence[Formula]) -> Formula:
    """Return the formula that all parts hold."""
    return parts[0] if len(parts) == 1 else ("and", tuple(parts))


def Or(parts: Sequence[Formula]) -> Formula:
    """Return the formula that a part holds."""
    return parts[0] if len(parts) == 1 else ("or", tuple(parts))


def number(value: Number) -> Number:
    """Return an integer as an int: sums and products of ints are fast; raises `Refused` for what is too long."""
    longest = max(value.numerator.bit_length(), value.denominator.bit_length())
    require(longest <= MOST_BITS, "a coefficient is too long: more than {} bits", MOST_BITS)
    return value.numerator if value.denominator == 1 else value


def literal(text: Any) -> Number:
    """Return the rational written as p, "p" or "p/q"; raises `Refused`."""
    short = type(text) in (int, str) and len(str(text)) <= 2 * MOST_DIGITS
    good = short and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", str(text))
    require(good, "{!r:.60}: expected a rational such as '3' or '-1/2'", text)
    return number(Fraction(text))


@lru_cache(maxsize=200_000)
def joined(left: Monomial, right: Monomial) -> Monomial:
    """Return the product of two monomials."""
    powers = dict(left)
    for atom, exponent in right:
        powers[atom] = powers.get(atom, 0) + exponent
    return tuple(sorted((a, e) for a, e in powers.items() if e))


class Terms:
    """The atoms of one check, numbered as they come; polynomials over them.

    `variables` are the names that trees may hold.
    """

    def __init__(self, variables: Iterable[str]) -> None:
        self.variables = set(variables)
        self.atoms: list[tuple[Any, ...]] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._spent = 0

    def atom(self, *what: Any) -> Poly:
        """Return an atom as a polynomial."""
        if what not in self._numbers:
            self._numbers[what] = len(self.atoms)
            self.atoms.append(what)
        return {((self._numbers[what], 1),): 1}

    # ---------------------------------------------------------------------------------------------- arithmetic

    def spend(self, work: int) -> None:
        """Count work; raises `Refused` where all of it together becomes too much."""
        self._spent += work
        require(self._spent <= MOST_WORK, "the polynomials are too large: more than {} steps of work", MOST_WORK)

    def add(self, left: Poly, right: Poly, factor: Number = 1) -> Poly:
        """Return left + factor * right."""
        self.spend(1 + len(left) // 32 + len(right) // 8)
        total = dict(left)
        for monomial, coefficient in right.items():
            value = total.pop(monomial, 0) + factor * coefficient
            if value:
                total[monomial] = number(value)
        return total

    def multiply(self, left: Poly, right: Poly) -> Poly:
        """Return the product."""
        self.spend(len(left) * len(right))
        total: Poly = {}
        for m, a in left.items():
            for n, b in right.items():
                key = joined(m, n)
                total[key] = total.get(key, 0) + a * b
        return {m: number(c) for m, c in total.items() if c}

    def power(self, base: Poly, exponent: int) -> Poly:
        """Return a power with an exponent >= 0."""
        require(0 <= exponent <= LARGEST_POWER, "exponent {}: allowed are 0 to {}", exponent, LARGEST_POWER)
        result: Poly = {ONE: 1}
        for _ in range(exponent):
            result = self.multiply(result, base)
        return result

    def without(self, monomial: Monomial, divisor: Monomial) -> Monomial | None:
        """Return the monomial divided by another one whose powers it contains, None where it does not."""
        contained = all(dict(monomial).get(atom, 0) >= exponent for atom, exponent in divisor)
        return joined(monomial, tuple((a, -e) for a, e in divisor)) if contained else None

    def inverse(self, poly: Poly) -> Poly:
        """Return 1/poly: reciprocals of its content, of the atoms that all its terms share, and of what is left."""
        if not poly:
            return {}
        shared = dict(next(iter(poly)))
        for monomial in poly:
            powers = dict(monomial)
            # Only exponentials, which are never 0, have negative exponents.
            shared = {a: least for a, e in shared.items() if (least := min(e, powers.get(a, 0)))}
        undone = tuple(sorted((a, -e) for a, e in shared.items()))
        rest = {joined(m, undone): c for m, c in poly.items()}
        leading = Fraction(rest[max(rest)])
        result: Poly = {ONE: number(1 / leading)}
        for atom, exponent in sorted(shared.items()):
            result = self.multiply(result, self._reciprocal(atom, exponent))
        if len(rest) == 1:
            return result
        return self.multiply(result, self.atom("inv", self.key({m: number(c / leading) for m, c in rest.items()})))

    def _reciprocal(self, atom: int, exponent: int) -> Poly:
        what = self.atoms[atom]
        if what[0] == "exp":
            return {((atom, -exponent),): 1}
        base = dict(what[1]) if what[0] == "inv" else self.atom("inv", ((((atom, 1),), 1),))
        return self.power(base, exponent)

    def key(self, poly: Poly) -> tuple[tuple[Monomial, Number], ...]:
        """Return the polynomial as a key of an atom."""
        return tuple(sorted(poly.items()))

    # ---------------------------------------------------------------------------------------------- functions

    def apply(self, name: str, first: Poly, *others: Poly) -> Poly:
        """Return a function of polynomials: an atom, but for log(1) and exponentials.

        The exponential of a sum is a product of powers of exp(m/q), one for each monomial m with coefficient p/q.
        """
        if name == "log" and first == {ONE: 1}:
            return {}
        if name != "exp":
            return self.atom(name, *map(self.key, (first, *others)))
        result: Poly = {ONE: 1}
        for monomial, coefficient in first.items():
            value = Fraction(coefficient)
            (((atom, _),),) = self.atom("exp", ((monomial, number(Fraction(1, value.denominator))),))
            result = self.multiply(result, {((atom, value.numerator),): 1})
        return result

    # ---------------------------------------------------------------------------------------------- reading

    def poly(self, tree: Tree) -> Poly:
        """Return the polynomial of a tree; raises `Refused` for a tree of another form."""
        if isinstance(tree, str):
            value = literal(tree)
            return {ONE: value} if value else {}
        self.spend(1)
        require(isinstance(tree, list) and tree and isinstance(tree[0], str), "{!r:.60}: expected a tree", tree)
        name, arguments = tree[0], tree[1:]
        if name == "var":
            require(len(tree) == 2 and arguments[0] in self.variables, "{!r:.60} is no variable here", arguments)
        if name in ("var", "pi"):
            return self.atom(*tree)
        if name == "given" and arguments:
            return self.poly(arguments[0])
        if name in ("pow", "real_pow") and len(arguments) == 2:
            return self._power(*arguments)
        known = arguments and (name in ("add", "mul", "max") or (name in FUNCTIONS and len(arguments) == 1))
        require(known, "{!r:.40} with {} arguments: no function of the kernel", name, len(arguments))
        first, *others = map(self.poly, arguments)
        if name == "max":
            return self.apply(name, *sorted((first, *others), key=self.key))
        if name in FUNCTIONS:
            return self.apply(name, first)
        for part in others:
            first = self.add(first, part) if name == "add" else self.multiply(first, part)
        return first

    def _power(self, base: Tree, exponent: Tree) -> Poly:
        if not isinstance(exponent, str):
            return self.apply("pow", self.poly(base), self.poly(exponent))
        value = Fraction(literal(exponent))
        size = max(abs(value.numerator), value.denominator)
        require(size <= LARGEST_POWER, "exponent {:.40}: at most {} above and below", exponent, LARGEST_POWER)
        if value.denominator == 1 and value < 0 and isinstance(base, list) and base and base[0] == "mul":
            # Factor by factor: the reciprocal of an expanded product would be another atom.
            found: Poly = {ONE: 1}
            for factor in base[1:]:
                found = self.multiply(found, self._power(factor, exponent))
            return found
        found = self.poly(base)
        if value.denominator > 1:
            found = self.atom("root", value.denominator, self.key(found))
        return self.power(found if value > 0 else self.inverse(found), abs(value.numerator))
