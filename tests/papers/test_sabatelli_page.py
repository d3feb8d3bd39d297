"""The page of sabatelli2018, from made-up results: every table is there, and sentences follow the numbers."""

import re
from html import unescape

import pytest
from sabatelli_results import all_data, all_results, lessons, result

from okapi.papers.sabatelli2018.figures import figures
from okapi.papers.sabatelli2018.page import page


def test_every_table_and_figure_of_the_paper_is_there() -> None:
    text = page(all_results())

    for name in (*(f"Table {number}" for number in range(1, 5)), *(f"Figure {number}" for number in range(1, 4))):
        assert f"<b>{name}.</b>" in text
    assert not re.search(r"\b(nan|None|inf|NaN)\b", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize("name", list(all_data()))
def test_any_experiment_may_be_missing_or_skipped(name: str) -> None:
    results = all_results()
    del results[name]
    assert f"the experiment {name} was not made" in page(results)

    results[name] = result({"skipped": "there is no GPU here"})
    assert "there is no GPU here" in page(results)


def test_the_papers_claims_are_held_against_the_numbers() -> None:
    text = page(all_results())

    assert "The perceptron is better than the convolutional network: confirmed 3 times, undecided 3 times" in text
    assert "Bitmap input is better than algebraic: confirmed 3 times, refuted 3 times" in text


def test_the_share_that_the_split_explains_is_told() -> None:
    text = page(all_results())

    assert "Splitting at random adds +15.0 to +15.0 points; the sign is certain in 12 of 12 networks." in text
    assert "97.0 % of the test positions are one move away" in text
    explained = 15.0 / (96.07 - 62.0)  # the perceptron with bitmaps on dataset 1
    assert f"{100 * explained:.0f} %" in text


def test_the_normalisation_is_the_one_that_is_nearest() -> None:
    text = page(all_results())

    assert "gives the paper&#x27;s MLP, 0.0017: there it means 400 centipawns" in text
    assert "nearest to what “cut off at ±50 pawns”" in text and "Another way of learning" in text
    assert "no larger error than the paper" in text and "in: cut off at ±50 pawns." in text


def test_headlines() -> None:
    found = figures(all_results())

    assert 62.0 == pytest.approx(found["mlp_bitmap_1"]["ours"])
    assert 15.0 == pytest.approx(found["split_1"]["ours"])
    assert (5, 3) == (found["kaufman_solved"]["ours"], found["kaufman_losing"]["ours"])
    assert found["rating_depth_1"]["ours"] is None and 2310.0 == found["rating_search"]["ours"]
    assert all(figure["text"] for figure in found.values())
    assert {None} == {figure["ours"] for figure in figures({}).values()}


def test_a_part_of_the_lessons_is_enough_for_a_page() -> None:
    data = all_data()
    some = {name: lesson for name, lesson in lessons().items() if "bitmap" in name}
    data["splits"]["positions"]["lessons"] = data["splits"]["games"]["lessons"] = some
    results = {name: result(each) for name, each in data.items()}

    assert "6 of 6 networks" not in page(results) and "of 6 networks" in page(results)


def test_errors_of_dataset_4_are_compared_as_far_as_they_are_sure() -> None:
    text = page(all_results())

    assert "bitmap: the perceptron's error is 97 % (undecided)" in unescape(text)
    assert "± 0.0004" in text
