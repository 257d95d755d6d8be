"""The data sets: where they come from, what their content must be, and how two nodes share them.

A number of an experiment means something only if the data are the ones that are named. So every set is known by a
digest of its numbers, whatever file it came in.
"""
