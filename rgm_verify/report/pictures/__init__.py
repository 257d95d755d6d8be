"""Pictures as SVG: pure functions of numbers to text, the same bytes from the same numbers on every machine.

`scales` and `frame` are the parts, `plots` the pictures of claims, `curves` several curves in one picture (also for the
command line), `tightness` and `chapters` what of a ledger is drawn. Floating point is enough for drawing; numbers that
are read stand beside the pictures as texts, rounded outward. Curves differ by dashes and signs too.
"""
