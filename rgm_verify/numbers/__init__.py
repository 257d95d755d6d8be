"""Numbers of no subject: exact rationals, intervals, decimals, roots, seeds."""
