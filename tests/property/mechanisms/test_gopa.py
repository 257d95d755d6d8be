"""GOPA: what a pair exchanges cancels to the last bit, and certified distances enclose the exact ones."""

from __future__ import annotations

import math
import pickle
import runpy
from concurrent.futures import Executor, Future
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.errors import InputError
from rgm_verify.mechanisms.averaging import Gopa, gopa_privacy, neighbours_needed, party_distances, random_graph
from rgm_verify.mechanisms.averaging.gopa_privacy import _sum_of_squares
from rgm_verify.numbers.sampling import spawn

PARTIES = st.integers(2, 9)


@st.composite
def protocols(draw):
    count = draw(PARTIES)
    pairs = [(i, j) for i in range(count) for j in range(i)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True))
    pairwise, independent = (
        draw(st.fractions(0, 50, max_denominator=9)),
        draw(st.fractions("1/9", 9, max_denominator=9)),
    )
    return Gopa(count, chosen, pairwise=pairwise, independent=independent, fraction_bits=draw(st.integers(20, 40)))


def exact_distances(protocol, honest):
    """Return the diagonal of the inverse of the covariance of honest messages: exact rationals."""
    places = {int(k): i for i, k in enumerate(honest)}
    size, shared, own = len(honest), protocol.pairwise**2, protocol.independent**2
    covariance = [[Fraction(0)] * size for _ in range(size)]
    for i in range(size):
        covariance[i][i] += own
    for a, b in protocol.edges.tolist():
        if a in places and b in places:
            i, j = places[a], places[b]
            covariance[i][i] += shared
            covariance[j][j] += shared
            covariance[i][j] -= shared
            covariance[j][i] -= shared
    rows = [[fmpq(v.numerator, v.denominator) for v in row] for row in covariance]
    inverse = fmpq_mat(rows).inv()
    return [Fraction(int(inverse[i, i].p), int(inverse[i, i].q)) for i in range(size)]


@given(protocols(), st.integers(0, 2**32), st.data())
def test_the_average_of_messages_is_that_of_values_and_own_noise_exactly(protocol, seed, data):
    values = np.array(data.draw(st.lists(st.floats(0, 1), min_size=protocol.parties, max_size=protocol.parties)))
    messages = protocol.messages(values, np.random.default_rng(seed))
    alone = Gopa(
        protocol.parties, [], pairwise=0, independent=protocol.independent, fraction_bits=protocol.fraction_bits
    )
    generator = np.random.default_rng(seed)
    generator.standard_normal(len(protocol.edges))  # what the pairs have drawn
    assert messages.average() == alone.messages(values, generator).average()


@given(protocols(), st.data())
def test_certified_distances_enclose_the_exact_ones(protocol, data):
    coalition = np.array(data.draw(st.lists(st.booleans(), min_size=protocol.parties, max_size=protocol.parties)))
    coalition[data.draw(st.integers(0, protocol.parties - 1))] = False
    honest = np.flatnonzero(~coalition)
    exact = exact_distances(protocol, honest)
    for found, truth in zip(party_distances(protocol, coalition=coalition), exact, strict=True):
        assert Fraction(found.lower) <= truth <= Fraction(found.upper)
        # A value of 1 is at least 2**20 units, and a flow is off by less than the number of pairs of a party.
        assert Fraction(found.upper) <= truth * (1 + Fraction(1, 2**6))
        assert Fraction(found.lower) >= truth * (1 - Fraction(1, 2**6))


@given(st.integers(2, 40), st.fractions("1/9", 9, max_denominator=9), st.fractions(0, 50, max_denominator=9))
def test_a_complete_graph_has_the_closed_form(count, independent, pairwise):
    edges = [(i, j) for i in range(count) for j in range(i)]
    protocol = Gopa(count, edges, pairwise=pairwise, independent=independent, fraction_bits=40)
    own, shared = independent**2, pairwise**2
    truth = Fraction(1, count) / own + (1 - Fraction(1, count)) / (own + count * shared)
    found = party_distances(protocol, parties=[0])[0]
    assert Fraction(found.lower) <= truth <= Fraction(found.upper)


def test_without_pairwise_noise_a_party_has_its_own_noise_alone():
    for found in party_distances(Gopa(5, [(0, 1), (1, 2)], pairwise=0, independent="1/3")):
        assert found.lower <= 9 <= found.upper


def test_an_isolated_party_has_its_own_noise_alone_against_a_coalition():
    protocol = Gopa(4, [(0, 1), (1, 2), (2, 3)], pairwise=100, independent=1)
    found = party_distances(protocol, coalition=np.array([False, True, False, False]))
    assert [d.party for d in found] == [0, 2, 3]
    assert found[0].lower <= 1 <= found[0].upper
    assert found[1].upper < 0.51


@pytest.mark.parametrize("largest_dense", [10**6, 0])
@pytest.mark.parametrize("ratio", [10**3, 10**7, 10**11])
def test_own_noise_that_is_tiny_beside_that_of_pairs_leaves_both_ends_close(ratio, largest_dense, monkeypatch):
    """Two groups that exchange nothing; a solver of floats alone meets a singular matrix for the largest ratio."""
    monkeypatch.setattr(gopa_privacy, "_DENSE", largest_dense)
    edges = [(0, 1), (1, 2), (0, 2), (3, 4)]
    protocol = Gopa(6, edges, pairwise=1, independent=Fraction(1, ratio), fraction_bits=50)
    for found, size in zip(party_distances(protocol), (3, 3, 3, 2, 2, 1), strict=True):
        exact = exact_distances(protocol, range(6))[found.party]
        assert Fraction(found.lower) <= exact <= Fraction(found.upper)
        # The lower end uses a grid of 2^-30, and the upper end integers of 2^-50, of which each party pays a few.
        assert Fraction(found.lower) >= exact * (1 - Fraction(1, 2**20))
        # Its part along the mean of a group is ratio^2 / size; all others have pairwise noise, of variance 1 or more.
        assert 0 <= exact * size - ratio**2 <= size
        assert Fraction(found.upper) - exact <= 20 * Fraction(ratio, 2**50) ** 2 * size + 20 * exact / Fraction(2**45)


def test_large_graphs_are_solved_by_iteration_to_the_same_ends():
    protocol = Gopa(4_000, random_graph(4_000, 8, spawn(5, 1)[0]), pairwise=5, independent="1/10")
    for found in party_distances(protocol, parties=[0, 1, 3_999]):
        assert found.lower <= found.upper <= found.lower * 1.01
        assert found.upper >= 100 / 4_000


@given(st.integers(2, 60), st.data(), st.integers(0, 2**32))
def test_a_random_graph_is_simple_and_everybody_has_their_selections(count, data, seed):
    chosen = data.draw(st.integers(1, count - 1))
    edges = random_graph(count, chosen, np.random.default_rng(seed))
    assert len({tuple(edge) for edge in edges.tolist()}) == len(edges)
    assert (edges[:, 0] < edges[:, 1]).all()
    assert np.bincount(edges.ravel(), minlength=count).min() >= chosen
    assert len(edges) <= count * chosen


@given(st.lists(st.integers(-(2**61), 2**61), min_size=1))
def test_sums_of_squares_are_exact(numbers):
    assert _sum_of_squares(np.array(numbers, dtype=np.int64)) == sum(n * n for n in numbers)


def test_a_party_that_drops_out_leaves_the_noise_of_its_pairs():
    protocol = Gopa(3, [(0, 1), (1, 2)], pairwise=1000, independent="1/100")
    messages = protocol.messages([0.5, 0.5, 0.5], spawn(3, 1)[0])
    assert abs(messages.average() - 0.5) < 1
    assert abs(messages.average(np.array([True, False, True])) - 0.5) > 1


def test_selections_for_a_connected_graph():
    assert neighbours_needed(1, 1000, "1/1000") == math.ceil(math.log(2 * 10**6))
    assert neighbours_needed("1/2", 1000, "1/1000") == math.ceil(2 * math.log(10**6))


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: Gopa(1, [(0, 1)], pairwise=1, independent=1), "a pair with the party 1"),
        (lambda: Gopa(3, [(0, 0)], pairwise=1, independent=1), "a pair of a party with itself"),
        (lambda: Gopa(3, [(0, 1), (1, 0)], pairwise=1, independent=1), "a pair that stands twice"),
        (lambda: Gopa(3, [(0, 1, 2)], pairwise=1, independent=1), "expected pairs of integers"),
        (lambda: Gopa(3, [(0, 1)], pairwise=-1, independent=1), "must be >= 0"),
        (lambda: Gopa(3, [(0, 1)], pairwise=1, independent=0), "independent"),
        (lambda: Gopa(3, [(0, 1)], pairwise=1, independent=1, fraction_bits=60), "must be at most 50"),
        (lambda: Gopa(3, [(0, 1)], pairwise=10**9, independent=1, fraction_bits=40), "messages have 62"),
        (
            lambda: Gopa(3, [], pairwise=1, independent=1).messages([0, 0.5, 1.5], spawn(1, 1)[0]),
            r"values\[2\]: must be",
        ),
        (lambda: Gopa(3, [], pairwise=1, independent=1).messages([0, 1], spawn(1, 1)[0]), "each of 3 parties"),
        (lambda: Gopa(3, [], pairwise=1, independent=1).messages([0, 1, 1], None), "Generator"),
        (
            lambda: party_distances(Gopa(2, [], pairwise=1, independent=1), coalition=np.ones(2, bool)),
            "no honest party",
        ),
        (lambda: party_distances(Gopa(2, [], pairwise=1, independent=1), parties=[2]), "expected honest parties"),
        (lambda: party_distances(Gopa(2, [], pairwise=1, independent=1), coalition=[0, 1]), "2 truth values"),
        (lambda: random_graph(3, 3, spawn(1, 1)[0]), "at most 2"),
        (lambda: neighbours_needed("1/2", 10, "1/1000"), "more than there are others"),
        (lambda: neighbours_needed(2, 10, "1/1000"), "at most 1"),
    ],
)
def test_bad_input_is_refused(call, part):
    with pytest.raises(InputError, match=part):
        call()


def test_the_example_is_nearly_as_good_as_a_trusted_server(capsys):
    runpy.run_path(str(Path(__file__).parents[3] / "examples" / "gopa.py"))
    shown = capsys.readouterr().out
    assert "by 0.3536 deviations at most" in shown
    assert "with a trusted server: 0.3536" in shown


# --------------------------------------------------------------------------------------------------- many processes


class Counted(Executor):
    """Runs each task at once, on what a process would be sent, and counts the tasks."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def submit(self, function, /, *arguments, **keywords):
        sent = pickle.loads(pickle.dumps((function, arguments, keywords)))
        future: Future[object] = Future()
        future.set_result(sent[0](*sent[1], **sent[2]))
        self.sizes.append(len(arguments[-1]))
        return future


@given(protocols(), st.integers(1, 3), st.integers(1, 4), st.data())
def test_groups_give_what_one_process_gives(protocol, least, groups, data):
    coalition = np.array(data.draw(st.lists(st.booleans(), min_size=protocol.parties, max_size=protocol.parties)))
    coalition[0] = False
    counted = Counted()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gopa_privacy, "_LEAST_GROUP", least)
        patch.setattr(gopa_privacy, "_GROUPS", groups)
        found = party_distances(protocol, coalition=coalition, executor=counted)
    assert found == party_distances(protocol, coalition=coalition)
    assert [d.party for d in found] == np.flatnonzero(~coalition).tolist()
    assert len(counted.sizes) <= groups
    assert sum(counted.sizes) == len(found)


def test_what_a_group_raises_is_raised_here():
    class Failing(Counted):
        def submit(self, function, /, *arguments, **keywords):
            future: Future[object] = Future()
            future.set_exception(ZeroDivisionError("in the worker"))
            return future

    with pytest.raises(ZeroDivisionError, match="in the worker"):
        party_distances(Gopa(3, [(0, 1)], pairwise=1, independent=1), executor=Failing())


def test_a_cluster_gives_what_one_process_gives():
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    graph = random_graph(200, 5, np.random.default_rng(5))
    protocol = Gopa(200, graph, pairwise=20, independent="1/3")
    # Two workers with a process each: what they are sent crosses a process boundary.
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = party_distances(protocol, executor=client.get_executor())
    assert found == party_distances(protocol)
