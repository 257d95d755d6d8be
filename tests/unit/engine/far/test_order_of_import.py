"""A claim is the same, and has the same fingerprint, whatever was imported before it."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sympy
from sympy.core.cache import clear_cache

from rgm_verify.claims.formula import structure

ROOT = Path(__file__).resolve().parents[4]

#: The orders in which the files of a folder are imported, and for each claim its signature and its formulas. "alone" is
#: each file in a process of its own, with what it imports itself.
_READ = """
import json, os, sys, tomllib
from pathlib import Path
from rgm_verify.engine.discovery import _files, collect
from rgm_verify.engine.importing import import_files

folder, order = Path(sys.argv[1]).resolve(), sys.argv[2]
files = [path.relative_to(folder).as_posix() for path in _files(folder)]
if order == "paper" and (folder / "paper.toml").exists():
    named = tomllib.loads((folder / "paper.toml").read_text())["order"]
    files = [*named, *(name for name in files if name not in named)]
if order == "reversed":
    files.reverse()


def found(names):
    modules = import_files(folder, names)[0].values()
    claims = [claim for module in modules for claim in collect(vars(module).values())]
    return {c.id: [c.signature(), repr(c.conclusion), repr([h.formula for h in c.hypotheses])] for c in claims}


def apart(name):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as place:
            json.dump(found([name]), place)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as place:
        read = json.load(place)
    os.wait()
    return read


parts = [apart(name) for name in files] if order == "alone" else [found(files)]
print(json.dumps({id: claim for part in parts for id, claim in part.items()}))
"""


@functools.cache  # the paper's own order is compared with every other one
def read(folder: Path, order: str) -> dict[str, list[str]]:
    command = [sys.executable, "-c", _READ, str(folder), order]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(len(order))}
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def differing(folder: Path, first: str, second: str) -> list[str]:
    one, other = read(folder, first), read(folder, second)
    assert one.keys() == other.keys()
    return [claim for claim in one if one[claim] != other[claim]]


@pytest.mark.parametrize("facts", [{"positive": True}, {"integer": True, "nonnegative": True}, {"nonzero": True}])
def test_equal_symbols_have_one_text_however_they_were_declared(facts):
    texts = []
    for more in ({}, {"real": True}):
        symbol = sympy.Symbol("x", **facts, **more)
        clear_cache()  # else SymPy hands out the sum that it has made of the other symbol
        structure.cache_clear()
        texts.append(structure(symbol + 1))
    assert sympy.Symbol("x", **facts) == sympy.Symbol("x", real=True, **facts)
    assert texts[0] == texts[1]


def test_symbols_of_which_different_things_are_assumed_have_different_texts():
    facts = ({}, {"real": True}, {"positive": True}, {"nonnegative": True}, {"integer": True}, {"positive": False})
    assert len({structure(sympy.Symbol("x", **f)) for f in facts}) == len(facts)


_PAGE = """
from rgm_verify.claims import *
x = sympy.Symbol("x", {facts})
page = Page("own", "Section")
claim = page.inequality("own:{name}", "A square", ge(x * x + {number}, {number}), over=(positive("x"),))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each file is imported in a process of its own by fork")
def test_a_claim_has_one_fingerprint_whichever_file_has_made_its_symbols_first(tmp_path):
    for name, facts, number in (("a", "positive=True", 1), ("b", "positive=True, real=True", 2)):
        text = _PAGE.format(name=name, facts=facts, number=number)
        (tmp_path / f"{name}.py").write_text("import sympy\n" + text)
    assert len(read(tmp_path, "alone")) == 2
    assert differing(tmp_path, "paper", "reversed") == []
    assert differing(tmp_path, "paper", "alone") == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each file is imported in a process of its own by fork")
@pytest.mark.parametrize("order", ["reversed", "alone"])
def test_the_claims_of_the_paper_are_the_same_in_any_order(order):
    assert differing(ROOT / "derivations", "paper", order) == []
