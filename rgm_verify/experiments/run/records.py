"""The record of an experiment: every number with where it comes from, as typed JSON.

It holds no times and no paths, so that the same seed gives the same bytes, whatever the number of workers.
"""

from __future__ import annotations

import inspect
import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from rgm_verify.errors import InputError
from rgm_verify.experiments.accounts import Cost, NodeAccount
from rgm_verify.jobs.files import write_atomically

if TYPE_CHECKING:
    from rgm_verify.experiments.data.datasets import Dataset
    from rgm_verify.experiments.data.images import Images

FORMAT = "rgm-verify experiment 1"

Named = TypeVar("Named")
Number: TypeAlias = Annotated[float | None, Meta(description="Null stands for what is not finite.")]


class Source(msgspec.Struct, kw_only=True, frozen=True):
    """A data set and where it comes from."""

    name: str
    source: str
    sha256: Annotated[str, Meta(description="Of its files, or of the recipe where it is synthetic.")]
    records: int
    features: int
    synthetic: bool
    limits: Annotated[str, Meta(description="What a subset limits; empty for a whole set.")]

    @classmethod
    def of(cls, name: str, dataset: Dataset | Images) -> Source:
        """Return the record of a data set, under the name by which it is asked for.

        Args:
            name: as setups have it. A synthetic stand-in has it too, and is told by `synthetic`.
            dataset: records or images.
        """
        return cls(
            name=name,
            source=dataset.source,
            sha256=dataset.sha256,
            records=dataset.records,
            features=dataset.features,
            synthetic=dataset.synthetic,
            limits=dataset.limits,
        )


class Run(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One run of one method."""

    run: int
    curve: Annotated[
        list[Number],
        Meta(
            description="What is plotted, before the first step and after each; empty if not feasible. Null from the "
            "step on that left the range of floats, where the run diverges."
        ),
    ]
    expected: Annotated[
        list[Number],
        Meta(description="The exact expectation of the curve, null where it diverges; empty where it is not known."),
    ]
    final: Annotated[dict[str, Number], Meta(description="Single numbers of the run, by name.")]
    accounts: Annotated[list[NodeAccount], Meta(description="What each node's releases cost, node by node.")]
    costs: Annotated[dict[str, Cost], Meta(description="Of a training: epsilons of all its steps, by name.")] = {}

    @property
    def diverged(self) -> int | None:
        """The step that left the range of floats; None where all of them stayed in it."""
        return self.curve.index(None) if None in self.curve else None


class Band(msgspec.Struct, kw_only=True, frozen=True):
    """Curves that sum up the runs, entry by entry; an entry is null where one of the runs has no finite value.

    They are empty where a run has no curve.
    """

    geometric_mean: Annotated[list[Number], Meta(description="Null as well where a run is negative.")]
    median: list[Number]
    lower: Annotated[list[Number], Meta(description="The least of the runs.")]
    upper: Annotated[list[Number], Meta(description="The greatest of the runs.")]


class MethodRecord(msgspec.Struct, kw_only=True, frozen=True):
    """One method in one panel: its runs in order, and their band."""

    method: str
    runs: list[Run]
    band: Band


class PanelRecord(msgspec.Struct, kw_only=True, frozen=True):
    """One panel: every choice that was made for it, and its methods in the order in which they are drawn."""

    name: str
    title: str
    x: Annotated[str, Meta(description="What is drawn to the right: `iteration` or `threshold`.")]
    setup: Annotated[dict[str, Any], Meta(description="Every choice of the experiment, by name.")]
    methods: list[MethodRecord]


class Record(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One experiment, complete."""

    format: str
    experiment: str
    title: str
    question: str
    runs: int
    seed: int
    versions: dict[str, str]
    code: Annotated[str, Meta(description="SHA-256 over the code that makes the numbers.")]
    datasets: list[Source]
    panels: list[PanelRecord]
    kind: Annotated[str, Meta(description="`two-nodes` or `training`.")] = "two-nodes"

    def panel(self, name: str) -> PanelRecord:
        """The panel of that name; `InputError` lists the names that there are.

        Args:
            name: as the catalogue has it, such as "label".
        """
        return named({panel.name: panel for panel in self.panels}, name, "panel")

    def source(self, panel: PanelRecord) -> Source:
        """The data set that a panel was computed on."""
        return named({source.name: source for source in self.datasets}, str(panel.setup.get("dataset")), "dataset")


def named(items: Mapping[str, Named], name: str, kind: str) -> Named:
    """The item of that name; `InputError` lists the names that there are.

    Args:
        items: by name.
        name: as the user has written it.
        kind: what the items are, for the message.

    Examples:
        >>> named({"random": 1, "label": 2}, "label", "panel")
        2
    """
    if name not in items:
        raise InputError(f"{kind}={name!r}: the record has {', '.join(items) or 'none'}")
    return items[name]


# -------------------------------------------------------------------------------------------------------------- bands


def number(value: float) -> float | None:
    """A value as it is recorded: None where it is not finite, as JSON has no infinity and no NaN.

    Examples:
        >>> number(0.5), number(math.inf)
        (0.5, None)
    """
    return float(value) if math.isfinite(value) else None


def band(curves: Sequence[Sequence[float | None]]) -> Band:
    """Sum up the curves of several runs, which have one length or are empty.

    The geometric mean is that of the exponents, clamped into the band, so that rounding never leaves it; it is 0 where
    a run is 0.

    Args:
        curves: of the runs, shape (runs, steps + 1), None where a value is not finite. One that is empty makes the band
            empty: a band over some of the runs would show less spread than there is.

    Examples:
        >>> band([[1.0, 4.0], [1.0, None]]).geometric_mean, band([[1.0], [4.0]]).geometric_mean
        ([1.0, None], [2.0])
    """
    # Strict: curves of different lengths are of different experiments, and no band is made of a common beginning.
    columns = list(zip(*curves, strict=True)) if all(curves) else []
    return Band(
        geometric_mean=[_summary(column, _geometric_mean) for column in columns],
        median=[_summary(column, statistics.median) for column in columns],
        lower=[_summary(column, min) for column in columns],
        upper=[_summary(column, max) for column in columns],
    )


def _summary(column: Sequence[float | None], of: Callable[[list[float]], float | None]) -> float | None:
    """Return one number of a column of runs; None where some run has no finite value."""
    values = [value for value in column if value is not None]
    # All runs or none: leaving out those that diverged would make a method look better for diverging.
    found = of(values) if values and len(values) == len(column) else None
    return None if found is None else number(found)


def _geometric_mean(values: Sequence[float]) -> float | None:
    """Return the geometric mean, which is what a mean is on a logarithmic axis; None for negative values."""
    least, greatest = min(values), max(values)
    if least <= 0:
        return None if least < 0 else 0.0
    # By logarithms, since a product of values leaves the floats long before their mean does.
    mean = math.exp(math.fsum(map(math.log, values)) / len(values))
    return min(max(mean, least), greatest)


# --------------------------------------------------------------------------------------------------------------- text


def encode(record: msgspec.Struct) -> bytes:
    """Canonical JSON of a record: the same record gives the same bytes.

    Args:
        record: of this module, or another one of its kind. Keys stand in the order of the fields, and those of mappings
            in alphabetical order.
    """
    return msgspec.json.format(msgspec.json.encode(record, order="deterministic"), indent=1) + b"\n"


def decode(data: bytes, *, name: str) -> Record:
    """Read a record; `InputError` names the source and what is wrong in it.

    Args:
        data: JSON.
        name: of where it is from, for messages.

    Returns:
        A record whose numbers of runs, lengths of curves and bands fit together: what draws and judges it need not look
        again.
    """
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise InputError(f"{name}: not the record of an experiment: {error}") from error
    if record.format != FORMAT:
        raise InputError(f"{name}: format {record.format!r}; this version reads {FORMAT!r}")
    # The first is enough: a record is made again, and never mended.
    for problem in _problems(record):
        raise InputError(f"{name}: {problem}; run the experiment again")
    return record


def _problems(record: Record) -> Iterable[str]:
    """Yield the faults that types cannot express: in the number of runs, the lengths of curves, and the bands."""
    for panel in record.panels:
        # Raises where a panel names a data set that the record does not have.
        record.source(panel)
        for method in panel.methods:
            place = f"{panel.name}/{method.method}"
            if [run.run for run in method.runs] != list(range(record.runs)):
                yield f"{place}: not the runs 0 to {record.runs - 1}"
            elif len({len(run.curve) for run in method.runs if run.curve}) > 1:
                yield f"{place}: the runs' curves differ in length"
            elif any(_comes_back(curve) for run in method.runs for curve in (run.curve, run.expected)):
                yield f"{place}: a curve has numbers after it left the range of floats"
            elif not _is_band(method.band, [run.curve for run in method.runs]):
                yield f"{place}: the band is not that of the runs"


def _comes_back(curve: Sequence[float | None]) -> bool:
    """Tell whether a curve has numbers after a None."""
    return None in curve and any(value is not None for value in curve[curve.index(None) :])


def _is_band(found: Band, curves: Sequence[Sequence[float | None]]) -> bool:
    """Return whether a band is that of the curves; of means only the number counts, as machines round differently."""
    wanted = band(curves)
    # The median is a recorded number or the middle of two, and the same on every machine.
    same = (found.lower, found.upper, found.median) == (wanted.lower, wanted.upper, wanted.median)
    return same and len(found.geometric_mean) == len(wanted.geometric_mean)


def write(record: Record, path: Path) -> None:
    """Write a record as a whole or not at all; the folder is made where it is missing."""
    write_atomically(path, encode(record))


def read(path: Path) -> Record:
    """Read a record from a file; `InputError` says what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); give the record of an experiment"
        ) from error
    return decode(data, name=str(path))


def schema() -> dict[str, Any]:
    """JSON Schema of a record, generated from the types above; the same in every version of Python.

    Examples:
        >>> schema()["$ref"]
        '#/$defs/Record'
    """
    found: dict[str, Any] = msgspec.json.schema(Record)
    for definition in found["$defs"].values():
        if "description" in definition:
            # Python 3.13 takes the indentation off docstrings, and earlier ones keep it.
            definition["description"] = inspect.cleandoc(definition["description"])
    return found
