"""References: eight templates in each scene's own order."""

import pytest
from independent import references_of

from manybleus.shapes.references import references
from manybleus.shapes.scenes import Scene, Thing, draw_scenes

A, B = Thing("red", "circle", 32, 16, 6), Thing("blue", "square", 32, 48, 6)


def test_templates_filled_by_hand():
    assert references(Scene(A, B, "left", tuple(range(8)))) == [
        "A red circle is to the left of a blue square.",
        "a red circle to the left of a blue square",
        "There is a red circle to the left of a blue square.",
        "A blue square is to the right of a red circle.",
        "The red circle is to the left of the blue square.",
        "Two shapes: a red circle and a blue square.",
        "On a black background, a red circle is to the left of a blue square.",
        "A blue square, with a red circle to the left of it.",
    ]


@pytest.mark.parametrize(
    ("relation", "phrase", "inverse"),
    [
        ("left", "to the left of", "to the right of"),
        ("right", "to the right of", "to the left of"),
        ("above", "above", "below"),
        ("below", "below", "above"),
    ],
)
def test_every_relation_and_its_inverse(relation, phrase, inverse):
    texts = references(Scene(A, B, relation, tuple(range(8))))
    assert texts[1] == f"a red circle {phrase} a blue square"
    assert texts[3] == f"A blue square is {inverse} a red circle."


def test_the_scene_s_order_puts_the_templates_in_place():
    plain = references(Scene(A, B, "above", tuple(range(8))))
    assert references(Scene(A, B, "above", (7, 0, 3, 1, 2, 4, 5, 6))) == [plain[i] for i in (7, 0, 3, 1, 2, 4, 5, 6)]


@pytest.mark.parametrize("scene", draw_scenes(40, 3))
def test_references_are_those_of_the_independent_implementation(scene):
    things = (scene.first, scene.second)
    told = {"colours": [t.colour for t in things], "shapes": [t.shape for t in things], "relation": scene.relation}
    assert references(scene) == references_of(told, scene.reference_order)
    assert len(set(references(scene))) == 8
