r"""Section 4.2, Tightness: the second term of Theorem 1 against the exact value of the log term.

Both versions claim a factor $1/2$ in the limit of small $\eta$. The exact value is the supremum of the log term over all
ratios that Lemma 1 allows. At a fixed order it is the printed term times a factor that tends to $1/2$ in both versions,
with an explicit rate. The limit is not uniform in the order: near the end of the range version 1's term is too small and
version 2's too large by any factor.
"""

from ..notation import *
from ..output_pairs import WORST_NOISE, log_points

page = Page("rgm-v1", "Section 4.2", NOTATION)
_term_v1 = named("T", alpha * d / 2 * eta**2 * (2 + eta) ** 2)
_term_v2 = named("T", alpha * d * eta**2 * (2 + eta) ** 2 * (1 + eta) ** 2 / (2 * rho))
_k = real("k", lower=0, upper=1).symbol
_exact = d * largest_log_term
#: The log term is the divergence that is left when the two means agree.
_LOOKED_AT = by_outputs(_exact, Renyi(alpha), WORST_NOISE, log_points(), log_points()[:1])
_READING = (
    r"Tight up to a factor $1/2$: at a fixed order the exact supremum over the printed term tends to $1/2$ as $\eta \to 0$. "
    r"Judged with a rate: both factors around the exact value tend to $1/2$, since $\rho \to 1$ and $\eta(2+\eta) \to 0$."
)

tight_v1 = page.at("Tightness", "A63").remark(
    "rgm-v1:s4-tightness",
    "Version 1: the second term is tight up to a factor 1/2 for small eta",
    both(le((HALF - q / 3) * _term_v1, _exact), le(_exact, (HALF + (1 - rho) / (3 * rho)) * _term_v1)),
    "$T$ is the printed second term, and between its multiples is the exact log term.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Deduction(), *_LOOKED_AT),
    points={_k: (0, 1), alpha: 1 + _k / q},
    over=(ETA_V1,),
    wrong={
        "a factor 1/4 in the limit": le(_exact, (HALF**2 + (1 - rho) / (3 * rho)) * _term_v1),
        "a factor 3/4 in the limit": le((3 * HALF**2 - q / 3) * _term_v1, _exact),
        "1/2 at every order": le(_exact, HALF * _term_v1),
    },
    steps=(
        Step("The exact value is the log term at the smallest ratio.", "beyond:log-term-supremum"),
        Step("Its quotient by the printed term tends to one half.", Premise("beyond:log-term-rate")),
    ),
    reading=_READING,
)

tight_v2 = page.at("Tightness", "A64", source="rgm-v2").remark(
    "rgm-v2:s4-tightness",
    "Version 2: the second term is tight up to a factor 1/2 for small eta",
    both(le((HALF - q / 3) * rho / (1 + eta) ** 2 * _term_v2, _exact), le(_exact, HALF * _term_v2)),
    "$T$ is the printed second term, and between its multiples is the exact log term.",
    given=OPEN_RANGE_OF_ALPHA,
    by=(Deduction(), *_LOOKED_AT),
    points={_k: (0, 1), alpha: 1 + _k / q},
    wrong={
        "a factor 2/5": le(_exact, 2 * _term_v2 / 5),
        "1/2 at every order and every eta": le(HALF * _term_v2, _exact),
        "without rho": le((HALF - q / 3) / (1 + eta) ** 2 * _term_v2, _exact),
    },
    steps=(
        Step("The exact value is the log term at the smallest ratio.", "beyond:log-term-supremum"),
        Step(
            "From below: the rate of version 1's term, whose quotient by this one is known.",
            Premise("beyond:log-term-rate"),
        ),
        Step("From above: half of the term is enough at every order.", Premise("beyond:v2-log-term-at-least-twice")),
    ),
    reading=_READING,
)
