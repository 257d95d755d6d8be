"""Proofs without the steps that lead nowhere: a search states more facts than its proof needs.

Facts have numbers, and a step that goes changes the numbers of all later ones. So the proof is done
again with names for facts, the steps whose facts nobody needs are left out from the end backwards, and
numbers are given anew. The kernel checks the result, and the proof stays as it was if it does not
check: pruning can lose nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from rgm_verify.kernel.check import check, opened
from rgm_verify.kernel.terms import FALSE, Formula, Refused, Rel

__all__ = ["pruned"]

#: Where a step names facts: by a number, or in lists of their numbers.
_SINGLE = {
    "clear": (1, 3), "clear_goal": (2,), "inv": (2,), "root": (3,), "log": (2,), "pow": (3,), "gamma": (2,),
    "equal": (5,), "mean": (5,), "end": (1, 2), "cases": (1,), "log_product": (2,),
}  # fmt: skip


def _renamed(step: list[Any], change: Callable[[Any], Any]) -> list[Any]:
    """Return a step with each number of a fact changed; nested proofs stay.

    Args:
        step: A step of the kernel's format: its name, then what it takes.
        change: From a number (or a name) of a fact to what stands in its place.
    """
    found = list(step)
    for place in (p for p in _SINGLE.get(step[0], ()) if p < len(step)):
        found[place] = None if step[place] is None else change(step[place])
    if step[0] == "sum":
        found[1] = [[c, [change(ref) for ref in refs], squares] for c, refs, squares in step[1]]
        found[2] = [[change(ref), cofactor] for ref, cofactor in step[2]]
    if step[0] == "log_product":
        found[1] = [[r, f, None if ref is None else change(ref)] for r, f, ref in step[1]]
    return found


class _Walk:
    """A proof with names for its facts in place of numbers, made by doing its steps.

    The checker does each step, so that the facts are those that the kernel has at that place.

    Attributes:
        k: The checker.
        goal: The statement that the proof ends in.
        names: The name of each fact that the checker holds now. A name is never given twice.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.k, self.goal = opened(document)
        self._count = 0
        self.names: list[int] = []

    def grow(self) -> tuple[int, ...]:
        """Name the facts that are new, and return their names."""
        new = []
        while len(self.names) < len(self.k.facts):
            self.names.append(self._count)
            new.append(self._count)
            self._count += 1
        return tuple(new)

    def cut(self, known: int) -> None:
        """Forget the facts after the first `known` ones, with their names: what a nested proof knows ends with it."""
        del self.k.facts[known:], self.names[known:]

    def proof(self, goal: Formula, steps: list[Any]) -> list[tuple[list[Any], tuple[int, ...]]]:
        """Return the steps with named facts, each with the names of the facts that it adds."""
        known, found = len(self.k.facts), []
        for step in steps:
            named = _renamed(step, lambda ref: self.names[ref])
            # These steps change the goal of all steps after them, as the kernel does.
            if step[0] == "suppose":
                self.k.assume(self.k.negate(goal))
                goal = FALSE
            elif step[0] == "choose":
                goal = goal[1][step[1]]
            elif step[0] == "clear_goal":
                goal = self.k.cleared(goal, step[1], step[2])
            elif step[0] in ("cases", "each"):
                named[-1] = self._branches(goal, step)
            elif step[0] == "have":
                inner = Rel(self.k.poly(step[1][1]), step[1][0])
                named[2] = self.proof(inner, step[2])
                self.k.assume(inner)
            elif step[0] != "end":
                self.k.advance(step)
            found.append((named, self.grow()))
        self.cut(known)
        return found

    def _branches(self, goal: Formula, step: list[Any]) -> list[Any]:
        """Return the proofs of a step that closes by several, each with the names of what it may assume.

        Args:
            goal: What the step closes: for `each` a conjunction, for `cases` any formula.
            step: The step, with its nested proofs as its last part.
        """
        known = len(self.k.facts)
        found: list[Any] = []
        if step[0] == "each":
            for part, proof in zip(goal[1], step[1], strict=True):
                inner = self.proof(part, proof)
                self.k.assume(part)
                found.append((self.grow(), inner))
            self.cut(known)
            return found
        for case, proof in zip(self.k.fact(step[1])[1], step[2], strict=True):
            self.k.assume(case)
            new = self.grow()
            found.append((new, self.proof(goal, proof)))
            self.cut(known)
        return found


def _needed(proof: list[Any], needed: set[int]) -> list[Any]:
    """Return the steps whose facts are needed; `needed` gets the names that they use.

    From the end backwards, a step is kept if a later one names a fact of it, or if it closes a goal or
    changes it.
    """
    kept = []
    for step, new in reversed(proof):
        if step[0] in ("cases", "each"):
            step[-1] = [(names, _needed(inner, needed)) for names, inner in reversed(step[-1])][::-1]
        # A step that closes a goal or changes it is needed even if it states nothing.
        elif step[0] not in ("end", "suppose", "choose", "clear_goal") and not needed.intersection(new):
            continue
        if step[0] == "have":
            # Inner steps may name facts from outside, which have to stay for them.
            step[2] = _needed(step[2], needed)
        # Only the names are wanted here: the changed step is thrown away.
        _renamed(step, lambda ref: needed.add(ref))
        kept.append((step, new))
    return kept[::-1]


def _numbered(proof: list[Any], names: list[int]) -> list[Any]:
    """Return the steps with numbers for facts again; `names` are the facts before.

    Args:
        proof: Steps with named facts, those that are needed.
        names: The names of the facts that are known before the first step; the same again afterwards.
    """
    known, found = len(names), []
    place = {name: index for index, name in enumerate(names)}
    for step, new in proof:
        numbered = _renamed(step, lambda ref: place[ref])
        if step[0] == "have":
            numbered[2] = _numbered(step[2], names)
        elif step[0] in ("cases", "each"):
            numbered[-1] = _branches(step, names)
        for name in new:
            place[name] = len(names)
            names.append(name)
        found.append(numbered)
    del names[known:]
    return found


def _branches(step: list[Any], names: list[int]) -> list[Any]:
    """Return the proofs of a step that closes by several, with numbers for facts."""
    known, found = len(names), []
    for new, proof in step[-1]:
        # Later parts may use the earlier ones; cases know nothing of each other.
        if step[0] == "each":
            found.append(_numbered(proof, names))
            names.extend(new)
        else:
            names.extend(new)
            found.append(_numbered(proof, names))
            del names[known:]
    del names[known:]
    return found


def _used_names(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document without names that no polynomial uses.

    A polynomial is a list of terms, and a term a coefficient with pairs of a name and an exponent; the
    names that are left get new numbers in the order in which the proof meets them.
    """
    used: dict[int, int] = {}

    def seen(value: Any) -> Any:
        if isinstance(value, list) and len(value) % 2 and len(value) > 1 and _is_term(value):
            return [value[0], *(x for n, e in zip(value[1::2], value[2::2], strict=True) for x in (renumber(n), e))]
        return value

    def renumber(name: int) -> int:
        return used.setdefault(name, len(used))

    proof = _polynomials(document["proof"], seen)
    return {**document, "names": [document["names"][name] for name in used], "proof": proof}


def _is_term(value: list[Any]) -> bool:
    """Return whether a list is a term of a polynomial: a coefficient, and pairs of a name and an
    exponent.
    """
    return all(isinstance(x, int) for x in value[1:]) and isinstance(value[0], int | str)


def _polynomials(proof: list[Any], change: Callable[[Any], Any]) -> list[Any]:
    """Return a proof with each term of each of its polynomials changed."""

    def poly(data: Any) -> Any:
        return [change(term) for term in data]

    found = []
    for step in proof:
        new = list(step)
        for place in _POLYNOMIALS.get(step[0], ()):
            new[place] = poly(step[place])
        if step[0] == "sum":
            new[1] = [[c, refs, [poly(s) for s in squares]] for c, refs, squares in step[1]]
            new[2] = [[ref, poly(cofactor)] for ref, cofactor in step[2]]
        elif step[0] == "log_product":
            new[1] = [[r, poly(f), ref] for r, f, ref in step[1]]
        elif step[0] == "max":
            new[1] = [poly(p) for p in step[1]]
        elif step[0] == "have":
            new[1], new[2] = [step[1][0], poly(step[1][1])], _polynomials(step[2], change)
        elif step[0] == "use":
            new[3] = _polynomials(step[3], change)
        elif step[0] == "mean":
            new[6] = _polynomials(step[6], change)
        elif step[0] in ("cases", "each"):
            new[-1] = [_polynomials(inner, change) for inner in step[-1]]
        found.append(new)
    return found


_POLYNOMIALS = {
    "clear": (2,), "clear_goal": (1,), "number": (1,), "sign": (1,), "inv": (1,), "root": (2,), "exp": (1,),
    "log": (1,), "log_exp": (1,), "pow": (1, 2), "gamma": (1,),
}  # fmt: skip


def pruned(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document without steps and names that its proof does not need; as it is where that does not check.

    Returns:
        A proof of the same statement that checks as well.
    """
    try:
        walk = _Walk(document)
        before = list(walk.grow())
        proof = _needed(walk.proof(walk.goal, copy.deepcopy(document["proof"])), set())
        shorter = _used_names({**document, "proof": _numbered(proof, before)})
        check(shorter)
    except (Refused, KeyError, ValueError, IndexError, TypeError):
        # A longer proof that is right is better than none: nothing is lost but space.
        return document
    return shorter
