"""Points that exist for each of others: with formulas in their places a statement has one quantifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rgm_verify.statements.grammar.definitions import substituted
from rgm_verify.statements.trees import (
    And,
    Call,
    Compare,
    Expression,
    Formula,
    Given,
    If,
    Iff,
    Law,
    Name,
    Not,
    Or,
    Sort,
    Statement,
    bounded,
    conditions,
    names,
)

__all__ = ["flat", "instance", "names_given", "names_of_points"]


def flat(statement: Statement) -> Statement:
    """Return the statement with its points among what is given, for whoever wants to see its relations."""
    return replace(statement, given=(*statement.given, *statement.points), points=())


def names_of_points(statement: Statement) -> list[str]:
    """Return the names that the points of a statement have: what its `there is` declares, and nothing before it does.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> names_of_points(parse("for all x > 0: there is y > x, n integer with x < n*y"))
        ['y', 'n']
    """
    before = names_given(statement.given)
    found = [name for given in statement.points for name in _declared(given)]
    return [name for name in dict.fromkeys(found) if name not in before]


def names_given(given: Iterable[Given]) -> set[str]:
    """Return all names in what is given."""
    given = list(given)
    declared = {g.name for g in given if isinstance(g, Sort | Law)}
    return declared | {place.name for place in names(conditions(given))}


def _declared(given: Given) -> Iterator[str]:
    """Yield the name that an item declares, if any."""
    if isinstance(given, Sort | Law):
        yield given.name
    elif isinstance(given, Compare) and isinstance(given.sides[0], Name):
        yield given.sides[0].name
    elif bounded(given):
        yield bounded(given)


def instance(statement: Statement, values: Mapping[str, Expression]) -> Statement:
    """Return what is said of all others when formulas stand in the places of the points.

    Examples:
        >>> from rgm_verify.statements.parser import parse
        >>> from rgm_verify.statements.trees import text
        >>> tree = parse("for all x real: there is y integer with y > x")
        >>> print(text(instance(tree, {"y": parse("floor(x) + 1 = 0").says.sides[0]})))
        for all x real: floor(x) + 1 = floor(floor(x) + 1) and floor(x) + 1 > x
    """
    asked: list[Formula] = []
    for given in statement.points:
        if isinstance(given, Sort) and given.kind == "integer":
            value = values[given.name]
            asked.append(Compare((value, Call("floor", (value,))), ("=",), position=given.position))
    asked += [*conditions(statement.points), statement.says]
    made = [placed(formula, values) for formula in asked]
    says = made[0] if len(made) == 1 else And(tuple(made), position=statement.says.position)
    return replace(statement, says=says, points=())


def placed(formula: Formula, values: Mapping[str, Expression]) -> Formula:
    """Return a formula with expressions in the places of names."""
    match formula:
        case Compare(sides):
            return replace(formula, sides=tuple(substituted(side, values) for side in sides))
        case And(parts) | Or(parts):
            return replace(formula, parts=tuple(placed(part, values) for part in parts))
        case Not(part):
            return replace(formula, part=placed(part, values))
        case If(condition, consequence):
            return replace(formula, condition=placed(condition, values), consequence=placed(consequence, values))
        case Iff(left, right):
            return replace(formula, left=placed(left, values), right=placed(right, values))
