"""Trees of the kernel in one form, so that a statement written in another order has the same one.

A form has the value of its tree, and is defined, wherever the tree is defined and what is known holds. Powers of one
base are put together only where the sign of the base is known: (1/x)^-1 is x where x is not 0, and the square of a root
is its argument where that is not negative. Without knowledge a form is defined exactly where its tree is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

__all__ = ["Known", "form"]

Tree = Any

#: Numbers with larger exponents stay as they are.
_MOST: Final = 1000
_TURNED: Final = {"<": ">", "<=": ">="}


class Known:
    """Signs of trees: `>`, `>=` or `!=` to 0.

    Examples:
        >>> known = Known()
        >>> known.learn([">=", ["var", "x"], "1"])
        >>> known.sign(["add", ["var", "x"], ["pow", ["var", "y"], "2"]]), known.sign(["var", "y"])
        ('>', '')
    """

    def __init__(self) -> None:
        self._signs: dict[str, str] = {}

    def learn(self, formula: Tree) -> None:
        """Take a formula that holds: a relation with defined sides, or a conjunction of them; others say no sign."""
        if formula[0] == "and":
            for part in formula[1:]:
                self.learn(part)
        if formula[0] not in (">", ">=", "==", "!=", "<", "<="):
            return
        self.defined(formula)
        if formula[0] == "==":
            return
        op = _TURNED.get(formula[0], formula[0])
        high, low = formula[1:] if op == formula[0] else formula[:0:-1]
        if op != "!=" and self.sign(low) == ">":
            self._keep(high, ">")
        self._keep(form(["add", high, ["mul", "-1", low]]), op)

    def _keep(self, tree: Tree, op: str) -> None:
        """Keep a sign, and the stronger one where two are known."""
        if str(tree) not in self._signs or op == ">":
            self._signs[str(tree)] = op

    def defined(self, tree: Tree) -> None:
        """Take a tree whose terms are defined: what it divides by is not 0."""
        # Inside of a value at a point a variable of the statement may be bound, and stands for another number.
        if isinstance(tree, str) or tree[0] in ("var", "at"):
            return
        for part in tree[1:]:
            self.defined(part)
        if tree[0] == "pow" and isinstance(tree[2], str) and Fraction(tree[2]) < 0:
            self._keep(form(tree[1]), "!=" if Fraction(tree[2]).denominator == 1 else ">")

    def sign(self, tree: Tree) -> str:
        """Return the sign of a form, empty where none is known."""
        if isinstance(tree, str):
            value = Fraction(tree)
            return ">" if value > 0 else "!=" if value else ">="
        if str(tree) in self._signs:
            return self._signs[str(tree)]
        head, parts = tree[0], tree[1:]
        if head in ("exp", "pi", "e"):
            return ">"
        if head == "pow" and isinstance(parts[1], str):
            return self._of_power(self.sign(parts[0]), Fraction(parts[1]))
        found = {self.sign(part) for part in parts} if head in ("add", "mul") else {""}
        if "" in found or (head == "add" and "!=" in found):
            return ">=" if head == "abs" else ""
        if head == "add":
            return ">" if ">" in found else ">="
        return next((op for op in (">", ">=", "!=") if found <= {">", op}), "")

    @staticmethod
    def _of_power(base: str, power: Fraction) -> str:
        """Return the sign of a power of what has a sign; a root that is defined is not negative."""
        if base == ">" or (power.denominator > 1 and power < 0):
            return ">"
        if power.denominator > 1:
            return ">="
        if power.numerator % 2 == 0:
            return ">" if base == "!=" or power < 0 else ">="
        return base if power > 0 else "!="


class _Nothing(Known):
    """No sign is known."""

    def sign(self, tree: Tree) -> str:
        """Return that nothing is known, numbers excepted."""
        return super().sign(tree) if isinstance(tree, str) else ""


def form(tree: Tree, known: Known | None = None) -> Tree:
    """Return the form of a tree.

    Args:
        tree: An expression or a formula.
        known: Signs that hold wherever the form is used; None for none.

    Examples:
        >>> form(["mul", ["var", "y"], ["pow", ["mul", "2", ["var", "x"]], "-1"]])
        ['mul', '1/2', ['pow', ['var', 'x'], '-1'], ['var', 'y']]
    """
    return _Form(known or _Nothing()).of(tree)


class _Form:
    """The rules, with what is known."""

    def __init__(self, known: Known) -> None:
        self.sign = known.sign

    def of(self, tree: Tree) -> Tree:
        """Return the form of a tree."""
        if isinstance(tree, str) or tree[0] == "var":
            return tree
        if tree[0] in ("at", "derivative"):
            # What is known of a variable holds at the point, not of the function there.
            return [tree[0], form(tree[1]), *(part if isinstance(part, str) else self.of(part) for part in tree[2:])]
        head, *parts = [tree[0], *map(self.of, tree[1:])]
        if head == "pow" and isinstance(parts[1], str):
            return self.power(parts[0], Fraction(parts[1]))
        if head in ("add", "mul", "and", "or"):
            parts = [p for part in parts for p in (part[1:] if isinstance(part, list) and part[0] == head else [part])]
        rules: Mapping[str, Callable[[list[Tree]], Tree]] = {
            "add": self.total,
            "mul": self.product,
            "exp": self.exponential,
            "abs": self.absolute,
            "log": self.logarithm,
        }
        if head in rules:
            return rules[head](parts)
        return [head, *(sorted(parts, key=str) if head in ("max", "min") else parts)]

    def total(self, parts: Sequence[Tree]) -> Tree:
        """Return a sum with one number in it, times a positive number that makes its first coefficient 1 or -1."""
        number, terms = Fraction(0), list[tuple[Fraction, Tree]]()
        for part in parts:
            factor, rest = _coefficient(part)
            inner = rest[1:] if rest[0] == "add" else [rest]
            for value, term in ((factor * c, t) for c, t in map(_coefficient, inner)):
                if term == "1":
                    number += value
                else:
                    terms.append((value, term))
        terms.sort(key=lambda one: str(one[1]))
        content = next((abs(value) for value in (number, *(value for value, _ in terms)) if value), Fraction(1))
        if not terms or (len(terms) == 1 and not number):
            return self.scaled(*terms[0]) if terms else str(number)
        kept = [self.scaled(value / content, term) for value, term in terms]
        return self.scaled(content, ["add", *([str(number / content)] if number else []), *kept])

    @staticmethod
    def scaled(factor: Fraction, term: Tree) -> Tree:
        """Return a number times a term without a number."""
        if factor == 1 or term == "1":
            return term if factor == 1 else str(factor)
        return ["mul", str(factor), *(term[1:] if term[0] == "mul" else [term])]

    def product(self, parts: Sequence[Tree]) -> Tree:
        """Return a product with one number in it, and one power of each base whose sign is known."""
        number, others = Fraction(1), list[Tree]()
        powers: dict[str, tuple[Tree, list[Fraction]]] = {}
        for part in parts:
            base, power = part[1:] if part[0] == "pow" and isinstance(part[2], str) else (part, "1")
            if isinstance(part, str):
                number *= Fraction(part)
            elif part[0] == "exp":
                others.append(part)
            else:
                powers.setdefault(str(base), (base, []))[1].append(Fraction(power))
        for base, several in powers.values():
            total = sum(several, Fraction(0))
            together = len(several) > 1 and self._adds(self.sign(base), several) and (total != 0 or _everywhere(base))
            for power in [total] if together else several:
                made = "1" if not power else base if power == 1 else self.power(base, power)
                inner = made[1:] if made[0] == "mul" else [made]
                number *= next((Fraction(p) for p in inner if isinstance(p, str)), Fraction(1))
                others += [p for p in inner if not isinstance(p, str)]
        return _ordered("mul", number, 1, others)

    @staticmethod
    def _adds(sign: str, powers: Sequence[Fraction]) -> bool:
        """Return whether the product of powers of a base with this sign is one power, also where it is defined."""
        whole = all(power.denominator == 1 for power in powers)
        return sign == ">" or (sign == "!=" and whole) or (sign == ">=" and all(power > 0 for power in powers))

    def power(self, base: Tree, power: Fraction) -> Tree:
        """Return a power of a form with a number as its exponent."""
        whole, sign = power.denominator == 1, self.sign(base)
        if power == 1:
            return base
        if isinstance(base, str):
            return self.of_number(Fraction(base), power)
        if base[0] == "mul" and (whole or all(self.sign(part) in (">", ">=") for part in base[1:])):
            return self.of(["mul", *(["pow", part, str(power)] for part in base[1:])])
        if whole and base[0] == "exp":
            return self.of(["exp", ["mul", str(power), base[1]]])
        if base[0] == "pow" and isinstance(base[2], str):
            inner, sign = Fraction(base[2]), self.sign(base[1])
            ways = (
                # Nothing is lost that the inner power asks for.
                whole
                and inner > 0
                and (inner * power < 0 or inner.denominator == 1 or (inner * power).denominator > 1),
                sign == ">",
                sign == ">=" and inner > 0 and power > 0,
                sign == "!=" and whole and inner.denominator == 1,
            )
            if any(ways):
                return self.power(base[1], inner * power)
        return ["pow", base, str(power)]

    def of_number(self, base: Fraction, power: Fraction) -> Tree:
        """Return a power of a number: a number, times powers of integers with exponents between 0 and 1."""
        whole = power.numerator // power.denominator
        if abs(whole) > _MOST or base < 0 or not base:
            exact = power.denominator == 1 and 0 < abs(power) <= _MOST and (base or power > 0)
            return str(base ** int(power)) if exact else ["pow", str(base), str(power)]
        if base.denominator > 1:
            return self.of(
                ["mul", ["pow", str(base.numerator), str(power)], ["pow", str(base.denominator), str(-power)]]
            )
        number, rest = base**whole, power - whole
        if not rest or base == 1:
            return str(number)
        root = ["pow", str(base), str(rest)]
        return root if number == 1 else ["mul", str(number), root]

    def exponential(self, parts: Sequence[Tree]) -> Tree:
        """Return an exponential; of a whole multiple of a logarithm it is a power."""
        factors = parts[0][1:] if parts[0][0] == "mul" else parts
        logs = [f for f in factors if f[0] == "log"]
        power = [f for f in factors if isinstance(f, str)] or ["1"]
        if len(logs) == 1 and len(factors) <= 2 and self.sign(logs[0][1]) == ">" and len(power) + 1 >= len(factors):
            return self.power(logs[0][1], Fraction(power[0]))
        return ["exp", *parts]

    def logarithm(self, parts: Sequence[Tree]) -> Tree:
        """Return a logarithm; that of a number below 1 is one of a number above 1."""
        value = Fraction(parts[0]) if isinstance(parts[0], str) else Fraction(2)
        if value == 1:
            return "0"
        return ["mul", "-1", ["log", str(1 / value)]] if 0 < value < 1 else ["log", *parts]

    def absolute(self, parts: Sequence[Tree]) -> Tree:
        """Return an absolute value; factors that are not negative stand outside of it."""
        factors = parts[0][1:] if parts[0][0] == "mul" else parts
        outside = [f for f in factors if self.sign(f) in (">", ">=")]
        inside = [f for f in factors if self.sign(f) not in (">", ">=")]
        made = [["abs", _ordered("mul", Fraction(1), 1, inside)]] if inside else []
        return self.of(["mul", *outside, *made]) if outside else ["abs", *parts]


def _coefficient(part: Tree) -> tuple[Fraction, Tree]:
    """Return a term of a sum as a number and the rest, "1" for a number alone."""
    if isinstance(part, str):
        return Fraction(part), "1"
    if part[0] == "mul" and isinstance(part[1], str):
        return Fraction(part[1]), part[2] if len(part) == 3 else ["mul", *part[2:]]
    return Fraction(1), part


def _everywhere(tree: Tree) -> bool:
    """Return whether a form is defined at all points, so that it may go without a trace."""
    if isinstance(tree, str) or tree[0] in ("var", "pi", "e"):
        return True
    if tree[0] == "pow":
        return isinstance(tree[2], str) and tree[2].isdigit() and _everywhere(tree[1])
    return tree[0] in ("add", "mul", "exp", "max", "min", "abs") and all(map(_everywhere, tree[1:]))


def _ordered(head: str, number: Fraction, neutral: int, others: Sequence[Tree]) -> Tree:
    """Return a sum or a product of a number and sorted parts."""
    kept = [*([str(number)] if number != neutral or not others else []), *sorted(others, key=str)]
    return [head, *kept] if len(kept) > 1 else kept[0]
