"""The site of documentation: it builds without a warning, and holds every module that a guide or an example imports."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
REFERENCE = ROOT / "docs" / "reference"
BUILD = (sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir")


def listed() -> list[str]:
    """The modules that the pages of the reference show."""
    return [
        name for page in sorted(REFERENCE.glob("*.md")) for name in re.findall(r"^::: (\S+)$", page.read_text(), re.M)
    ]


def programs() -> Iterator[tuple[str, str]]:
    """The Python that users are shown: blocks of the guides, and examples."""
    for guide in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for block in re.findall(r"^```python\n(.*?)^```", guide.read_text(encoding="utf-8"), re.M | re.S):
            yield guide.name, block
    for example in sorted((ROOT / "examples").glob("*.py")):
        yield example.name, example.read_text(encoding="utf-8")


def imported(program: str) -> set[str]:
    """The modules of the library that a program takes names from."""
    found = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            # What is imported is a module itself, or a name of one.
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if _is_module(name) else node.module for name in inner}
    return {name for name in found if name.split(".")[0] == "rgm_verify"}


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


@pytest.mark.parametrize("name", listed())
def test_what_the_reference_lists_is_a_module_with_a_docstring(name: str) -> None:
    assert _is_module(name)
    assert importlib.import_module(name).__doc__


def test_nothing_is_listed_twice() -> None:
    assert len(listed()) == len(set(listed()))


def test_what_users_are_told_to_import_is_in_the_reference() -> None:
    used = {(place, name) for place, program in programs() for name in imported(program)}
    assert len(used) > 20
    # A package that only hands on names of its modules is documented there.
    handed_on = {"rgm_verify", "rgm_verify.pages"}
    assert sorted((place, name) for place, name in used if name not in handed_on | set(listed())) == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of documentation, built strictly."""
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    pytest.importorskip("mkdocstrings_handlers.python", reason="needs the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run((*BUILD, str(folder)), cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_holds_the_guides_the_tutorial_and_how_to_contribute(built: Path) -> None:
    assert (
        'id="rgm_verify.accounting.exact.one_release.epsilon"' in (built / "reference" / "accounting.html").read_text()
    )
    # Markdown takes a line that begins with > for a quotation: an example outside of `Examples:`, or "> 0" in a text.
    pages = sorted((built / "reference").glob("*.html"))
    assert len(pages) == len(list(REFERENCE.glob("*.md")))
    assert [path.name for path in pages if "<blockquote>" in path.read_text(encoding="utf-8")] == []
    for name, words in (("tutorial.html", "From a PDF"), ("contributing.html", "nox -s near")):
        page = (built / name).read_text(encoding="utf-8")
        assert words in page
        assert "TUTORIAL.md)" not in page
        assert 'href="claims.html"' in page


def test_the_site_loads_nothing_from_elsewhere(built: Path) -> None:
    loaded = re.compile(r'<(?:script|img)[^>]*src="(https?:[^"]+)"|<link[^>]*stylesheet[^>]*href="(https?:[^"]+)"')
    pages = sorted(built.rglob("*.html"))
    assert len(pages) > 25
    assert {path.name: loaded.findall(path.read_text(encoding="utf-8")) for path in pages} == {
        path.name: [] for path in pages
    }


@pytest.mark.browser
@pytest.mark.parametrize("page", ["index.html", "reference/claims.html"])
def test_a_page_that_is_opened_as_a_file_is_searched(built: Path, page: str) -> None:
    webdriver = pytest.importorskip("selenium.webdriver")
    wait = pytest.importorskip("selenium.webdriver.support.ui")
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    program = shutil.which("chromedriver")
    if not browser or not program:
        pytest.skip("needs Chromium and chromedriver on the PATH (on Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=program))
    try:
        driver.get((built / page).as_uri())
        box = driver.find_element("css selector", "input.md-search__input")
        driver.execute_script("arguments[0].focus()", box)
        box.send_keys("regression")
        found = wait.WebDriverWait(driver, 60).until(
            lambda d: d.find_elements("css selector", ".md-search-result__item")
        )
        assert "A private regression" in found[0].text
    finally:
        driver.quit()


def test_a_reference_to_a_name_that_is_not_there_fails_the_build(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    pytest.importorskip("mkdocstrings_handlers.python", reason="needs the extra `docs`")
    wrong = tmp_path / "docs"
    wrong.mkdir()
    (wrong / "index.md").write_text("# Wrong\n\n::: rgm_verify.accounting.nowhere\n")
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    head = text[: text.index("nav:")]
    (tmp_path / "wrong.yml").write_text(head + f"docs_dir: {wrong}\n", encoding="utf-8")
    refused = subprocess.run(
        (*BUILD, str(tmp_path / "other"), "--config-file", str(tmp_path / "wrong.yml")),
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert refused.returncode != 0
    assert "nowhere" in refused.stderr


def test_what_is_published_is_built_by_commands_that_there_are() -> None:
    steps = (ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    session = re.search(r"nox -s (\w+)", steps)
    command = re.search(r"rgm-verify (report --from \S+) --out (\S+)", steps)
    uploaded = re.search(r"path: (\S+)", steps)
    assert session is not None
    assert command is not None
    assert uploaded is not None
    assert f"def {session[1]}(session" in (ROOT / "noxfile.py").read_text(encoding="utf-8")
    folder = yaml_value("site_dir")
    assert uploaded[1] == folder
    assert command[2] == f"{folder}/report"
    # The way from the first page of the documentation to that of the report, and from /report/ to it.
    first = "report/site/index.html"
    assert f'href="{first}"' in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert f"url={first.removeprefix('report/')}" in steps
    assert f"> {command[2]}/index.html" in steps
    assert (ROOT / command[1].split()[-1] / "index.json").is_file()


def yaml_value(name: str) -> str:
    """The value of a plain line of the settings of the site."""
    found = re.search(rf"^{name}: (\S+)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert found is not None
    return found[1]
