"""The pictures of the commands: certified curves around the point that was asked for, printed bounds beside them.

For the relative Gaussian mechanism; `planned_pictures` draws plans and DP-SGD. Every point of a certified curve is an
account of its own, so that a picture takes as many of them as it has points: for several releases it has fewer, and the
upper bound that takes no time, unless another one was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from rgm_verify.accounting.calibration import Calibration, Trade, UnreachableTarget, calibrate
from rgm_verify.cli.accounts.answers import Printed
from rgm_verify.cli.accounts.questions import AccountQuestion, CalibrateQuestion, target_inputs
from rgm_verify.numbers.crossing import log, short_rational
from rgm_verify.pictures.curves import Curve, Picture, Point, document

_POINTS, _POINTS_OF_MANY = 33, 13
_SIGNIFICANT = 4
_TOLERANCE = Fraction(1, 1000)
_TITLE = {"epsilon": "ε", "delta": "δ"}


def account_picture(question: AccountQuestion, over: str) -> Picture:
    """Return the picture of an answer: epsilon against delta (`over` is "curve"), or growth over the "steps".

    Args:
        question: The question of the answer; its point is within the picture.
        over: "curve" or "steps".

    Returns:
        An SVG file that needs nothing else.
    """
    asked = _TITLE[question.quantity]
    if over == "steps":
        title, x, y, logs = f"{asked} after T releases", "T", asked, (True, True)
        questions = {Fraction(steps): replace(question, steps=steps) for steps in _counts(question.steps)}
    elif question.delta is not None:
        title, x, y, logs = "ε against δ", "δ", "ε", (True, False)
        questions = {delta: replace(question, delta=delta) for delta in _deltas(question)}
    else:
        title, x, y, logs = "δ against ε", "ε", "δ", (False, True)
        questions = {epsilon: replace(question, epsilon=epsilon) for epsilon in _epsilons(question)}
    # The same questions for certified and printed curves: what stands side by side was asked alike.
    quick = {place: _quick(asks) for place, asks in questions.items()}
    curves = [_certified(quick), *_printed({float(place): asks.printed() for place, asks in quick.items()})]
    notes = [_inputs(question.inputs(), without={"steps"} if over == "steps" else {question_axis(question)})]
    return document(curves, x=x, y=y, title=title, notes=notes, log_x=logs[0], log_y=logs[1])


def question_axis(question: AccountQuestion) -> str:
    """Return the input that runs along the axis when epsilon and delta are drawn against each other."""
    return "epsilon" if question.delta is None else "delta"


def calibrate_picture(question: CalibrateQuestion, found: Calibration, trades: Sequence[Trade]) -> Picture:
    """Return the trade-off of the two kinds of noise where there is one, otherwise gamma against epsilon.

    Args:
        question: The question, for the methods of the upper bound.
        trades: Other choices of noise, none for `r_rel = 0`.

    Returns:
        An SVG file that needs nothing else.
    """
    inputs = target_inputs(found.target)
    if trades:
        return _trade_picture(found, trades, _inputs(inputs, without=set()))
    curves = [Curve("least γ, certified: from the lower to the upper end", list(_gammas(question, found)))]
    notes = [_inputs(inputs, without={"epsilon"}), "where the curve ends on the left, no γ reaches δ"]
    return document(curves, x="ε", y="γ", title="The least γ against ε", notes=notes, log_x=True, log_y=True)


def _trade_picture(found: Calibration, trades: Sequence[Trade], inputs: str) -> Picture:
    """Return the least baseline noise over gamma, beside the usual choice that covers `r_rel` by itself."""
    gamma, sigma2 = float(found.release.gamma), float(found.release.sigma2)
    least = [(float(t.release.gamma), t.least_sigma2.lower, t.least_sigma2.upper) for t in trades]
    usual = [(float(t.release.gamma), *(2 * (float(t.covering_sigma2),))) for t in trades]
    # Both curves begin at the calibration itself, where the least gamma needs all of the baseline.
    start = (gamma, sigma2, sigma2)
    curves = [Curve("least σ², certified", [start, *least]), Curve("σ² = γ R² / η²", [start, *usual])]
    return document(
        curves, x="γ", y="σ²", title="Choices of (γ, σ²) that reach the target", notes=[inputs], log_x=True, log_y=True
    )


# ------------------------------------------------------------------------------------------------------------ curves


def _certified(questions: dict[Fraction, AccountQuestion]) -> Curve:
    """Lower and upper ends; on the curve of one release they are too close to be told apart."""
    found = {float(place): question.bounds() for place, question in questions.items()}
    points = [(place, bounds.lower, bounds.upper) for place, bounds in found.items()]
    # Named in the legend: another method gives another upper end.
    methods = sorted({method for question in questions.values() for method in question.methods or ()})
    several = any(question.steps > 1 for question in questions.values())
    known = f"certified interval, upper end by {', '.join(methods)}" if several else "exact, certified"
    return Curve(known, points)


def _printed(found: dict[float, list[Printed]]) -> list[Curve]:
    """A curve for each printed bound; its name says whether it is refuted, or promises too much somewhere in sight."""
    points: dict[tuple[str, str], list[Point]] = {}
    remarks: dict[tuple[str, str], set[str]] = {}
    for place, bounds in found.items():
        for bound in bounds:
            key = bound.name, bound.version
            if bound.value is not None:
                points.setdefault(key, []).append((place, bound.value, bound.value))
            remarks.setdefault(key, set()).update(["refuted"] * bound.refuted + ["unsafe in sight"] * bound.unsafe)
    return [
        Curve(", ".join(["printed: " + " ".join(key), *sorted(remarks[key])]), places)
        for key, places in points.items()
        # A bound that applies at one place only is no curve.
        if len(places) > 1
    ]


def _gammas(question: CalibrateQuestion, found: Calibration) -> Iterable[Point]:
    """Yield the least gamma at epsilons around the target's, an eighth to eight times it, as certified intervals.

    Epsilons that no gamma reaches are left out: the curve ends there.
    """
    target = found.target
    middle = target.epsilon or Fraction(1)
    count = _POINTS if target.steps == 1 else _POINTS_OF_MANY
    for epsilon in _spaced(middle / 8, middle * 8, count):
        try:
            least = calibrate(
                epsilon,
                target.delta,
                eta=target.eta,
                dimension=target.dimension,
                r_rel=target.r_rel,
                steps=target.steps,
                relative_tolerance=_TOLERANCE,
                methods=question.methods or ("rdp",),
            ).least_gamma
        # Below the floor no noise ratio serves, and there is nothing to draw.
        except UnreachableTarget:
            continue
        yield float(epsilon), least.lower, least.upper


# ------------------------------------------------------------------------------------------------------------ places


def _quick(question: AccountQuestion) -> AccountQuestion:
    """The question with the upper bound that takes no time, unless others were asked for."""
    return replace(question, methods=question.methods or ("rdp",))


def _points(question: AccountQuestion) -> int:
    """Return the number of points: an account of several releases takes longer than one of a single release."""
    return _POINTS if question.steps == 1 else _POINTS_OF_MANY


def _deltas(question: AccountQuestion) -> list[Fraction]:
    """Return short decimals in equal factors around a delta, at least from 1e-12 to 1/100."""
    delta = question.delta or Fraction(1, 2)
    low, high = min(delta / 1000, Fraction(1, 10**12)), max(delta, min(delta * 1000, Fraction(1, 4)), Fraction(1, 100))
    return _spaced(low, high, _points(question))


def _epsilons(question: AccountQuestion) -> list[Fraction]:
    """Return epsilons in equal steps from 0 to twice the one that was asked for."""
    high, count = 2 * (question.epsilon or Fraction(1, 2)), _points(question)
    return [high * k / (count - 1) for k in range(count)]


def _spaced(low: Fraction, high: Fraction, count: int) -> list[Fraction]:
    """Short decimals in equal factors.

    Examples:
        >>> [str(place) for place in _spaced(Fraction(1, 100), Fraction(1), 3)]
        ['1/100', '1/10', '1']
    """
    first, last = log(low), log(high)
    places = [first + (last - first) * k / (count - 1) for k in range(count)]
    # Short, because exact arithmetic with them costs by their length; a set, since neighbours may round to one.
    return sorted({short_rational(place, _SIGNIFICANT) for place in places})


def _counts(steps: int) -> list[int]:
    """Numbers of releases up to `steps` (at least up to 10), about in equal factors."""
    # A curve over one or two releases would show no growth.
    most = max(steps, 10)
    return sorted({round(most ** (k / (_POINTS_OF_MANY - 1))) for k in range(_POINTS_OF_MANY)})


def _inputs(inputs: dict[str, str], *, without: set[str]) -> str:
    """Return the line below the heading: the inputs, without those that run along an axis."""
    return ", ".join(f"{name} = {value}" for name, value in inputs.items() if name not in without)
