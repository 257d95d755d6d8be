"""Statements as a reviewer of papers in privacy, information, learning and optimisation types them.

Written without a look at the engine, held out until it was measured once, tuned to since. The first
syllable of a name is the theme: tails, concentration, divergences, information, privacy, amplification, composition, statistics, learning, optimisation, step
sums, integrals, numbers, special functions, trigonometry, two variables, existence.
"""

from .known import read

TRUE = """
tail-birnbaum | x[0,inf) | erfc(x/sqrt(2)) >= 2*sqrt(2/pi)*exp(-x**2/2)/(x + sqrt(x**2 + 4))
tail-abramowitz | x[0,inf) | erfc(x) <= 2*exp(-x**2)/(sqrt(pi)*(x + sqrt(x**2 + 4/pi)))
tail-szarek | x(-1,inf) | erfc(x/sqrt(2))/2 <= 4/(3*x + sqrt(x**2 + 8))*exp(-x**2/2)/sqrt(2*pi)
tail-chang | x[0,inf) b(1,inf) | erfc(x) >= sqrt(2*E/pi)*sqrt(b - 1)/b*exp(-b*x**2)
tail-poisson | l(0,inf) t(0,inf) | t - l - t*log(t/l) <= -(t - l)**2/(2*t) | l <= t
tail-laurent-massart | s[0,inf) | log(1 + 2*s + 2*s**2) <= 2*s
tail-johnson | e[0,inf) | log(1 + e) <= e - (e**2 - e**3)/2
tail-sub-gamma | u[0,inf) | 1 + u - sqrt(1 + 2*u) >= u**2/(2*(1 + u))
conc-bennett-mgf | x(-inf,1] | exp(x) <= 1 + x + (E - 2)*x**2
conc-nine-sixteenths | x | exp(x) <= x + exp(9*x**2/16)
conc-kearns-saul | p(0,1/2) x | (1 - p)*exp(-p*x) + p*exp((1 - p)*x) <= exp((1 - 2*p)/(4*log((1 - p)/p))*x**2)
conc-bernstein-inverse | v(0,inf) c(0,inf) l(0,inf) | (sqrt(2*v*l) + 2*c*l/3)**2 >= 2*l*(v + c*(sqrt(2*v*l) + 2*c*l/3)/3)
conc-hoeffding-size | n{1} d(0,1) s(0,inf) | 2*exp(-2*n*s**2) <= d | s >= sqrt(log(2/d)/(2*n))
conc-relative | p(0,1) q(0,1) | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) >= (q - p)**2/(2*Max(p, q))
conc-realisable | e(0,1) d(0,1) m(0,inf) | (1 - e)**m <= d | m >= log(1/d)/e
div-gauss-renyi | a(1,inf) u(0,inf) v(0,inf) | log(v/u)/2 + log(v/(a*v + (1 - a)*u))/(2*(a - 1)) >= 0 | a*v + (1 - a)*u > 0
div-exponential-order | a(1,inf) l(0,inf) m(0,inf) | log(l/(a*l - (a - 1)*m))/(a - 1) >= m/l - 1 | a*l > (a - 1)*m
div-poisson-hellinger | l(0,inf) m(0,inf) | l*log(l/m) - l + m >= (sqrt(l) - sqrt(m))**2
div-poisson-renyi | a(1,inf) l(0,inf) m(0,inf) | l**a*m**(1 - a) >= a*l + (1 - a)*m
div-laplace-pinsker | x[0,inf) | x - 1 + exp(-x) >= 2*(1 - exp(-x/2))**2
div-bretagnolle | p(0,1) q(0,1) | (p - q)**2 <= 1 - exp(-p*log(p/q) - (1 - p)*log((1 - p)/(1 - q)))
div-triangular-upper | p(0,inf) q(0,inf) | p*log(2*p/(p + q)) + q*log(2*q/(p + q)) <= log(2)*(p - q)**2/(p + q)
div-kl-log-chi | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) <= log(1 + (p - q)**2/(q*(1 - q)))
div-variation-overlap | p[0,1] q[0,1] | (p - q)**2 + (sqrt(p*q) + sqrt((1 - p)*(1 - q)))**2 <= 1
div-jeffreys | p(0,inf) q(0,inf) | (p - q)*log(p/q) >= 4*(sqrt(p) - sqrt(q))**2
div-donsker | p(0,1) q(0,1) x | p*x - log(1 - q + q*exp(x)) <= p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))
div-renyi-above-kl | p(0,1) q(0,1) a(1,inf) | log(p**a*q**(1 - a) + (1 - p)**a*(1 - q)**(1 - a))/(a - 1) >= p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))
div-affinity | p(0,1) q(0,1) a[0,1] | p**a*q**(1 - a) + (1 - p)**a*(1 - q)**(1 - a) <= 1
info-fano | p(0,1) n{2} | -p*log(p) - (1 - p)*log(1 - p) + p*log(n - 1) <= log(n)
info-topsoe | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= log(2)*(4*p*(1 - p))**(1/log(4))
info-erasure | p(0,1/2] | -p*log(p) - (1 - p)*log(1 - p) >= 2*p*log(2)
info-tsallis | p(0,1) a(1,inf) | (1 - p**a - (1 - p)**a)/(a - 1) <= -p*log(p) - (1 - p)*log(1 - p)
priv-laplace-zcdp | a(1,inf) e[0,inf) | log(a/(2*a - 1)*exp((a - 1)*e) + (a - 1)/(2*a - 1)*exp(-a*e))/(a - 1) <= a*e**2/2
priv-response-zcdp | a(1,inf) e(0,inf) | (sinh(a*e) - sinh((a - 1)*e))/sinh(e) <= exp(a*(a - 1)*e**2/2)
priv-zcdp-to-dp | r(0,inf) d(0,1) e(0,inf) | exp(-(e - r)**2/(4*r)) <= d | e >= r + 2*sqrt(r*log(1/d))
priv-best-order | r(0,inf) d(0,1) a(1,inf) | a*r + log(1/d)/(a - 1) == r + 2*sqrt(r*log(1/d)) | a == 1 + sqrt(log(1/d)/r)
priv-gauss-classical | e(0,1) d(0,1) | erfc((sqrt(2*log(5/(4*d))) - e/(2*sqrt(2*log(5/(4*d)))))/sqrt(2)) - exp(e)*erfc((sqrt(2*log(5/(4*d))) + e/(2*sqrt(2*log(5/(4*d)))))/sqrt(2)) <= 2*d
priv-gauss-tail | m(0,inf) e(0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= exp(-(e/m - m/2)**2/2) | e >= m**2/2
priv-approximate-variation | e[0,inf) d[0,1] | (exp(e) - 1 + 2*d)/(exp(e) + 1) >= d
priv-response-variance | e(0,inf) | exp(e)/(exp(e) - 1)**2 >= 1/e**2 - 1/12
priv-gdp-tradeoff | a(0,1) m[0,inf) | (1 + erf(erfinv(1 - 2*a) - m/sqrt(2)))/2 <= 1 - a
priv-two-sided-geometric | a[0,1) n{1} | (1 - a)/(1 + a)*(1 + 2*Sum(a**k, (k, 1, n))) <= 1
amp-directions | q[0,1] e | (1 + q*(exp(e) - 1))*(1 + q*(exp(-e) - 1)) >= 1
amp-concave | p[0,1] q[0,1] e[0,inf) | log(1 + (p + q)/2*(exp(e) - 1)) >= (log(1 + p*(exp(e) - 1)) + log(1 + q*(exp(e) - 1)))/2
amp-bootstrap | n{1} | (1 - 1/n)**n <= exp(-1)
comp-advanced | m{1} e[0,1] d(0,1) | e*sqrt(2*m*log(1/d)) + m*e*tanh(e/2) <= m*e | m >= 7*log(1/d)
comp-group-delta | m{1} e(0,inf) | (exp(m*e) - 1)/(exp(e) - 1) <= m*exp((m - 1)*e)
stat-watson-upper | x[0,inf) | gamma(x + 1) <= sqrt(x + 1/pi)*gamma(x + 1/2)
stat-uniform-variance | n{1} | Sum((k - (n + 1)/2)**2, (k, 1, n)) == n*(n**2 - 1)/12
stat-ridge-risk | b(0,inf) s(0,inf) n(0,inf) l[0,inf) | (l**2*b**2 + n*s**2)/(n + l)**2 >= b**2*s**2/(s**2 + n*b**2)
stat-logistic-probit | x | (1 + erf(x/sqrt(2)))/2 - 1/(1 + exp(-1702*x/1000)) <= 1/100
stat-birthday | n{1} m{1} | Product(1 - k/m, (k, 1, n - 1)) <= exp(-n*(n - 1)/(2*m)) | n <= m
learn-hedge-log | x[0,1/2] | -log(1 - x) <= x + x**2
learn-boosting | e[0,1] | 2*sqrt(e*(1 - e)) <= exp(-2*(1/2 - e)**2)
learn-sauer | n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (E*n/d)**d | d <= n
learn-kl-inverse | q(0,1) p(0,1) c(0,inf) | p <= q + sqrt(2*c*q) + 2*c | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) <= c
learn-gelu | x | x*(1 + erf(x/sqrt(2)))/2 >= -17/100
learn-jaakkola | x z(0,inf) | -log(1 + exp(-x)) >= -log(1 + exp(-z)) + (x - z)/2 - tanh(z/2)*(x**2 - z**2)/(4*z)
learn-probit-log-concave | x y | erfc(x)*erfc(y) <= erfc((x + y)/2)**2
learn-arc-cosine | x[-1,1] | (sqrt(1 - x**2) + x*(pi - acos(x)))/pi >= x
learn-max-cut | x[-1,1] | acos(x)/pi >= 439*(1 - x)/1000
opt-both-ends | m(0,inf) l(0,inf) h(0,inf) | Max(Abs(1 - h*m), Abs(1 - h*l)) <= 1 - h*m | m <= l; h*(m + l) <= 2
opt-adagrad | x[0,inf) y(0,inf) | x/sqrt(y) <= 2*(sqrt(y) - sqrt(y - x)) | x <= y
opt-frank-wolfe | n{0} | (1 - 2/(n + 2))*4/(n + 2) + 4/(n + 2)**2 <= 4/(n + 3)
opt-cosine-smooth | x y | cos(y) <= cos(x) - sin(x)*(y - x) + (y - x)**2/2
opt-sigmoid-cocoercive | x y | (1/(1 + exp(-x)) - 1/(1 + exp(-y)))**2 <= (1/(1 + exp(-x)) - 1/(1 + exp(-y)))*(x - y)/4
opt-polyak-lojasiewicz | x | (2*x + 3*sin(2*x))**2 >= 7*(x**2 + 3*sin(x)**2)/20
opt-entropy-strong | x(0,1] y(0,1] | x*log(x/y) - x + y >= (x - y)**2/2
opt-conjugate-gradient | c[1,inf) n{1} | ((sqrt(c) - 1)/(sqrt(c) + 1))**n <= exp(-2*n/sqrt(c))
opt-kantorovich | x(0,inf) y(0,inf) w[0,1] | (w*x + (1 - w)*y)*(w/x + (1 - w)/y) <= (x + y)**2/(4*x*y)
opt-clipping | x y c(0,inf) | Abs(x/Max(1, Abs(x)/c) - y/Max(1, Abs(y)/c)) <= Abs(x - y)
step-bias-correction | b(0,1) n{1} | Sum((1 - b)*b**(n - k), (k, 1, n)) == 1 - b**n
step-telescoping | n{1} | Sum(1/(k*(k + 1)*(k + 2)), (k, 1, n)) == 1/4 - 1/(2*(n + 1)*(n + 2))
step-roots | n{1} | Sum(1/(sqrt(k) + sqrt(k + 1)), (k, 1, n)) == sqrt(n + 1) - 1
step-three-halves | n{1} | Sum(1/k**(3/2), (k, 1, n)) <= 3 - 2/sqrt(n)
step-log | n{1} | Sum(log(k), (k, 1, n)) >= n*log(n) - n + 1
step-doubling | n{1} | Sum(1/(n + k), (k, 1, n)) <= log(2)
step-harmonic-gamma | n{1} | harmonic(n) >= log(n) + EulerGamma + 1/(2*n + 2/5)
int-gauss-mass | x[0,inf) | Integral(exp(-t**2/2)/sqrt(2*pi), (t, -x, x)) == erf(x/sqrt(2))
int-gauss-second | x[0,inf) | Integral(t**2*exp(-t**2/2), (t, 0, x)) == sqrt(pi/2)*erf(x/sqrt(2)) - x*exp(-x**2/2)
int-logistic-density | x[0,inf) | Integral(exp(-t)/(1 + exp(-t))**2, (t, 0, x)) == tanh(x/2)/2
int-arcsine-density | | Integral(1/(pi*sqrt(t*(1 - t))), (t, 0, 1)) == 1
int-root-singular | x(0,inf) | Integral(1/sqrt(t), (t, 0, x)) == 2*sqrt(x)
int-dilogarithm | | Integral(log(1 - t)/t, (t, 0, 1)) == -pi**2/6
int-factorial | n{0} | Integral((-log(t))**n, (t, 0, 1)) == factorial(n)
int-log-singular | | Integral(log(t), (t, 0, 1)) == -1
int-beta | a{0} b{0} | Integral(t**a*(1 - t)**b, (t, 0, 1)) == factorial(a)*factorial(b)/factorial(a + b + 1)
int-exponential | x(0,inf) | Integral(exp(-t)/t, (t, x, x + 1)) <= exp(-x)*log(1 + 1/x)
num-choose-upper | n{1} m{1} | binomial(n, m) <= (E*n/m)**m | m <= n
num-choose-entropy | n{2} m{1} | binomial(n, m) <= n**n/(m**m*(n - m)**(n - m)) | m < n
num-central-upper | n{1} | binomial(2*n, n) <= 4**n/sqrt(3*n + 1)
num-log-concave | n{1} m{1} | binomial(n, m)**2 >= binomial(n, m - 1)*binomial(n, m + 1) | m <= n
num-alternating | n{1} | Sum((-1)**k*binomial(n, k), (k, 0, n)) == 0
num-two-squares | n{} m{} r{} | n**2 + m**2 != 4*r + 3
spec-digamma-upper | x(0,inf) | digamma(x) <= log(x) - 1/(2*x)
spec-loggamma-upper | x(0,inf) | loggamma(x) <= (x - 1/2)*log(x) - x + log(2*pi)/2 + 1/(12*x)
spec-duplication | x(0,inf) | gamma(x)*gamma(x + 1/2) == 2**(1 - 2*x)*sqrt(pi)*gamma(2*x)
spec-bessel | x | besseli(0, x) <= exp(x**2/4)
spec-lambert | x[0,inf) | LambertW(x) <= log(1 + x)
spec-erf-subadditive | x[0,inf) y[0,inf) | erf(x + y) <= erf(x) + erf(y)
trig-cusa | x[0,inf) | sin(x) <= x*(2 + cos(x))/3
trig-huygens | x[0,3/2] | 2*sin(x) + tan(x) >= 3*x
trig-tanh-fraction | x[0,inf) | tanh(x) >= 3*x/(3 + x**2)
trig-dirichlet | x(0,6) n{1} | Sum(cos(k*x), (k, 1, n)) == sin(n*x/2)*cos((n + 1)*x/2)/sin(x/2)
trig-cosine-chord | x[-3,3] | cos(x) <= 1 - 2*x**2/pi**2
two-identric | x(0,inf) y(0,inf) | (y*log(y) - x*log(x))/(y - x) - 1 <= log((x + y)/2) | x < y
two-lin | x(0,inf) y(0,inf) | (y - x)/(log(y) - log(x)) <= ((x**(1/3) + y**(1/3))/2)**3 | x < y
two-power-mean | x(0,inf) y(0,inf) p[1,inf) | (x + y)**p <= 2**(p - 1)*(x**p + y**p)
exist-order | a(1,inf) | exists a/8 + log(100000)/(a - 1) <= 253/100
exist-gauss-noise | m(0,inf) | exists erfc((1/m - m/2)/sqrt(2)) - E*erfc((1/m + m/2)/sqrt(2)) == 1/50000
exist-pell | m{1} n{1} | exists m**2 - 2*n**2 == 1
gauss-fourth | | Integral(t**4*exp(-t**2/2), (t, -oo, oo)) == 3*sqrt(2*pi)
gauss-mgf | x[-3,3] | Integral(exp(x*t - t**2/2), (t, -oo, oo)) == sqrt(2*pi)*exp(x**2/2)
laplace-density | b(0,inf) | Integral(exp(-Abs(t)/b)/(2*b), (t, -oo, oo)) == 1
bose | | Integral(t/(exp(t) - 1), (t, 0, oo)) == pi**2/6
exponential-tail | x(0,inf) | Integral(exp(-t)/t, (t, x, oo)) <= exp(-x)*log(1 + 1/x)
"""

FALSE = """
tail-abramowitz | x[0,inf) | erfc(x) <= 2*exp(-x**2)/(sqrt(pi)*(x + sqrt(x**2 + 4/3))) | | x=0
tail-johnson | e(-1,inf) | log(1 + e) <= e - (e**2 - e**3)/2 | | e=-1/10
tail-chernoff-third | d(0,inf) | (1 + d)*log(1 + d) - d >= d**2/3 | | d=2
conc-laplace-mgf | x(-1,1) | 1/(1 - x**2) <= exp(2*x**2) | | x=9/10
conc-bennett-mgf | x(-inf,1] | exp(x) <= 1 + x + 7*x**2/10 | | x=1
conc-half | x | exp(x) <= x + exp(x**2/2) | | x=1/10
conc-bernstein-inverse | v(0,inf) c(0,inf) l(0,inf) | (sqrt(2*v*l) + c*l/3)**2 >= 2*l*(v + c*(sqrt(2*v*l) + c*l/3)/3) | | v=1;c=1;l=1
conc-hoeffding-size | n{1} d(0,1) s(0,inf) | 2*exp(-2*n*s**2) <= d | s >= sqrt(log(1/d)/(2*n)) | n=1;d=1/2;s=3/5
conc-relative | p(0,1) q(0,1) | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) >= (q - p)**2/(2*p) | | p=1/10;q=9/10
conc-realisable | e(0,1) d(0,1) m(0,inf) | (1 - e)**m <= d | m >= log(1/d)/(2*e) | e=1/10;d=1/10;m=12
div-poisson-hellinger | l(0,inf) m(0,inf) | l*log(l/m) - l + m >= 2*(sqrt(l) - sqrt(m))**2 | | l=1;m=4
div-bretagnolle | p(0,1) q(0,1) | (p - q)**2 <= 1 - exp(-(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))/2) | | p=3/4;q=1/4
div-triangular-upper | p(0,inf) q(0,inf) | p*log(2*p/(p + q)) + q*log(2*q/(p + q)) <= 69*(p - q)**2/(100*(p + q)) | | p=1;q=1/10000
div-variation-overlap | p[0,1] q[0,1] | Abs(p - q) <= 1 - sqrt(p*q) - sqrt((1 - p)*(1 - q)) | | p=1/2;q=1/4
div-affinity | p(0,1) q(0,1) a[0,2] | p**a*q**(1 - a) + (1 - p)**a*(1 - q)**(1 - a) <= 1 | | p=1/2;q=1/4;a=3/2
info-fano | p(0,1) n{2} | -p*log(p) - (1 - p)*log(1 - p) + p*log(n) <= log(n) | | p=1/2;n=2
info-topsoe | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= log(2)*(4*p*(1 - p))**(73/100) | | p=3/10
info-erasure | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) >= 2*p*log(2) | | p=3/4
info-tsallis | p(0,1) a(0,1) | (1 - p**a - (1 - p)**a)/(a - 1) <= -p*log(p) - (1 - p)*log(1 - p) | | p=1/2;a=1/2
priv-laplace-zcdp | a(1,inf) e[0,inf) | log(a/(2*a - 1)*exp((a - 1)*e) + (a - 1)/(2*a - 1)*exp(-a*e))/(a - 1) <= a*e**2/3 | | a=2;e=1/10
priv-response-zcdp | a(1,inf) e(0,inf) | (sinh(a*e) - sinh((a - 1)*e))/sinh(e) <= exp(a*(a - 1)*e**2/8) | | a=2;e=1
priv-zcdp-to-dp | r(0,inf) d(0,1) e(0,inf) | exp(-(e - r)**2/(4*r)) <= d | e >= 2*sqrt(r*log(1/d)) | r=1;d=1/10;e=31/10
priv-gauss-classical | e(0,inf) d(0,1) | erfc((sqrt(2*log(5/(4*d))) - e/(2*sqrt(2*log(5/(4*d)))))/sqrt(2)) - exp(e)*erfc((sqrt(2*log(5/(4*d))) + e/(2*sqrt(2*log(5/(4*d)))))/sqrt(2)) <= 2*d | | e=10;d=1/100000
priv-gauss-tail | m(0,inf) e(0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= exp(-(e/m - m/2)**2/2) | | m=5;e=1
priv-approximate-variation | e[0,inf) d[0,1] | (exp(e) - 1 + 2*d)/(exp(e) + 1) <= e/2 + d/2 | | e=0;d=1/2
priv-response-variance | e(0,inf) | exp(e)/(exp(e) - 1)**2 >= 1/e**2 - 1/13 | | e=1/2
amp-second-order | q[0,1] e[0,1] | log(1 + q*(exp(e) - 1)) <= q*(e + e**2/2) | | q=1/100;e=1
amp-bootstrap | n{1} | (1 - 1/n)**n >= exp(-1) - 1/(5*n) | | n=5
comp-advanced | m{1} e[0,1] d(0,1/10] | e*sqrt(2*m*log(1/d)) + m*e*tanh(e/2) <= m*e | | m=1;e=1;d=1/10
comp-group-delta | m{1} e(0,inf) | (exp(m*e) - 1)/(exp(e) - 1) <= m*exp((m - 1)*e/2) | | m=2;e=1
stat-watson-upper | x[0,inf) | gamma(x + 1) <= sqrt(x + 3/10)*gamma(x + 1/2) | | x=0
stat-logistic-probit | x | (1 + erf(x/sqrt(2)))/2 - 1/(1 + exp(-1702*x/1000)) <= 9/1000 | | x=-57/100
stat-birthday | n{1} m{1} | Product(1 - k/m, (k, 1, n - 1)) <= exp(-n**2/(2*m)) | n <= m | n=2;m=10
learn-hedge-log | x[0,3/4] | -log(1 - x) <= x + x**2 | | x=3/4
learn-boosting | e[0,1] | 2*sqrt(e*(1 - e)) <= exp(-4*(1/2 - e)**2) | | e=1/4
learn-sauer | n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (E*n/d)**d | | n=1;d=3
learn-hinge-logistic | x | Max(0, 1 - x) <= log(1 + exp(-x))/log(2) | | x=-1
learn-gelu | x | x*(1 + erf(x/sqrt(2)))/2 >= -1699/10000 | | x=-3/4
learn-jaakkola | x z(0,inf) | -log(1 + exp(-x)) >= -log(1 + exp(-z)) + (x - z)/2 - tanh(z/2)*(x**2 - z**2)/(8*z) | | x=2;z=1
learn-max-cut | x[-1,1] | acos(x)/pi >= 879*(1 - x)/2000 | | x=-69/100
opt-both-ends | m(0,inf) l(0,inf) h(0,inf) | Max(Abs(1 - h*m), Abs(1 - h*l)) <= 1 - h*m | m <= l; h*l <= 2 | m=1;l=10;h=1/5
opt-frank-wolfe | n{0} | (1 - 2/(n + 2))*2/(n + 2) + 4/(n + 2)**2 <= 2/(n + 3) | | n=0
opt-polyak-lojasiewicz | x | (2*x + 3*sin(2*x))**2 >= 9*(x**2 + 3*sin(x)**2)/25 | | x=11/5
opt-entropy-strong | x(0,2] y(0,2] | x*log(x/y) - x + y >= (x - y)**2/2 | | x=2;y=19/10
step-three-halves | n{1} | Sum(1/k**(3/2), (k, 1, n)) <= 5/2 | | n=400
step-doubling | n{1} | Sum(1/(n + k), (k, 1, n)) <= 69/100 | | n=100
step-halving | n{1} | Sum(k/2**k, (k, 1, n)) == 2 - (n + 1)/2**n | | n=1
step-harmonic-gamma | n{1} | harmonic(n) <= log(n) + EulerGamma + 1/(2*n + 17/50) | | n=20
int-gauss-second | x[0,inf) | Integral(t**2*exp(-t**2/2), (t, 0, x)) == sqrt(pi/2)*erf(x/sqrt(2)) | | x=1
int-arcsine-density | | Integral(1/sqrt(t*(1 - t)), (t, 0, 1)) == pi/2 | |
int-exponential | x(0,inf) | Integral(exp(-t)/t, (t, x, x + 1)) <= exp(-x)*log(1 + 1/x)/2 | | x=1
num-choose-two | n{1} m{1} | binomial(n, m) <= (2*n/m)**m | m <= n | n=1000;m=8
num-central-upper | n{1} | binomial(2*n, n) <= 4**n/sqrt(pi*(n + 251/1000)) | | n=50
num-fourth-power | n{15} | 2**n >= n**4 | | n=15
num-two-squares | n{} m{} r{} | n**2 + m**2 != 4*r + 1 | | n=1;m=2;r=1
spec-duplication | x(0,inf) | gamma(x)*gamma(x + 1/2) == 2**(1 - x)*sqrt(pi)*gamma(2*x) | | x=1
spec-lambert-log | x[2,inf) | LambertW(x) >= log(x) - log(log(x)) | | x=2
spec-bessel | x | besseli(0, x) <= exp(x**2/5) | | x=1
trig-atanh | x[0,1) | atanh(x) <= x + x**3/2 + x**5 | | x=99/100
trig-cusa | x | sin(x) <= x*(2 + cos(x))/3 | | x=-1
two-lin | x(0,inf) y(0,inf) | (y - x)/(log(y) - log(x)) <= ((x**(1/4) + y**(1/4))/2)**4 | x < y | x=1;y=2
two-power-mean | x(0,inf) y(0,inf) p(0,inf) | (x + y)**p <= 2**(p - 1)*(x**p + y**p) | | x=1;y=2;p=1/2
exist-order | a(1,inf) | exists a/8 + log(100000)/(a - 1) <= 5/2
exist-entropy | p(0,1) | exists -p*log(p) - (1 - p)*log(1 - p) >= 7/10
exist-consecutive | n{} | exists n*(n + 1) == 7
gauss-half | | Integral(t**2*exp(-t**2/2), (t, 0, oo)) == sqrt(2*pi)
student | | Integral(1/(1 + t**2)**2, (t, 0, oo)) == pi/2
"""

#: A series without an end, which a claim may not hold: `oo` is refused when it is read. It counts in no score.
INFINITE = """
true-poisson-mass | l(0,inf) | exp(-l)*Sum(l**k/factorial(k), (k, 0, oo)) == 1
"""

CLAIMS = read("fourth", TRUE, FALSE)
