"""Answers of `account` and `calibrate`: typed data with a published schema, and the same as text for reading.

The docstring of a structure and the descriptions of its fields are the schema that `--json-schema` prints. Numbers that
are certified are floats rounded outward; numbers to be used (a noise, a count) are exact texts, since a float in JSON
may be read as another one. Texts for reading round certified numbers outward once more.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from rgm_verify.accounting.plans.releases import GIVEN
from rgm_verify.cli.accounts.words import assumption, guarantee
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.numbers.decimals import decimal, exact_text, interval

_DIGITS = 8
_INPUTS = "The inputs as exact numbers: decimals, or fractions a/b where no short decimal is exact."
_VERSION = "The version of rgm-verify."


class Range(msgspec.Struct, kw_only=True, frozen=True):
    """A number as a certified interval, both ends rounded outward; `upper` is null where nothing is guaranteed."""

    lower: float
    upper: float | None
    lower_method: Annotated[str, Meta(description="How the lower end is known.")]
    upper_method: Annotated[str, Meta(description="How the upper end is known.")]

    @classmethod
    def of(cls, bounds: Bounds) -> Range:
        """Return bounds as data; an upper end of infinity becomes null, for which JSON has a word."""
        # JSON has no infinity, and readers differ in what they make of one.
        upper = None if math.isinf(bounds.upper) else bounds.upper
        return cls(lower=bounds.lower, upper=upper, lower_method=bounds.lower_method, upper_method=bounds.upper_method)

    @property
    def text(self) -> str:
        """The interval for reading."""
        return interval(self.lower, math.inf if self.upper is None else self.upper, digits=_DIGITS)


class Printed(msgspec.Struct, kw_only=True, frozen=True):
    """The value of a bound of the paper for the same releases, exactly as the paper prints the bound."""

    name: str
    version: Annotated[str, Meta(description="The version of the paper.")]
    source: Annotated[str, Meta(description="Where it stands there.")]
    claim: Annotated[str, Meta(description="Its id; `rgm-verify show ID` has the evidence.")]
    value: Annotated[float | None, Meta(description="What it promises, rounded up; null where it does not apply.")]
    reason: Annotated[str, Meta(description="Why it does not apply; empty where it does.")]
    refuted: Annotated[bool, Meta(description="The printed statement is not true.")]
    corrected: Annotated[str, Meta(description="The id of the true statement in its place, if it is refuted.")]
    unsafe: Annotated[
        bool, Meta(description="The value is below what is certified to be needed: it promises too much.")
    ]


class Account(msgspec.Struct, kw_only=True, frozen=True):
    """The answer of `rgm-verify account --json`: the privacy of the releases, as a certified interval."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    quantity: Annotated[str, Meta(description="What was asked for: `epsilon` (in nats) or `delta`.")]
    lower: Annotated[float, Meta(description="No guarantee below this holds; rounded down.")]
    upper: Annotated[float | None, Meta(description="Safe to rely on; rounded up. Null: nothing is guaranteed.")]
    lower_method: str
    upper_method: str
    printed: Annotated[list[Printed], Meta(description="What printed bounds say, for comparison; not to be relied on.")]
    notes: list[str]


class TradePoint(msgspec.Struct, kw_only=True, frozen=True):
    """More relative noise, and the least baseline noise that then suffices."""

    gamma: Annotated[str, Meta(description="Exact.")]
    sigma2: Annotated[str, Meta(description="Exact; certified to suffice.")]
    covering_sigma2: Annotated[str, Meta(description="gamma r_rel^2/eta^2, the usual choice, exact.")]
    delta: Annotated[Range, Meta(description="What is reached at the target's epsilon.")]


class Calibrated(msgspec.Struct, kw_only=True, frozen=True):
    """The answer of `rgm-verify calibrate --json`: noise that is certified to reach the target."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    gamma: Annotated[str, Meta(description="The noise ratio to use, an exact decimal on the safe side.")]
    sigma2: Annotated[str, Meta(description="The baseline variance to use with it, exact.")]
    least_gamma: Annotated[Range, Meta(description="Encloses the least noise ratio that reaches the target.")]
    delta: Annotated[Range, Meta(description="What is reached at the target's epsilon.")]
    floor: Annotated[Range, Meta(description="The least delta that any gamma can reach at this epsilon.")]
    trade_off: Annotated[list[TradePoint], Meta(description="For `r_rel > 0` and one release, other choices.")]
    evaluations: Annotated[int, Meta(description="How many values of delta were computed.")]
    notes: list[str]


class End(msgspec.Struct, kw_only=True, frozen=True):
    """A certified interval, both ends rounded outward; `upper` is null where nothing is guaranteed."""

    lower: float
    upper: float | None
    method: Annotated[str, Meta(description="How the ends are known.")]

    @classmethod
    def of(cls, bounds: Bounds) -> End:
        """Return bounds as data, with one sentence on how both ends are known."""
        # Said once where it is the same, as a reader would look for the difference.
        same = bounds.lower_method == bounds.upper_method
        method = bounds.upper_method if same else f"above: {bounds.upper_method}; below: {bounds.lower_method}"
        return cls(lower=bounds.lower, upper=None if math.isinf(bounds.upper) else bounds.upper, method=method)

    @property
    def text(self) -> str:
        """The interval for reading."""
        return interval(self.lower, math.inf if self.upper is None else self.upper, digits=_DIGITS)


class SampledAccount(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """The answer of `rgm-verify account dp-sgd --json`: `epsilon` (nats) or `delta`, as a certified interval."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    sampler: str
    adjacency: str
    epsilon: End | None = None
    delta: End | None = None
    notes: list[str] = []

    @property
    def found(self) -> tuple[str, float, float | None]:
        """The name of what was asked for, and both ends."""
        return _asked(self.epsilon, self.delta)


def _asked(epsilon: End | None, delta: End | None) -> tuple[str, float, float | None]:
    """Return the name and the ends of the one quantity of an answer; `ValueError` for neither."""
    end = epsilon or delta
    if end is None:
        raise ValueError("an answer with neither epsilon nor delta")
    return "delta" if epsilon is None else "epsilon", end.lower, end.upper


class SampledCalibrated(msgspec.Struct, kw_only=True, frozen=True):
    """The answer of `rgm-verify calibrate dp-sgd --json`: a noise multiplier that is certified to reach the target."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    sampler: str
    adjacency: str
    noise_multiplier: Annotated[str, Meta(description="The multiplier to use, exact, on the safe side.")]
    fails: Annotated[str, Meta(description="A multiplier that was not found to reach the target; 0: none was tried.")]
    delta: Annotated[End, Meta(description="What is reached at the target's epsilon.")]
    evaluations: int


class SolvedAnswer(msgspec.Struct, kw_only=True, frozen=True):
    """The answer of a question turned around, `--json`: a value that is certified to reach the target."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    mechanism: str
    samplers: Annotated[list[str], Meta(description="How the batches of DP-SGD are drawn; of other releases none.")]
    adjacency: str
    quantity: Annotated[str, Meta(description="What was asked for: noise_multiplier, scale, steps or sampling_rate.")]
    value: Annotated[str, Meta(description="The value to use, exact, on the safe side.")]
    fails: Annotated[str | None, Meta(description="A value that is certified to miss the target; null: none found.")]
    epsilon: Annotated[End, Meta(description="What is reached at the target's delta.")]
    evaluations: int
    notes: list[str]


class FloorAnswer(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """The answer of `rgm-verify floor --json`: what noise relative to the norm cannot get below."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    epsilon: End | None = None
    delta: End | None = None


class PlanLine(msgspec.Struct, kw_only=True, frozen=True):
    """A line of a plan, and what it would cost alone."""

    name: str
    mechanism: str
    count: int
    alone: Annotated[End, Meta(description="Epsilon or delta, as asked for, of this line alone; they do not add up.")]


class PlanBudget(msgspec.Struct, kw_only=True, frozen=True):
    """The budget that a plan names, and what is left of it."""

    given: Annotated[str, Meta(description="Exact.")]
    left: Annotated[
        float | None,
        Meta(description="At least this is left, or, where it is negative, at least so much is missing; null: open."),
    ]
    within: Annotated[
        bool | None, Meta(description="Certainly within the budget, or not; null: the interval holds it.")
    ]


class PlanAccount(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """The answer of `rgm-verify account FILE --json`: `epsilon` (nats) or `delta` of a plan, certified."""

    rgm_verify: Annotated[str, Meta(description=_VERSION)]
    inputs: Annotated[dict[str, str], Meta(description=_INPUTS)]
    adjacency: str
    samplers: Annotated[
        list[str], Meta(description="How the batches of DP-SGD are drawn; of other releases none.")
    ] = []
    group: Annotated[int, Meta(description="The number of records that neighbours differ in.")]
    epsilon: End | None = None
    delta: End | None = None
    lines: list[PlanLine] = []
    budget: PlanBudget | None = None
    notes: list[str] = []

    @property
    def found(self) -> tuple[str, float, float | None]:
        """The name of what was asked for, and both ends."""
        return _asked(self.epsilon, self.delta)


def schema(*answers: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON schema of an answer, or of what is one of several answers.

    Args:
        answers: The structures; with one, the schema is its own, with several it has `oneOf`.
    """
    if len(answers) == 1:
        return msgspec.json.schema(answers[0])
    # Structures without tags cannot be a union for reading; for a schema they can, as their fields differ.
    found, parts = msgspec.json.schema_components(answers, ref_template="#/$defs/{name}")
    return {"oneOf": list(found), "$defs": parts}


def as_json(answer: msgspec.Struct) -> str:
    """Return an answer as JSON, indented; the same answer gives the same text."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=1).decode()


# ------------------------------------------------------------------------------------------------------------ text


def account_text(answer: Account, *, explain: bool = False) -> str:
    """Return an answer as lines for reading: the interval, what it promises, and what printed bounds say.

    The printed bounds are for comparison; one that promises less than is certified to be needed is marked as unsafe.
    `explain`: how the ends are known is said as well.
    """
    return "\n".join(_account_lines(answer, explain))


def _account_lines(answer: Account, explain: bool) -> Iterator[str]:
    """Yield the lines of an account: the answer first, then what a reader may skip."""
    known = Range(
        lower=answer.lower, upper=answer.upper, lower_method=answer.lower_method, upper_method=answer.upper_method
    )
    # The answer in the first line: whoever reads one line reads this one.
    yield f"{answer.quantity} = {known.text}"
    yield from _guarantee(GIVEN, answer.inputs, answer.quantity, answer.upper)
    if explain:
        yield from _methods(known)
    yield from (f"  note: {note}" for note in answer.notes)
    if answer.printed:
        yield ""
        yield f"bounds on {answer.quantity} as the paper prints them, for comparison:"
        yield from _table(_printed_row(bound) for bound in answer.printed)


def _methods(known: Range) -> Iterator[str]:
    """Yield how the ends are known, in one line where both are known in the same way."""
    if known.lower_method == known.upper_method:
        yield f"  both ends: {known.lower_method}"
    else:
        yield f"  lower end: {known.lower_method}"
        yield f"  upper end: {known.upper_method}"


def _printed_row(bound: Printed) -> tuple[str, str, str]:
    """Return a row of the table of printed bounds: name, value rounded up, and what is to be said against it."""
    value = "-" if bound.value is None else decimal(bound.value, up=True)
    # The worst first: a refuted bound may still be large enough at these numbers.
    remarks = ["UNSAFE here: less than is needed"] * bound.unsafe
    remarks += [f"refuted, see {bound.corrected}"] * bound.refuted
    remarks += [f"does not apply: {bound.reason}"] * (bound.value is None)
    return f"{bound.name}, {bound.version}", value, "; ".join(remarks)


def calibrated_text(answer: Calibrated) -> str:
    """Return an answer as lines for reading: the noise to use first.

    All digits of gamma are shown, as it is to be copied.
    """
    return "\n".join(_calibrated_lines(answer))


def _calibrated_lines(answer: Calibrated) -> Iterator[str]:
    yield f"gamma  = {answer.gamma}"
    # Without an absolute part of the sensitivity there is no baseline noise to set.
    if answer.sigma2 != "0":
        yield f"sigma2 = {decimal(Fraction(answer.sigma2), up=True, digits=10)}"
    yield f"  the least gamma is in {answer.least_gamma.text}"
    yield from _methods(answer.least_gamma)
    yield f"  delta = {answer.delta.text}; the floor is {answer.floor.text}"
    yield from (f"  note: {note}" for note in answer.notes)
    if answer.trade_off:
        yield ""
        yield "more relative noise for less baseline noise, each certified:"
        yield from _table(_trade_rows(answer.trade_off))


def _trade_rows(points: Iterable[TradePoint]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of other choices of noise, with the share of the usual baseline that each takes, rounded up."""
    yield "gamma", "sigma2", "of gamma r_rel^2/eta^2"
    for point in points:
        share = Fraction(point.sigma2) / Fraction(point.covering_sigma2)
        yield point.gamma, point.sigma2, decimal(100 * share, up=True, digits=3) + " %"


def sampled_text(answer: SampledAccount, *, explain: bool = False) -> str:
    """Return an answer as lines for reading; `ValueError` for one with neither epsilon nor delta.

    `explain`: how the ends are known is said as well.
    """
    name, end = ("epsilon", answer.epsilon) if answer.epsilon is not None else ("delta", answer.delta)
    if end is None:
        raise ValueError("an answer with neither epsilon nor delta")
    lines = [f"{name} = {end.text}", *_guarantee(answer.adjacency, answer.inputs, name, end.upper)]
    lines += _assumptions(answer.adjacency, [answer.sampler])
    lines += _explained(end, explain)
    return "\n".join([*lines, *(f"  note: {note}" for note in answer.notes)])


def _guarantee(
    adjacency: str, inputs: Mapping[str, str], name: str, upper: float | None, group: int = 1
) -> Iterator[str]:
    """Yield what the upper end promises, in words; nothing where there is none."""
    if upper is not None:
        other = Fraction(inputs["delta" if name == "epsilon" else "epsilon"])
        epsilon, delta = (upper, other) if name == "epsilon" else (other, upper)
        yield f"  proved: {guarantee(adjacency, epsilon, delta, group=group)}"


def _assumptions(adjacency: str, samplers: Iterable[str]) -> Iterator[str]:
    """Yield what the account assumes of neighbours and batches."""
    words = [f"neighbours are {adjacency}", *map(assumption, samplers)]
    if adjacency != GIVEN:
        yield f"  assuming: {'; '.join(words)}"


def _explained(end: End, explain: bool) -> Iterator[str]:
    """Yield how the ends are known where that is asked for."""
    if explain:
        yield f"  {end.method}"


def sampled_calibrated_text(answer: SampledCalibrated) -> str:
    """Return an answer as lines for reading: the noise to use first.

    A multiplier that "was not found to suffice" may suffice all the same: the account of it was not narrow enough to
    tell.
    """
    lines = [f"noise multiplier = {answer.noise_multiplier}"]
    # 0 stands for none: every noise that was tried reached the target.
    if answer.fails != "0":
        lines.append(f"  {answer.fails} was not found to suffice")
    lines += [f"  delta = {answer.delta.text}", *_assumptions(answer.adjacency, [answer.sampler])]
    return "\n".join(lines)


def plan_text(answer: PlanAccount, *, explain: bool = False) -> str:
    """Return an answer as lines for reading: the total, what is left, and what each line costs alone.

    The costs of lines alone do not add up to the total, and the text says so. `explain`: how the ends are known is said
    as well.
    """
    return "\n".join(_plan_lines(answer, explain))


def solved_text(answer: SolvedAnswer) -> str:
    """Return an answer as lines for reading: the value to use first."""
    lines = [f"{answer.quantity.replace('_', ' ')} = {answer.value}"]
    if answer.fails is not None:
        lines.append(f"  {answer.fails} is certified to miss the target")
    lines += [
        f"  epsilon = {answer.epsilon.text}",
        f"  {', '.join([answer.mechanism, *answer.samplers, answer.adjacency])}",
    ]
    return "\n".join([*lines, *(f"  note: {note}" for note in answer.notes)])


def floor_text(answer: FloorAnswer) -> str:
    """Return an answer as lines for reading."""
    name, end = ("epsilon", answer.epsilon) if answer.epsilon is not None else ("delta", answer.delta)
    if end is None:
        raise ValueError("an answer with neither epsilon nor delta")
    return f"{name} = {end.text}\n  {end.method}: the best that any gamma can reach"


def _plan_lines(answer: PlanAccount, explain: bool) -> Iterator[str]:
    name, end = ("epsilon", answer.epsilon) if answer.epsilon is not None else ("delta", answer.delta)
    if end is None:
        raise ValueError("an answer with neither epsilon nor delta")
    yield f"{name} = {end.text}"
    yield from _guarantee(answer.adjacency, answer.inputs, name, end.upper, answer.group)
    yield from _assumptions(answer.adjacency, answer.samplers)
    yield from _explained(end, explain)
    if answer.budget is not None:
        yield _budget_line(name, answer.budget)
    yield from (f"  note: {note}" for note in answer.notes)
    if answer.lines:
        yield ""
        yield f"{name} of each line alone; they do not add up:"
        yield from _table((line.name, f"{line.mechanism} x {line.count}", line.alone.text) for line in answer.lines)


def _budget_line(name: str, budget: PlanBudget) -> str:
    """Return what is left of a budget, on the safe side of the interval, or that the interval does not say.

    Examples:
        >>> _budget_line("epsilon", PlanBudget(given="3", left=0.5, within=True)).strip()
        'budget 3: at least 0.5 of epsilon is left'
    """
    # Neither word would be certain.
    if budget.within is None or budget.left is None:
        return f"  budget {budget.given}: it lies inside the interval; ask for a narrower one"
    if budget.within:
        return f"  budget {budget.given}: at least {decimal(budget.left, up=False)} of {name} is left"
    return f"  budget {budget.given}: exceeded by at least {decimal(-budget.left, up=False)}"


def _table(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield rows with columns of equal width, without blanks at their ends; at least one row.

    Examples:
        >>> list(_table([("a", "1"), ("long", "2")]))
        ['  a     1', '  long  2']
    """
    known = list(rows)
    widths = [max(len(row[i]) for row in known) for i in range(len(known[0]))]
    for row in known:
        yield ("  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))).rstrip()


def exact_inputs(values: Mapping[str, Fraction | int | str | None]) -> dict[str, str]:
    """Return exact numbers as texts, and texts as they are, without those that were not given.

    Examples:
        >>> exact_inputs({"gamma": Fraction(1, 8), "eta": Fraction(1, 3), "delta": None})
        {'gamma': '0.125', 'eta': '1/3'}
    """
    return {
        name: value if isinstance(value, str) else exact_text(Fraction(value))
        for name, value in values.items()
        if value is not None
    }
