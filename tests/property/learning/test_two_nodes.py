"""Laws of two nodes: the proved sensitivity holds for every neighbour; moments of the descent, by three routes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.experiments.methods.problem import TwoNodes
from rgm_verify.experiments.methods.sensitivities import by_regularization, by_test
from rgm_verify.experiments.methods.two_node_moments import NoiseLaw, two_node_moments
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning.data import FloatArray
from rgm_verify.learning.descent.second_moments import ridge_second_moments
from rgm_verify.mechanisms import RelativeGaussianMechanism

EPS = np.finfo(float).eps
eighths = st.integers(-8, 8).map(lambda k: k / 8)
parameters = st.integers(-40, 40).map(lambda k: k / 8)


@dataclass(frozen=True, eq=False)
class Small:
    X: FloatArray
    y: FloatArray
    linear: FloatArray = field(default_factory=lambda: np.zeros(2))
    centre: FloatArray = field(default_factory=lambda: np.zeros(2))


@st.composite
def nodes(draw, least: int = 2):
    n = draw(st.integers(least, 5))
    rows = draw(st.lists(st.tuples(eighths, eighths), min_size=n, max_size=n))
    labels = draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=n, max_size=n))
    linear, centre = (np.array(draw(st.tuples(eighths, eighths))) for _ in range(2))
    return Small(np.array(rows), np.array(labels), linear, centre)


@st.composite
def problems(draw):
    mu = draw(st.sampled_from(["0.03", "1/2", "2"]))
    return TwoNodes.of((draw(nodes()), draw(nodes())), Setup(regularization=mu))


# ------------------------------------------------------------------------------------------------- sensitivity


def exact_gradient(records, mu, theta, linear, centre):
    """The gradient of the objective, over Fractions."""
    n = len(records)
    total = [
        sum(x[i] * (sum(a * b for a, b in zip(x, theta, strict=True)) - y) for x, y in records) / n for i in range(2)
    ]
    return [g + mu * (t - c) + h for g, t, c, h in zip(total, theta, centre, linear, strict=True)]


def fractions(values):
    return [Fraction(float(value)) for value in values]


def is_sensitive(first, second, eta, r_rel):
    """Decide the inequality of relative sensitivity exactly."""
    distance = sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    smaller = min(sum(a**2 for a in first), sum(b**2 for b in second))
    return distance <= eta**2 * smaller + r_rel**2


@given(
    node=nodes(),
    other=st.tuples(eighths, eighths),
    sign=st.sampled_from([-1, 1]),
    theta=st.tuples(parameters, parameters),
    scale=st.sampled_from([1, 100]),
    mu=st.sampled_from(["0.03", "1/2", "2"]),
    share=st.sampled_from(["1/8", "1/2", "4"]),
    place=st.integers(0, 4),
)
def test_gradients_of_neighbours_within_the_bounds_obey_the_proved_sensitivity(
    node, other, sign, theta, scale, mu, share, place
):
    # Labels around the centre are what is bounded, so a public centre shifts them.
    shifted = replace_labels(node)
    problem = TwoNodes.of((shifted, shifted), Setup(regularization=mu))
    longest = np.linalg.norm(node.X, axis=1).max()
    assume(np.linalg.norm(other) <= longest)
    eta, r_rel = by_regularization(problem, 0).shared(Fraction(share))
    point = [scale * value for value in fractions(theta)]
    records = [(fractions(x), Fraction(float(y))) for x, y in zip(shifted.X, shifted.y, strict=True)]
    new = fractions(other)
    label = sign + sum(a * b for a, b in zip(new, fractions(node.centre), strict=True))
    changed = [*records]
    changed[place % len(records)] = (new, label)
    about = Fraction(mu), point, fractions(node.linear), fractions(node.centre)
    assert is_sensitive(exact_gradient(records, *about), exact_gradient(changed, *about), eta, r_rel)


def replace_labels(node):
    """The node with labels y + X.centre, which are multiples of 1/64 and so exact."""
    return replace(node, y=node.y + node.X @ node.centre)


@given(
    node=nodes(least=4),
    other=st.tuples(eighths, eighths),
    sign=st.sampled_from([-1, 1]),
    theta=st.tuples(parameters, parameters),
    place=st.integers(0, 4),
    rho=st.sampled_from(["1/10", "1/2"]),
)
def test_so_do_those_that_keep_the_tested_level(node, other, sign, theta, place, rho):
    plain = Small(node.X, node.y, node.linear)
    setup = Setup(regularization="1/2", rho=rho)
    problem = TwoNodes.of((plain, plain), setup)
    hessian, n = problem.objectives[0].hessian, len(plain.y)
    inverse = np.linalg.inv(hessian)
    new = np.array(other)
    leaver = plain.X[place % n]
    assume(new @ inverse @ new <= (plain.X @ inverse * plain.X).sum(axis=1).max())
    neighbour = hessian - (np.outer(leaver, leaver) - np.outer(new, new)) / n
    assume(np.linalg.eigvalsh(neighbour - float(Fraction(rho)) * hessian)[0] > 1e-9)
    eta, r_rel = by_test(problem, 0).shared(setup.fraction("share"))
    records = [(fractions(x), Fraction(float(y))) for x, y in zip(plain.X, plain.y, strict=True)]
    changed = [*records]
    changed[place % n] = (fractions(new), Fraction(sign))
    about = Fraction(1, 2), fractions(theta), fractions(plain.linear), [Fraction(0)] * 2
    assert is_sensitive(exact_gradient(records, *about), exact_gradient(changed, *about), eta, r_rel)


def test_the_check_notices_a_sensitivity_that_is_too_small():
    # All other records 0, on one line: the relative part is |x|^2 / (n mu), and no smaller one does far away.
    mu, n = Fraction(1, 2), 3
    one, none = [([Fraction(1), Fraction(0)], Fraction(0))], [([Fraction(0), Fraction(0)], Fraction(0))]
    rest = none * (n - 1)
    about = mu, [Fraction(10**6), Fraction(0)], [Fraction(0)] * 2, [Fraction(0)] * 2
    pair = exact_gradient(one + rest, *about), exact_gradient(none + rest, *about)
    e = 1 / (n * mu)
    assert is_sensitive(*pair, e, 0)
    assert not is_sensitive(*pair, e * Fraction(999, 1000), 1)


# ------------------------------------------------------------------------------------------------- the problem


@given(problem=problems(), theta=st.tuples(parameters, parameters))
def test_the_plotted_value_is_the_objective_above_its_minimum(problem, theta):
    point = np.array(theta)
    difference = problem.mean.value(point) - problem.mean.value(problem.minimiser)
    largest = np.abs(problem.mean.hessian).sum() * max(1.0, np.abs(point).max(), np.abs(problem.minimiser).max()) ** 2
    condition = problem.mean.smoothness / problem.mean.strong_convexity
    error = 64 * EPS * (largest + problem.mean.half_labels + np.abs(problem.mean.moment).sum() * np.abs(point).max())
    assert abs(float(problem.plotted.at(point)) - difference) <= error * condition
    assert problem.plotted.at(point) >= 0


@given(problem=problems())
def test_at_the_common_minimiser_the_gradients_cancel(problem):
    gradients = [each.gradient(problem.minimiser) for each in problem.objectives]
    size = max(np.abs(each.moment).max() + np.abs(each.hessian).max() for each in problem.objectives)
    condition = problem.mean.smoothness / problem.mean.strong_convexity
    assert np.abs(gradients[0] + gradients[1]).max() <= 256 * EPS * size * condition * max(
        1.0, np.abs(problem.minimiser).max()
    )


@given(problem=problems(), copies=st.integers(2, 50))
def test_copies_of_all_records_change_their_number_alone(problem, copies):
    many = TwoNodes.of(problem.nodes, replace(problem.setup, copies=copies))
    assert many.records == copies * problem.records
    for one, other in zip(problem.objectives, many.objectives, strict=True):
        assert np.array_equal(one.hessian, other.hessian)
        assert np.array_equal(one.moment, other.moment)
    assert by_regularization(many, 0).e <= by_regularization(problem, 0).e / copies * (1 + Fraction(1, 2**50))


# ------------------------------------------------------------------------------------------------- moments

noises = st.builds(NoiseLaw, gamma=st.sampled_from([0.0, 0.01, 0.5]), sigma2=st.sampled_from([0.0, 0.25]))


def dense(objectives, laws, start, step, steps):
    """The recursion with full covariances, as it is derived."""
    d, share = len(start), step / len(objectives)
    mean, covariance = start, np.zeros((d, d))
    contraction = np.eye(d) - share * sum(each.hessian for each in objectives)
    for _ in range(steps):
        gradients = [each.gradient(mean) for each in objectives]
        variance = sum(
            law.gamma * (g @ g + np.trace(each.hessian @ covariance @ each.hessian)) + law.sigma2
            for law, each, g in zip(laws, objectives, gradients, strict=True)
        )
        mean = mean - share * sum(gradients)
        covariance = contraction @ covariance @ contraction + share**2 * variance * np.eye(d)
    return mean, covariance


@given(problem=problems(), laws=st.tuples(noises, noises), start=st.tuples(parameters, parameters))
def test_variances_along_the_eigenvectors_are_those_of_the_full_covariance(problem, laws, start):
    steps, step = 12, problem.step()
    found = two_node_moments(problem.objectives, laws, np.array(start), step=step, steps=steps)
    mean, covariance = dense(problem.objectives, laws, np.array(start), step, steps)
    diagonal = found.directions @ np.diag(found.variances[-1]) @ found.directions.T
    error = 64 * steps * EPS
    assert np.abs(diagonal - covariance).max() <= error * max(np.abs(covariance).max(), 1e-300)
    size = 1 + np.abs(np.array(start)).max() + max(np.abs(each.moment).max() for each in problem.objectives)
    assert np.abs(found.means[-1] - mean).max() <= error * size * (1 + step)


@given(
    node=nodes(),
    gamma=st.sampled_from(["1/100", "1/2"]),
    sigma2=st.sampled_from(["0", "1/4"]),
    start=st.tuples(parameters, parameters),
)
def test_two_equal_nodes_are_one_with_half_of_the_noise(node, gamma, sigma2, start):
    problem = TwoNodes.of((node, node), Setup(regularization="1/2"))
    law, steps = NoiseLaw(float(Fraction(gamma)), float(Fraction(sigma2))), 12
    found = two_node_moments(problem.objectives, (law, law), np.array(start), step=problem.step(), steps=steps)
    half = RelativeGaussianMechanism(Fraction(gamma) / 2, Fraction(sigma2) / 2)
    one = ridge_second_moments(problem.objectives[0], start, step=problem.step(), steps=steps, mechanism=half)
    distance = np.square(found.means - problem.minimiser).sum(axis=1) + found.variances.sum(axis=1)
    condition = problem.mean.smoothness / problem.mean.strong_convexity
    size = 1 + np.square(np.array(start)).sum() + np.square(problem.minimiser).sum()
    assert np.abs(distance - one).max() <= 64 * steps * EPS * condition * (size + one.max())


@given(problem=problems(), laws=st.tuples(noises, noises), start=st.tuples(parameters, parameters))
def test_the_order_of_the_nodes_changes_nothing_but_rounding(problem, laws, start):
    options = {"step": problem.step(), "steps": 8}
    one = two_node_moments(problem.objectives, laws, np.array(start), **options)
    other = two_node_moments(problem.objectives[::-1], laws[::-1], np.array(start), **options)
    expected, swapped = one.expected(problem.plotted), other.expected(problem.plotted)
    assert np.abs(expected - swapped).max() <= 1024 * EPS * max(expected.max(), 1.0)


@given(problem=problems(), laws=st.tuples(noises, noises), start=st.tuples(parameters, parameters))
def test_more_noise_never_lowers_the_expected_curve(problem, laws, start):
    more = (NoiseLaw(laws[0].gamma * 2, laws[0].sigma2 * 2), laws[1])
    options = {"step": problem.step(), "steps": 8}
    less_noise, more_noise = (
        two_node_moments(problem.objectives, each, np.array(start), **options).expected(problem.plotted)
        for each in (laws, more)
    )
    assert (more_noise >= less_noise * (1 - 1024 * EPS)).all()
