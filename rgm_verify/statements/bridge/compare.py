r"""The statement of a page against the statement of a kernel's proof: the same one, another one, or not read.

The page is an item of a committed ledger: variables with their domains, names for expressions, hypotheses and the
conclusion, all in LaTeX, as a reader sees them. Here that LaTeX is read and becomes trees of the kernel; SymPy, which
wrote both the page and the proof's statement, takes no part. What may differ is one of `FREEDOMS`, and each answer
names those that it needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from rgm_verify.kernel.calculus import resolved
from rgm_verify.kernel.check import Checker
from rgm_verify.kernel.terms import Refused, literal
from rgm_verify.statements.bridge.declared import Unread
from rgm_verify.statements.bridge.shown import Shown, Tree

__all__ = ["AGREES", "DIFFERS", "FREEDOMS", "UNREAD", "Compared", "compared"]

MOST: Final = 1000
AGREES, DIFFERS, UNREAD = "agrees", "differs", "not read"
#: What may differ between a page and a proof.
FREEDOMS: Final = {
    "names": "a variable has the name that the page declares for it",
    "definitions": "a name of the page stands for its expression",
    "order": "sums and products in another order, a quotient as a product with a power, a chain as its relations",
    "arithmetic": "sides that are equal by the kernel's arithmetic of polynomials over roots, exponentials and so on",
}
_DOMAIN: Final = re.compile(
    r"(?P<open>[(\[])(?P<low>[^,]+), (?P<high>[^,]+)(?P<close>[)\]])(?P<integers> \\cap \\mathbb\{Z\})?"
)
_NUMBER: Final = re.compile(r"(?P<sign>-? ?)(?:(?P<whole>\d+)|\\frac\{(?P<over>\d+)\}\{(?P<under>\d+)\})")


@dataclass(frozen=True)
class Compared:
    """What came of one claim.

    Attributes:
        claim: Its id.
        outcome: `AGREES`, `DIFFERS` or `UNREAD`.
        reason: What differs, or why it is not read; empty where both agree.
        freedoms: The keys of `FREEDOMS` that were needed.
    """

    claim: str
    outcome: str
    reason: str = ""
    freedoms: tuple[str, ...] = ()


def compared(page: Mapping[str, Any], statement: Mapping[str, Any]) -> Compared:
    """Compare the statement that a page shows with one that a proof has.

    Args:
        page: The item of a claim in a ledger.
        statement: The statement of a document that the kernel accepts.
    """
    try:
        freedoms = _same(page, statement)
    except Unread as error:
        return Compared(page["id"], UNREAD, str(error))
    except Refused as error:
        return Compared(page["id"], UNREAD, f"the kernel refuses what was read: {error}")
    if isinstance(freedoms, str):
        return Compared(page["id"], DIFFERS, freedoms)
    return Compared(page["id"], AGREES, "", tuple(sorted(freedoms, key=list(FREEDOMS).index)))


def _same(page: Mapping[str, Any], statement: Mapping[str, Any]) -> set[str] | str:
    """Return the freedoms that make both statements the same, or what differs."""
    variables = statement["variables"]
    if page["quantifier"] != statement["quantifier"]:
        return f"the page says `{page['quantifier']}` and the proof `{statement['quantifier']}`"
    for what, shown, proved in (
        ("variables", page["variables"], variables),
        ("hypotheses", page["hypotheses"], statement["hypotheses"]),
    ):
        if len(shown) != len(proved):
            return f"the page has {len(shown)} {what}, and the proof {len(proved)}"
    freedoms: set[str] = set()
    for shown, (name, kind, domain) in zip(page["variables"], variables, strict=True):
        if _domain(shown, name) != (kind, sorted(domain)):
            return f"the domain of {name} is another one"
        freedoms |= {"names"} if shown["latex"] != name else set()
    read = Shown(
        [(v["latex"], name) for v, (name, _, _) in zip(page["variables"], variables, strict=True)],
        [(n["latex"], n["value"]) for n in page["names"]],
        [page["formula"], *(h["latex"] for h in page["hypotheses"])],
    )
    freedoms |= {"definitions"} if page["names"] else set()
    checker = Checker([], {}, {name: kind == "integer" for name, kind, _ in variables})
    pairs = [(h["latex"], proved, False) for h, proved in zip(page["hypotheses"], statement["hypotheses"], strict=True)]
    for latex, proved, concluded in (*pairs, (page["formula"], statement["conclusion"], True)):
        shown = read.formula(latex)
        if shown == proved:
            continue
        freedoms.add("order")
        shown, proved = _ordered(shown), _ordered(proved)
        if shown == proved:
            continue
        freedoms.add("arithmetic")
        if _meaning(checker, shown, concluded) != _meaning(checker, proved, concluded):
            return f"{'the conclusion' if concluded else 'a hypothesis'} is another one: the page shows {latex}"
    return freedoms


def _domain(shown: Mapping[str, str], name: str) -> tuple[str, list[Tree]]:
    """Return the kind of a variable and the relations of its domain, as the page shows them; raises `Unread`."""
    prefix = f"{shown['latex']} \\in "
    found = _DOMAIN.fullmatch(shown["domain"].removeprefix(prefix))
    if not shown["domain"].startswith(prefix) or found is None:
        raise Unread("a domain that is no interval")
    relations = []
    for end, infinite, op, strict in (
        ("low", r"-\infty", ">", found["open"] == "("),
        ("high", r"\infty", "<", found["close"] == ")"),
    ):
        if found[end] != infinite:
            relations.append([op + "=" * (not strict), ["var", name], _rational(found[end])])
    return ("integer" if found["integers"] else "real"), sorted(relations)


def _rational(text: str) -> str:
    """Return the end of an interval as a literal of the kernel; raises `Unread`."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise Unread("an interval whose end is no rational number")
    size = found["whole"] or f"{found['over']}/{found['under']}"
    return f"{found['sign'].strip()}{size}"


def _ordered(tree: Tree) -> Tree:
    """Return a tree in one order, that of sums and products, with powers of products and of powers taken apart.

    The result is defined where the tree is, and has its value there.
    """
    if isinstance(tree, str) or tree[0] == "var":
        return tree
    head, *parts = [tree[0], *map(_ordered, tree[1:])]
    if head == "pow" and isinstance(parts[1], str):
        return _raised(parts[0], Fraction(parts[1]))
    if head in ("add", "mul", "and", "or"):
        parts = [p for part in parts for p in (part[1:] if isinstance(part, list) and part[0] == head else [part])]
    if head in ("add", "mul"):
        return _gathered(head, parts)
    return [head, *(sorted(parts, key=str) if head in ("max", "min") else parts)]


def _gathered(head: str, parts: Sequence[Tree]) -> Tree:
    """Return a sum or a product of parts in order, with one number in it."""
    neutral = 0 if head == "add" else 1
    number, others = Fraction(neutral), list[Tree]()
    for part in parts:
        if not isinstance(part, str):
            others.append(part)
        else:
            number = number + Fraction(part) if head == "add" else number * Fraction(part)
    if not others:
        return str(number)
    kept = [*([str(number)] if number != neutral else []), *sorted(others, key=str)]
    return [head, *kept] if len(kept) > 1 else kept[0]


def _raised(base: Tree, power: Fraction) -> Tree:
    """Return a power with a number as its exponent."""
    whole = power.denominator == 1
    if isinstance(base, str) and whole and abs(power) <= MOST and (Fraction(base) or power > 0):
        return str(Fraction(base) ** int(power))
    if power == 1:
        return base
    if whole and base[0] == "mul":
        return _gathered("mul", [p for part in base[1:] for p in [_raised(part, power)]])
    if whole and base[0] == "exp":
        return ["exp", _ordered(["mul", str(power), base[1]])]
    if whole and base[0] == "pow" and isinstance(base[2], str):
        inner = Fraction(base[2])
        # Nothing that the inner power asks for may be lost: (1/x)^-1 is no x, and the square of a root no number.
        if inner > 0 and (inner * power < 0 or inner.denominator == 1 or (inner * power).denominator > 1):
            return _raised(base[1], inner * power)
    return ["pow", base, str(power)]


def _meaning(checker: Checker, tree: Tree, concluded: bool) -> tuple[Any, frozenset[Any]]:
    """Return a formula in the kernel's normal form, with what makes its terms defined."""
    made = resolved(tree, checker.kinds, slopes=concluded)
    return _frozen(checker, checker.formula(made)), frozenset(_needs(checker, made))


def _needs(checker: Checker, tree: Tree) -> Iterator[Any]:
    """Yield what makes the terms of a formula defined, where arithmetic alone does not say so."""
    for need in checker.needs(tree):
        if not checker.evident(need):
            yield _frozen(checker, need)


def _frozen(checker: Checker, found: Any) -> Any:
    """Return a formula of the kernel as a value that can be compared, with conjunctions and disjunctions flat."""
    if found[0] == "rel":
        return ("rel", found[2], checker.terms.key(found[1]))
    parts = [_frozen(checker, part) for part in found[1]]
    return (found[0], tuple(p for part in parts for p in (part[1] if part[0] == found[0] else [part])))
