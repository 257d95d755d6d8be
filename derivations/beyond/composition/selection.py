r"""Choices by noisy scores: the largest curve of all mechanisms whose losses lie in a range, two candidates that attain it, and the pure epsilon of other noise.

The exponential mechanism chooses a candidate with probability in proportion to $e^{\epsilon s/(2\Delta)}$, where $s$ is its score and $\Delta$ the sensitivity of
scores. A noisy maximum shows the candidate with the largest score and noise. With Gumbel noise both are the same.
"""

from rgm_verify.pages import *

page = Page("beyond", "choices by noisy scores")
epsilon = page.positive("epsilon", "epsilon of a choice")

# ------------------------------------------------------------------------------------------- losses in a range

_D = page.positive("Delta", "sensitivity of a score")
_u1, _u2 = (page.real(f"u_{i}", f"change of the score of candidate {i}") for i in (1, 2))
_ENDS = tuple(
    Hypothesis(f"score {i} changes by at most the sensitivity", le(Abs(u), _D)) for i, u in ((1, _u1), (2, _u2))
)

choices = page.theorem(
    "beyond:choices-have-a-range",
    "The losses of two choices differ by at most epsilon",
    le(epsilon * _u1 / (2 * _D) - epsilon * _u2 / (2 * _D), epsilon),
    r"The loss of a choice is $\epsilon u/(2\Delta)$ less the logarithm of a quotient of sums, which is the same for all choices. Where all scores change in one direction, $u_1-u_2$ is at most $\Delta$ and the range half as long.",
    given=_ENDS,
    by=Smt(),
    points=Chart(
        {epsilon: (0, 2), _D: (0, 2), _u1: (-1, 1), _u2: (-1, 1)},
        {epsilon: epsilon, _D: _D, _u1: _u1 * _D, _u2: _u2 * _D},
    ),
    wrong={"half of it": right(epsilon / 2), "one score without a bound": without(_ENDS[1])},
)

_T = page.positive("T", "e to the largest loss")
_a = page.real("a", "e to minus half of the range", lower=0, upper=1, lower_open=True, upper_open=True)
_r = page.positive("r", "root of e to the level")
_CHORD = (1 - _T * _a**2) * (1 - _r**2 / _T) / (1 - _a**2)
_LARGEST = (1 - _r * _a) ** 2 / (1 - _a**2)

largest = page.inequality(
    "beyond:largest-curve-of-a-range",
    "The largest curve of all mechanisms whose losses have a range",
    le(_CHORD, _LARGEST),
    r"A curve at $x=e^l$ is $1-x$ up to the least loss, $x=Ta^2$, and 0 from the largest one on, $x=T$; between them it lies below the chord, on the left. This is the most where $T=\sqrt{x}/a$. So at levels from $-\epsilon$ to $\epsilon$ no curve is above $(1-e^{(l-\epsilon)/2})^2/(1-e^{-\epsilon})$, which is the same for both orders, convex in $x$, and the curve of the pair whose loss has densities in proportion to $e^{l/2}$ and $e^{-l/2}$.",
    by=Smt(),
    points={_T: (0, 3), _a: (0, 1), _r: (0, 2)},
    wrong={"direction": turned(), "the range as its half": right((1 - _r * _a**2) ** 2 / (1 - _a**2))},
    steps=(
        "beyond:choices-have-a-range",
        Step("A convex curve lies below its chords.", "beyond:hockey-stick-below-its-chords"),
        Step("At levels below 0.", "beyond:hockey-stick-at-negative-levels"),
    ),
)

_p, _q = (1 - _T * _a**2) / (1 - _a**2), (1 - _T * _a**2) / (1 - _a**2) / _T

attained = page.identity(
    "beyond:range-is-attained",
    "Two losses at the ends of the range attain the largest curve",
    eq((_p - _r**2 * _q).subs(_T, _r / _a), _LARGEST),
    r"Two candidates have them: with the lead $g$ of the second one, the first is chosen with probability $p=1/(1+e^{g})$, and by the neighbour with $1/(1+e^{g+\epsilon})$. At each level another lead is the worst, so that of one choice both ends are known, and of several the largest curve is above all.",
    points={_a: (0, 1), _r: (0, 2)},
    wrong={"the other order": (_q - _r**2 * _p).subs(_T, _r / _a)},
    steps=("beyond:largest-curve-of-a-range", "beyond:noisy-maximum-of-two"),
)

_m = page.nonnegative("m", "mean of the loss above the least one")

concentrated = page.inequality(
    "beyond:range-is-concentrated",
    "Losses in a range have at most a quarter of its square as variance",
    le(epsilon * _m - _m**2, epsilon**2 / 4),
    r"A number $y$ in $[0,\epsilon]$ has $y^2\le\epsilon y$, so that its variance is at most the left side, under any law. The second derivative of $K(s)=\log E_Q[e^{sL}]$ is a variance of the loss, and $K(0)=K(1)=0$; so $K(\alpha)\le\epsilon^2\alpha(\alpha-1)/8$ for $\alpha>1$, and the divergence of the order $\alpha$, which is $K(\alpha)/(\alpha-1)$, is at most $\alpha\epsilon^2/8$.",
    by=Smt(),
    points={epsilon: (0, 2), _m: (0, 2)},
    wrong={"an eighth": right(epsilon**2 / 8)},
)

# ------------------------------------------------------------------------------------------------------ other noise

_x = page.nonnegative("x", "lead of the first candidate, over the scale")
_w = page.nonnegative("w", "length of the interval")
_z = page.real("z", "difference of both noises, over the scale")


def _between(density: Expr, tail: Callable[[Expr], Expr]) -> Any:
    return eq(Integral(density, (_z, _x, _x + _w)), tail(_x) - tail(_x + _w))


_LAPLACE = (1 + _z) * exp(-_z) / 4

two = page.identity(
    "beyond:noisy-maximum-of-two",
    "With a lead the other one of two candidates is chosen so often",
    both(
        _between(exp(-_z) / 2, lambda x: exp(-x) / 2),
        _between(_LAPLACE, lambda x: (1 + x / 2) * exp(-x) / 2),
        _between(exp(-_z) / (1 + exp(-_z)) ** 2, lambda x: 1 / (1 + exp(x))),
    ),
    r"The differences of two exponential, Laplace and Gumbel noises have these densities at $z\ge0$, and are even. So the second candidate is chosen with the probability of a difference above $x$: $e^{-x}/2$, $(1+x/2)e^{-x}/2$ and $1/(1+e^x)$, all of which fall to 0.",
    points={_x: (0, 3), _w: (0, 3)},
    wrong={"Laplace noise as exponential": both(_between(_LAPLACE, lambda x: exp(-x) / 2))},
)

_k = page.real("k", "e to minus the shift of the threshold", lower=0, upper=1, lower_open=True)
_y = page.real("y", "e to the threshold, which is below 0", lower=0, upper=1, lower_open=True)
_BELOW = Hypothesis("the threshold stays below 0", le(_y, _k))

across = page.inequality(
    "beyond:laplace-tail-across-zero",
    "A threshold that moves past 0 costs a Laplace tail at most its shift",
    ge(_k / (2 * _y), _k * (1 - _y / 2)),
    r"From $t=\log y\le0$ on Laplace noise has the mass $1-y/2$, and $k/(2y)$ from $t-\log k\ge0$ on.",
    by=Smt(),
    points={_k: (0, 1), _y: (0, 1)},
    wrong={"direction": turned(), "all of the mass": right(_k * (1 + _y / 2))},
)

pure = page.theorem(
    "beyond:noisy-maximum-is-pure",
    "A noisy maximum has the pure epsilon of a shift by twice the sensitivity",
    ge(1 - _y / (2 * _k), _k * (1 - _y / 2)),
    r"Given all other noise, a candidate is shown where its own noise is above a threshold. Between neighbours this moves by at most $2\Delta$, and by $\Delta$ where all scores change in one direction. So each choice is at most $1/k$ times as likely for a neighbour, with $k=e^{-2\Delta/b}$: from $t=\log y$ on Laplace noise has the mass $1-y/2$, and $1-y/(2k)$ from $t-\log k$ on. From 0 on its mass is multiplied by $k$, and so is that of exponential noise, which has all of its mass before 0 left.",
    given=(_BELOW,),
    by=Smt(),
    points=Chart({_k: (0, 1), _y: (0, 1)}, {_k: _k, _y: _y * _k}),
    wrong={"any threshold": without(_BELOW), "direction": turned()},
    steps=(Step("A threshold that moves past 0.", "beyond:laplace-tail-across-zero"),),
)
