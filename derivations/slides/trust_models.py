r"""Section 3: central and local privacy, federated averaging, and the error of an average in the two models."""

from .composition import _E1, _E2, _d2, _p1, _p2, _q1, _q2, page as _composition
from .notation import *
from .releases import ALL_MESSAGES, MESSAGES, of_two_steps, same

page = Page("slides", "§3, Trust models", NOTATION, _composition)

_others = page.nonnegative("r", "density of the messages of the other parties")
_mine = page.nonnegative("p_k", "density of the messages of party k under D")
_mine_q = page.nonnegative("q_k", "the same under D'")

models = page.at("Central DP versus local DP", "S34").definition(
    "slides:central-and-local",
    "Local privacy in terms of all messages",
    eq(excess(_others * _mine, _others * _mine_q), _others * excess(_mine, _mine_q)),
    r"Neighbours differ in the data of one party, and the messages of all others have the same law. Integrated, the divergence of all messages is that of the messages of this party: if each party runs an $(\epsilon,\delta)$-private algorithm, all messages together are $(\epsilon,\delta)$-private, and so is whatever a server makes of them.",
    outputs=same(ALL_MESSAGES, MESSAGES, E, _others, _mine, _mine_q),
    by=Smt(),
    wrong={"the others twice": _others**2 * excess(_mine, _mine_q), "level 0": _others * excess(_mine, _mine_q, Integer(1))},
    steps=(integrated(), "slides:post-processing"),
    reading="Of a definition it is asked what it comes to. Messages are sent once; with several rounds the statement is about each of them, and composition follows.",
)  # fmt: skip

_Et = page.real("E_t", "e to the level of the rounds so far", lower=1)
_En = page.real("E_1'", "e to the level of a round", lower=1)
_dr = page.nonnegative("d_r", "delta of a round", latex=r"\delta")
_ROUND = Hypothesis(
    "the aggregation of a round is private after every history", le(_p2, _En * _q2 + _dr), "DP aggregation"
)

federated = page.at("A key functionality for FL: DP aggregation", "S35").remark(
    "slides:private-federated-learning",
    "Private aggregation and composition give private federated learning",
    le(_p1 * _p2, _Et * _En * _q1 * _q2 + excess(_p1, _q1, _Et) + _dr * _p1),
    r"The model that comes back in a round is a function of the data and of what was published before: what a party keeps for itself is such a function as well. So $T$ rounds have the level $T\epsilon$ and the failure probability $T\delta$.",
    outputs=of_two_steps((_Et, _p1, _q1), (_En, _p2, _q2), _dr, lambda one, two: one + two),
    given=_ROUND,
    by=Deduction((Premise("slides:two-adaptive-steps", {_E1: _Et, _E2: _En, _d2: _dr}),)),
    wrong={
        "without the failures of a round": _Et * _En * _q1 * _q2 + excess(_p1, _q1, _Et),
        "without the failures so far": _Et * _En * _q1 * _q2 + _dr * _p1,
        "rounds are not private": without(),
    },
    steps=(Step("Rounds are composed one by one.", "slides:simple-composition"), "slides:advanced-composition"),
    reading=r"What is observed are the averages that are sent back. If the server sees the messages $\theta_k$, these have to be protected, by local noise or by a protocol.",
)  # fmt: skip

_c = page.positive("c", "noise for sensitivity 1 at the given guarantee")
_x = page.real("x", "value of a party", lower=0, upper=1)
_y = page.real("y", "another value of the same party", lower=0, upper=1)
_central = named(r"\mathrm{RMSE}_{\mathrm{central}}", _c / K)
_local = page.nonnegative("e", "error of the average of the local messages", latex=r"\mathrm{RMSE}_{\mathrm{local}}")
_ADD = Hypothesis("variances of independent noises add up", eq((K * _local) ** 2, K * _c**2), "local DP")

error = page.at("A key functionality for FL: DP aggregation", "S36").remark(
    "slides:local-error",
    "The error of local privacy",
    both(eq(_local, sqrt(K) * _central), le((_x - _y) / K, 1 / K)),
    r"A party moves the average by at most $\frac1K$, and its own message by at most 1. So the central noise has the deviation $\frac cK$, and each local noise the deviation $c$.",
    given=_ADD,
    by=Smt(),
    points={K: (1, 50), _c: (0, 4), _x: (0, 1), _y: (0, 1), _local: _c / sqrt(K)},
    wrong={"the same error": le(_local, _central), "K times": ge(_local, K * _central), "a sensitivity of 1 / (2 K)": le((_x - _y) / K, 1 / (2 * K)), "no noise is known": without()},
    steps=("slides:gaussian-mechanism", "slides:sensitivity"),
    reading="The error is the root of the mean square error; the mean square error itself is $K$ times larger. The guarantee is the same in both models, and so is $c$, whichever calibration is used.",
)  # fmt: skip
