"""Lenses: the ways to look at a claim. Each gives one kind of evidence; none decides alone.

Importable from here for authors of claims:
`Identity`, `Combination`, `Monotone`, `Smt`, `Deduction`, `Premise`, `Region`, `Points`, `Search`, `Quadrature`,
`Simulation`, `Unreduced`, `Released`, `Units`, `Scaling`, `Worlds`, `Performance`, `Matrices`, `Measured`, `Where`, and
`rounds_to` for printed numbers.
"""

from rgm_verify.lenses.algebra import Combination, Identity
from rgm_verify.lenses.base import Lens
from rgm_verify.lenses.calculus import Monotone
from rgm_verify.lenses.integrals import Quadrature
from rgm_verify.lenses.logic import Deduction, Smt
from rgm_verify.lenses.matrices import Matrices
from rgm_verify.lenses.measured import Measured, Where
from rgm_verify.lenses.numeric import Points, Search, rounds_to
from rgm_verify.lenses.outputs import Released, Unreduced
from rgm_verify.lenses.performance import Performance
from rgm_verify.lenses.premises import Premise
from rgm_verify.lenses.region import Region
from rgm_verify.lenses.scaling import Scaling
from rgm_verify.lenses.simulation import Simulation, Units
from rgm_verify.lenses.worlds import Worlds

#: The lenses that make evidence. A class from elsewhere is none, whatever it derives from.
LIBRARY: frozenset[type[Lens]] = frozenset(
    {
        Combination, Deduction, Identity, Matrices, Measured, Monotone, Performance, Points, Quadrature, Region,
        Released, Scaling, Search, Simulation, Smt, Units, Unreduced, Worlds,
    }
)  # fmt: skip

__all__ = [
    "LIBRARY",
    "Combination",
    "Deduction",
    "Identity",
    "Matrices",
    "Measured",
    "Monotone",
    "Performance",
    "Points",
    "Premise",
    "Quadrature",
    "Region",
    "Released",
    "Scaling",
    "Search",
    "Simulation",
    "Smt",
    "Units",
    "Unreduced",
    "Where",
    "Worlds",
    "rounds_to",
]
