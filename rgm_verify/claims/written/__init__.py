"""Ways to write a claim down: LaTeX, trees for certificates, Python to paste, JSON in lines."""
