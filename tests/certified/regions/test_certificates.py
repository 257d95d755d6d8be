"""A certificate survives its file, and the replayer accepts the real one and nothing else."""

from __future__ import annotations

import ast
import contextlib
import copy
import hashlib
import json
import math
import os
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.balls.branch import certify
from rgm_verify.balls.certificate import Certificate, write_certificate
from rgm_verify.balls.replay import UnreadableCertificate, main, replay
from rgm_verify.claims import Chart, Claim, Hypothesis, gt, le, lt, natural, positive, real
from rgm_verify.claims.evidence import Kind
from rgm_verify.claims.written.trees import inequality_on_box
from rgm_verify.errors import InputError
from rgm_verify.lenses import Region
from rgm_verify.lenses.base import Context

r, c = sympy.symbols("r c", real=True)
BOX = {"r": (Fraction(101, 100), Fraction(3)), "c": (Fraction(-1, 2), Fraction(1, 2))}
CLAIM = (r - 1 - sympy.log(r) - c * (r - 1) ** 2) * (1 + c) / (2 + r)
LIMIT = sympy.Rational(1, 5) - c


def certified(expression, box, *, hypotheses=(), strict=False, **settings):
    """The search, about the statement that the expression is not negative on the box."""
    about = inequality_on_box("test:inequality", expression, box, hypotheses=hypotheses, strict=strict)
    return certify(expression, box, hypotheses=hypotheses, strict=strict, subject=about, **settings)


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    """A certificate whose tree holds every kind of leaf."""
    found = certified(CLAIM, BOX, hypotheses=[LIMIT]).certificate
    assert found is not None
    assert set(found.tree) == set("01DMa")
    return found


def rehashed(data):
    """Return the document with the hash of its content, as a forger would leave it."""
    content = {key: value for key, value in data.items() if key != "sha256"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**content, "sha256": hashlib.sha256(text.encode()).hexdigest()}


def test_a_certificate_survives_its_file(certificate, tmp_path):
    path = tmp_path / certificate.file_name()
    write_certificate(certificate, path)
    assert json.loads(path.read_text()) == certificate.to_json()
    assert list(tmp_path.iterdir()) == [path]
    assert replay(path).accepted


def test_the_same_inputs_give_the_same_bytes(certificate, tmp_path):
    again = certified(CLAIM, BOX, hypotheses=[LIMIT]).certificate
    for name, one in (("a", certificate), ("b", again)):
        write_certificate(one, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_failed_write_leaves_nothing_behind(certificate, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "in_the_way").touch()
    with pytest.raises(InputError, match="folder"):
        write_certificate(certificate, tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_truncated_file_is_unreadable(certificate, tmp_path):
    path = tmp_path / "c.json"
    write_certificate(certificate, path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(UnreadableCertificate, match=r"c\.json: not a whole JSON document"):
        replay(path)


def _flips(tree, old, new):
    """The tree with one leaf changed, for each of at most about 40 leaves from its beginning to its end."""
    places = [k for k, node in enumerate(tree) if node == old]
    return [tree[:k] + new + tree[k + 1 :] for k in places[:: math.ceil(len(places) / 40)]]


@pytest.mark.parametrize(("old", "new"), [("M", "D"), ("M", "a"), ("D", "a"), ("a", "D"), ("a", "M")])
def test_no_leaf_can_borrow_another_reason(certificate, old, new):
    trees = _flips(certificate.tree, old, new)
    assert trees
    verdicts = [replay(rehashed({**certificate.to_json(), "tree": tree})).accepted for tree in trees]
    # A few excluded boxes lie where the claim holds as well: there the other reason is a proof too.
    assert not all(verdicts) if old == "a" else not any(verdicts)


def _tampered(kind, data):
    """Return a forged document; its hash is made right again, so only the mathematics can give it away."""
    data = copy.deepcopy(data)
    tree, text = data["tree"], json.dumps(data["statement"])
    if kind == "larger box":
        data["box"][0] = ["1/2", data["box"][0][1]]
    elif kind == "shifted box":
        data["box"][0] = [str(Fraction(end) * 3) for end in data["box"][0]]
    elif kind == "swapped axes":
        data["box"].reverse()
    elif kind == "another constant":
        data["statement"]["conclusion"][2] = "1"
    elif kind == "another operation":
        data["statement"] = json.loads(text.replace('"log"', '"exp"'))
    elif kind == "no cuts":
        data["cuts"] = []
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
        "no cuts",
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
    found = certified(r + c, {"r": (Fraction(0), Fraction(1)), "c": (Fraction(0), Fraction(1))}).certificate
    assert found is not None
    assert replay(found.to_json()).accepted
    above = {**found.to_json()["statement"], "conclusion": [">", *found.to_json()["statement"]["conclusion"][1:]]}
    result = replay(rehashed({**found.to_json(), "statement": above}))
    assert not result.accepted
    assert "leaf" in result.reason


def test_a_changed_document_with_its_old_hash_is_rejected(certificate):
    result = replay({**certificate.to_json(), "bits": 65})
    assert not result.accepted
    assert result.reason.startswith("sha256=")


@pytest.mark.parametrize(
    "change",
    [
        {"gradient": []},
        {"format": "other"},
        {"format": "rgm-region-certificate/0"},
        {"statement": []},
        {"map": None},
        {"cuts": ["0"]},
        {"cuts": [1]},
        {"cuts": [True]},
        {"cuts": [0] * 27},
        {"box": [["2", "1"], ["0", "1"]]},
        {"box": [["0", "1"]]},
        {"names": ["r", "r"]},
        {"names": ["r", "q"]},
        {"bits": True},
        {"claim": ""},
        {"box": [["0", "inf"], ["0", "1"]]},
        {"bits": 1},
    ],
)
def test_a_document_outside_the_format_is_unreadable(certificate, change):
    with pytest.raises(UnreadableCertificate):
        replay(rehashed({**certificate.to_json(), **change}))


def test_a_missing_field_is_named(certificate):
    data = certificate.to_json()
    del data["bits"]
    with pytest.raises(UnreadableCertificate, match="bits: must be"):
        replay(data)


# ------------------------------------------------------------------------------------- the statement and the box

t = sympy.Symbol("t", real=True)
P = positive("p")
p = P.symbol
CHART = Chart({t: (0, 1)}, {p: t / (1 - t)}, {t: p / (1 + p)})


def judged(conclusion, *, variables=(P,), given=(), lens=None, **rest):
    """The document that a run keeps of a claim."""
    hypotheses = tuple(Hypothesis(f"h{k}", formula) for k, formula in enumerate(given))
    claim = Claim("test:claim", "t", "s", "w", "lemma", variables=variables, hypotheses=hypotheses,
                  conclusion=conclusion, **rest)  # fmt: skip
    context = Context()
    (found,) = (lens or Region()).run(claim, context)
    assert found.kind is Kind.REGION_CERTIFICATE, found.summary
    ((_, data),) = context.certificates.items()
    return copy.deepcopy(data)


@pytest.fixture
def charted(charted_once):
    return copy.deepcopy(charted_once)


@pytest.fixture(scope="module")
def charted_once():
    """A certificate with a chart, a factor and a hypothesis."""
    lens = Region(chart=CHART, target=1 - t + t**2, factor=1 / (1 - t))
    return judged(gt(1 + p, p / (1 + p)), given=(le(p**2, 5 + p),), lens=lens)


@pytest.fixture
def plain():
    """A certificate without a chart: log(1 + x) < x + 1/10 on [0, 1]."""
    x = real("x", lower=0, upper=1)
    return judged(lt(sympy.log(1 + x.symbol), x.symbol + sympy.Rational(1, 10)), variables=(x,))


def test_an_accepted_certificate_says_what_it_certifies(charted):
    result = replay(charted)
    assert result.accepted, result.reason
    assert result.claim == "test:claim"
    assert result.statement == "for all real p with p > 0, p^2 <= 5 + p: 1 + p > p/(1 + p)"
    assert result.box == "t in [0, 1]"
    assert result.chart == "p = t/(1 - t); back: t = p/(1 + p)"
    assert "1 + t^2 - t > 0 in the whole box where p^2 <= 5 + p; times the factor 1/(1 - t)" in result.proved
    text = "\n".join(result.lines())
    assert "accepted" in text
    assert text.count("not checked:") == 1


BROKEN = {
    "another map": lambda d: d["map"]["variables"].update(p=["var", "t"]),
    "another inverse": lambda d: d["map"]["inverse"].update(t=["var", "p"]),
    "another factor": lambda d: d["map"].update(factor="2"),
    "a negative factor": lambda d: d["map"].update(factor="-1"),
    "another target": lambda d: d["map"].update(target="1"),
    "no target": lambda d: d["map"].update(target=None, factor=None),
    "another conclusion": lambda d: d["statement"].update(conclusion=[">", ["var", "p"], "0"]),
    "a conclusion that is off by little": lambda d: d["statement"]["conclusion"].__setitem__(
        2, ["add", d["statement"]["conclusion"][2], ["mul", "1/1000000000000", ["var", "p"]]]
    ),
    "a hypothesis that admits more": lambda d: (
        d["statement"].update(hypotheses=[["<=", ["var", "p"], "1"]]),
        d.update(box=[["0", "1/2"]]),
        d["statement"]["hypotheses"].__setitem__(0, ["<=", ["var", "p"], "2"]),
    ),
    "a smaller box": lambda d: d.update(box=[["0", "1/2"]]),
    "a box smaller by little": lambda d: d.update(box=[["0", "73/100"]]),
    "a larger domain": lambda d: d["statement"]["variables"][0].__setitem__(2, []),
    "a shorter tree": lambda d: d.update(tree=d["tree"][:-1]),
    "a longer tree": lambda d: d.update(tree=d["tree"] + "D"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_whatever_is_replaced_is_rejected_with_a_fresh_hash(charted, kind):
    BROKEN[kind](charted)
    result = replay(rehashed(charted))
    assert not result.accepted
    assert result.reason


def test_a_false_statement_does_not_pass_by_a_negative_factor(charted):
    """1 + p < p/(1 + p) is minus the factor times the target that is proved."""
    conclusion = charted["statement"]["conclusion"]
    charted["statement"]["conclusion"] = ["<", *conclusion[1:]]
    charted["map"]["factor"] = ["mul", "-1", charted["map"]["factor"]]
    assert "was not shown to be positive" in replay(rehashed(charted)).reason


def test_a_statement_that_is_undefined_in_the_box_is_rejected(plain):
    plain["statement"]["conclusion"][1] = ["log", ["add", "-2", ["var", "x"]]]
    assert "leaf 1 ('D') is not proved" in replay(rehashed({**plain, "tree": "D"})).reason


def test_an_inverse_that_stays_in_the_box_has_to_be_the_inverse(charted):
    charted["map"]["inverse"]["t"] = "1/2"
    assert replay(rehashed(charted)).reason.startswith("the chart's maps do not invert its inverse at p")


def test_the_old_hash_and_another_file_name_are_rejected(plain, tmp_path):
    name = f"test--claim--{plain['sha256'][:12]}.json"
    (tmp_path / name).write_text(json.dumps(plain))
    assert replay(tmp_path / name).accepted
    for change in ({"claim": "test:other"}, {"tree": "0DD"}, {"bits": 65}):
        assert replay({**plain, **change}).reason.startswith("sha256=")
        (tmp_path / name).write_text(json.dumps(rehashed({**plain, **change})))
        assert "the file is named" in replay(tmp_path / name).reason
    other = rehashed({**plain, "claim": "test:other"})
    for wrong in ("c.json", f"test--claim--{other['sha256'][:12]}.json"):
        (tmp_path / wrong).write_text(json.dumps(other))
        assert "it certifies the claim test:other" in replay(tmp_path / wrong).reason


@pytest.mark.parametrize("box", [["0", "1/2"], ["1/1000000", "1"], ["0", "999999/1000000"], ["5", "6"], ["1/2", "1/2"]])
def test_a_box_that_leaves_points_out_is_rejected(plain, box):
    result = replay(rehashed({**plain, "box": [box], "tree": "D"}))
    assert not result.accepted
    assert "the box was not shown to cover the statement" in result.reason


def test_integers_and_existence_are_read_as_such():
    n = natural("n", upper=5)
    data = judged(le(n.symbol**2, 30), variables=(n,))
    assert replay(data).statement == "for all integer n with n >= 1, n <= 5: n^2 <= 30"
    assert not replay(rehashed({**data, "box": [["1", "4"]], "tree": "D"})).accepted
    x = real("x", lower=0, upper=1)
    data = judged(gt(x.symbol, 2), variables=(x,), quantifier="exists")
    found = replay(data)
    assert found.accepted
    assert found.statement == "there are real x with x >= 0, x <= 1 and x > 2"
    assert found.proved.endswith("refutes the statement")
    forall = {**data["statement"], "quantifier": "forall"}
    assert not replay(rehashed({**data, "statement": forall})).accepted


def test_a_claim_without_variables_has_one_leaf():
    data = judged(lt(sympy.pi, sympy.Rational(22, 7)), variables=())
    assert replay(data).statement == "pi < 22/7"
    false = {**data["statement"], "conclusion": ["<", ["pi"], "3"]}
    assert replay(rehashed({**data, "statement": false})).reason.startswith("leaf 1 ('D') is not proved")


def deep(levels):
    tree = ["var", "x"]
    for _ in range(levels):
        tree = ["exp", tree]
    return tree


HOSTILE = {
    "depth": lambda d: d["statement"].update(conclusion=["<", deep(101), "1"]),
    "great depth": lambda d: d["statement"].update(conclusion=["<", deep(90_000), "1"]),
    "digits": lambda d: d["statement"].update(conclusion=["<", ["var", "x"], "1" * 5_000]),
    "digits of the box": lambda d: d.update(box=[["0", "1" * 5_000]]),
    "exponent of the box": lambda d: d.update(box=[["0", "1e999999999"]]),
    "exponent": lambda d: d["statement"].update(conclusion=["<", ["pow", ["var", "x"], "10000000"], "1"]),
    "root": lambda d: d["statement"].update(conclusion=["<", ["pow", ["var", "x"], "1/10000000"], "1"]),
    "division by zero": lambda d: d["statement"].update(conclusion=["<", ["var", "x"], "1/0"]),
    "logarithm remainder": lambda d: d["statement"].update(
        conclusion=["<", ["logrem", "500", "400", ["var", "x"]], "1"]
    ),
    "nodes": lambda d: d["statement"].update(conclusion=["<", ["add", *["1"] * 20_000], "1"]),
    "operations that take long": lambda d: d["statement"].update(
        conclusion=["<", ["add", *[["gamma", ["var", "x"]]] * 201], "1"]
    ),
    "precision": lambda d: d.update(bits=10**6),
    "nodes of the search": lambda d: d.update(tree="D" * 10_000_001),
    "name": lambda d: d.update(names=["\x1b[2J"]),
    "claim": lambda d: d.update(claim="\x1b[2J"),
    "names that are lists": lambda d: d.update(names=[[]]),
    "an end of a domain that is undefined": lambda d: d["statement"]["variables"][0].__setitem__(
        2, [["<=", ["var", "x"], ["log", "0"]]]
    ),
    "an end of another variable": lambda d: d["statement"]["variables"][0].__setitem__(2, [["<=", ["var", "y"], "1"]]),
    "foreign variable": lambda d: d["statement"].update(conclusion=["<", ["var", "y"], "1"]),
    "foreign function": lambda d: d["statement"].update(conclusion=["<", ["__class__", "1"], "1"]),
    "no conclusion": lambda d: d["statement"].update(conclusion=[]),
    "no variables": lambda d: d["statement"].update(variables=[]),
    "quantifier": lambda d: d["statement"].update(quantifier=[]),
    "cuts": lambda d: d.update(cuts=[[]]),
    "an equation": lambda d: d["statement"]["conclusion"].__setitem__(0, "=="),
    "map": lambda d: d.update(map={"variables": 1, "inverse": 2, "factor": 3, "target": 4}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_document_is_refused_with_a_message(plain, kind):
    HOSTILE[kind](plain)
    with pytest.raises(UnreadableCertificate) as refused:
        replay(plain if "depth" in kind else rehashed(plain))
    assert 10 < len(str(refused.value)) < 400


def places(document, path=()):
    """Every path to a part of a document."""
    if path:
        yield path
    parts = document.items() if isinstance(document, dict) else enumerate(document)
    for key, part in parts if isinstance(document, dict | list) else ():
        yield from places(part, (*path, key)) if isinstance(part, dict | list) else [(*path, key)]


ODD = [None, 0, -1, 2.5, True, "", "1/0", "-1/3", "1e9", "\ud800", [], {}, ["var", "x"], ["log", "0"]]
ODD += [["pow", "0", "-1"], ["gamma", "-2"], ["and"], ["<=", "1", "2"], ["logrem", "1", "2", "-1"], 10**30]


@settings(max_examples=300)
@given(st.data())
def test_no_change_of_a_document_is_more_than_a_refusal(charted_once, data):
    document = copy.deepcopy(charted_once)
    place = data.draw(st.sampled_from(sorted(places(document), key=str)))
    inner = document
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = data.draw(st.sampled_from(ODD))
    with contextlib.suppress(UnicodeEncodeError):
        document = rehashed(document)
    with contextlib.suppress(UnreadableCertificate):
        replay(document).lines()


def test_a_tree_that_halves_without_end_is_rejected(plain):
    result = replay(rehashed({**plain, "tree": "0" * 500 + "D" * 501}))
    assert not result.accepted
    assert "is halved more than 64 times" in result.reason


def test_what_is_no_regular_file_is_unreadable(tmp_path, capsys):
    """A pipe without a writer would be waited for, for ever."""
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(UnreadableCertificate, match="not a regular file"):
            replay(place)
    (tmp_path / "round").symlink_to(tmp_path / "round")
    for place in (tmp_path / "round", tmp_path / "nothing", tmp_path):
        assert main([str(place)]) == 2
        assert str(place) in capsys.readouterr().err


def test_a_file_of_many_parts_is_refused_before_it_takes_the_memory(tmp_path):
    (tmp_path / "c.json").write_text("[" + "[]," * 1_000_001 + "[]]")
    with pytest.raises(UnreadableCertificate, match="commas and brackets"):
        replay(tmp_path / "c.json")


def test_a_replay_that_takes_too_long_stops_without_an_answer_and_says_how_far_it_is(plain):
    """A limit of no time at all is met at the first look; the same document without a limit is accepted."""
    assert replay(plain).accepted
    with pytest.raises(UnreadableCertificate, match=r"not finished within 0 s .*neither accepted nor rejected"):
        replay(plain, seconds=0)
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rgm_verify.balls.replay.SAYING", -1)
        assert replay(plain, say=said.append).accepted
    assert said
    assert "0 leaves proved again" in said[0]


@pytest.mark.parametrize(
    ("words", "code"), [([], 2), (["f", "1", "2"], 2), (["f", "0"], 2), (["f", "1e3"], 2), (["f", "-1"], 2)]
)
def test_the_command_takes_a_file_and_seconds(words, code, capsys):
    assert main(words) == code
    assert "usage" in capsys.readouterr().err


def test_a_file_nested_without_end_is_unreadable(tmp_path):
    (tmp_path / "c.json").write_text("[" * 200_000)
    with pytest.raises(UnreadableCertificate):
        replay(tmp_path / "c.json")


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_format_says_how_to_get_the_new_one(plain, version):
    with pytest.raises(UnreadableCertificate, match="does not rest on its statement alone; judge the claim again"):
        replay({**plain, "format": f"rgm-region-certificate/{version}"})


def test_a_certificate_without_a_claim_cannot_be_written():
    found = certify(r**2, {"r": (Fraction(0), Fraction(1))}).certificate
    assert found is not None
    with pytest.raises(ValueError, match="names its claim"):
        found.to_json()


numbers = st.fractions(min_value=-3, max_value=3, max_denominator=12).map(
    lambda q: sympy.Rational(q.numerator, q.denominator)
)
small_expressions = st.recursive(
    st.one_of(numbers, st.sampled_from([r, c])),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(sum),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        inner.map(sympy.exp),
        st.tuples(inner, st.integers(2, 4)).map(lambda pair: pair[0] ** pair[1]),
    ),
    max_leaves=6,
)


@settings(max_examples=40)
@given(small_expressions, numbers, st.booleans())
def test_what_the_search_certifies_is_accepted_and_what_fails_in_a_corner_is_not(expression, shift, strict):
    box = {"r": (Fraction(-1, 3), Fraction(1)), "c": (Fraction(0), Fraction(1, 2))}
    found = certified(expression + shift, box, strict=strict, maximum_boxes=300).certificate
    if found is None:
        return
    data = found.to_json()
    result = replay(data)
    assert result.accepted, result.reason
    op, left, right = data["statement"]["conclusion"]
    there = sympy.Rational(str(sympy.N((expression + shift).subs({r: 1, c: sympy.Rational(1, 2)}), 30)))
    # Less than nothing in the corner (1, 1/2), by a share as well: a millionth is not seen beside exp(exp(exp(2))).
    smaller = ["add", left, str(-there - abs(there) / 10**6 - sympy.Rational(1, 10**6))]
    less = {**data["statement"], "conclusion": [op, smaller, right]}
    assert not replay(rehashed({**data, "statement": less})).accepted


@pytest.mark.parametrize(("kind", "code"), [(None, 0), ("another constant", 1), ("truncated", 2), ("absent", 2)])
def test_the_command_says_accepted_rejected_or_unreadable(certificate, tmp_path, capsys, kind, code):
    path = tmp_path / certificate.file_name()
    data = certificate.to_json()
    text = json.dumps(data if kind in (None, "truncated", "absent") else _tampered(kind, data))
    if kind != "absent":
        path.write_text(text[:-9] if kind == "truncated" else text)
    assert main([str(path)]) == code
    captured = capsys.readouterr()
    assert ("accepted:" in captured.out, "REJECTED:" in captured.out, "unreadable" in captured.err) == (
        code == 0,
        code == 1,
        code == 2,
    )


def test_the_replayer_runs_without_the_search(certificate, tmp_path, root):
    path = tmp_path / certificate.file_name()
    write_certificate(certificate, path)
    code = (
        "import sys; from rgm_verify.balls.replay import replay; import json;"
        "assert replay(sys.argv[1]).accepted;"
        "print(json.dumps([m for m in sys.modules if m.startswith(('rgm_verify', 'sympy', 'mpmath', 'numpy'))]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    parts = ("algebra", "evaluation", "functions", "statement")
    names = ("replay", "replaying", *(f"replaying.{part}" for part in parts))
    own = [f"rgm_verify.balls.{name}" for name in names]
    shown = ["rgm_verify.errors", "rgm_verify.numbers", "rgm_verify.numbers.shown"]  # for notebooks
    assert sorted(json.loads(done.stdout)) == sorted(["rgm_verify", "rgm_verify.balls", *own, *shown])


def test_the_example_by_hand_is_short_and_judges_alike(certificate, tmp_path, root):
    example = root / "examples" / "replay_by_hand.py"
    assert _lines_of_code(example.read_text(encoding="utf-8")) <= 55
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
