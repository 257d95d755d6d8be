"""Showing a record: pictures, tables, and what they say in words.

Everything is made of a record alone, and equal records give equal bytes. A cost is shown rounded up, a floor down, and
what nothing guarantees is called so.
"""
