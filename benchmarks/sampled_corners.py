"""Thirty corners of DP-SGD, and three standard runs: width, processor seconds and peak memory, each in a process.

OMP_NUM_THREADS=1 python -m benchmarks.sampled_corners             # the table of benchmarks/README.md
OMP_NUM_THREADS=1 python -m benchmarks.sampled_corners 1e-5 1 100000 1e-14 0.01
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from pathlib import Path

# Rates, noise multipliers, steps and deltas; heavy tails, many small steps, few steps, and large epsilons.
CORNERS = [
    ("1e-5", "2/5", 1000, "1e-6"),
    ("1e-4", "1/2", 10**5, "1e-14"),
    ("1e-3", "2/5", 100, "1e-14"),
    ("1e-3", "2", 10**4, "1e-5"),
    ("1/100", "50", 10**5, "1e-14"),
    ("1/10", "2/5", 2, "1e-14"),
    ("1/2", "1", 1000, "1e-6"),
    ("1/2", "50", 10**5, "1e-3"),
    ("1e-5", "2/5", 1, "1e-3"),
    ("1e-5", "2/5", 10**5, "1e-14"),
    ("1e-5", "1", 10**5, "1e-6"),
    ("1e-5", "1", 10**5, "1e-14"),
    ("1e-5", "50", 10**5, "1e-14"),
    ("1e-5", "50", 10**5, "1e-6"),
    ("1e-4", "2/5", 10**5, "1e-6"),
    ("1e-4", "2/5", 10**5, "1e-14"),
    ("1e-3", "2/5", 10**5, "1e-14"),
    ("1e-3", "1/2", 10**5, "1e-6"),
    ("1/100", "2/5", 10**4, "1e-6"),
    ("1/100", "2/5", 10**5, "1e-14"),
    ("1/100", "1", 10, "1e-14"),
    ("1/10", "2/5", 10**5, "1e-6"),
    ("1/10", "1", 10**5, "1e-14"),
    ("1/10", "5", 10**4, "1e-9"),
    ("1/2", "2/5", 10**5, "1e-14"),
    ("1/2", "2/5", 1, "1e-14"),
    ("1/2", "2/5", 10, "1e-3"),
    ("1/2", "5", 10**5, "1e-14"),
    ("1/2", "50", 10, "1e-14"),
    ("1/3", "2", 10**5, "1e-3"),
]
STANDARD = ("1/100", "1", 1000)
#: Each with the relative width of epsilon that is asked for.
RUNS = [
    (*STANDARD, "1e-6", "1e-3"),
    ("256/60000", "11/10", 14_063, "1e-5", "1e-3"),
    ("1e-4", "1", 10**6, "1e-6", "5e-2"),
    *((*corner, "1e-2") for corner in CORNERS),
]
ROOT = Path(__file__).resolve().parents[1]
SECONDS, GIBIBYTES = 60.0, 2.0  # of a processor and of memory that each may take


def measured(rate: str, noise: str, steps: int | str, delta: str, width: str) -> tuple[float, float, float, str]:
    """Return the relative width of epsilon, processor seconds, the peak of memory in GiB, and the interval."""
    # Here, so that the time is that of the account alone.
    from rgm_verify.accounting.subsampled.account import epsilon
    from rgm_verify.accounting.subsampled.mechanism import poisson

    started = time.process_time()
    found = epsilon(poisson(rate, noise, steps), delta, width=width)
    spent = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return found.relative_width, spent, peak, f"[{shown(found.lower, up=False)}, {shown(found.upper, up=True)}]"


def shown(end: float, *, up: bool) -> str:
    """Return an end with six digits, rounded outward."""
    return f"{Context(prec=6, rounding=ROUND_CEILING if up else ROUND_FLOOR).create_decimal(end):g}"


def alone(run: Sequence[str | int]) -> tuple[float, float, float, str]:
    """Return what is measured in a process of its own, since a peak of memory belongs to a process."""
    command = [sys.executable, "-m", "benchmarks.sampled_corners", *map(str, run)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split(maxsplit=3)
    return float(said[0]), float(said[1]), float(said[2]), said[3].strip()


def main(given: Sequence[str]) -> int:
    """Print the table, or four numbers of one run."""
    if given:
        width, spent, peak, interval = measured(*given)
        sys.stdout.write(f"{width} {spent} {peak} {interval}\n")
        return 0
    sys.stdout.write("| rate | noise | steps | delta | epsilon | width asked | width | processor seconds | GiB |\n")
    sys.stdout.write("|---" * 9 + "|\n")
    missed = 0
    for run in RUNS:
        width, spent, peak, interval = alone(run)
        missed += width > float(run[-1]) or spent > SECONDS or peak > GIBIBYTES
        cells = [*map(str, run[:4]), interval, run[4], f"{width:.1e}", f"{spent:.2f}", f"{peak:.2f}"]
        sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
        sys.stdout.flush()
    sys.stdout.write(f"\n{missed} of {len(RUNS)} missed.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
