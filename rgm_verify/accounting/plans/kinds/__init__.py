"""The kinds of lines of a plan: a class says all that accounts, files, certificates and commands ask of a mechanism."""
