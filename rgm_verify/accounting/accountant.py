"""One accountant for everything that is released: lines are added, also while training, and it answers every question.

It keeps a plan and nothing else: answers are those of `plans.account`, files those of `plans.files`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from numbers import Real
from pathlib import Path
from typing import Any

from rgm_verify.accounting.certificates import planned_certificate
from rgm_verify.accounting.plans import account, curves, inverse
from rgm_verify.accounting.plans.account import Spent, spent
from rgm_verify.accounting.plans.files import read_plan, write_plan
from rgm_verify.accounting.plans.importers import from_dp_accounting, from_opacus
from rgm_verify.accounting.plans.inverse import Solved
from rgm_verify.accounting.plans.pictures import plan_picture
from rgm_verify.accounting.plans.plan import Line, Plan, checked_neighbours, group_size, plan
from rgm_verify.accounting.plans.releases import GIVEN, KINDS, PlannedRelease, fields_of, release_of
from rgm_verify.accounting.subsampled.attacks import misses
from rgm_verify.errors import InputError, reject, require
from rgm_verify.numbers.bounds import Bounds, round_down
from rgm_verify.numbers.exact import ExactInput, Floats, NumberInput, exact
from rgm_verify.numbers.shown import Rows, frame, table
from rgm_verify.pictures.curves import Picture

__all__ = ["Accountant"]

_NOTHING = "nothing was released"
_WIDTH = "1/1000"


class Accountant:
    """Releases for one neighbouring relation, in the order in which they were added, and what they cost together.

    Each query may depend on all outputs before it; noise, rates and numbers of steps may not (`plans.filters` has
    budgets for those that do). Every answer is a pair of certified ends, rounded outward.

    Args:
        neighbours: the data sets that are compared: "add-or-remove-one", "add-one", "remove-one" or "replace-one"; or
            "those-of-the-sensitivity", where every line has a sensitivity between whatever neighbours they are. Has to
            be said.
        group: how many records neighbours differ in.
        floats: "refuse" floats, as 0.1 is not the decimal that was typed, or take each as the "binary" number that it
            is. For every number that is given to the accountant.

    Raises:
        InputError: here and in all methods, with the field, its value and what is allowed.

    Examples:
        >>> accountant = Accountant(neighbours="add-or-remove-one", floats="binary")
        >>> for epoch in range(3):
        ...     accountant.add("dp-sgd", noise_multiplier=1.1, sampling_rate=0.01, sampler="poisson", count=100)
        >>> accountant.add("laplace", scale=20, name="a count")
        >>> [(line.name, line.release.count) for line in accountant.plan().lines]
        [('1: dp-sgd', 300), ('a count', 1)]
        >>> found = accountant.epsilon(1e-5)
        >>> 0.87 < found.lower < found.upper < 0.88, found.assuming
        (True, 'neighbours: add-or-remove-one; sampler: poisson')
    """

    def __init__(self, *, neighbours: str | None = None, group: NumberInput = 1, floats: Floats = "refuse") -> None:
        if floats not in ("refuse", "binary"):
            raise reject("floats", floats, 'allowed are "refuse" and "binary"')
        self.neighbours = checked_neighbours(neighbours)
        self.floats: Floats = floats
        self.group = group_size(self._number(group, "group"))
        self._lines: list[Line] = []

    @classmethod
    def of(cls, planned: Plan, *, floats: Floats = "refuse") -> Accountant:
        """Return an accountant with the lines of a plan, for its neighbours."""
        require("planned", planned, Plan)
        found = cls(neighbours=planned.adjacency, group=planned.group, floats=floats)
        found._lines = list(planned.lines)
        return found

    @classmethod
    def load(cls, path: Path | str, *, floats: Floats = "refuse") -> Accountant:
        """Return an accountant with the lines of a plan in a file, JSON or TOML; what the file asks is left out."""
        return cls.of(read_plan(path), floats=floats)

    # ------------------------------------------------------------------------------------------------------- lines

    def add(self, mechanism: str | PlannedRelease, /, *, name: str = "", **fields: Any) -> None:
        """Add releases: a mechanism by its name with its fields, or a release as `release_of` makes it.

        Args:
            mechanism: one of `plans.releases.KINDS`.
            name: of the line, for reading.
            fields: numbers by the names of the fields of that mechanism, `count` among them. A line that differs from
                the one before only in its number is added to it.
        """
        if isinstance(mechanism, str):
            release = release_of(mechanism, self._fields(fields))
        elif fields:
            raise InputError(f"{next(iter(fields))}: a release has its fields already")
        else:
            release = mechanism
        line = Line(name, release)
        require("mechanism", release, PlannedRelease)
        if self.neighbours == GIVEN and release.own_adjacency != GIVEN:
            raise reject("neighbours", GIVEN, f"{release.kind} is for {release.own_adjacency}")
        plan([line], adjacency=self.neighbours, group=self.group, places=[""])
        last = self._lines[-1] if self._lines else None
        # A run of several parts has one number for each of them.
        one = len(release.parts) == 1
        if one and last and last.name == name and last.release.with_count(1) == release.with_count(1):
            self._lines[-1] = Line(name, release.with_count(last.release.count + release.count))
        else:
            self._lines.append(line)

    def add_event(self, event: Any, *, one_number: bool = False) -> None:
        """Add all releases of an event of dp-accounting; arguments as in `plans.importers.from_dp_accounting`."""
        self._extend(from_dp_accounting(event, adjacency=self.neighbours, one_number=one_number))

    def add_opacus(self, history: Any, *, sampler: str | None = None) -> None:
        """Add the history of an accountant of Opacus, or that accountant; the sampler has to be said."""
        self._extend(from_opacus(history, sampler=sampler, adjacency=self.neighbours))

    def _extend(self, planned: Plan) -> None:
        for line in planned.lines:
            self.add(line.release)

    def plan(self, **question: Any) -> Plan:
        """Return all lines as a plan; `question`: `delta` or `epsilon`, and perhaps `budget`, as in `plans.plan`."""
        asked: dict[str, Any] = {
            name: self._number(value, name) for name, value in question.items() if value is not None
        }
        return plan(self._lines, adjacency=self.neighbours, group=self.group, **asked)

    def save(self, path: Path | str) -> None:
        """Write the lines as a plan in JSON: for `load`, for `rgm-verify account FILE`, and for reading."""
        write_plan(self.plan(), path)

    def to_dp_event(self) -> Any:
        """Return the lines as an event of dp-accounting, which has to be installed; floats err on the costly side."""
        from rgm_verify.accounting.dp_events import to_dp_accounting

        return to_dp_accounting(self.plan())

    # ----------------------------------------------------------------------------------------------------- answers

    def epsilon(self, delta: NumberInput, *, width: ExactInput = _WIDTH, **limits: Any) -> Bounds:
        """Return bounds on the least epsilon >= 0 for which all lines together are (epsilon, `delta`) private.

        Args:
            delta: a probability, 1e-250 <= delta < 1.
            width: the relative width to reach.
            limits: `time_limit` and `progress`, as in `plans.account.epsilon`.
        """
        at = self._number(delta, "delta")
        return self._nothing() or account.epsilon(self.plan(delta=at), at, width=width, **limits)

    def delta(self, epsilon: NumberInput, *, width: ExactInput = _WIDTH, **limits: Any) -> Bounds:
        """Return bounds on the least delta for which all lines together are (`epsilon`, delta) private."""
        at = self._number(epsilon, "epsilon")
        return self._nothing() or account.delta(self.plan(epsilon=at), at, width=width, **limits)

    def curve(self, epsilons: Sequence[NumberInput], *, width: ExactInput = _WIDTH) -> list[Bounds]:
        """Return bounds on delta at each epsilon, shape (n,); the points share what is computed."""
        levels = [self._number(value, f"epsilons[{number}]") for number, value in enumerate(epsilons)]
        nothing = self._nothing()
        return [nothing] * len(levels) if nothing else curves.deltas(self.plan(), levels, width=width)

    def advantage(self, *, width: ExactInput = _WIDTH) -> Bounds:
        """Return bounds on the largest advantage of an attacker, true positives less false alarms."""
        return self.delta(0, width=width)

    def true_positive_rates(self, rates: Sequence[NumberInput], *, width: ExactInput = _WIDTH) -> list[Bounds]:
        """Return bounds on an attacker's true positives at each rate of false alarms: the ROC curve, shape (n,)."""
        alarms = [self._number(value, f"rates[{number}]") for number, value in enumerate(rates)]
        if self._nothing():
            return [Bounds(float(rate), float(rate), _NOTHING, _NOTHING) for rate in alarms]
        return curves.true_positive_rates(self.plan(), alarms, width=width)

    def trade_off(self, rates: Sequence[NumberInput], *, width: ExactInput = _WIDTH) -> list[Bounds]:
        """Return bounds on the least rate of misses at each rate of false alarms: the trade-off curve, shape (n,)."""
        return list(map(misses, self.true_positive_rates(rates, width=width)))

    def left(self, *, epsilon: NumberInput, delta: NumberInput, width: ExactInput = _WIDTH) -> Spent:
        """Return what a budget of `epsilon` at `delta` has left, from below, and what each line costs alone."""
        nothing = self._nothing()
        if nothing:
            return Spent(nothing, (), round_down(self._number(epsilon, "epsilon")), True)
        return spent(self.plan(delta=delta, budget=epsilon), width=width)

    def calibrate(
        self,
        mechanism: str,
        epsilon: NumberInput,
        delta: NumberInput,
        /,
        *,
        tolerance: ExactInput = "1/1000",
        **fields: Any,
    ) -> Solved:
        """Return the one field of a next line that is left out, so that all lines with it are within a target.

        Args:
            mechanism: the kind of that line.
            epsilon: the target for all together.
            delta: the target.
            tolerance: relative, between 1e-6 and 1.
            fields: all fields of the line but one: the least `noise_multiplier` or `scale`, the largest
                `sampling_rate`, or the largest `count` is found.

        Returns:
            The value, exact, with which the target is certified to be met; nothing is added.
        """
        fields_of(mechanism)
        searched = KINDS[mechanism].searched
        missing = [name for name in searched if name not in fields]
        if len(missing) != 1:
            there = ", ".join(searched)
            given = f"{', '.join(missing)} are missing" if missing else "none is missing"
            raise InputError(f"{mechanism}: leave out one of {there}, which is then found; {given}")
        release = release_of(mechanism, {**self._fields(fields), missing[0]: 1})
        return inverse.solve(
            missing[0],
            release,
            self._number(epsilon, "epsilon"),
            self._number(delta, "delta"),
            adjacency=self.neighbours,
            tolerance=tolerance,
            besides=self._lines,
            group=self.group,
        )

    def picture(
        self, *, delta: NumberInput | None = None, epsilon: NumberInput | None = None, over: str = "curve"
    ) -> Picture:
        """Return a picture of certified bands as SVG text, which a notebook shows as the picture that it is.

        Args:
            delta: for epsilon, around this delta.
            epsilon: for delta, around this epsilon.
            over: "curve", epsilon and delta against each other; "steps", growth with the releases in their order; or
                "trade-off", an attacker's false alarms and misses, which needs neither number.
        """
        if not self._lines:
            raise InputError(f"picture: {_NOTHING}, and there is nothing to draw")
        asked = {name: value for name, value in (("delta", delta), ("epsilon", epsilon)) if value is not None}
        planned = self.plan(**asked)
        told = {
            "neighbours": self.neighbours,
            "lines": ", ".join(line.name or line.release.kind for line in planned.lines),
        }
        return plan_picture(planned, over, told | {name: str(self._number(v, name)) for name, v in asked.items()})

    def certificate(self, *, delta: NumberInput | None = None, epsilon: NumberInput | None = None) -> dict[str, Any]:
        """Return a certificate of epsilon at `delta`, or of delta at `epsilon`, that `rgm-verify replay` accepts."""
        if (delta is None) == (epsilon is None):
            raise InputError("delta, epsilon: give one of them")
        asked = self.plan(delta=delta, epsilon=epsilon)
        return planned_certificate(asked, spent(asked, lines=False).total)

    # ----------------------------------------------------------------------------------------------------- numbers

    def _nothing(self) -> Bounds | None:
        """Return the answer of an accountant without lines, which is 0; None for others."""
        return None if self._lines else Bounds(0.0, 0.0, _NOTHING, _NOTHING)

    def _number(self, value: NumberInput, name: str) -> Fraction:
        """Return a number exactly; floats as the accountant takes them."""
        return exact(value, name=name, floats=self.floats)

    def _fields(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields with floats as the accountant takes them; everything else is checked with the mechanism."""
        return {
            name: value if isinstance(value, bool) or not isinstance(value, Real) else self._number(value, name)
            for name, value in given.items()
        }

    def __len__(self) -> int:
        return len(self._lines)

    def rows(self) -> Rows:
        """The rows of the data frame, one for each line: its name, its kind and its parameters."""
        return self.plan().rows() if self._lines else []

    def to_frame(self) -> Any:
        """Return the lines as a pandas data frame; exact numbers stay exact.

        Raises:
            InputError: Where pandas is not installed.
        """
        return frame(self.rows())

    def _repr_html_(self) -> str:
        lines = (
            (str(row["name"]), escape(", ".join(f"{k}={v}" for k, v in row.items() if k not in ("name", "kind"))))
            for row in self.rows()
        )
        return table([("neighbours", escape(self.neighbours)), *lines])

    def __repr__(self) -> str:
        return f"Accountant(neighbours={self.neighbours!r}, group={self.group}, lines={len(self)})"
