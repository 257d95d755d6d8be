"""Statements as a reviewer or author of papers in privacy, information, statistics, learning and optimisation types them.

Held out: written without a look at the engine, and never tuned to. The first syllable of a name is the theme: tails,
concentration, divergences, information, privacy, amplification, composition, statistics, learning, optimisation, step
sums, integrals, numbers, special functions, trigonometry, two variables, existence.
"""

from .known import read

TRUE = """
tail-gordon | x(0,inf) | sqrt(pi/2)*exp(x**2/2)*erfc(x/sqrt(2)) >= x/(x**2 + 1)
tail-third-convergent | x(0,inf) | sqrt(pi/2)*exp(x**2/2)*erfc(x/sqrt(2)) <= (x**2 + 2)/(x**3 + 3*x)
tail-two-exponentials | x[0,inf) | erfc(x) <= exp(-2*x**2)/2 + exp(-x**2)/2
tail-gamma-mills | a[1,inf) x(0,inf) | uppergamma(a, x) <= x**a*exp(-x)/(x - a + 1) | x > a - 1
tail-bernstein-two-sided | u(-1,inf) | (1 + u)*log(1 + u) - u >= u**2/(2 + 2*u/3)
tail-okamoto | p[1/2,1) q(0,1) | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) >= (q - p)**2/(2*p*(1 - p)) | p <= q
tail-maximum | n{1} t[0,inf) | 1 - (1 - exp(-t))**n <= n*exp(-t)
tail-shift | x[0,inf) y[0,inf) | erfc(x + y) <= exp(-y**2 - 2*x*y)*erfc(x)
tail-poisson-six | l(0,inf) t(0,inf) | t - l - t*log(t/l) <= -t*log(2) | t >= 6*l
tail-cauchy | x(0,inf) | 1/2 - atan(x)/pi <= 1/(pi*x)
conc-bernstein-mgf | x(-inf,3) | exp(x) - 1 - x <= x**2/(2*(1 - x/3))
conc-hoeffding-endpoints | a(-inf,0) b(0,inf) s | (b*exp(a*s) - a*exp(b*s))/(b - a) <= exp(s**2*(b - a)**2/8)
conc-chi-square-mgf | s[0,1/2) | -s - log(1 - 2*s)/2 <= s**2/(1 - 2*s)
conc-exponential-mgf | s[-1/2,1/2] | exp(-s)/(1 - s) <= exp(s**2)
conc-bennett-bernstein | v(0,inf) c(0,inf) t[0,inf) | v/c**2*((1 + c*t/v)*log(1 + c*t/v) - c*t/v) >= t**2/(2*(v + c*t/3))
conc-bhatia-davis | a b m | (b - m)*(m - a) <= (b - a)**2/4
conc-max-gaussian | n{2} s(0,inf) v(0,inf) | log(n)/s + s*v/2 >= sqrt(2*v*log(n))
conc-sub-gamma-dual | l(0,inf) t(0,inf) v(0,inf) c(0,inf) | l*t - v*l**2/(2*(1 - c*l)) <= v/c**2*(1 + c*t/v - sqrt(1 + 2*c*t/v)) | c*l < 1
conc-chernoff-two-plus | d[0,inf) | d - (1 + d)*log(1 + d) <= -d**2/(2 + d)
conc-self-bounded-cosh | x | cosh(x) - 1 <= x**2/2*cosh(x)
div-bhattacharyya | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= -2*log(sqrt(p*q) + sqrt((1 - p)*(1 - q)))
div-hellinger-variation | p[0,1] q[0,1] | 1 - sqrt(p*q) - sqrt((1 - p)*(1 - q)) <= Abs(p - q)
div-jensen-shannon | p(0,1) q(0,1) | (p*log(2*p/(p + q)) + (1 - p)*log(2*(1 - p)/(2 - p - q)) + q*log(2*q/(p + q)) + (1 - q)*log(2*(1 - q)/(2 - p - q)))/2 <= log(2)*Abs(p - q)
div-gauss-variance | u(0,inf) v(0,inf) | u/v - 1 - log(u/v) <= (u - v)**2/(u*v)
div-gauss-variation-lower | m[0,inf) | erf(m/(2*sqrt(2))) >= Min(1, m)/5
div-gauss-hellinger | m[0,inf) | 1 - exp(-m**2/8) <= erf(m/(2*sqrt(2)))
div-exponential-hellinger | l(0,inf) m(0,inf) | log(l/m) + m/l - 1 >= 2*(1 - 2*sqrt(l*m)/(l + m))
div-poisson-chi-square | l(0,inf) m(0,inf) | l*log(l/m) - l + m <= (l - m)**2/m
div-renyi-two-three | p(0,1) q(0,1) | log(p**2/q + (1 - p)**2/(1 - q)) <= log(p**3/q**2 + (1 - p)**3/(1 - q)**2)/2
div-renyi-max | p(0,1) q(0,1) | log(p**2/q + (1 - p)**2/(1 - q)) <= Max(log(p/q), log((1 - p)/(1 - q)))
div-log-sum | a(0,inf) b(0,inf) c(0,inf) d(0,inf) | (a + b)*log((a + b)/(c + d)) <= a*log(a/c) + b*log(b/d)
div-geometric-law | p(0,1) q(0,1) | log(p/q) + (1 - p)/p*log((1 - p)/(1 - q)) >= 2*(p - q)**2
div-vajda | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= log((1 + Abs(p - q))/(1 - Abs(p - q))) - 2*Abs(p - q)/(1 + Abs(p - q))
div-laplace-hellinger | x[0,inf) | x - 1 + exp(-x) >= 2 - (2 + x)*exp(-x/2)
info-root | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 2*log(2)*sqrt(p*(1 - p))
info-quadratic | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) >= 4*log(2)*p*(1 - p)
info-entropy-continuity | x(0,1) y(0,1] | Abs(x*log(x) - y*log(y)) <= -(y - x)*log(y - x) | x < y; y - x <= 1/2
info-symmetric-capacity | p(0,1) | log(2) + p*log(p) + (1 - p)*log(1 - p) >= (1 - 2*p)**2/2
info-waterfilling | x[0,inf) y[0,inf) | log(1 + x) + log(1 + y) <= 2*log(1 + (x + y)/2)
info-geometric-entropy | p(0,1) | -log(p) - (1 - p)/p*log(1 - p) <= 1 - log(p)
info-hamming-ball | n{2} m{1} | Sum(binomial(n, k), (k, 0, m)) <= n**n/(m**m*(n - m)**(n - m)) | 2*m <= n
info-hypercontractive | x | ((1 + x/sqrt(3))**4 + (1 - x/sqrt(3))**4)/2 <= (1 + x**2)**2
info-log-sobolev | a(0,inf) b(0,inf) | a**2*log(a) + b**2*log(b) - (a**2 + b**2)/2*log((a**2 + b**2)/2) <= (a - b)**2/2
priv-kl-response | e[0,inf) | e*(exp(e) - 1)/(exp(e) + 1) <= e**2/2
priv-bounded-range | e(0,inf) | e/(1 - exp(-e)) - 1 - log(e/(1 - exp(-e))) <= e**2/8
priv-gdp-at-zero | m[0,inf) | erfc(-m/(2*sqrt(2))) - erfc(m/(2*sqrt(2))) == 2*erf(m/(2*sqrt(2)))
priv-gdp-below-variation | m(0,inf) e[0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= 2*erf(m/(2*sqrt(2)))
priv-gdp-monotone | m(0,inf) r(0,inf) e[0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= erfc((e/r - r/2)/sqrt(2)) - exp(e)*erfc((e/r + r/2)/sqrt(2)) | m <= r
priv-conversion-factor | a(1,inf) | (1 - 1/a)**a/(a - 1) <= 1
priv-zcdp-triangle | a[0,inf) b[0,inf) c(0,inf) | (sqrt(a) + sqrt(b))**2 <= (1 + c)*a + (1 + 1/c)*b
priv-tcdp-tail | r(0,inf) d(0,1) w(1,inf) | r*w + log(1/d)/(w - 1) <= r + 2*log(1/d)/(w - 1) | log(1/d) >= (w - 1)**2*r
priv-geometric-absolute | e(0,inf) | 2*exp(-e)/(1 - exp(-2*e)) <= 1/e
priv-geometric-window | a(0,1) n{0} | Sum((1 - a)/(1 + a)*a**Abs(k), (k, -n, n)) == 1 - 2*a**(n + 1)/(1 + a)
priv-unary-encoding | n{2} e(0,inf) | (n - 2 + exp(e))/(exp(e) - 1)**2 <= 4*exp(e)/(exp(e) - 1)**2 | n <= 3*exp(e) + 2
priv-split-budget | e(0,inf) | (exp(e/2) + 1)/(exp(e/2) - 1) <= 2*(exp(e) + 1)/(exp(e) - 1)
priv-hockey-stick | x[0,inf) e[0,inf) | (exp(x) - exp(e))/(exp(x) + 1) <= Max(0, x - e)
priv-strong-contraction | p(0,1) q(0,1) b(0,1) | ((1 - b)*p + b*(1 - p))*log(((1 - b)*p + b*(1 - p))/((1 - b)*q + b*(1 - q))) + ((1 - b)*(1 - p) + b*p)*log(((1 - b)*(1 - p) + b*p)/((1 - b)*(1 - q) + b*q)) <= (1 - 2*b)**2*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)))
amp-jensen | q[0,1] e | log(1 + q*(exp(e) - 1)) >= q*e
amp-invert | q(0,1] e[0,inf) | log(1 + q*(exp(log(1 + (exp(e) - 1)/q)) - 1)) == e
amp-cumulant | q[1/2,1] e[0,inf) | log(1 + q*(exp(e) - 1)) <= q*e + q*(1 - q)*e**2/2
amp-subsampled-gauss | q(0,1) s[0,inf) n{2} | Sum(binomial(n, k)*(1 - q)**(n - k)*q**k*exp(k*(k - 1)*s), (k, 0, n)) <= 1 + q*(exp(n*(n - 1)*s) - 1)
amp-with-replacement | n{1} m{1} | 1 - (1 - 1/n)**m <= m/n
comp-gdp-bound | a[0,inf) b[0,inf) | (a + b)/sqrt(2) <= sqrt(a**2 + b**2)
comp-decay | n{1} | Sum(1/k**2, (k, 1, n)) <= pi**2/6 - 1/(n + 1)
comp-small-step | m{1} e[0,1] | m*e*(exp(e) - 1) <= 2*m*e**2
comp-budget | m{1} b(0,1] d(0,1/2] s(0,1) | s*sqrt(2*m*log(1/d)) + m*s*(exp(s) - 1) <= b | s == b/(2*sqrt(2*m*log(1/d)))
stat-wendel | x(0,inf) s(0,1) | gamma(x + 1) <= (x + s)**(1 - s)*gamma(x + s)
stat-chi-mean | n{1} | sqrt(2)*gamma((n + 1)/2)/gamma(n/2) >= n/sqrt(n + 1)
stat-student-peak | v(0,inf) | gamma((v + 1)/2)/(sqrt(v*pi)*gamma(v/2)) <= 1/sqrt(2*pi)
stat-arcsine | p[0,1] q[0,1] | Abs(asin(sqrt(p)) - asin(sqrt(q))) >= Abs(p - q)
stat-beta-variance | a(0,inf) b(0,inf) | a*b/((a + b)**2*(a + b + 1)) <= 1/(4*(a + b + 1))
stat-missing-mass | x[0,1] n{1} | x*(1 - x)**n <= 1/(E*n)
stat-coupon | n{1} | n*harmonic(n) <= n*log(n) + n
stat-minimax-binomial | n{1} p[0,1] | (n*p*(1 - p) + n*(1/2 - p)**2)/(n + sqrt(n))**2 == 1/(4*(1 + sqrt(n))**2)
stat-two-point | m[0,inf) | m**2*erfc(m/(2*sqrt(2))) <= 133/100
stat-logistic-information | x | exp(x)/(1 + exp(x))**2 >= exp(-Abs(x))/4
learn-exponential-loss | x | log(1 + exp(-x)) <= exp(-x)
learn-hedge-rate | n{2} m{1} h(0,inf) | log(n)/h + h*m/8 == sqrt(m*log(n)/2) | h == sqrt(8*log(n)/m)
learn-pac-bayes-lambda | q(0,1) p(0,1) c(0,inf) l(0,2) | p <= q/(1 - l/2) + c/(l*(1 - l/2)) | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) <= c
learn-lipschitz | x y | Abs(log(1 + exp(x)) - log(1 + exp(y))) <= Abs(x - y)
learn-log-inversion | a[1,inf) b(0,inf) x(0,inf) | x >= a*log(x) + b | x >= 4*a*log(2*a) + 2*b
learn-swish | x | x/(1 + exp(-x)) >= -7/25
learn-log-brier | p(0,1] | -log(p) >= 1 - p + (1 - p)**2/2
learn-doubling-trick | n{0} | Sum(sqrt(2)**k, (k, 0, n)) <= sqrt(2)/(sqrt(2) - 1)*sqrt(2)**n
opt-recursion | x(0,1) n{1} | x - x**2 <= 1/(n + 1) | x <= 1/n
opt-coercive | m(0,inf) l(0,inf) h(0,inf) x | m*l/(m + l)*x**2 + (h*x)**2/(m + l) <= h*x**2 | m <= h; h <= l
opt-root-smooth | x y | sqrt(1 + y**2) <= sqrt(1 + x**2) + x/sqrt(1 + x**2)*(y - x) + (y - x)**2/2
opt-newton-decrement | t[0,inf) | t - log(1 + t) >= t**2/(2*(1 + t))
opt-three-point | x(0,inf) y(0,inf) z(0,inf) | x*log(x/z) - x + z == x*log(x/y) - x + y + y*log(y/z) - y + z + (log(y) - log(z))*(x - y)
opt-soft-threshold | x y l[0,inf) | Abs(Max(x - l, 0) - Max(-x - l, 0) - Max(y - l, 0) + Max(-y - l, 0)) <= Abs(x - y)
opt-fenchel-young | x(0,inf) y | x*y <= x*log(x) - x + exp(y)
step-wallis | n{1} | Product(1 - 1/(2*k), (k, 1, n)) <= 1/sqrt(2*n + 1)
step-odd-harmonic | n{1} | Sum(1/(2*k - 1), (k, 1, n)) >= log(2*n + 1)/2
step-sqrt-trapezoid | n{1} | Sum(sqrt(k), (k, 1, n)) <= 2*n**(3/2)/3 + sqrt(n)/2
int-gauss-characteristic | x[-3,3] | Integral(exp(-t**2/2)*cos(x*t), (t, -oo, oo)) == sqrt(2*pi)*exp(-x**2/2)
int-dudley | | Integral(sqrt(log(1/t)), (t, 0, 1)) == sqrt(pi)/2
int-mean-absolute | x[0,1] | Integral(Abs(t - x), (t, 0, 1)) == x**2 - x + 1/2
int-cauchy-tail | x(0,inf) | Integral(1/(1 + t**2), (t, x, oo)) == pi/2 - atan(x)
num-robbins | n{1} | factorial(n) >= sqrt(2*pi*n)*(n/E)**n*exp(1/(12*n + 1))
num-euler-half | n{1} | (1 + 1/n)**(n + 1/2) >= E
num-square-mod-three | n{} m{} | n**2 - 3*m != 2
spec-digamma-lower | x(0,inf) | digamma(x) >= log(x) - 1/(2*x) - 1/(12*x**2)
spec-bessel-ratio | x[0,inf) | besseli(1, x) >= x/(1 + sqrt(1 + x**2))*besseli(0, x)
spec-gamma-log-convex | x(0,inf) y(0,inf) | loggamma((x + y)/2) <= (loggamma(x) + loggamma(y))/2
trig-wilker | x(0,3/2] | (sin(x)/x)**2 + tan(x)/x >= 2
trig-lazarevic | x(0,inf) | (sinh(x)/x)**3 >= cosh(x)
trig-three-cosines | x y | cos(x) + cos(y) + cos(x + y) >= -3/2
two-seiffert | x(0,inf) y(0,inf) | (y - x)/(2*asin((y - x)/(x + y))) >= sqrt(x*y) | x < y
two-exponents | x(0,1) y(0,1) | x**y + y**x >= 1
two-young | x[0,inf) y[0,inf) p(1,inf) | x*y <= x**p/p + (p - 1)/p*y**(p/(p - 1))
exist-contraction | h(0,1) | exists Max(Abs(1 - h), Abs(1 - 10*h)) <= 9/11
exist-taxicab | m{1} n{1} | exists m**3 + n**3 == 1729
"""

FALSE = """
tail-chiani | x[0,inf) | erfc(x) <= exp(-x**2)/6 + exp(-4*x**2/3)/2 | | x=1/10
tail-two-terms | x[1,inf) | sqrt(pi/2)*exp(x**2/2)*erfc(x/sqrt(2)) >= 1/x - 1/(2*x**3) | | x=3
tail-gamma | a[1,inf) x(0,inf) | uppergamma(a, x) <= x**(a - 1)*exp(-x) | | a=2;x=1
tail-poisson-four | l(0,inf) t(0,inf) | t - l - t*log(t/l) <= -t*log(2) | t >= 4*l | l=1;t=4
tail-okamoto | p(0,1) q(0,1) | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) >= (q - p)**2/(2*p*(1 - p)) | p <= q | p=1/10;q=1/5
tail-shift | x[0,inf) y[0,inf) | erfc(x + y) <= exp(-2*y**2 - 2*x*y)*erfc(x) | | x=0;y=1
conc-exponential-mgf | s(-1,1) | exp(-s)/(1 - s) <= exp(s**2) | | s=9/10
conc-bernstein-mgf | x(-inf,3) | exp(x) - 1 - x <= x**2/(2*(1 - x/4)) | | x=2
conc-hoeffding-endpoints | a(-inf,0) b(0,inf) s | (b*exp(a*s) - a*exp(b*s))/(b - a) <= exp(s**2*(b - a)**2/10) | | a=-1;b=1;s=1/2
conc-chi-square-mgf | s[0,1/2) | -s - log(1 - 2*s)/2 <= s**2 | | s=1/4
conc-chernoff-half | d[0,inf) | d - (1 + d)*log(1 + d) <= -d**2/(2 + d/2) | | d=1
conc-max-gaussian | n{2} s(0,inf) v(0,inf) | log(n)/s + s*v/2 <= sqrt(2*v*log(n)) | s <= sqrt(2*log(n)/v) | n=2;s=1/2;v=1
div-gauss-variation-lower | m[0,inf) | erf(m/(2*sqrt(2))) >= 2*Min(1, m)/5 | | m=1
div-jensen-shannon | p(0,1) q(0,1) | (p*log(2*p/(p + q)) + (1 - p)*log(2*(1 - p)/(2 - p - q)) + q*log(2*q/(p + q)) + (1 - q)*log(2*(1 - q)/(2 - p - q)))/2 <= Abs(p - q)/2 | | p=99/100;q=1/100
div-bhattacharyya | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= -3*log(sqrt(p*q) + sqrt((1 - p)*(1 - q))) | | p=1/1000;q=1/2
div-exponential-hellinger | l(0,inf) m(0,inf) | log(l/m) + m/l - 1 >= 4*(1 - 2*sqrt(l*m)/(l + m)) | | l=2;m=1
div-poisson-chi-square | l(0,inf) m(0,inf) | l*log(l/m) - l + m <= (l - m)**2/(2*m) | | l=1;m=4
div-renyi-two-three | p(0,1) q(0,1) | log(p**3/q**2 + (1 - p)**3/(1 - q)**2)/2 <= 3*log(p**2/q + (1 - p)**2/(1 - q))/2 | | p=1/100;q=1/10000
div-gauss-variance | u(0,inf) v(0,inf) | u/v - 1 - log(u/v) <= (u - v)**2/(2*v**2) | | u=1/2;v=1
div-gauss-hellinger | m[0,inf) | 1 - exp(-m**2/4) <= erf(m/(2*sqrt(2))) | | m=3
info-quadratic | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 5*p*(1 - p) | | p=1/1000
info-entropy-continuity | x(0,1) y(0,1] | Abs(x*log(x) - y*log(y)) <= -(y - x)*log(y - x) | x < y | x=1/100;y=1
info-hamming-ball | n{2} m{1} | Sum(binomial(n, k), (k, 0, m)) <= n**n/(m**m*(n - m)**(n - m)) | m < n | n=3;m=2
info-log-sobolev | a(0,inf) b(0,inf) | a**2*log(a) + b**2*log(b) - (a**2 + b**2)/2*log((a**2 + b**2)/2) <= (a - b)**2/3 | | a=1;b=9/10
info-symmetric-capacity | p(0,1) | log(2) + p*log(p) + (1 - p)*log(1 - p) >= 3*(1 - 2*p)**2/5 | | p=2/5
priv-bounded-range | e(0,inf) | e/(1 - exp(-e)) - 1 - log(e/(1 - exp(-e))) <= e**2/9 | | e=1/10
priv-conversion-factor | a(1,inf) | (1 - 1/a)**a/(a - 1) <= 1/(3*(a - 1)) | | a=10
priv-tcdp | r(0,inf) d(0,1) w(1,inf) | r*w + log(1/d)/(w - 1) <= r + 2*sqrt(r*log(1/d)) | log(1/d) >= (w - 1)**2*r | r=1;d=1/50;w=2
priv-unary-encoding | n{2} e(0,inf) | (n - 2 + exp(e))/(exp(e) - 1)**2 <= 4*exp(e)/(exp(e) - 1)**2 | n <= 3*exp(e) + 3 | n=6;e=1/10
priv-hockey-stick | x[0,inf) e[0,inf) | (exp(x) - exp(e))/(exp(x) + 1) <= Max(0, x - e)/2 | | x=3;e=2
priv-expected-loss | e[0,1] | e*(exp(e) - 1) <= e**2 | | e=1/10
priv-strong-contraction | p(0,1) q(0,1) b(0,1/2) | ((1 - b)*p + b*(1 - p))*log(((1 - b)*p + b*(1 - p))/((1 - b)*q + b*(1 - q))) + ((1 - b)*(1 - p) + b*p)*log(((1 - b)*(1 - p) + b*p)/((1 - b)*(1 - q) + b*q)) <= (1 - 2*b)**3*(p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))) | | p=1/2;q=11/20;b=1/4
priv-geometric-window | a(0,1) n{0} | Sum((1 - a)/(1 + a)*a**Abs(k), (k, -n, n)) == 1 - 2*a**n/(1 + a) | | a=1/2;n=1
priv-gdp-below-variation | m(0,inf) e[0,inf) | erfc((e/m - m/2)/sqrt(2)) - exp(e)*erfc((e/m + m/2)/sqrt(2)) <= erf(m/(2*sqrt(2))) | | m=1;e=1/10
amp-cumulant | q[0,1] e[0,inf) | log(1 + q*(exp(e) - 1)) <= q*e + q*(1 - q)*e**2/2 | | q=1/10;e=1
amp-invert | q(0,1] e[0,inf) | log(1 + q*(exp(e/q) - 1)) <= e | | q=1/2;e=1
comp-decay | n{1} | Sum(1/k**2, (k, 1, n)) <= pi**2/6 - 1/(n + 1/2) | | n=3
comp-budget | m{1} b(0,1] d(0,1/2] s(0,1) | s*sqrt(2*m*log(1/d)) + m*s*(exp(s) - 1) <= b | s == b/sqrt(2*m*log(1/d)) | m=1;b=1;d=1/10;s=1/sqrt(2*log(10))
stat-wendel | x(0,inf) s(0,1) | gamma(x + 1) <= (x + s/2)**(1 - s)*gamma(x + s) | | x=1;s=1/2
stat-missing-mass | x[0,1] n{1} | x*(1 - x)**n <= 1/(E*(n + 1)) | | x=1/10;n=9
stat-coupon | n{1} | n*harmonic(n) <= n*log(n) + n*EulerGamma + 2/5 | | n=5
stat-two-point | m[0,inf) | m**2*erfc(m/(2*sqrt(2))) <= 33/25 | | m=12/5
stat-arcsine | p[0,1] q[0,1] | Abs(asin(sqrt(p)) - asin(sqrt(q))) <= pi*Abs(p - q)/2 | | p=0;q=1/100
stat-chi-mean | n{1} | sqrt(2)*gamma((n + 1)/2)/gamma(n/2) >= sqrt(n - 2/5) | | n=2
learn-log-inversion | a[1,inf) b(0,inf) x(0,inf) | x >= a*log(x) + b | x >= 2*a*log(a) + b | a=2;b=3;x=6
learn-swish | x | x/(1 + exp(-x)) >= -139/500 | | x=-32/25
learn-pac-bayes-lambda | q(0,1) p(0,1) c(0,inf) l(0,2) | p <= q/(1 - l/2) + c/(2*l*(1 - l/2)) | q*log(q/p) + (1 - q)*log((1 - q)/(1 - p)) <= c | q=1/10;p=3/10;c=12/100;l=4/5
opt-recursion | x(0,1) n{1} | x - x**2 <= 1/(n + 1) | x <= 2/n | x=1/2;n=4
opt-coercive | m(0,inf) l(0,inf) h(0,inf) x | m*l/(m + l)*x**2 + (h*x)**2/(m + l) <= h*x**2 | m <= h; m <= l | m=1;l=2;h=3;x=1
opt-newton-decrement | t[0,inf) | t - log(1 + t) >= t**2/(2 + t) | | t=1
opt-root-smooth | x y | sqrt(1 + y**2) <= sqrt(1 + x**2) + x/sqrt(1 + x**2)*(y - x) + (y - x)**2/4 | | x=0;y=1/2
step-wallis | n{1} | Product(1 - 1/(2*k), (k, 1, n)) <= 1/sqrt(pi*(n + 1/2)) | | n=5
step-odd-harmonic | n{1} | Sum(1/(2*k - 1), (k, 1, n)) >= log(2*n + 1)/2 + 1/2 | | n=1
int-dudley | | Integral(sqrt(log(1/t)), (t, 0, 1)) == sqrt(pi) | |
num-robbins | n{1} | factorial(n) <= sqrt(2*pi*n)*(n/E)**n*exp(1/(12*n + 1)) | | n=3
num-euler-half | n{1} | (1 + 1/n)**(n + 49/100) >= E | | n=20
spec-digamma-lower | x(0,inf) | digamma(x) >= log(x) - 1/(2*x) - 1/(13*x**2) | | x=5
trig-lazarevic | x(0,inf) | (sinh(x)/x)**(14/5) >= cosh(x) | | x=1/2
trig-three-cosines | x y | cos(x) + cos(y) + cos(x + y) >= -7/5 | | x=21/10;y=21/10
two-exponents | x(0,1) y(0,1) | x**y + y**x >= 21/20 | | x=1/1000;y=1/2
two-young | x[0,inf) y[0,inf) p(1,inf) | x*y <= (p - 1)/p*x**p + y**(p/(p - 1))/p | | x=1/2;y=1;p=3
exist-contraction | h(0,1) | exists Max(Abs(1 - h), Abs(1 - 10*h)) <= 4/5
exist-two-cubes | m{} n{} | exists m**3 + n**3 == 4
"""

CLAIMS = read("fifth", TRUE, FALSE)
