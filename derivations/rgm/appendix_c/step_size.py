r"""Appendix C: the step size of the two nodes, and what a step of theirs does.

$\tau = \frac1{2\Lambda}$, with $\Lambda$ the larger of the two largest eigenvalues, is at most $\frac1{L+\gamma}$ only for $\gamma \le 2\Lambda - L$, which no choice of data ensures; it is at most
$\frac1{(1+\gamma d)L}$ wherever $\gamma d \le 1$. Each node scales its noise by its own gradient, which does not vanish at the common minimiser: the noise floor has a term in
$\zeta^2 = |\nabla f_1(\theta_\star)|^2$ that Theorem 2 does not know.
"""

from ... import looseness
from ..descent_notation import *
from ..notation import NOTATION, d, gamma, sigma2
from ..section_6 import two_nodes_worlds as worlds

page = Page("beyond", "App. C", DESCENT_NOTATION, NOTATION)
_largest = page.positive("Lambda", "the larger of the largest eigenvalues of the two covariances")

_RAYLEIGH = Hypothesis(
    "smoothness of the mean", le(L, _largest), "the mean of two matrices has no larger eigenvalue than both"
)
_step = 1 / (2 * _largest)

printed_step = page.at("after v1 (71), after v2 (79)", "T2.15", source="rgm-v1+v2").remark(
    "rgm:two-node-step-size",
    "The step size of the two nodes, by the condition of Theorem 2 as printed",
    le(_step, 1 / (L + gamma)),
    given=_RAYLEIGH,
    reading=r"$L$ is the largest eigenvalue of the mean of the two covariances. (The words \"half the maximum\" are read as the formula has them: half of the inverse.)",
    points={_largest: Rational(1, 10), L: Rational(1, 10), gamma: Rational(1, 5)},
    mistake=("missing hypothesis", "beyond:two-node-step-size"),
    remark="For data of small size, all eigenvalues being small, the printed condition asks for a step below 1/gamma. Records of norm 1 that are spread over ten dimensions have eigenvalues of 1/10. On the paper's own data the condition is met (`experiment:step-size-complies`), for which nothing is assumed in the text.",
)

exactly = page.at("after v1 (71), after v2 (79)").remark(
    "beyond:two-node-step-size-printed",
    "When the step size of the two nodes meets the printed condition",
    Iff(le(_step, 1 / (L + gamma)), le(gamma, 2 * _largest - L)),
    r"A $\gamma$ of at most $\Lambda$ is enough.",
    given=_RAYLEIGH,
    wrong={
        "only up to Lambda": Iff(le(_step, 1 / (L + gamma)), le(gamma, _largest)),
        "always": ge(1 / (L + gamma), _step),
    },
)

corrected = page.at("after v1 (71), after v2 (79)").correction(
    "beyond:two-node-step-size",
    "The step size of the two nodes, by the corrected condition",
    le(_step, 1 / ((1 + gamma * d) * L)),
    "In any unit of the data.",
    given=(_RAYLEIGH, Hypothesis("gamma d at most 1", le(gamma * d, 1))),
    wrong={
        "gamma at most 1": instead(Hypothesis("gamma d at most 1", le(gamma, 1))),
        "the whole inverse": left(2 * _step),
    },
    tightness=Tightness(
        2 * looseness.x / (1 + looseness.z),
        {looseness.x: (1, 2), looseness.z: (0, 1)},
        r"the step that is allowed over the step that is taken, for $x = \Lambda/L$ and $z = \gamma d$",
    ),
)

_h = page.nonnegative("H", "sum over the nodes of |grad f_i(theta) - grad f_i(theta_*)|^2")
_nodes = page.nonnegative("N", "sum over the nodes of |grad f_i(theta)|^2")
_spread = page.nonnegative("zeta^2", "|grad f_1(theta_*)|^2, which is |grad f_2(theta_*)|^2")

_next = named(
    r"E\|\theta_{t+1}-\theta_\star\|^2",
    r - 2 * tau * inner + tau**2 * G + tau**2 * d / 4 * (gamma * _nodes + 2 * sigma2),
)
_floor = tau**2 * d * (gamma * _spread + sigma2 / 2)
_GIVEN = (
    Hypothesis("smoothness of both", le(_h, 4 * L * B), "the gradient bound at each node, L for the larger"),
    Hypothesis(
        "the mean of the gradients",
        le(2 * G, _h),
        "the square is convex, and the gradients at the minimiser add up to 0",
    ),
    Hypothesis("triangle inequality", le(_nodes, 2 * _h + 4 * _spread), "squared, at each node"),
)

two_nodes = page.at("after v1 (71), after v2 (79)").theorem(
    "beyond:two-node-step",
    "A step of the two nodes with relative noise",
    le(_next, (1 - tau * mu) * r + _floor),
    r"The smoothness $L$ is that of both nodes; the noise floor is the last term over $\tau\mu$.",
    given=(*_GIVEN, STRONGLY_CONVEX, STEP_WITH_DIMENSION),
    by=(
        combination(
            (tau, 2 * F - mu * r),
            (tau**2 * d * gamma / 4, 2 * _h + 4 * _spread - _nodes),
            (tau**2 / 2, _h - 2 * G),
            (tau**2 / 2, 1 + gamma * d, 4 * L * B - _h),
            (2 * tau * L, B, 1 + gamma * d, 1 / ((1 + gamma * d) * L) - tau),
        ),
        Smt(),
        worlds.TWO_NODES.mapped(worlds.of_two_nodes, r, F, B, G, _h, _nodes, _spread, mu, L, gamma, sigma2, d, tau),
    ),
    wrong={
        "no difference between the nodes": (1 - tau * mu) * r + tau**2 * d * sigma2 / 2,
        "without the dimension": (1 - tau * mu) * r + _floor / d,
        "no step size": without(STEP_WITH_DIMENSION),
    },
    steps=(
        Step("The gradient bound.", "beyond:gradient-difference-by-bregman"),
        Step("Strong convexity.", "rgm:b1-strong-convexity"),
    ),
    reading="The noises of the nodes are independent; sigma^2 is the mean of their two baseline variances, and gamma the larger of their levels.",
)

at_minimiser = page.at("after v1 (71), after v2 (79)").identity(
    "beyond:two-node-noise-at-minimiser",
    "At the common minimiser the nodes still scale their noise",
    eq(_next.subs({r: 0, F: 0, B: 0, G: 0, _nodes: 2 * _spread}), tau**2 * d * (gamma * _spread / 2 + sigma2 / 2)),
    r"The term in $\zeta^2$ is there, at half the size of the bound.",
    by=(Identity(), Smt()),
    wrong={"baseline noise only": tau**2 * d * sigma2 / 2, "the size of the bound": _floor},
)
