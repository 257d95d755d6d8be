"""The commands on plans of releases, and on noise of one kind, which is a plan of one line.

Gaussian, Laplace, discrete noise and randomised response are accounted by the same code as a plan in a file, so that a
line of a plan and the command for its kind cannot disagree. Turned around, each kind looks for the one value that was
left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.accounts.accounting import PLAN, account_command, calibrate_command
from rgm_verify.cli.accounts.options import (
    NUMBER,
    STOPPED,
    asked_options,
    checked_certificate,
    checked_svg,
    dimension_option,
    drawn_options,
    end_without_bound,
    eta_option,
    explain_option,
    options,
    r_rel_option,
    reached_options,
    say_line,
    schema_option,
    target_options,
    tolerance_option,
    write_certificate,
    write_svg,
)
from rgm_verify.cli.common import certificate_option, errors, json_option, patience


def _print_plan_schema(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the JSON schema of the files that `account FILE` reads."""
    if wanted and not context.resilient_parsing:
        from rgm_verify.accounting.plans.files import schema

        click.echo(json.dumps(schema(), indent=1))
        context.exit()


@account_command.command(PLAN, short_help="Releases of several kinds, as a file lists them: account FILE.")
@options(
    click.argument("file", type=click.Path(path_type=Path)),
    asked_options,
    reached_options,
    click.option("--total", is_flag=True, help="The total only, not what each line costs alone."),
    explain_option,
    json_option,
    schema_option("PlanAccount"),
    click.option(
        "--plan-schema",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_plan_schema,
        help="Describe the files, as a JSON schema.",
    ),
    certificate_option,
    drawn_options("steps", "curve", "trade-off"),
)
def account_plan(
    as_json: bool, explain: bool, certificate: Path | None, file: Path, plot: Path | None, over: str, **inputs: Any
) -> None:
    """Say how private all releases of a plan are together, what each line costs alone, and what a budget has left.

    FILE is JSON or TOML; --plan-schema describes it. Its parameters are fixed in advance, its queries may depend on all
    outputs before. --delta or --epsilon ask for something else than the file does.

    \b
    {"adjacency": "add-or-remove-one", "delta": "1e-6", "budget": 3, "releases": [
      {"mechanism": "gaussian", "noise_multiplier": 5, "count": 10},
      {"mechanism": "dp-sgd", "sampler": "poisson", "noise_multiplier": 1, "sampling_rate": "1/100", "count": 1000}]}
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        from rgm_verify.cli.accounts import answers
        from rgm_verify.cli.accounts.planned import PlanQuestion

        picture, proof = checked_svg(plot), checked_certificate(certificate)
        # Reads and checks the whole file, so that its faults come with their lines before any account.
        question = PlanQuestion.of_file(file, **inputs)
        with patience("composing"):
            answer = question.answer(say_line)
        shown = answers.as_json(answer) if as_json else answers.plan_text(answer, explain=explain)
        end_without_bound(*answer.found, shown)
        if proof is not None:
            from rgm_verify.cli.accounts.certificates import of_plan

            write_certificate(proof, of_plan(question, answer))
        if picture is not None:
            from rgm_verify.accounting.plans.pictures import plan_picture

            with patience("drawing"):
                write_svg(picture, plan_picture(question.plan, over, question.inputs))
        click.echo(shown)


_releases = options(
    click.option("--steps", "count", default="1", show_default=True, metavar="T", help="Number of such releases."),
    click.option("--group", default="1", show_default=True, metavar="K", help="Records that neighbours differ in."),
    click.option("--adjacency", metavar="NAME", help="Which data sets are neighbours; the sensitivity is for these."),
    asked_options,
    reached_options,
    explain_option,
    json_option,
    schema_option("PlanAccount"),
    certificate_option,
)
_sensitivity = click.option("--sensitivity", default="1", show_default=True, metavar="N", help="Of the query.")


def _one_kind(kind: str, as_json: bool, inputs: dict[str, Any], fields: dict[str, str | None]) -> None:
    """Answer the account of releases of one kind, and print it.

    Args:
        kind: The name of the mechanism in plans.
        as_json: Whether the answer is for a program.
        inputs: The options that are about the question, as texts, and the file of a certificate.
        fields: Those that are parameters of the mechanism.
    """
    with errors(interrupted=STOPPED):
        from rgm_verify.cli.accounts import answers
        from rgm_verify.cli.accounts.planned import PlanQuestion

        proof, explain = checked_certificate(inputs.pop("certificate")), inputs.pop("explain")
        question = PlanQuestion.of_release(kind, fields, **inputs)
        with patience("composing"):
            answer = question.answer(say_line)
        shown = answers.as_json(answer) if as_json else answers.plan_text(answer, explain=explain)
        end_without_bound(*answer.found, shown)
        if proof is not None:
            from rgm_verify.cli.accounts.certificates import of_plan

            write_certificate(proof, of_plan(question, answer))
        click.echo(shown)


def _taken(inputs: dict[str, Any], *names: str) -> dict[str, str | None]:
    """Return the parameters of a mechanism by their names, and take them out of all options."""
    # What is left in `inputs` is about the question and not about the mechanism.
    return {name: inputs.pop(name) for name in (*names, "count")}


@account_command.command("gaussian", short_help="Gaussian noise, composed in closed form.")
@options(
    click.option(
        "--noise-multiplier", required=True, **NUMBER, help="Deviation of the noise over the Euclidean sensitivity."
    ),
    _releases,
)
def account_gaussian(as_json: bool, **inputs: Any) -> None:
    """Say how private releases with Gaussian noise are, composed in closed form.

    \b
    rgm-verify account gaussian --noise-multiplier 5 --steps 10 --delta 1e-6
    """  # noqa: D301
    _one_kind("gaussian", as_json, inputs, _taken(inputs, "noise_multiplier"))


@account_command.command("laplace", short_help="Laplace noise on one number.")
@options(
    click.option("--scale", required=True, **NUMBER, help="Scale of the noise over the sensitivity."),
    _releases,
)
def account_laplace(as_json: bool, **inputs: Any) -> None:
    """Say how private releases of one number with Laplace noise are; with --delta 0, which pure epsilon they have.

    \b
    rgm-verify account laplace --scale 10 --steps 100 --delta 1e-6
    """  # noqa: D301
    _one_kind("laplace", as_json, inputs, _taken(inputs, "scale"))


@account_command.command("discrete-gaussian", short_help="Discrete Gaussian noise on one integer.")
@options(
    click.option("--sigma", required=True, **NUMBER, help="Masses are in proportion to exp(-x^2/(2 sigma^2))."),
    _sensitivity,
    _releases,
)
def account_discrete_gaussian(as_json: bool, **inputs: Any) -> None:
    """Say how private releases of one integer with discrete Gaussian noise are.

    \b
    rgm-verify account discrete-gaussian --sigma 10 --steps 100 --delta 1e-6
    """  # noqa: D301
    _one_kind("discrete-gaussian", as_json, inputs, _taken(inputs, "sigma", "sensitivity"))


@account_command.command("discrete-laplace", short_help="Discrete Laplace noise on one integer.")
@options(
    click.option("--scale", required=True, **NUMBER, help="Masses are in proportion to exp(-|x|/scale)."),
    _sensitivity,
    _releases,
)
def account_discrete_laplace(as_json: bool, **inputs: Any) -> None:
    """Say how private releases of one integer with discrete Laplace noise are.

    \b
    rgm-verify account discrete-laplace --scale 10 --steps 100 --delta 1e-6
    """  # noqa: D301
    _one_kind("discrete-laplace", as_json, inputs, _taken(inputs, "scale", "sensitivity"))


@account_command.command("randomised-response", short_help="Answers that are true with some probability.")
@options(
    click.option("--truth", **NUMBER, help="Probability of the true answer."),
    click.option("--loss", "of_answer", **NUMBER, help="Or: the epsilon of one answer, in nats."),
    click.option("--answers", default="2", show_default=True, metavar="N", help="Number of possible answers."),
    _releases,
)
def account_randomised_response(as_json: bool, of_answer: str | None, **inputs: Any) -> None:
    """Say how private answers by randomised response are, all of one record.

    \b
    rgm-verify account randomised-response --truth 3/4 --steps 10 --delta 1e-6
    """  # noqa: D301
    # Its mechanism has a parameter `epsilon` too, which is `--loss` on the command line.
    fields = {"epsilon": of_answer, **_taken(inputs, "truth", "answers")}
    _one_kind("randomised-response", as_json, inputs, fields)


_target = options(
    target_options,
    click.option("--adjacency", metavar="NAME", help="Which data sets are neighbours; the sensitivity is for these."),
    tolerance_option,
    json_option,
    schema_option("SolvedAnswer"),
)


def solve(kind: str, as_json: bool, inputs: dict[str, Any], fields: dict[str, str | None], *names: str) -> None:
    """Find the one value that was not given, and print it.

    Args:
        kind: The name of the mechanism in plans.
        as_json: Whether the answer is for a program.
        inputs: The target and the neighbours, as texts.
        fields: The parameters of the mechanism, None where one was not given.
        names: The parameters that may be left out, and of which just one is.
    """
    from rgm_verify.cli.accounts import answers
    from rgm_verify.cli.accounts.planned import solved

    with patience("looking for the value"):
        answer = solved(kind, fields, names, **inputs)
    click.echo(answers.as_json(answer) if as_json else answers.solved_text(answer))


@calibrate_command.command("gaussian", short_help="Noise or number of Gaussian releases.")
@options(
    click.option("--noise-multiplier", **NUMBER, help="Deviation of the noise over the Euclidean sensitivity."),
    click.option("--steps", "count", metavar="T", help="Number of releases; 1 if it is not what is looked for."),
    _target,
)
def calibrate_gaussian(as_json: bool, noise_multiplier: str | None, count: str | None, **inputs: Any) -> None:
    """Find the least noise for a number of releases, or the most releases with a noise, whichever is left out.

    \b
    rgm-verify calibrate gaussian --epsilon 2 --delta 1e-6 --steps 10
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        fields = {"noise_multiplier": noise_multiplier, "count": count}
        solve("gaussian", as_json, inputs, fields, "noise_multiplier", "count")


@calibrate_command.command("laplace", short_help="Scale or number of Laplace releases.")
@options(
    click.option("--scale", **NUMBER, help="Scale of the noise over the sensitivity."),
    click.option("--steps", "count", metavar="T", help="Number of releases; 1 if it is not what is looked for."),
    _target,
)
def calibrate_laplace(as_json: bool, scale: str | None, count: str | None, **inputs: Any) -> None:
    """Find the least scale for a number of releases, or the most releases with a scale, whichever is left out.

    \b
    rgm-verify calibrate laplace --epsilon 2 --delta 1e-6 --steps 10
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        solve("laplace", as_json, inputs, {"scale": scale, "count": count}, "scale", "count")


@calibrate_command.command("discrete-laplace", short_help="Scale or number of discrete Laplace releases.")
@options(
    click.option("--scale", **NUMBER, help="Masses are in proportion to exp(-|x|/scale)."),
    click.option("--sensitivity", default="1", show_default=True, metavar="N", help="Of the query."),
    click.option("--steps", "count", metavar="T", help="Number of releases; 1 if it is not what is looked for."),
    _target,
)
def calibrate_discrete_laplace(as_json: bool, **inputs: Any) -> None:
    """Find the least scale for a number of releases, or the most releases with a scale, whichever is left out.

    \b
    rgm-verify calibrate discrete-laplace --epsilon 2 --delta 1e-6 --steps 10
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        fields = {name: inputs.pop(name) for name in ("scale", "sensitivity", "count")}
        solve("discrete-laplace", as_json, inputs, fields, "scale", "count")


@calibrate_command.command("rgm-steps", short_help="Most releases of the relative Gaussian mechanism.")
@options(
    eta_option,
    click.option("--gamma", required=True, **NUMBER, help="Noise ratio: the variance is gamma |R|^2 + sigma2."),
    dimension_option,
    r_rel_option,
    click.option("--sigma2", default="0", show_default=True, **NUMBER, help="Baseline variance per coordinate."),
    _target,
)
def calibrate_rgm_steps(as_json: bool, dimension: str, **inputs: Any) -> None:
    """Find the most releases of the relative Gaussian mechanism for a target (epsilon, delta).

    \b
    rgm-verify calibrate rgm-steps --epsilon 2 --delta 1e-6 --eta 1/1000 --gamma 1/10000 --d 10
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        # The dimension apart: its option is `--d`, which plans call `d` too.
        fields = {name: inputs.pop(name) for name in ("eta", "gamma", "r_rel", "sigma2")}
        solve("rgm", as_json, inputs, {**fields, "d": dimension}, "count")
