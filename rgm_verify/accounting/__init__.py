"""The privacy cost of releases by the Relative Gaussian Mechanism: exact, as printed, composed, calibrated, audited.

Every number that is a guarantee comes as an interval or as one safe end, certified in rational or ball arithmetic and
rounded outward; floats only guide. Each module names the derivation that its numbers rest on. `release` and `target`
say what is asked, `exact` answers for one release, `composition` for several, `subsampled` for random samples, `plans`
for different mechanisms together; `printed` holds the paper's own bounds for comparison, and `auditing` looks at
outputs alone.
"""
