"""Theorems with a name that steps of derivations quote: what they say, what they assume, and where a proof is printed."""

from __future__ import annotations

from rgm_verify.claims import Theorem

FUBINI = Theorem(
    "fubini",
    "Theorem of Fubini and Tonelli",
    r"$\int\!\int f(x, y)\,dx\,dy = \int\!\int f(x, y)\,dy\,dx$.",
    {
        "measurable": "The function is measurable on the product of two sigma-finite spaces.",
        "integrable or nonnegative": "It is not negative, or its modulus has a finite integral.",
    },
    "W. Rudin, Real and Complex Analysis, Theorem 8.8",
)
FUNDAMENTAL = Theorem(
    "fundamental-theorem-of-calculus",
    "Fundamental theorem of calculus",
    r"$F(b) - F(a) = \int_a^b F'(x)\,dx$.",
    {
        "antiderivative": "The function is continuous up to both ends, and differentiable between them.",
        "integrable": "Its derivative is continuous between them, and not negative or integrable.",
    },
    "W. Rudin, Real and Complex Analysis, Theorem 7.21",
)
DIFFERENTIATION = Theorem(
    "differentiation-under-the-integral",
    "Differentiation under the integral sign",
    r"$\frac{d}{dt}\int f(x, t)\,dx = \int \partial_t f(x, t)\,dx$.",
    {
        "differentiable": "The integrand is differentiable in the parameter for almost every point.",
        "dominated": "Near the parameter one integrable function bounds the modulus of the derivative.",
    },
    "P. Billingsley, Probability and Measure, Theorem 16.8",
)
DATA_PROCESSING = Theorem(
    "data-processing",
    "Data processing inequality",
    r"No Rényi divergence and no hockey-stick divergence grows when both laws pass through one kernel.",
    {"one kernel": "The same map, random or not, is applied to both laws."},
    "T. van Erven and P. Harremoës, Rényi divergence and Kullback-Leibler divergence, Theorem 9; "
    "Y. Polyanskiy and Y. Wu, Information Theory, Theorem 7.4",
)
ENVELOPE = Theorem(
    "envelope",
    "Envelope theorem",
    r"The derivative of $\max_x f(x, t)$ is $\partial_t f$ at the maximiser.",
    {
        "differentiable": "The function is differentiable in the parameter, with a derivative that is continuous in both.",
        "maximiser": "A maximiser exists and is unique up to sets that do not change the derivative.",
    },
    "P. Milgrom and I. Segal, Envelope theorems for arbitrary choice sets, Theorem 2",
)
DIVERGENCE = Theorem(
    "divergence-theorem",
    "Gauss's divergence theorem",
    "The integral of the divergence of a field over a region is its flux through the boundary.",
    {
        "region": "The region has a boundary that is smooth up to a set without area.",
        "field": "The field is continuously differentiable, and falls off at infinity if the region is not bounded.",
    },
    "L. Evans and R. Gariepy, Measure Theory and Fine Properties of Functions, Theorem 5.16",
)
COMPARISON = Theorem(
    "sign-at-zeros",
    "Comparison of solutions by their sign at zeros",
    "A differentiable function that starts positive, and whose derivative is positive wherever it is zero, stays positive.",
    {
        "start": "It is positive on an interval at the start.",
        "zeros": "At each zero its derivative is positive.",
        "differentiable": "It is differentiable.",
    },
    "W. Walter, Ordinary Differential Equations, II.9",
)
SPECTRAL = Theorem(
    "spectral",
    "Spectral theorem",
    "A real symmetric matrix is diagonal in an orthonormal basis of its eigenvectors.",
    {"symmetric": "The matrix is real and symmetric."},
    "R. Horn and C. Johnson, Matrix Analysis, Theorem 2.5.6",
)
CAUCHY_SCHWARZ = Theorem(
    "cauchy-schwarz",
    "Cauchy-Schwarz inequality",
    r"$\langle u, v\rangle^2 \le \langle u, u\rangle\,\langle v, v\rangle$.",
    {"inner product": "The bilinear form is symmetric and not negative."},
    "R. Horn and C. Johnson, Matrix Analysis, Theorem 5.1.4",
)
FENCHEL = Theorem(
    "fenchel",
    "Fenchel's equality",
    r"$h(x) + h^*(\nabla h(x)) = \langle x, \nabla h(x)\rangle$, and $\nabla h^*$ is the inverse of $\nabla h$.",
    {"Legendre": "The function is closed, differentiable and strictly convex."},
    "R. T. Rockafellar, Convex Analysis, Theorems 23.5 and 26.5",
)
TANGENT = Theorem(
    "tangent",
    "Convex functions lie above their tangents",
    r"$f(y) \ge f(x) + \langle \nabla f(x), y - x\rangle$.",
    {"convex": "The function is convex and differentiable."},
    "S. Boyd and L. Vandenberghe, Convex Optimization, 3.1.3",
)
JENSEN = Theorem(
    "jensen",
    "Jensen's inequality",
    r"$f(\mathbb E X) \le \mathbb E f(X)$.",
    {"convex": "The function is convex.", "mean": "The mean is finite."},
    "P. Billingsley, Probability and Measure, (21.14)",
)
TOWER = Theorem(
    "tower",
    "Law of total expectation",
    r"$\mathbb E\,\mathbb E[X \mid \mathcal G] = \mathbb E X$, and what $\mathcal G$ knows may be taken out of the inner mean.",
    {"integrable": "The mean of the modulus is finite, or the variable is not negative."},
    "P. Billingsley, Probability and Measure, Theorem 34.4",
)
MARKOV = Theorem(
    "markov",
    "Markov's inequality",
    r"$\Pr[X \ge t] \le \mathbb E X / t$ for $t > 0$.",
    {"nonnegative": "The variable is not negative."},
    "P. Billingsley, Probability and Measure, (5.31)",
)
HOEFFDING = Theorem(
    "hoeffding",
    "Hoeffding's inequality",
    r"The mean of $n$ independent variables in $[a, b]$ exceeds its expectation by $t$ with probability at most "
    r"$e^{-2nt^2/(b-a)^2}$.",
    {"independent": "The variables are independent.", "bounded": "Each of them lies in the interval."},
    "W. Hoeffding, Probability inequalities for sums of bounded random variables, Theorem 2",
)
MATRIX_BERNSTEIN = Theorem(
    "matrix-bernstein",
    "Matrix Bernstein inequality",
    r"$\Pr[\lVert\sum_i S_i\rVert \ge t] \le (d_1 + d_2)\,e^{-t^2/2/(v + Lt/3)}$.",
    {
        "independent": "The random matrices are independent and have mean zero.",
        "bounded": r"The norm of each is at most $L$.",
        "variance": r"$v$ bounds the norms of $\sum_i \mathbb E S_iS_i^T$ and of $\sum_i \mathbb E S_i^TS_i$.",
    },
    "J. Tropp, An Introduction to Matrix Concentration Inequalities, Theorem 1.6.2",
)
MATRIX_CHERNOFF = Theorem(
    "matrix-chernoff",
    "Matrix Chernoff inequality, lower tail",
    r"$\Pr[\lambda_{\min}(\sum_i S_i) \le (1 - \epsilon)\mu] \le d\,e^{-\epsilon^2\mu/(2L)}$ for $0 \le \epsilon < 1$.",
    {
        "independent": "The random matrices are independent, symmetric and of size $d$.",
        "bounded": r"The eigenvalues of each lie in $[0, L]$.",
        "mean": r"$\mu = \lambda_{\min}(\sum_i \mathbb E S_i)$.",
    },
    "J. Tropp, User-friendly tail bounds for sums of random matrices, Corollary 5.2 and Remark 5.3",
)
GAUSSIAN_SINGULAR_VALUES = Theorem(
    "gaussian-singular-values",
    "The smallest singular value of a Gaussian matrix",
    r"$\Pr[s_{\min}(G) < \sqrt n - \sqrt d - t] \le e^{-t^2/2}$ for $n$ rows and $d$ columns.",
    {"gaussian": "The entries are independent standard Gaussian variables."},
    "K. Davidson and S. Szarek, Local operator theory, random matrices and Banach spaces, Theorem II.13",
)
GAUSSIAN_CONCENTRATION = Theorem(
    "gaussian-concentration",
    "Gaussian concentration",
    r"$P(f(z) \ge \mathbb E f(z) + t) \le e^{-t^2/2}$ for a standard normal vector $z$.",
    {"Lipschitz": "The function changes by at most the distance of its arguments.", "positive": "$t > 0$."},
    "S. Boucheron, G. Lugosi and P. Massart, Concentration Inequalities, Theorem 5.6",
)
RANK_ONE = Theorem(
    "determinant-of-a-rank-one-change",
    "Determinant of a change of rank one",
    r"$\det(M + xy^\top) = \det M\,(1 + y^\top M^{-1}x)$.",
    {"invertible": "The matrix $M$ is invertible."},
    "R. Horn and C. Johnson, Matrix Analysis, (0.8.5.11)",
)
MOMENTS = Theorem(
    "moment-generating-functions",
    "Uniqueness of laws from moment generating functions",
    "Two laws whose moment generating functions are finite and equal near zero are one law.",
    {"finite": "Both are finite on an open interval that holds zero."},
    "P. Billingsley, Probability and Measure, Section 30",
)
HINGES = Theorem(
    "convex-mixture",
    "Convex functions are mixtures of hinges",
    r"A convex $f$ with $f(1) = 0$ is affine plus $\int (x - c)_+\,f''(dc)$; so every $f$-divergence is a mixture of "
    "hockey-stick divergences.",
    {"convex": "The function is convex and finite on the positive numbers."},
    "I. Sason and S. Verdú, f-divergence inequalities, Proposition 3",
)
COMPOSITION = Theorem(
    "rdp-composition",
    "Composition of Rényi guarantees",
    "The guarantees of mechanisms that run one after the other, each seeing what came before, add up at every order.",
    {"each": "Every mechanism has its guarantee whatever came before."},
    "I. Mironov, Rényi differential privacy, Proposition 1",
)
BASIC_COMPOSITION = Theorem(
    "basic-composition",
    "Basic composition",
    r"Mechanisms with guarantees $(\epsilon_i, \delta_i)$, run one after the other, have "
    r"$(\sum\epsilon_i, \sum\delta_i)$ together.",
    {"each": "Every mechanism has its guarantee whatever came before."},
    "C. Dwork and A. Roth, The Algorithmic Foundations of Differential Privacy, Theorem B.1",
)
POSTPROCESSING = Theorem(
    "post-processing",
    "Post-processing",
    "What is computed from a private output alone keeps its guarantee.",
    {"output alone": "The data enter through the private output only."},
    "C. Dwork and A. Roth, The Algorithmic Foundations of Differential Privacy, Proposition 2.1",
)
INVERSION = Theorem(
    "laplace-inversion",
    "Inversion of the Laplace transform",
    "A law is recovered from its transform by an integral along a vertical line.",
    {"strip": "The transform is finite in an open strip that holds the line.", "decay": "The integrand is integrable."},
    "D. Widder, The Laplace Transform, Theorem II.7.3",
)
POISSON = Theorem(
    "poisson-summation",
    "Poisson summation",
    r"$\sum_n f(n h) h = \sum_k \hat f(2\pi k/h)$.",
    {"decay": "The function is continuous, and it and its transform fall off faster than the inverse of the argument."},
    "E. Stein and G. Weiss, Fourier Analysis on Euclidean Spaces, Corollary VII.2.6",
)
HEAT = Theorem(
    "heat-equation",
    "Gaussian means solve the heat equation",
    r"$\frac d{ds}\mathbb E f(g + \sqrt s\,n) = \frac12\mathbb E\,\Delta f(g + \sqrt s\,n)$ for a standard normal vector $n$.",
    {
        "Laplacian": "The function is bounded, and smooth off a closed set without volume; its Laplacian there is known.",
        "no flux": "The flux of its gradient through the surfaces of neighbourhoods of the set vanishes as they shrink.",
        "integrable": "The Laplacian is integrable against every normal density.",
    },
    "L. Evans, Partial Differential Equations, 2.3.1, and Green's formula, C.2",
)
LOCAL_LIMIT = Theorem(
    "local-limit-theorem",
    "Local limit theorem for densities",
    r"The densities of $\sum_{j\le B}(X_j - \mathbb E X_j)/\sqrt{B\,\mathrm{var}}$ tend to that of the standard normal law, uniformly.",
    {
        "independent": "The variables are independent and have one law.",
        "variance": "Their variance is finite and not 0.",
        "density": "For some number of them the sum has a bounded density.",
    },
    "V. Petrov, Sums of Independent Random Variables, Theorem VII.7",
)
INDUCTION = Theorem(
    "induction",
    "Principle of induction",
    "A statement about the natural numbers holds for all of them.",
    {"start": "It holds for the first.", "step": "Where it holds for one, it holds for the next."},
    "E. Landau, Foundations of Analysis, Axiom 5",
)
MONOTONE_INTEGRAL = Theorem(
    "integral-is-monotone",
    "The integral keeps an order and is linear",
    r"$\int f\,d\mu \le \int g\,d\mu$ where $f \le g$, and $\int (af + bg)\,d\mu = a\int f\,d\mu + b\int g\,d\mu$.",
    {"pointwise": "The relation holds at every point.", "integrable": "Both functions have a finite integral."},
    "W. Rudin, Real and Complex Analysis, Theorem 1.32 and Remark 1.25",
)
CHANGE_OF_VARIABLES = Theorem(
    "change-of-variables",
    "Change of variables, polar coordinates included",
    r"$\int f(T(x))\,|\det T'(x)|\,dx = \int f(y)\,dy$.",
    {
        "diffeomorphism": "The map is one to one and continuously differentiable both ways, up to sets of measure zero.",
        "integrable or nonnegative": "The function is not negative, or its modulus has a finite integral.",
    },
    "W. Rudin, Real and Complex Analysis, Theorem 7.26; L. Evans and R. Gariepy, Theorem 3.12",
)
HOELDER = Theorem(
    "hoelder",
    "Hölder's inequality",
    r"$\log\mathbb E e^{\beta L}$ is convex in $\beta$, as $\mathbb E XY \le (\mathbb E X^p)^{1/p}(\mathbb E Y^{q})^{1/q}$.",
    {
        "conjugate": r"The exponents are positive with $1/p + 1/q = 1$.",
        "nonnegative": "The variables are not negative.",
    },
    "W. Rudin, Real and Complex Analysis, Theorem 3.5",
)
RESIDUES = Theorem(
    "residues",
    "Residue theorem",
    "An integral along a line that is moved changes by the residues that are passed.",
    {
        "meromorphic": "The integrand is meromorphic between the two lines.",
        "decay": "It falls off between them far from the real axis.",
    },
    "W. Rudin, Real and Complex Analysis, Theorem 10.42",
)
BESSEL = Theorem(
    "bessel-recurrences",
    "Recurrences of the modified Bessel functions",
    r"$I_{\nu-1} - I_{\nu+1} = \frac{2\nu}z I_\nu$ and $I_\nu' = I_{\nu\pm1} \pm \frac\nu z I_\nu$.",
    {"argument": "The argument is positive."},
    "NIST Digital Library of Mathematical Functions, 10.29.1 and 10.29.2",
)
FOSTER_LYAPUNOV = Theorem(
    "foster-lyapunov",
    "Criterion of Foster and Lyapunov",
    "A Markov chain with a drift towards a petite set has one stationary law, to which it converges, and moments as the drift says.",
    {
        "irreducible": "From every point every open set is reached with positive probability, and bounded sets are petite.",
        "drift": "Outside a bounded set the mean of a Lyapunov function falls by a fixed share.",
    },
    "S. Meyn and R. Tweedie, Markov Chains and Stochastic Stability, Theorem 15.0.1",
)
TCDP_SUBSAMPLING = Theorem(
    "tcdp-subsampling",
    "Privacy amplification by subsampling for truncated concentrated privacy",
    r"A mechanism that is $\rho$-tCDP up to the order $\omega$, run on a random share $s$ of the records, is $13s^2\rho$-tCDP up to the "
    r"order $\log(1/s)/(4\rho)$.",
    {
        "constant": r"$\rho$ and $s$ are at most $\frac1{10}$.",
        "rate": r"$\log(1/s) \ge 3\rho(2 + \log_2(1/\rho))$.",
        "orders": r"$\omega \ge \log(1/s)/(2\rho) \ge 3$.",
    },
    "M. Bun, C. Dwork, G. Rothblum and T. Steinke, Composable and versatile privacy via truncated CDP, Theorem 13",
)
FLOATING_PRODUCT = Theorem(
    "complex-product-in-floating-point",
    "Rounding of a complex product",
    r"A product of complex numbers by four real products and two sums has a relative error of at most "
    r"$\sqrt2\gamma_2 < 2.83u$, $\gamma_2 = \frac{2u}{1-2u}$.",
    {
        "no underflow": "No product underflows or overflows.",
        "one rounding": "Each real operation is rounded once, with the relative error u.",
    },
    "N. Higham, Accuracy and Stability of Numerical Algorithms, Lemma 3.5",
)
CHARACTERISTIC = Theorem(
    "characteristic-function-of-the-normal-law",
    "Characteristic function of the normal law",
    r"$\mathbb E\cos(sz) = e^{-s^2/2}$ and $\mathbb E\sin(sz) = 0$ for a standard normal $z$.",
    {"normal": "The variable is normal with mean 0 and deviation $s$."},
    "P. Billingsley, Probability and Measure, Section 26",
)
NEYMAN_PEARSON = Theorem(
    "neyman-pearson",
    "Lemma of Neyman and Pearson",
    r"Of all tests with $P_0(A) = \alpha$, a set $\{p_1 > tp_0\}$ of this probability has the largest $P_1(A)$.",
    {
        "densities": "Both laws have densities for one measure.",
        "level set": "Some set of large quotients has the probability that is asked for.",
    },
    "E. L. Lehmann and J. P. Romano, Testing Statistical Hypotheses, Theorem 3.2.1",
)
STIRLING = Theorem(
    "stirling-for-binomials",
    "Stirling's formula with bounds",
    r"$\binom{m+l}m \le \sqrt{\frac{m+l}{2\pi ml}}\,\frac{(m+l)^{m+l}}{m^ml^l}$.",
    {"positive": "Both are whole numbers of at least 1."},
    "H. Robbins, A remark on Stirling's formula, American Mathematical Monthly 62 (1955)",
)
