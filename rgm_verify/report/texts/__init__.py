"""Formulas and numbers as text: MathML for pages, one line for a terminal, escapes for Markdown."""
