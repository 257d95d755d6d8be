"""Shared parts of the commands: exit codes, the display of errors, the option for machine-readable output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from concurrent.futures import Executor

EXIT_DIFFERENT = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

memory_option = click.option(
    "--memory", metavar="GIB", type=click.IntRange(min=1), default=8, show_default=True,
    help="Limit on the address space of each worker process, in GiB.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on standard output.")


@contextmanager
def errors(*, interrupted: str = "what was finished is kept, run again to go on") -> Iterator[None]:
    """Turn what a user did wrong into one message and exit code 2; Ctrl-C into 130, with what is `interrupted`.

    Where no worker is left, the code is 1.
    """
    from rgm_verify.errors import InputError
    from rgm_verify.jobs.workers import NoWorkersLeft

    try:
        yield
    except NoWorkersLeft as error:
        click.echo(f"rgm-verify: stopped: {error}; {interrupted}", err=True)
        sys.exit(EXIT_DIFFERENT)
    except InputError as error:
        click.echo(f"rgm-verify: {error}", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        click.echo(f"rgm-verify: interrupted; {interrupted}", err=True)
        sys.exit(EXIT_INTERRUPTED)


@contextmanager
def printing_apart() -> Iterator[None]:
    """Keep standard output for answers: what the block, its workers and their programs print goes to standard error.

    It does so for the file that Python writes to, and for the one of the process, which workers inherit.
    """
    sys.stdout.flush()
    with redirect_stdout(sys.stderr):
        try:
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
    """Let the workers finish at the end, and end them at once when something goes wrong, Ctrl-C included."""
    from rgm_verify.jobs.workers import stop_workers

    try:
        yield
    except BaseException:
        stop_workers(executor)
        raise
    executor.shutdown()


@contextmanager
def task_progress(total: int, doing: str, things: str) -> Iterator[Callable[[str, str], None]]:
    """A live display of (name, state) on a terminal, a line now and then elsewhere; both on standard error."""
    if not sys.stderr.isatty():
        yield _lines(total, things)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[last]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task(doing, total=total, last="")
        yield lambda name, state: display.update(task, advance=1, last=f"{state} {name}")


def _lines(total: int, things: str) -> Callable[[str, str], None]:
    done = 0

    def progress(_: str, state: str) -> None:
        nonlocal done
        done += 1
        if done % 25 == 0 or done == total:
            click.echo(f"{done} of {total} {things}", err=True)

    return progress
