"""TRUTH: false, fails at {'p': '2'}.

What is wrong: equal everywhere (SymPy may see it).
"""

from sympy import *  # noqa: F403

from rgm_verify.claims import Chart, Claim, Hypothesis, Mutant, Tightness, both, either, eq, ge, gt, le, lt, ne, real

PV = real('p', lower=0, lower_open=True)
p = PV.symbol

claim = Claim(
    id='own:all-strict-log',
    title='all-strict-log',
    source="corpus",
    where="-",
    kind='false',
    variables=(PV,),
    conclusion=lt(log((p)**(Integer(2))), (Integer(2))*(log(p))),
    mutants=(Mutant('by hand', conclusion=lt(log(p), (Integer(-1))*(p) + Integer(-1))), ),
    remark='equal everywhere (SymPy may see it)',
)
