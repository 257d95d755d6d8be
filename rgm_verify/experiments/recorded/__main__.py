"""Make every record of a folder again, or those that are named.

    RGM_VERIFY_DATA=DIR python -m rgm_verify.experiments.recorded FOLDER [--jobs J] [--out DIR] [NAME ...]

The numbers depend on the seed, the data and the code alone, not on how many workers there are.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rgm_verify.experiments.data.datasets import load
from rgm_verify.experiments.data.images import load_images
from rgm_verify.experiments.recorded.facts import facts
from rgm_verify.experiments.recorded.gradients import gradients
from rgm_verify.experiments.recorded.selection import FACTS, GRADIENTS, NAMES, RECORDED, SEED, Recorded, linear_algebra
from rgm_verify.experiments.run.compact import LARGEST_BYTES, Measurements, encode
from rgm_verify.experiments.run.execute import execute, maker_of
from rgm_verify.jobs.files import write_atomically
from rgm_verify.jobs.workers import make_executor


def make(name: str, folder: Path, out: Path, jobs: int) -> Path:
    """Run the experiment of a record, or what is missing of it in `out`, and write the record into `folder`.

    Args:
        out: where results are kept, so that an interrupted run resumes.

    Returns:
        The file that was written, beside a note on the linear algebra that it was made with.

    Raises:
        ValueError: if it is too large to be committed.
        InputError: for data that are not there.
    """
    if name == FACTS:
        found = facts(load, SEED)
    elif name == GRADIENTS:
        found = gradients(load_images, SEED)
    else:
        found = _measured(RECORDED[name], out / name, jobs)
    data = encode(found)
    # Checked and not cut down: what is kept of a record is a choice, which stands in `selection`.
    if len(data) > LARGEST_BYTES:
        raise ValueError(f"{name}: {len(data)} bytes, at most {LARGEST_BYTES} are meant to be committed; keep less")
    path = folder / f"{name}.json"
    write_atomically(path, data)
    # Other libraries add in another order: whoever makes the records again elsewhere sees why the last digits differ.
    write_atomically(folder / "linear-algebra.txt", (linear_algebra() + "\n").encode())
    return path


def _measured(recorded: Recorded, out: Path, jobs: int) -> Measurements:
    """Return the numbers of an experiment, run with as many workers."""
    with make_executor(jobs, None, (maker_of(recorded.experiment.kind), "scipy.linalg")) as executor:
        record = execute(
            recorded.experiment, runs=recorded.runs, seed=SEED, out=out, executor=executor, progress=lambda *_: None
        )
    return recorded.measurements(record)


def main() -> None:
    """Make the records that are named on the command line, all without names."""
    parser = argparse.ArgumentParser(prog="python -m rgm_verify.experiments.recorded", description=main.__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the records are")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all without names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes; one per core")
    parser.add_argument("--out", type=Path, default=Path("experiments/records"), help="where results are kept")
    given = parser.parse_args()
    for name in given.names or NAMES:
        if name not in NAMES:
            parser.error(f"{name}: there are {', '.join(NAMES)}")
        path = make(name, given.folder, given.out, given.jobs)
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
