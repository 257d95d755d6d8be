r"""Discrete noise from coins: why the draws of `rgm_verify/mechanisms/exact_noise.py` have the laws that the accounts are for.

A coin of probability $e^{-x}$, $x \le 1$, is made of coins of probabilities $x/k$; Laplace noise of such coins; Gaussian noise of Laplace noise by rejection.
"""

from sympy import factorial

from rgm_verify.pages import *

page = Page("beyond", "discrete noise from coins")
_x = page.real("x", "exponent of the coin", lower=0, upper=1)
_k = page.natural("k", "number of coins before", lower=1)

coin = page.identity(
    "beyond:coin-of-decay",
    "That the k-th coin is the first to fail",
    eq(_x ** (_k - 1) / factorial(_k - 1) * (1 - _x / _k), _x ** (_k - 1) / factorial(_k - 1) - _x**_k / factorial(_k)),
    r"Summed over odd $k$ it is the alternating series of $e^{-x}$.",
    points={_x: (0, 1), _k: (1, 9)},
    wrong={
        "a coin of probability x": left(_x ** (_k - 1) / factorial(_k - 1) * (1 - _x)),
        "added": _x ** (_k - 1) / factorial(_k - 1) + _x**_k / factorial(_k),
    },
)

_t = page.positive("t", "scale of the Laplace noise, an integer")
_y = page.nonnegative("y", "size of the noise")
_s = page.positive("sigma", "parameter of the Gaussian noise")

gaussian = page.identity(
    "beyond:discrete-gaussian-from-laplace",
    "Laplace noise that is kept with the rest of the exponent",
    eq(_y / _t + (_y - _s**2 / _t) ** 2 / (2 * _s**2), _y**2 / (2 * _s**2) + _s**2 / (2 * _t**2)),
    "What is kept has masses in proportion to those of discrete Gaussian noise: the last term does not depend on the noise.",
    wrong={
        "centre sigma": left(_y / _t + (_y - _s / _t) ** 2 / (2 * _s**2)),
        "the variance alone": left(_y / _t + (_y - _s**2 / _t) ** 2 / _s**2),
    },
)

_top, _bottom = (
    page.positive(f"{n}", f"{word} of the scale") for n, word in (("n", "numerator"), ("m", "denominator"))
)
_u = page.nonnegative("u", "uniform remainder")
_v = page.nonnegative("v", "number of whole numerators")

laplace = page.identity(
    "beyond:discrete-laplace-from-coins",
    "The next multiple of the denominator is less likely by the decay of the scale",
    eq((_u + _top * _v + _bottom) / _top, _u / _top + _v + _bottom / _top),
    r"The remainder is kept with $e^{-u/n}$ and every whole numerator costs a factor $e^{-1}$, so that $z = u + nv$ has a mass in proportion to $e^{-z/n}$; the numbers $z$ with the quotient $y$ by $m$ have together one in proportion to $e^{-ym/n}$.",
    wrong={
        "the denominator alone": left((_u + _top * _v + _bottom) / _bottom),
        "remainder kept always": _v + _bottom / _top,
    },
)
