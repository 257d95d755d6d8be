"""Numbers of no subject: exact rationals, intervals, decimals, roots, quantiles, seeds."""
