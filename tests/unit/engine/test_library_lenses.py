"""Only the lenses of the library make evidence: a claims folder may configure them and add none of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rgm_verify import lenses
from rgm_verify.claims import Claim, ClaimError, ge, real
from rgm_verify.claims.evidence import Evidence, Finding, Kind
from rgm_verify.engine.discovery import load
from rgm_verify.engine.judge import refuse_foreign_lenses, run_claim
from rgm_verify.engine.paper_file import ClaimsFolderError
from rgm_verify.lenses import Measured, Smt
from rgm_verify.lenses.base import Context, Lens
from rgm_verify.lenses.library import HOMES

Folder = Callable[..., Path]
X = real("x")

BELIEVER = """\
from dataclasses import dataclass
from typing import ClassVar

from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.lenses.base import Lens


@dataclass(frozen=True)
class Believer({base}):
    name: ClassVar[str] = "believer"
    grants: ClassVar[frozenset] = frozenset(Kind)

    def signature(self):
        return ""

    def run(self, claim, context):
        return [self.evidence(Kind.SYMBOLIC_PROOF, Finding.SUPPORTS, ("sympy",), "so it is")]


A = claim("a", ge(x, 5), checks=({check},))
"""


def about(*checks: Any) -> Claim:
    return Claim("test:claim", "t", "s", "w", "k", variables=(X,), conclusion=ge(X.symbol**2, 0), checks=checks)


@pytest.mark.parametrize("base", ["Smt", "Lens", "object"])
def test_a_lens_of_a_claims_folder_is_refused_whatever_it_derives_from(folder: Folder, base: str) -> None:
    with pytest.raises(ClaimsFolderError, match=r"a\.py: a: .*class Believer, which is no lens of the library"):
        load(folder(a=BELIEVER.format(base=base, check="Believer()")))


def test_a_class_in_the_place_of_a_lens_is_refused(folder: Folder) -> None:
    with pytest.raises(ClaimsFolderError, match=r"checks holds the class Believer; write Believer\(\)"):
        load(folder(a=BELIEVER.format(base="Smt", check="Believer")))
    with pytest.raises(ClaimError, match=r"checks holds the class Smt; write Smt\(\)"):
        about(Smt)


class Lookalike:
    """An object with all that a lens has, and the name of one."""

    name = "real arithmetic"
    grants = frozenset(Kind)
    alone = False

    def signature(self) -> str:
        return ""

    def run(self, claim: Claim, context: Context) -> list[Evidence]:
        return [Evidence(Kind.SMT_PROOF, Finding.SUPPORTS, ("z3",), "so it is", issuer=self)]


def test_what_only_looks_like_a_lens_is_refused() -> None:
    with pytest.raises(ClaimError, match="of the class Lookalike, which is no lens of the library"):
        run_claim(about(Lookalike()), Context())


@pytest.mark.parametrize("kind", [None, "subclass"])
def test_neither_the_base_nor_a_subclass_made_here_is_of_the_library(kind: str | None) -> None:
    check = Lens() if kind is None else type("Smt", (Smt,), {})()
    with pytest.raises(ClaimError, match="no lens of the library; allowed are: Analysis, Combination, Deduction, "):
        refuse_foreign_lenses(about(check))


def test_a_map_of_only_some_variables_is_refused_before_anything_runs(folder: Folder) -> None:
    text = """
    from rgm_verify.lenses.worlds.exact import Slack

    y = real("y")
    lens = Worlds("none", lambda g: {}, lambda w: Slack(1, 1), {})
    A = claim("a", ge(x, 0), variables=(X, y), checks=(lens.mapped(lambda w: (1,), x),))
    """
    with pytest.raises(ClaimsFolderError, match=r"a\.py: a: exact worlds: .*no quantity for y"):
        load(folder(a=text))


def test_the_lenses_of_the_library_are_taken() -> None:
    kinds = {name: getattr(lenses, name) for name in HOMES}
    assert {name: kind.__module__ for name, kind in kinds.items()} == HOMES
    refuse_foreign_lenses(about(*(kind() for kind in kinds.values() if kind is not Measured)))
