"""Curves as SVG: pure functions of numbers to text, the same bytes from the same numbers on every machine.

`curves` draws several curves in one picture, `labelled` writes their names beside them; `scales` and `frame` are the
parts. Floating point is enough for drawing; numbers that are read stand beside the pictures as texts, rounded outward.
Curves differ by dashes and signs too.
"""
