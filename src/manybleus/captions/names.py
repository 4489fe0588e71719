"""Names of systems: they become file names, columns and words of a ranking."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations

MOST_CHARACTERS = 80
# With an ending, file systems take 255 bytes.
_MOST_BYTES = 240
_MARKS = " ._-+(),"
# Files and columns that stand beside the systems'.
_TAKEN = ("references", "remarks", "configuration", "ranking", "smoothing")


def name_problems(names: Sequence[str]) -> Iterator[str]:
    """Say what is wrong with the names of systems, one line each."""
    known: dict[str, str] = {}
    for name in names:
        wrong = _wrong(name)
        if wrong:
            yield f"system {name!r:.100}: {wrong}"
        key = _key(name)
        if known.get(key) == name:
            yield f"system {name:.100} is named twice; give each system a name of its own"
        elif key in known:
            alike = _likeness(known[key], name)
            yield f"systems {known[key]!r:.100} and {name!r:.100} {alike}; their files would be the same"
        known.setdefault(key, name)
    yield from (
        f"system {pair!r}: is also what {first} minus {second} is called in the tables; choose another name"
        for pair in dict.fromkeys(names)
        for first, second in _parts(pair)
        if {first, second} <= set(names)
    )
    called: dict[str, tuple[str, str]] = {}
    for pair in combinations(dict.fromkeys(names), 2):
        other = called.setdefault("-".join(pair), pair)
        if other != pair:
            told = " and ".join(" minus ".join(each) for each in (other, pair))
            yield f"{told} are both called {'-'.join(pair)!r} in the tables; choose other names"


def _wrong(name: str) -> str | None:
    if not name:
        return "a name is missing; give each system one"
    odd = [c for c in name if c not in _MARKS and unicodedata.category(c)[0] not in "LMN"]
    if odd:
        return f"{odd[0]!r} cannot stand in a name; use letters, digits, spaces and {_MARKS.strip()}"
    if unicodedata.category(name[0])[0] not in "LN":
        return "a name begins with a letter or digit"
    if name != name.strip():
        return "a name ends with no space"
    if len(name) > MOST_CHARACTERS or len(name.encode()) > _MOST_BYTES:
        return f"a name has at most {MOST_CHARACTERS} characters, and {_MOST_BYTES} bytes in UTF-8"
    if _key(name) in _TAKEN:
        return f"the names {', '.join(_TAKEN)} are taken; choose another"
    return None


def _key(name: str) -> str:
    """What a file system that does not tell cases apart makes of a name."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _likeness(one: str, other: str) -> str:
    """Say in what alone two names differ that are one to a file system."""
    if one.casefold() == other.casefold():
        return "differ in case alone"
    case = "" if unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other) else "case and "
    return f"differ in {case}how letters with marks are written alone, composed (NFC) or decomposed (NFD)"


def _parts(name: str) -> Iterator[tuple[str, str]]:
    for place, character in enumerate(name):
        if character == "-":
            yield name[:place], name[place + 1 :]
