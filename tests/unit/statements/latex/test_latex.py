"""LaTeX is read as what it says, told with its conventions, or refused by name: lists written by hand, and values."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import mpmath
import pytest
from click.testing import CliRunner

from rgm_verify.cli import main
from rgm_verify.errors import InputError
from rgm_verify.statements.checking import check
from rgm_verify.statements.latex.reading import read_latex
from rgm_verify.statements.latex.words import NotRead
from rgm_verify.statements.latex.writing import latex_of
from rgm_verify.statements.parser import parse
from rgm_verify.statements.tokens import DoubtfulReading, StatementError
from rgm_verify.statements.trees import (
    And,
    Compare,
    Factors,
    If,
    Iff,
    Name,
    Number,
    Or,
    Power,
    Series,
    Sort,
    Statement,
    Terms,
    names,
)

HERE = Path(__file__).parent


def readable() -> list[tuple[str, str]]:
    """Return pairs of LaTeX and the same statement in the grammar."""
    blocks = (HERE / "readable.txt").read_text(encoding="utf-8").split("\n\n")
    lines = [[line for line in block.strip().split("\n") if line[0] != "#"] for block in blocks]
    return [(latex, plain) for latex, plain in lines]


def unreadable() -> list[str]:
    """Return texts that have no one reading, or none in the grammar."""
    lines = (HERE / "unreadable.txt").read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


# ------------------------------------------------------------------------------------------------ values


def value(tree: Any, at: dict[str, Any]) -> Any:
    """Return the value of an expression at a point, computed from its tree alone."""
    match tree:
        case Number(number):
            return mpmath.mpf(number.numerator) / number.denominator
        case Name(name):
            return at[name] if name in at else {"pi": mpmath.pi, "e": mpmath.e}[name]
        case Terms(parts):
            return sum(value(part, at) * (-1 if sign == "-" else 1) for sign, part in parts)
        case Factors(parts):
            return mpmath.fprod(value(part, at) if sign == "*" else 1 / value(part, at) for sign, part in parts)
        case Power(base, exponent):
            return mpmath.power(value(base, at), value(exponent, at))
        case Series("integral", index, first, last, body):
            ends = [-mpmath.inf if first is None else value(first, at), mpmath.inf if last is None else value(last, at)]
            return mpmath.quad(lambda t: value(body, {**at, index: t}), ends)
        case Series(kind, index, first, last, body):
            inner = [
                value(body, {**at, index: mpmath.mpf(k)})
                for k in range(int(value(first, at)), int(value(last, at)) + 1)
            ]
            return mpmath.fsum(inner) if kind == "sum" else mpmath.fprod(inner)
    given = [value(part, at) for part in tree.arguments]
    own = {"abs": abs, "max": max, "min": min, "log2": lambda x: mpmath.log(x, 2), "log10": mpmath.log10,
           "arctan": mpmath.atan, "arcsin": mpmath.asin, "cbrt": mpmath.cbrt}  # fmt: skip
    return own[tree.name](*given) if tree.name in own else getattr(mpmath, tree.name)(*given)


def sides_of(formula: Any) -> list[tuple[str, Any]]:
    """Return the sides of a formula in order, each with the sign or the word before it."""
    match formula:
        case Compare(sides, signs):
            return list(zip(("", *signs), sides, strict=True))
        case And(parts) | Or(parts):
            return [(type(formula).__name__ + sign, side) for part in parts for sign, side in sides_of(part)]
        case If(left, right) | Iff(left, right):
            return [(type(formula).__name__ + sign, side) for part in (left, right) for sign, side in sides_of(part)]
    raise AssertionError(formula)


def same(one: Any, other: Any, at: dict[str, Any]) -> bool:
    """Return whether two formulas have the same relations between sides of the same values."""
    first, second = sides_of(one), sides_of(other)
    if [sign for sign, _ in first] != [sign for sign, _ in second]:
        return False
    return all(mpmath.almosteq(value(a, at), value(b, at), 1e-9) for (_, a), (_, b) in zip(first, second, strict=True))


def point(statement: Statement, seed: int) -> dict[str, Any]:
    """Return values for the names of a statement: small integers where one is called an integer."""
    drawn = random.Random(seed)
    whole = {g.name for g in statement.given if isinstance(g, Sort) and g.kind == "integer"}
    formulas = [statement.says, *(g for g in statement.given if not isinstance(g, Sort))]
    found = sorted({n.name for n in names(formulas)})
    return {n: mpmath.mpf(drawn.randint(2, 6)) if n in whole else mpmath.mpf(drawn.randint(3, 17)) / 20 for n in found}


def agree(one: Statement, other: Statement) -> bool:
    """Return whether two statements say the same at random points, under the same conditions."""
    sorts = [{(g.name, g.kind) for g in s.given if isinstance(g, Sort)} for s in (one, other)]
    given = [sorted(str(g) for g in s.given if not isinstance(g, Sort)) for s in (one, other)]
    at = [point(other, seed) for seed in (1, 2, 3)]
    # A bare real name declares nothing that a bound does not.
    whole = [{s for s in each if s[1] == "integer"} for each in sorts]
    return one.exists == other.exists and whole[0] == whole[1] and given[0] == given[1] and all(
        same(one.says, other.says, p) for p in at
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ the lists


def test_every_readable_text_is_read_as_what_it_says() -> None:
    wrong = []
    for latex, plain in readable():
        found = read_latex(latex)
        if len(found) != 1 or not agree(found[0].statement, parse(plain)):
            wrong.append((latex, [one.text for one in found], plain))
    assert not wrong
    assert len(readable()) >= 100


def test_the_comparison_of_values_sees_a_wrong_reading() -> None:
    pairs = (
        ("x/2*y >= 0", "x/(2*y) >= 0"),
        ("x <= y", "x < y"),
        ("x >= 0 for x > 0", "x >= 0"),
        ("log(x)*y <= 1", "log(x*y) <= 1"),
    )
    seen = [agree(parse(a), parse(b)) for a, b in pairs]
    assert not any(seen)


def test_no_unreadable_text_is_read() -> None:
    read_ones = []
    for latex in unreadable():
        try:
            read_ones.append((latex, [one.text for one in read_latex(latex)]))
        except InputError:
            continue
    assert not read_ones
    assert len(unreadable()) >= 150


def test_what_was_read_is_read_again_from_its_own_latex() -> None:
    for latex, _ in readable():
        one = read_latex(latex)[0]
        again = read_latex(latex_of(one.statement))[0]
        assert again.statement == one.statement, latex
        assert latex_of(again.statement) == latex_of(one.statement)


@pytest.mark.parametrize(
    "written",
    [
        "uppergamma(2, x) <= 1 for x >= 0",
        "lowergamma(2, x) <= 1 for x >= 0",
        "zeta(3) < 1.21",
        "Gamma(x) > 0 for x > 0",
    ],
)
def test_a_function_of_the_grammar_is_read_again_from_its_latex(written: str) -> None:
    statement = parse(written)
    assert read_latex(latex_of(statement))[0].statement == statement


# ------------------------------------------------------------------------------------------------ messages


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\|x\|\le1", "a norm"), (r"\mathbb{E}[X]\le1", "expectation"), (r"\Pr[A]\le1", "a probability"),
        (r"\begin{pmatrix}1\end{pmatrix}\ge0", "a matrix"), (r"x\approx1", "an approximate sign"),
        (r"T=O(n)", "an order of growth"), (r"\operatorname{foo}(x)\le1", "`foo`"), (r"\lim_x x\le1", "a limit"),
        (r"X\sim Y", "law"), (r"\undefinedname\le1", r"`\undefinedname`"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_by_its_name(latex: str, words: str) -> None:
    with pytest.raises(NotRead) as caught:
        read_latex(latex)
    assert words in str(caught.value)
    assert caught.value.reason


@pytest.mark.parametrize(
    "latex",
    [r"1/2x\le1", r"\log xy\le1", r"\sin^{-1}x\le1", r"\sqrt xy\le1", r"\epsilon\le\varepsilon", r"\ell\le l",
     r"\sigma(x+y)\le1", r"\sum_{k=1}^n k+1\le1", r"x^10\le1", r"a\le b,\quad c\le d", r"f'\le1", r"2n!\le1",
     r"\Phi(x)\le1"],
)  # fmt: skip
def test_two_readings_are_an_error_with_both_and_the_column(latex: str) -> None:
    with pytest.raises(DoubtfulReading) as caught:
        read_latex(latex)
    assert len(caught.value.readings) == 2
    assert 1 <= caught.value.column <= len(latex) + 1


def test_the_column_is_that_of_the_text_also_behind_a_macro() -> None:
    with pytest.raises(NotRead) as caught:
        read_latex(r"\newcommand{\no}{\|x\|} x \le \no")
    assert caught.value.column == 31


def test_macros_that_never_end_are_refused() -> None:
    for latex in (r"\def\a{\a}\a\le1", r"\def\a{\a\a}\a\le1", r"\def\a{xx\b}\def\b{\a\a}\a\le1"):
        with pytest.raises(NotRead, match="expand without an end"):
            read_latex(latex)


@pytest.mark.parametrize(
    "piece",
    ["(", "{", r"\frac", r"\sqrt", r"\log", "|", r"\sum_{k=1}^n", "x^", "x_", r"\int_0^1", r"\text{$", "x,", "$"],
)
def test_a_text_that_is_nested_without_an_end_is_refused(piece: str) -> None:
    with pytest.raises(InputError):
        read_latex(piece * (3_000 // len(piece)))


def test_every_convention_has_a_sentence() -> None:
    notes = " ".join(read_latex(r"\log(n!)\le n(n+1)e\pi\text{ for }n\in\mathbb{N}")[0].notes)
    for words in ("log is the natural logarithm", "is a product", "Euler's number", "3.14159", "begin with 1"):
        assert words in notes


def test_a_definition_gets_a_note() -> None:
    one = read_latex(r"\rho=1-\eta^2")[0]
    assert one.defines == "rho"
    assert "may be the definition of rho" in one.notes[-1]
    assert not read_latex(r"x+1=1+x")[0].defines


def test_lines_with_labels_are_statements_of_their_own() -> None:
    found = read_latex(r"\begin{align}x^2&\ge0\label{a}\\x^2+1&\ge2x\label{b}\end{align}")
    assert [(one.label, one.text) for one in found] == [("a", "x^2 >= 0"), ("b", "x^2 + 1 >= 2*x")]
    with pytest.raises(StatementError, match="one line has a condition"):
        read_latex(r"\begin{align}x^2&\ge0\\x+1&\ge1\quad\text{for }x\ge0\end{align}")


# ------------------------------------------------------------------------------------------------ the command


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["check", *arguments])


def test_the_command_says_what_it_read_before_the_verdict() -> None:
    done = run("--latex", r"\forall x\in[0,1]:\ x(1-x)\le\tfrac14")
    lines = done.output.splitlines()
    assert done.exit_code == 0
    assert lines[0] == "read as: for all x in [0, 1]: x*(1 - x) <= 1/4"
    assert lines[1] == "  convention: x(1-x) is a product"
    assert lines[2].startswith("proved: ")


def test_the_command_refuses_two_readings_with_exit_code_2() -> None:
    done = run("--latex", r"\log xy\le1")
    assert done.exit_code == 2
    assert "column 7" in done.output
    assert not any(word in done.output for word in ("proved", "refuted"))


def test_a_text_with_a_backslash_names_the_option() -> None:
    done = run(r"\sqrt{x}\le1")
    assert done.exit_code == 2
    assert "--latex" in done.output


def test_python_reads_latex_too() -> None:
    answer = check(r"x(1-x)\le\tfrac14", latex=True)
    assert answer.shown
    assert answer.notes[0] == "x(1-x) is a product"
    with pytest.raises(InputError, match="2 statements"):
        check(r"\begin{align}x&\ge0\\y&\ge0\end{align}", latex=True)
