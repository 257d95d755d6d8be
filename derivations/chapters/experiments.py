"""The paper's experiments with the right constants: who handles heterogeneous nodes, at what privacy, on which data.

Everything is read from the records under `experiments/measured`, none of which has to be made for it.
"""

from collections.abc import Iterable

from rgm_verify.claims.chapter import Block, Chapter, Figure, Heading, Paragraph, Series, Table
from rgm_verify.experiments.recorded.reading import *
from rgm_verify.experiments.recorded.selection import NAMES
from rgm_verify.experiments.run.compact import Measurements

from ..experiments.notation import path, read
from ..experiments.operations import by_rows, closed_form, from_hessian, gradient
from .experiments_data import centred, choices, data, other_data


def build(profile: str) -> list[Block]:
    """Return all blocks; they do not depend on the profile."""
    figure_1, swept = read("figure-1"), read("threshold-sweep")
    return [
        *answers(figure_1, swept),
        *privacy(figure_1),
        *curves(figure_1),
        *sweep(swept),
        *choices(read("choices")),
        *other_data(read("datasets"), read("figure-2"), read("regularization")),
        *centred(read("centred"), figure_1),
        *data(read("facts")),
    ]


_READINGS = {
    "as printed": ("rgm-printed", "printed"),
    "vouched": ("rgm-vouched", "vouched"),
    "exact": ("rgm-exact", "vouched"),
}


def answers(figure_1: Measurements, swept: Measurements) -> Iterable[Block]:
    """The three questions, answered by medians of the runs."""
    found, over = Numbers(figure_1), Numbers(swept)
    yield Heading(text="The answers")
    yield Paragraph(
        text=r"Two nodes, ridge regression on ijcnn1, $\mu_{\rm reg} = 0.03$, order 2, $\varepsilon = 0.1$ for each release, 300 iterations from 0, a bias of norm 10 in the "
        rf"parameter of node 2; {figure_1.runs} runs, {swept.runs} for the sweep. What the paper leaves open is varied below. The constants are those of the paper (as printed), those "
        "that privacy needs by the paper's own procedure (vouched: Theorem 1, a tested level), or give the least noise that the exact Rényi curve allows with a proved sensitivity (exact). "
        "The sentences are judged as claims; medians of the runs are compared."
    )
    rows = []
    for split, words in SPLITS.items():
        start = found.median(split, "none", START)
        for name, (method, basis) in _READINGS.items():
            end, best = found.median(split, method), over.best(split, basis)
            recipe = found.median(split, f"clip-{basis}")
            rows.append(
                [
                    words,
                    name,
                    percent(end, start),
                    percent(recipe, start),
                    times(end, recipe),
                    times(over.median(split, method), value_of(best)),
                    threshold(best[0]) if best else NO,
                ]
            )
    yield Table(
        caption="The excess at the end as a share of that at the start, and that of relative noise over that of clipping, on constants of the same kind. Clipping at c needs no tuning; the best threshold "
        "of the sweep has to be found, which is not paid for. As printed the two do not cost the same privacy: see the next table.",
        columns=[
            "split",
            "constants",
            "relative noise leaves",
            "clipping at c leaves",
            "relative / clipping at c",
            "relative / best threshold",
            "best threshold",
        ],
        rows=rows,
    )
    yield Paragraph(
        text="Does relative noise handle heterogeneity without tuning? (experiment:heterogeneity-without-tuning-printed, experiment:heterogeneity-without-tuning-exact) As printed, yes: it leaves less than a hundredth everywhere, for five to seven times the stated privacy loss. "
        "With the constants that privacy needs, not where a node holds few records: split by label the paper's procedure cannot reach the level at all, and exact calibration leaves more than a hundredth. Clipping at the recipe's c, which is "
        "not tuned either, leaves less on two of the three splits. With a bias ten times as large the paper has a point: "
        f"relative noise as printed then leaves {times(over.median('bias-100', 'rgm-printed'), over.median('bias-100', 'clip-x1-printed'))} of what clipping at c does, and calibrated exactly "
        f"{times(over.median('bias-100', 'rgm-exact'), over.median('bias-100', 'clip-x1-vouched'))}."
    )
    yield Paragraph(
        text="Is it competitive with the best threshold? (experiment:can-be-competitive-printed, experiment:can-be-competitive-with-all-thresholds-exact) Of the three thresholds of Figure 1, within a factor of ten only where one node is biased, as printed and calibrated exactly; elsewhere it is tens of "
        "times worse, or more. Of all thresholds nowhere on the three splits: with the bias, 3 c is better than c and 10 c. With a bias of norm 100 it is, as printed "
        f"({times(over.median('bias-100', 'rgm-printed'), value_of(over.best('bias-100', 'printed')))} times the best), and is not with the right constants "
        f"({times(over.median('bias-100', 'rgm-exact'), value_of(over.best('bias-100', 'vouched')))} times)."
    )
    n, d = 70_845, 22
    rows_over_hessian, more = by_rows(n, d) // from_hessian(d), closed_form(n, d) / gradient(n, d) - 1
    yield Paragraph(
        text=f"Is clipping slower? (experiment:clipping-by-rows, experiment:clipping-in-closed-form) Row by row, yes: a step takes {rows_over_hessian:,} times the operations of an exact gradient from the 22-by-22 Hessian. In closed form it takes at most {100 * more:.1f} percent more than a "
        "gradient over the records: what is slow is the pass over the records, and not the clipping; and where few records are clipped even that pass can be spared. Times are ratios in the folder benchmarks, since they depend on the machine."
    )


def privacy(record: Measurements) -> Iterable[Block]:
    """Privacy that the recipes buy."""
    found = Numbers(record)
    yield Heading(text="What each recipe really buys")
    yield Paragraph(
        text=r"Every method aims at a divergence of 0.1 for a release at order 2. The lower end for relative noise is reached by two explicit datasets with records as long as those of the data, the upper one covers "
        "every pair that the proved sensitivity allows; clipping is exact. A test would refuse such datasets, and is not run; the next column has what the data themselves reach with an explicit neighbour. Sensitivities take the longest record and the largest leverage of the data as public, as the paper does (experiment:equivalent-guarantees-printed)."
    )
    rows = []
    for method in ("clip-printed", "clip-vouched", "rgm-printed", "rgm-vouched", "rgm-exact"):
        for split, words in SPLITS.items():
            accounts = [account(found, split, method, node) for node in (1, 2)]
            rows.append([WORDS[method], words, *(" / ".join(column) for column in zip(*accounts, strict=True))])
    yield Table(
        caption=r"Node 1 / node 2, over all runs; 300 releases together at $\delta = 10^{-6}$, an upper bound. The floor is the best level that any gamma can reach.",
        columns=[
            "method",
            "split",
            r"$\eta$",
            "divergence of a release",
            "reached by the data",
            r"$\varepsilon$ of all releases",
            "floor",
        ],
        rows=rows,
    )


def curves(record: Measurements) -> Iterable[Block]:
    """Figure 1 again, at round iterations."""
    found = Numbers(record)
    yield Heading(text="Figure 1, as printed and with the right constants")
    for split, words in SPLITS.items():
        for title, methods in (("as printed", PRINTED), ("with the constants that privacy needs", SAFE)):
            yield Figure(
                caption=f"Split {words}, {title}: the excess of the mean objective, from the least to the greatest of {record.runs} runs. {_unfair(title, split)}",
                x="iteration",
                y="excess",
                log_x=True,
                log_y=True,
                series=[each for method in methods if (each := _curve(found, split, method)).points],
            )


def _unfair(title: str, split: str) -> str:
    if title == "as printed":
        return "Clipping costs 0.2 a release here and relative noise 0.5 to 0.7: the comparison favours relative noise."
    if split == "label":
        return "All cost at most 0.1 a release; the paper's procedure is out of reach and not drawn. The threshold looks at the gradients, which is not paid for."
    return "All cost at most 0.1 a release. The threshold of clipping looks at the gradients at the optimum, which is not paid for."


def _curve(found: Numbers, panel: str, method: str) -> Series:
    places = [1, 2, 5, 10, 20, 50, 100, 200]
    named = [(str(place), f"at {place}") for place in places] + [("300", END)]
    bands = [(x, found.ends(panel, method, quantity)) for x, quantity in named]
    return Series(name=WORDS[method], points=[point(x, band) for x, band in bands if band is not None])


def sweep(record: Measurements) -> Iterable[Block]:
    """The last values over the thresholds."""
    found = Numbers(record)
    yield Heading(text="All thresholds")
    titles = {**SPLITS, "bias-100": "with a bias of norm 100"}
    for panel, words in titles.items():
        best = [found.best(panel, basis) for basis in ("printed", "vouched")]
        named = " and ".join(dict.fromkeys(threshold(each[0]) for each in best if each))
        yield Figure(
            caption=f"Split {words}: the excess after 300 iterations, from the least to the greatest of {record.runs} runs; relative noise knows no threshold and is level. "
            f"The best threshold is {named}, as printed and vouched; below it clipping moves the solution, above it it needs more noise.",
            x="threshold in units of the recipe's c",
            y="excess",
            log_x=True,
            log_y=True,
            series=[*(_swept(found, panel, basis) for basis in ("printed", "vouched")), *_level(found, panel)],
        )


def _swept(found: Numbers, panel: str, basis: str) -> Series:
    points = [
        point(method.removeprefix("clip-x").removesuffix(f"-{basis}"), band)
        for method in found.methods(panel, "clip", basis)
        if (band := found.ends(panel, method)) is not None
    ]
    return Series(name=f"clipping, {basis}", points=sorted(points, key=lambda each: float(each[0])))


def _level(found: Numbers, panel: str) -> Iterable[Series]:
    for method in ("rgm-printed", "rgm-vouched", "rgm-exact"):
        band = found.ends(panel, method)
        if band is not None:
            yield Series(name=WORDS[method], points=[point(x, band) for x in ("0.001", "1", "1000")])


chapter = Chapter(
    id="experiments",
    title="The experiments, with the right constants",
    summary="Whether relative noise handles heterogeneous nodes without tuning, is competitive with clipping, and faster: the paper's experiments on real data, as printed and with "
    "constants that privacy needs.",
    build=build,
    reads=tuple(path(name) for name in NAMES if not name.startswith("geodp-")),
)
