"""Behaviour at the end of an interval: products of powers, leading terms, limits."""
