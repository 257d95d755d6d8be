"""The report: a ledger in, JSON, Markdown and a static site out; it knows nothing but the ledger."""

from rgm_verify.report.errors import ReportError
from rgm_verify.report.write import render_report, write_report

__all__ = ["ReportError", "render_report", "write_report"]
