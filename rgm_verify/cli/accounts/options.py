"""Options that several commands on privacy numbers share, and the files that they write.

Numbers come as texts and stay texts until the accountant reads them exactly: a conversion by click would make floats of
them, and 0.1 would no longer be 1/10. An option here is a decorator; `options` makes one of several.

The files of `--certificate` and `--plot` are looked at before anything is computed and written at the end, whole or not
at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rgm_verify.cli.common import EXIT_NO_BOUND

# By how tight they are; `calibrate` without a method tries those that its time allows.
METHODS = ("rdp", "envelope", "iteration")
# Said after Ctrl-C: these commands keep no half of an answer.
STOPPED = "nothing was written"
# For the help: these are read as exact numbers and never as floats of click's.
NUMBER: dict[str, Any] = {"metavar": "NUMBER"}


def options(*parts: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Apply click options in the order in which they are to be shown.

    Args:
        parts: Decorators of click, or what this function has made of them.

    Returns:
        A decorator for a command.
    """

    def decorate(command: Any) -> Any:
        # Decorators apply from the inside out, and click shows the last one applied first.
        for option in reversed(parts):
            command = option(command)
        return command

    return decorate


eta_option = click.option("--eta", required=True, **NUMBER, help="Relative sensitivity of the query.")
dimension_option = click.option("--d", "dimension", required=True, metavar="N", help="Dimension of the query.")
r_rel_option = click.option(
    "--r-rel", default="0", show_default=True, **NUMBER, help="Absolute part of the sensitivity."
)
steps_option = click.option(
    "--steps", default="1", show_default=True, metavar="T", help="Number of releases, chosen adaptively."
)
methods_option = click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(METHODS),
    help="Upper bound for several releases; may be repeated. Slower and tighter from left to right.",
)
plot_option = click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE.svg", help="Draw the curves around it."
)
asked_options = options(
    click.option("--delta", "--target-delta", "delta", **NUMBER, help="Ask for epsilon at this delta."),
    click.option("--epsilon", "--target-epsilon", "epsilon", **NUMBER, help="Ask for delta at this epsilon."),
)
target_options = options(
    click.option(
        "--epsilon", "--target-epsilon", "epsilon", required=True, **NUMBER, help="The privacy to reach, in nats."
    ),
    click.option(
        "--delta", "--target-delta", "delta", required=True, **NUMBER, help="The probability with which it may fail."
    ),
)
explain_option = click.option("--explain", is_flag=True, help="Say how both ends were computed.")
training_options = options(
    click.option(
        "--sampling-rate",
        "--sample-rate",
        "sampling_rate",
        multiple=True,
        **NUMBER,
        help="Share of the records in a batch, in (0, 1].",
    ),
    click.option("--steps", multiple=True, metavar="T", help="Number of steps."),
    click.option("--dataset-size", metavar="N", help="In place of the rate: the number of records,"),
    click.option("--batch-size", metavar="B", help="and of those in a batch (for poisson in the mean)."),
    click.option("--epochs", **NUMBER, help="In place of the steps: how often the batches make up the data set."),
)
reached_options = options(
    click.option("--width", default="1/1000", show_default=True, **NUMBER, help="Relative width to reach."),
    click.option("--time-limit", metavar="SECONDS", help="Give the interval that was reached by then."),
)
tolerance_option = click.option(
    "--tolerance", default="1/1000", show_default=True, **NUMBER, help="Relative tolerance."
)


def _print_schema(*names: str) -> Callable[[click.Context, click.Parameter, bool], None]:
    """Return what `--json-schema` does, for the structures of these names."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        # A shell that completes a line parses it as well, and must not print.
        if wanted and not context.resilient_parsing:
            from rgm_verify.cli.accounts import answers

            click.echo(json.dumps(answers.schema(*(getattr(answers, name) for name in names)), indent=1))
            context.exit()

    return show


def schema_option(*names: str) -> Callable[[Any], Any]:
    """Return the option that prints the JSON schema of an answer and ends.

    Args:
        names: Names of structures in `rgm_verify.cli.accounts.answers`; of several, the answer is one.
    """
    return click.option(
        "--json-schema",
        is_flag=True,
        # Before the other options are read: a schema needs none of the required ones.
        is_eager=True,
        expose_value=False,
        callback=_print_schema(*names),
        help="Describe the output of --json, as a JSON schema.",
    )


def drawn_options(*kinds: str) -> Callable[[Any], Any]:
    """Return the options of a picture, with what may run along its axis; the first kind is the usual one."""
    return options(
        plot_option,
        click.option(
            "--over",
            type=click.Choice(kinds),
            default=kinds[0],
            show_default=True,
            help="What to draw: growth over the steps, epsilon against delta, or the errors of an attacker.",
        ),
    )


def say_line(line: str) -> None:
    """Say something that is no answer: on standard error, which a program that reads the answer does not see."""
    click.echo(line, err=True)


def end_without_bound(quantity: str, lower: float, upper: float | None, shown: str) -> None:
    """Show an answer that bounds nothing and end with an exit code of its own; return where something is bounded.

    Args:
        quantity: Epsilon or delta.
        lower: The lower end.
        upper: The upper end; None for infinity. A delta of 1 is no bound unless it is near the truth.
        shown: The answer as it would be printed.

    Raises:
        SystemExit: Where there is no upper bound.
    """
    if upper is not None and not (quantity == "delta" and upper >= 1 and lower <= 0):
        return
    click.echo(shown)
    click.echo(
        f"rgm-verify: no upper bound of {quantity} was found: nothing is guaranteed; split the releases into parts and "
        "add up what each of them costs, or ask at another level",
        err=True,
    )
    sys.exit(EXIT_NO_BOUND)


def checked_certificate(path: Path | None) -> Path | None:
    """Return the path of a certificate that can be written, before any work is done for it.

    Args:
        path: The file, which may exist; None for no certificate.

    Raises:
        InputError: For a folder, and for a file in a folder that does not exist or may not be written.
    """
    import os

    from rgm_verify.errors import reject

    if path is not None and (path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK)):
        raise reject("--certificate", str(path), "must be a file in a folder that exists and that you may write to")
    return path


def write_certificate(path: Path, data: dict[str, Any]) -> None:
    """Write a certificate as a whole or not at all, and say what it certifies.

    Args:
        path: The file, which is replaced.
        data: A certificate in the form that `rgm_verify.recheck.certificate` reads.
    """
    from rgm_verify.jobs.files import write_atomically

    write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())
    # With the ends: an end that needs a grid may have been moved outward.
    text = f"certificate: {path}, {data['quantity']} in [{data['lower'] or 0}, {data['upper']}]"
    click.echo(f"{text}; `rgm-verify replay {path}` proves it again", err=True)


def checked_svg(path: Path | None) -> Path | None:
    """Return the path of a picture that can be written, before any work is done for it.

    Args:
        path: A file whose name ends in .svg; None for no picture.

    Raises:
        InputError: For another ending, and for a place that cannot be written.
    """
    import os

    from rgm_verify.errors import reject

    if path is None:
        return None
    # No other format is written.
    if path.suffix != ".svg":
        raise reject("--plot", str(path), "pictures are SVG files: give a name that ends in .svg")
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise reject("--plot", str(path), "must be a file in a folder that exists and that you may write to")
    return path


def write_svg(path: Path, text: str) -> None:
    """Write a picture as a whole or not at all, and say where it is."""
    from rgm_verify.jobs.files import write_atomically

    write_atomically(path, text.encode())
    click.echo(f"picture: {path}", err=True)
