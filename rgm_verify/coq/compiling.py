"""Runs `coqc` on pages of theorems, at most so many at once, and tells what Coq refuses from what went wrong.

A file that Coq has accepted is not compiled again while it, what it imports and Coq's version are the same.
"""

from __future__ import annotations

import hashlib
import json
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from rgm_verify.coq.pages import FOLDERS, PAGES
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import write_atomically

OLDEST = (8, 16)
KEPT = "checked.json"
INSTALL = "apt-get install coq libcoq-coquelicot libcoq-interval"
#: What Coq's real numbers rest on.
AXIOMS = frozenset(
    ("ClassicalDedekindReals.sig_not_dec", "ClassicalDedekindReals.sig_forall_dec",
     "FunctionalExtensionality.functional_extensionality_dep", "Classical_Prop.classic")
)  # fmt: skip
#: Modules with what `interval` rests on besides: the processor's integers and floats, as Coq describes them.
PRIMITIVES = ("PrimInt63.", "Uint63.", "PrimFloat.", "FloatAxioms.", "Int63.", "Sint63.")
_REQUIRE = re.compile(rf"^From ({'|'.join(FOLDERS.values())}) Require (?:Export |Import )?(\w+)\.$", re.MULTILINE)
#: Coq's own words, and those of OCaml, whose program then ends itself.
_TOO_MUCH = re.compile(r"Out.of.memory|Stack.overflow|not enough memory|Cannot allocate memory", re.IGNORECASE)


@dataclass
class Compiled:
    """What became of the files, by path below the folder.

    Attributes:
        accepted: Files that Coq accepts.
        refused: Files with something that Coq refuses, and its words.
        failed: Files of which nothing is known, and why: `coqc` was killed, or out of time or memory.
        said: What Coq printed about the accepted files.
    """

    accepted: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)


def coq_version() -> str:
    """Return the version of the `coqc` that is found.

    Raises:
        InputError: where there is none, or it is too old.
    """
    program = shutil.which("coqc")
    if program is None:
        raise InputError(f"coqc: no such program; Coq is needed: {INSTALL}")
    try:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"{program}: it does not say its version ({error}); {INSTALL}") from error
    found = re.search(r"version (\d+)\.(\d+)", told)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise InputError(f"{program}: it is {told.strip()[:80]!r}; version {needed} or later is needed: {INSTALL}")
    return " ".join(told.split())


def compile_files(
    folder: Path, *, jobs: int, seconds: float, memory: int, done: Callable[[str, str], None] = lambda name, state: None
) -> Compiled:
    """Compile all files below a folder, each after what it imports.

    Args:
        folder: Where `rgm_verify.coq.pages.write_pages` wrote them.
        jobs: So many processes at once.
        seconds: For each file, by the clock.
        memory: Bytes of address space of each process.
        done: Is told each file, and what became of it.

    Raises:
        InputError: where Coq is missing or too old.
    """
    version = coq_version()
    # Pages are for readers; their text is in the parts.
    files = [p for p in sorted(folder.rglob("*.v")) if p.parent != folder / PAGES]
    sources = {p.relative_to(folder).as_posix(): p.read_text() for p in files}
    places = {name: part for part, name in FOLDERS.items()}
    imports = {
        n: list(dict.fromkeys(f"{places[m[1]]}/{m[2]}.v" for m in _REQUIRE.finditer(text)))
        for n, text in sources.items()
    }
    digests: dict[str, str] = {}

    def digest(name: str) -> str:
        if name not in digests:
            parts = [version, sources.get(name, ""), *map(digest, imports.get(name, ()))]
            digests[name] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return digests[name]

    kept = _kept(folder)
    found = Compiled()
    waiting = list(sources)
    running: dict[Future[tuple[str, str]], str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while waiting or running:
                for name in [*waiting]:
                    away = [i for i in imports[name] if i not in sources or i in found.refused or i in found.failed]
                    if away:
                        waiting.remove(name)
                        found.failed[name] = f"it imports {away[0]}, which was not accepted"
                        done(name, "failed")
                    elif all(i in found.accepted for i in imports[name]) and len(running) < jobs:
                        waiting.remove(name)
                        old = kept.get(name, {})
                        if old.get("digest") == digest(name) and (folder / name).with_suffix(".vo").is_file():
                            found.accepted.add(name)
                            found.said[name] = old["said"]
                            done(name, "kept")
                        else:
                            running[pool.submit(_compile, folder, name, seconds, memory)] = name
                if running and (len(running) == jobs or not _ready(waiting, imports, found)):
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        name = running.pop(future)
                        state, said = future.result()
                        if state == "accepted":
                            found.accepted.add(name)
                            found.said[name] = said
                            kept[name] = {"digest": digest(name), "said": said}
                        else:
                            (found.refused if state == "refused" else found.failed)[name] = said
                        done(name, state)
        finally:
            known = {name: kept[name] for name in sorted(sources) if name in kept}
            write_atomically(folder / KEPT, json.dumps(known, indent=1).encode())
    return found


def _ready(waiting: list[str], imports: Mapping[str, list[str]], found: Compiled) -> bool:
    """Return whether a file could be begun now."""
    known = found.accepted | found.refused.keys() | found.failed.keys()
    return any(all(i in known for i in imports[name]) for name in waiting)


def _kept(folder: Path) -> dict[str, dict[str, str]]:
    """Return what was accepted before, by file; nothing where the record cannot be read."""
    try:
        data = json.loads((folder / KEPT).read_text())
        return {name: {"digest": str(entry["digest"]), "said": str(entry["said"])} for name, entry in data.items()}
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return {}


def _compile(folder: Path, name: str, seconds: float, memory: int) -> tuple[str, str]:
    """Return what became of one file: accepted, refused or failed, and what Coq said."""
    options = [word for part, logical in FOLDERS.items() for word in ("-Q", part, logical)]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    try:
        ran = subprocess.run(
            ["coqc", "-q", "-w", "none", *options, name], cwd=folder, capture_output=True, text=True,
            timeout=seconds, preexec_fn=limited, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "failed", f"coqc was stopped after {seconds:g} s"
    except OSError as error:
        return "failed", f"coqc does not start: {error}"
    if ran.returncode == 0:
        return "accepted", ran.stdout
    if _TOO_MUCH.search(ran.stderr):
        return "failed", f"coqc was out of memory, {memory / 2**30:g} GiB"
    if ran.returncode < 0:
        return "failed", f"coqc was killed by {signal.Signals(-ran.returncode).name}; perhaps memory was short"
    if "Cannot find a physical path" in ran.stderr:
        lost = " ".join(ran.stderr.split("Error:")[-1].split())
        return "failed", f"a library of Coq is missing ({lost[:100]}); {INSTALL}"
    return "refused", _said(folder, ran.stderr)


def _said(folder: Path, stderr: str) -> str:
    """Return which theorem Coq refuses, and its words."""
    place = re.search(r'File "([^"]*)", line (\d+), characters [^\n]*\n', stderr)
    if place is None or not (folder / place[1]).is_file():
        return " ".join(stderr.split())[:300]
    above = (folder / place[1]).read_text().splitlines()[: int(place[2])]
    theorem = next((m[1] for line in reversed(above) if (m := re.match(r"(?:Theorem|Lemma) (\S+)", line))), "")
    words = " ".join(stderr[place.end() :].split())[:300]
    return f"{theorem or 'its head'}, line {place[2]}: {words}"


def axioms(said: str) -> set[str]:
    """Return what a `Print Assumptions` in what Coq printed names: axioms, and definitions whose checks were off."""
    return set(re.findall(r"^([A-Za-z_][\w.']*)(?=[ :]|$)", said, flags=re.MULTILINE)) - {"Axioms", "Closed"}
