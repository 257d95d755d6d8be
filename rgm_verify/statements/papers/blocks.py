r"""Statements in the source of a paper: theorems and their like, their formulas, and what is read of each.

A block is an environment that the paper declares by `\newtheorem`, or one of the usual names. Displayed formulas that
stand in no block are a block of their own, so that every formula with a relation is read or listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rgm_verify.statements.latex.reading import LatexReading, read_latex
from rgm_verify.statements.latex.words import Macros, NotRead, expanded, macros_of
from rgm_verify.statements.tokens import DoubtfulReading, StatementError
from rgm_verify.statements.trees import Compare, Given, Name, Sort, conditions, names, names_in, text

__all__ = ["Block", "Formula", "blocks_of", "symbol_of", "symbols_of"]

_USUAL: Final = {
    "theorem": "Theorem", "thm": "Theorem", "lemma": "Lemma", "lem": "Lemma", "proposition": "Proposition",
    "prop": "Proposition", "corollary": "Corollary", "cor": "Corollary", "claim": "Claim", "fact": "Fact",
    "assumption": "Assumption", "definition": "Definition", "defn": "Definition", "remark": "Remark",
    "conjecture": "Conjecture",
}  # fmt: skip
_THEOREM: Final = re.compile(
    r"\\(?:newtheorem|declaretheorem)\*?\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}"
)
_DISPLAYED: Final = r"(equation|align|gather|multline|eqnarray|displaymath|alignat|flalign)"
_MATHEMATICS: Final = re.compile(
    rf"\$\$(?P<a>.+?)\$\$|\\\[(?P<b>.+?)\\\]|\\begin\{{{_DISPLAYED}(?P<star>\*?)\}}(?P<c>.+?)\\end\{{\3\*?\}}"
    r"|(?<!\\)\$(?P<d>.+?)(?<!\\)\$|\\\((?P<e>.+?)\\\)",
    re.S,
)
_RELATION: Final = re.compile(
    r"\\(le|leq|ge|geq|leqslant|geqslant|lt|gt|neq?|iff|implies|in|approx|sim|to|equiv|coloneqq|triangleq|preceq|succeq|ll|gg"
    r"|lesssim|gtrsim|propto|subseteq|subset)(?![A-Za-z])|[=<>≤≥∈]"
)
_LONGEST: Final = 4_000


@dataclass(frozen=True)
class Formula:
    """A formula of a block.

    Attributes:
        latex: What stands in the source.
        line: Its line in the source with its inputs.
        read: What was read, one statement for each line of an aligned block; empty where nothing was.
        reason: Why nothing was read, in the words that are counted.
        problem: The same with what it is about.
    """

    latex: str
    line: int
    read: tuple[LatexReading, ...] = ()
    reason: str = ""
    problem: str = ""


@dataclass
class Block:
    r"""A theorem, or the displayed formulas that stand in none.

    Attributes:
        title: Such as "Theorem 2 (composition)".
        latex: Its source.
        line: Where it begins.
        label: Its \label.
        formulas: Its formulas with a relation.
        domains: The domains that were found for a symbol, as texts of the grammar.
        vectors: Symbols that the block puts into a set of vectors or matrices.
    """

    title: str
    latex: str
    line: int
    label: str = ""
    formulas: list[Formula] = field(default_factory=list)
    domains: dict[str, list[str]] = field(default_factory=dict)
    vectors: set[str] = field(default_factory=set)


def blocks_of(source: str) -> list[Block]:
    """Return the blocks of a paper, in order, each with its formulas read.

    Args:
        source: LaTeX, with inputs in their places.
    """
    macros, places = macros_of(source)
    # With as many line ends as before, so that lines stay what they are.
    for start, end in reversed(places):
        source = source[:start] + "\n" * source.count("\n", start, end) + source[end:]
    found: list[Block] = []
    inside: list[tuple[int, int]] = []
    counts: dict[str, int] = {}
    kinds = {**_USUAL, **dict(_THEOREM.findall(source))}
    begin = re.compile(rf"\\begin\s*\{{({'|'.join(map(re.escape, kinds))})\*?\}}")
    at = 0
    while match := begin.search(source, at):
        close = re.compile(rf"\\end\s*\{{{re.escape(match[1])}\*?\}}").search(source, match.end())
        at = close.end() if close else match.end()
        body = source[match.end() : close.start() if close else at]
        kind = kinds[match[1]] or match[1]
        counts[kind] = counts.get(kind, 0) + 1
        option = re.match(r"\s*\[([^\]]*)\]", body)
        title = f"{kind} {counts[kind]}" + (f" ({' '.join(option[1].split())})" if option else "")
        label = re.search(r"\\label\s*\{([^{}]*)\}", body)
        block = Block(title, source[match.start() : at], _line(source, match.start()), label[1] if label else "")
        _fill(block, body, _line(source, match.end()), macros)
        found.append(block)
        inside.append((match.start(), at))
    rest = "".join(c if not any(a <= i < b for a, b in inside) or c == "\n" else " " for i, c in enumerate(source))
    start = rest.find(r"\begin{document}")
    other = Block("Displayed formulas", "", 1)
    _fill(other, "\n" * rest.count("\n", 0, start) + rest[start:] if start >= 0 else rest, 1, macros, displayed=True)
    return [*found, *([other] if other.formulas else [])]


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1


def _fill(block: Block, body: str, line: int, macros: Macros, *, displayed: bool = False) -> None:
    """Read the formulas of a block.

    Args:
        block: Where they go.
        body: The source that is looked at.
        line: Its first line.
        macros: The macros of the paper.
        displayed: Whether formulas inside of the text are left out.
    """
    for match in _MATHEMATICS.finditer(body):
        inline = match["d"] or match["e"]
        inner = match["a"] or match["b"] or match["c"] or inline
        if (displayed and inline) or not _RELATION.search(_shown(inner, macros)):
            continue
        aligned = match["c"] is not None and match[3] in ("align", "gather", "eqnarray", "alignat", "flalign")
        wrapped = rf"\begin{{align}}{inner}\end{{align}}" if aligned else inner
        _vectors(block, _shown(inner, macros))
        domain = _domain(inner, macros) if inline else []
        for given in domain:
            block.domains.setdefault(symbol_of(given), []).append(text(given))
        if not domain:
            block.formulas.append(_read(wrapped, inner, line + body.count("\n", 0, match.start()), macros))


def _shown(latex: str, macros: Macros) -> str:
    """Return LaTeX with its macros expanded, as it is where they do not end."""
    try:
        return "".join(c for c, _ in expanded(latex[:_LONGEST], macros))
    except NotRead:
        return latex


def _read(latex: str, shown: str, line: int, macros: Macros) -> Formula:
    """Return a formula with what was read of it, or why nothing was."""
    shown = shown.strip()
    try:
        return Formula(shown, line, tuple(read_latex(latex, macros, alone=False)))
    except NotRead as error:
        return Formula(shown, line, reason=error.reason, problem=error.problem)
    except DoubtfulReading as error:
        ways = "; or ".join(r.means for r in error.readings)
        return Formula(shown, line, reason="two readings", problem=f"{error.doubt}: {ways}")
    except StatementError as error:
        return Formula(shown, line, reason="refused by the grammar of statements", problem=error.problem)


def _domain(latex: str, macros: Macros) -> list[Given]:
    r"""Return what a formula such as `x > 0` or `x \in [0, 1]` says of single symbols; nothing for any other."""
    try:
        given = read_latex(rf"\forall {latex}: 0\le 0", macros, alone=False)[0].statement.given
    except StatementError:
        return []
    equations = [g for g in given if isinstance(g, Compare) and "=" in g.signs]
    return list(given) if given and not equations and all(map(symbol_of, given)) else []


def symbol_of(given: Given) -> str:
    """Return the name that a condition is a domain of; empty for a condition between several."""
    if isinstance(given, Sort):
        return given.name
    if isinstance(given, Compare):
        free = [side for side in given.sides if any(names_in(side, frozenset()))]
        if len(free) == 1 and isinstance(free[0], Name):
            return free[0].name
    return ""


def _vectors(block: Block, latex: str) -> None:
    r"""Keep the names that stand in a set such as \mathbb{R}^d, or beside signs of matrices."""
    for match in re.finditer(
        r"([A-Za-z]|\\[A-Za-z]+)(?:_\{?\w+\}?)?\s*\\in\s*\\mathbb\s*\{?R\}?\s*\^|(\b[A-Z])\s*\\(?:preceq|succeq)", latex
    ):
        block.vectors.add((match[1] or match[2]).removeprefix("\\"))
    block.vectors |= {m[1] for m in re.finditer(r"([A-Za-z])\^\{?\\(?:top|intercal)", latex)}


def symbols_of(block: Block) -> Iterator[str]:
    """Yield the names that have a domain in a block, and those of what was read in it, each once."""
    seen: dict[str, None] = dict.fromkeys(block.domains)
    for formula in block.formulas:
        for one in formula.read:
            given = conditions(one.statement.given)
            seen |= {n.name: None for n in names([one.statement.says, *given])}
    yield from seen
