"""The table of functions: each row is one function in all of its uses."""

from __future__ import annotations

from collections import Counter

import pytest
import sympy

from rgm_verify.balls.compiling import compile_expressions
from rgm_verify.balls.enclose import enclose
from rgm_verify.claims.written.trees import expression_tree, read_expression
from rgm_verify.lenses.solvers.definedness import UNKNOWN, needs, tells
from rgm_verify.terms.function import Function
from rgm_verify.terms.table import FUNCTIONS, found, made

X, Y = sympy.symbols("x y", positive=True)
#: Rows with a class, by a name that shows them; with as many arguments as they need.
ROWS = {f"{row.sympy}{list(row.fixed)}{row.count[0]}": row for row in FUNCTIONS if row.sympy}


def term(row: Function) -> sympy.Expr:
    return made(row, *(X, Y)[: row.count[0]], evaluate=False)


@pytest.mark.parametrize("name", ROWS)
def test_a_term_is_found_in_its_row_with_its_arguments(name: str) -> None:
    row = ROWS[name]
    if row.sympy == "polygamma" and not row.fixed:
        assert found(made(row, X, Y)) == (row, (X, Y))
    else:
        assert found(term(row)) == (row, (X, Y)[: row.count[0]])


def test_no_name_is_read_as_two_functions() -> None:
    names = Counter(name for row in FUNCTIONS for name in {row.text, *row.also} if name)
    assert max(names.values()) == 1


def test_no_two_functions_have_one_tree_or_one_operation() -> None:
    assert max(Counter(row.tree for row in FUNCTIONS if row.tree).values()) == 1
    assert max(Counter(row.op for row in FUNCTIONS if row.op).values()) == 1


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.tree])
def test_a_written_form_is_read_as_the_same_function(name: str) -> None:
    tree = expression_tree(term(ROWS[name]))
    assert tree[0] == ROWS[name].tree
    assert read_expression(tree, {"x": X, "y": Y}) == made(ROWS[name], *(X, Y)[: ROWS[name].count[0]])


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.op])
def test_a_program_has_the_operation_of_the_row(name: str) -> None:
    assert compile_expressions([term(ROWS[name])], [X, Y]).ops[-1][0] == ROWS[name].op


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.at])
def test_a_rational_value_lies_in_its_enclosure(name: str) -> None:
    place, value = ROWS[name].at or (0, 0)
    ball = enclose(made(ROWS[name], sympy.Integer(place), evaluate=False), {}, digits=12)
    assert ball.lower is not None
    assert ball.upper is not None
    assert ball.lower <= value <= ball.upper


@pytest.mark.parametrize("name", ROWS)
def test_only_a_function_with_a_domain_tells_of_its_arguments(name: str) -> None:
    assert not (tells(term(ROWS[name])) and UNKNOWN in needs(term(ROWS[name])))
