"""Texts that readers understand in different ways: their readings are shown, and no verdict is given."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rgm_verify.cli import main
from rgm_verify.statements.checking import read
from rgm_verify.statements.parser import parse
from rgm_verify.statements.tokens import DoubtfulReading, StatementError
from rgm_verify.statements.trees import text

DOUBTFUL = {
    # A name that may be a product: each reading as `check` writes it.
    "√(xy) ≤ (x+y)/2 for x,y ≥ 0": ("sqrt(x*y) <= (x + y)/2", "xy real"),
    "2uv <= u^2 + v^2": ("2*u*v <= u^2 + v^2", "uv real"),
    "(1+t)^m >= 1+mt for t >= -1, m natural": ("(1 + t)^m >= 1 + m*t", "mt real"),
    "x^2+y^2 >= 2xy for x, y real": ("x^2 + y^2 >= 2*x*y", "xy real"),
    "ab + bc + ca <= a^2 + b^2 + c^2": ("a*b + b*c + c*a <= a^2 + b^2 + c^2", "ab real"),
    "pq = qp": ("p*q = q*p", "pq real"),
    "a/bc = a/(b*c) for a,b,c > 0": ("a/(b*c) = a/(b*c)", "a/b*c = a/(b*c)", "bc real"),
    "1/xy^2 > 0 for x, y > 0": ("1/(x*y^2) > 0", "1/x*y^2 > 0", "xy real"),
    "2^xy > 0": ("2^(x*y) > 0", "2^x*y > 0", "xy real"),
    "x + y >= 2 for x, y > 0 given xy = 1": ("x*y = 1: x + y >= 2", "xy real"),
    "x + y >= 2 for x, y > 0, xy >= 1": ("x*y >= 1: x + y >= 2", "xy real"),
    "xyz <= 1 for x, y, z in [0,1]": ("x*y*z <= 1", "xyz real"),
    "abc >= 0": ("a*b*c >= 0", "abc real"),
    "sum(k, 1, 5, kx) >= 0": ("sum(k, 1, 5, k*x) >= 0", "kx real"),
    "x1x2 <= 1 for x1, x2 in [0, 1]": ("x1*x2 <= 1", "x1x2 real"),
    "x_1x_2 <= 1 for x_1, x_2 in [0, 1]": ("x_1*x_2 <= 1", "x_1x_2 real"),
    "x_1y <= 1": ("x_1*y <= 1", "x_1y real"),
    "sin(2pix) <= 1": ("sin(2*pi*x) <= 1", "pix real"),
    "2pir >= 0 for r > 0": ("2*pi*r >= 0", "pir real"),
    "epsilonx >= 0": ("epsilon*x >= 0", "epsilonx real"),
    "nlogn >= 0 for n natural": ("n*log(n) >= 0", "nlogn real"),
    "sinx <= 1": ("sin(x) <= 1", "sinx real"),
    "sqrt2 > 1": ("sqrt(2) > 1", "sqrt2 real"),
    "x2 + 1 >= 2*x": ("x^2 + 1 >= 2*x", "x2 real"),
    "2x3 >= 0 for x > 0": ("2*x^3 >= 0", "x3 real"),
    "x_1 = x1": ("x_1 real", "= x_1"),
    # A name that may be a number.
    "e^(i*pi) = -1": ("i real",),
    "E^x >= 1 + x": ("E real", "e^x >= 1 + x"),
    "harmonic(n) - log(n) >= gamma for n natural": ("gamma real",),
    "γ(x + 1) <= 2γ for x in [0, 1]": ("gamma*(x + 1)", "Gamma(x + 1)"),
    "gamma(x+1) > gamma for x > 0": ("gamma*(x + 1)", "Gamma(x + 1)"),
    "ε = ϵ": ("epsilon = epsilon", "epsilon = epsilon_2"),
    # Signs that are left out, or take more or less.
    "1/2x > 0 for x > 0": ("1/2*x > 0", "1/(2*x) > 0"),
    "a/2(b + 1) > 0 for a, b > 0": ("a/2*(b + 1) > 0", "a/(2*(b + 1)) > 0"),
    "x^2y >= 0": ("x^2*y >= 0", "x^(2*y) >= 0"),
    "e^2x >= 1 + 2x": ("e^2*x >= 1 + 2*x", "e^(2*x) >= 1 + 2*x"),
    "2^2n = 4^n for n natural": ("2^2*n = 4^n", "2^(2*n) = 4^n"),
    "e^-2x <= 1 for x >= 0": ("e^(-2)*x <= 1", "e^(-2*x) <= 1"),
    "e^-x^2/2 <= 1": ("e^(-x^2)/2 <= 1", "e^(-x^2/2) <= 1"),
    "x^1/2 >= 0 for x > 0": ("(x^1)/2 >= 0", "x^(1/2) >= 0"),
    "√2x >= 0 for x >= 0": ("sqrt(2)*x >= 0", "sqrt(2*x) >= 0"),
    "√x^2 = |x|": ("sqrt(x)^2 = abs(x)", "sqrt(x^2) = abs(x)"),
    "x²^3 = x^6": ("(x^2)^3 = x^6", "x^(2^3) = x^6"),
    "n!! >= 1 for n natural": ("factorial(factorial(n)) >= 1",),
    "3!=6": ("3 != 6", "factorial(3) = 6"),
    "a != b != c": ("a != b and b != c", "a != b and a != c and b != c"),
    "x +- 1 < x + 2": ("x - 1 < x + 2",),
    # Bars.
    "||x + y|| <= ||x|| + ||y||": ("abs(x + y) <= abs(x) + abs(y)",),
    "‖x‖ >= 0": ("abs(x) >= 0",),
    "||x||^2 = x^2": ("abs(x)^2 = x^2",),
    # Conditions, domains and quantifiers.
    "x > 2 implies x > 1 implies x > 0": (
        "if x > 2 then if x > 1 then x > 0", "(if x > 2 then x > 1) and (if x > 1 then x > 0)",
    ),
    "if x > 0 then x > 1 iff x^2 > 1": (
        "(if x > 0 then x > 1) iff x^2 > 1", "if x > 0 then (x > 1 iff x^2 > 1)",
    ),
    "x*y > 0 for x and y > 0": ("x real, y > 0", "x > 0, y > 0"),
    "x*y > 0 for 0 < x, y": ("0 < x, y real", "0 < x, 0 < y"),
    "(1+x)^n >= 1 + n*x for natural n, x >= -1": ("n integer >= 1, x >= -1:", "x integer >= 1"),
    "sum(k, 1, n, k) = n*(n+1)/2": ("n integer: ", "n real: "),
    "n! >= 2^(n-1) for n >= 1": ("n integer >= 1: ", "n in [1, infinity): "),
    "there is y with y > x": ("there is x real, y real",),
    "log(t) <= t - 1 for x > 0": ("t real, x > 0", "for all x > 0: log(x) <= x - 1"),
}  # fmt: skip


@pytest.mark.parametrize("statement", DOUBTFUL)
def test_a_doubtful_text_gets_its_readings_and_no_verdict(statement: str) -> None:
    shown = CliRunner().invoke(main, ["check", statement])
    assert (shown.exit_code, shown.stdout) == (2, "")
    result = CliRunner().invoke(main, ["check", "--json", statement])
    assert result.exit_code == 2
    (answer,) = json.loads(result.stdout)["answers"]
    assert answer["kind"] == "doubtful"
    assert "verdict" not in answer
    assert 1 <= answer["column"] <= len(statement)
    readings = [r["statement"] for r in answer["readings"]]
    assert len(readings) >= 2
    for wanted in DOUBTFUL[statement]:
        assert any(reading is not None and wanted in reading for reading in readings), (wanted, readings)
    for reading in readings:
        assert reading is None or reading in shown.stderr


@pytest.mark.parametrize("statement", DOUBTFUL)
def test_a_reading_can_be_given_back_and_is_read_in_one_way(statement: str) -> None:
    with pytest.raises(DoubtfulReading) as doubt:
        read(statement)
    given_back = [r.statement for r in doubt.value.readings if r.statement]
    assert given_back
    for reading in given_back:
        again = text(read(reading)[1].read_as)
        assert text(read(again)[1].read_as) == again


@pytest.mark.parametrize(
    ("statement", "understood"),
    [
        ("xy <= 1 for x, y, xy in [0, 1]", "x real, y real, xy real, x >= 0, x <= 1"),
        ("ab > 0 for a, b, ab > 0", "ab real, a > 0, b > 0, ab > 0"),
        ("xy >= 0 for xy real given xy > x", "x real, xy in (x, infinity): xy >= 0"),
        ("eps + risk >= eps for risk > 0", "eps real, risk > 0: eps + risk >= eps"),
        ("mu + xi_1 <= R_rel", "mu + xi_1 <= R_rel"),
        ("ε_1 + x0 > 0", "epsilon_1 + x0 > 0"),
        ("x1 + x2 > x for x > 0", "x1 + x2 > x"),
        ("sum(i, 1, 3, i) = 6", "sum(i, 1, 3, i) = 6"),
        ("i >= 1 for i natural", "i integer >= 1: i >= 1"),
        ("x²y >= 0", "x^2*y >= 0"),
        ("x^2 y >= 0", "x^2*y >= 0"),
        ("||x| - |y|| <= |x - y|", "abs(abs(x) - abs(y)) <= abs(x - y)"),
        ("| |x| | = |x|", "abs(abs(x)) = abs(x)"),
        ("x!=0 for x > 0", "x != 0"),
        ("2n! > 0 for n natural", "2*factorial(n) > 0"),
        ("2^3^2 = 512", "2^(3^2) = 512"),
        ("-x^2 <= 0", "-x^2 <= 0"),
        ("a/b*c > 0", "a/b*c > 0"),
        ("x > 0 or x < 1 and x > -1", "x > 0 or (x < 1 and x > -1)"),
        ("if x > 1 then (x > 0 iff x^2 > 0)", "if x > 1 then (x > 0 iff x^2 > 0)"),
        ("n >= 1 for n integer in [1, 20]", "n integer >= 1, n <= 20: n >= 1"),
        ("n < 5 for n, k natural in [1, 5), k < n", "n < 5"),
        ("n + m > 0 for integers n, m > 0", "n integer, m integer, n > 0, m > 0"),
    ],
)  # fmt: skip
def test_what_has_one_reading_is_read(statement: str, understood: str) -> None:
    shown = text(read(statement)[1].read_as)
    assert understood in shown
    assert parse(shown).says == parse(statement).says


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("0,5 < 1", "write 0.5 for a decimal"),
        ("1,000 > 10", "write 0.5 for a decimal and 1000 for a thousand"),
        ("max(1,000, 2) > 1", "does not begin with 0"),
        ("х > 0", "CYRILLIC SMALL LETTER HA"),
        ("ο > 0", "GREEK SMALL LETTER OMICRON"),
        ("x — 1 < x", "write - for minus"),
        ("ℓ > 0", "write l or ell"),
        ("x = ±1", "one for each sign"),
        ("x ≈ 1", "|x - y|"),
        ("x₁ > 0", "write x_1"),
        ("x = y for x > 0 for some y > 0", "one quantifier"),
        ("x = 1 for some x given y > 0", "no other clause"),
    ],
)
def test_what_is_not_read_is_named(statement: str, says: str) -> None:
    with pytest.raises(StatementError, match="column ") as refused:
        read(statement)
    assert says in refused.value.problem
    assert not isinstance(refused.value, DoubtfulReading)


def test_an_integral_over_a_singular_point_says_how_it_is_read() -> None:
    notes = read("integral(t, -1, 1, 1/sqrt(|t|)) = 4")[1].notes
    assert any("improper" in note and "from either side" in note for note in notes)
    assert not any("improper" in note for note in read("integral(t, -1, 1, exp(t)) > 2")[1].notes)
    shown = CliRunner().invoke(main, ["check", "--help"]).stdout
    assert "An integral is improper where it has to be" in " ".join(shown.split())


def test_a_letter_of_integers_without_a_sort_is_said_to_be_real() -> None:
    assert any("n runs through real numbers" in note for note in read("2^n >= n for n >= 1")[1].notes)
    assert not any("runs" in note for note in read("2^n >= n for n natural")[1].notes)
