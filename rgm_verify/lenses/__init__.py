"""Lenses: the ways to look at a claim. Each gives one kind of evidence; none decides alone.

Importable from here for authors of claims: `Analysis`, `Identity`, `Combination`, `Monotone`, `Smt`,
`Deduction`, `Premise`, `Region`, `Points`, `Search`, `Quadrature`, `Simulation`, `Unreduced`,
`Released`, `Units`, `Scaling`, `Worlds`, `Performance`, `Matrices`, `Measured`, `Where`, and
`rounds_to` for printed numbers. Each is loaded when it is first asked for, so that a lens stands on
its own code alone (`library` says why that counts).

The folders go by what is looked at. `algebra`, `analysis`, `solvers`, `proofs` and `matrices` prove
for all points; `points` looks at exact points and searches; `worlds` and `distributions` look at the
statement before it was reduced to a formula; `measured` looks at recorded numbers; `controls` tests
the lenses on false statements.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from rgm_verify.lenses.library import HOMES

if TYPE_CHECKING:
    from rgm_verify.lenses.algebra.identities import Combination, Identity
    from rgm_verify.lenses.analysis.lens import Analysis
    from rgm_verify.lenses.base import Lens as Lens
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

_OTHERS = {
    "Lens": "rgm_verify.lenses.base",
    "Premise": "rgm_verify.lenses.proofs.premises",
    "Where": HOMES["Measured"],
    "rounds_to": HOMES["Points"],
}

__all__ = [
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


def __getattr__(name: str) -> Any:
    """Load the module that holds `name` on first use."""
    home = HOMES.get(name) or _OTHERS.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)
