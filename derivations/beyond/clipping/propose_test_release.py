r"""Propose-test-release put right: a distance that can be trusted, a statistic of sensitivity 1, and a threshold that gives delta.

Three things are needed. (1) The test has to bound the number of points to change until $A' \succcurlyeq \rho C$ *fails*; $\Delta_+$ does, if $A - \rho C$ is
positive definite, and is 0 if $A - \rho C$ is not positive semi-definite. (2) The noise is Lap(1/epsilon), so what it is added to must move by at most 1
between neighbours. $\Delta_+$ does not: one outlier can take it from any value to 2. What does is $n\lambda_{min}(C^{-1/2}(A - \rho C)C^{-1/2})/R_c^2$. (3) If some neighbour
violates $A' \succcurlyeq \rho C$ the test must fail, too; the statistic is then at most 1, not 0, which costs a factor $e^\epsilon/2$ of delta or a threshold that is
larger by 1.

The general statements are proved by their scalar core at one direction: $w = Qv$ with $Q^2 = A - \rho C$, or a direction with $w^TCw = 1$.
"""

from rgm_verify.lenses.worlds.scaling import S as SCALE

from ...rgm.clipping_notation import *
from ...theorems import CAUCHY_SCHWARZ
from . import propose_test_release_worlds as worlds

page = Page("beyond", "§5.3", CLIPPING_NOTATION)
PRINTED_TEST = "§5.3, Proposition 2; App. B.4"
n = page.natural("n", "number of points")
w2 = page.positive("W", "$v^T(A - \\rho C)v$, with $w = Qv$", latex=r"\|w\|^2")
removed = page.nonnegative("P", "what the removed points take away", latex=r"\sum_{I_R}(Y_i^\top w)^2")
leverage = page.nonnegative("L", latex=r"\sum_{I_R}\|Y_i\|^2")
added = page.nonnegative("G", "$\\sum(X_i^Tv)^2$ over the points that come instead")
CAUCHY = Hypothesis("Cauchy-Schwarz for each removed point", le(removed, leverage * w2), "v2 (67)")

_EACH_POINT = CAUCHY_SCHWARZ.quoted(
    "$(Y_i^\\top w)^2 \\le |Y_i|^2|w|^2$ for each removed point.", "It is the usual one."
)

#: n times the quadratic form of A' - rho C at v.
changed_form = named(r"n v^\top(A'-\rho C)v", n * w2 - removed + added)
_TIGHT = {n: (0, 20), w2: (0, 4), added: (0, 1, 0 * n), removed: n * w2, leverage: n}

lower_bound = page.elsewhere(f"replaces {PRINTED_TEST}").inequality(
    "beyond:ptr-lower-bound",
    "The lower bound of the distance that the proof gives",
    ge(changed_form, 0),
    r"So at least $\Delta_+$ points must change before the condition fails at a neighbour, if $A - \rho C$ is positive definite.",
    given=(CAUCHY, Hypothesis("leverages", le(leverage, n))),
    by=(
        combination((leverage * w2 - removed,), (n - leverage, w2), (added,)),
        Smt(),
        worlds.LOWER_BOUND.mapped(worlds.of_lower_bound, n, w2, removed, leverage, added),
    ),
    points=_TIGHT,
    wrong={
        "leverages up to n + 1": instead(Hypothesis("leverages", le(leverage, n + 1))),
        "a margin": w2,
        "no condition": without("leverages"),
    },
    steps=(_EACH_POINT,),
    reading=r"At each direction v, with $Y_i = Q^{-1}X_i$ and $X_i^Tv = Y_i^Tw$.",
)

printed_distance = page.elsewhere(f"replaces {PRINTED_TEST}, (68)").inequality(
    "beyond:ptr-lower-bound-printed",
    "The same for the distance as printed, with >= n",
    ge(leverage, n),
    "With the set of Proposition 2, not with the strict inequality of (68).",
    given=(CAUCHY, Hypothesis("A' <= rho C", le(changed_form, 0))),
    points=_TIGHT,
    wrong={"strictly": gt(leverage, n), "n + 1": n + 1, "any A'": without("A' <= rho C")},
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
    by=(Smt(), worlds.ON_THE_LINE, worlds.DISTANCE),
    points={
        (squares, kept, n): (0, 9),
        reg: (0, 1),
        c: (0, 4),
        level: (0, 2, level * ((squares + kept) / n + reg) / c / 2),
    },
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
    by=(Smt(), worlds.JUMPS.mapped(worlds.of_jump, size, outlier)),
    points={size: (2, 40), outlier: (0, 1, size + outlier)},
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
    by=(combination((c1 / c2, (x2 * _w1 - c2 / c1 * x1 * _w2) ** 2)), Smt(), worlds.RAYLEIGH),
    points=dict.fromkeys((x1, x2, _w1, _w2), (-3, 3)) | {c1: (0, 4), c2: (0, 4)},
    wrong={"half": by_c(x1, x2, -1) * by_c(_w1, _w2, 1) / 2, "C in both": by_c(x1, x2, 1) * by_c(_w1, _w2, 1)},
    steps=CAUCHY_SCHWARZ.quoted(
        "In any dimension:", "$x^\\top w = (C^{-1/2}x)^\\top(C^{1/2}w)$, and C is positive definite."
    ),
    reading="The printed clipping implies this one (beyond:clippings-compared). In the plane; Cauchy-Schwarz in general.",
    printed=r"(x^\top w)^2 \le (x^\top C^{-1}x)(w^\top Cw)",
)

_least = page.real("l", "least value of the first dataset's form")
_value = page.real("f", "value of the first form in the direction where the second is least")
_new = page.nonnegative("t", "in that direction, of the new point", latex=r"(y^\top w)^2")
_old = page.nonnegative("o", "in that direction, of the old point", latex=r"(x^\top w)^2")
_OLD_CLIPPED = Hypothesis("the old point is clipped", le(_old, radius**2), by=("beyond:ptr-rayleigh",))
_gain = n * (_value + (_new - _old) / n) / radius**2
_gamma = named(r"\Gamma", n * _least / radius**2)

_IN_UNITS = {
    **{_least: _least / SCALE, _value: _value / SCALE, _new: _new / SCALE, _old: _old / SCALE},
    radius: radius / sqrt(SCALE),
}

statistic = page.elsewhere(f"replaces {PRINTED_TEST}").definition(
    "beyond:ptr-statistic",
    "A statistic of sensitivity 1",
    ge(_gain, _gamma - 1),
    r"It moves by at most 1 between neighbours with clipped points, and it is negative exactly if the condition fails.",
    given=(Hypothesis("least value", ge(_value, _least)), _OLD_CLIPPED),
    by=(
        combination((n / radius**2, _value - _least), (1 / radius**2, _new), (1 / radius**2, radius**2 - _old)),
        Smt(),
        worlds.STATISTIC,
        Scaling("the unit of C", _IN_UNITS, {"R_c stays": {k: v for k, v in _IN_UNITS.items() if k != radius}}),
    ),
    points={
        _least: (-2, 2),
        n: (0, 20),
        radius: (0, 3),
        _new: (0, 1, radius**2 * _new),
        _old: (0, 1, radius**2 * _old),
        _value: _least,
    },
    wrong={
        "half": _gamma - Rational(1, 2),
        "without n": ge(_gain / n, _least / radius**2 - 1 / (2 * n)),
        "a point that is not clipped": without(_OLD_CLIPPED),
    },
    steps=Step("Each point contributes at most $R_c^2$ in every direction.", "beyond:ptr-rayleigh"),
    reading=r"$\lambda_{min}$ is the least value of $w^T(A - \rho C)w$ over w of length 1 in the metric of C. An exchange of x and y changes the form at w by the n-th part of $(y^Tw)^2 - (x^Tw)^2$; w is where the second form is least. The other direction is the same with the datasets exchanged. The regularization cancels. No floor is needed, and a floor would keep the sensitivity.",
    printed=r"\Gamma' \ge \Gamma - 1 \quad\text{for}\quad \Gamma = \frac{n}{R_c^2}\lambda_{\min}\left(C^{-1/2}(A - \rho C)C^{-1/2}\right)",
)

form_a = page.nonnegative("f", latex=r"w^\top Aw")
form_c = page.positive("q", latex=r"w^\top Cw")
higher = page.positive("s", "another level")
_LARGER = Hypothesis("a larger level", ge(higher, level))

too_high = page.elsewhere(f"replaces {PRINTED_TEST}").remark(
    "beyond:ptr-level-too-high",
    "A level that fails is too high",
    lt(form_a, higher * form_c),
    given=(Hypothesis("A >= rho C fails at w", lt(form_a, level * form_c)), _LARGER),
    points={(form_c, level): (0, 4), higher: (0, 1, level * (1 + higher)), form_a: (0, 1, level * form_c * form_a)},
    wrong={"at twice the value": left(2 * form_a), "a smaller level": without(_LARGER)},
)

q11, q12, q22 = (page.real(f"q_{i}") for i in ("11", "12", "22"))
_square = (q11**2 + q12**2, q12 * (q11 + q22), q12**2 + q22**2)

invertible = page.elsewhere("App. B.4, (65)", "PT.13b", source="rgm-v2").identity(
    "beyond:ptr-square-root",
    "The square root of a positive definite matrix can be inverted",
    eq(named(r"\det(Q^2)", _square[0] * _square[2] - _square[1] ** 2), named(r"\det(Q)", q11 * q22 - q12**2) ** 2),
    r"So Q can be inverted exactly if its square, $A - \rho C$, is positive definite.",
    wrong={"without the square": q11 * q22 - q12**2, "a sign": (q11 * q22 + q12**2) ** 2},
    reading=r"The determinant of a product, here in the plane. $Y = Q^{-1}X$ is read for a positive definite $A - \rho C$, without which the statistic of Proposition 2 has no value either.",
    remark=r"If $A - \rho C$ is positive semi-definite and singular, removing one more point of a direction may already fail, and the statistic has to be set to at most 1.",
)

further = page.nonnegative("h", "for one more point", latex=r"(Y_j^\top w)^2")

monotone = page.elsewhere(f"replaces {PRINTED_TEST}, after (66)").remark(
    "beyond:ptr-number-of-tests",
    "Sets of exactly k - 1 points are enough",
    both(gt(removed + further, n * w2), lt(n, n + n * (n - 1) / 2)),
    r"Removing one more point keeps a set in $E_-$. So the $\binom n{k-1}$ sets of $k - 1$ points are enough to be sure of k; for two points these are n sets, fewer than the printed number.",
    given=(Hypothesis("I is in E_-", gt(removed, n * w2)), Hypothesis("at least two points", ge(n, 2))),
    points={n: (2, 20), w2: (0, 4), removed: (0, 1, n * w2 * (1 + removed)), further: (0, 1)},
    wrong={
        "one point less": gt(removed - further, n * w2),
        "the printed number is smaller": lt(n + n * (n - 1) / 2, n),
    },
    reading="A set lies in $E_-$ if the first hypothesis holds for some w.",
)
