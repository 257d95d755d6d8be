r"""Section 6: the example of two nodes, $f_1 = \alpha|\theta|^2$ and $f_2 = \beta|\theta-b|^2$ with private $\alpha$ and $\beta$.

The gradient of a node is $2\alpha u$ with a public vector $u$ ($\theta$ at node 1, $\theta-b$ at node 2), so that its relative sensitivity is $\eta = \alpha_{\max}/\alpha_{\min} - 1$
with $R_{rel} = 0$: not the printed $\alpha_{\min}/\alpha_{\max}$, which is too small once the ratio exceeds the golden one. Clipping at a threshold below $|b|$ does
move the solution, as the example says. But clipping is not needed there: $2(\alpha_{\max}-\alpha_{\min})|\theta_t|$ is a sensitivity that node 1 knows at each step, and the plain Gaussian mechanism
with it needs no more noise than the relative one.
"""

from rgm_verify.claims.notation import spelled
from rgm_verify.claims.written.rendering import expression_latex

from ... import looseness
from ..notation import *
from ..section_1.gaussian_mechanism import (
    distance,
    gaussian_divergence,
    level,
    noise,
    page as _s1_gaussian_mechanism,
    prescribed,
    r_abs,
)
from . import two_nodes_worlds as worlds

page = Page("beyond", "§6, the example of two nodes", NOTATION, _s1_gaussian_mechanism)
_SOURCE = "rgm-v1+v2"
_low = page.positive("l", "smallest value of the private record", latex=r"\alpha_{\min}")
_high = page.positive("h", "largest value of the private record", latex=r"\alpha_{\max}")
_first = page.positive("s", "the private record in one dataset")
_second = page.positive("s'", "the private record in the neighbour")
_t = page.nonnegative("t", "norm of theta at node 1, of theta - b at node 2", latex=r"\|\theta\|")
_RANGE = (
    Hypothesis("s in its interval", both(ge(_first, _low), le(_first, _high)), "§6"),
    Hypothesis("s' in its interval", both(ge(_second, _low), le(_second, _high)), "§6"),
)
_IN_RANGE = {
    _high: (0, None, _low + _high),
    _first: (0, 1, _low + _first * _high),
    _second: (0, 1, _low + _second * _high),
}
#: The distance of the two gradients, squared, and the squared norm of the first.
_difference2 = named(r"\|\nabla f_1-\nabla f_1'\|^2", (2 * _first * _t - 2 * _second * _t) ** 2)
_norm2 = named(r"\|\nabla f_1\|^2", (2 * _first * _t) ** 2)
_of_node = (worlds.of_node, _low, _high, _first, _second, _t)
_READING = r"Node 1's gradient is $2\alpha\theta$ and node 2's is $2\beta(\theta-b)$: both are twice the record s times a vector of norm t that neighbours share."
_in_range = page.under(given=_RANGE, points=_IN_RANGE)

eta_printed = _in_range.at("", "TOY.1a", source=_SOURCE).remark(
    "rgm:two-node-eta-printed",
    "The relative sensitivity of a node, as printed",
    le(_difference2, named(r"\eta", _low / _high) ** 2 * _norm2),
    "With $R_{rel}$ of 0, at node 1; node 2's likewise.",
    printed=r"\eta=\frac{\alpha_{\min}}{\alpha_{\max}}",
    by=(Search(), Smt(), worlds.NODE_ETA_PRINTED.mapped(*_of_node)),
    reading=_READING,
    mistake=("wrong constant", "beyond:two-node-eta"),
    remark="It decreases as the interval grows, and is 1 where the record is known. It is an upper bound of the right value only for intervals of ratio at most 1.618: `beyond:two-node-eta-printed-range`.",
    tightness=Tightness(
        1 / (looseness.x * (looseness.x - 1)),
        {looseness.x: (Rational(11, 10), 10)},
        r"the printed $\eta$ over the least one, for $x = \alpha_{\max}/\alpha_{\min}$",
    ),
)

_ratio = named(r"\eta", _high / _low - 1)
eta_corrected = _in_range.correction(
    "beyond:two-node-eta",
    "The relative sensitivity of a node",
    le(_difference2, _ratio**2 * _norm2 + 0),
    "With $R_{rel}$ of 0, at both nodes.",
    by=(Smt(), Units({_low: 1, _high: 1, _first: 1, _second: 1}), worlds.NODE_ETA.mapped(*_of_node)),
    wrong={
        "over the largest value": (1 - _low / _high) ** 2 * _norm2,
        "half of it": _ratio**2 / 4 * _norm2,
        "the second record anywhere": changed(hypotheses=(_RANGE[0],)),
    },
    reading=_READING,
    tightness=Tightness(
        looseness.s**2 / Max(2 - looseness.s, looseness.s - 1) ** 2,
        {looseness.s: (1, 2)},
        r"the bound over the largest squared difference of the gradients, for records in $[1, 2]$ and the record $s$ at hand",
    ),
)

_excess2 = 4 * ((_high - _low) ** 2 - eta**2 * _low**2)
eta_smallest = page.remark(
    "beyond:two-node-eta-smallest",
    "No smaller relative part will do, with any absolute part",
    gt(
        named(r"\|\nabla f_1-\nabla f_1'\|^2", (2 * _high * _t - 2 * _low * _t) ** 2),
        eta**2 * named(r"\|\nabla f_1\|^2", (2 * _low * _t) ** 2) + r_rel**2,
    ),
    "The definition fails for the two ends of the interval, at a point that is far enough out.",
    given=Hypothesis("the point", ge(_t**2 * _excess2, 1 + r_rel**2)),
    points={
        _high: (0, None, _low * (1 + eta) + _high),
        _t: sqrt((1 + r_rel**2) / _excess2.subs(_high, _low * (1 + eta) + _high)) + r_rel,
    },
    wrong={
        "at every point": changed(hypotheses=(Hypothesis("a smaller eta", lt(eta * _low, _high - _low)),)),
        "any eta": changed(hypotheses=(Hypothesis("the point", ge(_t**2, 1 + r_rel**2)),)),
    },
    reading="Steps are unbounded, so that every theta can occur. The hypothesis on the point implies that eta is smaller.",
)

printed_range = page.remark(
    "beyond:two-node-eta-printed-range",
    "When the printed value is large enough",
    Iff(ge(_low / _high, _ratio), le(_high, (1 + sqrt(5)) / 2 * _low)),
    "The ratio may be at most the golden one.",
    given=Hypothesis("the interval", le(_low, _high)),
    wrong={"up to 2": Iff(ge(_low / _high, _ratio), le(_high, 2 * _low)), "always": ge(_low / _high, _ratio)},
)

order_two = page.remark(
    "beyond:two-node-order-two",
    "Which intervals the mechanism can protect at order 2",
    Iff(lt(_ratio * (2 + _ratio), 1), lt(_high**2, 2 * _low**2)),
    "The left side says that the order 2 is in the range of Theorem 1.",
    wrong={
        "up to twice": Iff(lt(_ratio * (2 + _ratio), 1), lt(_high, 2 * _low)),
        "always": lt(_ratio * (2 + _ratio), 1),
    },
    reading=r"Theorem 1: $\eta(\alpha-1)(2+\eta) < 1$ at order 2. The nodes can use the mechanism directly only for narrow intervals, or at orders close to 1.",
)

_other_norm2 = named(r"\|\nabla f_1'\|^2", (2 * _second * _t) ** 2)

no_absolute = _in_range.at("", "TOY.1b", source=_SOURCE).remark(
    "rgm:two-node-absolute-part",
    "The nodes need no absolute part",
    both(Implies(le(_norm2, 0), le(_difference2, 0)), le(_other_norm2, (_high / _low) ** 2 * _norm2)),
    r"Where one of two neighbouring gradients vanishes, so does the other, and their ratio is bounded: some $\eta$ does without $R_{rel}$.",
    wrong={
        "the ratio's square root": le(_other_norm2, _high / _low * _norm2),
        "records from 0 on": changed(hypotheses=_RANGE[1:]),
    },
    reading=_READING + " The vector b is not part of the record, as the text says of alpha and beta only.",
    remark="The definition as printed asks for a positive number; 0 is what it means here.",
)

# b private as well, for node 2: the change of beta moves its gradient by U, that of b by W.
_change = page.nonnegative("U", "2 |beta - beta'| |theta - b|")
_moved = page.nonnegative("W", "2 beta' |b - b'|")
_norm = page.nonnegative("N", "norm of the gradient, 2 beta |theta - b|", latex=r"\|\nabla f_2\|")
_move = page.nonnegative("M", "the most that a change of b by D moves it", latex=r"(2\beta_{\max}D)")
_cosine = page.real("c", "cosine of the angle between theta - b and b - b'", lower=-1, upper=1)
_split = page.positive("z", "how the square of the sum is split")
_moved_difference2 = named(r"\|\nabla f_2-\nabla f_2'\|^2", _change**2 + _moved**2 - 2 * _change * _moved * _cosine)
_absolute2 = named("R_{rel}^2", (1 + 1 / _split) * _move**2)
_MOVES = Hypothesis("the change of b", le(_moved, _move), "b - b' is at most D")

private_b = page.theorem(
    "beyond:two-node-private-b",
    "If b belongs to the record of node 2, an absolute part is needed",
    le(_moved_difference2, (1 + _split) * eta**2 * _norm**2 + _absolute2),
    r"At $b$ itself the gradient of node 2 vanishes and the neighbour's need not: no $R_{rel}$ below $2\beta_{\max}D$ will do.",
    printed=r"\eta_z=\sqrt{1+z}\Big(\frac{\beta_{\max}}{\beta_{\min}}-1\Big),\quad R_{rel}=\sqrt{1+\tfrac1z}\,2\beta_{\max}D",
    given=(Hypothesis("the change of beta", le(_change, eta * _norm), "eta = beta_max/beta_min - 1"), _MOVES),
    by=(
        combination(
            (1 + _split, eta * _norm - _change, eta * _norm + _change),
            (1 + 1 / _split, _move - _moved, _move + _moved),
            (1 / _split, (_split * _change + _moved * _cosine) ** 2),
            (1 / _split, _moved**2, 1 - _cosine, 1 + _cosine),
        ),
        Smt(),
    ),
    points={_change: (0, 1, _change * eta * _norm), _moved: (0, 1, _moved * _move)},
    wrong={
        "no absolute part": (1 + _split) * eta**2 * _norm**2,
        "the relative part not split": eta**2 * _norm**2 + _absolute2,
        "b anywhere": without(_MOVES),
    },
    steps=Step("The change of beta.", "beyond:two-node-eta"),
)

# The clipped gradients on the line through 0 and b; |b| is written b.
_b = page.positive("b", "norm of b", latex=r"\|b\|")
_c1 = page.positive("c_1", "clipping threshold of node 1")
_c2 = page.positive("c_2", "clipping threshold of node 2")
_theta = page.real("theta", "coordinate of theta along b")
_CLIPPED_READING = r"Not to bias: the clipped gradients of the two nodes add up to 0 at the optimum $b/2$ and nowhere else, so that the algorithm without noise can end only there. On the line through 0 and b; off it no clipped gradients add up to 0, since both would point away from it."


def _clip(value: Expr, threshold: Expr) -> Expr:
    """A number clipped to the threshold in absolute value."""
    return Max(-threshold, Min(threshold, value))


def _field(theta: Expr) -> Expr:
    """The sum of the two clipped gradients for alpha = beta = 1."""
    place = expression_latex(theta, {_b: r"\|b\|"})
    return named(rf"\tilde g({place})", _clip(2 * theta, _c1) + _clip(2 * (theta - _b), _c2))


_stray_1, _stray_2 = _b - _c1 / 2, _c2 / 2

threshold_needed = page.at("", "TOY.2a", source=_SOURCE).remark(
    "rgm:two-node-threshold",
    "A threshold below |b| moves the solution",
    both(
        Implies(le(_c1, _c2), both(eq(_field(_stray_1), 0), gt(_stray_1, _b / 2))),
        Implies(lt(_c2, _c1), both(eq(_field(_stray_2), 0), lt(_stray_2, _b / 2))),
    ),
    "The clipped gradients add up to 0 at another point than the optimum, whatever node 2's threshold is.",
    given=Hypothesis("node 1's threshold below |b|", lt(_c1, _b)),
    points={_b: (0, None, _c1 + _b)},
    wrong={
        "node 1's threshold anything": without(),
        "the point b - c_1": Implies(le(_c1, _c2), eq(_field(_b - _c1), 0)),
        "it stays at the optimum": Implies(le(_c1, _c2), eq(_field(_b / 2), 0)),
    },
    reading=_CLIPPED_READING,
    remark="With equal thresholds below |b| the optimum stays one of a segment of such points. The bias approaches half of |b| as c_1 tends to 0, for c_2 at least |b|.",
)

threshold_enough = page.remark(
    "beyond:two-node-threshold-enough",
    "Thresholds of |b| at both nodes are enough",
    Iff(eq(_field(_theta), 0), eq(_theta, _b / 2)),
    given=Hypothesis("both thresholds at least |b|", both(ge(_c1, _b), ge(_c2, _b))),
    points={_c1: (0, None, _b + _c1), _c2: (0, None, _b + _c2), _theta: (-2, 2, _b * (1 + _theta) / 2)},
    wrong={
        "node 1's threshold only": changed(hypotheses=(Hypothesis("node 1", ge(_c1, _b)),)),
        "half of |b|": changed(hypotheses=(Hypothesis("both", both(ge(2 * _c1, _b), ge(2 * _c2, _b))),)),
    },
    reading=_CLIPPED_READING,
)

_OPTIMUM, _ANGLE = nonnegative("t", "|theta|"), real("u", "cosine of the angle of theta and b", lower=-1, upper=1)
_optimum = _OPTIMUM.symbol
_angle = page.add(_ANGLE)
_OPTIMAL = Hypothesis(
    "optimal",
    eq(
        named(
            r"\|\nabla f_1(\theta)+\nabla f_2(\theta)\|^2", 16 * _optimum**2 - 16 * _optimum * _b * _angle + 4 * _b**2
        ),
        0,
    ),
    "$|2\\theta + 2(\\theta - b)|^2 = 0$",
)

gradient_at_optimum = page.at("", "TOY.2b", source=_SOURCE).identity(
    "rgm:two-node-gradient-at-optimum",
    "The gradient of node 1 at the optimum",
    eq(named(r"\|\nabla f_1(\theta)\|", 2 * _optimum) ** 2, _b**2),
    given=_OPTIMAL,
    by=Smt(),
    points={_b: (0, 3), _optimum: _b / 2, _angle: 1 + 0 * _b},
    over=(_OPTIMUM,),
    wrong={
        "without the factor 2 of the gradient": left(_optimum**2),
        "at the optimum of node 2": changed(hypotheses=(Hypothesis("there", both(eq(_optimum, _b), eq(_angle, 1))),)),
    },
    reading="In every dimension, by the law of cosines.",
)

_beta = page.positive("beta", "the record of node 2")
_norm_1 = named(r"\|\nabla f_1\|", 2 * _first * _beta * _b / (_first + _beta))
_norm_2 = named(r"\|\nabla f_2\|", 2 * _beta * (_b - _beta * _b / (_first + _beta)))

gradient_in_general = page.identity(
    "beyond:two-node-gradient-at-optimum",
    "The same for any records",
    both(eq(_norm_1, _norm_2), eq(1 / _norm_1, (1 / _first + 1 / _beta) / (2 * _b))),
    r"At the optimum $\frac{\beta}{\alpha+\beta}b$ both gradients have the norm $\frac{2\alpha\beta}{\alpha+\beta}|b|$: the harmonic mean of the two records, times $|b|$.",
    by=(Identity(), Smt()),
    wrong={
        "the arithmetic mean": eq(_norm_1, (_first + _beta) / 2 * _b),
        "the optimum half way": eq(2 * _first * _b / 2, 2 * _beta * (_b - _b / 2)),
    },
)

_k = page.real("k", "a factor", lower=1, lower_open=True)
_far_field = spelled(_field(_stray_1)).subs({_b: _k * _c1, _c2: _k * _c1}, simultaneous=True)
_ratio_of_variances = printed(lambda: _c1**2 / (_c1 / _k) ** 2)
knowledge = page.at("", "TOY.3", source=_SOURCE).remark(
    "rgm:two-node-threshold-needs-knowledge",
    "No threshold fits all b",
    both(
        eq(named(r"\tilde g(\|b\|-\frac{c_1}2)", _far_field), 0),
        eq((_stray_1 - _b / 2).subs(_b, _k * _c1), (_k - 1) / (2 * _k) * (_k * _c1)),
        eq(_ratio_of_variances, _k**2),
    ),
    r"Where $\|b\|$ is $k$ times the threshold $c_1$, the solution of node 1's clipping moves, with node 2 unclipped; where it is the $k$-th part, the noise has more than the variance that the threshold $\|b\|$ would need.",
    by=Smt(),
    wrong={
        "a smaller move": eq((_stray_1 - _b / 2).subs(_b, _k * _c1), (_k - 1) / (4 * _k) * (_k * _c1)),
        "k times the variance": eq(_ratio_of_variances, _k),
    },
    steps=Step("Below |b| the solution moves.", "rgm:two-node-threshold"),
    reading="A relevant threshold: one whose bias and noise are both within a constant factor of what they need be. In the example, for clipping at one constant threshold, which is how the mechanism is used there; the norm of node 1's gradient at the optimum is |b|.",
    remark="Without clipping the mechanism can be used at a public point (beyond:two-node-gaussian-at-public-point), with no more noise than the relative mechanism (beyond:two-node-gaussian-no-more-noise).",
)

_sensitivity = named(r"\Delta_1(\theta)", 2 * (_high - _low) * _t)

_public_variance = named(r"\sigma^2", spelled(prescribed).subs(r_abs, spelled(_sensitivity)))
_public_divergence = named(r"D_\alpha(P\|Q)", spelled(gaussian_divergence).subs(noise, spelled(_public_variance)))
_GRADIENTS = Hypothesis("distance of the gradients", eq(distance**2, _difference2))

_GRADIENT_PAIR = Outputs((distance,), (Integer(0),), d, variances=(_public_variance, _public_variance))
_GRADIENT_POINTS = tuple(
    {alpha: order, level: Rational(1, 2), _low: Integer(1), _high: Integer(2), _first: first, _second: Integer(1), _t: Rational(1, 2), distance: first - 1,
     d: Integer(n)}
    for order, first, n in ((Rational(3, 2), Integer(2), 3), (Integer(4), Rational(3, 2), 1))
)  # fmt: skip

at_public_point = page.remark(
    "beyond:two-node-gaussian-at-public-point",
    "The Gaussian mechanism at a public point, without clipping",
    le(_public_divergence, level),
    r"With the variance $\frac{\alpha\,(2(\alpha_{\max}-\alpha_{\min})|\theta_t|)^2}{2\varepsilon}$ per coordinate, which no record enters, releasing the gradient of node 1 is $(\alpha,\varepsilon)$-Rényi differentially private; nothing is clipped and nothing is biased.",
    outputs=by_outputs(_public_divergence, Renyi(alpha), _GRADIENT_PAIR, _GRADIENT_POINTS, _GRADIENT_POINTS[:1]),
    given=(*_RANGE, Hypothesis("theta is not 0", gt(_t, 0)), Hypothesis("an interval", lt(_low, _high)), _GRADIENTS),
    points={**_IN_RANGE, d: (0, 30), distance: 2 * Max(_first - _second, _second - _first) * _high * _t},
    wrong={
        "without the factor 2 of the gradient": left(4 * _public_divergence),
        "half of the variance": left(2 * _public_divergence),
        "the record anywhere": without("s' in its interval"),
    },
    steps=Step(
        "The Gaussian mechanism for a query of absolute sensitivity.",
        Premise("rgm:gaussian-guarantee", {r_abs: _sensitivity}),
    ),
    reading="At theta = 0 the gradient is 0 for every record and is released without noise. The order is written alpha, the record s.",
)

_relative_level = named(r"\gamma", alpha * _ratio**2 / (2 * level))

no_more_noise = page.inequality(
    "beyond:two-node-gaussian-no-more-noise",
    "It needs no more noise than the relative mechanism",
    le(_public_variance, _relative_level * _norm2),
    r"$\gamma$ is less than what Theorem 1 asks for.",
    given=_RANGE[0],
    points={**{s: e for s, e in _IN_RANGE.items() if s != _second}},
    wrong={
        "strictly less": lt(_public_variance, _relative_level * _norm2),
        "half": alpha * _ratio**2 / (4 * level) * _norm2,
        "the record anywhere": without(),
    },
    reading="Equal exactly where the record is the smallest one. Relative noise has to hide its own level; this one is public.",
    tightness=Tightness(
        looseness.x**2,
        {looseness.x: (1, 10)},
        r"the variance of relative noise over that of the Gaussian mechanism, for a record of $x$ times the smallest one",
    ),
)
