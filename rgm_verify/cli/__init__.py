"""The command line, `rgm-verify`: the one room that prints.

`judging` has the commands on claims and statements, `accounts` those on privacy numbers. `audit` runs a user's
mechanism, `experiment` the experiments of the paper.

Modules here load the library inside of functions: `--help` and a wrong option are answered at once. Standard output
holds answers alone; exit codes are in `common`.
"""

from __future__ import annotations

import click

from rgm_verify import __version__
from rgm_verify.cli import audit, experiment
from rgm_verify.cli.accounts import (
    accounting,
    dp_sgd,  # noqa: F401 - adds its commands to `account` and `calibrate`, as `plans` does
    plans,  # noqa: F401
)
from rgm_verify.cli.judging import check, claims, drafting, proofs, replaying, reporting, showing


# Other libraries write options with underscores: --noise_multiplier is --noise-multiplier.
@click.group(
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda word: word.replace("_", "-"),
    }
)
@click.version_option(__version__, prog_name="rgm-verify")
def main() -> None:
    """Check every claim of a theory paper, and account for the privacy of the mechanism that it is about.

    A claim is proved, certified, refuted by an exact witness, or left undecided; a privacy number is an interval.

    \b
    rgm-verify check "x + 1/x >= 2 for x > 0"     judge a statement of your own

    \b
    rgm-verify run                     judge all claims, write reports/
    rgm-verify run 'rgm-v2:*'          judge some
    rgm-verify show rgm-v2:theorem-1   one claim with its evidence
    rgm-verify open                    the report in a browser, also where nothing was run yet
    rgm-verify run --claims FOLDER     the same for claims of your own
    rgm-verify new paper.tex --into FOLDER    a folder of drafts from the source of a paper
    rgm-verify prove ID                look for a proof that the kernel checks
    rgm-verify prove --coq FOLDER      the kept proofs as theorems, checked by Coq

    \b
    rgm-verify account --eta 1/1000 --gamma 1/10000 --d 10 --delta 1e-8     how private a release is
    rgm-verify calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 10       how much noise a target needs

    \b
    rgm-verify experiment figure-1 --synthetic                              the paper's first figure, a quick look

    Exit codes: 0 fine; 1 a verdict differs from the expected one, or a certificate or claim is rejected, or a
    task of an experiment failed, or claims were not finished; 2 bad input, or an item of a folder that was refused (the
    others are judged); 130 interrupted (what was finished is kept).
    """  # noqa: D301 - click wants the character itself before lines that stand as they are


for _command in (
    check.check_command,
    drafting.new_command,
    claims.list_command,
    claims.run_command,
    showing.show_command,
    reporting.report_command,
    reporting.open_command,
    replaying.replay_command,
    proofs.prove_command,
    accounting.account_command,
    accounting.calibrate_command,
    accounting.floor_command,
    audit.audit_command,
    experiment.experiment_command,
):
    main.add_command(_command)
