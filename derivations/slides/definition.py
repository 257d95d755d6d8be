r"""Section 1: what $(\epsilon,\delta)$-privacy is, the condition on the privacy loss, and the size of the parameters.

The sets $S$ of the definition can be done away with: the worst of them is where the loss exceeds $\epsilon$, and its
excess is an integral of positive parts. Whatever is shown of densities at a point is then shown of all sets.
"""

from .notation import *
from .releases import of_a_coin, of_a_split_set, of_every_set, of_two_levels

page = Page("slides", "§1, Differential privacy", NOTATION)

_inside = page.real("a", "1 in the set and 0 outside, or the chance to be in it", lower=0, upper=1)
_p1, _p2 = (page.nonnegative(f"p_{i}", f"probability of output {i} under D") for i in (1, 2))
_q1, _q2 = (page.nonnegative(f"q_{i}", f"probability of output {i} under D'") for i in (1, 2))

definition = page.at("Definition (Dwork et al., 2006)", "S01").definition(
    "slides:privacy",
    "The definition, without its sets",
    le(_inside * (p - E * q), excess(p, q)),
    "Equality holds where $a$ is 1 exactly if the loss exceeds the level. So a pair meets the definition for all sets if and only if the integral of the right side is at most $\\delta$.",
    outputs=of_every_set(E, _inside, p, q),
    printed=r"\Pr[\mathcal A(D) \in S] \le e^\epsilon \Pr[\mathcal A(D') \in S] + \delta \quad\text{for all } S",
    wrong={"half": excess(p, q) / 2, "level 0": left(_inside * (p - q)), "the neighbours exchanged": excess(q, p)},
    steps=(integrated(), "beyond:neyman-pearson-pointwise"),
    reading="Sets are measurable ones; $p$ and $q$ are densities with respect to any measure that dominates both laws. Of a definition it is asked what it comes to.",
)

_COINS = tuple(
    {_p1: 1 - few, _p2: few, _q1: Rational(1, 2), _q2: Rational(1, 2), E: Integer(2)}
    for few in (Rational(1, 8), Rational(1, 5))
)

ordered = page.at("Definition (Dwork et al., 2006)", "S01").definition(
    "slides:privacy-ordered-pairs",
    "The definition speaks of ordered pairs",
    both(eq(_p1 + _p2, 1), eq(_q1 + _q2, 1), eq(excess(_p1, _q1) + excess(_p2, _q2), 0), gt(excess(_q1, _p1) + excess(_q2, _p2), 0)),
    "Two outputs and one level: the inequality may hold for a pair and fail for the pair turned around. Neighbours are symmetric, so both are asked for.",
    outputs=of_a_coin(_COINS, (_p2, _q2), (_p1, _q1)),
    exists=True,
    by=(Search(), Smt()),
    over=(E,),
    wrong={
        "at the level 0": both(
            eq(_p1 + _p2, 1), eq(_q1 + _q2, 1), eq(excess(_p1, _q1, Integer(1)) + excess(_p2, _q2, Integer(1)), 0),
            gt(excess(_q1, _p1, Integer(1)) + excess(_q2, _p2, Integer(1)), 0),
        ),
        "equal laws": both(eq(_p1, _q1), eq(_p2, _q2), gt(excess(_q1, _p1) + excess(_q2, _p2), 0)),
    },
)  # fmt: skip

_good, _bad = (page.nonnegative(f"p_{x}", f"probability of the set and of a {x} loss, under D") for x in ("g", "b"))
_good_q, _rest_q = (page.nonnegative(f"q_{x}", f"the same under D', {x}") for x in ("g", "r"))
_BOUNDED = Hypothesis("the loss is at most epsilon on the good part", le(_good, E * _good_q), "under the definition")
_RARE = Hypothesis("the rest is rare", le(_bad, delta), "under the definition")

sufficient = page.at("under the definition", "S02").proposition(
    "slides:loss-bounded-with-probability",
    "A privacy loss that is bounded with probability 1 - delta is enough",
    le(_good + _bad, E * (_good_q + _rest_q) + delta),
    "On the left is the probability of a set under $D$, split by whether the loss is at most $\\epsilon$; on the right stands that of the same set under the neighbour.",
    outputs=of_a_split_set(E, delta, _good, _bad, _good_q, _rest_q),
    given=(_BOUNDED, _RARE),
    wrong={
        "without delta": E * (_good_q + _rest_q),
        "without e^epsilon": _good_q + _rest_q + delta,
        "nothing is said of the rest": without(_RARE),
        "nothing is said of the loss": without(_BOUNDED),
    },
    steps=(integrated("Where the loss is at most $\\epsilon$ the densities satisfy $p \\le e^\\epsilon q$, and this is integrated over the good part of the set."),),
    reading="The loss of a law with a density is that of the densities; it is bounded with probability at least $1 - \\delta$ under $D$, for every ordered pair of neighbours.",
    remark="Only the upper side of the absolute value is used for one order of a pair; the other order uses its own.",
)  # fmt: skip

not_necessary = ours(page, "under the definition").remark(
    "beyond:loss-bound-not-necessary",
    "The condition on the loss is not necessary",
    both(
        eq(_p1 + _p2, 1), eq(_q1 + _q2, 1), gt(_p1, 2 * _q1), gt(_p1, Rational(1, 10)),
        le(excess(_p1, _q1, Integer(2)), Rational(1, 100)), le(excess(_p2, _q2, Integer(2)), 0),
        le(excess(_q1, _p1, Integer(2)) + excess(_q2, _p2, Integer(2)), Rational(1, 100)),
    ),
    r"At $e^\epsilon = 2$: the pair has $\delta = \frac1{100}$, and the loss exceeds $\epsilon$ with a probability above $\frac1{10}$.",
    exists=True,
    by=(Search(), Smt()),
    wrong={
        "a loss that never exceeds epsilon": both(gt(_p1, 2 * _q1), le(excess(_p1, _q1, Integer(2)), 0)),
        "delta above the chance": both(eq(_p1 + _p2, 1), eq(_q1 + _q2, 1), gt(excess(_p1, _q1, Integer(2)), _p1)),
    },
)  # fmt: skip

_between = page.nonnegative("m", "probability that the loss is between the two levels")
_beyond = page.nonnegative("r", "probability that the loss exceeds the larger level")
_d1, _d2 = (page.nonnegative(f"delta_{i}", f"a probability of failure, {i}", upper=1) for i in (1, 2))

function_of_delta = page.at("under the definition", "S03").remark(
    "slides:epsilon-as-a-function",
    "Epsilon as a function of delta",
    both(
        Implies(le(_between + _beyond, _d1), le(_beyond, _d1)),
        Implies(both(le(_beyond, _d1), le(_d1, _d2)), le(_beyond, _d2)),
    ),
    r"A larger level serves every $\delta$ that a smaller one serves, and a larger $\delta$ is served by every level that served a smaller one. "
    r"So the levels that serve a $\delta$ are all those from a least one on, and this least level falls as $\delta$ grows.",
    outputs=of_two_levels(_between, _beyond, (_d1, _d2)),
    wrong={
        "a smaller level": Implies(le(_beyond, _d1), le(_between + _beyond, _d1)),
        "a smaller delta": Implies(both(le(_beyond, _d2), le(_d1, _d2)), le(_beyond, _d1)),
    },
    reading="The probability that the loss exceeds a level is continuous from the right in the level, so that the least level is attained if there is one.",
    remark=r"There need not be one: a mechanism that publishes a record with probability $\frac1{100}$ has an infinite loss with that probability, and no $\epsilon$ for a smaller $\delta$.",
)

meaningful = page.at("under the definition", "S04").remark(
    "slides:meaningful-parameters",
    "Sizes of the parameters to think of",
    says="Privacy guarantees mean something for epsilon of at most 1 and delta far below one over the number of records.",
    informal="This is advice on parameters, with the soft words meaningful, think of and far below. beyond:random-record-is-private and "
    "beyond:advantage-at-epsilon-one say what happens at the ends of these ranges.",
)

_copies = page.natural("j", "other records that are equal to the published one", lower=0)
random_record = ours(page, "under the definition").remark(
    "beyond:random-record-is-private",
    "Publishing a random record is private at delta = 1/n",
    le(excess((_copies + 1) / n, _copies / n), 1 / n),
    r"The mechanism publishes one record, drawn uniformly. On the left is what the record that the neighbour lacks adds to $\delta$; all other outputs add nothing. Without other copies there is equality, at every $\epsilon$.",
    wrong={
        "1 / n^2": 1 / n**2,
        "half": 1 / (2 * n),
        "strictly less": lt(excess((_copies + 1) / n, _copies / n), 1 / n),
    },
)

godel = page.at("under the definition", "S05a").remark(
    "slides:godel-prize",
    "A prize",
    says="The authors of the definition won the Gödel prize in 2017.",
    informal="A fact of history, about people and not about mathematics.",
)

census = page.at("under the definition", "S05b").remark(
    "slides:census",
    "A use",
    says="The census of the United States uses differential privacy since 2020.",
    informal="A fact of history, about an institution and not about mathematics.",
)
