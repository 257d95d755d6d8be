"""The two ways in which a certificate is not accepted.

They differ for a reader: what is refused was not looked at and is bad input (exit code 2); what is not proved was
computed and falls short (exit code 1).
"""

from __future__ import annotations


class Refused(ValueError):
    """A file that is no certificate of a form that is known, or that asks for more work than a replay takes."""


class NotProved(Exception):
    """A statement that its certificate does not prove; the message says at which place."""
