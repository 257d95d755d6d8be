"""The maps from exact worlds and certificates to the paper's claims: each of them agrees with its claim's formula."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rgm_verify.claims import Claim
from rgm_verify.claims.evidence import Finding, Kind
from rgm_verify.engine.discovery import load
from rgm_verify.lenses import Performance, Worlds
from rgm_verify.lenses.base import QUICK, Context

#: As many worlds as a lens needs to say something, and few searches: the runs of the paper look longer.
LIGHT = replace(QUICK, points=1, refinements=1)


@pytest.fixture(scope="module")
def claims(root: Path) -> dict[str, Claim]:
    return dict(load(root / "derivations").claims)


def lenses(claims: dict[str, Claim]) -> list[tuple[Claim, Worlds | Performance]]:
    return [(c, lens) for c in claims.values() for lens in c.checks if isinstance(lens, Worlds | Performance)]


@pytest.mark.slow
def test_every_map_agrees_with_the_formula_of_its_claim(claims: dict[str, Claim]) -> None:
    mapped = [(claim, lens) for claim, lens in lenses(claims) if lens.quantities]
    assert len(mapped) >= 72
    for claim, lens in mapped:
        (found,) = lens.run(claim, Context(profile=LIGHT, claims=claims))
        wanted = {Finding.REFUTES: Kind.COUNTEREXAMPLE, Finding.SUPPORTS: Kind.NUMERICAL_ROUTE}
        assert wanted.get(found.finding) is found.kind, f"{claim.id}: {found.summary}"


def test_a_world_of_the_paper_refutes_only_where_it_has_a_map(claims: dict[str, Claim]) -> None:
    printed = "rgm-v2:order-of-squares"
    (lens,) = (lens for claim, lens in lenses(claims) if claim.id == printed)
    assert not lens.quantities
    (found,) = lens.run(claims[printed], Context(profile=LIGHT, claims=claims))
    assert (found.finding, found.kind) == (Finding.CONTRADICTS, Kind.NOTE)
