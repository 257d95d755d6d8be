"""Pages of the site of documentation that stand elsewhere in the repository, with their links turned; for mkdocs."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

#: The file of the repository by the name of the page.
PAGES = {"tutorial.md": "examples/TUTORIAL.md", "contributing.md": "CONTRIBUTING.md", "changes.md": "CHANGELOG.md"}
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages; a link to what is no page of the site becomes a path in words."""
    root = Path(config.config_file_path).parent
    for name, path in PAGES.items():
        text = (root / path).read_text(encoding="utf-8")
        shown = _LINK.sub(lambda link, place=path: _turned(link, posixpath.dirname(place), root), text)
        files.append(File.generated(config, name, content=shown))
    return files


def _turned(link: re.Match[str], folder: str, root: Path) -> str:
    """Return a link as it is written on a page of the site."""
    words, target = link[1], link[2]
    if target.startswith(("#", "https://", "http://")):
        return link[0]
    path, mark, section = target.partition("#")
    place = posixpath.normpath(posixpath.join(folder, path))
    page = {other: name for name, other in PAGES.items()}.get(place)
    if page is None and place.startswith("docs/"):
        page = place.removeprefix("docs/")
    if page is not None:
        return f"[{words}]({page}{mark}{section})"
    if not (root / place).exists():
        raise ValueError(f"{target}: no such file in the repository")
    return words if words.strip("`") in (place, posixpath.basename(place)) else f"{words} (`{place}`)"
