"""Gradients in spherical coordinates: the conversion both ways, DP-SGD with noise on magnitude and angles, training."""

from rgm_verify.learning.geometric.geodp import ClampedGeoDP, GeoDPAsPrinted
from rgm_verify.learning.geometric.spherical import Spherical, from_spherical, to_spherical
from rgm_verify.learning.geometric.training import NoisyGradient, NoNoise, Trained, Training, accuracy

__all__ = [
    "ClampedGeoDP",
    "GeoDPAsPrinted",
    "NoNoise",
    "NoisyGradient",
    "Spherical",
    "Trained",
    "Training",
    "accuracy",
    "from_spherical",
    "to_spherical",
]
