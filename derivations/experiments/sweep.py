r"""Section 6 on tuning: thresholds from c/1000 to 1000 c, on the three splits and with a larger bias.

With a bias of norm 10 one threshold, 3 c, is competitive on all three splits: nothing has to be tuned. With a bias of norm 100 it is not, and relative noise as printed is better than c and 10 c: the paper's
conclusion depends on a size that the paper does not give.
"""

from rgm_verify.pages import *

from .heterogeneity import READINGS
from .notation import BASES, SPLITS, Numbers, refs, source

page = Page("beyond", "§6")
_MULTIPLES = ("1e-1", "3e-1", "1", "3", "10", "30")
_SHOWN = {"1e-1": "c/10", "3e-1": "3 c/10", "1": "c", "3": "3 c", "10": "10 c", "30": "30 c"}
#: The best of the sweep: what the others are measured by.
_BEST = {"random": "1", "label": "1", "bias": "3", "bias-100": "30"}
_WORDS = {**SPLITS, "bias-100": "with a bias of norm 100"}
_LARGE = (*SPLITS, "bias-100")
_LARGE_WORDS = "the three splits and with a bias of norm 100"


def _end(numbers: Numbers, panel: str, multiple: str, basis: str) -> Expr:
    name = f"x_{panel.replace('-', '')}_{_MULTIPLES.index(multiple)}"
    meaning = f"excess at the end, clipping at {_SHOWN[multiple]}, {_WORDS[panel]}"
    return numbers.median(name, meaning, panel, f"clip-x{multiple}-{basis}")


def _fails(numbers: Numbers, multiple: str, basis: str, panels: Sequence[str]) -> Formula:
    """On some panel the threshold ends with more than ten times the excess of the best."""
    return either(
        *(
            gt(_end(numbers, p, multiple, basis), 10 * _end(numbers, p, _BEST[p], basis))
            for p in panels
            if _BEST[p] != multiple
        )
    )


def _dependent(basis: str, panels: Sequence[str], suffix: str, words: str) -> Claim:
    numbers = Numbers("threshold-sweep")
    conclusion = both(*(_fails(numbers, multiple, basis, panels) for multiple in _MULTIPLES))
    holds = "bias-100" in panels
    return numbers.measurement(
        page,
        f"experiment:threshold-problem-dependent{suffix}-{basis}",
        f"No clipping threshold is competitive everywhere, {words}, {BASES[basis]}",
        conclusion,
        f"Every multiple of the recipe's c from c/10 to 30 c is more than ten times worse than the best one somewhere {words}.",
        wrong=(
            Mutant(
                "on the splits without a bias",
                conclusion=both(*(_fails(numbers, m, basis, ("random", "label")) for m in ("3e-1", "3"))),
            ),
        )
        if holds
        else (),
        reading="A strong form of problem-dependent: the threshold has to be tuned. (That the better one of c and 10 c differs between splits is supported.) The best are c at random and by label, 3 c with the bias"
        + (" of norm 10, 30 c with that of norm 100" if holds else "")
        + "; medians of the runs.",
        corrected=None if holds else f"experiment:one-threshold-{basis}",
        remark="The paper does not give the size of its bias: with norm 100 a threshold has to be found, with norm 10 it has not.",
    )


def _one_threshold(basis: str) -> Claim:
    numbers = Numbers("threshold-sweep")

    def competitive(multiple: str, factor: int) -> Formula:
        return both(
            *(
                le(_end(numbers, p, multiple, basis), factor * _end(numbers, p, _BEST[p], basis))
                for p in SPLITS
                if _BEST[p] != multiple
            )
        )

    conclusion = competitive("3", 10)
    mutants = (Mutant("30 c", conclusion=competitive("30", 10)), Mutant("twice", conclusion=competitive("3", 2)))
    return numbers.measurement(
        page,
        f"experiment:one-threshold-{basis}",
        f"One threshold is competitive on all three splits, {BASES[basis]}",
        conclusion,
        "Clipping at 3 c ends with at most ten times the excess of the best threshold, on the splits at random and by label; with the bias it is the best itself.",
        wrong=mutants,
        reading="c is each node's own by the recipe, and 3 the same for all; medians of the runs, a bias of norm 10.",
    )


def _strong_baseline(basis: str) -> Claim:
    numbers = Numbers("threshold-sweep")
    recipe = _end(numbers, "random", "1", basis)
    others = [_end(numbers, "random", multiple, basis) for multiple in _MULTIPLES if multiple != "1"]

    def by(factor: int) -> Formula:
        return both(*(lt(factor * recipe, other) for other in others))

    return numbers.measurement(
        page.elsewhere("App. C.1", refs(basis, "XP.10"), source=source(basis)),
        f"experiment:recipe-strong-when-homogeneous-{basis}",
        f"The threshold of the recipe is the best one for homogeneous nodes, {BASES[basis]}",
        by(1),
        "Split at random, clipping at c ends with less excess than clipping at every other multiple of the sweep from c/10 to 30 c.",
        wrong={"by a hundred times": by(100)},
        reading="A very strong baseline: the best of the sweep. Medians of the runs.",
    )


def _large_bias(basis: str) -> Claim:
    method, clipping, words = READINGS[basis]
    numbers = Numbers("threshold-sweep")
    relative = numbers.median("x", "excess at the end, relative noise, with a bias of norm 100", "bias-100", method)
    recipe = _end(numbers, "bias-100", "1", clipping)
    return numbers.measurement(
        page,
        f"experiment:large-bias-untuned-{basis}",
        f"With a large bias relative noise is better than the threshold of the recipe, {words}",
        lt(relative, recipe),
        "With a bias of norm 100, relative noise ends with less excess than clipping at the recipe's c.",
        wrong={"thirty times better": left(30 * relative)},
        reading="What the paper argues: a node cannot know c without the other, and relative noise need not. Medians of the runs.",
        remark="The larger the bias, the more c from the node's own optimum is too small. The relative noise grows with the bias too, since no node's gradient vanishes at the common optimum.",
    )


def _large_bias_competitive(basis: str) -> Claim:
    method, clipping, words = READINGS[basis]
    numbers = Numbers("threshold-sweep")
    relative = numbers.median("x", "excess at the end, relative noise, with a bias of norm 100", "bias-100", method)
    best = _end(numbers, "bias-100", "30", clipping)
    return numbers.measurement(
        page,
        f"experiment:large-bias-competitive-{basis}",
        f"With a large bias relative noise is competitive with the best threshold, {words}",
        le(relative, 10 * best),
        "With a bias of norm 100, relative noise ends with at most ten times the excess of clipping at 30 c, the best of the sweep.",
        wrong={"at most the same": best},
        reading="Competitive: ten times, medians of the runs.",
    )


def _best_of_all(basis: str) -> Claim:
    method, clipping, words = READINGS[basis]
    numbers = Numbers("threshold-sweep")
    pairs = []
    for panel in SPLITS:
        if (basis, panel) != ("vouched", "label"):
            relative = numbers.median(
                f"y_{panel}", f"excess at the end, relative noise, {_WORDS[panel]}", panel, method
            )
            pairs.append((relative, _end(numbers, panel, _BEST[panel], clipping)))

    conclusion = either(*(le(relative, 10 * best) for relative, best in pairs))
    return numbers.measurement(
        page,
        f"experiment:can-be-competitive-with-all-thresholds-{basis}",
        f"Relative noise can be competitive with the best of all thresholds, {words}",
        conclusion,
        "On one of the three splits at least, relative noise ends with at most ten times the excess of the best threshold of the sweep.",
        reading="Competitive: ten times, medians of the runs; the best are c at random and by label, 3 c with the bias."
        + (" The split by label, which is out of reach, is left out." if basis == "vouched" else ""),
        remark="Beside the three thresholds of Figure 1 it is, with the bias (`experiment:can-be-competitive-printed`): 3 c, between two of them, is better than both. With a bias of norm 100 it is: `experiment:large-bias-competitive-printed`.",
    )


claims = [
    *(_dependent(basis, tuple(SPLITS), "", "on the three splits") for basis in BASES),
    *(_dependent(basis, _LARGE, "-large-bias", f"on {_LARGE_WORDS}") for basis in BASES),
    *(_one_threshold(basis) for basis in BASES),
    *(_strong_baseline(basis) for basis in BASES),
    *(_best_of_all(basis) for basis in READINGS),
    *(_large_bias(basis) for basis in READINGS),
    *(_large_bias_competitive(basis) for basis in READINGS),
]
