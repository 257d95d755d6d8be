r"""Section 3: relative sensitivity, what it says of the norms and of the local sensitivity of two neighbours.

Definition 2 bounds the distance of two neighbouring outputs by $\ell(x) = \sqrt{\eta^2|R(x)|^2 + R_{rel}^2}$, a bound on the local sensitivity at x.
This bound varies slowly: $\ell(x) \le (1+\eta)\,\ell(y)$, always. The norms themselves are comparable only up to an additive term, and the true local
sensitivities are not comparable at all: a neighbour of x need not be one of y.
"""

from sympy import Max, Min, Rational, exp, log, sqrt

from rgm_verify.claims import (
    Chart,
    Claim,
    Hypothesis,
    Iff,
    Implies,
    Mutant,
    Step,
    Tightness,
    both,
    eq,
    ge,
    gt,
    le,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.lenses import Combination, Deduction, Premise, Search, Smt, Units

from ..beyond.exact_renyi import divergence
from .notation import (
    ETA,
    PAIR,
    R_REL,
    RELATIVE_SENSITIVITY,
    a,
    alpha,
    b,
    c,
    d,
    distance2,
    eta,
    gamma,
    r_rel,
    sigma2,
)

_SOURCE = "rgm-v1+v2"
_PARAMETERS = (*PAIR, ETA, R_REL)
_AT_X, _AT_Y = RELATIVE_SENSITIVITY
#: The squares of the bounds on the local sensitivity at x and at y.
bound_x = eta**2 * a**2 + r_rel**2
bound_y = eta**2 * b**2 + r_rel**2
#: Pairs on a line, R(x) = R(y) + distance, where the definition is an equality at y.
_EXTREME = Chart(
    {b: (0, None), eta: (0, None), r_rel: (0, None)}, {a: b + sqrt(bound_y), c: 1 + 0 * b, b: b, eta: eta, r_rel: r_rel}
)

_LARGER = nonnegative("S", "another additive constant")
_LARGER_ETA = positive("theta", "another relative constant")
_R_ABS = positive("R_abs", "absolute sensitivity")
_t = nonnegative("t").symbol
_larger, _larger_eta, _r_abs = _LARGER.symbol, _LARGER_ETA.symbol, _R_ABS.symbol

upward_closed = Claim(
    id="rgm:definition-2",
    refs=("A03",),
    title="Relative sensitivity: larger constants are weaker",
    source=_SOURCE,
    where="§3, Definition 2; v1 (3), v2 (3)",
    kind="definition",
    statement=r"A query that meets the definition with $(\eta, R_{rel})$ meets it with any larger constants.",
    variables=(*_PARAMETERS, _LARGER_ETA, _LARGER),
    hypotheses=(
        _AT_X,
        Hypothesis("larger eta", ge(_larger_eta, eta)),
        Hypothesis("larger additive constant", ge(_larger, r_rel)),
    ),
    conclusion=le(distance2, _larger_eta**2 * a**2 + _larger**2),
    reading=(
        r"The definition as printed asks for $R_{rel} > 0$, while the paper also uses $R_{rel} = 0$. A query that meets it with 0 meets it with every "
        r"positive constant, so nothing is lost or gained; the claims here allow 0. (The definition names an algorithm but speaks of its query.)"
    ),
    checks=(
        Combination(
            terms=(
                (bound_x - distance2,),
                (a**2, _larger_eta - eta, _larger_eta + eta),
                (_larger - r_rel, _larger + r_rel),
            )
        ),
        Smt(),
        Units({a: 1, b: 1, r_rel: 1, _larger: 1}),
    ),
    mutants=(
        Mutant("direction", ge(distance2, _larger_eta**2 * a**2 + _larger**2)),
        Mutant("a smaller eta", hypotheses=(_AT_X, Hypothesis("larger additive constant", ge(_larger, r_rel)))),
        Mutant("without squares", le(distance2, _larger_eta * a + _larger)),
    ),
)

satisfiable = Claim(
    id="rgm:definition-2-satisfied-by-absolute",
    refs=("A03",),
    title="Every query of absolute sensitivity meets Definition 2",
    source=_SOURCE,
    where="§3, Definition 2",
    kind="definition",
    statement=r"Absolute sensitivity $R_{abs}$ gives relative sensitivity with $R_{rel} = R_{abs}$ and any $\eta > 0$.",
    variables=(*PAIR, ETA, _R_ABS),
    hypotheses=(Hypothesis("absolute sensitivity", le(distance2, _r_abs**2), "v1 (2), v2 (2)"),),
    conclusion=le(distance2, eta**2 * a**2 + _r_abs**2),
    checks=(Combination(terms=((_r_abs**2 - distance2,), (eta**2, a**2))), Smt()),
    mutants=(
        Mutant("half of R_abs", le(distance2, eta**2 * a**2 + _r_abs**2 / 4)),
        Mutant("no absolute sensitivity", hypotheses=()),
    ),
)

symmetric = Claim(
    id="rgm:relative-sensitivity-symmetric",
    refs=("A04",),
    title="The definition with the smaller of the two norms",
    source=_SOURCE,
    where="§3, after v1 (3), v2 (3)",
    kind="remark",
    statement="Asking the inequality of a pair in both orders is asking it with the smaller of the two norms.",
    variables=_PARAMETERS,
    conclusion=Iff(
        both(_AT_X.formula, _AT_Y.formula),
        le(distance2, eta**2 * Min(a**2, b**2) + r_rel**2),
    ),
    reading="The relation of being neighbours is symmetric, so that the definition speaks of both orders.",
    checks=(Smt(),),
    mutants=(
        Mutant("one order only", Iff(_AT_X.formula, le(distance2, eta**2 * Min(a**2, b**2) + r_rel**2))),
        Mutant(
            "the larger norm",
            Iff(both(_AT_X.formula, _AT_Y.formula), le(distance2, eta**2 * Max(a**2, b**2) + r_rel**2)),
        ),
        Mutant(
            "the additive constant twice",
            Iff(both(_AT_X.formula, _AT_Y.formula), le(distance2, eta**2 * Min(a**2, b**2) + 2 * r_rel**2)),
        ),
    ),
)

_ETA_0 = nonnegative("eta", "relative sensitivity, 0 included")
_eta_0 = _ETA_0.symbol

eta_zero = Claim(
    id="rgm:relative-sensitivity-at-zero",
    refs=("A05",),
    title="Without a relative part, sensitivity is absolute",
    source=_SOURCE,
    where="§3, after v1 (3), v2 (3)",
    kind="remark",
    statement=r"For $\eta = 0$ the definition is absolute sensitivity with $R_{abs} = R_{rel}$.",
    variables=(*PAIR, _ETA_0, R_REL),
    hypotheses=(Hypothesis("no relative part", le(_eta_0, 0)),),
    conclusion=Iff(le(distance2, _eta_0**2 * a**2 + r_rel**2), le(distance2, r_rel**2)),
    reading=r"The definition itself asks for $\eta > 0$; the claim takes its inequality at $\eta = 0$.",
    checks=(Smt(),),
    sampling=Chart(
        {a: (0, None), b: (0, None), c: (-1, 1), r_rel: (0, None)}, {_eta_0: 0 * a, a: a, b: b, c: c, r_rel: r_rel}
    ),
    mutants=(
        Mutant("any eta", hypotheses=()),
        Mutant("R_rel without its square", Iff(le(distance2, _eta_0**2 * a**2 + r_rel**2), le(distance2, r_rel))),
    ),
)

_N = natural("n", "number of people")
_OTHERS = nonnegative("T", "sum of the salaries of the people in both datasets")
_OLD, _NEW = (
    positive("s", "salary in x of the person who differs"),
    positive("t", "salary in y of the person who differs"),
)
_n, _others, _old, _new = (v.symbol for v in (_N, _OTHERS, _OLD, _NEW))
_TENTH = Rational(1, 10)
_mean_x, _mean_y = (_others + _old) / _n, (_others + _new) / _n
_WITHIN_X = (
    Hypothesis("the law in x, from above", le(_others, (_n - 1) * (1 + _TENTH) * _old)),
    Hypothesis("the law in x, from below", le((_n - 1) * _old, (1 + _TENTH) * _others)),
)
_WITHIN_Y = (
    Hypothesis("the law in y, from above", le(_others, (_n - 1) * (1 + _TENTH) * _new)),
    Hypothesis("the law in y, from below", le((_n - 1) * _new, (1 + _TENTH) * _others)),
)
_WITHIN_PERSON = (
    Hypothesis("the law between s and t", le(_old, (1 + _TENTH) * _new)),
    Hypothesis("the law between t and s", le(_new, (1 + _TENTH) * _old)),
)
_SALARY_READING = (
    "Two salaries are within 10% of each other if neither exceeds 11/10 of the other; neighbours differ in one person's salary. "
    "Of the people in both datasets only the sum counts, which the law confines as stated."
)
_SALARIES = (_N, _OTHERS, _OLD, _NEW)
_SALARY_POINTS = Chart(
    {_n: (0, None), _old: (0, None), _others: (0, 1), _new: (0, 1)},
    {
        _others: (_n - 1) * _old * (1 + (2 * _others - 1) * _TENTH),
        _new: _old * (1 + (2 * _new - 1) * _TENTH),
        _old: _old,
        _n: _n,
    },
)

salary_together = Claim(
    id="rgm:salary-example",
    refs=("A06",),
    title="The salary example, the law holding across both datasets",
    source=_SOURCE,
    where="§3, Examples",
    kind="remark",
    statement=r"If all salaries of both datasets are within 10% of each other, the mean has relative sensitivity $\eta = 1/10$, $R_{rel} = 0$.",
    variables=_SALARIES,
    hypotheses=(*_WITHIN_X, *_WITHIN_Y, *_WITHIN_PERSON),
    conclusion=le((_mean_x - _mean_y) ** 2, _TENTH**2 * _mean_x**2 + 0),
    reading=_SALARY_READING + " The people considered are those of x and y together.",
    checks=(Smt(),),
    sampling=_SALARY_POINTS,
    mutants=(
        Mutant("eta = 1/20", le((_mean_x - _mean_y) ** 2, _TENTH**2 * _mean_x**2 / 4)),
        Mutant("without the law between s and t", hypotheses=(*_WITHIN_X, *_WITHIN_Y)),
        Mutant("eta = 1/1000", le((_mean_x - _mean_y) ** 2, _TENTH**6 * _mean_x**2)),
    ),
)

salary_sharper = Claim(
    id="beyond:salary-example-by-number",
    title="The salary example: the mean is n times less sensitive",
    source="beyond",
    where="§3, Examples",
    kind="remark",
    statement=r"If all salaries of both datasets are within 10% of each other, $\eta = \frac{1}{10 n}$ will do for the mean of n salaries.",
    variables=_SALARIES,
    hypotheses=(*_WITHIN_X, *_WITHIN_Y, *_WITHIN_PERSON),
    conclusion=le((_mean_x - _mean_y) ** 2, (_TENTH / _n) ** 2 * _mean_x**2),
    reading=_SALARY_READING,
    checks=(Smt(),),
    sampling=_SALARY_POINTS,
    mutants=(
        Mutant("eta = 1/(20 n)", le((_mean_x - _mean_y) ** 2, (_TENTH / (2 * _n)) ** 2 * _mean_x**2)),
        Mutant("eta of order 1/n^2", le((_mean_x - _mean_y) ** 2, (_TENTH / _n**2) ** 2 * _mean_x**2)),
        Mutant("no law between s and t", hypotheses=(*_WITHIN_X, *_WITHIN_Y)),
    ),
)

salary_apart = Claim(
    id="beyond:salary-example-each-dataset",
    title="The salary example, the law holding within each dataset",
    source="beyond",
    where="§3, Examples",
    kind="remark",
    statement=r"If the salaries within each dataset are within 10% of each other, the mean has relative sensitivity $\eta = 1/10$, $R_{rel} = 0$.",
    variables=_SALARIES,
    hypotheses=(*_WITHIN_X, *_WITHIN_Y),
    conclusion=le((_mean_x - _mean_y) ** 2, _TENTH**2 * _mean_x**2 + 0),
    reading=_SALARY_READING + " The people considered are those of one dataset.",
    checks=(Smt(),),
    category="missing hypothesis",
    corrected="beyond:salary-example-two-people",
    remark="A job with one employee: the law then says nothing, and the mean is that salary.",
)

salary_two = Claim(
    id="beyond:salary-example-two-people",
    title="The salary example with at least two people",
    source="beyond",
    where="§3, Examples",
    kind="remark",
    statement=r"If the salaries within each dataset are within 10% of each other and $n \ge 2$, the mean has relative sensitivity $\eta = 1/10$, $R_{rel} = 0$.",
    variables=_SALARIES,
    hypotheses=(*_WITHIN_X, *_WITHIN_Y, Hypothesis("two people", ge(_n, 2))),
    conclusion=le((_mean_x - _mean_y) ** 2, _TENTH**2 * _mean_x**2),
    reading=_SALARY_READING,
    checks=(Smt(),),
    mutants=(
        Mutant("one person", hypotheses=(*_WITHIN_X, *_WITHIN_Y)),
        Mutant("eta = 9/100", le((_mean_x - _mean_y) ** 2, Rational(9, 100) ** 2 * _mean_x**2)),
        Mutant("the law in x only", hypotheses=(*_WITHIN_X, Hypothesis("two people", ge(_n, 2)))),
    ),
    sampling=Chart(
        {_n: (0, None), _old: (0, None), _others: (0, 1), _new: (0, 1)},
        {
            _n: 1 + _n,
            _others: _n * _old * (Rational(10, 11) + Rational(21, 110) * _others),
            _new: _old
            * (Rational(10, 11) + Rational(21, 110) * _others)
            * (Rational(10, 11) + Rational(21, 110) * _new),
            _old: _old,
        },
    ),
)

_LOCAL = nonnegative("LS", "local sensitivity at x: the distance to the farthest neighbour")
_local = _LOCAL.symbol

local_bound = Claim(
    id="rgm:local-sensitivity-bound",
    refs=("A07.v1", "A07.v2"),
    title="The definition bounds the local sensitivity",
    source=_SOURCE,
    where="§3, Links to local sensitivity",
    kind="remark",
    statement=r"The local sensitivity at $x$ is at most $\sqrt{\eta^2|R(x)|^2 + R_{rel}^2}$, which depends on $x$.",
    variables=(*_PARAMETERS, _LOCAL),
    hypotheses=(
        _AT_X,
        Hypothesis("y is the farthest neighbour of x", eq(_local**2, distance2), "definition of the local sensitivity"),
    ),
    conclusion=le(_local, sqrt(bound_x)),
    checks=(Smt(),),
    sampling=Chart(
        {a: (0, None), b: (0, 1), eta: (0, None), r_rel: (0, None)},
        {b: a * (1 + b * eta), _local: a * b * eta, c: 1 + 0 * a, a: a, eta: eta, r_rel: r_rel},
    ),
    mutants=(
        Mutant("a bound that does not depend on x", le(_local, sqrt(eta**2 + r_rel**2))),
        Mutant("without the square root", le(_local, bound_x)),
        Mutant("the absolute part only", le(_local, r_rel)),
    ),
)

norms = Claim(
    id="rgm:comparable-norms",
    refs=("A08",),
    title="Comparable norms, up to an additive term",
    source=_SOURCE,
    where="§3, Links to local sensitivity",
    kind="remark",
    statement=r"The norms of neighbouring outputs obey $|R(x)| \le (1+\eta)|R(y)| + R_{rel}$, in both orders.",
    variables=_PARAMETERS,
    hypotheses=RELATIVE_SENSITIVITY,
    conclusion=both(le(a, (1 + eta) * b + r_rel), le(b, (1 + eta) * a + r_rel)),
    reading=(
        "Comparable: each is bounded by an affine function of the other, which is what Definition 2 with its absolute part can give. As a ratio they "
        "are comparable without that part only: beyond:comparable-norms-without-additive-part."
    ),
    checks=(Smt(), Units({a: 1, b: 1, r_rel: 1})),
    sampling=_EXTREME,
    mutants=(
        Mutant("1 + eta becomes 1", both(le(a, b + r_rel), le(b, a + r_rel))),
        Mutant("without the additive term", both(le(a, (1 + eta) * b), le(b, (1 + eta) * a))),
        Mutant("one order of the definition", hypotheses=(_AT_X,)),
    ),
)

norms_ratio = Claim(
    id="rgm:comparable-norms-ratio",
    title="Comparable norms, as a ratio",
    source="beyond",
    where="§3, Links to local sensitivity",
    kind="remark",
    statement="If the output at $y$ is 0, so is the output at every neighbour $x$: what any bound on the ratio of the norms entails.",
    variables=_PARAMETERS,
    hypotheses=RELATIVE_SENSITIVITY,
    conclusion=Implies(le(b, 0), le(a, 0)),
    reading=r"A stricter reading than the text asks for. Comparable: $|R(x)| \le K|R(y)|$ with some constant K for all neighbours. Judged by a consequence, which no K can do without.",
    checks=(Search(), Smt()),
    sampling=Chart(
        {r_rel: (0, None), eta: (0, None)}, {a: r_rel, b: 0 * r_rel, c: 1 + 0 * r_rel, r_rel: r_rel, eta: eta}
    ),
    category="missing hypothesis",
    corrected="beyond:comparable-norms-without-additive-part",
    remark="The additive part lets one output vanish and not the other; the baseline noise of the mechanism is there for these pairs.",
)

norms_without_additive = Claim(
    id="beyond:comparable-norms-without-additive-part",
    title="Without an additive part, norms are comparable as a ratio",
    source="beyond",
    where="§3, Links to local sensitivity",
    kind="remark",
    statement=r"For $R_{rel} = 0$ the norms of neighbouring outputs differ at most by the factor $1+\eta$.",
    variables=(*PAIR, ETA),
    hypotheses=(
        Hypothesis("relative sensitivity at x", le(distance2, eta**2 * a**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le(distance2, eta**2 * b**2), "Definition 2, by symmetry"),
    ),
    conclusion=both(le(a, (1 + eta) * b), le(b, (1 + eta) * a)),
    checks=(Smt(),),
    sampling=Chart({b: (0, None), eta: (0, None)}, {a: (1 + eta) * b, c: 1 + 0 * b, b: b, eta: eta}),
    mutants=(
        Mutant("a smaller factor", both(le(a, (1 + eta / 2) * b), le(b, (1 + eta / 2) * a))),
        Mutant("one order of the definition", hypotheses=(Hypothesis("at x", le(distance2, eta**2 * a**2)),)),
    ),
)

variation = Claim(
    id="rgm:local-sensitivity-variation",
    refs=("A09a", "A09b"),
    title="The induced local sensitivities of neighbours are comparable",
    source=_SOURCE,
    where="§3, Links to local sensitivity; v1 also §2",
    kind="remark",
    statement=r"The bounds $\ell(x)^2 = \eta^2|R(x)|^2 + R_{rel}^2$ of neighbours obey $\ell(x) \le (1+\eta)\,\ell(y)$.",
    variables=_PARAMETERS,
    hypotheses=(_AT_Y,),
    conclusion=le(bound_x, (1 + eta) ** 2 * bound_y),
    reading="Local sensitivity stands for the bound on it that the definition induces; multiplied out, so that it may be 0.",
    checks=(
        Combination(
            terms=(
                (eta, (a - (1 + eta) * b * c) ** 2),
                (eta, (1 + eta) ** 2, b**2, 1 + c, 1 - c),
                (eta, 1 + eta, bound_y - distance2),
                (eta, r_rel**2),
            ),
        ),
        Smt(),
        Units({a: 1, b: 1, r_rel: 1}),
    ),
    sampling=_EXTREME,
    mutants=(
        Mutant("1 + eta without the square", le(bound_x, (1 + eta) * bound_y)),
        Mutant("no sensitivity", hypotheses=()),
        Mutant("direction", ge(bound_x, (1 + eta) ** 2 * bound_y)),
    ),
    tightness=(
        Tightness(
            (1 + eta) ** -2 + (1 - (1 + eta) ** -2) / (1 + _t**2),
            {eta: (Rational(1, 100), 1), _t: (0, 3)},
            r"$\ell(x)^2$ over its bound for $R(x) = (1+\eta)R(y)$ and $R_{rel} = t\eta|R(y)|$",
            plot=(_t,),
            at={eta: Rational(1, 10)},
        ),
    ),
)

_OUT_X, _OUT_Z = (real(f"R_{n}", f"output at {n}, in dimension 1") for n in "xz")
_out_x, _out_z = _OUT_X.symbol, _OUT_Z.symbol

true_local = Claim(
    id="rgm:comparable-local-sensitivities",
    refs=("A09b",),
    title="The true local sensitivities of neighbours are comparable",
    source=_SOURCE,
    where="§3, Links to local sensitivity",
    kind="remark",
    statement="If the local sensitivity at $y$ is 0, so is that at its neighbour $x$: what any bound on their ratio entails.",
    variables=(_OUT_X, _OUT_Z, ETA, R_REL),
    hypotheses=(
        Hypothesis(
            "relative sensitivity at x", le((_out_x - _out_z) ** 2, eta**2 * _out_x**2 + r_rel**2), "Definition 2"
        ),
        Hypothesis(
            "relative sensitivity at z", le((_out_x - _out_z) ** 2, eta**2 * _out_z**2 + r_rel**2), "Definition 2"
        ),
    ),
    conclusion=le((_out_x - _out_z) ** 2, 0),
    reading=(
        r"$LS(x) \le K\,LS(y)$ with some constant K. The neighbours are x ~ y and x ~ z, but not y ~ z, and $R(y) = R(x)$: then $LS(y) = 0$ "
        r"and $LS(x) = |R(x) - R(z)|$."
    ),
    scope="instance",
    missing="Outputs on the line.",
    checks=(Search(), Smt()),
    category="false",
    corrected="rgm:local-sensitivity-variation",
    remark="A neighbour of x need not be one of y. What varies slowly is the bound that the definition puts on the local sensitivity.",
)

smooth = Claim(
    id="rgm-v2:smooth-sensitivity",
    refs=("A10",),
    title="Relative sensitivity gives a smooth upper bound",
    source="rgm-v2",
    where="§3, Links to local sensitivity",
    kind="remark",
    statement=(
        r"$S(x) = \sqrt{\eta^2|R(x)|^2 + R_{rel}^2}$ bounds the local sensitivity and obeys $S(x) \le e^\beta S(y)$ for neighbours, with "
        r"$\beta = \log(1+\eta)$: a smooth upper bound."
    ),
    variables=_PARAMETERS,
    hypotheses=RELATIVE_SENSITIVITY,
    conclusion=both(le(distance2, bound_x), le(bound_x, exp(log(1 + eta)) ** 2 * bound_y)),
    reading="A form of smooth sensitivity: a smooth upper bound on the local sensitivity in the sense of Nissim et al.; both sides are squared.",
    checks=(Deduction((Premise("rgm:local-sensitivity-variation"),)),),
    sampling=_EXTREME,
    mutants=(
        Mutant("smoothness log(1 + eta/2)", both(le(distance2, bound_x), le(bound_x, (1 + eta / 2) ** 2 * bound_y))),
        Mutant("half of the bound", both(le(distance2, bound_x / 4), le(bound_x, (1 + eta) ** 2 * bound_y))),
        Mutant("no sensitivity at y", hypotheses=(_AT_X,)),
    ),
    derivation=(
        Step("The definition bounds the local sensitivity.", "rgm:local-sensitivity-bound"),
        Step("The bounds of neighbours are comparable.", "rgm:local-sensitivity-variation"),
    ),
)

_EXAMPLE = {eta: _TENTH, gamma: 1, alpha: 2, d: 1, sigma2: 100 * r_rel**2}

private = Claim(
    id="rgm:private-with-additive-part",
    refs=("A11",),
    title="Privacy with an additive part",
    source=_SOURCE,
    where="§3, Links to local sensitivity",
    kind="remark",
    statement=(
        r"With $\eta = 1/10$, $\gamma = 1$, $\sigma^2 = 100 R_{rel}^2$ in dimension 1 the relative mechanism is $(2, 1/20)$-Rényi "
        r"differentially private, for every $R_{rel} > 0$."
    ),
    variables=(*PAIR, R_REL),
    hypotheses=(
        Hypothesis("relative sensitivity at x", le(distance2, a**2 / 100 + r_rel**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le(distance2, b**2 / 100 + r_rel**2), "Definition 2"),
        Hypothesis("an additive part", gt(r_rel, 0)),
    ),
    conclusion=le(divergence.subs(_EXAMPLE), Rational(1, 20)),
    reading="To release privately: some order and level of Rényi differential privacy hold for all neighbours, whatever their outputs.",
    checks=(Deduction((Premise("beyond:closed-bound", _EXAMPLE),)),),
    sampling=Chart({b: (0, None), r_rel: (0, None)}, {a: Rational(11, 10) * b, c: 1 + 0 * b, b: b, r_rel: r_rel}),
    mutants=(
        Mutant("half of the level", le(divergence.subs(_EXAMPLE), Rational(1, 40))),
        Mutant(
            "a hundredth of the baseline noise", le(divergence.subs({**_EXAMPLE, sigma2: r_rel**2}), Rational(1, 20))
        ),
        Mutant("no sensitivity", hypotheses=(Hypothesis("an additive part", gt(r_rel, 0)),)),
    ),
    derivation=(Step("The closed bound on the divergence of every admissible pair.", "beyond:closed-bound"),),
)
