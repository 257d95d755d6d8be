"""One training by one method on one set of images: its losses, its accuracy, and what it costs; the same everywhere.

Generators belong to a purpose. That of the batches and that of the start depend on the choices that both share, and not
on the method or its noise, so that methods are compared on the same batches; that of the noise depends on all choices.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rgm_verify.errors import reject
from rgm_verify.experiments.accounts import Cost
from rgm_verify.experiments.data.images import Images
from rgm_verify.experiments.run.one_run import require_counts, seeded, whole_curve
from rgm_verify.experiments.trainings.methods import training_method
from rgm_verify.experiments.trainings.setup import TrainingSetup
from rgm_verify.learning.geometric.training import Training, accuracy

_BATCHES, _START, _NOISE = range(3, 6)  # after those of `one_run`: no stream serves two experiments
_SAME_BATCHES = ("dataset", "model", "records", "batch", "epochs", "steps")


@dataclass(frozen=True)
class Task:
    """One training: the choices, the method's name, the number of the run and the seed of all runs.

    Attributes:
        setup: every choice.
        method: as `training_method` knows it.
        run: an integer >= 0.
        seed: an integer >= 0.
    """

    setup: TrainingSetup
    method: str
    run: int
    seed: int

    def __post_init__(self) -> None:
        """Raise `InputError` for an unknown method, and for counts that are none."""
        training_method(self.method)
        require_counts(run=self.run, seed=self.seed)

    def generator(self, purpose: int) -> np.random.Generator:
        """Return a generator: of the batches and of the start it is the same for all methods and all noise.

        Args:
            purpose: of the batches, of the start or of the noise; the noise has a stream of its own for each method, so
                that no two methods are compared on the same luck.
        """
        shared = {name: value for name, value in self.setup.to_json().items() if name in _SAME_BATCHES}
        text = f"{self.method} {self.setup.text()}" if purpose == _NOISE else repr(sorted(shared.items()))
        return seeded(self.seed, self.run, purpose, text)


@dataclass(frozen=True)
class Result:
    """The result of a training.

    Attributes:
        curve: the mean loss of each step's batch before the step, and of one more batch at the end, in nats; infinite
            from the step on that left the range of floats.
        final: `accuracy` is the share of the test images that are classified rightly.
        costs: epsilons of all steps, by name.
        seconds: wall-clock times, which differ from run to run.
    """

    curve: tuple[float, ...]
    final: Mapping[str, float]
    costs: Mapping[str, Cost]
    seconds: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return the reproducible numbers under `result` and the times under `seconds`, as plain data."""
        reproducible = {
            "curve": list(self.curve),
            "expected": [],
            "accounts": [],
            "final": dict(self.final),
            "costs": {name: asdict(cost) for name, cost in self.costs.items()},
        }
        return {"result": reproducible, "seconds": dict(self.seconds)}


def perform(task: Task, dataset: Images) -> Result:
    """Return the result of a task on its images: a pure function of both, but for the times.

    Args:
        task: the choices, the method, the run and the seed.
        dataset: the images of the setup, or their synthetic stand-in.

    Raises:
        InputError: for another data set than that of the setup, for more records than it has, and for a batch that is
            larger than the records.
    """
    setup = task.setup
    if dataset.name not in (setup.dataset, f"synthetic-{setup.dataset}"):
        raise reject("dataset", dataset.name, f"the setup is for {setup.dataset!r}")
    count = setup.records or dataset.records
    if count > dataset.records:
        raise reject("records", count, f"the data set has {dataset.records}")
    if setup.batch > count:
        raise reject("batch", setup.batch, f"a batch is a set of records, and there are {count}")
    method, model = training_method(task.method), setup.classifier
    steps = setup.steps_on(count)
    began = time.perf_counter()
    # The cost is of the choices alone: it is the same in every run, and the accountant keeps it.
    costs = method.costs(setup, count)
    ready = time.perf_counter()
    training = Training(
        model, clip=setup.clip, batch=setup.batch, steps=steps, step_size=setup.step, shortening=method.shortening
    )
    trained = training.run(
        # The first ones, as the setup says: chance plays no part in which records are used.
        dataset.images[:count],
        dataset.labels[:count],
        method.release(setup),
        start=model.start(task.generator(_START)),
        batches=task.generator(_BATCHES),
        noise=task.generator(_NOISE),
    )
    seconds = {"prepare": ready - began, "step": (time.perf_counter() - ready) / steps}
    # Of the last finite model, where a training has run away.
    right = accuracy(model, trained.parameters, dataset.test_images, dataset.test_labels)
    return Result(whole_curve(trained.losses, steps), {"accuracy": right}, costs, seconds)
