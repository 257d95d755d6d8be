"""Names for expressions: a page shows the name, SymPy and the lenses see the expression."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Rational, Symbol, exp, log, sqrt

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, both, chain, eq, ge, gt, le, positive, real
from rgm_verify.claims.formula import Iff, Implies, canonical, either
from rgm_verify.claims.notation import Name, NamingError, has_names, named, names_in, spelled, spelled_throughout
from rgm_verify.claims.written.rendering import control_latex, expression_latex, latex, names
from rgm_verify.lenses import Combination, Identity

X, Y = positive("x"), real("y")
x, y = X.symbol, Y.symbol
S = named("S", x + y**2)
RHO = named(r"\rho", 1 - x * S)

leaves = st.sampled_from([x, y, S, RHO, sympy.Integer(2), Rational(1, 3)])
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        inner.map(lambda e: e**2),
        inner.map(exp),
    ),
    max_leaves=6,
)


@given(expressions, st.fractions(min_value=1, max_value=4), st.fractions(min_value=-3, max_value=3))
def test_values_put_into_a_name_are_put_into_its_expression(value: sympy.Expr, at: object, on: object) -> None:
    point = {x: sympy.Rational(str(at)), y: sympy.Rational(str(on))}
    assert sympy.expand(spelled(value).subs(point) - spelled(value.subs(point))) == 0


@given(expressions, st.sampled_from([x, y]))
def test_a_name_is_differentiated_as_its_expression(value: sympy.Expr, by: sympy.Symbol) -> None:
    assert sympy.expand(spelled(sympy.diff(value, by)) - sympy.diff(spelled(value), by)) == 0


@given(expressions)
def test_no_name_is_left_when_all_are_spelled_out(value: sympy.Expr) -> None:
    assert not has_names(spelled(value))
    assert value.free_symbols == spelled(value).free_symbols or sympy.simplify(spelled(value)).free_symbols <= {x, y}


def test_a_changed_expression_loses_its_name() -> None:
    assert isinstance(S, Name)
    assert S.subs(x, 2) == 2 + y**2
    assert S.xreplace({y: x}) == x + x**2
    assert S.subs(Symbol("z"), 1) == S


def test_a_name_promises_what_its_expression_promises() -> None:
    assert S.is_positive
    assert sqrt(S**2) == S
    assert RHO.is_positive is None
    assert RHO.is_real


def test_a_relation_judges_the_expression_and_remembers_how_it_was_written() -> None:
    relation = le(S * x, RHO)
    assert relation == le((x + y**2) * x, 1 - x * (x + y**2))
    assert canonical(relation) == canonical(le((x + y**2) * x, 1 - x * (x + y**2)))
    assert latex(relation) == r"x S \le \rho"
    assert names([relation]) == [("S", "x + y^2"), (r"\rho", "1 - x S")]


def test_what_is_left_as_written_stays_so_when_names_are_spelled_out() -> None:
    from rgm_verify.claims import printed

    written = printed(lambda: S / (S / 2))
    assert spelled(written) != 2
    assert sympy.simplify(spelled(written)) == 2


def test_a_power_of_a_name_with_a_power_is_put_in_brackets() -> None:
    squared = named("|u|^2", x**2 + 1)
    assert expression_latex(squared**2) == r"(|u|^2)^2"
    assert expression_latex(x * squared) == r"x |u|^2"
    assert expression_latex(named(r"D_\alpha(P\|Q)", x + 1) ** 2) == r"D_\alpha(P\|Q)^2"


@pytest.mark.parametrize("title", [r"|x^2|", r"\|x^2\|", r"\lVert x^2 \rVert", r"(a^2 + 1)", r"\left|x^2\right|"])
def test_a_power_between_bars_needs_no_brackets_of_its_own(title: str) -> None:
    assert expression_latex(named(title, x + 1) ** 2) == f"{title}^2"
    assert expression_latex(x**2, {x: title}) == f"{title}^2"
    matrix = named(title, sympy.MatrixSymbol("A", 2, 2) * sympy.MatrixSymbol("B", 2, 2))
    assert expression_latex(matrix.T) == f"{title}^T"


def test_a_derivative_before_another_factor_is_put_in_brackets() -> None:
    f, g = (sympy.Function(name) for name in "fg")
    shown = r"\frac{d}{d x} f{(x)}"
    assert expression_latex(f(x).diff(x) * g(x)) in (rf"g{{(x)}} {shown}", rf"\left({shown}\right) g{{(x)}}")
    two = expression_latex(f(x).diff(x) * g(x).diff(x))
    assert two.count(r"\left(") == 1
    assert two.startswith(r"\left(\frac{d}{d x}")
    assert expression_latex(x * f(x).diff(x)) == rf"x {shown}"
    assert expression_latex(x + f(x).diff(x)) == rf"x + {shown}"


@pytest.mark.parametrize("title", ["", "  ", "a + b", "a = b", "x - 1", "a < b", 3])
def test_a_title_that_no_reader_could_tell_from_what_surrounds_it_is_refused(title: str) -> None:
    with pytest.raises(NamingError, match="title="):
        named(title, x + 1)


def test_a_symbol_and_a_number_keep_the_name_that_they_have() -> None:
    assert named("z", x) == x
    assert named("z", 3) == 3


def test_a_name_must_stand_for_something_of_sympy() -> None:
    with pytest.raises(NamingError, match="value="):
        named("z", sympy.true)


def test_a_name_survives_the_way_between_processes() -> None:
    assert pickle.loads(pickle.dumps(RHO * 2)) == RHO * 2


def test_a_matrix_has_a_name_too() -> None:
    n = sympy.Symbol("n", integer=True, positive=True)
    matrix = sympy.MatrixSymbol("X", n, n)
    gram = named("A", matrix * matrix.T)
    assert gram.shape == (n, n)
    assert expression_latex(gram.T * matrix) == "A^T X"
    assert expression_latex(gram.I * matrix) == "A^{-1} X"
    assert expression_latex(matrix.I * gram**2) == "X^{-1} A^2"
    assert spelled(gram * matrix).doit() == matrix * matrix.T * matrix


def test_names_in_settings_are_spelled_out_and_the_rest_is_the_same_object() -> None:
    plain = (Identity(), {x: (1, 2)}, [y])
    assert spelled_throughout(plain) is plain
    lens = Combination(terms=((S, x**2),))
    assert spelled_throughout((lens,))[0] == Combination(terms=((x + y**2, x**2),))


def test_the_signature_of_a_claim_does_not_depend_on_its_names() -> None:
    def about(total: sympy.Expr) -> Claim:
        return Claim(
            id="names", title="Names", source="test", where="here", kind="inequality", variables=(X, Y),
            hypotheses=(Hypothesis("large", gt(total, 1)),), conclusion=both(ge(total, x), ge(2 * total, x)),
            checks=(Combination(terms=((total,),)),), sampling=Chart({x: (1, 2)}, {y: total}),
            mutants=(Mutant("less", le(total, x)),),
        )  # fmt: skip

    assert about(S).signature() == about(x + y**2).signature()
    assert control_latex(about(S), about(S).mutants[0]) == r"S \le x"


def test_a_chain_shows_names_once_for_each_side() -> None:
    assert latex(chain(S, "<=", RHO, "==", x)) == r"S \le \rho = x"


def test_a_variable_is_shown_as_its_author_says() -> None:
    norm = positive("a", "norm", latex=r"\|R(x)\|")
    assert latex(eq(norm.symbol**2, y), {norm.symbol: norm.latex}) == r"\|R(x)\|^2 = y"


def test_names_come_before_those_that_they_are_made_of() -> None:
    assert [n.title for n in names_in([RHO + log(x)])] == [r"\rho", "S"]


def test_a_term_that_stands_twice_is_shown_twice() -> None:
    from rgm_verify.claims import printed

    assert expression_latex(printed(lambda: x + sqrt(x) + sqrt(x))) == r"\sqrt{x} + \sqrt{x} + x"


_NAMES_OF_A_MAXIMUM = """
import sympy
from rgm_verify.claims import ge, positive
from rgm_verify.claims.notation import named
from rgm_verify.claims.written.rendering import names
x, y = positive("x").symbol, positive("y").symbol
parts = [named(title, value) for title, value in (("A", x + 1), ("B", y + 2), ("C", x * y + 3), ("D", x - y))]
print(names([ge(sympy.Max(*parts), 1)]))
"""


def test_names_come_in_one_order_in_every_process() -> None:
    """The members of a maximum are a set: its order differs with the seed of a process."""
    told = set()
    for seed in range(6):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = subprocess.run(
            [sys.executable, "-c", _NAMES_OF_A_MAXIMUM], capture_output=True, text=True, check=True, env=environment
        )
        told.add(done.stdout)
    assert len(told) == 1


def test_brackets_say_how_a_formula_was_put_together() -> None:
    """Without them two formulas that mean different things look the same."""
    x = sympy.Symbol("x", real=True)
    low, high, square = le(x, 1), ge(x, 3), ge(x**2, 0)
    assert latex(both(either(low, high), square)) != latex(either(low, both(high, square)))
    assert latex(both(either(low, high), square)).startswith("(x")
    assert latex(either(low, both(high, square))).endswith("0)")
    assert latex(Implies(Implies(low, high), square)) != latex(Implies(low, Implies(high, square)))
    assert latex(Iff(Implies(low, high), square)) != latex(Implies(low, Iff(high, square)))


def test_a_chain_needs_no_brackets() -> None:
    x = sympy.Symbol("x", real=True)
    assert "(" not in latex(either(chain(0, "<", x, "<", 1), ge(x, 3)))
    assert "(" not in latex(both(le(x, 1), ge(x, 0)))
    assert "(" not in latex(Implies(both(le(x, 1), ge(x, 0)), either(le(x, 1), ge(x, 3))))
