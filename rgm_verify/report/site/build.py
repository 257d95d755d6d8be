"""The static site: every page from a template and the ledger, and nothing that changes from run to run."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from rgm_verify.claims.checkers import CHECKERS, checked_by
from rgm_verify.claims.ledger import Ledger, natural_order
from rgm_verify.report import order
from rgm_verify.report.changes import Changes
from rgm_verify.report.consequences import OUTCOMES, Consequences, counted
from rgm_verify.report.pictures import chapters, plots, tightness
from rgm_verify.report.texts import latex, numbers

#: How many bars the first page shows before it sends the reader to the page with all of them.
_FIRST_BARS = 14
#: How many errata the first page shows in full (those that most leans on); the others are one line each.
_FIRST_ERRATA = 5
_FIRST_UNDECIDED = 12
_LONGEST_DETAIL = 2000
_NUMBER = re.compile(r"[\[\]()0-9.,e+\-–% ]+")
#: The id of a claim where a text names one, with the backticks that it may stand in.
_ID = re.compile(r"`?(?<![\w./-])([a-z0-9][a-z0-9.+-]*:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)`?")
_NOT_PAGES = ("style.css", "report.js")


def site(ledger: Ledger, *, certificates: Collection[str], since: Changes | None) -> dict[str, bytes]:
    """Every file of the site by its name below `site/`; `certificates` are those that can be linked."""
    environment = _environment(ledger, certificates)
    shared = {"ledger": ledger, "counts": _counts(ledger), "errata_count": len(order.errata(ledger.claims))}
    bars = tightness.rows(ledger.claims)
    axis = plots.log_axis([bar.range for bar in bars])
    texts = {
        "index.html": _page(environment, "index.html", **shared, **_front(ledger, since), bars=bars, axis=axis),
        "claims.html": _page(environment, "claims.html", **shared, claims=order.in_order(ledger.claims)),
        "errata.html": _page(environment, "errata.html", **shared, **_errata(ledger)),
        "tightness.html": _page(environment, "tightness.html", **shared, bars=bars, axis=axis),
        "theorems.html": _page(environment, "theorems.html", **shared),
        "map.html": _page(environment, "map.html", **shared, places=order.by_place(ledger.claims)),
    }
    ordered = order.in_order(ledger.claims)
    for before, claim, after in zip([None, *ordered], ordered, [*ordered[1:], None], strict=False):
        near = {"before": before, "after": after}
        bars_here = [tightness.row(claim, entry) for entry in claim.tightness]
        name = f"claim/{order.slug(claim.id)}.html"
        texts[name] = _page(environment, "claim.html", **shared, claim=claim, **near, bars=bars_here)
    for chapter in ledger.chapters:
        texts[f"chapter/{chapter.id}.html"] = _page(environment, "chapter.html", **shared, chapter=chapter)
    files = {name: text.encode() for name, text in texts.items()}
    return files | {name: _template(name).encode() for name in _NOT_PAGES}


def _page(environment: Environment, template: str, **values: Any) -> str:
    root = "../" if template in ("claim.html", "chapter.html") else ""
    return environment.get_template(template).render(root=root, page=template, **values).strip() + "\n"


def _template(name: str) -> str:
    return resources.files("rgm_verify.report.site").joinpath("templates", name).read_text(encoding="utf-8")


def _environment(ledger: Ledger, certificates: Collection[str]) -> Environment:
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        sentence=latex.sentence,
        prose=_prose,
        plain=latex.plain,
        formula=latex.formula,
        symbol=lambda name: latex.formula(latex.symbol_latex(name)),
        enclosure=numbers.enclosure,
        slug=order.slug,
        section=order.section,
        icon=lambda verdict: Markup(plots.icon(verdict)),
        value=_value,
        detail=_detail,
        kind=lambda block: type(block).__struct_config__.tag,
        is_number=lambda text: _NUMBER.fullmatch(text) is not None,
        natural=lambda ids: sorted(ids, key=natural_order),
    )
    environment.globals.update(
        known={c.id: c for c in ledger.claims},
        consequences=Consequences(ledger),
        checked_by=checked_by,
        checkers=CHECKERS,
        outcomes=OUTCOMES,
        counted=counted,
        available=frozenset(certificates),
        meanings=order.MEANINGS,
        scopes=order.SCOPES,
        theorems={theorem.id: theorem for theorem in ledger.theorems},
        verdicts=order.VERDICTS,
        first_bars=_FIRST_BARS,
        first_undecided=_FIRST_UNDECIDED,
        verdict_bar=_svg(plots.verdict_bar),
        range_bar=_svg(plots.range_bar),
        axis_labels=_svg(plots.axis_labels),
        curve=_svg(plots.curve),
        chapter_figure=_svg(chapters.figure),
    )
    return environment


def _svg(draw: Any) -> Any:
    def drawn(*arguments: Any, **settings: Any) -> Markup:
        return Markup(draw(*arguments, **settings))

    return drawn


def _counts(ledger: Ledger) -> dict[str, int]:
    return {verdict: ledger.counts.get(verdict, 0) for verdict in order.VERDICTS}


def _front(ledger: Ledger, since: Changes | None) -> dict[str, Any]:
    refuted = order.errata(ledger.claims)
    weighty = refuted[:_FIRST_ERRATA]
    return {
        "refuted": refuted,
        "weighty": weighty,
        "lighter": [c for c in refuted if c not in weighty],
        "undecided": order.with_verdict(ledger.claims, "undecided"),
        "by_source": _by_source(ledger),
        "controls": _controls(ledger),
        "entries": Counter(e.verdict for e in ledger.entries),
        "shaken": Consequences(ledger).shaken(),
        "by_misprints": Consequences(ledger).by_misprints(),
        "misprints": order.misprints(ledger.claims),
        "refuted_entries": Consequences(ledger).refuted(),
        "carried": Consequences(ledger).scopes(),
        "changes": since,
    }


def _by_source(ledger: Ledger) -> list[tuple[str, Counter[str]]]:
    return [(s, Counter(c.verdict for c in ledger.claims if c.source == s)) for s in order.sources(ledger)]


def _controls(ledger: Ledger) -> tuple[int, int]:
    mutants = [m for c in ledger.claims for m in c.mutants]
    return sum(m.killed for m in mutants), len(mutants)


def _errata(ledger: Ledger) -> dict[str, Any]:
    return {
        "main_results": Consequences(ledger).main_results(),
        "refuted": order.errata(ledger.claims),
        "undecided": order.with_verdict(ledger.claims, "undecided"),
    }


@pass_context
def _prose(context: Context, text: str) -> Markup:
    """A sentence in which every claim that it names is a link to its page; not for texts that are links themselves."""
    known = context["known"]

    def linked(found: re.Match[str]) -> str:
        name = found[1]
        if name not in known:
            return found[0]
        return f'<a href="{context["root"]}claim/{order.slug(name)}.html"><code class="id">{escape(name)}</code></a>'

    return Markup(_ID.sub(linked, str(latex.sentence(text))))


def _value(text: str) -> Markup:
    """An exact value: a fraction or a decimal as MathML, anything else as code."""
    try:
        return latex.formula(text.replace("oo", r"\infty")) if len(text) <= 24 else _code(text)
    except latex.FormulaFault:
        return _code(text)


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _detail(value: Any) -> Markup:
    """A detail of a piece of evidence: a plain value as it is, structured data as JSON, shortened when long."""
    if isinstance(value, Mapping | list):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    text = str(value)
    if len(text) > _LONGEST_DETAIL:
        text = text[:_LONGEST_DETAIL] + " … (whole in the ledger)"
    return Markup("<code>{}</code>").format(escape(text))
