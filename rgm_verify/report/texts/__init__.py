"""Formulas and numbers as text: MathML for pages, one line for a terminal, escapes for Markdown.

`latex` converts and refuses, and all others build on it: `broken` makes long formulas fit a telephone, `readable`
writes them in a line, `escaped` keeps them as LaTeX for Markdown. `numbers` shortens enclosures outward.
"""
