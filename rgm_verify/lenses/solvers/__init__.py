"""Real arithmetic: from formulas to z3, with every condition of definedness, and a second solver beside it."""
