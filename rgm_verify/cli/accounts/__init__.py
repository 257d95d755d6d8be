"""The commands on privacy numbers: `accounting` (account, calibrate, floor), `dp_sgd`, `plans`.

What they ask is read in `questions`, `sampled` and `planned`. What they answer is typed in `answers` and drawn in
`pictures` and `planned_pictures`; `certificates` has what can be replayed.
"""
