"""Gaussian data of version 1, beyond the paper: a regularisation with which their covariance is above Sigma, and Proposition 1 with it."""

from ...rgm.gaussian_notation import *
from ...theorems import GAUSSIAN_SINGULAR_VALUES
from . import clipping_worlds as worlds

page = Page("beyond", "", GAUSSIAN_NOTATION)

#: Variables of other files' claims, as premises name them.
_relative_norm = tuple(nonnegative(name).symbol for name in ("N", "a_1", "a_2"))
_at_point, _at_other, _at_rest, _at_gap = (nonnegative(name).symbol for name in ("alpha", "beta", "w", "D"))
_at_factor, _at_nabla, _at_norm, _at_twice = (
    positive("K").symbol,
    *(nonnegative(name).symbol for name in ("G", "X", "U")),
)

_rx = page.nonnegative("s", "$\\sqrt{x/n}$, $x$ the logarithm of one over the probability")

concentration_on_the_line = page.elsewhere("replaces App. B.4, v1 (59), in dimension 1").correction(
    "beyond:b4-concentration-line",
    "Concentration of the variance of Gaussian data",
    ge(2 * _rx - log(1 + 2 * _rx + 2 * _rx**2), 0),
    "In dimension 1, for every n.",
    by=Monotone(_rx, Integer(0)),
    wrong={"half of the root": left(_rx - log(1 + _rx + 2 * _rx**2)), "sides swapped": turned()},
    steps=Step("Chernoff.", "beyond:chi-square-chernoff"),
    reading=r"$n\tilde A/\Sigma$ is chi-square with $n$ degrees of freedom; judged is that the logarithm of Chernoff's bound at $n(1+2s+2s^2)$ is at most $-x$. The deviation is linear in Sigma, and for few records linear in x.",
    remark=r"In $d$ dimensions $C|\Sigma|\max(\sqrt{x/n}, x/n)$ with $x = d_{\rm eff} + \log(1/\delta)$ is known (Koltchinskii and Lounici, quoted).",
    printed=r"P\left[\tilde A > \Sigma\left(1 + 2\sqrt{x/n} + 2x/n\right)\right] \le e^{-x}",
)

_c = page.positive("C", "the constant")
_root_at = _c + 2
_log_at = _root_at**2 - 2 - log(2)

no_constant = page.elsewhere("App. B.4, v1 (59)", "V1P1.4").remark(
    "beyond:b4-no-absolute-constant",
    "No absolute constant for few records",
    both(le((1 + _c * _root_at) / 2, _log_at), ge(_log_at, Rational(5, 4))),
    r"With $L$ for $L^2$, one record in the plane and the identity as $\Sigma$, every $C$ fails for some $\delta$.",
    wrong={
        "ten times the probability": le((1 + 10 * _c * _root_at) / 2, _log_at),
        "sides swapped": ge((1 + _c * _root_at) / 2, _log_at),
    },
    reading=r"$\delta$ is such that the root is $C+2$, and is below 1. The probability is at least $e^{-(1+C(C+2))/2}$, and its logarithm is compared with that of $\delta/2$; the sides differ.",
    printed=r"P\left[\|\tilde A-\Sigma\| > C\sqrt{2 + \ln 2 + \ln(2/\delta)}\right] > \frac\delta2",
    steps=Premise("beyond:log-of-2"),
)

_loss = page.nonnegative("e", "$\\sqrt{d/n} + \\sqrt{2\\log(2/\\delta)/n}$")
_along = page.nonnegative("m", "mean of $(z\\cdot X_i)^2$, for a vector z")
_in_sigma = page.nonnegative("sigma", latex=r"z^\top\Sigma z")
_length = page.nonnegative("W", latex=r"\|z\|^2")

_SINGULAR = Hypothesis(
    "the smallest singular value", Implies(le(_loss, 1), ge(_along, (1 - _loss) ** 2 * _in_sigma)), "on the event"
)

above_sigma = page.elsewhere("replaces App. B.4, v1 (59)").correction(
    "beyond:b4-above-sigma",
    "A regularisation with which the covariance is above Sigma",
    ge(named(r"z^\top Az", _along + 2 * L * _loss * _length), _in_sigma),
    r"So $A$, with this regularisation, is above $\Sigma$ with probability at least $1 - \delta/2$, in every dimension.",
    given=(_SINGULAR, Hypothesis("the largest eigenvalue of Sigma", le(_in_sigma, L * _length))),
    points={
        _loss: (0, 2),
        (_length, L): (0, 3),
        _in_sigma: (0, 1, _in_sigma * L * _length),
        _along: Max(0, 1 - _loss) ** 2 * _in_sigma * L * _length,
    },
    wrong={
        "half of the regularisation": left(_along + L * _loss * _length),
        "any records": without(_SINGULAR),
        "any spectrum": without("the largest eigenvalue of Sigma"),
    },
    steps=GAUSSIAN_SINGULAR_VALUES.quoted(
        r"$\frac1n\sum u_iu_i^\top \succcurlyeq (1 - \sqrt{d/n} - t/\sqrt n)^2I$ with probability at least $1 - e^{-t^2/2}$, where the root is not negative.",
        "Records are independent, and $\\Sigma^{-1/2}X_i$ is standard.",
    ),
    reading=r"Along every vector z. $X_i$ is $\Sigma^{1/2}u_i$, and the $u_i$ are the rows of $G$; the event is that for $t$ at $\sqrt{2\log(2/\delta)}$.",
    printed=r"A = \frac1n\sum_iX_iX_i^\top + \mu_{\rm reg}I \succcurlyeq \Sigma \quad\text{with}\quad \mu_{\rm reg} = 2L\left(\sqrt{d/n} + \sqrt{2\log(2/\delta)/n}\right)",
)

_PARTS = (
    nonnegative("p", latex=r"\|A_0A^{-1}\nabla f\|"),
    nonnegative("q", latex=r"\|A_0'A^{-1}\nabla f\|"),
    nonnegative("w", "the absolute part"),
)
_pp, _qq, _ww = (x.symbol for x in _PARTS)
_nabla = page.nonnegative("G", latex=r"\|\nabla f\|")
_gap = page.nonnegative("D", latex=r"(n\|\nabla f-\nabla f'\|)")
_kappa = page.real("kappa", "condition number of Sigma", lower=1)
_Y = real("y", lower=Rational(2, 3), latex=r"\log(2n/\delta)")
_DIM = real("d", "dimension", lower=1)
_log2n = _Y.symbol
_dim = _DIM.symbol
_MAHA_X = nonnegative("m", latex=r"X^\top\Sigma^{-1}X")
_product_2 = page.nonnegative("z", latex=r"\|X\|^2X^\top A^{-2}X")
_maha_2 = _MAHA_X.symbol
_condition = named(r"\kappa_\Sigma", L / l_min)
_LEVEL_X = 6 * _dim * _log2n
_AT_GRADIENT = {_at_factor: _condition * _LEVEL_X**2, _at_nabla: _nabla}
_RELATIVE_NORM = Hypothesis("the relative norm", le(_product_2, _condition * _maha_2**2), by=("rgm:b5-relative-norm",))

square_of_level = page.elsewhere("Section 5.2, Proposition 1 of version 1").inequality(
    "beyond:b4-square-of-the-level",
    "A record below its level",
    le(_product_2, _condition * _LEVEL_X**2),
    given=(_RELATIVE_NORM, Hypothesis("the tail", le(_maha_2, _LEVEL_X), by=("rgm:b4-level",))),
    points={
        **{L: (0, 4), l_min: (0, 4), _dim: (1, 5), _log2n: (Rational(2, 3), 4)},
        **{_maha_2: _LEVEL_X, _product_2: _condition * _LEVEL_X**2},
    },
    over=(_MAHA_X, _DIM, _Y),
    wrong={"without the square": _condition * _LEVEL_X, "any record": without("the tail")},
)

_SHOWN = {"N": r"\|X\|^2", "a": r"X^\top A^{-1}X", "b": r"X^\top A^{-2}X", "m": r"X^\top\Sigma^{-1}X"}
_OF_X = tuple(nonnegative(f"{name}_x", latex=shown) for name, shown in _SHOWN.items())
_OF_Y = tuple(
    nonnegative(f"{name}_y", "of the other record", latex=shown.replace("X", "X'")) for name, shown in _SHOWN.items()
)
page.declare(*_OF_X, *_OF_Y)


def _held(record: tuple[Variable, ...], part: Expr, name: str) -> tuple[Hypothesis, ...]:
    """List the assumptions on a record: its norms by Sigma and by A above Sigma, the level of its tail, its part of the gradient."""
    norm, once, twice, maha = (x.symbol for x in record)
    return (
        Hypothesis(f"{name}: the largest eigenvalue of Sigma", le(norm, L * maha)),
        Hypothesis(f"{name}: the smallest eigenvalue of A", le(twice, once / l_min), "A above Sigma"),
        Hypothesis(
            f"{name}: A above Sigma, inverted",
            le(once, maha),
            "on the event",
            ("beyond:b4-above-sigma", "rgm:b4-inverse-order"),
        ),
        Hypothesis(f"{name}: its tail", le(maha, _LEVEL_X), "with high probability", ("rgm:b4-level",)),
        Hypothesis(f"{name}: its part", le(part**2, norm * twice * _nabla**2), "Cauchy-Schwarz"),
    )


_RECORD_HELD, _OTHER_HELD = _held(_OF_X, _pp, "the record"), _held(_OF_Y, _qq, "its replacement")
_IN_PARTS = Hypothesis("in parts", le(_gap, _pp + _qq + _ww), "v2 (10)", ("rgm:gradient-difference-insert-inverse",))


def _bound(factor: Expr) -> Formula:
    return le(_gap**2 / n**2, factor * _condition * (_dim / n) ** 2 * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2)


_ONE_RECORD = nonnegative("s", "probability that a record is beyond the level")
_covariance = page.nonnegative("f", "probability that A is not above Sigma")
_MISSED = nonnegative("P", "probability that something fails")
_one = _ONE_RECORD.symbol
_missed = _MISSED.symbol
_failure = page.positive("delta", "probability of failure", upper=1)

_UNION = (
    Hypothesis("the union bound", le(_missed, _covariance + (n + 1) * _one), by=("rgm:b4-union",)),
    Hypothesis("the covariance", le(_covariance, _failure / 2), "replaces v1 (59)", ("beyond:b4-above-sigma",)),
    Hypothesis("one record", le(_one, _failure / (2 * n)), "v1 (62)", ("rgm:b4-level",)),
)

all_records = page.elsewhere("replaces App. B.4, after v1 (62)").correction(
    "beyond:b4-all-records",
    "All records of both datasets at once",
    le(_missed, _failure * (1 + 1 / (2 * n))),
    "Something fails: the covariance, one of the n records, or the one that comes.",
    given=_UNION,
    points={
        n: (1, 30),
        _covariance: (0, 1, _failure / 2 * _covariance),
        _one: (0, 1, _failure / (2 * n) * _one),
        _missed: _failure / 2 * _covariance + (n + 1) * _failure / (2 * n) * _one,
    },
    over=(_MISSED, _ONE_RECORD),
    wrong={"the further record for nothing": _failure, "without the covariance": without(_UNION[1])},
    reading="The record that comes is drawn as the others are, independent of them or not.",
)

proposition_1 = page.elsewhere("replaces Section 5.2, Proposition 1").correction(
    "beyond:b4-proposition-1",
    "Proposition 1 of version 1, corrected",
    both(_bound(Integer(216)), le(_missed, _failure * (1 + 1 / (2 * n)))),
    "With the regularisation of `beyond:b4-above-sigma`: a relative sensitivity of Gaussian data and a replacement drawn alike, on an event, and the probability that something of it fails.",
    given=(*_RECORD_HELD, *_OTHER_HELD, _IN_PARTS, *_UNION),
    by=worlds.GAUSSIAN_PAIR.mapped(
        worlds.of_gaussian_pair_likely,
        *(x.symbol for x in (*_OF_X, *_OF_Y)),
        *(L, l_min, _pp, _qq, _ww, _gap, _nabla, _dim, _log2n, n),
        *(_missed, _covariance, _one, _failure),
    ),
    points={
        l_min: (0, 2),
        _kappa: (1, 9),
        _dim: (1, 5),
        _log2n: (Rational(2, 3), 5),
        n: (1, 30),
        (_nabla, _ww): (0, 3),
        _OF_Y[3].symbol: (0, 2, _LEVEL_X * _OF_Y[3].symbol),
        _covariance: (0, 1, _failure / 2 * _covariance),
        _one: (0, 1, _failure / (2 * n) * _one),
        _missed: Min(1, _failure / 2 * _covariance + (n + 1) * _failure / (2 * n) * _one),
        L: _kappa * l_min,
        _OF_X[3].symbol: _LEVEL_X,
        _OF_X[1].symbol: _LEVEL_X,
        _OF_X[2].symbol: _LEVEL_X / l_min,
        _OF_X[0].symbol: _kappa * l_min * _LEVEL_X,
        _OF_Y[1].symbol: _LEVEL_X * _OF_Y[3].symbol,
        _OF_Y[2].symbol: _LEVEL_X * _OF_Y[3].symbol / l_min,
        _OF_Y[0].symbol: _kappa * l_min * _LEVEL_X * _OF_Y[3].symbol,
        _pp: sqrt(_kappa) * _LEVEL_X * _nabla,
        _qq: sqrt(_kappa) * _LEVEL_X * _OF_Y[3].symbol * _nabla,
        _gap: sqrt(_kappa) * _LEVEL_X * (1 + _OF_Y[3].symbol) * _nabla + _ww,
    },
    over=(
        *(*_OF_X, *_OF_Y, L, l_min, *_PARTS, _gap, _nabla, _DIM, _Y, n),
        *(_MISSED, _covariance, _ONE_RECORD, _failure),
    ),
    wrong={
        "10 for 216": _bound(Integer(10)),
        "any replacement": without("its replacement: its tail"),
        "the further record for nothing": le(_missed, _failure),
        "one factor d": le(
            _gap**2 / n**2, 216 * _condition * (_dim / n**2) * _log2n**2 * _nabla**2 + 3 * _ww**2 / n**2
        ),
    },
    steps=(
        *(
            Premise(
                "rgm:b5-relative-norm",
                {
                    _relative_norm[0]: a.symbol,
                    _relative_norm[1]: b.symbol,
                    _relative_norm[2]: c.symbol,
                    MAHALANOBIS.symbol: e.symbol,
                    PROPOSED.symbol: Integer(1),
                },
            )
            for a, b, c, e in (_OF_X, _OF_Y)
        ),
        *(
            Premise(
                "beyond:b4-square-of-the-level",
                {_maha_2: record[3].symbol, _product_2: record[0].symbol * record[2].symbol},
            )
            for record in (_OF_X, _OF_Y)
        ),
        *(
            Premise(
                "beyond:contribution-at-the-gradient",
                {**_AT_GRADIENT, _at_point: part, _at_norm: record[0].symbol, _at_twice: record[2].symbol},
            )
            for part, record in ((_pp, _OF_X), (_qq, _OF_Y))
        ),
        Premise("beyond:b4-all-records"),
        Premise(
            "beyond:proposition-1-from-the-points",
            {**_AT_GRADIENT, _at_point: _pp, _at_other: _qq, _at_rest: _ww, _at_gap: _gap},
        ),
        Step("The level.", "rgm:b4-level"),
        Step("All records at once.", "beyond:b4-all-records"),
        Step(r"$A \succcurlyeq \Sigma$ with high probability.", "beyond:b4-above-sigma"),
        Step("The relative norm, at rho = 1.", "rgm:b5-relative-norm"),
        Step("At the gradient.", "beyond:contribution-at-the-gradient"),
        Step("The parts put together.", "beyond:proposition-1-from-the-points"),
    ),
    reading=r"For a pair of datasets that are both Gaussian samples, in this order; the other is the same with the other covariance and its gradient. The bound holds on the event that $A$ is above $\Sigma$ and all records are below their level; the second part is the probability of its complement.",
    remark="A guarantee for all neighbours needs clipping: this is Section 5.3.",
    printed=r"\eta^2 = 216\,\kappa_\Sigma\frac{d^2}{n^2}\log(2n/\delta)^2 \quad\text{with probability}\quad 1 - \delta\left(1 + \frac1{2n}\right)",
)
