"""Statements in a line of text: parsed, turned into claims, judged, and answered."""
