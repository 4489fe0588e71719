"""The study once more, written from its description alone and sharing no code with the package.

Plain loops and `Counter`s, one caption at a time: slow, and short enough to be checked by reading. The tests hold
the package's printed output against this one's for draws that were never published.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu
from skimage import draw
from skimage.measure import label, regionprops

SYSTEMS = ("S1", "S2", "G")
COLOURS = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0)}
SHAPES = ("circle", "square", "triangle")
RELATIONS = ("left", "right", "above", "below")
WORDS = {"left": "to the left of", "right": "to the right of", "above": "above", "below": "below"}
INVERSE = {"left": "right", "right": "left", "above": "below", "below": "above"}
COUNTS = (1, 2, 4, 8)
SMOOTHINGS = ("none", "add-1", "exp", "coco")
NLTK_RULE = {
    "none": SmoothingFunction().method0,
    "add-1": SmoothingFunction().method2,
    "exp": SmoothingFunction().method3,
}
PADDING = " in a small synthetic picture with a plain black background and nothing else"

Tokens = tuple[str, ...]
Statistics = tuple[list[int], list[int], int, float]


# --- scenes -----------------------------------------------------------------------------------------------------------


def draw_scene(rng: np.random.Generator) -> dict:
    """The draws of one image, in the study's order."""
    colours = [str(name) for name in rng.choice(list(COLOURS), size=2, replace=False)]
    shapes = [str(name) for name in rng.choice(list(SHAPES), size=2)]
    relation = RELATIONS[int(rng.integers(4))]
    sign = -1 if relation in ("left", "above") else 1
    major = [32 + sign * 16 + int(rng.integers(-3, 4))]
    major.append(32 - sign * 16 + int(rng.integers(-3, 4)))
    minor = [32 + int(rng.integers(-8, 9)), 32 + int(rng.integers(-8, 9))]
    sizes = [int(rng.integers(6, 10)), int(rng.integers(6, 10))]
    sideways = relation in ("left", "right")
    centres = [(minor[i], major[i]) if sideways else (major[i], minor[i]) for i in (0, 1)]
    return {"colours": colours, "shapes": shapes, "relation": relation, "centres": centres, "sizes": sizes}


def pixels_of(shape: str, centre: tuple[int, int], size: int) -> set[tuple[int, int]]:
    row, column = centre
    frame = (64, 64)
    if shape == "circle":
        inside = draw.disk((row, column), size + 0.5, shape=frame)
    elif shape == "square":
        inside = draw.rectangle((row - size, column - size), end=(row + size, column + size), shape=frame)
    else:
        rows, columns = [row - size, row + size, row + size], [column, column - size, column + size]
        inside = draw.polygon(rows, columns, shape=frame)
    return set(zip(np.ravel(inside[0]).tolist(), np.ravel(inside[1]).tolist(), strict=True))


def paint(scene: dict) -> tuple[np.ndarray, int]:
    """The picture, and how many pixels its two objects share."""
    picture = np.zeros((64, 64, 3))
    areas = []
    for colour, shape, centre, size in zip(
        *(scene[key] for key in ("colours", "shapes", "centres", "sizes")), strict=True
    ):
        area = pixels_of(shape, centre, size)
        areas.append(area)
        for row, column in area:
            picture[row, column] = COLOURS[colour]
    return picture, len(areas[0] & areas[1])


def references_of(scene: dict, order: Sequence[int]) -> list[str]:
    a, b = (f"{colour} {shape}" for colour, shape in zip(scene["colours"], scene["shapes"], strict=True))
    r, q = WORDS[scene["relation"]], WORDS[INVERSE[scene["relation"]]]
    templates = (
        f"A {a} is {r} a {b}.",
        f"a {a} {r} a {b}",
        f"There is a {a} {r} a {b}.",
        f"A {b} is {q} a {a}.",
        f"The {a} is {r} the {b}.",
        f"Two shapes: a {a} and a {b}.",
        f"On a black background, a {a} is {r} a {b}.",
        f"A {b}, with a {a} {r} it.",
    )
    return [templates[place] for place in order]


# --- captioners -------------------------------------------------------------------------------------------------------


def see(picture: np.ndarray) -> list[tuple[str, str, float, float]]:
    """Colour, shape and centroid of every object, read from the pixels."""
    seen = []
    for colour, value in COLOURS.items():
        mask = (picture == np.array(value)).all(axis=2)
        for region in regionprops(label(mask)):
            top, left, bottom, right = region.bbox
            corners = sum(bool(mask[y, x]) for y in (top, bottom - 1) for x in (left, right - 1))
            shape = {4: "square", 2: "triangle", 0: "circle"}.get(corners, "shape")
            seen.append((colour, shape, *region.centroid))
    return seen


def caption(objects: list[tuple[str, str, float, float]], index: int) -> dict[str, str]:
    a, b = objects
    dy, dx = b[2] - a[2], b[3] - a[3]
    if abs(dx) >= abs(dy):
        relation = "to the left of"
        first, second = (a, b) if dx >= 0 else (b, a)
    else:
        relation = "above"
        first, second = (a, b) if dy >= 0 else (b, a)
    s1 = f"A {first[0]} {first[1]} {relation} a {second[0]} {second[1]}."
    s2 = f"a {first[0]} shape {relation} a {second[0]} shape"
    g = f"A {first[0]} {first[1]}." if index % 2 == 0 else s1[:-1] + PADDING + "."
    return {"S1": s1, "S2": s2, "G": g}


def right_captions(scene: dict) -> tuple[str, str]:
    """What S1 and S2 should say, from the scene itself."""
    order = (0, 1) if scene["relation"] in ("left", "above") else (1, 0)
    relation = "to the left of" if scene["relation"] in ("left", "right") else "above"
    (first, first_shape), (second, second_shape) = ((scene["colours"][i], scene["shapes"][i]) for i in order)
    return (
        f"A {first} {first_shape} {relation} a {second} {second_shape}.",
        f"a {first} shape {relation} a {second} shape",
    )


# --- BLEU -------------------------------------------------------------------------------------------------------------


def tokenize(text: str, case: str, punctuation: str) -> Tokens:
    if case == "lower":
        text = text.lower()
    if punctuation == "kept":
        return tuple(text.split())
    tokens = tuple(re.findall(r"\w+|[^\w\s]", text))
    return tokens if punctuation == "split" else tuple(token for token in tokens if re.search(r"\w", token))


@cache
def grams(tokens: Tokens, n: int) -> Counter:
    return Counter(tokens[i : i + n] for i in range(len(tokens) - n + 1))


def statistics(candidate: Tokens, references: list[Tokens], length_rule: str) -> Statistics:
    matches, totals = [], []
    for n in (1, 2, 3, 4):
        counts = grams(candidate, n)
        per_reference = [grams(reference, n) for reference in references]
        matches.append(
            sum(min(count, max([found.get(gram, 0) for found in per_reference])) for gram, count in counts.items())
        )
        totals.append(counts.total())
    c = len(candidate)
    lengths = [len(reference) for reference in references]
    if length_rule == "closest":
        r: float = sorted(lengths, key=lambda length: (abs(length - c), length))[0]
    elif length_rule == "shortest":
        r = min(lengths)
    else:
        r = sum(lengths) / len(lengths)
    return matches, totals, c, r


def floored(row: Statistics) -> Statistics:
    """NLTK's floor on a sentence's totals."""
    matches, totals, c, r = row
    return matches, [max(1, t) for t in totals], c, r


def total(rows: list[Statistics]) -> Statistics:
    return (
        [sum(row[0][n] for row in rows) for n in range(4)],
        [sum(row[1][n] for row in rows) for n in range(4)],
        sum(row[2] for row in rows),
        math.fsum(row[3] for row in rows),
    )


def brevity_penalty(c: int, r: float) -> float:
    if c == 0:
        return 0.0
    return 1.0 if c > r else math.exp(1 - r / c)


def bleu(row: Statistics, smoothing: str) -> float:
    matches, totals, c, r = row
    if c == 0:
        return 0.0
    if smoothing == "coco":
        logs = [math.log((m + 1e-15) / (t + 1e-9)) for m, t in zip(matches, totals, strict=True)]
        ratio = (c + 1e-15) / (r + 1e-9)
        score = math.exp(math.fsum(logs) / 4)
        return score * math.exp(1 - 1 / ratio) if ratio < 1 else score
    scale = 1
    if smoothing == "add-1":
        precisions = [(m + (n > 0), t + (n > 0)) for n, (m, t) in enumerate(zip(matches, totals, strict=True))]
    elif smoothing == "exp":
        if not any(matches):
            return 0.0
        scale, missing, precisions = 100, 0, []
        for m, t in zip(matches, totals, strict=True):
            missing += m == 0
            precisions.append((100 * m, t) if m else (100, 2**missing * t))
    else:
        precisions = list(zip(matches, totals, strict=True))
    if not all(m and t for m, t in precisions):
        return 0.0
    logs = [math.log(m / t) for m, t in precisions]
    return brevity_penalty(c, r) * math.exp(math.fsum(logs) / 4) / scale


def rank(scores: dict[str, float]) -> str:
    order = sorted(scores, key=lambda system: -scores[system])
    text = order[0]
    for before, after in pairwise(order):
        text += (" = " if abs(scores[before] - scores[after]) < 1e-12 else " > ") + after
    return text


def nltk_bleu(references: list[list[Tokens]], candidates: list[Tokens], smoothing: str) -> float:
    return float(corpus_bleu(references, candidates, smoothing_function=NLTK_RULE[smoothing]))


# --- the printed study ------------------------------------------------------------------------------------------------


def printed(images: int, seed: int, nltk: Callable[[list[list[Tokens]], list[Tokens], str], float] = nltk_bleu) -> str:
    """Everything that the study prints, for another number of images or another seed."""
    rng = np.random.default_rng(seed)
    scenes = [draw_scene(rng) for _ in range(images)]
    orders = [rng.permutation(8).tolist() for _ in range(images)]
    references = [references_of(scene, order) for scene, order in zip(scenes, orders, strict=True)]
    painted = [paint(scene) for scene in scenes]
    objects = [see(picture) for picture, _ in painted]
    spoken = [caption(found, index) for index, found in enumerate(objects)]
    captions = {system: [said[system] for said in spoken] for system in SYSTEMS}
    out: list[str] = []

    overlap = sum(shared for _, shared in painted)
    distinct = min(len(set(texts)) for texts in references)
    read = dict(sorted(Counter(len(found) for found in objects).items()))
    out.append(
        f"images {images}, object overlap {overlap} px, distinct references per image {distinct}, objects read {read}"
    )
    texts = [text for image in references for text in image] + [text for said in captions.values() for text in said]
    removed = [token for text in texts for token in tokenize(text, "lower", "removed") if re.search(r"[^\w\s]", token)]
    kept = [token for text in texts for token in tokenize(text, "lower", "kept") if re.search(r"[^\w\s]", token)]
    attached = [token for token in kept if re.search(r"\w", token)]
    out.append(
        f"punctuation check: tokens with punctuation under 'removed' {len(removed)}; "
        f"tokens with attached punctuation under 'kept' {len(attached)}"
    )
    truth = [right_captions(scene) for scene in scenes]
    right = [sum(said == told[i] for said, told in zip(captions[SYSTEMS[i]], truth, strict=True)) for i in (0, 1)]
    out.append(
        f"S1 colours, shapes and relation correct {right[0]}/{images}; "
        f"S2 colours and relation correct {right[1]}/{images}"
    )

    tokens = {
        (case, punctuation): (
            [[tokenize(text, case, punctuation) for text in image] for image in references],
            {system: [tokenize(text, case, punctuation) for text in captions[system]] for system in SYSTEMS},
        )
        for case in ("lower", "cased")
        for punctuation in ("split", "kept", "removed")
    }

    @cache
    def rows(system: str, k: int = 4, length="closest", case="lower", punctuation="split") -> list[Statistics]:
        told, said = tokens[case, punctuation]
        return [statistics(said[system][i], told[i][:k], length) for i in range(images)]

    long, short, with_floor = [0.0], [], []
    for (case, punctuation), (told, said) in tokens.items():
        for k in COUNTS:
            for system in SYSTEMS:
                each = rows(system, k, "closest", case, punctuation)
                plain, lifted = total(each), total([floored(row) for row in each])
                is_short = min(map(len, said[system])) < 4
                for smoothing in NLTK_RULE:
                    peer = nltk([image[:k] for image in told], said[system], smoothing)
                    (short if is_short else long).append(abs(bleu(plain, smoothing) - peer))
                    with_floor.append(abs(bleu(lifted, smoothing) - peer))
    out.append(f"hand vs NLTK, corpus, no candidate under 4 tokens: max diff {max(long):.1e}")
    out.append(
        f"hand vs NLTK, corpus, {len(short)} cases with a candidate under 4 tokens: max diff {max(short):.1e}; "
        f"with NLTK's denominator floor: {max(with_floor):.1e}"
    )
    base = {system: rows(system) for system in SYSTEMS}
    told, said = tokens["lower", "split"]
    apart = [
        abs(bleu(base[system][i], smoothing) - nltk([told[i][:4]], [said[system][i]], smoothing))
        for system in SYSTEMS
        for i in range(images)
        for smoothing in NLTK_RULE
    ]
    out.append(f"hand vs NLTK, sentence level (baseline): max diff {max(apart):.1e}")
    corpus = {
        smoothing: {system: bleu(total(base[system]), smoothing) for system in SYSTEMS} for smoothing in SMOOTHINGS
    }
    relative = max(abs(corpus["coco"][s] - corpus["none"][s]) / corpus["none"][s] for s in SYSTEMS)
    zero = [row for system in SYSTEMS for row in base[system] if bleu(row, "none") == 0]
    guarded = max((bleu(row, "coco") for row in zero), default=0.0)
    out.append(
        f"coco guards vs none, corpus: max relative diff {relative:.1e}; "
        f"{len(zero)} sentences score 0 unsmoothed, guarded max {guarded:.1e}"
    )

    changes: dict[str, dict] = {
        "baseline: 4 refs, closest, lowercased, punct split": {},
        "1 reference": {"k": 1},
        "2 references": {"k": 2},
        "8 references": {"k": 8},
        "shortest reference length": {"length": "shortest"},
        "average reference length": {"length": "average"},
        "cased": {"case": "cased"},
        "punctuation kept on words": {"punctuation": "kept"},
        "punctuation removed": {"punctuation": "removed"},
    }
    table_a = {
        name: {system: bleu(total(rows(system, **change)), "none") for system in SYSTEMS}
        for name, change in changes.items()
    }
    mean = {
        smoothing: {system: math.fsum(bleu(row, smoothing) for row in base[system]) / images for system in SYSTEMS}
        for smoothing in SMOOTHINGS
    }
    table_b = {f"corpus, {smoothing}": corpus[smoothing] for smoothing in SMOOTHINGS}
    table_b |= {f"mean sentence, {smoothing}": mean[smoothing] for smoothing in SMOOTHINGS}

    def lines(table: dict[str, dict[str, float]]) -> list[str]:
        return [
            " " * 19
            + name.ljust(52)
            + "".join(f"{scores[system]:8.4f}" for system in SYSTEMS)
            + f"   {rank(scores)}   S2-G {scores['S2'] - scores['G']:+.2e}"
            for name, scores in table.items()
        ]

    columns = "".join(system.rjust(8) for system in SYSTEMS) + "   ranking"
    # The study's header of Table A stands one column right of its rows.
    out += ["", "A. corpus BLEU-4".ljust(20) + "configuration".ljust(52) + columns, *lines(table_a)]
    spread = {s: max(row[s] for row in table_a.values()) - min(row[s] for row in table_a.values()) for s in SYSTEMS}
    out.append("spread (max - min over table A): " + ", ".join(f"{s} {spread[s]:.4f}" for s in SYSTEMS))
    out += ["", "B. baseline set-up".ljust(20) + "aggregation and smoothing".ljust(51) + columns, *lines(table_b)]
    out.append(
        "mean sentence - corpus: "
        + "; ".join(
            f"{smoothing} " + " ".join(f"{s} {mean[smoothing][s] - corpus[smoothing][s]:+.4f}" for s in SYSTEMS)
            for smoothing in SMOOTHINGS
        )
    )

    penalties = []
    for system in SYSTEMS:
        _, _, c, r = total(base[system])
        each = math.fsum(brevity_penalty(c, r) for _, _, c, r in base[system]) / images
        penalties.append(f"{system} corpus {brevity_penalty(c, r):.4f}, mean sentence {each:.4f}")
    out += ["", "BP (baseline): " + "; ".join(penalties), ""]

    out.append("modified precisions p1..p4 by number of references:")
    for system in SYSTEMS:
        sums = [total(rows(system, k)) for k in COUNTS]
        precisions = [[m / t for m, t in zip(matches, totals, strict=True)] for matches, totals, _, _ in sums]
        scores = [bleu(row, "none") for row in sums]
        steady = all(b >= a for few, more in pairwise(precisions) for a, b in zip(few, more, strict=True))
        rising = all(b >= a for a, b in pairwise(scores))
        columns = "  ".join("/".join(f"{p:.3f}" for p in row) for row in precisions)
        out.append(f"  {system:2} {columns}   precisions non-decreasing {steady}, BLEU non-decreasing {rising}")

    first = rank(next(iter(table_a.values())))
    others = [*list(table_a.items())[1:], *table_b.items()]
    flips = [name for name, scores in others if rank(scores) != first]
    out += ["", f"rows whose ranking differs from the baseline ({first}): {len(flips)} of {len(others)}: {flips}"]
    return "\n".join(out) + "\n"
