"""Short examples: each runs without a warning, and shows what its numbers are known to be."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
SHOWN = {
    # The printed noise has less privacy than stated at 50; 3.7306 is the least noise for an epsilon of 1.
    "gaussian": ["stated epsilon of 1/2: it has 0.35", "stated epsilon of 50: it has 96.43", "of 1 is 3.7306"],
    "laplace": ["by law 7.84", "at most 1.65 times"],
    "rdp_accountant": ["mironov: epsilon 4.53", "improved: epsilon 4.01", "exact: epsilon in [3.70"],
    "composition": ["simple: (5.000, 1.0e-06)", "advanced: (2.667, 1.0e-05)", "delta of 1e-05: 1.97"],
    "dp_sgd": ["of the larger class 0.63", "after 20 steps", "after 80 steps epsilon is between 2.0"],
    "nodes": ["sums in one place: [ 0.503 -0.298  0.099]", "at epsilon <= 0.99"],
    "averaging": ["epsilon is 2.254 for both", "a deviation of 0.0002", "a deviation of 0.0200"],
    "decentralised_sgd": [
        "of 10000 messages party 7 saw",
        "between 0.010 and 0.406",
        "together: at most 0.",
        "above 1.31",
    ],
}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_an_example_runs_and_shows_its_numbers(name, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    shown = capsys.readouterr().out
    assert [part for part in SHOWN[name] if part not in shown] == []


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_an_example_says_how_it_is_run(name):
    lines = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert f"python examples/{name}.py" in lines
