"""Downloads: a checked file or none, whatever the server, the network, the disk or the user does."""

from __future__ import annotations

import hashlib
import http.server
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rgm_verify.errors import InputError
from rgm_verify.experiments.data.fetch import fetch

BODY = bytes(range(256)) * 1500
DIGEST = hashlib.sha256(BODY).hexdigest()


def check(data: bytes) -> None:
    if hashlib.sha256(data).hexdigest() != DIGEST:
        raise InputError("the checksum is wrong")


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers by the path: whole, truncated, changed, missing, endless, silent."""

    def do_GET(self) -> None:
        kind = self.path.strip("/")
        if kind == "missing":
            self.send_error(404)
            return
        self.send_response(200)
        if kind == "chunked":
            self.send_header("Transfer-Encoding", "chunked")
        elif kind == "liar":
            self.send_header("Content-Length", "10000000000")
        elif kind != "endless":
            self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self._send(kind)

    def _send(self, kind: str) -> None:
        stop: threading.Event = self.server.stop  # type: ignore[attr-defined]
        if kind == "chunked":  # breaks off inside a chunk
            self.wfile.write(b"%x\r\n" % len(BODY) + BODY[:1000])
        elif kind == "changed":
            self.wfile.write(BODY[:-1] + b"x")
        elif kind == "truncated":
            self.wfile.write(BODY[: len(BODY) // 2])
        elif kind in {"silent", "halting"}:
            self.wfile.write(BODY[: len(BODY) // 2] if kind == "halting" else b"")
            self.wfile.flush()
            stop.wait(60)
        elif kind == "endless":
            while not stop.is_set():
                self.wfile.write(BODY)
        else:
            self.wfile.write(BODY)

    def log_message(self, *args: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """A server on the loopback interface that can be told to stop waiting."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.stop = threading.Event()

    def handle_error(self, *args: object) -> None:
        pass  # the client went away, as it should


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.stop.set()
        server.shutdown()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "set" / "file.bz2"


def left(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir()) if target.parent.exists() else []


def test_a_download_is_there_whole_and_nothing_else_is(site: str, target: Path) -> None:
    told: list[tuple[str, int, int]] = []
    fetch(f"{site}/whole", target, check=check, progress=lambda *args: told.append(args))
    assert target.read_bytes() == BODY
    assert left(target) == ["file.bz2"]
    assert told[-1] == ("file.bz2", len(BODY), len(BODY))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


FAILURES = {
    "missing": "answers 404",
    "truncated": f"ended after {len(BODY) // 2} of {len(BODY)} bytes",
    "chunked": "cannot be downloaded",
    "changed": "the checksum is wrong",
    "liar": "announces 10000000000 bytes",
    "endless": "sends more than 1000000 bytes",
    "silent": "no answer in time",
    "halting": "no answer in time",
}


@pytest.mark.parametrize("before", [None, b"old"], ids=["nothing there", "an old file"])
@pytest.mark.parametrize(("kind", "said"), FAILURES.items(), ids=FAILURES)
def test_a_failed_download_says_why_and_leaves_everything_as_it_was(
    site: str, target: Path, kind: str, said: str, before: bytes | None
) -> None:
    if before is not None:
        target.parent.mkdir(parents=True)
        target.write_bytes(before)
    with pytest.raises(InputError, match=said):
        fetch(f"{site}/{kind}", target, check=check, largest=1_000_000, wait=3)
    assert left(target) == ([] if before is None else ["file.bz2"])
    assert before is None or target.read_bytes() == before


def test_a_refused_connection_is_said(target: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/whole"
        with pytest.raises(InputError, match=r"cannot be downloaded .*refused"):
            fetch(url, target, check=check)
    assert left(target) == []


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://127.0.0.1/x", "no address"])
def test_only_web_addresses_are_fetched(url: str, target: Path) -> None:
    with pytest.raises(InputError, match="only http and https"):
        fetch(url, target, check=check)
    assert left(target) == []


def test_ctrl_c_in_the_middle_leaves_nothing(site: str, target: Path) -> None:
    def interrupted(name: str, done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(f"{site}/whole", target, check=check, progress=interrupted)
    assert left(target) == []


def test_ctrl_c_while_the_network_is_silent_leaves_nothing(site: str, target: Path) -> None:
    # A shell that starts tests in the background has its children ignore Ctrl-C.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pathlib import Path; from rgm_verify.experiments.data.fetch import fetch\n"
        "def told(name, done, total): print(done, flush=True)\n"
        "fetch(sys.argv[1], Path(sys.argv[2]), check=lambda data: None, progress=told)\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", program, f"{site}/halting", str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with run:
        assert run.stdout is not None
        assert int(run.stdout.readline()) > 0
        assert [name.startswith(".writing-") for name in left(target)] == [True]
        run.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in run.communicate(timeout=30)[1]
    assert left(target) == []


def _fetching(url: str, target: Path, barrier: Callable[[], int]) -> None:
    def slowly(name: str, done: int, total: int) -> None:
        time.sleep(0.01)

    barrier()
    fetch(url, target, check=check, progress=slowly)


def test_processes_that_fetch_the_same_file_at_once_do_not_disturb_each_other(site: str, target: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    workers = [context.Process(target=_fetching, args=(f"{site}/whole", target, barrier.wait)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert target.read_bytes() == BODY
    assert left(target) == ["file.bz2"]


def test_a_place_that_cannot_be_written_is_said_before_anything_is_downloaded(site: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    told: list[int] = []
    with pytest.raises(InputError, match=r"cannot be written .*writable"):
        fetch(f"{site}/whole", tmp_path / "file" / "x", check=check, progress=lambda *args: told.append(1))
    assert told == []


def test_a_full_disk_is_said_and_leaves_nothing(site: str, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"):
        fetch(f"{site}/whole", target, check=check)
    assert left(target) == []
