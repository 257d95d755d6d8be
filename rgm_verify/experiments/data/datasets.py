"""Data sets for the experiments: loaded and verified, or synthetic ones of the same shape.

A set is looked for in the user's folder (`--data`, else `$RGM_VERIFY_DATA`), then in the user's cache, and is else
downloaded from the LibSVM site into that cache. What is loaded has the counts, the labels and the digest of the
numbers that the catalogue states (`sources`), wherever it came from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rgm_verify.errors import InputError, reject
from rgm_verify.experiments.data import locations
from rgm_verify.experiments.data.fetch import LARGEST_DOWNLOAD, fetch
from rgm_verify.experiments.data.parsed_cache import Records, parsed_once
from rgm_verify.experiments.data.readers import LARGEST_TEXT, read_records, svmlight_reader
from rgm_verify.experiments.data.sources import SHAPES, SOURCES, Source, SourceFile, source
from rgm_verify.experiments.data.synthetic import RECIPE, synthetic_records
from rgm_verify.learning.data import FloatArray
from rgm_verify.numbers.exact import positive_integer

Progress = Callable[[str, int, int], None]
"""Told of a download: the name of the file, the bytes so far, and all bytes (0 if the site does not say)."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Records with two classes; both arrays are read-only.

    Attributes:
        name: of the set.
        X: features (n, d), float64.
        y: labels (n,), -1.0 and +1.0.
        source: one sentence, what it is and where from, or the recipe.
        sha256: names the numbers: of the digests of its files' content in their order, or of the recipe.
        synthetic: whether it is made up.
        limits: what a subset cannot show, "" for a complete set.
    """

    name: str
    X: FloatArray
    y: FloatArray
    source: str
    sha256: str
    synthetic: bool
    limits: str

    def __post_init__(self) -> None:
        # Methods share the arrays, and one that centred them in place would change the data of the next.
        self.X.flags.writeable = False
        self.y.flags.writeable = False

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.X)

    @property
    def features(self) -> int:
        """The number of features."""
        return int(self.X.shape[1])


def names() -> tuple[str, ...]:
    """Return the names of the data sets that `load` and `synthetic` know, as the catalogue has them."""
    return tuple(SOURCES)


def load(name: str, *, folder: Path | None = None, download: bool = True, progress: Progress | None = None) -> Dataset:
    """Return the data set `name`, complete and verified.

    Args:
        name: of the catalogue.
        folder: takes the place of `$RGM_VERIFY_DATA`; the files of a set lie in its subfolder `name`, packed or not.
        download: whether what is nowhere to be found may be downloaded.
        progress: told of a download.

    Raises:
        InputError: saying what to do, for an unknown name, for a set that is nowhere to be found, for a download that
            fails, and for a file that is damaged or holds other numbers than the catalogue states.
    """
    wanted = source(name)
    # All files before any is read: a set of two of which one is missing should not be parsed first.
    paths = [_located(wanted, file, folder, download, progress) for file in wanted.files]
    packed = [locations.read_whole(path, largest=LARGEST_TEXT) for path in paths]

    def parse() -> list[Records]:
        return [
            read_records(data, file, wanted.features, wanted.labels, where=str(path))
            for data, file, path in zip(packed, wanted.files, paths, strict=True)
        ]

    X, y = parsed_once(packed, wanted, parse, cache=_cache_if_any())
    digest = hashlib.sha256("".join(file.content for file in wanted.files).encode()).hexdigest()
    return Dataset(wanted.name, X, y, f"{wanted.origin}; {wanted.mapping}", digest, False, wanted.limits)


def synthetic(name: str = "ijcnn1", *, seed: int = 0, records: int | None = None) -> Dataset:
    """Return a synthetic set of the shape of `name`: as many features, their ranges, and the share of positive labels.

    The recipe stands at `synthetic.synthetic_records`. The same seed gives the same numbers, to the last bit. Its name
    is "synthetic-" and the name of the set.

    Args:
        name: of the catalogue.
        seed: an integer >= 0.
        records: the number of records, by default that of the real set; at least two.

    Raises:
        InputError: for an unknown name, another seed and fewer than two records.

    Examples:
        >>> synthetic("ijcnn1", records=10).X.shape
        (10, 22)
    """
    model = source(name)
    if type(seed) is not int or seed < 0:
        raise reject("seed", seed, "expected an integer >= 0")
    count = model.records if records is None else positive_integer(records, name="records", meaning="number of records")
    if count < 2:
        raise reject("records", count, "a data set with two classes has at least 2 records")
    # Both classes have at least one record, however few there are.
    positives = min(count - 1, max(1, round(count * model.positives / model.records)))
    X, y = synthetic_records(name, SHAPES[name], positives=positives, records=count, seed=seed)
    recipe = f"synthetic records of the shape of {name} (recipe {RECIPE}, seed {seed}, {count} records)"
    limits = f"synthetic: says nothing about {name}"
    return Dataset(f"synthetic-{name}", X, y, recipe, hashlib.sha256(recipe.encode()).hexdigest(), True, limits)


def _located(wanted: Source, file: SourceFile, folder: Path | None, download: bool, progress: Progress | None) -> Path:
    """Return where the file lies, after a download if need be.

    The user's own folder comes first: whoever names one wants the files in it.
    """
    given = locations.data_folder(folder)
    if given is not None and (found := locations.first_existing([given / wanted.name], file.names)):
        return found
    cache = locations.cache_folder() / "data" / wanted.name
    if found := locations.first_existing([cache], file.names):
        return found
    looked = [place for place in (given and given / wanted.name, cache) if place]
    if not file.url:
        raise _missing(wanted, file, looked, "The LibSVM site does not have these records")
    if not download:
        raise _missing(wanted, file, looked, f"It was not downloaded from {file.url}, because that was not asked for")
    # Asked before the download: without a reader its megabytes would be of no use.
    svmlight_reader()
    target = cache / file.on_site
    try:
        fetch(file.url, target, check=_checker(wanted, file), largest=LARGEST_DOWNLOAD, progress=progress)
    except InputError as error:
        raise _missing(wanted, file, looked, f"The download failed: {error}") from None
    return target


def _checker(wanted: Source, file: SourceFile) -> Callable[[bytes], None]:
    """Return the check of a downloaded file: that it is read, and holds the numbers of the catalogue."""

    def check(data: bytes) -> None:
        read_records(data, file, wanted.features, wanted.labels, where=file.url)

    return check


def _missing(wanted: Source, file: SourceFile, looked: list[Path], reason: str) -> InputError:
    """Return the error for a set that is not there, with every way to get it."""
    folders = " and ".join(str(place) for place in looked)
    needed = ", ".join(each.names[0] for each in wanted.files)
    return InputError(
        f"{wanted.name}: no file {' or '.join(file.names)} in {folders}. {reason}. What to do: put {needed} into "
        f"DIR/{wanted.name}/ and say --data DIR or set {locations.VARIABLE}=DIR; or use --synthetic for a synthetic "
        f"set of the same shape. The set is {wanted.origin}"
    )


def _cache_if_any() -> Path | None:
    """Return the user's cache, None where there is none: a cache is never a reason to fail."""
    try:
        return locations.cache_folder()
    except InputError:
        return None
