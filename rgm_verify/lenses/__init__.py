"""Lenses: the ways to look at a claim. Each gives one kind of evidence; none decides alone.

Importable from here for authors of claims: `Analysis`, `Identity`, `Combination`, `Monotone`, `Smt`,
`Deduction`, `Premise`, `Region`, `Points`, `Search`, `Quadrature`, `Simulation`, `Unreduced`,
`Released`, `Units`, `Scaling`, `Worlds`, `Performance`, `Matrices`, `Measured`, `Where`, and
`rounds_to` for printed numbers.

The folders go by what is looked at. `algebra`, `analysis`, `solvers`, `proofs` and `matrices` prove
for all points; `points` looks at exact points and searches; `worlds` and `distributions` look at the
statement before it was reduced to a formula; `measured` looks at recorded numbers; `controls` tests
the lenses on false statements.
"""

from rgm_verify.lenses.algebra.identities import Combination, Identity
from rgm_verify.lenses.analysis.lens import Analysis
from rgm_verify.lenses.base import Lens
from rgm_verify.lenses.distributions.integrals import Quadrature
from rgm_verify.lenses.distributions.outputs import Released, Unreduced
from rgm_verify.lenses.distributions.simulation import Simulation, Units
from rgm_verify.lenses.matrices.all_sizes import Matrices
from rgm_verify.lenses.measured import Measured, Where
from rgm_verify.lenses.points.numeric import Points, Search, rounds_to
from rgm_verify.lenses.proofs.logic import Deduction, Smt
from rgm_verify.lenses.proofs.premises import Premise
from rgm_verify.lenses.proofs.region import Region
from rgm_verify.lenses.proofs.taylor import Monotone
from rgm_verify.lenses.worlds.exact import Worlds
from rgm_verify.lenses.worlds.performance import Performance
from rgm_verify.lenses.worlds.scaling import Scaling

#: The lenses that make evidence. A class from elsewhere is none, whatever it derives from.
LIBRARY: frozenset[type[Lens]] = frozenset(
    {
        Analysis, Combination, Deduction, Identity, Matrices, Measured, Monotone, Performance, Points, Quadrature,
        Region, Released, Scaling, Search, Simulation, Smt, Units, Unreduced, Worlds,
    }
)  # fmt: skip

__all__ = [
    "LIBRARY",
    "Analysis",
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
