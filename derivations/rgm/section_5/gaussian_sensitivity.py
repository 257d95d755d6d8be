r"""Section 5.4 of version 2: the relative sensitivity of Proposition 3.

It survives, by another route than the printed one, which squares an order of matrices.
"""

from ...theorems import CAUCHY_SCHWARZ, SPECTRAL
from ..gaussian_notation import *
from ..notation import NOTATION
from . import gaussian_sensitivity_worlds as worlds
from .gaussian_features import kappa_of_sigma

page = Page("rgm-v2", "Section 5.4", GAUSSIAN_NOTATION, NOTATION)

_ALONG = (
    nonnegative("q", "of the clipped regularised covariance, for a vector z", latex=r"z^\top\tilde Az"),
    nonnegative("sigma", "z^T Sigma z", latex=r"(z^\top\Sigma z)"),
    nonnegative("W", "|z|^2", latex=r"\|z\|^2"),
    nonnegative("a", "of the record that leaves", latex=r"(z\cdot X)^2"),
    nonnegative("b", "of the record that comes", latex=r"(z\cdot X')^2"),
)
_along, _sigma, _length, _leaves, _comes = page.declare(*_ALONG)
_MU = named(r"\mu_{\rm reg}", 4 * L * v * sqrt(ell / n))
_LEVEL_HERE = Hypothesis("A >= rho Sigma", ge(_along, rho * _sigma), "Proposition 3")
_OWN_PARTS = Hypothesis(
    "the regularisation and a record are parts of A", ge(_along, _MU * _length + _leaves / n), "mu_reg of Proposition 3"
)
_OWN_CLIPPED = Hypothesis("the record is clipped", le(_leaves, v * _sigma), "Cauchy-Schwarz in the norm of Sigma")
_OWN_LARGEST = Hypothesis("largest eigenvalue", le(_sigma, L * _length))
_PROBABILITY = Hypothesis(
    "nu is a probability", ge(ell, Rational(2, 3)), "log(2d/nu) >= log 2", by=("beyond:log-of-2",)
)

neighbour_level = page.at("Proposition 3", source="beyond").inequality(
    "beyond:b5-neighbour-level",
    "The regularisation keeps three quarters of the level at a neighbour",
    ge(named(r"z^\top\tilde A'z", _along - _leaves / n + _comes / n), Rational(3, 4) * rho * _sigma),
    "At every dataset that differs in one record.",
    printed=r"\tilde A\succcurlyeq\rho\Sigma\;\Longrightarrow\;\tilde A'\succcurlyeq\tfrac34\rho\Sigma",
    given=(_LEVEL_HERE, _OWN_PARTS, _OWN_CLIPPED, _OWN_LARGEST, _PROBABILITY),
    points={
        (_length, L, v): (0, 3),
        ell: (Rational(2, 3), 3),
        n: (1, 9),
        _sigma: (0, 1, _sigma * L * _length),
        _leaves: (0, 1, _leaves * v * _sigma * L * _length),
        _comes: (0, 3),
        _along: 4 * L * v * sqrt(ell / n) * _length + _leaves * v * _sigma * L * _length / n,
        rho: 4 * v * sqrt(ell / n) + _leaves * v * _sigma / n,
    },
    wrong={
        "nine tenths": Rational(9, 10) * rho * _sigma,
        "without the regularisation": without(_OWN_PARTS),
        "not clipped": without(_OWN_CLIPPED),
    },
    reading=r"Along every vector. One record has a share of at most $R_c^2\Sigma/n$, and $\mu_{\rm reg}I$ is at least three times that.",
)

_p = page.nonnegative("p", "|(A_0 - A_0') A^(-1) g|")
_w = page.nonnegative("w", "|(A_0 - A_0') A^(-1) b - b_0 + b_0'|")
_g2 = page.nonnegative("G", "|g|^2", latex=r"\|\nabla f\|^2")
_kappa = page.real("kappa", "condition number of Sigma", lower=1, latex=r"\kappa_\Sigma")
_level = page.positive("r", "level at the dataset whose gradient is g")
_RELATIVE_PART = Hypothesis(
    "the relative part", le(_level**2 * _p**2, _kappa * v**2 * _g2), "A >= r Sigma", by=("beyond:ridge-relative-part",)
)
_EITHER_DATASET = Hypothesis(
    "the dataset or its neighbour",
    ge(4 * _level, 3 * rho),
    "A >= rho Sigma at one of them",
    by=("beyond:b5-neighbour-level",),
)

sensitivity_of_parts = page.at("Proposition 3", source="beyond").inequality(
    "beyond:b5-sensitivity-of-parts",
    "From the two parts of the change to the relative sensitivity",
    le(
        (_p + _w) ** 2 / n**2,
        named(r"\eta^2", 6 * _kappa * v**2 / (rho**2 * n**2)) * _g2 + named(r"R_{rel}^2", 3 * _w**2 / n**2),
    ),
    "$p$ is the relative part of the change of the gradients, at a level $r$, and $w$ the other part.",
    given=(_RELATIVE_PART, _EITHER_DATASET),
    by=(Smt(), worlds.PROPOSITION_3.mapped(worlds.of_proposition_3, _p, _w, _g2, _kappa, v, _level, rho, n)),
    points={
        _g2: (0, 9),
        _kappa: (1, 9),
        (v, _level): (0, 4),
        n: (1, 9),
        _w: (0, 3),
        _p: v * sqrt(_kappa * _g2) / _level,
        rho: 4 * _level / 3,
    },
    wrong={
        "1 for 6": le((_p + _w) ** 2, _kappa * v**2 / rho**2 * _g2 + 3 * _w**2),
        "without the condition number": le((_p + _w) ** 2, 2 * v**2 / rho**2 * _g2 + 3 * _w**2),
        "any level at the neighbour": without(_EITHER_DATASET),
    },
    steps=(
        Step("The change of two records in the metric of Sigma.", "beyond:ridge-relative-part"),
        Step("The level at the neighbour.", "beyond:b5-neighbour-level"),
    ),
)

# The whole pair. E = A_0 - A_0' is n times the change of A; u = A^-1 g with the matrix and the gradient of one of the two datasets.
_ONE_SIDE = (
    nonnegative("U", "for $u = A^{-1}g$, $g$ the gradient at the dataset", latex=r"\|u\|^2"),
    nonnegative("s", "$u^T\\Sigma u$", latex=r"(u^\top\Sigma u)"),
    nonnegative("q", "of the matrix of the dataset at the level", latex=r"u^\top\tilde Au"),
    nonnegative("G", "$|g|^2$", latex=r"\|\nabla f\|^2"),
    nonnegative("p", "$|(A_0 - A_0')u|$", latex=r"\|(A_0-A_0')u\|"),
    nonnegative("w", "distance of the two records' gradients at the minimiser"),
)
_OTHER_SIDE = tuple(
    nonnegative(f"{x.symbol.name}'", f"the same at the neighbour: {x.meaning}", latex=shown)
    for x, shown in zip(
        _ONE_SIDE,
        (r"\|u'\|^2", r"(u'^\top\Sigma u')", r"u'^\top\tilde Au'", r"\|\nabla f'\|^2", r"\|(A_0-A_0')u'\|", "w'"),
        strict=True,
    )
)
page.declare(*_OTHER_SIDE)
_RECORDS_AT_NEIGHBOUR = (
    nonnegative("a'", "of the record that leaves", latex=r"(u'\cdot X)^2"),
    nonnegative("b'", "of the record that comes", latex=r"(u'\cdot X')^2"),
)
_left, _came = page.declare(*_RECORDS_AT_NEIGHBOUR)
_apart = page.nonnegative("D", "n times the distance of the two gradients", latex=r"(n\|\nabla f-\nabla f'\|)")
_one, _other = (tuple(x.symbol for x in side) for side in (_ONE_SIDE, _OTHER_SIDE))
_moved_form = named(r"u'^\top\tilde A'u'", _other[2] - _left / n + _came / n)


def _of_side(side: tuple[Symbol, ...], own_form: Expr, name: str) -> tuple[Hypothesis, ...]:
    """List the assumptions on one dataset: the spectrum of Sigma, the level of the matrix, its gradient, the change of A."""
    length, in_sigma, form, gradient, part, rest = side
    return (
        Hypothesis(f"{name}: the smallest eigenvalue of Sigma", le(l_min * length, in_sigma)),
        Hypothesis(f"{name}: the level", ge(form, rho * in_sigma), "A >= rho Sigma, accepted by the test"),
        Hypothesis(f"{name}: Cauchy-Schwarz", le(own_form**2, length * gradient), "u^T A u = u . g"),
        Hypothesis(
            f"{name}: the change of A",
            le(part**2, L * v**2 * in_sigma),
            "both records have X^T Sigma^(-1) X <= R_c^2",
            ("beyond:two-records-no-more-than-one",),
        ),
        Hypothesis(
            f"{name}: the gradients in parts",
            le(_apart, part + rest),
            "v2 (10)",
            ("rgm:gradient-difference-insert-inverse",),
        ),
    )


_AT_DATASET = _of_side(_one, _one[2], "the dataset")
_AT_NEIGHBOUR = (
    *_of_side(_other, _moved_form, "the neighbour"),
    Hypothesis("the neighbour: the largest eigenvalue of Sigma", le(_other[1], L * _other[0])),
    Hypothesis(
        "the neighbour: the regularisation and the record that leaves are parts of A",
        ge(_other[2], _MU * _other[0] + _left / n),
        "mu_reg of Proposition 3",
    ),
    Hypothesis("the neighbour: the record that leaves is clipped", le(_left, v * _other[1]), "Cauchy-Schwarz"),
)
_SENSITIVE = (ORDERED, _PROBABILITY, *_AT_DATASET, *_AT_NEIGHBOUR)


def _sensitive(
    six: Expr | int = 6, kappa: Expr = kappa_of_sigma, sides: tuple[tuple[Symbol, ...], ...] = (_one, _other)
) -> Formula:
    """The relative sensitivity at both datasets, each with its own gradient and its own minimiser."""
    eta2 = named(r"\eta^2", six * kappa * v**2 / (rho**2 * n**2))
    changed2 = named(r"\|\nabla f-\nabla f'\|^2", _apart**2 / n**2)
    parts = (
        named(title, 3 * side[5] ** 2 / n**2) for title, side in zip((r"R_{rel}^2", r"R_{rel}'^2"), sides, strict=True)
    )
    return both(*(le(changed2, eta2 * side[3] + part) for side, part in zip(sides, parts, strict=True)))


_at_ridge = {key.symbol: image for key, image in ((positive("M"), L), (positive("R"), sqrt(v)))}
_ridge = {name: nonnegative(name).symbol for name in ("U", "s", "f", "G", "W")}
_ridge_level, _ridge_least = positive("rho").symbol, positive("l").symbol


def _relative_part(side: tuple[Symbol, ...], own_form: Expr, level: Expr) -> Premise:
    images = zip(_ridge.values(), (side[0], side[1], own_form, side[3], side[4] ** 2), strict=True)
    return Premise(
        "beyond:ridge-relative-part", {**_at_ridge, **dict(images), _ridge_level: level, _ridge_least: level * l_min}
    )


def _from_parts(side: tuple[Symbol, ...], level: Expr) -> Premise:
    return Premise(
        "beyond:b5-sensitivity-of-parts", {_p: side[4], _w: side[5], _g2: side[3], _kappa: L / l_min, _level: level}
    )


_SHARES = tuple(positive(name).symbol for name in ("k_1", "k_2", "k_3", "k_4", "k_5"))
#: The last one is how far the change of A goes, as a share of what clipping allows: more than 1 without clipping.
_one_u, _other_u, _share_1, _share_2, _reach = _SHARES
_mapped_one = {
    _one[0]: _one_u,
    _one[1]: l_min * _one_u,
    _one[2]: rho * l_min * _one_u,
    _one[3]: (rho * l_min) ** 2 * _one_u,
    _one[4]: _reach * v * sqrt(L * l_min * _one_u),
}
_level_by_mu = rho * l_min + _MU
_mapped_other = {
    _other[0]: _other_u,
    _other[1]: l_min * _other_u,
    _left: _share_1 * v * l_min * _other_u,
    _came: _share_2 * v * l_min * _other_u,
    _other[2]: (_level_by_mu + _share_1 * v * l_min / n) * _other_u,
    _other[3]: (_level_by_mu + _share_2 * v * l_min / n) ** 2 * _other_u,
    _other[4]: _reach * v * sqrt(L * l_min * _other_u),
}
_apart_of_chart = Min(_mapped_one[_one[4]] + _one[5], _mapped_other[_other[4]] + _other[5])

sensitivity = page.at("Proposition 3", "P3.10a").proposition(
    "rgm:proposition-3-sensitivity",
    "Proposition 3: the relative sensitivity",
    _sensitive(),
    "For the exchange of a record, in both orders.",
    given=_SENSITIVE,
    by=worlds.PROPOSITION_3.mapped(
        worlds.of_whole_proposition_3, *(*_one, *_other, _left, _came, _apart, L, l_min, v, ell, rho, n)
    ),
    points={
        **{s: e.subs(L, l_min + L) for s, e in (_mapped_one | _mapped_other | {_apart: _apart_of_chart}).items()},
        **dict.fromkeys((v, rho, _one_u, _other_u, _reach, _one[5], _other[5]), (0, 3)),
        **dict.fromkeys((_share_1, _share_2), (0, 1)),
        **{l_min: (0, 2), L: (0, 9, l_min + L), ell: (Rational(2, 3), 3), n: (1, 9)},
    },
    over=(*_ONE_SIDE, *_OTHER_SIDE, *_RECORDS_AT_NEIGHBOUR, _apart, L, l_min, v, ell, PROPOSED, n),
    wrong={
        "1 for 6": _sensitive(1),
        "without the condition number": _sensitive(2, Integer(1)),
        "any neighbour": changed(hypotheses=(ORDERED, _PROBABILITY, *_AT_DATASET, *_AT_NEIGHBOUR[2:5])),
        "the record is not clipped": changed(
            hypotheses=tuple(h for h in _SENSITIVE if "the change of A" not in h.name)
        ),
    },
    steps=(
        _relative_part(_one, _one[2], rho),
        _from_parts(_one, rho),
        Premise(
            "beyond:b5-neighbour-level",
            {_along: _other[2], _sigma: _other[1], _length: _other[0], _leaves: _left, _comes: _came},
        ),
        _relative_part(_other, _moved_form, Rational(3, 4) * rho),
        _from_parts(_other, Rational(3, 4) * rho),
        Step("The difference of the gradients.", "rgm:gradient-difference"),
        Step("Its two parts, at either dataset.", "rgm:gradient-difference-insert-inverse"),
        SPECTRAL.quoted(r"$l|u|^2 \le u^\top\Sigma u \le L|u|^2$.", "Sigma is a covariance matrix."),
        CAUCHY_SCHWARZ.quoted(
            r"$(u^\top Au)^2 = (u\cdot g)^2 \le |u|^2|g|^2$, and $(u\cdot X)^2 \le R_c^2u^\top\Sigma u$.",
            "It is the usual one; for the record that of $\\Sigma^{1/2}u$ and $\\Sigma^{-1/2}X$.",
        ),
        Step("The change of two records in the metric of Sigma.", "beyond:two-records-no-more-than-one"),
        Step("The relative part at a level.", "beyond:ridge-relative-part"),
        Step("The level at the neighbour.", "beyond:b5-neighbour-level"),
        Step("The parts put together, at either dataset.", "beyond:b5-sensitivity-of-parts"),
    ),
    reading=r"In every dimension and at every $\theta$: matrices enter by their forms at $u = A^{-1}\nabla f(\theta)$ and at $u' = A'^{-1}\nabla f'(\theta)$. $\kappa_\Sigma = L/l$; $R_{rel}^2 = 3w^2/n^2$ and "
    r"$R_{rel}'^2 = 3w'^2/n^2$. Of the neighbour nothing is asked: by the $\mu_{\rm reg}$ of the proposition it has three quarters of the level.",
)
