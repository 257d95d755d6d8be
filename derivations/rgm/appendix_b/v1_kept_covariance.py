r"""Version 1, Proposition 3: the kept covariance is above a multiple of $\Sigma$.

The lower bound stands, although its proof does not: where the regularisation alone does not give it, many records are kept.
"""

from ...theorems import MATRIX_BERNSTEIN, TOWER
from ..gaussian_notation import *
from ..notation import NOTATION, delta
from .v1_kept_mean import along_sigma, page as _v1_kept_mean
from .v1_kept_records import p, page as _v1_kept_records

page = Page("rgm-v1", "App. B.6", GAUSSIAN_NOTATION, NOTATION, _v1_kept_records, _v1_kept_mean)
_ROOT = nonnegative("x", "sqrt(log(2d/delta)/n)", latex=r"\sqrt{\ell/n}")
_ry = page.nonnegative("y", "sqrt(log(2d/delta)/n_c)", latex=r"\sqrt{\ell/n_c}")
_r = page.nonnegative("r", "sqrt(2 rho_c) R_c")
_rho_c = page.positive("rho_c", "mean of the kept covariance in units of Sigma, rho/p")
_rx = _ROOT.symbol
_MANY_KEPT = Hypothesis(
    "as many are kept as Hoeffding says",
    le(_ry**2 * (p - _rx / sqrt(2)), _rx**2),
    "n_c >= n p - sqrt(n log(1/delta)/2), and log(1/delta) <= log(2d/delta)",
    by=("rgm:b6-hoeffding",),
)
_IS_ROOT = Hypothesis("r", eq(_r**2, 2 * _rho_c * v))
_MEAN_INSIDE = Hypothesis("rho_c at most R_c^2", le(_rho_c, v), "rho_c <= R_c^2/d, a mean of |u|^2/d inside")
_deviation = named("t", _r * _ry + Rational(2, 3) * v * _ry**2)

on_the_event = page.elsewhere("Section 5.3, Proposition 3; App. B.6", source="beyond").inequality(
    "beyond:b6-on-the-event",
    "The kept covariance where enough records are kept and their covariance deviates little",
    either(ge(4 * v * _rx, p * _rho_c), ge(_rho_c - _deviation + 4 * v * _rx, p * _rho_c)),
    r"Either $\mu_{\rm reg}I$ alone is above $\rho\Sigma$, or the deviation $t$ from the mean $\rho_c\Sigma$ is small enough.",
    given=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE),
    points={
        _rx: (0, Rational(1, 3), _rx * p * _rho_c),
        v: (0, 4),
        _rho_c: (0, 1, _rho_c * v),
        _ry: (0, 1, _ry * _rx * p * _rho_c / sqrt(p - _rx * p * _rho_c / sqrt(2))),
        _r: v * sqrt(2 * _rho_c),
    },
    over=(_ROOT,),
    wrong={
        "a quarter of the regularisation": either(
            ge(v * _rx, p * _rho_c), ge(_rho_c - _deviation + v * _rx, p * _rho_c)
        ),
        "any number kept": without(_MANY_KEPT),
        "the whole mean": either(ge(4 * v * _rx, _rho_c), ge(_rho_c - _deviation, _rho_c)),
    },
    steps=Step("How many are kept.", "rgm:b6-hoeffding"),
    reading=r"In units of $\Sigma$, where $\mu_{\rm reg}I \succcurlyeq 4R_c^2\sqrt{\ell/n}\,\Sigma$; $\rho = p\rho_c$.",
)

# Summands are u u^T/n_c for records inside, in units of Sigma.
_one_form = page.nonnegative("e_1", "for |w| = 1", latex=r"(w^\top\mathbb E[S]w)")
_its_square = page.nonnegative("e_2", "for |w| = 1", latex=r"(w^\top\mathbb E[S^2]w)")
_dev = page.nonnegative("t", "the deviation, sqrt(2 rho_c v ell/n_c) + 2 v ell/(3 n_c)")
_kept_deviation = named("t", sqrt(2 * _rho_c * v * ell / n_c) + Rational(2, 3) * v * ell / n_c)
_MEAN_FORM = Hypothesis(
    "the mean of a summand", eq(_one_form, _rho_c / n_c), "E u u^T = rho_c I inside", ("rgm:b6-mean-corrected",)
)

deviation_inside = page.elsewhere("replaces App. B.6, v1 (65) to (69)", source="beyond").inequality(
    "beyond:b6-deviation",
    "The exponent of matrix Bernstein for the records inside",
    both(
        le(n_c * _its_square, _rho_c * v / n_c),
        ge(_kept_deviation**2 / 2, ell * (_rho_c * v / n_c + v / n_c * _kept_deviation / 3)),
    ),
    r"Given which $n_c$ records are inside, their covariance, in units of $\Sigma$, deviates by more than $t$ with probability at most $2d\,e^{-\ell}$, which is $\delta$: the first part has the variance, the second the exponent.",
    given=(Hypothesis("S^2 is at most |S| S", le(_its_square, v / n_c * _one_form), "|u|^2 <= R_c^2"), _MEAN_FORM),
    points={
        (v, _rho_c, ell): (0, 4),
        n_c: (1, 9),
        _its_square: (0, 1, _its_square * v * _rho_c / n_c**2),
        _one_form: _rho_c / n_c,
    },
    wrong={
        "half of the variance": le(n_c * _its_square, _rho_c * v / (2 * n_c)),
        "without the linear term": ge(
            2 * _rho_c * v * ell / n_c / 2, ell * (_rho_c * v / n_c + v / n_c * sqrt(2 * _rho_c * v * ell / n_c) / 3)
        ),
        "any summand": without("S^2 is at most |S| S"),
    },
    steps=(
        MATRIX_BERNSTEIN.quoted(
            "The probability.",
            "Records are inside or not independently of each other, and so are those inside, given which they are.",
            "rgm:b5-summand",
            "The first part of the formula; summands are symmetric.",
        ),
        Step("The mean.", "rgm:b6-mean-corrected"),
    ),
    reading="Bernstein's exponent is multiplied out. For every number of records from 1 on.",
)

_kept_form = page.nonnegative("q", "for a vector z", latex=r"z^\top A_Cz")
_inside_form = page.nonnegative("m", "mean of (z . X_i)^2 over the records inside")
_z_length = page.nonnegative("W", "|z|^2", latex=r"\|z\|^2")
_regular = page.positive("mu_reg", "regularisation")
_IS_KEPT = Hypothesis("A_C", eq(_kept_form, _inside_form + _regular * _z_length), "Section 5.3")
_DEVIATES = Hypothesis("the deviation in units of Sigma", ge(_inside_form, (_rho_c - _dev) * along_sigma), "the event")

level_on_event = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-level",
    "How far the kept covariance is above Sigma",
    both(ge(_kept_form, _regular / L * along_sigma), ge(_kept_form, (_rho_c - _dev + _regular / L) * along_sigma)),
    r"The first holds always, the second where the records inside deviate by at most $t\Sigma$ from their mean.",
    printed=r"A_C\succcurlyeq\frac{\mu_{\rm reg}}L\Sigma,\qquad A_C\succcurlyeq\Big(\rho_c-t+\frac{\mu_{\rm reg}}L\Big)\Sigma",
    given=(_IS_KEPT, _DEVIATES, Hypothesis("the largest eigenvalue of Sigma", le(along_sigma, L * _z_length))),
    points={
        along_sigma: (0, 1, along_sigma * L * _z_length),
        (L, _regular, _rho_c): (0, 3),
        _dev: (0, 1, _dev * _rho_c),
        _z_length: (0, 3),
        _inside_form: _rho_c * (1 - _dev) * along_sigma * L * _z_length,
        _kept_form: _rho_c * (1 - _dev) * along_sigma * L * _z_length + _regular * _z_length,
    },
    wrong={
        "the regularisation for L": ge(_kept_form, _regular * along_sigma),
        "the whole mean": ge(_kept_form, (_rho_c + _regular / L) * along_sigma),
        "any records": without(_DEVIATES),
        "any spectrum": without("the largest eigenvalue of Sigma"),
    },
    reading="Along every vector z, in every dimension.",
)

_lambda = page.nonnegative("lambda", "the largest number with A_C above lambda Sigma, at its least on the event")


def _at_least_level(root: Expr, deviation: Expr) -> tuple[Hypothesis, ...]:
    """List what is known of the level on the event, for the root of ell/n and the deviation."""
    return (
        Hypothesis("the regularisation", ge(_lambda, 4 * v * root), "mu_reg of Proposition 3", ("beyond:b6-level",)),
        Hypothesis(
            "the records, where some are kept",
            Implies(gt(p, root / sqrt(2)), ge(_lambda, _rho_c - deviation + 4 * v * root)),
            "on the event",
            ("beyond:b6-level",),
        ),
    )


_LEVELS = _at_least_level(_rx, _deviation)

lowest_level = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-level-on-the-event",
    "The level of the kept covariance on the event",
    ge(_lambda, p * _rho_c),
    "On the event as many records are kept as Hoeffding says, and they deviate as Bernstein says.",
    given=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE, *_LEVELS),
    points={
        _rx: (0, 1, _rx * p),
        v: (0, 4),
        _rho_c: (0, 1, _rho_c * v),
        _ry: (0, 1, _ry * _rx * p / sqrt(p - _rx * p / sqrt(2))),
        _r: v * sqrt(2 * _rho_c),
        _lambda: Max(
            4 * v * _rx * p,
            _rho_c * v
            - v * sqrt(2 * _rho_c) * _ry * _rx * p / sqrt(p - _rx * p / sqrt(2))
            - Rational(2, 3) * v * _ry**2 * _rx**2 * p**2 / (p - _rx * p / sqrt(2))
            + 4 * v * _rx * p,
        ),
    },
    over=(_ROOT,),
    wrong={
        "the whole mean": _rho_c,
        "any number kept": without(_MANY_KEPT),
        "the records alone": changed(hypotheses=(_MANY_KEPT, _IS_ROOT, _MEAN_INSIDE, _LEVELS[1])),
    },
    steps=Step("Either way.", Premise("beyond:b6-on-the-event")),
    reading=r"Where $p \le x/\sqrt2$, no record need be kept, and the regularisation is enough.",
)

_event = page.real("E", "probability of the event: enough are kept, and they deviate little", lower=0, upper=1)
_holds = page.real("P", "probability", lower=0, upper=1, latex=r"P(A_C\succcurlyeq\rho\Sigma)")
_few = page.real("f", "probability that fewer are kept than Hoeffding says", lower=0, upper=1)
_far = page.real("g", "probability that those kept deviate by more", lower=0, upper=1)
_root_of_all = sqrt(ell / n)
_ENOUGH_KEPT = Hypothesis(
    "as many are kept as Hoeffding says",
    ge(n_c, n * (p - _root_of_all / sqrt(2))),
    "log(1/delta) <= log(2d/delta)",
    ("rgm:b6-hoeffding",),
)
_BY_REGULARISATION, _BY_RECORDS = _at_least_level(_root_of_all, _kept_deviation)
_IS_PRINTED = Hypothesis("rho", eq(rho, p * _rho_c), "v1 (70)", ("rgm:b6-mean-corrected",))
_ABOVE = Hypothesis("the event is one of the level", Implies(ge(_lambda, rho), ge(_holds, _event)))
_BY_UNION = Hypothesis("the event fails in two ways", ge(_event, 1 - _few - _far))
_BY_BERNSTEIN = Hypothesis("far", le(_far, delta), "matrix Bernstein", ("beyond:b6-deviation",))
_PROBABLE = (_ABOVE, _BY_UNION, Hypothesis("few", le(_few, delta), "Hoeffding", ("rgm:b6-hoeffding",)), _BY_BERNSTEIN)
_FOR_THE_LEVEL = (_ENOUGH_KEPT, _MEAN_INSIDE, _BY_REGULARISATION, _BY_RECORDS, _IS_PRINTED)
_ALL_OF_IT = (*_FOR_THE_LEVEL, *_PROBABLE)
_at_least = positive("k").symbol

#: Up to 1/2 of p the number n_c is as large as it has to be; beyond, it is too small.
_share_at_least = Min(1, p / (Rational(101, 100) - p) * n_c / n + sqrt(ell / 2))

_SPREAD_POINTS = {
    ell: (0, Rational(1, 9), ell * n),
    n: (1, 200),
    n_c: (1, 200),
    p: (0, 1, _share_at_least),
    v: (0, 4),
    _rho_c: (0, 1, _rho_c * v),
    rho: _share_at_least * _rho_c * v,
    _lambda: Max(
        4 * v * sqrt(ell),
        v * (_rho_c - sqrt(2 * _rho_c * ell * n / n_c) - Rational(2, 3) * ell * n / n_c + 4 * sqrt(ell)),
    ),
}

printed_level = page.elsewhere("Section 5.3, Proposition 3 of version 1", source="beyond").inequality(
    "beyond:b6-printed-level",
    "The level on the event, with the printed rho",
    ge(_lambda, rho),
    given=_FOR_THE_LEVEL,
    points=_SPREAD_POINTS,
    wrong={
        "rho without the share": _rho_c,
        "any number kept": changed(hypotheses=_FOR_THE_LEVEL[1:]),
        "rho is anything": changed(hypotheses=_FOR_THE_LEVEL[:-1]),
    },
    steps=Step(
        "The level, at the square roots that stand for the deviations.",
        Premise("beyond:b6-level-on-the-event", {_rx: sqrt(ell / n), _ry: sqrt(ell / n_c), _r: sqrt(2 * _rho_c * v)}),
    ),
)

covariance = page.elsewhere("Section 5.3, Proposition 3; App. B.6", "V1P3.5a V1P3.5b NB06").proposition(
    "rgm:b6-covariance",
    "Proposition 3 of version 1: the kept covariance is above a multiple of Sigma",
    chain(_holds, ">=", 1 - 2 * delta, ">=", 1 - 3 * delta),
    r"With the printed $\rho$ and $\mu_{\rm reg}$.",
    outputs="adds up the probabilities of its steps: the number of records inside is looked at in rgm-v1:b6-omega",
    given=_ALL_OF_IT,
    points=_SPREAD_POINTS
    | {
        _few: (0, 1, delta * _few),
        _far: (0, 1, delta * _far),
        _at_least: (0, 3),
        _event: Max(0, 1 - delta * (_few + _far)),
        _holds: Min(1, _at_least * Max(0, 1 - delta * (_few + _far))),
    },
    wrong={
        "one delta": ge(_holds, 1 - delta),
        "any number kept": changed(hypotheses=_ALL_OF_IT[1:]),
        "without the regularisation": changed(
            hypotheses=(
                *_ALL_OF_IT[:2],
                Hypothesis(
                    "the records", Implies(gt(p, _root_of_all / sqrt(2)), ge(_lambda, _rho_c - _kept_deviation))
                ),
                *_ALL_OF_IT[4:],
            )
        ),
        "the event for nothing": changed(hypotheses=tuple(h for h in _ALL_OF_IT if h is not _BY_UNION)),
    },
    steps=(
        Step("How many are kept.", "rgm:b6-hoeffding"),
        Step("How far they deviate, given which they are.", "beyond:b6-deviation"),
        TOWER.quoted(
            "The probability that they deviate by more is a mean of such conditional probabilities.",
            "Probabilities lie between 0 and 1.",
        ),
        Step("The level of the covariance,", "beyond:b6-level"),
        Step("on the event.", Premise("beyond:b6-printed-level")),
        Step("The mean.", "rgm:b6-mean-corrected"),
        Step("rho.", "rgm:b6-closed-form"),
    ),
    reading=r"$\ell = \log(2d/\delta)$. $I_C$ is the set of all records inside ($\subset$ is a misprint, see `rgm-v1:b6-subset`); of an empty one $A_C = \mu_{\rm reg}I$. $n_c$ is the least number of them on the event, or 1. $\rho = p\rho_c$ depends on $R_c$ and the dimension (`rgm:b6-closed-form`). That $n \ge \frac49\ell$ is not needed.",
    remark=r"The proof printed, with $n$ for $n_c$, does not give it. That such clipping works where data 'look Gaussian' is an expectation.",
)
