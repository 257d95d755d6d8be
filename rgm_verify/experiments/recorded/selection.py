"""Select what is recorded of the experiments: how often each runs, and which quantities of which methods are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module

import msgspec
import numpy as np

from rgm_verify.experiments.run.catalogue import EXPERIMENTS, Experiment, Panel
from rgm_verify.experiments.run.compact import Measurements, compact
from rgm_verify.experiments.run.records import Record
from rgm_verify.experiments.setup import Setup

SEED = 0  # the first that there is: nobody has looked for one with better numbers

Kept = Callable[[str, str], bool]

#: What is the same for every method of a panel; it is kept once, with the method without noise.
_OF_THE_PROBLEM = "final "
_OF_RELATIVE = (
    *("eta", "r_rel", "gamma", "sigma2", "vouched_eta", "vouched_r_rel", "release", "reached", "reached_anywhere"),
    *("largest_order", "epsilon", "floor", "test_distance", "test_delta"),
)
_OF_CLIPPING = ("clip", "sigma2", "release", "epsilon")
_PRIVACY = ("eta", "release", "reached_anywhere", "floor")


@dataclass(frozen=True)
class Recorded:
    """An experiment, how often each method runs, and which quantities of which methods are kept.

    Attributes:
        experiment: with its panels.
        runs: of each method; fewer where an experiment has many panels.
        keep: decides by method and quantity. What claims do not ask for is not kept, as a record is committed.
    """

    experiment: Experiment
    runs: int
    keep: Kept

    def measurements(self, record: Record) -> Measurements:
        """The compact form of the experiment's record."""
        found = compact(record)
        panels = [
            msgspec.structs.replace(panel, methods=[
                msgspec.structs.replace(m, values={q: v for q, v in m.values.items() if self.keep(m.method, q)})
                for m in panel.methods
            ])
            for panel in found.panels
        ]  # fmt: skip
        return msgspec.structs.replace(found, panels=panels)


def _all(method: str, quantity: str) -> bool:
    """The curve at round iterations, the problem, and the accounts, without what follows from something else."""
    # The expected end depends on the noise, all other final numbers on the problem alone.
    if quantity.startswith(_OF_THE_PROBLEM):
        return method == "none" or quantity == "final expected"
    return quantity.startswith("at ") or _account(quantity) in (_OF_RELATIVE if "rgm" in method else _OF_CLIPPING)


def _account(quantity: str) -> str:
    """Return the name of an account's number; empty for other quantities."""
    return quantity.partition(": ")[2]


def _ends(method: str, quantity: str) -> bool:
    """The last value of the curve, and the first of the one without noise."""
    return quantity == "at the end" or (method == "none" and quantity == "at 0")


def _ends_and_relative(method: str, quantity: str) -> bool:
    """The ends of the curves, and what relative noise costs."""
    return _ends(method, quantity) or ("rgm" in method and _account(quantity) in _PRIVACY)


def _ends_and_expected(method: str, quantity: str) -> bool:
    """The ends of the curves, and the expected end."""
    return _ends(method, quantity) or quantity == "final expected"


def _curves_and_expected(method: str, quantity: str) -> bool:
    """The curves at round iterations, the expected end, and what all of it costs."""
    return quantity.startswith("at ") or quantity == "final expected" or _account(quantity) in ("release", "epsilon")


def _problem(method: str, quantity: str) -> bool:
    """Quantities that show whether a regularization is too strong, besides the relative sensitivity."""
    return _ends_and_relative(method, quantity) or (method == "none" and quantity == "final least")


def _training(method: str, quantity: str) -> bool:
    """The curve at round iterations, the accuracy, and the costs."""
    return quantity.startswith(("at ", "final ", "cost "))


# ------------------------------------------------------------------------------------------------------- experiments

#: Choices that gradients with clipping do not know.
_NOT_OF_CLIPPING = ("printed_", "rho=", "share=", "parameters=")
_SWEPT = ("1e-3", "1e-2", "1e-1", "3e-1", "1", "3", "10", "30", "100", "1000")
_RELATIVE = ("none", "rgm-printed", "rgm-vouched", "rgm-exact")


def _choices() -> Experiment:
    """Return the experiment on ambiguities, each with the methods that it concerns."""
    found = EXPERIMENTS["choices"]
    return replace(found, panels=tuple(_concerned(panel) for panel in found.panels))


def _concerned(panel: Panel) -> Panel:
    """Return a panel without clipping where clipping does not know the choice."""
    return replace(panel, methods=_RELATIVE) if panel.name.startswith(_NOT_OF_CLIPPING) else panel


def _sweep() -> Experiment:
    """Return the sweep with fewer thresholds, as the record has to be small."""
    found = EXPERIMENTS["threshold-sweep"]
    kept = tuple(m for m in found.panels[0].methods if "clip" not in m or m.split("-x")[1].rpartition("-")[0] in _SWEPT)
    return replace(found, panels=tuple(replace(panel, methods=kept) for panel in found.panels))


def _regularization() -> Experiment:
    """cod-rna under more and more regularization."""
    # Features that are not scaled have lengths of hundreds, so that eta is small only for a mu of that kind.
    panels = tuple(
        Panel(f"mu={mu}", f"cod-rna, mu_reg = {mu}", Setup(dataset="cod-rna", regularization=mu), _RELATIVE)
        for mu in ("0.03", "1", "100", "10000", "1000000")
    )
    question = "How much regularization makes eta small on cod-rna, and what is then left of the problem?"
    return Experiment("regularization", "cod-rna under regularization", question, panels)


RECORDED: Mapping[str, Recorded] = {
    each.experiment.name: each
    for each in (
        Recorded(EXPERIMENTS["figure-1"], 5, _all),
        Recorded(EXPERIMENTS["figure-2"], 5, _all),
        Recorded(_sweep(), 3, _ends),
        Recorded(EXPERIMENTS["centred"], 3, _ends_and_relative),
        Recorded(EXPERIMENTS["datasets"], 3, _ends_and_relative),
        Recorded(_regularization(), 3, _problem),
        Recorded(_choices(), 1, _ends_and_expected),
        Recorded(EXPERIMENTS["iterate"], 5, _curves_and_expected),
        Recorded(EXPERIMENTS["best-share"], 3, _ends_and_expected),
        Recorded(EXPERIMENTS["geodp-figure-1"], 3, _training),
        Recorded(EXPERIMENTS["geodp-table-2-short"], 2, _training),
    )
}
"""Every experiment that is recorded, by its name."""

FACTS, GRADIENTS = "facts", "geodp-gradients"
NAMES = (*RECORDED, FACTS, GRADIENTS)
"""Every record."""


def linear_algebra() -> str:
    """The library behind NumPy's products and the kind of processor that it sees: sums are added in its order."""
    # A product first: the library is loaded when it is needed, and not known before.
    _ = np.ones((2, 2)) @ np.ones((2, 2))
    libraries = import_module("threadpoolctl").threadpool_info()  # it comes with scikit-learn, for whoever records
    found = sorted(
        {f"{each['internal_api']} {each['version']} {each.get('architecture', '')}" for each in libraries
         if each["user_api"] == "blas"}
    )  # fmt: skip
    return ", ".join(found)
