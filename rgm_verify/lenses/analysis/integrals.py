"""Inequalities with integrals that have no value here: by the derivative at an end, by simpler integrands, by tails.

- An integral up to a variable is compared at one end, where it is 0, and by its derivative on the way.
- A factor of an integrand is replaced by its value at an end of the range, if it is shown to be at most (at least) that
  on the whole range: the integral that is left may have a value.
- An improper integral of numbers is a proper one and a rest. The rest lies between -r and r where the integrand is
  shown to be at most M exp(-c u) or M (T/t)^p beyond T, or M u^-p near an end at which it grows.

A dominated integrand that is continuous inside of the range has an integral. Everything that is shown goes through the
search; floats propose M alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import sympy

from rgm_verify.balls.binding import BINDING
from rgm_verify.balls.enclose import enclose
from rgm_verify.claims.claim import Claim, Mutant, Variable, real
from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.algebra.equations import conjuncts
from rgm_verify.lenses.analysis.asymptotics.limits import limit_at
from rgm_verify.lenses.analysis.improper import GIVES_UP, INFINITE, Value, improper_integrals, value
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import rational

__all__ = ["bounds", "by_bounds", "by_derivative", "implied_by"]

#: Exponential rates, each with where the tail begins: there exp(-c T) is 10^-14.
_RATES = tuple((sympy.Rational(1, k), 32 * k) for k in (1, 2, 4, 8))
#: Powers that a tail may fall with, and where it begins then.
_POWERS, _FAR = (sympy.Integer(4), sympy.Integer(2), sympy.Rational(3, 2)), 10**6
#: Powers that an integrand may grow with at an end of its range, and how near that is.
_ROOTS, _NEAR = tuple(sympy.Rational(k, 4) for k in (1, 2, 3)), sympy.Rational(1, 10**12)

#: Functions that are continuous wherever they are real.
_CONTINUOUS = (
    sympy.Add, sympy.Mul, sympy.Pow, sympy.Symbol, sympy.Rational, sympy.NumberSymbol, sympy.exp, sympy.log, sympy.sin,
    sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.atan, sympy.asinh, sympy.erf, sympy.erfc, sympy.Abs,
)  # fmt: skip

#: What implies a relation, the variables that it speaks of, and why.
Implying = tuple[Relation, tuple[Variable, ...], str]


def by_derivative(gap: sympy.Expr, strict: bool, domain: Domain, prover: Prover) -> str:
    """Say how a difference with integrals from the least value of a variable up to it was shown; empty if it was not.

    By the fundamental theorem of calculus: the integral of a continuous f from a to x is differentiable for x > a with
    the slope f(x), is continuous at a, and is 0 there. So a difference that is >= 0 (> 0) at a, and whose
    slope is >= 0 beyond, is >= 0 (> 0) everywhere. The integrand has to be continuous on [a, x] for every x of
    the domain.
    """
    for variable in domain.variables:
        if variable.lower is None or variable.lower_open or variable.integer:
            continue
        x, start = variable.symbol, rational(variable.lower)
        integrals = sorted(gap.atoms(sympy.Integral), key=str)
        names = {node: sympy.Dummy(f"integral {i}", real=True) for i, node in enumerate(integrals)}
        plain = gap.xreplace(names)
        if any(x in relation.gap.free_symbols for relation in domain.extra) or plain.has(*BINDING):
            continue
        if not all(_is_up_to(node, x, start) and prover.integrable(node, domain) for node in integrals):
            continue
        shares = {node: plain.diff(name) for node, name in names.items()}
        if any(share.has(x, *names.values()) for share in shares.values()):
            continue
        rest = plain.xreplace(dict.fromkeys(names.values(), sympy.S.Zero))
        # A sign or a floor may jump at the start itself.
        if not _is_continuous(rest) or not prover.defined(rest, domain) or not prover.smooth(rest, x, domain):
            continue
        slope = rest.diff(x) + sympy.Add(*(share * _at_end(node, x) for node, share in shares.items()))
        at_start = Goal(sympy.expand(rest.subs(x, start)), strict, domain.fixed(x, start))
        beyond = Goal(slope, False, domain.inside(x))
        if prover.prove(at_start) and prover.prove(beyond):
            return f"by the derivative in {x}, which is that of the rest and the integrand: {slope}"
    return ""


def _is_continuous(e: sympy.Expr) -> bool:
    return all(isinstance(part, _CONTINUOUS) for part in sympy.preorder_traversal(e))


def _is_up_to(node: sympy.Integral, x: sympy.Symbol, start: sympy.Rational) -> bool:
    """Return whether an integral is one over a single variable from the start up to x, with x nowhere else."""
    if len(node.limits) != 1 or len(node.limits[0]) != 3:
        return False
    _, lower, upper = node.limits[0]
    return bool(lower == start and upper == x and not node.function.has(x) and not node.function.has(sympy.Integral))


def _at_end(node: sympy.Integral, x: sympy.Symbol) -> sympy.Expr:
    return node.function.xreplace({node.limits[0][0]: x})


# ------------------------------------------------------------------------------------------ simpler integrands


def bounds(node: sympy.Integral, domain: Domain, prover: Prover, *, upper: bool) -> Iterator[sympy.Expr]:
    """Upper (lower) bounds of an integral, on the whole domain; each shows that the integral exists.

    Args:
        node: An integral over one variable.
        domain: The other variables, and what is assumed of them.
        upper: Whether upper bounds are asked for.
    """
    if len(node.limits) != 1 or len(node.limits[0]) != 3 or node.function.has(*BINDING):
        return
    t, lower, high = node.limits[0]
    if not node.free_symbols and prover.integrable(node, domain):
        found = enclose(node, {}, digits=12, maximum_bits=256)
        end = found.upper if upper else found.lower
        if end is not None:
            yield rational(end)
        return
    ends = [end for end in (lower, high) if end not in INFINITE]
    if len(ends) == 2 and not prover.holds(Relation(lower, "<=", high), domain):
        return
    if lower is sympy.oo or high is -sympy.oo or t in {v.symbol for v in domain.variables}:
        return
    if not set(t._assumptions_orig) <= {"real", "commutative"}:
        return
    inside, way = _inside(lower, high, domain)
    f = node.function.xreplace({t: way.symbol})
    if not prover.defined(f, inside) or not prover.smooth(f, way.symbol, inside):
        return
    # A dominated integrand without a sign may have any sign.
    if prover.sign(f, inside) not in (1, 2):
        return
    dominating = _replaced_factors(f, way.symbol, (lower, high), inside, domain, prover, upper=True)
    if upper:
        yield from dominating
    elif next(dominating, None) is not None or prover.integrable(node, domain):
        yield sympy.S.Zero
        yield from _replaced_factors(f, way.symbol, (lower, high), inside, domain, prover, upper=False)


def _inside(lower: sympy.Expr, upper: sympy.Expr, domain: Domain) -> tuple[Domain, Variable]:
    """The domain with a variable strictly between two ends."""
    low, high = (Fraction(int(e.p), int(e.q)) if e.is_Rational else None for e in (lower, upper))
    positive = low is None and lower not in INFINITE and lower.is_nonnegative is True
    way = real(f"t{len(domain.variables)}'", lower=Fraction(0) if positive else low, upper=high,
               lower_open=positive or low is not None, upper_open=high is not None)  # fmt: skip
    sides = [] if lower in INFINITE or low is not None else [Relation(way.symbol, ">", lower)]
    sides += [] if upper in INFINITE or high is not None else [Relation(way.symbol, "<", upper)]
    return Domain((*domain.variables, way), (*domain.extra, *sides)), way


def _replaced_factors(
    f: sympy.Expr, u: sympy.Symbol, ends: tuple[sympy.Expr, sympy.Expr], inside: Domain, domain: Domain, prover: Prover,
    *, upper: bool,
) -> Iterator[sympy.Expr]:  # fmt: skip
    """Yield integrals of an integrand >= 0 with one of its factors replaced by a bound of it, which is >= 0."""
    parts = [p for p in sympy.Mul.make_args(f) if p.has(u)]
    for factor in sorted(parts, key=sympy.count_ops):
        rest = f / factor
        if rest.has(u) and prover.sign(rest, inside) not in (1, 2):
            continue
        for k, end in enumerate(ends):
            bound = _at(factor, u, end, domain, prover, from_above=k == 0)
            if bound is None or not prover.defined(bound, domain) or prover.sign(bound, domain) not in (1, 2):
                continue
            gap = bound - factor if upper else factor - bound
            if not prover.briefly(partial(prover.show, Goal(gap, False, inside), 2)):
                continue
            found = value(sympy.Integral(rest, (u, *ends)), domain, prover)
            if isinstance(found, Value):
                yield bound * found.value


def _at(
    e: sympy.Expr, u: sympy.Symbol, end: sympy.Expr, domain: Domain, prover: Prover, *, from_above: bool
) -> sympy.Expr | None:
    """Return the value of a factor at an end, or its limit there; None for an infinity, or where it is not known."""
    if end in INFINITE:
        found = limit_at(e, u, None, from_above=from_above, sign=lambda g: prover.sign(g, domain))
    else:
        found = e.xreplace({u: end})
    return None if found is None or found.has(*INFINITE, sympy.nan, sympy.zoo) else found


def by_bounds(gap: sympy.Expr, strict: bool, domain: Domain, prover: Prover) -> str:
    """Say how a difference with one integral was shown to be >= 0 (> 0) with a bound of it; empty if it was not."""
    for node, bound in _with_bounds(gap, domain, prover):
        if prover.prove(Goal(gap.xreplace({node: bound}), strict, domain)):
            return f"{node} by {bound}, the integral of a simpler integrand"
    return ""


def _with_bounds(gap: sympy.Expr, domain: Domain, prover: Prover) -> Iterator[tuple[sympy.Integral, sympy.Expr]]:
    """Yield the one integral of a difference with bounds that make the difference no larger."""
    nodes = sorted(gap.atoms(sympy.Integral), key=str)
    if len(nodes) != 1:
        return
    name = sympy.Dummy("integral", real=True)
    share = gap.xreplace({nodes[0]: name}).diff(name)
    sign = None if share.has(name) else prover.sign(share, domain)
    if sign in (1, -1):
        for bound in bounds(nodes[0], domain, prover, upper=sign < 0):
            yield nodes[0], bound


# ------------------------------------------------------------------------------------------ improper integrals


def implied_by(claim: Claim) -> Iterator[tuple[Claim, str]]:
    """Claims without the improper integrals of a claim, each of which implies it, and why.

    They may be false where the claim is true.

    Args:
        claim: A claim about all points, with an improper integral in its conclusion whose value is not known.
    """
    relation = claim.conclusion
    if not isinstance(relation, Relation) or claim.quantifier == "exists" or relation.op == "!=":
        return
    domain = Domain(claim.variables, tuple(r for h in claim.hypotheses for r in conjuncts(h.formula)))
    for found in (_by_tails, _by_simpler, _by_slope):
        try:
            for conclusion, variables, why in found(relation, domain):
                made = replace(claim, mutants=(), conclusion=conclusion, variables=variables)
                yield replace(made, mutants=_control(made)), why
        except GIVES_UP:
            continue


def _control(claim: Claim) -> tuple[Mutant, ...]:
    """Return the opposite of an inequality by a margin with a variable in it: without one it may be a mere number."""
    relation = claim.conclusion
    if not claim.variables or not isinstance(relation, Relation) or relation.op == "==":
        return ()
    margin = 1 + claim.variables[0].symbol ** 2
    return (Mutant(f"the opposite by a margin of {margin}", Relation(relation.gap, "<=", -margin)),)


def _improper(relation: Relation, prover: Prover, domain: Domain) -> list[sympy.Integral]:
    """Return the integrals of a relation that are not shown to be proper."""
    found = {*improper_integrals(relation), *relation.gap.atoms(sympy.Integral)}
    return [n for n in sorted(found, key=sympy.default_sort_key) if not prover.integrable(n, domain)]


def _by_tails(relation: Relation, domain: Domain) -> Iterator[Implying]:
    """Proper integrals with rests in the places of the integrals of numbers: for every rest within its bounds."""
    prover = Prover()
    cut = {}
    variables = list(domain.variables)
    for node in _improper(relation, prover, domain):
        found = _cut(node)
        if found is None:
            return
        proper, rest = found
        end = Fraction(int(rest.p), int(rest.q))
        taken = {v.symbol.name for v in variables}
        name = next(name for k in range(len(taken) + 1) if (name := f"rest_{k}") not in taken)
        variables.append(real(name, lower=-end, upper=end))
        cut[node] = proper + variables[-1].symbol
    if cut:
        said = "; ".join(f"{node} is {proper} up to a rest that is bounded" for node, proper in cut.items())
        changed = Relation(relation.lhs.xreplace(cut), relation.op, relation.rhs.xreplace(cut))
        yield changed, tuple(variables), said


def _cut(node: sympy.Integral) -> tuple[sympy.Expr, sympy.Rational] | None:
    """Return a proper integral that differs from one of numbers by at most a rational; None where none was shown."""
    if node.free_symbols or len(node.limits) != 1 or node.function.has(*BINDING):
        return None
    t, lower, upper = node.limits[0]
    f, rest = node.function, sympy.S.Zero
    if not set(t._assumptions_orig) <= {"real", "commutative"} or lower is sympy.oo or upper is -sympy.oo:
        return None
    if not all(end in INFINITE or end.is_Rational for end in (lower, upper)) or not lower < upper:
        return None
    ends = []
    for end, direction in ((lower, 1), (upper, -1)):
        # The way starts at the finite end, or far out, and goes inwards or outwards.
        found = _tail(f, t, -direction) if end in INFINITE else _peak(f, t, end, direction)
        if found is None:
            return None
        ends.append(found[0])
        rest += found[1]
    proper = sympy.Integral(f, (t, *ends))
    if not ends[0] < ends[1] or not Prover().integrable(proper, Domain(())):
        return None
    return proper, rest


def _tail(f: sympy.Expr, t: sympy.Symbol, direction: int) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Return from where on the integral to infinity is small, and what it is at most there."""
    way = real("u'", lower=Fraction(0))
    u = way.symbol
    forms = [(sympy.exp(-c * u), 1 / c, start) for c, start in _RATES]
    forms += [((1 + u / _FAR) ** -p, _FAR / (p - 1), _FAR) for p in _POWERS]
    for form, whole, start in forms:
        place = sympy.Integer(direction * start)
        size = _at_most(f, t, place + direction * u, form, sympy.S.Zero, way)
        if size is not None:
            return place, size * whole
    return None


def _peak(f: sympy.Expr, t: sympy.Symbol, end: sympy.Expr, direction: int) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Return a place beside a finite end, and what the integral between them is at most; the end itself if it may."""
    beside = sympy.Integral(f, (t, *sorted((end, end + direction * _NEAR))))
    if Prover().integrable(beside, Domain(())):
        return end, sympy.S.Zero
    near = Fraction(1, 10**12)
    way = real("u'", lower=Fraction(0), lower_open=True, upper=near)
    for p in _ROOTS:
        size = _at_most(f, t, end + direction * way.symbol, way.symbol**-p, _NEAR, way)
        if size is not None:
            # Rounded up: the power of 10^-12 to a quarter is a power of 10.
            return end + direction * _NEAR, size * _NEAR ** (1 - p) / (1 - p)
    return None


def _at_most(
    f: sympy.Expr, t: sympy.Symbol, place: sympy.Expr, form: sympy.Expr, first: sympy.Expr, way: Variable
) -> sympy.Rational | None:
    """Return a number M with |f| <= M form on a whole way, along which f was shown to be continuous; else None."""
    u, there = way.symbol, Domain((way,))
    try:
        size = abs(sympy.N(f.xreplace({t: place.xreplace({u: first})}) / form.xreplace({u: first}), 15))
        # An upper bound, of which it does not matter how good it is: two digits are enough.
        power = max(-30, int(sympy.floor(sympy.log(size, 10)))) if size else -30
        most = sympy.Rational(int(size * sympy.Integer(10) ** (1 - power)) + 2, 1) * sympy.Integer(10) ** (power - 1)
    except (TypeError, ValueError):
        return None
    along = f.xreplace({t: place})
    prover = Prover()
    if not prover.defined(along, there) or not prover.smooth(along, u, there):
        return None
    goals = [Goal(most * form - sign * along, False, there) for sign in (1, -1)]
    return most if all(not prover.fails(g) for g in goals) and all(prover.show(g) for g in goals) else None


def _by_simpler(relation: Relation, domain: Domain) -> Iterator[Implying]:
    """The relation with a bound of its integral, by a simpler integrand."""
    prover = Prover()
    for node, bound in _with_bounds(relation.gap, domain, prover) if relation.op != "==" else ():
        changed = Relation(relation.gap.xreplace({node: bound}), ">" if relation.strict else ">=", sympy.S.Zero)
        yield changed, domain.variables, f"{node} by {bound}, the integral of a simpler integrand"


def _by_slope(relation: Relation, domain: Domain) -> Iterator[Implying]:
    """The slope of a difference in the lower end of its integral to infinity: it falls to its limit, which is >= 0.

    The integral tends to 0 there, as it converges, and its slope is minus the integrand.
    """
    nodes = sorted(relation.gap.atoms(sympy.Integral), key=str)
    if relation.op == "==" or len(nodes) != 1 or len(nodes[0].limits) != 1 or nodes[0].function.has(*BINDING):
        return
    t, x, upper = nodes[0].limits[0]
    f, prover = nodes[0].function, Prover()
    own = next((v for v in domain.variables if v.symbol == x), None)
    name = sympy.Dummy("integral", real=True)
    plain = relation.gap.xreplace({nodes[0]: name})
    share, rest = plain.diff(name), plain.xreplace({name: sympy.S.Zero})
    tied = any(x in r.gap.free_symbols for r in domain.extra)
    if own is None or own.integer or own.upper is not None or upper is not sympy.oo or tied or share.has(name, x):
        return
    if f.free_symbols != {t} or not set(t._assumptions_orig) <= {"real", "commutative"} or _tail(f, t, 1) is None:
        return
    at = f.xreplace({t: x})
    # The integrand has to be continuous from each x on, and the rest at the end of the range as well.
    if not prover.integrable(sympy.Integral(f, (t, x, x + 1)), domain) or not _is_continuous(rest):
        return
    if not prover.defined(rest, domain) or not prover.smooth(rest, x, domain):
        return
    end = limit_at(rest, x, None, from_above=False, sign=lambda e: prover.sign(e, domain))
    apart = replace(domain, variables=tuple(v for v in domain.variables if v is not own))
    if end is None or (end is not sympy.oo and (end.has(*INFINITE) or not prover.prove(Goal(end, False, apart)))):
        return
    slope = Relation(share * at - rest.diff(x), ">" if relation.strict else ">=", sympy.S.Zero)
    yield slope, domain.variables, f"by the derivative in {x}, and the limit {end} at infinity"
