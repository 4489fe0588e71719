"""Scenes: the draws, the pictures and the table."""

import numpy as np
import pytest
from helpers import independent_scenes
from independent import paint

from manybleus.errors import ManybleusError
from manybleus.files import read_table, write_table
from manybleus.shapes.scenes import (
    COLOURS,
    MAX_REFERENCES,
    RELATIONS,
    SHAPES,
    SIZE,
    Scene,
    Thing,
    draw_scenes,
    file_name,
    footprint,
    overlap,
    render,
    scene_table,
    scenes_from_table,
)


@pytest.mark.parametrize(("images", "seed"), [(200, 0), (1, 0), (60, 7), (33, 123)])
def test_scenes_are_those_of_the_independent_implementation(images, seed):
    assert draw_scenes(images, seed) == independent_scenes(images, seed)


def test_first_scenes_do_not_depend_on_later_ones_but_their_reference_orders_do():
    few, many = draw_scenes(3, 0), draw_scenes(4, 0)
    for before, after in zip(few, many[:3], strict=True):
        assert (before.first, before.second, before.relation) == (after.first, after.second, after.relation)
    assert [each.reference_order for each in few] != [each.reference_order for each in many[:3]]


@pytest.mark.parametrize("scene", draw_scenes(200, 0)[::10])
def test_pictures_are_those_of_the_independent_implementation(scene):
    things = (scene.first, scene.second)
    told = {
        "colours": [thing.colour for thing in things],
        "shapes": [thing.shape for thing in things],
        "centres": [(thing.row, thing.column) for thing in things],
        "sizes": [thing.size for thing in things],
    }
    picture, shared = paint(told)
    assert np.array_equal(render(scene), picture * 255)
    assert overlap(scene) == shared == 0


def test_scenes_keep_to_their_limits():
    scenes = draw_scenes(300, 5)
    for scene in scenes:
        assert scene.first.colour != scene.second.colour
        assert sorted(scene.reference_order) == list(range(MAX_REFERENCES))
        for thing in (scene.first, scene.second):
            assert thing.colour in COLOURS
            assert thing.shape in SHAPES
            assert 6 <= thing.size <= 9
            assert 13 <= thing.row <= 51
            assert 13 <= thing.column <= 51
    assert {scene.relation for scene in scenes} == set(RELATIONS)
    assert {scene.first.size for scene in scenes} == {6, 7, 8, 9}


def test_the_relation_is_where_the_things_stand():
    for scene in draw_scenes(200, 1):
        a, b = scene.first, scene.second
        along, across = b.column - a.column, b.row - a.row
        major = along if scene.relation in ("left", "right") else across
        assert (major > 0) == (scene.relation in ("left", "above"))
        assert 26 <= abs(major) <= 38


def test_footprints_by_hand():
    square = footprint(Thing("red", "square", 20, 30, 6))
    assert square.sum() == 13 * 13
    assert square[14:27, 24:37].all()
    circle = footprint(Thing("red", "circle", 20, 30, 6))
    inside = {(r, c) for r in range(SIZE) for c in range(SIZE) if (r - 20) ** 2 + (c - 30) ** 2 < 6.5**2}
    assert set(zip(*map(np.ndarray.tolist, np.nonzero(circle)), strict=True)) == inside
    triangle = footprint(Thing("red", "triangle", 20, 30, 6))
    assert triangle[14, 30]
    assert triangle[26, 24]
    assert triangle[26, 36]
    assert not triangle[14, 24]
    assert not triangle[14, 36]
    rows = triangle.sum(axis=1)[14:27].tolist()
    assert rows == sorted(rows)


@pytest.mark.parametrize("shape", SHAPES)
def test_footprints_are_clipped_to_the_picture(shape):
    at_the_edge = footprint(Thing("red", shape, 0, 63, 6))
    assert at_the_edge.shape == (SIZE, SIZE)
    assert 0 < at_the_edge.sum() < footprint(Thing("red", shape, 32, 32, 6)).sum()


def test_the_second_thing_is_drawn_over_the_first():
    lower, upper = Thing("red", "square", 20, 20, 6), Thing("blue", "square", 20, 24, 6)
    scene = Scene(lower, upper, "left", tuple(range(8)))
    picture = render(scene)
    assert overlap(scene) == 13 * 9
    assert tuple(picture[20, 20]) == COLOURS["blue"]
    assert tuple(picture[20, 15]) == COLOURS["red"]
    assert tuple(picture[0, 0]) == (0, 0, 0)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize(("images", "seed"), [(0, 0), (-1, 0), (1, -1)])
def test_impossible_draws_are_refused(images, seed):
    with pytest.raises(ManybleusError, match=f"images = {images} and seed = {seed}"):
        draw_scenes(images, seed)


def test_a_table_of_scenes_gives_the_scenes_back(tmp_path):
    scenes = draw_scenes(5, 0)
    path = tmp_path / "scenes.csv"
    write_table(path, scene_table(scenes))
    assert scenes_from_table(read_table(path)) == scenes
    assert read_table(path)["file_name"].tolist() == [file_name(image) for image in range(5)]
    assert file_name(12) == "000012.png"
