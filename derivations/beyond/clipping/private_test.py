r"""The test of propose-test-release put right: Laplace noise, a threshold that gives delta, and the assembled mechanism.

If some neighbour violates $A' \succcurlyeq \rho C$ the test must fail, too; the statistic is then at most 1, not 0, which costs a factor $e^\epsilon/2$ of delta or a threshold that
is larger by 1.
"""

from rgm_verify.lenses.distributions.mechanisms import Y, laplace

from ... import looseness
from ...rgm.clipping_notation import *
from ...rgm.gaussian_releases import of_passing
from ...theorems import TOWER
from . import propose_test_release_worlds as worlds, whole_test_worlds as whole
from .propose_test_release import PRINTED_TEST, page as _propose_test_release

page = Page("beyond", "§5.3", CLIPPING_NOTATION, _propose_test_release)
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
    by=(Identity(), worlds.TAIL),
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
    outputs=of_passing(
        (_pass, _pass_other),
        (log(odds) / log(growth), log(odds * step) / log(growth)),
        1 / log(growth),
        {odds: Rational(1, 2), step: Rational(3, 2), growth: Integer(2)},
        {odds: Integer(2), step: Rational(1, 2), growth: Integer(3)},
    ),
    given=_ONE_STEP,
    by=(Smt(), worlds.CALIBRATED.mapped(worlds.of_test, odds, step, growth)),
    points={odds: (0, 4), growth: (1, 9), step: (0, 1, 1 / growth + step * (growth - 1 / growth))},
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
    by=(Smt(), worlds.HALF_ODDS.mapped(worlds.of_odds, odds)),
    wrong={"a quarter of the odds": odds / 4, "equal": eq(_pass, odds / 2)},
    steps=Step("The tail of the noise.", "beyond:laplace-tail"),
    printed=r"P\left[\Delta + \mathrm{Lap}(1/\epsilon) > t\right] \le \frac12e^{\epsilon(\Delta - t)}",
)

_AT_MOST_ONE = Hypothesis("the statistic is at most 1", le(odds, growth * delta), "t = log(1/delta)/epsilon")

printed_threshold = page.at("Proposition 2; App. B.4").inequality(
    "beyond:ptr-printed-threshold",
    "The printed threshold, for epsilon up to log 2",
    le(_pass, delta),
    r"A statistic that is at most 1 passes the printed threshold $\log(1/\delta)/\epsilon$ with a probability of at most half of $e^\epsilon\delta$.",
    given=(_AT_MOST_ONE, Hypothesis("epsilon at most log 2", le(growth, 2))),
    by=worlds.PRINTED_THRESHOLD.mapped(worlds.of_printed_threshold, odds, growth, delta),
    points={growth: (1, 2), delta: (0, 1), odds: growth * delta},
    wrong={"half of delta": delta / 2, "any epsilon": without("epsilon at most log 2")},
    tightness=Tightness(
        2 * exp(-looseness.x),
        {looseness.x: (looseness.TENTH, Rational(69, 100))},
        r"$\delta$ over the probability that a statistic of 1 passes the printed threshold, by $x = \varepsilon$",
    ),
    steps=Premise("beyond:ptr-passes-at-most-half-the-odds"),
)

_new_threshold = 1 + log(1 / (2 * delta)) / epsilon


def _at_most_one(threshold: Expr) -> Hypothesis:
    """The odds are at most those of a statistic of 1."""
    return Hypothesis(_AT_MOST_ONE.name, le(odds, exp(epsilon * (1 - threshold))))


new_threshold = page.elsewhere(f"replaces {PRINTED_TEST}").inequality(
    "beyond:ptr-threshold",
    "A threshold for every epsilon",
    le(_pass, delta),
    r"For a statistic that is at most 1, whatever $\epsilon$ is.",
    given=_at_most_one(named("t", _new_threshold)),
    by=worlds.THRESHOLD.mapped(worlds.of_threshold, odds, delta, epsilon),
    points={delta: (0, 1), epsilon: (0, 4), odds: (0, 1, 2 * delta * odds)},
    wrong={
        "half of delta": delta / 2,
        "a threshold without the 1": instead(_at_most_one(log(1 / (2 * delta)) / epsilon)),
    },
    steps=(
        Premise("beyond:ptr-passes-at-most-half-the-odds"),
        Step("The odds at the threshold.", Premise("beyond:ptr-threshold-odds")),
    ),
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
    steps=Step(
        r"The tail at $t \ge 0$ is $\frac12e^{-\epsilon t}$, and the noise has the law of its negative.",
        "beyond:laplace-tail",
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

_of_first, _of_second = named("P(S)", _event(of_1, r1)), named("P'(S)", _event(of_2, r2))
_chance_1, _chance_2 = (page.real(f"p_{i}", f"probability that dataset {i} passes", lower=0, upper=1) for i in (1, 2))

_PRIVATE_TEST = (
    Hypothesis("the test is private, passing", le(_chance_1, growth * _chance_2), by=("beyond:ptr-test-private",)),
    Hypothesis(
        "the test is private, failing", le(1 - _chance_1, growth * (1 - _chance_2)), by=("beyond:ptr-test-private",)
    ),
)

_ONE_OF_TWO = Hypothesis("one of the two cases", either(le(r1, growth_r * r2 + delta_r), le(_chance_1, delta)))

#: A Gaussian mechanism behind a test, whose statistics are above the threshold and one below that.
_SHIFTED = Outputs((Integer(1),), (Integer(0),), 1, variances=(Integer(1), Integer(1)))
_OF_MECHANISM = {r: Of(LossAbove(Rational(1, 4), side), _SHIFTED) for r, side in zip((r1, r2), SIDES, strict=True)}
_MECHANISM_DELTA = Of(HockeyStick(log(growth_r)), _SHIFTED)
_TEST = laplace(Rational(1, 2), Rational(-1, 2), 1 / log(growth))
_TESTED = tuple(
    {growth: large, growth_r: Rational(3, 2), delta: Rational(1, 10), empty: Rational(1, 3)}
    for large in (Integer(2), Integer(3))
)
_STATISTICS = tuple({**p, of_1: Integer(4), of_2: Integer(3)} for p in _TESTED)
_LOG_ODDS = [log(_odds_of(x)) / log(growth) for x in (of_1, of_2)]
_ODDS_TEST = laplace(_LOG_ODDS[0], _LOG_ODDS[1], 1 / log(growth))
_PASSING = tuple(
    Reading(passes(_odds_of(x)), Chance(Y, side), _ODDS_TEST) for x, side in zip((of_1, of_2), SIDES, strict=True)
)

cases = page.elsewhere(f"replaces {PRINTED_TEST}").inequality(
    "beyond:ptr-cases",
    "A private test before a mechanism, in both cases",
    le(_event(of_1, r1, _chance_1), growth * growth_r * _event(of_2, r2, _chance_2) + Max(delta, delta_r)),
    r"Either the mechanism behind the test is private for the pair, or the first dataset passes with probability at most $\delta$.",
    outputs=of_cases(
        Filled(
            _TESTED,
            {
                **_OF_MECHANISM,
                **{p: Of(Chance(Y, side), _TEST) for p, side in zip((_chance_1, _chance_2), SIDES, strict=True)},
            },
            {delta_r: _MECHANISM_DELTA},
        )
    ),
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

private = page.elsewhere(f"replaces {PRINTED_TEST}").proposition(
    "beyond:ptr-private",
    "Propose-test-release with a statistic of sensitivity 1",
    le(_of_first, growth * growth_r * _of_second + Max(delta, delta_r)),
    r"With the statistic $\Gamma$, noise Lap(1/epsilon) and threshold $1 + \log(1/(2\delta))/\epsilon$ the mechanism is differentially private with the sum of both budgets and the larger of both deltas.",
    outputs=of_cases(Filled(_STATISTICS, _OF_MECHANISM, {delta_r: _MECHANISM_DELTA}, readings=_PASSING)),
    given=(*_SENSITIVITY, _BOTH_GOOD),
    by=whole.PRIVATE.mapped(whole.of_private, of_1, of_2, growth, delta, r1, r2, empty, growth_r, delta_r),
    # Up to the case in which the second dataset violates the condition, where anything may be released.
    points={
        of_1: (0, 1, of_2 * (1 / growth + (1 - (1 - of_1) ** 3) * (growth - 1 / growth))),
        of_2: (0, 3),
        r1: Min(1, growth_r * r2**4 + delta_r**4 + 100 * Max(0, 1 - of_2)),
        r2: (0, 1, r2**4),
        empty: (0, 1, empty**4),
        delta: (0, 1),
        delta_r: (0, 1, delta_r**4),
        (growth, growth_r): (1, 3),
    },
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
        TOWER.quoted(
            "The noise of the test is independent of the rest: an event has the probability $(1-p)i + pr$.",
            "Indicators lie between 0 and 1.",
        ),
        Step("The probability of passing, below and above the threshold.", "beyond:ptr-passing"),
        Step("The odds at the threshold.", "beyond:ptr-threshold-odds"),
        Step("The statistic has sensitivity 1, in both orders.", "beyond:ptr-statistic"),
        Step("So the test is private.", Premise("beyond:ptr-test-private", {odds: _odds_of(of_2), step: of_1 / of_2})),
        Step(
            r"If one dataset violates $A \succcurlyeq \rho C$, the first has $\Gamma < 1$ and passes with probability at most $\delta$.",
            "beyond:ptr-threshold",
        ),
        Premise("beyond:ptr-passes-at-most-half-the-odds", {odds: _odds_of(of_1)}),
        Step(
            "Both cases put together.",
            Premise(
                "beyond:ptr-cases",
                {_chance_1: passes(_odds_of(of_1)), _chance_2: passes(_odds_of(of_2))},
                where_it_applies=True,
            ),
        ),
    ),
    reading=r"For neighbours in either order and an event $S$; the odds of passing are $2\delta x/e^\epsilon$. Of the mechanism behind the test nothing is assumed where one of the two datasets violates the condition. Its guarantee for the others is that of a bound on the relative sensitivity of every such pair, with one $R_{rel}$ for all of them.",
)
