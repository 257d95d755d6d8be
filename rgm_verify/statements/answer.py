"""Answers: a verdict with a sketch of the proof or a counterexample, as text, as JSON and as HTML.

An answer adds no mathematics. The verdict comes from `claims.outcome.verdict.judge`, the points and the proofs from the
record of the lenses; here they are put into words for somebody who typed one line and has no report to look into. So
nothing in this module can make a statement true or false. It can only say too much of the evidence, and each text below
is therefore taken from the evidence and not made up from the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any, Final

import msgspec
import sympy

from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.claim import Claim
from rgm_verify.claims.evidence import POINTS, PROOFS, SEARCH, Finding
from rgm_verify.claims.formula import Relation, relations, symbols_of
from rgm_verify.claims.outcome.checkers import CHECKERS, checker
from rgm_verify.claims.outcome.plain import plain
from rgm_verify.claims.outcome.record import EvidenceEntry, Record, Witness
from rgm_verify.claims.outcome.verdict import Judgement, Verdict, alarm, refuting, trusted
from rgm_verify.claims.written.notebook import badge, table
from rgm_verify.claims.written.rendering import latex
from rgm_verify.lenses.solvers.definedness import Unknown, evident, needs, parts
from rgm_verify.statements.meaning import Meaning

__all__ = ["Answer"]

#: How a lens begins to say that a term was not shown to have a value.
_UNDEFINED: Final = "could not show that a term is defined: "
_HELP: Final = (
    "a smaller part of the domain at a time, or a case at a time (if ... then ...)",
    "the open step as a statement of its own",
    "a claim on a page, where a lens takes hints (`by=`, see docs/claims.md)",
)
#: Lines of a proof that are shown.
_MOST_STEPS: Final = 12
_SHOWN: Final = 60


@dataclass(frozen=True, repr=False)
class Answer:
    """The findings about a statement.

    `verdict` is one of `Verdict`, `reason` says in words why it is that one, and `shown` asks for a proof of any kind.
    An answer has no truth value: "undecided" is neither true nor false, and `if check(...)` would hide that.

    `interval` is an enclosure: its ends are rational, and the exact difference lies between them. `counterexample` is
    exact, so that nothing in it is rounded. Both may be None for a statement that is refuted in another way than by a
    point (an identity that SymPy refutes, for one).

    Attributes:
        text: The statement as it was typed, without the blanks around it.
        read_as: The statement as it was understood, in the grammar of `statements.parser`.
        notes: Sentences about what was assumed in reading it.
        verdict: The verdict on the claim that the statement makes.
        reason: Why it is this verdict.
        sketch: Lines that say what proved or refuted it; those of single steps are moved in by two blanks.
        checked_by: What stands behind a proof: a key of `claims.outcome.checkers.CHECKERS`; empty without a proof.
        counterexample: An exact point with Python to paste (`counterexample.snippet`); None for a statement that
            something exists.
        undefined: The term that has no value at the counterexample, where that is what is wrong.
        example: For a statement that something exists, an exact point where it holds.
        interval: An enclosure of the larger side less the smaller one as the statement has them: at the counterexample,
            or of a statement without variables.
        claim: The claim that was judged.
        record: All evidence about it, for whoever wants more than the sketch.
        alarm: Which lens proved what a counterexample refutes, and is struck off; empty if none is.
        fault: The fault of the program that left the statement undecided; empty without one.

    Examples:
        >>> from rgm_verify.statements.checking import check
        >>> answer = check("x^2 >= x")
        >>> answer
        <refuted: for all x real: x^2 >= x>
        >>> answer.counterexample.values, str(answer.interval)
        ({'x': '1/4'}, '0.1875')
        >>> check("x/x = 1").undefined
        '1/x'
        >>> bool(answer)
        Traceback (most recent call last):
        TypeError: an answer is not a truth value; ask for answer.verdict, or answer.shown
    """

    text: str
    read_as: str
    notes: tuple[str, ...]
    verdict: Verdict
    reason: str
    sketch: tuple[str, ...]
    checked_by: str
    counterexample: Witness | None
    undefined: str
    example: Witness | None
    interval: Enclosure | None
    claim: Claim
    record: Record
    alarm: str = ""
    fault: str = ""

    @classmethod
    def of(
        cls, text: str, read_as: str, made: Meaning, record: Record, judgement: Judgement, *, fault: str = ""
    ) -> Answer:
        """Make the answer from the evidence and the verdict on it.

        Args:
            text: The statement as it was typed.
            read_as: The statement as it was understood, as text.
            made: The claim with what was assumed in reading it.
            record: The evidence that the lenses found.
            judgement: The verdict on that evidence. It is taken as it is, and not derived a second time.
            fault: The fault that kept the program from judging.
        """
        refuted = judgement.verdict is Verdict.REFUTED
        caught, record = alarm(record, {}), trusted(record, {})
        # What keeps a statement undecided is told, whatever the lenses tried.
        contradicting = [e.summary for e in record.evidence if e.finding is Finding.CONTRADICTS]
        # A point may refute what another lens proves: the verdict is then undecided, and the point is no answer.
        against, undefined = next(_witnesses(refuting(record.evidence) if refuted else []), (None, ""))
        supporting = [e for e in record.evidence if e.finding is Finding.SUPPORTS]
        # Of a statement about all points a supporting one shows nothing, and would be read as if it did.
        exists = made.claim.quantifier == "exists"
        example, _ = next(_witnesses(supporting if exists else []), (None, ""))
        return cls(
            text=text.strip(),
            read_as=read_as,
            notes=(*made.notes, *([f"ALARM: {caught}"] if caught else []), *contradicting),
            verdict=judgement.verdict,
            reason=_plain(judgement.reason),
            sketch=tuple(_sketch(record, judgement.verdict)),
            checked_by=checker(judgement.verdict.value, record.evidence),
            counterexample=against,
            undefined=made.undefined or undefined,
            example=example,
            # Where a side has no value there is no difference to enclose.
            interval=None if made.undefined or undefined else _interval(made.claim, against),
            claim=made.claim,
            record=record,
            alarm=caught,
            fault=fault,
        )

    @property
    def shown(self) -> bool:
        """Return whether the statement is shown to be true: proved or certified."""
        return self.verdict in (Verdict.PROVED, Verdict.CERTIFIED)

    def __bool__(self) -> bool:
        raise TypeError("an answer is not a truth value; ask for answer.verdict, or answer.shown")

    def __repr__(self) -> str:
        said = self.read_as if len(self.read_as) <= _SHOWN else f"{self.read_as[:_SHOWN]}..."
        return f"<{self.verdict.value}: {said}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def tried(self) -> tuple[str, ...]:
        """The lenses that looked for a proof and found none; empty for a statement that is decided.

        Lenses that only look (points, search) are not among them: that these decide nothing is no failure of theirs.
        """
        return tuple(dict.fromkeys(e.lens for e in self._stalled))

    @property
    def stopped_at(self) -> tuple[str, ...]:
        """Say where each of them stopped: the box, the point where the sides meet, the step that was not shown."""
        return tuple(dict.fromkeys(e.summary.removeprefix(f"{e.lens}: ") for e in self._stalled))

    @property
    def would_help(self) -> str:
        """Say what somebody could do about a statement that is not decided; empty for one that is.

        Advice on a term without a value comes alone, since nothing else helps before that term is defined. Otherwise
        bounds for variables come first, as most lenses want a bounded box. Advice that cannot be computed says so, and
        costs nothing else of the answer.
        """
        if not self._stalled:
            return ""
        try:
            return self._advice()
        except Exception as error:  # noqa: BLE001 - the verdict stands without it
            return f"no advice could be computed ({type(error).__name__}: {error})"

    def _advice(self) -> str:
        """Return the advice for a statement that is not decided."""
        undefined = next((s for s in self.stopped_at if s.startswith(_UNDEFINED)), "")
        if undefined:
            return self._for_a_value(undefined.removeprefix(_UNDEFINED))
        bound = frozenset().union(*(symbols_of(h.formula) for h in self.claim.hypotheses))
        open_ended = [v for v in self.claim.variables if v.lower is None or v.upper is None]
        # A variable that a hypothesis speaks of may be bounded by it, and the advice to bound it would be wrong.
        ends = [v.symbol.name for v in open_ended if v.symbol not in bound]
        # A bounded domain is the cheapest remedy, and so it comes first.
        bounded = [f"a bounded domain for {', '.join(ends)}"] if ends else []
        return "; ".join([*bounded, *_HELP])

    def _for_a_value(self, term: str) -> str:
        """Say what gives a term a value: the conditions that it puts on its arguments, as far as they are known.

        Args:
            term: The term as a lens printed it. It is looked for in the conclusion by this text, as records hold no
                expressions; a term that is not found there gets the general advice.
        """
        stated = relations(self.claim.conclusion) if self.claim.conclusion is not None else ()
        sides = (side for r in stated for side in (r.lhs, r.rhs))
        node = next((n for side in sides for n in parts(side) if str(n) == term), None)
        conditions = needs(node) if node is not None else ()
        asked = [str(r) for r in conditions if not isinstance(r, Unknown) and not evident(r)]
        if asked:
            return f"{' and '.join(asked)}, behind `given`: then {term} has a value"
        if isinstance(node, sympy.Integral):
            return f"a range with both of whose ends the integrand is continuous: {term} may be improper, or diverge"
        if isinstance(node, sympy.Sum | sympy.Product):
            return f"a range of the index, or a condition behind `given`, with which every term of {term} has a value"
        return f"a condition under which it has a value, behind `given`: {term}"

    @property
    def _stalled(self) -> list[EvidenceEntry]:
        """The evidence of lenses that wanted a proof and stopped; empty where another lens, or a counterexample,
        decided.
        """
        if self.shown or self.verdict is Verdict.REFUTED:
            return []
        # These two look at points of every claim and never for a proof, so that none of theirs was in vain.
        looks = (POINTS, SEARCH)
        return [e for e in self.record.evidence if e.finding is Finding.UNDECIDED and e.lens not in looks]

    def lines(self) -> Iterator[str]:
        """Yield the answer as lines for a terminal.

        The verdict comes first, then what was assumed in reading, then why: whoever reads one line has the answer to
        the statement as it was understood, and not only as it was typed.

        Examples:
            >>> from rgm_verify.statements.checking import check
            >>> for line in list(check("x + 1/x >= 2 for x > 0").lines())[:5]:
            ...     print(line)
            proved: for all x > 0: x + 1/x >= 2
              real arithmetic (SMT): z3 proved that no counterexample exists
              kernel: the kernel checks a proof of 3 steps
                both sides times x
                0 <= (x - 1)^2
        """
        yield f"{self.verdict.value}: {self.read_as}"
        for note in self.notes:
            yield f"  note: {note}"
        # A proof that does not count, such as one beside a control that survived, has a reason of its own.
        if self.tried and not any(e.kind in PROOFS and e.finding is Finding.SUPPORTS for e in self.record.evidence):
            # The reason of an undecided verdict repeats what these lines say in order.
            yield from self.undecided()
        elif not self.shown:
            yield f"  {self.reason}"
        for step in self.sketch:
            yield f"  {step}"
        if self.checked_by:
            yield f"  checked by: {self.checked_by} ({CHECKERS[self.checked_by]})"
        if self.example is not None:
            yield f"  for example: {_point(self.example)}"
        if self.counterexample is not None:
            yield from self.failing(self.counterexample)
        elif self.interval is not None:
            yield f"  the sides differ by {self.interval}"

    def undecided(self) -> Iterator[str]:
        """Yield what was looked at, what was tried, where it stopped, and what would help.

        The first line names what speaks for the statement, and says at once that this is no proof.
        """
        looked = [e.summary for e in self.record.evidence if e.finding is Finding.SUPPORTS]
        yield f"  no proof and no counterexample; {'; '.join(looked) or 'nothing speaks for it either'}"
        yield f"  tried: {', '.join(self.tried)}"
        for place in self.stopped_at:
            yield f"  stopped at: {place}"
        yield f"  what would help: {self.would_help}"

    def failing(self, point: Witness) -> Iterator[str]:
        """Yield a counterexample with Python to paste.

        Args:
            point: The point, whose margin is the difference of the sides: exact where its ends are equal, otherwise an
                enclosure whose ends are rounded outward.
        """
        low, high = point.margin
        if self.undefined:
            yield f"  counterexample: {_point(point)}; {self.undefined} has no value there:"
        else:
            margin = low if low == high else f"[{low}, {high}]"
            yield f"  counterexample: {_point(point)}; the sides differ by {margin} there:"
        yield from (f"    {line}" for line in point.snippet.splitlines())

    def _repr_html_(self) -> str:
        """Return the answer as a table of HTML, which notebooks ask for.

        Rows without content are left out by `table`, and every text of the author or of a lens is escaped: a statement
        may contain `<`, and in fact most do.
        """
        rows = [
            ("verdict", f"{badge(self.verdict.value)}: {_formula(self.claim)}"),
            ("read as", f"<code>{escape(self.read_as)}</code>"),
            ("note", "<br>".join(map(escape, self.notes))),
            ("why", "" if self.shown or self.tried else escape(self.reason)),
            ("open", "<br>".join(escape(line.strip()) for line in (self.undecided() if self.tried else ()))),
            ("proof", "<br>".join(escape(line).replace("  ", "&emsp;") for line in self.sketch)),
            ("checked by", escape(f"{self.checked_by} ({CHECKERS[self.checked_by]})" if self.checked_by else "")),
            ("for example", escape(_point(self.example)) if self.example is not None else ""),
        ]
        if self.counterexample is not None:
            # The first line of the text has the point; its Python follows in a block of its own.
            where = next(self.failing(self.counterexample)).partition(": ")[2]
            rows.append(("counterexample", f"{escape(where)}<pre>{escape(self.snippet)}</pre>"))
        elif self.interval is not None:
            rows.append(("difference of the sides", escape(str(self.interval))))
        return table(rows)

    @property
    def snippet(self) -> str:
        """Python that recomputes the counterexample; empty if there is none."""
        return "" if self.counterexample is None else self.counterexample.snippet

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON data: plain dictionaries, lists, texts and None.

        Exact values are texts (`"1/4"`, `"sqrt(2)/2"`), and the ends of `interval` are decimals rounded outward, so
        that a reader of the data loses nothing by floats. The keys are the same for every verdict.

        Examples:
            >>> from rgm_verify.statements.checking import check
            >>> data = check("exp(1) > 3").to_json()
            >>> data["verdict"], data["counterexample"]["values"], data["would_help"]
            ('refuted', {}, '')
        """
        return {
            "statement": self.text,
            "read_as": self.read_as,
            "notes": list(self.notes),
            "verdict": self.verdict.value,
            "reason": self.reason,
            "sketch": list(self.sketch),
            "tried": list(self.tried),
            "stopped_at": list(self.stopped_at),
            "would_help": self.would_help,
            "checked_by": self.checked_by,
            "counterexample": _witness_json(self.counterexample),
            "undefined": self.undefined,
            "example": _witness_json(self.example),
            "interval": None if self.interval is None else list(self.interval.decimals()),
        }


def _formula(claim: Claim) -> str:
    """The conclusion as MathML, which every browser sets; as escaped text where there is no form for it.

    The import is late: MathML is wanted in notebooks alone, and a terminal should not wait for it.
    """
    from rgm_verify.report.texts.latex import FormulaFault, formula

    if claim.conclusion is None:
        return ""
    try:
        return str(formula(latex(claim.conclusion, claim.symbols)))
    except FormulaFault:
        return escape(str(claim.conclusion))


def _plain(reason: str) -> str:
    """A reason in words that fit one statement: it has no claims around it, and perhaps no variable.

    Examples:
        >>> _plain("fails at no free variable")
        'it is false'
    """
    # No point is named where there is no variable, and what has no value says it all.
    reason = reason.replace("fails at no free variable, where ", "")
    return plain(reason).replace("the claim lists no", "there is no")


def _witnesses(evidence: list[EvidenceEntry]) -> Iterator[tuple[Witness, str]]:
    """Yield exact points, each with the term that has no value there (empty where all have one).

    Evidence without a point, such as an identity refuted by algebra, is passed over.
    """
    for item in evidence:
        if "witness" in item.details:
            yield msgspec.convert(item.details["witness"], Witness), str(item.details.get("undefined", ""))


def _point(witness: Witness) -> str:
    """Return a point as text: names and exact values.

    Examples:
        >>> _point(Witness(values={"x": "1/4", "y": "-2"}, margin=["0", "0"], relation="", python=[]))
        'x = 1/4, y = -2'
    """
    return ", ".join(f"{name} = {value}" for name, value in witness.values.items()) or "no variable"


def _witness_json(witness: Witness | None) -> dict[str, Any] | None:
    """Return a point as JSON data; None where there is none."""
    if witness is None:
        return None
    return {"values": witness.values, "margin": witness.margin, "relation": witness.relation, "python": witness.snippet}


def _interval(claim: Claim, witness: Witness | None) -> Enclosure | None:
    """Enclose the difference of the sides: at a counterexample, or of one relation between constants.

    Returns:
        An enclosure; None for a statement with variables and without a counterexample, for connectives, and where Arb
        cannot enclose a side. A margin of `inf` is an end that is not known, and stays open.
    """
    if witness is not None:
        low, high = (None if "inf" in end else Fraction(end) for end in witness.margin)
        return Enclosure(low, high)
    if claim.variables or not isinstance(claim.conclusion, Relation):
        return None
    try:
        found = enclose(claim.conclusion.gap, {})
    except UnsupportedExpression:
        return None
    # An enclosure that says nothing would be printed as if it were a finding.
    return None if found.indeterminate else found


def _sketch(record: Record, verdict: Verdict) -> Iterator[str]:
    """Yield what proved or refuted a statement, step by step as far as steps are known, and what else looked at it.

    Proofs come before points and searches. Nothing is yielded for other verdicts: lines about points under "undecided"
    read like a proof. A counterexample is left out here, as `failing` shows it with its Python.
    """
    if verdict not in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED):
        return
    refuted = verdict is Verdict.REFUTED
    wanted = Finding.REFUTES if refuted else Finding.SUPPORTS
    # Proofs first; among equals the order of the lenses stays.
    for item in sorted(record.evidence, key=lambda e: e.kind not in PROOFS):
        if item.finding is not wanted or (refuted and "witness" in item.details):
            continue
        yield f"{item.lens}: {plain(item.summary)}"
        steps = item.details.get("sketch") or item.details.get("proof")
        if item.kind in PROOFS and isinstance(steps, list):
            # A step that the summary quotes already would be read twice.
            yield from (f"  {step}" for step in steps[:_MOST_STEPS] if step not in item.summary)
