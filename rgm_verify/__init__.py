"""An executable, certified companion to the Relative Gaussian Mechanism paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rgm_verify.accounting.accountant import Accountant as Accountant
    from rgm_verify.statements.checking import check as check

__version__ = "0.1.0"
__all__ = ["Accountant", "__version__", "check"]


def __getattr__(name: str) -> Any:
    """Return `check`, which loads what judges statements, or `Accountant`, when it is first asked for."""
    if name == "check":
        from rgm_verify.statements.checking import check

        return check
    if name == "Accountant":
        from rgm_verify.accounting.accountant import Accountant

        return Accountant
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # What was imported for the types alone is no part of the library.
    return [name for name in (*globals(), *__all__[:1], "check") if name not in ("TYPE_CHECKING", "Any", "annotations")]
