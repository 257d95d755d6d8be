r"""The privacy loss of two isotropic Gaussians: its law, and its cumulant generating function.

In units of the second variance the pair is $P = N(De_1, vI)$ against $Q = N(0, I)$, and $w = v - 1$. A point is its
coordinate $z$ along the line of the means and its squared distance $h$ from that line. Completing the square, the loss
$L = \log dP/dQ$ is affine in the squared distance from one centre on that line, so that $\{L > \epsilon\}$ is the
complement of a ball ($w > 0$) or a ball ($w < 0$), and both laws of $L$ are noncentral chi-square laws.
The tilted density $P^{1+s}Q^{-s}$ is $e^{K(s)}$ times a Gaussian density: that is the cumulant generating function,
for every real $s$ where it is finite.
"""

from sympy import Derivative, Expr, Integer, Rational, Symbol, diff, exp, expand_log, log, pi, sqrt

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import (
    At,
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    Step,
    Variable,
    both,
    chain,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
    nonnegative,
    positive,
    printed,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Premise, Quadrature, Smt
from rgm_verify.lenses.outputs import Outputs, Renyi, by_outputs

from ..rgm import a2_lemma_2 as lemma
from ..rgm.notation import DIMENSION, alpha, d
from ..theorems import MOMENTS
from .log_term import P, Q

SHIFT = nonnegative("D", "distance of the means, in standard deviations of Q per coordinate")
VARIANCE = positive("v", "variance of P per coordinate, in units of that of Q")
EXCESS = real("w", "v - 1", lower=-1, lower_open=True)
ALONG = real("z", "coordinate of the point along the line of the means, 0 at the mean of Q")
ACROSS = nonnegative("h", "squared distance of the point from the line of the means")
LEVEL = real("epsilon", "level of the privacy loss")
TILT = real("s", "argument of the cumulant generating function: the Rényi order is 1 + s")
D, v, z, h, epsilon, s = (x.symbol for x in (SHIFT, VARIANCE, ALONG, ACROSS, LEVEL, TILT))
_NORMAL = real("n", "standard normal coordinate along the line of the means")
_CHI = nonnegative("k", "squared norm of the other standard normal coordinates")
_n, _k = _NORMAL.symbol, _CHI.symbol
_w = EXCESS.symbol

#: The excess of the variance.
w = v - 1
#: The centre of the ball, on the line of the means.
centre = -D / w
#: What the tilted variance is divided by.
qs = 1 - s * w
UNEQUAL = Hypothesis("the variances differ", ne(v, 1))
FINITE = Hypothesis("the moment is finite", gt(qs, 0), "for w > 0: s < 1/w; for w < 0: s > 1/w")
#: The privacy loss as completing the square leaves it.
loss = (w * ((z - centre) ** 2 + h) / v - d * log(v) - D**2 / w) / 2
#: The squared radius of the ball where the loss is epsilon; no ball is left where it is negative.
radius2 = v * (2 * epsilon + d * log(v) + D**2 / w) / w
#: The cumulant generating function log E_P exp(s L).
cumulant = D**2 * s * (s + 1) / (2 * qs) - d / 2 * (log(qs) + s * log(v))
_POINT = (SHIFT, VARIANCE, ALONG, ACROSS, DIMENSION)
#: Sizes at which nothing overflows.
_SIZES = {
    D: (0, 4), v: (Rational(1, 4), 4), d: (0, 40), z: (-4, 4), h: (0, 9), epsilon: (-3, 3), s: (-4, 4),
    _n: (-4, 4), _k: (0, 40),
}  # fmt: skip


def _sized(*variables: Variable) -> Chart:
    """A chart of the variables themselves at moderate sizes, for choosing points."""
    return Chart({x.symbol: _SIZES[x.symbol] for x in variables}, {})


def log_density(squared: Expr, variance: Expr) -> Expr:
    """The logarithm of a Gaussian density in dimension d at a squared distance from its mean."""
    return -d * (log(2 * pi) + log(variance)) / 2 - squared / (2 * variance)


def tilted(log_p: Expr, log_q: Expr) -> Expr:
    """The logarithm of P^(1+s) Q^(-s)."""
    return (1 + s) * log_p - s * log_q


_log_p = log_density((z - D) ** 2 + h, v)
_log_q = log_density(z**2 + h, 1)

loss_law = Claim(
    id="beyond:loss-law",
    title="The privacy loss is affine in one squared distance",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=(
        r"$\log dP/dQ = \frac12\big(w\,y - d\log v - D^2/w\big)$ with $y = |x-c|^2/v$ and the centre $c = -\frac Dw e_1$."
    ),
    variables=_POINT,
    hypotheses=(UNEQUAL,),
    conclusion=eq(_log_p - _log_q, loss),
    checks=(Identity(),),
    sampling=_sized(*_POINT),
    mutants=(
        Mutant("centre on the other side", eq(_log_p - _log_q, loss.subs(D, -D) + 2 * D * z)),
        Mutant("D^2 not divided by w", eq(_log_p - _log_q, loss + D**2 / (2 * w) - D**2 / 2)),
        Mutant("the logarithm once for all coordinates", eq(_log_p - _log_q, loss + (d - 1) * log(v) / 2)),
        Mutant("y in units of Q", eq(_log_p - _log_q, loss + w * ((z - centre) ** 2 + h) * (1 - 1 / v) / 2)),
    ),
    derivation=(Step(r"Take the difference of the log-densities and complete the square in $z$."),),
)

loss_equal_variances = Claim(
    id="beyond:loss-law-equal-variances",
    title="Equal variances: the loss is linear",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=r"For $v = 1$ the loss is $Dz - D^2/2$: that of the Gaussian mechanism, in any dimension.",
    variables=(SHIFT, ALONG, ACROSS, DIMENSION),
    conclusion=eq((_log_p - _log_q).subs(v, 1), D * z - D**2 / 2),
    checks=(Identity(),),
    mutants=(
        Mutant("sign of the constant", eq((_log_p - _log_q).subs(v, 1), D * z + D**2 / 2)),
        Mutant("without the half", eq((_log_p - _log_q).subs(v, 1), D * z - D**2)),
    ),
)

_from_centre = (z - centre) ** 2 + h

scaled_loss = Claim(
    id="beyond:loss-distance-from-sphere",
    title="The loss measured from its level",
    source="beyond",
    where="rejection region of the hockey-stick divergence",
    kind="identity",
    statement=r"$L - \epsilon$ is $\frac{w}{2v}$ times $|x-c|^2 - r^2$, with $r^2 = \frac vw\big(2\epsilon + d\log v + D^2/w\big)$.",
    variables=(*_POINT, LEVEL),
    hypotheses=(UNEQUAL,),
    conclusion=eq(loss - epsilon, w / (2 * v) * (_from_centre - radius2)),
    checks=(Identity(),),
    sampling=_sized(*_POINT, LEVEL),
    mutants=(
        Mutant("epsilon once in the radius", eq(loss - epsilon, w / (2 * v) * (_from_centre - radius2) + epsilon / 2)),
        Mutant("radius in units of P", eq(loss - epsilon, w / (2 * v) * (_from_centre - radius2 / v))),
    ),
)

_GAP = real("g", "squared distance from the centre minus the squared radius")
_EXCEEDS = real("l", "the loss minus its level")
_g, _l = _GAP.symbol, _EXCEEDS.symbol

rejection_region = Claim(
    id="beyond:loss-rejection-region",
    title="The rejection region is a ball or the complement of one",
    source="beyond",
    where="rejection region of the hockey-stick divergence",
    kind="proposition",
    statement=(
        r"For $w > 0$ the loss exceeds $\epsilon$ exactly outside the ball of radius $r$ around $c$; for $w < 0$ exactly "
        r"inside it. Where $r^2 < 0$ there is no ball: the region is everything, or nothing."
    ),
    variables=(*_POINT, LEVEL),
    hypotheses=(UNEQUAL,),
    conclusion=both(
        Implies(gt(v, 1), Iff(gt(loss, epsilon), gt(_from_centre, radius2))),
        Implies(lt(v, 1), Iff(gt(loss, epsilon), lt(_from_centre, radius2))),
    ),
    checks=(
        Deduction(
            (
                Premise("beyond:loss-distance-from-sphere"),
                Premise("beyond:loss-side-of-sphere", {_g: _from_centre - radius2, _l: loss - epsilon}),
            )
        ),
    ),
    sampling=_sized(*_POINT, LEVEL),
    mutants=(
        Mutant("always outside", Iff(gt(loss, epsilon), gt(_from_centre, radius2))),
        Mutant("always inside", Iff(gt(loss, epsilon), lt(_from_centre, radius2))),
        Mutant(
            "the ball around the mean of Q",
            Implies(gt(v, 1), Iff(gt(loss, epsilon), gt(z**2 + h, radius2))),
        ),
    ),
    derivation=(
        Step("The loss is affine in the squared distance from the centre.", "beyond:loss-law"),
        Step(
            "Measured from its level it has the sign of $w$ times that distance from the sphere.",
            "beyond:loss-distance-from-sphere",
        ),
    ),
)

side_of_sphere = Claim(
    id="beyond:loss-side-of-sphere",
    title="Two numbers that differ by the factor w / (2v) have signs that w decides",
    source="beyond",
    where="rejection region of the hockey-stick divergence",
    kind="inequality",
    statement=r"If $l = \frac{w}{2v} g$ then $l > 0$ means $g > 0$ for $w > 0$ and $g < 0$ for $w < 0$.",
    variables=(VARIANCE, _GAP, _EXCEEDS),
    hypotheses=(Hypothesis("factor", eq(_l, w / (2 * v) * _g)),),
    conclusion=both(
        Implies(gt(v, 1), Iff(gt(_l, 0), gt(_g, 0))),
        Implies(lt(v, 1), Iff(gt(_l, 0), lt(_g, 0))),
    ),
    checks=(Smt(),),
    sampling=Chart({v: (0, 4), _g: (-3, 3)}, {_l: w / (2 * v) * _g}),
    mutants=(
        Mutant("the sign of w left out", Iff(gt(_l, 0), gt(_g, 0))),
        Mutant("for w < 0 as for w > 0", Implies(lt(v, 1), Iff(gt(_l, 0), gt(_g, 0)))),
    ),
)

noncentrality = Claim(
    id="beyond:loss-noncentralities",
    title="Both laws of the loss are noncentral chi-square laws",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=(
        r"Under $P$ the vector $(x-c)/\sqrt v$ is a standard normal vector around a mean of squared norm $D^2v/w^2$, so $y$ is "
        r"noncentral chi-square with $d$ degrees of freedom; under $Q$ the vector $x - c$ is one around squared norm $D^2/w^2$, "
        r"so $vy$ is. The first is $v$ times the second."
    ),
    reading="The formula gives the two squared norms; that a squared norm has that law is its definition.",
    variables=(SHIFT, VARIANCE),
    hypotheses=(UNEQUAL,),
    conclusion=chain((D - centre) ** 2 / v, "==", D**2 * v / w**2, "==", printed(lambda: v * centre**2)),
    checks=(Identity(),),
    mutants=(
        Mutant("the two exchanged", eq((D - centre) ** 2 / v, D**2 / w**2)),
        Mutant("the power of v under P", eq((D - centre) ** 2 / v, D**2 * v**2 / w**2)),
        Mutant("equal", eq((D - centre) ** 2 / v, centre**2)),
    ),
)

_under_p = (w * (_n**2 + _k) + 2 * D * sqrt(v) * _n + D**2 - d * log(v)) / 2
_under_q = (w * (_n**2 + _k) + 2 * D * _n - D**2) / (2 * v) - d * log(v) / 2
_ratio = _log_p - _log_q

sampler = Claim(
    id="beyond:loss-sampler",
    title="The loss from one normal and one chi-square variable",
    source="beyond",
    where="sampling the privacy loss at a cost that does not grow with the dimension",
    kind="identity",
    statement=(
        r"With $n \sim N(0,1)$ and $k \sim \chi^2_{d-1}$ the loss under $P$ is $\frac12\big(w(n^2+k) + 2D\sqrt v\,n + D^2 - "
        r"d\log v\big)$, and under $Q$ it is $\frac1{2v}\big(w(n^2+k) + 2Dn - D^2\big) - \frac d2\log v$. Nothing is divided by $w$."
    ),
    reading=r"Under $P$ the point is $z = D + \sqrt v\,n$, $h = vk$; under $Q$ it is $z = n$, $h = k$.",
    variables=(SHIFT, VARIANCE, _NORMAL, _CHI, DIMENSION),
    conclusion=both(
        eq(_ratio.subs({z: D + sqrt(v) * _n, h: v * _k}, simultaneous=True), _under_p),
        eq(_ratio.subs({z: _n, h: _k}, simultaneous=True), _under_q),
    ),
    checks=(Identity(),),
    sampling=_sized(SHIFT, VARIANCE, _NORMAL, _CHI, DIMENSION),
    mutants=(
        Mutant(
            "deviation for variance under P", eq(_ratio.subs({z: D + v * _n, h: v * _k}, simultaneous=True), _under_p)
        ),
        Mutant("sign of D^2 under Q", eq(_ratio.subs({z: _n, h: _k}, simultaneous=True), _under_q + D**2 / v)),
        Mutant("the same formula for both", eq(_under_p, _under_q)),
    ),
)

#: The two laws, and points of them: the second is near the end of the range of s, the last has one mean.
UNIT_PAIR = Outputs((D,), (), d, variances=(v, Integer(1)))
LAW_POINTS = tuple(
    {
        v: Rational(a),
        D: Rational(b),
        s: Rational(c),
        d: Integer(n),
        epsilon: Rational(e),
        z: Integer(1),
        h: Integer(0 if n == 1 else 2),
    }
    for a, b, c, n, e in (
        ("6/5", "1", "1/2", 3, "1/2"),
        ("1/2", "1", "1/4", 1, "1/4"),
        ("101/100", "2", "1", 1000, "2"),
        ("2", "1/3", "99/100", 2, "1"),
        ("3/2", "0", "1/10", 30, "1/2"),
    )
)
_LOG_MOMENT = by_outputs(cumulant, Renyi(1 + s), UNIT_PAIR, LAW_POINTS, LAW_POINTS[:1], scale=s)

_tilted_mean = D * (1 + s) / qs
_tilted_density = log_density(qs * ((z - _tilted_mean) ** 2 + h), v) + d * log(qs) / 2
_x = Symbol("x", real=True)


def _direct(dimension: int) -> Quadrature:
    """The integral of P^(1+s) Q^(-s) by quadrature, against e^K, in one small dimension."""
    line = tilted(_log_p, _log_q).subs({z: _x, h: 0, d: dimension}, simultaneous=True)
    return Quadrature(
        log_integrand=expand_log(line),
        variable=_x,
        closed_form=exp(cumulant.subs(d, dimension)),
        dimension=dimension,
        count=1,
        part=cumulant,
        at={d: dimension},
    )


tilted_law = Claim(
    id="beyond:cumulant",
    title="The cumulant generating function of the loss",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="proposition",
    statement=(
        r"Where $q_s = 1 - sw > 0$, $P^{1+s}Q^{-s} = e^{K(s)}$ times the density of $N\big(\frac{(1+s)D}{q_s}e_1, \frac v{q_s} I\big)$ "
        r"with $K(s) = \frac{D^2 s(s+1)}{2q_s} - \frac d2(\log q_s + s\log v)$. As densities integrate to 1, $K(s) = \log E_P e^{sL}$."
    ),
    reading="Compared by logarithms at every point. Direct integration in dimensions 1, 2 and 3 is the second route.",
    variables=(SHIFT, VARIANCE, TILT, ALONG, ACROSS, DIMENSION),
    hypotheses=(FINITE,),
    conclusion=eq(tilted(_log_p, _log_q), cumulant + _tilted_density),
    checks=(Identity(), _direct(1), _direct(2), _direct(3), *_LOG_MOMENT),
    sampling=_sized(SHIFT, VARIANCE, TILT, ALONG, ACROSS, DIMENSION),
    mutants=(
        Mutant("s - 1 for s + 1", eq(tilted(_log_p, _log_q), cumulant - D**2 * s / qs + _tilted_density)),
        Mutant("without s log v", eq(tilted(_log_p, _log_q), cumulant + d * s * log(v) / 2 + _tilted_density)),
        Mutant("the dimension dropped", eq(tilted(_log_p, _log_q), cumulant.subs(d, 1) + _tilted_density)),
        Mutant(
            "q_s with the other sign",
            eq(tilted(_log_p, _log_q), cumulant + d * log(qs / (1 + s * w)) / 2 + _tilted_density),
            hypotheses=(FINITE, Hypothesis("both signs finite", gt(1 + s * w, 0))),
        ),
    ),
)

_NONCENTRALITY = nonnegative("lambda", "noncentrality")
_ANGLE = real("theta", "argument of the moment generating function", upper=Rational(1, 2), upper_open=True)
_lambda, _theta = _NONCENTRALITY.symbol, _ANGLE.symbol

poisson_mixture = Claim(
    id="beyond:noncentral-chi-square-mixture",
    title="A noncentral chi-square law is a Poisson mixture of central ones",
    source="beyond",
    where="the series for the hockey-stick divergence",
    kind="identity",
    statement=(
        r"With $d + 2J$ degrees of freedom, $J$ Poisson of mean $\lambda/2$, the moment generating function is $(1-2\theta)^{-d/2}$ times "
        r"$\exp\big(\frac\lambda2\big(\frac1{1-2\theta} - 1\big)\big)$; for a squared norm around a mean of squared norm $\lambda$ it is the same power times "
        r"$\exp\frac{\lambda\theta}{1-2\theta}$. The two exponents agree."
    ),
    variables=(_NONCENTRALITY, _ANGLE),
    conclusion=eq(_lambda / 2 * (1 / (1 - 2 * _theta) - 1), _lambda * _theta / (1 - 2 * _theta)),
    checks=(Identity(), Smt()),
    mutants=(
        Mutant("mean lambda", eq(_lambda * (1 / (1 - 2 * _theta) - 1), _lambda * _theta / (1 - 2 * _theta))),
        Mutant(
            "one degree each", eq(_lambda / 2 * (1 / sqrt(1 - 2 * _theta) - 1), _lambda * _theta / (1 - 2 * _theta))
        ),
    ),
    derivation=(
        Step(
            "A Poisson variable has $E z^J = e^{\\frac\\lambda2(z-1)}$; equal generating functions around 0 are equal laws.",
            theorem=MOMENTS,
            met={"finite": "Both are finite for $\\theta < \\frac12$."},
        ),
    ),
)

_theta_of_s = s * w / 2
_lambda_under_p = D**2 * v / w**2
_from_law = -d * log(qs) / 2 + _lambda_under_p * _theta_of_s / (1 - 2 * _theta_of_s) - s * (d * log(v) + D**2 / w) / 2

cumulant_from_law = Claim(
    id="beyond:cumulant-from-the-loss-law",
    title="The cumulant generating function from the noncentral chi-square law",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=(
        r"Under $P$, $L = \frac12(w\,y - d\log v - D^2/w)$ with $y$ noncentral chi-square of noncentrality $D^2v/w^2$: its generating function at "
        r"$\theta = sw/2$, where $1 - 2\theta = q_s$, gives $K(s)$ once more."
    ),
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(UNEQUAL, FINITE),
    conclusion=eq(_from_law, cumulant),
    checks=(Identity(), *_LOG_MOMENT),
    derivation=(
        Step(claim="beyond:loss-law"),
        Step(claim="beyond:loss-noncentralities"),
        Step(claim="beyond:noncentral-chi-square-mixture"),
    ),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant("noncentrality under Q", eq(_from_law - D**2 * s / (2 * qs), cumulant)),
        Mutant(
            "theta = s w",
            eq(-d * log(qs) / 2 + _lambda_under_p * s * w / qs - s * (d * log(v) + D**2 / w) / 2, cumulant),
        ),
        Mutant("without D^2/w", eq(_from_law + s * D**2 / (2 * w), cumulant)),
    ),
)

infinite = Claim(
    id="beyond:cumulant-infinite",
    title="Where q_s is not positive, the moment is infinite",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="remark",
    statement=r"For $q_s \le 0$ the exponent of $P^{1+s}Q^{-s}$ is convex along the line of the means, and the integral diverges.",
    reading="The exponential of a convex function on the line has an infinite integral.",
    variables=(SHIFT, VARIANCE, TILT, ALONG),
    conclusion=Implies(le(qs, 0), le(0, diff(-(1 + s) * (z - D) ** 2 / (2 * v) + s * z**2 / 2, z, 2))),
    checks=(Smt(),),
    mutants=(
        Mutant("for every s", le(0, diff(-(1 + s) * (z - D) ** 2 / (2 * v) + s * z**2 / 2, z, 2))),
        Mutant("q_s up to 1", Implies(le(qs, 1), le(0, diff(-(1 + s) * (z - D) ** 2 / (2 * v) + s * z**2 / 2, z, 2)))),
    ),
)

_at_lemma = {lemma.distance: D, lemma.s1: sqrt(v), lemma.s2: 1, lemma.big_s: qs, alpha: 1 + s}
_POSITIVE_TILT = Hypothesis("order above 1", gt(s, 0), "Lemma 2 has alpha > 1")

renyi = Claim(
    id="beyond:cumulant-renyi",
    title="The cumulant generating function is s times the Rényi divergence of order 1 + s",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=r"$K(s) = s\,D_{1+s}(P\|Q)$ with the divergence of Lemma 2 at $\sigma_1^2 = v$, $\sigma_2^2 = 1$; the mixed variance is $q_s$.",
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(FINITE, _POSITIVE_TILT),
    conclusion=eq(cumulant, s * lemma.divergence_s.subs(_at_lemma, simultaneous=True)),
    checks=(Identity(positive=(qs, s)), *_LOG_MOMENT),
    derivation=(
        Step(claim="rgm:lemma-2"),
        Step(claim="beyond:cumulant"),
    ),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant("order s", eq(cumulant, s * lemma.divergence_s.subs({**_at_lemma, alpha: s}, simultaneous=True))),
        Mutant(
            "s + 1 times the divergence", eq(cumulant, (s + 1) * lemma.divergence_s.subs(_at_lemma, simultaneous=True))
        ),
        Mutant(
            "the pair the other way round",
            eq(cumulant, s * lemma.divergence_s.subs({**_at_lemma, lemma.s1: 1, lemma.s2: sqrt(v)}, simultaneous=True)),
        ),
    ),
)

between_zeros = Claim(
    id="beyond:cumulant-between-its-zeros",
    title="The cumulant generating function between its zeros",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="inequality",
    statement=(
        r"$K(0) = 0$ as $P$ has mass 1, $K(-1) = 0$ as $Q$ has (put $s = 0$ and $s = -1$), and $K \le 0$ in between, where $K$ is always "
        r"finite: $q_s$ is the mean of 1 and $v$ with weights $1 + s$ and $-s$."
    ),
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(Hypothesis("from -1", ge(s, -1)), Hypothesis("to 0", le(s, 0))),
    conclusion=le(cumulant, 0),
    checks=(Deduction((Premise("beyond:log-upper", {P: 1, Q: qs}), Premise("beyond:log-upper", {P: v, Q: qs}))),),
    sampling=Chart({**{x: _SIZES[x] for x in (D, v, d)}, s: (-1, 0)}, {}),
    mutants=(
        Mutant("not negative", ge(cumulant, 0)),
        Mutant("from -2", hypotheses=(FINITE, Hypothesis("from -2", ge(s, -2)), Hypothesis("to 0", le(s, 0)))),
        Mutant("without s log v", le(cumulant + d * s * log(v) / 2, 0)),
    ),
)

_log_part = log(1 - s * _w) + s * log(1 + _w)
stable_form = Claim(
    id="beyond:cumulant-without-cancellation",
    title="The logarithmic part without cancellation near equal variances",
    source="beyond",
    where="floating-point evaluation of the cumulant generating function",
    kind="identity",
    statement=(
        r"$\log q_s + s\log v = \mathrm{log1pmx}(-sw) + s\,\mathrm{log1pmx}(w)$ with $\mathrm{log1pmx}(x) = \log(1+x) - x = -x^2\Lambda_2(x)$: "
        r"the linear terms, which are all of it for small $w$, have gone."
    ),
    variables=(TILT, EXCESS),
    hypotheses=(Hypothesis("the moment is finite", gt(1 - s * _w, 0)),),
    conclusion=both(
        eq(_log_part, (log(1 - s * _w) - (-s * _w)) + s * (log(1 + _w) - _w)),
        eq(_log_part, -(_w**2) * (s**2 * LogRemainder(2, -s * _w) + s * LogRemainder(2, _w))),
    ),
    checks=(Identity(),),
    sampling=Chart({s: (-3, 3), _w: (-1, 3)}, {}),
    mutants=(
        Mutant("s for s^2", eq(_log_part, -(_w**2) * (s * LogRemainder(2, -s * _w) + s * LogRemainder(2, _w)))),
        Mutant(
            "sign of the second part",
            eq(_log_part, -(_w**2) * (s**2 * LogRemainder(2, -s * _w) - s * LogRemainder(2, _w))),
        ),
    ),
)

#: The first derivative of the cumulant generating function.
slope = D**2 * (2 * s + 1 - w * s**2) / (2 * qs**2) + d * (w / qs - log(v)) / 2

first_derivative = Claim(
    id="beyond:cumulant-slope",
    title="The first derivative of the cumulant generating function",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=r"$K'(s) = \frac{D^2(2s+1-ws^2)}{2q_s^2} + \frac d2\big(\frac w{q_s} - \log v\big)$, the mean of the loss under the tilted law.",
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(FINITE,),
    conclusion=eq(diff(cumulant, s), slope),
    checks=(Identity(),),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant("without w s^2", eq(diff(cumulant, s), slope + D**2 * w * s**2 / (2 * qs**2))),
        Mutant("sign of log v", eq(diff(cumulant, s), slope + d * log(v))),
        Mutant("at s = 0", eq(diff(cumulant, s), slope.subs(s, 0))),
    ),
)

_u = 1 / qs - 1
_chernoff = d * (-log(qs) - _u) / 2 - D**2 * v * s**2 / (2 * qs**2)

saddle = Claim(
    id="beyond:cumulant-at-a-saddle",
    title="The exponent at a saddle without cancellation",
    source="beyond",
    where="the contour integral of the hockey-stick divergence",
    kind="identity",
    statement=(
        r"$K(s) - sK'(s) = \frac d2\big(\log(1+u) - u\big) - \frac{D^2vs^2}{2q_s^2}$ with $u = 1/q_s - 1$: two terms of one sign. "
        r"At $\epsilon = K'(s)$ it is the exponent $K(s) - s\epsilon$."
    ),
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(FINITE,),
    conclusion=eq(cumulant - s * slope, _chernoff),
    reading=r"$\log(1+u)$ is written as $-\log q_s$.",
    checks=(Identity(),),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant("without v", eq(cumulant - s * slope, _chernoff - D**2 * s**2 * (1 - v) / (2 * qs**2))),
        Mutant("u with the other sign", eq(cumulant - s * slope, _chernoff + d * _u)),
        Mutant("K' once", eq(cumulant - slope, _chernoff)),
    ),
)

_ONE_PLUS = positive("U", "1 / q_s")
_U = _ONE_PLUS.symbol

chernoff_sign = Claim(
    id="beyond:cumulant-saddle-terms",
    title="The exponent at a saddle is not positive",
    source="beyond",
    where="the contour integral of the hockey-stick divergence",
    kind="inequality",
    statement=r"Both terms are at most 0, so that $e^{K - sK'}$ never overflows; $U$ stands for $1/q_s$.",
    variables=(SHIFT, VARIANCE, TILT, DIMENSION, _ONE_PLUS),
    conclusion=le(d * (log(_U) - (_U - 1)) / 2 - D**2 * v * s**2 * _U**2 / 2, 0),
    checks=(
        Combination(
            terms=((d / 2, (_U - 1) ** 2, LogRemainder(2, _U - 1)), (D**2 * v * s**2 * _U**2 / 2,)),
        ),
    ),
    mutants=(
        Mutant("the second term added", le(d * (log(_U) - (_U - 1)) / 2 + D**2 * v * s**2 * _U**2 / 2, 0)),
        Mutant("the line halved", le(d * (log(_U) - (_U - 1) / 2) / 2 - D**2 * v * s**2 * _U**2 / 2, 0)),
    ),
)

_curvature = D**2 * v / qs**3 + d * w**2 / (2 * qs**2)

second_derivative = Claim(
    id="beyond:cumulant-second-derivative",
    title="The second derivative of the cumulant generating function",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=r"$K''(s) = D^2v/q_s^3 + dw^2/(2q_s^2)$, the variance of the loss under the tilted law.",
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(FINITE,),
    conclusion=eq(diff(slope, s), _curvature),
    checks=(Identity(),),
    derivation=(Step(claim="beyond:cumulant-slope"),),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant("square for cube", eq(diff(slope, s), _curvature + D**2 * v * (1 / qs**2 - 1 / qs**3))),
        Mutant("without v", eq(diff(slope, s), _curvature + D**2 * (1 - v) / qs**3)),
        Mutant("without the half", eq(diff(slope, s), _curvature + d * w**2 / (2 * qs**2))),
    ),
)

convex = Claim(
    id="beyond:cumulant-convex",
    title="The cumulant generating function is strictly convex",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="inequality",
    statement=r"$K'' > 0$ wherever $K$ is finite, unless the two laws are equal: saddles are unique, and Newton's method finds them.",
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(FINITE, Hypothesis("the laws differ", gt(D**2 + w**2, 0))),
    conclusion=gt(_curvature, 0),
    checks=(Smt(),),
    derivation=(Step(claim="beyond:cumulant-second-derivative"),),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant("at least D^2", gt(_curvature, D**2)),
        Mutant("the second term subtracted", gt(D**2 * v / qs**3 - d * w**2 / (2 * qs**2), 0)),
        Mutant("beyond the end of the range", hypotheses=(Hypothesis("q_s not 0", ne(qs, 0)),)),
    ),
)

_reversed = cumulant.subs({D: D / sqrt(v), v: 1 / v}, simultaneous=True)

duality = Claim(
    id="beyond:cumulant-duality",
    title="Exchanging the two laws reflects the cumulant generating function",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=(r"$K_{Q\|P}(s) = K_{P\|Q}(-1-s)$; in the units of $P$ the reversed pair has $D^2/v$ and $1/v$."),
    variables=(SHIFT, VARIANCE, TILT, DIMENSION),
    hypotheses=(Hypothesis("the moment is finite", gt(v + s * w, 0)),),
    conclusion=eq(_reversed, cumulant.subs(s, -1 - s)),
    checks=(
        Identity(positive=(v + s * w,)),
        *by_outputs(_reversed, Renyi(1 + s), UNIT_PAIR.reversed(), LAW_POINTS, LAW_POINTS[1:2], scale=s),
    ),
    sampling=_sized(SHIFT, VARIANCE, TILT, DIMENSION),
    mutants=(
        Mutant(
            "1 - s",
            eq(_reversed, cumulant.subs(s, 1 - s)),
            hypotheses=(
                Hypothesis("finite", gt(1 - (1 - s) * w, 0)),
                Hypothesis("the moment is finite", gt(v + s * w, 0)),
            ),
        ),
        Mutant("the distance not rescaled", eq(cumulant.subs(v, 1 / v), cumulant.subs(s, -1 - s))),
        Mutant(
            "not reflected",
            eq(_reversed, cumulant),
            hypotheses=(FINITE, Hypothesis("the moment is finite", gt(v + s * w, 0))),
        ),
    ),
)

moments = Claim(
    id="beyond:loss-mean-variance",
    title="Mean and variance of the loss",
    source="beyond",
    where="privacy loss of two isotropic Gaussians",
    kind="identity",
    statement=r"Under $P$ the loss has mean $K'(0) = \frac{D^2}2 + \frac d2(w - \log v)$, the Kullback-Leibler divergence, and variance $K''(0) = D^2v + \frac d2w^2$.",
    variables=(SHIFT, VARIANCE, DIMENSION),
    conclusion=both(
        eq(At(Derivative(cumulant, s), s, 0), D**2 / 2 + d * (w - log(v)) / 2),
        eq(At(Derivative(cumulant, (s, 2)), s, 0), D**2 * v + d * w**2 / 2),
    ),
    checks=(
        Identity(),
        *by_outputs(D**2 / 2 + d * (w - log(v)) / 2, Renyi(1), UNIT_PAIR, LAW_POINTS, LAW_POINTS[:1]),
    ),
    mutants=(
        Mutant("mean under Q", eq(At(Derivative(cumulant, s), s, 0), -(D**2) / (2 * v) + d * (1 - 1 / v - log(v)) / 2)),
        Mutant("variance without v", eq(At(Derivative(cumulant, (s, 2)), s, 0), D**2 + d * w**2 / 2)),
    ),
)
