"""Plans as events of dp-accounting.

Importing this module needs the optional extra ``pip install 'rgm-verify[dp-accounting]'``.

That package keeps floats. A number that is no float is rounded to the side that costs more, so that what its accountant
says of the event is said of the plan too.
"""

from __future__ import annotations

from typing import Any

from rgm_verify.accounting.handover import RelativeGaussianDpEvent
from rgm_verify.accounting.plans.kinds.kind import EventData
from rgm_verify.accounting.plans.plan import Plan
from rgm_verify.accounting.subsampled.mechanism import REPLACE
from rgm_verify.errors import InputError, takes

try:
    import dp_accounting
except ImportError as missing:
    raise ImportError(
        "this needs the package dp-accounting; install it with: pip install 'rgm-verify[dp-accounting]'"
    ) from missing

__all__ = ["to_dp_accounting"]


@takes(planned=Plan)
def to_dp_accounting(planned: Plan) -> Any:
    """Return the releases of a plan as one `DpEvent`.

    An event's noise is relative to the largest norm of what one record adds to a sum, which a replacement moves by
    twice: for "replace-one" the event has twice the noise of the plan. Ask an accountant of the plan's own neighbours,
    ADD_OR_REMOVE_ONE for every relation but "replace-one".

    Raises:
        InputError: for a release or a group that has no event.
    """
    if planned.group != 1:
        raise InputError(f"group={planned.group}: events are for neighbours that differ in one record")
    moved = 2 if planned.adjacency == REPLACE else 1
    events = []
    for number, release in enumerate(planned.releases):
        found = list(release.to_events(moved, f"lines[{number}]"))
        if not found:
            raise InputError(f"lines[{number}]: {release.kind} has no event of dp-accounting for these neighbours")
        for data, count in found:
            event = _event(data)
            events.append(event if count == 1 else dp_accounting.SelfComposedDpEvent(event, count))
    return events[0] if len(events) == 1 else dp_accounting.ComposedDpEvent(events)


def _event(data: EventData) -> Any:
    """Return the event that data stand for, with those inside of it."""
    name, fields = data
    made = {key: _event(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    if name == "RelativeGaussianDpEvent":
        made["neighboring_relation"] = dp_accounting.NeighboringRelation[made["neighboring_relation"]]
        return RelativeGaussianDpEvent(**made)
    return getattr(dp_accounting.dp_event, name)(**made)
