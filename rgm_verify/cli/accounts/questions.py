"""Questions of the commands to the accountant, checked, and the answers to them.

For the relative Gaussian mechanism: a question holds exact numbers, computes certified bounds, and turns them into the
typed answers of `rgm_verify.cli.accounts.answers`. Pictures and certificates are made of the same questions, so that
they show the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rgm_verify import __version__
from rgm_verify.accounting.calibration import (
    MOST_STEPS_TO_ITERATE,
    Calibration,
    Trade,
    calibrate,
    default_methods,
    iterated_coarsely,
    trade_off,
)
from rgm_verify.accounting.composition.composed import composed_delta, composed_epsilon
from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.accounting.printed import printed_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.accounting.target import Target, require_moderate
from rgm_verify.cli.accounts.answers import Account, Calibrated, Printed, Range, TradePoint, exact_inputs
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import decimal, exact_text
from rgm_verify.numbers.exact import nonnegative, positive_integer

if TYPE_CHECKING:
    from rgm_verify.accounting.composition.composed import Method


_ALONE = "a larger gamma at the same sigma2 can cost more privacy: raise both together"


@dataclass(frozen=True)
class AccountQuestion:
    """Epsilon at a `delta`, or delta at an `epsilon`, of `steps` releases; one of the two is None.

    `methods` are those of the upper bound for several releases, None for the usual ones. All numbers are exact.
    """

    release: Release
    delta: Fraction | None
    epsilon: Fraction | None
    steps: int
    methods: tuple[Method, ...] | None

    @classmethod
    def of(
        cls,
        *,
        eta: str,
        gamma: str,
        dimension: str,
        r_rel: str,
        sigma2: str,
        delta: str | None,
        epsilon: str | None,
        steps: str,
        methods: Sequence[Method],
    ) -> AccountQuestion:
        """Return the question, or raise the `InputError` that says what is wrong with it.

        Numbers are texts, as the command line gives them: decimals or fractions, read exactly. Names are those of the
        options.
        """
        if (delta is None) == (epsilon is None):
            given = "both were" if delta is not None else "none was"
            raise InputError(f"give --delta to get epsilon or --epsilon to get delta, one of the two ({given} given)")
        question = cls(
            Release(eta, gamma, dimension, r_rel=r_rel, sigma2=sigma2),
            None if delta is None else probability(delta, name="delta"),
            None if epsilon is None else nonnegative(epsilon, name="epsilon", meaning="the privacy parameter"),
            positive_integer(steps, name="steps", meaning="the number of releases"),
            tuple(methods) or None,
        )
        # Exact numbers may be of any size, and what computes with them is made for moderate ones.
        for name in ("eta", "gamma", "dimension", "r_rel", "sigma2"):
            require_moderate(getattr(question.release, name), name=name)
        require_moderate(question.epsilon or 0, name="epsilon")
        require_moderate(question.steps, name="steps")
        return question

    @property
    def quantity(self) -> str:
        """The name of the quantity that is asked for."""
        return "delta" if self.delta is None else "epsilon"

    def bounds(self) -> Bounds:
        """Return the certified interval of what is asked for."""
        methods = self.methods if self.steps > 1 else None
        if self.delta is not None:
            return composed_epsilon(self.release, self.delta, steps=self.steps, methods=methods)
        return composed_delta(self.release, self.epsilon or 0, steps=self.steps, methods=methods)

    def printed(self) -> list[Printed]:
        """Return what the bounds of the literature say, as they are printed, refuted ones included."""
        found = printed_bounds(self.release, delta=self.delta, epsilon=self.epsilon, steps=self.steps)
        return [
            Printed(
                name=bound.name,
                version=bound.version,
                source=bound.source,
                claim=bound.claim_id,
                value=bound.value,
                reason="" if bound.applies else bound.reason,
                refuted=bound.verdict == "refuted",
                corrected=bound.corrected,
                unsafe=bool(bound.unsafe),
            )
            for bound in found
        ]

    def answer(self) -> Account:
        """Compute everything that the command shows."""
        # An upper end of infinity becomes null on the way.
        found = Range.of(self.bounds())
        return Account(
            rgm_verify=__version__,
            inputs=self.inputs(),
            quantity=self.quantity,
            lower=found.lower,
            upper=found.upper,
            lower_method=found.lower_method,
            upper_method=found.upper_method,
            printed=self.printed(),
            notes=self.notes(),
        )

    def inputs(self) -> dict[str, str]:
        """Return every input as an exact text, under the names of the fields.

        The answer repeats them, so that a stored answer says what it is about.
        """
        release = self.release
        return exact_inputs(
            {
                "eta": release.eta,
                "gamma": release.gamma,
                "dimension": release.dimension,
                "r_rel": release.r_rel,
                "sigma2": release.sigma2,
                "steps": self.steps,
                "delta": self.delta,
                "epsilon": self.epsilon,
            }
        )

    def notes(self) -> list[str]:
        """Return what a reader should know about these parameters.

        They concern `r_rel` alone: whether the baseline noise covers it, and that gamma must not be raised without it.
        """
        release = self.release
        if release.r_rel == 0:
            return []
        # Until there the worst pair is one of a few; beyond, a curve of pairs has to be looked at.
        if release.baseline_covers:
            largest = decimal(release.sigma2 * release.eta**2 / release.r_rel**2, up=False)
            return [f"this sigma2 covers r_rel for gamma up to {largest}; {_ALONE}"]
        needed = decimal(release.gamma * release.r_rel**2 / release.eta**2, up=True)
        return [
            f"sigma2 is below gamma r_rel^2/eta^2 = {needed}: r_rel costs privacy here, and the interval is over all "
            "pairs of outputs",
            _ALONE,
        ]


@dataclass(frozen=True)
class CalibrateQuestion:
    """The least noise for (`epsilon`, `delta`), all given as texts.

    `methods` are those of the upper bound for several releases; none stands for the usual ones.
    """

    epsilon: str
    delta: str
    eta: str
    dimension: str
    r_rel: str
    steps: str
    methods: tuple[Method, ...]

    def calibration(self) -> Calibration:
        """Compute the least noise, certified to reach the target.

        Raises:
            InputError: For a number that is not allowed, and for a target that no noise ratio reaches, with the floor.
        """
        return calibrate(
            self.epsilon,
            self.delta,
            eta=self.eta,
            dimension=self.dimension,
            r_rel=self.r_rel,
            steps=self.steps,
            methods=self.methods or None,
        )

    def trades(self, found: Calibration) -> list[Trade]:
        """Return other choices where there is a baseline noise to trade.

        None for `r_rel = 0`, where it is 0, and for several releases: `trade_off` is about one.
        """
        target = found.target
        # Empty and no error: the answer has one noise to use, and nothing beside it.
        if target.r_rel == 0 or target.steps > 1:
            return []
        return trade_off(target.epsilon, target.delta, eta=target.eta, dimension=target.dimension, r_rel=target.r_rel)


def target_inputs(target: Target) -> dict[str, str]:
    """Return every input of a target as an exact text."""
    return exact_inputs(
        {
            "epsilon": target.epsilon,
            "delta": target.delta,
            "eta": target.eta,
            "dimension": target.dimension,
            "r_rel": target.r_rel,
            "steps": target.steps,
        }
    )


def calibrated(found: Calibration, trades: Sequence[Trade], methods: Sequence[Method]) -> Calibrated:
    """Return a calibration as the answer of the command; `methods` are those asked for, none for the usual ones.

    Args:
        trades: Other choices of noise for the same target.
        methods: Methods of the upper bound.
    """
    return Calibrated(
        rgm_verify=__version__,
        inputs=target_inputs(found.target),
        gamma=exact_text(found.release.gamma),
        sigma2=exact_text(found.release.sigma2),
        least_gamma=Range.of(found.least_gamma),
        delta=Range.of(found.achieved),
        floor=Range.of(found.floor),
        trade_off=[_trade_point(trade) for trade in trades],
        evaluations=found.evaluations,
        notes=calibration_notes(found.target, methods),
    )


def calibration_notes(target: Target, methods: Sequence[Method]) -> list[str]:
    """Return what a reader should know about a calibration: what its ends are, and what goes with gamma.

    Args:
        target: The target; notes are about several releases and about `r_rel > 0`.
        methods: Those that were asked for, none for the usual ones.
    """
    notes = []
    if target.steps > 1:
        tried = methods or default_methods(target.steps)
        text = f"the upper end is the least by {' and '.join(tried)}"
        # By itself it is only tried for moderate numbers of releases.
        if "iteration" not in tried:
            text += "; --method iteration is tighter and takes longer"
        elif not methods and iterated_coarsely(target.steps):
            text += f" on a coarse grid, as for every number of steps over {MOST_STEPS_TO_ITERATE}"
        notes.append(f"{text}; the lower end is what one pair of outputs, repeated, is certified to need")
    if target.r_rel > 0:
        notes.append(_ALONE)
    return notes


def _trade_point(trade: Trade) -> TradePoint:
    """Return another choice of noise as data, with the delta that it certainly reaches."""
    return TradePoint(
        gamma=exact_text(trade.release.gamma),
        sigma2=exact_text(trade.release.sigma2),
        covering_sigma2=exact_text(trade.covering_sigma2),
        delta=Range.of(trade.achieved),
    )
