"""Gaussian features of version 2, beyond the paper: what holds instead, and the constants that the same proofs give."""

from rgm_verify.claims.page import Edit
from rgm_verify.lenses.distributions.mechanisms import Y, laplace

from ... import looseness
from ...rgm.gaussian_notation import *
from ...rgm.section_5 import clipping_worlds as clipped
from ...theorems import MATRIX_BERNSTEIN, SPECTRAL, TOWER
from . import clipping_worlds as worlds, whole_test_worlds as whole

page = Page("beyond", "", GAUSSIAN_NOTATION)

#: Variables of other files' claims, as premises name them.
_exponent, _tangent_at, _tangent_to = (real(name).symbol for name in ("x", "a", "b"))
_e1 = page.nonnegative("e_1", "along a unit vector", latex=r"w^\top\mathbb E[S]w")
_e2 = page.nonnegative("e_2", "along a unit vector", latex=r"w^\top\mathbb E[S^2]w")

_BERNSTEIN = (
    Hypothesis("S^2 is at most |S| S", le(_e2, v * L / n * _e1), "S has rank one and norm at most R_c^2 L/n"),
    Hypothesis("mean of a summand", le(_e1, rho_bar * L / n), "E S = rho-bar Sigma/n"),
)

smaller_variance = page.elsewhere("App. B.5, v2 (70)").inequality(
    "beyond:b5-variance",
    "A variance smaller by the factor 4 R_c^2/rho-bar",
    le(n * _e2, rho_bar * v * L**2 / n),
    "In place of the $4R_c^4L^2/n$ that is printed.",
    given=_BERNSTEIN,
    wrong={"R_c^2 left out": rho_bar * L**2 / n, "half": scaled("1/2"), "without the mean": without(_BERNSTEIN[1])},
    printed=r"\left\|\sum_i\mathbb E(S_i - \mathbb E S_i)^2\right\| \le \frac{\bar\rho R_c^2L^2}n",
)

_root = page.nonnegative("x", latex=r"\sqrt{\ell/n}")
_standard = page.nonnegative("r", latex=r"(R_c\sqrt{2\bar\rho})")
_smaller = named(r"\mu_{\rm reg}", L * (_standard * _root + Rational(2, 3) * v * _root**2))
_SMALL_THRESHOLD = Hypothesis("rho-bar at most R_c^2", le(rho_bar, v), "rho-bar <= R_c^2/d")
_RANGE = Hypothesis("enough records", le(_root, Rational(3, 2)), "n >= 4 log(2d/nu)/9")

smaller_regularisation = page.elsewhere("App. B.5, v2 (69)").inequality(
    "beyond:b5-smaller-regularisation",
    "Less regularisation does",
    both(
        ge(_smaller**2 / 2, n * _root**2 * (rho_bar * v * L**2 / n + v * L / n * _smaller / 3)),
        le(_smaller, 4 * L * v * _root),
    ),
    r"Here $\ell$ is $\log(2d/\nu)$: Bernstein's exponent is at least $\ell$ for every $n$, and the regularisation is below the printed one where that is defined.",
    given=(Hypothesis("r", eq(_standard**2, 2 * rho_bar * v)), _SMALL_THRESHOLD, _RANGE),
    points={_root: (0, Rational(3, 2)), _standard: (0, 10), n: (1, 1000), v: _standard**2 / (2 * rho_bar)},
    wrong={
        "r without the linear term": ge(
            (L * _standard * _root) ** 2 / 2,
            n * _root**2 * (rho_bar * v * L**2 / n + v * L / n * (L * _standard * _root) / 3),
        ),
        "2 for 4": le(_smaller, 2 * L * v * _root),
    },
    steps=(
        Step("The variance.", "beyond:b5-variance"),
        MATRIX_BERNSTEIN.quoted(
            r"The deviation exceeds $\mu_{\rm reg}$ with probability at most $2d\,e^{-\ell} = \nu$.",
            "The records are.",
            "rgm:b5-summand",
            "beyond:b5-variance",
        ),
    ),
    reading=r"Bernstein's exponent is multiplied out. For large $n$ the gain is the factor $\sqrt{8R_c^2/\bar\rho}$, about $4\sqrt d$ for $2d$ as $R_c^2$.",
    printed=r"\mu_{\rm reg} = L\left(R_c\sqrt{\frac{2\bar\rho\ell}n} + \frac{2R_c^2\ell}{3n}\right) \le 4LR_c^2\sqrt{\frac\ell n}",
)

_rho = page.positive("rho", "the proposed lower bound")

regularisation_alone = page.elsewhere("Section 5.4, Proposition 3").inequality(
    "beyond:b5-regularisation-alone",
    "The printed regularisation may exceed what is tested",
    ge(named(r"\mu_{\rm reg}", 4 * L * v * sqrt(ell / n)), _rho * L),
    r"So $\tilde A$ is above $\rho\Sigma$ for all data.",
    given=Hypothesis("few records", le(n * _rho**2, 16 * v**2 * ell), "n <= 16 R_c^4 log(2d/nu)/rho^2"),
    wrong={
        "twice": 2 * _rho * L,
        "four times the records": changed(hypotheses=[Hypothesis("more", le(n * _rho**2, 64 * v**2 * ell))]),
        "without the condition": without(),
    },
    remark="Then the test tests nothing and no sum reaches $n$. In dimension 22, with $2d$ as $R_c^2$, a level of one half and a probability of 1/100 this is so up to about a million records; at the smallest $n$ of the proposition the regularisation is $6LR_c^2$ and dwarfs the covariance.",
)

_g = page.nonnegative("g", "Delta_+ less the threshold of the test")
_accepted = named("P(g)", 1 - rejection(_g))

acceptance = page.elsewhere("replaces App. B.5, v2 (77)").correction(
    "beyond:ptr-acceptance",
    "The probability that the test accepts",
    both(eq(Derivative(_accepted, _g), epsilon / 2 * exp(-epsilon * _g)), eq(At(_accepted, _g, 0), Rational(1, 2))),
    r"$P(g)$ is the probability that the test accepts, with $\Delta_+$ at $g$ above the threshold.",
    outputs=of_bounds(
        is_quantity(Of(Chance(Y), laplace(_g, _g, 1 / epsilon)), _accepted),
        ({_g: Rational(1, 2), epsilon: Integer(1)}, {_g: Integer(1), epsilon: Rational(3, 2)}),
    ),
    wrong={
        "always": eq(Integer(0), epsilon / 2 * exp(-epsilon * _g)),
        "without the half": eq(Derivative(1 - 2 * rejection(_g), _g), epsilon / 2 * exp(-epsilon * _g)),
    },
    reading="The noise exceeds -g: half of its mass is above 0, and the rest of what is needed lies between -g and 0. Judged is the derivative in g, and the value at 0.",
    printed=r"P[\text{accept}] = \frac12 + \int_0^g\frac\varepsilon2e^{-\varepsilon z}\,dz = 1 - \frac12e^{-\varepsilon g}",
)

_miss = page.nonnegative("lambda_2", "$\\log(1/(2\\nu_2))$ for a probability $\\nu_2$ that the test rejects")
_event = page.real("p", "probability that the covariance is within mu_reg of its mean", lower=0, upper=1)
_accepts = page.real("a", "probability that the test accepts", lower=0, upper=1)
_fails = page.real("nu", "probability of failure of the event", lower=0, upper=1)
_terms = page.nonnegative("S", "sum of the terms on the smallest set, over n")
_ABOVE_THRESHOLD = epsilon * distance - log_delta
_SIZES = {**dict.fromkeys((epsilon, log_delta, _miss), (0, 4)), n: (1, 20), _terms: (1, 3)}
_STATISTIC = (
    Hypothesis("the sum reaches 1", ge(_terms, 1), "v2 (66)"),
    Hypothesis(
        "each term from above",
        le(_terms, distance * (2 * v / (n * rho_bar))),
        "beta = 1/2",
        ("rgm:b5-inverse-corrected",),
    ),
)
_RECORDS_NEEDED = Hypothesis("records", ge(n, 2 * v * (log_delta + _miss) / (rho_bar * epsilon)))
_PROBABILITIES = (
    Hypothesis("the event", ge(_event, 1 - _fails), "matrix Bernstein", ("rgm:b5-concentration",)),
    Hypothesis(
        "accepting on the event",
        ge(_accepts, _event * (1 - exp(-_ABOVE_THRESHOLD) / 2)),
        "the least statistic on the event counts",
        ("beyond:ptr-acceptance",),
    ),
)


def _at_least(records: Expr) -> Edit:
    """Another number of records."""
    return instead(Hypothesis(_RECORDS_NEEDED.name, ge(n, records)))


_PRINTED_RECORDS = _at_least(v * log_delta / (2 * epsilon))
_NO_SHARE = _at_least(2 * v * log_delta / (rho_bar * epsilon))

above_threshold = page.elsewhere("replaces App. B.5, v2 (76) and (77)").inequality(
    "beyond:b5-above-the-threshold",
    "With enough records the statistic is above the threshold by a margin",
    ge(_ABOVE_THRESHOLD, _miss),
    r"So the statistic is above the threshold $\log(1/\delta)/\varepsilon$ by a margin of $\lambda_2/\varepsilon$.",
    given=(*_STATISTIC, _RECORDS_NEEDED),
    points={
        **_SIZES,
        v: n * rho_bar * epsilon / (2 * (log_delta + _miss + 1)),
        distance: (0, 1, _terms * (log_delta + _miss + 1) / epsilon * (1 + distance)),
    },
    wrong={
        "the printed records": _PRINTED_RECORDS,
        "without rho-bar": _at_least(2 * v * (log_delta + _miss) / epsilon),
        "without a share for the noise": _NO_SHARE,
    },
    steps=Step("How many records the sum takes.", "rgm:b5-count"),
)

_accepted_at_least = 1 - exp(-_terms * (log_delta + _miss) + log_delta) / 2

proposition = page.elsewhere("replaces Section 5.4, Proposition 3").correction(
    "beyond:b5-proposition-3",
    "Proposition 3, as it can be proved",
    ge(_accepts, 1 - _fails - exp(-_miss) / 2),
    r"The test accepts half of $\bar\rho$ with this probability.",
    given=(*_STATISTIC, _RECORDS_NEEDED, *_PROBABILITIES),
    by=whole.ACCEPTED.mapped(
        whole.of_accepted, *(distance, _terms, n, v, rho_bar, epsilon, log_delta, _miss), *(_event, _accepts, _fails)
    ),
    points={
        **_SIZES,
        v: n * rho_bar * epsilon / (2 * (log_delta + _miss)),
        distance: _terms * (log_delta + _miss) / epsilon,
        _event: 1 - _fails,
        _accepts: (0, 1, (1 - _fails) * _accepted_at_least * (1 - _accepts) + _accepts),
    },
    wrong={
        "the printed records": _PRINTED_RECORDS,
        "without a share for the noise": _NO_SHARE,
        "without nu": 1 - exp(-_miss) / 2,
    },
    steps=(
        MATRIX_BERNSTEIN.quoted(
            r"The clipped covariance is within $\mu_{\rm reg}$ of its mean with probability $1 - \nu$:",
            "The records are, and so are the summands $S_i - \\mathbb E S_i$.",
            "rgm:b5-summand",
            "rgm:b5-variance",
        ),
        Step("the exponent is $\\log(2d/\\nu)$.", "rgm:b5-concentration"),
        Step(r"Its mean is $\bar\rho\Sigma + \mu_{\rm reg}I$.", "rgm:b5-clipped-mean"),
        Step(r"So $\tilde A \succcurlyeq \bar\rho\Sigma$ on the event,", "rgm:b5-lower-bound"),
        Step(r"and each term of the statistic is at most $2R_c^2/\bar\rho$.", "rgm:b5-inverse-corrected"),
        Step("So the statistic is above the threshold by a margin,", Premise("beyond:b5-above-the-threshold")),
        Step("which noise takes away with a small probability.", "beyond:ptr-acceptance"),
        TOWER.quoted(
            "The probability of accepting is at least that of the event times the least one on it.",
            "Probabilities lie between 0 and 1.",
        ),
        Premise("rgm:s4-exponential-positive", {_exponent: -_ABOVE_THRESHOLD}),
        Premise("beyond:exponential-above-its-tangents", {_tangent_at: -_ABOVE_THRESHOLD, _tangent_to: -_miss}),
    ),
    reading=r"The last term is $\nu_2$. $\Delta_+$ is the least statistic on the event, S the sum of the terms on the set that makes it; the event needs at least $4\log(2d/\nu)/9$ records. Off the event nothing is assumed.",
    remark="It is about the test as printed, which accepts, but is not private (`beyond:ptr-statistic-jumps`). The private one accepts, too: `beyond:ptr-private-accepts`.",
)

_level = page.real("f", "least of the form of A over vectors of length 1 in the norm of Sigma, on the event")
_log_half = page.nonnegative("lambda_1", "log(1/(2 delta)), delta of the test", latex=r"\log(1/(2\delta))")
_private_gap = epsilon * (named(r"\Gamma", n * (_level - rho_bar / 2) / v) - named("t", 1 + _log_half / epsilon))
_ABOVE_MEAN = Hypothesis("the covariance", ge(_level, rho_bar), "on the event", by=("rgm:b5-lower-bound",))
_PRIVATE_RECORDS = Hypothesis("records", ge(n * rho_bar, 2 * v * (1 + (_log_half + _miss) / epsilon)))
_PRIVATE_EVENT = (
    _PROBABILITIES[0],
    Hypothesis(
        "accepting on the event",
        ge(_accepts, _event * (1 - exp(-_private_gap) / 2)),
        "the least statistic on the event counts",
        ("beyond:ptr-passing",),
    ),
)
_PRIVATE_SIZES = {
    (epsilon, _log_half, _miss): (0, 4),
    n: (1, 20),
    v: n * rho_bar / (2 * (1 + (_log_half + _miss) / epsilon)),
    _level: rho_bar,
}


def _fewer_records(needed: Expr) -> Edit:
    """Another number of records."""
    return instead(Hypothesis(_PRIVATE_RECORDS.name, ge(n * rho_bar, needed)))


private_above_threshold = page.elsewhere("replaces Section 5.4, Proposition 3").inequality(
    "beyond:ptr-private-above-the-threshold",
    "With enough records the private statistic is above its threshold by a margin",
    ge(_private_gap, _miss),
    given=(_ABOVE_MEAN, _PRIVATE_RECORDS),
    points=_PRIVATE_SIZES,
    wrong={
        "half of the records": _fewer_records(v * (1 + (_log_half + _miss) / epsilon)),
        "a threshold without the 1": _fewer_records(2 * v * (_log_half + _miss) / epsilon),
        "any covariance": without(_ABOVE_MEAN),
    },
)

private_accepts = page.elsewhere("replaces Section 5.4, Proposition 3").proposition(
    "beyond:ptr-private-accepts",
    "The private test accepts Gaussian features",
    ge(_accepts, 1 - _fails - exp(-_miss) / 2),
    r"The test with the statistic $\Gamma$ accepts half of $\bar\rho$ with this probability, from $n \ge \frac{2R_c^2}{\bar\rho}\left(1+\frac1\varepsilon\log\frac1{4\delta\nu_2}\right)$ records on.",
    printed=r"P[\text{accept}]\ge1-\nu-\nu_2",
    given=(_ABOVE_MEAN, _PRIVATE_RECORDS, *_PRIVATE_EVENT),
    points={
        **_PRIVATE_SIZES,
        _event: 1 - _fails,
        _accepts: (0, 1, (1 - _fails) * (1 - exp(-_miss) / 2) * (1 - _accepts) + _accepts),
    },
    wrong={
        "half of the records": _fewer_records(v * (1 + (_log_half + _miss) / epsilon)),
        "without a share for the noise": _fewer_records(2 * v * (1 + _log_half / epsilon)),
        "without nu": 1 - exp(-_miss) / 2,
    },
    steps=(
        MATRIX_BERNSTEIN.quoted(
            r"The clipped covariance is within $\mu_{\rm reg}$ of its mean with probability $1 - \nu$:",
            "The records are, and so are the summands $S_i - \\mathbb E S_i$.",
            "rgm:b5-summand",
            "rgm:b5-variance",
        ),
        Step("the exponent is $\\log(2d/\\nu)$.", "rgm:b5-concentration"),
        Step(r"So $\tilde A \succcurlyeq \bar\rho\Sigma$ on the event,", "rgm:b5-lower-bound"),
        Step("and the statistic is above its threshold.", Premise("beyond:ptr-private-above-the-threshold")),
        Step("Noise takes the margin away with a small probability.", "beyond:ptr-passing"),
        TOWER.quoted(
            "The probability of accepting is at least that of the event times the least one on it.",
            "Probabilities lie between 0 and 1.",
        ),
        Premise("rgm:s4-exponential-positive", {_exponent: -_private_gap}),
        Premise("beyond:exponential-above-its-tangents", {_tangent_at: -_private_gap, _tangent_to: -_miss}),
    ),
    reading=r"$\Gamma = \frac n{R_c^2}\lambda_{\min}(\Sigma^{-1/2}(\tilde A-\rho\Sigma)\Sigma^{-1/2})$ for $\rho = \frac12\bar\rho$, the threshold is $1+\frac1\varepsilon\log\frac1{2\delta}$, $C = \Sigma$ with its clipping, and the last term is $\nu_2$; the event needs at least $4\log(2d/\nu)/9$ records. That the test is private is `beyond:ptr-private`.",
)

_p = page.nonnegative("P", latex=r"\|X\|^2")
_q = page.nonnegative("Q", latex=r"X^\top\Sigma^{-2}X")
_norm = page.nonnegative("N", latex=r"X^\top\Sigma^{-1}X")
_eigen = page.positive("lambda", "an eigenvalue")
_BETWEEN = (Hypothesis("at least the smallest", ge(_eigen, l_min)), Hypothesis("at most the largest", le(_eigen, L)))

kantorovich_point = page.elsewhere("App. B.5, v2 (78)").inequality(
    "beyond:b5-kantorovich-eigenvalue",
    "Kantorovich's inequality for one eigenvalue",
    le(_eigen + L * l_min / _eigen, L + l_min),
    given=_BETWEEN,
    points={_eigen: l_min + _p, L: l_min + _p + _q},
    wrong={"L": L, "any eigenvalue above": without(_BETWEEN[1]), "any eigenvalue below": without(_BETWEEN[0])},
)

kantorovich = page.elsewhere("App. B.5, v2 (78)", "P3.13b").inequality(
    "beyond:b5-kantorovich",
    "A quarter of the condition number, nearly",
    le(4 * L * l_min * _p * _q, (L + l_min) ** 2 * _norm**2),
    r"With the condition number of $\Sigma$, multiplied out.",
    given=Hypothesis("summed over the eigenbasis", le(_p + L * l_min * _q, (L + l_min) * _norm)),
    by=(Smt(), worlds.KANTOROVICH.mapped(clipped.of_condition, _p, _q, _norm, L, l_min)),
    wrong={"half": left(8 * L * l_min * _p * _q), "4 L l": le(_p * _q, _norm**2), "without the sum": without()},
    steps=(
        SPECTRAL.quoted("The inequality of each eigenvalue is added up over the eigenbasis.", "It is a covariance."),
        Step("One eigenvalue.", "beyond:b5-kantorovich-eigenvalue"),
    ),
    remark=r"It replaces $\kappa_\Sigma$, which is up to 4 times as large, in $\eta^2$; `beyond:b5-kantorovich-attained` shows that no less will do.",
    tightness=Tightness(
        looseness.GAIN * looseness.inverse**2 / looseness.inverse_square,
        looseness.BOX,
        r"the bound over what it bounds, in the plane: $u$ is the record's share along the small eigenvalue",
        **looseness.AT_100,
    ),
    printed=r"\|X\|^2X^\top\Sigma^{-2}X \le \frac{(1+\kappa_\Sigma)^2}{4\kappa_\Sigma}\left(X^\top\Sigma^{-1}X\right)^2",
)

_x1, _x2 = page.real("x_1", "component along the first eigenvector"), page.real("x_2", "along the second")
_maha = named(r"X^\top\Sigma^{-1}X", _x1**2 / L + _x2**2 / l_min)
_product = named(r"\|X\|^2", _x1**2 + _x2**2) * named(r"X^\top\Sigma^{-2}X", _x1**2 / L**2 + _x2**2 / l_min**2)

kantorovich_attained = page.elsewhere("Section 5.4, after Proposition 3", "P3.13b").remark(
    "beyond:b5-kantorovich-attained",
    "The condition number is paid",
    ge(4 * L * l_min * _product, (L + l_min) ** 2 * _maha**2),
    "For some record, with a condition number of 10 or more.",
    exists=True,
    given=(ORDERED, Hypothesis("spread", ge(L, 10 * l_min)), Hypothesis("a record", ge(_x1**2 + _x2**2, 1))),
    by=(Search(), Smt()),
    points={_p: (0, 1), _x1: Integer(4), _x2: Integer(1), L: Integer(16), l_min: Integer(1)},
    wrong={"the whole condition number": ge(l_min * _product, L * _maha**2)},
)
