"""The five errors that weigh most, for the first page: both formulas, and how far apart they are at an everyday point.

Both sides of a refuted claim are enclosed at a point that meets all its hypotheses; the printed side is rounded in its
favour. Where a claim no longer fails at the point, the chapter is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sympy import Expr, Integer, Rational, Symbol, pi, sqrt

from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.claims import Claim, Relation
from rgm_verify.claims.chapter import Block, Chapter, Erratum, Figure, Paragraph, Series
from rgm_verify.lenses.points.sampling import admissible
from rgm_verify.numbers.decimals import decimal
from rgm_verify.numbers.settled import enclosed

# Modules, as a claim in the namespace of this file would count as stated here.
from ..beyond.clipping import clipping, propose_test_release as right_test
from ..beyond.renyi import closed_bound
from ..beyond.utility import utility
from ..geodp import perturbation
from ..rgm.section_4 import theorem_1
from ..rgm.section_5 import clipped_data, gradient_descent, propose_test_release
from .shown_formulas import Shown, relation, symbol, titled

_ORDERS = [Fraction(11, 10) + Fraction(k, 30) for k in range(136)]
_HIGHEST = 7
_NEIGHBOURS = {
    "eta": "1/10", "gamma": "1", "R_rel": "0", "sigma^2": "1/1000", "a": "11", "b": "10", "c": "1", "d": "22",
}  # fmt: skip
#: Of lengths and of the curvature alike.
_UNIT = "1"


@dataclass(frozen=True)
class Error:
    """One error of the first page.

    Attributes:
        shown: The refuted claim whose sentence, counterexample and corrected claim are shown.
        name: Name and place.
        printed: The part that is wrong.
        right: What holds instead.
        at: Values of the variables of `measured`, by name.
        says: What both sides are, with {true} and {printed} for the numbers, {times} for their ratio, and the names of
            `at` and `told` for values of the point.
        measured: The refuted claim whose two sides are computed, if it is not the shown one.
        root: Whether both sides are squares of what the sentence is about.
        told: Further numbers of the sentence, by name.
    """

    shown: Claim
    name: str
    printed: Shown
    right: Shown
    at: Mapping[str, str]
    says: str
    measured: Claim | None = None
    root: bool = False
    told: Mapping[str, Expr] = field(default_factory=dict)


def errors() -> Iterator[Error]:
    """The five errors, the current version of the paper before the superseded one."""
    yield _theorem_2()
    yield _proposition_2()
    yield _proposition_1()
    yield _theorem_1()
    yield _geodp()


def _theorem_2() -> Error:
    """The noise term without the dimension."""
    claim, right = gradient_descent.theorem, utility.theorem
    distance, share = r"\|\theta_0-\theta_\star\|^2", r"(1-\tau\mu)^t"
    letters = {distance: symbol(right, "r_0"), r"\sigma^2": symbol(right, "sigma^2")}
    printed = rf"{share}{distance}+\frac{{\tau\sigma^2}}{{\mu}}"
    mended = rf"{share}{distance}+\frac{{d\,\tau\sigma^2}}{{\mu}}"
    # The judged case of what is printed is one step; what is right is judged for the step after any t.
    one_step = {"t": Integer(1), r"\sigma^2": symbol(claim, "sigma^2")}
    return Error(
        claim,
        "Theorem 2 (versions 1 and 2)",
        Shown(printed, {printed: relation(claim).rhs}, letters | one_step),
        Shown(mended, {mended: relation(right).rhs}, letters | {share: utility.next_share}),
        {"gamma": "1/1000", "mu": _UNIT, "tau": "1/10", "sigma^2": _UNIT, "d": "100"},
        r"The squared distance settles at {true}; printed is {printed} "
        r"($d = {d}$, $\mu = \sigma = {mu}$, $\tau = {tau}$, $\gamma = {gamma}$).",
        measured=gradient_descent.variance,
    )


def _proposition_2() -> Error:
    """A test whose statistic one record moves by any amount."""
    claim, right = propose_test_release.mechanism, right_test.statistic
    noise = r"+\mathrm{Lap}(\varepsilon^{-1})"
    least = r"\lambda_{\min}(C^{-1/2}(\tilde A-\rho C)C^{-1/2})"
    mended = rf"\frac{{n}}{{R_c^2}}{least}"
    return Error(
        claim,
        "Proposition 2 (version 2)",
        # An event is judged, whose name says the statistic.
        Shown(rf"\hat\Delta=\Delta_+{noise}", {rf"\Delta_+{noise}": relation(claim).written[0].title}),
        Shown(rf"\hat\Gamma={mended}{noise}", {mended: titled(right, r"\Gamma")}, {least: symbol(right, "l")}),
        {"s": "30", "Y": "30", "epsilon": "1", "delta": "1e-5", "m": "100", "epsilon_R": "0", "delta_R": "0"},
        r"An answer has probability {true}; by that of a neighbour the guarantee allows {printed} "
        r"($\varepsilon = {epsilon}$, $\delta = {delta}$, {records} records).",
        told={"records": 2 * propose_test_release.m + 1},
    )


def _proposition_1() -> Error:
    """A constant without the condition number."""
    claim, right = clipped_data.proposition, clipping.relative
    printed = r"\frac{6R_c^4}{\rho^2n^2}"
    mended = rf"{printed}\cdot\frac{{(M+m)^2}}{{4Mm}}"
    records = titled(claim, "n")
    # The corrected claim bounds n times the difference; its relative part is what stands with the squared gradient.
    n = Symbol("n", positive=True)
    relative = relation(right).rhs.subs({clipping.nabla: 1, clipping.rest: 0}) / n**2
    return Error(
        claim,
        "Proposition 1 (version 2)",
        Shown(rf"\eta^2={printed}", {printed: titled(claim, r"\eta^2")}, {"n": records}),
        Shown(rf"\eta^2={mended}", {mended: relative}),
        {
            "p_1": "10", "p_2": "-1", "q_1": "10", "q_2": "0", "s_1": "0", "s_2": "1", "c_1": "100", "c_2": "1",
            "rho": "1/4", "R_c": "4", "mu_reg": "0", "x_1": "40", "x_2": "0", "theta_1": "1", "theta_2": "20", "m": "100",
        },
        r"Gradients of neighbours differ {times} times as much as printed "
        r"({records} records, $\eta = {eta}$, eigenvalues of $C$ from $m = {c_2}$ to $M = {c_1}$).",
        root=True,
        told={"records": records, "eta": sqrt(titled(claim, r"\eta^2"))},
    )  # fmt: skip


def _theorem_1() -> Error:
    """A bound without the denominator of its proof."""
    claim, right = theorem_1.theorem_1_v1, closed_bound.closed_renyi
    rho = r"1-\eta(\alpha-1)(2+\eta)"
    printed = rf"\frac{{\alpha\eta^2}}{{2\gamma}}\left[\frac{{1}}{{{rho}}}+\gamma d(2+\eta)^2\right]"
    mended = r"\frac{\alpha\eta^2}{2\gamma\rho}\left[1+\frac{\gamma d(2+\eta)^2}{2(1+\eta)}\right]"
    named = titled(right, r"\rho")
    return Error(
        claim,
        "Theorem 1 (version 1, mended in version 2)",
        Shown(rf"\epsilon={printed}", {printed: relation(claim).rhs}),
        Shown(rf"\epsilon={mended},\quad \rho={rho}", {mended: relation(right).rhs, rho: named}, {r"\rho": named}),
        {**_NEIGHBOURS, "alpha": "5.5"},
        r"The divergence is {true}; printed is at most {printed} "
        r"($\eta = {eta}$, $\gamma = {gamma}$, $d = {d}$, order $\alpha = {alpha}$).",
    )


def _geodp() -> Error:
    """Noise on a direction that is divided by the batch size."""
    claim, scale, right = perturbation.guarantee, perturbation.noise_scale, perturbation.noise_corrected
    mended = r"\sqrt{d+2}\beta\pi"
    printed = r"\frac{\sqrt{d+2}\beta\pi}{B}"
    # The division is judged in the plane, the sensitivity that is divided in any dimension.
    angles = relation(perturbation.sensitivity)
    in_the_plane = {perturbation.d: Integer(2)}
    divided = angles.rhs * relation(scale).rhs / angles.lhs.subs(in_the_plane)
    step = r"\tilde{\theta}_t^* = \tilde{\theta}_t + "
    return Error(
        claim,
        "Guarantee of GeoDP (neighbour paper)",
        Shown(rf"{step}{printed}\mathbf{{n}}_\sigma", {printed: divided}),
        # In half turns.
        Shown(rf"{step}{mended}\,\mathbf{{n}}_\sigma", {mended: pi * relation(right).rhs}),
        {"B": "8192", "a": "60", "beta": "0.1", "delta": "1e-5", "epsilon": "1", "sigma": "10"},
        r"An event has probability {true}; by that of a neighbour the guarantee allows {printed} "
        r"($\epsilon = {epsilon}$, $\delta = {delta}$, $B = {B}$ and $\beta = {beta}$ of its Table 2).",
    )


def build(profile: str) -> list[Block]:
    """Return the errors and the picture; the profile changes nothing."""
    return [
        Paragraph(text="Both sides of each printed statement are enclosed at one point that meets all its hypotheses."),
        *(erratum(error) for error in errors()),
        picture(),
    ]


def erratum(error: Error) -> Erratum:
    """Return one error with the numbers that its two sides have."""
    left, right = _sides(error.measured or error.shown, error.at)
    ratio = left[0] / right[1]
    # The root from below: r with r * r at most the ratio.
    times = next(Fraction(k - 1, 10) for k in range(1, 10**6) if Fraction(k, 10) ** (2 if error.root else 1) > ratio)
    numbers = {
        "true": decimal(left[0], up=False, digits=3),
        "printed": _small(decimal(right[1], up=True, digits=3)),
        "times": decimal(times, up=False, digits=3),
    }
    for formula in (error.printed, error.right):
        formula.compare()
    return Erratum(
        claim=error.shown.id,
        name=error.name,
        printed=error.printed.latex,
        right=error.right.latex,
        apart=_filled(error.says, numbers | _at(error)),
    )


def _filled(text: str, numbers: Mapping[str, str]) -> str:
    """Return a sentence with its numbers."""
    # Not `format`: LaTeX has braces of its own.
    for name, value in numbers.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _at(error: Error) -> dict[str, str]:
    """Return the values of the point, and the further numbers of the sentence, in texts."""
    symbols = {v.symbol.name: v.symbol for v in (error.measured or error.shown).variables}
    point = {symbols[name]: Rational(value) for name, value in error.at.items()}
    told = {name: _short(value.subs(point)) for name, value in error.told.items()}
    return {name: _inside(value) for name, value in {**error.at, **told}.items()}


def _short(value: Expr) -> str:
    """Return a number whole, or with two digits."""
    return str(value) if value.is_integer else f"{float(value):.2g}"


def _small(text: str) -> str:
    """Return a decimal as a reader of formulas writes it."""
    return f"${_inside(text)}$" if "e" in text else text


def _inside(text: str) -> str:
    """Return a decimal as it stands in a formula."""
    digits, e, power = text.partition("e")
    times = "" if digits in ("1", "1.0") else rf"{digits}\cdot"
    return rf"{times}10^{{{power}}}" if e else text


def _sides(claim: Claim, at: Mapping[str, str]) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """Return enclosures of both sides of an upper bound that fails at a point."""
    symbols = {v.symbol.name: v.symbol for v in claim.variables}
    if sorted(symbols) != sorted(at):
        raise ValueError(
            f"{claim.id}: the point has values for {', '.join(sorted(at))}, and the claim has {', '.join(sorted(symbols))}"
        )
    point = {symbols[name]: Fraction(value) for name, value in at.items()}
    if not admissible(claim, point):
        raise ValueError(f"{claim.id}: the point does not meet the hypotheses")
    relation = claim.conclusion
    if not isinstance(relation, Relation) or relation.op != "<=":
        raise TypeError(f"{claim.id}: expected an upper bound")
    left, right = (_ends(enclose(side, point, digits=12)) for side in (relation.lhs, relation.rhs))
    if left[0] <= right[1]:
        raise ValueError(f"{claim.id}: it does not fail at the point")
    return left, right


def _ends(side: Enclosure) -> tuple[Fraction, Fraction]:
    """Return the two ends of an enclosure."""
    if side.lower is None or side.upper is None:
        raise ValueError("a side has no finite enclosure")
    return side.lower, side.upper


def picture() -> Figure:
    """The false Theorem 1 of version 1 against the exact divergence of two neighbours, and a bound that is proved."""
    printed, right = theorem_1.theorem_1_v1, closed_bound.closed_renyi
    curves = {
        "exact": _curve(printed, left=True),
        "proved bound": _curve(right, left=False),
        "printed in version 1": _curve(printed, left=False),
    }
    exact, promised = curves["exact"], curves["printed in version 1"]
    broken = [x for (x, low, _), (_, _, high) in zip(exact, promised, strict=True) if low > high]
    if not broken or broken[-1] != _ORDERS[-1]:
        raise ValueError("the picture shows no failure at the end of the range")
    caption = (
        "The guarantee of Theorem 1 of version 1 is below the exact Rényi divergence from the order {from} on: two "
        r"neighbouring outputs of norm {a} and {b} in dimension {d}, at $\eta = {eta}$, $\gamma = {gamma}$, "
        r"$\sigma^2 = {sigma^2}$ (`{claim}`)."
    )
    return Figure(
        caption=_filled(caption, {"from": f"{float(broken[0]):.1f}", "claim": printed.id, **_NEIGHBOURS}),
        x=r"order $\alpha$",
        y=r"Rényi divergence",
        series=[Series(name=name, points=[_point(p) for p in points]) for name, points in curves.items()],
        lead=True,
    )


def _curve(claim: Claim, *, left: bool) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return one side of a claim over the orders, enclosed, at the neighbours of the picture."""
    symbols = {v.symbol.name: v.symbol for v in claim.variables}
    relation = claim.conclusion
    if not isinstance(relation, Relation):
        raise TypeError(f"{claim.id}: expected a relation")
    fixed = {symbols[name]: Fraction(value) for name, value in _NEIGHBOURS.items()}
    points = [{**fixed, symbols["alpha"]: order} for order in _ORDERS]
    if not all(admissible(claim, point) for point in points):
        raise ValueError(f"{claim.id}: a point of the picture does not meet the hypotheses")
    side = relation.lhs if left else relation.rhs
    return [(o, *_ends(enclose(side, p, digits=12))) for o, p in zip(_ORDERS, points, strict=True)]


def _point(point: tuple[Fraction, Fraction, Fraction]) -> list[str]:
    """Return a point of the picture in texts."""
    order, lower, upper = point
    return [decimal(order, up=False, digits=6), *enclosed(lower, upper, digits=6)]


chapter = Chapter(
    id="five-errors",
    title="Five errors",
    summary="What is wrong, what is right instead, and how far apart they are where one works.",
    build=build,
)
