"""Statements as a reviewer or author of papers in privacy, information, statistics, learning and optimisation types them.

Written without a look at the engine, and measured before it was tuned to any of it; other facts than those of the fifth.
The first syllable of a name is the theme, with the seventeen themes of the fifth: tails, concentration, divergences, information,
privacy, amplification, composition, statistics, learning, optimisation, step sums, integrals, numbers, special
functions, trigonometry, two variables, existence.
"""

from .known import read

TRUE = """
tail-birnbaum | x[0,inf) | sqrt(pi/2)*exp(x**2/2)*erfc(x/sqrt(2)) >= (sqrt(x**2 + 4) - x)/2
tail-log-concave | x | erfc(x) <= exp(-2*x/sqrt(pi))
tail-polya | x[0,inf) | erf(x) <= sqrt(1 - exp(-4*x**2/pi))
tail-poisson-short | l(0,inf) x[0,inf) | (l + x)*log(1 + x/l) - x >= x**2/(2*(l + x))
tail-inclusion-exclusion | p[0,1] n{1} | (1 - p)**n <= 1 - n*p + n*(n - 1)*p**2/2
tail-laurent-massart | n{1} x[0,inf) | (2*sqrt(n*x) + 2*x - n*log(1 + 2*sqrt(x/n) + 2*x/n))/2 >= x
tail-two-regimes | v(0,inf) c(0,inf) t(0,inf) | exp(-t**2/(2*(v + c*t))) <= Max(exp(-t**2/(4*v)), exp(-t/(4*c)))
tail-erlang-median | n{1} | uppergamma(n, n) <= gamma(n)/2
conc-kearns-saul | p(0,1/2) s | (1 - p)*exp(-s*p) + p*exp(s*(1 - p)) <= exp((1 - 2*p)*s**2/(4*log((1 - p)/p)))
conc-bennett-mgf | x(-inf,1] s[0,inf) | exp(s*x) <= 1 + s*x + x**2*(exp(s) - 1 - s)
conc-square-majorant | x | exp(x) <= x + exp(x**2)
conc-delyon | x | exp(x - x**2/6) <= 1 + x + x**2/3
conc-uniform-mgf | x(0,inf) | sinh(x)/x <= exp(x**2/6)
conc-laplace-mgf | s[-7/10,7/10] | 1/(1 - s**2) <= exp(2*s**2)
conc-chi-square-lower | s[0,inf) | exp(s)/sqrt(1 + 2*s) <= exp(s**2)
conc-bernstein-invert | v(0,inf) c(0,inf) l(0,inf) t(0,inf) | t**2/(2*(v + c*t)) >= l | t == sqrt(2*v*l) + 2*c*l
div-le-cam | p(0,1) q(0,1) | (p - q)**2/(p + q) + (p - q)**2/(2 - p - q) <= 4*(1 - sqrt(p*q) - sqrt((1 - p)*(1 - q)))
div-topsoe-triangular | p(0,1) q(0,1) | (p*log(2*p/(p + q)) + (1 - p)*log(2*(1 - p)/(2 - p - q)) + q*log(2*q/(p + q)) + (1 - q)*log(2*(1 - q)/(2 - p - q)))/2 >= ((p - q)**2/(p + q) + (p - q)**2/(2 - p - q))/4
div-kullback-fourth | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(p - q)**2 + 4*(p - q)**4/9
div-bretagnolle-huber | p(0,1) q(0,1) | Abs(p - q) <= sqrt(1 - exp(-p*log(p/q) - (1 - p)*log((1 - p)/(1 - q))))
div-moment-match | m s(0,inf) | log(s) + (1 + m**2)/(2*s**2) - 1/2 >= log(1 + m**2)/2
div-reverse-pinsker | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) <= log(1 + 2*(p - q)**2/Min(q, 1 - q))
div-skew | p(0,1) q(0,1) a[0,1] | p*log(p/((1 - a)*p + a*q)) + (1 - p)*log((1 - p)/((1 - a)*(1 - p) + a*(1 - q))) <= a*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))
div-poisson-hellinger | l(0,inf) m(0,inf) | l*log(l/m) - l + m >= (sqrt(l) - sqrt(m))**2
div-pinsker-generator | x(0,inf) | (4 + 2*x)*(x*log(x) - x + 1) >= 3*(x - 1)**2
info-topsoe-logs | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= log(p)*log(1 - p)/log(2)
info-topsoe-power | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= log(2)*(4*p*(1 - p))**(1/log(4))
info-noise-entropy | p(0,1) q(0,1) | -(p + q - 2*p*q)*log(p + q - 2*p*q) - (1 - p - q + 2*p*q)*log(1 - p - q + 2*p*q) >= -p*log(p) - (1 - p)*log(1 - p)
info-z-channel | p(0,1) | log(1 + (1 - p)*p**(p/(1 - p))) >= log(1 + (1 - p)/E)
info-time-sharing | x[0,inf) y[0,inf) a(0,1) | a*log(1 + x/a) + (1 - a)*log(1 + y/(1 - a)) <= log(1 + x + y)
info-type-class | n{2} m{1} | binomial(n, m) >= sqrt(n/(8*m*(n - m)))*n**n/(m**m*(n - m)**(n - m)) | m <= n - 1
info-gamma-entropy | a(0,inf) | a + loggamma(a) + (1 - a)*digamma(a) <= log(2*pi*E*a)/2
info-collision | p(0,1) | -log(p**2 + (1 - p)**2) <= -p*log(p) - (1 - p)*log(1 - p)
priv-laplace-renyi | a(1,inf) e[0,inf) | log(a*exp((a - 1)*e)/(2*a - 1) + (a - 1)*exp(-a*e)/(2*a - 1))/(a - 1) <= a*e**2/2
priv-pure-to-concentrated | a(1,inf) e(0,inf) | (sinh(a*e) - sinh((a - 1)*e))/sinh(e) <= exp(a*(a - 1)*e**2/2)
priv-variation | e[0,inf) d[0,1] | (exp(e) - 1 + 2*d)/(exp(e) + 1) <= e/2 + d
priv-group-delta | n{1} e(0,inf) | (exp(n*e) - 1)/(exp(e) - 1) <= n*exp((n - 1)*e)
priv-gaussian-classical | c[3/2,inf) e(0,1] | (erfc((c - e/(2*c))/sqrt(2)) - exp(e)*erfc((c + e/(2*c))/sqrt(2)))/2 <= 5*exp(-c**2/2)/4
priv-discrete-laplace-variance | e(0,inf) | 2*exp(-e)/(1 - exp(-e))**2 >= 2/e**2 - 1/6
priv-tradeoff | x[0,1] d[0,1] e[0,inf) | x + Max(0, 1 - d - exp(e)*x, exp(-e)*(1 - d - x)) >= 2*(1 - d)/(1 + exp(e))
priv-hellinger-response | e | 1 - 2*exp(e/2)/(1 + exp(e)) <= e**2/8
amp-blanket | n{1} e[0,inf) | n/(n - 1 + exp(e)) >= exp(-e)
amp-two-stage | q[0,1] r[0,1] e[0,inf) | log(1 + q*(exp(log(1 + r*(exp(e) - 1))) - 1)) == log(1 + q*r*(exp(e) - 1))
amp-renyi-two | q[0,1] m[0,1] | log(1 + q**2*(exp(m**2) - 1)) <= (E - 1)*q**2*m**2
amp-hockey-stick-weight | q(0,1] e[0,inf) | 1 - (1 + q*(exp(e) - 1))*exp(-e) == (1 - q)*(1 - exp(-e))
amp-with-replacement | n{1} m{1} | 1 - (1 - 1/n)**m >= 1 - exp(-m/n)
amp-group-size | q(0,1) e n{1} | Sum(binomial(n, k)*q**k*(1 - q)**(n - k)*exp(k*e), (k, 0, n)) == (1 + q*(exp(e) - 1))**n
amp-large-epsilon | q(0,1] e[0,inf) | log(1 + q*(exp(e) - 1)) <= e + log(q) + (1 - q)/q*exp(-e)
comp-advantage | n{1} e[0,1] d(0,1) | n*e**2/2 + e*sqrt(2*n*log(1/d)) <= n*e | n >= 8*log(1/d)
comp-delta | n{1} c[0,1] d[0,1] | 1 - (1 - c)*(1 - d)**n <= c + n*d
comp-heterogeneous | x[0,inf) y[0,inf) d(0,1) | (x**2 + y**2)/2 + sqrt(2*(x**2 + y**2)*log(1/d)) <= x**2/2 + y**2/2 + (x + y)*sqrt(2*log(1/d))
comp-majority | p[1/2,1] | p**3 + 3*p**2*(1 - p) - 3*p*(1 - p)**2 - (1 - p)**3 <= 3*(2*p - 1)/2
comp-concentrated-budget | n{1} e[0,inf) d(0,1) | n*e**2/2 + 2*sqrt(n*e**2/2*log(1/d)) == n*e**2/2 + e*sqrt(2*n*log(1/d))
comp-affinity | n{1} m | cosh(m/(2*sqrt(n)))**n <= exp(m**2/8)
stat-unbiased-deviation | n{2} | sqrt(2/(n - 1))*gamma(n/2)/gamma((n - 1)/2) >= 1 - 1/(4*(n - 1))
stat-freeman-tukey | x[0,inf) | sqrt(x) + sqrt(x + 1) <= sqrt(4*x + 2)
stat-minimax-binomial | p[0,1] n{1} | (n*p*(1 - p) + n*(1/2 - p)**2)/(n + sqrt(n))**2 == 1/(4*(1 + sqrt(n))**2)
stat-linear-shrinkage | c m | c**2 + (1 - c)**2*m**2 >= m**2/(1 + m**2)
stat-sample-size | n{1} e(0,1] d(0,1) | 2*exp(-2*n*e**2) <= d | n >= log(2/d)/(2*e**2)
stat-logit | p(0,1) q(0,1) | log(p/(1 - p)) - log(q/(1 - q)) >= 4*(p - q) | p >= q
stat-probit | x | Abs(erf(x/sqrt(2)) - tanh(851*x/1000)) <= 1/50
learn-logistic-hinge | x | log(1 + exp(-x)) <= Max(0, 1 - x) + log(1 + exp(-1))
learn-sauer | n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (E*n/d)**d | d <= n
learn-sigmoid-curvature | x | Abs(exp(x)*(exp(x) - 1)/(1 + exp(x))**3) <= sqrt(3)/18
learn-logistic-smooth | x h | log(1 + exp(x + h)) <= log(1 + exp(x)) + h*exp(x)/(1 + exp(x)) + h**2/8
learn-boosting-step | e[0,1] a | e*exp(a) + (1 - e)*exp(-a) >= 2*sqrt(e*(1 - e))
learn-weighted-majority | b(0,1) | -log(b)/(1 - b) <= (1 + b)/(2*b)
learn-kl-inverse | q(0,1) p(0,1) c(0,inf) | p <= q + sqrt(2*q*c) + 2*c | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) <= c
learn-gelu | x | x*(1 + erf(x/sqrt(2)))/2 >= -17/100
opt-fista | s[0,inf) r[1,inf) | r >= s + 1/2 | r**2 - r == s**2
opt-heavy-ball | c[1,inf) | ((sqrt(c) - 1)/(sqrt(c) + 1))**2 <= 1 - 1/sqrt(c)
opt-kantorovich | a(0,inf) b(0,inf) p[0,1] | (a*p + b*(1 - p))*(p/a + (1 - p)/b) <= (a + b)**2/(4*a*b)
opt-barrier-upper | t[0,1) | -log(1 - t) - t <= t**2/(2*(1 - t))
opt-step-tuning | n{1} h(0,inf) r(0,inf) g(0,inf) | r**2/(2*h*n) + h*g**2/2 >= r*g/sqrt(n)
opt-gradient-dominated | x | (2*x + 3*sin(2*x))**2/2 >= (x**2 + 3*sin(x)**2)/32
opt-frank-wolfe | n{0} x[0,inf) | (1 - 2/(n + 2))*x + 2/(n + 2)**2 <= 2/(n + 3) | x <= 2/(n + 2)
opt-best-step | m(0,inf) l(0,inf) h | Max(Abs(1 - h*m), Abs(1 - h*l)) >= (l - m)/(l + m) | m <= l
step-square-roots | n{1} | Sum(sqrt(k), (k, 1, n)) <= 2*n**(3/2)/3 + sqrt(n)/2
step-weighted-geometric | n{1} x[0,1) | Sum(k*x**k, (k, 1, n)) <= x/(1 - x)**2
step-log-log | n{2} | Sum(1/(k*log(k)), (k, 2, n)) <= log(log(n)) - log(log(2)) + 1/(2*log(2))
step-alternating | n{1} | Abs(Sum((-1)**(k + 1)/k, (k, 1, n)) - log(2)) <= 1/(2*n)
step-momentum-weights | n{1} | Product(1 - 2/(k + 2), (k, 1, n)) == 2/((n + 1)*(n + 2))
step-three-halves | n{1} | Sum(1/k**(3/2), (k, 1, n)) <= 3 - 2/sqrt(n)
int-frullani | a(0,inf) b(0,inf) | Integral((exp(-a*t) - exp(-b*t))/t, (t, 0, oo)) == log(b/a)
int-wallis | n{1} | Integral(sin(t)**n, (t, 0, pi/2)) <= sqrt(pi/(2*n))
int-log-moment | x(-1,inf) | Integral(-log(t)*t**x, (t, 0, 1)) == 1/(x + 1)**2
int-hermite-hadamard | x | Integral(exp(x*t), (t, 0, 1)) >= exp(x/2)
int-capped-tail | a[1,inf) | Integral(Min(1, a*exp(-t)), (t, 0, oo)) == 1 + log(a)
int-covering | | Integral(sqrt(log(1 + 1/t)), (t, 0, 1)) <= sqrt(2*log(2))
num-central-binomial | n{1} | binomial(2*n, n) <= 4**n/sqrt(3*n + 1)
num-turan | n{} | floor(n**2/4) == floor(n/2)*ceiling(n/2)
num-binomial-lower | n{1} m{1} | binomial(n, m) >= (n/m)**m | m <= n
num-birthday | n{1} m{1} | Product(1 - k/n, (k, 0, m - 1)) <= exp(-m*(m - 1)/(2*n)) | m <= n
num-stirling-upper | n{1} | factorial(n) <= E*sqrt(n)*(n/E)**n
num-liouville | m{1} n{1} | Abs(sqrt(2) - m/n) >= 1/(4*n**2)
spec-trigamma-lower | x(0,inf) | polygamma(1, x) >= 1/x + 1/(2*x**2)
spec-beta-product | x[1,inf) y[1,inf) | gamma(x)*gamma(y)/gamma(x + y) <= 1/(x*y)
spec-bessel-ratio | x[0,inf) | besseli(1, x)*sqrt(x**2 + 4) <= x*besseli(0, x)
spec-lambert-lower | x[3,inf) | LambertW(x) >= log(x) - log(log(x))
spec-zeta-lower | s(1,inf) | zeta(s) >= 1/(s - 1) + 1/2
spec-exponential-integral | x(0,inf) | exp(x)*expint(1, x) >= log(1 + 2/x)/2
spec-erf-subadditive | x[0,inf) y[0,inf) | erf(x + y) <= erf(x) + erf(y)
trig-cusa | x[0,inf) | 3*sin(x) <= x*(2 + cos(x))
trig-huygens | x[0,3/2] | 2*sin(x) + tan(x) >= 3*x
trig-fejer-jackson | x[0,3] n{1} | Sum(sin(k*x)/k, (k, 1, n)) >= 0
trig-tanh-root | x[0,inf) | tanh(x) >= x/sqrt(1 + x**2)
trig-shafer | x[0,inf) | atan(x) >= 3*x/(1 + 2*sqrt(1 + x**2))
trig-gaussian-cosine | x[-3/2,3/2] | cos(x) <= exp(-x**2/2)
two-lin-mean | x(0,inf) y(0,inf) | (x - y)/(log(x) - log(y)) <= ((x**(1/3) + y**(1/3))/2)**3 | x > y
two-power-sum | x[0,inf) y[0,inf) p[1,inf) | (x + y)**p <= 2**(p - 1)*(x**p + y**p)
two-clarkson | x y p[2,inf) | Abs((x + y)/2)**p + Abs((x - y)/2)**p <= (Abs(x)**p + Abs(y)**p)/2
two-entropy-dual | x(0,inf) y | x*y <= x*log(x) - x + exp(y)
two-refined-mean | x(0,inf) y(0,inf) p[0,1] | p*x + (1 - p)*y - x**p*y**(1 - p) >= Min(p, 1 - p)*(sqrt(x) - sqrt(y))**2
exist-pell | m{1} n{1} | exists m**2 - 7*n**2 == 1
exist-cosine-fixed-point | x[0,1] | exists cos(x) == x
exist-chernoff | s(0,inf) | exists exp(s**2/2 - 3*s) <= 1/90
exist-moment-order | a(1,inf) | exists a/8 + log(100000)/(a - 1) <= 253/100
exist-square-and-cube | m{1} n{1} | exists m**3 - n**2 == 2
exist-powers-near-one | x(0,1) y(0,1) | exists x**y + y**x <= 101/100
"""

FALSE = """
tail-sampford | x[0,inf) | sqrt(pi/2)*exp(x**2/2)*erfc(x/sqrt(2)) <= 4/(3*x + sqrt(x**2 + 10)) | | x=5
tail-polya | x[0,inf) | erf(x) <= sqrt(1 - exp(-5*x**2/4)) | | x=1/10
tail-poisson-lower | u[0,1) | (1 - u)*log(1 - u) + u >= u**2/(2 - u) | | u=1/2
tail-inclusion-exclusion | p[0,1] n{1} | (1 - p)**n >= 1 - n*p + n*(n - 1)*p**2/2 | | p=1/2;n=3
tail-erlang-median | n{1} | uppergamma(n, n - 8/25) <= gamma(n)/2 | | n=1
conc-kearns-saul | p(0,1/2) s | (1 - p)*exp(-s*p) + p*exp(s*(1 - p)) <= exp((1 - 2*p)*s**2/(5*log((1 - p)/p))) | | p=1/4;s=1/2
conc-square-majorant | x | exp(x) <= x + exp(11*x**2/20) | | x=3/5
conc-delyon | x | exp(x - x**2/8) <= 1 + x + 3*x**2/8 | | x=1
conc-laplace-mgf | s(-1,1) | 1/(1 - s**2) <= exp(2*s**2) | | s=19/20
conc-bernstein-invert | v(0,inf) c(0,inf) l(0,inf) t(0,inf) | t**2/(2*(v + c*t)) >= l | t == sqrt(2*v*l) + c*l | v=2;c=1;l=1;t=3
div-le-cam | p(0,1) q(0,1) | (p - q)**2/(p + q) + (p - q)**2/(2 - p - q) >= 3*(1 - sqrt(p*q) - sqrt((1 - p)*(1 - q))) | | p=1/100;q=99/100
div-topsoe-triangular | p(0,1) q(0,1) | (p*log(2*p/(p + q)) + (1 - p)*log(2*(1 - p)/(2 - p - q)) + q*log(2*q/(p + q)) + (1 - q)*log(2*(1 - q)/(2 - p - q)))/2 <= ((p - q)**2/(p + q) + (p - q)**2/(2 - p - q))/3 | | p=999/1000;q=1/1000
div-bretagnolle-huber | p(0,1) q(0,1) | Abs(p - q) <= sqrt(1 - exp(-(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))/2)) | | p=2/3;q=1/3
div-reverse-pinsker | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) <= (p - q)**2/Min(q, 1 - q) | | p=9/10;q=1/2
info-topsoe-logs | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 7*log(p)*log(1 - p)/5 | | p=1/2
info-topsoe-power | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= log(2)*(4*p*(1 - p))**(3/4) | | p=2/5
info-type-class | n{2} m{1} | binomial(n, m) >= sqrt(n/(7*m*(n - m)))*n**n/(m**m*(n - m)**(n - m)) | m <= n - 1 | n=2;m=1
info-gamma-entropy | a(0,inf) | a + loggamma(a) + (1 - a)*digamma(a) <= log(2*pi*a)/2 + 2/5 | | a=10
priv-laplace-renyi | a(1,inf) e[0,inf) | log(a*exp((a - 1)*e)/(2*a - 1) + (a - 1)*exp(-a*e)/(2*a - 1))/(a - 1) <= a*e**2/(2 + e) | | a=2;e=1/5
priv-group-delta | n{1} e(0,inf) | (exp(n*e) - 1)/(exp(e) - 1) <= n*exp((n - 1)*e/2) | | n=2;e=1
priv-gaussian-classical | c[3/2,inf) e(0,inf) | (erfc((c - e/(2*c))/sqrt(2)) - exp(e)*erfc((c + e/(2*c))/sqrt(2)))/2 <= 5*exp(-c**2/2)/4 | | c=3;e=20
priv-hellinger-response | e[0,1] | 1 - 2*exp(e/2)/(1 + exp(e)) <= e**2/8 - e**4/72 | | e=1/2
priv-tradeoff | x[0,1] d[0,1] e[0,inf) | x + Max(0, 1 - d - exp(e)*x) >= 2*(1 - d)/(1 + exp(e)) | | x=2/5;d=0;e=1
amp-renyi-two | q[0,1] m[0,1] | log(1 + q**2*(exp(m**2) - 1)) <= 3*q**2*m**2/2 | | q=1/10;m=1
amp-with-replacement | n{2} m{1} | (1 - 1/n)**m >= exp(-m/(n - 1/2)) | | n=2;m=1
amp-large-epsilon | q(0,1] e[0,inf) | log(1 + q*(exp(e) - 1)) <= e + log(q) + (1 - q)*exp(-e) | | q=1/10;e=1
comp-advantage | n{1} e[0,1] d(0,1) | n*e**2/2 + e*sqrt(2*n*log(1/d)) <= n*e | n >= 4*log(1/d) | n=4;e=1;d=2/5
comp-delta | n{1} d[0,1] | 1 - (1 - d)**n <= n*d - n*(n - 1)*d**2/4 | | n=6;d=1
comp-affinity | n{1} m | cosh(m/(2*sqrt(n)))**n <= exp(m**2/9) | | n=10;m=1
stat-unbiased-deviation | n{2} | sqrt(2/(n - 1))*gamma(n/2)/gamma((n - 1)/2) >= 1 - 1/(4*n) | | n=5
stat-freeman-tukey | x[0,inf) | sqrt(x) + sqrt(x + 1) <= sqrt(4*x + 9/5) | | x=10
stat-sample-size | n{1} e(0,1] d(0,1) | 2*exp(-2*n*e**2) <= d | n >= log(1/d)/(2*e**2) | n=2;e=1/2;d=1/2
stat-probit | x | Abs(erf(x/sqrt(2)) - tanh(851*x/1000)) <= 9/500 | | x=57/100
learn-sauer | n{1} d{1} | Sum(binomial(n, k), (k, 0, d)) <= (E*n/d)**d | | n=1;d=10
learn-logistic-smooth | x h | log(1 + exp(x + h)) <= log(1 + exp(x)) + h*exp(x)/(1 + exp(x)) + h**2/9 | | x=0;h=1/2
learn-weighted-majority | b(0,1) | -log(b)/(1 - b) <= (1 + 2*b)/(3*b) | | b=9/10
learn-kl-inverse | q(0,1) p(0,1) c(0,inf) | p <= q + sqrt(q*c) + 2*c | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) <= c | q=1/4;p=269/1000;c=1/1000
learn-gelu | x | x*(1 + erf(x/sqrt(2)))/2 >= -169/1000 | | x=-3/4
opt-fista | s[0,inf) r[1,inf) | r >= s + 2/3 | r**2 - r == s**2 | s=6/5;r=9/5
opt-heavy-ball | c[1,inf) | ((sqrt(c) - 1)/(sqrt(c) + 1))**2 <= 1 - 2/sqrt(c) | | c=4
opt-barrier-upper | t[0,1) | -log(1 - t) - t <= t**2/(2*(1 - 2*t/3)) | | t=1/2
opt-gradient-dominated | x | (2*x + 3*sin(2*x))**2/2 >= (x**2 + 3*sin(x)**2)/5 | | x=43/20
step-square-roots | n{1} | Sum(sqrt(k), (k, 1, n)) <= 2*n**(3/2)/3 + sqrt(n)/2 - 1/5 | | n=2
step-log-log | n{2} | Sum(1/(k*log(k)), (k, 2, n)) <= log(log(n)) + 1 | | n=2
step-infinite-product | n{1} | Product(1 + 1/k**2, (k, 1, n)) <= 11/3 | | n=500
int-wallis | n{1} | Integral(sin(t)**n, (t, 0, pi/2)) <= sqrt(pi/(2*n + 11/10)) | | n=4
int-capped-tail | a(0,inf) | Integral(Min(1, a*exp(-t)), (t, 0, oo)) == 1 + log(a) | | a=1/2
int-hermite-hadamard | x | Integral(exp(x*t), (t, 0, 1)) <= (1 + x**2/25)*exp(x/2) | | x=1
num-central-binomial | n{1} | binomial(2*n, n) <= 4**n/sqrt(3*n + 5/4) | | n=1
num-birthday | n{1} m{1} | Product(1 - k/n, (k, 0, m - 1)) >= exp(-m**2/(2*n)) | m <= n | n=6;m=6
num-stirling-upper | n{1} | factorial(n) <= 13*sqrt(n)/5*(n/E)**n | | n=2
num-liouville | m{1} n{1} | Abs(sqrt(2) - m/n) >= 7/(20*n**2) | | m=3;n=2
spec-trigamma-upper | x(0,inf) | polygamma(1, x) <= 1/x + 1/(2*x**2) + 1/(7*x**3) | | x=10
spec-beta-product | x(0,inf) y(0,inf) | gamma(x)*gamma(y)/gamma(x + y) <= 1/(x*y) | | x=1/2;y=2
spec-lambert-lower | x(1,inf) | LambertW(x) >= log(x) - log(log(x)) | | x=2
spec-zeta-lower | s(1,inf) | zeta(s) >= 1/(s - 1) + 3/5 | | s=11/10
trig-huygens | x[0,3/2] | 2*sin(x) + tan(x) >= 3*x + x**5/6 | | x=1/2
trig-gaussian-cosine | x | cos(x) <= exp(-x**2/2) | | x=6
trig-shafer-upper | x[0,inf) | atan(x) <= 31*x/(10*(1 + 2*sqrt(1 + x**2))) | | x=100
two-lin-mean | x(0,inf) y(0,inf) | (x - y)/(log(x) - log(y)) <= ((x**(1/4) + y**(1/4))/2)**4 | x > y | x=2;y=1
two-clarkson | x y p(1,inf) | Abs((x + y)/2)**p + Abs((x - y)/2)**p <= (Abs(x)**p + Abs(y)**p)/2 | | x=1;y=0;p=3/2
two-refined-mean | x(0,inf) y(0,inf) p[0,1] | p*x + (1 - p)*y - x**p*y**(1 - p) >= Max(p, 1 - p)*(sqrt(x) - sqrt(y))**2 | | x=4;y=1;p=1/4
exist-chernoff | s(0,inf) | exists exp(s**2/2 - 3*s) <= 1/91
exist-two-squares | m{} n{} | exists m**2 + n**2 == 103
exist-moment-order | a(1,inf) | exists a/8 + log(100000)/(a - 1) <= 5/2
"""

CLAIMS = read("sixth", TRUE, FALSE)
