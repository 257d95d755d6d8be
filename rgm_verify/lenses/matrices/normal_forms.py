"""Expressions in matrices of unspecified sizes, brought to a normal form that only equal expressions share.

An expression is multiplied out to a sum of coefficients times words in the matrices, their transposes and inverses.
Every rule that is used holds for real matrices of all sizes: transposing turns a product around, a matrix next to its
inverse is left out, a product of shape 1x1 is a number (it equals its transpose and commutes with everything), and a
trace does not see a rotation or a transposition of its word. Equal normal forms are therefore a proof. Different ones
show nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import sympy
from sympy.matrices.expressions.matexpr import MatrixExpr


class WordError(ValueError):
    """An expression without a normal form here; the message names the part at fault."""


class Letter(NamedTuple):
    """A matrix, its transpose ("T"), its inverse ("I") or the transpose of that ("IT"), with the sizes as texts."""

    name: str
    rows: str
    columns: str
    form: str


Word: TypeAlias = tuple[Letter, ...]


class Factor(NamedTuple):
    """A number: a word of shape 1x1, or the trace of a square one."""

    traced: bool
    word: Word


class Term(NamedTuple):
    """A word with the numbers in front of it, in order; the empty word is an identity matrix (or the number 1)."""

    factors: tuple[Factor, ...]
    word: Word


#: Coefficients of terms.
Sum: TypeAlias = dict[Term, sympy.Expr]

_ONE = "1"
_NUMBER = Term((), ())
_MOST_TERMS = 20_000
_HIGHEST = 12


def size(value: sympy.Expr) -> str:
    """A size as a text: equal for equal sizes and different for different ones; `WordError` unless number or symbol."""
    if isinstance(value, sympy.Integer) and value >= 1:
        return str(int(value))
    if isinstance(value, sympy.Symbol):
        # The quote keeps a variable apart from a number, whatever its name is.
        return f"'{value.name}"
    raise WordError(f"the size {value} is neither a number nor a variable")


def shape(value: sympy.Expr) -> tuple[str, str]:
    """The sizes of an expression; those of a number are 1 and 1."""
    if not isinstance(value, MatrixExpr):
        return _ONE, _ONE
    return size(value.rows), size(value.cols)


def fit(value: sympy.Expr) -> None:
    """Raise `WordError` unless the sizes of all parts of an expression match, for every value of the sizes.

    Summands need the same numbers of rows and columns, neighbouring factors one number between them, and powers,
    traces and determinants a square matrix. Sizes are compared as expressions: `n` and `m` do not match.
    """
    matrices = [a for a in value.args if isinstance(a, MatrixExpr)]
    for part in value.args:
        if isinstance(part, sympy.Expr) and not isinstance(value, sympy.MatrixSymbol):
            fit(part)
    if isinstance(value, sympy.MatAdd) and len({shape(a) for a in matrices}) > 1:
        raise WordError(f"{value}: the summands have different sizes")
    if isinstance(value, sympy.MatMul) and any(shape(a)[1] != shape(b)[0] for a, b in pairwise(matrices)):
        raise WordError(f"{value}: the sizes of the factors do not match")
    if isinstance(value, sympy.MatPow | sympy.Trace | sympy.Determinant) and any(
        len(set(shape(a))) > 1 for a in matrices
    ):
        raise WordError(f"{value}: a matrix that is not square")


@dataclass(frozen=True)
class Rules:
    """The names of the matrices that are their own transposes, and of those that have inverses.

    `nonzero` decides whether a coefficient differs from 0 wherever the claim speaks: only such a one may be inverted.
    """

    symmetric: frozenset[str]
    invertible: frozenset[str]
    nonzero: Callable[[sympy.Expr], bool]

    def normal(self, value: sympy.Expr) -> Sum:
        """The normal form of a matrix, or of a number that may hold traces; coefficients are not simplified.

        Raises `WordError` for sizes that do not match, an inverse that need not exist, and functions of matrices.
        """
        fit(value)
        return self._form(value)

    def _form(self, value: sympy.Expr) -> Sum:
        return self._matrix(value) if isinstance(value, MatrixExpr) else self._number(value)

    def _number(self, value: sympy.Expr) -> Sum:
        """Return the normal form of a polynomial in numbers and traces; raises `WordError` for anything else."""
        if not value.has(MatrixExpr):
            # Words are there for what does not commute; a coefficient must.
            if not value.is_commutative:
                raise WordError(f"{value} does not commute")
            return {_NUMBER: value}
        if isinstance(value, sympy.Add):
            return _added(self._number(a) for a in value.args)
        if isinstance(value, sympy.Mul):
            return self._multiplied(value.args)
        if isinstance(value, sympy.Pow) and value.exp.is_Integer and 0 < value.exp <= _HIGHEST:
            return self._multiplied([value.base] * int(value.exp))
        if isinstance(value, sympy.Trace):
            return self._trace(value.arg)
        raise WordError(f"{value} is no polynomial in matrices and traces")

    def _matrix(self, value: MatrixExpr) -> Sum:
        """Return the normal form of a matrix; raises `WordError` for a function that words cannot express.

        An identity is the number 1 here, so that its size must have been checked before.
        """
        if isinstance(value, sympy.MatrixSymbol):
            return self._placed((Letter(str(value.name), *shape(value), ""),))
        if isinstance(value, sympy.Identity):
            shape(value)
            # An identity is the empty word, whatever its size: the words around it have the sizes.
            return {_NUMBER: sympy.S.One}
        if isinstance(value, sympy.ZeroMatrix):
            return {}
        if isinstance(value, sympy.Transpose):
            return self._transposed(self._form(value.arg))
        if isinstance(value, sympy.MatAdd):
            return _added(self._form(a) for a in value.args)
        if isinstance(value, sympy.MatMul):
            return self._multiplied(value.args)
        if isinstance(value, sympy.MatPow) and value.exp.is_Integer and abs(value.exp) <= _HIGHEST:
            base = self._inverted(value.base) if value.exp < 0 else self._form(value.base)
            power: Sum = {_NUMBER: sympy.S.One}
            for _ in range(abs(int(value.exp))):
                power = self._product(power, base)
            return power
        raise WordError(f"{value}: nothing is known of {type(value).__name__}")

    def _multiplied(self, parts: Iterable[sympy.Expr]) -> Sum:
        """The product; numbers may stand anywhere."""
        found: Sum = {_NUMBER: sympy.S.One}
        for part in parts:
            found = self._product(found, self._form(part))
        return found

    def _product(self, first: Sum, second: Sum) -> Sum:
        """Return the product of two normal forms; raises `WordError` beyond `_MOST_TERMS` terms, before memory runs
        out.
        """
        # Before multiplying: a power of a sum of words grows without a bound.
        if len(first) * len(second) > _MOST_TERMS:
            raise WordError(f"more than {_MOST_TERMS} terms")
        return _added(
            {
                Term(tuple(sorted((*a.factors, *b.factors, *placed.factors))), placed.word): c * e * f
                for placed, f in self._placed(a.word + b.word).items()
            }
            for a, c in first.items()
            for b, e in second.items()
        )

    def _placed(self, word: Word) -> Sum:
        """A word as a term: cancelled, and cut where it goes through size 1."""
        word = self._cancelled(word)
        parts = _cut(word)
        # A piece from size 1 to size 1 is a number, and commutes with everything.
        numbers = [p for p in parts if p[0].rows == _ONE == p[-1].columns]
        rest = tuple(letter for p in parts if p not in numbers for letter in p)
        # A number is its own transpose, so that the lesser of both words stands for it.
        factors = tuple(sorted(Factor(False, min(p, self._turned(p))) for p in numbers))
        return {Term(factors, rest): sympy.S.One}

    def _cancelled(self, word: Word) -> Word:
        kept: list[Letter] = []
        for letter in word:
            # Only where a hypothesis says that there is an inverse: A^-1 A has no value otherwise.
            if kept and letter.name in self.invertible and kept[-1] == _inverse(letter):
                kept.pop()
            else:
                kept.append(letter)
        return tuple(kept)

    def _turned(self, word: Word) -> Word:
        return tuple(self._transpose(letter) for letter in reversed(word))

    def _transpose(self, letter: Letter) -> Letter:
        # The inverse of a symmetric matrix is symmetric, so that its form stays as well.
        if letter.name in self.symmetric:
            return letter
        form = {"": "T", "T": "", "I": "IT", "IT": "I"}[letter.form]
        return Letter(letter.name, letter.columns, letter.rows, form)

    def _transposed(self, value: Sum) -> Sum:
        """The transpose: of every word, as numbers stay what they are."""
        return _added({Term(t.factors, self._turned(t.word)): c} for t, c in value.items())

    def _inverted(self, value: MatrixExpr) -> Sum:
        """The inverse of a multiple of a word in square matrices that have inverses."""
        found = self._form(value)
        # The inverse of a sum is no polynomial in the letters.
        if len(found) != 1:
            raise WordError(f"the inverse of {value}: only a product of matrices is inverted")
        ((factors, word), coefficient), *_ = found.items()
        alien = next((x for x in word if x.rows != x.columns or x.name not in self.invertible), None)
        if factors or alien is not None:
            what = f"the determinant of {alien.name}" if alien is not None else "a number in it"
            raise WordError(f"the inverse of {value}: nothing says that {what} is not 0")
        if not self.nonzero(coefficient):
            raise WordError(f"the inverse of {value}: {coefficient} was not shown to differ from 0")
        return {Term((), tuple(_inverse(letter) for letter in reversed(word))): 1 / coefficient}

    def _trace(self, value: sympy.Expr) -> Sum:
        """Return the trace, word by word.

        A word of size 1x1 is its own trace; the trace of an empty word is the size of the matrix.
        """
        rows, _ = shape(value)
        whole = value.rows if isinstance(value, MatrixExpr) else sympy.S.One
        return _added(
            self._product({Term(t.factors, ()): c}, self._rotated(t.word) if t.word else {_NUMBER: whole})
            if rows != _ONE
            else {t: c}
            for t, c in self._form(value).items()
        )

    def _rotated(self, word: Word) -> Sum:
        """Return the trace of a square word that is not empty, with the least of its rotations and transposes as its
        name.

        Cyclic shifts and the transpose leave a trace as it is. A word that passes through size 1 is a product of
        numbers.
        """
        # In a trace first and last are neighbours, and may cancel.
        while len(word) > 1 and word[0].name in self.invertible and word[-1] == _inverse(word[0]):
            word = word[1:-1]
        if not word:
            raise WordError("the trace of an identity matrix whose size was lost")
        # Cut at a size 1, the trace is a number without a trace around it.
        start = next((i for i, letter in enumerate(word) if letter.rows == _ONE), None)
        if start is not None:
            return self._placed(word[start:] + word[:start])
        turned = self._turned(word)
        circle = [w[i:] + w[:i] for w in (word, turned) for i in range(len(w))]
        return {Term((Factor(True, min(circle)),), ()): sympy.S.One}


def _inverse(letter: Letter) -> Letter:
    form = {"": "I", "I": "", "T": "IT", "IT": "T"}[letter.form]
    return Letter(letter.name, letter.columns, letter.rows, form)


def _cut(word: Word) -> list[Word]:
    parts: list[Word] = []
    for letter in word:
        if parts and parts[-1][-1].columns != _ONE:
            parts[-1] = (*parts[-1], letter)
        else:
            parts.append((letter,))
    return parts


def _added(sums: Iterable[Mapping[Term, sympy.Expr]]) -> Sum:
    total: Sum = {}
    for one in sums:
        for term, coefficient in one.items():
            total[term] = total.get(term, sympy.S.Zero) + coefficient
    return total


def difference(first: Sum, second: Sum, factor: sympy.Expr = sympy.S.One) -> Sum:
    """The first sum less a multiple of the second."""
    return _added((first, {term: -factor * coefficient for term, coefficient in second.items()}))
