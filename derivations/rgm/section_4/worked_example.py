"""Section 4.1, after Corollary 1: the worked example eta = 1e-3, d = 10, delta = 1e-8, gamma = 100 eta^2.

The number that Corollary 1 gives there is computed with the chi of each version and compared with the print. It rounds
to 0.87 in both. The printed 0.86 is what is left without the summand chi, and it is nevertheless a valid guarantee:
the bound of Theorem 1, converted at a good order, is well below it.
"""

from rgm_verify.pages import *

page = Page("beyond", "Sec. 4.1, after Corollary 1")
ETA, DIMENSION, DELTA = Rational(1, 1000), Integer(10), Rational(1, 10**8)
GAMMA = 100 * ETA**2

#: chi of Corollary 1 in the example, by version.
chi_v1 = ETA**2 / GAMMA + ETA**2 * (2 + ETA) ** 2 * DIMENSION / 2
chi_v2 = ETA**2 / GAMMA + ETA**2 * (2 + ETA) ** 2 * (1 + ETA) ** 2 * DIMENSION


def corollary_1(chi: Expr) -> Expr:
    """The epsilon of Corollary 1 for a given chi, exactly."""
    return chi + 2 * sqrt(chi * log(1 / DELTA))


_alpha = page.real("alpha", "order at which Theorem 1 is converted, well inside its range", lower=2, upper=400)
_q = ETA * (2 + ETA)
#: Theorem 1 of version 2 at the example, and that converted to (epsilon, delta) at the order alpha.
_theorem_1 = named(
    r"\epsilon",
    _alpha * ETA**2 / (2 * GAMMA) * (1 + GAMMA * DIMENSION * (2 + ETA) ** 2 * (1 + ETA) ** 2) / (1 - _q * (_alpha - 1)),
)
converted = _theorem_1 + log(1 / DELTA) / (_alpha - 1)


def _printed(version: str, chi: Expr) -> Claim:
    return page.at("", f"A43.{version}", source=f"rgm-{version}").numeric(
        f"rgm-{version}:s4-worked-example",
        f"The number of the worked example, version {version[1]}",
        rounds_to(named(r"\epsilon", corollary_1(chi)), "0.86"),
        "In the example $\\epsilon$ is printed to two decimals.",
        printed=r"\epsilon \approx 0.86",
        reading="Printed to two decimals, so the value has to round to it; it is that of the corollary in the same version.",
        mistake=("misprint", f"rgm-{version}:s4-worked-example-corrected"),
        remark="0.86 is 2 sqrt(chi log(1/delta)) alone: the summand chi, about 0.01, was left out. The mechanism is (0.86, delta)-private all the "
        "same: `beyond:s4-worked-example-valid`.",
    )


printed_v1, printed_v2 = _printed("v1", chi_v1), _printed("v2", chi_v2)


def _corrected(version: str, chi: Expr, digits: str, control: str, other: Formula) -> Claim:
    return page.numeric(
        f"rgm-{version}:s4-worked-example-corrected",
        f"The number of the worked example, version {version[1]}, recomputed",
        rounds_to(named(r"\epsilon", corollary_1(chi)), digits),
        by=Points(),
        wrong={"the printed number": rounds_to(corollary_1(chi), "0.86"), control: other},
    )


corrected_v1 = _corrected(
    "v1", chi_v1, "0.869", "without the summand chi", rounds_to(corollary_1(chi_v1) - chi_v1, "0.869")
)
corrected_v2 = _corrected("v2", chi_v2, "0.870", "version 1's chi", rounds_to(corollary_1(chi_v1), "0.870"))

_root_v1, _root_v2 = (
    named(rf"2\sqrt{{\chi_{n}\log(1/\delta)}}", corollary_1(chi) - chi) for n, chi in ((1, chi_v1), (2, chi_v2))
)

without_chi = page.numeric(
    "beyond:s4-worked-example-without-chi",
    "Where the printed number comes from",
    chain(Rational(855, 1000), "<=", _root_v1, "<=", _root_v2, "<", Rational(865, 1000)),
    r"Without the summand $\chi$ the corollary of either version would round to the printed $0.86$.",
    by=Points(),
    wrong={
        "with the summand": rounds_to(corollary_1(chi_v1), "0.86"),
        "the versions in the other order": lt(corollary_1(chi_v2), corollary_1(chi_v1)),
    },
)


def _private(name: str, title: str, level: Rational, reading: str) -> Claim:
    return page.numeric(
        f"beyond:s4-worked-example-{name}",
        title,
        lt(converted, level),
        r"Theorem 1 of version 2 gives $\epsilon$ at some order, which is converted.",
        exists=True,
        given=Hypothesis("orders of Theorem 1", lt(_alpha, (1 + ETA) ** 2 / (2 * ETA + ETA**2)), "Theorem 1"),
        by=(Search(), Region()),
        wrong={"0.64": Rational(64, 100)},
        steps=(Step("Take Theorem 1 at one order.", "rgm-v2:theorem-1"), Step("Convert it.", "rgm:s4-conversion")),
        reading=reading,
    )


valid = _private(
    "valid",
    "The printed number is a valid guarantee all the same",
    Rational(86, 100),
    "The guarantee is about the mechanism, which is the same in both versions.",
)
still_private = _private(
    "optimised",
    "The example is a quarter more private than printed",
    Rational(66, 100),
    "The bound of Theorem 1 is taken as printed in version 2, with the conversion of the same section.",
)
