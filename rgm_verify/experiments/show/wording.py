"""Names of methods and descriptions of their accounts in words, for figures and tables alike.

A cost is that of the worst node in the worst run, rounded up; a number that nothing guarantees is said to be none.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rgm_verify.experiments.accounts import Cost, NodeAccount
from rgm_verify.experiments.run.records import MethodRecord, PanelRecord, Record
from rgm_verify.experiments.trainings.methods import REALLY, STATED
from rgm_verify.numbers.decimals import recorded_decimal

NO_GUARANTEE = "no guarantee"
"""Stands where no finite upper bound is proved, and where one of several numbers has none."""
UNBOUNDED = ", infinite for other data within its bounds"
_BASES = {
    "none": "no noise",
    "clip": "clipping at c",
    "clip-high": "clipping at 10c",
    "clip-low": "clipping at c/10",
    "clip-x": "clipping at multiples of c",
    "iterate": "noise at the iterate",
    "rgm": "relative Gaussian",
}
_TRAINED = {"none": "no noise", "dp": "DP-SGD", "geodp": "GeoDP as printed", "clamped": "GeoDP clamped, proved noise"}
_SWEPT = "clip-x"
_BASIS = {"printed": "as printed", "vouched": "vouched", "exact": "calibrated exactly"}
_FAMILIES = {"clip": "all clipping", "rgm": "all relative Gaussian methods"}
_SHOWN = 4  # names in a sentence, which has to be read
_PLOTTED = {
    "excess": "excess of the mean objective",
    "pooled": "excess of the objective over all records",
    "distance": "squared distance to the minimiser",
    "": "mean loss of a batch",
}
_X = {"iteration": "iteration", "threshold": "clipping threshold, in units of c"}


@dataclass(frozen=True)
class Name:
    """The name of a method in its parts: what it does, and on which constants it rests ("" for neither).

    `factor` is the multiple of c at which a method of a sweep clips, else "".
    """

    base: str
    basis: str
    factor: str = ""

    @classmethod
    def of(cls, method: str) -> Name:
        """Split a name such as clip-high-printed or clip-x1e-3-printed.

        Args:
            method: as records have it. One without a known basis at its end is a base as a whole.

        Examples:
            >>> Name.of("clip-x1e-3-printed").factor, Name.of("rgm-exact").title, Name.of("none").basis
            ('1e-3', 'relative Gaussian, calibrated exactly', '')
        """
        # From the right: a factor such as 1e-3 has a hyphen of its own.
        base, _, basis = method.rpartition("-")
        if not base or basis not in _BASIS:
            return cls(method, "")
        return cls(_SWEPT, basis, base.removeprefix(_SWEPT)) if base.startswith(_SWEPT) else cls(base, basis)

    @property
    def curve(self) -> str:
        """The curve that the method belongs to: a sweep is one curve."""
        return "-".join(part for part in (self.base, self.basis) if part)

    @property
    def title(self) -> str:
        """The name for reading."""
        if found := _trained(self.base):
            return found
        base = f"clipping at {self.factor} c" if self.factor else _BASES.get(self.base, self.base)
        return f"{base}, {_BASIS[self.basis]}" if self.basis else base


def _trained(method: str) -> str:
    """Return the name of a method of trainings for reading; "" for other methods."""
    parts = re.fullmatch(r"(none|dp|geodp|clamped)(?:-([0-9.]+))?(-auto-s)?", method)
    if not parts:
        return ""
    factor = f", β = {parts[2]}" if parts[2] else ""
    return _TRAINED[parts[1]] + factor + (", AUTO-S" if parts[3] else "")


def plotted(panel: PanelRecord) -> str:
    """Return the name of the quantity that the curves of a panel show."""
    name = str(panel.setup.get("plotted", ""))
    return _PLOTTED.get(name, name)


def across(panel: PanelRecord) -> str:
    """Return the name of the horizontal axis."""
    return _X.get(panel.x, panel.x)


# -------------------------------------------------------------------------------------------------------------- costs


def accounts(methods: Iterable[MethodRecord]) -> list[NodeAccount]:
    """The accounts of all runs and nodes of some methods, in the order of the record."""
    return [account for method in methods for run in method.runs for account in run.accounts]


def at_most(found: Sequence[NodeAccount], cost: Callable[[NodeAccount], Cost], *, digits: int = 3) -> str:
    """The worst upper end, rounded up; `NO_GUARANTEE` where one account has none.

    Args:
        cost: which of their costs is meant.
    """
    # The largest of the ends that are known would be no bound: what is not known may be larger.
    uppers = [cost(account).upper for account in found]
    known = [upper for upper in uppers if upper is not None]
    return recorded_decimal(max(known), up=True, digits=digits) if known and len(known) == len(uppers) else NO_GUARANTEE


def privacy(found: Sequence[NodeAccount]) -> str:
    """Return the costs of one release and of all of them, in a phrase for each target.

    Args:
        found: accounts of one method. Those that aim at different levels, or have another delta, are told apart.

    Returns:
        Words for a legend: upper ends rounded up; "not private" where no account has noise; and the reason where none
        is feasible.
    """
    private = [account for account in found if account.noise != "none"]
    if not private:
        return "not private"
    feasible = [account for account in private if account.feasible]
    # What is not run has no cost, and must not look free.
    if not feasible:
        return f"not feasible: {private[0].reason or 'no noise reaches the target'}"
    # In the order in which they come up, so that a figure and its tables say them alike.
    targets: dict[tuple[float | None, float | None], list[NodeAccount]] = {}
    for account in feasible:
        targets.setdefault((account.aim, account.delta), []).append(account)
    return "; ".join(_phrase(aim, delta, of) for (aim, delta), of in targets.items())


def _phrase(aim: float | None, delta: float | None, found: Sequence[NodeAccount]) -> str:
    """Return what some accounts cost for one target."""
    release = at_most(found, lambda account: account.release)
    total = at_most(found, lambda account: account.epsilon)
    phrase = _really(release) if aim is None else f"aims at {parameter(aim)} a release, {_really(release)}"
    phrase += UNBOUNDED * any(account.unbounded for account in found)
    return phrase if delta is None or total == NO_GUARANTEE else f"{phrase} (all: ε ≤ {total})"


def meaning_of_costs(record: Record) -> str:
    """Return a sentence that explains the numbers of `privacy`, or of `cost_of_training`, with their order and delta.

    Args:
        record: of either kind; its own kind decides which costs are meant.
    """
    # Costs of trainings are of all steps, those of two nodes of one release: the words must not be mixed up.
    if record.kind == "training":
        deltas = ", ".join(dict.fromkeys(str(panel.setup.get("delta")) for panel in record.panels))
        return (
            f"ε is that of all steps together at δ = {deltas}, one record replaced, over all data and losses: proved "
            "ends, and what the paper states."
        )
    found = accounts(method for panel in record.panels for method in panel.methods)
    orders, deltas, steps = (
        ", ".join(dict.fromkeys(parameter(v) for v in values if v is not None))
        for values in ([a.order for a in found], [a.delta for a in found], [float(a.iterations) for a in found])
    )
    return (
        f"Costs are Rényi divergences of order {orders} of one release, of the worst node in the worst run; ε is that "
        f"of all {steps} releases together, at δ = {deltas}."
    )


def parameter(value: float) -> str:
    """A parameter as it was given, to six digits.

    Rounded to nearest: it is what was asked for, and no bound.

    Examples:
        >>> parameter(0.1), parameter(1e-06)
        ('0.1', '1e-6')
    """
    return f"{value:.6g}".replace("e-0", "e-").replace("e+0", "e")


def _really(release: str) -> str:
    """Return what a release costs, or that nothing is guaranteed."""
    return NO_GUARANTEE if release == NO_GUARANTEE else f"costs at most {release}"


def curve_line(record: Record, curve: str) -> str:
    """A curve with what its privacy really is over all panels, and where it is not feasible, for a legend.

    Args:
        record: with all panels of the figure, as one legend is for all of them.
        curve: as `Name.curve` has it; a sweep of thresholds is one curve.
    """
    found = {p.name: [m for m in p.methods if Name.of(m.method).curve == curve] for p in record.panels}
    if record.kind == "training":
        return f"{Name.of(curve).title} — {cost_of_training(m for methods in found.values() for m in methods)}"
    line = f"{Name.of(curve).title} — {privacy(accounts(m for methods in found.values() for m in methods))}"
    without = [name for name, methods in found.items() if not all(a.feasible for a in accounts(methods))]
    some = any(a.feasible for methods in found.values() for a in accounts(methods))
    return f"{line}; not feasible: {_listed(without)}" if without and some else line


def cost_of_training(methods: Iterable[MethodRecord]) -> str:
    """Return the epsilons of a method over some panels in a phrase: proved ends, and what is stated besides.

    Args:
        methods: one method in several panels, whose costs may differ by their noise and their steps.

    Returns:
        `ε ≤` the proved upper end, rounded up; or, where the paper states another number than is proved, `ε ≥` the
        proved lower end, rounded down, beside the stated one. A range where the panels differ.
    """
    found = [run.costs for method in methods for run in method.runs]
    if not any(found):
        return "not private"
    # Where both are the same interval the upper end is what counts; where more is stated than holds, the lower end is.
    if any(costs[REALLY] != costs.get(STATED, costs[REALLY]) for costs in found):
        lowers = [costs[REALLY].lower or 0.0 for costs in found]
        least = _between(recorded_decimal(x, up=False, digits=3) for x in (min(lowers), max(lowers)))
        return f"ε ≥ {least} (stated: ≤ {_upper(found, STATED)})"
    return f"ε ≤ {_upper(found, REALLY)}"


def _upper(found: Iterable[Mapping[str, Cost]], name: str) -> str:
    """Return the range of the upper ends of a cost, rounded up."""
    uppers = [costs[name].upper for costs in found]
    known = [upper for upper in uppers if upper is not None]
    # A range over some panels would hide that another one has no bound.
    if len(known) < len(uppers):
        return NO_GUARANTEE
    return _between(recorded_decimal(x, up=True, digits=3) for x in (min(known), max(known)))


def _between(ends: Iterable[str]) -> str:
    """Return a range in words; one number where both ends are the same."""
    return " to ".join(dict.fromkeys(ends))


# ---------------------------------------------------------------------------------------------------------- divergence


def divergence(method: MethodRecord) -> str:
    """Return the number of runs in which the method diverged and when first, in words; "" where none did."""
    # Step 0 is a step too, and false as a truth value.
    steps = [step for run in method.runs if (step := run.diverged) is not None]
    if not steps:
        return ""
    if len(method.runs) == 1:
        return f"diverged at step {steps[0]}"
    many = "all" if len(steps) == len(method.runs) else f"{len(steps)} of {len(method.runs)}"
    return f"diverged in {many} runs, first at step {min(steps)}"


def divergences(record: Record) -> list[str]:
    """Return a sentence on the methods with runs that diverged; an empty list where no run did."""
    found = [
        f"{Name.of(method.method).title} ({panel.name}) {phrase}"
        for panel in record.panels
        for method in panel.methods
        if (phrase := divergence(method))
    ]
    return [f"A cross at the edge is where a method diverges: {_listed(found)}."] if found else []


def _listed(names: Sequence[str]) -> str:
    """Return the first few of some names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


# ------------------------------------------------------------------------------------------------------------- caveats


def caveats(record: Record) -> list[str]:
    """Sentences on what is unfair or not guaranteed, each once, beginning with the methods that it is about.

    Args:
        record: whose accounts have the caveats; the same words in many accounts become one sentence.
    """
    # Dictionaries for their order: sets would put the methods in another order in each process.
    about: dict[str, dict[str, None]] = {}
    private: dict[str, None] = {}
    for panel in record.panels:
        for method in panel.methods:
            curve = Name.of(method.method).curve
            if any(account.noise != "none" for account in accounts([method])):
                private[curve] = None
            for account in accounts([method]):
                for sentence in account.caveats:
                    about.setdefault(sentence, {})[curve] = None
    return [f"{_together(list(curves), list(private))}: {sentence}." for sentence, curves in about.items()]


def _together(curves: Sequence[str], private: Sequence[str]) -> str:
    """The curves in few words: families that are complete by their names."""
    if set(curves) == set(private):
        return "All private methods"
    # A family by its name only if all of its members are meant: else each is named.
    left, parts = list(curves), []
    for family, title in _FAMILIES.items():
        members = [curve for curve in private if curve.split("-")[0] == family]
        if len(members) > 1 and set(members) <= set(left):
            parts.append(title)
            left = [curve for curve in left if curve not in members]
    found = "; ".join([*parts, *(Name.of(curve).title for curve in left)])
    return found[:1].upper() + found[1:]


def provenance(record: Record) -> list[str]:
    """On which data, how often, and what the band is, as sentences.

    Synthetic records are said to be such first: their numbers say nothing about the real set.
    """
    sentences = []
    for source in record.datasets:
        kind = "synthetic records, not the real set" if source.synthetic else "data"
        limits = f"; {source.limits}" if source.limits else ""
        sentences.append(f"{source.name}: {kind}, {source.records:,} records, {source.features} features{limits}.")
    middle = "one run" if record.runs == 1 else f"geometric mean of {record.runs} runs, band from least to greatest"
    return [*sentences, f"Lines: {middle}; seed {record.seed}."]


def wrapped(sentences: Iterable[str], width: int) -> str:
    """Sentences as lines of at most `width` characters; each sentence begins a line of its own."""
    return "\n".join(line for sentence in sentences for line in textwrap.wrap(sentence, width))
