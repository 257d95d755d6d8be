"""The same gradients of single records by automatic differentiation, `jax.vmap` of `jax.grad`: an independent route.

JAX is an extra, and nothing else imports it. `rgm_verify.learning.networks.models` gives the same numbers without it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rgm_verify.errors import InputError
from rgm_verify.learning.networks.models import SIDE, Convolutional, Gradients, Labels, Logistic, Numbers, checked_batch

EXTRA = "pip install 'rgm-verify[jax]'"
"""The command that installs JAX for the processor."""


def per_example(model: Convolutional | Logistic, parameters: Numbers, images: Numbers, labels: Labels) -> Gradients:
    """Return losses (n,) and gradients (n, d), float32, to rounding; `InputError` as of the model, or without JAX."""
    parts = [np.asarray(part, dtype=np.float32) for part in model.parts(parameters)]
    pixels, classes = checked_batch(images, labels, np.float32)
    losses, slopes = compiled(type(model))(parts, pixels, classes.astype(np.int32))
    rows = np.concatenate([np.asarray(slope).reshape(len(classes), -1) for slope in slopes], axis=1)
    return Gradients(np.asarray(losses), rows)


_COMPILED: dict[type, Any] = {}


def compiled(kind: type) -> Any:
    """Return the compiled function of (arrays of parameters, images, labels); `InputError` without JAX."""
    try:
        import jax
    except ImportError:
        raise InputError(
            f"JAX is not installed; install it: {EXTRA}; or use per_example of the model, which needs NumPy alone"
        ) from None
    # Compiling takes a second, and again for each size of a batch.
    if kind not in _COMPILED:
        loss = _convolutional if kind is Convolutional else _logistic
        _COMPILED[kind] = jax.jit(jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0, 0)))
    return _COMPILED[kind]


def _logistic(parts: list[Any], image: Any, label: Any) -> Any:
    return _loss(image.reshape(-1) @ parts[0] + parts[1], label)


def _convolutional(parts: list[Any], image: Any, label: Any) -> Any:
    import jax

    maps = image.reshape(1, SIDE, SIDE, 1)
    for weights, offsets in (parts[0:2], parts[2:4]):
        filters = weights.reshape(5, 5, -1, weights.shape[-1])
        maps = jax.lax.conv_general_dilated(maps, filters, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        maps = jax.lax.reduce_window(maps + offsets, -jax.numpy.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        maps = jax.nn.relu(maps)
    hidden = jax.nn.relu(maps.reshape(-1) @ parts[4] + parts[5])
    return _loss(hidden @ parts[6] + parts[7], label)


def _loss(scores: Any, label: Any) -> Any:
    import jax

    return jax.nn.logsumexp(scores) - scores[label]
