"""Running experiments: the catalogue, one run of a method, all runs, and their record."""
