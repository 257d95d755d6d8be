"""Functions of the same sign that are simpler, and where a function is smooth."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy

from rgm_verify.claims.formula import Relation
from rgm_verify.lenses.algebra.smoothness import smoothness
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown
from rgm_verify.lenses.analysis.asymptotics.kernels import factors
from rgm_verify.lenses.analysis.zeros import Open, Zeros
from rgm_verify.lenses.solvers.definedness import Need, Unknown

#: Functions with a derivative in which they no longer stand.
_ENDING = (sympy.erf, sympy.erfc, sympy.atan, sympy.acos, sympy.asin)
_WITH_SIMPLER_DERIVATIVE = (sympy.log, sympy.atan, sympy.asin, sympy.acos, sympy.erfc, sympy.erf)


class Simpler(Zeros):
    """A search that puts a simpler function of the same sign in the place of one."""

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

    # ------------------------------------------------------------------------------------------ smoothness

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


def _known(needs: Iterator[Need]) -> Iterator[Relation]:
    """Yield conditions; raises `NotKnown` at one that is not known."""
    for need in needs:
        if isinstance(need, Unknown):
            raise NotKnown("a function of which it is not known where it is smooth")
        yield need
