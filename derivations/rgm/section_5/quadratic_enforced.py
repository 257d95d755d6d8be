r"""Section 5.2 and Section 5.3: the absolute term, and what clipping and enforced norms give.

Vectors enter by their norms and the angles between them, in every dimension.
"""

from ... import looseness
from ...theorems import SPECTRAL
from ..matrix_notation import *
from ..parts_notation import *
from . import quadratic_worlds as worlds
from .quadratic_terms import mu, page as _s5_quadratic_terms

page = Page("rgm-v1+v2", "§5.2", MATRIX_NOTATION, PARTS_NOTATION, _s5_quadratic_terms)
_en = page.nonnegative("E", "norm of (A_0 - A_0') A^-1", latex=r"\|(A_0-A_0')A^{-1}\|")
_bn = page.nonnegative("B", "norm of b", latex=r"\|b\|")
_dn = page.nonnegative("D", "norm of b_0 - b_0'", latex=r"\|b_0-b_0'\|")
_u = page.nonnegative("U", "norm of (A_0 - A_0') A^-1 b", latex=r"\|(A_0-A_0')A^{-1}b\|")
_cos = page.real("c", "cosine of the angle between (A_0 - A_0') A^-1 b and b_0 - b_0'", lower=-1, upper=1)
_OPERATOR_E = Hypothesis("operator norm", le(_u, _en * _bn))
_absolute2 = named(r"\|(A_0-A_0')A^{-1}b-b_0+b_0'\|^2", _u**2 + _dn**2 - 2 * _u * _dn * _cos)

absolute = page.at("The absolute term", "S52.9a").inequality(
    "rgm:absolute-term",
    "The absolute term by the norms of b and of its change",
    le(_absolute2, (_en * _bn + _dn) ** 2),
    printed=r"\|(A_0-A_0')A^{-1}b-b_0+b_0'\|\le\|(A_0-A_0')A^{-1}\|\,\|b\|+\|b_0-b_0'\|",
    given=_OPERATOR_E,
    by=(
        combination((_en * _bn - _u, _en * _bn + _u + 2 * _dn), (2 * _u * _dn, 1 + _cos)),
        Smt(),
        worlds.ABSOLUTE.mapped(worlds.of_absolute, _en, _bn, _dn, _u, _cos),
    ),
    points={_u: (0, 1, _u * _en * _bn)},
    wrong={
        "the difference of the norms": (_en * _bn - _dn) ** 2,
        "no cross term": (_en * _bn) ** 2 + _dn**2,
        "no operator norm": without(),
    },
    reading="Both sides squared, by the law of cosines, in any dimension. True whatever the factor in $b_i$.",
    tightness=Tightness(
        (1 + looseness.x) ** 2 / (1 + looseness.x**2 + 2 * looseness.x * looseness.u),
        {looseness.x: (0, 1), looseness.u: (0, 1)},
        r"the bound over the square, for parts with the ratio $x$ at an angle of cosine $u$",
    ),
)

_clip = page.nonnegative("c_b", "clipping radius of the b_i")
_CLIPPED = (
    Hypothesis("the mean of clipped vectors", le(_bn, _clip), "b is the mean of the b_i = X_i y_i"),
    Hypothesis("the difference of two clipped vectors", le(_dn, 2 * _clip)),
)

clipping = page.at("The absolute term", "S52.9b").remark(
    "rgm:absolute-term-clipped",
    "The absolute term after clipping",
    le(_absolute2, ((_en + 2) * _clip) ** 2),
    "The vectors $X_iy_i$ are clipped; the absolute term is a difference of gradients at the one point $A^{-1}b$.",
    given=(_OPERATOR_E, *_CLIPPED),
    by=worlds.ABSOLUTE_CLIPPED.mapped(worlds.of_absolute_clipped, _en, _bn, _dn, _u, _cos, _clip),
    points={_bn: (0, 1, _bn * _clip), _dn: (0, 1, 2 * _dn * _clip), _u: (0, 1, _u * _en * _bn * _clip)},
    wrong={
        "1 in place of 2": ((_en + 1) * _clip) ** 2,
        "without the relative term": (2 * _clip) ** 2,
        "only b clipped": changed(hypotheses=(_OPERATOR_E, _CLIPPED[0])),
    },
    reading="One only needs to control these norms: the absolute term is bounded by them and by the norm that the relative term needs anyway. The point $A^{-1}b$ is that of the dataset whose gradient stands on the right; the neighbour's order has the neighbour's.",
    steps=Premise("rgm:absolute-term"),
)

_eta = page.positive("eta", "relative sensitivity")
_w_norm = page.nonnegative(
    "r", "norm of w, the difference of the two records' gradients at the minimiser", latex=r"\|w\|"
)
_U_NORM = nonnegative("U", "norm of E g", latex=r"\|(A_0-A_0')A^{-1}\nabla f(\theta)\|")
_ANGLE = real("c", "cosine of the angle between E g and w", lower=-1, upper=1)
_TWO_OR_MORE = natural("n", "number of records", lower=2)
_u_norm = _U_NORM.symbol
_angle = _ANGLE.symbol
_many = _TWO_OR_MORE.symbol
_gradients_apart2 = named(
    r"\|\nabla f(\theta)-\nabla f'(\theta)\|^2", (_u_norm**2 + _w_norm**2 + 2 * _u_norm * _w_norm * _angle) / _many**2
)

enforcing = page.elsewhere("§5.3", "S52.11.v1", source="rgm-v1").remark(
    "rgm-v1:enforce-norm-below-eta",
    "A norm below eta gives relative sensitivity eta",
    le(_gradients_apart2, _eta**2 * gradient_norm**2 + named(r"R_{rel}^2", _w_norm**2 / (_many**2 - 1))),
    r"For every $\theta$; $w$ is the difference of the two records' gradients at $A^{-1}b$.",
    given=Hypothesis("the enforced norm", le(_u_norm, _eta * gradient_norm), "§5.3 of version 1"),
    by=(Smt(), worlds.BELOW_ETA.mapped(worlds.of_enforced_norm, _eta, gradient_norm, _w_norm, _u_norm, _angle, _many)),
    points={_u_norm: (0, 1, _u_norm * _eta * gradient_norm), _many: (2, None)},
    over=(_U_NORM, _ANGLE, _TWO_OR_MORE),
    wrong={
        "no absolute part": _eta**2 * gradient_norm**2,
        "no norm enforced": without(),
        "an absolute part of w over n^2": _eta**2 * gradient_norm**2 + _w_norm**2 / _many**4,
    },
    reading="What should be enforced is read as what suffices. The gradients differ by a vector of norm U and one of norm r, over n.",
    remark=r"It asks for a factor of nearly $n$ too much: $|(A_0-A_0')A^{-1}| < n\eta$ suffices and $\le n\eta$ is necessary (`beyond:quadratic-smallest-absolute-part`, `beyond:quadratic-relative-part-necessary`). The factor $1/n$ of the gradients is lost here.",
)

_c = page.positive("c", "clipping radius of the records")
_ALONG = "along an eigenvector e of A_0 - A_0'"
_sq = [page.nonnegative(f"s_{k}", f"(X_0 . e)^2 {_ALONG}", latex=rf"(X_0\cdot e_{k})^2") for k in "12"]
_sqp = [page.nonnegative(f"s'_{k}", f"(X_0' . e)^2 {_ALONG}", latex=rf"(X_0'\cdot e_{k})^2") for k in "12"]
_v = [page.real(f"h_{k}", "coordinate of A^-1 g") for k in "12"]
_image2 = named(
    r"\|(A_0-A_0')A^{-1}\nabla f(\theta)\|^2", sum((s - r) ** 2 * h**2 for s, r, h in zip(_sq, _sqp, _v, strict=True))
)
_SHORT = tuple(Hypothesis(f"clipped: {s}", le(s, _c**2)) for s in (*_sq, *_sqp))

clipped_records = page.elsewhere("§5.3", "S52.11.v2", source="rgm-v2").remark(
    "rgm-v2:clipped-records-control-the-norm",
    "Clipping the records controls the relative term",
    le(_image2, (_c**2 / mu) ** 2 * gradient_norm**2),
    printed=r"\|(A_0-A_0')A^{-1}\|\le\frac{c^2}\mu",
    given=(
        *_SHORT,
        Hypothesis("the spectrum of A is at least mu", le(mu**2 * (_v[0] ** 2 + _v[1] ** 2), gradient_norm**2), "§5.2"),
    ),
    by=(Smt(), worlds.CLIPPED_RECORDS),
    points={
        **{s: (0, 1, s * _c**2) for s in (*_sq, *_sqp)},
        **dict.fromkeys(_v, (-3, 3)),
        gradient_norm: (0, 1, mu * (sqrt(_v[0] ** 2 + _v[1] ** 2)) * (1 + gradient_norm)),
    },
    wrong={
        "mu without a bound on the spectrum": changed(hypotheses=_SHORT),
        "the new record not clipped": changed(
            hypotheses=(*_SHORT[:2], Hypothesis("spectrum", le(mu**2 * (_v[0] ** 2 + _v[1] ** 2), gradient_norm**2)))
        ),
        "half": (_c**2 / mu) ** 2 * gradient_norm**2 / 4,
    },
    steps=SPECTRAL.quoted("The basis.", "It is a difference of symmetric matrices."),
    reading=r"Shrinking a norm that is too large to $c$. In a basis of eigenvectors of $A_0-A_0'$, whose eigenvalue along $e$ is $(X_0\cdot e)^2-(X_0'\cdot e)^2$. In every dimension: the matrix has rank two, so that two of them matter. $h = A^{-1}g$, so $|h| \le |g|/\mu$. The absolute term is `rgm:absolute-term-clipped`.",
    remark=r"The spectrum needs its lower bound, from regularisation or from records that are known: the bound is no better than the direct one and has the condition number in it. Not even the factor 2 of the triangle inequality is lost.",
)
