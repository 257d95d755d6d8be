"""Private linear regression: objectives, clipping and gradient descent, with the privacy and utility vouched for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rgm_verify.learning.private_logistic.estimator import PrivateLogisticRegression
    from rgm_verify.learning.private_ridge.estimator import PrivateRidge

__all__ = ["PrivateLogisticRegression", "PrivateRidge"]


def __getattr__(name: str) -> Any:
    """Import an estimator when it is asked for: they need scikit-learn, which is an extra."""
    # Anything else has to fail as an attribute does, or hasattr and pickling would see names that are not there.
    if name == "PrivateRidge":
        from rgm_verify.learning.private_ridge.estimator import PrivateRidge

        return PrivateRidge
    if name == "PrivateLogisticRegression":
        from rgm_verify.learning.private_logistic.estimator import PrivateLogisticRegression

        return PrivateLogisticRegression
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
