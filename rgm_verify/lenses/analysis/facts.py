"""Facts about the range of each function, as formulas that a solver may use about the unknowns in their places.

Every fact is the right side of an implication from `1 >= 0`: below a connective nothing is granted, so that a fact
about a term never says that the term is defined.

A solver of real arithmetic knows nothing of exp or log: they are unknowns to it. Each formula here is a
theorem about one or two such terms, with the conditions under which it holds as the left side of an
implication (log t <= t - 1 for t > 0). A wrong fact would make wrong proofs, so that each is
elementary: tangents at 0 or 1, monotonicity, ranges, and enclosures of closed terms by Arb, rounded
outward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import sympy
import z3

from rgm_verify.balls.enclose import enclose
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.formula import Formula, FormulaError, Implies, Relation, both, ge, gt, le, lt, rewrite
from rgm_verify.lenses.analysis.exponentials import Powers
from rgm_verify.lenses.solvers.definedness import parts
from rgm_verify.lenses.solvers.smt import NotArithmetic, Translation, _check

__all__ = ["facts", "implied"]

_TRUE = ge(1, 0)
#: Above log 2 = 0.693147180559945...
_ABOVE_LOG_2 = sympy.Rational(6931471806, 10**10)
#: Pairs of terms of one function beyond this are not compared with each other.
_MOST_PAIRS = 6
_INCREASING = (sympy.exp, sympy.log, sympy.erf, sympy.tanh, sympy.atan, sympy.sinh, sympy.asinh)


def facts(expressions: Iterable[sympy.Expr]) -> list[Formula]:
    """The formulas about every term of the expressions that is no arithmetic.

    Args:
        expressions: The sides of what is to be shown and of what is assumed.

    Returns:
        Implications; true wherever their terms are defined.

    Examples:
        >>> x = sympy.Symbol("x", real=True)
        >>> [str(f.right) for f in facts([sympy.exp(x)])][:2]
        ['exp(x) > 0', 'exp(x) >= x + 1']
    """
    nodes = list(dict.fromkeys(n for e in expressions for n in parts(e)))
    found: list[Formula] = []
    for node in nodes:
        try:
            found += [Implies(_TRUE, f) for f in _of_node(node)]
        except FormulaError:  # a term that SymPy turns into no real number when it is compared
            continue
    for kind in (*_INCREASING, sympy.erfc):
        same = [n for n in nodes if isinstance(n, kind) and n.free_symbols]
        for left, right in list(combinations(same, 2))[:_MOST_PAIRS]:
            found += _compared(left, right)
    for node in nodes:
        if isinstance(node, sympy.sin) and (other := sympy.cos(node.args[0])) in nodes:
            found.append(Implies(_TRUE, Relation(node**2 + other**2, "==", sympy.S.One)))
        if isinstance(node, sympy.sinh) and (other := sympy.cosh(node.args[0])) in nodes:
            found.append(Implies(_TRUE, Relation(other**2 - node**2, "==", sympy.S.One)))
    return found


def _entropies(expressions: Iterable[sympy.Expr]) -> Iterator[Formula]:
    """The entropy of a distribution on two points is at most log 2: of logarithms of two numbers with the sum 1."""
    logs = [n for n in dict.fromkeys(n for e in expressions for n in parts(e)) if isinstance(n, sympy.log)]
    varying = [n for n in logs if n.free_symbols]
    for left, right in list(combinations(varying, 2)):
        a, b = left.args[0], right.args[0]
        if sympy.expand(a + b - 1) == 0:
            yield Implies(both(gt(a, 0), gt(b, 0)), ge(a * left + b * right, -sympy.log(2)))
            # The logarithm is a term that the solver may know nothing of.
            yield Implies(both(gt(a, 0), gt(b, 0)), ge(a * left + b * right, -_ABOVE_LOG_2))


def _compared(left: sympy.Expr, right: sympy.Expr) -> Iterator[Formula]:
    """Two values of one monotone function, where both are defined.

    erfc falls, so that its two values change places.
    """
    a, b = left.args[0], right.args[0]
    if isinstance(left, sympy.erfc):
        left, right = right, left
    # The logarithm alone has arguments at which it is not defined; the other functions are increasing
    # on all of the line.
    defined = [gt(a, 0), gt(b, 0)] if isinstance(left, sympy.log) else [_TRUE]
    try:
        yield Implies(both(*defined, le(a, b)), le(left, right))
        yield Implies(both(*defined, le(b, a)), le(right, left))
        yield Implies(both(*defined, lt(a, b)), lt(left, right))
        yield Implies(both(*defined, lt(b, a)), lt(right, left))
        # Tangents at one of the two places: a concave function lies below, a convex one above.
        if isinstance(left, sympy.log):
            yield Implies(both(*defined), le(b * (left - right), a - b))
            yield Implies(both(*defined), le(a * (right - left), b - a))
        if isinstance(left, sympy.exp):
            yield ge(left - right, right * (a - b))
            yield ge(right - left, left * (b - a))
    except FormulaError:
        return


def _of_node(node: sympy.Expr) -> Iterator[Formula]:
    """Yield what is known of one term: its range, tangents, and signs that follow from the sign of its
    argument.
    """
    if not node.free_symbols:
        yield from _of_constant(node)
        return
    if isinstance(node, sympy.Pow):
        yield from _of_power(node)
        return
    if not isinstance(node, sympy.Function) or not node.args:
        return
    t = node.args[0]
    if isinstance(node, sympy.exp):
        yield gt(node, 0)
        yield ge(node, 1 + t)
        yield Implies(le(t, 0), le(node, 1))
        yield Implies(lt(t, 0), lt(node, 1))
        yield Implies(gt(t, 0), gt(node, 1 + t))
    elif isinstance(node, sympy.log):
        positive = gt(t, 0)
        yield Implies(positive, le(node, t - 1))
        # log t >= 1 - 1/t, multiplied by t, so that no denominator appears.
        yield Implies(positive, ge(t * node, t - 1))
        yield Implies(ge(t, 1), ge(node, 0))
        yield Implies(gt(t, 1), gt(node, 0))
        yield Implies(both(positive, le(t, 1)), le(node, 0))
        yield Implies(both(positive, lt(t, 1)), lt(node, 0))
    elif isinstance(node, sympy.erf | sympy.tanh | sympy.atan | sympy.sinh | sympy.asinh):
        yield from _odd(node, t)
    else:
        yield from _of_other(node, t)


def _of_other(node: sympy.Expr, t: sympy.Expr) -> Iterator[Formula]:
    """Functions that are not monotone, or of one sign."""
    if isinstance(node, sympy.erfc):
        yield gt(node, 0)
        yield lt(node, 2)
        yield Implies(ge(t, 0), le(node, 1))
        yield Implies(le(t, 0), ge(node, 1))
    elif isinstance(node, sympy.sin | sympy.cos):
        yield le(node, 1)
        yield ge(node, -1)
        if isinstance(node, sympy.sin):
            yield Implies(ge(t, 0), both(le(node, t), ge(node, -t)))
            yield Implies(le(t, 0), both(ge(node, t), le(node, -t)))
        else:
            yield ge(node, 1 - t**2 / 2)
        yield from _half_waves(node, t)
    elif isinstance(node, sympy.cosh):
        yield ge(node, 1 + t**2 / 2)
    else:
        yield from _of_count(node, t)


def _half_waves(node: sympy.Expr, t: sympy.Expr) -> Iterator[Formula]:
    """Where a sine or a cosine has one sign: on both of its half-waves next to 0."""
    yield from _of_constant(sympy.pi)
    first = sympy.S.Zero if isinstance(node, sympy.sin) else -sympy.pi / 2
    for start, above, beyond in ((first, ge, gt), (first - sympy.pi, le, lt), (first + sympy.pi, le, lt)):
        end = start + sympy.pi
        yield Implies(both(ge(t, start), le(t, end)), above(node, 0))
        yield Implies(both(gt(t, start), lt(t, end)), beyond(node, 0))


def _of_count(node: sympy.Expr, t: sympy.Expr) -> Iterator[Formula]:
    """Functions that count or round."""
    if isinstance(node, sympy.floor):
        yield both(le(node, t), gt(node, t - 1))
    elif isinstance(node, sympy.ceiling):
        yield both(ge(node, t), lt(node, t + 1))
    elif isinstance(node, sympy.harmonic):
        # H(x, p) for an integer p >= 1 rises from 0 at x = 0.
        if len(node.args) == 1 or (node.args[1].is_Integer and node.args[1] >= 1):
            yield Implies(ge(t, 0), ge(node, 0))
            yield Implies(gt(t, 0), gt(node, 0))
        if len(node.args) == 2 and node.args[1].is_Integer and node.args[1] >= 2:
            yield from (Implies(ge(t, 0), le(node, end)) for op, end in _ends(sympy.zeta(node.args[1])) if op is le)
    elif isinstance(node, sympy.gamma):
        yield Implies(gt(t, 0), gt(node, 0))
    elif isinstance(node, sympy.binomial):
        below = node.args[1]
        # Gamma(n + 1)/(Gamma(m + 1) Gamma(n - m + 1)) with three positive arguments.
        yield Implies(both(gt(t, -1), gt(below, -1), gt(t - below, -1)), gt(node, 0))
    elif isinstance(node, sympy.factorial):
        yield Implies(gt(t, -1), gt(node, 0))


def _odd(node: sympy.Expr, t: sympy.Expr) -> Iterator[Formula]:
    """An odd increasing function with its bounds."""
    yield Implies(ge(t, 0), ge(node, 0))
    yield Implies(le(t, 0), le(node, 0))
    yield Implies(gt(t, 0), gt(node, 0))
    yield Implies(lt(t, 0), lt(node, 0))
    if isinstance(node, sympy.erf | sympy.tanh):
        yield lt(node, 1)
        yield gt(node, -1)
    if isinstance(node, sympy.atan):
        # 22/7 is above pi, and the fact has to be rational.
        half = sympy.Rational(11, 7)  # above pi/2
        yield lt(node, half)
        yield gt(node, -half)
    if isinstance(node, sympy.tanh | sympy.atan | sympy.asinh):
        yield Implies(ge(t, 0), le(node, t))
        yield Implies(le(t, 0), ge(node, t))
    if isinstance(node, sympy.sinh):
        yield Implies(ge(t, 0), ge(node, t))
        yield Implies(le(t, 0), le(node, t))


def _of_power(node: sympy.Pow) -> Iterator[Formula]:
    """A power with a variable exponent, for a base that is positive.

    A rational exponent is arithmetic to the solver, and exp has facts of its own.
    """
    base, exponent = node.args
    if exponent.is_Rational or base is sympy.E:
        return
    positive = gt(base, 0)
    yield Implies(positive, gt(node, 0))
    for relation, op in (((ge(base, 1), ge(exponent, 0)), ge), ((le(base, 1), ge(exponent, 0)), le)):
        yield Implies(both(positive, *relation), op(node, 1))
    for relation, op in (((ge(base, 1), le(exponent, 0)), le), ((le(base, 1), le(exponent, 0)), ge)):
        yield Implies(both(positive, *relation), op(node, 1))


def _of_constant(node: sympy.Expr) -> Iterator[Formula]:
    """Yield an enclosure of a closed term that is not rational, twelve digits of it."""
    if not (node.is_Rational or isinstance(node, sympy.Add | sympy.Mul)):
        yield from (op(node, end) for op, end in _ends(node))


def _ends(constant: sympy.Expr) -> Iterator[tuple[Callable[..., Relation], sympy.Rational]]:
    """Yield `ge` with a rational number that a constant is not below, and `le` with one that it is not above."""
    try:
        found = enclose(constant, {}, digits=12, maximum_bits=256)
    except UnsupportedExpression:
        return
    for end, op in ((found.lower, ge), (found.upper, le)):
        if end is not None:
            # Ends of an enclosure have hundreds of digits, which slow a solver down; an end that would
            # fall inside moves outward.
            short = end.limit_denominator(10**9)
            short = short if short == end or (short < end) == (op is ge) else short + (-1 if op is ge else 1) * _STEP
            if (short <= end) if op is ge else (short >= end):
                yield op, sympy.Rational(short.numerator, short.denominator)


_STEP = Fraction(1, 10**8)


def implied(assumptions: Sequence[Formula], conclusion: Formula, terms: Iterable[sympy.Expr], steps: int) -> bool:
    """Return whether assumptions and the facts imply a formula whose terms are known to be defined wherever they hold.

    "No" means that it was not shown.

    Args:
        assumptions: What is known on the domain.
        terms: Expressions whose terms are real numbers wherever the assumptions hold.

    Returns:
        True only if the solver found the negation inconsistent with assumptions and facts.
    """
    sides = list(terms)
    told = [*assumptions, *facts(sides)]
    if _follows(told, conclusion, sides, steps):
        return True
    # What relates terms to each other makes a question longer, and most do without.
    related = list(_entropies(sides))
    powers = Powers.among(sides)
    if powers is None:
        return bool(related) and _follows([*told, *related], conclusion, sides, steps)
    moved = [rewrite(formula, powers.placed) for formula in (*told, *related, conclusion)]
    return _follows([*powers.facts, *moved[:-1]], moved[-1], [powers.placed(side) for side in sides], steps)


def _follows(told: Sequence[Formula], conclusion: Formula, sides: Sequence[sympy.Expr], steps: int) -> bool:
    """Return whether z3 shows that formulas imply another one, where the terms of the sides are known to be defined."""
    nodes = dict.fromkeys(n for e in sides for n in parts(e))
    translation = Translation(atoms=True)
    try:
        context = [c for formula in told for c in translation.given(formula)]
        # What is granted are the conditions of terms that are known to be defined: a denominator is not
        # 0, a root is >= 0.
        for node in nodes:
            context += translation.grant(node)
        goal = translation.formula(conclusion)
    except (NotArithmetic, FormulaError):
        return False
    return bool(_check([*context, z3.Not(goal)], steps)[0] == z3.unsat)
