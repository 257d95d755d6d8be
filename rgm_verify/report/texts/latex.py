"""LaTeX to MathML: every formula of a report is converted, or the report is refused with the formula's name.

The converter is lenient: what it does not know it leaves as text, and what is missing as a gap. So its
input is checked before (commands, nesting, environments) and its output after (left-over commands,
missing arguments, attributes that an author may not set). A report is shown in browsers, so that no
formula may bring a link, a script or a style along.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from xml.etree import ElementTree

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element
from markupsafe import Markup, escape

from rgm_verify.claims.fields import unprintable
from rgm_verify.report.texts.indices import with_word_indices

_SUPPORTED_ENVIRONMENTS = frozenset(
    ("array", "align", "aligned", "split", "cases", "matrix", "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "smallmatrix")
)

#: What latex2mathml does not know or renders badly, in words that it renders well; the order matters.
_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\{\\(rm|bf|it|sf|tt|cal)\s+([^{}]*)\}", r"{\\math\1{\2}}"),
        (r"\\(bm|pmb)(?![A-Za-z])", r"\\boldsymbol"),
        (r"\\math(rm|up)\{([A-Za-z]{2,})\}", r"\\operatorname{\2}"),
        (r"\\mathop\{\\operatorname\{([A-Za-z]+)\}\}", r"\\operatorname{\1}"),
        (r"\\(?:textrm|textnormal|mbox|textup)\{", r"\\text{"),
        (r"\\(?:nonumber|notag|limits|nolimits|displaylimits)(?![A-Za-z])", ""),
        (r"\\(?:label|tag)\{[^{}]*\}", ""),
        (r"\\(begin|end)\{aligned\}", r"\\\1{split}"),
        (r"\\(begin|end)\{align\}", r"\\\1{align*}"),
        (r"\\not\s*\\le(?:q)?(?![A-Za-z])", "≰"),
        (r"\\not\s*\\ge(?:q)?(?![A-Za-z])", "≱"),
        (r"\\not\s*\\in(?![A-Za-z])", "∉"),
        (r"\\not\s*=", "≠"),
        (r":=", "≔"),
        (r"\\sim(?![A-Za-z])", "∼"),
        (r"\\(?:lvert|rvert|vert)(?![A-Za-z])", "|"),
        (r"\\colon(?![A-Za-z])", r"\\,{:}\\;"),
        (r"\\(arg|sgn|erf|erfc|argmin|argmax|Var|tr|diag)(?![A-Za-z])", r"\\operatorname{\1}"),
    )
)
#: What the converter leaves as a command after \\big and its kin.
_SIZED_DELIMITERS = {
    "\\{": "{",
    "\\}": "}",
    "\\lceil": "⌈",
    "\\rceil": "⌉",
    "\\lfloor": "⌊",
    "\\rfloor": "⌋",
    "\\langle": "⟨",
    "\\rangle": "⟩",
    "\\|": "‖",
    "\\Vert": "‖",
    "\\lVert": "‖",
    "\\rVert": "‖",
}
#: What a formula may set in MathML, where the names and values of attributes come from an author.
_ATTRIBUTES = frozenset(
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height largeop "
    "linethickness lspace mathcolor mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace "
    "scriptlevel separator stretchy symmetric voffset width".split()
)
_VALUE = re.compile(r"[A-Za-z0-9 .+%-]{0,60}|#[0-9A-Fa-f]{3,8}")
#: Commands that define others: a few lines of them may stand for more text than there is memory.
_DEFINING = re.compile(
    r"\\(?:def|edef|gdef|xdef|let|(?:re)?newcommand|providecommand|newenvironment|DeclareMathOperator|require)(?![A-Za-z])"
)
#: A formula that is longer, or nested deeper, is refused before it is rendered.
_LONGEST, _DEEPEST = 100_000, 60
_COMMAND = re.compile(r"\\[A-Za-z]+(?:\{[^{}]*\})*(?:[_^](?:\{[^{}]*\}|\w))*")
_NESTING = re.compile(r"\\(?:left|right|begin|end)(?![A-Za-z])|\\.|[{}]", re.DOTALL)
_LEVELS = {"{": 1, "}": -1, "\\left": 1, "\\right": -1, "\\begin": 1, "\\end": -1}
_DELIMITED = re.compile(r"(?<!\\)(\$\$?)")
_THIN = "0.167em"
#: Symbols of Unicode's operator categories that stand for a thing, not for an operation.
_NAMES = frozenset("∞∂∇∅ℓℏ°…")
_MATH_ALPHABETS = {
    "bold": ("BOLD", "BOLD"),
    "italic": ("ITALIC", "ITALIC"),
    "bold-italic": ("BOLD ITALIC", "BOLD"),
    "script": ("SCRIPT", ""),
    "bold-script": ("BOLD SCRIPT", "BOLD"),
    "fraktur": ("FRAKTUR", ""),
    "double-struck": ("DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "sans-serif": ("SANS-SERIF", "SANS-SERIF"),
    "monospace": ("MONOSPACE", "MONOSPACE"),
}
_REFUSALS = (
    *(LookupError, ValueError, TypeError, AttributeError, StopIteration, RecursionError),
    exceptions.DenominatorNotFoundError,
    exceptions.DoubleSubscriptsError,
    exceptions.DoubleSuperscriptsError,
    exceptions.ExtraLeftOrMissingRightError,
    exceptions.InvalidAlignmentError,
    exceptions.InvalidStyleForGenfracError,
    exceptions.InvalidWidthError,
    exceptions.LimitsMustFollowMathOperatorError,
    exceptions.MissingEndError,
    exceptions.MissingSuperScriptOrSubscriptError,
    exceptions.NoAvailableTokensError,
    exceptions.NumeratorNotFoundError,
)


class FormulaFault(ValueError):
    """A formula that has no rendering; the message says what is wrong in it."""


@lru_cache(maxsize=8192)
def formula(latex: str, *, display: bool = False) -> Markup:
    """MathML of one LaTeX formula (without dollar signs); `FormulaFault` when any part of it is not understood.

    Args:
        latex: The formula.
        display: Whether it stands in a line of its own.

    Raises:
        FormulaFault: With what is wrong.
    """
    if len(latex) > _LONGEST:
        raise FormulaFault(f"it is {len(latex)} characters long; at most {_LONGEST} are rendered")
    # Checked after the rewriting: what a rule leaves behind reaches the converter as well.
    source = _rewritten(latex.strip())
    _check_source(source)
    try:
        root = convert_to_element(source, display="block" if display else "inline")
    except _REFUSALS as error:  # latex2mathml raises many unrelated types, IndexError among them, for bad input
        detail = f"{type(error).__name__} {error}".strip()
        raise FormulaFault(f"the converter refuses it ({detail})") from error
    _repair(root)
    _check_result(root)
    # In HTML the namespace of `math` is known, and a thousand formulas on a page need not repeat it.
    root.attrib.pop("xmlns", None)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


@lru_cache(maxsize=8192)
def sentence(text: str) -> Markup:
    """HTML of a sentence whose `$...$` segments are LaTeX: those become MathML, the rest is escaped."""
    parts = []
    for kind, segment in segments(text):
        parts.append(escape(segment) if kind == "text" else formula(segment, display=kind == "display"))
    return Markup("").join(parts)


def segments(text: str) -> Iterator[tuple[str, str]]:
    r"""The text cut at its dollar signs: (`text`, `inline` or `display`, content); `\$` is a dollar sign itself.

    Examples:
        >>> list(segments("if $x$ holds"))
        [('text', 'if '), ('inline', 'x'), ('text', ' holds')]
    """
    pieces = _DELIMITED.split(text)
    if len(pieces) % 4 != 1:
        raise FormulaFault("a dollar sign opens a formula and none closes it; write a literal one as \\$")
    opened = ""
    for index, piece in enumerate(pieces):
        if index % 2:
            if opened and pieces[index] != opened:
                raise FormulaFault(f"{opened} is closed by {pieces[index]}")
            opened = "" if opened else pieces[index]
        elif opened:
            yield ("display" if opened == "$$" else "inline"), piece
        elif piece:
            yield from _commands_as_formulas(piece.replace("\\$", "$"))


def _commands_as_formulas(text: str) -> Iterator[tuple[str, str]]:
    """Summaries written by a machine name variables by their LaTeX names, without dollar signs."""
    end = 0
    for found in _COMMAND.finditer(text):
        if found.start() > end:
            yield "text", text[end : found.start()]
        yield "inline", found.group()
        end = found.end()
    if end < len(text):
        yield "text", text[end:]


def symbol_latex(name: str) -> str:
    r"""LaTeX of a variable's name: `gamma_2` is `\gamma_{2}`, `sigma^2` has a superscript; LaTeX passes through.

    Examples:
        >>> symbol_latex("sigma_1")
        'σ_{1}'
    """
    if "\\" in name or "{" in name:
        return name
    head, *rest = re.split(r"([_^])", name)
    marks = zip(rest[::2], rest[1::2], strict=True)
    text = _letter(head)
    for mark, part in marks:
        text = f"{{{text}}}" if mark in text else text
        # Two letters that are no name are two indices, as in a_kl.
        pair = mark == "_" and len(part) == 2 and part.isalpha() and not _greek(part)
        text += f"{mark}{{{part if pair else _letter(part)}}}" if part else ""
    return text


def _letter(name: str) -> str:
    """Return the LaTeX of one part of a name: a Greek letter, a letter with a number as its index, or a word."""
    if not name:
        return ""
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    if stem and digits:
        return f"{_letter(stem)}_{{{digits}}}"
    if len(name) > 1 and (greek := _greek(name)):
        return greek
    return name if len(name) == 1 or not name.isalpha() else rf"\operatorname{{{name}}}"


def _greek(name: str) -> str:
    """The Greek letter that a name spells (SymPy's `lamda` included), capital if the name begins so; or nothing."""
    spelled = {"LAMBDA": "LAMDA", "VAREPSILON": "EPSILON"}.get(name.upper(), name.upper())
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {spelled}")
    except KeyError:
        return ""


def _rewritten(latex: str) -> str:
    """Return a formula with what the converter does not know written otherwise."""
    latex = with_word_indices(latex)
    for pattern, replacement in _REWRITES:
        latex = pattern.sub(replacement, latex)
    return latex


def _check_source(latex: str) -> None:
    """Raise `FormulaFault` for a formula that must not reach the converter."""
    if not latex:
        raise FormulaFault("it is empty")
    if _DELIMITED.search(latex):
        raise FormulaFault("a dollar sign stands inside a formula")
    if found := _DEFINING.search(latex):
        raise FormulaFault(f"{found[0]}: a formula may not define commands; write out what it stands for")
    # The converter calls itself for each level, and a formula from elsewhere must not exhaust the
    # stack.
    depth = nested = 0
    for token in _NESTING.findall(latex):
        nested += _LEVELS.get(token, 0)
        if nested > _DEEPEST:
            raise FormulaFault(
                f"more than {_DEEPEST} braces, brackets of \\left, and environments are inside one another"
            )
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth < 0:
            raise FormulaFault("a closing brace has no opening one")
    if depth:
        raise FormulaFault("an opening brace is never closed")
    for name in re.findall(r"\\begin\{([^{}]*)\}", latex):
        if name.rstrip("*") not in _SUPPORTED_ENVIRONMENTS:
            raise FormulaFault(f"the environment {name!r} is not supported")


def _check_result(root: ElementTree.Element) -> None:
    """Raise `FormulaFault` for what the converter has left over, and for attributes that are not
    allowed.
    """
    if control := unprintable("".join(root.itertext())):  # \unicode makes characters of numbers
        raise FormulaFault(f"it holds U+{control}, which no page can show")
    for element in root.iter():
        text = element.text or ""
        if "\\" in text:
            raise FormulaFault(f"{text.strip()!r} is not understood")
        if element.tag == "mspace" and element.attrib.get("linebreak"):
            raise FormulaFault("a line break outside of an environment such as aligned")
        for name, value in element.attrib.items():
            if (name not in _ATTRIBUTES or not _VALUE.fullmatch(value)) and name != "xmlns":
                raise FormulaFault(
                    f"it sets {name}={value[:60]!r}; links, styles and classes (\\href, \\style, \\class) are not "
                    "rendered: write the formula alone"
                )
        if element.tag != "mtext" and text in ("&", "#"):
            raise FormulaFault(f"a stray {text!r}")
        if element.tag in ("mfrac", "msub", "msup", "munder", "mover", "mroot") and len(element) != 2:
            raise FormulaFault(f"an argument is missing ({element.tag} with {len(element)} parts)")


def _repair(root: ElementTree.Element) -> None:
    """Change what the converter sets otherwise than TeX or than browsers show: alphabets, operators, words, spaces."""
    for element in root.iter():
        if element.text:
            text = html.unescape(element.text)
            element.text = _SIZED_DELIMITERS.get(text, text) if element.tag == "mo" else text
        _upright_or_alphabet(element)
        _operator_or_name(element)
    for parent in list(root.iter()):
        _join_upright_letters(parent)
    for parent in list(root.iter()):
        if parent.tag in ("mrow", "math", "mtd", "mstyle", "msqrt"):
            _space_functions(parent)


def _upright_or_alphabet(element: ElementTree.Element) -> None:
    """MathML Core knows no mathvariant but `normal`: other alphabets are characters of Unicode."""
    variant = element.attrib.get("mathvariant", "")
    if variant in _MATH_ALPHABETS and element.text:
        del element.attrib["mathvariant"]
        element.text = "".join(_in_alphabet(c, variant) for c in element.text)


def _in_alphabet(character: str, variant: str) -> str:
    """Return a letter of a mathematical alphabet, the letter itself where there is none."""
    letters, digits = _MATH_ALPHABETS[variant]
    name = unicodedata.name(character, "")
    if name.startswith("DIGIT "):
        wanted = name.replace("DIGIT", f"MATHEMATICAL {digits} DIGIT") if digits else ""
    elif found := re.fullmatch(r"(?:LATIN|GREEK) (SMALL|CAPITAL) LETTER (\w+)", name):
        size = "SMALL" if found[1] == "SMALL" else "CAPITAL"
        wanted = f"MATHEMATICAL {letters} {size} {found[2]}"
    else:
        return character
    try:
        return unicodedata.lookup(wanted)
    except KeyError:  # the alphabets have holes, filled by older letterlike symbols
        try:
            return unicodedata.lookup(wanted.replace("MATHEMATICAL ", "").replace("FRAKTUR", "BLACK-LETTER"))
        except KeyError:
            return character


def _operator_or_name(element: ElementTree.Element) -> None:
    """Make an operator of a name, or a name of an operator, by the character."""
    text = (element.text or "").strip()
    if element.tag == "mi" and len(text) == 1 and _is_operator(text):
        element.tag = "mo"
        if unicodedata.category(text) in ("Ps", "Pe"):
            element.attrib["stretchy"] = "false"
    elif element.tag == "mo" and (text in _NAMES or (len(text) > 1 and text.isalpha())):
        element.tag = "mi"
    if element.tag == "mo" and text in ("/", "|", "‖"):
        element.attrib |= {"lspace": "0", "rspace": "0"}  # a bar is a fence here: the relation is \mid
    if element.tag == "mi" and len(text) == 1 and "Α" <= text <= "Ω":
        element.attrib["mathvariant"] = "normal"  # capital Greek letters stand upright


def _is_operator(character: str) -> bool:
    """Return whether a character stands for an operation, a relation or a bracket."""
    if character in _NAMES:
        return False
    return unicodedata.category(character) in ("Sm", "Ps", "Pe", "Po", "Pd") or character in "⟺⟹⟸↦~:|"


def _is_upright(element: ElementTree.Element) -> bool:
    """Return whether an element is an upright letter."""
    letter = element.tag == "mi" and len(element) == 0 and element.attrib.get("mathvariant") == "normal"
    return letter and (element.text or "").isalpha()


def _join_upright_letters(parent: ElementTree.Element) -> None:
    """Make one word of upright letters in a row, which a browser would set apart."""
    if parent.tag not in ("mrow", "math", "mtd", "mstyle"):
        return
    for first, second in list(pairwise(reversed(list(parent)))):
        if _is_upright(first) and _is_upright(second):
            second.text = (second.text or "") + (first.text or "")
            parent.remove(first)


def _function_name(element: ElementTree.Element) -> bool:
    """Return whether an element is the name of a function, with or without indices."""
    while element.tag in ("msub", "msup", "msubsup", "munder", "mover", "munderover") and len(element):
        element = element[0]
    return element.tag == "mi" and len(element.text or "") > 1 and (element.text or "").isalpha()


def _space_functions(parent: ElementTree.Element) -> None:
    """A thin space between a function's name and what touches it, as TeX sets it."""
    for left, right in reversed(list(pairwise(list(parent)))):
        if _touches(left, right):
            space = ElementTree.Element("mspace", {"width": _THIN})
            parent.insert(list(parent).index(right), space)


def _touches(left: ElementTree.Element, right: ElementTree.Element) -> bool:
    """Return whether a thin space belongs between two neighbours."""
    operators = ("mo", "mspace", "mtext")
    if _function_name(left):
        return right.tag not in operators and not _starts_with_bracket(right)
    return _function_name(right) and left.tag not in operators


def _starts_with_bracket(element: ElementTree.Element) -> bool:
    """Return whether an element begins with an operator such as a bracket."""
    while element.tag in ("mrow", "msup", "msub", "msubsup") and len(element):
        element = element[0]
    return element.tag == "mo"
