"""The chapter on experiments, second part: what the paper leaves open, other data sets, centred features, and the data."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rgm_verify.claims.chapter import Block, Heading, Paragraph, Table
from rgm_verify.experiments.recorded.reading import *
from rgm_verify.experiments.run.compact import Measurements
from rgm_verify.numbers.decimals import decimal


def choices(record: Measurements) -> Iterable[Block]:
    """Conclusions that depend on what the paper leaves open."""
    found = Numbers(record)
    yield Heading(text="What the paper leaves open, and which conclusions depend on it")
    rows: list[list[str]] = []
    same: dict[str, list[str]] = {}
    for panel in record.panels:
        choice, split = panel.name.rsplit("-", 1)
        usual, here = _conclusions(found, f"default-{split}", split), _conclusions(found, panel.name, split)
        changed = [_changed(a, b) for a, b in zip(usual, here, strict=True)]
        if choice == "default" or any(changed):
            rows.append([_choice(choice), SPLITS[split], *(here if choice == "default" else changed)])
        else:
            same.setdefault(_choice(choice), []).append(SPLITS[split])
    yield Table(
        caption=f"One choice changed at a time, {record.runs} run{'s' * (record.runs != 1)} of clipping and the exact expectation of relative noise over the noise: the first rows are the defaults, the others show the conclusions that differ. Works: at most a hundredth of the excess at the start is left. "
        "Competitive: at most ten times the best of c/10, c and 10 c on constants of the same kind. A choice that clipping does not know is measured against clipping by the defaults.",
        columns=[
            "choice",
            "split",
            "relative noise works, as printed",
            "calibrated exactly",
            "competitive, as printed",
            "calibrated exactly",
            "best threshold, vouched",
            "c/10 works, vouched",
        ],
        rows=rows,
    )
    yield Paragraph(
        text="What matters most: which optimum c comes from (experiment:common-optimum-threshold-printed), since with the common one c is large enough for the bias and relative noise is competitive nowhere; the form and size of the bias; whether $b_{ij}$ has its $\\frac1N$ (experiment:heterogeneity-without-tuning-appendix-c); and the share "
        "that splits a proved sensitivity between its relative and its absolute part, which relative noise has to choose as clipping has its threshold (experiment:share-has-to-be-chosen)."
    )
    yield Paragraph(text="No conclusion changes for: " + _listed(same) + ".")


def _listed(same: Mapping[str, list[str]]) -> str:
    return "; ".join(
        f"{choice} ({', '.join(splits)})" if len(splits) < len(SPLITS) else choice for choice, splits in same.items()
    )


def _choice(name: str) -> str:
    return "the defaults" if name == "default" else name


def _changed(usual: str, here: str) -> str:
    return "" if usual == here else here


def _conclusions(found: Numbers, panel: str, split: str) -> list[str]:
    start = found.median(panel, "none", START)
    clipped = panel if found.methods(panel, "clip", "vouched") else f"default-{split}"
    best = {basis: found.best(clipped, basis) for basis in ("printed", "vouched")}
    ends = {method: found.median(panel, method, "final expected") for method in ("rgm-printed", "rgm-exact")}
    return [
        *(_works(ends[method], start) for method in ends),
        *(_within(ends[m], best[b]) for m, b in (("rgm-printed", "printed"), ("rgm-exact", "vouched"))),
        threshold(best["vouched"][0]) if best["vouched"] else NO,
        _works(found.median(clipped, "clip-low-vouched"), found.median(clipped, "none", START)),
    ]


def _works(end: Fraction | None, start: Fraction | None) -> str:
    return "out of reach" if end is None or start is None else "yes" if 100 * end <= start else "no"


def _within(end: Fraction | None, best: tuple[str, Fraction] | None) -> str:
    return "out of reach" if end is None else NO if best is None else "yes" if end <= 10 * best[1] else "no"


def other_data(sets: Measurements, figure_2: Measurements, cod_rna: Measurements) -> Iterable[Block]:
    """Other data sets, the two panels of Appendix D, and cod-rna under regularization."""
    found = Numbers(sets)
    yield Heading(text="Other data sets")
    yield Table(
        caption="Split at random, $\\varepsilon = 0.1$: the eta of node 1 over the runs, the best level that any gamma can reach, and the last value in units of clipping at c on constants of the same kind. Out of reach: the floor is above the level, or "
        f"the order 2 out of range. {_limits(sets)}",
        columns=[
            "data set",
            "records",
            "features",
            r"$\eta$ as printed",
            "floor",
            r"$\eta$ exact",
            "floor",
            "as printed / c",
            "exact / c",
        ],
        rows=[_set_row(found, panel.name) for panel in sets.panels],
    )
    both = Numbers(figure_2)
    yield Table(
        caption="Appendix D: the excess after 300 iterations from the least to the greatest of the runs. The subset of HIGGS is too small for relative noise; with each of its records counted 43 times, about "
        "as many as in the paper, descent without noise is no further after 300 iterations than with it, so that it shows little.",
        columns=["method", *(panel.name for panel in figure_2.panels)],
        rows=[
            [WORDS[m], *(_end_or_none(both, panel.name, m) for panel in figure_2.panels)]
            for m in ("none", *PRINTED, *SAFE)
        ],
    )
    regularized = Numbers(cod_rna)
    first = regularized.median(cod_rna.panels[0].name, "none", START)
    yield Table(
        caption="cod-rna under regularization: how much there is to learn, which is the excess at 0, and the eta of node 1. With the constants that privacy needs a small eta leaves nearly nothing to learn; as printed it would come "
        "early, and guarantees nothing there.",
        columns=[
            "regularization",
            "left to learn",
            r"$\eta$ as printed",
            r"$\eta$ exact",
            "divergence of a release as printed",
        ],
        rows=[
            [
                panel.name.removeprefix("mu="),
                percent(regularized.median(panel.name, "none", START), first),
                *(band(regularized.ends(panel.name, m, "node 1: eta")) for m in ("rgm-printed", "rgm-exact")),
                _at_most(regularized.ends(panel.name, "rgm-printed", "node 1: release")),
            ]
            for panel in cod_rna.panels
        ],
    )


def _limits(record: Measurements) -> str:
    return " ".join(f"{source.name}: {source.limits}." for source in record.datasets if source.limits)


def _at_most(ends: tuple[Fraction, Fraction] | None) -> str:
    return "no bound" if ends is None else f"at most {decimal(ends[1], up=True, digits=3)}"


def _set_row(found: Numbers, name: str) -> list[str]:
    source = found.record.source(found.record.panel(name))
    accounts = []
    for method in ("rgm-printed", "rgm-exact"):
        accounts += [band(found.ends(name, method, f"node 1: {q}")) for q in ("eta", "floor")]
    ends = [
        times(found.median(name, m), found.median(name, clip))
        for m, clip in (("rgm-printed", "clip-printed"), ("rgm-exact", "clip-vouched"))
    ]
    return [name, f"{source.records:,}", str(source.features), *accounts, *ends]


def _end_or_none(found: Numbers, panel: str, method: str) -> str:
    ends = found.ends(panel, method)
    return "out of reach" if ends is None else band(ends)


def centred(record: Measurements, raw: Measurements) -> Iterable[Block]:
    """Changes by centring the data."""
    found, usual = Numbers(record), Numbers(raw)
    yield Heading(text="Centred features")
    yield Paragraph(
        text="Whether features are centred decides more than any other choice. As printed, the absolute part follows the mean of the $b_{ij}$, which centring makes small: there is hardly any noise then, and relative noise is "
        "competitive on all three splits, for five to thirty times the stated privacy loss. With the constants that privacy needs little changes, since a neighbour's record is as long as before."
    )
    rows = []
    for split, words in SPLITS.items():
        for method, clip in (("rgm-printed", "clip-printed"), ("rgm-exact", "clip-vouched")):
            rows.append(
                [
                    words,
                    WORDS[method],
                    *(account(each, split, method, 1)[1] for each in (usual, found)),
                    *(times(each.median(split, method), each.median(split, clip)) for each in (usual, found)),
                ]
            )
    yield Table(
        caption="Each node subtracts the mean of its features, which is taken as public. The divergence of a release at node 1, and last values in units of clipping at c on constants of the same kind. Split by label little is left to learn "
        "once features are centred.",
        columns=["split", "method", "divergence, raw", "divergence, centred", "/ c, raw", "/ c, centred"],
        rows=rows,
    )


_FACTS: Mapping[str, tuple[str, str]] = {
    "records": ("node-1", "records of node 1"),
    "leverage": ("node-1", r"$R_c^2$: largest $x^\top A^{-1}x$"),
    "b": ("node-1", r"$|b_1|$"),
    "largest b": ("node-1", r"$\max_j|b_{1j}|$"),
    "threshold": ("node-1", "c at the node's own optimum"),
    "threshold at the common optimum": ("node-1", "c at the common optimum"),
    "share above threshold / 10": ("node-1", "share of gradients above c/10 there"),
    "step": ("nodes", r"$\tau$"),
    "largest stable step": ("nodes", "largest stable step"),
}


def data(record: Measurements) -> Iterable[Block]:
    """Properties of the data by themselves."""
    found = Numbers(record)
    everything, records = (found.median("random", "all", name) or Fraction(1) for name in ("leverage", "records"))
    yield Heading(text="What the data say")
    yield Table(
        caption=f"Node 1 of ijcnn1, from the least to the greatest of {record.runs} splits, in floating point. Over all records the largest $x^\\top A^{{-1}}x$ is {float(everything):.3g}, and $n/2R_c^2$ is {float(records / (2 * everything)):.3g}: "
        "the printed 780 takes $R_c$ from a node and n from both.",
        columns=["quantity", *SPLITS.values()],
        rows=[[words, *(band(found.ends(s, method, q), 4) for s in SPLITS)] for q, (method, words) in _FACTS.items()],
    )
