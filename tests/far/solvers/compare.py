"""z3 and cvc5 on every proof of a folder by real arithmetic, side by side: `nox -s solvers`.

It checks the library and no claim: what a lens asks z3 is put to cvc5 as well, in texts that are written by other code.
A disagreement is a fault to be found before any verdict is believed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import PROOFS
from rgm_verify.claims.formula import FormulaError
from rgm_verify.cli.judging.folders import default_claims
from rgm_verify.engine.discovery import Paper, load
from rgm_verify.engine.judge import portfolio
from rgm_verify.engine.keys import SEED
from rgm_verify.lenses import Deduction, Monotone, Smt
from rgm_verify.lenses.base import PROFILES, Context, Lens, Profile
from rgm_verify.lenses.solvers.smt import listening

from .second_solver import SECONDS, WORK, Cvc5, Disagreement, Opinion, SecondSolver, installed

#: The lenses whose proofs stand on z3.
ASKING = (Smt, Deduction, Monotone)


@dataclass
class Comparison:
    """How many of z3's answers the second solver agrees with and leaves open, and which it contradicts."""

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


def compare(paper: Paper, ids: Sequence[str], *, profile: Profile, solver: SecondSolver) -> Comparison:
    """Ask both solvers about claims, without points, searches and controls; after a disagreement the others go on."""
    found = Comparison()
    for claim_id in ids:
        claim = paper.claims[claim_id]
        # The same lenses as in a run, so that what is compared is what proofs rest on.
        lenses = [lens for lens in portfolio(claim) if isinstance(lens, ASKING)]
        for lens in lenses:
            _ask(lens, claim, Context(profile, SEED, paper.claims), solver, found)
        found.claims += bool(lenses)
        # A line for each of a thousand claims would hide a disagreement.
        if lenses and found.claims % 25 == 0:
            click.echo(f"{claim_id}: {found}", err=True)
    return found


def _ask(lens: Lens, claim: Claim, context: Context, solver: SecondSolver, found: Comparison) -> None:
    """Run one lens and add what was heard to the comparison."""
    opinion = Opinion(claim.id, solver)
    proofs = []
    try:
        with listening(opinion.hear):
            proofs = [e for e in lens.run(claim, context) if e.kind in PROOFS]
    # The first disagreement ends the claim and not the comparison: all of them are wanted.
    except Disagreement as error:
        found.disagreements.append(str(error))
    except (FormulaError, NotImplementedError):  # the lens cannot read a term, and asks nothing
        pass
    found.agree += opinion.agreed
    found.open += opinion.unanswered
    found.open_claims += [claim.id] if opinion.unanswered and claim.id not in found.open_claims else []
    found.proofs += bool(proofs)
    found.confirmed += bool(proofs) and opinion.agreed > 0 and not opinion.unanswered


@click.command()
@click.argument("ids", nargs=-1)
@click.option("--claims", type=click.Path(path_type=Path), help="The folder of claims; the paper's own by default.")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", help="How hard z3 looks.")
@click.option("--work", type=click.IntRange(min=1), default=WORK, help="cvc5's resources for one question.")
@click.option("--seconds", type=click.IntRange(min=1), default=SECONDS, help="The clock of a statement, each way.")
def main(ids: tuple[str, ...], claims: Path | None, profile: str, work: int, seconds: int) -> None:
    """Print how many of z3's answers cvc5 agrees with and leaves open; fail on a disagreement."""
    # Nothing compared must not look like nothing found.
    if not installed():
        raise click.UsageError("cvc5 is not installed, and there is nothing to compare; pip install 'rgm-verify[cvc5]'")
    paper = load(claims or default_claims())
    found = compare(paper, paper.select(ids), profile=PROFILES[profile], solver=Cvc5(work, seconds))
    for line in found.disagreements:
        click.echo(line)
    if found.open_claims:
        click.echo("open: " + ", ".join(found.open_claims))
    click.echo(str(found))
    sys.exit(1 if found.disagreements else 0)


if __name__ == "__main__":
    main()
