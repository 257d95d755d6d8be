r"""Regions of the parameters where the theorems and propositions of the slides hold, as far as their own pages leave them open.

Each theorem has a claim about its region, and a picture of it in the chapter "Where the theorems of the slides hold". Some hold
for all parameters: then the claim is the strongest statement of the kind, or says from where on a stronger one fails. Claims of
this sort that stand beside their theorem are not repeated: `beyond:advanced-minus-simple`, `beyond:amplified-by-half`,
`beyond:gaussian-mechanism-at-large-epsilon`, `slides:noise-of-dp-sgd-positive`, `slides:network-noise-corrected`.
"""

from ...rgm.notation import alpha
from ...rgm.section_1.gaussian_mechanism import distance, gaussian_divergence, noise
from ...slides.composition import _E1, _E2, _SECOND, _d1, _d2, _p1, _p2, _q1, _q2, page as _composition
from ...slides.gopa import _A, _B, _fail, _h, _m, _tau, page as _gopa
from ...slides.learning import page as _learning
from ...slides.notation import *
from ...slides.releases import of_a_coin, of_a_flip, of_gaussians, of_two_steps
from ...slides.renyi import _lambda, page as _renyi
from ...slides.utility import _HALF, _LOGS, _a, _log_n, _second, _simple, _w, p as _p, page as _utility

page = Page("slides", "§1 to §3, and the backup slide", NOTATION, _composition, _gopa, _learning, _renyi, _utility)

# ---------------------------------------------------------------------- the condition on the privacy loss, post-processing
_F = page.real("F", "e to the difference of the two levels", lower=1, lower_open=True)
_bad = page.nonnegative("p_B", "probability of a loss above the larger level, under D", upper=1)
_bad_q = page.nonnegative("q_B", "the same outputs under D'", upper=1)
_PRIVATE = Hypothesis("private at the smaller level", le(_bad, E * _bad_q + delta), "definition")
_LARGE = Hypothesis("the loss is above the larger level there", ge(_bad, E * _F * _bad_q))

loss = ours(page, "§1, condition on the privacy loss").proposition(
    "beyond:loss-bound-at-a-larger-level",
    "A private algorithm meets the condition on the loss at a larger level",
    le(_bad * (_F - 1), _F * delta),
    r"An $(\epsilon,\delta)$-private algorithm has a loss of at most $\epsilon + \ln F$, but for a probability of $\frac{F}{F-1}\delta$. So the condition holds on a region that lies inside of that of privacy, and at most this far.",
    given=(_PRIVATE, _LARGE),
    points={_F: 1 + _F, _bad: (0, 1, _bad * delta * _F / (_F - 1)), _bad_q: (0, 1, _bad_q * _bad / (E * _F))},
    wrong={
        "delta alone": le(_bad, delta),
        "the level itself": le(_bad * _F, _F * delta),
        "nothing is private": without(_PRIVATE),
        "a loss that is not large": without(_LARGE),
    },
    steps=("slides:loss-bounded-with-probability",),
    reading="For the set of outputs with a loss above the larger level.",
)  # fmt: skip

_USED_UP = tuple(
    {E: Integer(2), _F: Integer(2), _bad: 4 * rare, _bad_q: rare, delta: 2 * rare}
    for rare in (Rational(1, 8), Rational(1, 10))
)

loss_attained = ours(page, "§1, condition on the privacy loss").remark(
    "beyond:loss-bound-at-a-larger-level-attained",
    "No smaller probability will do",
    both(eq(_bad, E * _F * _bad_q), eq(_bad, E * _bad_q + delta), eq(_bad * (_F - 1), _F * delta), gt(delta, 0)),
    "Outputs with a loss of exactly the larger level use up the failure probability.",
    outputs=of_a_coin(_USED_UP, (_bad, _bad_q)),
    exists=True,
    by=(Search(), Smt()),
    wrong={"twice": both(eq(_bad, E * _F * _bad_q), eq(_bad, E * _bad_q + delta), eq(_bad * (_F - 1), 2 * _F * delta), gt(delta, 0))},
)  # fmt: skip

_flip = page.real("b_0", "chance that the map flips the bit", lower=0, upper=Rational(1, 2))
_after = named(r"e^{\epsilon'}", ((1 - _flip) * E + _flip) / ((1 - _flip) + _flip * E))
flipped = ours(page, "§1, robustness to processing").remark(
    "beyond:level-after-a-flip",
    "What post-processing takes off the level of randomised response",
    both(ge(_after, 1), le(_after, E), Iff(eq(_after, E), either(eq(E, 1), eq(_flip, 0)))),
    r"A bit that is right $e^\epsilon$ times as often as wrong is flipped with the chance $b$. The level never rises, and it stays only if nothing is flipped: post-processing holds everywhere, and no smaller level holds for all maps.",
    outputs=of_a_flip(E, _flip),
    wrong={"the chance once": ge((1 - _flip) * E, _after), "the level always falls": lt(_after, E)},
    steps=("slides:post-processing",),
)

# ------------------------------------------------------------------------------------------------------ simple composition
_SURE = Hypothesis("probabilities", both(le(_p2, 1), le(_d2, 1)))
less_delta = ours(page, "§1, Theorem (Simple composition)").theorem(
    "beyond:simple-composition-with-less-delta",
    "Simple composition, with the least failure probability",
    le(_p1 * _p2, _E1 * _E2 * _q1 * _q2 + _d2 * _p1 + (1 - _d2) * excess(_p1, _q1, _E1)),
    r"Integrated over the first output, the last two terms are at most $\delta_2 + (1-\delta_2)\delta_1 = 1 - (1-\delta_1)(1-\delta_2)$: below 1 wherever both are, while the printed sum $\delta_1 + \delta_2$ says nothing from 1 on.",
    outputs=of_two_steps((_E1, _p1, _q1), (_E2, _p2, _q2), _d2, lambda one, two: two + (1 - two) * one),
    given=(_SECOND, _SURE),
    by=Smt(),
    points={_E1: (1, 3), _E2: (1, 3), _d2: (0, 1), _p2: (0, 1), _q2: (0, 1), _p1: (0, 2), _q1: (0, 2)},
    wrong={
        "the larger of the two": _E1 * _E2 * _q1 * _q2 + Max(_d2 * _p1, excess(_p1, _q1, _E1)),
        "without the failures of the second": _E1 * _E2 * _q1 * _q2 + (1 - _d2) * excess(_p1, _q1, _E1),
        "the share of the second squared": _E1 * _E2 * _q1 * _q2 + _d2 * _p1 + (1 - _d2) ** 2 * excess(_p1, _q1, _E1),
        "no guarantee of the second": without(_SECOND),
    },
    steps=(integrated("Both sides are integrated over the first output.", "Every term is at most a multiple of a density."), "slides:two-adaptive-steps"),
    reading="As in `slides:two-adaptive-steps`: the second mechanism may depend on the first output.",
)  # fmt: skip

_level = page.real("E_0", "e to a level", lower=1, latex=r"e^{\epsilon_0}")
_a1, _a2 = (1 - _d1) / (1 + _E1), (1 - _d2) / (1 + _E2)
_both_right = excess(_a1 * _a2 * _E1 * _E2, _a1 * _a2, _level)
_one_right = excess(_a1 * _a2 * _E1, _a1 * _a2 * _E2, _level) + excess(_a1 * _a2 * _E2, _a1 * _a2 * _E1, _level)
_shown = _d1 + _d2 - _d1 * _d2
attained = ours(page, "§1, Theorem (Simple composition)").remark(
    "beyond:simple-composition-attained",
    "The region of simple composition cannot be enlarged",
    Iff(le(_shown + _both_right + _one_right, 1 - (1 - _d1) * (1 - _d2)), ge(_level, _E1 * _E2)),
    r"Two bits, shown with the probabilities $\delta_1$ and $\delta_2$ and otherwise right $e^{\epsilon_1}$ and $e^{\epsilon_2}$ times as often as wrong. On the left is the divergence at a level $\epsilon_0$: "
    r"it has reached its least value exactly from $\epsilon_1 + \epsilon_2$ on, and this value is $1 - (1-\delta_1)(1-\delta_2)$.",
    given=Hypothesis("not all is shown", both(lt(_d1, 1), lt(_d2, 1))),
    points={_E1: (1, 3), _E2: (1, 3), _d1: (0, 1), _d2: (0, 1), _level: (1, 9)},
    wrong={
        "from the larger level on": Iff(le(_shown + _both_right + _one_right, 1 - (1 - _d1) * (1 - _d2)), ge(_level, Max(_E1, _E2))),
        "one delta": Iff(le(_shown + _both_right + _one_right, _d1), ge(_level, _E1 * _E2)),
        "all may be shown": without(),
    },
    steps=("beyond:simple-composition-with-less-delta",),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------------------ DP-SGD
_batch = page.natural("m_0", "size of a batch", latex="m")
_two = page.real("ell_2", "ln(2/delta)", lower=Rational(1, 2), latex=r"\ln(2/\delta)")
batch = ours(page, "§2, Theorem (DP guarantees for DP-SGD)").remark(
    "beyond:dp-sgd-level-of-a-batch",
    "Where a batch has a level of at most 1",
    Iff(le(n * epsilon / (4 * _batch * sqrt(2 * T * _two)), 1), ge(32 * T * _batch**2 * _two, (n * epsilon) ** 2)),
    r"This is the region of the corrected theorem: from $T = \frac{n^2\epsilon^2}{32m^2\ln(2/\delta)}$ steps on, for $\delta n < 2mT$. With batches of one record it needs the order of $n^2$ steps, and with batches of a fixed share of the records a number that does not grow.",
    points={n: (1, 60), _batch: (1, 30), T: (1, 60), epsilon: (0, 1), _two: (Rational(1, 2), 20)},
    wrong={
        "8 for 32": Iff(le(n * epsilon / (4 * _batch * sqrt(2 * T * _two)), 1), ge(8 * T * _batch**2 * _two, (n * epsilon) ** 2)),
        "the batch once": Iff(le(n * epsilon / (4 * _batch * sqrt(2 * T * _two)), 1), ge(32 * T * _batch * _two, (n * epsilon) ** 2)),
    },
    steps=("slides:dp-sgd-private-corrected",),
)  # fmt: skip

_x = page.positive("x_0", "level of a step", latex=r"\epsilon_0")
_y = page.positive("y_0", "e to it, less 1", latex=r"(e^{\epsilon_0} - 1)")
_root = page.positive("r_0", "root of 2 T ln(2/delta)", latex=r"\sqrt{2T\ln(2/\delta)}")
_ROOT = Hypothesis("the root", eq(_root**2, 2 * T * _two))
_STEP = Hypothesis("the level of a step", eq(epsilon, 2 * _x * _root), "Sketch of proof")
composed = ours(page, "§2, composition of the steps").remark(
    "beyond:dp-sgd-composition-region",
    "Where advanced composition of the steps gives the stated level",
    Iff(le(_root * _x + T * _x * _y, epsilon), le(epsilon * _y, 4 * _two * _x)),
    r"On the left is the level of advanced composition for $T$ steps at the level $\epsilon_0 = \frac{\epsilon}{2\sqrt{2T\ln(2/\delta)}}$. For many steps it is enough that $\epsilon < 4\ln(2/\delta)$: the slides ask for $\epsilon \le 1$, and less will do.",
    given=(_ROOT, _STEP),
    by=Smt(),
    points={T: (1, 20), _two: (Rational(1, 2), 9), _root: sqrt(2 * T * _two), _x: (0, 2), _y: (0, 4), epsilon: 2 * _x * sqrt(2 * T * _two)},
    wrong={
        "half of it": Iff(le(_root * _x + T * _x * _y, epsilon), le(epsilon * _y, 2 * _two * _x)),
        "without the level of a step": Iff(le(_root * _x + T * _x * _y, epsilon), le(epsilon, 4 * _two)),
        "any level of a step": without(_STEP),
    },
    steps=("slides:dp-sgd-composition",),
    reading=r"$e^{\epsilon_0} - 1$ enters as a positive number; the equivalence is for any.",
)  # fmt: skip

_MANY = Hypothesis("epsilon at most the root of p", le(epsilon**2, _p))
_UTILITY = {_a: (Rational(7, 10), 20), n: (1, 10**5), _p: (1, 100), epsilon: (0, 1, epsilon * sqrt(_p))}
moment = ours(page, "§2, Theorem (Utility guarantees for DP-SGD)").lemma(
    "beyond:utility-second-moment-in-many-dimensions",
    "The second moment of a noisy gradient, for larger levels",
    le(_w * _second, _w * _simple),
    given=(_HALF, _MANY),
    points={**_UTILITY, _w: (0, 3)},
    wrong={"a fourth of it": _w * _simple / 4, "any epsilon": without(_MANY), "any delta": without(_HALF)},
    steps=(*_LOGS, Premise("beyond:utility-product-of-logarithms")),
)

_bound = 160**2 * _a * _log_n**3
utility = ours(page, "§2, Theorem (Utility guarantees for DP-SGD)").theorem(
    "beyond:utility-in-many-dimensions",
    "The utility of DP-SGD, for levels up to the root of the number of parameters",
    chain(16 * (1 + log(n)) ** 2 * _second, "<=", 16 * (1 + log(n)) ** 2 * _simple, "<=", _bound),
    r"The units are those of `slides:utility`. So the bound with the constant 160 holds for levels up to the root of the number of parameters.",
    given=(_HALF, _MANY),
    by=Deduction(
        (
            Premise("beyond:utility-second-moment-in-many-dimensions", {_w: 16 * (1 + log(n)) ** 2}),
            Premise("beyond:utility-logarithms-of-n", {_w: 1}),
        )
    ),
    points=_UTILITY,
    wrong={
        "the constant 16": le(16 * (1 + log(n)) ** 2 * _second, 16**2 * _a * _log_n**3),
        "any delta": without(_HALF),
        "any epsilon": without(_MANY),
    },
    steps=("slides:utility-proof",),
)

_SAYS = Hypothesis("the bound is below the diameter times the Lipschitz constant", lt(_p * _bound, (n * epsilon) ** 2))
something = ours(page, "§2, Theorem (Utility guarantees for DP-SGD)").remark(
    "beyond:utility-says-something",
    "Where the utility theorem says more than that the set of models is bounded",
    lt(160**2 * _p * _a**4, (n * epsilon) ** 2),
    r"Every model has an excess risk of at most $lR$. With the constant 160 the theorem says more only from $n > \frac{160\sqrt p\ln^2(1/\delta)}{\epsilon}$ records on.",
    given=_SAYS,
    by=Deduction((Premise("rgm:log-above-one-minus-inverse", {positive("r").symbol: n}),)),
    points={_a: (0, 3), n: (1, 10**7), _p: (1, 9), epsilon: (0, 1)},
    wrong={"a hundred times as many": lt(16000**2 * _p * _a**4, (n * epsilon) ** 2), "any bound": without()},
    steps=("beyond:utility-in-many-dimensions",),
)

# -------------------------------------------------------------------------------------------------------------------- GOPA
_enough = log(2 * _h / _fail)
selections = ours(page, "§3, Theorem (Privacy of GOPA)").lemma(
    "beyond:gopa-enough-selections",
    "Enough selections for a connected graph",
    le(2 * _h * exp(-_m * _tau), _fail),
    r"This is the hypothesis of `beyond:gopa-connected`, in the number of selections.",
    given=Hypothesis("the number of selections", ge(_m * _tau, _enough)),
    by=Deduction((Premise("beyond:exponential-above-its-tangents", {_A: -_m * _tau, _B: -_enough}), Premise("rgm:s4-exponential-positive", {real("x").symbol: -_m * _tau}))),
    points={_m: (1, 200), _tau: (0, 1), _h: (1, 50), _fail: (0, 1)},
    wrong={"half of delta'": _fail / 2, "few selections": without()},
)  # fmt: skip

_chosen = page.natural("i", "selections so far", lower=0)
_corrupt = page.natural("n_C", "number of corrupted parties")
_AMONG = Hypothesis("selections are distinct", both(le(_chosen, _m), lt(_m, _corrupt)))
_OTHERS = Hypothesis("the corrupted parties are among the others", le(_corrupt, K - 1))
isolation = ours(page, "§3, Theorem (Privacy of GOPA)").lemma(
    "beyond:gopa-isolation-chance",
    "The chance that a party selects corrupted parties alone",
    ge((_corrupt - _chosen) / (K - 1 - _chosen), (_corrupt - _m) / (K - 1 - _m)),
    r"On the left is the chance of the next selection, so that the party is isolated among honest ones with a probability of at least $\bigl(\frac{n_C - m}{K-1-m}\bigr)^m\bigl(1 - \frac m{K-1}\bigr)^{n_H-1}$, as the others select independently. "
    r"The theorem fails where this exceeds $3\delta'$ over the divergence that a message with its own noise has.",
    given=(_AMONG, _OTHERS),
    points={K: (6, 60), _corrupt: (2, 50), _m: (1, 40), _chosen: (0, 40)},
    wrong={
        "the share of corrupted parties": ge((_corrupt - _chosen) / (K - 1 - _chosen), _corrupt / (K - 1)),
        "more corrupted parties than others": without(_OTHERS),
    },
    steps=("beyond:gopa-isolated-party",),
)  # fmt: skip

# ------------------------------------------------------------------------------------------------- Rényi differential privacy
_excess = _lambda / (alpha - 1)
_added = page.positive("t_0", "what the conversion may add to the level", latex="t")
orders = ours(page, "backup slide, Proposition (From RDP to DP)").remark(
    "beyond:order-for-the-conversion",
    "The orders at which the conversion adds little",
    Iff(le(_excess, _added), ge(alpha, 1 + _lambda / _added)),
    r"The printed conversion holds for every order above 1 and every $\delta < 1$. What it adds to the level is at most $t$ from this order on, and `beyond:improved-conversion` adds less at every order.",
    points={alpha: (1, 60), _lambda: (0, 20), _added: (0, 3)},
    wrong={
        "an order less": Iff(le(_excess, _added), ge(alpha, _lambda / _added)),
        "twice": Iff(le(_excess, _added), ge(alpha, 1 + 2 * _lambda / _added)),
    },
    steps=("slides:renyi-to-privacy", "beyond:improved-conversion-never-worse"),
)

_printed = alpha * distance / (2 * noise)
gaussian = ours(page, "backup slide, Proposition (Gaussian mechanism in RDP)").remark(
    "beyond:printed-gaussian-level-region",
    "Where the printed level of the Gaussian mechanism is enough",
    Iff(le(gaussian_divergence, _printed), le(distance, 1)),
    "For every order and every noise: exactly for sensitivities up to 1.",
    outputs=of_gaussians(gaussian_divergence, 2, Rational(1, 2)),
    by=Deduction((Premise("rgm:gaussian-mechanism"),)),
    wrong={
        "up to 2": Iff(le(gaussian_divergence, _printed), le(distance, 2)),
        "up to a half": Iff(le(gaussian_divergence, _printed), le(2 * distance, 1)),
    },
    steps=("slides:gaussian-mechanism-renyi-corrected",),
)

_rare = page.positive("w_0", "logarithm of one over the probability of an output under D", latex=r"\ln\tfrac1t")
_under = page.real("R_0", "logarithm of its probability under D'", latex=r"\ln r")
_e = page.nonnegative("e_0", "level that this output has at the order alpha", latex=r"\epsilon_\alpha")
_beta = page.real("beta", "another order", lower=1, lower_open=True)
_AT_ALPHA = Hypothesis(
    "its share of the moment at the order alpha", eq((1 - alpha) * _under - alpha * _rare, (alpha - 1) * _e)
)
orders_add = ours(page, "backup slide, Proposition (Composition under RDP)").remark(
    "beyond:renyi-composition-order",
    "Levels add up at one order, and say nothing of larger ones",
    eq((1 - _beta) * _under - _beta * _rare, (_beta - 1) * _e + (_beta - alpha) / (alpha - 1) * _rare),
    r"An output has the probability $t$ under $D$ and $r$ under $D'$, with $t^\alpha r^{1-\alpha} = e^{(\alpha-1)\epsilon_\alpha}$. On the left is the logarithm of its share of the moment at the order $\beta$: as $t$ falls it "
    r"grows beyond all bounds for $\beta > \alpha$, with $\epsilon_\alpha$ kept. So of levels at two orders the sum is a level at the smaller one, as divergences grow with the order, and at no larger order.",
    given=_AT_ALPHA,
    by=Smt(),
    points={alpha: (1, 9), _beta: (1, 9), _rare: (0, 20), _e: (0, 3), _under: -_e - alpha * _rare / (alpha - 1)},
    wrong={
        "the level alone": (_beta - 1) * _e,
        "the difference of the orders": (_beta - 1) * _e + (_beta - alpha) * _rare,
        "any output": without(),
    },
    steps=("slides:renyi-composition",),
)  # fmt: skip
