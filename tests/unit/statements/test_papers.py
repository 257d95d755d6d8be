"""From the source of a paper to a folder: what is not listed is read, and nothing has a verdict unconfirmed."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rgm_verify.claims.claim import Claim, nonnegative, positive, real
from rgm_verify.claims.formula import ge, le
from rgm_verify.cli import main
from rgm_verify.errors import InputError
from rgm_verify.statements.drafts import Draft
from rgm_verify.statements.papers.folder import draft_folder
from rgm_verify.statements.printed import printed_against_judged

PAPER = r"""\documentclass{article}
\newtheorem{thm}{Theorem}
\newcommand{\eps}{\varepsilon}
\begin{document}
\input{sections/first}
\begin{equation} \|x\| \le 1 \end{equation} % \begin{thm} $y \le 2$ \end{thm}
\end{document}
"""
FIRST = r"""\begin{thm}[Gap]\label{t:g} Let $x>0$ and $\eps\in(0,1)$. Put $\rho = 1-\eps^2$. Then
\[ \rho\log(1+x)\le x, \] and $\mathbb{E}[X]\le 1$ for $A\in\mathbb{R}^{d\times d}$ with $A \ge 0$.
\begin{align} x^2 &\ge 0 \\ x+1 &\ge x \end{align}
\end{thm}
"""


def archive(path: Path, files: dict[str, bytes], *, link: str = "", mode: str = "w:gz") -> Path:
    """Write an archive."""
    with tarfile.open(path, mode) as made:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            made.addfile(member, io.BytesIO(content))
        if link:
            member = tarfile.TarInfo(link)
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            made.addfile(member)
    return path


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "sections").mkdir()
    (tmp_path / "sections" / "first.tex").write_text(FIRST, encoding="utf-8")
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    return tmp_path / "paper.tex"


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, list(arguments))


def test_a_paper_becomes_a_file_for_each_statement_and_a_list_of_what_was_not_read(paper: Path, tmp_path: Path) -> None:
    done = run("new", str(paper), "--into", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert "of 6 formulas with a relation 3 were read" in done.output
    text = (tmp_path / "out" / "theorem_1.py").read_text(encoding="utf-8")
    for line in (
        'draft.symbol("x", "x > 0", confirmed=False)  # TODO confirm',
        'draft.symbol("epsilon", "epsilon real", "epsilon > 0", "epsilon < 1", confirmed=False)  # TODO confirm',
        'draft.definition("rho", "1 - epsilon^2", confirmed=False)  # TODO confirm',
        r"# \[ \rho\log(1+x)\le x, \]",
        "# read as: rho*log(1 + x) <= x",
        "# convention: log is the natural logarithm",
        "# not read: a set or an expectation",
        "# TODO confirm: the block has it in a set of vectors or matrices",
    ):
        assert line in text
    listed = (tmp_path / "out" / "unread.md").read_text(encoding="utf-8")
    assert listed.index("| a norm | 1 |") < listed.index("## A norm")
    assert r"\|x\| \le 1" in listed
    assert 'draft.symbol("A", "A >= 0"' in text
    assert "y" not in {line.partition('"')[2][:1] for line in text.splitlines() if line.startswith("draft.symbol")}


def test_an_archive_gives_the_same_folder_as_the_file(paper: Path, tmp_path: Path) -> None:
    files = {"paper.tex": PAPER.encode(), "sections/first.tex": FIRST.encode(), "figure.pdf": b"\x00"}
    for number, mode in enumerate(("w:gz", "w")):
        packed = archive(tmp_path / f"p{number}.tar{'.gz' if mode == 'w:gz' else ''}", files, mode=mode)
        draft_folder(packed, tmp_path / f"out{number}")
    draft_folder(paper, tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        for number in (0, 1):
            assert (tmp_path / f"out{number}" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", ["/etc/evil.tex", "../evil.tex", "a/../../evil.tex", "C:evil.tex"])
def test_an_archive_with_a_path_outside_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    packed = archive(tmp_path / "p.tar.gz", {"paper.tex": PAPER.encode(), name: b"x"})
    with pytest.raises(InputError, match="inside of it"):
        draft_folder(packed, tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.tar.gz"]


def test_an_archive_with_a_link_or_a_huge_file_is_refused(tmp_path: Path) -> None:
    packed = archive(tmp_path / "p.tar.gz", {"paper.tex": PAPER.encode()}, link="first.tex")
    with pytest.raises(InputError, match="without links"):
        draft_folder(packed, tmp_path / "out")
    packed = archive(tmp_path / "q.tar.gz", {"paper.tex": PAPER.encode(), "big.tex": b" " * 6_000_000})
    with pytest.raises(InputError, match="at most 5000000 bytes"):
        draft_folder(packed, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_inputs_stay_in_the_folder_of_the_paper_and_end(tmp_path: Path) -> None:
    for inner, words in (
        (r"\input{../other}", "own folder"),
        (r"\input{/etc/passwd}", "own folder"),
        (r"\input{paper}", "end"),
    ):
        (tmp_path / "paper.tex").write_text(rf"\begin{{document}}{inner}\end{{document}}", encoding="utf-8")
        with pytest.raises(InputError, match=words):
            draft_folder(tmp_path / "paper.tex", tmp_path / "out")
    (tmp_path / "secret.tex").symlink_to("/etc/passwd")
    (tmp_path / "paper.tex").write_text(r"\input{secret}", encoding="utf-8")
    with pytest.raises(InputError, match="a link"):
        draft_folder(tmp_path / "paper.tex", tmp_path / "out")


def test_a_folder_that_is_there_is_left_alone(paper: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = run("new", str(paper), "--into", str(tmp_path / "out"))
    assert done.exit_code == 2
    assert not list((tmp_path / "out").iterdir())


def test_what_stands_in_a_paper_ends_no_comment_and_no_string(tmp_path: Path) -> None:
    source = '\\begin{theorem}[a""" + open(\'x\')]\n$x \\le 1$\x0cimport os\r$y\u2028\\ge "2$\n\\end{theorem}'
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    draft_folder(tmp_path / "paper.tex", tmp_path / "out")
    for path in (tmp_path / "out").glob("*.py"):
        code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
        known = {"Draft", "rgm_verify.statements.drafts", "draft", "symbol", "claim", "claim_1", "claim_2", "__doc__"}
        assert set(code.co_names) <= known


def test_a_draft_follows_definitions_to_their_symbols() -> None:
    draft = Draft("paper", "Lemma 1", "line 1")
    draft.definition("rho", "1 - eta", confirmed=True)
    draft.symbol("eta", "eta in [0, 1]")
    with pytest.raises(InputError, match="eta is not confirmed"):
        draft.claim("paper:a", "rho <= 1")
    draft.symbol("eta", "eta in [0, 1]", confirmed=True)
    assert len(draft.claim("paper:a", "rho <= 1").hypotheses) == 1
    with pytest.raises(InputError, match="zeta: declare it"):
        draft.claim("paper:b", "rho <= zeta_1 + zeta")


# ------------------------------------------------------------------------------------------------ printed


def test_a_printed_formula_is_compared_with_the_one_that_is_judged() -> None:
    x, eta = positive("x"), nonnegative("eta", latex=r"\eta_{\star}")

    def said(printed: str, conclusion: Any) -> str:
        return printed_against_judged(
            Claim("own:a", "A", variables=(x, eta, real("q")), conclusion=conclusion, printed=printed)
        )

    judged = le(x.symbol * eta.symbol, (x.symbol**2 + eta.symbol**2) / 2)
    assert said(r"x\eta_\star\le\frac12(x^2+\eta_{\star}^2)", judged).endswith("the formula that is judged")
    assert said(r"\frac{x^2+\eta^2}{2}\ge x\eta", judged).endswith("the formula that is judged")
    assert "which is not the formula that is judged: at " in said(r"x\eta\le\frac{x^2+\eta^2}{3}", judged)
    assert "stands where" in said(r"x\eta<\frac{x^2+\eta^2}{2}", judged)
    assert "no variable z" in said(r"x z\le1", judged)
    assert "2 relations" in said(r"0\le x\eta\le1", judged)
    assert "is not read" in said(r"\|x\|\le1", judged)
    assert said("", ge(x.symbol, 0)) == ""
