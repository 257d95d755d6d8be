"""The methods that are compared, by name: each makes noisy gradients and accounts of two nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from rgm_verify.errors import reject
from rgm_verify.experiments.methods.best_share import relative_at_best_share
from rgm_verify.experiments.methods.clipping import clipping
from rgm_verify.experiments.methods.iterate import at_the_iterate
from rgm_verify.experiments.methods.oracles import Prepared, without_noise
from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.relative import relative

SWEEP = ("1e-4", "3e-4", "1e-3", "3e-3", "1e-2", "3e-2", "1e-1", "3e-1", "1", "3", "10", "30", "100", "1000")
"""The multiples of the recipe's threshold in a sweep."""


@dataclass(frozen=True)
class Method:
    """A method: its name, its legend, and what makes its oracles and accounts.

    Attributes:
        name: as records have it.
        title: as a legend has it.
        kind: "none", "clipping", "iterate" or "relative".
        basis: "none", "printed", "vouched" or "exact".
        factor: what the recipe's clipping threshold is multiplied with; None for others.
        prepare: returns oracles and accounts of a problem.
    """

    name: str
    title: str
    kind: str
    basis: str
    factor: str | None
    prepare: Callable[[TwoNodes], Prepared]


def _clipping(stem: str, title: str, factor: str, basis: str) -> Method:
    """Return a clipping method at a multiple of the recipe's threshold."""
    name = f"{stem}-{basis}"
    made = partial(clipping, name=name, basis=basis, factor=factor)
    return Method(name, f"{title}, {basis}", "clipping", basis, factor, made)


def _relative(basis: str) -> Method:
    """Return a method with relative noise."""
    name = f"rgm-{basis}"
    return Method(name, f"RGM, {basis}", "relative", basis, None, partial(relative, name=name, basis=basis))


def _all() -> list[Method]:
    """Return every method, the sweep included."""
    found = [Method("none", "no noise", "none", "none", None, partial(without_noise, name="none"))]
    stems = [
        ("clip", "clipping at c", "1"),
        ("clip-high", "clipping at 10 c", "10"),
        ("clip-low", "clipping at c / 10", "1e-1"),
    ]
    # Factors 1, 10 and 1e-1 are there twice: a sweep is one curve, and has its own names.
    stems += [(f"clip-x{factor}", f"clipping at {factor} c", factor) for factor in SWEEP]
    for stem, title, factor in stems:
        found += [_clipping(stem, title, factor, basis) for basis in ("printed", "vouched")]
    name = "iterate-vouched"
    title = "noise at the iterate, vouched"
    found.append(Method(name, title, "iterate", "vouched", None, partial(at_the_iterate, name=name)))
    found += [_relative(basis) for basis in ("printed", "vouched", "exact")]
    best = partial(relative_at_best_share, name="rgm-best")
    return [*found, Method("rgm-best", "RGM, exact, with the best share", "relative", "exact", None, best)]


METHODS: Mapping[str, Method] = {each.name: each for each in _all()}
"""Every method by its name."""


def method(name: str) -> Method:
    """Return the method of that name; `InputError` with the known names otherwise.

    Examples:
        >>> method("clip-low-vouched").factor, method("rgm-exact").kind
        ('1e-1', 'relative')
    """
    if name not in METHODS:
        raise reject("method", name, f"known methods: {', '.join(METHODS)}")
    return METHODS[name]
