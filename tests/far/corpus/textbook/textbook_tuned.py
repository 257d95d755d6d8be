"""The half of the textbook statements that the engine was tuned to."""

from .known import read

TRUE = """
amgm-3 | x[0,inf) y[0,inf) z[0,inf) | x**3 + y**3 + z**3 >= 3*x*y*z
asinh-log | x | asinh(x) == log(x + sqrt(x**2 + 1))
atan-line | x[0,inf) | atan(x) <= x
bennett | u[0,inf) | (1 + u)*log(1 + u) - u >= u**2/2 - u**3/6
bernoulli-integer | x[-1,inf) n{1} | (1 + x)**n >= 1 + n*x
bernoulli-variance | p[0,1] | p*(1 - p) <= 1/4
bernstein | u[0,inf) | (1 + u)*log(1 + u) - u >= u**2/(2 + 2*u/3)
beta-variance | a(0,inf) b(0,inf) | a*b/((a + b)**2*(a + b + 1)) <= 1/(4*(a + b + 1))
binomial-sum | n{0} | Sum(binomial(n, k), (k, 0, n)) == 2**n
cantelli | s[0,inf) t(0,inf) | s**2/(s**2 + t**2) <= s**2/t**2
capacity | p(0,1) | log(2) + p*log(p) + (1 - p)*log(1 - p) >= 2*(p - 1/2)**2
closed-cube | | (sqrt(5) + 2)**(1/3) - (sqrt(5) - 2)**(1/3) == 1
closed-exp-pi | | exp(pi) > pi**E
composition | k{1} e[0,inf) | k*e*(exp(e) - 1) >= k*e**2
compound-lower | n{1} | (1 + 1/n)**(n + 1) > E
contraction | h(0,1) m(0,1) | Abs(1 - h*m) <= 1 - h*m
conversion | a(1,inf) l(0,inf) | log((a - 1)/a) + (l - log(a))/(a - 1) <= l/(a - 1)
cosh-gauss | x | cosh(x) <= exp(x**2/2)
cosine-addition | x y | cos(x + y) == cos(x)*cos(y) - sin(x)*sin(y)
either-event | p[0,1] q[0,1] | p + q - p*q <= 1
entropy-given | p(0,1) q(0,1) | -p*log(p) - q*log(q) <= log(2) | p + q == 1
entropy-lower | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) >= 4*log(2)*p*(1 - p)
entropy-root | p(0,1) | -p*log(p) - (1 - p)*log(1 - p) <= 2*log(2)*sqrt(p*(1 - p))
erf-erfc | x | erf(x) + erfc(x) == 1
erf-line | x[0,inf) | erf(x) <= 2*x/sqrt(pi)
erfc-chernoff | x[0,inf) | erfc(x) <= exp(-x**2)
erfinv-line | p[0,1) | erfinv(p) >= sqrt(pi)*p/2
exp-minus | x[0,inf) | exp(-x) <= 1 - x + x**2/2
exp-quadratic | x[0,inf) | exp(x) >= 1 + x + x**2/2
exp-ratio | x(0,inf) | x/(exp(x) - 1) <= 1
exp-ratio-lower | x(0,inf) | x/(exp(x) - 1) >= 1 - x/2
exp-upper | x[0,1] | exp(x) <= 1 + x + x**2
factorial-exp | n{1} | factorial(n) >= (n/E)**n
factorial-four | n{4} | factorial(n) >= 2**n
factorial-two | n{1} | factorial(n) >= 2**(n - 1)
gamma-convex | x(0,inf) | gamma(x)*gamma(x + 2) >= gamma(x + 1)**2
gamma-step | x(0,inf) | gamma(x + 1) == x*gamma(x)
gauss-profile | e[0,inf) m(0,inf) | erfc((e/m - m/2)/sqrt(2)) >= exp(e)*erfc((e/m + m/2)/sqrt(2))
gdp-tv | m[0,inf) | erf(m/(2*sqrt(2))) <= m/sqrt(2*pi)
harmonic-lower | n{1} | harmonic(n) >= log(n + 1)
harmonic-upper | n{1} | harmonic(n) <= 1 + log(n)
hockey-renyi | x e[0,inf) a(1,inf) | Max(0, 1 - exp(e - x)) <= exp((a - 1)*(x - e))/a*((a - 1)/a)**(a - 1)
hoeffding-lemma | p(0,1) x | log(1 - p + p*exp(x)) <= p*x + x**2/8
huber | x | sqrt(1 + x**2) - 1 <= Abs(x)
integer-gap | m{} n{} | (m - n)**2 >= Abs(m - n)
integer-half | n{} | n**2 + n != 1
integer-product | n{} | n*(n + 1) >= 0
integral-erf | x[0,inf) | Integral(exp(-t**2), (t, 0, x)) == sqrt(pi)*erf(x)/2
integral-log | x(0,inf) | Integral(1/t, (t, 1, x)) == log(x)
jordan | x[0,3/2] | sin(x) >= 2*x/pi
laplace-kl | b(0,inf) | 1/b - 1 + exp(-1/b) <= 1/(2*b**2)
log-above | x(0,inf) | log(x) >= 1 - 1/x
log-below-line | x(0,inf) | log(x) <= x - 1
log-mean-upper | x(0,inf) y(0,inf) | (y - x)/(log(y) - log(x)) <= (x + y)/2 | x < y
log-over-x | x(0,inf) | log(x)/x <= exp(-1)
log-sum | a(0,inf) b(0,inf) c(0,inf) d(0,inf) | a*log(a/c) + b*log(b/d) >= (a + b)*log((a + b)/(c + d))
log1p-pade | x[0,inf) | log(1 + x) >= 2*x/(2 + x)
log1p-root | x[0,inf) | log(1 + x) <= x/sqrt(1 + x)
logcosh | x | log(cosh(x)) <= x**2/2
mills-lower | x(0,inf) | erfc(x) >= 2*x*exp(-x**2)/(sqrt(pi)*(1 + 2*x**2))
mills-upper | x(0,inf) | erfc(x) <= exp(-x**2)/(x*sqrt(pi))
nesbitt | x(0,inf) y(0,inf) z(0,inf) | x/(y + z) + y/(x + z) + z/(x + y) >= 3/2
poisson-two | l[0,inf) | exp(-l)*(1 + l) <= 1
polylog | x(0,inf) | log(x)**2 <= x + 1/x - 2
power-mean | x[0,inf) y[0,inf) | sqrt((x**2 + y**2)/2) >= (x + y)/2
power-square | n{4} | 2**n >= n**2
power-subadditive | x(0,inf) y(0,inf) a(0,1) | (x + y)**a <= x**a + y**a
response-kl | e[0,inf) | e*(exp(e) - 1)/(exp(e) + 1) <= e**2/2
response-tv | e[0,inf) | (exp(e) - 1)/(exp(e) + 1) <= e/2
root-lambert | x[0,1] | exists x*exp(x) == 1
root-two | x[1,2] | exists x**2 == 2
sigmoid-slope | x | exp(x)/(1 + exp(x))**2 <= 1/4
sigmoid-sum | x | 1/(1 + exp(-x)) + 1/(1 + exp(x)) == 1
sinh-double | x | sinh(2*x) == 2*sinh(x)*cosh(x)
sinh-line | x[0,inf) | sinh(x) >= x
softplus-upper | x | log(1 + exp(x)) <= log(2) + x/2 + x**2/8
sum-cubes | n{1} | Sum(k**3, (k, 1, n)) == Sum(k, (k, 1, n))**2
sum-squares | n{1} | Sum(k**2, (k, 1, n)) == n*(n + 1)*(2*n + 1)/6
tail-split | x[0,inf) y[0,inf) | exp(-(x + y)) >= 1 - x - y
tangent-line | x[0,3/2] | tan(x) >= x
tanh-exp | x | tanh(x) == (exp(2*x) - 1)/(exp(2*x) + 1)
union-bound | p[0,1] n{1} | 1 - (1 - p)**n <= n*p
x-log-x | x(0,inf) | x*log(x) >= -exp(-1)
young-3 | a(0,inf) b(0,inf) | a*b <= a**3/3 + 2*b**(3/2)/3
young-p | a(0,inf) b(0,inf) p(1,inf) | a*b <= a**p/p + b**(p/(p - 1))*(p - 1)/p
zcdp-order | r(0,inf) l(0,inf) a(1,inf) | (a - 1)*r + l/(a - 1) >= 2*sqrt(r*l)
"""

FALSE = """
arctan-bounded | x | atan(x) < 3/2 | | x=100
asinh-log | x | asinh(x) == log(x + sqrt(x**2 - 1)) | x > 1 | x=2
atan-sum | x | atan(x) + atan(1/x) == pi/2 | x != 0 | x=-1
bernoulli-real | x(-1,inf) r[0,inf) | (1 + x)**r >= 1 + r*x | | x=1;r=1/2
central-three | n{1} | binomial(2*n, n) <= 3**n + 20 | | n=6
closed-exp | | exp(pi*sqrt(163)) == 262537412640768744 | |
closed-near | | sqrt(2) + sqrt(3) >= 314627/100000 | |
composition | k{1} e[0,inf) | k*e*(exp(e) - 1) <= 2*k*e**2 | | k=1;e=2
compound-lower | n{1} | (1 + 1/n)**(n + 1/3) > E | | n=10
conversion | a(1,inf) l(0,inf) | log((a - 1)/a) + (l - log(a))/(a - 1) <= l/(a - 1) - 1 | | a=100;l=1
cosh-sinh | x | cosh(x)**2 + sinh(x)**2 == 1 | | x=1
derivative-xlogx | x(0,inf) | Derivative(x*log(x), x) == log(x) | | x=1
either-event | p[0,1] q[0,1] | p + q - p*q < 1 | | p=1;q=1
entropy-given | p(0,1) q(0,1) | -p*log(p) - q*log(q) <= 2/3 | p + q == 1 | p=1/2;q=1/2
erf-erfc | x | erf(x) - erfc(x) == 1 | | x=1
erfc-chernoff | x | erfc(x) <= exp(-x**2) | | x=-1
erfinv-line | p[0,1) | erfinv(p) <= p | | p=9/10
exp-minus | x | exp(-x) <= 1 - x + x**2/2 | | x=-1
exp-positive | x | exp(x) > 1/1000000 | | x=-20
exp-quadratic | x | exp(x) >= 1 + x + x**2/2 | | x=-1
exp-upper | x[0,2] | exp(x) <= 1 + x + x**2 | | x=2
factorial-two | n{1} | factorial(n) >= 2**n | | n=2
gamma-one | x(0,inf) | gamma(x) >= 9/10 | | x=3/2
gauss-profile | e[0,inf) m(0,inf) | erfc((e/m - m/2)/sqrt(2)) >= 2*exp(e)*erfc((e/m + m/2)/sqrt(2)) | | e=1;m=1/10
gdp-tv | m[0,inf) | erf(m/(2*sqrt(2))) <= 39*m/100 | | m=1/10
geometric-tanh | e | (1 - exp(-e))/(1 + exp(-e)) == tanh(e) | | e=1
gibbs | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) > 0 | | p=1/2;q=1/2
group-delta | k{1} e(0,inf) | (exp(k*e) - 1)/(exp(e) - 1) <= k*exp(e) | | k=3;e=1
harmonic-geometric | x(0,inf) y(0,inf) | 2/(1/x + 1/y) <= sqrt(x*y) - 1/1000*Abs(x - y) | | x=1;y=10001/10000
harmonic-lower | n{1} | harmonic(n) >= log(n + 1) + 1/2 | | n=1
harmonic-upper | n{1} | harmonic(n) <= log(n) + 3/5 | | n=1
integer-product | n{} | n*(n + 1) >= 1 | | n=-1
integer-square | n{} | n**2 > n | | n=1
integral-closed | | Integral(t**2*exp(-t), (t, 0, 1)) == 2 - 4*exp(-1) | |
integral-erf | x[0,inf) | Integral(exp(-t**2), (t, 0, x)) == sqrt(pi)*erf(x) | | x=1
integral-log | x(0,inf) | Integral(1/t, (t, 1, x)) == log(x) + x - 1 | | x=2
jensen-log | x(0,inf) y(0,inf) | log((x + y)/2) <= (log(x) + log(y))/2 | | x=1;y=2
kl-hellinger | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 5*(1 - sqrt(p*q) - sqrt((1 - p)*(1 - q))) | | p=1/2;q=51/100
laplace-kl | b(0,inf) | 1/b - 1 + exp(-1/b) <= 1/(3*b**2) | | b=1
laplace-pure | b(0,inf) | 1/b - 1 + exp(-1/b) >= 1/b - 9/10 | | b=1/10
log-mean-lower | x(0,inf) y(0,inf) | (y - x)/(log(y) - log(x)) >= (x + y)/2 | x < y | x=1;y=2
log-over-x | x(0,inf) | log(x)/x <= 367/1000 | | x=27/10
log-root | x[1,inf) | log(x) <= x**(1/3) | | x=20
log-sum | a(0,inf) b(0,inf) c(0,inf) d(0,inf) | a*log(a/c) + b*log(b/d) <= (a + b)*log((a + b)/(c + d)) | | a=1;b=1;c=1;d=2
log1p-pade | x(-1,inf) | log(1 + x) >= 2*x/(2 + x) | | x=-1/2
log1p-quadratic | x(-1,inf) | log(1 + x) >= x - x**2/2 | | x=-1/2
log1p-root | x[0,inf) | log(1 + x) <= x/(1 + x)**(3/5) | | x=1/10
loggamma-step | x(0,inf) | loggamma(x + 1) == loggamma(x) + x - 1 | | x=3
mills-upper | x(0,inf) | erfc(x) <= exp(-x**2)/(2*x*sqrt(pi)) | | x=5
pinsker | p(0,1) q(0,1) | p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 201*(p - q)**2/100 | | p=1/2;q=501/1000
poisson-chernoff | l(0,inf) t(0,inf) | t - l + t*log(l/t) <= -(t - l)**2/(2*l) | | l=1;t=2
poisson-two | l[0,inf) | exp(-l)*(1 + l) <= 99/100 | | l=1/100
polylog | x(0,inf) | log(x)**2 <= x - 1 | | x=1/2
power-square | n{0} | 2**n >= n**2 | | n=3
reciprocal-given | x(0,inf) y(0,inf) | 1/x + 1/y >= 5 | x + y == 1 | x=1/2;y=1/2
response-kl | e[0,inf) | e*(exp(e) - 1)/(exp(e) + 1) >= e**2/2 - e**4/25 | | e=1/10
response-renyi | a(1,inf) e[0,inf) | log((exp(a*e) + exp((1 - a)*e))/(1 + exp(e)))/(a - 1) <= a*e**2/3 | | a=11/10;e=1/10
root-concave | x[0,inf) | sqrt(1 + x) <= 1 + 49*x/100 | | x=1/100
root-exp | x | exists exp(x) == x
root-square | x | exists x**2 + 1 == x
sigmoid-slope | x | exp(x)/(1 + exp(x))**2 <= 249/1000 | | x=0
sine-cubic | x[0,inf) | sin(x) >= x - x**3/7 | | x=1/2
sine-line | x | sin(x) <= x | | x=-1
sine-triple | x | sin(3*x) == 3*sin(x) - 3*sin(x)**3 | | x=1
sinh-cubic | x[0,inf) | sinh(x) <= x + x**3/5 | | x=10
softplus-upper | x | log(1 + exp(x)) <= log(2) + x/2 + x**2/9 | | x=1/2
stirling-upper | n{1} | factorial(n) <= 27*sqrt(n)*(n/E)**n/10 | | n=1
subsample-twice | e[0,inf) p[0,1] | log(1 + p*(exp(e) - 1)) <= 2*p*e | | e=4;p=1/4
subsample-upper | e[0,inf) p[0,1] | log(1 + p*(exp(e) - 1)) <= p*e | | e=1;p=1/2
sum-basel | n{1} | Sum(1/k**2, (k, 1, n)) <= 8/5 | | n=30
sum-harmonic | n{1} | Sum(1/k, (k, 1, n)) <= log(n + 1) + 1/2 | | n=50
sum-integers | n{1} | Sum(k, (k, 1, n)) == n*(n - 1)/2 | | n=2
sum-roots | n{1} | Sum(1/sqrt(k), (k, 1, n)) <= 2*sqrt(n) - 3/2 | | n=2
tangent-cubic | x[0,3/2] | tan(x) <= x + x**3/2 | | x=7/5
tanh-double | x | tanh(2*x) == 2*tanh(x)/(1 - tanh(x)**2) | | x=1
tanh-line | x | tanh(x) <= x | | x=-1
tanh-lower | x[0,inf) | tanh(x) >= x - x**3/4 | | x=1/10
thin-irrational | x[0,2] | (x**2 - 2)**2 > 0 | | x=sqrt(2)
union-bound | p[0,1] n{1} | 1 - (1 - p)**n >= n*p | | p=1/2;n=2
x-exp | x | x*exp(-x) <= 9/25 | | x=1
zcdp-order | r(0,inf) l(0,inf) a(1,inf) | (a - 1)*r + l/(a - 1) >= 2*sqrt(r*l) + 1/1000 | | r=1;l=1;a=2
"""

CLAIMS = read("tuned", TRUE, FALSE)
