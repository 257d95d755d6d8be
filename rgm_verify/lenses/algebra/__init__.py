"""Proofs by rewriting: identities reduced to zero, sums of nonnegative terms, equations solved, smooth paths."""
