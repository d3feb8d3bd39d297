"""The paper's tables were copied without mistakes: they follow from its text where they should."""

from okapi.papers.sabatelli2018.published import BALANCED, LOSING, TABLE_1, TABLE_2, TABLE_3, TABLE_4


def test_perceptrons_with_bitmaps_are_always_the_best() -> None:
    for dataset in (1, 2, 3):
        best = TABLE_1[dataset, "bitmap"].test
        others = (TABLE_1[dataset, "algebraic"], TABLE_2[dataset, "bitmap"], TABLE_2[dataset, "algebraic"])
        assert all(best > other.test for other in others)
    assert TABLE_1[1, "bitmap"].test - TABLE_2[1, "bitmap"].test < 1  # "less than 1% on the final Testing Set"
    assert all(table.test > 90 for key, table in (TABLE_1 | TABLE_2).items() if key[0] == 1)


def test_all_errors_are_below_what_the_text_says() -> None:
    assert all(error.test < 0.0025 for error in TABLE_3.values())
    assert min(TABLE_3, key=lambda key: TABLE_3[key].test) == ("mlp", "bitmap")


def test_table_4_says_what_the_text_says() -> None:
    assert [3, 6] == [choice.row for choice in TABLE_4 if choice.best == choice.played]
    assert BALANCED == sum(choice.delta <= 1.5 for choice in TABLE_4)
    assert set(LOSING) == {choice.row for choice in TABLE_4 if choice.delta > 2}
    assert list(range(1, 26)) == [choice.row for choice in TABLE_4]


def test_every_position_of_the_suite_is_in_one_row_except_number_22() -> None:
    places = [choice.place for choice in TABLE_4 if choice.place is not None]

    assert len(set(places)) == len(places)
    assert {22} == set(range(1, 26)) - set(places)
