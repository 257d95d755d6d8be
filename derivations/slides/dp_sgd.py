r"""Section 2: the privacy theorem of DP-SGD, and every step of its sketch of proof.

The chain is: the Gaussian mechanism on a batch, amplification by drawing the batch, advanced composition. Its first link
is short by a factor $2m$ inside of a logarithm, and needs a level of at most 1 per batch; its second link needs such a
level too. Without it the theorem is false: for one step with batches of one record the noise is next to nothing, and the
replaced record is published with probability $1/n$. With both put right it is proved.
"""

from ..rgm.section_4.conversion import X
from .gaussian_mechanism import _phi
from .learning import _l, _m, page as _learning
from .notation import *
from .releases import of_a_drawn_record, of_one_drawn_step, of_one_private_step

page = Page("slides", "§2, DP guarantees for DP-SGD", NOTATION, _learning)
_part = real("u", lower=0, upper=1).symbol
_SKETCH = "Sketch of proof"

# Below delta = 1.21, where ln(2/delta) is a half, every delta is included.
_two = page.real("ell_2", "ln(2/delta)", lower=Rational(1, 2), latex=r"\ln(2/\delta)")
_AT_MOST_1 = Hypothesis("epsilon at most 1", le(epsilon, 1), "Theorem (DP guarantees for DP-SGD)")
_DEFINED = Hypothesis("the noise is positive", lt(4 * delta * n, 5 * T), "for the noise to have a value")
_BATCH = Hypothesis("batches are sets of records", le(_m, n), "Algorithm: Differentially Private SGD")

# One step, one record a batch, losses with the gradients l and -l: the model moves by the gradient and the noise.
_x = named(r"\frac l\sigma", n * epsilon / (16 * sqrt(log(2 / delta) * log(5 / (4 * delta * n)))))
_under_neighbour = named(r"\Pr[\theta^{(1)} > 0]", (1 - 1 / n) * _phi(-_x) + _phi(_x) / n)

#: The first is one where the theorem fails; at the second one few releases tell both probabilities.
_STEPS = (
    {n: Integer(10**4), epsilon: Integer(1), delta: Rational(1, 10**5)},
    {n: Integer(100), epsilon: Integer(1), delta: Rational(1, 400)},
)

theorem = page.at("Theorem", "S24").theorem(
    "slides:dp-sgd-private",
    "The guarantee of DP-SGD",
    le(_under_neighbour, exp(epsilon) * _phi(-_x) + delta),
    r"One step of size 1 from 0 with batches of one record, on linear losses: on $D$ every gradient is $l$, on the neighbour one is $-l$. The probability on the left is under the neighbour, that on the right under $D$.",
    outputs=of_one_drawn_step(_under_neighbour, _phi(-_x), _x, n, _STEPS, _STEPS[1:]),
    printed=r"\Pr[\theta^{(T)} \in S] \le e^\epsilon\Pr{}'[\theta^{(T)} \in S] + \delta",
    given=(_AT_MOST_1, Hypothesis("the noise is positive", lt(4 * delta * n, 5))),
    points={n: (1, 10**4), epsilon: (0, 1), _part: (0, 1), delta: _part / (4 * n)},
    category="missing hypothesis",
    corrected="slides:dp-sgd-private-corrected",
    reading="The printed statement has every number of steps, every size of batches and every loss with the stated Lipschitz constant; this is a case of it.",
    remark=r"With $n = 10^4$, $\epsilon = 1$ and $\delta = 10^{-5}$ the noise is below a hundredth of the gradient: whoever sees the model knows whether the replaced record was drawn, which happens with the probability $10^{-4}$.",
)  # fmt: skip

_level_of_step = epsilon / (2 * sqrt(2 * T * _two))

_step = page.positive("h", "length of a step along the gradient")
_norm = page.nonnegative("g", "norm of the gradient", latex=r"\|\nabla L\|")
_tol = page.positive("tau", "any tolerance", latex=r"\tau")
_rest = page.real("rho", "remainder of the first-order expansion, over the step", latex=r"\rho")
_LIPSCHITZ = Hypothesis(
    "the loss is Lipschitz", le(_norm * _step + _rest * _step, _l * _step), "Theorem (DP guarantees for DP-SGD)"
)
_SMALL = Hypothesis("the remainder is small for short steps", ge(_rest, -_tol), "the loss is differentiable")

gradient = page.at(_SKETCH, "S26a").inequality(
    "slides:gradient-of-a-lipschitz-loss",
    "The gradient of a Lipschitz loss",
    le(_norm, _l + _tol),
    r"The loss rises by $(\|\nabla L\| + \rho)h$ along a step of length $h$ in the direction of its gradient. The tolerance is arbitrary.",
    printed=r"\|\nabla L(\theta; x, y)\|_2 \le l",
    given=(_LIPSCHITZ, _SMALL),
    points={_norm: (0, 3), _l: (0, 3), _step: (0, 1), _rest: (-1, 1), _tol: (0, 1)},
    wrong={"half of l": _l / 2 + _tol, "not Lipschitz": without(_LIPSCHITZ), "not differentiable": without(_SMALL)},
    reading="At points where the loss is differentiable, with steps that stay in its domain.",
)

_ga = page.nonnegative("g_a", "norm of the gradient of the replaced record")
_gb = page.nonnegative("g_b", "norm of that of the record in its place")
_between = page.nonnegative("s", "distance of the two gradients")
_BOUNDS = Hypothesis("bounded gradients", both(le(_ga, _l), le(_gb, _l)), by=("slides:gradient-of-a-lipschitz-loss",))

batch = page.at(_SKETCH, "S26b").identity(
    "slides:sensitivity-of-a-batch",
    "The sensitivity of the gradient of a batch",
    le(_between / _m, 2 * _l / _m),
    "A batch that holds the replaced record has one other gradient among $m$; the others stay.",
    given=(Hypothesis("triangle inequality", le(_between, _ga + _gb)), _BOUNDS),
    wrong={"l / m": _l / _m, "without the batch": 2 * _l / _m**2, "unbounded gradients": without(_BOUNDS)},
    reading="A batch is fixed here and holds a record once.",
)
attained = page.at(_SKETCH, "S26b").identity(
    "slides:sensitivity-of-a-batch-attained",
    "The sensitivity of a batch is attained",
    both(eq(_between / _m, 2 * _l / _m), le(_between, _ga + _gb), le(_ga, _l), le(_gb, _l), gt(_l, 0)),
    "Two opposite gradients of norm $l$.",
    exists=True,
    by=(Search(), Smt()),
    wrong={"three": both(eq(_between / _m, 3 * _l / _m), le(_between, _ga + _gb), le(_ga, _l), le(_gb, _l), gt(_l, 0))},
)

_eps_batch = n * epsilon / (4 * _m * sqrt(2 * T * log(2 / delta)))
_mu_batch = n * epsilon / (8 * _m * sqrt(T * log(2 / delta) * log(5 * T / (4 * delta * n))))

_batch_curve = named(
    r"H_{\epsilon'}",
    _phi(_mu_batch / 2 - _eps_batch / _mu_batch) - exp(_eps_batch) * _phi(-_mu_batch / 2 - _eps_batch / _mu_batch),
)
#: The first is one where the step fails.
_BATCHES = tuple(
    {_m: Integer(100), n: Integer(100), T: Integer(1), epsilon: Integer(1), delta: Rational(x)}
    for x in ("3/250", "1/1000")
)

calibrated = page.at(_SKETCH, "S27").inequality(
    "slides:noisy-gradient-private",
    "The guarantee of a noisy gradient",
    le(
        _batch_curve,
        named(r"\delta'", delta * n / (2 * _m * T)),
    ),
    r"On the left is the hockey-stick divergence of two gradients at the distance $2l/m$, with the printed noise, at the level $\epsilon' = \frac{n\epsilon}{4m\sqrt{2T\ln(2/\delta)}}$.",
    outputs=by_outputs(_batch_curve, HockeyStick(_eps_batch), Outputs((_mu_batch,), (Integer(0),), 1, variances=(Integer(1), Integer(1))), _BATCHES, _BATCHES[:1]),
    given=(_AT_MOST_1, _BATCH, _DEFINED),
    points={_m: (1, 100), n: (1, 1000), T: (1, 100), epsilon: (0, 1), delta: (0, 1)},
    category="wrong constant",
    corrected="slides:noisy-gradient-private-corrected",
    remark=r"The calibration puts $\ln(1.25/\delta') = \ln(2.5\,mT/\delta n)$ under the root; printed is $\ln(1.25\,T/\delta n)$. With $n = 10^5$, $m = 10^4$, $T = 100$, $\epsilon = 1$ and $\delta = 10^{-6}$ what is claimed of $\delta'$ is a fifth of what holds.",
)  # fmt: skip

_three = page.positive("ell_3", "ln(2.5 m T/(delta n))", latex=r"\ln\tfrac{2.5\,mT}{\delta n}")
_noise = named(r"\sigma", 16 * _l * sqrt(T * _two * _three) / (n * epsilon))
_level = named(r"\epsilon'", n * epsilon / (4 * _m * sqrt(2 * T * _two)))

calibrated_corrected = page.at(_SKETCH).correction(
    "slides:noisy-gradient-private-corrected",
    "The noise of a gradient, with the missing factor",
    le(sqrt(2 * _three) * (_between / _m) / _level, _noise),
    r"On the left is the noise of the Gaussian mechanism for $\epsilon'$ and $\delta' = \frac{\delta n}{2mT}$, which is private for $\epsilon' \le 1$ and $\delta' < 1$; gradients differ by $s$.",
    given=Hypothesis("bounded gradients", le(_between, 2 * _l), by=("slides:sensitivity-of-a-batch",)),
    wrong={
        "half of the noise": _noise / 2,
        "without the number of steps": _noise / sqrt(T),
        "no bound on gradients": without(),
    },
    steps=("slides:gaussian-mechanism-private-corrected", "slides:sensitivity-of-a-batch"),
)

# Amplification: p_1 and q_1 are densities for batches with the record, r for those without it.
_r, _p1, _q1 = (
    page.nonnegative(name, meaning)
    for name, meaning in (
        ("r_0", "density for a batch without the record"),
        ("p_1", "density for a batch with it, under D"),
        ("q_1", "the same under D'"),
    )
)
_share = page.real(
    "gamma_0", "share of the batches that hold the record, m/n", lower=0, lower_open=True, upper=1, latex=r"\gamma"
)
_new = named(r"e^{\epsilon''}", 1 + _share * (E - 1))
_mix = named(r"\beta", (1 + _share * (E - 1)) / E)

subsampling = ours(page, _SKETCH).lemma(
    "beyond:amplification-by-subsampling",
    "Amplification by drawing the batch",
    le(
        (1 - _share) * _r + _share * _p1 - _new * ((1 - _share) * _r + _share * _q1),
        _share * (_mix * excess(_p1, _q1) + (1 - _mix) * excess(_p1, _r)),
    ),
    r"On the left are the densities of the two outputs. Integrated over a set, the right side is at most $\gamma\delta'$: a batch with the record has a neighbour with the other record, and one without the record.",
    outputs=of_a_drawn_record(E, _share, (_r, _p1, _q1)),
    wrong={
        "the square of the share": _share**2 * (_mix * excess(_p1, _q1) + (1 - _mix) * excess(_p1, _r)),
        "without the batches that lack the record": _share * _mix * excess(_p1, _q1),
        "gamma e^epsilon": le(
            (1 - _share) * _r + _share * _p1 - (1 + _share * (E - 1) / 2) * ((1 - _share) * _r + _share * _q1),
            _share * (_mix * excess(_p1, _q1) + (1 - _mix) * excess(_p1, _r)),
        ),
    },
    steps=(integrated(),),
    reading="Batches without replacement, neighbours by replacement. A batch with the record and one that has another record in its place are neighbours, and are drawn equally often.",
    remark="So the amplified guarantee is $(\\ln(1 + \\gamma(e^{\\epsilon'} - 1)), \\gamma\\delta')$.",
)  # fmt: skip

_amp = named(r"\epsilon'", n * epsilon / (4 * sqrt(2 * T * log(2 / delta))))

amplified = page.at(_SKETCH, "S28").inequality(
    "slides:amplified-gradient-private",
    "The amplified guarantee of a gradient",
    le(
        exp(_amp) / (1 + exp(_amp)) / n + (1 - 1 / n) / (1 + exp(_amp)),
        exp(epsilon / (2 * sqrt(2 * T * log(2 / delta)))) / (1 + exp(_amp)) + delta / (2 * T),
    ),
    r"Batches of one record, and randomised response at the level $\epsilon'$ on it: on the left is the chance to see 1 when one record is 1, on the right stands the chance when none is.",
    given=_AT_MOST_1,
    points={n: (1, 2000), T: (1, 9), epsilon: (0, 1), _part: (0, 1), delta: _part / n},
    category="missing hypothesis",
    corrected="slides:amplified-gradient-private-corrected",
    reading="The step goes from the guarantee of a batch to that of a random batch, for any mechanism with the first guarantee.",
    remark=r"Drawing a share $\gamma$ of the records gives the level $\ln(1 + \gamma(e^{\epsilon'} - 1))$, which is at most $2\gamma\epsilon'$ for $\epsilon' \le 1$ only, or a little beyond.",
)  # fmt: skip

_e = page.positive("epsilon_b", "level for a fixed batch", upper=1, latex=r"\epsilon'")
_A, _B = real("a").symbol, real("b").symbol
_z = page.nonnegative("z", "a number")

log_lower = ours(page, _SKETCH).lemma(
    "beyond:logarithm-above-a-quotient",
    "The logarithm above a quotient",
    ge(log(1 + _z), 2 * _z / (2 + _z)),
    by=Monotone(_z, 0, order=1),
    wrong={"without the half": ge(log(1 + _z), 4 * _z / (2 + _z)), "direction": turned()},
)

chord = ours(page, _SKETCH).lemma(
    "beyond:exponential-below-a-chord",
    "The exponential below a line up to 1",
    le(exp(_e), 1 + 2 * _e),
    wrong={"slope 3/2": 1 + 3 * _e / 2, "without the 1": 2 * _e},
    steps=(
        Premise("beyond:logarithm-above-a-quotient", {_z: 2 * _e}),
        Premise("beyond:exponential-above-its-tangents", {_A: _e, _B: log(1 + 2 * _e)}),
        Premise("rgm:s4-exponential-positive", {X.symbol: _e}),
    ),
)

amplified_corrected = page.at(_SKETCH).correction(
    "slides:amplified-gradient-private-corrected",
    "The amplified guarantee, for a level of at most 1",
    le(1 + _share * (exp(_e) - 1), exp(2 * _share * _e)),
    r"On the left is $e$ to the amplified level; $2\gamma\epsilon'$ with $\gamma = m/n$ is the printed one, and $\gamma\delta'$ is $\frac\delta{2T}$.",
    wrong={"without the 2": exp(_share * _e), "three halves": exp(3 * _share * _e / 2)},
    steps=(
        Premise("beyond:exponential-below-a-chord"),
        Premise("beyond:exponential-above-its-tangents", {_A: 0, _B: 2 * _share * _e}),
        "beyond:amplification-by-subsampling",
    ),
)

_half = page.real("gamma_1", "share of the records, a half or more", lower=Rational(1, 2), upper=1, latex=r"\gamma")

amplified_half = ours(page, _SKETCH).lemma(
    "beyond:amplified-by-half",
    "The amplified guarantee, for batches of half of the records or more",
    le(log(1 + _half * _z), 2 * _half * log(1 + _z)),
    r"With $z = e^{\epsilon'} - 1$: on the left is the amplified level, and on the right the printed one, for any level $\epsilon'$. For smaller shares it is too small from some level on.",
    by=Monotone(_z, 0, order=1),
    wrong={"without the 2": _half * log(1 + _z), "direction": turned()},
    steps=("beyond:amplification-by-subsampling",),
)

composed = page.at(_SKETCH, "S29").corollary(
    "slides:dp-sgd-composition",
    "The composition of the steps",
    le(sqrt(2 * T * _two) * _level_of_step + T * _level_of_step * (exp(_level_of_step) - 1), epsilon),
    r"On the left is the level of advanced composition with $\delta'=\frac\delta2$ for $T$ steps at the level $\frac{\epsilon}{2\sqrt{2T\ln(2/\delta)}}$. The failures are $T\cdot\frac{\delta}{2T} + \frac\delta2 = \delta$.",
    given=_AT_MOST_1,
    points={T: (1, 60), epsilon: (0, 1), _two: (Rational(1, 2), 30)},
    wrong={"a third": epsilon / 3, "half of it": epsilon / 2},
    steps=(Premise("beyond:exponential-below-a-chord", {_e: _level_of_step}), "slides:advanced-composition"),
    reading=r"$\delta < 1$; for larger ones there is nothing to show. Each step draws its own batch and noise, and starts from the model before.",
)

_t, _ds = page.nonnegative("t_0", "level of the composition"), page.nonnegative("d_0", "delta of a step")
_P = page.real("P", "probability of a set of models under D", lower=0, upper=1)
_Q = page.real("Q", "the same under D'", lower=0, upper=1)

corrected = page.at("Theorem").correction(
    "slides:dp-sgd-private-corrected",
    "The guarantee of DP-SGD, with noise for batches",
    le(_P, exp(epsilon) * _Q + delta),
    r"This holds with the noise $\sigma = \frac{16l\sqrt{T\ln(2/\delta)\ln(2.5\,mT/\delta n)}}{n\epsilon}$, for $\delta < 1$, if $n\epsilon \le 4m\sqrt{2T\ln(2/\delta)}$ and $\delta n < 2mT$.",
    outputs=of_one_private_step(epsilon, delta, (T, _t, _ds), (_P, _Q)),
    given=(
        Hypothesis("advanced composition", le(_P, exp(_t) * _Q + T * _ds + delta / 2), by=("slides:advanced-composition",)),
        Hypothesis("its level", le(_t, epsilon), by=("slides:dp-sgd-composition",)),
        Hypothesis("the failures of a step", le(_ds, delta / (2 * T)), by=("slides:amplified-gradient-private-corrected",)),
    ),
    by=Deduction(
        (
            Premise("beyond:exponential-above-its-tangents", {_A: _t, _B: epsilon}),
            Premise("rgm:s4-exponential-positive", {X.symbol: _t}),
        )
    ),
    points={_P: (0, 1), _Q: (0, 1), _t: (0, 1), epsilon: (0, 2), _ds: (0, Rational(1, 4)), T: (1, 4), delta: (0, 1)},
    wrong={"half of delta": exp(epsilon) * _Q + delta / 2, "no bound on the level": without("its level"), "no bound on the failures": without("the failures of a step")},
    steps=(
        Step("A step is a Gaussian mechanism on the gradient of a batch.", "slides:dp-sgd"),
        Step("Its noise.", "slides:noisy-gradient-private-corrected"),
        Step("Drawing the batch.", "slides:amplified-gradient-private-corrected"),
        Step("Composing the steps.", "slides:dp-sgd-composition"),
    ),
)  # fmt: skip
