"""The replayer's ball functions hold exact values and are hardly wider, and its walk accepts what exact cells allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rgm_verify.balls import arithmetic
from rgm_verify.balls.branch import certify
from rgm_verify.balls.certificate import Certificate
from rgm_verify.balls.replay import UnreadableCertificate, replay
from rgm_verify.balls.replaying import functions as replay_functions
from rgm_verify.balls.replaying.evaluation import widest_ball
from rgm_verify.balls.replaying.functions import ball, incomplete_gamma, moment, power, root, sign, working_at
from rgm_verify.claims.written.trees import inequality_on_box

F = Fraction
x, y = sympy.symbols("x y", real=True)


def exact(value: arb) -> Fraction:
    """The midpoint of a ball."""
    mantissa, exponent = value.mid().man_exp()
    return F(int(mantissa)) * F(2) ** int(exponent)


def ends(value: arb) -> tuple[Fraction, Fraction]:
    """Both ends of a ball, exactly."""
    return exact(value) - exact(value.rad()), exact(value) + exact(value.rad())


def around(middle: Fraction, radius: Fraction) -> arb:
    """The ball of two numbers that are binary fractions: no wider."""
    return widest_ball(radius) + ball(middle)


# ------------------------------------------------------------------------------------------------ functions

dyadic = st.integers(-64, 64).map(lambda k: F(k, 16))
radii = st.sampled_from([F(0), F(1, 2**40), F(1, 8), F(1), F(5, 2)])


@pytest.mark.parametrize("of", [power, arithmetic.power], ids=["replayer", "search"])
@example(middle=F(0), radius=F(1, 8), n=4)
@example(middle=F(0), radius=F(1, 8), n=5)
@example(middle=F(0), radius=F(5, 2), n=6)
@example(middle=F(0), radius=F(5, 2), n=7)
@given(middle=dyadic, radius=radii, n=st.integers(1, 9))
def test_a_power_holds_those_of_the_whole_ball_and_reaches_no_further(
    of: Any, middle: Fraction, radius: Fraction, n: int
) -> None:
    with working_at(64):
        found = of(around(middle, radius), n)
        assert n % 2 or found >= 0
    low, high = ends(found)
    for k in range(-4, 5):
        assert low <= (middle + radius * F(k, 4)) ** n <= high
    reach = (abs(middle) + radius) ** n
    assert max(abs(low), abs(high)) <= reach * (1 + F(1, 10**6))
    if radius == 0:
        assert high - low <= reach / 2**60
    if abs(middle) > radius:  # on one side of 0: about the width of the function's own change
        assert high - low <= 2 * n * radius * (abs(middle) + radius) ** (n - 1) * (1 + F(1, 10**6)) + reach / 2**60


def test_a_high_power_of_a_ball_around_zero_is_a_number() -> None:
    """A difference of two variables of one range lies around 0 in every cell on the diagonal."""
    box = {"x": (F(0), F(1)), "y": (F(0), F(1))}
    for expression in ((x - y) ** 4 + sympy.Rational(1, 10), (x - y) ** 5 + 2, (x - y) ** 6 * sympy.sin(x) + 1):
        about = inequality_on_box("test:inequality", expression, box)
        found = certify(expression, box, subject=about).certificate
        assert found is not None
        assert found.tree == "D"
        assert replay(found.to_json()).accepted


@pytest.mark.parametrize("of", [root, arithmetic.root_from_zero], ids=["replayer", "search"])
@example(low=0, width=0, order=2)
@example(low=0, width=0, order=3)
@given(low=st.one_of(st.just(0), st.integers(0, 200)), width=st.integers(0, 200), order=st.integers(2, 7))
def test_a_root_holds_those_of_the_whole_ball_and_reaches_no_further(of: Any, low: int, width: int, order: int) -> None:
    with working_at(64):
        found = of(around(F(2 * low + width, 32), F(width, 32)), order)
        for below_zero in (arb(-1), arb(-1, 2)):
            assert of(below_zero, order).is_nan()
        assert low or not found < 0
    below, above = ends(found)
    first, last = F(low, 16), F(low + width, 16)
    assert below <= 0 or below**order <= first
    assert last <= above**order <= last * (1 + F(1, 10**5)) or (width == 0 and low)
    if low:
        assert below > 0
        if width == 0:
            assert above - below <= F(1, 2**55)


def test_the_sign_of_a_ball_is_exact_or_all_of_it() -> None:
    for value in (arb(2), arb(-2), arb(1, 0.5), arb(-1, 0.5)):
        assert ends(sign(value)) == ((1, 1) if value > 0 else (-1, -1))
    for value in (arb(0), arb(0, 1), arb(1, 1), arb(-1, 1), arb(1, 2)):
        low, high = ends(sign(value))
        assert -1 - F(1, 2**20) <= low <= -1
        assert 1 <= high <= 1 + F(1, 2**20)
    assert sign(arb.nan()).is_nan()


def test_the_ball_of_an_even_power_is_cut_at_zero_and_no_further() -> None:
    with working_at(64):
        for value in (arb(0), arb(1, 0.5), arb(3), arb(0.25)):
            assert ends(replay_functions.even(value)) == ends(value)
        cut = replay_functions.even(arb(1, 3))
        assert cut >= 0
        assert ends(cut)[1] >= 4
        assert ends(cut)[1] <= 4 + F(1, 2**20)


POINTS = [F(1, 2), F(-1, 2), F(-9, 10), F(-999, 1000), F(7), F(10**6), F(1, 3), F(1, 2**70), F(-1, 2**100),
          F(1, 2**126), F(-1, 2**130), F(1, 2**400)]  # fmt: skip


@pytest.mark.parametrize("a", [1, 2, 3, 8, 31])
@pytest.mark.parametrize("b", [1, 2, 3, 8, 31])
def test_moments_are_hypergeometric_functions_to_the_last_bits(a: int, b: int) -> None:
    for point in POINTS:
        with working_at(128):
            place = arb(ball(point).mid())
            found = moment(a, b, place)
            assert found.rel_accuracy_bits() > 128 - 12 - (b if abs(point) < F(1, 2**127) else 0)
        with working_at(700):
            assert found.overlaps((-place).hypgeom_2f1(b, a, a + 1) / a)
    assert ends(moment(a, b, arb(0))) == ends(ball(F(1, a)))


def test_moments_hold_their_value_at_few_bits_as_well() -> None:
    for bits, point in ((2, F(-7, 64)), (3, F(-15, 256)), (3, F(15, 256)), (4, F(-1, 64)), (5, F(-1, 64))):
        for a, b in ((1, 31), (1, 1), (2, 31), (5, 8)):
            with working_at(bits):
                found = moment(a, b, ball(point))
            with working_at(200):
                assert found.overlaps((-ball(point)).hypgeom_2f1(b, a, a + 1) / a)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 1), (1, 2), (3, 4)])
def test_the_moment_of_a_ball_spans_those_of_its_ends(a: int, b: int) -> None:
    with working_at(128):
        wide, first, last = moment(a, b, arb(1, 0.5)), moment(a, b, arb(1.5)), moment(a, b, arb(0.5))
        assert ends(wide)[0] <= ends(first)[1]
        assert ends(wide)[0] >= ends(first)[0] - F(1, 2**20)
        assert ends(wide)[1] >= ends(last)[0]
        assert ends(wide)[1] <= ends(last)[1] + F(1, 2**20)
    for nothing in (arb(-1), arb(-2), arb(-1, 0.5), arb(0, "inf"), arb.nan()):
        assert moment(a, b, nothing).is_nan()


@pytest.mark.parametrize(("upper", "largest"), [(True, 2**12), (False, 2**6)])
def test_incomplete_gamma_functions_are_taken_up_to_a_size(upper: bool, largest: int) -> None:
    with working_at(64):
        for order, argument in ((largest - 1, 1), (1, largest - 1)):
            found = incomplete_gamma(arb(order), arb(argument), upper)
            assert found.is_finite()
            whole = arb(order).gamma()
            other = incomplete_gamma(arb(order), arb(argument), not upper)
            assert not other.is_finite() or (found + other).overlaps(whole)
        for order, argument in ((largest, 1), (1, largest), (-largest, 1), (1, -largest)):
            assert incomplete_gamma(arb(order), arb(argument), upper).is_nan()
        # Of order 2: (1 + x) exp(-x) above x, and the rest of 1 below it.
        above = 3 * arb(-2).exp()
        assert incomplete_gamma(arb(2), arb(2), upper).overlaps(above if upper else 1 - above)


def test_the_precision_is_the_one_before_after_an_error() -> None:
    from flint import ctx

    before = ctx.prec
    with working_at(before + 7):
        assert ctx.prec == before + 7
    assert ctx.prec == before
    with pytest.raises(UnreadableCertificate), working_at(before + 7):
        raise UnreadableCertificate
    assert ctx.prec == before


# ------------------------------------------------------------------------------------------------- the walk

Cell = tuple[tuple[Fraction, Fraction], ...]
trees = st.recursive(
    st.sampled_from(["D", "M", "a"]),
    lambda inner: st.tuples(st.sampled_from("01"), inner, inner).map("".join),
    max_leaves=25,
)


def document(expression: sympy.Expr, box: Cell, tree: str, *, strict: bool, given: Any = (), cuts: Any = None) -> Any:
    """A certificate that the expression is >= 0 (> 0 if strict) on a box, by this tree."""
    ends = dict(zip("xy", box, strict=False))
    about = inequality_on_box("test:inequality", expression, ends, hypotheses=given, strict=strict)
    about = about if cuts is None else replace(about, cuts=cuts)
    return Certificate(tuple(ends), tuple(box), 64, tree, about).to_json()


def cells(tree: str, box: Cell) -> Iterator[tuple[str, Cell]]:
    """Each leaf with its cell: the tree is written in preorder, the lower half first."""
    nodes = iter(tree)

    def below(cell: Cell) -> Iterator[tuple[str, Cell]]:
        node = next(nodes)
        if not node.isdigit():
            yield node, cell
            return
        axis = int(node)
        low, high = cell[axis]
        for half in ((low, (low + high) / 2), ((low + high) / 2, high)):
            yield from below((*cell[:axis], half, *cell[axis + 1 :]))

    yield from below(box)


SQUARE: Cell = ((F(0), F(1)), (F(-1), F(1)))


@given(tree=trees, where=st.integers(-8, 8), strict=st.booleans())
def test_a_tree_is_accepted_up_to_the_first_cell_that_exact_numbers_do_not_prove(
    tree: str, where: int, strict: bool
) -> None:
    """x - y + t with the hypothesis x <= 1/2: of a linear function every form is exact up to rounding."""
    t = F(where, 4) + F(1, 3)
    about = document(x - y + sympy.Rational(t), SQUARE, tree, strict=strict, given=[sympy.Rational(1, 2) - x])
    leaves = 0
    reason = "every leaf is proved and the leaves tile the box"
    for code, ((left, right), (bottom, top)) in cells(tree, SQUARE):
        leaves += 1
        least = left - top + t
        if not (left > F(1, 2) if code == "a" else least > 0):
            where_it_fails = f"x in [{left}, {right}], y in [{bottom}, {top}]"
            reason = f"leaf {leaves} ({code!r}) is not proved: {where_it_fails}"
            break
    found = replay(about)
    assert (found.accepted, found.leaves, found.reason) == (reason.startswith("every"), leaves, reason)


@given(tree=trees.filter(lambda tree: len(tree) > 1))
def test_leaves_that_do_not_tile_the_box_are_rejected(tree: str) -> None:
    tree = tree.replace("a", "D")
    held, longer, shorter = (document(2 + x - y, SQUARE, t, strict=False) for t in (tree, tree + "D", tree[:-1]))
    count = sum(not node.isdigit() for node in tree)
    assert replay(held).leaves == count
    more = replay(longer)
    assert (more.accepted, more.leaves) == (False, count)
    assert more.reason == "tree: nodes follow after the whole box is covered"
    fewer = replay(shorter)
    assert not fewer.accepted
    assert fewer.reason == "tree: 1 boxes are left without a proof"


@pytest.mark.parametrize(
    ("constant", "direct", "mean"),
    [(F(-1, 16), False, False), (F(0), True, False), (F(31, 16), True, False), (F(33, 16), True, True)],
)
def test_a_mean_value_form_takes_the_middle_and_the_whole_slope(constant: Fraction, direct: bool, mean: bool) -> None:
    """x^2 + c on [-1, 1]: c in the middle, and a slope of at most 2 over a half-width of 1."""
    for code, expected in (("D", direct), ("M", mean)):
        data = document(x**2 + sympy.Rational(constant), ((F(-1), F(1)),), code, strict=False)
        assert replay(data).accepted is expected


@given(st.tuples(st.integers(-4, 4), st.integers(0, 6)), st.tuples(st.integers(-4, 4), st.integers(0, 6)),
       st.integers(-20, 20), st.booleans())  # fmt: skip
def test_the_mean_value_form_of_a_product_is_the_one_of_exact_numbers(
    first: tuple[int, int], second: tuple[int, int], constant: int, strict: bool
) -> None:
    """x y + c, whose slopes are the other variable: at the end of an axis where its slope has a sign, else spread."""
    box = tuple((F(low), F(low + width)) for low, width in (first, second))
    place, spread = [(low + high) / 2 for low, high in box], F(0)
    for axis, (low, high) in enumerate(box):
        below, above = box[1 - axis]
        half = (high - low) / 2
        if below >= 0:
            place[axis] = low
        elif above <= 0:
            place[axis] = high
        else:
            spread += max(-below, above) * half
    least = place[0] * place[1] + constant - spread
    if spread and least == 0:
        return  # a spread is rounded outward
    data = document(x * y + constant, box, "M", strict=strict)
    assert replay(data).accepted is (least > 0 if strict else least >= 0)


def test_each_letter_is_one_hypothesis_in_the_order_of_the_certificate() -> None:
    """The leaf says which of them fails."""
    box: Cell = ((F(0), F(1)),)
    given = [sympy.exp(sympy.exp(x)) - 100, sympy.Rational(1, 4) - x, sympy.Rational(3, 4) - x]
    for tree, accepted in (("a", True), ("b", False), ("0Db", True), ("0Dc", False), ("0D0Dc", False), ("0D0bc", False),
                           ("0D0bb", True), ("0ba", False)):  # fmt: skip
        data = document(sympy.Rational(1, 2) - x, box, tree, strict=False, given=given)
        assert replay(data).accepted is accepted
        for cuts in ((1, 0, 2), (2, 1, 0)):
            letters = {"abc"[number]: "abc"[place] for place, number in enumerate(cuts)}
            swapped = "".join(letters.get(node, node) for node in tree)
            other = document(sympy.Rational(1, 2) - x, box, swapped, strict=False, given=given, cuts=cuts)
            assert replay(other).accepted is accepted


@settings(max_examples=60)
@given(tree=trees, strict=st.booleans())
def test_no_tree_proves_a_false_claim(tree: str, strict: bool) -> None:
    """It fails in one corner of the square, by a thousandth."""
    false = x - y + sympy.Rational(999, 1000) + sympy.log(1 + x * y) ** 2 * sympy.Max(x, y)
    unit: Cell = ((F(0), F(1)), (F(0), F(1)))
    result = replay(document(false, unit, tree.replace("a", "M"), strict=strict))
    assert not result.accepted
    assert result.reason.startswith("leaf")
    assert replay(document(false + 1, unit, "D", strict=strict)).accepted


def test_a_function_without_a_derivative_has_a_value() -> None:
    for expression in (sympy.floor(x), sympy.uppergamma(x + 1, sympy.Integer(1)), sympy.sign(x + 1)):
        direct, mean = (document(expression, ((F(1), F(9, 8)),), tree, strict=True) for tree in "DM")
        assert replay(direct).accepted
        assert "a mean-value leaf needs the derivative of" in replay(mean).reason


def test_a_slope_that_is_no_number_proves_nothing() -> None:
    unit: Cell = ((F(0), F(1)),)
    assert replay(document(sympy.sqrt(x) + 1, unit, "D", strict=True)).accepted
    assert not replay(document(sympy.sqrt(x) + 1, unit, "M", strict=True)).accepted


DIFFERENTIABLE = [
    sympy.sqrt(1 + x * y),
    (1 + x) ** sympy.Rational(1, 3),
    (1 + x) ** (2 + y),
    sympy.exp(-x * y),
    sympy.tanh(x + y),
    sympy.cosh(x) * sympy.sinh(1 + y),
    2 + sympy.sin(x) * sympy.cos(y),
    1 + sympy.erf(x - y) / 2,
    1 + sympy.erfc(x) / (1 + y) ** 3,
    sympy.gamma(2 + x) * (1 + y),
    2 + sympy.loggamma(2 + x) * y,
    1 + sympy.Abs(x - y) * sympy.Max(x, 1 - y) * sympy.Min(x, y),
    sympy.uppergamma(2, 1 + x) + y,
    sympy.lowergamma(2, 1 + x) + y,
]


@pytest.mark.parametrize("expression", DIFFERENTIABLE, ids=[str(e) for e in DIFFERENTIABLE])
def test_mean_value_leaves_of_every_operation_are_replayed(expression: sympy.Expr) -> None:
    box = {"x": (F(1, 5), F(4, 5)), "y": (F(1, 5), F(4, 5))}
    # Nothing, written so that the direct enclosure does not see it, and the least value on a grid: it fails first.
    nothing = (x - y) ** 2 - (x**2 - 2 * x * y + y**2)
    steps = [F(k, 10) for k in range(2, 9)]
    least = min(float(expression.subs({x: p, y: q})) for p in steps for q in steps)
    whole = expression + nothing - sympy.Rational(F(least) * F(999, 1000))
    found = certify(whole, box, maximum_boxes=20_000, subject=inequality_on_box("test:inequality", whole, box))
    assert found.status == "certified"
    assert found.certificate is not None
    assert "M" in found.certificate.tree
    result = replay(found.certificate.to_json())
    assert result.accepted, result.reason
