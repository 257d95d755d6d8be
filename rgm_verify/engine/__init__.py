"""The engine: it finds claims, runs the lenses over them, keeps the evidence and computes the ledger."""
