"""Images for the experiments: MNIST, loaded and verified, or synthetic images of the same shape.

The four files are those of the original, packed or not: IDX, a header of big-endian integers and then bytes. A file is
known by its content, so that the same numbers in another packing are the same data.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rgm_verify.errors import InputError, reject
from rgm_verify.experiments.data import locations
from rgm_verify.experiments.data.fetch import LARGEST_DOWNLOAD, fetch
from rgm_verify.experiments.data.readers import unpacked

Progress = Callable[[str, int, int], None]
Bytes: TypeAlias = NDArray[np.uint8]

NAMES = ("mnist",)
"""Every set of images."""

SIDE = 28
CLASSES = 10
_SITE = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_LARGEST = 2**26  # bytes unpacked: the largest of the files has 47 million
_RECIPE = "1"  # another version may give other numbers for the same seed
_TRAIN, _TEST = 60_000, 10_000


@dataclass(frozen=True)
class IdxFile:
    """A file of bytes in the IDX format: its name, its shape, and the SHA-256 of it unpacked."""

    name: str
    shape: tuple[int, ...]
    content: str

    @property
    def names(self) -> tuple[str, str]:
        """The names that it is looked for under."""
        return f"{self.name}.gz", self.name


FILES = (
    IdxFile(
        "train-images-idx3-ubyte",
        (_TRAIN, SIDE, SIDE),
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    ),
    IdxFile("train-labels-idx1-ubyte", (_TRAIN,), "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
    IdxFile(
        "t10k-images-idx3-ubyte",
        (_TEST, SIDE, SIDE),
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    ),
    IdxFile("t10k-labels-idx1-ubyte", (_TEST,), "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
)


@dataclass(frozen=True, eq=False)
class Images:
    """Images in grey and the classes of what they show, for training and for testing; all arrays are read-only.

    Attributes:
        name: of the set.
        images: (n, 28, 28), float32, from 0 to 1.
        labels: (n,), int64, from 0 to 9.
        test_images: the same for records that no training sees.
        test_labels: the same.
        source: one sentence, what it is and where from, or the recipe.
        sha256: names the numbers: of the digests of its files' content in their order, or of the recipe.
        synthetic: whether it is made up.
        limits: what it cannot show, "" for a complete set.
    """

    name: str
    images: NDArray[np.float32]
    labels: NDArray[np.int64]
    test_images: NDArray[np.float32]
    test_labels: NDArray[np.int64]
    source: str
    sha256: str
    synthetic: bool
    limits: str

    def __post_init__(self) -> None:
        # Methods share the arrays, and one that changed them in place would change the data of the next.
        for array in (self.images, self.labels, self.test_images, self.test_labels):
            array.flags.writeable = False

    @property
    def records(self) -> int:
        """The number of records for training."""
        return len(self.labels)

    @property
    def features(self) -> int:
        """The number of pixels."""
        return SIDE**2


def load_images(
    name: str, *, folder: Path | None = None, download: bool = True, progress: Progress | None = None
) -> Images:
    """Return the set of images `name`, complete and verified.

    Args:
        name: "mnist".
        folder: takes the place of `$RGM_VERIFY_DATA`; the four files lie in its subfolder `name`, packed or not.
        download: whether what is nowhere to be found may be downloaded.
        progress: told of a download.

    Raises:
        InputError: saying what to do, for an unknown name, for a file that is nowhere to be found, for a download that
            fails, and for a file that is damaged or holds other bytes.
    """
    _known(name)
    arrays = []
    for file in FILES:
        path = _located(name, file, folder, download, progress)
        arrays.append(read_idx(locations.read_whole(path, largest=_LARGEST), file, where=str(path)))
    # One name for all four files, whatever they are packed in.
    digest = hashlib.sha256("".join(file.content for file in FILES).encode()).hexdigest()
    source = f"MNIST of LeCun, Cortes and Burges, complete: {_TRAIN:,} images for training and {_TEST:,} for testing"
    return _images(name, arrays, source, digest, synthetic=False, limits="")


def synthetic_images(name: str = "mnist", *, seed: int = 0, records: int = _TRAIN, tests: int = _TEST) -> Images:
    """Return synthetic images: one smooth picture for each class, shifted a little, with noise on every pixel.

    The same seed gives the same numbers, to the last bit. Its name is "synthetic-" and the name of the set.

    Args:
        name: "mnist".
        seed: an integer >= 0.
        records: for training; at least 10.
        tests: for testing; at least 10.

    Raises:
        InputError: for an unknown name, another seed, and fewer records than classes.

    Examples:
        >>> synthetic_images(records=20, tests=10).images.shape
        (20, 28, 28)
    """
    _known(name)
    if type(seed) is not int or seed < 0:
        raise reject("seed", seed, "expected an integer >= 0")
    for what, count in (("records", records), ("tests", tests)):
        if type(count) is not int or count < CLASSES:
            raise reject(what, count, f"expected an integer >= {CLASSES}: one for each class")
    arrays = [*_drawn(name, seed, records), *_drawn(name, seed, tests, test=True)]
    recipe = f"synthetic images (recipe {_RECIPE}, seed {seed}, {records} and {tests} records)"
    digest = hashlib.sha256(recipe.encode()).hexdigest()
    limits = f"synthetic: says nothing about {name}"
    return _images(f"synthetic-{name}", arrays, recipe, digest, synthetic=True, limits=limits)


def read_idx(data: bytes, file: IdxFile, *, where: str) -> Bytes:
    """Return the array of an IDX file of bytes, packed or plain.

    Args:
        data: the file.
        file: what it has to be.
        where: names the file in errors.

    Returns:
        A read-only array of the shape that `file` states, without a copy.

    Raises:
        InputError: for a file that is damaged, of another shape, or holds other bytes than those of the catalogue.
    """
    plain = unpacked(data, where=where, largest=_LARGEST)
    # Two zeros, 8 for bytes, the number of lengths, and the lengths: everything but the numbers is known beforehand.
    rank, size = len(file.shape), math.prod(file.shape)
    header = bytes((0, 0, 8, rank)) + b"".join(length.to_bytes(4, "big") for length in file.shape)
    if plain[:4] != header[:4]:
        raise InputError(f"{where}: begins with {plain[:4].hex()}, not with {header[:4].hex()} as this file; {_ADVICE}")
    if plain[: len(header)] != header or len(plain) != len(header) + size:
        expected = " by ".join(map(str, file.shape))
        raise InputError(f"{where}: holds {len(plain)} bytes, not an array of {expected}; {_ADVICE}")
    # Last, as it says only that something is different; the checks before say what.
    found = hashlib.sha256(plain).hexdigest()
    if found != file.content:
        raise InputError(
            f"{where}: its bytes are not those of this data set (SHA-256 of the content {found}, expected "
            f"{file.content}); {_ADVICE}"
        )
    return np.frombuffer(plain, dtype=np.uint8, offset=len(header)).reshape(file.shape)


_ADVICE = "it is damaged or another edition: remove it and get it again"


def _known(name: str) -> None:
    """Raise `InputError` for a set that there is not, naming those that there are."""
    if name not in NAMES:
        raise reject("dataset", name, f"known sets of images: {', '.join(NAMES)}")


def _images(name: str, arrays: list[Bytes], source: str, sha256: str, *, synthetic: bool, limits: str) -> Images:
    """Return the four arrays of bytes as images in float32 from 0 to 1, and labels."""
    # One division, correctly rounded: the same floats on every machine.
    images, labels, test_images, test_labels = arrays
    return Images(
        name,
        images.astype(np.float32) / np.float32(255),
        labels.astype(np.int64),
        test_images.astype(np.float32) / np.float32(255),
        test_labels.astype(np.int64),
        source,
        sha256,
        synthetic,
        limits,
    )


def _located(name: str, file: IdxFile, folder: Path | None, download: bool, progress: Progress | None) -> Path:
    """Return where the file lies, after a download if need be: the user's own folder comes first, then the cache."""
    given = locations.data_folder(folder)
    if given is not None and (found := locations.first_existing([given / name], file.names)):
        return found
    # Asked for only now: who has the files in a folder needs no cache, nor the package that finds it.
    cache = locations.cache_folder() / "data" / name
    if found := locations.first_existing([cache], file.names):
        return found
    # Every way is said in the message: who reads it has no data, and perhaps no network.
    looked = " and ".join(str(place) for place in (given and given / name, cache) if place)
    what = f"{name}: no file {' or '.join(file.names)} in {looked}."
    way = (
        f"What to do: put {', '.join(each.names[0] for each in FILES)} into DIR/{name}/ and say --data DIR or set "
        f"{locations.VARIABLE}=DIR; or use --synthetic for synthetic images of the same shape"
    )
    url, target = _SITE + file.names[0], cache / file.names[0]
    if not download:
        raise InputError(f"{what} It was not downloaded from {url}, because that was not asked for. {way}")

    def check(data: bytes) -> None:
        read_idx(data, file, where=url)

    try:
        fetch(url, target, check=check, largest=LARGEST_DOWNLOAD, progress=progress)
    except InputError as error:
        raise InputError(f"{what} The download failed: {error}. {way}") from None
    return target


def _drawn(name: str, seed: int, records: int, *, test: bool = False) -> tuple[Bytes, Bytes]:
    """Return pictures and classes. All is made of integers from the raw stream of PCG64, the same everywhere."""
    salt = int.from_bytes(hashlib.sha256(f"{name} {_RECIPE}".encode()).digest()[:8], "big")
    # The pictures of the classes are those of the training records, also for testing: else nothing could be learnt.
    grid = _integers((salt, seed, 0), CLASSES * 49, 256).reshape(CLASSES, 7, 7)
    pictures = grid.repeat(4, axis=1).repeat(4, axis=2)
    labels = np.arange(records) % CLASSES
    shifts = _integers((salt, seed, 1 + test), 2 * records, 5).reshape(records, 2)
    noise = _integers((salt, seed, 3 + test), records * SIDE * SIDE, 256).reshape(records, SIDE, SIDE)
    images = np.empty((records, SIDE, SIDE), dtype=np.uint8)
    for i, (label, (down, right)) in enumerate(zip(labels, shifts, strict=True)):
        shifted = np.roll(pictures[label], (down - 2, right - 2), axis=(0, 1))
        # Half picture, half noise.
        images[i] = (shifted + noise[i]) // 2
    return images, labels.astype(np.uint8)


def _integers(key: tuple[int, ...], count: int, below: int) -> NDArray[np.int64]:
    """Return `count` integers from 0 on: the low bytes of the raw stream, modulo `below`, which is at most 256."""
    # NumPy promises to keep the raw stream; its distributions may change between versions.
    words = np.random.PCG64(np.random.SeedSequence(key)).random_raw(-(-count // 8))
    stream = np.asarray(words, dtype="<u8").view(np.uint8)[:count]
    return np.asarray(stream.astype(np.int64) % below)
