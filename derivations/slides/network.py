r"""Section 3: network privacy, and private decentralised SGD on a complete graph.

A view is a function of the transcript, so that network privacy asks for less than local privacy. On a complete graph the
model that a party has touched comes to another party after a geometric number of steps, each of which adds noise: on
average the divergence falls by the factor $\ln K/(K-1)$, if the noise of a step is not too small for the order and the
steps are contractions. The printed sentence asks for neither: for losses that drive the model away from 0 no constant of
the order serves all numbers of parties.
"""

from ..beyond.renyi.log_notation import P as _P, R as _R
from ..rgm.notation import alpha
from ..rgm.section_1.gaussian_mechanism import page as _gaussian
from ..rgm.section_4.conversion import X
from ..rgm.section_4.theorem_1 import _r as _argument
from ..theorems import FUNDAMENTAL, INDUCTION
from .dp_sgd import _z
from .gaussian_mechanism import _phi
from .gopa import _A, _B, _SLOPES, _density, _further, _growing, _near, page as _gopa
from .notation import *
from .releases import of_every_set, of_full_views, of_views
from .theorems import GAUSSIAN_TAIL, ITERATION, WEAK_CONVEXITY

page = Page("slides", "§3, Network DP", NOTATION, _gaussian, _gopa)

_p1, _p2 = (page.nonnegative(f"p_{i}", f"probability of transcript {i} under D") for i in (1, 2))
_q1, _q2 = (page.nonnegative(f"q_{i}", f"probability of transcript {i} under D'") for i in (1, 2))
_inside = page.real("a", "1 for views in the set and 0 for others", lower=0, upper=1)

definition = page.at("Definition (Network DP)", "S44").definition(
    "slides:network-privacy",
    "Network privacy, without its sets",
    le(_inside * (p - E * q), excess(p, q)),
    "For the densities of the view of a party $k$, and neighbours that differ in the data of another party.",
    outputs=of_every_set(E, _inside, p, q),
    printed=r"\Pr[\mathcal O_k(\mathcal A(D)) \in S] \le e^\epsilon\Pr[\mathcal O_k(\mathcal A(D')) \in S] + \delta \quad\text{for all } S",
    by=Deduction((Premise("slides:privacy", {real("a", lower=0, upper=1).symbol: _inside}),)),
    wrong={"half": excess(p, q) / 2, "level 0": left(_inside * (p - q)), "the neighbours exchanged": excess(q, p)},
    steps=(integrated(), "slides:privacy"),
    reading="The printed probabilities are of no event: a set of views is left out, as nobody will doubt who has read the definition of privacy.",
    remark="Read as probabilities of single views it would protect nothing: see `beyond:network-privacy-without-sets`.",
)  # fmt: skip

_N = page.natural("N", "number of views that each dataset leads to")
without_sets = ours(page, "Definition (Network DP)").remark(
    "beyond:network-privacy-without-sets",
    "Probabilities of single views",
    Implies(ge(_N * delta, 1), both(le(1 / _N, E * 0 + delta), gt(_N * excess(1 / _N, 0 / _N) + delta, 1))),
    r"Each dataset leads to one of $N$ views with equal probabilities, and no view occurs for both. For $N \ge \frac1\delta$ no single view has a probability above $\delta$; and each of them gives the dataset away.",
    over=(E,),
    wrong={"few views": both(le(1 / _N, delta), gt(_N * excess(1 / _N, 0 / _N) + delta, 1)), "half of delta": Implies(ge(_N * delta, 1), le(1 / _N, delta / 2))},
)  # fmt: skip

relaxation = page.at("after the definition", "S45a").remark(
    "slides:network-relaxes-local",
    "Network privacy asks for less than local privacy",
    le(excess(_p1 + _p2, _q1 + _q2), excess(_p1, _q1) + excess(_p2, _q2)),
    "Two transcripts with the same view are one view: joining them does not raise the divergence. So a guarantee for the transcript is one for every view.",
    outputs=of_views(E, _p1, _p2, _q1, _q2),
    wrong={"the larger of the two": excess(_p1, _q1), "half of the sum": (excess(_p1, _q1) + excess(_p2, _q2)) / 2},
    steps=("slides:post-processing",),
)

_view_p = page.nonnegative("p_v", "probability of the view under D")
_view_q = page.nonnegative("q_v", "the same under D'")
full_view = page.at("after the definition", "S45b").remark(
    "slides:network-with-full-views",
    "Network privacy with full views is local privacy",
    eq(excess(_view_p, _view_q), excess(p, q)),
    "If a view determines the transcript, each view is the image of one transcript.",
    outputs=of_full_views(E, p, q, _view_p, _view_q),
    given=Hypothesis("the view tells the transcript", both(eq(_view_p, p), eq(_view_q, q))),
    by=Smt(),
    points={_view_p: p, _view_q: q, p: (0, 2), q: (0, 2), E: (1, 4)},
    wrong={"half": excess(p, q) / 2, "another level": excess(p, q, E**2), "views that tell less": without()},
    steps=("slides:network-relaxes-local",),
    reading="There are at least two parties: for each party with data there is another one that observes.",
)

_u, _v = (real(name, lower=0, upper=1).symbol for name in ("u", "v"))
_j = page.natural("j", "number of steps until the observer has the model")

algorithm = page.elsewhere("§3, Algorithm Private decentralized SGD on a complete graph", "S46").algorithm(
    "slides:decentralised-sgd",
    "The time until the model comes to an observer",
    eq((1 - (1 - 1 / K) ** _j) + 1 / K * (1 - 1 / K) ** _j, 1 - (1 - 1 / K) ** (_j + 1)),
    r"The next party is uniform among all $K$, so that the observer has the model after $j$ steps for the first time with the probability $\frac1K(1 - \frac1K)^{j-1}$. This is the step of the sum over $j$: by $j$ steps it has had the model with the probability $1 - (1 - \frac1K)^j$.",
    by=Identity(),
    wrong={"another chance": left((1 - (1 - 1 / K) ** _j) + (1 - 1 / K) ** _j), "a step less": 1 - (1 - 1 / K) ** _j},
    reading="A random party is one of all parties, the sender included; without the sender the law is another one, and for large $K$ nearly the same. The update is noisy in each step, and the first party is fixed.",
)  # fmt: skip

_share = page.real(
    "x", "chance that the model does not come to the observer", lower=0, lower_open=True, upper=1, upper_open=True
)
_terms = page.natural("k", "number of terms of a series")
_first = (1 - _share**_terms) / (1 - _share)
_rest = _share ** (_terms + 1) / ((_terms + 1) * (1 - _share))
series = ours(page, "after the network DP theorem").lemma(
    "beyond:series-of-the-logarithm",
    "The series of the logarithm, and what its first terms leave",
    both(
        le(_first, Derivative(-log(1 - _share), _share)),
        le(Derivative(-log(1 - _share), _share), _first + Derivative(_rest, _share)),
    ),
    r"The first quotient is $\sum_{i\le k}x^{i-1}$. Integrated from 0, $\sum_{i\le k}\frac{x^i}i \le -\ln(1-x) \le \sum_{i\le k}\frac{x^i}i + \frac{x^{k+1}}{(k+1)(1-x)}$, and the last term vanishes as $k$ grows.",
    points={_share: (0, 1), _terms: (1, 12)},
    wrong={
        "half": le(_first, Derivative(-log(1 - _share), _share) / 2),
        "nothing is left": le(Derivative(-log(1 - _share), _share), _first),
        "half of what is left": le(Derivative(-log(1 - _share), _share), _first + Derivative(_rest, _share) / 2),
    },
    steps=(
        Step("The sum of the powers.", "beyond:network-geometric-sum"),
        FUNDAMENTAL.quoted("All three are integrated from 0.", "They are polynomials, a logarithm, and a quotient without a pole below 1, all 0 at 0.", "Derivatives are not negative."),
    ),
)  # fmt: skip

_partial = page.nonnegative(
    "S_k", "first terms of the series at x = 1 - 1/K", latex=r"\sum_{i\le k}\tfrac1i(1-\tfrac1K)^i"
)
_SERIES = Hypothesis(
    "the series of the logarithm",
    both(le(_partial, log(K)), le(log(K), _partial + (1 - 1 / K) ** (_terms + 1) * K / (_terms + 1))),
    "at $x = 1 - \\frac1K$",
    by=("beyond:series-of-the-logarithm",),
)
share_of_a_time = ours(page, "after the network DP theorem").identity(
    "beyond:network-share-of-a-time",
    "The share of a time in the mean of one over the time",
    eq(1 / K * (1 - 1 / K) ** (_j - 1) / _j, (1 - 1 / K) ** _j / _j / (K - 1)),
    given=Hypothesis("there are others", ge(K, 2)),
    points={K: 1 + K, _j: (1, 12)},
    wrong={"another chance": left(1 / K * (1 - 1 / K) ** _j / _j), "without the others": (1 - 1 / K) ** _j / _j / K},
    steps=("slides:decentralised-sgd",),
)

path = page.elsewhere("§3, after the network DP theorem", "S49").remark(
    "slides:mean-inverse-return-time",
    "The mean of one over the time until the observer has the model",
    both(
        le(_partial / (K - 1), log(K) / (K - 1)),
        le(log(K) / (K - 1), _partial / (K - 1) + (1 - 1 / K) ** (_terms + 1) * K / ((_terms + 1) * (K - 1))),
    ),
    r"The shares of all times up to $k$ together are $\frac{S_k}{K-1}$. So the mean of $\frac1j$ is $\frac{\ln K}{K-1}$: the last term vanishes as $k$ grows.",
    given=(_SERIES, Hypothesis("there are others", ge(K, 2))),
    by=Deduction((Premise("rgm:log-above-one-minus-inverse", {_argument: K}),)),
    points={K: 1 + K, _terms: (1, 12), _u: (0, 1), _partial: log(1 + K) - _u**2 * (1 - 1 / (1 + K)) ** (_terms + 1) * (1 + K) / (_terms + 1)},
    wrong={
        "half": le(_partial / (K - 1), log(K) / (2 * (K - 1))),
        "nothing is left": le(log(K) / (K - 1), _partial / (K - 1)),
        "any sum": without("the series of the logarithm"),
    },
    steps=(Step("The share of a time.", "beyond:network-share-of-a-time"), "slides:decentralised-sgd"),
    reading=r"The two ingredients of the proof are these: $j$ noisy steps divide the divergence by $j$, and $j$ is random. Their combination is `slides:network-noise-corrected`.",
)  # fmt: skip

# Losses -l|theta| of all parties but the first one, whose loss is -l theta or l theta: every step moves the model away
# from 0, and so its sign stays what the first party made it.
_constant = page.natural("C", "constant of the order")
_LEVEL = Rational(1, 10**5)
_apart = named(r"\mu", sqrt(10) / 16)

local_noise = ours(page, "Theorem (Cyffers and Bellet, 2022)").numeric(
    "beyond:network-local-noise",
    "A noise that is enough for local privacy, however many parties there are",
    le(_phi(_apart / 2 - 1 / _apart) - exp(1) * _phi(-_apart / 2 - 1 / _apart) + Rational(1, 3_628_800), _LEVEL),
    r"$K$ steps among $K$ parties, noise of the deviation $32\,l$, $\epsilon = 1$ and $\delta = 10^{-5}$: ten visits of a party move the transcript by at most $\mu = 2\sqrt{10}\,l/(32\,l)$ in units of the noise.",
    wrong={"a tenth of delta": le(_phi(_apart / 2 - 1 / _apart) - exp(1) * _phi(-_apart / 2 - 1 / _apart) + Rational(1, 3_628_800), _LEVEL / 100), "nine visits": le(Rational(1, 40_320), _LEVEL)},
    steps=(
        Step(r"After the first visit there are ten more with a probability of at most $\binom{K-1}{10}K^{-10} \le \frac1{10!}$."),
        Step("The steps compose to one Gaussian mechanism.", "beyond:gaussian-composition"),
        "slides:loss-bounded-with-probability",
    ),
)  # fmt: skip

_wave = page.real("q", "e to minus half of the squared step in units of the noise", lower=0, lower_open=True, upper=1, upper_open=True)  # fmt: skip
_power = page.real("q_i", "its power, one more than the steps so far", lower=0, lower_open=True, upper=1, upper_open=True, latex="q^{i+1}")  # fmt: skip
_risk = page.nonnegative("f_i", "probability that a sign has changed by then")
_tail = page.nonnegative("t_i", "probability that the noise of one step more outweighs the steps")
_RISK = Hypothesis("the steps before", le(_risk, (_wave - _power) / (2 * (1 - _wave))), "the step before")
_TAIL = Hypothesis("tail of the normal law", le(_tail, _power / 2), "quoted")
sign = ours(page, "Theorem (Cyffers and Bellet, 2022)").lemma(
    "beyond:network-sign-stays",
    "The sign of the model stays",
    both(
        le(_risk + _tail, (_wave - _wave * _power) / (2 * (1 - _wave))),
        le((_wave - _wave * _power) / (2 * (1 - _wave)), 1 / (2 * (1 / _wave - 1))),
    ),
    r"After $i$ steps of length $l$ away from 0 the model is $il$ plus the noise of $i$ steps. With $q = e^{-l^2/(2\sigma^2)}$ the sign has changed with a probability of at most $\frac12\sum_i q^i$, for every number of steps.",
    given=(_RISK, _TAIL),
    points={_wave: (0, 1), _power: (0, 1, _power * _wave), _risk: (0, 1, _risk * (_wave - _power * _wave) / (2 * (1 - _wave))), _tail: (0, 1, _tail * _power * _wave / 2)},
    wrong={"half": both(le(_risk + _tail, (_wave - _wave * _power) / (4 * (1 - _wave)))), "any steps before": without(_RISK)},
    by=Smt(),
    steps=(
        INDUCTION.quoted("For all numbers of steps:", "At the first step the sum before is 0.", "This is what the formula says."),
        GAUSSIAN_TAIL.quoted(r"Noise of $i$ steps is below $-il$ with a probability of at most $\frac12q^i$.", "The steps have a positive length."),
    ),
)  # fmt: skip

logarithm = ours(page, "Theorem (Cyffers and Bellet, 2022)").lemma(
    "beyond:network-logarithm-of-the-parties",
    "The logarithm of the number of parties, against the constant",
    le(4 * log(512 * _constant), 2048 * _constant),
    "On the left is the logarithm of $K = (512\\,C)^4$.",
    wrong={"a thousandth": 2 * _constant, "turned": turned()},
    steps=(Premise("beyond:log-below-its-argument", {_argument: 512 * _constant}),),
)

_SEVERAL = Hypothesis("there are others", ge(K, 2))
reached = ours(page, "Theorem (Cyffers and Bellet, 2022)").lemma(
    "beyond:network-observer-is-reached",
    "In as many steps as there are parties the model comes to the observer",
    ge(1 - exp(K * log(1 - 1 / K)), Rational(1, 2)),
    r"It does not come with the probability $(1 - \frac1K)^K \le \frac1e$.",
    given=_SEVERAL,
    points={K: (2, 1000)},
    wrong={"always": Integer(1), "nine tenths": Rational(9, 10)},
    steps=(
        "slides:decentralised-sgd",
        Premise("beyond:log-below-its-argument", {_argument: 1 - 1 / K}),
        Premise("beyond:exponential-above-its-tangents", {_A: K * log(1 - 1 / K), _B: 0}),
        Premise("rgm:s4-exponential-positive", {X.symbol: K * log(1 - 1 / K)}),
    ),
)

_log_parties = page.positive("L", "logarithm of the number of parties", latex=r"\ln K")
_longer_step = page.positive("x_0", "length of a step in units of the noise", latex=r"\tfrac l\sigma")
_power_of_e = page.positive("y_0", "e to half of its square", latex=r"e^{l^2/(2\sigma^2)}")
_euler = page.positive("e_1", "base of the natural logarithm", latex="e")
_flipped = page.nonnegative("w_0", "probability that a sign changes", latex="w")
_seen = page.nonnegative("s_0", "probability that the observer gets the model", latex="s")
noise = page.elsewhere("§3, Theorem (Cyffers and Bellet, 2022)", "S47 S48").theorem(
    "slides:network-noise",
    "The noise under network privacy against that under local privacy",
    le(_seen - _flipped, _euler * _flipped + _LEVEL),
    r"There is a constant $C$ for which the printed noise is enough at $\epsilon = 1$, $\delta = 10^{-5}$ and $K = (512\,C)^4$ parties. $K$ steps start at a party with the loss $-l\theta$ or, for the neighbour, $l\theta$; all others have the loss $-l\lvert\theta\rvert$. The first model that an observer gets is positive with a probability of at least $s - w$ under $D$ and of at most $w$ under the neighbour.",
    printed=r"\sigma_{\mathrm{network}} = O\Bigl(\frac{\ln K}{\sqrt K}\Bigr)\sigma_{\mathrm{local}}",
    exists=True,
    outputs="asked for every constant, at more parties than can be run",
    given=(
        Hypothesis("the printed noise", ge(_longer_step, (512 * _constant) ** 2 / (32 * _constant * _log_parties)), "32 l times C ln(K) over the root of K", by=("beyond:network-local-noise",)),
        Hypothesis("the logarithm", le(_log_parties, 2048 * _constant), by=("beyond:network-logarithm-of-the-parties",)),
        Hypothesis("the exponential", ge(_power_of_e, 1 + _longer_step**2 / 2), by=("beyond:exponential-above-its-tangents",)),
        Hypothesis("e", le(_euler, 3)),
        Hypothesis("the sign stays", le(2 * (_power_of_e - 1) * _flipped, 1), by=("beyond:network-sign-stays",)),
        Hypothesis("the observer gets the model", ge(_seen, Rational(1, 2)), by=("beyond:network-observer-is-reached",)),
    ),
    by=Smt(),
    mistake=("missing hypothesis", "slides:network-noise-corrected"),
    reading=r"The order is for the number of parties at a fixed guarantee: some constant, which may depend on $\epsilon$ and $\delta$, serves all numbers of parties. It is judged for every constant. Gradients are bounded by $l$, as local privacy needs; nothing else is said of the losses.",
    remark=r"What is missing is that steps are contractions: convex and smooth losses, as in the paper that is summed up. Without it later steps need not blur what one of them has done. With it, and for one visit, the sentence says little at a fixed $\delta$: from $K \ge 1 + \frac1\delta$ parties on even no noise will do (`beyond:network-one-visit`); and the constant depends on $\delta$ (`beyond:network-noise-at-small-delta`).",
)  # fmt: skip

one_visit = ours(page, "Theorem (Cyffers and Bellet, 2022)").remark(
    "beyond:network-one-visit",
    "One visit among many parties is private without noise",
    le(1 / (K - 1), delta),
    r"A party that is visited once sends its update to one of $K - 1$ others, and an observer is that one with the probability on the left.",
    given=Hypothesis("many parties", ge(delta * (K - 1), 1)),
    points={K: (2, 10**4), delta: (0, 1)},
    wrong={"half of delta": delta / 2, "few parties": without()},
)

_OUTGROWS = Hypothesis("the slope outgrows the number of parties", gt(_growing, 5 * K), by=("beyond:slope-outgrows-a-constant",))  # fmt: skip
small_delta = ours(page, "Theorem (Cyffers and Bellet, 2022)").remark(
    "beyond:network-noise-at-small-delta",
    "For one visit no constant of the order serves every delta",
    gt(_further / (K - 1), _near),
    r"At $\epsilon = 1$ and any number of parties at which the printed noise is smaller than that of local privacy by the factor $\sqrt2$, or a larger one: the local noise puts neighbours $\mu = (40\,K)^{-1/2}$ apart. On the right is the $\delta$ of that, on the left that of the observer who gets the update with the probability $\frac1{K-1}$.",
    given=(*_SLOPES, _OUTGROWS, _SEVERAL),
    points={K: (2, 1000), _density: (0, 1), _growing: (5 * K + _growing), _near: (0, 1, _near * _density), _further: _further + _growing * _density / 5},
    wrong={"the square": gt(_further / (K - 1), K**2 * _near), "any slope": without(_OUTGROWS)},
    by=Smt(),
    steps="beyond:hockey-stick-slope",
)  # fmt: skip

_ell = page.positive("l", "Lipschitz constant of the losses")
_s2 = page.positive("s_2", "variance of the noise of a step, per coordinate", latex=r"\sigma^2")
_local_level = named(r"\varepsilon_{\mathrm{loc}}", alpha * (2 * _ell) ** 2 / (2 * _s2))
_mean = page.positive("M", "mean of one over the time until the observer has the model", latex=r"\mathbb E\tfrac1j")
_level = page.nonnegative("r", "Rényi divergence of the view of a party", latex=r"\varepsilon_{\mathrm{net}}")
_VIEW = Hypothesis(
    "weak convexity over the time j",
    le(_level, 2 * (alpha * (2 * _ell) ** 2 / (2 * _s2)) * _mean),
    by=("beyond:network-mean-over-waits",),
)
_RETURN = Hypothesis("the mean of 1/j", le(_mean, log(K) / (K - 1)), by=("slides:mean-inverse-return-time",))
_OTHERS = Hypothesis("there are others", ge(K, 2))

_after = page.nonnegative("D_j", "divergence that j noisy steps leave", latex=r"D_j")
_BY_ITERATION = Hypothesis("amplification by iteration", le(_after, alpha * (2 * _ell) ** 2 / (2 * _j * _s2)), "quoted")
_NOISE = Hypothesis("the noise is not too small", ge(_s2, 2 * alpha * (alpha - 1) * _ell**2))
_VISIT = {alpha: (1, 9), _ell: (0, 2), _j: (1, 12), _after: (0, 1, _after * 2 * alpha * _ell**2 / (_j * _s2))}
small = ours(page, "Theorem (Cyffers and Bellet, 2022)").lemma(
    "beyond:network-divergence-after-a-wait",
    "The divergence of a visit is small at every waiting time",
    le((alpha - 1) * _after, 1),
    "This is the condition of weak convexity, with the factor 2 of the corrected theorem.",
    given=(_BY_ITERATION, _NOISE),
    by=Smt(),
    points={**_VISIT, _s2: 2 * alpha * (alpha - 1) * _ell**2 + _s2, _after: (0, 1, _after * 2 * alpha * _ell**2 / (_j * (2 * alpha * (alpha - 1) * _ell**2 + _s2)))},
    wrong={"half": le((alpha - 1) * _after, Rational(1, 2)), "any noise": without(_NOISE), "no noise on the way": without(_BY_ITERATION)},
    steps=(ITERATION.quoted("The divergence that a step leaves after j steps.", "The losses are convex and smooth, and the steps short.", "Every party adds the noise in its update."),),
)  # fmt: skip

_sum = page.nonnegative("A_j", "bound from the times before j")
_so_far = page.nonnegative("m_j", "their share of the mean of one over the time")
_chance = page.real("q_j", "chance of the time j", lower=0, upper=1)
_BEFORE = Hypothesis(
    "the times before", le(_sum, 2 * (alpha * (2 * _ell) ** 2 / (2 * _s2)) * _so_far), "the time before"
)
waits = ours(page, "Theorem (Cyffers and Bellet, 2022)").lemma(
    "beyond:network-mean-over-waits",
    "The sum over waiting times in the corrected theorem",
    le(_sum + 2 * _chance * _after, 2 * (alpha * (2 * _ell) ** 2 / (2 * _s2)) * (_so_far + _chance / _j)),
    r"This is the step to one more time. Over all times the bound on the divergence of a view is $\frac{4\alpha l^2}{\sigma^2}\,\mathbb E\frac1j$.",
    given=(_BEFORE, _BY_ITERATION),
    by=Smt(),
    points={**_VISIT, _s2: (0, 9), _so_far: (0, 3), _sum: (0, 1, _sum * 4 * alpha * _ell**2 / _s2 * _so_far)},
    wrong={"without the time": left(_sum + 2 * _chance * _j * _after), "once": left(_sum + 4 * _chance * _after), "no noise on the way": without(_BY_ITERATION), "nothing before": without(_BEFORE)},
    steps=(
        INDUCTION.quoted("For all times:", "Before the first time both sides are 0.", "This is what the formula says."),
        WEAK_CONVEXITY.quoted("The time j is random.", "beyond:network-divergence-after-a-wait"),
    ),
)  # fmt: skip

corrected = page.elsewhere("§3, Theorem (Cyffers and Bellet, 2022)").correction(
    "slides:network-noise-corrected",
    "Network against local privacy for a visit, in Rényi divergences",
    le(_level, 2 * log(K) / (K - 1) * _local_level),
    r"This is so if $\sigma^2 \ge 2\alpha(\alpha-1)l^2$. So at the same level of Rényi privacy the variance of the noise is smaller by the factor $\frac{K-1}{2\ln K}$, and its deviation by $\sqrt{\frac{K-1}{2\ln K}}$, which is more than what is printed.",
    outputs="a mean over the times until the observer has the model: each time leaves two Gaussians, as slides:gaussian-mechanism-renyi-corrected looks at them",
    given=(_VIEW, _RETURN, _OTHERS),
    by=Deduction((Premise("rgm:log-above-one-minus-inverse", {_argument: K}),)),
    points={_u: (0, 1), _v: (0, 1), K: (2, 40), alpha: (1, 9), _ell: (0, 2), _s2: (0, 9), _mean: _u * log(K) / (K - 1), _level: _v * _u * 4 * alpha * _ell**2 / _s2 * log(K) / (K - 1)},
    wrong={"without the factor 2": log(K) / (K - 1) * _local_level, "the square of K": 2 * log(K) / (K - 1) ** 2 * _local_level, "no bound on the mean": without(_RETURN)},
    steps=(
        Step("The divergence that a step leaves, for every time.", "beyond:network-divergence-after-a-wait"),
        Step("The sum over the times.", "beyond:network-mean-over-waits"),
        Step("The mean of one over the time.", "slides:mean-inverse-return-time"),
    ),
    reading="Gradients of neighbours differ by at most $2l$. The divergences are those of one visit of a party, under both models of trust.",
    scope="core",
    missing="Visits that the views of the observer separate add up by `slides:renyi-composition`; several visits between two views are judged in `beyond:network-upper-end`, without a condition on the noise.",
)  # fmt: skip

amplification = ours(page, "after the network DP theorem").remark(
    "beyond:network-amplification-factor",
    "The factor of the corrected theorem is of the printed order",
    le(2 * log(K) / (K - 1), 6 * log(K) ** 2 / K),
    r"The level of $(\epsilon,\delta)$-privacy goes with the root of the divergence, and so these are the squares of the two factors.",
    given=_OTHERS,
    points={K: (2, 1000)},
    wrong={"the constant 1": log(K) ** 2 / K, "without the square of the logarithm": 2 / K},
    steps=(Premise("beyond:logarithm-above-a-quotient", {_z: K - 1}), "slides:network-noise-corrected"),
)

_c = page.real("c", "number of colluding parties", lower=1)
_collusion = _c * log(K / _c) / (K - _c)
_SOME = Hypothesis("there are honest parties", lt(_c, K))
collusion = page.elsewhere("§3, after the network DP theorem", "S50a").remark(
    "slides:network-collusion",
    "Parties that collude",
    both(le(_collusion, 1), le(_c / K, _collusion)),
    r"The coalition has the model after a geometric time with the chance $\frac cK$, and the mean of $\frac1j$ is $\frac{c}{K-c}\ln\frac Kc$. It stays below 1, so that there is some amplification; and it is at least $\frac cK$, so that it is smaller for larger coalitions.",
    given=_SOME,
    by=Deduction((Premise("rgm:log-above-one-minus-inverse", {_argument: K / _c}), Premise("beyond:log-below-its-argument", {_argument: K / _c}))),
    points={K: (2, 60), _c: (1, 20)},
    wrong={"half": le(_collusion, Rational(1, 2)), "the root of the share": le(sqrt(_c / K), _collusion)},
    steps=("slides:mean-inverse-return-time", "slides:network-noise-corrected"),
    core="The formula is the mean of one over the time until the coalition has the model; that the divergence of a visit goes with it is the corrected theorem for one observer, with another chance.",
    remark="Certified ends for coalitions, with several visits between two views: `beyond:network-upper-end` and `beyond:network-return`.",
)  # fmt: skip

significant = page.elsewhere("§3, Full decentralization: empirical illustration", "S50b").remark(
    "slides:network-amplifies",
    "Network privacy amplifies",
    le(2 * log(K) / (K - 1), 2 / sqrt(K)),
    r"On the left is the quotient of the divergences under network and under local privacy, by the corrected theorem: it falls below every bound as the number of parties grows. With 40,000 parties the bound is $\frac1{100}$.",
    given=_OTHERS,
    points={K: (2, 3000)},
    wrong={"one over K": 2 / K, "half": 1 / sqrt(K)},
    steps=(Premise("beyond:log-square-root-upper", {_P: 1, _R: K}), "slides:network-noise-corrected"),
    reading="The figure is an experiment, of which no numbers are given. Judged is what it is said to agree with: the theory, for convex losses and noise that is not too small.",
)
