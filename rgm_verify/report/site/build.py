"""The static site: every page from a template and the ledger, and nothing that changes from run to run.

Functions here prepare what a template shows; decisions about claims (order, weight, what becomes of what) are made in
`rgm_verify.report.order` and `consequences`, so that the Markdown pages say the same. Texts of authors are escaped by
the templates; only MathML and SVG that this library made are marked as safe.
"""

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

from rgm_verify.claims.chapter import ChapterEntry, Figure
from rgm_verify.claims.outcome.checkers import CHECKERS, checked_by, has_theorem_by_hand
from rgm_verify.claims.outcome.ledger import ClaimEntry, Ledger, natural_order
from rgm_verify.claims.outcome.plain import plain
from rgm_verify.numbers.counted import counted
from rgm_verify.report import front, order
from rgm_verify.report.about import about
from rgm_verify.report.changes import Changes
from rgm_verify.report.code import CodePlaces
from rgm_verify.report.consequences import OUTCOMES, Consequences, with_outcome
from rgm_verify.report.instead import instead
from rgm_verify.report.markdown.division import Page, Pages
from rgm_verify.report.pictures import chapters, graph, plots, tightness
from rgm_verify.report.site import search, statements
from rgm_verify.report.site.words import GLOSSARY, KINDS
from rgm_verify.report.texts import broken, latex, numbers, spelling
from rgm_verify.report.texts.readable import readable

#: How many bars the first page shows before it sends the reader to the page with all of them.
_FIRST_BARS = 14
#: How many errata the first page shows in full (those that most leans on); the others are one line each.
_FIRST_ERRATA = 5
_FIRST_UNDECIDED = 12
_MOST_CHANGES = 20
_MOST_ERRATA = 6
# The whole value stands in the ledger.
_LONGEST_DETAIL = 2000
#: In characters of LaTeX. A longer control repeats a long claim, and no reader compares the two by eye.
_LONGEST_CONTROL = 2000
_NUMBER = re.compile(r"[\[\]()0-9.,e+\-–% ]+")
#: The id of a claim where a text names one, with the backticks that it may stand in.
_ID = re.compile(r"`?(?<![\w./-])([a-z0-9][a-z0-9.+-]*:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)`?")
_NO_CODE = CodePlaces()
_NOT_PAGES = ("style.css", "report.js")


def site(
    ledger: Ledger, *, certificates: Collection[str], since: Changes | None, code: CodePlaces = _NO_CODE
) -> dict[str, bytes]:
    """Every file of the site by its name below `site/`; `certificates` are those that can be linked.

    The ledger has to be one that `rgm_verify.report.check.check` passes: a formula that does not convert would raise
    `FormulaFault` from within a template.

    Args:
        certificates: Names of the certificates beside the site.
        since: Changes since the last report.
        code: The lines of claims and chapters, which their pages link.

    Returns:
        Content by name, such as `index.html` and `claim/NAME.html`.
    """
    environment = _environment(ledger, certificates, code)
    shared = {"ledger": ledger, "counts": _counts(ledger), "errata_count": len(order.errata(ledger.claims))}
    bars = tightness.rows(ledger.claims)
    # One axis for all bars, so that they can be compared by eye.
    axis = plots.log_axis([bar.range for bar in bars])
    texts = {
        "index.html": _page(environment, "index.html", **shared, **_front(ledger, since), bars=bars, axis=axis),
        "claims.html": _page(environment, "claims.html", **shared, **_search(ledger)),
        "errata.html": _page(environment, "errata.html", **shared, **_errata(ledger)),
        "tightness.html": _page(environment, "tightness.html", **shared, bars=bars, axis=axis),
        "theorems.html": _page(environment, "theorems.html", **shared),
        "reading.html": _page(environment, "reading.html", **shared, **_reading(ledger)),
        "map.html": _page(environment, "map.html", **shared, **_statements(ledger), groups=_map(ledger)),
    }
    if ledger.entries:
        texts["entries.html"] = _page(environment, "entries.html", **shared)
    if ledger.chapters:
        texts["chapters.html"] = _page(environment, "chapters.html", **shared)
    ordered = order.in_order(ledger.claims)
    for before, claim, after in zip([None, *ordered], ordered, [*ordered[1:], None], strict=False):
        near = {"before": before, "after": after}
        # A page of its own shows its ranges even where the list of the loosest is cut.
        bars_here = [tightness.row(claim, entry) for entry in claim.tightness]
        name = f"claim/{order.slug(claim.id)}.html"
        texts[name] = _page(environment, "claim.html", **shared, claim=claim, **near, bars=bars_here)
    for section, places in _map(ledger):
        name = f"map/{section.name}.html"
        texts[name] = _page(environment, "map_page.html", **shared, section=section, places=places)
    for section, refuted in _errata_by_page(ledger):
        name = f"errata/{section.name}.html"
        texts[name] = _page(environment, "errata_page.html", **shared, section=section, refuted=refuted)
    for chapter in ledger.chapters:
        texts[f"chapter/{chapter.id}.html"] = _page(environment, "chapter.html", **shared, chapter=chapter)
    files = {name: text.encode() for name, text in texts.items()}
    return files | {"claims.js": search.index(ledger)} | {name: _template(name).encode() for name in _NOT_PAGES}


def _page(environment: Environment, template: str, **values: Any) -> str:
    """Return a page from its template."""
    # Links are relative, so that the site works from a folder as well as from a server.
    root = "../" if template in ("claim.html", "chapter.html", "errata_page.html", "map_page.html") else ""
    shown = environment.get_template(template).render(root=root, page=template, **values).strip() + "\n"
    return spelling.in_html(shown, _printed_on(template, environment.globals["consequences"], values))


def _printed_on(template: str, consequences: Any, values: Mapping[str, Any]) -> list[str]:
    """Return what the sources print of what a page shows, in its order."""
    if template == "index.html":
        return [error.block.printed for error in values["first_errors"]]
    claims = {"claim.html": [values.get("claim")], "errata_page.html": values.get("refuted", [])}.get(template, [])
    return [print_.formula for claim in claims for print_ in consequences.printed(claim)]


def _template(name: str) -> str:
    """Return the text of a template or of another file of the site."""
    return resources.files("rgm_verify.report.site").joinpath("templates", name).read_text(encoding="utf-8")


def _environment(ledger: Ledger, certificates: Collection[str], code: CodePlaces) -> Environment:
    """Return the templates' environment: filters, and what every page may ask.

    Args:
        certificates: Names of certificates that a page may link.
        code: The lines of claims and chapters.
    """
    environment = Environment(
        loader=FunctionLoader(_template),
        # Titles and texts come from whoever wrote the claims.
        autoescape=True,
        # A misspelt name in a template is an error, and not an empty place.
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        sentence=broken.prose,
        prose=_prose,
        counted=counted,
        told=plain,
        plain=readable,
        formula=broken.broken,
        symbol=lambda name: latex.formula(latex.symbol_latex(name)),
        enclosure=numbers.enclosure,
        slug=order.slug,
        section=order.section,
        icon=lambda verdict: Markup(plots.icon(verdict)),
        picture=Markup,
        pointed=lambda text, witness: spelling.pointed(text, witness.values if witness else ()),
        value=_value,
        detail=_detail,
        kind=lambda block: type(block).__struct_config__.tag,
        is_number=lambda text: _NUMBER.fullmatch(text) is not None,
        sum_of=lambda counts, word: sum(found[word] for found in counts),
        natural=lambda ids: sorted(ids, key=natural_order),
    )
    environment.globals.update(
        # Once for the site and not for each of a thousand pages.
        known={c.id: c for c in ledger.claims},
        consequences=Consequences(ledger),
        pictures=pictures_of(ledger),
        checked_by=checked_by,
        checkers=CHECKERS,
        has_theorem_by_hand=has_theorem_by_hand,
        outcomes=OUTCOMES,
        with_outcome=with_outcome,
        instead=instead,
        available=frozenset(certificates),
        meanings=order.MEANINGS,
        scopes=order.SCOPES,
        scope_names=order.SCOPE_NAMES,
        glossary=GLOSSARY,
        about=about(ledger),
        code=code,
        theorems={theorem.id: theorem for theorem in ledger.theorems},
        verdicts=order.VERDICTS,
        first_bars=_FIRST_BARS,
        longest_control=_LONGEST_CONTROL,
        first_undecided=_FIRST_UNDECIDED,
        verdict_bar=_svg(plots.verdict_bar),
        range_bar=_svg(plots.range_bar),
        axis_labels=_svg(plots.axis_labels),
        curve=_svg(plots.curve),
        chapter_figure=_svg(chapters.figure),
    )
    return environment


def _svg(draw: Any) -> Any:
    """Return a function whose picture is not escaped.

    The pictures escape the words in them themselves.
    """

    def drawn(*arguments: Any, **settings: Any) -> Markup:
        return Markup(draw(*arguments, **settings))

    return drawn


def pictures_of(ledger: Ledger) -> dict[str, list[tuple[ChapterEntry, Figure]]]:
    """Return the figures of chapters by the claims that their captions name."""
    found: dict[str, list[tuple[ChapterEntry, Figure]]] = {}
    for chapter in ledger.chapters:
        for block in (block for block in chapter.blocks if isinstance(block, Figure)):
            for name in dict.fromkeys(_ID.findall(block.caption)):
                found.setdefault(name, []).append((chapter, block))
    return found


def _counts(ledger: Ledger) -> dict[str, int]:
    """Return the number of claims for every verdict."""
    return {verdict: ledger.counts.get(verdict, 0) for verdict in order.VERDICTS}


def _front(ledger: Ledger, since: Changes | None) -> dict[str, Any]:
    """Return what the first page shows."""
    refuted = order.errata(ledger.claims)
    fronts = front.front(ledger)
    return {
        "fronts": fronts,
        "total": sum((one.counts for one in fronts), Counter()),
        "found_words": front.FOUND,
        "shown_words": front.shown_words(fronts),
        "lead": front.lead_figure(ledger.chapters),
        "first_errors": front.first_errors(ledger),
        "first_answers": front.first_answers(ledger),
        "bridge": front.bridge(ledger),
        "trusted": front.trusted(ledger),
        "own": front.own_claims(ledger),
        "checkers_found": _checkers_found(ledger),
        "refuted": refuted,
        "weighty": refuted[:_FIRST_ERRATA],
        "undecided": order.with_verdict(ledger.claims, "undecided"),
        "shaken": Consequences(ledger).shaken(),
        "by_misprints": Consequences(ledger).by_misprints(),
        "changes": since,
        "most_changes": _MOST_CHANGES,
    }


def _reading(ledger: Ledger) -> dict[str, Any]:
    """Return what the page on how to read the others shows: its examples are claims of the ledger."""
    refuted = order.errata(ledger.claims)
    return {
        "firsts": {verdict: next(iter(order.with_verdict(ledger.claims, verdict)), None) for verdict in order.VERDICTS},
        "example": next((c for c in refuted if c.witness and c.witness.values), None),
        "controls": _controls(ledger),
        "kinds": {plain(str(kind)): words for kind, words in KINDS.items()},
        "checkers_found": _checkers_found(ledger),
    }


def _checkers_found(ledger: Ledger) -> Counter[str]:
    """Return how many claims each kind of checker stands behind."""
    return Counter(name for claim in ledger.claims if (name := checked_by(claim)))


def _controls(ledger: Ledger) -> tuple[int, int]:
    """Return how many controls were refuted, and how many there are."""
    mutants = [m for c in ledger.claims for m in c.mutants]
    return sum(m.killed for m in mutants), len(mutants)


def _errata(ledger: Ledger) -> dict[str, Any]:
    """Return what the page of errata shows."""
    return {
        "main_results": Consequences(ledger).main_results(),
        "refuted": order.errata(ledger.claims),
        "groups": _errata_by_page(ledger),
        "undecided": order.with_verdict(ledger.claims, "undecided"),
    }


def _errata_by_page(ledger: Ledger) -> list[tuple[Page, list[ClaimEntry]]]:
    """Return the refuted claims of the sources by the section that they stand in, each in the order of their weight.

    A section with many of them has several pages, so that none is too long for a browser.

    Returns:
        Pages of errata, named as the section, from the second part on with a number, each with its claims.
    """
    refuted = order.errata(ledger.claims)
    found = []
    for page in Pages(ledger):
        here = {c.id for c in page.claims}
        claims = [c for c in refuted if c.id in here]
        parts = [claims[i : i + _MOST_ERRATA] for i in range(0, len(claims), _MOST_ERRATA)]
        # The first part keeps the name of the section, which other pages link.
        for number, part in enumerate(parts, start=1):
            name = page.name if number == 1 else f"{page.name}-{number}"
            title = page.title if len(parts) == 1 else f"{page.title}, part {number} of {len(parts)}"
            found.append((Page(name, title), part))
    return found


def _search(ledger: Ledger) -> dict[str, Any]:
    """Return what the page of all claims shows: what to filter by, and the sections for who runs no scripts."""
    return {"filters": search.filters(ledger), "filter_names": search.FILTERS, "groups": _map(ledger)}


def _statements(ledger: Ledger) -> dict[str, Any]:
    """Return what the map shows: a graph of the statements of each source, and the signs in it."""
    return {
        "maps": statements.maps(ledger),
        "signs": graph.SIGNS,
        "shown_words": front.shown_words(front.front(ledger)),
    }


def _map(ledger: Ledger) -> list[tuple[Page, list[order.Place]]]:
    """Return the places of the sources by the section that they belong to."""
    return [(page, order.by_place(page.claims)) for page in Pages(ledger) if page.claims]


@pass_context
def _prose(context: Context, text: str) -> Markup:
    """A sentence in which every claim that it names is a link to its page; not for texts that are links themselves."""
    known = context["known"]

    def linked(found: re.Match[str]) -> str:
        name = found[1]
        # What looks like an id and is none stays a text, as a link would lead nowhere.
        if name not in known:
            return found[0]
        return f'<a href="{context["root"]}claim/{order.slug(name)}.html"><code class="id">{escape(name)}</code></a>'

    return Markup(_ID.sub(linked, str(broken.prose(text))))


def _value(text: str) -> Markup:
    """An exact value: a fraction or a decimal as MathML, anything else as code."""
    try:
        # A long exact value is no formula to be read, and a table would grow with it.
        return latex.formula(text.replace("oo", r"\infty")) if len(text) <= 24 else _code(text)
    except latex.FormulaFault:
        return _code(text)


def _code(text: str) -> Markup:
    """Return a text as code."""
    return Markup("<code>{}</code>").format(text)


def _detail(value: Any) -> Markup:
    """A detail of a piece of evidence: a plain value as it is, structured data as JSON, shortened when long.

    Keys are sorted, as a page has to be the same from run to run.
    """
    # Details come from lenses in any shape; a reader of the page sees the data, the ledger has them whole.
    if isinstance(value, Mapping | list):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    text = str(value)
    if len(text) > _LONGEST_DETAIL:
        text = text[:_LONGEST_DETAIL] + " … (whole in the ledger)"
    return Markup("<code>{}</code>").format(escape(text))
