"""Derivatives of trees, and what makes a tree smooth; derivatives and substitutions in statements become plain trees.

A statement may hold ["derivative", f, name, "n"] and ["at", f, name, tree]. `resolved` works them out and keeps beside
the result what they ask for: ["given", tree, condition, ...] is the tree, which is defined where the conditions hold;
the condition ["defined", tree] says that the terms of a tree are defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from rgm_verify.kernel.terms import Refused, Tree, literal, substitute

__all__ = ["conditions", "derivative", "resolved", "small"]

HIGHEST = 8
LARGEST_TREE = 50_000
_SLOPES: dict[str, Callable[[Tree], Tree]] = {
        "exp": lambda x: ["exp", x], "sinh": lambda x: ["cosh", x], "cosh": lambda x: ["sinh", x],
        "sin": lambda x: ["cos", x], "cos": lambda x: ["mul", "-1", ["sin", x]],
        "log": lambda x: ["pow", x, "-1"],
        "tanh": lambda x: ["add", "1", ["mul", "-1", ["pow", ["tanh", x], "2"]]],
        "erf": lambda x: ["mul", "2", ["pow", ["pi"], "-1/2"], ["exp", ["mul", "-1", ["pow", x, "2"]]]],
        "erfc": lambda x: ["mul", "-2", ["pow", ["pi"], "-1/2"], ["exp", ["mul", "-1", ["pow", x, "2"]]]]}  # fmt: skip


def _free(tree: Tree, name: str) -> bool:
    """Return whether a tree depends on a variable."""
    if isinstance(tree, str):
        return False
    return tree[1] == name if tree[0] == "var" else any(_free(part, name) for part in tree[1:])


def derivative(tree: Tree, name: str) -> Tree:
    """Return the derivative of a tree in a variable; raises `Refused` for a function without one here."""
    if not _free(tree, name):
        return "0"
    head, arguments = tree[0], tree[1:]
    if head == "var":
        return "1"
    if head == "given":
        return derivative(tree[1], name)
    if head == "add":
        return ["add", *(derivative(part, name) for part in arguments)]
    if head == "mul":
        varying = [i for i, part in enumerate(arguments) if _free(part, name)]
        if len(varying) * len(arguments) > LARGEST_TREE:
            raise Refused(f"the derivative of a product of {len(arguments)} factors is too large")
        products = [["mul", *arguments[:i], derivative(arguments[i], name), *arguments[i + 1 :]] for i in varying]
        return products[0] if len(products) == 1 else ["add", *products]
    if head == "pow" and isinstance(arguments[1], str):
        less = str(Fraction(literal(arguments[1])) - 1)
        return ["mul", arguments[1], ["pow", arguments[0], less], derivative(arguments[0], name)]
    if head == "pow":
        x, y = arguments
        slope = ["add", ["mul", derivative(y, name), ["log", x]], ["mul", y, derivative(x, name), ["pow", x, "-1"]]]
        return ["mul", tree, slope]
    if head == "logrem":
        a, b, x = arguments
        return ["mul", f"-{b}", ["logrem", str(literal(a) + 1), str(literal(b) + 1), x], derivative(x, name)]
    if head in _SLOPES:
        return ["mul", _SLOPES[head](arguments[0]), derivative(arguments[0], name)]
    raise Refused(f"{head!r:.40} has no derivative in the kernel")


def conditions(tree: Tree, name: str) -> Iterator[Tree]:
    """Yield formulas under which a tree is smooth in a variable, near each point where they hold."""
    if not _free(tree, name):
        return
    head, arguments = tree[0], tree[1:]
    if head == "given":
        yield from conditions(tree[1], name)
        yield from tree[2:]
        return
    for argument in arguments[2:] if head == "logrem" else () if head == "var" else arguments:
        yield from conditions(argument, name)
    if head == "pow":
        base, exponent = arguments
        power = Fraction(literal(exponent)) if isinstance(exponent, str) else None
        if power is None or power.denominator > 1:
            yield [">", base, "0"]
        elif power < 0:
            yield ["!=", base, "0"]
    elif head == "log":
        yield [">", arguments[0], "0"]
    elif head == "logrem":
        yield [">", ["add", "1", arguments[2]], "0"]
    elif head not in ("var", "add", "mul") and head not in _SLOPES:
        raise Refused(f"{head!r:.40}: nothing is known of its smoothness in the kernel")


def small(tree: Tree) -> Tree:
    """Return a tree; raises `Refused` for one that is too large to go through."""
    left, waiting = LARGEST_TREE, [tree]
    while waiting:
        node = waiting.pop()
        left -= 1
        if left < 0:
            raise Refused(f"a tree has more than {LARGEST_TREE} nodes")
        waiting += node[1:] if isinstance(node, list) else []
    return tree


def resolved(tree: Tree) -> Tree:
    """Return a tree without derivatives and substitutions."""
    if isinstance(tree, str) or tree[0] == "var":
        return tree
    if tree[0] == "logrem":
        return [*tree[:3], resolved(tree[3])]
    if tree[0] == "given":
        raise Refused("'given' stands in no statement: it is what a derivative becomes")
    if tree[0] == "at":
        _, function, name, point = tree
        inner = resolved(function)
        if not _free(inner, name):
            raise Refused(f"at {name!r:.40}: what is evaluated there does not depend on it")
        return small(substitute(inner, {name: resolved(point)}))
    if tree[0] == "derivative":
        _, function, name, order = tree
        inner, times = resolved(function), literal(order)
        if not isinstance(order, str) or not isinstance(times, int) or not 1 <= times <= HIGHEST:
            raise Refused(f"derivative of order {order!r:.40}: allowed are 1 to {HIGHEST}")
        found = inner
        for _ in range(times):
            found = small(derivative(found, name))
        # What does not vary is gone from the slope, but there is none where it is not defined.
        return small(["given", found, *conditions(inner, name), ["defined", inner]])
    return [tree[0], *(resolved(part) for part in tree[1:])]
