"""Read a record for tables: bands and medians over the runs, what methods are called, and how numbers are shown."""

from fractions import Fraction

from rgm_verify.errors import InputError
from rgm_verify.experiments.run.compact import Measurements
from rgm_verify.numbers.decimals import decimal, interval

END, START = "at the end", "at 0"
SPLITS = {"random": "at random", "label": "by label", "bias": "with a bias"}
PRINTED = ("clip-printed", "clip-high-printed", "clip-low-printed", "rgm-printed")
SAFE = ("clip-vouched", "clip-high-vouched", "clip-low-vouched", "iterate-vouched", "rgm-vouched", "rgm-exact")
WORDS = {
    "none": "no noise",
    **{
        f"{stem}-{basis}": f"clipping at {at}, {basis}"
        for stem, at in (("clip", "c"), ("clip-high", "10 c"), ("clip-low", "c/10"))
        for basis in ("printed", "vouched")
    },
    "iterate-vouched": "noise at the iterate",
    "rgm-printed": "relative noise, as printed",
    "rgm-vouched": "relative noise, the paper's procedure, vouched",
    "rgm-exact": "relative noise, calibrated exactly",
}
NO = "–"


class Numbers:
    """The numbers of a record: intervals over the runs, and medians; None where some run has no finite value.

    Args:
        record: in its compact form.
    """

    def __init__(self, record: Measurements) -> None:
        self.record = record

    def runs(self, panel: str, method: str, quantity: str = END) -> list[tuple[Fraction, Fraction]] | None:
        """The interval of each run."""
        # A table has a cell for what a method does not have; a claim asks the record itself, and is told.
        try:
            return self.record.intervals(panel, method, quantity)
        except InputError:
            return None

    def ends(self, panel: str, method: str, quantity: str = END) -> tuple[Fraction, Fraction] | None:
        """The least lower and the greatest upper end over the runs: an interval that holds what every run has.

        Args:
            panel: by name.
            method: by name.
            quantity: as `Measurements.intervals` has it.
        """
        found = self.runs(panel, method, quantity)
        return None if found is None else (min(low for low, _ in found), max(high for _, high in found))

    def median(self, panel: str, method: str, quantity: str = END) -> Fraction | None:
        """The median of the upper ends over the runs, exact; arguments as in `ends`.

        Of measured values, whose ends are one number, it is the median; of bounds it is on the safe side.
        """
        found = self.runs(panel, method, quantity)
        if found is None:
            return None
        highs = sorted(high for _, high in found)
        # Both are the middle one for an odd number of runs.
        return (highs[(len(highs) - 1) // 2] + highs[len(highs) // 2]) / 2

    def methods(self, panel: str, stem: str, basis: str) -> list[str]:
        """The methods of a panel whose names begin and end like this."""
        names = [each.method for each in self.record.panel(panel).methods]
        return [name for name in names if name.startswith(stem) and name.endswith(f"-{basis}")]

    def best(self, panel: str, basis: str) -> tuple[str, Fraction] | None:
        """The clipping method with the least median, and that."""
        found = {m: self.median(panel, m) for m in self.methods(panel, "clip", basis)}
        known = {m: value for m, value in found.items() if value is not None}
        return min(known.items(), key=lambda item: item[1]) if known else None


def band(ends: tuple[Fraction, Fraction] | None, digits: int = 3) -> str:
    """The interval, rounded outward."""
    return NO if ends is None else interval(*ends, digits=digits)


def value_of(best: tuple[str, Fraction] | None) -> Fraction | None:
    """The value of what `Numbers.best` found."""
    return None if best is None else best[1]


def times(first: Fraction | None, second: Fraction | None) -> str:
    """A quotient in two digits; words where the method cannot be run.

    Args:
        first: None for a method that is out of reach.
        second: what it is compared with; None or 0 where there is nothing to compare with.

    Examples:
        >>> times(Fraction(3), Fraction(2)), times(None, Fraction(2)), times(Fraction(3), None)
        ('1.5', 'out of reach', '–')
    """
    return "out of reach" if first is None else NO if not second else _short(float(first / second))


def percent(first: Fraction | None, second: Fraction | None) -> str:
    """The same in percent."""
    return "out of reach" if first is None else NO if not second else f"{_short(float(100 * first / second))} %"


def _short(value: float) -> str:
    """Two digits of a quotient of medians, without an exponent where it is not small."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def threshold(method: str) -> str:
    """The multiple of c in the name of a method.

    Examples:
        >>> threshold("clip-printed"), threshold("clip-low-vouched"), threshold("clip-x1e-3-printed")
        ('c', 'c/10', '1e-3 c')
    """
    multiple = method.removeprefix("clip").removeprefix("-").rpartition("-")[0].removeprefix("x")
    return {"": "c", "high": "10 c", "low": "c/10", "1": "c", "1e-1": "c/10"}.get(multiple, f"{multiple} c")


def account(found: Numbers, split: str, method: str, node: int) -> list[str]:
    """The eta of a node, what a release costs, what the data reach of that, what all releases cost, and the floor.

    Args:
        found: the record.
        split: its panel.
        method: by name.
        node: 1 or 2.

    Returns:
        Five cells, rounded outward. The cost of relative noise is shown from what some data within the bounds reach, as
        the lower end of its account holds for the vouched sensitivity and not for data.
    """
    release = found.ends(split, method, f"node {node}: release")
    reached = found.ends(split, method, f"node {node}: reached_anywhere")
    lower = reached if "rgm" in method else release
    total = found.ends(split, method, f"node {node}: epsilon")
    own = found.ends(split, method, f"node {node}: reached")
    return [
        band(found.ends(split, method, f"node {node}: eta")),
        band((lower[0], release[1])) if release and lower else "out of reach",
        decimal(own[0], up=False, digits=4) if own else NO,
        decimal(total[1], up=True, digits=3) if total else NO,
        band(found.ends(split, method, f"node {node}: floor")),
    ]


def point(x: str, ends: tuple[Fraction, Fraction]) -> list[str]:
    """A point of a figure, rounded outward."""
    return [x, decimal(ends[0], up=False), decimal(ends[1], up=True)]
