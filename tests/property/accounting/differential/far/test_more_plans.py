"""More random plans against the oracle, and against their own certificates, which take seconds each."""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from rgm_verify.accounting.certificates import planned_certificate
from rgm_verify.accounting.plans.account import epsilon
from rgm_verify.errors import InputError
from rgm_verify.numbers.bounds import Bounds
from rgm_verify.recheck.certificate import parse
from rgm_verify.recheck.replay import replay

from ..comparison import answers_agree  # noqa: TID252 - tests are no package with a name of its own
from ..draws import drawn  # noqa: TID252

FIRST = int(os.environ.get("RGM_VERIFY_DIFFERENTIAL_FIRST", "40"))
PLANS = int(os.environ.get("RGM_VERIFY_DIFFERENTIAL", "168"))
WHOLE = "RGM_VERIFY_DIFFERENTIAL" in os.environ
# Grids of millions of points, which the session has time for.
LONG = frozenset() if WHOLE else frozenset((47, 49, 50, 73, 89, 161, 178, 180, 191))
CHUNK = 20
CERTIFIED = 25 if WHOLE else 80  # one plan of so many
NEXT_TO = Fraction(1, 500)


@pytest.mark.parametrize("first", range(FIRST, FIRST + PLANS, CHUNK))
def test_answers_and_curves_of_more_plans_allow_what_the_oracle_finds(first):
    last = min(first + CHUNK, FIRST + PLANS)
    answers_agree([number for number in range(first, last) if number not in LONG])


def test_what_a_certificate_proves_beside_an_answer_does_not_contradict_it():
    """What is asked for is an interval next to each end: a false end would be on the wrong side of what is proved."""
    proved = 0
    for number in range(FIRST, FIRST + PLANS, CERTIFIED):
        case = drawn(number).plan
        answer = epsilon(case, case.delta)
        for end, share in ((answer.lower, 1 - NEXT_TO), (answer.upper, 1 + NEXT_TO)):
            near = float(Fraction(end) * share)
            try:
                data = planned_certificate(case, Bounds(near, near, "", ""))
            except InputError:  # no grid that may be replayed is fine enough, or the question is out of range
                continue
            assert replay(parse(data)).accepted, number
            assert Fraction(data["lower"]) <= Fraction(answer.upper), (number, answer, data)
            assert Fraction(data["upper"]) >= Fraction(answer.lower), (number, answer, data)
            proved += 1
    assert proved
