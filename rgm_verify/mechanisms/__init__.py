"""Reference mechanisms on floating point, and one conformance suite that any mechanism can be put through.

They are for simulation, for tests, and as a standard that other implementations are held against. They add float noise,
whose bits depend on the value: none of them is a release engine for an adversary who sees the bits.
"""

from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.laplace import LaplaceMechanism
from rgm_verify.mechanisms.protocol import GaussianLaw, Mechanism, Releases
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism

__all__ = ["GaussianLaw", "GaussianMechanism", "LaplaceMechanism", "Mechanism", "RelativeGaussianMechanism", "Releases"]
