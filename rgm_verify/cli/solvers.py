"""`python -m rgm_verify.cli.solvers`: z3 and cvc5 on every proof of a folder by real arithmetic, side by side.

It checks this library and no claim: each question of a lens is put to both solvers, and the texts for the second one
are written by other code. A disagreement is a fault to be found before any verdict is believed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rgm_verify.cli.common import EXIT_DIFFERENT, errors

if TYPE_CHECKING:
    from rgm_verify.engine.solvers import Comparison


@click.command()
@click.argument("ids", nargs=-1)
@click.option("--claims", type=click.Path(path_type=Path), help="The folder of claims; the paper's own by default.")
@click.option("--profile", type=click.Choice(["quick", "full"]), default="quick", help="How hard z3 looks.")
@click.option("--work", type=click.IntRange(min=1), help="The limit on cvc5's count of resources for one question.")
@click.option("--seconds", type=click.IntRange(min=1), help="The clock for all questions of a statement, each way.")
def main(ids: tuple[str, ...], claims: Path | None, profile: str, work: int | None, seconds: int | None) -> None:
    """Print how many of z3's answers cvc5 agrees with and leaves open; fail on a disagreement."""
    with errors():
        from rgm_verify.cli.judging.folders import default_claims
        from rgm_verify.engine.discovery import load
        from rgm_verify.engine.solvers import compare
        from rgm_verify.errors import InputError
        from rgm_verify.lenses.base import PROFILES
        from rgm_verify.lenses.solvers.second_solver import SECONDS, WORK, Cvc5, installed

        # Nothing compared must not look like nothing found.
        if not installed():
            raise InputError(
                "cvc5: it is not installed, and there is nothing to compare; pip install 'rgm-verify[cvc5]'"
            )
        paper = load(claims or default_claims())
        solver = Cvc5(work or WORK, seconds or SECONDS)
        found = compare(paper, paper.select(ids), profile=PROFILES[profile], solver=solver, progress=_progress)
    for line in found.disagreements:
        click.echo(line)
    if found.open_claims:
        click.echo("open: " + ", ".join(found.open_claims))
    click.echo(str(found))
    sys.exit(EXIT_DIFFERENT if found.disagreements else 0)


def _progress(claim_id: str, found: Comparison) -> None:
    """Say now and then how far it is, on standard error."""
    # A line for each of a thousand claims would hide a disagreement.
    if found.claims % 25 == 0:
        click.echo(f"{claim_id}: {found}", err=True)


if __name__ == "__main__":
    main()
