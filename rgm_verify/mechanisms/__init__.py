"""Reference mechanisms on floating point, and one conformance suite that any mechanism can be put through."""

from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.protocol import GaussianLaw, Mechanism, Releases
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

__all__ = ["GaussianLaw", "GaussianMechanism", "Mechanism", "RelativeGaussianMechanism", "Releases"]
