"""The place of each claim in the code: the line of its file, and the way there from the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

__all__ = ["CodePlaces", "folder_beside"]


@dataclass(frozen=True)
class CodePlaces:
    """The folder of the claims as a report sees it, and the lines in its files.

    Attributes:
        folder: The path of the folder of claims from the folder that the report lies in, with `/`; empty where it is
            elsewhere. Pages then say file and line, and link nothing.
        lines: Lines by the ids of claims, and of chapters after an `@`, as `rgm_verify.engine.lines` finds them.
    """

    folder: str = ""
    lines: Mapping[str, int] = field(default_factory=dict)

    def shown(self, key: str, file: str) -> str:
        """Return file and line in words.

        Args:
            key: The id of a claim, or `@` and that of a chapter.
            file: The path of its file below the folder of claims.

        Examples:
            >>> CodePlaces("derivations", {"rgm:one": 7}).shown("rgm:one", "rgm/one.py")
            'derivations/rgm/one.py:7'
            >>> CodePlaces().shown("rgm:one", "rgm/one.py")
            'rgm/one.py'
        """
        path = f"{self.folder}/{file}" if self.folder else file
        return f"{path}:{self.lines[key]}" if key in self.lines else path

    def link(self, key: str, file: str) -> str:
        """Return the address of the line from the folder that the report lies in; empty where nothing can be linked.

        Args:
            key: The id of a claim, or `@` and that of a chapter.
            file: The path of its file below the folder of claims.

        Examples:
            >>> CodePlaces("derivations", {"rgm:one": 7}).link("rgm:one", "rgm/one.py")
            'derivations/rgm/one.py#L7'
        """
        if not self.folder:
            return ""
        return quote(f"{self.folder}/{file}") + (f"#L{self.lines[key]}" if key in self.lines else "")


def folder_beside(report: Path, claims: Path) -> str:
    """Return the path of the claims from the folder that the report lies in; empty where they are not below it.

    Claims that are installed or hidden count as elsewhere, so that a report is the same wherever the program is.

    Args:
        report: The folder of the report.
        claims: The folder of claims.

    Examples:
        >>> folder_beside(Path("/home/me/paper/reports"), Path("/home/me/paper/derivations"))
        'derivations'
        >>> folder_beside(Path("/home/me/reports"), Path("/usr/lib/claims"))
        ''
    """
    root = report.resolve().parent
    if not claims.resolve().is_relative_to(root):
        return ""
    path = claims.resolve().relative_to(root)
    # A virtual environment within a checkout holds an installed copy, which no code host shows.
    apart = any(part.startswith(".") or part == "site-packages" for part in path.parts)
    return "" if apart or path == Path() else path.as_posix()
