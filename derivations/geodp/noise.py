r"""Section 3: how the noise of DP-SGD changes a step, and what tuning does about it.

Theorem 1 is an identity, and holds. Its expectation is one term: $\eta^2C^2d\sigma^2/B^2$, which every one of the three parameters
makes arbitrarily small. What is said of Item B and of single outcomes does not hold; that the direction of a step does not depend
on the learning rate does, and that it does not depend on the threshold holds where every gradient is clipped.
"""

from .notation import *
from .preliminaries import page as _preliminaries

page = Page("geodp", "§3", _preliminaries, NOTATION)
_CLIPPED_STEP = w - eta * g
_NOISY_STEP = w - eta * (g + C * noise / B)


def _distance2(model: Any) -> Any:
    return (model - optimum).T * (model - optimum)


_ITEM_A = 2 * C / B * noise.T * g + C**2 / B**2 * noise.T * noise
_ITEM_B = 2 * eta * C / B * noise.T * (optimum - w)

theorem = page.at("Theorem 1", "G17").theorem(
    "geodp:theorem-1",
    "The efficiency difference",
    eq(_distance2(_NOISY_STEP) - _distance2(_CLIPPED_STEP), eta**2 * _ITEM_A + _ITEM_B),
    "For every outcome of the noise, in any dimension.",
    by=Matrices(),
    over=(d,),
    wrong={
        "Item B once": eta**2 * _ITEM_A + eta * C / B * noise.T * (optimum - w),
        "the other sign of Item B": eta**2 * _ITEM_A - _ITEM_B,
        "the noise squared without C": eta**2 * (2 * C / B * noise.T * g + C / B**2 * noise.T * noise) + _ITEM_B,
    },
    reading=r"$\mathbf n_\sigma^2$ is the squared norm.",
)

# In expectation: n has mean 0 and the variance sigma^2 in each coordinate.
_plain = page.nonnegative(
    "r", "squared distance to the optimum without noise", latex=r"\|\mathbf w_{t+1}-\mathbf w^*\|^2"
)
_first_a, _first_b, _second = (
    page.real("m_1", "mean of <n, g>"),
    page.real("m_2", "mean of <n, w* - w>"),
    page.nonnegative("m_3", "mean of |n|^2"),
)
_MOMENTS = Hypothesis(
    "moments of the noise",
    both(eq(_first_a, 0), eq(_first_b, 0), eq(_second, d * sigma**2)),
    "Theorem 1: a distribution of mean 0 and deviation sigma in each coordinate",
)
_mean_difference = eta**2 * (2 * C / B * _first_a + C**2 / B**2 * _second) + 2 * eta * C / B * _first_b
_LOSS = named(r"\eta^2C^2d\sigma^2/B^2", eta**2 * C**2 * d * sigma**2 / B**2)
_AT = {_first_a: 0, _first_b: 0, _second: d * sigma**2, d: (1, 9), B: (1, 9), C: (0, 3), eta: (0, 2), sigma: (0, 3)}

in_the_mean = page.at("Theorem 1").correction(
    "geodp:theorem-1-in-the-mean",
    "The efficiency difference in the mean",
    both(eq(_mean_difference, _LOSS), gt(_LOSS, 0)),
    r"In expectation over the noise, given the batch. On average the noise always costs, and it costs exactly this.",
    given=_MOMENTS,
    by=Smt(),
    points=_AT,
    wrong={
        "one coordinate": both(eq(_mean_difference, eta**2 * C**2 * sigma**2 / B**2)),
        "the learning rate once": both(eq(_mean_difference, eta * C**2 * d * sigma**2 / B**2)),
        "nothing is known of the noise": without(),
    },
    steps="geodp:theorem-1",
)

converge = page.at("after Theorem 1", "G18a").remark(
    "geodp:no-stable-convergence",
    "DP-SGD cannot stably converge",
    ge(_plain + _mean_difference, _LOSS),
    r"On the left is the mean of $\|\mathbf w_{t+1}^* - \mathbf w^*\|^2$: it stays above a positive number, however good the step without noise is.",
    given=_MOMENTS,
    by=Smt(),
    points={**_AT, _plain: (0, 4)},
    wrong={"twice": 2 * _LOSS, "nothing is known of the noise": without()},
    steps="geodp:theorem-1-in-the-mean",
    reading="Stably is read as: in the mean of the squared distance. The mean of the model itself is that of the step without noise, so the noise makes no bias in that sense.",
)

stay = page.at("Corollary 1", "G21").corollary(
    "geodp:corollary-1",
    "DP-SGD cannot stay at the optimum",
    gt(0 + _mean_difference, 0),
    "The step without noise has arrived; the mean squared distance of the noisy one is positive.",
    given=_MOMENTS,
    by=Smt(),
    points=_AT,
    wrong={"more than twice the loss": gt(_mean_difference, 2 * _LOSS), "nothing is known of the noise": without()},
    steps="geodp:theorem-1-in-the-mean",
)

_offset, _radius = (
    page.real("a", "how far a coordinate of the step without noise is off"),
    page.positive("rho", "a distance"),
)

sometimes = page.at("after Theorem 1", "G18b").remark(
    "geodp:sometimes-reaches-the-optimum",
    "DP-SGD sometimes comes arbitrarily near to the optimum",
    gt(phi(_offset + _radius) - phi(_offset - _radius), 0),
    "The probability that a coordinate of the next model is within a distance of the optimum, in units of the noise. Coordinates are independent, so that their product is positive as well.",
    wrong={
        "at least a tenth": gt(phi(_offset + _radius) - phi(_offset - _radius), Rational(1, 10)),
        "turned": lt(phi(_offset + _radius) - phi(_offset - _radius), 0),
    },
    reading="Reaching is read as coming within any given distance. The probability to be at the optimum exactly is 0.",
)

_along, _off, _square = page.real("n_g", "<n, g>"), page.real("n_w", "<n, w* - w>"), page.nonnegative("n_2", "|n|^2")
_norm2, _away2 = page.nonnegative("g_2", "|g|^2"), page.nonnegative("u_2", "|w* - w|^2")
_item_a = named("A", 2 * C / B * _along + C**2 / B**2 * _square)
_item_b = named(r"\mathrm{Item\ B}", 2 * eta * C / B * _off)
_CAUCHY = Hypothesis("Cauchy and Schwarz", both(le(_along**2, _square * _norm2), le(_off**2, _square * _away2)))

always = page.at("after Theorem 1", "G19").remark(
    "geodp:always-lower",
    "The model efficiency of DP-SGD is always lower",
    ge(eta**2 * _item_a + _item_b, 0),
    "For one outcome of the noise.",
    given=_CAUCHY,
    category="false",
    corrected="geodp:theorem-1-in-the-mean",
    reading="Lower efficiency is a larger squared distance. Always is read as: for every outcome; in the mean it holds.",
    remark="Noise towards the optimum helps. In one dimension, far from the optimum, about every second outcome does.",
)

_scale = page.real("k", "factor of the batch size", lower=1)

batch = page.at("after Theorem 1", "G20").remark(
    "geodp:larger-batches",
    "Larger batches certainly reduce Item A and Item B",
    both(
        le(Abs(2 * C / (_scale * B) * _along + C**2 / (_scale * B) ** 2 * _square), Abs(_item_a)),
        le(Abs(_item_b / _scale), Abs(_item_b)),
    ),
    "For one outcome of the noise and the same average of gradients.",
    given=_CAUCHY,
    category="false",
    corrected="geodp:larger-batches-corrected",
    reading="To reduce is to make the amount smaller.",
    remark="The two parts of Item A may cancel; then a larger batch brings it back.",
)

batch_corrected = page.at("after Theorem 1").correction(
    "geodp:larger-batches-corrected",
    "Larger batches reduce both items in the mean square, and Item B always",
    both(
        le(Abs(_item_b / _scale), Abs(_item_b)), le(C**2 * d * sigma**2 / (_scale * B) ** 2, C**2 * d * sigma**2 / B**2)
    ),
    "The second relation is between the means of Item A.",
    wrong={
        "the square": both(le(Abs(_item_b / _scale), Abs(_item_b) / _scale**2)),
        "half of the mean": both(le(C**2 * d * sigma**2 / (_scale * B) ** 2, C**2 * d * sigma**2 / B**2 / 2)),
    },
    steps="geodp:theorem-1-in-the-mean",
)

_less, _smaller = (
    page.real("t", "factor of the learning rate", lower=0, upper=1, lower_open=True),
    page.real("c", "factor of the threshold", lower=0, upper=1, lower_open=True),
)

_rate, _threshold = (
    page.positive("eta'", "another learning rate", latex=r"\eta'"),
    page.positive("C'", "another threshold"),
)
_batch = page.natural("B'", "another batch size")
_NEW_RATE = Hypothesis("a smaller learning rate", le(_rate, _less * eta))
_NEW_THRESHOLD = Hypothesis("a smaller threshold", le(_threshold, _smaller * C))
_NEW = {
    _less: (0, 1),
    _smaller: (0, 1),
    _rate: (0, 1, _rate * _less * eta),
    _threshold: (0, 1, _threshold * _smaller * C),
    _scale: (1, 4),
}
_factor = _less**2 * _smaller**2 / _scale**2

tuning_a = page.at("after Corollary 1", "NG03").remark(
    "geodp:tuning-reduces-item-a",
    "A small learning rate, a small threshold and a large batch reduce the impact of Item A",
    le(_rate**2 * _threshold**2 * d * sigma**2 / _batch**2, _factor * _LOSS),
    r"On the left is the mean of $\eta^2$ times Item A with the new parameters.",
    given=(_NEW_RATE, _NEW_THRESHOLD, Hypothesis("a larger batch", ge(_batch, _scale * B))),
    wrong={"more than all three squares": _factor * _LOSS / 2, "any threshold": without(_NEW_THRESHOLD), "any rate": without(_NEW_RATE)},
    points={**_NEW, _batch: (1, 40), B: (1, 9), C: (0, 3), eta: (0, 2), sigma: (0, 3), d: (1, 9)},
    steps="geodp:theorem-1-in-the-mean",
)  # fmt: skip

_size, _inner = (
    page.nonnegative("N", "norm of the noise", latex=r"\|\mathbf n_\sigma\|"),
    page.real("I", "product of noise and gradient", latex=r"\langle\mathbf n_\sigma, \tilde{\mathbf g}_t\rangle"),
)
_share = page.real("t_0", "factor of the noise near convergence", lower=0, lower_open=True, upper=1)
near_convergence = page.at("after Theorem 1", "NG08").remark(
    "geodp:less-noise-near-convergence",
    "Less noise when training is about to converge makes Item A small, and normally not 0",
    both(
        le(
            Abs(2 * C / B * (_share * _inner) + C**2 * (_share * _size) ** 2 / B**2),
            _share * (2 * C / B * Abs(_inner) + C**2 * _size**2 / B**2),
        ),
        Iff(
            eq(2 * C / B * (_share * _inner) + C**2 * (_share * _size) ** 2 / B**2, 0),
            eq(2 * B * _inner, -_share * C * _size**2),
        ),
    ),
    "For every outcome of the noise: with noise of the share t, Item A is at most that share of a number that does not depend on it; it vanishes on a sphere of noise alone.",
    points={_share: (0, 1), _size: (0, 3), _inner: (-3, 3), B: (1, 9), C: (0, 3)},
    by=Smt(),
    wrong={
        "the square of the share": both(
            le(
                Abs(2 * C / B * (_share * _inner) + C**2 * (_share * _size) ** 2 / B**2),
                _share**2 * (2 * C / B * Abs(_inner) + C**2 * _size**2 / B**2),
            )
        ),
        "it vanishes": both(eq(2 * C / B * (_share * _inner) + C**2 * (_share * _size) ** 2 / B**2, 0)),
    },
    reading="Close to zero: in proportion to the noise. Normally: except for noise in a set of measure 0.",
)

tuning_b = page.at("before Corollary 2", "G22 G01b G03").remark(
    "geodp:tuning-item-b",
    "Tuning cannot reduce Item B",
    ge(Abs(2 * (_less * eta) * (_smaller * C) / B * _off), Abs(_item_b)),
    "For smaller learning rates and thresholds.",
    category="false",
    corrected="geodp:tuning-item-b-corrected",
    remark="Item B is in proportion to the learning rate and to the threshold, and has the mean 0.",
)

tuning_b_corrected = page.at("before Corollary 2").correction(
    "geodp:tuning-item-b-corrected",
    "Item B falls in proportion to the learning rate and to the threshold",
    le(Abs(2 * _rate * _threshold / B * _off), _less * _smaller * Abs(_item_b)),
    given=(_NEW_RATE, _NEW_THRESHOLD),
    points={**_NEW, B: (1, 9), C: (0, 3), eta: (0, 2), _off: (-3, 3)},
    wrong={"squares": _less**2 * _smaller * Abs(_item_b), "any threshold": without(_NEW_THRESHOLD), "any rate": without(_NEW_RATE)},
    reading=r"The threshold multiplies the noise. If it also shortens the gradients, $\mathbf w^* - \mathbf w_t$ is not changed by it within the step.",
)  # fmt: skip

_length = page.nonnegative("r_g", "norm of the gradient before clipping", latex=r"\|\mathbf g\|")
_other = _threshold
_ALL_CLIPPED = Hypothesis("the gradient is clipped by both", both(ge(_length, C), ge(_length, _other)))


def _relative(threshold: Expr) -> Expr:
    """The deviation of the noise of one coordinate, in units of the norm of the clipped gradient."""
    return threshold * sigma / B / Min(_length, threshold)


_NONZERO = Hypothesis("a gradient", gt(_length, 0))

clipping = page.at("Corollary 2 (clipping)", "G23a").corollary(
    "geodp:clipping-and-direction",
    "The threshold does not change the noise on the direction",
    le(_relative(C), _relative(_other)),
    "On the left is the noise of a coordinate in units of the length of the gradient that it is added to: the direction of their sum is a function of it.",
    given=_NONZERO,
    category="missing hypothesis",
    corrected="geodp:clipping-and-direction-corrected",
    reading="Fine-tuning is free to choose any threshold: none of them has less relative noise than another.",
    remark=r"Above the norm of the gradient the noise grows with the threshold and the gradient does not. Half a threshold then halves the noise on the direction.",
)

clipping_corrected = page.at("Corollary 2 (clipping)").correction(
    "geodp:clipping-and-direction-corrected",
    "Below the norms of all gradients the threshold does not change the noise on the direction",
    eq(_relative(C), _relative(_other)),
    given=_ALL_CLIPPED,
    wrong={"twice": 2 * _relative(_other), "not all clipped": without()},
    points={C: (0, 3), _other: (0, 3), _length: (0, 9), sigma: (0, 3), B: (1, 9)},
    remark="A clipped gradient and its noise are then both in proportion to the threshold.",
)

_g1, _g2 = page.real("g_1", "a coordinate of the noisy gradient"), page.real("g_2", "another one")
_s1, _s2 = page.real("s_1", "the same coordinate of the step"), page.real("s_2", "and of the other one")
_STEP = Hypothesis("a step along the noisy gradient", both(eq(_s1, -eta * _g1), eq(_s2, -eta * _g2)), "§2.2")

rate = page.at("Corollary 2 (learning rate)", "G23b").corollary(
    "geodp:learning-rate-and-direction",
    "The learning rate does not change the direction of a step",
    both(eq(_s1 * _g2, _s2 * _g1), le(_s1 * _g1, 0), le(_s2 * _g2, 0)),
    "Any two coordinates of the step are in the proportion of those of the noisy gradient, with the opposite sign.",
    outputs="holds for every noisy gradient that is given: no law of the noise is in it",
    given=_STEP,
    by=Smt(),
    points={eta: (0, 3), _g1: (-3, 3), _g2: (-3, 3), _s1: -eta * _g1, _s2: -eta * _g2},
    wrong={
        "the same sign": both(ge(_s1 * _g1, 0)),
        "steps of one coordinate": both(eq(_s1 * _g2, _s2)),
        "no step": without(),
    },
    remark="What a step does to the loss falls with the learning rate all the same, by `geodp:theorem-1-in-the-mean`.",
)

_share = named(r"\mathbb E\|\mathbf n_\perp\|^2", (_less * eta) ** 2 * (_smaller * C) ** 2 * (d - 1) * sigma**2 / B**2)
_whole = eta**2 * C**2 * sigma**2 / B**2
_MORE = Hypothesis("at least two coordinates", ge(d, 2))

direction_only = page.elsewhere("Abstract; §1; §4", "G01a").remark(
    "geodp:only-direction-matters",
    "Tuning mitigates the noise on the magnitude, and not that on the direction",
    ge(_share, (d - 1) * _whole),
    r"On the left is the mean square of what the noise across the gradient adds to the model, with a smaller learning rate and a smaller threshold. The noise along the gradient adds $\eta^2C^2\sigma^2/B^2$.",
    given=_MORE,
    category="false",
    corrected="geodp:only-direction-matters-corrected",
    reading="The impact on efficiency is that of Theorem 1 in the mean.",
)

_after = _rate**2 * _threshold**2 * sigma**2 / B**2
_new_along, _across = (
    page.nonnegative("v_1", "mean square of the noise along the gradient, after tuning"),
    page.nonnegative("v_2", "the same across the gradient"),
)
_BOTH = Hypothesis(
    "noise of the same deviation in each coordinate", both(eq(_new_along, _after), eq(_across, (d - 1) * _after))
)

direction_corrected = page.elsewhere("Abstract; §1; §4").correction(
    "geodp:only-direction-matters-corrected",
    "Tuning reduces the noise on direction and magnitude by the same factor",
    eq(_across, _new_along * (d - 1)),
    r"The noise across the gradient has $d - 1$ times the mean square of that along it, whatever the learning rate and the threshold are.",
    given=(_MORE, _BOTH),
    by=Smt(),
    points={d: (2, 20), eta: (0, 2), C: (0, 3), sigma: (0, 3), B: (1, 9), _rate: (0, 2), _threshold: (0, 3), _new_along: _after, _across: (d - 1) * _after},
    wrong={"d times": _new_along * d, "nothing is known of the noise": without(_BOTH)},
    steps="geodp:theorem-1-in-the-mean",
)  # fmt: skip
