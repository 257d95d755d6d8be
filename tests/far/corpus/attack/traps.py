"""False statements that look true: one line each, with the point at which they fail.

    statement of `rgm-verify check` | point

They are true but at one point, at an end, far out, near a curve, by 1e-12, for one integer, or where a term is not
defined. `truth.py` is certain of every failure.
"""

TRAPS = """
x^2 > 0 | x=0
(x - 3)^2 > 0 | x=3
(x^2 - 2*x + 1)*(x - 5)^2 > 0 for x > 2 | x=5
x + 1/x > 2 for x > 0 | x=1
exp(x) > 1 + x | x=0
log(x) < x - 1 for x > 0 | x=1
x^4 + y^4 > x^2*y^2 | x=0;y=0
(x - y)^2 > 0 for x, y in [0, 1] | x=1/2;y=1/2
x*log(x) - x + 1 > 0 for x > 0 | x=1
x*(1 - x) > 0 for x in [0, 1] | x=0
x < 1 for x in [0, 1] | x=1
1 - x^10 > 0 for x in (0, 1] | x=1
x^3 - x >= 0 for x in [1/2, 5] | x=3/4
1/x <= 1000 for x > 0 | x=1/2000
log(x) >= -20 for x > 0 | x=1/1000000000
exp(-x) >= 10^(-6) for x >= 0 | x=20
x <= exp(x/1000) for x >= 0 | x=10
log(x) <= 12 for x >= 1 | x=1000000
sqrt(x) <= 1000 for x >= 0 | x=1000001
x^2 - 10^6*x >= 0 for x >= 10^5 | x=500000
tanh(x) <= 1 - 10^(-9) | x=20
erf(x) < 1 - 10^(-12) for x >= 0 | x=8
x^2 + y^2 >= 2*x*y + 10^(-12) for x, y in [0, 1] | x=1/2;y=1/2
(y - x^2)^2 >= 10^(-12) for x, y in [0, 1] | x=1/2;y=1/4
(x*y - 1)^2 >= 10^(-14) for x, y in [1/2, 2] | x=1;y=1
x + 1/x >= 2 + 10^(-12) for x > 0 | x=1
exp(x) >= 1 + x + 10^(-12) | x=0
exp(x) >= 1 + x + x^2/2 | x=-1
log(1 + x) >= x - x^2/2 + 10^(-12)*x for x >= 0 | x=0.000001
cosh(x) <= exp(x^2/2) - 10^(-12) | x=0
x^2 + y^2 >= x^4/(x^2 + y^2)*(1 + 10^(-12)) for x > 0, y >= 0 | x=1;y=0
(x + y)^2/4 >= x*y*(1 + 10^(-12)) for x, y > 0 | x=1;y=1
(x - 1)^2*(x - 2)^2 >= 10^(-15) for x in [1, 2] | x=1
(x - y)^2*(x + y - 1)^2 + (x*y - 1/4)^2 > 0 for x, y in [0, 1] | x=1/2;y=1/2
(x*y - 1/5)^2 > 0 for x, y in [0, 1] given x + y = 9/10 | x=2/5;y=1/2
exp(x*y) >= 1 + x*y + (x*y)^2/2 for x in [-1, 1], y > 0 | x=-1;y=1
exp(x) >= exp(y)*(1 + x - y) + (x - y)^3 for x, y in [0, 3] | x=3;y=0
log(1 + exp(x + h)) <= log(1 + exp(x)) + h*exp(x)/(1 + exp(x)) + h^2/9 | x=0;h=1/10
x^2*exp(y) - 2*x + exp(-y) > 0 for y >= 0 | x=1;y=0
x*log(x) + (1 - x)*log(1 - x) >= -69/100 for x in (0, 1) | x=1/2
(1 - x)^n <= 1/20 for x in [0, 1], n natural given x >= 29/(10*n) | x=29/1000;n=100
x*exp(y) <= 1 - 10^(-9) for x in [0, 1], y >= 0 given x <= exp(-y) | x=1;y=0
n^2 != 49 for n natural | n=7
n^2 - n + 41 != 1681 for n natural | n=41
2^n > n^3 for n natural | n=2
2^n >= n^5 for n natural given n >= 10 | n=20
n^2 >= 100*n for n integer | n=50
(n - 1234)^2 > 0 for n integer | n=1234
factorial(n) <= n^(n - 2) for n natural | n=2
binomial(2*n, n) <= 4^n/3 for n natural | n=1
sum(k, 1, n, 1/k) <= 3 for n natural | n=12
sum(k, 1, n, k) = n^2 for n natural | n=2
sum(k, 1, n, k^2) = n*(n + 1)*(2*n + 1)/6 + (n - 1)*(n - 2)*(n - 3) for n natural | n=4
(n - 1)*(n - 2)*(n - 3)*(n - 4)*(n - 5) = 0 for n natural given n <= 6 | n=6
1 - (1 - p)^k <= k*p - 10^(-12) for p in [0, 1], k natural | p=0;k=1
(1 - p)^k > 1 - k*p for p in [0, 1], k natural | p=1/2;k=1
(x - 1)*(x - 2) >= 0 for x > 0 | x=3/2
x^3 >= x^2 for x > 0 | x=1/2
x^y >= x for x > 0, y >= 1 | x=1/2;y=2
max(x, y) > min(x, y) | x=1;y=1
|x| + |y| > |x + y| | x=1;y=1
|x - 1| + |x - 2| > 1 | x=3/2
x^2 - y^2 >= 0 for x, y >= 0 given x + 1/1000 >= y | x=1;y=2001/2000
sqrt(x + y) < sqrt(x) + sqrt(y) for x, y >= 0 | x=0;y=1
(x + y)/2 > sqrt(x*y) for x, y > 0 | x=1;y=1
p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) > 0 for p, q in (0, 1) | p=1/2;q=1/2
p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(p - q)^2 + 10^(-12) for p, q in (0, 1) | p=1/2;q=1/2
p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2.01*(p - q)^2 for p, q in (0, 1) | p=1/2;q=0.4999
-p*log(p) - (1 - p)*log(1 - p) <= log(2) - 10^(-12) for p in (0, 1) | p=1/2
(exp(x) - 1)/(exp(x) + 1) < x/2 for x >= 0 | x=0
exp(x) - 1 <= 2*x for x in [0, 1.3] | x=1.29
exp(x) - 1 <= 1.7182818*x for x in [0, 1] | x=1
1/(x - 1)^2 > 0 | x=1
log(x) <= x - 1 | x=0
sqrt(x)^2 = x | x=-1
x/x = 1 | x=0
log(x^2) = 2*log(x) for x < 0 | x=-1
sqrt(x*y) = sqrt(x)*sqrt(y) | x=-1;y=-1
sqrt(x^2) = x | x=-1
(x^2)^(1/4) = sqrt(x) | x=-1
log(x) - log(x) = 0 for x >= 0 | x=0
0*log(x) = 0 for x in [0, 1] | x=0
(x - 1)/(x - 1) = 1 for x in [0, 2] | x=1
1/(x - y) + 1/(y - x) = 0 for x, y in [0, 1] | x=0;y=0
sum(k, 0, n, 1/k) > 0 for n natural | n=1
max(log(x), 0) >= 0 for x >= 0 | x=0
min(1/x, 1) <= 1 for x in [0, 1] | x=0
log(1 - exp(-x)) <= 0 for x >= 0 | x=0
1/(exp(x) - 1) >= 0 for x >= 0 | x=0
sqrt(log(x)) <= x for x > 0 | x=1/2
log(log(x)) <= x for x > 0 | x=1/2
(1 - x)^(1/2) <= 1 for x in [0, 2] | x=2
x^(1/2 - y)*0 = 0 for x in [-1, 1], y in [0, 1/4] | x=-1;y=0
"""

#: Statements with an integral or a function of which a term has no value; `truth.py` knows no integrals.
WITHOUT_VALUE = """
integral(t, 0, x, 1/(t - 3)) <= x + 10 for x >= 0
integral(t, -1, 1, 1/t) = 0
integral(t, -1, 1, 1/t^2) = -2
integral(t, 0, x, 1/t^2) >= 0 for x > 0
integral(t, 0, 1, 1/(t - 1/2))^2 >= 0
integral(t, 0, x, 1/(1 - t)^2) >= 0 for x >= 0
integral(t, -x, x, 1/t) = 0 for x > 0
integral(t, 0, x, sqrt(1 - t)) >= 0 for x >= 0
integral(t, 0, x, 1/(t^2 - 2)) <= 10 for x in [0, 2]
integral(t, 0, x, 1/(exp(t) - 1)) >= 0 for x >= 0
integral(t, 0, x, tan(t)) >= 0 for x in [0, 3]
integral(t, 0, x, 1/(1 + floor(t) - t)) >= 0 for x >= 0
integral(t, 0, 1/x, 1)*0 = 0
integral(t, 0, x, log(x - 1))*0 = 0 for x >= 0
loggamma(x) >= -10 for x in [-2, 5]
gamma(x)*0 = 0
gamma(x + 1) = x*gamma(x)
arccos(x) >= 0
artanh(x)^2 >= 0 for x in [-1, 1]
tan(x)^2 >= 0 for x in [0, 2]
harmonic(n) >= 0 for n integer
factorial(n) >= 1 for n integer
sum(k, 1, n, log(k - 1)) >= -5 for n natural
product(k, 1, n, 1/(k - 7)) <= 1 for n natural
sum(k, 1, n, 1/(k - x)) - sum(k, 1, n, 1/(k - x)) = 0 for n natural
sum(k, 1, x, 1) = x for x > 0
floor(1/x) <= 1/x
sign(1/x)^2 <= 1
|x|/x = sign(x)
1/sin(x) >= 1/x for x > 0
arcsin(x) >= x for x in [0, 2]
"""
