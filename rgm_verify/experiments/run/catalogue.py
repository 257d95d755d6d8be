"""The experiments by name: those of the paper, a sweep of thresholds, every ambiguity alone, and other data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rgm_verify.errors import reject
from rgm_verify.experiments.methods.by_name import SWEEP
from rgm_verify.experiments.setup import Setup, describe
from rgm_verify.experiments.trainings.setup import TrainingSetup


@dataclass(frozen=True)
class Panel:
    """One plot: a setup and the methods in it.

    Attributes:
        name: within its experiment.
        title: for reading.
        setup: every choice.
        methods: by name, in the order in which they are drawn.
        x: "iteration", or "threshold" for the last value of a sweep.
    """

    name: str
    title: str
    setup: Setup | TrainingSetup
    methods: tuple[str, ...]
    x: str = "iteration"


@dataclass(frozen=True)
class Experiment:
    """Panels that answer one question, all with choices of one kind."""

    name: str
    title: str
    question: str
    panels: tuple[Panel, ...]

    @property
    def kind(self) -> str:
        """The kind of what is run: `two-nodes` or `training`."""
        return self.panels[0].setup.kind


_CLIPPING = ("clip", "clip-high", "clip-low")
# Printed recipes beside vouched ones: the former show what the paper does, the latter what it costs to keep its word.
COMPARED = (
    "none",
    *(f"{stem}-{basis}" for basis in ("printed", "vouched") for stem in _CLIPPING),
    "rgm-printed",
    "rgm-vouched",
    "rgm-exact",
)
"""The paper's methods, each on the constants that there are for it."""

_FIGURE = (*COMPARED, "iterate-vouched")

_SWEPT = (
    "none",
    *(f"clip-x{factor}-{basis}" for basis in ("printed", "vouched") for factor in SWEEP),
    "rgm-printed",
    "rgm-vouched",
    "rgm-exact",
)
_SPLITS = {"random": "Random", "label": "Label", "bias": "Bias"}
_LINEAR_BIAS = "1"  # a term <B, theta> moves every gradient by B: a norm of 10 would be most of it
_COPIES = 43  # of 23,484 records: about the 10^6 of the paper


def _by_split(
    setup: Setup, methods: tuple[str, ...] = COMPARED, x: str = "iteration", about: str = ""
) -> tuple[Panel, ...]:
    """Return a panel for each split; `about` is put before its name and title."""
    before = f"{about}-" if about else "", f"{about}: " if about else ""
    return tuple(
        Panel(before[0] + name, before[1] + title, replace(setup, split=name), methods, x)
        for name, title in _SPLITS.items()
    )


def _figure_1() -> Experiment:
    """The paper's comparison on three splits."""
    question = "Does relative noise handle heterogeneous nodes without tuning, and at what privacy?"
    return Experiment("figure-1", "Three splits of ijcnn1", question, _by_split(Setup(), _FIGURE))


def _figure_2() -> Experiment:
    """The paper's comparison on another set and at high privacy; the subset also as if it were as large as theirs."""
    # The whole set has eleven million records, which the project does not hold.
    subset = Setup(dataset="higgs", level="0.01")
    higgs = Panel("higgs", "HIGGS, a subset, epsilon = 0.01", subset, _FIGURE)
    ijcnn1 = Panel("ijcnn1", "ijcnn1, epsilon = 0.001", Setup(level="0.001"), _FIGURE)
    grown = replace(subset, copies=_COPIES)
    enlarged = Panel("higgs-enlarged", "HIGGS, the subset as if it had 10^6 records, epsilon = 0.01", grown, _FIGURE)
    question = "Do the findings carry over to another data set, and to high privacy?"
    return Experiment("figure-2", "HIGGS, and ijcnn1 at high privacy", question, (higgs, enlarged, ijcnn1))


def _threshold_sweep() -> Experiment:
    """Every threshold of clipping on every split, and a bias that is larger than the recipe expects."""
    question = "Is relative noise competitive with the best clipping threshold, and does one threshold fit all splits?"
    large = Setup(split="bias", bias_size="100")
    panels = _by_split(Setup(), _SWEPT, "threshold")
    panels = (*panels, Panel("bias-100", "Bias of norm 100", large, _SWEPT, "threshold"))
    return Experiment("threshold-sweep", "All thresholds", question, panels)


def _iterate() -> Experiment:
    """Absolute noise at the released iterate, which is public, beside the methods that keep the level."""
    methods = (*(m for m in COMPARED if not m.endswith("-printed")), "iterate-vouched")
    large = Panel("bias-100", "Bias of norm 100", Setup(split="bias", bias_size="100"), methods)
    question = "Does relative noise win over absolute noise whose sensitivity is taken at the released iterate?"
    return Experiment("iterate", "Noise at the iterate", question, (*_by_split(Setup(), methods), large))


def _best_share() -> Experiment:
    """Relative noise with the share that turns out best, and HIGGS until it has converged."""
    methods = ("none", "clip-vouched", "rgm-exact", "rgm-best", "iterate-vouched")
    large = Panel("bias-100", "Bias of norm 100", Setup(split="bias", bias_size="100"), methods)
    long = Setup(dataset="higgs", level="0.01", copies=_COPIES, iterations=6000)
    printed = ("none", "clip-printed", "clip-high-printed", "rgm-printed", "iterate-vouched")
    higgs = Panel("higgs-converged", "HIGGS as if it had 10^6 records, 6000 iterations", long, printed)
    question = "What is left of the comparison with the best share of relative noise, and after many iterations?"
    return Experiment(
        "best-share", "The best share, and HIGGS to convergence", question, (*_by_split(Setup(), methods), large, higgs)
    )


def _centred() -> Experiment:
    """The comparison with centred features."""
    question = "Do the findings depend on whether features are centred?"
    return Experiment("centred", "Centred features", question, _by_split(Setup(centred=True)))


#: Alternatives that are numbers, or that need another field changed with them.
_MORE: Mapping[str, tuple[dict[str, str | int], ...]] = {
    "iterations": ({"iterations": 100}, {"iterations": 1000}),
    "bias_size": ({"bias_size": "1"}, {"bias_size": "100"}),
    "label_points": ({"label_points": 0},),
    "share": ({"share": "1/8"}, {"share": "2"}, {"share": "8"}),
    "rho": ({"rho": "9/10"},),
    "bias_form": ({"bias_form": "linear", "bias_size": _LINEAR_BIAS}, {"bias_form": "label", "bias_size": "1"}),
    "label_rest": ({"label_rest": "copied"}, {"label_rest": "absent", "label_points": 5000}),
}
# These have experiments of their own.
_NOT_VARIED = frozenset({"dataset", "split", "centred"})
# A choice that only one split knows would give the default's numbers once more on the others.
_ONE_SPLIT = {
    "bias_form": "bias",
    "bias_size": "bias",
    "bias_known": "bias",
    "label_rest": "label",
    "label_points": "label",
}


def variations() -> dict[str, dict[str, str | int]]:
    """Return every alternative of every ambiguity, by a name such as "start=normal", as the fields that it changes.

    One at a time: all combinations of twenty choices would be a million experiments. An alternative that makes sense
    only with another field changed brings that field along.

    Examples:
        >>> variations()["start=normal"], variations()["bias_form=linear"]
        ({'start': 'normal'}, {'bias_form': 'linear', 'bias_size': '1'})
    """
    found: dict[str, dict[str, str | int]] = {}
    for choice in describe():
        if choice.name not in _NOT_VARIED:
            changes = _MORE.get(choice.name) or tuple({choice.name: other} for other in choice.alternatives)
            found.update({f"{choice.name}={change[choice.name]}": dict(change) for change in changes})
    return found


def _choices() -> Experiment:
    """Every alternative of every open choice, one at a time."""
    # The defaults too, in the same record: an alternative means something only beside them.
    panels = list(_by_split(Setup(), about="default"))
    for name, change in variations().items():
        only = _ONE_SPLIT.get(name.split("=")[0])
        changed = replace(Setup(), **change)  # type: ignore[arg-type]
        each = _by_split(changed, about=name)
        panels += [panel for panel in each if only in (None, panel.setup.to_json()["split"])]
    question = "Which conclusions depend on what the paper leaves open?"
    return Experiment("choices", "Every ambiguity alone", question, tuple(panels))


_SETS = (
    "ijcnn1", "higgs", "susy", "cod-rna", "a9a", "w8a", "mushrooms", "phishing", "australian", "skin_nonskin",
)  # fmt: skip


def _datasets() -> Experiment:
    """The comparison on other data sets, with fewer methods: what differs between sets is eta."""
    # Two thresholds stand for clipping: the question is about eta, and ten sets take their time.
    methods = ("none", "clip-printed", "clip-low-printed", "clip-vouched", "clip-low-vouched", *COMPARED[-3:])
    panels = tuple(Panel(name, name, Setup(dataset=name), methods) for name in _SETS)
    question = "Is eta small on other data sets, and can the target be reached there at all?"
    return Experiment("datasets", "Other data sets", question, panels)


# ------------------------------------------------------------------------------------------------ trainings on images


def _geodp_figure_1() -> Experiment:
    """Logistic regression, 350 steps, at the printed batch sizes, noise multipliers and bounding factors."""

    def panel(name: str, title: str, batch: int, noise: str, *factors: str) -> Panel:
        # One learning rate for all methods of a panel, not tuned for any of them.
        setup = TrainingSetup(batch=batch, noise=noise, steps=350, step="8")
        methods = ("none", "dp", *(f"geodp-{factor}" for factor in factors), f"clamped-{factors[-1]}")
        return Panel(name, title, setup, methods)

    panels = (
        panel("batch-2048", "(a) B = 2048, sigma = 1", 2048, "1", "1"),
        panel("batch-4096", "(a) B = 4096, sigma = 1", 4096, "1", "1"),
        panel("large-noise", "(b) B = 4096, sigma = 10", 4096, "10", "1", "0.5"),
        panel("noise-0.1", "(c) B = 256, sigma = 0.1", 256, "0.1", "1"),
        panel("noise-0.01", "(c) B = 256, sigma = 0.01", 256, "0.01", "1"),
    )
    question = "Does noise on directions train logistic regression better, and at what privacy?"
    return Experiment("geodp-figure-1", "GeoDP and DP-SGD: logistic regression on MNIST", question, panels)


def _geodp_table_2(name: str, about: str, epochs: int, *batches: int) -> Experiment:
    """The network, at the printed noise multipliers and bounding factors."""
    panels = []
    for batch in batches:
        for noise in ("10", "1"):
            setup = TrainingSetup(model="convolutional", batch=batch, noise=noise, epochs=epochs, step="32")
            last = ("geodp-0.5",) if batch == batches[0] else ("dp-auto-s", "geodp-0.1-auto-s")
            # Clamped GeoDP beside the printed one: the same idea at a cost that is proved.
            methods = ("none", "dp", "geodp-0.1", *last, "clamped-0.1")
            panels.append(Panel(f"{batch}-{noise}", f"B = {batch}, sigma = {noise}", setup, methods))
    title = f"GeoDP and DP-SGD: a network of two convolutions on MNIST, {about}"
    question = f"Which of the methods classifies best, and at what privacy? ({about})"
    return Experiment(name, title, question, tuple(panels))


_ALL = (
    _figure_1(), _figure_2(), _threshold_sweep(), _choices(), _datasets(), _centred(), _iterate(), _best_share(),
    _geodp_figure_1(),
    _geodp_table_2("geodp-table-2", "20 epochs", 20, 8192, 16384),
    _geodp_table_2("geodp-table-2-short", "4 epochs", 4, 8192),
)  # fmt: skip

EXPERIMENTS: Mapping[str, Experiment] = {each.name: each for each in _ALL}
"""Every experiment by its name."""


def experiment(name: str) -> Experiment:
    """Return the experiment of that name; `InputError` with the known names otherwise.

    Examples:
        >>> [panel.name for panel in experiment("figure-1").panels], experiment("geodp-figure-1").kind
        (['random', 'label', 'bias'], 'training')
    """
    if name not in EXPERIMENTS:
        raise reject("experiment", name, f"known experiments: {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]
