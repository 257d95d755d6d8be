"""A function as data: a field for each use that the library makes of it.

Nothing here imports SymPy or Arb: functions are called by their names there, and conditions work on whatever they are
given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Condition", "Conditions", "Function", "everywhere"]

#: A relation that an argument has to fulfil: a side, one of > >= < <= !=, and the other side.
Condition: TypeAlias = "tuple[Any, str, Any]"
#: Conditions on the arguments that together suffice; None where these do not tell.
Conditions: TypeAlias = "Callable[..., tuple[Condition, ...] | None]"


def everywhere(*arguments: Any) -> tuple[Condition, ...]:
    """Return no condition: the function is real, or smooth, at all real numbers."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Function:
    """One function of real numbers. An empty text or None says that a use has no place for it.

    Attributes:
        sympy: The name of its class in SymPy.
        fixed: The first arguments that SymPy gives it, such as 0 of polygamma for the digamma function.
        count: The least and the largest number of its other arguments.

        text: Its name in statements.
        also: Other names that are read as it.
        letter: Whether its name is a common letter too, and then means that without parentheses.
        integers: Whether it is read at integers alone, as zeta(3); elsewhere its name is a letter.
        circular: Whether a power may stand behind its name: sin^2(x).
        command: Whether LaTeX has a command of its name.
        latex: LaTeX with {0}, {1} for its arguments, where it is not the name with parentheses.

        tree: Its name in written formulas.
        plain: Its value in functions that have enclosures, as an expression.

        domain: Where it is real; sufficient conditions.
        exact: Whether it is real nowhere else. Only then does a value tell something of the arguments.
        poles: Whether it has no value at the integers from the end of its domain downwards.
        smooth: Where it is smooth.
        continuous: Whether it is continuous where its domain is.
        rises: 1 or -1 where it is strictly rising or falling on all of its domain, an interval; else 0.

        op: Its operation in programs.
        floats: Its name in NumPy or in scipy.special, or a function of columns of floats.
        arb: The operation on balls {0}, {1}, where it is not the method of its name.
        at: A rational place at which its value is rational, with that value.
    """

    sympy: str
    fixed: tuple[int, ...] = ()
    count: tuple[int, int] = (1, 1)

    text: str = ""
    also: tuple[str, ...] = ()
    letter: bool = False
    integers: bool = False
    circular: bool = False
    command: bool = False
    latex: str = ""

    tree: str = ""
    plain: Callable[..., Any] | None = None

    domain: Conditions | None = None
    exact: bool = True
    poles: bool = False
    smooth: Conditions | None = None
    continuous: bool = True
    rises: int = 0

    op: str = ""
    floats: str | Callable[..., Any] = ""
    arb: str = ""
    at: tuple[int, int] | None = None
