"""The methods that are compared: noisy gradients of two nodes, and what releases cost.

Each method has a basis: "printed" as the paper has it, "vouched" with proved constants, "exact" with the least noise
that the exact Renyi curve allows. All three are accounted alike, so that what is printed can be seen beside what it
costs.
"""
