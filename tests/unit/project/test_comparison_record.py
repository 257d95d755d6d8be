"""The record of the comparison of private estimators: whole, of the data sets and methods that are named, and shown."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="the extra `sklearn` is not installed")

from rgm_verify.claims.chapter import Table
from rgm_verify.errors import InputError


def load(root: Path, name: str) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        return importlib.import_module(name)


def test_every_set_has_a_row_for_every_method_at_every_epsilon(root):
    data, sets, methods = (
        load(root, name)
        for name in ("derivations.chapters.comparison_data", "benchmarks.compare.sets", "benchmarks.compare.methods")
    )
    found = {(row.task, row.data, row.epsilon, row.method): row for row in data.read()}
    assert all(len(row.scores) == data.SEEDS for row in found.values())
    for task, made in sets.TASKS.items():
        assert len(made) >= 10
        for name in made:
            assert (task, name, "", data.EXACT) in found
            for epsilon in data.EPSILONS:
                assert {m for t, n, e, m in found if (t, n, e) == (task, name, epsilon)} >= set(methods.METHODS[task])


def test_a_changed_record_is_refused(root, monkeypatch, tmp_path):
    data = load(root, "derivations.chapters.comparison_data")
    changed = tmp_path / "comparison.json"
    changed.write_text(data.FILE.read_text().replace('"auto",[', '"auto",[0.5,', 1))
    monkeypatch.setattr(data, "FILE", changed)
    with pytest.raises(InputError, match="not those of its digest"):
        data.read()


def test_the_chapter_counts_by_medians(root):
    data, chapter = (load(root, f"derivations.chapters.{name}") for name in ("comparison_data", "comparison"))

    def rows(method, *medians):
        return [
            data.Row("regression", "set", 9, 2, e, method, [m, m, None])
            for e, m in zip(data.EPSILONS, medians, strict=True)
        ]

    given = [*rows("auto", 0.5, 0.8, 0.9), *rows("AdaSSP", 0.6, 0.61, 0.9)]
    given.append(data.Row("regression", "set", 9, 2, "", data.EXACT, [0.9, 0.9, 0.9]))
    summary, *tables = [block for block in chapter._blocks(given) if isinstance(block, Table)]
    # At 5 both are the best; at 1 the second has more than twice the excess, at 0.1 the first less than twice.
    assert summary.rows == [["auto", "3", "2", "3 (100 %)", "1.33"], ["AdaSSP", "3", "2", "2 (66 %)", "1.33"]]
    assert tables[0].rows == [
        ["set (9, 2)", "0.500 [below -10, 0.500]", "0.600 [below -10, 0.600]", "0.900 [0.900, 0.900]"]
    ]


def test_peers_release_what_their_noise_is_calibrated_for(root):
    methods = load(root, "benchmarks.compare.methods")
    generator = np.random.default_rng(1)
    X = np.column_stack([generator.uniform(-1, 1, (2000, 2)), np.ones(2000)])
    y = np.clip(X @ [0.5, -0.2, 0.1], -1, 1)
    for fit in methods.METHODS["regression"].values():
        theta = fit(X, y, 1000, methods.Fraction(1, 10**6), np.random.default_rng(2))
        assert theta.shape == (3,)
    # Two releases of half a budget each cost what one release of all of it costs.
    one, half = (methods.deviation(methods.Fraction(1), methods.Fraction(1, 10**6), 1.0, share) for share in (1, 0.5))
    assert math.isclose(2 / half**2, 1 / one**2, rel_tol=4 * 2.0**-52)
