"""Pure privacy: at delta 0 the answer is the largest loss, exactly where it is a rational number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from click.testing import CliRunner

from rgm_verify.accounting.plans.account import delta, epsilon, spent
from rgm_verify.accounting.plans.inverse import least_noise, most_releases
from rgm_verify.accounting.plans.plan import Plan, plan
from rgm_verify.accounting.plans.releases import release_of
from rgm_verify.cli import main
from rgm_verify.errors import InputError


def one(kind: str, *, group: int = 1, **fields: object) -> Plan:
    """A plan of one kind of release."""
    return plan([release_of(kind, fields)], group=group)


@pytest.mark.parametrize(
    ("planned", "largest"),
    [
        (one("laplace", scale="3/2"), Fraction(2, 3)),
        (one("laplace", scale=7, count=10), Fraction(10, 7)),
        (one("laplace", group=3, scale=7, count=10), Fraction(30, 7)),
        (one("discrete-laplace", scale=10, sensitivity=3, count=7), Fraction(21, 10)),
        (one("randomised-response", epsilon="1/3", answers=5, count=4), Fraction(4, 3)),
        (plan([release_of("laplace", {"scale": 3}), release_of("laplace", {"scale": 6})]), Fraction(1, 2)),
    ],
)
def test_the_pure_epsilon_is_the_sum_of_the_largest_losses_to_the_last_bit(planned: Plan, largest: Fraction) -> None:
    found = epsilon(planned, 0)
    assert Fraction(found.lower) <= largest <= Fraction(found.upper)
    assert found.upper - found.lower <= 2.0**-51 * found.upper
    assert delta(planned, Fraction(found.upper)).upper == 0
    # Just below it some outcome is likelier by more.
    assert delta(planned, Fraction(found.lower) * Fraction(9, 10)).lower > 0


def test_the_pure_epsilon_of_a_coin_is_the_logarithm_of_its_odds() -> None:
    found = epsilon(one("randomised-response", truth="3/4"), 0)
    # e^found against the odds 3, by a power series of which all terms are positive: sum of x^k/k!.
    low, high = (sum(Fraction(end) ** k / _factorial(k) for k in range(40)) for end in (found.lower, found.upper))
    assert low < 3
    # What the series leaves out is below its last term.
    assert high + Fraction(found.upper) ** 39 / _factorial(39) > 3
    assert found.upper - found.lower < 1e-15


def _factorial(k: int) -> int:
    return 1 if k == 0 else k * _factorial(k - 1)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("gaussian", {"noise_multiplier": 2}), ("discrete-gaussian", {"sigma": 2})],
)
def test_noise_without_a_largest_loss_has_no_pure_epsilon(kind: str, fields: dict[str, object]) -> None:
    with pytest.raises(InputError, match=f"delta=0: no epsilon is enough at delta 0: losses of {kind} have no end"):
        epsilon(one(kind, **fields), 0)
    both = plan([release_of(kind, fields), release_of("laplace", {"scale": 2})], delta=0)
    with pytest.raises(InputError, match="no epsilon is enough"):
        spent(both)


def test_a_line_that_may_show_the_record_has_no_pure_epsilon() -> None:
    with pytest.raises(InputError, match="delta=0: must be above 1e-6, with which a record may be shown"):
        epsilon(one("approximate-dp", epsilon=1, delta="1e-6"), 0)


def test_noise_and_releases_are_found_for_pure_privacy() -> None:
    found = most_releases(release_of("laplace", {"scale": 10}), 1, 0)
    assert (found.value, found.fails) == (10, 11)
    noise = least_noise(release_of("laplace", {"scale": 1, "count": 10}), 2, 0)
    assert 5 <= noise.value <= Fraction(501, 100)


def test_the_commands_answer_a_delta_of_0() -> None:
    told = CliRunner().invoke(main, ["account", "laplace", "--scale", "2", "--delta", "0"])
    assert told.exit_code == 0
    assert told.stdout.startswith("epsilon = 0.5\n")
    assert "plus" not in told.stdout
    refused = CliRunner().invoke(main, ["account", "gaussian", "--noise-multiplier", "2", "--delta", "0"])
    assert refused.exit_code == 2
    assert "give a delta > 0" in refused.stderr
    kept = ["account", "laplace", "--scale", "2", "--delta", "0", "--certificate", "kept.json"]
    assert CliRunner().invoke(main, kept).exit_code == 2
