r"""Section 1: sensitivity, the Gaussian mechanism as calibrated on the slide, where its guarantee holds, and its error.

With $c = \sqrt{2\ln(1.25/\delta)}$ the printed noise puts two outputs at most $\mu = \epsilon/c$ deviations apart. The exact
curve of such a pair is known, so that the printed guarantee is a statement about two numbers. It fails for large
$\epsilon$, and is proved here for $\epsilon \le 1$ and every $\delta < 1$: by the improved conversion from Rényi privacy
at the order $c^2/\epsilon + \frac12$ for $\delta \le \frac45$, and by the total variation above.
"""

from ..rgm.section_4.conversion import X
from ..rgm.section_4.theorem_1 import _r as _argument
from .notation import *
from .theorems import GAUSSIAN_TAIL

page = Page("slides", "§1, Enforcing DP with the Gaussian mechanism", NOTATION)

_first, _second = (
    page.real(name, meaning, lower=0, upper=1)
    for name, meaning in (("x_1", "the record that is replaced"), ("x_1'", "the record in its place"))
)
_rest = page.real("S", "sum of the other records")
_change = named(r"\bigl(f(D) - f(D')\bigr)", (_rest + _first) / n - (_rest + _second) / n)

sensitivity = page.at("Sensitivity", "S13").definition(
    "slides:sensitivity",
    "The sensitivity of a mean",
    both(le(_change, 1 / n), le(-_change, 1 / n), eq(_change.subs({_first: 1, _second: 0}), 1 / n)),
    "The mean of $n$ records in $[0, 1]$, over all other records: its sensitivity is $1/n$, and it is attained at 1 and 0.",
    wrong={
        "1 / (2 n)": both(le(_change, 1 / (2 * n)), le(-_change, 1 / (2 * n))),
        "less than 1 / n": lt(_change, 1 / n),
    },
    reading="Of a definition it is asked what it comes to, here for the query that the slides use later. Where no pair attains the maximum it is a supremum, and a query without a finite one cannot be released.",
)  # fmt: skip

_p = page.natural("p", "number of coordinates")
_Delta = page.positive("Delta", "sensitivity", latex=r"\Delta")
_c = named("c", sqrt(2 * log(Rational(5, 4) / delta)))


def _phi(x: Expr) -> Expr:
    """The standard normal distribution function."""
    return (1 + erf(x / sqrt(2))) / 2


_mu = epsilon / _c
#: The exact delta of two Gaussians at mu deviations.
exact = named(r"H_\epsilon", _phi(_mu / 2 - epsilon / _mu) - exp(epsilon) * _phi(-_mu / 2 - epsilon / _mu))

#: Two outputs at that distance, in units of the noise; the first of the points is one where the theorem fails.
_APART = Outputs((_mu,), (Integer(0),), 3, variances=(Integer(1), Integer(1)))
_WITH_DELTA = ({epsilon: Integer(10), delta: Rational(1, 100)}, {epsilon: Integer(1), delta: Rational(1, 10**5)})

printed_theorem = page.at("Theorem", "S14 S25").theorem(
    "slides:gaussian-mechanism-private",
    "The guarantee of the Gaussian mechanism, for every epsilon",
    le(exact, delta),
    outputs=by_outputs(exact, HockeyStick(epsilon), _APART, _WITH_DELTA, _WITH_DELTA[:1]),
    points={epsilon: (0, 200), delta: (0, 1)},
    category="missing hypothesis",
    corrected="slides:gaussian-mechanism-private-corrected",
    steps=("beyond:hockey-stick-equal-variances", "slides:privacy"),
    reading="Two outputs at the distance of the sensitivity, and the worst set of outputs for them. The sketch of proof of DP-SGD recalls the theorem, for every level, as what its noise is computed from.",
    remark=r"The guarantee needs $\epsilon \le 1$, or a $\delta$ that is small enough for the $\epsilon$. For every $\delta$ it fails from some $\epsilon$ on: the noise falls like $1/\epsilon$, and what a level as large as $\epsilon$ allows needs noise of the order $1/\sqrt\epsilon$.",
)  # fmt: skip

_lambda = page.positive("ell", "ln(1.25/delta)", latex=r"\ln(1.25/\delta)")
_target = named(r"\delta", Rational(5, 4) * exp(-_lambda))
_noise = named(r"\sigma", sqrt(2 * _lambda) * _Delta / epsilon)
_gap = page.nonnegative("s", "distance of the values of f at two neighbours")

algorithm = page.at("Gaussian mechanism", "S13b").algorithm(
    "slides:gaussian-mechanism",
    "The noise of the Gaussian mechanism",
    both(gt(_noise, 0), le(_gap / _noise, epsilon / sqrt(2 * _lambda))),
    "In units of the noise the outputs of neighbours are at most $\\epsilon/c$ apart, whatever the query and its units are.",
    given=Hypothesis("sensitivity", le(_gap, _Delta)),
    wrong={
        "the inverse": le(_gap / _noise, sqrt(2 * _lambda) / epsilon),
        "without the root": le(_gap / _noise, epsilon / (2 * _lambda)),
    },
    reading="For $\\delta < 1$. The root has no value for $\\delta > \\frac54$, where every mechanism is private.",
)

_order = named(r"\alpha", 2 * _lambda / epsilon + Rational(1, 2))
_distance = named(r"\mu", epsilon / sqrt(2 * _lambda))
#: (alpha - 1)(D_alpha - epsilon) at this order, for two outputs at this distance.
_exponent = epsilon / 2 - epsilon**2 / (16 * _lambda) - _lambda
_H = page.positive("H", "hockey-stick divergence of two outputs at the distance mu", upper=1, latex=r"H_\epsilon")
_A, _B = real("a").symbol, real("b").symbol
_AT_MOST_1 = Hypothesis("epsilon at most 1", le(epsilon, 1))
_NOT_TINY = Hypothesis("delta at most four fifths, or a little more", ge(_lambda, Rational(11, 25)))

exponent = ours(page, "Theorem").lemma(
    "beyond:calibrated-exponent",
    "The exponent of the conversion at the calibrated distance",
    eq((_order - 1) * (_order * _distance**2 / 2 - epsilon), _exponent),
    r"On the left is $(\alpha - 1)(D_\alpha - \epsilon)$ for two Gaussians $\mu$ deviations apart, at the order $\alpha = c^2/\epsilon + \frac12$, which is the best one.",
    wrong={"the order without the half": left((2 * _lambda / epsilon - 1) * (2 * _lambda / epsilon * _distance**2 / 2 - epsilon)), "without lambda": epsilon / 2 - epsilon**2 / (16 * _lambda)},
    steps=("slides:gaussian-mechanism-renyi-corrected",),
)  # fmt: skip

_in_logarithms = log(_order) + log(Rational(5, 4)) - _lambda

in_logarithms = ours(page, "Theorem").lemma(
    "beyond:calibration-in-logarithms",
    "The calibration covers the conversion, in logarithms",
    le(_exponent, _in_logarithms),
    given=(_AT_MOST_1, _NOT_TINY),
    points={epsilon: (0, 1), _lambda: (Rational(11, 25), 20)},
    wrong={"without 5/4 and the order": -_lambda, "any epsilon": without(_AT_MOST_1), "any delta": without(_NOT_TINY)},
    steps=(
        Premise("rgm:log-above-one-minus-inverse", {_argument: 2 * _lambda / epsilon + Rational(1, 2)}),
        Premise("rgm:log-above-one-minus-inverse", {_argument: Rational(5, 4)}),
    ),
)

covered = ours(page, "Theorem").lemma(
    "beyond:calibration-covers-the-conversion",
    "The calibration covers the conversion",
    le(exp(_exponent), _order * _target),
    given=(_AT_MOST_1, _NOT_TINY),
    points={epsilon: (0, 1), _lambda: (Rational(11, 25), 20)},
    wrong={"without the order": _target, "any epsilon": without(_AT_MOST_1)},
    steps=(
        Premise("beyond:calibration-in-logarithms"),
        Premise("beyond:exponential-above-its-tangents", {_A: _exponent, _B: _in_logarithms}),
        Premise("rgm:s4-exponential-positive", {X.symbol: _exponent}),
    ),
)

_CALIBRATED = Outputs((_distance,), (Integer(0),), 1, variances=(Integer(1), Integer(1)))
_WITH_LAMBDA = ({epsilon: Integer(1), _lambda: Integer(1)}, {epsilon: Rational(1, 2), _lambda: Rational(7, 2)})

_CONVERTED = Hypothesis(
    "the improved conversion",
    le(_order * _H, exp(_exponent)),
    "at the order alpha",
    by=("beyond:improved-conversion-positive-part", "beyond:calibrated-exponent"),
)
_VARIATION = Hypothesis(
    "total variation",
    le(_H, Rational(2, 5) * _distance),
    "the divergence falls in epsilon",
    by=("beyond:total-variation-of-a-shift",),
)
_BELOW_1 = Hypothesis("delta below 1", lt(_target, 1))
_SPREAD = real("u", lower=0, upper=1).symbol

corrected = page.at("Theorem").correction(
    "slides:gaussian-mechanism-private-corrected",
    "The guarantee of the Gaussian mechanism, for epsilon at most 1",
    le(_H, _target),
    r"For every $\delta < 1$, every query and every dimension, at the printed noise.",
    outputs=of_cases(Filled(_WITH_LAMBDA, {_H: Of(HockeyStick(epsilon), _CALIBRATED)})),
    given=(_AT_MOST_1, _BELOW_1, _CONVERTED, _VARIATION),
    by=(
        Deduction(
            (
                Premise("beyond:exponential-above-its-tangents", {_A: 0, _B: -_lambda}),
                Premise("beyond:calibration-covers-the-conversion", where_it_applies=True),
            )
        ),
    ),
    points={_SPREAD: (0, 1), epsilon: (0, 1), _lambda: (Rational(1, 4), 6), _H: _SPREAD * exp(_exponent) / 3},
    wrong={
        "a tenth of delta": _target / 10,
        "any epsilon": without(_AT_MOST_1, _VARIATION),
        "half of the noise, by total variation": instead(Hypothesis("total variation", le(_H, 2)), Hypothesis("the improved conversion", le(_H, 2))),
    },
    steps=(
        Step("The closer two outputs are the better: the largest distance is the sensitivity.", "beyond:hockey-stick-monotone-in-distance"),
        Step("For small delta, from the Rényi divergence at the best order.", "beyond:calibration-covers-the-conversion"),
        Step("For delta near 1, by the total variation.", "beyond:total-variation-of-a-shift"),
        "slides:privacy",
    ),
    tightness=(
        Tightness(
            exact.subs(delta, Rational(5, 4) * exp(-_lambda)) / _target,
            {epsilon: (Rational(1, 2), 1), _lambda: (Rational(1, 2), 4)},
            "the exact delta at the printed noise over the printed one",
            plot=(_lambda,),
            at={epsilon: 1},
        ),
    ),
    reading="$H$ is the hockey-stick divergence of two outputs at the distance of the sensitivity; the hypotheses are what the steps prove of it.",
)  # fmt: skip

_LARGE = Hypothesis(
    "delta small enough for epsilon", le(epsilon / 2 - epsilon**2 / (16 * _lambda), log(_order) + log(Rational(5, 4)))
)
_LARGER = ({epsilon: Integer(2), _lambda: Integer(2)}, {epsilon: Integer(4), _lambda: Integer(11)})
large = ours(page, "Theorem").theorem(
    "beyond:gaussian-mechanism-at-large-epsilon",
    "The printed noise at a large epsilon",
    le(_H, _target),
    r"For every $\epsilon$ the printed noise is enough once $\delta$ is small enough: at $\epsilon = 2$ for $\delta \le \frac13$, at $\epsilon = 4$ for $\delta \le 5\cdot10^{-5}$.",
    outputs=of_cases(Filled(_LARGER, {_H: Of(HockeyStick(epsilon), _CALIBRATED)})),
    given=(_LARGE, Hypothesis("the order is above 1", gt(4 * _lambda, epsilon)), _CONVERTED),
    points={
        _SPREAD: (0, 1),
        epsilon: (0, 3),
        _lambda: (1, 20),
        _H: _SPREAD * exp(_exponent) / (2 * _lambda / epsilon + 1),
    },
    wrong={"a tenth of delta": _target / 10, "any delta": without(_LARGE)},
    steps=(
        Premise("beyond:exponential-above-its-tangents", {_A: _exponent, _B: _in_logarithms}),
        Premise("rgm:s4-exponential-positive", {X.symbol: _exponent}),
        "beyond:calibrated-exponent",
        "beyond:hockey-stick-monotone-in-distance",
    ),
)

_a2 = named("a^2", (sqrt(2 * _lambda) - epsilon / (2 * sqrt(2 * _lambda))) ** 2)
_a2_expanded = 2 * _lambda - epsilon + epsilon**2 / (8 * _lambda)

sketch = page.at("sketch of proof", "S15").remark(
    "slides:gaussian-mechanism-sketch",
    "The tail bound, and the simplification",
    le(exp(-_a2_expanded / 2) / 2, _target),
    r"The loss exceeds $\epsilon$ with the probability that a standard normal exceeds $a = c - \frac{\epsilon}{2c}$, at most $\frac12e^{-a^2/2}$; and $a^2$ is $c^2 - \epsilon + \frac{\epsilon^2}{4c^2}$. So the sketch works where the theorem holds.",
    given=_AT_MOST_1,
    by=Deduction(
        (
            Premise("beyond:exponential-above-its-tangents", {_A: -_a2_expanded / 2, _B: log(Rational(5, 2)) - _lambda}),
            Premise("rgm:log-above-one-minus-inverse", {_argument: Rational(5, 2)}),
            Premise("rgm:s4-exponential-positive", {X.symbol: -_a2_expanded / 2}),
        )
    ),
    points={epsilon: (0, 1), _lambda: (Rational(1, 4), 9)},
    wrong={"without the half": left(exp(-_a2_expanded / 2)), "any epsilon": without()},
    steps=(
        Step("The probability that the loss exceeds epsilon.", theorem=GAUSSIAN_TAIL, met={"above the mean": r"$2c^2 \ge \epsilon$, which is so for $\delta \le \frac54e^{-1/4}$."}),
        Step("A loss that is bounded but for a rare event is enough.", "slides:loss-bounded-with-probability"),
    ),
    reading="The sketch is judged for what it can prove; that the theorem claims more is charged to the theorem.",
)  # fmt: skip

_more, _times = page.nonnegative("u", "by how much delta grows"), page.real("v", "factor on epsilon", lower=1)
_d = page.positive("delta_0", "a probability of failure", latex=r"\delta")
_below_one = Hypothesis("both deltas are below 1", lt(_d + _more, 1))

falls = ours(page, "Privacy-utility trade-off").lemma(
    "beyond:log-of-inverse-delta-falls",
    "The logarithm in the calibration falls in delta",
    le(log(Rational(5, 4) / (_d + _more)), log(Rational(5, 4) / _d)),
    by=Monotone(_more, 0, order=1),
    points={_d: (0, 1), _more: (0, 1)},
    wrong={"direction": turned(), "by u": left(log(Rational(5, 4) / (_d + _more)) + _more)},
)

_error = named(r"\mathbb E\|\eta\|^2", 2 * _p * log(Rational(5, 4) / _d) * _Delta**2 / epsilon**2)
_less = 2 * _p * log(Rational(5, 4) / (_d + _more)) * _Delta**2 / (_times * epsilon) ** 2

trade_off = page.at("Privacy-utility trade-off", "S16").remark(
    "slides:privacy-utility-trade-off",
    "Less privacy, less error",
    le(_less, _error),
    r"The mean square error of the released vector is $p\sigma^2$. On the left the level is $v\epsilon$ and the failure probability $\delta + u$.",
    given=_below_one,
    by=Deduction(
        (
            Premise("beyond:log-of-inverse-delta-falls"),
            Premise("rgm:log-above-one-minus-inverse", {_argument: Rational(5, 4) / (_d + _more)}),
        )
    ),
    points={_d: (0, Rational(1, 2)), _more: (0, Rational(1, 2)), _times: (1, 4), epsilon: (0, 2), _p: (1, 20), _Delta: (0, 3)},
    wrong={"direction": turned(), "by the square of v again": _error / _times**4},
)  # fmt: skip

_laplace = named(r"\mathbb E\|\eta_{\mathrm{Laplace}}\|^2", 2 * _p**2 * _Delta**2 / epsilon**2)
_gauss = named(r"\mathbb E\|\eta\|^2", 2 * _p * log(Rational(5, 4) / delta) * _Delta**2 / epsilon**2)

optimal = page.at("Note on the MSE", "S17").remark(
    "slides:mean-square-error-optimal",
    "The mean square error of the Gaussian mechanism is worst-case optimal",
    le(_gauss, _laplace),
    r"An optimal error is at most that of every other private mechanism, here of Laplace noise of scale $\sqrt p\Delta/\epsilon$ in each coordinate, which is $(\epsilon, 0)$-private.",
    category="false",
    corrected="slides:gaussian-against-laplace",
    steps=("beyond:laplace-mechanism",),
    reading="Optimal up to a constant is refuted as well: for one coordinate the quotient is $\\ln(1.25/\\delta)$, which exceeds every constant.",
    remark="The slide's noise is not the smallest Gaussian noise for its guarantee either: at $\\epsilon = 1$ and $\\delta = 10^{-5}$ it is $4.85\\,\\Delta$, and $3.74\\,\\Delta$ are enough. In high dimension the order in $p$, $\\epsilon$ and $\\delta$ is known to be optimal.",
)  # fmt: skip

_gauss_here = named(r"\mathbb E\|\eta\|^2", 2 * _p * _lambda * _Delta**2 / epsilon**2)
against_laplace = page.at("Note on the MSE").correction(
    "slides:gaussian-against-laplace",
    "Gaussian against Laplace noise",
    Iff(le(_gauss_here, _laplace), le(_lambda, _p)),
    r"Gaussian noise has the smaller error in high dimension.",
    by=Smt(),
    points={_p: (1, 30), _lambda: (0, 9), epsilon: (0, 2), _Delta: (0, 3)},
    wrong={"the root of p": Iff(le(_gauss_here, _laplace), le(_lambda, sqrt(_p))), "always": le(_gauss_here, _laplace)},
    steps=("beyond:laplace-mechanism",),
)

_x, _y, _o = (
    page.real(name, meaning) for name, meaning in (("x", "value under D"), ("y", "value under D'"), ("o", "the output"))
)
laplace = ours(page, "Note on the MSE").lemma(
    "beyond:laplace-mechanism",
    "The loss of Laplace noise",
    le(Abs(_o - _y) - Abs(_o - _x), _Delta),
    r"Over the scale $\Delta/\epsilon$ it is at most $\epsilon$. In $p$ coordinates the losses add up, and the sum of the distances is at most $\sqrt p$ times the norm.",
    given=Hypothesis("sensitivity", le(Abs(_x - _y), _Delta)),
    wrong={"half": _Delta / 2, "a sum of distances": left(Abs(_o - _y) + Abs(_o - _x)), "no sensitivity": without()},
)
