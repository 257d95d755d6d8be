r"""One spelling of an index that is a word, such as `rel` in `R_rel`.

Sources, claims and names in values write it in their own ways: `R_{rel}`, `R_{\rm rel}`, `R_{\mathrm{rel}}`,
`R_{\text{rel}}`. On a page it is upright, and a command where LaTeX has one: `\star`, `\max`.
"""

from __future__ import annotations

import re

__all__ = ["with_word_indices"]

#: Words that are commands, as operators or signs.
_COMMANDS = frozenset(("star", "max", "min", "sup", "inf", "lim", "infty", "top"))
_COMMAND = "|".join(sorted(_COMMANDS))
_UPRIGHT = r"(?:mathrm|mathit|text|textrm|operatorname)"
#: Two letters may be two indices, as in `a_{ij}`; three are a word, and so is what is set upright.
_INDEX = re.compile(
    rf"_(?:\{{\\{_UPRIGHT}\{{([A-Za-z]{{2,}})\}}\}}|\{{\\rm\s+([A-Za-z]{{2,}})\}}|\\{_UPRIGHT}\{{([A-Za-z]{{2,}})\}}"
    rf"|\{{([A-Za-z]{{3,}})\}}|\{{\\({_COMMAND})\}}|\\({_COMMAND})(?![A-Za-z]))"
)


def with_word_indices(latex: str) -> str:
    r"""Return LaTeX in which every index that is a word has one spelling.

    Examples:
        >>> print(with_word_indices(r"R_{rel} + R_{\rm rel} + R_{\text{rel}} + a_{ij}"))
        R_{\mathrm{rel}} + R_{\mathrm{rel}} + R_{\mathrm{rel}} + a_{ij}
        >>> print(with_word_indices(r"\lambda_{max} + \lambda_{\max} + x_{star} + \theta_\star"))
        \lambda_{\max} + \lambda_{\max} + x_{\star} + \theta_{\star}
    """
    return _INDEX.sub(_one, latex)


def _one(found: re.Match[str]) -> str:
    """Return one index in its spelling."""
    word = next(group for group in found.groups() if group)
    return rf"_{{\{word}}}" if word in _COMMANDS else rf"_{{\mathrm{{{word}}}}}"
