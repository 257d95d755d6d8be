"""Pictures of a report: `plots` of claims, `graph` of statements, `tightness` and `chapters` of what a ledger draws.

They are SVG, made of the parts of `rgm_verify.pictures`.
"""
