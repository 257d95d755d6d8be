"""Errors that make a report impossible: a ledger that contradicts itself or a formula without a rendering."""

from __future__ import annotations

from rgm_verify.errors import InputError


class ReportError(InputError):
    """Something that cannot be shown as it is; the message names the claim, the field and what is wrong."""
