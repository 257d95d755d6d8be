"""Audits: limits on a mechanism's privacy from its outputs alone, with exact confidence at every sample size.

An audit bounds epsilon from below. What it does not find is no evidence of privacy.
"""

from rgm_verify.accounting.auditing.audits import (
    Audit,
    ClaimCheck,
    Finding,
    audit,
    bound_event,
    check_claim,
    check_claims,
)

__all__ = ["Audit", "ClaimCheck", "Finding", "audit", "bound_event", "check_claim", "check_claims"]
