"""The test of a proposed level `rho` in propose-test-release: whether the data are far from violating `A >= rho C`.

`A = X^T X / n + mu I` for clipped features `X`. The statistic is
`Gamma = n lambda_min(C^(-1/2) (A - rho C) C^(-1/2)) / radius^2`: it moves by at most 1 where a record is replaced, and
is negative exactly if `A >= rho C` fails (claim `beyond:ptr-statistic`). The printed statistic, the least number of
leverages that add up to n, moves by any amount (claim `beyond:ptr-statistic-jumps`) and is not offered here.
"""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rgm_verify.accounting.exact.one_release import probability
from rgm_verify.errors import InputError, reject
from rgm_verify.learning.clipping.features import Map, Shape, clip_by_both_norms, clip_to_ellipsoid
from rgm_verify.learning.data import EPS, FloatArray, nonnegative_float, positive_float, read_only
from rgm_verify.learning.sums import gram, relative_error, roundings
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import ExactInput, NumberInput, nonnegative, positive
from rgm_verify.numbers.sampling import require_generator

_LARGEST_ERROR = 1 / 4


@dataclass(frozen=True, eq=False, init=False)
class ClippedFeatures:
    """Features that were clipped by a public matrix to a radius; made by `ClippedFeatures.of`, which clips them.

    Both maps leave `x^T C^-1 x <= radius^2` (claim `beyond:clippings-compared`), which the test rests on. `rows` (n, d)
    is a copy of the clipped records that cannot be written to, so that a test of them stays one of them.
    """

    rows: FloatArray
    shape: Shape
    radius: float
    clipped_by: Map

    def __init__(self, *_: object, **__: object) -> None:
        raise InputError("ClippedFeatures: use ClippedFeatures.of, which clips the features")

    @classmethod
    def of(
        cls, X: ArrayLike, C: Shape | ArrayLike, radius: NumberInput, clipped_by: Map = "both norms"
    ) -> ClippedFeatures:
        """Clip `X` (n, d) by `both norms` or to the `ellipsoid`; arguments and errors as in `learning.clipping`."""
        maps = {"both norms": clip_by_both_norms, "ellipsoid": clip_to_ellipsoid}
        if clipped_by not in maps:
            raise reject("clipped_by", clipped_by, f"allowed are {', '.join(maps)}")
        shape = C if isinstance(C, Shape) else Shape.of(C)
        size = positive_float(radius, name="radius", meaning="the clipping radius")
        # A copy that nobody can write to: the outcome of a test speaks of these rows as they were.
        rows = read_only(maps[clipped_by](X, shape, radius))
        made = object.__new__(cls)
        for name, value in {"rows": rows, "shape": shape, "radius": size, "clipped_by": clipped_by}.items():
            object.__setattr__(made, name, value)
        return made


@dataclass(frozen=True)
class LevelTest:
    """The outcome of a test: `noisy` is the statistic with Laplace noise, released at the cost of `epsilon`.

    `passed` is `noisy > threshold`. What is run when it passed may use `rho` as if it held for all data, with the
    features that were tested and the `regularization` that was tested, and with nothing else: see `require_tested`.
    Which features these were is a reference within this process. It is no part of a copy or of a pickle, which hold
    the released number and public numbers alone.
    """

    noisy: float
    threshold: float
    rho: Fraction
    epsilon: Fraction
    delta: Fraction
    regularization: Fraction = Fraction(0)
    _features: weakref.ref[ClippedFeatures] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        """Return whether the level may be used."""
        return self.noisy > self.threshold

    def total(self, epsilon: ExactInput, delta: ExactInput) -> tuple[Fraction, Fraction]:
        """Return the privacy of the test and of an `(epsilon, delta)` private mechanism run when it passed; exact.

        `(epsilon + epsilon_test, max(delta, delta_test))`: the two deltas belong to different pairs of neighbours and
        are not added. Source: claim `beyond:ptr-private`.
        """
        level = positive(epsilon, name="epsilon", meaning="a privacy loss")
        return self.epsilon + level, max(self.delta, probability(delta, name="delta"))

    def require_tested(self, features: ClippedFeatures, regularization: NumberInput) -> None:
        """Raise `InputError` unless the test passed, for these very `features` and this very `regularization`.

        Other features are refused even if they are equal, and so is every outcome that was copied or loaded. Nothing
        here can know what such an outcome tested; a caller who knows it vouches for it with `Level.promised`.
        """
        if not self.passed:
            raise reject("outcome", self, "the test did not pass: nothing may be released on the strength of it")
        if self._features is None:
            raise InputError(
                "outcome: it was copied, loaded or made by hand, so that nothing says which features it tested; test "
                "again, or vouch for the level with Level.promised"
            )
        _require_features(features)
        # Identity and not equality: a comparison of all rows costs a pass, and read-only rows cannot have changed.
        if self._features() is not features:
            raise InputError(
                "features: these are not the features that were tested; an outcome holds for the ClippedFeatures that "
                "were given to level_test, with their records, matrix and radius"
            )
        mu = nonnegative(regularization, name="regularization", meaning="the regularization mu", floats="binary")
        if mu != self.regularization:
            raise reject("regularization", regularization, f"the level was tested with {self.regularization}")

    def __getstate__(self) -> dict[str, Any]:
        """Return what may be stored or copied: all but the reference to the features."""
        # A weak reference cannot be stored, and a loaded outcome must not vouch for features that were not loaded.
        return self.__dict__ | {"_features": None}


def distance_statistic(
    features: ClippedFeatures, rho: NumberInput, *, regularization: NumberInput = 0
) -> tuple[float, float]:
    """Return `Gamma` and a bound on its absolute error from rounding that is the same for all data of this size.

    About the cost of `X^T X`. Private: only `level_test` releases anything. The error grows with n, and with the
    condition number of `C`; raises `InputError` where it is above 1/4 (for fifty features and a condition number of
    1000: near seven million records), and for `rho <= 0`.
    """
    _require_features(features)
    level = positive_float(rho, name="rho", meaning="the proposed level rho")
    mu = nonnegative_float(regularization, name="regularization", meaning="the regularization mu")
    (n, d), shape, size = features.rows.shape, features.shape, features.radius
    error = _rounding(n, d, shape, (mu / float(shape.values[0]) + level) / size**2)
    if error > _LARGEST_ERROR:
        raise InputError(f"X, C: the statistic is known to {error:.2g} only; use fewer records or a milder C")
    # In a unit, a power of two, in which no record is longer than about 1: nothing overflows, whatever n is.
    longest = math.sqrt(float(shape.values[-1])) * size
    unit = 2.0 ** -math.ceil(math.log2(longest))
    # Whitened by C, A >= rho C becomes a smallest eigenvalue of at least rho, and one record moves it by at most 1.
    turn = shape.vectors / np.sqrt(shape.values) / (size * unit)
    shifted = turn.T @ gram(features.rows, unit) @ turn + np.diag((mu / shape.values - level) * (n / size**2))
    return float(np.linalg.eigvalsh(shifted)[0]), error


def _require_features(features: object) -> None:
    if not isinstance(features, ClippedFeatures):
        raise reject("features", type(features).__name__, "expected ClippedFeatures, made by ClippedFeatures.of")


def _rounding(n: int, d: int, shape: Shape, public: float) -> float:
    """Return a bound on the error of the statistic; `public` is the size of `(mu C^-1 + rho) / radius^2`.

    In the units of the statistic a record is a vector of norm <= 1 in the metric of `C`, and `kappa`, or the sum `K` of
    `lambda_max / lambda_i`, is what its square may be larger in the other one. The terms, all in Frobenius norms:

    * the sum over the records: `gamma(roundings(n))` of the sum of the squared norms, `kappa n` (`learning.sums`);
    * two products with the roots of `C`, rounded themselves: twice `gamma(2 d + 16)` of `K n`, as one triangle is used;
    * the shift, and sums with it: `gamma(16)` of `n (1 + sqrt(d) public)`;
    * the eigenvalue: `16 (d + 1)^2 EPS` of the norm of the matrix, `n (1 + sqrt(d) public)`;
    * `C` itself: `4 slack` of `n (1 + public)`.
    """
    kappa = shape.condition_number
    spread = float((shape.values[-1] / shape.values).sum())
    sizes = 1 + math.sqrt(d) * public
    sums, products, few = (float(relative_error(count)) for count in (roundings(n), 2 * d + 16, 16))
    relative = sums * kappa + 2 * products * spread + (few + 16 * (d + 1) ** 2 * EPS) * sizes
    # The spectrum of C and the lengths of clipped records are known to `slack` <= 1/4.
    return n * (relative * (1 + 2 * shape.slack) ** 2 + 4 * shape.slack * (1 + public)) * (1 + 64 * d * EPS)


def level_test(
    features: ClippedFeatures,
    rho: ExactInput,
    *,
    epsilon: ExactInput,
    delta: ExactInput,
    generator: np.random.Generator,
    regularization: NumberInput = 0,
) -> LevelTest:
    """Return whether the proposed level `rho` passes the test, at the cost of `epsilon`, and `delta` where it errs.

    `rho`, `epsilon > 0` and `0 < delta < 1/2` are exact; n is public and one record is replaced. The outcome holds for
    this object `features` and this `regularization` (floats count as the binary numbers they are), and for no other.

    Formal Guarantees (real arithmetic; the rounding of the statistic is covered by the noise):
        * The outcome is `epsilon` private: Laplace noise of scale `s / epsilon`, where `s >= 1` is 1 and twice the
          rounding error of the statistic (claims `beyond:ptr-statistic`, `beyond:ptr-test-private`).
        * If `A >= rho C` fails at the data or at any neighbour, it passes with a probability of at most `delta`: the
          threshold is `s (1 + log(1 / (2 delta)) / epsilon)` (claim `beyond:ptr-threshold`). The printed
          `log(1 / delta) / epsilon` is enough for `epsilon <= log 2` only (claim `beyond:ptr-printed-threshold`).
        * With a mechanism that is private for neighbours which both have `A >= rho C`: see `LevelTest.total`.

    What this does not protect against: Laplace noise in floating point, whose low bits reveal something, and the
    generator, which is no cryptographic one.
    Raises `InputError` for numbers out of range, before any noise is drawn.
    """
    _require_features(features)
    level = positive(rho, name="rho", meaning="the proposed level rho")
    loss = positive(epsilon, name="epsilon", meaning="the privacy loss of the test")
    target = probability(delta, name="delta")
    if target >= Fraction(1, 2):
        raise reject("delta", delta, "must be < 1/2")
    mu = nonnegative(regularization, name="regularization", meaning="the regularization mu", floats="binary")
    source = require_generator(generator)
    # The level is rounded up: the test is then of a stronger claim than the one that is handed on.
    statistic, error = distance_statistic(features, round_up(level), regularization=regularization)
    # The computed statistic moves by 1 + 2 error at most, so that noise and threshold both are scaled by that.
    scale, unit = (1 + 2 * error) / float(loss), 1 + 2 * error
    threshold = unit + scale * -math.log(2 * float(target)) * (1 + 16 * EPS)
    noisy = statistic + scale * float(source.laplace())
    outcome = LevelTest(noisy, threshold, level, loss, target, mu)
    # Past the frozen dataclass and not as an argument: nobody outside can make an outcome that vouches.
    object.__setattr__(outcome, "_features", weakref.ref(features))
    return outcome
