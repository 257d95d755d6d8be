"""The language of exact worlds: linear algebra over Fractions, the library's worlds, and lenses with their wrong forms."""

from collections.abc import Mapping
from dataclasses import dataclass as dataclass, replace as replace
from fractions import Fraction as Fraction
from functools import partial as partial
from typing import Any as Any

import numpy as np

from rgm_verify.lenses.worlds.exact import *
from rgm_verify.lenses.worlds.library import *
from rgm_verify.lenses.worlds.linear import *
from rgm_verify.lenses.worlds.reduction import cosine as cosine, norm as norm, root as root

#: What draws a world.
Random = np.random.Generator


def lens(
    says: str,
    statement: Statement,
    draw: Generator,
    broken: Mapping[str, Mapping[str, Any] | Statement] | None = None,
    count: int | None = None,
) -> Worlds:
    """Make the lens that says `says`, looking at `statement` in worlds that `draw` draws, in `count` of them if given.

    A wrong form is named in `broken`: a statement, or the settings with which `statement` is one.
    """
    forms = (broken or {}).items()
    wrong = {name: partial(statement, **form) if isinstance(form, Mapping) else form for name, form in forms}
    return Worlds(says, draw, statement, wrong, count)
