"""Bad input, line by line: each entry point names the argument, its value and what is allowed, and releases nothing."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from rgm_verify.accounting.calibration import UnreachableTarget, calibrate
from rgm_verify.accounting.exact import epsilon as one_release
from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.features import Shape, clip_by_both_norms, clip_to_ellipsoid
from rgm_verify.learning.clipping.gaussian_features import ClippedGaussian, acceptance_probability, kept_share_bound
from rgm_verify.learning.clipping.gradient import ClippedGradient, clipped_mean_sensitivity, per_example_gradients
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, distance_statistic, level_test
from rgm_verify.learning.descent import privacy, utility
from rgm_verify.learning.descent.gradient_descent import clipped_gaussian_descent, relative_gaussian_descent
from rgm_verify.learning.descent.second_moments import stationary_second_moments
from rgm_verify.learning.ridge import RidgeObjective, ridge_gradient, ridge_value
from rgm_verify.learning.sensitivity import proposition_1
from rgm_verify.learning.sensitivity.at_hand import sensitivity_at_hand
from rgm_verify.learning.sensitivity.of_domain import Level, RecordDomain, relative_sensitivity
from rgm_verify.learning.sensitivity.of_pair import pair_sensitivity
from rgm_verify.mechanisms import GaussianMechanism, RelativeGaussianMechanism
from rgm_verify.mechanisms.sensitivity import RelativeSensitivity

Call = Callable[..., Any]
X, Y = [[1.0, 0.5], [0.25, -1.0], [0.5, 0.5]], [1.0, 0.0, -1.0]
EYE = [[1.0, 0.0], [0.0, 1.0]]
SENSITIVITY = RelativeSensitivity("1/10", "1/10", "replace_one")
FEATURES = ClippedFeatures.of(X, EYE, 1)


class Row(NamedTuple):
    """A bad value of `argument`, shown as `value`, which `call(generator)` has to refuse by saying `allowed`.

    A `value` of None is that of private data, which is not shown.
    """

    line: str
    entry: str
    call: Call
    argument: str
    value: str | None
    allowed: str


def relative(generator, gradient=None, **changes):
    options = {
        "mechanism": RelativeGaussianMechanism("1/10", "1/4"),
        "sensitivity": SENSITIVITY,
        "step": "1/2",
        "steps": 3,
        "delta": "1e-5",
        "methods": ["rdp"],
    }
    gradient = RidgeObjective.of(X, Y, 1).gradient if gradient is None else gradient
    return relative_gaussian_descent(gradient, [0, 0], generator=generator, **options | changes)


def clipped(generator, gradient=None, **changes):
    options = {
        "mechanism": GaussianMechanism(1),
        "neighbours": "replace_one",
        "step": "1/2",
        "steps": 3,
        "delta": "1e-5",
    }
    gradient = ClippedGradient.of(X, Y, 1) if gradient is None else gradient
    return clipped_gaussian_descent(gradient, [0, 0], generator=generator, **options | changes)


def trial(generator, features=FEATURES, **changes):
    options = {"rho": "1/10", "epsilon": 1, "delta": "1e-3", "regularization": 1}
    return level_test(features, generator=generator, **options | changes)


# What takes features and labels, what takes features alone, and what takes a matrix C. Each runs as far as a release.
DATA: dict[str, Call] = {
    "RidgeObjective.of": lambda X, y, _: RidgeObjective.of(X, y, 1),
    "ridge_value": lambda X, y, _: ridge_value(X, y, [0.0, 0.0], 1),
    "ridge_gradient": lambda X, y, _: ridge_gradient(X, y, [0.0, 0.0], 1),
    "per_example_gradients": lambda X, y, _: per_example_gradients(X, y, [0.0, 0.0]),
    "ClippedGradient.of": lambda X, y, _: ClippedGradient.of(X, y, 1),
    "pair_sensitivity": lambda X, y, _: pair_sensitivity(X, y, 0, [0.0, 0.0], 0, regularization=1),
    "sensitivity_at_hand": lambda X, y, _: sensitivity_at_hand(X, y, EYE, radius=1, labels=1, regularization=1),
    "as_printed.absolute_part_of_data": lambda X, y, _: as_printed.absolute_part_of_data(1, X, y),
    "as_printed.pair_parameters": lambda X, y, _: as_printed.pair_parameters(X, y, 0, [0.0, 0.0], 0, 1),
    "relative_gaussian_descent": lambda X, y, g: relative(g, lambda t: RidgeObjective.of(X, y, 1).gradient(t)),
    "clipped_gaussian_descent": lambda X, y, g: clipped(g, ClippedGradient.of(X, y, 1)),
}
FEATURES_ALONE: dict[str, Call] = {
    "clip_by_both_norms": lambda X, _: clip_by_both_norms(X, EYE, 1),
    "clip_to_ellipsoid": lambda X, _: clip_to_ellipsoid(X, EYE, 1),
    "ClippedFeatures.of": lambda X, _: ClippedFeatures.of(X, EYE, 1),
    "as_printed.relative_terms": lambda X, _: as_printed.relative_terms(X, 1),
    "as_printed.eta_of_data": lambda X, _: as_printed.eta_of_data(X, 1),
    "level_test": lambda X, g: trial(g, ClippedFeatures.of(X, EYE, 1)),
}
MATRIX: dict[str, Call] = {
    "Shape.of": lambda C, _: Shape.of(C),
    "clip_by_both_norms": lambda C, _: clip_by_both_norms(X, C, 1),
    "clip_to_ellipsoid": lambda C, _: clip_to_ellipsoid(X, C, 1),
    "ClippedFeatures.of": lambda C, _: ClippedFeatures.of(X, C, 1),
    "sensitivity_at_hand": lambda C, _: sensitivity_at_hand(X, Y, C, radius=1, labels=1, regularization=1),
    "level_test": lambda C, g: trial(g, ClippedFeatures.of(X, C, 1)),
}
RHO: dict[str, Call] = {
    "level_test": lambda rho, g: trial(g, rho=rho),
    "distance_statistic": lambda rho, _: distance_statistic(FEATURES, rho),
    "Level.promised": lambda rho, _: Level.promised(rho),
    "clipped_eta_squared": lambda rho, _: proposition_1.proposition_1_eta_squared(1, rho, 1, 1, "ellipsoid"),
    "as_printed.clipped_eta_squared": lambda rho, _: as_printed.clipped_eta_squared(1, rho, 1),
    "as_printed.clipped_eta_v1": lambda rho, _: as_printed.clipped_eta_v1(1, rho, 1, 1),
    "as_printed.gaussian_eta_squared": lambda rho, _: as_printed.gaussian_eta_squared(1, rho, 1, 1),
}
RADIUS: dict[str, Call] = {
    "clip_by_both_norms": lambda radius, _: clip_by_both_norms(X, EYE, radius),
    "clip_to_ellipsoid": lambda radius, _: clip_to_ellipsoid(X, EYE, radius),
    "ClippedFeatures.of": lambda radius, _: ClippedFeatures.of(X, EYE, radius),
    "level_test": lambda radius, g: trial(g, ClippedFeatures.of(X, EYE, radius)),
    "clipped_eta_squared": lambda radius, _: proposition_1.proposition_1_eta_squared(radius, 1, 1, 1, "both norms"),
    "RecordDomain": lambda radius, _: RecordDomain(radius, 1),
    "RecordDomain.ellipsoid": lambda radius, _: RecordDomain.ellipsoid(Shape.of(EYE), radius, 1),
    "sensitivity_at_hand": lambda radius, _: sensitivity_at_hand(X, Y, EYE, radius=radius, labels=1, regularization=1),
    "ClippedGaussian": lambda radius, _: ClippedGaussian(radius, 2),
    "as_printed.clipped_eta_squared": lambda radius, _: as_printed.clipped_eta_squared(radius, 1, 1),
    "as_printed.gaussian_clipping_factor": lambda radius, _: as_printed.gaussian_clipping_factor(radius, 1),
    "as_printed.gaussian_regularization": lambda radius, _: as_printed.gaussian_regularization(radius, 1, 1, "1/2"),
    "as_printed.gaussian_records": lambda radius, _: as_printed.gaussian_records(
        radius, 1, epsilon=1, delta="1/2", failure="1/2"
    ),
}
CLIP: dict[str, Call] = {
    "ClippedGradient.of": lambda clip, _: ClippedGradient.of(X, Y, clip),
    "clipped_mean_sensitivity": lambda clip, _: clipped_mean_sensitivity(clip, 1, "replace_one"),
    "clipped_gradient_variance": lambda clip, _: privacy.clipped_gradient_variance(2, 1, clip, 1, "replace_one"),
    "as_printed.clipping_variance": lambda clip, _: as_printed.clipping_variance(2, 1, clip, 1),
    "clipped_gaussian_descent": lambda clip, g: clipped(g, ClippedGradient.of(X, Y, clip)),
}
COUNTS: dict[str, Call] = {
    "relative_sensitivity": lambda n, _: relative_sensitivity(RecordDomain(1, 1), Level.promised(1), n),
    "clipped_eta_squared": lambda n, _: proposition_1.proposition_1_eta_squared(1, 1, n, 1, "ellipsoid"),
    "ClippedGaussian.regularization": lambda n, _: ClippedGaussian(1, 1).regularization(n, "1/2"),
    "ClippedGaussian.passing_probability": lambda n, _: ClippedGaussian(1, 1).passing_probability(
        n, epsilon=1, delta="1/9"
    ),
    "kept_share_bound": lambda n, _: kept_share_bound(ClippedGaussian(1, 1), n, "1/2"),
    "as_printed.clipped_eta_squared": lambda n, _: as_printed.clipped_eta_squared(1, 1, n),
    "as_printed.clipping_variance": lambda n, _: as_printed.clipping_variance(2, 1, 1, n),
    "as_printed.gaussian_regularization": lambda n, _: as_printed.gaussian_regularization(1, 1, n, "1/2"),
    "as_printed.gaussian_kept_share": lambda n, _: as_printed.gaussian_kept_share("1/2", n, "1/2"),
}
# What clips takes every float: a refusal would depend on the data.
TOTAL = {
    "ClippedGradient.of",
    "clipped_gaussian_descent",
    "clip_by_both_norms",
    "clip_to_ellipsoid",
    "ClippedFeatures.of",
    "level_test",
}
POSITIVE_DEFINITE = "must be positive definite"


def on_data(call: Call, rows: Any, labels: Any) -> Call:
    return lambda generator: call(rows, labels, generator)


def with_value(call: Call, value: Any) -> Call:
    return lambda generator: call(value, generator)


def table() -> list[Row]:  # noqa: C901 - one block of rows for each public callable
    rows = []
    matrices = [
        ("singular C", [[1.0, 0.0], [0.0, 0.0]], POSITIVE_DEFINITE),
        ("nearly singular C", [[1.0, 0.0], [0.0, 1e-16]], "too near to a singular matrix"),
        ("indefinite C", [[1.0, 2.0], [2.0, 1.0]], POSITIVE_DEFINITE),
        ("negative C", [[-1.0, 0.0], [0.0, -1.0]], POSITIVE_DEFINITE),
    ]
    for line, C, allowed in matrices:
        shown = " ".join(str(np.array(C)).split())
        rows += [Row(line, name, with_value(call, C), "C", shown, allowed) for name, call in MATRIX.items()]
    for rho in (0, -1):
        rows += [
            Row("rho <= 0", name, with_value(call, rho), "rho", str(rho), "must be > 0") for name, call in RHO.items()
        ]
    for radius in (0, -1):
        rows += [
            Row("R_c <= 0", name, with_value(call, radius), "radius", str(radius), "must be > 0")
            for name, call in RADIUS.items()
        ]
        rows += [
            Row("c <= 0", name, with_value(call, radius), "clip", str(radius), "must be > 0")
            for name, call in CLIP.items()
        ]
    for name, call in COUNTS.items():
        rows.append(Row("n = 0", name, with_value(call, 0), "records", "0", "must be an integer >= 1"))
    none = np.zeros((0, 2))
    for name, call in DATA.items():
        rows.append(Row("n = 0", name, on_data(call, none, []), "X", "'array of shape (0, 2)'", "at least one number"))
    for name, call in FEATURES_ALONE.items():
        rows.append(Row("n = 0", name, with_value(call, none), "X", "'array of shape (0, 2)'", "at least one number"))
    for bad in (math.nan, math.inf, -math.inf):
        broken = [[1.0, 0.5], [bad, -1.0], [0.5, 0.5]]
        wrong = [1.0, bad, 0.0]
        for name, call in DATA.items():
            if name not in TOTAL:
                rows.append(
                    Row(f"{bad} features", name, on_data(call, broken, Y), "X", None, "must be a finite float64")
                )
                rows.append(Row(f"{bad} labels", name, on_data(call, X, wrong), "y", None, "must be a finite float64"))
        for name, call in FEATURES_ALONE.items():
            if name not in TOTAL:
                rows.append(
                    Row(f"{bad} features", name, with_value(call, broken), "X", None, "must be a finite float64")
                )
    for line, broken in (("text", [["secret", "1"]] * 3), ("ragged", [[1234.5], [1.0, 2.0], [1.0]])):
        for name, call in DATA.items():
            rows.append(Row(line, name, on_data(call, broken, Y), "X", None, "expected real numbers"))
            rows.append(Row(f"{line} labels", name, on_data(call, X, broken), "y", None, "expected real numbers"))
        for name, call in FEATURES_ALONE.items():
            rows.append(Row(line, name, with_value(call, broken), "X", None, "expected real numbers"))
    for labels, shape in (([1.0], "(1,)"), ([[1.0], [2.0], [3.0]], "(3, 1)"), (1.0, "()"), (np.ones(4), "(4,)")):
        shown = f"'array of shape {shape}'"
        for name, call in DATA.items():
            rows.append(Row("shape of labels", name, on_data(call, X, labels), "y", shown, "expected shape (3,)"))
    return rows


TABLE = table()


@pytest.mark.parametrize("row", TABLE, ids=[f"{row.line}-{row.entry}-{row.value}" for row in TABLE])
def test_bad_input_is_named_with_what_is_allowed_and_nothing_is_released(row):
    generator = np.random.default_rng(7)
    before = generator.bit_generator.state
    with pytest.raises(InputError) as caught:
        row.call(generator)
    message = str(caught.value)
    assert message.startswith(f"{row.argument}: " if row.value is None else f"{row.argument}={row.value}")
    assert row.allowed in message
    assert caught.value.__cause__ is None
    if row.value is None:
        assert message.endswith("This message depends on the data: keep it private")
        assert not {"secret", "1234.5", "nan", "inf"} & set(re.split(r"[^a-z0-9.]+", message))
        assert caught.value.__context__ is None
    assert generator.bit_generator.state == before


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1.7e308, 5e-324])
def test_what_clips_takes_every_float(bad):
    generator, broken = np.random.default_rng(7), [[1.0, 0.5], [bad, -1.0], [0.5, bad]]
    for name in TOTAL & set(DATA):
        assert DATA[name](broken, [bad, 1.0, 0.0], generator) is not None
    for name in TOTAL & set(FEATURES_ALONE):
        assert FEATURES_ALONE[name](broken, generator) is not None


def test_every_call_of_the_table_is_fine_with_good_input():
    """So that each row is refused for what it says, and not for something else."""
    for name, call in DATA.items():
        assert call(X, Y, np.random.default_rng(1)) is not None, name
    for calls, good in ((FEATURES_ALONE, X), (MATRIX, EYE), (RHO, 1), (RADIUS, 1), (CLIP, 1), (COUNTS, 1)):
        for name, call in calls.items():
            assert call(good, np.random.default_rng(1)) is not None, name


# ------------------------------------------------------------------------------------------------- one record


@pytest.mark.parametrize("name", DATA)
def test_one_record_is_enough_where_there_is_regularization(name):
    assert DATA[name]([[1.0, 0.5]], [1.0], np.random.default_rng(1)) is not None


@pytest.mark.parametrize("name", FEATURES_ALONE)
def test_one_record_of_features_is_enough(name):
    assert FEATURES_ALONE[name]([[1.0, 0.5]], np.random.default_rng(1)) is not None


@pytest.mark.parametrize(
    "call",
    [
        lambda: RidgeObjective.of([[1.0, 0.5]], [1.0]).minimiser(),
        lambda: sensitivity_at_hand([[1.0, 0.5]], [1.0], EYE, radius=1, labels=1),
        lambda: as_printed.relative_terms([[1.0, 0.5]]),
        lambda: pair_sensitivity([[1.0, 0.5]], [1.0], 0, [0.0, 1.0], 0),
    ],
)
def test_one_record_without_regularization_is_singular(call):
    with pytest.raises(InputError, match=r"^regularization=0: .* singular.*; use mu > 0|^regularization=0: .* mu > 0$"):
        call()


def test_a_test_of_one_record_fails_rather_than_passing():
    generator = np.random.default_rng(1)
    features = ClippedFeatures.of([[1.0, 0.5]], EYE, 1)
    assert not level_test(features, "1/2", epsilon=10, delta="1e-6", generator=generator).passed


# --------------------------------------------------------------------------------------- steps beyond the stable range


@pytest.mark.parametrize(
    ("run", "step", "threshold"), [(relative, 1, Fraction(5, 6)), (relative, "5/6", Fraction(5, 6)), (clipped, 1, 1)]
)
def test_a_step_beyond_the_stable_range_is_warned_of_with_the_exact_threshold_before_any_noise(run, step, threshold):
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(utility.StepSizeWarning, match=re.escape(f"= {threshold} (about")):
            run(generator, step=step, smoothness=2)
    assert generator.bit_generator.state == before


def test_a_step_just_below_the_threshold_is_not_warned_of():
    generator = np.random.default_rng(3)
    relative(generator, step=Fraction(5, 6) - Fraction(1, 10**12), smoothness=2)
    clipped(generator, step=1 - Fraction(1, 10**12), smoothness=2)


def test_moments_that_would_grow_are_refused_with_the_threshold():
    with pytest.raises(InputError, match=r"step=2: the second moments grow without bound; must be <= 1\.8"):
        stationary_second_moments([1.0], step=2, mechanism=RelativeGaussianMechanism("1/10", "1/4"))


# ------------------------------------------------------------------------------------------- targets that cannot be met


def test_a_budget_below_the_floor_is_out_of_reach_and_the_floor_is_stated():
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    with pytest.raises(UnreachableTarget) as caught:
        relative(generator, largest_epsilon="1/1000")
    message = str(caught.value)
    assert message.startswith("largest_epsilon='1/1000': ")
    stated = re.search(r"ask for epsilon (?:clearly )?above (\S+), or delta (?:clearly )?above (\S+)$", message)
    assert stated
    least, delta = (Fraction(number) for number in stated.groups())
    assert delta > Fraction(1, 10**5)
    # The floor itself: no noise ratio reaches it, and a tenth more is reached by some.
    assert _reachable(least * Fraction(11, 10))
    assert not _reachable(least * Fraction(9, 10))
    assert generator.bit_generator.state == before


def _reachable(epsilon: Fraction) -> bool:
    """Tell if some noise ratio certifies that the three steps of `relative` stay within `epsilon`: with a huge one."""
    release = Release(SENSITIVITY.eta, 10**12, 6, r_rel=0)  # three steps in two dimensions are one in six
    return one_release(release, "1e-5").upper <= epsilon


@pytest.mark.parametrize(("run", "budget"), [(relative, "2.6"), (clipped, "2")])
def test_a_budget_that_more_noise_would_keep_says_what_this_run_costs(run, budget):
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    with pytest.raises(InputError, match=r"^largest_epsilon=.*: this run costs up to .*; use more noise") as caught:
        run(generator, largest_epsilon=budget)
    assert not isinstance(caught.value, UnreachableTarget)
    assert generator.bit_generator.state == before


def test_calibration_states_the_floor():
    with pytest.raises(UnreachableTarget, match="ask for epsilon clearly above"):
        calibrate("1/1000", "1e-5", eta="1/10", dimension=2, steps=3)


@pytest.mark.parametrize("run", [relative, clipped])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"delta": 0}, "delta=0: must be strictly between 0 and 1"),
        ({"delta": 1}, "delta=1: must be strictly between 0 and 1"),
        ({"largest_epsilon": 0}, "largest_epsilon=0: the budget must be > 0"),
        ({"step": 0}, "step=0: the step size must be > 0"),
        ({"step": -1}, "step=-1: the step size must be > 0"),
        ({"steps": 0}, "steps=0: the number of"),
        ({"generator": None}, "generator=None: expected a numpy.random.Generator"),
    ],
)
def test_bad_options_of_a_run_release_nothing(run, changes, message):
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    options = {"generator": generator} | changes
    with pytest.raises(InputError, match=re.escape(message)):
        run(**options)
    assert generator.bit_generator.state == before


@pytest.mark.parametrize("wrong", [[1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [math.nan, 1.0], [math.inf, 1.0], "none", []])
def test_a_gradient_that_is_none_releases_nothing(wrong):
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    with pytest.raises(InputError, match=r"^gradient[=:]") as caught:
        relative(generator, gradient=lambda _: wrong)
    assert not {"nan", "inf", "none"} & set(re.split(r"[^a-z]+", str(caught.value)))
    assert caught.value.__context__ is None
    assert generator.bit_generator.state == before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: trial(g, epsilon=0), "epsilon=0: the privacy loss of the test must be > 0"),
        (lambda g: trial(g, delta="1/2"), "delta='1/2': must be < 1/2"),
        (lambda g: acceptance_probability(1, epsilon=0, delta="1/9"), "epsilon=0: the privacy loss of the test"),
        (lambda g: Level.everywhere(0, RecordDomain(1, 1)), "regularization=0: the regularization mu, for a level of"),
        (lambda g: RecordDomain(1, -1), "labels=-1: the bound on the labels must be >= 0"),
        (lambda g: RecordDomain(1, 1, smallest=2), "smallest=2: the smallest eigenvalue of C must be <= largest=1"),
        (
            lambda g: relative_sensitivity(RecordDomain(1, 1), Level.promised(1), 9, share=0),
            "share=0: the share of the relative part must be > 0",
        ),
        (lambda g: pair_sensitivity(X, Y, 3, [0.0, 0.0], 0), "index=3: must be an integer from 0 to 2"),
        (lambda g: pair_sensitivity(X, Y, 0, [0.0], 0), "record='array of shape (1,)': expected shape (2,)"),
        (
            lambda g: pair_sensitivity(X, Y, 0, [0.0, 0.0], math.nan),
            "label: expected a finite number. This message depends",
        ),
        (lambda g: as_printed.relative_terms(X, 1, "both"), "side='both': allowed are norm, leverage"),
        (lambda g: as_printed.pair_parameters(X, Y, 3, [0.0, 0.0], 0), "index=3: must be an integer from 0 to 2"),
        (lambda g: privacy.gaussian_epsilon(1, 0, steps=1, delta="1/9"), "sigma2=0: the noise variance must be > 0"),
    ],
)
def test_other_numbers_out_of_range_are_refused(call, message):
    generator = np.random.default_rng(3)
    before = generator.bit_generator.state
    with pytest.raises(InputError, match=re.escape(message)):
        call(generator)
    assert generator.bit_generator.state == before


# ------------------------------------------------------------------------------------- errors that depend on the data

SECRET = 31_415.9265


@pytest.mark.parametrize(
    "call",
    [
        lambda: pair_sensitivity([[SECRET, 1.0]], [SECRET], 0, [math.nan, SECRET], 0),
        lambda: pair_sensitivity([[SECRET, 1.0]], [SECRET], 0, ["secret", SECRET], 0),
        lambda: pair_sensitivity([[SECRET, 1.0]], [SECRET], 0, [0.0, SECRET], "secret"),
        lambda: pair_sensitivity([[SECRET, 1.0]], [SECRET], 0, [0.0, SECRET], SECRET),
        lambda: pair_sensitivity([[SECRET]], [SECRET], 0, [1.0], 2.0).absolute_part_squared(0),
        lambda: as_printed.pair_parameters(X, Y, 0, [math.inf, SECRET], 0),
        lambda: as_printed.pair_parameters(X, Y, 0, [0.0, SECRET], math.nan),
        lambda: RidgeObjective.of([[SECRET, 0.0]], [SECRET]).minimiser(),
        lambda: RidgeObjective.of([[SECRET * 1e200]], [SECRET]),
        lambda: ridge_gradient([[SECRET * 1e200]], [SECRET], [1e200]),
        lambda: relative(np.random.default_rng(3), lambda _: [SECRET * 1e200, 0.0]),
        lambda: relative(
            np.random.default_rng(3),
            lambda _: [SECRET * 1e12, 0.0],
            mechanism=RelativeGaussianMechanism("1e-40", "1e-20"),
        ),
    ],
)
def test_errors_that_depend_on_data_say_so_and_hold_none(call):
    with pytest.raises(InputError) as caught:
        call()
    said = str(caught.value)
    assert said.endswith("This message depends on the data: keep it private")
    assert "31415" not in said.replace(".", "")
    assert "secret" not in said
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)
