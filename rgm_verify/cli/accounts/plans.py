"""The commands on plans of releases, and on noise of one kind, which is a plan of one line.

Each kind of line has a command, with its fields as options; it is accounted by the same code as a plan in a file, so
that a line of a plan and the command for its kind cannot disagree. Turned around, each kind looks for the one value
that was left out. A kind is data, small enough to be loaded before a command is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rgm_verify.accounting.plans.fields import Field
from rgm_verify.accounting.plans.releases import KINDS, PlannedRelease
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


# The commands of these have options that no other kind has, and stand in `accounting` and `dp_sgd`.
_APART = ("rgm", "dp-sgd")


def _word(name: str, field: Field) -> str:
    """Return the name of a field on the command line, with underscores."""
    return field.option or name


def _parameters(kind: type[PlannedRelease], *asked: str) -> Callable[[Any], Any]:
    """Return the parameters of a kind as options, of which those that are asked for may be left out."""
    found = []
    for name, field in kind.fields.items():
        meaning = field.meaning
        for other, known in kind.fields.items():
            meaning = meaning.replace(f"`{other}`", f"--{_word(other, known)}")
        option = click.option(
            f"--{_word(name, field).replace('_', '-')}",
            _word(name, field),
            required=field.required and name not in asked,
            default=None if field.usual is None or name in asked else str(field.usual),
            metavar="TEXT" if field.text else "N" if field.whole else "NUMBER",
            help=meaning,
        )
        found.append(option)
    return options(*found)


def _given(kind: type[PlannedRelease], inputs: dict[str, Any]) -> dict[str, str | None]:
    """Return the parameters of a mechanism by the names of their fields, and take them out of all options."""
    # What is left in `inputs` is about the question and not about the mechanism.
    fields = {name: inputs.pop(_word(name, field)) for name, field in kind.fields.items()}
    return fields | {"count": inputs.pop("count")}


def _first_paragraph(kind: type[PlannedRelease]) -> str:
    """Return what a kind is, in the words of its class."""
    return " ".join((kind.__doc__ or "").partition("\n\n")[0].split())


def _example(command: str, kind: type[PlannedRelease], *left_out: str, more: str) -> str:
    """Return a call of a command."""
    shown = [
        f"--{_word(name, field).replace('_', '-')} {kind.example[name]}"
        for name, field in kind.fields.items()
        if name in kind.example and name not in left_out
    ]
    return " ".join(["rgm-verify", command, kind.kind, *shown, more])


def _add_account(kind: type[PlannedRelease]) -> None:
    """Add the command that accounts releases of a kind."""

    @options(_parameters(kind), _releases)
    def account_kind(as_json: bool, **inputs: Any) -> None:
        _one_kind(kind.kind, as_json, inputs, _given(kind, inputs))

    what = _first_paragraph(kind)
    example = _example("account", kind, more="--steps 100 --delta 1e-6")
    account_command.command(
        kind.kind,
        short_help=re.split("[;:]", what)[0].rstrip(".") + ".",
        help=f"Say how private releases of one kind are.\n\n{what}\n\n\b\n{example}",
    )(account_kind)


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


def _add_calibration(kind: type[PlannedRelease]) -> None:
    """Add the command that looks for the noise of releases of a kind, or for their number."""

    @options(
        _parameters(kind, *kind.searched),
        click.option("--steps", "count", metavar="T", help="Number of releases; 1 if it is not what is looked for."),
        _target,
    )
    def calibrate_kind(as_json: bool, **inputs: Any) -> None:
        with errors(interrupted=STOPPED):
            solve(kind.kind, as_json, inputs, _given(kind, inputs), *kind.searched)

    noise = _word(kind.searched[0], kind.fields[kind.searched[0]]).replace("_", " ")
    example = _example("calibrate", kind, kind.searched[0], more="--epsilon 2 --delta 1e-6 --steps 10")
    asked = (
        f"Find the least {noise} for a number of releases, or the most releases for a given one, whichever is left out."
    )
    calibrate_command.command(
        kind.kind,
        short_help=f"{noise.capitalize()} or number of releases.",
        help=f"{asked}\n\n{_first_paragraph(kind)}\n\n\b\n{example}",
    )(calibrate_kind)


for _kind in KINDS.values():
    if _kind.kind not in _APART:
        _add_account(_kind)
        if _kind.searched[0] != "count":
            _add_calibration(_kind)


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
