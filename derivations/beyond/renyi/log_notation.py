"""Positive numbers P, Q and R, whose logarithms are compared with rational functions of them."""

from ...rgm.notation import NOTATION, Page

page = Page("beyond", "consequence of App. A.3 and A.4; in neither version", NOTATION)
P = page.positive("P")
Q = page.positive("Q")
R = page.positive("R")
