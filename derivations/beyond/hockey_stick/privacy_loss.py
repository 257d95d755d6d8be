r"""The privacy loss of two isotropic Gaussians: its law, and its cumulant generating function.

In units of the second variance the pair is $P = N(De_1, vI)$ against $Q = N(0, I)$, and $w = v - 1$. A point is its
coordinate $z$ along the line of the means and its squared distance $h$ from that line. Completing the square, the loss
$L = \log dP/dQ$ is affine in the squared distance from one centre on that line, so that $\{L > \epsilon\}$ is the
complement of a ball ($w > 0$) or a ball ($w < 0$), and both laws of $L$ are noncentral chi-square laws.
The tilted density $P^{1+s}Q^{-s}$ is $e^{K(s)}$ times a Gaussian density: that is the cumulant generating function,
for every real $s$ where it is finite.
"""

from sympy import expand_log

from rgm_verify.claims.notation import spelled
from rgm_verify.pages import *

from ...rgm.notation import d
from .loss_notation import *
from .loss_notation import _k, _n

_POINT = (D, v, z, h, d)
_log_p = named(r"\log p", log_density((z - D) ** 2 + h, v))
_log_q = named(r"\log q", log_density(z**2 + h, 1))
_ratio = _log_p - _log_q

loss_law = page.identity(
    "beyond:loss-law",
    "The privacy loss is affine in one squared distance",
    eq(_ratio, loss.value),
    "On the left is the logarithm of the quotient of the densities. The quotient by $v$ in it is the squared distance from the centre in units of $P$.",
    given=UNEQUAL,
    points=sized(*_POINT),
    wrong={
        "centre on the other side": loss.subs(D, -D) + 2 * D * z,
        "D^2 not divided by w": loss + D**2 / (2 * w) - D**2 / 2,
        "the logarithm once for all coordinates": loss + (d - 1) * log(v) / 2,
        "y in units of Q": loss + w * ((z - centre) ** 2 + h) * (1 - 1 / v) / 2,
    },
    steps=Step(r"Take the difference of the log-densities and complete the square in $z$."),
)

loss_equal_variances = page.identity(
    "beyond:loss-law-equal-variances",
    "Equal variances: the loss is linear",
    eq(_ratio.subs(v, 1), D * z - D**2 / 2),
    "It is the loss of the Gaussian mechanism, in any dimension.",
    over=(h, d),
    wrong={"sign of the constant": D * z + D**2 / 2, "without the half": D * z - D**2},
)

_REGION = page.elsewhere("rejection region of the hockey-stick divergence")
_from_centre = (z - centre) ** 2 + h

scaled_loss = _REGION.identity(
    "beyond:loss-distance-from-sphere",
    "The loss measured from its level",
    eq(loss - epsilon, w / (2 * v) * (_from_centre - radius2)),
    given=UNEQUAL,
    points=sized(*_POINT, epsilon),
    wrong={
        "epsilon once in the radius": w / (2 * v) * (_from_centre - radius2) + epsilon / 2,
        "radius in units of P": w / (2 * v) * (_from_centre - radius2 / v),
    },
)

_g = page.real("g", "squared distance from the centre minus the squared radius")
_l = page.real("l", "the loss minus its level")

rejection_region = _REGION.proposition(
    "beyond:loss-rejection-region",
    "The rejection region is a ball or the complement of one",
    both(
        Implies(gt(v, 1), Iff(gt(loss, epsilon), gt(_from_centre, radius2))),
        Implies(lt(v, 1), Iff(gt(loss, epsilon), lt(_from_centre, radius2))),
    ),
    "Where $r^2$ is negative there is no ball: the region is everything, or nothing.",
    given=UNEQUAL,
    points=sized(*_POINT, epsilon),
    wrong={
        "always outside": Iff(gt(loss, epsilon), gt(_from_centre, radius2)),
        "always inside": Iff(gt(loss, epsilon), lt(_from_centre, radius2)),
        "the ball around the mean of Q": Implies(gt(v, 1), Iff(gt(loss, epsilon), gt(z**2 + h, radius2))),
    },
    steps=(
        Step("The loss is affine in the squared distance from the centre.", "beyond:loss-law"),
        Step(
            "Measured from its level it has the sign of $w$ times that distance from the sphere.",
            Premise("beyond:loss-distance-from-sphere"),
        ),
        Premise("beyond:loss-side-of-sphere", {_g: _from_centre - radius2, _l: loss - epsilon}),
    ),
)

side_of_sphere = _REGION.inequality(
    "beyond:loss-side-of-sphere",
    "Two numbers that differ by the factor w / (2v) have signs that w decides",
    both(Implies(gt(v, 1), Iff(gt(_l, 0), gt(_g, 0))), Implies(lt(v, 1), Iff(gt(_l, 0), lt(_g, 0)))),
    given=Hypothesis("factor", eq(_l, w / (2 * v) * _g)),
    points={v: (0, 4), _g: (-3, 3), _l: w / (2 * v) * _g},
    wrong={
        "the sign of w left out": Iff(gt(_l, 0), gt(_g, 0)),
        "for w < 0 as for w > 0": Implies(lt(v, 1), Iff(gt(_l, 0), gt(_g, 0))),
    },
)

noncentrality = page.identity(
    "beyond:loss-noncentralities",
    "Both laws of the loss are noncentral chi-square laws",
    chain((D - centre) ** 2 / v, "==", D**2 * v / w**2, "==", printed(lambda: v * spelled(centre) ** 2)),
    r"Under $P$ the vector $(x-c)/\sqrt v$ is a standard normal vector around a mean of the first squared norm, so that $|x-c|^2/v$ is noncentral chi-square with $d$ degrees of freedom; under $Q$ the same holds of $x - c$ and $c^2$.",
    given=UNEQUAL,
    wrong={
        "the two exchanged": eq((D - centre) ** 2 / v, D**2 / w**2),
        "the power of v under P": eq((D - centre) ** 2 / v, D**2 * v**2 / w**2),
        "equal": eq((D - centre) ** 2 / v, centre**2),
    },
    reading="The formula gives the two squared norms; that a squared norm has that law is its definition.",
)

_under_p = (w * (_n**2 + _k) + 2 * D * sqrt(v) * _n + D**2 - d * log(v)) / 2
_under_q = (w * (_n**2 + _k) + 2 * D * _n - D**2) / (2 * v) - d * log(v) / 2


def _drawn(law: str, along: Expr, across: Expr) -> Expr:
    """The loss at a point that is drawn from a law."""
    return named(f"L_{law}", _ratio.subs({z: along, h: across}, simultaneous=True))


sampler = page.elsewhere("sampling the privacy loss at a cost that does not grow with the dimension").identity(
    "beyond:loss-sampler",
    "The loss from one normal and one chi-square variable",
    both(eq(_drawn("P", D + sqrt(v) * _n, v * _k), _under_p), eq(_drawn("Q", _n, _k), _under_q)),
    r"The variables are $n \sim N(0,1)$ and $k \sim \chi^2_{d-1}$. Nothing is divided by $w$.",
    points=sized(D, v, _n, _k, d),
    wrong={
        "deviation for variance under P": eq(_drawn("P", D + v * _n, v * _k), _under_p),
        "sign of D^2 under Q": eq(_drawn("Q", _n, _k), _under_q + D**2 / v),
        "the same formula for both": eq(_under_p, _under_q),
    },
    reading=r"Under $P$ the point is $z = D + \sqrt v\,n$, $h = vk$; under $Q$ it is $z = n$, $h = k$.",
)

_tilted_mean = D * (1 + s) / qs
_tilted_density = named(r"\log p_s", log_density(qs * ((z - _tilted_mean) ** 2 + h), v) + d * log(qs) / 2)
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


tilted_law = page.proposition(
    "beyond:cumulant",
    "The cumulant generating function of the loss",
    eq(tilted(_log_p, _log_q), cumulant + _tilted_density),
    r"The second term is the logarithm of a Gaussian density. As densities integrate to 1, $K(s)$ is $\log E_P e^{sL}$.",
    given=FINITE,
    by=(Identity(), _direct(1), _direct(2), _direct(3), *LOG_MOMENT),
    points=sized(D, v, s, z, h, d),
    wrong={
        "s - 1 for s + 1": cumulant - D**2 * s / qs + _tilted_density,
        "without s log v": cumulant + d * s * log(v) / 2 + _tilted_density,
        "the dimension dropped": cumulant.subs(d, 1) + _tilted_density,
        "q_s with the other sign": changed(
            eq(tilted(_log_p, _log_q), cumulant + d * log(qs / (1 + s * w)) / 2 + _tilted_density),
            (FINITE, Hypothesis("both signs finite", gt(1 + s * w, 0))),
        ),
    },
    reading="Compared by logarithms at every point. Direct integration in dimensions 1, 2 and 3 is the second computation.",
)
