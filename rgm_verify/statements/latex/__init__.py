"""Statements in LaTeX: words and macros, formulas, domains and chains; and trees written as LaTeX again."""
