"""The site in a real browser, on a phone and a desk, by day and by night, opened from disk."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from rgm_verify.claims.ledger import Ledger
from rgm_verify.report import write_report

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SCREENS = [(390, 844, "light"), (390, 844, "dark"), (1280, 900, "light"), (1280, 900, "dark")]
PAGES = (
    "index.html",
    "claims.html",
    "errata.html",
    "tightness.html",
    "map.html",
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
  if (!own || !element.checkVisibility() || element.closest("svg, .hidden, .skip")) continue;
  const ends = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => a - b);
  const ratio = (ends[1] + .05) / (ends[0] + .05);
  if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.tagName} ${element.textContent.slice(0, 40)}`);
}
return found.sort();
"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium with an empty profile."""
    webdriver = pytest.importorskip("selenium.webdriver")
    programs = [shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")]
    programs.append(shutil.which("chromedriver"))
    if not all(programs):
        pytest.skip("needs Chromium and chromedriver on the PATH (on Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=programs[1]))
    yield driver
    driver.quit()


@pytest.fixture
def screen(browser: Any, request: pytest.FixtureRequest) -> Any:
    """The browser with the size and the colours of a screen; scripts run."""
    width, height, colours = getattr(request, "param", SCREENS[2])
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": colours}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    browser.get_log("browser")
    return browser


every_screen = pytest.mark.parametrize("screen", SCREENS, indirect=True, ids=lambda s: f"{s[0]}-{s[2]}")


def _open(driver: Any, report: Path, page: str) -> None:
    driver.get("about:blank")
    driver.get((report / "site").as_uri() + "/" + page)


@every_screen
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_its_screen_and_is_clean(screen: Any, report: Path, page: str):
    _open(screen, report, page)
    assert screen.get_log("browser") == []
    width = screen.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1], f"{page}: {width[0]} wide on a screen of {width[1]}"
    text = screen.execute_script(_VISIBLE_TEXT).replace("costs $5", "")
    assert not re.search(r"\$|\\[A-Za-z{}|,;]", text)
    assert screen.execute_script(_CONTRAST) == []


def test_light_and_dark_differ(browser: Any, report: Path):
    _open(browser, report, "index.html")
    grounds = set()
    for colours in ("light", "dark"):
        media = {"features": [{"name": "prefers-color-scheme", "value": colours}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        grounds.add(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_the_contrast_check_sees_a_faint_text(screen: Any, report: Path):
    _open(screen, report, "index.html")
    screen.execute_script("document.querySelector('h2').style.color = '#ccc'")
    assert len(screen.execute_script(_CONTRAST)) == 1


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_filters_leave_what_is_chosen(screen: Any, report: Path, ledger: Ledger, scripts: bool):
    screen.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    _open(screen, report, "claims.html")
    assert screen.find_element("id", "find").is_displayed() == scripts
    assert len(_rows(screen)) == len(ledger.claims)
    for verdict, count in ledger.counts.items():
        screen.find_element("css selector", f'input[name="verdict"][value="{verdict}"]').click()
        assert _rows(screen) == [verdict] * count
    screen.find_element("css selector", 'input[name="kind"][value="remark"]').click()
    wanted = [c for c in ledger.claims if c.verdict == verdict and c.kind == "remark"]
    assert len(_rows(screen)) == len(wanted)


def _rows(driver: Any) -> list[str]:
    found = driver.find_elements("css selector", ".index tbody tr")
    return [row.get_attribute("data-verdict") for row in found if row.is_displayed()]


def test_words_are_found_and_everything_comes_back(screen: Any, report: Path, ledger: Ledger):
    _open(screen, report, "claims.html")
    box = screen.find_element("id", "find")
    box.send_keys("lemma-10")
    assert _rows(screen) == ["proved"]
    assert screen.find_element("css selector", ".shown").text == f"1 of {len(ledger.claims)} claims"
    box.send_keys(" nowhere")
    assert _rows(screen) == []
    screen.find_element("css selector", ".reset").click()
    assert len(_rows(screen)) == len(ledger.claims)


def test_a_count_on_the_first_page_leads_to_its_claims(screen: Any, report: Path):
    _open(screen, report, "index.html")
    screen.find_element("css selector", ".tally .refuted a").click()
    assert _rows(screen) == ["refuted", "refuted"]
    screen.back()
    assert screen.current_url.endswith("index.html")


def test_every_link_of_the_first_page_opens(screen: Any, report: Path):
    _open(screen, report, "index.html")
    links = screen.execute_script("return [...document.links].map(link => link.href)")
    assert len(links) > 20
    for link in sorted(set(links)):
        screen.get(link)
        if ".html" in link:
            assert screen.execute_script("return document.querySelector('h1')?.textContent.length > 0"), link
        assert screen.get_log("browser") == [], link


def test_the_keyboard_reaches_content_and_filters(screen: Any, report: Path):
    _open(screen, report, "claims.html")
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
        _open(screen, tmp_path, page)
        width = screen.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert width[0] <= width[1]


@pytest.mark.parametrize("screen", SCREENS[:1], indirect=True)
@pytest.mark.parametrize("page", ["claims.html", "map.html", "tightness.html"])
def test_rows_use_the_whole_width_of_a_phone(screen: Any, report: Path, page: str):
    _open(screen, report, page)
    shares = screen.execute_script(
        "return [...document.querySelectorAll('tbody th')].map(cell =>"
        " cell.getBoundingClientRect().width / cell.closest('main').getBoundingClientRect().width)"
    )
    assert shares
    assert min(shares) > 0.8
