"""The relative sensitivity of a node's gradient: as the paper's recipe prints it, and as it is proved, rounded up.

Proved is `|g - g'| <= e |g| + r` between neighbours whose records lie in a public domain, by either of two routes (the
numbers are those of `learning.sensitivity.of_domain`), and from it `eta^2 = (1 + t) e^2`, `R_rel^2 = (1 + 1/t) r^2` for
every share t:

* *regularization*: records in a ball, and `A >= mu I`, which every data set has. Nothing is tested.
* *test*: features clipped to the ellipsoid of a public C, and a private test has shown `A >= rho C`. With C = A of the
  node's data and rho = 1/2 it is the paper's own procedure with its constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rgm_verify.errors import reject
from rgm_verify.experiments.methods.problem import TwoNodes, known_labels
from rgm_verify.experiments.setup import Setup
from rgm_verify.learning import as_printed
from rgm_verify.learning.clipping.features import Shape
from rgm_verify.learning.data import EPS, FloatArray, row_norms_above
from rgm_verify.learning.sensitivity.of_domain import Level, RecordDomain, absolute_part, relative_part_squared
from rgm_verify.numbers.bounds import round_up
from rgm_verify.numbers.exact import exact
from rgm_verify.numbers.roots import root_above

_SHARES = tuple(Fraction(2) ** k for k in range(-6, 7))  # each is valid: more of them could only find a cheaper one
_SHORTEST = 1e-50  # a bound is > 0 even where all features are 0
_FROM_DATA = "the largest of this node's data, taken as public, at no cost"
_FROM_DOMAIN = "features in [-1, 1] and labels in {-1, 1}"


@dataclass(frozen=True)
class Proved:
    """`|g - g'| <= e |g| + r` between neighbours, exact numbers, and what it rests on.

    Attributes:
        e: the relative part.
        r: the absolute part.
        route: "regularization" or "test".
        needs: what is taken as public, in words.
        distance: how many records must at least change before the test that it rests on would fail; None where there is
            no test.
    """

    e: Fraction
    r: Fraction
    route: str
    needs: str
    distance: float | None

    def shared(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """Return `(eta, R_rel)` for the share t, each the next float: claim `beyond:quadratic-split`.

        `(e |g| + r)^2 <= (1 + t) e^2 |g|^2 + (1 + 1/t) r^2`, so that a large t is cheap for the absolute part.

        Args:
            share: t > 0, exact.

        Returns:
            Both rounded up, exact as fractions: the sensitivity that the mechanism is calibrated for.
        """
        eta, r_rel = self.e * root_above(1 + share), self.r * root_above(1 + 1 / share)
        return Fraction(round_up(eta)), Fraction(round_up(r_rel))

    def all_shares(self) -> Sequence[tuple[Fraction, Fraction]]:
        """Return `(eta, R_rel)` for thirteen shares, from 1/64 to 64."""
        return [self.shared(share) for share in _SHARES]


def by_regularization(problem: TwoNodes, index: int) -> Proved:
    """Return what holds for all data sets within the node's bounds, since `A >= mu I`: rounded up.

    Args:
        index: of the node, 0 or 1.
    """
    longest, label, origin = record_bounds(problem, index)
    domain = RecordDomain(longest, label)
    level = Level.everywhere(problem.setup.fraction("regularization"), domain)
    return _proved(problem, index, domain, level, "regularization", f"|x| and |y| of every record: {origin}", None)


def by_test(problem: TwoNodes, index: int) -> Proved:
    """Return what holds where a test has shown `A >= rho C`, C being the Hessian of the node: rounded up.

    Args:
        index: of the node, 0 or 1.

    Returns:
        The sensitivity, with the number of records that have to change before the test fails, rounded down.
    """
    node, setup, hessian = problem.nodes[index], problem.setup, problem.objectives[index].hessian
    longest, label, origin = record_bounds(problem, index)
    shape = Shape.of((hessian + hessian.T) / 2)
    radius = max(float(shape.lengths_above(node.X, 1).max()), _SHORTEST)
    if setup.parameters == "domain":
        # A record of that length is in the ellipsoid whatever its direction: divided by the root of the least
        # eigenvalue.
        radius = longest / float(np.sqrt(shape.values[0] * (1 - 2 * shape.slack))) * (1 + 4 * EPS)
    rho, n = setup.fraction("rho"), problem.objectives[index].records
    # A record within the ellipsoid moves A by at most radius^2 C / n.
    distance = float((1 - rho) * n / Fraction(radius) ** 2) * (1 - 4 * EPS)
    domain = RecordDomain.ellipsoid(shape, radius, label)
    needs = f"|y| and x'C^-1 x of every record: {origin}; C is this node's Hessian, taken as public; A >= {rho} C"
    return _proved(problem, index, domain, Level.promised(rho), "test", needs, distance)


def _proved(
    problem: TwoNodes, index: int, domain: RecordDomain, level: Level, route: str, needs: str, distance: float | None
) -> Proved:
    """Return the sensitivity of a node for a domain and a level, the public linear term included."""
    n = problem.objectives[index].records
    e = root_above(relative_part_squared(domain, level, n))
    return Proved(e, absolute_part(domain, level, n) + e * _public_term(problem, index), route, needs, distance)


def _public_term(problem: TwoNodes, index: int) -> Fraction:
    """Return the norm of the public linear term h, rounded up.

    It moves the minimiser by `A^-1 h`, and so the difference of two records' gradients there by at most `n e |h|`.
    """
    node, setup = problem.nodes[index], problem.setup
    regularization = problem.objectives[index].regularization
    # A secret bias is in the labels, and the centre of the regularization is then a linear term.
    term = node.linear if setup.bias_known == "public" else node.linear - regularization * node.centre
    return Fraction(float(np.linalg.norm(term)) * (1 + 64 * EPS))


def record_bounds(problem: TwoNodes, index: int) -> tuple[float, float, str]:
    """Return bounds on the norm of the features and on the labels of every record at a node, and where they come from.

    Args:
        index: of the node, 0 or 1.
    """
    node, setup = problem.nodes[index], problem.setup
    labels = known_labels(node, setup)
    longest, label = max(float(row_norms_above(node.X).max()), _SHORTEST), float(np.abs(labels).max())
    if setup.parameters == "data":
        return longest, label, _FROM_DATA
    promised = _promised(setup, node.X.shape[1])
    if longest > promised[0] or label > promised[1]:
        raise reject("parameters", "domain", "these data have features or labels outside [-1, 1]; use 'data'")
    return (*promised, _FROM_DOMAIN)


def largest_norm(problem: TwoNodes, index: int) -> float:
    """Return the bound on the norm of the features of every record that can occur at the node."""
    return record_bounds(problem, index)[0]


def _promised(setup: Setup, dimension: int) -> tuple[float, float]:
    """Return the bounds of the format with centring and what is secret of a bias, and room for their roundings."""
    roundings = 64 * (dimension + 4) * EPS
    longest = float(np.sqrt(dimension)) * (2 if setup.centred else 1) * (1 + roundings)
    size = float(setup.fraction("bias_size")) if setup.split == "bias" else 0.0
    moved = {"parameter": longest * size, "label": size, "linear": 0.0}[setup.bias_form]
    secret = setup.bias_form == "label" or setup.bias_known == "private"
    # A public bias is added to labels and taken away again.
    return longest, (1 + moved if secret else 1.0) + (1 + moved) * roundings


# ------------------------------------------------------------------------------------------------------ as printed


def printed(problem: TwoNodes, index: int) -> tuple[Fraction, Fraction]:
    """Return `(eta, R_rel)` of the experiments' recipe as printed, by the readings in the setup; no guarantee.

    Floating-point values, as exact numbers. Source: RGM paper (v2), Appendix C.2 and eq. (11), "we omit constant
    factors"; what is wrong is in `as_printed.eta_of_data` and `as_printed.absolute_part_of_data`.
    """
    node, setup = problem.nodes[index], problem.setup
    count = divisor(problem, index)
    # Floats, rounded to nearest: what a user of the recipe would get, and nothing rests on it.
    eta = _printed_eta(node.X, setup) / count
    products = node.X * known_labels(node, setup)[:, np.newaxis]
    mean, largest = float(np.linalg.norm(products.mean(axis=0))), float(np.linalg.norm(products, axis=1).max())
    if setup.printed_r_rel == "optimum":
        mean, largest = 0.0, largest_gradient_at_optimum(problem, index)
    r_rel = eta * mean + 2 * largest / (count if setup.printed_b == "section-5" else 1)
    return exact(eta, name="eta", floats="binary"), exact(r_rel, name="R_rel", floats="binary")


def _printed_eta(features: FloatArray, setup: Setup) -> float:
    """Return `N eta`."""
    n = len(features)
    if setup.printed_eta == "proposition-1":
        # R_c^4 is the largest term, so that no record is clipped; rho = 1/2.
        largest = float(as_printed.relative_terms(features, setup.regularization, "norm").max())
        return float(np.sqrt(6 * largest)) * 2
    side: as_printed.Side = "norm" if setup.printed_eta == "norm" else "leverage"
    return as_printed.eta_of_data(features, setup.regularization, side) * n


def divisor(problem: TwoNodes, index: int) -> int:
    """Return N of the printed formulas, by the reading in the setup."""
    return problem.records if problem.setup.count == "total" else problem.objectives[index].records


def largest_gradient_at_optimum(problem: TwoNodes, index: int) -> float:
    """Return the clipping threshold of the recipe: the largest gradient of a record at the optimum, rounded up.

    Of the node's own objective or of the common one, with the regularization where it is clipped too. No gradient is
    longer there, up to the rounding of the optimum. Source: RGM paper (v2), Appendix C.1.
    """
    node, setup = problem.nodes[index], problem.setup
    at = problem.minimiser if setup.threshold_at == "common" else problem.objectives[index].minimiser()
    gradients = node.X * (node.X @ at - node.y)[:, np.newaxis]
    if setup.regularizer == "inside":
        gradients = gradients + problem.objectives[index].regularization * (at - node.centre)
    return float(row_norms_above(gradients).max())
