"""The kinds of evidence in words for a reader of the report."""

from __future__ import annotations

from rgm_verify.claims.evidence import Kind

#: From the strongest to the weakest.
KINDS = {
    Kind.KERNEL_PROOF: "A proof of small steps, which the kernel checked over the rational numbers at this run.",
    Kind.COQ_THEOREM: "A theorem written by hand, which Coq has accepted. That it says what the claim says is for the "
    "reader to see; no verdict depends on it.",
    Kind.SYMBOLIC_PROOF: "SymPy rewrote the formula by exact rules until it was plainly true.",
    Kind.SMT_PROOF: "A solver for real arithmetic (z3) showed that no point breaks it.",
    Kind.DEDUCTION: "The claim follows from other claims; its verdict is no stronger than theirs.",
    Kind.REGION_CERTIFICATE: "Boxes that tile the region, on each of which interval arithmetic shows the inequality.",
    Kind.EXACT_WITNESS: "An exact point at which a statement of existence holds.",
    Kind.COUNTEREXAMPLE: "An exact point at which the claim fails by a margin that is certainly not zero.",
    Kind.ENCLOSURES: "Intervals around both sides at many points agree with the claim; other points are not covered.",
    Kind.NUMERICAL_ROUTE: "The same quantity computed in a second way by other software, for example by integration.",
    Kind.SIMULATION: "Random draws, with the probability stated that they agree by chance.",
    Kind.MEASUREMENT: "Recorded values of an experiment on stated data.",
    Kind.SEARCH: "A search for a counterexample that found none.",
    Kind.NOTE: "Tried without result, and why.",
}

#: The words of this house that a reader of the report meets, at most ten; each is linked where the first page uses it.
GLOSSARY = {
    "statement": "What a source prints: a theorem, a step of a proof, a definition, a sentence.",
    "claim": "What is judged: a formula with its variables and hypotheses. "
    "It may answer several statements, or one in part.",
    "erratum": "A claim of a source that is false, with what is right instead.",
    "counterexample": "Exact numbers at which every hypothesis holds and the statement fails, "
    "with a few lines of Python to see it.",
    "kernel": "A small program (750 lines) that checks proofs step by step over fractions, "
    "and trusts nothing else here.",
    "solver": "z3 or SymPy: large programs of others that prove or refute formulas.",
    "certified": "Computed with intervals that are sure to hold every value; a proof with numbers.",
    "supported": "Nothing speaks against it, and nothing proves it.",
    "control": "A wrong variant of a claim. A method that proves one of them is not believed.",
    "ledger": "The files with all verdicts and evidence, from which every page is made.",
}
