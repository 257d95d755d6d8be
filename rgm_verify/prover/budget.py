"""The work that a search may do, in counts: the same search ends at the same place on every machine.

A unit is about a microsecond on a usual machine. What is counted: the polynomial arithmetic of the kernel, the steps
that z3 says it took, and the size of linear programs times the steps of the simplex method. No clock is read.
"""

from __future__ import annotations

__all__ = ["PATIENCE", "PER_SECOND", "Budget", "GivenUp", "TooSlow"]

#: Units that a usual machine does in a second.
PER_SECOND = 1_000_000
#: Seconds after which a single question is ended by the clock: fifty times what its steps should take.
PATIENCE = 40
# How the kinds of work compare, measured on the searches for 110 proofs.
_KERNEL = 5  # for a step of work of the kernel
_STEP = 50  # for a step of a proof
_QUESTION = 5_000  # for a question to z3, without its terms
_FACTOR = 40  # for each factor of a term of a question
_Z3_STEPS = 8  # of its own steps that z3 does in a unit
_PROGRAM = 2_000  # for a linear program, without its entries
_ENTRY = 12  # for each of its entries: the product that it comes from, its place in the matrix
_PIVOT = 300  # entries that a pivot goes through in a unit
_ITERATION = 300  # operations of an iteration of a semidefinite program in a unit


class GivenUp(Exception):
    """No proof was found; the text says where the search stopped."""


class TooSlow(Exception):
    """The clock ended a question, so that what comes of the search says something of the machine, and nothing else."""


class Budget:
    """Units of work that are left.

    The limit is asked before a step and not during it, so that the work may end a little above it, at the same place in
    every run.

    Args:
        units: How much may be done, in units of about a microsecond.

    Examples:
        >>> budget = Budget(100)
        >>> budget.arithmetic(30)
        >>> budget.left, budget.over
        (0, True)
        >>> budget.check()
        Traceback (most recent call last):
        rgm_verify.prover.budget.GivenUp: the work is done that the search may do: 100 units
    """

    def __init__(self, units: int) -> None:
        self.units = units
        self.spent = 0

    @property
    def over(self) -> bool:
        """Tell whether all of it is spent."""
        # The last step may go beyond the limit: what it costs is known only when it is done.
        return self.spent >= self.units

    @property
    def left(self) -> int:
        """The units that are left, at least 0."""
        return max(0, self.units - self.spent)

    def check(self) -> None:
        """Raise `GivenUp` where all of it is spent."""
        if self.over:
            raise GivenUp(f"the work is done that the search may do: {self.units} units")

    def arithmetic(self, work: int) -> None:
        """Count arithmetic of polynomials, in the kernel's own steps of work."""
        self.spent += _KERNEL * work

    def step(self) -> None:
        """Count a step of the proof."""
        self.spent += _STEP

    def z3_steps(self, most: int) -> int:
        """Return how many of its own steps z3 may take for a question that may cost so many units."""
        return max(1, _Z3_STEPS * min(most, self.left))

    def factors(self, count: int) -> None:
        """Count factors of a term of a question."""
        self.spent += _FACTOR * count

    def question(self, steps: int) -> None:
        """Count a question to z3 that took so many of its steps."""
        self.spent += _QUESTION + steps // _Z3_STEPS

    def pivots(self, entries: int, most: int) -> int:
        """Return how many pivots a linear program with so many entries may take, for so many units."""
        return max(1, min(most, self.left) * _PIVOT // (_PIVOT + entries))

    def entries(self, count: int) -> None:
        """Count entries of a linear program, as its columns are made."""
        self.spent += _ENTRY * count

    def program(self, entries: int, pivots: int) -> None:
        """Count a linear program with so many entries that took so many pivots."""
        self.spent += _PROGRAM + pivots * (_PIVOT + entries) // _PIVOT

    def semidefinite(self, unknowns: int, equations: int, iterations: int) -> None:
        """Count a semidefinite program with so many unknowns and equations that took so many iterations."""
        self.spent += _PROGRAM + iterations * unknowns * (unknowns + equations) // _ITERATION
