"""Averages of values that parties hold: with a trusted server, without one, and with pairwise noise that cancels."""

from rgm_verify.mechanisms.averaging.central_local import CentralAverage, LocalAverage
from rgm_verify.mechanisms.averaging.gopa import Gopa, Messages, random_graph
from rgm_verify.mechanisms.averaging.gopa_privacy import Distance, neighbours_needed, party_distances

__all__ = [
    "CentralAverage",
    "Distance",
    "Gopa",
    "LocalAverage",
    "Messages",
    "neighbours_needed",
    "party_distances",
    "random_graph",
]
