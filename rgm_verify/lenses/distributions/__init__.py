"""Statements about distributions: integrals against closed forms, densities of outputs, samples."""
