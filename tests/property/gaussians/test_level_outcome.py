"""An outcome of a level test holds for the features and the regularization that were tested, and for nothing else."""

from __future__ import annotations

import copy
import dataclasses
import gc
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, LevelTest, level_test
from rgm_verify.learning.sensitivity.of_domain import (
    Level,
    RecordDomain,
    absolute_part,
    objective_after_test,
    relative_part_squared,
    relative_sensitivity,
    sensitivity_after_test,
)

SHAPE = Shape.of(np.diag([4.0, 1.0]))
ROWS = np.random.default_rng(11).normal(size=(3000, 2)) * [2.0, 1.0]
LABELS = np.random.default_rng(12).normal(size=3000)
MU = Fraction(1, 8)


def features_of(rows=ROWS, shape=SHAPE, radius=3, clipped_by="ellipsoid"):
    return ClippedFeatures.of(rows, shape, radius, clipped_by)


def outcome_of(features, **changes):
    options = {"epsilon": 1, "delta": "1e-6", "regularization": MU, "generator": np.random.default_rng(3)}
    return level_test(features, "1/2", **options | changes)


FEATURES = features_of()
PASSED = outcome_of(FEATURES)
USES = {
    "Level.tested": lambda f, o, mu: Level.tested(o, f, mu),
    "sensitivity_after_test": lambda f, o, mu: sensitivity_after_test(f, o, labels=1, regularization=mu),
    "objective_after_test": lambda f, o, mu: objective_after_test(
        f, o, LABELS[: len(f.rows)], labels=1, regularization=mu
    ),
}
every_use = pytest.mark.parametrize("use", USES.values(), ids=USES)
OTHERS = {
    "equal": lambda: features_of(),
    "zeros": lambda: features_of(np.zeros_like(ROWS)),
    "fewer records": lambda: features_of(ROWS[:-1]),
    "another matrix": lambda: features_of(shape=Shape.of(np.diag([4.0, 2.0]))),
    "another radius": lambda: features_of(radius=2),
    "another map": lambda: features_of(clipped_by="both norms"),
    "a copy": lambda: copy.copy(FEATURES),
    "a deep copy": lambda: copy.deepcopy(FEATURES),
    "loaded": lambda: pickle.loads(pickle.dumps(FEATURES)),
}


@every_use
def test_what_was_tested_is_accepted(use):
    assert PASSED.passed
    assert use(FEATURES, PASSED, MU) is not None
    assert use(FEATURES, PASSED, 0.125) is not None  # the same number


@every_use
@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_other_features_are_refused_by_name(use, other):
    with pytest.raises(InputError, match=r"^features: these are not the features that were tested"):
        use(other(), PASSED, MU)


@every_use
@given(st.fractions(0, 2))
def test_another_regularization_is_refused_by_name(use, mu):
    if mu != MU:
        with pytest.raises(InputError, match=r"^regularization=.*: the level was tested with 1/8"):
            use(FEATURES, PASSED, mu)


@every_use
def test_worthless_data_that_a_penalty_carried_through_are_refused_without_it(use):
    features = features_of(np.zeros((2000, 2)))
    outcome = outcome_of(features, regularization=4)
    assert outcome.passed
    assert use(features, outcome, 4) is not None
    with pytest.raises(InputError, match=r"^regularization=0: the level was tested with 4"):
        use(features, outcome, 0)


COPIES = {
    "pickle": lambda outcome: pickle.loads(pickle.dumps(outcome)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": dataclasses.replace,
    "by hand": lambda o: LevelTest(o.noisy, o.threshold, o.rho, o.epsilon, o.delta, o.regularization),
}


@every_use
@pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)
def test_an_outcome_that_was_copied_or_loaded_is_refused_with_the_reason(use, again):
    found = again(PASSED)
    assert found == PASSED
    assert found.total(1, "1e-6") == PASSED.total(1, "1e-6")
    with pytest.raises(InputError, match=r"^outcome: it was copied, loaded or made by hand, .* Level\.promised$"):
        use(FEATURES, found, MU)


@every_use
def test_a_test_that_did_not_pass_gives_nothing(use):
    failed = level_test(FEATURES, 3, epsilon=1, delta="1e-6", generator=np.random.default_rng(1), regularization=MU)
    with pytest.raises(InputError, match="the test did not pass"):
        use(FEATURES, failed, MU)


@every_use
def test_something_else_than_features_is_refused_by_name(use):
    with pytest.raises((InputError, AttributeError), match=r"features"):
        Level.tested(PASSED, ROWS, MU)
    with pytest.raises(InputError, match=r"^features='ndarray': expected ClippedFeatures"):
        level_test(ROWS, "1/2", epsilon=1, delta="1e-6", generator=np.random.default_rng(1))


def test_a_pickle_of_an_outcome_holds_public_numbers_and_the_released_one_alone():
    large = outcome_of(features_of(np.tile(ROWS, (10, 1))))
    small = outcome_of(features_of(ROWS[:100]))
    assert abs(len(pickle.dumps(large)) - len(pickle.dumps(small))) <= 16
    state = large.__getstate__()
    assert state.pop("_features") is None
    assert {type(value) for value in state.values()} == {float, Fraction}
    assert "features" not in repr(large)


def test_an_outcome_does_not_keep_its_features_alive_and_is_of_no_use_without_them():
    features = features_of()
    outcome = outcome_of(features)
    place = id(features)
    del features
    gc.collect()
    others = [features_of(ROWS * 2) for _ in range(20)]
    for other in others:  # one of them may lie where the features were
        with pytest.raises(InputError, match=r"^features: these are not the features that were tested"):
            outcome.require_tested(other, MU)
    assert place


def test_features_that_were_clipped_cannot_be_changed():
    X = ROWS.copy()
    features = features_of(X)
    outcome = outcome_of(features)
    kept = features.rows.copy()
    X[:] = 0.0  # what they were made of is not what was tested
    assert np.array_equal(features.rows, kept)
    for array in (features.rows, features.shape.values, features.shape.vectors):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7.0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            array += 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        features.rows = np.zeros((3000, 2))
    for wrong in (
        lambda: ClippedFeatures(ROWS, SHAPE, 3.0, "ellipsoid"),
        lambda: dataclasses.replace(features, radius=9),
    ):
        with pytest.raises(InputError, match=r"use ClippedFeatures\.of"):
            wrong()
    assert sensitivity_after_test(features, outcome, labels=1, regularization=MU)


# ----------------------------------------------------------------------------------------- level and objective


@pytest.mark.parametrize("part", [relative_part_squared, absolute_part, relative_sensitivity])
def test_a_tested_level_is_for_its_domain_and_its_number_of_records(part):
    level = Level.tested(PASSED, FEATURES, MU)
    domain = RecordDomain.ellipsoid(SHAPE, 3, 1)
    assert part(domain, level, 3000) == part(domain, Level.promised("1/2", MU), 3000)
    with pytest.raises(InputError, match=r"^records=3001: the level was tested with 3000"):
        part(domain, level, 3001)
    for wrong, name in (
        (RecordDomain.ellipsoid(SHAPE, 2, 1), "radius = 2"),
        (RecordDomain(3, 1, smallest=1, largest=domain.largest), "smallest = 1"),
        (RecordDomain(3, 1, smallest=domain.smallest, largest=5), "largest = 5"),
    ):
        with pytest.raises(InputError, match=rf"^domain='{name}': tested with"):
            part(wrong, level, 3000)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e308])
def test_the_objective_is_that_of_the_features_and_the_penalty_that_were_tested(bad):
    y = LABELS.copy()
    y[5] = bad
    objective = objective_after_test(FEATURES, PASSED, y, labels="1/2", regularization=MU)
    kept = np.clip(y, -0.5, 0.5)
    kept[5] = 0.0 if np.isnan(bad) else np.copysign(0.5, bad)
    assert objective.regularization == float(MU)
    assert np.array_equal(objective.moment, FEATURES.rows.T @ kept / 3000)
    assert np.array_equal(objective.hessian, FEATURES.rows.T @ FEATURES.rows / 3000 + float(MU) * np.eye(2))


@pytest.mark.parametrize(
    ("y", "message"), [(LABELS[:5], "^y='array of shape"), (["secret"] * 3000, "^y: expected real")]
)
def test_labels_that_do_not_fit_are_refused(y, message):
    with pytest.raises(InputError, match=message) as caught:
        objective_after_test(FEATURES, PASSED, y, labels=1, regularization=MU)
    assert "secret" not in str(caught.value)
