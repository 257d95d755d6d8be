"""The score of the engine on the textbook statements, by half and truth: python score.py [tuned|held] [pattern].

Verdicts are those of default lenses in the quick profile; times are processor seconds.
"""

import fnmatch
import pathlib
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter

from rgm_verify.engine.assemble import judgements
from rgm_verify.engine.discovery import load
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses.base import PROFILES, Context

HERE = pathlib.Path(__file__).parent


def scored(half, pattern="*"):
    """For every claim of a half: its kind, its verdict with the reason, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("known.py", f"textbook_{half}.py"):
            shutil.copy(HERE / name, folder)
        paper = load(pathlib.Path(folder))
    context = Context(profile=PROFILES["quick"], seed=20230830, claims=paper.claims)
    records, seconds = {}, {}
    for identity, claim in paper.claims.items():
        if fnmatch.fnmatch(identity, pattern):
            start = time.process_time()
            try:
                records[identity] = run_claim(claim, context)
            except Exception as error:  # noqa: BLE001 - a crash is a score as well
                print("CRASH", identity, type(error).__name__, error)
            seconds[identity] = time.process_time() - start
    found = judgements(paper, records)
    return {i: (paper.claims[i].kind, found[i].verdict.value, found[i].reason, seconds[i]) for i in seconds}


def main():
    half, pattern = [*sys.argv[1:], *("tuned", "*")[len(sys.argv) - 1 :]][:2]
    result = scored(half, pattern)
    for identity, (_, verdict, reason, seconds) in result.items():
        print(f"{seconds:6.2f}  {verdict:10} {identity:32} {reason[:170]}")
    for truth in ("true", "false"):
        verdicts = Counter(v for t, v, _, _ in result.values() if t == truth)
        print(truth, sum(verdicts.values()), dict(verdicts))
    times = sorted(s for *_, s in result.values())
    print(f"seconds a claim: median {statistics.median(times):.2f}, most {times[-1]:.2f}, together {sum(times):.0f}")


if __name__ == "__main__":
    main()
