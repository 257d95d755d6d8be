"""Replay of accounting certificates over integers: shares no code with what computed the numbers.

`rgm-verify account ... --certificate FILE` writes an interval for epsilon or delta with a few hints, such as the places
of a grid; `rgm-verify replay FILE` proves the interval again here. The accountant works with Arb balls, floating-point
transforms and searches. This room has Python's integers, `fractions` and `decimal`, and imports nothing else of the
library. What has to be trusted is this code, and the claims that a replay names; the hints are not trusted, and poor
ones only make the proof fail.

Two ways lead to a number:

- closed form: `pairs` encloses the hockey-stick divergence of two Gaussians, and `noises` that of Laplace noise,
  discrete noise and randomised response; it is delta itself;
- grid: a release becomes a discrete privacy loss that is certainly greater, or certainly smaller, than its own (by
  cells of the output in `sampled`, by dots on its curve in `dots`, by events in `events`); `losses` adds such losses up
  over all releases.

`groups` has what neighbours cost that differ in several records.

`fixed` is the arithmetic below all, `certificate`, `mechanisms` and `fields` read files strictly, and `replay` puts it
together and says in `words` what was proved, and on which `premises`.

Examples:
    >>> from rgm_verify.recheck.certificate import parse
    >>> from rgm_verify.recheck.replay import replay
    >>> stated = {"format": "rgm-verify-number/1", "quantity": "delta", "given": "1", "lower": None, "upper": "1/100",
    ...           "mechanism": {"name": "gaussian", "noise_multiplier": "5", "steps": 4},
    ...           "check": {"kind": "closed", "bits": 100}}
    >>> replay(parse(stated)).accepted
    True
    >>> replay(parse({**stated, "upper": "1/1000"})).reason
    'the upper end is not proved: delta is at most 1.2998981331268073e-3 by this certificate'
"""
