"""Laws of exact Gram matrices: what is decomposed comes back, and the sign of a matrix decides."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.prover.gram import Elimination, complement, squares_of

fractions = st.fractions(min_value=-5, max_value=5, max_denominator=6)
sizes = st.integers(1, 4)


def vectors(size: int) -> st.SearchStrategy[list[list[Fraction]]]:
    return st.lists(st.lists(fractions, min_size=size, max_size=size), max_size=size)


def total(weighted: list[tuple[Fraction, list[Fraction]]], size: int) -> list[list[Fraction]]:
    return [[sum((c * v[i] * v[j] for c, v in weighted), Fraction(0)) for j in range(size)] for i in range(size)]


@given(st.data())
def test_a_sum_of_squares_is_decomposed_into_one(data: st.DataObject) -> None:
    size = data.draw(sizes)
    matrix = total([(Fraction(1), v) for v in data.draw(vectors(size))], size)
    found = squares_of(matrix)
    assert found is not None
    assert all(weight > 0 for weight, _ in found)
    assert total(found, size) == matrix


@given(st.data())
def test_a_matrix_with_a_negative_value_is_no_sum_of_squares(data: st.DataObject) -> None:
    size = data.draw(sizes)
    matrix = total([(Fraction(1), v) for v in data.draw(vectors(size))], size)
    at = data.draw(st.lists(fractions, min_size=size, max_size=size))
    value = sum(at[i] * matrix[i][j] * at[j] for i in range(size) for j in range(size))
    # At this vector the form is pushed to -1.
    norm = sum(a * a for a in at)
    assume(norm)
    lowered = [[matrix[i][j] - (value + 1) * at[i] * at[j] / norm**2 for j in range(size)] for i in range(size)]
    assert squares_of(lowered) is None


@given(st.data())
def test_a_complement_is_orthogonal_and_has_the_right_size(data: st.DataObject) -> None:
    size = data.draw(sizes)
    given_ = data.draw(vectors(size))
    found = complement(given_, size)
    assert all(sum(a * b for a, b in zip(u, v, strict=True)) == 0 for u in given_ for v in found)
    # Twice the complement is the span: together they fill the space.
    assert len(complement(found, size)) == size - len(found)


@given(st.data(), st.sampled_from((1, 7, 1024)))
def test_a_solution_near_a_guess_solves_the_equations(data: st.DataObject, denominator: int) -> None:
    size = data.draw(sizes)
    rows = data.draw(vectors(size))
    assume(rows)
    point = data.draw(st.lists(fractions, min_size=size, max_size=size))
    right = [sum(a * b for a, b in zip(row, point, strict=True)) for row in rows]
    columns = [{i: row[j] for i, row in enumerate(rows) if row[j]} for j in range(size)]
    system = Elimination(columns, right)
    assert system.solvable
    found = system.near([float(p) for p in point], denominator)
    assert [sum(a * b for a, b in zip(row, found, strict=True)) for row in rows] == right
