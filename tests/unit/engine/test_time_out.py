"""A time-out is told as one, whatever it meets."""

from __future__ import annotations

import pytest

from rgm_verify.engine.run import time_limit
from rgm_verify.errors import OutOfTime


def test_a_time_out_that_meets_compiled_code_is_a_time_out() -> None:
    """Such code reports the exception that it finds as a fault of its own."""

    def compiled() -> None:
        try:
            while True:
                pass
        except OutOfTime as late:
            raise SystemError("returned a result with an exception set") from late

    with pytest.raises(OutOfTime, match="not done within 1 s"), time_limit(1):
        compiled()


def test_a_fault_of_compiled_code_within_the_time_stays_one() -> None:
    with pytest.raises(SystemError, match="of its own"), time_limit(60):
        raise SystemError("of its own")
