"""An experiment whose tasks cost nothing: workers import it by this name. Files of a folder say what it does."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.experiments.accounts import Cost, NodeAccount
from rgm_verify.experiments.data.datasets import Dataset
from rgm_verify.experiments.run.catalogue import Experiment, Panel
from rgm_verify.experiments.run.one_run import Result, Task
from rgm_verify.experiments.setup import Setup

METHODS = ("none", "clip-printed", "rgm-printed", "rgm-vouched")
STEPS = 6


class Odd(Exception):
    """An exception that does not survive the way between processes."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)


def experiment(**changes: Any) -> Experiment:
    """Two panels of four methods."""
    setup = Setup(iterations=STEPS, **changes)
    label = Setup(iterations=STEPS, split="label", **changes)
    panels = (Panel("left", "Left", setup, METHODS), Panel("right", "Right", label, METHODS))
    return Experiment("fake", "A fake", "Does it run?", panels)


@dataclass(frozen=True)
class Load:
    """Four records; every call leaves a line, and `other` makes workers see other data."""

    folder: str

    def __call__(self, name: str) -> Dataset:
        _note(self.folder, "loads", f"{name} {os.getpid()}")
        digest, other = hashlib.sha256(name.encode()).hexdigest(), Path(self.folder) / "other"
        if other.exists() and str(os.getpid()) != other.read_text():
            digest = "0" * 64
        return Dataset(name, np.eye(4), np.array([1.0, -1.0, 1.0, -1.0]), "made up", digest, False, "")


def perform(folder: str, task: Task, dataset: Dataset) -> Result:
    """A curve from the digest of the task, after what the files of the folder ask for."""
    _note(folder, "calls", f"{task.setup.split} {task.method} {task.run}")
    if (Path(folder) / "slow").exists():
        time.sleep(0.2)
    _misbehave(folder, f"{task.setup.split} {task.method} {task.run}")
    digest = hashlib.sha256(f"{task} {dataset.sha256}".encode()).digest()
    feasible = task.method != "rgm-vouched" or task.setup.split == "random"
    curve = tuple(2.0**-k * (1 + digest[k] / 7) for k in range(STEPS + 1)) if feasible else ()
    if (Path(folder) / "runaway").exists() and curve:
        curve = (*curve[:-1], float("inf"))
    accounts = (account(task.method, 1, feasible=feasible), account(task.method, 2, feasible=feasible))
    final = {"value": curve[-1]} if curve else {}
    return Result(curve, (), accounts, final, {"prepare": 0.5, "step": 0.001 * digest[0]})


def account(method: str, node: int, *, feasible: bool = True) -> NodeAccount:
    """A cost that a node of a method might have."""
    basis = method.rpartition("-")[2]
    noise = {"none": "none", "clip": "gaussian", "rgm": "relative"}[method.split("-")[0]]
    private = noise != "none"
    return NodeAccount(
        method=method,
        basis=basis,
        noise=noise,
        node=node,
        records=2,
        divisor=2,
        dimension=4,
        neighbours="replace-one",
        order=2.0,
        aim=0.1 if private else None,
        eta=0.01 * node if noise == "relative" else None,
        sigma2=0.5 if private and feasible else None,
        release=Cost(0.19, 0.2) if private and feasible else Cost(None, None),
        reached=0.15 if private and feasible else None,
        iterations=STEPS,
        total=Cost(1.1, 1.2) if private and feasible else Cost(None, None),
        delta=1e-6,
        epsilon=Cost(3.1, 3.2) if private and feasible else Cost(None, None),
        feasible=feasible,
        floor=None if feasible else 0.25,
        reason="" if feasible else "no gamma has a level below 0.25",
        caveats=(("the threshold is not paid for",) if noise == "gaussian" else ()) + ("the step is public",) * private,
    )


def _note(folder: str, name: str, line: str) -> None:
    with (Path(folder) / name).open("a") as stream:
        stream.write(line + "\n")


def _misbehave(folder: str, name: str) -> None:
    """The file `NAME` of the folder, where NAME is that of the task, says what goes wrong in it."""
    path = Path(folder) / name
    match path.read_text() if path.exists() else "":
        case "refuse":
            raise InputError("split='label': node 1 is left without records")
        case "fail":
            raise ZeroDivisionError("by zero")
        case "odd":
            raise Odd("one", "two")
        case "die":
            os._exit(9)
        case _:
            pass
