"""Averages of values in [0, 1] under four models of trust, at the same certified privacy; and composition theorems.

Errors are closed forms of the noise; epsilons are enclosed. What a coalition sees of a party in GOPA is certified for one graph.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from rgm_verify.accounting.composition.equal_steps import advanced, optimal_epsilon
from rgm_verify.accounting.conversion import epsilon_at_order, epsilon_from_renyi
from rgm_verify.claims.chapter import Block, Chapter, Figure, Heading, Paragraph, Series, Table
from rgm_verify.gaussians.enclosures import epsilon
from rgm_verify.gaussians.pair import GaussianPair
from rgm_verify.learning.decentralised.privacy import network_loss, renyi_upper
from rgm_verify.mechanisms.averaging import Gopa, neighbours_needed, party_distances, random_graph
from rgm_verify.numbers.decimals import decimal, interval
from rgm_verify.numbers.sampling import spawn
from rgm_verify.numbers.settled import enclosed, geometric

DELTA = Fraction(1, 10**6)
PARTIES = 10_000
SEED = 20220601
ERROR = Fraction(1, 10**9)
ORDERS = (2, 4, 8, 12, 16, 24, 48, 96)


def build(profile: str) -> list[Block]:
    """Return all blocks; the full profile has more points and larger graphs."""
    full = profile == "full"
    return [
        *models(points=40 if full else 12),
        *graphs(parties=2000 if full else 400),
        *walks((100, 1000, 10_000, 100_000) if full else (100, 1000, 10_000)),
        *coalitions((1, 3, 10, 30, 100) if full else (1, 10, 100)),
        *calibration(points=40 if full else 12),
        *composition(points=24 if full else 9),
    ]


def _epsilon(distance_squared: Fraction) -> tuple[Fraction, Fraction]:
    """Return an enclosure of the epsilon of two Gaussians; both ends are finite, as the variances are the same."""
    found = epsilon(GaussianPair(distance_squared, 0, 1), DELTA, 8)
    return Fraction(found.lower or 0), Fraction(math.inf if found.upper is None else found.upper)


def models(points: int) -> Iterable[Block]:
    """Error against epsilon: a trusted server, GOPA at several shares of honest parties, and local noise."""
    yield Heading(text="Who is trusted, and what it costs")
    yield Paragraph(
        text=rf"The average of {PARTIES} values in $[0, 1]$, one value replaced, $\delta = 10^{{-6}}$. The error is the deviation of the average that is released. With a trusted server it is "
        r"$\frac1{K\mu}$ at the distance $\mu$ in units of the noise; with GOPA and a share $\tau$ of honest parties $\frac1{K\mu\sqrt\tau}$ or a little more (the next section); with "
        r"local noise $\frac1{\sqrt K\mu}$ (slides:gopa-same-utility, slides:local-error)."
    )
    distances = [Fraction(k, 1000) for k in geometric(50, 4000, points)]
    shares = {"central": 1.0, "GOPA, 90 % honest": 0.9, "GOPA, half honest": 0.5, "GOPA, one in ten honest": 0.1}
    known = [(mu, _epsilon(mu**2)) for mu in distances]
    series = [_errors(name, known, 1 / (PARTIES * math.sqrt(share))) for name, share in shares.items()]
    walks = {f"network, {length} steps": _walk(length, 12 if points > 12 else 6) for length in (PARTIES, 10 * PARTIES)}
    yield Paragraph(
        text=r"For network privacy a sum walks from party to party, and each adds its value and noise; $T$ steps leave noise of the deviation $\frac1{\mu\sqrt T}$ on the average of those visited. Its epsilon is the "
        "certified upper end for the view of one party (beyond:network-upper-end), the least of whole orders. Who is visited is random as well: that error is the same without privacy, and is left out."
    )
    yield Figure(
        caption="Pairwise noise buys nearly the error of a trusted server; local noise costs a factor of a hundred.",
        x=r"epsilon",
        y="deviation of the average",
        log_x=True,
        log_y=True,
        series=[
            *series,
            _errors("local", known, 1 / math.sqrt(PARTIES)),
            *(_walked(name, found) for name, found in walks.items()),
        ],
    )


def _walk(steps: int, points: int) -> list[tuple[Fraction, float]]:
    """Return the upper end of the network loss, and the noise of the average, for distances of one step."""
    found = []
    for distance in (Fraction(k, 1000) for k in geometric(50, 2000, points)):
        levels = [
            epsilon_at_order(order, renyi_upper(PARTIES, steps, distance=distance, order=order), DELTA)
            for order in ORDERS
        ]
        found.append((Fraction(min(levels)), 1 / (float(distance) * math.sqrt(steps))))
    return found


def _walked(name: str, found: list[tuple[Fraction, float]]) -> Series:
    points = [[decimal(level, up=True, digits=6), *_around(noise)] for level, noise in found]
    return Series(name=name, points=points, note="at a certified upper end of epsilon")


def _errors(name: str, known: list[tuple[Fraction, tuple[Fraction, Fraction]]], scale: float) -> Series:
    return Series(
        name=name,
        points=[[decimal(upper, up=True, digits=6), *_around(scale / float(mu))] for mu, (_, upper) in known],
        note="at the upper end of an enclosure of epsilon",
    )


def _around(value: float) -> list[str]:
    return enclosed(Fraction(value) * (1 - ERROR), Fraction(value) * (1 + ERROR))


def graphs(parties: int) -> Iterable[Block]:
    """Show what a coalition sees of the worst honest party, for graphs of GOPA."""
    yield Heading(text="What a coalition learns of the worst party")
    yield Paragraph(
        text=rf"{parties} parties; each selects as many others as beyond:gopa-connected asks for at a failure probability of $10^{{-6}}$. A party's own noise is $\frac1{{10}}$. The squared distance "
        "of two values of the worst honest party, in units of the noise that hides them, is enclosed by flows in integers and potentials (beyond:gopa-flow, beyond:gopa-potential); in a "
        "connected graph it tends to that of a trusted server as the pairwise noise grows."
    )
    rows = []
    for share in (Fraction(9, 10), Fraction(1, 2)):
        selections = neighbours_needed(share, parties, DELTA)
        edges = random_graph(parties, selections, spawn([SEED, share.denominator], 1)[0])
        coalition = np.arange(parties) >= int(share * parties)
        for pairwise in (1, 10, 100):
            protocol = Gopa(parties, edges, pairwise=pairwise, independent="1/10")
            worst = max(party_distances(protocol, coalition=coalition), key=lambda found: found.upper)
            central = Fraction(100) / int(share * parties)
            rows.append(
                [
                    str(share),
                    str(selections),
                    str(pairwise),
                    interval(Fraction(worst.lower), Fraction(worst.upper), digits=4),
                    decimal(Fraction(worst.upper) / central, up=True, digits=4),
                ]
            )
    yield Table(
        caption="Pairwise noise of ten times the range of the values is enough.",
        columns=["honest share", "selections", "pairwise noise", "squared distance", "against a trusted server"],
        rows=rows,
    )


def walks(sizes: Iterable[int]) -> Iterable[Block]:
    """Ends of the network loss as parties and steps grow, beside the printed factor."""
    yield Heading(text="What a party learns from a model that walks")
    yield Paragraph(
        text=r"Private decentralised descent on a complete graph of $K$ parties, $T$ steps, $\delta = 10^{-6}$; a change of one party's loss moves a step by $\frac1{10}$ of the noise at most. The upper end is for all smooth convex losses and short "
        r"steps, with several visits between two views (beyond:steered-walk, beyond:network-upper-end); the lower end is that of linear losses (beyond:network-return). Local is a lower end of the loss to somebody who sees all messages. The slides print a "
        r"gain of the order $\frac{\sqrt K}{\ln K}$ in the noise, which does not hold for small $\delta$ (beyond:network-noise-at-small-delta) nor without convexity (slides:network-noise); for small distances epsilon goes with the inverse of the noise."
    )
    rows = []
    for parties in sizes:
        for steps in (10 * parties, 100 * parties):
            found = network_loss(parties, steps, distance="1/10", delta=DELTA)
            rows.append(
                [
                    str(parties),
                    str(steps),
                    decimal(found.lower, up=False, digits=3),
                    decimal(found.upper, up=True, digits=3),
                    decimal(found.local_lower, up=False, digits=3),
                    decimal(found.local_lower / found.upper, up=False, digits=2),
                    decimal(math.sqrt(parties) / math.log(parties), up=False, digits=2),
                ]
            )
    yield Table(
        caption="Of 1,000 parties and 100,000 steps one view tells more than six times less than all messages, at the same noise.",
        columns=[
            "K",
            "T",
            "network, at least",
            "network, at most",
            "local, at least",
            "gain, at least",
            r"$\sqrt K/\ln K$",
        ],
        rows=rows,
    )


def coalitions(sizes: Iterable[int]) -> Iterable[Block]:
    """Ends of the network loss to coalitions, with self-loops and without."""
    yield Heading(text="What parties learn together")
    yield Paragraph(
        text=r"The same walk with 1,000 parties and 100,000 steps, when $c$ parties pool what they see; the model may stay with the party that has it, or has to move on. Each move of the model is a claim, from beyond:walk-without-cost to beyond:walk-start, and the lower ends rest on "
        "beyond:network-return. The coalition is fixed before the walk. That there is some robustness to collusion is slides:network-collusion."
    )
    rows = []
    for coalition in sizes:
        for self_loops in (True, False):
            found = network_loss(
                1000, 100_000, distance="1/10", delta=DELTA, coalition=coalition, self_loops=self_loops
            )
            rows.append(
                [
                    str(coalition),
                    "may stay" if self_loops else "moves on",
                    decimal(found.lower, up=False, digits=3),
                    decimal(found.upper, up=True, digits=3),
                    decimal(found.local_lower, up=False, digits=3),
                    decimal(found.local_lower / found.upper, up=False, digits=2),
                ]
            )
    yield Table(
        caption="Ten parties that pool their views still learn less than a third of what all messages tell.",
        columns=["c", "the model", "network, at least", "network, at most", "local, at least", "gain, at least"],
        rows=rows,
    )


def calibration(points: int) -> Iterable[Block]:
    """The printed noise of the Gaussian mechanism against the least one."""
    yield Heading(text="Printed and exact calibration")
    yield Paragraph(
        text=r"The slides set the noise to $\sqrt{2\ln(1.25/\delta)}\,\Delta/\epsilon$. Its exact epsilon is below the stated one for small epsilon, and above it for large ones, where the "
        "printed noise is not private (slides:gaussian-mechanism-private)."
    )
    stated = [Fraction(k, 100) for k in geometric(10, 10_000, points)]
    root = math.sqrt(2 * math.log(1.25 / float(DELTA)))
    found = [(e, _epsilon(Fraction(float(e) / root) ** 2)) for e in stated]
    yield Figure(
        caption="Above 1 the printed noise has no proof; far above it has less privacy than stated.",
        x="epsilon as stated",
        y="exact / stated",
        log_x=True,
        series=[
            Series(
                name="exact epsilon of the printed noise",
                points=[[str(float(e)), *enclosed(lower / e, upper / e, digits=6)] for e, (lower, upper) in found],
            )
        ],
    )

    yield Figure(
        caption="The printed noise is a quarter to a half more than the least below 1, and less than the least above 10.",
        x="epsilon of the printed noise",
        y="printed noise / least noise",
        log_x=True,
        series=[
            Series(
                name="at the same exact epsilon",
                points=[
                    [decimal(upper, up=True, digits=6), *enclosed(e / upper, e / lower, digits=6)]
                    for e, (lower, upper) in found
                ],
            )
        ],
    )


def composition(points: int) -> Iterable[Block]:
    """Epsilon of Gaussian releases by every theorem of composition, against the truth."""
    yield Heading(text="Theorems of composition against the optimum")
    yield Paragraph(
        text=r"$K$ releases of a Gaussian mechanism, two outputs $\mu = \frac1{20}$ deviations of the noise apart, $\delta = 10^{-6}$ in all. Simple and advanced composition (slides:simple-composition, slides:advanced-composition) "
        r"start from the exact $\epsilon$ of one release at $\frac\delta{2K}$, and so does the optimum over all mechanisms with this guarantee, that of randomised response. Rényi composition is converted as printed (slides:renyi-to-privacy). "
        "The exact number is that of one release at the total distance. All are upper ends."
    )
    names = ("simple", "advanced", "optimal for equal guarantees", "Rényi, as printed", "exact")
    curves: dict[str, list[list[str]]] = {name: [] for name in names}
    for count in geometric(1, 4096, points):
        found = _composed(count, Fraction(1, 20))
        for name, (lower, upper) in zip(names, found, strict=True):
            curves[name].append([str(count), *enclosed(lower, upper, digits=6)])
    yield Figure(
        caption="Advanced composition overtakes simple composition late; no theorem about guarantees comes near the truth about Gaussian noise.",
        x="number of releases",
        y="epsilon",
        log_x=True,
        log_y=True,
        series=[Series(name=name, points=shown) for name, shown in curves.items()],
    )


def _composed(count: int, mu: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return epsilons of `count` releases at the distance `mu`, by five theorems, each enclosed or exact."""
    failure = DELTA / (2 * count)
    one = epsilon(GaussianPair(mu**2, 0, 1), failure, 8).upper
    # A short decimal above the exact level: the guarantee of one release, and small numbers to compute with.
    level = Fraction(decimal(one or Fraction(0), up=True, digits=7))
    total = count * mu**2
    converted = epsilon_from_renyi(lambda order: float(order * total / 2), DELTA, largest_order=None, form="mironov")
    printed = Fraction(converted.epsilon)
    least = optimal_epsilon(level, failure, count, target=DELTA)
    stronger = Fraction(advanced(level, failure, count, extra=DELTA / 2)[0])
    return [
        (count * level, count * level),
        (stronger, stronger),
        (Fraction(least.lower), Fraction(least.upper)),
        (printed, printed),
        _epsilon(total),
    ]


chapter = Chapter(
    id="trust-models",
    title="Averages under four models of trust",
    summary="Error against certified epsilon with a trusted server, with GOPA, for a walk and with local noise; what coalitions learn; printed calibration and theorems of composition against exact numbers.",
    build=build,
)
