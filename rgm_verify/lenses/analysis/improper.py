"""Improper integrals by the fundamental theorem of calculus: the value, and that there is one.

An integral up to infinity is a limit, which floats and balls see nothing of. Here it is found as the
definition has it: a function F whose derivative is the integrand on the open range, and its limits at
both ends. If both are finite, the integral converges, and is their difference.

SymPy proposes F and is not trusted for it: the derivative of F is reduced to the integrand, F and the
integrand are shown to be smooth and continuous on the whole open range, for all admissible values of
the other variables, and the limits come from rules that know no indeterminate form. An absolute value,
a maximum or a minimum splits the range where its members change over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import sympy
from sympy.integrals.manualintegrate import manualintegrate

from rgm_verify.claims.claim import Claim, Variable, real
from rgm_verify.claims.formula import All, Either, Formula, FormulaError, Iff, Implies, Relation, relations, symbols_of
from rgm_verify.lenses.algebra.equations import conjuncts, roots
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown
from rgm_verify.lenses.analysis.asymptotics.kernels import plain
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.goals import symbols_in
from rgm_verify.lenses.analysis.rules.known_integrals import known_integral
from rgm_verify.lenses.analysis.search import Domain, Prover
from rgm_verify.lenses.solvers.definedness import (
    UNKNOWN,
    as_promised,
    continuous_parts,
    evident,
    has_infinite_ends,
    needs,
)

__all__ = [
    "GIVES_UP", "INFINITE", "Value", "each_case", "has_infinite_ends", "has_open_ends", "improper_integrals", "value",
    "with_values",
]  # fmt: skip

INFINITE = (sympy.oo, -sympy.oo)
_BENT = (sympy.Abs, sympy.Max, sympy.Min)
_WAVES = (sympy.sin, sympy.cos)
#: More half-waves are not told apart.
_MOST_WAVES = 12
#: The variable along a range, in messages as well; no author's variable has such a name.
_NAME = "u'"
#: Longer integrands are not integrated: the search for an antiderivative has no budget of its own.
_LONGEST = 80
#: What SymPy raises where it cannot work with an integrand; the attempt ends, and shows nothing.
GIVES_UP = (
    sympy.polys.polyerrors.BasePolynomialError, NotImplementedError, ZeroDivisionError, NotKnown, RecursionError,
    FormulaError, ValueError, TypeError, AttributeError, OverflowError,
)  # fmt: skip


@dataclass(frozen=True)
class Value:
    """The value of an improper integral.

    Attributes:
        integral: The integral as it is written.
        value: An expression in the other variables that is equal to it wherever these are admissible.
        steps: How that was shown, a line for each part of the range.
    """

    integral: sympy.Integral
    value: sympy.Expr
    steps: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.integral} = {self.value}: {'; '.join(self.steps)}"


def improper_integrals(formula: Formula) -> list[sympy.Integral]:
    """Return the integrals of a formula with an end at infinity, in an order that does not depend on the process."""
    return [node for node in _integrals(formula) if has_infinite_ends(node)]


def _integrals(formula: Formula) -> list[sympy.Integral]:
    """Return the integrals of a formula that stand in no other one, in an order that does not depend on the process."""
    found = {node for r in relations(formula) for side in (r.lhs, r.rhs) for node in side.atoms(sympy.Integral)}
    inner = {node for outer in found for node in outer.function.atoms(sympy.Integral)}
    return sorted(found - inner, key=sympy.default_sort_key)


def _without_continuous_integrand(claim: Claim) -> list[sympy.Integral]:
    """Return the integrals of a conclusion if one of them is not seen to be proper, as its integrand has a pole."""
    found = _integrals(claim.conclusion) if claim.conclusion is not None else []
    return found if any(not all(evident(need) for need in needs(node)) for node in found) else []


def has_open_ends(claim: Claim) -> bool:
    """Return whether an integral of a conclusion is not seen to be proper, at an end or inside of its range."""
    return bool(_without_continuous_integrand(claim))


def _with_bends(claim: Claim) -> list[sympy.Integral]:
    """Return the integrals of a conclusion with an absolute value, a maximum or a minimum of the integrand in them."""
    found = _integrals(claim.conclusion) if claim.conclusion is not None else []
    return [n for n in found if any(b.has(limit[0]) for b in n.function.atoms(*_BENT) for limit in n.limits)]


def _in_equations(claim: Claim) -> list[sympy.Integral]:
    """Return the integrals of a conclusion that is made of equations, which nothing but their values decides."""
    if claim.conclusion is None or any(r.op != "==" for r in relations(claim.conclusion)):
        return []
    return _integrals(claim.conclusion)


def with_values(claim: Claim) -> tuple[Claim, tuple[Value, ...], str]:
    """A claim with the values of its improper integrals in their places.

    A value holds where the hypotheses hold, so that the two claims say the same. The controls that an author has
    written are left out: they may hold elsewhere.

    Returns:
        The claim to be judged, the values that it uses, and what is open: a sentence that names the first integral
        without a value, empty if each has one.
    """
    given = [node for h in claim.hypotheses for node in improper_integrals(h.formula)]
    if given:
        return claim, (), f"an improper integral in a hypothesis: {given[0]}"
    if claim.conclusion is None:
        return claim, (), ""
    found = improper_integrals(claim.conclusion)
    if not claim.checks:
        proper = _without_continuous_integrand(claim) or _with_bends(claim) or _in_equations(claim)
        found = _integrals(claim.conclusion) if found else proper
    domain = Domain(claim.variables, tuple(r for h in claim.hypotheses for r in conjuncts(h.formula)))
    if not claim.checks and not found:
        found = _by_theorem(claim, domain)
    if not found:
        return claim, (), ""
    values: list[Value] = []
    for node in found:
        one = value(node, domain)
        if isinstance(one, Value):
            values.append(one)
        # An integral between finite ends may have another proof, or be the claim's own affair.
        elif has_infinite_ends(node):
            return claim, (), f"{node}: {one}"
    if not values:
        return claim, (), ""
    conclusion = _replaced(claim.conclusion, {one.integral: one.value for one in values})
    used = symbols_of(conclusion).union(*(symbols_of(h.formula) for h in claim.hypotheses))
    # What the value does not depend on is no variable of what is left.
    kept = claim.variables if claim.checks else tuple(v for v in claim.variables if v.symbol in used)
    return replace(claim, conclusion=conclusion, variables=kept, mutants=()), tuple(values), ""


def _by_theorem(claim: Claim, domain: Domain) -> list[sympy.Integral]:
    """Return the integrals of a conclusion with a variable in an exponent that a theorem gives, for any value of it.

    Where such a variable is large, no enclosure of the integral is narrow.
    """
    found = _integrals(claim.conclusion) if claim.conclusion is not None else []
    powers = [node for node in found if any(p.exp.free_symbols for p in node.function.atoms(sympy.Pow))]
    prover = Prover()
    return [node for node in powers if known_integral(node, lambda r: prover.holds(r, domain)) is not None]


def _replaced(formula: Formula, values: dict[sympy.Integral, sympy.Expr]) -> Formula:
    """Return a formula with values in the places of integrals."""
    match formula:
        case Relation(lhs, _, rhs):
            return replace(formula, lhs=lhs.xreplace(values), rhs=rhs.xreplace(values))
        case All(parts) | Either(parts):
            return type(formula)(tuple(_replaced(part, values) for part in parts))
        case Implies(left, right) | Iff(left, right):
            return type(formula)(_replaced(left, values), _replaced(right, values))


def value(node: sympy.Integral, domain: Domain, prover: Prover | None = None) -> Value | str:
    """The value of an improper integral wherever the other variables are admissible, or why none was shown.

    Args:
        node: An integral over one variable, each of whose ends is finite, or infinite in its own direction.
        domain: The other variables, and what is assumed of them.
        prover: The search for conditions of smoothness; None for one with a budget of its own.

    Returns:
        The value with its steps; a sentence that says what is open otherwise.

    Examples:
        >>> t, a = sympy.Symbol("t", real=True), real("a", lower=0, lower_open=True)
        >>> tail = sympy.Integral(t * sympy.exp(-a.symbol * t), (t, 0, sympy.oo))
        >>> value(tail, Domain((a,))).value
        a**(-2)
        >>> value(sympy.Integral(1 / t, (t, 1, sympy.oo)), Domain(()))
        "its antiderivative log(u' + 1) tends to oo at u' = oo, so that it diverges (t = u' + 1)"
    """
    prover = prover or Prover()
    try:
        return _found(node, domain, prover)
    except GIVES_UP as error:
        return f"no value was found ({type(error).__name__}: {error})"


def _found(node: sympy.Integral, domain: Domain, prover: Prover) -> Value | str:
    """Return the value as a sum over the parts of the range, or what is open."""
    if any(len(limit) != 3 for limit in node.limits):
        return "only integrals with two ends have a value here"
    t, lower, upper = node.limits[-1]
    if len(node.limits) > 1 or node.function.has(sympy.Integral):
        return _iterated(node, domain, prover)
    if node.function.atoms(sympy.Sum, sympy.Product, sympy.Derivative):
        return "its integrand has a sum or a derivative in it"
    if lower is sympy.oo or upper is -sympy.oo or not as_promised(t, *_inside(lower, upper)):
        return "its variable is not what its symbol promises between the ends"
    if lower not in INFINITE and upper not in INFINITE and not prover.holds(Relation(lower, "<", upper), domain):
        one = _either_way(node.function, t, lower, upper, domain, prover)
        if isinstance(one, str):
            return f"its lower end was not shown to be below its upper one, and {one}"
        return (
            Value(node, one[0], (one[1],)) if prover.defined(one[0], domain) else f"{one[0]} was not shown to be real"
        )
    theorem = known_integral(node, lambda r: prover.holds(r, domain))
    if theorem is not None and prover.defined(theorem[0], domain):
        return Value(node, theorem[0], (f"by {theorem[1]}",))
    total, steps = sympy.S.Zero, []
    for piece in _pieces(node.function, t, lower, upper, domain, prover):
        one = _over(*piece[:4], domain, prover)
        if isinstance(one, str):
            return one
        if piece[4] and not _is_0_without_width(one[0], piece[3] - piece[2], domain, prover):
            return f"its part from {piece[2]} to {piece[3]} was not shown to be 0 where these are equal"
        total += one[0]
        steps.append(one[1])
    total = _shorter(sympy.simplify(total) if sympy.count_ops(total) < _LONGEST else total)
    if total.has(*INFINITE, sympy.nan, sympy.zoo) or not prover.defined(total, domain):
        return f"its value {total} was not shown to be a real number everywhere"
    return Value(node, total, tuple(steps))


def _iterated(node: sympy.Integral, domain: Domain, prover: Prover) -> Value | str:
    """Return the value of an integral of integrals, from the inside outwards.

    The inner ones have values for every place strictly between the outer ends, which is all that the outer one sees.
    """
    *inner, (t, lower, upper) = node.limits
    f = sympy.Integral(node.function, *inner) if inner else node.function
    infinite = [end in INFINITE for end in (lower, upper)]
    # Between ends in the wrong order there is no place, and of no place everything can be shown.
    if not any(infinite) and not prover.holds(Relation(lower, "<", upper), domain):
        return "the lower end of its outer integral was not shown to be below the upper one"
    low, high = (Fraction(int(e.p), int(e.q)) if e.is_Rational else None for e in (lower, upper))
    way = real(f"u{len(domain.variables)}'", lower=low, upper=high, lower_open=low is not None,
               upper_open=high is not None)  # fmt: skip
    u = way.symbol
    sides = [] if infinite[0] or low is not None else [Relation(u, ">", lower)]
    sides += [] if infinite[1] or high is not None else [Relation(u, "<", upper)]
    wide = Domain((*domain.variables, way), (*domain.extra, *sides))
    steps: tuple[str, ...] = ()
    while nodes := sorted(sympy.ordered(f.atoms(sympy.Integral)), key=sympy.count_ops):
        one = value(nodes[0].xreplace({t: u}), wide, prover)
        if isinstance(one, str):
            return f"{nodes[0]}: {one}"
        f, steps = f.xreplace({nodes[0]: one.value.xreplace({u: t})}), (*steps, str(one))
    whole = value(sympy.Integral(f, (t, lower, upper)), domain, prover)
    return whole if isinstance(whole, str) else Value(node, whole.value, (*steps, *whole.steps))


def _either_way(
    f: sympy.Expr, t: sympy.Symbol, lower: sympy.Expr, upper: sympy.Expr, domain: Domain, prover: Prover
) -> tuple[sympy.Expr, str] | str:
    """Return the integral between ends in either order, of an integrand that is continuous at both and between them."""
    way = real(_NAME)
    u = way.symbol
    between = Relation((u - lower) * (upper - u), ">=", sympy.S.Zero)
    wide = Domain((*domain.variables, way), (*domain.extra, between))
    found = _antiderivative(f.xreplace({t: u}), way, wide, prover)
    if isinstance(found, str):
        return found
    return found.xreplace({u: upper}) - found.xreplace({u: lower}), f"by {found}, where {t} = {u}"


def _inside(lower: sympy.Expr, upper: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """Return the ends of a range with a number of the right sign for an infinite one."""
    return (sympy.S.NegativeOne if lower in INFINITE else lower, sympy.S.One if upper in INFINITE else upper)


def _shorter(total: sympy.Expr) -> sympy.Expr:
    """Return a value by erfc where that is shorter: a tail of a normal distribution is not written as 1 - erf."""
    by_tail = sympy.factor_terms(sympy.expand(total.replace(sympy.erf, lambda z: 1 - sympy.erfc(z))))
    return by_tail if total.has(sympy.erf) and sympy.count_ops(by_tail) < sympy.count_ops(total) else total


#: An integrand with its variable and its ends, and whether the ends may be equal for some values of the others.
Piece = tuple[sympy.Expr, sympy.Symbol, sympy.Expr, sympy.Expr, bool]


def _pieces(
    f: sympy.Expr, t: sympy.Symbol, lower: sympy.Expr, upper: sympy.Expr, domain: Domain, prover: Prover,
    *, may_be_empty: bool = False,
) -> Iterator[Piece]:  # fmt: skip
    """Yield integrands without |g|, or a maximum or minimum of two, and their ranges, which together are the whole one.

    g is monotone in t. A zero of g that is not shown to lie in the range, or outside of it, splits nothing: the term
    stays, and no rule takes it.
    """
    for node in sympy.ordered(f.atoms(*_BENT)):
        found = _crossing(node, t, (lower, upper), domain, prover)
        if found is None:
            if signs := _signs_between(node, t, lower, upper, prover):
                for sign, start, end in signs:
                    straight = f.xreplace({node: sign * node.args[0]})
                    yield from _pieces(straight, t, start, end, domain, prover, may_be_empty=may_be_empty)
                return
            continue
        zero, before, beyond = found
        if lower not in INFINITE and prover.holds(Relation(zero, "<=", lower), domain):
            yield from _pieces(f.xreplace({node: beyond}), t, lower, upper, domain, prover, may_be_empty=may_be_empty)
            return
        if upper not in INFINITE and prover.holds(Relation(upper, "<=", zero), domain):
            yield from _pieces(f.xreplace({node: before}), t, lower, upper, domain, prover, may_be_empty=may_be_empty)
            return
        strictly_above = lower in INFINITE or prover.holds(Relation(lower, "<", zero), domain)
        strictly_below = upper in INFINITE or prover.holds(Relation(zero, "<", upper), domain)
        if (strictly_above or prover.holds(Relation(lower, "<=", zero), domain)) and (
            strictly_below or prover.holds(Relation(zero, "<=", upper), domain)
        ):
            left = (f.xreplace({node: before}), t, lower, zero, domain, prover)
            right = (f.xreplace({node: beyond}), t, zero, upper, domain, prover)
            yield from _pieces(*left, may_be_empty=may_be_empty or not strictly_above)
            yield from _pieces(*right, may_be_empty=may_be_empty or not strictly_below)
            return
    yield f, t, lower, upper, may_be_empty


def _signs_between(
    node: sympy.Expr, t: sympy.Symbol, lower: sympy.Expr, upper: sympy.Expr, prover: Prover
) -> list[tuple[int, sympy.Expr, sympy.Expr]]:
    """Return the pieces of a range between numbers on which what stands in |g| has one sign; empty where one is open.

    Where its zeros lie is a guess, with multiples of pi for waves; the sign is shown on each piece.
    """
    g = node.args[0]
    if not isinstance(node, sympy.Abs) or g.free_symbols != {t} or not (lower.is_number and upper.is_number):
        return []
    if lower in INFINITE or upper in INFINITE:
        return []
    guesses = {z for f in sympy.Mul.make_args(sympy.factor(g)) for z in roots(f, t) if z.is_real}
    if g.has(*_WAVES):
        guesses = {z + k * sympy.pi for z in (guesses or {sympy.S.Zero}) for k in range(-_MOST_WAVES, _MOST_WAVES)}
    inside = sorted((z for z in guesses if (lower < z) == True and (z < upper) == True), key=float)  # noqa: E712
    if len(inside) > _MOST_WAVES:
        return []
    found = []
    for start, end in pairwise((lower, *inside, upper)):
        way = real(_NAME, lower=Fraction(0), lower_open=True)
        along = g.xreplace({t: start + way.symbol})
        there = Domain((way,), (Relation(way.symbol, "<", end - start),))
        sign = prover.sign(along, there) if prover.defined(along, there) else None
        if sign not in (1, -1, 2, -2):
            return []
        found.append((1 if sign > 0 else -1, start, end))
    return found


def _crossing(
    node: sympy.Expr, t: sympy.Symbol, ends: tuple[sympy.Expr, sympy.Expr], domain: Domain, prover: Prover
) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr] | None:
    """Return where the members of a term change over, and the one before and the one beyond; None where it is not seen.

    Their difference is strictly monotone between the ends, so that it has no other zero there.
    """
    if not node.has(t) or len(node.args) > 2:
        return None
    first, second = (node.args[0], -node.args[0]) if isinstance(node, sympy.Abs) else sympy.ordered(node.args)
    gap = sympy.expand(first - second)
    slope = gap.diff(t)
    way = real(_NAME)
    lower, upper = ends
    inside = [Relation(way.symbol, ">", lower)] if lower not in INFINITE else []
    inside += [Relation(way.symbol, "<", upper)] if upper not in INFINITE else []
    wide = Domain((*domain.variables, way), (*domain.extra, *inside))
    zeros = [zero for zero in roots(gap, t) if not zero.has(t) and reduced(gap.subs(t, zero))]
    if len(zeros) != 1 or not prover.defined(zeros[0], domain):
        return None
    rises = sympy.sign(slope)
    if not slope.is_Rational:
        along = gap.xreplace({t: way.symbol})
        # Across a pole a function may fall on both sides and change its sign.
        smooth = prover.defined(along, wide) and prover.smooth(along, way.symbol, wide)
        rises = prover.sign(slope.xreplace({t: way.symbol}), wide) if smooth else None
    if rises not in (1, -1):
        return None
    larger = (second, first) if rises == 1 else (first, second)
    return (zeros[0], *(larger[::-1] if isinstance(node, sympy.Min) else larger))


def _is_0_without_width(value: sympy.Expr, width: sympy.Expr, domain: Domain, prover: Prover) -> bool:
    """Return whether a value is 0 wherever a width is, which is strictly monotone in a variable of its value."""
    for variable in domain.variables:
        p = variable.symbol
        # With an assumption on it its range may have gaps, and the width a zero on each side of one.
        tied = any(p in symbols_in(r) for r in domain.extra)
        if width.has(p) and not tied and prover.sign(width.diff(p), domain) in (1, -1):
            zeros = roots(width, p)
            return len(zeros) == 1 and bool(reduced(width.subs(p, zeros[0]))) and bool(reduced(value.subs(p, zeros[0])))
    return False


def _over(
    f: sympy.Expr, t: sympy.Symbol, lower: sympy.Expr, upper: sympy.Expr, domain: Domain, prover: Prover
) -> tuple[sympy.Expr, str] | str:
    """Return the value over a range inside of which the integrand is continuous, with the step that shows it.

    A finite end is moved to 0, so that the variable is positive inside of the range, as the rules for limits ask.
    """
    if lower not in INFINITE and upper not in INFINITE:
        return _between(f, t, lower, upper, domain, prover)
    line = lower in INFINITE and upper in INFINITE
    way = real(_NAME) if line else real(_NAME, lower=Fraction(0), lower_open=True)
    u = way.symbol
    # With the lower end at infinity the way runs backwards from the upper one.
    place = u if line else upper - u if lower in INFINITE else lower + u
    found = _antiderivative(f.xreplace({t: place}), way, Domain((*domain.variables, way), domain.extra), prover)
    if isinstance(found, str):
        return found
    ends = []
    for end, from_above in ((None if line else Fraction(0), True), (None, False)):
        at = limit_at(found, u, end, from_above=from_above, sign=lambda e: prover.sign(e, domain))
        where = "oo" if not from_above else "-oo" if line else "0"
        problem = _no_number(at, found, f"{u} = {where}")
        if problem or at is None:
            return f"{problem} ({t} = {place})" if place != u else problem
        ends.append(at)
    return ends[1] - ends[0], f"by {found}, where {t} = {place}, with the limits {ends[0]} and {ends[1]}"


def _between(
    f: sympy.Expr, t: sympy.Symbol, lower: sympy.Expr, upper: sympy.Expr, domain: Domain, prover: Prover
) -> tuple[sympy.Expr, str] | str:
    """Return the integral between finite ends, at which the integrand may have a pole: by limits there as well."""
    width = sympy.expand(upper - lower)
    known = Fraction(int(width.p), int(width.q)) if width.is_Rational else None
    way = real(_NAME, lower=Fraction(0), lower_open=True, upper=known, upper_open=known is not None)
    u = way.symbol
    extra = () if known is not None else (Relation(u, "<", width),)
    wide = Domain((*domain.variables, way), (*domain.extra, *extra))
    found = _antiderivative(f.xreplace({t: lower + u}), way, wide, prover)
    if isinstance(found, str):
        return found
    ends = []
    for place in (u, width - u):
        there = found.xreplace({u: place})
        at = limit_at(there, u, Fraction(0), from_above=True, sign=lambda e: prover.sign(e, domain))
        problem = _no_number(at, found, f"{u} = {0 if place == u else width}")
        if problem or at is None:
            return problem
        ends.append(at)
    return ends[1] - ends[0], f"by {found}, where {t} = {lower + u}, with the limits {ends[0]} and {ends[1]}"


def _no_number(at: sympy.Expr | None, found: sympy.Expr, where: str) -> str:
    """Return what to say of a limit that is not known, or infinite; empty for a number."""
    if at is None:
        return f"the limit of its antiderivative {found} at {where} was not found"
    return f"its antiderivative {found} tends to {at} at {where}, so that it diverges" if at in INFINITE else ""


def _antiderivative(g: sympy.Expr, way: Variable, wide: Domain, prover: Prover) -> sympy.Expr | str:
    """Return a function whose derivative was shown to be the integrand on the whole open range, or what is open."""
    u = way.symbol
    node = sympy.Integral(g, (u, 0, 1))
    if any(UNKNOWN in needs(part) for part, _ in continuous_parts(node)) or not prover.defined(g, wide):
        return f"its integrand {g} was not shown to be continuous between the ends"
    if sympy.count_ops(g) > _LONGEST:
        return "its integrand is too long for a search for an antiderivative"
    # SymPy's integration can take seconds: the quick proposals come first, and one that is confirmed ends the search.
    for found in _proposed(g, u):
        if found.has(sympy.Integral, sympy.Piecewise, sympy.nan, sympy.zoo, sympy.I, *INFINITE):
            continue
        if not prover.defined(found, wide) or not prover.smooth(found, u, wide):
            continue
        difference = found.diff(u) - g
        if any(reduced(form) for form in (difference, plain(difference), sympy.expand(difference))):
            return found
    return f"no antiderivative of {g} was found and confirmed"


def _proposed(g: sympy.Expr, u: sympy.Symbol) -> Iterator[sympy.Expr]:
    """Yield what may be an antiderivative: for Gaussian integrands by parts, then what SymPy finds.

    Each of the cases that SymPy tells apart is a proposal; the domain tells which of them is right.
    """
    by_parts = _gaussian(g, u)
    if by_parts is not None:
        yield by_parts
    # One at a time: the first is mostly right, and each may take seconds.
    for form in dict.fromkeys((g, sympy.expand(g))):
        yield from each_case(manualintegrate(form, u))
    yield from each_case(sympy.integrate(g, u))


def each_case(found: sympy.Expr) -> Iterator[sympy.Expr]:
    """Yield an expression without cases: each of the cases that it tells apart in one place, or it as it is.

    Args:
        found: What SymPy gives as an antiderivative.
    """
    pieces = found.atoms(sympy.Piecewise)
    if len(pieces) != 1:
        yield found
        return
    (piece,) = pieces
    for case, _ in piece.args:
        yield found.xreplace({piece: case})


def _gaussian(g: sympy.Expr, u: sympy.Symbol) -> sympy.Expr | None:
    """Return an antiderivative of a sum of polynomials by exp(-A u^2 + B u + C); None for another integrand.

    By parts: P is found from the highest power down such that (P exp(q))' takes away all of the polynomial but a
    number, which multiplies an error function. A is not 0, which definedness shows afterwards.
    """
    total = sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(sympy.powsimp(g), power_exp=False)):
        factors = sympy.Mul.make_args(sympy.powsimp(term, force=False))
        exponent = sympy.expand(sympy.Add(*(a.args[0] for a in factors if isinstance(a, sympy.exp))))
        rest = sympy.Mul(*(a for a in factors if not isinstance(a, sympy.exp)))
        if not (rest.is_polynomial(u) and exponent.is_polynomial(u)) or sympy.degree(exponent, u) != 2:
            return None
        quadratic, polynomial = sympy.Poly(exponent, u), sympy.Poly(rest, u)
        a, b, c = -quadratic.nth(2), quadratic.nth(1), quadratic.nth(0)
        slope = quadratic.diff(u)
        outer = sympy.Poly(0, u)
        while polynomial.degree() > 0:
            step = sympy.Poly(polynomial.LC() / slope.LC() * u ** (polynomial.degree() - 1), u)
            outer += step
            polynomial = sympy.Poly(sympy.expand((polynomial - step.diff(u) - step * slope).as_expr()), u)
        root = sympy.sqrt(a)
        left = polynomial.as_expr() * sympy.exp(sympy.simplify(c + b**2 / (4 * a)))
        total += outer.as_expr() * sympy.exp(exponent)
        total += left * sympy.sqrt(sympy.pi) / (2 * root) * sympy.erf(root * u - b / (2 * root))
    return total
