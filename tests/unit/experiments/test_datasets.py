"""Data sets: what is loaded is what the catalogue states, and whatever is wrong with a file is said."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import http.server
import lzma
import mmap
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data import datasets, locations, parsed_cache, readers, sources
from rgm_verify.experiments.data.sources import SHAPES, SOURCES, Source, SourceFile, read_catalogue

TEXT = b"1 1:0.5 3:-2\n2 2:1e-3 3:-0\n\n1 1:0.1\n"
X = np.array([[0.5, 0.0, -2.0], [0.0, 0.001, 0.0], [0.1, 0.0, 0.0]])
Y = np.array([-1.0, 1.0, -1.0])
ONE_TWO = {1.0: -1.0, 2.0: 1.0}
TINY = Source(
    name="tiny",
    features=3,
    files=(
        SourceFile(
            names=("tiny.bz2", "tiny"),
            packed_size=len(TEXT),
            packed_sha256=hashlib.sha256(TEXT).hexdigest(),
            content=readers.content_digest(X, Y),
            negatives=2,
            positives=1,
            on_site="tiny",
        ),
    ),
    origin="three records",
    mapping="1 is -1, 2 is +1",
    labels=ONE_TWO,
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's cache, empty, with nothing else to find and no site to ask."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RGM_VERIFY_DATA", raising=False)
    monkeypatch.setattr(sources, "LIBSVM_SITE", "http://127.0.0.1:9/")
    monkeypatch.setitem(SOURCES, "tiny", TINY)  # type: ignore[misc]
    return tmp_path / "cache" / "rgm-verify"


@pytest.fixture
def folder(tmp_path: Path, cache: Path) -> Path:
    """A folder of data with an empty folder for the tiny set."""
    (tmp_path / "data" / "tiny").mkdir(parents=True)
    return tmp_path / "data"


def put(folder: Path, data: bytes, name: str = "tiny") -> Path:
    path = folder / "tiny" / name
    path.write_bytes(data)
    return path


def refusal(folder: Path) -> str:
    with pytest.raises(InputError) as refused:
        datasets.load("tiny", folder=folder, download=False)
    return str(refused.value)


# ------------------------------------------------------------------------------------------------ what is read


@pytest.mark.parametrize("pack", [bytes, bz2.compress, gzip.compress, lzma.compress], ids=["plain", "bz2", "gz", "xz"])
@pytest.mark.parametrize("name", ["tiny", "tiny.bz2"])
def test_a_set_is_the_numbers_of_its_files_whatever_they_are_packed_in(folder: Path, pack, name: str) -> None:
    put(folder, pack(TEXT), name)
    found = datasets.load("tiny", folder=folder)
    assert np.array_equal(found.X, X)
    assert not np.signbit(found.X[found.X == 0]).any()
    assert np.array_equal(found.y, Y)
    assert (found.name, found.synthetic, found.limits) == ("tiny", False, "")
    assert found.sha256 == hashlib.sha256(TINY.files[0].content.encode()).hexdigest()
    assert "1 is -1" in found.source


def test_the_records_of_a_set_cannot_be_changed(folder: Path) -> None:
    put(folder, TEXT)
    found = datasets.load("tiny", folder=folder)
    with pytest.raises(ValueError, match="read-only"):
        found.X[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        found.y[0] = 1


def test_files_are_concatenated_in_their_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    second = replace(
        TINY.files[0], names=("more",), negatives=1, positives=0, content=readers.content_digest(X[:1], Y[:1])
    )
    monkeypatch.setitem(SOURCES, "tiny", replace(TINY, files=(second, TINY.files[0])))  # type: ignore[misc]
    put(folder, TEXT)
    put(folder, TEXT.splitlines(keepends=True)[0], "more")
    found = datasets.load("tiny", folder=folder)
    assert np.array_equal(found.X, np.vstack([X[:1], X]))
    assert np.array_equal(found.y, np.concatenate([Y[:1], Y]))


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"delimiter": ","}, "2,0.5,0,-2\n1,0,1e-3,-0\n"),
        ({"delimiter": "\t"}, "2\t0.5\t0\t-2\n1\t0\t1e-3\t-0\n\n"),
        ({"label": "last", "header": 1}, "a,b,c,label\n0.5,0,-2,2\n0,1e-3,-0,1\n"),
    ],
    ids=["comma", "tab", "header and label last"],
)
def test_a_table_is_read_by_its_delimiter_header_and_label_column(form: dict[str, object], text: str) -> None:
    x, y = np.array([[0.5, 0, -2], [0, 1e-3, 0]]), np.array([1.0, -1.0])
    file = replace(TINY.files[0], form="table", negatives=1, content=readers.content_digest(x, y), **form)
    got = readers.read_records(text.encode(), file, 3, ONE_TWO, where="table")
    assert np.array_equal(got[0], x)
    assert np.array_equal(got[1], y)


# ----------------------------------------------------------------------------------------------- where it is found


def test_a_given_folder_comes_before_the_variable_and_the_variable_before_the_cache(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / "tiny").mkdir(parents=True)
    (cache / "data" / "tiny").mkdir(parents=True)
    (cache / "data" / "tiny" / "tiny").write_bytes(TEXT)
    assert len(datasets.load("tiny").y) == 3
    monkeypatch.setenv("RGM_VERIFY_DATA", str(other))
    assert len(datasets.load("tiny").y) == 3
    put(other, b"damaged")
    with pytest.raises(InputError, match="other"):
        datasets.load("tiny")
    put(folder, TEXT)
    assert len(datasets.load("tiny", folder=folder).y) == 3


def test_a_set_that_is_nowhere_says_where_it_was_looked_for_and_every_way_out(folder: Path, cache: Path) -> None:
    text = refusal(folder)
    for part in (
        str(folder / "tiny"),
        str(cache / "data" / "tiny"),
        "tiny.bz2 or tiny",
        "http://127.0.0.1:9/tiny",
        "RGM_VERIFY_DATA",
        "--data",
        "--synthetic",
        "three records",
    ):
        assert part in text


def test_a_site_that_does_not_answer_leaves_the_same_way_out_and_no_file(folder: Path, cache: Path) -> None:
    with pytest.raises(InputError) as refused:
        datasets.load("tiny", folder=folder)
    for part in ("http://127.0.0.1:9/tiny", "cannot be downloaded", "--synthetic", "--data"):
        assert part in str(refused.value)
    assert not [path for path in cache.rglob("*") if path.is_file()]


def test_a_set_that_the_site_does_not_have_is_not_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    local = replace(TINY, files=(replace(TINY.files[0], on_site=""),))
    monkeypatch.setitem(SOURCES, "tiny", local)  # type: ignore[misc]
    with pytest.raises(InputError, match="does not have these records"):
        datasets.load("tiny", folder=folder)


def test_a_folder_that_does_not_exist_is_an_error_and_starts_no_download(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"folder=.*is no folder"):
        datasets.load("tiny", folder=tmp_path / "slip")
    monkeypatch.setenv("RGM_VERIFY_DATA", str(tmp_path / "slip"))
    with pytest.raises(InputError, match=r"RGM_VERIFY_DATA=.*is no folder"):
        datasets.load("tiny")


def test_a_place_that_cannot_be_looked_at_is_named(
    cache: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    impossible = tmp_path / ("x" * 300)
    with pytest.raises(InputError, match="xxx"):
        datasets.load("tiny", folder=impossible)
    monkeypatch.setenv("XDG_CACHE_HOME", str(impossible))
    with pytest.raises(InputError, match="xxx"):
        datasets.load("tiny", folder=folder)


def test_a_cache_that_cannot_be_written_is_said_with_the_way_out(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(InputError) as refused:
        datasets.load("tiny")
    for part in ("cannot be written", str(tmp_path / "file"), "--data"):
        assert part in str(refused.value)


def test_an_unknown_set_is_answered_with_the_known_ones(cache: Path) -> None:
    for call in (datasets.load, datasets.synthetic):
        with pytest.raises(InputError, match=r"dataset='mnist': known data sets: ijcnn1, a9a"):
            call("mnist")


class Site(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder and counts the requests."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that stands for the LibSVM site."""
    folder = tmp_path / "site"
    folder.mkdir()
    Site.asked.clear()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=str(folder))) as server:
        monkeypatch.setattr(sources, "LIBSVM_SITE", f"http://127.0.0.1:{server.server_address[1]}/")
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield folder
        server.shutdown()


def test_a_set_is_downloaded_once_into_the_cache_and_told_of(site: Path, cache: Path) -> None:
    (site / "tiny").write_bytes(TEXT)
    told: list[tuple[str, int, int]] = []
    assert np.array_equal(datasets.load("tiny", progress=lambda *args: told.append(args)).X, X)
    assert told == [("tiny", len(TEXT), len(TEXT))]
    assert np.array_equal(datasets.load("tiny").X, X)
    assert Site.asked == ["/tiny"]
    assert (cache / "data" / "tiny" / "tiny").read_bytes() == TEXT


def test_nothing_is_downloaded_that_was_not_asked_for(site: Path) -> None:
    (site / "tiny").write_bytes(TEXT)
    with pytest.raises(InputError, match="not asked for"):
        datasets.load("tiny", download=False)
    assert Site.asked == []


@pytest.mark.parametrize("body", [TEXT[:-8], TEXT.replace(b"0.5", b"0.25"), bz2.compress(TEXT)[:-5]])
def test_a_site_with_other_numbers_leaves_nothing_in_the_cache(site: Path, cache: Path, body: bytes) -> None:
    (site / "tiny").write_bytes(body)
    with pytest.raises(InputError, match=r"The download failed: http://127.*--synthetic"):
        datasets.load("tiny")
    assert not [path for path in cache.rglob("*") if path.is_file()]


# ------------------------------------------------------------------------------------------------- what is refused

PACKED = bz2.compress(TEXT)
DAMAGE = {
    "empty": (b"", "has 0 records"),
    "truncated": (PACKED[:-9], "truncated or damaged"),
    "a flipped bit": (PACKED[:30] + bytes([PACKED[30] ^ 4]) + PACKED[31:], "truncated or damaged"),
    "only the beginning of a packed file": (b"BZh", "truncated or damaged"),
    "truncated text": (TEXT[:13], "expected 3, 2 and 1"),
    "another number": (TEXT.replace(b"0.5", b"0.6"), "its numbers are not those"),
    "records in another order": (b"".join(reversed(TEXT.splitlines(keepends=True))), "its numbers are not those"),
    "other labels": (TEXT.replace(b"2 2", b"3 2"), "has the labels 3; expected only 1, 2"),
    "labels without end": (b"".join(b"%d 1:1\n" % k for k in range(3, 9)), "3, 4, 5, 6, 7 and others"),
    "the other label": (TEXT.replace(b"2 2", b"1 2"), "3 negative and 0 positive"),
    "a feature too many": (TEXT.replace(b"1 1:0.5", b"1 1:0.5 4:1"), "with 3 features"),
    "an index from 0": (TEXT.replace(b"1 1:0.5", b"1 0:0.5"), "is not libsvm data"),
    "not a number": (TEXT.replace(b"0.5", b"nan"), "feature 1 of record 1 is nan"),
    "an infinity": (TEXT.replace(b"1e-3", b"-inf"), "feature 2 of record 2 is -inf"),
    "a label that is not a number": (TEXT.replace(b"2 2", b"nan 2"), "has the labels nan"),
    "an overflow": (TEXT.replace(b"1e-3", b"1e999"), "feature 2 of record 2 is inf"),
    "a page of a web server": (b"<html>not found</html>", "is not libsvm data"),
    "no text": (b"\xff\xfe\x00\x01", "is not libsvm data"),
    "an index without end": (TEXT.replace(b"3:-2", b"99999999999999999999:1"), "is not libsvm data"),
    "lines without end": (b"1\n" * 100, "has 100 lines; expected 3 records"),
}


@pytest.mark.parametrize(("data", "said"), DAMAGE.values(), ids=DAMAGE)
def test_a_wrong_file_is_refused_by_its_name_with_what_was_found(folder: Path, data: bytes, said: str) -> None:
    path = put(folder, data)
    text = refusal(folder)
    assert text.startswith(str(path))
    assert said in text


def test_a_wrong_checksum_shows_both_digests(folder: Path) -> None:
    changed = TEXT.replace(b"0.5", b"0.6")
    put(folder, changed)
    text = refusal(folder)
    for digest in (TINY.files[0].content, TINY.files[0].packed_sha256, hashlib.sha256(changed).hexdigest()):
        assert digest in text


def test_a_folder_in_the_place_of_a_file_is_refused(folder: Path) -> None:
    (folder / "tiny" / "tiny").mkdir()
    assert "cannot be read" in refusal(folder)


def test_a_file_of_another_size_by_far_is_not_read(folder: Path) -> None:
    path = put(folder, TEXT)
    with pytest.raises(InputError, match=f"has {len(TEXT)} bytes, more than any file of a data set"):
        locations.read_whole(path, largest=len(TEXT) - 1)


def test_a_file_that_unpacks_without_end_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(InputError, match="unpacks to more than 1000 bytes"):
        readers.unpacked(bz2.compress(b"0" * 10_000), where="bomb", largest=1000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2\n", "2 columns; expected 4"),
        ("", "no records"),
        ("1,2,3,4\n1,2\n", "is not table"),
        ("a,b,c,d\n", "is not table"),
    ],
)
def test_a_table_of_another_form_is_refused(text: str, said: str) -> None:
    file = replace(TINY.files[0], form="table")
    with pytest.raises(InputError, match=said):
        readers.read_records(text.encode(), file, 3, ONE_TWO, where="table")


@pytest.mark.parametrize(("module", "said"), [("sklearn.datasets", "scikit-learn"), ("platformdirs", "platformdirs")])
def test_a_missing_package_names_the_extra(
    folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, said: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    if module == "sklearn.datasets":
        put(folder, TEXT)
    with pytest.raises(InputError, match=rf"{said}.*rgm-verify\[experiments\]") as refused:
        datasets.load("tiny", folder=folder)
    assert "damaged" not in str(refused.value)


def test_files_of_a_folder_are_read_without_a_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, TEXT)
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert len(datasets.load("tiny", folder=folder).y) == 3


# -------------------------------------------------------------------------------------------- parsed only once


@pytest.fixture
def counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The number of times that a text was parsed, with every file worth keeping."""
    put(folder, TEXT)
    calls: list[int] = []
    real = datasets.read_records

    def reading(*args, **kwargs):
        calls.append(1)
        return real(*args, **kwargs)

    monkeypatch.setattr(parsed_cache, "_WORTH_KEEPING", 0)
    monkeypatch.setattr(datasets, "read_records", reading)
    return calls


def kept(cache: Path) -> Path:
    (path,) = (cache / "parsed").iterdir()
    return path


def test_a_large_file_is_parsed_once(folder: Path, cache: Path, counted: list[int]) -> None:
    first, second = (datasets.load("tiny", folder=folder) for _ in range(2))
    assert len(counted) == 1
    assert np.array_equal(first.X, second.X)
    assert np.array_equal(first.y, second.y)


def test_kept_numbers_are_mapped_and_cannot_be_changed(folder: Path, cache: Path, counted: list[int]) -> None:
    for _ in range(2):  # when they are kept, and when they are found
        loaded = datasets.load("tiny", folder=folder)
        for numbers, offset in ((loaded.X, 0), (loaded.y, loaded.X.nbytes)):
            mapped = numbers
            while isinstance(mapped.base, np.ndarray):
                mapped = mapped.base
            assert isinstance(mapped.base, mmap.mmap)
            assert numbers.ctypes.data == mapped.ctypes.data + offset
            assert not numbers.flags.writeable
    assert loaded.X.tobytes() + loaded.y.tobytes() == kept(cache).read_bytes()


def test_files_of_a_set_are_kept_together_in_their_order(
    folder: Path, cache: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = TINY.files[0]
    more = np.vstack([X, X[:1]]), np.append(Y, 1.0)
    put(folder, TEXT + b"2 1:0.5 3:-2\n", "more")
    other = replace(one, names=("more",), content=readers.content_digest(*more), positives=2)
    monkeypatch.setitem(SOURCES, "tiny", replace(TINY, files=(one, other)))  # type: ignore[misc]
    for _ in range(2):
        both = datasets.load("tiny", folder=folder)
        assert np.array_equal(both.X, np.vstack([X, more[0]]))
        assert np.array_equal(both.y, np.concatenate([Y, more[1]]))
    assert len(counted) == 2  # once each
    kept(cache)


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[:-8], lambda data: data[:3] + b"\x01" + data[4:], lambda data: data + data],
    ids=["empty", "truncated", "changed", "doubled"],
)
def test_kept_numbers_are_used_only_with_the_digest_of_the_catalogue(
    folder: Path, cache: Path, counted: list[int], damage
) -> None:
    datasets.load("tiny", folder=folder)
    whole = kept(cache).read_bytes()
    kept(cache).write_bytes(damage(whole))
    assert np.array_equal(datasets.load("tiny", folder=folder).X, X)
    assert len(counted) == 2
    assert kept(cache).read_bytes() == whole


def test_a_damaged_file_is_refused_although_its_numbers_are_kept(folder: Path, cache: Path, counted: list[int]) -> None:
    datasets.load("tiny", folder=folder)
    put(folder, TEXT[:-3])
    assert "tiny" in refusal(folder)


def test_a_cache_that_cannot_be_written_costs_only_time(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[int]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert len(datasets.load("tiny", folder=folder).y) == 3
    assert len(counted) == 1


# ------------------------------------------------------------------------------------------------- synthetic sets


@pytest.mark.parametrize("name", SOURCES)
def test_a_synthetic_set_has_the_shape_the_classes_and_the_ranges_of_the_real_one(name: str) -> None:
    wanted, shape = SOURCES[name], SHAPES[name]
    assert shape.features == wanted.features
    made = datasets.synthetic(name, records=700)
    assert made.X.shape == (700, wanted.features)
    assert int((made.y > 0).sum()) == round(700 * wanted.positives / wanted.records)
    dense = made.X[:, sum(shape.groups) :]
    assert all((c.lower <= x).all() and (x <= c.upper).all() for c, x in zip(shape.dense, dense.T, strict=True))
    assert ((made.X[:, : sum(shape.groups)] != 0).sum(axis=1) == len(shape.groups)).all()


def test_a_synthetic_set_says_so_everywhere() -> None:
    made = datasets.synthetic(records=50, seed=3)
    assert made.synthetic
    assert made.name == "synthetic-ijcnn1"
    assert "synthetic" in made.source
    assert "seed 3" in made.source
    assert "synthetic" in made.limits


def test_the_default_synthetic_set_is_as_large_as_ijcnn1() -> None:
    made = datasets.synthetic()
    assert made.X.shape == (141_691, 22)
    assert int((made.y > 0).sum()) == 13_565


def test_synthetic_numbers_are_those_of_the_recipe_to_the_last_bit() -> None:
    # Another digest means another recipe: give it another number.
    made = datasets.synthetic("ijcnn1", seed=1, records=1000)
    assert readers.content_digest(made.X, made.y) == "78e80796681f5e74cc53b931ee3075b2bb918c86f2c9b2d53e89ad090db0ba63"


def test_synthetic_sets_of_other_seeds_names_and_sizes_have_other_digests() -> None:
    made = [
        datasets.synthetic(name, seed=seed, records=records)
        for name in ("ijcnn1", "susy")
        for seed in (0, 1)
        for records in (40, 41)
    ]
    assert len({each.sha256 for each in made}) == len(made)
    assert len({readers.content_digest(each.X, each.y) for each in made}) == len(made)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, None])
def test_a_seed_is_an_integer_that_is_not_negative(seed: object) -> None:
    with pytest.raises(InputError, match="seed="):
        datasets.synthetic(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("records", [0, 1, -5, "many"])
def test_a_synthetic_set_has_two_records_at_least(records: object) -> None:
    with pytest.raises(InputError, match="records="):
        datasets.synthetic(records=records)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------- the catalogue


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("features = 22", "features = 23", "ijcnn1: 22 features in groups and columns"),
        ("features = 22", 'features = "22"', "Expected `int`, got `str` - at `\\$\\[...\\].features`"),
        ("origin = ", "orign = ", "orign"),
        ('form = "table"', 'form = "excel"', "excel"),
        ("[ijcnn1]", "[ijcnn1", "data_sets.toml"),
    ],
)
def test_a_catalogue_with_a_mistake_is_refused(before: str, after: str, message: str, tmp_path: Path) -> None:
    wrong = sources.CATALOGUE.read_text(encoding="utf-8").replace(before, after, 1)
    path = tmp_path / "data_sets.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_catalogue(path)


def test_the_catalogue_counts_what_the_paper_says_of_ijcnn1() -> None:
    wanted = SOURCES["ijcnn1"]
    assert (wanted.records, wanted.features) == (141_691, 22)


@pytest.mark.parametrize("name", SOURCES)
def test_an_entry_of_the_catalogue_is_complete(name: str) -> None:
    wanted = SOURCES[name]
    assert datasets.names()
    assert wanted.name == name
    assert set(wanted.labels.values()) == {-1.0, 1.0}
    for file in wanted.files:
        assert len(file.content) == len(file.packed_sha256) == 64
        assert file.form in {"libsvm", "table"}
        assert not file.url or file.url == sources.LIBSVM_SITE + file.on_site
        assert not file.on_site or file.on_site in file.names


@pytest.mark.skipif("RGM_VERIFY_DATA" not in os.environ, reason="RGM_VERIFY_DATA names no folder with real data")
@pytest.mark.parametrize("name", SOURCES)
def test_the_real_set_is_the_one_of_the_catalogue(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(os.environ["RGM_VERIFY_DATA"])
    if not (folder / name).is_dir():
        pytest.skip(f"RGM_VERIFY_DATA has no folder {name}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = datasets.load(name, download=False)
    wanted = SOURCES[name]
    assert found.X.shape == (wanted.records, wanted.features)
    assert int((found.y > 0).sum()) == wanted.positives
    for file in wanted.files:
        data = (folder / name / file.names[0]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file.packed_size, file.packed_sha256)
    again = datasets.load(name, download=False)
    assert np.array_equal(found.X, again.X)
    assert found.sha256 == again.sha256


def test_importing_the_room_loads_neither_readers_nor_figures() -> None:
    program = (
        "import sys, rgm_verify.experiments, rgm_verify.experiments.data.datasets\n"
        "print(sorted({'sklearn', 'matplotlib', 'platformdirs', 'sympy', 'flint'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
