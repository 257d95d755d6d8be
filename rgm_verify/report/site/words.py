"""The kinds of evidence in words for a reader of the report."""

from __future__ import annotations

from rgm_verify.claims.evidence import Kind

#: From the strongest to the weakest.
KINDS = {
    Kind.KERNEL_PROOF: "A proof of small steps, which the kernel checked over the rational numbers at this run.",
    Kind.SYMBOLIC_PROOF: "SymPy rewrote the formula by exact rules until it was plainly true.",
    Kind.SMT_PROOF: "A solver for real arithmetic (z3, and cvc5 in the full profile) showed that no point breaks it.",
    Kind.DEDUCTION: "The claim follows from other claims; its verdict is no stronger than theirs.",
    Kind.REGION_CERTIFICATE: "Boxes that tile the region, on each of which interval arithmetic shows the inequality.",
    Kind.EXACT_WITNESS: "An exact point at which a statement of existence holds.",
    Kind.COUNTEREXAMPLE: "An exact point at which the claim fails by a margin that is certainly not zero.",
    Kind.ENCLOSURES: "Intervals around both sides at many points agree with the claim; other points are not covered.",
    Kind.NUMERICAL_ROUTE: "The same quantity computed in a second way by other software, for example by integration.",
    Kind.SIMULATION: "Random draws, with the probability stated that they agree by chance.",
    Kind.MEASUREMENT: "Recorded values of an experiment on stated data.",
    Kind.SEARCH: "A search for a counterexample that found none.",
    Kind.NOTE: "What a program tried, and why it came to no end.",
}
