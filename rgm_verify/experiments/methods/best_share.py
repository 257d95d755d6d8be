"""Relative noise with the share that turns out best: the fairest comparison that its own parameter allows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rgm_verify.experiments.methods.oracles import Prepared
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.relative import relative
from rgm_verify.experiments.methods.two_node_moments import two_node_moments

SHARES = ("1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8", "16", "32", "64", "128")
"""The shares that are tried."""

_HINDSIGHT = "the share is the one of twelve with the least expected excess at the end, which nobody knows beforehand"


def relative_at_best_share(problem: TwoNodes, *, name: str) -> Prepared:
    """Return relative noise calibrated exactly, with the share of the least expected excess at the end, from 0.

    Every share is private by itself; that this one was chosen by looking at the result is said in the accounts. Where
    no share serves the level, the accounts are those of the setup's own share.
    """
    found = [_of_share(problem, share, name) for share in SHARES]
    _, best = min(found, key=lambda each: each[0])
    chosen = relative(problem, name=name, basis="exact") if best.noises is None else best
    first, second = (replace(a, caveats=(*a.caveats, _HINDSIGHT)) for a in chosen.accounts)
    return replace(chosen, accounts=(first, second))


def _of_share(problem: TwoNodes, share: str, name: str) -> tuple[float, Prepared]:
    """Return the expected excess at the end, infinite where there is none, and what releases the gradients."""
    changed = replace(problem, setup=replace(problem.setup, share=share))
    prepared = relative(changed, name=name, basis="exact")
    if prepared.noises is None:
        return math.inf, prepared
    start, steps = np.zeros(problem.dimension), problem.setup.iterations
    moments = two_node_moments(
        problem.objectives, prepared.noises, start, step=problem.step(prepared.gamma), steps=steps
    )
    with np.errstate(over="ignore", invalid="ignore"):
        ends = moments.expected(problem.plotted)
    return (float(ends[-1]) if len(ends) == steps + 1 and np.isfinite(ends[-1]) else math.inf), prepared
