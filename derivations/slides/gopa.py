r"""Section 3: GOPA, averaging with pairwise noise that cancels, against a coalition of the server and some parties.

Against the coalition an honest party $k$ is as private as a Gaussian mechanism with
$\mu_k^2 = e_k^T(\sigma_\eta^2I + \sigma_\Delta^2L)^{-1}e_k$, where $L$ is the Laplacian of the graph among honest parties. In
the basis of its eigenvectors this is a sum of quotients, of which pairwise noise removes all but one, if that graph is
connected: what remains is the noise of all honest parties together. That it is connected needs a number of neighbours
that grows with $\ln(1/\delta')$ as well.
"""

from sympy import expand

from ..rgm.section_4.conversion import X
from ..theorems import FUNDAMENTAL, SPECTRAL, TOWER
from .notation import *

page = Page("slides", "§3, GOPA", NOTATION)
_PROTOCOL = page.elsewhere("§3, Algorithm GOPA protocol")

_xk, _xl = page.real("x_k", "weight of the message of party k"), page.real("x_l", "weight of the message of party l")
_noise = page.real("Delta_kl", "noise that k and l exchange", latex=r"\Delta_{k,l}")
_other = page.real("Delta_lk", "what l adds", latex=r"\Delta_{l,k}")
_CANCELS = Hypothesis("the pair cancels", eq(_other, -_noise), "Algorithm GOPA protocol")

algorithm = page.elsewhere("§3, Algorithm GOPA protocol", "S37").algorithm(
    "slides:gopa",
    "What a pair adds to the messages",
    eq((_xk * _noise + _xl * _other) ** 2, (_xk - _xl) ** 2 * _noise**2),
    r"Summed over all pairs, and averaged: the noise in a combination $\sum_k x_k\hat\theta_k$ of messages has the variance $\sigma_\eta^2\sum_k x_k^2 + \sigma_\Delta^2\sum_{k\sim l}(x_k - x_l)^2$, so that the covariance of the messages is $\sigma_\eta^2 I + \sigma_\Delta^2 L$ with the Laplacian $L$ of the graph.",
    given=_CANCELS,
    wrong={"added twice": (_xk + _xl) ** 2 * _noise**2, "squares of weights": (_xk**2 + _xl**2) * _noise**2, "independent noises": without()},
    reading="A pair that selects each other exchanges one noise. Noises of different pairs, and the independent noises, are independent.",
)  # fmt: skip

_theta = page.real("S_theta", "sum of the values", latex=r"\sum_k\theta_k")
_eta = page.real("S_eta", "sum of the independent noises", latex=r"\sum_k\eta_k")
_sum = page.real("S_pairs", "sum of the noises of the other pairs", latex=r"S")
_REST = Hypothesis("the other pairs cancel", eq(_sum, 0), "induction over the pairs")
_average = named(r"\hat\theta^{avg}", (_theta + _sum + (_noise + _other) + _eta) / K)

average = page.elsewhere("§3, after the GOPA algorithm", "S38 S39a").identity(
    "slides:gopa-average",
    "The average of the messages",
    eq(_average, _theta / K + _eta / K),
    "This is the step to one pair more. Pairwise noise is not in the average, and so it does not affect the utility.",
    given=(_CANCELS, _REST),
    by=Smt(),
    wrong={"one half is lost": left((_theta + _sum + _noise + _eta) / K), "the noises of the sum": _theta / K + _eta, "no cancellation": without(_CANCELS)},
    reading="All parties send their messages, and sums are exact.",
    remark="A party that drops out leaves the noise of its pairs in the sum, and sums of rounded numbers leave a residue that grows with the pairwise noise.",
)  # fmt: skip

_se = page.positive("s_eta", "variance of the independent noise", latex=r"\sigma_\eta^2")
_sd = page.nonnegative("s_Delta", "variance of the pairwise noise", latex=r"\sigma_\Delta^2")
_more = page.nonnegative("u", "further pairwise variance")
_weight = page.nonnegative("w", "squared coordinate of party k along an eigenvector")
_eigen = page.nonnegative("lambda_j", "eigenvalue of the Laplacian", latex=r"\lambda_j")
_SPECTRAL = Step(
    "In an orthonormal basis of eigenvectors the quadratic form of the inverse is a sum of such quotients.",
    theorem=SPECTRAL,
    met={"symmetric": "A Laplacian is symmetric; its eigenvalues are not negative, as its form is a sum of squares."},
)

protects = page.elsewhere("§3, after the GOPA algorithm", "S39b").remark(
    "slides:pairwise-noise-protects",
    "Pairwise noise protects single values",
    both(
        le(_weight / (_se + (_sd + _more) * _eigen), _weight / (_se + _sd * _eigen)),
        Implies(
            both(gt(_eigen, 0), gt(_weight, 0), gt(_more, 0)),
            lt(_weight / (_se + (_sd + _more) * _eigen), _weight / (_se + _sd * _eigen)),
        ),
    ),
    r"Summed over the eigenvectors, the left side is $\mu_k^2$, the squared distance of two neighbours in units of the noise, with more pairwise noise: no party is worse off, and a party with an honest neighbour is better off.",
    wrong={
        "the other way": ge(_weight / (_se + (_sd + _more) * _eigen), _weight / (_se + _sd * _eigen)),
        "always strictly": lt(_weight / (_se + (_sd + _more) * _eigen), _weight / (_se + _sd * _eigen)),
    },
    steps=(_SPECTRAL, "slides:gopa", "beyond:hockey-stick-monotone-in-distance"),
)

_message = page.real("m_k", "message of an honest party", latex=r"\hat\theta_k")
_known = page.real("a_k", "its noises with corrupted parties")
_value = page.real("theta_k", "its value", latex=r"\theta_k")
_own = page.real("eta_k", "its independent noise", latex=r"\eta_k")
_honest = page.real("h_k", "its noises with honest parties")

adversary = page.elsewhere("§3, Privacy of GOPA", "S40").definition(
    "slides:gopa-adversary",
    "What the coalition sees of an honest party",
    eq(_message - _known, _value + _honest + _own),
    "The coalition knows the noises that corrupted parties have exchanged. The rest is a message of the protocol among honest parties alone, on the graph of these.",
    given=Hypothesis("the message", eq(_message, _value + _known + _honest + _own), "Algorithm GOPA protocol"),
    by=Smt(),
    wrong={"all pairwise noise is known": eq(_message - _known, _value + _own), "nothing is sent": without()},
    reading=r"Of a definition it is asked what it comes to. A proportion $1-\tau$ of the parties means $\tau K$ honest ones, a natural number; the graph is known to the coalition.",
)

_tau = page.real("tau", "proportion of honest parties", lower=0, lower_open=True, upper=1, latex=r"\tau")
_h = page.natural("n_H", "number of honest parties")
_gap = page.positive(
    "lambda_2", "smallest positive eigenvalue of the Laplacian among honest parties", latex=r"\lambda_2"
)
_large = page.positive("s_large", "variance of the pairwise noise", latex=r"\sigma_\Delta^2")
_rest = page.real("w_0", "what the mean leaves of the weight of party k", lower=0, upper=1)

spectrum = ours(page, "Privacy of GOPA").lemma(
    "beyond:gopa-distance",
    "The distance of neighbours on a connected graph",
    le(1 / (_h * _se) + _rest / (_se + _large * _eigen), 1 / (_h * _se) + 1 / (_large * _gap)),
    r"The constant vector is the only eigenvector with the eigenvalue 0; $e_k$ has the squared coordinate $\frac1{n_H}$ along it, and at most 1 along the others together.",
    given=Hypothesis("the graph among honest parties is connected", ge(_eigen, _gap)),
    wrong={"without the second term": 1 / (_h * _se), "not connected": without()},
    steps=(_SPECTRAL, "slides:gopa"),
)

_size = page.natural("s", "size of a set of honest parties")
_m = page.natural("m", "number of parties that each party selects")
_ALL = Hypothesis("honest parties", le(_tau * K, _h), "Privacy of GOPA")
_OTHERS = Hypothesis("there are others", gt(K, 1))

cut = ours(page, "Privacy of GOPA").lemma(
    "beyond:gopa-cut",
    "The exponent of a cut",
    ge(2 * _m * _size * (_h - _size) / (K - 1), _m * _tau * _size),
    r"The parties of a set and the other honest ones all fail to select across with a probability of at most $e^{-x}$ for the left side $x$: a party misses $j$ others with each of its choices with a probability of at most $1 - \frac j{K-1} \le e^{-j/(K-1)}$.",
    given=(Hypothesis("at most half of the honest parties", le(2 * _size, _h)), _ALL, _OTHERS),
    points={_tau: (0, 1), K: (2, 50), _h: (1, 50), _size: (1, 25), _m: (1, 9)},
    wrong={"twice": 2 * _m * _tau * _size, "all honest parties": without("at most half of the honest parties")},
)

_fail = page.positive(
    "delta_1", "the failure probability that the independent noise is set for", upper=1, latex=r"\delta'"
)
_q = page.nonnegative("y", "honest parties times e^(-m tau)")
_A, _B = real("a").symbol, real("b").symbol
union = ours(page, "Privacy of GOPA").lemma(
    "beyond:gopa-connected",
    "The graph among honest parties is connected",
    le(exp(_q) - 1, _fail),
    r"With $y = n_He^{-m\tau}$ the probability of a set without selections across is at most $\sum_{s\ge1}\binom{n_H}s e^{-m\tau s} \le e^y - 1$. So $m = \lceil\frac1\tau\ln(2n_H/\delta')\rceil$ selections are enough.",
    given=Hypothesis("the number of selections", le(2 * _q, _fail), "m tau is at least ln(2 n_H/delta')"),
    by=Deduction((Premise("beyond:exponential-above-its-tangents", {_A: _q, _B: 0}), Premise("rgm:s4-exponential-positive", {X.symbol: _q}))),
    wrong={"a quarter": _fail / 4, "few selections": without()},
    steps=("beyond:gopa-cut",),
)  # fmt: skip

_mu0 = page.nonnegative("mu_0", "distance that the central guarantee allows", latex=r"\mu")
_mu1 = page.nonnegative("mu_1", "distance with finite pairwise noise", latex=r"\mu'")
_H0 = page.nonnegative("H_0", "hockey-stick divergence at the distance mu", latex=r"H_\epsilon(\mu)")
_H1 = page.nonnegative("H_1", "the same at mu'", latex=r"H_\epsilon(\mu')")
_broken = page.nonnegative("f", "probability that the graph is not connected")
_total = page.nonnegative("delta_2", "failure probability of GOPA", latex=r"\delta")

_connected, _otherwise = (
    page.nonnegative("H_c", "hockey-stick divergence where the graph is connected"),
    page.nonnegative("H_b", "hockey-stick divergence where it is not"),
)
_AT_MOST = Hypothesis("no farther apart than the limit", le(_connected, _H1), by=("beyond:gopa-distance",))
_ONE = Hypothesis("a divergence is at most 1", le(_otherwise, 1))
graphs = ours(page, "Privacy of GOPA").lemma(
    "beyond:gopa-mean-over-graphs",
    "The divergence of GOPA is a mean over the graphs",
    le((1 - _broken) * _connected + _broken * _otherwise, _H1 + _broken),
    "The graph does not depend on the values, and the coalition may know it: what it sees has the mean of the divergences for each graph.",
    outputs="a mean of two numbers; the divergences in it are looked at where they are stated",
    given=(_AT_MOST, _ONE, Hypothesis("a probability", le(_broken, 1))),
    by=Smt(),
    wrong={"without the other graphs": _H1, "any graph": without(_AT_MOST), "more than 1": without(_ONE)},
    points={_broken: (0, 1), _otherwise: (0, 1), _H1: (0, 1), _connected: (0, 1, _connected * _H1)},
    steps=(
        TOWER.quoted("The failure probability at the level, given the graph.", "Failure probabilities lie between 0 and 1."),
        "beyond:hockey-stick-monotone-in-distance",
    ),
)  # fmt: skip

corrected = page.elsewhere("§3, Theorem (Privacy of GOPA)").correction(
    "slides:gopa-private-corrected",
    "The privacy of GOPA, with constants and both hypotheses",
    le(_total, 3 * _fail),
    r"With $m \ge \frac1\tau\ln(2\tau K/\delta')$ selections, and pairwise noise so large that the distance of neighbours exceeds its limit by at most $\delta'$: there is such a noise, as the distance is at most $\bigl(\frac1{n_H\sigma_\eta^2} + \frac1{\sigma_\Delta^2\lambda_2}\bigr)^{1/2}$.",
    outputs="puts the numbers of its steps together: the outputs are two Gaussians at the distance of beyond:gopa-distance, as slides:gaussian-mechanism-private looks at them",
    given=(
        Hypothesis("a graph that is not connected gives no protection", le(_total, _H1 + _broken), by=("beyond:gopa-mean-over-graphs",)),
        Hypothesis("the independent noise of honest parties is central", le(_H0, _fail), "Theorem (Privacy of GOPA)"),
        Hypothesis("the divergence has a slope of at most 1", le(_H1 - _H0, _mu1 - _mu0), by=("beyond:hockey-stick-slope",)),
        Hypothesis("large pairwise noise", le(_mu1, _mu0 + _fail), by=("beyond:gopa-distance",)),
        Hypothesis("enough selections", le(_broken, _fail), by=("beyond:gopa-connected",)),
    ),
    wrong={"delta' alone": _fail, "twice": 2 * _fail, "small pairwise noise": without("large pairwise noise"), "few selections": without("enough selections")},
    reading=r"The independent noise is set for the honest parties, whose noise alone protects: $n_H\sigma_\eta^2$ is the variance of the central mechanism for a sum. $m = O(\log(\tau K)/\tau)$ covers this number of selections if $\delta'$ is a power of $\frac1{\tau K}$.",
)  # fmt: skip

_d, _e = page.positive("mu_2", "distance of two outputs", latex=r"\mu"), page.real("e_0", "level", latex=r"\epsilon")


slope = ours(page, "Privacy of GOPA").lemma(
    "beyond:hockey-stick-slope",
    "The slope of the divergence of a Gaussian mechanism in the distance",
    eq(
        Derivative(
            (1 + erf((_d / 2 - _e / _d) / sqrt(2))) / 2 - exp(_e) * (1 + erf((-_d / 2 - _e / _d) / sqrt(2))) / 2, _d
        ),
        exp(-((_d / 2 - _e / _d) ** 2) / 2) / sqrt(2 * pi),
    ),
    r"This is the normal density at $\frac\mu2 - \frac\epsilon\mu$, and so it is at most $\frac1{\sqrt{2\pi}} < 1$.",
    by=Identity(),
    wrong={"twice": 2 * exp(-((_d / 2 - _e / _d) ** 2) / 2) / sqrt(2 * pi), "the other density": exp(-((_d / 2 + _e / _d) ** 2) / 2) / sqrt(2 * pi)},
    steps=("beyond:hockey-stick-equal-variances",),
)  # fmt: skip

_shorter, _longer = page.positive("t_1", "a distance"), page.positive("t_2", "a longer one")
rises = ours(page, "Privacy of GOPA").lemma(
    "beyond:slope-at-small-distances-rises",
    "Below the root of 2 epsilon the slope of the divergence grows with the distance",
    ge((_shorter / 2 - _e / _shorter) ** 2, (_longer / 2 - _e / _longer) ** 2),
    "The slope is the normal density at these places.",
    given=(
        Hypothesis("the distances", le(_shorter, _longer)),
        Hypothesis("below the root of twice the level", le(_longer**2, 2 * _e)),
    ),
    by=Smt(),
    points={_e: (0, 2), _longer: (0, 1, _longer * sqrt(2 * _e)), _shorter: (0, 1, _shorter * _longer * sqrt(2 * _e))},
    wrong={"the longer twice": ge((_shorter / 2 - _e / _shorter) ** 2, 2 * (_longer / 2 - _e / _longer) ** 2), "any order": without("the distances"), "any level": without("below the root of twice the level")},
    steps="beyond:hockey-stick-slope",
)  # fmt: skip

_constant_of_order = page.natural("C_1", "constant of the order", latex="C")
_mu = named(r"\mu", 1 / sqrt(40 * _constant_of_order))
_exponent = ((_mu / 2 - 1 / _mu) ** 2 - (Rational(6, 5) * _mu / 2 - 1 / (Rational(6, 5) * _mu)) ** 2) / 2
_growth = named("g", exp(expand(_exponent)))
grows = ours(page, "Privacy of GOPA").lemma(
    "beyond:slope-outgrows-a-constant",
    "How fast the slope grows at small distances",
    gt(_growth, 5 * _constant_of_order),
    r"On the left is the slope of the divergence at $\frac65\mu$ over that at $\mu$, at the level 1.",
    points={_constant_of_order: (1, 60)},
    wrong={"to the hundredth power": 5 * _constant_of_order * 10**300, "turned": turned()},
    steps=(Premise("beyond:exponential-above-its-tangents", {_A: 0, _B: expand(_exponent)}), "beyond:hockey-stick-slope"),
)  # fmt: skip

_density = page.positive("w_1", "the distance mu times the slope at it")
_growing = page.positive("g_1", "slope at 6/5 mu over that at mu", latex="g")
_near = page.positive("h_0", "divergence at the distance mu, delta'", latex=r"\delta'")
_further = page.positive("h_1", "divergence at the root of 2 times mu, a lower bound of delta", latex=r"\delta")
_RISES = "beyond:slope-at-small-distances-rises"
_SLOPES = (
    Hypothesis("the way to mu has at most the slope at its end", le(_near, _density), by=(_RISES,)),
    Hypothesis("a fifth of mu beyond has at least the slope at its start", ge(5 * _further, _growing * _density), by=(_RISES,)),
)  # fmt: skip
theorem = page.elsewhere("§3, Theorem (Privacy of GOPA)", "S41").theorem(
    "slides:gopa-private",
    "The privacy of GOPA",
    le(_further, _constant_of_order * _near),
    r"There is a constant that serves every $\delta'$, at $\epsilon = 1$ and $\tau = \frac12$. The independent noise of all $K$ parties is that of the central model and puts neighbours $\mu = (40\,C)^{-1/2}$ apart. The coalition knows half of it, so that for it they are at least $\sqrt2\mu > \frac65\mu + \frac15\mu$ apart, whatever the graph and the pairwise noise are.",
    printed=r"\delta = O(\delta')",
    exists=True,
    outputs="asked for every constant, which no single release decides",
    given=(*_SLOPES, Hypothesis("the slope outgrows the constant", gt(_growing, 5 * _constant_of_order), by=("beyond:slope-outgrows-a-constant",))),
    by=Smt(),
    steps=(FUNDAMENTAL.quoted("The slopes are integrated from 0 to one distance, and from the middle one to the longer one.", "The divergence is continuous, and 0 at the distance 0.", "The slope is a density."),),
    mistake=("missing hypothesis", "slides:gopa-private-corrected"),
    reading=r"The central model is that of the estimate on the slide before, whose noise is $\frac1K\sum_k\eta_k$. The orders are in $\tau K$ and in $\delta'$, and are judged for every constant.",
    remark=r"Two hypotheses are missing: that the noise is set for the honest parties alone (`beyond:gopa-noise-of-all-parties`), and that the number of selections grows as $\delta'$ falls (`beyond:gopa-isolated-party`). With both it holds.",
)  # fmt: skip

_c2 = page.positive("c_2", "squared factor of the calibration, 2 ln(1.25/delta')", latex=r"c^2")
_variance = page.positive("s_0", "variance of the independent noise of a party", latex=r"\sigma_\eta^2")
_BY_ALL = Hypothesis("all parties share the noise of the central mechanism", eq(K * _variance, _c2 / epsilon**2))
_BY_HONEST = Hypothesis(
    "the honest parties share the noise of the central mechanism",
    eq(_tau * K * _variance, _c2 / epsilon**2),
    "Theorem (Privacy of GOPA)",
)
_ANY = {_tau: (0, 1), K: (1, 50), _c2: (0, 9), epsilon: (0, 2)}

all_parties = ours(page, "Theorem (Privacy of GOPA)").remark(
    "beyond:gopa-noise-of-all-parties",
    "Independent noise that is set for all parties",
    both(eq(_tau * K * _variance, _tau * _c2 / epsilon**2), Implies(lt(_tau, 1), lt(_tau * K * _variance, _c2 / epsilon**2))),
    r"The central mechanism for the sum of $K$ values has the variance $c^2/\epsilon^2$. If $K$ parties share it, the honest ones have $\tau$ times as much, and pairwise noise adds nothing to it: neighbours are $\tau^{-1/2}$ times as far apart as the guarantee allows.",
    given=_BY_ALL,
    by=Smt(),
    points={**_ANY, _variance: _c2 / (K * epsilon**2)},
    wrong={"all of it": eq(_tau * K * _variance, _c2 / epsilon**2), "the square of the share": eq(_tau * K * _variance, _tau**2 * _c2 / epsilon**2)},
    steps=("beyond:gopa-distance",),
)  # fmt: skip

_miss = page.real(
    "b_0",
    "probability that an honest party and all honest others do not select each other",
    lower=0,
    lower_open=True,
    upper=1,
)
_O = page.positive("C", "any constant")
isolated = ours(page, "Theorem (Privacy of GOPA)").remark(
    "beyond:gopa-isolated-party",
    "A number of selections that does not depend on delta'",
    Implies(lt(2 * _O * _fail, _miss), gt(_miss * Rational(1, 2), _O * _fail)),
    r"With $m < (1-\tau)K$ selections a party is isolated among honest ones with a positive probability $b$, which does not depend on $\delta'$. Its message is then protected by its own noise alone, and for large $K$ by nearly nothing: the failure probability is at least about $\frac b2$, above $C\delta'$ for every constant $C$ once $\delta' < \frac b{2C}$.",
    wrong={"a tenth": Implies(lt(2 * _O * _fail, _miss), gt(_miss / 10, _O * _fail)), "always": gt(_miss / 2, _O * _fail)},
)  # fmt: skip

_error_central = named(r"\mathrm{MSE}_{\mathrm{central}}", _c2 / (K * epsilon) ** 2)
_error_gopa = named(r"\mathrm{MSE}_{\mathrm{GOPA}}", K * _variance / K**2)

same_utility = page.elsewhere("§3, after the GOPA theorem", "S42").remark(
    "slides:gopa-same-utility",
    "The utility of GOPA is that of central privacy",
    eq(_error_gopa, _error_central),
    r"Each party adds independent noise of the variance that lets the $\tau K$ honest ones reach the guarantee together.",
    given=_BY_HONEST,
    points={**_ANY, _variance: _c2 / (_tau * K * epsilon**2)},
    category="false",
    corrected="slides:gopa-utility",
    reading="Same means equal. If the noise were set so that it is, the privacy theorem would fail: `beyond:gopa-noise-of-all-parties`.",
    remark="It is the same with no corrupted parties, and of the same order for every fixed share of them. The number of messages is logarithmic: a party selects $m$ others, and is selected by $m$ on average.",
)  # fmt: skip

utility = page.elsewhere("§3, after the GOPA theorem").correction(
    "slides:gopa-utility",
    "The variance of the average that GOPA gives",
    eq(_tau * _error_gopa, _error_central),
    r"It is $\frac1\tau$ times that of the trusted curator.",
    given=_BY_HONEST,
    by=Smt(),
    points={**_ANY, _variance: _c2 / (_tau * K * epsilon**2)},
    wrong={"the root": left(sqrt(_tau) * _error_gopa), "equal": left(_error_gopa), "no noise is known": without()},
    steps=("slides:gopa-average",),
)  # fmt: skip

similar = page.elsewhere("§3, GOPA: empirical illustration", "S43").remark(
    "slides:gopa-similar-variance",
    "The variance of GOPA and that of a trusted curator",
    says="For reasonable shares of honest parties both variances are similar.",
    informal=r"Which shares are reasonable, and how far similar reaches, is not said. The quotient is one over the share of the honest parties: slides:gopa-utility.",
)
