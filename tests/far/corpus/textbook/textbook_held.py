"""The half of the textbook statements that nobody looked at while the engine was tuned."""

from .known import read

TRUE = """
arctan-bounded | x | atan(x) < pi/2
atan-sum | x(0,inf) | atan(x) + atan(1/x) == pi/2
bernoulli-real | x(-1,inf) r[1,inf) | (1 + x)**r >= 1 + r*x
binomial-symmetric | n{0} k{0} | binomial(n, k) == binomial(n, n - k) | k <= n
binomial-two | n{2} | binomial(n, 2) == n*(n - 1)/2
cauchy-schwarz | a b c d | (a*c + b*d)**2 <= (a**2 + b**2)*(c**2 + d**2)
central-lower | n{1} | binomial(2*n, n) >= 4**n/(2*n + 1)
central-upper | n{1} | binomial(2*n, n) <= 4**n
closed-log | | log(2) + log(3) == log(6)
closed-pi | | pi < 22/7
closed-roots | | sqrt(2) + sqrt(3) == sqrt(5 + 2*sqrt(6))
compound-upper | x(0,inf) | (1 + 1/x)**x < E
cosh-product | x y | cosh(x)*cosh(y) >= cosh(x + y)/2
cosh-sinh | x | cosh(x)**2 - sinh(x)**2 == 1
cosh-sum | x y | cosh(x + y) == cosh(x)*cosh(y) + sinh(x)*sinh(y)
cosine-quadratic | x | cos(x) >= 1 - x**2/2
derivative-xlogx | x(0,inf) | Derivative(x*log(x) - x, x) == log(x)
entropy-upper | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= log(2)
erfc-reflect | x | erfc(-x) == 2 - erfc(x)
exp-cubic | x | exp(x) >= 1 + x + x**2/2 + x**3/6
exp-line | x | exp(x) >= 1 + x
exp-positive | x | exp(x) > 0
fano-step | p(0,1/2] | -p*log(p) - (1 - p)*log(1 - p) <= p*log(1/p) + p
fenchel-exp | x(0,inf) y | x*y <= x*log(x) - x + exp(y)
gauss-density | x | exp(-x**2/2)/sqrt(2*pi) <= 2/5
gauss-kl | m s(0,inf) | (s**2 + m**2 - 1 - 2*log(s))/2 >= 0
geometric-series | q[0,1) | 1/(1 - q) >= 1 + q + q**2
geometric-tanh | e | (1 - exp(-e))/(1 + exp(-e)) == tanh(e/2)
gibbs | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 0
group-delta | k{1} e(0,inf) | (exp(k*e) - 1)/(exp(e) - 1) >= k
group-zcdp | k{1} r[0,inf) | k**2*r >= k*r
harmonic-geometric | x(0,inf) y(0,inf) | 2/(1/x + 1/y) <= sqrt(x*y)
integer-square | n{} | n**2 >= n
integral-below | x[0,inf) | Integral(exp(-t**2), (t, 0, x)) <= x
integral-closed | | Integral(t**2*exp(-t), (t, 0, 1)) == 2 - 5*exp(-1)
jensen-exp | x y | exp((x + y)/2) <= (exp(x) + exp(y))/2
jensen-log | x(0,inf) y(0,inf) | log((x + y)/2) >= (log(x) + log(y))/2
jensen-shannon | p(0,inf) q(0,inf) | p*log(2*p/(p + q)) + q*log(2*q/(p + q)) <= (p + q)*log(2)
jensen-xlogx | x(0,inf) y(0,inf) | (x + y)/2*log((x + y)/2) <= (x*log(x) + y*log(y))/2
kl-chi-square | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) <= (p - q)**2/(q*(1 - q))
kl-hellinger | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(1 - sqrt(p*q) - sqrt((1 - p)*(1 - q)))
lambert-type | x[1,inf) | log(x) <= sqrt(x)
laplace-renyi | a(1,inf) e[0,inf) | log(a/(2*a - 1)*exp((a - 1)*e) + (a - 1)/(2*a - 1)*exp(-a*e))/(a - 1) <= e
log-mean-lower | x(0,inf) y(0,inf) | (y - x)/(log(y) - log(x)) >= sqrt(x*y) | x < y
log-ratio | x(0,inf) y(0,inf) | Abs(log(x/y)) <= Abs(x - y)/Min(x, y)
log-subadditive | x[0,inf) y[0,inf) | log(1 + x + y) <= log(1 + x) + log(1 + y)
log1p-quadratic | x[0,inf) | log(1 + x) >= x - x**2/2
loggamma-step | x(0,inf) | loggamma(x + 1) == loggamma(x) + log(x)
lognormal-variance | s | exp(s**2) - 1 >= s**2
maximum | x y | Max(x, y) == (x + y + Abs(x - y))/2
pascal | n{1} k{1} | binomial(n + 1, k) == binomial(n, k) + binomial(n, k - 1) | k <= n
pinsker | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(p - q)**2
poisson-chernoff | l(0,inf) t(0,inf) | t - l + t*log(l/t) <= 0
power-of-two | n{0} | 2**n >= n + 1
powers-above-one | x(0,1) y(0,1) | x**y + y**x > 1
product-given | x[0,inf) y[0,inf) z[0,inf) | x*y + y*z + z*x <= 1/3 | x + y + z == 1
product-telescope | n{2} | Product(1 - 1/k**2, (k, 2, n)) == (n + 1)/(2*n)
reciprocal-given | x(0,inf) y(0,inf) | 1/x + 1/y >= 4 | x + y == 1
response-renyi | a(1,inf) e[0,inf) | log((exp(a*e) + exp((1 - a)*e))/(1 + exp(e)))/(a - 1) <= e
root-concave | x[0,inf) | sqrt(1 + x) <= 1 + x/2
root-cosine | x[0,1] | exists cos(x) == x
root-quintic | x | exists x**5 + x == 1
root-subadditive | x[0,inf) y[0,inf) | sqrt(x + y) <= sqrt(x) + sqrt(y)
sine-bounded | x | x**2 + sin(x) >= x**2 - 1
sine-cubic | x[0,inf) | sin(x) >= x - x**3/6
sine-line | x[0,inf) | sin(x) <= x
sine-plus-cosine | x | sin(x) + cos(x) <= sqrt(2)
sine-triple | x | sin(3*x) == 3*sin(x) - 4*sin(x)**3
softplus-lower | x | log(1 + exp(x)) >= x
stirling-lower | n{1} | factorial(n) >= sqrt(2*pi*n)*(n/E)**n
stirling-upper | n{1} | factorial(n) <= E*sqrt(n)*(n/E)**n
subsample-lower | e[0,inf) p[0,1] | log(1 + p*(exp(e) - 1)) >= p*e
subsample-upper | e[0,inf) p[0,1] | log(1 + p*(exp(e) - 1)) <= e
sum-basel | n{1} | Sum(1/k**2, (k, 1, n)) <= 2 - 1/n
sum-geometric | n{0} | Sum(2**k, (k, 0, n)) == 2**(n + 1) - 1
sum-harmonic | n{1} | Sum(1/k, (k, 1, n)) >= log(n + 1)
sum-integers | n{1} | Sum(k, (k, 1, n)) == n*(n + 1)/2
sum-k-twok | n{1} | Sum(k*2**k, (k, 1, n)) == (n - 1)*2**(n + 1) + 2
sum-roots | n{1} | Sum(1/sqrt(k), (k, 1, n)) <= 2*sqrt(n)
survival | a[0,1] n{1} | (1 - a)**n <= exp(-a*n)
tanh-double | x | tanh(2*x) == 2*tanh(x)/(1 + tanh(x)**2)
tanh-line | x[0,inf) | tanh(x) <= x
triangle | x y | Abs(x + y) <= Abs(x) + Abs(y)
two-points | x[0,1] e[0,5] | exp(e*x) <= 1 - x + x*exp(e)
x-exp | x | x*exp(-x) <= exp(-1)
young-2 | a[0,inf) b[0,inf) | a*b <= a**2/2 + b**2/2
"""

FALSE = """
amgm-3 | x y z | x**3 + y**3 + z**3 >= 3*x*y*z | | x=-1;y=0;z=0
atan-cubic | x[0,inf) | atan(x) <= x - x**3/3 | | x=1
bennett | u[0,inf) | (1 + u)*log(1 + u) - u >= u**2/2 - u**3/8 | | u=1/10
bernoulli-strict | x[-1,inf) n{1} | (1 + x)**n > 1 + n*x | | x=0;n=1
bernoulli-variance | p[0,1] | p*(1 - p) <= 6/25 | | p=1/2
bernstein | u[0,inf) | (1 + u)*log(1 + u) - u >= u**2/(2 + u/2) | | u=1
beta-variance | a(0,inf) b(0,inf) | a*b/((a + b)**2*(a + b + 1)) <= 1/(5*(a + b + 1)) | | a=1;b=1
binomial-sum | n{0} | Sum(binomial(n, k), (k, 0, n)) == 2**n + n*(n - 1)*(n - 2) | | n=3
binomial-symmetric | n{1} k{1} | binomial(n, k) == binomial(n, n - k + 1) | k <= n | n=2;k=2
cantelli | s[0,inf) t(0,inf) | s**2/(s**2 + t**2) <= s**2/(2*t**2) | | s=1/2;t=1
capacity | p(0,1) | log(2) + p*log(p) + (1 - p)*log(1 - p) <= 5*(p - 1/2)**2/2 | | p=1/1000
cauchy-schwarz | a b c d | (a*c + b*d)**2 <= (a**2 + b**2)*(c**2 + d**2) - 1/1000 | | a=0;b=0;c=0;d=0
central-lower | n{1} | binomial(2*n, n) >= 4**n/(n + 1/2) | | n=1
central-upper | n{1} | binomial(2*n, n) <= 4**n/2 - 1 | | n=1
closed-pi | | pi < 355/113 - 1/1000000 | |
closed-roots | | sqrt(2) + sqrt(3) == pi | |
compound-upper | x(0,inf) | (1 + 1/x)**x < E - 1/1000 | | x=10000
contraction | h(0,2) m(0,1) | Abs(1 - h*m) <= 1 - h*m | | h=3/2;m=9/10
cosh-gauss | x | cosh(x) <= exp(49*x**2/100) | | x=1/10
cosine-addition | x y | cos(x + y) == cos(x)*cos(y) + sin(x)*sin(y) | | x=1;y=1
cosine-quadratic | x | cos(x) >= 1 - 49*x**2/100 | | x=1/10
entropy-lower | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) >= 3*p*(1 - p) | | p=1/2
entropy-root | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 5*p*(1 - p) | | p=1/1000
entropy-upper | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 69/100 | | p=1/2
erf-line | x[0,inf) | erf(x) <= x | | x=1/10
erfc-half | x[0,inf) | erfc(x) <= exp(-x**2)/2 | | x=1/10
exp-ratio | x(0,inf) | x/(exp(x) - 1) <= 1 - x/2 | | x=2
factorial-exp | n{1} | factorial(n) >= (n/2)**n | | n=10
factorial-three | n{5} | factorial(n) >= 3**n | | n=5
far-exp | x[0,inf) | x**5 <= 20*exp(x) | | x=5
far-linear | x[0,inf) | x <= 1000000 + x**2/10000000 | | x=2000000
fenchel-exp | x(0,inf) y | x*y <= x*log(x) - x + 99*exp(y)/100 | | x=1;y=0
gamma-convex | x(0,inf) | gamma(x)*gamma(x + 2) >= 2*gamma(x + 1)**2 | | x=2
gamma-step | x(0,inf) | gamma(x + 1) == (x + 1)*gamma(x) | | x=1/2
gauss-density | x | exp(-x**2/2)/sqrt(2*pi) <= 39/100 | | x=0
gauss-kl | m s(0,inf) | (s**2 + m**2 - 1 - log(s))/2 >= 0 | | m=0;s=7/10
geometric-series | q[0,1) | 1/(1 - q) <= 1 + q + 3*q**2 | | q=9/10
group-zcdp | k{1} r[0,inf) | k**2*r >= 2*k*r | | k=1;r=1
hoeffding-lemma | p(0,1) x | log(1 - p + p*exp(x)) <= p*x + x**2/9 | | p=1/2;x=1/2
integer-gap | m{} n{} | (m - n)**2 >= 2*Abs(m - n) | | m=1;n=0
integer-half | n{} | n**2 + n != 20 | | n=4
integer-pell | m{1} n{1} | m**2 - 3*n**2 != 1 | | m=2;n=1
integral-below | x[0,inf) | Integral(exp(-t**2), (t, 0, x)) <= x - x**3/4 | | x=3
integral-near | | Integral(exp(-t**2), (t, 0, 1)) == 7468/10000 | |
jensen-exp | x y | exp((x + y)/2) <= (exp(x) + exp(y))/2 - (x - y)**2/8 | | x=-5;y=-1
jensen-shannon | p(0,inf) q(0,inf) | p*log(2*p/(p + q)) + q*log(2*q/(p + q)) <= (p + q)/2 | | p=1;q=1/1000
kl-chi-square | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) <= (p - q)**2/(2*q*(1 - q)) | | p=3/5;q=1/2
log-above | x(0,inf) | log(x) >= 1 - 1/(x + 1/1000) | | x=9995/10000
log-below-line | x(0,inf) | log(x) <= x - 1001/1000 | | x=1
log-ratio | x(0,inf) y(0,inf) | Abs(log(x/y)) <= Abs(x - y)/Max(x, y) | | x=1;y=2
log-root-far | x[1,inf) | log(x) <= 4*x**(1/20) | | x=10**9
log-subadditive | x(-1,inf) y(-1,inf) | log(1 + x + y) <= log(1 + x) + log(1 + y) | x + y > -1 | x=-1/2;y=1
logcosh | x | log(cosh(x)) <= x**2/2 - x**4/20 | | x=3
lognormal-variance | s | exp(s**2) - 1 <= s**2 + s**4 | | s=2
maximum | x y | Max(x, y) == (x + y - Abs(x - y))/2 | | x=1;y=0
mills-lower | x(0,inf) | erfc(x) >= 2*x*exp(-x**2)/(sqrt(pi)*(1/2 + 2*x**2)) | | x=5
nesbitt | x(0,inf) y(0,inf) z(0,inf) | x/(y + z) + y/(x + z) + z/(x + y) >= 151/100 | | x=1;y=1;z=1
pascal | n{1} k{1} | binomial(n + 1, k) == binomial(n, k) + binomial(n, k + 1) | k <= n | n=3;k=1
power-cube | n{1} | 2**n >= n**3/3 | | n=4
power-mean | x y | sqrt((x**2 + y**2)/2) <= (x + y)/2 + Abs(x - y)/4 | | x=-1;y=0
power-subadditive | x(0,inf) y(0,inf) a(0,2) | (x + y)**a <= x**a + y**a | | x=1;y=1;a=3/2
powers-above-one | x(0,1) y(0,1) | x**y + y**x > 11/10 | | x=1/100;y=1/2
product-given | x[0,inf) y[0,inf) z[0,inf) | x*y + y*z + z*x <= 33/100 | x + y + z == 1 | x=1/3;y=1/3;z=1/3
product-telescope | n{2} | Product(1 - 1/k**2, (k, 2, n)) == n/(2*n - 1) | | n=3
response-tv | e[0,inf) | (exp(e) - 1)/(exp(e) + 1) <= 49*e/100 | | e=1/10
root-cosine | x[0,1/2] | exists cos(x) == x
root-log | x(0,inf) | exists log(x) == x
root-subadditive | x[0,inf) y[0,inf) | sqrt(x + y) >= sqrt(x) + sqrt(y) - sqrt(x*y) | | x=1/4;y=1/4
sine-plus-cosine | x | sin(x) + cos(x) <= 7/5 | | x=4/5
sine-quadratic | x[0,3] | sin(x) >= 2*x/pi | | x=2
sinh-double | x | sinh(2*x) == 2*sinh(x) | | x=1
stirling-lower | n{1} | factorial(n) >= sqrt(2*pi*n)*(n/E)**n*(1 + 1/(12*n)) + 1/100*n | | n=1
sum-basel-limit | n{1} | Sum(1/k**2, (k, 1, n)) <= 2 - 2/n + 1/n**2 - 1/100 | | n=1
sum-geometric | n{0} | Sum(2**k, (k, 0, n)) == 2**n - 1 | | n=1
sum-squares | n{1} | Sum(k**2, (k, 1, n)) == n*(n + 1)*(n + 2)/6 | | n=2
survival | a[0,1] n{1} | (1 - a)**n <= exp(-a*n - a**2) | | a=1/2;n=1
thin | x[0,1] | (x - 1/3)**2 > 0 | | x=1/3
triangle | x y | Abs(x + y) <= Abs(x) + Abs(y)/2 | | x=1;y=1
two-points | x[0,1] e[0,5] | exp(e*x) <= 1 - x + x*exp(e) - x*(1 - x)/10 | | x=1/2;e=0
x-log-x | x(0,inf) | x*log(x) >= -9/25 | | x=9/25
young-3 | a(0,inf) b(0,inf) | a*b <= a**3/3 + b**(3/2)/2 | | a=1;b=1
young-constant | a[0,inf) b[0,inf) | a*b <= 49*a**2/100 + b**2/2 | | a=1;b=1
"""

CLAIMS = read("held", TRUE, FALSE)
