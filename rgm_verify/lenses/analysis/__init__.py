"""Proofs that nobody asked for: a search by the rules of a calculus course, with enclosures where algebra ends."""
