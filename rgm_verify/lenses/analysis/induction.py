"""Induction over an integer variable: the formula at the first integer, and from each to the next.

The base is the formula at the first integer of the range. In the step one term X that grows is known
only by the formula at n and by its own recurrence (X + f(n + 1) for a sum, (n + 1) X for a factorial,
...), so that the step becomes a relation without X, which is shown for all reals from the first integer
on. That is more than the step needs, and mostly no harder.

A hypothesis that speaks of n has to hold at n wherever it holds at n + 1, as m <= n does in an induction over m.
Induction gives nothing where the range has an upper end, or where two terms grow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from rgm_verify.balls.binding import bound_symbols, worked_out
from rgm_verify.claims.claim import Claim, Variable
from rgm_verify.claims.formula import FormulaError, Relation, relations, symbols_of
from rgm_verify.lenses.analysis.constants import reduced
from rgm_verify.lenses.analysis.forms import logarithm
from rgm_verify.lenses.analysis.identities import identical
from rgm_verify.lenses.analysis.rules.series import closed_form
from rgm_verify.lenses.analysis.rules.steps import by_loggamma, end_value, fall, step_of
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import rational
from rgm_verify.lenses.points.values import sign

__all__ = ["by_induction"]

_SERIES = (sympy.Sum, sympy.Product)
#: More terms that come in or go out at once are not written out.
_MOST_SHIFTED = 4


def by_induction(
    claim: Claim, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover
) -> str:
    """Say how a relation, whose sides are defined, was shown by induction; empty if it was not.

    In the step one growing term X (a sum, a product, a factorial, a power) is unknown but for the formula itself:
    gap(n) = a X + b and gap(n + 1) = c X + d, so that gap(n) >= 0 gives a bound on X, which gives one on gap(n + 1).
    An `a` that vanishes at some n would say nothing of X there: it is shown to be of one sign on the whole domain, for
    an equation as for an inequality.

    Args:
        relation: A relation of its conclusion, defined on the domain.
        prover: The search for the inequality that is left.
    """
    for variable in claim.variables:
        if variable.integer and variable.lower is not None and variable.upper is None:
            if found := _by_neighbours(claim, relation, domain, reals, prover, variable):
                return found
            # The simplest term comes first; a term that is not the right one fails quickly, as the gap
            # is not linear in it.
            for term in _growing(relation, variable.symbol):
                found = _with(claim, relation, domain, reals, prover, variable, term)
                if found:
                    return found
    return ""


def _first(variable: Variable) -> sympy.Integer:
    """The first integer of a range with a lower end."""
    found = rational(-(-variable.lower.numerator // variable.lower.denominator))  # type: ignore[union-attr]
    return found + 1 if found == variable.lower and variable.lower_open else found


# ------------------------------------------------------------------------------------------ neighbours


def _by_neighbours(
    claim: Claim, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover,
    variable: Variable,
) -> str:  # fmt: skip
    """Say how a relation was shown at the first integers and from each to the next by a difference without sums and
    factorials: of the two sides, of their logarithms, or of a sum and a multiple of the one before.
    """
    n, first = variable.symbol, _first(variable)
    bound = bound_symbols(relation.lhs) | bound_symbols(relation.rhs)
    later = None if n in bound or relation.op == "!=" else _at_next(claim, n, domain, reals, prover)
    if later is None:
        return ""
    if relation.gap.has(sympy.Sum):
        grown = _grown(relation.gap, n, domain, reals, prover)
        begins = grown is not None and _begins_at((first,), relation.gap, n, relation, domain, reals, prover)
        if begins and grown is not None and _holds(grown, relation, later, prover):
            return f"by induction over {n} from {first}, with the difference {grown} of neighbours"
        alone = relation.op == "==" and later is domain
        return _by_recurrence(relation, n, first, domain, reals, prover) if alone else ""
    if relation.op == "==" or not relation.gap.has(sympy.factorial, sympy.binomial, sympy.gamma):
        return ""
    greater, less = (relation.lhs, relation.rhs) if relation.op in (">", ">=") else (relation.rhs, relation.lhs)
    place = reals[n]
    sides = [side.xreplace(reals) for side in (greater, less)]
    positive = prover.positive(domain)
    moved = sorted(place.free_symbols, key=str)[0]
    # By their form factors are positive, or as the search tells.
    told = (sympy.expand_log(sympy.log(sides[0]) - sympy.log(sides[1])),
            sympy.expand(logarithm(sides[0], positive) - logarithm(sides[1], positive)))  # fmt: skip
    whole = (e for e in map(by_loggamma, told) if not e.has(sympy.factorial, sympy.binomial, sympy.gamma))
    e = next((e for e in whole if fall(e, moved) is not None), None)
    step = None if e is None else fall(e, moved)
    if e is None or step is None or not all(prover.defined(f, domain) for f in (*sides, e, step)):
        return ""
    if not all(prover.sign(side, domain) == 1 for side in sides):
        return ""
    # A hypothesis may hold at n and not beyond.
    end = end_value(e, moved, lambda f: prover.sign(f, domain)) if later is domain else None
    if end is not None and end != -sympy.oo:
        falls = prover.briefly(lambda: prover.prove(Goal(sympy.expand_log(step), relation.strict, domain)))
        if falls and (end == sympy.oo or prover.prove(Goal(end, False, domain))):
            return f"the quotient of the sides falls along {n} to its limit: of neighbours the logarithm is {step}"
    starts = tuple(first + k for k in range(step_of(e, moved)))
    if not _begins_at(starts, relation.gap, n, relation, domain, reals, prover):
        return ""
    if not prover.prove(Goal(sympy.expand_log(-step), False, later)):
        return ""
    return f"by induction over {n} from {first}, with the quotient of neighbours, whose logarithm is {-step}"


def _begins_at(
    starts: tuple[sympy.Expr, ...], gap: sympy.Expr, n: sympy.Symbol, relation: Relation, domain: Domain,
    reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover,
) -> bool:  # fmt: skip
    """Return whether a relation holds at the first integers, where sums are written out."""
    values = (gap.xreplace({n: start}).replace(_is_series, worked_out) for start in starts)
    return all(not v.has(*_SERIES) and _base(v, relation, domain, reals, prover) for v in values)


def _is_series(e: sympy.Expr) -> bool:
    return isinstance(e, _SERIES)


def _holds(difference: sympy.Expr, relation: Relation, domain: Domain, prover: Prover) -> bool:
    """Return whether a difference of neighbours is 0 for an equation, and >= 0 for an inequality."""
    if relation.op == "==":
        return prover.defined(difference, domain) and bool(identical(difference, domain, prover))
    return prover.prove(Goal(difference, False, domain))


def _grown(
    gap: sympy.Expr, n: sympy.Symbol, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover
) -> sympy.Expr | None:
    """Return gap(n + 1) - gap(n) in real variables and without sums, which have factors without n; else None."""
    names = {node: sympy.Dummy(f"sum {i}", real=True) for i, node in enumerate(sorted(gap.atoms(sympy.Sum), key=str))}
    plain = sympy.expand(gap.xreplace(names))
    shares = {node: plain.diff(name) for node, name in names.items()}
    if any(share.has(n, *names.values()) for share in shares.values()) or plain.has(sympy.Sum):
        return None
    rest = plain.xreplace(dict.fromkeys(names.values(), sympy.S.Zero))
    total = (rest.xreplace({n: n + 1}) - rest).xreplace(reals)
    for node, share in shares.items():
        more = _more(node, n, sympy.S.One, domain, reals, prover)
        if more is None:
            return None
        total += share.xreplace(reals) * more
    return sympy.expand(total) if total.is_polynomial() else total


def _more(
    node: sympy.Sum, n: sympy.Symbol, factor: sympy.Expr, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol],
    prover: Prover,
) -> sympy.Expr | None:  # fmt: skip
    """Return S(n + 1) - factor S(n) of a sum in real variables and without one; None where that is not found.

    The sum at n + 1 has the terms between the ends at n, those that come in and not those that go out; what its terms
    grow by between these ends is summed in closed form.
    """
    if len(node.limits) != 1 or node.function.has(*_SERIES):
        return None
    k, low, high = node.limits[0]
    after = node.function.xreplace({n: n + 1})
    shifts = [sympy.expand(end.xreplace({n: n + 1}) - end) for end in (low, high)]
    if not all(s.is_Integer and 0 <= s <= _MOST_SHIFTED for s in shifts):
        return None
    come = [after.xreplace({k: high + i + 1}) for i in range(int(shifts[1]))]
    go = [after.xreplace({k: low + i}) for i in range(int(shifts[0]))]
    total = sympy.Add(*come, *(-term for term in go)).xreplace(reals)
    between = sympy.combsimp(after - factor * node.function) if after != factor * node.function else sympy.S.Zero
    if between != 0:
        inner = sympy.Sum(between, (k, low, high)).xreplace(reals)
        value = closed_form(inner, domain, prover)
        if value is None:
            return None
        total += value
    return total


def _by_recurrence(
    relation: Relation, n: sympy.Symbol, first: sympy.Expr, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol],
    prover: Prover,
) -> str:  # fmt: skip
    """Say that an equation S(n) = r(n) was shown by S(n + 1) = c S(n) with c = r(n + 1)/r(n), a rational function.

    That is the method of Wilf and Zeilberger: f(n + 1, k) - c f(n, k) is summed over k in closed form.
    """
    nodes = sorted(relation.gap.atoms(sympy.Sum), key=sympy.default_sort_key)
    if len(nodes) != 1:
        return ""
    name = sympy.Dummy("sum", real=True)
    parts = _linear(sympy.expand(relation.gap.xreplace({nodes[0]: name})), name)
    if parts is None or parts[0].has(name) or not parts[0].is_number or parts[1] == 0:
        return ""
    value = -parts[1] / parts[0]
    factor = sympy.factor(sympy.combsimp(value.xreplace({n: n + 1}) / value))
    if not factor.is_rational_function(n) or not prover.defined(factor.xreplace(reals), domain):
        return ""
    rest = (value.xreplace({n: n + 1}) - factor * value).xreplace(reals)
    if not prover.defined(rest, domain) or not identical(rest, domain, prover):
        return ""
    if not _begins_at((first,), relation.gap, n, relation, domain, reals, prover):
        return ""
    more = _more(nodes[0], n, factor, domain, reals, prover)
    if more is None or not _holds(more, relation, domain, prover):
        return ""
    return f"by induction over {n} from {first}: the sum grows by the factor {factor}, as a sum in closed form tells"


# ------------------------------------------------------------------------------------------ one growing term


def _growing(relation: Relation, n: sympy.Symbol) -> Iterator[sympy.Expr]:
    """The terms that may be the unknown of the step: the next of each is a multiple of it, or a little more.

    A term below an integral may depend on the variable of the integral, and is then no single number at n.
    """
    bound = bound_symbols(relation.lhs) | bound_symbols(relation.rhs)
    if n in bound:
        return
    kinds = (*_SERIES, sympy.factorial, sympy.binomial, sympy.harmonic, sympy.Pow, sympy.exp)
    seen = set()
    for side in (relation.lhs, relation.rhs):
        for node in sorted(sympy.ordered(side.atoms(*kinds)), key=sympy.count_ops):
            fixed = isinstance(node, sympy.Pow) and not node.exp.has(n)
            if node.has(n) and node not in seen and not fixed and node.free_symbols.isdisjoint(bound):
                seen.add(node)
                yield node


def _next(term: sympy.Expr, n: sympy.Symbol, first: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """(factor, addend) such that the term at n + 1 is factor * term + addend, for all integers n >= first.

    For a binomial coefficient the factor is a quotient; its poles are for the caller.
    """
    if isinstance(term, _SERIES):
        if len(term.limits) != 1:
            return None
        index, low, high = term.limits[0]
        shift = high - n
        # The lower limit must leave no reversed sum: below it SymPy's convention subtracts.
        if not shift.is_Integer or low.has(n) or term.function.has(n) or not (first + shift - low + 1).is_nonnegative:
            return None
        last = term.function.xreplace({index: high + 1})
        return (last, sympy.S.Zero) if isinstance(term, sympy.Product) else (sympy.S.One, last)
    after = term.xreplace({n: n + 1})
    if isinstance(term, sympy.harmonic) and term.args[0] == n:
        # The second argument is the order: H(n, p) is the sum of k^-p.
        return sympy.S.One, 1 / (n + 1) ** (term.args[1] if len(term.args) > 1 else 1)
    if isinstance(term, sympy.factorial) and term.args[0] == n:
        return n + 1, sympy.S.Zero
    if isinstance(term, sympy.Pow | sympy.exp):
        base, exponent = term.as_base_exp()
        step = sympy.expand(exponent.xreplace({n: n + 1}) - exponent)
        if base.has(n) or step.has(n):
            return None
        return sympy.Pow(base, step), sympy.S.Zero
    if isinstance(term, sympy.binomial):
        ratio = sympy.factor(sympy.combsimp(after / term))
        return (ratio, sympy.S.Zero) if ratio.is_rational_function(n) else None
    return None


def _with(
    claim: Claim, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover,
    variable: Variable, term: sympy.Expr,
) -> str:  # fmt: skip
    """Say how the relation was shown by induction over one variable with one growing term; empty if it
    was not.

    From a X + b >= 0 with a > 0 follows X >= -b/a, and with c >= 0 that c X + d >= d - b c/a; with
    both signs turned the same. An equation determines X where a is not 0, and d = b c/a is then its
    next case.
    """
    n = variable.symbol
    first = _first(variable)
    step = _next(term, n, first)
    # No recurrence with a factor and an addend that are known.
    if step is None:
        return ""
    # What is assumed at n + 1 has to hold at n, or the formula at n could not be used.
    later = _at_next(claim, n, domain, reals, prover)
    if later is None:
        return ""
    unknown = sympy.Dummy("X", real=True)
    gap = relation.gap
    now = sympy.expand(gap.xreplace({term: unknown}))
    after = sympy.expand(_after(gap, term, unknown, n, step))
    parts = [_linear(e, unknown) for e in (now, after)]
    if None in parts:
        return ""
    (a, b), (c, d) = parts  # type: ignore[misc]
    # A second growing term would be left, of which nothing is known.
    if any(e.has(*_SERIES) for e in (a, b, c, d)) or a == 0:
        return ""
    # The base is checked before the step: most false formulas fail here at once.
    whole = [_linear(e, unknown) for e in (gap.xreplace({term: unknown}), _after(gap, term, unknown, n, step))]
    at_start = gap.xreplace({n: first}), worked_out(term.xreplace({n: first}))
    if not _begins(whole[0], at_start, {n: first}, relation, domain, reals, prover):
        return ""
    domain = later
    if relation.op == "!=":
        return ""
    known = relation.op == "==" and reduced(sympy.together(d - b * c / a))
    # Multiplied out, products and powers would no longer cancel.
    plain = [e for pair in whole if pair is not None for e in pair]
    by_logarithms = _quotient(*(plain if len(plain) == 4 else (a, b, c, d))).xreplace(reals)
    a, b, c, d = (e.xreplace(reals) for e in (a, b, c, d))
    first_terms = (plain[1].xreplace(reals), plain[3].xreplace(reals)) if len(plain) == 4 else (b, d)
    if relation.op == "==":
        # Where c has a pole, the next X is no multiple of this one.
        determined = known and prover.defined(c, domain) and _of_one_sign(a, domain, prover)
        return _said(n, first, term) if determined else ""
    shown = _goes_on((a, b, c, d), first_terms, by_logarithms, relation, domain, prover)
    return _said(n, first, term) if shown else ""


def _goes_on(
    parts: tuple[sympy.Expr, sympy.Expr, sympy.Expr, sympy.Expr], constants: tuple[sympy.Expr, sympy.Expr],
    logarithms: sympy.Expr, relation: Relation, domain: Domain, prover: Prover,
) -> bool:  # fmt: skip
    """Return whether a X + b >= 0 was shown to imply c X + d >= 0; `constants` are b and d as they are written."""
    a, b, c, d = parts
    for direction in (1, -1):
        slope = Goal(direction * a, True, domain), Goal(direction * c, relation.strict, domain)
        if all(prover.defined(g.expression, domain) and prover.show(g, 2) for g in slope):
            if _by_quotients(*constants, c / a, logarithms, domain, prover):
                return True
            left = sympy.together(d - b * c / a)
            if prover.prove(Goal(left, False, domain)):
                return True
    return False


def _after(
    gap: sympy.Expr, term: sympy.Expr, unknown: sympy.Symbol, n: sympy.Symbol, step: tuple[sympy.Expr, sympy.Expr]
) -> sympy.Expr:
    """Return the difference of the sides at n + 1, with the growing term by the unknown one at n."""
    return gap.xreplace({term: unknown}).xreplace({n: n + 1}).xreplace({unknown: step[0] * unknown + step[1]})


def _begins(
    pair: tuple[sympy.Expr, sympy.Expr] | None, at_start: tuple[sympy.Expr, sympy.Expr],
    first: dict[sympy.Symbol, sympy.Expr], relation: Relation, domain: Domain,
    reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover,
) -> bool:  # fmt: skip
    """Return whether the relation holds at the first integer, by itself or by logarithms of both sides."""
    if _base(at_start[0], relation, domain, reals, prover):
        return True
    return _base_by_quotient(pair, at_start[1], first, relation, domain, reals, prover)


def _base_by_quotient(
    pair: tuple[sympy.Expr, sympy.Expr] | None, at_start: sympy.Expr, first: dict[sympy.Symbol, sympy.Expr],
    relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover,
) -> bool:  # fmt: skip
    """Return whether the formula at the first integer, b >= -a X, was shown by the logarithms of both sides."""
    if pair is None or relation.op in ("==", "!="):
        return False
    share, rest = (e.xreplace(first) for e in pair)
    below = -share * at_start
    if below.has(*_SERIES) or not rest.free_symbols:
        return False
    logarithms = sympy.expand(sympy.expand_log(sympy.log(rest)) - sympy.expand_log(sympy.log(sympy.factor(below))))
    sides = [e.xreplace(reals) for e in (rest, below)]
    if not all(prover.defined(e, domain) and prover.sign(e, domain) == 1 for e in sides):
        return False
    return prover.prove(Goal(logarithms.xreplace(reals), relation.strict, domain))


def _quotient(a: sympy.Expr, b: sympy.Expr, c: sympy.Expr, d: sympy.Expr) -> sympy.Expr:
    """Return log d - log(b c/a) with the logarithms of the factors that the form shows to be positive.

    In the integers themselves, of which products and powers cancel where shifted ones do not.
    """
    ratio = sympy.factor(c / a) if (c / a).is_rational_function() else c / a
    terms = [sympy.expand_log(sympy.log(sympy.powsimp(e))) for e in (d, b)]
    return sympy.expand(terms[0] - terms[1] - sympy.log(ratio))


def _by_quotients(
    b: sympy.Expr, d: sympy.Expr, ratio: sympy.Expr, logarithms: sympy.Expr, domain: Domain, prover: Prover
) -> bool:
    """Return whether d >= b * ratio was shown by the logarithms of the three, which are positive."""
    if not all(e.free_symbols and prover.defined(e, domain) and prover.sign(e, domain) == 1 for e in (b, d)):
        return False
    if not prover.defined(ratio, domain) or not prover.show(Goal(ratio, True, domain), 1):
        return False
    return prover.prove(Goal(logarithms, False, domain))


def _at_next(
    claim: Claim, n: sympy.Symbol, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover
) -> Domain | None:
    """The domain of the step from n to n + 1: its hypotheses hold at n + 1, and then at n; None where they may not.

    An integer n is moved to a real one that begins at 0, so that n + 1 is that real and 1.
    """
    place = reals.get(n, n)
    if not any(n in symbols_of(h.formula) for h in claim.hypotheses):
        return domain
    moved = sorted(place.free_symbols, key=str)
    # With an equation n is tied to another variable, which would have to move with it.
    tied = any(r.op == "==" for h in claim.hypotheses for r in relations(h.formula) if n in r.gap.free_symbols)
    if len(moved) != 1 or place.diff(moved[0]) != 1 or tied:
        return None
    x = moved[0]
    own = next(v for v in claim.variables if v.symbol == n)
    ranges = [v for v in domain.variables if v.symbol == x]
    # A hypothesis that narrows the range of n would leave out steps from its first value on.
    if not ranges or ranges[0].lower != 0 or ranges[0].upper is not None or ranges[0].lower_open != own.lower_open:
        return None
    try:
        ahead = tuple(Relation(r.lhs.subs(x, x + 1), r.op, r.rhs.subs(x, x + 1)) for r in domain.extra)
        later = replace(domain, extra=ahead)
        if not all(prover.defined(side, later) for r in domain.extra for side in (r.lhs, r.rhs)):
            return None
        kept = all(prover.holds(r, later) for r in domain.extra)
    except FormulaError:
        return None
    # Both are kept: what is assumed at n makes terms of the step defined.
    return replace(domain, extra=tuple(dict.fromkeys((*domain.extra, *ahead)))) if kept else None


def _of_one_sign(e: sympy.Expr, domain: Domain, prover: Prover) -> bool:
    """Return whether an expression was shown to be defined and never 0 on the domain."""
    return prover.defined(e, domain) and any(prover.show(Goal(sign * e, True, domain), 2) for sign in (1, -1))


def _base(
    start: sympy.Expr, relation: Relation, domain: Domain, reals: dict[sympy.Symbol, sympy.Symbol], prover: Prover
) -> bool:
    """Return whether the relation holds at the first integer."""
    if not start.free_symbols:
        found = sign(start, {})
        if relation.op == "==" and reduced(worked_out(start)):
            return True
        wanted = {"==": ("zero",), ">": ("positive",), "<": ("positive",)}
        return found in wanted.get(relation.op, ("positive", "zero", "nonnegative"))
    value = worked_out(start).xreplace(reals)
    if relation.op == "==":
        return bool(reduced(value))
    return prover.prove(Goal(value, relation.strict, domain))


def _linear(e: sympy.Expr, unknown: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr] | None:
    """Return slope and constant of an expression in the unknown; None if it is not linear."""
    slope = e.diff(unknown)
    if slope.has(unknown):
        return None
    return slope, e.xreplace({unknown: sympy.S.Zero})


def _said(n: sympy.Symbol, first: sympy.Expr, term: sympy.Expr) -> str:
    """Return the sentence for the report."""
    return f"by induction over {n} from {first}, with {term} as the term that grows"
