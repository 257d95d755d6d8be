"""The grammar of statements in rooms, each on the one before: words, calls, expressions, formulas, domains."""
