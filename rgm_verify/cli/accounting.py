"""The commands on privacy numbers: account and calibrate, each for the relative Gaussian mechanism and for DP-SGD."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.common import certificate_option, errors, json_option, patience

_METHODS = ("rdp", "envelope", "iteration")
_STOPPED = "nothing was written"
_USUAL = "rgm"
_PLAN = "plan"

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


def _print_schema(*names: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            from rgm_verify.cli import answers

            click.echo(json.dumps(answers.schema(*(getattr(answers, name) for name in names)), indent=1))
            context.exit()

    return show


def _print_plan_schema(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from rgm_verify.accounting.plans.files import schema

        click.echo(json.dumps(schema(), indent=1))
        context.exit()


def _schema(*names: str) -> Callable[[Any], Any]:
    return click.option(
        "--json-schema",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_schema(*names),
        help="Describe the output of --json, as a JSON schema.",
    )


class Mechanisms(click.Group):
    """Commands by the name of a mechanism; without one of the names the relative Gaussian mechanism is meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the usual name before options that come without one, and that of plans before a file.

        A call for help without a name is about all of them: whoever asks does not know the names yet.
        """
        if args and (args[0] in self.commands or args[0] in ctx.help_option_names):
            return super().parse_args(ctx, args)
        is_file = bool(args) and not args[0].startswith("-")
        return super().parse_args(ctx, [_PLAN if is_file and _PLAN in self.commands else _USUAL, *args])


# ------------------------------------------------------------------------------------------------------------ account


@click.group("account", cls=Mechanisms, short_help="Say how private releases are.")
def account_command() -> None:
    """Say how private releases are: of one kind, or of a plan in a file (`account FILE`).

    Options without a name are those of the relative Gaussian mechanism. `rgm-verify account rgm --help` shows them,
    `rgm-verify account dp-sgd --help` those of DP-SGD, and so on.

    \b
    rgm-verify account plan.json
    rgm-verify account --eta 1/1000 --gamma 1/10000 --d 10 --delta 1e-8
    rgm-verify account dp-sgd --noise-multiplier 1 --sampling-rate 1/100 --steps 1000 --delta 1e-6
    """  # noqa: D301 - click wants the character itself


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
    certificate_option,
    _plot,
    click.option(
        "--over",
        type=click.Choice(["curve", "steps"]),
        help="Curve to draw: epsilon against delta, or growth with the steps (for several steps only).",
    ),
)
def account_rgm(as_json: bool, certificate: Path | None, plot: Path | None, over: str | None, **inputs: Any) -> None:
    """Say how private releases are: epsilon or delta as a certified interval, beside what printed bounds say.

    This is the relative Gaussian mechanism. `rgm-verify account dp-sgd --help` is about DP-SGD.

    Numbers are decimals or fractions and are taken exactly. Give --delta to get epsilon, --epsilon to get delta. The
    interval is rounded outward: its upper end is safe to rely on.

    \b
    rgm-verify account --eta 1/1000 --gamma 1/10000 --d 10 --delta 1e-8
    """  # noqa: D301 - click wants the character itself before lines that stand as they are
    with errors(interrupted=_STOPPED):
        file, proof = checked_svg(plot), checked_certificate(certificate)
        from rgm_verify.cli.planned import check_relative

        check_relative(**inputs)
        from rgm_verify.cli import answers, questions

        question = questions.AccountQuestion.of(**inputs)
        with patience("composing"):
            answer = question.answer()
        if proof is not None:
            from rgm_verify.cli.certificates import of_account

            write_certificate(proof, of_account(question, answer))
        if file is not None:
            from rgm_verify.cli.pictures import account_picture

            write_svg(file, account_picture(question, over or ("steps" if question.steps > 1 else "curve")))
        click.echo(answers.as_json(answer) if as_json else answers.account_text(answer))


# ---------------------------------------------------------------------------------------------------------- calibrate


@click.group("calibrate", cls=Mechanisms, short_help="Find the least noise for a target.")
def calibrate_command() -> None:
    """Find the least noise, the most releases or the largest rate for a target.

    Options without a name are those of the relative Gaussian mechanism. `rgm-verify calibrate rgm --help` shows them,
    `rgm-verify calibrate dp-sgd --help` those of DP-SGD, and so on.

    \b
    rgm-verify calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 10
    """  # noqa: D301 - click wants the character itself


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
    certificate_option,
    _plot,
)
def calibrate_rgm(as_json: bool, certificate: Path | None, plot: Path | None, **inputs: Any) -> None:
    """Find the least noise ratio gamma for a target (epsilon, delta), certified to reach it.

    This is the relative Gaussian mechanism. `rgm-verify calibrate dp-sgd --help` is about DP-SGD.

    With --r-rel the baseline variance goes with it, and the trade-off between the two is listed. A target out of reach
    of every gamma is refused with the floor that stands in its way.

    \b
    rgm-verify calibrate --epsilon 1 --delta 1e-8 --eta 1/1000 --d 10
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        file, proof = checked_svg(plot), checked_certificate(certificate)
        from rgm_verify.cli.planned import check_target

        check_target(**inputs)
        from rgm_verify.cli import answers, questions

        question = questions.CalibrateQuestion(**inputs)
        with patience("looking for the least noise"):
            found = question.calibration()
            trades = question.trades(found)
        if proof is not None:
            from rgm_verify.cli.certificates import of_calibration

            write_certificate(proof, of_calibration(found))
        if file is not None:
            from rgm_verify.cli.pictures import calibrate_picture

            write_svg(file, calibrate_picture(question, found, trades))
        answer = questions.calibrated(found, trades, question.methods)
        click.echo(answers.as_json(answer) if as_json else answers.calibrated_text(answer))


# -------------------------------------------------------------------------------------------------------------- dp-sgd

_asked = _options(
    click.option("--delta", **_number, help="Ask for epsilon at this delta."),
    click.option("--epsilon", **_number, help="Ask for delta at this epsilon."),
)
_reached = _options(
    click.option("--width", default="1/1000", show_default=True, **_number, help="Relative width to reach."),
    click.option("--time-limit", metavar="SECONDS", help="Give the interval that was reached by then."),
)

_tolerance = click.option("--tolerance", default="1/1000", show_default=True, **_number, help="Relative tolerance.")
_sampling = _options(
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


def _drawn(*kinds: str) -> Callable[[Any], Any]:
    """Return the options of a picture, with what may run along its axis; the first kind is the usual one."""
    return _options(
        _plot,
        click.option(
            "--over",
            type=click.Choice(kinds),
            default=kinds[0],
            show_default=True,
            help="What to draw: growth over the steps, epsilon against delta, or the errors of an attacker.",
        ),
    )


@account_command.command("dp-sgd", short_help="Gaussian noise on clipped sums over random batches.")
@_options(
    click.option(
        "--noise-multiplier",
        required=True,
        multiple=True,
        **_number,
        help="Deviation of the noise over the clipping norm.",
    ),
    click.option(
        "--sampling-rate", required=True, multiple=True, **_number, help="Share of the records in a batch, in (0, 1]."
    ),
    click.option(
        "--steps",
        required=True,
        multiple=True,
        metavar="T",
        help="Number of steps. Repeat it for several segments, with the other two once or as often.",
    ),
    _sampling,
    _asked,
    _reached,
    json_option,
    _schema("SampledAccount"),
    certificate_option,
    _drawn("steps", "curve", "trade-off"),
)
def account_dp_sgd(as_json: bool, certificate: Path | None, plot: Path | None, over: str, **inputs: Any) -> None:
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
        file, proof = checked_svg(plot), checked_certificate(certificate)
        from rgm_verify.cli import answers
        from rgm_verify.cli.sampled import SampledQuestion

        question = SampledQuestion.of(**inputs)
        with patience("composing"):
            answer = question.answer(_say)
        if proof is not None:
            from rgm_verify.cli.certificates import of_sampled_account

            write_certificate(proof, of_sampled_account(question, answer))
        if file is not None:
            from rgm_verify.cli.planned_pictures import run_picture

            asked = {"delta": question.delta, "epsilon": question.epsilon}
            with patience("drawing"):
                write_svg(file, run_picture(question.run, asked, over, question.inputs()))
        click.echo(answers.as_json(answer) if as_json else answers.sampled_text(answer))


@calibrate_command.command("dp-sgd", short_help="Noise multiplier, steps or rate of DP-SGD.")
@_options(
    click.option("--epsilon", required=True, **_number, help="The privacy to reach, in nats."),
    click.option("--delta", required=True, **_number, help="The probability with which it may fail."),
    click.option("--noise-multiplier", **_number, help="Deviation of the noise over the clipping norm."),
    click.option("--sampling-rate", **_number, help="Share of the records in a batch, in (0, 1]."),
    click.option("--steps", "count", metavar="T", help="Number of steps."),
    _sampling,
    _tolerance,
    json_option,
    _schema("SampledCalibrated", "SolvedAnswer"),
    certificate_option,
)
def calibrate_dp_sgd(as_json: bool, certificate: Path | None, **inputs: Any) -> None:
    """Find what is left out of noise multiplier, sampling rate and steps, for a target (epsilon, delta) of DP-SGD.

    The least noise, the largest rate or the most steps, certified to reach the target.

    \b
    rgm-verify calibrate dp-sgd --epsilon 2 --delta 1e-6 --sampling-rate 1/100 --steps 1000
    rgm-verify calibrate dp-sgd --epsilon 2 --delta 1e-6 --sampling-rate 1/100 --noise-multiplier 1
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        proof = checked_certificate(certificate)
        from rgm_verify.cli import answers

        noise, rate, count = (inputs.pop(name) for name in ("noise_multiplier", "sampling_rate", "count"))
        if noise is None and rate is not None and count is not None:
            from rgm_verify.cli.sampled import calibrated

            with patience("looking for the least noise"):
                answer = calibrated(sampling_rate=rate, steps=count, **inputs)
            if proof is not None:
                from rgm_verify.cli.certificates import of_sampled_calibration

                write_certificate(proof, of_sampled_calibration(answer))
            click.echo(answers.as_json(answer) if as_json else answers.sampled_calibrated_text(answer))
            return
        if proof is not None:
            from rgm_verify.errors import reject

            raise reject("--certificate", proof, "only the least noise has a certificate: leave out --noise-multiplier")
        fields = {"noise_multiplier": noise, "sampling_rate": rate, "count": count, "sampler": inputs.pop("sampler")}
        _solve("dp-sgd", as_json, inputs, fields, "noise_multiplier", "sampling_rate", "count")


_target = _options(
    click.option("--epsilon", required=True, **_number, help="The privacy to reach, in nats."),
    click.option("--delta", required=True, **_number, help="The probability with which it may fail."),
    click.option("--adjacency", metavar="NAME", help="Which data sets are neighbours; the sensitivity is for these."),
    _tolerance,
    json_option,
    _schema("SolvedAnswer"),
)


def _solve(kind: str, as_json: bool, inputs: dict[str, Any], fields: dict[str, str | None], *names: str) -> None:
    from rgm_verify.cli import answers
    from rgm_verify.cli.planned import solved

    with patience("looking for the value"):
        answer = solved(kind, fields, names, **inputs)
    click.echo(answers.as_json(answer) if as_json else answers.solved_text(answer))


@calibrate_command.command("gaussian", short_help="Noise or number of Gaussian releases.")
@_options(
    click.option("--noise-multiplier", **_number, help="Deviation of the noise over the Euclidean sensitivity."),
    click.option("--steps", "count", metavar="T", help="Number of releases."),
    _target,
)
def calibrate_gaussian(as_json: bool, noise_multiplier: str | None, count: str | None, **inputs: Any) -> None:
    """Find the least noise for a number of releases, or the most releases with a noise, whichever is left out.

    \b
    rgm-verify calibrate gaussian --epsilon 2 --delta 1e-6 --steps 10
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        fields = {"noise_multiplier": noise_multiplier, "count": count}
        _solve("gaussian", as_json, inputs, fields, "noise_multiplier", "count")


@calibrate_command.command("laplace", short_help="Scale or number of Laplace releases.")
@_options(
    click.option("--scale", **_number, help="Scale of the noise over the sensitivity."),
    click.option("--steps", "count", metavar="T", help="Number of releases."),
    _target,
)
def calibrate_laplace(as_json: bool, scale: str | None, count: str | None, **inputs: Any) -> None:
    """Find the least scale for a number of releases, or the most releases with a scale, whichever is left out.

    \b
    rgm-verify calibrate laplace --epsilon 2 --delta 1e-6 --steps 10
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        _solve("laplace", as_json, inputs, {"scale": scale, "count": count}, "scale", "count")


@calibrate_command.command("discrete-laplace", short_help="Scale or number of discrete Laplace releases.")
@_options(
    click.option("--scale", **_number, help="Masses are in proportion to exp(-|x|/scale)."),
    click.option("--sensitivity", default="1", show_default=True, metavar="N", help="Of the query."),
    click.option("--steps", "count", metavar="T", help="Number of releases."),
    _target,
)
def calibrate_discrete_laplace(as_json: bool, **inputs: Any) -> None:
    """Find the least scale for a number of releases, or the most releases with a scale, whichever is left out.

    \b
    rgm-verify calibrate discrete-laplace --epsilon 2 --delta 1e-6 --steps 10
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        fields = {name: inputs.pop(name) for name in ("scale", "sensitivity", "count")}
        _solve("discrete-laplace", as_json, inputs, fields, "scale", "count")


@calibrate_command.command("rgm-steps", short_help="Most releases of the relative Gaussian mechanism.")
@_options(
    _eta,
    click.option("--gamma", required=True, **_number, help="Noise ratio: the variance is gamma |R|^2 + sigma2."),
    _dimension,
    _r_rel,
    click.option("--sigma2", default="0", show_default=True, **_number, help="Baseline variance per coordinate."),
    _target,
)
def calibrate_rgm_steps(as_json: bool, dimension: str, **inputs: Any) -> None:
    """Find the most releases of the relative Gaussian mechanism for a target (epsilon, delta).

    \b
    rgm-verify calibrate rgm-steps --epsilon 2 --delta 1e-6 --eta 1/1000 --gamma 1/10000 --d 10
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        fields = {name: inputs.pop(name) for name in ("eta", "gamma", "r_rel", "sigma2")}
        _solve("rgm", as_json, inputs, {**fields, "d": dimension}, "count")


@click.command("floor", short_help="Say what no noise relative to the norm gets below.")
@_options(
    _eta,
    _dimension,
    _steps,
    _asked,
    json_option,
    _schema("FloorAnswer"),
)
def floor_command(as_json: bool, **inputs: Any) -> None:
    """Say what noise relative to the norm cannot get below, however large gamma is: delta at an epsilon, or the other.

    \b
    rgm-verify floor --eta 1/100 --d 10 --epsilon 1/20
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        from rgm_verify.cli import answers
        from rgm_verify.cli.planned import floor_answer

        answer = floor_answer(**inputs)
        click.echo(answers.as_json(answer) if as_json else answers.floor_text(answer))


# --------------------------------------------------------------------------------------------------- plans, other noise


def _say(line: str) -> None:
    click.echo(line, err=True)


@account_command.command(_PLAN, short_help="Releases of several kinds, as a file lists them: account FILE.")
@_options(
    click.argument("file", type=click.Path(path_type=Path)),
    _asked,
    _reached,
    click.option("--total", is_flag=True, help="The total only, not what each line costs alone."),
    json_option,
    _schema("PlanAccount"),
    click.option(
        "--plan-schema",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_plan_schema,
        help="Describe the files, as a JSON schema.",
    ),
    certificate_option,
    _drawn("steps", "curve", "trade-off"),
)
def account_plan(
    as_json: bool, certificate: Path | None, file: Path, plot: Path | None, over: str, **inputs: Any
) -> None:
    """Say how private all releases of a plan are together, what each line costs alone, and what a budget has left.

    FILE is JSON or TOML; --plan-schema describes it. Its parameters are fixed in advance, its queries may depend on all
    outputs before. --delta or --epsilon ask for something else than the file does.

    \b
    {"adjacency": "add-or-remove-one", "delta": "1e-6", "budget": 3, "releases": [
      {"mechanism": "gaussian", "noise_multiplier": 5, "count": 10},
      {"mechanism": "dp-sgd", "noise_multiplier": 1, "sampling_rate": "1/100", "count": 1000}]}
    """  # noqa: D301
    with errors(interrupted=_STOPPED):
        from rgm_verify.cli import answers
        from rgm_verify.cli.planned import PlanQuestion

        picture, proof = checked_svg(plot), checked_certificate(certificate)
        question = PlanQuestion.of_file(file, **inputs)
        if picture is not None and over == "trade-off":
            from rgm_verify.cli.planned_pictures import run_of

            run_of(question.plan)
        with patience("composing"):
            answer = question.answer(_say)
        if proof is not None:
            from rgm_verify.cli.certificates import of_plan

            write_certificate(proof, of_plan(question, answer))
        if picture is not None:
            from rgm_verify.cli.planned_pictures import plan_picture

            with patience("drawing"):
                write_svg(picture, plan_picture(question.plan, over, question.inputs))
        click.echo(answers.as_json(answer) if as_json else answers.plan_text(answer))


_releases = _options(
    click.option("--steps", "count", default="1", show_default=True, metavar="T", help="Number of such releases."),
    click.option("--group", default="1", show_default=True, metavar="K", help="Records that neighbours differ in."),
    click.option("--adjacency", metavar="NAME", help="Which data sets are neighbours; the sensitivity is for these."),
    _asked,
    _reached,
    json_option,
    _schema("PlanAccount"),
)


def _one_kind(kind: str, as_json: bool, inputs: dict[str, Any], *names: str) -> None:
    with errors(interrupted=_STOPPED):
        from rgm_verify.cli import answers
        from rgm_verify.cli.planned import PlanQuestion

        fields = {name: inputs.pop(name) for name in (*names, "count")}
        question = PlanQuestion.of_release(kind, fields, **inputs)
        with patience("composing"):
            answer = question.answer(_say)
        click.echo(answers.as_json(answer) if as_json else answers.plan_text(answer))


@account_command.command("gaussian", short_help="Gaussian noise, composed in closed form.")
@_options(
    click.option(
        "--noise-multiplier", required=True, **_number, help="Deviation of the noise over the Euclidean sensitivity."
    ),
    _releases,
)
def account_gaussian(as_json: bool, **inputs: Any) -> None:
    """Say how private releases with Gaussian noise are, composed in closed form.

    \b
    rgm-verify account gaussian --noise-multiplier 5 --steps 10 --delta 1e-6
    """  # noqa: D301
    _one_kind("gaussian", as_json, inputs, "noise_multiplier")


@account_command.command("laplace", short_help="Laplace noise on one number.")
@_options(
    click.option("--scale", required=True, **_number, help="Scale of the noise over the sensitivity."),
    _releases,
)
def account_laplace(as_json: bool, **inputs: Any) -> None:
    """Say how private releases of one number with Laplace noise are.

    \b
    rgm-verify account laplace --scale 10 --steps 100 --delta 1e-6
    """  # noqa: D301
    _one_kind("laplace", as_json, inputs, "scale")


_sensitivity = click.option("--sensitivity", default="1", show_default=True, metavar="N", help="Of the query.")


@account_command.command("discrete-gaussian", short_help="Discrete Gaussian noise on one integer.")
@_options(
    click.option("--sigma", required=True, **_number, help="Masses are in proportion to exp(-x^2/(2 sigma^2))."),
    _sensitivity,
    _releases,
)
def account_discrete_gaussian(as_json: bool, **inputs: Any) -> None:
    """Say how private releases of one integer with discrete Gaussian noise are.

    \b
    rgm-verify account discrete-gaussian --sigma 10 --steps 100 --delta 1e-6
    """  # noqa: D301
    _one_kind("discrete-gaussian", as_json, inputs, "sigma", "sensitivity")


@account_command.command("discrete-laplace", short_help="Discrete Laplace noise on one integer.")
@_options(
    click.option("--scale", required=True, **_number, help="Masses are in proportion to exp(-|x|/scale)."),
    _sensitivity,
    _releases,
)
def account_discrete_laplace(as_json: bool, **inputs: Any) -> None:
    """Say how private releases of one integer with discrete Laplace noise are.

    \b
    rgm-verify account discrete-laplace --scale 10 --steps 100 --delta 1e-6
    """  # noqa: D301
    _one_kind("discrete-laplace", as_json, inputs, "scale", "sensitivity")


@account_command.command("randomised-response", short_help="Answers that are true with some probability.")
@_options(
    click.option("--truth", **_number, help="Probability of the true answer."),
    click.option("--loss", "of_answer", **_number, help="Or: the epsilon of one answer, in nats."),
    click.option("--answers", default="2", show_default=True, metavar="N", help="Number of possible answers."),
    _releases,
)
def account_randomised_response(as_json: bool, of_answer: str | None, **inputs: Any) -> None:
    """Say how private answers by randomised response are, all of one record.

    \b
    rgm-verify account randomised-response --truth 3/4 --steps 10 --delta 1e-6
    """  # noqa: D301
    asked = inputs.pop("epsilon")
    with errors(interrupted=_STOPPED):
        from rgm_verify.cli import answers
        from rgm_verify.cli.planned import PlanQuestion

        fields = {"epsilon": of_answer, **{name: inputs.pop(name) for name in ("truth", "answers", "count")}}
        answer = PlanQuestion.of_release("randomised-response", fields, epsilon=asked, **inputs).answer(_say)
        click.echo(answers.as_json(answer) if as_json else answers.plan_text(answer))


# --------------------------------------------------------------------------------------------------------------- files


def checked_certificate(path: Path | None) -> Path | None:
    """Return the path of a certificate that can be written, before any work is done for it."""
    import os

    from rgm_verify.errors import reject

    if path is not None and (path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK)):
        raise reject("--certificate", str(path), "must be a file in a folder that exists and that you may write to")
    return path


def write_certificate(path: Path, data: dict[str, Any]) -> None:
    """Write a certificate as a whole or not at all, and say what it certifies."""
    from rgm_verify.jobs.files import write_atomically

    write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())
    text = f"certificate: {path}, {data['quantity']} in [{data['lower'] or 0}, {data['upper']}]"
    click.echo(f"{text}; `rgm-verify replay {path}` proves it again", err=True)


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
