r"""Words of LaTeX with their columns: macros expanded, spacing and sizes of brackets taken away.

Everything that has no meaning here is refused by its name. A command that is skipped in silence could be the one on
which the statement turns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from rgm_verify.statements.tokens import DoubtfulReading, Reading, StatementError

__all__ = ["GREEK", "REASONS", "RELATIONS", "SPOKEN", "Macros", "NotRead", "Word", "expanded", "macros_of", "words"]

#: Expansions of macros in one text, and the characters that may come of them.
_MOST_EXPANSIONS: Final = 500
_MOST_CHARACTERS: Final = 20_000
GREEK: Final = {
    **{n: n for n in ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon "
                      "phi chi psi omega Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega ell").split()},
    "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho", "varkappa": "kappa",
    "varsigma": "sigma",
}  # fmt: skip
#: Letters that differ in shape alone, of which one text may use one.
_ALIKE: Final = (
    ("epsilon", "varepsilon"), ("theta", "vartheta"), ("phi", "varphi"), ("rho", "varrho"), ("kappa", "varkappa"),
    ("sigma", "varsigma"), ("ell", "l"), ("nu", "v"),
)  # fmt: skip
RELATIONS: Final = {
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">",
    "ne": "!=", "neq": "!=", "<": "<", ">": ">", "=": "=",
}  # fmt: skip
_CHARACTERS: Final = {
    "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "−": "-", "·": r"\cdot ", "×": r"\times ", "∞": r"\infty ",
    "∀": r"\forall ", "∈": r"\in ", "∃": r"\exists ", "π": r"\pi ", "⩽": r"\le ", "⩾": r"\ge ",
}  # fmt: skip
_SPACES: Final = frozenset(
    ", ; : ! > displaystyle textstyle limits nolimits nonumber notag allowbreak mathstrut enspace thinspace hfill "
    "medspace thickspace negthinspace newline par noindent centering".split()
) | {" ", "\n"}
_SIZES: Final = re.compile(r"(left|right|middle|[bB]igg?[lrm]?)$")
_TEXTS: Final = ("text", "textrm", "mbox", "textit", "textnormal", "emph", "textbf", "intertext", "shortintertext")
_UPRIGHT: Final = ("mathrm", "operatorname", "operatorname*", "mathit", "mathsf", "mathop", "rm")
_DROPPED: Final = ("equation", "align", "aligned", "split", "gather", "gathered", "multline", "alignat", "eqnarray",
                   "flalign", "displaymath", "math")  # fmt: skip
#: Words that may stand among formulas without \text, since they are no likely product of letters.
SPOKEN: Final = frozenset(
    "for all every any each where when whenever with if then and such that provided given some there is are iff or "
    "let suppose assume".split()
)
_FUNCTION_RUN: Final = re.compile(
    "ln|log|exp|sin|cos|tan|max|min|sup|inf|lim|erf|sqrt|Pr|Var|Cov|det|arg|sgn|sign|diag|poly|KL|TV|gcd|lcm|mod|deg|dim"
    "|ker|opt|eps|err|avg|std|cov|var|sec|csc|cot|rank|floor|ceil|frac|sum|prod|int|iid|pi$|^tr$|^Tr$|^lg$|^Id$"
)
_VECTOR, _SET, _LIMIT, _DEFINED = "a vector or a matrix", "a set", "a limit", "a definition, no statement"
_EXPECTED, _PROBABLE, _NORM, _DOTS, _ORDER = "an expectation", "a probability", "a norm", "dots", "an order of matrices"
_DECORATED, _ALMOST, _GROWTH, _DERIVED = "a decorated name", "an approximate sign", "an order of growth", "a derivative"
#: What the commands are that are not read, in the words of the message.
REASONS: Final[dict[str, str]] = {
    "mathbb": "a set or an expectation", "mathcal": "a set, a law or an order of growth", "mathscr": "a script letter",
    "mathfrak": "a fraktur letter", "Pr": _PROBABLE, "P": _PROBABLE, "E": _EXPECTED, "nabla": "a gradient",
    "partial": _DERIVED, "sup": "a supremum", "inf": "an infimum", "lim": _LIMIT, "limsup": _LIMIT, "liminf": _LIMIT,
    "to": _LIMIT, "rightarrow": _LIMIT, "mapsto": "a function", "propto": "proportionality", "arg": "an argument",
    "argmin": "a minimiser", "argmax": "a maximiser", "det": "a determinant", "tr": "a trace", "dim": "a dimension",
    "circ": "a composition or a degree", "star": "a star", "ast": "a star or a convolution", "dagger": "a dagger",
    "top": "a transpose", "intercal": "a transpose", "prime": "a prime", "iint": "a double integral",
    "oint": "a contour integral", "mod": "a remainder", "bmod": "a remainder", "pmod": "a remainder",
    "gcd": "a greatest common divisor", "perp": "orthogonality", "Re": "a real part", "Im": "an imaginary part",
    "angle": "an angle", "hbar": "a constant of physics", "underbrace": "a brace", "overbrace": "a brace",
    "lg": "a logarithm to base 2 or 10", "wedge": "a minimum or `and`", "vee": "a maximum or `or`",
    "mid": "a condition or a divisor", "sim": "a law or an asymptotic sign", "%": "a per cent sign", "#": "a count",
    "substack": "lines below a sign", "infty": "infinity in the place of a number", "exists": "a second quantifier",
    "forall": "a second quantifier", "neg": "a negation", "lnot": "a negation", "pm": "two signs in one",
    "mp": "two signs in one",
    **dict.fromkeys(("ldots", "cdots", "dots", "dotsc", "dotsb", "vdots"), _DOTS),
    **dict.fromkeys(("approx", "simeq", "asymp", "cong", "ll", "gg", "lesssim", "gtrsim", "doteq"), _ALMOST),
    **dict.fromkeys(("langle", "rangle"), "an inner product or a mean"),
    **dict.fromkeys(("|", "Vert", "lVert", "rVert", "norm"), _NORM),
    **dict.fromkeys(("mathbf", "boldsymbol", "bm", "vec", "pmb"), _VECTOR),
    **dict.fromkeys(("hat", "tilde", "bar", "widehat", "widetilde", "overline", "underline", "dot", "ddot", "check",
                     "breve", "acute"), _DECORATED),
    **dict.fromkeys(("preceq", "succeq", "prec", "succ"), _ORDER),
    **dict.fromkeys(("cup", "cap", "subset", "subseteq", "supset", "supseteq", "emptyset", "varnothing", "notin", "ni",
                     "setminus", "bigcup", "bigcap", "complement"), _SET),
    **dict.fromkeys(("coloneqq", "triangleq", "equiv", "coloneq"), _DEFINED),
    **dict.fromkeys(("oplus", "otimes", "odot", "bullet", "ominus"), "an operation of its own"),
    **dict.fromkeys(("stackrel", "overset", "underset"), "a decorated sign"),
    **dict.fromkeys(("ref", "cite", "eqref", "cref", "footnote"), "a reference"),
}  # fmt: skip


class NotRead(StatementError):
    r"""A part of LaTeX that is not read: the message names it, and `reason` is what is counted.

    Examples:
        >>> NotRead(r"\norm x", 0, "a norm", r"`\norm`").reason
        'a norm'
    """

    def __init__(self, text: str, position: int, reason: str, problem: str = "") -> None:
        self.reason = reason
        super().__init__(text, position, f"{problem} is not read: {reason}" if problem else reason)


@dataclass(frozen=True)
class Word:
    r"""A word of LaTeX.

    Attributes:
        kind: `number`, `letter`, `command`, `sign`, `upright` (a word of \mathrm and its like), `italic`,
            `text` (one word of prose), `bar`, `quad`, `row` or `end`.
        text: What it is: a command without its backslash, a bar as `left`, `right` or `plain`.
        position: Where it begins, from 0; of what a macro made, where the macro stands.
        end: Where it ends.
        glued: Whether nothing stands between it and the word before.
        sized: Whether it is a bracket behind \left, \right or \big.
    """

    kind: str
    text: str
    position: int
    end: int
    glued: bool = False
    sized: bool = False

    def __eq__(self, other: object) -> bool:
        """Compare with `(kind, text)` or with a word; places do not count."""
        return (self.kind, self.text) == ((other.kind, other.text) if isinstance(other, Word) else other)

    def __hash__(self) -> int:
        return hash((self.kind, self.text))

    @property
    def shown(self) -> str:
        """The word as a message shows it."""
        return {"end": "the end", "row": "the end of a line", "bar": "`|`"}.get(
            self.kind, f"`{chr(92) * (self.kind == 'command')}{self.text}`"
        )


#: A macro: how many arguments it takes, the first one if it may be left out, and its text.
Macros = dict[str, tuple[int, str | None, str]]
_Chars = list[tuple[str, int]]
_DEFINES = re.compile(
    r"\\(?:(newcommand|renewcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([A-Za-z]+|.)\s*\}?"
    r"|(def)\s*\\([A-Za-z]+|.)((?:#[1-9])*)|(DeclareMathOperator)\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?"
    r"|(DeclarePairedDelimiter)\s*\{?\s*\\([A-Za-z]+)\s*\}?)\s*"
)
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.S)
_COMMENT = re.compile(r"(?<!\\)%.*")


def _braced(text: str, at: int) -> int:
    """Return where a group that begins with `{` ends, -1 if it does not."""
    depth = 0
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at + 1
        at += 1 + (text[at] == "\\")
    return -1


def _argument(text: str, at: int) -> tuple[str, int] | None:
    """Return the next argument of a macro, a group or one token, and where it ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    if text[at : at + 1] == "{":
        end = _braced(text, at)
        return None if end < 0 else (text[at + 1 : end - 1], end)
    if match := _COMMAND.match(text, at):
        return match[0], match.end()
    return (text[at], at + 1) if at < len(text) else None


def macros_of(text: str) -> tuple[Macros, list[tuple[int, int]]]:
    r"""Return the macros that a text defines, the last definition of each, and where the definitions stand.

    Examples:
        >>> macros_of(r"\newcommand{\eps}{\varepsilon} \eps > 0")
        ({'eps': (0, None, '\\varepsilon')}, [(0, 30)])
    """
    found: Macros = {}
    places: list[tuple[int, int]] = []
    at = 0
    while match := _DEFINES.search(text, at):
        at = match.end()
        count, default = 0, None
        if match[3]:
            count = len(match[5]) // 2
        while match[1] and (option := re.compile(r"\[([^\]]*)\]\s*").match(text, at)):
            count, default = (int(option[1]), default) if option[1].isdigit() and not count else (count, option[1])
            at = option.end()
        body = _argument(text, at)
        if body is None:
            continue
        made, at = body
        name = match[2] or match[4] or match[7] or match[9]
        if match[6]:
            made = rf"\operatorname{{{made}}}"
        if match[8]:
            second = _argument(text, at)
            if second is None:
                continue
            count, made, at = 1, rf"\left{made} #1 \right{second[0]}", second[1]
        found[name] = (count, default, made)
        places.append((match.start(), at))
    return found, places


def expanded(text: str, macros: Macros | None = None) -> _Chars:
    """Return the characters of a text with macros expanded, each with its column.

    Args:
        text: LaTeX, in which macros may be defined.
        macros: Macros that were defined before it.

    Raises:
        NotRead: For expansions without an end, and for a macro without its arguments.
    """
    shown = _COMMENT.sub(lambda m: " " * len(m[0]), text)
    own, places = macros_of(shown)
    known = {**(macros or {}), **own}
    chars: _Chars = [(c, i) for i, c in enumerate(shown) if not any(a <= i < b for a, b in places)]
    if not known:
        return chars
    at = count = 0
    while True:
        joined = "".join(c for c, _ in chars)
        match = next((m for m in _COMMAND.finditer(joined, at) if m[1] in known), None)
        if match is None:
            return chars
        count, at, place = count + 1, match.start(), chars[match.start()][1]
        size, default, body = known[match[1]]
        end = match.end()
        given: list[str] = []
        if default is not None:
            option = re.compile(r"\s*\[([^\]]*)\]").match(joined, end)
            given.append(option[1] if option else default)
            end = option.end() if option else end
        if body.startswith(r"\left") and joined[end : end + 1] == "*":
            end += 1
        while len(given) < size:
            one = _argument(joined, end)
            if one is None:
                raise NotRead(text, place, "a macro without its arguments", match[0])
            given.append(one[0])
            end = one[1]
        made = body
        # From the last, so that nothing of an argument is taken for a place of another one.
        for place_of in reversed(list(re.finditer("#([1-9])", body))):
            number = int(place_of[1])
            inner = given[number - 1] if number <= len(given) else place_of[0]
            made = made[: place_of.start()] + inner + made[place_of.end() :]
        blank = " " if re.search(r"\\[A-Za-z]+$", made) else ""
        chars[at:end] = [(c, place) for c in made + blank]
        if count > _MOST_EXPANSIONS or len(chars) > _MOST_CHARACTERS:
            raise NotRead(text, place, "macros that expand without an end, or to too much", match[0])


def words(text: str, macros: Macros | None = None) -> list[Word]:
    r"""Return the words of a text, with an `end` behind the last.

    Where a text has dollar signs, \( or \[, what stands outside of them is prose; otherwise all of it is mathematics.

    Raises:
        NotRead: For a character or an environment that is not read, and for letters in a row that spell a function.
        DoubtfulReading: For \epsilon beside \varepsilon and their like.

    Examples:
        >>> [w.text for w in words(r"\left(x\right)\,\le 10 % a bound")]
        ['(', 'x', ')', 'le', '10', '']
    """
    found = _Scan(text, expanded(text, macros)).all()
    found = _spoken(found)
    names = {w.text: w for w in reversed(found) if w.kind in ("letter", "command")}
    for word in found:
        if word.kind in ("upright", "italic") and len(word.text) == 1 and word.text in names and word.text not in "ed":
            raise DoubtfulReading(text, word.position, f"`{word.text}` stands upright and slanted: one letter or two",
                                  [Reading("one variable", ""), Reading("two variables", "")])  # fmt: skip
    for one, other in _ALIKE:
        if one in names and other in names:
            first, second = (f"`{names[n].shown.strip('`')}`" for n in (one, other))
            raise DoubtfulReading(text, max(names[one].position, names[other].position),
                                  f"{first} and {second} look alike: one letter or two",
                                  [Reading("one variable", ""), Reading("two variables", "")])  # fmt: skip
    return found


def _spoken(found: list[Word]) -> list[Word]:
    """Return words with `if and only if` as the one word `iff`."""
    made: list[Word] = []
    at = 0
    while at < len(found):
        four = found[at : at + 4]
        if [w.text for w in four] == ["if", "and", "only", "if"] and {w.kind for w in four} == {"text"}:
            made.append(replace(four[0], text="iff", end=four[3].end))
            at += 4
        else:
            made.append(found[at])
            at += 1
    return made


class _Scan:
    """One pass over the characters.

    Attributes:
        text: The text, for messages.
        s: Its characters, macros expanded.
        found: The words so far.
        closers: What ends the mathematics that is open; empty in prose.
    """

    def __init__(self, text: str, chars: _Chars) -> None:
        self.text, self.places = text, [*(p for _, p in chars), len(text)]
        self.s = "".join(c for c, _ in chars)
        self.found: list[Word] = []
        self.glued = False
        self.lefts = 0
        """How many brackets behind left are open."""
        prose = re.search(r"\$|\\\(|\\\[|\\begin\{(?:equation|align|gather|multline|displaymath|eqnarray)\*?\}", self.s)
        self.closers: list[str] = [] if prose else ["the end"]

    def add(self, kind: str, text: str, start: int, end: int) -> None:
        """Add a word that stands at these characters."""
        last = self.places[end - 1] + 1 if end > start else self.places[start]
        self.found.append(Word(kind, text, self.places[start], last, self.glued))
        self.glued = True

    def refusal(self, at: int, reason: str, problem: str = "") -> NotRead:
        """Return the error at a character, for the caller to raise."""
        return NotRead(self.text, self.places[min(at, len(self.places) - 1)], reason, problem)

    def all(self) -> list[Word]:
        """Return all words."""
        at = 0
        while at < len(self.s):
            at = self.mathematics(at) if self.closers else self.prose(at)
        if self.lefts:
            raise self.refusal(len(self.s), r"\left without its \right")
        if self.closers not in ([], ["the end"]):
            raise self.refusal(len(self.s), f"the formula does not end: {self.closers[-1]} is missing")
        self.glued = False
        self.add("end", "", len(self.s), len(self.s))
        return self.found

    def opened(self, at: int) -> int:
        """Open mathematics if it begins here; return where it goes on, 0 if it does not begin."""
        match = re.compile(r"\$\$?|\\\(|\\\[").match(self.s, at)
        if not match:
            return 0
        self.closers = [{"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}[match[0]]]
        # Two formulas with nothing between them are no product.
        if self.found and self.found[-1].kind not in ("text", "sign", "row"):
            self.add("text", "", at, at)
        return match.end()

    def prose(self, at: int) -> int:
        """Read one word of prose."""
        if after := self.opened(at):
            return after
        if match := re.compile(r"\\begin\{([a-z]+)\*?\}|\\end\{([a-z]+)\*?\}").match(self.s, at):
            return self.environment(match)
        if match := re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*").match(self.s, at):
            self.add("text", match[0].lower(), at, match.end())
            return match.end()
        if match := re.compile(r"\\(label|tag)\*?\s*\{[^{}]*\}").match(self.s, at):
            return match.end()
        if self.s[at] in ",.:;":
            self.add("sign", self.s[at], at, at + 1)
        elif not self.s[at].isspace() and self.s[at] != "~":
            raise self.refusal(at, "mathematics outside of $...$", f"`{self.s[at]}`")
        return at + 1

    def environment(self, match: re.Match[str]) -> int:
        """Open or close an environment of displayed formulas; all others are refused."""
        name = match[1] or match[2]
        if name not in _DROPPED:
            what = _VECTOR if "matrix" in name else "a case distinction" if "cases" in name else "an environment"
            raise self.refusal(match.start(), what, f"`{name}`")
        outer = name not in ("aligned", "split", "gathered")
        if match[1] and outer:
            self.closers = [rf"\end{{{name}}}"] if self.closers in ([], ["the end"]) else [*self.closers, name]
        elif outer and self.closers == [rf"\end{{{name}}}"]:
            self.closers = []
        elif outer:
            raise self.refusal(match.start(), f"an environment that ends where {''.join(self.closers[-1:])} is open")
        after = re.compile(r"\{\d+\}").match(self.s, match.end())
        return after.end() if after and match[1] else match.end()

    def mathematics(self, at: int) -> int:
        """Read one word of mathematics; returns where it ends."""
        s, c = self.s, self.s[at]
        if c.isspace() or c in "~&":
            self.glued = False
            return at + 1
        if c == "$" or s.startswith((r"\(", r"\)", r"\[", r"\]"), at):
            closer = "$$" if s.startswith("$$", at) else c if c == "$" else s[at : at + 2]
            if self.closers[-1:] != [closer]:
                raise self.refusal(at, "a bracket of mathematics inside of a formula", f"`{closer}`")
            self.closers = []
            return at + len(closer)
        if c == "\\":
            return self.command(at)
        if match := re.compile(r"\d+(?:\.\d+)?|\.\d+").match(s, at):
            self.add("number", match[0], at, match.end())
            if re.compile(r"[eE][+-]?\d").match(s, match.end()):
                raise self.refusal(at, "a number such as 1e-6: a power of ten, or a product with e", f"`{match[0]}e`")
            if re.compile(r"\{,\}|,\d{3}(?!\d)").match(s, match.end()):
                raise self.refusal(at, "thousands or a decimal comma", f"`{match[0]},`")
            return match.end()
        if match := re.compile(r"[A-Za-z]+").match(s, at):
            return self.letters(match)
        if c == "|":
            self.add("bar", "plain", at, at + 1)
        elif c in "+-*/^_(){}[]<>=!,.;:'":
            self.add("sign", c, at, at + 1)
        elif c in _CHARACTERS:
            inner = _CHARACTERS[c].strip()
            self.add("command" if inner[0] == "\\" else "sign", inner.removeprefix("\\"), at, at + 1)
        else:
            raise self.refusal(at, "a character without a meaning in a formula", f"`{c}`")
        return at + 1

    def letters(self, match: re.Match[str]) -> int:
        r"""Read letters in a row: a product of them, or words that may stand without \text."""
        run, at = match[0], match.start()
        braced = self.found[-2:] and [w.text for w in self.found[-2:]] == ["_", "{"]
        if run in SPOKEN and len(run) > 1 and not braced:
            self.add("text", run, at, match.end())
        elif braced and len(run) > 1 and self.s[match.end() : match.end() + 1] == "}":
            self.add("upright", run, at, match.end())
        else:
            spelled = _FUNCTION_RUN.search(run)
            if spelled and len(run) > 1:
                raise self.refusal(at, "a function without its backslash, or a product of letters", f"`{spelled[0]}`")
            in_order = "".join(sorted(run)) == run and ord(run[-1]) - ord(run[0]) == len(run) - 1
            if len(run) > 3 and not in_order:
                raise self.refusal(at, "a word, or a product of letters: put blanks between factors", f"`{run}`")
            for place in range(at, match.end()):
                self.add("letter", self.s[place], place, place + 1)
        return match.end()

    def command(self, at: int) -> int:
        """Read a command with what belongs to it."""
        s = self.s
        if s.startswith("\\\\", at):
            skip = re.compile(r"\\\\\*?(?:\[[^\]]*\])?").match(s, at)
            self.glued = False
            self.add("row", "", at, at + 2)
            return skip.end() if skip else at + 2
        if match := re.compile(r"\\begin\{([A-Za-z]+)\*?\}|\\end\{([A-Za-z]+)\*?\}").match(s, at):
            self.glued = False
            return self.environment(match)
        match = re.compile(r"\\([A-Za-z]+\*?|.)", re.S).match(s, at)
        if match is None:
            raise self.refusal(at, "a backslash at the end")
        name, end = match[1], match.end()
        if name.endswith("*") and name not in ("operatorname*", "tag*"):
            name, end = name[:-1], end - 1
        if name in ("tag", "label", "tag*", "hspace"):
            self.glued = False
            got = _argument(s, end)
            return got[1] if got else end
        if name in _TEXTS:
            return self.words_of(name, end)
        if name in _UPRIGHT:
            return self.upright(name, end, at)
        if _SIZES.match(name):
            return self.sized(name, end, at)
        if name == "colon":
            self.add("sign", ":", at, end)
        elif name in ("quad", "qquad"):
            self.glued = False
            self.add("quad", "", at, end)
        elif name in _SPACES:
            self.glued = False
        else:
            self.add("command", name, at, end)
        return end

    def upright(self, name: str, end: int, at: int) -> int:
        r"""Read the word of \mathrm and its like."""
        got = _argument(self.s, end)
        if got is None or name == "rm" or not re.fullmatch(r"\s*[A-Za-z0-9]+[\s\\,;]*", got[0]):
            raise self.refusal(at, "an upright word that is no name", f"`\\{name}`")
        word = re.sub(r"[^A-Za-z0-9]", "", got[0])
        self.add("italic" if name == "mathit" else "upright", word, at, got[1])
        return got[1]

    def words_of(self, name: str, end: int) -> int:
        r"""Read \text{...}: words of prose, in which formulas may stand between dollar signs."""
        got = _argument(self.s, end)
        if got is None:
            raise self.refusal(end, "\\text without braces", f"`\\{name}`")
        start, outer = got[1] - 1 - len(got[0]), self.closers
        if re.fullmatch(r"\s*d\s*", got[0]):
            self.add("upright", "d", start, got[1])
            return got[1]
        self.closers, at = [], start
        inner, self.s = self.s, self.s[: got[1] - 1]
        while at < got[1] - 1:
            at = self.mathematics(at) if self.closers else self.prose(at)
        if self.closers:
            raise self.refusal(at, "a formula that does not end inside of \\text")
        self.s, self.closers, self.glued = inner, outer, False
        return got[1]

    def sized(self, name: str, end: int, at: int) -> int:
        r"""Read a bracket behind \left, \right, \big and their like; the size itself says nothing."""
        while self.s[end : end + 1].isspace():
            end += 1
        behind = re.compile(r"\\([A-Za-z]+|[|{}])|.").match(self.s, end)
        shown = behind[0] if behind else ""
        if shown in (".", "") or name == "middle":
            raise self.refusal(at, "an invisible or a middle bracket", f"`\\{name}{shown}`")
        self.lefts += (name == "left") - (name == "right")
        if self.lefts < 0:
            raise self.refusal(at, r"\right without its \left")
        side = "left" if name in ("left",) or name.endswith("l") else "right" if name[-1] in "rt" else "plain"
        if shown in ("|", r"\vert"):
            self.add("bar", side, at, end + len(shown))
        elif shown.startswith("\\"):
            self.add("command", shown[1:], at, end + len(shown))
        else:
            self.add("sign", shown, at, end + 1)
            self.found[-1] = replace(self.found[-1], sized=True)
        return end + len(shown)
