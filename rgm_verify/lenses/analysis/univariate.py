"""Signs of a function of one variable on an interval: where it changes sign, by its derivatives, with
enclosures.

The sign of a function on a piece where it is monotone follows from its signs, or its limits, at both
ends of the piece; where it is monotone follows from the signs of its derivative, which is divided by
something of known sign first so that polynomials and logarithms disappear after a few steps.
Polynomials end this: their real roots are isolated exactly.

The result is a pattern: zeros, each in a rational interval that holds no other, and a sign on each
piece between them. Every sign in it is certified (Arb at a rational point, algebra for a zero,
`growth` for a limit), and each function is shown to be smooth before it is differentiated. Where
anything stays open, `NotKnown` is raised; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign, limit, moved_to_infinity
from rgm_verify.lenses.analysis.asymptotics.kernels import factors, plain, split_logarithms
from rgm_verify.lenses.analysis.constants import vanishes
from rgm_verify.lenses.analysis.rules.radicals import conjugate
from rgm_verify.lenses.analysis.simpler import Simpler
from rgm_verify.lenses.analysis.zeros import BISECTIONS, End, Open, Pattern, Root, same
from rgm_verify.lenses.base import rational

__all__ = ["End", "Open", "Pattern", "Root", "Signs", "vanishes_identically"]

# The limits bound the time of one question; a pattern that needs more is left to other rules.
_DEEPEST = 12
_LONGEST = 160
#: Functions of which no derivative is simpler: on a bounded interval balls are asked first.
_BY_BALLS = (sympy.sin, sympy.cos, sympy.gamma, sympy.polygamma, sympy.loggamma, sympy.erfinv)


class Signs(Simpler):
    """The sign patterns of functions of one variable; `steps` limits the work of one question. Raises `NotKnown`.

    Attributes:
        variable: The variable of all functions that are asked about.
        steps: The steps that are left.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> found = Signs(x).pattern(sympy.exp(x) - 1 - x, Open(None, None))
        >>> found.signs, [(r.lower, r.upper) for r in found.roots]
        ([1, 1], [(Fraction(0, 1), Fraction(0, 1))])
    """

    def pattern(self, f: sympy.Expr, where: Open, depth: int = 0) -> Pattern:
        """The sign pattern of a function that is smooth on the open interval. Raises `NotKnown`.

        Args:
            f: A function that is defined on the interval.

        Returns:
            A copy: callers refine the roots of what they get.
        """
        key = (f, where)
        if key not in self._known:
            self._known[key] = self._pattern(f, where, depth)
        found = self._known[key]
        # A copy: zeros are refined in place, and what is remembered must not change with them.
        return Pattern([Root(r.of, r.lower, r.upper, r.rising) for r in found.roots], list(found.signs))

    def _pattern(self, f: sympy.Expr, where: Open, depth: int) -> Pattern:
        """Return the pattern of a function from its factors, or from its derivative where logarithms
        stand in a sum.
        """
        self._step()
        if depth > _DEEPEST or sympy.count_ops(f) > _LONGEST:
            raise NotKnown(f"too many derivatives, or one is too long: {str(f)[:60]}")
        tidy = split_logarithms(plain(self._roots_apart(f, where)), lambda e: self._plainly_positive(e, where))
        # One derivative makes such a function rational, which a common denominator would spoil.
        linear = self._in_logarithms(tidy)
        if linear is not None:
            return self._of_function(linear, where, depth)
        beside = self._logarithms_beside_exponentials(tidy)
        if beside is not None:
            try:
                return self._of_function(beside, where, depth)
            except NotKnown:
                pass  # its factors may still tell
        tidy = self._without_what_cancels(tidy)
        if self._beside_constant_factors(tidy):
            return self._of_function(tidy, where, depth)
        total = Pattern([], [1])
        for factor, power in factors(tidy):
            # A constant factor with an even power is positive, and the others only add zeros.
            if power % 2 or power == 0 or factor.has(self.variable):
                part = self._of_factor(factor, where, depth)
                total = self._product(total, part, power)
        return total

    def _of_factor(self, f: sympy.Expr, where: Open, depth: int) -> Pattern:
        """Return the pattern of one factor: a constant, something positive, a polynomial, or any other
        function.
        """
        if not f.has(self.variable):
            return Pattern([], [constant_sign(f)])
        if isinstance(f, sympy.exp) or f.is_positive is True:
            return Pattern([], [1])
        if f.is_polynomial(self.variable):
            try:
                return self._of_polynomial(f, where)
            except NotKnown:
                # Coefficients that are not rational: derivatives lower the degree all the same.
                return self._of_function(f, where, depth)
        found = conjugate(f, self.variable)
        if found is not None:
            try:
                return self._of_radicals(f, *found, where, depth)
            except NotKnown:
                pass  # its derivative may still tell
        return self._of_function(f, where, depth)

    def _of_radicals(self, f: sympy.Expr, norm: sympy.Expr, other: sympy.Expr, where: Open, depth: int) -> Pattern:
        """Return the pattern of a function f that is 0 nowhere but at zeros of its norm, which is f times another one.

        It is continuous, so that it has one sign between two of these; a zero of the norm where the other factor is not
        0 is one of f.
        """
        self._require_smooth(f, where, depth)
        places = self.pattern(norm, where, depth + 1)
        if 0 in places.signs:
            raise NotKnown(f"the norm of {f} vanishes")
        found = [root for root in places.roots if self._is_zero_of_first(f, other, root)]
        lows: list[Fraction | None] = [where.lower, *(r.upper for r in found)]
        highs: list[Fraction | None] = [*(r.lower for r in found), where.upper]
        signs = []
        for low, high in zip(lows, highs, strict=True):
            signs.append(self.sign(f, self._away(Open(low, high), places.roots)))
        if 0 in signs:
            raise NotKnown(f"{f} is 0 where its norm is not")
        return Pattern(found, signs)

    def _is_zero_of_first(self, f: sympy.Expr, other: sympy.Expr, root: Root) -> bool:
        """Return whether a zero of a product is one of its first factor; raise `NotKnown` where both may be 0."""
        for _ in range(BISECTIONS):
            if root.exact:
                return self.sign(f, root.lower) == 0
            if self._over(f, root.lower, root.upper):
                return False
            if self._over(other, root.lower, root.upper):
                return True
            self.refine(root)
        raise NotKnown(f"both {f} and its conjugate may be 0 near {float(root.lower):.6g}")

    def _product(self, left: Pattern, right: Pattern, power: int) -> Pattern:
        """Return the pattern of a product of one function and a power of another: the zeros of both,
        the signs multiplied.
        """
        if power % 2 == 0:
            # An even power has the zeros of its base, and is positive beside them.
            right = Pattern(right.roots, [abs(s) for s in right.signs])
        if not left.roots and not right.roots:
            return Pattern([], [left.signs[0] * right.signs[0]])
        merged = self._merged(left.roots, right.roots)
        signs, i, j = [left.signs[0] * right.signs[0]], 0, 0
        for here in merged:
            i += any(r is here or same(r, here) for r in left.roots)
            j += any(r is here or same(r, here) for r in right.roots)
            signs.append(left.signs[i] * right.signs[j])
        return Pattern(merged, signs)

    def _of_function(self, f: sympy.Expr, where: Open, depth: int) -> Pattern:
        """The pattern of a function that is no polynomial, from that of its derivative.

        On each piece between the zeros of the derivative the function is strictly monotone, so that it
        has at most one zero there, and has one exactly if its signs at the ends of the piece (limits at
        the ends of the interval) differ.
        """
        if f.has(*_BY_BALLS) and where.lower is not None and where.upper is not None:
            # A sign on the closed interval needs no derivative, and none would be simpler.
            found = self._over(f, where.lower, where.upper)
            if found:
                return Pattern([], [found])
        f, sign = self._simpler(f, where, depth)
        self._require_smooth(f, where, depth)
        slope = sympy.diff(f, self.variable)
        if slope == 0 or vanishes_identically(slope):
            found = self.sign(f, where.inner())
            return Pattern([], [sign * found])
        # The derivative of a factor without polynomials around it is simpler, so that this ends.
        turns = self.pattern(slope, where, depth + 1)
        values = [
            self._at_end(f, where.lower, from_above=True),
            *(self.sign_at_root(f, r) for r in turns.roots),
            self._at_end(f, where.upper, from_above=False),
        ]
        roots: list[Root] = []
        signs: list[int] = []
        places: list[Root | None] = [None, *turns.roots, None]
        for k, direction in enumerate(turns.signs):
            piece = self._piece(f, where, places[k], places[k + 1], (values[k], values[k + 1]), direction)
            if k and values[k] == 0:
                roots.append(places[k])  # type: ignore[arg-type]
                signs += piece[0]
            elif signs:
                # A function that is not 0 at a turn has one sign around it: anything else would be a
                # fault of the rules.
                if signs[-1] != piece[0][0]:
                    raise NotKnown("signs of neighbouring pieces do not agree")
                signs += piece[0][1:]
            else:
                signs += piece[0]
            roots += piece[1]
        return Pattern(self._checked(roots), [sign * s for s in signs])

    def _piece(
        self, f: sympy.Expr, where: Open, left: Root | None, right: Root | None, values: tuple[int, int], direction: int
    ) -> tuple[list[int], list[Root]]:
        """Signs and zeros inside one piece where f is strictly monotone."""
        first, last = values
        # Between two neighbouring turns a slope that is 0 would be a constant piece, of which nothing is known here.
        if direction == 0:
            raise NotKnown("a derivative vanishes on a piece")
        # It cannot be, and no sign is to be believed then.
        if (last - first) * direction < 0:
            raise NotKnown("the values at the ends of a piece contradict its slope")
        if (first >= 0 and direction > 0) or (last >= 0 and direction < 0):
            return [1], []
        if (last <= 0 and direction > 0) or (first <= 0 and direction < 0):
            return [-1], []
        return [first, last], [self._bracketed(f, where, left, right, first, direction)]

    def _bracketed(
        self, f: sympy.Expr, where: Open, left: Root | None, right: Root | None, first: int, direction: int
    ) -> Root:
        """The only zero of f in a piece; `first` is the sign at its left end.

        Args:
            f: A function that is strictly monotone on the piece.
            left: The turn at the left end of the piece, None for the end of the interval.
            right: The turn at its right end, None for the end of the interval.
            direction: 1 where f rises, -1 where it falls.
        """
        low = next(p for p in self._towards(where, left, right, upper=False) if self.sign(f, p) == first)
        high = next(p for p in self._towards(where, left, right, upper=True) if p > low and self.sign(f, p) == -first)
        root = Root(f, low, high, direction > 0)
        guess = self._guess(f, low, high)
        # An exact zero spares every later halving, and lets algebra show that other functions vanish
        # there.
        if guess is not None:
            return Root(f, guess, guess, direction > 0)
        for _ in range(24):
            if root.exact or root.upper - root.lower < Fraction(1, 10**6):
                break
            self.refine(root)
        return root

    def _guess(self, f: sympy.Expr, low: Fraction, high: Fraction) -> Fraction | None:
        """A simple rational zero, if there is one.

        The zero is unique in the piece, so that any candidate at which f is shown to be 0 is it.
        """
        a, b = low, high
        rising = self.sign(f, high) > 0
        for _ in range(14):
            middle = (a + b) / 2
            found = self.sign(f, middle)
            if found == 0:
                return middle
            a, b = (a, middle) if (found > 0) == rising else (middle, b)
        for denominator in (1, 2, 3, 4, 5, 6, 8, 10, 12, 100):
            candidate = ((a + b) / 2).limit_denominator(denominator)
            if a <= candidate <= b and vanishes(f.xreplace({self.variable: rational(candidate)})):
                return candidate
        return None

    def _towards(self, where: Open, left: Root | None, right: Root | None, *, upper: bool) -> Iterator[Fraction]:
        """Points of a piece that come close to one of its ends."""
        low = where.lower if left is None else left.upper
        high = where.upper if right is None else right.lower
        start = Open(low, high).inner()
        yield start
        root = right if upper else left
        # A limit has the right sign, and so have points close enough to the end; nobody knows how close
        # that is.
        for k in range(1, BISECTIONS):
            end = high if upper else low
            if root is not None:
                yield root.lower if upper else root.upper
                if root.exact:
                    yield start + (root.lower - start) * (1 - Fraction(1, 2**k))
                else:
                    self.refine(root)
            elif end is None:
                yield start + (1 if upper else -1) * Fraction(2) ** k
            else:
                yield start + (end - start) * (1 - Fraction(1, 2**k))
        raise NotKnown("no point of that sign was found towards an end")

    def _at_end(self, f: sympy.Expr, end: End, *, from_above: bool) -> int:
        """The sign of the limit at an end: -1, 0 or 1.

        The value at a finite end counts only where the function is continuous there; else its limit is
        taken.
        """
        if end is not None:
            here = f.xreplace({self.variable: rational(end)})
            if not here.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I) and self._continuous_from_inside(f, end):
                return self.sign(f, end)
        moved, x = moved_to_infinity(f, self.variable, end, from_above=from_above)
        value = limit(moved, x)
        if value in (sympy.oo, -sympy.oo):
            return 1 if value == sympy.oo else -1
        return constant_sign(value)


def vanishes_identically(expression: sympy.Expr) -> bool:
    """Return whether expansion alone takes an expression to 0."""
    return bool(sympy.expand(expression) == 0)
