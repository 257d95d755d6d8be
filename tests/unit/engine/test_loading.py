"""A claims folder is code: it is executed within bounds, and what it prints is no answer."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rgm_verify.engine import discovery, loading
from rgm_verify.engine.discovery import load
from rgm_verify.engine.paper_file import ClaimsFolderError
from rgm_verify.errors import InputError, OutOfTime

Folder = Callable[..., Path]
Rgm = Callable[..., Result]
GOOD = "A = claim('p:a', ge(1 + x, 1), mutants=(Mutant('m', ge(x, 1)),))\n"
LOOP = "while True:\n    pass\n"


@pytest.fixture(autouse=True)
def _restored() -> Any:
    """Handler and timer are left as they were found."""
    before = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LOOP, r"bad\.py \(line 1[34]\)"),
        ("def f():\n    while True:\n        pass\nf()\n", r"bad\.py \(line 1[45]\)"),
        ("from .other import y\n", r"other\.py \(line 1[34]\)"),
        ("e = x\nfor _ in range(60):\n    e = sympy.expand((e + 1)**2)\n", r"bad\.py \(line 1[45]\)"),
    ],
)
def test_an_import_that_computes_without_an_end_is_stopped_and_its_line_named(
    folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    """Processor time decides: however long it takes by the clock."""
    monkeypatch.setenv(loading.VARIABLE, "0.2")
    monkeypatch.setattr(loading, "_WAITING", 10**6)
    result = rgm("list", "--claims", folder(bad=text, other=LOOP if "other" in text else "y = 1\n"), "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.search(words + ": importing the folder has computed for 0.2 s .* RGM_VERIFY_LOAD_SECONDS", result.stderr)


def test_an_import_that_waits_without_an_end_is_stopped_by_the_clock(
    folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(loading.VARIABLE, "10")
    monkeypatch.setattr(loading, "_WAITING", 0.02)
    monkeypatch.setattr(loading, "_TICK", 0.1)
    result = rgm("list", "--claims", folder(bad="import time\ntime.sleep(10**6)\n"))
    assert result.exit_code == 2
    assert re.search(r"bad\.py \(line 14\): importing the folder has taken .* without an end", result.stderr)


def test_what_is_being_imported_is_said_on_the_way(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(loading.VARIABLE, "60")
    monkeypatch.setattr(loading, "_TICK", 0.05)
    monkeypatch.setattr(loading, "_SAYING", 0.1)
    said: list[str] = []
    text = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end:\n    pass\n"
    assert list(load(folder(slow=text + GOOD), said.append).claims) == ["p:a"]
    assert said
    assert said[0].startswith("importing slow.py (line 1")


def test_a_file_that_catches_everything_is_ended(folder: Folder, tmp_path: Path) -> None:
    place = folder(
        bad="while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "rgm_verify.cli", "list", "--claims", place],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3]), loading.VARIABLE: "0.2"},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "bad.py (line 1" in done.stderr


def test_a_timer_that_was_running_goes_on(folder: Folder) -> None:
    handler = signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1_000, 7)
        load(folder(a=GOOD))
        remaining, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 0 < remaining <= 1_000
        assert interval == 7
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


def test_a_folder_is_loaded_from_another_thread_without_a_limit(folder: Folder) -> None:
    """Python interrupts the main thread only."""
    place, found = folder(a=GOOD), []
    thread = threading.Thread(target=lambda: found.append(list(load(place).claims)))
    thread.start()
    thread.join()
    assert found == [["p:a"]]


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "ten", "1e99"])
def test_a_limit_that_is_none_is_refused(folder: Folder, rgm: Rgm, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(loading.VARIABLE, text)
    result = rgm("list", "--claims", folder(a=GOOD))
    assert (result.exit_code, f"{loading.VARIABLE}={text!r}: a number of seconds" in result.stderr) == (2, True)


PRINTING = """
import os, sys
print("PRINTED")
sys.stdout.write("WRITTEN\\n")
sys.stdout.flush()
os.write(1, b"RAW\\n")
os.system("echo CHILD")
"""


@pytest.mark.parametrize("command", ["list", "run"])
def test_what_a_folder_prints_is_not_mixed_into_an_answer(
    folder: Folder, launch: Callable[..., subprocess.Popen[str]], command: str
) -> None:
    """Nor does it come once more from every worker."""
    more = ("--jobs", "2") if command == "run" else ()
    with launch(command, "--json", "--claims", folder(a=PRINTING + GOOD), *more) as process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    assert not any(word in out for word in ("PRINTED", "WRITTEN", "RAW", "CHILD"))
    assert (err.count("PRINTED"), err.count("WRITTEN")) == (1, 1)
    assert json.loads(out)


def test_what_a_check_or_a_chapter_prints_while_it_runs_is_not_mixed_in_either(
    folder: Folder, launch: Callable[..., subprocess.Popen[str]]
) -> None:
    text = """
    from rgm_verify.claims.chapter import Chapter, Paragraph
    def build(profile):
        print("PRINTED")
        return [Paragraph(text="text")]
    C = Chapter("c", "Title", "text", build)
    """
    with launch("run", "--claims", folder(a=GOOD, b=text), "--json") as process:
        out, err = process.communicate()
    assert json.loads(out)["counts"]
    assert ("PRINTED" in out, "PRINTED" in err) == (False, True)


@pytest.mark.parametrize("name", ["", ".", "x" * 5_000, "a\0b", "/etc/hostname", "round", "nothing/here"])
def test_a_place_that_is_no_folder_is_refused(rgm: Rgm, tmp_path: Path, name: str) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(ClaimsFolderError, match=r"not a folder|no claims found"):
        load(Path(name) if name in ("", ".") else tmp_path / name)


def test_names_are_looked_at_before_anything_is_executed(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    place = folder(a=f"open({str(tmp_path / 'executed')!r}, 'w').close()\n" + GOOD)
    (place / "z-not-a-name.py").write_text("")
    result = rgm("list", "--claims", place)
    assert (result.exit_code, "z-not-a-name.py" in result.stderr, "claims alone" in result.stderr) == (2, True, True)
    assert not (tmp_path / "executed").exists()


def test_what_is_no_file_is_not_waited_for(folder: Folder, rgm: Rgm) -> None:
    place = folder(a=GOOD)
    os.mkfifo(place / "pipe.py")
    assert "pipe.py: not a file that can be read" in rgm("list", "--claims", place).stderr
    (place / "pipe.py").unlink()
    (place / "pipe.py").symlink_to("pipe.py")
    assert "pipe.py: not a file that can be read" in rgm("list", "--claims", place).stderr
    (place / "pipe.py").unlink()
    (place / "circle").symlink_to(place)
    assert rgm("list", "--claims", place).exit_code == 0


def test_a_folder_of_everything_is_refused(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder(a=GOOD)
    for number in range(5):
        (place / f"text-{number}").touch()
    monkeypatch.setattr(discovery, "_MOST_ENTRIES", 4)
    with pytest.raises(InputError, match="more than 4 files and folders"):
        load(place)
    monkeypatch.setattr(discovery, "_MOST_ENTRIES", 100)
    monkeypatch.setattr(discovery, "_MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"a\.py: a file of claims has at most 10 bytes"):
        load(place)


DEEP, DIGITS = "a = " + "[" * 100_000, "a = " + "9" * 100_000


@pytest.mark.parametrize("name", ["paper.toml", "leans_on.toml"])
@pytest.mark.parametrize("kind", ["deep", "digits", "no text", "large", "folder", "pipe", "circle", "dangling"])
def test_a_file_beside_the_claims_that_cannot_be_read_is_refused_by_name(
    folder: Folder, rgm: Rgm, name: str, kind: str
) -> None:
    path = folder(a=GOOD) / name
    make: dict[str, Callable[[], Any]] = {
        "deep": lambda: path.write_text(DEEP),
        "digits": lambda: path.write_text(DIGITS),
        "no text": lambda: path.write_bytes(b"title = '\xff'"),
        "large": lambda: path.write_text("#" * 6_000_000),
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "circle": lambda: path.symlink_to(path),
        "dangling": lambda: path.symlink_to("nothing"),
    }
    make[kind]()
    result = rgm("list", "--claims", path.parent)
    assert (result.exit_code, result.stdout.split()) == (2, ["p:a", "p:a"])
    assert all(word in result.stderr for word in (f"{name}: ", "correct it, or remove it")), result.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("titel = 'T'", "'titel' is not known; allowed are title, inventory, order, sources and kinds"),
        ("kinds = 5", "kinds=5: expected a table"),
        ("[kinds]\nlemma = ['gone']", "kinds.lemma: 'gone': no entry of an inventory"),
        ("inventory = ['e']\n[kinds]\nlemma = ['e']\nremark = ['e']", "kinds.remark: 'e': it has a kind already"),
        ("order = ['b.py']", "order names 'b.py', which is no file of claims here; did you mean a.py?"),
        ("inventory = ['T1', 'T1']", "inventory names 'T1' twice"),
        ('title = "a\\u0000"', "holds U+0000"),
        ('inventory = ["\\u202e"]', "holds U+202E"),
        ("sources = ['a']", "expected a table [sources.NAME] with a title and an inventory"),
        ("[sources.a]\ntitle = 'A'", "sources.a: expected a table"),
        ("[sources.a]\ntitle = 1\ninventory = []", "sources.a: expected a table"),
        ("[sources.a]\ntitle = 'A'\ninventory = ['T1', 'T1']", "inventory names 'T1' twice"),
        ("inventory = ['T1']\n[sources.a]\ntitle = 'A'\ninventory = ['T1']", "'T1' is an entry of another source"),
        (
            "[sources.a]\ntitle = 'A'\ninventory = ['T1']\n[sources.b]\ntitle = 'B'\ninventory = ['T1']",
            "sources.b: 'T1' is an entry of another source",
        ),
    ],
)
def test_a_paper_file_that_says_something_else_is_refused(folder: Folder, rgm: Rgm, text: str, words: str) -> None:
    place = folder(a=GOOD)
    (place / "paper.toml").write_text(text)
    result = rgm("list", "--claims", place)
    assert (result.exit_code, "paper.toml: " in result.stderr, words in result.stderr) == (2, True, True), result.stderr


def test_a_report_is_not_written_to_a_link_to_nothing(folder: Folder, rgm: Rgm, tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    result = rgm("run", "--claims", folder(a=GOOD), "--out", tmp_path / "round")
    assert (result.exit_code, "not a writable folder" in result.stderr) == (2, True)
    assert not (tmp_path / ".rgm_verify").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[" * 100_000, "not a compact record"),
        (b'{"format":' + b'{"a":' * 100_000, "not a compact record"),
        (b"\xff", "not a compact record"),
        (b"{}", "not a compact record"),
    ],
)
def test_a_measured_record_that_cannot_be_read_is_refused(folder: Folder, rgm: Rgm, content: bytes, words: str) -> None:
    place = folder(a="from pathlib import Path\nM = Measured(Path(__file__).parent / 'm.json')\n" + GOOD)
    (place / "m.json").write_bytes(content)
    result = rgm("list", "--claims", place)
    assert (result.exit_code, "a.py (line 14)" in result.stderr, words in result.stderr) == (2, True, True)


@pytest.mark.parametrize("number", ["1e999999999", "1/1e9", "nan", "9" * 5_000, "1e99999"])
def test_a_measured_number_without_bounds_is_refused(folder: Folder, rgm: Rgm, number: str) -> None:
    record = Path(__file__).resolve().parents[3] / "derivations" / "experiments" / "measured" / "facts.json"
    data = json.loads(record.read_bytes())
    values = data["panels"][0]["methods"][0]["values"]
    first = next(iter(values))
    values[first] = [number, *values[first][1:]]
    place = folder(a="from pathlib import Path\nM = Measured(Path(__file__).parent / 'm.json')\n" + GOOD)
    (place / "m.json").write_text(json.dumps(data))
    result = rgm("list", "--claims", place)
    assert (result.exit_code, "expected a number, as in" in result.stderr) == (2, True), result.stderr


def test_a_pipe_for_a_measured_record_is_not_waited_for(folder: Folder, rgm: Rgm) -> None:
    place = folder(a="from pathlib import Path\nM = Measured(Path(__file__).parent / 'm.json')\n" + GOOD)
    os.mkfifo(place / "m.json")
    result = rgm("list", "--claims", place)
    assert (result.exit_code, "not a regular file" in result.stderr) == (2, True), result.stderr


def test_a_stop_that_takes_a_while_to_arrive_does_not_end_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large expression is taken apart between two ticks, or between fifty on a busy machine."""
    monkeypatch.setattr(loading.os, "_exit", lambda code: pytest.fail(f"ended with {code}"))
    watch = loading._Watch(tmp_path, 1e-9, lambda _: None)
    for _ in range(50):
        with pytest.raises(OutOfTime):
            watch(0, None)
    monkeypatch.setattr(loading, "_TICK", 0.0)
    with pytest.raises(pytest.fail.Exception, match="ended with 2"):
        watch(0, None)
