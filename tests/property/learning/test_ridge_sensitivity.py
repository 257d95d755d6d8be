"""Laws of the relative sensitivity of ridge gradients: it holds for every pair and every theta, and is attained."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rgm_verify.accounting.release import Release
from rgm_verify.errors import InputError
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures, LevelTest, level_test
from rgm_verify.learning.sensitivity import proposition_1
from rgm_verify.learning.sensitivity.at_hand import sensitivity_at_hand
from rgm_verify.learning.sensitivity.of_domain import (
    Level,
    RecordDomain,
    absolute_part,
    largest_difference,
    relative_part_squared,
    relative_sensitivity,
    sensitivity_after_test,
)
from rgm_verify.learning.sensitivity.of_pair import PairSensitivity, pair_sensitivity
from rgm_verify.mechanisms.sensitivity import RelativeSensitivity
from rgm_verify.numbers.exact import distance_squared, norm_squared
from rgm_verify.numbers.roots import root_above

eighths = st.integers(-24, 24).map(lambda k: k / 8)
shares = st.fractions(Fraction(1, 20), 20, max_denominator=20)
Matrix = list[list[Fraction]]


@st.composite
def worlds(draw):
    """Two neighbours in one to three dimensions, in eighths, and the regularization."""
    n, d = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    rows = [[draw(eighths) for _ in range(d)] for _ in range(n)]
    labels = [draw(eighths) for _ in range(n)]
    record, label = [draw(eighths) for _ in range(d)], draw(eighths)
    mu = Fraction(draw(st.integers(1, 24)), 8)
    return rows, labels, draw(st.integers(0, n - 1)), record, label, mu


# ---------------------------------------------- an independent route: matrices of rationals, entry by entry


def moments_of(rows, labels, mu) -> tuple[Matrix, list[Fraction]]:
    n, d = len(rows), len(rows[0])
    exact = [[Fraction(entry) for entry in row] for row in rows]
    hessian = [
        [sum((row[i] * row[j] for row in exact), Fraction(0)) / n + (mu if i == j else 0) for j in range(d)]
        for i in range(d)
    ]
    moment = [sum((row[i] * Fraction(label) for row, label in zip(exact, labels, strict=True)), Fraction(0)) / n
              for i in range(d)]  # fmt: skip
    return hessian, moment


def both_moments(world):
    rows, labels, index, record, label, mu = world
    others, targets = [list(row) for row in rows], list(labels)
    others[index], targets[index] = record, label
    return moments_of(rows, labels, mu), moments_of(others, targets, mu)


def gradient(moments, theta) -> tuple[Fraction, ...]:
    hessian, moment = moments
    return tuple(
        sum((h * t for h, t in zip(row, theta, strict=True)), Fraction(0)) - b
        for row, b in zip(hessian, moment, strict=True)
    )


def solve(matrix: Matrix, target: list[Fraction]) -> list[Fraction]:
    """Cramer's rule, for up to three dimensions: it shares nothing with the elimination that is tested."""
    whole = determinant(matrix)
    return [
        determinant([[target[i] if j == k else entry for j, entry in enumerate(row)] for i, row in enumerate(matrix)])
        / whole
        for k in range(len(matrix))
    ]


def determinant(matrix: Matrix) -> Fraction:
    if len(matrix) == 1:
        return matrix[0][0]
    return sum(
        (
            (-1) ** j * entry * determinant([row[:j] + row[j + 1 :] for row in matrix[1:]])
            for j, entry in enumerate(matrix[0])
        ),
        Fraction(0),
    )


def worst_theta(one, other, square: Fraction) -> list[Fraction]:
    """The theta that maximises `|difference|^2 - square |gradient of one|^2`: where the derivative vanishes."""
    (a, b), (a2, b2) = one, other
    d = len(b)
    change = [[a[i][j] - a2[i][j] for j in range(d)] for i in range(d)]
    shift = [b[i] - b2[i] for i in range(d)]
    matrix = [
        [
            sum((change[k][i] * change[k][j] - square * a[k][i] * a[k][j] for k in range(d)), Fraction(0))
            for j in range(d)
        ]
        for i in range(d)
    ]
    target = [sum((change[k][i] * shift[k] - square * a[k][i] * b[k] for k in range(d)), Fraction(0)) for i in range(d)]
    return solve(matrix, target)


def excess(moments, theta, square: Fraction) -> Fraction:
    """`|difference|^2 - square min(|g|^2, |g'|^2)`: what the absolute part has to cover."""
    first, second = (gradient(one, theta) for one in moments)
    return distance_squared(first, second) - square * min(norm_squared(first), norm_squared(second))


def eta_above(pair: PairSensitivity, share: Fraction) -> Fraction:
    return Fraction(pair.relative_part.upper) * (1 + share) + Fraction(1, 100)


# ------------------------------------------------------------------------------------------------------------ one pair


@given(worlds(), shares, st.lists(eighths, min_size=3, max_size=3))
def test_the_sensitivity_of_a_pair_covers_every_theta(world, share, theta):
    pair, moments = pair_sensitivity(*world[:5], regularization=world[5]), both_moments(world)
    eta = eta_above(pair, share)
    allowed = pair.absolute_part_squared(eta)
    points = [[Fraction(t) for t in theta[: len(world[0][0])]]]
    points += [worst_theta(*moments, eta**2), worst_theta(*moments[::-1], eta**2)]  # the worst ones there are
    points += [solve(*one) for one in moments]  # where one gradient vanishes
    assert all(excess(moments, point, eta**2) <= allowed for point in points)


@given(worlds(), shares)
def test_the_absolute_part_of_a_pair_is_attained(world, share):
    pair, (one, other) = pair_sensitivity(*world[:5], regularization=world[5]), both_moments(world)
    eta = eta_above(pair, share)
    largest = max(
        distance_squared(*(gradient(moments, theta) for moments in (one, other)))
        - eta**2 * norm_squared(gradient(side, theta))
        for side, theta in ((one, worst_theta(one, other, eta**2)), (other, worst_theta(other, one, eta**2)))
    )
    assert pair.absolute_part_squared(eta) == largest
    assert Fraction(pair.absolute_part(eta)) ** 2 >= largest


@given(worlds())
def test_below_the_relative_part_no_absolute_part_will_do(world):
    pair, moments = pair_sensitivity(*world[:5], regularization=world[5]), both_moments(world)
    eta = Fraction(pair.relative_part.lower) * Fraction(99, 100)
    assume(eta > 0)
    with pytest.raises(InputError, match="must be above the relative part"):
        pair.absolute_part_squared(eta)
    # Some direction of theta, far out: found as the worst one among the columns and their sums and differences.
    d = len(world[0][0])
    angles = (
        np.linalg.eigh(_quadratic(moments, eta))[1][:, -1],
        np.linalg.eigh(_quadratic(moments[::-1], eta))[1][:, -1],
    )
    far = [[Fraction(float(entry)) * 10**9 for entry in angle] for angle in angles]
    assert len(far[0]) == d
    assert max(excess(moments, point, eta**2) for point in far) > 10**6


def _quadratic(moments, eta: Fraction) -> np.ndarray:
    (a, _), (a2, _) = moments
    one, two = (np.array([[float(entry) for entry in row] for row in matrix]) for matrix in (a, a2))
    return (one - two).T @ (one - two) - float(eta) ** 2 * one.T @ one


@given(worlds())
def test_the_relative_part_of_a_pair_is_the_largest_singular_value(world):
    pair, ((a, _), (a2, _)) = pair_sensitivity(*world[:5], regularization=world[5]), both_moments(world)
    one, two = (np.array([[float(entry) for entry in row] for row in matrix]) for matrix in (a, a2))
    found = max(np.linalg.norm((one - two) @ np.linalg.inv(matrix), 2) for matrix in (one, two))
    rounding = 1e3 * np.finfo(float).eps * np.linalg.cond(one) * np.linalg.cond(two)
    assert abs(found - pair.relative_part.upper) <= rounding * (1 + found)


@given(worlds())
def test_the_bounds_on_the_relative_part_are_neighbouring_floats(world):
    found = pair_sensitivity(*world[:5], regularization=world[5]).relative_part
    assert found.lower <= found.upper <= np.nextafter(np.nextafter(found.lower, np.inf), np.inf)


@given(worlds())
def test_the_two_orders_of_a_pair_have_the_same_sensitivity(world):
    rows, labels, index, record, label, mu = world
    others, targets = [list(row) for row in rows], list(labels)
    others[index], targets[index] = record, label
    there = pair_sensitivity(rows, labels, index, record, label, regularization=mu)
    back = pair_sensitivity(others, targets, index, rows[index], labels[index], regularization=mu)
    assert there.sides == back.sides[::-1]
    eta = eta_above(there, Fraction(1))
    assert there.absolute_part_squared(eta) == back.absolute_part_squared(eta)


@given(worlds(), st.integers(1, 6), shares)
def test_units_of_features_and_labels_scale_as_they_should(world, power, share):
    rows, labels, index, record, label, mu = world
    unit, scale = 2.0**power, 2.0**-power
    scaled = pair_sensitivity(
        [[unit * x for x in row] for row in rows], [scale * y for y in labels], index, [unit * x for x in record],
        scale * label, regularization=mu * Fraction(unit) ** 2,
    )  # fmt: skip
    plain = pair_sensitivity(*world[:5], regularization=mu)
    assert scaled.relative_part == plain.relative_part
    eta = eta_above(plain, share)
    assert scaled.absolute_part_squared(eta) == plain.absolute_part_squared(eta)  # unit * scale = 1


@given(worlds(), shares, shares)
def test_more_relative_part_needs_less_absolute_part(world, share, more):
    pair = pair_sensitivity(*world[:5], regularization=world[5])
    eta = eta_above(pair, share)
    assert pair.absolute_part_squared(eta + more) <= pair.absolute_part_squared(eta)


# --------------------------------------------------------------------------------------------------- a public domain


def norm_of(world) -> Fraction:
    """A bound on the norms of all records of both neighbours."""
    rows, _, _, record, _, _ = world
    return root_above(max(norm_squared(tuple(map(Fraction, row))) for row in (*rows, record))) or Fraction(1)


def labels_of(world) -> Fraction:
    return max(abs(Fraction(label)) for label in (*world[1], world[4]))


@given(worlds(), shares)
def test_the_bound_over_a_domain_covers_every_pair_of_it_at_every_theta(world, share):
    domain = RecordDomain(norm_of(world), labels_of(world))
    found = relative_sensitivity(domain, Level.everywhere(world[5], domain), len(world[0]), share=share)
    covers(found, world)


@given(worlds(), st.lists(st.integers(1, 16), min_size=3, max_size=3), shares, st.booleans())
def test_the_bound_over_an_ellipsoid_covers_every_pair_that_has_the_level(world, spectrum, share, regularized):
    rows, _, _, record, _, mu = world
    d = len(rows[0])
    shape = [Fraction(c, 4) for c in spectrum[:d]]  # C, diagonal
    lengths = [
        sum((Fraction(x) ** 2 / c for x, c in zip(row, shape, strict=True)), Fraction(0)) for row in (*rows, record)
    ]
    domain = RecordDomain(
        root_above(max(lengths)) or Fraction(1), labels_of(world), smallest=min(shape), largest=max(shape)
    )
    rho = min(level_of(hessian, shape) for hessian, _ in both_moments(world))
    assume(rho > 0)
    level = Level.promised(rho, mu if regularized else 0)
    covers(relative_sensitivity(domain, level, len(rows), share=share), world)
    everywhere = Level.everywhere(mu, domain)
    covers(relative_sensitivity(domain, everywhere, len(rows), share=share), world)


def level_of(hessian: Matrix, shape: list[Fraction]) -> Fraction:
    """A rational number just below the largest `rho` with `A >= rho C`, checked by leading minors."""
    scaled = np.array([[float(h) for h in row] for row in hessian]) / np.sqrt(np.outer(*2 * [list(map(float, shape))]))
    rho = Fraction(float(np.linalg.eigvalsh(scaled)[0]) * (1 - 1e-9))
    d = len(shape)
    shifted = [[hessian[i][j] - (rho * shape[i] if i == j else 0) for j in range(d)] for i in range(d)]
    assume(all(determinant([row[:k] for row in shifted[:k]]) > 0 for k in range(1, d + 1)))
    return rho


def covers(found: RelativeSensitivity, world) -> None:
    """Check at every theta, by the exact absolute part that this pair needs for that eta; and at its worst ones."""
    pair, moments = pair_sensitivity(*world[:5], regularization=world[5]), both_moments(world)
    assert pair.absolute_part_squared(found.eta) <= found.r_rel**2
    if all(side.trace for side in pair.sides):
        theta = worst_theta(*moments, found.eta**2)
        assert found.admits(*(gradient(one, theta) for one in moments))
    for one in moments:
        assert found.admits(*(gradient(each, solve(*one)) for each in moments))


@given(st.integers(1, 50), st.integers(1, 20), st.fractions(Fraction(1, 4), 4, max_denominator=8))
def test_on_the_line_the_relative_part_is_attained_up_to_the_records_own_share(n, mu, radius):
    """A record at the edge replaces 0, all others are 0: `e` is `B^2 / (n mu)` at the smaller gradient."""
    size = Fraction(round(float(radius) * 8), 8) or Fraction(1)
    world = [[0.0]] * n, [0.0] * n, 0, [float(size)], 0.0
    domain = RecordDomain(size, 1)
    bound = relative_part_squared(domain, Level.everywhere(mu, domain), n)
    assert max(side.trace for side in pair_sensitivity(*world, regularization=mu).sides) == bound


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 100))
def test_over_an_ellipsoid_the_relative_part_is_approached_with_both_neighbours_at_the_level(p, q, slack):
    """`C = diag(p^2, q^2)`, records `(p, q)` and `(p, -q)`: their change couples the widest and the narrowest axis."""
    high, low = max(p, q), min(p, q)
    h = Fraction(1, slack)
    n, rho = 4, Fraction(1)
    # A = diag(a, rho (1 + h) low^2), with `a` so large that the neighbour is above rho C as well.
    second, change = rho * (1 + h) * low**2, Fraction(2 * high * low, n)
    first = max(second, rho * high**2 + change**2 / (second - rho * low**2))
    norm = change / second  # of [[0, change], [change, 0]] A^-1, as second <= first
    assert second <= first
    assert (first - rho * high**2) * (second - rho * low**2) >= change**2  # the neighbour's determinant
    domain = RecordDomain(root_above(Fraction(2)), 1, smallest=low**2, largest=high**2)
    bound = relative_part_squared(domain, Level.promised(rho), n)
    assert (norm * (1 + h)) ** 2 <= bound <= (norm * (1 + h)) ** 2 * (1 + Fraction(1, 2**58))


@pytest.mark.parametrize("radius", [2, 4])
def test_over_a_ball_the_absolute_part_is_approached_by_two_records_that_mirror_each_other(radius):
    """`A` is about I and the minimiser about (1, 0), by records (1, 1) and (1, -1) with the label 1; then k = R."""
    n, cosine = 4000, 2 * radius / (1 + math.sqrt(1 + 8 * radius**2))  # the angle is to the minimiser
    edge = radius * np.array([cosine, math.sqrt(1 - cosine**2)])
    rows, labels = np.tile([[1.0, 1.0], [1.0, -1.0]], (n // 2, 1)), np.ones(n)
    rows[0], labels[0] = edge, -1.0
    pair = pair_sensitivity(rows, labels, 0, edge * [1, -1], -1.0)
    move = root_above(pair.absolute_part_squared(10**9))  # at the minimisers, as the relative part is all that is left
    level = Level.promised(1 - Fraction(2 * radius**2, n))
    domain = RecordDomain(radius * (1 + Fraction(1, 10**9)), 1)
    assert move <= absolute_part(domain, level, n) <= move * Fraction(102, 100)


@given(st.fractions(0, 10**4, max_denominator=1000), st.integers(-50, 50))
def test_the_largest_difference_of_two_records_is_an_upper_bound_and_attained(reach, k):
    found = largest_difference(reach)
    assert found <= reach + 2
    tangents = (Fraction(k, 7), _best_tangent(float(reach)))
    values = [2 * sine * (reach * cosine + 1) for sine, cosine in map(_circle, tangents)]
    assert max(values) <= found <= max(values) * (1 + Fraction(1, 10**12))


def _circle(tangent: Fraction) -> tuple[Fraction, Fraction]:
    """A rational point of the circle: the sine and the cosine of twice the angle with that tangent."""
    return 2 * tangent / (1 + tangent**2), (1 - tangent**2) / (1 + tangent**2)


def _best_tangent(k: float) -> Fraction:
    cosine = 2 * k / (1 + math.sqrt(1 + 8 * k * k))
    return Fraction(math.sqrt((1 - cosine) / (1 + cosine)))


@given(worlds(), shares)
def test_two_records_differ_at_the_minimiser_by_at_most_the_absolute_part(world, share):
    domain = RecordDomain(norm_of(world), labels_of(world))
    level = Level.everywhere(world[5], domain)
    moments = both_moments(world)
    for one in moments:
        theta = solve(*one)
        move = distance_squared(*(gradient(each, theta) for each in moments))
        assert move <= absolute_part(domain, level, len(world[0])) ** 2
    sensitive = relative_sensitivity(domain, level, len(world[0]), share=share)
    assert sensitive.r_rel >= absolute_part(domain, level, len(world[0]))


@given(st.fractions(Fraction(1, 9), 9, max_denominator=9), st.fractions(Fraction(1, 9), 9, max_denominator=9),
       st.integers(1, 99), st.fractions(1, 99, max_denominator=9))  # fmt: skip
def test_the_bound_is_at_most_a_quarter_of_what_the_triangle_inequality_gives(radius, rho, n, kappa):
    found = relative_sensitivity(RecordDomain(radius, 1, largest=kappa), Level.promised(rho), n).eta ** 2
    for clipped_by in ("both norms", "ellipsoid"):
        printed = proposition_1.proposition_1_eta_squared(radius, rho, n, kappa, clipped_by)
        assert found <= printed / (4 if clipped_by == "ellipsoid" else 1) * (1 + Fraction(1, 2**60))


@given(shares, shares)
def test_a_larger_share_has_a_larger_relative_and_a_smaller_absolute_part(share, more):
    domain = RecordDomain(1, 1)
    less, greater = (relative_sensitivity(domain, Level.promised("1/2"), 10, share=s) for s in (share, share + more))
    assert less.eta < greater.eta
    assert less.r_rel > greater.r_rel


def test_what_comes_out_goes_into_an_accountant():
    domain = RecordDomain.ellipsoid(Shape.of(np.diag([1.0, 4.0])), 2, 1)
    found = relative_sensitivity(domain, Level.everywhere("1/2", domain), 1000)
    assert Release(found.eta, "1/10", 2, r_rel=found.r_rel, sigma2=1).dimension == 2
    assert domain.smallest <= 1
    assert domain.largest >= 4


@given(st.fractions(0, 10**6))
def test_a_root_is_rounded_up_by_less_than_its_sixty_second_bit(square):
    root = root_above(square)
    assert square <= root**2 <= square * (1 + Fraction(1, 2**62)) ** 2
    assert root_above(square**2) == square


# ----------------------------------------------------------------------------------------- hard to misuse, and at hand


def test_singular_second_moments_are_refused_for_a_pair():
    with pytest.raises(InputError, match="one of the two data sets are singular; use mu > 0"):
        pair_sensitivity([[1.0], [0.0]], [1.0, 0.0], 0, [0.0], 0.0)


def test_a_level_cannot_be_made_of_a_number_alone():
    with pytest.raises(InputError, match="which say why rho holds"):
        Level(Fraction(1, 2))
    features = ClippedFeatures.of([[1.0]], [[1.0]], 1)
    outcome = LevelTest(1.0, 2.0, Fraction(1, 2), Fraction(1), Fraction(1, 1000))
    with pytest.raises(InputError, match="the test did not pass"):
        Level.tested(outcome, features)
    with pytest.raises(InputError, match=r"^outcome: it was copied, loaded or made by hand"):
        Level.tested(LevelTest(3.0, 2.0, Fraction(1, 2), Fraction(1), Fraction(1, 1000)), features)


def test_a_test_that_passed_gives_the_sensitivity_with_the_matrix_that_was_tested():
    generator, C = np.random.default_rng(11), np.diag([4.0, 1.0])
    factor = np.array([2.0, 1.0])
    features = ClippedFeatures.of(generator.normal(size=(3000, 2)) * factor, C, 3, "ellipsoid")
    outcome = level_test(features, "1/2", epsilon=1, delta="1e-6", generator=generator, regularization="1/8")
    found = sensitivity_after_test(features, outcome, labels=1, regularization="1/8")
    level = Level.promised("1/2", "1/8")
    exact = relative_sensitivity(RecordDomain(3, 1, smallest=1, largest=4), level, 3000)
    assert exact.eta <= found.eta <= exact.eta * (1 + Fraction(1, 10**6))
    assert exact.r_rel <= found.r_rel <= exact.r_rel * (1 + Fraction(1, 10**6))
    rows, labels = features.rows.copy(), np.sign(generator.normal(size=3000))
    pair = pair_sensitivity(rows, labels, 7, [0.0, 3.0], 1.0, regularization="1/8")
    assert pair.absolute_part_squared(found.eta) <= found.r_rel**2
    failed = level_test(features, 3, epsilon=1, delta="1e-6", generator=generator, regularization="1/8")
    with pytest.raises(InputError, match="the test did not pass"):
        sensitivity_after_test(features, failed, labels=1, regularization="1/8")


def test_what_is_known_of_the_data_is_no_sensitivity():
    pair = pair_sensitivity([[1.0], [0.5]], [1.0, 0.0], 0, [0.25], 0.0, regularization=1)
    at_hand = sensitivity_at_hand([[1.0], [0.5]], [1.0, 0.0], [[1.0]], radius=1, labels=1)
    for wrong in (pair, at_hand):
        with pytest.raises((AttributeError, InputError)):
            Release.of(as_mechanism(), wrong, 1)
    with pytest.raises((AttributeError, TypeError, InputError)):
        relative_sensitivity(RecordDomain(1, 1), Fraction(1, 2), 10)


def as_mechanism():
    from rgm_verify.mechanisms import RelativeGaussianMechanism

    return RelativeGaussianMechanism("1/10", 1)


@given(worlds())
def test_the_diagnosis_covers_the_pairs_of_these_data(world):
    rows, labels, mu = world[0], world[1], world[5]
    size, top = float(norm_of(world)), float(labels_of(world))
    found = sensitivity_at_hand(rows, labels, np.eye(len(rows[0])), radius=size, labels=top, regularization=mu)
    pair = pair_sensitivity(*world[:5], regularization=mu)
    slack = 1 + 1e4 * np.finfo(float).eps * found.relative_part * len(rows)
    assert pair.sides[0].root[0] <= found.relative_part * slack
    e, r = found.for_both
    if np.isfinite(e):
        assert pair.relative_part.lower <= e * slack
        worst = both_moments(world)
        for one in worst:
            theta = solve(*one)
            move = distance_squared(*(gradient(each, theta) for each in worst))
            assert math.sqrt(move) <= r * slack + 1e-300
    assert found.leverages.max() <= slack
    assert found.inside <= found.relative_part * slack
    assert found.contributions.shape == found.leverages.shape == (len(rows),)


# ------------------------------------------------------------------------------------------------- as printed


def roundings(world) -> float:
    """One and a bound on the relative error of a quadratic form in the inverse of A, in up to three dimensions."""
    matrix = np.array([[float(h) for h in row] for row in both_moments(world)[0][0]])
    return 1 + 1e3 * float(np.linalg.cond(matrix)) * float(np.finfo(float).eps)


@given(worlds())
def test_both_sides_of_11_are_in_order(world):
    rows, mu = world[0], world[5]
    assume(any(any(row) for row in rows))
    norms, leverages = (as_printed.relative_terms(rows, mu, side) for side in ("norm", "leverage"))
    assert (norms <= leverages * roundings(world)).all()
    assert as_printed.eta_of_data(rows, mu) == math.sqrt(norms.max()) / len(rows)


@given(worlds())
def test_10_holds_for_the_gradient_of_the_first_dataset(world):
    eta2, r2 = as_printed.pair_parameters(*world)
    pair = pair_sensitivity(*world[:5], regularization=world[5])
    slack, side = Fraction(roundings(world)), pair.sides[0]
    if side.trace:
        assert side.covers(Fraction(eta2) * slack)
        assert side.absolute_part_squared(Fraction(eta2) * slack) <= Fraction(r2) * slack


def test_the_recipe_of_the_experiments_misses_a_neighbour():
    """Two small records on the line: a neighbour holds a large one, and needs more than a hundred times that eta."""
    rows, labels, mu = [[0.125], [0.125]], [0.0, 0.0], Fraction(1, 8)
    printed = as_printed.eta_of_data(rows, mu)
    pair = pair_sensitivity(rows, labels, 0, [3.0], 0.0, regularization=mu)
    assert pair.relative_part.lower > 100 * printed
    domain = RecordDomain(3, 1)
    assert relative_sensitivity(domain, Level.everywhere(mu, domain), 2).eta >= pair.relative_part.lower


def test_the_printed_absolute_part_has_lost_its_share_of_the_records():
    rows, labels = np.tile([[1.0], [-1.0]], (500, 1)), np.ones(1000)
    assert as_printed.absolute_part_of_data(0, rows, labels) == 2
    domain = RecordDomain(1, 1)
    assert relative_sensitivity(domain, Level.promised(1), 1000).r_rel < Fraction(1, 200)


def test_the_orthogonal_bound_is_that_of_the_root():
    rows = np.eye(4) * 2.0
    assert as_printed.relative_terms(rows).max() == 16
    assert as_printed.orthogonal_term(4) == 8
