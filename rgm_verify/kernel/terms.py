"""Terms of the kernel: trees of formulas as polynomials over atoms, exact.

A polynomial is a dictionary from monomials to rationals. A monomial is a sorted tuple of (atom, exponent); an atom is
the number of a variable, or of a function of polynomials: a reciprocal, an exponential, a logarithm, a root. All
functions are total here: 1/0 is 0, and what a logarithm is below 0 does not matter. Rules that need more ask for it as
a fact, and what makes a statement's terms defined is proved beside it. So two rewritings hold everywhere and are built
in: 1/(x y) is (1/x)(1/y), and exp(x + y) is exp(x) exp(y).

Formulas are plain tuples: ("rel", poly, op) says `poly op 0` with op among >= > == !=, beside ("and", parts) and
("or", parts).

Equal polynomials are equal functions. The converse does not hold: two forms of one function may have different atoms,
and then a proof has to connect them by a rule. This costs the search some work and the kernel nothing.

Examples:
    >>> t = Terms(["x", "y"])
    >>> x, y = ["var", "x"], ["var", "y"]
    >>> t.poly(["pow", ["mul", x, y], "-1"]) == t.poly(["mul", ["pow", x, "-1"], ["pow", y, "-1"]])
    True
    >>> t.poly(["exp", ["add", x, y]]) == t.poly(["mul", ["exp", x], ["exp", y]])
    True
    >>> t.poly(["mul", x, ["pow", x, "-1"]]) == t.poly("1")  # it is 0 at x = 0
    False
    >>> t.poly(["pow", "0", "-1"])  # the polynomial 0
    {}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
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
MOST_WALKED = 5_000_000
MOST_DIGITS = 2_000
MOST_BITS = 20_000
#: The functions of one argument.
FUNCTIONS = ("exp", "log", "erf", "gamma")
#: What the check that is under way has walked over; None where none is: a search for proofs counts in its own way.
WALKED: ContextVar[list[int] | None] = ContextVar("walked", default=None)


class Refused(Exception):
    """A document that proves nothing: the text says which part, what it is, and what is allowed."""


def require(good: Any, text: str, *values: Any) -> None:
    """Refuse unless something is so, with a text that is filled in with values.

    The text is a template and not a ready string: almost every call passes, and then nothing is formatted.
    """
    if not good:
        raise Refused(text.format(*values))


def walk(size: int) -> None:
    """Count what the check goes through besides its arithmetic: nodes, atoms of monomials, squares of lengths.

    A unit is about a fifth of a microsecond. Raises `Refused` above `MOST_WALKED` for all of a document.
    """
    walked = WALKED.get()
    if walked is not None:
        walked[0] += size
        require(walked[0] <= MOST_WALKED, "the document is too large: it takes more than {} looks", MOST_WALKED)


def Rel(poly: Poly, op: str) -> Formula:
    """Return the formula `poly op 0`."""
    return ("rel", poly, op)


def And(parts: Sequence[Formula]) -> Formula:
    """Return the formula that all parts hold; of no parts it is true, of one it is this part."""
    return parts[0] if len(parts) == 1 else ("and", tuple(parts))


def Or(parts: Sequence[Formula]) -> Formula:
    """Return the formula that a part holds; of no parts it is false (`FALSE`), of one it is this part."""
    return parts[0] if len(parts) == 1 else ("or", tuple(parts))


def same(left: Formula, right: Formula) -> bool:
    """Return whether two formulas are equal. What is compared is counted, and what a factor between them would take."""
    walk(1)
    alike = left[0] == right[0] and len(left[1]) == len(right[1])
    if not alike or left[0] != "rel":
        return alike and all(map(same, left[1], right[1]))
    walk(atoms(left[1]) + sum((length(c) >> 7) ** 2 for poly in (left[1], right[1]) for c in poly.values()))
    return bool(left == right)


def length(value: Number) -> int:
    """Return the bits above or below the bar, whichever are more."""
    # Both ends count: a long denominator makes every later sum slow as well.
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def number(value: Number) -> Number:
    """Return an integer as an int: sums and products of ints are fast; raises `Refused` for what is too long.

    Longer than `MOST_BITS` bits above or below the bar is too long.
    """
    bits = length(value)
    require(bits <= MOST_BITS, "a coefficient is too long: more than {} bits", MOST_BITS)
    walk((bits >> 7) ** 2)
    return value.numerator if value.denominator == 1 else value


def literal(text: Any) -> Number:
    """Return the rational written as p, "p" or "p/q"; raises `Refused`.

    A float is refused, and so are decimals and exponents: 1e999999999 is short to write and would fill the memory.

    Examples:
        >>> literal("-6/4"), literal(2)
        (Fraction(-3, 2), 2)
        >>> literal("0.5")
        Traceback (most recent call last):
        rgm_verify.kernel.terms.Refused: '0.5': expected a rational such as '3' or '-1/2'
    """
    short = type(text) in (int, str) and len(str(text)) <= 2 * MOST_DIGITS
    walk(20 + len(str(text)) // 8 if short else 1)
    good = short and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", str(text))
    require(good, "{!r:.60}: expected a rational such as '3' or '-1/2'", text)
    return number(Fraction(text))


@lru_cache(maxsize=200_000)
def joined(left: Monomial, right: Monomial) -> Monomial:
    """Return the product of two monomials, without atoms whose exponents add up to 0.

    Only exponentials ever have negative exponents, and these are never 0. A reciprocal is an atom of its own, so that
    x/x stays as it is and is no 1.
    """
    powers = dict(left)
    for atom, exponent in right:
        powers[atom] = powers.get(atom, 0) + exponent
    # Sorted and without zeros: equal products must be equal as keys, or terms would fail to cancel.
    return tuple(sorted((a, e) for a, e in powers.items() if e))


def atoms(poly: Poly) -> int:
    """Return the number of places in a polynomial: its terms and their atoms."""
    return len(poly) + sum(map(len, poly))


class Terms:
    """The atoms of one check, numbered as they come; polynomials over them.

    `variables` are the names that trees may hold. All work of one check is counted here; it ends with `Refused` after
    `MOST_WORK` steps, so that no document holds the program up.
    """

    def __init__(self, variables: Iterable[str]) -> None:
        self.variables = set(variables)
        self.atoms: list[tuple[Any, ...]] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._spent = 0

    def atom(self, *what: Any) -> Poly:
        """Return an atom as a polynomial; the same description always gives the same atom.

        A description is a name and what it is of: ("var", name), ("pi",), ("inv", key), ("root", degree, key), ("exp",
        key of one monomial), or a function's name and the keys of its arguments.
        """
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
        walk(atoms(right))
        total = dict(left)
        for monomial, coefficient in right.items():
            # Popped: a sum of 0 must leave no entry, as `not poly` and comparisons of keys take 0 for absent.
            value = total.pop(monomial, 0) + factor * coefficient
            if value:
                total[monomial] = number(value)
        return total

    def multiply(self, left: Poly, right: Poly) -> Poly:
        """Return the product."""
        self.spend(len(left) * len(right))
        walk(atoms(left) * len(right) + len(left) * atoms(right))
        total: Poly = {}
        for m, a in left.items():
            for n, b in right.items():
                key = joined(m, n)
                # Each sum, and not the last alone: denominators would grow with the number of terms.
                total[key] = number(total.get(key, 0) + a * b)
        return {m: c for m, c in total.items() if c}

    def power(self, base: Poly, exponent: int) -> Poly:
        """Return a power with an exponent >= 0; x^0 is 1, also for x = 0.

        Raises `Refused` for an exponent below 0 or above `LARGEST_POWER`.
        """
        require(0 <= exponent <= LARGEST_POWER, "exponent {}: allowed are 0 to {}", exponent, LARGEST_POWER)
        result: Poly = {ONE: 1}
        for _ in range(exponent):
            result = self.multiply(result, base)
        return result

    def without(self, monomial: Monomial, divisor: Monomial) -> Monomial | None:
        """Return the monomial divided by another one whose powers it contains, None where it does not."""
        powers = dict(monomial)
        contained = all(powers.get(atom, 0) >= exponent for atom, exponent in divisor)
        return joined(monomial, tuple((a, -e) for a, e in divisor)) if contained else None

    def inverse(self, poly: Poly) -> Poly:
        """Return 1/poly: reciprocals of its content, of the atoms that all its terms share, and of what is left.

        This is a normal form: 1/(2 x + 2) is half of 1/(x + 1), and 1/(x^2 + x) is (1/x)(1/(x + 1)). The result is one
        monomial with a coefficient, and 0 for the polynomial 0. Each rewriting also holds where a factor is 0, as both
        sides are 0 there.

        Examples:
            >>> t = Terms(["x"])
            >>> first, second = t.poly(["add", ["var", "x"], "1"]), t.poly(["add", ["mul", "2", ["var", "x"]], "2"])
            >>> t.inverse(first) == t.add({}, t.inverse(second), 2)
            True
        """
        # The convention 1/0 = 0, on which the rewritings above rest.
        if not poly:
            return {}
        shared = dict(next(iter(poly)))
        for monomial in poly:
            powers = dict(monomial)
            # Only exponentials, which are never 0, have negative exponents.
            shared = {a: least for a, e in shared.items() if (least := min(e, powers.get(a, 0)))}
        undone = tuple(sorted((a, -e) for a, e in shared.items()))
        rest = {joined(m, undone): c for m, c in poly.items()}
        # Any choice is sound; a fixed one makes multiples of a polynomial share an atom.
        leading = Fraction(rest[max(rest)])
        result: Poly = {ONE: number(1 / leading)}
        for atom, exponent in sorted(shared.items()):
            result = self.multiply(result, self._reciprocal(atom, exponent))
        if len(rest) == 1:
            return result
        return self.multiply(result, self.atom("inv", self.key({m: number(c / leading) for m, c in rest.items()})))

    def _reciprocal(self, atom: int, exponent: int) -> Poly:
        """Return (1/atom)^exponent: for an exponential by the sign of its exponent, for a reciprocal what it is of."""
        what = self.atoms[atom]
        if what[0] == "exp":
            return {((atom, -exponent),): 1}
        # 1/(1/p) is p everywhere: at p = 0 both are 0.
        base = dict(what[1]) if what[0] == "inv" else self.atom("inv", ((((atom, 1),), 1),))
        return self.power(base, exponent)

    def key(self, poly: Poly) -> tuple[tuple[Monomial, Number], ...]:
        """Return the polynomial as a key of an atom: its terms in order, so that equal polynomials have equal keys."""
        return tuple(sorted(poly.items()))

    # ---------------------------------------------------------------------------------------------- functions

    def apply(self, name: str, first: Poly, *others: Poly) -> Poly:
        """Return a function of polynomials: an atom, but for log(1) and exponentials.

        The exponential of a sum is a product of powers of exp(m/q), one for each monomial m with coefficient p/q.
        """
        # log(1) = 0 is built in, since `Terms` holds no fact that a rule could ask for.
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
        """Return the polynomial of a tree; raises `Refused` for a tree of another form.

        A tree is a rational as text, ["var", name] with a known name, ["pi"], or a function's name with trees: `add`
        and `mul` and `max` of one or more, `pow` and `real_pow` of two, and `FUNCTIONS` of one. ["given", tree,
        condition, ...] is read as its tree; the conditions are for `rgm_verify.kernel.check.Checker.needs`.
        """
        if isinstance(tree, str):
            value = literal(tree)
            return {ONE: value} if value else {}
        self.spend(1)
        # The first part of what is refused: with values put in, the text of all of it may have any length.
        first = tree[:1] if isinstance(tree, list) else tree
        require(isinstance(tree, list) and tree and isinstance(tree[0], str), "{!r:.60}: expected a tree", first)
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
        # A maximum does not depend on the order of its arguments; sorted ones share an atom.
        if name == "max":
            return self.apply(name, *sorted((first, *others), key=self.key))
        if name in FUNCTIONS:
            return self.apply(name, first)
        for part in others:
            first = self.add(first, part) if name == "add" else self.multiply(first, part)
        return first

    def _power(self, base: Tree, exponent: Tree) -> Poly:
        """Return base^exponent: a product for an integer, powers of a root for a fraction, an atom for a tree."""
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
        # One root of degree q for all powers p/q: then sqrt(x)^3 and x^(3/2) are the same polynomial.
        if value.denominator > 1:
            found = self.atom("root", value.denominator, self.key(found))
        return self.power(found if value > 0 else self.inverse(found), abs(value.numerator))
