"""Symbols and steps that the pages on the slides share."""

from rgm_verify.claims.page import Place
from rgm_verify.pages import *

from ..theorems import MONOTONE_INTEGRAL

NOTATION = Notation()

p = NOTATION.nonnegative("p", "density or probability under the dataset D")
q = NOTATION.nonnegative("q", "density or probability under the neighbour D'")
E = NOTATION.real("E", "e^epsilon", lower=1, latex=r"e^\epsilon")
epsilon = NOTATION.positive("epsilon", "level of privacy", latex=r"\epsilon")
delta = NOTATION.real("delta", "probability of failure", lower=0, lower_open=True, upper=1, upper_open=True)
K = NOTATION.natural("K", "number of mechanisms, or of parties")
n = NOTATION.natural("n", "number of records")
T = NOTATION.natural("T", "number of steps")


def excess(first: Expr, second: Expr, level: Expr | Symbol = E) -> Expr:
    """The positive part whose integral is the hockey-stick divergence at a level."""
    return Max(first - level * second, 0)


def integrated(
    text: str = "Both sides are integrated.", integrable: str = "The sides are finite sums of densities."
) -> Step:
    """The step from an inequality between densities to one between probabilities."""
    return Step(
        text, theorem=MONOTONE_INTEGRAL, met={"pointwise": "This is what the formula says.", "integrable": integrable}
    )


def ours(page: Page, what: str) -> Place:
    """The place of a claim of our own that belongs to a statement of the slides."""
    return page.elsewhere(f"to the slides: {what}", source="beyond")
