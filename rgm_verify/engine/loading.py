"""Executing the files of a claims folder within bounds: of time, and of where their text goes.

A claims folder is code. What it prints while it is imported is no answer of ours, and goes to standard error; a file
that does not come to an end is stopped, and named with the line that was running.
"""

from __future__ import annotations

import contextlib
import io
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TextIO

from rgm_verify.errors import InputError, OutOfTime, reject

#: The variable that sets how long a folder may compute while it is imported, in seconds of the processor.
VARIABLE = "RGM_VERIFY_LOAD_SECONDS"
_SECONDS = 300.0
#: By the clock on the wall a folder may take this many times as long: so busy is no machine that is in use.
_WAITING = 12
_TICK, _SAYING = 1.0, 8.0
_IGNORED = 5


def allowed_seconds() -> float:
    """The seconds that a folder may compute in its import; `InputError` for a variable that is no such number.

    Returns:
        Seconds of processor time, 300 unless the variable is set.
    """
    text = os.environ.get(VARIABLE, "")
    try:
        seconds = float(text) if text else _SECONDS
    except ValueError:
        seconds = math.nan
    # Written so that `nan` is refused as well.
    if not 0 < seconds < 10**7:
        raise reject(VARIABLE, text, "a number of seconds above 0, such as 600")
    return seconds


@contextlib.contextmanager
def bounded(folder: Path, say: Callable[[str], None] | None = None) -> Iterator[None]:
    """Stop the block when it has computed for too long, or has taken twelve times as long; `InputError` says where.

    Processor time decides, so that a busy machine makes no difference; the clock is for a file that waits. `say` is
    told about once in eight seconds what is being imported. It works in the main thread of a Unix process; elsewhere
    Python has no way to interrupt code, and nothing is bounded. One call into C (a huge power) is stopped when it
    returns.

    Args:
        folder: The folder that is imported, for the place in the message.
        say: A function that is told now and then.
    """
    # Signals reach the main thread alone.
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    watch = _Watch(folder, allowed_seconds(), say)
    handler = signal.signal(signal.SIGALRM, watch)
    remaining, interval = signal.setitimer(signal.ITIMER_REAL, watch.tick, watch.tick)
    try:
        yield
    except OutOfTime as stop:
        raise InputError(str(stop)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        # A program that uses the library may have had a timer of its own.
        if remaining:
            signal.setitimer(signal.ITIMER_REAL, max(remaining - watch.waited(), 1e-6), interval)


class _Watch:
    """Says at every tick how far the import is, and stops it when its time is over."""

    def __init__(self, folder: Path, seconds: float, say: Callable[[str], None] | None) -> None:
        self._folder, self._seconds, self._say = folder, seconds, say
        self._computing, self._waiting = time.process_time(), time.monotonic()
        self._ignored, self._said = 0, self._waiting
        self._stopped: tuple[float, float] | None = None
        self.tick = min(_TICK, seconds / 4)

    def waited(self) -> float:
        """Return the seconds since the import began, by the clock."""
        return time.monotonic() - self._waiting

    def __call__(self, _: int, frame: FrameType | None) -> None:
        """Say how far the import is, or stop it; a file that catches the exception again and again ends
        the process.
        """
        # The time of this process alone: what else runs on the machine takes none of it.
        computed, place = time.process_time() - self._computing, _place(frame, self._folder)
        if computed <= self._seconds and self.waited() <= _WAITING * self._seconds:
            if self._say is not None and time.monotonic() - self._said >= _SAYING:
                self._said = time.monotonic()
                self._say(f"importing {place}, for {self.waited():.0f} s now")
            return
        spent = f"computed for {self._seconds:g} s" if computed > self._seconds else f"taken {self.waited():.1f} s"
        message = (
            f"{place}: importing the folder has {spent} without an end, and is stopped there; correct the file, or "
            f"allow more seconds with {VARIABLE}"
        )
        self._ignored += 1
        if self._ignored > _IGNORED and self._goes_on() and self._say is not None:
            self._say(message)
            os._exit(2)
        raise OutOfTime(message)

    def _goes_on(self) -> bool:
        """Return whether the file has gone on for so long since it was stopped that it catches everything.

        A large expression takes a while to be taken apart, and longer by the clock on a busy machine.
        """
        now = time.process_time(), time.monotonic()
        self._stopped = self._stopped or now
        patience = _IGNORED * _TICK
        return now[0] - self._stopped[0] > patience or now[1] - self._stopped[1] > _WAITING * patience


def _place(frame: FrameType | None, folder: Path) -> str:
    """The innermost line of a file of the folder that is being executed; the folder if it is none."""
    # Outward from where the code is: the library's own lines are no help to the author.
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(folder):
            return f"{path.relative_to(folder).as_posix()} (line {frame.f_lineno})"
        frame = frame.f_back
    return str(folder)


@contextlib.contextmanager
def printing_apart() -> Iterator[None]:
    """Send the block's prints to standard error; in a worker nowhere, as the first process has shown them already."""
    worker = multiprocessing.parent_process() is not None
    place: TextIO = io.StringIO() if worker else sys.stderr
    with contextlib.redirect_stdout(place):
        yield
