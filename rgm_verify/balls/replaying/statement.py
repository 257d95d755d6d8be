"""The statement that a certificate certifies, as the replayer reads it: checked, and in infix.

Reads the trees that `rgm_verify.claims.written.trees` describes, without SymPy and without the code that wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

__all__ = [
    "CONSTANTS",
    "Statement",
    "Tree",
    "UnreadableCertificate",
    "is_name",
    "measure",
    "rational",
    "read_statement",
]

MAXIMUM_NODES = 10_000
MAXIMUM_DEPTH = 100
MAXIMUM_DIGITS = 4_300
MAXIMUM_EXPONENT = 10**6
MAXIMUM_MOMENT = 30

_RATIONAL = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")
_CLAIM = re.compile(r"[a-z0-9][a-z0-9.+-]*(:[a-z0-9][a-z0-9._-]*)?")
_NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
_SIDES = ("<=", "<", ">=", ">")
_CONNECTIVES = {"and": 0, "or": 0, "implies": 2, "iff": 2}
# Arguments by function: 0 for one or more.
_ARGUMENTS = {
    "add": 0, "mul": 0, "min": 0, "max": 0, "pow": 2, "uppergamma": 2, "lowergamma": 2, "pi": -1, "e": -1,
    "euler": -1,
    **dict.fromkeys(("exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "loggamma",
                     "digamma", "abs", "sign", "asin", "acos", "atan", "asinh", "acosh", "atanh", "erfi", "erfinv",
                     "erfcinv", "lambertw", "floor", "ceil", "trigamma"), 1),
}  # fmt: skip
#: These count as fifty nodes.
_SLOW = (
    "gamma", "loggamma", "digamma", "uppergamma", "lowergamma", "logrem", "erf", "erfc", "erfi", "erfinv", "erfcinv",
    "lambertw", "trigamma",
)  # fmt: skip
CONSTANTS: dict[str, Callable[[], arb]] = {"pi": arb.pi, "e": arb.const_e, "euler": arb.const_euler}
Tree = Any


class UnreadableCertificate(ValueError):
    """The document is not a certificate; the text names the field, the value and what is allowed."""


def rational(text: Any) -> Fraction | None:
    """Return the rational written as "p" or "p/q" with at most 4300 digits each, None for anything else.

    `Fraction` alone would read "1e999999999" as well, and fill the memory.
    """
    found = _RATIONAL.fullmatch(text) if isinstance(text, str) and len(text) <= 2 * MAXIMUM_DIGITS else None
    if found is None or any(len(part or "") > MAXIMUM_DIGITS for part in found.groups()) or found[2] == "0":
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


@dataclass(frozen=True)
class Statement:
    """The statement that a certificate names: the claim, its formulas as trees, and the chart.

    Attributes:
        claim: the id.
        exists: whether it says that something exists, so that the certificate refutes it.
        variables: by name, whether it is an integer.
        domain: relations that bound the variables.
        hypotheses: formulas.
        conclusion: a formula.
        maps: each variable in the coordinates of the box; None: the box has the variables themselves.
        inverse: each coordinate in the variables.
        factor: what the target is multiplied by; None: 1.
        target: what is evaluated on the leaves, where it is not the gap of the conclusion itself.
        certified: the inequality that is certified: the conclusion, or its opposite where that is refuted.
        cuts: the hypotheses that leaves may name: where one certainly fails the statement says nothing.
    """

    claim: str
    exists: bool
    variables: Mapping[str, bool]
    domain: tuple[Tree, ...]
    hypotheses: tuple[Tree, ...]
    conclusion: Tree
    maps: Mapping[str, Tree] | None
    inverse: Mapping[str, Tree]
    factor: Tree | None
    target: Tree | None
    certified: Tree
    cuts: tuple[Tree, ...]

    def strict(self) -> bool:
        """Return whether what is certified is a strict inequality."""
        return self.certified[0] in ("<", ">")

    def text(self) -> str:
        """Return the statement in words and infix: quantifier and variables, then what is given, then the
        conclusion.
        """
        kinds = {"real": [n for n, whole in self.variables.items() if not whole]}
        kinds["integer"] = [n for n, whole in self.variables.items() if whole]
        speakers = " and ".join(f"{kind} {', '.join(names)}" for kind, names in kinds.items() if names)
        given = ", ".join(map(formula_text, (*self.domain, *self.hypotheses)))
        first = f"there are {speakers}" if self.exists else f"for all {speakers}"
        start = (first if speakers else "") + (f" with {given}" if given else "")
        conclusion = formula_text(self.conclusion)
        if not start:
            return conclusion
        return f"{start}{' and ' if self.exists and given else ' such that ' if self.exists else ': '}{conclusion}"

    def proved(self) -> str:
        """Return the inequality that the leaves prove, with the hypotheses that cut the box.

        It is about coordinates and the target, which the chart ties to the statement.
        """
        above, below = map(text_of, sides(self.certified))
        gap = f"({above}) - ({below})"
        sign = "> 0" if self.strict() else ">= 0"
        where = " and ".join(map(formula_text, self.cuts))
        found = f"{gap if self.target is None else text_of(self.target)} {sign} in the whole box"
        found += f" where {where}" if where else ""
        if self.target is not None:
            found += f"; times the factor {text_of(self.factor or '1')} it is {gap}"
        return found + ("; this refutes the statement" if self.exists else "")

    def chart(self) -> str:
        """Return the chart in infix, "" for the identity."""
        if self.maps is None:
            return ""
        there = ", ".join(f"{name} = {text_of(tree)}" for name, tree in self.maps.items())
        back = ", ".join(f"{name} = {text_of(tree)}" for name, tree in self.inverse.items())
        return f"{there}; back: {back}"


# ------------------------------------------------------------------------------------------------ reading


def read_statement(data: Mapping[str, Any]) -> Statement:
    """Return the statement of a document whose `names` are checked.

    Args:
        data: the document; its trees are measured before they are walked.

    Raises:
        UnreadableCertificate: with the field, what was found and what is allowed.
    """
    for key in ("statement", "map", "cuts"):
        measure(key, data[key])
    if not (len(data["claim"]) <= 200 and _CLAIM.fullmatch(data["claim"])):
        raise UnreadableCertificate(f"claim={data['claim'][:60]!r}: must be the id of a claim, such as paper:lemma-1")
    stated = data["statement"]
    if set(stated) != {"quantifier", "variables", "hypotheses", "conclusion"}:
        raise UnreadableCertificate("statement: must hold exactly quantifier, variables, hypotheses and conclusion")
    if stated["quantifier"] not in ("forall", "exists") or not isinstance(stated["hypotheses"], list):
        raise UnreadableCertificate("statement: quantifier must be forall or exists, and hypotheses a list")
    variables, domain = _variables(stated["variables"])
    for formula in (*stated["hypotheses"], stated["conclusion"]):
        _check_formula(formula, variables)
    exists, hypotheses = stated["quantifier"] == "exists", tuple(stated["hypotheses"])
    certified = _certified(stated["conclusion"], exists)
    cuts = tuple(_cut(number, hypotheses) for number in data["cuts"])
    chart = _chart(data["map"], variables, data["names"])
    return Statement(
        data["claim"], exists, variables, domain, hypotheses, stated["conclusion"], *chart, certified, cuts
    )


def measure(where: str, value: Any, most: int = MAXIMUM_NODES) -> None:
    """Refuse a document with too many nodes or too deep for recursion.

    A special function counts 50 nodes. The loop keeps its own stack, since the depth of a hostile document is not known
    before. Raises `UnreadableCertificate` naming `where`.
    """
    pending, nodes = [(value, 0)], 0
    while pending:
        node, depth = pending.pop()
        # A special function at high precision costs as much as many sums.
        nodes += 50 if isinstance(node, str) and node in _SLOW else 1
        if depth > MAXIMUM_DEPTH or nodes > most:
            raise UnreadableCertificate(
                f"{where}: too large: at most {most} nodes (a special function counts 50), and {MAXIMUM_DEPTH} below "
                f"one another, are read"
            )
        if isinstance(node, list | dict):
            pending.extend((part, depth + 1) for part in (node.values() if isinstance(node, dict) else node))


def is_name(value: Any) -> bool:
    """Return whether a value may name a variable: printable text of at most 100 characters."""
    return isinstance(value, str) and 0 < len(value) <= 100 and value.isprintable()


def _variables(entries: Any) -> tuple[dict[str, bool], tuple[Tree, ...]]:
    """Return for each variable whether it is an integer, and the relations that bound the variables.

    Raises:
        UnreadableCertificate: for entries of another shape, and for a name that comes twice.
    """
    variables: dict[str, bool] = {}
    domain: list[Tree] = []
    for entry in entries if isinstance(entries, list) else [None]:
        name, kind, ends = entry if isinstance(entry, list) and len(entry) == 3 else ("", None, None)
        if not is_name(name) or name in variables or kind not in ("real", "integer") or not isinstance(ends, list):
            raise UnreadableCertificate("statement.variables: must be entries [name, real or integer, domain]")
        if not all(_is_end(end, name) for end in ends):
            raise _refuse(ends, f"ends of {name}: a relation <= < >= > of {name} and a rational number")
        variables[name] = kind == "integer"
        domain.extend(ends)
    return variables, tuple(domain)


def _is_end(tree: Any, name: str) -> bool:
    """Return whether a tree is an end of the domain of the variable."""
    shaped = isinstance(tree, list) and len(tree) == 3 and tree[0] in _SIDES and tree[1] == ["var", name]
    return shaped and rational(tree[2]) is not None


def _refuse(tree: Any, wanted: str) -> UnreadableCertificate:
    """Return the error for a tree that is not what is wanted, with the tree cut to a line."""
    text = repr(tree)
    return UnreadableCertificate(f"{text if len(text) <= 60 else text[:57] + '...'}: must be {wanted}")


def _check_formula(tree: Tree, names: Mapping[str, Any]) -> None:
    """Refuse a tree that is neither a relation of two expressions nor a connective of formulas.

    Args:
        tree: parsed JSON, measured before so that this recursion ends.
        names: the variables that it may speak of.
    """
    head = tree[0] if isinstance(tree, list) and tree and isinstance(tree[0], str) else None
    # Relations and connectives apart: a relation of formulas has no value here.
    if head in _NEGATED and len(tree) == 3:
        for part in tree[1:]:
            _check_expression(part, names)
    elif head in _CONNECTIVES and (_CONNECTIVES[head] or len(tree) - 1) == len(tree) - 1:
        for part in tree[1:]:
            _check_formula(part, names)
    else:
        raise _refuse(tree, "a relation or a connective of formulas")


def _check_expression(tree: Tree, names: Mapping[str, Any]) -> None:
    """Refuse a tree that is no expression in the variables `names`; raises `UnreadableCertificate`.

    Exponents are limited, as a huge one would make a few letters of text into an endless computation.
    """
    if isinstance(tree, str):
        if rational(tree) is None:
            raise _refuse(tree, f"a rational p or p/q with at most {MAXIMUM_DIGITS} digits")
        return
    head = tree[0] if isinstance(tree, list) and tree and isinstance(tree[0], str) else None
    if head == "var" and len(tree) == 2 and isinstance(tree[1], str) and tree[1] in names:
        return
    if head == "logrem" and len(tree) == 4:
        if not all(_is_order(part) for part in tree[1:3]):
            raise _refuse(tree, f"logrem with two orders from 1 to {MAXIMUM_MOMENT}")
        _check_expression(tree[3], names)
        return
    wanted = _ARGUMENTS.get(head) if head is not None else None
    if wanted is None or (len(tree) < 2 if wanted == 0 else len(tree) - 1 != max(wanted, 0)):
        raise _refuse(tree, "a number, a variable of the statement, or a known function with its arguments")
    for part in tree[1:]:
        _check_expression(part, names)
    exponent = rational(tree[2]) if head == "pow" else None
    if exponent is not None and max(abs(exponent.numerator), exponent.denominator) > MAXIMUM_EXPONENT:
        raise _refuse(tree[2], f"an exponent of at most {MAXIMUM_EXPONENT} above and below the line")


def _is_order(text: Any) -> bool:
    """Tell whether a text is an order of a moment; the bound keeps a short document from asking for a long sum."""
    value = rational(text)
    return value is not None and value.denominator == 1 and 1 <= value <= MAXIMUM_MOMENT


def _certified(conclusion: Tree, exists: bool) -> Tree:
    """Return the inequality that is certified; raises `UnreadableCertificate` for another formula.

    A refutation certifies the opposite of the relation at every point.
    """
    # An equation has no gap that is >= 0 exactly where it holds.
    if conclusion[0] not in _SIDES:
        raise _refuse(conclusion[0], "a conclusion that is a single inequality <= < >= >")
    return [_NEGATED[conclusion[0]], *conclusion[1:]] if exists else conclusion


def _cut(number: Any, hypotheses: Sequence[Tree]) -> Tree:
    """Return the hypothesis of this number; raises `UnreadableCertificate` where none is an inequality."""
    if type(number) is int and 0 <= number < len(hypotheses) and hypotheses[number][0] in _SIDES:
        return hypotheses[number]
    raise UnreadableCertificate(f"cuts: {str(number)[:60]}: must be numbers of hypotheses that are single inequalities")


def sides(relation: Tree) -> tuple[Tree, Tree]:
    """Return the sides of an inequality, the larger one first: their difference is >= 0 where it holds."""
    op, left, right = relation
    return (left, right) if op in (">=", ">") else (right, left)


def _chart(data: Any, variables: Mapping[str, Any], names: Sequence[str]) -> tuple[Any, Any, Any, Any]:
    """Return (maps, inverse, factor, target), checked; maps is None for the identity.

    `maps` has each variable in coordinates of the box, `inverse` each coordinate in the variables. The conclusion's gap
    is `factor * target`; a factor needs a target. Raises `UnreadableCertificate` for any other shape.
    """
    # The identity is written as nothing, and the box then has to name the variables themselves.
    if data == {}:
        if set(names) != set(variables):
            raise UnreadableCertificate("map: without a chart the names of the box must be the variables")
        return None, {}, None, None
    if set(data) != {"variables", "inverse", "factor", "target"}:
        raise UnreadableCertificate("map: must be empty or hold exactly variables, inverse, factor and target")
    for key, there, here in (("variables", variables, names), ("inverse", names, variables)):
        if not isinstance(data[key], dict) or set(data[key]) != set(there):
            raise UnreadableCertificate(f"map.{key}: must give each of {', '.join(there) or 'nothing'}")
        for tree in data[key].values():
            _check_expression(tree, dict.fromkeys(here))
    for key in ("factor", "target"):
        if data[key] is not None:
            _check_expression(data[key], dict.fromkeys(names))
    if data["factor"] is not None and data["target"] is None:
        raise UnreadableCertificate("map.factor: must come with a target")
    return data["variables"], data["inverse"], data["factor"], data["target"]


# ------------------------------------------------------------------------------------------------ infix

_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


def formula_text(tree: Tree) -> str:
    """Return a checked formula in infix, connectives in parentheses."""
    if tree[0] in _NEGATED:
        return f"{text_of(tree[1])} {tree[0]} {text_of(tree[2])}"
    word = {"implies": "=>", "iff": "<=>"}.get(tree[0], tree[0])
    return "(" + f" {word} ".join(map(formula_text, tree[1:])) + ")"


def text_of(tree: Tree) -> str:
    """Return a checked expression in infix."""
    return _infix(tree)[0]


def _infix(tree: Tree) -> tuple[str, int]:
    """Return the text and how strongly its outermost sign binds."""
    if isinstance(tree, str):
        return tree, _SUM if tree.startswith("-") else _PRODUCT if "/" in tree else _ATOM
    head, *parts = tree
    if head == "var" or head in CONSTANTS:
        return (parts[0] if head == "var" else head), _ATOM
    if head == "add":
        # A term that begins with a minus sign is subtracted.
        terms = [_within(part, _SUM) for part in parts]
        return "".join(t if not k else f" - {t[1:]}" if t[0] == "-" else f" + {t}" for k, t in enumerate(terms)), _SUM
    if head == "mul":
        return _product(parts)
    if head == "pow":
        if _falls(tree):
            return _product([tree])
        return f"{_within(parts[0], _ATOM)}^{_within(parts[1], _ATOM)}", _POWER
    return f"{head}({', '.join(map(text_of, parts))})", _ATOM


def _within(tree: Tree, strength: int) -> str:
    """Return the text of a part, in parentheses where its outermost sign binds less than its place asks for."""
    text, own = _infix(tree)
    return text if own >= strength else f"({text})"


def _falls(tree: Tree) -> bool:
    """Return whether a tree is a power with a negative number as exponent."""
    return isinstance(tree, list) and tree[0] == "pow" and isinstance(tree[2], str) and tree[2].startswith("-")


def _product(parts: Sequence[Tree]) -> tuple[str, int]:
    """Return a product as one fraction, with the powers of negative exponent below the line."""
    below = [["pow", p[1], p[2][1:]] if p[2] != "-1" else p[1] for p in parts if _falls(p)]
    above = [p for p in parts if not _falls(p)]
    minus = bool(above) and above[0] == "-1" and len(parts) > 1
    top = "*".join(_within(p, _POWER) for p in above[minus:]) or "1"
    bottom = "*".join(_within(p, _POWER) for p in below)
    text = f"{top}/{bottom if len(below) == 1 else f'({bottom})'}" if below else top
    return ("-" + text, _SUM) if minus else (text, _PRODUCT)
