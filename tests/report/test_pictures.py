"""Captions word by word, by hand."""

from dataclasses import replace

import pandas as pd

from manybleus.report.pictures import marked, scenes

M, C, U = "matched", "clipped", "unmatched"


def test_a_word_stands_in_the_longest_matched_n_gram():
    rows = pd.DataFrame(
        [["a", M, M, U], ["red", M, U, U], ["dot", M, M, ""], ["a", C, "", ""]], columns=["token", "n1", "n2", "n3"]
    )
    shown = marked(rows, 3)
    assert [(token["text"], token["longest"], token["clipped"]) for token in shown["tokens"]] == [
        ("a", 2, False),
        ("red", 2, False),
        ("dot", 2, False),
        ("a", 2, True),
    ]
    assert [(each["matches"], each["ngrams"], each["clipped"]) for each in shown["precisions"]] == [
        (3, 4, 1),
        (2, 3, 0),
        (0, 2, 0),
    ]


def test_long_captions_and_words_are_cut_and_counted_whole():
    rows = pd.DataFrame({"token": ["y" * 1000, *["x"] * 99], "n1": [U, *[M] * 99]})
    shown = marked(rows, 1)
    assert (len(shown["tokens"]), shown["further"]) == (60, 40)
    assert shown["tokens"][0]["text"] == "y" * 40 + " ... (1,000 characters)"
    assert shown["precisions"] == [{"order": 1, "matches": 99, "ngrams": 100, "clipped": 0}]


def test_no_words_are_no_matches():
    rows = pd.DataFrame(columns=["token", "n1", "n2"])
    assert marked(rows, 2)["precisions"][1] == {"order": 2, "matches": 0, "ngrams": 0, "clipped": 0}


def test_each_picture_shows_every_system_as_the_file_has_it(small):
    table = small.table("ngrams.csv")
    shown = scenes(small.read())["shown"]
    assert len(shown) == 6
    for picture in shown:
        for caption in picture["captions"]:
            rows = table[(table["image_id"] == int(picture["image"])) & (table["system"] == caption["system"])]
            assert [token["text"] for token in caption["tokens"]] == list(rows["token"])
            told = [(each["matches"], each["ngrams"]) for each in caption["precisions"]]
            assert told == [((rows[f"n{n}"] == M).sum(), rows[f"n{n}"].notna().sum()) for n in (1, 2, 3, 4)]


def test_behind_each_reference_that_can_be_chosen_stand_its_tokens_as_numbers(small):
    results = small.read()
    references = (*["A red dot."] * 4, *["red  sky"] * 8, "sky", "A")
    captions = replace(results.captions, references=(references,) * len(results.captions.image_ids))
    rows = [("S1", "dot"), ("S1", "red"), ("S1", "dot"), ("G", "a"), ("G", ".")]
    ngrams = pd.DataFrame([("0", *row, U, U, U, U) for row in rows])
    ngrams.columns = ["image_id", "system", "token", "n1", "n2", "n3", "n4"]
    context = scenes(replace(results, captions=captions, ngrams=ngrams))
    # The baseline uses 4 references; of the others 8 are listed, and 2 stand behind one choice.
    shown = context["shown"][0]
    assert [shown["used"], shown["unused"]] == [
        {"texts": ["A red dot."] * 4, "further": 0},
        {"texts": ["red  sky"] * 8, "further": 2},
    ]
    assert context["island"][0] == {
        "captions": [[1, 2, 1], [], [3, 4]],
        "choices": [*[[[3, 2, 1, 4]]] * 4, *[[[2, 0]]] * 8, [[0], [3]]],
    }
