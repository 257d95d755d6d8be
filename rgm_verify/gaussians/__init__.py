"""One pair of Gaussians: its divergences and privacy losses, symbolic, floating, certified and simulated.

Every privacy number of this library is in the end one of a pair of isotropic Gaussians. Each quantity has several
routes that share no code, so that one can be held against the other:

* `symbolic`: the Renyi divergence as an expression, exact.
* `certified`: enclosures in ball arithmetic; what guarantees are built on. `enclosures` is its checked public face.
* `floating`: quick, with errors that are measured and not proved; for searches, plots and guesses.
* `unreduced`: integrals of the densities over the space, with estimates of their errors.
* `simulated`: confidence intervals from draws.
"""
