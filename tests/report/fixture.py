"""A rich ledger made by hand: every verdict, every LaTeX construct, long ids, unicode, hostile text, empty lists."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rgm_verify.claims.outcome.ledger import (
    FORMAT,
    ClaimEntry,
    EntryVerdict,
    HypothesisEntry,
    Ledger,
    MutantEntry,
    StepEntry,
    TheoremEntry,
    TightnessEntry,
    VariableEntry,
)
from rgm_verify.claims.outcome.record import EvidenceEntry, Witness

#: Formulas as SymPy, the sources and people write them; each must convert.
CONSTRUCTS = (
    r"\frac{\alpha \eta^{2}}{2 \gamma \left(1 - \eta \left(\alpha - 1\right) \left(\eta + 2\right)\right)}",
    r"\tfrac12 \le \dfrac{a}{b} \;\Longleftrightarrow\; b \le 2 a",
    r"x \ge 0 \quad\text{and}\quad \operatorname{erf}{\left(x \right)} < 1",
    r"\left\lVert \mathcal{R}(x) - \mathcal{R}(y) \right\rVert^2 \le \eta^2\|\mathcal R(x)\|^2 + R_{\rm rel}^2",
    r"\mathbb E\Big[\mathbb 1\{x^\top\Sigma^{-1}x\le R_c^2\}\Big] \succcurlyeq \rho \boldsymbol{\Sigma}",
    r"\begin{cases} x & \text{for}\: x > 0 \\0 & \text{otherwise} \end{cases}",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} \ne \begin{aligned} x &= 1 \\ y &\lesssim 2 \end{aligned}",
    r"\int\limits_{0}^{\infty} e^{- t} t^{x - 1}\, dt = \Gamma\left(x\right)",
    r"\sum_{j=1}^d \binom n\ell \approx \lfloor x \rfloor + \Big\lceil\frac{n(1-\beta)}{R_c^2}\Big\rceil",
    r"\operatorname*{argmin}_\theta F(\theta;\mathcal D) := \max\left(a, b\right) \pm \sqrt[3]{x}",
    r"\log{\left(x \right)}^{2} \not\le \overline{y} \iff \hat{\theta}_\star \in \mathcal{O}(n)",
    r"\left. f'(x) \right|_{x=0} \Rightarrow \forall \varepsilon > 0: \Pr[\mathcal A(D) \in S] \le e^\varepsilon",
)

HOSTILE = '<script>alert("x")</script> & <b>bold</b> $a<b$ costs \\$5, ünïcödé ∀ε'
LONG_ID = "rgm-v1:" + "a-very-long-name-" * 12 + "end"


def witness(**values: str) -> Witness:
    """A witness with a margin that is certified positive."""
    return Witness(
        values=values or {"eta": "3/2", "gamma": "1/8"},
        margin=["0.31830988618", "0.31830988619"],
        relation=r"\gamma < \eta^{2}",
        python=["gamma_", "<", 'eta_**2 if gamma_ < eta_ else mpf("2")'],
    )


def claim(identifier: str, verdict: str, **changes: Any) -> ClaimEntry:
    """A claim with empty lists everywhere that `changes` does not fill."""
    values: dict[str, Any] = {
        "id": identifier,
        "refs": [],
        "source": "rgm-v1",
        "where": "§3, Theorem 1",
        "kind": "theorem",
        "title": identifier.partition(":")[2] or identifier,
        "statement": "",
        "formula": "",
        "quantifier": "forall",
        "reading": "",
        "remark": "",
        "variables": [],
        "hypotheses": [],
        "verdict": verdict,
        "reason": "one symbolic proof and an independent route agree",
        "category": "",
        "witness": None,
        "corrected": "",
        "evidence": [],
        "tightness": [],
        "mutants": [],
        "rests_on": [],
        "leaned_on_by": [],
        "derivation": [],
        "theorems": [],
        "scope": "statement",
        "missing": "",
        "certificates": [],
        "file": "rgm/theorem_1.py",
    }
    return ClaimEntry(**(values | changes))


def evidence(kind: str, finding: str = "supports", **changes: Any) -> EvidenceEntry:
    """A piece of evidence with nested details."""
    values: dict[str, Any] = {
        "lens": "identity",
        "kind": kind,
        "finding": finding,
        "families": ["sympy", "arb"],
        "summary": r"difference simplifies to $0$ where \eta = 1/2 and $\gamma > 0$",
        "details": {"precision": 128, "points": [["1/3", "2/5"]], "nested": {"seed": 7, "note": HOSTILE}},
    }
    return EvidenceEntry(**(values | changes))


def tightness(infimum: list[str], supremum: list[str], **changes: Any) -> TightnessEntry:
    """A certified range over a box."""
    values: dict[str, Any] = {
        "meaning": r"printed bound over the exact divergence, for $\eta \le 1$",
        "latex": r"\frac{B(\alpha, \eta)}{D_\alpha}",
        "box": {"alpha": ["3/2", "2"], "eta": ["1/100", "1"], "R_rel": ["0", "oo"]},
        "infimum": infimum,
        "supremum": supremum,
        "where_infimum": {"alpha": "2", "eta": "1/100"},
        "where_supremum": {"alpha": "3/2", "eta": "1"},
        "complete": True,
    }
    return TightnessEntry(**(values | changes))


def _curve() -> list[list[str]]:
    return [[f"{k}/20", str(1 + k * k / 40), str(1.05 + k * k / 39)] for k in range(1, 21)]


def _refuted() -> list[ClaimEntry]:
    return [
        claim(
            "rgm-v1:theorem-1",
            "refuted",
            refs=["A15"],
            title=r"Rényi guarantee of the relative Gaussian mechanism, for $\eta \le 1$",
            statement=r"With $\sigma^2 \ge \gamma \eta^{-2}[1-\eta(\alpha-1)]R_{\rm rel}^2$ the mechanism satisfies "
            r"$(\alpha, \varepsilon)$-Rényi privacy with $\varepsilon$ as shown.",
            formula=r"D_{\alpha} \le \frac{\alpha \eta^{2}}{2 \gamma} \left(\frac{1}{1 - \eta \left(\alpha - 1\right) "
            r"\left(\eta + 2\right)} + \gamma d \left(\eta + 2\right)^{2}\right)",
            reading="“Slightly” is read as: by at most a tenth.",
            remark="Version 2 prints another constant in the same place.",
            reason="at eta = 3/2, gamma = 1/8 the left side exceeds the right side by at least 0.318309",
            category="wrong constant",
            witness=witness(eta="3/2", gamma="1/8", alpha="2", R_rel="123456789012345678901234567890/7"),
            corrected="beyond:theorem-1-corrected",
            leaned_on_by=["rgm-v1:corollary-2", "rgm-v1:lemma-10", "elsewhere:missing"],
            variables=[
                VariableEntry(latex=r"\alpha", meaning="the order", domain=r"1 < \alpha < \infty"),
                VariableEntry(latex=r"\eta", meaning="relative sensitivity", domain=r"0 < \eta \le 1"),
                VariableEntry(latex="d", meaning="the dimension, $d \\ge 1$", domain=""),
            ],
            hypotheses=[
                HypothesisEntry(
                    name="eta at most one", latex=r"\eta \le 1", where="Theorem 1", dropped="needed", witness=witness()
                ),
                HypothesisEntry(
                    name="order below the pole",
                    latex=r"\alpha < \frac{(1+\eta)^2}{2\eta+\eta^2}",
                    dropped="no counterexample found",
                ),
                HypothesisEntry(name="finite dimension", latex=r"d \in \mathbb{N}"),
            ],
            evidence=[
                evidence("exact counterexample", "refutes", lens="search"),
                evidence("simulation with confidence", "undecided", families=["numpy"], details={}),
            ],
            tightness=[
                tightness(["0.6822", "0.6829"], ["12.5", "14.25"], curve=_curve(), curve_variable="eta",
                          curve_fixed={"alpha": "2"}),
                tightness(["1", "1"], ["inf", "inf"], complete=False),
            ],
            mutants=[
                MutantEntry(name="factor 2 dropped", latex=r"D_\alpha \le \frac{\alpha\eta^2}{\gamma}", killed=True,
                            how="refuted at eta = 1/2", witness=witness()),
                MutantEntry(name="sign swapped", latex="", killed=False, how="nothing found in 4096 boxes"),
            ],
            derivation=[
                StepEntry(text=r"Split the divergence into a mean part and a variance part $\frac{d}{2}\log r$."),
                StepEntry(text=r"Bound the variance part.", claim="rgm-v1:lemma-10", verdict="proved"),
                StepEntry(text="Use what is said elsewhere.", claim="elsewhere:missing", verdict="undecided"),
                StepEntry(text="Change the order of integration.", theorem="fubini",
                          met={"integrable": "rgm-v1:lemma-10", "measurable": r"It is continuous for $x > 0$."}),
            ],
            theorems=["fubini"],
            rests_on=["rgm-v1:lemma-10", "elsewhere:missing", "rgm-v1:lemma-2"],
        ),
        claim(
            "rgm-v1:corollary-2",
            "refuted",
            kind="corollary",
            where="§3.2, Corollary 2",
            refs=["A18"],
            title="Composition over T steps",
            statement="A misprint: $T$ where $T+1$ is meant.",
            formula="T a \\ge (T + 1) a",
            category="misprint",
            witness=witness(a="1"),
            rests_on=["rgm-v1:theorem-1"],
            tightness=[tightness(["0", "0.001"], ["0.99", "1"])],
        ),
    ]  # fmt: skip


def _positive() -> list[ClaimEntry]:
    return [
        claim(
            "beyond:theorem-1-corrected",
            "certified",
            source="beyond",
            where="Corrections",
            title="The guarantee with the right constant",
            statement=r"The same with $\frac{d(2+\eta)^2}{2}$.",
            formula=r"D_{\alpha} \le \frac{\alpha \eta^{2}}{2 \gamma} \cdot \frac{1 + \gamma d}{1 - \eta}",
            evidence=[evidence("region certificate", families=["arb", "mpmath"]),
                      evidence("deduction from other claims", premises=["rgm-v1:lemma-10", "elsewhere:missing"])],
            certificates=["theorem-1-corrected.json", "absent.json"],
            tightness=[tightness(["1.0000001", "1.0000002"], ["1.5", "1.6"], curve=_curve()[:1])],
            file="beyond/theorem_1.py",
        ),
        claim("rgm-v1:lemma-10", "proved", kind="lemma", where="App. A.1, Lemma 10", formula=CONSTRUCTS[0],
              refs=["A17"], evidence=[evidence("symbolic proof"), evidence("enclosures at points")],
              leaned_on_by=["rgm-v1:theorem-1"],
              mutants=[MutantEntry(name="plus", latex=CONSTRUCTS[1], killed=True, how="at one point")]),
        claim("rgm-v1:lemma-2", "supported", kind="lemma", scope="core", missing="The integral is done for $d = 1$.",
              where="App. A, Lemma 2", statement=HOSTILE,
              title="Hostile " + HOSTILE, remark=HOSTILE, reading=HOSTILE, file="rgm/<lemma>&_2.py",
              leaned_on_by=["rgm-v1:theorem-1"], evidence=[evidence("search without success", summary=HOSTILE)]),
        claim(LONG_ID, "undecided", source="slides", where='"Privacy", slide 4', kind="proposition",
              title="A claim with a long name", reason="the box search ran out of its budget at $2^{16}$ boxes",
              statement="With $$x^2 + y^2 = z^2$$ on display."),
        claim("rgm-v1:abstract-comparable", "informal", kind="remark", where="Abstract",
              statement="The cost is “comparable”.", reason="praise, no content to judge"),
        claim("geodp:existence", "proved", source="geodp", where="§4", kind="remark", quantifier="exists",
              formula="x > 1", witness=witness(x="2"), evidence=[evidence("exact witness")],
              tightness=[tightness([], [])]),
    ]  # fmt: skip


def _constructs() -> list[ClaimEntry]:
    return [
        claim(f"rgm-v2:construct-{i}", "supported", source="rgm-v2", where=f"§{1 + i // 3}.{i}", kind="definition",
              formula=latex, statement=f"As in ${latex}$ here.", title=f"Construct {i}")
        for i, latex in enumerate(CONSTRUCTS)
    ]  # fmt: skip


def ledger(claims: list[ClaimEntry] | None = None) -> Ledger:
    """The rich ledger, or one with the given claims."""
    claims = [*_refuted(), *_positive(), *_constructs()] if claims is None else claims
    return Ledger(
        format=FORMAT,
        title="Relative Gaussian mechanism: certified companion",
        profile="quick",
        versions={"python-flint": "0.8.0", "sympy": "1.14.0"},
        counts=dict(Counter(c.verdict for c in claims)),
        claims=claims,
        entries=[
            entry("A15", "corrected", [c.id for c in claims[:2]], corrected=["beyond:theorem-1-corrected"]),
            entry("A16", "undecided", [], verdict="unanswered"),
            *_leaning(claims),
        ]
        if claims
        else [],
        theorems=[FUBINI] if any(c.theorems for c in claims) else [],
    )


FUBINI = TheoremEntry(
    id="fubini",
    name="Fubini's theorem",
    statement=r"$\int\int f\,dx\,dy = \int\int f\,dy\,dx$.",
    conditions={"integrable": r"$\int\int |f| < \infty$.", "measurable": "f is measurable."},
    reference="Rudin, Real and Complex Analysis, 8.8",
    leaned_on_by=["rgm-v1:theorem-1"],
)


def entry(identifier: str, outcome: Any, claims: list[str], **changes: Any) -> EntryVerdict:
    """A statement of the source."""
    values: dict[str, Any] = {
        "verdict": "refuted", "leans_on": [], "refuted_below": [], "corrected": [], "scope": "statement",
    }  # fmt: skip
    return EntryVerdict(id=identifier, outcome=outcome, claims=claims, **(values | changes))


def _leaning(claims: list[ClaimEntry]) -> list[EntryVerdict]:
    """Statements that lean on A15: one directly, one through it."""
    if len(claims) < 6:
        return []
    return [
        entry("A17", "independent", ["rgm-v1:lemma-10"], verdict="proved", leans_on=["A15"], refuted_below=["A15"]),
        entry("A18", "falls", ["rgm-v1:corollary-2"], leans_on=["A17"], refuted_below=["A15"]),
        entry("A19", "no content", ["rgm-v1:abstract-comparable"], verdict="informal"),
    ]
