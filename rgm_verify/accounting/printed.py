"""The bounds of the RGM paper as they are printed, by version, never repaired: for comparison with the exact numbers.

Some of them are refuted. Asking for one of these warns (`RefutedBoundWarning`), unless the caller says that this is
known; the record names the corrected statement. Use `accounting.exact` and `accounting.conversion` for guarantees.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from rgm_verify.accounting import conversion
from rgm_verify.accounting.exact import one_release
from rgm_verify.accounting.exact.renyi_curve import covers_order, renyi_bounds
from rgm_verify.accounting.release import Release
from rgm_verify.balls.enclose import Enclosure, enclose
from rgm_verify.errors import InputError, reject, takes
from rgm_verify.gaussians.certified.epsilon import epsilon_enclosure
from rgm_verify.gaussians.certified.hockey_stick import hockey_stick_enclosure
from rgm_verify.numbers.bounds import Bounds, round_down, round_up
from rgm_verify.numbers.exact import ExactInput, nonnegative, positive_integer
from rgm_verify.numbers.exact import exact as exact_number
from rgm_verify.numbers.shown import Framed

__all__ = [
    "PROVED", "REFUTED", "PrintedBound", "RefutedBoundError", "RefutedBoundWarning", "corollary_1", "optimised",
    "printed_bounds", "tcdp", "tcdp_epsilon", "theorem_1",
]  # fmt: skip

Version: TypeAlias = Literal["v1", "v2"]
Refuted: TypeAlias = Literal["warn", "allow", "refuse"]
Quantity: TypeAlias = Literal["renyi", "epsilon", "delta"]

REFUTED: dict[str, str] = {
    "rgm-v1:theorem-1": "beyond:closed-bound",
    "rgm-v1:a5-optimised-guarantee": "beyond:a5-converted-bound-restricted",
}
"""Printed bounds that the engine refutes, and the statement that is true instead."""

PROVED: frozenset[str] = frozenset(
    {
        "rgm-v1:theorem-1-order-1",
        "rgm-v2:theorem-1",
        "rgm-v2:theorem-1-order-1",
        "rgm-v1:corollary-1",
        "rgm-v2:corollary-1",
        "rgm-v2:a5-converted-bound",
        "rgm-v2:tcdp",
        "rgm-v2:a6-tcdp",
        "rgm-v2:epsilon-by-tcdp",
    }
)
"""Printed bounds that the engine proves under the hypotheses named in the record."""

_VERSIONS = ("v1", "v2")
_HANDLING = ("warn", "allow", "refuse")
_DIGITS = 20  # more than a float has, to which the value is rounded


class RefutedBoundWarning(UserWarning):
    """A printed bound was evaluated that is not true; the message names the corrected one."""


class RefutedBoundError(InputError):
    """A printed bound that is not true was asked for with `refuted="refuse"`."""


@dataclass(frozen=True)
class PrintedBound(Framed):
    """The value of one printed bound for a release; for comparison, never a guarantee.

    Attributes:
        name: the bound.
        source: where it is printed.
        version: of the paper.
        claim_id: the claim that says it.
        quantity: what `value` bounds.
        value: a float rounded up; None where the hypotheses do not hold.
        applies: whether they do.
        reason: why not.
        verdict: the engine's.
        corrected: the true statement where it is refuted.
        warning: the text for a refuted one.
        unsafe: the value is certainly below the truth; None where not compared.
    """

    name: str
    source: str
    version: str
    claim_id: str
    quantity: Quantity
    value: float | None
    applies: bool
    reason: str
    verdict: Literal["proved", "refuted"]
    corrected: str
    warning: str
    unsafe: bool | None = None


# ------------------------------------------------------------------------------------ the Renyi bounds


@takes(release=Release)
def theorem_1(
    release: Release, alpha: ExactInput, *, version: Version, steps: ExactInput = 1, refuted: Refuted = "warn"
) -> PrintedBound:
    """Return Theorem 1 of version "v1" or "v2" at the order `alpha >= 1`, times `steps` releases.

    v1: `alpha eta^2/(2 gamma) (1/rho + gamma d (2+eta)^2)` for eta <= 1, refuted for orders above 1; v2: `alpha
    eta^2/(2 gamma) (1 + gamma d (2+eta)^2 (1+eta)^2) / rho`. Source: RGM paper, Theorem 1, eq. (5).

    Args:
        alpha: an exact order >= 1.
        version: "v1" or "v2".
        steps: the number of releases.
        refuted: "warn", "allow" or "refuse" what is not true.

    Returns:
        A record whose value is rounded up.

    Raises:
        RefutedBoundError: for a refuted bound, if `refuted` is "refuse".
        InputError: for arguments that are not allowed.

    Examples:
        >>> theorem_1(Release("1/10", 1, 10), 2, version="v2").value
        0.688113924050633
    """
    order = _order(alpha)
    # Order 1 is a claim of its own: there version 1 is true too.
    claim = f"rgm-{_version(version)}:theorem-1" + ("-order-1" if order == 1 else "")
    reason = _theorem_fails(release, order, version)
    value = None if reason else _steps(steps) * _theorem(release, order, version)
    return _record("Theorem 1", "§4.1, (5)", version, claim, "renyi", value, reason, _handling(refuted))


@takes(release=Release)
def tcdp(
    release: Release,
    alpha: ExactInput,
    *,
    appendix: bool = False,
    steps: ExactInput = 1,
    refuted: Refuted = "warn",
) -> PrintedBound:
    """Return the tCDP form of Theorem 1, version 2, at an order `1 <= alpha <= 1 + 1/(2q)`, times `steps`.

    `alpha eta^2 (1/gamma + d (2+eta)^2 (1+eta)^2)`, or with `appendix` the one of App. A.6, which has d/2 without
    `(1+eta)^2`: it is true (rgm-v2:a6-tcdp), though it does not follow from Theorem 1 of its version.
    """
    order = _order(alpha)
    reason = _half_range_fails(release) or ("alpha is above 1 + 1/(2q)" if order > half_order(release) else "")
    chi = chi_v1(release) if appendix else chi_v2(release)
    value = None if reason else _steps(steps) * order * chi
    claim = "rgm-v2:a6-tcdp" if appendix else "rgm-v2:tcdp"
    place = "App. A.6" if appendix else "§4.1, Truncated Concentrated DP"
    return _record("tCDP", place, "v2", claim, "renyi", value, reason, _handling(refuted))


@takes(release=Release)
def chi_v1(release: Release) -> Fraction:
    """`eta^2/gamma + eta^2 (2+eta)^2 d / 2`, the constant of version 1's Corollary 1; exact."""
    return release.eta**2 / release.gamma + release.q**2 * release.dimension / 2


@takes(release=Release)
def chi_v2(release: Release) -> Fraction:
    """`eta^2/gamma + eta^2 (2+eta)^2 (1+eta)^2 d`, the constant of version 2's Corollary 1; exact."""
    return release.eta**2 / release.gamma + release.q**2 * (1 + release.q) * release.dimension


@takes(release=Release)
def half_order(release: Release) -> Fraction:
    """`1 + 1/(2q)`, the largest order of the tCDP form and of the proof of Corollary 1; exact."""
    return 1 + 1 / (2 * release.q)


def _theorem(release: Release, alpha: Fraction, version: str) -> Fraction:
    """Return the printed expression exactly, whether its hypotheses hold or not."""
    eta, gamma, dimension = release.eta, release.gamma, release.dimension
    # Above 0 within the range of orders; whoever calls looks at the hypotheses before the value.
    rho = 1 - (alpha - 1) * release.q
    front, logs = alpha * eta**2 / (2 * gamma), gamma * dimension * (2 + eta) ** 2
    return front * (1 / rho + logs) if version == "v1" else front * (1 + logs * (1 + eta) ** 2) / rho


def _theorem_fails(release: Release, alpha: Fraction, version: str) -> str:
    """Return which hypothesis of the theorem fails; empty if none does."""
    if version == "v1" and release.eta > 1:
        return "version 1 asks for eta <= 1"
    if alpha >= release.largest_order:
        return "alpha is not below 1 + 1/q"
    return "" if covers_order(release, alpha) else "sigma2 is below gamma eta^-2 (1 - eta (alpha - 1)) r_rel^2"


def _half_range_fails(release: Release) -> str:
    """Return why the release is not covered up to the largest order of the tCDP form; empty if it is."""
    covered = covers_order(release, half_order(release))
    return "" if covered else "sigma2 does not meet Theorem 1 at the order 1 + 1/(2q)"


# --------------------------------------------------------------------------------- epsilon and delta


@takes(release=Release)
def corollary_1(release: Release, delta: ExactInput, *, version: Version, refuted: Refuted = "warn") -> PrintedBound:
    """Return Corollary 1, `epsilon = chi + 2 sqrt(chi log(1/delta))`, of one release.

    For small gamma, `gamma <= 1/(4 (2+eta)^2 log(1/delta))`, or large d: `d >= 8 log(1/delta)` in version 1,
    `d >= 4 log(1/delta)/(1+eta)^2` in version 2. Source: RGM paper, Corollary 1; v1 (42), v2 (44).
    """
    target, number = one_release.probability(delta, name="delta"), _version(version)
    reason = _corollary_fails(release, target, number)
    value = None if reason else _with_root(chi_v1(release) if number == "v1" else chi_v2(release), target)
    place = "§4.1; v1 (42)" if number == "v1" else "§4.1; v2 (44)"
    claim = f"rgm-{number}:corollary-1"
    return _record("Corollary 1", place, number, claim, "epsilon", value, reason, _handling(refuted))


@takes(release=Release)
def tcdp_epsilon(release: Release, delta: ExactInput, *, refuted: Refuted = "warn") -> PrintedBound:
    """Return the epsilon of the tCDP form, `chi + 2 sqrt(chi log(1/delta))` where `log(1/delta) <= (omega - 1)^2 chi`.

    Source: RGM paper (v2), after Corollary 1, with Bun et al. (2018), Proposition 6.
    """
    target, chi = one_release.probability(delta, name="delta"), chi_v2(release)
    reason = _half_range_fails(release)
    if not reason and _log_inverse(target)[1] > (half_order(release) - 1) ** 2 * chi:
        reason = "log(1/delta) is above (omega - 1)^2 chi"
    value = None if reason else _with_root(chi, target)
    return _record(
        "tCDP, converted", "§4.1", "v2", "rgm-v2:epsilon-by-tcdp", "epsilon", value, reason, _handling(refuted)
    )


@takes(release=Release)
def optimised(
    release: Release,
    *,
    version: Version,
    delta: ExactInput | None = None,
    epsilon: ExactInput | None = None,
    steps: ExactInput = 1,
    refuted: Refuted = "warn",
) -> PrintedBound:
    """Return Theorem 1, converted as printed (Mironov) at its best order: epsilon at `delta`, or delta at `epsilon`.

    Give one of the two. Version 1 takes all orders of its Theorem 1, which is refuted. For `steps` releases the bound
    of Theorem 1 is multiplied. Source: RGM paper, App. A.5; v1 (43), v2 (45).
    """
    if (delta is None) == (epsilon is None):
        raise InputError("delta, epsilon: give one of the two")
    number, count = _version(version), _steps(steps)

    def curve(order: Fraction) -> Bounds:
        value = count * _theorem(release, order, number)
        return Bounds(round_down(value), round_up(value), "as printed", "as printed")

    end = release.largest_order
    if delta is not None:
        found = conversion.epsilon_from_renyi(curve, delta, largest_order=end, form="mironov")
    else:
        found = conversion.delta_from_renyi(curve, epsilon or 0, largest_order=end, form="mironov")
    reason = _theorem_fails(release, found.order, number)
    number_found = found.epsilon if delta is not None else found.delta
    claim = "rgm-v1:a5-optimised-guarantee" if number == "v1" else "rgm-v2:a5-converted-bound"
    place = "App. A.5, v1 (43)" if number == "v1" else "App. A.5, v2 (45)"
    quantity: Quantity = "epsilon" if delta is not None else "delta"
    value = None if reason else Fraction(number_found)
    return _record("Theorem 1, converted", place, number, claim, quantity, value, reason, _handling(refuted))


def _corollary_fails(release: Release, delta: Fraction, version: str) -> str:
    """Return which hypothesis of Corollary 1 fails; empty if none does. The logarithm is rounded up, which is the
    strict side.
    """
    if version == "v1" and release.eta > 1:
        return "version 1 asks for eta <= 1"
    log = _log_inverse(delta)[1]
    needed = 8 * log if version == "v1" else 4 * log / (1 + release.eta) ** 2
    if 4 * release.gamma * (2 + release.eta) ** 2 * log > 1 and release.dimension < needed:
        return "neither gamma is small nor d large enough for log(1/delta)"
    return _half_range_fails(release)


# ----------------------------------------------------------------------------------------- all of them


@takes(release=Release)
def printed_bounds(
    release: Release,
    *,
    delta: ExactInput | None = None,
    epsilon: ExactInput | None = None,
    alpha: ExactInput | None = None,
    steps: ExactInput = 1,
    refuted: Refuted = "allow",
) -> list[PrintedBound]:
    """Return every printed bound on what is asked for, with `unsafe` judged against a certified lower bound.

    Those that do not apply are listed with the reason. Refuted ones are listed too, and say so. For several steps the
    truth is bounded from below by equal releases at the worst pair.

    Args:
        delta: asks for epsilons.
        epsilon: asks for deltas.
        alpha: asks for Renyi bounds; any of the three may be given together.
        steps: the number of releases.
        refuted: "allow" here unless another handling is asked for.
    """
    count = _steps(steps)
    records: list[tuple[PrintedBound, float]] = []
    if alpha is not None:
        truth = _renyi_truth(release, _order(alpha), count)
        records += [(found, truth) for found in _renyi_records(release, alpha, count, refuted)]
    if delta is not None:
        target = one_release.probability(delta, name="delta")
        truth = _truth(release, target, count, one_release.epsilon, epsilon_enclosure)
        records += [(found, truth) for found in _epsilon_records(release, delta, count, refuted)]
    if epsilon is not None:
        level = nonnegative(epsilon, name="epsilon", meaning="epsilon")
        truth = _truth(release, level, count, one_release.delta, hockey_stick_enclosure)
        both: tuple[Version, Version] = ("v1", "v2")
        found_all = [optimised(release, version=v, epsilon=epsilon, steps=count, refuted=refuted) for v in both]
        records += [(found, truth) for found in found_all]
    return [_compared(found, truth) for found, truth in records]


def _renyi_records(release: Release, alpha: ExactInput, steps: int, refuted: Refuted) -> list[PrintedBound]:
    """Return the printed bounds of a Renyi divergence."""
    return [
        theorem_1(release, alpha, version="v1", steps=steps, refuted=refuted),
        theorem_1(release, alpha, version="v2", steps=steps, refuted=refuted),
        tcdp(release, alpha, steps=steps, refuted=refuted),
        tcdp(release, alpha, appendix=True, steps=steps, refuted=refuted),
    ]


def _epsilon_records(release: Release, delta: ExactInput, steps: int, refuted: Refuted) -> list[PrintedBound]:
    """Return the printed bounds of an epsilon; those that are for one release are left out for several."""
    found = [
        optimised(release, version="v1", delta=delta, steps=steps, refuted=refuted),
        optimised(release, version="v2", delta=delta, steps=steps, refuted=refuted),
    ]
    if steps > 1:
        return found
    return [
        corollary_1(release, delta, version="v1", refuted=refuted),
        corollary_1(release, delta, version="v2", refuted=refuted),
        tcdp_epsilon(release, delta, refuted=refuted),
        *found,
    ]


def _renyi_truth(release: Release, alpha: Fraction, steps: int) -> float:
    """Return a certified lower bound of the divergence, rounded down."""
    # Rounded down, so that a printed bound is called unsafe only if it certainly is.
    lower = renyi_bounds(release, alpha).lower
    return lower if lower == float("inf") else round_down(steps * Fraction(lower))


def _truth(
    release: Release,
    at: Fraction,
    steps: int,
    of_one: Callable[[Release, Fraction], Bounds],
    of_pair: Callable[[Fraction, Fraction, Fraction, int], Enclosure],
) -> float:
    """Return a certified lower bound of epsilon or delta, rounded down, by what encloses it for a release or a pair."""
    if steps == 1:
        return of_one(release, at).lower
    # One admissible pair at each step is an adversary that exists: what it reaches, every true bound allows.
    pair = release.worst_pair.repeated(steps)
    return round_down(of_pair(at, pair.shift_squared, pair.excess, pair.dimension).lower or Fraction(0))


# ------------------------------------------------------------------------------------------- the record


def _record(
    name: str,
    source: str,
    version: str,
    claim: str,
    quantity: Quantity,
    value: Fraction | None,
    reason: str,
    refuted: Refuted,
) -> PrintedBound:
    """Return the record of a printed bound, its value rounded up; None where a hypothesis fails, for the given
    `reason`.

    A bound whose claim is refuted is marked, warned about, or refused with `RefutedBoundError`, as `refuted` says.
    """
    corrected = REFUTED.get(claim, "")
    warning = f"{claim} is refuted; the corrected statement is {corrected}" if corrected else ""
    if corrected and refuted == "refuse":
        raise RefutedBoundError(f"{name} of version {version[1]}: {warning}")
    if corrected and refuted == "warn":
        warnings.warn(f"{name} of version {version[1]}: {warning}", RefutedBoundWarning, stacklevel=3)
    number = None if value is None else round_up(value)
    verdict: Literal["proved", "refuted"] = "refuted" if corrected else "proved"
    return PrintedBound(
        name, source, version, claim, quantity, number, not reason, reason or "the hypotheses hold", verdict,
        corrected, warning,
    )  # fmt: skip


def _compared(found: PrintedBound, truth: float) -> PrintedBound:
    """Return the bound with `unsafe` set: whether it lies below `truth`, a certified lower bound of the quantity."""
    from dataclasses import replace

    return found if found.value is None else replace(found, unsafe=found.value < truth)


def _order(alpha: ExactInput) -> Fraction:
    """Return an exact order >= 1."""
    order = exact_number(alpha, name="alpha")
    if order < 1:
        raise reject("alpha", alpha, "an order must be >= 1")
    return order


def _steps(steps: ExactInput) -> int:
    """Return the number of releases."""
    return positive_integer(steps, name="steps", meaning="the number of releases")


def _version(version: str) -> str:
    """Return the version if there is such a one."""
    if version not in _VERSIONS:
        raise reject("version", version, f"allowed are {', '.join(_VERSIONS)}")
    return version


def _handling(refuted: Refuted) -> Refuted:
    """Return the handling of refuted bounds if it is known."""
    if refuted not in _HANDLING:
        raise reject("refuted", refuted, f"allowed are {', '.join(_HANDLING)}")
    return refuted


def _log_inverse(delta: Fraction) -> tuple[Fraction, Fraction]:
    """Return rational ends around log(1/delta)."""
    return _ends(_expressions()["log"], {"delta": delta})


def _with_root(chi: Fraction, delta: Fraction) -> Fraction:
    """Return chi + 2 sqrt(chi log(1/delta)), rounded up."""
    return _ends(_expressions()["root"], {"chi": chi, "delta": delta})[1]


def _ends(expression: Any, point: dict[str, Fraction]) -> tuple[Fraction, Fraction]:
    """Return rational ends around an expression at a point."""
    found = enclose(expression, point, digits=_DIGITS)
    if found.lower is None or found.upper is None:
        raise InputError("no enclosure: these parameters are beyond the largest working precision")
    return found.lower, found.upper


@lru_cache(maxsize=1)
def _expressions() -> dict[str, Any]:
    """Return the printed expressions with roots and logarithms, in SymPy."""
    import sympy

    chi, delta = sympy.symbols("chi delta")
    return {"log": -sympy.log(delta), "root": chi + 2 * sympy.sqrt(-chi * sympy.log(delta))}
