"""Drafts of claims: symbols that somebody has to confirm, definitions, and claims in the grammar of statements.

`rgm-verify new` writes files of this kind from the source of a paper. What a symbol is stands in the prose, which no
program reads: a capital may be a matrix, and a domain may stand two sections before. So a claim is refused, and has no
verdict, as long as one of its symbols is not confirmed.

Examples:
    >>> draft = Draft("paper", "Lemma 1", "paper.tex, line 10")
    >>> draft.symbol("x", "x > 0")
    >>> try:
    ...     draft.claim("paper:lemma-1", "log(x) <= x - 1")
    ... except InputError as error:
    ...     print(error)
    Lemma 1: x is not confirmed: look at its domain, and write confirmed=True
    >>> draft.symbol("x", "x > 0", confirmed=True)
    >>> print(draft.claim("paper:lemma-1", "log(x) <= x - 1").conclusion)
    log(x) <= x - 1
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rgm_verify.claims.claim import Claim
from rgm_verify.errors import InputError
from rgm_verify.statements.checking import read
from rgm_verify.statements.parser import parse
from rgm_verify.statements.trees import conditions, names

__all__ = ["Draft"]


@dataclass
class Draft:
    """One statement of a paper, as a source of claims.

    Attributes:
        source: What the paper is called.
        title: What the statement is called.
        where: Where it stands.
    """

    source: str
    title: str
    where: str
    _domains: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    _definitions: dict[str, str] = field(default_factory=dict, repr=False)
    _confirmed: set[str] = field(default_factory=set, repr=False)

    def symbol(self, name: str, *domains: str, confirmed: bool = False) -> None:
        """Declare a symbol by its domains, such as "x > 0" and "n integer"; an earlier declaration is replaced.

        Args:
            name: The symbol.
            domains: What is given about it, each as the grammar of statements has it behind `for all`.
            confirmed: Whether somebody has looked at it.
        """
        self._domains[name] = domains or (f"{name} real",)
        self._mark(name, confirmed=confirmed)

    def definition(self, name: str, expression: str, *, confirmed: bool = False) -> None:
        """Define a symbol by an expression; claims that use it are given the equation.

        Args:
            name: The symbol.
            expression: What it stands for.
            confirmed: Whether somebody has looked at it.
        """
        self._definitions[name] = expression
        self._mark(name, confirmed=confirmed)

    def _mark(self, name: str, *, confirmed: bool) -> None:
        (self._confirmed.add if confirmed else self._confirmed.discard)(name)

    def claim(self, id: str, says: str, *, given: str = "") -> Claim:  # noqa: A002 - the word of a claim
        """Return a claim about the symbols of this draft.

        Args:
            id: The id of the claim.
            says: What is said, in the grammar of statements.
            given: More conditions, as they stand behind `for all`.

        Raises:
            InputError: For a symbol that is not declared, or not confirmed, and for what the grammar refuses.
        """
        used = self._used(says, given)
        unknown = [n for n in used if n not in self._domains and n not in self._definitions]
        if unknown:
            raise InputError(f"{self.title}: {', '.join(unknown)}: declare it with symbol(...)")
        open_ones = [n for n in used if n not in self._confirmed]
        if open_ones:
            are, its = ("are", "their") if len(open_ones) > 1 else ("is", "its")
            advice = f"look at {its} domain, and write confirmed=True"
            raise InputError(f"{self.title}: {', '.join(open_ones)} {are} not confirmed: {advice}")
        items = [d for n in used for d in self._domains.get(n, ())]
        items += [f"{n} = {self._definitions[n]}" for n in used if n in self._definitions]
        items += [given] if given else []
        exists = says.startswith("there is ")
        text = says if exists or not items else f"for all {', '.join(items)}: {says}"
        claim = read(text)[1].claim
        return replace(claim, id=id, title=self.title, source=self.source, where=self.where)

    def _used(self, says: str, given: str) -> list[str]:
        """Return the symbols of a claim, those in definitions of its symbols too."""
        waiting = [f"for all {given}: {says}" if given else says]
        found: dict[str, None] = {}
        while waiting:
            tree = parse(waiting.pop())
            formulas = [tree.says, *conditions(tree.given)]
            new = [n.name for n in names(formulas) if n.name not in found]
            found |= dict.fromkeys(new)
            waiting += [f"{n} = {self._definitions[n]}" for n in dict.fromkeys(new) if n in self._definitions]
        return list(found)
