"""Formulas: what people and SymPy write converts; what does not is refused, never shown raw."""

from __future__ import annotations

import re
from types import ModuleType
from xml.etree import ElementTree

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from rgm_verify.claims import At, printed
from rgm_verify.claims.written.rendering import expression_latex
from rgm_verify.report.texts.latex import FormulaFault, formula, segments, sentence, symbol_latex

_PIECES = st.sampled_from(
    [
        r"\frac{a}{b}",
        r"\alpha",
        "x_{1}",
        "^2",
        r"\left(",
        r"\right)",
        "{",
        "}",
        r"\le",
        "<",
        "&",
        r"\\",
        r"\foo",
        "$",
        "1",
        r"\text{a < b}",
        r"\sqrt",
        r"\begin{cases}",
        r"\end{cases}",
        " ",
        "_",
        "|",
        r"\operatorname{Var}",
        r"\big",
        "'",
        "#",
    ]
)


def _text(latex: str) -> str:
    return "".join(ElementTree.fromstring(str(formula(latex))).itertext())


def test_every_construct_converts_without_a_trace_of_latex(examples: ModuleType):
    for latex in examples.CONSTRUCTS:
        assert not re.search(r"[\\$&]", _text(latex)), latex


@given(st.lists(_PIECES, min_size=1, max_size=8))
def test_a_formula_converts_cleanly_or_is_refused(pieces):
    try:
        shown = formula("".join(pieces))
    except FormulaFault:
        return
    root = ElementTree.fromstring(str(shown))
    assert root.tag == "math"
    assert "\\" not in "".join(root.itertext())


_SETTING = (
    "href url style class cssId htmlId htmlClass htmlStyle htmlData color textcolor colorbox fcolorbox hspace rule "
    "kern raise genfrac above skew unicode tag"
).split()
_VALUES = ["javascript:alert(1)", "https://a.org", "color:red;position:fixed", "x onclick=alert(1)"]
_VALUES += ['" onload="a', "1em", "red", "a", "<b onclick='a'>"]
_PLAIN_ATTRIBUTES = frozenset(
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height largeop "
    "linethickness lspace mathcolor mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace "
    "scriptlevel separator stretchy symmetric voffset width".split()
)


@pytest.mark.parametrize("latex", [r"\unicode{c}", r"\unicode{color:red;position:fixed}{}z", r"x_{\unicode{x202e}}"])
def test_a_character_that_no_page_can_show_is_refused_by_its_number(latex: str):
    with pytest.raises(FormulaFault, match=r"U\+(000C|202E)"):
        formula(latex)


@given(
    st.sampled_from(_SETTING),
    st.lists(st.sampled_from(_VALUES), max_size=3),
    st.sampled_from(["z", "{z}", r"\frac{a}{b}", "", "^2"]),
    st.sampled_from(["{}", r"\text{{{}}}", "x_{{{}}}", r"\sqrt{{{}}}", r"\begin{{array}}{{c}} {} \end{{array}}"]),
)
def test_no_formula_sets_a_link_a_style_or_a_handler(command: str, values: list[str], rest: str, around: str):
    latex = around.format("\\" + command + "".join(f"{{{value}}}" for value in values) + rest)
    try:
        root = ElementTree.fromstring(str(formula(latex)))
    except FormulaFault:
        return
    for element in root.iter():
        assert set(element.attrib) <= _PLAIN_ATTRIBUTES
        assert not any(re.search(r"[:;()<>\"'=/]", value) for value in element.attrib.values())


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:alert(1)}{z}", r"\class{a}{z}", r"\style{position:fixed}{z}", r"\color{red;a}{z}",
        r"\fcolorbox{red}{blue}{z}", r"\rule{9em}{9em}",
    ],
)  # fmt: skip
def test_what_sets_more_than_a_formula_needs_is_refused(latex: str):
    with pytest.raises(FormulaFault, match=r"links, styles and classes .* are not rendered"):
        formula(latex)
    with pytest.raises(FormulaFault):
        sentence(f"See {latex} there")


@pytest.mark.parametrize(
    ("latex", "fault"),
    [
        (r"\def\a{x}\a", "may not define commands"),
        (r"\newcommand{\a}{\b\b}\a", "may not define commands"),
        (r"\let\a\b", "may not define commands"),
        ("{" * 5_000 + "x" + "}" * 5_000, "more than 60 braces"),
        (r"\left(" * 5_000 + "x" + r"\right)" * 5_000, "more than 60 braces"),
        (r"\begin{array}{c}" * 100 + "x" + r"\end{array}" * 100, "more than 60 braces"),
        (r"\frac" * 5_000, "the converter refuses it"),
        (r"\bar " * 5_000 + "x", "the converter refuses it"),
        ("x" * 100_001, "100001 characters long"),
    ],
)
def test_a_formula_without_bounds_is_refused(latex: str, fault: str):
    with pytest.raises(FormulaFault, match=fault):
        formula(latex)


def test_what_is_nested_as_people_write_it_converts():
    for level in range(1, 15):
        assert formula("\\sqrt{1 + " * level + "x" + "}" * level)
        assert formula("\\frac{1}{1 + \\left(" * level + "x" + "\\right)}" * level)


@given(st.text(max_size=60))
def test_a_sentence_is_well_formed_or_refused(text):
    try:
        shown = sentence(text)
    except FormulaFault:
        return
    if not re.search(r"[^\t\n\r -\ud7ff\ue000-\ufffd]", text):
        ElementTree.fromstring(f"<p>{shown}</p>")


@given(st.text(alphabet="ab <>&\"'", max_size=30))
def test_a_sentence_without_formulas_is_only_escaped(text):
    assert "".join(ElementTree.fromstring(f"<p>{sentence(text)}</p>").itertext()) == text


@pytest.mark.parametrize(
    ("latex", "fault"),
    [
        ("", "empty"),
        (r"\unheard{x}", "not understood"),
        ("{x", "never closed"),
        ("x}", "no opening"),
        (r"\frac{a}", "mfrac"),
        ("a & b", "stray"),
        (r"a \\ b", "line break"),
        (r"\begin{tikzpicture}x\end{tikzpicture}", "tikzpicture"),
        (r"\left( x", "converter"),
        ("x_1_2", "converter"),
        ("a$b", "dollar"),
    ],
)
def test_a_bad_formula_is_refused_with_what_is_wrong(latex: str, fault: str):
    with pytest.raises(FormulaFault, match=fault):
        formula(latex)


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"R_{\rm rel}", "Rrel"),
        (r"\operatorname{erfc}(x)", "erfc(x)"),
        (r"\mathcal{N}", "𝒩"),
        (r"\mathbf{x}", "𝐱"),
        (r"\boldsymbol{\theta}", "𝜽"),
        (r"a \not\le b", "a≰b"),
        (r"A \Longleftrightarrow B", "A⟺B"),
        (r"\Big\{x\Big\}", "{x}"),
        (r"a<b", "a<b"),
        (r"\text{<script>}", "<script>"),
    ],
)
def test_a_formula_shows_the_characters_that_are_meant(latex: str, text: str):
    assert _text(latex).replace("\u2061", "") == text


def test_what_sympy_writes_converts():
    x, y = sympy.symbols("x y", positive=True)
    n = sympy.Symbol("n", integer=True)
    gamma, clip = sympy.Symbol("gamma_2"), sympy.Symbol("R_rel")
    expressions = [
        sympy.erf(x) / sympy.sqrt(2 * sympy.pi),
        sympy.Piecewise((x, x > 1), (y, True)),
        sympy.Max(x, y) + sympy.Min(x, 1) * sympy.Abs(gamma),
        sympy.Integral(sympy.exp(-(x**2)), (x, 0, sympy.oo)),
        sympy.Sum(clip**n, (n, 0, sympy.oo)),
        sympy.floor(x) + sympy.ceiling(y) + sympy.binomial(n, 2) + sympy.gamma(x) + sympy.factorial(n),
        sympy.log(x) ** 2 * sympy.cosh(y) + sympy.uppergamma(x, y) + sympy.besseli(n, x) + sympy.I * sympy.E,
        sympy.Derivative(sympy.Function("f")(x), x),
        sympy.Rational(22, 7) * x ** sympy.Rational(3, 2),
        sympy.LambertW(x) + sympy.polygamma(1, x) + sympy.sign(x) + sympy.Heaviside(x),
    ]
    for expression in expressions:
        assert formula(expression_latex(expression))


def test_what_binds_a_variable_converts_and_shows_it() -> None:
    x, k = sympy.Symbol("x", real=True), sympy.Symbol("k", integer=True)
    slope = sympy.Derivative(sympy.log(x), (x, 3))
    shown = {
        slope: "d3dx3log(x)",
        At(slope, x, 1): "d3dx3log(x)|x=1",
        At(x + k, (x, k), (0, 1)): "k+x|x=0k=1",
        sympy.Sum(k**2, (k, 1, 4)): "∑k=14k2",
        sympy.Product(x + k, (k, 1, 3)): "∏k=13(k+x)",
        printed(lambda: x**2 / (x**2 / 2)): "x212x2",
    }
    for value, text in shown.items():
        root = ElementTree.fromstring(formula(expression_latex(value)))
        assert re.sub(r"\s", "", "".join(root.itertext())) == text


def test_names_of_functions_are_set_off_by_a_thin_space():
    assert str(formula(r"2\log x")).count("mspace") == 2
    assert "mspace" not in str(formula(r"\log(x)"))


def test_capital_greek_letters_stand_upright():
    assert '<mi mathvariant="normal">Γ</mi>' in str(formula(r"\Gamma(x)"))


def test_a_sentence_is_cut_at_its_dollar_signs():
    assert list(segments(r"for $x$ at \$5, $$y$$")) == [
        ("text", "for "), ("inline", "x"), ("text", " at $5, "), ("display", "y")
    ]  # fmt: skip


def test_a_command_outside_of_dollar_signs_is_a_formula():
    assert list(segments(r"at \eta_{1} = 1/2")) == [("text", "at "), ("inline", r"\eta_{1}"), ("text", " = 1/2")]


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("x", "x"),
        ("gamma_2", "γ_{2}"),
        ("lamda", "λ"),
        ("lambda", "λ"),
        ("sigma1", "σ_{1}"),
        ("R_rel", r"R_{\operatorname{rel}}"),
        (r"\tau", r"\tau"),
        ("rate", r"\operatorname{rate}"),
        ("epsilon", "ε"),
        ("Delta", "Δ"),
        ("Delta_1", "Δ_{1}"),
        ("sigma^2", "σ^{2}"),
        ("sigma_1^2", "σ_{1}^{2}"),
        ("a_1_2", "{a_{1}}_{2}"),
    ],
)
def test_a_name_becomes_a_symbol(name: str, latex: str):
    assert symbol_latex(name) == latex
    assert formula(latex)


@given(st.from_regex(r"[A-Za-z]{1,7}[0-9]{0,2}([_^][A-Za-z0-9]{1,4}){0,2}", fullmatch=True))
def test_every_plain_name_is_a_formula(name):
    assert "<math" in formula(symbol_latex(name))
