"""Trainings on images with released gradients: their choices, and the methods that are compared.

Methods differ by what they release of an average of clipped gradients. All else is shared: data, batches, starts,
learning rates. What each costs is an enclosure over all data and losses, beside what its paper states.
"""
