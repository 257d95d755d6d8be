r"""What is wrong with each refuted claim, in one sentence of words: data beside the claims.

A folder of claims may have a file `errata.toml`:

    [in_words]
    "own:norm-from-below" = "The triangle inequality is missing that the bound needs."

The report shows the sentence above the two formulas; $...$ marks LaTeX. A claim that is not refuted shows none.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rgm_verify.engine.importing import Refusal
from rgm_verify.errors import InputError
from rgm_verify.jobs.files import read_toml

FILE = "errata.toml"


def read_in_words(folder: Path, known: Collection[str]) -> tuple[dict[str, str], list[Refusal]]:
    """Read the sentences by the ids of their claims, and refuse what cannot be used, each sentence by itself.

    Args:
        folder: The folder of claims.
        known: The ids of all claims.

    Returns:
        The sentences, and what is refused.
    """
    try:
        data = read_toml(folder / FILE) or {}
    except InputError as error:
        return {}, [Refusal(FILE, str(error).removeprefix(f"{FILE}: "))]
    table = data.pop("in_words", {})
    if data or not isinstance(table, dict):
        found_instead = ", ".join(data) or "another value"
        return {}, [Refusal(FILE, f"expected one table [in_words] of sentences by claim; found {found_instead}")]
    found: dict[str, str] = {}
    refused = []
    for identifier, sentence in table.items():
        if identifier not in known:
            refused.append(Refusal(FILE, f"{identifier}: no claim of this folder"))
        elif not isinstance(sentence, str) or not sentence.strip():
            refused.append(Refusal(FILE, f"{identifier}={sentence!r}: expected a sentence"))
        else:
            found[identifier] = sentence.strip()
    return found, refused
