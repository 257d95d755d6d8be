"""The command that checks certificates again, each by code apart from what made it; without a file, all of them.

There are three kinds, told apart by the beginning of the file: numbers of an account (`rgm_verify.recheck`), proofs of
claims (`rgm_verify.kernel`), and certificates of regions (`rgm_verify.balls.replay`). A file proves the statement that
it holds; with `--claims` it also has to be the statement of the claim of that name. Without a file, what proofs
state is compared with what the pages of the report show (`rgm_verify.statements.readback`).
"""

from __future__ import annotations

import collections
import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rgm_verify.cli.common import (
    EXIT_DIFFERENT,
    errors,
    json_option,
)
from rgm_verify.cli.judging.folders import (
    claims_folder,
    load_claims,
    say,
)
from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.counted import counted

if TYPE_CHECKING:
    from rgm_verify.balls.replay import ReplayResult
    from rgm_verify.engine.committed import Again
    from rgm_verify.engine.kept_proofs import Replayed
    from rgm_verify.statements.readback.compare import Compared


@click.command("replay")
@click.argument("certificate", required=False, type=click.Path(path_type=Path))
@click.option(
    "--claims",
    "folder",
    type=click.Path(path_type=Path),
    help="A folder of claims, which is executed: the statement must be that of the claim of this name in it.",
)
@click.option(
    "--seconds",
    type=click.IntRange(1, 10**9),
    default=600,
    show_default=True,
    help="Seconds of the processor after which it stops without an answer: reading and checking, of whatever kind.",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Without CERTIFICATE: the report whose counterexamples and region certificates are checked.",
)
@click.option(
    "--statement",
    type=click.Path(path_type=Path),
    help="Of an accounting number that is proved: write a page of HTML to print and sign.",
)
@click.option(
    "--accept",
    is_flag=True,
    help="Without CERTIFICATE: keep beside the claims, for reports, which pages show what is proved.",
)
@json_option
def replay_command(
    certificate: Path | None,
    folder: Path | None,
    seconds: int,
    report: Path,
    statement: Path | None,
    accept: bool,
    as_json: bool,
) -> None:
    """Check a region certificate, a file of proofs or an accounting number again, by code apart from what made it.

    Without CERTIFICATE it checks everything that is committed, without SymPy and without a solver: the kernel reads the
    kept proofs, the Python of every counterexample runs, region certificates are replayed. What a proof states is
    compared with what the page of its claim shows. It says how many claims stand on that alone.

    Prints the claim and its statement, and what is proved: for a region certificate also the box and what is not
    checked, for a proof the premises, for a number (`account ... --certificate FILE`) the mechanism, both ends and the
    claims that it rests on. A region certificate keeps the name that the report gave it.
    """
    with errors():
        if certificate is None:
            if statement is not None:
                raise click.UsageError("--statement goes with the certificate of an accounting number")
            sys.exit(_replay_everything(folder, report, seconds, accept=accept, as_json=as_json))
        if accept:
            raise reject("accept", True, "it keeps what came of all pages, and goes with no CERTIFICATE")
        # The cheapest question first: this room loads no library, and the others do.
        from rgm_verify.recheck.certificate import is_certificate

        if certificate.is_file() and is_certificate(certificate):
            from rgm_verify.cli.accounts.certificates import replay_number

            sys.exit(replay_number(certificate, seconds=seconds, as_json=as_json, statement=statement))

        if statement is not None:
            raise click.UsageError("--statement goes with the certificate of an accounting number")
        from rgm_verify.balls.replay import UNCHECKED, UnreadableCertificate
        from rgm_verify.engine.kept_proofs import is_proofs
        from rgm_verify.jobs.bounded import Stopped, bounded

        # The ending of the name says nothing: all three kinds are JSON.
        if certificate.is_file() and is_proofs(certificate):
            sys.exit(_replay_proofs(certificate, folder, seconds, as_json=as_json))

        try:
            # The replay's own clock says how far it came; this one ends what its clock does not reach.
            (result,) = bounded(_replay_region, certificate, seconds, seconds=1.5 * seconds)
        except OSError as error:
            raise InputError(f"{certificate}: cannot be read ({error.strerror or error})") from error
        except (UnreadableCertificate, Stopped) as error:
            # Some of these messages name the file, and none should name it twice.
            text = str(error)
            raise InputError(text if certificate.name in text else f"{certificate}: {text}") from error
        # Only then: importing a folder is slow, and changes nothing about a certificate that proves nothing.
        if folder is not None and result.accepted:
            result = _as_claimed(result, certificate, folder)
        # With what a replay leaves open, for programs too: an answer without its limits says more than is known.
        data = {**dataclasses.asdict(result), "not_checked": list(UNCHECKED)}
        click.echo(json.dumps(data) if as_json else "\n".join(result.lines()))
    sys.exit(0 if result.accepted else EXIT_DIFFERENT)


#: What `replay` without a file leaves open.
_LEFT_OPEN = (
    "that the values of a counterexample meet the hypotheses of its claim",
    "that a page says what its source says",
)
_NOT_COMPARED = "that a proof states what a page shows that is not read: --claims FOLDER compares it with the claim"


def _replay_everything(folder: Path | None, report: Path, seconds: int, *, accept: bool, as_json: bool) -> int:
    """Print what comes of everything that is committed, and return the exit code.

    Args:
        folder: The claims with which proofs are compared, which are executed; None compares none.
        report: The folder with the ledger and the certificates.
        seconds: Of the processor, for all of it.
        accept: Whether to keep which pages show what is proved.
        as_json: Whether to print JSON.

    Returns:
        0, or 1 where something is rejected.

    Raises:
        InputError: Where there is no report, and where the clock stops it: nothing is said of a part.
    """
    from rgm_verify.engine.committed import COUNTEREXAMPLE, PROOF, REGION, check_again, read_verdicts, standing
    from rgm_verify.engine.second_checks import write_checks
    from rgm_verify.jobs.bounded import Stopped, bounded
    from rgm_verify.statements.readback.compare import AGREES, UNREAD, all_compared

    verdicts = read_verdicts(report / "ledger")
    place = claims_folder(folder)
    try:
        found = list(bounded(check_again, place, verdicts, report / "certificates", seconds, seconds=seconds))
        pages = list(bounded(all_compared, place, report / "ledger", seconds=seconds))
    except Stopped as error:
        raise InputError(f"--seconds={seconds}: {error}; give it more, or one file at a time") from error
    accepted = {a.claim for a in found if a.kind == PROOF and not a.reason}
    pages = [page for page in pages if page.claim in accepted]
    if accept:
        agreed = {page.claim: page.digest for page in pages if page.outcome == AGREES}
        click.echo(f"written: {write_checks(place, pages=agreed)}", err=True)
    found = list(_as_shown(found, pages))
    if folder is not None:
        found = list(_as_stated(found, place))
    stands = standing(found, verdicts)
    kinds = {
        PROOF: ("kernel proofs accepted", "proved"),
        COUNTEREXAMPLE: ("counterexamples fail as stated", "refuted"),
        REGION: ("region certificates accepted", "certified"),
    }
    counts = {kind: [a for a in found if a.kind == kind] for kind in kinds}
    rejected = [a for a in found if a.reason]
    unread = any(page.outcome == UNREAD for page in pages) or len(pages) < len(accepted)
    left_open = [*_LEFT_OPEN, *([_NOT_COMPARED] if folder is None and unread else [])]
    if as_json:
        answer = {
            "rejected": [dataclasses.asdict(a) for a in rejected],
            "accepted": {kind: sum(not a.reason for a in items) for kind, items in counts.items()},
            "claims": len(verdicts.verdicts),
            "stand_on_this_alone": dict(sorted(stands.items())),
            "pages": [dataclasses.asdict(page) for page in pages],
            "not_checked": left_open,
        }
        click.echo(json.dumps(answer, indent=1, ensure_ascii=False))
        return EXIT_DIFFERENT if rejected else 0
    lines = [f"rejected: {a.claim} ({a.kind}): {a.reason}" for a in rejected]
    lines += [f"{sum(not a.reason for a in counts[k])} of {len(counts[k])} {words}" for k, (words, _) in kinds.items()]
    lines += _said_of_pages(pages, len(accepted))
    parts = [f"{list(stands.values()).count(kind)} {verb}" for kind, (_, verb) in kinds.items()]
    of_all = counted(len(verdicts.verdicts), "claim stands", "claims stand")
    lines.append(f"{len(stands)} of {of_all} on this alone: {', '.join(parts)}")
    click.echo("\n".join([*lines, *(f"not checked: {text}" for text in left_open)]))
    return EXIT_DIFFERENT if rejected else 0


def _said_of_pages(pages: Sequence[Compared], proofs: int) -> Iterator[str]:
    """Yield how many pages show what is proved, up to what freedoms, and why others are not read."""
    from rgm_verify.statements.readback.compare import AGREES, FREEDOMS, UNREAD

    same = [page for page in pages if page.outcome == AGREES]
    needed = collections.Counter(freedom for page in same for freedom in page.freedoms)
    told = ", ".join(f"{freedom} ({needed[freedom]})" for freedom in FREEDOMS if needed[freedom])
    shown = counted(proofs, "proof states what its page shows", "proofs state what their pages show")
    yield f"{len(same)} of {shown}" + (f", up to {told}" if told else "")
    if as_printed := sum(page.as_printed for page in same):
        yield f"{as_printed} of these pages show the formula that the source itself prints, read from its LaTeX"
    reasons = collections.Counter(page.reason for page in pages if page.outcome == UNREAD)
    if reasons:
        listed = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
        yield f"{counted(sum(reasons.values()), 'page is', 'pages are')} not read: {listed}"


def _as_shown(found: list[Again], pages: Sequence[Compared]) -> Iterator[Again]:
    """Yield the findings, with proofs rejected that state something else than the pages of their claims show."""
    from rgm_verify.engine.committed import PROOF
    from rgm_verify.statements.readback.compare import DIFFERS

    others = {page.claim: page.reason for page in pages if page.outcome == DIFFERS}
    for one in found:
        other = others.get(one.claim, "") if one.kind == PROOF and not one.reason else ""
        yield dataclasses.replace(one, reason=f"its page shows another statement: {other}") if other else one


def _as_stated(found: list[Again], folder: Path) -> Iterator[Again]:
    """Yield the findings, with proofs rejected that state something else than the claims of the folder do now."""
    from rgm_verify.engine.committed import PROOF
    from rgm_verify.engine.kept_proofs import all_proofs
    from rgm_verify.engine.proofs import stale

    paper, kept, statements = load_claims(folder), all_proofs(folder), dict[str, Any]()
    for one in found:
        if one.kind != PROOF or one.reason:
            yield one
        elif (claim := paper.claims.get(one.claim)) is None:
            yield dataclasses.replace(one, reason=f"{folder} has no claim of this name")
        else:
            yield dataclasses.replace(one, reason=stale(paper, claim, kept[one.claim], statements))


def _replay_region(path: Path, seconds: int) -> Iterator[Any]:
    """Yield the result of a region certificate."""
    from rgm_verify.balls.replay import replay

    yield replay(path, seconds=seconds, say=say)


def _replay_proofs(path: Path, folder: Path | None, seconds: int, *, as_json: bool) -> int:
    """Print what the kernel says of the proofs in a file, and return the exit code.

    Each proof is checked on its own; one that is refused does not stop the others.

    Args:
        path: A file of proofs.
        folder: The claims whose statements the proofs should have; None compares nothing.
        seconds: Of the processor for all of the file.
        as_json: Whether to print JSON.

    Returns:
        0, or 1 where a proof is refused or proves another statement.

    Raises:
        InputError: Where the clock stops it; the proofs that were answered before are printed.
    """
    from rgm_verify.engine.proofs import replay_proofs
    from rgm_verify.jobs.bounded import Stopped

    found: list[Replayed] = []
    stopped = ""
    try:
        # One by one: what was answered before the clock stops it is an answer.
        found.extend(replay_proofs(path, None if folder is None else load_claims(folder), seconds=seconds))
    except Stopped as error:
        stopped = f"{path}: {error}; of what is not answered above nothing is known"
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(result) for result in found], indent=1, ensure_ascii=False))
    else:
        for result in found:
            click.echo(f"{'rejected' if result.reason else 'accepted'}: {result.claim}")
            click.echo(f"  {result.reason or result.statement}")
            for name, text in result.premises.items():
                click.echo(f"  given {name}: {text}")
    if stopped:
        raise InputError(stopped)
    # One refusal is enough: a file is as good as its weakest proof.
    return EXIT_DIFFERENT if any(result.reason for result in found) else 0


def _as_claimed(result: ReplayResult, certificate: Path, folder: Path) -> ReplayResult:
    """The result, rejected where the folder has no such claim, or one with another statement.

    A certificate proves the statement that it holds. Whether the claim says the same is asked only here.

    Args:
        result: The accepted result of a replay.
        certificate: The file.
        folder: The folder of claims.

    Raises:
        InputError: For a fault in the folder.
    """
    from rgm_verify.claims.written.trees import NoTree, statement_tree

    claim = load_claims(folder).claims.get(result.claim)
    recorded = json.loads(certificate.read_text(encoding="utf-8"))["statement"]
    try:
        # Tree against tree: the same formula may be printed in many ways.
        stands = claim is not None and statement_tree(claim) == recorded
    # A claim without a tree cannot be what a certificate is about.
    except NoTree:
        stands = False
    if stands:
        return result
    reason = "has another statement" if claim is not None else "has no claim of this name"
    return dataclasses.replace(result, accepted=False, reason=f"{folder} {reason}: {result.claim}")
