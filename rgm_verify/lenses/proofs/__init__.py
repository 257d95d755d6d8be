"""Proofs of a whole statement: real arithmetic, deduction from other claims, Taylor's formula, boxes."""
