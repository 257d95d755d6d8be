"""One file of theorems for each file of claims, the certificates of a folder beside, and the theory that both import.

A theorem is stated in plain text, in the paper's names, with everything that it assumes before the arrow. Its proof is
one term, `by_kernel` of a certificate and of the theorems that it rests on. A premise that is no theorem of these pages
stands before the statement, as one more assumption.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rgm_verify.coq.certificates import Certificate, certificate
from rgm_verify.coq.trees import Statement, Unsupported, reading
from rgm_verify.errors import reject
from rgm_verify.jobs.files import write_atomically

THEORY = Path(__file__).parent / "theory"
#: The folders of what is written, with the names under which Coq knows them.
FOLDERS = {"theory": "Rgm", "certificates": "RgmCertificates", "pages": "RgmPages"}
# Words of Coq, and what these pages say of real numbers: a variable of such a name gets a mark behind it.
_TAKEN = frozenset(
    "R Z IZR PI exp ln sqrt root power Rmax Prop Set Type SProp as at by cofix do else end exists exists2 fix for "
    "forall fun if in is let match return then using where with".split()
)


@dataclass
class Pages:
    """What was written, and what could not be.

    Attributes:
        files: The contents by path below the folder, without the theory.
        theorems: For each page the claims with a theorem, in order.
        imports: For each page the pages that it imports.
        skipped: Claims without a theorem, with what the theory lacks.
        enclosed: Claims whose theorem rests on a sign that `interval` finds, itself or through another one.
        assumed: Claims whose theorem takes premises that are no theorems, with these.
    """

    files: dict[str, str] = field(default_factory=dict)
    theorems: dict[str, list[str]] = field(default_factory=dict)
    imports: dict[str, list[str]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    enclosed: set[str] = field(default_factory=set)
    assumed: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Done:
    """A theorem that others may use: its statement, and the texts of the premises that it takes, by claim."""

    statement: Statement
    assumed: dict[str, str]


def identifier(name: str) -> str:
    """Return a name of Coq for the id of a claim, a path, or a variable.

    Examples:
        >>> identifier("beyond:log-of-2"), identifier("sigma^2"), identifier("in")
        ('beyond_log_of_2', 'sigma_2', 'in_')
    """
    # The apostrophe is a letter of Coq's, but not the first one.
    found = re.sub(r"[^A-Za-z0-9_']", "_", name)
    return (
        f"{found}_" if found in _TAKEN or not found.strip("_'") else f"x{found}" if found[0] in "0123456789'" else found
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names of Coq for variables, all different."""
    found: list[str] = []
    for name in map(identifier, names):
        while name in found:
            name += "_"
        found.append(name)
    return found


def make_pages(documents: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Pages:
    """Return the files for some documents.

    Args:
        documents: For each page, documents by claim.

    Raises:
        rgm_verify.kernel.terms.Refused: for a document that the kernel does not accept.
    """
    pages = Pages()
    made: dict[str, Certificate] = {}
    home = {claim: page for page, kept in documents.items() for claim in kept}
    for kept in documents.values():
        for claim, document in kept.items():
            try:
                made[claim] = certificate(document)
            except Unsupported as lack:
                pages.skipped[claim] = str(lack)
    done: dict[str, _Done] = {}
    for page in _in_order(documents):
        claims = [claim for claim in _in_order({c: documents[page][c] for c in documents[page]}) if claim in made]
        if claims:
            _write(pages, page, {claim: made[claim] for claim in claims}, home, done)
    pages.files["assumptions.v"] = _assumptions(pages)
    return pages


def _assumptions(pages: Pages) -> str:
    """Return a file that prints the axioms: of the theorems, and of those that rest on enclosures."""
    lines = [f"From RgmPages Require {module}." for module in pages.theorems]
    for name, enclosed in (("plain", False), ("enclosed", True)):
        chosen = [
            f"RgmPages.{module}.{identifier(claim)}"
            for module, claims in pages.theorems.items()
            for claim in claims
            if (claim in pages.enclosed) == enclosed
        ]
        lines += [f"Definition {name} := ({', '.join([*chosen, 'tt'])}).", f"Print Assumptions {name}."]
    return "".join(f"{line}\n" for line in lines)


def _in_order(items: Mapping[str, Any]) -> Iterator[str]:
    """Yield documents by claim, or pages of them, with what they rest on first, as far as there is no circle."""
    owner = {c: k for k, value in items.items() for c in ([k] if "premises" in value else value)}
    seen: set[str] = set()

    def visit(key: str) -> Iterator[str]:
        if key in seen:
            return
        seen.add(key)
        value = items[key]
        for document in [value] if "premises" in value else value.values():
            for premise in sorted(document["premises"]):
                if premise in owner:
                    yield from visit(owner[premise])
        yield key

    for key in items:
        yield from visit(key)


def _write(
    pages: Pages, page: str, made: Mapping[str, Certificate], home: Mapping[str, str], done: dict[str, _Done]
) -> None:
    """Add a page and its certificates."""
    module = identifier(page)
    # One file for the pages of a folder: to start Coq takes longer than to read a page's certificates.
    store = identifier("/".join(page.split("/")[:2][: page.count("/") or 1]))
    imports: list[str] = []
    body: list[str] = []
    for claim, found in made.items():
        name = identifier(claim)
        # The names of a document's variables, also those of its premises.
        names = _distinct(found.names)
        assumed: dict[str, str] = {}
        proofs = []
        for place, (premise, stated) in enumerate(found.needed):
            if premise is None:
                pages.enclosed.add(claim)
                shown = _indented(reading(stated, names))
                body.append(f"Lemma {name}_number_{place} :\n{shown}.\nProof. by_numbers. Qed.\n")
                proofs.append(f"{name}_number_{place}")
            elif premise in done and done[premise].statement == _closed(stated):
                other = identifier(home[premise])
                if other != module and other not in imports:
                    imports.append(other)
                proof = identifier(premise) if other == module else f"RgmPages.{other}.{identifier(premise)}"
                # What that theorem assumes is assumed here as well.
                assumed |= done[premise].assumed
                passed = "".join(f" {_hypothesis(p)}" for p in done[premise].assumed)
                proofs.append(f"({proof}{passed})" if passed else proof)
                if premise in pages.enclosed:
                    pages.enclosed.add(claim)
            else:
                assumed[premise] = f"({reading(stated, names)})"
                proofs.append(_hypothesis(premise))
        kept = f"RgmCertificates.{store}.{name}"
        term = " ".join([f"by_kernel {kept} (eq_refl true <: accepts {kept} = true)", *proofs])
        term = f"fun {' '.join(map(_hypothesis, assumed))} => {term}" if assumed else term
        quoted = "".join(f"\n   Assumed, as no theorem of these pages: {premise}." for premise in assumed)
        told = " ->\n".join([*assumed.values(), reading(found.statement, names)])
        proof = _indented(f"exact ({term})")
        body.append(f"(* {claim}{quoted} *)\nTheorem {name} :\n{_indented(told)}.\nProof.\n{proof}.\nQed.\n")
        done[claim] = _Done(_closed(found.statement), assumed)
        if assumed:
            pages.assumed[claim] = list(assumed)
    required = ["From Rgm Require Import Reading."]
    required += ["From Rgm Require Import Numbers."] if any("by_numbers" in part for part in body) else []
    required += [f"From RgmCertificates Require {store}."]
    required += [f"From RgmPages Require {other}." for other in imports]
    head = f"(* Theorems on the claims of {page}; certificates/{store}.v need not be read. *)\n"
    pages.files[f"pages/{module}.v"] = "\n".join([head + "\n".join(required), "Open Scope R_scope.\n", *body])
    kept_in = f"certificates/{store}.v"
    pages.files.setdefault(kept_in, "From Rgm Require Import Syntax.\nOpen Scope positive_scope.\n")
    pages.files[kept_in] += "".join(
        f"\nDefinition {identifier(claim)} : certificate :=\n  {found.definition}.\n" for claim, found in made.items()
    )
    pages.theorems[module] = list(made)
    pages.imports[module] = imports


def _closed(stated: Statement) -> Statement:
    """Return a statement with its variables numbered from 1 in its own order, so that equal ones compare equal."""
    places = {n: place for place, (n, _, _) in enumerate(stated[1], 1)}

    def renumbered(part: Any) -> Any:
        if isinstance(part, tuple) and part and part[0] == "TV":
            return ("TV", places[part[1]])
        return type(part)(map(renumbered, part)) if isinstance(part, tuple | list) else part

    exists, variables, hypotheses, conclusion = stated
    domains = [(places[n], whole, renumbered(domain)) for n, whole, domain in variables]
    return exists, domains, renumbered(hypotheses), renumbered(conclusion)


def _hypothesis(premise: str) -> str:
    return f"assumed_{identifier(premise)}"


def _indented(text: str) -> str:
    """Return lines of at most 110 characters, two spaces in; what is longer goes on four spaces in."""
    lines = [
        textwrap.fill(
            line, 110, initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
        )
        for line in text.splitlines()
    ]
    return "\n".join(lines)


def write_pages(pages: Pages, folder: Path) -> None:
    """Write files and the theory below a folder, those that have changed; files of pages that are gone are removed.

    Raises:
        InputError: for a folder with something else in it.
    """
    project = folder / "_CoqProject"
    ours = project.is_file() and FOLDERS["certificates"] in project.read_text(encoding="utf-8", errors="replace")
    if folder.exists() and not ours and any(folder.iterdir()):
        raise reject("coq", str(folder), "a new or empty folder, or one that this command wrote before")
    wanted = {f"theory/{path.name}": path.read_text(encoding="utf-8") for path in sorted(THEORY.glob("*.v"))}
    wanted |= pages.files
    # First: an interrupted run leaves a folder that is known again.
    wanted = {"_CoqProject": "".join(f"-Q {path} {name}\n" for path, name in FOLDERS.items()), **wanted}
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode():
            write_atomically(path, text.encode())
    for part in FOLDERS:
        for path in sorted((folder / part).glob("*.v")):
            if f"{part}/{path.name}" not in wanted:
                path.unlink()
