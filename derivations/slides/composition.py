r"""Section 1: simple composition, advanced composition, adaptive choices, and the comparison with Rényi accounting.

Simple composition is one inequality between densities for a step that follows another one; it allows the second
mechanism to depend on the first output, and induction does the rest. For advanced composition two theorems are quoted:
every private mechanism is a post-processing of randomised response that fails with probability $\delta$, and
Hoeffding's inequality. The rest is elementary, and the printed term $\epsilon(e^\epsilon - 1)$ is more than twice
what is needed.
"""

from sympy import floor

from ..rgm.section_4.conversion import X
from ..theorems import HOEFFDING, INDUCTION
from .notation import *
from .releases import of_responses, of_two_steps
from .theorems import DOMINATION

_u, _w, _v = (real(name, lower=0, upper=1).symbol for name in ("u", "w", "v"))
page = Page("slides", "§1, Properties of DP: composition", NOTATION)

_p1, _q1 = page.nonnegative("p_1", "density of the first output under D"), page.nonnegative("q_1", "the same under D'")
_p2 = page.real("p_2", "probability of the set of second outputs, given the first, under D", lower=0, upper=1)
_q2 = page.real("q_2", "the same under D'", lower=0, upper=1)
_E1, _E2 = (page.real(f"E_{i}", f"e^epsilon of step {i}", lower=1, latex=rf"e^{{\epsilon_{i}}}") for i in (1, 2))
_d1, _d2 = (page.nonnegative(f"delta_{i}", f"delta of step {i}") for i in (1, 2))
_SECOND = Hypothesis(
    "the second step is private after every first output", le(_p2, _E2 * _q2 + _d2), "Theorem (Simple composition)"
)

two_steps = page.at("Theorem (Simple composition)", "S11").lemma(
    "slides:two-adaptive-steps",
    "Two steps, the second chosen after the first output",
    le(_p1 * _p2, _E1 * _E2 * _q1 * _q2 + excess(_p1, _q1, _E1) + _d2 * _p1),
    r"The first output is fixed; the set of second outputs and the second mechanism may depend on it. Integrated over it, the last two terms are at most $\delta_1 + \delta_2$.",
    outputs=of_two_steps((_E1, _p1, _q1), (_E2, _p2, _q2), _d2, lambda one, two: one + two),
    given=_SECOND,
    wrong={
        "without the excess of the first": _E1 * _E2 * _q1 * _q2 + _d2 * _p1,
        "without delta of the second": _E1 * _E2 * _q1 * _q2 + excess(_p1, _q1, _E1),
        "the larger level instead of the product": Max(_E1, _E2) * _q1 * _q2 + excess(_p1, _q1, _E1) + _d2 * _p1,
        "no guarantee of the second": without(),
    },
    steps=(integrated("Both sides are integrated over the first output.", "Every term is at most a multiple of a density."),),
    reading="The levels and deltas are fixed in advance; every mechanism draws its own coins.",
    remark="That the second level may depend on the first output as well (a filter) is not claimed.",
)  # fmt: skip

_Ek = page.real("E_k", "e to the sum of the first k levels", lower=1, latex=r"e^{\epsilon_1 + \dots + \epsilon_k}")
_En = page.real("E_n", "e to the level of the next one", lower=1, latex=r"e^{\epsilon_{k+1}}")
_dn = page.nonnegative("delta_n", "delta of the next one", latex=r"\delta_{k+1}")

simple = page.at("Theorem (Simple composition)", "S09").theorem(
    "slides:simple-composition",
    "Simple composition",
    le(_p1 * _p2, _Ek * _En * _q1 * _q2 + excess(_p1, _q1, _Ek) + _dn * _p1),
    r"This is the step from $k$ mechanisms, whose outputs together have the densities $p_1$ and $q_1$, to one more. Integrated over their outputs the last two terms are at most $(\delta_1 + \dots + \delta_k) + \delta_{k+1}$.",
    outputs=of_two_steps((_Ek, _p1, _q1), (_En, _p2, _q2), _dn, lambda one, two: one + two),
    printed=r"\epsilon = \sum_{k=1}^K \epsilon_k, \quad \delta = \sum_{k=1}^K \delta_k",
    given=Hypothesis(
        "the next one is private after every history", le(_p2, _En * _q2 + _dn), "Theorem (Simple composition)"
    ),
    by=(Deduction((Premise("slides:two-adaptive-steps", {_E1: _Ek, _E2: _En, _d2: _dn}),)), Smt()),
    wrong={
        "the larger level": Max(_Ek, _En) * _q1 * _q2 + excess(_p1, _q1, _Ek) + _dn * _p1,
        "the deltas of the first alone": _Ek * _En * _q1 * _q2 + excess(_p1, _q1, _Ek),
        "the delta of the next one alone": _Ek * _En * _q1 * _q2 + _dn * _p1,
        "no guarantee of the next one": without(),
    },
    steps=(
        Step("Two steps.", "slides:two-adaptive-steps"),
        integrated(
            "Both sides are integrated over the first outputs.", "Every term is at most a multiple of a density."
        ),
        Step(
            "Mechanisms are added one by one.",
            theorem=INDUCTION,
            met={"start": "One mechanism has its own guarantee.", "step": "This is what the formula says, integrated."},
        ),
    ),
    reading="A randomised algorithm draws its own coins: given the dataset, the outputs of several are independent.",
    remark="With coins in common the statement is false: `beyond:composition-with-common-coins`.",
)

_bit, _coin = page.real("b", "the secret bit"), page.real("c", "the common coin")
_BITS = Hypothesis("the coin is a bit", eq(_coin**2, _coin))
common_coins = ours(page, "Theorem (Simple composition)").remark(
    "beyond:composition-with-common-coins",
    "Mechanisms with a common coin do not compose",
    both(
        eq((_bit + _coin - 2 * _bit * _coin) + (_bit + (1 - _coin) - 2 * _bit * (1 - _coin)), 1),
        eq(_coin + (_bit + _coin - 2 * _bit * _coin) - 2 * _coin * (_bit + _coin - 2 * _bit * _coin), _bit),
    ),
    r"One mechanism publishes the coin, the other one the coin plus the bit, modulo 2. Each output is a fair coin, whatever the bit is: both are $(0,0)$-private. Together they give the bit away.",
    given=_BITS,
    points=Chart({_bit: (0, 1), _coin: (0, 1)}, {_coin: floor(2 * _coin - Rational(1, 10**6))}),
    wrong={
        "a biased second output": eq((_bit + _coin - 2 * _bit * _coin) + (_bit + (1 - _coin) - 2 * _bit * (1 - _coin)), 1 + _bit),
        "the sum is the coin": eq(_coin + (_bit + _coin - 2 * _bit * _coin) - 2 * _coin * (_bit + _coin - 2 * _bit * _coin), _coin),
    },
    reading=r"$x + y - 2xy$ is the sum modulo 2 of two bits. The first equation sums the second output over the two values of the coin.",
)  # fmt: skip


_P = page.real("P", "probability of a set of all outputs under D", lower=0, upper=1)
_Q = page.real("Q", "the same under D'", lower=0, upper=1)
_lambda = page.positive("lambda", "ln(1/delta')", latex=r"\ln(1/\delta')")
_slack = named(r"\delta'", exp(-_lambda))
_mean = (exp(epsilon) - 1) / (exp(epsilon) + 1)
_total = named(r"\epsilon'", sqrt(2 * K * _lambda) * epsilon + K * epsilon * (exp(epsilon) - 1))

drift = ours(page, "Theorem (Advanced composition)").lemma(
    "beyond:mean-loss-of-randomised-response",
    "The mean loss of randomised response is at most half of the printed term",
    le(2 * epsilon * _mean, epsilon * (exp(epsilon) - 1)),
    r"The loss is $\pm\epsilon$, and $+\epsilon$ has the probability $e^\epsilon/(1 + e^\epsilon)$.",
    tightness=(
        Tightness(
            exp(epsilon) + 1,
            {epsilon: (Rational(1, 100), 3)},
            "the second term of the printed level over the mean loss",
            plot=(epsilon,),
        ),
    ),
    wrong={"three times": left(3 * epsilon * _mean), "direction": turned()},
    steps=Premise("rgm:s4-exponential-tangent", {X.symbol: epsilon}),
)

_least = sqrt(2 * K * _lambda) * epsilon

room = ours(page, "Theorem (Advanced composition)").lemma(
    "beyond:room-above-the-mean-loss",
    "The printed level leaves the first term above the mean loss",
    le(_least, _total - K * epsilon * _mean),
    by=Deduction(
        (Premise("rgm:s4-exponential-tangent", {X.symbol: epsilon}), Premise("beyond:mean-loss-of-randomised-response"))
    ),
    points={_lambda: (0, 9), epsilon: (0, 3), K: (1, 30)},
    wrong={
        "twice the root": left(2 * _least),
        "the mean for the second term": le(_least, _least - K * epsilon * _mean),
    },
)

_above = page.real("t", "by how much the total loss exceeds its mean")
_A, _B = real("a").symbol, real("b").symbol
_exponent = -(_above**2) / (2 * K * epsilon**2)

tail = ours(page, "Theorem (Advanced composition)").lemma(
    "beyond:tail-of-the-composed-loss",
    "The tail at the printed level",
    le(exp(_exponent), _slack),
    given=Hypothesis("at least the first term", ge(_above, _least)),
    points={_u: (0, 2), _above: _least * (1 + _u), _lambda: (0, 9), epsilon: (0, 3), K: (1, 30)},
    wrong={"the square of delta'": exp(-2 * _lambda), "half of it": exp(-_lambda) / 2, "any excess": without()},
    steps=(
        Premise("beyond:exponential-above-its-tangents", {_A: _exponent, _B: -_lambda}),
        Premise("rgm:s4-exponential-positive", {X.symbol: _exponent}),
    ),
)

_tail = page.nonnegative("h", "probability that the total loss exceeds epsilon', where no mechanism fails")
_failing = page.nonnegative("f", "probability that one of the mechanisms fails")
_fail = page.nonnegative("delta", "delta of one mechanism", latex=r"\delta")
_rest = exp(-((_total - K * epsilon * _mean) ** 2) / (2 * K * epsilon**2))
_HOEFFDING = Hypothesis("the tail", le(_tail, _rest), "Hoeffding, in the steps")
_UNION = Hypothesis("one of the mechanisms fails", le(_failing, K * _fail), "the union of K events")
_SPLIT = Hypothesis(
    "the rest", le(_P, exp(_total) * _Q + _failing + _tail), by=("slides:loss-bounded-with-probability",)
)

advanced = page.at("Theorem (Advanced composition)", "S10 S11").theorem(
    "slides:advanced-composition",
    "Advanced composition",
    le(_P, exp(_total) * _Q + (K * _fail + _slack)),
    "For the probabilities of any set of outputs of all mechanisms.",
    outputs=of_responses(epsilon, K, _lambda, _total, _tail, (_P, _Q), (_failing, _fail)),
    given=(_HOEFFDING, _UNION, _SPLIT),
    by=Deduction(
        (
            Premise("beyond:room-above-the-mean-loss"),
            Premise("beyond:tail-of-the-composed-loss", {_above: _total - K * epsilon * _mean}),
        )
    ),
    points={(_u, _w, _v): (0, 1), _lambda: (0, 4), epsilon: (0, 1), K: (1, 9), _fail: (0, Rational(1, 20)), _failing: _u * K * _fail, _tail: _w * _rest, _Q: _v * exp(-_total) / 2, _P: _v / 2 + _u * K * _fail + _w * _rest},
    wrong={
        "without the failures": exp(_total) * _Q + _slack,
        "without the root": le(_P, exp(K * epsilon * _mean) * _Q + (K * _fail + _slack)),
        "a single delta": exp(_total) * _Q + (_fail + _slack),
        "no bound on the tail": without(_HOEFFDING),
    },
    steps=(
        Step(
            "Every mechanism is replaced by randomised response that may fail.",
            theorem=DOMINATION,
            met={"private both ways": "The guarantee is for all neighbours, in either order, and after every history."},
        ),
        Step("The failures have together at most the sum of their probabilities."),
        Step(
            "The other losses are independent, each of them plus or minus epsilon.",
            theorem=HOEFFDING,
            met={"independent": "The coins of randomised response are its own.", "bounded": r"Each loss is in $[-\epsilon, \epsilon]$, of length $2\epsilon$."},
        ),
        Step("The mean is below the second term.", "beyond:mean-loss-of-randomised-response"),
        Step("So the first term is what remains for the tail.", "beyond:room-above-the-mean-loss"),
        Step("A loss that is bounded but for a rare event is enough.", "slides:loss-bounded-with-probability"),
    ),
    reading=r"$\delta' < 1$: for larger ones the root has no value and every mechanism is private. Coins are independent, as in simple composition; the mechanisms may be chosen adaptively.",
)  # fmt: skip

minus_simple = ours(page, "Theorem (Advanced composition)").identity(
    "beyond:advanced-minus-simple",
    "Advanced composition less simple composition",
    eq(_total - K * epsilon, K * epsilon * (sqrt(2 * _lambda / K) + exp(epsilon) - 2)),
    r"So advanced composition says more exactly where $\sqrt{2\ln(1/\delta')/K} < 2 - e^\epsilon$.",
    wrong={"without the root": K * epsilon * (2 * _lambda / K + exp(epsilon) - 2), "1 for 2": K * epsilon * (sqrt(2 * _lambda / K) + exp(epsilon) - 1)},
    steps=("slides:advanced-composition", "slides:simple-composition"),
)  # fmt: skip

below_simple = ours(page, "Theorem (Advanced composition)").remark(
    "beyond:advanced-below-simple",
    "Where advanced composition says more than simple composition",
    Implies(ge(exp(epsilon), 2), gt(_total, K * epsilon)),
    r"On the right of the second inequality is the level of simple composition. Below $\ln 2$ the level of advanced composition is the smaller one from some number of steps on.",
    points={epsilon: (0, 2), K: (1, 40), _lambda: (0, 20)},
    wrong={"half of it": Implies(ge(exp(epsilon), 2), gt(_total, 2 * K * epsilon)), "from a half on": Implies(ge(epsilon, Rational(1, 2)), gt(_total, K * epsilon))},
    steps=("beyond:advanced-minus-simple",),
)  # fmt: skip

_c = page.real("c", "the factor of the printed calibration", lower=1, latex=r"\sqrt{2\ln(1.25/\delta)}")
_cost = named(r"\frac{\Delta^2}{2\sigma^2}", epsilon**2 / (2 * _c**2))
_by_renyi = K * _cost + 2 * sqrt(K * _cost * _lambda)

tighter = page.at("last bullets; backup slide on RDP, last bullet", "S12a S12b").remark(
    "slides:renyi-against-advanced-composition",
    "Rényi accounting of the Gaussian mechanism against advanced composition",
    le(_by_renyi, _total / _c),
    r"On the left is the level that $K$ Gaussian mechanisms have by Rényi accounting at the best order, for the failure probability $\delta'$ alone; on the right what advanced composition says of them, "
    r"divided by the factor of the calibration. For $\delta = 10^{-6}$ the gain is at least five-fold, whatever $K$ and $\epsilon$ are.",
    by=Deduction((Premise("rgm:s4-exponential-tangent", {X.symbol: epsilon}),)),
    points={_c: (1, 6), epsilon: (0, 2), K: (1, 40), _lambda: (0, 20)},
    wrong={"twice the factor": _total / (2 * _c), "the square of the factor": _total / _c**2, "without the root": left(_total)},
    steps=(
        Step("The divergences of the mechanisms add up.", "slides:renyi-composition"),
        Step("The order is optimised.", "slides:best-order"),
    ),
    reading=r"Each mechanism is calibrated to $(\epsilon,\delta)$ as printed, with $\delta \le \frac34$, so that the factor is at least 1. Much better is read as better, by a factor that is stated; in practice, as for Gaussian noise.",
    remark=r"It is no law for all mechanisms: one that shows a record with probability $\delta$ has infinite divergences, and Rényi accounting says nothing of it.",
)  # fmt: skip
