r"""Gaussian noise on a random sample: the pairs that dominate one step, and what more noise or a smaller sample does.

A record is in the sample with the probability $q$ and then moves the output by at most 1. At a point of the output let $b$ be the density without the
record, $a$ the one with it. Removal has the pair $((1-q)b + qa, b)$, addition the same in the other order. Given the other records of the sample both laws are
mixtures, so that their divergence is at most the mean of such divergences, and each of them is one of $a$ against $b$ at another level.
"""

from sympy import Expr, Max, exp

from rgm_verify.pages import *

from ...theorems import DATA_PROCESSING, MOMENTS, MONOTONE_INTEGRAL

page = Page("beyond", "Gaussian noise on a random sample")
q = page.real("q", "probability of the record to be in the sample", lower=0, upper=1, lower_open=True, upper_open=True)
a = page.nonnegative("a", "density of the output with the record in the sample")
b = page.nonnegative("b", "density of the output without it")
E = page.positive("E", "e^epsilon")
_mixed = named("m", (1 - q) * b + q * a)

_w = page.real("w", "probability of the first of two samples of the other records", lower=0, upper=1)
_p1, _p2 = (page.nonnegative(f"p_{i}", f"density of the first law, given sample {i}") for i in (1, 2))
_q1, _q2 = (page.nonnegative(f"q_{i}", f"density of the second law, given sample {i}") for i in (1, 2))

samples = page.inequality(
    "beyond:sampled-mixture",
    "A mixture has at most the mean divergence",
    le(
        Max(_w * _p1 + (1 - _w) * _p2 - E * (_w * _q1 + (1 - _w) * _q2), 0),
        _w * Max(_p1 - E * _q1, 0) + (1 - _w) * Max(_p2 - E * _q2, 0),
    ),
    "The other records of the sample are drawn by the same law for both neighbours. Judged is what is integrated.",
    wrong={"weights exchanged": (1 - _w) * Max(_p1 - E * _q1, 0) + _w * Max(_p2 - E * _q2, 0), "direction": turned()},
)

removal = page.identity(
    "beyond:sampled-removal",
    "Removal: the divergence of the Gaussian pair at a level further out",
    eq(Max(_mixed - E * b, 0), q * Max(a - (E - 1 + q) / q * b, 0)),
    r"Where $E > 1 - q$ the level is positive and the divergence grows with the distance of the two means; else the positive part is everything, at every distance.",
    by=Smt(),
    wrong={
        "level E": q * Max(a - E * b, 0),
        "without the factor": Max(a - (E - 1 + q) / q * b, 0),
        "level of replacement": q * Max(a - (E - 1) / q * b, 0),
    },
    steps=(
        "beyond:sampled-mixture",
        Step("It grows with the distance.", "beyond:hockey-stick-monotone-in-distance"),
        Step(
            "Both sides are integrated.",
            theorem=MONOTONE_INTEGRAL,
            met={"pointwise": "This is what the formula says.", "integrable": "They are at most the densities."},
        ),
    ),
)

addition = page.identity(
    "beyond:sampled-addition",
    "Addition: the divergence of the Gaussian pair in the other order",
    eq(Max(b - E * _mixed, 0), (1 - E * (1 - q)) * Max(b - E * q / (1 - E * (1 - q)) * a, 0)),
    r"At larger levels the left side is 0: the loss of addition is at most $-\log(1-q)$.",
    given=(Hypothesis("the level is below the largest loss", lt(E * (1 - q), 1)),),
    by=Smt(),
    points=Chart({q: (0, 1), a: (0, 4), b: (0, 4), E: (0, 1)}, {q: q, a: a, b: b, E: E / (1 - q)}),
    wrong={
        "level E": (1 - E * (1 - q)) * Max(b - E * a, 0),
        "without the factor": Max(b - E * q / (1 - E * (1 - q)) * a, 0),
    },
    steps=(
        "beyond:sampled-mixture",
        Step("It grows with the distance, in this order too.", "beyond:hockey-stick-monotone-in-distance"),
    ),
)

sigma = page.positive("sigma", "noise multiplier")
y = page.real("y", "output along the direction of the record")


def _density(mean: int) -> Expr:
    """The density of the output around a mean, without its factor."""
    return exp(-((y - mean) ** 2) / (2 * sigma**2))


_quotient = ((1 - q) * _density(0) + q * _density(1)) / _density(0)

loss = page.identity(
    "beyond:sampled-loss",
    "The privacy loss of removal",
    eq(_quotient, 1 - q + q * exp((2 * y - 1) / (2 * sigma**2))),
    r"The loss is its logarithm, grows with $y$, and exceeds $\epsilon$ above $y = \sigma^2\log\frac{e^\epsilon-1+q}q + \frac12$. That of addition is its negative.",
    points={q: (0, 1), sigma: (1, 4), y: (-4, 4)},
    wrong={
        "sign of the shift": 1 - q + q * exp((2 * y + 1) / (2 * sigma**2)),
        "without the square": 1 - q + q * exp((2 * y - 1) / (2 * sigma)),
    },
)

_t = page.real("t", "argument of the moment generating function")
_tau = page.positive("tau", "deviation of what is added")

more_noise = page.identity(
    "beyond:sampled-more-noise",
    "More noise is a function of less noise",
    eq(
        (1 - q + q * exp(_t)) * exp(sigma**2 * _t**2 / 2) * exp(_tau**2 * _t**2 / 2),
        (1 - q + q * exp(_t)) * exp((sigma**2 + _tau**2) * _t**2 / 2),
    ),
    r"Independent noise of deviation $\tau$ on both laws turns the pair at $\sigma$ into the one at $\sqrt{\sigma^2+\tau^2}$, at every step. So delta does not grow with the noise.",
    points={q: (0, 1), sigma: (0, 2), _tau: (0, 2), _t: (-2, 2)},
    wrong={
        "deviations added": left((1 - q + q * exp(_t)) * exp((sigma + _tau) ** 2 * _t**2 / 2)),
        "without the noise": left((1 - q + q * exp(_t)) * exp(sigma**2 * _t**2 / 2)),
    },
    steps=(
        Step(
            "Both sides are moment generating functions.",
            theorem=MOMENTS,
            met={"finite": "They are finite everywhere."},
        ),
        Step(
            "No function of the outputs raises a divergence.",
            theorem=DATA_PROCESSING,
            met={"one kernel": "The noise does not know the law."},
        ),
    ),
)

_r = page.real("r", "probability of keeping the output", lower=0, upper=1)
_x = page.positive("x", "quotient of the densities a and b")

smaller_rate = page.identity(
    "beyond:sampled-smaller-rate",
    "A smaller rate is a function of a larger one",
    eq((1 - _r) + _r * (1 - q + q * _x), 1 - _r * q + _r * q * _x),
    r"Whoever replaces the output, with the probability $1 - r$, by one without the record turns the pair at the rate $q$ into the one at $rq$. So delta does not grow as the rate falls.",
    wrong={"rate q": 1 - q + q * _x, "rates added": 1 - (_r + q) + (_r + q) * _x},
    steps=(
        Step(
            "No function of the outputs raises a divergence.",
            theorem=DATA_PROCESSING,
            met={"one kernel": "The replacement does not know the law."},
        ),
    ),
    reading="Divided by the density without the record.",
)
