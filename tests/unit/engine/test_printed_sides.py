"""A side that an author keeps as it is printed is read as it stands, conditions included."""

from pathlib import Path

from rgm_verify.claims.formula import Relation
from rgm_verify.engine.discovery import load

CLAIMS = """
from sympy import log, exp
from rgm_verify.claims import Claim, eq, positive, printed, real

X, F = real("x"), positive("f")
x, f = X.symbol, F.symbol
claim = Claim(
    id="own:printed", title="t", source="s", where="w", kind="identity", variables=(X, F),
    conclusion=eq(printed(lambda: x / (1 + (1 / f - 1)) + exp(log(x)) - x), f * x),
)
"""


def test_reading_a_folder_leaves_printed_sides_alone(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(CLAIMS)
    conclusion = load(tmp_path).claims["own:printed"].conclusion
    assert isinstance(conclusion, Relation)
    assert str(conclusion.lhs) == "-x + x/((-1 + 1/f) + 1) + exp(log(x))"
