"""Gradients in spherical coordinates: the conversion both ways, and DP-SGD with noise on magnitude and angles."""

from rgm_verify.learning.geometric.geodp import ClampedGeoDP, GeoDPAsPrinted
from rgm_verify.learning.geometric.spherical import Spherical, from_spherical, to_spherical

__all__ = ["ClampedGeoDP", "GeoDPAsPrinted", "Spherical", "from_spherical", "to_spherical"]
