"""Terms: the one table of functions that readers, writers, conditions and enclosures share.

A row of `table` is a function, a field of `Function` a use. A new function is a row, with a rule of the kernel where it
deserves one; kernel, recheck and replay have readers of their own, so that no mistake here is repeated there.
"""
