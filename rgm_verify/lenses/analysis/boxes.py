"""Signs of expressions over boxes by ball arithmetic, with a little bisection.

Every number comes from `rgm_verify.balls.branch`, whose certificate is rigorous; a failure here says
only that the boxes allowed did not suffice. Symbols are replaced by plain ones of the same name, since
programs go by names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy

from rgm_verify.balls.branch import certify
from rgm_verify.balls.certificate import MAXIMUM_AXES
from rgm_verify.balls.program import UnsupportedExpression

__all__ = ["nonnegative_over", "sign_over"]

Box = Mapping[sympy.Symbol, tuple[Fraction, Fraction]]


def sign_over(f: sympy.Expr, box: Box, boxes: int = 24) -> int:
    """The sign that f has on all of a closed box: 1 or -1, and 0 where a few balls do not tell.

    Args:
        box: Closed rational ranges.
        boxes: The most boxes for each sign.
    """
    # The strict sign: a function that touches 0 has none, and the caller needs it to be nowhere 0.
    for sign in (1, -1):
        if nonnegative_over(sign * f, box, strict=True, boxes=boxes):
            return sign
    return 0


def nonnegative_over(
    f: sympy.Expr, box: Box, *, strict: bool, boxes: int, hypotheses: Sequence[sympy.Expr] = ()
) -> int:
    """The number of boxes that certify f >= 0 (> 0 if strict) where the hypotheses are >= 0; 0 if they did not.

    Args:
        box: Closed rational ranges, at most as many as a certificate has axes.
        strict: Whether f > 0 is asked for.
        boxes: The most boxes.
        hypotheses: Expressions that need only be >= 0 where f is looked at.

    Returns:
        At least 1 if it is certified: a number to report, and true as an answer.
    """
    if len(box) > MAXIMUM_AXES:
        return 0
    named = {s.name: ends for s, ends in box.items()}
    fresh = {s: sympy.Symbol(s.name) for s in box}
    try:
        found = certify(
            f.xreplace(fresh),
            named,
            strict=strict,
            hypotheses=[h.xreplace(fresh) for h in hypotheses],
            maximum_boxes=boxes,
        )
    # An expression without a program, or ends that floats cannot hold: nothing was shown.
    except (UnsupportedExpression, ValueError, OverflowError):
        return 0
    return max(found.boxes, 1) if found.status == "certified" else 0
