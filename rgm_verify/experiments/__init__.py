"""The experiments of the paper on real data: data sets, splits, methods, runs, records and figures.

The paper compares clipped gradients with relative noise on two nodes (Section 6, Appendix C). Here every choice that it
leaves open has a name (`setup`), every method has an account of what it really costs (`methods`), and a record says
where each number comes from (`run`). Curves are floating point and carry no guarantee; costs are certified and rounded
to the safe side.
"""
