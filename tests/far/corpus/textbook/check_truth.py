"""The truth of every textbook statement without the engine's judging: SymPy's evalf (mpmath) to 60 digits at points, integrals to 40.

A false statement fails at its witness; a true one holds at points drawn from its domain, at its ends and beside them,
and where two variables nearly meet. Run: python check_truth.py
"""

import pathlib
import random
import sys

import sympy

from known import WITNESSES, read

_TINY = sympy.Rational(1, 10**34)


def load(half):
    text = (pathlib.Path(__file__).parent / f"{half}.txt").read_text(encoding="utf-8")
    return read(half, text), WITNESSES


def holds(relation, point):
    """True or False, None where a side is no real number; equality is to 25 digits of the larger side."""
    sides = []
    for side in (relation.lhs, relation.rhs):
        there = side.subs(point)
        digits = 40 if there.has(sympy.Integral) else 60
        number = sympy.N(there.doit() if there.has(sympy.Sum, sympy.Product, sympy.Derivative) else there, digits)
        if not (number.is_Float or number.is_Rational):
            return None
        sides.append(number)
    left, right = sides
    equal = abs(left - right) <= _TINY * max(abs(left), abs(right), 1)
    ordered = {"<=": left <= right, "<": left < right, ">=": left >= right, ">": left > right}
    if relation.op in ("==", "!="):
        return bool(equal) == (relation.op == "==")
    return bool(ordered[relation.op]) or (bool(equal) and relation.op in ("<=", ">="))


def draw(variable, generator):
    low, high = variable.lower, variable.upper
    if variable.integer:
        return sympy.Integer(generator.randint(-9 if low is None else int(low), 9 if low is None else int(low) + 12))
    size = sympy.Rational(generator.randint(1, 400), generator.choice((3, 7, 50, 200)))
    if low is not None and high is not None:
        return sympy.Rational(low) + sympy.Rational(high - low) * sympy.Rational(generator.randint(1, 98), 99)
    if low is not None:
        return sympy.Rational(low) + size
    return generator.choice((-1, 1)) * size if high is None else sympy.Rational(high) - size


def corner(variable, generator):
    """A closed end, a point beside an end, or one far out."""
    low, high = variable.lower, variable.upper
    if variable.integer:
        return sympy.Integer(generator.randint(-2, 2) if low is None else int(low) + generator.choice((0, 0, 1, 20)))
    ends = [(end, way) for end, way in ((low, 1), (high, -1)) if end is not None]
    if not ends:
        return generator.choice((sympy.Integer(0), sympy.Rational(1, 1000), sympy.Integer(-40), sympy.Integer(40)))
    end, way = generator.choice(ends)
    steps = [sympy.Rational(1, 1000), sympy.Rational(1, 40)]
    steps += [sympy.Integer(40)] if len(ends) == 1 else []
    steps += [] if (variable.lower_open if way == 1 else variable.upper_open) else [sympy.Integer(0)]
    return sympy.Rational(end) + way * generator.choice(steps)


def points(claim, generator):
    """Points of the box, by turns inside it, at its corners, and with the second variable beside the first.

    An integral is taken inside only: a quadrature at a corner takes minutes.
    """
    plain = not claim.conclusion.gap.has(sympy.Integral)
    for turn in range(1200 if claim.hypotheses else 36):
        drawn = [(corner if plain and turn % 3 == 1 else draw)(v, generator) for v in claim.variables]
        if plain and turn % 3 == 2 and len(drawn) > 1 and claim.variables[0].integer == claim.variables[1].integer:
            near = drawn[0] if claim.variables[0].integer else drawn[0] * sympy.Rational(1001, 1000)
            drawn[1] = near if inside(claim.variables[1], near) else drawn[1]
        yield {v.symbol: value for v, value in zip(claim.variables, drawn, strict=True)}


def inside(variable, value):
    low, high = variable.lower, variable.upper
    return (low is None or value > low) and (high is None or value < high)


def wrong(claim, witnesses, generator):
    if claim.quantifier == "exists":
        return ""
    if claim.kind == "false":
        given = witnesses.get(claim.id, {})
        point = {v.symbol: sympy.sympify(given[v.symbol.name]) for v in claim.variables}
        if not all(holds(h.formula, point) for h in claim.assumptions):
            return f"{claim.id}: its witness is not admissible"
        return f"{claim.id}: it does not fail at its witness" if holds(claim.conclusion, point) is not False else ""
    looked = 0
    for point in points(claim, generator):
        for equation in (h.formula for h in claim.hypotheses if h.formula.op == "=="):
            last = claim.variables[-1].symbol  # the equations are linear in it
            gap = equation.gap.subs({s: v for s, v in point.items() if s != last})
            point[last] = -gap.xreplace({last: sympy.S.Zero}) / gap.diff(last)
        if all(holds(h.formula, point) for h in claim.assumptions):
            looked += 1
            if holds(claim.conclusion, point) is not True:
                return f"{claim.id}: it does not hold at {point}"
        if looked >= (9 if claim.variables else 1):
            break
    return "" if looked else f"{claim.id}: no point of its domain was found"


def main():
    found = []
    for half in ("tuned", "held", "third", "fourth", "seventh"):
        claims, witnesses = load(half)
        found += [w for c in claims if (w := wrong(c, witnesses, random.Random(c.id)))]
    print("\n".join(found) or "every statement is as it says")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
