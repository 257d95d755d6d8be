r"""Section 1: post-processing, what an adversary gains, and the two kinds of error of a test.

All of it is the definition again. A map of the output, random or not, is a chance $a \in [0, 1]$ to end up in a set; a
guess is such a map; a prior over what is not known is a mixture.
"""

from ..theorems import MARKOV
from .notation import *
from .releases import of_a_coin, of_every_set, of_one_set

page = Page("slides", "§1, Differential privacy", NOTATION)

_chance = page.real("a", "chance that f maps the output into the set", lower=0, upper=1)

post_processing = page.at("Robustness to processing", "S06").proposition(
    "slides:post-processing",
    "Post-processing",
    le(_chance * p, E * _chance * q + excess(p, q)),
    r"Integrated over the outputs, the left side is the probability that $f(\mathcal A(D))$ is in a set, and the last term is at most $\delta$.",
    outputs=of_every_set(E, _chance, p, q, flip=Rational(1, 10)),
    printed=r"\Pr[f(\mathcal A(D)) \in S] \le e^\epsilon\Pr[f(\mathcal A(D')) \in S] + \delta",
    wrong={
        "without the excess": E * _chance * q,
        "the excess times the square of the chance": E * _chance * q + _chance**2 * excess(p, q),
        "level 0": left(_chance * p + (E - 1) * _chance * q),
    },
    steps=(integrated(), Step("The integral of the last term is at most $\\delta$.", "slides:privacy")),
    reading="The map $f$ is measurable and does not look at the data; if it is random, its coins are its own.",
)

_success = page.real("s", "success with the output of D", lower=0, upper=1)
_other = page.real("s'", "with that of D'", lower=0, upper=1)
_UPPER = Hypothesis(
    "the attack succeeds",
    le(_success, E * _other + delta),
    "definition, with post-processing",
    by=("slides:post-processing",),
)
_LOWER = Hypothesis(
    "the attack fails",
    le(1 - _other, E * (1 - _success) + delta),
    "definition, with post-processing",
    by=("slides:post-processing",),
)

advantage = page.at("Robustness to auxiliary knowledge", "S07a").remark(
    "slides:relative-advantage",
    "The advantage of an adversary",
    both(le(_success - delta, E * _other), le(_success - _other, (E - 1 + 2 * delta) / (E + 1))),
    "Whatever an attack tries to do, it succeeds with the output of $D$ at most $e^\\epsilon$ times as often as with that of a neighbour, but for $\\delta$; and not more often by more than the second bound.",
    outputs=of_one_set(E, _success, _other, delta),
    given=(_UPPER, _LOWER),
    wrong={
        "without delta": both(le(_success, E * _other), le(_success - _other, (E - 1) / (E + 1))),
        "a single delta": le(_success - _other, (E - 1 + delta) / (E + 1)),
        "one direction alone": changed(hypotheses=(_UPPER,)),
    },
    reading="The relative advantage compares an attack that sees the output with one that sees the output of a neighbour, as if a record had been replaced.",
    remark=r"For $\delta > 0$ no bound holds for the odds after a single output: see `beyond:odds-after-an-output-unbounded`.",
)  # fmt: skip

_prior = page.real(
    "pi", "probability of D before the output is seen", lower=0, upper=1, lower_open=True, upper_open=True, latex=r"\pi"
)
_pp, _qq = page.positive("p_o", "density of the output under D"), page.positive("q_o", "density of the output under D'")
_RATIO = Hypothesis("pure privacy", le(_pp, E * _qq), "the definition with delta = 0")

_ANSWERS = tuple(
    {_prior: Rational(1, 2), _pp: large / (1 + large), _qq: 1 / (1 + large), E: large}
    for large in (Integer(2), Integer(3))
)
odds = page.at("Robustness to auxiliary knowledge", "S07a").remark(
    "slides:odds-after-an-output",
    "The odds after an output, for delta = 0",
    le(_prior * _pp / ((1 - _prior) * _qq), E * _prior / (1 - _prior)),
    "No output changes the odds between two neighbours by more than the factor $e^\\epsilon$.",
    outputs=of_a_coin(_ANSWERS, (_pp, _qq)),
    given=_RATIO,
    wrong={"the factor 1": _prior / (1 - _prior), "the square root": E * _prior**2 / (1 - _prior), "nothing is private": without(_RATIO)},
    reading="This is Bayes' rule for two neighbours.",
)  # fmt: skip

_B = page.positive("B", "any bound on the factor")
unbounded_odds = ours(page, "Robustness to auxiliary knowledge").remark(
    "beyond:odds-after-an-output-unbounded",
    "For delta > 0 an output can change the odds by any factor",
    both(le(excess(delta, delta / (1 + _B) / E), delta), gt(delta / (delta / (1 + _B) / E), _B)),
    "An output of probability $\\delta$ under $D$ may be arbitrarily rare under $D'$.",
    wrong={
        "a factor of e^epsilon": both(le(excess(delta, delta / E), delta), gt(delta / (delta / E), _B)),
        "rarer than delta": lt(excess(delta, delta / (1 + _B) / E), delta / 2),
    },
)

_weight = page.real("w", "density of what the adversary thinks of the other records", lower=0, lower_open=False)
_pw = page.real("p_S", "probability of the set under D, given the others", lower=0, upper=1)
_qw = page.real("q_S", "probability of the set under D', given the others", lower=0, upper=1)
_EACH = Hypothesis(
    "the guarantee, for these other records", le(_pw, E * _qw + delta), "Definition (Dwork et al., 2006)"
)

auxiliary = page.at("Robustness to auxiliary knowledge", "S07b").remark(
    "slides:auxiliary-knowledge",
    "The guarantee holds whatever is known of the other records",
    le(_weight * _pw, E * _weight * _qw + _weight * delta),
    "Integrated over the other records, with a density of total weight 1, it is the definition for an adversary who is uncertain of them; for one who knows them the weight sits at a point.",
    outputs=of_one_set(E, _pw, _qw, delta, _weight),
    given=_EACH,
    wrong={"without delta": E * _weight * _qw, "the weight squared": E * _weight * _qw + _weight**2 * delta, "no guarantee": without()},
    steps=(integrated("Both sides are integrated over the other records."),),
    reading="The two datasets differ in the one record that is not known; the beliefs about the others do not depend on it.",
    remark="With beliefs that depend on the unknown record, two laws of datasets are compared that differ in more than one record, and the definition is silent.",
)  # fmt: skip

_tpr = page.real("t", "true positive rate", lower=0, upper=1, latex=r"\mathrm{TPR}")
_fpr = page.real("f", "false positive rate", lower=0, upper=1, latex=r"\mathrm{FPR}")
_POSITIVE = Hypothesis(
    "the set of positives",
    le(_tpr, E * _fpr + delta),
    "definition, for D_1 against D_0",
    by=("slides:post-processing",),
)
_NEGATIVE = Hypothesis(
    "the set of negatives",
    le(1 - _fpr, E * (1 - _tpr) + delta),
    "definition, for D_0 against D_1",
    by=("slides:post-processing",),
)

testing = page.at("Interpretation as hypothesis testing", "S08").remark(
    "slides:hypothesis-testing",
    "The two rates of a test",
    le(_tpr, Min(E * _fpr + delta, 1 - (1 - delta - _fpr) / E)),
    "The guess may be random; rejecting is a post-processing of the output.",
    outputs=of_one_set(E, _tpr, _fpr, delta),
    given=(_POSITIVE, _NEGATIVE),
    wrong={
        "without delta": Min(E * _fpr, 1 - (1 - _fpr) / E),
        "level 0": _fpr + delta,
        "one order alone": changed(hypotheses=(_POSITIVE,)),
    },
    reading="The true positive rate is the chance to guess 1 when the bit is 1, the false positive rate the chance to guess 1 when it is 0.",
)

_kink = (1 - delta) / (1 + E)
attained = ours(page, "Interpretation as hypothesis testing").remark(
    "beyond:hypothesis-testing-attained",
    "The bound on the two rates is attained",
    both(
        eq(E * _kink + delta, 1 - (1 - delta - _kink) / E),
        eq((E * _kink + delta) - _kink, (E - 1 + 2 * delta) / (E + 1)),
        eq(delta + E * _kink + _kink, 1),
    ),
    r"The mechanism shows the bit with probability $\delta$, and otherwise a bit that is right $e^\epsilon$ times as often as wrong. Guessing what it shows reaches the corner of the region, and the largest advantage.",
    wrong={
        "delta forgotten": eq(E * _kink, 1 - (1 - delta - _kink) / E),
        "a smaller advantage": eq((E * _kink + delta) - _kink, (E - 1 + delta) / (E + 1)),
    },
    steps=("slides:hypothesis-testing", "slides:relative-advantage"),
)

at_one = ours(page, "under the definition").numeric(
    "beyond:advantage-at-epsilon-one",
    "The largest advantage at epsilon = 1",
    rounds_to((exp(Integer(1)) - 1) / (exp(Integer(1)) + 1), "0.46"),
    r"This is the advantage of the best test at $\delta = 0$, over guessing. At $\epsilon = 5$ it is above 0.98.",
    wrong={"the level doubled": rounds_to((exp(Integer(2)) - 1) / (exp(Integer(2)) + 1), "0.46"), "rounded up": rounds_to((exp(Integer(1)) - 1) / (exp(Integer(1)) + 1), "0.47")},
    steps=("beyond:hypothesis-testing-attained",),
)  # fmt: skip

_statistics = page.natural("K", "number of means that are released")
_members = page.natural("N", "number of records", lower=1)
_outside, _within = (
    page.nonnegative("v_0", "mean square of the score of somebody else"),
    page.nonnegative("v_1", "mean square of what the score of a member lacks to its mean"),
)
_SIGNS = Hypothesis(
    "independent fair signs",
    both(eq(_outside, _statistics / _members), eq(_within, _statistics * (_members - 1) / _members**2)),
)
_half_way = named("t", _statistics / (2 * _members))
membership = page.elsewhere("Introduction, Aggregate statistics are not safe", "NS01").remark(
    "slides:membership-from-means",
    "Membership can be read off the means of many attributes",
    both(
        le(_outside / _half_way**2, named(r"\frac{4N}K", 4 * _members / _statistics)),
        le(_within / _half_way**2, named(r"\frac{4N}K", 4 * _members / _statistics)),
    ),
    r"A person has $K$ signs, and the means of the signs of $N$ records are released. The score is the sum of the products of the person's signs with the means: its mean is 0 for somebody else and $K/N$ for a member. Half-way is a threshold that errs for each of them with at most the share $4N/K$, which is small for many attributes.",
    given=_SIGNS,
    by=Smt(),
    points={
        _members: (1, 9),
        _statistics: (1, 60),
        _outside: _statistics / _members,
        _within: _statistics * (_members - 1) / _members**2,
    },
    wrong={"by half": both(le(_outside / _half_way**2, 2 * _members / _statistics)), "any attributes": without()},
    steps=MARKOV.quoted(
        "The square of what the score lacks to its mean, at the square of the threshold.", "A square is not negative."
    ),
    reading="Not safe is read as: there are aggregate statistics from which an attacker who knows a person's attributes tells whether the person is among the records. That models of machine learning are such statistics is a remark of the slides.",
)
