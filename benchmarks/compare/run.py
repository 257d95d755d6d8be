"""Fit every method on every data set, ten seeds each, and write the record: `nox -s compare`.

    python -m benchmarks.compare.run --peer PYTHON [--only phishing wide]

PYTHON is an interpreter that has diffprivlib; without it, its rows are left as they are. What has been fitted is kept,
and an interrupted run goes on. A seed draws the split, four fifths to fit and one to score, and the noise.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.compare.methods import METHODS
from benchmarks.compare.sets import TASKS, load
from derivations.chapters.comparison_data import DELTA, EPSILONS, FILE, PEER, SEEDS, Row, read, write

WIDEST_OF_PEER = 25  # its linear regression takes minutes beyond


def score(task: str, X, y, theta) -> float:
    """R^2 of predictions in [-1, 1], or the area under the curve; 4 digits."""
    found = X @ theta
    if task == "regression":
        found = np.clip(np.nan_to_num(found), -1, 1)
        return round(float(1 - np.square(y - found).sum() / np.square(y - y.mean()).sum()), 4)
    from sklearn.metrics import roc_auc_score

    return round(float(roc_auc_score(y, np.nan_to_num(found))), 4)


def split(X, y, seed: int):
    """Records to fit and records to score, the same for every method."""
    order, cut = np.random.default_rng([seed, 7]).permutation(len(X)), len(X) * 4 // 5
    return X[order[:cut]], y[order[:cut]], X[order[cut:]], y[order[cut:]]


def by_peer(python: str, task: str, X, y, epsilon: str, seed: int):
    """Coefficients by diffprivlib; None where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.npz"
        np.savez(file, X=X, y=y, epsilon=float(epsilon), seed=seed, task=task)
        script = Path(__file__).parent / "peer.py"
        found = subprocess.run([python, str(script), str(file)], capture_output=True, text=True, check=False)
    return np.array(json.loads(found.stdout)) if found.returncode == 0 else None


def rows(task: str, name: str, peer: str | None, done: set[tuple[str, ...]]) -> Iterator[Row]:
    """Yield what is not done of a data set, a row at a time."""
    X, y = load(task, name)
    best = {seed: np.linalg.lstsq(*split(X, y, seed)[:2], rcond=None)[0] for seed in range(SEEDS)}
    names = [*METHODS[task], *([PEER] if peer and (task == "classification" or X.shape[1] <= WIDEST_OF_PEER) else [])]
    for epsilon in EPSILONS:
        for method in names:
            if (task, name, epsilon, method) in done:
                continue
            scores = []
            for seed in range(SEEDS):
                train, labels, test, truth = split(X, y, seed)
                if method == PEER:
                    theta = by_peer(str(peer), task, train, labels, epsilon, seed)
                else:
                    generator = np.random.default_rng([seed, 11])
                    theta = METHODS[task][method](train, labels, Fraction(epsilon), Fraction(DELTA), generator)
                scores.append(None if theta is None else score(task, test, truth, theta))
            yield Row(task, name, len(X), X.shape[1], epsilon, method, scores)
    if (task, name, "", "not private") not in done:
        scores = [score(task, *split(X, y, seed)[2:], best[seed]) for seed in range(SEEDS)]
        yield Row(task, name, len(X), X.shape[1], "", "not private", scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="an interpreter with diffprivlib")
    parser.add_argument("--only", nargs="*", help="data sets; all of them if not given")
    parser.add_argument("--again", action="store_true", help="forget what is kept")
    given = parser.parse_args()
    found = [] if given.again or not FILE.exists() else list(read())
    for task, sets in TASKS.items():
        for name in sets:
            if given.only and name not in given.only:
                continue
            for row in rows(task, name, given.peer, {(r.task, r.data, r.epsilon, r.method) for r in found}):
                found.append(row)
                write(found)
                print(task, name, row.epsilon, row.method, sorted(s for s in row.scores if s is not None)[len(row.scores) // 2 :][:1])


if __name__ == "__main__":
    main()
