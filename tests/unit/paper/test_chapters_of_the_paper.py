"""Captions of the chapters on gradient descent say what their numbers show."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from rgm_verify.claims.chapter import Block, Figure, Table
from rgm_verify.learning.data import EPS

SHOWN = 5e-4  # four digits are shown: half a unit of the last one


def chapter(root: Path, stem: str) -> ModuleType:
    """The file of a chapter alone: it imports nothing of its folder."""
    spec = importlib.util.spec_from_file_location(f"chapter_{stem}", root / "derivations" / "chapters" / f"{stem}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def modules(root: Path) -> dict[str, ModuleType]:
    """The files of the two chapters."""
    return {stem.replace("_", "-"): chapter(root, stem) for stem in ("gradient_descent", "relative_sensitivity")}


def figures(blocks: list[Block]) -> list[Figure]:
    return [block for block in blocks if isinstance(block, Figure)]


def tables(blocks: list[Block]) -> list[Table]:
    return [block for block in blocks if isinstance(block, Table)]


def upper(figure: Figure, name: str) -> dict[str, float]:
    return {x: float(high) for series in figure.series if series.name == name for x, _, high in series.points}


def test_the_printed_bound_falls_below_the_truth_and_the_proved_ones_do_not(modules: dict[str, ModuleType]) -> None:
    blocks = list(modules["gradient-descent"].convergence(runs=10_000))
    figure = figures(blocks)[0]
    exact, printed = upper(figure, "exact"), upper(figure, "Theorem 2, as printed")
    first = min(int(t) for t in exact if exact[t] > printed[t])
    assert f"from step {first} on" in figure.caption
    for name in ("largest over all such functions", "Theorem 2, corrected"):
        for t, bound in upper(figure, name).items():
            # The stated error of exact second moments: (d + 5) roundings a step, d = 10.
            assert bound >= exact[t] * (1 - 15 * (int(t) + 1) * EPS)
    diverging = list(upper(figure, "exact, with the longest step as printed").values())
    assert diverging == sorted(diverging)
    assert float(tables(blocks)[0].rows[-1][2]) < 1 / 2


def test_the_simulation_agrees_with_the_exact_second_moment(modules: dict[str, ModuleType]) -> None:
    """Ten points, each missed with probability 1/100 at most: the seed is fixed, and the margin ten deviations."""
    figure = figures(list(modules["gradient-descent"].convergence(runs=10_000)))[0]
    exact = upper(figure, "exact")
    simulated = next(series for series in figure.series if "simulated" in series.name)
    assert len(simulated.points) == 10
    assert all(float(low) <= exact[t] <= float(high) for t, low, high in simulated.points)


def test_steps_above_one_are_those_beyond_every_stable_one(modules: dict[str, ModuleType]) -> None:
    for smoothness, gamma, dimension, printed, proved, ratio in tables(list(modules["gradient-descent"].steps()))[
        0
    ].rows:
        expected = 1 / ((1 + float(gamma) * float(dimension)) * float(smoothness))
        first = 1 / (float(smoothness) + float(gamma))
        assert float(printed) == pytest.approx(first, rel=SHOWN, abs=0)
        assert float(ratio) == pytest.approx(first / (2 * expected), rel=SHOWN, abs=0)
        assert float(proved) == pytest.approx(expected, rel=SHOWN, abs=0)


def test_both_methods_are_compared_at_the_same_privacy(modules: dict[str, ModuleType]) -> None:
    figure = figures(list(modules["gradient-descent"].comparison(points=2, methods=("rdp",))))[0]
    relative, clipped = (upper(figure, name) for name in ("relative Gaussian", "Gaussian, threshold 1 (public)"))
    assert set(relative) <= set(clipped)
    assert relative
    assert all(relative[n] > clipped[n] for n in relative)


def test_the_sensitivity_of_the_experiments_is_below_the_worst_of_the_pairs(modules: dict[str, ModuleType]) -> None:
    rows = tables(list(modules["relative-sensitivity"].sensitivity(datasets=2)))[0].rows
    assert [row[0] for row in rows] == ["10", "30", "100"]
    for row in rows:
        assert float(row[4].split(" to ")[1]) < 1
        assert float(row[5].split(" to ")[0]) > 1


def test_a_larger_condition_number_costs_more_privacy(modules: dict[str, ModuleType]) -> None:
    blocks = list(modules["relative-sensitivity"].clipping(points=4))
    worth = [float(row[3].strip("[]").split(", ")[0]) for row in tables(blocks)[0].rows]
    assert worth == sorted(worth)
    assert worth[0] <= 1 < worth[1]
    both, ellipsoid = (list(upper(figures(blocks)[0], series.name).values()) for series in figures(blocks)[0].series)
    assert all(1 <= b <= e for b, e in zip(both, ellipsoid, strict=True))


def test_the_printed_test_breaks_its_promise_and_rejects_at_its_own_number(modules: dict[str, ModuleType]) -> None:
    blocks = list(modules["relative-sensitivity"].test_release(datasets=30, points=2))
    counts, broken = tables(blocks)
    printed, proof, proved = (int(row[1]) for row in counts.rows)
    assert 0 <= 4 * printed - proof < 4  # both are rounded up, one before the factor 4 and one after it
    assert proof < proved
    assert all(float(row[3]) > 1e-6 for row in broken.rows)
    for series in figures(blocks)[0].series:
        low, high = next((float(a), float(b)) for n, a, b in series.points if n == str(printed))
        assert low == 0
        assert high < 1 / 2
