r"""Section 3: relative sensitivity, what it says of the norms and of the local sensitivity of two neighbours.

Definition 2 bounds the distance of two neighbouring outputs by $\ell(x) = \sqrt{\eta^2|R(x)|^2 + R_{rel}^2}$, a bound on the local sensitivity at x.
This bound varies slowly: $\ell(x) \le (1+\eta)\,\ell(y)$, always. The norms themselves are comparable only up to an additive term, and the true local
sensitivities are not comparable at all: a neighbour of x need not be one of y.
"""

from ..notation import *

page = Page("rgm-v1+v2", "§3", NOTATION)
_AT_X, _AT_Y = RELATIVE_SENSITIVITY
#: The squares of the bounds on the local sensitivity at x and at y.
bound_x = eta**2 * a**2 + r_rel**2
bound_y = eta**2 * b**2 + r_rel**2
#: Pairs on a line, R(x) = R(y) + distance, where the definition is an equality at y.
_EXTREME = {a: b + sqrt(bound_y), c: 1}
_larger = page.nonnegative("S", "another additive constant", latex=r"\tilde R_{rel}")
_larger_eta = page.positive("theta", "another relative constant", latex=r"\tilde\eta")
_r_abs = page.positive("R_abs", "absolute sensitivity")
_t = nonnegative("t").symbol

upward_closed = page.at("Definition 2; v1 (3), v2 (3)", "A03").definition(
    "rgm:definition-2",
    "Relative sensitivity: larger constants are weaker",
    le(distance2, _larger_eta**2 * a**2 + _larger**2),
    given=(
        _AT_X,
        Hypothesis("larger eta", ge(_larger_eta, eta)),
        Hypothesis("larger additive constant", ge(_larger, r_rel)),
    ),
    by=(
        combination(
            (bound_x - distance2,), (a**2, _larger_eta - eta, _larger_eta + eta), (_larger - r_rel, _larger + r_rel)
        ),
        Smt(),
        Units({a: 1, b: 1, r_rel: 1, _larger: 1}),
    ),
    wrong={"direction": turned(), "a smaller eta": without("larger eta"), "without squares": _larger_eta * a + _larger},
    reading=r"The definition as printed asks for $R_{rel} > 0$, while the paper also uses $R_{rel} = 0$. A query that meets it with 0 meets it with every "
    r"positive constant, so nothing is lost or gained; the claims here allow 0. (The definition names an algorithm but speaks of its query.)",
)

satisfiable = page.at("Definition 2", "A03").definition(
    "rgm:definition-2-satisfied-by-absolute",
    "Every query of absolute sensitivity meets Definition 2",
    le(distance2, eta**2 * a**2 + _r_abs**2),
    r"Here $R_{abs}$ is the additive constant, and the relative one is any.",
    given=Hypothesis("absolute sensitivity", le(distance2, _r_abs**2), "v1 (2), v2 (2)"),
    by=(combination((_r_abs**2 - distance2,), (eta**2, a**2)), Smt()),
    wrong={"half of R_abs": eta**2 * a**2 + _r_abs**2 / 4, "no absolute sensitivity": without()},
)

_BOTH_ORDERS = both(_AT_X.formula, _AT_Y.formula)
_SMALLER_NORM = le(distance2, eta**2 * Min(a**2, b**2) + r_rel**2)

symmetric = page.at("after v1 (3), v2 (3)", "A04").remark(
    "rgm:relative-sensitivity-symmetric",
    "The definition with the smaller of the two norms",
    Iff(_BOTH_ORDERS, _SMALLER_NORM),
    wrong={
        "one order only": Iff(_AT_X.formula, _SMALLER_NORM),
        "the larger norm": Iff(_BOTH_ORDERS, le(distance2, eta**2 * Max(a**2, b**2) + r_rel**2)),
        "the additive constant twice": Iff(_BOTH_ORDERS, le(distance2, eta**2 * Min(a**2, b**2) + 2 * r_rel**2)),
    },
    reading="The relation of being neighbours is symmetric, so that the definition speaks of both orders.",
)

_eta_0 = page.nonnegative("eta", "relative sensitivity, 0 included")

eta_zero = page.at("after v1 (3), v2 (3)", "A05").remark(
    "rgm:relative-sensitivity-at-zero",
    "Without a relative part, sensitivity is absolute",
    Iff(le(distance2, _eta_0**2 * a**2 + r_rel**2), le(distance2, r_rel**2)),
    r"The additive constant then is the absolute sensitivity.",
    given=Hypothesis("no relative part", le(_eta_0, 0)),
    points={_eta_0: 0},
    wrong={
        "any eta": without(),
        "R_rel without its square": Iff(le(distance2, _eta_0**2 * a**2 + r_rel**2), le(distance2, r_rel)),
    },
    reading=r"The definition itself asks for $\eta > 0$; the claim takes its inequality at $\eta = 0$.",
)

_n = page.natural("n", "number of people")
_others = page.nonnegative("T", "sum of the salaries of the people in both datasets")
_old = page.positive("s", "salary in x of the person who differs")
_new = page.positive("t", "salary in y of the person who differs")
_TENTH = Rational(1, 10)
_mean_x, _mean_y = named("R(x)", (_others + _old) / _n), named("R(y)", (_others + _new) / _n)
_WITHIN_X, _WITHIN_Y = (
    (
        Hypothesis(f"the law in {name}, from above", le(_others, (_n - 1) * (1 + _TENTH) * salary)),
        Hypothesis(f"the law in {name}, from below", le((_n - 1) * salary, (1 + _TENTH) * _others)),
    )
    for name, salary in (("x", _old), ("y", _new))
)
_WITHIN_PERSON = (
    Hypothesis("the law between s and t", le(_old, (1 + _TENTH) * _new)),
    Hypothesis("the law between t and s", le(_new, (1 + _TENTH) * _old)),
)
_SALARY_READING = (
    "Two salaries are within 10% of each other if neither exceeds 11/10 of the other; neighbours differ in one person's salary. "
    "Of the people in both datasets only the sum counts, which the law confines as stated."
)

_SALARY_POINTS = {
    _n: (0, None),
    _others: (0, 1, (_n - 1) * _old * (1 + (2 * _others - 1) * _TENTH)),
    _new: (0, 1, _old * (1 + (2 * _new - 1) * _TENTH)),
}

_ACROSS = (*_WITHIN_X, *_WITHIN_Y, *_WITHIN_PERSON)
_SHARE = Rational(10, 11) + Rational(21, 110) * _others
_MEAN_MOVES_LITTLE = le((_mean_x - _mean_y) ** 2, _TENTH**2 * _mean_x**2)
_OWN = page.at("Examples", source="beyond")

salary_together = page.at("Examples", "A06").remark(
    "rgm:salary-example",
    "The salary example, the law holding across both datasets",
    _MEAN_MOVES_LITTLE,
    given=_ACROSS,
    points=_SALARY_POINTS,
    wrong={
        "eta = 1/20": _TENTH**2 * _mean_x**2 / 4,
        "without the law between s and t": without(*_WITHIN_PERSON),
        "eta = 1/1000": _TENTH**6 * _mean_x**2,
    },
    reading=_SALARY_READING + " The people considered are those of x and y together.",
)

salary_sharper = _OWN.remark(
    "beyond:salary-example-by-number",
    "The salary example: the mean is n times less sensitive",
    le((_mean_x - _mean_y) ** 2, (_TENTH / _n) ** 2 * _mean_x**2),
    given=_ACROSS,
    points=_SALARY_POINTS,
    wrong={
        "eta = 1/(20 n)": (_TENTH / (2 * _n)) ** 2 * _mean_x**2,
        "eta of order 1/n^2": (_TENTH / _n**2) ** 2 * _mean_x**2,
        "no law between s and t": without(*_WITHIN_PERSON),
    },
    reading=_SALARY_READING,
)

salary_apart = _OWN.remark(
    "beyond:salary-example-each-dataset",
    "The salary example, the law holding within each dataset",
    _MEAN_MOVES_LITTLE,
    given=(*_WITHIN_X, *_WITHIN_Y),
    reading=_SALARY_READING + " The people considered are those of one dataset.",
    mistake=("missing hypothesis", "beyond:salary-example-two-people"),
    remark="A job with one employee: the law then says nothing, and the mean is that salary.",
)

salary_two = _OWN.remark(
    "beyond:salary-example-two-people",
    "The salary example with at least two people",
    _MEAN_MOVES_LITTLE,
    given=(*_WITHIN_X, *_WITHIN_Y, Hypothesis("two people", ge(_n, 2))),
    points={
        _n: (0, None, 1 + _n),
        _others: (0, 1, _n * _old * _SHARE),
        _new: (0, 1, _old * _SHARE * _SHARE.subs(_others, _new)),
    },
    wrong={
        "one person": without("two people"),
        "eta = 9/100": Rational(9, 100) ** 2 * _mean_x**2,
        "the law in x only": without(*_WITHIN_Y),
    },
    reading=_SALARY_READING,
)

_local = page.nonnegative("LS", "local sensitivity at x: the distance to the farthest neighbour", latex=r"LS_R(x)")

local_bound = page.at("Links to local sensitivity", "A07.v1 A07.v2").remark(
    "rgm:local-sensitivity-bound",
    "The definition bounds the local sensitivity",
    le(_local, sqrt(bound_x)),
    "The bound depends on $x$.",
    given=(
        _AT_X,
        Hypothesis("y is the farthest neighbour of x", eq(_local**2, distance2), "definition of the local sensitivity"),
    ),
    points={b: (0, 1, a * (1 + b * eta)), _local: a * b * eta, c: Integer(1)},
    wrong={
        "a bound that does not depend on x": sqrt(eta**2 + r_rel**2),
        "without the square root": bound_x,
        "the absolute part only": r_rel,
    },
)

norms = page.at("Links to local sensitivity", "A08").remark(
    "rgm:comparable-norms",
    "Comparable norms, up to an additive term",
    both(le(a, (1 + eta) * b + r_rel), le(b, (1 + eta) * a + r_rel)),
    given=RELATIVE_SENSITIVITY,
    by=(Smt(), Units({a: 1, b: 1, r_rel: 1})),
    points=_EXTREME,
    wrong={
        "1 + eta becomes 1": both(le(a, b + r_rel), le(b, a + r_rel)),
        "without the additive term": both(le(a, (1 + eta) * b), le(b, (1 + eta) * a)),
        "one order of the definition": changed(hypotheses=(_AT_X,)),
    },
    reading="Comparable: each is bounded by an affine function of the other, which is what Definition 2 with its absolute part can give. As a ratio they "
    "are comparable without that part only: beyond:comparable-norms-without-additive-part.",
)

norms_ratio = page.at("Links to local sensitivity", source="beyond").remark(
    "rgm:comparable-norms-ratio",
    "Comparable norms, as a ratio",
    Implies(le(b, 0), le(a, 0)),
    "Any bound on the ratio of the norms entails this.",
    given=RELATIVE_SENSITIVITY,
    by=(Search(), Smt()),
    points={a: r_rel, b: 0, c: 1},
    reading=r"A stricter reading than the text asks for. Comparable: $|R(x)| \le K|R(y)|$ with some constant K for all neighbours. Judged by a consequence, which no K can do without.",
    mistake=("missing hypothesis", "beyond:comparable-norms-without-additive-part"),
    remark="The additive part lets one output vanish and not the other; the baseline noise of the mechanism is there for these pairs.",
)

norms_without_additive = page.at("Links to local sensitivity", source="beyond").remark(
    "beyond:comparable-norms-without-additive-part",
    "Without an additive part, norms are comparable as a ratio",
    both(le(a, (1 + eta) * b), le(b, (1 + eta) * a)),
    given=(
        Hypothesis("relative sensitivity at x", le(distance2, eta**2 * a**2), "Definition 2"),
        Hypothesis("relative sensitivity at y", le(distance2, eta**2 * b**2), "Definition 2, by symmetry"),
    ),
    points={a: (1 + eta) * b, c: 1},
    wrong={
        "a smaller factor": both(le(a, (1 + eta / 2) * b), le(b, (1 + eta / 2) * a)),
        "one order of the definition": changed(hypotheses=(Hypothesis("at x", le(distance2, eta**2 * a**2)),)),
    },
)

variation = page.at("Links to local sensitivity; v1 also §2", "A09a A09b").remark(
    "rgm:local-sensitivity-variation",
    "The induced local sensitivities of neighbours are comparable",
    le(bound_x, (1 + eta) ** 2 * bound_y),
    r"The two sides are the bounds $\ell(x)^2$ and $\ell(y)^2$ that the definition puts on the local sensitivity, with a factor.",
    given=_AT_Y,
    by=(
        combination(
            (eta, (a - (1 + eta) * b * c) ** 2),
            (eta, (1 + eta) ** 2, b**2, 1 + c, 1 - c),
            (eta, 1 + eta, bound_y - distance2),
            (eta, r_rel**2),
        ),
        Smt(),
        Units({a: 1, b: 1, r_rel: 1}),
    ),
    points=_EXTREME,
    wrong={"1 + eta without the square": (1 + eta) * bound_y, "no sensitivity": without(), "direction": turned()},
    reading="Local sensitivity stands for the bound on it that the definition induces; multiplied out, so that it may be 0.",
    tightness=Tightness(
        (1 + eta) ** -2 + (1 - (1 + eta) ** -2) / (1 + _t**2),
        {eta: (Rational(1, 100), 1), _t: (0, 3)},
        r"$\ell(x)^2$ over its bound for $R(x) = (1+\eta)R(y)$ and $R_{rel} = t\eta|R(y)|$",
        plot=(_t,),
        at={eta: Rational(1, 10)},
    ),
)

_out_x, _out_z = (page.real(f"R_{n}", f"output at {n}, in dimension 1", latex=f"R({n})") for n in "xz")
_gap2 = named("LS_R(x)^2", (_out_x - _out_z) ** 2)

true_local = page.at("Links to local sensitivity", "A09b").remark(
    "rgm:comparable-local-sensitivities",
    "The true local sensitivities of neighbours are comparable",
    le(_gap2, 0),
    "If the local sensitivity at $y$ is 0, so is that at its neighbour $x$: what any bound on their ratio entails.",
    given=tuple(
        Hypothesis(f"relative sensitivity at {n}", le(_gap2, eta**2 * out**2 + r_rel**2), "Definition 2")
        for n, out in (("x", _out_x), ("z", _out_z))
    ),
    by=(Search(), Smt()),
    reading="One local sensitivity is at most a constant times the other. The neighbours are x ~ y and x ~ z, but not y ~ z, and the outputs at x and y "
    "are equal, so that the local sensitivity at y is 0.",
    instance="Outputs on the line.",
    mistake=("false", "rgm:local-sensitivity-variation"),
    remark="A neighbour of x need not be one of y. What varies slowly is the bound that the definition puts on the local sensitivity.",
)

_smooth_x, _beta = named("S(x)^2", bound_x), named(r"\beta", log(1 + eta))

smooth = page.at("Links to local sensitivity", "A10", source="rgm-v2").remark(
    "rgm-v2:smooth-sensitivity",
    "Relative sensitivity gives a smooth upper bound",
    both(le(distance2, _smooth_x), le(_smooth_x, exp(_beta) ** 2 * named("S(y)^2", bound_y))),
    "The bound on the local sensitivity that the definition gives is a smooth one.",
    given=RELATIVE_SENSITIVITY,
    by=Deduction((Premise("rgm:local-sensitivity-variation"),)),
    points=_EXTREME,
    wrong={
        "smoothness log(1 + eta/2)": both(le(distance2, bound_x), le(bound_x, (1 + eta / 2) ** 2 * bound_y)),
        "half of the bound": both(le(distance2, bound_x / 4), le(bound_x, (1 + eta) ** 2 * bound_y)),
        "no sensitivity at y": changed(hypotheses=(_AT_X,)),
    },
    steps=Step("The definition bounds the local sensitivity.", "rgm:local-sensitivity-bound"),
    reading="A form of smooth sensitivity: a smooth upper bound on the local sensitivity in the sense of Nissim et al.; both sides are squared.",
)

_EXAMPLE = {eta: _TENTH, gamma: 1, alpha: 2, d: 1, sigma2: 100 * r_rel**2}
_SENSITIVE = (
    Hypothesis("relative sensitivity at x", le(distance2, a**2 / 100 + r_rel**2), "Definition 2"),
    Hypothesis("relative sensitivity at y", le(distance2, b**2 / 100 + r_rel**2), "Definition 2"),
)

private = page.at("Links to local sensitivity", "A11").remark(
    "rgm:private-with-additive-part",
    "Privacy with an additive part",
    le(named(r"D_2(P\|Q)", keeping_names(divergence.value, _EXAMPLE)), Rational(1, 20)),
    "The order is 2, the relative sensitivity a tenth, and the dimension 1.",
    given=(*_SENSITIVE, Hypothesis("an additive part", gt(r_rel, 0))),
    points={a: Rational(11, 10) * b, c: 1},
    wrong={
        "half of the level": Rational(1, 40),
        "a hundredth of the baseline noise": left(divergence.subs({**_EXAMPLE, sigma2: r_rel**2})),
        "no sensitivity": without(*_SENSITIVE),
    },
    reading="To release privately: some order and level of Rényi differential privacy hold for all neighbours, whatever their outputs.",
    steps=Premise("beyond:closed-bound", _EXAMPLE),
)
