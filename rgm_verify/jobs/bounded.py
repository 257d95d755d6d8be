"""Work on what strangers send, in a process of its own that ends when its processor time or its memory is used up.

Limits inside of a reader look at the clock between two steps, and one step of a parser may take all of it. Here the
system ends the process, whatever it does.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rgm_verify.jobs.workers import prepared, start_method

__all__ = ["MEMORY", "SECONDS", "Stopped", "bounded"]

#: Bytes of address space, and seconds of the processor, where nobody asks for others.
MEMORY = 4 << 30
SECONDS = 600


class Stopped(RuntimeError):
    """The work used up what it may take, and what it did not yield is not known; the text says what was used up."""


def bounded(
    function: Callable[..., Iterable[Any]], *arguments: Any, seconds: float = SECONDS, memory: int = MEMORY
) -> Iterator[Any]:
    """Yield what a function yields, as it comes, from a process of its own.

    The clock starts when the function has been imported. Where the system knows no such limits, the function runs on.

    Args:
        function: One that can be pickled: of a module, no closure. So can be its arguments, and what it yields.
        seconds: Of the processor, not of the wall: other programs do not count.
        memory: Bytes of address space.

    Raises:
        Stopped: When one of both is used up.
        Exception: What the function raises.
    """
    # Loaded once for all: else each process would spend seconds on imports.
    context = start_method((function.__module__,))
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, function, arguments, seconds, memory), daemon=True)
    process.start()
    theirs.close()
    try:
        # None at the end, an error where it raised one, else a list with what was yielded.
        while (found := ours.recv()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield from found
    except EOFError:
        process.join()
        late = process.exitcode == -getattr(signal, "SIGPROF", 0)
        used = f"{seconds:g} s of processor time" if late else "its process ended: it was killed, or out of memory"
        raise Stopped(f"stopped after {used}" if late else used) from None
    finally:
        # Also where the caller wants no more, or is interrupted.
        process.terminate()
        process.join()
        ours.close()


def _work(
    pipe: Any, function: Callable[..., Iterable[Any]], arguments: tuple[Any, ...], seconds: float, memory: int
) -> None:
    """Send what the function yields; run in the other process."""
    prepared(memory)
    if hasattr(signal, "ITIMER_PROF"):
        # No handler: the default action ends the process also within one long step of the interpreter.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        for found in function(*arguments):
            pipe.send([found])
    except MemoryError:
        pipe.send(Stopped(f"stopped at {memory / 2**30:g} GiB of memory"))
    except Exception as error:  # noqa: BLE001 - the caller gets it
        pipe.send(error)
    else:
        pipe.send(None)
