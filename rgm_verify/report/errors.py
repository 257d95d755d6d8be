"""What makes a report impossible: a ledger that contradicts itself or a formula without a rendering."""


class ReportError(ValueError):
    """A ledger that cannot be shown as it is; the message names the claim, the field and what is wrong."""
