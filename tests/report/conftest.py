"""The hand-made ledger and a report written from it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rgm_verify.claims.outcome.ledger import Ledger
from rgm_verify.claims.outcome.ledger_files import FOLDER, read_ledger
from rgm_verify.report import write_report
from rgm_verify.report.changes import read_changes
from rgm_verify.report.write import render_report

REPORTS = Path(__file__).resolve().parents[2] / "reports"

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
# The checker does not read MathML and takes a header that is a formula for an empty one: that rule is ours.
_AXE = """
const done = arguments[arguments.length - 1];
const empty = [...document.querySelectorAll("th")].filter(cell => !cell.textContent.trim());
const own = empty.length ? [["empty-table-header", ...empty.map(cell => cell.outerHTML.slice(0, 160))]] : [];
const told = rule => [rule.id, ...rule.nodes.map(node => node.html.slice(0, 160))];
axe.run(document, {resultTypes: ["violations"], rules: {"empty-table-header": {enabled: false}}}).then(
  found => done([...own, ...found.violations.map(told)]),
  fault => done([["axe", String(fault)]]));
"""
CERTIFICATES = {"theorem-1-corrected.json": b'{"boxes": []}\n'}


@pytest.fixture(scope="session")
def examples() -> ModuleType:
    """The module of hand-made claims (`fixture.py` beside this file)."""
    name = "rgm_verify_report_examples"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("fixture.py"))
    if spec is None or spec.loader is None:
        pytest.fail("fixture.py cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def ledger(examples: ModuleType) -> Ledger:
    """The rich ledger."""
    return examples.ledger()


@pytest.fixture(scope="session")
def report(ledger: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the report of the rich ledger; read only."""
    folder = tmp_path_factory.mktemp("report")
    write_report(ledger, folder, certificates=CERTIFICATES)
    return folder


@pytest.fixture(scope="session")
def committed_ledger() -> Ledger:
    """The ledger that is committed."""
    return read_ledger(REPORTS / FOLDER)


@pytest.fixture(scope="session")
def committed_report(committed_ledger: Ledger) -> dict[str, bytes]:
    """The files of the report that the committed ledger gives, with its site; a thousand pages, made once."""
    certificates = {p.name: p.read_bytes() for p in (REPORTS / "certificates").glob("*.json")}
    since = read_changes(REPORTS / "changes.json", committed_ledger)
    return render_report(committed_ledger, certificates=certificates, since=since)


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
    width, height, colours = getattr(request, "param", (1280, 900, "light"))
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": colours}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    browser.get_log("browser")
    return browser


@pytest.fixture(scope="session")
def violations() -> Callable[[Any], list[Any]]:
    """The violations that axe-core finds on the page that the browser shows: each rule with its places."""
    try:
        package = importlib.metadata.distribution("axe-playwright-python")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("needs the accessibility checker of axe-playwright-python: pip install 'rgm-verify[test]'")
    # Only its script is used; the package drives another browser than this one.
    script = Path(str(package.locate_file("axe_playwright_python/axe.min.js"))).read_text(encoding="utf-8")

    def found(driver: Any) -> list[Any]:
        if not driver.execute_script("return typeof axe === 'object'"):
            driver.execute_script(script)
        return driver.execute_async_script(_AXE)

    return found
