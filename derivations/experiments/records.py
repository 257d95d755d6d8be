"""Records of the experiments: one command makes every file under `measured/` again.

    RGM_VERIFY_DATA=DIR python -m derivations.experiments.records [--jobs J] [--out DIR] [NAME ...]

The numbers depend on the seed, the data and the code alone, not on how many workers there are; see README.md here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from rgm_verify.experiments.run.catalogue import EXPERIMENTS, Experiment, Panel
from rgm_verify.experiments.run.compact import LARGEST_BYTES, Measurements, compact, decode, encode
from rgm_verify.experiments.run.records import Record
from rgm_verify.experiments.setup import Setup

from .facts import facts

FOLDER = Path(__file__).parent / "measured"
SEED = 0

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
    """An experiment, how often each method runs, and which quantities of which methods are kept."""

    experiment: Experiment
    runs: int
    keep: Kept

    def measurements(self, record: Record) -> Measurements:
        """The compact form of the experiment's record."""
        found = compact(record)
        panels = [
            msgspec.structs.replace(panel, methods=[
                msgspec.structs.replace(each, values={q: v for q, v in each.values.items() if self.keep(each.method, q)})
                for each in panel.methods
            ])
            for panel in found.panels
        ]  # fmt: skip
        return msgspec.structs.replace(found, panels=panels)


def _all(method: str, quantity: str) -> bool:
    """The curve at round iterations, the problem, and the accounts, without what follows from something else."""
    if quantity.startswith(_OF_THE_PROBLEM):
        return method == "none" or quantity == "final expected"
    return quantity.startswith("at ") or _account(quantity) in (_OF_RELATIVE if "rgm" in method else _OF_CLIPPING)


def _account(quantity: str) -> str:
    return quantity.partition(": ")[2]


def _ends(method: str, quantity: str) -> bool:
    return quantity == "at the end" or (method == "none" and quantity == "at 0")


def _ends_and_relative(method: str, quantity: str) -> bool:
    return _ends(method, quantity) or ("rgm" in method and _account(quantity) in _PRIVACY)


def _ends_and_expected(method: str, quantity: str) -> bool:
    return _ends(method, quantity) or quantity == "final expected"


def _problem(method: str, quantity: str) -> bool:
    """Signs of a regularization that is too strong, besides the relative sensitivity."""
    return _ends_and_relative(method, quantity) or (method == "none" and quantity == "final least")


# ------------------------------------------------------------------------------------------------------- experiments

#: Choices that gradients with clipping do not know.
_NOT_OF_CLIPPING = ("printed_", "rho=", "share=", "parameters=")
_SWEPT = ("1e-3", "1e-2", "1e-1", "3e-1", "1", "3", "10", "30", "100", "1000")
_RELATIVE = ("none", "rgm-printed", "rgm-vouched", "rgm-exact")


def _choices() -> Experiment:
    found = EXPERIMENTS["choices"]
    return replace(found, panels=tuple(_concerned(panel) for panel in found.panels))


def _concerned(panel: Panel) -> Panel:
    return replace(panel, methods=_RELATIVE) if panel.name.startswith(_NOT_OF_CLIPPING) else panel


def _sweep() -> Experiment:
    found = EXPERIMENTS["threshold-sweep"]
    kept = tuple(m for m in found.panels[0].methods if "clip" not in m or m.split("-x")[1].rpartition("-")[0] in _SWEPT)
    return replace(found, panels=tuple(replace(panel, methods=kept) for panel in found.panels))


def _regularization() -> Experiment:
    """cod-rna under more and more regularization."""
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
    )
}
"""Every experiment that is recorded, by its name."""

FACTS = "facts"
NAMES = (*RECORDED, FACTS)
"""Every record."""


def path(name: str) -> Path:
    """The file of a record."""
    return FOLDER / f"{name}.json"


def read(name: str) -> Measurements:
    """The record of that name, as it is committed."""
    return decode(path(name).read_bytes(), name=path(name).name)


def linear_algebra() -> str:
    """The library behind NumPy's products and the kind of processor that it sees: sums are added in its order."""
    import numpy as np
    from threadpoolctl import threadpool_info

    _ = np.ones((2, 2)) @ np.ones((2, 2))
    found = sorted(
        {f"{each['internal_api']} {each['version']} {each.get('architecture', '')}" for each in threadpool_info()
         if each["user_api"] == "blas"}
    )  # fmt: skip
    return ", ".join(found)


# -------------------------------------------------------------------------------------------------------------- make


def make(name: str, out: Path, jobs: int) -> None:
    """Run the experiment of a record, or what is missing of it in `out`, and write the record."""
    from rgm_verify.jobs.files import write_atomically

    data = encode(_facts() if name == FACTS else _measured(RECORDED[name], out / name, jobs))
    if len(data) > LARGEST_BYTES:
        raise ValueError(f"{name}: {len(data)} bytes, at most {LARGEST_BYTES} are meant to be committed; keep less")
    write_atomically(path(name), data)
    write_atomically(FOLDER / "linear-algebra.txt", (linear_algebra() + "\n").encode())


def _measured(recorded: Recorded, out: Path, jobs: int) -> Measurements:
    from rgm_verify.experiments.run.execute import execute
    from rgm_verify.jobs.workers import make_executor

    with make_executor(jobs, None, ("rgm_verify.experiments.run.one_run", "scipy.linalg")) as executor:
        record = execute(
            recorded.experiment, runs=recorded.runs, seed=SEED, out=out, executor=executor, progress=lambda *_: None
        )
    return recorded.measurements(record)


def _facts() -> Measurements:
    from rgm_verify.experiments.data.datasets import load

    return facts(load, SEED)


def main() -> None:
    """Make the records that are named on the command line, all without names."""
    import argparse
    import os
    import sys

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all without names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes; one per core")
    parser.add_argument("--out", type=Path, default=Path("experiments/records"), help="where results are kept")
    given = parser.parse_args()
    for name in given.names or NAMES:
        if name not in NAMES:
            parser.error(f"{name}: there are {', '.join(NAMES)}")
        make(name, given.out, given.jobs)
        sys.stdout.write(f"{path(name).name}: {path(name).stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
