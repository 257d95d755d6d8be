"""Straight-line programs: what the ball arithmetic executes, and what a certificate records.

Format "rgm-program/1".  A program is {"names": [...], "ops": [...], "outputs": [...]}.  Operation number k (from 0)
defines the value v_k from earlier values only; `outputs` lists the numbers of the values that the program returns.
`i`, `j` below are numbers of earlier operations; n, q, a, b are positive integers written as JSON integers.

    ["var", k]          the k-th name                 ["const", "p/q"]     an exact rational, "p" when q = 1
    ["pi"]  ["e"]       the two constants             ["neg", i]           -v_i
    ["add", i, j]       v_i + v_j                     ["sub", i, j]        v_i - v_j
    ["mul", i, j]       v_i * v_j                     ["div", i, j]        v_i / v_j
    ["pow", i, n]       v_i ** n, n >= 2              ["root", i, q]       v_i ** (1/q), q >= 3, v_i >= 0
    ["sqrt", i]         v_i ** (1/2), v_i >= 0        ["gpow", i, j]       v_i ** v_j = exp(v_j log v_i), v_i > 0
    ["exp", i]  ["log", i]  ["sin", i]  ["cos", i]  ["sinh", i]  ["cosh", i]  ["tanh", i]  ["erf", i]  ["erfc", i]
    ["gamma", i]  ["lgamma", i]  ["digamma", i]       Gamma(v_i), log Gamma(v_i), (log Gamma)'(v_i)
    ["abs", i]  ["sgn", i]                            |v_i|, the sign of v_i (any of [-1, 1] at v_i = 0)
    ["min", i, j]  ["max", i, j]                      the smaller, the larger of the two
    ["uppergamma", i, j]  ["lowergamma", i, j]        incomplete gamma functions, order v_i, argument v_j
    ["logrem", a, b, i] integral_0^1 s^(a-1) / (1 + s v_i)^b ds, v_i > -1; LogRemainder(n, x) is (n, 1)

    ["asin", i]  ["acos", i]  ["atan", i]  ["asinh", i]  ["acosh", i]  ["atanh", i]  ["erfi", i]  ["erfinv", i]
    ["erfcinv", i]  ["lambertw", i]  ["floor", i]  ["ceil", i]  ["trigamma", i]      (log Gamma)''(v_i), v_i > 0
    ["euler"]           Euler's constant

Programs that are run and never recorded, as no certificate has a place for them, may also use

    ["integral", P, i, j]  the integral of the first output of the program P in its only variable, from v_i to v_j

A value outside the domain of its operation makes the whole evaluation indeterminate.  No two operations are equal, so
common subexpressions are evaluated once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sympy

__all__ = [
    "FORMAT",
    "INTEGRAL_BITS",
    "Program",
    "ProgramError",
    "UnsupportedExpression",
    "compile_expressions",
    "differentiate_output",
]

FORMAT = "rgm-program/1"
#: A finer enclosure of an integral than of so many bits takes long, and tells no more.
INTEGRAL_BITS = 256
Op = tuple[Any, ...]

# The kind of each operand: "i" an earlier value, "n" a positive integer, "v" a variable, "q" a rational in text, "p" a
# program.
SIGNATURES: dict[str, str] = {
    "var": "v", "const": "q", "pi": "", "e": "", "neg": "i",
    "add": "ii", "sub": "ii", "mul": "ii", "div": "ii", "min": "ii", "max": "ii", "gpow": "ii",
    "uppergamma": "ii", "lowergamma": "ii", "pow": "in", "root": "in", "logrem": "nni",
    "integral": "pii", "euler": "",
    **dict.fromkeys(
        ("asin", "acos", "atan", "asinh", "acosh", "atanh", "erfi", "erfinv", "erfcinv", "lambertw", "floor", "ceil",
         "trigamma"), "i"),
    **dict.fromkeys(
        ("sqrt", "exp", "log", "sin", "cos", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "lgamma", "digamma",
         "abs", "sgn"), "i"),
}  # fmt: skip


#: Longer numbers cannot be written as decimal texts (Python stops at 4300 digits).
_LONGEST_CONSTANT = 14_000
#: Fraction reads powers of ten as well, and "1e999999999" would take all memory.
_RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?")


class UnsupportedExpression(ValueError):
    """An expression holds a symbol, a constant or a function that no ball program can evaluate."""


#: More of an operation than this is not shown in a message.
_LONGEST_SHOWN = 200


class ProgramError(ValueError):
    """A recorded program does not follow the format of this module."""


@dataclass(frozen=True)
class Program:
    """A straight-line program over named real variables, in the format of the module docstring; exact.

    Attributes:
        names: the variables, distinct.
        ops: the operations, each of earlier values.
        outputs: the numbers of the values that the program returns.
    """

    names: tuple[str, ...]
    ops: tuple[Op, ...]
    outputs: tuple[int, ...]

    def useful_bits(self, most: int) -> int:
        """The precision up to `most` beyond which no value becomes narrower: an integral is computed to so many bits.

        Args:
            most: A working precision in bits.
        """
        return min(most, INTEGRAL_BITS) if any(op[0] == "integral" for op in self.ops) else most

    def to_json(self) -> dict[str, Any]:
        """Return the program as JSON-able lists and strings."""
        return {
            "names": list(self.names),
            "ops": [list(op) for op in self.ops],
            "outputs": list(self.outputs),
        }

    @classmethod
    def from_json(cls, data: Any) -> Program:
        """Return the program recorded in `data`.

        Args:
            data: parsed JSON, of any shape.

        Raises:
            ProgramError: naming what is not allowed.
        """
        if not isinstance(data, Mapping) or set(data) != {"names", "ops", "outputs"}:
            raise ProgramError("program: must hold exactly names, ops and outputs")
        if not all(isinstance(data[key], list) for key in data):
            raise ProgramError("program: names, ops and outputs must be lists")
        program = cls(tuple(data["names"]), tuple(_as_op(op) for op in data["ops"]), tuple(data["outputs"]))
        # Whatever has been recorded is checked before it is run, as it becomes source code.
        program.check()
        return program

    def check(self) -> None:
        """Refuse a program that breaks the format.

        Raises:
            ProgramError: naming the operation and the kinds of its operands.
        """
        if not all(map(_is_name, self.names)):
            raise ProgramError(f"names={list(self.names)!r}: each must be a non-empty string")
        if len(set(self.names)) != len(self.names):
            raise ProgramError(f"names={list(self.names)!r}: must be distinct")
        for number, op in enumerate(self.ops):
            _check_op(number, op, len(self.names))
        for output in self.outputs:
            if not _is_index(output, len(self.ops)):
                raise ProgramError(f"outputs: {output!r} is not the number of one of the {len(self.ops)} operations")


def _as_op(op: Any) -> Op:
    """Return a recorded operation as a tuple."""
    if not isinstance(op, list):
        raise ProgramError(f"ops: {op!r} is not a list")
    return tuple(op)


def _is_name(value: Any) -> bool:
    """Tell whether a value may name a variable."""
    return isinstance(value, str) and value != ""


def _is_index(value: Any, end: int) -> bool:
    """Tell whether a value is an integer from 0 to below `end`; True and False are none."""
    return type(value) is int and 0 <= value < end


def _shown(op: Op) -> str:
    """Return an operation as a message shows it: a damaged file may hold one of any length."""
    text = repr(list(op))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def _check_op(number: int, op: Op, variables: int) -> None:
    """Refuse operation `number` unless its name is known and each operand is of the kind its signature asks for.

    Earlier values only: so a program always ends, and its source has no name that is used before it is set.
    """
    signature = SIGNATURES.get(op[0]) if op and isinstance(op[0], str) else None
    if signature is None:
        raise ProgramError(f"ops[{number}]={_shown(op)}: unknown operation, allowed: {', '.join(sorted(SIGNATURES))}")
    accepted: dict[str, Callable[[Any], bool]] = {
        "i": lambda value: _is_index(value, number),
        "v": lambda value: _is_index(value, variables),
        "n": lambda value: type(value) is int and value >= 1,
        "q": _is_rational_text,
        "p": lambda value: isinstance(value, Program) and len(value.names) == 1,
    }
    if len(op) != 1 + len(signature) or not all(
        accepted[kind](value) for kind, value in zip(signature, op[1:], strict=True)
    ):
        raise ProgramError(f"ops[{number}]={_shown(op)}: operands must be of kinds {signature!r} (see the format)")


def _is_rational_text(value: Any) -> bool:
    """Tell whether a text is a rational in its one canonical form, so that equal constants are equal operations."""
    if not (isinstance(value, str) and _RATIONAL.fullmatch(value)):
        return False
    try:
        return str(Fraction(value)) == value
    except (ValueError, ZeroDivisionError):
        return False


@dataclass
class _Builder:
    """Collects operations, giving equal operations one number: a common subexpression is evaluated once."""

    ops: list[Op] = field(default_factory=list)
    numbers: dict[Op, int] = field(default_factory=dict)

    def emit(self, *op: Any) -> int:
        """Return the number of the operation, adding it when it is new."""
        # Equal operations have equal operands, so that a dictionary finds what was computed before.
        if op not in self.numbers:
            self.numbers[op] = len(self.ops)
            self.ops.append(op)
        return self.numbers[op]

    def constant(self, value: Fraction | int) -> int:
        """Return the number of an exact rational constant."""
        number = Fraction(value)
        # Looked at before it is written: a decimal text of so many digits takes quadratic time.
        if max(abs(number.numerator), number.denominator).bit_length() > _LONGEST_CONSTANT:
            raise UnsupportedExpression(f"a constant has more than {_LONGEST_CONSTANT} bits; keep it as a power")
        return self.emit("const", str(number))

    def power(self, base: int, exponent: int) -> int:
        """Return the number of base ** exponent for an integer exponent >= 1."""
        return base if exponent == 1 else self.emit("pow", base, exponent)

    def times(self, left: int, right: int) -> int:
        """Return the number of a product, leaving out a factor that is the constant 1."""
        # Derivatives are full of factors 1, which would double the length of a gradient.
        for factor, other in ((left, right), (right, left)):
            if self.ops[factor] == ("const", "1"):
                return other
        return self.emit("mul", left, right)

    def product(self, factors: Sequence[int]) -> int:
        """Return the number of the product of the factors (1 when there are none), left to right."""
        if not factors:
            return self.constant(1)
        total = factors[0]
        for factor in factors[1:]:
            total = self.emit("mul", total, factor)
        return total


UNARY = {
    "log": "log", "exp": "exp", "sin": "sin", "cos": "cos", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "Abs": "abs", "sign": "sgn", "erf": "erf", "erfc": "erfc", "gamma": "gamma", "loggamma": "lgamma",
    "asin": "asin", "acos": "acos", "atan": "atan", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
    "erfi": "erfi", "erfinv": "erfinv", "erfcinv": "erfcinv", "LambertW": "lambertw", "floor": "floor",
    "ceiling": "ceil",
}  # fmt: skip


class _Compiler:
    """Translates SymPy expressions into one shared list of operations."""

    def __init__(self, symbols: Sequence[sympy.Symbol], exponents: Mapping[sympy.Pow, int]) -> None:
        self.builder = _Builder()
        self.exponents = exponents
        self.variables = {symbol: number for number, symbol in enumerate(symbols)}
        self.memo: dict[Any, int] = {}

    def compile(self, expression: Any) -> int:
        """Return the number of the value of `expression`."""
        if expression not in self.memo:
            self.memo[expression] = self._compile(expression)
        return self.memo[expression]

    def _compile(self, e: Any) -> int:
        """Emit the operations of one expression and return the number of its value.

        Raises `UnsupportedExpression` for a float, an unknown symbol, or a function without ball arithmetic.
        """
        import sympy

        # In the order of how often they occur; functions come last, as they need the longest look.
        if e.is_Symbol:
            return self._symbol(e)
        if e.is_Rational:
            return self.builder.constant(Fraction(int(e.p), int(e.q)))
        if e is sympy.pi or e is sympy.E:
            return self.builder.emit("pi" if e is sympy.pi else "e")
        if e is sympy.EulerGamma:
            return self.builder.emit("euler")
        if e.is_Float:
            raise UnsupportedExpression(f"{e}: a float is not exact; give the constant as sympy.Rational")
        if e.is_Add:
            return self._sum(e.args)
        if e.is_Mul:
            return self._product(e.args)
        if isinstance(e, sympy.Pow):
            return self._power(e.base, sympy.Integer(self.exponents[e]) if e in self.exponents else e.exp)
        return self._function(e)

    def _symbol(self, symbol: Any) -> int:
        """Return the number of a variable; raises `UnsupportedExpression` for one without a value."""
        if symbol not in self.variables:
            known = ", ".join(map(str, self.variables)) or "none"
            raise UnsupportedExpression(f"{symbol}: symbol without a value; declared symbols: {known}")
        return self.builder.emit("var", self.variables[symbol])

    def _sum(self, terms: Sequence[Any]) -> int:
        """Emit a sum as additions first and subtractions after: a difference needs no negation."""
        # SymPy writes a difference as a sum with a factor -1.
        positive = [term for term in terms if not term.could_extract_minus_sign()]
        negative = [-term for term in terms if term.could_extract_minus_sign()]
        if not positive:
            total = self.builder.emit("neg", self.compile(negative.pop(0)))
        else:
            total = self.compile(positive[0])
            for term in positive[1:]:
                total = self.builder.emit("add", total, self.compile(term))
        for term in negative:
            total = self.builder.emit("sub", total, self.compile(term))
        return total

    def _product(self, factors: Sequence[Any]) -> int:
        """Emit a product as one quotient of products, with one division for all negative exponents.

        A factor -1 becomes one sign at the end, which costs a ball nothing.
        """
        above: list[int] = []
        below: list[int] = []
        for factor in factors:
            # One division for a whole product: a ball is widened once.
            if factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
                below.append(self._power(factor.base, -factor.exp))
            elif factor != -1:
                above.append(self.compile(factor))
        value = self.builder.product(above)
        if below:
            value = self.builder.emit("div", value, self.builder.product(below))
        return self.builder.emit("neg", value) if sum(factor == -1 for factor in factors) % 2 else value

    def _power(self, base: Any, exponent: Any) -> int:
        """Emit a power: integer exponents by multiplication, p/q as the p-th power of the q-th root, all others by
        `gpow`.
        """
        import sympy

        build = self.builder
        if base is sympy.E:
            return build.emit("exp", self.compile(exponent))
        if not exponent.is_Rational:
            return build.emit("gpow", self.compile(base), self.compile(exponent))
        if exponent == 0:
            return build.constant(1)
        if exponent < 0:
            return build.emit("div", build.constant(1), self._power(base, -exponent))
        p, q = int(exponent.p), int(exponent.q)
        # A root first and a power after: the root's ball is narrower than that of a large power.
        below = self.compile(base)
        if q > 1:
            below = build.emit("sqrt", below) if q == 2 else build.emit("root", below, q)
        return build.power(below, p)

    def _function(self, e: Any) -> int:
        """Emit a function by the name of its SymPy class.

        By name, so that functions of our own (`LogRemainder`) need no import here.

        Raises:
            UnsupportedExpression: for a function without balls and without a form in those that have them.
        """
        name, build = type(e).__name__, self.builder
        if name in UNARY and len(e.args) == 1:
            return build.emit(UNARY[name], self.compile(e.args[0]))
        if name in ("Min", "Max"):
            return self._extremum(name.lower(), e.args)
        if name in ("uppergamma", "lowergamma"):
            return build.emit(name, self.compile(e.args[0]), self.compile(e.args[1]))
        if name == "polygamma" and e.args[0] in (0, 1):
            return build.emit("trigamma" if e.args[0] == 1 else "digamma", self.compile(e.args[1]))
        if name in ("LogRemainder", "LogRemainderD", "LogRemainderMoment"):
            return self._remainder(e)
        if name in ("Derivative", "At"):
            return self._derivative(e) if name == "Derivative" else self._substitution(e)
        if name in ("Sum", "Product", "LiteralSum", "LiteralProduct"):
            return self._series(e)
        if name == "Integral":
            return self._integral(e)
        plain = in_plain_functions(e)
        if plain is not None:
            return self.compile(plain)
        raise UnsupportedExpression(f"{e}: {name} has no ball arithmetic here")

    def _extremum(self, name: str, arguments: Any) -> int:
        """Emit the least or greatest of several values, two at a time."""
        import sympy

        # Min and Max hold their arguments in a set: without an order the program would differ from run to run.
        first, *rest = sympy.ordered(arguments)
        total = self.compile(first)
        for argument in rest:
            total = self.builder.emit(name, total, self.compile(argument))
        return total

    def _remainder(self, e: Any) -> int:
        """Emit a remainder of the logarithm as the moment that it is."""
        a, b, x = e.moment()
        if not (a.is_Integer and b.is_Integer):
            raise UnsupportedExpression(f"{e}: the order of a logarithm remainder must be a literal integer")
        return self.builder.emit("logrem", int(a), int(b), self.compile(x))

    def _derivative(self, e: Any) -> int:
        """Differentiate the program of the function itself, as often as asked, and put the variables' values in.

        The result may have a value where the function has none: -1 for log at -1. Whether a term is defined is not
        asked here.
        """
        import sympy

        # In an order of their own: the program of the inner function does not depend on what is around it.
        symbols = tuple(sorted(e.expr.free_symbols, key=sympy.default_sort_key))
        program = compile_expressions([e.expr], symbols, self.exponents)
        for variable, order in e.variable_count:
            if not variable.is_Symbol or variable.is_integer or not order.is_Integer:
                raise UnsupportedExpression(f"{e}: a derivative needs a real variable and a literal order")
            # SymPy keeps such a derivative where it was told not to evaluate.
            if variable not in symbols:
                return self.builder.constant(0)
            for _ in range(int(order)):
                gradient = differentiate_output(program)
                # Without the cut the program would grow with every order.
                program = _trimmed(Program(program.names, gradient.ops, (gradient.outputs[symbols.index(variable)],)))
        # An enclosure of the generalised gradient serves the mean-value theorem, but is no derivative.
        kinks = {op[0] for op in program.ops} & {"abs", "sgn", "min", "max"}
        if kinks:
            raise UnsupportedExpression(f"{e}: no derivative is taken of {sorted(kinks)[0]}, which has kinks")
        return self._inlined(program, [self.compile(symbol) for symbol in symbols])

    def _substitution(self, e: Any) -> int:
        """Run the program of the function with the compiled point in the place of its variables."""
        import sympy

        function, point = e.args[0], dict(zip(e.variables, e.point, strict=True))
        symbols = tuple(sorted(function.free_symbols, key=sympy.default_sort_key))
        program = compile_expressions([function], symbols, self.exponents)
        return self._inlined(program, [self.compile(point.get(symbol, symbol)) for symbol in symbols])

    def _inlined(self, program: Program, values: Sequence[int]) -> int:
        """Return the number of the first output of a program at values that are known here.

        Operations are emitted again, so that what both programs compute is computed once.
        """
        numbers: list[int] = []
        for op in program.ops:
            if op[0] == "var":
                numbers.append(values[op[1]])
                continue
            operands = (
                numbers[operand] if kind == "i" else operand
                for kind, operand in zip(SIGNATURES[op[0]], op[1:], strict=True)
            )
            numbers.append(self.builder.emit(op[0], *operands))
        return numbers[program.outputs[0]]

    def _integral(self, e: Any) -> int:
        """Emit an integral over one variable, of which the integrand must be a function of that variable alone."""
        if len(e.limits) != 1 or len(e.limits[0]) != 3:
            raise UnsupportedExpression(f"{e}: an integral needs one variable with two ends")
        variable, lower, upper = e.limits[0]
        if not e.function.free_symbols <= {variable}:
            raise UnsupportedExpression(f"{e}: the integrand holds another symbol than {variable} without a value")
        # A program of its own, since an integral evaluates it at places that the quadrature chooses.
        inner = compile_expressions([e.function], (variable,))
        return self.builder.emit("integral", inner, self.compile(lower), self.compile(upper))

    def _series(self, e: Any) -> int:
        """Emit a sum or a product term by term; the ends must be literal integers."""
        from rgm_verify.balls.binding import MOST_TERMS, terms

        found = terms(e)
        if found is None:
            raise UnsupportedExpression(
                f"{e}: the ends must be integers, the first at most one above the last, of at most {MOST_TERMS} terms"
            )
        numbers = [self.compile(term) for term in found]
        # An empty sum is 0 and an empty product 1.
        product = type(e).__name__.endswith("Product")
        if product or not numbers:
            return self.builder.product(numbers) if numbers else self.builder.constant(product)
        total = numbers[0]
        for number in numbers[1:]:
            total = self.builder.emit("add", total, number)
        return total


def in_plain_functions(e: Any) -> Any:
    """Return the value of a function in terms of those that have balls; None for a function without such a form.

    The forms hold wherever they have a value; at a pole of a gamma function, where a binomial coefficient is 0, they
    have none.

    Args:
        e: a function of SymPy's, of one or two arguments.
    """
    import sympy

    forms: dict[str, Callable[..., Any]] = {
        "tan": lambda x: sympy.sin(x) / sympy.cos(x),
        "cot": lambda x: sympy.cos(x) / sympy.sin(x),
        "sec": lambda x: 1 / sympy.cos(x),
        "csc": lambda x: 1 / sympy.sin(x),
        "coth": lambda x: 1 / sympy.tanh(x),
        "sech": lambda x: 1 / sympy.cosh(x),
        "csch": lambda x: 1 / sympy.sinh(x),
        "acot": lambda x: sympy.atan(1 / x),
        "factorial": lambda n: sympy.gamma(n + 1),
        "binomial": lambda n, k: sympy.gamma(n + 1) / (sympy.gamma(k + 1) * sympy.gamma(n - k + 1)),
        "beta": lambda x, y: sympy.gamma(x) * sympy.gamma(y) / sympy.gamma(x + y),
        "harmonic": lambda n: sympy.polygamma(0, n + 1) + sympy.EulerGamma,
        "catalan": lambda n: sympy.gamma(2 * n + 1) / (sympy.gamma(n + 1) * sympy.gamma(n + 2)),
        "RisingFactorial": lambda x, k: sympy.gamma(x + k) / sympy.gamma(x),
        "FallingFactorial": lambda x, k: sympy.gamma(x + 1) / sympy.gamma(x - k + 1),
    }
    form = forms.get(type(e).__name__)
    if form is None or len(e.args) != form.__code__.co_argcount:
        return None
    return form(*e.args)


def _trimmed(program: Program) -> Program:
    """Return the program without the operations that its first output does not use.

    Repeated differentiation would otherwise carry all operations of all lower orders along.
    """
    # From the output backwards, as operations use earlier ones alone.
    used = {program.outputs[0]}
    for number in range(program.outputs[0], -1, -1):
        if number in used:
            op = program.ops[number]
            used.update(o for kind, o in zip(SIGNATURES[op[0]], op[1:], strict=True) if kind == "i")
    places = {number: place for place, number in enumerate(sorted(used))}
    ops = tuple(
        (op[0], *(places[o] if kind == "i" else o for kind, o in zip(SIGNATURES[op[0]], op[1:], strict=True)))
        for op in (program.ops[number] for number in sorted(used))
    )
    return Program(program.names, ops, (places[program.outputs[0]],))


def compile_expressions(
    expressions: Sequence[sympy.Expr],
    symbols: Sequence[sympy.Symbol],
    exponents: Mapping[sympy.Pow, int] | None = None,
) -> Program:
    """Return the straight-line program that evaluates all the expressions, sharing their common subexpressions.

    Exact: constants are rationals, pi and E. One output per expression, in order.

    Args:
        symbols: the variables, in the order of the program's names.
        exponents: says of a power what its exponent is, where that is known to be an integer.

    Raises:
        UnsupportedExpression: naming an undeclared symbol, an inexact constant (SymPy Float) or a function without ball
            arithmetic.

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> compile_expressions([x**2 - x / 3], [x]).ops
        (('var', 0), ('pow', 0, 2), ('const', '1/3'), ('mul', 2, 0), ('sub', 1, 3))
    """
    import sympy

    compiler = _Compiler(symbols, exponents or {})
    # One compiler for all: what two expressions have in common is one operation.
    outputs = tuple(compiler.compile(sympy.sympify(expression)) for expression in expressions)
    program = Program(tuple(str(symbol) for symbol in symbols), tuple(compiler.builder.ops), outputs)
    program.check()
    return program


def differentiate_output(program: Program, output: int = 0) -> Program:
    """Return the program of the gradient of one output, one partial derivative per name, by forward differentiation.

    Exact as a formula; at a kink of abs, min or max it evaluates to an enclosure of the generalised gradient, so that
    the mean-value theorem still applies. The original operations come first, unchanged.

    Args:
        output: the place of the output that is differentiated.

    Raises:
        UnsupportedExpression: for an operation whose derivative is not available.
    """
    # Starting from the operations that are there, so that values and derivatives share what they have in common.
    builder = _Builder(list(program.ops), {op: number for number, op in enumerate(program.ops)})
    target = program.outputs[output]
    partials = []
    for variable in range(len(program.names)):
        derivatives: list[int | None] = []
        for number in range(target + 1):
            derivatives.append(_derivative(builder, number, program.ops[number], derivatives, variable))
        last = derivatives[target]
        partials.append(builder.constant(0) if last is None else last)
    return Program(program.names, tuple(builder.ops), tuple(partials))


def _derivative(b: _Builder, v: int, op: Op, d: Sequence[int | None], variable: int) -> int | None:
    """Return the number of the derivative of value v in one variable, None when it is identically zero.

    `d` has the numbers of the derivatives of the earlier values. None spares the operations on zeros.
    """
    name = op[0]
    if name == "var":
        return b.constant(1) if op[1] == variable else None
    kinds = SIGNATURES[name]
    inputs = [operand for kind, operand in zip(kinds, op[1:], strict=True) if kind == "i"]
    # Nothing on the way depends on the variable: a zero costs no operation.
    if all(d[i] is None for i in inputs):
        return None
    # A function of two values has a rule of its own: either of them may depend on the variable.
    if len(inputs) == 2:
        return _binary_derivative(b, v, op, d[op[1]], d[op[2]])
    inner = d[inputs[0]]
    if inner is None:
        return None
    if name == "neg":
        return b.emit("neg", inner)
    return _chain(b, v, op, inner)


def _chain(b: _Builder, v: int, op: Op, inner: int) -> int | None:
    """Return the derivative of a function of one value, times the inner derivative.

    Quotients where they reuse the value v: `x' / (2 sqrt x)` widens a ball less than a power of x would.
    """
    name, x = op[0], op[1]
    if name == "log":
        return b.emit("div", inner, x)
    if name == "sqrt":
        return b.emit("div", inner, b.emit("add", v, v))
    if name == "root":
        return b.emit("div", inner, b.times(b.constant(op[2]), b.power(v, op[2] - 1)))
    if name == "sgn":
        raise UnsupportedExpression("sgn: the derivative of a sign is not available")
    return b.times(_slope(b, v, op), inner)


def _slope(b: _Builder, v: int, op: Op) -> int:
    """Return the number of f'(x) for v = f(x).

    It reuses the value v where the derivative contains the function itself (exp, tanh, gamma). Raises
    `UnsupportedExpression` for a function without a derivative here.
    """
    name, x = op[0], op[1]
    if name == "pow":
        return b.times(b.constant(op[2]), b.power(x, op[2] - 1))
    if name == "logrem":
        return b.times(b.constant(-op[2]), b.emit("logrem", op[1] + 1, op[2] + 1, op[3]))
    if name in ("erf", "erfc"):
        factor = b.emit("div", b.constant(2 if name == "erf" else -2), b.emit("sqrt", b.emit("pi")))
        return b.times(factor, b.emit("exp", b.emit("neg", b.emit("pow", x, 2))))
    if name == "tanh":
        return b.emit("sub", b.constant(1), b.emit("pow", v, 2))
    if name == "cos":
        return b.emit("neg", b.emit("sin", x))
    if name == "gamma":
        return b.times(v, b.emit("digamma", x))
    if name in ("atan", "asin", "acos", "asinh", "acosh", "atanh"):
        return _inverse_slope(b, name, x)
    if name in ("erfi", "erfinv"):
        square = b.emit("exp", b.emit("pow", x if name == "erfi" else v, 2))
        root = b.emit("sqrt", b.emit("pi"))
        two = b.constant(2)
        return b.times(b.emit("div", two, root) if name == "erfi" else b.emit("div", root, two), square)
    direct = {"sin": "cos", "sinh": "cosh", "cosh": "sinh", "lgamma": "digamma", "abs": "sgn",
              "digamma": "trigamma"}  # fmt: skip
    if name == "exp":
        return v
    if name in direct:
        return b.emit(direct[name], x)
    raise UnsupportedExpression(f"{name}: its derivative is not available")


def _inverse_slope(b: _Builder, name: str, x: int) -> int:
    """Return the derivative of an inverse trigonometric or hyperbolic function at x.

    The forms hold inside of the function's domain; at its ends the slope is infinite, and the ball says so.
    """
    one, square = b.constant(1), b.emit("pow", x, 2)
    if name in ("atan", "atanh"):
        return b.emit("div", one, b.emit("add" if name == "atan" else "sub", one, square))
    if name == "acosh":  # of a number above 1, so that both roots are real
        below = b.emit("mul", b.emit("sqrt", b.emit("sub", x, one)), b.emit("sqrt", b.emit("add", x, one)))
    else:
        below = b.emit("sqrt", b.emit("add" if name == "asinh" else "sub", one, square))
    slope = b.emit("div", one, below)
    return b.emit("neg", slope) if name == "acos" else slope


def _binary_derivative(b: _Builder, v: int, op: Op, dx: int | None, dy: int | None) -> int | None:
    """Return the derivative of a function of two values, of which at least one depends on the variable.

    None is zero. An incomplete gamma function has a derivative in its argument alone; `UnsupportedExpression` in its
    order.
    """
    name, x, y = op[0], op[1], op[2]
    if name in ("add", "sub"):
        return _signed_sum(b, name, dx, dy)
    if name == "mul":
        left = None if dx is None else b.times(dx, y)
        return _signed_sum(b, "add", left, None if dy is None else b.times(x, dy))
    if name == "div":
        # (dx - v dy) / y uses the quotient v that is there already: y * y would widen the balls once more.
        top = _signed_sum(b, "sub", dx, None if dy is None else b.times(v, dy))
        return None if top is None else b.emit("div", top, y)
    if name == "gpow":
        # The derivative of `exp(y log x)`; where only one of the two varies the other half is left out.
        left = None if dy is None else b.times(dy, b.emit("log", x))
        right = None if dx is None else b.emit("div", b.times(y, dx), x)
        rate = _signed_sum(b, "add", left, right)
        return None if rate is None else b.times(v, rate)
    if name in ("min", "max"):
        return _extremum_derivative(b, op, dx, dy)
    if dx is not None or dy is None:
        raise UnsupportedExpression(f"{name}: its derivative in the order is not available")
    density = b.times(b.emit("exp", b.emit("neg", y)), _gamma_power(b, x, y))
    return b.times(b.emit("neg", density) if name == "uppergamma" else density, dy)


def _gamma_power(b: _Builder, order: int, argument: int) -> int:
    """Return argument ** (order - 1)."""
    return b.emit("gpow", argument, b.emit("sub", order, b.constant(1)))


def _signed_sum(b: _Builder, name: str, dx: int | None, dy: int | None) -> int | None:
    """Return the number of a sum or difference of derivatives; None is zero on either side."""
    if dx is None and dy is not None:
        return dy if name == "add" else b.emit("neg", dy)
    return dx if dy is None or dx is None else b.emit(name, dx, dy)


def _extremum_derivative(b: _Builder, op: Op, dx: int | None, dy: int | None) -> int | None:
    """Return ((dx + dy) +- sgn(x - y) (dx - dy)) / 2, which encloses the generalised gradient at ties."""
    total, difference = _signed_sum(b, "add", dx, dy), _signed_sum(b, "sub", dx, dy)
    if total is None or difference is None:
        return None
    tilt = b.times(b.emit("sgn", b.emit("sub", op[1], op[2])), difference)
    return b.times(b.constant(Fraction(1, 2)), b.emit("add" if op[0] == "max" else "sub", total, tilt))
