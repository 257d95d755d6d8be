"""Pages of the site that the committed ledger gives: their size, their width, and what a screen reader needs.

The browser looks at a sample of them; `nox -s pages` shows it every page.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SCREENS = [(390, 844, "light"), (1280, 900, "dark")]
#: In bytes and in elements.
LARGEST, LARGEST_FIRST, MOST_ELEMENTS = 400_000, 150_000, 8_000
#: The browser loads about ten pages a second; two workers halve the time.
SHARES = 2
_ELEMENT = re.compile(rb"<[a-z]")
_WIDTHS = "return [document.documentElement.scrollWidth, window.innerWidth]"


@pytest.fixture(scope="module")
def files(committed_report: dict[str, bytes]) -> dict[str, bytes]:
    return {name.removeprefix("site/"): text for name, text in committed_report.items() if name.startswith("site/")}


@pytest.fixture(scope="module")
def folder(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return folder


def test_no_page_is_too_large(files: dict[str, bytes]) -> None:
    pages = {name: content for name, content in files.items() if name.endswith(".html")}
    assert len(pages) > 1000
    assert len(pages["index.html"]) < LARGEST_FIRST
    for name, content in pages.items():
        assert len(content) < LARGEST, name
        assert len(_ELEMENT.findall(content)) <= MOST_ELEMENTS, name


def _sized(driver: Any, width: int, height: int, colours: str) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": colours}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


def _pages(folder: Path, share: int, part: int) -> Iterator[str]:
    """A share of the pages: those of each kind and every so-manyth of the others, or with `RGM_VERIFY_PAGES=1` all."""
    whole = os.environ.get("RGM_VERIFY_PAGES") == "1"
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))]
    for place, name in enumerate(names[share::SHARES]):
        if whole or "/" not in name or name.startswith("chapter/") or place % part == 0:
            yield name


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_no_page_scrolls_sideways_or_complains(screen: Any, folder: Path, share: int) -> None:
    wide = []
    for name in _pages(folder, share, 4):
        screen.get((folder / name).as_uri())
        for size in SCREENS:
            _sized(screen, *size)
            have, there = screen.execute_script(_WIDTHS)
            wide += [f"{name}: {have} wide on a screen of {there}"] if have > there else []
        assert screen.get_log("browser") == [], name
    assert not wide, wide


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_no_page_shuts_anyone_out(
    screen: Any, folder: Path, share: int, violations: Callable[[Any], list[Any]]
) -> None:
    faults = []
    for name in _pages(folder, share, 50):
        screen.get((folder / name).as_uri())
        for size in SCREENS:
            _sized(screen, *size)
            faults += [(name, size, *fault) for fault in violations(screen)]
    assert not faults, faults


@pytest.mark.browser
@pytest.mark.slow
def test_the_checks_see_a_page_that_is_wide_and_one_that_shuts_out(
    screen: Any, folder: Path, violations: Callable[[Any], list[Any]]
) -> None:
    screen.get((folder / "reading.html").as_uri())
    _sized(screen, *SCREENS[0])
    assert screen.execute_script(_WIDTHS)[0] <= SCREENS[0][0]
    assert violations(screen) == []
    screen.execute_script("document.querySelector('h1').style.width = '30rem'")
    assert screen.execute_script(_WIDTHS)[0] > SCREENS[0][0]
    screen.execute_script("document.querySelector('h1').after(document.createElement('img'))")
    screen.execute_script("document.querySelector('h2').style.color = '#ddd'")
    screen.execute_script("document.querySelector('th').textContent = ' '")
    assert {rule for rule, *_ in violations(screen)} == {"image-alt", "color-contrast", "empty-table-header"}
