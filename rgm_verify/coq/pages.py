"""One file of theorems for each file of claims, the certificates of a folder beside, and the theory that both import.

A theorem is stated in plain text, in the paper's names, with everything that it assumes before the arrow. Its proof is
one term, `by_kernel` of a certificate, of its acceptance and of the theorems that it rests on. A premise that is no
theorem of these pages stands before the statement, as one more assumption.

Coq reads parts, the texts of some pages in one file, as it takes longer to start than to check a page. A page can be
compiled by itself as well.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rgm_verify.coq.by_hand import LIBRARY
from rgm_verify.coq.certificates import Certificate, Shared, certificate
from rgm_verify.coq.trees import Statement, Unsupported, reading
from rgm_verify.errors import reject
from rgm_verify.jobs.files import write_atomically

THEORY = Path(__file__).parent / "theory"
#: The folders of what is written, with the names under which Coq knows them.
FOLDERS = {"theory": "Rgm", "certificates": "RgmCertificates", "theorems": "RgmTheorems", "by_hand": LIBRARY}
#: The folder of pages, which Coq reads in the parts in `theorems`, and how many pages a part has at most.
PAGES, PART = "pages", 56
_SCOPE = "Open Scope R_scope.\n"
# Words of Coq, and what these pages say of real numbers: a variable of such a name gets a mark behind it.
_TAKEN = frozenset(
    "R Z IZR PI exp ln sqrt root power erf Rmax Derive Derive_n ex_derive_n Prop Set Type SProp as at by cofix do else "
    "end exists exists2 fix for forall fun if in is let match return then using where with".split()
)


@dataclass
class Pages:
    """What was written, and what could not be.

    Attributes:
        files: The contents by path below the folder, without the theory.
        theorems: For each page the claims with a theorem, in order.
        parts: For each part its pages; those of level 2 import parts of level 1, and use each other in their order.
        skipped: Claims without a theorem, with what the theory lacks.
        enclosed: Claims whose theorem rests on a sign that `interval` finds, itself or through another one.
        assumed: Claims whose theorem takes premises that are no theorems, with these.
    """

    files: dict[str, str] = field(default_factory=dict)
    theorems: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    enclosed: set[str] = field(default_factory=set)
    assumed: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Done:
    """A theorem that others may use: its statement, the texts of the premises that it takes, by claim, and its part."""

    statement: Statement
    assumed: dict[str, str]
    part: str


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
    shared: dict[str, Shared] = {}
    for page, kept in documents.items():
        for claim, document in kept.items():
            try:
                made[claim] = certificate(document, shared.setdefault(_store(page), Shared()))
            except Unsupported as lack:
                pages.skipped[claim] = str(lack)
    done: dict[str, _Done] = {}
    for page in _in_order(documents):
        claims = [claim for claim in _in_order({c: documents[page][c] for c in documents[page]}) if claim in made]
        if claims:
            _write(pages, page, {claim: made[claim] for claim in claims}, done)
    for store, kept_there in shared.items():
        name = f"certificates/{store}.v"
        if name in pages.files:
            head = "From Rgm Require Import Reading.\nOpen Scope positive_scope.\n"
            pages.files[name] = head + "\n".join(kept_there.definitions) + "\n" + pages.files[name]
    for part, names in pages.parts.items():
        texts = [pages.files[f"{PAGES}/{name}.v"].split(_SCOPE) for name in names]
        heads = dict.fromkeys(line for head, _ in texts for line in head.splitlines() if line.startswith("From "))
        # Pages of this part that use each other stand in it one behind the other.
        heads.pop(f"From RgmTheorems Require Import {part}.", None)
        bodies = [f"(* {name} *)\n{body}" for name, (_, body) in zip(names, texts, strict=True)]
        pages.files[f"theorems/{part}.v"] = "\n".join([*heads, _SCOPE, *bodies])
    pages.files |= _assumptions(pages)
    return pages


def _store(page: str) -> str:
    """Return the module that has the certificates of a page: one for its first folder, as Coq starts in a second."""
    return identifier(page.partition("/")[0])


def _part(pages: Pages, imports: Sequence[str], *, enclosed: bool) -> str:
    """Return the part that a page with some imports belongs to; apart those with enclosures, whose library is large.

    All pages that rest on others are one part, in their order: they are few, and a file for each level would load the
    same libraries again.
    """
    if imports:
        return "level_2_1"
    kind = "enclosed_1_" if enclosed else "level_1_"
    own = [name for name in pages.parts if name.startswith(kind)]
    return own[-1] if own and len(pages.parts[own[-1]]) < PART else f"{kind}{len(own) + 1}"


def _assumptions(pages: Pages) -> dict[str, str]:
    """Return files that print the axioms: of the theorems, and of those that rest on enclosures."""
    files = {}
    for name, enclosed in (("enclosed", True), ("plain", False)):
        kept = {module: [c for c in c_s if (c in pages.enclosed) == enclosed] for module, c_s in pages.theorems.items()}
        parts = [part for part, modules in pages.parts.items() if any(kept[module] for module in modules)]
        # Not as a tuple: each of its pairs would hold the types of all theorems before.
        used = "".join(f" let _ := {identifier(claim)} in" for claims in kept.values() for claim in claims)
        lines = [
            *(f"From RgmTheorems Require Import {part}." for part in parts),
            f"Definition {name} : unit :={used} tt.",
        ]
        files[f"assumptions_{name}.v"] = "".join(f"{line}\n" for line in [*lines, f"Print Assumptions {name}."])
    return files


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


def _write(pages: Pages, page: str, made: Mapping[str, Certificate], done: dict[str, _Done]) -> None:
    """Add a page and its certificates."""
    module, store = identifier(page), _store(page)
    # What the theorems of this page use of others is known before its own part.
    used = [name for found in made.values() for name, _ in found.needed if name in done]
    imports = list(dict.fromkeys(done[name].part for name in used))
    numbers = any(name is None for found in made.values() for name, _ in found.needed)
    part = _part(pages, imports, enclosed=numbers)
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
                proof = identifier(premise)
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
        term = " ".join([f"by_kernel {kept} {kept}_accepted", *proofs])
        term = f"fun {' '.join(map(_hypothesis, assumed))} => {term}" if assumed else term
        quoted = "".join(f"\n   Assumed, as no theorem of these pages: {premise}." for premise in assumed)
        told = " ->\n".join([*assumed.values(), reading(found.statement, names)])
        proof = _indented(f"exact ({term})")
        body.append(f"(* {claim}{quoted} *)\nTheorem {name} :\n{_indented(told)}.\nProof.\n{proof}.\nQed.\n")
        done[claim] = _Done(_closed(found.statement), assumed, part)
        if assumed:
            pages.assumed[claim] = list(assumed)
    required = ["From Rgm Require Import Reading."]
    required += ["From Rgm Require Import Numbers."] if numbers else []
    required += [f"From RgmCertificates Require {store}."]
    required += [f"From RgmTheorems Require Import {other}." for other in imports]
    head = f"(* Theorems on the claims of {page}; certificates/{store}.v need not be read. *)\n"
    pages.files[f"{PAGES}/{module}.v"] = "\n".join([head + "\n".join(required), _SCOPE, *body])
    kept_in = f"certificates/{store}.v"
    pages.files[kept_in] = pages.files.get(kept_in, "") + "".join(
        f"\nDefinition {identifier(claim)} : certificate :=\n  {found.definition}.\n"
        f"Lemma {identifier(claim)}_accepted : accepts {identifier(claim)} = true.\nProof. by_computing. Qed.\n"
        for claim, found in made.items()
    )
    pages.theorems[module] = list(made)
    pages.parts.setdefault(part, []).append(module)


def _closed(stated: Statement) -> Statement:
    """Return a statement with its variables numbered from 1 in its own order, so that equal ones compare equal."""
    places = {n: place for place, (n, _, _) in enumerate(stated[1], 1)}

    def renumbered(part: Any) -> Any:
        if isinstance(part, tuple) and part and part[0] == "TV":
            return ("TV", places.get(part[1], part[1]))
        return type(part)(map(renumbered, part)) if isinstance(part, tuple | list) else part

    exists, variables, hypotheses, conclusion, slopes = stated
    domains = [(places[n], whole, renumbered(domain)) for n, whole, domain in variables]
    return exists, domains, renumbered(hypotheses), renumbered(conclusion), slopes


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
    for part in (*FOLDERS, PAGES):
        for path in sorted((folder / part).glob("*.v")):
            if f"{part}/{path.name}" not in wanted:
                path.unlink()
