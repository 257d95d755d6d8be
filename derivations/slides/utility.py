r"""Section 2: the utility theorem of DP-SGD, with constants, its proof, optimality, and clipping.

The theorem is read where the slides place it, at $\epsilon \le 1$ and $\delta \le \frac12$, with explicit constants. The
convergence of the last iterate is quoted; what the noise adds to the second moment of a gradient, and what that makes of
the bound at $T = n^2$, is proved.
"""

from ..beyond.hockey_stick.calibration import _x as _argument_of_erf
from ..rgm.section_4.theorem_1 import _r as _argument
from .dp_sgd import _z
from .learning import _l, page as _learning
from .notation import *
from .theorems import LOWER_BOUND, SHAMIR_ZHANG

page = Page("slides", "§2, Utility guarantees for DP-SGD", NOTATION, _learning)

R = page.positive("R", "diameter of the set of models")
p = page.natural("p_0", "number of parameters", latex="p")
_G = page.positive("G", "root of the second moment of a noisy gradient")
_c = page.positive("c", "factor of the step size c/sqrt(t)")
_a = page.real("a", "ln(1/delta)", lower=0, latex=r"\ln(1/\delta)")
_HALF = Hypothesis("delta at most a half", ge(_a, log(2)))
_AT_MOST_1 = Hypothesis("epsilon at most 1", le(epsilon, 1), "Theorem (DP guarantees for DP-SGD)")

_mean = page.nonnegative("g", "norm of the mean of the gradient estimate")
_s = page.nonnegative("s", "deviation of the noise per coordinate", latex=r"\sigma")
_spread = page.nonnegative("v", "variance from drawing the batch")
_BOUNDED = Hypothesis("bounded gradients", le(_mean**2 + _spread, _l**2), by=("slides:gradient-of-a-lipschitz-loss",))

plugged = page.elsewhere("§2, after the utility theorem", "S31").remark(
    "slides:utility-proof",
    "The variance, put into the analysis of the last iterate",
    both(le(_mean**2 + _spread + p * _s**2, _l**2 + p * _s**2), ge((R**2 / _c + _c * _G**2) * (2 + 2 * log(n)) / n, 4 * R * _G * (1 + log(n)) / n)),
    r"The first relation bounds the second moment of a noisy gradient. On the left of the second one is the quoted bound at $T = n^2$; there is equality at the step size $\frac{R}{G\sqrt t}$, which is the best one.",
    given=_BOUNDED,
    by=Deduction((Premise("rgm:log-above-one-minus-inverse", {_argument: n}),)),
    points={_mean: (0, 2), _l: (0, 3), _spread: (0, 2), _s: (0, 2), p: (1, 20), n: (1, 50), R: (0, 3), _c: (0, 3), _G: (0, 3)},
    wrong={
        "the noise of one coordinate": le(_mean**2 + _spread + p * _s**2, _l**2 + _s**2),
        "a larger bound for every step": ge((R**2 / _c + _c * _G**2) * (2 + 2 * log(n)) / n, 5 * R * _G * (1 + log(n)) / n),
        "no bound on gradients": without(),
    },
    steps=(
        Step(
            "The last iterate.",
            theorem=SHAMIR_ZHANG,
            met={
                "convex": "This is assumed; the set is closed.",
                "unbiased": "A random batch is unbiased, and the noise has mean 0 and is independent of the past.",
                "second moment": "This is the first relation.",
            },
        ),
    ),
)  # fmt: skip

_log_2 = named(r"\ln(2/\delta)", _a + log(2))
_log_n = named(r"\ln(n/\delta)", _a + log(n))
_log_noise = named(r"\ln(1.25\,n/\delta)", _a + log(n) + log(Rational(5, 4)))
#: The second moment l^2 + p sigma^2 of a noisy gradient, in units of p l^2/epsilon^2.
_second = named(r"\frac{G^2\epsilon^2}{pl^2}", epsilon**2 / p + 256 * _log_2 * _log_noise)
_bound = _l**2 * R**2 * p * _a * _log_n**3 / (n * epsilon) ** 2

_LOGS = (
    Premise("beyond:logarithm-above-a-quotient", {_z: 1}),
    Premise("beyond:log-below-its-argument", {_argument: Rational(5, 4)}),
    Premise("rgm:log-above-one-minus-inverse", {_argument: n}),
)
_b = page.nonnegative("b", "ln n", latex=r"\ln n")

product = ours(page, "Theorem").lemma(
    "beyond:utility-product-of-logarithms",
    "The product of the logarithms in the noise",
    le(_log_2 * _log_noise, Rational(11, 4) * _a * _log_n),
    given=_HALF,
    by=Deduction(_LOGS),
    points={_a: (Rational(7, 10), 20), n: (1, 10**5)},
    wrong={"twice": 2 * _a * _log_n, "any delta": without()},
)

_w = page.nonnegative("w", "a common factor of both sides")
_simple = 1 + 704 * _a * _log_n

moment = ours(page, "Theorem").lemma(
    "beyond:utility-second-moment",
    "The second moment of a noisy gradient, simplified",
    le(_w * _second, _w * _simple),
    given=(_HALF, _AT_MOST_1),
    points={_a: (Rational(7, 10), 20), n: (1, 10**5), p: (1, 100), epsilon: (0, 1), _w: (0, 3)},
    wrong={"a fourth of it": _w * _simple / 4, "any epsilon": without(_AT_MOST_1), "any delta": without(_HALF)},
    steps=(*_LOGS, Premise("beyond:utility-product-of-logarithms")),
)

core = ours(page, "Theorem").lemma(
    "beyond:utility-logarithms",
    "The logarithms of the utility theorem",
    le(16 * _w * (1 + 704 * _a * (_a + _b)) * (1 + _b) ** 2, _w * 160**2 * _a * (_a + _b) ** 3),
    given=Hypothesis("delta at most a half, or a little more", ge(_a, Rational(2, 3))),
    by=Smt(),
    wrong={"a tenth": 2560 * _w * _a * (_a + _b) ** 3, "any delta": without()},
)

of_n = ours(page, "Theorem").lemma(
    "beyond:utility-logarithms-of-n",
    "The same for the logarithm of n",
    le(16 * _w * (1 + 704 * _a * _log_n) * (1 + log(n)) ** 2, _w * 160**2 * _a * _log_n**3),
    given=_HALF,
    points={_a: (Rational(7, 10), 20), n: (1, 10**5), _w: (0, 2)},
    wrong={"a tenth": 2560 * _w * _a * _log_n**3, "any delta": without()},
    steps=(*_LOGS, Premise("beyond:utility-logarithms", {_b: log(n)})),
)

utility = page.at("Theorem", "S30").theorem(
    "slides:utility",
    "The utility of DP-SGD, with constants",
    chain(
        16 * (1 + log(n)) ** 2 * _second, "<=", 16 * (1 + log(n)) ** 2 * _simple, "<=", 160**2 * _a * _log_n**3
    ),
    r"Both sides are divided by $\frac{lR\sqrt p}{n\epsilon}$ and squared. On the left is the bound on the excess risk at the step sizes $\frac{R}{G\sqrt t}$, on the right the printed one with the constant 160.",
    printed=r"\mathbb E F(\theta^{(T)}) - \min_{\theta\in\Theta} F(\theta) \le 160\,\frac{lR\sqrt{p\ln(1/\delta)}\,\ln^{3/2}(n/\delta)}{n\epsilon}",
    given=(_HALF, _AT_MOST_1),
    by=Deduction(
        (
            Premise("beyond:utility-second-moment", {_w: 16 * (1 + log(n)) ** 2}),
            Premise("beyond:utility-logarithms-of-n", {_w: 1}),
        )
    ),
    points={_a: (Rational(7, 10), 20), n: (1, 10**5), p: (1, 100), epsilon: (0, 1)},
    wrong={
        "the constant 16": le(16 * (1 + log(n)) ** 2 * _second, 16**2 * _a * _log_n**3),
        "two logarithms less": le(16 * (1 + log(n)) ** 2 * _second, 160**2 * _a * _log_n / 40),
        "any delta": without(_HALF),
        "any epsilon": without(_AT_MOST_1),
    },
    steps=(
        Step("The bound for a given second moment.", "slides:utility-proof"),
        Step("The second moment has the printed noise in it.", "slides:noise-of-dp-sgd-positive"),
    ),
    reading=r"The order is read as: there is a constant, here 160, for $\epsilon \le 1$ and $\delta \le \frac12$, which is where the slides place privacy. $\gamma_t = O(R/\sqrt t)$ leaves a factor, which is $1/G$; steps count from 1.",
    remark=r"Without these bounds the printed order is false: it vanishes for $\delta \to 1$ and for $\epsilon \to\infty$, and the excess risk does not. With a factor that knows neither $l$ nor the noise it is false as well: `beyond:step-size-needs-the-noise`.",
)  # fmt: skip

_kappa = page.real("kappa", "noise over 16 l/epsilon", lower=1, latex=r"\kappa")
_width = epsilon / (8 * sqrt(2) * _kappa)
step_size = ours(page, "Theorem").remark(
    "beyond:step-size-needs-the-noise",
    "Steps of R/sqrt(t) with a factor of 1",
    ge(1 - erf(_width), Rational(1, 2)),
    r"The loss is $l|\theta|$ on $[-\frac R2, \frac R2]$ with $l = n$. The last step $\frac Rn$ has noise of the deviation $16R\kappa/\epsilon$ in it, and its centre is within $\frac32R$ of 0. On the left is a lower bound of the probability that the model ends at an end of the interval, where its excess risk is $\frac12lR$: at least a quarter of $lR$ on average, for every $n$.",
    given=_AT_MOST_1,
    by=Deduction((Premise("beyond:error-function-below-its-tangent", {_argument_of_erf: _width}), Premise("beyond:root-of-two-pi"))),
    points={epsilon: (0, 1), _kappa: (1, 9)},
    wrong={"above 19/20": ge(1 - erf(_width), Rational(19, 20)), "any epsilon": without()},
    reading=r"$\kappa^2 = \ln(2/\delta)\ln(1.25\,n/\delta)$. The printed step has the units of a model over those of a gradient left out, so that large gradients make it too long.",
)  # fmt: skip

_lower = named(r"\frac{lR\sqrt p}{n\epsilon}", _l * R * sqrt(p) / (n * epsilon))
gap = page.elsewhere("§2, after the utility theorem", "S32").remark(
    "slides:utility-gap-optimal",
    "The utility gap is optimal up to logarithms",
    le(160**2 * _bound, (160 * _log_n**2 * _lower) ** 2),
    r"On the left is the square of what DP-SGD guarantees, on the right that of the lower bound for every private algorithm, but for its constant, times $160\ln^2(n/\delta)$.",
    by=Deduction(_LOGS),
    points={_a: (0, 20), n: (1, 10**5), p: (1, 100), epsilon: (0, 1), R: (0, 3), _l: (0, 3)},
    wrong={"one logarithm": (160 * _log_n * _lower) ** 2, "without p": (160 * _log_n**2 * _lower) ** 2 / p},
    steps=(
        "slides:utility",
        Step(
            "No private algorithm does better by more than a constant.",
            theorem=LOWER_BOUND,
            met={
                "privacy": r"This is asked of $\delta$; for $\sqrt p \le n\epsilon$ the minimum is its second term.",
                "losses": "Linear losses are convex and Lipschitz.",
            },
        ),
    ),
    reading=r"$\tilde O$ leaves out powers of logarithms of $n$ and $1/\delta$; optimal is meant in the same sense, over $p$, $n$, $\epsilon$, $l$ and $R$.",
)  # fmt: skip

_grad = page.nonnegative("g_0", "norm of a gradient", latex="g")
_clip = page.positive("C", "clipping threshold")
_wider = page.nonnegative("u", "by how much the threshold grows")
_factor = page.positive("k", "noise per sensitivity")
clipping = page.elsewhere("§2, after the utility theorem", "S33").remark(
    "slides:clipping-trade-off",
    "Clipping trades bias against noise",
    both(
        le(Max(_grad - (_clip + _wider), 0), Max(_grad - _clip, 0)),
        ge(_factor * (_clip + _wider), _factor * _clip),
        Implies(gt(_grad, _clip), gt(Max(_grad - _clip, 0), 0)),
    ),
    "A gradient loses what it has above the threshold: this bias falls as the threshold grows, and the noise, which is in proportion to the threshold, grows. Without gradients above the threshold there is no bias.",
    wrong={
        "the bias grows": ge(Max(_grad - (_clip + _wider), 0), Max(_grad - _clip, 0)),
        "the noise falls": le(_factor * (_clip + _wider), _factor * _clip),
    },
)  # fmt: skip
