"""Images: read from files that are checked to the last byte, or synthetic and said to be so."""

from __future__ import annotations

import gzip
import hashlib
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data import images, locations
from rgm_verify.experiments.data.images import FILES, IdxFile, load_images, read_idx, synthetic_images

SHAPES = ((30, 28, 28), (30,), (10, 28, 28), (10,))


def idx(array: np.ndarray) -> bytes:
    lengths = b"".join(length.to_bytes(4, "big") for length in array.shape)
    return bytes((0, 0, 8, array.ndim)) + lengths + array.astype(np.uint8).tobytes()


@pytest.fixture
def contents() -> dict[str, bytes]:
    """The four files of a small set, unpacked."""
    generator = np.random.default_rng(1)
    return {
        file.name: idx(generator.integers(0, 10 if len(shape) == 1 else 256, shape))
        for file, shape in zip(FILES, SHAPES, strict=True)
    }


@pytest.fixture
def folder(tmp_path: Path, contents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the small set in the place of the real one."""
    files = tuple(
        IdxFile(file.name, shape, hashlib.sha256(contents[file.name]).hexdigest())
        for file, shape in zip(FILES, SHAPES, strict=True)
    )
    monkeypatch.setattr(images, "FILES", files)
    monkeypatch.setattr(locations, "cache_folder", lambda: tmp_path / "cache")
    (tmp_path / "data" / "mnist").mkdir(parents=True)
    for name, content in contents.items():
        (tmp_path / "data" / "mnist" / f"{name}.gz").write_bytes(gzip.compress(content))
    return tmp_path / "data"


def test_a_set_is_the_bytes_of_its_files_packed_or_not(folder: Path, contents: dict[str, bytes]) -> None:
    packed = load_images("mnist", folder=folder)
    for name, content in contents.items():
        (folder / "mnist" / f"{name}.gz").unlink()
        (folder / "mnist" / name).write_bytes(content)
    plain = load_images("mnist", folder=folder)
    assert packed.sha256 == plain.sha256
    for field in ("images", "labels", "test_images", "test_labels"):
        assert np.array_equal(getattr(packed, field), getattr(plain, field))
    pixels = np.frombuffer(contents[FILES[0].name][16:], dtype=np.uint8).reshape(30, 28, 28)
    assert np.array_equal(np.round(packed.images * 255), pixels)
    assert packed.images.dtype == np.float32
    assert packed.images.max() <= 1
    assert (packed.records, packed.features, packed.synthetic) == (30, 784, False)


def test_images_cannot_be_changed(folder: Path) -> None:
    found = load_images("mnist", folder=folder)
    for array in (found.images, found.labels, found.test_images, found.test_labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plain: plain[:-1], "not an array of 30 by 28 by 28"),
        (lambda plain: plain + b"\0", "not an array of 30 by 28 by 28"),
        (lambda plain: plain[:4] + (31).to_bytes(4, "big") + plain[8:], "not an array of 30 by 28 by 28"),
        (lambda plain: b"\0\0\x0d\x03" + plain[4:], "begins with 00000d03, not with 00000803"),
        (lambda plain: b"", "begins with , not with 00000803"),
        (lambda plain: plain[:-1] + bytes([plain[-1] ^ 1]), "its bytes are not those of this data set"),
    ],
)
def test_a_file_that_is_damaged_is_refused_with_what_is_wrong(folder: Path, contents, change, message) -> None:
    file = images.FILES[0]
    for data in (change(contents[file.name]), gzip.compress(change(contents[file.name]))):
        with pytest.raises(InputError, match=f"here: .*{message}.*get it again"):
            read_idx(data, file, where="here")


def test_a_packed_file_that_is_cut_off_is_refused(folder: Path, contents: dict[str, bytes]) -> None:
    path = folder / "mnist" / f"{FILES[0].name}.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"train-images-idx3-ubyte\.gz: cannot be unpacked"):
        load_images("mnist", folder=folder)


def test_a_set_that_is_nowhere_says_where_it_was_looked_for_and_every_way_out(folder: Path) -> None:
    (folder / "mnist" / f"{FILES[2].name}.gz").unlink()
    with pytest.raises(InputError) as error:
        load_images("mnist", folder=folder, download=False)
    for part in ("mnist: no file t10k-images-idx3-ubyte.gz or", str(folder / "mnist"), "--data DIR", "--synthetic"):
        assert part in str(error.value)


def test_a_site_with_other_bytes_leaves_nothing_in_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "mnist" / f"{FILES[0].name}.gz").unlink()

    def fetch(url, target, *, check, **_):
        check(gzip.compress(b"\0" * 100))
        target.write_bytes(b"")

    monkeypatch.setattr(images, "fetch", fetch)
    with pytest.raises(InputError, match=r"The download failed: https://.*begins with.*--synthetic"):
        load_images("mnist", folder=folder)


def test_a_download_lies_in_the_cache_and_is_read(
    folder: Path, contents: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = (folder / "mnist" / f"{FILES[0].name}.gz").read_bytes()
    (folder / "mnist" / f"{FILES[0].name}.gz").unlink()

    def fetch(url, target, *, check, **_):
        assert url.endswith("/train-images-idx3-ubyte.gz")
        check(packed)
        target.parent.mkdir(parents=True)
        target.write_bytes(packed)

    monkeypatch.setattr(images, "fetch", fetch)
    first = load_images("mnist", folder=folder)
    monkeypatch.setattr(images, "fetch", lambda *_, **__: pytest.fail("it was fetched again"))
    assert load_images("mnist", folder=folder).sha256 == first.sha256


def test_an_unknown_set_is_answered_with_the_known_ones() -> None:
    for make in (load_images, synthetic_images):
        with pytest.raises(InputError, match="dataset='cifar-10': known sets of images: mnist"):
            make("cifar-10")


def test_synthetic_images_are_those_of_the_recipe_to_the_last_bit() -> None:
    found = synthetic_images(records=40, tests=20)
    digest = hashlib.sha256((found.images * 255).round().astype(np.uint8).tobytes()).hexdigest()
    assert digest[:16] == "d58fe0b161e592bd"
    assert found.synthetic
    assert found.name == "synthetic-mnist"
    assert "says nothing about mnist" in found.limits
    assert np.array_equal(np.bincount(found.labels), np.full(10, 4))


def test_synthetic_sets_of_other_seeds_and_sizes_have_other_digests() -> None:
    some = [synthetic_images(records=r, tests=t, seed=s) for r, t, s in ((20, 10, 0), (20, 10, 1), (30, 10, 0))]
    assert len({each.sha256 for each in some}) == 3
    assert not np.array_equal(some[0].images, some[1].images)
    assert not np.array_equal(some[0].images[:10], some[0].test_images)


@pytest.mark.parametrize("changes", [{"seed": -1}, {"seed": 1.0}, {"records": 9}, {"tests": 0}, {"records": "20"}])
def test_synthetic_sets_of_other_kinds_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError, match=next(iter(changes))):
        synthetic_images(**{"records": 20, "tests": 10} | changes)


@pytest.mark.skipif(
    not (Path(os.environ.get("RGM_VERIFY_DATA", "/nowhere")) / "mnist").is_dir(),
    reason="RGM_VERIFY_DATA does not name a folder with MNIST",
)
def test_the_real_set_is_the_one_of_the_catalogue() -> None:
    found = load_images("mnist", download=False)
    assert (len(found.labels), len(found.test_labels)) == (60_000, 10_000)
    # The numbers of each digit, as they are known of the original.
    assert np.bincount(found.labels).tolist() == [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]
    assert replace(found, name="x").records == 60_000
