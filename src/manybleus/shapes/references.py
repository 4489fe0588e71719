"""The references: eight templates, filled from the ground truth, in each scene's own order."""

from manybleus.shapes.scenes import Relation, Scene, Thing

TEMPLATES = (
    "A {A} is {R} a {B}.",
    "a {A} {R} a {B}",
    "There is a {A} {R} a {B}.",
    "A {B} is {Q} a {A}.",
    "The {A} is {R} the {B}.",
    "Two shapes: a {A} and a {B}.",
    "On a black background, a {A} is {R} a {B}.",
    "A {B}, with a {A} {R} it.",
)
PHRASES: dict[Relation, str] = {
    "left": "to the left of",
    "right": "to the right of",
    "above": "above",
    "below": "below",
}
INVERSE: dict[Relation, Relation] = {"left": "right", "right": "left", "above": "below", "below": "above"}


def references(scene: Scene) -> list[str]:
    """Return the scene's eight references in its own order, so that the first k are nested sets."""
    filled = {
        "A": _name(scene.first),
        "B": _name(scene.second),
        "R": PHRASES[scene.relation],
        "Q": PHRASES[INVERSE[scene.relation]],
    }
    return [TEMPLATES[i].format_map(filled) for i in scene.reference_order]


def _name(thing: Thing) -> str:
    return f"{thing.colour} {thing.shape}"
