"""Every choice of a training on images, as plain data: what the GeoDP paper leaves open has a name and a default.

The paper does not print the learning rate, the sizes of the network's layers, how batches are drawn, the delta of a
guarantee, nor whether the noise-free run clips. The layers are those of `rgm_verify.learning.networks`; here batches
have a fixed size and are drawn afresh at each step, and the noise-free run clips, so that only noise differs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from rgm_verify.errors import reject
from rgm_verify.experiments.setup import Choices, a_choice, a_count, a_number
from rgm_verify.learning.networks import Convolutional, Logistic, Model
from rgm_verify.numbers.exact import positive


@dataclass(frozen=True)
class TrainingSetup(Choices):
    """The choices of one training: strings, integers, and exact numbers as texts ("0.1", "1/2").

    `describe(TrainingSetup)` lists the fields with defaults, alternatives and meaning. Raises `InputError` for what no
    field allows. Source: GeoDP paper, Section 5.
    """

    kind: ClassVar[str] = "training"

    # The catalogue sets what the paper prints; these defaults are for trainings of one's own.
    dataset: str = field(default="mnist", metadata={"meaning": "name of the set of images"})
    model: str = a_choice("logistic", "logistic regression, or the network with 21,840 parameters", "convolutional")
    records: int | None = a_count(None, "how many records it is trained on, the first ones, all if none is given")
    batch: int = a_count(4096, "records of a step: a set of this size, drawn afresh")
    epochs: int = a_count(20, "how often as many records as there are go into steps")
    steps: int | None = a_count(None, "number of steps; so many that the epochs are full if none is given")
    noise: str = a_number("1", "sigma, the noise multiplier")
    clip: str = a_number("1/10", "C, the largest norm of a record's gradient")
    step: str = a_number("4", "eta, the learning rate")
    delta: str = a_number("1e-5", "delta of the guarantees")

    def __post_init__(self) -> None:
        """Check each field, and that delta is a probability below 1."""
        super().__post_init__()
        if positive(self.delta, name="delta") >= 1:
            raise reject("delta", self.delta, "must be < 1")

    @property
    def classifier(self) -> Model:
        """The model that is trained."""
        return Convolutional() if self.model == "convolutional" else Logistic()

    def steps_on(self, records: int) -> int:
        """Return the number of steps for so many records: epochs are rounded to whole steps, at least one."""
        # In rationals: a quotient in floats could fall on either side of a half.
        return self.steps or max(1, round(Fraction(self.epochs * records, self.batch)))
