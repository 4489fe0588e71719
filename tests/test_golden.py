"""The study's printed output: byte for byte for its own draw, and equal to an independent implementation for others."""

from dataclasses import replace

import independent
import pytest

from manybleus.replication.rerun import rerun


def test_rerun_prints_the_published_output(results, published):
    assert results["study_output.txt"] == published


def test_independent_implementation_prints_the_published_output(nltk, published):
    assert independent.printed(200, 0, nltk) == published


@pytest.mark.parametrize(("images", "seed"), [(60, 7), (33, 123), (1, 0), (2, 5)])
def test_other_draws_print_what_the_independent_implementation_prints(study, nltk, images, seed):
    rerun_results = rerun(replace(study, images=images, seed=seed), nltk)
    assert rerun_results["study_output.txt"] == independent.printed(images, seed, nltk)


def test_two_computations_give_the_same_bytes(study, nltk):
    few = replace(study, images=12)
    assert rerun(few, nltk) == rerun(few, nltk)


def test_a_narrow_grid_gives_the_same_tables(narrow_study, nltk, results):
    """What the tables need is scored whether the grid holds it or not, the same in a second computation."""
    narrow = rerun(narrow_study, nltk)
    assert {file for file in results if results[file] != narrow[file]} == {"grid.csv"}
