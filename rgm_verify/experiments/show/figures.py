"""Pictures of a record, by matplotlib: panels side by side, readable in black and white, with what privacy they cost.

The same record gives the same bytes (with the same matplotlib): no date, no random identifiers. An SVG file has its
words as text, to be found and read aloud; lines are broken for the widths of DejaVu Sans, which most fonts keep below.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rgm_verify.errors import InputError
from rgm_verify.experiments.run.records import Record
from rgm_verify.experiments.show.panels import draw_ends, draw_panel, title_of
from rgm_verify.experiments.show.styles import line_style, look
from rgm_verify.experiments.show.wording import (
    Name,
    caveats,
    curve_line,
    divergences,
    meaning_of_costs,
    plotted,
    provenance,
    wrapped,
)
from rgm_verify.jobs.files import write_atomically

Form: TypeAlias = Literal["svg", "png"]
FORMS: tuple[Form, ...] = ("svg", "png")

_PANEL_WIDTH, _PANEL_HEIGHT, _HEAD, _BETWEEN, _BELOW_AXES, _MARGIN = 4.6, 3.1, 0.72, 0.95, 0.6, 0.12  # inches
_LEAST_WIDTH, _ROW, _NAMES, _HANDLE, _TITLE_LINE = 9.2, 0.19, 2.6, 1.0, 0.2
_MOST_PANELS, _IN_A_ROW = 12, 3
_CHARACTERS_PER_INCH = 13.2  # of the small text: lines are broken before they are drawn
_TEXT, _SMALL, _DOTS_PER_INCH = 11, 9.5, 110
_STYLE = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": _TEXT,
    "axes.titlesize": _TEXT + 1,
    "figure.facecolor": "white",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": _TEXT,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.fontsize": _SMALL,
    "path.simplify_threshold": 0.2,
    # Words stay words, and identifiers are made of this text and not at random.
    "svg.fonttype": "none",
    "svg.hashsalt": "rgm-verify",
}


def require_matplotlib() -> None:
    """Raise `InputError` when there is no matplotlib, before any work is done for a figure."""
    # Looked for and not imported: a run of hours should not begin with an import that only its end needs.
    if find_spec("matplotlib") is None:
        raise InputError("figures need the package `matplotlib`; install rgm-verify[experiments]")


def write(record: Record, folder: Path, *, name: str = "figure") -> list[Path]:
    """Write the figure in every form into `folder` and return the files; each is written as a whole or not at all.

    Args:
        folder: it is made where it is missing.
        name: of the files, without their endings.

    Raises:
        InputError: without matplotlib, and for a folder that cannot be written.
    """
    paths = []
    for form in FORMS:
        path = folder / f"{name}.{form}"
        write_atomically(path, figure(record, form))
        paths.append(path)
    return paths


def figure(record: Record, form: Form) -> bytes:
    """Return the figure of a record as a file of that form.

    Up to twelve panels are drawn as curves; of more only the last values are drawn, a row for each panel.

    Args:
        form: "svg" or "png".

    Raises:
        InputError: without matplotlib.
    """
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # From the defaults of the library: a user's own settings would change the bytes.
    style: Any = {**mpl.rcParamsDefault} | _STYLE
    with mpl.rc_context(style):
        drawn = Figure(figsize=(max(_LEAST_WIDTH, _PANEL_WIDTH * _columns(record)), 1), dpi=_DOTS_PER_INCH)
        FigureCanvasAgg(drawn)
        _draw(drawn, record)
        data = io.BytesIO()
        # Without dates and versions the same record gives the same bytes.
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        drawn.savefig(data, format=form, dpi=_DOTS_PER_INCH, metadata=metadata)
    return _shortened(data.getvalue()) if form == "svg" else data.getvalue()


def _shortened(svg: bytes) -> bytes:
    """Cut coordinates after two decimals: a hundredth of a point is invisible, and costs a third of the file."""
    return re.sub(rb' (?:d|x|y)="[^"]*"', lambda found: re.sub(rb"(\.\d\d)\d+", rb"\1", found[0]), svg)


# ------------------------------------------------------------------------------------------------------------- layout


def _columns(record: Record) -> int:
    """Return how many panels stand side by side: up to three, or four of more than nine; for rows, the width of two."""
    count = len(record.panels)
    return 2 if count > _MOST_PANELS else count if count <= _IN_A_ROW else _IN_A_ROW + (count > _IN_A_ROW**2)


def _rows(record: Record) -> int:
    return -(-len(record.panels) // _columns(record))


def _axes_height(record: Record) -> float:
    """Return the height of all axes in inches."""
    if len(record.panels) > _MOST_PANELS:
        return _ROW * len(record.panels)
    return _PANEL_HEIGHT * _rows(record) + _between(record) * (_rows(record) - 1)


def _title_room(record: Record) -> float:
    """Return the space that titles of more than one line need."""
    return _TITLE_LINE * max(title_of(panel).count("\n") for panel in record.panels)


def _between(record: Record) -> float:
    """Return the space between two rows of panels in inches."""
    return _BETWEEN + _title_room(record)


def _draw(drawn: Any, record: Record) -> None:
    """Panels, the legend below them, the caption below that; the figure gets the height that they need."""
    # In the order of the record and over all panels: a curve has one place, and so one look, in the whole figure.
    curves = tuple(dict.fromkeys(Name.of(m.method).curve for panel in record.panels for m in panel.methods))
    width = drawn.get_figwidth()
    legend = _legend(drawn, record, curves)
    words = wrapped(_sentences(record), int(width * _CHARACTERS_PER_INCH))
    # Laid out before the height is known: legend and caption are as tall as their words, and the axes keep their size.
    caption = drawn.text(0, 0, words, fontsize=_SMALL, va="top", linespacing=1.35)
    lower = _inches(drawn, caption) + 2 * _MARGIN
    below = lower + _inches(drawn, legend)
    head = _HEAD + _title_room(record)
    height = head + _axes_height(record) + _BELOW_AXES + below
    drawn.set_figheight(height)
    legend.set_bbox_to_anchor((0.1 / width, below / height), transform=drawn.transFigure)
    caption.set_position((_MARGIN / width, (lower - _MARGIN) / height))
    drawn.suptitle(record.title, y=1 - _MARGIN / height, va="top", fontsize=_TEXT + 2)
    span = {"bottom": (below + _BELOW_AXES) / height, "top": 1 - head / height, "right": 1 - 0.2 / width}
    if len(record.panels) > _MOST_PANELS:
        _ends(drawn, record, curves, span)
    else:
        _panels(drawn, record, curves, span)


def _inches(drawn: Any, part: Any) -> float:
    """Return the height of a part that has been laid out, in inches."""
    return float(part.get_window_extent(drawn.canvas.get_renderer()).height / drawn.dpi)


def _sentences(record: Record) -> Iterator[str]:
    """Yield what the caption says."""
    yield from provenance(record)
    yield "What runs away, and what has no noise, may leave the picture."
    yield from divergences(record)
    yield meaning_of_costs(record)
    yield from caveats(record)


def _legend(drawn: Any, record: Record, curves: Sequence[str]) -> Any:
    """Return the legend, with what each curve's privacy really is."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], **line_style(look(curve, place))) for place, curve in enumerate(curves)]
    width = int((drawn.get_figwidth() - _HANDLE) * _CHARACTERS_PER_INCH)
    labels = [wrapped([curve_line(record, curve)], width) for curve in curves]
    return drawn.legend(handles, labels, loc="upper left", borderaxespad=0, frameon=False, handlelength=4.2,
                        labelspacing=0.35)  # fmt: skip


def _panels(drawn: Any, record: Record, curves: Sequence[str], span: dict[str, float]) -> None:
    """Draw the panels as curves."""
    axes = drawn.subplots(_rows(record), _columns(record), squeeze=False)
    drawn.subplots_adjust(
        left=0.85 / drawn.get_figwidth(), wspace=0.28, hspace=_between(record) / _PANEL_HEIGHT, **span
    )
    places = [axis for row in axes for axis in row]
    for axis in places[len(record.panels) :]:
        axis.remove()
    # A label at the first panel of each row, and where the quantity changes within a row.
    for place, (panel, axis) in enumerate(zip(record.panels, places, strict=False)):
        draw_panel(axis, panel, curves)
        first = place % _columns(record) == 0
        axis.set_ylabel(plotted(panel) if first or plotted(panel) != plotted(record.panels[place - 1]) else "")


def _ends(drawn: Any, record: Record, curves: Sequence[str], span: dict[str, float]) -> None:
    """Draw the last values, a row for each panel."""
    axis = drawn.subplots()
    drawn.subplots_adjust(left=_NAMES / drawn.get_figwidth(), **span)
    draw_ends(axis, record.panels, curves)
