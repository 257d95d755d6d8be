"""From SymPy expressions to programs of balls: each part once, functions by what they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rgm_verify.balls.differentiation import differentiate_output
from rgm_verify.balls.program import SIGNATURES, Builder, Program, UnsupportedExpression, trimmed
from rgm_verify.terms import table

if TYPE_CHECKING:
    import sympy

__all__ = ["compile_expressions"]


class _Compiler:
    """Translates SymPy expressions into one shared list of operations."""

    def __init__(self, symbols: Sequence[sympy.Symbol], exponents: Mapping[sympy.Pow, int]) -> None:
        self.builder = Builder()
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
        row = table.found(e)
        if row is not None and row[0].op:
            return build.emit(row[0].op, *map(self.compile, row[1]))
        if name in ("Min", "Max"):
            return self._extremum(name.lower(), e.args)
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
                program = trimmed(Program(program.names, gradient.ops, (gradient.outputs[symbols.index(variable)],)))
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
    row = table.found(e)
    return None if row is None or row[0].plain is None else row[0].plain(*row[1])


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
        UnsupportedExpression: for two symbols of one name, and naming an undeclared symbol, an inexact constant (SymPy
            Float) or a function without ball arithmetic.

    Examples:
        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> compile_expressions([x**2 - x / 3], [x]).ops
        (('var', 0), ('pow', 0, 2), ('const', '1/3'), ('mul', 2, 0), ('sub', 1, 3))
    """
    import sympy

    names = tuple(map(str, symbols))
    if len(set(names)) != len(names):
        raise UnsupportedExpression(f"symbols={', '.join(names)}: two have one name; programs go by names")
    compiler = _Compiler(symbols, exponents or {})
    # One compiler for all: what two expressions have in common is one operation.
    outputs = tuple(compiler.compile(sympy.sympify(expression)) for expression in expressions)
    return Program(names, tuple(compiler.builder.ops), outputs)
