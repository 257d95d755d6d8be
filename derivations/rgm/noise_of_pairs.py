"""Lemma 1 for what is released: the noise of two neighbouring outputs, compared by the divergence of Kullback and Leibler.

Around one mean that of two laws with the ratio V of variances is d (V - 1 - log V)/2 with the wide law first. It grows
from V = 1 on, and is larger at V than at 1/V. So "at most that of the ratio (1 + eta)^2, in both orders" says of two
variances what Lemma 1 says, and can be integrated and released without the variances being looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from sympy import Integer, Rational

from rgm_verify.lenses.distributions.cases import Bound, Case, Of
from rgm_verify.lenses.distributions.quantities import Outputs, Renyi

from .notation import a, b, c, d, eta, gamma, r_rel, sigma2
from .output_pairs import NEIGHBOURS, two_variances

#: In the plane, where every cosine occurs.
_PLANE = {d: Integer(2)}


def noise_cases(full: bool, orders: int) -> Iterator[Case]:
    """Pairs at the largest distance, without and with baseline noise, with the bound in one order or in both."""
    noise = replace(NEIGHBOURS.subs(_PLANE), centred=True)
    largest: Outputs = two_variances((1 + eta) ** -2, 2)
    sizes = (
        ("3/2", "1", "1", "1/2", "0", "1", "0"),
        ("3/2", "1", "4/5", "3/4", "11/20", "1/3", "1/8"),
        ("1", "5/4", "1", "1/4", "1/10", "1/2", "1"),
        ("1", "2", "1", "1", "0", "1/10", "0"),
    )
    for values in sizes if full else sizes[:2]:
        point = {s: Rational(x) for s, x in zip((a, b, c, eta, r_rel, gamma, sigma2), values, strict=True)}
        pairs = (noise, noise.reversed())[:orders]
        bounds = tuple(Bound(Of(Renyi(1), pair), (Of(Renyi(1), largest),)) for pair in pairs)
        yield Case({s: Fraction(int(x.p), int(x.q)) for s, x in point.items()}, bounds=bounds)
