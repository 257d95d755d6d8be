"""Every choice of an experiment with two nodes, as plain data: what the paper leaves open has a name and a default.

The paper does not say where the iteration starts, how long it runs, what the figures plot, how large the bias is or
what form it has, which of two meanings N has, whether the regularization is clipped, or what exactly becomes of the 50
records of the label split. Each is a field of `Setup` whose default is said here, beside its alternatives.
"""

from __future__ import annotations

import json
from dataclasses import Field, asdict, dataclass, field, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

from rgm_verify.errors import InputError, reject
from rgm_verify.numbers.exact import exact, nonnegative, positive

Value = str | int | bool | None
"""The value of a field: what JSON has without floats, whose digits may change on the way through a file."""


def a_choice(default: str, meaning: str, *others: str) -> Any:
    """Return a field of `Choices` whose value is one of some words.

    Args:
        default: the word that stands where nothing is said.
        meaning: what is chosen, for `describe` and for messages.
        others: all other words that are allowed.
    """
    return field(default=default, metadata={"meaning": meaning, "allowed": (default, *others)})


def a_number(default: str, meaning: str, *, zero: bool = False) -> Any:
    """Return a field of `Choices` that is an exact number as a text, such as "0.03" or "1/2".

    Args:
        default: the number that stands where nothing is said.
        meaning: what it is the number of.
        zero: whether 0 is allowed; the number has to be > 0 otherwise.
    """
    return field(default=default, metadata={"meaning": meaning, "number": "nonnegative" if zero else "positive"})


def a_count(default: int | None, meaning: str, *, least: int = 1) -> Any:
    """Return a field of `Choices` that is an integer from `least` on; None is allowed where it is the default.

    Args:
        default: the number that stands where nothing is said; None for one that follows from something else.
        meaning: what is counted.
        least: the smallest number that is allowed.
    """
    return field(default=default, metadata={"meaning": meaning, "least": least})


@dataclass(frozen=True)
class Choices:
    """Fields that are strings, integers, truth values, and exact numbers as texts; `InputError` for other values.

    A subclass is a frozen dataclass whose fields are made by `a_choice`, `a_number` and `a_count`. Their metadata say
    what is allowed, so that checks, descriptions and messages cannot drift apart.
    """

    kind: ClassVar[str]
    """The name of the kind of experiment that has these choices."""

    def __post_init__(self) -> None:
        """Check each field by what its metadata allow."""
        # Here and not in a reader of files: choices that are made in code are checked alike.
        for each in fields(self):
            _check(each, getattr(self, each.name))

    def fraction(self, name: str) -> Fraction:
        """Return the field `name` as the exact number that its text says.

        Args:
            name: a field that is a number.

        Examples:
            >>> Setup(rho="1/2").fraction("rho")
            Fraction(1, 2)
        """
        return exact(getattr(self, name), name=name)

    def to_json(self) -> dict[str, Value]:
        """Return the fields as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Value]) -> Self:
        """Return the choices of `to_json`; `InputError` for an unknown field. A missing one has its default.

        Examples:
            >>> Setup.from_json({"level": "0.01"}).level, Setup.from_json(Setup().to_json()) == Setup()
            ('0.01', True)
        """
        # A field that is not known would change nothing, and whoever wrote it believes that it does.
        unknown = sorted(set(data) - {each.name for each in fields(cls)})
        if unknown:
            raise reject(
                "setup", ", ".join(unknown), f"no such field; there are {', '.join(each.name for each in fields(cls))}"
            )
        return cls(**data)

    def text(self) -> str:
        """Return a text that is the same exactly for equal setups, in every process: sorted JSON.

        Seeds of runs are made of it, so that `hash`, which differs from process to process, will not do.
        """
        return json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True)
class Setup(Choices):
    """The choices of one experiment: strings, integers, truth values, and exact numbers as texts ("0.03", "1/2").

    `describe()` lists the fields with defaults, alternatives and meaning. Raises `InputError` for what no field allows.
    Sources: RGM paper (v2), Section 6, Appendices C and D; v1 Appendix C.
    """

    kind: ClassVar[str] = "two-nodes"

    # ---------------------------------------------------------------------------------------- data and nodes
    # A name and no list of names: what can be loaded is known to `data`, which this module must not load.
    dataset: str = field(default="ijcnn1", metadata={"meaning": "name of the data set"})
    records: int | None = a_count(None, "how many records are drawn from it, all if none is given", least=4)
    copies: int = a_count(1, "how often each record counts: a subset as if it were so many times as large")
    centred: bool = field(default=False, metadata={"meaning": "whether each node subtracts the mean of its features"})
    split: str = a_choice("random", "how the records are shared between the nodes", "label", "bias")
    label_points: int = a_count(50, "split by label: how many records each node gets at random first", least=0)
    label_rest: str = a_choice(
        "kept",
        "whether a node keeps its random records, holds copies of them, or each node has that many records of one "
        "label and there are no others",
        "copied",
        "absent",
    )
    bias_form: str = a_choice(
        "parameter",
        "what the bias B moves at node 2: its objective becomes f(theta - B), as in the example of Section 6; or gets "
        "the term <B, theta>; or every label gets the number |B|",
        "linear",
        "label",
    )
    bias_size: str = a_number("10", "norm of the bias B, which points along (1, ..., 1)", zero=True)
    bias_known: str = a_choice(
        "public",
        "f(theta - B): whether B is public, as b is in the example of Section 6, or part of the labels y + X.B",
        "private",
    )
    # ---------------------------------------------------------------------------------------- the descent
    # The start, the length and what is plotted are not in the paper.
    regularization: str = a_number("0.03", "mu_reg, in every node's objective")
    iterations: int = a_count(300, "number of steps")
    start: str = a_choice("zero", "the first iterate: 0, or standard normal coordinates", "normal")
    step: str = a_choice(
        "half",
        "tau: 0.5 / max(lambda_max(A1), lambda_max(A2)); 1 over that maximum; 0.5 / lambda_max((A1 + A2)/2); or "
        "1 / ((1 + gamma d) L), the longest of the corrected theorem, for the method at hand",
        "whole",
        "mean",
        "theorem",
    )
    plotted: str = a_choice(
        "excess",
        "the curve: f(theta) - min f of the mean of the nodes' objectives; of the objective over all records; or the "
        "squared distance to the minimiser of the mean",
        "pooled",
        "distance",
    )
    # ---------------------------------------------------------------------------------------- privacy
    # Texts, since 0.1 as a float is another number, and accounts are of the exact one.
    order: str = a_number("2", "alpha, the Renyi order of the target")
    level: str = a_number("0.1", "epsilon, the Renyi level of one release")
    delta: str = a_number("1e-6", "delta of the conversions to (epsilon, delta)")
    neighbours: str = a_choice("replace_one", "which data sets of a node are neighbours", "add_or_remove")
    # ---------------------------------------------------------------------------------------- the methods
    # Readings of printed formulas first. None of them is repaired: a recipe is run as it can be read.
    count: str = a_choice("node", "N in the printed formulas: the node's records, or those of both", "total")
    regularizer: str = a_choice("outside", "whether the regularization is clipped with each gradient", "inside")
    threshold_at: str = a_choice(
        "own",
        "where the recipe for c looks at the gradients: each node's optimum (App. C), or the common one",
        "common",
    )
    printed_eta: str = a_choice(
        "norm",
        "eta as printed, of (11) without constants: max |A_j A^-1| / N; sqrt(kappa) max X' A^-1 X / N; or Proposition "
        "1 with rho = 1/2",
        "kappa",
        "proposition-1",
    )
    printed_b: str = a_choice(
        "section-5",
        "b_ij in R_rel <= eta |b_i| + 2 max |b_ij| as printed: X y / N of Section 5.2, or X y of Appendix C",
        "appendix-c",
    )
    printed_r_rel: str = a_choice(
        "norms",
        "R_rel as printed: eta |b_i| + 2 max |b_ij|, or twice the largest gradient of a record at the optimum, which "
        "bounds the alternative of App. C.2",
        "optimum",
    )
    printed_gamma: str = a_choice(
        "theorem-1",
        "gamma as printed: the solution of (5), or alpha eta^2 / (2 epsilon) of Section 4.2, which neglects the "
        "dimension",
        "main-term",
    )
    parameters: str = a_choice(
        "data",
        "where public bounds on records come from: the largest of the data, as in the paper, or what the format "
        "promises (features in [-1, 1], labels in {-1, 1})",
        "domain",
    )
    rho: str = a_number("1/2", "the level that propose-test-release tests, A >= rho C with C = A")
    share: str = a_number("1/2", "t of the shares 1 + t and 1 + 1/t of the relative and the absolute part")

    def __post_init__(self) -> None:
        super().__post_init__()
        # What no single field can say: the conversions are for orders above 1, and probabilities end at 1.
        if positive(self.order, name="order") <= 1:
            raise reject("order", self.order, "a Renyi order must be > 1")
        for name in ("delta", "rho"):
            if positive(getattr(self, name), name=name) >= 1:
                raise reject(name, getattr(self, name), "must be < 1")


@dataclass(frozen=True)
class Choice:
    """A field of some choices: its meaning, its default, and the alternatives where they are named (else empty)."""

    name: str
    meaning: str
    default: Value
    alternatives: tuple[str, ...]


def describe(of: type[Choices] = Setup) -> tuple[Choice, ...]:
    """Return every field of `Setup`, or of other choices, in its order.

    Examples:
        >>> next(choice for choice in describe() if choice.name == "start").alternatives
        ('normal',)
    """
    return tuple(
        Choice(each.name, each.metadata["meaning"], _default(each), each.metadata.get("allowed", ("",))[1:])
        for each in fields(of)
    )


def _default(each: Field[Any]) -> Value:
    """Return the default of a field."""
    default: Any = each.default
    return default  # type: ignore[no-any-return]


def _check(each: Field[Any], value: object) -> None:
    """Raise `InputError` where `value` is of another kind than the default, or is not among the allowed."""
    about = each.metadata
    # By the metadata and not by annotations, which are texts here and say nothing about ranges.
    if "least" in about:
        _check_count(each.name, value, about["least"], optional=each.default is None)
    elif isinstance(each.default, bool):
        if not isinstance(value, bool):
            raise reject(each.name, value, "expected true or false")
    # Numbers are texts: a float from a JSON file would no longer be the number that was typed.
    elif not isinstance(value, str):
        raise reject(each.name, value, "expected a text; numbers are given as texts too, such as '0.03'")
    elif "allowed" in about and value not in about["allowed"]:
        raise reject(each.name, value, f"allowed are {', '.join(about['allowed'])}")
    elif "number" in about:
        (positive if about["number"] == "positive" else nonnegative)(value, name=each.name)


def _check_count(name: str, value: object, least: int, *, optional: bool) -> None:
    """Raise `InputError` where a value is no integer from `least` on; None is allowed where it is optional."""
    if value is None and optional:
        return
    # True is an integer to Python, and a slip of the pen here.
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{name}={value!r}: expected an integer >= {least}")
    if value < least:
        raise reject(name, value, f"must be >= {least}")
