"""Two solvers side by side: the proofs of a folder that rest on real arithmetic, each question asked of both.

Two solvers share no translation, so that an agreement checks both the answer and the text that was
asked. It is a check of this library and not of the claims: a disagreement means that a proof here is
worth nothing until it is understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import PROOFS
from rgm_verify.claims.formula import FormulaError
from rgm_verify.engine.discovery import Paper
from rgm_verify.engine.judge import portfolio
from rgm_verify.engine.keys import SEED
from rgm_verify.lenses import Deduction, Monotone, Smt
from rgm_verify.lenses.base import Context, Lens, Profile
from rgm_verify.lenses.solvers.second_solver import FAMILY, Disagreement, Opinion, SecondSolver

#: The lenses whose proofs stand on z3.
ASKING = (Smt, Deduction, Monotone)


@dataclass
class _Listening(Context):
    """A context that keeps the opinions that lenses ask for."""

    opinions: list[Opinion] = field(default_factory=list)

    def opinion(self, claim: Claim) -> Opinion:
        """Return a new opinion, which is kept for counting."""
        self.opinions.append(super().opinion(claim))
        return self.opinions[-1]


@dataclass
class Comparison:
    """The comparison of two solvers on a folder: how many of z3's answers the second one agrees with and leaves open.

    `disagreements` tells each question on which they disagree, `open_claims` names the claims with open questions, and
    `confirmed` of `proofs` proofs are both solvers' altogether.

    Attributes:
        claims: Claims with a lens that asks z3.
        proofs: Proofs that rest on z3.
        confirmed: Those of them that both solvers have.
        agree: Answers on which both agree.
        open: Answers that the second one leaves open.
        open_claims: Ids with such answers.
        disagreements: A message for each.
    """

    claims: int = 0
    proofs: int = 0
    confirmed: int = 0
    agree: int = 0
    open: int = 0
    open_claims: list[str] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        answers = f"agrees with {self.agree}, leaves {self.open} open, disagrees with {len(self.disagreements)}"
        proofs = f"{self.confirmed} of {self.proofs} proofs are both solvers'"
        return f"{self.claims} claims: of z3's answers the second solver {answers}; {proofs}"


def compare(
    paper: Paper,
    ids: Sequence[str],
    *,
    profile: Profile,
    solver: SecondSolver,
    progress: Callable[[str, Comparison], None] = lambda _, __: None,
) -> Comparison:
    """Ask both solvers about the claims `ids`, without points, searches and controls.

    A claim with a disagreement is told and left; the others go on. `progress` is called after each claim with its id
    and what has come out so far.

    Args:
        paper: The claims.
        ids: The claims to ask about.
        profile: The effort.
        solver: The second solver.
        progress: A function that is told of each claim.
    """
    found, asking = Comparison(), replace(profile, second_solver=True)
    for claim_id in ids:
        claim = paper.claims[claim_id]
        # The same lenses as in a run, so that what is compared is what proofs rest on.
        lenses = [lens for lens in portfolio(claim) if isinstance(lens, ASKING)]
        if lenses:
            found.claims += 1
            for lens in lenses:
                _ask(lens, claim, _Listening(asking, SEED, paper.claims, second=solver), found)
            progress(claim_id, found)
    return found


def _ask(lens: Lens, claim: Claim, context: _Listening, found: Comparison) -> None:
    """Run one lens and add what was heard to the comparison."""
    try:
        proofs = [e for e in lens.run(claim, context) if e.kind in PROOFS]
    # The first disagreement ends the claim and not the comparison: all of them are wanted.
    except Disagreement as error:
        found.disagreements.append(str(error))
        proofs = []
    except (FormulaError, NotImplementedError):  # the lens cannot read a term, and asks nothing
        proofs = []
    heard = context.opinions
    unanswered = sum(opinion.unanswered for opinion in heard)
    found.agree += sum(opinion.agreed for opinion in heard)
    found.open += unanswered
    found.open_claims += [claim.id] if unanswered and claim.id not in found.open_claims else []
    found.proofs += bool(proofs)
    found.confirmed += bool(proofs) and any(FAMILY in e.families for e in proofs)
