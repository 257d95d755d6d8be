"""`rgm-verify audit`: run a user's mechanism at two neighbouring inputs and say how private it is at most.

The counterpart of `account`: that one trusts a description and bounds epsilon from above; this one runs the code and
bounds it from below, by confidence intervals that hold for any number of samples. The code comes from a module or a
file of the user, is imported and runs with the user's rights. The statistics are in `rgm_verify.accounting.auditing`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import EXIT_DIFFERENT, errors, json_option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from rgm_verify.accounting.auditing.audits import Audit, ClaimCheck
    from rgm_verify.accounting.auditing.samples import Sampler
    from rgm_verify.numbers.sampling import Inconclusive

EXIT_INCONCLUSIVE = 3


@click.command("audit")
@click.argument("mechanism", metavar="MODULE:CALLABLE")
@click.option("--x", "first", required=True, metavar="JSON|FILE", help="One input: a number or list, or a file.")
@click.option("--y", "second", required=True, metavar="JSON|FILE", help="Its neighbour.")
@click.option("--delta", required=True, help="An exact number in [0, 1), such as 1e-3 or 1/20.")
@click.option("--claimed-epsilon", "claimed", help="Judge the claim that this epsilon holds at --delta.")
@click.option(
    "--samples", type=click.IntRange(min=1), default=100_000, show_default=True, help="Outputs at each input."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the generator that the mechanism gets.",
)
@click.option("--false-alarm", type=float, default=1e-9, show_default=True, help="Probability of a wrong answer.")
@json_option
def audit_command(
    mechanism: str,
    first: str,
    second: str,
    delta: str,
    claimed: str | None,
    samples: int,
    seed: int,
    false_alarm: float,
    as_json: bool,
) -> None:
    """Find a lower bound on the epsilon of a mechanism, from its outputs at two neighbouring inputs.

    MODULE:CALLABLE is package.module:name, or file.py:name. The callable gets (value, generator, size=n) for
    n outputs if it takes size, else (value, generator) for one; or it is an object with release(value, generator),
    such as RelativeGaussianMechanism("1/100", 0). The inputs are JSON, or files that end in .json or .npy.

    \b
    rgm-verify audit examples/audit_me.py:correct --x '[1.1, 0]' --y '[1, 0]' --delta 1/20
    rgm-verify audit examples/audit_me.py:norm_not_squared --x '[11, 0]' --y '[10, 0]' --delta 1/20 --claimed-epsilon 2

    The bound exceeds the truth with probability --false-alarm at most, at every number of samples. It is about these
    two inputs only: a small bound is no evidence of privacy. The mechanism's code runs with your rights.

    Exit codes: 0 a bound, or the claim is consistent with the outputs; 1 the claim is rejected; 2 bad input;
    3 too few samples to tell anything.
    """  # noqa: D301 - click wants the character itself before lines that stand as they are
    with errors(interrupted="nothing was found yet"):
        import numpy as np

        from rgm_verify.accounting.auditing.audits import audit, check_claims
        from rgm_verify.accounting.auditing.samples import sampler

        # The mechanism first: its name is what is mistyped most.
        target = _load(mechanism)
        inputs = _input(first, "--x"), _input(second, "--y")
        # Wrapped before the first call: a fault in the mechanism is told by its name, whichever output shows it.
        x, y = (_told_from(mechanism, sampler(target, value)) for value in inputs)
        options: dict[str, Any] = {
            "generator": np.random.default_rng(seed),
            "samples": samples,
            "false_alarm": false_alarm,
        }
        if claimed is None:
            code = _print_bound(audit(x, y, delta=delta, **options), as_json=as_json)
        else:
            code = _print_check(check_claims(x, y, [(claimed, delta)], **options), as_json=as_json)
    sys.exit(code)


# ---------------------------------------------------------------------------------------------- inputs


def _load(specification: str) -> Any:
    """Return what `module:name` or `file.py:name` names; dots in the name go into attributes.

    Args:
        specification: The words of the command line.

    Returns:
        A function, a class or an object.

    Raises:
        InputError: For another form, for what is not there, and for whatever the import raises.
    """
    from rgm_verify.errors import reject

    # From the right: a path may hold a colon, a name never does.
    place, colon, name = specification.rpartition(":")
    if not (colon and place and name):
        raise reject("MODULE:CALLABLE", specification, "expected package.module:name or file.py:name")
    with _told_of(place):
        found: Any = _module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise reject("MODULE:CALLABLE", specification, f"{place} has no {part!r}")
        found = getattr(found, part)
    return found


def _module(place: str) -> Any:
    """Return the module of a name, which may lie in the current folder, or of a file that ends in .py.

    Raises:
        InputError: For a module or a file that is not there; what its code raises comes through.
    """
    import importlib
    import importlib.util

    from rgm_verify.errors import reject

    if not place.endswith(".py"):
        # As `python -m` does it; taken away again, so that nothing else is found there by accident.
        sys.path.insert(0, str(Path.cwd()))
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            raise reject("MODULE:CALLABLE", place, f"{error}; for a file give its path, ending in .py") from None
        finally:
            sys.path.remove(str(Path.cwd()))
    path = Path(place)
    if not path.is_file():
        raise reject("MODULE:CALLABLE", place, "there is no such file")
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise reject("MODULE:CALLABLE", place, "is no Python file")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def _input(text: str, name: str) -> Any:
    """Return the numbers that a JSON text or a .json or .npy file holds, as an array.

    Args:
        text: JSON, or the path of a file, told by its ending.
        name: The option, for the message.

    Raises:
        InputError: For a file that cannot be read, and for what is no array of finite numbers.
    """
    import numpy as np

    from rgm_verify.errors import reject
    from rgm_verify.mechanisms.values import checked_values

    try:
        if text.endswith(".npy"):
            # No pickles: a file of numbers must not run code.
            return checked_values(np.load(text, allow_pickle=False), name=name)
        value = json.loads(Path(text).read_text(encoding="utf-8") if text.endswith(".json") else text)
    except (OSError, ValueError, EOFError) as error:
        raise reject(name, text, f"expected JSON numbers such as '[1, 2]', or a .json or .npy file; {error}") from None
    return checked_values(value, name=name)


@contextmanager
def _told_of(name: str) -> Iterator[None]:
    """Turn whatever a user's code raises into one message that names it.

    Ctrl-C and the end of the program go through.

    Args:
        name: The code, as the user calls it.
    """
    from rgm_verify.errors import InputError

    try:
        yield
    # It names its cause already.
    except InputError:
        raise
    # Whatever it is: the fault is in code that is not ours, and a traceback through this program would hide that.
    except Exception as error:
        raise InputError(f"{name} raised {type(error).__name__}: {error}") from error


def _told_from(name: str, source: Sampler) -> Sampler:
    """Return a source of outputs whose faults are told as those of the mechanism.

    Args:
        name: The mechanism, as the user calls it.
        source: Outputs at one input.
    """

    def told(generator: np.random.Generator, size: int) -> ArrayLike:
        with _told_of(name):
            return source(generator, size)

    return told


# --------------------------------------------------------------------------------------------- answers


def _print_bound(found: Audit | Inconclusive, *, as_json: bool) -> int:
    """Print a lower bound, or that there is none yet, and return the exit code."""
    from rgm_verify.accounting.auditing.audits import Audit

    # Too few samples are no bound of 0, which would look like good privacy.
    if not isinstance(found, Audit):
        data = {"outcome": "inconclusive", "detail": found.reason}
        click.echo(json.dumps(data, indent=1) if as_json else f"inconclusive: {found.reason}")
        return EXIT_INCONCLUSIVE
    click.echo(json.dumps({"outcome": "bound", **_told(found)}, indent=1) if as_json else _sentence(found))
    return 0


def _print_check(found: ClaimCheck, *, as_json: bool) -> int:
    """Print the verdict on a claimed epsilon with its evidence, and return the exit code."""
    if as_json:
        # The control too: whether the same test rejects a claim that is known to be false.
        data = {
            "outcome": found.outcome,
            "detail": found.detail,
            "claimed_epsilon": str(found.claims[0][0]),
            "false_alarm": found.false_alarm,
            "control": found.control,
            "control_rejected": found.control_rejected,
            "audit": _told(found.audits[0]) if found.audits else None,
        }
        click.echo(json.dumps(data, indent=1))
    else:
        click.echo(f"{found.outcome}: {found.detail}")
        click.echo("\n".join(_sentence(audit) for audit in found.audits))
    return {"consistent": 0, "rejected": EXIT_DIFFERENT, "inconclusive": EXIT_INCONCLUSIVE}[found.outcome]


def _told(found: Audit) -> dict[str, Any]:
    """Return an audit as data; numbers that were given exactly stay texts."""
    from dataclasses import asdict

    return {
        "epsilon_lower": found.epsilon_lower,
        "delta": str(found.delta),
        "false_alarm": found.false_alarm,
        "findings": [asdict(finding) for finding in found.findings],
    }


def _sentence(found: Audit) -> str:
    """Return an audit in three lines: the bound, the event that it rests on, and how often that happened."""
    best = found.best
    return (
        f"epsilon >= {found.epsilon_lower!r} at delta={float(found.delta):.6g}, "
        f"false-alarm rate {found.false_alarm:g}\n"
        f"  {best.order}: {best.event}\n"
        f"  held in {best.hits_first} against {best.hits_second} of {best.trials} outputs"
    )
