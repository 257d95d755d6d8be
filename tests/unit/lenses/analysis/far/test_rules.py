"""Rules of the search one by one: each proves true statements, and no false one beside them.

The false ones miss by a small constant, leave the domain of the rule, or have a point without a value.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rgm_verify.claims import Relation
from rgm_verify.lenses.analysis.asymptotics.cancelling import without_cancelling
from rgm_verify.lenses.analysis.asymptotics.growth import NotKnown, growth, limit
from rgm_verify.lenses.analysis.rules.distances import ordered_integers
from rgm_verify.lenses.analysis.rules.far import bounds_beyond
from rgm_verify.lenses.analysis.rules.known_integrals import known_integral
from rgm_verify.lenses.analysis.rules.means import by_means
from rgm_verify.lenses.analysis.rules.radicals import conjugate
from rgm_verify.lenses.analysis.rules.segments import holds_on_segment
from rgm_verify.lenses.analysis.rules.steps import end_value, fall
from rgm_verify.lenses.analysis.univariate import Open, Signs

X = sympy.Symbol("x", real=True)
FAR = sympy.Symbol("x", positive=True)


SEGMENTS = [
    "e(0,1) d(0,1) m(0,inf) | (1 - e)**m <= d | m >= log(1/d)/e",
    "n{1} d(0,1) s(0,inf) | 2*exp(-2*n*s**2) <= d | s >= sqrt(log(2/d)/(2*n))",
]
NOT_SEGMENTS = [
    "e(0,1) d(0,1) m(0,inf) | (1 - e)**m <= d | m >= 99*log(1/d)/(100*e)",
    "e(0,1) d(0,1) m(0,inf) | (1 - e)**m <= d | m <= log(1/d)/e",
    "n{1} d(0,1) s(0,inf) | 2*exp(-2*n*s**2) < d | s >= sqrt(log(2/d)/(2*n))",
]
RADICALS = [
    "x[0,inf) | erfc(x/sqrt(2)) >= 2*sqrt(2/pi)*exp(-x**2/2)/(x + sqrt(x**2 + 4))",
    "x[-1,1] | acos(x)/pi >= 439*(1 - x)/1000",
]
NOT_RADICALS = [
    "x[0,inf) | erfc(x) <= 2*exp(-x**2)/(sqrt(pi)*(x + sqrt(x**2 + 4/3)))",
    "x[0,inf) | erfc(x/sqrt(2)) >= 2*sqrt(2/pi)*exp(-x**2/2)/(x + sqrt(x**2 + 399/100))",
    "x[-1,1] | acos(x)/pi >= 440*(1 - x)/1000",
    "x[-1,2] | acos(x)/pi >= 439*(1 - x)/1000",
]
FAR_OUT = [
    "x[0,inf) | sin(x) <= x*(2 + cos(x))/3",
    "x | x*(1 + erf(x/sqrt(2)))/2 >= -17/100",
    "x | (1 + erf(x/sqrt(2)))/2 - 1/(1 + exp(-1702*x/1000)) <= 1/100",
]
NOT_FAR_OUT = [
    "x | sin(x) <= x*(2 + cos(x))/3",
    "x | x*(1 + erf(x/sqrt(2)))/2 >= -1699/10000",
    "x | (1 + erf(x/sqrt(2)))/2 - 1/(1 + exp(-1702*x/1000)) <= 9/1000",
    "x | (2*x + 3*sin(2*x))**2 >= 9*(x**2 + 3*sin(x)**2)/25",
]
MEANS = [
    "p(0,1) q(0,1) a[0,1] | p**a*q**(1 - a) + (1 - p)**a*(1 - q)**(1 - a) <= 1",
    "a(1,inf) l(0,inf) m(0,inf) | l**a*m**(1 - a) >= a*l + (1 - a)*m",
    "a[0,1] x(-1,inf) | (1 + x)**a <= 1 + a*x",
]
NOT_MEANS = [
    "p(0,1) q(0,1) a[0,101/100] | p**a*q**(1 - a) + (1 - p)**a*(1 - q)**(1 - a) <= 1",
    "a(0,inf) l(0,inf) m(0,inf) | l**a*m**(1 - a) >= a*l + (1 - a)*m",
    "a[0,2] x(-1,inf) | (1 + x)**a <= 1 + a*x",
    "a[0,1] x(-1,inf) | (1 + x)**a < 1 + a*x",
]
SERIES = [
    "n{1} | Sum(1/(n + k), (k, 1, n)) <= log(2)",
    "n{1} | Sum(1/(sqrt(k) + sqrt(k + 1)), (k, 1, n)) == sqrt(n + 1) - 1",
    "n{1} | Sum(1/k**2, (k, 1, n)) <= 2 - 1/n",
]
NOT_SERIES = [
    "n{1} | Sum(1/(n + k), (k, 1, n)) <= 69/100",
    "n{1} | Sum(1/(sqrt(k) + sqrt(k + 1)), (k, 1, n)) == sqrt(n + 1) - 99/100",
    "a[0,1] n{1} | Sum(a**k, (k, 1, n)) <= a/(1 - a)",
    "n{1} | Sum(1/(n + k), (k, 0, n)) <= log(2)",
]
INDUCTION = [
    "n{1} m{1} | Product(1 - k/m, (k, 1, n - 1)) <= exp(-n*(n - 1)/(2*m)) | n <= m",
    "n{1} m{1} | binomial(n, m) <= (E*n/m)**m | m <= n",
    "n{2} m{1} | binomial(n, m) <= n**n/(m**m*(n - m)**(n - m)) | m < n",
]
NOT_INDUCTION = [
    "n{1} m{1} | Product(1 - k/m, (k, 1, n - 1)) <= exp(-n**2/(2*m)) | n <= m",
    "n{1} m{1} | binomial(n, m) <= (2*n/m)**m | m <= n",
    # A hypothesis that ties or narrows the integer would leave out steps of the induction.
    "n{1} m{1} | 2**n <= 2*m | n == m",
    "n{1} m{1} | Sum(k, (k, 1, n)) <= 3*m | n == m",
    "n{1} | Sum(k, (k, 1, n)) <= 5*n | n >= 3",
    "n{1} m{1} | factorial(n) <= m**n | n >= m",
]
STEPS = [
    "n{1} | harmonic(n) >= log(n) + EulerGamma + 1/(2*n + 2/5)",
    "x(0,inf) | digamma(x) <= log(x) - 1/(2*x)",
    "x(0,inf) | loggamma(x) <= (x - 1/2)*log(x) - x + log(2*pi)/2 + 1/(12*x)",
    "n{1} | factorial(n) >= sqrt(2*pi*n)*(n/E)**n*exp(1/(12*n + 1))",
    "n{1} | (1 - 1/n)**n <= exp(-1)",
]
NOT_STEPS = [
    "n{1} | harmonic(n) >= log(n) + EulerGamma + 1/(2*n + 33/100)",
    "n{1} | harmonic(n) <= log(n) + EulerGamma + 1/(2*n + 17/50)",
    "x(0,inf) | digamma(x) <= log(x) - 51/(100*x)",
    "x(0,inf) | loggamma(x) <= (x - 1/2)*log(x) - x + log(2*pi)/2 + 1/(13*x)",
    "n{1} | factorial(n) >= sqrt(2*pi*n)*(n/E)**n*exp(1/(12*n))",
    "n{1} | (1 - 1/n)**n <= exp(-1) - 1/1000",
    "x(-1,inf) | digamma(x) <= log(x) - 1/(2*x)",
]
INTEGRALS = [
    "a{0} b{0} | Integral(t**a*(1 - t)**b, (t, 0, 1)) == factorial(a)*factorial(b)/factorial(a + b + 1)",
]
NOT_INTEGRALS = [
    "a{0} b{0} | Integral(t**a*(1 - t)**b, (t, 0, 1)) == factorial(a)*factorial(b)/factorial(a + b)",
]


@pytest.mark.parametrize(
    "line", [*SEGMENTS, *RADICALS, *FAR_OUT, *MEANS, *SERIES, *INDUCTION, *STEPS, *INTEGRALS]
)  # fmt: skip
def test_a_true_statement_is_proved(line, proved):
    assert proved(line)


@pytest.mark.parametrize(
    "line",
    [*NOT_SEGMENTS, *NOT_RADICALS, *NOT_FAR_OUT, *NOT_MEANS, *NOT_SERIES, *NOT_INDUCTION, *NOT_STEPS, *NOT_INTEGRALS],
)
def test_a_false_statement_beside_it_is_not(line, proved):
    assert not proved(line)


def test_an_affine_assumption_holds_between_two_places_where_it_does():
    y = sympy.Symbol("y", real=True)

    def asked(relation):
        return relation.gap.is_positive if relation.strict else relation.gap.is_nonnegative

    above = Relation(X, ">=", y)
    assert holds_on_segment(above, X, y, asked, closed=True)
    assert not holds_on_segment(Relation(X, ">", y), X, y, asked, closed=True)
    assert holds_on_segment(Relation(X, ">", y), X, y, asked, closed=False)
    # Below the edge, not affine, or undefined between the two places.
    assert not holds_on_segment(above, X, y - 1, asked, closed=True)
    assert not holds_on_segment(Relation(X**2, ">=", y**2), X, -y, asked, closed=True)
    assert not holds_on_segment(Relation(1 / X, ">=", y), X, 1 / y, asked, closed=True)


_WHOLE = st.integers(-4, 4)


@given(a=_WHOLE, b=_WHOLE, c=_WHOLE, d=st.integers(1, 9), place=st.integers(-30, 30))
def test_a_conjugate_times_a_function_is_its_norm(a, b, c, d, place):
    f = a + b * X + c * sympy.sqrt(X**2 + d)
    found = conjugate(f, X)
    if c == 0:
        assert found is None
    elif found is not None:
        at = sympy.Rational(place, 7)
        norm, other = (e.subs(X, at) for e in found)
        assert sympy.expand(f.subs(X, at) * other - norm) == 0


@given(a=_WHOLE, b=_WHOLE, d=st.integers(1, 9))
@settings(max_examples=25)
def test_signs_with_a_square_root_are_those_at_exact_points(a, b, d):
    f = a + b * X + sympy.sqrt(X**2 + d)
    try:
        pattern = Signs(X).pattern(f, Open(Fraction(-5), Fraction(5)))
    except NotKnown:
        return
    for k in range(-39, 40):
        place = Fraction(k, 8) + Fraction(1, 1000)
        left = [r for r in pattern.roots if r.upper < place]
        if any(r.lower <= place <= r.upper for r in pattern.roots):
            continue
        value = sympy.sign(f.subs(X, sympy.Rational(place.numerator, place.denominator)))
        assert value == pattern.signs[len(left)]


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (sympy.sqrt(FAR**2 + 3 * FAR) - FAR, sympy.Rational(3, 2)),
        (FAR * (sympy.sqrt(FAR**2 + 4) - FAR), 2),
        (FAR * sympy.erf(-FAR) + FAR + 2, 2),
        (FAR - FAR**2 / (FAR + 1), 1),
        ((FAR + sympy.Rational(3, 2)) * (sympy.log(FAR + 1) - sympy.log(FAR + 2)), -1),
    ],
)
def test_limits_of_sums_whose_largest_terms_cancel(form, value):
    assert sympy.simplify(limit(form, FAR) - value) == 0


def test_another_form_of_a_sum_is_equal_to_it():
    for form in (sympy.sqrt(FAR + 1) - sympy.sqrt(FAR), 1 - sympy.erf(2 * FAR), (FAR + 1) ** 2 - FAR**2):
        others = list(without_cancelling(form, FAR))
        assert others
        for above, below in others:
            assert abs((above / below - form).subs(FAR, sympy.Rational(7, 3)).evalf(40)) < sympy.Rational(1, 10**30)


def test_growth_after_cancelling_has_a_leading_term():
    found = growth(sympy.sqrt(FAR**2 + 1) - FAR, FAR)
    assert (found.coefficient, found.power) == (sympy.Rational(1, 2), -1)


@pytest.mark.parametrize(
    "form",
    [
        sympy.exp(-X) * (2 + sympy.sin(X)), sympy.erf(X) - sympy.erfc(X), 1 / (1 + X**2) - sympy.tanh(X),
        sympy.sqrt(X) * sympy.cos(X) / X, sympy.atan(X) / (3 + sympy.log(X)), (X - 3) ** 2 / X**3,
    ],
)  # fmt: skip
def test_bounds_far_out_hold_at_points(form):
    low, high = bounds_beyond(form, X, Fraction(4))
    for place in (4, 5, sympy.Rational(31, 7), 40, 1000):
        value = form.subs(X, place).evalf(40)
        assert low == -math.inf or value >= sympy.Rational(low)
        assert high == math.inf or value <= sympy.Rational(high)


def test_nothing_is_bounded_without_a_rule():
    for form in (sympy.gamma(X), 1 / sympy.sin(X), X ** sympy.Symbol("y")):
        with pytest.raises(NotKnown):
            bounds_beyond(form, X, Fraction(4))


@given(
    a=st.fractions(-3, 3, max_denominator=6), u=st.integers(1, 9), v=st.integers(1, 9), sign=st.sampled_from((1, -1))
)
def test_a_weighted_sum_bounds_a_product_of_powers(a, u, v, sign):
    base, other, power = (sympy.Symbol(name, positive=True) for name in "uva")
    weight = sympy.Rational(a.numerator, a.denominator)

    def asked(relation):
        gap = relation.gap.xreplace({power: weight})
        return gap.is_positive if relation.strict else gap.is_nonnegative

    term = sign * base**power * other ** (1 - power)
    found = by_means(term, lambda r: bool(asked(r)))
    if found is not None:
        values = {base: u, other: v, power: weight}
        assert (term.subs(values) - found.subs(values)).evalf(40) >= -sympy.Rational(1, 10**30)
    inside = 0 <= weight <= 1
    assert (found is not None) == (inside or sign > 0)


def test_what_falls_from_step_to_step_is_a_closed_form():
    psi = [sympy.polygamma(order, FAR) for order in (0, 1, 2, 3)]
    for f in (sympy.loggamma(2 * FAR + 1), *psi, sympy.harmonic(FAR)):
        step = fall(f, FAR)
        at = sympy.Rational(9, 4)
        assert abs((f.subs(FAR, at) - f.subs(FAR, at + 1) - step.subs(FAR, at)).evalf(40)) < sympy.Rational(1, 10**30)
    assert fall(FAR * sympy.loggamma(FAR), FAR) is None
    assert fall(sympy.polygamma(FAR, FAR), FAR) is None
    assert fall(sympy.log(FAR), FAR) is None


def test_a_limit_below_zero_is_no_end():
    def sign(e):
        return 1 if e.is_positive else -1 if e.is_negative else None

    assert end_value(sympy.harmonic(FAR) - sympy.log(FAR) - sympy.EulerGamma, FAR, sign) == 0
    below = end_value(sympy.harmonic(FAR) - sympy.log(FAR) - sympy.Rational(3, 5), FAR, sign)
    assert below == sympy.EulerGamma - sympy.Rational(3, 5) < 0
    assert end_value(sympy.log(FAR) - 2 * sympy.harmonic(FAR), FAR, sign) == -sympy.oo


@pytest.mark.parametrize(
    ("integrand", "end"),
    [
        ("1/sqrt(t*(1 - t))", 1), ("t**2*sqrt(1 - t)", 1), ("t*log(t)**2", 1), ("(-log(t))**3", 1),
        ("log(1 - t)/t", 1), ("log(t)/(1 - t)", 1), ("log(1 + t)/t", 1), ("t**(5/2)*exp(-3*t)", sympy.oo),
        ("t/(exp(t) - 1)", sympy.oo), ("t**3/(exp(t) + 1)", sympy.oo),
    ],
)  # fmt: skip
def test_known_integrals_agree_with_quadrature(integrand, end):
    t = sympy.Symbol("t", real=True)
    f = sympy.sympify(integrand, locals={"t": t})
    found = known_integral(sympy.Integral(f, (t, 0, end)), lambda r: bool(r.gap > 0))
    assert found is not None
    import mpmath

    with mpmath.workdps(30):
        value, error = mpmath.quad(
            sympy.lambdify(t, f, "mpmath"),
            [0, mpmath.mpf(1) / 2, 1] if end == 1 else [0, 1, 20, mpmath.inf],
            error=True,
        )
        assert abs(value - mpmath.mpf(str(found[0].evalf(30)))) <= max(error, mpmath.mpf(10) ** -12)


@pytest.mark.parametrize(
    "integrand",
    [
        "1/t", "t**(-3/2)*(1 - t)", "exp(t)", "log(1 - t)/t**2", "sin(t)/(1 - t)", "t**(1 - t)", "t*(1 - t)**(1 - t)",
        # The last two diverge.
        "t**(-log(t))", "(-log(t))**(-log(t))", "(-log(t))**(1 - log(t))",
    ],
)  # fmt: skip
def test_an_integral_that_no_theorem_gives_has_no_value(integrand):
    t = sympy.Symbol("t", real=True)
    f = sympy.sympify(integrand, locals={"t": t})

    # Whatever is asked is granted: it is the form that has to be refused, but where a condition is wrong.
    def granted(r):
        return r.gap.free_symbols != set() or bool(r.gap > 0)

    assert known_integral(sympy.Integral(f, (t, 0, 1)), granted) is None


def test_ordered_integers_by_their_distance(claim):
    (moved,) = ordered_integers(
        claim("n{1} m{1} | binomial(n, m) >= 1 | m < n"), claim("n{1} m{1} | n >= m").conclusion
    )
    _, _, large, value = moved
    assert large.name == "n"
    assert sorted(s.name for s in value.free_symbols) == ["distance", "m"]
    for line in ("n{1} m{1} | n >= 1 | n == m", "n{1} m{1} | n >= 1 | m <= 2*n", "x[0,inf) y[0,inf) | x >= 0 | x <= y"):
        assert not list(ordered_integers(claim(line), claim("n{1} | n >= 1").conclusion))
