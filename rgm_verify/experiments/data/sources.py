"""The data sets that the experiments know: their files, what these must hold, and what a synthetic stand-in copies.

They stand in `data_sets.toml`, one table for each set. Its keys are the fields of `Source`, with `negative` and
`positive` for the labels that mean -1 and +1, and those of `Shape`; `even_groups = [features, count]` are groups about
equal, where those of the real set are not known. `dense` has `[lower, upper, mean, deviation]` for each feature, to
four digits.

A file is known by its content, whatever it is packed in: `content` is the digest of the numbers that are read from it
(`readers.content_digest`). `packed_sha256` and `packed_size` describe the copy that `content` was taken from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from rgm_verify.errors import InputError, reject

LIBSVM_SITE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
"""The address under which LibSVM publishes its sets with two classes."""

SIGNS: Mapping[float, float] = {-1.0: -1.0, 1.0: 1.0}
# Beside this module, as it is installed with it. It is no Python: `execute` adds its digest to that of the code.
CATALOGUE = Path(__file__).with_name("data_sets.toml")


@dataclass(frozen=True)
class SourceFile:
    """One file of a data set: how it may be called, how it is read, and the numbers that it must hold.

    Attributes:
        names: that it is looked for under, the first being that of the copy that was checked.
        packed_size: bytes of that copy.
        packed_sha256: its digest.
        content: the digest of the numbers.
        negatives: labels -1 after mapping.
        positives: labels +1 after mapping.
        form: "libsvm" (indices from 1), or "table".
        delimiter: of a table.
        header: its number of header lines.
        label: its label column, first or last.
        on_site: its name on the LibSVM site, "" where the site does not publish these records.
    """

    names: tuple[str, ...]
    packed_size: int
    packed_sha256: str
    content: str
    negatives: int
    positives: int
    form: str = "libsvm"
    delimiter: str = ","
    header: int = 0
    label: str = "first"
    on_site: str = ""

    @property
    def records(self) -> int:
        """Number of records."""
        return self.negatives + self.positives

    @property
    def url(self) -> str:
        """The address for a download; "" where none is known."""
        return LIBSVM_SITE + self.on_site if self.on_site else ""


@dataclass(frozen=True)
class Source:
    """A data set: its files in the order in which they are concatenated, and what they mean.

    Attributes:
        name: of the set.
        features: the number of columns.
        files: in order.
        origin: one sentence, what and from where.
        mapping: `labels` in words.
        labels: maps the labels of the files to -1 and +1.
        limits: what a subset cannot show; "" for a complete set.
    """

    name: str
    features: int
    files: tuple[SourceFile, ...]
    origin: str
    mapping: str = "labels as in the files"
    labels: Mapping[float, float] = field(default_factory=lambda: SIGNS)
    limits: str = ""

    @property
    def records(self) -> int:
        """Number of records in all files."""
        return sum(file.records for file in self.files)

    @property
    def positives(self) -> int:
        """Number of records with the label +1."""
        return sum(file.positives for file in self.files)


@dataclass(frozen=True)
class Column:
    """A dense feature: its range, mean and standard deviation."""

    lower: float
    upper: float
    mean: float
    deviation: float


@dataclass(frozen=True)
class Shape:
    """Sparse features first, in groups of which one is `value` and the others 0; then the dense ones.

    Attributes:
        groups: the number of features in each group.
        value: of the one feature of a group that is on.
        dense: the others, one by one.

    Examples:
        >>> Shape(groups=(2, 3), dense=(Column(0.0, 1.0, 0.5, 0.1),)).features
        6
    """

    groups: tuple[int, ...] = ()
    value: float = 1.0
    dense: tuple[Column, ...] = ()

    @property
    def features(self) -> int:
        """Number of features."""
        return sum(self.groups) + len(self.dense)


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    """A table of the file as it is written."""

    features: int
    origin: str
    files: list[_File]
    mapping: str = "labels as in the files"
    limits: str = ""
    negative: tuple[float, ...] = (-1.0,)
    positive: tuple[float, ...] = (1.0,)
    groups: tuple[int, ...] = ()
    even_groups: tuple[int, int] | None = None
    value: float = 1.0
    dense: tuple[tuple[float, float, float, float], ...] = ()

    def source(self, name: str) -> Source:
        """Return the set under its name, its labels as one mapping."""
        # Sorted, so that messages name labels in one order whatever the file says first.
        signs = {**dict.fromkeys(self.negative, -1.0), **dict.fromkeys(self.positive, 1.0)}
        labels = dict(sorted(signs.items()))
        files = tuple(SourceFile(**msgspec.structs.asdict(file)) for file in self.files)
        return Source(name, self.features, files, self.origin, self.mapping, labels, self.limits)

    def shape(self) -> Shape:
        """Return what a synthetic stand-in copies."""
        groups = _even_groups(*self.even_groups) if self.even_groups else self.groups
        return Shape(groups, self.value, tuple(Column(*column) for column in self.dense))


class _File(msgspec.Struct, forbid_unknown_fields=True):
    names: tuple[str, ...]
    packed_size: int
    packed_sha256: str
    content: str
    negatives: int
    positives: int
    form: Literal["libsvm", "table"] = "libsvm"
    delimiter: str = ","
    header: int = 0
    label: Literal["first", "last"] = "first"
    on_site: str = ""


def _even_groups(features: int, count: int) -> tuple[int, ...]:
    """Return `count` group sizes that differ by at most one and add up to `features`."""
    size, larger = divmod(features, count)
    return (size + 1,) * larger + (size,) * (count - larger)


def read_catalogue(path: Path) -> tuple[dict[str, Source], dict[str, Shape]]:
    """Return the sets of a file and their shapes, by name; `InputError` says which entry is wrong, and how.

    Args:
        path: a TOML file with a table for each set, as the module describes. Unknown keys are refused: one that is
            misspelt would leave its default in place.
    """
    try:
        entries = msgspec.toml.decode(path.read_bytes(), type=dict[str, _Entry])
    except msgspec.MsgspecError as error:
        raise InputError(f"{path.name}: {error}") from error
    sources = {name: entry.source(name) for name, entry in entries.items()}
    shapes = {name: entry.shape() for name, entry in entries.items()}
    for name, found in shapes.items():
        # A stand-in of another shape would let a test pass on it that fails on the set.
        if found.features != sources[name].features:
            raise InputError(f"{path.name}: {name}: {found.features} features in groups and columns, not as stated")
    return sources, shapes


SOURCES, SHAPES = read_catalogue(CATALOGUE)
"""Every data set by its name, and the shape of each."""


def source(name: str) -> Source:
    """Return the data set called `name`; `InputError` with the known names otherwise.

    Examples:
        >>> source("ijcnn1").records, source("ijcnn1").features
        (141691, 22)
    """
    if name not in SOURCES:
        raise reject("dataset", name, f"known data sets: {', '.join(SOURCES)}")
    return SOURCES[name]
