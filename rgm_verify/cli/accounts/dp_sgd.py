"""The commands `account dp-sgd` and `calibrate dp-sgd`.

Sampler and neighbours belong together: the pair of laws that is the worst was derived for Poisson sampling with one
record more or less, and for batches of one size with one record replaced. Other combinations are refused, since a
number for them would be a guess.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.accounts.accounting import account_command, calibrate_command
from rgm_verify.cli.accounts.options import (
    NUMBER,
    STOPPED,
    asked_options,
    checked_certificate,
    checked_svg,
    drawn_options,
    end_without_bound,
    explain_option,
    options,
    reached_options,
    say_line,
    schema_option,
    target_options,
    tolerance_option,
    training_options,
    write_certificate,
    write_svg,
)
from rgm_verify.cli.accounts.plans import solve
from rgm_verify.cli.common import certificate_option, errors, json_option, patience

_sampling = options(
    click.option(
        "--sampler",
        metavar="NAME",
        help="Has to be said. poisson: every record joins on its own. fixed-batch: batches of one size, without "
        "replacement.",
    ),
    click.option(
        "--adjacency",
        metavar="NAME",
        help="Neighbours: add-or-remove-one, add-one, remove-one or replace-one; replace-one alone for fixed-batch.",
    ),
)


@account_command.command("dp-sgd", short_help="Gaussian noise on clipped sums over random batches.")
@options(
    click.option(
        "--noise-multiplier",
        multiple=True,
        **NUMBER,
        help="Deviation of the noise over the clipping norm.",
    ),
    training_options,
    _sampling,
    asked_options,
    reached_options,
    explain_option,
    json_option,
    schema_option("SampledAccount"),
    certificate_option,
    drawn_options("steps", "curve", "trade-off"),
)
def account_dp_sgd(
    as_json: bool, explain: bool, certificate: Path | None, plot: Path | None, over: str, **inputs: Any
) -> None:
    """Say how private DP-SGD is: epsilon or delta as a certified interval, as narrow as asked for.

    Records are clipped to one norm; the sum over a random batch gets Gaussian noise in every coordinate. Which sampler
    and which neighbours do you have? If every record joins a batch on its own, with one probability: `poisson`, and
    neighbours differ by one record more or less, or by one that is replaced. If all batches of one size are as likely:
    `fixed-batch`, and one record is replaced. A loader that shuffles the data and goes through it is neither, and
    accounts by Poisson sampling guarantee nothing for it: take `fixed-batch` at rate 1, with one step for an epoch.

    \b
    rgm-verify account dp-sgd --sampler poisson --noise-multiplier 1 --sampling-rate 1/100 --steps 1000 --delta 1e-6
    rgm-verify account dp-sgd --sampler poisson --noise-multiplier 1.1 \
      --dataset-size 60000 --batch-size 256 --epochs 15 --delta 1e-5
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        file, proof = checked_svg(plot), checked_certificate(certificate)
        from rgm_verify.cli.accounts import answers
        from rgm_verify.cli.accounts.sampled import SampledQuestion, Training

        question = SampledQuestion.of(training=Training.taken(inputs), **inputs)
        # The account says each interval that it reaches; these words fill the time before the first.
        with patience("composing"):
            answer = question.answer(say_line)
        shown = answers.as_json(answer) if as_json else answers.sampled_text(answer, explain=explain)
        end_without_bound(*answer.found, shown)
        # Written before the picture: a picture that fails must not cost the certificate.
        if proof is not None:
            from rgm_verify.cli.accounts.certificates import of_sampled_account

            write_certificate(proof, of_sampled_account(question, answer))
        if file is not None:
            from rgm_verify.accounting.plans.pictures import plan_picture
            from rgm_verify.accounting.plans.plan import plan
            from rgm_verify.accounting.plans.releases import DpSgd

            run = question.run
            planned = plan([DpSgd(run)], adjacency=run.adjacency, delta=question.delta, epsilon=question.epsilon)
            with patience("drawing"):
                write_svg(file, plan_picture(planned, over, question.inputs()))
        click.echo(shown)


@calibrate_command.command("dp-sgd", short_help="Noise multiplier, steps or rate of DP-SGD.")
@options(
    target_options,
    click.option("--noise-multiplier", **NUMBER, help="Deviation of the noise over the clipping norm."),
    training_options,
    _sampling,
    tolerance_option,
    json_option,
    schema_option("SampledCalibrated", "SolvedAnswer"),
    certificate_option,
)
def calibrate_dp_sgd(as_json: bool, certificate: Path | None, **inputs: Any) -> None:
    """Give two of noise multiplier, sampling rate and steps: find the third for a target (epsilon, delta) of DP-SGD.

    The least noise, the largest rate or the most steps, certified to reach the target.

    \b
    rgm-verify calibrate dp-sgd --sampler poisson --epsilon 2 --delta 1e-6 --sampling-rate 1/100 --steps 1000
    rgm-verify calibrate dp-sgd --sampler poisson --epsilon 2 --delta 1e-6 --sampling-rate 1/100 --noise-multiplier 1
    """  # noqa: D301
    with errors(interrupted=STOPPED):
        proof = checked_certificate(certificate)
        from rgm_verify.cli.accounts import answers
        from rgm_verify.cli.accounts.sampled import Training

        noise = inputs.pop("noise_multiplier")
        rate, count = Training.taken(inputs).single()
        # The least noise has a search of its own, whose answer carries what a certificate needs.
        if noise is None and rate is not None and count is not None:
            from rgm_verify.cli.accounts.sampled import calibrated

            with patience("looking for the least noise"):
                answer = calibrated(sampling_rate=rate, steps=count, **inputs)
            if proof is not None:
                from rgm_verify.cli.accounts.certificates import of_sampled_calibration

                write_certificate(proof, of_sampled_calibration(answer))
            click.echo(answers.as_json(answer) if as_json else answers.sampled_calibrated_text(answer))
            return
        if proof is not None:
            from rgm_verify.errors import reject

            # Refused and not ignored: who asks for a file relies on finding it.
            raise reject("--certificate", proof, "only the least noise has a certificate: leave out --noise-multiplier")
        # What is left out, and whether it is just one of them, is decided by the search for all mechanisms.
        fields = {"noise_multiplier": noise, "sampling_rate": rate, "count": count, "sampler": inputs.pop("sampler")}
        solve("dp-sgd", as_json, inputs, fields, "noise_multiplier", "sampling_rate", "count")
