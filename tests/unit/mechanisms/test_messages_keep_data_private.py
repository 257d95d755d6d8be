"""Messages, warnings and chained exceptions of whatever takes data show no value of them.

Every public function, method and constructor of the rooms that take data is found and called with marked values, each
argument in turn. A parameter is data if it is an array or an integer of a record, unless its name stands in `PUBLIC`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import traceback
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from rgm_verify.errors import InputError
from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.clipping.gradient import ClippedGradient
from rgm_verify.learning.clipping.propose_test_release import ClippedFeatures
from rgm_verify.learning.decentralised.walk import DecentralisedSgd
from rgm_verify.learning.dp_sgd import DpSgd
from rgm_verify.learning.geometric.geodp import ClampedGeoDP, GeoDPAsPrinted
from rgm_verify.learning.geometric.training import NoisyGradient, NoNoise, Training
from rgm_verify.learning.networks.models import Convolutional, Logistic
from rgm_verify.learning.nodes import over_gopa, over_nodes
from rgm_verify.learning.private_logistic.estimator import PrivateLogisticRegression
from rgm_verify.learning.private_ridge.bounds import RecordBounds
from rgm_verify.learning.private_ridge.estimator import PrivateRidge
from rgm_verify.mechanisms.averaging.central_local import CentralAverage, LocalAverage
from rgm_verify.mechanisms.averaging.gopa import Gopa
from rgm_verify.mechanisms.exact_noise import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from rgm_verify.mechanisms.gaussian import GaussianMechanism
from rgm_verify.mechanisms.laplace import LaplaceMechanism
from rgm_verify.mechanisms.relative_gaussian import RelativeGaussianMechanism
from rgm_verify.mechanisms.sampled import SampledSumMechanism
from rgm_verify.mechanisms.sensitivity import AbsoluteSensitivity, RelativeSensitivity
from rgm_verify.mechanisms.strategies import MatrixMechanism, strategy_of

ROOMS = ("rgm_verify.mechanisms", "rgm_verify.learning", "rgm_verify.accounting.auditing")
MARK = 987654.321
#: What a message would show of the values below.
SHOWN = re.compile(r"987[,_]?65|9\.87[0-9]*e\+?0?5|\bnan\b|(?<![\w-])-?inf\b|secret|9\.9e\+?30|1e\+?300")
BAD = [MARK, float("nan"), float("inf"), 9.9e301, "secret", None, 987654 + 3j]

#: Parameters that are arrays and no data of anybody: models, public matrices, parameters and what was released.
PUBLIC = frozenset(
    "sample_weight directions coalition "
    "theta start center parameters weights C edges present eigenvalues alpha point order distances reach distance "
    "vectors slack released words mean variance models path iterates turn unit stretch norm squares cosines factor "
    "trials thresholds score scores samples second first products hessian half_labels moment leverages outside".split()
)
N, D = 6, 2
USUAL = {
    "X": np.full((N, D), 0.25),
    "y": np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0]),
    "value": np.array([0.5, 0.25]),
    "values": np.full(N, 0.5),
    "images": np.zeros((N, 28, 28)),
    "labels": np.zeros(N, dtype=np.int64),
    "gradients": np.full((N, D), 0.125),
    "gradient": np.array([0.5, 0.25, 0.25]),
    "vector": np.array([0.5, 0.25, 0.25]),
    "angles": np.array([0.5, 0.5]),
    "magnitude": 1.0,
    "record": np.array([0.25, 0.25]),
    "rounds": np.full((N, D), 0.25),
    "label": 1.0,
    "x": np.array([0.5, 0.25]),
    "rows": np.full((N, D), 0.25),
    "array": np.full((N, D), 0.25),
    "left": np.full((N, D), 0.25),
    "right": np.full((N, D), 0.25),
    "features": np.full((N, D), 0.25),
    "outputs": np.full((N, D), 0.25),
    "losses": np.full(100, 0.25),
    "pilot": np.full(100, 0.25),
    "residuals": np.full(N, 0.25),
    "norms": np.full(N, 0.25),
    "statistic": 0.25,
}
#: Arguments that go with the data above; texts, so that they are exact.
OTHERS = {
    "generator": lambda: np.random.default_rng(0),
    "name": lambda: "argument",
    "meaning": lambda: "the number",
    "theta": lambda: np.zeros(D),
    "start": lambda: np.zeros(D),
    "parameters": lambda: np.zeros(Logistic().dimension),
    "weights": lambda: np.ones(N),
    "model": Logistic,
    "dimension": lambda: D,
    "regularization": lambda: "1/2",
    "radius": lambda: 1,
    "clip": lambda: 1,
    "C": lambda: np.eye(D),
    "clipped_by": lambda: "ellipsoid",
    "alpha": lambda: 2.0,
    "gamma": lambda: Fraction(1, 4),
    "sigma2": lambda: Fraction(1),
    "variance": lambda: np.ones(()),
    "eta": lambda: 9,
    "index": lambda: 0,
    "power": lambda: -1,
    "out_of_bounds": lambda: "refuse",
    "rho": lambda: "1/8",
    "epsilon": lambda: 1,
    "delta": lambda: "1/1000",
    "false_alarm": lambda: 1e-3,
    "mechanism": lambda: GaussianMechanism(1),
    "claimed_variance": lambda: lambda value: 1.0,
    "samples": lambda: 1000,
    "batches": lambda: [np.arange(N)],
    "method": NoNoise,
    "noise": lambda: np.random.default_rng(0),
    "dtype": lambda: np.float64,
    "order": lambda: 2,
    "divisor": lambda: N,
    "unit": lambda: 1.0,
    "sensitivity": lambda: RelativeSensitivity(1, 1),
    "step": lambda: "1/4",
    "steps": lambda: 2,
    "neighbours": lambda: "replace_one",
}
#: One object of each class with public methods that take data.
OBJECTS = {
    "CentralAverage": lambda: CentralAverage(N, 1),
    "LocalAverage": lambda: LocalAverage(N, 1),
    "Gopa": lambda: Gopa(N, [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]], pairwise=1, independent=1),
    "DiscreteLaplaceMechanism": lambda: DiscreteLaplaceMechanism(2),
    "DiscreteGaussianMechanism": lambda: DiscreteGaussianMechanism(2),
    "GaussianMechanism": lambda: GaussianMechanism(1),
    "LaplaceMechanism": lambda: LaplaceMechanism(1),
    "RelativeGaussianMechanism": lambda: RelativeGaussianMechanism("1/4", 1),
    "AbsoluteSensitivity": lambda: AbsoluteSensitivity(1),
    "RelativeSensitivity": lambda: RelativeSensitivity(1, 1),
    "Shape": lambda: Shape.of(np.eye(D)),
    "ClippedGradient": lambda: ClippedGradient.of(USUAL["X"], USUAL["y"], clip=1),
    "ClippedFeatures": lambda: ClippedFeatures.of(USUAL["X"], C=np.eye(D), radius=1, clipped_by="ellipsoid"),
    "DecentralisedSgd": lambda: DecentralisedSgd(steps=3, step_size="1/4", noise=1, lipschitz=1, smoothness=1),
    "DpSgd": lambda: DpSgd("logistic", clip=1, noise_multiplier=1, batch=N, steps=1, step_size=1, too_long="refuse"),
    "NoNoise": NoNoise,
    "NoisyGradient": lambda: NoisyGradient(1, 2, 1),
    "GeoDPAsPrinted": lambda: GeoDPAsPrinted(1, 2, 1, 1),
    "ClampedGeoDP": lambda: ClampedGeoDP(1, 2, 1, 1, center=np.array([0.5, 0.5])),
    "Training": lambda: Training(Logistic(), 1, 1, N, "clip"),
    "Logistic": Logistic,
    "Convolutional": Convolutional,
    "RecordBounds": lambda: RecordBounds.of(1, 1),
    "SampledSumMechanism": lambda: SampledSumMechanism(1, "1/2"),
    "MatrixMechanism": lambda: MatrixMechanism(strategy_of("tree", N), 1),
    "PrivateLogisticRegression": lambda: PrivateLogisticRegression(
        epsilon=1, delta="1/1000", feature_bound=1, classes=(0, 1), random_state=0
    ),
    "PrivateRidge": lambda: PrivateRidge(
        epsilon=1, delta="1/1000", feature_bound=1, label_bound=1, regularization=1, random_state=0
    ),
}
#: Callables with data that are not called here, each with the reason.
APART = {
    "check_mechanism": "its values are test points that a developer makes up, and the report is about them",
    "adjacency": "its value is the name of a relation",
    "positive_float": "a check of parameters",
    "nonnegative_float": "a check of parameters",
    "moderate": "a check of parameters",
    "intervals": "its directions and the fit are public, or released",
    "as_vector": "an arrangement of sums that `PrivateRidge.fit` has checked",
    "in_pairs": "a sum of arrays that its callers have made",
    "descended": "called by `PrivateLogisticRegression.fit`, behind its checks",
    "released": "called by `PrivateLogisticRegression.fit`, behind its checks",
    "minimised": "called by `PrivateLogisticRegression.fit`, behind its checks",
    "shares": "called by `PrivateLogisticRegression.fit`, behind its checks",
    "over_nodes": "its data are in pairs, one for each node; a test below marks them",
    "over_gopa": "its data are in pairs, one for each node; a test below marks them",
    "fitted": "called by `PrivateRidge.fit`, behind its checks",
    "Fit.without_covariance": "its coefficients are released",
    "acceptance_probability": "its statistic is a point at which a curve is asked for",
    "sensitivity_at_hand": "its labels are a public bound; what it does with data is that of `Shape` and `any_records`",
    "party_distances": "its coalition is a set of numbers of parties",
    "Neighbours.loss_at": "it draws from a mechanism at public points",
    "iterate_plan": "its sensitivity at the iterate is a public function of a released point",
    "NoiseAtTheIterate.of_level": "its sensitivity is a public function of a released point",
    "LevelTest.require_tested": "it asks whether clipped features are those of a test, and shows no number",
    "Screen.certainly_inside": "a shortcut of `Shape`, behind its checks",
    "Event.count": "it counts the outputs that `draw` has checked",
    "Releases.release": "a protocol, without a body",
    "Release.release": "a protocol, without a body",
    "Mechanism.variance": "a protocol, without a body",
    "Mechanism.law": "a protocol, without a body",
    "Mechanism.renyi": "a protocol, without a body",
    "Model.scores": "of an abstract class; its subclasses are called",
    "Model.per_example": "of an abstract class; its subclasses are called",
    "Model.mean_gradient": "of an abstract class; its subclasses are called",
    "Model.weighted_sum": "of an abstract class; its subclasses are called",
}


def own(module, kind):
    return [(k, v) for k, v in vars(module).items() if kind(v) and v.__module__ == module.__name__ and k[0] != "_"]


def public():
    """Yield name, owner's name and function of every public function and method; constructors with checks as well."""
    for room in ROOMS:
        for info in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            if info.name.endswith("by_jax"):  # the optional second route to what `models` computes
                continue
            module = importlib.import_module(info.name)
            for name, function in own(module, inspect.isfunction):
                yield name, "", function
            for name, kind in own(module, inspect.isclass):
                for method, found in vars(kind).items():
                    bare = getattr(found, "__func__", found)
                    if method[0] != "_" and inspect.isfunction(bare):
                        static = isinstance(found, classmethod | staticmethod)
                        yield f"{name}.{method}", "" if static else name, getattr(kind, method) if static else bare


def data_of(function):
    """Return the parameters of a function that are data."""
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        kind = str(parameter.annotation)
        is_data = name in USUAL or (re.search(r"Array|SupportsIndex", kind) and "Generator" not in kind)
        if is_data and name not in PUBLIC and name != "self":
            found.append(name)
    return found


CALLS = {name: (owner, function) for name, owner, function in public() if data_of(function) and name not in APART}


def arguments(function, data):
    """Return an argument for each parameter that needs one; the data are given."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in data:
            found[name] = data[name]
        elif name in OTHERS and (parameter.default is inspect.Parameter.empty or name == "regularization"):
            found[name] = OTHERS[name]()
    return found


def marked(usual, mark):
    """Yield data with a mark: in one entry, in all of them, and in an array of objects."""
    if np.ndim(usual) == 0:
        yield mark
        return
    entries = np.array(usual, dtype=object)
    entries.flat[0] = mark
    yield entries.tolist()
    if isinstance(mark, float):
        number = np.array(usual, dtype=np.float64)
        number.flat[-1] = mark
        yield number
        yield np.full(np.shape(usual), mark)
    yield np.full(np.shape(usual), mark, dtype=object)


def told(call):
    """Return everything that a call says, by exceptions and their chain and by warnings."""
    said = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call()
        except Exception as error:  # noqa: BLE001 - whatever is raised is looked at
            seen = error
            while seen is not None:
                said.append("".join(traceback.format_exception_only(seen)))
                seen = seen.__cause__ or seen.__context__
    return "\n".join([*said, *(str(warning.message) for warning in caught)])


@pytest.mark.parametrize("name", CALLS)
def test_no_message_shows_a_value_of_the_data(name):
    owner, function = CALLS[name]
    given = data_of(function)
    unknown = [parameter for parameter in given if parameter not in USUAL]
    assert not unknown, f"{name}: {unknown} are arrays: add data to USUAL, or the names to PUBLIC, or {name} to APART"
    assert not owner or owner in OBJECTS, f"{owner}: add an object to OBJECTS"
    for parameter in given:
        for mark in BAD:
            for value in marked(USUAL[parameter], mark):
                data = {other: USUAL[other] for other in given} | {parameter: value}

                def call(data=data):
                    bound = (OBJECTS[owner](),) if owner else ()
                    function(*bound, **arguments(function, data))

                said = told(call)
                assert not SHOWN.search(said), f"{name}({parameter} with {mark!r}): {said}"


@pytest.mark.parametrize("fit", [over_nodes, partial(over_gopa, edges=[[0, 1], [1, 2], [0, 2]])], ids=["sum", "gopa"])
@pytest.mark.parametrize("mark", BAD, ids=str)
def test_no_message_of_a_fit_over_nodes_shows_a_value(fit, mark):
    model = PrivateRidge(
        1, "1/1000", feature_bound=1, label_bound=1, mechanism="statistics", neighbours="replace_one", random_state=0
    )
    usual = (USUAL["X"], USUAL["y"])
    said = ""
    for values in marked(USUAL["X"], mark):
        said += told(lambda values=values: fit(model, [usual, (values, USUAL["y"]), usual]))
    for values in marked(USUAL["y"], mark):
        said += told(lambda values=values: fit(model, [usual, usual, (USUAL["X"], values)]))
    assert said
    assert not SHOWN.search(said), said


def test_the_look_at_messages_is_not_blind():
    def quotes():
        raise InputError(f"y={MARK}: a label")

    def chained():
        try:
            float("secret")
        except ValueError:
            raise InputError("y: not a number") from None

    def warned():
        warnings.warn(f"{MARK:.6g} is long", UserWarning, stacklevel=1)

    assert all(SHOWN.search(told(call)) for call in (quotes, chained, warned))
    assert {"DpSgd.train", "Gopa.messages", "CentralAverage.release", "PrivateRidge.fit", "to_spherical"} <= set(CALLS)
