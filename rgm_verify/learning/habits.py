"""Habits that private estimators share: fresh noise for clones, a budget that fits are charged to, public weights.

It needs scikit-learn, the extra `sklearn`.
"""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone

from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError, reject
from rgm_verify.learning.data import FloatArray
from rgm_verify.mechanisms.values import checked_values
from rgm_verify.numbers.roots import root_above

# How messages of scikit-learn begin whose first line says shapes, types and names of columns, and no entry.
_SAFE = (
    "Complex data not supported",
    "Expected 2D",
    "Expected sequence",
    "Feature names are only supported",
    "Found array with",
    "Found input variables",
    "Input X contains",
    "Input y contains",
    "PrivateRidge requires y to be passed",
    "Sparse data was passed",
    "This PrivateRidge estimator requires y to be passed",
    "np.matrix is not supported",
    "y should be a 1d array",
)


class LeftBehind:
    """Stands for the budget of an estimator that was copied or loaded: nothing can be charged to it."""

    def __repr__(self) -> str:
        """Return what an estimator shows in the place of its budget."""
        return "<left behind>"


class PrivateEstimator(BaseEstimator):
    """An estimator with the parameters `random_state` and `budget`, which its clones take over with care.

    A clone, as in cross-validation, draws noise of its own: a generator is spawned from, and not copied. It is charged
    to the same budget. A copy in another process, or one that was stored, cannot be; its `fit` raises `InputError`.
    """

    random_state: int | np.random.Generator | None
    budget: GaussianFilter | None

    def __sklearn_clone__(self) -> Self:
        """Return an unfitted estimator with these parameters, with noise of its own and the same budget."""
        given = self.get_params(deep=False)
        kept = {name: value for name, value in given.items() if name not in {"random_state", "budget"}}
        state, budget = given["random_state"], given["budget"]
        # With the counter of the parent's seed sequence: no two clones have one stream.
        fresh = state.spawn(1)[0] if isinstance(state, np.random.Generator) else state
        made = type(self)(**clone(kept, safe=False), random_state=fresh, budget=budget)
        # What scikit-learn's own clone takes over beside parameters.
        for name in ("_metadata_request", "_sklearn_output_config"):
            if name in self.__dict__:
                setattr(made, name, copy.deepcopy(self.__dict__[name]))
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return what is stored or copied: all but the budget, which would be spent twice."""
        state = dict(super().__getstate__())
        if state.get("budget") is not None:
            state["budget"] = LeftBehind()
        return state


def charge(budget: object, distance_squared: Fraction) -> None:
    """Spend that many squared standard deviations of a filter, or raise `InputError`.

    To be called when nothing else can fail, before the noise is drawn. The message is made of public numbers.
    """
    if isinstance(budget, LeftBehind):
        raise reject("budget", budget, "the estimator was copied or sent to another process; give it a budget there")
    if not isinstance(budget, GaussianFilter):
        raise reject("budget", type(budget).__name__, "expected None or an accounting.plans.filters.GaussianFilter")
    # Rounded down, so that no less is charged than was spent.
    if not budget.request(1 / root_above(distance_squared)):
        raise InputError(
            f"budget: {float(budget.left):.6g} squared standard deviations are left, and this fit needs "
            f"{float(distance_squared):.6g}; nothing was released"
        )


def generator_of(random_state: object) -> np.random.Generator:
    """Return the source of the noise, fresh entropy for None; `InputError` for what is none."""
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return random_state
    # True is an integer to Python, and as a seed it is a mistake.
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool) and random_state >= 0:
        return np.random.default_rng(int(random_state))
    allowed = "expected None (fresh entropy), an integer >= 0 or a numpy.random.Generator"
    if isinstance(random_state, np.random.RandomState):
        allowed += "; a RandomState is the old generator, give numpy.random.default_rng(...)"
    raise reject("random_state", random_state, allowed)


def public_weights(sample_weight: ArrayLike, records: int) -> FloatArray:
    """Return the square roots of weights (n,) over the largest of them. Weights are public.

    A record times such a root is no longer than the record, and adds its share to every second moment.
    Raises `InputError` for weights that are no numbers >= 0, none above 0, or of another number.
    """
    weights = checked_values(sample_weight, name="sample_weight")
    if weights.shape != (records,):
        raise reject("sample_weight", f"array of shape {weights.shape}", f"expected shape ({records},), one a record")
    largest = float(weights.max())
    if weights.min() < 0:
        raise reject("sample_weight", float(weights.min()), "weights must be >= 0")
    if largest == 0:
        raise InputError("sample_weight: all weights are zero; one has to be > 0")
    return np.sqrt(weights / largest)


class NoNumber(InputError, TypeError):
    """An entry of the data that is no number; scikit-learn asks for a `TypeError`."""


def without_values(error: Exception, otherwise: str) -> str:
    """Return the first line of an error about data where it is known to quote none of them."""
    # A list of what is known to be harmless, not of what is harmful: a new message of scikit-learn is hidden.
    first = str(error).splitlines()[0] if str(error) else ""
    return first if first.startswith(_SAFE) else otherwise
