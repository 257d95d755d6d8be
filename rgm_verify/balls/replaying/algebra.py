"""What the leaves of a certificate rest on, proved exactly: the box covers the statement, and a target stands for it.

Expressions become quotients of polynomials with rational coefficients in the claim's variables and in one more unknown
for each other function; two are equal where the cross products are. A sign is shown by the coefficients alone, after
each variable is replaced by its lower end plus something >= 0. What is not shown this way is not certified. The work is
counted before it is done.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from rgm_verify.balls.replaying.statement import CONSTANTS, Statement, Tree, sides, text_of

__all__ = ["unproved"]

# Bits that all products together may write, other functions in a document, an exponent.
MAXIMUM_BITS = 3 * 10**8
MAXIMUM_FUNCTIONS = 40
MAXIMUM_EXPONENT = 200
_ARITHMETIC = ("var", "add", "mul", "pow")


class _Unproved(Exception):
    """Something that the leaves rest on was not shown; the text says what."""


class _Quotient(NamedTuple):
    """A quotient of polynomials; the denominator is not 0 wherever the statement speaks."""

    above: fmpq_mpoly
    below: fmpq_mpoly


class _Ends(NamedTuple):
    """The domain of a variable: its ends, None where there is none, and whether it may reach them."""

    low: Fraction | None = None
    low_closed: bool = True
    high: Fraction | None = None
    high_closed: bool = True


def unproved(statement: Statement, box: Mapping[str, tuple[Fraction, Fraction]]) -> str:
    """Return the first thing that was not shown and that the leaves rest on, "" if everything was.

    Shown are, of each point that the variables' domains and the hypotheses admit: its coordinates lie in the box and
    the chart leads from them back to the point; where there is a target, the gap of the conclusion has a value, which
    is that of factor times target, and the factor is >= 0 (> 0 for a strict inequality).

    Args:
        statement: as `read_statement` makes it.
        box: the ends by axis.
    """
    try:
        proof = _Proof(statement)
        coordinates = proof.coordinates(box)
        if statement.target is not None:
            proof.stands_for_the_gap(statement.target, coordinates)
    except _Unproved as problem:
        return str(problem)
    return ""


class _Proof:
    """The algebra of one statement: its variables, what is known of them, and the other functions met so far."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.names = list(statement.variables)
        functions = _functions(statement.target or "1")
        if functions > MAXIMUM_FUNCTIONS:
            raise _Unproved(f"the target has {functions} functions: equality is shown of at most {MAXIMUM_FUNCTIONS}")
        # No other tree brings in unknowns, but for the constants.
        names = [f"x{k}" for k in range(len(self.names))] + [f"f{k}" for k in range(functions + len(CONSTANTS))]
        self.ring = fmpq_mpoly_ctx.get(names, Ordering.lex)
        self.one = self._constant(Fraction(1))
        generators = self.ring.gens()
        self.variables = {n: _Quotient(g, self.one) for n, g in zip(self.names, generators, strict=False)}
        self.free = list(generators[len(self.names) :])
        # Head, whole numbers and arguments of each other function, with the unknown that stands for it.
        self.functions: list[tuple[tuple[Any, ...], list[_Quotient], fmpq_mpoly]] = []
        #: Whether a function may be met for the first time: only in a target, whose leaves show that it has a value.
        self.open = False
        self.bits, self.most = 0, MAXIMUM_BITS
        self.ends = dict.fromkeys(self.names, _Ends())
        self.nonzero: set[str] = set()
        #: Polynomials that are >= 0, and whether they are > 0.
        self.facts: list[tuple[fmpq_mpoly, bool]] = []
        given = (*statement.domain, *statement.hypotheses)
        for formula in given:
            # A share for each: one that is too large is left alone, and takes nothing from the others.
            self.most = self.bits + MAXIMUM_BITS // len(given)
            self._learn(formula)
        self.bits, self.most = 0, MAXIMUM_BITS

    def _learn(self, formula: Tree) -> None:
        """Keep what a formula says of polynomials; another one is left alone."""
        op, *parts = formula
        if op == "and":
            for part in parts:
                self._learn(part)
        if op == "!=" and parts[0][0] == "var" and parts[1] == "0":
            self.nonzero.add(parts[0][1])
        if op not in ("<=", "<", ">=", ">"):
            return
        try:
            above, below = self.difference(*sides(formula))
        except _Unproved:
            return
        if not below.is_constant():
            return
        fact, strict = above * below, op in ("<", ">")
        self.facts.append((fact, strict))
        self._narrow(fact, strict)

    def _narrow(self, fact: fmpq_mpoly, strict: bool) -> None:
        """Take a fact a x + b >= 0 as an end of the domain of x."""
        terms = {exponents: _fraction(c) for exponents, c in fact.to_dict().items()}
        constant = terms.pop((0,) * len(self.ring.gens()), Fraction(0))
        ((exponents, slope),) = terms.items() if len(terms) == 1 else [((), Fraction(0))]
        # Of a constant such as pi nothing is learned: it is no variable.
        if sum(exponents) != 1 or exponents.index(1) >= len(self.names):
            return
        name = self.names[exponents.index(1)]
        end, ends = -constant / slope, self.ends[name]
        if slope > 0 and (ends.low is None or (end, strict) > (ends.low, not ends.low_closed)):
            self.ends[name] = ends._replace(low=end, low_closed=not strict)
        if slope < 0 and (ends.high is None or (end, not strict) < (ends.high, ends.high_closed)):
            self.ends[name] = ends._replace(high=end, high_closed=not strict)

    # ---------------------------------------------------------------------------------------- what is to be shown

    def coordinates(self, box: Mapping[str, tuple[Fraction, Fraction]]) -> dict[str, _Quotient]:
        """Return the coordinates of a point in its variables; raises `_Unproved` where the box does not cover them."""
        statement = self.statement
        found = {}
        for name, (low, high) in box.items():
            tree = ["var", name] if statement.maps is None else statement.inverse[name]
            above, below = found[name] = self.quotient(tree, self.variables)
            if not self.shown(below, True):
                above, below = -above, -below
            inside = (above - below * _number(low), below * _number(high) - above)
            if not (self.shown(below, True) and all(self.shown(part, False) for part in inside)):
                raise _Unproved(
                    f"the box was not shown to cover the statement: {name} = {text_of(tree)} was not shown to stay in "
                    f"its range [{low}, {high}]"
                )
        for name, image in (statement.maps or {}).items():
            back = self.quotient(image, found)
            if back.above != self.product(self.variables[name].above, back.below):
                raise _Unproved(f"the chart's maps do not invert its inverse at {name}: {text_of(image)}")
        return found

    def stands_for_the_gap(self, target: Tree, coordinates: Mapping[str, _Quotient]) -> None:
        """Show that the gap has a value and is factor times target, with a factor of the right sign."""
        factor = self.quotient(self.statement.factor or "1", coordinates)
        if not self.shown(self.product(*factor), self.statement.strict()):
            raise _Unproved(f"the factor {text_of(self.statement.factor or '1')} was not shown to be positive")
        self.open = True
        # The highest order of each remainder first: the lower ones are polynomials in it.
        for tree in sorted(_remainders(target), key=lambda tree: -int(tree[1])):
            self.quotient(tree, coordinates)
        right = self._times(factor, self.quotient(target, coordinates))
        self.open = False
        left = self.difference(*sides(self.statement.certified))
        if self.product(left.above, right.below) != self.product(right.above, left.below):
            raise _Unproved("the gap of the conclusion was not shown to equal factor * target")

    # ---------------------------------------------------------------------------------------- quotients

    def _constant(self, value: Fraction) -> fmpq_mpoly:
        return self.ring.constant(_number(value))

    def product(self, left: fmpq_mpoly, right: fmpq_mpoly) -> fmpq_mpoly:
        """Return a product, after its bits are counted."""
        self._count(len(left) * len(right) * (_size(left) + _size(right)))
        return left * right

    def _count(self, bits: int) -> None:
        if self.bits + bits > self.most:
            raise _Unproved("the statement is too large for its equalities to be shown exactly")
        self.bits += bits

    def _times(self, left: _Quotient, right: _Quotient) -> _Quotient:
        return _Quotient(self.product(left.above, right.above), self.product(left.below, right.below))

    def _plus(self, left: _Quotient, right: _Quotient) -> _Quotient:
        if left.below == right.below:
            return _Quotient(left.above + right.above, left.below)
        above = self.product(left.above, right.below) + self.product(right.above, left.below)
        return _Quotient(above, self.product(left.below, right.below))

    def difference(self, larger: Tree, smaller: Tree) -> _Quotient:
        """Return the difference of two trees in the variables."""
        right = self.quotient(smaller, self.variables)
        return self._plus(self.quotient(larger, self.variables), _Quotient(-right.above, right.below))

    def quotient(self, tree: Tree, at: Mapping[str, _Quotient]) -> _Quotient:
        """Return a tree as a quotient, its names replaced by those of `at`.

        Raises `_Unproved` where a denominator may be 0, and for a function that no leaf shows to have a value.
        """
        if isinstance(tree, str):
            return _Quotient(self._constant(Fraction(tree)), self.one)
        head, *parts = tree
        if head == "var":
            return at[parts[0]]
        if head == "logrem":
            return self._remainder(int(parts[0]), int(parts[1]), self.quotient(parts[2], at), tree)
        if head == "pow" and isinstance(parts[1], str):
            return self._power(parts[0], Fraction(parts[1]), at)
        values = [self.quotient(part, at) for part in parts]
        if head in ("add", "mul"):
            total, *others = values
            for other in others:
                total = self._plus(total, other) if head == "add" else self._times(total, other)
            return total
        if head == "log":
            x = self._plus(values[0], _Quotient(-self.one, self.one))
            if self._highest(x) is not None:
                return self._times(x, self._remainder(1, 1, x, tree))
        return self._function((head,), values, tree)

    def _power(self, base: Tree, exponent: Fraction, at: Mapping[str, _Quotient]) -> _Quotient:
        value, size = self.quotient(base, at), abs(exponent.numerator)
        if size > MAXIMUM_EXPONENT:
            raise _Unproved(f"exponent {exponent}: equality is shown of powers up to {MAXIMUM_EXPONENT}")
        # In a target the leaves show it.
        if exponent < 0 and not self.open and not (self.shown(value.above, True) or self.shown(-value.above, True)):
            raise _Unproved(f"a term was not shown to be defined: 1/({text_of(base)})")
        if exponent.denominator > 1:
            value = self._function(("root", exponent.denominator), [value], base)
        raised = _Quotient(self.one, self.one)
        for _ in range(size):
            raised = self._times(raised, value)
        return _Quotient(raised.below, raised.above) if exponent < 0 else raised

    def _found(self, head: tuple[Any, ...], arguments: Sequence[_Quotient]) -> _Quotient | None:
        """Return the unknown of a function that was met before, with arguments that are equal."""
        for known, others, unknown in self.functions:
            if (known, len(others)) == (head, len(arguments)) and all(map(self._equal, arguments, others)):
                return _Quotient(unknown, self.one)
        return None

    def _equal(self, left: _Quotient, right: _Quotient) -> bool:
        return bool(self.product(left.above, right.below) == self.product(right.above, left.below))

    def _function(self, head: tuple[Any, ...], arguments: list[_Quotient], tree: Tree) -> _Quotient:
        found = self._found(head, arguments)
        if found is not None:
            return found
        if not self.open and head[0] not in CONSTANTS:
            raise _Unproved(f"a term was not shown to be defined, as no leaf evaluates it: {text_of(tree)}")
        unknown = self.free.pop()
        self.functions.append((head, arguments, unknown))
        return _Quotient(unknown, self.one)

    def _highest(self, x: _Quotient) -> int | None:
        """Return the highest order of the remainders of log(1 + x) that were met, None without one."""
        orders = [h[1] for h, (y, *_), _ in self.functions if h[0] == "logrem" and h[2] == 1 and self._equal(x, y)]
        return max(orders, default=None)

    def _remainder(self, a: int, b: int, x: _Quotient, tree: Tree) -> _Quotient:
        """Return a remainder of the logarithm: of order 1/n - x times the next one, down from the highest known."""
        top = self._highest(x) if b == 1 else None
        top = a if top is None or top < a else top
        value = self._function(("logrem", top, b), [x], tree)
        for n in range(top - 1, a - 1, -1):
            step = self._times(x, value)
            value = self._plus(_Quotient(self._constant(Fraction(1, n)), self.one), _Quotient(-step.above, step.below))
        return value

    # ---------------------------------------------------------------------------------------- signs

    def shown(self, value: fmpq_mpoly, strict: bool) -> bool:
        """Return whether a polynomial was shown to be >= 0 (> 0 if strict) wherever the statement speaks."""
        for fact, positive in self.facts:
            self._count(100 * (len(value) + len(fact)))
            rest = _beyond(value, fact)
            if rest is not None and (rest > 0 or (rest == 0 and (positive or not strict))):
                return True
        return self._by_coefficients(value, strict)

    def _by_coefficients(self, value: fmpq_mpoly, strict: bool) -> bool:
        """Return whether every coefficient is >= 0 after the variables are written as their ends plus something >= 0.

        x = low + s, or high - s, or (low + high s)/(1 + s), of which the denominators are cleared; a variable without
        an end may come in even powers only. For > 0 some term must be so at each corner that is not excluded.
        """
        terms = {exponents: _fraction(c) for exponents, c in value.to_dict().items()}
        degrees = list(value.degrees())
        # A function other than a sum or a product has no known sign.
        if any(degrees[len(self.names) :]):
            return False
        used = [k for k, degree in enumerate(degrees[: len(self.names)]) if degree]
        ends = {k: self.ends[self.names[k]] for k in used}
        size = sum(
            degrees[k] * sum(map(_bits, (e for e in (ends[k].low, ends[k].high) if e is not None))) for k in used
        )
        self._count(math.prod(degrees[k] + 1 for k in used) * (1 + sum(degrees)) * (_size(value) + size))
        for k in used:
            terms = _from_its_ends(terms, k, degrees[k], ends[k])
        if any(c < 0 for c in terms.values()):
            return False
        unbounded = [k for k in used if ends[k].low is None and ends[k].high is None]
        if any(exponents[k] % 2 for exponents, c in terms.items() if c for k in unbounded):
            return False
        if not strict:
            return True
        corners = [self._corners(k, degrees[k], ends[k]) for k in used]
        self._count(len(terms) * math.prod(map(len, corners)))
        positive = [[exponents[k] for k in used] for exponents, c in terms.items() if c]
        return all(
            any(all(here in (None, e) for here, e in zip(corner, exponents, strict=True)) for exponents in positive)
            for corner in itertools.product(*corners)
        )

    def _corners(self, k: int, degree: int, ends: _Ends) -> list[int | None]:
        """Return the exponents that a term needs in order to be positive at each end; None where any will do."""
        if ends.low is None and ends.high is None:
            return [None] if self.names[k] in self.nonzero else [0]
        if ends.low is not None and ends.high is not None:
            found = [0] * ends.low_closed + [degree] * ends.high_closed
            return [*found] or [None]
        return [0] if (ends.low_closed if ends.low is not None else ends.high_closed) else [None]


def _from_its_ends(
    terms: Mapping[tuple[int, ...], Fraction], k: int, degree: int, ends: _Ends
) -> dict[tuple[int, ...], Fraction]:
    """Return the terms of a polynomial with variable k replaced by its ends plus something >= 0."""
    if ends.low is None and ends.high is None:
        return dict(terms)
    found: dict[tuple[int, ...], Fraction] = {}
    for exponents, c in terms.items():
        power = exponents[k]
        if ends.low is not None and ends.high is not None:
            row = _row([(ends.low, ends.high)] * power + [(Fraction(1), Fraction(1))] * (degree - power))
        else:
            row = _row([(ends.low, Fraction(1)) if ends.low is not None else (ends.high, Fraction(-1))] * power)
        for s, factor in enumerate(row):
            place = (*exponents[:k], s, *exponents[k + 1 :])
            found[place] = found.get(place, Fraction(0)) + c * factor
    return found


def _row(factors: Sequence[tuple[Any, Fraction]]) -> list[Fraction]:
    """Return the coefficients of a product of factors a + b s."""
    row = [Fraction(1)]
    for a, b in factors:
        row = [x * a + y * b for x, y in zip([*row, Fraction(0)], [Fraction(0), *row], strict=True)]
    return row


def _beyond(value: fmpq_mpoly, fact: fmpq_mpoly) -> Fraction | None:
    """Return r where value = c fact + r with c > 0 and a constant r, None where it is not so."""
    zero = (0,) * len(fact.degrees())
    left, right = ({e: _fraction(c) for e, c in p.to_dict().items()} for p in (value, fact))
    first, second = left.pop(zero, Fraction(0)), right.pop(zero, Fraction(0))
    if not right or left.keys() != right.keys():
        return None
    ratios = {left[e] / right[e] for e in left}
    share = ratios.pop()
    return None if ratios or share <= 0 else first - share * second


def _functions(tree: Tree) -> int:
    """Return the number of nodes of a tree that are no sums, products or whole powers."""
    if isinstance(tree, str):
        return 0
    return (tree[0] not in _ARITHMETIC or _is_root(tree)) + sum(map(_functions, _parts(tree)))


def _is_root(tree: Tree) -> bool:
    return tree[0] == "pow" and not (isinstance(tree[2], str) and "/" not in tree[2])


def _parts(tree: Tree) -> list[Tree]:
    """Return the expressions in a tree."""
    return [] if tree[0] == "var" else tree[3:] if tree[0] == "logrem" else tree[1:]


def _remainders(tree: Tree) -> list[Tree]:
    """Return the remainders of the logarithm in a tree."""
    if isinstance(tree, str):
        return []
    own = [tree] if tree[0] == "logrem" and tree[2] == "1" else []
    return own + [found for part in _parts(tree) for found in _remainders(part)]


def _number(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _size(value: fmpq_mpoly) -> int:
    """Return the bits of the longest coefficient, at least 1."""
    return max((int(c.p).bit_length() + int(c.q).bit_length() for c in value.coeffs()), default=1)
