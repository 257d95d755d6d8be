"""The static site: pages from templates, with MathML and SVG; it runs from a folder, without a server or a network.

`build` fills the templates, `search` makes the index that the page of all claims searches in the browser, and `words`
says what kinds of evidence are. No page needs a script to be read.
"""
