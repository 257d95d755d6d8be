"""The truth of every claim of the corpus without the engine: mpmath on the SymPy tree, nothing of rgm_verify's judging.

Run: python check_truth.py [pattern]
"""

import fnmatch
import importlib
import pathlib
import random
import sys
import types
from fractions import Fraction

import mpmath
import sympy
from mpmath import mp


class Undefined(Exception):
    pass


#: At a witness the argument of a sign or a logarithm that is below the noise is 0.
SNAP = False


def number(e, point):
    """The value of a SymPy expression at the working precision; Undefined where it is no real number."""
    if isinstance(e, sympy.Symbol):
        value = point[e.name]
        return number(value, point) if isinstance(value, sympy.Basic) else mp.mpf(value.numerator) / value.denominator
    if isinstance(e, sympy.Rational):
        return mp.mpf(int(e.p)) / int(e.q)
    if e is sympy.pi:
        return +mp.pi
    if e is sympy.E:
        return +mp.e
    if e in (sympy.I, sympy.nan, sympy.zoo, sympy.oo, -sympy.oo):
        raise Undefined(e)
    if isinstance(e, sympy.polys.rootoftools.ComplexRootOf):
        return mp.mpf(str(e.evalf(mp.dps)))
    if type(e).__name__ == "findroot":
        f = lambda t: number(e.args[0], _P(t))
        return mp.findroot(f, mp.mpf(str(e.args[1])), tol=mp.mpf(10) ** (-2 * mp.dps + 20))
    a = [number(p, point) for p in e.args]
    if isinstance(e, (sympy.sign, sympy.log)) and e.args[0].free_symbols and abs(a[0]) < mp.mpf(10) ** (-mp.dps * 9 // 10) and SNAP:
        a[0] = mp.mpf(0)
    if isinstance(e, sympy.Add):
        return mp.fsum(a)
    if isinstance(e, sympy.Mul):
        return mp.fprod(a)
    if isinstance(e, sympy.Pow):
        b, p = a
        if e.exp.is_Integer:
            if b == 0 and p < 0:
                raise Undefined(e)
            return mp.power(b, int(e.exp))
        if b < 0 and p == mp.floor(p) and e.exp.is_integer:
            return mp.power(b, int(p))
        if b < 0 or (b == 0 and p <= 0):
            raise Undefined(e)
        return mp.power(b, p) if b else mp.mpf(0)
    if isinstance(e, sympy.log):
        if a[0] <= 0:
            raise Undefined(e)
        return mp.log(a[0])
    if isinstance(e, sympy.tan) or isinstance(e, sympy.LambertW):
        f = mp.tan if isinstance(e, sympy.tan) else mp.lambertw
        return mp.re(f(a[0]))
    if isinstance(e, (sympy.asin, sympy.acos)) and abs(a[0]) > 1:
        raise Undefined(e)
    if isinstance(e, sympy.gamma) and a[0] <= 0:
        raise Undefined(e)
    names = {"Max": max, "Min": min, "Abs": abs, "sign": mp.sign, "ceiling": mp.ceil}
    name = type(e).__name__
    if name in ("Max", "Min"):
        return names[name](a)
    return names.get(name, getattr(mp, name, None))(*a)


class _P(dict):
    def __init__(self, t):
        super().__init__()
        self.t = t

    def __getitem__(self, key):
        return _V(self.t)


class _V:
    """A float of mpmath in the place of a Fraction."""

    def __init__(self, t):
        self.numerator, self.denominator = t, 1


def sign_of(e, point, digits):
    """-1, 0, 1: two precisions; what shrinks with the precision is zero."""
    values = []
    for d in (digits, 2 * digits):
        with mp.workdps(d):
            values.append(number(e, point))
    with mp.workdps(2 * digits):
        v, w = values
        if w == 0 or abs(v - w) > abs(w) / 2:
            return 0
        return 1 if w > 0 else -1


def holds(f, point, digits):
    """Truth of a formula at a point; Undefined if any side is."""
    name = type(f).__name__
    if name == "Relation":
        for side in (f.lhs, f.rhs):
            with mp.workdps(digits):
                number(side, point)
        s = sign_of(sympy.Add(f.lhs, sympy.Mul(-1, f.rhs, evaluate=False), evaluate=False), point, digits)
        return {"<=": s <= 0, "<": s < 0, ">=": s >= 0, ">": s > 0, "==": s == 0, "!=": s != 0}[f.op]
    if name == "All":
        return all([holds(p, point, digits) for p in f.parts])
    if name == "Either":
        return any([holds(p, point, digits) for p in f.parts])
    left, right = holds(f.left, point, digits), holds(f.right, point, digits)
    return (not left or right) if name == "Implies" else left == right


def in_domain(claim, point, digits):
    for v in claim.variables:
        if v.integer and sign_of(sympy.sin(sympy.pi * sympy.Symbol(v.symbol.name)), point, digits) != 0:
            return False
    return all(holds(h.formula, point, digits) for h in claim.assumptions)


def parse(texts):
    local = {"findroot": sympy.Function("findroot")}
    return {k: sympy.sympify(t, locals=local) for k, t in texts.items()}


def draw(v, g):
    """A random exact value on the domain of one variable."""
    while True:
        how = g.random()
        m = Fraction(g.randint(10, 99)) * Fraction(10) ** g.randint(-6, 2)
        s = Fraction(g.randint(0, 6), g.choice([1, 1, 2, 3, 4]))
        lo, hi = v.lower, v.upper
        if lo is not None and hi is not None:
            t = Fraction(g.randint(0, 64), 64) if how < 0.6 else min(m, Fraction(1))
            t = 1 - t if how > 0.8 else t
            value = lo + (hi - lo) * t
        elif lo is not None:
            value = lo + (s if how < 0.4 else m)
        elif hi is not None:
            value = hi - (s if how < 0.4 else m)
        else:
            value = (s if how < 0.4 else m) * g.choice([1, -1])
        if v.integer:
            value = Fraction(round(value))
        if (lo is None or value > lo or (value == lo and not v.lower_open)) and (
            hi is None or value < hi or (value == hi and not v.upper_open)
        ):
            return value


def claims_of_folder():
    folder = pathlib.Path(__file__).resolve().parent
    root = types.ModuleType("corpus_own_checked")
    root.__path__ = [str(folder)]
    sys.modules["corpus_own_checked"] = root
    found = {}
    known = importlib.import_module("corpus_own_checked.known")
    for path in sorted(folder.glob("own_*.py")):
        module = importlib.import_module("corpus_own_checked." + path.stem)
        for c in _collect(vars(module).values()):
            assert c.id not in found or found[c.id][0] is c, f"duplicate {c.id}"
            found.setdefault(c.id, (c, path.name))
    return known, found


def _collect(values):
    for v in values:
        if type(v).__name__ == "Claim":
            yield v
        elif isinstance(v, list | tuple):
            yield from _collect(v)


def check_false(c, known):
    """The reason why the claim was not shown to be false; empty if it was."""
    if c.quantifier == "exists":
        return sampled(c, known, wanted=False)
    at = known.WITNESSES.get(c.id)
    if at is None:
        return "no witness"
    point = parse(at)
    if set(point) != {v.symbol.name for v in c.variables}:
        return f"the witness names {set(point)}"
    global SNAP
    SNAP = True
    try:
        if not in_domain(c, point, 300):
            return "the witness is not admissible"
        return "the conclusion holds at the witness" if holds(c.conclusion, point, 300) else ""
    except Undefined as e:
        return f"undefined at the witness: {e}"
    finally:
        SNAP = False


def sampled(c, known, wanted=True):
    g = random.Random(c.id)
    count, tries, extra = 0, 0, known.POINTS.get(c.id, [])
    if c.quantifier == "exists" and wanted:
        return "" if any(in_domain(c, parse(p), 120) and holds(c.conclusion, parse(p), 120) for p in extra) else "no example"
    points = [] if callable(extra) else [parse(p) for p in extra]
    for p in points:
        if not in_domain(c, p, 120):
            return f"given point is not admissible: {p}"
    while count < (200 if c.variables else 1) and tries < 6000:
        tries += 1
        if points:
            p = points.pop()
        elif callable(extra):
            made = extra(g)
            p = parse(made) if all(isinstance(v, str) for v in made.values()) else made
        else:
            p = {v.symbol.name: draw(v, g) for v in c.variables}
        try:
            if not in_domain(c, p, 60):
                continue
        except Undefined:
            continue
        count += 1
        try:
            if holds(c.conclusion, p, 120) != wanted and holds(c.conclusion, p, 9000) != wanted:
                return f"fails at {p}"
        except Undefined as e:
            return f"undefined at {p}: {e}"
    if count < 200 and c.variables:
        print(f"    note: {c.id}: {count} admissible points only")
    return "" if count else "no admissible point was sampled"


def check_ill(c, known):
    at = known.ILL.get(c.id)
    if at is None:
        print(f"    note: {c.id}: by argument only: {c.remark}")
        return ""
    p = parse(at)
    global SNAP
    SNAP = True
    try:
        if not in_domain(c, p, 100):
            return "the point is not admissible"
        holds(c.conclusion, p, 100)
    except Undefined:
        return ""
    finally:
        SNAP = False
    return "defined at the given point"


def main(pattern):
    known, found = claims_of_folder()
    bad, counts = [], {}
    for i, (c, file) in found.items():
        key = (c.kind, known.CATEGORY[i])
        counts[key] = counts.get(key, 0) + 1
        if not fnmatch.fnmatch(i, pattern):
            continue
        check = {"true": sampled, "false": check_false, "ill-posed": check_ill}[c.kind]
        problem = check(c, known)
        if problem:
            bad.append(i)
            print(f"BAD {file} {i}: {problem}")
    unknown = (set(known.WITNESSES) | set(known.ILL) | set(known.POINTS)) - set(found)
    assert not unknown, unknown
    for kind in ("true", "false", "ill-posed"):
        print(kind, sum(n for (k, _), n in counts.items() if k == kind), {c: n for (k, c), n in sorted(counts.items()) if k == kind})
    print(len(found), "claims,", len(bad), "bad")
    return bool(bad)


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "*"))
