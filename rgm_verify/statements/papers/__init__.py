"""From the source of a paper to a folder of claims: its files, its statements, and what the folder says of them."""
