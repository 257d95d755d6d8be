"""Claims, hypotheses, evidence, verdicts and the ledger: the words that the rest of the house speaks.

What an author of claims needs is importable from here:
`from rgm_verify.claims import Claim, Hypothesis, Mutant, Step, positive, le, ...`.
"""

from rgm_verify.balls.binding import At
from rgm_verify.claims.claim import (
    Chart,
    Claim,
    ClaimError,
    Hypothesis,
    Mutant,
    Step,
    Tightness,
    Variable,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.formula import (
    All,
    Either,
    Formula,
    FormulaError,
    Iff,
    Implies,
    Relation,
    both,
    chain,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
    negation,
    printed,
)
from rgm_verify.claims.theorem import Theorem, TheoremError

__all__ = [
    "All",
    "At",
    "Chart",
    "Claim",
    "ClaimError",
    "Either",
    "Formula",
    "FormulaError",
    "Hypothesis",
    "Iff",
    "Implies",
    "Mutant",
    "Relation",
    "Step",
    "Theorem",
    "TheoremError",
    "Tightness",
    "Variable",
    "both",
    "chain",
    "either",
    "eq",
    "ge",
    "gt",
    "le",
    "lt",
    "natural",
    "ne",
    "negation",
    "nonnegative",
    "positive",
    "printed",
    "real",
]
