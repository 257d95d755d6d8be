"""The kernel: a small checker of proofs over the rationals, which imports nothing that it checks.

It is what a reader has to trust of a claim whose page says that the kernel checked it: about 750 lines of code, with no
import outside the standard library. It decides nothing and searches for nothing. A proof comes as a document of plain
lists and texts (JSON), each step is small, and the answer is either the premises that were used or `Refused`. Whatever
found the proof, `rgm_verify.prover`, may be wrong without harm.

Modules, from the bottom up:

- `terms`: rationals, polynomials over atoms, and formulas; every function is total there, so that rewriting needs no
  side conditions.
- `calculus`: where the functions of a statement are defined or smooth, and their derivatives.
- `enclosures`: the sign of a constant, in integers rounded outward.
- `rules`: what may be said of each function; every rule asks for the facts that it needs.
- `check`: documents, steps and goals.

Limits on sizes are part of it. They are counts of work and never times, so that a proof is accepted or refused alike
on every machine: steps of arithmetic, and whatever else a document makes the kernel walk over. Trees have a depth that
fits Python's stack. Who reads documents of strangers adds a clock from outside (`rgm_verify.jobs.bounded`).

An example, x^2 >= 0 for every real x: the square is one polynomial over the document's names, and fact 0 is the goal.

Examples:
    >>> from rgm_verify.kernel.check import FORMAT, check
    >>> x = ["var", "x"]
    >>> statement = {"quantifier": "forall", "variables": [["x", "real", []]], "hypotheses": [],
    ...              "conclusion": [">=", ["pow", x, "2"], "0"]}
    >>> square = ["sum", [["1", [], [[["1", 0, 1]]]]], []]
    >>> document = {"format": FORMAT, "claim": "square", "statement": statement, "premises": {}, "names": [x],
    ...             "witness": {}, "proof": [square, ["end", 0]]}
    >>> check(document)
    ()

    The empty tuple says that it rests on no other claim. That x^2 is positive does not follow, as x may be 0.

    >>> statement["conclusion"] = [">", ["pow", x, "2"], "0"]
    >>> check(document)
    Traceback (most recent call last):
    rgm_verify.kernel.terms.Refused: fact 0 is not the goal, and excludes none of ()
"""
