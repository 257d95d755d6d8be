"""Formulas against ordinary logic: connectives, negation and three-valued truth at a point."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from types import ModuleType

import pytest
import sympy

from rgm_verify.balls.special import LogRemainder
from rgm_verify.claims import At
from rgm_verify.claims.formula import (
    OPERATORS,
    All,
    Either,
    Formula,
    FormulaError,
    Iff,
    Implies,
    Relation,
    both,
    canonical,
    chain,
    either,
    eq,
    expression,
    ge,
    gt,
    holds,
    le,
    lt,
    ne,
    negation,
    printed,
    relations,
    structure,
    substitute,
    symbols_of,
)
from rgm_verify.claims.written.rendering import latex

x, y, z = sympy.symbols("x y z", real=True)
PYTHON = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
MAKERS = {"<=": le, "<": lt, ">=": ge, ">": gt, "==": eq, "!=": ne}
NUMBERS = (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1))


def exact_sign(values: dict[sympy.Symbol, Fraction]) -> Callable[[sympy.Expr], str]:
    def sign(value: sympy.Expr) -> str:
        number = value.subs({s: sympy.Rational(v.numerator, v.denominator) for s, v in values.items()})
        return "positive" if number > 0 else "negative" if number < 0 else "zero"

    return sign


@pytest.mark.parametrize("op", OPERATORS)
def test_a_relation_holds_exactly_where_python_says_so(op: str) -> None:
    for a, b in product(NUMBERS, repeat=2):
        assert holds(MAKERS[op](x, y), exact_sign({x: a, y: b})) is PYTHON[op](a, b)


@pytest.mark.parametrize("op", OPERATORS)
def test_a_maker_builds_the_relation_that_it_is_named_for(op: str) -> None:
    assert MAKERS[op](x, y) == Relation(x, op, y)


FORMULAS: dict[str, tuple[Formula, Callable[[Fraction, Fraction], bool]]] = {
    "and": (both(le(x, 0), gt(y, x)), lambda a, b: a <= 0 and b > a),
    "or": (either(lt(x, 0), eq(y, 1)), lambda a, b: a < 0 or b == 1),
    "implies": (Implies(ge(x, 0), ne(y, 0)), lambda a, b: a < 0 or b != 0),
    "iff": (Iff(ge(x, 0), le(y, x)), lambda a, b: (a >= 0) == (b <= a)),
    "nested": (
        Implies(either(lt(x, 0), both(ge(y, 0), le(y, x))), ne(x, y)),
        lambda a, b: not (a < 0 or 0 <= b <= a) or a != b,
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_connectives_mean_what_they_mean_in_logic(name: str) -> None:
    formula, meaning = FORMULAS[name]
    for a, b in product(NUMBERS, repeat=2):
        assert holds(formula, exact_sign({x: a, y: b})) is meaning(a, b)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_negation_holds_exactly_where_the_formula_fails(name: str) -> None:
    formula, meaning = FORMULAS[name]
    for a, b in product(NUMBERS, repeat=2):
        assert holds(negation(formula), exact_sign({x: a, y: b})) is not meaning(a, b)


@pytest.mark.parametrize("name", FORMULAS)
def test_negating_twice_changes_no_truth(name: str) -> None:
    formula, meaning = FORMULAS[name]
    for a, b in product(NUMBERS, repeat=2):
        assert holds(negation(negation(formula)), exact_sign({x: a, y: b})) is meaning(a, b)


@pytest.mark.parametrize(
    ("op", "sign", "truth"),
    [
        ("<=", "nonnegative", True),
        ("<=", "nonpositive", None),
        ("<", "nonnegative", None),
        ("<", "nonpositive", False),
        ("==", "nonnegative", None),
        ("==", "nonpositive", None),
        ("!=", "nonpositive", None),
        *((op, "unknown", None) for op in OPERATORS),
    ],
)
def test_an_uncertain_sign_settles_only_what_it_settles(op: str, sign: str, truth: bool | None) -> None:
    assert holds(MAKERS[op](x, y), lambda _: sign) is truth


def test_unknown_parts_follow_three_valued_logic() -> None:
    known = {x: "positive", y: "negative", z: "unknown"}
    true, false, open_ = (gt(s, 0) for s in (x, y, z))

    def truth(formula: Formula) -> bool | None:
        return holds(formula, lambda gap: known[gap])

    assert [truth(f) for f in (true, false, open_)] == [True, False, None]
    assert [truth(both(a, open_)) for a in (true, false, open_)] == [None, False, None]
    assert [truth(either(a, open_)) for a in (true, false, open_)] == [True, None, None]
    assert [truth(Implies(a, open_)) for a in (true, false, open_)] == [None, True, None]
    assert [truth(Implies(open_, a)) for a in (true, false, open_)] == [True, None, None]
    assert [truth(Iff(a, open_)) for a in (true, false, open_)] == [None, None, None]


@pytest.mark.parametrize(("op", "gap"), [("<=", y - x), ("<", y - x), (">=", x - y), (">", x - y)])
def test_the_gap_is_the_larger_side_minus_the_smaller(op: str, gap: sympy.Expr) -> None:
    assert MAKERS[op](x, y).gap == gap


def test_strict_is_what_equality_breaks() -> None:
    assert {op for op in OPERATORS if MAKERS[op](x, y).strict} == {"<", ">", "!="}


def test_a_chain_is_its_neighbouring_relations() -> None:
    assert chain(x, "<=", y, "==", z) == All((le(x, y), eq(y, z)))
    assert chain(x, "<", 1) == lt(x, 1)
    assert latex(chain(x, "<=", y, "==", z)) == r"x \le y = z"


def test_only_relations_that_share_a_side_are_joined() -> None:
    assert latex(both(le(x, y), le(z, x))) == r"x \le y \quad\text{and}\quad z \le x"
    assert latex(both(le(x, y), either(le(y, 1)))) == r"x \le y \quad\text{and}\quad y \le 1"
    assert latex(both(either(le(x, y)), le(y, 1))) == r"x \le y \quad\text{and}\quad y \le 1"


def test_a_logarithm_is_printed_as_log() -> None:
    assert latex(le(sympy.log(y), 1)) == r"\log(y) \le 1"


def test_formulas_are_values() -> None:
    parts = (le(x, y), lt(x, y))
    makers = (
        lambda: parts[0],
        lambda: both(*parts),
        lambda: either(*parts),
        lambda: Implies(*parts),
        lambda: Iff(*parts),
    )
    assert len({make() for make in makers} | {make() for make in makers}) == len(makers)


@pytest.mark.parametrize("items", [(), (x,), (x, "<"), (x, "<", y, "<")])
def test_an_incomplete_chain_is_refused(items: tuple[object, ...]) -> None:
    with pytest.raises(FormulaError, match=f"chain of {len(items)} items"):
        chain(*items)


@pytest.mark.parametrize("op", ["=", "=<", "", "in"])
def test_an_unknown_operator_is_refused_by_name(op: str) -> None:
    with pytest.raises(FormulaError, match="allowed are <=, <, >="):
        Relation(x, op, y)


@pytest.mark.parametrize("value", [0.5, x + 0.1, sympy.Float("0.1") * x])
def test_a_float_is_refused_with_the_way_to_write_it(value: object) -> None:
    with pytest.raises(FormulaError, match=r"is a float; write an exact number such as Rational\(1, 10\)"):
        le(x, value)


def test_of_several_floats_the_first_is_named() -> None:
    with pytest.raises(FormulaError, match=r"0\.25\d* is a float"):
        le(x, sympy.Float("0.25") * x + sympy.Float("0.75"))


def test_something_that_is_no_expression_is_refused() -> None:
    with pytest.raises(FormulaError, match=r"lhs=.*: expected an expression, got"):
        expression(sympy.Tuple(x), name="lhs")
    with pytest.raises(FormulaError, match=r"lhs=.*: this is a relation of SymPy's.*write le"):
        expression(sympy.Lt(x, y), name="lhs")


class Foreign(sympy.Function):
    """A function of nobody's library, found under its name in its module."""


def test_a_class_that_nothing_is_known_of_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    own = ModuleType("an_authors_module")
    vars(own)["Foreign"] = Foreign
    monkeypatch.setitem(sys.modules, own.__name__, own)
    monkeypatch.setattr(Foreign, "__module__", own.__name__)
    with pytest.raises(FormulaError, match="Foreign is no class of SymPy's or of this library"):
        expression(1 + Foreign(x), name="lhs")
    impostor = type("log", (sympy.Function,), {"__module__": sympy.log.__module__})
    with pytest.raises(FormulaError, match="log is no class of SymPy's or of this library"):
        expression(impostor(x) * y, name="lhs")
    for known in (sympy.Function("f")(x), sympy.log(x), LogRemainder(2, x), sympy.pi, At(x**2, x, y)):
        assert expression(known, name="lhs") == known


def test_sympys_own_substitution_is_refused_and_ours_is_not() -> None:
    with pytest.raises(FormulaError, match=r"write At\(f, x, a\)"):
        expression(sympy.Subs(x**2, x, y) + At(x**3, x, y), name="lhs")
    assert eq(At(x**2, x, y), y**2).lhs == At(x**2, x, y)


def test_the_order_of_a_derivative_is_a_number() -> None:
    n = sympy.Symbol("n", integer=True, positive=True)
    for slope in (sympy.Derivative(x**3, (x, n)), 1 + sympy.Derivative(sympy.exp(x * y), (x, 2), (y, n + 1))):
        with pytest.raises(FormulaError, match=r"the order of Derivative\(.*\) is not a number"):
            eq(slope, 0)
    assert eq(sympy.Derivative(x**3, (x, 2)), 6 * x).lhs == sympy.Derivative(x**3, (x, 2))


@pytest.mark.parametrize("value", [sympy.I, sympy.nan, sympy.zoo, sympy.oo, -sympy.oo])
def test_a_side_that_is_no_real_number_is_refused(value: sympy.Expr) -> None:
    with pytest.raises(FormulaError, match="is not a real number; write a side that is real throughout"):
        le(x, sympy.Add(y, sympy.Mul(2, value, evaluate=False), evaluate=False))


@pytest.mark.parametrize("value", ["x", True, False, None])
def test_a_text_or_a_truth_value_is_no_side(value: object) -> None:
    with pytest.raises(FormulaError, match="lhs="):
        expression(value, name="lhs")  # type: ignore[arg-type]


def test_substitution_is_simultaneous() -> None:
    assert substitute(le(x, y), {x: y, y: x}) == le(y, x)
    assert substitute(le(x, y), {}) == le(x, y)


k, n = sympy.symbols("k n", integer=True)
CAUGHT = [
    (sympy.Integral(x * y, (x, 0, 1)), {y: x}, "y = x: x is the variable of a sum, a product, an integral"),
    (sympy.Sum(k * n, (k, 1, 3)), {n: n + k}, "n = k \\+ n: k is the variable"),
    (sympy.Product(k + y, (k, 1, n)), {y: k, n: 2}, "y = k: k is the variable"),
    (sympy.Derivative(x * y, x), {y: 2 * x}, "y = 2\\*x: x is the variable"),
    (1 + sympy.exp(sympy.Integral(sympy.Sum(k * x * y, (k, 1, n)), (x, 0, 1))), {y: k}, "y = k: k is the variable"),
]
LET_THROUGH = [
    (sympy.Integral(x * y, (x, 0, 1)), {y: z}, sympy.Integral(x * z, (x, 0, 1))),
    (sympy.Integral(x * y, (x, 0, 1)), {x: z}, sympy.Integral(x * y, (x, 0, 1))),
    (sympy.Sum(k, (k, 1, n)) + y, {y: k}, sympy.Sum(k, (k, 1, n)) + k),
    (sympy.Derivative(x * y, x), {y: z, z: x}, sympy.Derivative(x * z, x)),
]


@pytest.mark.parametrize(("side", "values", "message"), CAUGHT, ids=[str(c[0]) for c in CAUGHT])
def test_no_index_catches_a_symbol(side: sympy.Expr, values: dict[sympy.Symbol, sympy.Expr], message: str) -> None:
    """The integral of x y over [0, 1] is at most y for y >= 0, and that of x^2 is not at most x there."""
    with pytest.raises(FormulaError, match=message):
        substitute(le(side, y), values)


@pytest.mark.parametrize(("side", "values", "expected"), LET_THROUGH, ids=[str(c[0]) for c in LET_THROUGH])
def test_what_no_index_catches_is_replaced(
    side: sympy.Expr, values: dict[sympy.Symbol, sympy.Expr], expected: sympy.Expr
) -> None:
    assert substitute(le(side, 1), values) == le(expected, 1)


def test_every_relation_and_every_symbol_is_found_once_from_left_to_right() -> None:
    formula = Implies(both(le(x, 1), le(y, 1)), either(Iff(le(z, 1), le(z, 2)), le(x, 2)))
    assert list(relations(formula)) == [le(x, 1), le(y, 1), le(z, 1), le(z, 2), le(x, 2)]
    assert symbols_of(formula) == {x, y, z}


def test_a_variable_of_integration_is_not_free() -> None:
    assert symbols_of(eq(sympy.Integral(sympy.exp(-(x**2) * y), (x, 0, 1)), 1)) == {y}


def test_different_formulas_have_different_canonical_texts() -> None:
    parts = [le(x, y), lt(x, y), le(y, x), eq(x, y)]
    formulas: list[Formula] = [*parts, both(*parts[:2]), either(*parts[:2]), Implies(*parts[:2]), Iff(*parts[:2])]
    assert len({canonical(f) for f in formulas}) == len({latex(f) for f in formulas}) == len(formulas)
    assert canonical(le(x, y)) == canonical(le(x, y))


def test_formulas_of_the_same_shape_and_different_parts_have_different_texts() -> None:
    parts = [le(x, y), lt(x, y), eq(x, y), eq(x, y, definition=True), le(y, x), le(x, 2 * y)]
    for make in (both, either, Implies, Iff):
        pairs = list(product(parts, repeat=2))
        assert len({canonical(make(a, b)) for a, b in pairs}) == len(pairs)
    assert len({canonical(make(parts[0])) for make in (both, either)} | {canonical(parts[0])}) == 3
    nested = [both(both(*parts[:2]), parts[2]), both(parts[0], both(*parts[1:3])), both(*parts[:3])]
    assert len({canonical(formula) for formula in nested}) == 3


def test_a_side_is_changed_everywhere_and_a_definition_stays_one() -> None:
    parts = (le(x, y), eq(x, 2 * x, definition=True))
    for make in (lambda a, b: both(a, b), lambda a, b: either(a, b), Implies, Iff):
        assert substitute(make(*parts), {x: z}) == make(le(z, y), eq(z, 2 * z, definition=True))
        assert substitute(make(*parts), {}) == make(*parts)


def test_symbols_of_one_name_and_different_domains_are_told_apart() -> None:
    assert canonical(le(sympy.Symbol("x"), 1)) != canonical(le(sympy.Symbol("x", positive=True), 1))


def test_sums_and_products_are_written_in_the_order_of_their_texts() -> None:
    f = sympy.Function("f")
    a, b = sympy.symbols("a b", commutative=False)
    assert structure(y + 2 * f(x)) == f"Add(Mul(Function('f')({structure(x)}), Integer(2)), {structure(y)})"
    assert structure(sympy.log(x) * y) == f"Mul({structure(y)}, log({structure(x)}))"
    assert structure(b * a) == f"Mul({structure(b)}, {structure(a)})"
    assert structure(sympy.Mul(2, x + y, evaluate=False)) != structure(2 * (x + y).expand())


def test_a_printed_side_keeps_every_operation_and_reads_from_left_to_right() -> None:
    assert latex(eq(printed(lambda: x - y - (z - y)), x - z)) == r"x - y - (z - y) = x - z"
    assert latex(eq(printed(lambda: 2 * x * (y / x)), 2 * y)) == r"2 x \frac{y}{x} = 2 y"
    assert printed(lambda: x / x) != 1
    assert printed(lambda: x) == x


def test_sides_that_would_cancel_keep_their_difference_for_others_to_evaluate() -> None:
    relation = eq(printed(lambda: x + y - y), x)
    assert relation.lhs != relation.rhs
    assert relation.gap != 0
    assert relation.gap.doit() == 0


def test_a_definition_is_shown_as_one() -> None:
    assert latex(eq(x, y, definition=True)) == "x := y"
    assert latex(chain(x, ":=", y, "<=", z)) == r"x := y \le z"


def test_the_parts_of_a_formula_stand_in_a_tuple() -> None:
    from rgm_verify.claims.formula import All, Either

    x = sympy.Symbol("x", real=True)
    for kind in (All, Either):
        assert kind((le(x, 1),)).parts == (le(x, 1),)
        for parts in ([le(x, 1)], (), [], le(x, 1)):
            with pytest.raises(FormulaError, match="expected at least one formula, in a tuple"):
                kind(parts)
        with pytest.raises(FormulaError, match="part 2 of"):
            kind((le(x, 1), True))


def test_a_formula_is_shown_as_it_is_read() -> None:
    x, y = sympy.symbols("x y")
    small, large = le(x, 1), gt(y, x**2)
    assert str(small) == "x <= 1"
    assert str(All((small, large))) == "(x <= 1 and y > x**2)"
    assert str(Either((small, large))) == "(x <= 1 or y > x**2)"
    assert str(Implies(small, large)) == "(x <= 1 implies y > x**2)"
    assert str(Iff(small, large)) == "(x <= 1 if and only if y > x**2)"
    with pytest.raises(FormulaError, match=r"^x <= 1: a formula is not true or false for Python"):
        bool(small)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "this is a truth value"), (False, "this is a truth value"), (sympy.true, "this is a truth value"),
        (sympy.false, "this is a truth value"), (sympy.Lt(x, y), "this is a relation of SymPy's"),
        (sympy.And(sympy.Lt(x, y), sympy.Lt(y, z)), "this is a relation of SymPy's"),
        (x, r"expected a formula such as le\(a, b\) or both\(...\), got Symbol"), (1, "expected a formula .*, got int"),
        (0, "expected a formula .*, got int"), (None, "expected a formula .*, got NoneType"),
        ("x < y", "expected a formula .*, got str"),
    ],
)  # fmt: skip
def test_what_is_no_formula_is_told_what_to_write(value: object, said: str) -> None:
    for make in (lambda v: both(le(x, y), v), lambda v: Implies(le(x, y), v)):
        with pytest.raises(FormulaError, match=f"part 2 of .*: {said}"):
            make(value)  # type: ignore[no-untyped-call]


def test_a_formula_has_no_truth_value_for_python() -> None:
    for formula in (le(x, y), both(le(x, y)), either(le(x, y)), Implies(le(x, y), le(y, z)), Iff(le(x, y), le(y, z))):
        with pytest.raises(FormulaError, match="a formula is not true or false for Python"):
            bool(formula)


def test_only_an_equation_can_be_a_definition() -> None:
    assert Relation(x, ":=", y) == eq(x, y, definition=True)
    for op in OPERATORS:
        if op != "==":
            with pytest.raises(FormulaError, match="only an equation can be a definition"):
                Relation(x, op, y, definition=True)


def test_an_integral_of_numbers_has_no_sign_for_sympy() -> None:
    """Its quadrature misses the peak at 7/3, and the maximum would be 1/1000 before anybody is handed it."""
    t = sympy.Symbol("t", real=True)
    peak = sympy.Integral(sympy.exp(-1000 * (t - sympy.Rational(7, 3)) ** 2), (t, -1000, 1000))
    small = sympy.Rational(1, 1000)
    assert sympy.Max(peak, small).has(peak)
    assert sympy.Abs(peak - small) != small - peak
    assert sympy.floor(10 * peak + sympy.Rational(9, 10)) != 0
