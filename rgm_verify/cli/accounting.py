"""The commands on privacy numbers: account and calibrate, each for the relative Gaussian mechanism and for DP-SGD."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.common import errors, json_option

_METHODS = ("rdp", "envelope", "iteration")
_STOPPED = "nothing was written"
_USUAL = "rgm"

_number: dict[str, Any] = {"metavar": "NUMBER"}


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Apply click options in the order in which they are to be shown."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_eta = click.option("--eta", required=True, **_number, help="Relative sensitivity of the query.")
_dimension = click.option("--d", "dimension", required=True, metavar="N", help="Dimension of the query.")
_r_rel = click.option("--r-rel", default="0", show_default=True, **_number, help="Absolute part of the sensitivity.")
_steps = click.option(
    "--steps", default="1", show_default=True, metavar="T", help="Number of releases, chosen adaptively."
)
_methods = click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(_METHODS),
    help="Upper bound for several releases; may be repeated. Slower and tighter from left to right.",
)
_plot = click.option("--plot", type=click.Path(path_type=Path), metavar="FILE.svg", help="Draw the curves around it.")


def _print_schema(name: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            from rgm_verify.cli import answers

            click.echo(json.dumps(answers.schema(getattr(answers, name)), indent=1))
            context.exit()

    return show


def _schema(name: str) -> Callable[[Any], Any]:
    return click.option(
        "--json-schema",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_schema(name),
        help="Describe the output of --json, as a JSON schema.",
    )


class Mechanisms(click.Group):
    """Commands by the name of a mechanism; without one of the names the relative Gaussian mechanism is meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the usual name before options that come without one."""
        return super().parse_args(ctx, args if args and args[0] in self.commands else [_USUAL, *args])


# ------------------------------------------------------------------------------------------------------------ account


@click.group("account", cls=Mechanisms, short_help="Say how private releases are.", add_help_option=False)
def account_command() -> None:
    """Say how private releases are: `account rgm` (also without the name) and `account dp-sgd`."""


@account_command.command(_USUAL, short_help="Releases of the relative Gaussian mechanism.")
@_options(
    _eta,
    click.option("--gamma", required=True, **_number, help="Noise ratio: the variance is gamma |R|^2 + sigma2."),
    _dimension,
    click.option("--delta", **_number, help="Ask for epsilon at this delta."),
    click.option("--epsilon", **_number, help="Ask for delta at this epsilon."),
    _r_rel,
    click.option("--sigma2", default="0", show_default=True, **_number, help="Baseline variance per coordinate."),
    _steps,
    _methods,
    json_option,
    _schema("Account"),
    _plot,
    click.option(
        "--over",
        type=click.Choice(["curve", "steps"]),
        help="Curve to draw: epsilon against delta, or growth with the steps (for several steps only).",
    ),
)
def account_rgm(as_json: bool, plot: Path | None, over: str | None, **inputs: Any) -> None:
    """Say how private releases are: epsilon or delta as a certified interval, beside what printed bounds say.

    This is the relative Gaussian mechanism. `rgm-verify account dp-sgd --help` is about DP-SGD.

    Numbers are decimals or fractions and are taken exactly. Give --delta to get epsilon, --epsilon to get delta. The
    interval is rounded outward: its upper end is safe to rely on.

    \b
    rgm-verify account --eta 1/1000 --gamma 1/10000 --d 10 --delta 1e-8
    """  # noqa: D301 - click wants the character itself before lines that stand as they are
    with errors(interrupted=_STOPPED):
        file = checked_svg(plot)
        from rgm_verify.cli import answers, questions

        question = questions.AccountQuestion.of(**inputs)
        answer = question.answer()
        if file is not None:
            from rgm_verify.cli.pictures import account_picture

            write_svg(file, account_picture(question, over or ("steps" if question.steps > 1 else "curve")))
        click.echo(answers.as_json(answer) if as_json else answers.account_text(answer))


# ---------------------------------------------------------------------------------------------------------- calibrate


@click.group("calibrate", cls=Mechanisms, short_help="Find the least noise for a target.", add_help_option=False)
def calibrate_command() -> None:
    """Find the least noise for a target: `calibrate rgm` (also without the name) and `calibrate dp-sgd`."""


@calibrate_command.command(_USUAL, short_help="Noise of the relative Gaussian mechanism.")
@_options(
    click.option("--epsilon", required=True, **_number, help="The privacy to reach, in nats."),
    click.option("--delta", required=True, **_number, help="The probability with which it may fail."),
    _eta,
    _dimension,
    _r_rel,
    _steps,
    _methods,
    json_option,
    _schema("Calibrated"),
    _plot,
)
def calibrate_rgm(as_json: bool, plot: Path | None, **inputs: Any) -> None:
    """Find the least noise ratio gamma for a target (epsilon, delta), certified to reach it.

    This is the relative Gaussian mechanism. `rgm-verify calibrate dp-sgd --help` is about DP-SGD.

    With --r-rel the baseline variance goes with it, and the trade-off between the two is listed. A target out of reach
    of every gamma is refused with the floor that stands in its way.

    \b
    rgm-verify calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 10
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        file = checked_svg(plot)
        from rgm_verify.cli import answers, questions

        question = questions.CalibrateQuestion(**inputs)
        found = question.calibration()
        trades = question.trades(found)
        if file is not None:
            from rgm_verify.cli.pictures import calibrate_picture

            write_svg(file, calibrate_picture(question, found, trades))
        answer = questions.calibrated(found, trades, question.methods)
        click.echo(answers.as_json(answer) if as_json else answers.calibrated_text(answer))


# -------------------------------------------------------------------------------------------------------------- dp-sgd

_sampling = _options(
    click.option("--sampling-rate", required=True, **_number, help="Share of the records in a batch, in (0, 1]."),
    click.option("--steps", required=True, metavar="T", help="Number of steps."),
    click.option(
        "--sampler",
        default="poisson",
        show_default=True,
        metavar="NAME",
        help="poisson: every record joins on its own. fixed-batch: batches of one size, without replacement.",
    ),
    click.option(
        "--adjacency",
        metavar="NAME",
        help="Neighbours: add-or-remove-one, add-one or remove-one for poisson, replace-one for fixed-batch.",
    ),
)


@account_command.command("dp-sgd", short_help="Gaussian noise on clipped sums over random batches.")
@_options(
    click.option("--noise-multiplier", required=True, **_number, help="Deviation of the noise over the clipping norm."),
    _sampling,
    click.option("--delta", **_number, help="Ask for epsilon at this delta."),
    click.option("--epsilon", **_number, help="Ask for delta at this epsilon."),
    click.option("--width", default="1/1000", show_default=True, **_number, help="Relative width to reach."),
    click.option("--time-limit", metavar="SECONDS", help="Give the interval that was reached by then."),
    json_option,
    _schema("SampledAccount"),
)
def account_dp_sgd(as_json: bool, **inputs: Any) -> None:
    """Say how private DP-SGD is: epsilon or delta as a certified interval, as narrow as asked for.

    Records are clipped to one norm; the sum over a random batch gets Gaussian noise in every coordinate. Which sampler
    and which neighbours do you have? If every record joins a batch on its own, with one probability: `poisson`, and
    neighbours differ by one record more or less. If all batches of one size are as likely: `fixed-batch`, and one
    record is replaced. A loader that shuffles the data and goes through it is neither, and accounts by Poisson sampling
    guarantee nothing for it: take `fixed-batch` at rate 1, with one step for an epoch.

    \b
    rgm-verify account dp-sgd --noise-multiplier 1 --sampling-rate 1/100 --steps 1000 --delta 1e-6
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        from rgm_verify.cli import answers
        from rgm_verify.cli.sampled import SampledQuestion

        question = SampledQuestion.of(**inputs)
        answer = question.answer(lambda line: click.echo(line, err=True))
        click.echo(answers.as_json(answer) if as_json else answers.sampled_text(answer))


@calibrate_command.command("dp-sgd", short_help="Noise multiplier of DP-SGD.")
@_options(
    click.option("--epsilon", required=True, **_number, help="The privacy to reach, in nats."),
    click.option("--delta", required=True, **_number, help="The probability with which it may fail."),
    _sampling,
    click.option("--tolerance", default="1/1000", show_default=True, **_number, help="Relative tolerance."),
    json_option,
    _schema("SampledCalibrated"),
)
def calibrate_dp_sgd(as_json: bool, **inputs: Any) -> None:
    """Find the least noise multiplier of DP-SGD for a target (epsilon, delta), certified to reach it.

    \b
    rgm-verify calibrate dp-sgd --epsilon 2 --delta 1e-6 --sampling-rate 1/100 --steps 1000
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        from rgm_verify.cli import answers
        from rgm_verify.cli.sampled import calibrated

        answer = calibrated(**inputs)
        click.echo(answers.as_json(answer) if as_json else answers.sampled_calibrated_text(answer))


# --------------------------------------------------------------------------------------------------------------- files


def checked_svg(path: Path | None) -> Path | None:
    """Return the path of a picture that can be written, before any work is done for it."""
    import os

    from rgm_verify.errors import reject

    if path is None:
        return None
    if path.suffix != ".svg":
        raise reject("--plot", str(path), "pictures are SVG files: give a name that ends in .svg")
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise reject("--plot", str(path), "must be a file in a folder that exists and that you may write to")
    return path


def write_svg(path: Path, text: str) -> None:
    """Write a picture as a whole or not at all."""
    from rgm_verify.jobs.files import write_atomically

    write_atomically(path, text.encode())
    click.echo(f"picture: {path}", err=True)
