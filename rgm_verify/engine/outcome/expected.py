"""The expected ledger: the verdicts when someone last looked. A change is a failure until someone looks again.

Verdicts are computed anew at every run. Kept beside the claims, the last ones make a silent change
impossible: one that is weaker, stronger or new fails the run until somebody accepts it, and the file
shows the change in a review.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rgm_verify.claims.outcome.verdict import WEAKEST_FIRST, Verdict
from rgm_verify.errors import InputError, reject
from rgm_verify.jobs.files import read_within, write_atomically

FILE = "expected.json"
#: More bytes than this are not read.
MAXIMUM_BYTES = 50_000_000


@dataclass(frozen=True)
class Difference:
    """A claim whose verdict is not the expected one (`expected` or `found` is None where a side lacks the claim).

    Attributes:
        claim: The id.
        expected: The verdict in the file.
        found: The verdict of the run.
    """

    claim: str
    expected: str | None
    found: str | None

    def __str__(self) -> str:
        return f"{self.claim}: expected {self.expected or 'no such claim'}, found {self.found or 'no such claim'}"


def read(folder: Path) -> tuple[dict[str, str] | None, list[str]]:
    """The expected verdicts by claim id, None where the folder has no such file, and what is wrong with the file.

    A line with an unknown verdict is left out, and a file that is no such ledger holds nothing.

    Args:
        folder: The folder of claims.
    """
    path = folder / FILE
    advice = "run with --accept to write it anew"
    try:
        data = json.loads(read_within(path, MAXIMUM_BYTES).decode())["verdicts"]
    except FileNotFoundError:
        return None, []
    except InputError as error:
        return None, [f"{error}; {advice}"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return None, [f"{path}: not an expected ledger ({type(error).__name__}: {error}); {advice}"]
    known = {verdict.value for verdict in Verdict}
    faults = {}
    for name, verdict in data.items() if isinstance(data, dict) else [("verdicts", data)]:
        if not isinstance(verdict, str) or verdict not in known:
            shown = reject(name, verdict, f"expected one of {', '.join(sorted(known))}")
            faults[name] = f"{path}: not an expected ledger: {shown}; {advice}"
    if not isinstance(data, dict):
        return None, list(faults.values())
    return {name: verdict for name, verdict in data.items() if name not in faults}, list(faults.values())


def compare(
    expected: Mapping[str, str], found: Mapping[str, Verdict], *, ids: tuple[str, ...] | None, deeper: bool
) -> list[Difference]:
    """Return the differences for the claims that were run (`ids`; None for all, and then missing claims count too).

    In a `deeper` profile than the expected ledger's a positive verdict may be stronger.

    Args:
        expected: Verdicts of the file.
        found: Verdicts of the run.
        ids: The claims that were asked for.
        deeper: Whether the run was made with more effort than the file.
    """
    names = tuple(dict.fromkeys((*expected, *found))) if ids is None else ids
    differences = []
    for name in names:
        wanted, got = expected.get(name), found[name].value if name in found else None
        # More effort may prove what less could only support, and never turns a positive verdict into a
        # refuted one unseen.
        if wanted != got and not (deeper and wanted and got and _stronger(got, wanted)):
            differences.append(Difference(name, wanted, got))
    return differences


def _stronger(found: str, expected: str) -> bool:
    """Return whether both verdicts are positive ones and the first is the stronger."""
    ranks = [v.value for v in WEAKEST_FIRST]
    positive = ("undecided", "supported", "certified", "proved")
    return found in positive and expected in positive and ranks.index(found) > ranks.index(expected)


def accept(folder: Path, found: Mapping[str, Verdict]) -> Path:
    """Write the verdicts as the expected ones and return the file.

    Args:
        folder: The folder of claims.
        found: Verdicts of a whole run.
    """
    path = folder / FILE
    data = {"verdicts": {name: verdict.value for name, verdict in sorted(found.items())}}
    write_atomically(path, (json.dumps(data, indent=1, sort_keys=True) + "\n").encode())
    return path
