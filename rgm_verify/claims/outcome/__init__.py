"""The outcome of judging a claim: the record of its evidence, checkers, the verdict, and the ledger of all claims."""
