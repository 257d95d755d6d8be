"""The report in Markdown: a first page, and one page for each section of a document."""
