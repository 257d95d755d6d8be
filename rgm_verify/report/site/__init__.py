"""The report as a static site: templates, and what fills them."""
