r"""The hockey-stick divergence of two isotropic Gaussians: negative levels, best regions, growth with the distance.

$H_\epsilon(P\|Q) = \int (p - e^\epsilon q)_+ = E_P(1 - e^{\epsilon-L})_+$ for every real $\epsilon$.
That $H$ grows with the distance of the means needs no derivative of $H$: the region that is best at one distance is one
of the regions allowed at a larger one, and moving the wider law away from a ball's centre takes mass out of the ball.
"""

from rgm_verify.claims.written.rendering import expression_latex
from rgm_verify.pages import *

from ...rgm.notation import NOTATION, d
from ...theorems import FUBINI, MONOTONE_INTEGRAL
from ..pairs.pairs_in_space import monotone_cases
from .loss_notation import *
from .loss_notation import page as _privacy_loss, s as tilt

page = Page("beyond", "the hockey-stick divergence as a function of the distance", NOTATION, _privacy_loss)
_DIVERGENCE = page.elsewhere("hockey-stick divergence")
x = page.real("x", "privacy loss minus its level")
p = page.nonnegative("p", "density of the first law at a point")
q = page.nonnegative("q", "density of the second law there")
E = page.positive("E", "e^epsilon")
_stick = Max(p - E * q, 0)


#: Two outputs with the noise of the mechanism, and the divergence in the other order.
_RELEASED = Outputs((Integer(1),), (Integer(0),), 1, variances=(Rational(6, 5), Integer(1)))
_curve, _turned = Of(HockeyStick(log(E)), _RELEASED), real("in_the_other_order").symbol


def _integrated(more: str, integrable: str) -> Step:
    met = {"pointwise": "This is what the formula says.", "integrable": integrable}
    return Step(f"Both sides are integrated{more}.", theorem=MONOTONE_INTEGRAL, met=met)


_t = page.real("t", "probability of rejecting at the point", lower=0, upper=1)
_AT_LEVELS = tuple(
    {p: Rational(1, 2), q: Rational(1, 3), _t: Rational(2, 5), E: Rational(large)} for large in ("3/2", "2/3")
)

negative_levels = _DIVERGENCE.identity(
    "beyond:hockey-stick-at-negative-levels",
    "Negative levels by the other order",
    eq(_stick, p - E * q + E * Max(q - p / E, 0)),
    r"This is so for $\epsilon$ of either sign. Judged is what is integrated.",
    outputs=of_cases(
        Filled(
            _AT_LEVELS,
            found={_turned: Of(HockeyStick(-log(E)), _RELEASED.reversed())},
            bounds=is_quantity(_curve, 1 - E + E * _turned),
        )
    ),
    printed=r"H_\epsilon(P\|Q) = 1 - e^\epsilon + e^\epsilon H_{-\epsilon}(Q\|P)",
    by=Smt(),
    wrong={
        "without the factor E": p - E * q + Max(q - p / E, 0),
        "the same level": p - E * q + E * Max(q - E * p, 0),
        "sign of the line": E * q - p + E * Max(q - p / E, 0),
    },
    steps=_integrated("; the densities have the integral 1", "The positive parts are at most the densities."),
)

neyman_pearson = _DIVERGENCE.inequality(
    "beyond:neyman-pearson-pointwise",
    "No test beats the region where the loss exceeds its level",
    le(_t * (p - E * q), _stick),
    r"This is so for every event $A$, and every randomised one, with equality where $A$ is the event that the loss exceeds $\epsilon$. Judged is what is integrated.",
    outputs=of_bounds(
        (
            Bound(Of(Guess(log(E), Rational(1, 4)), _RELEASED), (_curve,)),
            Bound(_curve, (Of(Guess(log(E), log(E)), _RELEASED),)),
        ),
        _AT_LEVELS,
    ),
    printed=r"P(A) - e^\epsilon Q(A) \le H_\epsilon(P\|Q)",
    wrong={"half": _stick / 2, "direction": turned(), "level 0": left(_t * (p - q))},
    steps=_integrated(", for the probabilities of an event", "The positive part is at most the density."),
)

_a = page.real("a", "a real number")
_b = page.real("b", "a real number")

tangent_anywhere = page.inequality(
    "beyond:exponential-above-its-tangents",
    "The exponential lies above each of its tangents",
    ge(exp(_b), exp(_a) * (1 + _b - _a)),
    by=combination((exp(_a), (exp(_b - _a) - 1) ** 2, LogRemainder(2, exp(_b - _a) - 1))),
    wrong={
        "twice the slope": exp(_a) * (1 + 2 * (_b - _a)),
        "a step higher": exp(_a) * (2 + _b - _a),
        "direction": turned(),
    },
)

m = page.nonnegative("m", "distance of the mean from the middle of the interval")
r = page.positive("r", "half of the interval's length")
u = page.positive("u", "how far the mean moves away")


def mass(offset: Expr) -> Expr:
    """The integral of e^(-y^2) over an interval of half length r whose middle is at a given distance from 0."""
    return sqrt(pi) / 2 * (erf(offset + r) - erf(offset - r))


_way = Symbol("w_on_the_way", real=True)
_near, _far = -((m + _way - r) ** 2), -((m + _way + r) ** 2)

interval_mass = page.inequality(
    "beyond:interval-mass-falls",
    "An interval loses Gaussian mass when the mean moves away from its middle",
    lt(mass(m + u), mass(m)),
    r"The mean moves from the distance $m$ of the middle to $m + u$. The unit of length is $\sqrt2$ standard deviations.",
    by=Monotone(
        u,
        0,
        order=1,
        premises=(
            Premise("beyond:exponential-above-its-tangents", {_a: _far, _b: _near}),
            Premise("rgm:s4-exponential-positive", {x: _far}),
        ),
    ),
    points={m: (0, 3), r: (0, 3), u: (0, 3)},
    wrong={
        "direction": lt(mass(m), mass(m + u)),
        "towards the middle": left(mass(m - u)),
        "half of the mass is left at most": mass(m) / 2,
    },
    steps=(
        Step(r"The derivative in $u$ is $e^{-(m+u+r)^2} - e^{-(m+u-r)^2}$."),
        Step(r"It is negative, as $(m+u+r)^2 - (m+u-r)^2 = 4(m+u)r > 0$.", "beyond:exponential-above-its-tangents"),
    ),
)

_y = page.real("y", "a point of the line")

half_line = page.inequality(
    "beyond:half-line-mass-rises",
    "A half-line gains mass when the mean moves into it",
    lt(sqrt(pi) * erf(_y), sqrt(pi) * erf(_y + u)),
    "For equal variances the region is a half-space that the means' line enters.",
    by=Monotone(u, 0, order=1, premises=(Premise("rgm:s4-exponential-positive", {x: -((_y + _way) ** 2)}),)),
    points={_y: (-3, 3), u: (0, 3)},
    wrong={"direction": lt(sqrt(pi) * erf(_y + u), sqrt(pi) * erf(_y)), "at least u": left(sqrt(pi) * erf(_y) + u)},
)

_M = page.nonnegative("M", "by how much the distance of the means grows")

away = page.inequality(
    "beyond:wide-law-moves-away",
    "Growing the distance moves the wider law away from the ball's centre",
    both(
        Implies(gt(v, 1), both(le(centre, 0), le(0, D - centre), le(D - centre, D + _M - centre))),
        Implies(lt(v, 1), both(ge(centre, D), le(0, centre - 0), le(centre - 0, centre - (-_M)))),
    ),
    "The centre $c$ lies outside the segment between the means, on the side of the narrower law. The wider law moves, $P$ from $D$ to $D + M$ or $Q$ from $0$ to $-M$, and the other one stays.",
    given=UNEQUAL,
    wrong={
        "the centre between the means": Implies(gt(v, 1), ge(centre, 0)),
        "the narrower law moved instead": Implies(
            lt(v, 1), le(Max(D - centre, centre - D), Max(D + _M - centre, centre - D - _M))
        ),
        "the centre on the other side": Implies(lt(v, 1), le(centre, D)),
    },
)

_REGION_P = real("p", "P(A)", lower=0, upper=1)
_REGION_Q = real("q", "Q(A)", lower=0, upper=1)
_pm = page.real("p'", "mass of A under the first law after the move", lower=0, upper=1)
_qm = page.real("q'", "mass of A under the second law after the move", lower=0, upper=1)
_h0 = page.real("H", "hockey-stick divergence at distance D")
_h1 = page.real("H'", "hockey-stick divergence at a larger distance")
_pa = _REGION_P.symbol
_qa = _REGION_Q.symbol
_X_ALONG, _MEAN_AT = real("x", "coordinate along the line of the means"), real("k", "place of the mean on it")
_ha = page.nonnegative("h", "distance from that line")
_ca = page.real("c", "place of the centre on it")
_ra = page.positive("R", "radius of the ball")
_xa = _X_ALONG.symbol
_ka = page.add(_MEAN_AT)

on_lines = page.inequality(
    "beyond:ball-on-parallel-lines",
    "A ball and a Gaussian law on the lines parallel to that of the means",
    both(
        Iff(le((_xa - _ca) ** 2 + _ha**2, _ra**2), le((_xa - _ca) ** 2, _ra**2 - _ha**2)),
        eq(-((_xa - _ka) ** 2 + _ha**2) / (2 * v), -((_xa - _ka) ** 2) / (2 * v) + -(_ha**2) / (2 * v)),
    ),
    "At the distance $h$ from the line of the means the ball is an interval whose middle is the centre's place, or nothing. The exponent of a density with its mean at $k$ is the sum of one in $x$ and one in $h$, and only the first knows $k$.",
    over=(_X_ALONG,),
    wrong={
        "the same interval on every line": Iff(le((_xa - _ca) ** 2 + _ha**2, _ra**2), le((_xa - _ca) ** 2, _ra**2)),
        "the distance counted twice": eq(
            -((_xa - _ka) ** 2 + _ha**2) / (2 * v), -((_xa - _ka) ** 2) / (2 * v) + -(_ha**2) / v
        ),
    },
)

_ball = page.real("b", "mass of the ball or half-space under the law that moves", lower=0, upper=1)
_ball_moved = page.real("b'", "the same after the move", lower=0, upper=1)

moved_laws = page.inequality(
    "beyond:laws-moved-apart",
    "What the move does to the masses of the best region, in the three cases",
    both(ge(_pm, _pa), le(_qm, _qa)),
    "The region is the outside of a ball, and the first law moves; or it is the ball, and the second moves; or, for equal variances, it is a half-space that the first law moves into.",
    given=(
        Hypothesis(
            "v > 1",
            Implies(gt(v, 1), both(eq(_pa, 1 - _ball), eq(_pm, 1 - _ball_moved), eq(_qm, _qa), le(_ball_moved, _ball))),
            by=("beyond:interval-mass-falls",),
        ),
        Hypothesis(
            "v < 1",
            Implies(lt(v, 1), both(eq(_qa, _ball), eq(_qm, _ball_moved), eq(_pm, _pa), le(_ball_moved, _ball))),
            by=("beyond:interval-mass-falls",),
        ),
        Hypothesis(
            "v = 1",
            Implies(eq(v, 1), both(eq(_pa, _ball), eq(_pm, _ball_moved), eq(_qm, _qa), le(_ball, _ball_moved))),
            by=("beyond:half-line-mass-rises",),
        ),
    ),
    points={
        v: (1, 4, v + Rational(1, 9)),
        _ball: (0, 1),
        _ball_moved: (0, 1, _ball * _ball_moved),
        _qa: (0, 1),
        _pa: 1 - _ball,
        _pm: 1 - _ball * _ball_moved,
        _qm: _qa,
    },
    over=(_REGION_P, _REGION_Q),
    wrong={
        "the first law's mass falls": le(_pm, _pa),
        "by half at least": ge(_pm, _pa + (_ball - _ball_moved) / 2 + Rational(1, 9)),
    },
    steps=(
        Step("On each line the ball is an interval around the centre's place.", "beyond:ball-on-parallel-lines"),
        Step("From it the law that moves moves away.", "beyond:wide-law-moves-away"),
        Step("So on each line it loses mass.", "beyond:interval-mass-falls"),
        FUBINI.quoted(
            "The masses of the lines add up.",
            "The region is a ball, its outside, or a half-space, and densities are continuous.",
            "Densities are not negative.",
        ),
    ),
)
_MOVED = partial(monotone_cases, symbols=(_pa, _qa, _pm, _qm, E, _h0, _h1))

monotone = page.theorem(
    "beyond:hockey-stick-monotone-in-distance",
    "The hockey-stick divergence grows with the distance of the means",
    ge(_h1, _h0),
    r"This is so for every real $\epsilon$ and every dimension. $A$ is the region at $D$ where the loss exceeds $\epsilon$, and what is judged puts together what the steps say about it.",
    printed=r"H_\epsilon(N(D'e_1, vI)\|N(0, I)) \ge H_\epsilon(N(De_1, vI)\|N(0, I)) \quad\text{for } D' \ge D \ge 0",
    given=(
        Hypothesis("A is best at D", eq(_h0, _pa - E * _qa), "with equality", by=("beyond:neyman-pearson-pointwise",)),
        Hypothesis("A is allowed further away", ge(_h1, _pm - E * _qm), by=("beyond:neyman-pearson-pointwise",)),
        Hypothesis("the first law's mass of A does not fall", ge(_pm, _pa), by=("beyond:laws-moved-apart",)),
        Hypothesis("the second law's mass of A does not rise", le(_qm, _qa), by=("beyond:laws-moved-apart",)),
    ),
    by=(Smt(), Unreduced(cases=_MOVED), Released(cases=_MOVED)),
    points={E: (0, 4), u: (0, 1), _h0: _pa - E * _qa, _h1: _pm - E * _qm + u},
    over=(_REGION_P, _REGION_Q),
    wrong={"it falls": turned(), "by as much as the mass of P grows": _h0 + (_pm - _pa) + (_qa - _qm)},
    steps=(
        Step("The best region is a ball around $c$ or the complement of one.", "beyond:loss-rejection-region"),
        Step("It remains allowed when the laws move apart.", "beyond:neyman-pearson-pointwise"),
        Step(
            "The wider law moves away from the centre, so that it loses mass inside the ball.",
            "beyond:laws-moved-apart",
        ),
    ),
    reading=r"The hypotheses are what the steps prove. $A$ stays where it is; one of the two laws moves, the other keeps its mass of $A$. If $A$ is everything or nothing, "
    r"nothing changes.",
)


def _normal(point: Expr) -> Expr:
    """The standard normal distribution function."""
    return named(rf"\Phi({expression_latex(point)})", (1 + erf(point / sqrt(2))) / 2)


_mass_p, _mass_q = _normal(D / 2 - epsilon / D), _normal(-D / 2 - epsilon / D)


def _slope(curve: Expr) -> Expr:
    """The derivative of a curve in epsilon, evaluated: the mass on the other side may not stand in it."""
    return named(r"\frac{dH_\epsilon}{d\epsilon}", diff(curve, epsilon))


equal_variances = _DIVERGENCE.identity(
    "beyond:hockey-stick-equal-variances",
    "Equal variances: the curve of the Gaussian mechanism",
    eq(_slope(_mass_p - exp(epsilon) * _mass_q), -exp(epsilon) * _mass_q),
    r"This is $-e^\epsilon$ times the probability under $Q$ that the loss exceeds $\epsilon$, as it is for every pair, and the curve tends to 0 for large $\epsilon$.",
    given=Hypothesis("the means differ", gt(D, 0)),
    by=(
        Identity(),
        *(
            lens
            for n in (1, 3)
            for lens in by_outputs(
                -exp(epsilon) * _mass_q,
                LossAbove(epsilon, "Q"),
                UNIT_PAIR.subs({v: 1, d: n}),
                LAW_POINTS,
                LAW_POINTS[:1],
                scale=-exp(epsilon),
            )
        ),
    ),
    points={D: (0, 4), epsilon: (-3, 3)},
    wrong={
        "without the weight": left(_slope(_mass_p - _mass_q)),
        "the mass under P": -exp(epsilon) * _mass_p,
        "D for D/2": left(_slope(_normal(D - epsilon / D) - exp(epsilon) * _mass_q)),
    },
    steps="beyond:loss-law-equal-variances",
    reading=r"$L = Dz - D^2/2$ exceeds $\epsilon$ where $z > \epsilon/D + D/2$, which has the mass $\Phi(-\frac D2 - \frac\epsilon D)$ under $Q$.",
)

_FARTHER_POINTS = tuple({**p, _M: Rational(1, 3)} for p in LAW_POINTS)
_FARTHER = (
    Bound(Of(Renyi(1 + tilt), UNIT_PAIR.subs({d: 2})), (Of(Renyi(1 + tilt), UNIT_PAIR.subs({D: D + _M, d: 2})),)),
)

renyi_monotone = page.elsewhere("Rényi divergence as a function of the distance").inequality(
    "beyond:renyi-monotone-in-distance",
    "The Rényi divergence grows with the distance of the means",
    le(D**2 * (tilt + 1) / (2 * qs), (D + _M) ** 2 * (tilt + 1) / (2 * qs)),
    "The distance enters the divergence only here.",
    given=(FINITE, Hypothesis("order above 1", gt(tilt, 0))),
    by=(Smt(), Unreduced(bounds=_FARTHER, at=_FARTHER_POINTS), Released(bounds=_FARTHER, at=_FARTHER_POINTS[:1])),
    wrong={"direction": turned(), "by M^2 at least": left((D**2 + _M**2) * (tilt + 1))},
)
