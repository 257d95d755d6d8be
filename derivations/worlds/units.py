"""Changes of units under which the statements of Sections 5 and 6 stay the same."""

from sympy import sqrt

from rgm_verify.lenses import Scaling
from rgm_verify.lenses.worlds.scaling import S

from ..rgm.clipping_notation import c1, c2, level, radius
from ..rgm.descent_notation import B, F, G, L, lam, mu, tau
from ..rgm.notation import sigma2

_LOSS = {mu: S * mu, L: S * L, lam: S * lam, tau: tau / S, F: S * F, B: S * B, G: S**2 * G, sigma2: S**2 * sigma2}
#: With s f for f the same iterates have the step tau/s.
LOSS = Scaling("the unit of the loss", _LOSS, {"the step stays": {k: v for k, v in _LOSS.items() if k != tau}})

_MATRIX = {c1: S * c1, c2: S * c2, level: level / S, radius: radius / sqrt(S)}
#: With s C for C the same test has the level rho/s and the same clipping the threshold R_c/sqrt(s).
MATRIX = Scaling("the unit of C", _MATRIX, {"rho stays": {k: v for k, v in _MATRIX.items() if k != level}})
