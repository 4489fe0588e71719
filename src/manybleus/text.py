"""Texts from anywhere, counts and differences of scores, made fit to be shown."""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable

# Control characters but for tab and line feed, marks that order or hide text without being seen, and what is no
# character; joiners, which scripts and emoji need, stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)

# The smallest difference that four decimals show.
_SMALLEST_SHOWN = 0.00005


def visible(text: str) -> str:
    r"""Return a text in which what cannot be seen is written as an escape.

    So a terminal obeys no escape sequence, and no mark turns the order of what is read.

    >>> visible("\x1b[31mred\u202e")
    '\\x1b[31mred\\u202e'
    """
    return _UNSEEN.sub(lambda match: repr(match[0])[1:-1], text)


def is_right_to_left(text: str) -> bool:
    """Tell whether a letter of a text belongs to a script that is written from right to left."""
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def isolating(names: Iterable[str]) -> Callable[[str], str]:
    r"""Return what puts names that are written from right to left between marks, wherever they stand in a text.

    The marks, U+2068 and U+2069, do in text and in attributes what ``<bdi>`` does among elements: such a name turns
    nothing round that stands beside it.

    >>> print(ascii(isolating(["A", "\u05d0"])("A > \u05d0 > \u05d0\u05d1")))
    'A > \u2068\u05d0\u2069 > \u05d0\u05d1'
    """
    turning = sorted(filter(is_right_to_left, names), key=len, reverse=True)
    if not turning:
        return str
    # Rankings may hold a space at which no line breaks.
    words = "|".join(re.escape(name).replace(r"\ ", "[ \N{NO-BREAK SPACE}]") for name in turning)
    name = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
    return lambda text: name.sub("\N{FIRST STRONG ISOLATE}\\g<0>\N{POP DIRECTIONAL ISOLATE}", text)


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, and how many there are in all where some are left out."""
    return text if len(text) <= most else f"{text[:most]} ... ({len(text):,} characters)"


def meant(word: object, known: Iterable[str]) -> str | None:
    """Return the known word that a misspelt one is most like, or None where it is like none."""
    return next(iter(difflib.get_close_matches(str(word), list(known), n=1)), None)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, e.g. ``"1 line"`` or ``"200 lines"``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def signed(gap: float) -> str:
    """Return a difference of scores with its sign, as scores are printed: with four decimals.

    One that these do not show has two digits and an exponent; nothing is written where there is none.

    >>> signed(-0.0608), signed(9.73e-07), signed(0.0), signed(float("nan"))
    ('-0.0608', '+9.7e-07', '0.0000', '')
    """
    if gap != gap:
        return ""
    return f"{gap:+.4f}" if abs(gap) >= _SMALLEST_SHOWN else f"{gap:+.1e}" if gap else "0.0000"
