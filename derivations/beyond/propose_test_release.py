r"""Propose-test-release put right: a distance that can be trusted, a statistic of sensitivity 1, and a threshold that gives delta.

Three things are needed. (1) The test has to bound the number of points to change until $A' \succcurlyeq \rho C$ *fails*; $\Delta_+$ does, if $A - \rho C$ is
positive definite, and is 0 if $A - \rho C$ is not positive semi-definite. (2) The noise is Lap(1/epsilon), so what it is added to must move by at most 1
between neighbours. $\Delta_+$ does not: one outlier can take it from any value to 2. What does is $n\lambda_{min}(C^{-1/2}(A - \rho C)C^{-1/2})/R_c^2$. (3) If some neighbour
violates $A' \succcurlyeq \rho C$ the test must fail, too; the statistic is then at most 1, not 0, which costs a factor $e^\epsilon/2$ of delta or a threshold that is
larger by 1.

The general statements are proved by their scalar core at one direction: $w = Qv$ with $Q^2 = A - \rho C$, or a direction with $w^TCw = 1$.
"""

from sympy import Derivative, Expr, Max, Min, Rational, exp, log, sqrt

from rgm_verify.claims import *
from rgm_verify.lenses import *
from rgm_verify.lenses.scaling import S as SCALE

from .. import looseness
from ..rgm.clipping_notation import *
from ..theorems import CAUCHY_SCHWARZ, TOWER
from ..worlds import acceptance as acceptance_worlds

page = Page("beyond", "§5.3", CLIPPING_NOTATION)


_PTR = "§5.3, Proposition 2; App. B.4"
n = page.natural("n", "number of points")
w2 = page.positive("W", "$|w|^2 = v^T(A - \\rho C)v$ with $w = Qv$")
removed = page.nonnegative("P", "$\\sum_{I_R}(Y_i^Tw)^2$, what the removed points take away")
leverage = page.nonnegative("L", "$\\sum_{I_R}|Y_i|^2$")
added = page.nonnegative("G", "$\\sum(X_i^Tv)^2$ over the points that come instead")

CAUCHY = Hypothesis("Cauchy-Schwarz for each removed point", le(removed, leverage * w2), "v2 (67)")
#: n times the quadratic form of A' - rho C at v.
changed_form = n * w2 - removed + added

_TIGHT = Chart({n: (0, 20), w2: (0, 4), added: (0, 1)}, {removed: n * w2, leverage: n, added: 0 * n})

lower_bound = page.elsewhere(f"replaces {_PTR}").inequality(
    "beyond:ptr-lower-bound",
    "The lower bound of the distance that the proof gives",
    ge(changed_form, 0),
    r"If $A - \rho C$ is positive definite and the removed points have $\sum_{I_R}X_i^T(A - \rho C)^{-1}X_i \le n$, then $A' \succcurlyeq \rho C$: at least $\Delta_+$ points must change "
    r"before $A' \succcurlyeq \rho C$ fails.",
    given=(CAUCHY, Hypothesis("leverages", le(leverage, n))),
    by=(
        Combination(terms=((leverage * w2 - removed,), (n - leverage, w2), (added,))),
        Smt(),
        acceptance_worlds.LOWER_BOUND.mapped(acceptance_worlds.of_lower_bound, n, w2, removed, leverage, added),
    ),
    points=_TIGHT,
    wrong={
        "leverages up to n + 1": changed(hypotheses=(CAUCHY, Hypothesis("leverages", le(leverage, n + 1)))),
        "a margin": w2,
        "no condition": without(Hypothesis("leverages", le(leverage, n))),
    },
    steps=(
        Step(
            "$(Y_i^\\top w)^2 \\le |Y_i|^2|w|^2$ for each removed point.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one."},
        ),
    ),
    reading=r"At each direction v, with $Y_i = Q^{-1}X_i$ and $X_i^Tv = Y_i^Tw$.",
)

printed_distance = page.elsewhere(f"replaces {_PTR}, (68)").inequality(
    "beyond:ptr-lower-bound-printed",
    "The same for the distance as printed, with >= n",
    ge(leverage, n),
    r"If $A - \rho C$ is positive definite and $A' \preccurlyeq \rho C$, then $\sum_{I_R}X_i^T(A - \rho C)^{-1}X_i \ge n$: with the set of Proposition 2, not with the strict inequality of (68).",
    given=(CAUCHY, Hypothesis("A' <= rho C", le(changed_form, 0))),
    points=_TIGHT,
    wrong={
        "strictly": gt(leverage, n),
        "n + 1": n + 1,
        "any A'": without(Hypothesis("A' <= rho C", le(changed_form, 0))),
    },
    steps=(
        Step(
            "$(Y_i^\\top w)^2 \\le |Y_i|^2|w|^2$ for each removed point.",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "It is the usual one."},
        ),
    ),
)

squares = page.nonnegative("T", "sum of the squares of the removed points")
kept = page.nonnegative("V", "of the others")
reg = page.nonnegative("mu_reg", "regularization")
c = page.positive("c", "the matrix C, in dimension 1")

_margin = (squares + kept) / n + reg - level * c

on_the_line = page.at("Proposition 2; App. B.4").remark(
    "beyond:ptr-on-the-line",
    "In dimension 1 the statistic is the distance",
    Iff(ge(squares / _margin, n), le(kept / n + reg, level * c)),
    r"For $d = 1$ and $A > \rho c$ the leverages of the removed points reach n exactly if $A' \le \rho c$ when zeros take their place: $\Delta_+ = \Delta$, which as a distance has sensitivity 1.",
    given=Hypothesis("A > rho C", gt(_margin, 0)),
    by=(Smt(), acceptance_worlds.ON_THE_LINE, acceptance_worlds.DISTANCE),
    points=Chart(
        {squares: (0, 9), kept: (0, 9), n: (0, 9), reg: (0, 1), c: (0, 4), level: (0, 2)},
        {level: level * ((squares + kept) / n + reg) / c / 2},
    ),
    wrong={
        "strictly": Iff(gt(squares / _margin, n), le(kept / n + reg, level * c)),
        "without the regularization": Iff(ge(squares / _margin, n), le(kept / n, level * c)),
    },
)

size = page.natural("s", "n times the eigenvalue of A - rho I, an integer", lower=2)
outlier = page.positive("Y", "length of the new point")

FAR = Hypothesis("a long new point", ge(outlier**2, size**2 - size))

jumps = page.at("Proposition 2; App. B.4").remark(
    "beyond:ptr-statistic-jumps",
    "One point takes the statistic from s to 2, for every s",
    both(
        ge(outlier**2 / (size + outlier**2) + 1 / size, 1),
        lt(outlier**2 / (size + outlier**2), 1),
        lt((size - 1) / size, 1),
        ge(printed(lambda: size * (1 / size)), 1),
    ),
    r"m copies each of $(1, 0)$ and $(0, 1)$ and one $(0, 0)$, $C = I$, $\rho = (m - s)/(2m+1)$: $n(A - \rho I) = sI$, all leverages are 1/s or 0, so $\Delta_+ = s$. With $(Y, 0)$ in the place "
    r"of $(0, 0)$ they are $\frac{Y^2}{s+Y^2}$, $\frac1{s+Y^2}$ and $\frac1s$, and for $Y^2 \ge s^2 - s$ two of them reach 1: $\Delta_+ = 2$.",
    given=FAR,
    by=(Smt(), acceptance_worlds.JUMPS.mapped(acceptance_worlds.of_jump, size, outlier)),
    points=Chart({size: (2, 40), outlier: (0, 1)}, {outlier: size + outlier}),
    wrong={
        "one point reaches 1": ge(outlier**2 / (size + outlier**2), 1),
        "a shorter point": changed(hypotheses=(Hypothesis("shorter", ge(outlier**2, size - 1)),)),
    },
    reading=r"Leverages are $X_i^T(n(A - \rho C))^{-1}X_i$, to be compared with 1. The distance itself moves by at most 1: taking the new point away gives the old dataset back.",
)

_w1 = page.real("w_1")
_w2 = page.real("w_2")


rayleigh = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-rayleigh",
    "What a clipped point contributes in any direction",
    le((x1 * _w1 + x2 * _w2) ** 2, by_c(x1, x2, -1) * by_c(_w1, _w2, 1)),
    r"$(x^Tw)^2 \le (x^TC^{-1}x)(w^TCw)$: in a direction with $w^TCw = 1$ a point clipped to $x^TC^{-1}x \le R_c^2$ contributes at most $R_c^2$.",
    by=(Combination(terms=((c1 / c2, (x2 * _w1 - c2 / c1 * x1 * _w2) ** 2),)), Smt(), acceptance_worlds.RAYLEIGH),
    points=Chart(dict.fromkeys((x1, x2, _w1, _w2), (-3, 3)) | {c1: (0, 4), c2: (0, 4)}, {}),
    wrong={"half": by_c(x1, x2, -1) * by_c(_w1, _w2, 1) / 2, "C in both": by_c(x1, x2, 1) * by_c(_w1, _w2, 1)},
    steps=(
        Step(
            "In any dimension:",
            theorem=CAUCHY_SCHWARZ,
            met={"inner product": "$x^\\top w = (C^{-1/2}x)^\\top(C^{1/2}w)$, and C is positive definite."},
        ),
    ),
    reading="The printed clipping implies this one (beyond:clippings-compared). In the plane; Cauchy-Schwarz in general.",
)

_least = page.real("l", "least value of the first dataset's form")
_value = page.real("f", "value of the first form in the direction where the second is least")
_NEW, _OLD = (nonnegative(n, f"$({x}^Tw)^2$ in that direction") for n, x in (("t", "y"), ("o", "x")))
_new = page.add(_NEW)
_old = page.add(_OLD)
_IS_LEAST = Hypothesis("least value", ge(_value, _least))
_OLD_CLIPPED = Hypothesis("the old point is clipped", le(_old, radius**2), by=("beyond:ptr-rayleigh",))
_gain = n * (_value + (_new - _old) / n) / radius**2
_IN_UNITS = {
    **{_least: _least / SCALE, _value: _value / SCALE, _new: _new / SCALE, _old: _old / SCALE},
    radius: radius / sqrt(SCALE),
}
_UNIT = Scaling("the unit of C", _IN_UNITS, {"R_c stays": {k: v for k, v in _IN_UNITS.items() if k != radius}})

statistic = page.elsewhere(f"replaces {_PTR}").definition(
    "beyond:ptr-statistic",
    "A statistic of sensitivity 1",
    ge(_gain, n * _least / radius**2 - 1),
    r"$\Gamma = n\lambda_{min}(C^{-1/2}(A - \rho C)C^{-1/2})/R_c^2$ moves by at most 1 between neighbours with clipped points; it is negative exactly if "
    r"$A \succcurlyeq \rho C$ fails.",
    given=(_IS_LEAST, _OLD_CLIPPED),
    by=(
        Combination(terms=((n / radius**2, _value - _least), (1 / radius**2, _new), (1 / radius**2, radius**2 - _old))),
        Smt(),
        acceptance_worlds.STATISTIC,
        _UNIT,
    ),
    points=Chart(
        {_least: (-2, 2), n: (0, 20), radius: (0, 3), _new: (0, 1), _old: (0, 1)},
        {_value: _least, _old: radius**2 * _old, _new: radius**2 * _new},
    ),
    wrong={
        "half": n * _least / radius**2 - Rational(1, 2),
        "without n": ge(_gain / n, _least / radius**2 - 1 / (2 * n)),
        "a point that is not clipped": without(_OLD_CLIPPED),
    },
    steps=(Step("Each point contributes at most $R_c^2$ in every direction.", "beyond:ptr-rayleigh"),),
    reading=r"$\lambda_{min}$ is the least value of $w^T(A - \rho C)w$ over $w^TCw = 1$. Replacing x by y changes the form at w by $((y^Tw)^2 - (x^Tw)^2)/n$; w is where the second "
    r"form is least. The claim says $\Gamma' \ge \Gamma - 1$, the rest is the same with the datasets exchanged. The regularization cancels. No floor is needed, and a floor would "
    "keep the sensitivity.",
)

# --- The test ----------------------------------------------------------------------------------------------------

epsilon = page.positive("epsilon", "budget of the test")
delta = page.positive("delta", "probability of failure of the test")
THRESHOLD = nonnegative("t", "threshold minus statistic")
threshold = THRESHOLD.symbol

tail = page.at("Proposition 2; App. B.4").identity(
    "beyond:laplace-tail",
    "Upper tail of the Laplace distribution",
    both(
        eq(-Derivative(exp(-epsilon * threshold) / 2, threshold), epsilon / 2 * exp(-epsilon * threshold)),
        eq(At(exp(-epsilon * threshold) / 2, threshold, 0), Rational(1, 2)),
    ),
    r"$P[\mathrm{Lap}(1/\epsilon) > t] = \frac12e^{-\epsilon t}$ for $t \ge 0$: minus its derivative is the density there, at 0 it is one half, and it tends to 0.",
    by=(Identity(), acceptance_worlds.TAIL),
    over=(THRESHOLD,),
    wrong={
        "without the half": eq(
            -Derivative(exp(-epsilon * threshold), threshold), epsilon / 2 * exp(-epsilon * threshold)
        ),
        "scale epsilon": eq(
            -Derivative(exp(-threshold / epsilon) / 2, threshold), epsilon / 2 * exp(-epsilon * threshold)
        ),
    },
    reading=r"Lap(1/epsilon) has the density $\frac\epsilon2e^{-\epsilon|z|}$: the argument is the scale.",
)


def passes(odds: Expr) -> Expr:
    """The probability that a statistic D passes the threshold t, in terms of odds = exp(epsilon (D - t)): odds/2 up to 1, then 1 - 1/(2 odds)."""
    return (Min(odds, 1) + 1 - 1 / Max(odds, 1)) / 2


odds = page.positive("a", "$e^{\\epsilon(\\Delta - t)}$")
step = page.positive("b", "$e^{\\epsilon(\\Delta' - \\Delta)}$")
growth = page.real("E", "$e^\\epsilon$", lower=1)

_ONE_STEP = (
    Hypothesis("not more than 1 up", le(step, growth)),
    Hypothesis("not more than 1 down", ge(step * growth, 1)),
)

calibrated = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-test-private",
    "A statistic of sensitivity 1 gives a private test",
    both(le(passes(odds * step), growth * passes(odds)), le(1 - passes(odds * step), growth * (1 - passes(odds)))),
    r"If two statistics differ by at most 1, then with noise Lap(1/epsilon) the probabilities of passing, and those of failing, differ at most by the factor $e^\epsilon$.",
    given=_ONE_STEP,
    by=(Smt(), acceptance_worlds.CALIBRATED.mapped(acceptance_worlds.of_test, odds, step, growth)),
    points=Chart({odds: (0, 4), growth: (1, 9), step: (0, 1)}, {step: 1 / growth + step * (growth - 1 / growth)}),
    wrong={
        "root of the factor": le(passes(odds * step) ** 2, growth * passes(odds) ** 2),
        "statistics further apart": changed(hypotheses=_ONE_STEP[1:]),
    },
    reading=r"a, ab are $e^{\epsilon(\Delta - t)}$ for the two statistics, $1/E \le b \le E = e^\epsilon$; they need not be integers.",
)

half = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-passes-at-most-half-the-odds",
    "The probability of passing is at most half the odds",
    le(passes(odds), odds / 2),
    r"$P[\Delta + \mathrm{Lap}(1/\epsilon) > t] \le \frac12e^{\epsilon(\Delta - t)}$, also for statistics above the threshold.",
    by=(Smt(), acceptance_worlds.HALF_ODDS.mapped(acceptance_worlds.of_odds, odds)),
    wrong={"a quarter of the odds": odds / 4, "equal": eq(passes(odds), odds / 2)},
    steps=(Step("The tail of the noise.", "beyond:laplace-tail"),),
)

_AT_MOST_ONE = Hypothesis("the statistic is at most 1", le(odds, growth * delta), "t = log(1/delta)/epsilon")
printed_threshold = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-printed-threshold",
    "The printed threshold, for epsilon up to log 2",
    le(passes(odds), delta),
    r"With the printed threshold $\log(1/\delta)/\epsilon$ a statistic that is at most 1 passes with probability at most $\frac12e^\epsilon\delta$: at most $\delta$ for $\epsilon \le \log2$.",
    given=(_AT_MOST_ONE, Hypothesis("epsilon at most log 2", le(growth, 2))),
    by=(
        Deduction((Premise("beyond:ptr-passes-at-most-half-the-odds"),)),
        acceptance_worlds.PRINTED_THRESHOLD.mapped(acceptance_worlds.of_printed_threshold, odds, growth, delta),
    ),
    points={growth: (1, 2), delta: (0, 1), odds: growth * delta},
    wrong={"half of delta": delta / 2, "any epsilon": without(Hypothesis("epsilon at most log 2", le(growth, 2)))},
    tightness=looseness.PRINTED_THRESHOLD,
)

new_threshold = page.elsewhere(f"replaces {_PTR}").inequality(
    "beyond:ptr-threshold",
    "A threshold for every epsilon",
    le(passes(odds), delta),
    r"With the threshold $1 + \log(1/(2\delta))/\epsilon$ a statistic that is at most 1 passes with probability at most $\delta$, whatever $\epsilon$ is.",
    given=Hypothesis("the statistic is at most 1", le(odds, exp(epsilon * (1 - (1 + log(1 / (2 * delta)) / epsilon))))),
    by=(
        Deduction((Premise("beyond:ptr-passes-at-most-half-the-odds"), Premise("beyond:ptr-threshold-odds"))),
        acceptance_worlds.THRESHOLD.mapped(acceptance_worlds.of_threshold, odds, delta, epsilon),
    ),
    points=Chart({delta: (0, 1), epsilon: (0, 4), odds: (0, 1)}, {odds: 2 * delta * odds}),
    wrong={
        "half of delta": delta / 2,
        "a threshold without the 1": changed(
            hypotheses=(
                Hypothesis("the statistic is at most 1", le(odds, exp(epsilon * (1 - log(1 / (2 * delta)) / epsilon)))),
            )
        ),
    },
    steps=(Step("The odds at the threshold.", "beyond:ptr-threshold-odds"),),
    reading=r"At the statistic 1 the odds are $e^{\epsilon(1 - t)} = 2\delta$; the smaller the statistic the smaller the odds.",
)

_new_threshold = 1 + log(1 / (2 * delta)) / epsilon

threshold_odds = page.at("Proposition 2; App. B.4").identity(
    "beyond:ptr-threshold-odds",
    "The odds of a statistic of 1 at the new threshold",
    eq(At(exp(epsilon * (1 - threshold)), threshold, _new_threshold), 2 * delta),
    r"$e^{\epsilon(1-t)} = 2\delta$ for $t = 1 + \log(1/(2\delta))/\epsilon$.",
    wrong={
        "delta": delta,
        "the printed threshold": left(At(exp(epsilon * (1 - threshold)), threshold, log(1 / delta) / epsilon)),
    },
)

passing = page.at("Proposition 2; App. B.4").identity(
    "beyond:ptr-passing",
    "Passing, below and above the threshold",
    both(Implies(le(odds, 1), eq(passes(odds), odds / 2)), Implies(ge(odds, 1), eq(passes(odds), 1 - 1 / (2 * odds)))),
    r"$P[\Delta + \mathrm{Lap}(1/\epsilon) > t]$ is half of the odds $a = e^{\epsilon(\Delta - t)}$ for $\Delta \le t$, the tail at $t - \Delta$, and $1 - \frac1{2a}$ for "
    r"$\Delta \ge t$, where the noise fails to pass with the tail at $\Delta - t$.",
    wrong={
        "half the odds throughout": eq(passes(odds), odds / 2),
        "without the half above": Implies(ge(odds, 1), eq(passes(odds), 1 - 1 / odds)),
    },
    steps=(
        Step(
            r"The tail at $t \ge 0$ is $\frac12e^{-\epsilon t}$, and the noise has the law of its negative.",
            "beyond:laplace-tail",
        ),
    ),
)

_OF_1, _OF_2 = (positive(f"x_{i}", f"$e^{{\\epsilon\\Gamma}}$ of dataset {i}") for i in (1, 2))
_R_1, _R_2 = (
    real(f"r_{i}", f"probability of the event from the mechanism on dataset {i}", lower=0, upper=1) for i in (1, 2)
)
empty = page.real("i", "1 if the event contains the empty answer, else 0", lower=0, upper=1)
growth_r = page.real("F", "$e^{\\epsilon_{RGM}}$", lower=1)
delta_r = page.nonnegative("delta_R", "$\\delta_{RGM}$")
of_1 = page.add(_OF_1)
of_2 = page.add(_OF_2)
r1 = page.add(_R_1)
r2 = page.add(_R_2)


def _odds_of(statistic: Expr) -> Expr:
    """The odds of passing the threshold 1 + log(1/(2 delta))/epsilon, from e^(epsilon Gamma)."""
    return 2 * delta * statistic / growth


def _event(statistic: Expr, probability: Expr, chance: Expr | None = None) -> Expr:
    """The probability of an event: not passed and the empty answer in it, or passed and from the mechanism."""
    chance = passes(_odds_of(statistic)) if chance is None else chance
    return (1 - chance) * empty + chance * probability


_SENSITIVITY = (
    Hypothesis("at most 1 down", le(of_1, growth * of_2), by=("beyond:ptr-statistic",)),
    Hypothesis("at most 1 up", le(of_2, growth * of_1), by=("beyond:ptr-statistic",)),
)
_BOTH_GOOD = Hypothesis(
    "the mechanism, if both datasets satisfy A >= rho C",
    Implies(both(ge(of_1, 1), ge(of_2, 1)), le(r1, growth_r * r2 + delta_r)),
    "Gamma >= 0 says A >= rho C",
    by=("beyond:proposition-1", "rgm-v2:corollary-1"),
)
_WHOLE = (*_SENSITIVITY, _BOTH_GOOD)
_private = le(_event(of_1, r1), growth * growth_r * _event(of_2, r2) + Max(delta, delta_r))

_CHANCE_1, _CHANCE_2 = (real(f"p_{i}", f"probability that dataset {i} passes", lower=0, upper=1) for i in (1, 2))
_chance_1 = page.add(_CHANCE_1)
_chance_2 = page.add(_CHANCE_2)
_PRIVATE_TEST = (
    Hypothesis("the test is private, passing", le(_chance_1, growth * _chance_2), by=("beyond:ptr-test-private",)),
    Hypothesis(
        "the test is private, failing", le(1 - _chance_1, growth * (1 - _chance_2)), by=("beyond:ptr-test-private",)
    ),
)

cases = page.elsewhere(f"replaces {_PTR}").inequality(
    "beyond:ptr-cases",
    "A private test before a mechanism, in both cases",
    le(_event(of_1, r1, _chance_1), growth * growth_r * _event(of_2, r2, _chance_2) + Max(delta, delta_r)),
    r"If the test is private, and either the mechanism behind it is private for the pair or the first dataset passes with probability at most $\delta$, an event has "
    r"$(1-p_1)i + p_1r_1 \le e^{\epsilon+\epsilon_{RGM}}((1-p_2)i + p_2r_2) + \max(\delta, \delta_{RGM})$.",
    given=(
        *_PRIVATE_TEST,
        Hypothesis("one of the two cases", either(le(r1, growth_r * r2 + delta_r), le(_chance_1, delta))),
    ),
    points={
        growth: (1, 3),
        growth_r: (1, 3),
        delta: (0, 1),
        delta_r: (0, 1),
        _chance_1: _chance_2 / growth + (1 - 1 / growth),
        r1: Min(1, growth_r * r2 + delta_r),
    },
    wrong={
        "half of the budget of the test": growth_r * _event(of_2, r2, _chance_2) + Max(delta, delta_r),
        "a test that is private for passing only": changed(
            hypotheses=(
                _PRIVATE_TEST[0],
                Hypothesis("one of the two cases", either(le(r1, growth_r * r2 + delta_r), le(_chance_1, delta))),
            )
        ),
    },
)

private = page.elsewhere(f"replaces {_PTR}").proposition(
    "beyond:ptr-private",
    "Propose-test-release with a statistic of sensitivity 1",
    _private,
    r"With the statistic $\Gamma$, noise Lap(1/epsilon) and threshold $1 + \log(1/(2\delta))/\epsilon$ the mechanism is $(\epsilon + \epsilon_{RGM}, \max(\delta, \delta_{RGM}))$-differentially private, so also with the sum.",
    given=_WHOLE,
    by=(
        Deduction(
            (
                Premise("beyond:ptr-test-private", {odds: _odds_of(of_2), step: of_1 / of_2}),
                Premise("beyond:ptr-passes-at-most-half-the-odds", {odds: _odds_of(of_1)}),
                Premise(
                    "beyond:ptr-cases",
                    {_chance_1: passes(_odds_of(of_1)), _chance_2: passes(_odds_of(of_2))},
                    where_it_applies=True,
                ),
            )
        ),
        acceptance_worlds.PRIVATE.mapped(
            acceptance_worlds.of_private, of_1, of_2, growth, delta, r1, r2, empty, growth_r, delta_r
        ),
    ),
    # Up to the case in which the second dataset violates the condition, where anything may be released.
    points=Chart(
        {
            of_2: (0, 3),
            of_1: (0, 1),
            r2: (0, 1),
            empty: (0, 1),
            growth: (1, 3),
            growth_r: (1, 3),
            delta: (0, 1),
            delta_r: (0, 1),
        },
        {
            of_1: of_2 * (1 / growth + (1 - (1 - of_1) ** 3) * (growth - 1 / growth)),
            r2: r2**4,
            empty: empty**4,
            delta_r: delta_r**4,
            r1: Min(1, growth_r * r2**4 + delta_r**4 + 100 * Max(0, 1 - of_2)),
        },
    ),
    wrong={
        "half of the budget of the test": le(_event(of_1, r1), growth_r * _event(of_2, r2) + Max(delta, delta_r)),
        "the smaller delta": le(_event(of_1, r1), growth * growth_r * _event(of_2, r2) + Min(delta, delta_r)),
        "a statistic that may jump": changed(hypotheses=(_SENSITIVITY[1], _BOTH_GOOD)),
        "nothing of the mechanism": changed(hypotheses=_SENSITIVITY),
        "a threshold lower by log(3/2)/epsilon": le(
            _event(of_1, r1, passes(3 * delta * of_1 / growth)),
            growth * growth_r * _event(of_2, r2, passes(3 * delta * of_2 / growth)) + Max(delta, delta_r),
        ),
        "a threshold without the 1": le(
            _event(of_1, r1, passes(2 * delta * of_1)),
            growth * growth_r * _event(of_2, r2, passes(2 * delta * of_2)) + Max(delta, delta_r),
        ),
    },
    steps=(
        Step(
            "The noise of the test is independent of the rest: an event has the probability $(1-p)i + pr$.",
            theorem=TOWER,
            met={"integrable": "Indicators lie between 0 and 1."},
        ),
        Step("The probability of passing, below and above the threshold.", "beyond:ptr-passing"),
        Step("The odds at the threshold.", "beyond:ptr-threshold-odds"),
        Step("The statistic has sensitivity 1, in both orders.", "beyond:ptr-statistic"),
        Step("So the test is private.", "beyond:ptr-test-private"),
        Step(
            r"If one dataset violates $A \succcurlyeq \rho C$, the first has $\Gamma < 1$ and passes with probability at most $\delta$.",
            "beyond:ptr-threshold",
        ),
        Step("Both cases put together.", "beyond:ptr-cases"),
    ),
    reading=r"For neighbours in either order and an event: $x = e^{\epsilon\Gamma}$, the odds of passing are $e^{\epsilon(\Gamma-t)} = 2\delta x/e^\epsilon$, and $\Gamma \ge 0$ is "
    r"$A \succcurlyeq \rho C$. Of the mechanism behind the test nothing is assumed where one of the two datasets violates that. Its guarantee for the others is that of a "
    r"bound on the relative sensitivity of every such pair, with one $R_{rel}$ for all of them.",
)

# --- Smaller matters ---------------------------------------------------------------------------------------------

form_a = page.nonnegative("f", "$w^TAw$")
form_c = page.positive("q", "$w^TCw$")
higher = page.positive("s", "another level")

_FAILS = Hypothesis("A >= rho C fails at w", lt(form_a, level * form_c))

too_high = page.elsewhere(f"replaces {_PTR}").remark(
    "beyond:ptr-level-too-high",
    "A level that fails is too high",
    lt(form_a, higher * form_c),
    r"If $A \succcurlyeq \rho C$ fails, it fails for every larger level.",
    given=(_FAILS, Hypothesis("a larger level", ge(higher, level))),
    points=Chart(
        {form_c: (0, 4), level: (0, 4), higher: (0, 1), form_a: (0, 1)},
        {form_a: level * form_c * form_a, higher: level * (1 + higher)},
    ),
    wrong={
        "at twice the value": left(2 * form_a),
        "a smaller level": without(Hypothesis("a larger level", ge(higher, level))),
    },
)

_ROOT = tuple(real(f"q_{i}") for i in ("11", "12", "22"))
page.declare(*_ROOT)
q11, q12, q22 = (v.symbol for v in _ROOT)
_square = (q11**2 + q12**2, q12 * (q11 + q22), q12**2 + q22**2)

invertible = page.elsewhere(f"replaces {_PTR}, (65)").identity(
    "beyond:ptr-square-root",
    "The square root of a positive definite matrix can be inverted",
    eq(_square[0] * _square[2] - _square[1] ** 2, (q11 * q22 - q12**2) ** 2),
    r"$\det(Q^2) = (\det Q)^2$: Q can be inverted exactly if $A - \rho C = Q^2$ is positive definite.",
    wrong={"without the square": q11 * q22 - q12**2, "a sign": (q11 * q22 + q12**2) ** 2},
    reading="In the plane.",
)

further = page.nonnegative("h", "$(Y_j^Tw)^2$ for one more point")


monotone = page.elsewhere(f"replaces {_PTR}, after (66)").remark(
    "beyond:ptr-number-of-tests",
    "Sets of exactly k - 1 points are enough",
    both(gt(removed + further, n * w2), lt(n, n + n * (n - 1) / 2)),
    r"Removing one more point keeps $\lambda_{max} > n$; so to be sure that $\min\{|I| : I \in E_-\} \ge k$ the $\binom n{k-1}$ sets of $k - 1$ points are enough. For $k = 2$: n of them, fewer than the printed $n + \binom n2$.",
    given=(Hypothesis("I is in E_-", gt(removed, n * w2)), Hypothesis("at least two points", ge(n, 2))),
    points=Chart({n: (2, 20), w2: (0, 4), removed: (0, 1), further: (0, 1)}, {removed: n * w2 * (1 + removed)}),
    wrong={
        "one point less": gt(removed - further, n * w2),
        "the printed number is smaller": lt(n + n * (n - 1) / 2, n),
    },
    reading=r"$I \in E_-$ if $P > n|w|^2$ for some w. The number is compared for $k = 2$, $n \ge 2$.",
)
