"""One regression over many nodes: the same release as in one place, and without a server as private as is said."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")

from rgm_verify.accounting.plans.filters import GaussianFilter
from rgm_verify.errors import InputError
from rgm_verify.learning import PrivateRidge
from rgm_verify.learning.nodes import over_gopa, over_nodes, protocol
from rgm_verify.learning.private_ridge.noise import variance_multiplier
from rgm_verify.learning.private_ridge.statistics import moments_of
from rgm_verify.mechanisms.averaging import random_graph

GENERATOR = np.random.default_rng(1)
NODES = [(X := GENERATOR.uniform(-1, 1, (30 + k, 3)), np.clip(X @ [0.5, -0.3, 0.1], -1, 1)) for k in range(20)]
FEATURES, LABELS = np.vstack([X for X, _ in NODES]), np.concatenate([y for _, y in NODES])
EDGES = random_graph(20, 5, np.random.default_rng(2))


def ridge(**options):
    given = {"epsilon": 1, "delta": "1e-6", "feature_bound": 2, "label_bound": 1, "mechanism": "statistics"}
    return PrivateRidge(**given | {"random_state": 0} | options)


@pytest.mark.parametrize(
    "options", [{}, {"fit_intercept": True}, {"neighbours": "add_or_remove", "divisor": 700}, {"out_of_bounds": "clip"}]
)
def test_a_fit_over_nodes_is_that_of_all_records_in_one_place(options):
    # Scaled so that bounds are broken where records are clipped to them.
    scale = 3 if "out_of_bounds" in options else 1
    model = ridge(**options)
    found = over_nodes(model, [(scale * X, y) for X, y in NODES])
    exact = model.fit(scale * FEATURES, LABELS)
    assert found.privacy_ == exact.privacy_
    # The sums differ by rounding, and no eigenvalue that is divided by is below the noise, which is above 1 by far.
    most = 2 * len(LABELS) * 600 * 2.0**-53 * (1 + np.linalg.norm(exact.coef_)) * (1 + abs(exact.intercept_))
    assert np.abs(found.coef_ - exact.coef_).max() <= most
    assert abs(found.intercept_ - exact.intercept_) <= most
    assert found.predict(FEATURES[:2]).shape == (2,)


def test_blocks_of_a_dask_array_are_nodes():
    dask = pytest.importorskip("dask.array", reason="dask is not installed")
    blocks = dask.from_array(FEATURES, (100, 2)), dask.from_array(LABELS, 100)
    cuts = range(0, len(LABELS), 100)
    listed = [(FEATURES[k : k + 100], LABELS[k : k + 100]) for k in cuts]
    assert over_nodes(ridge(), blocks).coef_.tolist() == over_nodes(ridge(), listed).coef_.tolist()
    with pytest.raises(InputError, match="expected the same blocks of rows"):
        over_nodes(ridge(), (blocks[0], dask.from_array(LABELS, 99)))


# Two nodes that share what they know cut a ring in two, so that the first guess of the noise is not enough.
RING = np.array([[k, (k + 1) % 20] for k in range(20)])


@pytest.mark.parametrize(("edges", "bad"), [(EDGES, []), (EDGES, [0, 1, 2, 3, 4]), (RING, [0, 10])])
def test_what_a_coalition_sees_is_as_close_as_is_said_and_no_closer(edges, bad):
    coalition = np.isin(np.arange(20), bad)
    model = ridge()
    made = protocol(model, [len(y) for _, y in NODES], 3, edges, coalition=coalition)
    allowed = 1 / variance_multiplier(Fraction(1), Fraction(1, 10**6))
    # By the inverse of the covariance of all messages that honest nodes send: real noise, floating point, dense.
    laplacian = np.zeros((20, 20))
    for a, b in made.gopa.edges:
        if not (coalition[a] or coalition[b]):
            laplacian[[a, b], [a, b]] += 1
            laplacian[[a, b], [b, a]] -= 1
    honest = np.flatnonzero(~coalition)
    covariance = float(made.gopa.pairwise) ** 2 * laplacian + float(made.gopa.independent) ** 2 * np.eye(20)
    each = np.diag(np.linalg.inv(covariance[np.ix_(honest, honest)]))
    moved = float(model.accounted(len(LABELS), 3).sensitivity.bound) / (2 * made.scale)
    seen = moved**2 * each.max()
    assert 0.97 * allowed < seen < allowed
    assert made.privacy.epsilon.upper <= 1
    # The noise that the sum keeps is what the solver is told.
    kept = 20 * (2 * made.scale * made.gopa.independent) ** 2
    assert kept <= made.privacy.noise.sigma2 <= kept * (1 + Fraction(1, 2**52))


def test_the_messages_add_up_to_the_moments_and_the_noise_that_is_kept():
    fit = over_gopa(ridge(), NODES, EDGES)
    sigma = float(fit.privacy_.noise.sigma2) ** 0.5
    assert 8 < sigma < 12
    # With a thousand times the budget hardly any noise is left: the same coefficients as in one place.
    many = over_gopa(ridge(epsilon=10**5), NODES, EDGES)
    exact = np.linalg.lstsq(FEATURES, LABELS, rcond=None)[0]
    sigma = float(many.privacy_.noise.sigma2) ** 0.5
    least = np.linalg.eigvalsh(FEATURES.T @ FEATURES / 4)[0]
    # First order: A^-1 of noise of deviation sigma in nine numbers, eight deviations.
    assert np.abs(many.coef_ - exact).max() <= 8 * 3 * sigma * 2 / least
    assert moments_of(FEATURES, LABELS, many.privacy_.public).shape == (9,)


def test_fits_over_nodes_are_charged_to_a_budget():
    # A coalition knows its members' noise: the fit costs what it allows, and not what all of the noise would.
    budget, coalition = GaussianFilter("1/8"), np.arange(20) < 5
    fit = over_gopa(ridge(budget=budget), NODES, EDGES, coalition=coalition)
    one = budget.spent
    assert one >= fit.privacy_.distance > 1.2 * float(fit.privacy_.sensitivity.bound) ** 2 / fit.privacy_.noise.sigma2
    over_nodes(ridge(budget=budget), NODES)
    assert budget.spent > 2 * one * Fraction(99, 100)
    with pytest.raises(InputError, match="nothing was released"):
        over_gopa(ridge(budget=budget), NODES, EDGES)


def test_bad_nodes_are_refused():
    with pytest.raises(InputError, match="mechanism='auto': must be statistics"):
        over_nodes(ridge(mechanism="auto"), NODES)
    for nodes in ([], [NODES[0], (NODES[1][0][:, :2], NODES[1][1])], [(NODES[0][1], NODES[0][1])]):
        with pytest.raises(InputError, match=r"nodes=.*expected"):
            over_nodes(ridge(), nodes)
    with pytest.raises(InputError, match="neighbours='add_or_remove': must be replace_one"):
        over_gopa(ridge(neighbours="add_or_remove", divisor=700), NODES, EDGES)
    with pytest.raises(InputError, match="leaves no honest party"):
        over_gopa(ridge(), NODES, EDGES, coalition=np.ones(20, dtype=bool))
    with pytest.raises(InputError, match="feature_bound=2: a row of X is longer") as caught:
        over_nodes(ridge(), [(NODES[0][0] * 1234.5, NODES[0][1])])
    assert "1234" not in str(caught.value)
