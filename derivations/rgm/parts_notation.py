r"""The change of a gradient in parts: $u = A_0A^{-1}\nabla f(\theta)$, $v = A_0'A^{-1}\nabla f(\theta)$ and $w$, by their Gram matrix.

$n$ times the change is $u - v + w$, and $w$ is the difference of the two records' gradients at the minimiser $A^{-1}b$.
"""

from rgm_verify.pages import *

PARTS_NOTATION = Notation()
uu, vv = (PARTS_NOTATION.nonnegative(k + k, f"squared norm of {k}", latex=rf"\|{k}\|^2") for k in "uv")
ww = PARTS_NOTATION.nonnegative("ww", "squared norm of w", latex=r"\|\nabla f_0(A^{-1}b)-\nabla f_0'(A^{-1}b)\|^2")
uv, uw, vw = (
    PARTS_NOTATION.real(k, f"inner product of {k[0]} and {k[1]}", latex=rf"({k[0]}\cdot {k[1]})")
    for k in ("uv", "uw", "vw")
)
nu = PARTS_NOTATION.nonnegative("nu", "norm of A_0 A^-1", latex=r"\|A_0A^{-1}\|")
nu_p = PARTS_NOTATION.nonnegative("nu'", "norm of A_0' A^-1", latex=r"\|A_0'A^{-1}\|")
gradient_norm = PARTS_NOTATION.nonnegative("g", "norm of the gradient", latex=r"\|\nabla f(\theta)\|")
GRAM = (
    Hypothesis("|u + v|^2 >= 0", ge(uu + vv + 2 * uv, 0)),
    Hypothesis("|u - w|^2 >= 0", ge(uu + ww - 2 * uw, 0)),
    Hypothesis("|v + w|^2 >= 0", ge(vv + ww + 2 * vw, 0)),
)
OPERATOR = (
    Hypothesis("operator norm of A_0 A^-1", le(uu, nu**2 * gradient_norm**2)),
    Hypothesis("operator norm of A_0' A^-1", le(vv, nu_p**2 * gradient_norm**2)),
)
#: The square of the change, times the square of the number of records.
difference2 = named(r"n^2\|\nabla f(\theta)-\nabla f'(\theta)\|^2", uu + vv + ww - 2 * uv + 2 * uw - 2 * vw)
