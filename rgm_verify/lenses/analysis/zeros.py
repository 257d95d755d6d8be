"""Zeros and signs of a function of one variable: each zero in an enclosure that can be made smaller."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import sympy

from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign
from rgm_verify.lenses.analysis.constants import vanishes
from rgm_verify.lenses.base import rational

_MOST_STEPS = 160
BISECTIONS = 60
_ROUNDS_BEFORE_ALGEBRA = 5
_BITS = 320
End = Fraction | None


@dataclass(frozen=True)
class Open:
    """An open interval with rational ends; None is infinite."""

    lower: End
    upper: End

    def inner(self) -> Fraction:
        """A simple point of it.

        Returns:
            A rational strictly between the ends; with a small denominator unless the interval is short.

        Examples:
            >>> Open(Fraction(0), None).inner(), Open(Fraction(1), Fraction(2)).inner()
            (Fraction(1, 1), Fraction(3, 2))
        """
        if self.lower is not None and self.upper is not None:
            middle = (self.lower + self.upper) / 2
            return middle.limit_denominator(10**6) if self.upper - self.lower > Fraction(1, 10**5) else middle
        if self.lower is not None:
            return self.lower + 1
        return Fraction(0) if self.upper is None else self.upper - 1


@dataclass
class Root:
    """A zero of a function that changes its sign there, between two rationals; exact where they are equal.

    Attributes:
        of: A function that changes its sign at the zero and has no other zero in the interval.
        lower: A rational at or below the zero.
        upper: A rational at or above it.
        rising: Whether `of` goes from negative to positive.
    """

    of: sympy.Expr
    lower: Fraction
    upper: Fraction
    rising: bool

    @property
    def exact(self) -> bool:
        """Return whether the zero is known exactly."""
        return self.lower == self.upper


@dataclass
class Pattern:
    """Zeros in order, and the sign on each piece between them; `signs` has one entry more than `roots`.

    Attributes:
        roots: Zeros with enclosures that do not meet.
        signs: 1 or -1 on each open piece.
    """

    roots: list[Root]
    signs: list[int]


@dataclass
class Zeros(ABC):
    """Signs at rationals and at zeros; `steps` limits the work of one question. Raises `NotKnown`.

    Attributes:
        variable: The variable of all functions that are asked about.
        steps: The steps that are left.
    """

    variable: sympy.Symbol
    steps: int = _MOST_STEPS
    _known: dict[tuple[sympy.Expr, Open], Pattern] = field(default_factory=dict)

    @abstractmethod
    def pattern(self, f: sympy.Expr, where: Open, depth: int = 0) -> Pattern:
        """Return the zeros of a function on an open interval, and its signs between them."""

    # ------------------------------------------------------------------------------------------ points

    def sign(self, f: sympy.Expr, place: Fraction) -> int:
        """The certain sign at a rational point.

        Args:
            place: A rational.

        Raises:
            NotKnown: Where neither Arb nor algebra tells.
        """
        try:
            found = sign_at(f, {self.variable: place}, maximum_bits=_BITS)
        except (UnsupportedExpression, OverflowError) as error:
            raise NotKnown(str(error)) from error
        if found in ("positive", "negative"):
            return 1 if found == "positive" else -1
        if found == "zero" or vanishes(f.xreplace({self.variable: rational(place)})):
            return 0
        raise NotKnown(f"the sign of {f} at {self.variable} = {place} is open")

    def sign_at_root(self, f: sympy.Expr, root: Root) -> int:
        """The sign at a zero of another function, which is enclosed more finely as needed.

        Args:
            root: The zero, whose enclosure is made smaller in place.

        Raises:
            NotKnown: Where no enclosure tells and no closed form shows that f is 0 there.
        """
        for k in range(BISECTIONS):
            if root.exact:
                return self.sign(f, root.lower)
            found = self._over(f, root.lower, root.upper)
            if found:
                return found
            # Algebra takes long, and most signs show after a few halvings; a zero would halve for ever.
            if k == _ROUNDS_BEFORE_ALGEBRA and self._vanishes_at(f, root):
                return 0
            self.refine(root)
        raise NotKnown(f"the sign of {f} is open at a zero of {root.of} near {self.variable} = {float(root.lower):.6g}")

    def _vanishes_at(self, f: sympy.Expr, root: Root) -> bool:
        """Return whether f is shown to be 0 at a zero that has a closed form."""
        for value in roots(root.of, self.variable):
            try:
                inside = constant_sign(value - rational(root.lower)) > 0 > constant_sign(value - rational(root.upper))
            except NotKnown:
                continue
            if inside:
                return bool(vanishes(f.xreplace({self.variable: value})))
        return False

    def _over(self, f: sympy.Expr, lower: Fraction, upper: Fraction) -> int:
        """The sign of f on all of a closed interval, 0 if a ball does not tell."""
        from rgm_verify.lenses.analysis.boxes import sign_over

        return sign_over(f, {self.variable: (lower, upper)})

    def refine(self, root: Root) -> None:
        """Halve the interval around a zero.

        Raises:
            NotKnown: When the interval has become shorter than 2^-200, or the steps are used up.
        """
        self._step()
        middle = (root.lower + root.upper) / 2
        # So close that two different numbers of this size would show by now; algebra has to tell.
        if root.upper - root.lower < Fraction(1, 2**200):
            raise NotKnown("a zero is enclosed finely enough")
        found = self.sign(root.of, middle)
        if found == 0:
            root.lower = root.upper = middle
        elif (found > 0) == root.rising:
            root.upper = middle
        else:
            root.lower = middle

    def _step(self) -> None:
        """Count a step; raise `NotKnown` when none is left."""
        self.steps -= 1
        if self.steps < 0:
            raise NotKnown("it takes too many steps")

    # ------------------------------------------------------------------------------------------ zeros

    def _of_polynomial(self, f: sympy.Expr, where: Open) -> Pattern:
        """Return the pattern of a polynomial with rational coefficients: its real roots are isolated,
        and a value tells each sign.

        Roots of even multiplicity are zeros without a change of sign.
        """
        try:
            polynomial = sympy.Poly(f, self.variable, domain=sympy.QQ)
        except sympy.polys.polyerrors.BasePolynomialError as error:
            raise NotKnown(str(error)) from error
        roots: list[Root] = []
        if polynomial.degree() > 0:
            _, parts = polynomial.factor_list()
            # Factors of even multiplicity keep the sign, and isolation needs polynomials without
            # repeated roots.
            odd = [p for p, k in parts if k % 2]
            even = [p for p, k in parts if k % 2 == 0]
            found = sorted(((r, True) for p in odd for r in self._isolated(p)), key=lambda pair: pair[0].lower) + [
                (r, False) for p in even for r in self._isolated(p)
            ]
            roots = self._ordered([r for r, _ in found])
        inside = [r for r in roots if self._is_inside(r, where)]
        ends: list[Fraction | None] = [where.lower, *(r.upper for r in inside)]
        tops: list[Fraction | None] = [*(r.lower for r in inside), where.upper]
        signs = []
        for low, high in zip(ends, tops, strict=True):
            # Isolating intervals may touch, at a point that is no root; without a root the line has no ends.
            place = low if low is not None and low == high else Open(low, high).inner()
            value = polynomial.eval(rational(place))
            # Exact: a polynomial over the rationals at a rational point.
            signs.append(int(sympy.sign(value)))
        if 0 in signs:
            raise NotKnown(f"{f}: a zero at a chosen point")
        return Pattern(inside, signs)

    def _isolated(self, polynomial: sympy.Poly) -> list[Root]:
        """Return the real roots of an irreducible polynomial in rational intervals that hold one each."""
        if polynomial.degree() == 1:
            a, b = polynomial.all_coeffs()
            value = Fraction(int((-b / a).p), int((-b / a).q))
            return [Root(polynomial.as_expr(), value, value, bool(a > 0))]
        found = []
        for (low, high), _ in polynomial.intervals(eps=sympy.Rational(1, 10**6)):
            lower, upper = Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))
            rising = polynomial.eval(high) > 0 if lower != upper else True
            found.append(Root(polynomial.as_expr(), lower, upper, bool(rising)))
        return found

    def _is_inside(self, root: Root, where: Open) -> bool:
        """Return whether a zero lies in the open interval; its enclosure is then inside as well.

        Raises:
            NotKnown: Where the steps are used up before the zero lies on one side of each end.
        """
        for end, above in ((where.lower, True), (where.upper, False)):
            if end is None:
                continue
            # The enclosure may reach over the end although the zero does not: it is halved until it
            # lies on one side.
            while True:
                if root.exact:
                    if (root.lower <= end) if above else (root.lower >= end):
                        return False
                    break
                if (root.lower > end) if above else (root.upper < end):
                    break
                if (root.upper <= end) if above else (root.lower >= end):
                    return False
                if self.sign(root.of, end) == 0:
                    return False  # the zero is the end itself: the enclosure holds no other
                self.refine(root)
        return True

    def _ordered(self, roots: list[Root]) -> list[Root]:
        """Zeros in order with enclosures that do not meet."""
        roots = sorted(roots, key=lambda r: (r.lower, r.upper))
        for left, right in pairwise(roots):
            for _ in range(BISECTIONS):
                if left.upper < right.lower:
                    break
                if left.exact and right.exact:
                    raise NotKnown("two zeros are one")
                for root in (left, right):
                    if not root.exact:
                        self.refine(root)
            else:
                raise NotKnown("two zeros were not told apart")
        return sorted(roots, key=lambda r: (r.lower, r.upper))

    def _merged(self, left: list[Root], right: list[Root]) -> list[Root]:
        """Both lists in order; exact zeros that both have are one."""
        other = [r for r in right if not any(same(r, s) for s in left)]
        return self._ordered([*left, *other])

    @staticmethod
    def _checked(roots: list[Root]) -> list[Root]:
        """Return the zeros if they are in order and apart; raise `NotKnown` if not."""
        for left, right in pairwise(roots):
            if left.upper >= right.lower:
                raise NotKnown("zeros of one function are not told apart")
        return roots

    @staticmethod
    def _away(piece: Open, roots: list[Root]) -> Fraction:
        """A point of a piece that lies in the enclosure of no zero; any of these has the sign of the piece."""
        inner = piece.inner()
        if all(not (r.lower <= inner <= r.upper) for r in roots):
            return inner
        for k in range(2, 12):
            low = inner - 1 if piece.lower is None else piece.lower
            high = inner + 1 if piece.upper is None else piece.upper
            place = low + (high - low) * Fraction(1, k * k)
            if all(not (r.lower <= place <= r.upper) for r in roots):
                return place
        raise NotKnown("no point away from zeros")


def same(left: Root, right: Root) -> bool:
    """Return whether two zeros are known exactly and equal."""
    return left.exact and right.exact and left.lower == right.lower
