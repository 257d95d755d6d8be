"""Plans from what others keep: histories of Opacus, events of dp-accounting, settings in the manner of JAX privacy.

Nothing of these packages is imported: objects are known by the names of their classes and fields. Their floats are
taken as the binary numbers that they are, since that is what was run; texts are taken as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rgm_verify.accounting.plans.fields import Fields
from rgm_verify.accounting.plans.plan import Plan, plan
from rgm_verify.accounting.plans.releases import ADJACENCIES, KINDS, PlannedRelease, release_of
from rgm_verify.accounting.subsampled.mechanism import (
    ADD_REMOVE,
    REPLACE,
    rate_and_steps,
    sampled_gaussian,
)
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import exact, positive_integer

__all__ = ["from_dp_accounting", "from_opacus", "from_training"]

_ADJACENCIES = {
    "ADD_OR_REMOVE_ONE": ADD_REMOVE,
    "REPLACE_ONE": REPLACE,
}
_DEEPEST = 100  # compositions inside of compositions: an event that holds itself has no end


def from_opacus(history: Any, *, sampler: str | None = None, **settings: Any) -> Plan:
    """Return the plan of an accountant of Opacus.

    A history is a sequence of (noise multiplier, sample rate, steps). Opacus writes the same history whether its loader
    samples by Poisson or not (`poisson_sampling=False`, a sampler of one's own), and accounts by Poisson in any case.

    Args:
        history: its `history`, the accountant, or what its `state_dict` returns.
        sampler: how the batches were drawn, as in `sampled_gaussian`; has to be said, as a history does not.
        settings: those of `plan`; without an adjacency, the one that goes with the sampler.

    Raises:
        InputError: for anything else, with the entry.

    Examples:
        >>> from_opacus([(1.0, 0.01, 1000)], sampler="poisson", delta="1e-5").lines[0].release.count
        1000
    """
    known = _said(sampler)
    # A state has its history under a key, an accountant as an attribute, and a bare list is one itself.
    entries = history.get("history") if isinstance(history, Mapping) else getattr(history, "history", history)
    if isinstance(entries, str) or not isinstance(entries, Sequence) or not entries:
        raise reject("history", entries, "expected a sequence of (noise multiplier, sample rate, steps)")
    found: list[PlannedRelease] = []
    for number, entry in enumerate(entries):
        place = f"history[{number}]"
        if isinstance(entry, str) or not isinstance(entry, Sequence) or len(entry) != 3:
            raise reject(place, entry, "expected (noise multiplier, sample rate, steps)")
        noise, rate, steps = entry
        found.append(_sampled(noise, rate, steps, known, f"{place}."))
    return plan(found, **settings)


def from_training(settings: Mapping[str, Any], **more: Any) -> Plan:
    """Return the plan of a training run: `batch_size`, `noise_multiplier`, the data's size and the number of steps.

    The size is `num_examples`, `dataset_size` or `num_samples`, the number `num_steps`, `steps` or `num_updates`; or
    `num_epochs` (`epochs`), each rounded up to whole batches. How batches are drawn has to be said: `sampler` is
    "poisson", with the batch size as a mean, or "fixed-batch".

    Args:
        settings: by name.
        more: settings of `plan`; without an adjacency, the one that goes with the sampler.

    Raises:
        InputError: for a setting that is missing, given twice, or not known.
    """
    names = {
        "size": ("num_examples", "dataset_size", "num_samples"),
        "steps": ("num_steps", "steps", "num_updates"),
        "epochs": ("num_epochs", "epochs"),
        "batch_size": ("batch_size",),
        "noise_multiplier": ("noise_multiplier",),
        "sampler": ("sampler",),
    }
    if not isinstance(settings, Mapping):
        raise reject(
            "settings", settings, f"expected values by name, such as {', '.join(n[0] for n in names.values())}"
        )
    known = {alias: name for name, aliases in names.items() for alias in aliases}
    found: dict[str, Any] = {}
    for given, value in settings.items():
        # A setting that is passed over might be the one that costs privacy, such as another kind of sampling.
        if given not in known:
            raise InputError(f"{given}: no such setting; there are {', '.join(known)}")
        if known[given] in found:
            raise InputError(
                f"{given}: given twice, as {' and '.join(n for n in names[known[given]] if n in settings)}"
            )
        found[known[given]] = value
    for name in ("batch_size", "noise_multiplier", "size"):
        if name not in found:
            raise InputError(f"{names[name][0]}: missing")
    sampler = _said(found.get("sampler"))
    if ("steps" in found) == ("epochs" in found):
        raise InputError("num_steps: give either num_steps or num_epochs")
    rate, steps = rate_and_steps(
        found["size"],
        found["batch_size"],
        found.get("epochs"),
        names=("num_examples", "batch_size", "num_epochs"),
    )
    release = _sampled(found["noise_multiplier"], rate, found.get("steps", steps), sampler, "")
    return plan([release], **more)


def _said(sampler: Any) -> str:
    """Return the sampler; `InputError` where none is said, or one that has no account."""
    # Asked for its message alone: it knows what to say of each sampler, and 1 is allowed for each number.
    return sampled_gaussian([(1, 1, 1)], sampler=sampler if sampler is None else str(sampler)).sampler


def from_dp_accounting(event: Any, *, adjacency: Any = None, one_number: bool = False, **settings: Any) -> Plan:
    """Return the plan of an event of dp-accounting: the object, or a mapping with its class and fields.

    Known are zero-concentrated, Gaussian, Laplace, discrete Gaussian, discrete Laplace and randomised-response
    events, Poisson samples and samples without replacement of Gaussian events, and compositions of all of them.

    An event's noise is relative to the largest norm C of what one record adds to a sum. One record more or less
    moves the sum by at most C, one record replaced by 2C: under replace-one the releases of the plan therefore have
    half the noise of the event, or twice its sensitivity.

    Args:
        event: an object, or a mapping with the name of the class at `type` (or `_type`, `class`), and fields by their
            names.
        adjacency: a name of ours or a `NeighboringRelation`; has to be said, as an event does not.
        one_number: whether all discrete Gaussian noise of the event is on one number each. An event does not say so:
            its noise may be on every coordinate of a vector, and in which norm its sensitivity would be. Such events
            are therefore refused unless this is said. Laplace noise, discrete or not, on a vector with a sensitivity in
            the 1-norm costs what it costs on one number.
        settings: those of `plan`.

    Raises:
        InputError: for other events, with their place.

    Examples:
        >>> event = {"type": "GaussianDpEvent", "noise_multiplier": 4.0}
        >>> from_dp_accounting(event, adjacency="REPLACE_ONE").releases[0].noise_multiplier
        Fraction(2, 1)
    """
    if adjacency is None:
        raise InputError(
            "adjacency: missing; an event does not say which data sets are neighbours: ADD_OR_REMOVE_ONE (which an "
            "accountant of dp-accounting takes unless told otherwise), or REPLACE_ONE, where noise counts half"
        )
    # An enumeration has a name, which is a text of ours already where the caller gave one.
    name = str(getattr(adjacency, "name", adjacency))
    neighbours = _ADJACENCIES.get(name, name)
    if neighbours not in ADJACENCIES:
        raise reject("adjacency", name, f"allowed are {', '.join((*_ADJACENCIES, *ADJACENCIES))}")
    moved = 2 if neighbours == REPLACE else 1
    found = list(_releases(event, 1, "event", 0, moved=moved, one_number=one_number))
    if not found:
        raise InputError("event: it releases nothing")
    return plan(found, adjacency=neighbours, **settings)


# ------------------------------------------------------------------------------------------------------------- events


def _releases(
    event: Any, times: int, place: str, depth: int, *, moved: int, one_number: bool
) -> Iterator[PlannedRelease]:
    """Yield the releases of an event, with the numbers of compositions around it multiplied.

    Neighbours move a sum by `moved` times the largest norm of one record's part in it.
    """
    kind = _name_of(event, place)
    if depth > _DEEPEST:
        raise InputError(f"{place}: nested too deeply")
    if kind == "NoOpDpEvent":
        return
    if kind == "ComposedDpEvent":
        parts = _field(event, "events", place)
        if isinstance(parts, str) or not isinstance(parts, Sequence):
            raise reject(f"{place}.events", parts, "expected a sequence of events")
        for number, part in enumerate(parts):
            inside = f"{place}.events[{number}]"
            yield from _releases(part, times, inside, depth + 1, moved=moved, one_number=one_number)
        return
    if kind == "SelfComposedDpEvent":
        count = exact(_field(event, "count", place), name=f"{place}.count")
        # No release at all, so that nothing inside has to have an account.
        if count == 0:
            return
        number = positive_integer(count, name=f"{place}.count", meaning="the number of releases")
        inner = _field(event, "event", place)
        inside = f"{place}.event"
        yield from _releases(inner, times * number, inside, depth + 1, moved=moved, one_number=one_number)
        return
    yield _release(_Event(event, kind, place, moved), times, one_number=one_number)


@dataclass(frozen=True)
class _Event:
    """A simple event, as `plans.kinds.kind.Event`."""

    source: Any
    name: str
    place: str
    moved: int

    def number(self, name: str) -> Fraction:
        """Return a field exactly."""
        return _number(_field(self.source, name, self.place), f"{self.place}.{name}")

    def optional(self, name: str) -> Any:
        """Return a field, None where there is none."""
        return _optional(self.source, name)

    def inner_noise(self) -> Fraction:
        """Return the noise multiplier of a sampled event, which has to be Gaussian."""
        place = f"{self.place}.event"
        inner = _field(self.source, "event", self.place)
        kind = _name_of(inner, place)
        if kind != "GaussianDpEvent":
            raise InputError(f"{place}: a random sample is accounted for Gaussian noise; this is {kind}")
        return _Event(inner, kind, place, self.moved).number("noise_multiplier")


def _release(event: _Event, times: int, *, one_number: bool) -> PlannedRelease:
    """Return the release of a simple event; `InputError` for one that has no account here."""
    for name, kind in KINDS.items():
        if event.name in kind.events:
            if kind.of_one_number:
                _refuse_vector(event, one_number=one_number)
            return release_of(name, {**kind.of_event(event), "count": times}, f"{event.place}.")
    raise InputError(f"{event.place}: {event.name} has no account here")


def _refuse_vector(event: _Event, *, one_number: bool) -> None:
    """Raise `InputError` for noise that may be on more than one number."""
    dimension = event.optional("dimension")
    if dimension not in (None, 1):
        reason = "its sensitivity has no norm; give the plan with a discrete-gaussian-vector line"
        raise reject(f"{event.place}.dimension", dimension, reason)
    if dimension is None and not one_number:
        raise InputError(
            f"{event.place}: {event.name} may be noise on every coordinate of a vector, and does not say so; the "
            "account here is for one number: pass one_number=True if every such release is one"
        )


def _name_of(event: Any, place: str) -> str:
    """Return the name of an event's class, without its module."""
    if not isinstance(event, Mapping):
        return type(event).__name__
    for name in ("type", "_type", "class"):
        if name in event:
            return str(event[name]).rpartition(".")[2]
    raise InputError(f"{place}: expected an event, or a mapping with its type")


def _optional(event: Any, name: str) -> Any:
    """Return a field of an event, None where it is missing."""
    return event.get(name) if isinstance(event, Mapping) else getattr(event, name, None)


def _field(event: Any, name: str, place: str) -> Any:
    """Return a field of an event; `InputError` where it is missing."""
    found = _optional(event, name)
    if found is None:
        raise InputError(f"{place}.{name}: missing")
    return found


def _number(value: Any, name: str) -> Fraction:
    """Return a number exactly; a float is what the package has run with."""
    return exact(value, name=name, floats="binary")


def _sampled(noise: Any, rate: Any, steps: Any, sampler: str, place: str) -> PlannedRelease:
    """Return steps of DP-SGD with exact numbers."""
    given: Fields = {
        "noise_multiplier": _number(noise, f"{place}noise_multiplier"),
        "sampling_rate": _number(rate, f"{place}sampling_rate"),
        "count": positive_integer(_number(steps, f"{place}steps"), name=f"{place}steps", meaning="the number of steps"),
        "sampler": sampler,
    }
    return release_of("dp-sgd", given, place)
