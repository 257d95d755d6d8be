"""A folder of drafts from the source of a paper: a file for each statement, and a list of what was not read.

The folder is written beside its place and renamed, so that it is there as a whole or not at all.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rgm_verify.errors import reject
from rgm_verify.statements.latex.reading import LatexReading
from rgm_verify.statements.papers.blocks import Block, Formula, blocks_of, symbol_of, symbols_of
from rgm_verify.statements.papers.sources import paper_text
from rgm_verify.statements.trees import Compare, Statement, text

__all__ = ["Drafted", "draft_folder"]

_WIDTH: Final = 110


@dataclass(frozen=True)
class Drafted:
    """The counts of what was written.

    Attributes:
        statements: Files with a statement each.
        read: Formulas that were read.
        unread: Formulas that were not, by their reason.
    """

    statements: int
    read: int
    unread: dict[str, int]


def draft_folder(paper: Path, into: Path, main: str = "") -> Drafted:
    """Write a folder of drafts from the source of a paper.

    Args:
        paper: A file of LaTeX, or an archive.
        into: The folder, which must not be there yet.
        main: The file of the archive that is the paper, where several begin a document.

    Raises:
        InputError: For a folder that is there, and for what `paper_text` refuses.
    """
    if into.exists() or into.is_symlink():
        raise reject("--into", str(into), "a folder that is not there yet")
    source, name = paper_text(paper, main)
    blocks = blocks_of(source)
    into.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".writing-", dir=into.parent))
    try:
        (made / "paper.toml").write_text(f'title = "{_plain(Path(name).stem)}"\n', encoding="utf-8")
        slugs = _slugs(blocks)
        for block, slug in zip(blocks, slugs, strict=True):
            (made / f"{slug}.py").write_text(_file(block, slug, Path(name).stem, name), encoding="utf-8")
        unread = [(f, slug) for block, slug in zip(blocks, slugs, strict=True) for f in block.formulas if not f.read]
        (made / "unread.md").write_text(_unread(unread, blocks), encoding="utf-8")
        made.chmod(0o755)
        made.rename(into)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    read = sum(bool(f.read) for block in blocks for f in block.formulas)
    return Drafted(len(blocks), read, dict(Counter(f.reason for f, _ in unread).most_common()))


def _slugs(blocks: Sequence[Block]) -> list[str]:
    """Return names of files, one for each block."""
    found: list[str] = []
    for block in blocks:
        base = re.sub(r"[^a-z0-9]+", "_", block.title.partition(" (")[0].lower()).strip("_") or "statement"
        base = base if base[0].isalpha() else f"statement_{base}"
        found.append(base if base not in found else f"{base}_{len(found) + 1}")
    return found


def _plain(words: str) -> str:
    """Return a text without what would end a string or a comment."""
    return "".join(c if c.isprintable() and c not in '"\\' else " " for c in words)


def _comment(latex: str) -> Iterator[str]:
    """Yield LaTeX as lines of a comment."""
    for line in latex.splitlines():
        shown = "".join(c if c.isprintable() else " " for c in line).rstrip()
        yield from (f"# {shown[k : k + _WIDTH]}" for k in range(0, max(len(shown), 1), _WIDTH))


def _file(block: Block, slug: str, paper: str, name: str) -> str:
    """Return the text of a file."""
    title = _plain(block.title)
    lines = [
        f'"""{title}, from line {block.line} of the source. Drafted by `rgm-verify new`: nothing is judged yet."""',
        "",
    ]
    lines += [
        "from rgm_verify.statements.drafts import Draft",
        "",
        *_comment(block.latex),
        *([""] if block.latex else []),
    ]
    lines += [f'draft = Draft("{_plain(paper)}", "{title}", "{_plain(name)}, line {block.line}")', ""]
    defined, claims = _parts(block)
    domains = _domains(block)
    for symbol in symbols_of(block):
        if symbol not in defined:
            doubt = ": the block has it in a set of vectors or matrices" if symbol in block.vectors else ""
            given = "".join(f', "{d}"' for d in domains.get(symbol, [f"{symbol} real"]))
            lines.append(f'draft.symbol("{symbol}"{given}, confirmed=False)  # TODO confirm{doubt}')
    for symbol, (expression, formula) in defined.items():
        lines += ["", *_comment(f"line {formula.line}: {formula.latex}")]
        lines.append(f'draft.definition("{symbol}", "{expression}", confirmed=False)  # TODO confirm')
    prefix = re.sub(r"[^a-z0-9]+", "-", paper.lower()).strip("-") or "paper"
    for number, (one, formula) in enumerate(claims, 1):
        says, given = _split(one.statement)
        lines += ["", *_comment(f"line {formula.line}: {formula.latex}"), *_comment(f"read as: {one.text}")]
        lines += [line for note in one.notes for line in _comment(f"convention: {note}")]
        more = f', given="{given}"' if given else ""
        lines.append(f'claim_{number} = draft.claim("{prefix}:{slug.replace("_", "-")}-{number}", "{says}"{more})')
    for formula in block.formulas:
        if not formula.read:
            lines += ["", *_comment(f"line {formula.line}: {formula.latex}")]
            lines += list(_comment(f"not read: {formula.reason} ({formula.problem})"))
    return "\n".join(lines) + "\n"


def _parts(block: Block) -> tuple[dict[str, tuple[str, Formula]], list[tuple[LatexReading, Formula]]]:
    """Return the definitions of a block by their names, and what is left as claims."""
    defined: dict[str, tuple[str, Formula]] = {}
    claims: list[tuple[LatexReading, Formula]] = []
    for formula in block.formulas:
        for one in formula.read:
            says = one.statement.says
            new = one.defines and one.defines not in defined and not _domains(block).get(one.defines)
            if new and isinstance(says, Compare) and len(says.sides) == 2 and not one.statement.exists:
                defined[one.defines] = (text(says.sides[1]), formula)
            else:
                claims.append((one, formula))
    return defined, claims


def _domains(block: Block) -> dict[str, list[str]]:
    """Return the domains of symbols: those that stand by themselves in the block, and those of its statements."""
    found = {name: list(domains) for name, domains in block.domains.items()}
    for formula in block.formulas:
        for one in formula.read:
            for given in one.statement.given:
                name = symbol_of(given)
                if name and not one.statement.exists and text(given) not in found.setdefault(name, []):
                    found[name].append(text(given))
    return found


def _split(statement: Statement) -> tuple[str, str]:
    """Return what is said, and the conditions that are no domain of one symbol."""
    if statement.exists:
        return text(statement), ""
    between = tuple(g for g in statement.given if not symbol_of(g))
    whole = text(Statement(statement.says, between))
    return text(statement.says), whole.removeprefix("for all ").removesuffix(
        f": {text(statement.says)}"
    ) if between else ""


def _unread(unread: Sequence[tuple[Formula, str]], blocks: Sequence[Block]) -> str:
    """Return the list of what was not read, by reason, with counts on top."""
    counts = Counter(f.reason for f, _ in unread)
    total = sum(len(block.formulas) for block in blocks)
    lines = ["# Not read", "", f"{len(unread)} of {total} formulas with a relation were not read.", ""]
    lines += ["| reason | formulas |", "|---|---:|", *(f"| {reason} | {n} |" for reason, n in counts.most_common())]
    for reason, _ in counts.most_common():
        lines += ["", f"## {reason[0].upper()}{reason[1:]}", ""]
        for formula, slug in unread:
            if formula.reason == reason:
                shown = " ".join(formula.latex.split()).replace("`", "'")
                lines.append(f"- `{slug}.py`, line {formula.line}: `` {shown[:300]} `` ({formula.problem})")
    return "\n".join(lines) + "\n"
