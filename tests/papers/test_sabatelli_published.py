"""The paper's tables were copied without mistakes: they follow from its text where they should."""

from okapi.papers.sabatelli2018.headlines import PUBLISHED, published

KEYS = [(network, input_) for network in ("mlp", "cnn") for input_ in ("bitmap", "algebraic")]


def test_perceptrons_with_bitmaps_are_always_the_best() -> None:
    for dataset in (1, 2, 3):
        best, *others = (published(*key, dataset).test for key in KEYS)
        assert all(best > other for other in others)
    # "less than 1% on the final Testing Set"
    assert published("mlp", "bitmap", 1).test - published("cnn", "bitmap", 1).test < 1
    assert all(published(*key, 1).test > 90 for key in KEYS)


def test_all_errors_are_below_what_the_text_says() -> None:
    assert all(published(*key, 4).test < 0.0025 for key in KEYS)
    assert min(KEYS, key=lambda key: float(published(key[0], key[1], 4).test)) == ("mlp", "bitmap")


def test_table_4_says_what_the_text_says() -> None:
    assert [3, 6] == [choice.row for choice in PUBLISHED.table_4 if choice.best == choice.played]
    assert PUBLISHED.balanced == sum(choice.delta <= 1.5 for choice in PUBLISHED.table_4)
    assert set(PUBLISHED.losing) == {choice.row for choice in PUBLISHED.table_4 if choice.delta > 2}
    assert list(range(1, 26)) == [choice.row for choice in PUBLISHED.table_4]


def test_every_position_of_the_suite_is_in_one_row_except_number_22() -> None:
    places = [choice.place for choice in PUBLISHED.table_4 if choice.place]

    assert len(set(places)) == len(places)
    assert {22} == set(range(1, 26)) - set(places)
