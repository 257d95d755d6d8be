"""The report: a ledger in, JSON, Markdown and a static site out; it knows nothing but the ledger.

The same ledger gives the same bytes, on every machine and with every version of the libraries that
find evidence. `check` refuses a ledger that cannot be shown before a file is written, `texts` and
`pictures` make the parts, `markdown` and `site` the pages, and `write` replaces the old report as a
whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rgm_verify.report.errors import ReportError

if TYPE_CHECKING:
    from rgm_verify.report.write import render_report as render_report
    from rgm_verify.report.write import write_report as write_report

__all__ = ["ReportError", "render_report", "write_report"]


def __getattr__(name: str) -> Any:
    """Import what writes a report when it is asked for: `show` needs the texts alone, and no pages or pictures."""
    if name in ("render_report", "write_report"):
        from rgm_verify.report import write

        return getattr(write, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
