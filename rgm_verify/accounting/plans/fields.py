"""Fields of a release in a plan: what they mean, and checks that their numbers are exact and of a sensible size.

A number far out of the usual range is most likely in another unit, and an account of it would be of another mechanism.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rgm_verify.errors import reject
from rgm_verify.numbers.exact import ExactInput, positive, positive_integer

__all__ = ["COUNT", "NAME", "Field", "Fields"]

Fields: TypeAlias = Mapping[str, ExactInput]
"""Exact numbers by the names of the fields, as a file or a caller gives them."""


@dataclass(frozen=True)
class Field:
    """A field of a release in a plan: what it means, whether it may be left out, and which numbers are allowed.

    Attributes:
        meaning: a sentence for schemas and helps.
        required: whether it has to be given.
        what: what a message calls the number.
        least: the least number that is allowed, as a message writes it; every number is above 0.
        most: the largest one.
        whole: whether it is an integer.
        usual: its value where it is left out.
        choices: the texts that are allowed, for a field that is no number.
        option: its name on the command line, where that is not its own.
        written: whether it is any text, which the release reads.
    """

    meaning: str
    required: bool = True
    what: str = "the value"
    least: str = ""
    most: str = ""
    whole: bool = False
    usual: int | str | None = None
    choices: tuple[str, ...] = ()
    option: str = ""
    written: bool = False

    @property
    def text(self) -> bool:
        """Tell whether it is a text, and no number."""
        return self.written or bool(self.choices)

    def read(self, given: Fields, name: str, place: str = "") -> Any:
        """Return the checked number of the field `name`; None for one that may be left out and was."""
        value = given.get(name, self.usual)
        if value is None and not self.required:
            return None
        if self.text:
            if not isinstance(value, str) or (self.choices and value not in self.choices):
                raise reject(f"{place}{name}", value, f"must be {' or '.join(self.choices) or 'a text'}")
            return value
        number = positive_integer if self.whole else positive
        found = number(value, name=f"{place}{name}", meaning=self.what)  # type: ignore[arg-type]
        if (self.least and found < Fraction(self.least)) or (self.most and found > Fraction(self.most)):
            ends = f"lie between {self.least} and {self.most}" if self.least else f"be at most {self.most}"
            raise reject(f"{place}{name}", value, f"must {ends}")
        return found


COUNT = Field(
    "Number of such releases; 1 if left out.",
    required=False,
    what="the number of releases",
    most="1e12",
    whole=True,
    usual=1,
)
NAME = Field("A name for the line, for reading.", required=False)
