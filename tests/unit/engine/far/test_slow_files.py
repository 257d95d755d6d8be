"""Files that are made to be slow: each is refused by a count, or stopped within twice the seconds that were stated."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rgm_verify.engine.discovery import load
from rgm_verify.engine.proofs import with_proofs
from rgm_verify.jobs.bounded import Stopped, bounded

X = ["var", "x"]
Y = ["var", "y"]
LARGE = "RGM_VERIFY_FAULTS" in os.environ


def stated(conclusion: Any, name: str = "x") -> dict[str, Any]:
    return {"quantifier": "forall", "variables": [[name, "real", []]], "hypotheses": [], "conclusion": conclusion}


SQUARE = stated([">=", ["pow", X, "2"], "0"])
SUM = ["sum", [[1, [], [[[1, 0, 1]]]]], []]


def document(proof: Any, names: Any = (X,), statement: Any = SQUARE, premise: Any = None) -> dict[str, Any]:
    return {
        "format": "rgm-verify proof 2",
        "claim": "a",
        "statement": statement,
        "premises": {} if premise is None else {"b": stated(premise, "y")},
        "names": list(names),
        "witness": {},
        "proof": proof,
    }


def nested(levels: int, around: Callable[[Any], Any], tree: Any = X) -> Any:
    for _ in range(levels):
        tree = around(tree)
    return tree


# An expansion that takes all the work that a document may ask for: seconds, however fast the machine.
EXPANSION = document([SUM], [["pow", ["add", ["pi"], ["exp", "1"], ["log", "2"], X], "100"]])
FACTORS = ["mul", *(["log", str(k)] for k in range(2, 9000))]
SLOW = {
    "an image of many leaves at many places": document(
        [["use", "b", {"y": ["add", *["1"] * 20_000]}, []]], premise=[">=", ["add", *[Y] * 20_000], "0"]
    ),
    "what an image needs at many places": document(
        [["use", "b", {"y": ["log", ["add", *["1"] * 9_000]]}, []]],
        premise=[">=", ["add", *[["log", Y]] * 9_000], "0"],
    ),
    "a premise used often": document(
        [["use", "b", {"y": X}, []]] * 15_000, premise=[">=", ["max", *[Y] * 10_000], "0"]
    ),
    "numbers in a name that is used often": document([SUM] * 9_000, [["max", *["1"] * 40_000]]),
    "a monomial of many factors": document([SUM], [FACTORS]),
    "sums of long fractions": document(
        [["sum", [[1, [], [[[f"1/{10**1500 + 2 * i + 1}", 0, i % 100] for i in range(900)]]]], []]]
    ),
    "constants within powers of constants": document(
        [["number", [[1, 0, 1]], 64]], [nested(8, lambda t: ["log", ["pow", ["add", "1", t], "60"]], ["pi"])]
    ),
    "roots of a high degree": document([["number", [[1, 0, 1]], 512]] * 3_000, [["pow", ["pi"], "1/200"]]),
    "absolute values within each other": document(
        [], statement=stated([">=", ["add", *[nested(14, lambda t: ["abs", t])] * 2_000], "0"])
    ),
    "equivalences within each other": document(
        [], statement=stated(nested(40, lambda t: ["iff", t, [">=", X, "1"]], [">=", X, "0"]))
    ),
    "a tree that is deep": document([], statement=stated([">=", nested(400, lambda t: ["add", t, "1"]), "0"])),
    "a name that is deep": document([SUM], [nested(300, lambda t: ["log", t])]),
}


@pytest.mark.parametrize("name", SLOW)
def test_a_slow_proof_is_refused_by_its_count(tmp_path: Path, rgm: Callable[..., Result], name: str) -> None:
    path = tmp_path / "slow.json"
    path.write_text(json.dumps(SLOW[name]))
    found = rgm("replay", path, "--seconds", 60)
    # Not by the clock: the answer is the same on every machine.
    assert found.exit_code == 1, found.output
    assert any(word in found.output for word in ("more than", "too long")), found.output


REGION = Path(__file__).parents[4] / "reports" / "certificates"


def subdivided(folder: Path) -> Path:
    """The committed region certificate with a leaf halved 18 times further: each part is proved, which takes long."""
    (path,) = REGION.glob("rgm--a4-expansion--*.json")
    data = json.loads(path.read_text())
    data["tree"] = data["tree"].replace("D", nested(18, lambda t: f"1{t}{t}", "D"), 1)
    del data["sha256"]
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    made = folder / f"rgm--a4-expansion--{digest[:12]}.json"
    made.write_text(json.dumps({**data, "sha256": digest}))
    return made


def proofs(folder: Path) -> Path:
    """A hundred proofs in one file, each of which takes long."""
    (folder / "slow.json").write_text(
        json.dumps({"format": "rgm-verify proofs 1", "proofs": {f"a{i}": EXPANSION for i in range(100)}})
    )
    return folder / "slow.json"


def parts(part: str, count: int) -> Callable[[Path], Path]:
    """A file of so many parts, which are slow to read."""

    def made(folder: Path) -> Path:
        path = folder / "slow.json"
        path.write_text('{"format":"rgm-verify proof 2","x":[' + part * (2 * count if LARGE else count) + "1]}")
        return path

    return made


FILES = {
    "a region in very many parts": subdivided,
    "proofs, each of which takes long": proofs,
    "empty lists": parts("[],", 9_000_000),
    "objects": parts('{"a":1},', 3_500_000),
}


@pytest.mark.parametrize("name", FILES)
def test_replay_stops_at_its_seconds_whatever_takes_them(tmp_path: Path, rgm: Callable[..., Result], name: str) -> None:
    resource = pytest.importorskip("resource", reason="needs the processor times of a Unix system")

    def spent() -> list[float]:
        return [sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]

    path = FILES[name](tmp_path)
    before = spent()
    found = rgm("replay", path, "--seconds", 1)
    own, others = (after - start for start, after in zip(before, spent(), strict=True))
    assert not found.output.startswith("accepted")
    # A fast machine reads to the end of what is no document in less than its second, and says that it is none.
    if found.exit_code != 1 or others >= 1:
        assert found.exit_code == 2, found.output
        assert re.search("(stopped after|not finished within) 1 s of", found.output), found.output
    # The other process ends at its clock; what is left is this one's share, and it reads nothing of the file.
    assert own < 2, own
    assert others < 2, others


def test_a_run_keeps_what_was_checked_before_the_clock_stopped(folder: Callable[..., Path]) -> None:
    claims = "\n".join(
        f'{name.upper()} = claim("{name}", ge(x * x, 0), mutants=(Mutant("a sign", conclusion=ge(-1 - x, 0)),))'
        for name in ("a", "c")
    )
    paper = load(folder(one=claims))
    kept = paper.folder / "proofs" / "one.json"
    kept.parent.mkdir()
    domain = [["x", "real", [[">=", X, "0"], ["<=", X, "1"]]]]
    good = document([SUM, ["end", 2]], statement={**SQUARE, "variables": domain})
    slow = {**EXPANSION, "claim": "c"}
    kept.write_text(json.dumps({"format": "rgm-verify proofs 1", "proofs": {"a": good, "c": slow}}))
    found = with_proofs(paper, {name: {"evidence": []} for name in ("a", "c")}, seconds=1)
    (first,), (second,) = (found[name]["evidence"] for name in ("a", "c"))
    assert (first["kind"], first["finding"]) == ("kernel proof", "supports")
    assert (second["kind"], second["finding"]) == ("note", "undecided")
    assert "stopped after 1 s of processor time" in second["summary"]


def test_memory_that_is_used_up_stops_the_work_and_says_so() -> None:
    pytest.importorskip("resource", reason="needs a system that limits memory")
    with pytest.raises(Stopped, match="memory"):
        list(bounded(bytes, 1 << 30, seconds=30, memory=1 << 29))
