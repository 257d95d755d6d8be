"""What is known of functions: their signs, their equations, and how logarithms and exponentials are taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rgm_verify.kernel.check import implies
from rgm_verify.kernel.terms import ONE, Formula, Poly, Rel
from rgm_verify.prover.denominators import Denominators
from rgm_verify.prover.polynomials import element, factored, polynomial, ring_of
from rgm_verify.prover.state import Steps

__all__ = ["Functions"]


class Functions(Denominators):
    """A search that states what the kernel knows of each function that occurs."""

    def axioms(self, steps: Steps, goals: Sequence[Formula]) -> None:
        """State what is known of every function in facts and goals, until nothing new appears.

        A fact about one atom may bring new atoms along; four rounds have been enough, and bound the search.

        Args:
            goals: Formulas whose atoms are looked at beside those of the facts.
        """
        for _ in range(4):
            found = [a for a in self.atoms([*self.k.facts, *goals]) if a not in self._seen]
            if not found:
                break
            for atom in found:
                self._seen.add(atom)
                self.axiom(steps, atom)
        # After all of them, since a denominator is cleared by the sign that its own axiom states.
        self.clear_facts(steps)

    def axiom(self, steps: Steps, atom: int) -> None:
        """State the facts of one atom; those whose conditions are not shown are left out.

        A function without a method `_axiom_...`, such as a variable or `erf`, has none. It is then a number of which
        nothing is known.
        """
        name, *arguments = self.k.terms.atoms[atom]
        rule = getattr(self, f"_axiom_{name}", None)
        if rule is not None:
            rule(steps, atom, *arguments)

    def _axiom_inv(self, steps: Steps, atom: int, key: Any) -> None:
        """State x * (1/x) = 1 and the sign of 1/x, where the sign of x is known."""
        ref = self.sign(steps, dict(key))
        if ref is not None:
            q = dict(key)
            if not implies(self.k.facts[ref], Rel(q, ">")) and self.k.facts[ref][2] == ">":
                q = self.k.terms.add({}, q, -1)
            self.emit(steps, "inv", self.data(q), ref)

    def _axiom_pi(self, steps: Steps, atom: int) -> None:
        """State that pi is positive, by an enclosure of 16 bits. Relations between constants get their own, see
        `numeric`.
        """
        self.emit(steps, "number", self.data({((atom, 1),): 1}), 16)

    def _axiom_root(self, steps: Steps, atom: int, degree: int, key: Any) -> None:
        """State that a root is >= 0 and has its base as a power, where the base is >= 0."""
        base = dict(key)
        ref = self.shown(steps, Rel(base, ">"))
        if ref is None:
            ref = self.shown(steps, Rel(base, ">="))
        if ref is not None or self.k.evident(Rel(base, ">=")):
            last = self.emit(steps, "root", degree, self.data(base), ref)
            self.rewrites.append((last - 1, atom, degree))

    def _axiom_exp(self, steps: Steps, atom: int, key: Any) -> None:
        """State that an exponential is positive, how it is related to others, and its form with a
        simpler exponent.
        """
        self.emit(steps, "exp", self.data(dict(key)))
        simple = self.simplified(steps, dict(key))
        gap = self.k.terms.add(dict(key), simple, -1)
        if gap:
            ref = self.shown(steps, Rel(gap, "=="))
            if ref is not None:
                sides = self.tree(dict(key)), self.tree(simple)
                last = self.emit(steps, "equal", ["exp", ["var", "x"]], "x", *sides, ref)
                self.rewrites.append((last, atom, 1))

    def _axiom_log(self, steps: Steps, atom: int, key: Any) -> None:
        """State what is known of a logarithm of something positive, and take it apart.

        Nothing is known of a logarithm whose argument was not shown to be positive: the kernel's functions are total,
        and it could be anything there.
        """
        base = dict(key)
        ref = self.shown(steps, Rel(base, ">"))
        if ref is None and not self.k.evident(Rel(base, ">")):
            return
        last = self.emit(steps, "log", self.data(base), ref)
        # exp(log x) becomes x wherever it occurs: without it the atom would be a stranger to x.
        exponential = next(iter(self.k.terms.apply("exp", {((atom, 1),): 1})))
        self.rewrites.append((last, exponential[0][0], 1))
        self.product(steps, atom, base)

    def _axiom_pow(self, steps: Steps, atom: int, base: Any, exponent: Any) -> None:
        """State what is known of a power with a variable exponent and a positive base."""
        ref = self.shown(steps, Rel(dict(base), ">"))
        if ref is not None or self.k.evident(Rel(dict(base), ">")):
            last = self.emit(steps, "pow", self.data(dict(base)), self.data(dict(exponent)), ref)
            self.rewrites.append((last - 1, atom, 1))

    def _axiom_max(self, steps: Steps, atom: int, *keys: Any) -> None:
        """State that a maximum is one of its members and at least each."""
        self.emit(steps, "max", [self.data(dict(k)) for k in keys])

    def _axiom_gamma(self, steps: Steps, atom: int, key: Any) -> None:
        """State the recurrence of the gamma function at an argument and one below it."""
        # The argument of one gamma is often that of another one plus 1: both neighbours tie them together.
        for shift in (0, 1):
            x = self.k.terms.add(dict(key), {ONE: 1}, -shift)
            ref = self.shown(steps, Rel(x, ">"))
            if ref is not None or self.k.evident(Rel(x, ">")):
                self.emit(steps, "gamma", self.data(x), ref)

    # ---------------------------------------------------------------------------------------------- logarithms

    def product(self, steps: Steps, atom: int, base: Poly) -> None:
        """Take a logarithm of a product apart, factor by factor.

        The logarithm of a product is the sum of those of its positive factors, of numerator and denominator. Nothing is
        stated where a factor was not shown to be positive: log(x y) has a value for two negative numbers, and log x has
        none.
        """
        if not self.k.terms.apply("log", base):
            return
        self.log_of_atom(steps, base)
        factors, equation = self.factors(steps, base)
        if factors is None or (len(factors) == 1 and factors[0][1] == 1 and factors[0][0] == base):
            return
        refs = []
        for factor, exponent in factors:
            ref = self.shown(steps, Rel(factor, ">"))
            if ref is None and not self.k.evident(Rel(factor, ">")):
                return
            refs.append([exponent, self.data(factor), ref])
        # The rule asks for the sign of the whole as well as for those of the factors.
        own = self.known(Rel(base, ">"))
        if own is None and not self.k.evident(Rel(base, ">")):
            return
        last = self.emit(steps, "log_product", [[-1, self.data(base), own], *refs], equation)
        self.rewrites.append((last, atom, 1))
        for factor, _ in factors:
            self.log_of_atom(steps, factor)

    def log_of_atom(self, steps: Steps, factor: Poly) -> None:
        """State the logarithm of an exponential or of a root.

        Args:
            factor: The argument of the logarithm; nothing is done unless it is a single atom, to the power 1.
        """
        if len(factor) != 1:
            return
        ((monomial, c),) = factor.items()
        if c != 1 or len(monomial) != 1 or monomial[0][1] != 1:
            return
        name, *arguments = self.k.terms.atoms[monomial[0][0]]
        single = next(iter(self.k.terms.apply("log", factor)))[0][0]
        if name == "exp":
            last = self.emit(steps, "log_exp", self.data(dict(arguments[0])))
            self.rewrites.append((last, single, 1))
        elif name == "root":
            base = dict(arguments[1])
            gap = self.k.terms.add(self.k.terms.power(factor, arguments[0]), base, -1)
            # r^n = x is what `_axiom_root` has stated, unless the sign of x was not known there.
            ref, same = self.shown(steps, Rel(base, ">")), self.known(Rel(gap, "=="))
            if same is None or (arguments[0] % 2 == 0 and not self.k.evident(Rel(factor, ">"))):
                return
            if ref is not None or self.k.evident(Rel(base, ">")):
                own = self.shown(steps, Rel(factor, ">"))
                factors = [[-arguments[0], self.data(factor), own], [1, self.data(base), ref]]
                last = self.emit(steps, "log_product", factors, same)
                self.rewrites.append((last, single, 1))
                self.product(steps, next(iter(self.k.terms.apply("log", base)))[0][0], base)

    # ---------------------------------------------------------------------------------------------- quotients

    def quotient_of(self, steps: Steps, poly: Poly) -> tuple[Poly, Poly] | None:
        """Return numerator and denominator, simplified and without common factors; None where a sign is not known.

        Args:
            steps: The proof so far, for signs that are shown on the way.
            poly: A polynomial with reciprocals.

        Returns:
            Two polynomials without reciprocals and without negative exponents. That their quotient is the given one
            holds where the denominators are not 0, and is proved by whoever uses it.
        """
        top, bottom = poly, {ONE: 1}
        for _ in range(40):
            inverse = self.outermost(top)
            if inverse is None:
                break
            q = self.argument(inverse)
            ref = self.sign(steps, q)
            if ref is None:
                return None
            top = self.k.cleared(Rel(top, "=="), self.data(q), ref)[1]
            bottom = self.k.terms.multiply(bottom, q)
        # With the rules applied first, more of numerator and denominator is found to be common.
        top, bottom = self.rewrite(top)[0], self.rewrite(bottom)[0]
        negative = dict(self.negative(top))
        for atom, exponent in self.negative(bottom):
            negative[atom] = max(negative.get(atom, 0), exponent)
        # An exponential with a negative exponent is a reciprocal as well.
        if negative:
            power = {tuple(sorted(negative.items())): 1}
            top, bottom = self.k.terms.multiply(top, power), self.k.terms.multiply(bottom, power)
        ring, atoms = ring_of([top, bottom])
        if ring is not None and bottom.keys() - {ONE} and top:
            common = element(ring, atoms, top).gcd(element(ring, atoms, bottom))
            top = polynomial(atoms, element(ring, atoms, top) // common)
            bottom = polynomial(atoms, element(ring, atoms, bottom) // common)
        return top, bottom

    def simplified(self, steps: Steps, poly: Poly) -> Poly:
        """Return an equal polynomial with denominators put together, factor by factor.

        It is a proposal, as everything here is: `_axiom_exp` proves the equation before it uses it.
        """
        found = self.quotient_of(steps, poly)
        if found is None:
            return poly
        result = found[0]
        for factor, exponent in factored(found[1]):
            result = self.k.terms.multiply(result, self.k.terms.power(self.k.terms.inverse(factor), exponent))
        leading = self.leading(found[1])
        return {m: Fraction(c) * leading for m, c in result.items()} if leading < 0 else result

    def leading(self, poly: Poly) -> int:
        """Return the sign that the factors of a polynomial leave out: 1 or -1."""
        product: Poly = {ONE: 1}
        for factor, exponent in factored(poly):
            product = self.k.terms.multiply(product, self.k.terms.power(factor, exponent))
        return 1 if product == {m: Fraction(c) for m, c in poly.items()} else -1

    def factors(self, steps: Steps, base: Poly) -> tuple[list[tuple[Poly, int]] | None, int | None]:
        """Return irreducible positive factors of numerator and denominator, and the equation that says so.

        Args:
            base: A polynomial with reciprocals, positive where it stands.

        Returns:
            Factors with exponents, negative ones from the denominator; None where that is not shown. Then the number of
            the equation, None where both sides are one polynomial and the kernel sees it by itself.
        """
        quotient = self.quotient_of(steps, base)
        if quotient is None:
            return None, None
        found: dict[Any, int] = {}
        for poly, direction in ((quotient[0], 1), (quotient[1], -1)):
            for factor, exponent in factored(poly):
                found[self.k.terms.key(factor)] = found.get(self.k.terms.key(factor), 0) + direction * exponent
        factors = []
        for key, exponent in found.items():
            factor = dict(key)
            if not exponent:
                continue
            if self.shown(steps, Rel(factor, ">")) is None and not self.k.evident(Rel(factor, ">")):
                # A negative factor comes with another one, and the kernel takes logarithms of positive ones alone.
                factor = self.k.terms.add({}, factor, -1)
            factors.append((factor, exponent))
        left, right = base, {ONE: 1}
        for factor, exponent in factors:
            power = self.k.terms.power(factor, abs(exponent))
            if exponent < 0:
                left = self.k.terms.multiply(left, power)
            else:
                right = self.k.terms.multiply(right, power)
        gap = self.k.terms.add(left, right, -1)
        if not gap:
            return factors, None
        ref = self.shown(steps, Rel(gap, "=="))
        return (factors, ref) if ref is not None else (None, None)
