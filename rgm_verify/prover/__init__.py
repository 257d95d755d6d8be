"""The search for proofs that the kernel checks; nothing that it finds is trusted.

`search` runs the kernel's own steps and keeps those that lead to the goal. Its class is built in floors, each with one
idea: `state` (facts, and trying without a trace), `denominators`, `functions`, `combinations`, `inequalities`,
`arithmetic`, `slopes`; a floor calls those below, and the few that `state` declares. `guesses` asks z3,
`polynomials` FLINT. `certificates` proposes combinations of inequalities by linear programming, `squares` those with
sums of squares by semidefinite programming (`semidefinite` asks the solver, `gram` makes its floats exact), `pruning`
drops steps that lead nowhere, and `work` is what a worker process runs. Floats, z3 and SymPy may guess here: a wrong
guess costs time, and the kernel refuses what does not follow.
"""
