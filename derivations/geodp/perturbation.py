r"""Section 4.2: the bounding factor, the noise on magnitude and angles, and the guarantee of Algorithm 1.

The range of an angle is bounded around the direction of the data at hand, and no step of the algorithm enforces it; the division by
$B$ is that of a sensitivity of an average, which angles do not have: one of many records can turn an average that is nearly 0. So the
printed guarantee fails, for one step and in the plane. With one public region, angles that are clamped to it, and noise without the
division, magnitude and direction together cost what DP-SGD costs at the noise multiplier $\sigma/\sqrt2$.
"""

from math import comb

from sympy import asin, sin

from rgm_verify.lenses.distributions.mechanisms import Y_2, Y, geometric_gradient, normal

from ..theorems import INDUCTION
from .coordinates import page as _coordinates
from .notation import *

page = Page("geodp", "§4.2", NOTATION, _coordinates)
_STEP_2, _STEP_3 = "step 2", "step 3; Algorithm 1, line 6"
_part = page.real("t", "an angle before the last one, in half turns", lower=0, upper=1)
_original = named(r"\theta_z", pi * _part)
_lower, _upper = named(r"\Gamma_1", (1 - beta) * pi * _part), named(r"\Gamma_2", (1 - beta) * pi * _part + beta * pi)

region = page.at(_STEP_2, "G31a").remark(
    "geodp:privacy-region",
    "There is a region of the stated width around every direction",
    both(ge(_lower, 0), le(_lower, _original), le(_original, _upper), le(_upper, pi)),
    r"$\Gamma_2 - \Gamma_1 = \beta\pi$. The last angle has twice the width, in a range of twice the length.",
    wrong={
        "from the direction on": both(le(_original + beta * pi, pi)),
        "twice the width": both(le((1 - beta) * pi * _part + 2 * beta * pi, pi)),
    },
    reading="Of a definition it is asked what it comes to: whether such regions exist. This one depends on the direction.",
)

_t1, _t2 = (
    page.real("t_1", "an angle, in half turns", lower=0, upper=1),
    page.real("t_2", "the same angle for a neighbour", lower=0, upper=1),
)
_gap = Abs(_t1 - _t2)
_FULL = Hypothesis("the full range", eq(beta, 1))

full = page.at(_STEP_2, "G31b").remark(
    "geodp:full-space",
    "A bounding factor of 1 allows every direction",
    ge(beta, _gap),
    "In half turns: any two angles are in one region then. The last angle is counted in whole turns.",
    given=_FULL,
    points={beta: 1},
    wrong={"half of it": ge(beta / 2, _gap), "any factor": without()},
    by=Smt(),
)

_g1, _g2 = (
    page.real("a_1", "lower end of the region, in half turns", lower=0, upper=1),
    page.real("a_2", "lower end of the neighbour's region", lower=0, upper=1),
)
_AROUND = Hypothesis(
    "each direction is in its region",
    both(le(_g1, _t1), le(_t1, _g1 + beta), le(_g2, _t2), le(_t2, _g2 + beta)),
    "§4.2, step 2",
)
_PUBLIC = Hypothesis("the region is the same for neighbours", eq(_g1, _g2))
_ENDS = {beta: (0, 1), _g1: (0, 1), _g2: (0, 1), _t1: _g1 + beta * _part, _t2: _g2, _part: (0, 1)}

changes = page.at(_STEP_3, "G31c").remark(
    "geodp:largest-change-of-an-angle",
    "Bounding the range bounds the change of an angle",
    le(_gap, beta),
    "In half turns.",
    given=_AROUND,
    by=(Smt(), Search()),
    points=_ENDS,
    category="missing hypothesis",
    corrected="geodp:largest-change-of-an-angle-corrected",
    reading="The region is around the original direction, as step 2 says: that of a neighbour is around another one.",
    remark="Nor does a step of Algorithm 1 put the angle into the region.",
)

changes_corrected = page.at(_STEP_3).correction(
    "geodp:largest-change-of-an-angle-corrected",
    "Clamping to one public region bounds the change of an angle",
    le(_gap, beta),
    "In half turns: the change is at most $\\beta\\pi$. For the last angle the unit is a whole turn.",
    given=(_AROUND, _PUBLIC),
    by=Smt(),
    points={beta: (0, 1), _g1: (0, 1), _g2: _g1, _t1: _g1 + beta * _part, _t2: _g1, _part: (0, 1)},
    wrong={"half": beta / 2, "regions of their own": without(_PUBLIC)},
)

_MORE = Hypothesis("at least two coordinates", ge(d, 2))
_direction_change = named(r"\Delta\theta", sqrt((d - 2) * (beta * pi) ** 2 + (2 * beta * pi) ** 2))

sensitivity = page.at(_STEP_3, "G32").identity(
    "geodp:sensitivity-of-the-direction",
    "The changes of all angles together",
    eq(_direction_change, sqrt(d + 2) * beta * pi),
    given=_MORE,
    by=Identity(),
    points={d: (2, 40)},
    wrong={"d": sqrt(d) * beta * pi, "the last angle like the others": sqrt(d - 1) * beta * pi},
    steps="geodp:largest-change-of-an-angle-corrected",
)

_r1, _r2 = page.nonnegative("r_1", "norm of the average"), page.nonnegative("r_2", "norm of the neighbour's average")
_moved = page.nonnegative("s", "norm of the difference of the two averages")
_TRIANGLE = Hypothesis("triangle inequality", both(le(_r1 - _r2, _moved), le(_r2 - _r1, _moved)))
_ADDED = Hypothesis("one clipped gradient is added or removed", le(_moved, C / B), by=("geodp:clipped-norm",))
_REPLACED = Hypothesis("one clipped gradient is replaced", le(_moved, 2 * C / B), by=("geodp:sensitivity",))
_NORMS = {_r1: (0, 3), _r2: (0, 3), _moved: (0, 3), C: (0, 3), B: (1, 9)}

magnitude = page.at(_STEP_3, "G34").remark(
    "geodp:magnitude-noise",
    "The sensitivity of the magnitude",
    le(Abs(_r1 - _r2), C / B),
    r"So the noise $\frac CB\mathbf n_\sigma$ has the scale $\sigma$ times the sensitivity.",
    given=(_TRIANGLE, _ADDED),
    wrong={"half": C / (2 * B), "any change": without(_ADDED), "any norms": without(_TRIANGLE)},
    points=_NORMS,
    reading="A record is added or removed, and the divisor stays $B$.",
    remark="For a record that is replaced it is twice as much: `beyond:magnitude-noise-of-a-replaced-record`.",
)

replaced = ours(page, "step 3").remark(
    "beyond:magnitude-noise-of-a-replaced-record",
    "The sensitivity of the magnitude when a record is replaced",
    le(Abs(_r1 - _r2), 2 * C / B),
    given=(_TRIANGLE, _REPLACED),
    wrong={"C / B": C / B, "any change": without(_REPLACED)},
    points=_NORMS,
)

# In the plane: the other records sum up to (s, 0); the replaced gradient is (0, C), the one in its place (0, -C).
_far = page.real("a", "norm of the average, in units of C/B", lower=1)
_turn = named(r"{\lvert\theta - \theta'\rvert}", 2 * asin(1 / _far))
_REACH = Hypothesis("the other records reach it", le(_far**2 - 1, (B - 1) ** 2), "clipped gradients")

noise_scale = page.at(_STEP_3, "G33").remark(
    "geodp:direction-noise",
    "The change of the direction of an average is the B-th part of its range",
    le(_turn, named(r"\frac{\Delta\theta}B", 2 * beta * pi / B)),
    r"In the plane. The other records sum up to $(s, 0)$, and $(0, C)$ is replaced by $(0, -C)$: both averages have the norm $aC/B$ with $a^2 = 1 + s^2/C^2$.",
    given=(_REACH, Hypothesis("more than one record", ge(B, 2))),
    points={B: (2, 60), _far: (1, 3), beta: (0, 1)},
    category="false",
    corrected="geodp:direction-noise-corrected",
    instance="The plane.",
    reading=r"The noise $\frac{\sqrt{d+2}\beta\pi}B\mathbf n_\sigma$ is $\sigma$ times the sensitivity if the sensitivity of the direction of an average is $\Delta\theta/B$. The printed statement has every dimension; this is a case of it.",
    remark="An average of vectors moves by a $B$-th part of what one of them moves; its angle does not. If the other gradients cancel, one record decides where the average points.",
)

_whole = (d - 2) * beta**2 + (2 * beta) ** 2
_CLAMPED = Hypothesis(
    "the angles are clamped to one region", le(_moved, _whole), by=("geodp:largest-change-of-an-angle-corrected",)
)
noise_corrected = page.at(_STEP_3).correction(
    "geodp:direction-noise-corrected",
    "In one public region the direction changes by at most its range",
    le(sqrt(_moved), sqrt(d + 2) * beta),
    r"In half turns; on the left is the root of the sum of the squared changes of the angles. There is no division by $B$.",
    given=(_MORE, _CLAMPED),
    by=Smt(),
    points={d: (2, 40), beta: (0, 1), _moved: (0, 40)},
    wrong={"half": sqrt(d + 2) * beta / 2, "not clamped": without(_CLAMPED)},
)

# What the output says of the sign of its second coordinate: the magnitude stays positive and the angle within half a turn.
_half = asin(1 / _far)
_deviation = named("s", 2 * beta * pi * sigma / B)
_seen = named(r"p", phi(_far / sigma) * (phi(_half / _deviation) - phi((_half - pi) / _deviation)))
_DP_SGD = Hypothesis(
    "DP-SGD with this noise multiplier has the guarantee",
    le(hockey_stick(2 / sigma), delta),
    "§4.2: with the same guarantee as DP-SGD",
)

#: The magnitude is positive, and the angle in the upper half turn; GeoDP's gradient has a positive second coordinate at
#: least that often.
_MAGNITUDE_AND_ANGLE = (
    Reading(phi(_far / sigma), Chance(Y), normal(_far, sigma)),
    Reading(phi(_half / _deviation) - phi((_half - pi) / _deviation), Chance(Y * (pi - Y)), normal(_half, _deviation)),
)
_RELEASED = geometric_gradient(_far / B, 1, B, sigma, beta, _half)
_TOLD = {
    B: Integer(4),
    _far: Integer(3),
    beta: Rational(1, 5),
    sigma: Integer(1),
    epsilon: Rational(1, 5),
    delta: Rational(651, 1000),
}

guarantee = page.elsewhere("Abstract; §1; §4; §4.2", "G36 NG06").theorem(
    "geodp:same-guarantee",
    "GeoDP has the guarantee of DP-SGD",
    le(_seen, exp(epsilon) * (1 - _seen) + delta),
    r"In the plane, for one step: the probability that the second coordinate of the released gradient is positive is at least $p$ on $D$, and at most $1 - p$ on the neighbour. The noise on the angle has the deviation $s$.",
    outputs=(
        Unreduced(_MAGNITUDE_AND_ANGLE, at=(_TOLD,)),
        Released(bounds=(Bound(_seen, (Of(Chance(Y * sin(Y_2)), _RELEASED),)),), at=(_TOLD,)),
    ),
    printed=r"\Pr[\tilde{\mathbf g}_t^* \in S] \le e^\epsilon\Pr{}'[\tilde{\mathbf g}_t^* \in S] + \delta",
    given=(_DP_SGD, _REACH, Hypothesis("more than one record", ge(B, 2))),
    points={B: (2, 20000), _far: (1, 60), beta: (0, 1), sigma: (Rational(1, 2), 12), epsilon: (0, 8), delta: (0, 1)},
    category="false",
    corrected="geodp:same-guarantee-corrected",
    instance="The plane, for one step.",
    steps=(
        Step("The two data sets are neighbours, and their averages are symmetric to the first axis."),
        Step("A positive magnitude and an angle within the upper half turn make the second coordinate positive."),
    ),
    reading="A record is replaced: then two averages of clipped gradients are at most $2C/B$ apart, and DP-SGD has the distance $2/\\sigma$ in units of its noise. The printed statement has every dimension and every number of steps.",
    remark=r"With the batch size and bounding factor of Table 2, $B = 8192$ and $\beta = 0.1$, and $\sigma = 1$, the two outputs are told apart nearly always. What is saved on the angles is paid for with privacy.",
)

_angles = page.natural("k", "number of angles before the last one that were counted", lower=0)
_so_far, _one_more = (
    page.nonnegative("A_k", "sum of the squared changes of these angles, in half turns"),
    page.nonnegative("t_k", "change of one more angle, in half turns"),
)
_COUNTED = Hypothesis("the angles so far", le(_so_far, _angles * beta**2), "the angle before")
_NEXT = Hypothesis("one more", le(_one_more, beta), by=("geodp:largest-change-of-an-angle-corrected",))
together = ours(page, "step 3").lemma(
    "beyond:changes-of-all-angles",
    "The changes of all angles before the last one together",
    le(_so_far + _one_more**2, (_angles + 1) * beta**2),
    given=(_COUNTED, _NEXT),
    by=Smt(),
    points={_angles: (0, 40), beta: (0, 1), _so_far: (0, 1, _so_far * _angles * beta**2), _one_more: (0, 1, _one_more * beta)},
    wrong={"as many as before": _angles * beta**2, "any change": without(_NEXT), "nothing before": without(_COUNTED)},
    steps=INDUCTION.quoted("For all of the angles:", "Without an angle both sides are 0.", "This is what the formula says."),
)  # fmt: skip

_moves, _before, _turned = (
    page.nonnegative(
        "m", "change of the magnitude", latex=r"\bigl|\|\tilde{\mathbf g}\| - \|\tilde{\mathbf g}'\|\bigr|"
    ),
    page.nonnegative("A", "sum of the squared changes of the angles before the last one, in half turns"),
    page.nonnegative("t_d", "change of the last angle, in half turns"),
)
_EACH = (
    Hypothesis("the magnitude", le(_moves, C / B), by=("geodp:magnitude-noise",)),
    Hypothesis("the angles before the last one", le(_before, (d - 2) * beta**2), by=("beyond:changes-of-all-angles",)),
    Hypothesis("the last angle", le(_turned, 2 * beta), by=("geodp:largest-change-of-an-angle-corrected",)),
    _MORE,
)
_in_noise = named(r"\Bigl(\frac{\Delta_m}{C\sigma/B}\Bigr)^2", (_moves / (C * sigma / B)) ** 2) + named(
    r"\frac{\sum_z\Delta_z^2}{(d+2)\beta^2\sigma^2}", (_before + _turned**2) / ((d + 2) * beta**2 * sigma**2)
)

guarantee_corrected = page.elsewhere("§4.2").correction(
    "geodp:same-guarantee-corrected",
    "What magnitude and direction cost together, with proved noise",
    le(_in_noise, (1 / (sigma / sqrt(2))) ** 2),
    r"In every dimension, with all angles clamped to one public region and noise of deviation $\Delta\theta\,\sigma$ on each of them, $\Delta\theta = \sqrt{d+2}\,\beta\pi$ as printed. On the left is the squared distance of neighbours in units of the noise, so that the pair is as private as DP-SGD with the noise multiplier $\sigma/\sqrt2$.",
    given=_EACH,
    by=Smt(),
    points={d: (2, 40), (C, sigma): (0, 3), B: (1, 9), beta: (0, 1), _moves: (0, 1, _moves * C / B), _before: (0, 1, _before * (d - 2) * beta**2), _turned: (0, 2, _turned * beta)},
    wrong={"as much as DP-SGD": 1 / sigma**2, "angles that are not clamped": without("the last angle"), "any magnitude": without("the magnitude")},
    steps=(
        Step("Independent Gaussian noise on the magnitude and on each angle: squared distances add up.", "beyond:gaussian-composition"),
        "beyond:hockey-stick-monotone-in-distance",
    ),
    reading=r"A record is added or removed, for both. For one that is replaced: `beyond:geodp-guarantee-of-a-replaced-record`.",
)  # fmt: skip

_TWICE = Hypothesis("the magnitude", le(_moves, 2 * C / B), by=("beyond:magnitude-noise-of-a-replaced-record",))
guarantee_replaced = ours(page, "§4.2").remark(
    "beyond:geodp-guarantee-of-a-replaced-record",
    "What magnitude and direction cost together when a record is replaced",
    le(_in_noise, 5 / sigma**2),
    "With the same noise, in every dimension.",
    given=(_TWICE, *_EACH[1:]),
    by=Smt(),
    points={d: (2, 40), (C, sigma): (0, 3), B: (1, 9), beta: (0, 1), _moves: (0, 2, _moves * C / B), _before: (0, 1, _before * (d - 2) * beta**2), _turned: (0, 2, _turned * beta)},
    wrong={"as when one is added": 2 / sigma**2, "any magnitude": without("the magnitude")},
    steps=("beyond:gaussian-composition", "beyond:hockey-stick-monotone-in-distance"),
)  # fmt: skip

# At the parameters of Table 2: all angles before the last one are right angles, and stay within a right angle of it.
_TABLE = {d: Integer(21_840), B: Integer(8192), beta: Rational(1, 10), sigma: Integer(1)}
_on_angle = named("s", (sqrt(d + 2) * beta * pi * sigma / B).subs(_TABLE))
_certain = named(
    "p",
    phi(Integer(18))
    * (phi(asin(Rational(1, 18)) / _on_angle) - phi((asin(Rational(1, 18)) - pi) / _on_angle))
    * (1 - 2 * (_TABLE[d] - 2) * phi(-pi / 2 / _on_angle)),
)

at_table_2 = ours(page, "Table 2").numeric(
    "beyond:geodp-at-table-2",
    "What one step of GeoDP with the parameters of Table 2 costs at least",
    both(
        ge(_certain - exp(20) * (1 - _certain), Rational(99, 100)),
        le(hockey_stick(Integer(2)).subs(epsilon, 20), Rational(1, 10**18)),
    ),
    r"$d = 21840$, $B = 8192$, $\beta = 0.1$ and $\sigma = 1$. The other records sum up to $17.97\,C$ along the coordinate $d - 1$, and one record is $C$ or $-C$ along the last one. With a probability of at least $p$ the last coordinate of the released gradient has the sign of that of the record: so $\delta(20) \ge p - e^{20}(1 - p)$.",
    wrong={
        "level 60": both(ge(_certain - exp(60) * (1 - _certain), Rational(99, 100))),
        "certainty": both(ge(_certain, 1)),
    },
    remark=r"A step of DP-SGD with the same noise multiplier, for the same two data sets, has $\delta(20) < 10^{-18}$.",
)

# A training at these parameters: the mirror image of a batch's sum of length 9 C, told by the sign of its last coordinate.
_half = asin(Rational(1, 18))
_wrong = named(
    "w",
    1
    - phi(Integer(9))
    * (phi(_half / _on_angle) - phi((_half - pi) / _on_angle))
    * (1 - 2 * (_TABLE[d] - 2) * phi(-pi / 2 / _on_angle)),
)
_right = named("r", Rational(8192, 60_000) * (1 - _wrong))
_STEPS = 5
_power = named(r"p_{\ge 5}", 1 - sum(comb(146, j) * _right**j * (1 - _right) ** (146 - j) for j in range(_STEPS)))
_alarm = named(r"\tbinom{146}{5} w^5", comb(146, _STEPS) * _wrong**_STEPS)

training_at_table_2 = ours(page, "Table 2").numeric(
    "beyond:geodp-training-as-printed",
    "What 20 epochs of GeoDP with the parameters of Table 2 cost at least",
    ge(_power - exp(160) * _alarm, Rational(98, 100)),
    r"$146$ batches of $8192$ of $60{,}000$ records; $d = 21840$, $\beta = 0.1$ and $\sigma = 1$. All records have one gradient, and any batch sums up to $9\,C$ at the angle $\arcsin\frac1{18}$ from the coordinate $d - 1$. One record is replaced so that batches with it sum up to the mirror image. Noise gives a batch the sign of its mirror image with a probability of at most $w$. So the event of at least 5 such signs shows $\delta(160) \ge 0.98$.",
    wrong={
        "level 300": ge(_power - exp(300) * _alarm, Rational(98, 100)),
        "certainty": ge(_power - exp(160) * _alarm, 1),
    },
    remark="DP-SGD with the same noise multiplier costs between 50.4 and 56.2 for this training, at a delta of 0.00001. More signs show more: above 1700, by `printed_epsilon` of `rgm_verify.learning.geometric.costs`.",
)

_m2_printed = page.nonnegative("w_1", "squared distance of the magnitudes, in units of their noise")
_a2_printed = page.nonnegative("w_2", "sum of the squared changes of the angles")
_noise_2 = (d + 2) * beta**2 * sigma**2 / B**2
_RANGES = Hypothesis("every angle in its range, in half turns", le(_a2_printed, (d - 2) + 2**2), "§4.1")
_LENGTHS = Hypothesis(
    "a record is replaced", le(_m2_printed, 4 / sigma**2), by=("beyond:magnitude-noise-of-a-replaced-record",)
)

as_printed = ours(page, "Algorithm 1").remark(
    "beyond:geodp-guarantee-as-printed",
    "What a step of GeoDP as printed costs at most",
    le(_m2_printed + _a2_printed / _noise_2, (4 + B**2 / beta**2) / sigma**2),
    r"The squared distance of neighbours in units of the noise, so that a step is as private as a Gaussian mechanism with $\mu = \sqrt{4 + B^2/\beta^2}/\sigma$: about $B/(2\beta)$ times weaker than DP-SGD.",
    given=(_MORE, _RANGES, _LENGTHS),
    by=Smt(),
    points={d: (2, 9), beta: (0, 1), B: (1, 9), sigma: (0, 3), _a2_printed: (0, 6), _m2_printed: (0, 3)},
    wrong={
        "that of DP-SGD": 4 / sigma**2,
        "any angles": without(_RANGES),
        "half of it": (4 + B**2 / beta**2) / sigma**2 / 2,
    },
    steps=(
        Step("Independent Gaussian noise: squared distances add up.", "beyond:gaussian-composition"),
        "beyond:hockey-stick-monotone-in-distance",
    ),
    reading="A function of magnitude and angles is released, and it is no less private than these.",
)
