"""Losses and gradients of single records by patches and matrix products, in NumPy alone.

The GeoDP paper names a network with 21,840 parameters and two convolutional layers, and no sizes. The choice here has
exactly that many: 10 filters of 5 by 5 (260), 20 filters of 5 by 5 by 10 (5,020), 50 units (16,050), 10 classes (510).
Each convolution is followed by the maximum over squares of 2 by 2 and by max(., 0), and there is no dropout, so that a
gradient is a function of the model and of one record. Source: GeoDP paper, Sections 5.1 and 5.2.2.

All numbers have the type of the parameters, float32 or float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rgm_verify.errors import depends_on_data, reject
from rgm_verify.numbers.sampling import require_generator

Numbers: TypeAlias = NDArray[Any]
Labels: TypeAlias = NDArray[np.int64]

SIDE = 28
CLASSES = 10
_FILTER = 5
_POOL = 2


class Gradients(NamedTuple):
    """Losses (n,) of single records in nats, and their gradients (n, d)."""

    losses: Numbers
    rows: Numbers


class Weighted(NamedTuple):
    """Losses (n,) of single records in nats, the norms (n,) of their gradients, and a weighted sum (d,) of these."""

    losses: Numbers
    norms: NDArray[np.float64]
    total: Numbers


Weights: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""A function from the norms (n,) of gradients to the factors (n,) that these get in a sum."""


class Model(Protocol):
    """A classifier of images of 28 by 28 into ten classes, with the cross-entropy of its softmax as the loss."""

    @property
    def dimension(self) -> int:
        """The number d of parameters."""
        ...

    def start(self, generator: np.random.Generator, dtype: type = np.float32) -> Numbers:
        """Return random parameters (d,) to begin with."""
        ...

    def parts(self, parameters: ArrayLike) -> list[Numbers]:
        """Return the arrays that parameters (d,) stand for; `InputError` for what are none."""
        ...

    def scores(self, parameters: Numbers, images: Numbers) -> Numbers:
        """Return the scores (n, 10) of the classes, before the softmax."""
        ...

    def per_example(self, parameters: Numbers, images: Numbers, labels: Labels) -> Gradients:
        """Return the loss and the gradient of each record by itself."""
        ...

    def mean_gradient(self, parameters: Numbers, images: Numbers, labels: Labels) -> Numbers:
        """Return the gradient (d,) of the mean loss, without gradients of single records."""
        ...

    def weighted_sum(self, parameters: Numbers, images: Numbers, labels: Labels, weights: Weights) -> Weighted:
        """Return the sum (d,) of the records' gradients, each times a factor that its norm decides."""
        ...


class _Parts:
    """Shared by both models: parameters as one vector, cut into arrays of the shapes of the class.

    A layer is linear in its parameters at every place of a record: the gradient of its weights is the sum over places
    of the outer products of what comes in and of the slope of the loss in what goes out. Sums over records are products
    of matrices, so that they need no gradients of single records; neither do the norms of these.
    """

    shapes: ClassVar[tuple[tuple[int, ...], ...]]

    @property
    def dimension(self) -> int:
        """The number d of parameters."""
        return sum(math.prod(shape) for shape in self.shapes)

    def parts(self, parameters: ArrayLike) -> list[Numbers]:
        """Return the arrays that a vector of parameters (d,) stands for, as views of it.

        Raises `InputError` for another number of parameters, other types than floats, NaN and infinities.
        """
        vector = np.asarray(parameters)
        if vector.shape != (self.dimension,) or vector.dtype.kind != "f":
            raise reject("parameters", f"{vector.dtype} of shape {vector.shape}", f"expected {self.dimension} floats")
        # A model that has diverged must not be trained on: NaN would be clipped to NaN and released.
        if not np.isfinite(vector).all():
            raise reject("parameters", "NaN or infinite", "the model has diverged; use a smaller step size")
        ends = np.cumsum([math.prod(shape) for shape in self.shapes])
        return [part.reshape(shape) for part, shape in zip(np.split(vector, ends[:-1]), self.shapes, strict=True)]

    def start(self, generator: np.random.Generator, dtype: type = np.float32) -> Numbers:
        """Return parameters (d,), each uniform within one over the root of the number of inputs of its unit."""
        source = require_generator(generator)
        pieces = []
        # Weights and offsets alternate; an offset has the range of the weights before it.
        for weights, offsets in zip(self.shapes[::2], self.shapes[1::2], strict=True):
            bound = 1 / math.sqrt(math.prod(weights[:-1]))
            pieces += [source.uniform(-bound, bound, math.prod(shape)) for shape in (weights, offsets)]
        # Drawn in float64 whatever the type is, so that both types start from the same model, up to rounding.
        return np.concatenate(pieces).astype(dtype)

    def per_example(self, parameters: Numbers, images: Numbers, labels: Labels) -> Gradients:
        """Return losses (n,) and gradients (n, d), to rounding; `InputError` as of `checked_batch` and `parts`.

        Takes the memory of the result, and for the network about 150 kB more for each record (float32).
        """
        losses, layers = self._layers(self.parts(parameters), images, labels)
        rows = np.empty((len(losses), self.dimension), dtype=losses.dtype)
        at = 0
        for inputs, slopes in layers:
            at = _outer_into(rows, at, inputs, slopes)
        return Gradients(losses, rows)

    def mean_gradient(self, parameters: Numbers, images: Numbers, labels: Labels) -> Numbers:
        """Return the gradient (d,) of the mean loss; `InputError` as of `per_example`."""
        losses, layers = self._layers(self.parts(parameters), images, labels)
        return np.asarray(_total(layers) / losses.dtype.type(len(losses)))

    def weighted_sum(self, parameters: Numbers, images: Numbers, labels: Labels, weights: Weights) -> Weighted:
        """Return the sum (d,) of the records' gradients, each times the factor that `weights` gives for its norm.

        Clipping, for one, is `lambda norms: np.minimum(1, clip / norms)`. To rounding, as `per_example`; no gradient of
        a single record is formed, so that it takes little more than `mean_gradient`.

        Raises `InputError` as `per_example`, and for factors that are not (n,) finite numbers.
        """
        losses, layers = self._layers(self.parts(parameters), images, labels)
        norms = np.sqrt(sum(_squared_norms(inputs, slopes) for inputs, slopes in layers))
        # Norms in float64, so that the factor of a long gradient does not depend on how squares overflow.
        factors = np.asarray(weights(norms))
        if factors.shape != norms.shape or not np.isfinite(factors).all():
            raise reject("weights", f"array of shape {factors.shape}", f"expected {len(norms)} finite numbers")
        # A record's slopes times its factor are the slopes of its loss times the factor: layers are linear in them.
        narrow = factors.astype(losses.dtype)
        scaled = [(inputs, slopes * narrow.reshape(-1, *[1] * (slopes.ndim - 1))) for inputs, slopes in layers]
        return Weighted(losses, norms, _total(scaled))

    def _layers(
        self, parts: list[Numbers], images: Numbers, labels: Labels
    ) -> tuple[Numbers, list[tuple[Numbers, Numbers]]]:
        """Return losses, and for each layer its inputs and the slopes of each record's loss in its outputs."""
        raise NotImplementedError


class Logistic(_Parts):
    """Logistic regression on the pixels, with ten classes: 7,850 parameters.

    Examples:
        >>> Logistic().dimension
        7850
    """

    shapes = ((SIDE * SIDE, CLASSES), (CLASSES,))

    def scores(self, parameters: Numbers, images: Numbers) -> Numbers:
        """Return the scores (n, 10) of images (n, 28, 28); `InputError` as of `checked_images` and `parts`."""
        weights, offsets = self.parts(parameters)
        return np.asarray(_flat(checked_images(images, weights.dtype)) @ weights + offsets)

    def _layers(
        self, parts: list[Numbers], images: Numbers, labels: Labels
    ) -> tuple[Numbers, list[tuple[Numbers, Numbers]]]:
        weights, offsets = parts
        checked, classes = checked_batch(images, labels, weights.dtype)
        pixels = _flat(checked)
        losses, slopes = _cross_entropy(np.asarray(pixels @ weights + offsets), classes)
        return losses, [(pixels, slopes)]


class Convolutional(_Parts):
    """The network of the module: 21,840 parameters.

    Examples:
        >>> Convolutional().dimension
        21840
    """

    shapes = ((25, 10), (10,), (250, 20), (20,), (320, 50), (50,), (50, CLASSES), (CLASSES,))

    def scores(self, parameters: Numbers, images: Numbers) -> Numbers:
        """Return the scores (n, 10) of images (n, 28, 28); `InputError` as of `checked_images` and `parts`."""
        parts = self.parts(parameters)
        return self._forward(parts, checked_images(images, parts[0].dtype))[-1]

    @staticmethod
    def _forward(parts: list[Numbers], images: Numbers) -> tuple[Numbers, ...]:
        first, offset_1, second, offset_2, third, offset_3, fourth, offset_4 = parts
        patches_1 = _patches(images[..., np.newaxis])
        pooled_1, chosen_1 = _largest(patches_1 @ first + offset_1)
        patches_2 = _patches(np.maximum(pooled_1, 0))
        pooled_2, chosen_2 = _largest(patches_2 @ second + offset_2)
        flat = np.maximum(pooled_2, 0).reshape(len(images), -1)
        hidden = flat @ third + offset_3
        scores = np.maximum(hidden, 0) @ fourth + offset_4
        return patches_1, pooled_1, chosen_1, patches_2, pooled_2, chosen_2, flat, hidden, scores

    def _layers(
        self, parts: list[Numbers], images: Numbers, labels: Labels
    ) -> tuple[Numbers, list[tuple[Numbers, Numbers]]]:
        checked, classes = checked_batch(images, labels, parts[0].dtype)
        patches_1, pooled_1, chosen_1, patches_2, pooled_2, chosen_2, flat, hidden, scores = self._forward(
            parts, checked
        )
        losses, slopes_4 = _cross_entropy(scores, classes)
        slopes_3 = (slopes_4 @ parts[6].T) * (hidden > 0)
        # Where the largest of four is not above 0, max(., 0) is flat, and nothing goes back.
        back = (slopes_3 @ parts[4].T).reshape(pooled_2.shape) * (pooled_2 > 0)
        # Back through the second convolution: to its patches, and from these to the places that they share.
        slopes_2 = _to_largest(back, chosen_2)
        back = _from_patches(slopes_2 @ parts[2].T, pooled_1.shape) * (pooled_1 > 0)
        slopes_1 = _to_largest(back, chosen_1)
        inputs = (patches_1, patches_2, flat, np.maximum(hidden, 0))
        return losses, list(zip(inputs, (slopes_1, slopes_2, slopes_3, slopes_4), strict=True))


def checked_images(images: ArrayLike, dtype: Any) -> Numbers:
    """Return images as an array (n, 28, 28) of that type.

    Raises `InputError` for other shapes, an empty batch, what is not numeric, NaN and infinities.
    """
    array = np.asarray(images)
    if array.ndim != 3 or array.shape[1:] != (SIDE, SIDE) or array.dtype.kind not in "iuf":
        raise reject("images", f"{array.dtype} of shape {array.shape}", f"expected numbers (n, {SIDE}, {SIDE})")
    if not len(array):
        raise reject("images", "an empty batch", "a mean of no gradients has no value; leave such a step out")
    if not np.isfinite(array).all():
        raise depends_on_data("images: every pixel must be a finite number")
    return array.astype(dtype, copy=False)


def checked_batch(images: ArrayLike, labels: ArrayLike, dtype: Any) -> tuple[Numbers, Labels]:
    """Return images as `checked_images` does, and labels (n,), integers from 0 to 9; `InputError` otherwise."""
    # Images first: a batch without records is told as such, not as labels of a wrong shape.
    pixels, classes = checked_images(images, dtype), np.asarray(labels)
    if classes.shape != (len(pixels),) or classes.dtype.kind not in "iu":
        raise reject("labels", f"{classes.dtype} of shape {classes.shape}", f"expected {len(pixels)} integers")
    if classes.min() < 0 or classes.max() >= CLASSES:
        raise depends_on_data(f"labels: every label is an integer from 0 to {CLASSES - 1}")
    return pixels, classes.astype(np.int64)


def _flat(images: Numbers) -> Numbers:
    return images.reshape(len(images), -1)


def _cross_entropy(scores: Numbers, labels: Labels) -> tuple[Numbers, Numbers]:
    """Return losses (n,) and their derivatives (n, 10) in the scores."""
    # The largest score is subtracted first, so that no exponential overflows.
    shifted = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(shifted)
    total = weights.sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    losses = np.log(total[:, 0]) - shifted[rows, labels]
    slopes = weights / total
    slopes[rows, labels] -= 1
    return losses, slopes


def _patches(maps: Numbers) -> Numbers:
    """Return all squares of 5 by 5 of maps (n, h, w, c), each as a vector: (n, h - 4, w - 4, 25 c)."""
    # The copy costs memory and makes one product of matrices out of a convolution, which is what is fast here.
    windows = np.lib.stride_tricks.sliding_window_view(maps, (_FILTER, _FILTER), axis=(1, 2))
    return np.ascontiguousarray(windows.transpose(0, 1, 2, 4, 5, 3)).reshape(*windows.shape[:3], -1)


def _from_patches(slopes: Numbers, shape: tuple[int, ...]) -> Numbers:
    """Return the sums of slopes over all patches that hold a place: the transpose of `_patches`."""
    n, height, width, _ = slopes.shape
    square = slopes.reshape(n, height, width, _FILTER, _FILTER, shape[-1])
    out = np.zeros(shape, dtype=slopes.dtype)
    # 25 shifted sums of whole arrays: patches overlap, so that one indexed assignment would lose terms.
    for i in range(_FILTER):
        for j in range(_FILTER):
            out[:, i : i + height, j : j + width] += square[:, :, :, i, j]
    return out


def _largest(maps: Numbers) -> tuple[Numbers, Labels]:
    """Return the largest of each square of 2 by 2 of maps (n, h, w, c), and which it is: the first of equals."""
    n, height, width, channels = maps.shape
    squares = maps.reshape(n, height // _POOL, _POOL, width // _POOL, _POOL, channels)
    squares = squares.transpose(0, 1, 3, 5, 2, 4).reshape(n, height // _POOL, width // _POOL, channels, _POOL**2)
    chosen = squares.argmax(axis=-1)
    return np.take_along_axis(squares, chosen[..., np.newaxis], axis=-1)[..., 0], chosen


def _to_largest(slopes: Numbers, chosen: Labels) -> Numbers:
    """Return maps that hold each slope where the largest entry was, and 0 elsewhere: the transpose of `_largest`."""
    n, height, width, channels = slopes.shape
    squares = np.zeros((*slopes.shape, _POOL**2), dtype=slopes.dtype)
    # One place for each square, so that equal entries do not get the slope twice.
    np.put_along_axis(squares, chosen[..., np.newaxis], slopes[..., np.newaxis], axis=-1)
    squares = squares.reshape(n, height, width, channels, _POOL, _POOL).transpose(0, 1, 4, 2, 5, 3)
    return np.ascontiguousarray(squares).reshape(n, height * _POOL, width * _POOL, channels)


def _outer_into(rows: Numbers, at: int, inputs: Numbers, slopes: Numbers) -> int:
    """Write each record's gradient of weights and offsets of one layer from column `at` on; return the next column."""
    n, wide, tall = len(inputs), int(inputs.shape[-1]), int(slopes.shape[-1])
    before, after = inputs.reshape(n, -1, wide), slopes.reshape(n, -1, tall)
    # The places of a map are summed in the product; a layer without places has one.
    rows[:, at : at + wide * tall] = np.matmul(before.transpose(0, 2, 1), after).reshape(n, -1)
    rows[:, at + wide * tall : at + (wide + 1) * tall] = after.sum(axis=1)
    return at + (wide + 1) * tall


def _total(layers: list[tuple[Numbers, Numbers]]) -> Numbers:
    """Return the sum (d,) over records of their gradients: one product of matrices for each layer."""
    pieces = []
    for inputs, slopes in layers:
        flat = slopes.reshape(-1, slopes.shape[-1])
        pieces += [(inputs.reshape(-1, inputs.shape[-1]).T @ flat).ravel(), flat.sum(axis=0)]
    return np.concatenate(pieces)


def _squared_norms(inputs: Numbers, slopes: Numbers) -> NDArray[np.float64]:
    """Return the squared norm (n,) of each record's gradient of weights and offsets of one layer.

    An outer product is as long as the product of both lengths, so that a layer without places needs no matrix.
    """
    n = len(inputs)
    before, after = inputs.reshape(n, -1, inputs.shape[-1]), slopes.reshape(n, -1, slopes.shape[-1])
    # The 1 is the offset, whose input is always 1.
    if before.shape[1] == 1:
        return (1 + _squares(before)) * _squares(after)
    return _squares(np.matmul(before.transpose(0, 2, 1), after)) + _squares(after.sum(axis=1))


def _squares(rows: Numbers) -> NDArray[np.float64]:
    """Return the sums of squares of each record's numbers, in float64: squares of small slopes must not vanish."""
    flat = rows.reshape(len(rows), -1)
    return np.asarray(np.einsum("ni,ni->n", flat, flat, dtype=np.float64), dtype=np.float64)
