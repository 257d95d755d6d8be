"""Textbook statements of known truth, one a line, in the default style: variables, hypotheses, conclusion, nothing else.

    name | variables with domains | conclusion | hypotheses, separated by ; | where a false one fails

A domain is an interval as it is printed; `n{1}` is an integer from 1, `n{}` any integer, and no domain is the whole
line. `exists` before a conclusion asks for one point. Lines are read by SymPy, as somebody would type them.
"""

import re

import sympy

from rgm_verify.claims import Claim, Hypothesis, Relation, real

WITNESSES = {}
_OPERATORS = re.compile(r"(<=|>=|==|!=|<|>)")
_VARIABLE = re.compile(r"(\w+)(\{-?\d*\}|[\[(][^,]*,[^\])]*[\])])?")
_DECIMAL = re.compile(r"(?<![\w.])(\d+)/(\d+)(?!\w)")


def variable(text):
    name, domain = _VARIABLE.fullmatch(text).groups()
    if domain is None:
        return real(name)
    if domain[0] == "{":
        return real(name, integer=True, lower=int(domain[1:-1]) if domain[1:-1] else None)
    low, high = domain[1:-1].split(",")
    ends = {} if "inf" in low else {"lower": sympy.Rational(low), "lower_open": domain[0] == "("}
    if "inf" not in high:
        ends |= {"upper": sympy.Rational(high), "upper_open": domain[-1] == ")"}
    return real(name, **ends)


def expression(text, symbols):
    indices = {name: sympy.Symbol(name, integer=True) for name in ("k", "j") if f"({name}," in text}
    dummies = {"t": sympy.Symbol("t", real=True)} if "(t," in text else {}
    return sympy.sympify(text, locals={**indices, **dummies, **symbols})


def relation(text, symbols):
    left, op, right = (part.strip() for part in _OPERATORS.split(text))
    return Relation(expression(left, symbols), op, expression(right, symbols))


def claim(line, truth, corpus):
    parts = [part.strip() for part in line.split("|")] + ["", ""]
    name, domains, text, given, witness = parts[:5]
    variables = tuple(variable(v) for v in domains.split())
    symbols = {v.symbol.name: v.symbol for v in variables}
    identity = f"{corpus}:{truth}-{name}"
    if witness:
        WITNESSES[identity] = dict(entry.split("=") for entry in witness.split(";"))
    return Claim(
        id=identity,
        title=name,
        source="corpus",
        where="-",
        kind=truth,
        variables=variables,
        hypotheses=tuple(
            Hypothesis(f"h{i}", relation(part, symbols)) for i, part in enumerate(filter(None, given.split(";")))
        ),
        conclusion=relation(text.removeprefix("exists "), symbols),
        quantifier="exists" if text.startswith("exists ") else "forall",
    )


def read(corpus, text):
    """The claims of a set: the lines below [true], and those below [false]."""
    found, truth = [], None
    for line in text.splitlines():
        if line.startswith("["):
            truth = line.strip("[]")
        elif line and not line.startswith("#") and truth in ("true", "false"):
            found.append(claim(line, truth, corpus))
    return found
