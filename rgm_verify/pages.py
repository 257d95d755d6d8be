"""The language of pages: claims, lenses, what outputs are looked at with, and the functions of SymPy in formulas.

    from rgm_verify.pages import *

A name that is imported `as` itself is there for pages.
"""

from collections.abc import Callable as Callable
from collections.abc import Iterable as Iterable
from collections.abc import Iterator as Iterator
from collections.abc import Mapping as Mapping
from collections.abc import Sequence as Sequence
from dataclasses import replace as replace
from fractions import Fraction as Fraction
from functools import partial as partial
from typing import Any as Any

from sympy import Abs as Abs
from sympy import Derivative as Derivative
from sympy import Expr as Expr
from sympy import Integer as Integer
from sympy import Integral as Integral
from sympy import MatrixSymbol as MatrixSymbol
from sympy import Max as Max
from sympy import Min as Min
from sympy import Product as Product
from sympy import Rational as Rational
from sympy import Sum as Sum
from sympy import Symbol as Symbol
from sympy import acos as acos
from sympy import asin as asin
from sympy import atan as atan
from sympy import binomial as binomial
from sympy import ceiling as ceiling
from sympy import cos as cos
from sympy import cosh as cosh
from sympy import diff as diff
from sympy import erf as erf
from sympy import erfc as erfc
from sympy import exp as exp
from sympy import factorial as factorial
from sympy import floor as floor
from sympy import log as log
from sympy import loggamma as loggamma
from sympy import oo as oo
from sympy import pi as pi
from sympy import sin as sin
from sympy import sinh as sinh
from sympy import sqrt as sqrt
from sympy import tan as tan
from sympy import tanh as tanh

from rgm_verify.balls.special import LogRemainder as LogRemainder
from rgm_verify.claims import *  # noqa: F403
from rgm_verify.lenses import *  # noqa: F403
from rgm_verify.lenses import Combination
from rgm_verify.lenses.base import Lens as Lens
from rgm_verify.lenses.distributions.cases import Bound as Bound
from rgm_verify.lenses.distributions.cases import Case as Case
from rgm_verify.lenses.distributions.cases import Filled as Filled
from rgm_verify.lenses.distributions.cases import Of as Of
from rgm_verify.lenses.distributions.cases import Reading as Reading
from rgm_verify.lenses.distributions.laws import SIDES as SIDES
from rgm_verify.lenses.distributions.laws import Chance as Chance
from rgm_verify.lenses.distributions.laws import Mean as Mean
from rgm_verify.lenses.distributions.outputs import by_outputs as by_outputs
from rgm_verify.lenses.distributions.outputs import is_quantity as is_quantity
from rgm_verify.lenses.distributions.outputs import of_bounds as of_bounds
from rgm_verify.lenses.distributions.outputs import of_cases as of_cases
from rgm_verify.lenses.distributions.quantities import Guess as Guess
from rgm_verify.lenses.distributions.quantities import HockeyStick as HockeyStick
from rgm_verify.lenses.distributions.quantities import LossAbove as LossAbove
from rgm_verify.lenses.distributions.quantities import Outputs as Outputs
from rgm_verify.lenses.distributions.quantities import Renyi as Renyi


def combination(*terms: Sequence[Any]) -> Combination:
    """Write the difference of both sides as a sum of products that cannot be negative; a term is its factors."""
    return Combination(terms=tuple(map(tuple, terms)))
