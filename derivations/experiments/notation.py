"""Numbers of a record as variables of a claim, and how words about curves are read throughout.

* *works well*, *deals with*: after all iterations at most a hundredth of the excess at the start is left, in every run.
* *competitive*, *close*: at most ten times the excess of the other one, medians of the runs. What noise leaves is in
  proportion to the variance, which is in proportion to one over the level, so ten times is what a tenth of the level
  would cost.
* *better*: less excess, by the medians of the runs.

The excess is the mean of the nodes' objectives less its least value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import sympy

from rgm_verify.claims import Claim, Page
from rgm_verify.claims.claim import Variable, positive
from rgm_verify.claims.page import Place
from rgm_verify.experiments.run.compact import Measurements, decode
from rgm_verify.lenses import Measured, Where

END, START = "at the end", "at 0"
SPLITS = {"random": "split at random", "label": "split by label", "bias": "with a bias"}
#: On which constants a conclusion is read, and the name of the relative method on them.
BASES = {"printed": "with the constants as printed", "vouched": "with the constants that privacy needs"}
OWN = "beyond"


def path(name: str) -> Path:
    """The file of a record."""
    return Path(__file__).parent / "measured" / f"{name}.json"


def read(name: str) -> Measurements:
    """The record of that name, as it is committed."""
    return decode(path(name).read_bytes(), name=path(name).name)


def source(basis: str, paper: str = "rgm-v1+v2") -> str:
    """The paper speaks of its own constants; what becomes of its sentences with others is ours to ask."""
    return paper if basis == "printed" else OWN


def refs(basis: str, entries: str) -> str:
    """The sentences that a claim answers, which are those about the paper's own constants."""
    return entries if basis == "printed" else ""


Statistic = Literal["runs", "least", "median", "greatest"]


@dataclass
class Numbers:
    """The numbers of one record that a claim speaks about, each a variable of it."""

    record: str
    variables: list[Variable] = field(default_factory=list)
    places: dict[sympy.Symbol, Where] = field(default_factory=dict)

    def __call__(
        self, name: str, meaning: str, panel: str, method: str, quantity: str = END, statistic: Statistic = "runs"
    ) -> sympy.Symbol:
        """The number at that place, as a symbol; all numbers here are > 0."""
        head, _, index = name.partition("_")
        latex = rf"{head}_{{\text{{{index}}}}}" if index.isalpha() and len(head) == 1 < len(index) else ""
        variable = positive(name, meaning, latex=latex)
        if variable.symbol not in self.places:
            self.variables.append(variable)
            self.places[variable.symbol] = Where(panel, method, quantity, statistic)
        return variable.symbol

    def median(self, name: str, meaning: str, panel: str, method: str, quantity: str = END) -> sympy.Symbol:
        """The median of the runs."""
        return self(name, meaning, panel, method, quantity, "median")

    def measurement(self, place: Page | Place, *claim: Any, **settings: Any) -> Claim:
        """Make a claim about these numbers, judged on the record; the arguments are those of `Place.claim`."""
        by = Measured(path(self.record), self.places)
        return place.measurement(*claim, by=by, over=self.variables, **settings)
