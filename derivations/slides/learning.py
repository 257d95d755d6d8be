r"""Section 2: empirical risk, generalisation, the algorithm DP-SGD and its noise.

The noise of the algorithm slide is written with $L$, the loss, in the place of its Lipschitz constant $l$, as the sketch
of proof shows; for the delta below 1/n that the slides think of it is a positive number.
"""

from ..rgm.section_4.theorem_1 import _r as _argument
from .notation import *
from .releases import of_one_set

page = Page("slides", "§2, DP-SGD", NOTATION)
_MODEL = page.elsewhere("§2, Privately releasing a machine learning model", "S18")

_loss = page.real("L_1", "loss of the record that is replaced")
_new = page.real("L_1'", "loss of the record in its place")
_others = page.real("S", "sum of the losses of the other records")

risk = _MODEL.definition(
    "slides:empirical-risk",
    "The empirical risk of neighbours",
    eq((_others + _loss) / n - (_others + _new) / n, (_loss - _new) / n),
    r"This is $F(\theta; D) - F(\theta; D')$ at one $\theta$. Replacing a record moves the empirical risk by a share $\frac1n$ of the difference of two losses.",
    wrong={"without n": _loss - _new, "the sum of the two": (_loss + _new) / n},
    reading="Of a definition it is asked what it comes to. That a minimiser exists needs more, such as a compact set and a continuous loss.",
)

_train = page.real("u", "mean loss on a training record", lower=0, upper=1)
_fresh = page.real("v", "mean loss on a fresh record", lower=0, upper=1)

generalisation = page.elsewhere("§2, Privately releasing a machine learning model", "S19").remark(
    "slides:generalisation",
    "A private model generalises on average",
    le(_train - _fresh, E - 1 + delta),
    "Losses are in $[0, 1]$ and records are drawn independently from one law.",
    outputs=of_one_set(E, _train, _fresh, delta),
    given=Hypothesis("the model is private", le(_train, E * _fresh + delta), "the steps"),
    wrong={"without delta": E - 1, "epsilon halved twice": (E - 1) / 4 + delta, "not private": without()},
    steps=(
        Step(
            "A training record may be exchanged with a fresh one: then the model was trained without it.",
            "slides:post-processing",
        ),
        integrated("The loss is a chance, to be averaged over the model.", "Losses are at most 1."),
    ),
    reading="In some cases is read as: there are conditions under which a bound follows, and these are some.",
)

_m = page.natural("m", "size of a batch")
_l = page.positive("l", "Lipschitz constant of the loss")
_LEVEL = Hypothesis("epsilon at most 1", le(epsilon, 1), "Theorem (DP guarantees for DP-SGD)")
_theta, _g, _h = (
    page.real(name, meaning)
    for name, meaning in (
        ("theta", "a coordinate of the model"),
        ("g", "of the gradient on D"),
        ("g'", "of the gradient on D'"),
    )
)
_gamma, _s = page.positive("gamma", "step size", latex=r"\gamma_t"), page.positive("sigma", "deviation of the noise")

algorithm = page.at("Algorithm: Differentially Private SGD", "S23").algorithm(
    "slides:dp-sgd",
    "A step of DP-SGD is a Gaussian mechanism on the gradient",
    eq(Abs((_theta - _gamma * _g) - (_theta - _gamma * _h)) / (_gamma * _s), Abs(_g - _h) / _s),
    r"On the left are the centres of the two next models, in units of the noise of the model. So a step costs what releasing the noisy gradient costs, whatever the step size is; the projection is a post-processing.",
    by=(Smt(), Identity()),
    wrong={"the step size once": Abs(_g - _h) / (_gamma * _s), "without the noise": Abs(_g - _h)},
    steps=("slides:post-processing",),
    reading=r"The gradient of a batch is the mean of those of its records, a batch is a set without repetitions, drawn anew in each step. The set $\Theta$ is closed and convex, so that there is a projection, and neighbours start at the same model.",
)

#: The noise as the sketch of proof prints it, up to the factor 16 l/(n epsilon).
_ratio = 5 * T / (4 * delta * n)

noise = page.at("Algorithm: Differentially Private SGD", "S20").definition(
    "slides:noise-of-dp-sgd",
    "The noise of DP-SGD",
    gt(log(2 / delta) * log(_ratio), 0),
    r"The noise is a positive number if what is under its root is. The root itself is multiplied by $\frac{16l}{n\epsilon}$.",
    printed=r"\sigma = \frac{16L\sqrt{T\ln(2/\delta)\ln(1.25T/\delta n)}}{n\epsilon}",
    given=Hypothesis("delta is below one over the number of records", le(delta * n, 1), "§1, where delta is far below it"),
    points={T: (1, 40), n: (1, 60), delta: (0, 1, delta / n)},
    wrong={"above 1": gt(log(2 / delta) * log(_ratio), 1), "any delta": without()},
    steps=(
        Premise("rgm:log-above-one-minus-inverse", {_argument: _ratio}),
        Premise("rgm:log-above-one-minus-inverse", {_argument: 2 / delta}),
    ),
    reading="The factor $L$ is the Lipschitz constant $l$, as in the sketch of proof: the loss is a function and no factor. Of a definition it is asked what it comes to.",
    remark=r"For larger $\delta$ it needs $\delta n < 1.25\,T$: `slides:noise-of-dp-sgd-positive`.",
)  # fmt: skip

positive_noise = page.at("Algorithm: Differentially Private SGD").remark(
    "slides:noise-of-dp-sgd-positive",
    "Where the noise of DP-SGD is a positive number",
    Iff(gt(log(_ratio), 0), lt(4 * delta * n, 5 * T)),
    points={T: (1, 40), n: (1, 60), delta: (0, 1)},
    wrong={
        "without 1.25": Iff(gt(log(_ratio), 0), lt(delta * n, T)),
        "delta n T": Iff(gt(log(_ratio), 0), lt(4 * delta * n * T, 5)),
    },
    steps=(
        Premise("rgm:log-above-one-minus-inverse", {_argument: _ratio}),
        Premise("beyond:log-below-its-argument", {_argument: _ratio}),
    ),
)

page.add(positive("r", "ratio of the variances"))
below = ours(page, "used for the noise of DP-SGD").lemma(
    "beyond:log-below-its-argument",
    "The logarithm lies below its tangent at 1",
    le(log(_argument), _argument - 1),
    by=Monotone(_argument, 1, order=2),
    wrong={"1 less": _argument - 2, "direction": turned()},
)

_x = page.positive("x", "a number")
_y = page.positive("y", "another number")
_u = page.nonnegative("u_0", "what is added to it")
falls = ours(page, "used for the noise of DP-SGD").lemma(
    "beyond:logarithm-of-a-quotient-falls",
    "The logarithm of a quotient falls in the denominator",
    le(log(_x / (_y + _u)), log(_x / _y)),
    by=Monotone(_u, 0, order=1),
    wrong={"direction": turned(), "by u": left(log(_x / (_y + _u)) + _u)},
)
rises = ours(page, "used for the noise of DP-SGD").lemma(
    "beyond:logarithm-of-a-product-rises",
    "The logarithm of a product rises in a factor",
    ge(log(_x * (_y + _u)), log(_x * _y)),
    by=Monotone(_u, 0, order=1),
    wrong={"direction": turned(), "by u": ge(log(_x * (_y + _u)), log(_x * _y) + _u)},
)

_more = page.natural("k", "further records, or further steps", lower=0)


def _square(title: str, steps: Expr, records: Expr, argument: Expr) -> Expr:
    """The square of the printed noise; `argument` is that of its second logarithm."""
    return named(title, 256 * _l**2 * steps * log(2 / delta) * log(argument) / (records * epsilon) ** 2)


_square_now = _square(r"\sigma^2(T, n)", T, n, _ratio)
_with_more_data = 5 * T / 4 / (delta * n + delta * _more)
_TWO = Premise("rgm:log-above-one-minus-inverse", {_argument: 2 / delta})

more_data = page.at("after the algorithm", "S21").remark(
    "slides:more-data-less-noise",
    "More data, less noise",
    le(_square(r"\sigma^2(T, n + k)", T, n + _more, _with_more_data), _square_now),
    given=Hypothesis("the noise has a value for more records", ge(log(_with_more_data), 0)),
    points={T: (1, 40), n: (1, 60), delta: (0, Rational(1, 4)), _more: (0, 40), epsilon: (0, 1), _l: (0, 2)},
    wrong={"direction": turned(), "by the square of the share": _square_now * (n / (n + _more)) ** 4},
    reading="All else stays: the steps, the level and the failure probability.",
    steps=(_TWO, Premise("beyond:logarithm-of-a-quotient-falls", {_x: 5 * T / 4, _y: delta * n, _u: delta * _more})),
)

more_steps = page.at("after the algorithm", "S22").remark(
    "slides:more-steps-more-noise",
    "More steps, more noise",
    ge(_square(r"\sigma^2(T + k, n)", T + _more, n, 5 / (4 * delta * n) * (T + _more)), _square_now),
    given=Hypothesis("the noise has a value", ge(log(_ratio), 0)),
    points={T: (1, 40), n: (1, 60), delta: (0, Rational(1, 4)), _more: (0, 40), epsilon: (0, 1), _l: (0, 2)},
    wrong={"direction": turned(), "by the square of the steps": _square_now * ((T + _more) / T) ** 3},
    reading="All else stays: the records, the level and the failure probability.",
    steps=(_TWO, Premise("beyond:logarithm-of-a-product-rises", {_x: 5 / (4 * delta * n), _y: T, _u: _more})),
)
