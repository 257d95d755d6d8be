"""Shapes of the data sets: what a synthetic stand-in copies of the real one.

The numbers are those of the real sets to four digits: range, mean and standard deviation of each dense feature. The
sparse features of a set are groups of which exactly one is on, as in an encoding of categories; where the groups of
the real set are not known, they are about equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A dense feature: its range, mean and standard deviation."""

    lower: float
    upper: float
    mean: float
    deviation: float


@dataclass(frozen=True)
class Shape:
    """Sparse features first, in groups of which one is `value` and the others 0; then the dense ones."""

    groups: tuple[int, ...] = ()
    value: float = 1.0
    dense: tuple[Column, ...] = ()

    @property
    def features(self) -> int:
        """Number of features."""
        return sum(self.groups) + len(self.dense)


def even_groups(features: int, count: int) -> tuple[int, ...]:
    """Return `count` group sizes that differ by at most one and add up to `features`."""
    size, larger = divmod(features, count)
    return (size + 1,) * larger + (size,) * (count - larger)


_IJCNN1 = (
    Column(-0.8561, 0.6558, -0.2457, 0.3673),
    Column(0.04367, 0.8344, 0.3394, 0.2135),
    Column(-1.322, 1.312, 0.001348, 0.1683),
    Column(-1.322, 1.312, 0.001333, 0.1683),
    Column(-1.322, 1.312, 0.001312, 0.1683),
    Column(-1.322, 1.312, 0.001291, 0.1682),
    Column(-1.322, 1.312, 0.001269, 0.1682),
    Column(-1.322, 1.312, 0.001245, 0.1682),
    Column(-1.322, 1.312, 0.001225, 0.1682),
    Column(-1.322, 1.312, 0.001207, 0.1682),
    Column(-1.322, 1.312, 0.001192, 0.1682),
    Column(-1.322, 1.312, 0.001174, 0.1681),
)
_COD_RNA = (
    Column(-1868, 0, -442.2, 184.1),
    Column(67, 133, 93.98, 21.39),
    Column(0.1053, 0.4789, 0.2211, 0.05261),
    Column(0.1077, 0.4203, 0.2241, 0.04772),
    Column(0.08333, 0.3615, 0.2631, 0.04246),
    Column(0.1053, 0.4789, 0.223, 0.04622),
    Column(0.1077, 0.4203, 0.2218, 0.04348),
    Column(0.08333, 0.3615, 0.2649, 0.03905),
)
_AUSTRALIAN = (
    Column(0, 1, 0.6783, 0.4671),
    Column(13.75, 80.25, 31.57, 11.84),
    Column(0, 28, 4.759, 4.975),
    Column(1, 3, 1.767, 0.4298),
    Column(1, 14, 7.372, 3.681),
    Column(1, 9, 4.693, 1.991),
    Column(0, 28.5, 2.223, 3.344),
    Column(0, 1, 0.5232, 0.4995),
    Column(0, 1, 0.4275, 0.4947),
    Column(0, 67, 2.4, 4.859),
    Column(0, 1, 0.458, 0.4982),
    Column(1, 3, 1.929, 0.2986),
    Column(0, 2000, 184, 172),
    Column(1, 1e05, 1018, 5206),
)
_SKIN_NONSKIN = (
    Column(0, 255, 125.1, 62.26),
    Column(0, 255, 132.5, 59.94),
    Column(0, 255, 123.2, 72.56),
)
_COVTYPE = (
    Column(1863, 3849, 2749, 368.5),
    Column(0, 360, 150.7, 111.6),
    Column(0, 61, 15.74, 8.465),
    Column(0, 1343, 204.4, 194.6),
    Column(-146, 554, 44.22, 56.67),
    Column(0, 6890, 2029, 1539),
    Column(0, 254, 213.3, 29.33),
    Column(99, 254, 219.2, 21.76),
    Column(0, 248, 135.4, 42.45),
    Column(0, 7173, 2515, 2084),
)
_HIGGS = (
    Column(0.2747, 8.275, 1.003, 0.5768),
    Column(-2.418, 2.435, -0.009508, 1.008),
    Column(-1.743, 1.743, 0.006997, 1.003),
    Column(0.01375, 8.073, 0.9882, 0.5934),
    Column(-1.744, 1.743, -0.01346, 1.012),
    Column(0.159, 5.287, 0.9936, 0.4751),
    Column(-2.957, 2.97, -9.821e-05, 1.012),
    Column(-1.741, 1.741, -0.0004177, 1.006),
    Column(0, 2.173, 1.002, 1.026),
    Column(0.19, 5.878, 0.9894, 0.4916),
    Column(-2.913, 2.913, -0.006929, 1.006),
    Column(-1.742, 1.743, -0.001398, 1.008),
    Column(0, 2.215, 0.9952, 1.047),
    Column(0.2636, 7.526, 0.996, 0.4885),
    Column(-2.728, 2.729, -0.0008526, 1.01),
    Column(-1.742, 1.743, -0.008144, 1.002),
    Column(0, 2.548, 0.9948, 1.194),
    Column(0.365, 7.129, 0.9856, 0.5062),
    Column(-2.495, 2.496, -0.004794, 1.005),
    Column(-1.743, 1.743, 0.005114, 1.007),
    Column(0, 3.102, 1.003, 1.401),
    Column(0.1433, 15.5, 1.038, 0.6716),
    Column(0.3627, 8.35, 1.024, 0.3797),
    Column(0.4006, 3.682, 1.051, 0.1631),
    Column(0.384, 6.583, 1.009, 0.3915),
    Column(0.06651, 8.196, 0.973, 0.5168),
    Column(0.3693, 5.328, 1.031, 0.3615),
    Column(0.4196, 5.153, 0.9588, 0.3118),
)
_SUSY = (
    Column(0.2649, 10.69, 1.026, 0.7199),
    Column(-2.098, 2.101, 0.01339, 1.002),
    Column(-1.734, 1.734, 0.01407, 0.995),
    Column(0.4287, 10.51, 1.009, 0.6706),
    Column(-2.058, 2.058, 0.004459, 0.9964),
    Column(-1.734, 1.734, -0.004699, 1.008),
    Column(0.01488, 11.34, 1.039, 0.9156),
    Column(-1.727, 1.74, 0.0005568, 1.005),
    Column(1.478e-05, 11.51, 1.03, 0.9228),
    Column(-10.96, 11.55, 0.005008, 1.071),
    Column(0.282, 8.166, 1.014, 0.6305),
    Column(0.0338, 9.481, 1.025, 0.6141),
    Column(0.05345, 4.161, 1.007, 0.474),
    Column(0, 5.62, 1.019, 0.8724),
    Column(0.1239, 8.283, 1.013, 0.6227),
    Column(0.006979, 6.236, 1.02, 0.6344),
    Column(3.968e-05, 1.592, 1.001, 0.4333),
    Column(9.182e-07, 0.9663, 0.2287, 0.201),
)

SHAPES: Mapping[str, Shape] = {
    "ijcnn1": Shape(groups=(10,), dense=_IJCNN1),
    "a9a": Shape(groups=even_groups(123, 14)),
    "cod-rna": Shape(dense=_COD_RNA),
    "mushrooms": Shape(groups=even_groups(112, 21)),
    "phishing": Shape(groups=even_groups(68, 30), value=0.18257),
    "australian": Shape(dense=_AUSTRALIAN),
    "skin_nonskin": Shape(dense=_SKIN_NONSKIN),
    "w8a": Shape(groups=even_groups(300, 12)),
    "covtype": Shape(groups=(4, 40), dense=_COVTYPE),
    "higgs": Shape(dense=_HIGGS),
    "susy": Shape(dense=_SUSY),
}
"""The shape of every known data set, by its name."""
