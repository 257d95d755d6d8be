"""Markdown pages: the report where code is hosted, for readers who clone nothing and run nothing.

`division` says which page holds what, for the site as well; `pages` writes the pages and `readme` the first one, which
code hosts show below a list of files.
"""
