"""The commands on claims: `claims` (list, run), `showing` (show), `reporting` (report), `replaying` (replay).

`proofs` searches for proofs, `check` judges statements in a line of text; `folders` finds the claims that a command is
about.
"""
