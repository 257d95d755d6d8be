"""Data, parameters and matrices whose sizes are variables, for statements about all of them."""

from sympy import Determinant

from rgm_verify.pages import *

MATRIX_NOTATION = Notation()
d = MATRIX_NOTATION.natural("d", "number of features")
n = MATRIX_NOTATION.natural("n", "number of records")
m = MATRIX_NOTATION.natural("m", "number of the other records")

#: Records are columns; labels, parameters and single records are columns too.
X, y, theta = MatrixSymbol("X", d, n), MatrixSymbol("y", n, 1), MatrixSymbol("theta", d, 1)
R, h = MatrixSymbol("R", d, m), MatrixSymbol("h", m, 1)
X_0, X_0p = MatrixSymbol("X_0", d, 1), MatrixSymbol("X_0'", d, 1)
A, b = MatrixSymbol("A", d, d), MatrixSymbol("b", d, 1)
A_SYMMETRIC = Hypothesis("A is symmetric", eq(A.T, A), "§5.2")
A_INVERTIBLE = Hypothesis("A is invertible", ne(Determinant(A), 0), "§5.2: its smallest eigenvalue is positive")
