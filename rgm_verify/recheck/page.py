"""One page of HTML from a certificate that was replayed, to print and sign."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction
from html import escape

from rgm_verify.recheck.certificate import Certificate
from rgm_verify.recheck.replay import Result
from rgm_verify.recheck.words import decimal

__all__ = ["page"]

_STYLE = """
@page { size: A4; margin: 18mm }
body { font: 10.5pt/1.4 Georgia, serif; max-width: 174mm; margin: 8mm auto; overflow-wrap: anywhere }
h1 { font-size: 17pt; margin: 0 0 2mm } h2 { font-size: 11.5pt; margin: 4mm 0 1mm; border-bottom: .4pt solid #888 }
p, ul { margin: 1mm 0 } ul { padding-left: 5mm } code { font: 8.5pt/1.3 monospace }
small { font-size: 8.5pt; color: #333 } b { font-weight: 700 }
.sign { display: flex; gap: 8mm; margin-top: 12mm }
.sign span { flex: 1; border-top: .6pt solid #111; padding-top: 1mm }
"""
_MOST_ODDS = 700  # nats: beyond, a quotient of odds leaves the floats


def page(certificate: Certificate, result: Result, *, data: bytes, name: str, version: str) -> str:
    """Return the page; `ValueError` for a certificate whose replay did not accept it, as nothing may be signed then.

    Args:
        certificate: what is stated.
        result: what its replay says.
        data: the bytes of the file, whose digest stands on the page.
        name: of the file.
        version: of this library.
    """
    if not result.accepted:
        raise ValueError(f"a statement needs a certificate that is proved: {result.reason}")
    # Neighbours, and that queries may depend on outputs, stand at the end of the description.
    parts = result.mechanism.split("; ")
    neighbours = certificate.neighbours or "those that the sensitivity of each release is for"
    digest = hashlib.sha256(data).hexdigest()
    unchecked = [f"It is not checked {text}." for text in result.not_checked]
    assumed = [f"Neighbouring data sets are: {neighbours}.", *unchecked]
    theorems = escape(", ".join(result.premises))
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Statement of privacy: {escape(name)}</title>
<style>{_STYLE}</style></head><body>
<h1>Statement of privacy</h1>
<h2>What was run</h2>
<ul>{_items(parts)}</ul>
<h2>What is proved</h2>
<ul>{"".join(f"<li>{text}</li>" for text in _proved(certificate))}</ul>
<h2>What is assumed</h2>
<ul>{_items(assumed)}</ul>
<h2>How to check it</h2>
<p>The file <code>{escape(name)}</code> holds the numbers above, and what a proof of them needs.
Its SHA-256 digest is <code>{digest}</code>. Version {escape(version)} of rgm-verify proves them again, by code
apart from what found them:</p>
<p><code>rgm-verify replay {escape(name)}</code></p>
<p><small>It rests on these theorems, which <code>rgm-verify show ID</code> proves: {theorems}.</small></p>
<div class="sign"><span>Name and office</span><span>Place and date</span><span>Signature</span></div>
</body></html>
"""


def _items(texts: list[str]) -> str:
    return "".join(f"<li>{escape(text[:1].upper() + text[1:])}</li>" for text in texts)


def _proved(certificate: Certificate) -> list[str]:
    """Return each end in words, as HTML."""
    found, given = [], certificate.given
    upper, lower = certificate.upper, certificate.lower
    of_epsilon = certificate.quantity == "epsilon"
    if upper is not None:
        epsilon, delta = (upper, given) if of_epsilon else (given, upper)
        text = f"With epsilon = {_number(epsilon)} and delta = {_number(delta)} the releases are private: "
        odds = f"at most {_odds(epsilon)} times as likely as with neighbouring data"
        rest = f", plus {_number(delta)}" if delta else ""
        found.append(f"<b>{text}</b>every outcome is {odds}{rest}.")
    if lower is not None:
        other = f"delta = {_number(given)}" if of_epsilon else f"epsilon = {_number(given)}"
        least = _number(lower, up=False)
        found.append(
            f"This is not much more than is needed: at {other} no {certificate.quantity} below {least} would be enough."
            if lower and upper is not None and upper <= 2 * lower
            else f"At {other} no {certificate.quantity} below {least} would be enough."
        )
    return found


def _number(value: Fraction, *, up: bool = True) -> str:
    """Return a number with four digits, rounded to the side that stays true."""
    if value == 0:
        return "0"
    shift = 3 - math.floor(math.log10(value)) if 1e-300 < value < 1e300 else 0
    if not shift:
        return decimal(value, up=up)
    scaled = value * Fraction(10) ** shift
    whole = math.ceil(scaled) if up else math.floor(scaled)
    return decimal(Fraction(whole) / Fraction(10) ** shift, up=up)


def _odds(epsilon: Fraction) -> str:
    """Return a bound of the exponential with a few digits."""
    if epsilon > _MOST_ODDS:
        return f"e^{_number(epsilon)}"
    # A float is off by a part in 2^50 at most, far less than what is added.
    return _number(Fraction(math.exp(float(epsilon))) * (1 + Fraction(1, 10**9)))
