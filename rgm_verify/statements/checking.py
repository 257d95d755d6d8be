"""From a text to an answer: parsed, read as a claim, judged by the lenses, and by the kernel where that is cheap.

A statement takes the way of any claim of a folder: the same lenses, the same verdict. What a folder has and a line of
text lacks is made here: a control that counts (`meaning`), a look for contradictory conditions, and a proof for the
kernel, which nobody has committed and which is searched for at once.
"""

from __future__ import annotations

import dataclasses
import threading
from typing import Any, Final

from rgm_verify.claims.claim import Claim
from rgm_verify.claims.outcome.record import read_record
from rgm_verify.claims.outcome.verdict import Verdict, judge
from rgm_verify.claims.written.trees import NoTree, statement_tree
from rgm_verify.engine.judge import refuted_at_points, run_claim
from rgm_verify.engine.keys import SEED
from rgm_verify.engine.proofs import Task, kernel_entry, unchecked
from rgm_verify.engine.run import empty_record, time_limit
from rgm_verify.errors import OutOfTime, reject
from rgm_verify.lenses.base import PROFILES, Context
from rgm_verify.lenses.solvers.smt import patience, satisfiable
from rgm_verify.prover.budget import PER_SECOND
from rgm_verify.prover.work import search
from rgm_verify.statements.answer import Answer
from rgm_verify.statements.chances import without_chances
from rgm_verify.statements.infinite import with_values
from rgm_verify.statements.latex.reading import read_latex
from rgm_verify.statements.meaning import Meaning, meaning
from rgm_verify.statements.parser import parse
from rgm_verify.statements.points import flat, instance
from rgm_verify.statements.sketch import sketched
from rgm_verify.statements.tokens import DoubtfulReading, Reading, StatementError
from rgm_verify.statements.trees import Statement, text
from rgm_verify.statements.witnesses import formulas_for

__all__ = ["FAULT", "SECONDS", "check", "read"]

#: The processor time of one statement, as a distant backstop: what limits the lenses is their own counts of work.
SECONDS: Final = {"quick": 60, "full": 3_600}
#: The work of the search for a proof of small steps, in counts that a usual machine does in a second. Where it ends,
#: another checker stands behind the answer.
_KERNEL_WORK: Final = PER_SECOND
#: Processor time, far above what that work takes: an answer that it ends says so.
_PATIENCE: Final = 60
#: Processor time for a last look at points, where the clock has ended all else.
_LAST_LOOK: Final = 20
#: Doubtful places of a text that are settled one after the other.
_MOST_DOUBTS: Final = 20
#: Steps of z3's that the question may cost whether anything satisfies what is given.
_STEPS: Final = 1_000_000
#: How the reason begins where the code that judges has raised.
FAULT: Final = "a lens failed, please report this statement"
#: Arb's precision belongs to the process.
# Two statements at once in one process would spoil each other's enclosures, so that they wait.
_lock = threading.Lock()


def read(statement: str) -> tuple[Statement, Meaning]:
    """Return the tree of a statement and the claim that it makes; raises `StatementError` with the column.

    Nothing is judged: this is for whoever wants to see how a text is understood. A text that readers understand in
    different ways is a `DoubtfulReading`; each of its statements is read in one way and can be given back to `check`.

    Examples:
        >>> tree, made = read("x^2 >= 0")
        >>> print(made.claim.conclusion)
        x**2 >= 0
        >>> made.notes
        ('x is taken to be a real number, as no domain is given',)
    """
    try:
        return _read(statement)
    except DoubtfulReading as doubt:
        settled = [Reading(r.means, _settled(r, doubt)) for r in doubt.readings]
        # Two ways to change a text may come to one statement.
        raise DoubtfulReading(statement, doubt.column - 1, doubt.doubt, [*dict.fromkeys(settled)]) from None


def _read(statement: str) -> tuple[Statement, Meaning]:
    """Return the tree and the claim of a statement, with readings of a `DoubtfulReading` as they were made."""
    raw = parse(statement)
    if raw.points:
        raise StatementError(statement, raw.says.position, "a point for each of the others is no single claim; give it "
                             "by a formula, as in: namely y = x + 1")  # fmt: skip
    tree = with_values(without_chances(statement, raw))
    return tree, meaning(statement, tree)


def _settled(reading: Reading, doubt: DoubtfulReading) -> str:
    """Return the statement of a reading as the grammar writes it, with later doubts of its kind settled as this one.

    Args:
        doubt: Where it stands. Several readings may have the same first words.

    Returns:
        A statement; a text that is in doubt for another reason stays as it is, and one that is not read becomes empty.
    """
    place = _alike(reading, doubt).index(reading)
    statement = reading.statement
    for _ in range(_MOST_DOUBTS):
        try:
            return text(_read(statement)[1].read_as)
        except DoubtfulReading as other:
            alike = [r.statement for r in _alike(reading, other) if r.statement]
            if not alike:
                return statement
            statement = alike[min(place, len(alike) - 1)]
        except StatementError:
            break
    return ""


def _alike(reading: Reading, doubt: DoubtfulReading) -> list[Reading]:
    """Return the readings that begin with the same two words: the product, one variable, not equal."""
    return [r for r in doubt.readings if r.means.split()[:2] == reading.means.split()[:2]]


def check(statement: str, *, latex: bool = False, profile: str = "quick", seconds: int | None = None) -> Answer:
    r"""Judge a statement in a line of text: `check("x + 1/x >= 2 for x > 0")`.

    The grammar is in `rgm_verify.statements.parser`. The answer is the same on every machine: what limits the lenses is
    counted work, and the clock ends only a statement that is stuck.

    Args:
        statement: The text.
        latex: Whether it is LaTeX. The conventions that were used in reading it are among the notes of the answer.
        profile: The effort, `quick` or `full`.
        seconds: Processor time after which a statement that is stuck is left undecided, where the platform can: in the
            main thread of a Unix process. `SECONDS` of the profile if not given.

    Returns:
        The verdict with the proof or the counterexample. A fault of a lens is an answer too: undecided, with the fault
        as the reason.

    Raises:
        StatementError: For a text that is no statement, with the column and what is allowed there; and where nothing
            satisfies what is given. It is an `InputError`.
        InputError: For another profile, and for seconds that are no integer of at least 1.

    Examples:
        >>> check("n^2 >= n for integer n")
        <proved: for all n integer: n^2 >= n>
        >>> check(r"\forall x\in[0,1]:\ x(1-x)\le\tfrac14", latex=True)
        <proved: for all x in [0, 1]: x*(1 - x) <= 1/4>
        >>> check("there is x in [0, 1] with x^2 = 1/2").example.values
        {'x': 'sqrt(2)/2'}
        >>> check("x > 0 given x^2 < 0")
        Traceback (most recent call last):
        rgm_verify.statements.tokens.StatementError: column 13: nothing satisfies all that is given, ...
    """
    if profile not in PROFILES:
        raise reject("profile", profile, f"allowed are {', '.join(PROFILES)}")
    limit: Any = SECONDS[profile] if seconds is None else seconds
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise reject("seconds", limit, "an integer of at least 1")
    if latex:
        readings = read_latex(statement)
        if len(readings) > 1:
            raise reject("statement", statement, f"{len(readings)} statements in one text; give them one at a time")
        answer = check(readings[0].text, profile=profile, seconds=seconds)
        return dataclasses.replace(answer, text=statement.strip(), notes=(*readings[0].notes, *answer.notes))
    if (several := _with_points(statement)) is not None:
        return _with_a_witness(statement, several, profile, limit)
    tree, made = read(statement)
    with _lock:
        record = _record(statement, tree, made.claim, profile, limit)
    found = read_record(record)
    judgement = judge(found, {})
    fault = judgement.reason if judgement.reason.startswith(FAULT) else ""
    return Answer.of(statement, text(made.read_as), made, found, judgement, fault=fault)


def _with_points(statement: str) -> Statement | None:
    """Return the tree of a statement with points; None for another one, and for a text that is not read."""
    try:
        found = parse(statement)
    except StatementError:
        return None
    return found if found.points else None


def _with_a_witness(statement: str, tree: Statement, profile: str, limit: int) -> Answer:
    """Return the answer to a statement with points: proved where it is for a formula, and undecided otherwise.

    Args:
        statement: The text.
        tree: Its tree, with points.
        profile: The effort.
        limit: Processor time for each formula.
    """
    made = read(text(flat(tree)))[1]
    tried = formulas_for(tree, made.claim)
    for name, value in tried:
        point = f"{name} = {text(value)}"
        try:
            answer = check(text(instance(tree, {name: value})), profile=profile, seconds=min(limit, _PATIENCE // 4))
        except StatementError:
            # Such as one that is too large, or that nothing satisfies: another formula may do.
            continue
        if answer.shown:
            return dataclasses.replace(
                answer, text=statement.strip(), read_as=text(tree),
                notes=(*answer.notes, f"shown with {point}: {answer.read_as}"),
            )  # fmt: skip
    looked = ", ".join(f"{name} = {text(value)}" for name, value in tried[:3])
    reason = f"no formula for the point was proved to do ({looked or 'none was found'}{', ...' * (len(tried) > 3)})"
    found = read_record(empty_record(made.claim.id, f"{reason}; give it by one, as in: namely y = x + 1"))
    return Answer.of(statement, text(tree), made, found, judge(found, {}))


def _record(statement: str, tree: Statement, claim: Claim, profile: str, seconds: int) -> dict[str, Any]:
    """Return everything that is found out about a claim, as JSON data; what does not end in time is undecided.

    Any exception of a lens becomes an undecided record that says so. An error of the statement itself
    (`StatementError`) is raised, as its author has to know the column.

    Args:
        statement: The statement as it was given, for messages.
        claim: The claim that it was read as.
        profile: The name of a profile.
        seconds: Processor time, after which what is not decided is left undecided.
    """
    settings = PROFILES[profile]
    context = Context(profile=settings, seed=SEED)
    try:
        with time_limit(seconds), patience(alone=True):
            _refuse_contradiction(statement, tree, claim)
            found = run_claim(claim, context)
        # Outside of the limit above: a proof that the lenses found in time is not lost to a search for a second one.
        found["evidence"] += _by_the_kernel(claim, found)
        return found
    except OutOfTime as error:
        return _certain(claim, context) or empty_record(claim.id, str(error))
    except StatementError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of a lens is an answer here, and no fault of the statement
        return empty_record(claim.id, f"{FAULT} ({type(error).__name__}: {error})")


def _certain(claim: Claim, context: Context) -> dict[str, Any] | None:
    """Return the record of a claim that points refute in a short time, None for any other."""
    try:
        with time_limit(_LAST_LOOK):
            return refuted_at_points(claim, context)
    except OutOfTime:
        return None


def _refuse_contradiction(statement: str, tree: Statement, claim: Claim) -> None:
    """Raise `StatementError` if nothing satisfies what is given: anything would follow.

    Only a definite "no" of the solver counts. Where it does not know, the lenses go on, and have guards of their own
    against statements that are true of nothing.
    """
    if claim.hypotheses and satisfiable([h.formula for h in claim.assumptions], steps=_STEPS) == "no":
        position = tree.given[0].position if tree.given else tree.says.position
        raise StatementError(
            statement, position, "nothing satisfies all that is given, so that the statement says nothing"
        )


def _by_the_kernel(claim: Claim, record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the kernel's finding on a proof that a short search came up with; empty if it found none.

    It is asked wherever the statement is not refuted: a proof makes an answer firmer, or is the answer where the lenses
    have none. It is short.

    Args:
        record: What the lenses found, as JSON data; it stays as it is.

    Returns:
        At most one piece of evidence. A search that the clock ended is evidence that says so, since another machine
        might find a proof there.
    """
    found = read_record(record)
    if judge(found, {}).verdict is Verdict.REFUTED:
        return []
    witness = next((e.details["witness"]["values"] for e in found.evidence if "witness" in e.details), None)
    # The point is known as text, and of texts the kernel reads rational numbers alone, no sqrt(2)/2.
    rational = {n: v for n, v in (witness or {}).items() if set(v) <= set("0123456789-/")}
    try:
        stated = statement_tree(claim, binders=True)
    except NoTree:
        return []
    # A witness with one value missing is none: the kernel wants a value for each variable.
    exact = rational if claim.quantifier == "exists" and witness is not None and len(rational) == len(witness) else None
    task = dataclasses.asdict(Task(claim.id, stated, {}, (), witness=exact))
    try:
        with time_limit(_PATIENCE):
            result = search(task, _KERNEL_WORK)
    except OutOfTime as error:
        return [unchecked(f"the search for a proof for the kernel was ended by the clock: {error}")]
    # A search that ended by its counts found nothing on any machine, which is no news for the answer.
    if result["proof"] is None:
        return [unchecked(f"the search for a proof for the kernel: {result['reason']}")] if result["too_slow"] else []
    entry = kernel_entry(result["proof"])
    return [{**entry, "details": {**entry["details"], "sketch": sketched(result["proof"])}}]
