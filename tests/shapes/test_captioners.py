"""Captioners: what they read from pixels, and what they say."""

import numpy as np
import pytest
from independent import caption, see

from manybleus.errors import ManybleusError
from manybleus.shapes.captioners import CAPTIONERS, PADDING, Seen, Sight, g, look, read_things, s1, s2
from manybleus.shapes.scenes import COLOURS, SIZE, Scene, Thing, draw_scenes, render

LEFT, RIGHT = Seen("red", "circle", (32, 16)), Seen("blue", "square", (32, 48))
SIGHT = Sight(LEFT, RIGHT, "to the left of")


def picture_of(*things):
    """A picture of exactly these filled masks: (colour, rows, columns)."""
    pixels = np.zeros((SIZE, SIZE, 3), dtype=np.uint8)
    for colour, rows, columns in things:
        pixels[rows, columns] = COLOURS[colour]
    return pixels


def scene(a, b):
    return render(Scene(a, b, "left", tuple(range(8))))


def test_captions_by_hand():
    assert s1(SIGHT, 0) == s1(SIGHT, 1) == "A red circle to the left of a blue square."
    assert s2(SIGHT, 0) == s2(SIGHT, 1) == "a red shape to the left of a blue shape"
    assert g(SIGHT, 0) == "A red circle."
    padded = "A red circle to the left of a blue square in a small synthetic picture with a plain black background"
    assert g(SIGHT, 1) == f"{padded} and nothing else."
    assert len(PADDING.split()) == 13
    assert (CAPTIONERS["S1"], CAPTIONERS["S2"], CAPTIONERS["G"]) == (s1, s2, g)


@pytest.mark.parametrize(("images", "seed"), [(60, 0), (20, 9)])
def test_captions_are_those_of_the_independent_implementation(images, seed):
    for index, each in enumerate(draw_scenes(images, seed)):
        pixels = render(each)
        told = caption(see(pixels / 255), index)
        assert {name: CAPTIONERS[name](look(pixels), index) for name in told} == told


@pytest.mark.parametrize("shape", ["circle", "square", "triangle"])
@pytest.mark.parametrize("size", [6, 7, 8, 9])
@pytest.mark.parametrize("colour", COLOURS)
def test_every_thing_is_read_as_it_was_drawn(colour, shape, size):
    other = "red" if colour != "red" else "green"
    things = read_things(scene(Thing(colour, shape, 20, 16, size), Thing(other, "square", 40, 48, 6)))
    (seen,) = [thing for thing in things if thing.colour == colour]
    assert seen.shape == shape
    assert seen.centroid[1] == pytest.approx(16)


@pytest.mark.parametrize("seed", range(40))
def test_things_in_noise_are_those_that_scikit_image_measures(seed):
    """Several things of one colour, things that touch, colours that no thing has, one of them next to black."""
    rng = np.random.default_rng(seed)
    noise = np.array([(0, 0, 0), *COLOURS.values(), (0, 0, 254), (255, 255, 255)], dtype=np.uint8)
    pixels = noise[rng.choice(len(noise), size=(24, 17), p=[0.5, *[0.1] * 4, 0.05, 0.05])]
    expected = see(pixels / 255)
    things = [(thing.colour, thing.shape, *thing.centroid) for thing in read_things(pixels)]
    assert len(things) > 20
    assert sorted(things) == sorted(expected)
    assert [colour for colour, *_ in things] == [colour for colour, *_ in expected]


def test_things_come_in_the_order_of_the_colours():
    pixels = picture_of(("yellow", slice(0, 3), slice(0, 3)), ("green", slice(9, 12), slice(9, 12)))
    assert [thing.colour for thing in read_things(pixels)] == ["green", "yellow"]


def test_a_thing_with_another_number_of_corners_is_a_shape():
    pixels = picture_of(("red", slice(0, 5), slice(0, 5)))
    pixels[0, 0] = 0
    assert [thing.shape for thing in read_things(pixels)] == ["shape"]


def test_pixels_that_touch_at_a_corner_are_one_thing():
    pixels = picture_of(("red", slice(0, 2), slice(0, 2)), ("red", slice(2, 4), slice(2, 4)))
    (thing,) = read_things(pixels)
    assert thing.centroid == (1.5, 1.5)


@pytest.mark.parametrize(
    ("blue", "relation", "first"),
    [
        ((32, 50), "to the left of", "red"),
        ((32, 10), "to the left of", "blue"),
        ((50, 32), "above", "red"),
        ((10, 32), "above", "blue"),
        ((42, 42), "to the left of", "red"),  # as far across as down: side by side
        ((22, 22), "to the left of", "blue"),
        ((43, 42), "above", "red"),
    ],
)
def test_the_relation_is_the_longer_way(blue, relation, first):
    row, column = blue
    red = slice(31, 34), slice(31, 34)
    sight = look(picture_of(("red", *red), ("blue", slice(row - 1, row + 2), slice(column - 1, column + 2))))
    assert (sight.relation, sight.first.colour) == (relation, first)
    assert {sight.first.colour, sight.second.colour} == {"red", "blue"}


@pytest.mark.parametrize("things", [0, 1, 3])
def test_a_picture_without_exactly_two_things_is_refused(things):
    places = [(colour, slice(9 * i, 9 * i + 3), slice(0, 3)) for i, colour in enumerate(["red", "red", "blue"])]
    with pytest.raises(ManybleusError, match=f"expects 2 things in a picture and sees {things}"):
        look(picture_of(*places[:things]))
