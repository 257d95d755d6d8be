"""The commands `account`, `calibrate` and `floor`, for the relative Gaussian mechanism.

`account` and `calibrate` are groups with a command for each mechanism; those of DP-SGD are in `dp_sgd`, those of plans
and of other noise in `plans`. Each command does the same steps in the same order: check the files to write, check the
numbers with nothing heavy loaded, compute, write the files, print. So whatever is wrong with a question is said at
once.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.accounts.options import (
    NUMBER,
    STOPPED,
    asked_options,
    checked_certificate,
    checked_svg,
    dimension_option,
    end_without_bound,
    eta_option,
    explain_option,
    methods_option,
    options,
    plot_option,
    r_rel_option,
    schema_option,
    steps_option,
    target_options,
    write_certificate,
    write_svg,
)
from rgm_verify.cli.common import certificate_option, errors, json_option, patience

# The mechanism of the paper that this library accompanies.
_USUAL = "rgm"
PLAN = "plan"


class Mechanisms(click.Group):
    """Commands by the name of a mechanism; without one of the names the relative Gaussian mechanism is meant.

    So `account --eta ...` is `account rgm --eta ...`, and `account FILE` is `account plan FILE`. Another word
    is refused with the names that there are.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the usual name before options that come without one, and that of plans before a file.

        A call for help without a name is about all of them: whoever asks does not know the names yet.

        Args:
            args: The words behind the name of the group.
        """
        if args and (args[0] in self.commands or args[0] in ctx.help_option_names):
            return super().parse_args(ctx, args)
        if not args or args[0].startswith("-"):
            return super().parse_args(ctx, [_USUAL, *args])
        # A word with a dot or a slash is meant as a file, also where there is none: the plan command then names it.
        if PLAN in self.commands and (re.search(r"[./\\]", args[0]) or Path(args[0]).exists()):
            return super().parse_args(ctx, [PLAN, *args])
        raise click.UsageError(f"no such mechanism `{args[0]}`; {self._choices(args[0])}", ctx)

    def _choices(self, word: str) -> str:
        """Return the names that there are, the nearest first."""
        near = difflib.get_close_matches(word.lower().replace("_", "-"), self.commands, n=1, cutoff=0.6)
        meant = f"did you mean `{near[0]}`? " if near else ""
        return f"{meant}there are {', '.join(sorted(self.commands))}"


@click.group("account", cls=Mechanisms, short_help="Say how private releases are.")
def account_command() -> None:
    """Say how private releases are: of one kind, or of a plan in a file (`account FILE`).

    Options without a name are those of the relative Gaussian mechanism. `rgm-verify account rgm --help` shows them,
    `rgm-verify account dp-sgd --help` those of DP-SGD, and so on.

    \b
    rgm-verify account plan.json
    rgm-verify account --eta 1/1000 --gamma 1/10000 --d 10 --delta 1e-8
    rgm-verify account dp-sgd --sampler poisson --noise-multiplier 1 --sampling-rate 1/100 --steps 1000 --delta 1e-6
    """  # noqa: D301 - click wants the character itself


@account_command.command(_USUAL, short_help="Releases of the relative Gaussian mechanism.")
@options(
    eta_option,
    click.option("--gamma", required=True, **NUMBER, help="Noise ratio: the variance is gamma |R|^2 + sigma2."),
    dimension_option,
    asked_options,
    r_rel_option,
    click.option("--sigma2", default="0", show_default=True, **NUMBER, help="Baseline variance per coordinate."),
    steps_option,
    methods_option,
    explain_option,
    json_option,
    schema_option("Account"),
    certificate_option,
    plot_option,
    click.option(
        "--over",
        type=click.Choice(["curve", "steps"]),
        help="Curve to draw: epsilon against delta, or growth with the steps (for several steps only).",
    ),
)
def account_rgm(
    as_json: bool, explain: bool, certificate: Path | None, plot: Path | None, over: str | None, **inputs: Any
) -> None:
    """Say how private releases are: epsilon or delta as a certified interval, beside what printed bounds say.

    This is the relative Gaussian mechanism. `rgm-verify account dp-sgd --help` is about DP-SGD.

    Numbers are decimals or fractions and are taken exactly. Give --delta to get epsilon, --epsilon to get delta. The
    interval is rounded outward: its upper end is safe to rely on.

    \b
    rgm-verify account --eta 1/1000 --gamma 1/10000 --d 10 --delta 1e-8
    """  # noqa: D301 - click wants the character itself before lines that stand as they are
    with errors(interrupted=STOPPED):
        file, proof = checked_svg(plot), checked_certificate(certificate)
        from rgm_verify.cli.accounts.planned import check_relative

        # With numbers alone: nothing that composes is loaded for a slip of the pen.
        check_relative(**inputs)
        from rgm_verify.cli.accounts import answers, questions

        # Once more and in full: what `check_relative` does not see is refused here.
        question = questions.AccountQuestion.of(**inputs)
        with patience("composing"):
            answer = question.answer()
        shown = answers.as_json(answer) if as_json else answers.account_text(answer, explain=explain)
        end_without_bound(answer.quantity, answer.lower, answer.upper, shown)
        if proof is not None:
            from rgm_verify.cli.accounts.certificates import of_account

            write_certificate(proof, of_account(question, answer))
        # The picture asks many questions more, and comes after the certificate, which one answer needs.
        if file is not None:
            from rgm_verify.cli.accounts.pictures import account_picture

            write_svg(file, account_picture(question, over or ("steps" if question.steps > 1 else "curve")))
        click.echo(shown)


@click.group("calibrate", cls=Mechanisms, short_help="Find the least noise for a target.")
def calibrate_command() -> None:
    """Find the least noise, the most releases or the largest rate for a target.

    Options without a name are those of the relative Gaussian mechanism. `rgm-verify calibrate rgm --help` shows them,
    `rgm-verify calibrate dp-sgd --help` those of DP-SGD, and so on.

    \b
    rgm-verify calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 10
    """  # noqa: D301 - click wants the character itself


@calibrate_command.command(_USUAL, short_help="Noise of the relative Gaussian mechanism.")
@options(
    target_options,
    eta_option,
    dimension_option,
    r_rel_option,
    steps_option,
    methods_option,
    json_option,
    schema_option("Calibrated"),
    certificate_option,
    plot_option,
)
def calibrate_rgm(as_json: bool, certificate: Path | None, plot: Path | None, **inputs: Any) -> None:
    """Find the least noise ratio gamma for a target (epsilon, delta), certified to reach it.

    This is the relative Gaussian mechanism. `rgm-verify calibrate dp-sgd --help` is about DP-SGD.

    With --r-rel the baseline variance goes with it, and the trade-off between the two is listed. A target out of reach
    of every gamma is refused with the floor that stands in its way.

    \b
    rgm-verify calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 10
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        # Before minutes of search end in a folder that does not exist.
        file, proof = checked_svg(plot), checked_certificate(certificate)
        from rgm_verify.cli.accounts.planned import check_target

        # A target out of reach is another matter: it is only found out by computing the floor.
        check_target(**inputs)
        from rgm_verify.cli.accounts import answers, questions

        question = questions.CalibrateQuestion(**inputs)
        with patience("looking for the least noise"):
            found = question.calibration()
            # Also without a picture: the text lists them.
            trades = question.trades(found)
        if proof is not None:
            from rgm_verify.cli.accounts.certificates import of_calibration

            write_certificate(proof, of_calibration(found))
        if file is not None:
            from rgm_verify.cli.accounts.pictures import calibrate_picture

            write_svg(file, calibrate_picture(question, found, trades))
        answer = questions.calibrated(found, trades, question.methods)
        click.echo(answers.as_json(answer) if as_json else answers.calibrated_text(answer))


@click.command("floor", short_help="Show the best privacy that any gamma can reach.")
@options(
    eta_option,
    dimension_option,
    steps_option,
    asked_options,
    json_option,
    schema_option("FloorAnswer"),
)
def floor_command(as_json: bool, **inputs: Any) -> None:
    """Show the best privacy that any gamma can reach: delta at an epsilon, or epsilon at a delta.

    \b
    rgm-verify floor --eta 1/100 --d 10 --epsilon 1/20
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        from rgm_verify.cli.accounts import answers
        from rgm_verify.cli.accounts.planned import floor_answer

        answer = floor_answer(**inputs)
        click.echo(answers.as_json(answer) if as_json else answers.floor_text(answer))
