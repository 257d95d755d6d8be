"""The trainings of the GeoDP paper run again: losses, accuracies and costs, read from the records."""

from collections.abc import Iterable
from fractions import Fraction

from rgm_verify.claims.chapter import Block, Figure, Heading, Paragraph, Series, Table
from rgm_verify.experiments.recorded.reading import END, NO, Numbers, band, point
from rgm_verify.experiments.run.compact import MeasuredPanel, Measurements
from rgm_verify.experiments.show.wording import Name
from rgm_verify.numbers.decimals import decimal

from ..experiments.notation import path, read

FIGURE, TABLE, GRADIENTS = "geodp-figure-1", "geodp-table-2-short", "geodp-gradients"
READS = (path(FIGURE), path(TABLE), path(GRADIENTS))
_PLACES = (1, 2, 5, 10, 20, 50, 100, 200)


def trained() -> Iterable[Block]:
    """Return what noise does to real gradients, and what trainings come to: Figure 1, and Table 2 in a short form."""
    yield from real_gradients(read(GRADIENTS))
    yield from figure_1(read(FIGURE))
    yield from table_2(read(TABLE))


def real_gradients(record: Measurements) -> Iterable[Block]:
    """Show bias and mean square error of both kinds of noise on averages of real gradients."""
    yield Heading(text="Bias and error on gradients of the network")
    found = Numbers(record)
    when = {"start": "start", "later": "after 14 steps"}
    yield Table(
        caption=r"Averages of the clipped gradients of 8,192 records of MNIST, $C = 0.1$, at the start of a training and after 14 steps without noise; least to greatest of three trainings. Bias is "
        r"$|E g^* - g|/|g|$ and error is $E|g^*-g|^2/|g|^2$, by the closed forms. A release of any direction with the length of $g$ has an error near 2. The paper's own data set of gradients is "
        "not at hand (experiment:geodp-bias-of-gradients, experiment:dp-sgd-smaller-error, experiment:geodp-smaller-error).",
        columns=[r"$\sigma$", "average", "length, in units of C", "method", "bias", "error"],
        rows=[
            [
                panel.name.split("-")[0],
                when[panel.name.split("-")[1]],
                band(found.ends(panel.name, each.method, "length")),
                Name.of(each.method).title,
                *(band(found.ends(panel.name, each.method, quantity)) for quantity in ("bias", "error")),
            ]
            for panel in record.panels
            for each in panel.methods
        ],
    )


def figure_1(record: Measurements) -> Iterable[Block]:
    """Logistic regression at the parameters of Figure 1."""
    yield Heading(text="Logistic regression on MNIST, as in Figure 1")
    yield Paragraph(
        text=rf"350 steps on batches of a fixed size, drawn afresh from 60,000 records; $C = 0.1$, learning rate {record.setup['step']} for all methods, {record.runs} runs that share their "
        r"batches and starts. The paper prints neither learning rate nor how batches are drawn, and for (a) and (b) no noise multiplier. $\varepsilon$ is that of all steps, $\delta = 10^{-5}$, "
        "one record replaced. GeoDP as printed is stated to cost what DP-SGD costs; the lower ends are of two data sets each (beyond:geodp-training-as-printed). Clamped GeoDP has the noise "
        "with which it is proved to cost no more than DP-SGD."
    )
    yield Table(
        caption="DP-SGD trains as well as without noise throughout (experiment:dp-sgd-almost-noise-free). GeoDP as printed learns where the noise is a hundredth of its sensitivity, and clamped GeoDP "
        "nowhere (experiment:geodp-at-equal-privacy). Losses and accuracies from the least to the greatest of the runs.",
        columns=["panel", "method", "loss at the end", "accuracy", r"$\varepsilon$ at least", r"$\varepsilon$ at most"],
        rows=[row for panel in record.panels for row in rows(record, panel)],
    )
    found = Numbers(record)
    for panel, words in (("batch-4096", r"$B = 4096$, $\sigma = 1$"), ("noise-0.01", r"$B = 256$, $\sigma = 0.01$")):
        yield Figure(
            caption=f"{words}, $\\beta = 1$: the mean loss of a batch, from the least to the greatest of the runs.",
            x="step",
            y="loss",
            log_x=True,
            log_y=True,
            series=[_curve(found, panel, each.method) for each in record.panel(panel).methods],
        )


def table_2(record: Measurements) -> Iterable[Block]:
    """Show the network, in fewer epochs than the table has."""
    yield Heading(text="The network of Table 2, in four epochs")
    yield Paragraph(
        text=f"The paper trains for 20 epochs and 100 times, and prints no learning rate; here it is {record.setup['step']}, {record.setup['epochs']} epochs, {record.runs} runs. The "
        "accuracies are therefore not those of the table, and the methods can be compared with each other. The experiment geodp-table-2 runs all of it, in hours."
    )
    yield Table(
        caption="Accuracy on the 10,000 test images at $B = 8192$, and what all steps cost.",
        columns=["panel", "method", "loss at the end", "accuracy", r"$\varepsilon$ at least", r"$\varepsilon$ at most"],
        rows=[row for panel in record.panels for row in rows(record, panel)],
    )


def rows(record: Measurements, panel: MeasuredPanel) -> Iterable[list[str]]:
    """Yield a row for each method of a panel: its words, loss, accuracy, and both ends of its cost."""
    found = Numbers(record)
    choices = record.choices(panel)
    words = rf"$B = {choices['batch']}$, $\sigma = {choices['noise']}$"
    for each in panel.methods:
        cost = _cost(each.values.get("cost epsilon"))
        accuracy = found.ends(panel.name, each.method, "final accuracy")
        loss = found.ends(panel.name, each.method, END)
        yield [words, Name.of(each.method).title, band(loss), band(accuracy, digits=4), *cost]


def _cost(ends: object) -> tuple[str, str]:
    """Return both ends of a cost, rounded outward; it is the same in every run."""
    if not isinstance(ends, list):
        return NO, NO
    lower, upper = ends[0]
    return decimal(Fraction(lower), up=False, digits=4), decimal(Fraction(upper), up=True, digits=4)


def _curve(found: Numbers, panel: str, method: str) -> Series:
    named = [(str(place), f"at {place}") for place in _PLACES] + [("350", END)]
    bands = [(x, found.ends(panel, method, quantity)) for x, quantity in named]
    return Series(name=Name.of(method).title, points=[point(x, ends) for x, ends in bands if ends is not None])
