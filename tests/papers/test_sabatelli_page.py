"""The page of sabatelli2018, from made-up results: every table is there, with the right numbers."""

import re

import pytest
from sabatelli_results import all_data, all_results, job_rows, result

from okapi.papers.page import read_paper

PAPER = read_paper("sabatelli2018")


def test_every_table_and_figure_of_the_paper_is_there() -> None:
    text = PAPER.page(all_results())

    for name in (*(f"Table {number}" for number in range(1, 5)), *(f"Figure {number}" for number in range(1, 4))):
        assert f"<b>{name}.</b>" in text
    assert not re.search(r"\b(nan|None|inf|NaN)\b", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize("name", list(all_data()))
def test_any_experiment_may_be_missing_or_skipped(name: str) -> None:
    results = all_results()
    del results[name]
    assert f"the experiment {name} was not made" in PAPER.page(results)

    results[name] = result({"skipped": "there is no GPU here"})
    assert "there is no GPU here" in PAPER.page(results)


def test_the_papers_claims_are_held_against_the_numbers() -> None:
    found = PAPER.figures(all_results())

    assert "3 confirmed, 0 refuted, 3 undecided" == found["mlp_above_cnn"]["note"]
    assert "3 confirmed, 3 refuted, 0 undecided" == found["bitmap_above_algebraic"]["note"]
    assert "<b>Networks and inputs compared.</b>" in PAPER.page(all_results())


def test_the_share_that_the_split_explains_is_told() -> None:
    text = PAPER.page(all_results())

    assert 12 == text.count(">+15.0 (")
    assert "97.0 %" in text
    explained = 15.0 / (96.07 - 62.0)  # the perceptron with bitmaps on dataset 1
    assert f"{100 * explained:.0f} %" in text


def test_the_normalisation_is_the_one_that_is_nearest() -> None:
    text = PAPER.page(all_results())

    assert "<td>0.0017</td><td>0.0012</td><td>412</td><td>400</td>" in text
    assert text.index("cut off at ±50 pawns</th>") < text.index("cut off at ±15 pawns</th>")


def test_headlines() -> None:
    found = PAPER.figures(all_results())

    assert 62.0 == pytest.approx(found["mlp_bitmap_1"]["ours"])
    assert 15.0 == pytest.approx(found["split_1"]["ours"])
    assert 77.0 == pytest.approx(found["mlp_bitmap_1"]["letter"])
    assert (5, 3) == (found["kaufman_solved"]["ours"], found["kaufman_losing"]["letter"])
    assert found["rating_depth_1"]["ours"] is None and 2310.0 == found["rating_search"]["letter"]
    assert 10.0 == pytest.approx(found["endgames"]["ours"])
    assert all(figure["text"] for figure in found.values())
    assert {None} == {figure["ours"] for figure in PAPER.figures({}).values()}


def test_a_part_of_the_networks_is_enough_for_a_page() -> None:
    data = all_data()
    some = {name: row for name, row in job_rows().items() if "bitmap" in name}
    data["splits"]["positions"]["jobs"] = data["splits"]["games"]["jobs"] = some
    text = PAPER.page({name: result(each) for name, each in data.items()})

    assert 6 + 3 == text.count("<td>0.0 (−")  # rows of the table, and headlines


def test_errors_of_dataset_4_are_compared_as_far_as_they_are_sure() -> None:
    text = PAPER.page(all_results())

    assert '<th scope="row">perceptron / CNN, bitmap</th><td>97 %</td><td class="words">undecided</td>' in text
    assert "± 0.0004" in text
