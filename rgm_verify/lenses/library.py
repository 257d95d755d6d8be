"""The names of the lenses that make evidence, and where each is defined.

A record names the lenses that looked, and evidence is out of date where the code of one of these has
changed. So whoever judges imports a lens for its class alone, and asks it by `Lens.look`, which puts
the name down: what else of its file is used would be code that no record names.
"""

from __future__ import annotations

import sys

#: The module of each lens of the library, by the name of its class.
HOMES: dict[str, str] = {
    "Analysis": "rgm_verify.lenses.analysis.lens",
    "Combination": "rgm_verify.lenses.algebra.identities",
    "Deduction": "rgm_verify.lenses.proofs.logic",
    "Identity": "rgm_verify.lenses.algebra.identities",
    "Matrices": "rgm_verify.lenses.matrices.all_sizes",
    "Measured": "rgm_verify.lenses.measured",
    "Monotone": "rgm_verify.lenses.proofs.taylor",
    "Performance": "rgm_verify.lenses.worlds.performance",
    "Points": "rgm_verify.lenses.points.numeric",
    "Quadrature": "rgm_verify.lenses.distributions.integrals",
    "Region": "rgm_verify.lenses.proofs.region",
    "Released": "rgm_verify.lenses.distributions.outputs",
    "Scaling": "rgm_verify.lenses.worlds.scaling",
    "Search": "rgm_verify.lenses.points.numeric",
    "Simulation": "rgm_verify.lenses.distributions.simulation",
    "Smt": "rgm_verify.lenses.proofs.logic",
    "Units": "rgm_verify.lenses.distributions.simulation",
    "Unreduced": "rgm_verify.lenses.distributions.outputs",
    "Worlds": "rgm_verify.lenses.worlds.exact",
}

#: Everything that a record may name as having looked at its claim: the lenses, the values of improper integrals, and
#: what implies a claim with such an integral.
LOOKS: dict[str, str] = {
    **HOMES,
    "improper integrals": "rgm_verify.lenses.analysis.improper",
    "bounds of improper integrals": "rgm_verify.lenses.analysis.integrals",
}


def in_library(kind: type) -> bool:
    """Return whether a class is a lens of the library: that very class, and none that is derived from it or named so.

    Args:
        kind: A class.
    """
    home = sys.modules.get(HOMES.get(kind.__name__, ""))
    return getattr(home, kind.__name__, None) is kind
