"""From evidence records to the ledger: verdicts, those that were expected, and what leans on what in a source."""
