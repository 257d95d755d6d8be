"""The grade of accountants by other people: how often they are on the unsafe side, how loose, how fast, where they fail.

Everything is read from the record that `nox -s grade` writes.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rgm_verify.claims.chapter import Block, Chapter, Heading, Paragraph, Table
from rgm_verify.numbers.decimals import decimal

from .accountants_data import BETA, DELTA, EPSILON, FOLDER, INTERVAL, UPPER, Graded, Run, graded, truths

KINDS = {"gaussian": "Gaussian", "sampled": "subsampled Gaussian", "laplace": "Laplace", "rgm": "relative Gaussian"}
#: Shortfalls below it are the rounding of floats, counted apart.
ROUNDING = Fraction(1, 10**9)
WORST = 3


@dataclass(frozen=True)
class Answer:
    """An answer of an accountant beside the truth.

    Attributes:
        run: what was asked about.
        at: where it was asked.
        lower: the certified lower end.
        upper: the certified upper end.
        above: the answer, its upper end if it is an interval; None for no number.
        below: the lower end of the answer, if it is an interval.
    """

    run: Run
    at: float
    lower: Fraction
    upper: Fraction
    above: float | None
    below: float | None

    @property
    def short(self) -> bool:
        """Truth of: the answer is on the unsafe side of the certified interval: a truth beyond what it says."""
        if self.above is None:
            return False
        if self.run.asks == BETA:
            return Fraction(self.above) > self.upper
        return not math.isinf(self.above) and Fraction(self.above) < self.lower

    @property
    def shortfall(self) -> Fraction:
        """Distance of an unsafe answer from the nearer certified end."""
        end = self.upper if self.run.asks == BETA else self.lower
        return abs(Fraction(self.above or 0) - end)

    @property
    def relative(self) -> Fraction:
        """The shortfall over the nearer certified end."""
        return self.shortfall / (self.upper if self.run.asks == BETA else self.lower)

    @property
    def excess(self) -> Fraction | None:
        """Excess of an answer over the certified upper end, relative to it; None where it is no finite number."""
        if self.above is None or math.isinf(self.above):
            return None
        return max(Fraction(0), Fraction(self.above) / self.upper - 1)

    @property
    def overtaken(self) -> bool:
        """Truth of: the lower end of an interval is above the certified upper end."""
        return self.below is not None and math.isfinite(self.below) and Fraction(self.below) > self.upper


def answers(found: Graded, runs: Sequence[Run]) -> list[Answer]:
    """Return all answers of an accountant beside the truths."""
    rows = []
    for of_run in found.answers:
        run = runs[of_run.run]
        for k, at in enumerate(run.at):
            below = _number(of_run.below[k]) if of_run.below else None
            ends = Fraction(run.lower[k]), Fraction(run.upper[k])
            rows.append(Answer(run, at, *ends, _number(of_run.above[k]), below))
    return rows


def _number(text: str) -> float | None:
    """Return a number that was recorded, or infinity; None for none, and for what is below every number."""
    value = float(text) if text else math.nan
    return None if math.isnan(value) or value == -math.inf else value


def build(profile: str) -> list[Block]:
    """Return all blocks; they do not depend on the profile."""
    known = truths()
    found = [(each, answers(each, known.runs)) for each in graded()]
    return [
        *introduction(known.runs, known.seconds),
        advice(found),
        *overview(found),
        *by_kind(found),
        *findings(found),
        *failures(found),
        *hand_over(found),
    ]


Rows = Sequence[tuple[Graded, list[Answer]]]


def introduction(runs: Sequence[Run], seconds: float) -> Iterable[Block]:
    """The questions, and what counts."""
    kinds: Counter[tuple[str, str]] = Counter()
    for run in runs:
        kinds[KINDS[run.kind], run.asks] += len(run.at)
    total = sum(kinds.values())
    yield Paragraph(
        text=f"{total} questions of which we know the answer as a certified interval, from {len(runs)} mechanisms of 1 to "
        rf"100,000 releases, $\delta$ from $10^{{-2}}$ to $10^{{-15}}$; the truths took {round(seconds / 60)} minutes of "
        "one processor. Each accountant was asked what it knows, in an environment of its own. An answer is unsafe only if "
        "the package promises a bound, and the answer with its own stated error is on the wrong side of the whole "
        "certified interval. Answers are rounded to 12 digits, in the package's "
        "favour. Where a package promises a value or an estimate, the same answers are counted as short, and none of them is called unsafe."
    )
    yield Table(
        caption="The questions.",
        columns=["mechanism", "asks for", "questions"],
        rows=[[kind, asks, str(count)] for (kind, asks), count in sorted(kinds.items())],
    )


def advice(found: Rows) -> Block:
    """Which of these accountants to rely on, by what was found here."""
    bounds = [(each.name, rows) for each, rows in found if each.promise in (UPPER, INTERVAL)]
    safe, unsafe = [], []
    for name, rows in bounds:
        short = [a for a in rows if a.run.asks == EPSILON and a.short and a.relative > ROUNDING]
        if short:
            largest = max(a.relative for a in short)
            unsafe.append(
                f"{name} at some delta up to {decimal(Fraction(max(a.at for a in short)), up=True, digits=2)}, "
                f"by at most {_percent(largest)} of epsilon"
            )
        elif any(a.run.asks == EPSILON and a.above is not None for a in rows):
            excess = sorted(a.excess for a in rows if a.excess is not None and a.run.asks == EPSILON)
            safe.append(f"{name} (epsilon {_percent(_quantile(excess, 0.5) or 0)} too large in the median)")
    return Paragraph(
        text=f"What to rely on. No epsilon was too small from {'; '.join(safe)}. Too small were answers of "
        f"{'; '.join(unsafe)}: add at least that much, or ask for a certified interval."
    )


def _percent(share: Fraction | float) -> str:
    return decimal(100 * Fraction(share), up=True, digits=2) + " %"


def overview(found: Rows) -> Iterable[Block]:
    """One line for each accountant: safety, then looseness and speed."""
    yield Heading(text="How safe")
    rows = []
    for each, all_of_them in found:
        short = [a for a in all_of_them if a.short]
        given = [a for a in all_of_them if a.above is not None]
        beyond = [a for a in short if a.relative > ROUNDING]
        rows.append(
            [
                each.name,
                each.promise,
                str(len(given)),
                _count(short, each),
                str(len(beyond)),
                _largest(beyond, lambda a: a.relative),
                _in_units(each, beyond),
                str(sum(a.overtaken for a in all_of_them)) if each.promise == INTERVAL else "",
            ]
        )
    yield Table(
        caption="Answers on the unsafe side of the certified interval. A shortfall is measured from the nearer certified "
        "end, relative to it; in units of the error that the package states of itself, beyond its own end.",
        columns=[
            "accountant",
            "promises",
            "answers",
            "unsafe",
            "by more than 1e-9",
            "largest, relative",
            "in units of its error",
            "false lower ends",
        ],
        rows=rows,
    )
    yield Heading(text="How loose, and how fast")
    rows = []
    for each, all_of_them in found:
        excess = sorted(a.excess for a in all_of_them if a.excess is not None and not a.short and a.run.asks == EPSILON)
        times = sorted(of_run.seconds for of_run in each.answers)
        rows.append(
            [
                each.name,
                _share(_quantile(excess, 0.5)),
                _share(_quantile(excess, 0.9)),
                _share(excess[-1] if excess else None),
                str(sum(a.above == math.inf for a in all_of_them)),
                _seconds(_quantile(times, 0.5)),
                _seconds(times[-1] if times else None),
            ]
        )
    yield Table(
        caption="Epsilon above the certified upper end, of the answers that are not short: median, nine tenths, largest; "
        "then how often the answer is infinite, and the processor time for the questions about one mechanism (about eight).",
        columns=["accountant", "median", "nine in ten below", "largest", "infinite", "seconds, median", "largest"],
        rows=rows,
    )


def _count(short: Sequence[Answer], each: Graded) -> str:
    """Return how many are unsafe, or only short where no bound is promised."""
    return str(len(short)) if each.promise in (UPPER, INTERVAL) else f"({len(short)} short)"


def _largest(found: Iterable[Answer], measure: Callable[[Answer], Fraction]) -> str:
    values = [measure(a) for a in found]
    return decimal(max(values), up=False, digits=3) if values else ""


def _in_units(each: Graded, beyond: Iterable[Answer]) -> str:
    """Return the largest shortfall of an epsilon over the stated error; a stated error of 0 has no units."""
    of_epsilon = [a for a in beyond if a.run.asks == EPSILON]
    if not of_epsilon:
        return ""
    if each.unit == 0:
        return "it states none"
    return decimal(max(a.shortfall for a in of_epsilon) / Fraction(each.unit), up=False, digits=3)


def _quantile(values: Sequence[Fraction] | Sequence[float], share: float) -> Fraction | float | None:
    return values[int(share * (len(values) - 1))] if values else None


def _share(value: Fraction | float | None) -> str:
    """Return a relative excess as a text, rounded up."""
    return "" if value is None else decimal(Fraction(value), up=True, digits=2)


def _seconds(value: Fraction | float | None) -> str:
    return "" if value is None else decimal(Fraction(value), up=True, digits=2)


def by_kind(found: Rows) -> Iterable[Block]:
    """Unsafe answers by mechanism and by delta."""
    yield Heading(text="Where they are unsafe")
    columns = [(kind, asks) for kind in KINDS for asks in (EPSILON, DELTA, BETA)]
    rows = []
    for each, all_of_them in found:
        for kind, asks in columns:
            here = [a for a in all_of_them if a.run.kind == kind and a.run.asks == asks and a.above is not None]
            short = [a for a in here if a.short and a.relative > ROUNDING]
            if short:
                steps = [a.run.steps for a in short]
                rows.append(
                    [
                        each.name,
                        KINDS[kind],
                        asks,
                        f"{len(short)} of {len(here)}",
                        f"{min(steps)} to {max(steps)}",
                        f"{min(a.at for a in short):g} to {max(a.at for a in short):g}",
                    ]
                )
    yield Table(
        caption="Answers that are short by more than 1e-9: of which mechanism, after how many releases, and where "
        "(a delta if epsilon is asked for, an epsilon if delta is, a rate of false alarms if that of misses is).",
        columns=["accountant", "mechanism", "asks for", "short", "releases", "where"],
        rows=rows,
    )


def findings(found: Rows) -> Iterable[Block]:
    """The worst answers of each accountant that promises a bound."""
    rows = []
    for each, all_of_them in found:
        if each.promise not in (UPPER, INTERVAL):
            continue
        short = [a for a in all_of_them if a.short and a.relative > ROUNDING]
        # Near 0 a relative error says little: the largest in what is asked for, of different runs.
        seen: set[tuple[Run, str]] = set()
        for a in sorted(short, key=lambda a: (-a.shortfall, a.at)):
            if (a.run, a.run.asks) in seen or len(seen) == WORST:
                continue
            seen.add((a.run, a.run.asks))
            rows.append(
                [
                    each.name,
                    _said(a.run),
                    f"{a.run.asks} at {a.at:g}",
                    f"{a.above:.10g}",
                    f"[{decimal(a.lower, up=False, digits=8)}, {decimal(a.upper, up=True, digits=8)}]",
                ]
            )
    yield Table(
        caption="The largest unsafe answers, from different runs. Scripts that show them are in `examples/accountants`.",
        columns=["accountant", "mechanism", "asks for", "answer", "certified"],
        rows=rows,
    )
    if negative := [(each.name, sum(a.above is not None and a.above < 0 for a in rows)) for each, rows in found]:
        said = ", ".join(f"{name} {count}" for name, count in negative if count)
        yield Paragraph(text=f"Answers below 0: {said or 'none'}.")


def _said(run: Run) -> str:
    """Return a run in words."""
    rate = f", rate {run.rate:g}" if run.kind == "sampled" else ""
    eta = f", eta {run.eta:g}, dimension {run.dimension}" if run.kind == "rgm" else ""
    return f"{KINDS[run.kind]} {run.noise:g}{rate}{eta}, {run.steps} releases"


def failures(found: Rows) -> Iterable[Block]:
    """Versions and calls of each accountant, and where it has no answer."""
    yield Heading(text="How they were asked, and where they have no answer")
    rows = []
    for each, all_of_them in found:
        reasons = Counter(reason for of_run in each.answers for reason in of_run.failed)
        rows.append(
            [
                each.name,
                ", ".join(f"{name} {version}" for name, version in each.versions.items()),
                each.option,
                each.stated,
                str(sum(a.above is None for a in all_of_them)),
                "; ".join(f"{reason} ({count} runs)" for reason, count in reasons.most_common(WORST)),
                str(each.unasked),
            ]
        )
    yield Table(
        caption="Versions and options; questions without a number and the most frequent reasons; questions that were not "
        "asked, since the time for the accountant was over (before that come three mechanisms known to be hard, and a mixed sample of the others).",
        columns=["accountant", "versions", "call", "stated error", "no number", "reasons", "not asked"],
        rows=rows,
    )


def hand_over(found: Rows) -> Iterable[Block]:
    """Our own hand-over."""
    yield Heading(text="Our own hand-over")
    for each, all_of_them in found:
        if not each.name.startswith("rgm_verify"):
            continue
        given = sum(a.above is not None for a in all_of_them)
        short = sum(a.short for a in all_of_them)
        yield Paragraph(
            text=f"{each.name} computes with dp-accounting, whose transforms have no error term. It bounds that error, adds "
            f"it to delta, and refuses where it is more than a tenth of delta: of {len(all_of_them)} questions it answered "
            f"{given} and refused or could not answer {len(all_of_them) - given}; {short} of its answers are unsafe."
        )


chapter = Chapter(
    "accountants",
    "The grade of accountants",
    "How often the accountants that people use are on the unsafe side of the truth, by how much against their own stated error, how loose and how fast they are, and where they fail.",
    build,
    reads=tuple(sorted(FOLDER.glob("*.json"))),
)
