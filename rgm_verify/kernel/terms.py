"""Terms of the kernel: trees of formulas as polynomials over atoms, exact.

A polynomial is a dictionary from monomials to rationals. A monomial is a sorted tuple of (atom, exponent); an atom is
the number of a variable, or of a function of polynomials: a reciprocal, an exponential, a logarithm, a root. All
functions are total here: 1/0 is 0, and what a logarithm is below 0 does not matter. Rules that need more ask for it as
a fact, and what makes a statement's terms defined is proved beside it. So two rewritings hold everywhere and are built
in: 1/(x y) is (1/x)(1/y), and exp(x + y) is exp(x) exp(y).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

__all__ = ["Atom", "Monomial", "Poly", "Refused", "Terms", "Tree", "literal", "number", "substitute"]

Tree: TypeAlias = Any
Number: TypeAlias = int | Fraction
Monomial: TypeAlias = tuple[tuple[int, int], ...]
#: Coefficients are ints or Fractions, never 0.
Poly: TypeAlias = dict[Monomial, Any]
Key: TypeAlias = tuple[tuple[Monomial, Number], ...]
Atom: TypeAlias = tuple[Any, ...]

LARGEST_POWER = 200
MOST_PRODUCTS = 1_000_000
MOST_DIGITS = 2_000
MOST_BITS = 20_000
_UNARY = frozenset(
    ("exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "loggamma", "digamma", "abs", "sign")
)
ONE: Monomial = ()


class Refused(ValueError):
    """A document that proves nothing: the text says which part, what it is, and what is allowed."""


def number(value: Fraction | int) -> Number:
    """Return an integer as an int: sums and products of ints are fast."""
    return value.numerator if value.denominator == 1 else value


def _short(value: Number) -> Number:
    """Return a coefficient; raises `Refused` for one that is too long to reckon with."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise Refused(f"a coefficient is too long: more than {MOST_BITS} bits")
    return value


def literal(text: Any) -> Number:
    """Return the rational written as "p" or "p/q"; raises `Refused`."""
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    if isinstance(text, str) and len(text) <= 2 * MOST_DIGITS + 2:
        top, slash, bottom = text.partition("/")
        digits = top.removeprefix("-")
        if digits.isascii() and digits.isdigit() and (not slash or (bottom.isascii() and bottom.isdigit())):
            if not slash:
                return int(top)
            if int(bottom):
                return number(Fraction(int(top), int(bottom)))
    raise Refused(f"{text!r:.60}: expected a rational such as '3' or '-1/2'")


def substitute(tree: Tree, images: Mapping[str, Tree]) -> Tree:
    """Return the tree of an expression or a formula with variables replaced, all at once."""
    if isinstance(tree, str) or not tree:
        return tree
    if tree[0] == "var":
        return images.get(tree[1], tree)
    if tree[0] == "logrem":
        return [*tree[:3], substitute(tree[3], images)]
    return [tree[0], *(substitute(part, images) for part in tree[1:])]


class Terms:
    """The atoms of one check, numbered as they come; polynomials over them."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self._numbers: dict[Atom, int] = {}
        self._products: dict[tuple[Monomial, Monomial], Monomial] = {}
        self._spent = 0

    def atom(self, *what: Any) -> int:
        """Return the number of an atom."""
        if what not in self._numbers:
            self._numbers[what] = len(self.atoms)
            self.atoms.append(what)
        return self._numbers[what]

    # ---------------------------------------------------------------------------------------------- arithmetic

    def spend(self, work: int) -> None:
        """Count work; raises `Refused` where all of it together becomes too much."""
        self._spent += work
        if self._spent > MOST_PRODUCTS:
            raise Refused(f"the polynomials are too large: more than {MOST_PRODUCTS} steps of work")

    def add(self, left: Poly, right: Poly, factor: Number = 1) -> Poly:
        """Return left + factor * right."""
        self.spend(1 + len(left) // 32 + len(right) // 8)
        total = dict(left)
        for monomial, coefficient in right.items():
            value = total.get(monomial, 0) + factor * coefficient
            if value:
                total[monomial] = _short(number(value))
            else:
                total.pop(monomial, None)
        return total

    def multiply(self, left: Poly, right: Poly) -> Poly:
        """Return the product; raises `Refused` where all products together become too many."""
        self.spend(len(left) * len(right))
        total: Poly = {}
        for m, a in left.items():
            for n, b in right.items():
                key = self._join(m, n)
                total[key] = total.get(key, 0) + a * b
        return {m: _short(number(c)) for m, c in total.items() if c}

    def power(self, base: Poly, exponent: int) -> Poly:
        """Return a power with an exponent >= 0."""
        if not 0 <= exponent <= LARGEST_POWER:
            raise Refused(f"exponent {exponent}: allowed are 0 to {LARGEST_POWER}")
        result: Poly = {ONE: 1}
        for _ in range(exponent):
            result = self.multiply(result, base)
        return result

    def _join(self, left: Monomial, right: Monomial) -> Monomial:
        if not left or not right:
            return left or right
        found = self._products.get((left, right))
        if found is None:
            powers = dict(left)
            for atom, exponent in right:
                powers[atom] = powers.get(atom, 0) + exponent
            found = self._products[left, right] = tuple(sorted((a, e) for a, e in powers.items() if e))
        return found

    def without(self, monomial: Monomial, divisor: Monomial) -> Monomial | None:
        """Return the monomial divided by another one whose powers it contains, None where it does not."""
        powers = dict(monomial)
        if any(powers.get(atom, 0) < exponent for atom, exponent in divisor):
            return None
        return self._join(monomial, tuple((a, -e) for a, e in divisor))

    def inverse(self, poly: Poly) -> Poly:
        """Return 1/poly: reciprocals of its content, of the atoms that all its terms share, and of what is left."""
        if not poly:
            return {}
        shared = dict(next(iter(poly)))
        for monomial in poly:
            powers = dict(monomial)
            for atom in list(shared):
                least = min(shared[atom], powers.get(atom, 0))
                # Only exponentials, which are never 0, have negative exponents.
                shared[atom] = least
                if not least:
                    del shared[atom]
        common = tuple(sorted(shared.items()))
        undone = tuple((a, -e) for a, e in common)
        rest = {self._join(m, undone): c for m, c in poly.items()}
        leading = rest[max(rest)]
        result: Poly = {ONE: number(Fraction(1) / leading)}
        for atom, exponent in common:
            result = self.multiply(result, self._reciprocal(atom, exponent))
        if len(rest) > 1:
            monic = {m: number(Fraction(c) / leading) for m, c in rest.items()}
            result = self.multiply(result, {((self.atom("inv", self.key(monic)), 1),): 1})
        return result

    def _reciprocal(self, atom: int, exponent: int) -> Poly:
        what = self.atoms[atom]
        if what[0] == "exp":
            return {((atom, -exponent),): 1}
        if what[0] == "inv":
            return self.power(dict(what[1]), exponent)
        return {((self.atom("inv", ((((atom, 1),), 1),)), exponent),): 1}

    def key(self, poly: Poly) -> Key:
        """Return the polynomial as a key of an atom."""
        return tuple(sorted(poly.items()))

    def variables(self, poly: Poly) -> set[str]:
        """Return the names of the variables in a polynomial, those in arguments of functions too."""
        found: set[str] = set()
        for atom in {atom for monomial in poly for atom, _ in monomial}:
            name, *arguments = self.atoms[atom]
            found |= {arguments[0]} if name == "var" else set()
            for key in arguments if name != "var" else ():
                found |= self.variables(dict(key)) if isinstance(key, tuple) else set()
        return found

    # ---------------------------------------------------------------------------------------------- functions

    def apply(self, name: str, *arguments: Poly) -> Poly:
        """Return a function of polynomials: an atom, but for exponentials of sums and a few values at 0 and 1."""
        first = arguments[0]
        if name == "exp":
            return self._exponential(first)
        if name == "log" and first == {ONE: 1}:
            return {}
        return {((self.atom(name, *map(self.key, arguments)), 1),): 1}

    def _exponential(self, exponent: Poly) -> Poly:
        """Return exp of a sum as a product of powers of exp(m/q), one for each monomial m with coefficient p/q."""
        powers: dict[int, int] = {}
        for monomial, coefficient in exponent.items():
            value = Fraction(coefficient)
            unit = number(Fraction(1, value.denominator))
            atom = self.atom("exp", ((monomial, unit),))
            powers[atom] = powers.get(atom, 0) + value.numerator
        return {tuple(sorted(powers.items())): 1}

    def root(self, base: Poly, degree: int) -> Poly:
        """Return the atom of the root of a degree >= 2."""
        return {((self.atom("root", degree, self.key(base)), 1),): 1}

    # ---------------------------------------------------------------------------------------------- reading

    def poly(self, tree: Tree) -> Poly:
        """Return the polynomial of a tree; raises `Refused` for a tree of another form."""
        if isinstance(tree, str):
            value = literal(tree)
            return {ONE: value} if value else {}
        self.spend(1)
        if not isinstance(tree, list) or not tree or not isinstance(tree[0], str):
            raise Refused(f"{tree!r:.60}: expected a tree")
        name, arguments = tree[0], tree[1:]
        if name == "var" and len(arguments) == 1 and isinstance(arguments[0], str):
            return {((self.atom("var", arguments[0]), 1),): 1}
        if name in ("pi", "e") and not arguments:
            return {((self.atom(name), 1),): 1} if name == "pi" else self._exponential({ONE: 1})
        if name in ("add", "mul") and arguments:
            return self._fold(name, arguments)
        if name == "given" and arguments:
            return self.poly(arguments[0])
        if name == "pow" and len(arguments) == 2:
            return self._power(*arguments)
        if name in _UNARY and len(arguments) == 1:
            return self.apply(name, self.poly(arguments[0]))
        if name in ("min", "max") and arguments:
            parts = sorted((self.poly(a) for a in arguments), key=self.key)
            return self.apply(name, *parts)
        if name in ("uppergamma", "lowergamma") and len(arguments) == 2:
            return self.apply(name, *map(self.poly, arguments))
        if name == "logrem" and len(arguments) == 3 and all(isinstance(text, str) for text in arguments[:2]):
            return self.moment(literal(arguments[0]), literal(arguments[1]), self.poly(arguments[2]))
        raise Refused(f"{name!r:.40} with {len(arguments)} arguments: no function of the kernel")

    def moment(self, a: Number, b: Number, argument: Poly) -> Poly:
        """Return the integral of s^(a-1) / (1 + s x)^b over s from 0 to 1, for integers a >= 1 and b >= 0."""
        if not (isinstance(a, int) and isinstance(b, int) and 1 <= a <= LARGEST_POWER and 0 <= b <= LARGEST_POWER):
            raise Refused(f"logrem with a={a}, b={b}: allowed are integers a >= 1, b >= 0, at most {LARGEST_POWER}")
        if b == 0:
            return {ONE: number(Fraction(1, a))}
        return {((self.atom("logrem", a, b, self.key(argument)), 1),): 1}

    def _fold(self, name: str, arguments: list[Tree]) -> Poly:
        total = self.poly(arguments[0])
        for argument in arguments[1:]:
            part = self.poly(argument)
            total = self.add(total, part) if name == "add" else self.multiply(total, part)
        return total

    def _power(self, base: Tree, exponent: Tree) -> Poly:
        if not isinstance(exponent, str):
            return self.apply("pow", self.poly(base), self.poly(exponent))
        value = Fraction(literal(exponent))
        if abs(value.numerator) > LARGEST_POWER or value.denominator > LARGEST_POWER:
            raise Refused(f"exponent {exponent:.40}: at most {LARGEST_POWER} in numerator and denominator")
        if value.denominator > 1:
            found = self.root(self.poly(base), value.denominator)
        elif value < 0 and isinstance(base, list) and base and base[0] == "mul":
            # Factor by factor: the reciprocal of an expanded product would be another atom.
            found = {ONE: 1}
            for factor in base[1:]:
                found = self.multiply(found, self._power(factor, exponent))
            return found
        else:
            found = self.poly(base)
        return self.power(found if value > 0 else self.inverse(found), abs(value.numerator))
