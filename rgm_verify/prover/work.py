"""One search for a proof as a task for a worker process: plain data in, plain data out."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from rgm_verify.kernel.check import check
from rgm_verify.kernel.terms import Refused
from rgm_verify.prover.pruning import pruned
from rgm_verify.prover.search import GivenUp, Prover

__all__ = ["LARGEST", "search"]

#: A proof with more characters than this is not kept.
LARGEST = 200_000


def search(task: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Look for a proof for at most about `seconds` of processor time, and let the kernel check it.

    `task` has the fields of `rgm_verify.engine.proofs.Task`. Returns `proof`, None where none was found, `reason`, and
    the `seconds` that it took.
    """
    start = time.process_time()
    proof, reason = None, ""
    try:
        prover = Prover(
            task["statement"],
            task["premises"],
            task["uses"],
            terms=task["terms"],
            monotone=task["monotone"],
            seconds=seconds,
        )
        found = json.loads(json.dumps(prover.document(task["claim"], task["witness"])))
        check(found)
        found = pruned(found)
        size = len(json.dumps(found, separators=(",", ":")))
        proof = found if size <= LARGEST else None
        reason = "" if proof else f"the proof has {size} characters, more than {LARGEST}"
    except (GivenUp, Refused) as error:
        reason = str(error)
    return {"proof": proof, "reason": reason, "seconds": time.process_time() - start}
