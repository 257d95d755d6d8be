"""The experiments of the paper on real data: data sets, splits, methods, runs, records and figures."""
