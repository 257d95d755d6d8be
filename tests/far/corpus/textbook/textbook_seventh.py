"""Statements as a reviewer or author of papers in privacy, information, statistics, learning and optimisation types them.

Written without a look at the engine, and measured before it was tuned to any of it; other facts than those of the sixth,
and more of the everyday steps of a proof. The first syllable of a name is the theme, with the seventeen themes of the sixth: tails,
concentration, divergences, information, privacy, amplification, composition, statistics, learning, optimisation, step
sums, integrals, numbers, special functions, trigonometry, two variables, existence.
"""

from .known import read

TRUE = """
tail-radial-product | x[0,inf) y[0,inf) | erfc(x)*erfc(y) <= erfc(sqrt(x**2 + y**2))
tail-union-level | n{1} d(0,1) s(0,inf) r(0,inf) | 2*n*exp(-r**2/(2*s**2)) <= d | r >= s*sqrt(2*log(2*n/d))
tail-moment-choice | s(0,inf) x(0,inf) p(0,inf) | (p*s/x)**p == exp(-x/(E*s)) | p == x/(E*s)
tail-chi-lower | n{1} e[0,1) | ((1 - e)*exp(e))**(n/2) <= exp(-n*e**2/4)
tail-poisson-geometric | l(0,inf) m{0} n{0} | Sum(l**k/factorial(k), (k, m, n)) <= l**m/factorial(m)*(m + 1)/(m + 1 - l) | l < m + 1; m <= n
tail-gumbel | x | 1 - exp(-exp(-x)) >= exp(-x) - exp(-2*x)/2
conc-median-of-means | p[0,1/4] d(0,1) m{1} | (4*p*(1 - p))**(m/2) <= d | m >= 8*log(1/d)
conc-bernstein-size | v(0,inf) s(0,inf) d(0,1) n{1} | 2*exp(-n*s**2/(2*(v + s/3))) <= d | n >= (2*v/s**2 + 2/(3*s))*log(2/d)
conc-self-bounding-invert | a[0,inf) b[0,inf) x[0,inf) | x <= a + b + sqrt(a*b) | x <= a + sqrt(b*x)
conc-mcdiarmid-choice | n{1} c(0,inf) d(0,1) s(0,inf) | 2*exp(-2*s**2/(n*c**2)) == d | s == c*sqrt(n*log(2/d)/2)
conc-khinchine-four | a b c | ((a + b + c)**4 + (a + b - c)**4 + (a - b + c)**4 + (a - b - c)**4)/4 <= 7*(a**2 + b**2 + c**2)**2/3
conc-cantelli-shift | v(0,inf) s(0,inf) u[0,inf) | (v + u**2)/(s + u)**2 >= v/(v + s**2)
conc-lower-poisson | l(0,inf) s[0,inf) | exp(l*(exp(-s) - 1 + s)) <= exp(l*s**2/2)
div-gauss-jeffreys | a b u(0,inf) v(0,inf) | (log(v/u) + (u + (a - b)**2)/v - 1)/2 + (log(u/v) + (v + (a - b)**2)/u - 1)/2 == (u - v)**2/(2*u*v) + (a - b)**2*(u + v)/(2*u*v)
div-chi-tensor | n{1} c[0,1] | (1 + c)**n - 1 <= 2*n*c | c <= 1/n
div-thinning | p(0,1) q(0,1) a(0,1) | a*p*log(p/q) + (1 - a*p)*log((1 - a*p)/(1 - a*q)) <= a*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))
div-laplace-shift | m[0,inf) a(0,inf) b(0,inf) | log(b/a) - 1 + (m + a*exp(-m/a))/b <= log(b/a) + a/b - 1 + m**2/(2*a*b)
div-gauss-variation-chi | m[0,inf) | erf(m/(2*sqrt(2))) <= sqrt(exp(m**2) - 1)/2
div-shannon-jeffreys | p(0,inf) q(0,inf) | (p*log(2*p/(p + q)) + q*log(2*q/(p + q)))/2 <= (p - q)*log(p/q)/8
div-transport-slope | p(0,1) q(0,1) l | l*(p - q) <= p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) + l**2/8
info-mixture-gap | p(0,1) q(0,1) a(0,1) | -(a*p + (1 - a)*q)*log(a*p + (1 - a)*q) - (1 - a*p - (1 - a)*q)*log(1 - a*p - (1 - a)*q) <= a*(-p*log(p) - (1 - p)*log(1 - p)) + (1 - a)*(-q*log(q) - (1 - q)*log(1 - q)) - a*log(a) - (1 - a)*log(1 - a)
info-bandwidth | w(0,inf) v(0,inf) p(0,inf) | w*log(1 + p/w) <= v*log(1 + p/v) | w <= v
info-successive | x[0,inf) y[0,inf) | log(1 + x) + log(1 + y/(1 + x)) == log(1 + x + y)
info-fano-size | n{2} c[0,inf) p(0,1) | p >= 1 - (c + log(2))/log(n) | -p*log(p) - (1 - p)*log(1 - p) + p*log(n) >= log(n) - c
info-renyi-half | p(0,1) | 2*log(sqrt(p) + sqrt(1 - p)) >= -p*log(p) - (1 - p)*log(1 - p)
info-types | n{2} m{1} | binomial(n, m) >= n**n/((n + 1)*m**m*(n - m)**(n - m)) | m <= n - 1
priv-zcdp-choice | e(0,inf) d(0,1) r(0,inf) | r + 2*sqrt(r*log(1/d)) <= e | r <= e**2/(4*log(1/d) + 2*e)
priv-sparse-vector-split | c{1} e(0,inf) x(0,inf) | 1/x**2 + c**2/(e - x)**2 >= (1 + c**(2/3))**3/e**2 | x < e
priv-debias | p[0,1] e(0,inf) | ((exp(e) + 1)*((p*exp(e) + 1 - p)/(exp(e) + 1)) - 1)/(exp(e) - 1) == p
priv-many-response | n{2} e[0,inf) | e*(exp(e) - 1)/(exp(e) + n - 1) <= e**2/2
priv-laplace-below-response | x[0,inf) e[0,inf) | 1 - exp((e - x)/2) <= (exp(x) - exp(e))/(exp(x) + 1) | e <= x
priv-local-contraction | p(0,1) q(0,1) e(0,inf) | (1 + (exp(e) - 1)*p)/(1 + exp(e))*log((1 + (exp(e) - 1)*p)/(1 + (exp(e) - 1)*q)) + (exp(e) - (exp(e) - 1)*p)/(1 + exp(e))*log((exp(e) - (exp(e) - 1)*p)/(exp(e) - (exp(e) - 1)*q)) <= (exp(e) - 1)**2*exp(-e)*(p - q)**2/2
priv-group-small | n{1} d(0,1) e(0,1] | d*(exp(n*e) - 1)/(exp(e) - 1) <= 2*n*d | e <= 1/n
priv-truncated-laplace | e(0,inf) d(0,1/2] b(0,inf) | (exp(e) - 1)/(2*(exp(e*b) - 1)) == d | b == log(1 + (exp(e) - 1)/(2*d))/e
amp-steps | n{1} q[0,1] e[0,1] | n*log(1 + q*(exp(e) - 1)) <= (E - 1)*n*q*e
amp-target-rate | e(0,inf) r(0,inf) q[0,1] | log(1 + q*(exp(e) - 1)) <= r | q <= r/(exp(e) - 1)
amp-shuffle-regime | n[1,inf) d(0,1) e[0,inf) | sqrt(exp(e)*log(4/d)/n) <= 1/4 | e <= log(n/(16*log(4/d)))
amp-rate-ratio | q(0,1] r(0,1] e[0,inf) | log(1 + q*(exp(e) - 1))/q >= log(1 + r*(exp(e) - 1))/r | q <= r
amp-epoch | q(0,1] e[0,inf) | (1 + q*(exp(e) - 1))**(1/q) <= exp(exp(e) - 1)
comp-logarithm | n{1} e(0,inf) d(0,1) | log(E + e*sqrt(n)/d) <= 1 + log(1/d) + e*sqrt(n)
comp-gauss-noise | n{1} r(0,inf) s(0,inf) | n/(2*s**2) <= r | s >= sqrt(n/(2*r))
comp-halving | n{1} e[0,inf) | Sum(e/2**k, (k, 1, n)) <= e
comp-delta-split | n{1} d[0,1] | 1 - (1 - d/(2*n))**n*(1 - d/2) <= d
comp-basic-regime | e[0,inf) d(0,1) n{1} | n*e <= n*e*(exp(e) - 1) + e*sqrt(2*n*log(1/d)) | n <= 2*log(1/d)
comp-small-total | n{1} d(0,1) e(0,inf) | n*e**2/2 + e*sqrt(2*n*log(1/d)) <= 2*e*sqrt(n*log(1/d)) | e <= sqrt(log(1/d)/n)
stat-inverse-variance | w u(0,inf) v(0,inf) | w**2*u + (1 - w)**2*v >= u*v/(u + v)
stat-rule-of-three | n{1} p[0,1] | (1 - p)**n <= 1/20 | p >= 3/n
stat-add-one | n{1} m{0} | Abs((m + 1)/(n + 2) - m/n) <= 1/(n + 2) | m <= n
stat-krichevsky | n{1} | binomial(2*n, n)/4**n >= 1/(2*sqrt(n))
stat-power | m(0,inf) a(0,inf) b(0,inf) n{1} | erfc((a - m*sqrt(n))/sqrt(2))/2 >= 1 - exp(-b**2/2)/2 | n >= ((a + b)/m)**2
stat-log-odds | n(0,inf) x(0,inf) | 1/x + 1/(n - x) >= 4/n | x < n
stat-pareto-median | a(1,inf) | a/(a - 1) >= 2**(1/a)
learn-finite-class | h{1} e(0,1) d(0,1) n{1} | h*(1 - e)**n <= d | n >= (log(h) + log(1/d))/e
learn-margin-loss | n{2} d(0,1) m(0,inf) | log(1 + (n - 1)*exp(-m)) <= d | m >= log((n - 1)/d)
learn-bandit-rate | n{2} m{1} h(0,inf) | log(n)/h + h*n*m/2 == sqrt(2*n*m*log(n)) | h == sqrt(2*log(n)/(n*m))
learn-gap-regret | n{2} g(0,inf) | Min(g*n, log(n)/g) <= sqrt(n*log(n))
learn-perceptron | r(0,inf) g(0,inf) m{1} | m <= r**2/g**2 | m*g <= r*sqrt(m)
learn-sigmoid-difference | x y | Abs(1/(1 + exp(-x)) - 1/(1 + exp(-y))) <= tanh(Abs(x - y)/4)
learn-pac-bayes-compare | n{2} c[0,inf) d(0,1) | (c + log(2*sqrt(n)/d))/(2*n) <= (c + log(n/d))/(2*(n - 1))
opt-descent | l(0,inf) h(0,inf) | h*(1 - l*h/2) >= h/2 | h <= 1/l
opt-linear-rate | m(0,inf) l(0,inf) e(0,1) n{1} | (1 - m/l)**n <= e | m <= l; n >= (l/m - 1/2)*log(1/e)
opt-noisy-recursion | n{1} b(0,inf) x[0,inf) | (1 - 2/(n + 1))*x + b/(n + 1)**2 <= b/(n + 1) | x <= b/n
opt-moreau | x y l[0,inf) | l*Abs(y) + (x - y)**2/2 >= l*Abs(x) - l**2/2
opt-two-phase-step | l(0,inf) a(0,inf) b(0,inf) h(0,inf) | a/h + h*b <= l*a + 2*sqrt(a*b) | h == Min(1/l, sqrt(a/b))
opt-log-cosh-gradient | x | tanh(x)**2 <= 2*log(cosh(x))
opt-monotone-step | m(0,inf) l(0,inf) h(0,inf) | 1 - 2*h*m + h**2*l**2 < 1 | h < 2*m/l**2
step-noise-ball | m(0,inf) h(0,inf) n{0} | h*Sum((1 - h*m)**k, (k, 0, n)) <= 1/m | h <= 1/m
step-root-lower | n{1} | Sum(1/sqrt(k), (k, 1, n)) >= 2*sqrt(n + 1) - 2
step-square-tail | m{1} n{1} | Sum(1/k**2, (k, m, n)) <= 2/m | m <= n
step-square-geometric | n{1} q[0,1) | Sum(k**2*q**k, (k, 1, n)) <= q*(1 + q)/(1 - q)**3
step-weighted-average | n{1} | 2/(n*(n + 1))*Sum(2*k/(k + 1), (k, 1, n)) <= 4/(n + 1)
step-power | n{1} p[0,1) | Sum(k**(-p), (k, 1, n)) <= n**(1 - p)/(1 - p)
step-product-decay | n{1} a[0,1] | Product(1 - a/k, (k, 1, n)) <= (n + 1)**(-a)
int-mean-entropy | | Integral(-t*log(t) - (1 - t)*log(1 - t), (t, 0, 1)) == 1/2
int-softplus | x[-5,5] | Integral(1/(1 + exp(-t)), (t, 0, x)) == log(1 + exp(x)) - log(2)
int-damped-cosine | a[1,inf) w[-3,3] | Integral(exp(-a*t)*cos(w*t), (t, 0, oo)) == a/(a**2 + w**2)
int-coupon | n{1} | Integral((1 - (1 - t)**n)/t, (t, 0, 1)) == harmonic(n)
int-jensen | x[0,inf) | Integral(exp(-t**2/2), (t, 0, x)) >= x*exp(-x**2/6)
int-truncated-mean | x[0,inf) | Integral(t*exp(-t), (t, x, oo)) == (x + 1)*exp(-x)
num-blocks | n{1} m{1} | m*ceiling(n/m) <= n + m - 1
num-norm-form | n{} m{} r{} | n**2 + n*m + m**2 != 3*r + 2
num-root | n{1} | n**(1/n) <= 1 + sqrt(2/n)
num-power-compare | n{3} | n**(n + 1) > (n + 1)**n
spec-beta-lower | x[1,inf) y[1,inf) | gamma(x)*gamma(y)/gamma(x + y) >= x**(x - 1)*y**(y - 1)/(x + y)**(x + y - 1)
spec-erf-square | x[0,inf) | erf(x)**2 >= 1 - exp(-x**2)
spec-bessel-cosh | x | besseli(0, x) >= cosh(x/sqrt(2))
spec-lambert-upper | x[3,inf) | LambertW(x) <= log(x) - log(log(x))/2
trig-redheffer | x[0,3] | sin(x)*(pi**2 + x**2) >= x*(pi**2 - x**2)
trig-sinc-gauss | x[0,3] | sin(x) <= x*exp(-x**2/6)
trig-multiple-angle | n{1} x | Abs(sin(n*x)) <= n*Abs(sin(x))
trig-tanh-subadditive | x[0,inf) y[0,inf) | tanh(x + y) <= tanh(x) + tanh(y)
two-hoelder | a[0,inf) b[0,inf) c[0,inf) d[0,inf) | (a*c + b*d)**3 <= (a**3 + b**3)*(c**(3/2) + d**(3/2))**2
two-polya-mean | x(0,inf) y(0,inf) | (x - y)/(log(x) - log(y)) <= (2*sqrt(x*y) + (x + y)/2)/3 | x > y
two-cyclic-refined | x(0,inf) y(0,inf) z(0,inf) | x**2/y + y**2/z + z**2/x >= x + y + z + 4*(x - y)**2/(x + y + z)
two-power-difference | x[0,inf) y[0,inf) p[1,inf) | Abs(x**p - y**p) <= p*Abs(x - y)*Max(x, y)**(p - 1)
exist-noise-scale | s(0,inf) | exists 1/(2*s**2) + sqrt(2*log(100000))/s == 1
exist-integer-peak | n{1} | exists n*exp(-n/10) >= 367/100
exist-best-weight | h(0,1) | exists (1 - h)**2 + h**2/4 <= 1/5
exist-pythagoras | m{1} n{1} | exists m**2 + n**2 == 4225
exist-logistic-fixed-point | x | exists 1/(1 + exp(-x)) == x
"""

FALSE = """
tail-radial-product | x[0,inf) y[0,inf) | erfc(x)*erfc(y) <= erfc(sqrt(x**2 + y**2 + x*y/4)) | | x=4;y=4
tail-union-level | n{1} d(0,1) s(0,inf) r(0,inf) | 2*n*exp(-r**2/(2*s**2)) <= d | r >= s*sqrt(2*log(n/d)) | n=1;d=1/2;s=1;r=6/5
tail-chi-lower | n{1} e[0,1) | ((1 - e)*exp(e))**(n/2) <= exp(-n*e**2/4 - n*e**3/5) | | n=1;e=1/10
conc-median-of-means | p[0,1/4] d(0,1) m{1} | (4*p*(1 - p))**(m/2) <= d | m >= 34*log(1/d)/5 | p=1/4;d=179/500;m=7
conc-self-bounding-invert | a[0,inf) b[0,inf) x[0,inf) | x <= a + b + sqrt(a*b)/2 | x <= a + sqrt(b*x) | a=1;b=1;x=13/5
conc-khinchine-four | a b c | ((a + b + c)**4 + (a + b - c)**4 + (a - b + c)**4 + (a - b - c)**4)/4 <= 23*(a**2 + b**2 + c**2)**2/10 | | a=1;b=1;c=1
conc-bernstein-size | v(0,inf) s(0,inf) d(0,1) n{1} | 2*exp(-n*s**2/(2*(v + s/3))) <= d | n >= (2*v/s**2 + 1/(2*s))*log(2/d) | v=1/100;s=1;d=1/50;n=3
conc-lower-poisson | l(0,inf) s | exp(l*(exp(-s) - 1 + s)) <= exp(l*s**2/2) | | l=1;s=-1
div-thinning | p(0,1) q(0,1) a(0,1) | a*p*log(p/q) + (1 - a*p)*log((1 - a*p)/(1 - a*q)) <= a**(11/10)*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))) | | p=1/2;q=1/4;a=1/1000
div-shannon-jeffreys | p(0,inf) q(0,inf) | (p*log(2*p/(p + q)) + q*log(2*q/(p + q)))/2 <= (p - q)*log(p/q)/9 | | p=3/2;q=1
div-chi-tensor | n{1} c[0,1] | (1 + c)**n - 1 <= 17*n*c/10 | c <= 1/n | n=100;c=1/100
div-gauss-variation-chi | m[0,inf) | erf(m/(2*sqrt(2))) <= 199*sqrt(exp(m**2) - 1)/500 | | m=1/100
info-fano-size | n{2} c[0,inf) p(0,1) | p >= 1 - (c + 2/3)/log(n) | -p*log(p) - (1 - p)*log(1 - p) + p*log(n) >= log(n) - c | n=8;c=347/1000;p=1/2
info-types-root | n{2} m{1} | binomial(n, m) >= 71/(100*sqrt(n))*n**n/(m**m*(n - m)**(n - m)) | m <= n - 1 | n=2;m=1
info-renyi-half | p(0,1) | 2*log(sqrt(p) + sqrt(1 - p)) <= 5*(-p*log(p) - (1 - p)*log(1 - p)) | | p=1/1000
info-mixture-gap | p(0,1) q(0,1) a(0,1) | -(a*p + (1 - a)*q)*log(a*p + (1 - a)*q) - (1 - a*p - (1 - a)*q)*log(1 - a*p - (1 - a)*q) <= a*(-p*log(p) - (1 - p)*log(1 - p)) + (1 - a)*(-q*log(q) - (1 - q)*log(1 - q)) + 4*log(2)*a*(1 - a) | | p=999/1000;q=1/1000;a=1/4
priv-zcdp-choice | e(0,inf) d(0,1) r(0,inf) | r + 2*sqrt(r*log(1/d)) <= e | r <= e**2/(4*log(1/d) + e) | e=1;d=1/10;r=979/10000
priv-sparse-vector-split | c{1} e(0,inf) x(0,inf) | 1/x**2 + c**2/(e - x)**2 >= 4*(1 + c**2)/e**2 | x < e | c=2;e=1;x=2/5
priv-many-response | n{2} e[0,inf) | e*(exp(e) - 1)/(exp(e) + n - 1) <= e**2/n | | n=3;e=1/10
priv-laplace-below-response | x[0,inf) e[0,inf) | 1 - exp((e - x)/2) <= 99*(exp(x) - exp(e))/(100*(exp(x) + 1)) | e <= x | x=12;e=0
priv-local-contraction | p(0,1) q(0,1) e(0,inf) | (1 + (exp(e) - 1)*p)/(1 + exp(e))*log((1 + (exp(e) - 1)*p)/(1 + (exp(e) - 1)*q)) + (exp(e) - (exp(e) - 1)*p)/(1 + exp(e))*log((exp(e) - (exp(e) - 1)*p)/(exp(e) - (exp(e) - 1)*q)) <= 9*(exp(e) - 1)**2*exp(-e)*(p - q)**2/20 | | p=1/100;q=1/1000;e=3
amp-target-rate | e(0,inf) r(0,inf) q[0,1] | log(1 + q*(exp(e) - 1)) <= r | q <= (r + 3*r**2/5)/(exp(e) - 1) | e=2;r=1/5;q=7/200
amp-steps | n{1} q[0,1] e[0,1] | n*log(1 + q*(exp(e) - 1)) <= 17*n*q*e/10 | | n=1;q=1/1000;e=1
amp-shuffle-regime | n[1,inf) d(0,1) e[0,inf) | sqrt(exp(e)*log(4/d)/n) <= 1/4 | e <= log(n/(15*log(4/d))) | n=100;d=1/2;e=29/25
comp-basic-regime | e[0,inf) d(0,1) n{1} | n*e <= n*e*(exp(e) - 1) + e*sqrt(2*n*log(1/d)) | n <= 3*log(1/d) | e=1/100;d=91/250;n=3
comp-small-total | n{1} d(0,1) e(0,inf) | n*e**2/2 + e*sqrt(2*n*log(1/d)) <= 19*e*sqrt(n*log(1/d))/10 | e <= sqrt(log(1/d)/n) | n=1;d=9/25;e=1
comp-square-budget | n{1} e[0,inf) | e*sqrt(Sum(1/k**2, (k, 1, n))) <= 32*e/25 | | n=200;e=1
comp-logarithm | n{1} e(0,inf) d(0,1) | log(E + e*sqrt(n)/d) <= 99/100 + log(1/d) + e*sqrt(n) | | n=1;e=1/1000;d=999/1000
stat-weibull-median | b[1,inf) | gamma(1 + 1/b) >= log(2)**(1/b) | | b=5
stat-rule-of-three | n{1} p[0,1] | (1 - p)**n <= 1/20 | p >= 299/(100*n) | n=2000;p=299/200000
stat-krichevsky | n{1} | binomial(2*n, n)/4**n >= 1/sqrt(pi*(n + 27/100)) | | n=1
learn-sigmoid-difference | x y | Abs(1/(1 + exp(-x)) - 1/(1 + exp(-y))) <= tanh(9*Abs(x - y)/40) | | x=1;y=-1
learn-gap-regret | n{2} g(0,inf) | Min(g*n, log(n)/g) <= 99*sqrt(n*log(n))/100 | | n=4;g=147/250
learn-margin-loss | n{3} d(0,1) m(0,inf) | log(1 + (n - 1)*exp(-m)) <= d | m >= log((n - 2)/d) | n=3;d=1/10;m=231/100
opt-linear-rate | m(0,inf) l(0,inf) e(0,1) n{1} | (1 - m/l)**n <= e | m <= l; n >= (l/m - 3/5)*log(1/e) | m=1;l=10;e=337/50000;n=47
opt-noisy-recursion | n{1} b(0,inf) x[0,inf) | (1 - 3/(2*(n + 1)))*x + b/(n + 1)**2 <= b/(n + 1) | x <= b/n | n=2;b=1;x=1/2
opt-two-phase-step | l(0,inf) a(0,inf) b(0,inf) h(0,inf) | a/h + h*b <= l*a + 19*sqrt(a*b)/10 | h == Min(1/l, sqrt(a/b)) | l=1/100;a=1;b=1;h=1
opt-log-cosh-gradient | x | tanh(x)**2 <= 19*log(cosh(x))/10 | | x=1/10
step-square-tail | m{1} n{1} | Sum(1/k**2, (k, m, n)) <= 1/m + 1/(2*m**2) | m <= n | m=1;n=7
step-product-decay | n{1} a[0,1] | Product(1 - a/k, (k, 1, n)) <= (n + 2)**(-a) | | n=1;a=1/10
int-jensen | x[0,inf) | Integral(exp(-t**2/2), (t, 0, x)) >= x*exp(-x**2/7) | | x=1/2
num-root | n{1} | n**(1/n) <= 1 + 17/(20*sqrt(n)) | | n=6
spec-erf-square | x[0,inf) | erf(x)**2 >= 1 - exp(-11*x**2/10) | | x=4
spec-gautschi | x(0,inf) s(0,2) | gamma(x + s) <= x**s*gamma(x) | | x=1;s=3/2
trig-sinc-gauss | x[0,3] | sin(x) <= x*exp(-x**2/6 - x**4/170) | | x=1/2
trig-multiple-angle | n{1} x | Abs(cos(n*x)) <= n*Abs(cos(x)) | | n=2;x=157/100
two-polya-mean | x(0,inf) y(0,inf) | (x - y)/(log(x) - log(y)) <= 7*sqrt(x*y)/10 + 3*(x + y)/20 | x > y | x=2;y=1
two-power-difference | x(0,inf) y(0,inf) p(0,inf) | Abs(x**p - y**p) <= p*Abs(x - y)*Max(x, y)**(p - 1) | | x=1;y=1/100;p=1/2
exist-best-weight | h(0,1) | exists (1 - h)**2 + h**2/4 <= 199/1000
exist-egyptian | m{1} n{1} | exists 1/m + 1/n == 4/13
"""

CLAIMS = read("seventh", TRUE, FALSE)
