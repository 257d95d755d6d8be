"""The score of the engine on the textbook statements: python score.py [SET] [pattern] [--floor].

A set is tuned, held, third, fourth, fifth, sixth or seventh. Verdicts are those of default lenses in the quick profile;
times are processor seconds. With --floor all sets but the sixth are judged, which is below the floor, and the program
fails where a share is below it or anything false is proved.
"""

import fnmatch
import pathlib
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass

import sympy

from rgm_verify.balls.program import UnsupportedExpression
from rgm_verify.claims.formula import FormulaError
from rgm_verify.engine.outcome.assemble import judgements
from rgm_verify.engine.discovery import load
from rgm_verify.engine.judge import run_claim
from rgm_verify.lenses.base import PROFILES, Context

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from corpus import textbook

SETS = ("tuned", "held", "third", "fourth", "fifth", "seventh")
PROVED = ("proved", "certified")
#: Least shares of true statements proved or certified and of false ones refuted, and the most seconds of the median.
LEAST_PROVED, LEAST_REFUTED, MOST_SECONDS = 0.85, 0.95, 0.5
#: What a lens raises where SymPy or a solver gives up: a crash is a score as well. Anything else ends the program.
_GIVES_UP = (
    UnsupportedExpression, FormulaError, NotImplementedError, ArithmeticError, ValueError, TypeError, AttributeError,
    RecursionError, sympy.SympifyError,
)  # fmt: skip


@dataclass(frozen=True)
class Scored:
    """A claim's truth, its verdict with the reason, and the seconds that it took."""

    truth: str
    verdict: str
    reason: str
    seconds: float


def scored(half, pattern="*"):
    """Return the outcome of every claim of a set whose id fits a pattern."""
    with tempfile.TemporaryDirectory() as folder:
        paper = load(textbook(half, pathlib.Path(folder)))
    context = Context(profile=PROFILES["quick"], seed=20230830, claims=paper.claims)
    records, seconds = {}, {}
    for identity, claim in paper.claims.items():
        if fnmatch.fnmatch(identity, pattern):
            start = time.process_time()
            try:
                records[identity] = run_claim(claim, context)
            except _GIVES_UP as error:
                print("CRASH", identity, type(error).__name__, error)
            seconds[identity] = time.process_time() - start
    found = judgements(paper, records)
    return {i: Scored(paper.claims[i].kind, found[i].verdict.value, found[i].reason, seconds[i]) for i in seconds}


def share(result, truth, wanted):
    """The share of the claims of a truth whose verdict is one of those wanted."""
    verdicts = [s.verdict for s in result.values() if s.truth == truth]
    return sum(v in wanted for v in verdicts) / len(verdicts) if verdicts else 1.0


def shown(half, result):
    """Print every claim of a set, and what became of them together."""
    for identity, one in result.items():
        print(f"{one.seconds:6.2f}  {one.verdict:10} {identity:32} {one.reason[:170]}")
    for truth in ("true", "false"):
        verdicts = Counter(s.verdict for s in result.values() if s.truth == truth)
        print(f"{half}: {truth}", sum(verdicts.values()), dict(verdicts))
    times = sorted(s.seconds for s in result.values())
    print(f"seconds a claim: median {statistics.median(times):.2f}, most {times[-1]:.2f}, together {sum(times):.0f}")


def below(half, result):
    """Name what is below its floor in a set, in words."""
    wrong = [i for i, s in result.items() if s.truth == "false" and s.verdict in PROVED]
    wrong += [i for i, s in result.items() if s.truth == "true" and s.verdict == "refuted"]
    if wrong:
        yield f"{half}: a wrong verdict: {', '.join(wrong)}"
    for truth, wanted, least in (("true", PROVED, LEAST_PROVED), ("false", ("refuted",), LEAST_REFUTED)):
        if share(result, truth, wanted) < least:
            yield f"{half}: {share(result, truth, wanted):.1%} of the {truth} ones are decided, below {least:.0%}"
    if statistics.median(s.seconds for s in result.values()) > MOST_SECONDS:
        yield f"{half}: the median is above {MOST_SECONDS} s"


def main():
    """Print the scores; 1 where a floor is asked for and not reached."""
    arguments = [a for a in sys.argv[1:] if a != "--floor"]
    if "--floor" not in sys.argv:
        half, pattern = [*arguments, *("tuned", "*")[len(arguments) :]][:2]
        shown(half, scored(half, pattern))
        return 0
    problems = []
    for half in arguments or SETS:
        result = scored(half)
        shown(half, result)
        problems += below(half, result)
    print("\n".join(problems) or "every set reaches its floor, and nothing false is proved")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
