"""Laws of the matrix mechanism: sensitivities against all patterns and signs, other code, and the mechanism itself."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rgm_verify import Accountant
from rgm_verify.accounting.plans.account import delta, epsilon
from rgm_verify.accounting.plans.plan import plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.balls.statistics.confidence import clopper_pearson
from rgm_verify.errors import InputError
from rgm_verify.mechanisms.strategies import MatrixMechanism, strategy_of
from rgm_verify.numbers.sampling import spawn
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.mechanisms import mechanism_of
from rgm_verify.recheck.replay import replay
from rgm_verify.recheck.strategies import squares

FALSE_ALARM = 1e-9

entries = st.fractions(-3, 3, max_denominator=3)


@st.composite
def strategies(draw):
    """The fields of a strategy with a pattern of participation, of a few rounds."""
    rounds = draw(st.integers(1, 7))
    kind = draw(st.sampled_from(["identity", "prefix-sums", "tree", "square-root", "toeplitz", "falling", "given"]))
    own = {}
    if kind == "square-root":
        own = {"bands": draw(st.integers(1, 8))}
    elif kind in ("toeplitz", "falling"):
        column = draw(st.lists(entries, min_size=1, max_size=rounds))
        column = sorted(map(abs, column), reverse=True) if kind == "falling" else column
        own = {"coefficients": ", ".join(map(str, column))}
    elif kind == "given":
        rows = draw(st.lists(st.lists(entries, min_size=rounds, max_size=rounds), min_size=1, max_size=4))
        own = {"matrix": "; ".join(" ".join(map(str, row)) for row in rows)}
    strategy = "toeplitz" if kind == "falling" else kind
    pattern = {"participations": draw(st.integers(1, 4)), "separation": draw(st.integers(1, 4))}
    return {"strategy": strategy, "rounds": rounds, **own}, pattern, kind in ("toeplitz", "given", "tree")


def columns(fields):
    """The columns of a strategy, by its definition."""
    own = {name: value for name, value in fields.items() if name not in ("strategy", "rounds")}
    found = strategy_of(fields["strategy"], fields["rounds"], **own)
    return [[found.entries(row, i) for row in range(found.rows)] for i in range(found.rounds)]


def every(fields, pattern):
    """The largest squared moves of all patterns and signs, and of all patterns with the sizes of the products."""
    found = columns(fields)
    gram = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in found] for x in found]
    signed = sizes = Fraction(0)
    for taken in range(1, pattern["participations"] + 1):
        for rounds in itertools.combinations(range(fields["rounds"]), taken):
            if all(b - a >= pattern["separation"] for a, b in itertools.pairwise(rounds)):
                sizes = max(sizes, sum(abs(gram[i][j]) for i in rounds for j in rounds))
                for signs in itertools.product((1, -1), repeat=taken):
                    terms = zip(rounds, signs, strict=True)
                    moves = [(i, s, j, t) for (i, s), (j, t) in itertools.product(list(terms), repeat=2)]
                    signed = max(signed, sum(s * t * gram[i][j] for i, s, j, t in moves))
    return signed, sizes


def agree(fields, pattern, open_ended):
    """Both ends hold all patterns, are one where a rule knows, and are those of the other program."""
    signed, sizes = every(fields, pattern)
    release = release_of("matrix-mechanism", {"noise_multiplier": 2, **fields, **pattern})
    least, most = release.squares
    assert least <= signed <= sizes <= most
    # Exact by a rule, but for products that overlap in a way that no rule knows.
    assert open_ended or least == most == sizes
    if pattern["participations"] == 1:
        assert least == most == signed
    assert squares(mechanism_of(release.certified(""))) == (least, most)


@settings(max_examples=60, deadline=None)
@given(strategies())
def test_the_sensitivity_holds_all_patterns_and_two_programs_agree(drawn):
    assume(any(map(any, columns(drawn[0]))))
    agree(*drawn)


@pytest.mark.parametrize("column", ["1, -2, 3", "1/2, 1", "0, 1, 1", "-1, -1/2", "1, 1/2, 1/4, -1/8"])
@pytest.mark.parametrize("separation", [1, 2])
def test_no_rule_is_taken_for_entries_that_rise_or_are_negative(column, separation):
    fields = {"strategy": "toeplitz", "rounds": 6, "coefficients": column}
    agree(fields, {"participations": 3, "separation": separation}, True)


def test_dp_sgd_with_full_batches_is_the_identity():
    """Each record is in each of 12 rounds: a strategy of its own that is 12 Gaussian releases."""
    fields = {"strategy": "identity", "rounds": 12, "participations": 12, "noise_multiplier": 9}
    matrix = epsilon(plan([release_of("matrix-mechanism", fields)]), "1e-6")
    assert matrix == epsilon(plan([release_of("gaussian", {"noise_multiplier": 9, "count": 12})]), "1e-6")


@pytest.mark.parametrize(
    ("fields", "square"),
    [
        # A record of a tree is in its leaf and in each interval above it.
        ({"strategy": "tree", "rounds": 1024}, 11),
        ({"strategy": "tree", "rounds": 512, "participations": 8, "separation": 64}, 168),
        # Orthogonal columns: participations add up.
        (
            {"strategy": "toeplitz", "rounds": 1000, "coefficients": "1, 1/2", "participations": 4, "separation": 2},
            5,
        ),
        ({"strategy": "prefix-sums", "rounds": 100000}, 100000),
    ],
)
def test_known_sensitivities_are_exact(fields, square):
    assert release_of("matrix-mechanism", {"noise_multiplier": 1, **fields}).squares == (square, square)


@pytest.mark.parametrize("others", [False, True])
def test_where_the_sensitivity_is_enclosed_both_ends_are_proved_by_other_code(others):
    account = Accountant(neighbours="add-or-remove-one")
    account.add("matrix-mechanism", noise_multiplier=10, strategy="tree", rounds=4, participations=3)
    least, most = account.plan().lines[0].release.squares
    assert least < most
    if others:
        account.add("gaussian", noise_multiplier=20)
    found = account.epsilon("1e-6")
    rest = {"others": 1} if others else {}
    for square, end in ((least, found.lower), (most, found.upper)):
        # A Gaussian pair with this squared distance, as 1/noise^2 of a rational noise that is a little off.
        total = square / 100 + (Fraction(1, 400) if rest else 0)
        noise = Fraction(float(1 / total) ** 0.5).limit_denominator(10**9)
        plain = epsilon(plan([release_of("gaussian", {"noise_multiplier": noise})]), "1e-6")
        assert abs(plain.upper - end) <= 1e-7 * end
    data = account.certificate(delta="1e-6")
    assert replay(parse(data)).accepted
    assert not replay(parse({**data, "lower": None, "upper": data["lower"]})).accepted
    assert not replay(parse({**data, "upper": None, "lower": str(Fraction(data["upper"]) * Fraction(11, 10))})).accepted


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"strategy": "banded"}, "strategy='banded'"),
        ({"strategy": "toeplitz"}, "coefficients: missing"),
        ({"strategy": "tree", "bands": 3}, "bands: given; it goes with strategy square-root"),
        ({"strategy": "toeplitz", "coefficients": "1, x"}, "coefficients=' x'"),
        ({"strategy": "toeplitz", "coefficients": "0"}, "must release something"),
        ({"strategy": "given", "matrix": "1 2; 1"}, "each must have 4 entries"),
        ({"strategy": "tree", "rounds": 5000, "participations": 3}, "at most 1290 for 3 participations"),
        ({"strategy": "tree", "separation": 0}, "separation=0"),
    ],
)
def test_what_is_no_strategy_is_refused_by_its_field(fields, message):
    with pytest.raises(InputError, match=message):
        release_of("matrix-mechanism", {"noise_multiplier": 1, "rounds": 4, **fields})


@pytest.mark.parametrize("kind", ["tree", "square-root"])
def test_the_mechanism_adds_its_noise_to_the_answers_and_finds_prefix_sums(kind):
    own = {"bands": 8} if kind == "square-root" else {}
    mechanism = MatrixMechanism(strategy_of(kind, 8, **own), "1e-6")
    (generator,) = spawn(3, 1)
    rounds = generator.normal(size=(8, 3))
    sums = mechanism.prefix_sums(mechanism.release(rounds, generator))
    # Noise of 1e-6, of which a sum has that of some answers.
    assert np.max(np.abs(sums - np.cumsum(rounds, axis=0))) < 1e-4


def advantage(fields, noise, generator):
    """Confidence limits of an attacker's advantage: the best test between a record in rounds 1 and 5, and none."""
    mechanism, draws = MatrixMechanism(strategy_of(**fields), noise), 20_000
    rounds = np.zeros((8, draws))
    with_record = rounds.copy()
    with_record[[0, 4]] = 1
    way = mechanism.answers(with_record)[:, :1]
    hits = []
    for data in (with_record, rounds):
        seen = mechanism.release(data, generator)
        hits.append(int(np.sum((seen * way).sum(axis=0) > (way**2).sum() / 2)))
    ends = [clopper_pearson(count, draws, FALSE_ALARM / 2) for count in hits]
    return ends[0].lower - ends[1].upper, ends[0].upper - ends[1].lower


@pytest.mark.parametrize("fields", [{"kind": "tree", "rounds": 8}, {"kind": "square-root", "rounds": 8, "bands": 4}])
def test_a_record_in_the_worst_rounds_is_found_as_often_as_the_line_says(fields):
    line = {"strategy": fields["kind"], **{name: value for name, value in fields.items() if name != "kind"}}
    release = release_of("matrix-mechanism", {"noise_multiplier": 4, "participations": 2, "separation": 4, **line})
    stated, (generator,) = delta(plan([release]), 0), spawn(11, 1)
    low, high = advantage(fields, 4, generator)
    assert low <= stated.upper
    assert stated.lower <= high
    # The power control: half of the noise.
    assert advantage(fields, 2, generator)[0] > stated.upper
