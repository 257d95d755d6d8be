"""The one reader of the corpora: each set as a claims folder that the engine loads."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
SETS = ("tuned", "held", "third", "fourth", "fifth", "sixth", "seventh")
#: Files of claims with exact witnesses, by two authors.
FILES = sorted(p for name in ("blind", "own") for p in (HERE / name).glob(f"{name}_*.py"))
REFUSED = tomllib.loads((HERE / "refused.toml").read_text(encoding="utf-8"))
#: What each refused claim is written with: names of SymPy and of the library, and a few variables.
BEFORE = """
from functools import partial

from sympy import *

from rgm_verify.claims import *
from rgm_verify.claims import (
    Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real,
)
from rgm_verify.lenses import Combination, Deduction, Identity, Monotone, Premise, Region, Smt


def stated(kind, name, conclusion, *variables, **more):
    if "mutants" not in more:
        more["mutants"] = (Mutant("control", conclusion=lt(variables[0].symbol ** 2, -1)),)
    return Claim(
        id="own:" + name, title=name, source="corpus", where="-", kind=kind, variables=variables, conclusion=conclusion,
        **more,
    )


true, false, ill = partial(stated, "true"), partial(stated, "false"), partial(stated, "ill-posed")
XV, UV = real("x"), real("u", lower=0, upper=2)
YV = real("y", lower=Rational(-1, 10**15), lower_open=True, upper=1)
NV = real("n", lower=0, upper=1000000000, integer=True)
x, u, y, n = XV.symbol, UV.symbol, YV.symbol, NV.symbol
x_, y_, t = Symbol("x"), Symbol("y", positive=True), Symbol("t", real=True)
"""


def folder_of(file: Path, place: Path) -> Path:
    """A claims folder with one file of claims, and what it imports."""
    for path in (file, file.parent / "known.py"):
        shutil.copy(path, place)
    return place


def refused(name: str, place: Path) -> Path:
    """A claims folder with one claim of `refused.toml`, in a file of its name."""
    (place / f"{name}.py").write_text(BEFORE + REFUSED[name]["code"], encoding="utf-8")
    return place


def textbook(name: str, place: Path) -> Path:
    """A claims folder with one set of textbook statements."""
    folder = HERE / "textbook"
    shutil.copy(folder / "known.py", place)
    lines = ("from pathlib import Path\n", "from .known import read\n")
    code = f"CLAIMS = read({name!r}, Path({str(folder / name)!r} + '.txt').read_text(encoding='utf-8'))\n"
    (place / f"textbook_{name}.py").write_text("".join(lines) + code, encoding="utf-8")
    return place


def textbooks(place: Path) -> list[Path]:
    """A claims folder of each set."""
    folders = [place / name for name in SETS]
    for folder in folders:
        folder.mkdir()
    return [textbook(folder.name, folder) for folder in folders]


def section(name: str, title: str) -> list[str]:
    """The lines below a title of a textbook set."""
    text = (HERE / "textbook" / f"{name}.txt").read_text(encoding="utf-8")
    return text.partition(f"\n[{title}]\n")[2].partition("\n[")[0].strip().splitlines()
