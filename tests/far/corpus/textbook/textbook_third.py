"""Statements of ten more fields, written down before the engine had judged one of them, and never tuned to.

The first syllable of a name is the field: geometry, linear algebra, optimisation, numbers, combinatorics, statistics,
information, privacy, physics, analysis.
"""

from .known import read

TRUE = """
geo-triangle | a(0,inf) b(0,inf) c(0,inf) | (a + b - c)*(b + c - a)*(c + a - b) <= a*b*c | a < b + c; b < a + c; c < a + b
geo-rectangle | a(0,inf) b(0,inf) | a*b <= (a + b)**2/4
geo-cosine-law | a(0,inf) b(0,inf) t | a**2 + b**2 - 2*a*b*cos(t) >= (a - b)**2
geo-half-angle | t | (1 - t**2)**2 + (2*t)**2 == (1 + t**2)**2
geo-sector | t[0,1] | sin(t) >= t*cos(t)
geo-chord | t[0,3] | 2*sin(t/2) <= t
geo-triple-cosine | x | 4*cos(x)**3 - 3*cos(x) == cos(3*x)
geo-weitzenboeck | a b c | (a**2 + b**2 + c**2)**2 >= 3*(2*a**2*b**2 + 2*b**2*c**2 + 2*c**2*a**2 - a**4 - b**4 - c**4)
lin-determinant | a b c d p q r s | (a*p + b*r)*(c*q + d*s) - (a*q + b*s)*(c*p + d*r) == (a*d - b*c)*(p*s - q*r)
lin-rayleigh | x y a b | a*x**2 + b*y**2 <= Max(a, b)*(x**2 + y**2)
lin-hadamard | a b c d | (a*d - b*c)**2 <= (a**2 + b**2)*(c**2 + d**2)
lin-trace | a(0,inf) d(0,inf) b | a*d - b**2 <= ((a + d)/2)**2
lin-positive | x y a(0,inf) c(0,inf) b | a*x**2 + 2*b*x*y + c*y**2 >= 0 | b**2 <= a*c
opt-contraction | m(0,inf) l(0,inf) | Abs(1 - 2*m/(m + l)) <= (l - m)/(l + m) | m <= l
opt-self-concordant | t[0,1) | -log(1 - t) - t <= t**2/(2*(1 - t))
opt-logistic-smooth | x y | log(1 + exp(y)) <= log(1 + exp(x)) + exp(x)/(1 + exp(x))*(y - x) + (y - x)**2/8
opt-softmax-lower | x y | Max(x, y) <= log(exp(x) + exp(y))
opt-softmax-upper | x y | log(exp(x) + exp(y)) <= Max(x, y) + log(2)
opt-pseudo-huber | x d(0,inf) | d*sqrt(1 + (x/d)**2) - d <= x**2/(2*d)
opt-steps | n{1} | Sum(1/(k*(k + 1)), (k, 1, n)) == n/(n + 1)
opt-momentum | b[0,1) n{1} | (1 - b**n)/(1 - b) <= n
opt-newton | x(0,inf) a(0,inf) | (x + a/x)/2 >= sqrt(a)
num-odd-sum | n{1} | Sum(2*k - 1, (k, 1, n)) == n**2
num-fourth-powers | n{1} | Sum(k**4, (k, 1, n)) == n*(n + 1)*(2*n + 1)*(3*n**2 + 3*n - 1)/30
num-cube-gap | n{} | n**3 + 2*n != 1
num-power-three | n{0} | 3**n >= 2*n + 1
num-factorial-power | n{1} | factorial(n) <= n**n
num-sophie-germain | a b | a**4 + 4*b**4 == (a**2 + 2*b**2 + 2*a*b)*(a**2 + 2*b**2 - 2*a*b)
num-no-root | n{} | n**2 != 2
num-consecutive | n{} m{} | n*(n - 1) + m*(m + 1) >= 0
num-even-product | n{1} | Product(2*k, (k, 1, n)) == 2**n*factorial(n)
com-tetrahedral | n{1} | Sum(k*(k + 1)/2, (k, 1, n)) == n*(n + 1)*(n + 2)/6
com-vandermonde-two | n{2} | binomial(2*n, 2) == 2*binomial(n, 2) + n**2
com-absorption | n{1} k{1} | k*binomial(n, k) == n*binomial(n - 1, k - 1) | k <= n
com-weighted-sum | n{1} | Sum(k*binomial(n, k), (k, 0, n)) == n*2**(n - 1)
com-factorial-sum | n{1} | Sum(k*factorial(k), (k, 1, n)) == factorial(n + 1) - 1
com-pairs | n{2} | binomial(n, 2) <= n**2/2
com-weierstrass | a[0,1] b[0,1] c[0,1] | (1 - a)*(1 - b)*(1 - c) >= 1 - a - b - c
sta-normal-tail | x[0,inf) | erfc(x/sqrt(2))/2 <= exp(-x**2/2)/2
sta-gamma-mode | x(0,inf) a(1,inf) | x**(a - 1)*exp(-x) <= (a - 1)**(a - 1)*exp(-(a - 1))
sta-memoryless | l(0,inf) s[0,inf) u[0,inf) | exp(-l*(s + u)) == exp(-l*s)*exp(-l*u)
sta-logit | p(0,1) | log(p/(1 - p)) == -log((1 - p)/p)
sta-logit-lower | p[1/2,1) | log(p/(1 - p)) >= 4*(p - 1/2)
sta-cauchy-density | x | 1/(pi*(1 + x**2)) <= 1/pi
sta-erf-square | x[0,inf) | erf(x)**2 <= 1 - exp(-4*x**2/pi)
sta-uniform-gauss | s(0,inf) | sinh(s)/s <= exp(s**2/6)
sta-chernoff-upper | d(0,1) | (1 + d)*log(1 + d) - d >= d**2/3
sta-chernoff-lower | d(0,1) | (1 - d)*log(1 - d) + d >= d**2/2
sta-rayleigh | x[0,inf) | Integral(t*exp(-t**2/2), (t, 0, x)) == 1 - exp(-x**2/2)
inf-surprise | p(0,1) | -p*log(p) <= exp(-1)
inf-hellinger | p[0,1] q[0,1] | (sqrt(p) - sqrt(q))**2 <= Abs(p - q)
inf-chi-square | x(0,inf) | x*log(x) - x + 1 <= (x - 1)**2
inf-collision | p(0,1) | -log(p**2 + (1 - p)**2) <= -p*log(p) - (1 - p)*log(1 - p)
inf-capacity | s[0,inf) | log(1 + s)/2 <= s/2
inf-symmetric | x(0,inf) | (x - 1)*log(x) >= 0
pri-response | e[0,inf) | 1/(1 + exp(e)) <= exp(-e)
pri-amplified | q[0,1] e[0,1] | log(1 + q*(exp(e) - 1)) <= 2*q*e
pri-exponential | n{1} t(0,inf) | n*exp(-t) <= 1 | t >= log(n)
pri-order-factor | a(1,inf) | (1 - 1/a)**(a - 1) >= exp(-1)
pri-variation | e[0,inf) | (exp(e) - 1)/(exp(e) + 1) == tanh(e/2)
phy-lorentz | v[0,1) | 1/sqrt(1 - v**2) >= 1 + v**2/2
phy-velocities | u[0,1) v[0,1) | (u + v)/(1 + u*v) < 1
phy-planck | x(0,inf) | x**3/(exp(x) - 1) <= x**2
phy-damped | t[0,inf) w | exp(-t)*cos(w*t) <= 1
phy-reduced-mass | m(0,inf) n(0,inf) | m*n/(m + n) <= Min(m, n)
phy-langevin | x(0,inf) | 1/tanh(x) - 1/x <= x/3
phy-wien | x[4,5] | exists x/(1 - exp(-x)) == 5
phy-kepler | x[0,2] | exists x - sin(x)/2 == 1
ana-exponential-sum | n{1} | Sum(1/factorial(k), (k, 0, n)) <= E
ana-atan-lower | x[0,inf) | atan(x) >= x/(1 + x**2)
ana-shafer | x[0,inf) | atan(x) >= 3*x/(1 + 2*sqrt(1 + x**2))
ana-log-root | x[1,inf) | log(x) <= (x - 1)/sqrt(x)
ana-power-concave | x(0,inf) p(0,1) | x**p <= 1 + p*(x - 1)
ana-weighted-means | x(0,inf) y(0,inf) w[0,1] | x**w*y**(1 - w) <= w*x + (1 - w)*y
ana-sine-squares | x y | sin(x)**2 - sin(y)**2 == sin(x + y)*sin(x - y)
ana-integral-log | x[1,inf) | Integral(log(t), (t, 1, x)) == x*log(x) - x + 1
ana-by-parts | | Integral(t*cos(t), (t, 0, pi)) == -2
ana-product-rule | x | Derivative(exp(x)*sin(x), x) == exp(x)*(sin(x) + cos(x))
ana-arcsine | x[0,1] | asin(x) >= x
ana-arcsine-arccosine | x[-1,1] | asin(x) + acos(x) == pi/2
"""

FALSE = """
geo-triangle | a(0,inf) b(0,inf) c(0,inf) | (a + b - c)*(b + c - a)*(c + a - b) <= 9*a*b*c/10 | a < b + c; b < a + c; c < a + b | a=1;b=1;c=1
geo-cosine-law | a(0,inf) b(0,inf) t | a**2 + b**2 - 2*a*b*cos(t) >= (a - b)**2 + 1/100 | | a=1;b=1;t=0
geo-sector | t[0,inf) | sin(t) >= t*cos(t) | | t=5
geo-chord | t | 2*sin(t/2) <= t | | t=-1
geo-triple-cosine | x | 4*cos(x)**3 - 3*cos(x) == cos(2*x) | | x=1
lin-rayleigh | x y a b | a*x**2 + b*y**2 <= Min(a, b)*(x**2 + y**2) | | x=0;y=1;a=1;b=2
lin-positive | x y a(0,inf) c(0,inf) b | a*x**2 + 2*b*x*y + c*y**2 >= 0 | b**2 <= 2*a*c | x=1;y=-1;a=1;c=1;b=7/5
opt-contraction | m(0,inf) l(0,inf) | Abs(1 - 2*m/(m + l)) <= (l - m)/(l + m) | | m=2;l=1
opt-self-concordant | t[0,1) | -log(1 - t) - t <= t**2/2 | | t=1/2
opt-logistic-smooth | x y | log(1 + exp(y)) <= log(1 + exp(x)) + exp(x)/(1 + exp(x))*(y - x) + (y - x)**2/9 | | x=0;y=1/10
opt-momentum | b[0,1) n{1} | (1 - b**n)/(1 - b) <= n - 1/10 | | b=0;n=1
num-odd-sum | n{1} | Sum(2*k - 1, (k, 1, n)) == n**2 + 1 | | n=1
num-fourth-powers | n{1} | Sum(k**4, (k, 1, n)) == n*(n + 1)*(2*n + 1)*(3*n**2 - 3*n - 1)/30 | | n=2
num-cube-gap | n{} | n**3 + 2*n != 3 | | n=1
num-power-three | n{0} | 3**n >= 4*n | | n=1
num-third | n{} | exists 3*n == 1
num-euler | n{} | n**2 + n + 41 != 1681 | | n=40
num-power-cube | n{0} | 2**n >= n**3 | | n=2
com-tetrahedral | n{1} | Sum(k*(k + 1)/2, (k, 1, n)) == n*(n + 1)*(n + 2)/3 | | n=1
com-absorption | n{1} k{1} | k*binomial(n, k) == n*binomial(n - 1, k) | k <= n | n=3;k=1
com-weierstrass | a[-1,1] b[-1,1] c[-1,1] | (1 - a)*(1 - b)*(1 - c) >= 1 - a - b - c | | a=-1/2;b=1/2;c=0
com-central | n{1} | binomial(2*n, n) >= 3**n - 5 | | n=3
sta-normal-tail | x[0,inf) | erfc(x/sqrt(2))/2 <= exp(-x**2/2)/3 | | x=0
sta-gamma-mode | x(0,inf) a(1,inf) | x**(a - 1)*exp(-x) <= (a - 1)**(a - 1)*exp(-a) | | x=1;a=2
sta-logit-lower | p(0,1) | log(p/(1 - p)) >= 4*(p - 1/2) | | p=1/4
sta-uniform-gauss | s(0,inf) | sinh(s)/s <= exp(s**2/7) | | s=1/10
sta-chernoff-upper | d(0,2) | (1 + d)*log(1 + d) - d >= 2*d**2/5 | | d=1
sta-erf-square | x[0,inf) | erf(x)**2 <= 1 - exp(-6*x**2/5) | | x=1/10
inf-surprise | p(0,1) | -p*log(p) <= 36/100 | | p=37/100
inf-hellinger | p[0,1] q[0,1] | (sqrt(p) - sqrt(q))**2 >= Abs(p - q)/2 | | p=1;q=81/100
inf-collision | p(0,1) | -log(p**2 + (1 - p)**2) <= 9*(-p*log(p) - (1 - p)*log(1 - p))/10 | | p=1/2
inf-capacity | s[0,inf) | log(1 + s)/2 >= s/2 - s**2/5 | | s=1/10
pri-amplified | q[0,1] e[0,inf) | log(1 + q*(exp(e) - 1)) <= 2*q*e | | q=1/20;e=4
pri-exponential | n{1} t(0,inf) | n*exp(-t) <= 1 | t >= log(n)/2 | n=4;t=7/10
pri-order-factor | a(1,inf) | (1 - 1/a)**(a - 1) >= 2/5 | | a=100
phy-lorentz | v[0,1) | 1/sqrt(1 - v**2) <= 1 + v**2/2 | | v=1/2
phy-langevin | x(0,inf) | 1/tanh(x) - 1/x >= x/3 - x**3/50 | | x=1/2
phy-planck | x(0,inf) | x**3/(exp(x) - 1) <= 14/10 | | x=28/10
phy-energy | x | exists x**2 + exp(x) == 1/2
ana-exponential-sum | n{1} | Sum(1/factorial(k), (k, 0, n)) <= 27/10 | | n=5
ana-shafer | x[0,inf) | atan(x) <= 3*x/(1 + 2*sqrt(1 + x**2)) | | x=1
ana-arcsine | x[0,1] | asin(x) <= x + x**3/5 | | x=1
ana-weighted-means | x(0,inf) y(0,inf) w[0,2] | x**w*y**(1 - w) <= w*x + (1 - w)*y | | x=2;y=1;w=2
ana-integral-log | x[1,inf) | Integral(log(t), (t, 1, x)) == x*log(x) - x | | x=2
"""

CLAIMS = read("third", TRUE, FALSE)
