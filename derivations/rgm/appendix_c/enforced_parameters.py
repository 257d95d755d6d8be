r"""Appendix C.2: parameters that are enforced, by clipping, by a test, or by dropping records.

Clipping enforces upper bounds; the lower bound of the covariance has to be tested, and the constants of (10) belong to the test.
"""

from ..matrix_notation import *
from ..notation import NOTATION
from ..parts_notation import *
from . import parameters_worlds as worlds
from .relative_parameters import *
from .relative_parameters import page as _c_relative_parameters

page = Page("beyond", "App. C.2", MATRIX_NOTATION, NOTATION, PARTS_NOTATION, _c_relative_parameters)
_radius = page.positive("R_c", "clipping radius")
_level = page.positive("rho", "lower bound of the covariance, fixed beforehand")

enforced_v1 = page.at("", "EX.14.v1", source="rgm-v1").remark(
    "rgm-v1:parameters-enforced",
    "The parameters can be enforced, version 1",
    le(line_change2, named(r"\eta^2", 6 * _radius**4 / (4 * _level**2)) * gradient_of(unregularised + reg)),
    r"$R_c$ and $\rho$ are fixed from public data, and the records are clipped at $R_c$.",
    given=(
        *(Hypothesis(f"{s} clipped", le(s**2, _radius**2)) for s in (x, z, xp)),
        Hypothesis("A is invertible", gt(reg, 0)),
        Hypothesis("a bound that clipped data can have", le(_level, _radius**2)),
    ),
    by=(Search(), Smt()),
    instance="Two records in dimension 1, with labels 0.",
    reading=r"Strict differential privacy asks for all pairs of datasets. C = 1 and no record dropped ($\omega = 1$): Proposition 2 of version 1.",
    mistake=("missing hypothesis", "rgm-v2:parameters-enforced"),
    remark=r"Clipping enforces the upper bounds. The lower bound $A \succcurlyeq \rho C$ is not enforced by it, unless $\mu_{reg}I \succcurlyeq \rho C$ (`beyond:proposition-1-all-datasets`); version 2 tests it.",
)

_CLIP_B = nonnegative("M", "clipping threshold of the b_j", latex="M")
_clip_b = _CLIP_B.symbol

# k records (a, 0), k records (0, c) and x = (x_1, x_2), with the labels 0; x' = (x_1, -x_2) comes. N = 2k + 1.
_a = page.positive("a", "length of the records on the first axis")
_c = page.positive("c", "length of those on the second")
_copies = page.natural("k", "number of records on each axis")
_SIZE, _REST = real("s", "theta = (s, 0)"), positive("R", "R_rel, whatever it is", latex="R_{rel}")
_size = _SIZE.symbol
_rest = page.add(_REST)
_all = 2 * _copies + 1
_m1, _m2, _m12 = _copies * _a**2 + x1**2, _copies * _c**2 + x2**2, x1 * x2
_scale2 = _all**2 / (_m1 * _m2 - _m12**2) ** 2
_TERMS = (
    ("x", (x1**2 + x2**2) * ((_copies * _c**2 * x1) ** 2 + (_copies * _a**2 * x2) ** 2)),
    ("x'", (x1**2 + x2**2) * (x1**2 * (_copies * _c**2 + 2 * x2**2) ** 2 + x2**2 * (_copies * _a**2 + 2 * x1**2) ** 2)),
    ("(a, 0)", _a**4 * (_m2**2 + _m12**2)),
    ("(0, c)", _c**4 * (_m1**2 + _m12**2)),
)

as_chosen = page.at("", "EX.14.v2", source="rgm-v2").remark(
    "rgm-v2:parameters-as-chosen",
    "The parameters can be enforced, version 2, as chosen",
    le(
        named(r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", (2 * _m12 * _size) ** 2 / _all**2),
        k**2 / _all**2 * named(r"\|\nabla f(\theta)\|^2", _size**2 * (_m1**2 + _m12**2) / _all**2) + _rest**2,
    ),
    "Both sides of an exchange have (11) bounded for every record, the one that leaves and the one that comes, and $R_{rel}$ depends on the clipped $b_{ij}$ only. Here the records are $k$ times $(a, 0)$, $k$ times $(0, c)$ and $x$, with labels 0.",
    given=tuple(
        Hypothesis(f"(11) for {name}", le(named(rf"\|{x}\|^2{x}^\top A^{{-2}}{x}", _scale2 * term), k**2))
        for (name, term), x in zip(_TERMS, ("x", "x'", "X_1", "X_2"), strict=True)
    ),
    by=Search(),
    points={
        _size: (0, None, 40 * _size),
        _rest: (0, 3),
        x1: Integer(1),
        x2: Integer(2),
        _a: Rational(3, 2),
        _c: Integer(3),
        _copies: Integer(20),
        k: Rational(5, 2),
    },
    over=(_SIZE,),
    reading=r"The parameters chosen: $\eta$ from (11) with its constants left out, as the text says, over all records that can occur, so that it can be enforced; $R_{rel}$ arbitrarily large, but fixed. Strict differential privacy asks for every $\theta$. By symmetry the other dataset has the same bounds.",
    mistake=("wrong constant", "rgm-v2:parameters-enforced"),
    remark=r"A factor 2 in $\eta$ is needed (`beyond:proposition-1-four-needed`). With $R_c$ and $\rho$ in the place of (11) the condition number is missing besides, `rgm-v2:proposition-1`.",
)

_CLIPPED_GRADIENTS = Hypothesis(
    "the gradients at the minimiser",
    le(ww, (2 * k * _clip_b + 2 * _clip_b) ** 2),
    "E at most 2 K",
    by=("rgm:absolute-term-clipped",),
)

enforced_v2 = page.at("", source="rgm-v2").correction(
    "rgm-v2:parameters-enforced",
    "Parameters that can be enforced",
    le(difference2, 6 * k**2 * gradient_norm**2 + 12 * (k + 1) ** 2 * _clip_b**2),
    "The $b_{ij}$ are clipped at M, and a test has shown the bound $K$ for all records that can occur.",
    printed=r"\eta^2=\frac{6K^2}{N^2},\quad R_{rel}=\frac{2\sqrt3(K+1)M}N",
    given=(*GRAM, *OPERATOR, *WITHIN, _CLIPPED_GRADIENTS),
    by=worlds.ENFORCED.mapped(worlds.of_enforced, uu, vv, ww, uv, uw, vw, nu, nu_p, gradient_norm, k, each),
    points={**{s: e for s, e in ON_A_LINE.items() if s != r}, _clip_b: sqrt(ww**2) / (2 * ON_A_LINE[k] + 2)},
    over=(_CLIP_B,),
    wrong={
        "without the constants": k**2 * gradient_norm**2 + (k + 1) ** 2 * _clip_b**2,
        "no test of the record that comes": changed(
            hypotheses=(*GRAM, *OPERATOR, WITHIN[0], Hypothesis("gradients", _CLIPPED_GRADIENTS.formula))
        ),
        "b not clipped": without(_CLIPPED_GRADIENTS),
    },
    steps=(
        Step("The constants.", Premise("beyond:parameters-for-all-records", {r: 2 * (k + 1) * _clip_b})),
        Step("The absolute part after clipping.", "rgm:absolute-term-clipped"),
    ),
    reading=r"Multiplied by $N^2$. Parameters that are fixed beforehand and tested (Proposition 2): K is $\sqrt{K_C}R_c^2/\rho$ of `beyond:clipped-point` as long as $A \succcurlyeq \rho C$. Strict privacy then has the test's probability of error in $\delta$ and its level added (`beyond:ptr-private`).",
)

own_ellipse = page.at("", "NB11", source="rgm-v1").remark(
    "rgm-v1:ellipse-of-the-dataset",
    "Dropping records by the covariance of the dataset itself",
    le(line_theta**2, _radius**2 * (line_theta**2 + z**2 + xp**2) / 3),
    "A record that both neighbours hold is kept in both or dropped in both, by a covariance $C$ that is the mean square of all records.",
    given=Hypothesis("the common record is kept", le(line_theta**2, _radius**2 * (line_theta**2 + z**2 + x**2) / 3)),
    by=(Search(), Smt()),
    reading="What relative sensitivity needs of the recipe: datasets that differ in one record still do after dropping, so that differences cancel. The record $t$ (written theta) is common to both; the covariance is taken from the data. A radius that is a quantile of the data only adds to it.",
    instance="Three records in dimension 1, and a radius that is fixed beforehand.",
    mistake=("missing hypothesis", "beyond:public-ellipse"),
    remark="Assumption 1 asks for one matrix for all datasets. Version 1 says itself that the recipe does not strictly guarantee privacy.",
)

_matrix = page.positive("C", "the public matrix, in dimension 1")

public_ellipse = page.correction(
    "beyond:public-ellipse",
    "Dropping records by a public ellipse",
    both(le(x**2 - xp**2, _radius**2 * _matrix), le(xp**2 - x**2, _radius**2 * _matrix)),
    r"With C and R fixed beforehand the sums over the kept records differ by at most $R^2C$ when a record is replaced: no other record enters.",
    given=tuple(Hypothesis(f"{s} is kept or 0", le(s**2, _radius**2 * _matrix)) for s in (x, xp)),
    points={x: (-1, 1, x * _radius * sqrt(_matrix)), xp: (-1, 1, xp * _radius * sqrt(_matrix))},
    wrong={
        "half": le(x**2 - xp**2, _radius**2 * _matrix / 2),
        "x not dropped": changed(hypotheses=(Hypothesis("x'", le(xp**2, _radius**2 * _matrix)),)),
    },
    reading="A dropped record counts as 0. The mean over the kept ones has a number that may differ by one: `beyond:dropped-points`.",
)
