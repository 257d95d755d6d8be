"""Showing a record: pictures, tables, and what they say in words."""
