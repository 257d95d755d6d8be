"""The index of the paper's own claims: what is imported in part is what a full import gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rgm_verify.engine.discovery import index_of, load, load_part
from rgm_verify.engine.index import keep_index, origin, read_index
from rgm_verify.engine.keys import Keys
from rgm_verify.engine.outcome.assemble import assemble

ROOT = Path(__file__).resolve().parents[4]


def test_every_claim_of_the_paper_is_the_same_in_part(paper_apart: Callable[..., None], tmp_path: Path) -> None:
    """Signatures, keys and entries of the ledger, for claims whose files are imported alone, in a fresh order."""
    place = ROOT / "derivations"
    before = origin(place)
    assert before is not None  # the paper has an index
    whole = load(place)
    index = index_of(whole)
    keep_index(place, tmp_path, index, before)
    assert read_index(place, tmp_path) == index
    sample = [row.id for row in index.rows][5::211]
    entries = {c.id: c for c in assemble(whole, {}, "quick", shown=sample)[0].claims}
    keys = {i: Keys(whole, "quick").of(i) for i in sample}
    above = index.leaned_on_by()
    for name in sample:
        paper_apart()
        part = load_part(place, {row.id: row.file for row in index.closure([name])})
        part = replace(part, above=above)
        assert part.claims[name] is not whole.claims[name]
        assert part.claims[name].signature() == whole.claims[name].signature()
        assert Keys(part, "quick").of(name) == keys[name]
        assert assemble(part, {}, "quick", shown=(name,))[0].claims == [entries[name]]
