"""Hypotheses that are equations, solved for one variable each: points that satisfy them cannot be drawn
at random.

`y = exp(x)` or `x + y = 1` holds on a set of measure zero. Where an equation can be solved for a
variable by steps that lose no solution, the other variables are drawn and that one is computed, as
an exact constant.

Nothing here proves anything. A solution is a candidate for a point, and whoever uses it checks every
hypothesis there by exact arithmetic (`rgm_verify.lenses.points.sampling.admissible`). A solution
that is missed costs points and no truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

import sympy
from sympy.core.facts import InconsistentAssumptions

from rgm_verify.balls.binding import evaluated
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.formula import All, Either, Formula, Relation

#: Variables in terms of the others, in which none of them occurs.
Solved: TypeAlias = "Mapping[sympy.Symbol, sympy.Expr]"
_MOST_BRANCHES = 4
_UNKNOWN = sympy.Symbol("t")
# Each step takes one operation off, so that no equation of readable length needs more.
_MOST_STEPS = 20
_TURNS = (0, 1, -1)  # how many times around an angle is looked for
#: Roots of polynomials of a higher degree are not isolated.
_HIGHEST_DEGREE = 12
#: Longer equations (in operations) are not solved.
_LONGEST = 80


def conjuncts(formula: Formula) -> Iterator[Relation]:
    """The relations that a formula asserts outright.

    A relation below an implication or an alternative is not among them.

    Examples:
        >>> import sympy
        >>> from rgm_verify.claims.formula import both, either, ge, le
        >>> x = sympy.Symbol("x", real=True)
        >>> [str(r) for r in conjuncts(both(le(x, 1), either(ge(x, 0), ge(x, -1))))]
        ['x <= 1']
    """
    if isinstance(formula, Relation):
        yield formula
    elif isinstance(formula, All):
        for part in formula.parts:
            yield from conjuncts(part)


def equations(claim: Claim) -> list[Relation]:
    """The equations among the hypotheses of a claim."""
    return [r for h in claim.hypotheses for r in conjuncts(h.formula) if r.op == "=="]


def solved(claim: Claim) -> list[Solved]:
    """The ways to solve the claim's equations, at most four; one without entries where there is nothing to solve.

    An equation that cannot be solved is left out: points then satisfy it by chance or not at all. Where a hypothesis is
    a choice of which a member holds equations, there is a way for each of its members besides.

    Variables that are not integers come first: an integer variable would seldom get an integer from an
    equation.

    Args:
        claim: The claim whose hypotheses are solved, one after the other, each with what is known by
            then.

    Returns:
        For each branch (a square has two roots) a map from solved variables to expressions in the
        others.
    """
    symbols = [v.symbol for v in claim.variables]
    preferred = sorted(symbols, key=lambda s: (bool(s.is_integer), -symbols.index(s)))
    found: list[dict[sympy.Symbol, sympy.Expr]] = [{}]
    for equation in equations(claim):
        branches: list[dict[sympy.Symbol, sympy.Expr]] = []
        for before in found:
            branches += _extended(before, equation, preferred)
        # Each equation may double the branches, and each branch costs a whole search.
        found = branches[:_MOST_BRANCHES]
    chosen = [w for member in _members(claim) for before in found for w in _all_extended(before, member, preferred)]
    every: list[Solved] = [*found, *(w for w in chosen if w not in found)]
    return every[:_MOST_BRANCHES]


def _members(claim: Claim) -> Iterator[list[Relation]]:
    """The equations of each member of a choice among the hypotheses."""
    for hypothesis in claim.hypotheses:
        if isinstance(hypothesis.formula, Either):
            for part in hypothesis.formula.parts:
                inside = [r for r in conjuncts(part) if r.op == "=="]
                if inside:
                    yield inside


def _all_extended(
    before: dict[sympy.Symbol, sympy.Expr], several: list[Relation], preferred: list[sympy.Symbol]
) -> list[dict[sympy.Symbol, sympy.Expr]]:
    found = [before]
    for equation in several:
        found = [after for way in found for after in _extended(way, equation, preferred)][:_MOST_BRANCHES]
    return found


def _extended(
    before: dict[sympy.Symbol, sympy.Expr], equation: Relation, preferred: list[sympy.Symbol]
) -> list[dict[sympy.Symbol, sympy.Expr]]:
    """Return the branches of one solution set after one more equation; the set itself if that cannot be
    solved.

    A new value replaces its symbol in the older ones too, so that no solved variable occurs in any
    value.
    """
    gap = evaluated(equation.gap).xreplace(before)
    for symbol in preferred:
        if symbol in before or not gap.has(symbol):
            continue
        candidates = roots(gap, symbol) or _real_roots(gap, symbol)
        # An infinite or imaginary root is no point, whatever the other variables are, nor is one of the wrong sign.
        values = [v for v in candidates if not v.has(symbol, sympy.zoo, sympy.nan, sympy.I, sympy.oo)]
        values = [v for v in values if not _of_the_wrong_sign(v, symbol)]
        if values:
            return [{**{s: e.xreplace({symbol: v}) for s, e in before.items()}, symbol: v} for v in values]
    return [before]


def _of_the_wrong_sign(value: sympy.Expr, symbol: sympy.Symbol) -> bool:
    """Return whether a value is outside of a symbol's half-line wherever the symbols in it are on theirs."""
    return bool((symbol.is_nonnegative and value.is_negative) or (symbol.is_positive and value.is_nonpositive))


@lru_cache(maxsize=4096)
def roots(gap: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """Solutions of `gap = 0` for a symbol: of a polynomial of degree 1 or 2, or step by step where it occurs once.

    They are candidates: a denominator may vanish there, a root may not be real, and for other forms there are more. Who
    uses one checks it at the point. Empty for what is too long, or of another form.

    Args:
        gap: The expression whose zeros are asked for.
        symbol: The unknown.

    Examples:
        >>> import sympy
        >>> x, a = sympy.symbols("x a", positive=True)
        >>> roots(x**2 - 4, x)
        (2, -2)
        >>> roots(sympy.exp(2 * x) - 3, x)
        (log(3)/2,)
        >>> roots(sympy.tan(x) - 1, x)
        (pi/4, 5*pi/4, -3*pi/4)
        >>> roots(x + sympy.exp(x) - a, x)
        ()
    """
    try:
        return _solutions(gap, symbol) if sympy.count_ops(gap) <= _LONGEST else ()
    # By the order in which it happens to ask, SymPy contradicts itself about numbers such as acos(1 - 10^-24).
    except InconsistentAssumptions:
        return ()


def _solutions(gap: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """Return the candidates of a short expression."""
    numerator = sympy.numer(sympy.together(gap))
    if numerator.is_polynomial(symbol):
        coefficients = sympy.Poly(numerator, symbol).all_coeffs()
        if len(coefficients) == 2:
            return (sympy.cancel(-coefficients[1] / coefficients[0]),)
        if len(coefficients) == 3:
            a, b, c = coefficients
            root = sympy.sqrt(sympy.factor_terms(sympy.expand(b**2 - 4 * a * c)))
            return (sympy.expand((-b + root) / (2 * a)), sympy.expand((-b - root) / (2 * a)))
    # A common denominator may bring the symbol to one place or spread it over several; either form may
    # be the one to peel.
    for side in (numerator, gap):
        found = _peeled(side, symbol)
        if found:
            return found
    return ()


@lru_cache(maxsize=1024)
def _real_roots(gap: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """The real roots of a polynomial with rational coefficients in one variable, as exact algebraic numbers."""
    if gap.free_symbols != {symbol} or sympy.count_ops(gap) > _LONGEST:
        return ()
    numerator = sympy.numer(sympy.together(gap))
    if not numerator.is_polynomial(symbol):
        return ()
    # In a symbol of its own: a root that held the variable would be replaced with it.
    polynomial = sympy.Poly(numerator.xreplace({symbol: _UNKNOWN}), _UNKNOWN)
    if not all(c.is_Rational for c in polynomial.coeffs()) or polynomial.degree() > _HIGHEST_DEGREE:
        return ()
    return tuple(dict.fromkeys(_in_own_symbol(root) for root in polynomial.real_roots()))


def _in_own_symbol(root: sympy.Expr) -> sympy.Expr:
    """A root of a polynomial in a symbol that is no variable's: SymPy remembers the one of an equal polynomial."""
    kind = sympy.polys.rootoftools.ComplexRootOf
    if not isinstance(root, kind):
        return root
    moved = root.expr.xreplace(dict.fromkeys(root.expr.free_symbols, _UNKNOWN))
    return kind._new(sympy.PurePoly(moved, _UNKNOWN), root.index)


def _peeled(side: sympy.Expr, symbol: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """Solve `side = 0` by undoing one operation after the other; nothing unless the symbol occurs in one place.

    Only one real branch is followed: an even power has two roots at the symbol itself, and the positive one further in.
    """
    value: sympy.Expr = sympy.S.Zero
    for _ in range(_MOST_STEPS):
        if side == symbol:
            return (value,)
        inner = [a for a in side.args if a.has(symbol)]
        if len(inner) != 1:
            return ()
        if isinstance(side, sympy.Pow) and inner[0] == side.base and side.exp.is_Integer and side.exp > 0:
            root = (
                value if value == 0 else sympy.real_root(value, side.exp) if side.exp % 2 else value ** (1 / side.exp)
            )
            # Only here both signs are points: further in, the other branch would be solved by the next operation.
            if side.exp % 2 == 0 and root != 0 and inner[0] == symbol:
                return (root, -root)
            side, value = inner[0], root
            continue
        angles = _angles(side, value)
        if angles:
            return tuple(root for angle in angles for root in roots(inner[0] - angle, symbol))
        undone = _undone(side, inner[0], value)
        if undone is None:
            return ()
        side, value = inner[0], undone
    return ()


def _angles(side: sympy.Expr, value: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """Return the angles nearest to 0, of both signs, at which a circular function has the value: candidates.

    Empty for another function, for a value that is no number, and for one that the function never has.
    """
    if not value.is_real or value.free_symbols or not isinstance(side, sympy.cos | sympy.sin | sympy.tan | sympy.cot):
        return ()
    if isinstance(side, sympy.tan | sympy.cot):
        first = sympy.atan(value) if isinstance(side, sympy.tan) else sympy.pi / 2 - sympy.atan(value)
        return tuple(first + k * sympy.pi for k in _TURNS)
    # What SymPy cannot tell is not true.
    if (value**2 <= 1) is not sympy.true:
        return ()
    first = sympy.acos(value)
    pair = (first, -first) if isinstance(side, sympy.cos) else (sympy.pi / 2 - first, sympy.pi / 2 + first)
    return tuple(dict.fromkeys(angle + 2 * k * sympy.pi for k in _TURNS for angle in pair))


def _undone(side: sympy.Expr, inner: sympy.Expr, value: sympy.Expr) -> sympy.Expr | None:
    """Return the value of the inner term if the whole equals `value`; None where that is not one value.

    A condition such as a positive logarithm's argument must hold by the declared domains, else nothing is undone.
    """
    rest = [a for a in side.args if a is not inner]
    if isinstance(side, sympy.Add):
        return value - sympy.Add(*rest)
    if isinstance(side, sympy.Mul):
        return value / sympy.Mul(*rest)
    if isinstance(side, sympy.exp):
        return sympy.log(value) if value.is_positive else None
    if isinstance(side, sympy.log):
        return sympy.exp(value)
    if isinstance(side, sympy.tanh):
        return sympy.log((1 + value) / (1 - value)) / 2 if (1 - value**2).is_positive else None
    if isinstance(side, sympy.Pow) and side.base == inner and side.exp.is_Rational and side.exp.q == 2:
        return value ** (1 / side.exp) if value.is_nonnegative else None
    return None
