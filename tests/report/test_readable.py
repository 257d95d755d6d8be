"""Formulas for a terminal: no markup is left, and what is read is what is meant."""

from __future__ import annotations

from types import ModuleType

import pytest

from rgm_verify.report.texts.readable import FormulaFault, readable, readable_formula


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{\alpha \eta^{2}}{2 \gamma} \le \sqrt{x}", "(α η^2)/(2 γ) ≤ sqrt(x)"),
        (r"\frac{1}{\frac{a}{b} + 1}", "1/(a/b + 1)"),
        (r"\frac{a + b}{\sqrt{c}}", "(a + b)/sqrt(c)"),
        (r"x^{\frac{a}{b}} \left(c - d\right) e^{- x}", "x^(a/b) (c - d) e^(- x)"),
        (r"\left(a + b\right)^{2}", "(a + b)^2"),
        (r"\left(\frac{a}{b}\right)^{2}", "(a/b)^2"),
        (r"x_{1}^{2} + R_{\rm rel}", "x_1^2 + R_rel"),
        (r"\log{\left(x \right)}^{2} \not\le \overline{y}", "log(x)^2 ≰ y¯"),
        (r"\sqrt[3]{x} \cdot 2", "root(x, 3)·2"),
        (r"\sum_{j=1}^d \binom n\ell", "∑_(j = 1)^d (n choose ℓ)"),
        (r"\begin{cases} x & \text{for}\: x > 0 \\0 & \text{otherwise} \end{cases}", "{x for x > 0; 0 otherwise"),
        (r"\begin{aligned} & a \\ & \quad \le b \end{aligned}", "a ≤ b"),
        (r"\max\left(a, b\right)", "max(a, b)"),
        (r"a \in [0, \infty)", "a ∈ [0, ∞)"),
    ],
)
def test_a_formula_is_one_line_of_text(latex: str, text: str) -> None:
    assert readable_formula(latex) == text


def test_a_quotient_is_never_read_as_a_product() -> None:
    shown = {readable_formula(latex) for latex in (r"\frac{a}{b c}", r"\frac{a c}{b}", r"\frac{a}{b} c", "a b c")}
    assert len(shown) == 4


def test_words_stay_as_they_are() -> None:
    assert readable(r"For $x \ge 0$, it costs \$5 at most.") == "For x ≥ 0, it costs $5 at most."
    with pytest.raises(FormulaFault):
        readable(r"$\frac{1}$")


def test_every_construct_of_the_report_has_a_form(examples: ModuleType) -> None:
    for latex in examples.CONSTRUCTS:
        shown = readable_formula(latex)
        assert shown
        assert "\\" not in shown
        assert "  " not in shown
