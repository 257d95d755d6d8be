"""Write a report: the ledger as JSON files with their schema, as Markdown pages, and as a static site.

`render_report` is a pure function from a ledger to bytes; `write_report` puts them into a folder, and
refuses one with a README.md of somebody else. Certificates lie beside the pages that link them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from pathlib import Path
from types import MappingProxyType

from rgm_verify.accounting.plans.files import schema as plan_schema
from rgm_verify.claims.outcome.ledger import EarlierLedger, Ledger, LedgerError
from rgm_verify.claims.outcome.ledger_files import FOLDER, encode_files, read_ledger, schema
from rgm_verify.errors import InputError, reject
from rgm_verify.report.changes import FILE, Changes, encode_changes
from rgm_verify.report.check import check
from rgm_verify.report.code import CodePlaces
from rgm_verify.report.digests import Memory, lies_in, origin_of
from rgm_verify.report.files import UNFINISHED, replace_files
from rgm_verify.report.markdown import first
from rgm_verify.report.markdown.division import Pages
from rgm_verify.report.markdown.pages import MARK, markdown_pages
from rgm_verify.report.markdown.readme import readme
from rgm_verify.report.site.build import site

_CERTIFICATE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_NONE: Mapping[str, bytes] = MappingProxyType({})
_NO_CODE = CodePlaces()


def render_report(
    ledger: Ledger,
    *,
    certificates: Mapping[str, bytes] = _NONE,
    since: Changes | None = None,
    code: CodePlaces = _NO_CODE,
) -> dict[str, bytes]:
    """Every file of the report by its name below the folder: the same arguments give the same bytes.

    `ReportError` names each claim and formula that cannot be shown. `since` is what changed since the last report: the
    first pages then say it.

    Args:
        certificates: Their content by file name.
        since: Changes since the last report.
        code: The lines of claims and chapters; only the site links them, so that no committed page changes with them.

    Raises:
        ReportError: For what cannot be shown.
        InputError: For a certificate whose name is no plain file name.
    """
    # Before anything is rendered: a fault is named with the claim, and not met half-way by a template.
    check(ledger)
    pages = Pages(ledger)
    files = {
        "ledger.schema.json": (json.dumps(schema(), indent=1, sort_keys=True) + "\n").encode(),
        "plan.schema.json": (json.dumps(plan_schema(), indent=1, sort_keys=True) + "\n").encode(),
        "README.md": readme(ledger, pages, since).encode(),
    }
    # The ledger itself is part of the report: every page can be made again from it.
    files |= {f"{FOLDER}/{name}": content for name, content in encode_files(ledger).items()}
    files |= {name: content.encode() for name, content in markdown_pages(ledger, pages).items()}
    files |= first.picture(ledger)
    files |= {FILE: encode_changes(since, ledger)} if since is not None else {}
    files |= {f"certificates/{_checked(name)}": content for name, content in certificates.items()}
    shown = site(ledger, certificates=certificates.keys(), since=since, code=code)
    return files | {f"site/{name}": content for name, content in shown.items()}


def write_report(
    ledger: Ledger,
    folder: Path,
    *,
    certificates: Mapping[str, bytes] = _NONE,
    since: Changes | None = None,
    memory: Path | None = None,
    code: CodePlaces = _NO_CODE,
) -> list[Path]:
    """Write the report into `folder` and return the files written, sorted by name.

    Each file is replaced atomically; pages and certificates of claims that are gone are removed last. A certificate
    that the ledger names, that is not given, and that lies in the folder from an earlier run is kept and linked.
    `memory` is a file with the digests of the last report and of its sources: if the sources are the same, and the
    folder still holds the report, nothing is rendered.
    `InputError` when the folder cannot be written or holds a README.md of someone else: then nothing is changed.

    Args:
        folder: The folder of the report.
        certificates: Their content by file name.
        since: Changes since the last report.
        memory: The file with digests, None for none.
        code: The lines of claims and chapters.
    """
    kept = _kept_certificates(ledger, folder, certificates)
    if memory is None:
        return _replace(folder, render_report(ledger, certificates=kept, since=since, code=code))
    remembered, origin = Memory(memory), origin_of(ledger, kept, since, code)
    made = remembered.recall(origin)
    # The folder itself is compared as well: somebody may have changed or added a file there.
    if made and lies_in(folder, made) and not _stale(folder, made):
        return [folder / name for name in sorted(made)]
    files = render_report(ledger, certificates=kept, since=since, code=code)
    written = _replace(folder, files)
    # After the writing: a run that is cut off in between renders again.
    remembered.keep(origin, files)
    return written


def _replace(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write the files, and remove those of an earlier report that are not among them."""
    # Asked before anything is written, and nothing is removed from a folder that holds no report.
    ours = _is_ours(folder)
    return replace_files(folder, files, stale=_stale(folder, files) if ours else ())


def _checked(name: str) -> str:
    """Return a certificate's name if it is a plain file name, so that no file lands outside of the folder."""
    if not _CERTIFICATE_NAME.fullmatch(name):
        raise reject("certificate", name, "a certificate's name is a plain file name of letters, digits and . _ + -")
    return name


def _kept_certificates(ledger: Ledger, folder: Path, given: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the given certificates and those that the ledger names and the folder holds already.

    A ledger that is written again without the certificates of its run keeps those that lie there, and their links.
    """
    kept = dict(given)
    # Names from the ledger are checked as well: it may be read from a file that somebody sent.
    for name in sorted({_checked(n) for c in ledger.claims for n in c.certificates} - set(given)):
        path = folder / "certificates" / name
        try:
            kept[name] = path.read_bytes()
        except OSError:  # absent or unreadable: the page then says that it is not in this folder
            continue
    return kept


def _is_ours(folder: Path) -> bool:
    """Return whether an earlier report lies in the folder; a folder with another README.md is refused.

    Raises:
        InputError: For a file in place of the folder, or a README.md that this program has not written.
    """
    readme = folder / "README.md"
    try:
        if folder.exists() and not folder.is_dir():
            raise reject("folder", str(folder), "this is a file; give a folder to write the report into")
        if readme.exists() and not readme.read_text(encoding="utf-8", errors="replace").startswith(MARK):
            raise reject("folder", str(folder), "its README.md was not written by this program; give another folder")
        read_ledger(folder / FOLDER)
    except EarlierLedger:
        return True
    except (OSError, LedgerError):
        return False
    return True


def _stale(folder: Path, files: Container[str]) -> list[str]:
    """Return the names of files of an earlier report that are not among the new ones, unfinished ones included.

    Only names that a report may have are looked for: what somebody else put into the folder stays.
    """
    found = [
        *folder.glob("ledger.json"),  # of an earlier version
        *folder.glob(FILE),
        *folder.glob(first.PICTURE),
        *folder.glob(f"{FOLDER}/**/*.json"),
        *folder.glob("pages/*.md"),
        *folder.glob("site/claim/*.html"),
        *folder.glob("site/chapter/*.html"),
        *folder.glob("site/errata/*.html"),
        *folder.glob("site/map/*.html"),
        *folder.glob("certificates/*"),
        *folder.rglob(f".*{UNFINISHED}*"),
    ]
    names = (path.relative_to(folder).as_posix() for path in found if path.is_file())
    return [name for name in names if name not in files]


__all__ = ["InputError", "render_report", "write_report"]
