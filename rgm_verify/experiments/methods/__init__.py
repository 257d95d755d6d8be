"""The methods that are compared: noisy gradients of two nodes, and what releases cost."""
