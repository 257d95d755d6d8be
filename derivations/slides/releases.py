"""Mechanisms behind the statements of the slides that hold for all of them: what both checks look at.

A statement about any private mechanism is looked at for one: two outputs of the Gaussian mechanism, one deviation apart
unless something else is said. Sets of outputs are those where the loss exceeds a level.
"""

from rgm_verify.lenses.distributions.mechanisms import Y, coin, flipped_response, mixture, normal, responses
from rgm_verify.pages import *

from ..beyond.composition.releases_of_steps import DIGITS, apart
from ..rgm.notation import alpha, d
from ..rgm.section_1.gaussian_mechanism import distance, noise

_LEVEL, _BELOW = Rational(3, 2), Rational(1, 4)
PAIR = apart(Integer(1))
#: What is found for the proofs, and does not stand in a claim.
_d1, _whole, _whole_q = (real(name).symbol for name in ("delta_of_the_first", "set_under_D", "set_under_D'"))


def _points(large: Symbol, *others: Symbol) -> tuple[dict[Symbol, Rational], ...]:
    """Two levels, and numbers for the densities, at which nothing depends."""
    numbers = (Rational(1, 2), Rational(1, 3), Rational(2, 5), Rational(1, 5))
    return tuple(
        {large: factor, **dict(zip(others, numbers[k:] + numbers[:k], strict=False))}
        for k, factor in enumerate((_LEVEL, Rational(2)))
    )


def of_every_set(large: Symbol, *others: Symbol, flip: Rational | int = 0) -> tuple[Lens, Lens]:
    """No set has a larger excess than the one where the loss exceeds the level, which has the divergence.

    Args:
        large: The symbol of e to the level.
        others: The other symbols of the claim.
        flip: The chance that a random map of the output turns the answer around.
    """
    curve = Of(HockeyStick(log(large)), PAIR)
    best = Bound(curve, (Of(Guess(log(large), log(large)), PAIR),))
    return of_bounds((Bound(Of(Guess(log(large), _BELOW, flip), PAIR), (curve,)), best), _points(large, *others))


def of_one_set(large: Symbol, first: Symbol, second: Symbol, delta: Symbol, *others: Symbol) -> tuple[Lens, Lens]:
    """A set under both laws, and a delta that the pair has at the level."""
    values = {symbol: Of(LossAbove(_BELOW, under), PAIR) for symbol, under in zip((first, second), SIDES, strict=True)}
    return of_cases(Filled(_points(large, *others), values, {delta: Of(HockeyStick(log(large)), PAIR)}))


def of_a_split_set(
    large: Symbol, delta: Symbol, good: Symbol, bad: Symbol, good_q: Symbol, rest_q: Symbol
) -> tuple[Lens, Lens]:
    """The set of a positive loss, of which the bad part has a loss above the level."""
    above, positive = LossAbove(log(large), "P"), LossAbove(0, "P")
    found = {
        _whole: Of(positive, PAIR),
        _whole_q: Of(LossAbove(0, "Q"), PAIR),
        rest_q: Of(LossAbove(log(large), "Q"), PAIR),
    }
    readings = (Reading(bad + good, positive, PAIR), Reading(good_q + rest_q, LossAbove(0, "Q"), PAIR))
    return of_cases(
        Filled(
            _points(large), {}, {delta: Of(above, PAIR)}, found | {bad: Of(above, PAIR)},
            {good: _whole - bad, good_q: _whole_q - rest_q}, readings,
        )
    )  # fmt: skip


def same(first: Outputs, second: Outputs, large: Symbol, *others: Symbol) -> tuple[Lens, Lens]:
    """Two pairs with one divergence."""
    one, two = (Of(HockeyStick(log(large)), pair) for pair in (first, second))
    return of_bounds((Bound(one, (two,)), Bound(two, (one,))), _points(large, *others), DIGITS)


#: All messages, and those of one party: the others have one law on both data sets.
ALL_MESSAGES, MESSAGES = Outputs((Integer(1),), (Integer(0),), 3, variances=(Integer(1), Integer(1))), PAIR
#: A transcript of two messages, a view of one of them, and a view that is the transcript in another unit.
_TRANSCRIPT, _VIEW = apart(Rational(1, 2), Integer(1)), PAIR
_IN_OTHER_UNITS = Outputs((Integer(1), Integer(2)), (Integer(0), Integer(0)), 2, variances=(Integer(4), Integer(4)))


def of_views(large: Symbol, *others: Symbol) -> tuple[Lens, Lens]:
    """A view has at most the divergence of the transcript."""
    view, transcript = (Of(HockeyStick(log(large)), pair) for pair in (_VIEW, _TRANSCRIPT))
    return of_bounds((Bound(view, (transcript,)),), _points(large, *others), DIGITS)


def of_full_views(large: Symbol, p: Symbol, q: Symbol, view_p: Symbol, view_q: Symbol) -> tuple[Lens, Lens]:
    """A view that tells the transcript has its divergence."""
    one, two = (Of(HockeyStick(log(large)), pair) for pair in (_IN_OTHER_UNITS, _TRANSCRIPT))
    points = tuple({**at, view_p: at[p], view_q: at[q]} for at in _points(large, p, q))
    return of_bounds((Bound(one, (two,)), Bound(two, (one,))), points, DIGITS)


def of_two_steps(
    first: tuple[Symbol, Symbol, Symbol],
    second: tuple[Symbol, Symbol, Symbol],
    delta: Symbol,
    together: Callable[[Expr, Expr], Expr],
) -> tuple[Lens, Lens]:
    """Two releases, of which the second one is private after each first output.

    Args:
        first: The symbols of e to the level of the first one, and of its densities.
        second: Those of the second one, with probabilities of a set.
        delta: The delta of the second one.
        together: The delta of both in those of each.
    """
    large_1, p_1, q_1 = first
    large_2, p_2, q_2 = second
    one, two = apart(Rational(1, 2)), apart(Integer(1))
    points = tuple(
        {large_1: a, large_2: b, p_1: Rational(1, 2), q_1: Rational(1, 3)}
        for a, b in ((Rational(9, 8), Rational(5, 4)), (Rational(5, 4), _LEVEL))
    )
    values = {symbol: Of(LossAbove(_BELOW, under), two) for symbol, under in zip((p_2, q_2), SIDES, strict=True)}
    above = {delta: Of(HockeyStick(log(large_2)), two), _d1: Of(HockeyStick(log(large_1)), one)}
    both = Bound(Of(HockeyStick(log(large_1 * large_2)), apart(Rational(1, 2), Integer(1))), together(_d1, delta))
    return of_cases(Filled(points, values, above, bounds=(both,)), DIGITS)


def of_responses(
    level: Symbol,
    times: Symbol,
    log_slack: Symbol,
    total: Expr,
    tail: Symbol,
    probabilities: tuple[Symbol, Symbol],
    none: tuple[Symbol, ...],
) -> tuple[Lens, Lens]:
    """Randomised response of one bit, several times: the tail of the loss above the composed level, and a set.

    Args:
        none: Symbols of failures, which there are none of.
    """
    size = 9
    pair = responses(exp(level), size)
    points = tuple(
        {level: value, times: Integer(size), log_slack: Rational(1, 20), **dict.fromkeys(none, Integer(0))}
        for value in (Rational(3, 10), Rational(1, 5))
    )
    values = {symbol: Of(LossAbove(level, under), pair) for symbol, under in zip(probabilities, SIDES, strict=True)}
    return of_cases(Filled(points, values | {tail: Of(LossAbove(total), pair)}))


def of_renyi_levels(
    order: Symbol, together: Symbol, parts: tuple[Symbol, Symbol], levels: tuple[Symbol, Symbol]
) -> tuple[Lens, Lens]:
    """Two Gaussian releases, their divergences and levels that they meet."""
    sizes = (Rational(1, 2), Integer(1))
    above = {
        symbol: Of(Renyi(order), apart(size))
        for group in (parts, levels)
        for symbol, size in zip(group, sizes, strict=True)
    }
    points = ({order: Rational(3, 2)}, {order: Integer(2)})
    return of_cases(Filled(points, {together: Of(Renyi(order), apart(*sizes))}, above))


def of_a_coin(
    points: Iterable[Mapping[Symbol, Any]], ones: tuple[Symbol, Symbol], zeros: tuple[Symbol, ...] = ()
) -> tuple[Lens, Lens]:
    """A coin with the chances of the claim, on both data sets."""
    pair = coin(*ones)
    readings = [Reading(x, Chance(Y, under), pair) for x, under in zip(ones, SIDES, strict=True)]
    readings += [Reading(x, Chance(1 - Y, under), pair) for x, under in zip(zeros, SIDES, strict=False)]
    made = tuple(points)
    return Unreduced(tuple(readings), at=made), Released(tuple(readings), at=made[:1])


def of_a_flip(large: Symbol, flip: Symbol) -> tuple[Lens, Lens]:
    """The chances of both answers after a flip, whose quotient is the level."""
    pair = flipped_response(large, flip)
    right = is_quantity(Of(Chance(1 - Y, "P"), pair), (large * (1 - flip) + flip) / (large + 1))
    wrong = is_quantity(Of(Chance(1 - Y, "Q"), pair), (large * flip - flip + 1) / (large + 1))
    return of_bounds(
        (*right, *wrong), ({large: Integer(3), flip: Rational(1, 10)}, {large: Integer(2), flip: Rational(1, 5)})
    )


def of_gaussians(part: Expr, *distances: Rational | int) -> tuple[Lens, Lens]:
    """The Renyi divergence of two outputs of the Gaussian mechanism, at distances in the order given."""
    points = tuple(
        {alpha: order, noise: Integer(2), distance: Rational(gap), d: Integer(size)}
        for gap, order, size in zip(distances, (Rational(3, 2), Integer(3)), (3, 1), strict=True)
    )
    pair = Outputs((distance,), (Integer(0),), d, variances=(noise, noise))
    return by_outputs(part, Renyi(alpha), pair, points, points[:1])


def of_no_divergence(order: Symbol, quotient: Symbol) -> tuple[Lens, Lens]:
    """A divergence is not negative."""
    points = tuple({order: Rational(a), quotient: Rational(1, 2)} for a in ("3/2", "3"))
    return of_bounds((Bound(Integer(0), (Of(Renyi(order), PAIR),)),), points)


def of_a_drawn_record(large: Symbol, share: Symbol, densities: tuple[Symbol, ...]) -> tuple[Lens, Lens]:
    """A number that is replaced, in a batch with a chance, with Gaussian noise; the number in its place, and a batch
    without it.
    """
    size, left, right, middle = Rational(3, 2), Integer(1), Integer(-1), Integer(0)
    rest = (1 - share, middle)
    mixed = mixture(((share, left), rest), ((share, right), rest), size)
    new = 1 + share * (large - 1)
    parts = {_d1: normal(left, size, right), _whole: normal(left, size, middle)}
    most = share * (new / large * _d1 + (1 - new / large) * _whole)
    points = tuple(
        {large: factor, share: part, **dict.fromkeys(densities, Rational(1, 3))}
        for factor, part in ((Rational(3, 2), Rational(1, 2)), (Rational(2), Rational(1, 5)))
    )
    above = {symbol: Of(HockeyStick(log(large)), pair) for symbol, pair in parts.items()}
    return of_cases(Filled(points, {}, above, bounds=(Bound(Of(HockeyStick(log(new)), mixed), most),)))


def of_one_drawn_step(
    under_neighbour: Expr,
    under: Expr,
    reach: Expr,
    records: Symbol,
    points: Iterable[Mapping[Symbol, Any]],
    sampled: Iterable[Mapping[Symbol, Any]],
) -> tuple[Lens, Lens]:
    """One step with a batch of one record, whose gradient is turned around on the neighbour: the model is positive."""
    pair = mixture(((1 - 1 / records, -reach), (1 / records, reach)), ((1, -reach), (0, reach)), 1)
    readings = (Reading(under_neighbour, Chance(Y, "P"), pair), Reading(under, Chance(Y, "Q"), pair))
    return Unreduced(readings, at=tuple(points)), Released(readings, at=tuple(sampled))


def of_one_private_step(
    level: Symbol, failure: Symbol, steps: tuple[Symbol, Symbol, Symbol], probabilities: tuple[Symbol, Symbol]
) -> tuple[Lens, Lens]:
    """One step with the corrected noise and a batch of one of nine records: the model is positive.

    Args:
        level: The level of the theorem.
        failure: Its delta.
        steps: The symbols of the number of steps, of the composed level, and of the delta of a step.
        probabilities: Those of the set under both data sets.
    """
    records = 9
    reach = records * level / (16 * sqrt(log(2 / failure) * log(Rational(5, 2) / (failure * records))))
    share = Rational(1, records)
    pair = mixture(((1 - share, -reach), (share, reach)), ((1, -reach), (0, reach)), 1)
    number, composed, each = steps
    points = tuple(
        {level: Integer(1), failure: delta, number: Integer(1), composed: Integer(1), each: Integer(0)}
        for delta in (Rational(1, 10), Rational(1, 8))
    )
    values = {symbol: Of(Chance(Y, under), pair) for symbol, under in zip(probabilities, SIDES, strict=True)}
    return of_cases(Filled(points, values))


def of_two_levels(between: Symbol, beyond: Symbol, others: tuple[Symbol, ...]) -> tuple[Lens, Lens]:
    """The probability that the loss exceeds a level, and the one that it is between two levels."""
    high, low = LossAbove(Rational(5, 4)), LossAbove(_BELOW)
    points = tuple(
        dict(zip(others, numbers, strict=True))
        for numbers in ((Rational(7, 10), Rational(4, 5)), (Rational(1, 4), Rational(1, 2)))
    )
    found = {_whole: Of(low, PAIR), beyond: Of(high, PAIR)}
    readings = (Reading(between + beyond, low, PAIR), Reading(beyond, high, PAIR))
    return of_cases(Filled(points, found=found, rest={between: _whole - beyond}, readings=readings))
