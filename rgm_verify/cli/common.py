"""What every command shares: exit codes, how an error is told, the option for machine-readable output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

EXIT_DIFFERENT = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on standard output.")


@contextmanager
def errors(*, interrupted: str = "what was finished is kept, run again to go on") -> Iterator[None]:
    """Turn what a user did wrong into one message and exit code 2; Ctrl-C into 130, with what is `interrupted`."""
    from rgm_verify.errors import InputError

    try:
        yield
    except InputError as error:
        click.echo(f"rgm-verify: {error}", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        click.echo(f"rgm-verify: interrupted; {interrupted}", err=True)
        sys.exit(EXIT_INTERRUPTED)
