"""The site in a real browser, on a phone and a desk, by day and by night, opened from disk."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from rgm_verify.claims.chapter import ChapterEntry, Table
from rgm_verify.claims.outcome.checkers import checked_by
from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger
from rgm_verify.report import write_report
from rgm_verify.report.markdown.division import Pages
from rgm_verify.report.order import SCOPE_NAMES
from rgm_verify.report.site.build import site

SCREENS = [(390, 844, "light"), (390, 844, "dark"), (1280, 900, "light"), (1280, 900, "dark")]
every_screen = pytest.mark.parametrize("screen", SCREENS, indirect=True, ids=lambda s: f"{s[0]}-{s[2]}")
PAGES = (
    "index.html",
    "claims.html",
    "errata.html",
    "errata/rgm-section-3.html",
    "map/rgm-section-3.html",
    "tightness.html",
    "map.html",
    "entries.html",
    "claim/rgm-v1--theorem-1.html",
    "claim/rgm-v1--lemma-2.html",
    "claim/beyond--theorem-1-corrected.html",
)
#: Visible text outside of code, as a reader sees it.
_VISIBLE_TEXT = """
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const parent = walk.currentNode.parentElement;
  if (!parent.closest("code, pre, script, style") && parent.checkVisibility()) found.push(walk.currentNode.data);
}
return found.join(" ");
"""
#: Contrast of every visible text against what is painted behind it (WCAG 2 formula), the worst ones first.
_CONTRAST = """
const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return [...n, 1].slice(0, 4) };
const linear = value => value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
const light = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const colour = parse(getComputedStyle(e).backgroundColor);
    if (colour[3] > .99) return colour;
  }
  return [255, 255, 255, 1];
};
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
  if (!own || !element.checkVisibility() || element.closest(".hidden, .skip, [aria-hidden]")) continue;
  const style = getComputedStyle(element);
  const ink = element.closest("svg") ? style.fill : style.color;
  const ends = [light(parse(ink)), light(behind(element))].sort((a, b) => a - b);
  const ratio = (ends[1] + .05) / (ends[0] + .05);
  if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName} ${element.textContent.slice(0, 40)}`);
}
return found.sort();
"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def open_page(driver: Any, report: Path, page: str) -> None:
    driver.get("about:blank")
    driver.get((report / "site").as_uri() + "/" + page)


@every_screen
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_its_screen_and_is_clean(screen: Any, report: Path, page: str):
    open_page(screen, report, page)
    assert screen.get_log("browser") == []
    width = screen.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1], f"{page}: {width[0]} wide on a screen of {width[1]}"
    text = screen.execute_script(_VISIBLE_TEXT).replace("costs $5", "")
    assert not re.search(r"\$|\\[A-Za-z{}|,;]", text)
    assert screen.execute_script(_CONTRAST) == []


def test_light_and_dark_differ(browser: Any, report: Path):
    open_page(browser, report, "index.html")
    grounds = set()
    for colours in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": colours}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        grounds.add(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_the_contrast_check_sees_a_faint_text(screen: Any, report: Path):
    open_page(screen, report, "index.html")
    screen.execute_script("document.querySelector('h2').style.color = '#ccc'")
    assert len(screen.execute_script(_CONTRAST)) == 1


def test_filters_leave_what_is_chosen(screen: Any, report: Path, ledger: Ledger):
    open_page(screen, report, "claims.html")
    assert len(_rows(screen)) == len(ledger.claims)
    for verdict, count in ledger.counts.items():
        screen.find_element("css selector", f'input[name="verdict"][value="{verdict}"]').click()
        assert _rows(screen) == [verdict] * count
    screen.find_element("css selector", 'input[name="verdict"][value=""]').click()
    for column, of in (
        ("source", lambda c: c.source),
        ("kind", lambda c: c.kind),
        ("category", lambda c: c.category),
        ("scope", lambda c: SCOPE_NAMES[c.scope]),
        ("checked", checked_by),
        ("section", Pages(ledger).home),
    ):
        values = {of(claim) for claim in ledger.claims} - {""}
        choices = screen.find_elements("css selector", f'select[name="{column}"] option')
        assert {choice.get_attribute("value") for choice in choices} == values | {""}, column
        for value in sorted(values):
            screen.find_element("css selector", f'select[name="{column}"] option[value="{value}"]').click()
            wanted = sorted(c.id for c in ledger.claims if of(c) == value)
            assert sorted(_ids(screen)) == wanted, (column, value)
        screen.find_element("css selector", f'select[name="{column}"] option[value=""]').click()


def test_without_scripts_the_claims_are_listed_by_section(screen: Any, report: Path, ledger: Ledger):
    screen.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    open_page(screen, report, "claims.html")
    assert not screen.find_element("css selector", ".filters").is_displayed()
    listed = screen.find_elements("css selector", ".by-section li a")
    assert [a.text for a in listed] == [page.title for page in Pages(ledger) if page.claims]
    assert all(a.is_displayed() for a in listed)


def _rows(driver: Any) -> list[str]:
    found = driver.find_elements("css selector", ".index tbody tr")
    return [row.get_attribute("data-verdict") for row in found if row.is_displayed()]


def _ids(driver: Any) -> list[str]:
    return [code.text for code in driver.find_elements("css selector", ".index tbody th .id")]


def test_words_are_found_and_everything_comes_back(screen: Any, report: Path, ledger: Ledger):
    open_page(screen, report, "claims.html")
    box = screen.find_element("id", "find")
    box.send_keys("lemma-10")
    assert _rows(screen) == ["proved"]
    assert screen.find_element("css selector", ".shown").text == f"1 of {len(ledger.claims)} claims"
    box.send_keys(" nowhere")
    assert _rows(screen) == []
    screen.find_element("css selector", ".reset").click()
    assert len(_rows(screen)) == len(ledger.claims)
    # A character that means something in a pattern is a character here.
    box.send_keys("(lemma [a*")
    assert _rows(screen) == []
    assert screen.get_log("browser") == []


@pytest.mark.parametrize("page", ["index.html", "claim/rgm-v1--theorem-1.html"])
def test_the_search_of_every_page_leads_to_the_claims(screen: Any, report: Path, page: str):
    open_page(screen, report, page)
    box = screen.find_element("css selector", ".search input")
    box.send_keys("theorem 1")
    box.submit()
    # The browser says that the form is on its way before the next page is there.
    wait = __import__("selenium.webdriver.support.wait", fromlist=["WebDriverWait"]).WebDriverWait
    wait(screen, 30).until(lambda driver: driver.find_elements("id", "find"))
    assert "/claims.html" in screen.current_url
    assert screen.find_element("id", "find").get_attribute("value") == "theorem 1"
    found = _ids(screen)
    # What is called so comes before what only speaks of it.
    called = [name for name in found if name.endswith(":theorem-1")]
    assert called
    assert found[: len(called)] == called
    # The address is one that can be shared: it shows the same when it is opened.
    address = screen.current_url
    screen.get("about:blank")
    screen.get(address)
    assert _ids(screen) == found


def test_many_claims_are_shown_a_hundred_at_a_time(screen: Any, examples: ModuleType, tmp_path: Path):
    base = examples.ledger()
    copies = 250 // len(base.claims) + 1
    claims = [msgspec.structs.replace(c, id=f"{c.id}-{i}") for i in range(copies) for c in base.claims]
    write_report(examples.ledger(claims), tmp_path)
    open_page(screen, tmp_path, "claims.html")
    counts = [len(_rows(screen))]
    button = screen.find_element("css selector", ".further button")
    while button.is_displayed():
        button.click()
        counts.append(len(_rows(screen)))
    assert counts == [*range(100, len(claims), 100), len(claims)]
    assert len(set(_ids(screen))) == len(claims)


def test_a_count_on_the_first_page_leads_to_its_claims(screen: Any, report: Path):
    open_page(screen, report, "index.html")
    screen.find_element("css selector", ".tally .refuted a").click()
    assert _rows(screen) == ["refuted", "refuted"]
    screen.back()
    assert screen.current_url.endswith("index.html")


def test_every_link_of_the_first_page_opens(screen: Any, report: Path):
    open_page(screen, report, "index.html")
    links = screen.execute_script("return [...document.links].map(link => link.href)")
    assert len(links) > 20
    for link in sorted(set(links)):
        screen.get(link)
        if ".html" in link:
            assert screen.execute_script("return document.querySelector('h1')?.textContent.length > 0"), link
        assert screen.get_log("browser") == [], link


def test_the_keyboard_reaches_content_and_filters(screen: Any, report: Path):
    open_page(screen, report, "claims.html")
    keys = __import__("selenium.webdriver.common.keys", fromlist=["Keys"]).Keys
    screen.switch_to.active_element.send_keys(keys.TAB)
    assert screen.switch_to.active_element.get_attribute("href").endswith("#content")
    screen.find_element("id", "v0").send_keys(keys.ARROW_RIGHT)
    assert set(_rows(screen)) == {"proved"}


@every_screen
def test_a_large_report_fits(screen: Any, examples: ModuleType, tmp_path: Path):
    base = examples.ledger()
    claims = [
        msgspec.structs.replace(claim, id=f"{claim.id}-{i}", leaned_on_by=["x:y"] * (i % 3))
        for i in range(10)
        for claim in base.claims
    ]
    write_report(examples.ledger(claims), tmp_path)
    for page in ("index.html", "claims.html", "tightness.html"):
        open_page(screen, tmp_path, page)
        width = screen.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert width[0] <= width[1]


@pytest.mark.parametrize("screen", SCREENS[:1], indirect=True)
@pytest.mark.parametrize("page", ["claims.html", "entries.html", "tightness.html"])
def test_rows_use_the_whole_width_of_a_phone(screen: Any, report: Path, page: str):
    open_page(screen, report, page)
    shares = screen.execute_script(
        "return [...document.querySelectorAll('tbody th')].map(cell =>"
        " cell.getBoundingClientRect().width / cell.closest('main').getBoundingClientRect().width)"
    )
    assert shares
    assert min(shares) > 0.8


def _with_chooser(examples: ModuleType, folder: Path) -> None:
    """A report with a table of two quantities to choose: 3 values of the first, 2 of the second."""
    rows = [
        [a, b, f"[{a}{b}, {a}{b}]", "$x^2$" if b == "1" else "no"] for a in ("0.1", "0.2", "0.3") for b in ("1", "2")
    ]
    table = Table(caption="All of them.", columns=["$\\eta$", "steps", "epsilon", "printed"], rows=rows, inputs=2)
    chapter = ChapterEntry(id="choose", title="Choose", summary="Any.", file="choose.py", blocks=[table])
    write_report(msgspec.structs.replace(examples.ledger(), chapters=[chapter]), folder)


def test_sliders_show_the_row_that_is_chosen(screen: Any, examples: ModuleType, tmp_path: Path):
    _with_chooser(examples, tmp_path)
    open_page(screen, tmp_path, "chapter/choose.html")
    keys = __import__("selenium.webdriver.common.keys", fromlist=["Keys"]).Keys
    first, second = screen.find_elements("css selector", ".chooser input")
    assert [e.text for e in screen.find_elements("css selector", ".chooser .found dd")] == ["[0.22, 0.22]", "no"]
    assert not screen.find_element("css selector", "table.numbers").is_displayed()
    first.send_keys(keys.ARROW_RIGHT)
    second.send_keys(keys.ARROW_LEFT)
    assert first.get_attribute("aria-valuetext") == "0.3"
    shown = screen.find_elements("css selector", ".chooser .found dd")
    assert shown[0].text == "[0.31, 0.31]"
    assert shown[1].find_elements("css selector", "math")
    screen.find_element("css selector", ".chapter details summary").click()
    assert screen.find_element("css selector", "table.numbers").is_displayed()
    assert screen.get_log("browser") == []


def test_without_scripts_all_combinations_are_shown(screen: Any, examples: ModuleType, tmp_path: Path):
    _with_chooser(examples, tmp_path)
    screen.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    open_page(screen, tmp_path, "chapter/choose.html")
    assert len(screen.find_elements("css selector", "table.numbers tbody tr")) == 6
    assert screen.find_element("css selector", "table.numbers").is_displayed()


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the site of the committed ledger."""
    folder = tmp_path_factory.mktemp("committed")
    ledger = read_ledger(Path(__file__).resolve().parents[3] / "reports" / FOLDER)
    for name, content in site(ledger, certificates=[], since=None).items():
        path = folder / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


#: What a reader wants to know, the link of the first page that answers it, and words of the answer.
QUESTIONS = [
    ("is Theorem 1 right?", "Theorem 1 of version 2", "proved"),
    ("what is wrong with Theorem 2, and what holds?", "Theorem 2, as printed", "What is right instead"),
    ("how private is the worked example?", "Exact accounting", "The worked example, by every bound"),
    ("which accountant can I trust?", "The grade of accountants", "prv_accountant"),
    ("how do I check a certificate?", "How to read this", "rgm-verify replay FILE"),
]


@pytest.mark.parametrize(("question", "link", "answer"), QUESTIONS, ids=[q[0] for q in QUESTIONS])
def test_a_readers_questions_are_one_click_away(screen: Any, committed: Path, question: str, link: str, answer: str):
    open_page(screen, committed, "index.html")
    screen.find_element("link text", link).click()
    assert answer in screen.find_element("tag name", "body").text, question


@pytest.mark.parametrize(
    ("screen", "errors"),
    [((1280, 900, "light"), 5), ((1280, 900, "dark"), 5), ((390, 844, "light"), 3), ((390, 844, "dark"), 3)],
    indirect=["screen"],
    ids=["desk", "desk in the dark", "phone", "phone in the dark"],
)
def test_the_first_screen_shows_errors_whole_with_what_is_right_and_what_checked_it(
    screen: Any, committed: Path, errors: int
):
    open_page(screen, committed, "index.html")
    items = screen.find_elements("css selector", ".errors > li")
    height = screen.execute_script("return window.innerHeight")
    whole = [item for item in items if item.rect["y"] + item.rect["height"] <= height]
    assert len(whole) >= errors
    for item in whole:
        for side in (".printed", ".right"):
            (box,) = item.find_elements("css selector", side)
            assert box.find_elements("css selector", "math")
            assert box.find_element("css selector", "small").text
            wide = screen.execute_script("return arguments[0].scrollWidth - arguments[0].clientWidth", box)
            assert wide <= 1, box.text
    assert screen.execute_script(_CONTRAST) == []
