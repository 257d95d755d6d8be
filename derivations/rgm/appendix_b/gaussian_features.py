r"""Version 2, Appendix B.5: the clipped covariance concentrates, its mean is a multiple of Sigma, and the test accepts that multiple.

Statements about matrices are seen through one vector: a Rayleigh quotient, or the eigenbasis of $\Sigma$. The first two parts of the proof
hold, with constants to spare. The third loses the factor $\bar\rho$, a factor 4, and the sign that Laplace noise may have.
"""

from ... import looseness
from ...theorems import MATRIX_BERNSTEIN, SPECTRAL
from ..gaussian_notation import *
from ..notation import NOTATION
from . import gaussian_features_worlds as worlds

page = Page("rgm-v2", "App. B.5", GAUSSIAN_NOTATION, NOTATION)
_length = page.nonnegative("N", latex=r"\|\tilde X\|^2")
_form = page.nonnegative("w", latex=r"\tilde X^\top\Sigma^{-1}\tilde X")
_SPECTRUM = Hypothesis("largest eigenvalue of Sigma", le(_length, L * _form), by=("rgm:spectrum-on-one-record",))

largest_eigenvalue = page.at("before v2 (70)", "P3.2a").inequality(
    "rgm:b5-largest-eigenvalue",
    "Clipped records have bounded norms",
    le(_length, L * v),
    r"So $\lambda_{\max}(\tilde X\tilde X^\top)$ is bounded.",
    given=(_SPECTRUM, Hypothesis("clipped", le(_form, v), "X^T Sigma^(-1) X <= R_c^2")),
    by=(Smt(), worlds.LONGEST),
    points={m: (0, 1), _length: m * L * _form, v: _form + t},
    wrong={
        "half": L * v / 2,
        "R_c for its square": le(_length**2, L**2 * v),
        "not clipped": without("clipped"),
        "any spectrum": without(_SPECTRUM),
    },
    steps=(
        Step("The largest eigenvalue.", "rgm:spectrum-on-one-record"),
        Step("The largest eigenvalue of $XX^\\top$ is $|X|^2$.", "rgm-v2:ptr-trace"),
    ),
    reading="In every dimension: the spectrum enters by an inequality between quadratic forms.",
)

_p = page.nonnegative("p", "Rayleigh quotient of $S_k$", latex=r"w^\top S_kw")
_e = page.nonnegative("e", "Rayleigh quotient of its mean", latex=r"w^\top\mathbb E[S_k]w")
_bound = v * L / n

summand = page.at("v2 (70)", "P3.2b").inequality(
    "rgm:b5-summand",
    "Each summand is near its mean",
    both(le(_p - _e, _bound), le(_e - _p, _bound), le(_bound, 2 * _bound)),
    "In operator norm, seen along a unit vector.",
    given=(
        Hypothesis("the record is clipped", le(_p, _bound), "largest eigenvalue of S_k"),
        Hypothesis("so are all records", le(_e, _bound), "its mean"),
    ),
    wrong={"half": both(le(_p - _e, _bound / 2), le(_e - _p, _bound / 2)), "not clipped": without()},
    steps=(
        SPECTRAL.quoted(
            "The norm is the largest Rayleigh quotient in modulus.", "It is a difference of symmetric matrices."
        ),
        Step("The largest eigenvalue of each.", "rgm:b5-largest-eigenvalue"),
    ),
    reading=r"The norm of a symmetric matrix is its largest Rayleigh quotient in modulus; both matrices are $\succcurlyeq 0$, which makes the printed 2 a 1.",
    printed=r"\|S_k - \mathbb E S_k\| \le \frac{2R_c^2L}n",
)

_s = page.nonnegative("s", latex=r"\mathbb E\|S_k-\mathbb ES_k\|^2")

variance = page.at("v2 (70)", "P3.2b").inequality(
    "rgm:b5-variance",
    "The sum of the variances",
    le(n * _s, 4 * L**2 * v**2 / n),
    "All n records have the same.",
    given=Hypothesis("each summand", le(_s, (2 * _bound) ** 2), "v2 (70), first relation"),
    wrong={"over n squared": 4 * L**2 * v**2 / n**2, "half": 2 * L**2 * v**2 / n, "R_c^2 for R_c^4": 4 * L**2 * v / n},
    steps=Step("Each summand.", "rgm:b5-summand"),
    reading=r"The sum over $I_c$, a set of version 1 that version 2 does not define, is read as the sum over all $n$ records.",
    remark=r"The letter $\nu$ names this variance and the probability of failure. `beyond:b5-variance` has a bound smaller by $4R_c^2/\bar\rho$.",
    tightness=Tightness(
        4 * looseness.x / looseness.b,
        {looseness.x: (1, 50), looseness.b: (looseness.HALF, 1)},
        r"the printed bound on the variance over the proved one $L^2\bar\rho R_c^2/n$, for $x = R_c^2$ and $b = \bar\rho$",
    ),
    printed=r"\sum_{i\in I_c}\mathbb E\|S_i - \mathbb E S_i\|^2 \le \frac{4L^2R_c^4}n",
)

_printed_exponent = n * t**2 / (8 * L**2 * v**2 + 4 * L * v * t / 3)
_nu, _range = named(r"\nu", 4 * L**2 * v**2 / n), named("R", 2 * v * L / n)

matrix_bernstein = page.at("v2 (71)", "P3.2c").identity(
    "rgm:b5-bernstein",
    "The exponent of matrix Bernstein",
    eq(bernstein(t, _nu, _range), _printed_exponent),
    by=(Identity(), Smt()),
    wrong={
        "t^2 for t^2/2": left(2 * bernstein(t, _nu, _range)),
        "R t for R t/3": left(bernstein(t, _nu, 3 * _range)),
        "variance over n^2": left(bernstein(t, _nu / n, _range)),
    },
    steps=(
        MATRIX_BERNSTEIN.quoted(
            "The deviation exceeds t with probability at most $2d$ times the exponential of minus this.",
            "The records are.",
            "rgm:b5-summand",
            "rgm:b5-variance",
        ),
        Step("Bound on the summands.", "rgm:b5-summand"),
        Step("Bound on the variance.", "rgm:b5-variance"),
    ),
    remark="A parenthesis of the display is misplaced.",
)

mu_reg = page.positive("mu_reg", "regularisation", latex=r"\mu_{\rm reg}")

_mean = page.nonnegative(
    "a", "Rayleigh quotient of the mean of the sum of the $S_i$", latex=r"\mathbb E\sum_iw^\top S_iw"
)

two_meanings = page.at("before v2 (71), against v2 (69) and Proposition 1", source="beyond").definition(
    "rgm-v2:b5-two-meanings",
    "The covariance with and without its regularisation",
    eq(_mean, _mean + mu_reg),
    r"Before (71) $\tilde A$ is the sum of the $S_i$, in (69) and in Proposition 1 it is that and the regularisation.",
    mistake=("misprint", "rgm:b5-lower-bound"),
    remark="The deviation from the mean is the same for both, so nothing else depends on it.",
    printed=r"\sum_iS_i = \tilde A = \frac1n\sum_i\tilde X_i\tilde X_i^\top + \mu_{\rm reg}I",
)

_of_deviation = page.real("p", "logarithm of the probability", latex=r"\log P(\|\tilde A-\mathbb E\tilde A\|\ge t)")
_log_twice = page.real("k", "log(2d)", latex=r"\log(2d)")
_BY_71 = Hypothesis("(71)", le(_of_deviation, _log_twice - _printed_exponent), "v2 (71)", by=("rgm:b5-bernstein",))
_MODERATE = Hypothesis("moderate deviation", le(t, 6 * L * v))


def _quadratic(share: int) -> Formula:
    """The bound with the quadratic exponent over `share`."""
    return le(_of_deviation, _log_twice - n * t**2 / (share * L**2 * v**2))


simplified = page.at("v2 (72); App. B.6, v1 (68)", "P3.2d", source="rgm-v1+v2").inequality(
    "rgm:b5-simplified",
    "For moderate deviations the exponent is quadratic",
    _quadratic(16),
    outputs="a step between two exponents; the tail is that of a quoted theorem",
    given=(_BY_71, _MODERATE),
    points={
        (L, v): (0, 3),
        n: (1, 9),
        t: (0, 1, 6 * L * v * t),
        _of_deviation: _log_twice - n * (6 * L * v * t) ** 2 / (8 * L**2 * v**2 + 4 * L * v * (6 * L * v * t) / 3),
    },
    wrong={
        "12 for 16": _quadratic(12),
        "without the condition": without(_MODERATE),
        "without (71)": without(_BY_71),
        "t at most 7 L R_c^2": changed(hypotheses=[_BY_71, Hypothesis("wider", le(t, 7 * L * v))]),
    },
    steps=Step("The bound that is simplified.", "rgm:b5-bernstein"),
    reading="In logarithms.",
    remark="A step from (71). The same step leads from v1 (67) to (68), which have the wrong n: `rgm-v1:b6-simplified`.",
    tightness=Tightness(
        16 / (8 + 4 * looseness.z / 3),
        {looseness.z: (0, 6)},
        r"the exponent of the tail bound over the simplified one, for a deviation of $z$ times $LR_c^2$",
    ),
)

#: The exponent of (72) at a deviation t.
_t = positive("t").symbol
_exponent = n * _t**2 / (16 * L**2 * v**2)

concentration = page.at("v2 (69) and (73)", "P3.2e P3.2f").inequality(
    "rgm:b5-concentration",
    "The deviation that is exceeded with probability nu",
    both(le(named("t", 4 * L * v * sqrt(ell / n)), 6 * L * v), eq(At(_exponent, _t, 4 * L * v * sqrt(ell / n)), ell)),
    r"Here $\ell$ is $\log(2d/\nu)$: where (72) holds, its exponent at this deviation is $\ell$.",
    given=ENOUGH_RECORDS,
    wrong={
        "half of the records": changed(hypotheses=[Hypothesis("half", ge(9 * n, 2 * ell))]),
        "2 for 4": eq(At(_exponent, _t, 2 * L * v * sqrt(ell / n)), ell),
        "without the condition": without(),
    },
    steps=(Step("(71).", "rgm:b5-bernstein"), Step("(72).", "rgm:b5-simplified")),
    reading=r"$2d\,e^{-\ell} = \nu$. For $\nu > 2d$, which the proposition allows, the root is not real and there is nothing to prove.",
)

clipped_form = page.real("q", "for the regularised clipped covariance", latex=r"w^\top\tilde Aw")
_w = page.positive("w", latex=r"\|w\|^2")
sigma_form = page.positive("sigma", latex=r"w^\top\Sigma w")
ON_THE_EVENT = Hypothesis("lower bound", ge(clipped_form, rho_bar * sigma_form), "v2 (69) and (74)")

lower_bound = page.at("plan, items 1 and 2", "P3.2f P3.7").inequality(
    "rgm:b5-lower-bound",
    "The regularisation pays for the deviation",
    ge(clipped_form, rho_bar * sigma_form),
    r"Where $\tilde A$ is within $\mu_{\rm reg}$ of its mean, it is above $\bar\rho\Sigma$.",
    given=Hypothesis(
        "the event",
        le(rho_bar * sigma_form + mu_reg * _w - clipped_form, mu_reg * _w),
        "the deviation from the mean is at most mu_reg in norm",
    ),
    by=(Smt(), worlds.EVENT),
    wrong={
        "the whole of Sigma": sigma_form,
        "without the event": without(),
        "no regularisation": changed(
            hypotheses=[Hypothesis("unregularised", le(rho_bar * sigma_form - clipped_form, mu_reg * _w))]
        ),
    },
    steps=(Step("The deviation.", "rgm:b5-concentration"), Step("The mean.", "rgm:b5-clipped-mean")),
    reading=r"With $\tilde A$ including the regularisation, for one vector $w$ and hence for all.",
)
