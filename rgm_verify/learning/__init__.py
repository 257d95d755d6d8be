"""Private linear regression: objectives, clipping and gradient descent, with the privacy and utility vouched for."""
