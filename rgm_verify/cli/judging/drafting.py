"""The command that makes a folder of claims from the source of a paper.

Nothing is judged here: each symbol has to be confirmed first, and what was not read is listed.
"""

from __future__ import annotations

from pathlib import Path

import click

from rgm_verify.cli.common import errors


@click.command("new")
@click.argument("paper", type=click.Path(path_type=Path))
@click.option(
    "--into", type=click.Path(path_type=Path), required=True, help="The folder to write; it must not be there."
)
@click.option("--main", default="", metavar="FILE", help="The file of an archive that begins the document, of several.")
def new_command(paper: Path, into: Path, main: str) -> None:
    r"""Draft a folder of claims from the source of a paper: `rgm-verify new paper.tex --into my-paper`.

    PAPER is a file of LaTeX with its inputs beside it, or an archive (.tar, .tar.gz, .tgz). Macros and inputs are
    expanded. Each theorem and its like becomes a file: its LaTeX as a comment, what was read of it as claims, its
    symbols with the domains that were found, each marked `# TODO confirm`, and what was not read with the reason. A
    formula `name = expression` becomes a definition. unread.md lists what was not read by reason, with counts on top.

    Nothing has a verdict before its symbols are confirmed: write confirmed=True where you have looked at one, then
    run `rgm-verify run --claims FOLDER`. An archive with links, absolute paths or huge files is refused, and the folder
    is written as a whole or not at all.
    """
    with errors(interrupted="nothing is written"):
        from rgm_verify.statements.papers.folder import draft_folder

        made = draft_folder(paper, into, main)
    unread = sum(made.unread.values())
    click.echo(
        f"{into}: {made.statements} files; of {made.read + unread} formulas with a relation {made.read} were read"
    )
    for reason, count in made.unread.items():
        click.echo(f"  not read: {count} {reason}")
    click.echo(f"next: confirm the symbols (# TODO confirm), then rgm-verify run --claims {into}")
