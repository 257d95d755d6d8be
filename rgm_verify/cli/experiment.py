"""The command on experiments: the figures of the paper and more, on real data, with what their privacy costs.

The command reads choices, gives tasks to workers and writes the results; the experiments themselves are in
`rgm_verify.experiments`. Each finished run is a file in the results' folder, so that an interrupted experiment resumes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import EXIT_DIFFERENT, errors, json_option, memory_option, stopped_workers, task_progress

if TYPE_CHECKING:
    from rgm_verify.experiments.run.catalogue import Experiment, Panel
    from rgm_verify.experiments.run.records import Record
    from rgm_verify.experiments.setup import Choices


def _print_schema(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the JSON schema of a record."""
    if wanted and not context.resilient_parsing:
        from rgm_verify.experiments.run import records

        click.echo(json.dumps(records.schema(), indent=1))
        context.exit()


def _print_list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the names of all experiments with the question that each answers."""
    if wanted and not context.resilient_parsing:
        from rgm_verify.experiments.run.catalogue import EXPERIMENTS

        for experiment in EXPERIMENTS.values():
            click.echo(f"{experiment.name:<16} {experiment.question}")
        context.exit()


def _print_choices(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print what --set can change, with defaults, alternatives and meaning, for each kind of experiment."""
    if wanted and not context.resilient_parsing:
        from rgm_verify.experiments.setup import Setup, describe
        from rgm_verify.experiments.trainings.setup import TrainingSetup

        for kind, title in ((Setup, "two nodes:"), (TrainingSetup, "trainings on images (geodp-...):")):
            click.echo(title)
            for choice in describe(kind):
                others = "".join(f" | {other}" for other in choice.alternatives)
                click.echo(f"{choice.name}={_text(choice.default)}{others}\n    {choice.meaning}")
        context.exit()


def _shows(callback: Callable[[click.Context, click.Parameter, bool], None]) -> dict[str, Any]:
    """Return the settings of an option that prints something and ends, before the others are looked at."""
    return {"is_flag": True, "is_eager": True, "expose_value": False, "callback": callback}


@click.command("experiment", short_help="Run an experiment of the paper on data.")
@click.argument("name")
@click.option("--list", **_shows(_print_list), help="List the experiments with the question that each answers.")
@click.option(
    "--choices", **_shows(_print_choices), help="List the choices that --set can change, with defaults and meaning."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder with one subfolder for each data set; without it $RGM_VERIFY_DATA, then a download.",
)
@click.option("--synthetic", is_flag=True, help="Synthetic records of the same shape: a quick look without any data.")
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="Runs of each method.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of all runs.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a choice in every panel, such as iterations=100; may be repeated.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of the results; without it experiments/NAME (experiments/NAME-synthetic).",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; one per core unless given.")
@memory_option
@click.option("--executor", metavar="dask://HOST:PORT", help="Run on a cluster of `distributed` instead.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the numbers without curves, small enough to commit and to judge claims on.",
)
@json_option
@click.option("--json-schema", **_shows(_print_schema), help="Describe the output of --json, as a JSON schema.")
def experiment_command(
    name: str,
    data: Path | None,
    synthetic: bool,
    runs: int,
    seed: int,
    changes: tuple[str, ...],
    out: Path | None,
    jobs: int | None,
    memory: int,
    executor: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Run an experiment: figures, tables and a record of every number, with the privacy that each method really buys.

    The results' folder keeps finished tasks: the same command resumes an interrupted run. The same seed gives the same
    numbers for any number of workers.

    \b
    rgm-verify experiment --list                                  what there is
    rgm-verify experiment figure-1                                the first figure, on ijcnn1
    rgm-verify experiment figure-1 --synthetic --runs 1           a quick look without data
    rgm-verify experiment figure-1 --set split=label --set iterations=100
    """  # noqa: D301 - click wants the character itself before lines that stand as they are
    folder = out or Path("experiments") / (f"{name}-synthetic" if synthetic else name)
    with errors(interrupted=f"what was finished is kept in {folder / 'tasks'}, run the same command again to go on"):
        chosen = _changed(_experiment(name), changes)
        # Behind the choices, as these are wrong more often, and before the runs.
        _check_output(folder, record)
        found = _run(chosen, data, synthetic, runs, seed, folder, jobs, memory, executor)
        _write(found, folder, record)
        _print(found, folder, as_json=as_json)


def _experiment(name: str) -> Experiment:
    """Return the experiment of a name; `InputError` names those that there are."""
    from rgm_verify.experiments.run.catalogue import experiment

    return experiment(name)


# ------------------------------------------------------------------------------------------------------------- choices


def _changed(experiment: Experiment, changes: tuple[str, ...]) -> Experiment:
    """The experiment with choices changed in every panel; of panels that become equal the least changed one stays.

    Args:
        experiment: As the catalogue has it.
        changes: Words KEY=VALUE; of a key that is given twice the last one counts.

    Raises:
        InputError: For a key that is none, and for a value that its choice does not allow.
    """
    values = dict(_change(text, type(experiment.panels[0].setup)) for text in changes)
    kept: dict[Panel, Panel] = {}
    # The least changed first, as the first of equal ones is kept: its title is still true.
    for panel in sorted(experiment.panels, key=lambda panel: _differences(panel, values)):
        changed = replace(panel, setup=replace(panel.setup, **values))
        # Without its names: panels that differ in nothing else would be run twice.
        kept.setdefault(replace(changed, name="", title=""), changed)
    names = [panel.name for panel in experiment.panels]
    panels = sorted(kept.values(), key=lambda panel: names.index(panel.name))
    return replace(experiment, panels=tuple(panels)) if values else experiment


def _differences(panel: Panel, values: Mapping[str, Any]) -> int:
    """Return in how many choices a panel differs from the values."""
    return sum(getattr(panel.setup, name) != value for name, value in values.items())


def _change(text: str, kind: type[Choices]) -> tuple[str, Any]:
    """One --set as a field of the choices and its value; what the field allows is checked by the choices themselves.

    Args:
        text: Words KEY=VALUE.
        kind: The choices of the experiment.

    Raises:
        InputError: For another form, and for a key that is none.
    """
    from rgm_verify.errors import reject
    from rgm_verify.experiments.setup import describe

    name, sign, value = text.partition("=")
    choices = {choice.name: choice for choice in describe(kind)}
    if not sign:
        raise reject("--set", text, "write KEY=VALUE, such as iterations=100; --choices lists the keys")
    if name not in choices:
        raise reject("--set", text, f"no such choice; there are {', '.join(choices)} (--choices says what they mean)")
    return name, _value(name, value, choices[name].default)


def _value(name: str, text: str, default: Any) -> Any:
    """Return the value that a text stands for, of the type of the default.

    Args:
        name: The choice, for the message.
        text: What stands behind the equals sign.
        default: The default: a truth value, an integer, None (an integer or `none`), or a text.

    Raises:
        InputError: For a text that is no value of this type.

    Examples:
        >>> _value("steps", "100", default=5), _value("batch", "none", default=None), _value("split", "label", "row")
        (100, None, 'label')
    """
    from rgm_verify.errors import reject

    # Before integers: True is one for Python.
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise reject(name, text, "expected true or false")
        return text == "true"
    if default is None and text == "none":
        return None
    if default is None or isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise reject(name, text, "expected an integer" + " or none" * (default is None)) from None
    return text


def _text(value: Any) -> str:
    """A default as --set takes it."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


# ----------------------------------------------------------------------------------------------------------------- run


def _run(
    chosen: Experiment,
    data: Path | None,
    synthetic: bool,
    runs: int,
    seed: int,
    folder: Path,
    jobs: int | None,
    memory: int,
    address: str | None,
) -> Record:
    """Run all tasks that are not finished yet, and return the record of the whole experiment.

    Args:
        chosen: The experiment with its choices.
        data: A folder with data sets; None for the environment's, then a download.
        synthetic: Whether made-up records of the same shape are used.
        runs: Runs of each method.
        seed: Seed of all runs: the same numbers for any number of workers.
        folder: The results' folder, which keeps finished tasks.
        jobs: Worker processes, None for one a core.
        memory: GiB of address space for each worker.
        address: That of a Dask scheduler, whose workers are used then.

    Raises:
        SystemExit: With 1 where tasks failed; the others are kept.
    """
    import os

    from rgm_verify.experiments.run.execute import TasksFailed, execute, maker_of
    from rgm_verify.jobs.workers import make_executor

    # Loaded once in each worker and not once for each task.
    preload = (maker_of(chosen.kind), "scipy.linalg")
    executor = make_executor(jobs or os.cpu_count() or 1, address, preload, memory << 30)
    total = runs * sum(len(panel.methods) for panel in chosen.panels)
    try:
        with stopped_workers(executor), task_progress(total, "running", "run", "done") as progress:
            return execute(
                chosen, runs=runs, seed=seed, out=folder, executor=executor, progress=progress, folder=data,
                synthetic=synthetic, downloading=_downloading(),
            )  # fmt: skip
    # A method that fails is a finding about it, and no bad input of the user.
    except TasksFailed as error:
        click.echo(f"rgm-verify: {error}", err=True)
        sys.exit(EXIT_DIFFERENT)


def _downloading() -> Callable[[str, int, int], None]:
    """Say how far a download is, now and then.

    Returns:
        A function of a file's name, the bytes that were received, and all of them (0 if that is not known).
    """
    said: dict[str, int] = {}

    def progress(file: str, received: int, total: int) -> None:
        # A tenth at a time, or sixteen mebibytes where the size is not known.
        step = received * 10 // total if total else received >> 24
        if said.get(file) != step:
            said[file] = step
            share = f" of {total:,}" if total else ""
            click.echo(f"downloading {file}: {received:,}{share} bytes", err=True)

    return progress


# -------------------------------------------------------------------------------------------------------------- output


def _check_output(folder: Path, record: Path | None) -> None:
    """Fail before the work, not after it, when the results cannot be written.

    Args:
        folder: The results' folder, which need not exist.
        record: The file for the numbers without curves, None for none.

    Raises:
        InputError: For a place that cannot be written, a README.md of somebody else, and without matplotlib.
    """
    import os

    from rgm_verify.errors import reject
    from rgm_verify.experiments.show.figures import require_matplotlib
    from rgm_verify.experiments.show.tables import MARK

    # The figure comes last; without the library hours of runs would end in an error.
    require_matplotlib()
    for option, place in (("--out", folder), ("--record", record.parent if record is not None else folder)):
        # The nearest folder that exists: those below it will be made.
        existing = next(p for p in (place, *place.absolute().parents) if p.exists())
        if not existing.is_dir() or not os.access(existing, os.W_OK):
            raise reject(option, str(place), f"{existing} is not a writable folder; choose another")
    readme = folder / "README.md"
    # The folder is the user's, and a README.md in it may be work of theirs.
    if readme.exists() and not readme.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        raise reject("--out", str(folder), "its README.md was not written by this command; choose another folder")


def _write(found: Record, folder: Path, record: Path | None) -> None:
    """Write figure, tables and, where it was asked for, the compact record."""
    from rgm_verify.experiments.run import compact
    from rgm_verify.experiments.show import figures
    from rgm_verify.jobs.files import write_atomically

    # Pictures before the page that shows them.
    figures.write(found, folder)
    write_atomically(folder / "README.md", _shown(found).markdown(found, figures=["figure.svg"]).encode())
    if record is not None:
        compact.write(found, record)


def _shown(found: Record) -> ModuleType:
    """The module that writes the tables of a kind of experiment."""
    from rgm_verify.experiments.show import tables, trainings

    return trainings if found.kind == "training" else tables


def _print(found: Record, folder: Path, *, as_json: bool) -> None:
    """Print the record as JSON, or its tables as text with the place of the results."""
    from rgm_verify.experiments.run import records

    if as_json:
        click.echo(records.encode(found).decode(), nl=False)
        return
    click.echo(_shown(found).plain(found))
    click.echo(f"\nresults: {folder / 'README.md'} and {folder / 'figure.png'}")
