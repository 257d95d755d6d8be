"""The command that judges statements in a line of text each.

Reading is in `rgm_verify.statements`, judging in the same engine as for claims in a folder. A line that cannot be read
or judged is reported by itself, and costs no other line its verdict. Nothing is kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.common import EXIT_BAD_INPUT, EXIT_DIFFERENT, EXIT_INTERNAL, errors, json_option

#: Bytes of a file of statements.
_LARGEST = 1_000_000
_STANDARD_INPUT = "-"


@dataclass(frozen=True)
class _Line:
    """A statement and where it stands.

    Attributes:
        place: A file or standard input with the line, such as "bounds.txt:3"; empty for one given on the command line.
        text: The statement.
        fault: What is wrong with the line before anybody has read it; empty as a rule.
        error: Why its LaTeX was not read.
        latex: The LaTeX that the statement was read in; empty for one in the grammar of statements.
        conventions: The conventions that were used in reading it.
    """

    place: str
    text: str
    fault: str = ""
    error: Exception | None = None
    latex: str = ""
    conventions: tuple[str, ...] = ()

    def readable(self) -> str:
        """Return the statement; raises the error of one whose LaTeX was not read."""
        if self.error is not None:
            raise self.error
        return self.text


@dataclass(frozen=True)
class _Result:
    """What came of a line.

    Attributes:
        code: The exit code that it asks for.
        text: What is shown: on standard output for an answer, on standard error for anything else.
        data: The same for programs.
    """

    code: int
    text: str
    data: dict[str, Any]


class _StatementsWithSigns(click.Command):
    """A command whose arguments may begin with a minus sign: `check "-x^2 <= 0"`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep an argument with a blank or a relation in it from being read as an option."""
        signs = frozenset(" <>=≤≥≠^*/+\\")
        # A blank in front changes no statement, and no option begins with one.
        marked = [f" {a}" if a[:1] == "-" and a[:2] != "--" and signs & set(a) else a for a in args]
        return super().parse_args(ctx, marked)


@click.command("check", cls=_StatementsWithSigns)
@click.argument("statements", nargs=-1, metavar="[STATEMENT]...")
@click.option(
    "--file", "file", type=click.Path(path_type=Path), help="Statements from a file, one a line; # begins a comment."
)
@click.option("--latex", is_flag=True, help="The statements are LaTeX; what was read is shown before the verdict.")
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
    statements: tuple[str, ...], file: Path | None, latex: bool, profile: str, seconds: int | None, as_json: bool
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
    for all x > 0: there is y > x with y^2 = x^2 + 1         a formula is looked for, or given: namely y = ...
    let kl(p, q) = p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)); kl(p, q) >= 0 for p, q in (0, 1)
    for X ~ N(0, s^2), t >= 0: Pr(X >= t) <= exp(-t^2/(2*s^2))

    \b
    text        = {"let" name "(" names ")" "=" sum ";"} {"let" given "."} statement ["."]
    statement   = "for all" given ":" (formula | point) | "there is" given "with" formula
                | formula { [","] ("for" | "for some" | "given" | "with" | "where" | "if") given }
    point       = "there is" given "with" formula ["," "namely" name "=" sum]
    given       = item { ("," | "and") item }
    item        = [sort] name {"," name} ["is"] ( sort | "in" set | sign sum {sign sum} [sort] ) | formula
                | name "~" law
    sort        = real | integer | natural | positive | negative | nonnegative
    set         = R | Z | N | {1, 2, 3} | interval, such as [0, 1) or (0, infinity)
    formula     = conditional ["iff" conditional]
    conditional = "if" formula "then" conditional | either ["implies" conditional]
    either      = all {"or" all};   all = one {"and" one};   one = "not" one | sum sign sum {sign sum}
    sign        = <= < >= > = !=
    sum         = ["-"] product {("+" | "-") product};   product = factor {("*" | "/") factor}
    factor      = "-" factor | value [("^" | "**") factor];   value = atom {"!"}
    atom        = number | name | function "(" sum {"," sum} ")" | "(" formula ")" | "|" sum "|"
                | (sum | product | integral) "(" name "," from "," to "," term ")", or in SymPy's order
                  "(" term ", (" name "," from "," to "))", or with dots "(" name "=" from ".." to "," term ")"
                | ("E" | "Var") "[" sum "]" | "Pr" "(" relation ")"

    Numbers are exact: 0.1 is 1/10. The sign of a product may be left out after a number (2x), and after a variable
    that has a domain: x(1 - x), n log n. The natural numbers begin with 1, 0^0 is 1, and a power with an exponent that
    is no integer needs a base that is not negative, as sqrt and cbrt do. Powers are read from the right (2^3^2 is
    2^(3^2)), quotients from the left (a/b*c is (a/b)*c), -x^2 is -(x^2), `and` binds more than `or`, log is the
    natural logarithm, and a sum from 1 to 0 is 0. Functions: sqrt cbrt exp log (ln) log2 log10 (log_b) sin cos tan cot
    sec csc arcsin arccos arctan sinh cosh tanh coth sech csch arsinh arcosh artanh erf erfc erfinv erfcinv gamma
    loggamma digamma uppergamma lowergamma beta Phi binomial factorial harmonic lambertw min max abs sign floor ceil;
    constants: pi e, which are no names for variables. Signs such as ≤ ≥ ≠ √ π ∈ ℝ ² are read as well. A statement with
    a term that has no value somewhere in the domain is false.

    A random variable has one of these laws: N(mean, variance), Laplace(centre, scale), Exponential(rate=a), Gamma(k,
    rate=a), Beta(a, b), Uniform(a, b), Binomial(n, p), Bernoulli(p), Poisson(l), Geometric(p, first=0 or 1). E, Var
    and Pr become integrals of its density or sums of its masses, which are shown as read; that they exist is part of
    the statement. Several variables in one E are not read.

    Infinite sums are read where their value is known, and shown with it: polynomials in k times r^k or x^k/k!, and
    1/k^2, 1/k^3 and so on; zeta(2), zeta(3) as well. Several statements of a text, each ended by ; or a full stop, are
    judged each by itself with the `let` before it, and a line of a file that only defines counts for the lines behind
    it.

    An integral is improper where it has to be: at an infinite end, and at a point inside of its range where the
    integrand has no value, it is the limit from either side, each by itself. Where one of them does not exist, as for
    integral(t, -1, 1, 1/t), the integral has no value either.

    What readers understand in different ways is not judged, and its readings are shown to choose from: xy beside x and
    y (unless a word or a set says that it is a variable: xy real), x^2y, 1/2x, x^-1/2, √2x, sin 2x, n!!, n!=6, ||x||,
    x <= y, y <= z (is the second one given, or claimed?), a law such as Exp(a) (a rate or a scale?), and n! where
    nothing says that n is an integer, or real.

    --latex reads LaTeX, formulas or a sentence with formulas between dollar signs, after the macros that it uses:

    \b
    rgm-verify check --latex '\\forall x\\in[0,1]:\\ x(1-x)\\le\\tfrac14'

    Before the verdict it prints the statement in the grammar above, and each convention that it used in a line. What it
    does not read (norms, matrices, expectations, probabilities, O, unknown functions) is refused by name, and what has
    two readings (1/2x, \\log xy, \\sin^{-1} x, \\sqrt xy, f(x + 1), \\epsilon beside \\varepsilon) with both of them.

    Exit codes, of several the highest: 0 every statement is proved or certified; 1 one is refuted, or not shown; 2 one
    cannot be read, or in more ways than one, where the message points at the column; 70 the program failed at one,
    or a method proved what a counterexample refutes (its proofs are left out; please report it). A statement that is
    not judged keeps no other from being judged.
    """  # noqa: D301
    with errors(interrupted="nothing is kept"):
        from rgm_verify.errors import InputError
        from rgm_verify.statements.several import several

        lines = list(_lines(statements, file, comment="%" if latex else "#"))
        if not latex:
            lines = [replace(line, text=one) for line in lines for one in several(line.text)]
        if not lines:
            raise InputError('no statement: give one, as in rgm-verify check "x + 1/x >= 2 for x > 0", or --file, or -')
        results = []
        for line in _read_in_latex(lines, shown=not as_json) if latex else lines:
            results.append(_result(line, profile, seconds, several=len(lines) > 1))
            # Each at once: a list may take minutes. JSON is one document, and comes at the end.
            if not as_json:
                click.echo(results[-1].text, err=results[-1].data["kind"] != "answer")
        if as_json:
            click.echo(json.dumps({"answers": [r.data for r in results]}, indent=1, ensure_ascii=False))
    # Undecided counts as a failure too: a script that relies on a statement needs it shown.
    sys.exit(max(result.code for result in results))


def _read_in_latex(lines: Sequence[_Line], *, shown: bool) -> Iterator[_Line]:
    """Yield the statements of lines of LaTeX in the grammar of statements; those that are not read with their fault.

    Args:
        lines: The lines as they were given.
        shown: Whether each reading is printed before its statement is judged.
    """
    from rgm_verify.errors import InputError
    from rgm_verify.statements.latex.reading import read_latex

    for line in lines:
        try:
            found = read_latex(line.text) if not line.fault else []
        except InputError as error:
            yield replace(line, error=error)
            continue
        if line.fault:
            yield line
        for one in found:
            place = " ".join(part for part in (line.place, one.label) if part)
            if shown:
                click.echo("\n".join([f"read as: {one.text}", *(f"  convention: {note}" for note in one.notes)]))
            yield _Line(place, one.text, latex=line.text, conventions=one.notes)


def _lines(statements: tuple[str, ...], file: Path | None, *, comment: str = "#") -> Iterator[_Line]:
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
            yield from _read("standard input", sys.stdin.buffer.read(_LARGEST + 1), comment)
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
        yield from _read(str(file), content, comment)


def _read(name: str, content: bytes, comment: str = "#") -> Iterator[_Line]:
    r"""Yield the statements of a text: a line each, blank lines and comments left out.

    Args:
        name: What is read, for places and messages.
        content: At most `_LARGEST` bytes of UTF-8, with or without a mark at the beginning.
        comment: The sign with which a comment begins.

    Raises:
        InputError: For more bytes.

    Examples:
        >>> [line.place for line in _read("bounds.txt", b"# my bounds\n1 < 2\n\n2 < 3  # clear\n")]
        ['bounds.txt:2', 'bounds.txt:4']
    """
    from rgm_verify.errors import InputError
    from rgm_verify.statements.several import defines

    before = ""
    if len(content) > _LARGEST:
        raise InputError(f"{name}: more than {_LARGEST} bytes; split it")
    # Editors on Windows put a mark in front of UTF-8. Bytes are split before they are read, so that one that is no text
    # costs its line alone.
    for number, piece in enumerate(re.split(rb"\r\n|\r|\n", content.removeprefix(b"\xef\xbb\xbf")), 1):
        place = f"{name}:{number}"
        try:
            line = piece.decode("utf-8")
        except UnicodeDecodeError as error:
            yield _Line(place, piece.decode("utf-8", "backslashreplace"), f"byte {error.start + 1} is no UTF-8 text")
            continue
        # Blanks in front stay: an error points at a column of the file.
        statement = re.split(rf"(?<!\\){comment}", line)[0].rstrip()
        if comment == "#" and defines(statement):
            # Definitions count for the lines behind them.
            before += f"{statement.strip().rstrip('.;')}; "
        elif statement.strip():
            yield _Line(place, before + statement)


def _result(line: _Line, profile: str, seconds: int | None, *, several: bool) -> _Result:
    """Return what comes of a line, whatever it is: an answer, an error of the line, or a fault of the program.

    Args:
        line: The statement.
        profile: The effort.
        seconds: Processor time, or None.
        several: Whether it is one of several; those that are shown get one line then, with what was assumed.
    """
    from rgm_verify.errors import InputError
    from rgm_verify.statements.checking import check
    from rgm_verify.statements.tokens import DoubtfulReading

    in_front = f"{line.place}: " if line.place else ""
    # What a program reads has the same first keys for each line.
    data: dict[str, Any] = {"place": line.place, "kind": "answer", "statement": _printable(line.text)}
    if line.fault:
        return _Result(EXIT_BAD_INPUT, f"rgm-verify: {in_front}{line.fault}",
                       {**data, "kind": "not read", "message": line.fault, "column": None})  # fmt: skip
    if line.latex:
        data |= {"latex": _printable(line.latex), "conventions": list(line.conventions)}
    try:
        answer = check(line.readable(), profile=profile, seconds=seconds)
        # Undecided with a fault as the reason is one that the program could not judge.
        failed = answer.fault or answer.alarm
        code = EXIT_INTERNAL if failed else 0 if answer.shown else EXIT_DIFFERENT
        data |= {"kind": "internal error"} if answer.fault else {}
        lines = list(answer.lines())
        # Whoever checks a list wants to see the lines that fail, with all about them.
        if several and answer.shown:
            lines = [f"{lines[0]}  [checked by: {answer.checked_by}]", *(f"  note: {note}" for note in answer.notes)]
        return _Result(code, in_front + "\n".join(lines), {**data, **answer.to_json()})
    except InputError as error:
        readings = error.readings if isinstance(error, DoubtfulReading) else ()
        data["kind"] = "doubtful" if readings else "not read"
        data["message"] = _printable(str(error))
        data["column"] = getattr(error, "column", None)
        if readings:
            data["readings"] = [{"means": r.means, "statement": r.statement or None} for r in readings]
        return _Result(EXIT_BAD_INPUT, f"rgm-verify: {in_front}{_printable(str(error))}", data)
    except Exception as error:  # noqa: BLE001 - a fault of the program costs this line alone, and is said to be one
        problem = _printable(f"internal error ({type(error).__name__}: {error}); please report this statement")
        shown = f"rgm-verify: {in_front}{problem}\n  {_printable(line.text)}"
        return _Result(EXIT_INTERNAL, shown, data | {"kind": "internal error", "message": problem})


def _printable(text: str) -> str:
    """Return a text that every stream takes, with what is no character written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
