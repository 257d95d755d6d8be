"""Decentralised descent on a complete graph: the walk of the model, the views of parties, and their network privacy."""

from rgm_verify.learning.decentralised.privacy import NetworkLoss, network_loss
from rgm_verify.learning.decentralised.walk import DecentralisedSgd, Message, Transcript

__all__ = ["DecentralisedSgd", "Message", "NetworkLoss", "Transcript", "network_loss"]
