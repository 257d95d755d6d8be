r"""Appendix D of version 2: HIGGS, and ijcnn1 in the regime of high privacy.

On ijcnn1 at $\varepsilon = 10^{-3}$ relative noise as printed is some 75 times worse than the best threshold, and exactly calibrated some hundred times. On the subset of HIGGS it cannot be run at all;
with as many records as the paper has it can, as printed, at some three hundred times the stated privacy loss.
"""

from rgm_verify.pages import *

from .heterogeneity import READINGS
from .notation import Numbers, refs, source

page = Page("beyond", "App. D")
_THRESHOLDS = {"clip-low": ("l", "c/10"), "clip": ("c", "c"), "clip-high": ("h", "10 c")}
_HIGGS_LEVEL, _HIGH_PRIVACY = Rational(1, 100), Rational(1, 1000)


def _ends(numbers: Numbers, panel: str, method: str, clipping: str) -> tuple[Expr, list[Expr]]:
    relative = numbers.median("x", "excess at the end, relative noise", panel, method)
    others = [
        numbers.median(name, f"excess at the end, clipping at {at}", panel, f"{stem}-{clipping}")
        for stem, (name, at) in _THRESHOLDS.items()
    ]
    return relative, others


def _at_most(ends: tuple[Expr, list[Expr]], factor: int) -> Formula:
    relative, others = ends
    return both(*(le(relative, factor * other) for other in others))


def _high_privacy(basis: str) -> Claim:
    method, clipping, words = READINGS[basis]
    numbers = Numbers("figure-2")
    if basis == "vouched":
        floor = numbers("f", "best level that node 1 can reach by any gamma", "ijcnn1", method, "node 1: floor")
        conclusion: Formula = le(floor, _HIGH_PRIVACY)
    else:
        conclusion = _at_most(_ends(numbers, "ijcnn1", method, clipping), 10)
    return numbers.measurement(
        page.at("", refs(basis, "XP.18"), source=source(basis, "rgm-v2")),
        f"experiment:high-privacy-close-{basis}",
        f"At high privacy relative noise is close to clipping with the best threshold, {words}",
        conclusion,
        "On ijcnn1 at a level of a thousandth.",
        reading="Close: ten times, medians of the runs; best of the three thresholds of Figure 1, which is c, the smaller one that works.",
        mistake=(
            "false" if basis == "printed" else None,
            "experiment:high-privacy-between" if basis == "printed" else None,
        ),
        remark="It is better than c/10, whose bias is as large as ever, and than 10 c as printed: if c/10 was meant by the best, small, threshold, it is better than that.",
    )


def _between() -> Claim:
    numbers = Numbers("figure-2")
    relative, (low, recipe, high) = _ends(numbers, "ijcnn1", "rgm-printed", "printed")
    return numbers.measurement(
        page,
        "experiment:high-privacy-between",
        "At high privacy relative noise as printed is between the thresholds",
        both(le(relative, low), le(relative, high), gt(relative, 20 * recipe)),
        "On ijcnn1 at a level of a thousandth: better than c/10 and 10 c, and far worse than c.",
        wrong={"better than c": le(relative, recipe), "worse than 10 c": gt(relative, high)},
        reading="Medians of the runs, each method at the privacy that its printed recipe really buys.",
    )


def _dimension_at_high_privacy() -> Claim:
    numbers = Numbers("figure-2")
    floor = numbers(
        "f", "best level that node 1 can reach by any gamma, as printed", "ijcnn1", "rgm-printed", "node 1: floor"
    )
    exact = numbers(
        "g", "the same with the constants that privacy needs, exactly", "ijcnn1", "rgm-exact", "node 1: floor"
    )
    tested = numbers("t", "the same by the paper's procedure", "ijcnn1", "rgm-vouched", "node 1: floor")
    return numbers.measurement(
        page,
        "experiment:high-privacy-dimension-term",
        "At high privacy the term of the dimension is not negligible",
        both(gt(floor, _HIGH_PRIVACY / 10), gt(exact, 2 * _HIGH_PRIVACY / 3), gt(tested, _HIGH_PRIVACY)),
        "On ijcnn1 at a level of a thousandth: as printed, with the constants that privacy needs, and by the paper's procedure, the dimension alone takes this.",
        wrong={"half as printed": gt(floor, _HIGH_PRIVACY / 2), "all of it exactly": gt(exact, _HIGH_PRIVACY)},
        steps="beyond:high-privacy-dimension-term",
        reading="At node 1, split at random.",
    )


def _feasible(panel: str, basis: str) -> Claim:
    method, _, words = READINGS[basis]
    numbers = Numbers("figure-2")
    if (panel, basis) == ("higgs", "exact"):
        value = numbers("eta", "eta of node 1", panel, method, "node 1: eta")
        conclusion: Formula = le(value * (2 + value), 1)
    else:
        value = numbers("f", "best level that node 1 can reach by any gamma", panel, method, "node 1: floor")
        conclusion = le(value, _HIGGS_LEVEL)
    data = "the subset of 23,484 records" if panel == "higgs" else "the subset with each record counted 43 times"
    return numbers.measurement(
        page,
        f"experiment:{panel}-feasible-{basis}",
        f"On HIGGS relative noise reaches the level asked for, {data}, {words}",
        conclusion,
        f"Some noise ratio reaches a hundredth at order 2, at node 1, {data}.",
        wrong=(Mutant("a hundredth of the level", conclusion=le(value, _HIGGS_LEVEL / 100)),)
        if (panel, basis) == ("higgs-enlarged", "printed")
        else (),
        reading="The paper has $10^6$ records. Counting each record 43 times gives that number without the longer records that so many have."
        + (" The order 2 has to be in range, $\\eta(2+\\eta) < 1$." if (panel, basis) == ("higgs", "exact") else ""),
    )


def _similar() -> Claim:
    numbers = Numbers("figure-2")
    ends = _ends(numbers, "higgs-enlarged", "rgm-printed", "printed")
    relative, (low, recipe, high) = ends
    return numbers.measurement(
        page.at("", "XP.17", source="rgm-v2"),
        "experiment:higgs-similar-printed",
        "On HIGGS the results are similar to those on ijcnn1, as printed",
        both(le(relative, 10 * recipe), le(relative, 10 * high), le(relative, low)),
        r"With each record of the subset counted 43 times, relative noise ends with at most ten times the excess of clipping at c and at 10 c, and with less than that at c/10.",
        wrong={"c/10 as good": le(low, 10 * recipe)},
        reading=r"Similar: relative noise is competitive where thresholds are not too small, and a threshold of c/10 is biased. $\varepsilon = 10^{-2}$, as many records as the paper has, 300 iterations; medians of the runs.",
        remark="It is weak evidence: after 300 iterations descent without noise is no further, so that the noise of neither method shows. At the size of the subset relative noise cannot be run.",
    )


def _cost_on_higgs() -> Claim:
    numbers = Numbers("figure-2")
    reached = numbers(
        "a",
        "divergence that relative noise reaches for two datasets",
        "higgs-enlarged",
        "rgm-printed",
        "node 1: reached_anywhere",
    )
    return numbers.measurement(
        page,
        "experiment:higgs-cost-of-printed-relative-noise",
        "What relative noise as printed costs on HIGGS",
        gt(reached, 2),
        "At order 2, for a stated level of a hundredth.",
        wrong={"more than 6": 6},
        reading="A certified lower bound from two explicit datasets, with each record of the subset counted 43 times.",
    )


claims = [
    *(_high_privacy(basis) for basis in READINGS),
    _between(),
    _dimension_at_high_privacy(),
    _feasible("higgs", "printed"),
    _feasible("higgs", "exact"),
    _feasible("higgs-enlarged", "printed"),
    _feasible("higgs-enlarged", "exact"),
    _similar(),
    _cost_on_higgs(),
]
