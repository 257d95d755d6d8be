"""Settings as texts: equal for equal data in every run and place; code is named, and its modules are found."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

from rgm_verify.claims import Chart, le
from rgm_verify.errors import InputError
from rgm_verify.lenses import Deduction, Premise, Worlds
from rgm_verify.lenses.settings import modules_of, stable_text

x, p = sympy.symbols("x p", real=True)


def made(module: str, text: str) -> Any:
    """The value of the name `made` after `text` has run as the code of a module."""
    namespace: dict[str, Any] = {"__name__": module}
    exec(text, namespace)
    return namespace["made"]


def capturing(value: Any) -> Any:
    return lambda: value


@dataclass(frozen=True)
class Held:
    value: Any
    times: int = 1

    def product(self) -> Any:
        return self.value * self.times


class Plain:
    def __init__(self, value: Any) -> None:
        self.value = value

    def product(self) -> Any:
        return self.value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


def local_class(value: Any, how: Any = lambda method: method) -> Any:
    class Local:
        @how
        def product(self) -> Any:
            return value

    return Local


def local_dataclass(value: Any) -> Any:
    @dataclass(frozen=True)
    class Local:
        factor: int = 2

        def product(self) -> Any:
            return value * self.factor

    return Local


# ---------------------------------------------------------------------------------------------------------------- texts


def test_settings_are_texts_without_memory_addresses_or_hash_order() -> None:
    assert stable_text({"b", "a"}) == "{'a','b'}"
    assert stable_text({x: 1, p: 2}) == stable_text({p: 2, x: 1})
    settings = {Deduction((Premise("a", {x: e}),)).signature() for e in (x, p, sympy.Symbol("p", positive=True))}
    assert len(settings) == 3
    assert stable_text((le(x, 1), Chart({x: (0, 1)}, {}), Fraction(1, 2))).startswith("[(Symbol")


WAYS = {
    "a default": lambda n: made("m", f"def made(a, b={n}): pass"),
    "a default by name": lambda n: made("m", f"def made(a, *, b={n}): pass"),
    "an argument of a partial": lambda n: partial(len, n),
    "a named argument of a partial": lambda n: partial(len, n=n),
    "the function of a partial": lambda n: partial((len, abs, max)[n]),
    "a captured value": capturing,
    "a captured function": lambda n: capturing((np.sin, np.cos, np.tan)[n]),
    "a captured partial": lambda n: capturing(partial(len, n)),
    "a captured array": lambda n: capturing(np.arange(5000) * n),
    "a captured object": lambda n: capturing(Plain(n)),
    "an attribute of a function": lambda n: made("m", f"def made(): pass\nmade.n = {n}"),
    "the object of a method": lambda n: Plain(n).product,
    "the dataclass of a method": lambda n: Held(n).product,
    "the object of a built-in method": lambda n: [n].index,
    "an object that is called": Slotted,
    "an object in an object": lambda n: Held(Held(n)),
    "the name of a function": lambda n: made("m", f"def f{n}(): pass\nmade = f{n}"),
    "the name of a module": lambda n: made(f"m{n}", "def made(): pass"),
    "a remembered function": lambda n: lru_cache(capturing(n)),
    "a decorated function": lambda n: functools.wraps(capturing(n))(lambda: None),
    "a class": lambda n: (Held, Plain, Slotted)[n],
    "a class that captures": local_class,
    "a property that captures": lambda n: local_class(n, property),
    "a static method that captures": lambda n: local_class(n, staticmethod),
    "a class method that captures": lambda n: local_class(n, classmethod),
    "an object of a class that captures": lambda n: local_class(n)(),
    "an object of a dataclass that captures": lambda n: local_dataclass(n)(),
    "a bound method that captures": lambda n: local_class(n)().product,
    "an operator": lambda n: operator.itemgetter(n),
    "a ufunc": lambda n: (np.sin, np.cos, np.tan)[n],
    "a module": lambda n: (np, sympy, operator)[n],
}


@pytest.mark.parametrize("way", WAYS)
def test_code_is_named_with_the_data_that_it_carries(way: str) -> None:
    texts = [stable_text(WAYS[way](number)) for number in (0, 1, 2, 0)]
    assert texts[0] == texts[3]
    assert len(set(texts)) == 3
    assert not any(" at 0x" in text for text in texts)


def test_what_code_does_is_no_part_of_its_text() -> None:
    one, two = (made("m", f"def made(): return {n}") for n in (1, 2))
    assert stable_text(one) == stable_text(two)


def test_a_module_of_claims_is_named_without_its_place() -> None:
    one, two = (made(f"rgm_verify_claims_{n}.rgm.notation", "def made(): pass") for n in (1, 2))
    assert stable_text(one) == stable_text(two)
    assert stable_text(one).startswith("claims.rgm.notation.made(")


def test_circles_in_a_setting_end() -> None:
    def countdown(a: int) -> int:
        return 0 if a == 0 else countdown(a - 1)

    circle: list[Any] = []
    circle.append(circle)
    thing = Plain(None)
    thing.value = thing
    for value in (countdown, circle, thing):
        assert "(...)" in stable_text(value)
        modules_of(value)


def test_a_name_that_is_not_bound_yet_has_a_text() -> None:
    def early() -> Any:
        return later

    assert stable_text(early) == stable_text(early)
    later = 1
    assert early() == 1


def test_a_file_is_its_name_and_content(tmp_path: Path) -> None:
    files = [tmp_path / place / name for place in ("one", "two") for name in ("a.json", "b.json")]
    for path in files:
        path.parent.mkdir(exist_ok=True)
        path.write_text("1")
    assert len({stable_text(path) for path in files}) == 2
    before = stable_text(files[0])
    files[0].write_text("2")
    assert stable_text(files[0]) != before
    with pytest.raises(InputError, match=r"c\.json: a setting of a claim names it, and it cannot be read"):
        stable_text(tmp_path / "c.json")


# -------------------------------------------------------------------------------------------------------------- modules

FOUND = made("found", "def made(): pass")
OWN_CLASS = made("found", "class made:\n    pass")
OWN_FUNCTION = made("found", "import sympy\nclass made(sympy.Function):\n    pass")

PLACES = {
    "itself": FOUND,
    "a sequence": [1, (FOUND,)],
    "a set": frozenset({FOUND}),
    "the values of a mapping": {"a": {"b": FOUND}},
    "the keys of a mapping": {FOUND: 1},
    "the function of a partial": partial(FOUND, 1),
    "an argument of a partial": partial(len, FOUND),
    "a captured value": capturing(FOUND),
    "a captured sequence": capturing([FOUND]),
    "a default": lambda a=FOUND: a,
    "a dataclass": Held(FOUND),
    "an object": Plain([FOUND]),
    "an object with slots": Slotted(FOUND),
    "the object of a method": Plain(FOUND).product,
    "a lens": Worlds(broken={"a": FOUND}),
    "a remembered function": lru_cache(FOUND),
    "a decorated function": functools.wraps(FOUND)(lambda: None),
    "what has another module's name": functools.wraps(len)(FOUND.__class__(FOUND.__code__, {"__name__": "found"})),
    "an array of objects": np.array([FOUND, None], dtype=object),
    "a class that captures": local_class(FOUND),
    "an object of a class that captures": local_class(FOUND, property)(),
    "a class": OWN_CLASS,
    "an object of a class": OWN_CLASS(),
    "a class that inherits": type("Below", (OWN_CLASS,), {"__module__": "below"}),
    "an object of a class that inherits": type("Below", (OWN_CLASS,), {"__module__": "below"})(),
    "an expression": 1 + OWN_FUNCTION(x) ** 2,
}


@pytest.mark.parametrize("place", PLACES)
def test_the_module_of_code_is_found_in(place: str) -> None:
    assert "found" in modules_of(PLACES[place])


def test_a_module_is_its_own() -> None:
    assert modules_of([operator]) >= {"operator"}


def test_data_have_no_modules_but_those_of_their_classes() -> None:
    data = [1, "a", None, 1.5, Fraction(1, 2), Path("a"), {"a": (1, 2)}, {3}, x + 1, np.arange(3), Counter("ab")]
    tops = {name.partition(".")[0] for name in modules_of(data)}
    assert tops <= {"builtins", "numpy", "fractions", "numbers", "pathlib", "sympy", "collections"}
