"""One search for a proof as a task for a worker process: plain data in, plain data out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rgm_verify.kernel.check import check
from rgm_verify.kernel.terms import Refused
from rgm_verify.prover.budget import Budget, GivenUp, TooSlow
from rgm_verify.prover.pruning import pruned
from rgm_verify.prover.search import Prover

__all__ = ["LARGEST", "search"]

#: A proof with more characters than this is not kept.
# A longer proof is no reading for a person, and would make the repository grow.
LARGEST = 200_000


def search(task: Mapping[str, Any], work: int) -> dict[str, Any]:
    """Look for a proof for at most `work` units, of about a microsecond each, and let the kernel check it.

    The units are counts, so that the same task has the same outcome on every machine.

    Args:
        task: Plain data with the fields of `rgm_verify.engine.proofs.Task`, so that it can be sent to a worker.
        work: The units for the search; the first step beyond them ends it.

    Returns:
        `proof`, None where none was found; `reason`, which says where the search stopped, and is empty with a proof;
        `spent`, the units of work; and `too_slow`, true where the clock ended a question, which says nothing of the
        task.
    """
    proof, reason, too_slow = None, "", False
    budget = Budget(work)
    try:
        prover = Prover(
            task["statement"],
            task["premises"],
            task["uses"],
            terms=task["terms"],
            monotone=task["monotone"],
            witness=task["witness"],
            budget=budget,
        )
        # Through JSON, as it will be read: a tuple or a fraction that slipped in shows here and not in a file.
        found = json.loads(json.dumps(prover.document(task["claim"])))
        check(found)
        # After the check: pruning relies on a proof that is right, and checks what it has made.
        found = pruned(found)
        size = len(json.dumps(found, separators=(",", ":")))
        proof = found if size <= LARGEST else None
        reason = "" if proof else f"the proof has {size} characters, more than {LARGEST}"
    except (GivenUp, Refused) as error:
        reason = str(error)
    except TooSlow as error:
        reason, too_slow = str(error), True
    return {"proof": proof, "reason": reason, "spent": budget.spent, "too_slow": too_slow}
