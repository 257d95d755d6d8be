"""Finding claims: a folder with Python files in it is a paper; one file is enough.

The folder is imported as a package of its own, so that its files may share notation by relative imports
(`from .notation import eta`). An optional `paper.toml` gives a title and the inventory entries that ask for an
answer; an optional
`leans_on.toml` says what leans on what in the source; an optional
`expected.json` holds the verdicts that the claims had when someone last looked.

Importing runs the author's code. It is bounded in time, its prints go to standard error, and SymPy
keeps every condition of a term that the files write (`rgm_verify.engine.as_written`). A fault costs one item: a claim
that cannot be made, a file that is no Python, claims that share an id. It is refused with the file and the line, what
rests on it is not judged either, and the others are.
"""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import Any

from rgm_verify.claims.chapter import Chapter, collect_chapters
from rgm_verify.claims.claim import Claim, ClaimError, collect
from rgm_verify.claims.fields import wrong_fields
from rgm_verify.claims.outcome.ledger import PrintedEntry, SourceEntry
from rgm_verify.claims.theorem import Theorem
from rgm_verify.engine.errata import read_in_words
from rgm_verify.engine.importing import Refusal, forget, import_files
from rgm_verify.engine.index import Index, Row
from rgm_verify.engine.judge import refuse_foreign_lenses
from rgm_verify.engine.loading import bounded
from rgm_verify.engine.making import Making
from rgm_verify.engine.outcome.leans_on import Uses, read_uses
from rgm_verify.engine.paper_file import ClaimsFolderError, about_sources, read_paper_file, sources_of
from rgm_verify.engine.printed import read_printed
from rgm_verify.errors import InputError, meant, no_such_claim
from rgm_verify.jobs.files import read_toml
from rgm_verify.lenses import (
    Deduction,
    Measured,
    Monotone,
    Performance,
    Scaling,
    Simulation,
    Units,
    Worlds,
)
from rgm_verify.lenses.base import Lens
from rgm_verify.lenses.library import in_library

# Whoever gives a home folder by mistake must hear of it before a file of it is executed.
_MOST_ENTRIES = 100_000
_MOST_BYTES = 10_000_000
#: What stands before the id of a chapter where claims and chapters share a table; no id of a claim begins with it.
CHAPTER = "@"


@dataclass(frozen=True)
class Paper:
    """The claims of a folder in order, the file of each (and of each chapter), and what `paper.toml` says.

    Attributes:
        folder: The folder, as an absolute path.
        claims: Claims by id.
        files: The path of each file below the folder, by the id of its claim or by `CHAPTER` and the id
            of its chapter.
        title: The title for the report.
        inventory: Ids of printed statements that ask for an answer.
        order: Paths of files in the order of the paper.
        chapters: Chapters by `CHAPTER` and id.
        uses: What leans on what in the source.
    """

    folder: Path
    claims: Mapping[str, Claim]
    files: Mapping[str, str]
    title: str
    inventory: tuple[str, ...] = ()
    order: tuple[str, ...] = field(default=())
    chapters: Mapping[str, Chapter] = field(default_factory=dict)
    uses: Uses = field(default_factory=Uses)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The source of each entry of the inventory, by its title, where a folder is about several."""
    about: tuple[SourceEntry, ...] = ()
    """Authors and links of the sources, in the order of `paper.toml`."""
    printed: Mapping[str, PrintedEntry] = field(default_factory=dict)
    """What the source prints for a statement of the inventory, as the folder `printed` says it."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The kind of a statement of the inventory, as `paper.toml` says it."""
    in_words: Mapping[str, str] = field(default_factory=dict)
    """What is wrong with a claim that is refuted, in a sentence, as `errata.toml` says it."""
    refused: tuple[Refusal, ...] = ()
    """What is not judged, and why."""
    above: Mapping[str, Sequence[str]] | None = None
    """For a part of a folder: the claims of the whole folder that lean on each claim directly."""

    def select(self, patterns: tuple[str, ...]) -> tuple[str, ...]:
        """The ids that the patterns name (`*` is a wildcard), in paper order; all without patterns."""
        return select(self.claims, patterns)

    def without(self, refused: Iterable[Refusal]) -> Paper:
        """Return the folder without what is refused, and without what rests on it, which is refused for that reason.

        A claim that names what no folder has, or that rests on itself, is refused as well. One whose correction is
        missing is judged without it.

        Args:
            refused: Items with their reasons, besides those that are left out already.
        """
        found = list(dict.fromkeys((*self.refused, *refused)))
        claims = dict(self.claims)
        while True:
            gone = {refusal.claim for refusal in found}
            claims = {i: claim for i, claim in claims.items() if i not in gone}
            more = self._unsupported(claims, gone) or _conflicting(claims, self.files)
            if not more:
                break
            found += more
        claims = {
            # Whether the printed claim is true does not depend on what should hold instead.
            i: replace(claim, corrected=None) if claim.corrected and claim.corrected in gone else claim
            for i, claim in claims.items()
        }
        chapters = {name: chapter for name, chapter in self.chapters.items() if name not in gone}
        files = {name: path for name, path in self.files.items() if name in claims or name in chapters}
        return replace(self, claims=claims, chapters=chapters, files=files, refused=tuple(found))

    def _unsupported(self, claims: Mapping[str, Claim], gone: Collection[str]) -> list[Refusal]:
        """Return a refusal of each claim that rests on a refused one, or names one that does not exist."""
        found = []
        for claim in claims.values():
            # A part holds what its claims rest on, and no corrections.
            corrected = {claim.corrected} - {None, *gone} if self.above is None else ()
            missing = next((name for name in (*rests_on(claim), *corrected) if name and name not in claims), None)
            if missing is None:
                continue
            hint = meant(missing, claims) or "; write the id of a claim of this folder"
            known = f"it rests on {missing}, which is not judged"
            said = known if missing in gone else f"{claim.id} names the unknown claim {missing!r}{hint}"
            found.append(Refusal(self.files[claim.id], said, claim=claim.id))
        return found

    def leaned_on_by(self) -> dict[str, list[str]]:
        """The claims that lean directly on each claim, in paper order."""
        # A part knows only its own claims, and others of the folder may lean on them.
        if self.above is not None:
            return {i: list(self.above[i]) for i in self.claims}
        found: dict[str, list[str]] = {i: [] for i in self.claims}
        for claim in self.claims.values():
            for other in rests_on(claim):
                found[other].append(claim.id)
        return found


def select(ids: Collection[str], patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the ids that the patterns name (`*` is a wildcard), in their order; all without patterns.

    Raises `InputError` for a pattern without a match, with the nearest ids.

    Args:
        ids: All ids, in their order.
        patterns: Ids or patterns.

    Examples:
        >>> select(["a:1", "a:2", "b:1"], ("a:*",))
        ('a:1', 'a:2')
    """
    from fnmatch import fnmatchcase

    chosen: set[str] = set()
    for pattern in patterns:
        found = {i for i in ids if fnmatchcase(i, pattern)}
        # A slip in an id would otherwise be an empty run, which looks like a success.
        if not found:
            raise no_such_claim(pattern, ids)
        chosen |= found
    return tuple(i for i in ids if i in chosen) if patterns else tuple(ids)


def load(folder: Path, say: Callable[[str], None] | None = None, *, strict: bool = True) -> Paper:
    """Import every Python file below `folder` and collect its claims; `ClaimsFolderError` says what is wrong.

    The folder's code is executed, with the rights of the process. `say` is told now and then what is being imported;
    what takes too long is stopped (see `rgm_verify.engine.loading.bounded`). Every file is imported before any claim is
    checked, so that a fault in one is named whatever claim is asked for.

    Args:
        folder: The folder of claims.
        say: A function that is told about a long import.
        strict: Whether a fault in one item refuses the folder, with all faults in the message. Otherwise the item, and
            what rests on it, is left out and told in `refused`.

    Returns:
        The claims, checked against each other: ids are unique, what is named exists, nothing rests on
        itself.

    Raises:
        ClaimsFolderError: With the file, the line where there is one, and what to change; also where nothing is left.
        InputError: Where an import takes too long.
    """
    folder = _existing(folder)
    with bounded(folder, say):
        # Every file before any check, so that the first message does not depend on what is asked for.
        paths = [path.relative_to(folder).as_posix() for path in _files(folder)]
        modules, refused = import_files(folder, paths)
    claims, chapters, files = _collected(folder, modules, refused)
    if not claims and not refused:
        # An empty folder is a wrong path more often than a paper without claims.
        raise ClaimsFolderError(
            f"claims={folder}: no claims found; a claim is a module-level Claim(...) in a Python file"
        )
    try:
        title, inventory, order, sources, about, kinds = read_paper_file(folder, paths)
    except InputError as error:
        title, inventory, order, sources, about, kinds = folder.name, (), (), {}, (), {}
        refused.append(Refusal("paper.toml", str(error).removeprefix("paper.toml: ")))
    try:
        uses = read_uses(folder, {*inventory, *(ref for claim in claims.values() for ref in claim.refs)})
    except InputError as error:
        uses = Uses()
        refused.append(Refusal("leans_on.toml", str(error).removeprefix("leans_on.toml: ")))
    claims = _sorted(claims, files, order)
    ranked = {i: chapters[i] for i in _in_file_order(chapters, files, order)}
    statements = {*inventory, *(ref for claim in claims.values() for ref in claim.refs)}
    # Without its inventory and its links each of some hundred prints would be refused for one line.
    spoilt = any(refusal.file == "paper.toml" for refusal in refused)
    printed, unusable = ({}, []) if spoilt else read_printed(folder, sources, about, statements)
    paper = Paper(folder, claims, files, title, inventory, order, ranked, uses, sources, about, printed)
    refused += unusable
    in_words, unusable = read_in_words(folder, claims)
    paper = replace(paper, in_words=in_words, kinds=kinds)
    refused += unusable
    # Only now: a claim may name one of a later file.
    paper = paper.without(refused)
    if paper.refused:
        # A corrected file is read again by the next call.
        forget(folder)
    if paper.refused and (strict or not paper.claims):
        raise nothing_left(paper)
    return paper


def nothing_left(paper: Paper) -> ClaimsFolderError:
    """Return the error that names everything that is refused in a folder, one a line."""
    return ClaimsFolderError("\n".join(map(str, paper.refused)))


def _collected(
    folder: Path, modules: Mapping[str, types.ModuleType], refused: list[Refusal]
) -> tuple[dict[str, Claim], dict[str, Chapter], dict[str, str]]:
    """Return the claims and chapters of modules by id, with the file of each; `refused` gets what cannot be used.

    Of two items with one id none is used: nobody knows which of them others mean.
    """
    items: dict[str, Any] = {}
    files: dict[str, str] = {}
    shared: dict[str, list[str]] = {}
    twice: dict[str, str] = {}
    for path, module in modules.items():
        found: list[tuple[str, Any]] = [(CHAPTER + c.id, c) for c in collect_chapters(vars(module).values())]
        found += [(claim.id, claim) for claim in collect(vars(module).values())]
        for name, item in found:
            if name not in items:
                items[name], files[name] = item, path
            # The same object twice is an import of one file by another, and no duplicate.
            elif items[name] is item:
                shared.setdefault(name, [files[name]]).append(path)
            else:
                word = f"chapter {item.id!r}" if isinstance(item, Chapter) else f"id {item.id!r}"
                refused.append(Refusal(path, f"duplicate {word}; it is already used in {files[name]}", claim=name))
                twice[name] = path
    items = {name: item for name, item in items.items() if name not in twice}
    claims = {name: item for name, item in items.items() if isinstance(item, Claim)}
    for name, claim in list(claims.items()):
        try:
            _refuse_settings(claim)
            refuse_foreign_lenses(claim)
        except ClaimError as error:
            refused.append(Refusal(files[name], str(error), claim=name))
            del claims[name]
    files |= _makers(folder, modules, claims, {name: paths for name, paths in shared.items() if name in claims})
    return claims, {name: item for name, item in items.items() if isinstance(item, Chapter)}, files


def _makers(
    folder: Path,
    modules: Mapping[str, types.ModuleType],
    claims: Mapping[str, Claim],
    shared: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    """Return the file that makes each of the claims that several files hold; the others import it."""
    likely: dict[tuple[str, str], int] = {}
    for path in {*chain(*shared.values())}:
        made = Making((folder / path).read_bytes())
        for name, value in list(vars(modules[path]).items()):
            for claim in collect([value]) if made.binds(name) else ():
                if claim.id in shared and claims[claim.id] is claim:
                    found = made.rank(name, claim.id)
                    likely[claim.id, path] = max(found, likely.get((claim.id, path), 0))
    return {i: max(paths, key=lambda path: likely.get((i, path), -1)) for i, paths in shared.items()}


def load_part(folder: Path, files: Mapping[str, str], say: Callable[[str], None] | None = None) -> Paper:
    """Import only the files of some claims and chapters (id, or `CHAPTER` and id, to path), and what those import.

    The claims are those of `load`, in the order of `files`, without what concerns the folder as a whole: its title, its
    inventory and its order. `ClaimsFolderError` where a file no longer holds what it should.

    Args:
        folder: The folder of claims.
        files: The path of the file for each id that is wanted.
        say: A function that is told about a long import.

    Raises:
        ClaimsFolderError: As `load`, and where an id is not in its file.
    """
    folder = _existing(folder)
    with bounded(folder, say):
        modules, _ = import_files(folder, dict.fromkeys(files.values()))
    found: dict[str, Any] = {}
    for module in modules.values():
        # An imported claim is found in several modules, and is the same one in each.
        found |= {claim.id: claim for claim in collect(vars(module).values())}
        found |= {CHAPTER + chapter.id: chapter for chapter in collect_chapters(vars(module).values())}
    for name, path in files.items():
        # The index said that it is there, and the file has changed since.
        if name not in found:
            raise ClaimsFolderError(f"{path}: {name} is no longer there: it changed while it was read; run again")
    claims = {name: found[name] for name in files if not name.startswith(CHAPTER)}
    chapters = {name: found[name] for name in files if name.startswith(CHAPTER)}
    printed, (in_words, _) = _printed_of(folder, claims), read_in_words(folder, claims)
    return Paper(folder, claims, dict(files), folder.name, chapters=chapters, printed=printed, in_words=in_words)


def _printed_of(folder: Path, claims: Mapping[str, Claim]) -> Mapping[str, PrintedEntry]:
    """Return what the sources print for the statements that some claims answer, where the folder says it."""
    refs = {ref for claim in claims.values() for ref in claim.refs}
    try:
        data = read_toml(folder / "paper.toml") or {}
        sources, about = sources_of(data, ()), about_sources(data)
    except InputError:  # said by whoever asks for the whole folder
        sources, about = {}, ()
    return read_printed(folder, sources, about, refs)[0]


#: Settings without which a lens has nothing to do, and would say nothing.
_NEEDED: dict[type[Lens], tuple[str, ...]] = {
    Deduction: ("premises",),
    Measured: ("values",),
    Performance: ("says", "cases"),
    Scaling: ("says", "change"),
    Simulation: ("experiment",),
    Units: ("weights",),
    Worlds: ("says", "worlds", "statement"),
}
_AT_LEAST_ONE = ("bits", "count", "dimension", "milliseconds", "order", "steps")


def _refuse_settings(claim: Claim) -> None:
    """Raise `ClaimError` for a setting of a lens that is not of its kind, and for one that is missing."""
    for check in claim.every_check:
        if not isinstance(check, Lens) or not in_library(type(check)):
            continue  # refused elsewhere
        name = type(check).__name__
        faults = [
            *wrong_fields(check),
            *(f"{field} is missing" for field in _NEEDED.get(type(check), ()) if not getattr(check, field)),
            *(
                f"{field}={getattr(check, field)}: expected at least 1"
                for field in _AT_LEAST_ONE
                if isinstance(getattr(check, field, None), int) and getattr(check, field) < 1
            ),
        ]
        if faults:
            raise ClaimError(f"{claim.id}: {name}: {faults[0]}")


def _sorted(claims: dict[str, Claim], files: dict[str, str], order: tuple[str, ...]) -> dict[str, Claim]:
    """Files in the order that `paper.toml` gives (others after them, by name); claims in file order."""
    return {i: claims[i] for i in _in_file_order(claims, files, order)}


def _in_file_order(ids: Iterable[str], files: Mapping[str, str], order: tuple[str, ...]) -> list[str]:
    """Return ids in the order of their files; ids of one file keep their order."""
    # Files that the list leaves out come last, by name, so that a new page appears without an entry.
    rank = {name: i for i, name in enumerate(order)}
    return sorted(ids, key=lambda i: (rank.get(files[i], len(rank)), files[i]))


def _existing(folder: Path) -> Path:
    """Return the folder as an absolute path; raise `ClaimsFolderError` that says why it is none."""
    try:
        found = folder.resolve(strict=True)
        if found.is_dir():
            return found
        reason = "not a folder"
    except (OSError, RuntimeError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        reason = f"not a folder ({'nothing is there' if missing else getattr(error, 'strerror', None) or error})"
    raise ClaimsFolderError(f"claims={folder}: {reason}; give a folder with at least one Python file of claims")


def _files(folder: Path) -> list[Path]:
    """The Python files of a folder, sorted; checks first that each can be imported, before any of them is executed."""
    found, entries = [], 0
    # An unhappy argument such as a home folder must be refused before anything below it is imported.
    for place, folders, names in os.walk(folder, onerror=_refuse_unreadable):
        # In place, so that the walk does not enter them at all.
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        entries += len(folders) + len(names)
        # A home folder is the usual slip, and walking it would take minutes.
        if entries > _MOST_ENTRIES:
            raise ClaimsFolderError(
                f"claims={folder}: more than {_MOST_ENTRIES} files and folders; give the folder of the claims alone"
            )
        found += [Path(place, name) for name in names if name.endswith(".py") and not name.startswith((".", "__"))]
    for path in found:
        relative = path.relative_to(folder)
        if not all(part.isidentifier() for part in relative.with_suffix("").parts):
            raise ClaimsFolderError(
                f"{relative.as_posix()}: the path must be made of Python identifiers; rename it, or give the folder of "
                "the claims alone"
            )
        # Reading a pipe would wait for ever.
        if not path.is_file():
            raise ClaimsFolderError(f"{relative.as_posix()}: not a file that can be read; move it away")
        if path.stat().st_size > _MOST_BYTES:
            raise ClaimsFolderError(f"{relative.as_posix()}: a file of claims has at most {_MOST_BYTES} bytes")
    return sorted(found)


def _refuse_unreadable(error: OSError) -> None:
    """Raise `ClaimsFolderError` for a folder that cannot be listed."""
    raise ClaimsFolderError(f"{error.filename}: cannot be read ({error.strerror})") from error


def premises(claim: Claim) -> tuple[str, ...]:
    """The claims that the claim's deductions rest on."""
    return tuple(p.claim for check in claim.checks if isinstance(check, Deduction | Monotone) for p in check.premises)


def rests_on(claim: Claim) -> tuple[str, ...]:
    """Every claim that this one leans on: premises, steps of its derivation, what justifies its hypotheses.

    No verdict is stronger than that of the weakest of them.

    Returns:
        Ids, each once.
    """
    steps = tuple(name for step in claim.derivation for name in step.names())
    justified = tuple(name for hypothesis in claim.hypotheses for name in hypothesis.by)
    return tuple(dict.fromkeys((*steps, *justified, *premises(claim))))


def index_of(paper: Paper) -> Index:
    """The index of a folder that was imported as a whole."""
    rows = [
        Row(
            id=claim.id,
            refs=claim.refs,
            source=claim.source,
            where=claim.where,
            kind=claim.kind,
            title=claim.title,
            file=paper.files[claim.id],
            rests_on=rests_on(claim),
        )
        for claim in paper.claims.values()
    ]
    return Index(title=paper.title, rows=tuple(rows))


class OtherTheorem(ClaimError):
    """A claim quotes a theorem with another statement than an earlier claim does."""

    def __init__(self, claim: str, theorem: str) -> None:
        super().__init__(f"{claim}: it quotes another theorem {theorem!r} than an earlier claim does")
        self.claim = claim


def theorems(claims: Mapping[str, Claim]) -> dict[str, Theorem]:
    """The theorems that steps of the claims quote, by id.

    Raises:
        OtherTheorem: For an id with two statements.
    """
    found: dict[str, Theorem] = {}
    for claim in claims.values():
        for step in claim.derivation:
            # A page shows one statement for an id, and conditions are met for that one.
            if step.theorem is not None and found.setdefault(step.theorem.id, step.theorem) != step.theorem:
                raise OtherTheorem(claim.id, step.theorem.id)
    return found


def _conflicting(claims: Mapping[str, Claim], files: Mapping[str, str]) -> list[Refusal]:
    """Return a refusal of a claim that quotes a theorem with another statement, or of claims in a circle."""
    try:
        theorems(claims)
        # In a circle each claim would be no stronger than itself, and both could be proved by nothing.
        dependency_order(claims)
    except OtherTheorem as error:
        return [Refusal(files[error.claim], str(error), claim=error.claim)]
    except CycleError as error:
        circle = error.args[1]
        said = f"claims rest on each other in a circle: {' -> '.join(circle)}; drop a premise or a step"
        return [Refusal(files[name], said, claim=name) for name in dict.fromkeys(circle)]
    return []


def dependency_order(claims: Mapping[str, Claim]) -> tuple[str, ...]:
    """The ids so that everything that a claim rests on comes before it.

    Args:
        claims: Claims by id; what they rest on outside of these is left out.

    Raises:
        CycleError: Where claims rest on each other in a circle.
    """
    graph = {i: {p for p in rests_on(c) if p in claims} for i, c in claims.items()}
    return tuple(TopologicalSorter(graph).static_order())
