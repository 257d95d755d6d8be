"""Derivatives of trees, and what makes a tree defined or smooth; statements become trees of the kernel's functions.

A statement may hold ["derivative", f, name, "n"] and ["at", f, name, tree]. `resolved` works them out and keeps beside
the result what they ask for: ["given", tree, condition, ...] is the tree, which is defined where the conditions hold;
the condition ["defined", tree] says that the terms of a tree are defined. It also writes out the functions that others
define, and ["real_pow", x, y] for x^y where y is no number and no integer by its form: it speaks of x >= 0 alone, also
where 2 is put in for y.

This module makes trees and proves nothing. Its answers are trusted: a condition left out of `asks` or a wrong slope
would let a false statement pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from rgm_verify.kernel.terms import Refused, Tree, literal, require, walk

HIGHEST = 8
LARGEST_TREE = 50_000
#: No walk over a tree then depends on how much of Python's stack is left.
DEEPEST_TREE = 60


def _minus(tree: Tree) -> Tree:
    """Return the negative of a tree."""
    return ["mul", "-1", tree]


#: What the functions are that the kernel has no rules for.
_DEFINITIONS: dict[str, Callable[..., Tree]] = {
    "e": lambda: ["exp", "1"], "abs": lambda x: ["max", x, _minus(x)],
    "min": lambda *parts: _minus(["max", *map(_minus, parts)]),
}  # fmt: skip
#: The slopes of the functions of one argument.
_SLOPES: dict[str, Callable[[Tree], Tree]] = {
    "exp": lambda x: ["exp", x], "log": lambda x: ["pow", x, "-1"],
    "erf": lambda x: ["mul", "2", ["pow", ["pi"], "-1/2"], ["exp", _minus(["pow", x, "2"])]],
}  # fmt: skip


def substitute(tree: Tree, images: Mapping[str, Tree]) -> Tree:
    """Return the tree of an expression or a formula with variables replaced, all at once.

    `images` maps names to trees; names that are not in it stay. Nothing binds a variable in these trees any more, so
    that none can be captured.

    Examples:
        >>> substitute(["add", ["var", "x"], ["var", "y"]], {"x": ["var", "y"], "y": "1"})
        ['add', ['var', 'y'], '1']
    """
    walk(1)
    if isinstance(tree, str):
        return tree
    return images.get(tree[1], tree) if tree[0] == "var" else [tree[0], *(substitute(p, images) for p in tree[1:])]


def free(tree: Tree, name: str) -> bool:
    """Return whether a tree depends on a variable."""
    walk(1)
    if isinstance(tree, str):
        return False
    return tree[1] == name if tree[0] == "var" else any(free(part, name) for part in tree[1:])


def whole(tree: Tree, kinds: Mapping[str, bool]) -> bool:
    """Return whether an expression is an integer by its form: a sum, product or maximum of integers.

    `kinds` says of each variable whether it is an integer. True is certain; False says that the form does not show it,
    as in n (n + 1)/2.
    """
    walk(1)
    if isinstance(tree, str):
        return isinstance(literal(tree), int)
    if tree[0] == "var":
        return kinds.get(tree[1], False)
    return tree[0] in ("add", "mul", "max") and all(whole(part, kinds) for part in tree[1:])


def asks(tree: Tree, *, smooth: bool = False) -> Iterator[Tree]:
    """Yield formulas under which a function is defined, or smooth near a point, where its arguments are.

    Only the outermost function counts: arguments have conditions of their own (`Checker.needs`, `conditions`). An
    integer power with a variable exponent is defined at 0 for exponents >= 0, as 0^0 is 1; with a real exponent 0^0 has
    no value.

    Examples:
        >>> x = ["var", "x"]
        >>> list(asks(["pow", x, "1/2"])), list(asks(["pow", x, "1/2"], smooth=True))
        ([['>=', ['var', 'x'], '0']], [['>', ['var', 'x'], '0']])
        >>> list(asks(["pow", x, "-2"])), list(asks(["pow", x, "2"]))
        ([['!=', ['var', 'x'], '0']], [])
    """
    walk(len(tree))
    if tree[0] == "given":
        yield from (condition for condition in tree[2:] if condition[0] != "defined")
    elif tree[0] in ("log", "gamma"):
        yield [">", tree[1], "0"]
    elif tree[0] in ("pow", "real_pow"):
        head, base, exponent = tree
        power = Fraction(literal(exponent)) if isinstance(exponent, str) and head == "pow" else None
        if power is not None and (power.denominator > 1 or power < 0):
            # Also for odd roots: where the exponent is no integer, a power of a negative number has no value here.
            yield ["!=" if power.denominator == 1 else ">" if smooth or power < 0 else ">=", base, "0"]
        elif power is None and smooth:
            # A variable exponent may move near the point, so that only a positive base is smooth whatever it does.
            yield [">", base, "0"]
        elif head == "real_pow":
            yield ["or", [">", base, "0"], ["and", [">=", base, "0"], [">", exponent, "0"]]]
        elif power is None:
            yield ["or", [">=", exponent, "0"], ["!=", base, "0"]]


def conditions(tree: Tree, name: str) -> Iterator[Tree]:
    """Yield formulas under which a tree is smooth in a variable, near each point where they hold.

    Raises `Refused` for a function of the variable that nothing is known of here, such as `max`, which has corners.
    """
    # What does not vary is smooth in it; where it is defined is asked of the whole statement.
    if not free(tree, name) or tree[0] == "var":
        return
    known = ("add", "mul", "pow", "real_pow", "given", *_SLOPES)
    require(tree[0] in known, "{!r:.40}: nothing is known of its smoothness in the kernel", tree[0])
    for argument in tree[1:2] if tree[0] == "given" else tree[1:]:
        yield from conditions(argument, name)
    yield from asks(tree, smooth=True)


def derivative(tree: Tree, name: str) -> Tree:
    """Return the derivative of a tree in a variable; raises `Refused` for a function without one here.

    It is right where `conditions` hold and says nothing elsewhere: the caller has to keep them. It is not simplified;
    `rgm_verify.kernel.terms` does so.

    Examples:
        >>> derivative(["log", ["mul", "2", ["var", "x"]]], "x")
        ['mul', ['pow', ['mul', '2', ['var', 'x']], '-1'], ['add', ['mul', '2', '1']]]
        >>> derivative(["max", ["var", "x"], "0"], "x")
        Traceback (most recent call last):
        rgm_verify.kernel.terms.Refused: 'max' has no derivative in the kernel
    """
    if not free(tree, name):
        return "0"
    head, arguments = tree[0], tree[1:]
    if head == "var":
        return "1"
    if head == "given":
        return derivative(tree[1], name)
    if head == "add":
        return ["add", *(derivative(part, name) for part in arguments)]
    if head == "mul":
        # The size is known before anything is built: a product of n varying factors has n terms of n factors.
        varying = [i for i, part in enumerate(arguments) if free(part, name)]
        size = len(varying) * len(arguments)
        walk(size)
        require(size <= LARGEST_TREE, "the derivative of a product of {} factors is too large", len(arguments))
        return ["add", *(["mul", *arguments[:i], derivative(arguments[i], name), *arguments[i + 1 :]] for i in varying)]
    if head in ("pow", "real_pow"):
        x, y = arguments
        if isinstance(y, str):
            return ["mul", y, ["pow", x, str(Fraction(literal(y)) - 1)], derivative(x, name)]
        slope = ["add", ["mul", derivative(y, name), ["log", x]], ["mul", y, derivative(x, name), ["pow", x, "-1"]]]
        return ["mul", tree, slope]
    if head in _SLOPES:
        return ["mul", _SLOPES[head](arguments[0]), derivative(arguments[0], name)]
    raise Refused(f"{head!r:.40} has no derivative in the kernel")


def small(tree: Tree) -> Tree:
    """Return a tree; raises `Refused` for one that is too large or too deep to go through.

    Each derivative may square the size, so that a short statement could otherwise stand for a tree of any size.
    """
    size, depth, level = 1, 0, [tree]
    while level:
        # Before they are gathered: with values put in, one node may stand at many places.
        level = [node for node in level if isinstance(node, list)]
        more = sum(len(node) - 1 for node in level if node)
        size, depth = size + more, depth + 1
        walk(1 + more)
        require(size <= LARGEST_TREE, "a tree has more than {} nodes", LARGEST_TREE)
        require(depth <= DEEPEST_TREE, "a tree is nested more than {} times", DEEPEST_TREE)
        level = [part for node in level for part in node[1:]]
    return tree


def resolved(tree: Tree, kinds: Mapping[str, bool], *, slopes: bool = True) -> Tree:
    """Return a tree of the kernel's functions alone, without derivatives and substitutions.

    `kinds` says of each variable that the tree may hold whether it is an integer. In what is assumed there are no
    `slopes`: of a derivative the kernel knows where it is defined, not where it is not. Raises `Refused` for a variable
    that is not in `kinds`, a derivative of an order outside of 1 to `HIGHEST`, and for forms that are the kernel's own.

    Examples:
        >>> form, slope, *conditions = resolved(["derivative", ["log", ["var", "x"]], "x", "1"], {"x": False})
        >>> slope
        ['mul', ['pow', ['var', 'x'], '-1'], '1']
        >>> conditions
        [['>', ['var', 'x'], '0'], ['defined', ['log', ['var', 'x']]]]
    """
    if isinstance(tree, str):
        return tree
    # A document could otherwise name conditions of its own, or choose which power its x^y is.
    require(tree[0] not in ("given", "real_pow"), "{!r} stands in no statement: other forms become it", tree[0])
    if tree[0] == "var":
        require(tree[1] in kinds, "{!r:.60} is no variable of the statement", tree[1])
        return tree
    if tree[0] == "at":
        _, function, name, point = tree
        inner = resolved(function, {**kinds, name: False}, slopes=slopes)
        # A value that does not depend on the point would drop it, and with it what the point asks for.
        require(free(inner, name), "at {!r:.40}: what is evaluated there does not depend on it", name)
        return small(substitute(inner, {name: resolved(point, kinds, slopes=slopes)}))
    if tree[0] == "derivative":
        require(slopes, "a hypothesis holds a derivative: where it is defined the kernel does not know")
        _, function, name, order = tree
        found = inner = resolved(function, kinds)
        known = order in map(str, range(1, HIGHEST + 1))
        require(known, "derivative of order {!r:.40}: allowed are 1 to {}", order, HIGHEST)
        for _ in range(int(order)):
            found = small(derivative(found, name))
        # What does not vary is gone from the slope, but there is none where it is not defined.
        return small(["given", found, *conditions(inner, name), ["defined", inner]])
    parts = [resolved(part, kinds, slopes=slopes) for part in tree[1:]]
    if tree[0] in _DEFINITIONS:
        return small(_DEFINITIONS[tree[0]](*parts))
    # Decided once, from the statement: a later value of the exponent must not change what the power means.
    is_real = tree[0] == "pow" and not isinstance(parts[1], str) and not whole(parts[1], kinds)
    return ["real_pow" if is_real else tree[0], *parts]
