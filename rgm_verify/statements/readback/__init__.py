"""From the statement that a page shows back to the kernel's tree, without SymPy, and compared with what is proved."""
