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
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import sympy

from rgm_verify.balls.enclose import sign_at
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.algebra.equations import roots
from rgm_verify.lenses.algebra.smoothness import smoothness
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, constant_sign, limit, moved_to_infinity
from rgm_verify.lenses.analysis.asymptotics.kernels import factors, plain, split_logarithms
from rgm_verify.lenses.analysis.constants import vanishes
from rgm_verify.lenses.analysis.rules.radicals import conjugate
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.solvers.definedness import Need, Unknown

__all__ = ["Open", "Pattern", "Signs"]

End = Fraction | None
# The limits bound the time of one question; a pattern that needs more is left to other rules.
_DEEPEST = 12
_MOST_STEPS = 160
_BISECTIONS = 60
_LONGEST = 160
_ROUNDS_BEFORE_ALGEBRA = 5
_BITS = 320
#: Functions with a derivative in which they no longer stand.
_ENDING = (sympy.erf, sympy.erfc, sympy.atan, sympy.acos, sympy.asin)
_WITH_SIMPLER_DERIVATIVE = (sympy.log, sympy.atan, sympy.asin, sympy.acos, sympy.erfc, sympy.erf)
#: Functions of which no derivative is simpler: on a bounded interval balls are asked first.
_BY_BALLS = (sympy.sin, sympy.cos, sympy.gamma, sympy.polygamma, sympy.loggamma, sympy.erfinv)


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
class Signs:
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

    variable: sympy.Symbol
    steps: int = _MOST_STEPS
    _known: dict[tuple[sympy.Expr, Open], Pattern] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------ points

    def sign(self, f: sympy.Expr, place: Fraction) -> int:
        """The certain sign at a rational point.

        Args:
            f: A function of the variable.
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
            f: A function of the variable.
            root: The zero, whose enclosure is made smaller in place.

        Raises:
            NotKnown: Where no enclosure tells and no closed form shows that f is 0 there.
        """
        for k in range(_BISECTIONS):
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

    # ------------------------------------------------------------------------------------------ patterns

    def pattern(self, f: sympy.Expr, where: Open, depth: int = 0) -> Pattern:
        """The sign pattern of a function that is smooth on the open interval. Raises `NotKnown`.

        Args:
            f: A function that is defined on the interval.
            where: The interval.
            depth: The number of derivatives on the way here.

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

    def _roots_apart(self, f: sympy.Expr, where: Open) -> sympy.Expr:
        """Return f with roots of quotients as quotients of roots, and squares before the root, where signs are plain.

        The derivative of an inverse circular function has such roots: 1 - (x - 1)^2/(x + 1)^2 is 4 x/(x + 1)^2.
        """

        def is_root_of_quotient(p: sympy.Expr) -> bool:
            if not isinstance(p, sympy.Pow) or not p.exp.is_Rational or p.exp.q != 2 or not p.base.has(self.variable):
                return False
            # A polynomial is looked at as it is, by its norm.
            return bool(p.base.is_rational_function(self.variable)) and not p.base.is_polynomial(self.variable)

        def apart(p: sympy.Expr) -> sympy.Expr:
            parts = factors(p.base)
            if not all(self._plainly_positive(b, where) for b, _ in parts):
                return p
            return sympy.Mul(*(b ** (k * p.exp) for b, k in parts))

        return f.replace(is_root_of_quotient, apart)

    def _in_logarithms(self, f: sympy.Expr) -> sympy.Expr | None:
        """Return f as a rational function and logarithms with constant factors, of which one derivative is rational."""
        expanded = sympy.expand(f)
        logs = sorted((a for a in expanded.atoms(sympy.log) if a.has(self.variable)), key=str)
        if not logs:
            return None
        rest, total = expanded, sympy.S.Zero
        for node in logs:
            part = expanded.coeff(node, 1)
            coefficient = sympy.cancel(sympy.together(part)) if part.is_rational_function(self.variable) else part
            if coefficient.has(self.variable):
                return None
            rest, total = sympy.expand(rest - part * node), total + coefficient * node
        if rest.has(*logs) or not rest.is_rational_function(self.variable):
            return None
        return total + sympy.cancel(sympy.together(rest))

    def _logarithms_beside_exponentials(self, f: sympy.Expr) -> sympy.Expr | None:
        """Return f if it has logarithms with constant factors alone, beside a quotient with exponentials; else None.

        One derivative has no logarithm left, where a common denominator would put factors before each of them.
        """
        expanded = sympy.expand(f)
        logs = sorted((a for a in expanded.atoms(sympy.log) if a.has(self.variable)), key=str)
        exponentials = {t for t in expanded.atoms(sympy.exp) if t.has(self.variable)}
        if not logs or not all(t.args[0].diff(self.variable).is_Rational for t in exponentials):
            return None
        names = {t: sympy.Dummy("w", positive=True) for t in exponentials}
        inside = expanded.xreplace(names)
        places = {
            n: sympy.Dummy("l", real=True) for n in inside.atoms(sympy.log) if n.has(self.variable, *names.values())
        }
        plain_ = inside.xreplace(places)
        if not all(plain_.diff(place).is_number for place in places.values()):
            return None
        rest = plain_.xreplace(dict.fromkeys(places.values(), sympy.S.Zero))
        if not names or not rest.is_rational_function(self.variable, *names.values()):
            return None
        return f

    def _beside_constant_factors(self, f: sympy.Expr) -> bool:
        """Return whether functions with algebraic or exponential derivatives stand in f with constant factors alone."""
        if not isinstance(f, sympy.Add):
            return False
        special = [t for t in f.args if any(a.has(self.variable) for a in t.atoms(*_ENDING))]
        shares = [sympy.Mul(*(a for a in sympy.Mul.make_args(t) if not isinstance(a, _ENDING))) for t in special]
        return 0 < len(special) < len(f.args) and not any(s.has(self.variable) for s in shares)

    def _without_what_cancels(self, f: sympy.Expr) -> sympy.Expr:
        """Return f without its algebraic terms, if these add up to 0 over a common denominator."""
        terms = sympy.Add.make_args(f)
        rest = sympy.Add(*(t for t in terms if not t.has(sympy.Function, sympy.exp)))
        if rest in (0, f) or not rest.has(self.variable):
            return f
        return f - rest if sympy.expand(sympy.numer(sympy.together(rest))) == 0 else f

    def _plainly_positive(self, e: sympy.Expr, where: Open) -> bool:
        """Return whether an expression is positive on the interval by its form or as a polynomial: what
        logarithms may be split by.
        """
        if e.is_positive is True:
            return True
        if e.free_symbols <= {self.variable} and e.is_polynomial(self.variable):
            try:
                return self._of_polynomial(e, where).signs == [1]
            except NotKnown:
                return False
        return False

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
        for _ in range(_BISECTIONS):
            if root.exact:
                return self.sign(f, root.lower) == 0
            if self._over(f, root.lower, root.upper):
                return False
            if self._over(other, root.lower, root.upper):
                return True
            self.refine(root)
        raise NotKnown(f"both {f} and its conjugate may be 0 near {float(root.lower):.6g}")

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
            for _ in range(_BISECTIONS):
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
            i += any(r is here or _same(r, here) for r in left.roots)
            j += any(r is here or _same(r, here) for r in right.roots)
            signs.append(left.signs[i] * right.signs[j])
        return Pattern(merged, signs)

    def _merged(self, left: list[Root], right: list[Root]) -> list[Root]:
        """Both lists in order; exact zeros that both have are one."""
        other = [r for r in right if not any(_same(r, s) for s in left)]
        return self._ordered([*left, *other])

    # ------------------------------------------------------------------------------------------ functions

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

    @staticmethod
    def _checked(roots: list[Root]) -> list[Root]:
        """Return the zeros if they are in order and apart; raise `NotKnown` if not."""
        for left, right in pairwise(roots):
            if left.upper >= right.lower:
                raise NotKnown("zeros of one function are not told apart")
        return roots

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
            where: The whole interval.
            left: The turn at the left end of the piece, None for the end of the interval.
            right: The turn at its right end, None for the end of the interval.
            first: The sign at the left end.
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
        for k in range(1, _BISECTIONS):
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

    def _continuous_at(self, f: sympy.Expr, end: Fraction) -> bool:
        """Return whether f certainly is smooth at a point itself, so that its value there is its limit."""
        try:
            return all(
                self.sign(c.lhs - c.rhs, end) * (1 if c.op in (">", "!=") else -1) > 0
                or (c.op == "!=" and self.sign(c.lhs - c.rhs, end) != 0)
                for c in _known(smoothness(f, self.variable))
            )
        except NotKnown:
            return False

    def _continuous_from_inside(self, f: sympy.Expr, end: Fraction) -> bool:
        """Return whether f, which is smooth inside, has its value at an end as its limit.

        A root of something that falls to 0 is continuous there, and so are asin and acos at -1 and 1: inside of the
        range their arguments are where they have values. Each such term is named, and the rest has to be smooth.
        """
        names: dict[sympy.Expr, sympy.Symbol] = {}

        def named(node: sympy.Expr) -> sympy.Expr:
            bent = isinstance(node, sympy.asin | sympy.acos) or (
                isinstance(node, sympy.Pow) and node.exp.is_Rational and node.exp > 0 and not node.exp.is_Integer
            )
            if bent and node.has(self.variable):
                return names.setdefault(node, sympy.Dummy(f"bent {len(names)}", real=True))
            if not node.args or not node.has(self.variable):
                return node
            return node.func(*(named(a) for a in node.args))

        rest = named(f)
        if not names:
            return self._continuous_at(f, end)
        if not all(self._continuous_from_inside(node.args[0], end) for node in names):
            return False
        back = {name: node for node, name in names.items()}
        # The conditions on what stands around the roots are asked with the roots put back.
        try:
            found = [(c.op, self.sign((c.lhs - c.rhs).xreplace(back), end)) for c in _known(smoothness(rest))]
        except NotKnown:
            return False
        return all(sign > 0 or (op == "!=" and sign != 0) for op, sign in found)

    def _require_smooth(self, f: sympy.Expr, where: Open, depth: int) -> None:
        """Raise `NotKnown` unless each condition of smoothness holds on the whole open interval."""
        for condition in _known(smoothness(f, self.variable)):
            gap = condition.lhs - condition.rhs
            if gap.is_positive or (condition.op == "!=" and gap.is_nonzero):
                continue
            # A condition on the function itself would ask its own pattern again, without end.
            if not gap.has(self.variable) or gap == f:
                raise NotKnown(f"{f} is not known to be smooth")
            found = self.pattern(gap, where, depth + 1)
            if found.roots or (found.signs[0] <= 0 and not (condition.op == "!=" and found.signs[0] != 0)):
                raise NotKnown(f"not smooth: {condition}")

    def _by_common_share(
        self, f: sympy.Expr, expanded: sympy.Expr, logs: list[sympy.Expr], where: Open, depth: int
    ) -> tuple[sympy.Expr, int]:
        """Return f divided by the factor that several logarithms share up to a number, and its sign; else f itself."""
        shares = [sympy.factor(expanded.coeff(node, 1)) for node in logs]
        ratios = [sympy.cancel(s / shares[0]) if shares[0] != 0 else sympy.nan for s in shares]
        rest = sympy.expand(expanded - sympy.Add(*(s * n for s, n in zip(shares, logs, strict=True))))
        if not all(r.is_Rational for r in ratios) or not shares[0].has(self.variable) or rest.has(*logs):
            return f, 1
        signs = self.pattern(shares[0], where, depth + 1)
        if signs.roots or not signs.signs[0]:
            return f, 1
        logarithms = sympy.Add(*(r * n for r, n in zip(ratios, logs, strict=True)))
        return logarithms + sympy.cancel(sympy.together(rest / shares[0])), signs.signs[0]

    def _beside_one_root(self, expanded: sympy.Expr) -> sympy.Expr | None:
        """Return a sum of a multiple of one root and of logarithms divided by that root, which is positive; else None.

        The derivative has the root as a factor alone then.
        """
        v = self.variable
        roots_ = {p for p in expanded.atoms(sympy.Pow) if p.exp == sympy.Rational(1, 2) and p.has(v)}
        terms = sympy.Add.make_args(expanded)
        with_root = [t for t in terms if t.has(*roots_)] if roots_ else []
        with_log = [t for t in terms if any(a.has(v) for a in t.atoms(sympy.log))]
        if len(with_root) != 1 or not with_log or with_root[0] in with_log:
            return None
        share = with_root[0] / sympy.Mul(*roots_)
        if share.has(v) or len(terms) < 2:
            return None
        return sympy.Add(*(t / sympy.Mul(*roots_) for t in terms))

    def _simpler(self, f: sympy.Expr, where: Open, depth: int) -> tuple[sympy.Expr, int]:
        """Return f divided by something of one sign, so that its derivative is simpler; and that sign.

        A coefficient of one sign in front of a logarithm (or of erf, atan) is divided out, so that the
        derivative has none left; of exponentials the simplest one is.
        """
        v = self.variable
        expanded = sympy.expand(f)
        divided = self._beside_one_root(expanded)
        if divided is not None:
            return divided, 1
        logs = sorted((a for a in expanded.atoms(*_WITH_SIMPLER_DERIVATIVE) if a.has(v)), key=str)
        # With several such terms no single quotient gets rid of them.
        if len(logs) == 1:
            coefficient = expanded.coeff(logs[0], 1)
            rest = sympy.expand(expanded - coefficient * logs[0])
            if not rest.has(logs[0]) and coefficient.has(v):
                # A quotient by something that changes sign would turn the function around on a part.
                signs = self.pattern(coefficient, where, depth + 1)
                if not signs.roots and signs.signs[0]:
                    return logs[0] + sum(sympy.cancel(t / coefficient) for t in [rest] if t != 0), signs.signs[0]
            return f, 1
        if logs:
            return self._by_common_share(f, expanded, logs, where, depth)
        exponentials = sorted((a for a in expanded.atoms(sympy.exp) if a.has(v)), key=str)
        terms = sympy.Add.make_args(expanded)
        if exponentials and not any(t.is_polynomial(v) for t in terms):
            simplest = min((t for t in terms), key=sympy.count_ops)
            kernel = sympy.Mul(*(a for a in sympy.Mul.make_args(simplest) if isinstance(a, sympy.exp)))
            if kernel != 1:
                return sympy.powsimp(sympy.expand(sum(sympy.powsimp(t / kernel) for t in terms))), 1
        return f, 1


def _known(needs: Iterator[Need]) -> Iterator[Relation]:
    """Yield conditions; raises `NotKnown` at one that is not known."""
    for need in needs:
        if isinstance(need, Unknown):
            raise NotKnown("a function of which it is not known where it is smooth")
        yield need


def _same(left: Root, right: Root) -> bool:
    """Return whether two zeros are known exactly and equal."""
    return left.exact and right.exact and left.lower == right.lower


def vanishes_identically(expression: sympy.Expr) -> bool:
    """Return whether expansion alone takes an expression to 0."""
    return bool(sympy.expand(expression) == 0)
