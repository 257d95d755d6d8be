"""Rules of the search for proofs, each a theorem whose conditions are checked, one idea in a file."""
