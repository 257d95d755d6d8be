"""Check the truth of every claim of this folder without the engine: `python check_truth.py`."""

from __future__ import annotations

import importlib
import random
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

import mpmath
import sympy

from rgm_verify.claims.formula import Formula, Relation, relations, truth

HIGH, LOW, POINTS = 1000, 120, 200
FOLDER = Path(__file__).resolve().parent


def sign(lhs: sympy.Expr, rhs: sympy.Expr, values, digits: int) -> int | None:
    """The sign of lhs - rhs (0 for a difference below 10^(-0.9 digits)), None where a side is not real."""
    with mpmath.workdps(digits):
        point = {s: mpmath.mpf(v) if not isinstance(v, sympy.Basic) else number(v) for s, v in values.items()}
        names = list(point)
        found = []
        for side in (lhs, rhs):
            try:
                value = compiled(side, tuple(names))(*[point[s] for s in names])
            except ZeroDivisionError:
                return None
            value = mpmath.mpmathify(value)
            if isinstance(value, mpmath.mpc):
                if abs(value.imag) > mpmath.mpf(10) ** (-digits // 2) * (1 + abs(value)):
                    return None
                value = value.real
            if not mpmath.isfinite(value):
                return None
            found.append(value)
        difference = found[0] - found[1]
        limit = mpmath.mpf(10) ** (-int(0.9 * digits)) * max(1, *map(abs, found))
        if abs(difference) <= limit:
            if digits == LOW and difference != 0:  # tiny, or only rounding? More digits tell.
                return sign(lhs, rhs, values, 4 * LOW)
            return 0
        return int(mpmath.sign(difference))


@cache
def compiled(side: sympy.Expr, names: tuple):
    return sympy.lambdify(names, side, "mpmath")


def number(value: sympy.Expr):
    return mpmath.mpmathify(sympy.lambdify([], value, "mpmath")())


@cache
def parse(text: str, symbols: tuple):
    return sympy.sympify(text, locals={s.name: s for s in symbols})


class Undefined(Exception):
    pass


def decide(formula: Formula, values, digits: int, exact: bool) -> bool:
    def one(relation: Relation) -> bool:
        found = sign(relation.lhs, relation.rhs, values, digits)
        if exact and found == 0:
            gap = (relation.lhs - relation.rhs).subs(values, simultaneous=True)
            if sympy.simplify(gap) != 0:
                print("zero to 900 digits, not confirmed symbolically:", relation)
        if found is None:
            raise Undefined(f"{relation}")
        return {"<=": found <= 0, "<": found < 0, ">=": found >= 0, ">": found > 0, "==": found == 0, "!=": found != 0}[relation.op]

    return bool(truth(formula, one))


def at(claim, texts) -> dict:
    names = {v.symbol.name: v.symbol for v in claim.variables}
    values = {names[k]: sympy.sympify(v) for k, v in texts.items()}
    assert set(values) == set(names.values()), f"{claim.id}: witness names {sorted(texts)}"
    for v in claim.variables:
        assert not v.integer or values[v.symbol].is_Integer, claim.id
    return values


def admissible(claim, values, digits, exact) -> bool:
    return all(decide(h.formula, values, digits, exact) for h in claim.assumptions)


def draw(variable, rng):
    """A random value: near the ends, of many sizes, or a simple rational."""
    lo, hi = variable.lower, variable.upper
    if variable.integer:
        low = int(lo) if lo is not None else None
        value = rng.choice([rng.randint(0, 6), rng.randint(0, 40), rng.randint(0, 400)])
        if low is None:
            return sympy.Integer(rng.choice([-1, 1]) * value)
        return sympy.Integer(low + value)
    with mpmath.workdps(LOW):
        if lo is not None and hi is not None:
            low, width = mpmath.mpf(lo.numerator) / lo.denominator, mpmath.mpf((hi - lo).numerator) / (hi - lo).denominator
            share = rng.choice([mpmath.mpf(rng.random()), mpmath.mpf(10) ** -rng.uniform(0, 12), 1 - mpmath.mpf(10) ** -rng.uniform(0, 12), mpmath.mpf(rng.randint(0, 4)) / 4])
            return low + width * share
        size = mpmath.mpf(rng.choice([rng.uniform(0, 3), 10 ** rng.uniform(-6, 1.3), rng.randint(0, 4), rng.randint(1, 8) / 4]))
        if lo is not None:
            return mpmath.mpf(lo.numerator) / lo.denominator + size
        if hi is not None:
            return mpmath.mpf(hi.numerator) / hi.denominator - size
        return rng.choice([-1, 1]) * size


def samples(claim, pick, rng):
    """Up to 200 admissible points; half of the draws put variables onto each other or next to each other."""
    found, tries = [], 0
    names = {v.symbol.name: v.symbol for v in claim.variables}
    while len(found) < POINTS and tries < 8000:
        tries += 1
        values = {v.symbol: draw(v, rng) for v in claim.variables}
        free = [v for v in claim.variables if v.symbol.name not in pick and not v.integer]
        if len(free) > 1 and rng.random() < 0.4:
            with mpmath.workdps(LOW):
                values[free[1].symbol] = values[free[0].symbol] * (1 + rng.choice([0, mpmath.mpf(10) ** -rng.randint(1, 9)]))
        with mpmath.workdps(LOW):
            for name, text in pick.items():
                parsed = parse(text, tuple(names.values()))
                order = [s for s in values if s.name not in pick]
                values[names[name]] = mpmath.mpmathify(compiled(parsed, tuple(order))(*[_mp(values[s]) for s in order]))
        if admissible(claim, values, LOW, False):
            found.append(values)
    return found


def _mp(value):
    return mpmath.mpf(int(value)) if isinstance(value, sympy.Basic) else value


def main() -> None:
    from rgm_verify.engine.discovery import load

    paper = load(FOLDER)
    package = next(n for n in sys.modules if n.startswith("rgm_verify_claims_") and n.endswith(".known"))
    known = importlib.import_module(package)
    problems, counts = [], Counter()
    for claim in paper.claims.values():
        category = claim.id.split(":")[1][:3]
        counts[claim.kind] += 1
        counts[category, claim.kind] += 1
        started = time.time()
        rng = random.Random(claim.id)
        exists = claim.quantifier == "exists"
        try:
            if claim.kind == "ill-posed":
                texts = known.UNDEFINED.get(claim.id)
                if texts is not None:
                    values = at(claim, texts)
                    try:
                        assert admissible(claim, values, HIGH, True), "not admissible"
                        decide(claim.conclusion, values, HIGH, False)
                        counts["ill-posed, simplified away"] += 1
                        print("simplified away:", claim.id)
                    except Undefined:
                        pass
                else:
                    tried = 0
                    for _ in range(POINTS):
                        values = {v.symbol: draw(v, rng) for v in claim.variables}
                        try:
                            assert not admissible(claim, values, LOW, False), f"hypotheses hold at {values}"
                            tried += 1
                        except Undefined:
                            pass
                    assert tried > 50
            elif (claim.kind == "false") != exists:
                texts = known.WITNESSES[claim.id]
                values = at(claim, texts)
                assert admissible(claim, values, HIGH, True), "the witness is not admissible"
                result = decide(claim.conclusion, values, HIGH, True)
                assert result is exists, f"the witness does not {'hold' if exists else 'fail'}"
            if (claim.kind == "true") != exists and claim.kind != "ill-posed":
                found = samples(claim, known.PICK.get(claim.id, {}), rng)
                if len(found) < POINTS:
                    print("few points:", claim.id, len(found))
                assert found
                for values in found:
                    assert decide(claim.conclusion, values, LOW, False) is not exists, f"at {values}"
                counts["sampled claims"] += 1
                counts["sampled points"] += len(found)
        except (AssertionError, Undefined, KeyError) as error:
            problems.append(f"{claim.id}: {type(error).__name__} {error}")
        for mutant in claim.mutants if claim.quantifier == "forall" and claim.kind == "true" else ():
            rng = random.Random(claim.id + "mutant")
            changed = claim.mutate(mutant)
            failed = any(not decide(changed.conclusion, v, LOW, False) for v in samples(claim, known.PICK.get(claim.id, {}), rng)[:30])
            if not failed:
                problems.append(f"{claim.id}: mutant {mutant.name!r} never fails")
        if time.time() - started > 3:
            print("slow:", claim.id, round(time.time() - started), "s", flush=True)
    for key, value in sorted(counts.items(), key=str):
        print(key, value)
    print(len(paper.claims), "claims;", len(problems), "problems")
    for problem in problems:
        print("  ", problem[:400])
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
