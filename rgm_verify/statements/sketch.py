"""Words for a proof that the kernel has checked: one line for each step that says something to a reader.

The lines are for reading and carry no weight. What is true was settled by the kernel, from the same document, before
anything here looks at it. So steps without news are left out, long lines are cut, and a fact that has no short name is
shown as `[known]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from rgm_verify.balls.replaying.statement import text_of

__all__ = ["sketched"]

#: Lines, and characters of a line, that are shown.
_MOST_LINES: Final = 12
_LONGEST: Final = 160
#: What the rules of the kernel say (`rgm_verify.kernel.rules.RULES`), in the arguments of their steps.
_RULES: Final = {
    "sign": "{0} is positive, 0 or negative", "number": "the sign of {0}, by an enclosure",
    "inv": "{0} times its reciprocal is 1", "root": "the root of {1} to its power is {1}, and it is not negative",
    "exp": "exp(u) >= 1 + u and exp(u) > 0 at u = {0}",
    "log": "log(u) <= u - 1 and u log(u) >= u - 1 at u = {0}", "log_product": "the logarithm of a product is a sum",
    "log_exp": "log(exp(u)) = u at u = {0}", "pow": "u^v = exp(v log(u)) at u = {0}, v = {1}",
    "max": "a maximum is one of its arguments, and none is larger", "equal": "equal arguments give equal values",
    "gamma": "gamma(u + 1) = u gamma(u) > 0 at u = {0}",
}  # fmt: skip


def sketched(document: Mapping[str, Any]) -> list[str]:
    """Return the lines of a checked proof, the long ones shortened and the last ones left out where there are many.

    Args:
        document: A proof in the kernel's format (`rgm_verify.kernel.check`) that the kernel has accepted. Its form is
            relied on: a document that was not checked may raise anything.

    Returns:
        At most `_MOST_LINES` lines, and one that counts the others. Steps below a step are moved in by two blanks.
    """
    lines = list(_Words(document["names"], _given(document["statement"])).steps(document["proof"], 0))
    if len(lines) > _MOST_LINES:
        lines = [*lines[:_MOST_LINES], f"... ({len(lines) - _MOST_LINES} more)"]
    return [line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..." for line in lines]


def _given(statement: Mapping[str, Any]) -> list[str]:
    """Return for each fact that the kernel begins with the side that it says is not negative; empty where it is none.

    Facts are counted up to the first given formula that may be several of them, or of whose terms some have conditions.
    Behind it the numbers of facts are no longer known here, and a wrong name would be worse than none.

    Args:
        statement: The statement of the document, with the fields that `kernel.check.PARTS` names.
    """
    if statement["quantifier"] == "exists":
        return []
    found: list[str] = []
    for relation in [r for _, _, domain in statement["variables"] for r in domain] + list(statement["hypotheses"]):
        if relation[0] not in ("<=", "<", ">=", ">", "==", "!=") or not all(map(_is_plain, relation[1:])):
            return found
        # The kernel turns every relation into `side >= 0`, with the larger side first.
        low, high = relation[1:] if relation[0] in ("<=", "<") else reversed(relation[1:])
        side = text_of(["add", high, ["mul", "-1", low]]) if low != "0" else text_of(high)
        found.append("" if relation[0] in ("==", "!=") else f"({side})" if low != "0" else side)
    return found


def _is_plain(tree: Any) -> bool:
    """Return whether an expression is a polynomial in variables, so that nothing is asked of it.

    Examples:
        >>> _is_plain(["add", "1", ["pow", ["var", "x"], "2"]]), _is_plain(["pow", ["var", "x"], "-1"])
        (True, False)
    """
    if isinstance(tree, str) or tree[0] in ("var", "pi", "e"):
        return True
    if tree[0] in ("add", "mul"):
        return all(map(_is_plain, tree[1:]))
    return tree[0] == "pow" and _is_plain(tree[1]) and isinstance(tree[2], str) and tree[2].isdigit()


class _Words:
    """The names that the polynomials of one proof are made of."""

    def __init__(self, names: Sequence[Any], given: Sequence[str]) -> None:
        self.names = [text_of(name) for name in names]
        self.given = given

    def poly(self, data: Sequence[Sequence[Any]]) -> str:
        """Return a polynomial: terms [coefficient, name, exponent, ...], those of the highest degree first.

        Examples:
            >>> _Words([["var", "x"], ["var", "y"]], []).poly([["-1/2", 1, 1], ["1", 0, 2], ["3"]])
            'x^2 - 1/2*y + 3'
        """
        found = ""
        for coefficient, *factors in sorted(data, key=lambda term: -sum(term[2::2])):
            value = Fraction(coefficient)
            names = [self.factor(*pair) for pair in zip(factors[::2], factors[1::2], strict=True)]
            # A coefficient of 1 is not written, as on paper.
            size = [] if abs(value) == 1 and names else [str(abs(value))]
            sign = ("-" if value < 0 else "") if not found else (" - " if value < 0 else " + ")
            found += sign + "*".join([*size, *names])
        return found or "0"

    def factor(self, name: int, exponent: int) -> str:
        """Return a name to its exponent, in parentheses where a power would bind to a part of it.

        Args:
            name: The number of the name in the document.
            exponent: At least 1; nothing is written for 1.
        """
        base = self.names[name]
        simple = base.replace("_", "").isalnum() or base.endswith(")")
        return f"{base if simple else f'({base})'}" + (f"^{exponent}" if exponent != 1 else "")

    def steps(self, proof: Sequence[Sequence[Any]], depth: int) -> Iterator[str]:
        """Yield the lines of the steps, those below a step moved in."""
        for name, *rest in proof:
            said, nested = self.rule(name, rest) if name in _RULES else self.step(name, rest)
            if said:
                yield "  " * depth + said
            for inner in nested:
                yield from self.steps(inner, depth + 1)

    def step(self, name: str, rest: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        """Return what a step says, empty where that is nothing to a reader, and the proofs below it.

        Args:
            name: The name of the step.
            rest: What the kernel takes with it. The places of nested proofs are those of its format, `mean` with its
                proof fifth, `use` third.
        """
        match name:
            case "sum":
                return self.sum(rest[0]), ()
            case "clear_goal":
                return f"both sides times {self.poly(rest[0])}", ()
            case "clear" | "divide":
                return "a known relation, multiplied or divided by something positive", ()
            case "have":
                return self.have(rest)
            case "suppose":
                return "suppose that it does not hold", ()
            case "cases":
                return "in each of the cases:", rest[1]
            case "each":
                return "for each of the relations:", rest[0]
            case "mean":
                return f"the mean value theorem for {text_of(rest[0])} in {rest[1]}", [rest[5]]
            case "use":
                return f"by {rest[0]}", [rest[2]]
        return "", ()

    def have(self, rest: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        """Return an intermediate result with its proof; one about a number alone is not worth a line."""
        formula, proof = rest
        if not (isinstance(formula, list) and len(formula) == 2 and isinstance(formula[1], list)):
            return "an intermediate result:", [proof]
        try:
            # A term of length 1 is a coefficient without names.
            if all(len(term) == 1 for term in formula[1]):
                return "", []
            return f"{self.poly(formula[1])} {formula[0]} 0, since", [proof]
        except (TypeError, ValueError):
            return "an intermediate result:", [proof]

    def sum(self, products: Sequence[Any]) -> str:
        """Return what a nonnegative combination is made of: "0 <= " and the products, squares first.

        Multiples of equations are left out. They are 0, and tend to be the longest part of a step.
        """
        parts = []
        for coefficient, known, squares in products:
            factors = [f"({self.poly(square)})^2" for square in squares]
            factors += [self.known(ref) for ref in known]
            value = Fraction(coefficient)
            parts.append("*".join(([str(value)] if value != 1 or not factors else []) + factors))
        return f"0 <= {' + '.join(parts)}" if parts else ""

    def known(self, ref: Any) -> str:
        """Return a side that is not negative by what is given; what steps have shown has no name."""
        return self.given[ref] if isinstance(ref, int) and ref < len(self.given) and self.given[ref] else "[known]"

    def rule(self, name: str, rest: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        """Return what a rule for a function says at its arguments.

        An argument that is no polynomial is shown as it is, and as dots where it cannot be shown at all: a sketch with
        a gap is of more use than no sketch.
        """
        shown = []
        for part in rest:
            try:
                shown.append(self.poly(part) if isinstance(part, list) else str(part))
            except (TypeError, ValueError, IndexError):
                shown.append("...")
        # Rules take arguments that may be left out, and a missing one must not end the sketch.
        return _RULES[name].format(*shown, "...", "..."), ()
