"""The mutation session: which mutations it makes of a text, what it draws, and that its plan covers what judges."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "mutation"


@pytest.fixture(scope="module")
def tool() -> Iterator[tuple[ModuleType, ModuleType]]:
    """The modules `mutations` and `run` of the session."""
    found = []
    for name in ("mutations", "run"):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        found.append(module)
    yield found[0], found[1]
    for name in ("mutations", "run"):
        del sys.modules[name]


def after(tool: Any, text: str) -> set[str]:
    """The clauses that mutations of a text end in."""
    return {m.after for m in tool[0].mutations(text, "file.py")}


CHANGED: list[tuple[str, set[str]]] = [
    ("v = a < b", {"v = a <= b", "v = a > b"}),
    ("v = a >= b", {"v = a > b", "v = a <= b"}),
    ("v = a == b", {"v = a != b"}),
    ("v = a is None", {"v = a is not None"}),
    ("v = a not in b", {"v = a in b"}),
    ("v = a + b", {"v = a - b"}),
    ("v = a ** b", {"v = a * b"}),
    ("v = a and b", {"v = a or b", "v = a", "v = b"}),
    ("v = not a", {"v = a"}),
    ("v = -a", {"v = a"}),
    ("v = 5", {"v = 6", "v = 4", "v = 10"}),
    ("v = 1", {"v = 2", "v = 0"}),
    ("v = 0", {"v = 1"}),
    ("v = 4096", {"v = 1"}),
    ("v = True", {"v = False"}),
    ("v = 0.5", {"v = -0.5"}),
    ("v = '<='", {"v = '<'"}),
    ("v = '=='", {"v = '!='"}),
    ("v = a if b else c", {"v = a", "v = c"}),
    ("v = [a for a in b if c]", {"v = [a for a in b]"}),
    ("v = f(a, b)", {"v = f(b, a)"}),
    ("v = min(a, b)", {"v = max(a, b)"}),
    ("v = min(a, b, key=f)", {"v = max(a, b, key=f)", "v = min(b, a, key=f)"}),
    ("v = all(a)", {"v = any(a)"}),
    ("v = ge(a, a)", {"v = gt(a, a)"}),
    ("v = a.assumptions", {"v = a.hypotheses"}),
    ("f(a)", {"pass"}),
    ("a += b", {"pass", "a -= b"}),
    ("while a:\n    break", {"pass"}),
    ("if a:\n    raise E('text')", {"if True: raise E('text')", "if False: raise E('text')", "pass"}),
    ("def f(a=True):\n    return a", {"def f(a=False):"}),
    ("def f() -> bool:\n    return a", {"return True", "return False"}),
    ("def f() -> bool | None:\n    return a", {"return True", "return False", "return None"}),
    ("def f() -> str:\n    return a", {"return ''", "return 'mutated'"}),
    ("def f() -> tuple[int, ...]:\n    return a", {"return ()"}),
    ("def f() -> tuple[int, int]:\n    return a", set()),
    ("def f() -> Expr:\n    return a", set()),
]


@pytest.mark.parametrize(("text", "expected"), CHANGED, ids=[c[0] for c in CHANGED])
def test_each_place_is_broken_in_each_way(tool: Any, text: str, expected: set[str]) -> None:
    assert after(tool, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "'a docstring'", "import a", "__all__ = ['a']", "v: int | None = a", "def f(a: int | None) -> A | B:\n    pass",
        "v = f'{a + 1} at {b}'", "@cache(5)\ndef f():\n    pass", "class A(B, key=1):\n    pass",
        "V: TypeAlias = 'A | B'", "if TYPE_CHECKING:\n    v = 1", "v = isinstance(a, B | C)", "v = 'a text'",
        "class A:\n    def __repr__(self):\n        return a + b", "v = self.undecided((a,), b + c)",
        "v = ', '.join(sorted(a + b)) or 'none'", "v = zip(a, strict=True)",
        "v = self.evidence(a, details={'b': 1})", "class A(Protocol):\n    def f(self) -> int:\n        ...",
    ],
)  # fmt: skip
def test_what_decides_nothing_is_left_alone(tool: Any, text: str) -> None:
    assert after(tool, text) == set()


def test_a_mutation_is_one_change_and_its_name_does_not_depend_on_the_rest_of_the_file(tool: Any) -> None:
    text = "def f(a, b):\n    if a < b:\n        return a + 1\n    return f(b, a)\n"
    found = tool[0].mutations(text, "file.py")
    names = [m.name for m in found]
    longer = tool[0].mutations(f"def before(c):\n    return c + 2\n\n\n{text}", "file.py")
    assert names == [m.name for m in longer if m.function == "f"]
    plain = ast.dump(ast.parse(text))
    broken = {tool[0].mutated(text, m.number) for m in found}
    assert len(broken) == len(found)
    assert all(ast.dump(ast.parse(each)) != plain for each in broken)
    assert tool[0].mutated(text, found[0].number) != tool[0].mutated(text, found[1].number)
    with pytest.raises(ValueError, match="fewer mutations"):
        tool[0].mutated(text, 1_000)


def test_functions_that_are_left_out_have_no_mutations(tool: Any) -> None:
    text = "def f(a):\n    return a + 1\n\n\nclass A:\n    def g(self, a):\n        return a + 1\n"
    functions = {m.function for m in tool[0].mutations(text, "file.py")}
    assert functions == {"f", "A.g"}
    assert {m.function for m in tool[0].mutations(text, "file.py", frozenset({"f"}))} == {"A.g"}
    assert {m.function for m in tool[0].mutations(text, "file.py", frozenset({"A.g"}))} == {"f"}


def test_a_sample_takes_from_each_file_in_proportion_and_is_the_same_every_time(tool: Any) -> None:
    texts = {f"{n}.py": "\n".join(f"v{i} = a{i} < b{i}" for i in range(n)) for n in (1, 50, 150)}
    found = {file: tool[0].mutations(text, file) for file, text in texts.items()}
    sample = tool[1].drawn(found, 40, 1)
    counts = {file: sum(m.file == file for m in sample) for file in found}
    assert counts == {"1.py": 1, "50.py": 10, "150.py": 30} or sum(counts.values()) in (40, 41)
    assert sample == tool[1].drawn(found, 40, 1)
    assert sample != tool[1].drawn(found, 40, 2)
    assert len(set(sample)) == len(sample)
    assert tool[1].shares({"a": 1, "b": 999}, 10) == {"a": 1, "b": 9}
    assert tool[1].shares({"a": 2, "b": 3}, 100) == {"a": 2, "b": 3}


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (460, 500), (3, 7)])
def test_the_interval_is_where_the_score_test_does_not_reject(tool: Any, successes: int, trials: int) -> None:
    """The ends of Wilson's interval solve (share - p)^2 = z^2 p (1 - p) / n."""
    low, high = map(Fraction, tool[1].wilson(successes, trials))
    share, z = Fraction(successes, trials), Fraction(1.959963984540054)
    for end in (low, high):
        excess = (share - end) ** 2 - z**2 * end * (1 - end) / trials
        assert abs(excess) < Fraction(1, 2**45)  # a few roundings of numbers below 4
    assert low - Fraction(1, 2**45) <= share <= high + Fraction(1, 2**45)
    assert tool[1].wilson(0, 0) == (0.0, 1.0)


def test_every_file_that_judges_is_broken_or_left_out_with_a_reason(tool: Any, root: Path) -> None:
    plan = tool[1].read_plan()
    assert sorted([*plan.tests, *plan.modules]) == tool[1].judging_files()
    assert all(reason for reason in plan.modules.values())
    missing = [name for tests in plan.tests.values() for name in tests if not (root / name).is_file()]
    assert missing == []
    assert all(plan.tests.values())
    assert all(len(set(tests)) == len(tests) for tests in plan.tests.values())


def test_every_function_that_is_left_out_is_there(tool: Any, root: Path) -> None:
    plan = tool[1].read_plan()
    for file, functions in plan.functions.items():
        names = _functions(ast.parse((root / file).read_text()))
        assert set(functions) <= names, file


def _functions(node: ast.AST, prefix: str = "") -> set[str]:
    found = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{prefix}.{child.name}".strip(".")
            found |= {name} | _functions(child, name)
    return found


def test_every_mutation_that_is_listed_as_equivalent_is_one_and_has_a_reason(tool: Any) -> None:
    names = {m.name for found in tool[1].every_mutation(tool[1].read_plan()).values() for m in found}
    listed = tool[1].read_equivalents()
    assert set(listed) <= names
    assert all(reason.strip() for reason in listed.values())


def entry(outcome: str, name: str = "a") -> dict[str, Any]:
    return {"file": name, "line": 1, "function": "f", "before": "a < b", "after": "a <= b", "same": 0,
            "outcome": outcome, "by": "t", "seconds": 0.1}  # fmt: skip


def test_the_run_fails_below_its_bounds_and_where_a_listed_mutation_is_noticed(
    tool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tool[1]
    plan = run.read_plan()
    many = [entry("killed")] * 490
    good = list(run.report([*many, *[entry("survived")] * 10], plan))
    assert not any(text.startswith("failed:") for text in good)
    assert sum("SURVIVED" in text for text in good) == 10
    assert any("score 490/500 = 0.980" in text for text in good)
    assert any(text.startswith("failed:") for text in run.report([*many[:440], *[entry("survived")] * 60], plan))
    assert any(text.startswith("failed:") for text in run.report([entry("killed")] * 5, plan))
    monkeypatch.setattr(run, "read_equivalents", lambda: {("b", "f", "a < b", "a <= b"): "the same"})
    assert any("2 of them listed" in text for text in run.report([*many, *[entry("survived", "b")] * 2], plan))
    assert any("and noticed" in text for text in run.report([*many, entry("killed", "b")], plan))


def test_an_interrupted_run_resumes_and_results_of_other_code_do_not_count(tool: Any, tmp_path: Path) -> None:
    import json

    path = tmp_path / "results.jsonl"
    head = {"seed": 1, "sample": 3, "code": "c", "tests": "t"}
    lines = [head, entry("killed"), entry("survived", "b")]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines) + '{"file": "half')
    earlier = tool[1].earlier
    assert {key[0] for key in earlier(path, head, False)} == {"a", "b"}
    assert earlier(path, {**head, "code": "other"}, True) == {}
    assert earlier(path, {**head, "seed": 2}, True) == {}
    assert earlier(path, {**head, "tests": "other"}, False) == {}
    assert {key[0] for key in earlier(path, {**head, "tests": "other"}, True)} == {"a"}
    assert earlier(tmp_path / "none", head, False) == {}


def test_a_line_shows_where_two_long_clauses_differ(tool: Any) -> None:
    before, changed = tool[1].differing("x" * 100 + "<" + "y" * 100, "x" * 100 + ">=" + "y" * 100)
    assert (before, changed) == ("x" * 30 + "<" + "y" * 30, "x" * 30 + ">=" + "y" * 30)
    assert tool[1].differing("a", "b") == ("a", "b")


PAGE = "def smaller(a, b):\n    return a < b\n\n\ndef unseen(a):\n    return a + 1\n"
TEST = "from library import smaller\n\n\ndef test_order():\n    assert smaller(1, 2)\n    assert not smaller(2, 2)\n"


def test_a_broken_line_is_noticed_in_a_process_of_its_own(tool: Any, tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(PAGE)
    (tmp_path / "test_library.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow: takes long\n")
    run = tool[1]
    output = tmp_path / "output.txt"
    assert run.tested(tmp_path, ("test_library.py",), 60, output)[0] == "passed"
    for mutation in tool[0].mutations(PAGE, "library.py"):
        (tmp_path / "library.py").write_text(tool[0].mutated(PAGE, mutation.number))
        how, by, _ = run.tested(tmp_path, ("test_library.py",), 60, output)
        assert (how, by) == (
            ("failed", "test_library.py::test_order") if mutation.function == "smaller" else ("passed", "")
        )
    (tmp_path / "library.py").write_text("broken(")
    assert run.tested(tmp_path, ("test_library.py",), 60, output)[:2] == ("failed", "test_library.py (at import)")
    (tmp_path / "test_library.py").write_text("def test_ever():\n    while True:\n        pass\n")
    assert run.tested(tmp_path, ("test_library.py",), 1, output)[0] == "time"
