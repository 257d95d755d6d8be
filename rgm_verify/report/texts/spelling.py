"""One spelling of each symbol on a page: the source's own, where the page shows what a source prints.

Sources and claims write the same letter in two forms, such as a round epsilon and a lunate one, and a reader takes two
forms for two symbols.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from rgm_verify.report.texts.latex import symbol_latex

#: The two forms of each letter: in LaTeX, and as characters.
FORMS = {
    ("epsilon", "varepsilon"): ("\u03f5", "\u03b5"),
    ("theta", "vartheta"): ("\u03b8", "\u03d1"),
    ("phi", "varphi"): ("\u03d5", "\u03c6"),
    ("rho", "varrho"): ("\u03c1", "\u03f1"),
}
#: What a page shows letter by letter: code, values of tags, styles.
_LITERAL_HTML = re.compile(r"(<pre.*?</pre>|<code.*?</code>|<style.*?</style>|<script.*?</script>|<[^>]*>)", re.DOTALL)
_LITERAL_MARKDOWN = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def in_html(page: str, printed: Iterable[str] = ()) -> str:
    """Return a page of HTML with one form of each letter.

    Args:
        page: The page.
        printed: LaTeX as the sources print it, which decides; without it, the form that stands first does.
    """
    return _in_one_form(page, " ".join(printed), _LITERAL_HTML)


def in_markdown(page: str, printed: Iterable[str] = ()) -> str:
    r"""Return a page of Markdown with one form of each letter, in its formulas and outside of them.

    Args:
        page: The page.
        printed: As in `in_html`.

    Examples:
        >>> in_markdown(r"at $\epsilon$, and $\varepsilon$, `\epsilon`", [r"\varepsilon \le 1"])
        'at $\\varepsilon$, and $\\varepsilon$, `\\epsilon`'
    """
    return _in_one_form(page, " ".join(printed), _LITERAL_MARKDOWN)


def _in_one_form(page: str, printed: str, literal: re.Pattern[str]) -> str:
    """Return a page in which each letter has the form of what is printed, else the one that stands first."""
    # Nearly all pages have one form, and splitting a page takes longer than looking.
    several = {
        n: c
        for n, c in FORMS.items()
        if all(f"\\{name}" in page or sign in page for name, sign in zip(n, c, strict=True))
    }
    if not several:
        return page
    parts = literal.split(page)
    for names, characters in several.items():
        forms = [
            re.compile(rf"\\{name}(?![A-Za-z])|{character}") for name, character in zip(names, characters, strict=True)
        ]
        # Every second part is literal.
        first = [_first(form, [printed, *parts[::2]]) for form in forms]
        if first[0] == first[1]:
            continue
        kept = first.index(min(first))
        other = re.compile(rf"(\\{names[1 - kept]}(?![A-Za-z]))|{characters[1 - kept]}")
        parts[::2] = [
            other.sub(lambda m, k=kept, n=names, c=characters: f"\\{n[k]}" if m[1] else c[k], part)
            for part in parts[::2]
        ]
    return "".join(parts)


def _first(form: re.Pattern[str], parts: list[str]) -> tuple[int, int]:
    """Return where a form stands first, beyond the end where it does not."""
    places = ((k, found.start()) for k, part in enumerate(parts) if (found := form.search(part)))
    return next(places, (len(parts), 0))


def pointed(text: str, names: Collection[str]) -> str:
    r"""Return a sentence in which values of variables, as `eta = 1/3`, are formulas with the letters of the page.

    Args:
        text: The sentence.
        names: The variables. A sentence that has formulas already is left as it is.

    Examples:
        >>> pointed("fails at eta = 1/3, sigma^2 = 1/8", ["eta", "sigma^2"])
        'fails at $η = 1/3$, $σ^{2} = 1/8$'
        >>> pointed("c_random in [0.1, 0.2]", ["c_random"])
        '$c_{\\operatorname{random}} \\in [0.1, 0.2]$'
    """
    if "$" in text or not names:
        return text
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    value = r"-?\d+(?:\.\d+)?(?:/\d+)?(?![\w/*^]|\.\d)"
    text = re.sub(rf"(?<![\w^])({known}) = ({value})", lambda m: f"${symbol_latex(m[1])} = {m[2]}$", text)
    ends = rf"(\[{value}, {value}\])"
    return re.sub(rf"(?<![\w^])({known}) in {ends}", lambda m: rf"${symbol_latex(m[1])} \in {m[2]}$", text)
