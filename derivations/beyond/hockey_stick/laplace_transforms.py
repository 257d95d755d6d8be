r"""The Laplace transforms behind the contour formula of the hockey-stick divergence, one for each strip between its poles.

$H_\epsilon(P\|Q) = E_P(1 - e^{\epsilon-L})_+$, the function under the expectation has the Laplace transform $1/(s(s+1))$, and
$E_P e^{sL} = e^{K(s)}$.
"""

from rgm_verify.pages import *

from ...theorems import FUBINI, INVERSION, RESIDUES

page = Page("beyond", "contour formula of the hockey-stick divergence")
x = page.real("x", "privacy loss minus its level")
_RIGHT = positive("s", "abscissa of the contour")
_MIDDLE = real("s", "abscissa of the contour", lower=-1, upper=0, lower_open=True, upper_open=True)
_BELOW = positive("t", "minus the abscissa, minus 1")
_right, _middle, _left = _RIGHT.symbol, _MIDDLE.symbol, -1 - _BELOW.symbol


def _primitive(s: Expr) -> Expr:
    """A primitive of e^(-s x) (1 - e^(-x))."""
    return -exp(-s * x) / s + exp(-(s + 1) * x) / (s + 1)


laplace_right = page.identity(
    "beyond:laplace-transform",
    "The Laplace transform behind the contour formula",
    both(
        eq(Derivative(_primitive(_right), x), exp(-_right * x) * (1 - exp(-x))),
        eq(-_primitive(_right).subs(x, 0), 1 / (_right * (_right + 1))),
    ),
    "On the left is a primitive of $e^{-sx}(1-e^{-x})$, which tends to 0 at infinity, and minus its value at 0.",
    printed=r"\int_0^\infty e^{-sx}(1-e^{-x})\,dx = \frac{1}{s(s+1)} \quad\text{for } s > 0",
    points={_right: (0, 6), x: (-3, 6)},
    over=(_RIGHT,),
    wrong={
        "1/s - 1": changed(
            eq(-_primitive(_right).subs(x, 0), 1 / (_right * (_right - 1))), (Hypothesis("s is not 1", ne(_right, 1)),)
        ),
        "the step function": eq(Derivative(_primitive(_right), x), exp(-_right * x)),
        "e^x for e^-x": eq(Derivative(_primitive(_right), x), exp(-_right * x) * (1 - exp(x))),
    },
    steps=(
        Step("Differentiate the primitive."),
        Step(r"Expectations of $e^{sL}$ are $e^{K(s)}$.", "beyond:cumulant"),
        INVERSION.quoted(
            r"$(1-e^{-x})_+$ is $\frac1{2\pi i}\int_{c-i\infty}^{c+i\infty}\frac{e^{sx}}{s(s+1)}\,ds$.",
            "The transform is finite for every $s$ with a positive real part.",
            "$1/|s(s+1)|$ is integrable along the line.",
        ),
        FUBINI.quoted(
            "Expectation and integral may be exchanged.",
            "The integrand is continuous in both.",
            r"Its modulus has the expectation $e^{K(c)-c\epsilon}/|s(s+1)|$, whose integral is finite.",
        ),
    ),
    remark=r"With it, $H_\epsilon(P\|Q) = \frac1{2\pi i}\int_{c-i\infty}^{c+i\infty} \frac{e^{K(s)-s\epsilon}}{s(s+1)}\,ds$ for every "
    r"$c > 0$ where $K$ is finite.",
)

laplace_middle = page.identity(
    "beyond:laplace-transform-of-the-complement",
    "The strip between the poles gives the complement",
    both(
        eq(Derivative(-exp(-(_middle + 1) * x) / (_middle + 1), x), exp(-_middle * x) * exp(-x)),
        eq(-1 / _middle + 1 / (_middle + 1), -1 / (_middle * (_middle + 1))),
    ),
    "The two primitives, of $e^{-sx}$ on the left of 0 and of $e^{-(s+1)x}$ on the right, vanish at the far ends.",
    printed=r"\int_{-\infty}^\infty e^{-sx}\min(1, e^{-x})\,dx = -\frac{1}{s(s+1)} \quad\text{for } -1 < s < 0",
    points={x: (-6, 6)},
    over=(_MIDDLE,),
    wrong={
        "the other sign": eq(-1 / _middle + 1 / (_middle + 1), 1 / (_middle * (_middle + 1))),
        "only the right half": eq(1 / (_middle + 1), -1 / (_middle * (_middle + 1))),
    },
    steps=RESIDUES.quoted(
        r"The line may be moved over the pole at 0, at the price of its residue $e^{K(0)} = 1$.",
        "$K$ is analytic where it is finite, and $1/(s(s+1))$ has its poles at 0 and $-1$.",
        "The modulus of $e^{K(s)}$ is at most $e^{K(c)}$, and $1/|s(s+1)|$ falls off.",
    ),
    remark=r"So the same contour integral with $-1 < c < 0$ is $H_\epsilon - 1$: the pole at 0 between the two strips has the residue "
    r"$e^{K(0)} = 1$ (`beyond:cumulant-between-its-zeros`).",
)

_mirrored = -exp(-(_left + 1) * x) / (_left + 1) + exp(-_left * x) / _left

laplace_left = page.identity(
    "beyond:laplace-transform-reversed",
    "Left of both poles the contour gives the other order",
    both(
        eq(Derivative(_mirrored, x), exp(-_left * x) * (exp(-x) - 1)),
        eq(_mirrored.subs(x, 0), 1 / (_left * (_left + 1))),
    ),
    r"The argument of the transform is $-1-t$. The primitive vanishes at $-\infty$.",
    printed=r"\int_{-\infty}^0 e^{-sx}(e^{-x}-1)\,dx = \frac{1}{s(s+1)} \quad\text{for } s < -1",
    points={_BELOW.symbol: (0, 6), x: (-6, 3)},
    over=(_BELOW,),
    wrong={
        "sign": eq(_mirrored.subs(x, 0), -1 / (_left * (_left + 1))),
        "one pole moved": eq(_mirrored.subs(x, 0), 1 / (_left * (_left - 1))),
    },
    remark=r"So with $c < -1$ the contour integral is $E_P(e^{\epsilon-L}-1)_+ = e^\epsilon H_{-\epsilon}(Q\|P)$. The poles at 0 and $-1$ have the "
    r"residues $1$ and $-e^\epsilon$, which is `beyond:hockey-stick-at-negative-levels` once more.",
)
