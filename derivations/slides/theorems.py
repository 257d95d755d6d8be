"""Theorems that the pages on the slides quote and that are not proved here."""

from __future__ import annotations

from rgm_verify.claims import Theorem

DOMINATION = Theorem(
    "domination-by-randomised-response",
    "Randomised response dominates every private pair",
    r"Both laws of an $(\epsilon,\delta)$-private pair are images, under one kernel, of the same two laws: with probability "
    r"$\delta$ the bit is shown, otherwise a bit that is right $e^\epsilon$ times as often as wrong. So a composition, adaptive "
    r"or not, is an image of a composition of these.",
    {"private both ways": "The guarantee holds for the pair in either order, after whatever came before."},
    "P. Kairouz, S. Oh and P. Viswanath, The composition theorem for differential privacy, ICML 2015",
)
SHAMIR_ZHANG = Theorem(
    "last-iterate-of-sgd",
    "The last iterate of projected stochastic gradient descent",
    r"With steps $c/\sqrt t$, $\mathbb E F(\theta_T) - \min F \le (D^2/c + cG^2)(2 + \ln T)/\sqrt T$.",
    {
        "convex": "The function is convex, on a closed convex set of diameter at most $D$.",
        "unbiased": "The mean of each gradient estimate, given the past, is a subgradient.",
        "second moment": r"The mean square norm of each estimate is at most $G^2$.",
    },
    "O. Shamir and T. Zhang, Stochastic gradient descent for non-smooth optimization, ICML 2013, Theorem 2",
)
LOWER_BOUND = Theorem(
    "lower-bound-for-private-erm",
    "Lower bound for private empirical risk minimisation",
    r"For every private algorithm there are data with an excess risk of at least a constant times "
    r"$lR\min(1, \sqrt p/(n\epsilon))$.",
    {
        "privacy": r"The algorithm is $(\epsilon,\delta)$-private with $\epsilon \le 1$ and $\delta$ of smaller order than $1/n$.",
        "losses": "Linear losses on a ball are among those that are allowed.",
    },
    "R. Bassily, A. Smith and A. Thakurta, Private empirical risk minimization, FOCS 2014, Theorem 5.3",
)
ITERATION = Theorem(
    "amplification-by-iteration",
    "Privacy amplification by iteration",
    r"The laws of two noisy contractive iterations that differ in one step have, $j$ noisy steps from that one on, a Rényi "
    r"divergence of order $\alpha$ of at most $\alpha s^2/(2j\sigma^2)$, where $s$ bounds the distance of the two steps, in "
    r"units of the step size.",
    {
        "contractive": "Every step without its noise is a contraction: the losses are convex and smooth, and the steps short.",
        "noise": r"Every step adds a normal vector of deviation $\sigma$ per coordinate, in the same units.",
    },
    "V. Feldman, I. Mironov, K. Talwar and A. Thakurta, Privacy amplification by iteration, FOCS 2018, Theorem 22",
)
WEAK_CONVEXITY = Theorem(
    "weak-convexity-of-renyi",
    "Weak convexity of the Rényi divergence",
    r"$D_\alpha(\sum_j\rho_jP_j\|\sum_j\rho_jQ_j) \le (1 + c)\sum_j\rho_jD_\alpha(P_j\|Q_j)$.",
    {"small": r"Every $D_\alpha(P_j\|Q_j)$ is at most $c/(\alpha-1)$, with $0 < c \le 1$."},
    "V. Feldman, I. Mironov, K. Talwar and A. Thakurta, Privacy amplification by iteration, FOCS 2018, Lemma 25",
)
GAUSSIAN_TAIL = Theorem(
    "gaussian-tail",
    "Tail of the normal distribution",
    r"$\Pr[z > a] \le \frac12e^{-a^2/2}$ for a standard normal $z$.",
    {"above the mean": r"$a \ge 0$."},
    "P. Billingsley, Probability and Measure, Section 9, on large deviations",
)
