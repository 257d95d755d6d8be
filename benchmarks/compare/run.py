"""Fit every method on every data set, ten seeds each, and write the record: `nox -s compare`.

    python -m benchmarks.compare.run --peer PYTHON [--only phishing wide]

PYTHON is an interpreter that has diffprivlib; without it, its rows are left as they are. What has been fitted is kept,
and an interrupted run goes on. A seed draws the split, four fifths to fit and one to score, and the noise.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.compare.methods import METHODS
from benchmarks.compare.sets import TASKS, load
from benchmarks.compare.splits import split
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


def by_peer(python: str, task: str, X, y, epsilon: str):
    """Coefficients by diffprivlib, for each seed; None where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.npz"
        np.savez(file, X=X, y=y, epsilon=float(epsilon), seeds=SEEDS, task=task)
        script = Path(__file__).parent / "peer.py"
        found = subprocess.run([python, str(script), str(file)], capture_output=True, text=True, check=True)
    return [None if line == "null" else np.array(json.loads(line)) for line in found.stdout.split("\n")[:SEEDS]]


def by_us(method: str, task: str, X, y, epsilon: str):
    """Coefficients by a method of this project or one that it has implemented, for each seed."""
    for seed in range(SEEDS):
        train, labels, _, _ = split(X, y, seed)
        generator = np.random.default_rng([seed, 11])
        yield METHODS[task][method](train, labels, Fraction(epsilon), Fraction(DELTA), generator)


def rows(task: str, name: str, peer: str | None, done: set[tuple[str, ...]]) -> Iterator[Row]:
    """Yield what is not done of a data set, a row at a time."""
    X, y = load(task, name)
    best = {seed: np.linalg.lstsq(*split(X, y, seed)[:2], rcond=None)[0] for seed in range(SEEDS)}
    names = [*METHODS[task], *([PEER] if peer and (task == "classification" or X.shape[1] <= WIDEST_OF_PEER) else [])]
    for epsilon in EPSILONS:
        for method in names:
            if (task, name, epsilon, method) in done:
                continue
            fits = by_peer(str(peer), task, X, y, epsilon) if method == PEER else by_us(method, task, X, y, epsilon)
            scores = [
                None if theta is None else score(task, *split(X, y, seed)[2:], theta) for seed, theta in enumerate(fits)
            ]
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
                sys.stderr.write(f"{task} {name} {row.epsilon} {row.method} {row.scores}\n")


if __name__ == "__main__":
    main()
