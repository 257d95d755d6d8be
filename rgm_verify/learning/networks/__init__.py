"""Gradients of each record by itself, for logistic regression and a small convolutional network."""

from rgm_verify.learning.networks.models import Convolutional, Gradients, Logistic, Model, Weighted

__all__ = ["Convolutional", "Gradients", "Logistic", "Model", "Weighted"]
