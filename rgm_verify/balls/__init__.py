"""The ball-arithmetic judge: enclosures, rigorous integrals, branch and bound, region certificates and their replay.

It knows nothing of claims and of pairs of Gaussians, and hands out exact rationals, or floats on the stated side.
The names below are loaded on first use.  Three functions are named like their modules and are imported from these:
`balls.enclose.enclose`, `balls.integrate.integrate`, `balls.replay.replay`.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "Box": "cells", "RangeResult": "ranges", "RegionResult": "branch", "bound_range": "ranges", "certify": "branch",
    "Certificate": "certificate", "write_certificate": "certificate", "Subject": "certificate",
    "Enclosure": "enclose", "evaluate_many": "enclose", "sign_at": "enclose",
    "integrate_gaussian_line": "integrate", "integrate_radial": "integrate",
    "Program": "program", "UnsupportedExpression": "program", "compile_expressions": "compiling",
    "ReplayResult": "replay",
    "LogRemainder": "special", "LogRemainderD": "special", "LogRemainderMoment": "special",
    "MPMATH_FUNCTIONS": "special", "NUMPY_FUNCTIONS": "special",
}  # fmt: skip

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load the module that holds `name` on first use: importing this room costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
