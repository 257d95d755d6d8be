r"""Sentences whose verdict depends on how they are read: the reading that is not taken elsewhere, judged as well.

Proposition 1 asks that $\tilde A \succcurlyeq \rho C$ "regardless of the dataset". Read for the datasets that can occur it fails (`rgm-v2:proposition-1`);
read to the letter, for every dataset whatever, it holds as printed, because $\rho C \preccurlyeq \mu_{reg}I$ then. "Generally much smaller" in Appendix B.2 is
read as "never larger" (`rgm:b2-relative-smoothness-smaller`); that it can be smaller by any factor is shown here, and that on the line it is not smaller at all.
"""

from ..clipping_notation import *

page = Page("rgm-v2", "App. B.2", CLIPPING_NOTATION)
_largest = page.positive("L_C", "largest eigenvalue of C")
_reg = page.positive("mu_reg", "regularization")
_POINTS = tuple(
    (
        nonnegative(f"X_{k}", f"squared norm of point {k}", latex=rf"\|{x}\|^2"),
        nonnegative(f"U_{k}", "its squared norm after A^-1", latex=rf"\|A^{{-1}}{x}\|^2"),
        nonnegative(f"V_{k}", "its squared norm after C^-1", latex=rf"\|C^{{-1}}{x}\|^2"),
        nonnegative(f"s_{k}", "its part of the change", latex=rf"\|{x}{x}^\top A^{{-1}}\nabla f\|"),
    )
    for k, x in ((1, "x"), (2, "x'"))
)
_rest = page.nonnegative("w", "at $A^{-1}b$", latex=r"\|\nabla f_0-\nabla f_0'\|")
_difference = page.nonnegative("D", "n times the distance of the two gradients", latex=r"(n\|\nabla f-\nabla f'\|)")
_nabla = page.nonnegative("G", "norm of the gradient", latex=r"\|\nabla f\|")
_SYMBOLS = tuple(page.declare(*point) for point in _POINTS)
(_x1, _u1, _v1, _s1), (_x2, _u2, _v2, _s2) = _SYMBOLS
_COVERED = Hypothesis(
    "the regularization covers rho C", le(level * _largest, _reg), "the dataset of zeros has $A = \\mu_{reg}I$"
)
_EACH = tuple(
    hypothesis
    for k, (x, u, v, s) in enumerate(_SYMBOLS, start=1)
    for hypothesis in (
        Hypothesis(f"A >= mu_reg, point {k}", le(_reg**2 * u, x), "$|x| = |Au| \\ge \\mu_{reg}|u|$"),
        Hypothesis(f"C <= L_C, point {k}", le(x, _largest**2 * v), "$|x| = |Cv| \\le L_C|v|$"),
        Hypothesis(f"point {k} is clipped", le(x * v, radius**4), "§5.3"),
        Hypothesis(f"point {k}, by the operator norm", le(s**2, x * u * _nabla**2), "v2 (11)"),
    )
)
_PRINTED = 6 * radius**4 * _nabla**2 + 3 * level**2 * _rest**2
_root = positive("u", "square root of U").symbol

every_dataset = page.elsewhere("§5.3, Proposition 1", "P1.1").proposition(
    "rgm-v2:proposition-1-every-dataset",
    "Proposition 1, read for every dataset whatever",
    le(level**2 * _difference**2, _PRINTED),
    "For every dataset, that of zeros included.",
    printed=r"\|\nabla f-\nabla f'\|^2\le\frac{6R_c^4}{\rho^2n^2}\|\nabla f\|^2+\frac3{n^2}\|\nabla f_0-\nabla f_0'\|^2",
    given=(_COVERED, *_EACH, Hypothesis("triangle inequality", le(_difference, _s1 + _s2 + _rest), "v2 (10)")),
    by=combination(
        *(
            term
            for x, u, v, s in _SYMBOLS
            for term in (
                (3 * _nabla**2, radius**4 - x * v),
                (3 * level**2, x * u * _nabla**2 - s**2),
                (3 * _nabla**2 * x / _largest**2, _largest**2 * v - x),
                (3 * _nabla**2 * x / _largest**2, x - _reg**2 * u),
                (3 * _nabla**2 * x * u / _largest**2, _reg - level * _largest, _reg + level * _largest),
            )
        ),
        (level**2, (_s1 - _s2) ** 2),
        (level**2, (_s1 - _rest) ** 2),
        (level**2, (_s2 - _rest) ** 2),
        (level**2, _s1 + _s2 + _rest - _difference, _s1 + _s2 + _rest + _difference),
    ),
    points={
        **dict.fromkeys((level, _root, _nabla), (0, 4)),
        **{_largest: (0, 4, _largest**2), _reg: level * _largest**2, radius: level * _largest * _root},
        **dict.fromkeys((_x1, _x2), (level * _largest**2 * _root**2) ** 2),
        **dict.fromkeys((_u1, _u2), _root**4),
        **dict.fromkeys((_v1, _v2), level**2 * _root**4),
        **dict.fromkeys((_s1, _s2), level * _largest**2 * _root**4 * _nabla),
        _difference: 2 * level * _largest**2 * _root**4 * _nabla + _rest,
    },
    wrong={"3 for 6": _PRINTED - 3 * radius**4 * _nabla**2, "1 for 3": _PRINTED - 2 * level**2 * _rest**2},
    steps=("beyond:proposition-1-all-datasets", "beyond:all-datasets-means-regularization"),
    reading=r"Regardless of the dataset: to the letter. The dataset of zeros has $A = \mu_{reg}I$, so that $\rho C \preccurlyeq \mu_{reg}I$ and $\rho L_C \le \mu_{reg}$; A and C need not commute. Read for the datasets that can occur the statement is refuted: rgm-v2:proposition-1.",
    remark=r"Nothing is gained in this reading: the constant is then no better than that of the regularization alone (beyond:proposition-1-all-datasets), $\rho$ is known to be at most $\mu_{reg}/L_C$ (beyond:all-datasets-means-regularization), and the test of Proposition 2 has nothing to test.",
)

# Two orthogonal records of lengths p and q, in the plane: f has the curvatures p^2/2 and q^2/2, each record one of them doubled.
_p = page.positive("p", "length of record 1")
_q = page.positive("q", "length of record 2")
_k = page.positive("k", "a factor")

any_factor = page.at("after v1 (57), after v2 (62)", "G.5b", source="rgm-v1+v2").remark(
    "rgm:b2-relative-smoothness-by-any-factor",
    "Relative smoothness can be smaller than the condition number by any factor",
    both(
        eq(named(r"L_{rel,1}", printed(lambda: _p**2 / (_p**2 / 2))), 2),
        eq(named(r"L_{rel,2}", printed(lambda: _q**2 / (_q**2 / 2))), 2),
        ge(named(r"L/\mu", _p**2 / (_q**2 / 2)), 2 * _k),
    ),
    "For two orthogonal records of lengths p and q, without regularization.",
    given=Hypothesis("records of different length", ge(_p**2, _k * _q**2)),
    points={_p: (0, 4, _p * _q), _q: (0, 4), _k: (0, 1, _k * _p**2)},
    wrong={"4k times": ge(_p**2 / (_q**2 / 2), 4 * _k), "records of any length": without()},
    reading=r"Generally much smaller: by any factor, for some datasets. On the line it is not smaller at all for the longest record (beyond:b2-relative-smoothness-on-the-line), and for a record outside of the dataset it need not be (beyond:outside-record); that it is never larger is rgm:b2-relative-smoothness-smaller.",
)

_mean = (_p**2 + _q**2) / 2

on_the_line = page.at("after v1 (57), after v2 (62)", source="beyond").remark(
    "beyond:b2-relative-smoothness-on-the-line",
    "On the line relative smoothness is the condition number",
    eq(named("L_{rel}", _p**2 / _mean), named(r"L/\mu", Max(_p**2, _q**2) / _mean)),
    "In dimension 1, for the longer one of two records.",
    given=Hypothesis("the longer record", ge(_p, _q)),
    by=Smt(),
    points={_q: (0, 4), _p: (0, 4, _q + _p)},
    wrong={
        "half of it": Max(_p**2, _q**2) / (2 * _mean),
        "the shorter record": changed(hypotheses=(Hypothesis("the shorter record", ge(_q, _p)),)),
    },
    steps=Step("Never larger.", "rgm:b2-relative-smoothness-smaller"),
    reading=r"$L$ is the largest curvature of a record, $\mu$ that of the mean, which is the only one there is.",
)
