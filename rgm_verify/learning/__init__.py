"""Private linear regression: objectives, clipping and gradient descent, with the privacy and utility vouched for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rgm_verify.learning.private_ridge.estimator import PrivateRidge

__all__ = ["PrivateRidge"]


def __getattr__(name: str) -> Any:
    """Import the estimator when it is asked for: it needs scikit-learn, which is an extra."""
    # Anything else has to fail as an attribute does, or hasattr and pickling would see names that are not there.
    if name == "PrivateRidge":
        from rgm_verify.learning.private_ridge.estimator import PrivateRidge

        return PrivateRidge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
