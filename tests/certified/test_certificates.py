"""A certificate survives its file, and the replayer accepts the real one and nothing else."""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.balls.branch import certify
from rgm_verify.balls.certificate import Certificate, CertificateError, read_certificate, write_certificate
from rgm_verify.balls.replay import UnreadableCertificate, main, replay
from rgm_verify.errors import InputError

r, c = sympy.symbols("r c", real=True)
BOX = {"r": (Fraction(101, 100), Fraction(3)), "c": (Fraction(-1, 2), Fraction(1, 2))}
CLAIM = (r - 1 - sympy.log(r) - c * (r - 1) ** 2) * (1 + c) / (2 + r)
LIMIT = sympy.Rational(1, 5) - c


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    """A certificate whose tree holds every kind of leaf."""
    found = certify(CLAIM, BOX, hypotheses=[LIMIT]).certificate
    assert found is not None
    assert set(found.tree) == set("01DMa")
    return found


def rehashed(data):
    """Return the document with the hash of its content, as a forger would leave it."""
    content = {key: value for key, value in data.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**content, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def test_a_certificate_survives_its_file(certificate, tmp_path):
    write_certificate(certificate, tmp_path / "c.json")
    assert read_certificate(tmp_path / "c.json") == certificate
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    assert replay(tmp_path / "c.json").accepted


def test_the_same_inputs_give_the_same_bytes(certificate, tmp_path):
    again = certify(CLAIM, BOX, hypotheses=[LIMIT]).certificate
    for name, one in (("a", certificate), ("b", again)):
        write_certificate(one, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_failed_write_leaves_nothing_behind(certificate, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "in_the_way").touch()
    with pytest.raises(InputError, match="folder"):
        write_certificate(certificate, tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_truncated_file_is_unreadable_to_both_readers(certificate, tmp_path):
    path = tmp_path / "c.json"
    write_certificate(certificate, path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CertificateError, match=r"c\.json: not a whole JSON document"):
        read_certificate(path)
    with pytest.raises(UnreadableCertificate, match="not a whole JSON document"):
        replay(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "rgm-region-certificate/0"}, "format='rgm-region-certificate/0': must be"),
        ({"bits": True}, "bits=True"),
        ({"strict": 1}, "strict=1: must be true or false"),
        ({"box": [["2", "1"], ["0", "1"]]}, "box="),
        ({"box": [["0", "1"]]}, "1 axes, must be 2"),
        ({"names": ["r", "q"]}, "names="),
        ({"tree": ""}, "tree=''"),
        ({"tree": "0D"}, "1 boxes are left"),
        ({"tree": "DD"}, "characters follow"),
        ({"tree": "?"}, "node 0 is '\\?'"),
        ({"tree": "2DD"}, "node 0 is '2'"),
        ({"gradient": []}, "field 'gradient' is not part"),
        ({"sha256": "0" * 64}, "sha256="),
    ],
)
def test_what_is_wrong_with_a_certificate_is_named(certificate, change, message):
    data = {**certificate.to_json(), **change}
    with pytest.raises(CertificateError, match=message):
        Certificate.from_json(data, source="file.json")


def test_a_missing_field_is_named(certificate):
    data = certificate.to_json()
    del data["bits"]
    with pytest.raises(CertificateError, match=r"file\.json: field 'bits' is missing"):
        Certificate.from_json(data, source="file.json")


def _every_flip(tree, old, new):
    return [tree[:k] + new + tree[k + 1 :] for k, node in enumerate(tree) if node == old]


@pytest.mark.parametrize(("old", "new"), [("M", "D"), ("M", "a"), ("D", "a"), ("a", "D"), ("a", "M")])
def test_no_leaf_can_borrow_another_reason(certificate, old, new):
    trees = _every_flip(certificate.tree, old, new)
    assert trees
    verdicts = [replay(rehashed({**certificate.to_json(), "tree": tree})).accepted for tree in trees]
    # A few excluded boxes lie where the claim holds as well: there the other reason is a proof too.
    assert not all(verdicts) if old == "a" else not any(verdicts)


def _tampered(kind, data):
    """Return a forged document; its hash is made right again, so only the mathematics can give it away."""
    data = copy.deepcopy(data)
    ops, tree = data["program"]["ops"], data["tree"]
    if kind == "larger box":
        data["box"][0] = ["1/2", data["box"][0][1]]
    elif kind == "shifted box":
        data["box"][0] = [str(Fraction(end) * 3) for end in data["box"][0]]
    elif kind == "swapped axes":
        data["box"].reverse()
    elif kind == "another constant":
        data["program"]["ops"] = [["const", "2"] if op == ["const", "1"] else op for op in ops]
    elif kind == "another operation":
        data["program"]["ops"] = [["exp", op[1]] if op[0] == "log" else op for op in ops]
    elif kind == "other output":
        data["program"]["outputs"].reverse()
    elif kind == "dropped leaf":
        data["tree"] = tree[:-1]
    elif kind == "extra leaf":
        data["tree"] = tree + "D"
    elif kind == "other axis first":
        data["tree"] = {"0": "1", "1": "0"}[tree[0]] + tree[1:]
    elif kind == "one leaf for all":
        data["tree"] = "D"
    elif kind == "unknown leaf":
        data["tree"] = tree[:-1] + "?"
    return rehashed(data)


@pytest.mark.parametrize(
    "kind",
    [
        "larger box",
        "shifted box",
        "swapped axes",
        "another constant",
        "another operation",
        "other output",
        "dropped leaf",
        "extra leaf",
        "other axis first",
        "one leaf for all",
        "unknown leaf",
    ],
)
def test_a_forged_certificate_is_rejected_by_its_mathematics(certificate, kind):
    result = replay(_tampered(kind, certificate.to_json()))
    assert not result.accepted
    assert result.reason


def test_a_claim_with_equality_is_not_accepted_as_strict():
    found = certify(r + c, {"r": (Fraction(0), Fraction(1)), "c": (Fraction(0), Fraction(1))}).certificate
    assert found is not None
    assert replay(found.to_json()).accepted
    assert not replay(rehashed({**found.to_json(), "strict": True})).accepted


def test_a_changed_document_with_its_old_hash_is_rejected(certificate):
    result = replay({**certificate.to_json(), "bits": 65})
    assert not result.accepted
    assert result.reason.startswith("sha256=")


@pytest.mark.parametrize(
    "change",
    [
        {"gradient": []},
        {"format": "other"},
        {"program": {"names": ["r", "c"], "ops": [["__import__", 0]], "outputs": [0]}},
        {"program": {"names": ["r", "c"], "ops": [["var", 0], ["pow", 0, "2"]], "outputs": [0]}},
        {"program": {"names": ["r", "c"], "ops": [["var", 0]], "outputs": [1]}},
        {"program": {"names": ["r", "c"], "ops": [["var", 0], ["add", 0, 1]], "outputs": [0]}},
        {"box": [["0", "inf"], ["0", "1"]]},
        {"strict": 0},
        {"bits": 1},
    ],
)
def test_a_document_outside_the_format_is_unreadable(certificate, change):
    with pytest.raises(UnreadableCertificate):
        replay(rehashed({**certificate.to_json(), **change}))


trees = st.recursive(
    st.sampled_from(["D", "M"]),
    lambda inner: st.tuples(st.sampled_from("01"), inner, inner).map("".join),
    max_leaves=60,
)


@settings(max_examples=60)
@given(trees, st.sampled_from([64, 128]), st.booleans())
def test_no_tree_proves_a_false_claim(tree, bits, strict):
    false = r - c + sympy.Rational(999, 1000) + sympy.log(1 + r * c) ** 2 * sympy.Max(r, c)
    true = certify(false + 1, {"r": (Fraction(0), Fraction(1)), "c": (Fraction(0), Fraction(1))}).certificate
    assert true is not None
    data = {**true.to_json(), "tree": tree, "bits": bits, "strict": strict}
    data["program"]["ops"] = [
        ["const", "999/1000"] if op == ["const", "1999/1000"] else op for op in data["program"]["ops"]
    ]
    assert ["const", "999/1000"] in data["program"]["ops"]
    assert not replay(rehashed(data)).accepted


DIFFERENTIABLE = [
    sympy.sqrt(1 + r * c),
    (1 + r) ** sympy.Rational(1, 3),
    (1 + r) ** (2 + c),
    sympy.exp(-r * c),
    sympy.tanh(r + c),
    sympy.cosh(r) * sympy.sinh(1 + c),
    2 + sympy.sin(r) * sympy.cos(c),
    1 + sympy.erf(r - c) / 2,
    1 + sympy.erfc(r) / (1 + c) ** 3,
    sympy.gamma(2 + r) * (1 + c),
    2 + sympy.loggamma(2 + r) * c,
    1 + sympy.Abs(r - c) * sympy.Max(r, 1 - c) * sympy.Min(r, c),
    sympy.uppergamma(2, 1 + r) + c,
    sympy.lowergamma(2, 1 + r) + c,
]


@pytest.mark.parametrize("expression", DIFFERENTIABLE, ids=[str(e) for e in DIFFERENTIABLE])
def test_mean_value_leaves_of_every_operation_are_replayed(expression):
    box = {"r": (Fraction(1, 5), Fraction(4, 5)), "c": (Fraction(1, 5), Fraction(4, 5))}
    # Nothing, written so that the direct enclosure does not see it, and the least value on a grid: it fails first.
    nothing = (r - c) ** 2 - (r**2 - 2 * r * c + c**2)
    steps = [Fraction(k, 10) for k in range(2, 9)]
    least = min(float(expression.subs({r: p, c: q})) for p in steps for q in steps)
    found = certify(
        expression + nothing - sympy.Rational(Fraction(least) * Fraction(999, 1000)), box, maximum_boxes=20_000
    )
    assert found.status == "certified"
    assert found.certificate is not None
    assert "M" in found.certificate.tree
    result = replay(found.certificate.to_json())
    assert result.accepted, result.reason


@pytest.mark.parametrize(("kind", "code"), [(None, 0), ("another constant", 1), ("truncated", 2), ("absent", 2)])
def test_the_command_says_accepted_rejected_or_unreadable(certificate, tmp_path, capsys, kind, code):
    path = tmp_path / "c.json"
    data = certificate.to_json()
    text = json.dumps(data if kind in (None, "truncated", "absent") else _tampered(kind, data))
    if kind != "absent":
        path.write_text(text[:-9] if kind == "truncated" else text)
    assert main([str(path)]) == code
    captured = capsys.readouterr()
    assert ("accepted" in captured.out, "rejected" in captured.out, "unreadable" in captured.err) == (
        code == 0,
        code == 1,
        code == 2,
    )


def test_the_replayer_runs_without_the_search(certificate, tmp_path, root):
    write_certificate(certificate, tmp_path / "c.json")
    code = (
        "import sys; from rgm_verify.balls.replay import replay; import json;"
        "assert replay(sys.argv[1]).accepted;"
        "print(json.dumps([m for m in sys.modules if m.startswith(('rgm_verify', 'sympy', 'mpmath', 'numpy'))]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "c.json")],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(json.loads(done.stdout)) == ["rgm_verify", "rgm_verify.balls", "rgm_verify.balls.replay"]


def test_the_example_by_hand_is_short_and_judges_alike(certificate, tmp_path, root):
    example = root / "examples" / "replay_by_hand.py"
    assert _lines_of_code(example.read_text(encoding="utf-8")) <= 50
    for kind, code in ((None, 0), ("another constant", 1), ("larger box", 1)):
        data = certificate.to_json()
        (tmp_path / "c.json").write_text(json.dumps(data if kind is None else _tampered(kind, data)))
        done = subprocess.run(
            [sys.executable, str(example), str(tmp_path / "c.json")], capture_output=True, check=False
        )
        assert done.returncode == code, done.stderr
        assert (b"rejected" in done.stderr) == (code == 1)


def _lines_of_code(source):
    """Count the lines that are not blank, an import or a docstring."""
    tree = ast.parse(source)
    skipped = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for line in range(node.lineno, node.end_lineno + 1)
    }
    return sum(bool(text.strip()) and number not in skipped for number, text in enumerate(source.splitlines(), 1))
