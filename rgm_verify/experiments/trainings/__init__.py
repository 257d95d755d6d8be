"""Trainings on images with released gradients: their choices, and the methods that are compared."""
