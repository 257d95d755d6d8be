r"""Section 2: privacy, the Gaussian mechanism, gradients and clipping, as the paper sets them up.

The variance of the Gaussian mechanism has lost the square of its sensitivity, and the largest norm is defined by a mean, which is
below the largest value. The rest are definitions, of which it is asked what they come to.
"""

from sympy import cos, sin

from ..slides import notation as slides
from ..slides.notation import E, excess, p, q
from ..slides.releases import PAIR, of_every_set
from .notation import *

page = Page("geodp", "§2", slides.NOTATION, NOTATION)
_COMES_TO = "Of a definition it is asked what it comes to."

_inside = page.real("a", "1 in the set and 0 outside, or the chance to be in it", lower=0, upper=1)

privacy = page.elsewhere("§2.1, Definition 1, (1)", "G04").definition(
    "geodp:privacy",
    "The definition of privacy, without its sets",
    le(_inside * (p - E * q), excess(p, q)),
    r"Integrated, the right side is the excess of the worst set $S$: a pair meets the definition for all sets if that integral is at most $\delta$.",
    outputs=of_every_set(E, _inside, p, q),
    printed=r"\Pr[\mathcal M(D)\in S] \le e^\epsilon\Pr[\mathcal M(D')\in S] + \delta",
    wrong={"half": excess(p, q) / 2, "the neighbours exchanged": excess(q, p)},
    steps="slides:privacy",
    reading=_COMES_TO
    + " Differing on a single element is read as: one record is added, removed or replaced. Each claim says which.",
)

_in_set, _in_set_there = (
    page.real("P", "probability of a set under D", lower=0, upper=1),
    page.real("Q", "probability of the set under D'", lower=0, upper=1),
)
_looser = page.real("E'", "e to a larger level", lower=1)
stricter = page.elsewhere("§2.1", "NG07").remark(
    "geodp:lower-epsilon-is-stricter",
    "A lower epsilon is a stricter guarantee",
    le(_in_set, _looser * _in_set_there + slides.delta),
    "What is private at a level is private at every larger one, with the same delta.",
    given=(
        Hypothesis("private at the lower level", le(_in_set, E * _in_set_there + slides.delta), "Definition 1"),
        Hypothesis("a larger level", le(E, _looser)),
    ),
    by=Smt(),
    outputs="a comparison of two bounds on one probability, for any mechanism: no law is in it",
    points={_looser: (0, 1, E + _looser), slides.delta: (0, 1), _in_set: (0, 1), _in_set_there: (0, 1), E: (1, 9)},
    wrong={
        "at a smaller level": without("a larger level"),
        "without delta": _looser * _in_set_there,
        "not private": without("private at the lower level"),
    },
    reading="Stricter: it asks for more. That a lower level means poorer efficiency depends on the mechanism and is not said of any here.",
)

_q_bad = page.nonnegative("q_b", "probability under the neighbour of a loss above epsilon")
_p_bad = page.real("p_b", "probability under D of a loss above epsilon", lower=0, upper=1)
_ABOVE = Hypothesis("the loss exceeds epsilon there", ge(_p_bad, E * _q_bad), "Definition 1")
_LEAST = Hypothesis("delta is the least one", eq(slides.delta, _p_bad - E * _q_bad), by=("slides:privacy",))

_CHART = {_p_bad: (0, 1), _q_bad: (0, 1, _q_bad * _p_bad / E), E: (1, 9), slides.delta: _p_bad * (1 - _q_bad)}

_LARGE_LOSS = Filled(
    ({E: Rational(3)}, {E: Rational(5, 2)}),
    {bad: Of(LossAbove(log(E), side), PAIR) for bad, side in zip((_p_bad, _q_bad), SIDES, strict=True)},
    rest={slides.delta: _p_bad - E * _q_bad},
)

failure = page.elsewhere("§2.1", "G05").remark(
    "geodp:delta-as-a-probability",
    "Delta and the probability that the guarantee is not kept",
    says="Delta determines the probability that the level epsilon is not kept.",
    informal="How delta determines it is not said. The privacy loss exceeds epsilon with a probability of at least the least delta (beyond:delta-below-the-probability-of-a-large-loss), and no function of delta is that probability.",
)

below = ours(page, "§2.1").remark(
    "beyond:delta-below-the-probability-of-a-large-loss",
    "Delta is at most the probability that the loss exceeds epsilon",
    le(slides.delta, _p_bad),
    outputs=of_cases(_LARGE_LOSS),
    given=(_ABOVE, _LEAST),
    points=_CHART,
    wrong={"half": _p_bad / 2, "any delta": without(_LEAST)},
    remark="Equality holds where the set has probability 0 under the neighbour, and only there.",
)

_others = page.nonnegative("s", "what the other records add along the change of the batch")
_mine, _theirs = (
    page.real("c_1", "the replaced gradient along the change"),
    page.real("c_2", "the gradient in its place"),
)
_CLIPPED = Hypothesis(
    "clipped gradients", both(le(_mine, C), le(-_mine, C), le(_theirs, C), le(-_theirs, C)), by=("geodp:clipped-norm",)
)
_change = named(r"\|\mathcal M(D) - \mathcal M(D')\|", (_others + _mine) / B - (_others + _theirs) / B)

sensitivity = page.elsewhere("§2.1, Definition 2, (2)", "G06").definition(
    "geodp:sensitivity",
    "The sensitivity of an average of clipped gradients",
    both(le(_change, 2 * C / B), eq(_change.subs({_mine: C, _theirs: -C}), 2 * C / B)),
    "Along the direction of the change. One record is replaced; the bound is attained by two opposite gradients.",
    given=_CLIPPED,
    points={_mine: (-3, 3), _theirs: (-3, 3), C: (0, 3), _others: (0, 9), B: (1, 20)},
    wrong={
        "C / B": both(le(_change, C / B), eq(_change.subs({_mine: C, _theirs: -C}), 2 * C / B)),
        "not attained": both(le(_change, 2 * C / B), eq(_change.subs({_mine: C, _theirs: -C}), C / B)),
        "not clipped": without(),
    },
    reading=_COMES_TO + " If a record is added or removed and $B$ stays the divisor, it is $C/B$.",
)

_Delta = page.positive("Delta", "sensitivity", latex=r"\Delta\mathcal M")
_lambda = page.positive("ell", "ln(1.25/delta)", latex=r"\ln\tfrac{1.25}\delta")
_log = named(r"\ln\tfrac{1.25}\delta", log(Rational(5, 4) / delta))
_MU = named(r"\mu", _Delta / sqrt(2 * _Delta * _log / epsilon**2))
_LEVEL = Hypothesis("epsilon at most 1", le(epsilon, 1))

_UNITS = ({epsilon: Integer(1), delta: Rational(1, 100), _Delta: Integer(9)},)

gaussian = page.elsewhere("§2.1", "G07").remark(
    "geodp:gaussian-variance",
    "The variance of the Gaussian mechanism",
    le(named(r"H_\epsilon(\mu)", hockey_stick(_MU)), delta),
    r"On the left is the exact divergence of two outputs at the distance of the sensitivity, with the printed variance $2\Delta\mathcal M\ln\frac{1.25}\delta/\epsilon^2$.",
    outputs=by_outputs(
        hockey_stick(_MU),
        HockeyStick(epsilon),
        Outputs((_MU,), (Integer(0),), 1, variances=(Integer(1), Integer(1))),
        _UNITS,
        _UNITS,
    ),
    printed=r"g^* = g + \mathrm{Gau}\bigl(0, 2\Delta\mathcal M\ln\tfrac{1.25}\delta/\epsilon^2\bigr) \text{ satisfies } (\epsilon,\delta)\text{-DP}",
    given=_LEVEL,
    points={epsilon: (0, 1), delta: (0, 1), _Delta: (0, 9)},
    category="misprint",
    corrected="slides:gaussian-mechanism-private-corrected",
    remark=r"The sensitivity has lost its square. Of data in halves of a unit the printed noise promises another guarantee than of the same data in units.",
)

_DEVIATION = Hypothesis("the deviation of the noise for sensitivity 1", eq(sigma**2, 2 * _lambda / epsilon**2), "§2.1")

multiplier = page.elsewhere("§2.1", "G08").definition(
    "geodp:noise-multiplier",
    "The noise multiplier",
    eq((_Delta * sigma) ** 2, 2 * _Delta**2 * _lambda / epsilon**2),
    r"The noise scale $\Delta\mathcal M\,\sigma$ is that of the Gaussian mechanism with the square of the sensitivity, which the variance printed before it lacks.",
    given=_DEVIATION,
    by=Smt(),
    points={_Delta: (0, 4), _lambda: (0, 9), epsilon: (0, 2), sigma: sqrt(2 * _lambda) / epsilon},
    wrong={
        "the sensitivity once": 2 * _Delta * _lambda / epsilon**2,
        "without the 2": _Delta**2 * _lambda / epsilon**2,
    },
    reading=_COMES_TO,
)

_loss, _new, _rest = (
    page.real("l_1", "loss of the replaced record"),
    page.real("l_1'", "of the other one"),
    page.real("S", "sum of the other losses"),
)

objective = page.elsewhere("§2.2", "G09a").definition(
    "geodp:objective",
    "The objective of neighbouring batches",
    eq((_rest + _loss) / B - (_rest + _new) / B, (_loss - _new) / B),
    r"This is $F(\mathbf w;S) - F(\mathbf w;S')$: a record moves the objective by a share $\frac1B$ of the difference of its losses.",
    wrong={"without B": _loss - _new, "the sum": (_loss + _new) / B},
    reading=_COMES_TO,
)

_grads, _ones = MatrixSymbol("G", d, B), MatrixSymbol("e", B, 1)
_step = MatrixSymbol("h", d, 1)
_remainders = MatrixSymbol("r", B, 1)
_MEAN = _grads * _ones / B

gradient = page.elsewhere("§2.2, (3)", "G09b").identity(
    "geodp:gradient-of-the-objective",
    "The gradient of the objective is the average of the gradients",
    eq(_ones.T * (_grads.T * _step + _remainders) / B, _MEAN.T * _step + _ones.T * _remainders / B),
    r"The columns of $G$ are the gradients of the records, $e$ is the vector of ones. On the left is the average of the changes $l(\mathbf w + h; s_j) - l(\mathbf w; s_j) = \langle\mathbf g_j, h\rangle + r_j$; its linear part is the step along the average gradient.",
    by=Matrices(),
    over=(d, B),
    wrong={
        "without B": _ones.T * _grads.T * _step + _ones.T * _remainders / B,
        "without the remainders": _MEAN.T * _step,
    },
    reading="Losses are differentiable at the point, so that each remainder is small against the step; so is their average.",
)

_n = page.natural("N", "number of records of the data set", latex=r"|D|")
_sum_in, _sum_out, _bound = (
    page.real("S_B", "sum of a coordinate over the batch"),
    page.real("S_r", "sum over the other records"),
    page.positive("M", "bound on the coordinate"),
)
_INSIDE = Hypothesis("the batch is a part of the data", le(B, _n))
_SUMS = Hypothesis(
    "bounded coordinates",
    both(
        le(_sum_in, B * _bound),
        le(-_sum_in, B * _bound),
        le(_sum_out, (_n - B) * _bound),
        le(-_sum_out, (_n - B) * _bound),
    ),
)
_gap = named(r"(\mathbf g_t - \nabla F(\mathbf w_t; D))_z", _sum_in / B - (_sum_in + _sum_out) / _n)
_far = 2 * _bound * (_n - B) / _n

variants = page.elsewhere("§2.2", "NG01").remark(
    "geodp:batch-of-all-records",
    "A batch of all records is gradient descent, a batch of one is stochastic gradient descent",
    both(le(_gap, _far), le(-_gap, _far)),
    r"In each coordinate. At $B = |D|$ the right side is 0, and the step is that of gradient descent. At $B = 1$ the average is the gradient of one record by its definition.",
    given=(_INSIDE, _SUMS),
    points={_n: (1, 30), B: (1, 30), _bound: (0, 3), _sum_in: (-9, 9), _sum_out: (-9, 9)},
    wrong={
        "half": both(le(_gap, _far / 2)),
        "without the batch": both(le(_gap, _bound * (_n - B) / _n / B)),
        "not bounded": without(_SUMS),
    },
)

_g1, _g2 = page.nonnegative("g_1", "norm of a gradient"), page.nonnegative("g_2", "norm of another one")

largest = page.elsewhere("§2.2", "G10").remark(
    "geodp:largest-norm",
    "The mean norm is the largest norm",
    both(le(_g1, (_g1 + _g2) / 2), le(_g2, (_g1 + _g2) / 2)),
    "Two records, each as likely as the other.",
    printed=r"\|\mathbf g\| \le G = \sup_{\mathbf w, S}\mathbb E[\|\mathbf g\|]",
    category="inconsistent definition",
    corrected="geodp:largest-norm-corrected",
    reading=r"$G$ is said to be the largest norm of all possible gradients. The supremum is over the weights and data sets; the mean is over the records that are drawn.",
    remark="It may also be infinite: there is no bound on the gradients of a squared loss.",
)

largest_corrected = page.elsewhere("§2.2").correction(
    "geodp:largest-norm-corrected",
    "The largest norm is the supremum of norms, not of their mean",
    both(le(_g1, Max(_g1, _g2)), le(_g2, Max(_g1, _g2)), le((_g1 + _g2) / 2, Max(_g1, _g2))),
    wrong={"the mean": both(le(_g1, (_g1 + _g2) / 2)), "the smaller one": both(le(_g1, Min(_g1, _g2)))},
)

_norm = page.nonnegative("r", "norm of a gradient", latex=r"\|\mathbf g\|")
clipped_norm = named(r"\|\tilde{\mathbf g}\|", _norm / Max(1, _norm / C))

clipping = page.elsewhere("§2.2, (4)", "G12a").definition(
    "geodp:clipping",
    "The norm of a clipped gradient",
    eq(clipped_norm, Min(_norm, C)),
    "A gradient is multiplied by one positive number, so that its direction stays.",
    wrong={"the larger one": Max(_norm, C), "the threshold": C, "half of it": Min(_norm, C) / 2},
    reading=_COMES_TO,
)

bounded = page.elsewhere("§4.3", "G12b").inequality(
    "geodp:clipped-norm",
    "A clipped gradient is at most the threshold",
    le(clipped_norm, C),
    wrong={"half of it": C / 2, "strictly": lt(clipped_norm, C)},
)

_auto = named(r"\|\tilde{\mathbf g}\|", _norm / (_norm + Rational(1, 100)))

autos = page.elsewhere("§2.2", "G13").definition(
    "geodp:auto-s",
    "The norm of a gradient after AUTO-S",
    both(lt(_auto, 1), le(_auto, 100 * _norm)),
    "Every gradient is made shorter than 1, large ones hardly so, and small ones are made up to a hundred times longer. There is no threshold to choose.",
    wrong={"half": both(lt(_auto, Rational(1, 2))), "never longer": both(le(_auto, _norm))},
    reading=_COMES_TO,
)

_sum = MatrixSymbol("S", d, 1)
_lr_step = w - eta * (_sum + C * noise) / B

perturbed = page.elsewhere("§2.2, §2.3", "G14a").identity(
    "geodp:dp-sgd-step",
    "The perturbed gradient and the step of DP-SGD",
    eq(_lr_step, (w - eta * _sum / B) - (eta * C / B) * noise),
    r"$S$ is the sum of the clipped gradients, $C\mathbf n$ the noise: the model is that of the step without noise, and the noise times $\eta C/B$.",
    by=Matrices(),
    over=(d,),
    wrong={
        "the noise of the average": (w - eta * _sum / B) - (eta * C) * noise,
        "the other sign": (w - eta * _sum / B) + (eta * C / B) * noise,
    },
    reading=r"The noise $\mathbf n_t$ of Section 2 has the deviation $C\sigma$ per coordinate; Theorem 1 writes it as $C\mathbf n_\sigma$.",
)

_BELOW = Hypothesis("the threshold is at most the largest norm", le(C, G), "§2.2")

less_noise = page.elsewhere("§2.2", "NG02").remark(
    "geodp:clipping-reduces-noise",
    "Clipping reduces the sensitivity and the noise",
    both(le(2 * C / B, 2 * G / B), le(sigma * 2 * C / B, sigma * 2 * G / B)),
    "The sensitivity of an average of clipped gradients, and the noise at one multiplier, against those without clipping.",
    given=_BELOW,
    wrong={"half": both(le(2 * C / B, G / B)), "strictly": both(lt(2 * C / B, 2 * G / B)), "any threshold": without()},
    steps="geodp:sensitivity",
)

_efficiency = (w - optimum).T * (w - optimum)

efficiency = page.elsewhere("§2.3, Definition 3", "G15").definition(
    "geodp:model-efficiency",
    "Model efficiency",
    eq(_efficiency, w.T * w - 2 * w.T * optimum + optimum.T * optimum),
    "It is the square of the Euclidean distance, which the sentence before it calls the distance. It is a sum of squares, and 0 at the optimum alone.",
    by=Matrices(),
    over=(d,),
    wrong={
        "without the product": w.T * w + optimum.T * optimum,
        "the product once": w.T * w - w.T * optimum + optimum.T * optimum,
    },
    reading=_COMES_TO,
)

_a, _b = (
    page.real("theta_z", "an angle", latex=r"\theta_z"),
    page.real("theta_z*", "the perturbed angle", latex=r"\theta_z^*"),
)
_s2 = page.real("q_0", "squared distance of the unit vectors of the further angles", lower=0, upper=4)
_rest2 = page.nonnegative("q_1", "squared distance of the further angles")
_x = page.real("x", "a number")
_FURTHER = Hypothesis("the further angles", le(_s2, _rest2), "induction over the angles")

parabola = ours(page, "Definition 4").lemma(
    "beyond:cosine-above-a-parabola",
    "The cosine above a parabola",
    le(2 - 2 * cos(_x), _x**2),
    wrong={"half": _x**2 / 2, "direction": turned()},
)

unit_vectors = ours(page, "Definition 4").identity(
    "beyond:distance-of-unit-vectors",
    "The squared distance of two unit vectors in spherical coordinates",
    eq(
        (cos(_a) - cos(_b)) ** 2 + sin(_a) ** 2 + sin(_b) ** 2 - sin(_a) * sin(_b) * (2 - _s2),
        2 - 2 * cos(_a - _b) + sin(_a) * sin(_b) * _s2,
    ),
    r"The vectors are $(\cos\theta_z, \sin\theta_z v)$ and $(\cos\theta_z^*, \sin\theta_z^* v^*)$, with unit vectors at $|v - v^*|^2 = q_0$, so that $2\langle v, v^*\rangle = 2 - q_0$.",
    wrong={
        "the sum of the angles": 2 - 2 * cos(_a + _b) + sin(_a) * sin(_b) * _s2,
        "the further angles at full weight": 2 - 2 * cos(_a - _b) + _s2,
    },
)

product = ours(page, "Definition 4").lemma(
    "beyond:product-of-sines",
    "The product of two sines",
    le(sin(_a) * sin(_b), 1),
    wrong={"half": Rational(1, 2), "nine tenths": Rational(9, 10)},
)

mse = page.elsewhere("§2.3, Definition 4", "G16").definition(
    "geodp:mse-of-directions",
    "The error of angles bounds the distance of directions",
    le(2 - 2 * cos(_a - _b) + sin(_a) * sin(_b) * _s2, (_a - _b) ** 2 + _rest2),
    "Angle by angle, from the last one on: the mean square error of the angles is at least that of the directions.",
    given=_FURTHER,
    points={_a: (-3, 3), _b: (-3, 3), _s2: (0, 4), _rest2: (0, 9)},
    by=Deduction((Premise("beyond:cosine-above-a-parabola", {_x: _a - _b}), Premise("beyond:product-of-sines"))),
    wrong={"half": ((_a - _b) ** 2 + _rest2) / 2, "the further angles are free": without()},
    steps="beyond:distance-of-unit-vectors",
    reading=_COMES_TO,
    remark=r"The other way round it fails: $\pi$ and $-\pi$ are one direction, and the error between them is $4\pi^2$.",
)
