"""Clipping: of features to a shape, of gradients one by one, and the test that a level is met."""
