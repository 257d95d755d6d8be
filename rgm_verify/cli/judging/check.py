"""The command that judges statements in a line of text each.

Reading is in `rgm_verify.statements`, judging in the same engine as for claims in a folder. All lines are read before
the first is judged, so that a slip in the last one is said at once. Nothing is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rgm_verify.cli.common import EXIT_DIFFERENT, EXIT_INTERNAL, errors, json_option

if TYPE_CHECKING:
    from rgm_verify.statements.answer import Answer

#: Bytes of a file of statements.
_LARGEST = 1_000_000
_STANDARD_INPUT = "-"


@dataclass(frozen=True)
class _Line:
    """A statement and where it stands.

    Attributes:
        place: A file or standard input with the line, such as "bounds.txt:3"; empty for one given on the command line.
        text: The statement.
    """

    place: str
    text: str


class _StatementsWithSigns(click.Command):
    """A command whose arguments may begin with a minus sign: `check "-x^2 <= 0"`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep an argument with a blank or a relation in it from being read as an option."""
        signs = frozenset(" <>=≤≥≠^*/+")
        # A blank in front changes no statement, and no option begins with one.
        marked = [f" {a}" if a[:1] == "-" and a[:2] != "--" and signs & set(a) else a for a in args]
        return super().parse_args(ctx, marked)


@click.command("check", cls=_StatementsWithSigns)
@click.argument("statements", nargs=-1, metavar="[STATEMENT]...")
@click.option(
    "--file", "file", type=click.Path(path_type=Path), help="Statements from a file, one a line; # begins a comment."
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="Effort of the search: seconds, or minutes.",
)
@click.option(
    "--seconds",
    type=click.IntRange(1, 10**6),
    help="Seconds of the processor after which a statement that is stuck stays undecided; 60 unless given.",
)
@json_option
def check_command(
    statements: tuple[str, ...], file: Path | None, profile: str, seconds: int | None, as_json: bool
) -> None:
    """Judge statements: `rgm-verify check "x + 1/x >= 2 for x > 0"`. A lone - reads them from standard input.

    The answer is a verdict with a sketch of the proof and what checked it, or a counterexample as Python to paste.

    \b
    for all x, y > 0: sqrt(x*y) <= (x + y)/2      the domains before,
    log(x) <= x - 1 for x > 0                     or behind
    if a < b and b < c then a < c                 a name without a domain is real
    n! >= 2^(n - 1) for n integer >= 1
    sum(k, 1, n, k) = n*(n + 1)/2 for n natural   also product, integral
    integral(t, 0, oo, exp(-a*t)) = 1/a for a > 0
    there is x in [0, 1] with x^2 = 1/2

    \b
    statement   = "for all" given ":" formula | "there is" given "with" formula
                | formula { ("for" | "for some" | "given" | "with" | "where" | "if") given }
    given       = item { ("," | "and") item }
    item        = [sort] name {"," name} ["is"] ( sort | "in" set | sign sum {sign sum} ) | formula
    sort        = real | integer | natural | positive | negative | nonnegative
    set         = R | Z | N | interval, such as [0, 1) or (0, infinity)
    formula     = conditional ["iff" conditional]
    conditional = "if" formula "then" conditional | either ["implies" conditional]
    either      = all {"or" all};   all = one {"and" one};   one = "not" one | sum sign sum {sign sum}
    sign        = <= < >= > = !=
    sum         = ["-"] product {("+" | "-") product};   product = factor {("*" | "/") factor}
    factor      = "-" factor | value [("^" | "**") factor];   value = atom {"!"}
    atom        = number | name | function "(" sum {"," sum} ")" | "(" formula ")" | "|" sum "|"
                | (sum | product | integral) "(" name "," from "," to "," term ")", or in SymPy's order
                  "(" term ", (" name "," from "," to "))"; an integral may go from -oo or to oo

    Numbers are exact: 0.1 is 1/10. The sign of a product may be left out after a number: 2x. The natural numbers begin
    with 1, 0^0 is 1, and a power with an exponent that is no integer needs a base that is not negative. Functions:
    sqrt cbrt exp log (ln) log2 log10 sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth sech csch arsinh
    arcosh artanh erf erfc erfinv erfcinv gamma loggamma digamma binomial factorial harmonic lambertw min max abs sign
    floor ceil; constants: pi e, which are no names for variables. Signs such as ≤ ≥ ≠ √ π ∈ ℝ ² are read as well. A
    statement with a term that has no value somewhere in the domain is false.

    Exit codes: 0 every statement is proved or certified; 1 one is refuted, or not shown; 2 bad input, where the message
    points at the column; 3 a lens proved what a counterexample refutes (its proofs are left out; please report it).
    """  # noqa: D301 - click wants the character itself before lines that stand as they are
    with errors(interrupted="nothing is kept"):
        from rgm_verify.errors import InputError

        lines = list(_lines(statements, file))
        if not lines:
            raise InputError('no statement: give one, as in rgm-verify check "x + 1/x >= 2 for x > 0", or --file, or -')
        # Before the first is judged, which may take a minute.
        _refuse_faults(lines)
        answers = []
        for line in lines:
            answers.append((line, _answered(line, profile, seconds)))
            # Each at once: a list may take minutes. JSON is one document, and comes at the end.
            if not as_json:
                click.echo(_as_text(line, answers[-1][1], several=len(lines) > 1))
        if as_json:
            data = [{"place": line.place, **answer.to_json()} for line, answer in answers]
            click.echo(json.dumps({"answers": data}, indent=1, ensure_ascii=False))
    # Behind all answers: a fault of a lens is no fault of the other statements.
    if any(answer.alarm for _, answer in answers):
        sys.exit(EXIT_INTERNAL)
    # Undecided counts as a failure too: a script that relies on a statement needs it shown.
    sys.exit(0 if all(answer.shown for _, answer in answers) else EXIT_DIFFERENT)


def _lines(statements: tuple[str, ...], file: Path | None) -> Iterator[_Line]:
    """Yield the statements of the command line, of standard input and of the file, in this order.

    Args:
        statements: Statements; a lone `-` stands for standard input.
        file: A file of statements.

    Raises:
        InputError: For what cannot be read.
    """
    for statement in statements:
        if statement == _STANDARD_INPUT:
            # One byte more than is allowed: enough to see that there is too much.
            yield from _read("standard input", sys.stdin.buffer.read(_LARGEST + 1))
        else:
            yield _Line("", statement.strip())
    if file is not None:
        from rgm_verify.errors import reject

        try:
            # Bytes, so that a wrong encoding is named with its place.
            with file.open("rb") as stream:
                content = stream.read(_LARGEST + 1)
        except OSError as error:
            raise reject("--file", str(file), f"it cannot be read ({error.strerror or error})") from error
        yield from _read(str(file), content)


def _read(name: str, content: bytes) -> Iterator[_Line]:
    r"""Yield the statements of a text: a line each, blank lines and comments left out.

    Args:
        name: What is read, for places and messages.
        content: At most `_LARGEST` bytes of UTF-8, with or without a mark at the beginning.

    Raises:
        InputError: For more bytes, or for what is no text.

    Examples:
        >>> [line.place for line in _read("bounds.txt", b"# my bounds\n1 < 2\n\n2 < 3  # clear\n")]
        ['bounds.txt:2', 'bounds.txt:4']
    """
    from rgm_verify.errors import InputError

    if len(content) > _LARGEST:
        raise InputError(f"{name}: more than {_LARGEST} bytes; split it")
    try:
        # Editors on Windows put a mark in front of UTF-8.
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1} is no UTF-8 text") from error
    for number, line in enumerate(text.splitlines(), 1):
        # Blanks in front stay: an error points at a column of the file.
        statement = line.partition("#")[0].rstrip()
        if statement.strip():
            yield _Line(f"{name}:{number}", statement)


def _refuse_faults(lines: list[_Line]) -> None:
    """Say what is wrong with any of the statements before the first is judged; raises `InputError`."""
    from rgm_verify.errors import InputError
    from rgm_verify.statements.parser import parse
    from rgm_verify.statements.tokens import StatementError

    faults = []
    for line in lines:
        try:
            parse(line.text)
        except StatementError as error:
            # All of them: a list is corrected in one go.
            faults.append(f"{line.place}: {error}" if line.place else str(error))
    if faults:
        raise InputError("\n".join(faults))


def _answered(line: _Line, profile: str, seconds: int | None) -> Answer:
    """Return the verdict on a statement; an `InputError` gets the place in front."""
    from rgm_verify.errors import InputError
    from rgm_verify.statements.checking import check

    try:
        return check(line.text, profile=profile, seconds=seconds)
    except InputError as error:
        raise InputError(f"{line.place}: {error}" if line.place else str(error)) from error


def _as_text(line: _Line, answer: Answer, *, several: bool) -> str:
    """Return an answer in lines; of several statements, those that are shown get one line and what was assumed.

    Whoever checks a list wants to see the lines that fail, with all about them.

    Args:
        line: The statement.
        answer: The verdict on it.
        several: Whether it is one of several.
    """
    lines = list(answer.lines())
    if several and answer.shown:
        lines = [f"{lines[0]}  [checked by: {answer.checked_by}]", *(f"  note: {note}" for note in answer.notes)]
    return (f"{line.place}: " if line.place else "") + "\n".join(lines)
