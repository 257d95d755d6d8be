"""The claims that reduce a mechanism to pairs of laws or to losses: what a replay rests on beside its own code.

Each is proved under `derivations/`; `rgm-verify show ID` has its proof.
"""

from __future__ import annotations

from rgm_verify.recheck.mechanisms import (
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Divergent,
    Factored,
    Guaranteed,
    Laplace,
    Mechanism,
    Randomised,
    Relative,
    Sampled,
    Selected,
    Single,
    Thresholded,
    Truncated,
    Vector,
    WholeVector,
    releases_of,
)

_PAIRS = (
    "beyond:hockey-stick-monotone-in-distance",
    "beyond:variance-ends",
    "beyond:equal-noise-on-both-sides",
    "beyond:pairs-at-full-distance",
    "beyond:wide-first-hockey-stick",
)
_CURVE = (
    "beyond:neyman-pearson-pointwise",
    "beyond:level-set-sphere",
    "beyond:loss-noncentralities",
    "beyond:noncentral-chi-square-mixture",
)
_SAMPLED = ("beyond:sampled-mixture", "beyond:sampled-removal", "beyond:sampled-addition", "beyond:sampled-loss")
_FIXED = ("beyond:fixed-batch-pair", "beyond:fixed-batch-convexity")
_MIXED = ("beyond:sampled-mixture", "beyond:mixture-shifts", "beyond:mixture-loss")
_TRUNCATED = ("beyond:full-batch", "beyond:full-batch-costs-more")
_CELLS = ("beyond:cell-split", "beyond:cell-split-above", "beyond:channel-pointwise")
_STEPS = ("beyond:hockey-stick-of-two-steps", "beyond:value-iteration-kernel")
_DOTS = (
    "beyond:hockey-stick-below-its-chords",
    "beyond:discrete-loss-masses",
    "beyond:hockey-stick-at-negative-levels",
)
_GAUSSIAN = ("beyond:hockey-stick-equal-variances", "beyond:gaussian-steps-add")
_SHIFTED = ("beyond:shifted-noise-grows", "beyond:laplace-pair-turns", "beyond:neyman-pearson-pointwise")
_NOISE: dict[type[Single], tuple[str, ...]] = {
    Laplace: (*_SHIFTED, "beyond:laplace-loss-falls", "beyond:laplace-cell"),
    DiscreteLaplace: (*_SHIFTED, "beyond:laplace-loss-falls"),
    Vector: (
        *_SHIFTED,
        "beyond:laplace-loss-falls",
        "beyond:laplace-cell",
        "beyond:worst-change-in-the-one-norm",
        "beyond:laplace-two-coordinates",
        "beyond:discrete-two-coordinates",
    ),
    WholeVector: (
        *_SHIFTED,
        "beyond:discrete-gaussian-tail",
        "beyond:loss-of-a-whole-change",
        "beyond:largest-of-the-curves-of-changes",
    ),
    DiscreteGaussian: (*_SHIFTED, "beyond:discrete-gaussian-tail"),
    Guaranteed: ("beyond:worst-of-a-guarantee", "beyond:guarantee-below-its-chords", "beyond:randomised-response-loss"),
    Selected: (
        "beyond:largest-curve-of-a-range",
        "beyond:choices-have-a-range",
        "beyond:noisy-maximum-is-pure",
        "beyond:noisy-maximum-of-two",
        "beyond:range-is-concentrated",
        "beyond:improved-conversion",
        "beyond:guarantee-below-its-chords",
        "beyond:neyman-pearson-pointwise",
    ),
    Randomised: ("beyond:randomised-response-loss", "beyond:laplace-pair-turns", "beyond:neyman-pearson-pointwise"),
}
_PATTERNS = (
    "beyond:pattern-moves-a-strategy",
    "beyond:rounds-bound-a-pattern",
    "beyond:earliest-rounds-cost-most",
    "beyond:gaussian-filter",
    "beyond:hockey-stick-monotone-in-distance",
)
_THRESHOLD = (
    "beyond:threshold-with-a-new-cell",
    "beyond:threshold-without-an-old-cell",
    "beyond:hockey-stick-monotone-in-distance",
)
_CONCENTRATED = ("beyond:improved-conversion",)
_PLAN = ("beyond:plan-composition",)
_EVENTS = ("beyond:neyman-pearson-pointwise", "beyond:discrete-loss-masses")
_CHAIN = ("beyond:group-chain",)


def premises(mechanism: Mechanism, *, closed: bool, chain: bool) -> tuple[str, ...]:
    """Return the claims that a replay of this mechanism rests on, each once.

    Args:
        mechanism: What the certificate is about.
        closed: Whether its ends have a closed form, and no grid.
        chain: Whether a group of records is followed from record to record.
    """
    found: list[str] = []
    releases = releases_of(mechanism)
    for release in releases:
        if isinstance(release, Relative):
            found += (*_PAIRS, *_CURVE, _GAUSSIAN[0])
        elif isinstance(release, Concentrated | Divergent):
            found += (*_CONCENTRATED, *_GAUSSIAN)
        elif isinstance(release, Factored):
            found += (*_PATTERNS, *_GAUSSIAN)
        elif isinstance(release, Thresholded):
            found += (*_THRESHOLD, *_GAUSSIAN)
        elif isinstance(release, Truncated) or (isinstance(release, Sampled) and release.mixed):
            found += (*_MIXED, *(_TRUNCATED if isinstance(release, Truncated) else ()))
        elif isinstance(release, Sampled) and release.rate < 1:
            found += (*_SAMPLED, *(_FIXED if release.sampler == "fixed-batch" else ()))
        else:
            found += _NOISE.get(type(release), _GAUSSIAN)
    # Farther apart noise is told apart better, which is one of the premises of each kind.
    found += _CHAIN if chain else ()
    if not closed:
        # What is no Gaussian pair is cut into cells from below, and by Poisson sampling from above.
        found += _CELLS if any(isinstance(r, Sampled | Truncated) and r.rate < 1 for r in releases) else ()
        found += (*_EVENTS, *_PLAN) if any(type(release) in _NOISE for release in releases) else ()
        found += (*_STEPS, *(_DOTS if any(map(_by_dots, releases)) else ()))
    return tuple(dict.fromkeys(found))


def _by_dots(release: Single) -> bool:
    """Return whether a release is bounded by its curve, and not by cells of its output."""
    if isinstance(release, Truncated):
        return False
    return not isinstance(release, Sampled) or release.rate == 1 or release.sampler == "fixed-batch"
