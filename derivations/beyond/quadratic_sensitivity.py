r"""How relatively sensitive least-squares gradients are, with sharp constants.

Neighbouring gradients differ by $\frac1n(Eg+w)$ with $g = \nabla f(\theta)$, $E = (A_0-A_0')A^{-1}$ and $w = \nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)$. Write
$e = |E|/n$ and $r = |w|/n$. Relative sensitivity at this dataset holds for all $\theta$ with every $\eta > e$ and $R_{rel} = \eta r/\sqrt{\eta^2-e^2}$, and with no
smaller $R_{rel}$ in the worst case; $\eta < e$ never does. If $e < 1$, both gradients of the pair are served by $e/(1-e)$ and $r/(1-e)$, from what is known at one.
$|E|$ itself is at most $|A_0A^{-1}|+|A_0'A^{-1}|$, which is sharp, and a root of a quadratic equation in inner products of two records. The condition number in
$|X_0|^2X_0^\top A^{-2}X_0 \le \kappa(X_0^\top A^{-1}X_0)^2$ may be replaced by $(\kappa+1)^2/(4\kappa)$ (Kantorovich), which is sharp.
"""

from sympy import Matrix, Rational, eye

from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    gt,
    le,
    lt,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Identity, Search, Smt, Units

from .. import looseness
from ..worlds import orthogonal as orthogonal_worlds
from ..worlds import ridge as ridge_worlds

_WHERE = "§5.2"
_ETA = positive("eta", "relative sensitivity")
_E = nonnegative("e", "norm of (A_0 - A_0') A^-1, over n")
_R = nonnegative("r", "norm of w, over n")
_G = nonnegative("g", "norm of the gradient")
_U = nonnegative("U", "norm of E g, over n")
_C = real("c", "cosine of the angle between E g and w", lower=-1, upper=1)
_T = positive("t", "how the two parts share")
_eta, _e, _r, _g, _u, _c, _t = (v.symbol for v in (_ETA, _E, _R, _G, _U, _C, _T))
_OPERATOR = Hypothesis("operator norm", le(_u, _e * _g))
_distance2 = _u**2 + _r**2 + 2 * _u * _r * _c
_VECTORS = (_E, _R, _G, _U, _C)
_RANGES = {_e: (0, None), _r: (0, None), _g: (0, None), _u: (0, 1), _c: (-1, 1)}
_MAPS = {_e: _e, _r: _r, _g: _g, _u: _e * _g * (1 - _u / 1000), _c: 1 - (1 - _c) / 1000}

split = Claim(
    id="beyond:quadratic-split",
    title="The relative and the absolute part, shared freely",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$|\nabla f-\nabla f'|^2 \le (1+t)\,e^2|\nabla f|^2 + (1+\frac1t)\,r^2$ for every $t > 0$.",
    variables=(*_VECTORS, _T),
    hypotheses=(_OPERATOR,),
    conclusion=le(_distance2, (1 + _t) * _e**2 * _g**2 + (1 + 1 / _t) * _r**2),
    reading=r"In any dimension. $t = \frac12$ with $|E|^2 \le 2(|A_0A^{-1}|^2+|A_0'A^{-1}|^2)$ is the printed bound with its 3.",
    checks=(
        Combination(
            terms=(
                (1 + _t, _e * _g - _u, _e * _g + _u),
                (2 * _u * _r, 1 - _c),
                (1 / _t, (_t * _u - _r) ** 2),
            )
        ),
        Smt(),
        ridge_worlds.SPLIT.mapped(ridge_worlds.of_parts, _e, _r, _g, _u, _c, _t),
    ),
    sampling=Chart({**_RANGES, _t: (0, None)}, {**_MAPS, _t: _t}),
    tightness=looseness.TWO_PARTS,
    mutants=(
        Mutant("1 for 1 + t", le(_distance2, _e**2 * _g**2 + (1 + 1 / _t) * _r**2)),
        Mutant("t for 1/t", le(_distance2, (1 + _t) * _e**2 * _g**2 + (1 + _t) * _r**2)),
        Mutant("no operator norm", hypotheses=()),
    ),
)

_ABOVE = Hypothesis("eta is more than e", gt(_eta, _e))
_smallest = _eta**2 * _r**2 / (_eta**2 - _e**2)
_ABOVE_CHART = Chart(
    {**_RANGES, _eta: (0, None)},
    {**_MAPS, _eta: _e + _eta, _g: _e * _r / (_eta * (2 * _e + _eta))},
)

smallest = Claim(
    id="beyond:quadratic-smallest-absolute-part",
    title="The smallest absolute part for a relative part",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"For every $\eta > e$ the gradients of a least-squares objective obey $|\nabla f-\nabla f'|^2 \le \eta^2|\nabla f|^2 + R_{rel}^2$ for all $\theta$, with "
        r"$R_{rel}^2 = \eta^2r^2/(\eta^2-e^2)$."
    ),
    variables=(*_VECTORS, _ETA),
    hypotheses=(_OPERATOR, _ABOVE),
    conclusion=le(_distance2, _eta**2 * _g**2 + _smallest),
    checks=(
        Smt(),
        Units({_r: 1, _g: 1, _u: 1}),
        ridge_worlds.SMALLEST.mapped(ridge_worlds.of_smallest, _e, _r, _g, _u, _c, _eta),
    ),
    sampling=_ABOVE_CHART,
    mutants=(
        Mutant("R_rel = r", le(_distance2, _eta**2 * _g**2 + _r**2)),
        Mutant("99/100 of it", le(_distance2, _eta**2 * _g**2 + Rational(99, 100) * _smallest)),
        Mutant(
            "eta up to e/2",
            hypotheses=(_OPERATOR, Hypothesis("less", gt(2 * _eta, _e)), Hypothesis("not e", gt((_eta - _e) ** 2, 0))),
        ),
    ),
)

attained = Claim(
    id="beyond:quadratic-smallest-absolute-part-attained",
    title="The smallest absolute part is attained",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=r"If $Eg$ is aligned with $w$ and as long as it can be, the bound is an equality at $|\nabla f| = er/(\eta^2-e^2)$: in dimension 1 there is always such a $\theta$.",
    variables=(_E, _R, _ETA),
    hypotheses=(_ABOVE,),
    conclusion=eq(
        (_e * (_e * _r / (_eta**2 - _e**2)) + _r) ** 2, _eta**2 * (_e * _r / (_eta**2 - _e**2)) ** 2 + _smallest
    ),
    checks=(Smt(),),
    sampling=Chart({_e: (0, None), _r: (0, None), _eta: (0, None)}, {_e: _e, _r: _r, _eta: _e + _eta}),
    mutants=(
        Mutant("another gradient", eq((_e * _r + _r) ** 2, _eta**2 * _r**2 + _smallest)),
        Mutant(
            "R_rel = r",
            eq((_e * (_e * _r / (_eta**2 - _e**2)) + _r) ** 2, _eta**2 * (_e * _r / (_eta**2 - _e**2)) ** 2 + _r**2),
        ),
    ),
)

_R_REL = nonnegative("R_rel", "absolute part")
_r_rel = _R_REL.symbol
_LARGE = Hypothesis("a large gradient", gt((_e**2 - _eta**2) * _g**2, _r_rel**2))

necessary = Claim(
    id="beyond:quadratic-relative-part-necessary",
    title="A relative part below e never does",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=r"If $\eta < e$, no $R_{rel}$ makes the gradients relatively sensitive with $\eta$: the bound fails wherever $(e^2-\eta^2)|\nabla f|^2 > R_{rel}^2$ along the direction of $E$.",
    variables=(_E, _R, _G, _C, _ETA, _R_REL),
    hypotheses=(
        Hypothesis("eta is less than e", lt(_eta, _e)),
        _LARGE,
        Hypothesis("the nearer of the two signs of g", ge(_c, 0)),
    ),
    conclusion=gt((_e * _g) ** 2 + _r**2 + 2 * _e * _g * _r * _c, _eta**2 * _g**2 + _r_rel**2),
    reading=r"$g$ along the singular vector of $E$, where $|Eg| = n\,e|g|$; every $g$ is a gradient, as $A$ is invertible, and $-g$ turns the sign of the cosine.",
    checks=(
        Smt(),
        ridge_worlds.NECESSARY.mapped(ridge_worlds.of_necessary, _e, _r, _g, _c, _eta, _r_rel),
    ),
    sampling=Chart(
        {_eta: (0, None), _e: (0, None), _r: (0, None), _r_rel: (0, None), _c: (0, 1), _g: (0, None)},
        {_eta: _eta, _e: _eta + _e, _r: _r, _r_rel: _r_rel, _c: _c, _g: _r_rel / _e + _g},
    ),
    mutants=(
        Mutant(
            "any gradient", hypotheses=(Hypothesis("eta is less than e", lt(_eta, _e)), Hypothesis("sign", ge(_c, 0)))
        ),
        Mutant("either sign", hypotheses=(Hypothesis("eta is less than e", lt(_eta, _e)), _LARGE)),
    ),
)

# The norm of E.
_NU, _NUP = nonnegative("nu", "norm of A_0 A^-1"), nonnegative("nu'", "norm of A_0' A^-1")
_V, _VP = nonnegative("v", "norm of A_0 A^-1 g"), nonnegative("v'", "norm of A_0' A^-1 g")
_nu, _nup, _v, _vp = (s.symbol for s in (_NU, _NUP, _V, _VP))
_PARTS = (
    Hypothesis("operator norm of A_0 A^-1", le(_v, _nu * _g)),
    Hypothesis("operator norm of A_0' A^-1", le(_vp, _nup * _g)),
)

triangle = Claim(
    id="beyond:quadratic-triangle",
    title="The norm of the difference by the norms of both terms",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"$|(A_0-A_0')A^{-1}|^2 \le (|A_0A^{-1}|+|A_0'A^{-1}|)^2 \le 2(|A_0A^{-1}|^2+|A_0'A^{-1}|^2)$.",
    variables=(_NU, _NUP, _V, _VP, _G, _C),
    hypotheses=_PARTS,
    conclusion=both(
        le(_v**2 + _vp**2 - 2 * _v * _vp * _c, ((_nu + _nup) * _g) ** 2),
        le((_nu + _nup) ** 2, 2 * (_nu**2 + _nup**2)),
    ),
    reading="In any dimension, applied to a vector $g$.",
    checks=(
        Smt(),
        ridge_worlds.TRIANGLE,
    ),
    sampling=Chart(
        {_nu: (0, None), _nup: (0, None), _v: (0, 1), _vp: (0, 1), _g: (0, None), _c: (-1, 1)},
        {
            **{_nu: _nu, _nup: _nup, _g: _g, _c: -1 + (1 + _c) / 1000},
            **{_v: _nu * _g * (1 - _v / 1000), _vp: _nup * _g * (1 - _vp / 1000)},
        },
    ),
    mutants=(
        Mutant("the sum of the squares", le(_v**2 + _vp**2 - 2 * _v * _vp * _c, (_nu**2 + _nup**2) * _g**2)),
        Mutant("1 for 2", le((_nu + _nup) ** 2, _nu**2 + _nup**2)),
        Mutant("a free record", hypotheses=(_PARTS[0],)),
    ),
)

_EPS, _BIG, _N = (
    positive("h", "half of the distance of the records"),
    positive("K", "condition number of A"),
    natural("n", "number of records"),
)
_eps, _big, _n = _EPS.symbol, _BIG.symbol, _N.symbol
_family_norm2 = (1 + _eps**2) * (1 + (_eps * _big) ** 2)

triangle_sharp = Claim(
    id="beyond:quadratic-triangle-sharp",
    title="The triangle inequality for the two terms is sharp",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=(
        r"For $A = \mathrm{diag}(1, 1/K)$ and the records $(1, \pm h)$ the norm of the difference comes within 1% of the sum of the norms, which is more than the "
        r"larger one; a dataset of $n$ records with this $A$ contains the first."
    ),
    variables=(_EPS, _BIG, _N),
    hypotheses=(Hypothesis("A contains the first record", le(1 + _eps**2 * _big, _n)),),
    conclusion=ge((2 * _eps * _big) ** 2, Rational(99, 100) ** 2 * 4 * _family_norm2),
    quantifier="exists",
    reading=(
        r"$(A_0-A_0')A^{-1}$ has the entries $2hK$ and $2h$ off the diagonal and 0 on it; both terms have the squared norm $(1+h^2)(1+h^2K^2)$. "
        r"$A \succcurlyeq \frac1nX_0X_0^\top$ means $X_0^\top A^{-1}X_0 \le n$."
    ),
    checks=(Search(), Smt()),
    sampling=Chart({_eps: (0, 1)}, {_eps: Rational(1, 100) + 0 * _eps, _big: 10**4 + 0 * _eps, _n: 10 + 0 * _eps}),
    mutants=(Mutant("more than the sum", gt((2 * _eps * _big) ** 2, 4 * _family_norm2)),),
)

# E in dimension 2, with a general symmetric inverse.
_X = tuple(real(f"x_{k}", "feature of the record that leaves") for k in "12")
_XP = tuple(real(f"x'_{k}", "feature of the record that comes") for k in "12")
_B = tuple(real(f"b_{k}", "entry of the inverse of A") for k in ("11", "12", "22"))
_x, _xp = Matrix([v.symbol for v in _X]), Matrix([v.symbol for v in _XP])
_inverse = Matrix([[_B[0].symbol, _B[1].symbol], [_B[1].symbol, _B[2].symbol]])
_term = (_x * _x.T - _xp * _xp.T) * _inverse
_y, _yp = _inverse * _x, _inverse * _xp
_trace = _x.dot(_x) * _y.dot(_y) + _xp.dot(_xp) * _yp.dot(_yp) - 2 * _x.dot(_xp) * _y.dot(_yp)
_determinant = (_x.dot(_x) * _xp.dot(_xp) - _x.dot(_xp) ** 2) * (_y.dot(_y) * _yp.dot(_yp) - _y.dot(_yp) ** 2)

exact_norm = Claim(
    id="beyond:quadratic-exact-norm",
    title="The norm of the difference exactly",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=(
        r"$|(A_0-A_0')A^{-1}|^2$ is the larger root of $\lambda^2 - T\lambda + D$ with $Y = A^{-1}X_0$, $Y' = A^{-1}X_0'$, $T = |X_0|^2|Y|^2 + |X_0'|^2|Y'|^2 - "
        r"2(X_0\cdot X_0')(Y\cdot Y')$ and $D$ the product of the Gram determinants of $X_0, X_0'$ and of $Y, Y'$."
    ),
    variables=(*_X, *_XP, *_B),
    conclusion=both(eq((_term * _term.T).trace(), _trace), eq(_term.det() ** 2, _determinant)),
    reading=(
        "Trace and determinant of $EE^\\top$, whose larger eigenvalue is the square of the norm. In any dimension $E$ has rank 2 and acts between the "
        "planes of $X_0, X_0'$ and of $Y, Y'$: the same numbers, six inner products."
    ),
    scope="instance",
    missing=r"Dimension 2.",
    checks=(
        Identity(),
        ridge_worlds.EXACT_NORM,
        ridge_worlds.EXACT_NORM_IN_A_PLANE.mapped(ridge_worlds.of_exact_norm, *(v.symbol for v in (*_X, *_XP, *_B))),
    ),
    mutants=(
        Mutant("no cross term", eq((_term * _term.T).trace(), _trace + 2 * _x.dot(_xp) * _y.dot(_yp))),
        Mutant("one Gram determinant", eq(_term.det() ** 2, (_x.dot(_x) * _xp.dot(_xp) - _x.dot(_xp) ** 2) ** 2)),
    ),
)

# The condition number.
_PSQ, _LEV, _LEV2 = nonnegative("p", "|X_0|^2"), nonnegative("q", "X_0^T A^-1 X_0"), nonnegative("k", "X_0^T A^-2 X_0")
_MU, _TOP = positive("mu", "lower bound on the spectrum of A"), positive("L", "upper bound on the spectrum of A")
_psq, _lev, _lev2, _mu, _top = (v.symbol for v in (_PSQ, _LEV, _LEV2, _MU, _TOP))
_L = positive("l", "eigenvalue of A")
_l = _L.symbol
_BETWEEN = Hypothesis(
    "the spectrum of A lies between mu and L", le(_psq + _mu * _top * _lev2, (_mu + _top) * _lev), "§5.2"
)
_Z1, _Z2 = real("z_1"), real("z_2")
_z1, _z2 = _Z1.symbol, _Z2.symbol
_EIGEN = Chart(
    {_z1: (0, 1), _mu: (0, None), _top: (0, None)},
    {
        _mu: _mu,
        _top: _mu + _top,
        _psq: _z1**2 * _mu + (1 - _z1**2) * (_mu + _top),
        _lev: 1 + 0 * _z1,
        _lev2: _z1**2 / _mu + (1 - _z1**2) / (_mu + _top),
    },
)

per_eigenvector = Claim(
    id="beyond:kantorovich-per-eigenvector",
    title="An eigenvalue between two bounds",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"If $\mu \le l \le L$ then $1 + \mu L/l^2 \le (\mu+L)/l$: so $|X_0|^2 + \mu L\,X_0^\top A^{-2}X_0 \le (\mu+L)X_0^\top A^{-1}X_0$, eigenvector by eigenvector.",
    variables=(_L, _MU, _TOP),
    hypotheses=(Hypothesis("at least mu", ge(_l, _mu)), Hypothesis("at most L", le(_l, _top))),
    conclusion=le(1 + _mu * _top / _l**2, (_mu + _top) / _l),
    checks=(Combination(terms=((_l - _mu, _top - _l, _l**-2),)), Smt()),
    sampling=Chart({_mu: (0, None), _l: (0, None), _top: (0, None)}, {_mu: _mu, _l: _mu + _l, _top: _mu + _l + _top}),
    mutants=(
        Mutant("without L", le(1 + _mu * _top / _l**2, _mu / _l)),
        Mutant("above L", hypotheses=(Hypothesis("at least mu", ge(_l, _mu)),)),
    ),
)

kantorovich = Claim(
    id="beyond:relative-term-kantorovich",
    title="The relative term with the sharp function of the condition number",
    source="beyond",
    where="§5.2; v1 (10), v2 (11)",
    kind="theorem",
    statement=r"$|A_0A^{-1}|^2 = |X_0|^2X_0^\top A^{-2}X_0 \le \frac{(\kappa+1)^2}{4\kappa}(X_0^\top A^{-1}X_0)^2$ with $\kappa = L/\mu$, and $\frac{(\kappa+1)^2}{4\kappa} \le \kappa$.",
    variables=(_PSQ, _LEV, _LEV2, _MU, _TOP),
    hypotheses=(_BETWEEN, Hypothesis("mu is at most L", le(_mu, _top))),
    conclusion=both(
        le(_psq * _lev2, (_mu + _top) ** 2 / (4 * _mu * _top) * _lev**2),
        le((_mu + _top) ** 2 / (4 * _mu * _top), _top / _mu),
    ),
    reading="Kantorovich's inequality for $A^{-1/2}X_0$, in any dimension.",
    checks=(
        Smt(),
        Units({_psq: 2, _lev: 0, _lev2: -2, _mu: 2, _top: 2}),
        ridge_worlds.KANTOROVICH.mapped(ridge_worlds.of_condition, _psq, _lev, _lev2, _mu, _top),
    ),
    sampling=_EIGEN,
    derivation=(Step("Eigenvector by eigenvector.", "beyond:kantorovich-per-eigenvector"),),
    mutants=(
        Mutant("99/100 of it", le(_psq * _lev2, Rational(99, 100) * (_mu + _top) ** 2 / (4 * _mu * _top) * _lev**2)),
        Mutant("without kappa", le(_psq * _lev2, _lev**2)),
        Mutant("no bound on the spectrum", hypotheses=(Hypothesis("mu is at most L", le(_mu, _top)),)),
    ),
    tightness=(
        Tightness(
            (1 + _mu) ** 2 / 4,
            {_mu: (0, 1)},
            r"the sharp factor $(\kappa+1)^2/(4\kappa)$ over $\kappa$, for $\kappa = 1/\mu$",
        ),
    ),
)

kantorovich_attained = Claim(
    id="beyond:relative-term-kantorovich-attained",
    title="The sharp function of the condition number is attained",
    source="beyond",
    where="§5.2; v1 (10), v2 (11)",
    kind="identity",
    statement=r"For eigenvalues $\mu$ and $L$ and $A^{-1/2}X_0 = (1,1)$, that is $X_0 = (\sqrt\mu, \sqrt L)$, there is equality.",
    variables=(_MU, _TOP),
    conclusion=eq((_mu + _top) * (1 / _mu + 1 / _top), (_mu + _top) ** 2 / (4 * _mu * _top) * 2**2),
    checks=(Identity(),),
    mutants=(
        Mutant("kappa", eq((_mu + _top) * (1 / _mu + 1 / _top), _top / _mu * 2**2)),
        Mutant("2 for 4", eq((_mu + _top) * (1 / _mu + 1 / _top), (_mu + _top) ** 2 / (2 * _mu * _top) * 2**2)),
    ),
)

# Both gradients of a pair.
_GP = nonnegative("g'", "norm of the gradient of f'")
_D = nonnegative("D", "norm of the difference of the gradients")
_gp, _d = _GP.symbol, _D.symbol
_Z, _THETA = real("z", "feature of the other record"), real("theta", "parameter")
_z, _theta = _Z.symbol, _THETA.symbol
_line = (1 + _x[0] ** 2 + _z**2) / 2
_line_new = (1 + _xp[0] ** 2 + _z**2) / 2
_relative_line = (_x[0] ** 2 - _xp[0] ** 2) / 2 / _line
_AT_F = Hypothesis("sensitive at f", le(_d, _e * _g + _r), "before squaring", by=("rgm:gradient-difference-bound",))
_NEAR = Hypothesis("the gradients differ by D", le(_g, _gp + _d))
_BELOW_1 = Hypothesis("e is less than 1", lt(_e, 1))

other_gradient = Claim(
    id="beyond:quadratic-same-constants-at-neighbour",
    title="The same constants with the other gradient",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=(
        r"With $|A_0A^{-1}|$ and $|A_0'A^{-1}|$ at the one dataset, (10) of version 2 also holds with the other gradient $|\nabla f'(\theta)|$, as relative sensitivity with the "
        "smaller of the two norms asks."
    ),
    variables=(_X[0], _XP[0], _Z, _THETA),
    conclusion=le(
        ((_x[0] ** 2 - _xp[0] ** 2) * _theta) ** 2,
        3 * (_x[0] ** 4 + _xp[0] ** 4) / _line**2 * (_line_new * _theta) ** 2,
    ),
    reading="Two records on the line, all labels 0, so that there is no absolute part; regularisation 1/2.",
    checks=(Search(), Smt(), ridge_worlds.AT_NEIGHBOUR),
    category="missing hypothesis",
    corrected="beyond:quadratic-both-gradients",
    remark="The paper bounds with one gradient and says that the bound hints at relative sensitivity. The other order needs $A'$, or what the correction does.",
)

both_gradients = Claim(
    id="beyond:quadratic-both-gradients",
    title="Relative sensitivity for both gradients from one dataset",
    source="beyond",
    where=_WHERE,
    kind="theorem",
    statement=(
        r"If $e < 1$ then $|\nabla f-\nabla f'| \le \frac{e}{1-e}\min(|\nabla f|,|\nabla f'|) + \frac{r}{1-e}$: what is known at one dataset serves both orders of the pair."
    ),
    variables=(_E, _R, _G, _GP, _D),
    hypotheses=(_AT_F, _NEAR, _BELOW_1),
    conclusion=both(le(_d, _e / (1 - _e) * _gp + _r / (1 - _e)), le(_d, _e / (1 - _e) * _g + _r / (1 - _e))),
    reading=r"In any dimension. Squares are shared as in `beyond:quadratic-split`: $\eta^2 = (1+t)(\frac{e}{1-e})^2$, $R_{rel}^2 = (1+\frac1t)(\frac{r}{1-e})^2$.",
    checks=(
        Smt(),
        Units({_r: 1, _g: 1, _gp: 1, _d: 1}),
        ridge_worlds.BOTH_GRADIENTS.mapped(ridge_worlds.of_both_gradients, _e, _r, _g, _gp, _d),
    ),
    sampling=Chart(
        {_e: (0, 1), _r: (0, None), _gp: (0, None)},
        {_e: _e, _r: _r, _gp: _gp, _d: (_e * _gp + _r) / (1 - _e), _g: _gp + (_e * _gp + _r) / (1 - _e)},
    ),
    mutants=(
        Mutant("e for the other gradient", le(_d, _e * _gp + _r)),
        Mutant("r not enlarged", le(_d, _e / (1 - _e) * _gp + _r)),
        Mutant("e above 1", hypotheses=(_AT_F, _NEAR)),
    ),
)

both_attained = Claim(
    id="beyond:quadratic-both-gradients-attained",
    title="The factor for the other gradient is attained",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"On the line, without an absolute part and when the larger record leaves, $|\nabla f-\nabla f'| = \frac{e}{1-e}|\nabla f'|$.",
    variables=(_X[0], _XP[0], _Z, _THETA),
    hypotheses=(Hypothesis("the larger record leaves", gt(_x[0] ** 2, _xp[0] ** 2)),),
    conclusion=both(
        eq((_line - _line_new) * _theta, _relative_line / (1 - _relative_line) * (_line_new * _theta)),
        gt(_relative_line, 0),
        lt(_relative_line, 1),
    ),
    reading=r"Two records, all labels 0, regularisation 1/2; $e = (X_0^2-X_0'^2)/(nA)$. The sign of $\theta$ is that of both gradients.",
    checks=(Smt(),),
    mutants=(
        Mutant("e", eq((_line - _line_new) * _theta, _relative_line * (_line_new * _theta))),
        Mutant("the larger record comes", hypotheses=(Hypothesis("comes", lt(_x[0] ** 2, _xp[0] ** 2)),)),
    ),
)

_A = tuple(real(f"a_{k}", "entry of A") for k in ("11", "12", "22"))
_matrix = Matrix([[_A[0].symbol, _A[1].symbol], [_A[1].symbol, _A[2].symbol]])
_DELTA = tuple(real(f"k_{k}", "entry of (A_0 - A_0')/n") for k in ("11", "12", "22"))
_change = Matrix([[_DELTA[0].symbol, _DELTA[1].symbol], [_DELTA[1].symbol, _DELTA[2].symbol]])
_shared = _change * _matrix.adjugate()
_product = (_matrix - _change).det() * _shared

neighbour_matrix = Claim(
    id="beyond:quadratic-neighbour-matrix",
    title="The relative part at the neighbour",
    source="beyond",
    where=_WHERE,
    kind="identity",
    statement=r"With $A' = A - \frac1n(A_0-A_0')$: $(A_0-A_0')A'^{-1}(I - \frac1nE) = E$, so $|(A_0-A_0')A'^{-1}|/n \le e/(1-e)$ if $e < 1$.",
    variables=(*_DELTA, *_A),
    conclusion=both(
        *(
            eq(p, q)
            for p, q in zip(
                _change * (_matrix - _change).adjugate() * (_matrix.det() * eye(2) - _shared),
                _product,
                strict=True,
            )
        )
    ),
    reading=r"Entry by entry, multiplied by both determinants and divided by $n$. On the line $e/(1-e)$ is attained when the record that leaves is the larger.",
    scope="instance",
    missing=r"Dimension 2.",
    checks=(
        Identity(),
        ridge_worlds.NEIGHBOUR_MATRIX,
        ridge_worlds.NEIGHBOUR_MATRIX_IN_A_PLANE.mapped(
            ridge_worlds.of_neighbour_matrix, *(v.symbol for v in (*_DELTA, *_A))
        ),
    ),
    mutants=(
        Mutant(
            "plus",
            both(
                *(
                    eq(p, q)
                    for p, q in zip(
                        _change * (_matrix - _change).adjugate() * (_matrix.det() * eye(2) + _shared),
                        _product,
                        strict=True,
                    )
                )
            ),
        ),
        Mutant(
            "A in place of A'",
            both(
                *(
                    eq(p, q)
                    for p, q in zip(
                        _change * _matrix.adjugate() * (_matrix.det() * eye(2) - _shared),
                        _matrix.det() * _shared,
                        strict=True,
                    )
                )
            ),
        ),
    ),
)

# Records inside and outside of the dataset.
leverage = Claim(
    id="beyond:leverage-at-most-n",
    title="A record of the dataset has at most the leverage n",
    source="beyond",
    where=_WHERE,
    kind="inequality",
    statement=r"If $A \succcurlyeq \frac1nX_0X_0^\top$ then $X_0^\top A^{-1}X_0 \le n$, however ill-conditioned $A$ is.",
    variables=(_LEV, _N),
    hypotheses=(Hypothesis("the order along A^-1 X_0", le(_lev**2 / _n, _lev)),),
    conclusion=le(_lev, _n),
    reading=r"In any dimension: along $v = A^{-1}X_0$ the order says $\frac1n(X_0^\top A^{-1}X_0)^2 \le v^\top Av = X_0^\top A^{-1}X_0$.",
    checks=(
        Smt(),
        ridge_worlds.LEVERAGES.mapped(ridge_worlds.of_leverage, _lev, _n),
    ),
    sampling=Chart({_n: (0, None), _lev: (0, 1)}, {_n: _n, _lev: _lev * _n}),
    mutants=(
        Mutant("half", le(_lev, _n / 2)),
        Mutant("outside", hypotheses=()),
    ),
)

outside = Claim(
    id="beyond:outside-record",
    title="A record outside of the dataset sees the smallest eigenvalue",
    source="beyond",
    where=_WHERE,
    kind="remark",
    statement=r"For $|X_0'|^2 = p$ the largest value of $X_0'^\top A^{-1}X_0'$ is $p/\lambda_{\min}(A)$: at most so always, and so along the weakest eigenvector.",
    variables=(_Z1, _Z2, _MU, _L),
    hypotheses=(Hypothesis("mu is the smallest eigenvalue", le(_mu, _l)),),
    conclusion=both(
        le(_z1**2 / _mu + _z2**2 / _l, (_z1**2 + _z2**2) / _mu),
        eq(At(_z1**2 / _mu + _z2**2 / _l, _z2, 0), At((_z1**2 + _z2**2) / _mu, _z2, 0)),
    ),
    reading="In a basis of eigenvectors. A neighbour may contain any record, so that no bound that does without the conditioning covers all neighbours.",
    scope="instance",
    missing=r"Dimension 2.",
    checks=(
        Smt(),
        ridge_worlds.OUTSIDE,
    ),
    mutants=(
        Mutant("the largest eigenvalue", le(_z1**2 / _mu + _z2**2 / _l, (_z1**2 + _z2**2) / _l)),
        Mutant("mu not the smallest", hypotheses=()),
    ),
)

_CONSTANT = nonnegative("K", "the constant of O(...)")
_constant = _CONSTANT.symbol

objective_condition = Claim(
    id="beyond:b2-condition-number-of-the-objective",
    title="The order of eta with the condition number of the objective",
    source="beyond",
    where="App. B.2, last sentence",
    kind="remark",
    statement=(
        r"For some constant $K$, $|A_0A^{-1}|^2 \le K\kappa_AL_{rel}$ with the condition number $\kappa_A$ of $A$: judged on the line, where $\kappa_A = 1$, at "
        r"$X_0^2/A = L_{rel} = K+1$."
    ),
    variables=(_CONSTANT,),
    conclusion=le((_constant + 1) ** 2, _constant * (_constant + 1)),
    quantifier="exists",
    reading=r"$n > K$ records of which one is much larger than the others have such a $A$ (`beyond:leverage-at-most-n` is nearly attained).",
    checks=(Search(), Smt()),
    category="missing hypothesis",
    corrected="rgm:b2-order-of-eta",
    remark="The condition number there is that of a record's smoothness over the objective's convexity.",
)

# Orthogonal data: E is diagonal.
_W1, _W2 = (
    positive("w", "share of the records along X_0", upper=1),
    positive("w'", "share of the records along X_0'", upper=1),
)
_w1, _w2 = _W1.symbol, _W2.symbol
_H1, _H2 = real("h_1", "coordinate along X_0"), real("h_2", "coordinate along X_0'")
_h1, _h2 = _H1.symbol, _H2.symbol
_DIMENSION = natural("d", "dimension")
_dims = _DIMENSION.symbol
_COUNT = Hypothesis("at least the share 1/(2d)", both(ge(2 * _dims * _w1, 1), ge(2 * _dims * _w2, 1)))

orthogonal = Claim(
    id="beyond:orthogonal-difference",
    title="Orthogonal data: both records together",
    source="beyond",
    where="§5.2, Orthogonal data",
    kind="theorem",
    statement=(
        r"For orthogonal data $|(A_0-A_0')A^{-1}| = \max(1/w, 1/w') \le 2d$: the sum of two terms costs nothing, and $\eta$ may be anything above $2d/n$, or above one over the "
        "number of records along the two directions."
    ),
    variables=(_W1, _W2, _H1, _H2, _DIMENSION),
    hypotheses=(_COUNT,),
    conclusion=le((_h1 / _w1) ** 2 + (_h2 / _w2) ** 2, (2 * _dims) ** 2 * (_h1**2 + _h2**2)),
    reading=r"In the basis of the directions of the records $E$ is diagonal with $1/w$, $-1/w'$ and zeros.",
    checks=(
        Smt(),
        orthogonal_worlds.DIFFERENCE,
    ),
    sampling=Chart(
        {_h1: (-3, 3), _h2: (-3, 3), _dims: (0, None), _w1: (0, 1), _w2: (0, 1)},
        {_h1: _h1, _h2: _h2, _dims: _dims, _w1: (1 + _w1) / (2 * _dims), _w2: (1 + _w2) / (2 * _dims)},
    ),
    mutants=(
        Mutant("d", le((_h1 / _w1) ** 2 + (_h2 / _w2) ** 2, _dims**2 * (_h1**2 + _h2**2))),
        Mutant("any share", hypotheses=()),
    ),
)

_DIM = natural("d", "dimension", lower=3)
_dim = _DIM.symbol

even = Claim(
    id="beyond:orthogonal-even-dataset",
    title="Even the evenly spread dataset exceeds 2d",
    source="beyond",
    where="§5.2, Orthogonal data",
    kind="remark",
    statement=r"If all $d \ge 3$ different records occur equally often, $|X_i|^2X_i^\top A^{-2}X_i = d^2 > 2d$.",
    variables=(_PSQ, _DIM),
    hypotheses=(Hypothesis("X_i is not 0", gt(_psq, 0)),),
    conclusion=both(eq(_psq * (_psq / (_psq / _dim) ** 2), _dim**2), gt(_psq * (_psq / (_psq / _dim) ** 2), 2 * _dim)),
    reading=r"$X_i$ is an eigenvector of $A$ with eigenvalue $|X_i|^2/d$.",
    checks=(Smt(),),
    mutants=(
        Mutant("d^2 < 2d", lt(_psq * (_psq / (_psq / _dim) ** 2), 2 * _dim)),
        Mutant("d cubed", gt(_psq * (_psq / (_psq / _dim) ** 2), _dim**3)),
    ),
)

# The fixed half is (1, 0) and (0, s); the other half holds an arbitrary record twice.
_SIDE, _F1, _F2 = (
    positive("s", "length of the second record"),
    real("u_1", "feature of the free record"),
    real("u_2", "feature of the free record"),
)
_side, _f1, _f2 = _SIDE.symbol, _F1.symbol, _F2.symbol
_free = Matrix([[1 + 2 * _f1**2, 2 * _f1 * _f2], [2 * _f1 * _f2, _side**2 + 2 * _f2**2]]) / 4
_free_inverse = _free.adjugate() / _free.det()

half_only = Claim(
    id="beyond:orthogonal-half-only",
    title="With an arbitrary other half, the bound on the inverse square fails",
    source="beyond",
    where="App. B.3",
    kind="inequality",
    statement=r"$A \succcurlyeq \frac1{2d}\sum_{i\le d}X_iX_i^\top$ with orthogonal $X_i$ gives $|X_i|^2X_i^\top A^{-2}X_i \le (2d)^2$, whatever the other half of the data is.",
    variables=(_SIDE, _F1, _F2),
    conclusion=le((_free_inverse * _free_inverse)[0, 0], 16),
    reading=r"The records $(1,0)$ and $(0,s)$ are fixed, the other two are equal and arbitrary.",
    scope="instance",
    missing=r"Four records in dimension 2.",
    checks=(Search(), Smt(), orthogonal_worlds.ANY_HALF_SQUARES),
    category="missing hypothesis",
    corrected="beyond:orthogonal-half-inverse",
    remark="The square of an inverse is not monotone in the order of matrices. The whole dataset has to be orthogonal, as the paper assumes.",
)

_F = tuple(real(f"f_{k}", "entry of the second moments of the other half") for k in ("11", "12", "22"))
_f11, _f12, _f22 = (v.symbol for v in _F)
_any_half = Matrix([[Rational(1, 4) + _f11, _f12], [_f12, _side**2 / 4 + _f22]])
_any_inverse = _any_half.adjugate() / _any_half.det()
_SEMIDEFINITE = (
    Hypothesis("second moments: an entry", ge(_f11, 0)),
    Hypothesis("second moments: the other entry", ge(_f22, 0)),
    Hypothesis("second moments: the determinant", ge(_f11 * _f22, _f12**2)),
)

half_inverse = Claim(
    id="beyond:orthogonal-half-inverse",
    title="With an arbitrary other half, the quadratic form keeps its bound",
    source="beyond",
    where="App. B.3",
    kind="correction",
    statement=r"$X_i^\top A^{-1}X_i \le 2d$ whatever the other half is; so $|A_0A^{-1}| \le 2d\,(\kappa+1)/(2\sqrt\kappa)$.",
    variables=(_SIDE, *_F),
    hypotheses=_SEMIDEFINITE,
    conclusion=le(_any_inverse[0, 0], 4),
    reading=(
        "The inverse is monotone in the order of matrices. The fixed half is $(1,0)$ and $(0,s)$, equally often, the other half and regularisation add "
        "any positive semidefinite matrix."
    ),
    scope="instance",
    missing=r"Dimension 2.",
    checks=(
        Smt(),
        orthogonal_worlds.ANY_HALF,
    ),
    sampling=Chart(
        {_side: (0, None), _f11: (0, None), _f22: (0, None), _f12: (-1, 1)},
        {_side: _side, _f11: _f11**2, _f22: _f22**2, _f12: _f12 * _f11 * _f22},
    ),
    derivation=(Step("From the quadratic form to the norm.", "beyond:relative-term-kantorovich"),),
    mutants=(
        Mutant("2 in place of 4", le(_any_inverse[0, 0], 2)),
        Mutant("for the inverse square", le((_any_inverse * _any_inverse)[0, 0], 16)),
        Mutant("not positive semidefinite", hypotheses=_SEMIDEFINITE[:2]),
    ),
)
