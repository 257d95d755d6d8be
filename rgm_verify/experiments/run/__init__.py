"""Running experiments: the catalogue, one run of a method, all runs, and their record.

A task is a pure function of its choices, its seed and its data; so the number of workers, and how often a run was
interrupted, change nothing but the time.
"""
