"""Guesses by z3: whether a relation follows from facts as polynomials over atoms, which are free numbers for it.

A "no" saves an attempt; nothing that z3 says is part of a proof.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import z3

from rgm_verify.kernel.terms import Formula, Poly
from rgm_verify.prover.budget import PATIENCE, Budget, TooSlow
from rgm_verify.prover.polynomials import HIGHEST

__all__ = ["follows"]


def follows(facts: Iterable[Formula], negated: Formula, budget: Budget, work: int) -> bool | None:
    """Return whether facts contradict the negation of a goal; None where z3 does not know.

    Args:
        negated: The negated goal, a relation.
        work: The most units of work.

    Raises:
        TooSlow: Where z3 does not end although its steps are few.
    """
    # A context of its own: the answer must not depend on the questions before.
    context = z3.Context()
    reals: dict[int, Any] = {}

    def term(poly: Poly) -> Any:
        parts = []
        for m, c in poly.items():
            value = Fraction(c)
            factors = [z3.RealVal(f"{value.numerator}/{value.denominator}", context)]
            for atom, exponent in m:
                if atom not in reals:
                    reals[atom] = z3.Real(f"a{atom}", context)
                factors += [reals[atom]] * abs(exponent) if exponent > 0 else [1 / reals[atom]] * abs(exponent)
            parts.append(z3.Product(factors))
            budget.factors(len(factors))
        return z3.Sum(parts) if parts else z3.RealVal(0, context)

    compare = {">=": lambda t: t >= 0, ">": lambda t: t > 0, "==": lambda t: t == 0, "!=": lambda t: t != 0}
    solver = z3.Tactic("qfnra-nlsat", ctx=context).solver()
    solver.set("rlimit", budget.z3_steps(work))
    # Far above what its steps take: a guard against steps that do not end, and no answer depends on it.
    solver.set("timeout", 1000 * PATIENCE)
    for _, poly, op in (f for f in facts if f[0] == "rel"):
        # Long facts slow z3 down more than they help a guess.
        if len(poly) <= 60 and all(abs(exponent) <= HIGHEST for monomial in poly for _, exponent in monomial):
            solver.add(compare[op](term(poly)))
    solver.add(compare[negated[2]](term(negated[1])))
    answer = solver.check()
    if answer == z3.unknown and solver.reason_unknown() == "timeout":
        raise TooSlow(f"out of time: z3 took more than {PATIENCE} s for a question of few steps")
    budget.question(next((count for name, count in solver.statistics() if name == "rlimit count"), 0))
    return True if answer == z3.unsat else False if answer == z3.sat else None
