"""Theorems with a name that claims use and that are not proved here: Fubini's, the spectral theorem, Hoeffding's.

Nothing of a theorem is checked, and so a report lists by name each one that is used, and the claims that lean on it.
What can be checked is that a derivation says of every condition why it holds; a quotation without that is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rgm_verify.claims.fields import wrong_fields

_ID = re.compile(r"[a-z][a-z0-9-]*")


class TheoremError(ValueError):
    """A theorem, or a use of one, that cannot be taken as it is written; the message says what to change."""


class Quotation(NamedTuple):
    """A theorem as a step of a derivation quotes it: the sentence, and of each condition why it is met."""

    text: str
    theorem: Theorem
    met: Mapping[str, str]


@dataclass(frozen=True)
class Theorem:
    """A theorem that steps of derivations may quote.

    `conditions` maps a short name to a sentence for everything that the theorem assumes; a step that quotes it says why
    each of them is met. `reference` says where a proof is printed.

    Attributes:
        id: A short name.
        name: The name in words.
        statement: The statement in words.
        conditions: What it assumes.
        reference: The place of a proof.

    Raises:
        TheoremError: For an empty text, or an id of another form.
    """

    id: str
    name: str
    statement: str
    conditions: Mapping[str, str]
    reference: str

    def __post_init__(self) -> None:
        for fault in wrong_fields(self):
            raise TheoremError(f"theorem {self.id!r}: {fault}")
        if not _ID.fullmatch(self.id):
            raise TheoremError(f"theorem id={self.id!r}: use lower-case letters, digits and hyphens, as in fubini")
        # An empty condition could be met by anything.
        empty = [name for name in ("name", "statement", "reference") if not getattr(self, name).strip()]
        empty += [f"conditions[{name!r}]" for name, text in self.conditions.items() if not text.strip()]
        if empty:
            raise TheoremError(f"theorem {self.id!r}: {empty[0]} is empty; write a sentence")

    def refuse(self, met: Mapping[str, str]) -> None:
        """Raise `TheoremError` unless `met` gives a reason for each condition and for nothing else.

        Args:
            met: Reasons by the name of the condition.
        """
        # A condition without a reason first: it is the gap in the proof, the other is a slip of the pen.
        for name in self.conditions:
            if not met.get(name, "").strip():
                raise TheoremError(
                    f"{self.name} is quoted without its condition {name!r} ({self.conditions[name]}); say in `met` why "
                    "it holds: the id of a claim, or a sentence"
                )
        for name in met:
            if name not in self.conditions:
                names = ", ".join(map(repr, self.conditions)) or "none"
                raise TheoremError(f"met names {name!r}, which is no condition of {self.name}; its conditions: {names}")

    def quoted(self, text: str, *reasons: str) -> Quotation:
        """Quote the theorem in a step that says `text`; a reason for each condition, in their order.

        Args:
            text: The step in words.
            *reasons: The id of a claim, or a sentence, for each condition.

        Raises:
            TheoremError: Unless there are as many reasons as conditions.

        Examples:
            >>> rolle = Theorem("rolle", "Rolle's theorem", "f' has a zero.", {"smooth": "f is smooth."}, "A book.")
            >>> rolle.quoted("So there is a zero.", "f is a polynomial").met
            {'smooth': 'f is a polynomial'}
            >>> rolle.quoted("So there is a zero.")
            Traceback (most recent call last):
            rgm_verify.claims.theorem.TheoremError: Rolle's theorem is quoted with 0 reasons; ...
        """
        if len(reasons) != len(self.conditions):
            names = "; ".join(self.conditions.values()) or "none"
            raise TheoremError(f"{self.name} is quoted with {len(reasons)} reasons; its conditions, in order: {names}")
        return Quotation(text, self, dict(zip(self.conditions, reasons, strict=True)))
