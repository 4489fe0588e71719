"""Caption files: read, checked, written."""

import hashlib
import json

import pytest

from manybleus.captions import Captions, fewer_references, read_captions, write_references, write_results
from manybleus.errors import ManybleusError

REFERENCES = {
    "images": [{"id": 7}, {"id": "b"}],
    "annotations": [
        {"image_id": "b", "id": 0, "caption": "a cat"},
        {"image_id": 7, "id": 1, "caption": "a dog"},
        {"image_id": "b", "id": 2, "caption": "the cat"},
    ],
}
RESULTS = [{"image_id": "b", "caption": "cat"}, {"image_id": 7, "caption": "dog"}]


@pytest.fixture
def read(tmp_path):
    """Write contents as files and read them as captions."""

    def write(name, content):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif content is not None:
            path.write_text(json.dumps(content), encoding="utf-8")
        return path

    def read_them(references=REFERENCES, **systems):
        paths = {name: write(f"{name}.json", content) for name, content in (systems or {"S": RESULTS}).items()}
        return read_captions(write("references.json", references), paths)

    return read_them


def problems(read, *arguments, **systems):
    """The lines that a refusal lists."""
    with pytest.raises(ManybleusError) as error:
        read(*arguments, **systems)
    heading, *lines = str(error.value).splitlines()
    assert heading.startswith("the caption files do not fit together: ")
    return lines


def annotations(*captions, images=None):
    listed = [{"image_id": image, "id": i, "caption": text} for i, (image, text) in enumerate(captions)]
    return {"annotations": listed} if images is None else {"images": images, "annotations": listed}


def test_images_come_in_file_order_and_references_in_the_order_of_the_annotations(read):
    found = read(S=RESULTS, T=RESULTS[::-1])
    assert found == Captions((7, "b"), (("a dog",), ("a cat", "the cat")), {"S": ("dog", "cat"), "T": ("dog", "cat")})


def test_files_without_a_list_of_images_take_them_from_the_annotations(read):
    found = read(annotations(("b", "x"), (7, "y")))
    assert found.image_ids == ("b", 7)


def test_empty_captions_and_odd_characters_are_captions(read):
    text = "a\u2028b \U0001f600 \u200b"
    found = read(annotations((1, ""), (1, text)), S=[{"image_id": 1, "caption": ""}])
    assert found.references == (("", text),)
    assert found.systems == {"S": ("",)}


def test_a_byte_order_mark_is_no_character(read):
    found = read(b"\xef\xbb\xbf" + json.dumps(REFERENCES).encode())
    assert found.image_ids == (7, "b")


def test_written_files_are_read_back(tmp_path):
    told, said = [["a cat.", "the \u732b"], ["", "a dog"]], ["cat \u2028", ""]
    write_references(tmp_path / "r.json", told, "what they are")
    write_results(tmp_path / "s.json", said)
    found = read_captions(tmp_path / "r.json", {"S": tmp_path / "s.json"})
    assert found == Captions((0, 1), (("a cat.", "the \u732b"), ("", "a dog")), {"S": ("cat \u2028", "")})


def test_written_files_have_coco_s_form(tmp_path):
    write_references(tmp_path / "r.json", [["x", "y"], ["z"]], "what they are")
    content = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert content["info"] == {"description": "what they are"}
    assert content["images"] == [{"id": 0}, {"id": 1}]
    assert content["annotations"] == [
        {"image_id": 0, "id": 0, "caption": "x"},
        {"image_id": 0, "id": 1, "caption": "y"},
        {"image_id": 1, "id": 2, "caption": "z"},
    ]


def test_digest_names_images_and_references_and_not_systems(read):
    digest = read().digest
    assert len(digest) == 12
    assert read(S=[{**each, "caption": "other"} for each in RESULTS]).digest == digest
    changed = {**REFERENCES, "annotations": [{**each, "caption": "x"} for each in REFERENCES["annotations"]]}
    assert read(changed).digest != digest
    # As every study of scenes has it: [[0],[["x"]]].
    assert Captions((7,), (("x",),), {}).digest == hashlib.sha256(b'[[0],[["x"]]]').hexdigest()[:12]
    assert Captions(("7",), (("x",),), {}).digest == Captions((7,), (("x",),), {}).digest


def test_images_with_fewer_references_than_are_asked_for_are_counted():
    """An empty text is a reference; "all" asks for no number."""
    captions = Captions((1, 2, 3), (("a",), ("a", "", "c"), ("a", "b")), {})
    assert fewer_references(captions, [4, 2, "all", 1, 3, 2]) == [
        "1 of 3 images has fewer than 2 references and uses all it has.",
        "2 of 3 images have fewer than 3 references and use all they have.",
        "3 of 3 images have fewer than 4 references and use all they have.",
    ]
    assert fewer_references(captions, ["all", 1]) == []


# ----------------------------------------------------------------------------------------------------------- bad input


ANNOTATIONS = 'expected a COCO annotations object with a list under "annotations"'


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "references.json: cannot be read (No such file or directory); check the path"),
        (b"{\xff", "references.json: is not UTF-8 at byte 1; save it as UTF-8"),
        (b'{"annotations": [', "references.json: is not JSON ("),
        (b"[" * 100_000, "references.json: is not JSON ("),
        (b"null", f"references.json: {ANNOTATIONS}, found null"),
        ([], f"references.json: {ANNOTATIONS}, found a list"),
        ({}, f'references.json: {ANNOTATIONS}, found an object without "annotations"'),
        ({"annotations": {}}, f"references.json: {ANNOTATIONS}, found an object there"),
        ({"annotations": [], "images": True}, 'references.json: expected a list under "images", found true'),
        ({"annotations": []}, "references.json: there is no image in it; expected at least one annotation"),
    ],
)
def test_references_that_are_no_annotations_file(read, content, words):
    (line,) = problems(read, content, S=[])
    assert words in line


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "S.json: cannot be read"),
        (b"\xff", "S.json: is not UTF-8 at byte 0"),
        (b"", "S.json: is empty; expected JSON"),
        (b"[{", "S.json: is not JSON ("),
        (b'{"image_id": 7}\n{"image_id": 8}\n', "one value is meant: put lines of JSON into one list, [..., ...]"),
        (
            b'[{"image_id": 7' + b"7" * 4999 + b"}]",
            "S.json: the number 7777777777... has 5,000 digits, which are too many",
        ),
        ({"image_id": 7}, "S.json: expected a COCO results list, found an object"),
        (b"null", "S.json: expected a COCO results list, found null"),
        (b'"text"', "S.json: expected a COCO results list, found a text"),
        (b"1.5", "S.json: expected a COCO results list, found a number"),
    ],
)
def test_results_that_are_no_results_file(read, content, words):
    (line,) = problems(read, S=content)
    assert words in line


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("text", "expected an object with "),
        ({"caption": "x"}, "expected an object with "),
        ({"image_id": None, "caption": "x"}, "the image_id is null"),
        ({"image_id": 1.5}, "the image_id is 1.5"),
        ({"image_id": True}, "the image_id is true"),
    ],
)
def test_an_entry_without_an_image_is_named_by_its_place(read, entry, words):
    lines = problems(read, {"annotations": [*REFERENCES["annotations"], entry]}, S=[*RESULTS, entry])
    assert len(lines) == 2
    assert f"references.json, annotations, item 3: {words}" in lines[0]
    assert f"S.json, item 2: {words}" in lines[1]


@pytest.mark.parametrize(("caption", "shown"), [(None, "null"), (3, "3"), (["a"], '["a"]')])
def test_a_caption_that_is_no_text_is_named_by_its_place(read, caption, shown):
    entry = {"image_id": 7, "caption": caption}
    lines = problems(read, {"annotations": [*REFERENCES["annotations"], entry]}, S=[RESULTS[0], entry])
    assert len(lines) == 2
    assert f"annotations, item 3: image_id 7: the caption is {shown}, expected a text" in lines[0]
    assert f"S.json, item 1: image_id 7: the caption is {shown}, expected a text" in lines[1]


def test_a_caption_that_is_no_text_is_not_missing_too(read):
    (line,) = problems(read, S=[RESULTS[0], {"image_id": "7", "caption": None}])
    assert "S.json, item 1: image_id '7': the caption is null, expected a text" in line
    told = {"images": [{"id": 7}], "annotations": [{"image_id": 7, "caption": None}]}
    (line,) = problems(read, told, S=[RESULTS[1]])
    assert "annotations, item 0: image_id 7: the caption is null" in line


def test_an_image_entry_without_an_id_is_named(read):
    (line,) = problems(read, {**REFERENCES, "images": [*REFERENCES["images"], {"name": "x"}]})
    assert "references.json, images, item 2: expected" in line


def test_an_image_without_references_is_named(read):
    lines = problems(read, {**REFERENCES, "images": [*REFERENCES["images"], {"id": 9}]})
    assert "image_id 9 has no references; add an annotation or remove the image" in lines[0]


def test_an_image_that_stands_twice_or_is_not_listed_is_named(read):
    told = {**REFERENCES, "images": [{"id": 7}, {"id": "b"}, {"id": 7}]}
    told["annotations"] = [*REFERENCES["annotations"], {"image_id": 8, "id": 3, "caption": "x"}]
    twice, unlisted = problems(read, told)
    assert twice.endswith("references.json, images, item 2: image 7 stands there already; keep one")
    assert unlisted.endswith("annotations, item 3: image_id 8 is not among the images; add it there")


def test_unknown_doubled_and_missing_images_are_named(read):
    said = [RESULTS[0], RESULTS[0], {"image_id": 99, "caption": "x"}]
    doubled, missing, unknown = problems(read, S=said)
    assert doubled.endswith("S.json, item 1: image_id 'b' has a caption already; keep one")
    assert unknown.endswith("item 2: image_id 99 is not among the references' images; remove the caption")
    assert "S.json: no caption for 1 of 2 images (image_id 7); add them" in missing


def test_many_missing_images_are_counted_and_some_named(read):
    told = annotations(*((image, "x") for image in range(8)))
    (line,) = problems(read, told, S=[{"image_id": 0, "caption": "x"}])
    assert "no caption for 7 of 8 images (image_id 1, 2, 3, 4, 5, ...); add them" in line


def test_missing_images_are_told_before_many_unknown_ones(read):
    first, *_, last = problems(
        read, S=[RESULTS[0], *({"image_id": image, "caption": "x"} for image in range(100, 300))]
    )
    assert "no caption for 1 of 2 images (image_id 7)" in first
    assert last.endswith("S.json: 101 more")


def test_what_follows_from_broken_references_is_no_fault_of_the_results(read):
    (line,) = problems(read, annotations((1.5, "a"), (7, "b")), S=[{"image_id": i, "caption": "x"} for i in (1, 7)])
    assert "annotations, item 0: the image_id is 1.5" in line
    (line,) = problems(read, {**REFERENCES, "images": [*REFERENCES["images"], {"id": 9}]})
    assert "image_id 9 has no references" in line


def test_a_key_of_another_name_in_all_entries_is_told_once(read):
    def said(key, other):
        return [{other if name == key else name: value for name, value in entry.items()} for entry in RESULTS]

    by_id, captions, texts = problems(
        read, S=said("image_id", "id"), T=said("caption", "captions"), U=said("caption", "text")
    )
    assert by_id.endswith(
        'S.json: no entry has "image_id", and the first is {"id": "b", "caption": "cat"}; rename "id" to "image_id"'
    )
    assert captions.endswith('rename "captions" to "caption"')
    assert texts.endswith("rename the key that holds it")
    boxes = [{"image_id": 7, "id": 0, "segmentation": []}, {"image_id": 8, "id": 1, "segmentation": []}]
    (line,) = problems(read, {"annotations": boxes})
    assert 'references.json, annotations: no entry has "caption"' in line
    assert line.endswith("rename the key that holds it")


def test_the_problems_of_all_files_come_together(read):
    lines = problems(
        read,
        {"images": [{"id": 7}], "annotations": [{"image_id": 7, "caption": 1}]},
        S=[{"image_id": 7, "caption": 2}],
        T=b"{",
        U=None,
    )
    assert [next(f for f in ("references", "S.", "T.", "U.") if f in line) for line in lines] == [
        *("references", "S.", "T.", "U.")
    ]


def test_a_key_that_stands_twice_in_an_object_is_told(read):
    lines = problems(read, S=b'[{"image_id": 7, "caption": "right", "caption": "wrong"}]')
    assert len(lines) == 1
    assert lines[0].endswith('"caption" stands twice in the object {"image_id": 7, "caption": "wrong"}; keep one')


def test_a_whole_number_may_be_written_with_a_point(read):
    said = b'[{"image_id": "b", "caption": "cat"}, {"image_id": 7.0, "caption": "dog"}]'
    assert read(S=said) == read()
    assert read(
        {"annotations": [{"image_id": 1.0, "caption": "a"}]}, S=b'[{"image_id": 1, "caption": "a"}]'
    ).image_ids == (1,)


@pytest.mark.parametrize("image_id", ["7.5", "null", "true", "1e999", "NaN"])
def test_an_image_id_that_can_be_none_is_told(read, image_id):
    said = f'[{{"image_id": "b", "caption": "a"}}, {{"image_id": {image_id}, "caption": "dog"}}]'
    first, *_ = problems(read, S=said.encode())
    assert "S.json, item 1: the image_id is " in first
    assert first.endswith(", expected a whole number or a text")
