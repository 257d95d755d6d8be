"""The engine: it finds claims, runs the lenses over them, keeps the evidence and computes the ledger.

`discovery` imports a folder of claims, `judge` runs the lenses over one claim, `run` spreads that
over workers and keeps each record in the `store` under a key (`keys`) of all that it depends on,
`assemble` computes the verdicts from the records. No verdict is ever stored: it is computed from the
evidence whenever it is shown.
"""
