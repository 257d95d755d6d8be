"""The lens of a stranger's claim: proofs by the rules of a calculus course, searched for without being
asked.

Nobody names a start, an order or a substitution. The lens moves the claim to the reals (`Case`),
shows that both sides are real numbers wherever the hypotheses hold, and hands the difference of the
sides to a search (`Prover`) with a budget of goals and operations, which is deterministic. Equations
go by algebra or a derivative that vanishes; integers by induction, remainders, or zeros between
which no integer lies.

The rules are sound one by one: floats choose among them and rule out, and every sign that a proof
rests on comes from Arb, z3 or algebra. What the search does not reach says nothing of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import ClassVar, TypeAlias

import sympy

from rgm_verify.balls.binding import BINDING, evaluated
from rgm_verify.claims.claim import Claim, Hypothesis, Variable, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import All, Formula, FormulaError, Iff, Implies, Relation, relations
from rgm_verify.lenses.algebra.equations import conjuncts
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown
from rgm_verify.lenses.analysis.asymptotics.kernels import split_logarithms
from rgm_verify.lenses.analysis.existence import sign_change
from rgm_verify.lenses.analysis.goals import narrowed
from rgm_verify.lenses.analysis.identities import identical
from rgm_verify.lenses.analysis.induction import by_induction
from rgm_verify.lenses.analysis.integers import among_integers
from rgm_verify.lenses.analysis.integrals import by_bounds, by_derivative
from rgm_verify.lenses.analysis.pieces import Rules, nowhere
from rgm_verify.lenses.analysis.rules.distances import ordered_integers
from rgm_verify.lenses.analysis.rules.exponentiated import without_logarithms
from rgm_verify.lenses.analysis.rules.known_integrals import known_integral
from rgm_verify.lenses.analysis.rules.known_sums import binomial_bounds, binomial_theorem, folded
from rgm_verify.lenses.analysis.rules.monotone import by_arguments
from rgm_verify.lenses.analysis.rules.series import by_sums, closed_form, has_terms_of_one_sign
from rgm_verify.lenses.analysis.rules.whole import at_residues, without_rounding
from rgm_verify.lenses.analysis.search import Domain, Goal, Prover
from rgm_verify.lenses.base import Context, Lens, rational
from rgm_verify.lenses.solvers.definedness import Need, Unknown, evident, needs, parts

#: A relation with the relations that imply it.
Wanted: TypeAlias = "tuple[tuple[Relation, ...], Relation]"
#: What SymPy raises where it cannot work with an expression.
# A search over many forms meets every corner of SymPy. Any of these ends one attempt, and an attempt
# that ends proves nothing.
_GIVES_UP = (
    sympy.polys.polyerrors.BasePolynomialError, NotImplementedError, ZeroDivisionError, NotKnown, StopIteration,
    RecursionError, FormulaError, ValueError, TypeError, AttributeError, OverflowError,
)  # fmt: skip
_SHOWN = 3
#: Longer statements about integers go to induction at once.
_SHORT = 40
#: What SymPy gives as the value of a sum or a product, and no rule knows.
_UNTOLD = (sympy.Piecewise, sympy.lerchphi, sympy.hyper, sympy.meijerg)
#: What an author can do where the search stops.
_HELP = (
    "look for a proof of small steps (rgm-verify prove ID), prove the open step as a claim of its own and deduce this "
    "one (Deduction), name the start and the order of a way (Monotone), or certify it on a bounded box with what both "
    "sides have in common divided out (Region)"
)
_HELP_DEFINED = "add the hypothesis or the end of a domain that makes the term a real number"


@dataclass(frozen=True)
class Analysis(Lens):
    """Search for a proof by the rules of a calculus course.

    Values where a way starts and signs of slopes on the way, signs of functions of one variable, cases, logarithms of
    both sides, induction, and equations by algebra or by a derivative that vanishes. For an existence claim it looks
    for a change of sign, or shows the opposite everywhere.

    Proves: relations, or conjunctions of them, at every admissible point; bounded or not, with open
    ends, with integers. Refutes: an existence claim whose opposite holds everywhere. Gives nothing for
    implications and alternatives.
    """

    name: ClassVar[str] = "analysis"
    grants: ClassVar[frozenset[Kind]] = frozenset({Kind.SYMBOLIC_PROOF, Kind.EXACT_WITNESS, Kind.NOTE})

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        """Prove the claim, or refute an existence claim; a failure names what was open last.

        Args:
            claim: The claim or a control of it.
            context: Not used: the search has a budget of its own.

        Returns:
            One piece of evidence; none for a claim without a conclusion.
        """
        if claim.conclusion is None:
            return []
        wanted = list(_wanted(claim.conclusion))
        if None in wanted:
            return [self.undecided(("sympy",), "the conclusion is neither relations nor implications between them")]
        try:
            return self.searched(claim, [w for w in wanted if w is not None])
        except _GIVES_UP as error:
            return [self.undecided(("sympy",), f"{type(error).__name__}: {error}")]

    def searched(self, claim: Claim, wanted: list[Wanted]) -> list[Evidence]:
        """Look at the relations of the conclusion one after the other, each under what it is implied by.

        Every relation has to be defined wherever the claim speaks, those that imply another one included.

        Args:
            wanted: The relations, all of which have to be shown, each with those that imply it.

        Returns:
            One piece of evidence; the first relation that was not shown ends the search.
        """
        prover = Prover()
        case = Case.of(claim)
        if claim.quantifier == "exists":
            if any(given for given, _ in wanted):
                return [self.undecided(("sympy",), "an implication at one point")]
            return self.existing(claim, [relation for _, relation in wanted], case, prover)
        said = []
        for given, relation in wanted:
            # The rules differentiate and divide: each of them takes for granted that both sides are
            # real numbers.
            problem = next((p for r in (*given, relation) if (p := case.undefined(r, prover))), "")
            if problem:
                return [self.undecided(("sympy", "z3"), problem, help=_HELP_DEFINED)]
            under = claim
            if given:
                implied = tuple(Hypothesis(f"implied by, {i}", r) for i, r in enumerate(given))
                under = replace(claim, hypotheses=(*claim.hypotheses, *implied), mutants=(), sampling=None)
            how = Case.of(under).show(under, relation, prover)
            if not how and (turned := without_logarithms(under)) is not None:
                again = Prover()
                how = Case.of(turned).show(turned, relation, again)
                prover.log += again.log
            if not how:
                return [self.open(prover, claim)]
            said.append(how)
        details = {"proof": prover.log[-40:], **({"boxes": prover.boxes} if prover.boxes else {})}
        families = ("sympy", "z3", "arb") if claim.variables else ("sympy",)
        summary = "; ".join(dict.fromkeys(said))
        return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, families, summary, details=details)]

    def existing(self, claim: Claim, wanted: list[Relation], case: Case, prover: Prover) -> list[Evidence]:
        """Show that a point exists by a change of sign, or that none does.

        Args:
            claim: A claim that something exists.
            wanted: Its relations, which have to hold at one point.
            case: The claim over the reals.
            prover: The search.
        """
        relation = wanted[0]
        if len(wanted) == 1 and relation.op == "==" and len(claim.variables) == 1 and not claim.hypotheses:
            found = sign_change(relation, claim.variables[0])
            if found is not None:
                summary = f"its difference changes sign between {found[0]} and {found[1]}, and is continuous there"
                return [
                    self.evidence(Kind.EXACT_WITNESS, Finding.SUPPORTS, ("arb", "mpmath"), summary, details={
                        "between": [str(found[0]), str(found[1])]})
                ]  # fmt: skip
        logs: list[list[str]] = []

        def show(there: Claim, opposite: Relation) -> str:
            # Each piece has a budget of its own, as the number of pieces has a bound.
            own = prover if there.hypotheses == claim.hypotheses else Prover()
            how = Case.of(there).show(there, opposite, own)
            logs.extend([own.log] if how else [])
            return how

        rules = Rules(met=lambda there, need: Case.of(there)._met(need, Prover()), show=show)
        said = nowhere(claim, tuple(wanted), rules)
        if said is not None:
            summary = f"no point does it: {'; '.join(said) or 'its terms have values at no point'}"
            details = {"proof": [step for log in logs for step in log][-40:]}
            families = ("sympy", "z3", "arb")
            return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.REFUTES, families, summary, details=details)]
        problem = next((p for r in wanted if (p := case.undefined(r, prover))), "")
        if problem:
            return [self.undecided(("sympy", "z3"), problem)]
        return [self.open(prover, claim)]

    def open(self, prover: Prover, claim: Claim) -> Evidence:
        """The part that was not shown: the simplest of the goals that every rule failed at.

        Args:
            prover: The search with the goals that it left.
            claim: The claim, whose variables the goals may count from another place.
        """
        left = sorted(dict.fromkeys(prover.open), key=len)[:_SHOWN]
        text = "; ".join(left) or "no rule applies"
        if left:
            text += _counted([v for v in claim.variables if any(v.symbol.name in step for step in left)])
        spent = "" if prover.goals > 0 and prover.effort > 0 else " before the search had cost what it may"
        return self.undecided(("sympy", "z3", "arb"), f"no proof was found{spent}: {text}", open=left, help=_HELP)


def _counted(variables: list[Variable]) -> str:
    """Say which variables a goal counts from an end of their range; empty where it takes them as they are."""
    up = [f"{v.symbol.name} - {v.lower}" for v in variables if v.lower]
    down = [f"{v.upper} - {v.symbol.name}" for v in variables if v.lower is None and v.upper is not None]
    names = [v.symbol.name for v in variables if v.lower] + [
        v.symbol.name for v in variables if v.lower is None and v.upper is not None
    ]
    pairs = ", ".join(f"{name} for {value}" for name, value in zip(names, [*up, *down], strict=True))
    return f" (written with {pairs})" if pairs else ""


@dataclass(frozen=True)
class Case:
    """A claim over the reals: its domain, and what its own variables are in the variables of that domain.

    Attributes:
        domain: Ranges that begin at 0 where they have an end, and what else is assumed.
        reals: For each variable of the claim an expression in the variables of the domain.


    """

    # Frozen: the search keys what it knows by the domain.
    domain: Domain
    reals: dict[sympy.Symbol, sympy.Expr]

    @classmethod
    def of(cls, claim: Claim) -> Case:
        """The claim's domain with integers among the reals, ranges moved to 0, and linear equations solved.

        Every step keeps each admissible point of the claim, so that what is shown on the domain holds
        for the claim: integers become reals, an equation that cannot be solved is left out.
        """
        variables, values = [], {}
        for v in claim.variables:
            made, value = _moved(v)
            variables.append(made)
            values[v.symbol] = value
        extra: list[Relation] = []
        domain = Domain(tuple(variables))
        solved: dict[sympy.Symbol, sympy.Expr] = {}
        for relation in (r for h in claim.hypotheses for r in conjuncts(h.formula)):
            lhs, rhs = (_apart(evaluated(s).xreplace(values).xreplace(solved)) for s in (relation.lhs, relation.rhs))
            # A solver of inequalities gets on better with one variable less than with an equation more.
            if relation.op == "==":
                found = _solved(sympy.expand(lhs - rhs), [v.symbol for v in domain.variables])
                if found is not None:
                    symbol, value = found
                    old = next(v for v in domain.variables if v.symbol == symbol)
                    solved = {s: e.xreplace({symbol: value}) for s, e in solved.items()} | {symbol: value}
                    extra = [Relation(r.lhs.xreplace(solved), r.op, r.rhs.xreplace(solved)) for r in extra]
                    # The solved variable is gone, and its range is a condition on the others now.
                    extra += [Relation(value, r.op, r.rhs) for r in old.domain()]
                    domain = Domain(tuple(v for v in domain.variables if v.symbol != symbol))
                continue
            extra.append(by_arguments(Relation(lhs, relation.op, rhs)))
        values = {s: sympy.sympify(e).xreplace(solved) for s, e in values.items()}
        return cls(narrowed(replace(domain, extra=tuple(extra))), values)

    def placed(self, e: sympy.Expr) -> sympy.Expr:
        """An expression of the claim in the variables of the domain.

        Args:
            e: An expression in the claim's variables.
        """
        return _with_values(e).xreplace(self.reals)

    def undefined(self, relation: Relation, prover: Prover) -> str:
        """The first term of a relation that was not shown to be defined; empty if all were.

        Args:
            relation: A relation of the claim.
            prover: The search that shows what the terms need.
        """
        sides = [relation.lhs, relation.rhs]
        nodes = list(dict.fromkeys(n for s in sides for n in parts(s)))
        # Arguments come before what stands around them, so that what a term needs is itself known to be
        # defined.
        for node in nodes:
            if all(self._met(need, prover) for need in needs(node)):
                continue
            integral = isinstance(node, sympy.Integral) and self.placed(node)
            if not isinstance(integral, sympy.Integral) or not prover.integrable(integral, self.domain):
                return f"could not show that a term is defined: {node}"
        return ""

    def _met(self, need: Need, prover: Prover) -> bool:
        """Return whether a condition in the claim's variables was shown, both of its sides included."""
        if isinstance(need, Unknown):
            return False
        if evident(need):
            return True
        moved = Relation(self.placed(need.lhs), need.op, self.placed(need.rhs))
        known = all(prover.defined(s, self.domain) for s in (moved.lhs, moved.rhs))
        if isinstance(moved.gap, sympy.Sum) and moved.op in (">=", ">") and moved.rhs == 0:
            return has_terms_of_one_sign(moved.gap, moved.strict, self.domain, prover)
        return known and (evident(moved) or prover.met(moved, self.domain))

    def show(self, claim: Claim, relation: Relation, prover: Prover) -> str:
        """Say how a relation was shown that is defined on the domain; empty if it was not.

        Args:
            claim: The claim, for its integers and hypotheses.
            relation: A relation that is defined on the domain.
            prover: The search.
        """
        sides = (self._with_whole_rows(folded(side), prover) for side in (relation.lhs, relation.rhs))
        relation = Relation(next(sides), relation.op, next(sides))
        if relation.gap.has(sympy.floor, sympy.ceiling) and self._at_whole_numbers(relation, prover):
            return f"without floors and ceilings of whole numbers; {_by_calculus(prover)}"
        gap = self._with_known_integrals(_by_sine_and_cosine(self.placed(relation.gap)), prover)
        if relation.op == "==":
            way = identical(gap, self.domain, prover) if prover.defined(gap, self.domain) else ""
            return (
                way
                or by_induction(claim, relation, self.domain, self.reals, prover)
                or self._by_telescoping(gap, prover)
            )
        plain = not gap.has(sympy.Sum, sympy.Product, sympy.Integral)
        whole = any(v.integer for v in claim.variables)
        if relation.op == "!=":
            for sign in (1, -1) if plain else ():
                if prover.prove(Goal(sign * gap, True, self.domain)):
                    return f"one side is always the larger one, by calculus ({len(prover.log)} steps)"
            return among_integers(claim, relation) if whole else ""
        # As it is written: SymPy has functions of its own for the beginning of a binomial sum.
        if relation.gap.has(sympy.Sum) and (how := self._by_binomial_sums(relation, prover)):
            return how
        # Over the integers the claim may be false in between, where calculus would spend its whole
        # budget in vain.
        if whole and (how := self._over_integers(claim, relation, gap, prover)):
            return how
        if gap.has(sympy.Sum) and (how := by_sums(gap, relation.strict, self.domain, prover)):
            return how
        for rule in (by_derivative, by_bounds) if gap.has(sympy.Integral) else ():
            if how := rule(gap, relation.strict, self.domain, prover):
                return how
        if plain and prover.prove(Goal(gap, relation.strict, self.domain)):
            return _by_calculus(prover)
        return ""

    def _at_whole_numbers(self, relation: Relation, prover: Prover) -> bool:
        """Return whether a relation was shown with the arguments of floors and ceilings in their places.

        Here, and not in the search, symbols for integers are still some. An equation is two inequalities.
        """
        if relation.op == "!=":
            return False
        goals = []
        for sign in (1, -1) if relation.op == "==" else (1,):
            # Residues first: they lose nothing that an integer knows.
            if (cases := at_residues(sign * relation.gap)) is not None:
                goals += [(case, relation.strict) for case in cases]
            elif (found := without_rounding(sign * relation.gap, strict=relation.strict)) is not None:
                goals.append(found)
            else:
                return False
        return all(
            prover.briefly(partial(prover.prove, Goal(self.placed(value), strict, self.domain), 1))
            for value, strict in goals
        )

    def _over_integers(self, claim: Claim, relation: Relation, gap: sympy.Expr, prover: Prover) -> str:
        """Say how an inequality was shown for a claim with integers; empty if it was not."""
        # A first look is for short statements: the others seldom have a short proof, and take long over it.
        short = sympy.count_ops(gap) <= _SHORT
        plain = short and not gap.has(sympy.Sum, sympy.Product, sympy.Integral)
        goal = Goal(gap, relation.strict, self.domain)
        if plain and prover.briefly(lambda: prover.prove(goal, 1)):
            return _by_calculus(prover)
        # An integer above -1 is at least 0.
        whole = relation.gap.is_integer and not relation.gap.is_polynomial() and not relation.strict
        if plain and whole and prover.briefly(lambda: prover.prove(Goal(gap + 1, True, self.domain), 1)):
            return f"an integer above -1; {_by_calculus(prover)}"
        summed = short and gap.has(sympy.Sum)
        if summed and (how := prover.briefly(lambda: by_sums(gap, relation.strict, self.domain, prover))):
            return how
        how = by_induction(claim, relation, self.domain, self.reals, prover) or among_integers(claim, relation)
        return how or self._by_distances(claim, relation, prover)

    def _with_whole_rows(self, side: sympy.Expr, prover: Prover) -> sympy.Expr:
        """Return a side of the claim with the values of its whole rows of binomial coefficients."""
        values = {}
        for node in sorted(side.atoms(sympy.Sum), key=sympy.default_sort_key):
            found = binomial_theorem(node)
            if found is not None and all(self._met(need, prover) for need in found[1]):
                values[node] = found[0]
        return side.xreplace(values) if values else side

    def _with_known_integrals(self, gap: sympy.Expr, prover: Prover) -> sympy.Expr:
        """Return an expression with the values of the integrals that a theorem of a textbook gives."""
        values = {}
        for node in sorted(gap.atoms(sympy.Integral), key=str):
            found = known_integral(node, lambda r: prover.holds(r, self.domain))
            if found is not None and prover.defined(found[0], self.domain):
                values[node] = found[0]
        return gap.xreplace(values)

    def _by_binomial_sums(self, relation: Relation, prover: Prover) -> str:
        """Say how a relation was shown with an upper bound in the place of a sum of binomial coefficients."""
        name = sympy.Dummy("sum", real=True)
        for node in sorted(relation.gap.atoms(sympy.Sum), key=sympy.default_sort_key):
            share = self.placed(relation.gap.xreplace({node: name}).diff(name))
            if share.has(name, sympy.Sum) or prover.sign(share, self.domain) not in (-1, -2):
                continue
            for bound, conditions in binomial_bounds(node):
                if not all(
                    prover.holds(Relation(self.placed(c.lhs), c.op, self.placed(c.rhs)), self.domain)
                    for c in conditions
                ):
                    continue
                rest = self.placed(relation.gap.xreplace({node: bound}))
                if not rest.has(sympy.Sum, sympy.Product) and prover.prove(Goal(rest, relation.strict, self.domain)):
                    return f"{node} <= {bound}, by the binomial theorem"
        return ""

    def _by_distances(self, claim: Claim, relation: Relation, prover: Prover) -> str:
        """Say how a relation was shown by induction over the distance of two ordered integers; empty if it was not."""
        for moved, after, symbol, value in ordered_integers(claim, relation):
            case = Case.of(moved)
            how = by_induction(moved, after, case.domain, case.reals, prover)
            if how:
                return f"with {symbol} = {value}, {how}"
        return ""

    def _by_telescoping(self, gap: sympy.Expr, prover: Prover) -> str:
        """Say that an equation holds with its sums in closed form; empty if that was not shown."""
        values = {n: closed_form(n, self.domain, prover) for n in sorted(gap.atoms(sympy.Sum), key=str)}
        if not values or None in values.values():
            return ""
        found = identical(gap.xreplace(values), self.domain, prover)
        return f"by telescoping sums; {found}" if found else ""


def _by_calculus(prover: Prover) -> str:
    """Say that a search ended with a proof."""
    return f"by calculus: {prover.log[-1] if prover.log else 'by its form'} ({len(prover.log)} steps)"


def _with_values(e: sympy.Expr) -> sympy.Expr:
    """Return an expression with SymPy's values of its sums and products, but for values that no rule knows.

    Such a value has several cases, or a special function; the sum itself may have a closed form on the domain, or lie
    below an integral.
    """
    found = evaluated(e)
    if not found.has(*_UNTOLD):
        return found
    # What binds a variable stays whole: a part of it may speak of that variable.
    return e if isinstance(e, BINDING) else e.func(*(_with_values(a) for a in e.args))


def _apart(e: sympy.Expr) -> sympy.Expr:
    """Return an assumption's side with logarithms of products as sums, where the form tells that factors are positive.

    Goals have their logarithms taken apart as well, so that both speak of the same terms.
    """
    return split_logarithms(e, lambda f: f.is_positive is True) if e.has(sympy.log) else e


def _by_sine_and_cosine(e: sympy.Expr) -> sympy.Expr:
    """Return an expression with quotients of circular functions as such: the rules know signs of quotients.

    Both are defined at the same points, which is shown of the functions before their signs are asked for.
    """
    return e.replace(
        lambda inner: isinstance(inner, sympy.tan | sympy.cot | sympy.sec | sympy.csc),
        lambda inner: inner.rewrite(sympy.cos) if isinstance(inner, sympy.sec) else _quotient(inner),
    )


def _quotient(e: sympy.Expr) -> sympy.Expr:
    """Return a tangent, a cotangent or a cosecant by sine and cosine of its argument."""
    sine, cosine = sympy.sin(e.args[0]), sympy.cos(e.args[0])
    return sine / cosine if isinstance(e, sympy.tan) else cosine / sine if isinstance(e, sympy.cot) else 1 / sine


def _wanted(formula: Formula) -> Iterator[Wanted | None]:
    """The relations that a formula asserts, each with the relations that imply it; None for another form."""
    match formula:
        case Relation():
            yield (), formula
        case All(parts):
            for part in parts:
                yield from _wanted(part)
        case Implies(left, right):
            yield from _implied(left, right)
        case Iff(left, right):
            yield from _implied(left, right)
            yield from _implied(right, left)
        case _:
            yield None


def _implied(left: Formula, right: Formula) -> Iterator[Wanted | None]:
    given = tuple(conjuncts(left))
    if not isinstance(left, Relation | All) or len(given) < len(list(relations(left))):
        yield None
        return
    for found in _wanted(right):
        yield None if found is None else ((*given, *found[0]), found[1])


def _moved(v: Variable) -> tuple[Variable, sympy.Expr]:
    """A real variable whose range begins at 0 where it has an end, and the variable of the claim in it.

    SymPy knows the sign of a variable that begins at 0, and simplifies by it.
    """
    name = v.symbol.name
    if v.lower is not None:
        upper = None if v.upper is None else v.upper - v.lower
        made = real(
            name, lower=Fraction(0), upper=upper, lower_open=v.lower_open, upper_open=v.upper_open and upper is not None
        )
        return made, rational(v.lower) + made.symbol
    if v.upper is not None:
        made = real(name, lower=Fraction(0), lower_open=v.upper_open)
        return made, rational(v.upper) - made.symbol
    made = real(name)
    return made, made.symbol


def _solved(gap: sympy.Expr, symbols: list[sympy.Symbol]) -> tuple[sympy.Symbol, sympy.Expr] | None:
    """A variable that an equation determines: it occurs to the first degree, with a number as its factor.

    A number as its factor never vanishes, so that no solution is lost or gained.
    """
    for symbol in reversed(symbols):
        slope = gap.diff(symbol)
        if slope.is_Rational and slope != 0:
            return symbol, sympy.expand(-(gap.xreplace({symbol: sympy.S.Zero})) / slope)
    return None
