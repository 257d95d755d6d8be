"""A page of claims: what the claims of a file share is said once, and a control says only what it changes.

    page = Page("my-paper", "Section 2")
    x = page.positive("x", "size of the step")
    page.at("(7)").inequality("my:sum", "A sum of reciprocals", ge(x + 1 / x, 2), wrong={"3 for 2": 3})

A page makes the `Claim`s that everything else works on, and adds nothing to them that could not be written by hand. So
nothing here is trusted, and nothing behind it knows of pages: `Claim` itself refuses what does not fit together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, TypeAlias

import sympy

from rgm_verify.claims.claim import (
    Chart,
    Check,
    Claim,
    ClaimError,
    Hypothesis,
    Mutant,
    Quantifier,
    Step,
    Tightness,
    Variable,
    is_premise,
    natural,
    nonnegative,
    positive,
    real,
)
from rgm_verify.claims.controls import Draft, Edit, changed, instead, left, right, scaled, turned, without
from rgm_verify.claims.formula import Formula, is_formula, symbols_of
from rgm_verify.claims.notation import spelled
from rgm_verify.claims.theorem import Quotation

__all__ = [
    "AsStep",
    "Draft",
    "Edit",
    "Notation",
    "Page",
    "Place",
    "Wrong",
    "changed",
    "instead",
    "left",
    "right",
    "scaled",
    "turned",
    "without",
]


class Notation:
    """Symbols with their domains. A page looks a symbol up in its own notation first, then in those that it uses.

    Args:
        *used: Notations in which symbols are looked up after one's own.

    Raises:
        ClaimError: For something that is no notation.

    Examples:
        >>> paper = Notation()
        >>> eta = paper.positive("eta", "relative sensitivity")
        >>> section = Notation(paper)
        >>> n = section.natural("n", "number of steps")
        >>> section.find(eta).meaning, paper.find(n)
        ('relative sensitivity', None)
        >>> print(paper.unknown(n)[:42])
        the symbol n is not declared on this page;
    """

    def __init__(self, *used: Notation) -> None:
        for given in used:
            if not isinstance(given, Notation):
                raise ClaimError(f"used={given!r}: expected a Notation or a Page")
        self._used = used
        self._own: dict[sympy.Symbol, Variable] = {}

    def real(self, name: str, meaning: str = "", **domain: Any) -> sympy.Symbol:
        """Declare a real variable and return its symbol; `domain` is that of `rgm_verify.claims.real`.

        Args:
            name: The name of the symbol.
            meaning: The meaning in words.
            **domain: `lower`, `upper`, `lower_open`, `upper_open`, `integer` and `latex`.
        """
        return self.add(real(name, meaning, **domain))

    def positive(self, name: str, meaning: str = "", **domain: Any) -> sympy.Symbol:
        """Declare a positive variable and return its symbol."""
        return self.add(positive(name, meaning, **domain))

    def nonnegative(self, name: str, meaning: str = "", **domain: Any) -> sympy.Symbol:
        """Declare a variable that is not negative and return its symbol."""
        return self.add(nonnegative(name, meaning, **domain))

    def natural(self, name: str, meaning: str = "", **domain: Any) -> sympy.Symbol:
        """Declare an integer variable, from 1 on unless `lower` says otherwise, and return its symbol."""
        return self.add(natural(name, meaning, **domain))

    def add(self, variable: Variable) -> sympy.Symbol:
        """Declare a variable and return its symbol; `ClaimError` if the symbol has another domain here already."""
        # The same symbol with another end or meaning: claims above would change under their author's hands.
        if self._own.setdefault(variable.symbol, variable) != variable:
            raise ClaimError(f"{variable.symbol}: it is declared here already, with another domain")
        return variable.symbol

    def declare(self, *variables: Variable) -> tuple[sympy.Symbol, ...]:
        """Declare several variables and return their symbols."""
        return tuple(map(self.add, variables))

    def find(self, symbol: sympy.Symbol) -> Variable | None:
        """Return what is known of a symbol; None if nothing is.

        Args:
            symbol: The symbol, with its assumptions.
        """
        if symbol in self._own:
            return self._own[symbol]
        # In the order in which they are given, so that the same symbol in two of them is no riddle.
        return next((found for used in self._used if (found := used.find(symbol)) is not None), None)

    def unknown(self, symbol: sympy.Symbol) -> str:
        """Return what to say of a symbol that is not declared here.

        Args:
            symbol: The symbol. If another one of its name is known, that is the likelier mistake and is said.
        """
        if any(v.symbol.name == symbol.name for v in self._known()):
            return f"the symbol {symbol} has another domain than the {symbol} of this page; use one of the two"
        return (
            f"the symbol {symbol} is not declared on this page; write {symbol} = page.real({symbol.name!r}), or give "
            "the page that declares it to Page(...)"
        )

    def _known(self) -> Iterable[Variable]:
        """Yield the variables of this notation and of those that it uses."""
        yield from self._own.values()
        for used in self._used:
            yield from used._known()

    def place(self, symbol: sympy.Symbol) -> tuple[int, ...]:
        """Return a key that sorts symbols by declaration: those of the notations in use come before one's own.

        Reports list variables in this order.
        """
        if symbol in self._own:
            return (len(self._used), list(self._own).index(symbol))
        for index, used in enumerate(self._used):
            if used.find(symbol) is not None:
                return (index, *used.place(symbol))
        # A symbol that nobody knows comes last, and is refused elsewhere.
        return (len(self._used) + 1,)


#: What stands in the list of steps; a `Premise` of the lenses besides.
AsStep: TypeAlias = "Step | Quotation | Claim | str | Any"
#: What may stand for a control: the right side, the whole formula, or an edit.
Wrong: TypeAlias = "sympy.Expr | int | Formula | Edit"


def _kind(name: str) -> Callable[..., Claim]:
    """Make the method for a kind of claim: `page.theorem(...)` is `page.claim("theorem", ...)`, with what is shared.

    Settings of the call come in the place of shared ones.
    """

    def make(self: _Kinds, *arguments: Any, **settings: Any) -> Claim:
        return self.claim(name, *arguments, **{**self.shared, **settings})

    # For help() and for tracebacks, where otherwise all of them would be `make`.
    make.__name__ = name
    make.__doc__ = f"Make a claim of the kind {name!r}; the arguments are those of `Place.claim` after `kind`."
    return make


class _Kinds(ABC):
    """The kinds of claims, as methods."""

    algorithm = _kind("algorithm")
    corollary = _kind("corollary")
    correction = _kind("correction")
    definition = _kind("definition")
    identity = _kind("identity")
    inequality = _kind("inequality")
    lemma = _kind("lemma")
    measurement = _kind("measurement")
    numeric = _kind("numeric")
    proposition = _kind("proposition")
    remark = _kind("remark")
    statement = _kind("statement")
    theorem = _kind("theorem")

    @property
    @abstractmethod
    def shared(self) -> Mapping[str, Any]:
        """The settings that its claims share."""

    @abstractmethod
    def claim(self, kind: str, *arguments: Any, **settings: Any) -> Claim:
        """Make a claim of a kind."""


@dataclass(frozen=True)
class Place(_Kinds):
    """The place in the source of the next claims, and the statements of the source that they answer.

    Attributes:
        page: The page.
        where: The place in the source.
        refs: Printed statements that are answered.
        source: The source, if it is not that of the page.
    """

    page: Page
    where: str
    refs: tuple[str, ...] = ()
    source: str = ""

    @property
    def shared(self) -> Mapping[str, Any]:
        """The settings that the claims of its page share."""
        return self.page.shared

    def claim(
        self,
        kind: str,
        id: str,  # noqa: A002 - the word of the claim, of the report and of the command line
        title: str,
        formula: Formula | None = None,
        says: str = "",
        *,
        given: Hypothesis | Sequence[Hypothesis] = (),
        by: Check | Sequence[Check] = (),
        wrong: Mapping[str, Wrong] | Sequence[Mutant] = (),
        points: Chart | Mapping[Any, Any] | None = None,
        over: Sequence[Variable | sympy.Symbol] = (),
        steps: AsStep | Iterable[AsStep] = (),
        tightness: Tightness | Sequence[Tightness] = (),
        exists: bool = False,
        core: str = "",
        instance: str = "",
        mistake: tuple[str, str] | None = None,
        **rest: Any,
    ) -> Claim:
        """Make a claim of a kind (`theorem`, `remark`, ...), with `formula` as what it asserts.

        Args:
            kind: The word of the source for it.
            id: The permanent id.
            title: A short title.
            formula: What it asserts; None for a sentence, with `informal` to say why.
            says: Adds what the formula does not say.
            given: Its hypotheses.
            by: The lenses that it asks for; those that suit it if none.
            wrong: Its controls by name, or as mutants.
            points: The points where it is looked at: for a variable, or for several in brackets, a range `(lower,
                upper)`, an expression, or both, `(lower, upper, expression)`, in which the symbol stands for a number
                of the range; for all others, and for a symbol of the page that the expressions use besides, their
                domain.
            over: Variables (or their symbols) that the formulas do not name, and other domains for some; they come
                first, which a solver may prefer.
            steps: Its derivation: a `Step`, a theorem as it is `quoted`, or a claim or an id as a mere dependency. A
                `Premise`, alone or as what a step names, is one of the `Deduction()` in `by`; one that `by` does not
                have comes first.
            tightness: Ratios whose ranges are certified.
            exists: Asserts one point instead of all.
            core: Says what the formula leaves out of the printed statement after a reduction.
            instance: Says of which case of the printed statement the formula speaks.
            mistake: The kind of mistake that a refuted claim makes, and the id of what holds instead.
            **rest: Any other field of `Claim`.

        Raises:
            ClaimError: For a symbol that the page does not know, a control that does not fit, and all that `Claim`
                refuses.
        """
        given = (given,) if isinstance(given, Hypothesis) else tuple(given)
        steps = (steps,) if isinstance(steps, str | Step | Claim | Quotation) or is_premise(steps) else tuple(steps)
        by = _deduced(id, tuple(by) if isinstance(by, Sequence) else (by,), _premises(steps))
        if core or instance:
            rest |= {"scope": "core" if core else "instance", "missing": core or instance}
        if mistake is not None:
            # Both or none: a mistake without a correction is given by the fields of `Claim`.
            rest["category"], rest["corrected"] = mistake
        quantifier: Quantifier = "exists" if exists else "forall"
        # Controls are edits of what is claimed, and so they need it before the claim is there.
        draft = Draft(id, formula, given)
        # Ready-made mutants have names of their own.
        if isinstance(wrong, Mapping):
            mutants = tuple(_mutant(draft, name, what) for name, what in wrong.items())
        else:
            mutants = tuple(wrong)
        # Controls as well: one may speak of a variable that the claim itself does not name.
        formulas = [formula, *(h.formula for h in given)]
        for mutant in mutants:
            formulas += [mutant.conclusion, *(h.formula for h in mutant.hypotheses or ())]
        given_over = [self._declared(id, v) for v in over]
        variables = self._variables(id, [f for f in formulas if f is not None], given_over)
        return Claim(
            id=id,
            title=title,
            source=self.source or self.page.source,
            where=self.where,
            kind=kind,
            statement=says,
            refs=self.refs,
            variables=variables,
            hypotheses=given,
            conclusion=formula,
            quantifier=quantifier,
            checks=by,
            sampling=_chart(points, variables, self.page),
            mutants=mutants,
            tightness=(tightness,) if isinstance(tightness, Tightness) else tuple(tightness),
            derivation=tuple(_step(step) for step in steps if not is_premise(step)),
            **rest,
        )

    def _declared(self, claim: str, given: Variable | sympy.Symbol) -> Variable:
        """Return a variable that `over` gives, itself or by its symbol."""
        found = given if isinstance(given, Variable) else self.page.find(given)
        if found is None:
            raise ClaimError(f"{claim}: over={given!r}: expected a variable, or a symbol that the page knows")
        return found

    def _variables(self, claim: str, formulas: Iterable[Formula], over: Sequence[Variable]) -> tuple[Variable, ...]:
        """Return the variables that the formulas and `over` use, in the order of declaration.

        Args:
            claim: The id, for messages.
            over: Variables that come first, also in the place of a declaration of the same symbol.

        Raises:
            ClaimError: For a symbol that the page does not know.
        """
        # A domain of one claim alone stands above that of the page.
        own = {v.symbol: v for v in over}
        used = set(own).union(*(symbols_of(f) for f in formulas))
        found: dict[sympy.Symbol, Variable] = {}
        order = list(own)
        for symbol in sorted(
            used, key=lambda s: (order.index(s) if s in own else len(order), self.page.place(s), s.name)
        ):
            known = own.get(symbol) or self.page.find(symbol)
            if known is None:
                raise ClaimError(f"{claim}: {self.page.unknown(symbol)}")
            found[symbol] = known
        return tuple(found.values())


def _step(step: AsStep) -> Step:
    """Return what stands in the list of steps as a step: a claim or an id is a dependency without a text."""
    if isinstance(step, Claim):
        return Step(claim=step.id)
    if isinstance(step, Quotation):
        return Step(step.text, theorem=step.theorem, met=step.met)
    return Step(claim=step) if isinstance(step, str) else step


def _premises(steps: Iterable[AsStep]) -> tuple[Any, ...]:
    """Return the premises among the steps, in their order."""
    found = (step if is_premise(step) else getattr(step, "premise", None) for step in steps)
    return tuple(premise for premise in found if premise is not None)


def _deduced(claim: str, by: tuple[Any, ...], premises: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the checks, with the premises in the check that takes some and has none, or else in a deduction of theirs.

    Raises `ClaimError` if several checks could take them.
    """
    if not premises:
        return by
    empty = [k for k, check in enumerate(by) if getattr(check, "premises", None) == ()]
    # A premise makes its own lens, since this module imports none.
    made = premises[0].deduction(premises)
    if not empty and not any(isinstance(check, type(made)) for check in by):
        return (made, *by)
    # With two deductions that take premises, nobody says which takes which.
    if len(empty) != 1:
        raise ClaimError(f"{claim}: a step has a Premise: leave one Deduction() in `by`, which takes it, or none")
    return (*by[: empty[0]], replace(by[empty[0]], premises=premises), *by[empty[0] + 1 :])


def _mutant(claim: Draft, name: str, what: Wrong) -> Mutant:
    """Return the control that a right side, a formula or an edit stands for; raises `ClaimError` for anything else."""
    if is_formula(what):
        return Mutant(name, what)  # type: ignore[arg-type]
    if isinstance(what, sympy.Basic | int):
        return replace(right(what)(claim), name=name)
    if callable(what):
        return replace(what(claim), name=name)
    raise ClaimError(
        f"{claim.id}: the control {name!r} is {what!r}: expected a right side, a formula, or an edit such as "
        "left(...), turned(), without(...)"
    )


def _chart(points: Chart | Mapping[Any, Any] | None, variables: Iterable[Variable], notation: Notation) -> Chart | None:
    """Return the sampling chart: ranges and maps as given, for each symbol of a key that is a tuple.

    All other variables, and the symbols of the notation that maps use besides, range over their domain.
    """
    if points is None or isinstance(points, Chart):
        return points
    # Several variables with one range are written once.
    points = {s: p for key, p in points.items() for s in (key if isinstance(key, tuple) else (key,))}
    ranges = {s: p[:2] for s, p in points.items() if isinstance(p, tuple)}
    images = {s: p[2] if isinstance(p, tuple) else p for s, p in points.items() if not _is_range(p)}
    maps = {s: spelled(sympy.sympify(image)) for s, image in images.items()}
    # A variable with a map has no range of its own: its points come from the coordinates.
    rest = {v.symbol: v for v in variables if v.symbol not in ranges and v.symbol not in maps}
    used = {s for image in maps.values() for s in image.free_symbols} - {*ranges, *rest}
    for symbol in sorted(used, key=str):
        found = notation.find(symbol)
        if found is not None:
            rest[symbol] = found
    return Chart({**ranges, **{s: (v.lower, v.upper) for s, v in rest.items()}}, maps)


def _is_range(point: Any) -> bool:
    """Return whether the entry of a point is a range alone."""
    return isinstance(point, tuple) and len(point) == 2


class Page(Notation, _Kinds):
    """The source, the place and the notation that the claims of one file share.

    Args:
        source: The title of the source; may be left out.
        where: The place in it; may be left out.
        *used: The notations and pages whose symbols its formulas use.

    Raises:
        ClaimError: For a source or a place that is no text.

    Examples:
        >>> from rgm_verify.claims.formula import ge
        >>> page = Page("a paper", "Section 2")
        >>> x = page.positive("x")
        >>> claim = page.at("(7)").inequality("my:sum", "A sum", ge(x + 1 / x, 2), wrong={"3 for 2": 3})
        >>> claim.kind, claim.where, [str(m.conclusion) for m in claim.mutants]
        ('inequality', 'Section 2, (7)', ['x + 1/x >= 3'])
    """

    def __init__(self, source: str = "", where: str = "", *used: Notation) -> None:
        # A notation in the place of the source is the usual slip, and the message says where it belongs.
        for name, given in (("source", source), ("where", where)):
            if not isinstance(given, str):
                raise ClaimError(
                    f"{name}={given!r}: expected a text in quotes; pages whose symbols are used come third"
                )
        super().__init__(*used)
        self.source, self.where = source, where
        self._shared: Mapping[str, Any] = {}

    def __repr__(self) -> str:
        return f"Page({self.source!r}, {self.where!r})"

    def _repr_html_(self) -> str:
        return f"<b>{escape(self.source)}</b> {escape(self.where)}"

    @property
    def shared(self) -> Mapping[str, Any]:
        """The settings that its claims share."""
        return self._shared

    def under(self, **settings: Any) -> Page:
        """Return this page with settings that its claims share, such as `given` or `points`; a claim's own come first.

        The page itself stays as it is. Settings of `under` upon `under` add up.

        Args:
            **settings: Those of `Place.claim`.
        """
        # A new page: settings of one part of a file do not reach the others.
        page = Page(self.source, self.where, self)
        page._shared = {**self._shared, **settings}
        return page

    def at(self, place: str = "", answers: str = "", *, source: str = "") -> Place:
        """Return a place on this page: `place` goes after the page's own, `answers` are ids of printed statements."""
        return self.elsewhere(", ".join(p for p in (self.where, place) if p), answers, source=source)

    def elsewhere(self, where: str, answers: str = "", *, source: str = "") -> Place:
        """Return a place of its own, in the notation of this page.

        Args:
            where: The whole place, without the page's own before it.
            answers: Ids of printed statements, with blanks between them.
            source: The source, if it is not that of the page.
        """
        return Place(self, where, tuple(answers.split()), source)

    def claim(self, kind: str, *arguments: Any, **settings: Any) -> Claim:
        """Make a claim of a kind at the page's own place; the arguments are those of `Place.claim`."""
        return self.at().claim(kind, *arguments, **settings)
