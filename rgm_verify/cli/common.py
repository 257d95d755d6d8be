"""Shared parts of the commands: exit codes, the display of errors, the option for machine-readable output.

Standard output holds answers and nothing else, so that it can be read by a program; progress, warnings and whatever
claims print go to standard error. The exit code is 0 for an answer, 1 for one that differs from what was expected, 2
for bad input (also for an answer without the items of a folder that were refused), 3 where no bound was found, 70 for a
defect of this program, 130 for Ctrl-C.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rgm_verify.numbers.counted import counted

if TYPE_CHECKING:
    from concurrent.futures import Executor

EXIT_DIFFERENT = 1
EXIT_BAD_INPUT = 2
EXIT_NO_BOUND = 3
EXIT_INTERNAL = 70  # what `sysexits.h` has for an internal error of software
EXIT_INTERRUPTED = 130

memory_option = click.option(
    "--memory", metavar="GIB", type=click.IntRange(min=1), default=8, show_default=True,
    help="Limit on the address space of each worker process, in GiB.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on standard output.")
certificate_option = click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a file by which `rgm-verify replay FILE` proves the answer again.",
)


@contextmanager
def errors(*, interrupted: str = "what was finished is kept, run again to go on") -> Iterator[None]:
    """Turn what a user did wrong into one message and exit code 2; Ctrl-C into 130, with what is `interrupted`.

    Where no worker is left, the code is 1. Where certified results contradict each other the code is 70, and the
    message asks to report it. Any other fault of the program keeps its traceback.

    Args:
        interrupted: The sentence about what has been kept.

    Raises:
        SystemExit: With the exit code, after the message was written to standard error.

    Examples:
        >>> from rgm_verify.errors import InputError
        >>> try:
        ...     with errors():
        ...         raise InputError("sigma=-1: the noise scale must be >= 0")
        ... except SystemExit as ended:
        ...     ended.code
        2
    """
    from rgm_verify.errors import InputError, InternalError
    from rgm_verify.jobs.workers import NoWorkersLeft

    try:
        yield
    except NoWorkersLeft as error:
        click.echo(f"rgm-verify: stopped: {error}; {interrupted}", err=True)
        sys.exit(EXIT_DIFFERENT)
    # Only what a user can correct is a message; a fault of the program keeps its traceback.
    except InputError as error:
        click.echo(f"rgm-verify: {error}", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except InternalError as error:
        click.echo(f"rgm-verify: internal error: {error}", err=True)
        click.echo("rgm-verify: nothing is answered; please report this, with the command and its files", err=True)
        sys.exit(EXIT_INTERNAL)
    # 130 is what a shell reports for a program that Ctrl-C has ended.
    except KeyboardInterrupt:
        click.echo(f"rgm-verify: interrupted; {interrupted}", err=True)
        sys.exit(EXIT_INTERRUPTED)


_PATIENCE, _EVERY = 2.0, 15.0  # seconds without a word


@contextmanager
def patience(doing: str) -> Iterator[None]:
    """Say on standard error what takes longer than two seconds, and from time to time how long it has taken.

    Answers that come at once stay without a word. The words end with the block, also where it raises.

    Args:
        doing: The work in a few words.
    """
    import threading
    import time

    done = threading.Event()
    started = time.monotonic()

    def watch() -> None:
        wait = _PATIENCE
        # Waiting on the event and not sleeping: the end of the work ends the words at once.
        while not done.wait(wait):
            click.echo(f"{doing}, for {time.monotonic() - started:.0f} s now", err=True)
            wait = _EVERY

    # A daemon: a program that ends must not wait for the next word.
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


@contextmanager
def printing_apart() -> Iterator[None]:
    """Keep standard output for answers: what the block, its workers and their programs print goes to standard error.

    It does so for the file that Python writes to, and for the one of the process, which workers inherit. Claims are
    code of somebody else and print what they like.
    """
    # What is buffered so far is an answer and has to leave by the old way.
    sys.stdout.flush()
    with redirect_stdout(sys.stderr):
        try:
            # Workers and programs in C write to the file of the process, whatever Python's own stream
            # is.
            answers = os.dup(1)
        except OSError:  # there is none to keep clean
            yield
            return
        try:
            with suppress(OSError):  # nor a place for anything else
                os.dup2(2, 1)
            yield
        finally:
            os.dup2(answers, 1)
            os.close(answers)


@contextmanager
def stopped_workers(executor: Executor) -> Iterator[None]:
    """Let the workers finish at the end, and end them at once when something goes wrong, Ctrl-C included.

    Args:
        executor: The workers: a pool of processes, or a client of a cluster.
    """
    from rgm_verify.jobs.workers import stop_workers

    try:
        yield
    # Ctrl-C is no ordinary exception, and workers would compute on without anybody who waits.
    except BaseException:
        stop_workers(executor)
        raise
    executor.shutdown()


@contextmanager
def task_progress(total: int, doing: str, thing: str, done: str) -> Iterator[Callable[[str, str], None]]:
    """A live display of (name, state) on a terminal, a line now and then elsewhere; both on standard error.

    Args:
        total: The number of tasks.
        doing: The work in a word, before the bar.
        thing: The word for one task.
        done: What is done with it.

    Yields:
        A function to be called with a name and a state whenever a task has ended.
    """
    # A bar in a log file is a thousand lines of control characters.
    if not sys.stderr.isatty():
        yield _lines(total, f"{counted(total, thing)} {done}")
        return
    # Slow to load, and only a terminal needs it.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task(doing, total=total, last="")
        yield lambda name, state: display.update(task, advance=1, last=f"{state} {name}")


def _lines(total: int, whole: str, clock: Callable[[], float] = time.monotonic) -> Callable[[str, str], None]:
    """Return a progress that prints a line for every 25 tasks, with the time left, for a log file.

    The time left takes for granted that the rest goes on as the tasks before.
    """
    count, start = 0, clock()

    def progress(_: str, state: str) -> None:
        nonlocal count
        count += 1
        # The last one always, so that a log says that it came to the end.
        if count == total:
            click.echo(f"{count} of {whole}", err=True)
        elif count % 25 == 0:
            left = duration((clock() - start) / count * (total - count))
            click.echo(f"{count} of {whole}, about {left} left", err=True)

    return progress


def duration(seconds: float) -> str:
    """Return a time in words, as exact as a forecast deserves: seconds below two minutes, then minutes, then hours.

    Examples:
        >>> duration(0.2), duration(100), duration(600), duration(7200)
        ('1 s', '100 s', '10 min', '2 h')
    """
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    if seconds < 7200:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h"
