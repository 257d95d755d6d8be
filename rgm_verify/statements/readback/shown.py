r"""Formulas of a page as trees of the kernel: connectives and derivatives here, relations by the reader of LaTeX.

Pages join relations in one way (`rgm_verify.claims.written.rendering`): an arrow points from all that stands before it
to all behind it, `and` beside `or` stands in parentheses, and a derivative is one of all that follows in its product.
SymPy takes no part in this.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rgm_verify.kernel.calculus import small
from rgm_verify.statements.latex.reading import read_latex
from rgm_verify.statements.readback.declared import Declared, Unread, closing, signs, standing
from rgm_verify.statements.tokens import StatementError
from rgm_verify.statements.trees import Call, Compare, Expression, Factors, Name, Number, Power, Terms

__all__ = ["Shown", "Tree"]

Tree = Any

_ARROWS: Final = {r"\Longrightarrow": "implies", r"\Longleftrightarrow": "iff"}
_WORDS: Final = {r"\text{and}": "and", r"\text{or}": "or"}
_SIGNS: Final = ("=", "<", ">", r"\le", r"\ge", r"\ne")
_OPENING: Final = ("(", "{", "[", r"\{", r"\left|", r"\left.")
_CLOSING: Final = (")", "}", "]", r"\}", r"\right|")
#: Functions of the reader that have a name in trees of the kernel.
_FUNCTIONS: Final = ("exp", "log", "erf", "gamma", "abs", "max", "min")
#: Variables that a value at a point or a derivative binds.
_BOUND: Final = re.compile(r"\\substack\{ (.*?) \}\}|\\frac\{(?:d|\\partial)[^{}]*\}\{(?:d|\\partial) ([^{}^]*)")


class Shown:
    r"""The formulas of one page.

    Args:
        variables: LaTeX of each variable with its name in the kernel's trees.
        names: LaTeX of each name for an expression, with LaTeX of the expression.
        formulas: All formulas that will be asked for, for the variables that they bind.

    Raises:
        Unread: For names that cannot be told apart.

    Examples:
        >>> page = Shown([("x", "x"), (r"\|y\|", "b")], [("r", "x^{2}")], [])
        >>> page.formula(r"r > 0 \;\Longrightarrow\; \|y\| \le r")
        ['implies', ['>', ['pow', ['var', 'x'], '2'], '0'], ['<=', ['var', 'b'], ['pow', ['var', 'x'], '2']]]
    """

    def __init__(
        self, variables: Sequence[tuple[str, str]], names: Sequence[tuple[str, str]], formulas: Sequence[str]
    ) -> None:
        known = [*(latex for latex, _ in variables), *(latex for latex, _ in names)]
        told = {tuple(signs(latex)) for latex in known}
        bound = {tuple(signs(b)): b for b in _bound([*formulas, *(value for _, value in names)])}
        extra = [latex for sign, latex in bound.items() if sign not in told]
        self.declared = Declared([*known, *extra])
        self.values: dict[int, Tree] = {}
        self._waiting: dict[int, str | None] = {}
        for number, (_, name) in enumerate(variables, start=1):
            self.values[number] = ["var", name]
        for number, (_, value) in enumerate(names, start=len(variables) + 1):
            self._waiting[number] = value
        for number in range(len(known) + 1, len(known) + len(extra) + 1):
            self.values[number] = ["var", f"bound {number}"]
        self._most = len(known) + len(extra)

    def formula(self, latex: str) -> Tree:
        """Return the tree of a formula; raises `Unread` with the reason, and `Refused` for a tree that is too large."""
        return small(self._formula(_in_one_line(signs(latex.replace(":=", "=")))))

    def _value(self, number: int) -> Tree:
        """Return the tree of a name; a name may use those behind it and before it, but not itself."""
        if number not in self.values:
            latex = self._waiting.get(number)
            if latex is None:
                raise Unread("a name that stands for itself")
            self._waiting[number] = None
            self.values[number] = small(self._expression(_in_one_line(signs(latex))))
        return self.values[number]

    def _formula(self, found: Sequence[str]) -> Tree:
        """Return the tree of the signs of a formula."""
        for marks in (_ARROWS, _WORDS):
            parts, joins = _split(found, marks)
            kinds = {marks[join] for join in joins}
            if kinds and (len(kinds) > 1 or (marks is _ARROWS and len(joins) > 1)):
                raise Unread("connectives whose order is not shown by parentheses")
            if kinds:
                return [*kinds, *(self._formula(part) for part in parts)]
        inside = found[:1] == ["("] and closing(found, 0) == len(found) - 1
        if inside and any(sign in (*_SIGNS, *_WORDS, *_ARROWS) for sign in found):
            return self._formula(found[1:-1])
        return self._relation(found)

    def _expression(self, found: Sequence[str]) -> Tree:
        """Return the tree of an expression."""
        return self._relation(["0", "=", *found])[2]

    def _relation(self, found: Sequence[str]) -> Tree:
        """Return the tree of a chain of relations, which the reader of LaTeX reads."""
        plain = self.declared.plain(self._without_binders(list(found)))
        names = ", ".join(f"z_{{{number}}}" for number in range(1, self._most + 1))
        # Declared, so that the reader knows them as numbers.
        given = rf"\forall {names} \in \mathbb{{R}}: " if names else ""
        try:
            one, *others = read_latex(given + plain, alone=False)
        except StatementError as error:
            raise Unread(getattr(error, "reason", "") or error.problem.splitlines()[0]) from error
        says = one.statement.says
        if others:
            raise Unread("several statements")
        if not isinstance(says, Compare):
            raise Unread("connectives inside of a relation")
        sides = [self._tree(side) for side in says.sides]
        pairs = [["==" if sign == "=" else sign, *sides[k : k + 2]] for k, sign in enumerate(says.signs)]
        return pairs[0] if len(pairs) == 1 else ["and", *pairs]

    # ------------------------------------------------------------------------------------- derivatives, points

    def _without_binders(self, found: list[str]) -> list[str]:
        """Return signs with a name for each derivative and each value at a point, inner ones first."""
        while True:
            places = [k for k, sign in enumerate(found) if sign == r"\left." or _derives(found, k)]
            if not places:
                return found
            # The last one holds no other.
            at = places[-1]
            end, tree = (self._at if found[at] == r"\left." else self._derivative)(found, at)
            self._most += 1
            self.values[self._most] = tree
            found[at:end] = [standing(self._most)]

    def _at(self, found: Sequence[str], at: int) -> tuple[int, Tree]:
        r"""Return where `\left. f \right|_{\substack{ x=1\\ y=2 }}` ends, and its tree."""
        behind = closing(found, at)
        if found[behind + 1 : behind + 5] != ["_", "{", r"\substack", "{"]:
            raise Unread("a value at a point without the point")
        end = closing(found, behind + 2) + 1
        tree = self._expression(found[at + 1 : behind])
        points, rest = list[tuple[str, Tree]](), found[behind + 5 : end - 2]
        for part in _split(rest, {r"\\": ""})[0]:
            place = part.index("=") if "=" in part else 0
            points.append((self._bound(part[:place]), self._expression(part[place + 1 :])))
        for name, point in points:
            # One after the other would put a value into another value.
            if len(points) > 1 and any(_holds(other, name) for _, other in points):
                raise Unread("a value at several points that depend on each other")
            tree = ["at", tree, name, point]
        return end, tree

    def _derivative(self, found: Sequence[str], at: int) -> tuple[int, Tree]:
        r"""Return where `\frac{d^2}{d x^2} f` ends, with all that follows in its product, and its tree."""
        middle = closing(found, at + 1) + 1
        behind = closing(found, middle) + 1
        above, below = found[at + 3 : middle - 1], found[middle + 2 : behind - 1]
        order = above[-1] if above else "1"
        if above and (above[:-1] != ["^"] or list(below[-2:]) != above or not order.isdigit()):
            raise Unread("a derivative in several variables at once")
        name = self._bound(below[:-2] if above else below)
        end, depth = behind, 0
        while end < len(found):
            depth += (found[end] in _OPENING) - (found[end] in _CLOSING)
            if depth < 0 or (not depth and found[end] in ("+", "-", ",", *_SIGNS)):
                break
            end += 1
        return end, ["derivative", self._expression(found[behind:end]), name, order]

    def _bound(self, found: Sequence[str]) -> str:
        """Return the variable that is bound; raises `Unread` for what is none."""
        tree = self.values.get(self.declared.number(found), "")
        if tree[:1] != ["var"]:
            raise Unread("a derivative or a value at a point in what is no variable")
        return str(tree[1])

    # ---------------------------------------------------------------------------------------------- expressions

    def _tree(self, side: Expression) -> Tree:
        """Return the tree of an expression of the reader."""
        match side:
            case Number(value):
                return str(value)
            case Name("pi" | "e" as name):
                return [name]
            case Name(name):
                if not re.fullmatch(r"z_\d+", name):
                    raise Unread(f"a name that the page does not declare, {name}")
                return self._value(int(name[2:]))
            case Terms(parts):
                terms = [(sign, self._tree(part)) for sign, part in parts]
                return _joined("add", [_joined("mul", ["-1", t]) if sign == "-" else t for sign, t in terms])
            case Factors(parts):
                factors = [(sign, self._tree(part)) for sign, part in parts]
                return _joined("mul", [_power(f, "-1") if sign == "/" else f for sign, f in factors])
            case Power(Name("e"), exponent):
                return ["exp", self._tree(exponent)]
            case Power(base, exponent):
                return _power(self._tree(base), self._tree(exponent))
            case Call("sqrt" | "cbrt" as name, (inside,)):
                return _power(self._tree(inside), "1/2" if name == "sqrt" else "1/3")
            case Call(name, arguments) if name in _FUNCTIONS:
                return [name, *map(self._tree, arguments)]
        kind = getattr(side, "name", "") or getattr(side, "kind", "")
        raise Unread(f"{kind}: it has no tree in the kernel")


def _bound(formulas: Sequence[str]) -> Iterator[str]:
    """Yield LaTeX of the variables that formulas bind."""
    for latex in formulas:
        for points, derived in _BOUND.findall(latex):
            yield from [part.partition("=")[0].strip() for part in points.split(r"\\")] if points else [derived.strip()]


def _derives(found: Sequence[str], at: int) -> bool:
    r"""Return whether `\frac{d}{d x}` or the same with `\partial` stands at a place."""
    above = list(found[at : at + 3])
    if above[:2] != [r"\frac", "{"] or above[2:] not in (["d"], [r"\partial"]):
        return False
    middle = closing(found, at + 1) + 1
    return list(found[middle : middle + 2]) == ["{", *above[2:]] and found[middle + 2] != "}"


def _holds(tree: Tree, name: str) -> bool:
    """Return whether a tree holds a variable."""
    return tree == ["var", name] or (isinstance(tree, list) and any(_holds(part, name) for part in tree[1:]))


def _in_one_line(found: Sequence[str]) -> list[str]:
    """Return the signs without line breaks: a line goes on with a sign of a relation, or with `and`."""
    made, at, held = list[str](), 0, 0
    while at < len(found):
        sign = found[at]
        end = at + 1
        if sign in (r"\begin", r"\end", r"\text"):
            end = closing(found, at + 1) + 1
            word = "".join(found[at:end])
            if sign == r"\text":
                made.append(word)
            elif word[word.index("{") :] != "{aligned}":
                raise Unread(f"an environment, {word}")
        elif sign == r"\\" and not held:
            while found[end : end + 1] in (["&"], [r"\quad"]):
                end += 1
            if found[end : end + 1] != [r"\text"] and (not found[end:] or found[end] not in _SIGNS):
                raise Unread("a line that does not go on with a relation")
        elif sign not in ("&", r"\quad", r"\qquad"):
            made.append(sign)
            # The lines below a bar are those of its points.
            held += (sign == "{") - (sign == "}") if held or found[at - 1] == r"\substack" else 0
        at = end
    return made


def _split(found: Sequence[str], marks: Mapping[str, str]) -> tuple[list[list[str]], list[str]]:
    """Return what stands between marks outside of brackets, and these marks."""
    parts, joins, depth = [list[str]()], list[str](), 0
    for sign in found:
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if sign in marks and not depth:
            joins.append(sign)
            parts.append([])
        else:
            parts[-1].append(sign)
    return parts, joins


def _joined(name: str, parts: Sequence[Tree]) -> Tree:
    """Return a sum or a product; numbers alone become one number."""
    if all(isinstance(part, str) for part in parts):
        total = Fraction(parts[0])
        for part in parts[1:]:
            total = total + Fraction(part) if name == "add" else total * Fraction(part)
        return str(total)
    return [name, *parts]


def _power(base: Tree, exponent: Tree) -> Tree:
    """Return a power; one over a number is a number."""
    if isinstance(base, str) and exponent == "-1" and Fraction(base):
        return str(1 / Fraction(base))
    return ["pow", base, exponent]
