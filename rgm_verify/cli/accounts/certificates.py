"""Certificates of the answers of `account` and `calibrate`, and their replay.

A certificate states the interval of the answer, or one around it where an end needs a grid, and is only handed out once
it was replayed. An answer of `calibrate` becomes an upper end alone: that the noise reaches the target.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify import __version__
from rgm_verify.accounting.certificates import planned_certificate, release_certificate, sampled_certificate
from rgm_verify.accounting.subsampled.mechanism import sampled_gaussian
from rgm_verify.cli.common import EXIT_DIFFERENT
from rgm_verify.errors import InputError
from rgm_verify.jobs.bounded import Stopped, bounded
from rgm_verify.jobs.files import write_atomically
from rgm_verify.numbers.bounds import Bounds, round_up
from rgm_verify.recheck.certificate import read
from rgm_verify.recheck.page import page
from rgm_verify.recheck.refusal import Refused
from rgm_verify.recheck.replay import Result, replay

if TYPE_CHECKING:
    from rgm_verify.accounting.calibration import Calibration
    from rgm_verify.cli.accounts.answers import Account, PlanAccount, SampledAccount, SampledCalibrated
    from rgm_verify.cli.accounts.planned import PlanQuestion
    from rgm_verify.cli.accounts.questions import AccountQuestion
    from rgm_verify.cli.accounts.sampled import SampledQuestion

_STATED = "stated"


def of_account(question: AccountQuestion, answer: Account) -> dict[str, Any]:
    """Return the certificate of an answer on the relative Gaussian mechanism; `InputError` where there is none.

    Args:
        question: What was asked, exact.
        answer: The interval that the command prints.

    Returns:
        Data that `rgm_verify.recheck.certificate.parse` reads.
    """
    found = _bounds(answer.lower, answer.upper)
    return release_certificate(
        question.release, found, delta=question.delta, epsilon=question.epsilon, steps=question.steps
    )


def of_sampled_account(question: SampledQuestion, answer: SampledAccount) -> dict[str, Any]:
    """Return the certificate of an answer on DP-SGD; `InputError` where there is none.

    Arguments and result are as for `of_account`.
    """
    # One of the two is None: an answer is about one quantity.
    end = answer.epsilon or answer.delta
    if end is None:
        raise ValueError("an answer with neither epsilon nor delta")
    found = _bounds(end.lower, end.upper)
    return sampled_certificate(question.run, found, delta=question.delta, epsilon=question.epsilon)


def of_plan(question: PlanQuestion, answer: PlanAccount) -> dict[str, Any]:
    """Return the certificate of the total of a plan; `InputError` where there is none.

    The costs of single lines are not part of it. Arguments and result are as for `of_account`.
    """
    end = answer.epsilon or answer.delta
    if end is None:
        raise ValueError("an answer with neither epsilon nor delta")
    return planned_certificate(question.plan, _bounds(end.lower, end.upper))


def of_calibration(found: Calibration) -> dict[str, Any]:
    """Return the certificate that the noise found reaches the target; `InputError` where there is none."""
    # Delta at the epsilon of the target: an upper end is one value of a curve, with nothing to search.
    target = found.target
    # The target, and not what was reached: a coarser replay may still prove the former.
    reached = _target(found.achieved.lower, target.delta)
    return release_certificate(
        found.release, reached, delta=None, epsilon=target.epsilon, steps=target.steps, lower=False
    )


def of_sampled_calibration(answer: SampledCalibrated) -> dict[str, Any]:
    """Return the certificate that the multiplier found reaches the target; `InputError` where there is none."""
    inputs = answer.inputs
    run = sampled_gaussian(
        # From the texts of the answer: the file is about the noise that was printed.
        [(inputs["sampling_rate"], answer.noise_multiplier, inputs["steps"])],
        sampler=answer.sampler,
        adjacency=answer.adjacency,
    )
    reached = _target(answer.delta.lower, Fraction(inputs["delta"]))
    return sampled_certificate(run, reached, delta=None, epsilon=Fraction(inputs["epsilon"]), lower=False)


def _bounds(lower: float, upper: float | None) -> Bounds:
    """Return the ends of an answer as bounds; null stands for infinity."""
    return Bounds(lower, math.inf if upper is None else upper, _STATED, _STATED)


def _target(lower: float, delta: Fraction) -> Bounds:
    """Return what is reached from `lower` to the target, rounded down: the float below it is certified."""
    # Down, so that the certified number is no larger than the delta of the target, which may be no float.
    upper = -round_up(-delta)
    return Bounds(min(lower, upper), upper, _STATED, _STATED)


def _replayed(path: Path) -> Iterator[Result]:
    """Yield the result of a certificate."""
    yield replay(read(path))


def replay_number(path: Path, *, seconds: float, as_json: bool, statement: Path | None = None) -> int:
    """Print what the replay of a certificate says, and return the exit code; `InputError` for what is none.

    Args:
        path: The file.
        seconds: Of the processor, after which it stops without an answer.
        as_json: Whether to print JSON.
        statement: Where a page to sign is written if the certificate is accepted; None for none.

    Returns:
        0 where both ends were proved again, 1 where one was not.
    """
    try:
        (result,) = bounded(_replayed, path, seconds=seconds)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    # Bad input, and no verdict: exit code 2.
    except (Refused, Stopped) as error:
        raise InputError(f"{path}: {error}") from error
    if statement is not None and result.accepted:
        text = page(read(path), result, data=path.read_bytes(), name=path.name, version=__version__)
        try:
            write_atomically(statement, text.encode())
        except OSError as error:
            raise InputError(f"{statement}: cannot be written ({error.strerror or error})") from error
    click.echo(json.dumps(dataclasses.asdict(result), indent=1) if as_json else "\n".join(result.lines()))
    return 0 if result.accepted else EXIT_DIFFERENT
