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
from rgm_verify.lenses.worlds.scaling import S as SCALE

from ... import looseness
from ...rgm.clipping_notation import *
from ...theorems import CAUCHY_SCHWARZ, TOWER
from ...worlds import acceptance as acceptance_worlds

page = Page("beyond", "§5.3", CLIPPING_NOTATION)


_PTR = "§5.3, Proposition 2; App. B.4"
n = page.natural("n", "number of points")
w2 = page.positive("W", "$v^T(A - \\rho C)v$, with $w = Qv$", latex=r"\|w\|^2")
removed = page.nonnegative("P", "what the removed points take away", latex=r"\sum_{I_R}(Y_i^\top w)^2")
leverage = page.nonnegative("L", latex=r"\sum_{I_R}\|Y_i\|^2")
added = page.nonnegative("G", "$\\sum(X_i^Tv)^2$ over the points that come instead")

CAUCHY = Hypothesis("Cauchy-Schwarz for each removed point", le(removed, leverage * w2), "v2 (67)")
_LEVERAGES = Hypothesis("leverages", le(leverage, n))
_EACH_POINT = Step(
    "$(Y_i^\\top w)^2 \\le |Y_i|^2|w|^2$ for each removed point.",
    theorem=CAUCHY_SCHWARZ,
    met={"inner product": "It is the usual one."},
)
#: n times the quadratic form of A' - rho C at v.
changed_form = named(r"n v^\top(A'-\rho C)v", n * w2 - removed + added)
_BELOW = Hypothesis("A' <= rho C", le(changed_form, 0))

_TIGHT = Chart({n: (0, 20), w2: (0, 4), added: (0, 1)}, {removed: n * w2, leverage: n, added: 0 * n})

lower_bound = page.elsewhere(f"replaces {_PTR}").inequality(
    "beyond:ptr-lower-bound",
    "The lower bound of the distance that the proof gives",
    ge(changed_form, 0),
    r"So at least $\Delta_+$ points must change before the condition fails at a neighbour, if $A - \rho C$ is positive definite.",
    given=(CAUCHY, _LEVERAGES),
    by=(
        Combination(terms=((leverage * w2 - removed,), (n - leverage, w2), (added,))),
        Smt(),
        acceptance_worlds.LOWER_BOUND.mapped(acceptance_worlds.of_lower_bound, n, w2, removed, leverage, added),
    ),
    points=_TIGHT,
    wrong={
        "leverages up to n + 1": instead(Hypothesis("leverages", le(leverage, n + 1))),
        "a margin": w2,
        "no condition": without(_LEVERAGES),
    },
    steps=(_EACH_POINT,),
    reading=r"At each direction v, with $Y_i = Q^{-1}X_i$ and $X_i^Tv = Y_i^Tw$.",
)

printed_distance = page.elsewhere(f"replaces {_PTR}, (68)").inequality(
    "beyond:ptr-lower-bound-printed",
    "The same for the distance as printed, with >= n",
    ge(leverage, n),
    "With the set of Proposition 2, not with the strict inequality of (68).",
    given=(CAUCHY, _BELOW),
    points=_TIGHT,
    wrong={"strictly": gt(leverage, n), "n + 1": n + 1, "any A'": without(_BELOW)},
    steps=(_EACH_POINT,),
)

squares = page.nonnegative("T", "sum of the squares of the removed points")
kept = page.nonnegative("V", "of the others")
reg = page.nonnegative("mu_reg", "regularization")
c = page.positive("c", "the matrix C, in dimension 1")

_margin = named(r"(A-\rho c)", (squares + kept) / n + reg - level * c)
_without_removed = named("A'", kept / n + reg)

on_the_line = page.at("Proposition 2; App. B.4").remark(
    "beyond:ptr-on-the-line",
    "In dimension 1 the statistic is the distance",
    Iff(ge(squares / _margin, n), le(_without_removed, level * c)),
    r"The leverages of the removed points reach n exactly if zeros in their place take A down to the level: $\Delta_+$ is $\Delta$, which as a distance has sensitivity 1.",
    given=Hypothesis("A > rho C", gt(_margin, 0)),
    by=(Smt(), acceptance_worlds.ON_THE_LINE, acceptance_worlds.DISTANCE),
    points=Chart(
        {squares: (0, 9), kept: (0, 9), n: (0, 9), reg: (0, 1), c: (0, 4), level: (0, 2)},
        {level: level * ((squares + kept) / n + reg) / c / 2},
    ),
    wrong={
        "strictly": Iff(gt(squares / _margin, n), le(_without_removed, level * c)),
        "without the regularization": Iff(ge(squares / _margin, n), le(kept / n, level * c)),
    },
    printed=r"\sum_{I_R}\frac{X_i^2}{A-\rho c} \ge n \;\Longleftrightarrow\; A' \le \rho c",
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
    "The datasets have m copies each of $(1, 0)$ and $(0, 1)$ and a last point, which is moved from $(0, 0)$ to $(Y, 0)$. All leverages are 1/s or 0 before, and then the quotients of the formula: no single one reaches 1, two do.",
    given=FAR,
    by=(Smt(), acceptance_worlds.JUMPS.mapped(acceptance_worlds.of_jump, size, outlier)),
    points=Chart({size: (2, 40), outlier: (0, 1)}, {outlier: size + outlier}),
    wrong={
        "one point reaches 1": ge(outlier**2 / (size + outlier**2), 1),
        "a shorter point": changed(hypotheses=[Hypothesis("shorter", ge(outlier**2, size - 1))]),
    },
    reading=r"C is the identity, and the level is such that $n(A - \rho I)$ is s times the identity. Leverages are $X_i^T(n(A - \rho C))^{-1}X_i$, to be compared with 1. The distance itself moves by at most 1: taking the new point away gives the old dataset back.",
)

_w1, _w2 = (page.real(f"w_{i}") for i in (1, 2))

rayleigh = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-rayleigh",
    "What a clipped point contributes in any direction",
    le((x1 * _w1 + x2 * _w2) ** 2, by_c(x1, x2, -1) * by_c(_w1, _w2, 1)),
    "So a point clipped to the ellipsoid contributes at most $R_c^2$ in a direction with $w^TCw$ at 1.",
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
    printed=r"(x^\top w)^2 \le (x^\top C^{-1}x)(w^\top Cw)",
)

_least = page.real("l", "least value of the first dataset's form")
_value = page.real("f", "value of the first form in the direction where the second is least")
_new = page.nonnegative("t", "in that direction, of the new point", latex=r"(y^\top w)^2")
_old = page.nonnegative("o", "in that direction, of the old point", latex=r"(x^\top w)^2")
_IS_LEAST = Hypothesis("least value", ge(_value, _least))
_OLD_CLIPPED = Hypothesis("the old point is clipped", le(_old, radius**2), by=("beyond:ptr-rayleigh",))
_gain = n * (_value + (_new - _old) / n) / radius**2
_gamma = named(r"\Gamma", n * _least / radius**2)
_IN_UNITS = {
    **{_least: _least / SCALE, _value: _value / SCALE, _new: _new / SCALE, _old: _old / SCALE},
    radius: radius / sqrt(SCALE),
}
_UNIT = Scaling("the unit of C", _IN_UNITS, {"R_c stays": {k: v for k, v in _IN_UNITS.items() if k != radius}})

statistic = page.elsewhere(f"replaces {_PTR}").definition(
    "beyond:ptr-statistic",
    "A statistic of sensitivity 1",
    ge(_gain, _gamma - 1),
    r"It moves by at most 1 between neighbours with clipped points, and it is negative exactly if the condition fails.",
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
        "half": _gamma - Rational(1, 2),
        "without n": ge(_gain / n, _least / radius**2 - 1 / (2 * n)),
        "a point that is not clipped": without(_OLD_CLIPPED),
    },
    steps=(Step("Each point contributes at most $R_c^2$ in every direction.", "beyond:ptr-rayleigh"),),
    reading=r"$\lambda_{min}$ is the least value of $w^T(A - \rho C)w$ over w of length 1 in the metric of C. An exchange of x and y changes the form at w by the n-th part of $(y^Tw)^2 - (x^Tw)^2$; w is where the second form is least. The other direction is the same with the datasets exchanged. The regularization cancels. No floor is needed, and a floor would keep the sensitivity.",
    printed=r"\Gamma' \ge \Gamma - 1 \quad\text{for}\quad \Gamma = \frac{n}{R_c^2}\lambda_{\min}\left(C^{-1/2}(A - \rho C)C^{-1/2}\right)",
)

# --- The test ----------------------------------------------------------------------------------------------------

epsilon = page.positive("epsilon", "budget of the test")
delta = page.positive("delta", "probability of failure of the test")
THRESHOLD = nonnegative("t", "threshold minus statistic")
threshold = THRESHOLD.symbol

_tail = exp(-epsilon * threshold) / 2
_density = epsilon / 2 * exp(-epsilon * threshold)

tail = page.at("Proposition 2; App. B.4").identity(
    "beyond:laplace-tail",
    "Upper tail of the Laplace distribution",
    both(eq(-Derivative(_tail, threshold), _density), eq(At(_tail, threshold, 0), Rational(1, 2))),
    "Minus its derivative is the density, at 0 it is one half, and it tends to 0.",
    by=(Identity(), acceptance_worlds.TAIL),
    over=(THRESHOLD,),
    wrong={
        "without the half": eq(-Derivative(exp(-epsilon * threshold), threshold), _density),
        "scale epsilon": eq(-Derivative(exp(-threshold / epsilon) / 2, threshold), _density),
    },
    reading=r"Lap(1/epsilon) has the density $\frac\epsilon2e^{-\epsilon|z|}$: the argument is the scale.",
    printed=r"P\left[\mathrm{Lap}(1/\epsilon) > t\right] = \frac12e^{-\epsilon t}",
)


def passes(odds: Expr) -> Expr:
    """The probability that a statistic D passes the threshold t, in terms of odds = exp(epsilon (D - t)): odds/2 up to 1, then 1 - 1/(2 odds)."""
    return (Min(odds, 1) + 1 - 1 / Max(odds, 1)) / 2


odds = page.positive("a", "$e^{\\epsilon(\\Delta - t)}$, the odds")
step = page.positive("b", "$e^{\\epsilon(\\Delta' - \\Delta)}$")
growth = page.real("E", lower=1, latex=r"e^\epsilon")
_pass, _pass_other = named(r"p", passes(odds)), named("p'", passes(odds * step))

_ONE_STEP = (
    Hypothesis("not more than 1 up", le(step, growth)),
    Hypothesis("not more than 1 down", ge(step * growth, 1)),
)

calibrated = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-test-private",
    "A statistic of sensitivity 1 gives a private test",
    both(le(_pass_other, growth * _pass), le(1 - _pass_other, growth * (1 - _pass))),
    "With noise Lap(1/epsilon), and statistics that differ by at most 1, $p$ and $p'$ are the probabilities of passing.",
    given=_ONE_STEP,
    by=(Smt(), acceptance_worlds.CALIBRATED.mapped(acceptance_worlds.of_test, odds, step, growth)),
    points=Chart({odds: (0, 4), growth: (1, 9), step: (0, 1)}, {step: 1 / growth + step * (growth - 1 / growth)}),
    wrong={
        "root of the factor": le(_pass_other**2, growth * _pass**2),
        "statistics further apart": without(_ONE_STEP[0]),
    },
    reading="The odds are a and ab for the two statistics, which need not be integers.",
)

half = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-passes-at-most-half-the-odds",
    "The probability of passing is at most half the odds",
    le(_pass, odds / 2),
    "Also for statistics above the threshold.",
    by=(Smt(), acceptance_worlds.HALF_ODDS.mapped(acceptance_worlds.of_odds, odds)),
    wrong={"a quarter of the odds": odds / 4, "equal": eq(_pass, odds / 2)},
    steps=(Step("The tail of the noise.", "beyond:laplace-tail"),),
    printed=r"P\left[\Delta + \mathrm{Lap}(1/\epsilon) > t\right] \le \frac12e^{\epsilon(\Delta - t)}",
)

_AT_MOST_ONE = Hypothesis("the statistic is at most 1", le(odds, growth * delta), "t = log(1/delta)/epsilon")
_SMALL_BUDGET = Hypothesis("epsilon at most log 2", le(growth, 2))
printed_threshold = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-printed-threshold",
    "The printed threshold, for epsilon up to log 2",
    le(_pass, delta),
    r"A statistic that is at most 1 passes the printed threshold $\log(1/\delta)/\epsilon$ with a probability of at most half of $e^\epsilon\delta$.",
    given=(_AT_MOST_ONE, _SMALL_BUDGET),
    by=(
        Deduction((Premise("beyond:ptr-passes-at-most-half-the-odds"),)),
        acceptance_worlds.PRINTED_THRESHOLD.mapped(acceptance_worlds.of_printed_threshold, odds, growth, delta),
    ),
    points={growth: (1, 2), delta: (0, 1), odds: growth * delta},
    wrong={"half of delta": delta / 2, "any epsilon": without(_SMALL_BUDGET)},
    tightness=looseness.PRINTED_THRESHOLD,
)

_new_threshold = 1 + log(1 / (2 * delta)) / epsilon


def _at_most_one(threshold: Expr) -> Hypothesis:
    """The odds are at most those of a statistic of 1."""
    return Hypothesis(_AT_MOST_ONE.name, le(odds, exp(epsilon * (1 - threshold))))


new_threshold = page.elsewhere(f"replaces {_PTR}").inequality(
    "beyond:ptr-threshold",
    "A threshold for every epsilon",
    le(_pass, delta),
    r"For a statistic that is at most 1, whatever $\epsilon$ is.",
    given=_at_most_one(named("t", _new_threshold)),
    by=(
        Deduction((Premise("beyond:ptr-passes-at-most-half-the-odds"), Premise("beyond:ptr-threshold-odds"))),
        acceptance_worlds.THRESHOLD.mapped(acceptance_worlds.of_threshold, odds, delta, epsilon),
    ),
    points=Chart({delta: (0, 1), epsilon: (0, 4), odds: (0, 1)}, {odds: 2 * delta * odds}),
    wrong={
        "half of delta": delta / 2,
        "a threshold without the 1": instead(_at_most_one(log(1 / (2 * delta)) / epsilon)),
    },
    steps=(Step("The odds at the threshold.", "beyond:ptr-threshold-odds"),),
    reading="The smaller the statistic the smaller the odds.",
)

threshold_odds = page.at("Proposition 2; App. B.4").identity(
    "beyond:ptr-threshold-odds",
    "The odds of a statistic of 1 at the new threshold",
    eq(At(exp(epsilon * (1 - threshold)), threshold, _new_threshold), 2 * delta),
    wrong={
        "delta": delta,
        "the printed threshold": left(At(exp(epsilon * (1 - threshold)), threshold, log(1 / delta) / epsilon)),
    },
)

passing = page.at("Proposition 2; App. B.4").identity(
    "beyond:ptr-passing",
    "Passing, below and above the threshold",
    both(Implies(le(odds, 1), eq(_pass, odds / 2)), Implies(ge(odds, 1), eq(_pass, 1 - 1 / (2 * odds)))),
    r"$p$ is the probability of passing, and a are the odds: below the threshold it is the tail at $t - \Delta$, above it the noise fails to pass with the tail at $\Delta - t$.",
    wrong={
        "half the odds throughout": eq(_pass, odds / 2),
        "without the half above": Implies(ge(odds, 1), eq(_pass, 1 - 1 / odds)),
    },
    steps=(
        Step(
            r"The tail at $t \ge 0$ is $\frac12e^{-\epsilon t}$, and the noise has the law of its negative.",
            "beyond:laplace-tail",
        ),
    ),
)

empty = page.real("i", "1 if the event contains the empty answer, else 0", lower=0, upper=1)
growth_r = page.real("F", lower=1, latex=r"e^{\epsilon_{RGM}}")
delta_r = page.nonnegative("delta_R", latex=r"\delta_{RGM}")
of_1, of_2 = (page.positive(f"x_{i}", f"$e^{{\\epsilon\\Gamma}}$ of dataset {i}") for i in (1, 2))
r1, r2 = (
    page.real(f"r_{i}", f"probability of the event from the mechanism on dataset {i}", lower=0, upper=1) for i in (1, 2)
)


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
_of_first, _of_second = named("P(S)", _event(of_1, r1)), named("P'(S)", _event(of_2, r2))

_chance_1, _chance_2 = (page.real(f"p_{i}", f"probability that dataset {i} passes", lower=0, upper=1) for i in (1, 2))
_PRIVATE_TEST = (
    Hypothesis("the test is private, passing", le(_chance_1, growth * _chance_2), by=("beyond:ptr-test-private",)),
    Hypothesis(
        "the test is private, failing", le(1 - _chance_1, growth * (1 - _chance_2)), by=("beyond:ptr-test-private",)
    ),
)

_ONE_OF_TWO = Hypothesis("one of the two cases", either(le(r1, growth_r * r2 + delta_r), le(_chance_1, delta)))

cases = page.elsewhere(f"replaces {_PTR}").inequality(
    "beyond:ptr-cases",
    "A private test before a mechanism, in both cases",
    le(_event(of_1, r1, _chance_1), growth * growth_r * _event(of_2, r2, _chance_2) + Max(delta, delta_r)),
    r"Either the mechanism behind the test is private for the pair, or the first dataset passes with probability at most $\delta$.",
    given=(*_PRIVATE_TEST, _ONE_OF_TWO),
    points={
        **{growth: (1, 3), growth_r: (1, 3), delta: (0, 1), delta_r: (0, 1)},
        _chance_1: _chance_2 / growth + (1 - 1 / growth),
        r1: Min(1, growth_r * r2 + delta_r),
    },
    wrong={
        "half of the budget of the test": growth_r * _event(of_2, r2, _chance_2) + Max(delta, delta_r),
        "a test that is private for passing only": without(_PRIVATE_TEST[1]),
    },
)

private = page.elsewhere(f"replaces {_PTR}").proposition(
    "beyond:ptr-private",
    "Propose-test-release with a statistic of sensitivity 1",
    le(_of_first, growth * growth_r * _of_second + Max(delta, delta_r)),
    r"With the statistic $\Gamma$, noise Lap(1/epsilon) and threshold $1 + \log(1/(2\delta))/\epsilon$ the mechanism is differentially private with the sum of both budgets and the larger of both deltas.",
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
            **dict.fromkeys((of_1, r2, empty, delta, delta_r), (0, 1)),
            **{of_2: (0, 3), growth: (1, 3), growth_r: (1, 3)},
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
        "half of the budget of the test": growth_r * _of_second + Max(delta, delta_r),
        "the smaller delta": growth * growth_r * _of_second + Min(delta, delta_r),
        "a statistic that may jump": without(_SENSITIVITY[0]),
        "nothing of the mechanism": without(_BOTH_GOOD),
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
    reading=r"For neighbours in either order and an event $S$; the odds of passing are $2\delta x/e^\epsilon$. Of the mechanism behind the test nothing is assumed where one of the two datasets violates the condition. Its guarantee for the others is that of a bound on the relative sensitivity of every such pair, with one $R_{rel}$ for all of them.",
)

# --- Smaller matters ---------------------------------------------------------------------------------------------

form_a = page.nonnegative("f", latex=r"w^\top Aw")
form_c = page.positive("q", latex=r"w^\top Cw")
higher = page.positive("s", "another level")

_FAILS = Hypothesis("A >= rho C fails at w", lt(form_a, level * form_c))

_LARGER = Hypothesis("a larger level", ge(higher, level))

too_high = page.elsewhere(f"replaces {_PTR}").remark(
    "beyond:ptr-level-too-high",
    "A level that fails is too high",
    lt(form_a, higher * form_c),
    given=(_FAILS, _LARGER),
    points=Chart(
        {form_c: (0, 4), level: (0, 4), higher: (0, 1), form_a: (0, 1)},
        {form_a: level * form_c * form_a, higher: level * (1 + higher)},
    ),
    wrong={"at twice the value": left(2 * form_a), "a smaller level": without(_LARGER)},
)

q11, q12, q22 = (page.real(f"q_{i}") for i in ("11", "12", "22"))
_square = (q11**2 + q12**2, q12 * (q11 + q22), q12**2 + q22**2)

invertible = page.elsewhere(f"replaces {_PTR}, (65)").identity(
    "beyond:ptr-square-root",
    "The square root of a positive definite matrix can be inverted",
    eq(named(r"\det(Q^2)", _square[0] * _square[2] - _square[1] ** 2), named(r"\det(Q)", q11 * q22 - q12**2) ** 2),
    r"So Q can be inverted exactly if its square, $A - \rho C$, is positive definite.",
    wrong={"without the square": q11 * q22 - q12**2, "a sign": (q11 * q22 + q12**2) ** 2},
    reading="In the plane.",
)

further = page.nonnegative("h", "for one more point", latex=r"(Y_j^\top w)^2")

monotone = page.elsewhere(f"replaces {_PTR}, after (66)").remark(
    "beyond:ptr-number-of-tests",
    "Sets of exactly k - 1 points are enough",
    both(gt(removed + further, n * w2), lt(n, n + n * (n - 1) / 2)),
    r"Removing one more point keeps a set in $E_-$. So the $\binom n{k-1}$ sets of $k - 1$ points are enough to be sure of k; for two points these are n sets, fewer than the printed number.",
    given=(Hypothesis("I is in E_-", gt(removed, n * w2)), Hypothesis("at least two points", ge(n, 2))),
    points=Chart({n: (2, 20), w2: (0, 4), removed: (0, 1), further: (0, 1)}, {removed: n * w2 * (1 + removed)}),
    wrong={
        "one point less": gt(removed - further, n * w2),
        "the printed number is smaller": lt(n + n * (n - 1) / 2, n),
    },
    reading="A set lies in $E_-$ if the first hypothesis holds for some w.",
)
