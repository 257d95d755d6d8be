"""Statements about matrices of all sizes, by normal forms of what can be multiplied out."""
