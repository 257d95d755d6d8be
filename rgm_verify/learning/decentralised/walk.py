"""Private decentralised stochastic gradient descent on a complete graph: a model walks from party to party.

The party that holds the model moves it against its own gradient plus Gaussian noise, projects it into a ball if one is
given, and sends it to a party that is drawn uniformly: from all of them, itself included, or from all others. The first
party is uniform among all. Source: slides, Section 3, and `slides:decentralised-sgd`. What a party learns is its view:
the messages it sent or received; a coalition pools the views of its parties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import InputError, depends_on_data, reject
from rgm_verify.learning.data import FloatArray, checked_point, private_point, read_only
from rgm_verify.numbers.exact import ExactInput, exact, positive, positive_integer
from rgm_verify.numbers.sampling import require_generator

Gradient = Callable[[FloatArray], ArrayLike]
"""The gradient of a party's loss at a model (d,), of the same shape."""


class Message(NamedTuple):
    """A message: the step after which it was sent (from 1 on), its sender and receiver, and the model (d,)."""

    step: int
    sender: int
    receiver: int
    model: FloatArray


@dataclass(frozen=True, eq=False)
class Transcript:
    """All messages of a run: `path` (T + 1,), the holders of the model, and `models` (T + 1, d), the first one public.

    Message t is from `path[t - 1]` to `path[t]` and holds `models[t]`.
    """

    parties: int
    path: NDArray[np.int64]
    models: FloatArray

    def messages(self) -> list[Message]:
        """Return all messages in order: the view of somebody who sees everything."""
        return [self._message(t) for t in range(1, len(self.path))]

    def view(self, *parties: ExactInput) -> list[Message]:
        """Return the messages that a party, 0 to K - 1, sent or received, in order; of several, what they see together.

        `InputError` for no party, for one that does not exist, and for one that is named twice.
        """
        if not parties:
            raise InputError("parties: none is given; a view is that of one party or more")
        own = [_party(party, self.parties) for party in parties]
        if len(set(own)) < len(own):
            raise reject("parties", own, "a party is named twice")
        seen = np.isin(self.path, own)
        return [self._message(int(t) + 1) for t in np.flatnonzero(seen[:-1] | seen[1:])]

    def _message(self, step: int) -> Message:
        return Message(step, int(self.path[step - 1]), int(self.path[step]), self.models[step])


@dataclass(frozen=True, init=False)
class DecentralisedSgd:
    """The public parameters of a run; all numbers exact, chosen without the data.

    Args:
        steps: the number T of steps.
        step_size: the learning rate; at most `2 / smoothness`, beyond which noise may be amplified by later steps.
        noise: the deviation of the noise on a gradient, per coordinate.
        lipschitz: the largest norm of a gradient; one that is longer is refused, and nothing is released.
        smoothness: a Lipschitz constant of the gradients; the losses are convex.
        radius: the radius of the ball around 0 that models are projected to; none if not given.
        self_loops: whether the party that has the model may draw itself.

    Formal Guarantees:
        In real arithmetic, for convex losses with these constants, what a party learns of another party's loss is
        bounded by `rgm_verify.learning.decentralised.network_loss`; so is what a coalition of parties learns.

    What this does not protect against: what is said of `rgm_verify.mechanisms.GaussianMechanism`; losses that are not
    convex or smooth as stated; coalitions larger than was accounted for, or formed by who was on the path; and whoever
    is told that a gradient was refused.
    """

    steps: int
    step_size: Fraction
    noise: Fraction
    lipschitz: Fraction
    smoothness: Fraction
    radius: Fraction | None
    self_loops: bool

    def __init__(
        self,
        *,
        steps: ExactInput,
        step_size: ExactInput,
        noise: ExactInput,
        lipschitz: ExactInput,
        smoothness: ExactInput,
        radius: ExactInput | None = None,
        self_loops: bool = True,
    ) -> None:
        found = {
            "steps": positive_integer(steps, name="steps", meaning="the number of steps"),
            "step_size": positive(step_size, name="step_size", meaning="the learning rate"),
            "noise": positive(noise, name="noise", meaning="the deviation of the noise on a gradient"),
            "lipschitz": positive(lipschitz, name="lipschitz", meaning="the largest norm of a gradient"),
            "smoothness": positive(smoothness, name="smoothness", meaning="the smoothness of the losses"),
            "radius": None if radius is None else positive(radius, name="radius", meaning="the radius"),
        }
        if not isinstance(self_loops, bool):
            raise reject("self_loops", self_loops, "must be True or False")
        for name, value in found.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "self_loops", self_loops)
        # Longer steps of a smooth convex loss are no contractions, and amplification by iteration has no proof then.
        if self.step_size * self.smoothness > 2:
            raise reject("step_size", step_size, f"must be at most 2/smoothness = {2 / self.smoothness}")

    @property
    def distance(self) -> Fraction:
        """Bound of the move of a step by a change of one loss, in deviations of its noise: `2 lipschitz / noise`."""
        return 2 * self.lipschitz / self.noise

    def run(self, gradients: Sequence[Gradient], start: ArrayLike, generator: np.random.Generator) -> Transcript:
        """Return the transcript for the parties' `gradients` from the public model `start` (d,).

        Draws the path first and then the noise of each step. Raises `InputError` for fewer than two parties, a start
        outside of the ball, and a gradient of another shape, with a number that is not finite, or that is too long.
        """
        source = require_generator(generator)
        parties = len(gradients)
        if parties < 2:
            raise reject("gradients", f"{parties} of them", "there must be at least two parties")
        first = checked_point(start, np.asarray(start).size, name="start")
        if not np.array_equal(self._projected(first), first):
            raise reject("start", first.tolist(), f"must be in the ball of radius {self.radius}")
        # One receiver more than steps: the last model is sent as well, and whoever receives it has seen it.
        path = self._path(parties, source)
        noises = float(self.noise) * source.standard_normal((self.steps, first.size))
        models = np.empty((self.steps + 1, first.size))
        models[0] = first
        for t in range(self.steps):
            holder = int(path[t])
            # A copy: an oracle that writes into its argument would change what was sent before.
            direction = self._checked(gradients[holder](models[t].copy()), first.shape, holder) + noises[t]
            models[t + 1] = self._projected(models[t] - float(self.step_size) * direction)
        return Transcript(parties, path, read_only(models))

    def _path(self, parties: int, source: np.random.Generator) -> NDArray[np.int64]:
        """Return the holders of the model, one more than there are steps."""
        if self.self_loops:
            return source.integers(0, parties, self.steps + 1)
        first = source.integers(0, parties)
        # How far the next party is from the last one, around a circle: any number but 0.
        moves = source.integers(1, parties, self.steps)
        return np.concatenate([[first], (first + np.cumsum(moves)) % parties])

    def _checked(self, given: ArrayLike, shape: tuple[int, ...], party: int) -> FloatArray:
        """Return a gradient that keeps its promise; the refusal names the party, and no number of its data."""
        gradient = private_point(given, shape[0], name=f"gradients[{party}]")
        # A gradient of exactly the promised length may come out longer by its roundings.
        rounding = (gradient.size + 8) * 2.0**-52
        if float(np.linalg.norm(gradient)) > float(self.lipschitz) * (1 + rounding):
            raise depends_on_data(
                f"gradients[{party}]: a gradient is longer than lipschitz={float(self.lipschitz):.6g}; the noise is "
                "not enough for it, so nothing is released"
            )
        return gradient

    def _projected(self, model: FloatArray) -> FloatArray:
        if self.radius is None:
            return model
        norm = float(np.linalg.norm(model))
        return model if norm <= self.radius else model * (float(self.radius) / norm)


def _party(given: ExactInput, parties: int) -> int:
    number = exact(given, name="party")
    if number.denominator != 1 or not 0 <= number < parties:
        raise reject("party", given, f"parties are numbered from 0 to {parties - 1}")
    return int(number)
