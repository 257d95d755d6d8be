"""Claims of known truth: helpers, so that one claim is two lines.  Nobody has asked the engine about the truth.

A folder for the engine holds this file and the files own_*.py (not `refused`, whose files stand alone).
WITNESSES[id] is a point where a false claim fails (exact, as text for SymPy; `findroot(f, a)` is the root of f next
to a); ILL[id] a point where a term of an ill-posed claim has no value; POINTS[id] points (text) or a function from a
random.Random to a point, where a true claim is looked at besides random ones; CATEGORY[id] the category.
"""

import sympy
from sympy import (  # noqa: F401
    Abs, E, I, Integer, Max, Min, Rational, S, Symbol, atan, cos, cosh, erf, erfc, exp, log, pi, sign, sin, sinh, sqrt, tanh,
)

from rgm_verify.claims import (  # noqa: F401
    All, Chart, Claim, Either, Hypothesis, Iff, Implies, Mutant, Relation, both, chain, either, eq, ge, gt, le, lt, ne, real,
)

R = Rational
WITNESSES = {}
ILL = {}
POINTS = {}
CATEGORY = {}


def var(name, domain="R", integer=False):
    """(Variable, symbol); domain as "R", "(0,inf)", "[1/3,2)"."""
    if domain == "R":
        made = real(name, integer=integer)
    else:
        low, high = domain[1:-1].split(",")
        rest = {}
        if "inf" not in low:
            rest |= {"lower": sympy.Rational(low), "lower_open": domain[0] == "("}
        if "inf" not in high:
            rest |= {"upper": sympy.Rational(high), "upper_open": domain[-1] == ")"}
        made = real(name, integer=integer, **rest)
    return made, made.symbol


def whole(name, domain="[1,inf)"):
    return var(name, domain, integer=True)


def far_off(formula):
    """A control that is false wherever it is defined."""
    if isinstance(formula, Relation):
        if formula.op == "==":
            return Mutant("off by one", conclusion=eq(formula.lhs, formula.rhs + 1))
        if formula.op == "!=":
            return Mutant("equal to one more than itself", conclusion=eq(formula.lhs, formula.lhs + 1))
        return Mutant("far off", conclusion=ge(formula.gap, formula.gap**2 + 1))
    raise ValueError("pass mutants= for a formula that is no relation")


def _make(kind, name, conclusion, variables, given, why, more):
    more = dict(more)
    CATEGORY["own:" + name] = more.pop("cat", "")
    if "mutants" not in more:
        more["mutants"] = (far_off(conclusion),)
    given = (given,) if isinstance(given, Relation | All | Either | Implies | Iff) else tuple(given)
    return Claim(
        id="own:" + name, title=name, source="corpus", where="-", kind=kind, statement="", remark=why,
        variables=tuple(variables), conclusion=conclusion,
        hypotheses=tuple(Hypothesis(f"h{i}", f) for i, f in enumerate(given)), **more,
    )


def true(name, conclusion, *variables, given=(), why="", points=None, **more):
    if points is not None:
        POINTS["own:" + name] = points
    return _make("true", name, conclusion, variables, given, why, more)


def false(name, conclusion, *variables, given=(), at=None, why="", **more):
    if at is not None:
        WITNESSES["own:" + name] = {k: str(v) for k, v in at.items()}
    return _make("false", name, conclusion, variables, given, why, more)


def ill(name, conclusion, *variables, given=(), at=None, why="", **more):
    if at is not None:
        ILL["own:" + name] = {k: str(v) for k, v in at.items()}
    return _make("ill-posed", name, conclusion, variables, given, why, more)
