"""One account for releases by different mechanisms, whose parameters are fixed in advance.

`releases` says what is released, `plan` puts it together, `files` and `importers` read it, `account` answers, and
`filters` keeps a budget where parameters are chosen on the way.
"""
