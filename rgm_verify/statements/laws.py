"""Laws of random variables that a line may name: parameters, what they have to satisfy, densities and masses.

Densities stand here as they are by definition, in the grammar of statements. What authors mean differently is asked
for by a name: `Exponential(rate=a)` or `Exponential(scale=b)`, `Geometric(p, first=0)` or `Geometric(p, first=1)`. What
is taken without a question, the second number of N(m, v) for one, is said in a note.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["KEYWORDS", "LAWS", "OTHER_LAWS", "Kind"]


@dataclass(frozen=True)
class Kind:
    """A family of laws.

    Attributes:
        words: What it is called in a note, with its parameters in braces.
        parameters: Their letters here, in the order of an author's list.
        weight: The density at x, or the mass at x.
        given: Conditions without which there is no such law.
        low: The least value; empty where there is none.
        high: The largest value; empty where there is none.
        counts: Whether the values are integers.
        corner: A value at which the density has a corner: integrals over the line are taken in two pieces.
        whole: Parameters that are integers.
    """

    words: str
    parameters: tuple[str, ...]
    weight: str
    given: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    counts: bool = False
    corner: str = ""
    whole: tuple[str, ...] = ()


_BELL: Final = "exp(-(x - m)^2/(2*v))"
LAWS: Final[dict[str, Kind]] = {
    "Normal": Kind("normal with mean {m} and variance {v}; the second number is the variance, not the deviation",
                   ("m", "v"), f"{_BELL}/sqrt(2*pi*v)", ("v > 0",)),
    "Laplace": Kind("Laplace with centre {m} and scale {b}", ("m", "b"), "exp(-|x - m|/b)/(2*b)", ("b > 0",),
                    corner="m"),
    "Exponential": Kind("exponential with rate {a}, so that its mean is 1/({a})", ("a",), "a*exp(-a*x)", ("a > 0",),
                        low="0"),
    "Gamma": Kind("gamma with shape {k} and rate {a}, so that its mean is the quotient of the two", ("k", "a"),
                  "a^k*x^(k - 1)*exp(-a*x)/Gamma(k)", ("k > 0", "a > 0"), low="0"),
    "Beta": Kind("beta with parameters {a} and {b}", ("a", "b"),
                 "Gamma(a + b)*x^(a - 1)*(1 - x)^(b - 1)/(Gamma(a)*Gamma(b))", ("a > 0", "b > 0"), low="0", high="1"),
    "Uniform": Kind("uniform on [{a}, {b}]", ("a", "b"), "1/(b - a)", ("a < b",), low="a", high="b"),
    "Binomial": Kind("binomial: successes of {n} trials, each with probability {p}", ("n", "p"),
                     "binomial(n, x)*p^x*(1 - p)^(n - x)", ("n >= 0", "p >= 0", "p <= 1"), low="0", high="n",
                     counts=True, whole=("n",)),
    "Bernoulli": Kind("1 with probability {p}, and 0 otherwise", ("p",), "p^x*(1 - p)^(1 - x)", ("p >= 0", "p <= 1"),
                      low="0", high="1", counts=True),
    "Poisson": Kind("Poisson with mean {l}", ("l",), "exp(-l)*l^x/factorial(x)", ("l > 0",), low="0", counts=True),
    "Geometric": Kind("geometric from {f} on: failures before the first success if that is 0, trials if it is 1; "
                      "success has probability {p}", ("p", "f"), "p*(1 - p)^(x - f)", ("p > 0", "p <= 1"), low="f",
                      counts=True),
    "DiscreteGaussian": Kind("on the integers, with masses in proportion to exp(-(k - {m})^2/(2*({v})))", ("m", "v"),
                             f"{_BELL}/sum(y, -infinity, infinity, exp(-(y - m)^2/(2*v)))", ("v > 0",), counts=True),
}  # fmt: skip
OTHER_LAWS: Final = {
    "N": "Normal", "Gaussian": "Normal", "Lap": "Laplace", "Exp": "Exponential", "Expo": "Exponential", "U": "Uniform",
    "Unif": "Uniform", "B": "Binomial", "Bin": "Binomial", "Binom": "Binomial", "Ber": "Bernoulli", "Bern": "Bernoulli",
    "Poi": "Poisson", "Pois": "Poisson", "Geom": "Geometric", "Geo": "Geometric", "N_Z": "DiscreteGaussian",
}  # fmt: skip
#: Names of parameters, with the letter here and what it becomes: a scale is one divided by a rate.
KEYWORDS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "Normal": {"mean": ("m", "z"), "variance": ("v", "z"), "sd": ("v", "z^2")},
    "Laplace": {"centre": ("m", "z"), "scale": ("b", "z")},
    "Exponential": {"rate": ("a", "z"), "scale": ("a", "1/z"), "mean": ("a", "1/z")},
    "Gamma": {"shape": ("k", "z"), "rate": ("a", "z"), "scale": ("a", "1/z")},
    "Geometric": {"p": ("p", "z"), "first": ("f", "z")},
    "Binomial": {"n": ("n", "z"), "p": ("p", "z")},
    "DiscreteGaussian": {"centre": ("m", "z"), "variance": ("v", "z")},
}
