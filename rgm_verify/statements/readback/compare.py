r"""The statement of a page against the statement of a kernel's proof: the same one, another one, or not read.

The page is an item of a committed ledger: variables with their domains, names for expressions, hypotheses and the
conclusion, all in LaTeX, as a reader sees them. Here that LaTeX is read and becomes trees of the kernel; SymPy, which
wrote both the page and the proof's statement, takes no part. What may differ is one of `FREEDOMS`, and each answer
names those that it needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from rgm_verify.engine.kept_proofs import MOST_BYTES, all_proofs, statement_text
from rgm_verify.engine.second_checks import page_digest
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_within
from rgm_verify.kernel.calculus import resolved
from rgm_verify.kernel.check import Checker
from rgm_verify.kernel.terms import WALKED, Refused
from rgm_verify.statements.readback.declared import Unread
from rgm_verify.statements.readback.forms import Known, form
from rgm_verify.statements.readback.shown import Shown, Tree

__all__ = ["AGREES", "DIFFERS", "FREEDOMS", "UNREAD", "Compared", "all_compared", "compared"]

AGREES, DIFFERS, UNREAD = "agrees", "differs", "not read"
#: What may differ between a page and a proof.
FREEDOMS: Final = {
    "names": "a variable has the name that the page declares for it",
    "definitions": "a name of the page stands for its expression",
    "order": "sums and products in another order, a quotient as a product with a power, a chain as its relations",
    "signs": "powers of one base are put together where domains, hypotheses and denominators tell its sign",
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
        digest: Of the page and of the statement that is proved, where both agree.
        as_printed: Whether the conclusion is also the formula that the source itself prints, where that is read.
    """

    claim: str
    outcome: str
    reason: str = ""
    freedoms: tuple[str, ...] = ()
    digest: str = ""
    as_printed: bool = False


def all_compared(claims: Path, ledger: Path) -> Iterator[Compared]:
    """Yield what comes of each claim of a ledger that has a kept proof.

    Args:
        claims: The folder of claims, of which `proofs/` alone is read.
        ledger: The folder of the ledger, `reports/ledger`.

    Raises:
        InputError: For a file that is no part of a ledger.
    """
    kept, printed = all_proofs(claims), dict[str, list[str]]()
    index = ledger / "index.json"
    for path in sorted(ledger.rglob("*.json"), key=lambda path: (path != index, path)):
        try:
            data = json.loads(read_within(path, MOST_BYTES))
            if path == index:
                for entry in data["entries"]:
                    for claim in entry["claims"]:
                        printed.setdefault(claim, []).append((entry.get("printed") or {}).get("formula", ""))
                continue
            found = [(page, kept[page["id"]]["statement"]) for page in data["claims"] if page["id"] in kept]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"{path}: not a ledger ({type(error).__name__}: {error})") from error
        for page, statement in found:
            one = compared(page, statement)
            if one.outcome == AGREES:
                texts = filter(None, [page.get("printed"), *printed.get(one.claim, ())])
                same = any(compared({**page, "formula": text}, statement).outcome == AGREES for text in texts)
                one = replace(one, digest=page_digest(page, statement_text(statement)), as_printed=same)
            yield one


def compared(page: Mapping[str, Any], statement: Mapping[str, Any]) -> Compared:
    """Compare the statement that a page shows with one that a proof has.

    Args:
        page: The item of a claim in a ledger.
        statement: The statement of a document that the kernel accepts.
    """
    counted = WALKED.set([0])
    try:
        freedoms = _same(page, statement)
    except Unread as error:
        return Compared(page["id"], UNREAD, str(error))
    except Refused as error:
        return Compared(page["id"], UNREAD, f"the kernel refuses what was read: {error}")
    except (KeyError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError) as error:
        return Compared(page["id"], UNREAD, f"malformed: {type(error).__name__}: {error!s:.100}")
    finally:
        WALKED.reset(counted)
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
    # The kernel's rules have pi as an atom: that log(2 pi) is defined has to be said.
    checker.assume(checker.formula([">", ["pi"], "0"]))
    known = Known()
    for relation in (relation for _, _, domain in variables for relation in domain):
        known.learn(relation)
    for hypothesis, proved in zip(page["hypotheses"], statement["hypotheses"], strict=True):
        needed = _equal(checker, known, read.formula(hypothesis["latex"]), proved, assumed=True)
        if needed is None:
            return f"a hypothesis is another one: the page shows {hypothesis['latex']}"
        freedoms |= needed
        # Only now: what a hypothesis says may be used behind it.
        known.learn(proved)
    proved = statement["conclusion"]
    # The proof also shows that its conclusion is defined.
    known.defined(proved)
    needed = _equal(checker, known, read.formula(page["formula"]), proved, assumed=False)
    return f"the conclusion is another one: the page shows {page['formula']}" if needed is None else freedoms | needed


def _equal(checker: Checker, known: Known, shown: Tree, proved: Tree, *, assumed: bool) -> set[str] | None:
    """Return the freedoms that make two formulas the same one, None where none do."""
    if shown == proved:
        return set()
    ways: tuple[tuple[set[str], Known | None], ...] = (({"order"}, None), ({"order", "signs"}, known))
    for needed, signs in ways:
        forms = form(shown, signs), form(proved, signs)
        if forms[0] == forms[1]:
            return needed
        if _meaning(checker, forms[0], assumed) == _meaning(checker, forms[1], assumed):
            return needed | {"arithmetic"}
    return None


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


def _meaning(checker: Checker, tree: Tree, assumed: bool) -> tuple[Any, frozenset[Any]]:
    """Return a formula with its sides in the kernel's normal form, and what makes its terms defined."""
    made = resolved(tree, checker.kinds, slopes=not assumed)
    return _sides(checker, made), frozenset(_needs(checker, made))


def _sides(checker: Checker, tree: Tree) -> Any:
    """Return a formula with each side of its relations as a polynomial: what both sides share does not cancel."""
    head, *parts = tree
    if head in ("and", "or", "implies", "iff"):
        return (head, *(_sides(checker, part) for part in parts))
    return (head, *(checker.terms.key(checker.terms.poly(part)) for part in parts))


def _needs(checker: Checker, tree: Tree) -> Iterator[Any]:
    """Yield what makes the terms of a formula defined, where arithmetic alone does not say so."""
    for need in checker.needs(tree):
        if not checker.evident(need):
            yield _frozen(checker, need, scaled=True)


def _frozen(checker: Checker, found: Any, *, scaled: bool = False) -> Any:
    """Return a formula of the kernel as a value that can be compared, with conjunctions and disjunctions flat.

    Args:
        checker: The numbers of its atoms.
        found: The formula.
        scaled: Whether a relation with 0 is divided by the size of its first coefficient.
    """
    if found[0] == "rel":
        terms = checker.terms.key(found[1])
        size = abs(Fraction(terms[0][1])) if scaled and terms else Fraction(1)
        return ("rel", found[2], tuple((monomial, value / size) for monomial, value in terms))
    parts = [_frozen(checker, part, scaled=scaled) for part in found[1]]
    return (found[0], tuple(p for part in parts for p in (part[1] if part[0] == found[0] else [part])))
