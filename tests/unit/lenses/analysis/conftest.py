"""Statements in a line of text, for the tests of the analysis lens."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
import sympy

from rgm_verify.claims import Claim, Hypothesis, Relation, Variable, real
from rgm_verify.claims.evidence import Finding
from rgm_verify.lenses import Analysis
from rgm_verify.lenses.base import Context


def _variable(text: str) -> Variable:
    """A variable as `x[0,inf)`, `n{1}` (an integer from 1) or `x` (the whole line)."""
    name, domain = re.fullmatch(r"(\w)(.*)", text).groups()  # type: ignore[union-attr]
    if domain.startswith("{"):
        return real(name, integer=True, lower=int(domain[1:-1]))
    if not domain:
        return real(name)
    low, high = domain[1:-1].split(",")
    ends = {} if low == "-inf" else {"lower": Fraction(low), "lower_open": domain[0] == "("}
    if high != "inf":
        ends |= {"upper": Fraction(high), "upper_open": domain[-1] == ")"}
    return real(name, **ends)  # type: ignore[arg-type]


def parsed(line: str) -> Claim:
    """A claim as `variables | conclusion | hypotheses`."""
    domains, conclusion, *given_ = (part.strip() for part in line.split("|"))
    variables = tuple(_variable(text) for text in domains.split())
    bound = {"k": sympy.Symbol("k", integer=True), "t": sympy.Symbol("t", real=True)}
    symbols = bound | {v.symbol.name: v.symbol for v in variables}

    def relation(text: str) -> Relation:
        left, op, right = re.split(r"\s(<=|>=|==|!=|<|>)\s", text.strip())
        return Relation(sympy.sympify(left, locals=symbols), op, sympy.sympify(right, locals=symbols))

    return Claim(
        id="test:a", title="", source="test", where="-", kind="test", variables=variables,
        hypotheses=tuple(Hypothesis(f"h{i}", relation(text)) for i, text in enumerate(given_)),
        conclusion=relation(conclusion),
    )  # fmt: skip


@pytest.fixture(scope="session")
def claim() -> Callable[[str], Claim]:
    """A claim as `variables | conclusion | hypotheses`."""
    return parsed


@pytest.fixture(scope="session")
def proved() -> Callable[[str], bool]:
    """A test of whether the lens proves a statement."""
    return lambda line: any(e.finding is Finding.SUPPORTS for e in Analysis().look(parsed(line), Context()))
