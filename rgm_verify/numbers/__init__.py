"""Numbers of no subject: exact rationals, intervals, decimals, roots, seeds.

Everything above this room computes with them, and this room knows nothing of privacy. Three kinds of number occur, and
a docstring says which one it returns: exact rationals (`Fraction`), floats rounded to a stated side, and floats with a
stated error that is no bound to either side.
"""
