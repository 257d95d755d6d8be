"""The lens for matrices of all sizes: it proves what holds for all of them, and nothing that fails for one."""

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
import sympy
from sympy import Determinant, Identity, MatMul, MatrixSymbol, Trace, ZeroMatrix

from rgm_verify.claims import Claim, ClaimError, Hypothesis, Mutant, eq, ge, gt, le, natural, ne, nonnegative, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.claims.formula import Formula
from rgm_verify.claims.outcome.verdict import Verdict
from rgm_verify.engine.discovery import load
from rgm_verify.engine.judge import run_claim
from rgm_verify.engine.outcome.assemble import judgements
from rgm_verify.engine.run import judge_one
from rgm_verify.lenses import Matrices
from rgm_verify.lenses.base import Context
from rgm_verify.lenses.matrices.normal_forms import Rules, Sum, WordError

D, N = natural("d", "dimension"), natural("n", "number of columns")
d, n = D.symbol, N.symbol
TAU, MU = real("tau", "a number"), nonnegative("mu", "a number")
tau, mu = TAU.symbol, MU.symbol
A, B, Q = (MatrixSymbol(name, d, d) for name in "ABQ")
X = MatrixSymbol("X", d, n)
u, v = (MatrixSymbol(name, d, 1) for name in "uv")
y = MatrixSymbol("y", n, 1)
SYMMETRIC = Hypothesis("A is symmetric", eq(A.T, A))
INVERTIBLE = Hypothesis("A can be inverted", ne(Determinant(A), 0))
Q_INVERTIBLE = Hypothesis("Q can be inverted", ne(Determinant(Q), 0))


def claim(conclusion: Formula, *hypotheses: Hypothesis, lens: Matrices | None = None) -> Claim:
    return Claim(
        id="t:matrices",
        title="",
        source="",
        where="",
        kind="identity",
        variables=(D, N, TAU, MU),
        hypotheses=hypotheses,
        conclusion=conclusion,
        checks=(lens or Matrices(),),
    )


def looked(made: Claim) -> list[Evidence]:
    (lens,) = made.checks
    assert isinstance(lens, Matrices)
    return lens.look(made, Context())


def proves(made: Claim) -> bool:
    return any(e.kind is Kind.SYMBOLIC_PROOF and e.finding is Finding.SUPPORTS for e in looked(made))


def refutes(made: Claim) -> bool:
    return any(e.kind is Kind.COUNTEREXAMPLE and e.finding is Finding.REFUTES for e in looked(made))


TRUE = {
    "a square multiplied out": claim(
        eq((u - tau * v).T * (u - tau * v), u.T * u - 2 * tau * v.T * u + tau**2 * v.T * v)
    ),
    "a gradient": claim(eq(X * (X.T * u - y) / n + mu * u, (X * X.T / n + mu * Identity(d)) * u - X * y / n)),
    "an inverse in between": claim(eq(B * u, MatMul(B, A.I, A, u, evaluate=False)), INVERTIBLE),
    "the inverse of a product": claim(
        eq(u.T * MatMul(Q, A, evaluate=False).I * v, u.T * A.I * Q.I * v), INVERTIBLE, Q_INVERTIBLE
    ),
    "the norm of a vector of rank one": claim(
        eq(Trace(u * u.T * A.I * A.I * u * u.T), Trace(u.T * u) * Trace(u.T * A.I * A.I * u)), SYMMETRIC, INVERTIBLE
    ),
    "a trace goes round": claim(eq(Trace(X.T * A * X), Trace(A * X * X.T))),
    "a trace of the transpose": claim(eq(Trace(A * B), Trace(B.T * A.T))),
    "the trace of a rank-one matrix": claim(eq(Trace(u * v.T), Trace(u.T * v))),
    "the trace of the identity": claim(eq(Trace(A.I * A + mu * Identity(d)), (1 + mu) * d), INVERTIBLE),
    "symmetry": claim(eq(u.T * A * v, v.T * A * u), SYMMETRIC),
    "the inverse is symmetric": claim(eq(u.T * A.I * v, v.T * A.I * u), SYMMETRIC, INVERTIBLE),
    "numbers commute": claim(eq((u.T * A * v) * (v.T * u), (u.T * v) * (v.T * A.T * u))),
    "nothing": claim(eq(A - A + u * v.T - u * v.T, ZeroMatrix(d, d))),
}

#: Statements that fail for some matrices, each by the kind of carelessness that it names.
FALSE = {
    "matrices that commute": claim(eq(A * B, B * A)),
    "symmetry that nobody declared": claim(eq(u.T * A * v, v.T * A * u)),
    "symmetry of a product of symmetric matrices": claim(
        eq(A * B, (A * B).T), SYMMETRIC, Hypothesis("B is symmetric", eq(B.T, B))
    ),
    "the transpose of a product in its order": claim(eq((A * B).T, MatMul(A.T, B.T))),
    "the inverse of a product in its order": claim(eq((A * Q).I, MatMul(A.I, Q.I)), INVERTIBLE, Q_INVERTIBLE),
    "an outer product for an inner one": claim(eq(Trace(u * v.T) * Identity(d), u * v.T)),
    "the square of a sum": claim(eq((A + B) * (A + B), A * A + 2 * A * B + B * B)),
    "the trace of a product": claim(eq(Trace(A * B), Trace(A) * Trace(B))),
    "a trace that goes round backwards": claim(eq(Trace(A * B * Q), Trace(B * A * Q))),
    "the trace of the identity is 1": claim(eq(Trace(Identity(d)), 1)),
    "one size for the other": claim(eq(Trace(X.T * X) / n, Trace(X * X.T) / d)),
    "a Gram matrix for another": claim(eq(Trace(X.T * X * X.T * X), Trace(X.T * X) ** 2)),
    "the whitened product": claim(eq(u.T * Q * Q.T * u, u.T * Q.T * Q * u)),
    "what is true in dimension 1": claim(eq((u.T * A * u) * (u.T * u), Trace(A) * (u.T * u) * (u.T * u))),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_for_all_matrices_is_proved_and_no_world_speaks_against_it(name: str) -> None:
    found = looked(TRUE[name])
    assert {e.kind for e in found} == {Kind.SYMBOLIC_PROOF, Kind.NUMERICAL_ROUTE}, [e.summary for e in found]
    assert all(e.finding is Finding.SUPPORTS for e in found)


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_for_some_matrices_is_refuted_and_not_proved(name: str) -> None:
    assert not proves(FALSE[name])
    assert refutes(FALSE[name])


@pytest.mark.parametrize(
    "conclusion",
    [
        eq(B * u, MatMul(B, A.I, A, u, evaluate=False)),  # A may be singular
        eq(MatMul(X * X.T, sympy.Inverse(X * X.T), evaluate=False), Identity(d)),  # not a product of square ones
        eq(MatMul(mu * A, sympy.Inverse(mu * A), evaluate=False), Identity(d)),  # mu may be 0
        eq(MatMul(sympy.Inverse(A + B), A + B, evaluate=False), Identity(d)),  # a sum may be singular
        eq(u * Trace(A) / mu, u * Trace(A) / mu + ZeroMatrix(d, 1) * tau),  # mu may be 0
    ],
)
def test_nothing_is_proved_of_what_may_not_be_defined(conclusion: Formula) -> None:
    hypotheses = () if conclusion == eq(B * u, MatMul(B, A.I, A, u, evaluate=False)) else (INVERTIBLE,)
    assert not proves(claim(conclusion, *hypotheses))


def test_a_multiple_is_inverted_where_the_factor_is_not_0() -> None:
    conclusion = eq(u.T * sympy.Inverse(mu * A) * v, u.T * A.I * v / mu)
    positive = Hypothesis("mu is positive", gt(mu, 0))
    assert proves(claim(conclusion, INVERTIBLE, positive))
    assert not proves(claim(conclusion, INVERTIBLE))


def test_sizes_that_do_not_match_are_no_statement() -> None:
    made = claim(eq(MatMul(A, y, evaluate=False), u))
    assert not proves(made)
    assert not refutes(made)
    assert not proves(claim(eq(u, u.T)))
    assert not proves(claim(eq(sympy.MatAdd(A, X, evaluate=False), sympy.MatAdd(X, A, evaluate=False))))


def test_two_things_of_one_name_are_refused() -> None:
    for twin in (MatrixSymbol("A", d, n), MatrixSymbol("A", n, n), MatrixSymbol("mu", d, d)):
        with pytest.raises(ClaimError, match="two things are called"):
            looked(
                claim(
                    eq(A * twin if twin.rows == d else A, A if twin.rows == d else A + 0 * A),
                    Hypothesis("", eq(twin, mu * twin)),
                )
            )


def test_an_undeclared_size_is_refused() -> None:
    for length in (sympy.Symbol("k"), sympy.Symbol("d"), tau, mu):
        with pytest.raises(ClaimError, match="is neither a number nor an integer variable"):
            looked(claim(eq(MatrixSymbol("Z", length, 1), MatrixSymbol("Z", length, 1) * 2)))


def test_a_hypothesis_that_is_not_understood_proves_nothing() -> None:
    for hypothesis in (eq(A * A, Identity(d)), eq(A, B), ne(Determinant(A * B), 0), ne(Trace(A), 0)):
        assert not proves(claim(TRUE["a square multiplied out"].conclusion, Hypothesis("other", hypothesis)))


def test_a_rectangular_matrix_is_not_symmetric_by_decree() -> None:
    assert not proves(claim(eq(X.T * X, X.T * X + ZeroMatrix(n, n)), Hypothesis("odd", eq(X.T, X))))


def test_an_inequality_is_proved_by_squares_and_refuted_without_them() -> None:
    lower, upper = u.T * A * u, u.T * A * u + u.T * X * X.T * u / n
    assert proves(claim(le(lower, upper), lens=Matrices(squares=((1 / n, X.T * u),))))
    assert proves(claim(ge(upper, lower), lens=Matrices(squares=((1 / n, X.T * u),))))
    assert not proves(claim(le(lower, upper)))
    assert not proves(claim(le(lower, upper), lens=Matrices(squares=((tau, X.T * u),))))
    assert refutes(claim(ge(lower, upper)))
    assert not proves(
        claim(gt(upper + Identity(1), lower), lens=Matrices(squares=((1 / n, X.T * u), (1, Identity(1)))))
    )


def test_squares_count_with_their_sign() -> None:
    made = claim(ge(-u.T * u, ZeroMatrix(1, 1)), lens=Matrices(squares=((sympy.Integer(-1), u),)))
    assert not proves(made)
    assert refutes(made)


def test_an_inequality_uses_hypotheses_with_factors_that_are_not_negative() -> None:
    given = Hypothesis("order", le(u.T * A * u + u.T * X * X.T * u, mu * u.T * u))
    conclusion = le(u.T * A * u, mu * u.T * u)
    squares = ((sympy.Integer(1), X.T * u),)
    assert proves(claim(conclusion, given, lens=Matrices(squares, (("order", sympy.Integer(1)),))))
    assert refutes(claim(conclusion, lens=Matrices(squares, (("order", sympy.Integer(1)),))))
    reverse = claim(ge(u.T * A * u, mu * u.T * u), given, lens=Matrices((), (("order", sympy.Integer(-1)),)))
    assert not proves(reverse)
    assert refutes(reverse)
    assert not proves(claim(conclusion, given, lens=Matrices(squares, (("another", sympy.Integer(1)),))))


def test_a_trace_is_not_a_square_unless_it_is_one() -> None:
    assert refutes(claim(ge(Trace(A * A), 0)))
    assert not proves(claim(ge(Trace(A * A), 0), lens=Matrices(squares=((sympy.Integer(1), A),))))
    assert proves(claim(ge(Trace(A * A), 0), SYMMETRIC, lens=Matrices(squares=((sympy.Integer(1), A),))))


def test_an_existence_statement_is_left_alone() -> None:
    assert not proves(replace(TRUE["symmetry"], quantifier="exists"))


def test_a_matrix_is_not_compared_with_a_number() -> None:
    for mixed in (ge(u.T * u, 0), eq(Trace(u * v.T), u.T * v)):
        with pytest.raises(ClaimError, match="compares a matrix with a number"):
            looked(claim(mixed))


def test_settings_use_the_symbols_of_the_claim() -> None:
    twin = sympy.Symbol("mu")
    with pytest.raises(ClaimError, match="undeclared symbol mu"):
        looked(claim(ge(u.T * u, ZeroMatrix(1, 1)), lens=Matrices(squares=((twin, u),))))


def test_a_claim_is_judged_with_its_mutants_and_a_true_mutant_survives() -> None:
    true = TRUE["a square multiplied out"].conclusion
    assert true is not None
    made = replace(
        claim(true),
        mutants=(
            Mutant("a sign", FALSE["matrices that commute"].conclusion),
            Mutant("true", TRUE["a gradient"].conclusion),
        ),
    )
    record = run_claim(made, Context())
    assert [m["killed"] for m in record["mutants"]] == [True, False]
    assert record["mutants"][0]["witness"] is not None
    assert record["false_proofs"] == []


def _rules(*invertible: str) -> Rules:
    return Rules(frozenset(), frozenset(invertible), lambda value: value.is_nonzero is True)


def _same(first: Sum, second: Sum) -> bool:
    return {k: sympy.expand(c) for k, c in first.items() if c != 0} == {
        k: sympy.expand(c) for k, c in second.items() if c != 0
    }


def test_normal_forms_multiply_out() -> None:
    rules = _rules("A", "Q")
    assert _same(rules.normal((A + B) * u), rules.normal(A * u + B * u))
    assert _same(rules.normal(sympy.Inverse(2 * A * Q)), rules.normal(Q.I * A.I / 2))
    assert not _same(rules.normal(A * B), rules.normal(B * A))
    assert not _same(rules.normal(A.T), rules.normal(A))
    assert _same(rules.normal(Trace(Identity(d))), rules.normal(d))


def test_normal_forms_are_refused_for_what_has_none() -> None:
    for value in (sympy.HadamardProduct(A, B), A**n, B.I, sympy.exp(Trace(A)), 1 / Trace(A), A[0, 0], Determinant(A)):
        with pytest.raises(WordError):
            _rules("A").normal(value)


def test_identities_of_different_sizes_are_not_equal() -> None:
    assert not proves(claim(eq(Identity(d), Identity(n) + ZeroMatrix(n, n))))
    assert not proves(claim(eq(ZeroMatrix(d, n), ZeroMatrix(n, d))))


def test_a_number_in_front_of_a_matrix_has_to_differ_from_0_to_be_inverted() -> None:
    multiple = MatMul(Trace(A), A, evaluate=False)
    made = claim(eq(MatMul(sympy.Inverse(multiple), multiple, evaluate=False), Identity(d)), INVERTIBLE)
    assert not proves(made)


def test_a_determinant_that_is_0_makes_nothing_invertible() -> None:
    singular = Hypothesis("A is singular", eq(Determinant(A), 0))
    assert not proves(claim(eq(B * u, MatMul(B, A.I, A, u, evaluate=False)), singular))


def test_worlds_that_no_matrix_meets_are_no_route() -> None:
    never = Hypothesis("a square below 0", le(u.T * u + Identity(1), ZeroMatrix(1, 1)))
    found = looked(claim(eq(u.T * v, v.T * u), never))
    assert {e.kind for e in found if e.finding is Finding.SUPPORTS} == {Kind.SYMBOLIC_PROOF}


PAGE = """
    from sympy import Determinant, Identity, MatrixSymbol
    from rgm_verify.claims import Claim, Hypothesis, Mutant, eq, natural, ne
    from rgm_verify.lenses import Matrices
    N = natural("n")
    A, B, C = (MatrixSymbol(name, N.symbol, N.symbol) for name in "ABC")
    REGULAR = (Hypothesis("invertible", ne(Determinant(A), 0)),)
    def claim(name, conclusion, hypotheses=()):
        return Claim(id="t:" + name, title=name, source="t", where="1", kind="identity", variables=(N,),
                     hypotheses=hypotheses, conclusion=conclusion, checks=(Matrices(),),
                     mutants=(Mutant("other", conclusion=eq(B * C, C * B)),))
    def made(name, side):
        both = eq(side + B * C, B * (Identity(N.symbol) + C))
        return [claim(name, both), claim(name + "-regular", both, REGULAR)]
    ALL = [*made("right", A * A.I * B), *made("left", A.I * A * B), *made("powers", A**2 * A**-1 * A**-1 * B),
           *made("twice", A.I.I * A.I * B), *made("difference", B + A.I - A.I)]
"""


def test_what_is_not_defined_for_singular_matrices_is_not_proved(tmp_path: Path) -> None:
    (tmp_path / "page.py").write_text(dedent(PAGE))
    paper = load(tmp_path)
    assert len(paper.claims) == 10
    records = {name: judge_one(str(tmp_path), name, "quick") for name in paper.claims}
    found = {name: judgement.verdict for name, judgement in judgements(paper, records).items()}
    for name, verdict in found.items():
        assert verdict is (Verdict.PROVED if name.endswith("-regular") else Verdict.REFUTED), name
