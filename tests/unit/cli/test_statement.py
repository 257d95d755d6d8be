"""A page to sign: it says what the certificate proves, and only where that is proved."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner

from rgm_verify.cli import main


def run(*words):
    return CliRunner().invoke(main, [*map(str, words)])


@pytest.fixture
def certificate(tmp_path):
    file = tmp_path / "proof.json"
    words = ["--noise-multiplier", 4, "--steps", 3, "--delta", "1e-6", "--adjacency", "add-or-remove-one"]
    assert run("account", "gaussian", *words, "--certificate", file).exit_code == 0
    return file


def test_the_page_has_what_was_run_what_is_assumed_and_both_ends(certificate, tmp_path):
    page = tmp_path / "page.html"
    assert run("replay", certificate, "--statement", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    for part in ("Gaussian noise, releases: 3, noise multiplier 4", "add-or-remove-one", "exact noise and random bits"):
        assert part in text
    assert hashlib.sha256(certificate.read_bytes()).hexdigest() in text
    assert "<script" not in text
    # Each number is on the side that stays true, and has four digits.
    data = json.loads(certificate.read_text(encoding="utf-8"))
    upper, lower = (float(Fraction(data[end])) for end in ("upper", "lower"))
    stated = float(re.search(r"With epsilon = ([\d.]+)", text)[1])
    needed = float(re.search(r"no epsilon below ([\d.]+)", text)[1])
    assert upper <= stated <= upper * 1.001
    assert lower * 0.999 <= needed <= lower


def test_what_is_not_proved_gets_no_page(certificate, tmp_path):
    data = json.loads(certificate.read_text(encoding="utf-8"))
    certificate.write_text(json.dumps({**data, "upper": data["lower"]}), encoding="utf-8")
    page = tmp_path / "page.html"
    assert run("replay", certificate, "--statement", page).exit_code == 1
    assert not page.exists()


def test_a_page_is_of_an_accounting_number(tmp_path):
    file = tmp_path / "other.json"
    file.write_text("{}", encoding="utf-8")
    found = run("replay", file, "--statement", tmp_path / "page.html")
    assert found.exit_code == 2
    assert "--statement goes with the certificate of an accounting number" in found.stderr


def test_a_place_that_cannot_be_written_is_named(certificate):
    place = certificate / "page.html"
    found = run("replay", certificate, "--statement", place)
    assert found.exit_code == 2
    assert str(place) in found.stderr
