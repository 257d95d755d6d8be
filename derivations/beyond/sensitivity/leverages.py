"""Leverages: the relative term by the condition number with its sharp factor, records outside of the data, and general objectives."""

from rgm_verify.pages import *

from ...rgm.section_5 import quadratic_worlds as quadratic
from . import quadratic_worlds as worlds
from .quadratic_sensitivity import page as _quadratic_sensitivity, records

page = Page("beyond", "§5.2", _quadratic_sensitivity)

# The condition number.
length2 = page.nonnegative("p", latex=r"\|X_0\|^2")
_lev = page.nonnegative("q", latex=r"X_0^\top A^{-1}X_0")
_lev2 = page.nonnegative("k", latex=r"X_0^\top A^{-2}X_0")
_mu = page.positive("mu", "lower bound on the spectrum of A")
_top = page.positive("L", "upper bound on the spectrum of A")
_l = page.positive("l", "eigenvalue of A")

_BETWEEN = Hypothesis(
    "the spectrum of A lies between mu and L", le(length2 + _mu * _top * _lev2, (_mu + _top) * _lev), "§5.2"
)

_z1 = page.real("z_1")
_z2 = page.real("z_2")

per_eigenvector = page.inequality(
    "beyond:kantorovich-per-eigenvector",
    "An eigenvalue between two bounds",
    le(1 + _mu * _top / _l**2, (_mu + _top) / _l),
    "Summed over the eigenvectors it is the condition on the spectrum of A below.",
    given=(Hypothesis("at least mu", ge(_l, _mu)), Hypothesis("at most L", le(_l, _top))),
    by=(combination((_l - _mu, _top - _l, _l**-2)), Smt()),
    points={_l: (0, None, _mu + _l), _top: (0, None, _mu + _l + _top)},
    wrong={"without L": _mu / _l, "above L": without("at most L")},
)

_factor = (_mu + _top) ** 2 / (4 * _mu * _top)

kantorovich = page.elsewhere("§5.2; v1 (10), v2 (11)").theorem(
    "beyond:relative-term-kantorovich",
    "The relative term with the sharp function of the condition number",
    both(le(length2 * _lev2, _factor * _lev**2), le(_factor, _top / _mu)),
    "The left side is the squared norm of $A_0A^{-1}$; the sharp function of the condition number is never above the condition number itself.",
    given=(_BETWEEN, Hypothesis("mu is at most L", le(_mu, _top))),
    by=(
        Smt(),
        Units({length2: 2, _lev: 0, _lev2: -2, _mu: 2, _top: 2}),
        worlds.KANTOROVICH.mapped(quadratic.of_condition, length2, _lev, _lev2, _mu, _top),
    ),
    points={
        _z1: (0, 1),
        _top: (0, None, _mu + _top),
        length2: _z1**2 * _mu + (1 - _z1**2) * (_mu + _top),
        _lev: 1 + 0 * _z1,
        _lev2: _z1**2 / _mu + (1 - _z1**2) / (_mu + _top),
    },
    wrong={
        "99/100 of it": le(length2 * _lev2, Rational(99, 100) * _factor * _lev**2),
        "without kappa": le(length2 * _lev2, _lev**2),
        "no bound on the spectrum": without(_BETWEEN),
    },
    steps=Step("Eigenvector by eigenvector.", "beyond:kantorovich-per-eigenvector"),
    reading="Kantorovich's inequality for $A^{-1/2}X_0$, in any dimension.",
    tightness=Tightness(
        (1 + _mu) ** 2 / 4,
        {_mu: (0, 1)},
        r"the sharp factor $(\kappa+1)^2/(4\kappa)$ over $\kappa$, for $\kappa = 1/\mu$",
    ),
)

kantorovich_attained = page.elsewhere("§5.2; v1 (10), v2 (11)").identity(
    "beyond:relative-term-kantorovich-attained",
    "The sharp function of the condition number is attained",
    eq((_mu + _top) * (1 / _mu + 1 / _top), _factor * 2**2),
    r"For the record $(\sqrt\mu, \sqrt L)$ in a basis of eigenvectors, which $A^{-1/2}$ takes to $(1, 1)$.",
    wrong={"kappa": _top / _mu * 2**2, "2 for 4": (_mu + _top) ** 2 / (2 * _mu * _top) * 2**2},
)

# Records inside and outside of the dataset.
leverage = page.inequality(
    "beyond:leverage-at-most-n",
    "A record of the dataset has at most the leverage n",
    le(_lev, records),
    given=Hypothesis("the order along A^-1 X_0", le(_lev**2 / records, _lev)),
    by=(Smt(), quadratic.LEVERAGES.mapped(worlds.of_leverage, _lev, records)),
    points={records: (0, None), _lev: (0, 1, _lev * records)},
    wrong={"half": records / 2, "outside": without()},
    reading=r"In any dimension: the order of A and $\frac1nX_0X_0^\top$, seen along $A^{-1}X_0$.",
)

outside = page.remark(
    "beyond:outside-record",
    "A record outside of the dataset sees the smallest eigenvalue",
    both(
        le(_z1**2 / _mu + _z2**2 / _l, (_z1**2 + _z2**2) / _mu),
        eq(At(_z1**2 / _mu + _z2**2 / _l, _z2, 0), At((_z1**2 + _z2**2) / _mu, _z2, 0)),
    ),
    "The left side is the leverage of the record $(z_1, z_2)$: at most its squared length over the smallest eigenvalue, and that along the weakest eigenvector.",
    given=Hypothesis("mu is the smallest eigenvalue", le(_mu, _l)),
    by=(Smt(), worlds.OUTSIDE),
    wrong={
        "the largest eigenvalue": le(_z1**2 / _mu + _z2**2 / _l, (_z1**2 + _z2**2) / _l),
        "mu not the smallest": without(),
    },
    reading="In a basis of eigenvectors. A neighbour may contain any record, so that no bound that does without the conditioning covers all neighbours.",
    instance=r"Dimension 2.",
)

_constant = page.nonnegative("K", "the constant of O(...)")

objective_condition = page.elsewhere("App. B.2, last sentence").remark(
    "beyond:b2-condition-number-of-the-objective",
    "The order of eta with the condition number of the objective",
    le((_constant + 1) ** 2, _constant * (_constant + 1)),
    "Were the order right, some constant $K$ would bound the squared norm of $A_0A^{-1}$ by $K$ times the condition number of A and $L_{rel}$. Judged on the line, where that condition number is 1, with $K + 1$ for $X_0^2/A$ and for $L_{rel}$.",
    exists=True,
    by=(Search(), Smt()),
    reading=r"$n > K$ records of which one is much larger than the others have such a $A$ (`beyond:leverage-at-most-n` is nearly attained).",
    mistake=("missing hypothesis", "rgm:b2-order-of-eta"),
    remark="The condition number there is that of a record's smoothness over the objective's convexity.",
    printed=r"\|A_0A^{-1}\|^2 \le K\kappa_AL_{rel}",
)
