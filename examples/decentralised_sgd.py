"""A model that walks from party to party: its path, the view of one party, and the privacy of the others from it.

python examples/decentralised_sgd.py
"""

import numpy as np

from rgm_verify.learning.decentralised import DecentralisedSgd, network_loss

parties, generator = 1000, np.random.default_rng(1)
wishes = generator.uniform(-1, 1, parties)  # party k wants the model at wishes[k]; its gradient is clipped to 1
gradients = [lambda model, wish=wish: np.clip(model - wish, -1, 1) for wish in wishes]
run = DecentralisedSgd(steps=10_000, step_size="1/100", noise=20, lipschitz=1, smoothness=1)
transcript = run.run(gradients, [0.0], generator)
found = network_loss(parties, run.steps, distance=run.distance, delta="1e-6")
print(f"of {len(transcript.messages())} messages party 7 saw {len(transcript.view(7))}")
print(f"from one party's view: epsilon between {found.lower:.3f} and {found.upper:.3f} at a delta of 1e-6")
pooled = network_loss(parties, run.steps, distance=run.distance, delta="1e-6", coalition=10)
print(f"from what ten parties saw together: at most {pooled.upper:.3f}")
print(f"from all messages: above {found.local_lower:.3f}")
