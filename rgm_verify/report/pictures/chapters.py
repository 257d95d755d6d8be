"""Display of a chapter: its texts, for checking, and its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rgm_verify.claims.chapter import Answer, ChapterEntry, Erratum, Figure, Heading, Paragraph, Table
from rgm_verify.pictures import curves, labelled
from rgm_verify.report.texts.latex import formula, sentence
from rgm_verify.report.texts.readable import readable


def texts(chapter: ChapterEntry) -> Iterator[tuple[str, Callable[[str], Any], str]]:
    """Every text of a chapter with the function that has to convert it, and where it stands.

    Yields:
        A place, the function, and the text.
    """
    yield "title", sentence, chapter.title
    yield "summary", sentence, chapter.summary
    for number, block in enumerate(chapter.blocks):
        place = f"blocks[{number}]"
        if isinstance(block, Heading | Paragraph):
            yield f"{place}.text", sentence, block.text
            continue
        if isinstance(block, Erratum):
            yield from ((f"{place}.{name}", sentence, getattr(block, name)) for name in ("name", "apart"))
            yield from ((f"{place}.{name}", formula, getattr(block, name)) for name in ("printed", "right"))
            continue
        if isinstance(block, Answer):
            yield from ((f"{place}.{name}", sentence, getattr(block, name)) for name in ("question", "text"))
            continue
        yield f"{place}.caption", sentence, block.caption
        if isinstance(block, Table):
            yield from ((f"{place}.columns", sentence, text) for text in block.columns)
            yield from ((f"{place}.rows", sentence, text) for row in block.rows for text in row)
        else:
            yield from _texts_of_figure(place, block)


def _texts_of_figure(place: str, figure: Figure) -> Iterator[tuple[str, Callable[[str], Any], str]]:
    """Yield the names and notes of a figure's curves."""
    for series in figure.series:
        yield f"{place}.series", sentence, series.name
        yield f"{place}.series", sentence, series.note


def figure(block: Figure) -> str:
    """The picture of a figure as an SVG element.

    Names may hold formulas; SVG has no MathML, so that they become text in a line.

    Args:
        block: The figure; each point is (x, lower, upper) as texts, and the axes may be logarithmic.
    """
    if _is_labelled(block):
        return labelled.figure(_curves(block), **_axes(block))
    return curves.figure(_curves(block), **_axes(block), log_x=block.log_x, log_y=block.log_y)


def document(block: Figure) -> str:
    """The picture of a figure as an SVG file that needs nothing else.

    Raises:
        InputError: Where there is nothing to draw.
    """
    if _is_labelled(block):
        return labelled.document(_curves(block), **_axes(block))
    return curves.document(_curves(block), **_axes(block), log_x=block.log_x, log_y=block.log_y)


def _is_labelled(block: Figure) -> bool:
    """Return whether the curves bear their names: on the first page, where both axes are even."""
    return block.lead and not (block.log_x or block.log_y)


def _curves(block: Figure) -> list[curves.Curve]:
    """Return the curves of a figure."""
    return [curves.Curve(readable(s.name), [_point(point) for point in s.points]) for s in block.series]


def _axes(block: Figure) -> dict[str, str]:
    """Return the names of the axes, and the picture in words."""
    return {"x": readable(block.x), "y": readable(block.y), "title": readable(block.caption)}


def _point(texts: Sequence[str]) -> tuple[float, float, float]:
    """Return a point of a figure as floats, which is enough for drawing."""
    # To the nearest float and not outward: a pixel is wider than either.
    x, lower, upper = (float(text) for text in texts)
    return x, lower, upper
