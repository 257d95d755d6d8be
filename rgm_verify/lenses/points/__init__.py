"""Looking at points: exact values, where to look, certified witnesses, and searches for counterexamples."""
