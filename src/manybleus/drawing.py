"""How figures are drawn: colours, style, panels, and files that are the same to the byte in every run."""

import io
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from manybleus.text import is_right_to_left, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FONT = "DejaVu Sans"
# Of a system's name an axis shows so many characters.
_NAME = 24
BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours that depend on the page behind a figure; the background itself is left open."""

    ink: str
    grid: str


THEMES: Mapping[str, Theme] = {"light": Theme("#1b1f24", "#d0d5da"), "dark": Theme("#e8eaed", "#4a5058")}


def as_svg(figure: "Figure") -> bytes:
    """Return a figure as SVG, its text as outlines, without a date or any name of a program."""
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "manybleus", "svg.fonttype": "path"}):
        figure.savefig(
            content, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )
    return content.getvalue()


def as_png(figure: "Figure") -> bytes:
    """Return a figure as PNG on white, without a date or any name of a program."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=160, facecolor="white", metadata={"Software": None})
    return content.getvalue()


def as_files(draw: "Mapping[str, Callable[[Theme], Figure]]") -> dict[str, bytes]:
    """Draw figures by name: each as SVG for a light and for a dark page, and as PNG, by file name."""
    with warnings.catch_warnings():
        # Once for each sign and file; unknown_signs tells them once.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        drawings = {f"{name}.{theme}.svg": as_svg(draw[name](THEMES[theme])) for name in draw for theme in THEMES}
        return drawings | {f"{name}.png": as_png(draw[name](THEMES["light"])) for name in draw}


def unknown_signs(names: Iterable[str]) -> str:
    """Tell in one sentence which letters of names the figures' font does not have; nothing where it has all."""
    from matplotlib.font_manager import findfont, get_font

    known = get_font(findfont(_FONT)).get_charmap()
    # White space, line feeds too, is drawn as spaces.
    shown = visible("".join("".join(names).split()))
    unknown = dict.fromkeys(sign for sign in shown if ord(sign) not in known)
    return f"{_FONT}, the figures' font, has no {' '.join(unknown)}: boxes stand for them there" if unknown else ""


@contextmanager
def style(theme: Theme) -> Iterator[None]:
    """Draw in the project's style, with a theme's colours."""
    from matplotlib import rc_context

    settings: dict[Any, Any] = {
        "font.family": _FONT,
        "font.size": 10.5,
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "hatch.color"), theme.ink),
        **dict.fromkeys(("axes.edgecolor", "grid.color"), theme.grid),
        "grid.linewidth": 0.6,
        "hatch.linewidth": 0.7,
    }
    with rc_context(settings):
        yield


def panels_below(
    width: float, height: float, panels: int, heights: Sequence[float] | None = None
) -> "tuple[Figure, list[Axes]]":
    """Return a figure of that size in inches, with panels one below the other that share their horizontal axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(figure.subplots(panels, 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0])
    for each in axes:
        each.spines[["top", "right", "left"]].set_visible(False)
        each.tick_params(length=0)
        each.grid(axis="x")
        each.set_axisbelow(True)
    return figure, axes


def panels_beside(width: float, height: float, panels: int, in_a_row: int = 0) -> "tuple[Figure, list[Axes]]":
    """Return a figure of that size in inches, with panels beside each other that share both axes.

    ``in_a_row`` are in one row; 0 for all.
    """
    from matplotlib.figure import Figure

    columns = in_a_row or panels
    rows = -(-panels // columns)
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = list(figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat)
    for each in axes:
        each.spines[["top", "right", "left"]].set_visible(False)
        each.tick_params(length=0)
        each.grid(axis="y")
        each.set_axisbelow(True)
    for each in axes[panels:]:
        each.set_visible(False)
    return figure, axes[:panels]


def one_panel(width: float, height: float) -> "tuple[Figure, Axes]":
    """Return a figure with one panel."""
    figure, axes = panels_below(width, height, 1)
    return figure, axes[0]


def write(axes: "Axes", x: float, y: float, text: str, **look: Any) -> None:
    """Write a text as it is, whatever it holds."""
    axes.text(x, y, text, parse_math=False, **{"va": "center", **look})


def short(name: str, width: int) -> str:
    """Return a name of at most that many characters."""
    return textwrap.shorten(visible(name), width, placeholder="...") or "..."


def gap_words(gap: tuple[str, str]) -> str:
    """Return what an axis of the gap says: on which side which system is ahead, and what is drawn."""
    first, second = (short(name, _NAME) for name in gap)
    return f"{forward(f'← {second} ahead        {first} ahead →')}\n{minus(first, second)}"


def minus(first: str, second: str) -> str:
    """Return what is drawn of a pair."""
    return forward(f"{first} minus {second}, BLEU 0-1")


def forward(line: str) -> str:
    """Return a line that goes from left to right even if a name in it does not: arrows and signs keep their places.

    Matplotlib sets such names by the rules of their scripts from 3.11 on.
    """
    return f"\N{LEFT-TO-RIGHT MARK}{line}" if is_right_to_left(line) else line


def same_decimals(first: float, second: float) -> bool:
    """Tell whether two scores agree as they are printed, at four decimals."""
    return f"{first:.4f}" == f"{second:.4f}"
